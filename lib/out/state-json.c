/* SPDX-License-Identifier: MIT */
/* State as JSON: the members of an object. */
#include "out/keys.h"
#include "out/out.h"

KEYS(placedField, "dword: of the command, or of the state, in which the field begins; lo and hi "
     "are bits from there on. value: the raw bits, right-justified.")
void json_placed_field(struct gsc_json *json, size_t at, const struct gsc_field *field)
{
	KEY(text, "name", field->name);
	KEY(number, "hi", field->hi, MAX(94));
	KEY(number, "lo", field->lo, MAX(31));
	KEY(hex, "value", field->value);
	KEY(text_or_null, "text", field->text);
	KEY(number, "dword", at + field->dword);
	if (field->problem)
		KEY(text, "problem", field->problem, OPTIONAL);
}

KEYS(state, "What a command points to. depth: 1 and more, what such state points to. problem: why "
     "it has no dwords, or what is wrong.")
void gsc_json_state(struct gsc_json *json, const struct gsc_view *view,
		    const struct gsc_state *state)
{
	struct state_groups groups = { .view = view, .state = state };
	struct gsc_field field;
	struct state_group g;

	KEY(text, "name", state->name);
	KEY(number, "index", state->index);
	KEY(hex, "address", state->address);
	KEY(number, "depth", state->depth);
	KEY(some_text, "problem", state->problem);
	KEY_EACH(hex, "dwords", for (size_t i = 0; i < state->count; i++), state->words[i]);
	KEY_ARRAY("fields", OF(placedField));
	while (state->words && state_groups_next(&groups, &g))
		while (gsc_field_next(&g.it, &field))
			if (field.dword < g.size && (field.problem || !field_reserved(&field)))
				ITEM(json_placed_field(json, g.at, &field));
	gsc_json_array_end(json);
}
