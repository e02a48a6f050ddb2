/* SPDX-License-Identifier: MIT */
/* Runs on a source what the commands would run, so that it records which memory that needs. */
#include "hang/reach.h"

#include "gtt/map.h"
#include "hang/hang.h"
#include "gpu/gpu.h"
#include "image/image.h"
#include "source/part.h"

/* More of a machine's memory than this is not the state of a GPU: something leads astray. */
#define PAGES_MOST ((size_t)64 << 20 >> 12)
#define PAGES_MOST_TABLES ((size_t)512 << 20 >> 12)

/* Nothing can be saved only if memory is out. */
static enum gsc_status settle(const struct gsc_error *err)
{
	return err_is_memory(err) ? GSC_FAILED : GSC_OK;
}

static bool pass(void *context, const struct gsc_followed *item)
{
	(void)context, (void)item;
	return true;
}

static bool pass_breach(void *context, const struct gsc_breach *breach)
{
	(void)context, (void)breach;
	return true;
}

/* ---- page tables ---------------------------------------------------------------------------- */

static bool pass_mapping(void *context, const struct gsc_mapping *mapping)
{
	const struct record *record = context;

	(void)mapping;
	return !record->over;
}

static enum gsc_status reach_tables(const struct gsc_gpu *gpu,
				    const struct gsc_translation_options *options,
				    struct gsc_error *err)
{
	struct gsc_translation *translation;
	struct gsc_map_holes holes;

	if (gsc_translation_new(&translation, gpu, options, err))
		return settle(err);
	gsc_map(translation, 0, pass_mapping, gpu->source->record, &holes, err);
	gsc_translation_free(translation);
	return settle(err);
}

static enum gsc_status reach_roots(const struct gsc_gpu *gpu, bool tables, struct gsc_error *err)
{
	struct gsc_root *roots;
	enum gsc_status status = GSC_OK;
	size_t count;

	if (gsc_roots(gpu, &roots, &count, err))
		return settle(err);
	for (size_t i = 0; tables && i < count && !status; i++) {
		struct gsc_translation_options options = { .root = roots[i] };

		if (roots[i].mode != GSC_MODE_GGTT)
			status = reach_tables(gpu, &options, err);
	}
	free(roots);
	return status;
}

/* ---- engines -------------------------------------------------------------------------------- */

static enum gsc_status reach_engines(const struct gsc_gpu *gpu, bool tables, struct gsc_error *err)
{
	static const enum gsc_image_kind kinds[] = { GSC_IMAGE_HWSP, GSC_IMAGE_CONTEXT,
						     GSC_IMAGE_RING };
	enum gsc_status status = GSC_OK;
	struct gsc_commands *set;
	struct gsc_image *image;
	const char *engine;

	if (gsc_commands_new(&set, gpu, err))
		return settle(err);
	for (size_t i = 0; !status &&
	     (engine = gsc_platform_engine(gpu->view->db, gpu->view->platform, i, NULL)); i++) {
		struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };

		for (size_t k = 0; k < ARRAY_SIZE(kinds) && !status; k++) {
			struct gsc_image_options image_options = { .kind = kinds[k],
								   .engine = engine, .gpu = gpu };

			if (!gsc_image_new(&image, set, &image_options, err))
				gsc_image_free(image);
			else
				status = settle(err);
		}
		if (status || !tables)
			continue;
		gsc_root_tiled(gpu, engine, &options.trtt);
		if (!options.trtt.on || gsc_root_engine(gpu, engine, &options.root, err))
			status = settle(err);
		else
			status = reach_tables(gpu, &options, err);
	}
	gsc_commands_free(set);
	return status;
}

enum gsc_status reach_memory(const struct gsc_gpu *gpu, bool tables, struct record *record,
			     struct gsc_error *err)
{
	static const struct gsc_listener listener = { .state = pass, .kernel = pass };
	static const struct gsc_follow_options follow;
	const struct gsc_translation *translation;
	struct gsc_error own = { 0 };
	struct gsc_commands *set = NULL;
	struct gsc_hang *hang;
	enum gsc_status status;
	struct gsc_walk walk;
	char why[256];

	*record = (struct record){ .most = tables ? PAGES_MOST_TABLES : PAGES_MOST,
				   .dump = gsc_source_has(gpu->source, GSC_SOURCE_MEMORY) };
	gpu->source->record = record;
	if (!gsc_commands_new(&set, gpu, &own))
		gsc_follow_all(set, gpu, &follow, &listener, &own);
	gsc_commands_free(set);
	status = settle(&own);
	/* What went wrong. */
	if (!status && !gsc_hang_new(&hang, gpu, NULL, &own)) {
		for (size_t i = 0; i < hang->faults.count; i++)
			gsc_hang_walk(hang, i, &walk, &translation, why, sizeof(why));
		gsc_hang_check(hang, pass_breach, NULL, &own);
		gsc_hang_free(hang);
	}
	status = status ? status : settle(&own);
	if (!status)
		status = reach_roots(gpu, tables, &own);
	if (!status)
		status = reach_engines(gpu, tables, &own);
	gpu->source->record = NULL;
	return status ? err_memory(err) : GSC_OK;
}
