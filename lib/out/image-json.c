/* SPDX-License-Identifier: MIT */
/* Images as members of a document. */
#include "out/out.h"

#include "batch/batch.h"

struct writing {
	struct gsc_json *json;
	const struct gsc_image *image;
	const struct gsc_view *view;
	struct gsc_command_json *commands;
	struct gsc_image_counts counts;
};

static bool take_command(void *context, const struct gsc_run *run, const struct gsc_command *c)
{
	struct writing *w = context;

	(void)run;
	image_count(&w->counts, c);
	gsc_command_json(w->commands, c);
	return !gsc_out_error(w->json->out);
}

static void put_fields(const struct writing *w, size_t part, size_t words)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	gsc_json_array(w->json, "fields");
	if (gsc_image_fields(w->image, part, &it)) {
		while (gsc_field_next(&it, &field)) {
			if (field.dword + field.hi / 32 >= words)
				continue;
			gsc_json_object(w->json, NULL);
			json_field_members(w->json, &field, false);
			gsc_json_number(w->json, "dword", field.dword);
			gsc_json_object_end(w->json);
		}
	}
	gsc_json_array_end(w->json);
}

/* Of a small part, such as a dword of software: there may be no field to show it. */
static void put_words(struct gsc_json *json, const struct gsc_image_part *part)
{
	gsc_json_array(json, "words");
	for (size_t i = 0; part->size <= 8 && !part->commands && i < part->count; i++)
		gsc_json_hex(json, NULL, part->words[i]);
	gsc_json_array_end(json);
}

static void put_registers(const struct writing *w, size_t part)
{
	struct gsc_row row;

	gsc_json_array(w->json, "registers");
	for (size_t i = 0; gsc_image_register(w->image, part, i, &row); i++) {
		gsc_json_object(w->json, NULL);
		gsc_json_row(w->json, w->view, &row, 0);
		gsc_json_object_end(w->json);
	}
	gsc_json_array_end(w->json);
}

static enum gsc_status put_part(struct writing *w, size_t i, const struct gsc_image_part *part,
				struct gsc_error *err)
{
	struct gsc_listener listener = { .context = w, .command = take_command };
	struct gsc_json *json = w->json;
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
	put_fields(w, i, part->count);
	put_registers(w, i);
	gsc_json_array(json, "commands");
	if (part->commands)
		status = gsc_image_follow(w->image, i, &listener, err);
	gsc_json_array_end(json);
	gsc_json_object_end(json);
	return status;
}

static void put_head(struct gsc_json *json, const struct gsc_image *image)
{
	struct gsc_image_about about;
	const char *note;

	gsc_image_about(image, &about);
	gsc_json_string(json, "decode", gsc_image_word(about.kind));
	gsc_json_string(json, "engine", about.engine);
	gsc_json_string(json, "from", *about.from ? about.from : NULL);
	if (about.placed)
		gsc_json_hex(json, "address", about.address);
	else
		gsc_json_null(json, "address");
	gsc_json_number(json, "size", about.size);
	gsc_json_string(json, "cut", *about.cut ? about.cut : NULL);
	gsc_json_array(json, "notes");
	for (size_t i = 0; (note = gsc_image_note(image, i)); i++)
		gsc_json_string(json, NULL, note);
	gsc_json_array_end(json);
}

enum gsc_status gsc_json_image(struct gsc_json *json, const struct gsc_image *image,
			       struct gsc_image_counts *counts, struct gsc_error *err)
{
	struct gsc_commands *set = gsc_image_commands(image);
	struct writing w = { .json = json, .image = image, .view = set->view };
	enum gsc_status status = gsc_command_json_new(&w.commands, json, set, err);
	struct gsc_image_part part;

	if (status)
		return status;
	put_head(json, image);
	gsc_json_list(json, "items");
	for (size_t i = 0; !status && gsc_image_part(image, i, &part); i++)
		status = put_part(&w, i, &part, err);
	gsc_json_list_end(json);
	gsc_command_json_free(w.commands);
	if (counts)
		*counts = w.counts;
	return status;
}
