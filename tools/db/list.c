/* SPDX-License-Identifier: MIT */
/* gpu-db list: a line for each register, command, platform, ...; what is listed is a table. */
#include "list.h"

#include "db/resolve.h"
#include "util/text.h"

#define NAME_WIDEST 52
#define MORE_WIDEST 20

bool list_add(struct list *list, const char *name, const char *more, struct row row)
{
	string_set(row.name, "%s", name);
	string_set(row.more, "%s", more);
	return vec_push(&list->rows, row);
}

bool list_fits(const struct list *list, const char *text)
{
	return db_filter_fits(list->filter, list->common, text, NULL, NULL);
}

void put_cell(struct gsc_out *out, unsigned column, const char *text)
{
	gsc_out_pad(out, column);
	gsc_out_text(out, text ? text : "-");
}

void put_platforms(const struct common *common, const struct row *row, unsigned column)
{
	char text[300];

	put_cell(common->out, column, db_platforms(common->db, row->item.platforms, text,
						   sizeof(text)));
}

/* The definition's platforms are not listed if there is only one. */
static void put_where(const struct common *common, const struct gsc_item *item)
{
	char text[300];

	if (!common->gpu)
		gsc_out_text(common->out, db_where(common->db, item->platforms, &item->revisions,
						   text, sizeof(text)));
}

KEYS()
void json_rest(const struct common *common, struct gsc_json *json, const struct gsc_item *item)
{
	char text[600];

	KEY(text, "platforms", db_where(common->db, item->platforms, &item->revisions, text,
					sizeof(text)));
	KEY(text_or_null, "doc", item->doc);
	db_json_origin(common, json, item->document, item->section);
}

/* ---- registers ------------------------------------------------------------------------------ */

/* Of a platform. Arrays are one line, unless an element was requested. */
static bool collect_placed(struct list *list)
{
	const struct gsc_view *view = view_of(list->common);
	bool single = false;

	for (size_t i = 0; i < list->filter->count; i++)
		single |= list->filter->names[i].index >= 0;
	for (size_t i = 0; i < gsc_view_count(view); i++) {
		char name[sizeof(((struct row *)NULL)->name)], more[64];
		struct row row = { .count = 0 };
		struct gsc_reg *reg = &row.reg, whole;
		struct gsc_place p;

		gsc_view_reg(view, i, reg);
		if (!db_filter_fits(list->filter, list->common, NULL, NULL, reg) ||
		    (!single && reg->index > 0))
			continue;
		row.number = reg->space;
		gsc_item_by_def(list->common->db, GSC_REGISTER, reg->def, &row.item);
		/* An array has as many elements as at the first place that it can be of. */
		for (size_t n = 0; !single && reg->index >= 0 && !row.count &&
		     gsc_item_place(list->common->db, &row.item, n, &p); n++)
			if (gsc_view_sees(view, p.platforms, &p.revisions) &&
			    (!p.engines || (reg->engine && p.engines >> reg->engine_class & 1 &&
			     (p.instance < 0 || (unsigned)p.instance == reg->engine_instance))))
				row.count = p.count;
		whole = *reg;
		if (!single)
			whole.index = -1;
		gsc_reg_full_name(&whole, name, sizeof(name));
		if (!list_add(list, name, db_reg_place(reg, more, sizeof(more)), row))
			return false;
	}
	return true;
}

static bool collect_registers(struct list *list)
{
	const struct gsc_db *db = list->common->db;
	struct gsc_place place;
	struct gsc_item item;

	if (list->common->gpu)
		return collect_placed(list);
	for (size_t i = 0; gsc_item_at(db, GSC_REGISTER, i, &item); i++) {
		struct row row = { .item = item };
		char more[64] = "";

		if (!db_filter_fits(list->filter, list->common, NULL, &item, NULL))
			continue;
		if (gsc_item_place(db, &item, 0, &place)) {
			row.number = place.space;
			row.count = place.count;
			db_place(&place, more, sizeof(more));
		}
		if (gsc_item_place(db, &item, 1, &place))
			string_add(more, " ...");
		if (!list_add(list, item.name, more, row))
			return false;
	}
	return true;
}

static void put_register(const struct common *common, const struct row *row, struct columns at)
{
	const struct gsc_item *item = &row->item;
	struct gsc_out *out = common->out;
	char text[80];

	if (row->count)
		gsc_out_format(out, "[%zu]", row->count);
	put_cell(out, at.more, row->more);
	put_cell(out, at.rest, db_access(item->access, text, sizeof(text)));
	put_cell(out, at.rest + 10, item->group);
	if (!common->gpu)
		gsc_out_pad(out, at.rest + 24);
	put_where(common, item);
	put_cell(out, at.rest + (common->gpu ? 24 : 40), item->doc);
}

KEYS(listedRegister, "engine and offset are null without a platform. places: as they are written. "
     "count: of a whole array, else null. platforms: as ranges.")
