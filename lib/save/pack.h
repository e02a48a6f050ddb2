/* SPDX-License-Identifier: MIT */
/* Bytes on their way out, compressed by gzip or zstd, whose libraries are loaded when needed. */
#ifndef GSC_PACK_H
#define GSC_PACK_H

#include "save/save.h"
#include "util/tar.h"

/* Where saved data goes: small writes are gathered, and the first failure is kept. */
struct outlet {
	int fd, error;			/* errno of the first failure, never 0 then */
	size_t used;
	uint8_t buffer[64u << 10];
};

/* All return false from a failure on. The context is the outlet: packers call it. */
bool outlet_write(void *context, const void *data, size_t size);
/* This many zeros: a hole, if possible. */
bool outlet_zeros(void *context, uint64_t size);
bool outlet_flush(struct outlet *outlet);

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

#endif
