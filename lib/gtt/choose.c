/* SPDX-License-Identifier: MIT */
/* Which tables are meant: what somebody says about them, and what is left to the source. */
#include "gtt/gtt.h"

#include "source/part.h"
#include "source/source.h"
#include "util/text.h"

enum gsc_status gsc_mode_parse(const char *text, enum gsc_mode *mode, struct gsc_error *err)
{
	if (gsc_mode_by_name(text, mode) && *mode != GSC_MODE_TRTT)
		return GSC_OK;
	return err_set(err, GSC_USAGE, text, "expected ggtt, flat, 2level, pdp32, pml4 or ia32e");
}

/* ---- one root ------------------------------------------------------------------------------- */

/* The user knows better in which mode a root is used, if it is possible. */
static enum gsc_status take_mode(const struct gsc_choice *choice, struct gsc_root *root,
				 struct gsc_error *err)
{
	/* Tables of these depend on one pointer, in the same register. */
	static const unsigned one_pointer = 1 << GSC_MODE_PML4 | 1 << GSC_MODE_IA32E |
					    1 << GSC_MODE_PDP32;
	enum gsc_mode mode = choice->mode;
	char what[40];

	if (!choice->has_mode || mode == root->mode)
		return GSC_OK;
	if (mode == GSC_MODE_GGTT) {
		*root = (struct gsc_root){ .mode = GSC_MODE_GGTT };
		return GSC_OK;
	}
	if (one_pointer >> mode & one_pointer >> root->mode & 1 && mode != GSC_MODE_PDP32) {
		root->mode = mode;
		root->count = 1;
		return GSC_OK;
	}
	string_set(what, "--mode %s", gsc_mode_name(mode));
	return err_set(err, GSC_USAGE, what, "%s uses mode %s (give --root to override that)",
		       root->from, gsc_mode_name(root->mode));
}

/* The context that runs at the requested moment. */
static bool root_of_moment(const struct gsc_gpu *gpu, const struct gsc_choice *choice,
			   struct gsc_root *root)
{
	struct gsc_error ignored;

	return choice->running && !gsc_root_context(gpu, choice->running, root, &ignored);
}

/* The first root of that mode in the source. */
static bool root_with_mode(const struct gsc_gpu *gpu, enum gsc_mode mode, struct gsc_root *root)
{
	struct gsc_error ignored;
	struct gsc_root *all = NULL;
	size_t count = 0, i = 0;

	if (gsc_roots(gpu, &all, &count, &ignored))
		count = 0;
	while (i < count && all[i].mode != mode)
		i++;
	if (i < count)
		*root = all[i];
	free(all);
	return i < count;
}

/* VT-d text alone has no GPU addresses: it translates what comes out of a GPU's tables. */
static bool only_second_level(struct gsc_source *source)
{
	static const enum gsc_space spaces[] = { GSC_MMIO, GSC_CONFIG, GSC_GGTT, GSC_GTTMEM,
						 GSC_PPGTTMEM };

	if (!source || gsc_source_live(source) || !gsc_source_has(source, GSC_SOURCE_VTD_TEXT))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++)
		if (source_may_hold(source, spaces[i]))
			return false;
	return true;
}

/* If nobody says anything; and the global table always exists. */
static enum gsc_status root_of_source(const struct gsc_gpu *gpu, const struct gsc_choice *choice,
				      struct gsc_root *root)
{
	struct gsc_error why;

	if (root_of_moment(gpu, choice, root) ||
	    (only_second_level(gpu->source) && root_with_mode(gpu, GSC_MODE_VTD, root)))
		return GSC_OK;
	if (!gsc_root_engine(gpu, NULL, root, &why))
		return GSC_OK;
	*root = (struct gsc_root){ .mode = GSC_MODE_GGTT };
	string_set(root->from, "default: %.40s: %.140s", why.what, why.why);
	return GSC_OK;
}

static enum gsc_status find_root(const struct gsc_gpu *gpu, const struct gsc_choice *choice,
				 struct gsc_translation_options *options, struct gsc_error *err)
{
	struct gsc_root *root = &options->root;
	enum gsc_status status;

	if (choice->root) {
		*root = *choice->root;
		return GSC_OK;
	}
	if (choice->pasid)
		status = gsc_root_pasid(gpu, choice->rtaddr, choice->function, *choice->pasid,
					options, err);
	else if (choice->context)
		/* The rest means one thing in a descriptor, another in CCID: people paste both. */
		status = gsc_root_context(gpu, *choice->context & GSC_LRCA, root, err);
	else if (choice->process)
		status = gsc_root_process(gpu, choice->process, root, err);
	else if (choice->engine)
		status = gsc_root_engine(gpu, choice->engine, root, err);
	else if (!choice->has_mode)
		return root_of_source(gpu, choice, root);
	else if (choice->mode == GSC_MODE_GGTT)
		return GSC_OK;
	else if (root_of_moment(gpu, choice, root))
		return take_mode(choice, root, err);
	else if (root_with_mode(gpu, choice->mode, root))
		return GSC_OK;
	else if (choice->mode == GSC_MODE_VTD)
		return err_set(err, GSC_USAGE, "--mode vtd", "no source says where its tables are: "
			       "give --root");
	else
		status = gsc_root_engine(gpu, NULL, root, err);
	return status ? status : take_mode(choice, root, err);
}

