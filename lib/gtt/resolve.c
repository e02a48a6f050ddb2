/* SPDX-License-Identifier: MIT */
/*
 * Where an address lands, silently: what a batch is read through. Neighbours are asked for next, so
 * each level remembers the memory that it read last, and pages are remembered as a whole; but
 * nothing of a source that has no bytes in memory here, as those may change.
 */
#include "gtt/gtt.h"
#include "source/source.h"

#include <string.h>

static bool holds(const struct held *s, enum gsc_space space, uint64_t address, unsigned bytes)
{
	return s->data && s->space == space && address >= s->start &&
	       address - s->start < s->bytes && s->bytes - (address - s->start) >= bytes;
}

/* From a table of a page at most: what is below a second level is in one piece no longer. */
static enum gsc_stop find_bytes(struct gsc_translation *t, enum gsc_space space, uint64_t address,
				uint64_t *physical, uint64_t *length)
{
	*physical = address;
	*length = UINT64_MAX;
	if (space != GSC_PHYS)
		return GSC_STOP_NONE;
	if (t->iommu)
		return GSC_STOP_IOMMU;
	return t->options.vtd.on ? vtd_resolve(t, address, physical, length) : GSC_STOP_NONE;
}

/* Entries have 4 or 8 bytes, or more of which 8 count; the host is little-endian (db/blob.h). */
static uint64_t load_entry(const uint8_t *data, unsigned size)
{
	uint32_t half;
	uint64_t whole;

	if (size == 4) {
		memcpy(&half, data, 4);
		return half;
	}
	memcpy(&whole, data, 8);
	return whole;
}

static enum gsc_stop read_entry(struct gsc_translation *t, struct held *cache,
				enum gsc_space space, uint64_t address, unsigned bytes,
				uint64_t *raw)
{
	unsigned size = MIN(bytes, 8u);
	uint64_t physical, length;
	enum gsc_stop stop;
	size_t span;

	if (holds(cache, space, address, size)) {
		*raw = load_entry(cache->data + (address - cache->start), size);
		return GSC_STOP_NONE;
	}
	stop = find_bytes(t, space, address, &physical, &length);
	if (stop)
		return stop;
	cache->data = gsc_span(t->source, space, physical, &span);
	cache->space = space;
	cache->start = address;
	cache->bytes = cache->data ? MIN(span, length) : 0;
	if (holds(cache, space, address, size)) {
		*raw = load_entry(cache->data, size);
		return GSC_STOP_NONE;
	}
	t->moving = true;
	return gsc_read(t->source, space, physical, size, raw) ? GSC_STOP_NO_MEMORY :
								 GSC_STOP_NONE;
}

static enum gsc_stop resolve_page(struct gsc_translation *t, uint64_t address, struct page *page)
{
	struct cursor cursor;
	enum gsc_stop stop = tables_begin(t, address, &cursor);
	bool more = !stop;

	while (more) {
		uint64_t raw;

		stop = read_entry(t, &t->cache[cursor.level], cursor.space, cursor_entry(&cursor),
				  cursor.format->bytes, &raw);
		if (stop)
			return stop;
		stop = cursor_take(t, &cursor, raw, page, &more);
	}
	return stop;
}

/* The address is guest-physical already. */
static enum gsc_stop resolve_guest(struct gsc_translation *t, uint64_t address, struct page *page)
{
	if (address >= t->limit)
		return GSC_STOP_BEYOND_TABLE;
	*page = (struct page){ GSC_PHYS, address, 4096, t->limit - address, 4095, false,
				false };
	return GSC_STOP_NONE;
}

enum gsc_stop tables_resolve(struct gsc_translation *t, uint64_t address, enum gsc_space *space,
			     uint64_t *physical, uint64_t *length)
{
	struct page page = { 0 };
	enum gsc_stop stop = t->mode == GSC_MODE_VTD ? resolve_guest(t, address, &page) :
						       resolve_page(t, address, &page);
	uint64_t piece;

	if (stop)
		return stop;
	*space = page.null ? GSC_SPACES : page.space;
	*physical = page.address;
	*length = page.left;
	if (page.null || page.direct)
		return GSC_STOP_NONE;
	stop = find_bytes(t, page.space, page.address, physical, &piece);
	*length = MIN(*length, piece);
	return stop;
}

