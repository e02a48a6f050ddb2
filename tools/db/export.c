/* SPDX-License-Identifier: MIT */
/* gpu-db export: all definitions of a platform, arrays expanded. */
#include "gpu-db.h"

#include <stdio.h>
#include <strings.h>

struct export {
	const struct common *common;
	struct gsc_json json;
	bool is_json, listing;		/* listing: NDJSON has begun its one list */
	unsigned engines;		/* of the platform, a bit for each class */
};

/* ---- fields --------------------------------------------------------------------------------- */

KEYS()
static void json_bits(struct gsc_json *json, const struct gsc_field *field)
{
	KEY(number, "hi", field->hi, MAX(4095));
	KEY(number, "lo", field->lo, MAX(4095));
}

KEYS(bits)
static void json_reg_field(struct gsc_json *json, const struct gsc_field *field)
{
	KEY(text, "name", field->name);
	json_bits(json, field);
}

KEYS(placedBits, "dword: from the start of the item. repeat: the repeated group that begins "
     "with this field, or null.")
static void json_item_field(struct gsc_json *json, const struct gsc_field *field, unsigned dwords,
			    const char *repeat)
{
	KEY(text, "name", field->name);
	KEY(number, "dword", dwords + field->dword);
	json_bits(json, field);
	KEY(text_or_null, "repeat", repeat);
}

/* Those of a repeating group are those of its first one. */
KEYS()
static void json_all_fields(struct export *e, const struct gsc_item *item)
{
	struct gsc_repeat repeat = { 0 };
	struct gsc_json *json = &e->json;
	struct gsc_field_iter it;
	struct gsc_field field;
	size_t i = 0;

	KEY_ARRAY("fields", OF(placedBits));
	gsc_item_fields(e->common->db, NULL, item, NULL, 0, &it);
	do {
		while (definition_next(view_of(e->common), &it, &field))
			ITEM(json_item_field(json, &field, repeat.at, repeat.name));
	} while (gsc_item_repeat(e->common->db, NULL, item, i++, &repeat, &it));
	gsc_json_array_end(json);
}

static void put_fields(struct export *e, struct gsc_field_iter *it, unsigned dwords,
		       bool show_dword)
{
	struct gsc_out *out = e->common->out;
	struct gsc_field field;

	while (definition_next(view_of(e->common), it, &field)) {
		gsc_out_format(out, " %s=", field.name);
		if (show_dword)
			gsc_out_format(out, "dw%u.", dwords + field.dword);
		gsc_out_format(out, field.hi == field.lo ? "%u" : "%u:%u", field.hi, field.lo);
	}
}

/* ---- registers ------------------------------------------------------------------------------ */

static const char *index_name(const struct gsc_reg *reg, const char *name, char *buf, size_t size)
{
	if (reg->index < 0)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "%s[%d]", name, reg->index);
	return buf;
}

KEYS(exportedRegister)
static void json_reg(struct gsc_json *json, struct export *e, const struct gsc_reg *reg)
{
	struct gsc_field_iter it = { 0 };
	struct gsc_field field;
	struct gsc_item item;
	const char *alias;
	char text[600];

	KEY(text, "kind", "register", ONE_OF("register"));
	KEY(text, "name", index_name(reg, reg->name, text, sizeof(text)));
	KEY_EACH(text, "aliases",
		 for (size_t i = 0; (alias = gsc_reg_alias(view_of(e->common), reg, i)); i++),
		 index_name(reg, alias, text, sizeof(text)));
	KEY(text_or_null, "engine", reg->engine);
	KEY(text, "space", gsc_space_name(reg->space), ONE_OF(gsc_space_name));
	KEY(hex, "offset", reg->offset);
	KEY(number, "size", reg->bits / 8, ONE_OF(1, 2, 4, 8));
	gsc_json_access(json, reg->access);
	KEY(text_or_null, "group", reg->group);
	if (gsc_item_by_def(e->common->db, GSC_REGISTER, reg->def, &item))
		gsc_item_fields(e->common->db, NULL, &item, NULL, 0, &it);
	KEY_EACH(object, "fields", while (definition_next(view_of(e->common), &it, &field)),
		 json_reg_field(json, &field));
	db_json_origin(e->common, json, reg->document, reg->section);
}

