/* SPDX-License-Identifier: MIT */
/* Memory types from the registers of a source, and facts about entries. */
#include "gpu-for.h"
#include "source-helpers.h"
#include "source/source.h"
#include "test.h"
#include "gtt/gtt.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_source *source;
	char *path;
};

/* A platform with these lines of "ADDRESS VALUE" as registers. */
static void part_open(struct part *p, const char *platform, const char *lines)
{
	struct gsc_platform found;
	int device;

	p->path = temporary_file(lines, strlen(lines));
	p->source = open_spec("%s", p->path, platform);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p->source);
	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&p->db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(p->db, platform, &found, &device, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&p->view, p->db, found.index, -1, NULL), GSC_OK);
}

static void part_close(struct part *p)
{
	gsc_source_close(p->source);
	gsc_view_free(p->view);
	gsc_db_free(p->db);
	drop_file(p->path);
}

static void is_text(const char *got, const char *wanted)
{
	if (strcmp(got, wanted)) {
		CU_FAIL("text differs");
		fprintf(stderr, "\ngot    %s\nwanted %s\n", got, wanted);
	}
}

static bool pat_text(const struct part *p, unsigned index, char *buf, size_t size)
{
	struct text text = text_begin(buf, size);

	return pat_put(&text, gpu_for(p->source, p->view), index);
}

static void pat_is(const struct part *p, unsigned index, bool known, const char *wanted)
{
	char text[200] = "";

	CU_ASSERT_EQUAL(pat_text(p, index, text, sizeof(text)), known);
	is_text(text, wanted);
}

static void entry_is(const struct part *p, enum gsc_mode mode, const char *level, uint64_t raw,
		     bool known, const char *wanted)
{
	uint32_t words[2] = { (uint32_t)raw, (uint32_t)(raw >> 32) };
	size_t count = mode <= GSC_MODE_2LEVEL && !(raw >> 32) ? 1 : 2;
	struct gsc_entry entry;
	char text[200] = "";
	enum gsc_status status;

	status = gsc_entry_decode(p->view, mode, level, words, count, &entry, NULL);
	if (status)
		status = gsc_entry_decode(p->view, mode, level, words, 2, &entry, NULL);
	CU_ASSERT_EQUAL_FATAL(status, GSC_OK);
	CU_ASSERT_EQUAL(gsc_entry_memory_type(gpu_for(p->source, p->view), &entry, text,
					      sizeof(text)),
			known);
	is_text(text, wanted);
}

static void test_pat_bytes(void)
{
	struct part p;

	part_open(&p, "bdw", "0x40e0 0x000a0907\n0x40e4 0x3b2b1b0b\n");
	pat_is(&p, 0, true, "write-back, LLC only (PRIVATE_PAT_LO 0x000a0907)");
	pat_is(&p, 1, true, "write-combining, LLC and eLLC (PRIVATE_PAT_LO 0x000a0907)");
	pat_is(&p, 3, true, "uncached, eLLC only (PRIVATE_PAT_LO 0x000a0907)");
	pat_is(&p, 4, true, "write-back, LLC and eLLC (PRIVATE_PAT_HI 0x3b2b1b0b)");
	pat_is(&p, 7, true, "write-back, LLC and eLLC, age 3 (PRIVATE_PAT_HI 0x3b2b1b0b)");
	pat_is(&p, 8, false, "the page-attribute table has no such entry");
	pat_is(&p, UINT32_MAX, false, "the page-attribute table has no such entry");
	part_close(&p);
	part_open(&p, "chv", "0x40e0 0x40404000\n");
	pat_is(&p, 0, true, "snooped: no (PRIVATE_PAT_LO 0x40404000)");
	pat_is(&p, 2, true, "snooped: yes (PRIVATE_PAT_LO 0x40404000)");
	pat_is(&p, 4, false, "PRIVATE_PAT_HI is not in the source");
	part_close(&p);
}

static void test_pat_registers(void)
{
	struct part p;

	part_open(&p, "icl", "0x40e4 0x00000103\n");
	pat_is(&p, 1, true, "write-back, eLLC only, class of service 1 (PAT_INDEX[1] 0x00000103)");
	pat_is(&p, 0, false, "PAT_INDEX[0] is not in the source");
	part_close(&p);
	part_open(&p, "tgl", "0x4804 0x00000001\n");
	pat_is(&p, 1, true, "write-combining (PAT_INDEX[1] 0x00000001)");
	pat_is(&p, 2, false, "PAT_INDEX[2] is not in the source");
	part_close(&p);
	part_open(&p, "mtl", "0x4810 0x0000000f\n0x4800 0\n");
	pat_is(&p, 4, true, "2-way coherent, L4 uncached (PAT_INDEX[4] 0x0000000f)");
	pat_is(&p, 0, true, "not coherent, L4 write-back (PAT_INDEX[0] 0x00000000)");
	part_close(&p);
	part_open(&p, "lnl", "0x4858 0x0000023c\n");
	pat_is(&p, 12, true, "not coherent, L4 uncached, L3 uncached, compression enable "
	       "(PAT_INDEX_UPPER[4] 0x0000023c)");
	pat_is(&p, 31, false, "PAT_INDEX_UPPER[23] is not in the source");
	pat_is(&p, 32, false, "the page-attribute table has no such entry");
	part_close(&p);
	part_open(&p, "snb", "0x40e0 0x7\n");
	pat_is(&p, 0, false, "there is no page-attribute table before Gen8");
	part_close(&p);
}