/* ---- what is in front of it and below ------------------------------------------------------- */

bool gsc_mode_can_be_tiled(enum gsc_mode mode)
{
	return mode == GSC_MODE_PML4 || mode == GSC_MODE_IA32E;
}

/* The registers decide what the user leaves open. */
static void choose_tiled(const struct gsc_gpu *gpu, const struct gsc_choice *choice,
			 struct gsc_translation_options *options)
{
	struct gsc_tiled *tiled = &options->trtt, registers = { 0 };

	if (choice->no_tiled || !gsc_mode_can_be_tiled(options->root.mode))
		return;
	*tiled = choice->tiled;
	gsc_root_tiled(gpu, choice->engine, &registers);
	if (!registers.on)
		return;
	if (!tiled->on) {
		*tiled = registers;
		if (!*tiled->from)
			string_set(tiled->from, "the engine's registers");
		return;
	}
	if (!tiled->has_null) {
		tiled->has_null = registers.has_null;
		tiled->null = registers.null;
	}
	if (!tiled->has_invalid) {
		tiled->has_invalid = registers.has_invalid;
		tiled->invalid = registers.invalid;
	}
	if (!choice->tiled_place)
		tiled->va = registers.va;
}

static void add_layers(const struct gsc_gpu *gpu, const struct gsc_choice *choice,
		       struct gsc_translation_options *options)
{
	if (choice->second.on)
		options->vtd = choice->second;
	choose_tiled(gpu, choice, options);
}

/* ---- all of it ------------------------------------------------------------------------------ */

enum gsc_status gsc_choose(const struct gsc_gpu *gpu, const struct gsc_choice *choice,
			   struct gsc_translation_options *options, struct gsc_error *err)
{
	enum gsc_status status = gpu_needs_source(gpu, err);

	*options = (struct gsc_translation_options){ .root = { .mode = GSC_MODE_GGTT } };
	if (!status)
		status = find_root(gpu, choice, options, err);
	if (!status)
		add_layers(gpu, choice, options);
	return status;
}

enum gsc_status gsc_choose_all(const struct gsc_gpu *gpu, const struct gsc_choice *choice,
			       struct gsc_translation_options **out, size_t *count,
			       struct gsc_error *err)
{
	struct gsc_translation_options *options;
	struct gsc_root *all = NULL;
	struct gsc_error ignored;
	bool has_ggtt = false;
	size_t found = 0;

	*count = 0;
	if (gsc_roots(gpu, &all, &found, &ignored))
		found = 0;
	*out = options = calloc(found + 1, sizeof(*options));
	if (!options) {
		free(all);
		return err_memory(err);
	}
	for (size_t i = 0; i < found; i++)
		has_ggtt |= all[i].mode == GSC_MODE_GGTT;
	if (!has_ggtt && !(found && only_second_level(gpu->source)))
		options[(*count)++].root.mode = GSC_MODE_GGTT;
	for (size_t i = 0; i < found; i++)
		options[(*count)++].root = all[i];
	for (size_t i = 0; i < *count; i++) {
		if (!options[i].root.count)
			*options[i].root.from = 0;
		add_layers(gpu, choice, &options[i]);
	}
	free(all);
	return GSC_OK;
}

/* ---- no tables at all ----------------------------------------------------------------------- */

const char *gsc_tables_absence(struct gsc_source *source, enum gsc_mode mode)
{
	bool global = mode == GSC_MODE_GGTT || mode == GSC_MODE_2LEVEL;
	enum gsc_read status = GSC_READ_OK;
	uint64_t value;

	if (!gsc_source_live(source)) {
		if (global)
			return source_may_hold(source, GSC_GGTT) ? NULL : "the dump has no GGTT";
		return source_may_hold(source, GSC_PHYS) || source_may_hold(source, GSC_LMEM) ?
			       NULL : "the dump has no page tables";
	}
	if (global)
		status = gsc_read(source, GSC_GGTT, 0, 4, &value);
	if (status == GSC_READ_OK || status == GSC_READ_ALL_ONES)
		return NULL;
	/* A device has notes about what it refuses. */
	return gsc_source_note(source, 0) ? gsc_source_note(source, 0) : "the GGTT cannot be read";
}
