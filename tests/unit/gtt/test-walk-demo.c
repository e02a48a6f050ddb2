/* SPDX-License-Identifier: MIT */
/* Walks through the built-in captures, whose tables were written by no part of the library. */
#include "gpu-for.h"
#include "gtt/walk.h"
#include "open/open.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct demo {
	struct gsc_db *db;
	struct gsc_source *source;
	struct gsc_view *view;
	struct gsc_translation *translation;
	struct gsc_walk walk;
};

static void demo_begin(struct demo *d, const char *spec)
{
	struct gsc_source_options options = { 0 };
	struct gsc_error err;

	memset(d, 0, sizeof(*d));
	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&d->db, &err), GSC_OK);
	options.db = d->db;
	CU_ASSERT_EQUAL_FATAL(gsc_source_open(&d->source, &spec, 1, &options, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&d->view, d->db,
					   (unsigned)gsc_source_platform(d->source),
					   gsc_source_revision(d->source), &err), GSC_OK);
}

static void demo_end(struct demo *d)
{
	gsc_translation_free(d->translation);
	gsc_view_free(d->view);
	gsc_source_close(d->source);
	gsc_db_free(d->db);
}

static void translate(struct demo *d, const struct gsc_translation_options *options)
{
	struct gsc_error err;

	gsc_translation_free(d->translation);
	CU_ASSERT_EQUAL_FATAL(gsc_translation_new(&d->translation, gpu_for(d->source, d->view),
						  options, &err), GSC_OK);
}

static void translate_mode(struct demo *d, enum gsc_mode mode, uint64_t root)
{
	const struct gsc_translation_options options = {
		.root = { .mode = mode, .value = { root }, .count = 1 },
	};

	translate(d, &options);
}

static uint64_t reg(const struct demo *d, uint32_t offset, unsigned size)
{
	uint64_t value = 0;

	CU_ASSERT_EQUAL(gsc_read(d->source, GSC_MMIO, offset, size, &value), GSC_READ_OK);
	return value;
}

static uint32_t dword(const struct demo *d, uint64_t address)
{
	uint8_t bytes[4] = { 0 };

	CU_ASSERT_EQUAL(gsc_translated_read(d->translation, address, bytes, 4), 4);
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void walk(struct demo *d, uint64_t address)
{
	gsc_walk(d->translation, address, GSC_INTENT_READ, &d->walk);
}

static void check_flags(const struct demo *d, const char *wanted)
{
	char all[128] = "", buf[64];
	const char *flag;
	size_t used = 0;

	for (size_t i = 0; (flag = gsc_walk_flag(d->translation, &d->walk, i, buf, sizeof(buf)));
	     i++)
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i ? "," : "",
					 flag);
	CU_ASSERT_STRING_EQUAL(all, wanted);
}

static void check_stop(struct demo *d, uint64_t address, enum gsc_stop stop, const char *level,
		       size_t steps)
{
	walk(d, address);
	CU_ASSERT_FALSE(d->walk.mapped);
	CU_ASSERT_EQUAL(d->walk.stop, stop);
	CU_ASSERT_STRING_EQUAL(d->walk.stop_level, level);
	CU_ASSERT_EQUAL(d->walk.count, steps);
}

/* ---- Sandy Bridge -------------------------------------------------------------------------- */

