/* SPDX-License-Identifier: MIT */
/* Maps of whole address spaces, compared with the pages that were written into their tables. */
#include "space-builder.h"
#include "gtt/map.h"
#include "gtt/walk.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u

/* ---- a map, held against the pages ---------------------------------------------------------- */

struct reading {
	const struct space *space;
	struct gsc_translation *translation;
	struct gsc_mapping *maps;
	size_t count, room;
	size_t stop_after;
};

static bool keep_mapping(void *context, const struct gsc_mapping *mapping)
{
	struct reading *reading = context;

	if (reading->count == reading->room) {
		reading->room = reading->room ? reading->room * 2 : 64;
		reading->maps = realloc(reading->maps, reading->room * sizeof(*reading->maps));
	}
	reading->maps[reading->count++] = *mapping;
	return !reading->stop_after || reading->count < reading->stop_after;
}

static struct gsc_map_holes read_map(struct reading *reading, struct gsc_translation *translation,
				     unsigned flags)
{
	struct gsc_map_holes holes;
	struct gsc_error err;

	memset(reading, 0, sizeof(*reading));
	reading->translation = translation;
	CU_ASSERT_EQUAL_FATAL(gsc_map(translation, flags, keep_mapping, reading, &holes, &err),
			      GSC_OK);
	return holes;
}

/* One message for many pages; the seed is needed to reproduce a failure. */
static unsigned failures;

static bool holds(bool condition, const struct space *space, const char *what, uint64_t va)
{
	if (!condition && failures++ < 10)
		fprintf(stderr, "\n%s %s: %s at 0x%llx", space->kind->platform,
			gsc_mode_name(space->kind->mode), what, (unsigned long long)va);
	return condition;
}

/* What pages of one range have in common, as the printed words. */
static void flag_words(const struct reading *reading, const struct gsc_mapping *mapping, char *out,
		       size_t size)
{
	char buf[64];
	size_t used = 0;

	out[0] = 0;
	for (size_t i = 0; gsc_mapping_flag(reading->translation, mapping, i, buf, sizeof(buf)); i++)
		used += (size_t)snprintf(out + used, size - used, "%s,", buf);
}

static bool same_flags(const struct reading *reading, const struct gsc_mapping *mapping,
		       const struct space_page *page)
{
	struct gsc_mapping one = *mapping;
	char want[256], got[256];

	one.entry = page->entry;
	if (!space_flags_differ(reading->space, page->entry, mapping->entry))
		return true;
	flag_words(reading, &one, want, sizeof(want));
	flag_words(reading, mapping, got, sizeof(got));
	return !strcmp(want, got);
}

static bool walk_agrees(const struct space *space, struct gsc_translation *translation,
			const struct space_page *page)
{
	struct gsc_walk walk;

	gsc_walk(translation, page->va + page->size - 1, GSC_INTENT_READ, &walk);
	return holds(walk.mapped, space, "not walked", page->va) &&
	       holds(walk.physical == page->physical + (walk.null ? 0 : page->size - 1), space,
		     "walked elsewhere", page->va) &&
	       holds(walk.page_size == page->size, space, "walked size", page->va);
}

/* Page by page: the very list. */
static void check_pages(const struct space *space, struct gsc_translation *translation,
			unsigned flags)
{
	struct reading r;
	struct gsc_map_holes holes = read_map(&r, translation, flags);

	r.space = space;
	holds(!holes.missing && !holes.reserved && !holes.loops, space, "holes", 0);
	holds(r.count == space->count, space, "count of pages", r.count);
	for (size_t i = 0; i < r.count && i < space->count; i++) {
		const struct space_page *page = &space->pages[i];
		const struct gsc_mapping *m = &r.maps[i];

		if (!holds(m->start == page->va && m->end == page->va + page->size, space, "place",
			   page->va) ||
		    !holds(m->physical == page->physical, space, "target", page->va) ||
		    !holds(m->page_size == page->size && m->pages == 1, space, "size", page->va) ||
		    !holds(same_flags(&r, m, page), space, "flags", page->va))
			break;
	}
	free(r.maps);
}

