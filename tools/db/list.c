/* SPDX-License-Identifier: MIT */
/* gpu-db list: a line for each register, command, platform, ...; what is listed is a table. */
#include "gpu-db.h"

#include "db/resolve.h"
#include "eu/program.h"
#include "gtt/check.h"
#include "hang/hang.h"
#include "tile/tile.h"

#define NAME_WIDEST 44
#define MORE_WIDEST 20

struct row {
	struct gsc_item item;		/* of what is no definition, its doc and platforms */
	struct gsc_reg reg;		/* on a platform */
	char name[192];
	char more[64];			/* a place, a version, the value of a property */
	unsigned number;		/* a space, a platform, a property or a device */
	size_t count;			/* of an array, of ids or registers */
};

struct list {
	const struct common *common;
	struct db_filter *filter;
	unsigned kinds;			/* of definitions, or 0 */
	VEC(struct row) rows;
};

/* Where columns begin: after the widest name, and after the widest of `more`. */
struct columns { unsigned more, rest; };

struct listing {
	const char *key;
	bool (*collect)(struct list *list);
	void (*put)(const struct common *common, const struct row *row, struct columns at);
	void (*json)(const struct common *common, struct gsc_json *json, const struct row *row);
	unsigned kinds;
};

static bool add(struct list *list, const char *name, const char *more, struct row row)
{
	string_set(row.name, "%s", name);
	string_set(row.more, "%s", more);
	return vec_push(&list->rows, row);
}

static bool fits(const struct list *list, const char *text)
{
	return db_filter_fits(list->filter, list->common, text, NULL, NULL);
}

static void put_cell(struct gsc_out *out, unsigned column, const char *text)
{
	gsc_out_pad(out, column);
	gsc_out_text(out, text ? text : "-");
}

static void put_platforms(const struct common *common, const struct row *row, unsigned column)
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
static void json_rest(const struct common *common, struct gsc_json *json,
		      const struct gsc_item *item)
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
		if (!add(list, name, db_reg_place(reg, more, sizeof(more)), row))
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
		if (!add(list, item.name, more, row))
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
	db_json_access(json, item->access);
	KEY(text_or_null, "group", item->group);
	json_rest(common, json, item);
}

KEYS(listRegisters)
static const struct listing registers[] = { {
	KEY_NAME(array, "registers", OF(listedRegister)),
	collect_registers, put_register, json_register, 1u << GSC_REGISTER,
} };

/* ---- commands, structures, instructions ----------------------------------------------------- */

static bool collect_items(struct list *list)
{
	struct db_cursor at = { 0 };
	struct gsc_item item;

	while (db_next(list->common->db, list->kinds, &at, &item))
		if (db_sees(list->common, item.platforms, &item.revisions) &&
		    db_filter_fits(list->filter, list->common, NULL, &item, NULL) &&
		    !add(list, item.name, "", (struct row){ .item = item }))
			return false;
	return true;
}

static void put_item_rest(const struct common *common, const struct gsc_item *item, unsigned column)
{
	gsc_out_pad(common->out, column);
	put_where(common, item);
	gsc_out_format(common->out, "%s%s", common->gpu ? "" : "  ", item->doc ? item->doc : "-");
}

