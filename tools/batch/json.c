/* SPDX-License-Identifier: MIT */
/*
 * gpu-batch as JSON: a list of buffers, each with its commands. The object of a command stays open
 * until the next, because what belongs to it comes after it.
 */
#include "gpu-batch.h"

struct writing {
	struct batch *batch;
	struct gsc_json json;
	struct gsc_command_json *commands;
	const char *list;		/* "writes" or "state", of the command */
	VEC(struct gsc_kernel) kernels;	/* of the command: its state may come between them */
	bool begun, open;
	bool cut;			/* the last command was truncated */
};

SCHEMA(batch, BATCH_SCHEMA, "gpu-batch --json",
       "One document. With --ndjson the first line is the document without its list, and each "
       "further line one element of that list.", PLATFORM, FORMS(buffers, query, lint))

KEYS(buffers)
static void document_open(struct writing *w)
{
	struct gsc_json *json = &w->json;

	w->begun = true;
	batch_document(&w->batch->common, json);
	KEY_LIST("buffers", OF(buffer));
}

/* Names are literals: one address, one list; NULL: none. */
static void list_open(struct writing *w, const char *name)
{
	if (w->list == name)
		return;
	if (w->list)
		gsc_json_array_end(&w->json);
	if (name)
		gsc_json_array(&w->json, name);
	w->list = name;
}

KEYS(kernel, "A program that a command starts. simd: channels of a thread, if the command says it. "
     "size: bytes that were found. problem: why there is none, or no end.")
static void json_kernel(struct gsc_json *json, const struct gsc_kernel *kernel)
{
	KEY(text, "stage", kernel->stage);
	KEY(hex, "address", kernel->address);
	KEY_OR_NULL(kernel->simd, number, "simd", kernel->simd, ONE_OF(8, 16, 32));
	KEY(number, "size", kernel->size);
	KEY(some_text, "problem", kernel->problem);
}

KEYS(command, MORE)
static void command_close(struct writing *w)
{
	struct gsc_json *json = &w->json;

	list_open(w, NULL);
	if (w->kernels.count)
		list_open(w, KEY_NAME(array, "kernels", OF(kernel), MIN_ITEMS(1), OPTIONAL));
	for (size_t i = 0; i < w->kernels.count; i++)
		ITEM(json_kernel(json, &w->kernels.items[i]));
	list_open(w, NULL);
	w->kernels.count = 0;
	if (w->open)
		gsc_command_json_close(w->commands);
	w->open = false;
}

static bool take_command(void *context, const struct gsc_followed *item)
{
	struct writing *w = context;

	command_close(w);
	gsc_command_json_open(w->commands, item->command);
	w->open = true;
	w->cut = item->command->count < item->command->length;
	return !gsc_out_error(w->batch->common.out);
}

KEYS(commandWrite)
static void json_write(struct gsc_json *json, const struct gsc_reg *reg,
		       const struct gsc_register_write *write)
{
	KEYS_OF(registerWrite);
	write_json(json, reg, write);
	KEY(number, "dword", write->dword);
}

KEYS(command, MORE)
static bool take_write(void *context, const struct gsc_followed *item)
{
	struct writing *w = context;
	struct gsc_json *json = &w->json;
	struct gsc_reg reg;

	list_open(w, KEY_NAME(array, "writes", OF(commandWrite), MIN_ITEMS(1), OPTIONAL));
	ITEM(json_write(json, gsc_view_at(view_of(&w->batch->common), item->write->offset, &reg)
				      ? &reg : NULL,
			item->write));
	return true;
}

KEYS(command, MORE)
static bool take_state(void *context, const struct gsc_followed *item)
{
	struct writing *w = context;
	struct gsc_json *json = &w->json;

	list_open(w, KEY_NAME(array, "state", OF(state), MIN_ITEMS(1), OPTIONAL));
	ITEM(gsc_json_state(json, view_of(&w->batch->common), item->state));
	return !gsc_out_error(w->batch->common.out);
}

