/* SPDX-License-Identifier: MIT */
/* A walk: one address, step by step, with everything that there is to say about it. */
#include "gtt/gtt.h"

#include "source/source.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

/* ---- steps and stops ----------------------------------------------------------------------- */

/* The first reason is kept. */
static void __attribute__((format(printf, 3, 4)))
stop_walk(struct gsc_walk *walk, enum gsc_stop stop, const char *format, ...)
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

struct gsc_step *walk_step(struct gsc_translation *t, const struct walker *walker,
			   const struct cursor *cursor, const struct page *at)
{
	struct gsc_step *step = vec_add(&t->steps);
	struct gsc_walk *walk = walker->walk;

	if (!step) {
		stop_walk(walk, GSC_STOP_NO_MEMORY, "out of memory after %zu steps", walk->count);
		return NULL;
	}
	walk->steps = t->steps.items;
	walk->count = t->steps.count;
	*step = (struct gsc_step){
		.depth = walker->depth,
		.index = cursor->index,
		.space = at->null ? GSC_PHYS : at->space,
		.guest = t->options.vtd.on && !at->direct && !at->null,
		.table = at->null ? 0 : at->address - cursor->index * cursor->format->bytes,
		.address = at->address,
		.entry.item = cursor->format->item,
		.entry.mode = cursor->format->mode,
		/*
		 * The second level has one name for all levels; the definition distinguishes them.
		 */
		.entry.level = cursor->stage == STAGE_GUEST ? "vtd-sl" : cursor->format->level,
	};
	if (at->null)
		walk_note(walk, "the page of the %s table is a null page, which reads as zero",
			  cursor->format->level);
	return step;
}

void walk_fill(struct gsc_step *step, const struct cursor *cursor, const uint32_t *words)
{
	const char *level = step->entry.level;

	entry_fill(&step->entry, cursor->format, words, cursor->format->bytes / 4);
	if (cursor->stage == STAGE_GUEST)
		step->entry.level = level;
}

/* ---- reads that fail ----------------------------------------------------------------------- */

const char *read_failure(enum gsc_read status)
{
	switch (status) {
	case GSC_READ_ASLEEP:
		return "the GPU is asleep";
	case GSC_READ_DENIED:
		return "the kernel refuses to read it";
	case GSC_READ_SKIPPED:
		return "it is read only with --unsafe, because the read may hang the machine";
	case GSC_READ_ALL_ONES:
		return "the device does not answer";
	case GSC_READ_EXCLUDED:
		return "it was excluded from the dump";
	default:
		return "no source holds it";
	}
}

const char *space_failure(struct gsc_source *source, enum gsc_space space, enum gsc_read status)
{
	static const struct {
		enum gsc_space space;
		const char *why, *redacted;	/* NULL: it does not matter */
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
	if (space == GSC_GGTT && gsc_source_has(source, GSC_SOURCE_MEMORY))
		return "a dump of memory has no GGTT; add -s bar:FILE, ggtt:FILE or a capture";
	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++)
		if (spaces[i].space == space)
			return spaces[i].redacted && source_redacted(source) ? spaces[i].redacted :
									      spaces[i].why;
	return NULL;
}

void walk_stop_read(const struct gsc_translation *t, struct gsc_walk *walk, enum gsc_stop stop,
		    enum gsc_space space, uint64_t address, enum gsc_read status)
{
	const struct gsc_step *step = walk->count ? &walk->steps[walk->count - 1] : NULL;
	const char *none = space_failure(t->gpu->source, space, status);

	if (stop == GSC_STOP_IOMMU)
		stop_walk(walk, stop, "0x%llx is not a physical address: an IOMMU translates it; "
				      "give its tables with --vtd", LL(address));
	else if (none && space == GSC_GGTT)
		stop_walk(walk, stop, "%s", none);
	else if (none)
		stop_walk(walk, stop, "%s: the table at 0x%llx is missing", none, LL(step->table));
	else
		stop_walk(walk, stop, "%s:0x%llx, entry %u of the table at 0x%llx: %s",
			  gsc_space_name(space), LL(address), step->index, LL(step->table),
			  read_failure(status));
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

static void stop_tables(const struct gsc_translation *t, struct gsc_walk *walk,
			enum gsc_stop stop, const struct cursor *cursor)
{
	const struct gsc_step *step = &walk->steps[walk->count - 1];
	const struct gsc_entry *entry = &step->entry;
	uint64_t raw = entry_raw(entry);

