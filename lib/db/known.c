/* SPDX-License-Identifier: MIT */
/* Known problems of the definitions, and versions. */
#include "db/known.h"

#include "db/view.h"
#include "util/text.h"

bool gsc_known_next(const struct gsc_db *db, size_t *at, struct gsc_known *known)
{
	size_t i = (*at)++;
	const struct layer *l = db_layer_of(db, B_KNOWNS, &i);
	const struct b_known *k;

	if (!l)
		return false;
	k = LAYER_ITEM(l, B_KNOWNS, struct b_known, i);
	*known = (struct gsc_known){
		.item = { .name = layer_text(l, k->name), .doc = layer_text(l, k->title),
			  .platforms = k->where.platforms, .revisions = where_stepped(&k->where) },
	};
	for (unsigned part = 0; part < KNOWN_PARTS; part++)
		known->is[part] = layer_text_or_null(l, k->is[part]);
	layer_origin(l, k->origin, &known->item.document, &known->item.section);
	return true;
}

const char *gsc_known_word(enum known_part part)
{
	return known_words[part];
}

/* ---- versions ------------------------------------------------------------------------------- */

#define NUMBERS 4

struct version { unsigned count, number[NUMBERS]; };

/* Two dots do not continue it: they are the middle of a range. False: it takes nothing. */
static bool take_version(struct slice *s, struct version *v)
{
	struct slice rest = *s;

	*v = (struct version){ 0 };
	do {
		uint64_t number = 0;

		if (v->count == NUMBERS || rest.at == rest.end || !is_digit(*rest.at)) {
			v->count = 0;
			return false;
		}
		for (; rest.at < rest.end && is_digit(*rest.at); rest.at++)
			number = MIN(number * 10 + digit_value(*rest.at), UINT32_MAX - 1u);
		v->number[v->count++] = (unsigned)number;
	} while (!slice_begins(rest, "..") && take_text(&rest, "."));
	*s = rest;
	return true;
}

/* Numbers that a version lacks are 0, or any; those that a limit lacks do not count, or are 0. */
static int compare(const struct version *v, unsigned missing, const struct version *limit,
		   unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned a = i < v->count ? v->number[i] : missing;
		unsigned b = i < limit->count ? limit->number[i] : 0;

		if (a != b)
			return a < b ? -1 : 1;
	}
	return 0;
}

int version_listed(const char *list, const char *version)
{
	struct slice rest = slice_string(list), text = slice_string(version ? version : "");
	struct version v, from, to;
	bool known = take_version(&text, &v), listed = false;

	do {
		bool below = take_text(&rest, "<"), from_given = take_version(&rest, &from);
		bool range = !below && take_text(&rest, "..");

		to = from;
		if (range ? !take_version(&rest, &to) && !from_given : !from_given)
			return -1;
		if (below)
			from.count = 0;
		listed |= known && (!from.count || compare(&v, 0, &from, NUMBERS) >= 0) &&
			  (!to.count ||
			   (below ? compare(&v, UINT32_MAX, &to, NUMBERS) < 0
				  : compare(&v, UINT32_MAX, &to, to.count) <= 0));
	} while (take_text(&rest, ","));
	return rest.at < rest.end ? -1 : listed;
}
