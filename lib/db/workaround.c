/* SPDX-License-Identifier: MIT */
/* Workarounds: which bits of which register drivers write. There are a few hundred of them. */
#include "db/view.h"

#include "util/text.h"

bool gsc_workaround_next(const struct gsc_db *db, const struct gsc_view *view,
			 uint32_t def, size_t *i, struct gsc_item *w)
{
	const struct layer *l;
	struct gsc_item reg;

	if (!gsc_item_by_def(db, GSC_REGISTER, def, &reg))
		return false;
	/* Most are of other platforms, and are not made items. */
	for (size_t at; at = (*i)++, (l = db_layer_of(db, B_WORKAROUNDS, &at));) {
		const struct b_workaround *from = LAYER_ITEM(l, B_WORKAROUNDS,
							     struct b_workaround, at);
		const char *name = reg.name;

		if (!(view ? where_holds(&from->where, view->bit, view->revision)
			   : from->where.platforms & reg.platforms))
			continue;
		for (size_t k = 0; name; name = gsc_item_alias(db, &reg, k++, NULL))
			if (!name_compare(name, layer_text(l, from->reg)))
				return gsc_item_at(db, GSC_WORKAROUND, *i - 1, w);
	}
	return false;
}

const char *gsc_workaround_bits(const struct gsc_db *db, const struct gsc_item *w,
				uint64_t platforms, char *buf, size_t size)
{
	struct gsc_match matches[32];
	bool slot = w->moment == WORKAROUND_WHITELIST;
	size_t count = MIN(gsc_db_find(db, slot ? "RING_FORCE_TO_NONPRIV" : w->reg, matches,
				       ARRAY_SIZE(matches)), ARRAY_SIZE(matches));
	const uint32_t words[] = { (uint32_t)w->value, (uint32_t)(w->value >> 32) };
	struct text text = text_begin(buf, size);
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_item reg;
	unsigned named = 0;

	text_add(&text, "0x%llx = 0x%llx", LL(w->mask), LL(w->value));
	for (size_t i = 0; !named && i < count; i++) {
		if (!(matches[i].platforms & platforms) ||
		    !gsc_item_by_def(db, GSC_REGISTER, matches[i].def, &reg))
			continue;
		gsc_item_fields(db, NULL, &reg, words, ARRAY_SIZE(words), &it);
		while (gsc_field_next(&it, &field)) {
			uint64_t bits = field.hi > 63 ? 0 : bits_below(field.hi + 1) &
							    ~bits_below(field.lo);

			if (!(bits & w->mask) || !(field.platforms & platforms))
				continue;
			text_add(&text, "%s %s ", named++ ? "," : ":", field.name);
			if (slot && field.text)
				text_add(&text, "%s", field.text);
			else
				text_add(&text, "%llu", LL((w->value & bits) >> field.lo));
		}
	}
	return buf;
}
