/* SPDX-License-Identifier: MIT */
/*
 * Where an address lands, without steps, and the bytes there: batches are read through this. Pages
 * are remembered as a whole, unless their entries may change.
 */
#include "gtt/gtt.h"
#include "source/part.h"

#include <string.h>

static const struct walker silent;

/* The mode's own tables and what is below them. */
static enum gsc_stop resolve_page(struct gsc_translation *t, uint64_t address, struct page *page)
{
	enum gsc_stop stop = GSC_STOP_NONE;

	if (t->mode != GSC_MODE_VTD)
		stop = descend(t, STAGE_TABLES, address, &silent, page);
	else if (address < t->limit)
		*page = (struct page){ .address = address, .left = t->limit - address,
				       .space = GSC_PHYS };
	else
		stop = GSC_STOP_BEYOND_TABLE;
	return stop ? stop : descend_guest(t, &silent, page);
}

enum gsc_stop gsc_resolve(struct gsc_translation *t, uint64_t address, enum gsc_space *space,
			  uint64_t *physical, uint64_t *length)
{
	bool alone = !t->options.vtd.on && !t->options.trtt.on;
	/* Fibonacci hashing: buffers tend to begin at round addresses. */
	size_t slot = (address / 4096 * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RECENT_PAGES;
	struct recent *recent = &t->recent[slot];
	uint64_t target = address, piece = UINT64_MAX;
	enum gsc_stop stop = GSC_STOP_NONE;
	struct page page;

	if (alone && address - recent->start < recent->bytes) {
		*space = recent->space;
		*physical = recent->physical + (address - recent->start);
		*length = recent->bytes - (address - recent->start);
		return GSC_STOP_NONE;
	}
	t->moving = false;
	if (t->options.trtt.on && address_canonical(&target, 48) &&
	    trtt_holds(&t->options.trtt, target)) {
		stop = descend(t, STAGE_TILES, target, &silent, &page);
		address = page.address;
		piece = page.left;
	}
	if (!stop)
		stop = resolve_page(t, address, &page);
	if (stop)
		return stop;
	*space = page.null ? GSC_SPACES : page.space;
	*physical = page.address;
	*length = MIN(page.left, piece);
	/* With nothing in front or below, a page is one piece from where it begins. */
	if (alone && !t->moving && !page.null) {
		uint64_t before = address & page.within & 4095;

		*recent = (struct recent){ page.space, address - before, page.left + before,
					   page.address - before };
	}
	return GSC_STOP_NONE;
}

/* ---- bytes --------------------------------------------------------------------------------- */

/* What follows an address, at most up to the end of the page. */
static size_t read_page(struct gsc_translation *t, uint64_t address, uint8_t *buf, size_t size)
{
	enum gsc_space space;
	uint64_t physical, length;

	if (gsc_resolve(t, address, &space, &physical, &length))
		return 0;
	size = (size_t)MIN(length, (uint64_t)size);
	if (space != GSC_SPACES)
		return source_copy(t->gpu->source, space, physical, buf, size, NULL);
	memset(buf, 0, size);
	return size;
}

size_t gsc_translated_read(struct gsc_translation *t, uint64_t address, void *buf, size_t size)
{
	size_t done = 0;

	while (done < size && address + done >= address) {
		uint8_t *out = (uint8_t *)buf + done;
		size_t got = read_page(t, address + done, out, size - done);
		uint64_t named = address + done;

		/* Some sources hold memory by its global address only: error states, old traces. */
		if (!got && t->mode == GSC_MODE_GGTT && address_canonical(&named, 48))
			got = source_copy(t->gpu->source, GSC_GTTMEM, named, out,
					 MIN(size - done, (size_t)(4096 - named % 4096)), NULL);
		if (!got)
			break;
		done += got;
	}
	return done;
}
