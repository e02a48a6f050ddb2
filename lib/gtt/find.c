/* SPDX-License-Identifier: MIT */
/* One address in the course of a pass: with the entry that it ends at. */
#include "gtt/scan.h"

static bool read_raw(struct scan *scan, const struct cursor *cursor, uint64_t *raw)
{
	uint64_t address = cursor_entry(cursor), length;
	unsigned bytes = MIN(cursor->format->bytes, 8u);

	if (cursor->space == GSC_PHYS && (!scan_host(scan, address, &address, &length) ||
					  scan->guest_denied & DENIED_READ))
		return false;
	return !gsc_read(scan->t->source, cursor->space, address, bytes, raw);
}

bool scan_find(struct scan *scan, uint64_t va, struct found *found)
{
	const struct format *f = NULL;
	struct cursor cursor;
	struct page page;
	bool more = true;

	found->denied = 0;
	if (tables_begin(scan->t, va, &cursor))
		return false;
	while (more) {
		f = cursor.format;
		if (!read_raw(scan, &cursor, &found->entry) ||
		    cursor_take(scan->t, &cursor, found->entry, &page, &more))
			return false;
		if (more)
			found->denied |= scan_denied(scan, f, found->entry);
	}
	found->level = scan_level(scan, format_page(f));
	found->space = page.space;
	found->address = page.address;
	found->left = page.left;
	found->null = page.null;
	return found->level;
}