static void test_snb(void)
{
	struct demo d;

	demo_begin(&d, "demo:snb-hang");
	translate_mode(&d, GSC_MODE_GGTT, 0);
	walk(&d, 0x45f123);
	CU_ASSERT_TRUE(d.walk.mapped && d.walk.stolen);
	CU_ASSERT_EQUAL(d.walk.physical, 0xbbe1f123);
	check_flags(&d, "uncached");
	walk(&d, 0x8000);
	CU_ASSERT_TRUE(d.walk.mapped && !d.walk.stolen);
	check_flags(&d, "llc");
	check_stop(&d, 0x600000, GSC_STOP_NO_MEMORY, "pte", 1);
	check_stop(&d, UINT64_C(0x80000000), GSC_STOP_BEYOND_TABLE, "pte", 0);
	/* The directory fills the last slots of the table. */
	translate_mode(&d, GSC_MODE_2LEVEL, reg(&d, 0x2518, 4));
	walk(&d, 0x10108);
	CU_ASSERT_TRUE(d.walk.mapped);
	CU_ASSERT_EQUAL(d.walk.steps[0].address, 0x1ff800);
	CU_ASSERT_EQUAL(d.walk.steps[0].space, GSC_GGTT);
	CU_ASSERT_TRUE(d.walk.physical > UINT64_C(0x100000000));
	CU_ASSERT_EQUAL(dword(&d, 0x10108), 0x7b001004);
	CU_ASSERT_EQUAL(dword(&d, 0x10000), 0x7a000003);
	/* The cause of the hang: a page table without that entry. */
	check_stop(&d, 0xa40000, GSC_STOP_NOT_PRESENT, "pte", 2);
	check_stop(&d, 0xc00000, GSC_STOP_NOT_PRESENT, "pde", 1);
	demo_end(&d);
}

/* ---- Skylake ------------------------------------------------------------------------------- */

static void test_skl(void)
{
	struct demo d;

	demo_begin(&d, "demo:skl-hang");
	translate_mode(&d, GSC_MODE_PML4, reg(&d, 0x2270, 4) | reg(&d, 0x2274, 4) << 32);
	walk(&d, UINT64_C(0xfffffffefffd0000));
	CU_ASSERT_TRUE(d.walk.mapped);
	CU_ASSERT_EQUAL(d.walk.address, UINT64_C(0xfffefffd0000));
	CU_ASSERT_EQUAL(d.walk.count, 4);
	CU_ASSERT_EQUAL(d.walk.steps[0].index, 511);
	CU_ASSERT_EQUAL(d.walk.steps[1].index, 507);
	CU_ASSERT_EQUAL(d.walk.steps[2].index, 511);
	CU_ASSERT_EQUAL(d.walk.steps[3].index, 464);
	check_flags(&d, "rw,pat4");
	CU_ASSERT_EQUAL(dword(&d, UINT64_C(0xfffefffd0000)), 0x7a000004);
	walk(&d, UINT64_C(0x20000ffff));
	CU_ASSERT_TRUE(d.walk.mapped);
	CU_ASSERT_EQUAL(d.walk.page_size, 0x10000);
	CU_ASSERT_EQUAL(d.walk.physical % 0x10000, 0xffff);
	CU_ASSERT_STRING_EQUAL(d.walk.steps[3].entry.level, "pte64k");
	CU_ASSERT_STRING_EQUAL(d.walk.note, "");
	walk(&d, UINT64_C(0x300012345));
	CU_ASSERT_TRUE(d.walk.mapped);
	CU_ASSERT_EQUAL(d.walk.page_size, 0x200000);
	CU_ASSERT_EQUAL(d.walk.physical % 0x200000, 0x12345);
	CU_ASSERT_EQUAL(d.walk.count, 3);
	/* The cause of the hang: a directory entry that is zero. */
	check_stop(&d, UINT64_C(0x7a1105603000), GSC_STOP_NOT_PRESENT, "pde", 3);
	check_stop(&d, UINT64_C(0x1000000000000), GSC_STOP_NOT_CANONICAL, "", 0);
	demo_end(&d);
}

/* ---- Ice Lake, tiled resources --------------------------------------------------------------- */

