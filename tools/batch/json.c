/* SPDX-License-Identifier: MIT */
/*
 * gpu-batch as JSON: a list of buffers, each with its commands. The object of a command stays open
 * until the next, for what is told of it comes after it.
 */
#include "batch.h"

struct writing {
	struct batch *batch;
	struct gsc_json json;
	struct gsc_command_json *commands;
	const char *list;		/* "writes" or "state", of the command */
	bool begun, open;
	bool cut;			/* the last command was cut off */
};

static void document_open(struct writing *w)
{
	w->begun = true;
	batch_document(&w->batch->common, &w->json);
	gsc_json_list(&w->json, "buffers");
}

/* ---- a command ------------------------------------------------------------------------------ */

static void list_close(struct writing *w)
{
	if (w->list)
		gsc_json_array_end(&w->json);
	w->list = NULL;
}

/* Names are literals: one address, one list. */
static void list_open(struct writing *w, const char *name)
{
	if (w->list == name)
		return;
	list_close(w);
	gsc_json_array(&w->json, name);
	w->list = name;
}

static void command_close(struct writing *w)
{
	list_close(w);
	if (w->open)
		gsc_command_json_close(w->commands);
	w->open = false;
}

static bool take_command(void *context, const struct gsc_run *run, const struct gsc_command *c)
{
	struct writing *w = context;

	(void)run;
	command_close(w);
	gsc_command_json_open(w->commands, c);
	w->open = true;
	w->cut = c->count < c->length;
	return !gsc_out_error(w->batch->common.out);
}

static bool take_write(void *context, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_register_write *write)
{
	static const char name[] = "writes";
	struct writing *w = context;
	struct gsc_reg reg;

	(void)run;
	(void)c;
	list_open(w, name);
	gsc_json_object(&w->json, NULL);
	write_json(&w->json,
		   register_at(w->batch->common.view, write->offset, &reg) ? &reg : NULL, write);
	gsc_json_number(&w->json, "dword", write->dword);
	gsc_json_object_end(&w->json);
	return true;
}

static bool take_state(void *context, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_state *state)
{
	static const char name[] = "state";
	struct writing *w = context;

	(void)run;
	(void)c;
	list_open(w, name);
	gsc_json_object(&w->json, NULL);
	gsc_json_state(&w->json, w->batch->common.view, state);
	gsc_json_object_end(&w->json);
	return !gsc_out_error(w->batch->common.out);
}

/* ---- a buffer ------------------------------------------------------------------------------- */

static bool begin(void *context, const struct gsc_run *run)
{
	struct writing *w = context;
	struct gsc_json *json = &w->json;

	if (!w->begun)
		document_open(w);
	w->cut = false;
	gsc_json_object(json, NULL);
	gsc_json_string(json, "engine", run->engine);
	gsc_json_string(json, "kind", gsc_run_kind_word(run->kind));
	gsc_json_hex(json, "address", run->address);
	gsc_json_string(json, "space", run->process ? "ppgtt" : "ggtt");
	gsc_json_bool(json, "privileged", run->privileged);
	if (run->started)
		gsc_json_hex(json, "from", run->from);
	else
		gsc_json_null(json, "from");
	if (run->submission)
		gsc_json_number(json, "submission", run->submission);
	else
		gsc_json_null(json, "submission");
	gsc_json_array(json, "commands");
	return true;
}

/* Less than a dword is left of a file: a command of which there is no dword. */
static void put_tail(struct writing *w, const struct gsc_run *run)
{
	const struct input *input = &w->batch->input;
	struct gsc_json *json = &w->json;

	if (run->kind != GSC_RUN_DWORDS || !input->tail || w->cut)
		return;
	gsc_json_object(json, NULL);
	gsc_json_hex(json, "address", run->address + run->length + run->left);
	gsc_json_string(json, "name", "UNKNOWN");
	gsc_json_number(json, "length", 1);
	gsc_json_string(json, "status", gsc_command_word(GSC_COMMAND_TRUNCATED));
	gsc_json_array(json, "dwords");
	gsc_json_array_end(json);
	gsc_json_array(json, "fields");
	gsc_json_array_end(json);
	gsc_json_array(json, "bytes");
	for (unsigned i = 0; i < input->tail; i++)
		gsc_json_hex(json, NULL, input->tail_bytes[i]);
	gsc_json_array_end(json);
	gsc_json_object_end(json);
}

static bool end(void *context, const struct gsc_run *run)
{
	struct writing *w = context;
	struct gsc_json *json = &w->json;

	command_close(w);
	put_tail(w, run);
	gsc_json_array_end(json);
	gsc_json_string(json, "end", gsc_run_end_word(run->end));
	gsc_json_string(json, "why", *run->why ? run->why : NULL);
	gsc_json_number(json, "length", run->length);
	gsc_json_number(json, "left", run->left);
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
		.end = end,
	};
	enum gsc_status status = output_open(common, false, err);

	if (!status)
		status = gsc_command_json_new(&w.commands, &w.json, batch->set, err);
	if (!status)
		status = batch_follow(batch, &listener, err);
	gsc_command_json_free(w.commands);
	if (batch_failed(batch, status))
		return status;
	if (!w.begun)
		document_open(&w);
	gsc_json_list_end(&w.json);
	gsc_json_finish(&w.json);
	return worse(status, complain_damage(common, common->source));
}
