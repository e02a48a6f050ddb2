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

static void entry_is(const struct part *p, enum gsc_mode mode, const char *level, uint64_t raw,
		     const char *wanted)
{
	uint32_t words[2] = { (uint32_t)raw, (uint32_t)(raw >> 32) };
	size_t count = mode <= GSC_MODE_2LEVEL && !(raw >> 32) ? 1 : 2;
	struct gsc_entry entry;
	enum gsc_status status;
	struct gsc_facts facts;
	struct gsc_fact fact;
	bool typed;

	status = gsc_entry_decode(p->view, mode, level, words, count, &entry, NULL);
	if (status)
		status = gsc_entry_decode(p->view, mode, level, words, 2, &entry, NULL);
	CU_ASSERT_EQUAL_FATAL(status, GSC_OK);
	gsc_facts_begin(&facts, gpu_for(p->source, p->view), &entry, NULL);
	typed = gsc_facts_next(&facts, &fact) && fact.about && !strcmp(fact.about, "memory type");
	is_text(typed ? fact.text : "", wanted);
}

/* An entry of the PAT, by a page that selects it. */
static void pat_is(const struct part *p, unsigned index, const char *wanted)
{
	uint64_t raw = 0x12345003 | (index & 3) << 3 | (index & 4) << 5 |
		       (uint64_t)(index & 8) << 59 | (uint64_t)(index & 16) << 57;
	char text[200];

	string_set(text, "PAT %u: %s", index, wanted);
	entry_is(p, GSC_MODE_PML4, "pte", raw, text);
}

static void test_pat_bytes(void)
{
	struct part p;

	part_open(&p, "bdw", "0x40e0 0x000a0907\n0x40e4 0x3b2b1b0b\n");
	pat_is(&p, 0, "write-back, LLC only (PRIVATE_PAT_LO 0x000a0907)");
	pat_is(&p, 1, "write-combining, LLC and eLLC (PRIVATE_PAT_LO 0x000a0907)");
	pat_is(&p, 3, "uncached, eLLC only (PRIVATE_PAT_LO 0x000a0907)");
	pat_is(&p, 4, "write-back, LLC and eLLC (PRIVATE_PAT_HI 0x3b2b1b0b)");
	pat_is(&p, 7, "write-back, LLC and eLLC, age 3 (PRIVATE_PAT_HI 0x3b2b1b0b)");
	part_close(&p);
	part_open(&p, "chv", "0x40e0 0x40404000\n");
	pat_is(&p, 0, "snooped: no (PRIVATE_PAT_LO 0x40404000)");
	pat_is(&p, 2, "snooped: yes (PRIVATE_PAT_LO 0x40404000)");
	pat_is(&p, 4, "PRIVATE_PAT_HI is not in this dump");
	part_close(&p);
}

static void test_pat_registers(void)
{
	struct part p;

	part_open(&p, "icl", "0x40e4 0x00000103\n");
	pat_is(&p, 1, "write-back, eLLC only, class of service 1 (PAT_INDEX[1] 0x00000103)");
	pat_is(&p, 0, "PAT_INDEX[0] is not in this dump");
	part_close(&p);
	part_open(&p, "tgl", "0x4804 0x00000001\n");
	pat_is(&p, 1, "write-combining (PAT_INDEX[1] 0x00000001)");
	pat_is(&p, 2, "PAT_INDEX[2] is not in this dump");
	part_close(&p);
	part_open(&p, "mtl", "0x4810 0x0000000f\n0x4800 0\n");
	pat_is(&p, 4, "2-way coherent, L4 uncached (PAT_INDEX[4] 0x0000000f)");
	pat_is(&p, 0, "not coherent, L4 write-back (PAT_INDEX[0] 0x00000000)");
	part_close(&p);
	part_open(&p, "lnl", "0x4858 0x0000023c\n");
	pat_is(&p, 12, "not coherent, L4 uncached, L3 uncached, compression enable "
	       "(PAT_INDEX_UPPER[4] 0x0000023c)");
	pat_is(&p, 31, "PAT_INDEX_UPPER[23] is not in this dump");
	part_close(&p);
}

