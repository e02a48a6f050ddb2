/* SPDX-License-Identifier: MIT */
/* gpu-db list: the definitions, one line each. */
#include "gpu-db.h"
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDEST 44
#define PLACE_WIDEST 20

/* One line: a register's definition, or, on a platform, its place in one engine. */
struct line {
	struct gsc_item item;
	struct gsc_reg reg;		/* on a platform */
	enum gsc_space space;
	char name[192], place[48];
	unsigned count;			/* of a whole array, else 0 */
};

struct lines {
	struct line *items;
	size_t count, room;
};

static struct line *add_line(struct lines *lines)
{
	if (lines->count == lines->room) {
		size_t room = lines->room ? lines->room * 2 : 256;
		struct line *grown = realloc(lines->items, room * sizeof(*grown));

		if (!grown)
			return NULL;
		lines->items = grown;
		lines->room = room;
	}
	return &lines->items[lines->count++];
}

/* ---- registers ------------------------------------------------------------------------------ */

/* The first place of a register that is selected, in the order of the definitions. */
static bool find_place(const struct common *common, const struct gsc_item *item,
		       const struct gsc_reg *reg, struct gsc_place *place)
{
	for (size_t i = 0; gsc_item_place(common->db, item, i, place); i++)
		if (gsc_view_sees(view_of(common), place->platforms, &place->revisions) &&
		    (!place->engines || (reg->engine && place->engines >> reg->engine_class & 1 &&
					 (place->instance < 0 ||
					  (unsigned)place->instance == reg->engine_instance))))
			return true;
	return false;
}

static bool add_reg(struct lines *lines, const struct common *common, const struct gsc_reg *reg,
		    bool single)
{
	struct line *line = add_line(lines);
	struct gsc_place place;
	struct gsc_reg whole = *reg;

	if (!line)
		return false;
	*line = (struct line){ .reg = *reg, .space = reg->space };
	gsc_item_by_def(common->db, GSC_REGISTER, reg->def, &line->item);
	if (!single) {
		whole.index = -1;
		if (reg->index >= 0 && find_place(common, &line->item, reg, &place))
			line->count = place.count;
	}
	gsc_reg_full_name(&whole, line->name, sizeof(line->name));
	snprintf(line->place, sizeof(line->place), "%s%s0x%06llx",
		 reg->space == GSC_MMIO ? "" : gsc_space_name(reg->space),
		 reg->space == GSC_MMIO ? "" : ":", (unsigned long long)reg->offset);
	return true;
}

/* Arrays are one line, unless an element was requested. */
static bool collect_regs(struct lines *lines, const struct common *common,
			 struct db_filter *filter)
{
	bool single = false;
	struct gsc_reg reg;

	for (size_t i = 0; i < filter->count; i++)
		single |= filter->names[i].index >= 0;
	for (size_t i = 0; i < gsc_view_count(view_of(common)); i++) {
		gsc_view_reg(view_of(common), i, &reg);
		if (db_filter_reg(filter, view_of(common), &reg) && (single || reg.index <= 0) &&
		    !add_reg(lines, common, &reg, single))
			return false;
	}
	return true;
}

static bool add_definition(struct lines *lines, const struct gsc_db *db,
			   const struct gsc_item *item)
{
	struct line *line = add_line(lines);
	struct gsc_place place;

	if (!line)
		return false;
	*line = (struct line){ .item = *item };
	snprintf(line->name, sizeof(line->name), "%s", item->name);
	if (!gsc_item_place(db, item, 0, &place))
		return true;
	line->space = place.space;
	line->count = place.count;
	db_place(&place, line->place, sizeof(line->place) - 4);
	if (gsc_item_place(db, item, 1, &place))
		strcat(line->place, " ...");
	return true;
}

static bool collect_definitions(struct lines *lines, const struct common *common,
				struct db_filter *filter)
{
	struct gsc_item item;

	for (size_t i = 0; gsc_item_at(common->db, GSC_REGISTER, i, &item); i++)
		if (db_filter_item(filter, common->db, &item) &&
		    !add_definition(lines, common->db, &item))
			return false;
	return true;
}

static unsigned widest(const struct lines *lines, bool place, unsigned most)
{
	unsigned width = 0;

	for (size_t i = 0; i < lines->count; i++) {
		const struct line *line = &lines->items[i];
		unsigned length = (unsigned)strlen(place ? line->place : line->name);

		if (!place && line->count)
			length += 5;
		if (length > width)
			width = length;
	}
	return width < most ? width : most;
}

