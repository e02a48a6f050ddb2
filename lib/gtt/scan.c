/* SPDX-License-Identifier: MIT */
/* The pass itself: tables from the root down, each once for every level where it is met. */
#include "gtt/scan.h"

#include "source/source.h"

#include <stdio.h>

/* ---- tables already met, by address, level and what the entries above them take away --------- */

#define SLOTS_LEAST 4096

/* Its slot, or the free one where it would go; one is always free. */
static uint32_t *probe(const struct memo *memo, const struct node *key)
{
	uint64_t mixed = (key->address >> 8 ^ (uint64_t)key->level << 56 ^
			  (uint64_t)key->denied << 61 ^ (uint64_t)key->local << 55) *
			 UINT64_C(0x9e3779b97f4a7c15);

	for (size_t i = (size_t)(mixed >> 20);; i++) {
		uint32_t *slot = &memo->slot[i & (memo->slots - 1)];
		const struct node *node = &memo->nodes.items[*slot - 1];

		if (!*slot || (node->address == key->address && node->level == key->level &&
			       node->denied == key->denied && node->local == key->local))
			return slot;
	}
}

/* At most three quarters of the slots are taken. */
static bool memo_add(struct memo *memo, const struct node *node)
{
	struct node *added;
	uint32_t *place;

	if (memo->nodes.count == UINT32_MAX - 1)
		return false;
	if (memo->nodes.count >= memo->slots / 4 * 3) {
		free(memo->slot);
		memo->slots = memo->slots ? memo->slots * 2 : SLOTS_LEAST;
		memo->slot = calloc(memo->slots, sizeof(*memo->slot));
		if (!memo->slot) {
			memo->slots = 0;
			return false;
		}
		for (size_t i = 0; i < memo->nodes.count; i++)
			*probe(memo, &memo->nodes.items[i]) = (uint32_t)i + 1;
	}
	place = probe(memo, node);
	added = *place ? &memo->nodes.items[*place - 1] : vec_add(&memo->nodes);
	if (!added)
		return false;
	*added = *node;
	if (!*place)
		*place = (uint32_t)memo->nodes.count;
	return true;
}

/* ---- levels ------------------------------------------------------------------------------- */

const struct scan_level *scan_level(struct scan *scan, const struct format *f)
{
	struct scan_level *l;

	if (!f)
		return NULL;
	for (unsigned i = 0; i < scan->level_count; i++)
		if (scan->levels[i].format == f)
			return &scan->levels[i];
	if (scan->level_count == SCAN_LEVELS || f->every * f->bytes > TABLE_BYTES)
		return NULL;
	l = &scan->levels[scan->level_count];
	*l = (struct scan_level){
		.format = f,
		.id = scan->level_count++,
		.span = UINT64_C(1) << f->index_lo,
		.stride = f->every * f->bytes,
		.check_mask = f->valid_mask | f->zero_mask | f->one_mask,
		.check_value = f->valid_value | f->one_mask,
		.attributes = (f->flags_mask | f->any_mask) & ~f->address_mask,
		.direct = f->bytes == 8 && f->every == 1 && f->parts == 1 && !f->part[0].shift,
	};
	/* In a directory of Gen6 and Gen7 half of the entries are past the end of the space. */
	l->slots = (unsigned)MIN(UINT64_C(2) << (f->index_hi - f->index_lo),
				 (uint64_t)TABLE_BYTES / l->stride);
	l->slots = (unsigned)MIN(l->slots, scan->t->limit >> f->index_lo);
	if (!root_execute_counts(&scan->t->options.root))
		l->attributes &= ~f->no_execute_mask;
	return l;
}

/* ---- reading tables ----------------------------------------------------------------------- */

bool scan_host(struct scan *scan, uint64_t guest, uint64_t *host, uint64_t *length)
{
	static const struct walker silent;
	struct page page;

	if (!scan_nested(scan)) {
		*host = guest;
		*length = UINT64_MAX - guest;
		return true;
	}
	if (guest - scan->guest_start >= scan->guest_length) {
		scan->guest_stop = descend(scan->t, STAGE_GUEST, guest, &silent, &page);
		scan->guest_length = scan->guest_stop ? 0 : page.left;
		*length = page.left;
		if (scan->guest_stop)
			return false;
		scan->guest_denied = page.denied & DENIED_ALL;
		scan->guest_start = guest;
		scan->guest_host = page.address;
	}
	*host = scan->guest_host + (guest - scan->guest_start);
	*length = scan->guest_length - (guest - scan->guest_start);
	return true;
}

