/* SPDX-License-Identifier: MIT */
/* What can be wrong with well-formed definitions. */
#include "dbc/build.h"
#include "db/view.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

/* The fields of an item are compared with each other. */
#define FIELDS_MAX 4096

/* What all kinds of definitions have, as far as it is checked. */
struct item {
	struct build *b;
	const char *name, *file;
	uint32_t line, origin;
	unsigned bits;			/* of the whole item, or 0 */
	const struct b_where *where;
	struct b_slice fields;
};

#define ITEM_OF(b, record, bits, fields)                                                           \
	{ b, build_text(b, (record)->name), build_text(b, (record)->file), (record)->line,         \
	  (record)->origin, bits, &(record)->where, fields }

/* A finding about an item, or about one of its fields: their names come before the text. */
static void tell(const struct item *item, const struct b_field *field, const char *rule,
		 const char *text, ...) __attribute__((format(printf, 4, 5)));

static void tell(const struct item *item, const struct b_field *field, const char *rule,
		 const char *text, ...)
{
	char found[300];
	va_list args;

	va_start(args, text);
	vsnprintf(found, sizeof(found), text, args);
	va_end(args);
	finding_in(item->b, rule, item->file, item->line, "%s%s%s %s", item->name,
		   field ? ":" : "", field ? build_text(item->b, field->name) : "", found);
}

static const struct b_field *item_field(const struct item *item, uint32_t i)
{
	return &item->b->fields.items[item->fields.first + i];
}

static const char *first_platform(const struct build *b, uint64_t mask)
{
	mask &= all_platforms(b);
	if (!mask)
		return "no platform";
	return build_platform_text(b, build_platform(b, (unsigned)__builtin_ctzll(mask))->name);
}

/* ---- fields ------------------------------------------------------------------------------- */

static int by_low_value(const void *a, const void *b)
{
	const struct b_value *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void check_values(const struct item *item, const struct b_field *f)
{
	/* For a part: the values of the whole quantity. */
	uint64_t most = f->form.join ? UINT64_MAX : bits_below(f->hi - f->lo + 1u);
	const struct b_value *values = item->b->values.items + f->values.first;
	uint32_t count = f->values.count;
	struct b_value *sorted = count ? calloc(count, sizeof(*sorted)) : NULL;

	for (uint32_t i = 0; i < count; i++)
		if (values[i].hi > most)
			tell(item, f, "enum-width",
			     "has a value %llu, expected at most %llu in %u bits", LL(values[i].hi),
			     LL(most), f->hi - f->lo + 1);
	item->b->failed |= count && !sorted;
	if (!sorted)
		return;
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_low_value);
	for (uint32_t i = 1; i < count; i++)
		if (sorted[i].lo <= sorted[i - 1].hi)
			tell(item, f, "enum-twice",
			     "has two names for the value %llu, expected one", LL(sorted[i].lo));
	free(sorted);
}

