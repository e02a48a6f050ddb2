/* SPDX-License-Identifier: MIT */
/*
 * Stretches of a map that are not mapped, and yet not empty: null tiles, and what no source holds.
 * For pictures, which show them; they are not mappings, and so not ranges.
 */
#include "gtt/scan.h"

#include <stdlib.h>

#define BLANKS_MAX 1024

static bool more_room(struct blanks *blanks)
{
	size_t room = blanks->room ? 2 * blanks->room : 16;
	struct blank *items;

	if (blanks->room >= BLANKS_MAX)
		return false;
	items = realloc(blanks->items, room * sizeof(*items));
	if (!items)
		return false;
	blanks->items = items;
	blanks->room = room;
	return true;
}

static void blanks_add(struct blanks *blanks, const struct blank *blank)
{
	struct blank *last = blanks->count ? &blanks->items[blanks->count - 1] : NULL;

	if (blank->start >= blank->end)
		return;
	if (last && last->kind == blank->kind && last->end == blank->start &&
	    last->why == blank->why) {
		last->end = blank->end;
		return;
	}
	if (blanks->count == blanks->room && !more_room(blanks)) {
		blanks->left_out++;
		return;
	}
	blanks->items[blanks->count++] = *blank;
}

void blanks_clear(struct blanks *blanks)
{
	free(blanks->items);
	*blanks = (struct blanks){ 0 };
}

/* ---- in a pass ------------------------------------------------------------------------------ */

void scan_blank(struct scan *scan, enum blank_kind kind, uint64_t va, uint64_t length,
		const char *why)
{
	struct blank blank = { MAX(va, scan->window_start), MIN(va + length, scan->window_end),
			       kind, why };

	if (scan->blanks)
		blanks_add(scan->blanks, &blank);
}

void scan_blank_short(struct scan *scan, const struct scan_table *table, size_t held,
		      size_t bytes)
{
	const struct scan_level *l = table->level;

	if (held || scan->unread)
		scan_blank(scan, BLANK_UNKNOWN, table->va + held / l->stride * l->span,
			   (bytes / l->stride - held / l->stride) * l->span, scan->why);
}
