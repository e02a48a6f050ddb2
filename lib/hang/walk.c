/* SPDX-License-Identifier: MIT */
/*
 * Faulting addresses in the tables of the source. These are the tables of now: for a fault that the
 * driver has resolved since, or of a context other than the running one, they may say otherwise.
 */
#include "hang/hang.h"
#include "util/text.h"

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

/* A failure is reported when the walk is requested, unless memory is out. */
static enum gsc_status open_space(const struct hang_tables *tables, struct hang_space *space)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	unsigned segment, bus, device, function;
	struct gsc_error *err = &space->error;
	enum gsc_status status = GSC_OK;

	if (!strcmp(space->name, "ppgtt")) {
		if (!*space->owner)
			return err_set(err, GSC_UNKNOWN, "per-process tables",
				       "it is unknown whose access it was");
		status = gsc_root_engine(tables->gpu, space->owner, &options.root, err);
		if (!status)
			gsc_root_tiled(tables->gpu, space->owner, &options.trtt);
	} else if (!strcmp(space->name, "dma")) {
		if (sscanf(space->owner, "%4x:%2x:%2x.%1x", &segment, &bus, &device,
			   &function) != 4 || segment)
			return err_set(err, GSC_UNKNOWN, "second-level tables", "a source has only "
				       "the tables of the first PCI segment; this device is %s",
				       space->owner);
		status = gsc_root_function(tables->gpu->source, bus << 8 | device << 3 | function,
					   &options.root, err);
	}
	return status ? status : gsc_translation_new(&space->translation, tables->gpu, &options,
						     err);
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
	string_set(space->owner, "%s", owner_of(fault, function));
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

/* ---- walks ---------------------------------------------------------------------------------- */

bool hang_tables_walk(const struct hang_tables *tables, const struct gsc_fault *fault,
		      const char *function, struct gsc_walk *walk,
		      const struct gsc_translation **translation, char *why, size_t size)
{
	const struct hang_space *space = space_of(tables, fault, function);
	const char *access = fault->access ? fault->access : "read";

	if (!fault->has_address) {
		snprintf(why, size, "the address is not known");
		return false;
	}
	if (!space) {
		snprintf(why, size, "it is unknown in which tables the address was looked up");
		return false;
	}
	if (!space->translation) {
		snprintf(why, size, "%s: %s", space->error.what, space->error.why);
		return false;
	}
	gsc_walk(space->translation, fault->address, !strcmp(access, "write") ? GSC_INTENT_WRITE :
		 !strcmp(access, "atomic") ? GSC_INTENT_ATOMIC : GSC_INTENT_READ, walk);
	*translation = space->translation;
	/* A dump often has the root, but no table: such a walk says nothing. */
	for (size_t i = 0; i < walk->count; i++)
		if (walk->steps[i].entry.bytes)
			return true;
	if (walk->stop != GSC_STOP_NO_MEMORY)
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