static void test_icl(void)
{
	struct gsc_translation_options options = { .root = { .mode = GSC_MODE_PML4, .count = 1 } };
	struct demo d;

	demo_begin(&d, "demo:icl-trtt");
	options.root.value[0] = reg(&d, 0x2270, 4) | reg(&d, 0x2274, 4) << 32;
	translate(&d, &options);
	/* Without the tiled tables there is nothing at these addresses. */
	check_stop(&d, UINT64_C(0x500000000000), GSC_STOP_NOT_PRESENT, "pml4e", 1);
	options.trtt.on = true;
	options.trtt.l3 = reg(&d, 0x4de0, 4) | reg(&d, 0x4de4, 4) << 32;
	options.trtt.null = (uint32_t)reg(&d, 0x4de8, 4);
	options.trtt.invalid = (uint32_t)reg(&d, 0x4dec, 4);
	options.trtt.has_null = options.trtt.has_invalid = true;
	options.trtt.va = (uint32_t)reg(&d, 0x4df0, 4);
	translate(&d, &options);
	walk(&d, UINT64_C(0x500000000008));
	CU_ASSERT_TRUE(d.walk.mapped);
	CU_ASSERT_EQUAL(d.walk.page_size, 0x10000);
	/* Three tables, each found through four; then the page. */
	CU_ASSERT_EQUAL(d.walk.count, 3 * 5 + 4);
	CU_ASSERT_EQUAL(d.walk.steps[0].depth, 2);
	CU_ASSERT_EQUAL(d.walk.steps[4].depth, 1);
	CU_ASSERT_STRING_EQUAL(d.walk.steps[4].entry.level, "trtt-l3");
	CU_ASSERT_STRING_EQUAL(d.walk.steps[14].entry.level, "trtt-l1");
	CU_ASSERT_EQUAL(d.walk.steps[15].depth, 0);
	CU_ASSERT_STRING_EQUAL(d.walk.steps[18].entry.level, "pte64k");
	CU_ASSERT_EQUAL(dword(&d, UINT64_C(0x500000000000)), 0xbf800000);
	walk(&d, UINT64_C(0x500000010000));
	CU_ASSERT_EQUAL(d.walk.stop, GSC_STOP_NULL_TILE);
	walk(&d, UINT64_C(0x500000030000));
	CU_ASSERT_EQUAL(d.walk.stop, GSC_STOP_INVALID_TILE);
	walk(&d, UINT64_C(0x512345650000));
	CU_ASSERT_TRUE(d.walk.mapped);
	/* Next to them an ordinary address. */
	walk(&d, UINT64_C(0x600100000));
	CU_ASSERT_TRUE(d.walk.mapped);
	CU_ASSERT_EQUAL(d.walk.count, 4);
	demo_end(&d);
}

/* ---- a trace that holds memory by its global address ----------------------------------------- */

/* Its table maps page 5 elsewhere; the bytes of page 5 are held only by that address. */
static void test_named_memory(void)
{
	static const uint32_t trace[] = {
		0xe085000b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0xe0c10003, 0x00040001, 0, 0x14, 4, 0x00205003,
		0xe0c10003, 0x00000001, 0, 0x5000, 8, 0x11223344, 0x55667788,
	};
	char *path = temporary_file(trace, sizeof(trace));
	struct gsc_source_options options = { .platform = "snb" };
	const char *spec = path;
	struct demo d = { 0 };
	struct gsc_error err;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&d.db, &err), GSC_OK);
	options.db = d.db;
	CU_ASSERT_EQUAL_FATAL(gsc_source_open(&d.source, &spec, 1, &options, &err), GSC_OK);
	unlink(path);
	free(path);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&d.view, d.db,
					   (unsigned)gsc_source_platform(d.source), -1, &err),
			      GSC_OK);
	translate_mode(&d, GSC_MODE_GGTT, 0);
	walk(&d, 0x5004);
	CU_ASSERT_TRUE(d.walk.mapped);
	CU_ASSERT_EQUAL(d.walk.physical, 0x205004);
	CU_ASSERT_EQUAL(dword(&d, 0x5004), 0x55667788);
	demo_end(&d);
}

SUITE(walk_demo,
      { "two levels and the global table", test_snb },
      { "four levels", test_skl },
      { "tiled resources", test_icl },
      { "memory held by its global address", test_named_memory })
