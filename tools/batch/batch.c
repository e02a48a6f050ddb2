/* SPDX-License-Identifier: MIT */
/* gpu-batch: what the GPU was asked to do. */
#include "gpu-batch.h"
#include "eu/program.h"
#include "tools.h"

#include <stdlib.h>

static const char *const usage[] = {
	"[options] [SOURCE] [FILE]",
	"[options] --headers [SOURCE] [FILE]",
	"[options] --query REG [SOURCE] [FILE]",
	"[options] --lint [SOURCE] [FILE]",
	"[options] --kernels DIR [SOURCE] [FILE]",
	NULL,
};

#define MEMBER(member) offsetof(struct batch, member)

static const struct option_row options[] = {
	{ 'e', "engine", "NAME", OPTION_STRING, MEMBER(engine),
	  "only this engine's commands: rcs0 bcs0 vcs0 ...", "ENGINE", true },
	{ 'a', "address", "GPUADDR", OPTION_ADDRESS, MEMBER(place),
	  "address of FILE, or of the buffer to show", NULL, true },
	{ 0, "process", NULL, OPTION_FLAG, MEMBER(process),
	  "GPUADDR is in a per-process address space" },
	{ 0, "format", "auto|text|bin", OPTION_CHOICE, MEMBER(format),
	  "FILE is text (OFFSET : VALUE) or binary dwords" },
	{ 0, "headers", NULL, OPTION_FLAG, MEMBER(headers), "one line per command", NULL, true },
	{ 0, "follow", NULL, OPTION_FLAG, MEMBER(follow),
	  "show the batches that commands start (default)" },
	{ 0, "no-follow", NULL, OPTION_FLAG, MEMBER(no_follow),
	  "leave out the batches that commands start", NULL, true },
	{ 0, "past-end", NULL, OPTION_FLAG, MEMBER(past_end), "decode past MI_BATCH_BUFFER_END" },
	{ 0, "state", NULL, OPTION_FLAG, MEMBER(state), "show the state that commands point to",
	  NULL, true },
	{ 0, "mark", "ADDR", OPTION_NUMBER, MEMBER(mark),
	  "mark this address, not where the engines are" },
	{ 0, "query", "REG", OPTION_STRING, MEMBER(query),
	  "show where a register is loaded or stored", "REGISTER", true },
	{ 0, "kernels", "DIR", OPTION_STRING, MEMBER(kernels),
	  "write the shader kernels to DIR", "FOLDER" },
	{ 0, "lint", NULL, OPTION_FLAG, MEMBER(lint), "report violations of documented rules", NULL,
	  true },
	UNSAFE_OPTION,
};

static const struct option_rule rules[] = {
	{ "headers", "json ndjson state query kernels lint", false },
	{ "follow", "no-follow", false },
	{ "state", "query kernels lint", false },
	{ "query", "kernels lint", false },
	{ "kernels", "lint json ndjson", false },
};

/* A FILE of dwords or text may follow a source. */
static unsigned take(const struct common *common)
{
	return ((const struct batch *)common)->format == FORMAT_AUTO ? TAKE_SPECS | TAKE_KNOWN
								     : TAKE_SPECS;
}

/* ---- what the forms of output share --------------------------------------------------------- */

void batch_title(const struct common *common)
{
	size_t count;
	bool file = ((const struct batch *)common)->has_input;
	const char **names = held_names(common, file, &count);

	title_begin(common, names, count);
	free(names);
}

void batch_document(const struct common *common, struct gsc_json *json)
{
	size_t count;
	bool file = ((const struct batch *)common)->has_input;
	const char **names = held_names(common, file, &count);

	document_begin(common, BATCH_SCHEMA, names, count, json);
	free(names);
}

/* ---- the command ---------------------------------------------------------------------------- */

static enum gsc_status batch_run(struct common *common, struct gsc_error *err)
{
	struct batch *batch = (struct batch *)common;
	const struct address *place = &batch->place;
	run_fn *form = batch->query ? query_run : batch->lint ? lint_run
		       : batch->kernels ? kernels_run : wants_json(common) ? json_run : text_run;
	enum gsc_status status;

	batch->address = place->at;
	batch->global = address_in(place, GSC_GTTMEM);
	if (place->at % 4)
		return usage_error(err, "--address", "not a multiple of 4");
	if (batch->global && batch->process)
		return usage_error(err, "--process",
				   "cannot be combined with an address after ggtt:");
	/* "ppgtt:0x1000" is what --process says. */
	batch->process |= address_in(place, GSC_PPGTTMEM);
	status = address_graphics(place, "--address", err);
	if (!status)
		status = common_open_file(common, input_open, "dwords", false, err);
	if (!status)
		status = gsc_commands_new(&batch->set, common->gpu, err);
	if (!status) {
		batch->address = plain_address(batch->address);
		batch->mark = plain_address(batch->mark) & ~UINT64_C(3);
		batch->options.engine = batch->engine;
		batch->options.no_follow = batch->no_follow;
		batch->options.past_end = batch->past_end;
		batch->mark_given = (struct gsc_mark){ "MARK", batch->mark };
		batch->options.marks = &batch->mark_given;
		batch->options.mark_count = option_given(common, "mark");
		if (batch->state || batch->kernels)
			gsc_eu_new(&batch->eu, view_of(common), NULL);
		status = form(common, err);
		if (!status || status == GSC_PARTIAL)
			status = worse(status, complain_mark(batch));
	}
	gsc_eu_free(batch->eu);
	gsc_commands_free(batch->set);
	input_close(&batch->input);
	return status;
}

const struct command batch_command = {
	.name = "gpu-batch",
	.purpose = "decode the command buffers of an Intel GPU",
	.size = sizeof(struct batch),
	.run = batch_run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.value = "SOURCE",
	.rules = rules,
	.rule_count = ARRAY_SIZE(rules),
	.take = take,
};
