/* SPDX-License-Identifier: MIT */
/* gpu-batch as text: dword by dword, or --headers. */
#include "gpu-batch.h"
#include "eu/program.h"

struct texting {
	struct batch *batch;
	struct gsc_command_text *text;
	bool begun;			/* the title is written */
	bool several;			/* a run has been written before the next */
	bool cut;			/* the last command was truncated */
	uint64_t noops, noops_at;	/* a sequence of MI_NOOP, not yet written */
};

/* Lines with # would be in the way. */
static bool is_plain(const struct texting *t)
{
	return t->batch->headers || t->batch->common.quiet;
}

/* ---- rows of MI_NOOP ------------------------------------------------------------------------ */

static void put_noops(struct texting *t)
{
	struct gsc_out *out = t->batch->common.out;

	if (!t->noops)
		return;
	gsc_out_hex(out, t->noops_at, 8);
	gsc_out_text(out, ":  0x00000000:  ");
	gsc_out_style(out, GSC_STYLE_DIM);
	if (t->noops > 1) {
		gsc_out_decimal(out, t->noops);
		gsc_out_text(out, " x ");
	}
	gsc_out_text(out, "MI_NOOP");
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	t->noops = 0;
}

/* ---- a run ---------------------------------------------------------------------------------- */

static bool begin(void *context, const struct gsc_followed *item)
{
	struct texting *t = context;
	struct gsc_out *out;
	char name[120];

	t->cut = false;
	if (is_plain(t))
		return !gsc_out_error(t->batch->common.out);
	if (!t->begun)
		batch_title(&t->batch->common);
	t->begun = true;
	out = t->batch->common.out;
	if (t->several)
		gsc_out_end(out);
	t->several = true;
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "# %s", run_text(item->run, name, sizeof(name)));
	if (item->run->started)
		gsc_out_format(out, ", started by the command at 0x%llx", LL(item->run->from));
	if (item->run->submission)
		gsc_out_format(out, ", submission %u", item->run->submission);
	if (!item->run->privileged)
		gsc_out_text(out, ", non-privileged");
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	return !gsc_out_error(t->batch->common.out);
}

static void end_line(struct gsc_out *out, const struct gsc_run *run)
{
	if (breaks_off(run)) {
		gsc_out_style(out, GSC_STYLE_RED);
		gsc_out_format(out, "# %s at 0x%llx: %s", gsc_run_end_word(run->end),
			       LL(run->address + run->length), run->why);
		gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_end(out);
	}
	if (run->end == GSC_RUN_CHAINED || run->end == GSC_RUN_LOOP) {
		gsc_out_style(out, run->end == GSC_RUN_LOOP ? GSC_STYLE_RED : GSC_STYLE_DIM);
		gsc_out_format(out, "# %s%s %s", gsc_run_end_word(run->end),
			       run->end == GSC_RUN_LOOP ? ":" : "", run->why);
		gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_end(out);
	}
	if (!run->left)
		return;
	gsc_out_style(out, GSC_STYLE_DIM);
	gsc_out_format(out, "# %llu bytes after its end are not decoded (--past-end decodes them)",
		       LL(run->left));
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
}

static bool end(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct texting *t = context;
	const struct input *input = &t->batch->input;
	struct gsc_out *out = t->batch->common.out;

	put_noops(t);
	if (!is_plain(t))
		end_line(out, run);
	if (run->kind != GSC_RUN_DWORDS || !input->tail || t->cut || t->batch->headers)
		return true;
	gsc_out_hex(out, run->address + run->length + run->left, 8);
	gsc_out_text(out, ":  ");
	gsc_out_style(out, GSC_STYLE_RED);
	gsc_out_format(out, "truncated: %u of 4 bytes:", input->tail);
	for (unsigned i = 0; i < input->tail; i++)
		gsc_out_format(out, " %02x", input->tail_bytes[i]);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	return true;
}

/* ---- a command ------------------------------------------------------------------------------ */

static bool take_command(void *context, const struct gsc_followed *item)
{
	const struct gsc_command *c = item->command;
	struct texting *t = context;

	t->cut = c->count < c->length;
	/* Without an identification number it says nothing: one line for all in a row. */
	if (!c->words[0] && c->count == 1 && c->status == GSC_COMMAND_OK && !c->mark_count &&
	    !t->batch->headers && !t->batch->common.verbose) {
		if (t->noops && c->address != t->noops_at + t->noops * 4)
			put_noops(t);
		if (!t->noops++)
			t->noops_at = c->address;
		return true;
	}
	put_noops(t);
	gsc_command_text(t->text, c);
	return !gsc_out_error(t->batch->common.out);
}

