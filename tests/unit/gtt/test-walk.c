/* SPDX-License-Identifier: MIT */
/* Tables built by hand, one mode after the other, and every way in which a walk can end. */
#include "gtt/gtt.h"
#include "gpu-for.h"
#include "test.h"
#include "walk-helpers.h"

#include <string.h>

#define GIB (UINT64_C(1) << 30)

/* ---- global table -------------------------------------------------------------------------- */

static void test_ggtt_32(void)
{
	struct world w;

	/* Gen4: address bits 35:32 in 7:4. The largest table has 512 KB. */
	world_begin(&w, "brw", NULL);
	put(&w, GSC_GGTT, 5 * 4, 4, 0x345000a7);
	put(&w, GSC_GGTT, 6 * 4, 4, 0x34500001);
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0x5678, GSC_PHYS, UINT64_C(0xa34500678), 4096, "cached");
	stepped(&w, 0, "pte", 5, GSC_GGTT, 0, 0x345000a7);
	lands(&w, 0x6000, GSC_PHYS, 0x34500000, 4096, "uncached");
	stops(&w, 0x7000, GSC_STOP_NOT_PRESENT, "pte", "pte 0x0 at ggtt:0x1c is not valid");
	stops(&w, 0x20000000, GSC_STOP_BEYOND_TABLE, "pte", "global table at 0x20000000");
	world_end(&w);

	/* Gen6: 39:32 in 11:4. */
	world_begin(&w, "snb", NULL);
	put(&w, GSC_GGTT, 0, 4, 0x34500feb);
	put(&w, GSC_GGTT, 4, 4, 0x34500025);
	put(&w, GSC_GGTT, 8, 4, 0x34500021);
	put(&w, GSC_GGTT, 0x1ffffc, 4, 0x34500027);
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0x123, GSC_PHYS, UINT64_C(0xfe34500123), 4096, "gfdt,uncached");
	lands(&w, 0x1ff8, GSC_PHYS, MEMORY + 0xff8, 4096, "llc");
	lands(&w, 0x2000, GSC_PHYS, MEMORY, 4096, "reserved");
	lands(&w, 0x7ffff000, GSC_PHYS, MEMORY, 4096, "llc+mlc");
	stops(&w, 2 * GIB, GSC_STOP_BEYOND_TABLE, "pte", "0x80000000");
	world_end(&w);
}

static void test_ggtt_gen7(void)
{
	struct world w;

	/* Haswell: 38:32 in 10:4, bit 11 is cacheability. No bit forbids writes. */
	world_begin(&w, "hsw", NULL);
	put(&w, GSC_GGTT, 0, 4, 0x34500827);
	put(&w, GSC_GGTT, 4, 4, 0x345007f5);
	put(&w, GSC_GGTT, 8, 4, 0x34500803);
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0, GSC_PHYS, MEMORY, 4096, "write-back-ellc+llc-age-0");
	CU_ASSERT_TRUE(w.walk.writable && w.walk.readable && w.walk.executable && w.walk.user);
	lands(&w, 0x1000, GSC_PHYS, UINT64_C(0x7f34500000), 4096, "write-back-llc-age-3");
	lands(&w, 0x2000, GSC_PHYS, 0x34500000, 4096, "cache9");
	world_end(&w);

	world_begin(&w, "vlv", NULL);
	put(&w, GSC_GGTT, 0, 4, 0x34500023);
	put(&w, GSC_GGTT, 4, 4, 0x34500025);
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0, GSC_PHYS, MEMORY, 4096, "rw");
	lands(&w, 0x1000, GSC_PHYS, MEMORY, 4096, "ro,snooped");
	stops_intent(&w, 0x1000, GSC_INTENT_WRITE, GSC_STOP_NOT_PERMITTED, "pte", "read-only");
	world_end(&w);
}

static void test_ggtt_64(void)
{
	struct world w;

	/* Bits that are ignored: 11:1 and above 38. */
	world_begin(&w, "skl", NULL);
	put(&w, GSC_GGTT, 0x7ffff8, 8, UINT64_C(0xffffff8234501fff));
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0xfffff018, GSC_PHYS, MEMORY + 0x1018, 4096, "");
	stops(&w, 4 * GIB, GSC_STOP_BEYOND_TABLE, "pte", "0x100000000");
	world_end(&w);

	/* Local memory, and 46 bits. */
	world_begin(&w, "dg1", NULL);
	put(&w, GSC_GGTT, 0, 8, 0x3003);
	put(&w, GSC_GGTT, 8, 8, UINT64_C(0x3fffffff0001));
	put(&w, GSC_GGTT, 16, 8, 0x300d);
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0x10, GSC_LMEM, 0x3010, 4096, "local");
	lands(&w, 0x1010, GSC_PHYS, UINT64_C(0x3fffffff0010), 4096, "");
	lands(&w, 0x2000, GSC_PHYS, 0x3000, 4096, "vf3");
	world_end(&w);

	world_begin(&w, "mtl", NULL);
	put(&w, GSC_GGTT, 0, 8, UINT64_C(0x0030000234501001));
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0, GSC_PHYS, MEMORY + 0x1000, 4096, "pat3");
	world_end(&w);
}

/* GGC says how long the table is, BDSM where stolen memory is. */
static void test_ggtt_config(void)
{
	struct world w;

	world_begin(&w, "skl", NULL);
	put_config(&w, 0x50, 2, 0x0241);	/* 64 MB stolen, 2 MB table */
	put_config(&w, 0x5c, 4, 0x8c000001);
	put(&w, GSC_GGTT, 0, 8, 0x8bfff001);
	put(&w, GSC_GGTT, 8, 8, 0x8c000001);
	put(&w, GSC_GGTT, 16, 8, 0x8ffff001);
	put(&w, GSC_GGTT, 24, 8, 0x90000001);
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0, GSC_PHYS, 0x8bfff000, 4096, "");
	CU_ASSERT_FALSE(w.walk.stolen);
	lands(&w, 0x1000, GSC_PHYS, 0x8c000000, 4096, "");
	CU_ASSERT_TRUE(w.walk.stolen);
	lands(&w, 0x2fff, GSC_PHYS, 0x8fffffff, 4096, "");
	CU_ASSERT_TRUE(w.walk.stolen);
	lands(&w, 0x3000, GSC_PHYS, 0x90000000, 4096, "");
	CU_ASSERT_FALSE(w.walk.stolen);
	stops(&w, GIB, GSC_STOP_BEYOND_TABLE, "pte", "0x40000000");
	world_end(&w);
}

