/* SPDX-License-Identifier: MIT */
/*
 * Where and how a surface may be placed, for its users in the GPU and for the processor behind a
 * fence: snb-p2 3.5.4.3 and 3.5.5, skl-vol5 Tiled Surface Restrictions and Per-Stream Tile Format
 * Support, a row each.
 */
#include "tile/tile.h"

#define PAGE 4096
#define DISPLAY_ROW_UNIT 64		/* bytes */

static const char *const clients[GSC_CLIENTS] = { "any",     "display", "render",  "depth",
						  "stencil", "sampler", "blitter", "sparse" };

/* The surface that a rule checks. Sizes are 0 if unknown. */
struct check {
	const struct gsc_platform *p;
	const struct gsc_placement *placement;
	const struct gsc_surface *surface;
	const struct gsc_fence *fence;	/* of rules about a fence */
	struct gsc_layout layout;	/* of the surface, its pitch rounded up if need be */
	uint64_t bytes_wide;		/* of a row of elements */
	uint64_t size;			/* in whole tiles */
	struct gsc_breach *found;
	struct findings findings;
};

/* More than the text of the row says. */
#define breach(c, ...) (string_set((c)->found->text, __VA_ARGS__), true)

/* ---- the surface ---------------------------------------------------------------------------- */

static bool pitch_multiple(const struct check *c)
{
	return (!c->surface->pitch || c->surface->pitch % c->layout.width) &&
	       breach(c, "the pitch of %llu bytes is not a multiple of %s width of %u",
		      LL(c->surface->pitch), c->surface->tiling ? "a tile's" : "an element's",
		      c->layout.width);
}

static bool over(const struct check *c, unsigned most, const char *whose)
{
	return c->surface->pitch > most &&
	       breach(c, "the pitch of %llu bytes is over %u KB, the maximum of %s of %s",
		      LL(c->surface->pitch), most >> 10, whose, c->p->name);
}

static bool pitch_limit(const struct check *c)
{
	return over(c, platform_value(c->p, PROPERTY_SURFACE_PITCH) << 10, "surfaces");
}

static bool blitter_pitch(const struct check *c)
{
	unsigned most = platform_value(c->p, PROPERTY_BLITTER_PITCH) << 10;

	return over(c, c->surface->tiling ? most : most / 4, "the blitter");
}

static bool width(const struct check *c)
{
	return c->bytes_wide > c->surface->pitch &&
	       breach(c, "a row of %llu bytes is longer than the pitch of %llu", LL(c->bytes_wide),
		      LL(c->surface->pitch));
}

static bool base_aligned(const struct check *c)
{
	unsigned tile = 1u << c->layout.tile_bits;

	return c->placement->has_base && c->placement->base % tile &&
	       breach(c, "the base address 0x%llx is not a multiple of %u KB%s",
		      LL(c->placement->base), tile >> 10, c->surface->tiling == GSC_TILING_YS
			      ? " (except for a single MIP of a MIP tail, accessed as elements of "
				"64 or 128 bits)" : "");
}

/* ---- users of it ---------------------------------------------------------------------------- */

static bool is_y_like(enum gsc_tiling tiling)
{
	return tiling == GSC_TILING_Y || tiling == GSC_TILING_YF || tiling == GSC_TILING_YS ||
	       tiling == GSC_TILING_4 || tiling == GSC_TILING_64;
}

static bool not_y(const struct check *c)
{
	return is_y_like(c->surface->tiling) &&
	       breach(c, "%s tiles are not supported by the %s of %s",
		      gsc_tiling_name(c->surface->tiling), clients[c->placement->client],
		      c->p->name);
}

static bool not_64k(const struct check *c)
{
	enum gsc_tiling tiling = c->surface->tiling;

	return (tiling == GSC_TILING_YS || tiling == GSC_TILING_64) &&
	       breach(c, "%s tiles are not for the display", gsc_tiling_name(tiling));
}

static bool display_pitch(const struct check *c)
{
	unsigned most = platform_value(c->p, c->surface->tiling == GSC_TILING_X
						     ? PROPERTY_DISPLAY_PITCH_X
						     : PROPERTY_DISPLAY_PITCH) << 10;

	return over(c, most, "the display");
}

