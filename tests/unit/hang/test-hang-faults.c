/* SPDX-License-Identifier: MIT */
/* Registers that latch faults and report errors, by literal values of every generation. */
#include "gpu-for.h"
#include "hang-lists.h"
#include "source-helpers.h"
#include "test.h"
#include "walk-helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_source *source;
	struct gsc_hang *hang;
	struct gsc_fault fault;		/* the last one asked for */
};

/* ---- opening -------------------------------------------------------------------------------- */

static void ask(struct bench *b, const struct gsc_hang_options *options)
{
	struct gsc_error err = { 0 };

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&b->db, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&b->view, b->db,
					   (unsigned)gsc_source_platform(b->source), -1, &err),
			      GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&b->hang, gpu_for(b->source, b->view), options,
					   &err), GSC_OK);
}

/* A machine of a platform with only these registers, "ADDR VALUE" lines. */
static void begin(struct bench *b, const char *platform, const char *registers)
{
	char *path = temporary_file(registers, strlen(registers));

	memset(b, 0, sizeof(*b));
	b->source = open_spec("%s", path, platform);
	drop_file(path);
	ask(b, NULL);
}

static void begin_spec(struct bench *b, const char *spec)
{
	memset(b, 0, sizeof(*b));
	b->source = open_specs(&spec, 1, NULL);
	ask(b, NULL);
}

static void end(struct bench *b)
{
	gsc_hang_free(b->hang);
	gsc_view_free(b->view);
	gsc_source_close(b->source);
	gsc_db_free(b->db);
}

/* ---- faults --------------------------------------------------------------------------------- */

