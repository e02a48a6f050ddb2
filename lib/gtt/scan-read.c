/* SPDX-License-Identifier: MIT */
/* Tables as a pass over them sees them: where they are, and which parts are held. */
#include "gtt/scan.h"

#include "source/source.h"

/* ---- what is not mapped, and yet not empty: for pictures ----------------------------------- */

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

/* Bytes [from, to) are not held: their slots are unknown. */
static void blank(struct scan *scan, const struct scan_table *table, size_t from, size_t to)
{
	const struct scan_level *l = table->level;

	scan_blank(scan, BLANK_UNKNOWN, table->va + from / l->stride * l->span,
		   (to / l->stride - from / l->stride) * l->span, scan->why);
}

/* ---- parts of tables ------------------------------------------------------------------------ */

static const char *guest_failure(enum gsc_stop stop)
{
	switch (stop) {
	case GSC_STOP_NO_MEMORY:
		return "no source holds the second-level tables for it";
	case GSC_STOP_RESERVED_BITS:
		return "reserved bits are set in the second-level entry for it";
	case GSC_STOP_NOT_PERMITTED:
		return "the second level does not let it be read";
	case GSC_STOP_BEYOND_TABLE:
		return "it lies past what the second level maps";
	default:
		return "the second level does not map it";
	}
}

bool scan_next_part(const struct scan_level *l, const struct table *held, unsigned *from,
		    unsigned *to)
{
	unsigned slots = (unsigned)(held->bytes / l->stride), i = *to;

	if (!held->in_parts) {
		*from = i;
		*to = slots;
		return i < slots;
	}
	while (i < slots && !(held->parts[i / 8] >> i % 8 & 1))
		i++;
	*from = i;
	while (i < slots && held->parts[i / 8] >> i % 8 & 1)
		i++;
	*to = i;
	return *from < i;
}

static void mark_slots(struct table *held, unsigned entry, unsigned stride, size_t from, size_t end)
{
	for (size_t i = (from + stride - 1) / stride; i * stride + entry <= end; i++)
		held->parts[i / 8] |= (uint8_t)(1u << i % 8);
}

/*
 * The parts of a table that are held, after the bytes at its beginning that have been read; false:
 * none. *gap is where the first hole begins.
 */
static bool find_parts(struct scan *scan, const struct scan_table *table, uint64_t address,
		       size_t bytes, struct table *held, size_t *gap)
{
	unsigned entry = table->level->format->bytes, stride = table->level->stride;
	/* Rows of VT-d text have all that is present: the rest is empty, not missing. */
	bool rows = table->space == GSC_PHYS &&
		    gsc_source_has(scan->t->gpu->source, GSC_SOURCE_VTD_TEXT);
	uint64_t start, length;
	struct table part;
	size_t at = held->bytes / entry * entry, end;
	bool any = at;

	*gap = bytes;
	memset(held->parts, 0, sizeof(held->parts));
	mark_slots(held, entry, stride, 0, at);
	for (; at < bytes && gsc_extent(scan->t->gpu->source, table->space, address + at, &start,
					&length) && start - address < bytes; at = end) {
		size_t from = (size_t)(start - address);

		end = from + (size_t)MIN(length, (uint64_t)(bytes - from));
		from = (from + entry - 1) / entry * entry;
		end = MAX(end / entry * entry, at + entry);
		if (from >= end ||
		    table_get(scan->t->gpu->source, table->space, address + from, end - from,
			      &part))
			continue;
		if (from > at && !rows)
			blank(scan, table, at, from);
		if (from > at)
			*gap = MIN(*gap, at);
		end = from + part.bytes / entry * entry;
		memcpy(held->copy + from, part.data, end - from);
		/* The slots whose entries are entirely in there. */
		mark_slots(held, entry, stride, from, end);
		any |= end > from;
		end = MAX(end, at + entry);
	}
	if (!any)
		return false;
	if (at < bytes && !rows)
		blank(scan, table, at, bytes);
	*gap = rows ? bytes : MIN(*gap, at);
	held->in_parts = true;
	held->data = held->copy;
	held->bytes = bytes;
	return true;
}

bool scan_read(struct scan *scan, const struct scan_table *table, size_t bytes, struct table *held,
	       size_t *gap)
{
	uint64_t address = table->address, length = UINT64_MAX;
	const char *none, *why = NULL;
	enum gsc_read status;

	*gap = 0;
	held->bytes = 0;
	held->in_parts = false;
	scan->unread = false;
	scan->gone = false;
	scan->lacking = false;
	if (table->space == GSC_PHYS && !scan_host(scan, address, &address, &length)) {
		why = guest_failure(scan->guest_stop);
		scan->unread = scan->guest_stop == GSC_STOP_NO_MEMORY;
	} else if (table->space == GSC_PHYS && scan_nested(scan) &&
		   scan->guest_denied & DENIED_READ) {
		why = guest_failure(GSC_STOP_NOT_PERMITTED);
	}
	if (why) {
		scan->why = why;
		if (scan->unread)
			blank(scan, table, 0, bytes);
		return false;
	}
	scan->unread = true;
	status = table_get(scan->t->gpu->source, table->space, address,
			   (size_t)MIN((uint64_t)bytes, length), held);
	held->bytes = MIN(held->bytes, bytes);
	scan->gone = held->ended == GSC_READ_ALL_ONES;
	none = space_failure(scan->t->gpu->source, table->space, held->ended);
	scan->lacking = none;
	scan->why = none ? none : read_failure(held->ended);
	*gap = held->bytes;
	if (!status && held->bytes == bytes)
		return true;
	if (!none) {
		why = scan->why;
		if (!table->piece && held->ended == GSC_READ_ABSENT)
			scan->why = "no source holds all of it";
		/* The holes of a table are known only for sources that do not change. */
		if (length >= bytes && bytes <= TABLE_BYTES &&
		    !gsc_source_live(scan->t->gpu->source) &&
		    find_parts(scan, table, address, bytes, held, gap))
			return true;
		if (!held->bytes || status)
			scan->why = why;
	}
	if (status)
		held->bytes = 0;
	*gap = held->bytes;
	/* Only its first bytes exist, or none. */
	blank(scan, table, held->bytes, bytes);
	return held->bytes;
}
