/* SPDX-License-Identifier: MIT */
/* gpu-db list --commands, --structures and --instructions. */
#include "list.h"

#include <stdlib.h>
#include <string.h>

#define NAME_WIDEST 44

static bool on_platform(const struct common *common, const struct gsc_item *item)
{
	return !common->gpu || gsc_view_sees(view_of(common), item->platforms, &item->revisions);
}

static bool collect(struct db_items *items, const struct common *common, enum gsc_kind kind,
		    struct db_filter *filter)
{
	struct gsc_item item;

	for (size_t i = 0; gsc_item_at(common->db, kind, i, &item); i++)
		if (on_platform(common, &item) && db_filter_item(filter, common->db, &item) &&
		    !db_items_add(items, &item))
			return false;
	return true;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put_command(struct gsc_out *out, const struct gsc_item *item, unsigned column)
{
	char text[64];

	gsc_out_hex(out, item->value, 8);
	gsc_out_text(out, "/");
	gsc_out_hex(out, item->mask, 8);
	gsc_out_pad(out, column + 23);
	gsc_out_text(out, db_length(item, text, sizeof(text)));
	gsc_out_pad(out, column + 35);
	gsc_out_text(out, db_engines(item->engines, -1, ",", text, sizeof(text)));
	gsc_out_pad(out, column + 52);
}

static void put_structure(struct gsc_out *out, const struct gsc_item *item, unsigned column)
{
	if (item->kind == GSC_ENTRY)
		gsc_out_format(out, "%s %s", item->level, item->modes);
	gsc_out_pad(out, column + 22);
	gsc_out_format(out, "%u bytes", item->bits / 8);
	gsc_out_pad(out, column + 34);
}

static void put_instruction(struct gsc_out *out, const struct gsc_item *item, unsigned column)
{
	gsc_out_hex(out, item->opcode, 2);
	gsc_out_pad(out, column + 6);
	gsc_out_text(out, item->form);
	gsc_out_pad(out, column + 14);
	gsc_out_decimal(out, item->sources);
	gsc_out_pad(out, column + 17);
}

typedef void put_fn(struct gsc_out *out, const struct gsc_item *item, unsigned column);
static put_fn *const put[] = {
	[GSC_COMMAND] = put_command, [GSC_STRUCTURE] = put_structure,
	[GSC_ENTRY] = put_structure, [GSC_INSTRUCTION] = put_instruction,
};

static void print_text(const struct common *common, const struct db_items *items)
{
	struct gsc_out *out = common->out;
	unsigned column = 0;
	char text[300];

	for (size_t i = 0; i < items->count; i++)
		if (strlen(items->items[i].name) > column)
			column = (unsigned)strlen(items->items[i].name);
	column = (column < NAME_WIDEST ? column : NAME_WIDEST) + 2;
	for (size_t i = 0; i < items->count && !gsc_out_error(out); i++) {
		const struct gsc_item *item = &items->items[i];

		gsc_out_style(out, GSC_STYLE_BOLD);
		gsc_out_text(out, item->name);
		gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_pad(out, column);
		put[item->kind](out, item, column);
		if (!common->gpu) {
			gsc_out_text(out, db_where(common->db, item->platforms,
						   &item->revisions, text, sizeof(text)));
			gsc_out_text(out, "  ");
		}
		gsc_out_text(out, item->doc ? item->doc : "-");
		gsc_out_end(out);
	}
}

/* ---- JSON ----------------------------------------------------------------------------------- */

KEYS()
static void json_rest(const struct common *common, struct gsc_json *json,
		      const struct gsc_item *item)
{
	char text[600];

	KEY(text, "platforms", db_where(common->db, item->platforms, &item->revisions, text,
					sizeof(text)));
	KEY(text_or_null, "doc", item->doc);
	db_json_origin(common, json, item->document, item->section);
}

KEYS(listedCommand)
static void json_command(const struct common *common, struct gsc_json *json,
			 const struct gsc_item *item)
{
	KEY(text, "name", item->name);
	db_json_command(json, item, item->engines);
	json_rest(common, json, item);
}

KEYS(listedStructure, "mode and level are those of page-table entries, else null.")
static void json_structure(const struct common *common, struct gsc_json *json,
			   const struct gsc_item *item)
{
	KEY(text, "name", item->name);
	KEY(number, "size", item->bits / 8);
	KEY(text_or_null, "mode", item->modes);
	KEY(text_or_null, "level", item->level);
	json_rest(common, json, item);
}

KEYS(listedInstruction)
static void json_instruction(const struct common *common, struct gsc_json *json,
			     const struct gsc_item *item)
{
	KEY(text, "name", item->name);
	db_json_instruction(json, item);
	json_rest(common, json, item);
}

KEYS(listCommands)
static void commands_begin(struct gsc_json *json)
{
	KEY_LIST("commands", OF(listedCommand));
}

KEYS(listStructures)
static void structures_begin(struct gsc_json *json)
{
	KEY_LIST("structures", OF(listedStructure));
}

KEYS(listInstructions)
static void instructions_begin(struct gsc_json *json)
{
	KEY_LIST("instructions", OF(listedInstruction));
}

/* ---- what is listed ------------------------------------------------------------------------- */

struct listing {
	unsigned kinds;
	void (*begin)(struct gsc_json *json);
	void (*item)(const struct common *common, struct gsc_json *json,
		     const struct gsc_item *item);
};

static const struct listing *listing_of(const struct db *db)
{
	static const struct listing commands = {
		1u << GSC_COMMAND, commands_begin, json_command,
	}, structures = {
		1u << GSC_STRUCTURE | 1u << GSC_ENTRY, structures_begin, json_structure,
	}, instructions = {
		1u << GSC_INSTRUCTION, instructions_begin, json_instruction,
	};

	return db->commands ? &commands : db->structures ? &structures : &instructions;
}

static void print_json(const struct common *common, const struct db_items *items,
		       const struct listing *listing)
{
	struct gsc_json document, *json = &document;

	db_json_begin(common, json);
	listing->begin(json);
	for (size_t i = 0; i < items->count && !gsc_out_error(common->out); i++)
		ITEM(listing->item(common, json, &items->items[i]));
	gsc_json_list_end(json);
	gsc_json_finish(json);
}

enum gsc_status list_items(struct common *common, struct db_filter *filter,
			   struct gsc_error *err)
{
	const struct listing *listing = listing_of((const struct db *)common);
	struct db_items items = { 0 };
	enum gsc_status status;
	bool ok = true;

	for (unsigned kind = GSC_REGISTER; ok && kind <= GSC_INSTRUCTION; kind++)
		if (listing->kinds >> kind & 1)
			ok = collect(&items, common, (enum gsc_kind)kind, filter);
	status = ok ? db_filter_missed(filter, common, listing->kinds, err) : err_memory(err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status && wants_json(common))
		print_json(common, &items, listing);
	else if (!status)
		print_text(common, &items);
	free(items.items);
	return status;
}