static bool display_rows(const struct check *c)
{
	return !c->surface->tiling && c->surface->pitch % DISPLAY_ROW_UNIT &&
	       breach(c, "the pitch of %llu bytes is not a multiple of %u",
		      LL(c->surface->pitch), DISPLAY_ROW_UNIT);
}

/* The registers have no room for other bits; for tiles the rule of all applies. */
static bool display_base(const struct check *c)
{
	return !c->surface->tiling && c->placement->has_base && c->placement->base % PAGE &&
	       breach(c, "the base address 0x%llx is not page-aligned",
		      LL(c->placement->base));
}

static bool not_w(const struct check *c)
{
	return c->surface->tiling == GSC_TILING_W;
}

static bool only_w(const struct check *c)
{
	return c->surface->tiling != GSC_TILING_W &&
	       breach(c, "separate stencil must be in W tiles, not %s",
		      gsc_tiling_name(c->surface->tiling));
}

static bool only_y(const struct check *c)
{
	return !is_y_like(c->surface->tiling) &&
	       breach(c, "it must be in %s tiles, not %s",
		      tiling_is_of(GSC_TILING_4, c->p) ? "Tile4 or Tile64" : "Y",
		      gsc_tiling_name(c->surface->tiling));
}

static bool sampler_w(const struct check *c)
{
	return c->surface->tiling == GSC_TILING_W &&
	       breach(c, "the sampler of %s reads X and Y tiles and linear surfaces only",
		      c->p->name);
}

static bool wide_elements(const struct check *c)
{
	return c->surface->tiling == GSC_TILING_Y && c->surface->bits == 128;
}

static bool null_tiles(const struct check *c)
{
	return c->surface->tiling == GSC_TILING_X;
}

/* ---- the surface behind a fence ------------------------------------------------------------- */

static bool is_usable(const struct gsc_fence *fence)
{
	return fence->valid && !*fence->problem;
}

/* If the size of a surface is unknown, at least its beginning. */
static uint64_t surface_end(const struct check *c)
{
	uint64_t end;

	if (__builtin_add_overflow(c->placement->base, c->size ? c->size : 1, &end))
		return UINT64_MAX;
	return end;
}

/* Whether a fence concerns the surface: others handle what is elsewhere. */
static bool concerns(const struct check *c, const struct gsc_fence *fence)
{
	if (!c->placement->has_base || *fence->problem)
		return true;
	return fence->start < surface_end(c) && c->placement->base < fence->end;
}

static bool fence_sound(const struct check *c)
{
	return c->fence->valid && breach(c, "the fence %s", c->fence->problem);
}

/* It is no fault if some of many are not used. */
static bool fence_valid(const struct check *c)
{
	for (size_t i = 0; i < c->placement->fence_count; i++)
		if (c->placement->fences[i].valid)
			return false;
	return true;
}

/* The manual does not describe 43:42, and 11:2 must be zero. */
static bool fence_reserved(const struct check *c)
{
	return c->fence->reserved && breach(c, "bits 0x%llx are set, which are reserved",
					    LL(c->fence->reserved));
}

/* Two overlapping fences are reported once. */
static bool fence_overlap(const struct check *c)
{
	const struct gsc_fence *all = c->placement->fences, *f = c->fence;

	for (const struct gsc_fence *o = all; o < all + c->placement->fence_count; o++)
		if (o != f && is_usable(o) && o->start < f->end && f->start < o->end &&
		    (o > f || !concerns(c, o)))
			return breach(c, "0x%llx-0x%llx is in fence 0x%llx too: the result is "
					 "undefined",
				      LL(MAX(o->start, f->start)), LL(MIN(o->end, f->end)),
				      LL(o->raw));
	return false;
}

static bool fence_order(const struct check *c)
{
	enum gsc_tiling tiling = c->surface->tiling;
	char letter = tiling == GSC_TILING_X ? 'X' : tiling == GSC_TILING_Y ? 'Y' : 0;

	if (letter == c->fence->tiling)
		return false;
	return letter ? breach(c, "the fence is for %c tiles, but the surface is in %c tiles",
			       c->fence->tiling, letter)
		      : breach(c, "fences support X and Y tiles only; the surface is in %s",
			       gsc_tiling_name(tiling));
}

