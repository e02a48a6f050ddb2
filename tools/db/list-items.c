/* SPDX-License-Identifier: MIT */
/* gpu-db list --commands and --structures. */
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
		(item->kind == GSC_COMMAND ? put_command : put_structure)(out, item, column);
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

static void print_json(const struct common *common, const struct db_items *items, bool commands)
{
	struct gsc_json document, *json = &document;

	db_json_begin(common, json);
	(commands ? commands_begin : structures_begin)(json);
	for (size_t i = 0; i < items->count && !gsc_out_error(common->out); i++)
		ITEM((commands ? json_command : json_structure)(common, json, &items->items[i]));
	gsc_json_list_end(json);
	gsc_json_finish(json);
}

enum gsc_status list_items(struct common *common, struct db_filter *filter,
			   struct gsc_error *err)
{
	bool commands = ((const struct db *)common)->commands, ok;
	unsigned kinds = commands ? 1u << GSC_COMMAND : 1u << GSC_STRUCTURE | 1u << GSC_ENTRY;
	struct db_items items = { 0 };
	enum gsc_status status;

	ok = collect(&items, common, commands ? GSC_COMMAND : GSC_STRUCTURE, filter) &&
	     (commands || collect(&items, common, GSC_ENTRY, filter));
	status = ok ? db_filter_missed(filter, common, kinds, err) : memory_error(err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status && wants_json(common))
		print_json(common, &items, commands);
	else if (!status)
		print_text(common, &items);
	free(items.items);
	return status;
}