static size_t fault_count(const struct bench *b)
{
	struct gsc_fault fault;
	size_t count = 0;

	while (fault_at(b->hang, count, &fault))
		count++;
	return count;
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void latched(struct bench *b, size_t i, const char *name, const char *engine,
		    uint64_t address, const char *space, const char *type, const char *level,
		    int source_id)
{
	struct gsc_fault *f = &b->fault;

	CU_ASSERT_FATAL(fault_at(b->hang, i, f));
	if (strcmp(f->reg.name, name) || strcmp(f->engine, engine) || f->address != address ||
	    !same(f->space, space) || !same(f->type, type) || !same(f->level, level) ||
	    f->source_id != source_id)
		fprintf(stderr, "\n%s \"%s\" 0x%llx %s %s %s %d: %s\n", f->reg.name, f->engine,
			(unsigned long long)f->address, f->space, f->type, f->level, f->source_id,
			f->text);
	CU_ASSERT(f->valid);
	CU_ASSERT(f->has_address);
	CU_ASSERT_STRING_EQUAL(f->reg.name, name);
	CU_ASSERT_STRING_EQUAL(f->engine, engine);
	CU_ASSERT_EQUAL(f->address, address);
	CU_ASSERT(same(f->space, space));
	CU_ASSERT(same(f->type, type));
	CU_ASSERT(same(f->level, level));
	CU_ASSERT_EQUAL(f->source_id, source_id);
}

static void clear(struct bench *b, size_t i, const char *name, const char *engine)
{
	CU_ASSERT_FATAL(fault_at(b->hang, i, &b->fault));
	CU_ASSERT(!b->fault.valid);
	CU_ASSERT_STRING_EQUAL(b->fault.reg.name, name);
	CU_ASSERT_STRING_EQUAL(b->fault.engine, engine);
}

static void says(const struct bench *b, const char *text)
{
	if (!strstr(b->fault.text, text))
		fprintf(stderr, "\nnot \"%s\" in: %s\n", text, b->fault.text);
	CU_ASSERT_PTR_NOT_NULL(strstr(b->fault.text, text));
}

static void says_not(const struct bench *b, const char *text)
{
	CU_ASSERT_PTR_NULL(strstr(b->fault.text, text));
}

static void test_snb(void)
{
	struct bench b;

	begin(&b, "snb", "0x4094 0x00a40029\n0x4194 0xffff0ff8\n0x4294 0xfffffabb\n");
	CU_ASSERT_EQUAL(fault_count(&b), 3);
	latched(&b, 0, "GFX_ARBITER_PAGE_FAULT", "rcs0", 0xa40000, "ppgtt", "page fault", "pte", 5);
	says(&b, "rcs0 (unit 5) asked for 0xa40000 in the PPGTT: page fault.");
	says(&b, "This is the first on this engine since the valid bit was cleared");
	says(&b, "Reads of the page returned 0, writes were lost.");
	latched(&b, 1, "BLT_ARBITER_PAGE_FAULT", "bcs0", 0xfffff000, "ggtt", "invalid PD", "pde",
		0x57);
	clear(&b, 2, "MEDIA_ARBITER_PAGE_FAULT", "vcs0");
	says(&b, "No fault of vcs0 since the valid bit was cleared.");
	end(&b);
}

/* What is said about the directory and about continuing. */
static void test_snb_directory(void)
{
	struct bench b;

	begin(&b, "snb", "0x4094 0x08000005\n0x2220 0xfffffffb\n0x2224 0\n0x24000 0x100\n");
	latched(&b, 0, "GFX_ARBITER_PAGE_FAULT", "rcs0", 0x8000000, "ppgtt", "unloaded PD", "pde",
		0);
	says(&b, "PP_DCLV 0xfffffffb does not enable entries 32 to 47 of the directory");
	says(&b, "GAB_CTL asks the engine to continue after a fault.");
	end(&b);
	begin(&b, "snb", "0x4094 0x0c000005\n0x2220 0xfffffffb\n0x2224 0\n0x24000 0\n");
	latched(&b, 0, "GFX_ARBITER_PAGE_FAULT", "rcs0", 0xc000000, "ppgtt", "unloaded PD", "pde",
		0);
	says_not(&b, "PP_DCLV");
	says(&b, "GAB_CTL does not ask the engine to continue after a fault.");
	end(&b);
	begin(&b, "snb", "0x4094 0x80000001\n0x2220 0xffffffff\n0x2224 0\n");
	latched(&b, 0, "GFX_ARBITER_PAGE_FAULT", "rcs0", 0x80000000, "ppgtt", "page fault", "pte",
		0);
	says(&b, "That is past the 2 GB of a directory.");
	says_not(&b, "GAB_CTL");
	end(&b);
	/* The directory means nothing for the global table. */
	begin(&b, "snb", "0x4094 0x08000801\n0x2220 0\n0x2224 0\n");
	latched(&b, 0, "GFX_ARBITER_PAGE_FAULT", "rcs0", 0x8000000, "ggtt", "page fault", "pte",
		0);
	says_not(&b, "PP_DCLV");
	end(&b);
}

static void test_snb_log(void)
{
	struct bench b;

	begin(&b, "snb", "0x4510 0x80000002\n0x4584 0x12345820\n0x45fc 0xabcde000\n0x4580 0x6820\n"
	      "0x2520 0x1000\n");
	CU_ASSERT_EQUAL(fault_count(&b), 2);
	latched(&b, 0, "PP_PFD", "rcs0", 0x12345000, "ppgtt", NULL, "pte", -1);
	CU_ASSERT_EQUAL(b.fault.reg.index, 1);
	CU_ASSERT_EQUAL(b.fault.reg.offset, 0x4584);
	says(&b, "Entry 1 of the fault log is pending");
	says_not(&b, "Doubtful");
	latched(&b, 1, "PP_PFD", "rcs0", 0xabcde000, "ppgtt", NULL, "pte", -1);
	CU_ASSERT_EQUAL(b.fault.reg.index, 31);
	says(&b, "the log is frozen");
	end(&b);
	/* Without its entry, and if the log is not in use. */
	begin(&b, "snb", "0x4510 0x1\n0x2520 0x200\n");
	CU_ASSERT_EQUAL_FATAL(fault_count(&b), 1);
	CU_ASSERT(fault_at(b.hang, 0, &b.fault));
	CU_ASSERT(b.fault.valid && !b.fault.has_address);
	CU_ASSERT_STRING_EQUAL(b.fault.reg.name, "PP_PFIR");
	says(&b, "GFX_MODE does not enable surface faults");
	end(&b);
	begin(&b, "snb", "0x4510 0x0\n0x4580 0x12345000\n");
	CU_ASSERT_EQUAL(fault_count(&b), 1);
	clear(&b, 0, "PP_PFIR", "");
	CU_ASSERT(!b.fault.has_address);
	says_not(&b, "frozen");
	end(&b);
}

static void test_gen7(void)
{
	struct bench b;

	begin(&b, "hsw", "0x4394 0x7fe00005\n0x1a220 0x7fffffff\n0x1a224 0\n");
	CU_ASSERT_EQUAL(fault_count(&b), 1);
	latched(&b, 0, "VEBOX_ARBITER_PAGE_FAULT", "vecs0", 0x7fe00000, "ppgtt", "unloaded PD",
		"pde", 0);
	says(&b, "does not enable entries 496 to 511");
	says(&b, "The engine hangs on a fault");
	says_not(&b, "gave 0");
	end(&b);
	begin(&b, "ivb", "0x4194 0x00001807\n0x4394 0x1\n");
	CU_ASSERT_EQUAL(fault_count(&b), 1);
	latched(&b, 0, "MEDIA_ARBITER_PAGE_FAULT", "vcs0", 0x1000, "ggtt",
		"invalid and unloaded PD", "pde", 0);
	end(&b);
	begin(&b, "vlv", "0x4294 0x00002011\n");
	latched(&b, 0, "BLT_ARBITER_PAGE_FAULT", "bcs0", 0x2000, "ppgtt", "page fault", "pte", 2);
	end(&b);
}

static void test_gen8(void)
{
	struct bench b;

	begin(&b, "bdw", "0x4094 0x0000308d\n0x4b10 0x12345678\n0x4b14 0x1f\n");
	CU_ASSERT_EQUAL(fault_count(&b), 1);
	latched(&b, 0, "RING_FAULT_REG", "vecs0", UINT64_C(0xf12345678000), "ggtt", "invalid PDPE",
		"pdpe", 17);
	says(&b, "This is the first on any engine since the valid bit was cleared");
	end(&b);
	begin(&b, "skl", "0x4094 0x00004003\n0x4b10 0x00100200\n0x4b14 0\n");
	latched(&b, 0, "RING_FAULT_REG", "bcs0", UINT64_C(0x100200000), "ppgtt", "invalid PDE",
		"pde", 0);
	end(&b);
	begin(&b, "chv", "0x4094 0x00001001\n0x4b10 0x1\n0x4b14 0\n");
	latched(&b, 0, "RING_FAULT_REG", "vcs0", 0x1000, "ppgtt", "invalid PTE", "pte", 0);
	end(&b);
	begin(&b, "bxt", "0x4094 0x00005001\n0x4b10 0x1\n0x4b14 0x10\n");
	latched(&b, 0, "RING_FAULT_REG", "guc", 0x1000, "ggtt", "invalid PTE", "pte", 0);
	end(&b);
	/* Codes of no engine, or of one that this part lacks. */
	begin(&b, "icl", "0x4094 0x00002007\n0x4b10 0xffffffff\n0x4b14 0xf\n");
	latched(&b, 0, "RING_FAULT_REG", "", UINT64_C(0xfffffffff000), "ppgtt", "invalid PML4E",
		"pml4e", 0);
	says(&b, "engine code 2 (unit 0) asked for 0xfffffffff000 in the PPGTT: invalid PML4E.");
	end(&b);
	begin(&b, "skl", "0x4094 0x00007001\n0x4b10 0\n0x4b14 0\n");
	latched(&b, 0, "RING_FAULT_REG", "", 0, "ppgtt", "invalid PTE", "pte", 0);
	says(&b, "engine code 7 (unit 0) asked for 0x0 in the PPGTT");
	end(&b);
}

/* Parts of the record are missing. */
static void test_gen8_parts(void)
{
	struct bench b;

	begin(&b, "skl", "0x4094 0x00000803\n0x4b10 0x00100200\n");
	CU_ASSERT(fault_at(b.hang, 0, &b.fault));
	CU_ASSERT(b.fault.valid && !b.fault.has_address);
	CU_ASSERT(same(b.fault.space, "ggtt"));
	says(&b, "asked for an unknown address in the GGTT");
	end(&b);
	/* FAULT_TLB_DATA1 decides. */
	begin(&b, "skl", "0x4094 0x00000803\n0x4b10 0x00100200\n0x4b14 0\n");
	latched(&b, 0, "RING_FAULT_REG", "rcs0", 0x100200000, "ppgtt", "invalid PDE", "pde", 0);
	end(&b);
	begin(&b, "skl", "0x4094 0x00004002\n0x4b10 0x00100200\n0x4b14 0x10\n");
	clear(&b, 0, "RING_FAULT_REG", "");
	CU_ASSERT(b.fault.has_address);
	CU_ASSERT_EQUAL(b.fault.address, UINT64_C(0x100200000));
	CU_ASSERT(same(b.fault.space, "ggtt"));
	says(&b, "perhaps from an earlier fault");
	end(&b);
	begin(&b, "skl", "0x4094 0\n0x4b10 0\n0x4b14 0\n");
	clear(&b, 0, "RING_FAULT_REG", "");
	CU_ASSERT(!b.fault.has_address);
	end(&b);
	begin(&b, "skl", "0x4094 0xffffffff\n0x4b10 0xffffffff\n0x4b14 0xffffffff\n");
	CU_ASSERT_EQUAL(fault_count(&b), 1);
	clear(&b, 0, "RING_FAULT_REG", "");
	CU_ASSERT(!b.fault.has_address);
	says(&b, "does not answer");
	end(&b);
	begin(&b, "snb", "0x4094 0xffffffff\n");
	clear(&b, 0, "GFX_ARBITER_PAGE_FAULT", "rcs0");
	end(&b);
}

static void test_gen12(void)
{
	struct bench b;

	begin(&b, "tgl", "0xcec4 0x00000001\n0xceb8 0x0004e750\n0xcebc 0\n0x4094 0x4003\n");
	CU_ASSERT_EQUAL(fault_count(&b), 1);
	latched(&b, 0, "RING_FAULT_REG", "rcs0", 0x4e750000, "ppgtt", "invalid PTE", "pte", 0);
	CU_ASSERT_EQUAL(b.fault.reg.offset, 0xcec4);
	end(&b);
	begin(&b, "dg2", "0xcec4 0x00001001\n0xceb8 0xfffff123\n0xcebc 0x7\n");
	latched(&b, 0, "RING_FAULT_REG", "vcs0", UINT64_C(0x7fffff123000), "ppgtt", "invalid PTE",
		"pte", 0);
	end(&b);
	/* The media GT has a separate set; its engine codes are unknown. */
	begin(&b, "mtl", "0x38cec4 0x00001005\n0x38ceb8 0x10\n0x38cebc 0x10\n0xcec4 0\n");
	CU_ASSERT_EQUAL(fault_count(&b), 2);
	latched(&b, 0, "MEDIA_GT_RING_FAULT_REG", "", 0x10000, "ggtt", "invalid PDPE", "pdpe", 0);
	clear(&b, 1, "RING_FAULT_REG", "");
	end(&b);
	/* Without the valid bit an address is only that. */
	begin(&b, "tgl", "0xceb8 0x0004e750\n0xcebc 0\n");
	CU_ASSERT_EQUAL(fault_count(&b), 1);
	clear(&b, 0, "FAULT_TLB_DATA0", "");
	CU_ASSERT(b.fault.has_address);
	CU_ASSERT_EQUAL(b.fault.address, 0x4e750000);
	CU_ASSERT(same(b.fault.space, "ppgtt"));
	says(&b, "0x4e750000 in the PPGTT is the address of a fault; when");
	end(&b);
}

/* Page faults are not latched there. */
static void test_without_registers(void)
{
	static const char *const platforms[] = { "brw", "elk", "ilk", "lnl", "bmg", "ptl" };

	for (size_t i = 0; i < sizeof(platforms) / sizeof(*platforms); i++) {
		struct bench b;

		begin(&b, platforms[i], "0x4094 0x1\n0xcec4 0x1\n0xceb8 0x1\n0xcebc 0x1\n");
		CU_ASSERT_EQUAL(fault_count(&b), 0);
		end(&b);
	}
}

/* ---- fault models --------------------------------------------------------------------------- */

static void test_models(void)
{
	struct bench b;

	begin(&b, "icl", "0x4094 0x1\n0x4b10 1\n0x4b14 0\n0x2510 0x00021099\n0x2514 0\n");
	CU_ASSERT(fault_at(b.hang, 0, &b.fault));
	says(&b, "The fault model of the queued context is fault and stream");
	end(&b);
	begin(&b, "icl", "0x4094 0x1\n0x4b10 1\n0x4b14 0\n0x2510 0x00021098\n0x2514 0\n");
	CU_ASSERT(fault_at(b.hang, 0, &b.fault));
	says_not(&b, "model");
	end(&b);
	begin(&b, "skl", "0x4094 0x1\n0x4b10 1\n0x4b14 0\n"
	      "0x2270 0x1000\n0x2274 0\n0x2278 0\n0x227c 0\n0x2280 0\n0x2284 0\n0x2288 0\n"
	      "0x228c 0\n");
	CU_ASSERT(fault_at(b.hang, 0, &b.fault));
	says(&b, "Legacy contexts hang on a fault");
	end(&b);
}

/* ---- walks ---------------------------------------------------------------------------------- */

static void walks(struct bench *b, size_t i, bool mapped, const char *level)
{
	const struct gsc_translation *translation = NULL;
	struct gsc_walk walk;
	char why[256] = "";

	if (!gsc_hang_walk(b->hang, i, &walk, &translation, why, sizeof(why))) {
		fprintf(stderr, "\nno walk: %s\n", why);
		CU_FAIL("no walk");
	} else {
		CU_ASSERT_PTR_NOT_NULL(translation);
		CU_ASSERT_EQUAL(walk.mapped, mapped);
		CU_ASSERT_STRING_EQUAL(walk.stop_level, level);
		CU_ASSERT(fault_at(b->hang, i, &b->fault));
		CU_ASSERT_EQUAL(walk.address, b->fault.address);
	}
}

static void does_not_walk(struct bench *b, size_t i, const char *text)
{
	const struct gsc_translation *translation = NULL;
	struct gsc_walk walk;
	char why[256] = "";

	CU_ASSERT(!gsc_hang_walk(b->hang, i, &walk, &translation, why, sizeof(why)));
	if (!strstr(why, text))
		fprintf(stderr, "\nnot \"%s\" in: %s\n", text, why);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, text));
}

