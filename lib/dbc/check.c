/* SPDX-License-Identifier: MIT */
/* What can be wrong with well-formed definitions. */
#include "dbc/build.h"
#include "db/db.h"
#include "util/number.h"

#include <string.h>

/* The fields of an item are compared with each other. */
#define FIELDS_MAX 4096

/* Where a finding about an item points to. */
struct item {
	const char *name, *file;
	uint32_t line;
	unsigned bits;			/* of the whole item */
	struct b_slice fields;
};

static const char *first_platform(const struct build *b, uint64_t mask)
{
	mask &= all_platforms(b);
	return mask ? build_platform_text(
			      b, build_platform(b, (unsigned)__builtin_ctzll(mask))->name)
		    : "no platform";
}

static uint64_t width_mask(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* ---- fields ------------------------------------------------------------------------------- */

/* Bits that a type needs: all other types fit any width. */
static void check_type(struct build *b, const struct item *item, const struct b_field *f)
{
	unsigned width = f->hi - f->lo + 1u;
	const char *name = build_text(b, f->name);

	if (f->form.type == F_FLOAT && width != 32)
		finding_in(b, "type", item->file, item->line,
			   "%s:%s is a float of %u bits, expected 32", item->name, name, width);
	if ((f->form.type == F_UFIXED || f->form.type == F_SFIXED) && f->form.fraction > width)
		finding_in(b, "type", item->file, item->line,
			   "%s:%s has %u fraction bits, expected at most its %u", item->name, name,
			   f->form.fraction, width);
}

static int by_low_value(const void *a, const void *b)
{
	const struct b_value *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void check_values(struct build *b, const struct item *item, const struct b_field *f)
{
	/* For a part: the values of the whole quantity. */
	uint64_t most = f->form.join ? UINT64_MAX : width_mask(f->hi - f->lo + 1u);
	const struct b_value *values = b->values.items + f->values.first;
	uint32_t count = f->values.count;
	struct b_value *sorted = count ? calloc(count, sizeof(*sorted)) : NULL;

	for (uint32_t i = 0; i < count; i++)
		if (values[i].hi > most)
			finding_in(b, "enum-width", item->file, item->line,
				   "%s:%s has a value %llu, expected at most %llu in %u bits",
				   item->name, build_text(b, f->name),
				   (unsigned long long)values[i].hi, (unsigned long long)most,
				   f->hi - f->lo + 1);
	b->failed |= count && !sorted;
	if (!sorted)
		return;
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_low_value);
	for (uint32_t i = 1; i < count; i++)
		if (sorted[i].lo <= sorted[i - 1].hi)
			finding_in(b, "enum-twice", item->file, item->line,
				   "%s:%s has two names for the value %llu, expected one",
				   item->name, build_text(b, f->name),
				   (unsigned long long)sorted[i].lo);
	free(sorted);
}

/* The fields that a pointer depends on must be in the same item. */
static void check_pointer(struct build *b, const struct item *item, const struct b_field *f)
{
	const struct b_pointer *p = f->form.pointer ? &b->pointers.items[f->form.pointer - 1]
						    : NULL;
	const str_t names[] = { p ? p->if_field : 0, p ? p->end_field : 0, p ? p->count.field : 0,
				p ? p->most.field : 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		bool found = !names[i];

		for (uint32_t k = 0; k < item->fields.count && !found; k++)
			found = b->fields.items[item->fields.first + k].name == names[i];
		if (!found)
			finding_in(b, "pointer", item->file, item->line,
				   "%s:%s refers to %s, expected a field of this item", item->name,
				   build_text(b, f->name), build_text(b, names[i]));
	}
}

/* Both exist at once: always, or if one field has the same value for both. */
static bool whens_meet(const struct c_form *a, const struct c_form *b)
{
	bool meet = false;

	if (a->when_field == NONE && b->when_field == NONE)
		return true;
	if (a->when_field != b->when_field)
		return false;
	for (uint64_t value = 0; value < WHEN_LISTED; value++)
		meet |= when_holds(a, value) && when_holds(b, value);
	return meet || (when_holds(a, a->when_value) && when_holds(b, a->when_value));
}

static bool fields_meet(const struct b_field *a, const struct b_field *b)
{
	uint32_t a_lo = a->dword * 32u + a->lo, a_hi = a->dword * 32u + a->hi;
	uint32_t b_lo = b->dword * 32u + b->lo, b_hi = b->dword * 32u + b->hi;

	return a_lo <= b_hi && b_lo <= a_hi && whens_meet(&a->form, &b->form) &&
	       !((a->form.flags | b->form.flags) & GSC_FIELD_OVERLAY) &&
	       wheres_meet(&a->where, &b->where);
}

static void check_fields(struct build *b, const struct item *item)
{
	if (item->fields.count > FIELDS_MAX) {
		finding_in(b, "field-count", item->file, item->line,
			   "%s has %u fields, expected at most %u", item->name,
			   item->fields.count, FIELDS_MAX);
		return;
	}
	for (uint32_t i = 0; i < item->fields.count; i++) {
		const struct b_field *f = &b->fields.items[item->fields.first + i];
		const char *name = build_text(b, f->name);

		if (item->bits && f->dword * 32u + f->hi >= item->bits)
			finding_in(b, "field-width", item->file, item->line,
				   "%s:%s reaches bit %u, expected less than %u", item->name, name,
				   f->dword * 32u + f->hi, item->bits);
		if (!(f->where.platforms & all_platforms(b)))
			finding_in(b, "unreachable", item->file, item->line,
				   "%s:%s applies to no platform that has the register", item->name,
				   name);
		check_values(b, item, f);
		check_type(b, item, f);
		check_pointer(b, item, f);
		for (uint32_t k = 0; k < i; k++) {
			const struct b_field *g = &b->fields.items[item->fields.first + k];

			if (fields_meet(f, g))
				finding_in(b, "field-overlap", item->file, item->line,
					   "%s:%s %u:%u overlaps %s %u:%u on %s", item->name, name,
					   f->hi, f->lo, build_text(b, g->name), g->hi, g->lo,
					   first_platform(b, f->where.platforms &
								     g->where.platforms));
			else if (f->name == g->name && !f->form.flags &&
				 whens_meet(&f->form, &g->form) &&
				 wheres_meet(&f->where, &g->where))
				finding_in(b, "field-twice", item->file, item->line,
					   "%s has two fields %s, expected different names",
					   item->name, name);
		}
	}
}

/* Groups point by the fields in them. */
static void check_repeats(struct build *b, const struct item *item, struct b_slice repeats)
{
	for (uint32_t i = 0; i < repeats.count; i++) {
		struct item group = *item;

		group.fields = b->repeats.items[repeats.first + i].fields;
		for (uint32_t k = 0; k < group.fields.count; k++)
			check_pointer(b, &group, &b->fields.items[group.fields.first + k]);
	}
}

/* ---- registers ---------------------------------------------------------------------------- */

static void check_origin(struct build *b, const struct item *item, uint32_t origin)
{
	if (origin == NONE)
		finding_in(b, "origin", item->file, item->line,
			   "%s has no origin, expected an `origin` line before or in it",
			   item->name);
}

static void check_where(struct build *b, const struct item *item, const struct b_where *where)
{
	if (!(where->platforms & all_platforms(b)))
		finding_in(b, "unreachable", item->file, item->line,
			   "%s applies to no platform, expected an on= that matches at least one",
			   item->name);
}

static void check_masked(struct build *b, const struct item *item, const struct b_reg *reg)
{
	if (!(reg->traits.access & GSC_MASKED))
		return;
	if (reg->traits.bits != 32)
		finding_in(b, "masked", item->file, item->line,
			   "%s is masked and %u bits wide, expected 32", item->name,
			   reg->traits.bits);
	for (uint32_t i = 0; i < reg->fields.count; i++) {
		const struct b_field *f = &b->fields.items[reg->fields.first + i];

		if (f->hi >= 16 && f->lo < 16)
			finding_in(b, "masked", item->file, item->line,
				   "%s:%s reaches into the write mask 31:16", item->name,
				   build_text(b, f->name));
	}
}

static void check_reset(struct build *b, const struct item *item, const struct b_reg *reg)
{
	if (!(reg->traits.flags & GSC_REG_HAS_RESET))
		return;
	if (reg->traits.reset & ~width_mask(reg->traits.bits))
		finding_in(b, "reset", item->file, item->line,
			   "%s has reset bits above bit %u", item->name, reg->traits.bits - 1);
	for (uint32_t i = 0; i < reg->fields.count; i++) {
		const struct b_field *f = &b->fields.items[reg->fields.first + i];
		uint64_t mask = f->lo > 63 ? 0 : width_mask(f->hi - f->lo + 1u) << f->lo;

		if (f->form.flags & GSC_FIELD_MBZ &&
		    reg->traits.reset & mask & reg->traits.reset_mask)
			finding_in(b, "reset", item->file, item->line,
				   "%s has a nonzero reset value in bits %u:%u, but they must be "
				   "zero",
				   item->name, f->hi, f->lo);
	}
}

/* Addresses that a register occupies: a number of the sideband is one of 32 bits. */
static unsigned place_units(enum gsc_space space, unsigned bits)
{
	return space == GSC_SIDEBAND ? 1 : bits / 8u;
}

static void check_places(struct build *b, const struct item *item, const struct b_reg *reg)
{
	for (uint32_t i = 0; i < reg->places.count; i++) {
		const struct b_place *p = &b->places.items[reg->places.first + i];
		unsigned align = MIN(reg->traits.bits / 8u, 4u);

		if (reg->where.platforms & all_platforms(b) &&
		    !(wheres_meet(&p->where, &reg->where) &&
		      p->where.platforms & reg->where.platforms & all_platforms(b)))
			finding_in(b, "unreachable", item->file, item->line,
				   "%s: an `at` line applies to no platform of the register",
				   item->name);
		if (p->c.space == GSC_MMIO && (p->c.offset + reg->element) % align)
			finding_in(b, "alignment", item->file, item->line,
				   "%s at 0x%x is not aligned to %u bytes", item->name, p->c.offset,
				   align);
		if (p->c.count > 1 && p->c.stride < place_units(p->c.space, reg->traits.bits))
			finding_in(b, "stride", item->file, item->line,
				   "%s is an array of %u-byte elements with stride %u", item->name,
				   reg->traits.bits / 8u, p->c.stride);
		if (p->c.space == GSC_SIDEBAND && reg->traits.bits != 32)
			finding_in(b, "sideband", item->file, item->line,
				   "%s has %u bits, expected the 32 of a sideband register",
				   item->name, reg->traits.bits);
	}
}

static void check_reg(struct build *b, const struct b_reg *reg, bool placed)
{
	struct item item = { build_text(b, reg->name), build_text(b, reg->traits.file), reg->line,
			     reg->traits.bits, reg->fields };

	check_origin(b, &item, reg->origin);
	check_where(b, &item, &reg->where);
	check_fields(b, &item);
	check_masked(b, &item, reg);
	check_reset(b, &item, reg);
	check_places(b, &item, reg);
	if (!placed && reg->where.platforms & all_platforms(b))
		finding_in(b, "unreachable", item.file, item.line,
			   "%s has no place on any platform (no such engine there?)", item.name);
}

/* ---- one platform's registers together ---------------------------------------------------- */

static const struct b_reg *inst_reg(const struct build *b, const struct b_inst *inst)
{
	return &b->regs.items[inst->reg];
}

/* Does a register overlap an earlier one? Each is reported once, on whatever platform. */
static void check_collision(struct build *b, unsigned platform, const struct b_inst *inst,
			    const struct b_inst *before, uint32_t *told)
{
	const struct b_reg *reg = inst_reg(b, inst), *other = inst_reg(b, before);

	if (before->offset + place_units(inst->space, other->traits.bits) <= inst->offset ||
	    inst->rev_lo > before->rev_hi || before->rev_lo > inst->rev_hi)
		return;
	told[inst->reg] = 1;
	finding_in(b, "address", build_text(b, reg->traits.file), reg->line,
		   "%s at 0x%x overlaps %s (%s:%u) at 0x%x, on %s", build_text(b, reg->name),
		   inst->offset, build_text(b, other->name), build_text(b, other->traits.file),
		   other->line, before->offset,
		   build_platform_text(b, build_platform(b, platform)->name));
}

/*
 * The widest register has 8 bytes: a register that another one overlaps begins shortly before it.
 */
static void check_collisions(struct build *b, unsigned platform, uint32_t *told)
{
	const struct b_slice insts = b->views.items[platform].insts;
	VEC(const struct b_inst *) near = { 0 };	/* from `first` on; no overlays */
	size_t first = 0;

	for (uint32_t i = 0; i < insts.count; i++) {
		const struct b_inst *inst = &b->insts.items[insts.first + i], **slot;

		if (inst_reg(b, inst)->traits.flags & REG_OVERLAY)
			continue;
		while (first < near.count && (near.items[first]->space != inst->space ||
					      near.items[first]->offset + 8 <= inst->offset))
			first++;
		for (size_t k = near.count; k-- > first && !told[inst->reg];)
			check_collision(b, platform, inst, near.items[k], told);
		slot = vec_add(&near);
		b->failed |= !slot;
		if (slot)
			*slot = inst;
	}
	vec_free(&near);
}

static bool is_primary(const struct build *b, const struct b_name *n)
{
	return b->regs.items[n->item].name == n->name;
}

/* Whether two registers have an instance with the same engine and index on a platform. */
static bool instances_meet(const struct build *b, unsigned platform, uint32_t one, uint32_t other)
{
	const struct b_slice insts = b->views.items[platform].insts;

	for (uint32_t i = 0; i < insts.count; i++) {
		const struct b_inst *a = &b->insts.items[insts.first + i];

		if (a->reg != one)
			continue;
		for (uint32_t k = 0; k < insts.count; k++) {
			const struct b_inst *c = &b->insts.items[insts.first + k];

			if (c->reg == other && c->engine == a->engine && c->index == a->index &&
			    c->space == a->space && c->rev_lo <= a->rev_hi &&
			    a->rev_lo <= c->rev_hi)
				return true;
		}
	}
	return false;
}

/* A name must mean one register on a platform; several may share an alias. */
static void check_name_pair(struct build *b, const struct b_name *n, const struct b_name *m)
{
	const struct b_reg *one = &b->regs.items[n->item], *other = &b->regs.items[m->item];
	const struct b_where *here = n->alias == NONE ? &one->where
						      : &b->aliases.items[n->alias].where;
	const struct b_where *there = m->alias == NONE ? &other->where
						       : &b->aliases.items[m->alias].where;
	uint64_t both = here->platforms & there->platforms & all_platforms(b);

	if (n->item == m->item || !wheres_meet(here, there) ||
	    (!is_primary(b, n) && !is_primary(b, m)))
		return;
	while (both && !instances_meet(b, (unsigned)__builtin_ctzll(both), n->item, m->item))
		both &= both - 1;
	if (!both)
		return;
	finding_in(b, "name", build_text(b, one->traits.file), one->line,
		   "the name %s also belongs to %s (%s:%u) on %s",
		   build_text(b, n->name), build_text(b, other->name),
		   build_text(b, other->traits.file),
		   other->line, first_platform(b, both));
}

/* Names with the same spelling, registers' own names first: two aliases may share it. */
static void check_spelling(struct build *b, const uint32_t *order, size_t count)
{
	size_t primary = 0;

	for (; primary < count && is_primary(b, &b->names.items[order[primary]]); primary++)
		;
	for (size_t i = 0; i < count; i++)
		for (size_t k = MIN(i, primary); k-- > 0 && !findings_full(b);) {
			size_t later = MAX(order[i], order[k]), earlier = MIN(order[i], order[k]);

			check_name_pair(b, &b->names.items[later], &b->names.items[earlier]);
		}
}

static void check_names(struct build *b)
{
	const struct b_name *names = b->names.items;
	uint32_t *order = calloc(b->names.count + 1, sizeof(*order));

	b->failed |= !order;
	for (size_t from = 0, end; order && from < b->names.count; from = end) {
		size_t used = 0;

		for (end = from; end < b->names.count &&
		     !name_compare(build_text(b, names[from].name), build_text(b, names[end].name));
		     end++)
			if (names[end].kind == ITEM_REG && is_primary(b, &names[end]))
				order[used++] = (uint32_t)end;
		for (size_t i = from; i < end; i++)
			if (names[i].kind == ITEM_REG && !is_primary(b, &names[i]))
				order[used++] = (uint32_t)i;
		check_spelling(b, order, used);
	}
	free(order);
}

/* Marks the aliases that an instance has on its platform. */
static void reach_aliases(const struct build *b, unsigned platform, const struct b_inst *inst,
			  bool *reached)
{
	const struct b_slice aliases = inst_reg(b, inst)->aliases;
	const struct b_where here = where_revisions(platform, inst->rev_lo, inst->rev_hi);
	const struct b_engine *engine = inst->engine == UINT8_MAX ? NULL :
		build_engine(b, build_platform(b, platform)->engines.first + inst->engine);

	for (uint32_t i = 0; i < aliases.count; i++) {
		const struct b_alias *alias = &b->aliases.items[aliases.first + i];

		if (wheres_meet(&alias->where, &here) &&
		    (!alias->c.engines ||
		     (engine && alias->c.engines & 1u << engine->class &&
		      (alias->c.instance < 0 || alias->c.instance == engine->instance))))
			reached[alias->written] = true;
	}
}

/* Reported once for all registers of a list. */
static void check_reg_aliases(struct build *b, const struct b_reg *reg, bool *reached)
{
	for (uint32_t i = 0; i < reg->aliases.count; i++) {
		const struct b_alias *alias = &b->aliases.items[reg->aliases.first + i];

		if (reached[alias->written])
			continue;
		reached[alias->written] = true;
		finding_in(b, "unreachable", build_text(b, reg->traits.file), reg->line,
			   "%s: the alias %s holds on no platform that has the register",
			   build_text(b, reg->name), build_text(b, alias->c.name));
	}
}

static void check_aliases(struct build *b, const uint32_t *placed)
{
	bool *reached = calloc(b->aliases.count + 1, sizeof(*reached));

	if (!reached) {
		b->failed = true;
		return;
	}
	for (unsigned p = 0; p < b->views.count; p++) {
		const struct b_slice insts = b->views.items[p].insts;

		for (uint32_t i = 0; i < insts.count; i++)
			reach_aliases(b, p, &b->insts.items[insts.first + i], reached);
	}
	for (size_t i = 0; i < b->regs.count; i++)
		if (placed[i])
			check_reg_aliases(b, &b->regs.items[i], reached);
	free(reached);
}

/* ---- keys of drivers' dumps that mean nothing, or two things -------------------------------- */

/* The platforms on which a register has an MMIO address, so that it can be printed. */
static uint64_t placed_on(const struct build *b, const struct b_reg *reg,
			  const struct b_where *where)
{
	uint64_t platforms = 0;

	for (uint32_t i = 0; i < reg->places.count; i++) {
		const struct b_place *place = &b->places.items[reg->places.first + i];

		if (place->c.space == GSC_MMIO && wheres_meet(&place->where, where))
			platforms |= place->where.platforms;
	}
	return platforms & reg->where.platforms;
}

static void check_reach(struct build *b, const struct b_print *print)
{
	const struct b_reg *reg = &b->regs.items[print->c.item];
	uint64_t platforms = print->where.platforms & all_platforms(b);

	if (!print->c.placed)
		platforms &= placed_on(b, reg, &print->where);
	if (!platforms)
		finding_in(b, "unreachable", build_text(b, reg->traits.file), reg->line,
			   "%s: the key %s applies to no platform that has the register "
			   "in MMIO, expected an @ADDRESS or +OFFSET, or an on= that holds",
			   build_text(b, reg->name), build_text(b, print->c.key));
	if (print->c.placed && print->c.offset % 4)
		finding_in(b, "alignment", build_text(b, reg->traits.file), reg->line,
			   "%s: the key %s is read at 0x%x, expected a multiple of 4",
			   build_text(b, reg->name), build_text(b, print->c.key), print->c.offset);
}

/* A key of several engines may belong to a register of each. */
static bool prints_meet(const struct build *b, const struct b_print *one,
			const struct b_print *other, uint64_t *both)
{
	*both = one->where.platforms & other->where.platforms & all_platforms(b);
	if (!wheres_meet(&one->where, &other->where))
		return false;
	if (one->c.placed || other->c.placed || one->c.item == other->c.item)
		return *both;
	while (*both && !instances_meet(b, (unsigned)__builtin_ctzll(*both), one->c.item,
					other->c.item))
		*both &= *both - 1;
	return *both;
}

static void check_print_pair(struct build *b, const struct b_print *print,
			     const struct b_print *before)
{
	const struct b_reg *reg = &b->regs.items[print->c.item];
	const struct b_reg *other = &b->regs.items[before->c.item];
	uint64_t both;

	if (!prints_meet(b, print, before, &both))
		return;
	finding_in(b, "print", build_text(b, reg->traits.file), reg->line,
		   "%s: the key %s is also that of %s (%s:%u), on %s, expected one register",
		   build_text(b, reg->name), build_text(b, print->c.key),
		   build_text(b, other->name), build_text(b, other->traits.file), other->line,
		   first_platform(b, both));
}

static void check_prints(struct build *b)
{
	for (size_t i = 0; i < b->printed.count; i++) {
		const struct b_print *print = &b->printed.items[i];

		check_reach(b, print);
		for (size_t k = i; k-- > 0 && b->printed.items[k].c.key == print->c.key;)
			check_print_pair(b, print, &b->printed.items[k]);
	}
}

/* ---- commands, structures, entries -------------------------------------------------------- */

static int by_match(const void *a, const void *b, void *context)
{
	const struct build *build = context;
	const uint32_t *x = a, *y = b;
	const struct b_command *c = &build->commands.items[*x], *d = &build->commands.items[*y];

	if (c->mask != d->mask)
		return c->mask < d->mask ? -1 : 1;
	if (c->value != d->value)
		return c->value < d->value ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* Commands with the same bits must differ in where they apply. */
static void check_matches(struct build *b)
{
	const struct b_command *commands = b->commands.items;
	uint32_t *order = calloc(b->commands.count + 1, sizeof(*order));

	b->failed |= !order;
	if (!order)
		return;
	for (uint32_t i = 0; i < b->commands.count; i++)
		order[i] = i;
	qsort_r(order, b->commands.count, sizeof(*order), by_match, b);
	for (size_t i = 0; i < b->commands.count; i++)
		for (size_t k = i; k-- > 0 && !findings_full(b);) {
			const struct b_command *c = &commands[order[i]], *d = &commands[order[k]];

			if (c->mask != d->mask || c->value != d->value)
				break;
			if (c->engines & d->engines && wheres_meet(&c->where, &d->where))
				finding_in(b, "command", build_text(b, c->file), c->line,
					   "%s cannot be distinguished from %s (%s:%u) on %s",
					   build_text(b, c->name), build_text(b, d->name),
					   build_text(b, d->file), d->line,
					   first_platform(b, c->where.platforms &
								     d->where.platforms));
		}
	free(order);
}

/* The platforms on which a field lies beyond the longest length of its command. */
static uint64_t too_short(const struct build *b, const struct b_command *c, const struct b_field *f)
{
	const uint32_t dwords = f->dword + f->hi / 32 + 1u;
	uint64_t left = c->where.platforms & f->where.platforms, found = 0;

	if (c->length_kind == LENGTH_FIXED)
		return c->length < dwords ? left : 0;
	for (uint32_t i = 0; i < c->expects.count; i++) {
		const struct b_expect *e = &b->expects.items[c->expects.first + i];

		if (!wheres_meet(&e->where, &f->where))
			continue;
		if (e->hi < dwords)
			found |= e->where.platforms & left;
		left &= ~e->where.platforms | e->where.stepped;
		if (e->where.rev_lo <= f->where.rev_lo && e->where.rev_hi >= f->where.rev_hi)
			left &= ~(e->where.stepped & f->where.stepped);
	}
	return found;
}

static void check_length(struct build *b, const struct item *item, const struct b_command *c)
{
	for (uint32_t i = 0; i < item->fields.count; i++) {
		const struct b_field *f = &b->fields.items[item->fields.first + i];
		uint64_t on = too_short(b, c, f);

		if (on)
			finding_in(b, "length", item->file, item->line,
				   "%s:%s is in dword %u, past the end of the longest form of the "
				   "command on %s",
				   item->name, build_text(b, f->name), f->dword + f->hi / 32u,
				   first_platform(b, on));
	}
}

static void check_commands(struct build *b)
{
	for (size_t i = 0; i < b->commands.count; i++) {
		const struct b_command *c = &b->commands.items[i];
		struct item item = { build_text(b, c->name), build_text(b, c->file), c->line, 0,
				     c->fields };

		check_origin(b, &item, c->origin);
		check_where(b, &item, &c->where);
		check_fields(b, &item);
		check_length(b, &item, c);
		check_repeats(b, &item, c->repeats);
	}
	check_matches(b);
}

static void check_structs(struct build *b)
{
	for (size_t i = 0; i < b->structs.count; i++) {
		const struct b_struct *s = &b->structs.items[i];
		struct item item = { build_text(b, s->name), build_text(b, s->file), s->line,
				     s->bytes * 8, s->fields };

		check_origin(b, &item, s->origin);
		check_where(b, &item, &s->where);
		check_fields(b, &item);
		check_repeats(b, &item, s->repeats);
	}
}

static void check_entries(struct build *b)
{
	for (size_t i = 0; i < b->entries.count; i++) {
		const struct b_entry *e = &b->entries.items[i];
		struct item item = { build_text(b, e->name), build_text(b, e->file), e->line,
				     e->bits, e->fields };

		check_origin(b, &item, e->origin);
		check_where(b, &item, &e->where);
		check_fields(b, &item);
	}
	check_levels(b);
}

static void check_instructions(struct build *b)
{
	for (size_t i = 0; i < b->instructions.count; i++) {
		const struct b_instruction *in = &b->instructions.items[i];
		struct item item = { .name = build_text(b, in->name),
				     .file = build_text(b, in->file), .line = in->line };

		check_origin(b, &item, in->origin);
		check_where(b, &item, &in->where);
		for (size_t k = 0; k < i && !findings_full(b); k++) {
			const struct b_instruction *other = &b->instructions.items[k];

			if (other->opcode == in->opcode && wheres_meet(&in->where, &other->where))
				finding_in(b, "instruction", item.file, item.line,
					   "%s has the opcode of %s (%s:%u) on %s", item.name,
					   build_text(b, other->name), build_text(b, other->file),
					   other->line,
					   first_platform(b, in->where.platforms &
								     other->where.platforms));
		}
	}
}

static void check_ids(struct build *b)
{
	for (size_t i = 1; i < b->ids.count; i++)
		if (b->ids.items[i].device == b->ids.items[i - 1].device)
			finding_in(b, "id", b->files.items[0], 1,
				   "PCI device id 0x%04x is given twice", b->ids.items[i].device);
	for (size_t i = 0; i < b->platforms.count; i++)
		for (size_t k = 0; k < i; k++)
			if (b->platforms.items[i].simulator &&
			    b->platforms.items[i].simulator == b->platforms.items[k].simulator)
				finding_in(b, "id", b->files.items[0], 1,
					   "simulator number %u is given twice",
					   b->platforms.items[i].simulator);
}

void build_check(struct build *b)
{
	uint32_t *placed = calloc(b->regs.count + 1, sizeof(*placed));
	uint32_t *told = calloc(b->regs.count + 1, sizeof(*told));

	if (!placed || !told) {
		b->failed = true;
		goto out;
	}
	for (size_t i = 0; i < b->insts.count; i++)
		placed[b->insts.items[i].reg] = 1;
	for (size_t i = 0; i < b->regs.count; i++)
		check_reg(b, &b->regs.items[i], placed[i]);
	for (unsigned i = 0; i < b->views.count; i++)
		check_collisions(b, i, told);
	check_names(b);
	check_aliases(b, placed);
	check_prints(b);
	check_commands(b);
	check_structs(b);
	check_entries(b);
	check_instructions(b);
	check_ids(b);
	check_properties(b);
	check_address_ranges(b);
out:
	free(placed);
	free(told);
}
