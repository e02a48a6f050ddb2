/* SPDX-License-Identifier: MIT */
/*
 * Faulting addresses in the tables of the source. These are the tables of now: for a fault that the
 * driver has resolved since, or of a context other than the running one, they may say otherwise.
 */
#include "hang/hang.h"
#include "gtt/gtt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tables ----------------------------------------------------------------------------- */

/* Whose tables of that name they are. */
static const char *owner_of(const struct gsc_fault *fault, const char *function)
{
	if (!strcmp(fault->space, "ppgtt"))
		return fault->engine;
	return !strcmp(fault->space, "dma") ? function : "";
}

static const struct hang_space *space_of(const struct hang_tables *tables,
					 const struct gsc_fault *fault, const char *function)
{
	for (size_t i = 0; fault->space && i < tables->spaces.count; i++) {
		const struct hang_space *space = &tables->spaces.items[i];

		if (!strcmp(space->name, fault->space) &&
		    !strcmp(space->owner, owner_of(fault, function)))
			return space;
	}
	return NULL;
}

static enum gsc_status process_root(const struct hang_tables *tables, const char *engine,
				    struct gsc_translation_options *options, struct gsc_error *err)
{
	enum gsc_status status;

	if (!*engine)
		return err_set(err, GSC_UNKNOWN, "per-process tables",
			       "it is unknown whose access it was");
	status = gsc_root_engine(tables->gpu, engine, &options->root, err);
	if (!status)
		gsc_root_tiled(tables->gpu, engine, &options->trtt);
	return status;
}

static enum gsc_status function_root(const struct hang_tables *tables, const char *name,
				     struct gsc_translation_options *options,
				     struct gsc_error *err)
{
	unsigned segment, bus, device, function;

	if (sscanf(name, "%4x:%2x:%2x.%1x", &segment, &bus, &device, &function) != 4 || segment)
		return err_set(err, GSC_UNKNOWN, "second-level tables",
			       "a source has only the tables of the first PCI segment; this device "
			       "is %s", name);
	return gsc_root_function(tables->gpu->source, bus << 8 | device << 3 | function,
				 &options->root, err);
}

/* A failure is reported when the walk is requested, unless memory is out. */
static void open_space(const struct hang_tables *tables, struct hang_space *space)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };

	if ((!strcmp(space->name, "ppgtt") &&
	     process_root(tables, space->owner, &options, &space->error)) ||
	    (!strcmp(space->name, "dma") &&
	     function_root(tables, space->owner, &options, &space->error)))
		return;
	gsc_translation_new(&space->translation, tables->gpu, &options, &space->error);
}

enum gsc_status hang_tables_open(struct hang_tables *tables, const struct gsc_fault *fault,
				 const char *function, struct gsc_error *err)
{
	struct hang_space *space;

	if (!fault->has_address || !fault->space || space_of(tables, fault, function))
		return GSC_OK;
	space = vec_add(&tables->spaces);
	if (!space)
		return err_memory(err);
	memset(space, 0, sizeof(*space));
	space->name = fault->space;
	snprintf(space->owner, sizeof(space->owner), "%s", owner_of(fault, function));
	open_space(tables, space);
	if (!err_is_memory(&space->error))
		return GSC_OK;
	*err = space->error;
	return GSC_FAILED;
}

void hang_tables_free(struct hang_tables *tables)
{
	for (size_t i = 0; i < tables->spaces.count; i++)
		gsc_translation_free(tables->spaces.items[i].translation);
	vec_free(&tables->spaces);
}

enum gsc_status hang_spaces(struct gsc_hang *hang, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	hang->tables.gpu = hang->gpu;
	for (size_t i = 0; i < hang->faults.count && !hang->options.no_walk && !status; i++)
		status = hang_tables_open(&hang->tables, &hang->faults.items[i], "", err);
	return status;
}

/* ---- walks ---------------------------------------------------------------------------------- */

/* A dump often has the root, but no table: such a walk says nothing. */
static bool has_entry(const struct gsc_walk *walk)
{
	for (size_t i = 0; i < walk->count; i++)
		if (walk->steps[i].entry.bytes)
			return true;
	return walk->stop != GSC_STOP_NO_MEMORY;
}

static bool refused(const struct gsc_fault *fault, const struct hang_space *space, char *why,
		    size_t size)
{
	if (!fault->has_address)
		snprintf(why, size, "the address is not known");
	else if (!space)
		snprintf(why, size, "it is unknown in which tables the address was looked up");
	else if (!space->translation)
		snprintf(why, size, "%s: %s", space->error.what, space->error.why);
	else
		return false;
	return true;
}

static enum gsc_intent intent_of(const struct gsc_fault *fault)
{
	if (!fault->access)
		return GSC_INTENT_READ;
	return !strcmp(fault->access, "write") ? GSC_INTENT_WRITE :
	       !strcmp(fault->access, "atomic") ? GSC_INTENT_ATOMIC : GSC_INTENT_READ;
}

bool hang_tables_walk(const struct hang_tables *tables, const struct gsc_fault *fault,
		      const char *function, struct gsc_walk *walk,
		      const struct gsc_translation **translation, char *why, size_t size)
{
	const struct hang_space *space = space_of(tables, fault, function);

	if (refused(fault, space, why, size))
		return false;
	gsc_walk(space->translation, fault->address, intent_of(fault), walk);
	*translation = space->translation;
	if (has_entry(walk))
		return true;
	snprintf(why, size, "no table to walk: %s", walk->stop_text);
	return false;
}

bool hang_fault_mapped(const struct gsc_hang *hang, const struct gsc_fault *fault)
{
	struct gsc_walk walk;
	const struct gsc_translation *translation;
	char why[200];

	return hang_tables_walk(&hang->tables, fault, "", &walk, &translation, why,
				sizeof(why)) && walk.mapped;
}

bool gsc_hang_walk(const struct gsc_hang *hang, size_t fault, struct gsc_walk *walk,
		   const struct gsc_translation **translation, char *why, size_t size)
{
	if (fault < hang->faults.count && !hang->options.no_walk)
		return hang_tables_walk(&hang->tables, &hang->faults.items[fault], "", walk,
					translation, why, size);
	snprintf(why, size, "%s", hang->options.no_walk ? "walks were turned off"
							: "there is no such fault");
	return false;
}
