/* SPDX-License-Identifier: MIT */
/* Bytes compressed on their way out: gzip or zstd, by libraries loaded when needed. */
#ifndef GSC_PACK_H
#define GSC_PACK_H

#include "gpuscope.h"
#include "util/tar.h"

struct packer;

/*
 * Its output goes to `write`, zeros that stay unchanged to `zeros`. NULL: there is no library for
 * it, or on allocation failure.
 */
struct packer *packer_new(enum gsc_packing packing, tar_write write, tar_zeros zeros, void *context,
			  struct gsc_error *err);
/* A tar_write and a tar_zeros whose context is the packer. */
bool packer_write(void *packer, const void *data, size_t size);
bool packer_zeros(void *packer, uint64_t size);
/* The rest. False: it could not be written, or memory is out. */
bool packer_end(struct packer *packer);
void packer_free(struct packer *packer);

/* What GSC_PACK_BEST is on this machine. */
GSC_API enum gsc_packing gsc_packing_best(void);

#endif
