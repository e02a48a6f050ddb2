/* SPDX-License-Identifier: MIT */
/* Where a platform's registers sleep, and where they are replicated: ranges of BAR0. */
#include "db/db.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Sorted. */
static bool find(span_vec *out, const struct gsc_db *db, unsigned platform, uint8_t revision,
		 enum range_use use)
{
	const struct layer *l = db->base;
	const struct b_range *range = layer_section(l, B_RANGES);
	const struct b_range *end = range + layer_count(l, B_RANGES);

	for (; range < end; range++) {
		struct span *slot;

		if (range->use != use ||
		    !where_holds(&range->where, UINT64_C(1) << platform, revision))
			continue;
		slot = vec_add(out);
		if (!slot)
			return false;
		*slot = (struct span){ range->start, range->last, layer_text(l, range->wake) };
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare);
	return true;
}

bool sleeping_find(span_vec *out, const struct gsc_db *db, unsigned platform, uint8_t revision)
{
	return find(out, db, platform, revision, RANGE_SLEEPS);
}

const char *sleeping_at(const span_vec *sleeping, uint64_t address)
{
	const struct span *span = span_from(sleeping, address);

	return span && span->start <= address ? span->text : NULL;
}

/* The tables of several drivers may overlap: they are merged. */
bool steered_find(span_vec *out, const struct gsc_db *db, unsigned platform, uint8_t revision)
{
	size_t count = 0;

	if (!find(out, db, platform, revision, RANGE_STEERED))
		return false;
	for (size_t i = 0; i < out->count; i++) {
		struct span *span = &out->items[i];

		if (count && span->start <= out->items[count - 1].last)
			out->items[count - 1].last = MAX(out->items[count - 1].last, span->last);
		else
			out->items[count++] = *span;
	}
	out->count = count;
	return true;
}
