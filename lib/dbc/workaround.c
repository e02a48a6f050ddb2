/* SPDX-License-Identifier: MIT */
/* `workaround`: the bits of a register that a driver sets, why and when; and what can be wrong. */
#include "dbc/build.h"
#include "db/db.h"
#include "util/text.h"

/* NAME, or NAME[INDEX] of an element of an array. */
static bool parse_target(struct build *b, const struct word *word, struct b_workaround *w)
{
	struct word name, index;
	uint64_t number;

	w->index = UINT16_MAX;
	if (word_plain(word) && word_split(word, "[", &name, &index)) {
		if (!index.length || index.text[--index.length] != ']' ||
		    !word_number(&index, &number) || number >= UINT16_MAX) {
			expected(b, word, "an element of an array, as RING_FORCE_TO_NONPRIV[3]");
			return false;
		}
		w->index = (uint16_t)number;
	} else {
		name = *word;
	}
	if (!is_name(&name)) {
		expected(b, word, "a register's name");
		return false;
	}
	w->reg = word_string(b, &name);
	return true;
}

/*
 * workaround NAME[,NAME...] WHEN REGISTER[[INDEX]] mask=N value=N [engine=] [on=] [unchecked]
 * ["only ..."]
 */
void parse_workaround(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = {
		NUMBER_OF("mask", struct b_workaround, mask, 1, UINT64_MAX),
		NUMBER_OF("value", struct b_workaround, value, 0, UINT64_MAX - 1),
		FLAG_OF("unchecked", struct b_workaround, unchecked, 1),
		TEXT_OF(struct b_workaround, text), { 0 },
	};
	const struct word *names = word_at(line, 1), *when = word_at(line, 2);
	struct b_workaround w = { .value = UINT64_MAX, .line = line->number,
				  .origin = scope->origin };
	int which = word_among(when, workaround_words, WORKAROUND_KINDS);
	struct scope own = *scope;

	if (!word_plain(names) || which < 0) {
		expected(b, word_plain(names) ? when : names,
			 "names, and gt, engine, context or whitelist");
		return;
	}
	w.names = word_string(b, names);
	w.when = (uint8_t)which;
	if (!parse_target(b, word_at(line, 3), &w))
		return;
	parse_attributes(b, word_at(line, 4), words, &w, &own,
			 "mask=, value=, engine=, on=, unchecked or an \"only ...\"");
	if (!w.mask || w.value == UINT64_MAX)
		expected(b, word_at(line, line->count), "mask= and value=");
	w.file = file_string(b);
	w.where = own.where;
	w.engines = (uint8_t)own.engines;
	w.instance = own.engine_instance;
	build_add(b, workarounds, w);
}

/* ---- what can be wrong ---------------------------------------------------------------------- */

static void tell(struct build *b, const struct b_workaround *w, const char *rule, const char *what,
		 const char *more)
{
	finding_in(b, rule, build_text(b, w->file), w->line, "%s: %s %s%s",
		   build_text(b, w->names), build_text(b, w->reg), what, more);
}

/*
 * The platforms on which this place is one that the workaround means. A whitelist's engine is the
 * one whose programs may write the register, which may be another's.
 */
static uint64_t placed_on(const struct b_workaround *w, const struct c_place *place,
			  uint64_t platforms)
{
	bool fits = place->space == GSC_MMIO &&
		    (w->when == WORKAROUND_WHITELIST || !w->engines || !place->engines ||
		     w->engines & place->engines) &&
		    (w->index == UINT16_MAX ? !place->count : w->index < place->count);

	return fits ? platforms & w->where.platforms : 0;
}

static void check_bits(struct build *b, const struct b_workaround *w, const struct c_traits *traits)
{
	unsigned bits = traits->access & GSC_MASKED ? 16 : traits->bits;

	if (w->when != WORKAROUND_WHITELIST && bits < 64 && w->mask >> bits)
		tell(b, w, "workaround", "has fewer bits than mask=", "");
}