static bool fence_pitch_limit(const struct check *c)
{
	return over(c, platform_value(c->p, PROPERTY_FENCE_PITCH) << 10, "fences");
}

static bool fence_pitch_equal(const struct check *c)
{
	return c->fence->pitch != c->surface->pitch &&
	       breach(c, "the fence's pitch of %u bytes differs from the surface's %llu, although "
			 "both use the same mapping",
		      c->fence->pitch, LL(c->surface->pitch));
}

static bool fence_width(const struct check *c)
{
	return c->bytes_wide > c->fence->pitch &&
	       breach(c, "a row of %llu bytes is longer than the fence's pitch of %u",
		      LL(c->bytes_wide), c->fence->pitch);
}

/* Bytes of a row of the fence's tiles, 4 KB each. */
static uint64_t fence_row(const struct gsc_fence *fence)
{
	return (uint64_t)fence->pitch * (fence->tiling == 'Y' ? 32 : 8);
}

static bool fence_row_start(const struct check *c)
{
	uint64_t base = c->placement->base, start = c->fence->start;

	if (!c->placement->has_base || base < start ||
	    base >= c->fence->end || !((base - start) % fence_row(c->fence)))
		return false;
	return breach(c, "the base address 0x%llx is not at the start of a row of the fence's "
			 "tiles (rows have 0x%llx bytes, from 0x%llx on)",
		      LL(base), LL(fence_row(c->fence)), LL(start));
}

/* Any of them will do. */
static bool fence_inside(const struct check *c)
{
	const struct gsc_placement *p = c->placement;
	uint64_t end = surface_end(c);
	size_t usable = 0;

	if (!p->has_base || !c->size ||
	    (c->surface->tiling != GSC_TILING_X && c->surface->tiling != GSC_TILING_Y))
		return false;
	for (size_t i = 0; i < p->fence_count; i++) {
		if (!is_usable(&p->fences[i]))
			continue;
		if (p->base >= p->fences[i].start && end <= p->fences[i].end)
			return false;
		usable++;
	}
	return usable && breach(c, "0x%llx-0x%llx is not inside of %s fence", LL(p->base), LL(end),
				usable > 1 ? "any" : "the");
}

/* The tiles of its last row extend past the end, where they are no longer reached. */
static bool fence_rows(const struct check *c)
{
	uint64_t length = c->fence->end - c->fence->start;

	return fence_row(c->fence) && length % fence_row(c->fence) &&
	       breach(c,
		      "the fence's 0x%llx bytes are not a multiple of a row of tiles, 0x%llx bytes",
		      LL(length), LL(fence_row(c->fence)));
}

/* ---- the rules ------------------------------------------------------------------------------ */

enum about {
	SURFACE,
	FENCE_VALUE,			/* a fence as such */
	FENCE,				/* and the surface in it */
	FENCES,				/* the surface, and all of them */
};

#define RESTRICTIONS "skl-vol5", "Tiled Surface Restrictions"
#define STREAMS "skl-vol5", "Per-Stream Tile Format Support"
#define FORMATS "skl-vol5", "Tile Formats"
#define SAMPLERS "snb-p2", "3.5.5 Per-Stream Tile Format Support"
#define FENCE_REGISTER "snb-p2", "3.5.4.1.1 FENCE"
#define STENCIL_ONLY "W tiles are for stencil only"