/* From Meteor Lake on a bit says that the address counts from GSMBASE on; GSM, then 8 MB on data. */
static void test_stolen(void)
{
	uint64_t gsm = MEMORY - 0x100000;
	struct world w;

	world_begin(&w, "mtl", NULL);
	put(&w, GSC_GGTT, 0, 8, 0x800003);
	put(&w, GSC_GGTT, 8, 8, 0x1003);
	put(&w, GSC_GGTT, 16, 8, 0x800001);
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0x10, GSC_STOLEN, 0x800010, 4096, "stolen,pat0");
	CU_ASSERT_TRUE(w.walk.stolen);
	noted(&w, "no source holds GSMBASE");
	lands(&w, 0x2000, GSC_PHYS, 0x800000, 4096, "pat0");
	CU_ASSERT_FALSE(w.walk.stolen);
	put_register(&w, 0x108100, (uint32_t)gsm | 1);
	put_register(&w, 0x108104, (uint32_t)(gsm >> 32));
	world_open(&w, GSC_MODE_GGTT, 0);
	lands(&w, 0x10, GSC_PHYS, gsm + 0x800010, 4096, "stolen,pat0");
	CU_ASSERT_TRUE(w.walk.stolen);
	lands(&w, 0x1000, GSC_PHYS, gsm + 0x1000, 4096, "stolen,pat0");
	world_end(&w);

	/* The base of the data gives the same; leaves of a process have the bit elsewhere. */
	world_begin(&w, "lnl", NULL);
	put_register(&w, 0x1080c0, (uint32_t)MEMORY);
	put_register(&w, 0x1080c4, (uint32_t)(MEMORY >> 32));
	put(&w, GSC_PHYS, MEMORY, 8, (MEMORY + 0x1000) | 3);
	put(&w, GSC_PHYS, MEMORY + 0x1000, 8, (MEMORY + 0x2000) | 3);
	put(&w, GSC_PHYS, MEMORY + 0x2000, 8, (MEMORY + 0x3000) | 3);
	put(&w, GSC_PHYS, MEMORY + 0x3000, 8, (MEMORY + 0x4000) | 3);
	put(&w, GSC_PHYS, MEMORY + 0x3008, 8, 0x800883);
	put(&w, GSC_PHYS, MEMORY + 0x4000, 8, 0x800803);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	lands(&w, 0, GSC_PHYS, MEMORY, 4096, "rw,stolen,pat0");
	lands(&w, 0x200000, GSC_PHYS, MEMORY, 1 << 21, "rw,stolen,pat0");
	world_end(&w);
}

/* ---- flat ---------------------------------------------------------------------------------- */

static void test_flat(void)
{
	struct world w;

	/* 0x234500000: bits 35:32 of the base in 7:4. 64 KB map 64 MB. */
	world_begin(&w, "crl", NULL);
	put(&w, GSC_PHYS, MEMORY + 9 * 4, 4, 0x345f0021);
	put(&w, GSC_PHYS, MEMORY + 0xfffc, 4, 0x345f1027);
	put(&w, GSC_PHYS, MEMORY + 0x10000, 4, 0x345f2027);
	put(&w, GSC_GGTT, 9 * 4, 4, 0x345f3021);
	world_open(&w, GSC_MODE_FLAT, 0x34500021);
	lands(&w, 0x9008, GSC_PHYS, MEMORY + 0xf0008, 4096, "uncached");
	stepped(&w, 0, "pte", 9, GSC_PHYS, MEMORY, 0x345f0021);
	lands(&w, 0x3fff000, GSC_PHYS, MEMORY + 0xf1000, 4096, "cached");
	stops(&w, 0x4000000, GSC_STOP_BEYOND_TABLE, "pte", "address space at 0x4000000");
	world_open(&w, GSC_MODE_FLAT, 0x34500023);
	lands(&w, 0x4000000, GSC_PHYS, MEMORY + 0xf2000, 4096, "cached");
	world_open(&w, GSC_MODE_FLAT, 0x34500029);
	stops(&w, GIB - 1, GSC_STOP_NOT_PRESENT, "pte", "not valid");
	stops(&w, GIB, GSC_STOP_BEYOND_TABLE, "pte", "0x40000000");
	world_open(&w, GSC_MODE_FLAT, 0x3450002b);
	stops(&w, 0, GSC_STOP_RESERVED_BITS, "pte", "size 5");
	/* Off: the global table serves. */
	world_open(&w, GSC_MODE_FLAT, 0x34500020);
	lands(&w, 0x9000, GSC_PHYS, MEMORY + 0xf3000, 4096, "uncached");
	noted(&w, "the global table is used");
	world_end(&w);
}

/* ---- two levels ---------------------------------------------------------------------------- */

/* The directory is at byte 0x8000 of the table: 0x02000000 in PP_DIR_BASE. */
#define DIRECTORY 0x8000
#define DIR_BASE 0x02000000