static void test_entries(void)
{
	struct part p;

	part_open(&p, "skl", "0x40e0 0x000a0907\n0x40e4 0x3b2b1b0b\n");
	entry_is(&p, GSC_MODE_PML4, "pte", 0x123456003,
		 "PAT 0: write-back, LLC only (PRIVATE_PAT_LO 0x000a0907)");
	entry_is(&p, GSC_MODE_PML4, "pte", 0x12345609b,
		 "PAT 7: write-back, LLC and eLLC, age 3 (PRIVATE_PAT_HI 0x3b2b1b0b)");
	entry_is(&p, GSC_MODE_PML4, "pde2m", 0x12320108b,
		 "PAT 5: write-back, LLC and eLLC, age 1 (PRIVATE_PAT_HI 0x3b2b1b0b)");
	entry_is(&p, GSC_MODE_PML4, "pte", 0x203, "");
	entry_is(&p, GSC_MODE_PML4, "pde", 0x123456003, "");
	entry_is(&p, GSC_MODE_GGTT, "pte", 0x123456001,
		 "PAT 0: write-back, LLC only (PRIVATE_PAT_LO 0x000a0907)");
	part_close(&p);
	part_open(&p, "skl", "0x2030 0\n");
	entry_is(&p, GSC_MODE_IA32E, "pte", 0x123456017,
		 "PAT 2: the context has a table of its own, in its extended context or PASID "
		 "entry");
	entry_is(&p, GSC_MODE_PML4, "pte", 0x123456013,
		 "PAT 2: PRIVATE_PAT_LO is not in this dump");
	entry_is(&p, GSC_MODE_TRTT, "trtt-l2", 0x123456000, "");
	part_close(&p);
	part_open(&p, "mtl", "0x480c 0x00000002\n");
	entry_is(&p, GSC_MODE_GGTT, "pte", UINT64_C(0x0030000123456001),
		 "PAT 3: 1-way coherent, L4 write-back (PAT_INDEX[3] 0x00000002)");
	entry_is(&p, GSC_MODE_PML4, "pte", UINT64_C(0x4000000123456003),
		 "PAT 8: the page-attribute table has no such entry");
	part_close(&p);
}

static void test_own_bits(void)
{
	struct part p;

	part_open(&p, "snb", "0x2030 0\n");
	entry_is(&p, GSC_MODE_GGTT, "pte", 0x12345005, "LLC");
	entry_is(&p, GSC_MODE_2LEVEL, "pte", 0x12345003, "uncached");
	part_close(&p);
	part_open(&p, "hsw", "0x2030 0\n");
	entry_is(&p, GSC_MODE_2LEVEL, "pte", 0x12345801, "write-back, eLLC and LLC, age 3");
	part_close(&p);
	part_open(&p, "vlv", "0x2030 0\n");
	entry_is(&p, GSC_MODE_GGTT, "pte", 0x12345007, "snooped: yes");
	part_close(&p);
	part_open(&p, "brw", "0x2030 0\n");
	entry_is(&p, GSC_MODE_FLAT, "pte", 0x12345007, "cached");
	part_close(&p);
}

