/* SPDX-License-Identifier: MIT */
/* Commands as JSON, an object each, and the state that they point to. */
#include "batch/run.h"
#include "out/keys.h"
#include "out/out.h"
#include "out/ready.h"
#include "util/number.h"

struct gsc_command_json {
	struct gsc_json *json;
	struct gsc_commands *set;
	struct ready_set ready;
	bool more;			/* a field has been written before the next */
};

/* {"name":"X","hi":7,"lo":0,"value":" -- a placedField, many times faster. */
static char *json_lead(char *at, const struct plan_field *f)
{
	at = stpcpy(at, "{\"name\":\"");
	at = stpcpy(at, f->name);
	at = number_decimal(stpcpy(at, "\",\"hi\":"), f->lo + f->width - 1u);
	at = number_decimal(stpcpy(at, ",\"lo\":"), f->lo);
	return stpcpy(at, ",\"value\":\"");
}

/* ---- fields --------------------------------------------------------------------------------- */

#define PUT(at, literal) put_piece(at, literal, sizeof(literal) - 1)

/* A value that has not been written yet, or is one of too many to keep. */
static char *put_new_field(struct ready_set *set, const struct layer *l,
			   const struct ready_field *r, uint64_t value)
{
	char text[FIELD_TEXT_MAX], *quoted = NULL, *from, *at;
	const char *meaning = NULL;
	size_t length = 0;

	if (r->kind == READY_OTHER)
		meaning = field_meaning(l, r->plan->def, value, text);
	if (meaning && *meaning)
		quoted = json_quoted(meaning);
	if (quoted)
		length = strlen(quoted);
	from = at = out_room(set->out, r->lead_length + READY_BLOCK + length + 4 * NUMBER_MAX + 96);
	if (!at)
		goto done;
	at = number_hex(ready_put(at, r->lead, r->lead_length), value);
	at = PUT(at, "\",\"text\":");
	if (r->kind == READY_HEX || (r->kind == READY_OTHER && !quoted)) {
		at = PUT(at, "null");
	} else if (r->kind == READY_OTHER) {
		at = put_piece(at, quoted, length);
	} else {
		*at++ = '"';
		at = r->kind == READY_NUMBER ? number_decimal(at, value)
					     : number_hex(at, ready_address(r, value));
		*at++ = '"';
	}
	ready_keep(set, r, value, quoted && meaning != text, from, (size_t)(at - from));
done:
	free(quoted);
	return at;
}

static void group(struct gsc_command_json *w, const struct layer *l, const struct ready *ready,
		  const struct gsc_command *c, size_t base, size_t end)
{
	const uint32_t *words = c->words + base;
	size_t count = c->count - base, length;
	struct gsc_out *out = w->json->out;

	for (unsigned i = 0; i < ready->plan->count; i++) {
		const struct ready_field *r = &ready->fields[i];
		const char *problem, *kept;
		uint64_t value;
		char *at;

		if (r->dword >= end || r->dword >= count)
			return;
		value = ready_value(r, words, count);
		problem = r->plan->reserved ? field_problem(l, r->plan->def, value) : NULL;
		if ((r->plan->reserved && !problem) ||
		    (r->conditional && !plan_condition(ready->plan, r->plan, words, count)))
			continue;
		if (w->more)
			out_byte(out, ',');
		w->more = true;
		kept = ready_kept(&w->ready, r, value, &length);
		at = kept ? out_room(out, length + READY_BLOCK + 4 * NUMBER_MAX + 96) : NULL;
		at = at ? ready_put(at, kept, length) : put_new_field(&w->ready, l, r, value);
		if (!at)
			continue;
		at = number_decimal(PUT(at, ",\"dword\":"), base + r->dword);
		if (problem)
			at = stpcpy(stpcpy(stpcpy(at, ",\"problem\":\""), problem), "\"");
		*at++ = '}';
		out_used(out, at);
	}
}

static void fields(struct gsc_command_json *w, const struct gsc_command *c)
{
	const struct ready *ready;
	const struct plan *plan;

	w->more = false;
	w->ready.out = w->json->out;	/* it may have one by now */
	ready = ready_command(&w->ready, w->set, c, &plan);
	if (!ready)
		return;
	group(w, plan->layer, ready, c, 0, SIZE_MAX);
	for (unsigned i = 0; i < plan->repeat_count; i++) {
		const struct plan_repeat *r = &plan->repeats[i];
		size_t at, times = plan_times(plan, r, c->words, c->count, &at);

		ready = ready_get(&w->ready, &r->fields);
		for (size_t n = 0; ready && n < times; n++)
			group(w, plan->layer, ready, c, at + n * r->size, r->size);
	}
}

/* ---- a command ------------------------------------------------------------------------------ */

KEYS(mark)
static void json_mark(struct gsc_json *json, const struct gsc_command *c, size_t i)
{
	KEY(text, "name", c->marks[i].name);
	KEY(hex, "address", c->marks[i].address);
	KEY(number, "dword", (c->marks[i].address - c->address) / 4);
}

KEYS(command, "length: in dwords, as its header asks for; dwords: those that are there. marks: "
     "where an engine was.")
void command_json_members(struct gsc_command_json *w, const struct gsc_command *c)
{
	struct gsc_json *json = w->json;
	char *at;

	KEY(hex, "address", c->address);
	KEY(text, "name", c->name, MIN_LENGTH(1));
	KEY(number, "length", c->length, MIN(1));
	KEY(text, "status", gsc_command_word(c->status), ONE_OF(gsc_command_word));
	if (c->mark_count)
		KEY_EACH(object, "marks",
			 for (size_t i = 0; i < c->mark_count; i++)
				if (c->marks[i].address - c->address < (uint64_t)c->count * 4),
			 json_mark(json, c, i), MIN_ITEMS(1), OPTIONAL);
	KEY_ARRAY("dwords", OF(hex), MIN_ITEMS(1));
	at = out_room(json->out, c->count * NUMBER_MAX);
	for (size_t i = 0; at && i < c->count; i++) {
		if (i)
			*at++ = ',';
		*at++ = '"';
		at = number_hex(at, c->words[i]);
		*at++ = '"';
	}
	if (at)
		out_used(json->out, at);
	gsc_json_array_end(json);
	KEY_ARRAY("fields", OF(placedField));
	fields(w, c);
	gsc_json_array_end(json);
}

void gsc_command_json_open(struct gsc_command_json *w, const struct gsc_command *c)
{
	gsc_json_object(w->json, NULL);
	command_json_members(w, c);
}

void gsc_command_json_close(struct gsc_command_json *w)
{
	struct gsc_json *json = w->json;

	gsc_json_object_end(json);
	if (!json->lines)
		gsc_out_end(json->out);
}

void gsc_command_json(struct gsc_command_json *w, const struct gsc_command *c)
{
	gsc_command_json_open(w, c);
	gsc_command_json_close(w);
}

enum gsc_status gsc_command_json_new(struct gsc_command_json **writer, struct gsc_json *json,
				     struct gsc_commands *set, struct gsc_error *err)
{
	*writer = calloc(1, sizeof(**writer));
	if (!*writer)
		return err_memory(err);
	(*writer)->json = json;
	(*writer)->set = set;
	(*writer)->ready.lead = json_lead;
	return GSC_OK;
}

void gsc_command_json_free(struct gsc_command_json *writer)
{
	if (!writer)
		return;
	ready_free(&writer->ready);
	free(writer);
}

/* ---- state ---------------------------------------------------------------------------------- */

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
