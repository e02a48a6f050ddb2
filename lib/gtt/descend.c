/* SPDX-License-Identifier: MIT */
/*
 * From an address to its page: one loop for the tables of tiles, of the mode and of the second
 * level, with or without the steps of a walk. Without steps each level remembers the memory that it
 * read last, because neighbours are usually next; but nothing from a source that has no bytes in
 * memory here, as those may change.
 */
#include "gtt/gtt.h"

#include "source/source.h"

#include <string.h>

/* ---- bytes at hand ------------------------------------------------------------------------- */

static bool holds(const struct held *s, enum gsc_space space, uint64_t address, unsigned bytes)
{
	return s->data && s->space == space && address >= s->start &&
	       address - s->start < s->bytes && s->bytes - (address - s->start) >= bytes;
}

/* Entries have 4 or 8 bytes, or more of which 8 count; the host is little-endian (db/blob.h). */
static uint64_t load_entry(const struct held *s, uint64_t address, unsigned bytes)
{
	const uint8_t *data = s->data + (address - s->start);
	uint32_t half;
	uint64_t whole;

	if (bytes == 4) {
		memcpy(&half, data, 4);
		return half;
	}
	memcpy(&whole, data, 8);
	return whole;
}

/* The memory around an entry, from the beginning of its page if that is available. */
static bool remember(struct gsc_translation *t, struct held *cache, const struct cursor *cursor,
		     const struct page *place)
{
	uint64_t address = cursor_entry(cursor), back = place->address & 4095;

	for (;; back = 0) {
		size_t span = 0;

		cache->data = gsc_span(t->gpu->source, place->space, place->address - back, &span);
		cache->space = cursor->space;
		cache->start = address - back;
		cache->bytes = MIN((uint64_t)span, place->left + back);
		if (holds(cache, cursor->space, address, cursor->format->bytes))
			return true;
		if (!back)
			return false;
	}
}

/* ---- entries ------------------------------------------------------------------------------- */

/* The first reason is kept: the descents around this one end for the same. */
static enum gsc_stop end(struct gsc_translation *t, const struct walker *walker,
			 struct ending ending)
{
	if (walker->walk && !t->ending.stop)
		t->ending = ending;
	return ending.stop;
}

enum gsc_stop descend_guest(struct gsc_translation *t, const struct walker *walker,
			    struct page *page)
{
	struct page below;
	enum gsc_stop stop;

	if (page->null || page->direct)
		return GSC_STOP_NONE;
	if (t->iommu)
		return end(t, walker, (struct ending){ END_READ, GSC_STOP_IOMMU,
						       .address = page->address });
	if (!t->options.vtd.on)
		return GSC_STOP_NONE;
	stop = descend(t, STAGE_GUEST, page->address, walker, &below);
	if (stop)
		return stop;
	page->address = below.address;
	page->size = MIN(page->size, below.size);
	page->left = MIN(page->left, below.left);
	page->denied |= below.denied;
	return GSC_STOP_NONE;
}

/* The step that will read an entry at `at`. NULL: out of memory. */
static struct gsc_step *add_step(struct gsc_translation *t, const struct walker *walker,
				 const struct cursor *cursor, const struct page *at)
{
	const struct format *f = cursor->format;
	struct gsc_step *step = vec_add(&t->steps);

	if (!step)
		return NULL;
	walker->walk->steps = t->steps.items;
	walker->walk->count = t->steps.count;
	*step = (struct gsc_step){
		.depth = walker->depth,
		.index = cursor->index,
		.space = at->null ? GSC_PHYS : at->space,
		.guest = t->options.vtd.on && !at->direct && !at->null,
		.table = at->null ? 0 : at->address - cursor->index * f->bytes,
		.address = at->address,
		/* The second level has one name for all levels; definitions distinguish them. */
		.entry = { .item = f->item, .mode = f->mode,
			   .level = cursor->stage == STAGE_GUEST ? "vtd-sl" : f->level },
	};
	if (at->null)
		walk_note(walker->walk, "the page of the %s table is a null page, which reads as "
			  "zero", f->level);
	return step;
}

