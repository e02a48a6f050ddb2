/* SPDX-License-Identifier: MIT */
/*
 * gpu-tile with images: a row of tiles at a time, so that surfaces of any size take little memory.
 */
#include "tile.h"

#include "snap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096
#define BAND_MAX (UINT64_C(256) << 20)	/* bytes of a row of tiles */

/* A row of tiles, and the rows in it. */
struct band {
	struct image *image;
	uint64_t size;			/* bytes of its tiles */
	unsigned rows;
	uint64_t first;			/* the offset of the first */
	uint8_t *tiled, *linear, *pages, *known;	/* known: a byte an element */
	size_t pitch;			/* of `linear` */
	bool whole;			/* no holes in this one */
};

/* ---- bands ---------------------------------------------------------------------------------- */

static enum gsc_status band_open(struct band *b, struct image *image, struct gsc_error *err)
{
	struct tile *tile = image->tile;
	const struct gsc_layout *l = &tile->layout;
	uint64_t slab = gsc_layout_bytes(l, l->surface.rows ? l->surface.rows : 1);

	*b = (struct band){ .image = image, .rows = l->height };
	b->size = gsc_layout_bytes(l, l->height);
	if (b->size > BAND_MAX)
		return usage_error(err, "--pitch", "a row of tiles would be over 256 MB");
	b->pitch = (size_t)tile->width * (l->surface.bits / 8);
	if (__builtin_mul_overflow(tile->slice / l->depth, slab, &b->first))
		return usage_error(err, "--slice", "out of range");
	b->tiled = calloc(1, (size_t)b->size);
	b->linear = calloc(b->rows, b->pitch);
	b->pages = calloc(1, (size_t)(b->size / PAGE / 8 + 2));
	b->known = calloc(1, (size_t)tile->width);
	if (b->tiled && b->linear && b->pages && b->known)
		return GSC_OK;
	return memory_error(err);
}

static void band_close(struct band *b)
{
	free(b->tiled);
	free(b->linear);
	free(b->pages);
	free(b->known);
}

static struct gsc_rectangle band_rectangle(const struct band *b, unsigned rows)
{
	const struct tile *tile = b->image->tile;

	return (struct gsc_rectangle){ .width = tile->width,
				       .height = rows,
				       .z = tile->slice % tile->layout.depth,
				       .sample = (unsigned)tile->sample };
}

/* Which elements of a row are in pages that are there. */
static const uint8_t *row_known(struct band *b, unsigned row)
{
	const struct tile *tile = b->image->tile;
	struct gsc_point p = { .y = row,
			       .z = tile->slice % tile->layout.depth,
			       .sample = (unsigned)tile->sample };
	uint64_t offset = 0;

	if (b->whole)
		return NULL;
	for (p.x = 0; p.x < tile->width; p.x++) {
		gsc_layout_offset(&tile->layout, &p, &offset);
		offset /= PAGE;
		b->known[p.x] = b->pages[offset / 8] >> offset % 8 & 1;
	}
	return b->known;
}

static bool all_set(const struct band *b)
{
	for (uint64_t page = 0; page < (b->size + PAGE - 1) / PAGE; page++)
		if (!(b->pages[page / 8] >> page % 8 & 1))
			return false;
	return true;
}

/* How many rows of the next band there are. */
static unsigned band_read(struct band *b, uint64_t number, uint64_t rows_left)
{
	const struct gsc_layout *l = &b->image->tile->layout;
	uint64_t size = l->surface.tiling ? b->size : b->size * MIN_ROWS(rows_left, b->rows);
	size_t got;

	memset(b->pages, 0xff, (size_t)(b->size / PAGE / 8 + 2));
	got = b->image->read(b->image, b->first + number * b->size, b->tiled, (size_t)size,
			     b->pages);
	b->whole = all_set(b);
	if (got < size)
		return 0;
	return (unsigned)(rows_left < b->rows ? rows_left : b->rows);
}

/* ---- where rows go -------------------------------------------------------------------------- */

struct sink {
	int fd;
	struct gsc_png *png;
	struct gsc_out *out;
};

static bool put_rows(struct band *b, struct sink *sink, unsigned rows)
{
	if (!sink->png)
		return write_whole(sink->fd, b->linear, rows * b->pitch);
	for (unsigned row = 0; row < rows; row++)
		gsc_png_row(sink->png, b->linear + row * b->pitch, row_known(b, row));
	return !gsc_out_error(sink->out);
}