uint64_t scan_guest_page(struct scan *scan, uint64_t guest)
{
	static const struct walker silent;
	struct page page;

	return descend(scan->t, STAGE_GUEST, guest, &silent, &page) ? 4096 : page.size;
}

/* ---- what is counted ---------------------------------------------------------------------- */

void scan_table_text(const struct scan *scan, const struct scan_table *table, uint64_t va,
		     char *buf, size_t size)
{
	const struct format *f = table->level->format;

	if (table->piece)
		snprintf(buf, size, "%s table for 0x%llx", gsc_mode_name(f->mode), LL(va));
	else
		snprintf(buf, size, "%s table at %s0x%llx, for 0x%llx", f->level,
			 table->graphics ? "gpu:" :
			 table->space == GSC_LMEM ? "lmem:" :
			 table->space == GSC_GGTT ? "ggtt:" :
			 scan_nested(scan) ? "guest:" : "", LL(table->address), LL(va));
}

static bool count_missing(struct scan *scan, const struct scan_table *table, uint64_t va)
{
	struct gsc_map_holes *holes = &scan->holes;

	if (scan->again)
		return true;
	holes->lacking |= scan->lacking;
	if (!holes->missing++) {
		holes->first_missing = va;
		scan_table_text(scan, table, va, holes->first_table, sizeof(holes->first_table));
		snprintf(holes->first_why, sizeof(holes->first_why), "%s", scan->why);
	}
	return !scan->visitor->missing || scan->visitor->missing(scan, table);
}

static bool count_loop(struct scan *scan, const struct scan_table *table)
{
	if (scan->again)
		return true;
	scan->holes.loops++;
	return !scan->visitor->loop || scan->visitor->loop(scan, table);
}

static bool count_reserved(struct scan *scan, const struct scan_entry *entry)
{
	if (scan->again)
		return true;
	scan->holes.reserved += entry->count;
	return !scan->visitor->reserved || scan->visitor->reserved(scan, entry);
}

/* ---- summaries ---------------------------------------------------------------------------- */

void summary_add(struct summary *sum, const struct summary *more, uint64_t times)
{
	if (!more->pages)
		return;
	if (!sum->pages) {
		sum->entry = more->entry;
		sum->leaf = more->leaf;
		sum->denied = more->denied;
		sum->uniform = more->uniform;
	}
	sum->uniform &= more->uniform && sum->leaf == more->leaf && sum->denied == more->denied &&
			leaf_target(sum->leaf, sum->entry) ==
				leaf_target(more->leaf, more->entry) &&
			!((sum->entry ^ more->entry) & sum->leaf->attributes);
	sum->sizes |= more->sizes || sum->leaf != more->leaf;
	sum->pages += more->pages * times;
	sum->covered += more->covered * times;
}

static uint64_t table_size(const struct scan_table *table)
{
	return table->level->slots * table->level->span;
}

/* ---- pages -------------------------------------------------------------------------------- */

static unsigned count_valid(const struct chunk *chunk)
{
	unsigned count = 0;

	for (unsigned word = 0; word * 64 < chunk->count; word++) {
		uint64_t valid = chunk->bits.valid[word];

		count += valid == UINT64_MAX ? 64 : (unsigned)__builtin_popcountll(valid);
	}
	return count;
}

/* Second level: a page for which all levels together permit nothing is not mapped. */
static void drop_denied(const struct scan *scan, struct chunk *chunk)
{
	const struct scan_level *l = chunk->level;
	struct bits *b = &chunk->bits;
	uint64_t all = 0;

	for (unsigned i = 0; i < chunk->count; i++) {
		uint64_t raw = entry_load(l, chunk->data + (size_t)i * l->stride);
		uint64_t bit = UINT64_C(1) << i % 64;
		unsigned denied = chunk->denied | table_denied(scan->t, l->format, raw);
		bool none = (denied & DENIED_ALL) == DENIED_ALL;

		/* The next one has no neighbour any more. */
		if (all || none) {
			b->same[i / 64] &= ~bit;
			b->equal[i / 64] &= ~bit;
			b->linear[i / 64] &= ~bit;
		}
		if (none)
			b->valid[i / 64] &= ~bit;
		all = none;
	}
}