static bool take_kernel(void *context, const struct gsc_followed *item)
{
	struct writing *w = context;
	return vec_push(&w->kernels, *item->kernel);
}

/* ---- a buffer ------------------------------------------------------------------------------- */

static const char *space_word(const struct gsc_run *run)
{
	return run->process ? "ppgtt" : "ggtt";
}

KEYS(buffer, "Commands in a row. from: the command that starts it. submission: in a trace, counted "
     "from 1. length: bytes that are decoded; left: bytes that are held after the end. why: why "
     "the commands that should follow are missing.")
static bool begin(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct writing *w = context;
	struct gsc_json *json = &w->json;

	if (!w->begun)
		document_open(w);
	w->cut = false;
	gsc_json_object(json, NULL);
	KEY(text, "engine", run->engine, PATTERN("^[a-z]+[0-9]+$"));
	KEY(text, "kind", gsc_run_kind_word(run->kind), ONE_OF(gsc_run_kind_word));
	KEY(hex, "address", run->address);
	KEY(text, "space", space_word(run), ONE_OF(space_word));
	KEY(flag, "privileged", run->privileged);
	KEY_OR_NULL(run->started, hex, "from", run->from);
	KEY_OR_NULL(run->submission, number, "submission", run->submission, MIN(1));
	KEY_ARRAY("commands", OF(command, tail));
	return true;
}

/* The rest of a file is less than a dword: a command without dwords. */
KEYS(tail, "bytes: what is left of a file that ends within a dword.")
static void put_tail(struct gsc_json *json, const struct gsc_run *run, const struct input *input)
{
	KEY(hex, "address", run->address + run->length + run->left);
	KEY(text, "name", "UNKNOWN");
	KEY(number, "length", 1, MIN(1));
	KEY(text, "status", gsc_command_word(GSC_COMMAND_TRUNCATED), ONE_OF("truncated"));
	KEY_ARRAY("dwords", OF(hex), MAX_ITEMS(0));
	gsc_json_array_end(json);
	KEY_ARRAY("fields", OF(placedField), MAX_ITEMS(0));
	gsc_json_array_end(json);
	KEY_EACH(hex, "bytes", for (unsigned i = 0; i < input->tail; i++), input->tail_bytes[i],
		 MIN_ITEMS(1), MAX_ITEMS(3));
}

KEYS(buffer)
static bool end(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct writing *w = context;
	const struct input *input = &w->batch->input;
	struct gsc_json *json = &w->json;

	command_close(w);
	if (run->kind == GSC_RUN_DWORDS && input->tail && !w->cut)
		ITEM(put_tail(json, run, input));
	gsc_json_array_end(json);
	KEY(text, "end", gsc_run_end_word(run->end), ONE_OF(gsc_run_end_word));
	KEY(some_text, "why", run->why);
	KEY(number, "length", run->length);
	KEY(number, "left", run->left);
	gsc_json_object_end(json);
	return true;
}

enum gsc_status json_run(struct common *common, struct gsc_error *err)
{
	struct batch *batch = (struct batch *)common;
	struct writing w = { .batch = batch };
	struct gsc_listener listener = {
		.context = &w,
		.begin = begin,
		.command = take_command,
		.write = take_write,
		.state = batch->state ? take_state : NULL,
		.kernel = batch->state ? take_kernel : NULL,
		.end = end,
	};
	enum gsc_status status = output_open(common, false, err);

	if (!status)
		status = gsc_command_json_new(&w.commands, &w.json, batch->set, err);
	if (!status)
		status = batch_follow(batch, &listener, err);
	gsc_command_json_free(w.commands);
	vec_free(&w.kernels);
	if (batch_failed(batch, status))
		return status;
	if (!w.begun)
		document_open(&w);
	gsc_json_finish(&w.json);
	return worse(status, complain_damage(common, common->source));
}