/* The register that a command loads or stores, as gpu-regdump writes it; -v: with its fields. */
static bool take_write(void *context, const struct gsc_followed *item)
{
	const struct gsc_register_write *write = item->write;
	struct texting *t = context;
	struct common *common = &t->batch->common;
	struct gsc_row row = { .status = GSC_READ_OK, .value = write->value };
	char name[200], value[80];

	if (write->kind == GSC_READ || write->kind == GSC_READ_TO_REGISTER ||
	    !gsc_view_at(view_of(common), write->offset, &row.reg))
		return true;
	if (write->kind == GSC_WRITE_VALUE && row.reg.bits == 32) {
		gsc_text_row(common->out, view_of(common), &row,
			     common->verbose ? 0 : GSC_TEXT_QUIET);
		return true;
	}
	gsc_reg_full_name(&row.reg, name, sizeof(name));
	write_text(write, value, sizeof(value));
	gsc_out_format(common->out, "0x%06x  %s  %s", write->offset, name, value);
	gsc_out_end(common->out);
	return true;
}

static bool take_state(void *context, const struct gsc_followed *item)
{
	struct texting *t = context;
	struct common *common = &t->batch->common;

	gsc_text_state(common->out, view_of(common), item->state, text_flags(common));
	return !gsc_out_error(common->out);
}

#define KERNEL_LINES 4
#define KERNEL_INDENT 8

static void put_first_lines(struct texting *t, const struct gsc_kernel *kernel)
{
	const struct gsc_program_style style = {
		.address = kernel->address,
		.most = KERNEL_LINES,
		.indent = KERNEL_INDENT,
	};
	struct common *common = &t->batch->common;
	struct gsc_program_counts counts;
	struct gsc_program *program;
	char hint[HINT_SIZE];

	if (!t->batch->eu ||
	    gsc_program_new(&program, t->batch->eu, kernel->data, kernel->size, NULL))
		return;
	gsc_text_program(common->out, program, &style, &counts);
	gsc_program_free(program);
	if (counts.end == kernel->size)
		return;
	gsc_out_pad(common->out, KERNEL_INDENT);
	gsc_out_style(common->out, GSC_STYLE_DIM);
	gsc_out_format(common->out, "%llu bytes more: %s -a 0x%llx", LL(kernel->size - counts.end),
		       hint_command(common, "eu", hint, sizeof(hint)), LL(kernel->address));
	gsc_out_style(common->out, GSC_STYLE_PLAIN);
	gsc_out_end(common->out);
}

static bool take_kernel(void *context, const struct gsc_followed *item)
{
	const struct gsc_kernel *kernel = item->kernel;
	struct texting *t = context;
	struct gsc_out *out = t->batch->common.out;

	gsc_out_text(out, "    ");
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "kernel %s", kernel->stage);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	if (kernel->simd)
		gsc_out_format(out, " SIMD%u", kernel->simd);
	gsc_out_format(out, " at 0x%08llx, %zu bytes", LL(kernel->address), kernel->size);
	if (*kernel->problem) {
		gsc_out_text(out, ": ");
		gsc_out_style(out, GSC_STYLE_YELLOW);
		gsc_out_text(out, kernel->problem);
		gsc_out_style(out, GSC_STYLE_PLAIN);
	}
	gsc_out_end(out);
	if (!t->batch->common.quiet)
		put_first_lines(t, kernel);
	return !gsc_out_error(out);
}

enum gsc_status text_run(struct common *common, struct gsc_error *err)
{
	struct batch *batch = (struct batch *)common;
	struct texting t = { .batch = batch };
	struct gsc_listener listener = {
		.context = &t,
		.begin = begin,
		.command = take_command,
		.write = is_plain(&t) ? NULL : take_write,
		.state = batch->state ? take_state : NULL,
		.kernel = batch->state ? take_kernel : NULL,
		.end = end,
	};
	enum gsc_status status = output_open(common, true, err);

	if (!status)
		status = gsc_command_text_new(&t.text, common->out, batch->set,
					      batch->headers ? GSC_TEXT_BARE : text_flags(common),
					      err);
	if (!status)
		status = batch_follow(batch, &listener, err);
	gsc_command_text_free(t.text);
	if (status && status != GSC_PARTIAL)
		return status;
	return worse(status, complain_damage(common, common->source));
}
