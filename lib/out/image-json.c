/* SPDX-License-Identifier: MIT */
/* Images as members of a document. */
#include "batch/batch.h"
#include "batch/run.h"
#include "out/keys.h"
#include "out/out.h"

#include "image/image.h"

struct writing {
	struct gsc_json *json;
	const struct gsc_image *image;
	const struct gsc_view *view;
	struct gsc_command_json *commands;
	struct gsc_image_counts counts;
};

static bool take_command(void *context, const struct gsc_followed *item)
{
	struct writing *w = context;

	image_count(&w->counts, item->command);
	gsc_command_json(w->commands, item->command);
	return !gsc_out_error(w->json->out);
}

KEYS(imageField, "dword: of the part, in which the field begins; lo and hi are bits from there on. "
     "value: the raw bits, right-justified.")
static void put_field(struct gsc_json *json, const struct gsc_field *field, size_t first)
{
	KEYS_OF(field);
	json_field(json, field);
	KEY(number, "dword", first + field->dword);
}

/* Of a message also those that repeat. */
static void put_fields(struct gsc_json *json, const struct writing *w, size_t i,
		       const struct gsc_image_part *part)
{
	struct gsc_state state = { .words = part->words, .count = part->count };
	struct state_groups groups = { .view = w->view, .state = &state };
	struct state_group g = { .size = part->count };
	struct gsc_field field;

	if (part->item)
		state.item = *part->item;
	while (part->item ? state_groups_next(&groups, &g) :
	       gsc_image_fields(w->image, i, &g.it)) {
		while (gsc_field_next(&g.it, &field))
			if (field.dword + field.hi / 32 < g.size)
				ITEM(put_field(json, &field, g.at));
		if (!part->item)
			break;
	}
}

KEYS(item, "A part of the image. index: in its array; for SOFTWARE, the dword of the page. offset: "
     "bytes from the beginning of the image; null for registers of the source that explain it. "
     "way: of a message, to the GuC or from it; its text is the answer. "
     "fence: the number in the header of a message, which its answer repeats. "
     "size: bytes that the part should have; missing bytes have no fields, registers or commands. "
     "A dword used by software has only words, because nothing else is known about it.")
static enum gsc_status put_part(struct gsc_json *json, struct writing *w, size_t i,
				const struct gsc_image_part *part, struct gsc_error *err)
{
	struct gsc_listener listener = { .context = w, .command = take_command };
	bool all = part->way || (part->size <= 8 && !part->commands);
	enum gsc_status status = GSC_OK;
	struct gsc_row row;

	KEY(text, "name", part->name);
	KEY_OR_NULL(part->index >= 0, number, "index", (uint64_t)part->index);
	KEY_OR_NULL(!part->aside, hex, "offset", part->offset);
	KEY(number, "size", part->size);
	KEY_OR_NULL(part->way, text, "way", part->way);
	KEY(some_text, "text", part->text);
	KEY(some_text, "problem", part->problem);
	KEY_OR_NULL(part->way, number, "fence", (uint64_t)part->fence);
	KEY_EACH(hex, "words", for (size_t k = 0; all && k < part->count; k++), part->words[k],
		 "The dwords of a message after its header, or of a part that has at most two and "
		 "is not commands.", MAX_ITEMS(255));
	KEY_ARRAY("fields", OF(imageField));
	put_fields(json, w, i, part);
	gsc_json_array_end(json);
	KEY_EACH(object, "registers",
		 for (size_t k = 0; gsc_image_register(w->image, i, k, &row); k++),
		 gsc_json_row(json, w->view, &row, 0), OF(register),
		 "As in gpuscope.regdump/1; the value is the one that the image loads.");
	KEY_ARRAY("commands", OF(command), "As in gpuscope.batch/1.");
	if (part->commands)
		status = image_follow(w->image, i, &listener, err);
	gsc_json_array_end(json);
	return status;
}

KEYS(image, "decode: the kind of image that was assumed. engine: the engine that it belongs to; "
     "null for what is of the GuC. "
     "from: the buffer of the source, or the register with its address. address: graphics address "
     "of its first byte, if known. size: bytes that were decoded. cut: where it breaks off. notes: "
     "about the image as a whole.")
enum gsc_status gsc_json_image(struct gsc_json *json, const struct gsc_image *image,
			       struct gsc_image_counts *counts, struct gsc_error *err)
{
	struct gsc_commands *set = image->set;
	struct writing w = { .json = json, .image = image, .view = set->view };
	enum gsc_status status = gsc_command_json_new(&w.commands, json, set, err);
	struct gsc_image_part part;
	const struct gsc_image_about *about = &image->about;

	if (status)
		return status;
	KEY(text, "decode", gsc_image_word(about->kind), ONE_OF(gsc_image_word));
	KEY_OR_NULL(*about->engine, text, "engine", about->engine, PATTERN("^[a-z]+[0-9]+$"));
	KEY(some_text, "from", about->from);
	KEY_OR_NULL(about->placed, hex, "address", about->address);
	KEY(number, "size", about->size);
	KEY(some_text, "cut", about->cut);
	KEY_EACH(text, "notes", for (size_t i = 0; i < image->notes.count; i++),
		 image->notes.items[i]);
	KEY_LIST("items", OF(item));
	for (size_t i = 0; !status && gsc_image_part(image, i, &part); i++)
		ITEM(status = put_part(json, &w, i, &part, err));
	gsc_json_list_end(json);
	gsc_command_json_free(w.commands);
	if (counts)
		*counts = w.counts;
	return status;
}
