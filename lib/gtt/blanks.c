/* SPDX-License-Identifier: MIT */
/*
 * Stretches of a map that are not mapped, and yet not empty: null tiles, and what no source holds.
 * For pictures, which show them; they are not mappings, and so not ranges.
 */
#include "gtt/scan.h"

#define BLANKS_MAX 1024

void scan_blank(struct scan *scan, enum blank_kind kind, uint64_t va, uint64_t length,
		const char *why)
{
	struct blank blank = { MAX(va, scan->window_start), MIN(va + length, scan->window_end),
			       kind, why };
	struct blanks *blanks = scan->blanks;
	struct blank *last, *added;

	if (!blanks || blank.start >= blank.end)
		return;
	last = blanks->count ? &blanks->items[blanks->count - 1] : NULL;
	if (last && last->kind == kind && last->end == blank.start && last->why == why) {
		last->end = blank.end;
		return;
	}
	added = blanks->count < BLANKS_MAX ? vec_add(blanks) : NULL;
	if (added)
		*added = blank;
	else
		blanks->left_out++;
}

void scan_blank_short(struct scan *scan, const struct scan_table *table, size_t held, size_t bytes)
{
	const struct scan_level *l = table->level;

	if (held || scan->unread)
		scan_blank(scan, BLANK_UNKNOWN, table->va + held / l->stride * l->span,
			   (bytes / l->stride - held / l->stride) * l->span, scan->why);
}