static const struct {
	struct rule rule;
	bool (*broken)(const struct check *c);
	enum about about;
	enum gsc_client client;		/* GSC_CLIENT_ANY: all */
} rules[] = {
	{ { "pitch-multiple", NULL, "skl-vol5", "Tiled Surface Parameters",
	    "the pitch is not a multiple of the width of a tile" }, pitch_multiple, SURFACE },
	{ { "pitch-limit", "gen3", "uxa", "i915_reg.h MS4_PITCH_MASK", "the pitch is over 8 KB" },
	  pitch_limit, SURFACE },
	{ { "pitch-limit", "gen4..gen6", "mesa-genxml",
	    "RENDER_SURFACE_STATE: Surface Pitch (gen40, gen45, gen50, gen60)",
	    "the pitch is over 128 KB" }, pitch_limit, SURFACE },
	{ { "pitch-limit", "gen7+", RESTRICTIONS, "the pitch is over 256 KB" },
	  pitch_limit, SURFACE },
	{ { "blitter-pitch", NULL, "mesa-genxml",
	    "XY_SRC_COPY_BLT and XY_BLOCK_COPY_BLT: Destination Pitch",
	    "the pitch is over the maximum of the blitter" },
	  blitter_pitch, SURFACE, GSC_CLIENT_BLITTER },
	{ { "width", NULL, RESTRICTIONS, "a row is longer than the pitch" }, width, SURFACE },
	{ { "base-alignment", NULL, "skl-vol5", "Address Tiling Function Introduction",
	    "the base address is not a multiple of the size of a tile" }, base_aligned, SURFACE },
	{ { "display-y", "!display-y", STREAMS, "the display does not support such tiles" },
	  not_y, SURFACE, GSC_CLIENT_DISPLAY },
	{ { "display-64k", "display-y", "mesa",
	    "isl_gfx7.c isl_gfx6_filter_tiling, isl_gfx12.c isl_gfx125_filter_tiling",
	    "tiles of 64 KB are not for the display" }, not_64k, SURFACE, GSC_CLIENT_DISPLAY },
	{ { "display-pitch", NULL, "i915",
	    "display/i9xx_plane.c, display/skl_universal_plane.c: max_stride",
	    "the pitch is over the maximum of the display" },
	  display_pitch, SURFACE, GSC_CLIENT_DISPLAY },
	{ { "display-rows", NULL, "i915", "display/intel_fb.c intel_fb_stride_alignment",
	    "the pitch of a linear surface is not a multiple of 64 bytes" },
	  display_rows, SURFACE, GSC_CLIENT_DISPLAY },
	{ { "display-base", NULL, "i915",
	    "display/i9xx_plane_regs.h DSPSURF, display/skl_universal_plane_regs.h PLANE_SURF",
	    "the base address of a linear surface is not page-aligned" },
	  display_base, SURFACE, GSC_CLIENT_DISPLAY },
	{ { "blitter-y", "!blitter-y", STREAMS, "the blitter does not support such tiles" },
	  not_y, SURFACE, GSC_CLIENT_BLITTER },
	{ { "display-w", NULL, FORMATS, STENCIL_ONLY }, not_w, SURFACE, GSC_CLIENT_DISPLAY },
	{ { "blitter-w", NULL, FORMATS, STENCIL_ONLY }, not_w, SURFACE, GSC_CLIENT_BLITTER },
	{ { "render-w", NULL, FORMATS, STENCIL_ONLY }, not_w, SURFACE, GSC_CLIENT_RENDER },
	{ { "depth-y", NULL, "mesa",
	    "isl_gfx4.c isl_gfx4_filter_tiling, isl_gfx7.c isl_gfx6_filter_tiling",
	    "depth must be in Y tiles, or in Tile4 or Tile64" },
	  only_y, SURFACE, GSC_CLIENT_DEPTH },
	{ { "stencil-w", "stencil-w", FORMATS, "separate stencil must be in W tiles" },
	  only_w, SURFACE, GSC_CLIENT_STENCIL },
	{ { "stencil-y", "stencil-y", "mesa", "isl_gfx7.c isl_gfx6_filter_tiling",
	    "stencil must be in Y tiles, or in Tile4 or Tile64" },
	  only_y, SURFACE, GSC_CLIENT_STENCIL },
	{ { "sampler-w", "!sampler-w", SAMPLERS, "the sampler does not read W tiles" },
	  sampler_w, SURFACE, GSC_CLIENT_SAMPLER },
	{ { "render-128", "!render-128", SAMPLERS, "a render target with 128 bits per element must "
	    "be in X tiles or linear" }, wide_elements, SURFACE, GSC_CLIENT_RENDER },
	{ { "null-tiles", NULL, "icl-vol6", "Detection and Treatment of Null and Invalid Tiles",
	    "null and invalid tiles are not supported in X tiles" },
	  null_tiles, SURFACE, GSC_CLIENT_SPARSE },
	{ { "fence-valid", NULL, FENCE_REGISTER, "the fence is not valid, and translates nothing" },
	  fence_valid, FENCE_VALUE },
	{ { "fence-sound", NULL, FENCE_REGISTER, "the fence contradicts itself" },
	  fence_sound, FENCE_VALUE },
	{ { "fence-reserved", NULL, FENCE_REGISTER, "reserved bits are set" },
	  fence_reserved, FENCE },
	{ { "fence-overlap", NULL, "snb-p2", "3.5.4.1 Tiled (Fenced) Regions",
	    "addresses are in two fences: the result is undefined" }, fence_overlap, FENCE },
	{ { "fence-walk", NULL, RESTRICTIONS, "the fence is for other tiles than the surface has" },
	  fence_order, FENCE },
	{ { "fence-pitch-limit", NULL, "i915", "gt/intel_ggtt_fencing.c i965_write_fence_reg",
	    "no fence supports the pitch" }, fence_pitch_limit, FENCE },
	{ { "fence-pitch", NULL, RESTRICTIONS, "the fence's pitch differs from the surface's" },
	  fence_pitch_equal, FENCE },
	{ { "fence-width", NULL, RESTRICTIONS, "a row is longer than the fence's pitch" },
	  fence_width, FENCE },
	{ { "fence-row-start", NULL, RESTRICTIONS,
	    "the base address is not at the start of a row of the fence's tiles" },
	  fence_row_start, FENCE },
	{ { "fence-inside", NULL, RESTRICTIONS, "the surface is not inside of a fence" },
	  fence_inside, FENCES },
	{ { "fence-rows", NULL, RESTRICTIONS,
	    "the fence's bytes are not a multiple of a row of tiles" }, fence_rows, FENCE },
};