static struct recent *recent_page(struct gsc_translation *t, uint64_t address)
{
	/* Fibonacci hashing: buffers like to begin at round addresses. */
	return &t->recent[(address / 4096 * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RECENT_PAGES];
}

/* Without a second level a page is one piece from where it begins. */
static enum gsc_stop resolve_alone(struct gsc_translation *t, uint64_t address,
				   enum gsc_space *space, uint64_t *physical, uint64_t *length)
{
	struct recent *recent = recent_page(t, address);
	struct page page = { 0 };
	enum gsc_stop stop;
	uint64_t before;

	if (address - recent->start < recent->bytes) {
		*space = recent->space;
		*physical = recent->physical + (address - recent->start);
		*length = recent->bytes - (address - recent->start);
		return GSC_STOP_NONE;
	}
	t->moving = false;
	stop = resolve_page(t, address, &page);
	if (stop)
		return stop;
	if (t->iommu && !page.direct && !page.null)
		return GSC_STOP_IOMMU;
	*space = page.null ? GSC_SPACES : page.space;
	*physical = page.address;
	*length = page.left;
	before = address & page.within & 4095;
	if (!t->moving && !page.null)
		*recent = (struct recent){ page.space, address - before, page.left + before,
					   page.address - before };
	return GSC_STOP_NONE;
}

enum gsc_stop gsc_resolve(struct gsc_translation *t, uint64_t address, enum gsc_space *space,
			  uint64_t *physical, uint64_t *length)
{
	uint64_t target = address, piece = UINT64_MAX;
	enum gsc_stop stop = GSC_STOP_NONE;

	if (!t->options.vtd.on && !t->options.trtt.on)
		return resolve_alone(t, address, space, physical, length);
	if (t->options.trtt.on && address_canonical(&target, 48) &&
	    trtt_holds(&t->options.trtt, target))
		stop = trtt_resolve(t, target, &address, &piece);
	if (!stop)
		stop = tables_resolve(t, address, space, physical, length);
	if (!stop)
		*length = MIN(*length, piece);
	return stop;
}

/* ---- bytes --------------------------------------------------------------------------------- */

/* In blocks; where there is none, in the widest reads that fit. */
static size_t copy_bytes(struct gsc_source *source, enum gsc_space space, uint64_t address,
			 uint8_t *buf, size_t size)
{
	size_t done = 0;

	while (done < size) {
		size_t got = source_block(source, space, address + done, buf + done, size - done);
		unsigned width = 8;
		uint64_t value;

		done += got;
		if (got)
			continue;
		while (width > 1 && (width > size - done || (address + done) % width))
			width /= 2;
		if (gsc_read(source, space, address + done, width, &value))
			break;
		for (unsigned i = 0; i < width; i++)
			buf[done++] = (uint8_t)(value >> 8 * i);
	}
	return done;
}

/* What lies behind an address, up to the end of the page at most. */
static size_t read_page(struct gsc_translation *t, uint64_t address, uint8_t *buf, size_t size)
{
	enum gsc_space space;
	uint64_t physical, length;

	if (gsc_resolve(t, address, &space, &physical, &length))
		return 0;
	size = (size_t)MIN(length, (uint64_t)size);
	if (space != GSC_SPACES)
		return copy_bytes(t->source, space, physical, buf, size);
	memset(buf, 0, size);
	return size;
}

/* Some sources hold memory by its global address only: error states, old traces. */
static size_t read_named(struct gsc_translation *t, uint64_t address, uint8_t *buf, size_t size)
{
	if (t->mode != GSC_MODE_GGTT || !address_canonical(&address, 48))
		return 0;
	return copy_bytes(t->source, GSC_GTTMEM, address, buf,
			  MIN(size, (size_t)(4096 - address % 4096)));
}

size_t gsc_translated_read(struct gsc_translation *t, uint64_t address, void *buf, size_t size)
{
	size_t done = 0;

	while (done < size && address + done >= address) {
		uint8_t *out = (uint8_t *)buf + done;
		size_t got = read_page(t, address + done, out, size - done);

		if (!got)
			got = read_named(t, address + done, out, size - done);
		if (!got)
			break;
		done += got;
	}
	return done;
}
