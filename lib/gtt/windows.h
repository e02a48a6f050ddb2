/* SPDX-License-Identifier: MIT */
/* The ranges of the machine's addresses that belong to a GPU. */
#ifndef GSC_GTT_WINDOWS_H
#define GSC_GTT_WINDOWS_H

#include "db/words.h"
#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

struct gsc_gpu;

/* A range of the machine's address space that belongs to the GPU. */
struct gsc_window {
	const char *name;		/* "GTTMMADR", "GSM", "DSM", ... */
	enum gsc_read status;		/* unless GSC_READ_OK: why place or size is unknown */
	uint64_t start, length;		/* 0, 0: it does not exist; length 0: unknown */
	char from[96];			/* where this was found: "config 0x5c BDSM 0xdba00001" */
	char problem[192];		/* what is inconsistent, or "" */
};

/* The windows of a GPU; free *windows with free(). */
GSC_API enum gsc_status gsc_windows(const struct gsc_gpu *gpu, struct gsc_window **windows,
				    size_t *count, struct gsc_error *err);

#endif
