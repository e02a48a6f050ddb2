/* SPDX-License-Identifier: MIT */
/* Rows of registers, their fields and differences as JSON. */
#include "out/out.h"

#include "util/number.h"

#include <stdio.h>

void json_field_members(struct gsc_json *json, const struct gsc_field *field, bool definition)
{
	gsc_json_string(json, "name", field->name);
	gsc_json_number(json, "hi", field->hi);
	gsc_json_number(json, "lo", field->lo);
	if (definition)
		gsc_json_null(json, "value");
	else
		gsc_json_hex(json, "value", field->value);
	gsc_json_string(json, "text", definition ? NULL : field->text);
	if (!definition && field->problem)
		gsc_json_string(json, "problem", field->problem);
}

void gsc_json_field(struct gsc_json *json, const struct gsc_field *field, bool definition)
{
	gsc_json_object(json, NULL);
	json_field_members(json, field, definition);
	gsc_json_object_end(json);
}

/* The engine has its own key. */
static void json_name(struct gsc_json *json, const char *key, const struct gsc_reg *reg,
		      const char *name)
{
	char text[192];

	if (!name || reg->index < 0) {
		gsc_json_string(json, key, name);
		return;
	}
	snprintf(text, sizeof(text), "%s[%d]", name, reg->index);
	gsc_json_string(json, key, text);
}

/* Not to be taken for the register: which of its bits the value is. */
static void json_part(struct gsc_json *json, const struct gsc_row *row)
{
	if (!row->part)
		return;
	gsc_json_object(json, "part");
	gsc_json_number(json, "hi", row->part_hi);
	gsc_json_number(json, "lo", row->part_lo);
	gsc_json_object_end(json);
}

static void json_identity(struct gsc_json *json, const struct gsc_view *view,
			  const struct gsc_row *row)
{
	const struct gsc_reg *reg = &row->reg;
	const char *text;

	json_name(json, "name", reg, reg->name);
	gsc_json_array(json, "aliases");
	for (size_t i = 0; reg->name && (text = gsc_reg_alias(view, reg, i)); i++)
		json_name(json, NULL, reg, text);
	gsc_json_array_end(json);
	gsc_json_string(json, "engine", reg->engine);
	gsc_json_string(json, "space", gsc_space_name(reg->space));
	gsc_json_hex(json, "offset", reg->offset);
	gsc_json_number(json, "size", row->raw ? 4 : reg->bits / 8);
	json_part(json, row);
	gsc_json_array(json, "access");
	for (unsigned bit = 1; bit <= GSC_STICKY; bit <<= 1)
		if (reg->access & bit)
			gsc_json_string(json, NULL, gsc_access_word((enum gsc_access)bit));
	gsc_json_array_end(json);
	gsc_json_string(json, "group", reg->group);
}

static void json_value(struct gsc_json *json, const struct gsc_row *row)
{
	char buf[64];
	const char *reason = row_reason(row, buf, sizeof(buf));

	gsc_json_string(json, "dump_name", row->dump_name);
	gsc_json_string(json, "status", gsc_read_word(row->status));
	if (reason)
		gsc_json_string(json, "reason", reason);
	if (row->status == GSC_READ_OK)
		gsc_json_hex(json, "value", row->value);
	else
		gsc_json_null(json, "value");
}

/* Of replicated registers only. */
static void json_steering(struct gsc_json *json, const struct gsc_steering *steering)
{
	if (!steering->selector)
		return;
	gsc_json_object(json, "steering");
	gsc_json_string(json, "register", steering->selector);
	if (steering->known) {
		gsc_json_number(json, "group", steering->group);
		gsc_json_number(json, "instance", steering->instance);
	} else {
		gsc_json_null(json, "group");
		gsc_json_null(json, "instance");
	}
	gsc_json_object_end(json);
}

