/* SPDX-License-Identifier: MIT */
/* gpu-batch as JSON: a list of buffers, each with its commands. */
#include "batch.h"

struct writing {
	struct batch *batch;
	struct gsc_json json;
	struct gsc_command_json *commands;
};

static bool begin(void *context, const struct gsc_run *run)
{
	struct writing *w = context;
	struct gsc_json *json = &w->json;

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

static bool take_command(void *context, const struct gsc_run *run, const struct gsc_command *c)
{
	struct writing *w = context;

	(void)run;
	gsc_command_json(w->commands, c);
	return !gsc_out_error(w->batch->common.out);
}

static bool end(void *context, const struct gsc_run *run)
{
	struct writing *w = context;
	struct gsc_json *json = &w->json;

	complain_run(&w->batch->common, run);
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
		.end = end,
	};
	enum gsc_status status = output_open(common, false, err);

	if (!status)
		status = gsc_command_json_new(&w.commands, &w.json, batch->set, err);
	if (status)
		return status;
	batch_document(common, &w.json);
	gsc_json_list(&w.json, "buffers");
	status = batch_follow(batch, &listener, err);
	gsc_command_json_free(w.commands);
	if (status && status != GSC_PARTIAL)
		return status;
	gsc_json_list_end(&w.json);
	gsc_json_finish(&w.json);
	return worse(status, complain_damage(common, common->source));
}
