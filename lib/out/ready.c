/* SPDX-License-Identifier: MIT */
/* Fields of commands, prepared when the first of a kind is written. */
#include "out/ready.h"

#include "out/out.h"

#include <errno.h>

/*
 * For fields of up to this many bits every value is kept, and names for those of up to this many.
 */
#define KEPT_BITS 4
#define NAMED_BITS 10

static bool field_make(const struct ready_set *set, struct ready_field *r,
		       const struct plan_field *f)
{
	unsigned kept_bits = f->def->values ? NAMED_BITS : KEPT_BITS;
	const struct c_form *form = f->form;
	bool flag = form->type == F_BOOL && f->width == 1 && !f->def->values;
	bool plain = !f->def->values && !form->unit && !form->add && form->multiply == 1 &&
		     form->divide == 1;

	*r = (struct ready_field){
		.plan = f,
		.dword = f->dword,
		.lo = f->lo,
		.kind = !plain ? READY_OTHER :
			form->type == F_HEX ? form->shift ? READY_ADDRESS : READY_HEX :
			form->type == F_DEC && !form->shift ? READY_NUMBER :
			form->type == F_ADDRESS ? READY_ADDRESS : READY_OTHER,
		.mask = f->lo + f->width <= 32 ? UINT32_MAX >> (32 - f->width) : 0,
		.quiet = f->reserved || flag,
		.conditional = f->conditional,
		.lead = calloc(1, READY_BLOCK + f->name_length),
	};
	if (!r->lead)
		return false;
	r->lead_length = (uint32_t)(set->lead(r->lead, f) - r->lead);
	if (f->reserved || f->width > kept_bits)
		return true;
	r->pieces = calloc((size_t)1 << f->width, sizeof(*r->pieces));
	return r->pieces;
}

/* The others are too many: memory would grow with the batch. Running out of it loses nothing. */
void ready_keep(struct ready_set *set, const struct ready_field *r, uint64_t value, bool named,
		const char *text, size_t length)
{
	size_t at = set->kept.count;

	if (!r->pieces || (r->plan->width > KEPT_BITS && !named) || at + length > UINT32_MAX ||
	    !vec_reserve(&set->kept, length + READY_BLOCK))
		return;
	memcpy(set->kept.items + at, text, length);
	set->kept.count += length;
	r->pieces[value] = (struct ready_piece){ (uint32_t)at, (uint32_t)length };
}

static void fields_free(struct ready *ready)
{
	for (unsigned i = 0; ready->fields && i < ready->plan->count; i++) {
		struct ready_field *r = &ready->fields[i];

		free(r->pieces);
		free(r->lead);
	}
	free(ready->fields);
	ready->fields = NULL;
}

void ready_free(struct ready_set *set)
{
	for (size_t n = 0; n < set->ready.count; n++)
		fields_free(&set->ready.items[n]);
	vec_free(&set->ready);
	vec_free(&set->kept);
}

/* The output has a gap from here on. */
static const struct ready *out_lost(struct gsc_out *out)
{
	out->error = out->error ? out->error : ENOMEM;
	return NULL;
}

const struct ready *ready_get(struct ready_set *set, const struct plan_fields *plan)
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
	ready->fields = calloc(plan->count ? plan->count : 1, sizeof(*ready->fields));
	/* All of them or none: the next call must not take half for the whole. */
	for (unsigned i = 0; ready->fields && i < plan->count; i++)
		if (!field_make(set, &ready->fields[i], &plan->items[i]))
			fields_free(ready);
	return ready->fields ? ready : out_lost(set->out);
}

const struct ready *ready_command(struct ready_set *set, struct gsc_commands *commands,
				  const struct gsc_command *c, const struct plan **plan)
{
	*plan = c->known ? command_plan(commands, c->known) : NULL;
	if (!*plan)
		return c->known ? out_lost(set->out) : NULL;
	return ready_get(set, &(*plan)->fields);
}
