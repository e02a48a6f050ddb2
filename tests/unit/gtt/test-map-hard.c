/* SPDX-License-Identifier: MIT */
/* Maps of what drivers and attackers make of tables; reverse lookups; the checks. */
#include "space-builder.h"
#include "test.h"
#include "gtt/check.h"
#include "gtt/gtt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAGE 4096u
#define WHOLE (IMAGE_PAGES * PAGE)

static const struct space_kind *kind_of(const char *platform, enum gsc_mode mode)
{
	for (size_t i = 0; i < space_kind_count; i++)
		if (!strcmp(space_kinds[i].platform, platform) && space_kinds[i].mode == mode)
			return &space_kinds[i];
	abort();
}

/* ---- reading ------------------------------------------------------------------------------ */

struct list {
	struct gsc_mapping maps[4096];
	size_t count, most;		/* most: where it is ended */
	uint64_t total;
};

static bool keep(void *context, const struct gsc_mapping *mapping)
{
	struct list *list = context;

	list->maps[list->count++ % 4096] = *mapping;
	list->total += mapping->pages;
	return list->count < list->most;
}

static struct gsc_map_holes map_into(struct list *list, const struct space_reader *reader,
				     unsigned flags, size_t most)
{
	struct gsc_map_holes holes;
	struct gsc_error err;

	memset(list, 0, sizeof(*list));
	list->most = most;
	CU_ASSERT_EQUAL_FATAL(gsc_map(reader->translation, flags, keep, list, &holes, &err), GSC_OK);
	space_check_pieces(reader->translation, flags, list->maps, ARRAY_SIZE(list->maps),
			   list->count, list->count < most);
	return holes;
}

static struct list list;

static bool is_range(size_t i, uint64_t start, uint64_t end, enum gsc_mapping_kind kind,
		     uint64_t physical, uint64_t pages, uint64_t of)
{
	const struct gsc_mapping *m = &list.maps[i];

	if (i < list.count && m->start == start && m->end == end && m->kind == kind &&
	    m->physical == physical && m->pages == pages && m->of == of)
		return true;
	fprintf(stderr, "\n%zu of %zu: 0x%llx-0x%llx %s 0x%llx %llu 0x%llx", i, list.count,
		(unsigned long long)m->start, (unsigned long long)m->end, gsc_mapping_word(m->kind),
		(unsigned long long)m->physical, (unsigned long long)m->pages,
		(unsigned long long)m->of);
	return false;
}

/* ---- what a driver does ------------------------------------------------------------------- */

#define SCRATCH 0x7700000u

static void fill_table(struct space *space, uint64_t table, uint64_t entry)
{
	for (unsigned i = 0; i < 512; i++)
		space_store(space, table + i * 8, entry);
}

/* Every unused entry of every level leads to scratch; a few pages do not. */
static void scratch(void)
{
	struct space space;
	struct space_reader reader;
	uint64_t below = SCRATCH, levels[4], at;
	const uint64_t all = UINT64_C(1) << 48;

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 7);
	for (unsigned level = 0; level < 3; level++) {
		levels[level] = space_table(&space);
		fill_table(&space, levels[level], below | 3);
		below = levels[level];
	}
	fill_table(&space, space.roots[0], below | 3);
	space_open(&reader, &space, WHOLE, NULL);
	map_into(&list, &reader, 0, 10);
	CU_ASSERT_EQUAL(list.count, 1);
	CU_ASSERT(is_range(0, 0, all, GSC_MAPPING_CONSTANT, SCRATCH, all / PAGE, 0));
	/* One line even page by page. */
	map_into(&list, &reader, GSC_MAP_PAGES, 10);
	CU_ASSERT_EQUAL(list.count, 1);
	CU_ASSERT(is_range(0, 0, all, GSC_MAPPING_CONSTANT, SCRATCH, all / PAGE, 0));
	map_into(&list, &reader, GSC_MAP_ALL, 4000);
	CU_ASSERT_EQUAL(list.count, 4000);
	CU_ASSERT(is_range(3999, 3999 * PAGE, 4000 * PAGE, GSC_MAPPING_LINEAR, SCRATCH, 1, 0));
	space_close(&reader);

	/* Real tables for 0x1234_5000: two pages in the middle of scratch. */
	below = space.roots[0];
	for (unsigned level = 0; level < 3; level++) {
		levels[3] = space_table(&space);
		fill_table(&space, levels[3], space_load(&space, below));
		memcpy(space.image + levels[3], space.image + levels[2 - level], PAGE);
		at = below + (UINT64_C(0x12345000) >> (39 - 9 * level) & 511) * 8;
		space_store(&space, at, levels[3] | 3);
		below = levels[3];
	}
	space_store(&space, below + 0x145 * 8, 0x555000 | 3);
	space_store(&space, below + 0x146 * 8, 0x556000 | 3);
	space_open(&reader, &space, WHOLE, NULL);
	map_into(&list, &reader, 0, 10);
	CU_ASSERT_EQUAL(list.count, 3);
	CU_ASSERT(is_range(0, 0, 0x12345000, GSC_MAPPING_CONSTANT, SCRATCH, 0x12345, 0));
	CU_ASSERT(is_range(1, 0x12345000, 0x12347000, GSC_MAPPING_LINEAR, 0x555000, 2, 0));
	CU_ASSERT(is_range(2, 0x12347000, all, GSC_MAPPING_CONSTANT, SCRATCH,
			   all / PAGE - 0x12347, 0));
	space_close(&reader);
	space_free(&space);
}

