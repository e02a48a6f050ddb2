/* SPDX-License-Identifier: MIT */
/* Where a translation begins, by options and source. */
#include "roots.h"
#include "gpu/gpu.h"
#include "gtt/gtt.h"
#include "source/source.h"
#include "util/number.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISPLAY_FUNCTION (0 << 8 | 2 << 3 | 0)	/* 00:02.0 */
#define TRVA_MASK 0xf0				/* compare all of address bits 47:44 */

/* ---- options -------------------------------------------------------------------------------- */

/* "00:02.0", "0000:00:02.0" */
static enum gsc_status read_bdf(struct roots *roots, struct gsc_error *err)
{
	unsigned domain, bus, device, function;
	int end = 0;

	roots->function = DISPLAY_FUNCTION;
	if (!roots->bdf)
		return GSC_OK;
	if (sscanf(roots->bdf, "%4x:%2x:%2x.%1u%n", &domain, &bus, &device, &function, &end) != 4)
		end = 0;
	if (!end && sscanf(roots->bdf, "%2x:%2x.%1u%n", &bus, &device, &function, &end) != 3)
		end = 0;
	if (!end || roots->bdf[end] || device > 31 || function > 7)
		return option_error("bdf", roots->bdf,
				    "expected BUS:DEVICE.FUNCTION, such as 00:02.0", err);
	roots->function = bus << 8 | device << 3 | function;
	return GSC_OK;
}

/* PHYS or PHYS/LEVELS */
static enum gsc_status read_second(struct roots *roots, struct gsc_error *err)
{
	struct slice text = slice_string(roots->vtd ? roots->vtd : "");
	struct slice phys = take_until(&text, "/");
	uint64_t levels = 4;

	if (!roots->vtd)
		return GSC_OK;
	if (!slice_number(phys, &roots->second.root) ||
	    (text.at < text.end && !slice_number(slice_from(text, 1), &levels)))
		return option_error("vtd", roots->vtd, "expected PHYS or PHYS/LEVELS", err);
	if (levels < 3 || levels > 5)
		return option_error("vtd", roots->vtd, "expected 3, 4 or 5 levels", err);
	roots->second.levels = (unsigned)levels;
	roots->second.on = true;
	return GSC_OK;
}

static bool is_none(const char *text)
{
	return text && !strcmp(text, "none");
}

static enum gsc_status read_tiled(struct roots *roots, struct gsc_error *err)
{
	struct gsc_tiled *tiled = &roots->tiled;

	if (!roots->trtt || is_none(roots->trtt))
		return GSC_OK;
	if (!gsc_parse_number(roots->trtt, &tiled->l3))
		return option_error("trtt", roots->trtt,
				    "expected the address of the L3 table, or none", err);
	if (roots->trtt_null > UINT32_MAX || roots->trtt_invalid > UINT32_MAX)
		return usage_error(err, "--trtt-null, --trtt-invalid", "an L1 entry has 32 bits");
	if (roots->trtt_va > 0xf)
		return usage_error(err, "--trtt-va", "expected 0 to 15, for address bits 47:44");
	tiled->on = true;
	tiled->null = (uint32_t)roots->trtt_null;
	tiled->has_null = option_given(roots->common, "trtt-null");
	tiled->invalid = (uint32_t)roots->trtt_invalid;
	tiled->has_invalid = option_given(roots->common, "trtt-invalid");
	tiled->va = TRVA_MASK | (uint32_t)roots->trtt_va;
	return GSC_OK;
}

static enum gsc_status parse_root(const struct roots *roots, struct gsc_root *root,
				  struct gsc_error *err)
{
	struct gsc_error why;

	if (!gsc_root_parse(roots->mode, roots->root, root, &why))
		return GSC_OK;
	return option_error("root", roots->root, why.why, err);
}

/* "ggtt:0x1000" is in the global table, "ppgtt:0x1000" is not: options that say otherwise err. */
static enum gsc_status check_place(struct roots *roots, struct gsc_error *err)
{
	bool global = address_in(&roots->place, GSC_GTTMEM), given = roots->mode_name;
	char what[80];

	if (!roots->place.name)
		return GSC_OK;
	string_set(what, "%s:0x%llx", roots->place.name, LL(roots->place.at));
	if (address_graphics(&roots->place, what, err))
		return GSC_USAGE;
	if (given && global != (roots->mode == GSC_MODE_GGTT))
		return usage_error(err, what, global ? "is in the global table, and --mode names "
						       "another"
						     : "is not in the global table, which --mode "
						       "names");
	if (global && !given && roots_given(roots))
		return usage_error(err, what,
				   "is in the global table, which has no root to choose");
	if (global) {
		roots->mode_name = gsc_mode_name(GSC_MODE_GGTT);
		roots->mode = GSC_MODE_GGTT;
	}
	return GSC_OK;
}

