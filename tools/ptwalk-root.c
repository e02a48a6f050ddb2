/* SPDX-License-Identifier: MIT */
/* Where a translation begins, as options and source tell. */
#include "ptwalk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISPLAY_FUNCTION (0 << 8 | 2 << 3 | 0)	/* 00:02.0 */
#define TRVA_MASK 0xf0				/* compare all of address bits 47:44 */

/* The rest means one thing in a descriptor and another in CCID, and people paste both. */
#define LRCA_BITS UINT64_C(0xfffff000)

/* ---- options -------------------------------------------------------------------------------- */

static enum gsc_status wrong(const char *option, const char *value, const char *why,
			     struct gsc_error *err)
{
	char what[200];

	snprintf(what, sizeof(what), "--%s %.150s", option, *value ? value : "''");
	return usage_error(err, what, why);
}

static enum gsc_status read_mode(struct ptwalk *walk, struct gsc_error *err)
{
	if (!walk->mode_name || (gsc_mode_by_name(walk->mode_name, &walk->mode) &&
				 walk->mode != GSC_MODE_TRTT))
		return GSC_OK;
	return wrong("mode", walk->mode_name, "expected ggtt, flat, 2level, pdp32, pml4 or ia32e",
		     err);
}

/* "00:02.0", "0000:00:02.0" */
static enum gsc_status read_bdf(struct ptwalk *walk, struct gsc_error *err)
{
	unsigned domain, bus, device, function;
	int end = 0;

	walk->function = DISPLAY_FUNCTION;
	if (!walk->bdf)
		return GSC_OK;
	if (sscanf(walk->bdf, "%4x:%2x:%2x.%1u%n", &domain, &bus, &device, &function, &end) != 4)
		end = 0;
	if (!end && sscanf(walk->bdf, "%2x:%2x.%1u%n", &bus, &device, &function, &end) != 3)
		end = 0;
	if (!end || walk->bdf[end] || device > 31 || function > 7)
		return wrong("bdf", walk->bdf, "expected BUS:DEVICE.FUNCTION, such as 00:02.0",
			     err);
	walk->function = bus << 8 | device << 3 | function;
	return GSC_OK;
}

static enum gsc_status read_second(struct ptwalk *walk, struct gsc_error *err)
{
	uint64_t levels = 4;
	char phys[64];
	size_t length;

	if (!walk->vtd)
		return GSC_OK;
	length = strcspn(walk->vtd, "/");
	if (length >= sizeof(phys))
		return wrong("vtd", walk->vtd, "expected PHYS or PHYS/LEVELS", err);
	memcpy(phys, walk->vtd, length);
	phys[length] = 0;
	if (!gsc_parse_number(phys, &walk->second.root) ||
	    (walk->vtd[length] && !gsc_parse_number(walk->vtd + length + 1, &levels)))
		return wrong("vtd", walk->vtd, "expected PHYS or PHYS/LEVELS", err);
	if (levels < 3 || levels > 5)
		return wrong("vtd", walk->vtd, "expected 3, 4 or 5 levels", err);
	walk->second.levels = (unsigned)levels;
	walk->second.on = true;
	return GSC_OK;
}

static bool is_none(const char *text)
{
	return text && !strcmp(text, "none");
}

static enum gsc_status read_tiled(struct ptwalk *walk, struct gsc_error *err)
{
	struct gsc_tiled *tiled = &walk->tiled;

	if (!walk->trtt || is_none(walk->trtt))
		return GSC_OK;
	if (!gsc_parse_number(walk->trtt, &tiled->l3))
		return wrong("trtt", walk->trtt, "expected the address of the L3 table, or none",
			     err);
	if (walk->trtt_null > UINT32_MAX || walk->trtt_invalid > UINT32_MAX)
		return usage_error(err, "--trtt-null, --trtt-invalid", "an L1 entry has 32 bits");
	if (walk->trtt_va > 0xf)
		return usage_error(err, "--trtt-va", "expected 0 to 15, for address bits 47:44");
	tiled->on = true;
	tiled->null = (uint32_t)walk->trtt_null;
	tiled->has_null = option_given(&walk->common, "trtt-null");
	tiled->invalid = (uint32_t)walk->trtt_invalid;
	tiled->has_invalid = option_given(&walk->common, "trtt-invalid");
	tiled->va = TRVA_MASK | (uint32_t)walk->trtt_va;
	return GSC_OK;
}

