/* SPDX-License-Identifier: MIT */
/* Fields of commands made ready when the first of a kind is written. */
#include "out/ready.h"

#include "out/out.h"

#include <errno.h>
#include <string.h>

/* Fields of up to this many bits get a table of what each value means. */
#define TABLE_BITS 10

static enum ready_kind ready_kind(const struct plan_field *f)
{
	const struct c_form *form = f->form;
	bool plain = !form->unit && !form->add && form->multiply == 1 && form->divide == 1;

	if (f->def->values)
		return f->width <= TABLE_BITS ? READY_TABLE : READY_OTHER;
	if (form->type == F_BOOL && f->width == 1)
		return READY_FLAG;
	if (form->type == F_HEX && plain && !form->shift)
		return READY_HEX;
	if (form->type == F_DEC && plain && !form->shift)
		return READY_NUMBER;
	if ((form->type == F_ADDRESS || form->type == F_HEX) && plain)
		return READY_ADDRESS;
	return READY_OTHER;
}

/* Values of one meaning share its text: the first of them owns it. */
static bool fill_table(const struct ready_set *set, struct ready_field *r, const struct layer *l,
		       struct b_value v)
{
	const char *name = layer_text(l, v.name);
	char *text = set->value ? set->value(name) : NULL;
	struct ready_text entry = { text ? text : name, 0, text };

	if (set->value && !text)
		return false;
	entry.length = (uint32_t)strlen(entry.text);
	for (uint64_t n = v.lo; n <= v.hi && !(n >> r->plan->width); n++) {
		if (r->table[n].text)
			continue;
		r->table[n] = entry;
		entry.own = NULL;
	}
	free(entry.own);
	return true;
}

static bool make_table(const struct ready_set *set, struct ready_field *r, const struct layer *l)
{
	const struct c_values *list = layer_values(l, r->plan->def->values);

	r->table = calloc((size_t)1 << r->plan->width, sizeof(*r->table));
	for (uint32_t i = 0; r->table && i < list->count; i++)
		if (!fill_table(set, r, l, list_value(l, list, i)))
			return false;
	return r->table;
}

static bool field_make(const struct ready_set *set, struct ready_field *r, const struct layer *l,
		       const struct plan_field *f)
{
	r->plan = f;
	r->dword = f->dword;
	r->kind = (uint8_t)ready_kind(f);
	r->quiet = f->reserved || r->kind == READY_FLAG;
	r->lead = calloc(1, READY_LEAD_ROOM + f->name_length);
	if (!r->lead)
		return false;
	r->lead_length = (uint32_t)(set->lead(r->lead, f) - r->lead);
	return r->kind != READY_TABLE || make_table(set, r, l);
}

static void fields_free(const struct ready_set *set, struct ready *ready)
{
	for (unsigned i = 0; ready->fields && i < ready->plan->count; i++) {
		struct ready_field *r = &ready->fields[i];

		for (size_t n = 0; set->value && r->table && n < (size_t)1 << r->plan->width; n++)
			free(r->table[n].own);
		free(r->table);
		free(r->lead);
	}
	free(ready->fields);
	ready->fields = NULL;
}

void ready_free(struct ready_set *set)
{
	for (size_t n = 0; n < set->ready.count; n++)
		fields_free(set, &set->ready.items[n]);
	vec_free(&set->ready);
}

/* All of them or none: the next call shall not take half for the whole. */
static bool fields_make(const struct ready_set *set, struct ready *ready, const struct layer *l)
{
	const struct plan_fields *plan = ready->plan;

	ready->fields = calloc(plan->count ? plan->count : 1, sizeof(*ready->fields));
	for (unsigned i = 0; ready->fields && i < plan->count; i++)
		if (!field_make(set, &ready->fields[i], l, &plan->items[i]))
			fields_free(set, ready);
	return ready->fields;
}

/* What is written has a gap from here on. */
static const struct ready *out_lost(struct gsc_out *out)
{
	out->error = out->error ? out->error : ENOMEM;
	return NULL;
}

const struct ready *ready_get(struct ready_set *set, const struct layer *l,
			      const struct plan_fields *plan)
{
	struct ready *ready;

	while (set->ready.count <= plan->number) {
		ready = vec_add(&set->ready);
		if (!ready)
			return out_lost(set->out);
		*ready = (struct ready){ 0 };
	}
	ready = &set->ready.items[plan->number];
	if (ready->fields)
		return ready;
	ready->plan = plan;
	return fields_make(set, ready, l) ? ready : out_lost(set->out);
}

const struct ready *ready_command(struct ready_set *set, struct gsc_commands *commands,
				  const struct gsc_command *c, const struct plan **plan)
{
	*plan = c->known ? command_plan(commands, c->known) : NULL;
	if (!*plan)
		return c->known ? out_lost(set->out) : NULL;
	return ready_get(set, (*plan)->layer, &(*plan)->fields);
}
