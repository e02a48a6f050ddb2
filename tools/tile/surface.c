/* SPDX-License-Identifier: MIT */
/*
 * gpu-tile --surface: surfaces in the memory of a source, by their graphics address, or by that of
 * the surface state that describes them.
 */
#include "gpu-tile.h"
#include "out/keys.h"
#include "source/source.h"

#define PAGE 4096
#define SURFACE_MAX (UINT64_C(4) << 30)	/* bytes */

struct memory {
	struct gsc_translation *translation;
	uint64_t base;			/* of the surface */
	bool bit_17;
};

/* ---- its bytes ------------------------------------------------------------------------------ */

/* Why there is nothing at a graphics address: words and status, as from gsc_walk_why(). */
static enum gsc_status why_nothing(struct gsc_translation *translation, uint64_t address, char *buf,
				   size_t size)
{
	struct gsc_walk walk;

	gsc_walk(translation, address, GSC_INTENT_READ, &walk);
	return gsc_walk_why(translation, &walk, buf, size);
}

/* Page by page: a missing one hides no others. */
static size_t read_memory(struct image *image, uint64_t offset, uint8_t *buf, size_t size,
			  uint8_t *blocks)
{
	const struct memory *m = image->context;
	uint64_t address = m->base + offset, physical, length;
	char why[sizeof(image->hole_why)];
	enum gsc_space space;

	for (size_t at = 0; at < size;) {
		size_t left = PAGE - (size_t)((address + at) % PAGE);
		size_t part = left < size - at ? left : size - at;
		size_t got = gsc_translated_read(m->translation, address + at, buf + at, part);

		if (m->bit_17 &&
		    !gsc_resolve(m->translation, address + at, &space, &physical, &length))
			gsc_swizzle_17(physical, buf + at, got);
		/* The first is reported; others only count if they are worse. */
		if (got < part && !image->missing) {
			image->hole_at = address + at + got;
			image->hole_status = why_nothing(m->translation, image->hole_at,
							 image->hole_why, sizeof(why));
		} else if (got < part && image->hole_status != GSC_DENIED) {
			image->hole_status = worse(image->hole_status,
						   why_nothing(m->translation, address + at + got,
							       why, sizeof(why)));
		}
		if (got < part)
			image_hole(image, buf, blocks, at + got, part - got);
		at += part;
	}
	return size;
}

/* ---- what it is ----------------------------------------------------------------------------- */

static void put_text(const struct tile *tile, uint64_t there, uint64_t size)
{
	struct gsc_out *out = tile->common.out;
	const struct gsc_surface_state *state = &tile->state;

	gsc_out_line(out, "address  0x%llx", LL(tile->address));
	gsc_out_line(out, "tiling   %s", gsc_tiling_name(tile->surface.tiling));
	gsc_out_line(out, "width    %llu", LL(tile->width));
	gsc_out_line(out, "height   %llu", LL(tile->height));
	if (state->slices > 1)
		gsc_out_line(out, "slices   %llu", LL(state->slices));
	gsc_out_line(out, "pitch    %llu", LL(tile->surface.pitch));
	gsc_out_line(out, "bpp      %u", tile->surface.bits);
	if (state->samples > 1 || tile->surface.samples > 1)
		gsc_out_line(out, "samples  %u%s",
			     state->samples ? state->samples : tile->surface.samples,
			     state->side_by_side ? ", side by side" : "");
	if (*state->format)
		gsc_out_line(out, "format   %s", state->format);
	if (tile->pixels_name)
		gsc_out_line(out, "pixels   %s", tile->pixels_name);
	if (state->x || state->y)
		gsc_out_line(out, "first    %llu %llu", LL(state->x), LL(state->y));
	gsc_out_line(out, "bytes    %llu of %llu are there", LL(there), LL(size));
}

KEYS(surface, "width and height are of elements, x and y the first one that is shown; format is "
     "that of a surface state; notes say what is not as it looks.")
