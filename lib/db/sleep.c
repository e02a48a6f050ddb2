/* SPDX-License-Identifier: MIT */
/* Where a platform's registers sleep: ranges of BAR0 with the forcewake domains they need. */
#include "db/db.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

bool sleeping_find(span_vec *out, const struct gsc_db *db, unsigned platform, uint8_t revision)
{
	const struct layer *l = db->base;
	const struct b_range *range = layer_section(l, B_RANGES);
	const struct b_range *end = range + layer_count(l, B_RANGES);

	for (; range < end; range++) {
		struct span *slot;

		if (!range->wake || !where_holds(&range->where, UINT64_C(1) << platform, revision))
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

const char *sleeping_at(const span_vec *sleeping, uint64_t address)
{
	const struct span *span = span_from(sleeping, address);

	return span && span->start <= address ? span->text : NULL;
}