enum gsc_status roots_check(struct roots *roots, const struct common *common, struct gsc_error *err)
{
	enum gsc_status status;
	struct gsc_root root;

	roots->common = common;
	if (roots->mode_name && (!gsc_mode_by_name(roots->mode_name, &roots->mode) ||
				 roots->mode == GSC_MODE_TRTT))
		return option_error("mode", roots->mode_name,
				    "expected ggtt, flat, 2level, pdp32, pml4 or ia32e", err);
	status = check_place(roots, err);
	if (!status)
		status = read_bdf(roots, err);
	if (!status)
		status = read_second(roots, err);
	if (!status)
		status = read_tiled(roots, err);
	if (!status && roots->pasid >> 20)
		status = usage_error(err, "--pasid", "a PASID has 20 bits");
	if (status || !roots->root)
		return status;
	return roots->mode_name ? parse_root(roots, &root, err)
				: option_error("root", roots->root, "needs --mode, as the global "
					       "table has no root", err);
}

/* ---- one root ------------------------------------------------------------------------------- */

static const struct gsc_gpu *gpu_in(const struct roots *roots)
{
	return roots->gpu ? roots->gpu : roots->common->gpu;
}

/* The user knows better in which mode a root is used, if it is possible. */
static enum gsc_status take_mode(const struct roots *roots, struct gsc_root *root,
				 struct gsc_error *err)
{
	/* Tables of these depend on one pointer, in the same register. */
	static const unsigned one_pointer = 1 << GSC_MODE_PML4 | 1 << GSC_MODE_IA32E |
					    1 << GSC_MODE_PDP32;
	char what[40];

	if (!roots->mode_name || roots->mode == root->mode)
		return GSC_OK;
	if (roots->mode == GSC_MODE_GGTT) {
		*root = (struct gsc_root){ .mode = GSC_MODE_GGTT };
		return GSC_OK;
	}
	if (one_pointer >> roots->mode & one_pointer >> root->mode & 1 &&
	    roots->mode != GSC_MODE_PDP32) {
		root->mode = roots->mode;
		root->count = 1;
		return GSC_OK;
	}
	string_set(what, "--mode %s", gsc_mode_name(roots->mode));
	return usage_error(err, what, "%s uses mode %s (give --root to override that)", root->from,
			   gsc_mode_name(root->mode));
}

/* The context that runs at the requested moment. */
static bool root_of_moment(const struct roots *roots, struct gsc_root *root)
{
	struct gsc_error ignored;

	return roots->descriptor && !gsc_root_context(gpu_in(roots), roots->descriptor, root,
						      &ignored);
}

/* The first root of that mode in the source. */
static bool root_with_mode(const struct roots *roots, enum gsc_mode mode, struct gsc_root *root)
{
	struct gsc_error ignored;
	struct gsc_root *all = NULL;
	size_t count = 0, i = 0;

	if (gsc_roots(gpu_in(roots), &all, &count, &ignored))
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
	uint64_t start, length;

	if (gsc_source_live(source) || !gsc_source_has(source, GSC_SOURCE_VTD_TEXT))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++)
		if (gsc_extent(source, spaces[i], 0, &start, &length))
			return false;
	return true;
}

/* If the user says nothing; and the global table always exists. */
static enum gsc_status root_of_source(struct roots *roots, struct gsc_root *root)
{
	struct gsc_error why;

	if (root_of_moment(roots, root) || (only_second_level(gsc_gpu_source(gpu_in(roots))) &&
					    root_with_mode(roots, GSC_MODE_VTD, root)))
		return GSC_OK;
	if (!gsc_root_engine(gpu_in(roots), NULL, root, &why))
		return GSC_OK;
	*root = (struct gsc_root){ .mode = GSC_MODE_GGTT };
	string_set(root->from, "default: %.40s: %.140s", why.what, why.why);
	return GSC_OK;
}

static enum gsc_status find_root(struct roots *roots, struct gsc_translation_options *options,
				 struct gsc_error *err)
{
	const struct common *common = roots->common;
	struct gsc_root *root = &options->root;
	enum gsc_status status;

	if (roots->root)
		return parse_root(roots, root, err);
	if (option_given(common, "pasid"))
		status = gsc_root_pasid(gpu_in(roots), roots->rtaddr, roots->function,
					(uint32_t)roots->pasid, options, err);
	else if (option_given(common, "context"))
		/* The rest means one thing in a descriptor, another in CCID: people paste both. */
		status = gsc_root_context(gpu_in(roots), roots->context & GSC_LRCA, root, err);
	else if (roots->engine)
		status = gsc_root_engine(gpu_in(roots), roots->engine, root, err);
	else if (!roots->mode_name)
		return root_of_source(roots, root);
	else if (roots->mode == GSC_MODE_GGTT)
		return GSC_OK;
	else if (root_of_moment(roots, root))
		return take_mode(roots, root, err);
	else if (root_with_mode(roots, roots->mode, root))
		return GSC_OK;
	else if (roots->mode == GSC_MODE_VTD)
		return usage_error(err, "--mode vtd", "no source says where its tables are: give "
				   "--root");
	else
		status = gsc_root_engine(gpu_in(roots), NULL, root, err);
	return status ? status : take_mode(roots, root, err);
}

