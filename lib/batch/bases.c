/* SPDX-License-Identifier: MIT */
/* Base addresses: which commands change them, and where an offset leads. */
#include "batch/state.h"

#include "db/words.h"

/*
 * Fields of STATE_BASE_ADDRESS. Bounds are addresses up to Gen7.5, then sizes; 0 is no bound (SNB
 * PRM vol 1 part 1, 3.7.1.1).
 */
static const struct base_fields {
	const char *address, *modify, *bound, *bound_modify, *size, *size_modify;
} base_fields[BASES] = {
#define ADDRESS(name) name "_BASE_ADDRESS", name "_BASE_ADDRESS_MODIFY_ENABLE"
#define BOUND(name) name "_ACCESS_UPPER_BOUND", name "_ACCESS_UPPER_BOUND_MODIFY_ENABLE"
#define SIZE(name) name "_BUFFER_SIZE", name "_BUFFER_SIZE_MODIFY_ENABLE"
#define BOUNDED(name) { ADDRESS(name), BOUND(name), SIZE(name) }
	[BASE_GENERAL] = BOUNDED("GENERAL_STATE"),
	[BASE_SURFACE] = { ADDRESS("SURFACE_STATE"), NULL, NULL, NULL, NULL },
	[BASE_DYNAMIC] = BOUNDED("DYNAMIC_STATE"),
	[BASE_INDIRECT] = BOUNDED("INDIRECT_OBJECT"),
	[BASE_INSTRUCTION] = BOUNDED("INSTRUCTION"),
	/* No source says in which unit their sizes are counted. */
	[BASE_BINDLESS_SURFACE] = { ADDRESS("BINDLESS_SURFACE_STATE"), NULL, NULL, NULL, NULL },
	[BASE_BINDLESS_SAMPLER] = { ADDRESS("BINDLESS_SAMPLER_STATE"), NULL, NULL, NULL, NULL },
#undef BOUNDED
#undef SIZE
#undef BOUND
#undef ADDRESS
};

/* What a field of the command means; the whole of a field in parts. */
static bool known(const struct plan *plan, const struct gsc_command *c, const char *name,
		  uint64_t *value)
{
	const struct plan_field *f = name ? fields_named(&plan->fields, name) : NULL;

	if (!f || f->dword + (f->lo + f->width - 1u) / 32 >= c->count)
		return false;
	*value = plan_meaning(f, c->words, c->count);
	return true;
}

static bool enabled(const struct plan *plan, const struct gsc_command *c, const char *name)
{
	uint64_t value;

	return known(plan, c, name, &value) && value;
}

static void change_state_bases(struct bases *bases, const struct plan *plan,
			       const struct gsc_command *c)
{
	for (unsigned i = 0; i < BASES; i++) {
		const struct base_fields *names = &base_fields[i];
		uint64_t value;

		if (!names->address)
			continue;
		if (enabled(plan, c, names->modify) && known(plan, c, names->address, &value)) {
			bases->base[i] = value;
			bases->known |= 1u << i;
		}
		if (enabled(plan, c, names->bound_modify) && known(plan, c, names->bound, &value))
			bases->bound[i] = value;
		if (enabled(plan, c, names->size_modify) && known(plan, c, names->size, &value))
			bases->bytes[i] = value;
	}
}

/* Later platforms have no enable bit: once a pool is set, binding tables are in it. */
static void change_pool(struct bases *bases, const struct plan *plan, const struct gsc_command *c)
{
	uint64_t value, enable = 1;

	if (!known(plan, c, "BINDING_TABLE_POOL_BASE_ADDRESS", &value))
		return;
	known(plan, c, "BINDING_TABLE_POOL_ENABLE", &enable);
	bases->base[BASE_BINDING_TABLE] = value;
	bases->known &= ~(1u << BASE_BINDING_TABLE);
	bases->known |= (enable ? 1u : 0u) << BASE_BINDING_TABLE;
	if (known(plan, c, "BINDING_TABLE_POOL_UPPER_BOUND", &value))
		bases->bound[BASE_BINDING_TABLE] = value;
	if (known(plan, c, "BINDING_TABLE_POOL_BUFFER_SIZE", &value))
		bases->bytes[BASE_BINDING_TABLE] = value;
}

