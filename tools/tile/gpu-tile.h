/* SPDX-License-Identifier: MIT */
/*
 * gpu-tile: its options, and what its modes share. tile.c reads the options and begins the output;
 * then points.c answers about numbers, surface.c shows what is in the memory of a source, image.c
 * writes rows, pictures and tiles, check.c applies the rules, auxiliary.c is about compression.
 */
#ifndef TILE_H
#define TILE_H

#include "cli/roots.h"
#include "formats/contents.h"
#include "tile/tile.h"

struct image;

struct tile {
	struct common common;

	/* As given. */
	const char *tiling_text, *bpp_text, *samples_text, *size_text, *surface_text, *aux_text;
	const char *output;
	uint64_t pitch;
	struct strings fences;
	unsigned client;
	bool to_points, retile;

	/* What these say; 0, "" or NULL if nothing. */
	char tiling_name[40];
	const char *swizzle_name, *pixels_name;
	uint64_t width, height, depth, slice, samples, sample;
	struct roots roots;		/* how addresses are translated */
	char place[120];		/* holds their words */
	bool has_address, has_submission;
	uint64_t address, submission;

	/* Derived from that. */
	struct gsc_surface surface;
	struct gsc_layout layout;
	struct gsc_surface_state state;	/* if one describes it; x, y: of what is shown */
	uint64_t state_at;
	uint64_t left;			/* slices of memory after the first that is shown */
	struct gsc_gpu *moment;		/* of a submission, or NULL */
	struct gsc_submission submitted;
	struct gsc_fence *fence;	/* as many as in `fences` */
	const struct gsc_pixel_format *pixels;
	uint32_t swizzle;		/* all of it; the surface may not know about bit 17 */
	char swizzle_why[160];
	struct image *image;		/* being made */
	size_t findings;		/* of --check */
	struct gsc_json json;
};

#define TILE_SCHEMA "gpuscope.tile/1"
#define SWIZZLE_17 (1u << 17)
#define ADDRESS_BITS 48
#define NO_HIGH_BITS "bits 63:48 are neither zero nor a copy of bit 47"

/* The modes; each is a run_fn. */
run_fn points_run, tile_file_run, surface_run, tile_check_run, aux_run, aux_table_run;

/* ---- tile.c ---------------------------------------------------------------------------------- */

/* As it was at the submission, otherwise as it is. */
static inline const struct gsc_gpu *tile_gpu(const struct tile *tile)
{
	return tile->moment ? tile->moment : tile->common.gpu;
}

/* The surface by -f and its like; a surface state describes its own. */
enum gsc_status surface_options(struct tile *tile, struct gsc_error *err);
/* A source knows more than the options about how it is swizzled. */
enum gsc_status swizzle_choose(struct tile *tile, struct gsc_error *err);
/* As many elements in a row as fit the pitch, unless --size says how many. */
enum gsc_status width_choose(struct tile *tile, struct gsc_error *err);
/* For a file that goes to -o: whether it should be a PNG. */
bool wants_png(const struct tile *tile);
/* An address in its 48-bit form; false: it has none. */
bool address_short(uint64_t *address);

/* Everything known about the surface: the first lines of text, the head of JSON. */
enum gsc_status tile_begin(struct tile *tile, const char *list, struct gsc_error *err);
void tile_end(struct tile *tile);
/* About the chosen submission: a line of text, a key of JSON. */
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

#define BAND_MAX (UINT64_C(256) << 20)	/* bytes of a row of tiles */

/* Slices of tiles before the requested ones. */
uint64_t slices_before(const struct tile *tile);
/* The surface has the requested slice and sample; else *err says why not. */
bool slice_fits(const struct tile *tile, struct gsc_error *err);
/* Writes a surface as rows or as a picture to where -o says. */
enum gsc_status image_write(struct image *image, struct gsc_error *err);
/* Zeros in place of bytes that do not exist. */
void image_hole(struct image *image, uint8_t *buf, uint8_t *blocks, size_t at, size_t length);
/*
 * What is missing of this many bytes: GSC_PARTIAL; if all is, the worst. `instead`: what is there.
 */
enum gsc_status image_holes(const struct image *image, uint64_t size, const char *instead,
			    struct gsc_error *err);

/* ---- check.c --------------------------------------------------------------------------------- */

#define NO_TILED_RESOURCES "this platform has no tiled resources"

bool has_tiled_resources(const struct common *common);
/* The one --fence, decoded, and the surface that it describes. */
enum gsc_status fence_ready(struct tile *tile, struct gsc_error *err);

#endif