static void test_demos(void)
{
	struct bench b;

	begin_spec(&b, "demo:snb-hang");
	latched(&b, 0, "GFX_ARBITER_PAGE_FAULT", "rcs0", 0xa40000, "ppgtt", "page fault", "pte",
		11);
	walks(&b, 0, false, "pte");
	says_not(&b, "map it now");
	end(&b);
	begin_spec(&b, "demo:skl-hang");
	latched(&b, 0, "RING_FAULT_REG", "rcs0", UINT64_C(0x7a1105603000), "ppgtt", "invalid PDE",
		"pde", 37);
	walks(&b, 0, false, "pde");
	CU_ASSERT_STRING_EQUAL(b.fault.level, "pde");
	end(&b);
	begin_spec(&b, "demo:icl-trtt");
	for (size_t i = 0; fault_at(b.hang, i, &b.fault); i++)
		CU_ASSERT(!b.fault.valid);
	end(&b);
}

/* A global address that the table maps now, and one that it does not. */
static void test_mapped_now(void)
{
	struct world w;
	struct bench b = { .db = NULL };
	struct gsc_hang_options options = { .no_walk = true };
	struct gsc_error err = { 0 };

	world_begin(&w, "skl", NULL);
	put(&w, GSC_GGTT, 5 * 8, 8, MEMORY | 1);
	put_register(&w, 0x4094, 1);
	put_register(&w, 0x4b10, 5);
	put_register(&w, 0x4b14, 0x10);
	world_open(&w, GSC_MODE_GGTT, 0);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&b.hang, gpu_for(w.source, w.view), NULL, &err), GSC_OK);
	latched(&b, 0, "RING_FAULT_REG", "rcs0", 0x5000, "ggtt", "invalid PTE", "pte", 0);
	says(&b, "The tables map it now.");
	walks(&b, 0, true, "");
	does_not_walk(&b, 1, "no such fault");
	gsc_hang_free(b.hang);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&b.hang, gpu_for(w.source, w.view), &options,
					   &err), GSC_OK);
	does_not_walk(&b, 0, "walks were turned off");
	CU_ASSERT(fault_at(b.hang, 0, &b.fault));
	says_not(&b, "map it now");
	gsc_hang_free(b.hang);
	put(&w, GSC_GGTT, 5 * 8, 8, MEMORY);
	world_open(&w, GSC_MODE_GGTT, 0);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&b.hang, gpu_for(w.source, w.view), NULL, &err), GSC_OK);
	CU_ASSERT(fault_at(b.hang, 0, &b.fault));
	says_not(&b, "map it now");
	walks(&b, 0, false, "pte");
	gsc_hang_free(b.hang);
	world_end(&w);
}

