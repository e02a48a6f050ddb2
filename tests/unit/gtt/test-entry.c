/* SPDX-License-Identifier: MIT */
/* Single entries: what they are, their words, and what is wrong with them. */
#include "gtt/gtt.h"
#include "test.h"
#include "walk-helpers.h"

#include <stdio.h>
#include <string.h>

/* ---- helpers ------------------------------------------------------------------------------- */

struct definitions {
	struct gsc_db *db;
	struct gsc_view *view;
};

static struct definitions open_view(const char *platform)
{
	struct definitions d = { 0 };
	struct gsc_platform p;
	struct gsc_error err;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&d.db, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(d.db, platform, &p, &device, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&d.view, d.db, p.index, -1, &err), GSC_OK);
	return d;
}

static void close_view(struct definitions *d)
{
	gsc_view_free(d->view);
	gsc_db_free(d->db);
}

static struct gsc_entry decode(const struct definitions *d, enum gsc_mode mode, const char *level,
			       uint64_t raw)
{
	const uint32_t words[2] = { (uint32_t)raw, (uint32_t)(raw >> 32) };
	struct gsc_entry entry = { 0 };
	struct gsc_error err = { 0 };

	if (gsc_entry_decode(d->view, mode, level, words, raw >> 32 ? 2 : 1, &entry, &err)) {
		fprintf(stderr, "\n%s: %s\n", err.what, err.why);
		CU_FAIL("no entry");
	}
	return entry;
}

/* All problems, joined by "; ". */
static void has_problems(const struct definitions *d, enum gsc_mode mode, const char *level,
			 uint64_t raw, const char *wanted)
{
	struct gsc_entry entry = decode(d, mode, level, raw);
	char all[1024] = "", one[256];
	size_t used = 0;

	for (size_t i = 0; gsc_entry_problem(d->view, &entry, i, one, sizeof(one)); i++)
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i ? "; " : "",
					 one);
	if (strcmp(all, wanted)) {
		fprintf(stderr, "\n%s 0x%llx: \"%s\"\n", level, (unsigned long long)raw, all);
		CU_FAIL("other problems than expected");
	}
}

/* ---- decoding ------------------------------------------------------------------------------ */

static void test_decode(void)
{
	struct definitions d = open_view("skl");
	struct gsc_entry e = decode(&d, GSC_MODE_PML4, "pde", UINT64_C(0x1234567003));

	CU_ASSERT_STRING_EQUAL(e.level, "pde");
	CU_ASSERT_STRING_EQUAL(e.item.name, "GEN8_PDE");
	CU_ASSERT_STRING_EQUAL(e.next, "pte");
	CU_ASSERT_TRUE(e.valid && !e.leaf);
	CU_ASSERT_EQUAL(e.bytes, 8);
	CU_ASSERT_EQUAL(e.space, GSC_PHYS);
	CU_ASSERT_EQUAL(e.address, UINT64_C(0x1234567000));
	CU_ASSERT_EQUAL(e.page_size, 0);
	CU_ASSERT_EQUAL(e.words[0], 0x34567003);
	CU_ASSERT_EQUAL(e.words[1], 0x12);
	e = decode(&d, GSC_MODE_PML4, "pde", UINT64_C(0x1234567803));
	CU_ASSERT_STRING_EQUAL(e.next, "pte64k");
	e = decode(&d, GSC_MODE_PML4, "PDE", UINT64_C(0x1234567883));
	CU_ASSERT_STRING_EQUAL(e.level, "pde2m");
	CU_ASSERT_STRING_EQUAL(e.item.name, "GEN8_PDE2M");
	CU_ASSERT_TRUE(e.valid && e.leaf && !e.next);
	CU_ASSERT_EQUAL(e.address, UINT64_C(0x1234400000));
	CU_ASSERT_EQUAL(e.page_size, 0x200000);
	e = decode(&d, GSC_MODE_PML4, "pdpe", 0x80);
	CU_ASSERT_STRING_EQUAL(e.level, "pdpe1g");
	CU_ASSERT_FALSE(e.valid);
	e = decode(&d, GSC_MODE_PDP32, "pde", 0x1083);
	CU_ASSERT_STRING_EQUAL(e.level, "pde");
	CU_ASSERT_STRING_EQUAL(e.item.name, "GEN8_PDE_32B");
	e = decode(&d, GSC_MODE_TRTT, "trtt-l1", 0x20004);
	CU_ASSERT_EQUAL(e.address, UINT64_C(0x200040000));
	CU_ASSERT_EQUAL(e.page_size, 0x10000);
	CU_ASSERT_EQUAL(e.space, GSC_GTTMEM);
	e = decode(&d, GSC_MODE_TRTT, "trtt-l3", 0x100001000);
	CU_ASSERT_STRING_EQUAL(e.next, "trtt-l2");
	CU_ASSERT_TRUE(e.valid && !e.leaf);
	close_view(&d);
}

