/* SPDX-License-Identifier: MIT */
/* gpu-batch as text: dword by dword, or --headers. */
#include "batch.h"

#include <stdio.h>

struct texting {
	struct batch *batch;
	struct gsc_command_text *text;
	bool several;			/* a run stands before the next */
};

static void run_line(struct texting *t, const struct gsc_run *run)
{
	struct gsc_out *out = t->batch->common.out;
	char name[120];

	if (t->several)
		gsc_out_end(out);
	t->several = true;
	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_format(out, "# %s", run_text(run, name, sizeof(name)));
	gsc_out_style(out, GSC_STYLE_PLAIN);
	if (run->started)
		gsc_out_format(out, ", started at 0x%llx", (unsigned long long)run->from);
	if (run->submission)
		gsc_out_format(out, ", submission %u", run->submission);
	if (!run->privileged)
		gsc_out_text(out, ", non-privileged");
	gsc_out_end(out);
}

static bool begin(void *context, const struct gsc_run *run)
{
	struct texting *t = context;

	if (!t->batch->headers && !t->batch->common.quiet)
		run_line(t, run);
	return !gsc_out_error(t->batch->common.out);
}

static bool take_command(void *context, const struct gsc_run *run, const struct gsc_command *c)
{
	struct texting *t = context;

	(void)run;
	gsc_command_text(t->text, c);
	return !gsc_out_error(t->batch->common.out);
}

/* The register that a load is of, under its dwords. */
static bool take_write(void *context, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_register_write *write)
{
	struct texting *t = context;
	struct common *common = &t->batch->common;
	struct gsc_row row = { .status = GSC_READ_OK, .value = write->value };
	size_t i = gsc_view_seek(common->view, GSC_MMIO, write->offset);

	(void)run;
	(void)c;
	if (i == gsc_view_count(common->view))
		return true;
	gsc_view_reg(common->view, i, &row.reg);
	if (row.reg.space != GSC_MMIO || row.reg.offset != write->offset)
		return true;
	if (write->kind == GSC_WRITE_VALUE) {
		gsc_text_row(common->out, common->view, &row, text_flags(common));
		return true;
	}
	gsc_out_format(common->out, "0x%06x  ", write->offset);
	gsc_out_text(common->out, row.reg.engine ? row.reg.engine : "");
	gsc_out_text(common->out, row.reg.engine ? "." : "");
	gsc_out_text(common->out, row.reg.name);
	gsc_out_end(common->out);
	return true;
}

static bool take_state(void *context, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_state *state)
{
	struct texting *t = context;
	struct common *common = &t->batch->common;

	(void)run;
	(void)c;
	gsc_text_state(common->out, common->view, state, text_flags(common));
	return !gsc_out_error(common->out);
}

static bool end(void *context, const struct gsc_run *run)
{
	struct texting *t = context;
	struct gsc_out *out = t->batch->common.out;

	complain_run(&t->batch->common, run);
	if (t->batch->headers || t->batch->common.quiet)
		return true;
	if (run->end == GSC_RUN_NOWHERE || run->end == GSC_RUN_STOPPED) {
		gsc_out_format(out, "# %s at 0x%llx: %s", gsc_run_end_word(run->end),
			       (unsigned long long)(run->address + run->length), run->why);
		gsc_out_end(out);
	}
	if (run->left) {
		gsc_out_format(out, "# %llu bytes behind its end are not decoded (--past-end)",
			       (unsigned long long)run->left);
		gsc_out_end(out);
	}
	return true;
}

enum gsc_status text_run(struct common *common, struct gsc_error *err)
{
	struct batch *batch = (struct batch *)common;
	struct texting t = { .batch = batch };
	struct gsc_listener listener = {
		.context = &t,
		.begin = begin,
		.command = take_command,
		.write = batch->headers || common->quiet ? NULL : take_write,
		.state = batch->state ? take_state : NULL,
		.end = end,
	};
	enum gsc_status status = output_open(common, true, err);

	if (!status)
		status = gsc_command_text_new(&t.text, common->out, batch->set,
					      batch->headers ? GSC_TEXT_QUIET : text_flags(common),
					      err);
	if (status)
		return status;
	if (!batch->headers)
		put_title(common);
	status = batch_follow(batch, &listener, err);
	gsc_command_text_free(t.text);
	if (status && status != GSC_PARTIAL)
		return status;
	return worse(status, complain_damage(common, common->source));
}