/* How many facts a level has, and how many of them mention `about`. */
static size_t facts(const char *platform, enum gsc_mode mode, const char *level,
		    const char *about, size_t *all)
{
	struct gsc_fact fact;
	struct part p;
	size_t found = 0, at = 0;

	part_open(&p, platform, "0x2030 0\n");
	for (*all = 0; gsc_fact(p.view, mode, level, &at, &fact); ++*all) {
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

	CU_ASSERT_EQUAL(facts("skl", GSC_MODE_PML4, "pte", "set-associative", &all), 1);
	CU_ASSERT_EQUAL(facts("icl", GSC_MODE_PML4, "pde2m", "GTT cache", &all), 1);
	CU_ASSERT_EQUAL(facts("icl", GSC_MODE_PDP32, "pte", "GTT cache", &all), 0);
	CU_ASSERT_TRUE(all > 0);
	CU_ASSERT_EQUAL(facts("snb", GSC_MODE_2LEVEL, "pde", "cached", &all), 1);
	CU_ASSERT_EQUAL(facts("snb", GSC_MODE_TRTT, "pte", "", &all), 0);
	CU_ASSERT_EQUAL(all, 0);
}

/* The fact about something that holds for an entry on a platform with these registers. */
static void fact_is(const char *platform, const char *lines, enum gsc_mode mode, uint64_t raw,
		    int mocs, const char *about, const char *wanted)
{
	struct gsc_mocs control = { .given = mocs >= 0, .index = (unsigned)mocs };
	uint32_t words[2] = { (uint32_t)raw, (uint32_t)(raw >> 32) };
	struct gsc_entry entry;
	struct gsc_facts facts;
	struct gsc_fact fact;
	size_t found = 0;
	struct part p;

	part_open(&p, platform, lines);
	CU_ASSERT_EQUAL_FATAL(gsc_entry_decode(p.view, mode, "pte", words, 2, &entry, NULL),
			      GSC_OK);
	gsc_facts_begin(&facts, gpu_for(p.source, p.view), &entry, &control);
	while (gsc_facts_next(&facts, &fact)) {
		if (!fact.about || strcmp(fact.about, about))
			continue;
		CU_ASSERT_EQUAL(found++, 0);
		if (!wanted || strncmp(fact.text, wanted, strlen(wanted))) {
			CU_FAIL("another fact");
			fprintf(stderr, "\n%s: %s: %s\n", platform, about, fact.text);
		}
	}
	CU_ASSERT_EQUAL(found, wanted ? 1 : 0);
	part_close(&p);
}

#define NONE_OF "0x2030 0\n"

static void test_snooping(void)
{
	fact_is("g33", NONE_OF, GSC_MODE_GGTT, 0x12345001, -1, "snooping", "no: main memory");
	fact_is("ilk", NONE_OF, GSC_MODE_GGTT, 0x12345007, -1, "snooping", "yes: system memory");
	fact_is("ilk", NONE_OF, GSC_MODE_GGTT, 0x12345006, -1, "snooping", NULL);
	fact_is("snb", NONE_OF, GSC_MODE_GGTT, 0x12345003, -1, "snooping", "always");
	fact_is("vlv", NONE_OF, GSC_MODE_2LEVEL, 0x12345005, -1, "snooping", "yes, by");
	fact_is("vlv", NONE_OF, GSC_MODE_2LEVEL, 0x12345001, 2, "snooping", "yes: the MOCS");
	fact_is("chv", "0x40e0 0x40004000\n", GSC_MODE_PML4, 0x12345003, -1, "snooping", "no");
	fact_is("chv", "0x40e0 0x40004000\n", GSC_MODE_PML4, 0x1234500b, -1, "snooping", "yes");
	fact_is("chv", "0x40e4 0\n", GSC_MODE_PML4, 0x1234500b, -1, "snooping",
		"PRIVATE_PAT_LO is not in this dump");
	fact_is("jsl", "0xc840 0x4005\n", GSC_MODE_PML4, 0x12345003, 16, "snooping", "no: this");
	fact_is("jsl", "0xc840 0x0005\n", GSC_MODE_PML4, 0x12345003, 16, "snooping", "always");
	fact_is("jsl", NONE_OF, GSC_MODE_PML4, 0x12345003, 16, "snooping", "rcs0.MOCS[16] is not");
	fact_is("dg2", NONE_OF, GSC_MODE_PML4, 0x12345803, -1, "snooping", "nothing to snoop");
	fact_is("dg2", NONE_OF, GSC_MODE_PML4, 0x12345003, -1, "snooping", "always");
	fact_is("mtl", "0x4804 2\n", GSC_MODE_PML4, 0x1234500b, -1, "snooping", "1-way");
	fact_is("lnl", "0x4804 3\n", GSC_MODE_PML4, 0x1234500b, -1, "snooping", "2-way");
	/* A null page has no memory. */
	fact_is("lnl", "0x4804 3\n", GSC_MODE_PML4, 0x1234520b, -1, "snooping", NULL);
}

static void test_results(void)
{
	static const char tgl[] = "0x4800 3\n0x480c 0\n0x4004 1\n0x4008 3\n0xb020 0x300010\n";
	static const char mtl[] = "0x4800 0\n0x4004 0x10c\n0x400c 0\n0xb020 0x300070\n";

	fact_is("snb", NONE_OF, GSC_MODE_GGTT, 0x12345005, 1, "result", "not cached in the LLC");
	fact_is("snb", NONE_OF, GSC_MODE_GGTT, 0x12345005, 0, "result", "cached in the LLC, as");
	fact_is("snb", NONE_OF, GSC_MODE_GGTT, 0x12345005, -1, "result", NULL);
	fact_is("bdw", NONE_OF, GSC_MODE_PML4, 0x12345003, 0x18, "result", "as the PAT entry");
	fact_is("bdw", NONE_OF, GSC_MODE_PML4, 0x12345003, 0x78, "result", "write-back");
	fact_is("skl", "0xc808 0x3b\n", GSC_MODE_PML4, 0x12345003, 2, "result", "write-back");
	fact_is("skl", "0xc808 0x39\n", GSC_MODE_PML4, 0x12345003, 2, "result", "uncached");
	fact_is("tgl", tgl, GSC_MODE_PML4, 0x12345003, 1, "result", "write-back, as the PAT");
	fact_is("tgl", tgl, GSC_MODE_PML4, 0x1234501b, 2, "result", "write-back, as the MOCS");
	fact_is("tgl", tgl, GSC_MODE_PML4, 0x1234501b, 1, "result", "uncached: PAT and MOCS");
	fact_is("tgl", tgl, GSC_MODE_PML4, 0x1234501b, 2, "MOCS 2", "LLC write-back, target page "
		"table (GLOBAL_MOCS[2] 0x00000003); LNCFCMOCS[1] is not in this dump");
	fact_is("tgl", tgl, GSC_MODE_PML4, 0x1234501b, 1, "MOCS 1", "LLC uncached, target page "
		"table (GLOBAL_MOCS[1] 0x00000001); L3 write-back (LNCFCMOCS[0] 0x00300010)");
	fact_is("mtl", mtl, GSC_MODE_PML4, 0x12345003, 1, "result", "L4 as the MOCS says");
	fact_is("mtl", mtl, GSC_MODE_PML4, 0x12345003, 3, "result", "as the PAT says");
	fact_is("mtl", mtl, GSC_MODE_PML4, 0x12345003, 0, "MOCS 0",
		"GLOBAL_MOCS[0] is not in this dump; L3 write-back, writes observed in memory");
	fact_is("pvc", NONE_OF, GSC_MODE_PML4, 0x12345003, 127, "MOCS 127", "this platform has no");
}

static void test_atomics(void)
{
	static const char icl[] = "0x40e0 7\n0x40ec 0\n0xc808 0x3b\n0xc80c 5\n";

	fact_is("icl", icl, GSC_MODE_PML4, 0x12345003, -1, "atomics", "atomic with those");
	fact_is("icl", icl, GSC_MODE_PML4, 0x1234501b, -1, "atomics", "not guaranteed");
	fact_is("icl", icl, GSC_MODE_PML4, 0x1234501b, 2, "atomics", "atomic with those");
	fact_is("icl", icl, GSC_MODE_PML4, 0x12345003, 3, "atomics", "not guaranteed");
	fact_is("icl", NONE_OF, GSC_MODE_PML4, 0x12345003, -1, "atomics", "PAT_INDEX[0] is not");
	fact_is("icl", NONE_OF, GSC_MODE_IA32E, 0x12345027, -1, "atomics", "atomic with those");
	fact_is("snb", NONE_OF, GSC_MODE_GGTT, 0x12345003, -1, "atomics", NULL);
	fact_is("pvc", NONE_OF, GSC_MODE_PML4, 0x12345c03, -1, "atomics", "allowed: ATOMIC");
	fact_is("pvc", NONE_OF, GSC_MODE_PML4, 0x12345403, -1, "atomics", "allowed by the entry");
	fact_is("pvc", NONE_OF, GSC_MODE_PML4, 0x12345003, -1, "atomics", "not allowed");
	fact_is("lnl", NONE_OF, GSC_MODE_PML4, 0x12345003, -1, "atomics", "not allowed");
}

/* What drivers usually write is told where the register is not there. */
static void test_drivers(void)
{
	fact_is("mtl", NONE_OF, GSC_MODE_PML4, 0x1234501b, -1, "drivers", "i915 and xe make this "
		"entry L4 write-back, 1-way");
	fact_is("mtl", "0x480c 2\n", GSC_MODE_PML4, 0x1234501b, -1, "drivers", NULL);
	fact_is("ptl", NONE_OF, GSC_MODE_PML4, UINT64_C(0x2000000012345003), -1, "drivers",
		"xe makes this entry L3 write-back, L4 uncached, compressed, 1-way");
	fact_is("lnl", NONE_OF, GSC_MODE_PML4, UINT64_C(0x2000000012345003), -1, "drivers", NULL);
}

SUITE(memtype,
	{ "PAT entries in bytes", test_pat_bytes },
	{ "PAT entries in registers", test_pat_registers },
	{ "entries", test_entries },
	{ "entries with types of their own", test_own_bits },
	{ "facts", test_facts },
	{ "what is snooped", test_snooping },
	{ "with a MOCS", test_results },
	{ "atomics", test_atomics },
	{ "what drivers write", test_drivers })
