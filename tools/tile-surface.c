/* SPDX-License-Identifier: MIT */
/* gpu-tile --surface and --state: surfaces in the memory of a source, by their graphics address. */
#include "tile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096
#define SWIZZLE_17 (1u << 17)
#define STATE_MAX 64			/* bytes of a surface state */

struct memory {
	struct gsc_translation *translation;
	uint64_t base;			/* of the surface */
	bool bit_17;
};

/* ---- its bytes ------------------------------------------------------------------------------ */

/* Halves of 128 bytes change places in a page whose physical address has bit 17 set. */
static void unswizzle_17(const struct memory *m, uint64_t address, uint8_t *buf, size_t size)
{
	enum gsc_space space;
	uint64_t physical, length;
	uint8_t half[64];

	if (!m->bit_17 || gsc_resolve(m->translation, address, &space, &physical, &length) ||
	    !(physical >> 17 & 1))
		return;
	for (size_t at = 0; at + 128 <= size; at += 128) {
		memcpy(half, buf + at, sizeof(half));
		memcpy(buf + at, buf + at + 64, sizeof(half));
		memcpy(buf + at + 64, half, sizeof(half));
	}
}

static void hole(struct image *image, uint8_t *buf, uint8_t *blocks, size_t at, size_t length)
{
	if (!length)
		return;
	memset(buf + at, 0, length);
	memset(blocks + at / TILE_BLOCK, 0, (at + length - 1) / TILE_BLOCK - at / TILE_BLOCK + 1);
	image->missing += length;
}

/* Page by page: one that is not there hides none of the others. */
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
		hole(image, buf, blocks, at + got, part - got);
		at += part;
	}
	return size;
}

/* ---- surface state -------------------------------------------------------------------------- */

struct state {
	uint32_t words[STATE_MAX / 4];
	size_t count;
	char format[64], type[32];
	uint64_t tiled, walk, mode, resource, samples;
	uint64_t base, width, height, pitch;
};

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
		{ "SURFACE_BASE_ADDRESS", &s->base, 0 },
		{ "WIDTH", &s->width, 1 },
		{ "HEIGHT", &s->height, 1 },
		{ "SURFACE_PITCH", &s->pitch, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!strcmp(f->name, numbers[i].name))
			*numbers[i].value = f->value + numbers[i].add;
}

static void take_fields(const struct common *common, const struct gsc_item *item, struct state *s)
{
	struct gsc_field_iter it;
	struct gsc_field f;

	gsc_item_fields(common->db, common->view, item, s->words, s->count, &it);
	while (gsc_field_next(&it, &f)) {
		take_number(s, &f);
		if (f.text && !strcmp(f.name, "SURFACE_FORMAT"))
			snprintf(s->format, sizeof(s->format), "%s", f.text);
		if (f.text && !strcmp(f.name, "SURFACE_TYPE"))
			snprintf(s->type, sizeof(s->type), "%s", f.text);
	}
}

/* The numbers in "R32G32B32A32_FLOAT" up to the first line below; 0 for what is packed. */
static unsigned format_bits(const char *format)
{
	unsigned bits = 0;

	if (!strncmp(format, "BC", 2) || !strncmp(format, "ETC", 3) || !strncmp(format, "EAC", 3))
		return 0;
	while (*format && *format != '_') {
		if (isdigit((unsigned char)*format))
			bits += (unsigned)strtoul(format, (char **)&format, 10);
		else
			format++;
	}
	return bits;
}

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

static enum gsc_status state_useless(const struct tile *tile, const char *why,
				     struct gsc_error *err)
{
	*err = (struct gsc_error){ .status = GSC_FAILED };
	snprintf(err->what, sizeof(err->what), "surface state 0x%llx",
		 (unsigned long long)tile->state_at);
	snprintf(err->why, sizeof(err->why), "%s", why);
	return GSC_FAILED;
}

