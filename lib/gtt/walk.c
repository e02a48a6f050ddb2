/* SPDX-License-Identifier: MIT */
/* A walk: one address, step by step, with everything that there is to say about it. */
#include "gtt/gtt.h"

#include "source/source.h"
#include "util/text.h"

/* ---- the record in words -------------------------------------------------------------------- */

static void __attribute__((format(printf, 3, 4)))
stop_walk(struct gsc_walk *walk, enum gsc_stop stop, const char *format, ...)
{
	const struct gsc_step *last = walk->count ? &walk->steps[walk->count - 1] : NULL;
	va_list args;

	walk->stop = stop;
	walk->stop_step = (int)walk->count - 1;
	if (last && last->entry.level)
		string_set(walk->stop_level, "%s", last->entry.level);
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
	if (used + strlen(note) + 3 <= sizeof(walk->note))
		string_add(walk->note, "%s%s", used ? "; " : "", note);
}

static void say_read(const struct gsc_translation *t, struct gsc_walk *walk)
{
	const struct gsc_step *step = walk->count ? &walk->steps[walk->count - 1] : NULL;
	const struct ending *e = &t->ending;
	const char *none = space_failure(t->gpu->source, e->space, e->read);

	if (e->stop == GSC_STOP_IOMMU)
		stop_walk(walk, e->stop, "0x%llx is not a physical address: an IOMMU translates "
			  "it; give its tables with --vtd", LL(e->address));
	else if (none && e->space == GSC_GGTT)
		stop_walk(walk, e->stop, "%s", none);
	else if (none)
		stop_walk(walk, e->stop, "%s: the table at 0x%llx is missing", none,
			  LL(step->table));
	else
		stop_walk(walk, e->stop, "%s:0x%llx, entry %u of the table at 0x%llx: %s",
			  gsc_space_name(e->space), LL(e->address), step->index, LL(step->table),
			  read_failure(e->read));
}

static void say_entry(const struct gsc_translation *t, struct gsc_walk *walk)
{
	const struct gsc_step *step = &walk->steps[walk->count - 1];
	const struct gsc_entry *entry = &step->entry;
	uint64_t raw = entry_raw(entry);
	enum gsc_stop stop = t->ending.stop;

	if (stop == GSC_STOP_RESERVED_BITS) {
		const struct format *f = format_get(t->formats, entry->mode, entry->level);
		uint64_t ones = raw & f->zero_mask;
		char bits[64];
		struct text text = text_of(bits);
		uint64_t mask = ones ? ones : ~raw & f->one_mask;

		/* "63, 11:8" */
		while (mask) {
			unsigned lo = (unsigned)__builtin_ctzll(mask), hi = lo;

			while (hi < 63 && mask >> (hi + 1) & 1)
				hi++;
			text_add(&text, hi > lo ? "%s%u:%u" : "%s%u", text.used ? ", " : "", hi,
				 lo);
			mask &= hi == 63 ? 0 : UINT64_MAX << (hi + 1);
		}
		stop_walk(walk, stop, "%s 0x%llx: bits %s must be %s; what the hardware does with "
			  "it is not documented", entry->level, LL(raw), bits,
			  ones ? "zero" : "one");
	} else if (!entry->valid) {
		stop_walk(walk, stop, "%s 0x%llx at %s:0x%llx is not %s", entry->level, LL(raw),
			  step->guest ? "guest" : gsc_space_name(step->space), LL(step->address),
			  entry->bytes == 4 ? "valid" : "present");
	} else if (!entry->next || t->ending.cursor.level < LEVELS_MAX) {
		stop_walk(walk, stop, "no definition says which table a %s points to",
			  entry->level);
	} else {
		stop_walk(walk, stop, "the definitions of the levels form a loop");
	}
}

static void say_tile(const struct gsc_translation *t, struct gsc_walk *walk)
{
	const struct gsc_step *step = &walk->steps[walk->count - 1];
	enum gsc_stop stop = t->ending.stop;
	bool null = stop == GSC_STOP_NULL_TILE;

	if (!null && stop != GSC_STOP_INVALID_TILE)
		stop_walk(walk, stop, "this platform has no tables of tiled resources");
	else
		stop_walk(walk, stop, "%s %u at 0x%llx is 0x%llx: %s tile%s: reads return zero, "
			  "writes are dropped%s", step->entry.level, step->index,
			  LL(step->address), LL(entry_raw(&step->entry)),
			  null ? "a null" : "an invalid",
			  step->entry.leaf ? " by the detection register" : "",
			  null ? "" : ", and an interrupt is raised");
}