static void put_reg(struct export *e, const struct gsc_reg *reg)
{
	struct gsc_out *out = e->common->out;
	struct gsc_field_iter it = { 0 };
	struct gsc_item item;
	char text[200];

	gsc_reg_full_name(reg, text, sizeof(text));
	gsc_out_format(out, "register %s %s:", text, gsc_space_name(reg->space));
	gsc_out_hex(out, reg->offset, 6);
	gsc_out_format(out, " %u %s %s", reg->bits, db_access(reg->access, text, sizeof(text)),
		       reg->group ? reg->group : "-");
	if (gsc_item_by_def(e->common->db, GSC_REGISTER, reg->def, &item))
		gsc_item_fields(e->common->db, NULL, &item, NULL, 0, &it);
	put_fields(e, &it, 0, false);
	if (reg->document)
		gsc_out_format(out, " # %s %s", reg->document, reg->section);
	gsc_out_end(out);
}

/* ---- what has no place ---------------------------------------------------------------- */

KEYS(exportedCommand)
static void json_command(struct gsc_json *json, struct export *e, const struct gsc_item *item)
{
	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("command"));
	KEY(text, "name", item->name);
	db_json_command(json, item, item->engines & e->engines);
	json_all_fields(e, item);
	db_json_origin(e->common, json, item->document, item->section);
}

KEYS(exportedStructure)
static void json_structure(struct gsc_json *json, struct export *e, const struct gsc_item *item)
{
	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("structure"));
	KEY(text, "name", item->name);
	KEY(number, "size", item->bits / 8);
	json_all_fields(e, item);
	db_json_origin(e->common, json, item->document, item->section);
}

KEYS(exportedEntry)
static void json_entry(struct gsc_json *json, struct export *e, const struct gsc_item *item)
{
	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("entry"));
	KEY(text, "name", item->name);
	KEY(number, "size", item->bits / 8);
	show_entry_json(e->common, json, item);
	json_all_fields(e, item);
	db_json_origin(e->common, json, item->document, item->section);
}

KEYS(exportedInstruction)
static void json_instruction(struct gsc_json *json, struct export *e, const struct gsc_item *item)
{
	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("instruction"));
	KEY(text, "name", item->name);
	db_json_instruction(json, item);
	db_json_origin(e->common, json, item->document, item->section);
}

static void put_item(struct export *e, const struct gsc_item *item)
{
	struct gsc_out *out = e->common->out;
	const struct gsc_db *db = e->common->db;
	char length[40], engines[80];
	struct gsc_repeat repeat;
	struct gsc_field_iter it;

	gsc_out_format(out, "%s %s ", gsc_kind_word(item->kind), item->name);
	if (item->kind == GSC_COMMAND)
		gsc_out_format(out, "0x%08llx/0x%08llx %s %s", LL(item->value),
			       LL(item->mask), db_length(item, length, sizeof(length)),
			       db_engines(item->engines & e->engines, -1, ",", engines,
					  sizeof(engines)));
	else if (item->kind == GSC_INSTRUCTION)
		gsc_out_format(out, "0x%02x %s %u", item->opcode, item->form, item->sources);
	else
		gsc_out_decimal(out, item->bits / 8);
	if (item->kind == GSC_ENTRY)
		gsc_out_format(out, " %s %s", item->modes, item->level);
	if (item->kind != GSC_INSTRUCTION) {
		gsc_item_fields(db, NULL, item, NULL, 0, &it);
		put_fields(e, &it, 0, true);
		for (size_t i = 0; gsc_item_repeat(db, NULL, item, i, &repeat, &it); i++)
			put_fields(e, &it, repeat.at, true);
	}
	if (item->document)
		gsc_out_format(out, " # %s %s", item->document, item->section);
	gsc_out_end(out);
}