/* 48 bits of address, bit 47 set, by tables that a register points to. */
static void test_high_address(void)
{
	static const uint32_t zeros[] = { 0x2278, 0x227c, 0x2280, 0x2284, 0x2288, 0x228c };
	struct bench b = { .db = NULL };
	struct gsc_error err = { 0 };
	struct world w;

	world_begin(&w, "skl", NULL);
	put(&w, GSC_PHYS, MEMORY + 511 * 8, 8, (MEMORY + 0x1000) | 3);
	put(&w, GSC_PHYS, MEMORY + 0x1000 + 511 * 8, 8, (MEMORY + 0x2000) | 3);
	put_register(&w, 0x4094, 3);
	put_register(&w, 0x4b10, 0xfffff123);
	put_register(&w, 0x4b14, 0xf);
	put_register(&w, 0x2270, (uint32_t)MEMORY);
	put_register(&w, 0x2274, (uint32_t)(MEMORY >> 32));
	for (size_t i = 0; i < sizeof(zeros) / sizeof(*zeros); i++)
		put_register(&w, zeros[i], 0);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&b.hang, gpu_for(w.source, w.view), NULL, &err), GSC_OK);
	latched(&b, 0, "RING_FAULT_REG", "rcs0", UINT64_C(0xfffffff123000) & 0xffffffffffff,
		"ppgtt", "invalid PDE", "pde", 0);
	walks(&b, 0, false, "pde");
	gsc_hang_free(b.hang);
	world_end(&w);
}