static void test_decode_32(void)
{
	struct definitions d = open_view("snb");
	struct gsc_entry e = decode(&d, GSC_MODE_2LEVEL, "pde", 0x12345ab3);

	CU_ASSERT_EQUAL(e.bytes, 4);
	CU_ASSERT_EQUAL(e.address, UINT64_C(0xab12345000));
	CU_ASSERT_STRING_EQUAL(e.next, "pte32k");
	e = decode(&d, GSC_MODE_2LEVEL, "pde", 0x12345ab1);
	CU_ASSERT_STRING_EQUAL(e.next, "pte");
	e = decode(&d, GSC_MODE_GGTT, "pte", 0x12345ab0);
	CU_ASSERT_FALSE(e.valid);
	CU_ASSERT_TRUE(e.leaf);
	close_view(&d);
	d = open_view("hsw");
	e = decode(&d, GSC_MODE_GGTT, "pte", 0xfffff823);
	CU_ASSERT_EQUAL(e.address, UINT64_C(0x2fffff000));
	close_view(&d);
	d = open_view("dg2");
	e = decode(&d, GSC_MODE_PML4, "pde", 0x3043);
	CU_ASSERT_EQUAL(e.space, GSC_LMEM);
	CU_ASSERT_STRING_EQUAL(e.next, "pte64kc");
	e = decode(&d, GSC_MODE_PML4, "pte", 0x3003);
	CU_ASSERT_EQUAL(e.space, GSC_PHYS);
	e = decode(&d, GSC_MODE_PML4, "pte", 0x3803);
	CU_ASSERT_EQUAL(e.space, GSC_LMEM);
	CU_ASSERT_EQUAL(e.address, 0x3000);
	close_view(&d);
}

/* The entry wide enough for a root entry of VT-d. */
static void test_decode_wide(void)
{
	const uint32_t words[4] = { 0x12345001, 0, 0xdeadbeef, 1 }, more[5] = { 1, 0, 0, 0, 1 };
	struct definitions d = open_view("skl");
	struct gsc_error err = { 0 };
	struct gsc_entry e;

	CU_ASSERT_EQUAL(gsc_entry_decode(d.view, GSC_MODE_VTD, "vtd-root", words, 4, &e, &err),
			GSC_OK);
	CU_ASSERT_EQUAL(e.bytes, 16);
	CU_ASSERT_EQUAL(e.address, 0x12345000);
	CU_ASSERT_EQUAL(e.words[2], 0xdeadbeef);
	CU_ASSERT_EQUAL(gsc_entry_decode(d.view, GSC_MODE_VTD, "vtd-root", more, 5, &e, &err),
			GSC_USAGE);
	CU_ASSERT_STRING_EQUAL(err.why, "the value has more than the 128 bits of an entry");
	/* A second-level entry is valid if it permits anything. */
	CU_ASSERT_TRUE(decode(&d, GSC_MODE_VTD, "vtd-sl", 0x12345001).valid);
	CU_ASSERT_TRUE(decode(&d, GSC_MODE_VTD, "vtd-sl", 0x12345002).valid);
	CU_ASSERT_FALSE(decode(&d, GSC_MODE_VTD, "vtd-sl", 0x12345000).valid);
	close_view(&d);
}

static void test_refused(void)
{
	const uint32_t word[2] = { 1, 1 };
	struct gsc_error err = { 0 };
	struct definitions d = open_view("snb");
	struct gsc_entry e;

	CU_ASSERT_EQUAL(gsc_entry_decode(d.view, GSC_MODE_2LEVEL, "pml4e", word, 1, &e, &err),
			GSC_USAGE);
	CU_ASSERT_STRING_EQUAL(err.what, "pml4e");
	CU_ASSERT_STRING_EQUAL(err.why,
			       "no level of mode 2level on this platform: pte, pte32k, pde");
	CU_ASSERT_EQUAL(gsc_entry_decode(d.view, GSC_MODE_PML4, "pte", word, 1, &e, &err),
			GSC_USAGE);
	CU_ASSERT_STRING_EQUAL(err.what, "pml4");
	CU_ASSERT_STRING_EQUAL(err.why, "this platform has no such mode");
	CU_ASSERT_EQUAL(gsc_entry_decode(d.view, GSC_MODE_GGTT, "pte", word, 2, &e, &err),
			GSC_USAGE);
	CU_ASSERT_STRING_EQUAL(err.why, "the value has more than the 32 bits of an entry");
	close_view(&d);
}