	if (stop == GSC_STOP_RESERVED_BITS) {
		const struct format *f = format_get(t->formats, entry->mode, entry->level);
		char bits[64];

		put_bits(bits, sizeof(bits), raw & f->zero_mask ? raw & f->zero_mask :
								 ~raw & f->one_mask);
		stop_walk(walk, stop, "%s 0x%llx: bits %s must be %s; what the hardware does with "
			  "it is not documented", entry->level, LL(raw), bits,
			  raw & f->zero_mask ? "zero" : "one");
		return;
	}
	if (!entry->valid)
		stop_walk(walk, stop, "%s 0x%llx at %s:0x%llx is not %s", entry->level, LL(raw),
			  step->guest ? "guest" : gsc_space_name(step->space), LL(step->address),
			  entry->bytes == 4 ? "valid" : "present");
	else if (!entry->next || cursor->level < LEVELS_MAX)
		stop_walk(walk, stop, "no definition says which table a %s points to",
			  entry->level);
	else
		stop_walk(walk, stop, "the definitions of the levels form a loop");
}

static void stop_tiles(struct gsc_walk *walk, enum gsc_stop stop)
{
	const struct gsc_step *step = &walk->steps[walk->count - 1];
	const struct gsc_entry *entry = &step->entry;

	if (stop != GSC_STOP_NULL_TILE && stop != GSC_STOP_INVALID_TILE)
		stop_walk(walk, stop, "this platform has no tables of tiled resources");
	else
		stop_walk(walk, stop, "%s %u at 0x%llx is 0x%llx: %s tile%s: reads return zero, "
			  "writes are dropped%s", entry->level, step->index, LL(step->address),
			  LL(entry_raw(entry)),
			  stop == GSC_STOP_NULL_TILE ? "a null" : "an invalid",
			  entry->leaf ? " by the detection register" : "",
			  stop == GSC_STOP_NULL_TILE ? "" : ", and an interrupt is raised");
}

static void stop_guest(const struct gsc_translation *t, struct gsc_walk *walk,
		       enum gsc_stop stop, uint64_t guest, unsigned lacks)
{
	const struct gsc_step *step = &walk->steps[walk->count - 1];
	const struct gsc_entry *entry = &step->entry;
	const char *kind = entry->item.name, *why = "not present";