/* The platforms on which a register of these definitions is what the workaround means. */
static uint64_t found_here(struct build *b, const struct b_workaround *w, const struct b_name *name)
{
	const struct b_reg *reg = &b->regs.items[name->item];
	uint64_t named = reg->where.platforms, found = 0;

	if (name->alias != NONE)
		named &= b->aliases.items[name->alias].where.platforms;
	for (uint32_t i = 0; i < reg->places.count; i++) {
		const struct b_place *place = &b->places.items[reg->places.first + i];

		found |= placed_on(w, &place->c, named & place->where.platforms);
	}
	if (found)
		check_bits(b, w, &reg->traits);
	return found;
}

/* The same of a name of the built-in data, which a file of the user may mean. */
static uint64_t found_there(struct build *b, const struct b_workaround *w, const struct layer *l,
			    const struct c_name *name)
{
	uint32_t items = layer_items(l);
	const struct c_alias *alias = name->of < items ? NULL :
		LAYER_ITEM(l, B_ALIASES, struct c_alias, name->of - items);
	uint32_t item = alias ? alias->item : name->of;
	const struct c_reg *reg = LAYER_ITEM(l, B_REGS, struct c_reg, item);
	uint64_t named, found = 0;

	if (alias ? alias->kind != ITEM_REG : item >= layer_count(l, B_REGS))
		return 0;
	named = layer_where(l, reg->where)->platforms;
	if (alias)
		named &= layer_where(l, alias->where)->platforms;
	for (uint32_t i = 0; i < reg->place_count; i++) {
		const struct c_place *place = LAYER_ITEM(l, B_PLACES, struct c_place,
							 reg->places + i);

		found |= placed_on(w, place, named & layer_where(l, place->where)->platforms);
	}
	if (found)
		check_bits(b, w, reg_traits(l, reg));
	return found;
}

static uint64_t found_in_base(struct build *b, const struct b_workaround *w, const char *reg)
{
	const struct layer *l = db_base(b->base);
	uint64_t found = 0;

	for (uint32_t i = layer_seek(l, B_NAMES, sizeof(struct c_name), reg, name_compare);
	     i < layer_count(l, B_NAMES); i++) {
		const struct c_name *name = LAYER_ITEM(l, B_NAMES, struct c_name, i);

		if (name_compare(layer_text(l, name->name), reg))
			break;
		found |= found_there(b, w, l, name);
	}
	return found;
}

size_t name_seek(const struct build *b, const char *name)
{
	size_t lo = 0, hi = b->names.count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (name_compare(build_text(b, b->names.items[mid].name), name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void check_workaround(struct build *b, const struct b_workaround *w)
{
	const char *reg = build_text(b, w->reg);
	uint64_t left = w->where.platforms & all_platforms(b);
	char list[300];
	struct text text = text_of(list);

	if (w->origin == NONE)
		tell(b, w, "origin", "has no origin, expected an `origin` line before it", "");
	if (!left)
		tell(b, w, "unreachable",
		     "applies to no platform, expected an on= that matches at least one", "");
	if (w->value & ~w->mask)
		tell(b, w, "workaround", "has bits in value= that are not in mask=", "");
	for (size_t i = name_seek(b, reg); i < b->names.count; i++) {
		const struct b_name *name = &b->names.items[i];

		if (name_compare(build_text(b, name->name), reg))
			break;
		if (name->kind == ITEM_REG)
			left &= ~found_here(b, w, name);
	}
	if (left && b->base)
		left &= ~found_in_base(b, w, reg);
	for (unsigned i = 0; left >> i; i++)
		if (left >> i & 1)
			text_join(&text, " ", build_platform_text(b, build_platform(b, i)->name));
	if (left)
		tell(b, w, "workaround", "is no register, or no such element or engine's, on ",
		     list);
}

void check_workarounds(struct build *b)
{
	for (size_t i = 0; i < b->workarounds.count && !findings_full(b); i++)
		check_workaround(b, &b->workarounds.items[i]);
}