/* The last step's entry, or the lack of any, in the second level. */
static void say_guest(const struct gsc_translation *t, struct gsc_walk *walk)
{
	const struct gsc_step *step = walk->count ? &walk->steps[walk->count - 1] : NULL;
	const struct ending *e = &t->ending;
	unsigned levels = t->options.vtd.levels;
	uint64_t guest = e->cursor.address;

	if (e->how == END_BEFORE && e->stop == GSC_STOP_BEYOND_TABLE) {
		stop_walk(walk, e->stop, "guest-physical 0x%llx is past the %u bits that %u levels "
			  "of second-level tables translate", LL(guest), 12 + 9 * levels, levels);
	} else if (e->how == END_BEFORE || (step->entry.valid && e->stop == GSC_STOP_NOT_PRESENT)) {
		stop_walk(walk, e->stop, "guest-physical 0x%llx: in the definitions, %u levels of "
			  "second-level tables reach no page", LL(guest), levels);
	} else {
		const char *kind = step->entry.item.name;

		kind += strncmp(kind, "VTD_SL_", 7) ? 0 : 7;
		stop_walk(walk, e->stop, "guest-physical 0x%llx: second-level %s %u at 0x%llx is "
			  "0x%llx: %s", LL(guest), kind, step->index, LL(step->address),
			  LL(entry_raw(&step->entry)),
			  e->stop == GSC_STOP_RESERVED_BITS ? "reserved bits are set" :
			  e->stop != GSC_STOP_NOT_PERMITTED ? "not present" :
			  e->lacks & DENIED_WRITE ? "not writable" : "not readable");
	}
}

/* The root has no table for the address, or no valid one. */
static void say_root(const struct gsc_translation *t, struct gsc_walk *walk)
{
	const struct cursor *cursor = &t->ending.cursor;
	enum gsc_stop stop = t->ending.stop;
	unsigned bits = canonical_bits(t), group = cursor->index / 16 * 16;

	if (t->broken == stop)
		stop_walk(walk, stop, "%s", t->broken_text);
	else if (stop == GSC_STOP_NOT_CANONICAL)
		stop_walk(walk, stop, "bits 63:%u are neither zero nor copies of bit %u", bits,
			  bits - 1);
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
			  "fetched", t->groups, group, group + 15, cursor->index);
	else
		stop_walk(walk, stop, "the root names no table for this address");
	walk->stop_step = -1;
	string_set(walk->stop_level, "%s",
		   stop != GSC_STOP_NOT_CANONICAL && t->mode != GSC_MODE_VTD && t->top ?
			   t->top->level : "");
}

/* ---- what one should know besides ---------------------------------------------------------- */

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

/* ---- what the hardware writes back ---------------------------------------------------------- */

/*
 * In an advanced context it reads each entry with an atomic operation that sets bits in it; four
 * bits of the opcode say which one (icl-vol6, "Updating A/D Bits": the table of 16 operations),
 * 1100_iwer: intermediate entry, write protection, extended access, read or write.
 */
enum {
	ATOMIC_PAGE_UPDATE = 0xc0,
	ATOMIC_WRITE = 1 << 0,
	ATOMIC_EXTENDED = 1 << 1,
	ATOMIC_WRITE_PROTECT = 1 << 2,
	ATOMIC_INTERMEDIATE = 1 << 3,
};

/* The bits that it sets, whatever kind of entry it is. */
#define BIT_ACCESSED	(1u << 5)
#define BIT_DIRTY	(1u << 6)
#define BIT_EXTENDED	(1u << 10)

/* "pde A D by opcode 0xc9", if that changes anything. */
static void say_update(struct text *text, const struct gsc_root *root, const struct gsc_step *step,
		 bool write, bool forbidden)
{
	unsigned opcode = ATOMIC_PAGE_UPDATE | (step->entry.leaf ? 0 : ATOMIC_INTERMEDIATE);
	uint32_t sets = BIT_ACCESSED;

	if (write) {
		opcode |= ATOMIC_WRITE;
		sets |= BIT_DIRTY;
	}
	if (root->flags & GSC_ROOT_EXTENDED_ACCESS) {
		opcode |= ATOMIC_EXTENDED;
		sets |= BIT_EXTENDED;
	}
	if (root->flags & GSC_ROOT_WRITE_PROTECT)
		opcode |= ATOMIC_WRITE_PROTECT;
	sets &= ~step->entry.words[0];
	if (!sets)
		return;
	text_add(text, "%s%s%s%s%s by opcode 0x%x%s", text->used ? ", " : "",
		 step->entry.level, sets & BIT_ACCESSED ? " A" : "", sets & BIT_DIRTY ? " D" : "",
		 sets & BIT_EXTENDED ? " EA" : "", opcode,
		 forbidden ? " (read-only in the second level: a fault)" : "");
}