static void print_lines(const struct common *common, const struct lines *lines)
{
	unsigned place = widest(lines, false, NAME_WIDEST) + 2;
	unsigned access = place + widest(lines, true, PLACE_WIDEST) + 2;
	struct gsc_out *out = common->out;
	char text[300];

	for (size_t i = 0; i < lines->count && !gsc_out_error(out); i++) {
		const struct line *line = &lines->items[i];
		const struct gsc_item *item = &line->item;

		gsc_out_style(out, GSC_STYLE_BOLD);
		gsc_out_text(out, line->name);
		gsc_out_style(out, GSC_STYLE_PLAIN);
		if (line->count)
			gsc_out_format(out, "[%u]", line->count);
		gsc_out_pad(out, place);
		gsc_out_text(out, line->place);
		gsc_out_pad(out, access);
		gsc_out_text(out, db_access(item->access, text, sizeof(text)));
		gsc_out_pad(out, access + 10);
		gsc_out_text(out, item->group ? item->group : "-");
		gsc_out_pad(out, access + 24);
		if (!common->gpu) {
			gsc_out_text(out, db_where(common->db, item->platforms,
						   &item->revisions, text, sizeof(text)));
			gsc_out_pad(out, access + 40);
		}
		gsc_out_text(out, item->doc ? item->doc : "-");
		gsc_out_end(out);
	}
}

KEYS(listedRegister, "engine and offset are null without a platform. places: as they are written. "
     "count: of a whole array, else null. platforms: as ranges.")
static void json_line(const struct common *common, struct gsc_json *json,
		      const struct line *line)
{
	const struct gsc_item *item = &line->item;
	const struct gsc_reg *reg = common->gpu ? &line->reg : NULL;
	struct gsc_place place;
	const char *alias;
	char text[600];

	KEY(text, "name", item->name);
	KEY_EACH(text, "aliases",
		 for (size_t i = 0; (alias = reg ? gsc_reg_alias(view_of(common), reg, i)
						 : gsc_item_alias(common->db, item, i, NULL)); i++),
		 alias);
	KEY(text_or_null, "engine", reg ? reg->engine : NULL);
	KEY(text, "space", gsc_space_name(line->space), ONE_OF(gsc_space_name));
	KEY_OR_NULL(reg, hex, "offset", reg->offset);
	KEY_EACH(text, "places",
		 for (size_t i = 0; gsc_item_place(common->db, item, i, &place); i++),
		 db_place(&place, text, sizeof(text)), PATTERN("^([a-z-]+:)?[+]?0x[0-9a-f]+$"));
	KEY_OR_NULL(line->count, number, "count", line->count);
	KEY(number, "size", item->bits / 8, ONE_OF(1, 2, 4, 8));
	db_json_access(json, item->access);
	KEY(text_or_null, "group", item->group);
	KEY(text, "platforms", db_where(common->db, item->platforms, &item->revisions, text,
					sizeof(text)));
	KEY(text_or_null, "doc", item->doc);
	db_json_origin(common, json, item->document, item->section);
}

KEYS(listRegisters)
static void print_lines_json(const struct common *common, const struct lines *lines)
{
	struct gsc_json document, *json = &document;

	db_json_begin(common, json);
	KEY_LIST("registers", OF(listedRegister));
	for (size_t i = 0; i < lines->count && !gsc_out_error(common->out); i++)
		ITEM(json_line(common, json, &lines->items[i]));
	gsc_json_list_end(json);
	gsc_json_finish(json);
}

static enum gsc_status list_registers(struct common *common, struct db_filter *filter,
				      struct gsc_error *err)
{
	struct lines lines = { 0 };
	enum gsc_status status = GSC_OK;

	if (!(common->gpu ? collect_regs : collect_definitions)(&lines, common, filter))
		status = err_memory(err);
	if (!status)
		status = db_filter_missed(filter, common, 1u << GSC_REGISTER, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		(wants_json(common) ? print_lines_json : print_lines)(common, &lines);
	free(lines.items);
	return status;
}

enum gsc_status db_list_run(struct common *common, struct gsc_error *err)
{
	const struct db *db = (const struct db *)common;
	struct db_filter filter = { 0 };
	enum gsc_status status = db_open(common, false, err);

	if (!status)
		status = db_filter_make(&filter, common, err);
	if (!status && (db->platforms || db->properties || db->groups || db->documents || db->ids))
		status = list_facts(common, &filter, err);
	else if (!status && (db->commands || db->structures || db->instructions))
		status = list_items(common, &filter, err);
	else if (!status)
		status = list_registers(common, &filter, err);
	db_filter_free(&filter);
	return status;
}