/* ---- tiled resources ------------------------------------------------------------------------ */

/* Addresses of 32 bits and of the global table are never tiled resources. */
static bool can_be_tiled(enum gsc_mode mode)
{
	return mode == GSC_MODE_PML4 || mode == GSC_MODE_IA32E;
}

static enum gsc_status check_tiled(const struct roots *roots, struct gsc_error *err)
{
	char why[80];

	if (!roots->tiled.on || gsc_mode_level(view_of(roots->common), GSC_MODE_TRTT, 0))
		return GSC_OK;
	string_set(why, "%s has no tiled resources", platform_of(roots->common)->name);
	return option_error("trtt", roots->trtt, why, err);
}

/* The registers decide what the user leaves open. */
static void choose_tiled(const struct roots *roots, struct gsc_translation_options *options)
{
	const struct common *common = roots->common;
	struct gsc_tiled *tiled = &options->trtt, registers = { 0 };

	if (is_none(roots->trtt) || !can_be_tiled(options->root.mode))
		return;
	*tiled = roots->tiled;
	gsc_root_tiled(gpu_in(roots), roots->engine, &registers);
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
	if (!option_given(common, "trtt-va"))
		tiled->va = registers.va;
}

static void add_layers(const struct roots *roots, struct gsc_translation_options *options)
{
	if (roots->second.on)
		options->vtd = roots->second;
	choose_tiled(roots, options);
}

static enum gsc_status root_choose(struct roots *roots, struct gsc_translation_options *options,
				   struct gsc_error *err)
{
	const char *from = options->root.from;
	enum gsc_status status;

	*options = (struct gsc_translation_options){ .root = { .mode = GSC_MODE_GGTT } };
	status = check_tiled(roots, err);
	if (!status)
		status = find_root(roots, options, err);
	if (status)
		return status;
	if (roots->tiled.on && !can_be_tiled(options->root.mode))
		return option_error("trtt", roots->trtt, "needs mode pml4 or ia32e", err);
	/* "ppgtt:" needs tables of a process. */
	if (address_in(&roots->place, GSC_PPGTTMEM) && options->root.mode == GSC_MODE_GGTT)
		return err_set(err, GSC_UNKNOWN, "ppgtt",
			       "%.200s: give --engine, --context or --root",
			       !strncmp(from, "default: ", 9) ? from + 9 :
			       "the source has no tables of a process");
	add_layers(roots, options);
	return GSC_OK;
}

enum gsc_status translation_open(struct roots *roots, struct gsc_translation **translation,
				 struct gsc_error *err)
{
	struct gsc_translation_options options;
	enum gsc_status status = root_choose(roots, &options, err);

	if (status)
		return status;
	return gsc_translation_new(translation, gpu_in(roots), &options, err);
}

/* ---- all of them ---------------------------------------------------------------------------- */

bool roots_given(const struct roots *roots)
{
	return roots->mode_name || roots->root || roots->engine ||
	       option_given(roots->common, "context") || option_given(roots->common, "pasid");
}

enum gsc_status roots_choose(struct roots *roots, struct gsc_translation_options **options,
			     size_t *count, struct gsc_error *err)
{
	enum gsc_status status = check_tiled(roots, err);
	struct gsc_root *all = NULL;
	struct gsc_error ignored;
	bool has_ggtt = false;
	size_t found = 0;

	*count = 0;
	*options = NULL;
	if (status)
		return status;
	if (!roots_given(roots) && gsc_roots(gpu_in(roots), &all, &found, &ignored))
		found = 0;
	*options = calloc(found + 1, sizeof(**options));
	if (!*options) {
		free(all);
		return err_memory(err);
	}
	if (roots_given(roots)) {
		*count = 1;
		return root_choose(roots, *options, err);
	}
	for (size_t i = 0; i < found; i++)
		has_ggtt |= all[i].mode == GSC_MODE_GGTT;
	if (!has_ggtt && !(found && only_second_level(gsc_gpu_source(gpu_in(roots)))))
		(*options)[(*count)++].root.mode = GSC_MODE_GGTT;
	for (size_t i = 0; i < found; i++)
		(*options)[(*count)++].root = all[i];
	for (size_t i = 0; i < *count; i++) {
		if (!(*options)[i].root.count)
			*(*options)[i].root.from = 0;
		add_layers(roots, &(*options)[i]);
	}
	free(all);
	return GSC_OK;
}
