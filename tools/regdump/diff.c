/* SPDX-License-Identifier: MIT */
/* gpu-regdump --diff: two sources, register by register and field by field. */
#include "regdump.h"
#include "source/source.h"

#include <stdio.h>
#include <string.h>

struct comparison {
	struct regdump *dump;
	const char *name_a, *name_b;
	struct gsc_source *source_a;	/* NULL: the reset values; b is common.source */
	struct gsc_gpu *gpu_a, *gpu_b;
	struct gsc_selection *selection;
	struct gsc_rows *a, *b;
	struct gsc_diff *diff;
	size_t moving;			/* differences that mean nothing */
};

/* ---- opening -------------------------------------------------------------------------------- */

static enum gsc_status open_gpus(struct comparison *c, struct gsc_error *err)
{
	struct common *common = &c->dump->common;
	int a = c->source_a ? gsc_source_platform(c->source_a) : -1;
	int b = gsc_source_platform(common->source);
	struct gsc_platform of_a, of_b;
	enum gsc_status status;

	if (a >= 0 && b >= 0 && a != b) {
		gsc_platform_at(common->db, (unsigned)a, &of_a);
		gsc_platform_at(common->db, (unsigned)b, &of_b);
		return usage_error(err, c->name_a, "is from %s, but %.100s is from %s: give -p",
				   of_a.name, c->name_b, of_b.name);
	}
	status = common_gpu(common, b >= 0 || !c->source_a ? common->source : c->source_a, err);
	if (!status && c->source_a)
		status = gsc_gpu_new(&c->gpu_a, c->source_a, view_of(common), err);
	return status ? status : gsc_gpu_new(&c->gpu_b, common->source, view_of(common), err);
}

static enum gsc_status compare(struct comparison *c, struct gsc_error *err)
{
	struct common *common = &c->dump->common;
	enum gsc_status status = definitions_open(common, err);

	if (!strcmp(c->name_a, "-") && !strcmp(c->name_b, "-"))
		return usage_error(err, "-", "standard input can be read only once");
	if (!status && strcmp(c->name_a, "reset"))
		status = source_open(common, &c->name_a, 1, false, &c->source_a, err);
	if (!status)
		status = source_open(common, &c->name_b, 1, false, &common->source, err);
	if (!status)
		status = open_gpus(c, err);
	if (!status)
		status = gsc_select_both(&c->selection, c->gpu_a, c->gpu_b, common->operands + 2,
					 common->operand_count - 2, err);
	if (!status && c->gpu_a)
		status = rows_read(c->dump, c->selection, c->gpu_a, &c->a, err);
	if (!status)
		status = rows_read(c->dump, c->selection, c->gpu_b, &c->b, err);
	return status ? status : gsc_diff_new(&c->diff, c->a, c->b, err);
}

/* ---- what is shown -------------------------------------------------------------------------- */

/* A partial dump differs from another everywhere; that counts only if it was requested. */
static bool is_shown(const struct comparison *c, const struct gsc_difference *d)
{
	return c->dump->common.operand_count > 2 ||
	       (d->a.status == GSC_READ_OK && d->b.status == GSC_READ_OK);
}

static bool is_moving(const struct gsc_difference *d)
{
	return d->b.reg.flags & GSC_REG_VOLATILE;
}

/* How many of that sort are shown; with `out` they are. */
static size_t show(const struct comparison *c, bool moving, struct gsc_out *out)
{
	const struct common *common = &c->dump->common;
	struct gsc_difference d;
	size_t count = 0;

	for (size_t i = 0; i < gsc_diff_count(c->diff); i++) {
		gsc_diff_at(c->diff, i, &d);
		if (!is_shown(c, &d) || is_moving(&d) != moving)
			continue;
		if (out)
			gsc_text_difference(out, view_of(common), &d, text_flags(common));
		count++;
	}
	return count;
}