static void test_2level(void)
{
	struct world w;

	world_begin(&w, "snb", NULL);
	put(&w, GSC_GGTT, DIRECTORY + 3 * 4, 4, 0x34501021);
	put(&w, GSC_GGTT, DIRECTORY + 511 * 4, 4, 0x34502021);
	put(&w, GSC_GGTT, DIRECTORY + 4 * 4, 4, 0x34501029);
	put(&w, GSC_GGTT, DIRECTORY + 5 * 4, 4, 0x10000001);
	put(&w, GSC_PHYS, MEMORY + 0x1000 + 7 * 4, 4, 0x345ff025);
	put(&w, GSC_PHYS, MEMORY + 0x2ffc, 4, 0x345fe02f);
	world_open(&w, GSC_MODE_2LEVEL, DIR_BASE);
	lands(&w, 0x00c07ff0, GSC_PHYS, MEMORY + 0xffff0, 4096, "llc");
	stepped(&w, 0, "pde", 3, GSC_GGTT, DIRECTORY, 0x34501021);
	stepped(&w, 1, "pte", 7, GSC_PHYS, MEMORY + 0x1000, 0x345ff025);
	lands(&w, 0x7ffff000, GSC_PHYS, MEMORY + 0xfe000, 4096, "gfdt,llc+mlc");
	stops(&w, 0x00c06000, GSC_STOP_NOT_PRESENT, "pte", "at phys:0x234501018 is not valid");
	stops(&w, 0, GSC_STOP_NOT_PRESENT, "pde", "at ggtt:0x8000 is not valid");
	stops(&w, 0x01000000, GSC_STOP_RESERVED_BITS, "pde", "bits 3 must be zero");
	stops(&w, 0x01400000, GSC_STOP_NO_MEMORY, "pte", "phys:0x10000000");
	stops(&w, 2 * GIB, GSC_STOP_BEYOND_TABLE, "pde", "0x80000000");
	CU_ASSERT_EQUAL(w.walk.count, 0);
	/* The last directory that fits ends with the table; nothing beyond it can be one. */
	world_open(&w, GSC_MODE_2LEVEL, 0x7fff0000);
	stops(&w, 0, GSC_STOP_NOT_PRESENT, "pde", "at ggtt:0x1fffc0");
	stops(&w, 0x4000000, GSC_STOP_BEYOND_TABLE, "pde", "entry 16 at byte 0x200000");
	world_end(&w);
}

static void test_2level_groups(void)
{
	struct world w;

	/* Bit 1 is entries 16 to 31. */
	world_begin(&w, "snb", NULL);
	put_register(&w, 0x2220, 0x2);
	for (unsigned i = 0; i < 48; i++)
		put(&w, GSC_GGTT, DIRECTORY + i * 4, 4, 0x34501021);
	put(&w, GSC_PHYS, MEMORY + 0x1000, 4, 0x345ff025);
	world_open(&w, GSC_MODE_2LEVEL, DIR_BASE);
	lands(&w, 16 << 22, GSC_PHYS, MEMORY + 0xff000, 4096, "llc");
	lands(&w, 31 << 22, GSC_PHYS, MEMORY + 0xff000, 4096, "llc");
	stops(&w, 15 << 22, GSC_STOP_NOT_PRESENT, "pde", "entries 0 to 15 are not valid");
	stops(&w, 32 << 22, GSC_STOP_NOT_PRESENT, "pde", "PP_DCLV 0x2: directory entries 32 to 47");
	/* It counts only for the directory of its engine. */
	put_register(&w, 0x2518, DIR_BASE + 0x10000);
	world_open(&w, GSC_MODE_2LEVEL, DIR_BASE);
	lands(&w, 15 << 22, GSC_PHYS, MEMORY + 0xff000, 4096, "llc");
	put_register(&w, 0x22228, DIR_BASE);
	put_register(&w, 0x22220, 0x1);
	world_open(&w, GSC_MODE_2LEVEL, DIR_BASE);
	lands(&w, 15 << 22, GSC_PHYS, MEMORY + 0xff000, 4096, "llc");
	stops(&w, 16 << 22, GSC_STOP_NOT_PRESENT, "pde", "PP_DCLV 0x1");
	world_end(&w);
}

static void test_2level_large(void)
{
	struct world w;

	/* Eight entries that make up 32 KB, and eight that do not. */
	world_begin(&w, "snb", NULL);
	put(&w, GSC_GGTT, DIRECTORY, 4, 0x34501023);
	for (unsigned i = 0; i < 8; i++) {
		put(&w, GSC_PHYS, MEMORY + 0x1000 + i * 4, 4, 0x34508025 + i * 0x1000);
		put(&w, GSC_PHYS, MEMORY + 0x1020 + i * 4, 4, 0x34519025 + i * 0x1000);
	}
	world_open(&w, GSC_MODE_2LEVEL, DIR_BASE);
	lands(&w, 0x5678, GSC_PHYS, MEMORY + 0xd678, 32768, "llc");
	stepped(&w, 1, "pte32k", 5, GSC_PHYS, MEMORY + 0x1000, 0x3450d025);
	noted(&w, "");
	lands(&w, 0x9000, GSC_PHYS, MEMORY + 0x1a000, 32768, "llc");
	noted(&w, "not an aligned run");
	world_end(&w);
}

/* ---- legacy contexts of Gen8 and later ------------------------------------------------------ */

static void test_pdp32(void)
{
	const uint64_t roots[] = { MEMORY, MEMORY + 0x1000, MEMORY + 0x2000, MEMORY + 0x3000 };
	struct world w;

	world_begin(&w, "bdw", NULL);
	for (unsigned i = 0; i < 4; i++)
		put(&w, GSC_PHYS, roots[i] + 2 * 8, 8, (MEMORY + 0x4000) | 1);
	put(&w, GSC_PHYS, MEMORY + 0x4000 + 3 * 8, 8, (MEMORY + 0xff000) | 0x83);
	/* The page-size bit does not exist here: it is an ignored bit of a pointer. */
	put(&w, GSC_PHYS, MEMORY + 4 * 8, 8, (MEMORY + 0x4000) | 0x883);
	world_open_roots(&w, GSC_MODE_PDP32, roots, 4);
	for (unsigned i = 0; i < 4; i++) {
		lands(&w, i * GIB + 0x403008, GSC_PHYS, MEMORY + 0xff008, 4096, "rw,pat4");
		stepped(&w, 0, "pde", 2, GSC_PHYS, roots[i], (MEMORY + 0x4000) | 1);
	}
	lands(&w, 0x803000, GSC_PHYS, MEMORY + 0xff000, 4096, "rw,pat4");
	stops(&w, 4 * GIB, GSC_STOP_BEYOND_TABLE, "pde", "0x100000000");
	world_open_roots(&w, GSC_MODE_PDP32, roots, 2);
	stops(&w, 2 * GIB, GSC_STOP_NOT_PRESENT, "pde", "names no table");
	world_end(&w);
}

