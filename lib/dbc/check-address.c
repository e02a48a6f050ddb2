/* SPDX-License-Identifier: MIT */
/*
 * What can be wrong with ranges of addresses. The sleeping ranges decide whether a value that was
 * read is valid: an address has one list of domains, and these are the platform's.
 */
#include "dbc/build.h"

#include <string.h>

static void about(struct build *b, const char *rule, const struct b_range *range, const char *what,
		  const char *name)
{
	finding_in(b, rule, build_text(b, range->file), range->line,
		   "range 0x%llx-0x%llx%s%s", LL(range->start), LL(range->last), what, name);
}

/* Each range once: the platforms of a range that differ have ranges of their own. */
static void check_domains(struct build *b, const struct b_range *range)
{
	const char *list = build_text(b, range->wake);

	for (size_t i = 0; i < b->platforms.count; i++) {
		const struct b_platform *p = &b->platforms.items[i];
		const struct b_wake *wakes = b->wakes.items;
		size_t length;
		uint32_t w;

		for (const char *name = list; range->where.platforms >> i & 1;
		     name += length + 1) {
			length = strcspn(name, ",");
			for (w = 0; w < p->wakes.count; w++)
				if (text_is(build_text(b, wakes[p->wakes.first + w].name), name,
					    length))
					break;
			if (w == p->wakes.count) {
				about(b, "sleeps", range, ": not every domain in wake= exists on ",
				      build_text(b, p->name));
				return;
			}
			if (!name[length])
				break;
		}
	}
}

/* ---- one platform's together ---------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct b_range *const *x = a, *const *y = b;

	if ((*x)->start != (*y)->start)
		return (*x)->start < (*y)->start ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* Those of a platform and revision, in order; each is reported once, for one platform. */
static void check_platform(struct build *b, const struct b_where *here,
			   const struct b_range **ranges, bool *told)
{
	const struct b_platform *p = build_platform(b, (unsigned)__builtin_ctzll(here->platforms));
	const struct b_range *widest = NULL;
	size_t count = 0;

	for (size_t i = 0; i < b->ranges.count; i++)
		if (b->ranges.items[i].wake && wheres_meet(&b->ranges.items[i].where, here))
			ranges[count++] = &b->ranges.items[i];
	if (!count && p->wakes.count)
		finding_in(b, "sleeps", b->files.items[0], 1,
			   "%s has forcewake domains, but no `sleeps` range uses them",
			   build_text(b, p->name));
	qsort(ranges, count, sizeof(*ranges), by_start);
	for (size_t i = 0; i < count; i++) {
		size_t n = (size_t)(ranges[i] - b->ranges.items);

		if (widest && ranges[i]->start <= widest->last && !told[n]) {
			told[n] = true;
			about(b, "sleeps", ranges[i], " overlaps another `sleeps` range on ",
			      build_text(b, p->name));
		}
		if (!widest || ranges[i]->last > widest->last)
			widest = ranges[i];
	}
}

void check_address_ranges(struct build *b)
{
	const struct b_range **ranges = calloc(b->ranges.count + 1, sizeof(*ranges));
	bool *told = calloc(b->ranges.count + 1, sizeof(*told));
	struct revisions revisions = { 0 };

	b->failed |= !ranges || !told;
	for (size_t i = 0; i < b->ranges.count; i++) {
		const struct b_range *range = &b->ranges.items[i];

		if (range->origin == NONE)
			about(b, "origin", range, " has no origin", "");
		if (!(range->where.platforms & all_platforms(b)))
			about(b, "unreachable", range, " applies to no platform", "");
		if (!range->wake)
			continue;
		if (range->start % 4 || range->last % 4 != 3)
			about(b, "alignment", range, ", expected whole dwords", "");
		check_domains(b, range);
		revisions_mark(&revisions, &range->where);
	}
	for (unsigned i = 0; !b->failed && i < b->platforms.count; i++)
		for (int revision = 0; revision >= 0;
		     revision = revision_after(&revisions, revision)) {
			struct b_where here = where_revisions(i, (unsigned)revision,
							      (unsigned)revision);

			check_platform(b, &here, ranges, told);
		}
	free(ranges);
	free(told);
}
