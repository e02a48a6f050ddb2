/* SPDX-License-Identifier: MIT */
/* A walk: one address, step by step, with everything that there is to say about it. */
#include "gtt/gtt.h"

#include "source/source.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long ull;

/* ---- steps and stops ----------------------------------------------------------------------- */

struct gsc_step *walk_step(struct gsc_walk *walk)
{
	struct gsc_step *step;

	if (walk->count == GSC_STEPS_MAX) {
		walk_stop(walk, GSC_STOP_NOT_PRESENT, "more than %d steps", GSC_STEPS_MAX);
		return NULL;
	}
	step = &walk->steps[walk->count++];
	memset(step, 0, sizeof(*step));
	return step;
}

/* The first reason stays. */
void walk_stop(struct gsc_walk *walk, enum gsc_stop stop, const char *format, ...)
{
	const struct gsc_step *last = walk->count ? &walk->steps[walk->count - 1] : NULL;
	va_list args;

	if (walk->stop)
		return;
	walk->stop = stop;
	walk->mapped = false;
	walk->stop_step = (int)walk->count - 1;
	if (last && last->entry.level)
		snprintf(walk->stop_level, sizeof(walk->stop_level), "%s", last->entry.level);
	va_start(args, format);
	vsnprintf(walk->stop_text, sizeof(walk->stop_text), format, args);
	va_end(args);
}

void walk_note(struct gsc_walk *walk, const char *format, ...)
{
	size_t used = strlen(walk->note);
	char note[256];
	va_list args;

	va_start(args, format);
	vsnprintf(note, sizeof(note), format, args);
	va_end(args);
	/* Half a sentence would be worse than none. */
	if (used + strlen(note) + 3 > sizeof(walk->note))
		return;
	string_add(walk->note, "%s%s", used ? "; " : "", note);
}

/* Before the first entry: the level that it would have been of. */
static bool stop_at_level(struct gsc_walk *walk, const struct format *format)
{
	walk->stop_step = -1;
	snprintf(walk->stop_level, sizeof(walk->stop_level), "%s", format ? format->level : "");
	return false;
}

/* ---- entries ------------------------------------------------------------------------------- */

const char *read_failure(enum gsc_read status)
{
	switch (status) {
	case GSC_READ_ASLEEP:
		return "the GPU is asleep";
	case GSC_READ_DENIED:
		return "the kernel refuses to read it";
	case GSC_READ_SKIPPED:
		return "it is not read without --unsafe, as that may hang";
	case GSC_READ_ALL_ONES:
		return "the device does not answer";
	default:
		return "no source holds it";
	}
}

const char *space_failure(struct gsc_source *source, enum gsc_space space, enum gsc_read status)
{
	static const struct {
		enum gsc_space space;
		const char *why, *redacted;	/* NULL: no matter */
	} spaces[] = {
		{ GSC_GGTT, "the dump has no GGTT", NULL },
		{ GSC_PHYS, "the dump has no page tables",
		  "the dump is redacted, and has no page tables" },
		{ GSC_LMEM, "the dump has no local memory",
		  "the dump is redacted, and has no local memory" },
	};
	uint64_t start, length;

	if (status != GSC_READ_ABSENT || gsc_source_live(source) ||
	    gsc_extent(source, space, 0, &start, &length))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++)
		if (spaces[i].space == space)
			return spaces[i].redacted && source_redacted(source) ? spaces[i].redacted :
									      spaces[i].why;
	return NULL;
}

static void stop_no_memory(const struct gsc_translation *t, struct gsc_walk *walk,
			   enum gsc_space space, uint64_t address, const struct gsc_step *step,
			   enum gsc_read status)
{
	const char *none = space_failure(t->source, space, status);

	if (none && space == GSC_GGTT)
		walk_stop(walk, GSC_STOP_NO_MEMORY, "%s", none);
	else if (none)
		walk_stop(walk, GSC_STOP_NO_MEMORY, "%s: one is at 0x%llx", none,
			  (ull)step->table);
	else
		walk_stop(walk, GSC_STOP_NO_MEMORY,
			  "%s 0x%llx, entry %u of the table at 0x%llx: %s", gsc_space_name(space),
			  (ull)address, step->index, (ull)step->table, read_failure(status));
}