/* Adjacent runs of every kind, reported as the header says. */
static void kinds(void)
{
	struct space space;
	struct space_reader reader;
	uint64_t va = 0x10000000;

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 9);
	for (unsigned i = 0; i < 8; i++)
		space_map(&space, va + i * PAGE, PAGE, 0x1000000 + i * PAGE, 3);
	va += 8 * PAGE;
	for (unsigned i = 0; i < 14; i++)	/* two rows of seven */
		space_map(&space, va + i * PAGE, PAGE, 0x2000000 * (1 + i / 7) + i * PAGE, 3);
	va += 14 * PAGE;
	for (unsigned i = 0; i < 2; i++)
		space_map(&space, va + i * PAGE, PAGE, 0x5000000, 3);
	va += 2 * PAGE;
	for (unsigned i = 0; i < 3; i++)	/* alone: short, but nothing to scatter with */
		space_map(&space, va + i * PAGE, PAGE, 0x6000000 + i * PAGE, 3);
	va += 3 * PAGE;
	for (unsigned i = 0; i < 3; i++)	/* other attributes */
		space_map(&space, va + i * PAGE, PAGE, 0x6003000 + i * PAGE, 1);
	space_open(&reader, &space, WHOLE, NULL);
	map_into(&list, &reader, 0, 20);
	CU_ASSERT_EQUAL(list.count, 5);
	va = 0x10000000;
	CU_ASSERT(is_range(0, va, va + 0x8000, GSC_MAPPING_LINEAR, 0x1000000, 8, 0));
	CU_ASSERT(is_range(1, va + 0x8000, va + 0x16000, GSC_MAPPING_SCATTERED, 0x2000000, 14, 0));
	CU_ASSERT(is_range(2, va + 0x16000, va + 0x18000, GSC_MAPPING_CONSTANT, 0x5000000, 2, 0));
	CU_ASSERT(is_range(3, va + 0x18000, va + 0x1b000, GSC_MAPPING_LINEAR, 0x6000000, 3, 0));
	CU_ASSERT(is_range(4, va + 0x1b000, va + 0x1e000, GSC_MAPPING_LINEAR, 0x6003000, 3, 0));
	space_close(&reader);
	space_free(&space);
}

/* ---- what an enemy does ------------------------------------------------------------------- */

/* Entry 5 of the root leads to the root. */
static void self_reference(void)
{
	struct space space;
	struct space_reader reader;
	struct gsc_map_holes holes;

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 3);
	space_map(&space, 0, PAGE, 0x123000, 3);
	space_store(&space, space.roots[0] + 5 * 8, space.roots[0] | 3);
	space_open(&reader, &space, WHOLE, NULL);
	holes = map_into(&list, &reader, 0, 100);
	CU_ASSERT_EQUAL(holes.loops, 3);
	CU_ASSERT_EQUAL(holes.missing, 0);
	CU_ASSERT(list.count > 3 && list.count < 20);
	/* The table, read as a table of pages, maps itself. */
	for (size_t i = 0; i < list.count; i++) {
		struct gsc_walk walk;

		gsc_walk(reader.translation, list.maps[i].start, GSC_INTENT_READ, &walk);
		CU_ASSERT(walk.mapped && walk.physical == list.maps[i].physical);
	}
	holes = map_into(&list, &reader, GSC_MAP_PAGES, 100);
	CU_ASSERT_EQUAL(holes.loops, 3);
	space_close(&reader);

	/* All entries of the root: nothing but itself, 2^36 pages of it. */
	fill_table(&space, space.roots[0], space.roots[0] | 3);
	space_open(&reader, &space, WHOLE, NULL);
	holes = map_into(&list, &reader, 0, 100);
	CU_ASSERT_EQUAL(holes.loops, 3);
	CU_ASSERT_EQUAL(list.count, 1);
	CU_ASSERT(is_range(0, 0, UINT64_C(1) << 48, GSC_MAPPING_CONSTANT, space.roots[0],
			   UINT64_C(1) << 36, 0));
	space_close(&reader);
	space_free(&space);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool ignore_breach(void *context, const struct gsc_breach *breach)
{
	uint64_t *count = context;

	CU_ASSERT(breach->rule && breach->text[0] && breach->where[0]);
	return ++*count < 100000;
}

