/* SPDX-License-Identifier: MIT */
/* Rows of registers, their fields and differences, and writes as JSON. */
#include "out/keys.h"
#include "out/out.h"
#include "regs/write.h"

#include "util/number.h"

#include <stdio.h>

KEYS(field, "Bits count from the beginning of the register or entry. value: the raw bits, "
     "right-justified. problem: a reserved or must-be field is not what it must be.")
void json_field(struct gsc_json *json, const struct gsc_field *field)
{
	KEY(text, "name", field->name);
	KEY(number, "hi", field->hi, MAX(511));
	KEY(number, "lo", field->lo, MAX(511));
	KEY(hex, "value", field->value);
	KEY(text_or_null, "text", field->text);
	if (field->problem)
		KEY(text, "problem", field->problem, OPTIONAL);
}

KEYS(fieldDefinition)
static void json_definition(struct gsc_json *json, const struct gsc_field *field)
{
	KEY(text, "name", field->name);
	KEY(number, "hi", field->hi, MAX(63));
	KEY(number, "lo", field->lo, MAX(63));
	KEY(null, "value", NULL);
	KEY(null, "text", NULL);
}

/* The engine has a separate key. */
static const char *indexed(const struct gsc_reg *reg, const char *name, char *buf, size_t size)
{
	if (!name || reg->index < 0)
		return name;
	snprintf(buf, size, "%s[%d]", name, reg->index);
	return buf;
}

KEYS(part)
static void json_bits(struct gsc_json *json, const struct gsc_row *row)
{
	KEY(number, "hi", row->part_hi, MAX(63));
	KEY(number, "lo", row->part_lo, MAX(63));
}

/* So that the row is not taken for the register: which of its bits the value has. */
KEYS()
static void json_part(struct gsc_json *json, const struct gsc_row *row)
{
	if (row->part)
		KEY(object, "part", json_bits(json, row), OPTIONAL);
}

KEYS()
void gsc_json_owner(struct gsc_json *json, const struct gsc_view *view, enum gsc_space space,
		uint64_t offset)
{
	char text[RANGE_TEXT_MAX];
	struct gsc_range range;
	bool known = gsc_view_range(view, RANGE_OWNED, space, offset, &range);

	KEY(text_or_null, "owner", known ? gsc_range_text(&range, text, sizeof(text)) : NULL);
}

KEYS()
void gsc_json_access(struct gsc_json *json, unsigned access)
{
	KEY_EACH(text, "access",
		 for (unsigned bit = 1; bit <= GSC_STICKY; bit <<= 1) if (access & bit),
		 gsc_access_word((enum gsc_access)bit), ONE_OF(gsc_access_word), UNIQUE);
}

KEYS()
static void json_identity(struct gsc_json *json, const struct gsc_view *view,
			  const struct gsc_row *row)
{
	const struct gsc_reg *reg = &row->reg;
	struct gsc_range hole;
	const char *text;
	char name[RANGE_TEXT_MAX];

	KEY(text_or_null, "name", indexed(reg, reg->name, name, sizeof(name)));
	KEY_EACH(text, "aliases",
		 for (size_t i = 0; reg->name && (text = gsc_reg_alias(view, reg, i)); i++),
		 indexed(reg, text, name, sizeof(name)));
	KEY(text_or_null, "engine", reg->engine);
	KEY(text, "space", gsc_space_name(reg->space), ONE_OF(gsc_space_name));
	KEY(hex, "offset", reg->offset);
	KEY(number, "size", row->raw ? 4 : reg->bits / 8, ONE_OF(1, 2, 4, 8));
	json_part(json, row);
	gsc_json_access(json, reg->access);
	KEY(text_or_null, "group", reg->group);
	gsc_json_owner(json, view, reg->space, reg->offset);
	if (!reg->name && gsc_view_range(view, RANGE_TOLD, reg->space, reg->offset, &hole))
		KEY(text, "hole", gsc_range_text(&hole, name, sizeof(name)), OPTIONAL);
}

KEYS()
static void json_value(struct gsc_json *json, const struct gsc_row *row)
{
	char buf[64];
	const char *reason = row_reason(row, buf, sizeof(buf));

	KEY(text_or_null, "dump_name", row->dump_name);
	KEY(text, "status", gsc_read_word(row->status), ONE_OF(gsc_read_word));
	if (reason)
		KEY(text, "reason", reason, OPTIONAL);
	KEY_OR_NULL(row->status == GSC_READ_OK, hex, "value", row->value);
}

KEYS(steering)
static void json_steering(struct gsc_json *json, const struct gsc_steering *steering)
{
	KEY(text, "register", steering->selector);
	KEY_OR_NULL(steering->known, number, "group", steering->group, MAX(15));
	KEY_OR_NULL(steering->known, number, "instance", steering->instance, MAX(15));
}

