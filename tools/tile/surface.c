/* SPDX-License-Identifier: MIT */
/* gpu-tile --surface and --state: surfaces in the memory of a source, by their graphics address. */
#include "gpu-tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096
#define SWIZZLE_17 (1u << 17)
#define ADDRESS_BITS 48

struct memory {
	struct gsc_translation *translation;
	uint64_t base;			/* of the surface */
	bool bit_17;
};

/* ---- its bytes ------------------------------------------------------------------------------ */

static void unswizzle_17(const struct memory *m, uint64_t address, uint8_t *buf, size_t size)
{
	enum gsc_space space;
	uint64_t physical, length;

	if (m->bit_17 && !gsc_resolve(m->translation, address, &space, &physical, &length))
		gsc_swizzle_17(physical, buf, size);
}

enum gsc_status surface_why(struct gsc_translation *translation, uint64_t address, char *buf,
			    size_t size)
{
	struct gsc_walk walk;

	gsc_walk(translation, address, GSC_INTENT_READ, &walk);
	return gsc_walk_why(translation, &walk, buf, size);
}

/* The first is reported; the others only count if they are worse, until nothing can be. */
static void explain_hole(struct image *image, uint64_t address)
{
	const struct memory *m = image->context;
	char why[sizeof(image->hole_why)];

	if (!image->missing) {
		image->hole_at = address;
		image->hole_status = surface_why(m->translation, address, image->hole_why,
						 sizeof(image->hole_why));
	} else if (image->hole_status != GSC_DENIED) {
		image->hole_status = worse(image->hole_status,
					   surface_why(m->translation, address, why, sizeof(why)));
	}
}

static void hole(struct image *image, uint64_t address, uint8_t *buf, uint8_t *blocks, size_t at,
		 size_t length)
{
	if (!length)
		return;
	explain_hole(image, address);
	memset(buf + at, 0, length);
	memset(blocks + at / TILE_BLOCK, 0, (at + length - 1) / TILE_BLOCK - at / TILE_BLOCK + 1);
	image->missing += length;
}

/* Page by page: a missing one hides no others. */
static size_t read_memory(struct image *image, uint64_t offset, uint8_t *buf, size_t size,
			  uint8_t *blocks)
{
	const struct memory *m = image->context;
	uint64_t address = m->base + offset;

	for (size_t at = 0; at < size;) {
		size_t left = PAGE - (size_t)((address + at) % PAGE);
		size_t part = left < size - at ? left : size - at;
		size_t got = gsc_translated_read(m->translation, address + at, buf + at, part);

		unswizzle_17(m, address + at, buf + at, got);
		hole(image, address + at + got, buf, blocks, at + got, part - got);
		at += part;
	}
	return size;
}

/* ---- what it is ----------------------------------------------------------------------------- */

static void put_number_row(struct gsc_out *out, const char *name, uint64_t number)
{
	gsc_out_format(out, "%-8s %llu", name, (unsigned long long)number);
	gsc_out_end(out);
}

static void put_text_row(struct gsc_out *out, const char *name, const char *text)
{
	gsc_out_format(out, "%-8s %s", name, text);
	gsc_out_end(out);
}

static void put_text(const struct tile *tile, uint64_t there, uint64_t size)
{
	struct gsc_out *out = tile->common.out;
	const struct gsc_surface_state *state = &tile->state;

	gsc_out_format(out, "address  0x%llx", (unsigned long long)tile->surface_at);
	gsc_out_end(out);
	put_text_row(out, "tiling", gsc_tiling_name(tile->surface.tiling));
	put_number_row(out, "width", tile->width);
	put_number_row(out, "height", tile->height);
	if (state->slices > 1)
		put_number_row(out, "slices", state->slices);
	put_number_row(out, "pitch", tile->surface.pitch);
	put_number_row(out, "bpp", tile->surface.bits);
	if (state->samples > 1 || tile->surface.samples > 1) {
		gsc_out_format(out, "samples  %u%s",
			       state->samples ? state->samples : tile->surface.samples,
			       state->side_by_side ? ", side by side" : "");
		gsc_out_end(out);
	}
	if (*state->format)
		put_text_row(out, "format", state->format);
	if (tile->pixels_name)
		put_text_row(out, "pixels", tile->pixels_name);
	if (state->x || state->y) {
		gsc_out_format(out, "first    %llu %llu", (unsigned long long)state->x,
			       (unsigned long long)state->y);
		gsc_out_end(out);
	}
	gsc_out_format(out, "bytes    %llu of %llu are there", (unsigned long long)there,
		       (unsigned long long)size);
	gsc_out_end(out);
}

KEYS(surface, "width and height are of elements, x and y the first one that is shown; format is "
     "that of a surface state; notes say what is not as it looks.")