static void test_levels(void)
{
	static const char *const wanted[] = { "pte", "pte64k", "pde2m", "pde", "pdpe1g", "pdpe",
					      "pml4e", NULL };
	struct definitions d = open_view("skl");
	enum gsc_mode mode;
	size_t i;

	for (i = 0; wanted[i]; i++)
		CU_ASSERT_STRING_EQUAL(gsc_mode_level(d.view, GSC_MODE_PML4, i), wanted[i]);
	CU_ASSERT_PTR_NULL(gsc_mode_level(d.view, GSC_MODE_PML4, i));
	CU_ASSERT_PTR_NULL(gsc_mode_level(d.view, GSC_MODE_2LEVEL, 0));
	CU_ASSERT_STRING_EQUAL(gsc_mode_level(d.view, GSC_MODE_TRTT, 0), "trtt-l1");
	CU_ASSERT_STRING_EQUAL(gsc_mode_level(d.view, GSC_MODE_TRTT, 2), "trtt-l3");
	close_view(&d);
	CU_ASSERT_TRUE(gsc_mode_by_name("PML4", &mode));
	CU_ASSERT_EQUAL(mode, GSC_MODE_PML4);
	CU_ASSERT_FALSE(gsc_mode_by_name("pml", &mode));
	for (unsigned m = 0; m < GSC_MODES; m++) {
		CU_ASSERT_TRUE(gsc_mode_by_name(gsc_mode_name((enum gsc_mode)m), &mode));
		CU_ASSERT_EQUAL(mode, m);
	}
	CU_ASSERT_STRING_EQUAL(gsc_stop_word(GSC_STOP_NOT_PRESENT), "not-present");
	CU_ASSERT_STRING_EQUAL(gsc_stop_word(GSC_STOP_RESERVED_BITS), "reserved-bits");
	CU_ASSERT_STRING_EQUAL(gsc_stop_word(GSC_STOP_NOT_CANONICAL), "not-canonical");
	CU_ASSERT_STRING_EQUAL(gsc_stop_word(GSC_STOP_BEYOND_TABLE), "beyond-table");
	CU_ASSERT_STRING_EQUAL(gsc_stop_word(GSC_STOP_NO_MEMORY), "no-memory");
	CU_ASSERT_STRING_EQUAL(gsc_stop_word(GSC_STOP_NULL_TILE), "null-tile");
	CU_ASSERT_STRING_EQUAL(gsc_stop_word(GSC_STOP_INVALID_TILE), "invalid-tile");
	CU_ASSERT_STRING_EQUAL(gsc_stop_word(GSC_STOP_NOT_PERMITTED), "not-permitted");
	CU_ASSERT_STRING_EQUAL(gsc_stop_word(GSC_STOP_IOMMU), "iommu");
}

/* ---- problems ------------------------------------------------------------------------------ */

static void test_problems(void)
{
	struct definitions d = open_view("skl");

	has_problems(&d, GSC_MODE_PML4, "pte", UINT64_C(0x234501083), "");
	has_problems(&d, GSC_MODE_PML4, "pte", UINT64_C(0x1ff8234501083),
		     "0x1ff8000000000 lies above the 39 address bits of this platform, and is "
		     "ignored");
	/* To the top in legacy modes; if others begin above the address, up to them. */
	has_problems(&d, GSC_MODE_PML4, "pml4e", UINT64_C(0x8000000234501003),
		     "0x8000000000000000 lies above the 39 address bits of this platform, and is "
		     "ignored");
	has_problems(&d, GSC_MODE_PDP32, "pte", UINT64_C(0xffffff8234501003),
		     "0xffffff8000000000 lies above the 39 address bits of this platform, and is "
		     "ignored");
	has_problems(&d, GSC_MODE_GGTT, "pte", UINT64_C(0x10008234501001),
		     "0x10008000000000 lies above the 39 address bits of this platform, and is "
		     "ignored");
	has_problems(&d, GSC_MODE_IA32E, "pte", UINT64_C(0x7ff0000234501007), "");
	/* Not present: the rest may be anything. */
	has_problems(&d, GSC_MODE_PML4, "pte", UINT64_C(0x1ff8234501082), "");
	has_problems(&d, GSC_MODE_PML4, "pde", UINT64_C(0x2345e0083),
		     "0x1e0000 lies below the alignment of the page, 0x200000, and is ignored");
	has_problems(&d, GSC_MODE_PML4, "pte64k", UINT64_C(0x234504001),
		     "0x4000 lies below the alignment of the page, 0x10000, and is ignored");
	has_problems(&d, GSC_MODE_PML4, "pde2m", UINT64_C(0x234400003),
		     "its own bits say that this is a pde, not a page");
	has_problems(&d, GSC_MODE_IA32E, "pte", UINT64_C(0x8000000234501007),
		     "EXECUTE_DISABLE is set, which this platform does not support");
	has_problems(&d, GSC_MODE_IA32E, "pml4e", UINT64_C(0xf8000234501087),
		     "bits 51:39 must be zero: 0x1000; bit 7 must be zero: 0x1");
	has_problems(&d, GSC_MODE_GGTT, "pte", UINT64_C(0x234501fff), "");
	close_view(&d);
}

