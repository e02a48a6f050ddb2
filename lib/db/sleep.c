/* SPDX-License-Identifier: MIT */
/* Where a platform's registers sleep: ranges of BAR0 with the forcewake domains they need. */
#include "db/db.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const struct sleeping *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

bool sleeping_find(sleeping_vec *out, const struct gsc_db *db, unsigned platform)
{
	const struct layer *l = db->base;

	for (uint32_t i = 0; i < layer_count(l, B_RANGES); i++) {
		const struct b_range *range = LAYER_ITEM(l, B_RANGES, struct b_range, i);
		struct sleeping *slot;

		if (!range->wake || !(range->where.platforms >> platform & 1))
			continue;
		slot = vec_add(out);
		if (!slot)
			return false;
		*slot = (struct sleeping){ range->start, range->last, layer_text(l, range->wake) };
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare);
	return true;
}

const struct sleeping *sleeping_at(const sleeping_vec *ranges, uint64_t address)
{
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].last < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ranges->count && ranges->items[low].start <= address ? &ranges->items[low]
									  : NULL;
}

bool domains_have(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (list) {
		if (!strncmp(list, name, length) && (list[length] == ',' || !list[length]))
			return true;
		list = strchr(list, ',');
		list += list != NULL;
	}
	return false;
}