static const struct space_page *check_repeat(const struct space *space,
					     const struct gsc_mapping *m,
					     const struct space_page *page)
{
	uint64_t pages = 0;

	holds(m->of < m->start, space, "a repeat of what comes later", m->start);
	for (; page < space->pages + space->count && page->va < m->end; page++, pages++) {
		const struct space_page *of = space_find(space, page->va - m->start + m->of);

		if (!holds(of && of->va == page->va - m->start + m->of && of->size == page->size &&
			   of->physical == page->physical, space, "no repeat", page->va))
			break;
	}
	holds(pages == m->pages, space, "pages of a repeat", m->start);
	return page;
}

static uint64_t expected_target(const struct gsc_mapping *m, const struct space_page *page)
{
	if (m->kind == GSC_MAPPING_SCATTERED)
		return page->physical;
	return m->physical + (m->kind == GSC_MAPPING_LINEAR ? page->va - m->start : 0);
}

/* A range that is no repeat covers all its addresses. */
static const struct space_page *check_range(const struct reading *r, const struct gsc_mapping *m,
					    const struct space_page *page)
{
	const struct space *space = r->space;
	uint64_t va = m->start;

	holds((m->end - m->start) == m->pages * m->page_size, space, "pages of a range", va);
	for (; page < space->pages + space->count && va < m->end; va = page->va + page->size, page++) {
		if (!holds(page->va == va, space, "a page that is none", va) ||
		    !holds(page->size == m->page_size, space, "page size", va) ||
		    !holds(page->physical == expected_target(m, page), space, "target in range",
			   va) ||
		    !holds(same_flags(r, m, page), space, "flags in range", va))
			break;
	}
	holds(va == m->end, space, "end of range", va);
	return page;
}

static void check_ranges(const struct space *space, struct gsc_translation *translation)
{
	const struct space_page *page = space->pages;
	struct reading r;

	read_map(&r, translation, 0);
	r.space = space;
	for (size_t i = 0; i < r.count; i++) {
		const struct gsc_mapping *m = &r.maps[i];

		if (m->kind == GSC_MAPPING_REPEAT)
			page = check_repeat(space, m, page);
		else
			page = check_range(&r, m, page);
		holds(m->kind != GSC_MAPPING_CONSTANT || m->pages > 1, space, "one is constant",
		      m->start);
	}
	holds(page == space->pages + space->count, space, "pages left over",
	      page < space->pages + space->count ? page->va : 0);
	free(r.maps);
}

static void check_walks(const struct space *space, struct gsc_translation *translation)
{
	for (size_t i = 0; i < space->count; i++) {
		const struct space_page *page = &space->pages[i];
		uint64_t physical, length;
		enum gsc_space where;

		if (!holds(!gsc_resolve(translation, page->va, &where, &physical, &length) &&
			   physical == page->physical, space, "resolved elsewhere", page->va) ||
		    ((i % 64 == 0 || i + 1 == space->count) &&
		     !walk_agrees(space, translation, page)))
			break;
	}
}

static void check_space(const struct space *space)
{
	struct space_reader reader;

	space_open(&reader, space, IMAGE_PAGES * PAGE, NULL);
	check_pages(space, reader.translation, GSC_MAP_PAGES | GSC_MAP_ALL);
	check_ranges(space, reader.translation);
	check_walks(space, reader.translation);
	space_close(&reader);
}

/* Build, map and walk agree, over and over. */
static void random_spaces(void)
{
	const char *rounds = getenv("GPUSCOPE_MAP_ROUNDS");
	unsigned count = rounds ? (unsigned)atoi(rounds) : 100;

	failures = 0;
	for (unsigned seed = 1; seed <= count; seed++) {
		for (size_t k = 0; k < space_kind_count; k++) {
			struct space space;
			unsigned before = failures;

			space_new(&space, &space_kinds[k], seed * 64 + (uint32_t)k);
			space_fill(&space);
			for (unsigned i = seed % 4; i; i--)
				space_alias(&space);
			space_sort(&space);
			check_space(&space);
			space_free(&space);
			if (failures > before && failures < 10)
				fprintf(stderr, "\n  (seed %u, kind %u)", seed, (unsigned)k);
		}
	}
	CU_ASSERT_EQUAL(failures, 0);
}

SUITE(map,
      { "random spaces: build, map and walk agree", random_spaces })
