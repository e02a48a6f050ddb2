/* SPDX-License-Identifier: MIT */
/* Checks that find the bits of a command by the fields of its definition. */
#include "batch/lint.h"
#include "batch/state.h"

/* At most this many fields of one command are reported. */
#define FIELDS_TOLD 8

/* ---- fields ---------------------------------------------------------------------------------- */

struct fields {
	const struct lint_look *look;
	void (*check)(struct fields *all, const struct plan_field *f, uint64_t value,
		      unsigned dword);
	const struct plan *plan;
	unsigned told;
};

static void each_field(struct fields *all, const struct plan_fields *fields, unsigned from)
{
	const struct gsc_command *c = all->look->command;
	const uint32_t *words = c->words + from;
	size_t count = c->count - from;

	for (unsigned i = 0; i < fields->count && all->told < FIELDS_TOLD; i++) {
		const struct plan_field *f = &fields->items[i];

		if (lint_wants_more(all->look) &&
		    f->dword + (f->lo + f->width - 1u) / 32 < count &&
		    plan_applies(fields, f, words, count))
			all->check(all, f, plan_value(f, words, count), from + f->dword);
	}
}

static bool all_fields(struct fields all)
{
	const struct known_command *known = all.look->known->known;
	const struct gsc_command *c = all.look->command;
	const struct plan *plan = known ? command_plan(all.look->f->set, known) : NULL;

	all.plan = plan;
	if (plan)
		each_field(&all, &plan->fields, 0);
	for (unsigned i = 0; plan && i < plan->repeat_count; i++) {
		const struct plan_repeat *repeat = &plan->repeats[i];
		size_t from, times = plan_times(plan, repeat, c->words, c->count, &from);

		for (; times-- && all.told < FIELDS_TOLD && from < c->count; from += repeat->size)
			each_field(&all, &repeat->fields, (unsigned)from);
	}
	return false;
}

static void check_reserved(struct fields *all, const struct plan_field *f, uint64_t value,
			   unsigned dword)
{
	uint64_t ones = f->width >= 64 ? UINT64_MAX : (UINT64_C(1) << f->width) - 1;
	bool one = f->form->flags & GSC_FIELD_MBO;

	if (!(f->form->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO)) || value == (one ? ones : 0))
		return;
	all->told++;
	lint_give(all->look, "dword %u bits %u:%u are 0x%llx and must be %s", dword,
		  f->lo + f->width - 1u, f->lo, LL(value), one ? "one" : "zero");
}

bool lint_reserved(const struct lint_look *look)
{
	return all_fields((struct fields){ look, check_reserved });
}

static void check_value(struct fields *all, const struct plan_field *f, uint64_t value,
			unsigned dword)
{
	const struct layer *layer = all->plan->layer;
	const struct c_values *list = f->def->values ? layer_values(layer, f->def->values) : NULL;

	for (uint32_t i = 0; list && i < list->count; i++) {
		const struct b_value v = list_value(layer, list, i);

		if (value < v.lo || value > v.hi)
			continue;
		if (!glob_match("*reserved*", layer_text(layer, v.name)))
			return;
		all->told++;
		lint_give(all->look, "%s (dword %u bits %u:%u) has the reserved value 0x%llx",
			  f->name, dword, f->lo + f->width - 1u, f->lo, LL(value));
		return;
	}
}

bool lint_values(const struct lint_look *look)
{
	return all_fields((struct fields){ look, check_value });
}

static void check_object_state(struct fields *all, const struct plan_field *f, uint64_t value,
			       unsigned dword)
{
	if (f->width != 4 || ((value & 3) != 3 && !(value & 8)) ||
	    !glob_match("*MEMORY_OBJECT_CONTROL_STATE", f->name))
		return;
	all->told++;
	lint_give(all->look, "%s (dword %u bits %u:%u): 0x%llx %s", f->name, dword, f->lo + 3u,
		  f->lo, LL(value), value & 8 ? "sets the reserved bit 3"
				       : "is not a documented cacheability value");
}

bool lint_object_state(const struct lint_look *look)
{
	return all_fields((struct fields){ look, check_object_state });
}

/* ---- fields by name -------------------------------------------------------------------------- */

/* What the field PREFIX SUFFIX means; 0 if the command has none. */
static uint64_t named_value(const struct lint_look *look, const char *prefix, const char *suffix)
{
	const struct plan *plan = command_plan(look->f->set, look->known->known);
	const struct gsc_command *c = look->command;
	const struct plan_field *f;
	char name[80];

	string_set(name, "%s%s", prefix, suffix);
	f = plan ? fields_named(&plan->fields, name) : NULL;
	return f && f->dword + (f->lo + f->width - 1u) / 32 < c->count
		       ? plan_meaning(f, c->words, c->count) : 0;
}

static const struct {
	const char *name;
	enum base base;
} bases[] = {
	{ "GENERAL_STATE", BASE_GENERAL }, { "SURFACE_STATE", BASE_SURFACE },
	{ "DYNAMIC_STATE", BASE_DYNAMIC }, { "INDIRECT_OBJECT", BASE_INDIRECT },
	{ "INSTRUCTION", BASE_INSTRUCTION }, { "BINDLESS_SURFACE_STATE", BASE_BINDLESS_SURFACE },
	{ "BINDLESS_SAMPLER_STATE", BASE_BINDLESS_SAMPLER },
};

/* The command may set one of the two; the other stays as it was. */
bool lint_bounds(const struct lint_look *look)
{
	struct bases after = look->lint->bases;

	bases_change(look->f, &after, look->command);
	for (unsigned i = 0; i < ARRAY_SIZE(bases) && lint_wants_more(look); i++) {
		uint64_t base = after.base[bases[i].base], bound = after.bound[bases[i].base];

		if (after.known >> bases[i].base & 1 && bound && bound <= base)
			lint_give(look, "%s: the bound 0x%llx is not above the base 0x%llx",
				  bases[i].name, LL(bound), LL(base));
	}
	return false;
}

/* An address, a bound or a size counts only with its modify enable. */
bool lint_not_modified(const struct lint_look *look)
{
	static const char *const what[][2] = {
		{ "_BASE_ADDRESS", "_BASE_ADDRESS_MODIFY_ENABLE" },
		{ "_ACCESS_UPPER_BOUND", "_ACCESS_UPPER_BOUND_MODIFY_ENABLE" },
		{ "_BUFFER_SIZE", "_BUFFER_SIZE_MODIFY_ENABLE" },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(bases) * ARRAY_SIZE(what); i++) {
		const char *name = bases[i / ARRAY_SIZE(what)].name;
		const char *const *suffix = what[i % ARRAY_SIZE(what)];
		uint64_t value = named_value(look, name, suffix[0]);

		if (value && !named_value(look, name, suffix[1]) && lint_wants_more(look))
			lint_give(look, "%s%s is 0x%llx, but its modify enable is clear: it is "
				  "ignored", name, suffix[0], LL(value));
	}
	return false;
}

/* In dwords where tiled: rows of tiles are 128 or 512 bytes wide. */
bool lint_blit_pitch(const struct lint_look *look)
{
	static const char *const surfaces[] = { "DESTINATION", "SOURCE" };

	for (unsigned i = 0; i < ARRAY_SIZE(surfaces) && lint_wants_more(look); i++) {
		uint32_t pitch = (uint32_t)named_value(look, surfaces[i], "_PITCH");

		if (named_value(look, surfaces[i], "_TILING_ENABLE") && pitch % 32)
			lint_give(look, "%s_PITCH is %u dwords: a multiple of no tile's width",
				  surfaces[i], pitch & 0xffff);
	}
	return false;
}
