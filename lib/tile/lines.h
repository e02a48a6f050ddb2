/* SPDX-License-Identifier: MIT */
/* How copy.c and lines.c tell each other what of a tile is to be copied. */
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
	unsigned run;			/* bytes that lie together in a tile as they do in a row */
	unsigned width;			/* bytes of a strip, a tile or some side by side */
	uint32_t column[COLUMNS_MAX], row[ROWS_MAX];
	uint32_t slice;			/* of z and the sample */
	bool out;			/* of the tiles */
	bool stream;			/* around the caches */
	const struct lines *lines;	/* or NULL */
};

/* What of a strip is wanted: bytes and rows, the ends not part of it. */
struct window {
	unsigned x, y, x_end, y_end;
};

/* `rows` is where the window's first byte belongs; the place of each in `strip` is ^ `flip`. */
typedef void copy_fn(const struct job *job, uint8_t *strip, uint32_t flip, uint8_t *rows,
		     size_t pitch, const struct window *w);

/* How a window is copied that has a line's bytes in each row, and so many rows, or a multiple. */
struct lines {
	unsigned rows;
	copy_fn *ways[2][2];		/* by: out, stream */
};

/* NULL: none such here, runs have to do. */
const struct lines *lines_find(const struct gsc_layout *l);

#endif
