/* SPDX-License-Identifier: MIT */
/*
 * The second level of VT-d: guest-physical addresses to those of memory, as steps of a walk or
 * silently. The tables are those of the machine or of a hypervisor, and as little to be trusted.
 */
#include "gtt/gtt.h"

#include "db/view.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#define LEVELS_MOST 5
#define LEVEL_NAME "vtd-sl"

/* ---- entries ------------------------------------------------------------------------------- */

static bool vtd_valid(const struct format *format, uint64_t raw)
{
	if (!strncmp(format->level, LEVEL_NAME, strlen(LEVEL_NAME)))
		return raw & GRANT_ANY;
	return format_valid(format, raw);
}

/* Extended mode is what graphics shared page tables in before Gen12. */
static bool is_extended(const struct gsc_view *view)
{
	struct gsc_platform platform;

	return gsc_platform_at(view->db, gsc_view_platform(view), &platform) &&
	       platform.graphics < 1200;
}

const char *vtd_level(const struct gsc_view *view, const char *level, size_t count)
{
	if (!name_compare(level, "vtd-context") && count > 4)
		return is_extended(view) ? "vtd-context-ext" : "vtd-context-sm";
	if (!name_compare(level, "vtd-pasid") && count <= 2)
		return "vtd-pasid-ext";
	return level;
}

/* ---- going down ---------------------------------------------------------------------------- */

const struct format *vtd_top(struct gsc_translation *t)
{
	static const char *const tops[] = { "vtd-sl-pdpe", "vtd-sl-pml4e", "vtd-sl-pml5e" };

	if (!t->second_level)
		t->second_level = format_get(t->formats, GSC_MODE_VTD,
					     tops[t->options.vtd.levels - 3]);
	return t->second_level;
}

static bool is_beyond(const struct gsc_translation *t, uint64_t guest)
{
	return guest >> (12 + 9 * t->options.vtd.levels);
}

static bool is_reserved(const struct format *f, uint64_t raw)
{
	return raw & f->zero_mask || ~raw & f->one_mask;
}

static uint64_t offset_mask(const struct format *f)
{
	return (UINT64_C(1) << f->index_lo) - 1;
}

static unsigned needed(enum gsc_intent intent)
{
	switch (intent) {
	case GSC_INTENT_READ:
		return GRANT_READ;
	case GSC_INTENT_WRITE:
		return GRANT_WRITE;
	default:
		return GRANT_ANY;
	}
}

/* ---- as steps ------------------------------------------------------------------------------ */

static const char *kind_of(const struct format *f)
{
	return strncmp(f->item.name, "VTD_SL_", 7) ? f->item.name : f->item.name + 7;
}

static void stop_at(struct gsc_walk *walk, enum gsc_stop stop, const struct format *f,
		    const struct gsc_step *step, uint64_t guest, const char *why)
{
	uint64_t raw = step->entry.words[0] | (uint64_t)step->entry.words[1] << 32;

	walk_stop(walk, stop, "guest-physical 0x%llx: second-level %s %u at 0x%llx is 0x%llx: %s",
		  (unsigned long long)guest, kind_of(f), step->index,
		  (unsigned long long)step->address, (unsigned long long)raw, why);
}

/* One entry; its value in *raw. */
static struct gsc_step *take_step(struct gsc_translation *t, struct gsc_walk *walk,
				  const struct format *f, uint64_t table, uint64_t guest,
				  unsigned depth, uint64_t *raw)
{
	struct gsc_step *step = walk_step(walk);
	bool held;

	if (!step)
		return NULL;
	step->depth = depth;
	step->index = format_index(f, guest);
	step->space = GSC_PHYS;
	step->guest = false;
	step->table = table;
	step->address = table + (uint64_t)step->index * f->bytes;
	held = walk_fetch(t, walk, f, GSC_PHYS, step->address, step);
	/* All levels have one name towards users; the name of the definition tells them apart. */
	step->entry.level = LEVEL_NAME;
	if (!held) {
		snprintf(walk->stop_level, sizeof(walk->stop_level), LEVEL_NAME);
		return NULL;
	}
	*raw = step->entry.words[0] | (uint64_t)step->entry.words[1] << 32;
	step->entry.valid = vtd_valid(f, *raw);
	return step;
}

