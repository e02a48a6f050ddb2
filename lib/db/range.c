/* SPDX-License-Identifier: MIT */
/* The map of addresses: ranges as they are defined, as a platform has them, and as text. */
#include "db/view.h"

#include "util/text.h"

static struct gsc_range make(const struct layer *l, const struct b_range *r)
{
	struct gsc_range range = {
		.start = r->start,
		.last = r->last,
		.kind = layer_text(l, r->kind),
		.why = layer_text_or_null(l, r->why),
		.wake = layer_text_or_null(l, r->wake),
		.engines = r->engines,
		.instance = r->instance,
		.platforms = r->where.platforms,
		.revisions = where_stepped(&r->where),
		.use = r->use,
	};

	layer_origin(l, r->origin, &range.document, &range.section);
	return range;
}

bool gsc_range_at(const struct gsc_db *db, size_t i, struct gsc_range *range)
{
	for (size_t layer = 0; layer < db_layer_count(db); layer++) {
		const struct layer *l = db_layer(db, layer);

		if (i < layer_count(l, B_RANGES)) {
			*range = make(l, LAYER_ITEM(l, B_RANGES, struct b_range, (uint32_t)i));
			return true;
		}
		i -= layer_count(l, B_RANGES);
	}
	return false;
}

/* The same range from the base of each engine that it is for. */
static bool add_engines(struct gsc_view *view, const struct gsc_range *range)
{
	struct gsc_engine_place engine;

	for (size_t i = 0; (gsc_platform_engine(view->db, view->platform, i, &engine)); i++) {
		struct gsc_range placed = *range;

		if (!(range->engines >> engine.engine_class & 1) ||
		    (range->instance >= 0 && engine.instance != (unsigned)range->instance))
			continue;
		placed.engine = gsc_platform_engine(view->db, view->platform, i, NULL);
		placed.engines = 1u << engine.engine_class;
		placed.instance = (int)engine.instance;
		placed.start += engine.base;
		placed.last += engine.base;
		if (!vec_push(&view->ranges, placed))
			return false;
	}
	return true;
}

bool view_add_ranges(struct gsc_view *view)
{
	for (size_t layer = 0; layer < db_layer_count(view->db); layer++) {
		const struct layer *l = db_layer(view->db, layer);

		for (uint32_t i = 0; i < layer_count(l, B_RANGES); i++) {
			const struct b_range *r = LAYER_ITEM(l, B_RANGES, struct b_range, i);
			struct gsc_range range;

			if (!where_holds(&r->where, view->bit, view->revision))
				continue;
			range = make(l, r);
			if (range.engines ? !add_engines(view, &range)
					  : !vec_push(&view->ranges, range))
				return false;
		}
	}
	return true;
}

bool gsc_view_range_at(const struct gsc_view *view, size_t i, struct gsc_range *range)
{
	if (i < view->ranges.count)
		*range = view->ranges.items[i];
	return i < view->ranges.count;
}

/*
 * The narrowest around an address of those with these uses, the first of those alike. Whose it is
 * does not say a range that names nobody.
 */
static bool find(const struct gsc_view *view, uint64_t offset, unsigned uses,
		 struct gsc_range *found)
{
	bool any = false;

	for (size_t i = 0; i < view->ranges.count; i++) {
		const struct gsc_range *range = &view->ranges.items[i];

		if (offset < range->start || offset > range->last || !(uses >> range->use & 1) ||
		    (range->use != RANGE_TOLD && !range->why) ||
		    (any && range->last - range->start >= found->last - found->start))
			continue;
		*found = *range;
		any = true;
	}
	return any;
}

bool gsc_view_range(const struct gsc_view *view, uint64_t offset, struct gsc_range *range)
{
	return find(view, offset, 1u << RANGE_TOLD, range);
}

bool gsc_view_owner(const struct gsc_view *view, enum gsc_space space, uint64_t offset,
		    struct gsc_range *range)
{
	return space == GSC_MMIO &&
	       (find(view, offset, 1u << RANGE_OWNED | 1u << RANGE_STEERED, range) ||
		find(view, offset, 1u << RANGE_SLEEPS, range));
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