static enum gsc_status take_surface(struct tile *tile, const struct state *s,
				    struct gsc_error *err)
{
	struct common *common = &tile->walk.common;
	struct gsc_surface *surface = &tile->surface;
	char why[160];

	if (strcmp(s->type, "SURFTYPE_2D") && strcmp(s->type, "SURFTYPE_3D") &&
	    strcmp(s->type, "SURFTYPE_CUBE") && strcmp(s->type, "SURFTYPE_1D")) {
		snprintf(why, sizeof(why), "its type is %s, which has no rows",
			 *s->type ? s->type : "unknown");
		return state_useless(tile, why, err);
	}
	surface->tiling = state_tiling(common, s);
	surface->bits = option_given(common, "bpp") ? (unsigned)tile->bpp : format_bits(s->format);
	surface->samples = surface->tiling == GSC_TILING_YS || surface->tiling == GSC_TILING_64
				   ? 1u << (s->samples & 7)
				   : 1;
	surface->dimensions = 2;
	/* Broadwell and later: the pitch of stencil is that of two rows side by side. */
	surface->pitch = surface->tiling == GSC_TILING_W ? s->pitch / 2 : s->pitch;
	surface->rows = s->height;
	tile->surface_at = s->base;
	tile->width = option_given(common, "width") ? tile->width : s->width;
	tile->height = option_given(common, "height") ? tile->height : s->height;
	if (!tile->pixels_name && gsc_pixel_format_by_name(s->format))
		tile->pixels_name = gsc_pixel_format_by_name(s->format)->name;
	if (surface->bits)
		return GSC_OK;
	snprintf(why, sizeof(why), "format %s: how many bits are its elements? give --bpp",
		 *s->format ? s->format : "unknown");
	return state_useless(tile, why, err);
}

static enum gsc_status read_state(struct tile *tile, struct gsc_translation *translation,
				  struct gsc_error *err)
{
	struct common *common = &tile->walk.common;
	struct state s = { 0 };
	struct gsc_item item;
	size_t size;

	if (!find_structure(common, &item))
		return usage_error(err, "--state", "this platform has no surface state");
	size = item.bits / 8 < STATE_MAX ? item.bits / 8 : STATE_MAX;
	s.count = size / 4;
	if (gsc_translated_read(translation, tile->state_at, s.words, size) < size) {
		*err = (struct gsc_error){ .status = GSC_UNKNOWN };
		snprintf(err->what, sizeof(err->what), "0x%llx",
			 (unsigned long long)tile->state_at);
		snprintf(err->why, sizeof(err->why), "no source holds this address");
		return GSC_UNKNOWN;
	}
	take_fields(common, &item, &s);
	return take_surface(tile, &s, err);
}

/* ---- what it is ----------------------------------------------------------------------------- */

static void put_number_row(struct gsc_out *out, const char *name, uint64_t number)
{
	gsc_out_format(out, "%-8s %llu", name, (unsigned long long)number);
	gsc_out_end(out);
}

static void put_text(const struct tile *tile, uint64_t there, uint64_t size)
{
	struct gsc_out *out = tile->walk.common.out;

	gsc_out_format(out, "address  0x%llx", (unsigned long long)tile->surface_at);
	gsc_out_end(out);
	gsc_out_format(out, "tiling   %s", gsc_tiling_name(tile->surface.tiling));
	gsc_out_end(out);
	put_number_row(out, "width", tile->width);
	put_number_row(out, "height", tile->height);
	put_number_row(out, "pitch", tile->surface.pitch);
	put_number_row(out, "bpp", tile->surface.bits);
	if (tile->surface.samples > 1)
		put_number_row(out, "samples", tile->surface.samples);
	if (tile->pixels_name) {
		gsc_out_format(out, "pixels   %s", tile->pixels_name);
		gsc_out_end(out);
	}
	gsc_out_format(out, "bytes    %llu of %llu are there", (unsigned long long)there,
		       (unsigned long long)size);
	gsc_out_end(out);
}