/* Whether the entry may be used; `granted` is what it and those above it grant. */
static bool passes(struct gsc_walk *walk, const struct format *f, const struct gsc_step *step,
		   uint64_t raw, uint64_t guest, enum gsc_intent intent, unsigned granted)
{
	unsigned lacks = needed(intent) & ~granted;

	if (!vtd_valid(f, raw))
		stop_at(walk, GSC_STOP_NOT_PRESENT, f, step, guest, "not present");
	else if (is_reserved(f, raw))
		stop_at(walk, GSC_STOP_RESERVED_BITS, f, step, guest, "reserved bits are set");
	else if (lacks)
		stop_at(walk, GSC_STOP_NOT_PERMITTED, f, step, guest,
			lacks & GRANT_WRITE ? "not writable" : "not readable");
	else
		return true;
	return false;
}

static bool walk_down(struct gsc_translation *t, struct gsc_walk *walk, uint64_t guest,
		      unsigned depth, enum gsc_intent intent, uint64_t *physical,
		      uint64_t *page_size)
{
	uint64_t table = t->options.vtd.root & ~UINT64_C(0xfff);
	const struct format *f = vtd_top(t);
	unsigned granted = GRANT_ANY;

	for (unsigned level = 0; f && level < LEVELS_MOST; level++) {
		const struct gsc_step *step;
		const struct format *page = NULL;
		uint64_t raw;

		step = take_step(t, walk, f, table, guest, depth, &raw);
		if (!step)
			return false;
		if (format_is_page(f, raw))
			page = format_page(f);
		granted &= (unsigned)raw;
		if (!passes(walk, page ? page : f, step, raw, guest, intent, granted))
			return false;
		if (page) {
			*physical = format_address(page, raw) | (guest & offset_mask(page));
			*page_size = page->page_size;
			return true;
		}
		table = format_address(f, raw);
		f = format_below(f, raw);
	}
	walk_stop(walk, GSC_STOP_NOT_PRESENT,
		  "guest-physical 0x%llx: the definitions have no page in %u second-level tables",
		  (unsigned long long)guest, t->options.vtd.levels);
	return false;
}

bool vtd_walk(struct gsc_translation *t, struct gsc_walk *walk, uint64_t guest, unsigned depth,
	      enum gsc_intent intent, uint64_t *physical, uint64_t *page_size)
{
	if (is_beyond(t, guest)) {
		walk_stop(walk, GSC_STOP_BEYOND_TABLE,
			  "guest-physical 0x%llx is past the %u bits of %u second-level tables",
			  (unsigned long long)guest, 12 + 9 * t->options.vtd.levels,
			  t->options.vtd.levels);
		return false;
	}
	return walk_down(t, walk, guest, depth, intent, physical, page_size);
}

/* ---- silently ------------------------------------------------------------------------------ */

/* Entries that are looked at to tell how far an answer holds. */
#define ROW_MOST 64

/* An entry and those behind it in its table, as far as they lie here. */
struct row {
	const struct format *format;
	const uint8_t *data;
	size_t count;
	uint64_t raw;
};

static bool holds(const struct held *s, uint64_t address)
{
	return s->data && address >= s->start && address - s->start < s->bytes;
}

static void remember(struct gsc_translation *t, uint64_t address)
{
	size_t bytes = 0;
	const uint8_t *data = gsc_span(t->source, GSC_PHYS, address, &bytes);

	t->second_level_cache = (struct held){ GSC_PHYS, address, bytes, data };
}

/* The bytes of memory from an address on, if they are at hand: mostly those asked for last. */
static const uint8_t *span(struct gsc_translation *t, uint64_t address, uint64_t *length)
{
	const struct held *cache = &t->second_level_cache;

	if (!holds(cache, address))
		remember(t, address & ~UINT64_C(0xfff));
	if (!holds(cache, address))
		remember(t, address);
	if (!holds(cache, address))
		return NULL;
	*length = cache->bytes - (address - cache->start);
	return cache->data + (address - cache->start);
}

