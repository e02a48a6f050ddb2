/* SPDX-License-Identifier: MIT */
/*
 * Commands as text: a line a dword, below it the fields that begin there. What never changes in
 * the line of a field is made once, for batches have millions of them.
 */
#include "batch/batch.h"
#include "out/out.h"
#include "util/number.h"

#include <string.h>

/* Fields of up to this many bits get a table of what each value means. */
#define TABLE_BITS 10

/* ---- what never changes --------------------------------------------------------------------- */

enum ready_kind { READY_FLAG, READY_TABLE, READY_NUMBER, READY_ADDRESS, READY_HEX, READY_OTHER };

struct ready_text {
	const char *text;
	uint32_t length;
};

struct ready_field {
	const struct plan_field *plan;
	enum ready_kind kind;
	bool quiet;			/* not worth a line while it is zero */
	uint32_t lead_length;
	char *lead;			/* bits and name, up to where the value stands */
	struct ready_text *table;
};

/* The fields of a command, or of a group that repeats in it. */
struct ready {
	const struct plan_fields *plan;
	struct ready_field *fields;
};

struct gsc_command_text {
	struct gsc_out *out;
	struct gsc_commands *set;
	unsigned flags;
	VEC(struct ready) ready;	/* place: plan_fields.number */
};

static enum ready_kind ready_kind(const struct plan_field *f)
{
	const struct b_field *def = f->def;
	bool plain = !def->unit && !def->add && def->multiply == 1 && def->divide == 1;

	if (def->values.count)
		return f->width <= TABLE_BITS ? READY_TABLE : READY_OTHER;
	if (def->type == F_BOOL && f->width == 1)
		return READY_FLAG;
	if (def->type == F_HEX && plain && !def->shift)
		return READY_HEX;
	if (def->type == F_DEC && plain && !def->shift)
		return READY_NUMBER;
	if ((def->type == F_ADDRESS || def->type == F_HEX) && plain)
		return READY_ADDRESS;
	return READY_OTHER;
}

static struct ready_text *value_table(const struct layer *l, const struct plan_field *f)
{
	struct ready_text *table = calloc((size_t)1 << f->width, sizeof(*table));

	for (uint32_t i = 0; table && i < f->def->values.count; i++) {
		const struct b_value *v = LAYER_ITEM(l, B_VALUES, struct b_value,
						     f->def->values.first + i);
		const char *name = layer_text(l, v->name);

		for (uint64_t n = v->lo; n <= v->hi && !(n >> f->width); n++)
			if (!table[n].text)
				table[n] = (struct ready_text){ name, (uint32_t)strlen(name) };
	}
	return table;
}

static bool ready_field_make(struct ready_field *r, const struct layer *l,
			     const struct plan_field *f)
{
	char *end;

	r->plan = f;
	r->kind = ready_kind(f);
	r->quiet = f->reserved || r->kind == READY_FLAG;
	r->lead = malloc(FIELD_VALUE_COLUMN + f->name_length + 8);
	if (!r->lead)
		return false;
	end = put_field_lead(r->lead, f->lo + f->width - 1u, f->lo, f->name, f->name_length);
	r->lead_length = (uint32_t)(end - r->lead);
	if (r->kind == READY_TABLE)
		r->table = value_table(l, f);
	return r->kind != READY_TABLE || r->table;
}

static void ready_free(struct ready *ready)
{
	for (unsigned i = 0; ready->fields && i < ready->plan->count; i++) {
		free(ready->fields[i].lead);
		free(ready->fields[i].table);
	}
	free(ready->fields);
}

