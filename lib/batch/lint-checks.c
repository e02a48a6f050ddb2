/* SPDX-License-Identifier: MIT */
/* Rules about one command by itself. */
#include "batch/lint.h"

#include "db/engine.h"

#include <string.h>

/* At most this many fields of one command are reported. */
#define FIELDS_TOLD 8

bool lint_unknown(const struct lint_look *look, const struct lint_rule *rule)
{
	return look->command->known ||
	       lint_give(look, rule, "no command of %s has the header 0x%08x", look->run->engine,
			 lint_word(look, 0));
}

bool lint_truncated(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct gsc_command *c = look->command;

	return c->count >= c->length ||
	       lint_give(look, rule, "%zu of its %u dwords are there", c->count, c->length);
}

bool lint_length(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct known_command *known = look->known->known;
	unsigned said;

	if (!known || look->command->status != GSC_COMMAND_BAD_LENGTH)
		return true;
	said = known_length(known, lint_word(look, 0));
	if (known->expect_lo == known->expect_hi)
		return lint_give(look, rule, "%u dwords, documented are %u", said,
				 known->expect_lo);
	return lint_give(look, rule, "%u dwords, documented are %u to %u", said, known->expect_lo,
			 known->expect_hi);
}

/* Opcodes of MI from 10h on have a length, of six bits by the table of headers. */
bool lint_mi_length(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct known_command *known = look->known->known;
	uint32_t header = lint_word(look, 0);

	if (!known || header >> 29 || (header >> 23 & 0x3f) < 0x10 || (header & 0xff) <= 0x3f ||
	    known->def->length_kind == LENGTH_FIXED || known->def->length_hi < 6 ||
	    known->def->length_hi > 7)
		return true;
	return lint_give(look, rule, "the length 0x%x has more than six bits", header & 0xff);
}

/* Commands of the video codec engine: type 3, subtype 2. */
bool lint_codec_length(const struct lint_look *look, const struct lint_rule *rule)
{
	uint32_t header = lint_word(look, 0);

	return !look->known->known || engine_class_of(look->run->engine) != ENGINE_VCS ||
	       header >> 27 != 0xe || !(header & 0xf000) ||
	       lint_give(look, rule, "bits 15:12 are 0x%x; the length ends at bit 11",
			 header >> 12 & 0xf);
}

/* ---- fields --------------------------------------------------------------------------------- */

struct fields {
	const struct lint_look *look;
	const struct lint_rule *rule;
	const struct plan *plan;
	bool (*check)(struct fields *all, const struct plan_field *f, uint64_t value,
		      unsigned dword);
	unsigned told;
};

static bool each_field(struct fields *all, const struct plan_fields *fields, unsigned from)
{
	const struct gsc_command *c = all->look->command;
	const uint32_t *words = c->words + from;
	size_t count = c->count - from;

	for (unsigned i = 0; i < fields->count && all->told < FIELDS_TOLD; i++) {
		const struct plan_field *f = &fields->items[i];

		if (f->dword + (f->lo + f->width - 1u) / 32 >= count ||
		    !plan_applies(fields, f, words, count))
			continue;
		if (!all->check(all, f, plan_value(f, words, count), from + f->dword))
			return false;
	}
	return true;
}

static bool all_fields(struct fields all)
{
	const struct known_command *known = all.look->known->known;
	const struct gsc_command *c = all.look->command;
	const struct plan *plan = known ? command_plan(all.look->f->set, known) : NULL;

	all.plan = plan;
	if (plan && !each_field(&all, &plan->fields, 0))
		return false;
	for (unsigned i = 0; plan && i < plan->repeat_count; i++) {
		const struct plan_repeat *repeat = &plan->repeats[i];
		size_t from, times = plan_times(plan, repeat, c->words, c->count, &from);

		for (; times-- && all.told < FIELDS_TOLD && from < c->count; from += repeat->size)
			if (!each_field(&all, &repeat->fields, (unsigned)from))
				return false;
	}
	return true;
}

static bool check_reserved(struct fields *all, const struct plan_field *f, uint64_t value,
			   unsigned dword)
{
	uint64_t ones = f->width >= 64 ? UINT64_MAX : (UINT64_C(1) << f->width) - 1;
	bool one = f->form->flags & GSC_FIELD_MBO;

	if (!(f->form->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO)) || value == (one ? ones : 0))
		return true;
	all->told++;
	return lint_give(all->look, all->rule, "dword %u bits %u:%u are 0x%llx and must be %s",
			 dword, f->lo + f->width - 1u, f->lo, (unsigned long long)value,
			 one ? "one" : "zero");
}