static bool stop_iommu(struct gsc_walk *walk, uint64_t address)
{
	walk_stop(walk, GSC_STOP_IOMMU,
		  "0x%llx is no physical address: the GPU is behind an IOMMU that translates; "
		  "--vtd names its tables", (ull)address);
	return false;
}

bool walk_fetch(struct gsc_translation *t, struct gsc_walk *walk, const struct format *format,
		enum gsc_space space, uint64_t address, struct gsc_step *step)
{
	uint32_t words[GSC_ENTRY_WORDS] = { 0 };
	struct gsc_entry *entry = &step->entry;
	struct table table;
	enum gsc_read status;

	entry->item = format->item;
	entry->mode = format->mode;
	entry->level = format->level;
	if (space == GSC_PHYS && t->iommu)
		return stop_iommu(walk, address);
	status = table_get(t->source, space, address, format->bytes, &table);
	if (status || table.bytes < format->bytes) {
		stop_no_memory(t, walk, space, address, step, table.ended);
		return false;
	}
	for (unsigned i = 0; i < format->bytes; i++)
		words[i / 4] |= (uint32_t)table.data[i] << i % 4 * 8;
	entry_fill(entry, format, words, format->bytes / 4);
	return true;
}

bool walk_entry(struct gsc_translation *t, struct gsc_walk *walk, const struct format *format,
		unsigned depth, enum gsc_space space, uint64_t table, uint64_t address,
		unsigned index, struct gsc_step **out)
{
	bool guest = t->options.vtd.on && space == GSC_PHYS;
	uint64_t physical = address, page_size;
	struct gsc_step *step;

	if (guest && !vtd_walk(t, walk, address, depth + 1, GSC_INTENT_READ, &physical,
			       &page_size))
		return false;
	step = walk_step(walk);
	if (!step)
		return false;
	step->depth = depth;
	step->index = index;
	step->space = space;
	step->guest = guest;
	step->table = table;
	step->address = address;
	*out = step;
	return walk_fetch(t, walk, format, space, physical, step);
}

/* ---- why a walk ends ----------------------------------------------------------------------- */

static void put_bits(char *buf, size_t size, uint64_t mask)
{
	struct text text = text_begin(buf, size);

	while (mask) {
		unsigned lo = (unsigned)__builtin_ctzll(mask), hi = lo;

		while (hi < 63 && mask >> (hi + 1) & 1)
			hi++;
		text_add(&text, hi > lo ? "%s%u:%u" : "%s%u", text.used ? ", " : "", hi, lo);
		mask &= hi == 63 ? 0 : UINT64_MAX << (hi + 1);
	}
}

static void stop_reserved(struct gsc_walk *walk, const struct format *f,
			  const struct gsc_step *step)
{
	uint64_t raw = entry_raw(&step->entry);
	char set[64], clear[64];

	if (step->entry.leaf)
		f = format_page(f);
	put_bits(set, sizeof(set), raw & f->zero_mask);
	put_bits(clear, sizeof(clear), ~raw & f->one_mask);
	walk_stop(walk, GSC_STOP_RESERVED_BITS,
		  "%s 0x%llx: bits %s must be %s; what the hardware does with it is not documented",
		  step->entry.level, (ull)raw, *set ? set : clear, *set ? "zero" : "one");
}

static void stop_at(struct gsc_walk *walk, enum gsc_stop stop, const struct cursor *before,
		    const struct cursor *cursor, const struct gsc_step *step)
{
	const struct gsc_entry *entry = &step->entry;

	if (stop == GSC_STOP_RESERVED_BITS)
		stop_reserved(walk, before->format, step);
	else if (!entry->valid)
		walk_stop(walk, stop, "%s 0x%llx at %s 0x%llx is not %s", entry->level,
			  (ull)entry_raw(entry),
			  step->guest ? "guest" : gsc_space_name(step->space), (ull)step->address,
			  entry->bytes == 4 ? "valid" : "present");
	else if (!entry->next || cursor->level < LEVELS_MAX)
		walk_stop(walk, stop, "nothing is known of a table below a %s", entry->level);
	else
		walk_stop(walk, stop, "the definitions of the levels lead in a circle");
}