static void test_no_walk(void)
{
	struct bench b;

	/* No root; a root without tables; nobody's address. */
	begin(&b, "skl", "0x4094 0x4003\n0x4b10 1\n0x4b14 0\n");
	does_not_walk(&b, 0, "bcs0");
	end(&b);
	begin(&b, "snb", "0x4094 0x1001\n0x2228 0x7fe00000\n0x2518 0x7fe00000\n");
	does_not_walk(&b, 0, "no table to walk");
	end(&b);
	begin(&b, "icl", "0x4094 0x2007\n0x4b10 1\n0x4b14 0\n");
	does_not_walk(&b, 0, "unknown whose access");
	end(&b);
	begin(&b, "skl", "0x4094 0x4003\n");
	does_not_walk(&b, 0, "address is not known");
	end(&b);
}

/* ---- errors --------------------------------------------------------------------------------- */

static size_t error_count(const struct bench *b)
{
	struct gsc_trouble error;
	size_t count = 0;

	while (error_at(b->hang, count, &error))
		count++;
	return count;
}

/* In the list once, as "rcs0.EIR"; with `text` in its words. */
static void reports(const struct bench *b, const char *reg, const char *field, unsigned bit,
		    const char *text)
{
	struct gsc_trouble error;
	bool found = false;

	for (size_t i = 0; error_at(b->hang, i, &error); i++) {
		char name[64];

		gsc_reg_full_name(&error.reg, name, sizeof(name));
		if (strcmp(name, reg) || strcmp(error.name, field))
			continue;
		CU_ASSERT(!found);
		found = true;
		CU_ASSERT_EQUAL(error.lo, bit);
		if (!strstr(error.text, text))
			fprintf(stderr, "\nnot \"%s\" in: %s\n", text, error.text);
		CU_ASSERT_PTR_NOT_NULL(strstr(error.text, text));
	}
	if (!found)
		fprintf(stderr, "\nnot reported: %s:%s\n", reg, field);
	CU_ASSERT(found);
}