/* Haswell has one address bit less in directories, too; every bit is in some field. */
static void test_directory_32(void)
{
	struct definitions d = open_view("hsw");
	struct gsc_entry e = decode(&d, GSC_MODE_2LEVEL, "pde", 0x17f1);

	CU_ASSERT_EQUAL(e.address, UINT64_C(0x7f00001000));
	has_problems(&d, GSC_MODE_2LEVEL, "pde", 0x17f3, "");
	has_problems(&d, GSC_MODE_2LEVEL, "pde", 0x1fff,
		     "bit 11 must be zero: 0x1; bits 3:2 must be zero: 0x3");
	close_view(&d);
	d = open_view("ivb");
	e = decode(&d, GSC_MODE_2LEVEL, "pde", 0x1ff1);
	CU_ASSERT_EQUAL(e.address, UINT64_C(0xff00001000));
	has_problems(&d, GSC_MODE_2LEVEL, "pde", 0x1ff5, "bits 3:2 must be zero: 0x1");
	close_view(&d);
}

static void test_problems_32(void)
{
	struct definitions d = open_view("snb");

	has_problems(&d, GSC_MODE_GGTT, "pte", 0x34500025, "");
	has_problems(&d, GSC_MODE_GGTT, "pte", 0x34500021,
		     "CACHEABILITY_CONTROL (bits 2:1) is 0: reserved");
	has_problems(&d, GSC_MODE_GGTT, "pte", 0x34500020, "");
	has_problems(&d, GSC_MODE_2LEVEL, "pde", 0x3450002d, "bits 3:2 must be zero: 0x3");
	close_view(&d);
	d = open_view("hsw");
	has_problems(&d, GSC_MODE_GGTT, "pte", 0x34500003,
		     "CACHEABILITY_CONTROL (bits 3:1) is 1: not a documented value");
	close_view(&d);
}

/* ---- every platform ------------------------------------------------------------------------ */

/* What every format must satisfy, for masks and table sizes to make sense. */
static void check_format(const struct format *f)
{
	CU_ASSERT_TRUE(f->bytes == 4 || f->bytes == 8 || f->mode == GSC_MODE_VTD);
	CU_ASSERT_EQUAL(f->address_mask & (f->zero_mask | f->one_mask), 0);
	CU_ASSERT_EQUAL(f->address_mask & f->flags_mask, 0);
	CU_ASSERT_EQUAL(f->address_mask & f->valid_mask, 0);
	CU_ASSERT_EQUAL(f->flags_mask & (f->accessed_mask | f->dirty_mask), 0);
	CU_ASSERT_TRUE(f->every >= 1);
	if (f->mode == GSC_MODE_VTD)
		return;
	CU_ASSERT_TRUE(f->parts >= 1);
	CU_ASSERT_TRUE(f->valid_mask || f->mode == GSC_MODE_TRTT);
	if (f->leaf == FORMAT_PAGE && strcmp(f->level, "pte32k"))
		CU_ASSERT_EQUAL(f->page_size, UINT64_C(1) << f->index_lo);
	if (f->leaf != FORMAT_PAGE)
		CU_ASSERT_PTR_NOT_NULL(format_next(f, 0)->format);
	if (f->leaf == FORMAT_EITHER)
		CU_ASSERT_EQUAL(f->page->leaf, FORMAT_PAGE);
	if (f->mode != GSC_MODE_GGTT && f->mode != GSC_MODE_FLAT)
		CU_ASSERT_TRUE(format_table_bytes(f) <= 4096);
}

