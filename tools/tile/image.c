/* SPDX-License-Identifier: MIT */
/*
 * A surface as rows or as a picture: a row of tiles at a time, so that one of any size takes little
 * memory.
 */
#include "gpu-tile.h"


#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAND_MAX (UINT64_C(256) << 20)	/* bytes of a row of tiles */

/* A row of tiles, and the rows in it. */
struct band {
	struct image *image;
	size_t size, pitch;		/* bytes of its tiles, of a row */
	unsigned rows;
	uint64_t first;			/* the offset of the first band */
	uint8_t *tiled, *linear, *blocks;
	uint8_t *known;			/* one byte for each element of a row */
	size_t block_count;
};

/* Where rows go. */
struct sink {
	int fd;
	struct gsc_out *out;
	struct gsc_png *png;		/* or NULL: unchanged */
};

/* ---- bands ---------------------------------------------------------------------------------- */

static enum gsc_status band_open(struct band *b, struct image *image, struct gsc_error *err)
{
	const struct tile *tile = image->tile;
	const struct gsc_layout *l = &tile->layout;
	uint64_t size = gsc_layout_bytes(l, l->height), above;

	*b = (struct band){ .image = image, .rows = l->height };
	if (size > BAND_MAX)
		return usage_error(err, "--pitch", "a row of tiles would be over 256 MB");
	if (__builtin_mul_overflow(slices_before(tile), gsc_layout_bytes(l, l->surface.rows),
				   &b->first))
		return usage_error(err, "--slice", "out of range");
	above = tile->state.y / l->height;
	if (__builtin_mul_overflow(above, size, &above) ||
	    __builtin_add_overflow(b->first, above, &b->first))
		return usage_error(err, "--slice", "out of range");
	b->size = (size_t)size;
	b->pitch = (size_t)tile->width * (l->surface.bits / 8);
	b->block_count = b->size / TILE_BLOCK + 1;
	b->tiled = calloc(1, b->size);
	b->linear = calloc(b->rows, b->pitch);
	b->blocks = malloc(b->block_count);
	b->known = malloc((size_t)tile->width);
	return b->tiled && b->linear && b->blocks && b->known ? GSC_OK : memory_error(err);
}

static void band_close(struct band *b)
{
	free(b->tiled);
	free(b->linear);
	free(b->blocks);
	free(b->known);
}

/* False: it is not complete. */
static bool band_read(struct band *b, uint64_t number)
{
	size_t got;

	memset(b->blocks, 1, b->block_count);
	got = b->image->read(b->image, b->first + number * b->size, b->tiled, b->size, b->blocks);
	b->image->size += got;
	return got == b->size;
}

/* Rows of it, from one on. */
static bool band_detile(struct band *b, unsigned from, unsigned rows)
{
	const struct tile *tile = b->image->tile;
	struct gsc_rectangle rectangle = { .x = tile->state.x,
					   .y = from,
					   .width = tile->width,
					   .height = rows,
					   .z = tile->slice % tile->layout.depth,
					   .sample = tile->sample % tile->layout.samples };
	struct gsc_error ignored;

	return !gsc_detile(&tile->layout, b->tiled, b->size, &rectangle, b->linear, b->pitch,
			   &ignored);
}

/* Which elements of a row exist; NULL: all. */
static const uint8_t *row_known(struct band *b, unsigned row)
{
	const struct tile *tile = b->image->tile;
	struct gsc_point p = { .y = row,
			       .z = tile->slice % tile->layout.depth,
			       .sample = tile->sample % tile->layout.samples };
	uint64_t offset = 0;

	if (!memchr(b->blocks, 0, b->block_count))
		return NULL;
	for (uint64_t x = 0; x < tile->width; x++) {
		p.x = tile->state.x + x;
		gsc_layout_offset(&tile->layout, &p, &offset);
		b->known[x] = b->blocks[offset / TILE_BLOCK];
	}
	return b->known;
}

/* ---- sinks ---------------------------------------------------------------------------------- */

static bool put_rows(struct band *b, const struct sink *sink, unsigned from, unsigned rows)
{
	if (!sink->png)
		return write_whole(sink->fd, b->linear, rows * b->pitch);
	for (unsigned row = 0; row < rows; row++)
		gsc_png_row(sink->png, b->linear + row * b->pitch, row_known(b, from + row));
	errno = gsc_out_error(sink->out);
	return !errno;
}

static enum gsc_status sink_open(struct sink *sink, const struct image *image, int fd,
				 struct gsc_error *err)
{
	const struct tile *tile = image->tile;
	enum gsc_status status;

	*sink = (struct sink){ .fd = fd };
	if (!wants_png(tile))
		return GSC_OK;
	status = gsc_out_new(&sink->out, fd, false, err);
	if (status)
		return status;
	return gsc_png_new(&sink->png, sink->out, tile->pixels, tile->width, tile->height,
			   GSC_PNG_PACKED | (image->holes ? GSC_PNG_HOLES : 0), err);
}