/* Pages of graphics stolen memory are another memory: no run crosses its ends. */
static void break_at_stolen(const struct scan *scan, struct chunk *chunk)
{
	const struct scan_level *l = chunk->level;
	struct bits *b = &chunk->bits;
	bool before = false;

	for (unsigned i = 0; i < chunk->count; i++) {
		uint64_t raw = entry_load(l, chunk->data + i * l->stride);
		uint64_t bit = UINT64_C(1) << i % 64;
		bool here = raw & l->format->stolen_mask ||
			    leaf_target(l, raw) - scan->stolen_start < scan->stolen_length;

		if (i && here != before) {
			b->same[i / 64] &= ~bit;
			b->equal[i / 64] &= ~bit;
			b->linear[i / 64] &= ~bit;
		}
		before = here;
	}
}

/* Entries [from, from + count) of a table, which are pages if they are valid. */
static bool scan_chunk(struct scan *scan, const struct scan_table *table,
		       const struct scan_level *level, const uint8_t *data, unsigned from,
		       unsigned count, struct summary *sum)
{
	size_t offset = (size_t)from * table->level->stride;
	struct chunk chunk = {
		.level = level,
		.data = data + offset,
		.count = count,
		.space = table->space,
		.address = table->address + offset,
		.va = table->va + from * table->level->span,
		.denied = table->denied,
		.compare = scan->compare,
		.ahead = scan->ahead,
		.mixed = scan->mixed,
	};
	unsigned present = bits_of_chunk(&chunk), valid = count_valid(&chunk), first;
	struct summary here;

	scan->ahead = NULL;
	scan->mixed = chunk.mixed;
	for (unsigned i = 0; present != valid && i < count; i++) {
		struct scan_entry entry = chunk_entry(&chunk, i);

		if (!bits_test(chunk.bits.valid, i) && format_valid(level->format, entry.raw) &&
		    !count_reserved(scan, &entry))
			return false;
	}
	if (chunk.denied & DENIED_ALL && level->format->any_mask) {
		drop_denied(scan, &chunk);
		valid = count_valid(&chunk);
	}
	if (!valid)
		return true;
	if (scan->stolen_length)
		break_at_stolen(scan, &chunk);
	chunk.pages = valid;
	if (!(scan->visitor->chunk ? scan->visitor->chunk : runs_of_chunk)(scan, &chunk))
		return false;
	first = bits_next_set(chunk.bits.valid, 0, count);
	here = (struct summary){
		.pages = chunk.pages,
		.covered = valid * level->span,
		.leaf = level,
		.denied = chunk.denied,
		.uniform = valid == count && bits_next_clear(chunk.bits.equal, 1, count) == count,
	};
	if (first == count)
		return true;
	here.entry = chunk_entry(&chunk, first).raw;
	summary_add(sum, &here, 1);
	return true;
}

/* ---- entries that lead to tables ---------------------------------------------------------- */

bool scan_alike(struct scan *scan, uint64_t va, uint64_t count, uint64_t size, uint64_t of,
		const struct summary *sum, bool *traverse)
{
	const struct scan_visitor *visitor = scan->visitor;
	struct summary all = *sum;

	*traverse = false;
	if (!count || !sum->pages)
		return true;
	if (sum->uniform && sum->covered == size)
		return (visitor->constant ? visitor->constant : runs_constant)(scan, va,
									       count * size, sum);
	*traverse = scan->expand;
	if (scan->expand || !visitor->repeat)
		return true;
	all.pages *= count;
	return visitor->repeat(scan, va, count * size, of, &all);
}

/* The rest of a sequence of equal entries, whose first one has been processed. */
static bool scan_others(struct scan *scan, struct scan_table *below, unsigned count,
			const struct summary *sum)
{
	uint64_t size = table_size(below), first = below->va;
	bool again = scan->again, traverse, more;
	struct summary ignored;

	if (count > 1 && sum->unread)
		scan_blank(scan, BLANK_UNKNOWN, first + size, (count - 1) * size, sum->unread);
	more = scan_alike(scan, first + size, count - 1, size, first, sum, &traverse);
	scan->again |= traverse;
	for (unsigned i = 1; traverse && i < count && more; i++) {
		below->va = first + i * size;
		more = scan_below(scan, below, &ignored);
	}
	scan->again = again;
	return more;
}