static void test_pat_short(void)
{
	struct part p;
	char text[12] = "";

	part_open(&p, "tgl", "0x4804 0x00000001\n");
	CU_ASSERT_TRUE(pat_text(&p, 1, text, sizeof(text)));
	is_text(text, "write-combi");
	CU_ASSERT_TRUE(pat_text(&p, 1, text, 0));
	CU_ASSERT_TRUE(pat_text(&p, 1, text, 1));
	is_text(text, "");
	part_close(&p);
}

static void test_entries(void)
{
	struct part p;

	part_open(&p, "skl", "0x40e0 0x000a0907\n0x40e4 0x3b2b1b0b\n");
	entry_is(&p, GSC_MODE_PML4, "pte", 0x123456003, true,
		 "PAT 0: write-back, LLC only (PRIVATE_PAT_LO 0x000a0907)");
	entry_is(&p, GSC_MODE_PML4, "pte", 0x12345609b, true,
		 "PAT 7: write-back, LLC and eLLC, age 3 (PRIVATE_PAT_HI 0x3b2b1b0b)");
	entry_is(&p, GSC_MODE_PML4, "pde2m", 0x12320108b, true,
		 "PAT 5: write-back, LLC and eLLC, age 1 (PRIVATE_PAT_HI 0x3b2b1b0b)");
	entry_is(&p, GSC_MODE_PML4, "pte", 0x203, false, "");
	entry_is(&p, GSC_MODE_PML4, "pde", 0x123456003, false, "");
	entry_is(&p, GSC_MODE_GGTT, "pte", 0x123456001, true,
		 "PAT 0: write-back, LLC only (PRIVATE_PAT_LO 0x000a0907)");
	part_close(&p);
	part_open(&p, "skl", "0x2030 0\n");
	entry_is(&p, GSC_MODE_IA32E, "pte", 0x123456017, false,
		 "PAT 2: PRIVATE_PAT_LO is not in the source");
	entry_is(&p, GSC_MODE_TRTT, "trtt-l2", 0x123456000, false, "");
	part_close(&p);
	part_open(&p, "mtl", "0x480c 0x00000002\n");
	entry_is(&p, GSC_MODE_GGTT, "pte", UINT64_C(0x0030000123456001), true,
		 "PAT 3: 1-way coherent, L4 write-back (PAT_INDEX[3] 0x00000002)");
	entry_is(&p, GSC_MODE_PML4, "pte", UINT64_C(0x4000000123456003), false,
		 "PAT 8: the page-attribute table has no such entry");
	part_close(&p);
}

static void test_own_bits(void)
{
	struct part p;

	part_open(&p, "snb", "0x2030 0\n");
	entry_is(&p, GSC_MODE_GGTT, "pte", 0x12345005, true, "LLC");
	entry_is(&p, GSC_MODE_2LEVEL, "pte", 0x12345003, true, "uncached");
	part_close(&p);
	part_open(&p, "hsw", "0x2030 0\n");
	entry_is(&p, GSC_MODE_2LEVEL, "pte", 0x12345801, true, "write-back, eLLC and LLC, age 3");
	part_close(&p);
	part_open(&p, "vlv", "0x2030 0\n");
	entry_is(&p, GSC_MODE_GGTT, "pte", 0x12345007, true, "snooped: yes");
	part_close(&p);
	part_open(&p, "brw", "0x2030 0\n");
	entry_is(&p, GSC_MODE_FLAT, "pte", 0x12345007, true, "cached");
	part_close(&p);
}

/* How many facts a level has, and how many of them mention `about`. */
static size_t facts(const char *platform, enum gsc_mode mode, const char *level,
		    const char *about, size_t *all)
{
	struct gsc_fact fact;
	struct part p;
	size_t found = 0;

	part_open(&p, platform, "0x2030 0\n");
	for (*all = 0; gsc_fact(p.view, mode, level, *all, &fact); ++*all) {
		found += strstr(fact.text, about) != NULL;
		CU_ASSERT_PTR_NOT_NULL(fact.document);
		CU_ASSERT_PTR_NOT_NULL(fact.section);
	}
	part_close(&p);
	return found;
}

static void test_facts(void)
{
	size_t all;

	CU_ASSERT_EQUAL(facts("skl", GSC_MODE_PML4, "pte", "L3 TLB: 640 entries", &all), 1);
	CU_ASSERT_EQUAL(facts("skl", GSC_MODE_PML4, "pte", "768", &all), 0);
	CU_ASSERT_EQUAL(facts("icl", GSC_MODE_PML4, "pde2m", "768", &all), 1);
	CU_ASSERT_EQUAL(facts("icl", GSC_MODE_PML4, "pde2m", "GTT cache", &all), 1);
	CU_ASSERT_EQUAL(facts("icl", GSC_MODE_PML4, "pde", "GTT cache", &all), 0);
	CU_ASSERT_TRUE(all > 0);
	CU_ASSERT_EQUAL(facts("snb", GSC_MODE_2LEVEL, "pde", "cached", &all), 1);
	CU_ASSERT_EQUAL(all, 1);
	facts("tgl", GSC_MODE_PML4, "pte", "", &all);
	CU_ASSERT_EQUAL(all, 0);
}

SUITE(memtype,
	{ "PAT entries in bytes", test_pat_bytes },
	{ "PAT entries in registers", test_pat_registers },
	{ "too little room", test_pat_short },
	{ "entries", test_entries },
	{ "entries with types of their own", test_own_bits },
	{ "facts", test_facts })