static void put_command(const struct common *common, const struct row *row, struct columns at)
{
	const struct gsc_item *item = &row->item;
	char text[64];

	gsc_out_pad(common->out, at.more);
	gsc_out_format(common->out, "0x%08x/0x%08x", item->value, item->mask);
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

KEYS(listCommands)
static const struct listing commands[] = { {
	KEY_NAME(array, "commands", OF(listedCommand)),
	collect_items, put_command, json_command, 1u << GSC_COMMAND,
} };

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

KEYS(listStructures)
static const struct listing structures[] = { {
	KEY_NAME(array, "structures", OF(listedStructure)),
	collect_items, put_structure, json_structure, 1u << GSC_STRUCTURE | 1u << GSC_ENTRY,
} };

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

KEYS(listInstructions)
static const struct listing instructions[] = { {
	KEY_NAME(array, "instructions", OF(listedInstruction)),
	collect_items, put_instruction, json_instruction, 1u << GSC_INSTRUCTION,
} };

/* ---- platforms ------------------------------------------------------------------------------ */

static bool other_platform(const struct common *common, unsigned platform)
{
	return common->gpu && platform_of(common)->index != platform;
}

/* Each name is asked for: each notes that it was met. */
static bool platform_fits(const struct list *list, const struct gsc_platform *p)
{
	bool fit = fits(list, p->name);
	const char *alias;

	for (size_t i = 0; (alias = gsc_platform_alias(list->common->db, p->index, i)); i++)
		fit |= fits(list, alias);
	return fit;
}

static bool collect_platforms(struct list *list)
{
	const struct gsc_db *db = list->common->db;
	struct gsc_platform p;

	for (unsigned i = 0; gsc_platform_at(db, i, &p); i++) {
		struct row row = { .item.doc = p.title, .number = i };
		const char *text;
		char version[16];
		uint16_t device;
		unsigned of;

		if (other_platform(list->common, i) || !platform_fits(list, &p))
			continue;
		for (size_t k = 0; gsc_platform_id(db, k, &device, &of, &text); k++)
			row.count += of == i;
		string_set(version, "%u.%02u", p.graphics / 100, p.graphics % 100);
		if (!add(list, p.name, version, row))
			return false;
	}
	return true;
}

static void put_platform(const struct common *common, const struct row *row, struct columns at)
{
	const char *alias;

	(void)at;
	put_cell(common->out, 9, row->more);
	put_cell(common->out, 16, row->item.doc);
	gsc_out_pad(common->out, 48);
	for (size_t i = 0; (alias = gsc_platform_alias(common->db, row->number, i)); i++)
		gsc_out_format(common->out, "%s%s", i ? " " : "", alias);
}

static void json_version(struct gsc_json *json, const char *key, unsigned version)
{
	char text[16];

	string_set(text, "%u.%02u", version / 100, version % 100);
	gsc_json_string(json, key, version ? text : NULL);
}

KEYS(platform, "ids: how many PCI device ids it has.")
static void json_platform(const struct common *common, struct gsc_json *json, const struct row *row)
{
	const char *text;
	struct gsc_platform p;

	if (!gsc_platform_at(common->db, row->number, &p))
		return;
	KEY(text, "name", p.name);
	KEY(text, "title", p.title);
	KEY_EACH(text, "aliases", for (size_t i = 0; (text = gsc_platform_alias(common->db, p.index,
		 i)); i++), text);
	json_version(json, KEY_NAME(text, "graphics", PATTERN("^[0-9]+[.][0-9]{2}$")), p.graphics);
	json_version(json, KEY_NAME(text, "media", PATTERN("^[0-9]+[.][0-9]{2}$")), p.media);
	json_version(json, KEY_NAME(text_or_null, "display", "null: it has none.",
				    PATTERN("^[0-9]+[.][0-9]{2}$")), p.display);
	KEY_EACH(text, "engines",
		 for (size_t i = 0;
		      (text = gsc_platform_engine(common->db, p.index, i, NULL)); i++),
		 text, PATTERN("^(rcs|bcs|vcs|vecs|ccs|gsccs)[0-9]*$"), UNIQUE);
	KEY(number, "ids", row->count);
}

KEYS(listPlatforms)
static const struct listing platforms[] = { {
	KEY_NAME(array, "platforms", OF(platform)),
	collect_platforms, put_platform, json_platform, 0,
} };

/* All of them, or those that a platform has. */
static bool collect_properties(struct list *list)
{
	const struct common *common = list->common;
	struct gsc_platform_property p;

	for (size_t i = 0;
	     gsc_platform_property(common->db, platform_of(common)->index, i, &p); i++) {
		struct row row = { .item.doc = p.text, .number = (unsigned)i };
		struct gsc_platform_property on;
		char value[16];

		if (!fits(list, p.name) || (common->gpu && !p.value))
			continue;
		for (unsigned n = 0; gsc_platform_property(common->db, n, i, &on); n++)
			row.item.platforms |= (uint64_t)(on.value > 0) << n;
		string_set(value, "%u", p.value);
		if (!add(list, p.name, value, row))
			return false;
	}
	return true;
}

static void put_property(const struct common *common, const struct row *row, struct columns at)
{
	(void)at;
	if (common->gpu)
		put_cell(common->out, 22, row->more);
	else
		put_platforms(common, row, 22);
	put_cell(common->out, common->gpu ? 29 : 44, row->item.doc);
}

KEYS(platformProperty, "value: null without a platform. platforms: those that have it.")
static void json_property(const struct common *common, struct gsc_json *json, const struct row *row)
{
	struct gsc_platform_property p;
	char text[300];

	if (!gsc_platform_property(common->db, platform_of(common)->index, row->number, &p))
		return;
	KEY(text, "name", p.name);
	KEY_OR_NULL(view_of(common), number, "value", p.value);
	KEY(text, "platforms", db_platforms(common->db, row->item.platforms, text, sizeof(text)));
	KEY(text, "text", p.text);
	db_json_origin(common, json, p.document, p.section);
}

KEYS(listProperties)
static const struct listing properties[] = { {
	KEY_NAME(array, "properties", OF(platformProperty)),
	collect_properties, put_property, json_property, 0,
} };

/* ---- groups, documents, ids ----------------------------------------------------------------- */

static struct row *find_row(const struct list *list, const char *name)
{
	for (size_t i = list->rows.count; i-- > 0;)
		if (!strcmp(list->rows.items[i].name, name))
			return &list->rows.items[i];
	return NULL;
}

static bool collect_groups(struct list *list)
{
	const struct common *common = list->common;
	struct gsc_item item;

	for (size_t i = 0; gsc_item_at(common->db, GSC_REGISTER, i, &item); i++) {
		struct row *row;

		if (!item.group || !fits(list, item.group) ||
		    (common->gpu && !(item.platforms >> platform_of(common)->index & 1)))
			continue;
		if (!find_row(list, item.group) && !add(list, item.group, "", (struct row){ 0 }))
			return false;
		row = find_row(list, item.group);
		row->item.doc = item.group_title;
		row->item.platforms |= item.platforms;
		row->count++;
	}
	return true;
}

static void put_group(const struct common *common, const struct row *row, struct columns at)
{
	(void)at;
	gsc_out_pad(common->out, 22);
	gsc_out_format(common->out, "%4zu", row->count);
	put_platforms(common, row, 28);
	put_cell(common->out, 44, row->item.doc);
}

KEYS(group)
static void json_group(const struct common *common, struct gsc_json *json, const struct row *row)
{
	char text[300];

	KEY(text, "name", row->name);
	KEY(text, "title", row->item.doc);
	KEY(number, "registers", row->count);
	KEY(text, "platforms", db_platforms(common->db, row->item.platforms, text, sizeof(text)));
}

KEYS(listGroups)
static const struct listing groups[] = { {
	KEY_NAME(array, "groups", OF(group)),
	collect_groups, put_group, json_group, 0,
} };

static bool collect_documents(struct list *list)
{
	const char *key, *title;

	for (size_t i = 0; gsc_document_at(list->common->db, i, &key, &title); i++)
		if (fits(list, key) && !find_row(list, key) &&
		    !add(list, key, "", (struct row){ .item.doc = title }))
			return false;
	return true;
}

static void put_document(const struct common *common, const struct row *row, struct columns at)
{
	(void)at;
	put_cell(common->out, 16, row->item.doc);
}

KEYS(document)
static void json_document(const struct common *common, struct gsc_json *json, const struct row *row)
{
	(void)common;
	KEY(text, "key", row->name);
	KEY(text, "title", row->item.doc);
}

KEYS(listDocuments)
static const struct listing documents[] = { {
	KEY_NAME(array, "documents", OF(document)),
	collect_documents, put_document, json_document, 0,
} };

static bool collect_ids(struct list *list)
{
	const struct gsc_db *db = list->common->db;
	struct gsc_platform p = { 0 };
	const char *text;
	uint16_t device;
	unsigned of;

	for (size_t i = 0; gsc_platform_id(db, i, &device, &of, &text); i++) {
		char name[16];
		bool fit;

		string_set(name, "0x%04x", device);
		gsc_platform_at(db, of, &p);
		if (other_platform(list->common, of))
			continue;
		fit = fits(list, name);
		fit |= platform_fits(list, &p);
		if (fit && !add(list, name, p.name,
				(struct row){ .item.doc = text, .number = device }))
			return false;
	}
	return true;
}

static void put_id(const struct common *common, const struct row *row, struct columns at)
{
	(void)at;
	put_cell(common->out, 8, row->more);
	put_cell(common->out, 14, row->item.doc);
}

KEYS(id)
static void json_id(const struct common *common, struct gsc_json *json, const struct row *row)
{
	(void)common;
	KEY(hex, "id", row->number);
	KEY(text, "platform", row->more);
	KEY(text, "text", row->item.doc);
}

KEYS(listIds)
static const struct listing ids[] = { {
	KEY_NAME(array, "ids", OF(id)),
	collect_ids, put_id, json_id, 0,
} };

/* ---- rules ---------------------------------------------------------------------------------- */

/* Of each room that has some. */
static const struct {
	const char *command;		/* that applies them */
	const struct rule *(*at)(size_t i);
} rule_tables[] = {
	{ "gpu-batch --lint", gsc_command_rule },
	{ "gpu-eu --lint", gsc_eu_rule },
	{ "gpu-tile --check", gsc_placement_rule },
	{ "gpu-ptwalk --check", gsc_table_rule }, { "gpu-fault", gsc_hang_rule },
};

static bool collect_rules(struct list *list)
{
	const struct common *common = list->common;
	const struct rule *rule;
	struct gsc_platform p;

	for (size_t t = 0; t < ARRAY_SIZE(rule_tables); t++)
		for (size_t i = 0; (rule = rule_tables[t].at(i)); i++) {
			struct row row = { .item = { .doc = rule->text, .group = rule->about,
						     .document = rule->document,
						     .section = rule->section } };

			if (!fits(list, rule->name) ||
			    (common->gpu && !platform_is(platform_of(common), rule->only)))
				continue;
			for (unsigned n = 0; gsc_platform_at(common->db, n, &p); n++)
				row.item.platforms |= (uint64_t)platform_is(&p, rule->only) << n;
			if (!add(list, rule->name, rule_tables[t].command, row))
				return false;
		}
	return true;
}

static void put_rule(const struct common *common, const struct row *row, struct columns at)
{
	const struct gsc_item *item = &row->item;

	put_cell(common->out, at.more, row->more);
	if (!common->gpu)
		put_platforms(common, row, at.rest);
	gsc_out_pad(common->out, at.rest + (common->gpu ? 0 : 16));
	if (item->group && *item->group)
		gsc_out_format(common->out, "%s: ", item->group);
	gsc_out_text(common->out, item->doc);
	if (item->document)
		gsc_out_format(common->out, "  (%s, %s)", item->document, item->section);
}

KEYS(listedRule, "command: the one that applies it. about: the GPU's command that it is about, or "
     "null. text: what is wrong if it is broken. origin: null if it is that of the definition.")
static void json_rule(const struct common *common, struct gsc_json *json, const struct row *row)
{
	const struct gsc_item *item = &row->item;
	char text[300];

	KEY(text, "name", row->name);
	KEY(text, "command", row->more);
	KEY(some_text, "about", item->group);
	KEY(text, "platforms", db_platforms(common->db, item->platforms, text, sizeof(text)));
	KEY(text, "text", item->doc);
	db_json_origin(common, json, item->document, item->section);
}

KEYS(listRules)
static const struct listing rules[] = { {
	KEY_NAME(array, "rules", OF(listedRule)),
	collect_rules, put_rule, json_rule, 0,
} };

/* ---- the command ---------------------------------------------------------------------------- */

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
	static const struct listing *const all[] = {
		platforms, properties, groups, documents, ids, commands, structures, instructions,
		rules,
	};
	struct db_filter filter = { 0 };
	struct list list = { .common = common, .filter = &filter };
	enum gsc_status status = db_open(common, false, err);
	const struct listing *listing = registers;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (option_given(common, all[i]->key))
			listing = all[i];
	list.kinds = listing->kinds;
	if (!status)
		status = db_filter_make(&filter, common, false, err);
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