static void walk_writeback(struct gsc_translation *t, struct gsc_walk *walk, enum gsc_intent intent)
{
	const struct gsc_root *root = &t->options.root;
	struct text text = text_of(walk->written);

	if (t->mode != GSC_MODE_IA32E)
		return;
	for (size_t i = 0; i < walk->count; i++) {
		const struct gsc_step *step = &walk->steps[i];
		/* Tables of tiled resources are read, whatever the access is. */
		bool write = intent != GSC_INTENT_READ && !step->depth;
		uint32_t granted = UINT32_MAX;

		/* Only entries that led on: not where a walk stopped, nor one without bytes. */
		if (step->entry.mode != GSC_MODE_IA32E || !step->entry.bytes ||
		    !step->entry.valid ||
		    (walk->stop && walk->stop_step >= 0 && i >= (size_t)walk->stop_step))
			continue;
		/* What the second-level steps just before it permit together. */
		for (size_t k = i; k > 0 && walk->steps[k - 1].entry.mode == GSC_MODE_VTD; k--)
			granted &= walk->steps[k - 1].entry.words[0];
		say_update(&text, root, step, write, step->guest && !(granted & 2));
	}
	if (text.used && !(root->flags & GSC_ROOT_KNOWN))
		text_add(&text, "; EAFE and WPE are assumed to be 0");
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

/* The end of a stage is that of the walk, so far. */
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

	if (descend_guest(t, &(struct walker){ walk, 1, needs[intent] }, page))
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
	enum gsc_stop stop;

	if (t->mode == GSC_MODE_VTD) {
		*page = (struct page){ .space = GSC_PHYS, .address = address, .size = UINT64_MAX,
				       .left = UINT64_MAX };
		return true;
	}
	stop = descend(t, STAGE_TABLES, address, &walker, page);
	/* Legal, and no endless loop, because a walk has as many steps as there are levels. */
	for (size_t i = 0; i < walk->count; i++) {
		const struct gsc_step *last = &walk->steps[i], *step = last;

		if (last->entry.mode != t->mode || !last->entry.next ||
		    (t->ending.stop && t->ending.how == END_ENTRY && i + 1 == walk->count))
			continue;
		/* Of the same descent: what is deeper is on the way to one of its tables. */
		for (; step >= walk->steps && step->depth >= last->depth; step--) {
			if (step->depth != last->depth || step->space != last->entry.space ||
			    step->table != last->entry.address)
				continue;
			walk_note(walk, "the %s at 0x%llx points back to a table of this walk: "
				  "0x%llx", last->entry.level, LL(last->address), LL(step->table));
			break;
		}
	}
	if (stop)
		return false;
	page->denied |= entry_denied(t, page->format, page->entry);
	note_group(t, walk, page->format, &walk->steps[walk->count - 1]);
	note_page(t, walk, page);
	return true;
}

/* Whether the walk reaches a page that the access may use. */
static bool reach(struct gsc_translation *t, struct gsc_walk *walk, enum gsc_intent intent)
{
	enum gsc_stop stop = GSC_STOP_NONE;
	uint64_t most = UINT64_MAX;
	struct page page;

	if (t->mode == GSC_MODE_VTD)
		stop = walk->address < t->limit ? stop : GSC_STOP_BEYOND_TABLE;
	else if (!address_canonical(&walk->address, canonical_bits(t)))
		stop = GSC_STOP_NOT_CANONICAL;
	t->ending = (struct ending){ END_BEFORE, stop,
				     { .stage = STAGE_TABLES, .address = walk->address } };
	if (stop)
		return false;
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
	if (!walk->mapped && !walk->stop) {
		const struct ending *e = &t->ending;

		if (e->how == END_MEMORY)
			stop_walk(walk, e->stop, "out of memory after %zu steps", walk->count);
		else if (e->how == END_READ)
			say_read(t, walk);
		else if (e->cursor.stage == STAGE_GUEST)
			say_guest(t, walk);
		else if (e->how == END_BEFORE && e->cursor.stage == STAGE_TABLES)
			say_root(t, walk);
		else if (e->how == END_BEFORE)
			stop_walk(walk, e->stop, "this platform has no tables of tiled resources");
		else if (e->cursor.stage == STAGE_TILES)
			say_tile(t, walk);
		else
			say_entry(t, walk);
	}
	walk_writeback(t, walk, intent);
}