static void json_register(const struct common *common, struct gsc_json *json, const struct row *row)
{
	const struct gsc_reg *reg = common->gpu ? &row->reg : NULL;
	const struct gsc_item *item = &row->item;
	struct gsc_place place;
	const char *alias;
	char text[64];

	KEY(text, "name", item->name);
	KEY_EACH(text, "aliases",
		 for (size_t i = 0; (alias = reg ? gsc_reg_alias(view_of(common), reg, i)
						 : gsc_item_alias(common->db, item, i, NULL)); i++),
		 alias);
	KEY(text_or_null, "engine", reg ? reg->engine : NULL);
	KEY(text, "space", gsc_space_name((enum gsc_space)row->number), ONE_OF(gsc_space_name));
	KEY_OR_NULL(reg, hex, "offset", reg->offset);
	KEY_EACH(text, "places",
		 for (size_t i = 0; gsc_item_place(common->db, item, i, &place); i++),
		 db_place(&place, text, sizeof(text)), PATTERN("^([a-z-]+:)?[+]?0x[0-9a-f]+$"));
	KEY_OR_NULL(row->count, number, "count", row->count);
	KEY(number, "size", item->bits / 8, ONE_OF(1, 2, 4, 8));
	gsc_json_access(json, item->access);
	KEY(text_or_null, "group", item->group);
	json_rest(common, json, item);
}

/* ---- commands, structures, instructions ----------------------------------------------------- */

static bool collect_items(struct list *list)
{
	struct db_cursor at = { 0 };
	struct gsc_item item;

	while (db_next(list->common->db, list->kinds, &at, &item))
		if (db_sees(list->common, item.platforms, &item.revisions) &&
		    db_filter_fits(list->filter, list->common, NULL, &item, NULL) &&
		    !list_add(list, item.name, "", (struct row){ .item = item }))
			return false;
	return true;
}

static void put_item_rest(const struct common *common, const struct gsc_item *item, unsigned column)
{
	if (!common->gpu)
		gsc_out_pad(common->out, column);
	put_where(common, item);
	put_cell(common->out, column + (common->gpu ? 0 : 16), item->doc);
}

static void put_command(const struct common *common, const struct row *row, struct columns at)
{
	const struct gsc_item *item = &row->item;
	char text[64];

	gsc_out_pad(common->out, at.more);
	gsc_out_format(common->out, "0x%08llx/0x%08llx", LL(item->value),
		       LL(item->mask));
	put_cell(common->out, at.more + 23, db_length(item, text, sizeof(text)));
	put_cell(common->out, at.more + 35, db_engines(item->engines, -1, ",", text, sizeof(text)));
	put_item_rest(common, item, at.more + 52);
}

KEYS(listedCommand)
static void json_command(const struct common *common, struct gsc_json *json, const struct row *row)
{
	KEY(text, "name", row->name);
	db_json_command(json, &row->item, row->item.engines);
	json_rest(common, json, &row->item);
}

static void put_structure(const struct common *common, const struct row *row, struct columns at)
{
	const struct gsc_item *item = &row->item;

	gsc_out_pad(common->out, at.more);
	if (item->kind == GSC_ENTRY)
		gsc_out_format(common->out, "%s %s", item->level, item->modes);
	gsc_out_pad(common->out, at.more + 22);
	gsc_out_format(common->out, "%u bytes", item->bits / 8);
	put_item_rest(common, item, at.more + 34);
}

KEYS(listedStructure, "mode and level are those of page-table entries, else null.")
static void json_structure(const struct common *common, struct gsc_json *json,
			   const struct row *row)
{
	KEY(text, "name", row->name);
	KEY(number, "size", row->item.bits / 8);
	KEY(text_or_null, "mode", row->item.modes);
	KEY(text_or_null, "level", row->item.level);
	json_rest(common, json, &row->item);
}

static void put_instruction(const struct common *common, const struct row *row, struct columns at)
{
	gsc_out_pad(common->out, at.more);
	gsc_out_hex(common->out, row->item.opcode, 2);
	put_cell(common->out, at.more + 6, row->item.form);
	gsc_out_pad(common->out, at.more + 14);
	gsc_out_decimal(common->out, row->item.sources);
	put_item_rest(common, &row->item, at.more + 17);
}

KEYS(listedInstruction)
static void json_instruction(const struct common *common, struct gsc_json *json,
			     const struct row *row)
{
	KEY(text, "name", row->name);
	db_json_instruction(json, &row->item);
	json_rest(common, json, &row->item);
}

static void put_topic(const struct common *common, const struct row *row, struct columns at)
{
	put_item_rest(common, &row->item, at.more);
}

KEYS(listedTopic)
static void json_topic(const struct common *common, struct gsc_json *json, const struct row *row)
{
	KEY(text, "name", row->name);
	json_rest(common, json, &row->item);
}