static void print_text(const struct comparison *c)
{
	struct gsc_out *out = c->dump->common.out;
	bool quiet = c->dump->common.quiet;

	if (!quiet) {
		gsc_out_text(out, "# a: ");
		gsc_out_clean(out, c->name_a);
		gsc_out_text(out, "\n# b: ");
		gsc_out_clean(out, c->name_b);
		gsc_out_end(out);
	}
	if (!show(c, false, out) && !quiet)
		gsc_out_text(out, "# no difference\n");
	if (!c->moving)
		return;
	if (!quiet)
		gsc_out_format(out, "\n# counters and other registers that change by themselves: "
				    "%zu differ\n", c->moving);
	show(c, true, out);
}

KEYS(diff, "--diff. volatile: how many registers that move by themselves differ; they are in the "
     "list with -v only.")
static void print_json(const struct comparison *c)
{
	struct common *common = &c->dump->common;
	const char *names[] = { c->name_a, c->name_b };
	size_t from = c->source_a ? 0 : 1;
	struct gsc_difference d;
	struct gsc_json document, *json = &document;

	document_begin(common, REGDUMP_SCHEMA, names + from, ARRAY_SIZE(names) - from, json);
	KEY(text, "a", c->name_a);
	KEY(text, "b", c->name_b);
	KEY(number, "volatile", c->moving);
	KEY_LIST("differences", OF(difference));
	for (size_t i = 0; i < gsc_diff_count(c->diff); i++) {
		gsc_diff_at(c->diff, i, &d);
		if (!is_shown(c, &d) || (is_moving(&d) && !common->verbose))
			continue;
		ITEM(gsc_json_difference(json, view_of(common), &d));
	}
	gsc_json_finish(json);
}

/* ---- exit status ---------------------------------------------------------------------------- */

/* Requested by name, but the documentation has no reset value for it. */
static enum gsc_status reset_status(const struct comparison *c)
{
	size_t count = gsc_rows_count(c->b), known = 0;
	enum gsc_status status;
	char what[80];
	struct gsc_row row;

	for (size_t i = 0; i < count; i++) {
		gsc_rows_at(c->b, i, &row);
		known += row.reg.name && !row.raw && row.reg.flags & GSC_REG_HAS_RESET;
	}
	if (known == count)
		return GSC_OK;
	snprintf(what, sizeof(what), "%zu of %zu registers", count - known, count);
	status = known ? GSC_PARTIAL : GSC_UNKNOWN;
	complain(&c->dump->common, status, what, "no reset value is documented");
	return status;
}

static enum gsc_status compared_status(const struct comparison *c)
{
	struct common *common = &c->dump->common;
	bool asked = common->operand_count > 2;
	enum gsc_status status = rows_status(common, c->b, asked, c->name_b);

	status = worse(status, complain_damage(common, common->source));
	if (!c->source_a)
		return asked ? worse(status, reset_status(c)) : status;
	status = worse(status, rows_status(common, c->a, asked, c->name_a));
	return worse(status, complain_damage(common, c->source_a));
}

enum gsc_status diff_run(struct common *common, struct gsc_error *err)
{
	struct comparison c = { .dump = (struct regdump *)common };
	bool json = wants_json(common), valued;
	enum gsc_status status;

	if (common->operand_count < 2)
		return usage_error(err, "--diff", "expected two sources");
	c.name_a = common->operands[0];
	c.name_b = common->operands[1];
	status = compare(&c, err);
	valued = !status && (!c.a || rows_have_value(c.a)) && rows_have_value(c.b);
	if (!status && (json || valued)) {
		status = output_open(common, !json, err);
		c.moving = show(&c, true, NULL);
		if (!status)
			(json ? print_json : print_text)(&c);
	}
	if (!status)
		status = compared_status(&c);
	gsc_diff_free(c.diff);
	gsc_rows_free(c.a);
	gsc_rows_free(c.b);
	gsc_selection_free(c.selection);
	gsc_gpu_close(c.gpu_a);
	gsc_gpu_close(c.gpu_b);
	source_close(c.source_a);
	return status;
}