/* In NDJSON the lists are one, distinguished by `kind`. */
static void begin_list(struct export *e, const char *key)
{
	if (e->is_json && (!e->common->ndjson || !e->listing))
		gsc_json_list(&e->json, key);
	e->listing = true;
}

static void end_list(struct export *e)
{
	if (e->is_json && !e->common->ndjson)
		gsc_json_list_end(&e->json);
}

static bool export_items(struct export *e, unsigned kinds)
{
	static void (*const json_kinds[])(struct gsc_json *json, struct export *e,
					  const struct gsc_item *item) = {
		[GSC_COMMAND] = json_command, [GSC_STRUCTURE] = json_structure,
		[GSC_ENTRY] = json_entry, [GSC_INSTRUCTION] = json_instruction,
	};
	struct gsc_json *json = &e->json;
	struct db_cursor at = { 0 };
	db_items users = { 0 };
	struct gsc_item item;
	bool ok = true;

	while (ok && db_next(e->common->db, kinds, &at, &item) && !gsc_out_error(e->common->out)) {
		bool out = !db_sees(e->common, item.platforms, &item.revisions) ||
			   (item.kind == GSC_COMMAND && !(item.engines & e->engines));

		/* One of the user, which comes first, replaces a built-in one of its name. */
		for (size_t i = 0; !(item.flags & GSC_REG_USER) && i < users.count; i++)
			out |= users.items[i].kind == item.kind &&
			       !strcasecmp(users.items[i].name, item.name);
		if (out)
			continue;
		if (item.flags & GSC_REG_USER)
			ok = vec_push(&users, item);
		if (e->is_json)
			ITEM(json_kinds[item.kind](json, e, &item));
		else
			put_item(e, &item);
	}
	vec_free(&users);
	return ok;
}

KEYS(export, "All of one platform; register arrays are expanded. fields: all that the platform "
     "has, those that need a condition and reserved ones included. origin: title of the document, "
     "comma, the section.")
static bool export_all(struct export *e)
{
	const struct gsc_view *view = view_of(e->common);
	struct gsc_json *json = &e->json;
	struct gsc_reg reg;
	bool ok;

	if (e->is_json)
		source_document(e->common, DB_SCHEMA, &e->json);
	begin_list(e, KEY_NAME(array, "registers", OF(exportedRegister)));
	for (size_t i = 0; i < gsc_view_count(view) && !gsc_out_error(e->common->out); i++) {
		gsc_view_reg(view, i, &reg);
		if (e->is_json)
			ITEM(json_reg(json, e, &reg));
		else
			put_reg(e, &reg);
	}
	end_list(e);
	begin_list(e, KEY_NAME(array, "commands", OF(exportedCommand)));
	ok = export_items(e, 1u << GSC_COMMAND);
	end_list(e);
	begin_list(e, KEY_NAME(array, "structures", OF(exportedStructure, exportedEntry)));
	ok = ok && export_items(e, 1u << GSC_STRUCTURE | 1u << GSC_ENTRY);
	end_list(e);
	begin_list(e, KEY_NAME(array, "instructions", OF(exportedInstruction)));
	ok = ok && export_items(e, 1u << GSC_INSTRUCTION);
	end_list(e);
	if (e->is_json)
		gsc_json_finish(&e->json);
	return ok;
}

enum gsc_status export_run(struct common *common, struct gsc_error *err)
{
	struct export e = { .common = common, .is_json = wants_json(common) };
	enum gsc_status status = db_open(common, true, err);

	if (!status)
		status = output_open(common, !e.is_json, err);
	if (status)
		return status;
	e.engines = db_platform_engines(common);
	return export_all(&e) ? GSC_OK : err_memory(err);
}
