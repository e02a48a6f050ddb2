/* SPDX-License-Identifier: MIT */
/* An image as JSON. */
#include "fault-image.h"

static bool take_command(void *context, const struct gsc_run *run, const struct gsc_command *c)
{
	struct image_output *output = context;

	(void)run;
	gsc_command_json(output->json, c);
	return image_counts(output, c);
}

static void put_fields(const struct image_output *output, struct gsc_json *json, size_t part,
		       size_t words)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	gsc_json_array(json, "fields");
	if (gsc_image_fields(output->image, part, &it)) {
		while (gsc_field_next(&it, &field)) {
			if (field.dword + field.hi / 32 >= words)
				continue;
			gsc_json_object(json, NULL);
			gsc_json_string(json, "name", field.name);
			gsc_json_number(json, "hi", field.hi);
			gsc_json_number(json, "lo", field.lo);
			gsc_json_hex(json, "value", field.value);
			gsc_json_string(json, "text", field.text);
			gsc_json_number(json, "dword", field.dword);
			if (field.problem)
				gsc_json_string(json, "problem", field.problem);
			gsc_json_object_end(json);
		}
	}
	gsc_json_array_end(json);
}

/* Of a small part, such as a dword of software: there may be no field to show it. */
static void put_words(struct gsc_json *json, const struct gsc_image_part *part)
{
	gsc_json_array(json, "words");
	for (size_t i = 0; part->size <= 8 && !part->commands && i < part->count; i++)
		gsc_json_hex(json, NULL, part->words[i]);
	gsc_json_array_end(json);
}

static void put_registers(const struct image_output *output, struct gsc_json *json, size_t part)
{
	struct gsc_row row;

	gsc_json_array(json, "registers");
	for (size_t i = 0; gsc_image_register(output->image, part, i, &row); i++) {
		gsc_json_object(json, NULL);
		gsc_json_row(json, output->common->view, &row, 0);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

static enum gsc_status put_part(struct image_output *output, struct gsc_json *json, size_t i,
				const struct gsc_image_part *part, struct gsc_error *err)
{
	struct gsc_listener listener = { .context = output, .command = take_command };
	enum gsc_status status = GSC_OK;

	gsc_json_object(json, NULL);
	gsc_json_string(json, "name", part->name);
	if (part->index < 0)
		gsc_json_null(json, "index");
	else
		gsc_json_number(json, "index", (uint64_t)part->index);
	if (part->aside)
		gsc_json_null(json, "offset");
	else
		gsc_json_hex(json, "offset", part->offset);
	gsc_json_number(json, "size", part->size);
	gsc_json_string(json, "text", *part->text ? part->text : NULL);
	gsc_json_string(json, "problem", *part->problem ? part->problem : NULL);
	put_words(json, part);
	put_fields(output, json, i, part->count);
	put_registers(output, json, i);
	gsc_json_array(json, "commands");
	if (part->commands)
		status = image_commands(output, part, &listener, err);
	gsc_json_array_end(json);
	gsc_json_object_end(json);
	return status;
}

static void put_head(const struct image_output *output, struct gsc_json *json)
{
	const struct gsc_image_about *about = &output->about;
	const char *note;

	gsc_json_string(json, "decode", gsc_image_word(about->kind));
	gsc_json_string(json, "engine", about->engine);
	gsc_json_string(json, "from", *about->from ? about->from : NULL);
	if (about->placed)
		gsc_json_hex(json, "address", about->address);
	else
		gsc_json_null(json, "address");
	gsc_json_number(json, "size", about->size);
	gsc_json_string(json, "cut", *about->cut ? about->cut : NULL);
	gsc_json_array(json, "notes");
	for (size_t i = 0; (note = gsc_image_note(output->image, i)); i++)
		gsc_json_string(json, NULL, note);
	gsc_json_array_end(json);
}

enum gsc_status image_json(struct image_output *output, const char *const *names, size_t count,
			   struct gsc_error *err)
{
	struct gsc_image_part part;
	struct gsc_json json;
	enum gsc_status status = gsc_command_json_new(&output->json, &json, output->set, err);

	if (status)
		return status;
	document_begin(output->common, DECODE_SCHEMA, names, count, &json);
	put_head(output, &json);
	gsc_json_list(&json, "items");
	for (size_t i = 0; !status && gsc_image_part(output->image, i, &part); i++)
		status = put_part(output, &json, i, &part, err);
	gsc_json_list_end(&json);
	gsc_json_finish(&json);
	gsc_command_json_free(output->json);
	return status;
}