	if (!strncmp(kind, "VTD_SL_", 7))
		kind += 7;
	if (stop == GSC_STOP_RESERVED_BITS)
		why = "reserved bits are set";
	else if (stop == GSC_STOP_NOT_PERMITTED)
		why = lacks & DENIED_WRITE ? "not writable" : "not readable";
	else if (entry->valid)
		stop_walk(walk, stop, "guest-physical 0x%llx: in the definitions, %u levels of "
			  "second-level tables reach no page", LL(guest), t->options.vtd.levels);
	stop_walk(walk, stop, "guest-physical 0x%llx: second-level %s %u at 0x%llx is 0x%llx: %s",
		  LL(guest), kind, step->index, LL(step->address), LL(entry_raw(entry)), why);
}

/* The root has no table for the address, or no valid one. */
static void stop_root(const struct gsc_translation *t, struct gsc_walk *walk, enum gsc_stop stop,
		      const struct cursor *cursor)
{
	if (t->broken == stop && stop)
		stop_walk(walk, stop, "%s", t->broken_text);
	else if (stop == GSC_STOP_NOT_CANONICAL)
		stop_walk(walk, stop, "bits 63:%u are neither zero nor copies of bit %u",
			  canonical_bits(t), canonical_bits(t) - 1);
	else if (stop == GSC_STOP_BEYOND_TABLE && cursor->address < t->limit)
		stop_walk(walk, stop,
			  "directory entry %u at byte 0x%llx is past the global table of 0x%llx",
			  cursor->index, LL(cursor_entry(cursor)), LL(t->ggtt_bytes));
	else if (stop == GSC_STOP_BEYOND_TABLE)
		stop_walk(walk, stop, "0x%llx is past the end of the %s at 0x%llx",
			  LL(cursor->address), t->top && t->top->mode == GSC_MODE_GGTT ?
				  "global table" : "address space", LL(t->limit));
	else if (t->mode == GSC_MODE_2LEVEL)
		stop_walk(walk, stop,
			  "PP_DCLV 0x%x: directory entries %u to %u are not valid, so %u is not "
			  "fetched", t->groups, cursor->index / 16 * 16,
			  cursor->index / 16 * 16 + 15, cursor->index);
	else
		stop_walk(walk, stop, "the root names no table for this address");
	walk->stop_step = -1;
	snprintf(walk->stop_level, sizeof(walk->stop_level), "%s",
		 stop != GSC_STOP_NOT_CANONICAL && t->mode != GSC_MODE_VTD && t->top ?
			 t->top->level : "");
}

void walk_stop_before(const struct gsc_translation *t, struct gsc_walk *walk, enum gsc_stop stop,
		      const struct cursor *cursor)
{
	unsigned levels = t->options.vtd.levels;

	if (cursor->stage == STAGE_TABLES)
		stop_root(t, walk, stop, cursor);
	else if (cursor->stage == STAGE_TILES)
		stop_walk(walk, stop, "this platform has no tables of tiled resources");
	else if (stop == GSC_STOP_BEYOND_TABLE)
		stop_walk(walk, stop, "guest-physical 0x%llx is past the %u bits that %u levels of "
			  "second-level tables translate", LL(cursor->address), 12 + 9 * levels,
			  levels);
	else
		stop_walk(walk, stop, "guest-physical 0x%llx: in the definitions, %u levels of "
			  "second-level tables reach no page", LL(cursor->address), levels);
}

/* ---- what one should know besides ---------------------------------------------------------- */

void walk_took(const struct gsc_translation *t, const struct walker *walker, size_t first,
	       const struct cursor *cursor, enum gsc_stop stop, const struct page *page)
{
	struct gsc_walk *walk = walker->walk;
	const struct gsc_step *last = &walk->steps[walk->count - 1];

	if (stop && cursor->stage == STAGE_GUEST)
		stop_guest(t, walk, stop, cursor->address, page->denied & walker->needs);
	else if (stop && cursor->stage == STAGE_TILES)
		stop_tiles(walk, stop);
	else if (stop)
		stop_tables(t, walk, stop, cursor);
	if (stop || cursor->stage != STAGE_TABLES || last->entry.leaf)
		return;
	/* Legal, and no endless loop, because a walk has as many steps as there are levels. */
	for (const struct gsc_step *step = &walk->steps[first]; step <= last; step++)
		if (step->depth == last->depth && step->space == cursor->space &&
		    step->table == cursor->table) {
			walk_note(walk, "the %s at 0x%llx points back to a table of this walk: "
				  "0x%llx", last->entry.level, LL(last->address),
				  LL(cursor->table));
			return;
		}
}

/* A page of 32 KB has eight entries, which must agree. */
static void note_group(struct gsc_translation *t, struct gsc_walk *walk, const struct format *f,
		       const struct gsc_step *step)
{
	uint64_t count = f->page_size >> f->index_lo, first, expected;
	struct table table;

	if (count < 2 || count > 64 || f->every != 1 || step->guest)
		return;
	first = step->address - step->index % count * f->bytes;
	if (table_get(t->gpu->source, step->space, first, count * f->bytes, &table) ||
	    table.bytes < count * f->bytes)
		return;
	expected = step->entry.address - (step->index % count << f->index_lo);
	for (unsigned i = 0; i < count; i++) {
		uint64_t raw = 0;

		for (unsigned b = 0; b < f->bytes && b < 8; b++)
			raw |= (uint64_t)table.data[i * f->bytes + b] << 8 * b;
		if (expected & (f->page_size - 1) || !format_valid(f, raw) ||
		    format_address(f, raw) != expected + ((uint64_t)i << f->index_lo)) {
			walk_note(walk, "the %llu entries of this page of 0x%llx bytes are not an "
					"aligned run", LL(count), LL(f->page_size));
			return;
		}
	}
}

static void note_page(const struct gsc_translation *t, struct gsc_walk *walk,
		      const struct page *page)
{
	bool large = page->size >= 2 << 20, pte64k = !strcmp(page->format->level, "pte64k");

	if (pte64k && t->mode == GSC_MODE_IA32E && !(t->options.root.flags & GSC_ROOT_KNOWN))
		walk_note(walk, "IPS is assumed to be in effect: FL64KPE of the PASID entry, which "
			  "must enable it, is not known");
	else if (pte64k && t->unsure_64k)
		walk_note(walk, "IPS is assumed to be in effect: no source holds "
			  "GAMW_ECO_DEV_RW_IA (4080h), which must enable it");
	if (t->gtt_cache && (large || t->mode == GSC_MODE_IA32E))
		walk_note(walk, "GTT_CACHE_EN (4024h) is 0x%x: it must be 0 with %s", t->gtt_cache,
			  large ? "pages of 2 MB and 1 GB" : "advanced contexts");
}

static void note_tiles(const struct gsc_translation *t, struct gsc_walk *walk)
{
	const struct gsc_tiled *tiled = &t->options.trtt;
	unsigned mask = tiled->va >> 4 & 0xf;

	if (mask != 0xf)
		walk_note(walk, "the mask of TRVADR is 0x%x; hardware supports 0 and 0xf", mask);
	if (tiled->physical)
		walk_note(walk, "TRTTE bit 1 is 0, which puts the tile tables at guest-physical "
				"addresses: no hardware supports that");
	if (tiled->l3 != trtt_table(t))
		walk_note(walk, "the L3 pointer is 0x%llx, of which only 0x%llx is used",
			  LL(tiled->l3), LL(trtt_table(t)));
	if (tiled->has_null && tiled->has_invalid && tiled->null == tiled->invalid)
		walk_note(walk,
			  "null and invalid tiles have the same value, 0x%x, which is not allowed",
			  tiled->null);
}

/* ---- a whole walk -------------------------------------------------------------------------- */

const struct gsc_step *walk_page(const struct gsc_walk *walk)
{
	for (size_t i = walk->count; i-- > 0;)
		if (!walk->steps[i].depth && walk->steps[i].entry.leaf)
			return &walk->steps[i];
	return NULL;
}

static bool permitted(struct gsc_translation *t, struct gsc_walk *walk, enum gsc_intent intent,
		      const struct page *page)
{
	/* From Xe2 on a page accepts atomics of the device only if it says so. */
	uint64_t atomic = page->format ? page->format->atomic_mask : 0;

	if (!walk->user && !(t->options.root.flags & GSC_ROOT_SUPERVISOR))
		stop_walk(walk, GSC_STOP_NOT_PERMITTED,
			  "the page is supervisor-only, but a GPU context has no supervisor "
			  "access");
	else if (intent != GSC_INTENT_READ && !walk->writable)
		stop_walk(walk, GSC_STOP_NOT_PERMITTED, "the page is read-only");
	else if (intent == GSC_INTENT_ATOMIC && atomic && !(page->entry & atomic))
		stop_walk(walk, GSC_STOP_NOT_PERMITTED, "ATOMIC_ENABLE of the page is 0");
	return !walk->stop;
}

static void take_page(struct gsc_walk *walk, const struct page *page)
{
	walk->space = page->space;
	walk->physical = page->address;
	walk->page_size = page->size;
	walk->null = page->null;
	walk->readable = !(page->denied & DENIED_READ);
	walk->writable = !(page->denied & DENIED_WRITE);
	walk->executable = !(page->denied & DENIED_EXECUTE);
	walk->user = !(page->denied & DENIED_USER);
}

/* From the end of the tables to memory. */
static bool land(struct gsc_translation *t, struct gsc_walk *walk, enum gsc_intent intent,
		 struct page *page)
{
	static const unsigned needs[] = {
		[GSC_INTENT_READ] = DENIED_READ,
		[GSC_INTENT_WRITE] = DENIED_WRITE,
		[GSC_INTENT_ATOMIC] = DENIED_ALL,
	};
	enum gsc_stop stop = descend_guest(t, &(struct walker){ walk, 1, needs[intent] }, page);