/* Four tables, one behind the other, at `table` and the pages after it. */
static void put_levels(struct world *w, uint64_t table, uint64_t address, unsigned flags)
{
	put(w, GSC_PHYS, table + (address >> 39 & 511) * 8, 8, (table + 0x1000) | flags);
	put(w, GSC_PHYS, table + 0x1000 + (address >> 30 & 511) * 8, 8, (table + 0x2000) | flags);
	put(w, GSC_PHYS, table + 0x2000 + (address >> 21 & 511) * 8, 8, (table + 0x3000) | flags);
}

#define VA UINT64_C(0xfedcba987000)

static void test_pml4(void)
{
	struct world w;

	world_begin(&w, "icl", NULL);
	put_levels(&w, MEMORY, VA, 3);
	/* R/W of the upper levels is ignored. */
	put(&w, GSC_PHYS, MEMORY + 0x1000 + (VA >> 30 & 511) * 8, 8, (MEMORY + 0x2000) | 1);
	put(&w, GSC_PHYS, MEMORY + 0x3000 + (VA >> 12 & 511) * 8, 8,
	    (MEMORY + 0x5000) | UINT64_C(0xffffff8000000c03));
	put(&w, GSC_PHYS, MEMORY + 0x3000 + (VA >> 12 & 511) * 8 + 8, 8, (MEMORY + 0x6000) | 0x99);
	put(&w, GSC_PHYS, MEMORY + 0x3000 + (VA >> 12 & 511) * 8 + 16, 8, 0x203);
	put(&w, GSC_PHYS, MEMORY + 8, 8, 0x1000001);
	world_open(&w, GSC_MODE_PML4, MEMORY | 0xfff);
	lands(&w, VA + 0x88, GSC_PHYS, MEMORY + 0x5088, 4096, "rw,pat0");
	CU_ASSERT_EQUAL(w.walk.count, 4);
	stepped(&w, 0, "pml4e", 509, GSC_PHYS, MEMORY, (MEMORY + 0x1000) | 3);
	stepped(&w, 1, "pdpe", 370, GSC_PHYS, MEMORY + 0x1000, (MEMORY + 0x2000) | 1);
	stepped(&w, 2, "pde", 468, GSC_PHYS, MEMORY + 0x2000, (MEMORY + 0x3000) | 3);
	stepped(&w, 3, "pte", 391, GSC_PHYS, MEMORY + 0x3000,
		(MEMORY + 0x5000) | UINT64_C(0xffffff8000000c03));
	lands(&w, VA | UINT64_C(0xffff) << 48, GSC_PHYS, MEMORY + 0x5000, 4096, "rw,pat0");
	CU_ASSERT_EQUAL(w.walk.address, VA);
	lands(&w, VA + 0x1000, GSC_PHYS, MEMORY + 0x6000, 4096, "ro,pat7");
	CU_ASSERT_FALSE(w.walk.writable);
	stops_intent(&w, VA + 0x1000, GSC_INTENT_WRITE, GSC_STOP_NOT_PERMITTED, "pte", "read-only");
	stops_intent(&w, VA + 0x1000, GSC_INTENT_ATOMIC, GSC_STOP_NOT_PERMITTED, "pte",
		     "read-only");
	lands(&w, VA + 0x2abc, GSC_PHYS, 0, 4096, "rw,null,pat0");
	CU_ASSERT_TRUE(w.walk.null);
	stops(&w, VA + 0x3000, GSC_STOP_NOT_PRESENT, "pte", "is not present");
	stops(&w, VA - (1 << 21), GSC_STOP_NOT_PRESENT, "pde", "pde 0x0 at phys:0x234502e98");
	stops(&w, VA - GIB, GSC_STOP_NOT_PRESENT, "pdpe", "is not present");
	stops(&w, 0, GSC_STOP_NOT_PRESENT, "pml4e", "is not present");
	stops(&w, GIB << 9, GSC_STOP_NO_MEMORY, "pdpe", "phys:0x1000000, entry 0 of the table at "
	      "0x1000000: no source holds it");
	CU_ASSERT_EQUAL(w.walk.steps[1].entry.bytes, 0);
	world_end(&w);
}

static void test_canonical(void)
{
	struct world w;

	world_begin(&w, "skl", NULL);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	stops(&w, UINT64_C(0x0001000000000000), GSC_STOP_NOT_CANONICAL, "", "bits 63:48");
	stops(&w, UINT64_C(0xffff7fffffffffff), GSC_STOP_NOT_CANONICAL, "", "bits 63:48");
	stops(&w, UINT64_C(0x8000800000000000), GSC_STOP_NOT_CANONICAL, "", "bits 63:48");
	stops(&w, UINT64_C(0xffff800000000000), GSC_STOP_NOT_PRESENT, "pml4e", "phys:0x234500800");
	stops(&w, UINT64_C(0x0000800000000000), GSC_STOP_NOT_PRESENT, "pml4e", "phys:0x234500800");
	stops(&w, UINT64_C(0x00007fffffffffff), GSC_STOP_NOT_PRESENT, "pml4e", "phys:0x2345007f8");
	CU_ASSERT_EQUAL(w.walk.stop_step, 0);
	world_end(&w);
}

static void test_large_pages(void)
{
	struct world w;

	/* Bits below a large page are ignored here; PAT is bits 12, 4, 3. */
	world_begin(&w, "skl", NULL);
	put_levels(&w, MEMORY, VA, 3);
	put(&w, GSC_PHYS, MEMORY + 0x2000 + (VA >> 21 & 511) * 8, 8, UINT64_C(0x13e109b));
	put(&w, GSC_PHYS, MEMORY + 0x1000 + 8, 8, UINT64_C(0x7fdeadf081));
	put(&w, GSC_PHYS, MEMORY + 0x1000, 8, 0x281);
	put(&w, GSC_PHYS, MEMORY, 8, (MEMORY + 0x1000) | 1);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	lands(&w, VA, GSC_PHYS, 0x1200000 + (VA & 0x1fffff), 0x200000, "rw,pat7");
	stepped(&w, 2, "pde2m", 468, GSC_PHYS, MEMORY + 0x2000, 0x13e109b);
	CU_ASSERT_EQUAL(w.walk.count, 3);
	lands(&w, GIB + 0x12345678, GSC_PHYS, UINT64_C(0x7fc0000000) + 0x12345678, GIB,
	      "ro,pat4");
	stepped(&w, 1, "pdpe1g", 1, GSC_PHYS, MEMORY + 0x1000, UINT64_C(0x7fdeadf081));
	lands(&w, 0x12345678, GSC_PHYS, 0, GIB, "ro,null,pat0");
	noted(&w, "");
	put_register(&w, 0x4024, 0xf0007fff);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	lands(&w, VA, GSC_PHYS, 0x1200000 + (VA & 0x1fffff), 0x200000, "rw,pat7");
	noted(&w, "GTT_CACHE_EN (4024h) is 0xf0007fff");
	world_end(&w);
}

