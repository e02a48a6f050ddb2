/* SPDX-License-Identifier: MIT */
/* The map of addresses: ranges as they are defined, as a platform has them, and as text. */
#include "db/view.h"

#include "util/text.h"

bool gsc_range_at(const struct gsc_db *db, size_t i, struct gsc_range *range)
{
	const struct layer *l = NULL;
	const struct b_range *r;
	size_t layer;

	for (layer = 0; layer < db_layer_count(db); layer++, i -= layer_count(l, B_RANGES)) {
		l = db_layer(db, layer);
		if (i < layer_count(l, B_RANGES))
			break;
	}
	if (layer == db_layer_count(db))
		return false;
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

/* What decides about reads; owners and copies; wells. Each from the narrowest on. */
static int compare(const void *a, const void *b)
{
	static const int ranks[] = { [RANGE_OWNED] = 1, [RANGE_STEERED] = 1, [RANGE_SLEEPS] = 2 };
	const struct gsc_range *x = a, *y = b;
	uint64_t of_x = x->last - x->start, of_y = y->last - y->start;

	if (ranks[x->use] != ranks[y->use])
		return ranks[x->use] - ranks[y->use];
	return of_x < of_y ? -1 : of_x > of_y;
}

bool view_add_ranges(struct gsc_view *view)
{
	struct gsc_range range;

	for (size_t i = 0; gsc_range_at(view->db, i, &range); i++)
		if (gsc_view_sees(view, range.platforms, &range.revisions) && !add(view, &range))
			return false;
	if (view->ranges.count)
		qsort(view->ranges.items, view->ranges.count, sizeof(range), compare);
	return true;
}

bool gsc_view_range_at(const struct gsc_view *view, size_t i, struct gsc_range *range)
{
	if (i < view->ranges.count)
		*range = view->ranges.items[i];
	return i < view->ranges.count;
}

/* Whose it is does not say a range that names nobody. */
static bool find(const struct gsc_view *view, uint64_t offset, bool owner, struct gsc_range *range)
{
	for (size_t i = 0; gsc_view_range_at(view, i, range); i++)
		if (offset >= range->start && offset <= range->last &&
		    (range->use == RANGE_TOLD ? !owner : owner && range->why))
			return true;
	return false;
}

bool gsc_view_range(const struct gsc_view *view, uint64_t offset, struct gsc_range *range)
{
	return find(view, offset, false, range);
}

bool gsc_view_owner(const struct gsc_view *view, enum gsc_space space, uint64_t offset,
		    struct gsc_range *range)
{
	return space == GSC_MMIO && find(view, offset, true, range);
}

/* ---- as text -------------------------------------------------------------------------------- */

const char *gsc_range_text(const struct gsc_range *range, char *buf, size_t size)
{
	const char *before = range->use == RANGE_TOLD ? range->kind : range->engine;
	const char *after = range->wake ? "forcewake " : range->use == RANGE_STEERED ? "replicated"
			    : NULL;
	const char *why = range->why;

	snprintf(buf, size, "%s%s%s%s%s%s", before ? before : "", before && why ? ": " : "",
		 why ? why : "", after && why ? ", " : "", after ? after : "",
		 range->wake ? range->wake : "");
	return buf;
}

const char *gsc_address_text(const struct gsc_view *view, uint64_t offset, char *buf, size_t size)
{
	struct gsc_range owner, hole;
	bool owned = gsc_view_owner(view, GSC_MMIO, offset, &owner);
	char text[RANGE_TEXT_MAX];

	*buf = 0;
	if (owned)
		snprintf(buf, size, "%s, 0x%llx-0x%llx",
			 gsc_range_text(&owner, text, sizeof(text)), LL(owner.start),
			 LL(owner.last));
	if (gsc_view_range(view, offset, &hole))
		string_addf(buf, size, "%s%s, 0x%llx-0x%llx", owned ? "; " : "",
			    gsc_range_text(&hole, text, sizeof(text)), LL(hole.start),
			    LL(hole.last));
	else if (!owned)
		snprintf(buf, size, "in no documented range");
	return buf;
}