bool lint_reserved(const struct lint_look *look, const struct lint_rule *rule)
{
	return all_fields((struct fields){ look, rule, .check = check_reserved });
}

static bool check_value(struct fields *all, const struct plan_field *f, uint64_t value,
			unsigned dword)
{
	const struct layer *layer = all->plan->layer;
	const struct c_values *list = f->def->values ? layer_values(layer, f->def->values) : NULL;

	for (uint32_t i = 0; list && i < list->count; i++) {
		const struct b_value v = list_value(layer, list, i);

		if (value < v.lo || value > v.hi)
			continue;
		if (!glob_match("*reserved*", layer_text(layer, v.name)))
			return true;
		all->told++;
		return lint_give(all->look, all->rule,
				 "%s (dword %u bits %u:%u) has the reserved value 0x%llx", f->name,
				 dword, f->lo + f->width - 1u, f->lo, (unsigned long long)value);
	}
	return true;
}

bool lint_values(const struct lint_look *look, const struct lint_rule *rule)
{
	return all_fields((struct fields){ look, rule, .check = check_value });
}

static bool check_object_state(struct fields *all, const struct plan_field *f, uint64_t value,
			       unsigned dword)
{
	if (f->width != 4 || ((value & 3) != 3 && !(value & 8)) ||
	    !glob_match("*MEMORY_OBJECT_CONTROL_STATE", f->name))
		return true;
	all->told++;
	return lint_give(all->look, all->rule, "%s (dword %u bits %u:%u): 0x%llx %s", f->name,
			 dword, f->lo + 3u, f->lo, (unsigned long long)value,
			 value & 8 ? "sets the reserved bit 3"
				   : "is not a documented cacheability value");
}

bool lint_object_state(const struct lint_look *look, const struct lint_rule *rule)
{
	return all_fields((struct fields){ look, rule, .check = check_object_state });
}

/* ---- dwords --------------------------------------------------------------------------------- */

bool lint_always(const struct lint_look *look, const struct lint_rule *rule)
{
	return lint_give(look, rule, "%s", rule->text);
}

bool lint_dword(const struct lint_look *look, const struct lint_rule *rule)
{
	return rule->bits.dword >= look->command->count || lint_holds(look, &rule->bits) ||
	       lint_give(look, rule, "%s", rule->text);
}

bool lint_below(const struct lint_look *look, const struct lint_rule *rule)
{
	uint32_t value = lint_word(look, rule->bits.dword) & rule->bits.mask;

	return value >= rule->bits.value || lint_give(look, rule, "0x%x: %s", value, rule->text);
}

bool lint_privileged(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct known_command *known = look->known->known;

	return !known || !(known->def->flags & COMMAND_PRIVILEGED) ||
	       lint_give(look, rule,
			 "is privileged, but the batch is not: the command should have no effect");
}

/* ---- single commands ------------------------------------------------------------------------ */

bool lint_events(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct gsc_command *c = look->command;
	const struct plan *plan = command_plan(look->f->set, look->known->known);
	unsigned events = 0;

	for (unsigned i = 0; plan && i < plan->fields.count; i++) {
		const struct plan_field *f = &plan->fields.items[i];

		if (!f->reserved && plan_value(f, c->words, c->count))
			events++;
	}
	return events <= 1 ||
	       lint_give(look, rule, "waits for %u events, but only one may be selected", events);
}

bool lint_fence_line(const struct lint_look *look, const struct lint_rule *rule)
{
	return look->command->address % 64 + (uint64_t)look->command->length * 4 <= 64 ||
	       lint_give(look, rule,
			 "starts at byte 0x%llx of a 64-byte cache line and crosses its end",
			 (unsigned long long)(look->command->address % 64));
}

/*
 * The fences of the vertex, geometry, clip and setup units, and of constants, in the order of the
 * URB.
 */
