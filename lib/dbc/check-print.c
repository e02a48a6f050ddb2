/* SPDX-License-Identifier: MIT */
/*
 * What can be wrong with keys of drivers' dumps: a key that belongs to nothing, or to two
 * registers.
 */
#include "dbc/build.h"
#include "gpuscope.h"

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

static void check_pair(struct build *b, const struct b_print *print, const struct b_print *before)
{
	const struct b_reg *reg = &b->regs.items[print->c.item];
	const struct b_reg *other = &b->regs.items[before->c.item];
	const struct b_platform *platform;
	uint64_t both;

	if (!prints_meet(b, print, before, &both))
		return;
	platform = build_platform(b, (unsigned)__builtin_ctzll(both));
	finding_in(b, "print", build_text(b, reg->traits.file), reg->line,
		   "%s: the key %s is also that of %s (%s:%u), on %s, expected one register",
		   build_text(b, reg->name), build_text(b, print->c.key),
		   build_text(b, other->name), build_text(b, other->traits.file), other->line,
		   build_platform_text(b, platform->name));
}

void check_prints(struct build *b)
{
	for (size_t i = 0; i < b->printed.count; i++) {
		const struct b_print *print = &b->printed.items[i];

		check_reach(b, print);
		for (size_t k = i; k-- > 0 && b->printed.items[k].c.key == print->c.key;)
			check_pair(b, print, &b->printed.items[k]);
	}
}