/* Entry 0, 16, 32, ... of the table; the others are not looked at. */
static void put_64k(struct world *w, unsigned pde_flags)
{
	put_levels(w, MEMORY, 0, 3);
	put(w, GSC_PHYS, MEMORY + 0x2000, 8, (MEMORY + 0x3000) | pde_flags);
	put(w, GSC_PHYS, MEMORY + 0x3000 + 32 * 8, 8, (MEMORY + 0x4000) | 3);
	put(w, GSC_PHYS, MEMORY + 0x3000 + 35 * 8, 8, (MEMORY + 0x9000) | 0x83);
}

static void test_64k(void)
{
	struct world w;

	/* 0x234504000 is in the middle of 64 KB: the bits below do not count. */
	world_begin(&w, "skl", NULL);
	put_64k(&w, 0x803);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	lands(&w, 0x23008, GSC_PHYS, MEMORY + 0x3008, 0x10000, "rw,pat0");
	stepped(&w, 3, "pte64k", 32, GSC_PHYS, MEMORY + 0x3000, (MEMORY + 0x4000) | 3);
	noted(&w, "no source holds GAMW_ECO_DEV_RW_IA");
	put_register(&w, 0x4080, 0xf);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	lands(&w, 0x23008, GSC_PHYS, MEMORY + 0x3008, 0x10000, "rw,pat0");
	noted(&w, "");
	/* Not enabled: pages of 4 KB. */
	put_register(&w, 0x4080, 0x7);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	lands(&w, 0x23008, GSC_PHYS, MEMORY + 0x9008, 4096, "rw,pat4");
	stepped(&w, 3, "pte", 35, GSC_PHYS, MEMORY + 0x3000, (MEMORY + 0x9000) | 0x83);
	world_open(&w, GSC_MODE_PDP32, MEMORY + 0x2000);
	lands(&w, 0x23008, GSC_PHYS, MEMORY + 0x9008, 4096, "rw,pat4");
	world_end(&w);

	/* Gen11 has no such switch, Gen8 no such page. */
	world_begin(&w, "icl", NULL);
	put_64k(&w, 0x803);
	put_register(&w, 0x4080, 0);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	lands(&w, 0x23008, GSC_PHYS, MEMORY + 0x3008, 0x10000, "rw,pat0");
	world_open(&w, GSC_MODE_PDP32, MEMORY + 0x2000);
	lands(&w, 0x23008, GSC_PHYS, MEMORY + 0x3008, 0x10000, "rw,pat0");
	world_end(&w);
	world_begin(&w, "bdw", NULL);
	put_64k(&w, 0x803);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	lands(&w, 0x23008, GSC_PHYS, MEMORY + 0x9008, 4096, "rw,pat4");
	world_end(&w);
}

/* Tables in local memory; a page says where it is. */
static void test_local(void)
{
	struct world w;

	world_begin(&w, "dg2", NULL);
	put(&w, GSC_LMEM, 0x1000, 8, 0x2003);
	put(&w, GSC_LMEM, 0x2000, 8, 0x3003);
	put(&w, GSC_LMEM, 0x3000, 8, 0x4003);
	put(&w, GSC_LMEM, 0x3008, 8, 0x5043);
	put(&w, GSC_LMEM, 0x3010, 8, 0x6803);
	put(&w, GSC_LMEM, 0x3018, 8, 0x400883);
	put(&w, GSC_LMEM, 0x4000, 8, (MEMORY + 0x7000) | 3);
	put(&w, GSC_LMEM, 0x4008, 8, 0x8803);
	put(&w, GSC_LMEM, 0x5000 + 2 * 8, 8, 0x30803);
	put(&w, GSC_LMEM, 0x6000 + 32 * 8, 8, 0x40803);
	world_open(&w, GSC_MODE_PML4, 0x1000);
	lands(&w, 0x8, GSC_PHYS, MEMORY + 0x7008, 4096, "rw,pat0");
	stepped(&w, 0, "pml4e", 0, GSC_LMEM, 0x1000, 0x2003);
	stepped(&w, 3, "pte", 0, GSC_LMEM, 0x4000, (MEMORY + 0x7000) | 3);
	lands(&w, 0x1008, GSC_LMEM, 0x8008, 4096, "rw,local,pat0");
	/* Compact: 32 entries for 2 MB. */
	lands(&w, 0x22abc8, GSC_LMEM, 0x3abc8, 0x10000, "rw,local,pat0");
	stepped(&w, 3, "pte64kc", 2, GSC_LMEM, 0x5000, 0x30803);
	lands(&w, 0x42abc8, GSC_LMEM, 0x4abc8, 0x10000, "rw,local,pat0");
	stepped(&w, 3, "pte64k", 32, GSC_LMEM, 0x6000, 0x40803);
	lands(&w, 0x600010, GSC_LMEM, 0x400010, 0x200000, "rw,local,pat0");
	world_end(&w);
}