bool lint_fence_order(const struct lint_look *look, const struct lint_rule *rule)
{
	uint32_t first = lint_word(look, 1), second = lint_word(look, 2);
	const struct { const char *unit; unsigned bit, end; } fences[] = {
		{ "VS", 8, first & 0x3ff }, { "GS", 9, first >> 10 & 0x3ff },
		{ "CLIP", 10, first >> 20 & 0x3ff }, { "SF", 11, second & 0x3ff },
		{ "CS", 13, second >> 20 & 0x7ff },
	};
	const char *before = NULL;
	unsigned end = 0;

	if (look->command->count < 3)
		return true;
	for (unsigned i = 0; i < ARRAY_SIZE(fences); i++) {
		if (!(lint_word(look, 0) & 1u << fences[i].bit))
			continue;
		if (fences[i].end < end)
			return lint_give(look, rule,
					 "the fence of %s is at %u, below that of %s at %u",
					 fences[i].unit, fences[i].end, before, end);
		end = fences[i].end;
		before = fences[i].unit;
	}
	return true;
}

/* Registers that cannot be stored to memory. */
bool lint_register(const struct lint_look *look, const struct lint_rule *rule)
{
	static const struct { uint32_t start, last; const char *what; } ranges[] = {
		{ 0x0, 0xfff, "a VGA register" },
		{ 0x2020, 0x2023, "PGTBL_CTL0" },
		{ 0x100000, 0x10007f, "a FENCE register" },
	};
	uint32_t offset = lint_word(look, 1) & 0x3fffffc;

	for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++)
		if (offset >= ranges[i].start && offset <= ranges[i].last)
			return lint_give(look, rule, "0x%x is %s: what is stored is undefined",
					 offset, ranges[i].what);
	return true;
}

static bool named_value(const struct lint_look *look, const struct plan *plan, const char *name,
			uint64_t *value)
{
	const struct plan_field *f = fields_named(&plan->fields, name);
	const struct gsc_command *c = look->command;

	if (!f || f->dword >= c->count)
		return false;
	*value = plan_value(f, c->words, c->count);
	return true;
}

bool lint_bounds(const struct lint_look *look, const struct lint_rule *rule)
{
#define PAIR(name) { name, name "_BASE_ADDRESS", name "_BASE_ADDRESS_MODIFY_ENABLE",               \
		     name "_ACCESS_UPPER_BOUND", name "_ACCESS_UPPER_BOUND_MODIFY_ENABLE" }
	static const struct {
		const char *what, *base, *base_modify, *bound, *bound_modify;
	} pairs[] = {
		PAIR("GENERAL_STATE"), PAIR("DYNAMIC_STATE"), PAIR("INDIRECT_OBJECT"),
		PAIR("INSTRUCTION"),
	};
#undef PAIR
	const struct plan *plan = command_plan(look->f->set, look->known->known);
	uint64_t base, bound, base_modify, bound_modify;

	for (unsigned i = 0; plan && i < ARRAY_SIZE(pairs); i++) {
		if (!named_value(look, plan, pairs[i].base, &base) ||
		    !named_value(look, plan, pairs[i].base_modify, &base_modify) ||
		    !named_value(look, plan, pairs[i].bound, &bound) ||
		    !named_value(look, plan, pairs[i].bound_modify, &bound_modify) ||
		    !base_modify || !bound_modify || !bound || bound > base)
			continue;
		if (!lint_give(look, rule, "%s: the bound 0x%llx is not above the base 0x%llx",
			       pairs[i].what, (unsigned long long)bound << 12,
			       (unsigned long long)base << 12))
			return false;
	}
	return true;
}

/* ---- commands that a register has to allow -------------------------------------------------- */

/* A register that nobody can read, or that sleeps, shows nothing. */
static bool register_has(const struct lint_look *look, const char *name, uint64_t bit, bool *has)
{
	const struct graphics_memory *memory = look->f->memory;
	uint64_t value;

	if (!memory || !memory->gpu ||
	    gpu_read_named(memory->gpu, "rcs0", name, -1, NULL, &value))
		return false;
	*has = value & bit;
	return true;
}

bool lint_flush_enable(const struct lint_look *look, const struct lint_rule *rule)
{
	bool has;

	return look->lint->flush_enabled || !register_has(look, "MI_MODE", 1u << 12, &has) || has ||
	       lint_give(look, rule, "bit 12 of MI_MODE is clear: the parser stalls");
}

bool lint_surface_fault(const struct lint_look *look, const struct lint_rule *rule)
{
	bool has;

	return !register_has(look, "GFX_MODE", 1u << 12, &has) || has ||
	       lint_give(look, rule, "the surface fault enable of GFX_MODE (bit 12) is clear");
}