static bool count_address(void *context, const struct gsc_reached *reached)
{
	uint64_t *count = context;

	return reached->pages && ++*count < 1000;
}

/* Noise as tables, all of which leads to other noise: everything ends, and soon. */
static void noise(void)
{
	for (size_t k = 0; k < space_kind_count; k++) {
		struct space space;
		struct gsc_global_ranges *shared;
		struct space_reader reader;
		struct gsc_error err;
		double start = now();
		uint64_t count = 0;

		space_new(&space, &space_kinds[k], 99);
		for (size_t i = 0; i < WHOLE / 4; i++) {
			uint32_t value = space_random(&space, UINT32_MAX);

			/* Half of the entries are in the image and valid. */
			if (value & 0x1000 && space.kind->bytes == 8 && !(i & 1))
				value = (value & (WHOLE - 1)) | 3;
			if (value & 0x1000 && space.kind->bytes == 8 && i & 1)
				value = 0;
			if (value & 0x1000 && space.kind->bytes == 4)
				value = (value & (WHOLE - PAGE)) | 1;
			memcpy(space.image + i * 4, &value, 4);
		}
		for (size_t i = 0; i < space.ggtt_bytes / 4; i++) {
			uint32_t value = space_random(&space, UINT32_MAX);

			value = value & 4 ? value : (value & (WHOLE - PAGE)) | 1;
			memcpy(space.ggtt + i * 4, &value, 4);
		}
		space_open(&reader, &space, WHOLE, NULL);
		map_into(&list, &reader, 0, SIZE_MAX);
		map_into(&list, &reader, GSC_MAP_PAGES, 20000);
		shared = NULL;
		gsc_check_tables(reader.translation, &shared, ignore_breach, &count, &err);
		gsc_global_ranges_free(shared);
		count = 0;
		gsc_reverse(reader.translation, GSC_PHYS, 0x123000, count_address, &count, NULL, &err);
		space_close(&reader);
		space_free(&space);
		CU_ASSERT(now() - start < 60);
	}
}

/* The same pages, or fewer with something counted, wherever the image is truncated. */
static void cut(void)
{
	for (unsigned seed = 1; seed < 40; seed++) {
		struct space space;
		struct space_reader reader;
		struct gsc_map_holes holes;
		size_t bytes;

		space_new(&space, &space_kinds[seed % 6], seed);
		space_fill(&space);
		bytes = 1 + space_random(&space, WHOLE - 1);
		space_open(&reader, &space, bytes, NULL);
		holes = map_into(&list, &reader, GSC_MAP_PAGES | GSC_MAP_ALL, SIZE_MAX);
		CU_ASSERT(list.count <= space.count);
		CU_ASSERT(list.count == space.count || holes.missing);
		space_close(&reader);
		space_free(&space);
	}
}

static void reserved(void)
{
	struct space space;
	struct space_reader reader;
	struct gsc_map_holes holes;

	space_new(&space, kind_of("icl", GSC_MODE_IA32E), 5);
	for (unsigned i = 0; i < 20; i++)
		space_map(&space, i * PAGE, PAGE, 0x100000 + i * PAGE,
			  7 | (i == 10 ? UINT64_C(1) << 45 : 0));
	space_open(&reader, &space, WHOLE, NULL);
	holes = map_into(&list, &reader, 0, 100);
	CU_ASSERT_EQUAL(holes.reserved, 1);
	CU_ASSERT_EQUAL(list.count, 2);
	CU_ASSERT(is_range(0, 0, 10 * PAGE, GSC_MAPPING_LINEAR, 0x100000, 10, 0));
	CU_ASSERT(is_range(1, 11 * PAGE, 20 * PAGE, GSC_MAPPING_LINEAR, 0x10b000, 9, 0));
	space_close(&reader);
	space_free(&space);
}

