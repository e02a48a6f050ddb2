/* SPDX-License-Identifier: MIT */
/*
 * A surface as rows or as a picture: a row of tiles at a time, so that one of any size takes little
 * memory.
 */
#include "gpu-tile.h"

#include <errno.h>

#define BYTES_MOST (UINT64_C(1) << 40)	/* a larger surface is a mistake */

/* A row of tiles, the rows in it, and where they go. */
struct band {
	struct image *image;
	size_t size, pitch;		/* bytes of its tiles, of a row */
	unsigned rows;
	uint64_t first;			/* the offset of the first band */
	uint8_t *tiled, *linear, *blocks;
	uint8_t *known;			/* one byte for each element of a row */
	size_t block_count;
	int fd;
	struct gsc_out *out;
	struct gsc_png *png;		/* or NULL: rows go to fd unchanged */
};

static enum gsc_status band_open(struct band *b, struct image *image, int fd, struct gsc_error *err)
{
	const struct tile *tile = image->tile;
	const struct gsc_layout *l = &tile->layout;
	uint64_t size = gsc_layout_bytes(l, l->height), above;
	enum gsc_status status;

	*b = (struct band){ .image = image, .rows = l->height, .fd = fd };
	if (size > BAND_MAX)
		return usage_error(err, "--pitch", "a row of tiles would be over 256 MB");
	if (__builtin_mul_overflow(slices_before(tile), gsc_layout_bytes(l, l->surface.rows),
				   &b->first) ||
	    __builtin_mul_overflow(tile->state.y / l->height, size, &above) ||
	    __builtin_add_overflow(b->first, above, &b->first))
		return usage_error(err, "--size", "out of range");
	b->size = (size_t)size;
	b->pitch = (size_t)tile->width * (l->surface.bits / 8);
	b->block_count = b->size / TILE_BLOCK + 1;
	b->tiled = calloc(1, b->size);
	b->linear = calloc(b->rows, b->pitch);
	b->blocks = malloc(b->block_count);
	b->known = malloc((size_t)tile->width);
	if (!b->tiled || !b->linear || !b->blocks || !b->known)
		return err_memory(err);
	if (!wants_png(tile))
		return GSC_OK;
	status = gsc_out_new(&b->out, fd, false, err);
	return status ? status
		      : gsc_png_new(&b->png, b->out, tile->pixels, tile->width, tile->height,
				    GSC_PNG_PACKED | (image->holes ? GSC_PNG_HOLES : 0), err);
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

/* Rows of the band, from one on; errno says why not. */
static bool put_rows(struct band *b, unsigned from, unsigned rows)
{
	const struct tile *tile = b->image->tile;
	struct gsc_rectangle rectangle = { .x = tile->state.x,
					   .y = from,
					   .width = tile->width,
					   .height = rows,
					   .z = tile->slice % tile->layout.depth,
					   .sample = tile->sample % tile->layout.samples };
	struct gsc_error ignored;

	if (gsc_detile(&tile->layout, b->tiled, b->size, &rectangle, b->linear, b->pitch, &ignored))
		return false;
	if (!b->png)
		return fd_write(b->fd, b->linear, rows * b->pitch);
	for (unsigned row = 0; row < rows; row++)
		gsc_png_row(b->png, b->linear + row * b->pitch, row_known(b, from + row));
	errno = gsc_out_error(b->out);
	return !errno;
}

static enum gsc_status write_failed(struct gsc_error *err, const char *path)
{
	int error = errno ? errno : EIO;

	err_errno(err, path, error);
	errno = error;
	return err->status;
}

static enum gsc_status put_bands(struct band *b, const char *path, struct gsc_error *err)
{
	struct image *image = b->image;
	uint64_t height = image->tile->height, done = 0;
	unsigned from = (unsigned)(image->tile->state.y % b->rows), rows;

