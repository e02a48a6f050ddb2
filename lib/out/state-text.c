/* SPDX-License-Identifier: MIT */
/* State as text, below the command that leads to it. */
#include "batch/run.h"
#include "db/view.h"
#include "out/out.h"
#include "util/number.h"

/* ---- groups of fields ----------------------------------------------------------------------- */

static size_t repeat_times(const struct gsc_view *view, const struct gsc_state *state,
			   const struct gsc_repeat *r)
{
	size_t room = state->count > r->at ? (state->count - r->at + r->size - 1) / r->size : 0;
	struct gsc_field_iter it;
	struct gsc_field field;

	if (r->count)
		return MIN(r->count, room);
	if (!r->count_field)
		return room;
	gsc_item_fields(view->db, view, &state->item, state->words, state->count, &it);
	while (gsc_field_next(&it, &field))
		if (!strcmp(field.name, r->count_field))
			return (size_t)MIN(field.value, room);
	return 0;
}

bool state_groups_next(struct state_groups *g, struct state_group *group)
{
	const struct gsc_state *s = g->state;
	struct gsc_field_iter it;
	struct gsc_repeat r;

	if (!g->begun) {
		g->begun = true;
		*group = (struct state_group){ .size = s->count };
		gsc_item_fields(g->view->db, g->view, &s->item, s->words, s->count, &group->it);
		if (gsc_item_repeat(g->view->db, g->view, &s->item, 0, &r, &it))
			group->size = MIN(s->count, r.at);
		return true;
	}
	while (gsc_item_repeat(g->view->db, g->view, &s->item, g->repeat, &r, &group->it)) {
		if (r.size && g->times < repeat_times(g->view, s, &r)) {
			group->repeats = true;
			group->at = r.at + g->times++ * r.size;
			group->size = MIN(r.size, s->count - group->at);
			group->it.words = s->words + group->at;
			group->it.count = group->size;
			return true;
		}
		g->repeat++;
		g->times = 0;
	}
	return false;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* And what follows the dword, or NULL. */
static void dword_line(struct gsc_out *out, const struct gsc_state *state, size_t at,
		       const char *text)
{
	uint64_t address = state->address + at * 4;
	char *end = out_room(out, 2 * NUMBER_MAX + 16);

	if (!end)
		return;
	end = stpcpy(end, "    ");
	end = number_hex_padded(end, address, address >> 32 ? 12 : 8);
	end = stpcpy(end, ":  ");
	out_used(out, number_hex_padded(end, state->words[at], 8));
	if (text)
		gsc_out_format(out, "  %s", text);
	gsc_out_end(out);
}

/* As in commands: flags that are not set, and reserved fields, are not worth a line. */
static bool is_quiet(const struct gsc_field_iter *it, const struct gsc_field *field)
{
	struct gsc_form form;

	if (field->value || field->problem)
		return false;
	gsc_field_form(it, &form);
	return field_reserved(field) || (field->hi == field->lo && !strcmp(form.type, "bool"));
}

/* Data: a dword that is one field needs no line but its own. */
static bool data_line(struct gsc_out *out, const struct gsc_state *state, struct state_group *g)
{
	struct gsc_field_iter it = g->it;
	struct gsc_field field, second;

	if (!g->repeats || g->size != 1 || !gsc_field_next(&it, &field) || field.hi != 31 ||
	    field.lo || gsc_field_next(&it, &second))
		return false;
	dword_line(out, state, g->at, field.text);
	return true;
}

void gsc_text_state(struct gsc_out *out, const struct gsc_view *view,
		    const struct gsc_state *state, unsigned flags)
{
	struct state_groups groups = { .view = view, .state = state };
	struct state_group g;
	struct gsc_field field;

	gsc_out_text(out, "    ");
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "%s[%u]", state->name, state->index);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_text(out, " at ");
	gsc_out_hex(out, state->address, 8);
	if (*state->problem) {
		gsc_out_text(out, ": ");
		text_styled(out, state->words ? GSC_STYLE_DIM : GSC_STYLE_YELLOW, state->problem);
	}
	gsc_out_end(out);
	if (flags & GSC_TEXT_QUIET || !state->words)
		return;
	while (state_groups_next(&groups, &g)) {
		size_t done = 0;

		if (data_line(out, state, &g))
			continue;
		while (gsc_field_next(&g.it, &field)) {
			for (; done <= field.dword && done < g.size; done++)
				dword_line(out, state, g.at + done, NULL);
			if (field.dword < g.size &&
			    (flags & GSC_TEXT_VERBOSE || !is_quiet(&g.it, &field)))
				gsc_text_field(out, &field);
		}
		for (; done < g.size; done++)
			dword_line(out, state, g.at + done, NULL);
	}
}
