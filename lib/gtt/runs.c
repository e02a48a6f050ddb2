/* SPDX-License-Identifier: MIT */
/* From the bits of a chunk to runs of pages. */
#include "gtt/scan.h"

#define WORDS (CHUNK_ENTRIES / 64)

/* ---- runs in the order of addresses, held back until no later page can belong to them -------- */

static uint64_t end_of(const struct run *run)
{
	return run->va + run->length;
}

/* Adjacent, and equal in everything but the target. */
static bool follows(const struct run *a, const struct run *b)
{
	return end_of(a) == b->va && a->leaf == b->leaf && a->space == b->space &&
	       a->stolen == b->stolen && a->size == b->size && a->denied == b->denied &&
	       !((a->entry ^ b->entry) & a->leaf->attributes);
}

/* Page by page, for GSC_MAP_PAGES. */
static bool fold_pages(const struct run *run,
		       bool (*each)(void *context, const struct run *run), void *context)
{
	struct run page = *run;
	bool moves = run->kind == GSC_MAPPING_LINEAR;

	page.kind = GSC_MAPPING_LINEAR;
	while (page.va < end_of(run)) {
		uint64_t size = run->size, left = end_of(run) - page.va;

		/*
		 * An entry may map less than the page that it describes: 32 KB take eight entries.
		 */
		page.length = run->step < size && moves && size <= left && !(page.va % size) ?
				      size : MIN(run->step, left);
		if (!each(context, &page))
			return false;
		page.va += page.length;
		page.physical += moves ? page.length : 0;
	}
	return true;
}

static bool tell(struct fold *fold, const struct run *run)
{
	bool constant = run->kind == GSC_MAPPING_CONSTANT;

	if (!(fold->flags & (GSC_MAP_PAGES | GSC_MAP_ALL)) ||
	    (constant && run->length / run->step > CONSTANT_PAGES && !(fold->flags & GSC_MAP_ALL)))
		return fold->each(fold->context, run);
	return fold_pages(run, fold->each, fold->context);
}

static bool flush_short(struct fold *fold)
{
	if (!fold->has_short)
		return true;
	fold->has_short = false;
	fold->short_ones.kind = fold->short_ones.runs > 1 ? GSC_MAPPING_SCATTERED :
							    GSC_MAPPING_LINEAR;
	return tell(fold, &fold->short_ones);
}

/* The last run grows no more. Short ones are reported together, unless pages are wanted. */
static bool settle(struct fold *fold)
{
	struct run *last = &fold->last, *short_ones = &fold->short_ones;
	bool is_short = last->kind == GSC_MAPPING_SCATTERED ||
			(last->kind == GSC_MAPPING_LINEAR &&
			 last->length < SHORT_PAGES * last->step);

	if (!fold->has_last)
		return true;
	fold->has_last = false;
	if (!is_short || fold->apart || fold->flags & (GSC_MAP_PAGES | GSC_MAP_ALL))
		return flush_short(fold) && tell(fold, last);
	if (last->kind == GSC_MAPPING_LINEAR)
		last->runs = 1;
	if (fold->has_short && follows(short_ones, last)) {
		short_ones->length += last->length;
		short_ones->runs = 2;
		return true;
	}
	if (!flush_short(fold))
		return false;
	*short_ones = *last;
	fold->has_short = true;
	return true;
}

static bool is_one_page(const struct run *run)
{
	return run->length == run->step && run->kind == GSC_MAPPING_LINEAR;
}

/* A run that continues the last one, in the same manner, becomes part of it. */
static bool grow(struct run *last, const struct run *run)
{
	bool constant = last->kind == GSC_MAPPING_CONSTANT || is_one_page(last);

	if (last->kind == GSC_MAPPING_REPEAT) {
		if (run->kind != GSC_MAPPING_REPEAT || end_of(last) != run->va ||
		    run->va - run->of != last->va - last->of)
			return false;
		last->length += run->length;
		last->pages += run->pages;
		last->sizes |= run->sizes || run->leaf != last->leaf;
		return true;
	}
	if (run->kind == GSC_MAPPING_REPEAT || !follows(last, run))
		return false;
	if (last->kind == GSC_MAPPING_LINEAR && run->kind == GSC_MAPPING_LINEAR &&
	    last->physical + last->length == run->physical) {
		last->length += run->length;
		return true;
	}
	if (!constant || last->physical != run->physical ||
	    (run->kind != GSC_MAPPING_CONSTANT && !is_one_page(run)))
		return false;
	last->kind = GSC_MAPPING_CONSTANT;
	last->length += run->length;
	return true;
}

bool fold_add(struct fold *fold, const struct run *run)
{
	if (fold->has_last && grow(&fold->last, run))
		return true;
	if (!settle(fold))
		return false;
	fold->last = *run;
	fold->has_last = true;
	return true;
}