/* Xe2: five levels, PAT indexes of 5 bits, atomics by permission. */
static void test_xe2(void)
{
	const uint64_t page = MEMORY + 0x8000;
	struct world w;

	world_begin(&w, "lnl", NULL);
	put(&w, GSC_PHYS, MEMORY + 0x4000, 8, MEMORY | 3);
	put_levels(&w, MEMORY, 0, 3);
	put(&w, GSC_PHYS, MEMORY + 0x3000, 8, page | 3 | UINT64_C(3) << 61);
	put(&w, GSC_PHYS, MEMORY + 0x3008, 8, page | 0x49b);
	world_open(&w, GSC_MODE_PML4, MEMORY + 0x4000);
	lands(&w, 0x8, GSC_PHYS, page + 8, 4096, "rw,pat24");
	stepped(&w, 0, "pml5e", 0, GSC_PHYS, MEMORY + 0x4000, MEMORY | 3);
	stepped(&w, 4, "pte", 0, GSC_PHYS, MEMORY + 0x3000, page | 3 | UINT64_C(3) << 61);
	stops_intent(&w, 0x8, GSC_INTENT_ATOMIC, GSC_STOP_NOT_PERMITTED, "pte", "ATOMIC_ENABLE");
	lands(&w, 0x1008, GSC_PHYS, page + 8, 4096, "rw,atomic,pat7");
	gsc_walk(w.translation, 0x1008, GSC_INTENT_ATOMIC, &w.walk);
	CU_ASSERT_TRUE(w.walk.mapped);
	world_end(&w);
}

/* Ponte Vecchio: addresses of 57 bits through five levels, device memory of 52 bits. */
static void test_pvc(void)
{
	const uint64_t address = UINT64_C(5) << 48 | 0x8, far = UINT64_C(1) << 50;
	struct world w;

	world_begin(&w, "pvc", NULL);
	put(&w, GSC_LMEM, 0x5000 + 5 * 8, 8, 0x1003);
	put(&w, GSC_LMEM, 0x1000, 8, 0x2003);
	put(&w, GSC_LMEM, 0x2000, 8, 0x3003);
	put(&w, GSC_LMEM, 0x3000, 8, 0x4003);
	put(&w, GSC_LMEM, 0x4000, 8, far | 0x803);
	world_open(&w, GSC_MODE_PML4, 0x5000);
	lands(&w, address, GSC_LMEM, far + 8, 4096, "rw,local,pat0");
	stepped(&w, 0, "pml5e", 5, GSC_LMEM, 0x5000, 0x1003);
	stops(&w, UINT64_C(1) << 57, GSC_STOP_NOT_CANONICAL, "", "63:57");
	world_end(&w);
}

/* ---- advanced contexts --------------------------------------------------------------------- */

/* Each level counts; 7 is present, writable, user. */
static void test_ia32e(void)
{
	struct world w;

	world_begin(&w, "icl", NULL);
	put_levels(&w, MEMORY, 0, 7);
	put(&w, GSC_PHYS, MEMORY + 0x3000, 8, (MEMORY + 0x8000) | 0x67);
	put(&w, GSC_PHYS, MEMORY + 0x3008, 8, (MEMORY + 0x8000) | 0x25);
	put(&w, GSC_PHYS, MEMORY + 0x3010, 8, (MEMORY + 0x8000) | 3);
	put(&w, GSC_PHYS, MEMORY + 0x3018, 8, (MEMORY + 0x8000) | 0x19f | UINT64_C(1) << 63);
	world_open(&w, GSC_MODE_IA32E, MEMORY);
	lands(&w, 0x8, GSC_PHYS, MEMORY + 0x8008, 4096, "rw,user,pat0");
	lands(&w, 0x1008, GSC_PHYS, MEMORY + 0x8008, 4096, "ro,user,pat0");
	stops_intent(&w, 0x1008, GSC_INTENT_WRITE, GSC_STOP_NOT_PERMITTED, "pte", "read-only");
	stops(&w, 0x2008, GSC_STOP_NOT_PERMITTED, "pte", "supervisor-only");
	lands(&w, 0x3000, GSC_PHYS, MEMORY + 0x8000, 4096, "rw,user,xd,global,pat7");
	CU_ASSERT_FALSE(w.walk.executable);
	/* R/W of one level takes the right to write from all below. */
	put(&w, GSC_PHYS, MEMORY + 0x1000, 8, (MEMORY + 0x2000) | 5);
	world_open(&w, GSC_MODE_IA32E, MEMORY);
	lands(&w, 0x8, GSC_PHYS, MEMORY + 0x8008, 4096, "ro,user,pat0");
	stops_intent(&w, 8, GSC_INTENT_ATOMIC, GSC_STOP_NOT_PERMITTED, "pte", "read-only");
	put(&w, GSC_PHYS, MEMORY + 0x1000, 8, (MEMORY + 0x2000) | 7 | UINT64_C(1) << 63);
	world_open(&w, GSC_MODE_IA32E, MEMORY);
	lands(&w, 0x8, GSC_PHYS, MEMORY + 0x8008, 4096, "rw,user,xd,pat0");
	put(&w, GSC_PHYS, MEMORY, 8, (MEMORY + 0x1000) | 3);
	world_open(&w, GSC_MODE_IA32E, MEMORY);
	stops(&w, 0x8, GSC_STOP_NOT_PERMITTED, "pte", "supervisor-only");
	/* If the PASID entry is known it decides: supervisors are allowed, XD is off. */
	w.options.root.flags = GSC_ROOT_KNOWN | GSC_ROOT_SUPERVISOR;
	world_open(&w, GSC_MODE_IA32E, MEMORY);
	lands(&w, 0x8, GSC_PHYS, MEMORY + 0x8008, 4096, "rw,supervisor,pat0");
	CU_ASSERT_TRUE(w.walk.executable);
	world_end(&w);
}

