/* SPDX-License-Identifier: MIT */
/*
 * What a surface state says about its surface, on any generation. Its fields are as the definitions
 * have them; what they mean together is in skl-vol5, and where that is silent in mesa
 * isl_surface_state.c, which fills such states, and what it calls.
 */
#include "tile/tile.h"

#define TYPE_PREFIX "SURFTYPE_"

/* Its fields. */
struct fields {
	struct gsc_platform p;
	const char *type;		/* without the prefix; NULL: none is documented */
	char type_text[32], format[64], aux[32], tile[16];
	uint64_t tiled, walk, resource, samples, storage;
	uint64_t base, width, height, pitch, depth, apart, element, x, y;
	uint64_t level, stride, mcs, memory;
};

/* ---- its fields ----------------------------------------------------------------------------- */

static void take_fields(const struct gsc_view *view, const struct gsc_item *item,
			const uint32_t *words, size_t count, struct fields *s)
{
	const struct { const char *name; char *text; size_t size; } texts[] = {
		{ "SURFACE_FORMAT", s->format, sizeof(s->format) },
		{ "SURFACE_TYPE", s->type_text, sizeof(s->type_text) },
		{ "AUXILIARY_SURFACE_MODE", s->aux, sizeof(s->aux) },
		{ "TILE_MODE", s->tile, sizeof(s->tile) },
	};
	struct gsc_field_iter it;
	struct gsc_field f;

	/* If nothing says how samples are stored, they are side by side. */
	*s = (struct fields){ .storage = 1 };
	gsc_platform_at(view->db, view->platform, &s->p);
	gsc_item_fields(view->db, view, item, words, count, &it);
	while (gsc_field_next(&it, &f)) {
		const struct {
			const char *name;
			uint64_t *value;
			unsigned add;
		} numbers[] = {
			{ "TILED_SURFACE", &s->tiled, 0 },
			{ "TILE_WALK", &s->walk, 0 },
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
			if (!strcmp(f.name, numbers[i].name))
				*numbers[i].value = f.value + numbers[i].add;
		for (size_t i = 0; f.text && i < ARRAY_SIZE(texts); i++)
			if (!strcmp(f.name, texts[i].name))
				snprintf(texts[i].text, texts[i].size, "%s", f.text);
		if (!f.text && !strcmp(f.name, "SURFACE_FORMAT"))
			astc_name(f.value, s->format, sizeof(s->format));
	}
	if (!strncmp(s->type_text, TYPE_PREFIX, strlen(TYPE_PREFIX)))
		s->type = s->type_text + strlen(TYPE_PREFIX);
}

static bool is_type(const struct fields *s, const char *type)
{
	return s->type && !strcmp(s->type, type);
}

/* ---- what they mean ------------------------------------------------------------------------- */

static void __attribute__((format(printf, 2, 3)))
note(struct gsc_surface_state *state, const char *format, ...)
{
	va_list args;

	if (state->note_count == ARRAY_SIZE(state->notes))
		return;
	va_start(args, format);
	vsnprintf(state->notes[state->note_count++], sizeof(*state->notes), format, args);
	va_end(args);
}

/* A flag and a walk, or later a mode. In mode Y the resource mode makes them Yf or Ys. */
static enum gsc_tiling tiling_of(const struct fields *s)
{
	static const struct {
		const char *name;
		enum gsc_tiling tiling;
	} modes[] = {
		{ "LINEAR", GSC_TILING_LINEAR }, { "WMAJOR", GSC_TILING_W },
		{ "XMAJOR", GSC_TILING_X }, { "YMAJOR", GSC_TILING_Y },
		{ "TILE4", GSC_TILING_4 }, { "TILE64", GSC_TILING_64 },
	};
	static const enum gsc_tiling resource[] = { GSC_TILING_Y, GSC_TILING_YF, GSC_TILING_YS,
						    GSC_TILING_Y };
	enum gsc_tiling tiling = !s->tiled ? GSC_TILING_LINEAR : s->walk ? GSC_TILING_Y
									  : GSC_TILING_X;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (!strcmp(s->tile, modes[i].name))
			tiling = modes[i].tiling;
	return tiling == GSC_TILING_Y ? resource[s->resource & 3] : tiling;
}

static void take_surface(struct gsc_surface_state *state, const struct fields *s)
{
	struct gsc_surface *surface = &state->surface, tile;
	enum gsc_tiling tiling = tiling_of(s);

	if (!format_by_name(state->format, &state->element))
		state->element = (struct gsc_format){ .width = 1, .height = 1 };
	surface->tiling = tiling;
	surface->bits = state->element.bits;
	surface->dimensions = is_type(s, "3D") && (tiling == GSC_TILING_YF ||
						   tiling == GSC_TILING_YS ||
						   tiling == GSC_TILING_64) ? 3 : 2;
	/* Broadwell and later: the pitch of stencil is that of two adjacent rows. */
	surface->pitch = tiling == GSC_TILING_W ? s->pitch / 2 : s->pitch;
	/* Snb stores samples side by side, later ones if a field says so (MSFMT_DEPTH_STENCIL). */
	state->samples = 1u << s->samples;
	state->side_by_side = state->samples > 1 && s->storage;
	surface->samples = 1;
	tile = *surface;
	tile.samples = state->samples;
	if (!state->side_by_side && (tiling == GSC_TILING_YS || tiling == GSC_TILING_64))
		surface->samples = samples_held(&s->p, &tile);
	state->layers = state->side_by_side ? 1 : state->samples / surface->samples;
}

static void take_size(struct gsc_surface_state *state, const struct fields *s)
{
	const struct gsc_format *element = &state->element;
	unsigned row = platform_value(&s->p, PROPERTY_SURFACE_ROWS);
	unsigned log = (unsigned)__builtin_ctz(state->samples);
	bool pixels = platform_has(&s->p, PROPERTY_QPITCH_PIXELS);

	state->width = (s->width + element->width - 1) / element->width;
	state->height = (s->height + element->height - 1) / element->height;
	/* isl_get_interleaved_msaa_px_size_sa(): elements that the samples of a pixel form. */
	if (state->side_by_side) {
		state->width = (state->width + 1) / 2 * 2 << (log + 1) / 2;
		state->height = (state->height + 1) / 2 * 2 << log / 2;
	}
	state->x = s->x * 4 / element->width;	/* units: isl_surface_state.c, x_div, y_div */
	state->y = s->y * row / element->height;
	state->slices = s->depth ? s->depth * (is_type(s, "CUBE") ? 6 : 1) : 1;
	/*
	 * isl_get_qpitch(): in units of four rows; of pixels on Gen8, of elements later. Before
	 * that, with depth before Gen9, and with one dimension, slices are where their sizes and
	 * levels put them.
	 */
	if (!(pixels && is_type(s, "3D")) && !is_type(s, "1D"))
		state->apart = s->apart * 4 / (pixels ? element->height : 1);
	state->surface.rows = MAX(state->apart, state->height);
}

/* Anything that a definition has after them does not belong to the surface. */
static size_t state_bytes(const struct gsc_item *item)
{
	return MIN(item->bits / 8, GSC_SURFACE_STATE_MAX);
}

/*
 * SURFACE_STATE_POINTER has bits 31:5, since Gen8 31:6: as many bytes as a state takes, rounded up
 * to a power of two.
 */
size_t gsc_surface_state_size(const struct gsc_view *view, unsigned *step)
{
	struct gsc_item item;

	if (!view_structure(view, "RENDER_SURFACE_STATE", &item))
		return 0;
	*step = state_bytes(&item) > 32 ? 64 : 32;
	return state_bytes(&item);
}

enum gsc_status gsc_surface_of_state(const struct gsc_view *view, const uint32_t *words,
				     size_t count, struct gsc_surface_state *state,
				     struct gsc_error *err)
{
	struct gsc_item item;
	struct fields s;

	*state = (struct gsc_surface_state){ 0 };
	if (!view_structure(view, "RENDER_SURFACE_STATE", &item))
		return err_set(err, GSC_USAGE, "surface state", "this platform has none");
	if (count < state_bytes(&item) / 4)
		return err_set(err, GSC_USAGE, "surface state",
			       "a surface state has %zu words, but %zu were given",
			       state_bytes(&item) / 4, count);
	count = state_bytes(&item) / 4;
	if (bytes_are_zero(words, count * 4))
		return err_set(err, GSC_FAILED, "surface state",
			       "all zero: no surface state is there");
	take_fields(view, &item, words, count, &s);
	if (!s.type)
		return err_set(err, GSC_FAILED, "surface state", "its type is not documented");
	if (!is_type(&s, "1D") && !is_type(&s, "2D") && !is_type(&s, "3D") && !is_type(&s, "CUBE"))
		return err_set(err, GSC_FAILED, "surface state",
			       "its type is %s, which has no rows", s.type_text);
	if (s.samples > 4)
		return err_set(err, GSC_FAILED, "surface state",
			       "%u samples: expected 1, 2, 4, 8 or 16", 1u << (s.samples & 7));
	string_set(state->type, "%s", s.type);
	string_set(state->format, "%s", s.format);
	state->base = s.base;
	take_surface(state, &s);
	take_size(state, &s);
	/* What a picture of level 0 ignores. */
	if (s.level)
		note(state,
		     "level 0 is shown, although the surface begins at level SURFACE_MIN_LOD %llu",
		     LL(s.level));
	if (s.stride)
		note(state, "VERTICAL_LINE_STRIDE is not applied: all rows are shown, not every "
			    "other one");
	if (*s.aux && strcmp(s.aux, "AUX_NONE") && strcmp(s.aux, "AUX_APPEND"))
		note(state,
		     "with %s the surface may be compressed or cleared: memory is shown as it is",
		     s.aux);
	else if (s.mcs || s.memory)
		note(state, "%s is set, so the surface may be compressed: memory is shown as it is",
		     s.mcs ? "MCS_ENABLE" : "MEMORY_COMPRESSION_ENABLE");
	/* The array of a surface whose tiles have depth has no slices of rows to skip. */
	if (state->surface.dimensions < 3 && state->apart)
		state->first = s.element;
	else if (s.element)
		note(state, "MINIMUM_ARRAY_ELEMENT %llu is not applied: %s", LL(s.element),
		     state->surface.dimensions < 3 ? "the state does not say how far apart slices "
						     "lie" : "slices count from the first");
	return GSC_OK;
}