/* An entry that is not directly readable: through the tables that translate its table's address. */
static enum gsc_stop fetch_entry(struct gsc_translation *t, const struct cursor *cursor,
				 const struct walker *walker, uint64_t *raw)
{
	const struct walker below = { walker->walk, walker->depth + 1, DENIED_READ };
	uint32_t words[GSC_ENTRY_WORDS] = { 0 };
	unsigned bytes = cursor->format->bytes;
	struct table table;
	struct page at = {
		.space = cursor->space,
		.address = cursor_entry(cursor),
		.left = UINT64_MAX - TABLE_BYTES,
		.direct = cursor->stage == STAGE_GUEST || cursor->space != GSC_PHYS,
	};
	struct gsc_step *step = NULL;
	bool moving = t->moving;
	enum gsc_stop stop;
	struct page place;

	t->moving = false;
	if (cursor->space == GSC_GTTMEM) {
		if (walker->walk && trtt_holds(&t->options.trtt, at.address))
			walk_note(walker->walk, "the %s table at 0x%llx lies in the tiled space "
				  "itself, where tables may not be", cursor->format->level,
				  LL(cursor->table));
		stop = descend(t, STAGE_TABLES, at.address, &below, &at);
		if (stop)
			return stop;
	}
	place = at;
	stop = descend_guest(t, &below, &place);
	if (stop && stop != GSC_STOP_IOMMU)
		return stop;
	if (walker->walk) {
		step = add_step(t, walker, cursor, &at);
		if (!step)
			return end(t, walker, (struct ending){ END_MEMORY, GSC_STOP_NO_MEMORY });
	}
	if (stop)
		return stop;
	if (!step && !t->moving && !place.null) {
		struct held *cache = &t->cache[cursor->stage][cursor->level];

		t->moving = moving;
		if (remember(t, cache, cursor, &place)) {
			*raw = load_entry(cache, cursor_entry(cursor), cursor->format->bytes);
			return GSC_STOP_NONE;
		}
	}
	t->moving = true;
	/* The words of a null page are zero. */
	if (!place.null) {
		table_get(t->gpu->source, place.space, place.address, bytes, &table);
		if (table.bytes < bytes)
			return end(t, walker, (struct ending){
				END_READ, GSC_STOP_NO_MEMORY, .space = place.space,
				.address = place.address, .read = table.ended });
		memcpy(words, table.data, bytes);
	}
	if (step) {
		entry_fill(&step->entry, cursor->format, words, bytes / 4);
		step->entry.level = cursor->stage == STAGE_GUEST ? "vtd-sl" : step->entry.level;
	}
	*raw = words[0] | (uint64_t)words[1] << 32;
	return GSC_STOP_NONE;
}

/* ---- what an entry leads to ---------------------------------------------------------------- */

/* The table below; definitions may lead in a circle, or nowhere. */
static enum gsc_stop take_table(struct cursor *cursor, uint64_t raw)
{
	const struct format *f = cursor->format;
	const struct format_next *next = format_next(f, raw);

	if (!next || !next->format || ++cursor->level == LEVELS_MAX)
		return GSC_STOP_NOT_PRESENT;
	cursor->table = format_address(f, raw);
	if (cursor->stage != STAGE_TILES)
		cursor->space = f->tables_local ? GSC_LMEM : GSC_PHYS;
	cursor->format = next->format;
	cursor->index = format_index(next->format, cursor->address);
	return GSC_STOP_NONE;
}

/*
 * Continues with an entry. *more is false if that was a page. An entry of the second level must
 * permit what is in `needs`.
 */
