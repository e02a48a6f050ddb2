/* SPDX-License-Identifier: MIT */
/* What the checks of page tables find. */
#include "table-checks.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct found *check(const struct space *space)
{
	return check_part(space, WHOLE, NULL);
}

/* The one finding, or none if the rule is NULL. */
static void expect(const struct space *space, const char *rule, const char *where, const char *text)
{
	const struct found *found = check(space);
	bool good = found->count == (rule != NULL);

	if (good && rule)
		good = !strcmp(found->breaches[0].rule, rule) &&
		       strstr(found->breaches[0].where, where) &&
		       strstr(found->breaches[0].text, text);
	CU_ASSERT(good);
	for (size_t i = 0; !good && i < found->count; i++)
		fprintf(stderr, "\nwanted %s: %s | %s | %s", rule ? rule : "nothing",
			found->breaches[i].rule, found->breaches[i].where, found->breaches[i].text);
}

static void with_pages(struct space *space, const char *platform, enum gsc_mode mode)
{
	space_new(space, kind_of(platform, mode), 31);
	for (unsigned i = 0; i < 30; i++)
		space_map(space, 0x40000000 + i * PAGE, PAGE, 0x50000000 + i * PAGE,
			  mode == GSC_MODE_IA32E ? 7 : 3);
}

static void one_entry(void)
{
	struct space space;

	with_pages(&space, "icl", GSC_MODE_IA32E);
	expect(&space, NULL, "", "");
	space_map(&space, 0x41000000, PAGE, 0x60000000, 7 | UINT64_C(1) << 45);
	expect(&space, "reserved-bits", "pte 0 at 0x", "bits 0x200000000000 must be zero");
	space_free(&space);

	with_pages(&space, "icl", GSC_MODE_IA32E);
	space_map(&space, 0x80000000, 1 << 21, 0x80004000, 7);
	expect(&space, "misaligned", "pde2m 0 at 0x", "address bits 0x4000");
	space_free(&space);

	with_pages(&space, "skl", GSC_MODE_PML4);
	space_map(&space, 0x80000000, 1 << 21, 0x80004000, 3);
	expect(&space, "misaligned", "pde2m 0 at 0x", "address bits 0x4000");
	space_free(&space);

	with_pages(&space, "skl", GSC_MODE_PML4);
	space_map(&space, 0x41000000, PAGE, 0x60000000 | UINT64_C(1) << 44, 3);
	expect(&space, "outside-memory", "pte 0 at 0x", "above the 39");
	space_free(&space);

	with_pages(&space, "skl", GSC_MODE_PML4);
	space_store(&space, space.roots[0] + 9 * 8, 0x9000000 | 3);
	expect(&space, "missing-table", "pdpe table at 0x9000000, for 0x48000000000", "no source");
	space_free(&space);
}

static void several_entries(void)
{
	struct space space;
	uint64_t table;

	/* Scratch is no error, nor is a page that is mapped twice in the same way. */
	with_pages(&space, "skl", GSC_MODE_PML4);
	for (unsigned i = 0; i < 100; i++)
		space_map(&space, 0x50000000 + i * PAGE, PAGE, 0x70000000, 1);
	space_map(&space, 0x60000000, PAGE, 0x50003000, 3);
	expect(&space, NULL, "", "");
	space_map(&space, 0x60001000, PAGE, 0x50004000, 3 | 0x18);
	expect(&space, "memory-type", "0x50004000-0x50005000", "0x60001000");
	space_free(&space);

	/* Nor is a large page, whatever else maps its memory. */
	with_pages(&space, "skl", GSC_MODE_PML4);
	space_map(&space, 0x80000000, 1 << 21, 0x50000000, 3);
	space_map(&space, 0x90000000, 1 << 21, 0x50000000, 3);
	expect(&space, NULL, "", "");
	space_free(&space);

	with_pages(&space, "skl", GSC_MODE_PML4);
	table = space_table(&space);
	space_map(&space, 0x60000000, PAGE, space.roots[0], 1);
	expect(&space, NULL, "", "");
	space_map(&space, 0x60001000, PAGE, space.roots[0], 3);
	expect(&space, "page-table-mapped", "table at 0x", "write to it at ppgtt:0x60001000");
	(void)table;
	space_free(&space);

	with_pages(&space, "skl", GSC_MODE_PML4);
	space_store(&space, space.roots[0] + 5 * 8, space.roots[0] | 3);
	CU_ASSERT(check(&space)->count >= 3);
	CU_ASSERT_STRING_EQUAL(check(&space)->breaches[0].rule, "self-reference");
	space_free(&space);

	/* All pages except one are in the image: then that is all memory there is. */
	space_new(&space, kind_of("skl", GSC_MODE_PML4), 33);
	for (unsigned i = 0; i < 5; i++)
		space_map(&space, i * PAGE, PAGE, 0x100000 + i * 2 * PAGE, 1);
	expect(&space, NULL, "", "");
	space_map(&space, 0x600000, PAGE, 0x7ffff000, 1);
	expect(&space, "outside-memory", "0x7ffff000", "ends at 0x200000");
	space_free(&space);
}