static void put_json(struct gsc_json *json, const struct tile *tile, uint64_t there, uint64_t size)
{
	const struct gsc_surface_state *state = &tile->state;

	KEY(hex, "address", tile->address);
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

KEYS(surfaces)
static enum gsc_status describe(struct tile *tile, struct image *image, uint64_t from,
				uint64_t size, struct gsc_error *err)
{
	struct gsc_json *json = &tile->json;
	uint8_t buf[PAGE], blocks[PAGE / TILE_BLOCK + 1];
	uint64_t there;
	enum gsc_status status = tile_begin(tile, KEY_NAME(array, "surfaces", OF(surface)), err);

	if (status)
		return status;
	for (uint64_t at = 0; at < size; at += PAGE)
		read_memory(image, from + at, buf, (size_t)MIN(size - at, PAGE), blocks);
	there = size - image->missing;
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

/* ---- what a surface state says ------------------------------------------------------------- */

/* A fault of the state. */
static enum gsc_status __attribute__((format(printf, 3, 4)))
state_useless(const struct tile *tile, struct gsc_error *err, const char *format, ...)
{
	va_list args;

	*err = (struct gsc_error){ .status = GSC_FAILED };
	string_set(err->what, "surface state 0x%llx", LL(tile->state_at));
	va_start(args, format);
	vsnprintf(err->why, sizeof(err->why), format, args);
	va_end(args);
	return GSC_FAILED;
}

/* The format gives the elements; --bpp is for unknown formats, and for pictures of others. */
static enum gsc_status take_format(struct tile *tile, unsigned bits, struct gsc_error *err)
{
	const struct gsc_surface_state *state = &tile->state;
	const char *name = *state->format ? state->format : "unknown";
	const struct gsc_pixel_format *pixels = gsc_pixel_format_by_name(state->format);
	bool given = tile->bpp_text;

	if (!tile->pixels_name && pixels)
		tile->pixels_name = pixels->name;
	if (!state->element.bits) {
		tile->surface.bits = bits;
		return given ? GSC_OK
			     : state_useless(tile, err, "format %s: element size unknown: give "
							"--bpp", name);
	}
	if (given && bits != state->element.bits)
		return usage_error(err, "--bpp", "the surface state's format, %s, has %u bits",
				   name, state->element.bits);
	if (state->element.bits % 8)
		return state_useless(tile, err, "format %s: its elements are smaller than a byte",
				     name);
	return GSC_OK;
}

static enum gsc_status check_choice(const char *what, uint64_t choice, uint64_t count,
				    struct gsc_error *err)
{
	char text[60];

	if (choice < count)
		return GSC_OK;
	string_set(text, "%s %llu", what, LL(choice));
	return usage_error(err, text, "expected 0 to %llu", LL(count) - 1);
}

/* Says where it is; and that a trace has other moments than its last. */
static enum gsc_status no_state(const struct tile *tile, const uint32_t *words, size_t size,
				struct gsc_error *err)
{
	char why[sizeof(err->why)], hint[HINT_SIZE], moment[HINT_SIZE + 120] = "";

	string_set(why, "%s", err->why);
	if (!tile->moment && bytes_are_zero(words, size) &&
	    gsc_source_has(tile->common.source, GSC_SOURCE_AUB))
		string_set(moment, " at the end of the trace; try --surface 0x%llx@N; to list the "
			   "submissions: %s --state", LL(tile->state_at),
			   hint_command(&tile->common, "batch", hint, sizeof(hint)));
	return state_useless(tile, err, "%.300s%s", why, moment);
}

/* The surface, the part of it that is shown and the place, from the surface state there. */
static enum gsc_status state_read(struct tile *tile, struct gsc_translation *translation,
				  struct gsc_error *err)
{
	struct gsc_surface_state *state = &tile->state;
	uint32_t words[GSC_SURFACE_STATE_MAX / 4];
	unsigned step = 0, bits = tile->surface.bits;
	size_t size = gsc_surface_state_size(view_of(&tile->common), &step);
	char what[40], why[sizeof(err->why)];
	enum gsc_status status;
	uint64_t layer;

	if (tile->samples || option_given(&tile->common, "pitch") || tile->depth)
		return usage_error(err, "--surface", "without -f a surface state says what its "
						     "pitch, samples and depth are");
	if (!size || size > sizeof(words))
		return usage_error(err, "--surface", "this platform has no surface state: give -f");
	tile->state_at = tile->address;
	string_set(what, "0x%llx", LL(tile->state_at));
	if (tile->state_at % step)
		return usage_error(err, what, "surface states are aligned to %u bytes", step);
	if (gsc_translated_read(translation, tile->state_at, words, size) < size) {
		status = why_nothing(translation, tile->state_at, why, sizeof(why));
		return err_set(err, status, what, "%s", why);
	}
	if (gsc_surface_of_state(view_of(&tile->common), words, size / 4, state, err))
		return no_state(tile, words, size, err);
	tile->surface = state->surface;
	tile->address = state->base;
	status = take_format(tile, bits, err);
	if (status)
		return status;
	if (!tile->width)
		tile->width = state->width;
	if (!tile->height)
		tile->height = state->height;
	tile->surface.rows = MAX(state->apart, tile->height);
	/* Slices, and samples stored as slices, are rows further down. */
	if (check_choice("--samples: sample", tile->sample, state->samples, err) ||
	    check_choice("--size: slice", tile->slice, state->slices, err))
		return err->status;
	if (tile->sample && state->side_by_side)
		return usage_error(err, "--samples", "the samples are side by side: all are shown");
	if (tile->surface.dimensions > 2)
		return GSC_OK;
	layer = tile->slice * state->layers + tile->sample / tile->surface.samples;
	if (layer && !state->apart)
		return usage_error(err, tile->slice ? "--size" : "--samples", "the surface state "
				   "does not say how far apart slices and samples are");
	state->y += (state->first * state->layers + layer) * state->apart;
	tile->left = state->slices * state->layers - layer - 1;
	tile->slice = 0;
	tile->sample %= tile->surface.samples;
	return GSC_OK;
}

/* ---- the command ---------------------------------------------------------------------------- */

/*
 * The layout of the surface, and its place, where a tile can begin (skl-vol5 Tiling Modes). What no
 * surface can be is a state's fault.
 */
static enum gsc_status lay_out(struct tile *tile, bool state, struct gsc_error *err)
{
	const struct gsc_layout *l = &tile->layout;
	const struct gsc_surface *s = &tile->surface;
	enum gsc_status status = gsc_layout_init(&tile->layout, platform_of(&tile->common), s, err);
	uint64_t step = status || !l->surface.tiling ? 1 : UINT64_C(1) << l->tile_bits, most;
	bool whole = status || address_short(&tile->address);
	struct gsc_error bad;
	char what[40];

	string_set(what, "0x%llx", LL(tile->address));
	if (!whole)
		status = usage_error(err, what, NO_HIGH_BITS);
	else if (!status && tile->address % step)
		status = usage_error(err, what, "%s tiles are aligned to %llu KB",
				     gsc_tiling_name(l->surface.tiling), LL(step >> 10));
	if (status && (status != GSC_USAGE || !state || tile->bpp_text))
		return status;
	bad = *err;
	if (status)
		return state_useless(tile, err, "%.200s: %.300s", bad.what, bad.why);
	if (!state)
		return width_choose(tile, err);
	most = s->pitch / (s->bits / 8);
	if (tile->state.x < most && tile->width <= most - tile->state.x)
		return GSC_OK;
	if (tile->width != tile->state.width)
		return usage_error(err, "--size", "a row would be longer than the pitch");
	return state_useless(tile, err, "its rows of %llu elements are longer than its pitch of "
			     "%llu bytes", LL(tile->state.x + tile->width), LL(s->pitch));
}

static enum gsc_status show_surface(struct tile *tile, struct memory *m, bool state,
				    struct gsc_error *err)
{
	char name[40];
	uint64_t from, size;
	struct image image = { .tile = tile, .read = read_memory, .context = m, .holes = true,
			       .name = name, .mode = FILE_PRIVATE };
	enum gsc_status status = swizzle_choose(tile, err);

	m->bit_17 = tile->surface.swizzle & SWIZZLE_17;
	tile->surface.swizzle &= ~SWIZZLE_17;
	if (!status)
		status = lay_out(tile, state, err);
	if (status)
		return status;
	/* A format that is known to have no pixels is not taken for one that has. */
	if (tile->output && wants_png(tile) && *tile->state.format && !tile->pixels_name)
		return state_useless(tile, err, "its format, %s, is not a pixel format: choose "
						"one with --bpp, or write rows with -o FILE",
				     tile->state.format);
	if (!extent(tile, &from, &size) || size > SURFACE_MAX)
		return usage_error(err, "--size", "the surface would be over 4 GB");
	m->base = tile->address;
	string_set(name, "0x%llx", LL(m->base));
	status = tile->output ? image_write(&image, err) : describe(tile, &image, from, size, err);
	if (!tile->state.note_count || (status && status != GSC_PARTIAL))
		return status;
	string_set(name, "surface state 0x%llx", LL(tile->state_at));
	for (size_t i = 0; i < tile->state.note_count; i++)
		complain(&tile->common, GSC_PARTIAL, name, tile->state.notes[i]);
	return GSC_PARTIAL;
}

/* Addresses of a display are global; those of a state are in the tables of the context. */
enum gsc_status surface_run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	bool state = !*tile->tiling_name;
	struct roots *roots = &tile->roots;
	struct memory m = { 0 };
	enum gsc_status status = state ? GSC_OK : surface_options(tile, err);

	if (!status && !state && !tile->height)
		status = usage_error(err, "--size", "needed: the rows of the surface, xROWS");
	if (!state && !roots->mode_name && !roots->engine && !roots->place.name) {
		roots->mode_name = "ggtt";
		roots->mode = GSC_MODE_GGTT;
	}
	if (!status)
		status = translation_open(roots, &m.translation, err);
	if (!status && state)
		status = state_read(tile, m.translation, err);
	if (!status)
		status = show_surface(tile, &m, state, err);
	gsc_translation_free(m.translation);
	return status;
}