	if (stop == GSC_STOP_IOMMU)
		walk_stop_read(t, walk, stop, page->space, page->address, GSC_READ_OK);
	if (stop)
		return false;
	take_page(walk, page);
	if (walk->null)
		return true;
	walk->stolen = (page->direct && page->space != GSC_LMEM) ||
		       (page->space == GSC_PHYS && page->address >= t->stolen_start &&
			page->address < t->stolen_end);
	if (walk->space == GSC_STOLEN)
		walk_note(walk, "0x%llx bytes into stolen memory, but no source holds GSMBASE "
				"(MBGSM, 108100h), its base", LL(page->address));
	return true;
}

/* The page of the tables of the mode; for the second level alone, the address itself. */
static bool find_page(struct gsc_translation *t, struct gsc_walk *walk, uint64_t address,
		      struct page *page)
{
	const struct walker walker = { .walk = walk };

	if (t->mode == GSC_MODE_VTD) {
		*page = (struct page){ .space = GSC_PHYS, .address = address, .size = UINT64_MAX,
				       .left = UINT64_MAX };
		return true;
	}
	if (descend(t, STAGE_TABLES, address, &walker, page))
		return false;
	page->denied |= entry_denied(t, page->format, page->entry);
	note_group(t, walk, page->format, &walk->steps[walk->count - 1]);
	note_page(t, walk, page);
	return true;
}

/* Whether the walk reaches a page that the access may use. */
static bool reach(struct gsc_translation *t, struct gsc_walk *walk, enum gsc_intent intent)
{
	struct cursor before = { .address = walk->address };
	enum gsc_stop stop = GSC_STOP_NONE;
	uint64_t most = UINT64_MAX;
	struct page page;

	if (t->mode == GSC_MODE_VTD)
		stop = walk->address < t->limit ? stop : GSC_STOP_BEYOND_TABLE;
	else if (!address_canonical(&walk->address, canonical_bits(t)))
		stop = GSC_STOP_NOT_CANONICAL;
	if (stop) {
		stop_root(t, walk, stop, &before);
		return false;
	}
	page.address = walk->address;
	if (t->options.trtt.on && trtt_holds(&t->options.trtt, walk->address)) {
		note_tiles(t, walk);
		if (descend(t, STAGE_TILES, walk->address, &(struct walker){ walk, 1, 0 }, &page))
			return false;
		/* Of a larger page, the next tile need not have the rest. */
		most = TRTT_TILE;
	}
	if (!find_page(t, walk, page.address, &page))
		return false;
	page.size = MIN(page.size, most);
	take_page(walk, &page);
	return permitted(t, walk, intent, &page) && land(t, walk, intent, &page);
}

/* Entries that a walk has used before it stopped are written back as well. */
void gsc_walk(struct gsc_translation *t, uint64_t address, enum gsc_intent intent,
	      struct gsc_walk *walk)
{
	*walk = (struct gsc_walk){ .address = address, .mode = t->mode, .stop_step = -1 };
	t->steps.count = 0;
	if (t->note[0])
		walk_note(walk, "%s", t->note);
	walk->mapped = reach(t, walk, intent);
	walk_writeback(t, walk, intent);
}