	for (uint64_t n = 0; image->endless || done < height; n++, done += rows, from = 0) {
		size_t got;

		rows = b->rows - from;
		if (!image->endless && height - done < rows)
			rows = (unsigned)(height - done);
		memset(b->blocks, 1, b->block_count);
		got = image->read(image, b->first + n * b->size, b->tiled, b->size, b->blocks);
		image->size += got;
		if (!got && image->endless && !image->error && n)
			return GSC_OK;
		if (got < b->size) {
			errno = 0;
			return image->error
				       ? err_errno(err, image->name, image->error)
				       : err_set(err, image->endless ? GSC_PARTIAL : GSC_FAILED,
						 image->name, "ends after %llu bytes, within a row "
						 "of tiles", LL(image->size));
		}
		if (!put_rows(b, from, rows))
			return write_failed(err, path);
		progress_show(&image->tile->common, done, height);
	}
	return GSC_OK;
}

void image_hole(struct image *image, uint8_t *buf, uint8_t *blocks, size_t at, size_t length)
{
	memset(buf + at, 0, length);
	memset(blocks + at / TILE_BLOCK, 0, (at + length - 1) / TILE_BLOCK - at / TILE_BLOCK + 1);
	image->missing += length;
}

enum gsc_status image_holes(const struct image *image, uint64_t size, const char *instead,
			    struct gsc_error *err)
{
	if (!image->missing)
		return GSC_OK;
	if (image->missing >= size)
		return err_set(err, image->hole_status, image->name,
			       "no part of the surface can be read: %s", image->hole_why);
	return err_set(err, GSC_PARTIAL, image->name,
		       "%llu of %llu bytes cannot be read%s; first 0x%llx: %s", LL(image->missing),
		       LL(size), instead, LL(image->hole_at), image->hole_why);
}

static enum gsc_status put_image(struct common *common, int fd, const char *path,
				 struct gsc_error *err)
{
	struct image *image = ((struct tile *)common)->image;
	struct band band;
	enum gsc_status status = band_open(&band, image, fd, err);

	if (!status)
		status = put_bands(&band, path, err);
	progress_clear(common);
	/* Only a complete picture is one. */
	if (!status && band.png && !gsc_png_end(band.png)) {
		errno = gsc_out_error(band.out);
		status = write_failed(err, path);
	}
	gsc_png_free(band.png);
	gsc_out_free(band.out);
	free(band.tiled);
	free(band.linear);
	free(band.blocks);
	free(band.known);
	if (status)
		return status;
	errno = 0;
	return image_holes(image, image->size, wants_png(image->tile) ? ": transparent"
								      : ": written as zeros",
			   err);
}

uint64_t slices_before(const struct tile *tile)
{
	return tile->slice / tile->layout.depth + tile->sample / tile->layout.samples;
}

bool slice_fits(const struct tile *tile, struct gsc_error *err)
{
	const struct gsc_layout *l = &tile->layout;
	uint64_t bytes;

	if (tile->slice && (l->depth == 1 || (tile->slice >= l->depth && !l->surface.rows)))
		usage_error(err, "--size", "another slice needs depth and rows: xROWSx:SLICE");
	else if (tile->sample >= l->samples && !l->surface.rows)
		usage_error(err, "--samples", "a sample in another tile needs --size xROWS");
	else if (__builtin_mul_overflow(slices_before(tile),
					gsc_layout_bytes(l, l->surface.rows), &bytes) ||
		 bytes > BYTES_MOST)
		usage_error(err, "--size", "out of range");
	else
		return true;
	return false;
}

enum gsc_status image_write(struct image *image, struct gsc_error *err)
{
	struct tile *tile = image->tile;
	unsigned bits = tile->surface.bits;
	char text[32];

	if (!slice_fits(tile, err))
		return err->status;
	/* The pixel format that --bpp or a surface state names, or the usual one of its size. */
	tile->pixels = gsc_pixel_format_by_name(tile->pixels_name ? tile->pixels_name
						: bits == 32	  ? "B8G8R8X8"
						: bits == 16	  ? "B5G6R5"
								  : "R8");
	string_set(text, "%u", bits);
	if (wants_png(tile) && tile->pixels->bits != bits)
		return option_error("bpp", text, "no pixel format has elements of this size", err);
	tile->image = image;
	return file_save(&tile->common, tile->output, image->mode, put_image, err);
}
