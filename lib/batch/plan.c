/* SPDX-License-Identifier: MIT */
/* Prepares a definition for one platform: the fields that apply there, in order of dwords. */
#include "batch/batch.h"

#define NO_FIELD UINT16_MAX

/* Lower dwords first, and in each the higher bits first, as the definitions show a dword. */
static int compare_fields(const void *a, const void *b)
{
	const struct plan_field *x = a, *y = b;

	if (x->dword != y->dword)
		return x->dword < y->dword ? -1 : 1;
	if (x->lo + x->width != y->lo + y->width)
		return x->lo + x->width > y->lo + y->width ? -1 : 1;
	return x->def < y->def ? -1 : x->def > y->def;
}

static bool fields_make(struct plan_fields *fields, struct gsc_commands *set,
			const struct layer *l, struct b_slice slice)
{
	const struct gsc_view *view = set->view;
	const struct c_field *first = LAYER_ITEM(l, B_FIELDS, struct c_field, slice.first);

	fields->number = set->numbers++;
	fields->items = calloc(slice.count ? slice.count : 1, sizeof(*fields->items));
	if (!fields->items)
		return false;
	for (uint32_t i = 0; i < slice.count && fields->count < NO_FIELD; i++) {
		const struct c_field *def = &first[i];
		struct plan_field *f = &fields->items[fields->count];
		unsigned start = def->dword * 32u + def->lo;

		if (!field_holds(view, l, def) ||
		    def->hi - def->lo >= 64 || start / 32 > UINT16_MAX)
			continue;
		f->def = def;
		f->form = field_form(l, def);
		f->name = layer_text(l, def->name);
		f->name_length = (uint32_t)strlen(f->name);
		f->dword = (uint16_t)(start / 32);
		f->lo = start % 32;
		f->width = (uint8_t)(def->hi - def->lo + 1u);
		f->conditional = f->form->when_field != NONE;
		f->reserved = f->form->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO) ||
			      !strcmp(f->name, "RESERVED");
		fields->leads |= f->form->pointer != 0;
		fields->count++;
	}
	qsort(fields->items, fields->count, sizeof(*fields->items), compare_fields);
	/* The field that a condition names is in the same list, if the platform has it. */
	for (unsigned i = 0; i < fields->count; i++) {
		struct plan_field *f = &fields->items[i];

		f->when = NO_FIELD;
		for (unsigned j = 0; f->conditional && j < fields->count; j++)
			if (fields->items[j].def == first + f->form->when_field)
				f->when = (uint16_t)j;
	}
	return true;
}

static bool repeats_make(struct plan *plan, struct gsc_commands *set, struct b_slice fields,
			 struct b_slice repeats)
{
	const struct layer *l = plan->layer;

	plan->repeats = calloc(repeats.count ? repeats.count : 1, sizeof(*plan->repeats));
	if (!plan->repeats)
		return false;
	for (uint32_t i = 0; i < repeats.count; i++) {
		const struct b_repeat *def = LAYER_ITEM(l, B_REPEATS, struct b_repeat,
							repeats.first + i);
		struct plan_repeat *r = &plan->repeats[plan->repeat_count];
		const struct c_field *count;

		if (!def->size)
			continue;
		r->name = layer_text(l, def->name);
		r->at = def->at;
		r->size = def->size;
		r->after = def->after && plan->repeat_count;
		r->kind = def->kind;
		r->count = def->count;
		count = def->kind == REPEAT_FIELD ? LAYER_ITEM(l, B_FIELDS, struct c_field,
							       fields.first + def->count) : NULL;
		r->field = 0;
		while (count && r->field < plan->fields.count &&
		       plan->fields.items[r->field].def != count)
			r->field++;
		plan->repeat_count++;
		if (!fields_make(&r->fields, set, l, def->fields))
			return false;
	}
	return true;
}

struct plan *plan_new(struct gsc_commands *set, const struct layer *layer, struct b_slice fields,
		      struct b_slice repeats)
{
	struct plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return NULL;
	plan->layer = layer;
	if (fields_make(&plan->fields, set, layer, fields) &&
	    repeats_make(plan, set, fields, repeats))
		return plan;
	plan_free(plan);
	return NULL;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (unsigned i = 0; plan->repeats && i < plan->repeat_count; i++)
		free(plan->repeats[i].fields.items);
	free(plan->repeats);
	free(plan->fields.items);
	free(plan);
}

size_t plan_times(const struct plan *plan, const struct plan_repeat *repeat, const uint32_t *words,
		  size_t count, size_t *at)
{
	const struct plan_repeat *r = repeat;
	size_t room;
	uint64_t times;

	while (r->after)
		r--;
	for (*at = r->at;; *at += times * r++->size) {
		room = ((count > *at ? count - *at : 0) + r->size - 1) / r->size;
		times = r->kind == REPEAT_REST ? room : r->count;
		if (r->kind == REPEAT_FIELD)
			times = r->field < plan->fields.count
					? plan_value(&plan->fields.items[r->field], words, count)
					: 0;
		times = MIN(times, room);
		if (r == repeat)
			return times;
	}
}

bool plan_condition(const struct plan_fields *fields, const struct plan_field *f,
		    const uint32_t *words, size_t count)
{
	if (f->when == NO_FIELD)
		return false;
	for (unsigned i = 0; f->when != NO_FIELD && i < WHEN_CHAIN; i++) {
		const struct plan_field *when = &fields->items[f->when];

		if (!when_holds(f->form, plan_value(when, words, count)))
			return false;
		f = when;
	}
	return true;
}