/* NULL if memory is out. */
static const struct ready *ready_get(struct gsc_command_text *text, const struct layer *l,
				     const struct plan_fields *plan)
{
	struct ready *ready;

	while (text->ready.count <= plan->number) {
		ready = vec_add(&text->ready);
		if (!ready)
			return NULL;
		*ready = (struct ready){ 0 };
	}
	ready = &text->ready.items[plan->number];
	if (ready->fields)
		return ready;
	ready->plan = plan;
	ready->fields = calloc(plan->count ? plan->count : 1, sizeof(*ready->fields));
	for (unsigned i = 0; ready->fields && i < plan->count; i++)
		if (!ready_field_make(&ready->fields[i], l, &plan->items[i]))
			return NULL;
	return ready->fields ? ready : NULL;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static char *put_text(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}

static char *put_gap(char *at, const char *line, size_t column)
{
	size_t width = (size_t)(at - line), blanks = width + 2 <= column ? column - width : 2;

	memset(at, ' ', blanks);
	return at + blanks;
}

/* "0x00001000:  0x7a000004" */
static char *put_dword(char *at, uint64_t address, uint32_t word)
{
	at = number_hex_padded(at, address, address >> 32 ? 12 : 8);
	at = put_text(at, ":  ", 3);
	return number_hex_padded(at, word, 8);
}

static void dword_line(struct gsc_out *out, uint64_t address, uint32_t word)
{
	char *at = out_room(out, 2 * NUMBER_MAX + 8);

	if (!at)
		return;
	out_used(out, put_dword(at, address, word));
	gsc_out_end(out);
}

static void field_line(struct gsc_out *out, const struct layer *l, const struct ready_field *r,
		       uint64_t value)
{
	const struct b_field *def = r->plan->def;
	struct ready_text text = { "", 0 };
	char meaning[FIELD_TEXT_MAX], *line, *at;

	if (r->kind == READY_TABLE)
		text = r->table[value].text ? r->table[value]
					    : (struct ready_text){ "not a documented value", 22 };
	else if (r->kind == READY_FLAG)
		text = value ? (struct ready_text){ "yes", 3 } : (struct ready_text){ "no", 2 };
	else if (r->kind == READY_OTHER) {
		text.text = field_meaning(l, def, value, meaning);
		text.length = text.text ? (uint32_t)strlen(text.text) : 0;
	}
	line = at = out_room(out, r->lead_length + FIELD_TEXT_COLUMN + 2 * NUMBER_MAX +
				  text.length);
	if (!line)
		return;
	at = number_hex(put_text(at, r->lead, r->lead_length), value);
	if (r->kind == READY_NUMBER)
		at = number_decimal(put_gap(at, line, FIELD_TEXT_COLUMN), value);
	else if (r->kind == READY_ADDRESS)
		at = number_hex(put_gap(at, line, FIELD_TEXT_COLUMN), value << def->shift);
	else if (text.length)
		at = put_text(put_gap(at, line, FIELD_TEXT_COLUMN), text.text, text.length);
	out_used(out, at);
	gsc_out_end(out);
}

/* Dwords [from, to) of a group of fields, each with what begins in it. */
static void dwords(struct gsc_command_text *text, const struct layer *l, const struct ready *ready,
		   const struct gsc_command *c, size_t base, size_t from, size_t to)
{
	const uint32_t *words = c->words + base;
	size_t count = c->count - base;
	bool all = text->flags & GSC_TEXT_VERBOSE;
	unsigned f = 0;

	while (f < ready->plan->count && ready->fields[f].plan->dword < from)
		f++;
	for (size_t d = from; d < to && d < count; d++) {
		if (base + d)
			dword_line(text->out, c->address + (base + d) * 4, words[d]);
		for (; f < ready->plan->count && ready->fields[f].plan->dword <= d; f++) {
			const struct ready_field *r = &ready->fields[f];
			uint64_t value = plan_value(r->plan, words, count);

			if ((value || !r->quiet || all) &&
			    plan_applies(ready->plan, r->plan, words, count))
				field_line(text->out, l, r, value);
		}
	}
}

static void head_line(struct gsc_out *out, const struct gsc_command *c)
{
	size_t length = strlen(c->name);
	char *at = out_room(out, 2 * NUMBER_MAX + 8 + length);

	if (!at)
		return;
	at = put_dword(at, c->address, c->words[0]);
	at = put_text(at, ":  ", 3);
	out_used(out, put_text(at, c->name, length));
	if (c->status != GSC_COMMAND_OK && c->status != GSC_COMMAND_UNKNOWN)
		gsc_out_format(out, "  %s: %zu of %u dwords", gsc_command_word(c->status), c->count,
			       c->length);
	gsc_out_end(out);
}

static void repeats(struct gsc_command_text *text, const struct plan *plan,
		    const struct gsc_command *c, size_t *done)
{
	for (unsigned i = 0; i < plan->repeat_count; i++) {
		const struct plan_repeat *r = &plan->repeats[i];
		const struct ready *ready = ready_get(text, plan->layer, &r->fields);
		size_t times = plan_times(plan, r, c->words, c->count);

		for (size_t n = 0; ready && n < times; n++)
			dwords(text, plan->layer, ready, c, r->at + n * r->size, 0, r->size);
		*done = MAX(*done, r->at + times * r->size);
	}
}

void gsc_command_text(struct gsc_command_text *text, const struct gsc_command *c)
{
	const struct plan *plan = c->known ? command_plan(text->set, c->known) : NULL;
	const struct ready *ready = plan ? ready_get(text, plan->layer, &plan->fields) : NULL;
	size_t done = 1;

	head_line(text->out, c);
	if (text->flags & GSC_TEXT_QUIET)
		return;
	if (ready) {
		size_t end = plan->repeat_count ? plan->repeats[0].at : c->count;

		dwords(text, plan->layer, ready, c, 0, 0, MIN(end, c->count));
		done = MIN(end, c->count);
		repeats(text, plan, c, &done);
	}
	for (; done < c->count; done++)
		dword_line(text->out, c->address + done * 4, c->words[done]);
}

enum gsc_status gsc_command_text_new(struct gsc_command_text **text, struct gsc_out *out,
				     struct gsc_commands *set, unsigned flags,
				     struct gsc_error *err)
{
	*text = calloc(1, sizeof(**text));
	if (!*text)
		return err_memory(err);
	(*text)->out = out;
	(*text)->set = set;
	(*text)->flags = flags;
	return GSC_OK;
}

void gsc_command_text_free(struct gsc_command_text *text)
{
	if (!text)
		return;
	for (size_t i = 0; i < text->ready.count; i++)
		ready_free(&text->ready.items[i]);
	vec_free(&text->ready);
	free(text);
}
