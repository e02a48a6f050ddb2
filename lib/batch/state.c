/* SPDX-License-Identifier: MIT */
/* State that commands point to, and state that this points to in turn: read and shown. */
#include "batch/state.h"

/* Bytes at the target of one pointer: no table of state is longer. */
#define TARGET_MAX (64u << 10)
/* Depth: a command, an interface descriptor, its binding table, a surface. */
#define DEPTH_MAX 3u

#define KERNEL_PREFIX "kernel:"

static const char *const unsure = "may be unrelated data: the number of groups is not known";

/* ---- what a field says ---------------------------------------------------------------------- */

uint64_t plan_meaning(const struct plan_field *f, const uint32_t *words, size_t count)
{
	const struct c_form *form = f->form;

	return ((plan_value(f, words, count) + form->add) << form->shift) * form->multiply /
	       form->divide;
}

const struct plan_field *fields_named(const struct plan_fields *fields, const char *name)
{
	for (unsigned i = 0; name && i < fields->count; i++)
		if (!strcmp(fields->items[i].name, name))
			return &fields->items[i];
	return NULL;
}

static const struct plan_field *field_beside(const struct pointing *p, str_t name)
{
	return name ? fields_named(p->fields, layer_text(p->layer, name)) : NULL;
}

/* False: nothing says it, or a field that the platform lacks. */
static bool amount(const struct pointing *p, const struct b_amount *a, uint64_t *value)
{
	const struct plan_field *f = field_beside(p, a->field);

	if (!a->number || (a->field && !f))
		return false;
	*value = (f ? MIN(plan_meaning(f, p->words, p->count), UINT32_MAX) : 1) * a->number;
	return true;
}

bool look_once(struct look *look, uint32_t id, uint64_t address)
{
	struct told *slot;

	for (size_t i = 0; i < look->told.count; i++)
		if (look->told.items[i].id == id && look->told.items[i].address == address)
			return false;
	slot = look->told.count < STATES_MAX ? vec_add(&look->told) : NULL;
	if (!slot)
		return false;
	*slot = (struct told){ address, id };
	return true;
}

/* ---- how much is there ---------------------------------------------------------------------- */

/* A target in memory: `head` bytes, then `number` units of `unit` bytes. */
struct target {
	const struct known_structure *structure;
	struct state_address place;
	size_t head, unit, number;
	bool one;			/* units are groups of one structure, not structures */
	bool unsure;			/* of all but the first */
	unsigned depth;
};

static void target_number(struct target *t, const struct pointing *p)
{
	const struct b_pointer *how = p->how;
	const struct plan_field *end = field_beside(p, how->end_field);
	uint64_t number = 1, most, room = TARGET_MAX / t->unit;
	bool said = amount(p, &how->count, &number);

	if (said && how->in_bytes)
		number = number > t->head ? (number - t->head) / t->unit : 0;
	if (end) {
		uint64_t last = plan_meaning(end, p->words, p->count);

		said = true;
		number = last >= t->place.address
				 ? (MIN(last - t->place.address, TARGET_MAX) + 1) / t->unit : 0;
	}
	if (amount(p, &how->most, &most)) {
		t->unsure = !said;
		number = said ? MIN(number, most) : most;
	}
	t->number = (size_t)MIN(number, room);
}

/* ---- telling -------------------------------------------------------------------------------- */

static bool tell(struct look *look, const struct target *t, struct gsc_state *state)
{
	const struct gsc_listener *l = look->f->listener;

	if (!l->state)
		return true;
	state->name = t->structure->name;
	state->depth = t->depth;
	if (!gsc_item_by_def(look->f->set->view->db, GSC_STRUCTURE, t->structure->id, &state->item))
		return true;
	return l->state(l->context,
			&(struct gsc_followed){ look->run, look->command, .state = state });
}

static bool tell_absent(struct look *look, const struct target *t, unsigned index, uint64_t address)
{
	struct gsc_state state = { .index = index, .address = address };

	if (address >= t->place.limit)
		string_set(state.problem, "past 0x%llx, the upper bound of the %s base",
			   LL(t->place.limit), t->place.base);
	else
		graphics_why(look->f->memory, look->run->process, address, state.problem,
			     sizeof(state.problem));
	return tell(look, t, &state);
}

static bool follow_item(struct look *look, const struct plan *plan, const uint32_t *words,
			size_t count, unsigned depth);

/*
 * One structure with an open number of groups: those that are present and, if the number is
 * uncertain, not zero.
 */
static bool tell_groups(struct look *look, struct target *t, const uint8_t *bytes, size_t got)
{
	struct gsc_state state = { .address = t->place.address, .words = (const void *)bytes };
	size_t number = got > t->head ? (got - t->head) / t->unit : 0;

	if (got < t->head || (!number && t->number))
		return tell_absent(look, t, 0, t->place.address + got);
	while (t->unsure && number > 1 &&
	       bytes_are_zero(bytes + t->head + (number - 1) * t->unit, t->unit))
		number--;
	state.count = (t->head + number * t->unit) / 4;
	if (t->unsure && number > 1)
		string_set(state.problem, "groups after the first %s", unsure);
	else if (!t->unsure && number < t->number)
		graphics_why(look->f->memory, look->run->process, t->place.address + got,
			     state.problem, sizeof(state.problem));
	return !look_once(look, t->structure->id, state.address) || tell(look, t, &state);
}