static uint64_t load_entry(const uint8_t *data)
{
	uint64_t raw;

	memcpy(&raw, data, sizeof(raw));
	return le64toh(raw);
}

/* Of a source whose bytes are not at hand, one entry. */
static enum gsc_stop get_row(struct gsc_translation *t, const struct format *f, uint64_t table,
			     uint64_t guest, struct row *row)
{
	uint64_t at = (uint64_t)format_index(f, guest) * f->bytes, length = 0;

	row->format = f;
	row->data = span(t, table + at, &length);
	if (row->data && length >= 8) {
		row->count = (size_t)MIN((format_table_bytes(f) - at) / 8, length / 8);
		row->raw = load_entry(row->data);
		return GSC_STOP_NONE;
	}
	row->count = 1;
	return gsc_read(t->source, GSC_PHYS, table + at, 8, &row->raw) ? GSC_STOP_NO_MEMORY :
									 GSC_STOP_NONE;
}

static bool continues(const struct row *row, uint64_t raw, uint64_t expected)
{
	const struct format *page = format_page(row->format);

	return !((raw ^ row->raw) & GRANT_ANY) && format_is_page(row->format, raw) &&
	       !is_reserved(page, raw) && format_address(page, raw) == expected;
}

/* How many bytes the pages of the row give in one piece, all readable and writable alike. */
static uint64_t piece_length(const struct row *row, uint64_t target)
{
	uint64_t size = UINT64_C(1) << row->format->index_lo;
	size_t i, most = MIN(row->count, (size_t)ROW_MOST);

	for (i = 1; i < most; i++) {
		uint64_t raw = load_entry(row->data + i * 8);

		if (raw != row->raw + i * size && !continues(row, raw, target + i * size))
			break;
	}
	return i * size;
}

static void take_row(const struct row *row, uint64_t guest, uint64_t *physical, uint64_t *length)
{
	const struct format *page = format_page(row->format);
	uint64_t target = format_address(page, row->raw), offset = guest & offset_mask(page);

	*physical = target | offset;
	*length = piece_length(row, target) - offset;
}

/* What the entry says by itself. */
static enum gsc_stop row_stop(const struct row *row, unsigned granted)
{
	const struct format *f = row->format;

	if (!vtd_valid(f, row->raw))
		return GSC_STOP_NOT_PRESENT;
	if (is_reserved(format_is_page(f, row->raw) ? format_page(f) : f, row->raw))
		return GSC_STOP_RESERVED_BITS;
	return granted ? GSC_STOP_NONE : GSC_STOP_NOT_PERMITTED;
}

/* Nothing is behind the rest of what an entry spans. */
static enum gsc_stop fail_row(enum gsc_stop stop, const struct format *f, uint64_t guest,
			      uint64_t *length)
{
	*length = offset_mask(f) + 1 - (guest & offset_mask(f));
	return stop;
}

enum gsc_stop vtd_look(struct gsc_translation *t, uint64_t guest, uint64_t *physical,
		       uint64_t *length, unsigned *granted)
{
	uint64_t table = t->options.vtd.root & ~UINT64_C(0xfff);
	const struct format *f = vtd_top(t);
	struct row row;

	*granted = GRANT_ANY;
	*length = UINT64_MAX - guest;
	if (is_beyond(t, guest))
		return GSC_STOP_BEYOND_TABLE;
	for (unsigned level = 0; f && level < LEVELS_MOST; level++) {
		enum gsc_stop stop = get_row(t, f, table, guest, &row);

		if (!stop) {
			*granted &= (unsigned)row.raw;
			stop = row_stop(&row, *granted);
		}
		if (stop)
			return fail_row(stop, f, guest, length);
		if (format_is_page(f, row.raw)) {
			take_row(&row, guest, physical, length);
			return GSC_STOP_NONE;
		}
		table = format_address(f, row.raw);
		f = format_below(f, row.raw);
	}
	return GSC_STOP_NOT_PRESENT;
}

enum gsc_stop vtd_resolve(struct gsc_translation *t, uint64_t guest, uint64_t *physical,
			  uint64_t *length)
{
	unsigned granted;

	return vtd_look(t, guest, physical, length, &granted);
}
