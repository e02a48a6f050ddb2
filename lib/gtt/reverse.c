/* SPDX-License-Identifier: MIT */
/*
 * Which graphics addresses reach a physical one: a pass that reports only pages that contain it.
 * Tables that lead to themselves make 2^36 addresses of a few entries: the limit on results is the
 * limit on what is kept.
 */
#include "gtt/scan.h"

/* This many addresses are reported before tables that were already met become repeats. */
#define EXPANDED_MOST 4096

/* Guest-physical addresses of one page of memory that are kept. */
#define GUESTS_MOST (64 * 1024)

struct reverser {
	enum gsc_space space;
	uint64_t physical;
	gsc_reverse_fn *each;
	void *context;
	struct gsc_reached last;	/* may still grow; no pages: none so far */
	uint64_t told;
	VEC(uint64_t) guests;		/* in order, if a second level maps them to it */
	bool guests_known, failed;
};

/* ---- what is found ------------------------------------------------------------------------ */

static bool tell(struct reverser *r, const struct gsc_reached *reached)
{
	r->told++;
	return r->each(r->context, reached);
}

static bool flush(struct reverser *r)
{
	struct gsc_reached last = r->last;
	uint64_t pages = last.pages;

	r->last.pages = 0;
	if (!pages)
		return true;
	if (last.repeat || pages > CONSTANT_PAGES || r->told >= EXPANDED_MOST)
		return tell(r, &last);
	last.pages = 1;
	for (uint64_t i = 0; i < pages; i++, last.address += last.page_size)
		if (!tell(r, &last))
			return false;
	return true;
}

static bool reached(struct scan *scan, uint64_t va, uint64_t step, uint64_t pages)
{
	struct reverser *r = scan->context;
	struct gsc_reached *last = &r->last;

	if (last->pages && !last->repeat && last->page_size == step &&
	    last->address + last->pages * step == va) {
		last->pages += pages;
		return true;
	}
	if (!flush(r))
		return false;
	*last = (struct gsc_reached){ .address = va, .pages = pages, .page_size = step };
	scan->expand = r->told < EXPANDED_MOST;
	return true;
}

static bool reverse_repeat(struct scan *scan, uint64_t va, uint64_t length, uint64_t of,
			   const struct summary *below)
{
	struct reverser *r = scan->context;
	struct gsc_reached *last = &r->last;

	if (last->pages && last->repeat && last->end == va && last->of == of) {
		last->end += length;
		last->pages += below->pages;
		return true;
	}
	if (!flush(r))
		return false;
	*last = (struct gsc_reached){
		.pages = below->pages,
		.page_size = below->leaf->span,
		.repeat = true,
		.start = va,
		.end = va + length,
		.of = of,
	};
	return true;
}

/* ---- guest-physical addresses -------------------------------------------------------------- */

static bool keep_guest(void *context, const struct gsc_reached *guest)
{
	struct reverser *r = context;

	r->guests_known = !guest->repeat && guest->pages <= GUESTS_MOST - r->guests.count;
	for (uint64_t i = 0; r->guests_known && !r->failed && i < guest->pages; i++)
		r->failed = !vec_push(&r->guests, guest->address + i * guest->page_size);
	return r->guests_known && !r->failed;
}

/* The second level is traversed once, not for each page above it. */
static void find_guests(struct reverser *r, const struct gsc_translation *above,
			struct gsc_map_holes *holes)
{
	const struct gsc_second_level *vtd = &above->options.vtd;
	struct gsc_translation_options options = {
		.root = { .mode = GSC_MODE_VTD, .value = { vtd->root, vtd->levels }, .count = 2 },
	};
	struct gsc_translation *t;
	struct gsc_error ignored;

	if (r->space != GSC_PHYS || gsc_translation_new(&t, above->gpu, &options, &ignored))
		return;
	r->guests_known = true;
	if (gsc_reverse(t, GSC_PHYS, r->physical, keep_guest, r, holes, &ignored))
		r->guests_known = false;
	gsc_translation_free(t);
}

/* ---- looking ------------------------------------------------------------------------------ */