static void test_page_table_errors(void)
{
	struct bench b;

	begin(&b, "brw", "0x2024 0x04000213\n0x20b0 0x12\n");
	CU_ASSERT_EQUAL(error_count(&b), 7);
	reports(&b, "rcs0.EIR", "PAGE_TABLE_ERROR", 4, "only a reset clears it");
	reports(&b, "rcs0.EIR", "MEMORY_REFRESH_ERROR", 1, "clear it at its source");
	reports(&b, "PGTBL_ER", "SAMPLER_CACHE_INVALID_GTT_ENTRY", 26, "only a reset clears it");
	reports(&b, "PGTBL_ER", "DISPLAY_A_FETCH_INVALID_GTT_ENTRY", 4, "");
	reports(&b, "PGTBL_ER", "HOST_INVALID_PTE_DATA", 1, "forbidden memory");
	reports(&b, "PGTBL_ER", "HOST_INVALID_GTT_ENTRY", 0, "");
	reports(&b, "PGTBL_ER", "undocumented bit", 9, "0x200: no public document");
	end(&b);
	begin(&b, "elk", "0x2024 0x100\n0x20b0 0x20\n");
	CU_ASSERT_EQUAL(error_count(&b), 2);
	reports(&b, "rcs0.EIR", "PAGE_TABLE_ERROR", 5, "only a reset clears it");
	reports(&b, "PGTBL_ER", "DISPLAY_B_FETCH_INVALID_GTT_ENTRY", 8, "");
	end(&b);
	begin(&b, "snb", "0x2024 0x10\n");
	CU_ASSERT_EQUAL(error_count(&b), 1);
	reports(&b, "PGTBL_ER", "undocumented bit", 4, "only a reset clears it");
	end(&b);
	begin(&b, "brw", "0x2024 0xffffffff\n0x20b0 0xffffffff\n0x20b8 0xffffffff\n");
	CU_ASSERT_EQUAL(error_count(&b), 0);
	end(&b);
}