static bool scan_entry(struct scan *scan, const struct scan_table *table,
		       const struct scan_entry *entry, struct summary *sum)
{
	const struct format *f = table->level->format;
	const struct format_next *next = format_next(f, entry->raw);
	struct scan_table below = {
		.level = scan_level(scan, next ? next->format : NULL),
		.space = f->tables_local ? GSC_LMEM : GSC_PHYS,
		.address = entry->table,
		.va = entry->va,
		.denied = table->denied | table_denied(scan->t, f, entry->raw),
		.depth = table->depth + 1,
		.groups = UINT32_MAX,
		.tiled = table->tiled,
		.graphics = table->tiled && !scan->t->options.trtt.physical,
	};
	struct summary here;

	if (table->tiled && !next)
		scan_blank(scan, BLANK_NULL_TILE, entry->va, entry->count * table->level->span,
			   NULL);
	if (!below.level || (below.denied & DENIED_ALL) == DENIED_ALL)
		return true;
	/* Only in a user's definitions: a level that is not below. */
	if (below.level->format->index_hi >= f->index_lo || below.depth >= SCAN_DEPTH)
		return count_loop(scan, &below);
	if (scan->visitor->entry && !scan->again && !scan->visitor->entry(scan, entry))
		return false;
	if (!scan_below(scan, &below, &here))
		return false;
	summary_add(sum, &here, entry->count);
	return scan_others(scan, &below, entry->count, &here);
}

/* ---- a table ------------------------------------------------------------------------------ */

static bool counts(const struct scan_table *table, unsigned slot)
{
	return slot / 16 >= 32 || table->groups >> slot / 16 & 1;
}

/* How many entries from `from` on are equal, and entirely in the window. */
static unsigned equal_entries(const struct scan *scan, const struct scan_table *table,
			      const uint8_t *data, unsigned from, unsigned to)
{
	const struct scan_level *l = table->level;
	uint64_t va = table->va + from * l->span, raw = entry_load(l, data + from * l->stride);
	unsigned i = from + 1;

	if (va < scan->window_start)
		return 1;
	while (i < to && entry_load(l, data + i * l->stride) == raw && counts(table, i) &&
	       table->va + (i + 1) * l->span <= scan->window_end)
		i++;
	return i - from;
}

/* A sequence of equal entries from slot `from` on; their number goes to *row. */
static bool scan_row(struct scan *scan, const struct scan_table *table, const uint8_t *data,
		     unsigned from, unsigned to, unsigned *row, struct summary *sum)
{
	const struct scan_level *l = table->level;
	struct scan_entry entry = { l, table->space, table->address + from * l->stride,
				    table->va + from * l->span,
				    entry_load(l, data + from * l->stride), 1, 0 };

	*row = 1;
	if (table->tiled && !format_valid(l->format, entry.raw))
		scan_blank(scan, BLANK_INVALID_TILE, entry.va, l->span, NULL);
	if (!format_valid(l->format, entry.raw) || !counts(table, from))
		return true;
	if (format_is_page(l->format, entry.raw)) {
		const struct scan_level *page = scan_level(scan, l->format->page);
		unsigned i = from;

		while (i < to && i - from < CHUNK_ENTRIES && counts(table, i)) {
			uint64_t raw = entry_load(l, data + i * l->stride);

			if (!format_valid(l->format, raw) || !format_is_page(l->format, raw))
				break;
			i++;
		}
		*row = i - from;
		return !page || scan_chunk(scan, table, page, data, from, *row, sum);
	}
	entry.count = *row = equal_entries(scan, table, data, from, to);
	if ((entry.raw & l->check_mask) != l->check_value)
		return count_reserved(scan, &entry);
	/* If tables are far apart, the next one's bytes are prefetched meanwhile. */
	if (from + *row < to && !table->tiled) {
		uint64_t next = entry_load(l, data + (from + *row) * l->stride);
		size_t length = 0;

		scan->ahead = NULL;
		if (!scan_nested(scan) && format_valid(l->format, next) &&
		    !format_is_page(l->format, next))
			scan->ahead = gsc_span(scan->t->gpu->source,
					       l->format->tables_local ? GSC_LMEM : GSC_PHYS,
					       format_address(l->format, next), &length);
		if (length < TABLE_BYTES)
			scan->ahead = NULL;
	}
	entry.table = format_address(l->format, entry.raw);
	return scan_entry(scan, table, &entry, sum);
}