static void test_every_platform(void)
{
	struct gsc_db *db;
	struct gsc_error err;
	struct gsc_platform p;
	size_t formats_seen = 0;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	for (unsigned i = 0; gsc_platform_at(db, i, &p); i++) {
		struct gsc_view *view;
		struct formats *formats;
		const char *level;

		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, i, -1, &err), GSC_OK);
		formats = formats_of(view);
		CU_ASSERT_PTR_NOT_NULL_FATAL(formats);
		for (unsigned mode = 0; mode < GSC_MODES; mode++) {
			for (size_t n = 0; (level = gsc_mode_level(view, mode, n)); n++) {
				const struct format *f = format_get(formats, mode, level);

				CU_ASSERT_PTR_NOT_NULL_FATAL(f);
				check_format(f);
				formats_seen++;
			}
		}
		CU_ASSERT_PTR_NOT_NULL(format_get(formats, GSC_MODE_GGTT, "pte"));
		CU_ASSERT_EQUAL(format_get(formats, GSC_MODE_GGTT, "pte")->bytes, p.ggtt_entry);
		gsc_view_free(view);
	}
	CU_ASSERT_TRUE(formats_seen > 500);
	gsc_db_free(db);
}

/* A few masks with literal numbers. */
static void test_masks(void)
{
	struct definitions d = open_view("skl");
	struct formats *formats = formats_of(d.view), *without;
	const struct format *f = format_get(formats, GSC_MODE_PML4, "pte");

	CU_ASSERT_EQUAL(f->parts, 1);
	CU_ASSERT_EQUAL(f->part[0].shift, 0);
	CU_ASSERT_EQUAL(f->address_mask, UINT64_C(0x7ffffff000));
	CU_ASSERT_EQUAL(f->valid_mask, 1);
	CU_ASSERT_EQUAL(f->valid_value, 1);
	CU_ASSERT_EQUAL(f->null_mask, 0x200);
	CU_ASSERT_EQUAL(f->flags_mask, 0x29a);
	CU_ASSERT_EQUAL(f->local_mask, 0);
	f = format_get(formats, GSC_MODE_PML4, "pte64k");
	CU_ASSERT_EQUAL(f->every, 16);
	CU_ASSERT_EQUAL(format_index(f, 0x1f3456), 31 * 16);
	CU_ASSERT_EQUAL(format_table_bytes(f), 4096);
	CU_ASSERT_STRING_EQUAL(format_top(formats, GSC_MODE_PML4)->level, "pml4e");
	CU_ASSERT_STRING_EQUAL(format_top(formats, GSC_MODE_PDP32)->level, "pde");
	CU_ASSERT_STRING_EQUAL(format_top(formats, GSC_MODE_TRTT)->level, "trtt-l3");
	CU_ASSERT_PTR_NULL(format_top(formats, GSC_MODE_FLAT));
	f = format_get(formats, GSC_MODE_PML4, "pde");
	CU_ASSERT_STRING_EQUAL(format_next(f, 0x801)->level, "pte64k");
	without = formats_without(d.view, "pte64k");
	f = format_get(without, GSC_MODE_PML4, "pde");
	CU_ASSERT_STRING_EQUAL(format_next(f, 0x801)->level, "pte");
	CU_ASSERT_PTR_EQUAL(format_next(f, 0x801)->format, format_get(without, GSC_MODE_PML4, "pte"));
	formats_free(without);
	close_view(&d);
	d = open_view("snb");
	formats = formats_of(d.view);
	f = format_get(formats, GSC_MODE_2LEVEL, "pte");
	CU_ASSERT_EQUAL(f->parts, 2);
	CU_ASSERT_EQUAL(f->address_mask, 0xfffffff0);
	CU_ASSERT_EQUAL(f->flags_mask, 0xe);
	CU_ASSERT_EQUAL(format_get(formats, GSC_MODE_2LEVEL, "pde")->zero_mask, 0xc);
	close_view(&d);
}

SUITE(entry,
      { "decoding", test_decode },
      { "entries of 32 bits, local memory", test_decode_32 },
      { "wide entries", test_decode_wide },
      { "what is refused", test_refused },
      { "names of levels, modes and reasons", test_levels },
      { "problems", test_problems },
      { "problems of 32-bit entries", test_problems_32 },
      { "directories of 32 bits", test_directory_32 },
      { "formats of every platform", test_every_platform },
      { "masks", test_masks })