static void put_json(struct gsc_json *json, const struct tile *tile, uint64_t there, uint64_t size)
{
	const struct gsc_surface_state *state = &tile->state;

	KEY(hex, "address", tile->surface_at);
	KEY(number, "width", tile->width);
	KEY(number, "height", tile->height);
	KEY(number, "slices", state->slices ? state->slices : 1);
	KEY(number, "x", state->x);
	KEY(number, "y", state->y);
	KEY(some_text, "format", state->format);
	KEY(some_text, "pixels", tile->pixels_name);
	KEY(number, "size", size);
	KEY(number, "held", there);
	KEY_EACH(text, "notes", for (size_t i = 0; i < state->note_count; i++), state->notes[i]);
}

/* ---- where it lies -------------------------------------------------------------------------- */

/* The bytes, in whole tiles, from the first one shown on; false: too many to count. */
static bool extent(const struct tile *tile, uint64_t *from, uint64_t *size)
{
	const struct gsc_layout *l = &tile->layout;
	const struct gsc_surface_state *state = &tile->state;
	uint64_t rows, end;

	*from = gsc_layout_bytes(l, state->y - state->y % l->height);
	if (l->depth > 1 || l->surface.samples > l->samples) {
		rows = state->slices ? (state->slices - 1) / l->depth + 1
				     : l->surface.samples / l->samples;
		end = gsc_layout_bytes(l, l->surface.rows);
		return !__builtin_mul_overflow(end, rows, size) && end != UINT64_MAX;
	}
	if (__builtin_mul_overflow(tile->left, state->apart, &rows) ||
	    __builtin_add_overflow(rows, state->y, &rows) ||
	    __builtin_add_overflow(rows, tile->height, &rows))
		return false;
	end = gsc_layout_bytes(l, rows);
	*size = end - *from;
	return end != UINT64_MAX;
}

/* How much of it can be read. */
static uint64_t count_there(struct image *image, uint64_t from, uint64_t size)
{
	uint8_t buf[PAGE], blocks[PAGE / TILE_BLOCK + 1];

	for (uint64_t at = 0; at < size; at += PAGE)
		read_memory(image, from + at, buf, (size_t)(size - at < PAGE ? size - at : PAGE),
			    blocks);
	return size - image->missing;
}

