/* SPDX-License-Identifier: MIT */
/* State as JSON: the members of an object. */
#include "out/out.h"

static void json_field(struct gsc_json *json, const struct state_group *g,
		       const struct gsc_field *field)
{
	gsc_json_object(json, NULL);
	gsc_json_string(json, "name", field->name);
	gsc_json_number(json, "hi", field->hi);
	gsc_json_number(json, "lo", field->lo);
	gsc_json_hex(json, "value", field->value);
	gsc_json_string(json, "text", field->text);
	gsc_json_number(json, "dword", g->at + field->dword);
	if (field->problem)
		gsc_json_string(json, "problem", field->problem);
	gsc_json_object_end(json);
}

static void json_fields(struct gsc_json *json, const struct gsc_view *view,
			const struct gsc_state *state)
{
	struct state_groups groups = { .view = view, .state = state };
	struct gsc_field field;
	struct state_group g;

	while (state->words && state_groups_next(&groups, &g))
		while (gsc_field_next(&g.it, &field))
			if (field.dword < g.size && (field.problem || !field_reserved(&field)))
				json_field(json, &g, &field);
}

void gsc_json_state(struct gsc_json *json, const struct gsc_view *view,
		    const struct gsc_state *state)
{
	gsc_json_string(json, "name", state->name);
	gsc_json_number(json, "index", state->index);
	gsc_json_hex(json, "address", state->address);
	gsc_json_number(json, "depth", state->depth);
	gsc_json_string(json, "problem", *state->problem ? state->problem : NULL);
	gsc_json_array(json, "dwords");
	for (size_t i = 0; i < state->count; i++)
		gsc_json_hex(json, NULL, state->words[i]);
	gsc_json_array_end(json);
	gsc_json_array(json, "fields");
	json_fields(json, view, state);
	gsc_json_array_end(json);
}