bool fold_end(struct fold *fold)
{
	return settle(fold) && flush_short(fold);
}

bool fold_pause(struct fold *fold)
{
	bool grows = fold->last.kind == GSC_MAPPING_CONSTANT || is_one_page(&fold->last);

	return (grows && !(fold->flags & GSC_MAP_ALL)) || fold_end(fold);
}

/* ---- where runs begin --------------------------------------------------------------------- */

/*
 * A bit where something other than a sequence of short runs begins: a page whose attributes differ
 * from the previous one, one with the same target as that, or the second page of a run that is not
 * short.
 */
static void find_events(const struct bits *b, unsigned count, uint64_t events[WORDS])
{
	unsigned words = (count + 63) / 64;
	uint64_t linear[WORDS + 1] = { 0 };

	memcpy(linear, b->linear, words * sizeof(*linear));
	/* Two, four and then SHORT_PAGES - 1 = 7 in a row. */
	for (unsigned step = 1; step < 8; step = step == 1 ? 2 : step == 2 ? 3 : 8) {
		/* linear &= linear >> step, over all words: the next one is still as it was. */
		for (unsigned i = 0; i < WORDS; i++)
			linear[i] &= linear[i] >> step | linear[i + 1] << (64 - step);
	}
	memset(events, 0, WORDS * sizeof(*events));
	for (unsigned i = 0; i < words; i++)
		events[i] = linear[i] | b->equal[i] | ~b->same[i];
}

/* ---- a chunk ------------------------------------------------------------------------------ */

bool run_is_stolen(const struct scan *scan, const struct run *run)
{
	return run->entry & run->leaf->format->stolen_mask ||
	       (run->space == GSC_PHYS && run->physical - scan->stolen_start < scan->stolen_length);
}

/* There may be another level of tables below its pages. */
bool run_is_nested(const struct scan *scan, const struct run *run)
{
	const struct format *f = run->leaf->format;

	return scan_nested(scan) && run->space == GSC_PHYS &&
	       !(run->entry & (f->null_mask | f->stolen_mask));
}

static struct run run_of_entry(const struct scan *scan, const struct scan_level *l, uint64_t raw,
			       unsigned denied)
{
	return (struct run){
		.space = page_space(scan->t, l->format, raw),
		.physical = leaf_target(l, raw) + page_base(scan->t, l->format, raw),
		.leaf = l,
		.entry = raw,
		.size = l->format->page_size,
		.step = l->span,
		.denied = denied,
	};
}

static struct run run_of(const struct scan *scan, const struct chunk *chunk, unsigned from,
			 unsigned to, enum gsc_mapping_kind kind)
{
	const struct scan_level *l = chunk->level;
	uint64_t raw = entry_load(l, chunk->data + (size_t)from * l->stride);
	struct run run = run_of_entry(scan, l, raw, chunk->denied);

	run.va = chunk->va + from * l->span;
	run.length = (to - from) * l->span;
	run.kind = kind;
	run.stolen = run_is_stolen(scan, &run);
	return run;
}

struct run run_of_summary(const struct scan *scan, const struct summary *page, uint64_t va,
			  uint64_t length)
{
	struct run run = run_of_entry(scan, page->leaf, page->entry, page->denied);

	run.va = va;
	run.length = length;
	run.kind = length > run.step ? GSC_MAPPING_CONSTANT : GSC_MAPPING_LINEAR;
	run.stolen = run_is_stolen(scan, &run);
	return run;
}

/* The end of the run that begins at `from`, and its kind. */
static unsigned run_end(const struct chunk *chunk, unsigned from, enum gsc_mapping_kind *kind)
{
	const struct bits *b = &chunk->bits;

	*kind = GSC_MAPPING_LINEAR;
	if (from + 1 == chunk->count)
		return chunk->count;
	if (bits_test(b->equal, from + 1)) {
		*kind = GSC_MAPPING_CONSTANT;
		return bits_next_clear(b->equal, from + 1, chunk->count);
	}
	return bits_next_clear(b->linear, from + 1, chunk->count);
}

/*
 * From `from`, where a run begins, the adjacent short runs except the last, which may continue in
 * the next table.
 */
static unsigned short_end(const struct chunk *chunk, const uint64_t *events, unsigned from)
{
	const struct bits *b = &chunk->bits;
	unsigned end = bits_next_set(events, from + 1, chunk->count);

	/* At an event that is no change of attributes the run began a page earlier. */
	if (end < chunk->count && bits_test(b->same, end))
		end--;
	if (end <= from)
		return from;
	for (end--; end > from && bits_test(b->linear, end); end--)
		;
	return end;
}

/* ---- guest-physical targets --------------------------------------------------------------- */

