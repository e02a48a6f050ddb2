/* SPDX-License-Identifier: MIT */
/* Which fields of a command, or of state, hold graphics addresses. */
#include "batch/batch.h"

/* A value that counts from a base is an offset, whatever it looks like. */
static bool is_address(const struct layer *l, const struct plan_field *f)
{
	const struct c_form *form = f->form;

	if (form->type != F_ADDRESS ||
	    (form->addr != A_GFX && form->addr != A_GGTT && form->addr != A_PPGTT) ||
	    !access_touched(f))
		return false;
	return !form->pointer ||
	       LAYER_ITEM(l, B_POINTERS, struct b_pointer, form->pointer - 1)->base == BASE_NONE;
}

/* The fields of one group, whose first dword is number `at` of the whole. */
static bool next_of(struct addresses *a, const struct plan_fields *fields, size_t at, size_t count,
		    struct gsc_command_address *out)
{
	const uint32_t *words = a->words + at;

	while (a->field < fields->count) {
		const struct plan_field *f = &fields->items[a->field++];

		if (!is_address(a->plan->layer, f) ||
		    f->dword + (f->lo + f->width - 1u) / 32 >= count ||
		    !plan_applies(fields, f, words, count) ||
		    !access_used(a->plan->layer, fields, f, words, count))
			continue;
		*out = (struct gsc_command_address){
			.name = f->name,
			.dword = (unsigned)at + f->dword,
			.address = plain_address(plan_address(f, words, count)),
			.space = access_space(fields, f, words, count),
		};
		return true;
	}
	return false;
}

void addresses_begin(struct addresses *a, const struct plan *plan, const uint32_t *words,
		     size_t count)
{
	*a = (struct addresses){ .plan = plan, .words = words, .count = count };
}

bool addresses_next(struct addresses *a, struct gsc_command_address *out)
{
	const struct plan *plan = a->plan;

	for (;;) {
		const struct plan_repeat *r = a->repeat ? &plan->repeats[a->repeat - 1] : NULL;
		size_t at = r ? a->at + a->time * r->size : 0;
		size_t left = a->count - at;

		if (next_of(a, r ? &r->fields : &plan->fields, at, r ? MIN(r->size, left) : left,
			    out))
			return true;
		a->field = 0;
		a->time++;
		/* There may be many groups without an address field: they are skipped. */
		while (a->time >= a->times) {
			bool any = false;

			if (a->repeat == plan->repeat_count)
				return false;
			r = &plan->repeats[a->repeat++];
			for (unsigned i = 0; i < r->fields.count; i++)
				any |= is_address(plan->layer, &r->fields.items[i]);
			a->time = 0;
			a->times = any ? plan_times(plan, r, a->words, a->count, &a->at) : 0;
		}
	}
}

bool gsc_command_address(struct gsc_commands *set, const struct gsc_command *command, size_t i,
			 struct gsc_command_address *address)
{
	const struct plan *plan = command->known ? command_plan(set, command->known) : NULL;
	struct addresses a;

	if (!plan)
		return false;
	addresses_begin(&a, plan, command->words, command->count);
	while (addresses_next(&a, address))
		if (!i--)
			return true;
	return false;
}