static void put_workaround(const struct common *common, const struct row *row, struct columns at)
{
	const struct gsc_item *w = &row->item;
	char text[300];

	put_cell(common->out, at.more, w->when);
	if (w->moment != WORKAROUND_OTHER) {
		put_cell(common->out, at.more + 11, db_target(w, text, sizeof(text)));
		gsc_out_pad(common->out, at.more + 47);
		gsc_out_format(common->out, "0x%llx = 0x%llx", LL(w->mask), LL(w->value));
	}
	put_cell(common->out, at.more + 71, w->document);
	if (w->doc || !common->gpu)
		gsc_out_pad(common->out, at.more + 77);
	put_where(common, w);
	if (w->doc)
		gsc_out_format(common->out, "%s%s", common->gpu ? "" : "; ", w->doc);
}

static void json_workaround(const struct common *common, struct gsc_json *json,
			    const struct row *row)
{
	db_json_workaround(common, json, &row->item);
}

/* ---- the command ---------------------------------------------------------------------------- */

static const struct listing listings[] = {
	{ LISTING(listRegisters, "registers", OF(listedRegister)),
	  collect_registers, put_register, json_register, 1u << GSC_REGISTER },
	{ LISTING(listCommands, "commands", OF(listedCommand)),
	  collect_items, put_command, json_command, 1u << GSC_COMMAND },
	{ LISTING(listStructures, "structures", OF(listedStructure)),
	  collect_items, put_structure, json_structure, 1u << GSC_STRUCTURE | 1u << GSC_ENTRY },
	{ LISTING(listInstructions, "instructions", OF(listedInstruction)),
	  collect_items, put_instruction, json_instruction, 1u << GSC_INSTRUCTION },
	{ LISTING(listTopics, "topics", OF(listedTopic)),
	  collect_items, put_topic, json_topic, 1u << GSC_TOPIC },
	{ LISTING(listWorkarounds, "workarounds", OF(workaround)),
	  collect_items, put_workaround, json_workaround, 1u << GSC_WORKAROUND },
};

static void print_text(const struct common *common, const struct listing *listing,
		       const struct list *list)
{
	struct columns at = { 0 };

	for (size_t i = 0; i < list->rows.count; i++) {
		const struct row *row = &list->rows.items[i];
		unsigned name = (unsigned)strlen(row->name) + (row->count ? 5 : 0);

		at.more = MAX(at.more, name);
		at.rest = MAX(at.rest, (unsigned)strlen(row->more));
	}
	at.more = MIN(at.more, NAME_WIDEST) + 2;
	at.rest = at.more + MIN(at.rest, MORE_WIDEST) + 2;
	for (size_t i = 0; i < list->rows.count && !gsc_out_error(common->out); i++) {
		text_styled(common->out, GSC_STYLE_BOLD, list->rows.items[i].name);
		listing->put(common, &list->rows.items[i], at);
		gsc_out_end(common->out);
	}
}

static void print_json(const struct common *common, const struct listing *listing,
		       const struct list *list)
{
	struct gsc_json document, *json = &document;

	source_document(common, DB_SCHEMA, json);
	gsc_json_list(json, listing->key);
	for (size_t i = 0; i < list->rows.count && !gsc_out_error(common->out); i++)
		ITEM(listing->json(common, json, &list->rows.items[i]));
	gsc_json_finish(json);
}

/* Of what is no definition: the nearest of all names that could have been listed. */
static enum gsc_status missed(const struct listing *listing, const struct list *list,
			      struct gsc_error *err)
{
	struct db_filter all = { 0 };
	struct list names = { .common = list->common, .filter = &all };
	struct suggestions s = { 0 };
	enum gsc_status status = GSC_OK;
	char near[400];

	for (size_t i = list->filter->count; i-- > 0;)
		if (!list->filter->names[i].met)
			s.wanted = list->filter->names[i].name;
	if (!s.wanted)
		return GSC_OK;
	if (!listing->collect(&names))
		status = err_memory(err);
	for (size_t i = 0; !status && i < names.rows.count; i++)
		suggest(&s, names.rows.items[i].name);
	if (!status)
		status = err_set(err, GSC_UNKNOWN, s.wanted, "unknown name%s",
				 suggestions_text(&s, near, sizeof(near)));
	vec_free(&names.rows);
	return status;
}

enum gsc_status db_list_run(struct common *common, struct gsc_error *err)
{
	struct db_filter filter = { 0 };
	struct list list = { .common = common, .filter = &filter };
	enum gsc_status status = db_open(common, false, err);
	const struct listing *listing = listings;

	for (size_t i = 1; i < ARRAY_SIZE(listings); i++)
		if (option_given(common, listings[i].key))
			listing = &listings[i];
	for (const struct listing *other = other_listings; other->key; other++)
		if (option_given(common, other->key))
			listing = other;
	list.kinds = listing->kinds;
	if (!status)
		status = db_filter_make(&filter, common, listing->kinds ? DB_NO_PLACES : DB_TEXTS,
					err);
	if (!status && !listing->collect(&list))
		status = err_memory(err);
	if (!status)
		status = listing->kinds ? db_filter_missed(&filter, common, listing->kinds, err)
					: missed(listing, &list, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		(wants_json(common) ? print_json : print_text)(common, listing, &list);
	vec_free(&list.rows);
	free(filter.names);
	return status;
}