/* How far there is nothing: as the second level says, or else the smallest page. */
uint64_t scan_step_over(uint64_t guest, uint64_t length, uint64_t left)
{
	return MIN(length ? length : 4096 - guest % 4096, left);
}

/* Both levels together permit nothing: the page is read-only and the memory write-only. */
static bool grants_nothing(const struct run *piece)
{
	const struct format *f = piece->leaf->format;
	bool reads = !(piece->denied & DENIED_READ) && !(~piece->entry & format_read_mask(f));
	bool writes = !(piece->denied & DENIED_WRITE) && !(~piece->entry & f->write_mask);

	return !reads && !writes;
}

/* Adjacent pages, in pieces as the second level maps them. */
static bool add_guest(struct scan *scan, const struct run *run)
{
	struct run piece = *run;
	uint64_t done = 0, page;

	while (done < run->length) {
		uint64_t guest = run->physical + done, left = run->length - done, length = 0;

		if (!scan_host(scan, guest, &piece.physical, &length)) {
			done += scan_step_over(guest, length, left);
			continue;
		}
		piece.denied = run->denied | scan->guest_denied;
		piece.va = run->va + done;
		piece.length = MIN(length, left);
		/* A page that the second level maps in pieces is as many smaller ones. */
		page = run->size > 4096 ? scan_guest_page(scan, guest) : run->size;
		piece.size = MIN(run->size, page);
		piece.step = MIN(run->step, page);
		piece.stolen = run_is_stolen(scan, &piece);
		if (!grants_nothing(&piece) && !fold_add(&scan->fold, &piece))
			return false;
		done += piece.length;
	}
	return true;
}

/* Pages of one target that the second level maps in pieces: the first page, and its repeats. */
static bool add_equal_pieces(struct scan *scan, const struct run *run)
{
	struct run page = *run, rest = *run;

	page.kind = GSC_MAPPING_LINEAR;
	page.length = run->step;
	if (!add_guest(scan, &page))
		return false;
	if (!scan->fold.flags && !scan->fold.apart) {
		rest.kind = GSC_MAPPING_REPEAT;
		rest.of = run->va;
		rest.va += run->step;
		rest.length -= run->step;
		rest.pages = rest.length / rest.step;
		return !rest.length || fold_add(&scan->fold, &rest);
	}
	while ((page.va += run->step) < run->va + run->length)
		if (!add_guest(scan, &page))
			return false;
	return true;
}

static bool add_equal_guests(struct scan *scan, const struct run *run)
{
	struct run all = *run;
	uint64_t length = 0;

	if (!scan_host(scan, run->physical, &all.physical, &length)) {
		if (!length || length >= run->step)
			return true;
	} else if (length >= run->step &&
		   (run->size == 4096 || scan_guest_page(scan, run->physical) >= run->size)) {
		all.stolen = run_is_stolen(scan, &all);
		all.denied |= scan->guest_denied;
		return grants_nothing(&all) || fold_add(&scan->fold, &all);
	}
	return add_equal_pieces(scan, run);
}

bool runs_add(struct scan *scan, const struct run *run)
{
	if (!run_is_nested(scan, run))
		return fold_add(&scan->fold, run);
	return run->kind == GSC_MAPPING_CONSTANT ? add_equal_guests(scan, run) :
						   add_guest(scan, run);
}

bool runs_constant(struct scan *scan, uint64_t va, uint64_t length, const struct summary *page)
{
	struct run run = run_of_summary(scan, page, va, length);

	return runs_add(scan, &run);
}

bool runs_of_chunk(struct scan *scan, struct chunk *chunk)
{
	bool bulk = !scan->fold.apart && !scan->fold.flags && !scan_nested(scan);
	const struct bits *b = &chunk->bits;
	uint64_t events[WORDS];
	unsigned at = bits_next_set(b->valid, 0, chunk->count);

	if (bulk)
		find_events(b, chunk->count, events);
	while (at < chunk->count) {
		enum gsc_mapping_kind kind;
		unsigned end = run_end(chunk, at, &kind), shorts;
		struct run run = run_of(scan, chunk, at, end, kind);

		if (!runs_add(scan, &run))
			return false;
		at = bits_next_set(b->valid, end, chunk->count);
		if (!bulk || at != end || end == chunk->count || !bits_test(b->same, end))
			continue;
		shorts = short_end(chunk, events, at);
		if (shorts <= at)
			continue;
		run = run_of(scan, chunk, at, shorts, GSC_MAPPING_SCATTERED);
		run.runs = bits_next_clear(b->linear, at + 1, shorts) < shorts ? 2 : 1;
		if (!fold_add(&scan->fold, &run))
			return false;
		at = shorts;
	}
	return true;
}
