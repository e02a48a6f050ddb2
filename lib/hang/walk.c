/* SPDX-License-Identifier: MIT */
/*
 * Faulting addresses by the tables of the source. The tables are those of now: of a fault that the
 * driver has mended since, or of another context than the one that runs, they may say otherwise.
 */
#include "hang/hang.h"

#include <stdio.h>
#include <string.h>

/* ---- the tables ----------------------------------------------------------------------------- */

static struct hang_space *space_of(const struct gsc_hang *hang, const struct gsc_fault *fault)
{
	for (size_t i = 0; i < hang->spaces.count; i++) {
		struct hang_space *space = &hang->spaces.items[i];

		if (fault->space && !strcmp(space->name, fault->space) &&
		    !strcmp(space->engine, fault->engine))
			return space;
	}
	return NULL;
}

static enum gsc_status process_root(const struct gsc_hang *hang, const char *engine,
				    struct gsc_translation_options *options, struct gsc_error *err)
{
	enum gsc_status status;

	if (!*engine)
		return err_set(err, GSC_UNKNOWN, "per-process tables",
			       "it is not told whose access it was");
	status = gsc_root_engine(hang->source, hang->view, engine, &options->root, err);
	if (!status)
		gsc_root_tiled(hang->source, hang->view, engine, &options->trtt);
	return status;
}

/* What fails is told where the walk is asked for. */
static void open_space(const struct gsc_hang *hang, struct hang_space *space)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };

	if (!strcmp(space->name, "ppgtt") &&
	    process_root(hang, space->engine, &options, &space->error))
		return;
	gsc_translation_new(&space->translation, hang->source, hang->view, &options,
			    &space->error);
}

enum gsc_status hang_spaces(struct gsc_hang *hang, struct gsc_error *err)
{
	for (size_t i = 0; i < hang->faults.count && !hang->options.no_walk; i++) {
		const struct gsc_fault *fault = &hang->faults.items[i];
		struct hang_space *space;

		if (!fault->has_address || !fault->space || space_of(hang, fault))
			continue;
		space = vec_add(&hang->spaces);
		if (!space)
			return err_memory(err);
		memset(space, 0, sizeof(*space));
		space->name = fault->space;
		memcpy(space->engine, fault->engine, sizeof(space->engine));
		open_space(hang, space);
	}
	return GSC_OK;
}

void hang_spaces_free(struct gsc_hang *hang)
{
	for (size_t i = 0; i < hang->spaces.count; i++)
		gsc_translation_free(hang->spaces.items[i].translation);
	vec_free(&hang->spaces);
}

/* ---- walks ---------------------------------------------------------------------------------- */

bool hang_fault_mapped(const struct gsc_hang *hang, const struct gsc_fault *fault)
{
	const struct hang_space *space = space_of(hang, fault);
	uint64_t physical, length;
	enum gsc_space memory;

	return space && space->translation &&
	       !gsc_resolve(space->translation, fault->address, &memory, &physical, &length);
}

/* A dump often has the root, but no table: such a walk says nothing. */
static bool has_entry(const struct gsc_walk *walk)
{
	for (size_t i = 0; i < walk->count; i++)
		if (walk->steps[i].entry.bytes)
			return true;
	return walk->stop != GSC_STOP_NO_MEMORY;
}

static bool refused(const struct gsc_hang *hang, const struct gsc_fault *fault,
		    const struct hang_space *space, char *why, size_t size)
{
	if (hang->options.no_walk)
		snprintf(why, size, "walks were not asked for");
	else if (!fault->has_address)
		snprintf(why, size, "the address is not known");
	else if (!space)
		snprintf(why, size, "it is not told in which tables the address was looked up");
	else if (!space->translation)
		snprintf(why, size, "%s: %s", space->error.what, space->error.why);
	else
		return false;
	return true;
}

bool gsc_hang_walk(const struct gsc_hang *hang, size_t fault, struct gsc_walk *walk,
		   const struct gsc_translation **translation, char *why, size_t size)
{
	const struct gsc_fault *f;
	const struct hang_space *space;

	if (fault >= hang->faults.count) {
		snprintf(why, size, "there is no such fault");
		return false;
	}
	f = &hang->faults.items[fault];
	space = space_of(hang, f);
	if (refused(hang, f, space, why, size))
		return false;
	gsc_walk(space->translation, f->address, GSC_INTENT_READ, walk);
	*translation = space->translation;
	if (has_entry(walk))
		return true;
	snprintf(why, size, "no table to walk: %s", walk->stop_text);
	return false;
}
