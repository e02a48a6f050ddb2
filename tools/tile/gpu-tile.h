/* SPDX-License-Identifier: MIT */
/* gpu-tile: its options, and what its modes share. */
#ifndef TILE_H
#define TILE_H

#include "cli/roots.h"

struct image;

struct tile {
	struct common common;

	/* As given. */
	struct roots roots;		/* how addresses are translated */
	const char *tiling_name, *swizzle_name, *pixels_name, *output;
	uint64_t pitch, bpp, samples, sample, slice, width, height, base, surface_at, state_at;
	uint64_t submission, aux_root;
	struct strings fences;
	unsigned dimensions, client, aux, depth;	/* choices */
	bool to_points, detile, tile, png, check, remapped, aux_table;

	/* Derived from that. */
	struct gsc_surface surface;
	struct gsc_layout layout;
	struct gsc_surface_state state;	/* of --state; its place is that of what is shown */
	uint64_t left;			/* slices of memory after the first that is shown */
	struct gsc_gpu *moment;		/* of --submission, or NULL */
	struct gsc_submission submitted;
	struct gsc_fence *fence;	/* as many as in `fences` */
	const struct gsc_pixel_format *pixels;
	uint32_t swizzle;		/* all of it; the surface may not know about bit 17 */
	char swizzle_why[160];
	struct image *image;		/* being made */
	struct gsc_json json;
};

#define TILE_SCHEMA "gpuscope.tile/1"

/* The modes; each is a run_fn. */
run_fn points_run, fence_run, tile_image_run, surface_run, tile_check_run, aux_run, aux_table_run;

/* ---- tile.c ---------------------------------------------------------------------------------- */

/* The library takes numbers of 32 bits here; larger ones are not valid. */
static inline unsigned tile_narrow(uint64_t value)
{
	return value > UINT32_MAX ? 0 : (unsigned)value;
}

/* As it was at --submission, otherwise as it is. */
static inline const struct gsc_gpu *tile_gpu(const struct tile *tile)
{
	return tile->moment ? tile->moment : tile->common.gpu;
}

/* The surface by the options; including its swizzle, about which a source knows more. */
enum gsc_status surface_options(struct tile *tile, struct gsc_error *err);
enum gsc_status swizzle_choose(struct tile *tile, struct gsc_error *err);
/* --pixels, or the usual format of elements with that many bits. */
enum gsc_status pixels_choose(struct tile *tile, struct gsc_error *err);
/* For a file that goes to -o: whether it should be a PNG. */
bool wants_png(const struct tile *tile);

/* Everything known about the surface: the first lines of text, the head of JSON. */
enum gsc_status tile_begin(struct tile *tile, const char *list, struct gsc_error *err);
void tile_end(struct tile *tile);
/* About the chosen --submission: a line of text, a key of JSON. */
void put_submission_text(const struct tile *tile);
void put_submission_json(struct tile *tile);

/* ---- image.c --------------------------------------------------------------------------------- */

#define TILE_BLOCK 64			/* bytes that exist, or do not */

/*
 * Bytes of a surface: as many as there are from `offset` on, at most `size`. Zeros stand for those
 * in a hole, and `blocks`, a byte for each 64 of them, all of them 1 so far, are set to 0 there.
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
	mode_t mode;			/* of a file that is made from it */
	uint64_t size, missing;		/* bytes that were read, and of them in holes */
	uint64_t hole_at;		/* the first one, */
	char hole_why[240];		/* and why it is one */
	enum gsc_status hole_status;	/* the worst of all */
	int error;			/* errno of a read that failed, or 0 */
};

/* The surface has the slice; else *err says why not. */
/* Slices of tiles before the requested ones. */
uint64_t slices_before(const struct tile *tile);
bool slice_fits(const struct tile *tile, struct gsc_error *err);
/* Writes a surface as rows or as a picture to where -o says. */
enum gsc_status image_write(struct image *image, struct gsc_error *err);

/*
 * What is missing of this many bytes: GSC_PARTIAL; if all is, the worst. `instead`: what is there.
 */
enum gsc_status image_holes(const struct image *image, uint64_t size, const char *instead,
			    struct gsc_error *err);

/* ---- state.c --------------------------------------------------------------------------------- */

/* The surface, the part of it that is shown and the place, from the surface state at state_at. */
enum gsc_status state_read(struct tile *tile, struct gsc_translation *translation,
			   struct gsc_error *err);
enum gsc_status state_useless(const struct tile *tile, struct gsc_error *err, const char *format,
			      ...) __attribute__((format(printf, 3, 4)));

/* ---- surface.c ------------------------------------------------------------------------------- */

/* Why there is nothing at a graphics address: words and status, as from gsc_walk_why(). */
enum gsc_status surface_why(struct gsc_translation *translation, uint64_t address, char *buf,
			    size_t size);

/* ---- file.c ---------------------------------------------------------------------------------- */

/* --width, or as many as fit the pitch. */
enum gsc_status width_choose(struct tile *tile, struct gsc_error *err);

/* ---- check.c --------------------------------------------------------------------------------- */

#define NO_TILED_RESOURCES "this platform has no tiled resources"

bool has_tiled_resources(const struct common *common);
/* The one --fence, decoded, and the surface that it describes. */
enum gsc_status fence_ready(struct tile *tile, struct gsc_error *err);

#endif