const struct rule *gsc_placement_rule(size_t i)
{
	return i < ARRAY_SIZE(rules) ? &rules[i].rule : NULL;
}

static void ask(struct check *c, enum about about)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules) && !c->findings.ended; i++) {
		struct gsc_breach found = rule_finding(&rules[i].rule);

		c->found = &found;
		if (rules[i].about != about || !platform_is(c->p, rules[i].rule.only) ||
		    (rules[i].client && rules[i].client != c->placement->client) ||
		    !rules[i].broken(c))
			continue;
		if (!*found.text)
			string_set(found.text, "%s", rules[i].rule.text);
		if (about == FENCE || about == FENCE_VALUE)
			string_set(found.where, "fence 0x%llx", LL(c->fence->raw));
		else if (c->placement->has_base)
			string_set(found.where, "surface 0x%llx", LL(c->placement->base));
		else
			string_set(found.where, "surface");
		findings_add(&c->findings, &found);
	}
}

void gsc_placement_check(const struct gsc_platform *p, const struct gsc_placement *placement,
			 gsc_breach_fn *each, void *context)
{
	struct check c = { .p = p, .placement = placement, .surface = &placement->surface,
			   .findings = { each, context } };
	struct gsc_surface surface = placement->surface;
	struct gsc_error ignored;

	surface.pitch = 1u << 16;
	if (gsc_layout_init(&c.layout, p, &surface, &ignored))
		return;
	c.layout.surface.pitch =
		placement->surface.pitch / c.layout.width * (uint64_t)c.layout.width;
	if (__builtin_mul_overflow(placement->width, surface.bits / 8, &c.bytes_wide))
		c.bytes_wide = UINT64_MAX;
	c.size = gsc_layout_bytes(&c.layout, placement->height);
	ask(&c, SURFACE);
	for (size_t i = 0; i < placement->fence_count; i++) {
		c.fence = &placement->fences[i];
		if (!c.fence->valid || concerns(&c, c.fence))
			ask(&c, is_usable(c.fence) ? FENCE : FENCE_VALUE);
	}
	if (placement->fence_count)
		ask(&c, FENCES);
}