static struct mode_bit bit_named(const struct gsc_view *view, const char *name, const char *wanted)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_reg reg;

	if (!view_find(view, "rcs0", name, -1, &reg))
		return (struct mode_bit){ 0 };
	gsc_reg_fields(view, &reg, 0, &it);
	while (gsc_field_next(&it, &field))
		if (!strcmp(field.name, wanted) && field.lo < 16)	/* masks are 31:16 */
			return (struct mode_bit){ (uint32_t)reg.offset, 1u << field.lo };
	return (struct mode_bit){ 0 };
}

void bases_modes(const struct gsc_view *view, struct mode_bit *constants, struct mode_bit *tables)
{
	*constants = bit_named(view, "CS_DEBUG_MODE2", "CONSTANT_BUFFER_ADDRESS_OFFSET_DISABLE");
	if (!constants->mask)
		*constants = bit_named(view, "INSTPM", "CONSTANT_BUFFER_ADDRESS_OFFSET_DISABLE");
	*tables = bit_named(view, "GT_MODE", "BINDING_TABLE_ALIGNMENT");
}

void bases_change(struct follower *f, struct bases *bases, const struct gsc_command *c)
{
	const struct known_command *command = c->known;
	const struct plan *plan;

	if (command->role == ROLE_IMMEDIATE) {
		uint32_t base = writes_base(f, c);

		for (size_t i = 1; i + 1 < c->count && !writes_disabled(c); i += 2) {
			uint32_t offset = base + (c->words[i] & 0x7ffffc);
			uint32_t value = c->words[i + 1], masked = value >> 16;

			/* Masked registers: bits 31:16 say which of 15:0 are written. */
			if (offset == f->constants.offset && masked & f->constants.mask)
				bases->constant = value & f->constants.mask ? CONSTANT_ABSOLUTE
									    : CONSTANT_RELATIVE;
			else if (offset == f->tables.offset && masked & f->tables.mask)
				bases->wide_tables = value & f->tables.mask;
		}
		return;
	}
	plan = command->role == ROLE_BASES ? command_plan(f->set, command) : NULL;
	if (!plan)
		return;
	if (fields_named(&plan->fields, "BINDING_TABLE_POOL_BASE_ADDRESS"))
		change_pool(bases, plan, c);
	else
		change_state_bases(bases, plan, c);
}

/* ---- from an offset to a place -------------------------------------------------------------- */

/*
 * The base that counts at this moment. Constants: the register that makes them absolute is part of
 * the context and is set once; the drivers of Gen8+ do that (Mesa, crocus_state.c,
 * genX_init_state.c).
 */
static enum base real_base(const struct look *look, enum base base)
{
	const struct bases *bases = look->bases;

	if (base == BASE_BINDING_TABLE && !(bases->known & 1u << BASE_BINDING_TABLE))
		return BASE_SURFACE;
	if (base != BASE_CONSTANT)
		return base;
	if (bases->constant == CONSTANT_UNKNOWN)
		return platform_has(&look->platform, PROPERTY_ABSOLUTE_CONSTANTS) ? BASE_NONE
									  : BASE_DYNAMIC;
	return bases->constant == CONSTANT_RELATIVE ? BASE_DYNAMIC : BASE_NONE;
}

bool bases_place(const struct look *look, enum base wanted, uint64_t value,
		 struct state_address *place, char *problem, size_t size)
{
	const struct bases *bases = look->bases;
	enum base base = real_base(look, wanted);
	uint64_t start, limit;

	*place = (struct state_address){ .limit = UINT64_MAX, .base = base_words[base] };
	if (base == BASE_NONE) {
		place->address = graphics_address(&look->platform, value);
		return true;
	}
	if (wanted == BASE_BINDING_TABLE && bases->wide_tables)
		value <<= 3;
	if (!(bases->known & 1u << base)) {
		snprintf(problem, size, "an offset: no command so far has set the %s base address",
			 place->base);
		return false;
	}
	start = graphics_address(&look->platform, bases->base[base]);
	place->address = graphics_address(&look->platform, bases->base[base] + value);
	limit = bases->bytes[base] ? start + bases->bytes[base] : bases->bound[base];
	if (limit)
		place->limit = limit;
	if (place->address < place->limit)
		return true;
	snprintf(problem, size, "past 0x%llx, the upper bound of the %s base", LL(place->limit),
		 place->base);
	return false;
}