static void test_ia32e_pages(void)
{
	struct world w;

	world_begin(&w, "icl", NULL);
	put_64k(&w, 0x807);
	put(&w, GSC_PHYS, MEMORY, 8, (MEMORY + 0x1000) | 7);
	put(&w, GSC_PHYS, MEMORY + 0x1000, 8, (MEMORY + 0x2000) | 7);
	put(&w, GSC_PHYS, MEMORY + 0x1008, 8, UINT64_C(0x40000087));
	put(&w, GSC_PHYS, MEMORY + 0x2008, 8, 0x10400087);
	put(&w, GSC_PHYS, MEMORY + 0x3000 + 32 * 8, 8, (MEMORY & ~UINT64_C(0xffff)) | 0x87);
	put(&w, GSC_PHYS, MEMORY + 0x3000 + 35 * 8, 8, (MEMORY + 0x9000) | 7);
	world_open(&w, GSC_MODE_IA32E, MEMORY);
	lands(&w, 0x23008, GSC_PHYS, MEMORY + 0x3008, 0x10000, "rw,user,pat4");
	noted(&w, "FL64KPE");
	lands(&w, 0x212345, GSC_PHYS, 0x10412345, 0x200000, "rw,user,pat0");
	lands(&w, GIB + 0x12345, GSC_PHYS, GIB + 0x12345, GIB, "rw,user,pat0");
	w.options.root.no_64k = true;
	world_open(&w, GSC_MODE_IA32E, MEMORY);
	lands(&w, 0x23008, GSC_PHYS, MEMORY + 0x9008, 4096, "rw,user,pat0");
	noted(&w, "");
	world_end(&w);
}

static void test_ia32e_reserved(void)
{
	const struct {
		uint64_t offset, set;
		const char *level, *bits;
	} cases[] = {
		{ 0x0000, 1 << 7, "pml4e", "bits 7 must be zero" },
		{ 0x0000, UINT64_C(1) << 39, "pml4e", "bits 39 must be zero" },
		{ 0x1000, UINT64_C(1) << 51, "pdpe", "bits 51 must be zero" },
		{ 0x1000, 0x80 | 1 << 29, "pdpe1g", "bits 13:14, 16, 29 must be zero" },
		{ 0x2000, UINT64_C(3) << 40, "pde", "bits 41:40 must be zero" },
		{ 0x2000, 0x80 | 1 << 20, "pde2m", "must be zero" },
		{ 0x3000, UINT64_C(0xfff) << 40, "pte", "bits 51:40 must be zero" },
	};
	struct world w;

	world_begin(&w, "icl", NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_levels(&w, MEMORY, 0, 7);
		put(&w, GSC_PHYS, MEMORY + 0x3000, 8, (MEMORY + 0x8000) | 7);
		put(&w, GSC_PHYS, MEMORY + cases[i].offset, 8,
		    (MEMORY + cases[i].offset + 0x1000) | 7 | cases[i].set);
		world_open(&w, GSC_MODE_IA32E, MEMORY);
		stops(&w, 0, GSC_STOP_RESERVED_BITS, cases[i].level,
		      i == 3 ? "must be zero" : cases[i].bits);
	}
	/* Ignored bits are none of those: 9, 11 in pointers, 62:52. */
	put_levels(&w, MEMORY, 0, 7);
	put(&w, GSC_PHYS, MEMORY, 8, (MEMORY + 0x1000) | 0xa07 | UINT64_C(0x7ff) << 52);
	put(&w, GSC_PHYS, MEMORY + 0x3000, 8, (MEMORY + 0x8000) | 0xa07 | UINT64_C(0x7ff) << 52);
	world_open(&w, GSC_MODE_IA32E, MEMORY);
	lands(&w, 0, GSC_PHYS, MEMORY + 0x8000, 4096, "rw,user,pat0");
	world_end(&w);
}

/* ---- odd tables ---------------------------------------------------------------------------- */

/* A table that is its own page table: legal, as far as it goes. */
static void test_self_reference(void)
{
	struct world w;

	world_begin(&w, "skl", NULL);
	put(&w, GSC_PHYS, MEMORY, 8, MEMORY | 3);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	lands(&w, 0x8, GSC_PHYS, MEMORY + 8, 4096, "rw,pat0");
	CU_ASSERT_EQUAL(w.walk.count, 4);
	noted(&w, "the pml4e at 0x234500000 points back to a table of this walk");
	world_end(&w);
}

static void test_roots(void)
{
	const struct gsc_translation_options trtt = { .root.mode = GSC_MODE_TRTT };
	struct gsc_translation *t;
	struct gsc_error err;
	struct world w;

	world_begin(&w, "skl", NULL);
	world_open(&w, GSC_MODE_PML4, UINT64_C(0xff8000000000));
	stops(&w, 0, GSC_STOP_NO_MEMORY, "pml4e", "phys:0x0, entry 0");
	noted(&w, "bits above the 39 address bits");
	w.options.root.mode = GSC_MODE_2LEVEL;
	CU_ASSERT_EQUAL(gsc_translation_new(&t, gpu_for(w.source, w.view), &w.options,
					    &err), GSC_USAGE);
	CU_ASSERT_STRING_EQUAL(err.what, "2level");
	CU_ASSERT_STRING_EQUAL(err.why, "skl has no such mode; it has ggtt, pdp32, pml4, ia32e");
	CU_ASSERT_PTR_NULL(t);
	CU_ASSERT_EQUAL(gsc_translation_new(&t, gpu_for(w.source, w.view), &trtt, &err), GSC_USAGE);
	w.options.root.mode = GSC_MODE_PML4;
	w.options.vtd.on = true;
	w.options.vtd.levels = 2;
	CU_ASSERT_EQUAL(gsc_translation_new(&t, gpu_for(w.source, w.view), &w.options,
					    &err), GSC_USAGE);
	world_end(&w);
	/* Where there are five levels, contexts have no place for four pointers. */
	world_begin(&w, "lnl", NULL);
	world_open(&w, GSC_MODE_PML4, 0);
	w.options.root.mode = GSC_MODE_PDP32;
	CU_ASSERT_EQUAL(gsc_translation_new(&t, gpu_for(w.source, w.view), &w.options,
					    &err), GSC_USAGE);
	CU_ASSERT_STRING_EQUAL(err.why, "lnl has no such mode; it has ggtt, pml4, ia32e");
	world_end(&w);
}