/* Pages of the global table, too. */
static void with_global(void)
{
	struct space space;

	with_pages(&space, "skl", GSC_MODE_PML4);
	space.ggtt_bytes = 0x1000;
	space.ggtt = calloc(1, 0x1000);
	memcpy(space.ggtt + 80, &(uint64_t){ 0x50002001 }, 8);
	expect(&space, NULL, "", "");
	CU_ASSERT_STRING_EQUAL(check(&space)->note.rule, "ggtt-alias");
	CU_ASSERT_STRING_EQUAL(check(&space)->note.where, "0x50002000-0x50003000");
	CU_ASSERT_STRING_EQUAL(check(&space)->note.text,
			       "mapped at 0x40002000 and in the GGTT at 0xa000");
	memcpy(space.ggtt + 80, &(uint64_t){ 0x90002001 }, 8);
	expect(&space, NULL, "", "");
	CU_ASSERT_PTR_NULL(check(&space)->note.rule);
	space_free(&space);

	space_new(&space, kind_of("snb", GSC_MODE_2LEVEL), 34);
	space_map(&space, 0x5000, PAGE, 0x12345000, 5);
	expect(&space, NULL, "", "");
	memcpy(space.ggtt + 5 * 4, &(uint32_t){ 0x23456000 | 5 }, 4);
	expect(&space, "same-address", "0x5000-0x6000", "0x12345000");
	/* Consecutive pages are one finding, wherever they lead. */
	for (unsigned i = 6; i < 40; i++) {
		uint32_t entry = 0x23456000 - i * 2 * PAGE;

		space_map(&space, i * PAGE, PAGE, 0x32345000 - i * 2 * PAGE, 5);
		entry = i == 20 ? 0x32345000 - i * 2 * PAGE : entry;
		memcpy(space.ggtt + i * 4, &(uint32_t){ entry | 5 }, 4);
	}
	CU_ASSERT_EQUAL(check(&space)->count, 2);
	CU_ASSERT_STRING_EQUAL(check(&space)->note.rule, "ggtt-alias");
	CU_ASSERT_STRING_EQUAL(check(&space)->breaches[0].where, "0x5000-0x14000");
	CU_ASSERT_STRING_EQUAL(check(&space)->breaches[1].where, "0x15000-0x28000");
	space_free(&space);
}

/* The hint that 16 entries map 64 KB in one piece: `other` is the page that entry 5 maps, or 0. */
static void expect_hint(uint64_t physical, uint64_t other, uint64_t flags, const char *text)
{
	struct space space;

	space_new(&space, kind_of("lnl", GSC_MODE_PML4), 38);
	for (unsigned i = 0; i < 32; i++)
		if (i == 5 && other)
			space_map(&space, 0x45000, PAGE, other, flags);
		else if (i != 5 || flags)
			space_map(&space, 0x40000 + i * PAGE, PAGE, physical + i * PAGE,
				  3 | 1 << 8);
	expect(&space, text ? "64k-hint" : NULL, "for 0x40000", text);
	space_free(&space);
}

static void hints(void)
{
	expect_hint(0x50000000, 0x50005000, 3 | 1 << 8, NULL);
	expect_hint(0x50000000, 0x50005000, 3, "not all 16");
	expect_hint(0x50000000, 0, 0, "not all 16");
	expect_hint(0x50000000, 0x50006000, 3 | 1 << 8, "one block");
	expect_hint(0x50000000, 0x50005000, 3 | 1 << 8 | 1 << 7, "the same attributes");
}

/* A rule broken everywhere: this many are reported, the rest are counted. */
static bool count_breach(void *context, const struct gsc_breach *breach)
{
	struct found *found = context;

	if (breach->unchecked)
		return true;
	found->breaches[0] = *breach;
	found->count++;
	return true;
}

static void many(void)
{
	static struct found found;
	struct gsc_global_ranges *shared = NULL;
	struct space_reader reader;
	struct gsc_error err;
	struct space space;

	space_new(&space, kind_of("icl", GSC_MODE_IA32E), 35);
	for (unsigned i = 0; i < 1000; i++)
		space_map(&space, i * PAGE, PAGE, 0x100000 + i * PAGE, 7 | UINT64_C(1) << 45);
	space_open(&reader, &space, WHOLE, NULL);
	gsc_check_tables(reader.translation, &shared, count_breach, &found, &err);
	gsc_global_ranges_free(shared);
	CU_ASSERT_EQUAL(found.count, 101);
	CU_ASSERT_STRING_EQUAL(found.breaches[0].text, "900 more findings of this rule");
	space_close(&reader);
	space_free(&space);
}

/* A tile is the page that it leads to; its tables exist to be written by the GPU. */
/* What is unknown about memory is reported, instead of "no findings". */
static void unchecked(void)
{
	struct space space;

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 37);
	/* No table there: the last page is cut off below. */
	CU_ASSERT_FALSE_FATAL(space.used[IMAGE_PAGES - 1]);
	space.used[IMAGE_PAGES - 1] = true;
	for (unsigned i = 0; i < 5; i++)
		space_map(&space, i * PAGE, PAGE, 0x100000 + i * 2 * PAGE, 1);
	space_map(&space, 0x600000, PAGE, 0x7ffff000, 1);
	CU_ASSERT_EQUAL(check(&space)->count, 1);
	CU_ASSERT_PTR_NULL(check(&space)->unchecked.rule);
	CU_ASSERT_EQUAL(check_part(&space, WHOLE - PAGE, NULL)->count, 0);
	CU_ASSERT_STRING_EQUAL(check_part(&space, WHOLE - PAGE, NULL)->unchecked.rule,
			       "outside-memory");
	CU_ASSERT(strstr(check_part(&space, WHOLE - PAGE, NULL)->unchecked.text, "multiple") != 0);
	space_free(&space);
}

SUITE(map_checks,
      { "checks of an entry", one_entry }, { "checks of several", several_entries },
      { "checks against the global table", with_global }, { "findings are bounded", many },
      { "what cannot be checked", unchecked }, { "hints of 64 KB", hints })