static enum gsc_status parse_root(const struct ptwalk *walk, struct gsc_root *root,
				  struct gsc_error *err)
{
	struct gsc_error why;

	if (!gsc_root_parse(walk->mode, walk->root, root, &why))
		return GSC_OK;
	return wrong("root", walk->root, why.why, err);
}

static enum gsc_status check_root(const struct ptwalk *walk, struct gsc_error *err)
{
	struct gsc_root root;

	if (walk->pasid >> 20)
		return usage_error(err, "--pasid", "a PASID has 20 bits");
	if (!walk->root)
		return GSC_OK;
	if (!walk->mode_name)
		return wrong("root", walk->root, "goes with --mode: the global table has no root",
			     err);
	return parse_root(walk, &root, err);
}

enum gsc_status roots_check(struct ptwalk *walk, struct gsc_error *err)
{
	enum gsc_status status = read_mode(walk, err);

	if (!status)
		status = read_bdf(walk, err);
	if (!status)
		status = read_second(walk, err);
	if (!status)
		status = read_tiled(walk, err);
	return status ? status : check_root(walk, err);
}

/* ---- one root ------------------------------------------------------------------------------- */

/* Tables of these modes hang on one pointer, the same register's. */
static bool one_pointer(enum gsc_mode mode)
{
	return mode == GSC_MODE_PML4 || mode == GSC_MODE_IA32E || mode == GSC_MODE_PDP32;
}

/* The user knows better in which mode a root is used, if it could be. */
static enum gsc_status take_mode(const struct ptwalk *walk, struct gsc_root *root,
				 struct gsc_error *err)
{
	char what[40], why[300];

	if (!walk->mode_name || walk->mode == root->mode)
		return GSC_OK;
	if (walk->mode == GSC_MODE_GGTT) {
		*root = (struct gsc_root){ .mode = GSC_MODE_GGTT };
		return GSC_OK;
	}
	if (one_pointer(walk->mode) && one_pointer(root->mode) && walk->mode != GSC_MODE_PDP32) {
		root->mode = walk->mode;
		root->count = 1;
		return GSC_OK;
	}
	snprintf(what, sizeof(what), "--mode %s", gsc_mode_name(walk->mode));
	snprintf(why, sizeof(why), "%s is in mode %s (--root says otherwise)", root->from,
		 gsc_mode_name(root->mode));
	return usage_error(err, what, why);
}

/* The first root of the mode asked for that the source tells; else *err says where it looked. */
static enum gsc_status root_of_mode(struct ptwalk *walk, struct gsc_root *root,
				    struct gsc_error *err)
{
	struct common *common = &walk->common;
	struct gsc_root *roots = NULL;
	enum gsc_status status;
	bool found = false;
	size_t count = 0;

	status = gsc_roots(common->source, common->view, &roots, &count, err);
	for (size_t i = 0; !status && !found && i < count; i++) {
		found = roots[i].mode == walk->mode;
		if (found)
			*root = roots[i];
	}
	free(roots);
	if (found)
		return GSC_OK;
	if (walk->mode == GSC_MODE_VTD)
		return usage_error(err, "--mode vtd", "where are the tables? give --root");
	status = gsc_root_engine(common->source, common->view, NULL, root, err);
	return status ? status : take_mode(walk, root, err);
}

/* Without a word from the user; and the global table is always there. */
static enum gsc_status root_of_source(struct ptwalk *walk, struct gsc_root *root)
{
	struct common *common = &walk->common;
	struct gsc_error why;

	if (!gsc_root_engine(common->source, common->view, NULL, root, &why))
		return GSC_OK;
	*root = (struct gsc_root){ .mode = GSC_MODE_GGTT };
	snprintf(root->from, sizeof(root->from), "default: %.40s: %.140s", why.what, why.why);
	return GSC_OK;
}

static enum gsc_status find_root(struct ptwalk *walk, struct gsc_translation_options *options,
				 struct gsc_error *err)
{
	struct common *common = &walk->common;
	struct gsc_root *root = &options->root;
	enum gsc_status status;

	if (walk->root)
		return parse_root(walk, root, err);
	if (option_given(common, "pasid"))
		status = gsc_root_pasid(common->source, common->view, walk->rtaddr,
					walk->function, (uint32_t)walk->pasid, options, err);
	else if (option_given(common, "context"))
		status = gsc_root_context(common->source, common->view, walk->context & LRCA_BITS,
					  root, err);
	else if (walk->engine)
		status = gsc_root_engine(common->source, common->view, walk->engine, root, err);
	else if (!walk->mode_name)
		return root_of_source(walk, root);
	else if (walk->mode == GSC_MODE_GGTT)
		return GSC_OK;
	else
		return root_of_mode(walk, root, err);
	return status ? status : take_mode(walk, root, err);
}