/* Behind an IOMMU that translates, entries are not physical addresses. */
static void test_iommu(void)
{
	struct world w;

	world_begin(&w, "snb", NULL);
	put(&w, GSC_GGTT, DIRECTORY, 4, 0x34501021);
	put(&w, GSC_GGTT, 0, 4, 0x34501021);
	put(&w, GSC_PHYS, MEMORY + 0x1000, 4, 0x34502021);
	world_open(&w, GSC_MODE_GGTT, 0);
	w.translation->iommu = true;
	stops(&w, 0x123, GSC_STOP_IOMMU, "pte", "0x234501123 is not a physical address");
	stepped(&w, 0, "pte", 0, GSC_GGTT, 0, 0x34501021);
	world_open(&w, GSC_MODE_2LEVEL, DIR_BASE);
	w.translation->iommu = true;
	stops(&w, 0x123, GSC_STOP_IOMMU, "pte", "0x234501000 is not a physical address");
	stepped(&w, 0, "pde", 0, GSC_GGTT, DIRECTORY, 0x34501021);
	CU_ASSERT_EQUAL(w.walk.steps[1].entry.bytes, 0);
	world_end(&w);
}

/* ---- definitions of the user ---------------------------------------------------------------- */

/* They form a loop, or nowhere, or say what no table can be. */
static void test_user_definitions(void)
{
	static const char circle[] =
		"format 1\ndocument x \"x\"\norigin x \"x\"\n"
		"entry A mode=pdp32 level=pde bits=64 on=skl\n\tindex 29:21\n\tvalid PRESENT\n"
		"\tnext pde\n\tfield PRESENT 0\n\tfield ADDRESS 38:12 addr:phys <<12\n";
	static const char nowhere[] =
		"format 1\ndocument x \"x\"\norigin x \"x\"\n"
		"entry A mode=pdp32 level=pte bits=64 on=skl\n\tindex 20:12\n\tvalid PRESENT\n"
		"\tleaf PAGE=1 size=12345\n\tfield PRESENT 0 on=bdw\n\tfield PRESENT 1 on=skl\n"
		"\tfield PAGE 2\n"
		"\tfield ADDRESS 63:12 addr:phys <<12\n";
	struct world w;

	world_begin(&w, "skl", circle);
	put(&w, GSC_PHYS, MEMORY, 8, MEMORY | 1);
	world_open(&w, GSC_MODE_PDP32, MEMORY);
	stops(&w, 0, GSC_STOP_NOT_PRESENT, "pde", "form a loop");
	world_end(&w);

	world_begin(&w, "skl", nowhere);
	put(&w, GSC_PHYS, MEMORY, 8, (MEMORY + 0x1000) | 1);
	put(&w, GSC_PHYS, MEMORY + 0x1000, 8, (MEMORY + 0x2000) | 6);
	put(&w, GSC_PHYS, MEMORY + 0x1008, 8, (MEMORY + 0x2000) | 2);
	put(&w, GSC_PHYS, MEMORY + 0x1010, 8, (MEMORY + 0x2000) | 1);
	world_open(&w, GSC_MODE_PDP32, MEMORY);
	lands(&w, 0x8, GSC_PHYS, MEMORY + 0x2008, 4096, "");
	stops(&w, 0x1000, GSC_STOP_NOT_PRESENT, "pte",
	      "no definition says which table a pte points to");
	stops(&w, 0x2000, GSC_STOP_NOT_PRESENT, "pte", "is not present");
	world_end(&w);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Across pages: two of them scattered, then a null one, then nothing. */
static void test_read(void)
{
	uint8_t bytes[0x4000];
	struct world w;

	world_begin(&w, "skl", NULL);
	put_levels(&w, MEMORY, 0, 3);
	put(&w, GSC_PHYS, MEMORY + 0x3000, 8, (MEMORY + 0x9000) | 3);
	put(&w, GSC_PHYS, MEMORY + 0x3008, 8, (MEMORY + 0x8000) | 3);
	put(&w, GSC_PHYS, MEMORY + 0x3010, 8, 0x203);
	put(&w, GSC_PHYS, MEMORY + 0x9ffc, 4, 0x44332211);
	put(&w, GSC_PHYS, MEMORY + 0x8000, 4, 0x88776655);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	memset(bytes, 0xcc, sizeof(bytes));
	CU_ASSERT_EQUAL(gsc_translated_read(w.translation, 0xffd, bytes, 6), 6);
	CU_ASSERT_EQUAL(memcmp(bytes, "\x22\x33\x44\x55\x66\x77\xcc", 7), 0);
	CU_ASSERT_EQUAL(gsc_translated_read(w.translation, 0xffc, bytes, 0x4000), 0x2004);
	CU_ASSERT_EQUAL(memcmp(bytes, "\x11\x22\x33\x44\x55\x66\x77\x88", 8), 0);
	CU_ASSERT_EQUAL(bytes[0x1004], 0);
	CU_ASSERT_EQUAL(bytes[0x2003], 0);
	CU_ASSERT_EQUAL(bytes[0x2004], 0xcc);
	CU_ASSERT_EQUAL(gsc_translated_read(w.translation, 0x3000, bytes, 4), 0);
	CU_ASSERT_EQUAL(gsc_translated_read(w.translation, UINT64_C(1) << 50, bytes, 4), 0);
	world_end(&w);
}

SUITE(walk,
      { "global tables of 32-bit entries", test_ggtt_32 },
      { "global tables of Gen7", test_ggtt_gen7 },
      { "global tables of 64-bit entries", test_ggtt_64 },
      { "the global table's size and stolen memory", test_ggtt_config },
      { "offsets in stolen memory", test_stolen },
      { "the flat table of Gen4", test_flat },
      { "two levels", test_2level },
      { "groups of the directory", test_2level_groups },
      { "pages of 32 KB", test_2level_large },
      { "four pointers, 32 bits", test_pdp32 },
      { "four levels", test_pml4 },
      { "canonical addresses", test_canonical },
      { "pages of 2 MB and 1 GB", test_large_pages },
      { "pages of 64 KB", test_64k },
      { "local memory", test_local },
      { "Xe2", test_xe2 },
      { "Ponte Vecchio", test_pvc },
      { "advanced contexts", test_ia32e },
      { "their page sizes", test_ia32e_pages },
      { "their reserved bits", test_ia32e_reserved },
      { "a table that points to itself", test_self_reference },
      { "roots", test_roots },
      { "behind an IOMMU", test_iommu },
      { "definitions of the user", test_user_definitions },
      { "bytes across pages", test_read })
