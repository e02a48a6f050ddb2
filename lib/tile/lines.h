/* SPDX-License-Identifier: MIT */
/* How copy.c and lines.c agree on the part of a tile to be copied. */
#ifndef GSC_TILE_LINES_H
#define GSC_TILE_LINES_H

#include "tile/tile.h"

#define LINE 64				/* bytes of a tile that every swizzle leaves together */
#define STRIP_MIN 1024			/* bytes of rows that are put into tiles at a time */
#define COLUMNS_MAX 512			/* runs across a strip: of 2 bytes */
#define ROWS_MAX 256

struct lines;

struct job {
	const struct gsc_layout *layout;
	unsigned run;			/* bytes that are contiguous both in a tile and in a row */
	unsigned width;			/* bytes of a strip: a tile or some adjacent ones */
	uint32_t column[COLUMNS_MAX], row[ROWS_MAX];
	uint32_t slice;			/* of z and the sample */
	bool out;			/* of the tiles */
	bool stream;			/* bypasses the caches */
	const struct lines *lines;	/* or NULL */
};

/* The requested part of a strip: bytes and rows, ends exclusive. */
struct window {
	unsigned x, y, x_end, y_end;
};

/* `rows` is where the window's first byte goes; the place of each in `strip` is ^ `flip`. */
typedef void copy_fn(const struct job *job, uint8_t *strip, uint32_t flip, uint8_t *rows,
		     size_t pitch, const struct window *w);

/* How a window is copied that has a line's bytes in each row, and this many rows, or a multiple. */
struct lines {
	unsigned rows;
	copy_fn *ways[2][2];		/* by: out, stream */
};

/* NULL: there is none, and runs must do */
const struct lines *lines_find(const struct gsc_layout *l);

#endif
