/* SPDX-License-Identifier: MIT */
/* Runs on a source what the commands would run, so that it records which memory that needs. */
#include "hang/reach.h"

#include "gpu/gpu.h"
#include "source/source.h"

/* More of a machine's memory than this is not the state of a GPU: something leads astray. */
#define PAGES_MOST ((size_t)64 << 20 >> 12)
#define PAGES_MOST_TABLES ((size_t)512 << 20 >> 12)

struct reach {
	const struct gsc_gpu *gpu;
	struct gsc_error *err;
};

/* Nothing can be saved only if memory is out. */
static enum gsc_status settle(const struct gsc_error *err)
{
	return err_is_memory(err) ? GSC_FAILED : GSC_OK;
}

/* ---- commands ------------------------------------------------------------------------------- */

static bool pass(void *context, const struct gsc_followed *item)
{
	(void)context, (void)item;
	return true;
}

static enum gsc_status reach_commands(struct reach *r)
{
	static const struct gsc_listener listener = { .state = pass, .kernel = pass };
	static const struct gsc_follow_options options;
	struct gsc_commands *set;

	if (!gsc_commands_new(&set, r->gpu, r->err))
		gsc_follow_all(set, r->gpu, &options, &listener, r->err);
	else
		set = NULL;
	gsc_commands_free(set);
	return settle(r->err);
}

/* ---- what went wrong ------------------------------------------------------------------------ */

static bool pass_breach(void *context, const struct gsc_breach *breach)
{
	(void)context, (void)breach;
	return true;
}

static enum gsc_status reach_hang(struct reach *r)
{
	static const struct gsc_hang_options options;
	const struct gsc_translation *translation;
	struct gsc_walk walk;
	struct gsc_fault fault;
	struct gsc_hang *hang;
	char why[256];

	if (gsc_hang_new(&hang, r->gpu, &options, r->err))
		hang = NULL;
	for (size_t i = 0; hang && gsc_hang_fault(hang, i, &fault); i++)
		gsc_hang_walk(hang, i, &walk, &translation, why, sizeof(why));
	if (hang)
		gsc_hang_check(hang, pass_breach, NULL, r->err);
	gsc_hang_free(hang);
	return settle(r->err);
}

/* ---- images --------------------------------------------------------------------------------- */

static enum gsc_status reach_images(struct reach *r, struct gsc_commands *set, const char *engine)
{
	static const enum gsc_image_kind kinds[] = { GSC_IMAGE_HWSP, GSC_IMAGE_CONTEXT,
						     GSC_IMAGE_RING };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct gsc_image_options options = { .kind = kinds[i], .engine = engine,
						     .gpu = r->gpu };
		struct gsc_image *image;

		if (!gsc_image_new(&image, set, &options, r->err))
			gsc_image_free(image);
		else if (settle(r->err))
			return GSC_FAILED;
	}
	return GSC_OK;
}

/* ---- page tables ---------------------------------------------------------------------------- */

static bool pass_mapping(void *context, const struct gsc_mapping *mapping)
{
	const struct record *record = context;

	(void)mapping;
	return !record->over;
}

static enum gsc_status reach_tables(struct reach *r, const struct gsc_translation_options *options)
{
	struct gsc_translation *translation;
	struct gsc_map_holes holes;

	if (gsc_translation_new(&translation, r->gpu, options, r->err))
		return settle(r->err);
	gsc_map(translation, 0, pass_mapping, r->gpu->source->record, &holes, r->err);
	gsc_translation_free(translation);
	return settle(r->err);
}

static enum gsc_status reach_roots(struct reach *r, bool tables)
{
	struct gsc_root *roots;
	enum gsc_status status = GSC_OK;
	size_t count;

	if (gsc_roots(r->gpu, &roots, &count, r->err))
		return settle(r->err);
	for (size_t i = 0; tables && i < count && !status; i++) {
		struct gsc_translation_options options = { .root = roots[i] };

		if (roots[i].mode != GSC_MODE_GGTT)
			status = reach_tables(r, &options);
	}
	free(roots);
	return status;
}

static enum gsc_status reach_tiled(struct reach *r, const char *engine)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };

	gsc_root_tiled(r->gpu, engine, &options.trtt);
	if (!options.trtt.on ||
	    gsc_root_engine(r->gpu, engine, &options.root, r->err))
		return settle(r->err);
	return reach_tables(r, &options);
}

/* ---- engines -------------------------------------------------------------------------------- */

static enum gsc_status reach_engines(struct reach *r, bool tables)
{
	enum gsc_status status = GSC_OK;
	unsigned engine_class, instance;
	struct gsc_commands *set;
	const char *engine;
	uint32_t base;

	if (gsc_commands_new(&set, r->gpu, r->err))
		return settle(r->err);
	for (size_t i = 0; !status && (engine = gsc_platform_engine(r->gpu->view->db,
								    r->gpu->view->platform, i,
								    &engine_class, &instance,
								    &base)); i++) {
		status = reach_images(r, set, engine);
		if (!status && tables)
			status = reach_tiled(r, engine);
	}
	gsc_commands_free(set);
	return status;
}

enum gsc_status reach_memory(const struct gsc_gpu *gpu, bool tables, struct record *record,
			     struct gsc_error *err)
{
	struct gsc_error own = { 0 };
	struct reach r = { .gpu = gpu, .err = &own };
	enum gsc_status status;

	*record = (struct record){ .most = tables ? PAGES_MOST_TABLES : PAGES_MOST,
				   .dump = source_has_machine(gpu->source) };
	gpu->source->record = record;
	status = reach_commands(&r);
	if (!status)
		status = reach_hang(&r);
	if (!status)
		status = reach_roots(&r, tables);
	if (!status)
		status = reach_engines(&r, tables);
	gpu->source->record = NULL;
	return status ? err_memory(err) : GSC_OK;
}