static void put_json(struct tile *tile, uint64_t there, uint64_t size)
{
	struct gsc_json *json = &tile->json;

	gsc_json_object(json, NULL);
	gsc_json_hex(json, "address", tile->surface_at);
	gsc_json_number(json, "width", tile->width);
	gsc_json_number(json, "height", tile->height);
	if (tile->pixels_name)
		gsc_json_string(json, "pixels", tile->pixels_name);
	else
		gsc_json_null(json, "pixels");
	gsc_json_number(json, "size", size);
	gsc_json_number(json, "held", there);
	gsc_json_object_end(json);
}

/* How much of it can be read. */
static uint64_t count_there(struct image *image, uint64_t size)
{
	uint8_t buf[PAGE], blocks[PAGE / TILE_BLOCK + 1];

	for (uint64_t at = 0; at < size; at += PAGE)
		read_memory(image, at, buf, (size_t)(size - at < PAGE ? size - at : PAGE), blocks);
	return size - image->missing;
}

static enum gsc_status describe(struct tile *tile, struct image *image, struct gsc_error *err)
{
	uint64_t size = gsc_layout_bytes(&tile->layout, tile->height), there;
	enum gsc_status status = tile_begin(tile, "surfaces", err);

	if (status)
		return status;
	there = count_there(image, size);
	if (wants_json(&tile->walk.common))
		put_json(tile, there, size);
	else
		put_text(tile, there, size);
	tile_end(tile);
	if (there)
		return GSC_OK;
	*err = (struct gsc_error){ .status = GSC_UNKNOWN };
	snprintf(err->what, sizeof(err->what), "0x%llx", (unsigned long long)tile->surface_at);
	snprintf(err->why, sizeof(err->why), "nothing of the surface is there");
	return GSC_UNKNOWN;
}

/* ---- the command ---------------------------------------------------------------------------- */

/* Addresses of a display are global; of a state, whose context is known, those of its tables. */
static void choose_space(struct tile *tile)
{
	struct ptwalk *walk = &tile->walk;

	if (walk->mode_name || walk->root || walk->engine || option_given(&walk->common, "context"))
		return;
	if (option_given(&walk->common, "surface")) {
		walk->mode_name = "ggtt";
		walk->mode = GSC_MODE_GGTT;
	}
}

#define SURFACE_MAX (UINT64_C(4) << 30)	/* bytes */

static enum gsc_status show_surface(struct tile *tile, struct memory *m, struct gsc_error *err)
{
	struct common *common = &tile->walk.common;
	char name[40];
	struct image image = { .tile = tile, .read = read_memory, .context = m, .holes = true,
			       .name = name };
	enum gsc_status status = swizzle_choose(tile, err);

	m->bit_17 = tile->surface.swizzle & SWIZZLE_17;
	tile->surface.swizzle &= ~SWIZZLE_17;
	if (!status)
		status = gsc_layout_init(&tile->layout, &common->platform, &tile->surface, err);
	if (!status)
		status = width_choose(tile, err);
	if (status)
		return status;
	if (gsc_layout_bytes(&tile->layout, tile->height) > SURFACE_MAX)
		return usage_error(err, "--height", "the surface would be over 4 GB");
	m->base = tile->surface_at;
	snprintf(name, sizeof(name), "0x%llx", (unsigned long long)m->base);
	return tile->output ? image_write(&image, err) : describe(tile, &image, err);
}

enum gsc_status surface_run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	bool state = option_given(common, "state");
	struct memory m = { 0 };
	enum gsc_status status = state ? GSC_OK : surface_options(tile, err);

	if (!status && !state && !tile->height)
		status = usage_error(err, "--height", "expected the rows of the surface");
	choose_space(tile);
	if (!status)
		status = translation_open(&tile->walk, &m.translation, err);
	if (!status && state)
		status = read_state(tile, m.translation, err);
	if (!status)
		status = show_surface(tile, &m, err);
	gsc_translation_free(m.translation);
	return status;
}
