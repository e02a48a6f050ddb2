/* SPDX-License-Identifier: MIT */
/* Workarounds: which bits of which register drivers write. There are about a thousand of them. */
#include "db/workaround.h"

#include "util/text.h"

void gsc_item_workaround(const struct gsc_db *db, const struct gsc_item *item,
			 struct gsc_workaround *w)
{
	const struct layer *l = def_layer(db, item->def);
	const struct b_workaround *from = LAYER_ITEM(l, B_WORKAROUNDS, struct b_workaround,
						     def_index(item->def));

	*w = (struct gsc_workaround){
		.kind = (enum workaround_kind)from->when,
		.when = workaround_words[from->when],
		.reg = layer_text(l, from->reg),
		.index = from->index == UINT16_MAX ? -1 : from->index,
		.mask = from->mask,
		.value = from->value,
		.engines = from->engines,
		.instance = from->instance,
		.unchecked = from->unchecked,
	};
}

static bool is_called(const struct gsc_db *db, const struct gsc_item *reg, const char *name)
{
	const char *alias = reg->name;

	for (size_t i = 0; alias; alias = gsc_item_alias(db, reg, i++, NULL))
		if (!name_compare(alias, name))
			return true;
	return false;
}

bool gsc_workaround_next(const struct gsc_db *db, const struct gsc_view *view,
			 const struct gsc_item *reg, size_t *i, struct gsc_item *item,
			 struct gsc_workaround *w)
{
	const struct b_workaround *from;
	const struct layer *l;

	/* Most are of other platforms, and need not be looked at. */
	for (size_t at; at = (*i)++, (l = db_layer_of(db, B_WORKAROUNDS, &at));) {
		from = LAYER_ITEM(l, B_WORKAROUNDS, struct b_workaround, at);
		if (!(view ? where_holds(&from->where, view->bit, view->revision)
			   : from->where.platforms & reg->platforms) ||
		    !is_called(db, reg, layer_text(l, from->reg)))
			continue;
		gsc_item_at(db, GSC_WORKAROUND, *i - 1, item);
		gsc_item_workaround(db, item, w);
		return true;
	}
	return false;}

bool workaround_regs(const struct gsc_view *view, const struct gsc_workaround *w, reg_vec *regs)
{
	struct gsc_match matches[32];
	size_t count = gsc_db_find(view->db, w->reg, matches, ARRAY_SIZE(matches));

	regs->count = 0;
	for (size_t m = 0; m < MIN(count, ARRAY_SIZE(matches)); m++)
		for (size_t i = inst_first(view, matches[m].def); i < view->count;
		     i = view->next[i])
			if (inst_matches(view, i, &matches[m]) &&
			    inst_is(view, i, NULL, w->index) && !reg_add(regs, i))
				return false;
	return true;
}

const char *gsc_fields_text(struct gsc_field_iter *it, uint64_t platforms, uint64_t mask,
			    uint64_t value, char *buf, size_t size)
{
	struct text text = text_begin(buf, size);
	struct gsc_field field;
	char one[160];

	while (gsc_field_next(it, &field)) {
		uint64_t bits = field.hi > 63 ? 0 : UINT64_MAX >> (63 - field.hi + field.lo)
						    << field.lo;

		if (!(bits & mask) || !(field.platforms & platforms))
			continue;
		string_set(one, "%s %llu", field.name, LL((value & bits) >> field.lo));
		text_join(&text, ", ", one);
	}
	return buf;
}