static void stop_beyond(const struct gsc_translation *t, struct gsc_walk *walk,
			const struct cursor *cursor)
{
	uint64_t address = cursor ? cursor->address : walk->address;

	if (address < t->limit)
		walk_stop(walk, GSC_STOP_BEYOND_TABLE,
			  "directory entry %u at byte 0x%llx is past the global table of 0x%llx",
			  cursor->index, (ull)cursor_entry(cursor), (ull)t->ggtt_bytes);
	else
		walk_stop(walk, GSC_STOP_BEYOND_TABLE, "0x%llx is past the end of the %s at 0x%llx",
			  (ull)address,
			  t->top && t->top->mode == GSC_MODE_GGTT ? "global table" :
								    "address space",
			  (ull)t->limit);
}

/* A walk that ends before an entry is read. */
static bool stop_before(const struct gsc_translation *t, struct gsc_walk *walk,
			enum gsc_stop stop, const struct cursor *cursor)
{
	if (t->broken == stop && stop)
		walk_stop(walk, stop, "%s", t->broken_text);
	else if (stop == GSC_STOP_NOT_CANONICAL)
		walk_stop(walk, stop, "bits 63:%u are neither zero nor copies of bit %u",
			  canonical_bits(t), canonical_bits(t) - 1);
	else if (stop == GSC_STOP_BEYOND_TABLE)
		stop_beyond(t, walk, cursor);
	else if (t->mode == GSC_MODE_2LEVEL)
		walk_stop(walk, stop,
			  "PP_DCLV 0x%x: directory entries %u to %u are not valid, "
			  "%u is not fetched", t->groups, cursor->index / 16 * 16,
			  cursor->index / 16 * 16 + 15, cursor->index);
	else
		walk_stop(walk, stop, "the root names no table for this address");
	if (stop == GSC_STOP_NOT_CANONICAL || t->mode == GSC_MODE_VTD)
		return stop_at_level(walk, NULL);
	return stop_at_level(walk, t->top);
}

/* ---- what one should know besides ---------------------------------------------------------- */

/* Legal, and it does not loop, as a walk has as many steps as there are levels. */
static void note_table_twice(struct gsc_walk *walk, size_t from, const struct cursor *cursor)
{
	for (size_t i = from; i < walk->count; i++) {
		const struct gsc_step *step = &walk->steps[i];

		if (step->depth == walk->steps[walk->count - 1].depth &&
		    step->space == cursor->space && step->table == cursor->table) {
			walk_note(walk, "the %s at 0x%llx points back to a table of this walk: "
				  "0x%llx", walk->steps[walk->count - 1].entry.level,
				  (ull)walk->steps[walk->count - 1].address, (ull)cursor->table);
			return;
		}
	}
}

/* A page of 32 KB is eight entries, which must agree. */
static void note_group(struct gsc_translation *t, struct gsc_walk *walk, const struct format *f,
		       const struct gsc_step *step)
{
	uint64_t count = f->page_size >> f->index_lo, first, expected;
	struct table table;

	if (count < 2 || count > 64 || f->every != 1 || step->guest)
		return;
	first = step->address - step->index % count * f->bytes;
	if (table_get(t->source, step->space, first, count * f->bytes, &table) ||
	    table.bytes < count * f->bytes)
		return;
	expected = step->entry.address - (step->index % count << f->index_lo);
	for (unsigned i = 0; i < count; i++) {
		uint64_t raw = 0;

		for (unsigned b = 0; b < f->bytes && b < 8; b++)
			raw |= (uint64_t)table.data[i * f->bytes + b] << 8 * b;
		if (expected & (f->page_size - 1) || !format_valid(f, raw) ||
		    format_address(f, raw) != expected + ((uint64_t)i << f->index_lo)) {
			walk_note(walk, "the %llu entries of this page of 0x%llx bytes are no "
				  "aligned run", (ull)count, (ull)f->page_size);
			return;
		}
	}
}

