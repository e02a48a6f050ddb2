/* SPDX-License-Identifier: MIT */
/* The map of addresses: ranges as they are defined, as a platform has them, and as text. */
#include "db/view.h"

#include "util/text.h"

bool gsc_range_at(const struct gsc_db *db, const struct gsc_view *view, size_t i,
		  struct gsc_range *range)
{
	const struct layer *l = view ? NULL : db_layer_of(db, B_RANGES, &i);
	const struct b_range *r;

	if (view && i < view->ranges.count)
		*range = view->ranges.items[i];
	if (!l)
		return view && i < view->ranges.count;
	r = LAYER_ITEM(l, B_RANGES, struct b_range, (uint32_t)i);
	*range = (struct gsc_range){
		.start = r->start, .last = r->last, .use = r->use,
		.kind = layer_text(l, r->kind),
		.why = layer_text_or_null(l, r->why), .wake = layer_text_or_null(l, r->wake),
		.engines = r->engines, .instance = r->instance,
		.platforms = r->where.platforms, .revisions = where_stepped(&r->where),
	};
	layer_origin(l, r->origin, &range->document, &range->section);
	return true;
}

/* A range, or the same from the base of each engine that it is for. */
static bool add(struct gsc_view *view, const struct gsc_range *range)
{
	struct gsc_engine_place engine;
	struct gsc_range placed = *range;

	placed.order = view->ranges.count;
	if (!range->engines)
		return vec_push(&view->ranges, placed);
	for (size_t i = 0; (placed.engine = gsc_platform_engine(view->db, view->platform, i,
								&engine)); i++) {
		placed.start = range->start + engine.base;
		placed.last = range->last + engine.base;
		placed.engines = 1u << engine.engine_class;
		placed.instance = (int)engine.instance;
		if (range->engines & placed.engines &&
		    (range->instance < 0 || range->instance == placed.instance) &&
		    !vec_push(&view->ranges, placed))
			return false;
	}
	return true;
}

/*
 * What decides about reads; owners and copies; wells. Each from the narrowest on; of equal ones the
 * first, which may be the user's.
 */
static int compare(const void *a, const void *b)
{
	static const int ranks[] = { [RANGE_OWNED] = 1, [RANGE_STEERED] = 1, [RANGE_SLEEPS] = 2 };
	const struct gsc_range *x = a, *y = b;
	uint64_t of_x = x->last - x->start, of_y = y->last - y->start;

	if (ranks[x->use] != ranks[y->use])
		return ranks[x->use] - ranks[y->use];
	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

bool view_add_ranges(struct gsc_view *view)
{
	struct gsc_range range;

	for (size_t i = 0; gsc_range_at(view->db, NULL, i, &range); i++)
		if (gsc_view_sees(view, range.platforms, &range.revisions) && !add(view, &range))
			return false;
	vec_sort(&view->ranges, compare);
	return true;
}

bool gsc_range_next(const struct gsc_view *view, uint64_t offset, size_t *i,
		    struct gsc_range *range)
{
	while (gsc_range_at(view->db, view, (*i)++, range))
		if (offset >= range->start && offset <= range->last)
			return true;
	return false;
}

/* A range that names nobody does not say whose it is. */
bool gsc_view_range(const struct gsc_view *view, enum range_use use, enum gsc_space space,
		    uint64_t offset, struct gsc_range *range)
{
	for (size_t i = 0; space == GSC_MMIO && gsc_range_next(view, offset, &i, range);)
		if (use == RANGE_TOLD ? range->use == use : range->use != RANGE_TOLD && range->why)
			return true;
	return false;
}

/* ---- as text -------------------------------------------------------------------------------- */

const char *gsc_range_text(const struct gsc_range *range, char *buf, size_t size)
{
	const char *before = range->use == RANGE_TOLD ? range->kind : range->engine;
	struct text t = text_begin(buf, size);

	text_add(&t, "%s", before ? before : "");
	if (range->why)
		text_join(&t, ": ", range->why);
	if (range->wake)
		text_add(&t, "%sforcewake %s", t.used ? ", " : "", range->wake);
	if (range->use == RANGE_STEERED)
		text_join(&t, ", ", "replicated");
	return buf;
}

const char *gsc_address_text(const struct gsc_view *view, uint64_t offset, char *buf, size_t size)
{
	static const enum range_use uses[] = { RANGE_OWNED, RANGE_TOLD };
	struct text t = text_begin(buf, size);
	char text[RANGE_TEXT_MAX];
	struct gsc_range range;

	for (size_t i = 0; i < ARRAY_SIZE(uses); i++)
		if (gsc_view_range(view, uses[i], GSC_MMIO, offset, &range))
			text_add(&t, "%s%s, 0x%llx-0x%llx", t.used ? "; " : "",
				 gsc_range_text(&range, text, sizeof(text)), LL(range.start),
				 LL(range.last));
	return t.used ? buf : "in no documented range";
}
