/* SPDX-License-Identifier: MIT */
/* gpu-tile --state: what a surface state says, of which generation it may be. */
#include "tile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STATE_MAX 64			/* bytes of a surface state */

struct state {
	uint32_t words[STATE_MAX / 4];
	size_t count;
	char format[64], type[32], aux[32];
	uint64_t tiled, walk, mode, resource, samples, storage;
	uint64_t base, width, height, pitch, depth, apart, element, x, y;
	uint64_t level, stride, mcs, memory;
};

/* ---- what is wrong with it ------------------------------------------------------------------ */

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

static void note(struct part *part, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(struct part *part, const char *format, ...)
{
	va_list args;

	if (part->note_count == ARRAY_SIZE(part->notes))
		return;
	va_start(args, format);
	vsnprintf(part->notes[part->note_count++], sizeof(*part->notes), format, args);
	va_end(args);
}

/* ---- its fields ----------------------------------------------------------------------------- */

static bool find_structure(const struct common *common, struct gsc_item *item)
{
	for (size_t i = 0; gsc_item_at(common->db, GSC_STRUCTURE, i, item); i++)
		if (!strcmp(item->name, "RENDER_SURFACE_STATE") &&
		    item->platforms >> common->platform.index & 1)
			return true;
	return false;
}

static void take_number(struct state *s, const struct gsc_field *f)
{
	const struct {
		const char *name;
		uint64_t *value;
		unsigned add;
	} numbers[] = {
		{ "TILED_SURFACE", &s->tiled, 0 },
		{ "TILE_WALK", &s->walk, 0 },
		{ "TILE_MODE", &s->mode, 0 },
		{ "TILED_RESOURCE_MODE", &s->resource, 0 },
		{ "NUMBER_OF_MULTISAMPLES", &s->samples, 0 },
		{ "MULTISAMPLED_SURFACE_STORAGE_FORMAT", &s->storage, 0 },
		{ "SURFACE_BASE_ADDRESS", &s->base, 0 },
		{ "WIDTH", &s->width, 1 },
		{ "HEIGHT", &s->height, 1 },
		{ "DEPTH", &s->depth, 1 },
		{ "SURFACE_PITCH", &s->pitch, 1 },
		{ "SURFACE_QPITCH", &s->apart, 0 },
		{ "MINIMUM_ARRAY_ELEMENT", &s->element, 0 },
		{ "X_OFFSET", &s->x, 0 },
		{ "Y_OFFSET", &s->y, 0 },
		{ "SURFACE_MIN_LOD", &s->level, 0 },
		{ "VERTICAL_LINE_STRIDE", &s->stride, 0 },
		{ "MCS_ENABLE", &s->mcs, 0 },
		{ "MEMORY_COMPRESSION_ENABLE", &s->memory, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!strcmp(f->name, numbers[i].name))
			*numbers[i].value = f->value + numbers[i].add;
}

static void take_text(struct state *s, const struct gsc_field *f)
{
	if (!strcmp(f->name, "SURFACE_FORMAT"))
		snprintf(s->format, sizeof(s->format), "%s", f->text);
	else if (!strcmp(f->name, "SURFACE_TYPE"))
		snprintf(s->type, sizeof(s->type), "%s", f->text);
	else if (!strcmp(f->name, "AUXILIARY_SURFACE_MODE"))
		snprintf(s->aux, sizeof(s->aux), "%s", f->text);
}

static void take_fields(const struct common *common, const struct gsc_item *item, struct state *s)
{
	struct gsc_field_iter it;
	struct gsc_field f;

	gsc_item_fields(common->db, common->view, item, s->words, s->count, &it);
	while (gsc_field_next(&it, &f)) {
		take_number(s, &f);
		if (f.text)
			take_text(s, &f);
	}
}

static bool is_type(const struct state *s, const char *type)
{
	return !strncmp(s->type, "SURFTYPE_", 9) && !strcmp(s->type + 9, type);
}

/* ---- what they mean ------------------------------------------------------------------------- */

/*
 * Before Gen8 a flag and a walk, then a mode; since Gen12.5 the modes mean other tiles. In mode Y
 * the resource mode makes them Yf or Ys.
 */
static enum gsc_tiling state_tiling(const struct common *common, const struct state *s)
{
	static const enum gsc_tiling modes[] = { GSC_TILING_LINEAR, GSC_TILING_W, GSC_TILING_X,
						 GSC_TILING_Y };
	static const enum gsc_tiling later[] = { GSC_TILING_LINEAR, GSC_TILING_64, GSC_TILING_X,
						 GSC_TILING_4 };
	static const enum gsc_tiling resource[] = { GSC_TILING_Y, GSC_TILING_YF, GSC_TILING_YS,
						    GSC_TILING_Y };
	enum gsc_tiling tiling;

	if (common->platform.graphics < 800)
		return !s->tiled ? GSC_TILING_LINEAR : s->walk ? GSC_TILING_Y : GSC_TILING_X;
	if (common->platform.graphics >= 1255)
		return later[s->mode & 3];
	tiling = modes[s->mode & 3];
	return tiling == GSC_TILING_Y ? resource[s->resource & 3] : tiling;
}

/* Elements are told by the format; --bpp is for those that nobody knows. */
static enum gsc_status take_format(struct tile *tile, const struct state *s,
				   struct gsc_format *format, struct gsc_error *err)
{
	const char *name = *s->format ? s->format : "unknown";
	char why[160];
	bool given = option_given(&tile->common, "bpp");

	if (!gsc_format_by_name(name, format)) {
		*format = (struct gsc_format){ .bits = tile_narrow(tile->bpp), .width = 1,
					       .height = 1 };
		return given ? GSC_OK
			     : state_useless(tile, err, "format %s: how many bits are its "
					     "elements? give --bpp", name);
	}
	if (given && tile->bpp != format->bits) {
		snprintf(why, sizeof(why), "the surface state's format, %s, has %u", name,
			 format->bits);
		return usage_error(err, "--bpp", why);
	}
	if (format->bits % 8)
		return state_useless(tile, err, "format %s: its elements are less than a byte",
				     name);
	return GSC_OK;
}

/* isl_get_interleaved_msaa_px_size_sa(): elements that the samples of a pixel make. */
static void spread_samples(unsigned samples, uint64_t *width, uint64_t *height)
{
	unsigned log = (unsigned)__builtin_ctz(samples);

	*width = (*width + 1) / 2 * 2 << (log + 1) / 2;
	*height = (*height + 1) / 2 * 2 << log / 2;
}

/* Samples that a tile holds: isl_tiling_get_info(); Tile64 before Xe2 has no more than four. */
static unsigned samples_in_tile(const struct tile *tile)
{
	enum gsc_tiling tiling = tile->surface.tiling;
	unsigned samples = tile->part.samples;

	if (tile->part.side_by_side || (tiling != GSC_TILING_YS && tiling != GSC_TILING_64))
		return 1;
	return tiling == GSC_TILING_64 && tile->common.platform.graphics < 2000 && samples > 4
		       ? 4
		       : samples;
}

/* Snb stores them side by side, later ones where it is said (MSFMT_DEPTH_STENCIL). */
static void take_samples(struct tile *tile, const struct state *s)
{
	struct part *part = &tile->part;

	part->samples = 1u << s->samples;
	part->side_by_side = part->samples > 1 &&
			     (s->storage || tile->common.platform.graphics < 700);
	tile->surface.samples = samples_in_tile(tile);
	part->layers = part->side_by_side ? 1 : part->samples / tile->surface.samples;
}

/*
 * isl_get_qpitch(): in units of four rows; of pixels on Gen8, of elements later. Before, and with
 * depth or one dimension before Gen9, slices lie as their sizes and levels make it.
 */
static uint64_t rows_apart(const struct tile *tile, const struct state *s,
			   const struct gsc_format *format)
{
	unsigned graphics = tile->common.platform.graphics;

	if (graphics < 800 || (graphics < 900 && is_type(s, "3D")) || is_type(s, "1D"))
		return 0;
	return s->apart * 4 / (graphics < 900 ? format->height : 1);
}

static void take_size(struct tile *tile, const struct state *s, const struct gsc_format *format)
{
	struct part *part = &tile->part;
	uint64_t width = (s->width + format->width - 1) / format->width;
	uint64_t height = (s->height + format->height - 1) / format->height;
	unsigned row = tile->common.platform.graphics >= 800 ? 4 : 2;

	if (part->side_by_side)
		spread_samples(part->samples, &width, &height);
	tile->width = option_given(&tile->common, "width") ? tile->width : width;
	tile->height = option_given(&tile->common, "height") ? tile->height : height;
	part->x = s->x * 4 / format->width;	/* units: isl_surface_state.c, x_div, y_div */
	part->y = s->y * row / format->height;
	part->slices = s->depth ? s->depth * (is_type(s, "CUBE") ? 6 : 1) : 1;
	part->apart = rows_apart(tile, s, format);
	tile->surface.rows = part->apart > tile->height ? part->apart : tile->height;
}

/* What the picture does not heed. */
static void take_notes(struct tile *tile, const struct state *s)
{
	struct part *part = &tile->part;

	if (s->level)
		note(part, "level 0 is what is shown, not SURFACE_MIN_LOD %llu, where it begins",
		     (unsigned long long)s->level);
	if (s->stride)
		note(part, "VERTICAL_LINE_STRIDE is not applied: all rows are shown, not every "
			   "other one");
	if (*s->aux && strcmp(s->aux, "AUX_NONE") && strcmp(s->aux, "AUX_APPEND"))
		note(part, "its %s may have compressed or cleared it: shown is what lies in "
			   "memory", s->aux);
	else if (s->mcs || s->memory)
		note(part, "%s is set, it may be compressed: shown is what lies in memory",
		     s->mcs ? "MCS_ENABLE" : "MEMORY_COMPRESSION_ENABLE");
}

static enum gsc_status check_choice(const char *option, uint64_t choice, uint64_t count,
				    struct gsc_error *err)
{
	char what[40], why[80];

	if (choice < count)
		return GSC_OK;
	snprintf(what, sizeof(what), "--%s %llu", option, (unsigned long long)choice);
	snprintf(why, sizeof(why), "%ss count from 0 to %llu", option,
		 (unsigned long long)count - 1);
	return usage_error(err, what, why);
}

/* Slices, and samples that are such, lie rows further down. */
static enum gsc_status take_slices(struct tile *tile, const struct state *s,
				   struct gsc_error *err)
{
	struct part *part = &tile->part;
	uint64_t layer = tile->slice * part->layers + tile->sample / tile->surface.samples;

	if (layer && !part->apart)
		return usage_error(err, tile->slice ? "--slice" : "--sample",
				   "the surface state does not say how far apart they lie");
	if (s->element && !part->apart)
		note(part, "MINIMUM_ARRAY_ELEMENT %llu is not applied: the state does not say how "
			   "far apart slices lie", (unsigned long long)s->element);
	part->y += (s->element * part->layers + layer) * part->apart;
	part->left = part->slices * part->layers - layer - 1;
	tile->slice = 0;
	tile->sample %= tile->surface.samples;
	return GSC_OK;
}

/* Of what is asked for and what there is. */
static enum gsc_status choose_slice(struct tile *tile, const struct state *s,
				    struct gsc_error *err)
{
	struct part *part = &tile->part;

	if (check_choice("sample", tile->sample, part->samples, err) ||
	    check_choice("slice", tile->slice, part->slices, err))
		return err->status;
	if (tile->sample && part->side_by_side)
		return usage_error(err, "--sample", "samples lie side by side here, and are all "
				   "shown");
	if (tile->surface.dimensions < 3)
		return take_slices(tile, s, err);
	if (s->element)
		note(part, "MINIMUM_ARRAY_ELEMENT %llu is not applied: slices count from the first",
		     (unsigned long long)s->element);
	return GSC_OK;
}

static enum gsc_status take_surface(struct tile *tile, const struct state *s,
				    struct gsc_error *err)
{
	struct gsc_surface *surface = &tile->surface;
	struct gsc_format format;
	enum gsc_status status;
	const struct gsc_pixel_format *pixels = gsc_pixel_format_by_name(s->format);

	if (!is_type(s, "1D") && !is_type(s, "2D") && !is_type(s, "3D") && !is_type(s, "CUBE"))
		return strncmp(s->type, "SURFTYPE_", 9)
			       ? state_useless(tile, err, "its type is none that is documented")
			       : state_useless(tile, err, "its type is %s, which has no rows",
					       s->type);
	if (s->samples > 4)
		return state_useless(tile, err, "%u samples: expected 1, 2, 4, 8 or 16",
				     1u << (s->samples & 7));
	status = take_format(tile, s, &format, err);
	if (status)
		return status;
	surface->tiling = state_tiling(&tile->common, s);
	surface->bits = format.bits;
	surface->dimensions = is_type(s, "3D") && (surface->tiling == GSC_TILING_YF ||
						   surface->tiling == GSC_TILING_YS ||
						   surface->tiling == GSC_TILING_64) ? 3 : 2;
	/* Broadwell and later: the pitch of stencil is that of two rows side by side. */
	surface->pitch = surface->tiling == GSC_TILING_W ? s->pitch / 2 : s->pitch;
	tile->surface_at = s->base;
	snprintf(tile->part.format, sizeof(tile->part.format), "%s", s->format);
	if (!tile->pixels_name && pixels)
		tile->pixels_name = pixels->name;
	take_samples(tile, s);
	take_size(tile, s, &format);
	take_notes(tile, s);
	return choose_slice(tile, s, err);
}

/* ---- its place ------------------------------------------------------------------------------ */

/* SURFACE_STATE_POINTER has bits 31:5, since Gen8 31:6: as many bytes as one takes, in powers. */
static enum gsc_status check_aligned(const struct tile *tile, size_t size, struct gsc_error *err)
{
	unsigned step = size > 32 ? 64 : 32;
	char what[40], why[80];

	if (!(tile->state_at % step))
		return GSC_OK;
	snprintf(what, sizeof(what), "--state 0x%llx", (unsigned long long)tile->state_at);
	snprintf(why, sizeof(why), "surface states lie at multiples of %u bytes", step);
	return usage_error(err, what, why);
}

static enum gsc_status no_state(const struct tile *tile, struct gsc_error *err)
{
	const struct gsc_source *source = tile->common.source;

	for (size_t i = 0; i < gsc_source_count(source); i++)
		if (!strcmp(gsc_source_kind(source, i), "AUB trace"))
			return state_useless(tile, err, "all zero: no surface state is there at "
					     "the end of the trace, which is what is read; "
					     "gpu-batch --state shows those of its submissions");
	return state_useless(tile, err, "all zero: no surface state is there");
}

enum gsc_status state_read(struct tile *tile, struct gsc_translation *translation,
			   struct gsc_error *err)
{
	static const uint32_t zero[STATE_MAX / 4];
	struct common *common = &tile->common;
	struct state s = { 0 };
	struct gsc_item item;
	size_t size;

	if (!find_structure(common, &item))
		return usage_error(err, "--state", "this platform has no surface state");
	size = item.bits / 8 < STATE_MAX ? item.bits / 8 : STATE_MAX;
	s.count = size / 4;
	if (check_aligned(tile, size, err))
		return err->status;
	if (gsc_translated_read(translation, tile->state_at, s.words, size) < size) {
		*err = (struct gsc_error){ .status = GSC_UNKNOWN };
		snprintf(err->what, sizeof(err->what), "0x%llx",
			 (unsigned long long)tile->state_at);
		surface_why(translation, tile->state_at, err->why, sizeof(err->why));
		return GSC_UNKNOWN;
	}
	if (!memcmp(s.words, zero, size))
		return no_state(tile, err);
	take_fields(common, &item, &s);
	return take_surface(tile, &s, err);
}