/* How far from its start, and at `from` at least, a range of targets reaches the address. */
static bool reaches(struct scan *scan, const struct run *run, uint64_t from, uint64_t *offset)
{
	const struct reverser *r = scan->context;
	uint64_t done = from, target = run->physical, bytes = run->length;
	bool nested = run_is_nested(scan, run);

	if (run->space != r->space || run->entry & run->leaf->format->null_mask)
		return false;
	if (from < bytes && nested && r->guests_known) {
		size_t i = 0, high = r->guests.count;

		/* The first one that is not below. */
		while (i < high) {
			size_t middle = i + (high - i) / 2;

			if (r->guests.items[middle] < target + from)
				i = middle + 1;
			else
				high = middle;
		}

		*offset = i < r->guests.count ? r->guests.items[i] - target : bytes;
		return *offset < bytes;
	}
	while (done < bytes) {
		uint64_t host = target + done, length = 0;

		if (nested && !scan_host(scan, target + done, &host, &length)) {
			done += scan_step_over(target + done, length, bytes - done);
			continue;
		}
		length = nested ? MIN(length, bytes - done) : bytes - done;
		*offset = done + (r->physical - host);
		if (r->physical - host < length)
			return true;
		done += length;
	}
	return false;
}

/*
 * All places in a range of targets that reach the address, for so many pages of `step` each; the
 * search in a page ends if too many were reported already. How many go to *found.
 */
static bool find_all(struct scan *scan, const struct run *run, uint64_t step, uint64_t pages,
		     uint64_t *found)
{
	const struct reverser *r = scan->context;
	uint64_t offset;

	for (uint64_t from = 0; reaches(scan, run, from, &offset);
	     from = r->told < EXPANDED_MOST ? offset + 1 : UINT64_MAX) {
		++*found;
		if (!reached(scan, run->va + offset, step, pages))
			return false;
	}
	return true;
}

/* Tables with nothing of interest are not traversed again. */
static bool reverse_chunk(struct scan *scan, struct chunk *chunk)
{
	const struct scan_level *l = chunk->level;

	chunk->pages = 0;
	for (unsigned i = 0; i < chunk->count; i++) {
		struct summary page = { .leaf = l };
		struct run run;

		if (!bits_test(chunk->bits.valid, i))
			continue;
		page.entry = entry_load(l, chunk->data + (size_t)i * l->stride);
		run = run_of_summary(scan, &page, chunk->va + i * l->span, l->span);
		if (!find_all(scan, &run, l->span, 1, &chunk->pages))
			return false;
	}
	return true;
}

static bool reverse_run(struct scan *scan, const struct run *run)
{
	uint64_t found = 0;

	return find_all(scan, run, run->length, 1, &found);
}

static bool reverse_constant(struct scan *scan, uint64_t va, uint64_t length,
			     const struct summary *page)
{
	uint64_t step = page->leaf->span, found = 0;
	struct run run = run_of_summary(scan, page, va, step);

	return find_all(scan, &run, step, length / step, &found);
}

static const struct scan_visitor reverse_visitor = {
	.chunk = reverse_chunk,
	.run = reverse_run,
	.constant = reverse_constant,
	.repeat = reverse_repeat,
};

enum gsc_status gsc_reverse(struct gsc_translation *translation, enum gsc_space space,
			    uint64_t physical, gsc_reverse_fn *each, void *context,
			    struct gsc_map_holes *holes, struct gsc_error *err)
{
	struct reverser r = { .space = space, .physical = physical, .each = each,
			      .context = context };
	struct scan *scan = calloc(1, sizeof(*scan));
	enum gsc_status status;

	if (holes)
		memset(holes, 0, sizeof(*holes));
	if (!scan)
		return err_memory(err);
	scan->t = translation;
	scan->expand = true;
	if (scan_nested(scan))
		find_guests(&r, translation, &scan->holes);
	status = scan_run(scan, translation, &reverse_visitor, &r, err);
	if (status == GSC_OK && !scan->ended)
		flush(&r);
	if (r.failed)
		status = err_memory(err);
	if (holes)
		*holes = scan->holes;
	vec_free(&r.guests);
	scan_free(scan);
	free(scan);
	return status;
}