static void test_masks(void)
{
	struct bench b;

	begin(&b, "snb", "0x20b0 0x10\n0x20b4 0xffffffef\n0x20b8 0x18\n");
	CU_ASSERT_EQUAL(error_count(&b), 2);
	reports(&b, "rcs0.EIR", "PAGE_TABLE_ERROR", 4, "");
	reports(&b, "rcs0.ESR", "MEMORY_PRIVILEGE_VIOLATION_ERROR", 3, "masked by EMR");
	end(&b);
	begin(&b, "skl", "0x220b0 0\n0x220b4 0\n0x220b8 0x1\n0x120b8 0x4\n");
	CU_ASSERT_EQUAL(error_count(&b), 2);
	reports(&b, "bcs0.ESR", "INSTRUCTION_ERROR", 0,
		"present; EMR does not mask it, yet EIR does not have it");
	reports(&b, "vcs0.ESR", "COMMAND_PRIVILEGE_VIOLATION_ERROR", 2, "present");
	end(&b);
	/* The upper half is a mask of writes. */
	begin(&b, "tgl", "0x20b0 0xffff0000\n0x20b4 0xffffffff\n0x20b8 0\n");
	CU_ASSERT_EQUAL(error_count(&b), 0);
	end(&b);
	begin(&b, "icl", "0x20b0 0x00010009\n0x20b8 0x89\n");
	CU_ASSERT_EQUAL(error_count(&b), 3);
	reports(&b, "rcs0.EIR", "INSTRUCTION_ERROR", 0, "a command that the parser does not know");
	reports(&b, "rcs0.EIR", "MEMORY_PRIVILEGE_VIOLATION_ERROR", 3, "then in IIR");
	reports(&b, "rcs0.ESR", "undocumented bit", 7, "0x80");
	end(&b);
}

static void test_translation_errors(void)
{
	struct bench b;

	begin(&b, "snb", "0x40a0 0x12b\n0x12400 0x3\n");
	CU_ASSERT_EQUAL(error_count(&b), 6);
	reports(&b, "GFX_ARB_ERROR_RPT", "UNLOADED_PD_ERROR", 8, "PP_DCLV");
	reports(&b, "GFX_ARB_ERROR_RPT", "CONTEXT_PAGE_VTD_TRANSLATION_ERROR", 5, "IOMMU");
	reports(&b, "GFX_ARB_ERROR_RPT", "HARDWARE_STATUS_PAGE_FAULT_ERROR", 3, "not valid");
	reports(&b, "GFX_ARB_ERROR_RPT", "CONTEXT_PAGE_FAULT_ERROR", 1, "not valid");
	reports(&b, "GFX_ARB_ERROR_RPT", "TLB_PAGE_FAULT_ERROR", 0, "not valid");
	reports(&b, "vcs0.AVD_ERROR_FLAGS", "undocumented bits", 0, "0x3");
	end(&b);
	begin(&b, "hsw", "0x40a0 0x222\n");
	CU_ASSERT_EQUAL(error_count(&b), 3);
	reports(&b, "GFX_ARB_ERROR_RPT", "PENDING_PAGE_FAULTS", 9, "1 of them");
	reports(&b, "GFX_ARB_ERROR_RPT", "WRDP_PAVP_INVALID", 5, "protected write");
	reports(&b, "GFX_ARB_ERROR_RPT", "RSTRM_PAVP_READ_INVALID", 1, "protected read");
	end(&b);
	begin(&b, "bdw", "0x40a0 0x8001\n");
	CU_ASSERT_EQUAL(error_count(&b), 2);
	reports(&b, "GFX_ARB_ERROR_RPT", "CONTEXT_WAS_NOT_MARKED_AS_PRESENT_WHEN_DOING_DMA", 15, "");
	reports(&b, "GFX_ARB_ERROR_RPT", "TLB_PAGE_FAULT_ERROR", 0, "not valid");
	end(&b);
	begin(&b, "skl", "0x40a0 0x2000\n0x12800 0x10\n");
	CU_ASSERT_EQUAL(error_count(&b), 2);
	reports(&b, "GFX_ARB_ERROR_RPT", "PASID_NOT_VALID", 13, "");
	reports(&b, "vcs0.MFX_ERROR_FLAG", "undocumented bit", 4, "0x10");
	end(&b);
	begin(&b, "icl", "0x40a0 0x1\n");
	CU_ASSERT_EQUAL(error_count(&b), 1);
	reports(&b, "GFX_ARB_ERROR_RPT", "undocumented bit", 0, "0x1");
	end(&b);
	begin(&b, "tgl", "0x43f4 0x80\n0x40a0 0x1\n");
	CU_ASSERT_EQUAL(error_count(&b), 1);
	reports(&b, "AUX_ERR_DBG", "undocumented bit", 7, "0x80");
	end(&b);
}