static bool tell_array(struct look *look, struct target *t, const uint8_t *bytes, size_t got)
{
	for (unsigned i = 0; i < t->number; i++) {
		size_t at = i * t->unit;
		struct gsc_state state = {
			.index = i,
			.address = t->place.address + at,
			.words = (const void *)(bytes + at),
			.count = t->unit / 4,
		};

		if (at + t->unit > got)
			return (t->unsure && i) || tell_absent(look, t, i, t->place.address + got);
		if (t->unsure && i && bytes_are_zero(bytes + at, t->unit))
			return true;
		if (t->unsure && i)
			string_set(state.problem, "%s", unsure);
		if (look->told.count >= STATES_MAX) {
			state.words = NULL;
			state.count = 0;
			string_set(state.problem, "not decoded: only the first %u are", STATES_MAX);
			return tell(look, t, &state);
		}
		if (!look_once(look, t->structure->id, state.address))
			continue;
		if (!tell(look, t, &state) ||
		    (t->depth < DEPTH_MAX && !follow_item(look, t->structure->plan, state.words,
							  state.count, t->depth + 1)))
			return false;
	}
	return true;
}

static bool follow_structure(struct look *look, const struct pointing *p, const char *name,
			     unsigned depth)
{
	struct target t = { .structure = structure_find(look->f->set, name), .depth = depth };
	struct gsc_state state = { 0 };
	uint64_t value = plan_address(p->field, p->words, p->count);
	const struct plan_repeat *last;
	uint8_t *bytes;
	size_t size, got;
	bool more;

	if (!t.structure || !t.structure->bytes || t.structure->bytes % 4)
		return true;
	t.unit = t.structure->bytes;
	last = t.structure->plan->repeat_count
		       ? &t.structure->plan->repeats[t.structure->plan->repeat_count - 1] : NULL;
	/* Groups that extend to the end of a structure make it as long as necessary. */
	if (last && last->kind == REPEAT_REST) {
		t.one = true;
		t.head = last->at * 4u;
		t.unit = last->size * 4u;
	}
	if (!bases_place(look, p->how->base, value, &t.place, state.problem,
			 sizeof(state.problem))) {
		state.is_offset = !t.place.address;
		state.address = state.is_offset ? value : t.place.address;
		target_number(&t, p);
		return !t.number || tell(look, &t, &state);
	}
	target_number(&t, p);
	size = t.head + t.number * t.unit;
	bytes = t.number ? calloc(1, size + 4) : NULL;
	if (!bytes)
		return true;
	got = graphics_read(look->f->memory, look->run->process, t.place.address, bytes,
			    (size_t)MIN(size, t.place.limit - t.place.address));
	more = t.one ? tell_groups(look, &t, bytes, got) : tell_array(look, &t, bytes, got);
	free(bytes);
	return more;
}

/* ---- fields that point ---------------------------------------------------------------------- */

static bool follow_fields(struct look *look, const struct plan *plan,
			  const struct plan_fields *fields, const uint32_t *words, size_t count,
			  unsigned depth)
{
	for (unsigned i = 0; fields->leads && i < fields->count; i++) {
		const struct plan_field *f = &fields->items[i];
		struct pointing p = { plan->layer, plan, fields, f, NULL, words, count };
		const char *target;
		bool more;

		if (!f->form->pointer || f->dword + (f->lo + f->width - 1u) / 32 >= count ||
		    !plan_applies(fields, f, words, count))
			continue;
		p.how = LAYER_ITEM(plan->layer, B_POINTERS, struct b_pointer, f->form->pointer - 1);
		target = layer_text(plan->layer, f->form->target);
		if (!access_used(plan->layer, fields, f, words, count))
			continue;
		if (!strncmp(target, KERNEL_PREFIX, strlen(KERNEL_PREFIX)))
			more = kernel_tell(look, &p, target + strlen(KERNEL_PREFIX));
		else
			more = follow_structure(look, &p, target, depth);
		if (!more)
			return false;
	}
	return true;
}

static bool follow_item(struct look *look, const struct plan *plan, const uint32_t *words,
			size_t count, unsigned depth)
{
	if (!follow_fields(look, plan, &plan->fields, words, count, depth))
		return false;
	for (unsigned i = 0; i < plan->repeat_count; i++) {
		const struct plan_repeat *r = &plan->repeats[i];
		size_t at, times = r->fields.leads ? plan_times(plan, r, words, count, &at) : 0;

		for (size_t n = 0; n < times && look->told.count < STATES_MAX; n++, at += r->size)
			if (!follow_fields(look, plan, &r->fields, words + at,
					   MIN(r->size, count - at), depth))
				return false;
	}
	return true;
}

static bool leads(const struct plan *plan)
{
	bool any = plan->fields.leads;

	for (unsigned i = 0; i < plan->repeat_count; i++)
		any |= plan->repeats[i].fields.leads;
	return any;
}

bool state_tell(struct follower *f, const struct gsc_run *run, const struct bases *bases,
		const struct gsc_command *c)
{
	const struct plan *plan = c->known ? command_plan(f->set, c->known) : NULL;
	struct look look = { .f = f, .run = run, .bases = bases, .command = c };
	bool more;

	if (!plan || !f->memory || !leads(plan))
		return true;
	gsc_platform_at(f->set->view->db, f->set->view->platform, &look.platform);
	more = follow_item(&look, plan, c->words, c->count, 0);
	vec_free(&look.told);
	return more;
}
