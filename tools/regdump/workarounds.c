/* SPDX-License-Identifier: MIT */
/* --check-workarounds: compares registers with what the driver writes into them. */
#include "regdump.h"
#include "hang/workaround.h"
#include "util/text.h"

KEYS(workarounds, "--check-workarounds.")
static void print_json(struct common *common, const struct gsc_workarounds *all)
{
	struct gsc_json document, *json = &document;

	source_document(common, REGDUMP_SCHEMA, json);
	gsc_json_workaround_counts(json, all);
	KEY_LIST("workarounds", OF(workaroundCheck));
	for (size_t i = 0; i < all->checks.count && !gsc_out_error(common->out); i++)
		ITEM(gsc_json_workaround(json, view_of(common), &all->checks.items[i]));
	gsc_json_finish(json);
}

enum gsc_status workarounds_run(struct common *common, struct gsc_error *err)
{
	struct gsc_workarounds all = { .assumed = false };
	enum gsc_status status = GSC_OK;
	char why[60];

	if (common->operand_count)
		return usage_error(err, common->operands[0], "unexpected with --check-workarounds");
	status = common_open(common, err);
	if (!status)
		status = gsc_workarounds_check(&all, common->gpu, err);
	if (!status && all.counts[GSC_WORKAROUND_UNREADABLE] == all.checks.count)
		status = refused(common, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status && wants_json(common))
		print_json(common, &all);
	if (!status && !wants_json(common)) {
		source_title(common);
		gsc_text_workarounds(common->out, view_of(common), &all, text_flags(common));
	}
	if (!status && gsc_workarounds_wrong(&all)) {
		string_set(why, "%zu missing or different", gsc_workarounds_wrong(&all));
		complain(common, GSC_PARTIAL, "--check-workarounds", why);
		status = GSC_PARTIAL;
	}
	gsc_workarounds_free(&all);
	return status ? status : complain_damage(common, common->source);
}