/* The fields that a pointer depends on must be in the same item. */
static void check_pointer(const struct item *item, const struct b_field *f)
{
	static const struct b_pointer none;
	const struct b_pointer *p = f->form.pointer
					    ? &item->b->pointers.items[f->form.pointer - 1] : &none;
	const str_t names[] = { p->if_field, p->end_field, p->count.field, p->most.field };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		bool found = !names[i];

		for (uint32_t k = 0; k < item->fields.count && !found; k++)
			found = item_field(item, k)->name == names[i];
		if (!found)
			tell(item, f, "pointer", "refers to %s, expected a field of this item",
			     build_text(item->b, names[i]));
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

static void check_fields(const struct item *item)
{
	struct build *b = item->b;

	if (item->fields.count > FIELDS_MAX) {
		tell(item, NULL, "field-count", "has %u fields, expected at most %u",
		     item->fields.count, FIELDS_MAX);
		return;
	}
	for (uint32_t i = 0; i < item->fields.count; i++) {
		const struct b_field *f = item_field(item, i);
		unsigned type = f->form.type, width = f->hi - f->lo + 1u;

		if (item->bits && f->dword * 32u + f->hi >= item->bits)
			tell(item, f, "field-width", "reaches bit %u, expected less than %u",
			     f->dword * 32u + f->hi, item->bits);
		if (!(f->where.platforms & all_platforms(b)))
			tell(item, f, "unreachable",
			     "applies to no platform that has the register");
		check_values(item, f);
		/* All other types fit any width. */
		if (type == F_FLOAT && width != 32)
			tell(item, f, "type", "is a float of %u bits, expected 32", width);
		if ((type == F_UFIXED || type == F_SFIXED) && f->form.fraction > width)
			tell(item, f, "type", "has %u fraction bits, expected at most its %u",
			     f->form.fraction, width);
		check_pointer(item, f);
		for (uint32_t k = 0; k < i; k++) {
			const struct b_field *g = item_field(item, k);

			if (fields_meet(f, g))
				tell(item, f, "field-overlap", "%u:%u overlaps %s %u:%u on %s",
				     f->hi, f->lo, build_text(b, g->name), g->hi, g->lo,
				     first_platform(b, f->where.platforms & g->where.platforms));
			else if (f->name == g->name && !f->form.flags &&
				 whens_meet(&f->form, &g->form) &&
				 wheres_meet(&f->where, &g->where))
				tell(item, NULL, "field-twice",
				     "has two fields %s, expected different names",
				     build_text(b, f->name));
		}
	}
}

/* What all kinds of definitions have. Groups of fields point by the fields in them. */
static void check_item(const struct item *item, struct b_slice repeats)
{
	if (item->origin == NONE)
		tell(item, NULL, "origin",
		     "has no origin, expected an `origin` line before or in it");
	if (!(item->where->platforms & all_platforms(item->b)))
		tell(item, NULL, "unreachable",
		     "applies to no platform, expected an on= that matches at least one");
	check_fields(item);
	for (uint32_t i = 0; i < repeats.count; i++) {
		struct item group = *item;

		group.fields = item->b->repeats.items[repeats.first + i].fields;
		for (uint32_t k = 0; k < group.fields.count; k++)
			check_pointer(&group, item_field(&group, k));
	}
}

/* ---- registers ---------------------------------------------------------------------------- */

static void check_masked(const struct item *item, const struct b_reg *reg)
{
	if (!(reg->traits.access & GSC_MASKED))
		return;
	if (reg->traits.bits != 32)
		tell(item, NULL, "masked", "is masked and %u bits wide, expected 32",
		     reg->traits.bits);
	for (uint32_t i = 0; i < item->fields.count; i++)
		if (item_field(item, i)->hi >= 16 && item_field(item, i)->lo < 16)
			tell(item, item_field(item, i), "masked",
			     "reaches into the write mask 31:16");
}

static void check_reset(const struct item *item, const struct c_traits *traits)
{
	if (!(traits->flags & GSC_REG_HAS_RESET))
		return;
	if (traits->reset & ~bits_below(traits->bits))
		tell(item, NULL, "reset", "has reset bits above bit %u", traits->bits - 1);
	for (uint32_t i = 0; i < item->fields.count; i++) {
		const struct b_field *f = item_field(item, i);
		uint64_t mask = f->lo > 63 ? 0 : bits_below(f->hi - f->lo + 1u) << f->lo;

		if (f->form.flags & GSC_FIELD_MBZ && traits->reset & mask & traits->reset_mask)
			tell(item, NULL, "reset",
			     "has a nonzero reset value in bits %u:%u, but they must be zero",
			     f->hi, f->lo);
	}
}

/* Addresses that a register occupies: a number of the sideband is one of 32 bits. */
static unsigned place_units(enum gsc_space space, unsigned bits)
{
	return space == GSC_SIDEBAND ? 1 : bits / 8u;
}

static void check_places(const struct item *item, const struct b_reg *reg)
{
	const struct build *b = item->b;
	const unsigned bits = reg->traits.bits, align = MIN(bits / 8u, 4u);
	uint64_t own = reg->where.platforms & all_platforms(b);

	for (uint32_t i = 0; i < reg->places.count; i++) {
		const struct b_place *p = &b->places.items[reg->places.first + i];

		if (own && !(wheres_meet(&p->where, &reg->where) && p->where.platforms & own))
			finding_in(item->b, "unreachable", item->file, item->line,
				   "%s: an `at` line applies to no platform of the register",
				   item->name);
		if (p->c.space == GSC_MMIO && (p->c.offset + reg->element) % align)
			tell(item, NULL, "alignment", "at 0x%x is not aligned to %u bytes",
			     p->c.offset, align);
		if (p->c.count > 1 && p->c.stride < place_units(p->c.space, bits))
			tell(item, NULL, "stride", "is an array of %u-byte elements with stride %u",
			     bits / 8u, p->c.stride);
		if (p->c.space == GSC_SIDEBAND && bits != 32)
			tell(item, NULL, "sideband",
			     "has %u bits, expected the 32 of a sideband register", bits);
	}
}

static void check_reg(struct build *b, const struct b_reg *reg, bool placed)
{
	const struct item item = { b, build_text(b, reg->name), build_text(b, reg->traits.file),
				   reg->line, reg->origin, reg->traits.bits, &reg->where,
				   reg->fields };

	check_item(&item, (struct b_slice){ 0 });
	check_masked(&item, reg);
	check_reset(&item, &reg->traits);
	check_places(&item, reg);
	if (!placed && reg->where.platforms & all_platforms(b))
		tell(&item, NULL, "unreachable",
		     "has no place on any platform (no such engine there?)");
}

/* ---- one platform's registers together ---------------------------------------------------- */

static const struct b_reg *inst_reg(const struct build *b, const struct b_inst *inst)
{
	return &b->regs.items[inst->reg];
}

/* A finding about a register, or about one and another. */
#define REG_FINDING(b, rule, reg, ...)                                                             \
	finding_in(b, rule, build_text(b, (reg)->traits.file), (reg)->line, __VA_ARGS__)
#define REG_NAMED(b, reg) build_text(b, (reg)->name)
#define REG_PLACED(b, reg)                                                                         \
	build_text(b, (reg)->name), build_text(b, (reg)->traits.file), (reg)->line

/*
 * Does a register overlap an earlier one? Each is reported once, on whatever platform. The widest
 * register has 8 bytes: a register that another one overlaps begins shortly before it.
 */
static void check_collisions(struct build *b, unsigned platform, uint32_t *told)
{
	const struct b_slice insts = b->views.items[platform].insts;
	VEC(const struct b_inst *) near = { 0 };	/* from `first` on; no overlays */
	size_t first = 0;

	for (uint32_t i = 0; i < insts.count; i++) {
		const struct b_inst *inst = &b->insts.items[insts.first + i];
		const struct b_reg *reg = inst_reg(b, inst);

		if (reg->traits.flags & REG_OVERLAY)
			continue;
		while (first < near.count && (near.items[first]->space != inst->space ||
					      near.items[first]->offset + 8 <= inst->offset))
			first++;
		for (size_t k = near.count; k-- > first && !told[inst->reg];) {
			const struct b_inst *before = near.items[k];
			const struct b_reg *other = inst_reg(b, before);

			if (before->offset + place_units(inst->space, other->traits.bits) <=
				    inst->offset ||
			    inst->rev_lo > before->rev_hi || before->rev_lo > inst->rev_hi)
				continue;
			told[inst->reg] = 1;
			REG_FINDING(b, "address", reg,
				    "%s at 0x%x overlaps %s (%s:%u) at 0x%x, on %s",
				    REG_NAMED(b, reg), inst->offset, REG_PLACED(b, other),
				    before->offset, first_platform(b, UINT64_C(1) << platform));
		}
		b->failed |= !vec_push(&near, inst);
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
	REG_FINDING(b, "name", one, "the name %s also belongs to %s (%s:%u) on %s",
		    build_text(b, n->name), REG_PLACED(b, other), first_platform(b, both));
}

/* Names with the same spelling, registers' own names first: two aliases may share it. */
static void check_names(struct build *b)
{
	const struct b_name *names = b->names.items;
	uint32_t *order = calloc(b->names.count + 1, sizeof(*order));

	b->failed |= !order;
	for (size_t from = 0, end; order && from < b->names.count; from = end) {
		size_t used = 0, primary;

		for (end = from; end < b->names.count &&
		     !name_compare(build_text(b, names[from].name), build_text(b, names[end].name));
		     end++)
			if (names[end].kind == ITEM_REG && is_primary(b, &names[end]))
				order[used++] = (uint32_t)end;
		primary = used;
		for (size_t i = from; i < end; i++)
			if (names[i].kind == ITEM_REG && !is_primary(b, &names[i]))
				order[used++] = (uint32_t)i;
		for (size_t i = 0; i < used; i++)
			for (size_t k = MIN(i, primary); k-- > 0 && !findings_full(b);)
				check_name_pair(b, &names[MAX(order[i], order[k])],
						&names[MIN(order[i], order[k])]);
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

		if (wheres_meet(&alias->where, &here) && (!alias->c.engines ||
		     (engine && alias->c.engines & 1u << engine->class &&
		      (alias->c.instance < 0 || alias->c.instance == engine->instance))))
			reached[alias->written] = true;
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
	for (size_t i = 0; i < b->regs.count; i++) {
		const struct b_reg *reg = &b->regs.items[i];

		for (uint32_t k = 0; placed[i] && k < reg->aliases.count; k++) {
			const struct b_alias *alias = &b->aliases.items[reg->aliases.first + k];

			if (!reached[alias->written])
				REG_FINDING(b, "unreachable", reg, "%s: the alias %s holds on no "
					    "platform that has the register", REG_NAMED(b, reg),
					    build_text(b, alias->c.name));
			/* Reported once for all registers of a list. */
			reached[alias->written] = true;
		}
	}
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
	const char *key = build_text(b, print->c.key);

	if (!print->c.placed)
		platforms &= placed_on(b, reg, &print->where);
	if (!platforms)
		REG_FINDING(b, "unreachable", reg, "%s: the key %s applies to no platform that has "
			    "the register in MMIO, expected an @ADDRESS or +OFFSET, or an on= that "
			    "holds", REG_NAMED(b, reg), key);
	if (print->c.placed && print->c.offset % 4)
		REG_FINDING(b, "alignment", reg, "%s: the key %s is read at 0x%x, expected a "
			    "multiple of 4", REG_NAMED(b, reg), key, print->c.offset);
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

static void check_prints(struct build *b)
{
	for (size_t i = 0; i < b->printed.count; i++) {
		const struct b_print *print = &b->printed.items[i], *before = print;
		const struct b_reg *reg = &b->regs.items[print->c.item], *other;
		uint64_t both;

		check_reach(b, print);
		while (before-- > b->printed.items && before->c.key == print->c.key) {
			if (!prints_meet(b, print, before, &both))
				continue;
			other = &b->regs.items[before->c.item];
			REG_FINDING(b, "print", reg, "%s: the key %s is also that of %s (%s:%u), "
				    "on %s, expected one register", REG_NAMED(b, reg),
				    build_text(b, print->c.key), REG_PLACED(b, other),
				    first_platform(b, both));
		}
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

static void check_commands(struct build *b)
{
	for (size_t i = 0; i < b->commands.count; i++) {
		const struct b_command *c = &b->commands.items[i];
		const struct item item = ITEM_OF(b, c, 0, c->fields);

		check_item(&item, c->repeats);
		for (uint32_t k = 0; k < item.fields.count; k++) {
			const struct b_field *f = item_field(&item, k);
			uint64_t on = too_short(b, c, f);

			if (on)
				tell(&item, f, "length", "is in dword %u, past the end of the "
				     "longest form of the command on %s", f->dword + f->hi / 32u,
				     first_platform(b, on));
		}
	}
	check_matches(b);
}

static void check_instructions(struct build *b)
{
	for (size_t i = 0; i < b->instructions.count; i++) {
		const struct b_instruction *in = &b->instructions.items[i];
		const struct item item = ITEM_OF(b, in, 0, (struct b_slice){ 0 });

		check_item(&item, item.fields);
		for (size_t k = 0; k < i && !findings_full(b); k++) {
			const struct b_instruction *other = &b->instructions.items[k];

			if (other->opcode == in->opcode && wheres_meet(&in->where, &other->where))
				tell(&item, NULL, "instruction",
				     "has the opcode of %s (%s:%u) on %s",
				     build_text(b, other->name), build_text(b, other->file),
				     other->line, first_platform(b, in->where.platforms &
						       other->where.platforms));
		}
	}
}

/* The engines of a whitelist are those whose programs may write the register. */
static bool is_target(const struct b_workaround *w, const struct gsc_place *place)
{
	return place->space == GSC_MMIO &&
	       (!w->engines || !place->engines || w->engines & place->engines ||
		w->when == WORKAROUND_WHITELIST) &&
	       (w->index == UINT16_MAX ? !place->count : w->index < place->count);
}

static void check_workaround(struct build *b, const struct gsc_db *db, const struct b_workaround *w)
{
	const struct item item = ITEM_OF(b, w, 0, w->fields);
	uint64_t left = w->reg ? w->where.platforms & all_platforms(b) : 0, found;
	const char *name = build_text(b, w->reg);
	struct gsc_match matches[32];
	size_t count = gsc_db_find(db, name, matches, ARRAY_SIZE(matches));
	struct gsc_place place;
	struct gsc_item reg;

	check_item(&item, item.fields);
	if (w->value & ~w->mask)
		tell(&item, NULL, "workaround", "has bits in value= that are not in mask=");
	for (size_t m = 0; m < MIN(count, ARRAY_SIZE(matches)); m++) {
		found = 0;
		gsc_item_by_def(db, GSC_REGISTER, matches[m].def, &reg);
		for (size_t i = 0; gsc_item_place(db, &reg, i, &place); i++)
			if (is_target(w, &place))
				found |= place.platforms & matches[m].platforms;
		left &= ~found;
		if (found & w->where.platforms && w->when != WORKAROUND_WHITELIST &&
		    w->mask & ~bits_below(reg.access & GSC_MASKED ? 16 : reg.bits))
			tell(&item, NULL, "workaround", "%s has fewer bits than mask=", name);
	}
	if (left)
		tell(&item, NULL, "workaround", "%s is no register, or no such element or "
		     "engine's, on %s", name, first_platform(b, left));
}

/* Names are looked up in what would be compiled, and in the built-in data below it. */
static void check_lookups(struct build *b)
{
	struct layer own;
	struct gsc_db db = { .layers = { &own, b->base ? 1 : 0, 1 },
			     .base = b->base ? db_base(b->base) : &own };
	void *blob;
	size_t size;

	if ((!b->workarounds.count && !b->caches.count) || b->failed ||
	    build_blob(b, &blob, &size, NULL))
		return;
	own.header = blob;
	for (size_t i = 0; i < b->workarounds.count && !findings_full(b); i++)
		check_workaround(b, &db, &b->workarounds.items[i]);
	check_cache_names(b, &db);
	free(blob);
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
	for (size_t i = 0; i < b->structs.count; i++) {
		const struct b_struct *one = &b->structs.items[i];
		const struct item item = ITEM_OF(b, one, one->bytes * 8, one->fields);

		check_item(&item, one->repeats);
	}
	for (size_t i = 0; i < b->entries.count; i++) {
		const struct b_entry *e = &b->entries.items[i];
		const struct item item = ITEM_OF(b, e, e->bits, e->fields);

		check_item(&item, (struct b_slice){ 0 });
	}
	check_levels(b);
	check_instructions(b);
	for (size_t i = 0; i < b->topics.count; i++) {
		const struct item item = ITEM_OF(b, &b->topics.items[i], 0, (struct b_slice){ 0 });

		check_item(&item, item.fields);
	}
	check_ids(b);
	check_properties(b);
	check_address_ranges(b);
	for (size_t i = 0; i < b->caches.count && !findings_full(b); i++) {
		const struct b_cache *cache = &b->caches.items[i];
		const struct item item = ITEM_OF(b, cache, 0, (struct b_slice){ 0 });

		check_item(&item, item.fields);
	}
	check_lookups(b);
	check_messages(b);
out:
	free(placed);
	free(told);
}
