/* SPDX-License-Identifier: MIT */
/* gpu-tile --state: the surface, place and slice that a surface state describes. */
#include "gpu-tile.h"
#include "tile/tile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum gsc_status state_useless(const struct tile *tile, struct gsc_error *err, const char *format,
			      ...)
{
	va_list args;

	*err = (struct gsc_error){ .status = GSC_FAILED };
	snprintf(err->what, sizeof(err->what), "surface state 0x%llx",
		 (unsigned long long)tile->state_at);
	va_start(args, format);
	vsnprintf(err->why, sizeof(err->why), format, args);
	va_end(args);
	return GSC_FAILED;
}

/* ---- what is asked of it -------------------------------------------------------------------- */

/* The format gives the elements; --bpp is for unknown formats. */
static enum gsc_status take_format(struct tile *tile, struct gsc_error *err)
{
	const struct gsc_surface_state *state = &tile->state;
	const char *name = *state->format ? state->format : "unknown";
	const struct gsc_pixel_format *pixels = gsc_pixel_format_by_name(state->format);
	bool given = option_given(&tile->common, "bpp");
	char why[160];

	if (!tile->pixels_name && pixels)
		tile->pixels_name = pixels->name;
	if (!state->element.bits) {
		tile->surface.bits = tile_narrow(tile->bpp);
		return given ? GSC_OK
			     : state_useless(tile, err, "format %s: element size unknown: give "
							"--bpp", name);
	}
	if (given && tile->bpp != state->element.bits) {
		snprintf(why, sizeof(why), "the surface state's format, %s, has %u bits", name,
			 state->element.bits);
		return usage_error(err, "--bpp", why);
	}
	if (state->element.bits % 8)
		return state_useless(tile, err, "format %s: its elements are smaller than a byte",
				     name);
	return GSC_OK;
}

static void take_size(struct tile *tile)
{
	const struct gsc_surface_state *state = &tile->state;

	if (!option_given(&tile->common, "width"))
		tile->width = state->width;
	if (!option_given(&tile->common, "height"))
		tile->height = state->height;
	tile->surface.rows = state->apart > tile->height ? state->apart : tile->height;
}

static enum gsc_status check_choice(const char *option, uint64_t choice, uint64_t count,
				    struct gsc_error *err)
{
	char what[40], why[80];

	if (choice < count)
		return GSC_OK;
	snprintf(what, sizeof(what), "--%s %llu", option, (unsigned long long)choice);
	snprintf(why, sizeof(why), "expected 0 to %llu", (unsigned long long)count - 1);
	return usage_error(err, what, why);
}

/* Slices, and samples stored as slices, are rows further down. */
static enum gsc_status take_slices(struct tile *tile, struct gsc_error *err)
{
	struct gsc_surface_state *state = &tile->state;
	uint64_t layer = tile->slice * state->layers + tile->sample / tile->surface.samples;

	if (layer && !state->apart)
		return usage_error(err, tile->slice ? "--slice" : "--sample",
				   "the surface state does not say how far apart they are");
	state->y += (state->first * state->layers + layer) * state->apart;
	tile->left = state->slices * state->layers - layer - 1;
	tile->slice = 0;
	tile->sample %= tile->surface.samples;
	return GSC_OK;
}

/* About what was requested and what there is. */
static enum gsc_status choose_slice(struct tile *tile, struct gsc_error *err)
{
	const struct gsc_surface_state *state = &tile->state;

	if (check_choice("sample", tile->sample, state->samples, err) ||
	    check_choice("slice", tile->slice, state->slices, err))
		return err->status;
	if (tile->sample && state->side_by_side)
		return usage_error(err, "--sample", "the samples are side by side: all are shown");
	return tile->surface.dimensions < 3 ? take_slices(tile, err) : GSC_OK;
}

static enum gsc_status take_state(struct tile *tile, struct gsc_error *err)
{
	enum gsc_status status;

	tile->surface = tile->state.surface;
	tile->surface_at = tile->state.base;
	status = take_format(tile, err);
	if (status)
		return status;
	take_size(tile);
	return choose_slice(tile, err);
}

/* ---- its place ------------------------------------------------------------------------------ */

static enum gsc_status check_aligned(const struct tile *tile, unsigned step, struct gsc_error *err)
{
	char what[40], why[80];

	if (!(tile->state_at % step))
		return GSC_OK;
	snprintf(what, sizeof(what), "--state 0x%llx", (unsigned long long)tile->state_at);
	snprintf(why, sizeof(why), "surface states are aligned to %u bytes", step);
	return usage_error(err, what, why);
}

/* Says where it is; and that a trace has other moments than its last. */
static enum gsc_status no_state(const struct tile *tile, const uint32_t *words, size_t size,
				struct gsc_error *err)
{
	static const uint32_t zero[GSC_SURFACE_STATE_MAX / 4];
	char why[sizeof(err->why)], hint[HINT_SIZE], moment[HINT_SIZE + 120] = "";
	bool end = !tile->moment && !memcmp(words, zero, size) &&
		   gsc_source_has(tile->common.source, GSC_SOURCE_AUB);

	snprintf(why, sizeof(why), "%s", err->why);
	if (end)
		snprintf(moment, sizeof(moment), " at the end of the trace; try --submission N; "
						 "to list the submissions: %s --state",
			 hint_command(&tile->common, "batch", hint, sizeof(hint)));
	return state_useless(tile, err, "%.300s%s", why, moment);
}

enum gsc_status state_read(struct tile *tile, struct gsc_translation *translation,
			   struct gsc_error *err)
{
	uint32_t words[GSC_SURFACE_STATE_MAX / 4];
	unsigned step = 0;
	size_t size = gsc_surface_state_size(view_of(&tile->common), &step);
	enum gsc_status status;

	if (!size || size > sizeof(words))
		return usage_error(err, "--state", "this platform has no surface state");
	if (check_aligned(tile, step, err))
		return err->status;
	if (gsc_translated_read(translation, tile->state_at, words, size) < size) {
		*err = (struct gsc_error){ 0 };
		snprintf(err->what, sizeof(err->what), "0x%llx",
			 (unsigned long long)tile->state_at);
		err->status = surface_why(translation, tile->state_at, err->why,
					  sizeof(err->why));
		return err->status;
	}
	status = gsc_surface_of_state(view_of(&tile->common), words, size / 4, &tile->state, err);
	return status ? no_state(tile, words, size, err) : take_state(tile, err);
}
