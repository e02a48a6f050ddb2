/* SPDX-License-Identifier: MIT */
/* Runs of pages in the order of addresses, each held back until no later page can belong to it. */
#include "gtt/scan.h"

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
