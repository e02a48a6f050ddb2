/* SPDX-License-Identifier: MIT */
/* `workaround`: the bits of a register that a driver sets, why and when; and what can be wrong. */
#include "dbc/build.h"
#include "db/view.h"
#include "util/text.h"

/* NAME, or NAME[INDEX] of an element of an array. */
static bool parse_target(struct build *b, const struct word *word, struct b_workaround *w)
{
	struct word name, index = { 0 };
	bool element = word_split(word, "[", &name, &index);
	uint64_t number = UINT16_MAX;

	if (!element)
		name = *word;
	if (element && (!index.length || index.text[--index.length] != ']' ||
			!word_number(&index, &number) || number >= UINT16_MAX)) {
		expected(b, word, "an element of an array, as FENCE[3]");
		return false;
	}
	if (!is_name(&name)) {
		expected(b, word, "a register's name");
		return false;
	}
	w->reg = word_string(b, &name);
	w->index = (uint16_t)number;
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
		TEXT_OF(struct b_workaround, only), { 0 },
	};
	const struct word *names = word_at(line, 1), *when = word_at(line, 2);
	struct b_workaround w = { .value = UINT64_MAX, .line = line->number,
				  .origin = scope->origin,
				  .names.first = (uint32_t)b->workaround_names.count };
	int which = word_among(when, workaround_words, WORKAROUND_KINDS);
	struct scope own = *scope;

	if (!word_plain(names) || which < 0) {
		expected(b, word_plain(names) ? when : names,
			 "names, and gt, engine, context or whitelist");
		return;
	}
	w.when = (uint8_t)which;
	if (!parse_target(b, word_at(line, 3), &w))
		return;
	parse_attributes(b, word_at(line, 4), words, &w, &own,
			 "mask=, value=, engine=, on=, unchecked or an \"only ...\"");
	if (!w.mask || w.value == UINT64_MAX)
		expected(b, word_at(line, line->count), "mask= and value=");
	for (struct word part = { 0 }; word_part(names, ',', &part);)
		w.names.count += build_add(b, workaround_names,
					   (struct b_workaround_name){ word_string(b, &part) });
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
		   build_text(b, b->workaround_names.items[w->names.first].name),
		   build_text(b, w->reg), what, more);
}

/* The platforms on which one definition with the name has such a register. */
static uint64_t placed_on(struct build *b, const struct gsc_db *db, const struct b_workaround *w,
			  const struct gsc_match *match)
{
	struct gsc_place place;
	struct gsc_item item;
	uint64_t found = 0;
	unsigned bits;

	if (!gsc_item_by_def(db, GSC_REGISTER, match->def, &item))
		return 0;
	for (size_t i = 0; gsc_item_place(db, &item, i, &place); i++)
		/* The engines of a whitelist are those whose programs may write the register. */
		if (place.space == GSC_MMIO &&
		    (!w->engines || !place.engines || w->engines & place.engines ||
		     w->when == WORKAROUND_WHITELIST) &&
		    (w->index == UINT16_MAX ? !place.count : w->index < place.count))
			found |= place.platforms & match->platforms & w->where.platforms;
	bits = item.access & GSC_MASKED ? 16 : item.bits;
	if (found && w->when != WORKAROUND_WHITELIST && bits < 64 && w->mask >> bits)
		tell(b, w, "workaround", "has fewer bits than mask=", "");
	return found;
}

static void check_workaround(struct build *b, const struct gsc_db *db, const struct b_workaround *w)
{
	uint64_t left = w->where.platforms & all_platforms(b);
	struct gsc_match matches[32];
	size_t count = gsc_db_find(db, build_text(b, w->reg), matches, ARRAY_SIZE(matches));
	char list[300];
	struct text text = text_of(list);

	if (w->origin == NONE)
		tell(b, w, "origin", "has no origin, expected an `origin` line before it", "");
	if (!left)
		tell(b, w, "unreachable",
		     "applies to no platform, expected an on= that matches at least one", "");
	if (w->value & ~w->mask)
		tell(b, w, "workaround", "has bits in value= that are not in mask=", "");
	for (size_t i = 0; i < MIN(count, ARRAY_SIZE(matches)); i++)
		left &= ~placed_on(b, db, w, &matches[i]);
	for (unsigned i = 0; left && i < build_platform_count(b); i++)
		if (left >> i & 1)
			text_join(&text, " ", build_platform_text(b, build_platform(b, i)->name));
	if (left)
		tell(b, w, "workaround", "is no register, or no such element or engine's, on ",
		     list);
}

/* Names are looked up in what would be compiled, and in the built-in data below it. */
void check_workarounds(struct build *b)
{
	struct gsc_error err;
	struct layer own;
	void *blob;
	size_t size;

	if (!b->workarounds.count || b->failed || build_blob(b, &blob, &size, &err))
		return;
	own.header = blob;
	for (size_t i = 0; i < b->workarounds.count && !findings_full(b); i++)
		check_workaround(b, &(struct gsc_db){ .layers = { &own, b->base ? 1 : 0, 1 },
						      .base = b->base ? db_base(b->base) : &own },
				 &b->workarounds.items[i]);
	free(blob);
}
