/* SPDX-License-Identifier: MIT */
/* gpu-tile --fence and --check: fences, and what the documents require. */
#include "gpu-tile.h"
#include "util/number.h"

/* ---- fences --------------------------------------------------------------------------------- */

static enum gsc_status read_fences(struct tile *tile, struct gsc_error *err)
{
	struct common *common = &tile->common;
	size_t count = tile->fences.count;
	char what[120];

	if (!platform_of(common)->fences && count)
		return usage_error(err, "--fence", "this platform has no fences");
	tile->fence = calloc(count + 1, sizeof(*tile->fence));
	if (!tile->fence)
		return err_memory(err);
	for (size_t i = 0; i < count; i++) {
		uint64_t raw;

		string_set(what, "--fence %.100s", tile->fences.items[i]);
		if (!gsc_parse_number(tile->fences.items[i], &raw))
			return usage_error(err, what, "expected the value of a fence register");
		gsc_fence_decode(view_of(common), 0, raw, &tile->fence[i]);
	}
	return GSC_OK;
}

/* The pitch may be wrong, or missing: any other will do for the head. */
static enum gsc_status any_pitch(struct tile *tile, struct gsc_error *err)
{
	struct gsc_surface s = tile->surface;
	enum gsc_status status;

	s.pitch = 1u << 16;
	status = gsc_layout_init(&tile->layout, platform_of(&tile->common), &s, err);
	tile->layout.surface.pitch = tile->surface.pitch;
	return status;
}

enum gsc_status fence_ready(struct tile *tile, struct gsc_error *err)
{
	struct gsc_surface *s = &tile->surface;
	enum gsc_status status = read_fences(tile, err);
	enum gsc_tiling tiling;

	if (status)
		return status;
	if (tile->fences.count > 1)
		return usage_error(err, "--fence", "only --check takes more than one");
	if (*tile->fence->problem)
		return usage_error(err, "--fence", "%s", tile->fence->problem);
	*s = (struct gsc_surface){ .tiling = tile->fence->tiling == 'Y' ? GSC_TILING_Y
									 : GSC_TILING_X,
				   .bits = 8,
				   .samples = 1,
				   .dimensions = 2,
				   .pitch = tile->fence->pitch };
	/* -f and --pitch may also be given, if they agree. */
	if (tile->fence->valid && option_given(&tile->common, "pitch") && tile->pitch != s->pitch)
		return usage_error(err, "--pitch", "is not what the fence says");
	if (tile->fence->valid && *tile->tiling_name &&
	    (!gsc_tiling_by_name(tile->tiling_name, &tiling) || tiling != s->tiling))
		return usage_error(err, "--tiling", "is not what the fence says");
	status = swizzle_choose(tile, err);
	if (status)
		return status;
	return tile->fence->valid
		       ? gsc_layout_init(&tile->layout, platform_of(&tile->common), s, err)
		       : any_pitch(tile, err);
}

/* ---- rules ---------------------------------------------------------------------------------- */

bool has_tiled_resources(const struct common *common)
{
	return gsc_mode_level(view_of(common), GSC_MODE_TRTT, 0);
}

static bool take_breach(void *context, const struct gsc_breach *breach)
{
	struct tile *tile = context;

	tile->findings++;
	return finding_put(&tile->common, &tile->json, breach);
}

KEYS(placement)
enum gsc_status tile_check_run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	enum gsc_status status = surface_options(tile, err);
	struct gsc_placement placement;

	if (!status && tile->client == GSC_CLIENT_SPARSE && !has_tiled_resources(common))
		status = usage_error(err, "--check sparse", NO_TILED_RESOURCES);
	if (!status)
		status = swizzle_choose(tile, err);
	if (!status)
		status = any_pitch(tile, err);
	if (!status)
		status = read_fences(tile, err);
	if (!status)
		status = tile_begin(tile, KEY_NAME(array, "findings", OF(finding)), err);
	if (status)
		return status;
	placement = (struct gsc_placement){
		.surface = tile->surface,
		.client = (enum gsc_client)tile->client,
		.has_base = tile->has_address,
		.base = tile->address,
		.width = tile->width,
		.height = tile->height,
		.fences = tile->fence,
		.fence_count = tile->fences.count,
	};
	gsc_placement_check(platform_of(common), &placement, take_breach, tile);
	tile_end(tile);
	if (!tile->findings)
		return GSC_OK;
	return err_set(err, GSC_PARTIAL, "surface", "breaks %zu rule%s", tile->findings,
		       tile->findings > 1 ? "s" : "");
}