/* Only a complete picture is one. */
static bool sink_end(struct sink *sink)
{
	bool good = !sink->png || gsc_png_end(sink->png);

	errno = sink->out ? gsc_out_error(sink->out) : 0;
	return good;
}

static void sink_close(struct sink *sink)
{
	gsc_png_free(sink->png);
	gsc_out_free(sink->out);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static enum gsc_status cut(const struct image *image, struct gsc_error *err)
{
	if (image->error) {
		errno = 0;
		return file_error(err, image->name, image->error);
	}
	*err = (struct gsc_error){ .status = image->endless ? GSC_PARTIAL : GSC_FAILED };
	snprintf(err->what, sizeof(err->what), "%.200s", image->name);
	snprintf(err->why, sizeof(err->why), "ends after %llu bytes, within a row of tiles",
		 (unsigned long long)image->size);
	errno = 0;
	return err->status;
}

static enum gsc_status write_failed(struct gsc_error *err, const char *path)
{
	int error = errno ? errno : EIO;

	file_error(err, path, error);
	errno = error;
	return err->status;
}

static enum gsc_status put_bands(struct band *b, const struct sink *sink, const char *path,
				 struct gsc_error *err)
{
	struct image *image = b->image;
	uint64_t height = image->tile->height, done = 0, size;
	unsigned from = (unsigned)(image->tile->state.y % b->rows), rows;

	for (uint64_t n = 0; image->endless || done < height; n++, done += rows, from = 0) {
		rows = b->rows - from;
		if (!image->endless && height - done < rows)
			rows = (unsigned)(height - done);
		size = image->size;
		if (!band_read(b, n)) {
			if (image->endless && !image->error && image->size == size && n)
				return GSC_OK;
			return cut(image, err);
		}
		if (!band_detile(b, from, rows) || !put_rows(b, sink, from, rows))
			return write_failed(err, path);
		progress_show(&image->tile->common, done, height);
	}
	return GSC_OK;
}

enum gsc_status image_holes(const struct image *image, uint64_t size, const char *instead,
			    struct gsc_error *err)
{
	if (!image->missing)
		return GSC_OK;
	*err = (struct gsc_error){ .status = image->missing < size ? GSC_PARTIAL
								   : image->hole_status };
	snprintf(err->what, sizeof(err->what), "%.200s", image->name);
	if (image->missing >= size)
		snprintf(err->why, sizeof(err->why), "no part of the surface can be read: %s",
			 image->hole_why);
	else
		snprintf(err->why, sizeof(err->why),
			 "%llu of %llu bytes cannot be read%s; first 0x%llx: %s",
			 (unsigned long long)image->missing, (unsigned long long)size, instead,
			 (unsigned long long)image->hole_at, image->hole_why);
	return err->status;
}

static enum gsc_status tell_holes(const struct image *image, struct gsc_error *err)
{
	errno = 0;
	return image_holes(image, image->size, wants_png(image->tile) ? ": transparent"
								      : ": written as zeros",
			   err);
}

static enum gsc_status put_image(struct common *common, int fd, const char *path,
				 struct gsc_error *err)
{
	struct image *image = ((struct tile *)common)->image;
	struct band band;
	struct sink sink = { .fd = fd };
	enum gsc_status status = band_open(&band, image, err);

	if (!status)
		status = sink_open(&sink, image, fd, err);
	if (!status)
		status = put_bands(&band, &sink, path, err);
	progress_clear(common);
	if (!status && !sink_end(&sink))
		status = write_failed(err, path);
	sink_close(&sink);
	band_close(&band);
	return status ? status : tell_holes(image, err);
}

/* A surface of more than BYTES_MOST is a mistake. */
#define BYTES_MOST (UINT64_C(1) << 40)

uint64_t slices_before(const struct tile *tile)
{
	return tile->slice / tile->layout.depth + tile->sample / tile->layout.samples;
}

bool slice_fits(const struct tile *tile, struct gsc_error *err)
{
	const struct gsc_layout *l = &tile->layout;
	uint64_t bytes;

	if (tile->slice && (l->depth == 1 || (tile->slice >= l->depth && !l->surface.rows)))
		usage_error(err, "--slice", "needs --dim 3d and --height");
	else if (tile->sample >= l->samples && !l->surface.rows)
		usage_error(err, "--sample", "a sample in another tile needs --height");
	else if (__builtin_mul_overflow(slices_before(tile),
					gsc_layout_bytes(l, l->surface.rows), &bytes) ||
		 bytes > BYTES_MOST)
		usage_error(err, "--slice", "out of range");
	else
		return true;
	return false;
}

enum gsc_status image_write(struct image *image, struct gsc_error *err)
{
	struct tile *tile = image->tile;
	struct gsc_error bad;

	if (!slice_fits(tile, err))
		return err->status;
	if (wants_png(tile) && pixels_choose(tile, &bad)) {
		*err = bad;
		return bad.status;
	}
	tile->image = image;
	return file_save(&tile->common, tile->output, image->mode, put_image, err);
}