/* What the entries above take away is gone from the words; one table, met both ways. */
static void permissions(void)
{
	struct space space;
	struct space_reader reader;
	uint64_t directory;
	char word[64];

	space_new(&space, kind_of("icl", GSC_MODE_IA32E), 6);
	space_map(&space, 0, PAGE, 0x100000, 7);
	directory = space_load(&space, space.roots[0]);
	directory = space_load(&space, directory & ~0xfffull) & ~0xfffull;
	space_store(&space, directory + 8, space_load(&space, directory) & ~UINT64_C(2));
	space_open(&reader, &space, WHOLE, NULL);
	map_into(&list, &reader, 0, 100);
	CU_ASSERT_EQUAL(list.count, 2);
	CU_ASSERT(is_range(0, 0, PAGE, GSC_MAPPING_LINEAR, 0x100000, 1, 0));
	CU_ASSERT(is_range(1, 0x200000, 0x201000, GSC_MAPPING_LINEAR, 0x100000, 1, 0));
	gsc_mapping_flag(reader.translation, &list.maps[0], 0, word, sizeof(word));
	CU_ASSERT_STRING_EQUAL(word, "rw");
	gsc_mapping_flag(reader.translation, &list.maps[1], 0, word, sizeof(word));
	CU_ASSERT_STRING_EQUAL(word, "ro");
	space_close(&reader);
	space_free(&space);
}

/* ---- reverse ------------------------------------------------------------------------------ */

struct hits {
	uint64_t address[4096], pages[4096];
	size_t count;
};

static bool keep_hit(void *context, const struct gsc_reached *reached)
{
	struct hits *hits = context;

	CU_ASSERT(reached->page_size >= PAGE && !reached->repeat);
	if (hits->count < 4096) {
		hits->address[hits->count] = reached->address;
		hits->pages[hits->count++] = reached->pages;
	}
	return hits->count < 4096;
}

/* One by one, in repeats, all addresses. */
static bool count_kinds(void *context, const struct gsc_reached *reached)
{
	uint64_t *counts = context;

	counts[reached->repeat]++;
	counts[2] += reached->pages;
	return true;
}

/* Every page of random spaces that holds an address, and no other. */
static void reverse_agrees(void)
{
	static struct hits hits;

	for (unsigned seed = 1; seed <= 60; seed++) {
		struct space space;
		struct space_reader reader;
		struct gsc_error err;

		space_new(&space, &space_kinds[seed % space_kind_count], seed);
		space_fill(&space);
		for (unsigned i = seed % 3; i; i--)
			space_alias(&space);
		space_sort(&space);
		space_open(&reader, &space, WHOLE, NULL);
		for (unsigned i = 0; i < 20; i++) {
			uint64_t some = space_random(&space, (uint32_t)space.count);
			uint64_t wanted = space.pages[some].physical +
					  space_random(&space, 4000);
			size_t at = 0;

			hits.count = 0;
			CU_ASSERT_EQUAL(gsc_reverse(reader.translation, GSC_PHYS, wanted, keep_hit,
						    &hits, NULL, &err), GSC_OK);
			for (size_t p = 0; p < space.count && at < hits.count; p++) {
				const struct space_page *page = &space.pages[p];

				if (page->entry & 0x200 && space.kind->mode == GSC_MODE_PML4)
					continue;
				if (wanted - page->physical >= page->size)
					continue;
				CU_ASSERT_EQUAL_FATAL(hits.address[at],
						      page->va + (wanted - page->physical));
				p += hits.pages[at] - 1;
				at++;
			}
			CU_ASSERT_EQUAL(at, hits.count);
		}
		space_close(&reader);
		space_free(&space);
	}
}

static void reverse_bounded(void)
{
	static struct hits hits;
	struct space space;
	struct space_reader reader;
	struct gsc_error err;

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 11);
	for (unsigned i = 0; i < 700; i++)
		space_map(&space, i * PAGE, PAGE, i < 100 ? 0x5000 : 0x9000, 3);
	space_open(&reader, &space, WHOLE, NULL);
	memset(&hits, 0, sizeof(hits));
	gsc_reverse(reader.translation, GSC_PHYS, 0x5008, keep_hit, &hits, NULL, &err);
	CU_ASSERT_EQUAL(hits.count, 100);
	CU_ASSERT(hits.address[99] == 99 * PAGE + 8 && hits.pages[99] == 1);
	memset(&hits, 0, sizeof(hits));
	gsc_reverse(reader.translation, GSC_PHYS, 0x9ff0, keep_hit, &hits, NULL, &err);
	CU_ASSERT_EQUAL(hits.count, 1);
	CU_ASSERT(hits.address[0] == 100 * PAGE + 0xff0 && hits.pages[0] == 600);
	memset(&hits, 0, sizeof(hits));
	gsc_reverse(reader.translation, GSC_LMEM, 0x5000, keep_hit, &hits, NULL, &err);
	CU_ASSERT_EQUAL(hits.count, 0);
	space_close(&reader);
	space_free(&space);
}

