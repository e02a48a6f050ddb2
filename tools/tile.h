/* SPDX-License-Identifier: MIT */
/* gpu-tile: its options, and what its modes share. */
#ifndef TILE_H
#define TILE_H

#include "ptwalk.h"

struct image;

struct tile {
	struct ptwalk walk;		/* how addresses are translated; begins with a common */

	/* As given. */
	const char *tiling_name, *swizzle_name, *pixels_name, *output;
	uint64_t pitch, bpp, samples, sample, slice, width, height, base, surface_at, state_at;
	struct strings fences;
	unsigned dimensions, client, aux, depth;	/* choices */
	bool to_points, detile, tile, png, check, remapped;

	/* Made of it. */
	struct gsc_surface surface;
	struct gsc_layout layout;
	struct gsc_fence *fence;	/* as many as in `fences` */
	const struct gsc_pixel_format *pixels;
	char swizzle_why[160];
	struct image *image;		/* in the making */
	struct gsc_json json;
};

#define TILE_SCHEMA "gpuscope.tile/1"

/* The modes; each is a run_fn. */
run_fn points_run, fence_run, tile_image_run, surface_run, tile_check_run, aux_run;

/* ---- gpu-tile.c ----------------------------------------------------------------------------- */

/* The surface as the options tell; with its swizzle, of which a source knows more. */
enum gsc_status surface_options(struct tile *tile, struct gsc_error *err);
enum gsc_status swizzle_choose(struct tile *tile, struct gsc_error *err);
/* --pixels, or what elements of that many bits mostly are. */
enum gsc_status pixels_choose(struct tile *tile, struct gsc_error *err);
/* Of a file that goes to -o: whether it is to be a PNG. */
bool wants_png(const struct tile *tile);

/* What there is to know of the surface: the first lines of text, the head of JSON. */
enum gsc_status tile_begin(struct tile *tile, const char *list, struct gsc_error *err);
void tile_end(struct tile *tile);

/* ---- tile-image.c --------------------------------------------------------------------------- */

#define TILE_BLOCK 64			/* bytes that are there, or not */

/*
 * Bytes of a surface: as many as are there from `offset` on, at most `size`. Zeros stand for those
 * in a hole, and `blocks`, a byte for each 64 of them, all of them 1 so far, are made 0 there.
 */
typedef size_t image_read_fn(struct image *image, uint64_t offset, uint8_t *buf, size_t size,
			     uint8_t *blocks);

struct image {
	struct tile *tile;
	image_read_fn *read;
	void *context;
	const char *name;		/* of what is read */
	bool endless;			/* its height is not known: to the end */
	bool holes;			/* there may be some */
	uint64_t size, missing;		/* bytes that were read, and of them in holes */
	int error;			/* errno of a read that failed, or 0 */
};

/* Writes a surface as rows or as a picture to where -o says. */
enum gsc_status image_write(struct image *image, struct gsc_error *err);

/* ---- tile-file.c ---------------------------------------------------------------------------- */

/* --width, or as many as fit the pitch. */
enum gsc_status width_choose(struct tile *tile, struct gsc_error *err);

/* ---- tile-check.c --------------------------------------------------------------------------- */

/* The one --fence, decoded, and the surface that it makes. */
enum gsc_status fence_ready(struct tile *tile, struct gsc_error *err);

#endif
