/* SPDX-License-Identifier: MIT */
/* Where a translation begins, by options and source. */
#include "roots.h"
#include "gpu/gpu.h"
#include "gtt/walk.h"
#include "source/source.h"
#include "util/number.h"
#include "util/text.h"

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
	struct gsc_error why;
	struct gsc_root root;

	roots->common = common;
	if (roots->mode_name && gsc_mode_parse(roots->mode_name, &roots->mode, &why))
		return option_error("mode", roots->mode_name, why.why, err);
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

static enum gsc_status check_tiled(const struct roots *roots, struct gsc_error *err)
{
	char why[80];

	if (!roots->tiled.on || gsc_mode_level(view_of(roots->common), GSC_MODE_TRTT, 0))
		return GSC_OK;
	string_set(why, "%s has no tiled resources", platform_of(roots->common)->name);
	return option_error("trtt", roots->trtt, why, err);
}

/* As the user says it; `root` and `pasid` have room for what is behind pointers. */
static struct gsc_choice choice_of(const struct roots *roots, struct gsc_root *root,
				   uint32_t *pasid)
{
	const struct common *common = roots->common;
	struct gsc_choice choice = {
		.has_mode = roots->mode_name,
		.mode = roots->mode,
		.engine = roots->engine,
		.process = roots->process,
		.context = option_given(common, "context") ? &roots->context : NULL,
		.pasid = option_given(common, "pasid") ? pasid : NULL,
		.rtaddr = roots->rtaddr,
		.function = roots->function,
		.running = roots->descriptor,
		.second = roots->second,
		.tiled = roots->tiled,
		.no_tiled = is_none(roots->trtt),
		.tiled_place = option_given(common, "trtt-va"),
	};
	struct gsc_error checked;

	*pasid = (uint32_t)roots->pasid;
	if (roots->root && !parse_root(roots, root, &checked))
		choice.root = root;
	return choice;
}

static enum gsc_status root_choose(struct roots *roots, struct gsc_translation_options *options,
				   struct gsc_error *err)
{
	const char *from = options->root.from;
	struct gsc_root root;
	uint32_t pasid;
	const struct gsc_choice choice = choice_of(roots, &root, &pasid);
	enum gsc_status status = check_tiled(roots, err);

	if (!status)
		status = gsc_choose(gpu_in(roots), &choice, options, err);
	if (status)
		return status;
	if (roots->tiled.on && !gsc_mode_can_be_tiled(options->root.mode))
		return option_error("trtt", roots->trtt, "needs mode pml4 or ia32e", err);
	/* "ppgtt:" needs tables of a process. */
	if (address_in(&roots->place, GSC_PPGTTMEM) && options->root.mode == GSC_MODE_GGTT)
		return err_set(err, GSC_UNKNOWN, "ppgtt",
			       "%.200s: give --engine, --context or --root",
			       !strncmp(from, "default: ", 9) ? from + 9 :
			       "the source has no tables of a process");
	return GSC_OK;
}

enum gsc_status translation_open(struct roots *roots, struct gsc_translation **translation,
				 struct gsc_error *err)
{
	struct gsc_translation_options options;
	enum gsc_status status = root_choose(roots, &options, err);

	if (status)
		return status;
	options.mocs = (struct gsc_mocs){ option_given(roots->common, "mocs"), roots->mocs.index,
					  roots->engine };
	return gsc_translation_new(translation, gpu_in(roots), &options, err);
}

/* ---- all of them ---------------------------------------------------------------------------- */

bool roots_given(const struct roots *roots)
{
	return roots->mode_name || roots->root || roots->engine || roots->process ||
	       option_given(roots->common, "context") || option_given(roots->common, "pasid");
}

enum gsc_status roots_choose(struct roots *roots, struct gsc_translation_options **options,
			     size_t *count, struct gsc_error *err)
{
	enum gsc_status status = check_tiled(roots, err);
	struct gsc_root root;
	uint32_t pasid;
	const struct gsc_choice choice = choice_of(roots, &root, &pasid);

	*count = 0;
	*options = NULL;
	if (status)
		return status;
	if (!roots_given(roots))
		return gsc_choose_all(gpu_in(roots), &choice, options, count, err);
	*options = calloc(1, sizeof(**options));
	if (!*options)
		return err_memory(err);
	*count = 1;
	return root_choose(roots, *options, err);
}