static enum gsc_stop take_entry(const struct gsc_translation *t, struct cursor *cursor,
				uint64_t raw, unsigned needs, struct page *page, bool *more)
{
	const struct format *f = cursor->format;
	bool leaf = format_is_page(f, raw);
	enum gsc_stop stop = GSC_STOP_NONE;

	*more = false;
	/* Of tiles, entries of the last table are compared with registers, the others have bits. */
	if (cursor->stage == STAGE_TILES)
		stop = leaf ? trtt_tile(&t->options.trtt, raw) :
		       !format_valid(f, raw) ? GSC_STOP_INVALID_TILE :
		       format_next(f, raw) ? GSC_STOP_NONE : GSC_STOP_NULL_TILE;
	else if (!format_valid(f, raw))
		stop = GSC_STOP_NOT_PRESENT;
	if (stop)
		return stop;
	if (leaf) {
		uint64_t within;

		f = f->page;
		within = (UINT64_C(1) << f->index_lo) - 1;
		page->space = page_space(t, f, raw);
		page->direct = page->space != GSC_PHYS || raw & f->stolen_mask;
		page->size = f->page_size;
		page->within = within;
		page->left = within + 1 - (cursor->address & within);
		page->entry = raw;
		page->format = f;
		page->null = raw & f->null_mask;
		page->address = page->null ? 0 : page_base(t, f, raw) +
						 ((format_address(f, raw) & ~within) |
						  (cursor->address & within));
	}
	if (raw & f->zero_mask || ~raw & f->one_mask)
		return GSC_STOP_RESERVED_BITS;
	if (!leaf || cursor->stage == STAGE_GUEST)
		page->denied |= table_denied(t, f, raw);
	if (cursor->stage == STAGE_GUEST &&
	    (page->denied & needs || (page->denied & DENIED_ALL) == DENIED_ALL))
		return GSC_STOP_NOT_PERMITTED;
	if (leaf)
		return GSC_STOP_NONE;
	stop = take_table(cursor, raw);
	*more = !stop;
	return stop;
}

/* ---- the loop ------------------------------------------------------------------------------ */

/* Entries that are examined to find how far an answer holds. */
#define ROW_MOST 64

/*
 * How many bytes after a page its neighbours extend it in one piece, all with the same permissions.
 */
static uint64_t bytes_behind(const struct gsc_translation *t, const struct cursor *cursor,
			     const struct page *page)
{
	const struct held *cache = &t->cache[cursor->stage][cursor->level];
	const struct format *f = cursor->format, *leaf = page->format;
	uint64_t address = cursor_entry(cursor), size = page->within + 1, i = 1, most;

	if (!holds(cache, cursor->space, address, f->bytes))
		return 0;
	most = MIN(format_table_bytes(f) / f->bytes - cursor->index,
		   (cache->bytes - (address - cache->start)) / f->bytes);
	for (; i < MIN(most, ROW_MOST); i++) {
		uint64_t raw = load_entry(cache, address + i * f->bytes, f->bytes);
		uint64_t next = page->address - (page->address & page->within) + i * size;

		if (raw != page->entry + i * size &&
		    ((raw ^ page->entry) & f->any_mask || !format_is_page(f, raw) ||
		     raw & leaf->zero_mask || ~raw & leaf->one_mask ||
		     format_address(leaf, raw) != next))
			break;
	}
	return (i - 1) * size;
}

enum gsc_stop descend(struct gsc_translation *t, enum stage stage, uint64_t address,
		      const struct walker *walker, struct page *page)
{
	struct cursor cursor;
	enum gsc_stop stop = tables_begin(t, stage, address, &cursor);
	bool more = true;

	page->denied = 0;
	page->left = UINT64_MAX - address;
	if (stop)
		return end(t, walker, (struct ending){ END_BEFORE, stop, cursor });
	while (more) {
		const struct held *cache = &t->cache[stage][cursor.level];
		uint64_t at = cursor_entry(&cursor), raw = 0;

		if (stage == STAGE_GUEST)
			page->left = (UINT64_C(1) << cursor.format->index_lo) -
				     (address & ((UINT64_C(1) << cursor.format->index_lo) - 1));
		if (!walker->walk && holds(cache, cursor.space, at, cursor.format->bytes))
			raw = load_entry(cache, at, cursor.format->bytes);
		else
			stop = fetch_entry(t, &cursor, walker, &raw);
		if (stop)
			return stop;
		stop = take_entry(t, &cursor, raw, walker->needs, page, &more);
		if (stop)
			return end(t, walker, (struct ending){
				END_ENTRY, stop, cursor, .lacks = page->denied & walker->needs });
	}
	if (stage == STAGE_GUEST && !walker->walk)
		page->left += bytes_behind(t, &cursor, page);
	return GSC_STOP_NONE;
}