static void note_page(const struct gsc_translation *t, struct gsc_walk *walk,
		      const struct gsc_step *step)
{
	bool large = walk->page_size >= 2 << 20;

	if (!strcmp(step->entry.level, "pte64k") && t->mode == GSC_MODE_IA32E &&
	    !(t->options.root.flags & GSC_ROOT_KNOWN))
		walk_note(walk, "IPS is believed: FL64KPE of the PASID entry, which must "
			  "enable it, is not known");
	else if (!strcmp(step->entry.level, "pte64k") && t->unsure_64k)
		walk_note(walk, "IPS is believed: no source holds GAMW_ECO_DEV_RW_IA (4080h), "
			  "which must enable it");
	if (t->gtt_cache && (large || t->mode == GSC_MODE_IA32E))
		walk_note(walk, "GTT_CACHE_EN (4024h) is 0x%x: it must be 0 with %s", t->gtt_cache,
			  large ? "pages of 2 MB and 1 GB" : "advanced contexts");
}

/* ---- the tables of a mode ------------------------------------------------------------------ */

/* In the advanced mode each level has a say, in the others the page's entry alone. */
static void compose(const struct gsc_translation *t, struct gsc_walk *walk,
		    const struct format *f, const struct gsc_step *step)
{
	uint64_t raw = entry_raw(&step->entry);

	if (step->entry.leaf)
		f = format_page(f);
	else if (f->mode != GSC_MODE_IA32E)
		return;
	if (f->write_mask && !(raw & f->write_mask))
		walk->writable = false;
	if (f->user_mask && !(raw & f->user_mask))
		walk->user = false;
	if (raw & f->no_execute_mask && root_execute_counts(&t->options.root))
		walk->executable = false;
}

static void begin_page(struct gsc_walk *walk)
{
	walk->readable = walk->writable = walk->executable = walk->user = true;
	walk->null = walk->stolen = false;
	walk->space = GSC_PHYS;
	walk->page_size = 4096;
}

static void end_page(struct gsc_translation *t, struct gsc_walk *walk, const struct page *page,
		     const struct format *f, const struct gsc_step *step)
{
	walk->space = page->space;
	walk->page_size = page->size;
	walk->null = page->null;
	walk->stolen = page->direct && page->space != GSC_LMEM;
	if (!step->depth) {
		note_group(t, walk, format_page(f), step);
		note_page(t, walk, step);
	}
}

bool walk_tables(struct gsc_translation *t, struct gsc_walk *walk, uint64_t address,
		 unsigned depth, uint64_t *physical)
{
	size_t first = walk->count;
	struct page page = { 0 };
	struct cursor cursor;
	enum gsc_stop stop;
	bool more = true;

	begin_page(walk);
	*physical = t->mode == GSC_MODE_VTD ? address : 0;
	if (t->mode == GSC_MODE_VTD)
		return true;
	stop = tables_begin(t, address, &cursor);
	if (stop)
		return stop_before(t, walk, stop, &cursor);
	while (more) {
		struct cursor before = cursor;
		struct gsc_step *step;

		if (!walk_entry(t, walk, cursor.format, depth, cursor.space, cursor.table,
				cursor_entry(&cursor), cursor.index, &step))
			return false;
		stop = cursor_take(t, &cursor, entry_raw(&step->entry), &page, &more);
		if (stop) {
			stop_at(walk, stop, &before, &cursor, step);
			return false;
		}
		compose(t, walk, before.format, step);
		if (more)
			note_table_twice(walk, first, &cursor);
		else
			end_page(t, walk, &page, before.format, step);
	}
	*physical = page.address;
	return true;
}

/* ---- a whole walk -------------------------------------------------------------------------- */

const struct gsc_step *walk_page(const struct gsc_walk *walk)
{
	for (size_t i = walk->count; i-- > 0;)
		if (!walk->steps[i].depth && walk->steps[i].entry.leaf)
			return &walk->steps[i];
	return NULL;
}

/* From Xe2 on a page takes atomics of the device only if it says so. */
static bool takes_atomics(struct gsc_translation *t, const struct gsc_walk *walk)
{
	const struct gsc_step *step = walk_page(walk);
	const struct format *f = step ? format_get(t->formats, step->entry.mode,
						   step->entry.level) : NULL;

	return !f || !f->atomic_mask || entry_raw(&step->entry) & f->atomic_mask;
}