/* ---- tiled resources ------------------------------------------------------------------------ */

/* Addresses of 32 bits and of the global table are no tiled resources. */
static bool can_be_tiled(enum gsc_mode mode)
{
	return mode == GSC_MODE_PML4 || mode == GSC_MODE_IA32E;
}

static enum gsc_status check_tiled(const struct ptwalk *walk, struct gsc_error *err)
{
	char why[80];

	if (!walk->tiled.on || gsc_mode_level(walk->common.view, GSC_MODE_TRTT, 0))
		return GSC_OK;
	snprintf(why, sizeof(why), "%s has no tiled resources", walk->common.platform.name);
	return wrong("trtt", walk->trtt, why, err);
}

/* What the user leaves open is as the registers say. */
static void choose_tiled(const struct ptwalk *walk, struct gsc_translation_options *options)
{
	const struct common *common = &walk->common;
	struct gsc_tiled *tiled = &options->trtt, registers = { 0 };

	if (is_none(walk->trtt) || !can_be_tiled(options->root.mode))
		return;
	*tiled = walk->tiled;
	gsc_root_tiled(common->source, common->view, walk->engine, &registers);
	if (!registers.on)
		return;
	if (!tiled->on) {
		*tiled = registers;
		if (!*tiled->from)
			snprintf(tiled->from, sizeof(tiled->from), "the engine's registers");
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

static void add_layers(const struct ptwalk *walk, struct gsc_translation_options *options)
{
	if (walk->second.on)
		options->vtd = walk->second;
	choose_tiled(walk, options);
}

static enum gsc_status root_choose(struct ptwalk *walk, struct gsc_translation_options *options,
				   struct gsc_error *err)
{
	enum gsc_status status;

	*options = (struct gsc_translation_options){ .root = { .mode = GSC_MODE_GGTT } };
	status = check_tiled(walk, err);
	if (!status)
		status = find_root(walk, options, err);
	if (status)
		return status;
	if (walk->tiled.on && !can_be_tiled(options->root.mode))
		return wrong("trtt", walk->trtt, "goes with mode pml4 or ia32e only", err);
	add_layers(walk, options);
	return GSC_OK;
}

enum gsc_status translation_open(struct ptwalk *walk, struct gsc_translation **translation,
				 struct gsc_error *err)
{
	struct common *common = &walk->common;
	struct gsc_translation_options options;
	enum gsc_status status = root_choose(walk, &options, err);

	if (status)
		return status;
	return gsc_translation_new(translation, common->source, common->view, &options, err);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool says_where(const struct ptwalk *walk)
{
	return walk->mode_name || walk->root || walk->engine ||
	       option_given(&walk->common, "context") || option_given(&walk->common, "pasid");
}

static bool has_ggtt(const struct gsc_root *roots, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (roots[i].mode == GSC_MODE_GGTT)
			return true;
	return false;
}

enum gsc_status roots_choose(struct ptwalk *walk, struct gsc_translation_options **options,
			     size_t *count, struct gsc_error *err)
{
	struct common *common = &walk->common;
	enum gsc_status status = check_tiled(walk, err);
	struct gsc_root *roots = NULL;
	struct gsc_error ignored;
	size_t found = 0;

	*count = 0;
	*options = NULL;
	if (status)
		return status;
	if (!says_where(walk) &&
	    gsc_roots(common->source, common->view, &roots, &found, &ignored))
		found = 0;
	*options = calloc(found + 1, sizeof(**options));
	if (!*options) {
		free(roots);
		return memory_error(err);
	}
	if (says_where(walk)) {
		*count = 1;
		return root_choose(walk, *options, err);
	}
	if (!has_ggtt(roots, found))
		(*options)[(*count)++].root.mode = GSC_MODE_GGTT;
	for (size_t i = 0; i < found; i++)
		(*options)[(*count)++].root = roots[i];
	for (size_t i = 0; i < *count; i++) {
		if (!(*options)[i].root.count)
			*(*options)[i].root.from = 0;
		add_layers(walk, &(*options)[i]);
	}
	free(roots);
	return GSC_OK;
}
