/* SPDX-License-Identifier: MIT */
/*
 * Values that a dump lists and that no register of the platform shows: because nothing is defined
 * there, or because the dump has only a part of it.
 */
#include "regs/regs.h"
#include "source/part.h"

#include <string.h>

/* Bytes that registers show: sorted and disjoint, as in pieces. */
struct shown {
	enum gsc_space space;
	uint64_t start, end;
};

typedef VEC(struct shown) shown_vec;

struct loose_search {
	struct gsc_source *source;
	loose_vec *out;
	const shown_vec *shown;
	size_t at;			/* in shown: the first that may reach what comes */
	bool failed;
};

/* Only where something is listed. No register is wider than 8 bytes. */
static bool find_shown(shown_vec *shown, const struct gsc_view *view, struct gsc_source *source)
{
	bool live = gsc_source_live(source);
	struct shown *last;
	size_t next = 0;

	for (size_t k = 0; k < source->listed.count; k++) {
		const struct listed *listed = &source->listed.items[k];
		enum gsc_space space = (enum gsc_space)listed->space;
		unsigned step = space == GSC_SIDEBAND ? 4 : 1;
		uint64_t from = listed->address > 7 ? listed->address - 7 : 0;
		size_t i = MAX(next, gsc_view_seek(view, space, from / step));

		for (; i < view->count && view->insts[i].space == space; i++) {
			unsigned size = step == 4 ? 4 : inst_traits(view, i)->bits / 8u;
			uint64_t offset = view->insts[i].offset, start, value;

			if (!space_place(space, offset, &start))
				continue;
			if (start >= listed->address + listed->length)
				break;
			/* A device is not read for the sake of a list. */
			if (!live && gsc_read(source, space, offset, size, &value))
				continue;
			last = shown->count ? &shown->items[shown->count - 1] : NULL;
			if (last && last->space == space && last->end >= start) {
				last->end = MAX(last->end, start + size);
				continue;
			}
			last = vec_add(shown);
			if (!last)
				return false;
			*last = (struct shown){ space, start, start + size };
		}
		next = i;
	}
	return true;
}

/* The first stretch that ends past an address, or one behind all; addresses come in order. */
static struct shown shown_from(struct loose_search *f, enum gsc_space space, uint64_t address)
{
	const struct shown *items = f->shown->items;

	while (f->at < f->shown->count && (items[f->at].space < space ||
		(items[f->at].space == space && items[f->at].end <= address)))
		f->at++;
	return f->at < f->shown->count && items[f->at].space == space ?
	       items[f->at] : (struct shown){ space, UINT64_MAX, UINT64_MAX };
}

/* [start, end) is one value, or a row of dwords; adjacent rows become one. */
static void add(struct loose_search *f, const struct listed *listed, uint64_t start, uint64_t end)
{
	enum gsc_space space = (enum gsc_space)listed->space;
	struct loose *last = f->out->count ? &f->out->items[f->out->count - 1] : NULL;
	struct item item = {
		.reg = NONE,
		.whole = true,
		.space = space,
		.start = space == GSC_SIDEBAND ? start / 4 : start,
		.last = space == GSC_SIDEBAND ? start / 4 : end - 1,
	};

	if (listed->row && last && last->row && last->item.space == space &&
	    last->item.last + 1 == start) {
		last->item.last = end - 1;
		last->item.range = true;
		return;
	}
	item.range = listed->row && end - start > 4;
	f->failed |= !vec_push(f->out, (struct loose){
		.item = item, .row = listed->row,
		.name = listed_name(f->source, space, item.start) });
}

/* Dword by dword, those with at least a byte that is not shown. */
static void add_parts(struct loose_search *f, const struct listed *listed)
{
	uint64_t end = listed->address + listed->length;
	unsigned step = listed->unit < 4 ? listed->unit : 4;

	for (uint64_t at = listed->address, to; at < end; at = to) {
		struct shown next = shown_from(f, (enum gsc_space)listed->space, at);

		if (next.start <= at && next.end >= MIN(at + step, end)) {
			to = at + (MIN(next.end, end) - at) / step * step;
			continue;
		}
		to = MIN(at + step, end);
		/* A row continues to the dword where the next register begins. */
		if (listed->row && next.start > to)
			to = at + (MIN(next.start, end) - at) / step * step;
		add(f, listed, at, to);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct item *x = &((const struct loose *)a)->item;
	const struct item *y = &((const struct loose *)b)->item;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->last > y->last ? -1 : x->last < y->last;
}

bool loose_find(loose_vec *loose, const struct gsc_view *view, struct gsc_source *const *sources)
{
	bool done = true;
	size_t kept;

	for (size_t i = 0; i < SELECTED_SOURCES && done; i++) {
		struct loose_search f = { .source = sources[i], .out = loose };
		shown_vec shown = { 0 };

		if (!sources[i] || !sources[i]->listed.count)
			continue;
		f.shown = &shown;
		done = find_shown(&shown, view, sources[i]);
		for (size_t k = 0; done && !f.failed && k < sources[i]->listed.count; k++) {
			const struct listed *listed = &sources[i]->listed.items[k];
			struct shown next = shown_from(&f, (enum gsc_space)listed->space,
						       listed->address);
			size_t at = f.at;

			if (!listed->row && next.start >= listed->address + listed->length)
				add(&f, listed, listed->address, listed->address + listed->length);
			else
				add_parts(&f, listed);
			/* A part of the next one may be in here. */
			f.at = at;
		}
		done = done && !f.failed;
		vec_free(&shown);
	}
	if (!done || !loose->count)
		return done;
	qsort(loose->items, loose->count, sizeof(*loose->items), by_place);
	/* What is inside another one is shown by that. */
	kept = 0;
	for (size_t i = 0; i < loose->count; i++) {
		struct loose now = loose->items[i];
		const struct item *last = kept ? &loose->items[kept - 1].item : NULL;

		if (last && last->space == now.item.space && now.item.start <= last->last) {
			if (now.item.last <= last->last)
				continue;
			if (now.item.range)
				now.item.start = (last->last + 4) & ~UINT64_C(3);
			if (now.item.start > now.item.last)
				continue;
		}
		loose->items[kept++] = now;
	}
	loose->count = kept;
	return true;
}