static bool permitted(struct gsc_translation *t, struct gsc_walk *walk, enum gsc_intent intent)
{
	if (!walk->user && !(t->options.root.flags & GSC_ROOT_SUPERVISOR))
		walk_stop(walk, GSC_STOP_NOT_PERMITTED,
			  "the page is for supervisors only, and no context of a GPU is one");
	else if (intent != GSC_INTENT_READ && !walk->writable)
		walk_stop(walk, GSC_STOP_NOT_PERMITTED, "the page is read-only");
	else if (intent == GSC_INTENT_ATOMIC && !takes_atomics(t, walk))
		walk_stop(walk, GSC_STOP_NOT_PERMITTED, "ATOMIC_ENABLE of the page is 0");
	return !walk->stop;
}

/* Each entry of the second level has a say, too. */
static void compose_below(struct gsc_walk *walk, size_t first)
{
	unsigned granted = GRANT_ANY;

	for (size_t i = first; i < walk->count; i++)
		granted &= (unsigned)entry_raw(&walk->steps[i].entry);
	walk->readable &= (granted & GRANT_READ) != 0;
	walk->writable &= (granted & GRANT_WRITE) != 0;
}

/* From where the tables end to memory. */
static bool land(struct gsc_translation *t, struct gsc_walk *walk, enum gsc_intent intent,
		 uint64_t address)
{
	uint64_t page_size = walk->page_size;
	size_t first = walk->count;

	bool behind = walk->space == GSC_PHYS && !walk->stolen;

	if (walk->null)
		return true;
	if (behind && t->iommu)
		return stop_iommu(walk, address);
	if (behind && t->options.vtd.on) {
		if (!vtd_walk(t, walk, address, 1, intent, &address, &page_size))
			return false;
		compose_below(walk, first);
		walk->page_size = t->mode == GSC_MODE_VTD ? page_size :
							    MIN(walk->page_size, page_size);
	}
	walk->physical = address;
	walk->stolen |= walk->space == GSC_PHYS && address >= t->stolen_start &&
			address < t->stolen_end;
	if (walk->space == GSC_STOLEN)
		walk_note(walk, "0x%llx bytes into stolen memory, and no source holds GSMBASE "
			  "(MBGSM, 108100h), from where that counts", (ull)address);
	return true;
}

static void begin_walk(struct gsc_translation *t, struct gsc_walk *walk, uint64_t address)
{
	memset(walk, 0, offsetof(struct gsc_walk, steps));
	walk->address = address;
	walk->mode = t->mode;
	walk->stop_step = -1;
	if (t->note[0])
		walk_note(walk, "%s", t->note);
}

/* Whether the walk comes to a page that the access may use. */
static bool reach(struct gsc_translation *t, struct gsc_walk *walk, enum gsc_intent intent)
{
	uint64_t address = walk->address, target, physical;
	bool tile;

	if (t->mode == GSC_MODE_VTD && address >= t->limit)
		return stop_before(t, walk, GSC_STOP_BEYOND_TABLE, NULL);
	if (t->mode != GSC_MODE_VTD && !address_canonical(&walk->address, canonical_bits(t)))
		return stop_before(t, walk, GSC_STOP_NOT_CANONICAL, NULL);
	target = walk->address;
	tile = t->options.trtt.on && trtt_holds(&t->options.trtt, target);
	if (tile && !trtt_walk(t, walk, walk->address, &target))
		return false;
	if (!walk_tables(t, walk, target, 0, &physical))
		return false;
	/* Of a larger page the next tile need not have the rest. */
	if (tile)
		walk->page_size = MIN(walk->page_size, TRTT_TILE);
	return permitted(t, walk, intent) && land(t, walk, intent, physical);
}

/* What a walk has used before it stopped is written back as well. */
void gsc_walk(struct gsc_translation *t, uint64_t address, enum gsc_intent intent,
	      struct gsc_walk *walk)
{
	begin_walk(t, walk, address);
	walk->mapped = reach(t, walk, intent);
	walk_writeback(t, walk, intent);
}