static void json_within(struct gsc_json *json, const struct gsc_view *view,
			const struct gsc_row *row)
{
	size_t next = gsc_view_seek(view, row->reg.space, row->reg.offset);
	struct gsc_field field;
	char name[192];

	while (row->status == GSC_READ_OK &&
	       within_next(view, row, &next, &field, name, sizeof(name)))
		gsc_json_field(json, &field, false);
}

static void json_fields(struct gsc_json *json, const struct gsc_view *view,
			const struct gsc_row *row, bool definition)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	gsc_json_array(json, "fields");
	if (definition && row->reg.name)
		definition_fields(view, &row->reg, &it);
	else if (row_decodes(row))
		gsc_reg_fields(view, &row->reg, row->value, &it);
	else
		it = (struct gsc_field_iter){ 0 };
	while (definition ? definition_next(view, &it, &field) : gsc_field_next(&it, &field))
		if (row_shows(row, &field))
			gsc_json_field(json, &field, definition);
	if (!definition)
		json_within(json, view, row);
	gsc_json_array_end(json);
}

static void json_also(struct gsc_json *json, const struct gsc_view *view,
		      const struct gsc_row *row)
{
	struct gsc_reg reg;
	char name[192];

	if (!row->also_count)
		return;
	gsc_json_array(json, "also");
	for (size_t i = 0; i < row->also_count; i++) {
		gsc_view_reg(view, row->also[i], &reg);
		gsc_reg_full_name(&reg, name, sizeof(name));
		gsc_json_string(json, NULL, name);
	}
	gsc_json_array_end(json);
}

void gsc_json_row(struct gsc_json *json, const struct gsc_view *view, const struct gsc_row *row,
		  unsigned flags)
{
	const struct gsc_reg *reg = &row->reg;
	bool list = flags & GSC_TEXT_LIST;
	char origin[400];

	json_identity(json, view, row);
	json_also(json, view, row);
	if (!list)
		json_value(json, row);
	json_steering(json, &row->steering);
	if (reg->flags & GSC_REG_HAS_RESET && !row->part)
		gsc_json_hex(json, "reset", reg->reset);
	else
		gsc_json_null(json, "reset");
	json_fields(json, view, row, list);
	gsc_json_string(json, "doc", reg->doc);
	gsc_json_string(json, "origin",
			origin_text(view, reg, origin, sizeof(origin)) ? origin : NULL);
}

static void json_side(struct gsc_json *json, const char *key, const struct gsc_row *row)
{
	if (row->status == GSC_READ_OK)
		gsc_json_hex(json, key, row->value);
	else
		gsc_json_null(json, key);
}

void json_field_differences(struct gsc_json *json, const struct gsc_view *view,
			    const struct gsc_difference *difference, const char *a, const char *b)
{
	struct gsc_difference_iter it;
	struct gsc_field_difference field;

	gsc_json_array(json, "fields");
	gsc_difference_fields(view, difference, &it);
	while (gsc_difference_next(&it, &field)) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "name", field.name);
		gsc_json_number(json, "hi", field.hi);
		gsc_json_number(json, "lo", field.lo);
		gsc_json_hex(json, a, field.a);
		gsc_json_hex(json, b, field.b);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

void gsc_json_difference(struct gsc_json *json, const struct gsc_view *view,
			 const struct gsc_difference *difference)
{
	const struct gsc_reg *reg = &difference->b.reg;
	char name[192];

	if (reg->name)
		gsc_reg_full_name(reg, name, sizeof(name));
	gsc_json_string(json, "name", reg->name ? name : NULL);
	gsc_json_string(json, "dump_name", difference->a.dump_name ? difference->a.dump_name
								   : difference->b.dump_name);
	gsc_json_string(json, "space", gsc_space_name(reg->space));
	gsc_json_hex(json, "offset", reg->offset);
	json_part(json, &difference->b);
	json_side(json, "a", &difference->a);
	json_side(json, "b", &difference->b);
	json_field_differences(json, view, difference, "a", "b");
}
