/* SPDX-License-Identifier: MIT */
/* Writes of registers as JSON: the accesses that one takes, and what it changed. */
#include "out/out.h"
#include "regs/write.h"

/* What both begin with: which register, in which space. */
static void json_place(struct gsc_json *json, const char *name, const struct gsc_reg *reg)
{
	gsc_json_string(json, "name", name);
	gsc_json_string(json, "space", gsc_space_name(reg->space));
	gsc_json_hex(json, "offset", reg->offset);
	gsc_json_number(json, "size", reg->bits / 8);
}

static void json_access(struct gsc_json *json, const struct gsc_write_step *step)
{
	gsc_json_object(json, NULL);
	gsc_json_string(json, "access", step->write ? "write" : "read");
	gsc_json_string(json, "space", gsc_space_name(step->space));
	gsc_json_hex(json, "address", step->address);
	gsc_json_number(json, "size", step->size);
	json_known_hex(json, "value", step->write, step->value);
	json_known_hex(json, "keep", step->write, step->keep);
	json_known_hex(json, "flip", step->write, step->flip);
	gsc_json_string(json, "why", step->why);
	gsc_json_object_end(json);
}

void gsc_json_write_plan(struct gsc_json *json, const struct gsc_write_plan *plan)
{
	struct gsc_write_step step;

	json_place(json, plan->target.name, &plan->target.reg);
	gsc_json_array(json, "accesses");
	for (size_t i = 0; gsc_write_step_at(plan, i, &step); i++)
		json_access(json, &step);
	gsc_json_array_end(json);
}

static void json_changes(struct gsc_json *json, const struct gsc_view *view,
			 const struct gsc_written *written)
{
	struct gsc_row row = { .reg = written->reg, .status = GSC_READ_OK };
	struct gsc_difference difference = { .a = row, .b = row };

	if (!view || !written->reg.name || !written->has_old || !written->has_back) {
		gsc_json_null(json, "fields");
		return;
	}
	difference.a.value = written->old;
	difference.b.value = written->back;
	difference.bits = written->old ^ written->back;
	json_field_differences(json, view, &difference, "old", "back");
}

void gsc_json_written(struct gsc_json *json, const struct gsc_view *view,
		      const struct gsc_written *written)
{
	json_place(json, written->name, &written->reg);
	json_known_hex(json, "old", written->has_old, written->old);
	gsc_json_hex(json, "written", written->value);
	json_known_hex(json, "back", written->has_back, written->back);
	gsc_json_hex(json, "bits", written->bits);
	gsc_json_hex(json, "lost", written->lost);
	gsc_json_bool(json, "forced", written->forced);
	json_changes(json, view, written);
}