static bool scan_slots(struct scan *scan, const struct scan_table *table, const uint8_t *data,
		       unsigned from, unsigned to, struct summary *sum)
{
	uint64_t span = table->level->span;
	unsigned row;

	if (table->tiled && table->level->format->leaf == FORMAT_PAGE)
		return scan_tiles(scan, table, data, from, to, sum);
	/* Of a table partly in the window not all entries are. */
	if (scan->window_start > table->va + from * span)
		from = (unsigned)MIN((scan->window_start - table->va) / span, (uint64_t)to);
	if (scan->window_end - table->va < to * span)
		to = (unsigned)((scan->window_end - table->va + span - 1) / span);
	for (; from < to; from += row) {
		if (table->level->format->leaf != FORMAT_PAGE) {
			if (!scan_row(scan, table, data, from, to, &row, sum))
				return false;
			continue;
		}
		row = MIN(to - from, (unsigned)CHUNK_ENTRIES);
		if (!scan_chunk(scan, table, table->level, data, from, row, sum))
			return false;
	}
	return true;
}

static bool scan_parts(struct scan *scan, const struct scan_table *table, const struct table *held,
		       struct summary *sum)
{
	unsigned from, to = 0;

	while (scan_next_part(table->level, held, &from, &to))
		if (!scan_slots(scan, table, held->data, from, to, sum))
			return false;
	return true;
}

static bool scan_new(struct scan *scan, const struct scan_table *table, struct summary *sum)
{
	const struct scan_level *l = table->level;
	size_t bytes = (size_t)l->slots * l->stride, gap;
	struct table held;
	bool any, loop = false;

	scan->path[table->depth].space = table->space;
	scan->path[table->depth].address = table->address;
	for (unsigned i = 0; i < table->depth; i++)
		loop |= scan->path[i].address == table->address &&
			scan->path[i].space == table->space;
	if (loop && !count_loop(scan, table))
		return false;
	if (table->zeros) {
		memset(held.copy, 0, sizeof(held.copy));
		return scan_slots(scan, table, held.copy, 0, l->slots, sum);
	}
	any = scan_read(scan, table, bytes, &held, &gap);
	scan->partial = gap < bytes;
	if (!any)
		sum->unread = scan->unread ? scan->why : NULL;
	if (gap < bytes && !count_missing(scan, table, table->va + gap / l->stride * l->span))
		return false;
	if (!any)
		return true;
	return scan_parts(scan, table, &held, sum);
}

/* Met before: what is below is reported in one go, if possible. */
static bool scan_known(struct scan *scan, const struct scan_table *table, const struct node *node,
		       struct summary *sum)
{
	uint64_t size = table_size(table);
	bool again = scan->again, traverse, more;
	struct summary ignored = { 0 };

	*sum = (struct summary){
		.pages = node->pages,
		.covered = node->constant ? size : 0,
		.entry = node->entry,
		.leaf = &scan->levels[node->leaf],
		.denied = node->leaf_denied,
		.uniform = node->constant,
		.sizes = node->sizes,
		.unread = node->unread ? read_failure(GSC_READ_ABSENT) : NULL,
	};
	if (sum->unread)
		scan_blank(scan, BLANK_UNKNOWN, table->va, size, sum->unread);
	more = scan_alike(scan, table->va, 1, size, node->va, sum, &traverse);
	if (!traverse)
		return more;
	scan->again = true;
	more = scan_new(scan, table, &ignored);
	scan->again = again;
	return more;
}

bool scan_below(struct scan *scan, const struct scan_table *table, struct summary *sum)
{
	struct scan_table placed = *table;
	const struct node *known;
	struct node node;
	uint32_t place;

	memset(sum, 0, sizeof(*sum));
	if (table->tiled && !scan_place_tiled(scan, &placed)) {
		scan->why = "nothing is mapped there";
		return count_missing(scan, table, table->va);
	}
	if (table->va < scan->window_start || placed.zeros ||
	    table->va + table_size(table) > scan->window_end)
		return scan_new(scan, &placed, sum);
	node = (struct node){
		.address = placed.address,
		.level = placed.level->id,
		.local = placed.space == GSC_LMEM,
		.denied = placed.denied,
	};
	place = scan->memo.slots ? *probe(&scan->memo, &node) : 0;
	known = place ? &scan->memo.nodes.items[place - 1] : NULL;
	if (known)
		return scan_known(scan, &placed, known, sum);
	if (!scan_new(scan, &placed, sum))
		return false;
	node.va = placed.va;
	node.entry = sum->entry;
	node.pages = sum->pages;
	node.constant = sum->uniform && sum->covered == table_size(&placed);
	node.sizes = sum->sizes;
	node.leaf = sum->leaf ? sum->leaf->id : 0;
	node.leaf_denied = sum->denied;
	node.unread = sum->unread != NULL;
	scan->failed |= !memo_add(&scan->memo, &node);
	return !scan->failed;
}