static void json_within(struct gsc_json *json, const struct gsc_view *view,
			const struct gsc_row *row)
{
	size_t next = gsc_view_seek(view, row->reg.space, row->reg.offset);
	struct gsc_field field;
	char name[192];

	while (row->status == GSC_READ_OK &&
	       within_next(view, row, &next, &field, name, sizeof(name)))
		ITEM(json_field(json, &field));
}

KEYS()
static void json_fields(struct gsc_json *json, const struct gsc_view *view,
			const struct gsc_row *row)
{
	struct gsc_field_iter it = { 0 };
	struct gsc_field field;

	KEY_ARRAY("fields", OF(field));
	if (row_decodes(row))
		gsc_reg_fields(view, &row->reg, row->value, &it);
	while (gsc_field_next(&it, &field))
		if (row_shows(row, &field))
			ITEM(json_field(json, &field));
	json_within(json, view, row);
	gsc_json_array_end(json);
}

KEYS()
static void json_definitions(struct gsc_json *json, const struct gsc_view *view,
			     const struct gsc_row *row)
{
	struct gsc_field_iter it = { 0 };
	struct gsc_field field;

	if (row->reg.name)
		definition_fields(view, &row->reg, &it);
	else if (row_decodes(row))
		gsc_reg_fields(view, &row->reg, row->value, &it);
	KEY_EACH(object, "fields",
		 while (definition_next(view, &it, &field)) if (row_shows(row, &field)),
		 json_definition(json, &field));
}

KEYS()
static void json_also(struct gsc_json *json, const struct gsc_view *view, const struct gsc_row *row)
{
	struct gsc_reg reg;
	char name[192];

	if (!row->also_count)
		return;
	KEY_ARRAY("also", OF(text), MIN_ITEMS(1), OPTIONAL);
	for (size_t i = 0; i < row->also_count; i++) {
		gsc_view_reg(view, row->also[i], &reg);
		gsc_reg_full_name(&reg, name, sizeof(name));
		gsc_json_string(json, NULL, name);
	}
	gsc_json_array_end(json);
}

KEYS()
static void json_reset(struct gsc_json *json, const struct gsc_row *row)
{
	KEY_OR_NULL(row->reg.flags & GSC_REG_HAS_RESET && !row->part, hex, "reset", row->reg.reset);
}

KEYS()
static void json_origin(struct gsc_json *json, const struct gsc_view *view,
			const struct gsc_reg *reg)
{
	char origin[400];

	KEY(text_or_null, "doc", reg->doc);
	KEY(text_or_null, "origin", origin_text(view, reg, origin, sizeof(origin)) ? origin : NULL);
}

KEYS(register,
     "name: null for an address without a definition. In a range a row is one dword, size 4: with "
     "`part` it is only these bits of a wider register; `fields` lists the registers that share "
     "it. dump_name: the dump's name for the value, if no register is defined and it has a name. "
     "owner: of the narrowest documented range around the address, or null. hole: where no "
     "register is, why nothing may be. reason: why there is no value. time (seconds) and previous: "
     "with --watch. steering: for a replicated register, which copy answered, by a register that "
     "steers reads: its group (slice) and instance (subslice), null where no source holds it. "
     "also: with --decode, the other registers that the given name may mean and that decode "
     "alike.",
     RULE("'if': {'properties': {'status': {'const': 'ok'}}},"
	  "'then': {'properties': {'value': {'type': 'string'}}},"
	  "'else': {'properties': {'value': {'type': 'null'}, 'fields': {'maxItems': 0}}}"))
static void json_register(struct gsc_json *json, const struct gsc_view *view,
			  const struct gsc_row *row)
{
	json_identity(json, view, row);
	json_also(json, view, row);
	json_value(json, row);
	if (row->steering.selector)
		KEY(object, "steering", json_steering(json, &row->steering), OPTIONAL);
	json_reset(json, row);
	json_fields(json, view, row);
	json_workarounds(json, view, &row->reg);
	json_origin(json, view, &row->reg);
}

KEYS(listed)
static void json_listed(struct gsc_json *json, const struct gsc_view *view,
			const struct gsc_row *row)
{
	json_identity(json, view, row);
	json_reset(json, row);
	json_definitions(json, view, row);
	json_origin(json, view, &row->reg);
}

void gsc_json_row(struct gsc_json *json, const struct gsc_view *view, const struct gsc_row *row,
		  unsigned flags)
{
	(flags & GSC_TEXT_LIST ? json_listed : json_register)(json, view, row);
}

KEYS(fieldDifference)
static void json_field_difference(struct gsc_json *json, const struct field_difference *field)
{
	KEY(text, "name", field->name);
	KEY(number, "hi", field->hi, MAX(63));
	KEY(number, "lo", field->lo, MAX(63));
	KEY(hex, "a", field->a);
	KEY(hex, "b", field->b);
}

KEYS(difference, "a or b is null where only the other source has a value; fields has those that "
     "differ.")