KEYS(surfaces)
static enum gsc_status describe(struct tile *tile, struct image *image, uint64_t from,
				uint64_t size, struct gsc_error *err)
{
	struct gsc_json *json = &tile->json;
	uint64_t there;
	enum gsc_status status = tile_begin(tile, KEY_NAME(array, "surfaces", OF(surface)), err);

	if (status)
		return status;
	there = count_there(image, from, size);
	if (wants_json(&tile->common))
		ITEM(put_json(json, tile, there, size));
	else
		put_text(tile, there, size);
	tile_end(tile);
	status = image_holes(image, size, "", err);
	if (status != GSC_PARTIAL)
		return status;
	complain(&tile->common, status, err->what, err->why);
	*err = (struct gsc_error){ 0 };
	return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

/*
 * Addresses of a display are global; those of a state, whose context is known, are in its tables.
 */
static void choose_space(struct tile *tile)
{
	struct roots *roots = &tile->roots;

	if (roots->mode_name || roots->root || roots->engine ||
	    option_given(&tile->common, "context"))
		return;
	if (option_given(&tile->common, "surface")) {
		roots->mode_name = "ggtt";
		roots->mode = GSC_MODE_GGTT;
	}
}

#define SURFACE_MAX (UINT64_C(4) << 30)	/* bytes */

/* What no surface can be: if a state describes it, that is the state's fault. */
static enum gsc_status impossible(const struct tile *tile, struct gsc_error *err)
{
	char what[sizeof(err->what)], why[sizeof(err->why)];

	if (err->status != GSC_USAGE || !option_given(&tile->common, "state") ||
	    option_given(&tile->common, "bpp"))
		return err->status;
	snprintf(what, sizeof(what), "%s", err->what);
	snprintf(why, sizeof(why), "%s", err->why);
	return state_useless(tile, err, "%.200s: %.300s", what, why);
}

/* In its 48-bit form, and where a tile can begin: skl-vol5 Tiling Modes. */
static enum gsc_status place(struct tile *tile, struct gsc_error *err)
{
	const struct gsc_layout *l = &tile->layout;
	uint64_t high = tile->surface_at >> (ADDRESS_BITS - 1), tile_size;
	char what[40], why[80];

	if (high > 1 && high != UINT64_MAX >> (ADDRESS_BITS - 1))
		snprintf(why, sizeof(why), "bits 63:48 are neither zero nor a copy of bit 47");
	else
		*why = '\0';
	tile->surface_at &= *why ? UINT64_MAX : (UINT64_C(1) << ADDRESS_BITS) - 1;
	tile_size = UINT64_C(1) << (l->surface.tiling ? l->tile_bits : 0);
	if (!*why && tile->surface_at % tile_size)
		snprintf(why, sizeof(why), "%s tiles are aligned to %llu KB",
			 gsc_tiling_name(l->surface.tiling), (unsigned long long)tile_size >> 10);
	if (!*why)
		return GSC_OK;
	snprintf(what, sizeof(what), "0x%llx", (unsigned long long)tile->surface_at);
	return usage_error(err, what, why);
}

static enum gsc_status row_fits(struct tile *tile, struct gsc_error *err)
{
	const struct gsc_surface *s = &tile->surface;
	uint64_t most = s->pitch / (s->bits / 8);

	if (!option_given(&tile->common, "state"))
		return width_choose(tile, err);
	if (tile->state.x < most && tile->width <= most - tile->state.x)
		return GSC_OK;
	if (option_given(&tile->common, "width"))
		return usage_error(err, "--width", "a row would be longer than the pitch");
	return state_useless(tile, err, "its rows of %llu elements are longer than its pitch of "
			     "%llu bytes", (unsigned long long)(tile->state.x + tile->width),
			     (unsigned long long)s->pitch);
}

/* The layout of the surface, and its valid part. */
static enum gsc_status lay_out(struct tile *tile, struct gsc_error *err)
{
	enum gsc_status status = gsc_layout_init(&tile->layout, platform_of(&tile->common),
						 &tile->surface, err);

	if (!status)
		status = place(tile, err);
	return status ? impossible(tile, err) : row_fits(tile, err);
}

/* A format that is known to have no pixels is not taken for one that has. */
static enum gsc_status picture_allowed(const struct tile *tile, struct gsc_error *err)
{
	if (!tile->output || !wants_png(tile) || !*tile->state.format || tile->pixels_name)
		return GSC_OK;
	return state_useless(tile, err, "its format, %s, is not a pixel format: choose one with "
					"--pixels, or write rows with -o FILE",
			     tile->state.format);
}

static enum gsc_status tell_notes(struct tile *tile, enum gsc_status status)
{
	char what[40];

	if (!tile->state.note_count || (status && status != GSC_PARTIAL))
		return status;
	snprintf(what, sizeof(what), "surface state 0x%llx", (unsigned long long)tile->state_at);
	for (size_t i = 0; i < tile->state.note_count; i++)
		complain(&tile->common, GSC_PARTIAL, what, tile->state.notes[i]);
	return GSC_PARTIAL;
}

static enum gsc_status show_surface(struct tile *tile, struct memory *m, struct gsc_error *err)
{
	char name[40];
	uint64_t from, size;
	struct image image = { .tile = tile, .read = read_memory, .context = m, .holes = true,
			       .name = name, .mode = FILE_PRIVATE };
	enum gsc_status status = swizzle_choose(tile, err);

	m->bit_17 = tile->surface.swizzle & SWIZZLE_17;
	tile->surface.swizzle &= ~SWIZZLE_17;
	if (!status)
		status = lay_out(tile, err);
	if (!status)
		status = picture_allowed(tile, err);
	if (status)
		return status;
	if (!extent(tile, &from, &size) || size > SURFACE_MAX)
		return usage_error(err, "--height", "the surface would be over 4 GB");
	m->base = tile->surface_at;
	snprintf(name, sizeof(name), "0x%llx", (unsigned long long)m->base);
	status = tile->output ? image_write(&image, err)
			      : describe(tile, &image, from, size, err);
	return tell_notes(tile, status);
}

/* What surface_options() requires of other surfaces. */
static enum gsc_status state_options(const struct tile *tile, struct gsc_error *err)
{
	const struct common *common = &tile->common;

	if (option_given(common, "height") && !tile->height)
		return usage_error(err, "--height 0", "expected at least one row");
	if (option_given(common, "width") && !tile->width)
		return usage_error(err, "--width 0", "expected at least one element");
	return GSC_OK;
}

enum gsc_status surface_run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	bool state = option_given(common, "state");
	struct memory m = { 0 };
	enum gsc_status status = state ? state_options(tile, err) : surface_options(tile, err);

	if (!status && !state && !tile->height)
		status = usage_error(err, "--height", "needed: the rows of the surface");
	choose_space(tile);
	if (!status)
		status = translation_open(&tile->roots, &m.translation, err);
	if (!status && state)
		status = state_read(tile, m.translation, err);
	if (!status)
		status = show_surface(tile, &m, err);
	gsc_translation_free(m.translation);
	return status;
}