/* Two pages of tables that lead to themselves, to which 2^36 addresses lead. */
static void reverse_of_loops(void)
{
	struct space space;
	struct space_reader reader;
	struct gsc_error err;
	struct gsc_map_holes holes;
	double start = now();
	uint64_t counts[3] = { 0 };

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 12);
	for (unsigned i = 0; i < 512; i++)
		space_store(&space, space.roots[0] + i * 8,
			    (i % 3 ? space.roots[0] : 0x5000 + i % 6 * PAGE) | 3);
	space_open(&reader, &space, WHOLE, NULL);
	CU_ASSERT_EQUAL(gsc_reverse(reader.translation, GSC_PHYS, space.roots[0] + 8, count_kinds,
				    counts, &holes, &err), GSC_OK);
	CU_ASSERT(counts[0] >= 4096 && counts[0] < 20000);
	CU_ASSERT(counts[1] > 0 && counts[1] < 20000);
	/*
	 * Every address is reported, one way or the other: 341 of 512 entries at each of four
	 * levels.
	 */
	CU_ASSERT_EQUAL(counts[2], UINT64_C(341) * 341 * 341 * 341);
	CU_ASSERT(holes.loops > 0 && holes.missing == 0);
	CU_ASSERT(now() - start < 20);
	space_close(&reader);
	space_free(&space);
}

/* What was not examined is counted, as in a map. */
static void reverse_with_holes(void)
{
	static struct hits hits;
	struct space space;
	struct space_reader reader;
	struct gsc_error err;
	struct gsc_map_holes holes;

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 13);
	space_map(&space, 0x1000, PAGE, 0x5000, 3);
	space_store(&space, space.roots[0] + 7 * 8, 0x9000000 | 3);
	space_open(&reader, &space, WHOLE, NULL);
	memset(&hits, 0, sizeof(hits));
	gsc_reverse(reader.translation, GSC_PHYS, 0x6000, keep_hit, &hits, &holes, &err);
	CU_ASSERT(hits.count == 0 && holes.missing == 1 &&
		  holes.first_missing == UINT64_C(7) << 39);
	CU_ASSERT_STRING_EQUAL(holes.first_table, "pdpe table at 0x9000000, for 0x38000000000");
	CU_ASSERT_STRING_EQUAL(holes.first_why, "no source holds it");
	gsc_reverse(reader.translation, GSC_PHYS, 0x5000, keep_hit, &hits, &holes, &err);
	CU_ASSERT(hits.count == 1 && holes.missing == 1);
	space_close(&reader);
	space_free(&space);
}

/* XD counts if the PASID entry says so; otherwise pages do not differ by it. */
static void no_execution(void)
{
	static const unsigned flags[] = { 0, GSC_ROOT_KNOWN, GSC_ROOT_KNOWN | GSC_ROOT_NO_EXECUTE };
	for (unsigned i = 0; i < 3; i++) {
		struct gsc_translation_options options = { .root = { .count = 1 } };
		const uint64_t disable = UINT64_C(1) << 63;
		struct space_reader reader;
		struct space space;
		char word[16];

		space_new(&space, kind_of("icl", GSC_MODE_IA32E), 14);
		space_map(&space, 0, PAGE, 0x5000, 7 | disable);
		space_map(&space, PAGE, PAGE, 0x6000, 7);
		options.root.mode = GSC_MODE_IA32E;
		options.root.value[0] = space.roots[0];
		options.root.flags = flags[i];
		space_open(&reader, &space, WHOLE, &options);
		map_into(&list, &reader, 0, SIZE_MAX);
		CU_ASSERT_EQUAL_FATAL(list.count, i == 1 ? 1 : 2);
		gsc_mapping_flag(reader.translation, &list.maps[0], 2, word, sizeof(word));
		CU_ASSERT_STRING_EQUAL(word, i == 1 ? "pat0" : "xd");
		space_close(&reader);
		space_free(&space);
	}
}

SUITE(map_hard,
      { "scratch at every level", scratch },
      { "kinds of ranges", kinds },
      { "tables that lead to themselves", self_reference },
      { "noise as tables", noise },
      { "images that break off", cut },
      { "reserved bits", reserved },
      { "permissions of the levels above", permissions },
      { "reverse lookups agree", reverse_agrees },
      { "reverse lookups are bounded", reverse_bounded },
      { "reverse lookups in loops", reverse_of_loops },
      { "reverse lookups tell what is missing", reverse_with_holes },
      { "execution that is not disabled", no_execution })