/* ---- a pass ------------------------------------------------------------------------------- */

/* The global table and Gen4's own: one level, longer than a page. */
static bool scan_long(struct scan *scan, const struct top *top, const struct scan_level *level)
{
	unsigned each = TABLE_BYTES / level->stride;
	struct scan_table piece = { .level = level, .space = top->space, .groups = UINT32_MAX,
				    .piece = true };
	bool gap = false;

	for (uint64_t at = 0; at < top->bytes; at += TABLE_BYTES) {
		struct summary ignored = { 0 };
		struct table held;
		size_t wanted = (size_t)MIN(top->bytes - at, (uint64_t)TABLE_BYTES), from;

		piece.address = top->address + at;
		piece.va = top->va + at / TABLE_BYTES * each * level->span;
		if (piece.va >= scan->window_end)
			return true;
		if (piece.va + each * level->span <= scan->window_start)
			continue;
		if (!scan_read(scan, &piece, wanted, &held, &from))
			held.bytes = 0;
		if (from < wanted && !gap &&
		    !count_missing(scan, &piece, piece.va + from / level->stride * level->span))
			return false;
		gap = from < wanted;
		if (!scan_parts(scan, &piece, &held, &ignored))
			return false;
	}
	return true;
}

static bool scan_window(struct scan *scan, const struct top *tops, unsigned count, uint64_t start,
			uint64_t end)
{
	bool more = true;

	start = MAX(start, scan->from);
	end = scan->to ? MIN(end, scan->to) : end;
	scan->window_start = start;
	scan->window_end = end;
	for (unsigned i = 0; i < count && start < end && more; i++) {
		const struct scan_level *level = scan_level(scan, tops[i].format);
		struct scan_table table = { .level = level, .space = tops[i].space,
					    .address = tops[i].address, .va = tops[i].va,
					    .groups = tops[i].groups };
		struct summary ignored;

		if (!level || table.va >= end)
			continue;
		if (tops[i].bytes > TABLE_BYTES)
			more = scan_long(scan, &tops[i], level);
		else if (table.va + table_size(&table) > start)
			more = scan_below(scan, &table, &ignored);
	}
	return more;
}

#define TILED_RANGE (UINT64_C(1) << 44)

enum gsc_status scan_run(struct scan *scan, struct gsc_translation *t,
			 const struct scan_visitor *visitor, void *context, struct gsc_error *err)
{
	const struct gsc_tiled *tiled = &t->options.trtt;
	uint64_t limit = MIN(t->limit, 16 * TILED_RANGE), start = 0;
	struct top tops[4];
	unsigned count;
	bool more = true;

	scan->t = t;
	scan->visitor = visitor;
	scan->context = context;
	scan->compare = compare_functions();
	if (t->broken)
		return err_set(err, GSC_FAILED, "root", "%s", t->broken_text);
	if (t->iommu && t->mode != GSC_MODE_GGTT)
		return err_set(err, GSC_FAILED, "tables",
			       "the GPU is behind a translating IOMMU: entries hold no physical "
			       "addresses (give its tables with --vtd)");
	if (!t->top)
		return err_set(err, GSC_USAGE, gsc_mode_name(t->mode),
			       "tables of this mode cannot be walked as a whole");
	scan->stolen_start = t->stolen_start;
	scan->stolen_length = t->stolen_end - t->stolen_start;
	count = walk_tops(t, tops);
	/* Ordinary tables up to a tiled range, that range, and so on. */
	for (uint64_t va = 0; tiled->on && va < limit && more; va += TILED_RANGE) {
		if (!trtt_holds(tiled, va))
			continue;
		more = scan_window(scan, tops, count, start, va) && scan_tiled(scan, va);
		start = va + TILED_RANGE;
	}
	more = more && scan_window(scan, tops, count, start, t->limit);
	/* A visitor that ended it is not called again. */
	if (more && !scan->failed && scan->fold.each && !scan->to)
		more = fold_end(&scan->fold);
	scan->ended = !more;
	return scan->failed ? err_memory(err) : GSC_OK;
}

void scan_free(struct scan *scan)
{
	vec_free(&scan->memo.nodes);
	free(scan->memo.slot);
	scan->memo = (struct memo){ 0 };
}