static void test_display_errors(void)
{
	struct bench b;

	begin(&b, "ivb", "0x44040 0x80002005\n0xb008 0x00006080\n0x120000 0x5\n");
	CU_ASSERT_EQUAL(error_count(&b), 6);
	reports(&b, "ERR_INT", "POISON", 31, "");
	reports(&b, "ERR_INT", "MMIO_UNCLAIMED", 13, "nobody owns");
	reports(&b, "ERR_INT", "FIFO_UNDERRUN_A", 0, "");
	reports(&b, "L3CDERRST1_SLICE0", "PARITY_ERROR_VALID", 13, "");
	reports(&b, "GTFIFODBG", "OVERFLOW_ERROR", 2, "");
	reports(&b, "GTFIFODBG", "IA_READ_ERROR", 0, "");
	end(&b);
	begin(&b, "skl", "0x44418 0x80000881\n0x42300 0x80000000\n");
	CU_ASSERT_EQUAL(error_count(&b), 4);
	reports(&b, "DE_PIPE_IIR[1]", "FIFO_UNDERRUN", 31, "");
	reports(&b, "DE_PIPE_IIR[1]", "CURSOR_FAULT", 11, "");
	reports(&b, "DE_PIPE_IIR[1]", "PLANE_1_FAULT", 7, "");
	reports(&b, "FPGA_DBG", "RM_NOCLAIM", 31, "unknown");
	end(&b);
	begin(&b, "ilk", "0x44008 0x01000000\n");
	CU_ASSERT_EQUAL(error_count(&b), 1);
	reports(&b, "DEIIR", "GTT_FAULT", 24, "");
	end(&b);
}

/* ---- real dumps (GPUSCOPE_CORPUS) ----------------------------------------------------------- */

static bool begin_corpus(struct bench *b, const char *name)
{
	const char *folder = getenv("GPUSCOPE_CORPUS");
	char path[512];

	if (!folder || !*folder)
		return false;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	begin_spec(b, path);
	return true;
}

static void test_corpus(void)
{
	struct bench b;

	if (begin_corpus(&b, "error-state/tgl-0x9a49-linux5.15-head.txt")) {
		CU_ASSERT_EQUAL(fault_count(&b), 1);
		clear(&b, 0, "FAULT_TLB_DATA0", "");
		CU_ASSERT(b.fault.has_address);
		CU_ASSERT_EQUAL(b.fault.address, 0x4e750000);
		CU_ASSERT(same(b.fault.space, "ppgtt"));
		CU_ASSERT_EQUAL(error_count(&b), 0);
		end(&b);
	}
	if (begin_corpus(&b, "error-state/gm45-0x2a42-2013-i915_error_state.txt")) {
		CU_ASSERT_EQUAL(fault_count(&b), 0);
		CU_ASSERT_EQUAL(error_count(&b), 0);
		end(&b);
	}
}

SUITE(hang_faults, { "Sandy Bridge", test_snb },
      { "Sandy Bridge's directory", test_snb_directory }, { "fault log", test_snb_log },
      { "Gen7", test_gen7 }, { "Gen8 to Gen11", test_gen8 }, { "parts of a record", test_gen8_parts },
      { "Gen12", test_gen12 }, { "no registers", test_without_registers },
      { "fault models", test_models }, { "demos", test_demos }, { "mapped now", test_mapped_now },
      { "48 bits", test_high_address }, { "no walk", test_no_walk },
      { "page table errors", test_page_table_errors }, { "masked errors", test_masks },
      { "translation errors", test_translation_errors },
      { "display errors", test_display_errors })

SUITE(hang_faults_corpus, { "error states", test_corpus })
