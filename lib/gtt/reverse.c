/* SPDX-License-Identifier: MIT */
/* Which graphics addresses reach a physical one: a pass that tells only pages with it. */
#include "gtt/fold.h"

#include <string.h>

struct reverser {
	enum gsc_space space;
	uint64_t physical;
	gsc_reverse_fn *each;
	void *context;
	uint64_t start, step, pages;	/* pages side by side that reach it; 0: none so far */
};

/* ---- what is found ------------------------------------------------------------------------ */

static bool flush(struct reverser *r)
{
	uint64_t pages = r->pages;

	r->pages = 0;
	if (pages > CONSTANT_PAGES)
		return r->each(r->context, r->start, pages, r->step);
	for (uint64_t i = 0; i < pages; i++)
		if (!r->each(r->context, r->start + i * r->step, 1, r->step))
			return false;
	return true;
}

static bool reached(struct reverser *r, uint64_t va, uint64_t step, uint64_t pages)
{
	if (r->pages && r->step == step && r->start + r->pages * step == va) {
		r->pages += pages;
		return true;
	}
	if (!flush(r))
		return false;
	r->start = va;
	r->step = step;
	r->pages = pages;
	return true;
}

/* ---- looking ------------------------------------------------------------------------------ */

/* How far from its start a stretch of targets reaches the address. */
static bool reaches(struct scan *scan, enum gsc_space space, uint64_t target, uint64_t bytes,
		    uint64_t *offset)
{
	const struct reverser *r = scan->context;
	uint64_t done = 0;

	if (space != r->space)
		return false;
	while (done < bytes) {
		uint64_t host = target + done, length = 0;

		if (space == GSC_PHYS && !scan_host(scan, target + done, &host, &length)) {
			done += scan_step_over(target + done, length, bytes - done);
			continue;
		}
		length = space == GSC_PHYS ? MIN(length, bytes - done) : bytes - done;
		*offset = done + (r->physical - host);
		if (r->physical - host < length)
			return true;
		done += length;
	}
	return false;
}

static bool entry_reaches(struct scan *scan, const struct scan_level *l, uint64_t raw,
			  uint64_t *offset)
{
	if (raw & l->format->null_mask)
		return false;
	return reaches(scan, format_local(l->format, raw) ? GSC_LMEM : GSC_PHYS,
		       leaf_target(l, raw), l->span, offset);
}

/* Tables with nothing of interest are not gone through again. */
static bool reverse_chunk(struct scan *scan, struct chunk *chunk)
{
	const struct scan_level *l = chunk->level;
	uint64_t offset;

	chunk->pages = 0;
	for (unsigned i = 0; i < chunk->count; i++) {
		uint64_t raw = entry_load(l, chunk->data + (size_t)i * l->stride);

		if (!bits_test(chunk->bits.valid, i) || !entry_reaches(scan, l, raw, &offset))
			continue;
		chunk->pages++;
		if (!reached(scan->context, chunk->va + i * l->span + offset, l->span, 1))
			return false;
	}
	return true;
}

static bool reverse_run(struct scan *scan, const struct run *run)
{
	uint64_t offset;

	if (run->entry & run->leaf->format->null_mask ||
	    !reaches(scan, run->space, run->physical, run->length, &offset))
		return true;
	return reached(scan->context, run->va + offset, run->length, 1);
}

static bool reverse_constant(struct scan *scan, uint64_t va, uint64_t length,
			     const struct summary *page)
{
	uint64_t offset, step = page->leaf->span;

	if (!entry_reaches(scan, page->leaf, page->entry, &offset))
		return true;
	return reached(scan->context, va + offset, step, length / step);
}

static const struct scan_visitor reverse_visitor = {
	.chunk = reverse_chunk,
	.run = reverse_run,
	.constant = reverse_constant,
};

enum gsc_status gsc_reverse(struct gsc_translation *translation, enum gsc_space space,
			    uint64_t physical, gsc_reverse_fn *each, void *context,
			    struct gsc_error *err)
{
	struct reverser r = { .space = space, .physical = physical, .each = each,
			      .context = context };
	struct scan *scan = calloc(1, sizeof(*scan));
	enum gsc_status status;

	if (!scan)
		return err_memory(err);
	scan->expand = true;
	status = scan_run(scan, translation, &reverse_visitor, &r, err);
	if (status == GSC_OK && !scan->ended)
		flush(&r);
	scan_free(scan);
	free(scan);
	return status;
}
