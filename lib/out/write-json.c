/* SPDX-License-Identifier: MIT */
/* Writes of registers as JSON: the accesses of one, and what it changed. */
#include "out/keys.h"
#include "out/out.h"
#include "regs/write.h"

/* What both begin with: which register, in which space. */
KEYS()
static void json_place(struct gsc_json *json, const char *name, const struct gsc_reg *reg)
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

	json_place(json, plan->name, &plan->reg);
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
	json_place(json, written->name, &written->reg);
	KEY_OR_NULL(written->has_old, hex, "old", written->old);
	KEY(hex, "written", written->value);
	KEY_OR_NULL(written->has_back, hex, "back", written->back);
	KEY(hex, "bits", written->bits);
	KEY(hex, "lost", written->lost);
	KEY(flag, "forced", written->forced);
	json_changes(json, view, written);
}