void gsc_json_difference(struct gsc_json *json, const struct gsc_view *view,
			 const struct gsc_difference *difference)
{
	const struct gsc_row *a = &difference->a, *b = &difference->b;
	const struct gsc_reg *reg = &b->reg;
	struct field_difference field;
	struct difference_iter it;
	char name[192];

	if (reg->name)
		gsc_reg_full_name(reg, name, sizeof(name));
	KEY(text_or_null, "name", reg->name ? name : NULL);
	KEY(text_or_null, "dump_name", a->dump_name ? a->dump_name : b->dump_name);
	KEY(text, "space", gsc_space_name(reg->space), ONE_OF(gsc_space_name));
	KEY(hex, "offset", reg->offset);
	json_part(json, b);
	KEY_OR_NULL(a->status == GSC_READ_OK, hex, "a", a->value);
	KEY_OR_NULL(b->status == GSC_READ_OK, hex, "b", b->value);
	difference_fields(view, difference, &it);
	KEY_EACH(object, "fields", while (difference_next(&it, &field)),
		 json_field_difference(json, &field));
}

/* ---- writes --------------------------------------------------------------------------------- */

/* What both begin with: which register, in which space. */
KEYS()
static void json_register_place(struct gsc_json *json, const char *name, const struct gsc_reg *reg)
{
	KEY(text, "name", name, MIN_LENGTH(1));
	KEY(text, "space", gsc_space_name(reg->space), ONE_OF(gsc_space_name));
	KEY(hex, "offset", reg->offset);
	KEY(number, "size", reg->bits / 8, ONE_OF(1, 2, 4, 8));
}

KEYS(access, "A write stores value | (there & keep) | (~there & flip), where `there` is the result "
     "of the preceding reads; for a read these are null.",
     RULE("'if': {'properties': {'access': {'const': 'write'}}},"
	  "'then': {'properties': {'value': {'type': 'string'}, 'keep': {'type': 'string'},"
	  "                        'flip': {'type': 'string'}}},"
	  "'else': {'properties': {'value': {'type': 'null'}, 'keep': {'type': 'null'},"
	  "                        'flip': {'type': 'null'}}}"))
static void json_access(struct gsc_json *json, const struct gsc_write_step *step)
{
	KEY(text, "access", step->write ? "write" : "read", ONE_OF("read", "write"));
	KEY(text, "space", gsc_space_name(step->space), ONE_OF(gsc_space_name));
	KEY(hex, "address", step->address);
	KEY(number, "size", step->size, ONE_OF(1, 2, 4, 8));
	KEY_OR_NULL(step->write, hex, "value", step->value);
	KEY_OR_NULL(step->write, hex, "keep", step->keep);
	KEY_OR_NULL(step->write, hex, "flip", step->flip);
	KEY(text_or_null, "why", step->why);
}

KEYS()
void gsc_json_write_plan(struct gsc_json *json, const struct gsc_write_plan *plan)
{
	struct gsc_write_step step;

	json_register_place(json, plan->name, &plan->reg);
	KEY_EACH(object, "accesses", for (size_t i = 0; gsc_write_step_at(plan, i, &step); i++),
		 json_access(json, &step), MIN_ITEMS(1));
}

KEYS(change)
static void json_change(struct gsc_json *json, const struct field_difference *field)
{
	KEY(text, "name", field->name);
	KEY(number, "hi", field->hi, MAX(63));
	KEY(number, "lo", field->lo, MAX(63));
	KEY(hex, "old", field->a);
	KEY(hex, "back", field->b);
}

KEYS()
static void json_changes(struct gsc_json *json, const struct gsc_view *view,
			 const struct gsc_written *written)
{
	struct gsc_row row = { .reg = written->reg, .status = GSC_READ_OK };
	struct gsc_difference difference = { .a = row, .b = row };
	struct field_difference field;
	struct difference_iter it;

	if (!view || !written->reg.name || !written->has_old || !written->has_back) {
		gsc_json_null(json, "fields");
		return;
	}
	difference.a.value = written->old;
	difference.b.value = written->back;
	difference.bits = written->old ^ written->back;
	difference_fields(view, &difference, &it);
	KEY_EACH(object, "fields", while (difference_next(&it, &field)),
		 json_change(json, &field), OR_NULL);
}

KEYS()
void gsc_json_written(struct gsc_json *json, const struct gsc_view *view,
		      const struct gsc_written *written)
{
	json_register_place(json, written->name, &written->reg);
	KEY_OR_NULL(written->has_old, hex, "old", written->old);
	KEY(hex, "written", written->value);
	KEY_OR_NULL(written->has_back, hex, "back", written->back);
	KEY(hex, "bits", written->bits);
	KEY(hex, "lost", written->lost);
	KEY(flag, "forced", written->forced);
	json_changes(json, view, written);
}
