/* SPDX-License-Identifier: MIT */
/* Tiled resources: over the tables of a process, over those and VT-d, and in demo:icl-trtt. */
#include "gtt/gtt.h"
#include "source-helpers.h"
#include "table-helpers.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define BASE UINT64_C(0x180000000)
#define SIZE (2u << 20)
#define SPARSE UINT64_C(0x500000000000)
#define STEPS_MOST 120			/* tables of tiles, each entry by tables and a second level */
#define TABLES UINT64_C(0x100000000)	/* L3 here, L2 and L1 at the next pages */
#define TILE UINT64_C(0x200040000)	/* of 64 KB, mapped as pages of 4 KB */
#define TARGET UINT64_C(0x190000000)	/* physical */

enum { NULL_VALUE = 1, INVALID_VALUE = 0x7fffffff };

/* ---- is it a tiled address -------------------------------------------------------------- */

static void detection(void)
{
	struct gsc_tiled tiled = { .on = true, .va = 0xf5 };

	CU_ASSERT(trtt_holds(&tiled, SPARSE));
	CU_ASSERT(trtt_holds(&tiled, SPARSE | UINT64_C(0xfffffffffff)));
	CU_ASSERT_FALSE(trtt_holds(&tiled, UINT64_C(0x400000000000)));
	CU_ASSERT_FALSE(trtt_holds(&tiled, UINT64_C(0xd00000000000)));
	CU_ASSERT_FALSE(trtt_holds(&tiled, UINT64_C(0x1500000000000)));
	CU_ASSERT_FALSE(trtt_holds(&tiled, 0));
	tiled.va = 0x75;			/* bit 47 does not count */
	CU_ASSERT(trtt_holds(&tiled, UINT64_C(0xd00000000000)));
	tiled.va = 0x05;
	CU_ASSERT_FALSE(trtt_holds(&tiled, SPARSE));
	tiled.va = 0xf0;
	CU_ASSERT(trtt_holds(&tiled, 0x1000));
	tiled.on = false;
	CU_ASSERT_FALSE(trtt_holds(&tiled, 0x1000));
}

/* ---- a process with tiles --------------------------------------------------------------- */

struct process {
	struct image m;
	struct space sl, space;
	struct rig rig;
	struct gsc_translation_options options;
	struct gsc_translation *t;
	uint64_t l3, l2, l1;		/* where they are in memory */
	struct gsc_walk walk;
};

static uint64_t map_table(struct process *p, unsigned number)
{
	uint64_t page = image_page(&p->m), guest = page;

	if (p->options.vtd.on) {
		guest = UINT64_C(0x1111000000) + number * 0x5000;
		space_set(&p->sl, guest, 12, page | 3);
	}
	space_set(&p->space, TABLES + number * 0x1000, 12, guest | 7);
	return page;
}

/* One tile of 16 pages at `target`. */
static void map_tile(struct process *p, uint64_t address, uint64_t target)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t guest = target + i * 0x1000;

		if (p->options.vtd.on) {
			guest = UINT64_C(0x2222000000) + (target & 0xff0000) + i * 0x1000;
			space_set(&p->sl, guest, 12, (target + i * 0x1000) | 3);
		}
		space_set(&p->space, address + i * 0x1000, 12, guest | 7);
	}
}

static void process_build(struct process *p, const char *mode, bool nested)
{
	memset(p, 0, sizeof(*p));
	gsc_mode_by_name(mode, &p->options.root.mode);
	image_init(&p->m, BASE, SIZE);
	p->options.vtd.on = nested;
	p->options.vtd.levels = 4;
	space_init(&p->sl, &p->m, NULL, 39, 3);
	space_init(&p->space, &p->m, nested ? &p->sl : NULL, 39, 7);
	p->l3 = map_table(p, 0);
	p->l2 = map_table(p, 1);
	p->l1 = map_table(p, 2);
	image_put(&p->m, p->l3, 8, TABLES + 0x1000);
	image_put(&p->m, p->l2, 8, TABLES + 0x2000);
	image_put(&p->m, p->l1, 4, TILE >> 16);
	image_put(&p->m, p->l1 + 4, 4, NULL_VALUE);
	image_put(&p->m, p->l1 + 8, 4, INVALID_VALUE);
	image_put(&p->m, p->l1 + 12, 4, 0x20007);	/* no such page */
	image_put(&p->m, p->l1 + 1023 * 4, 4, (TILE >> 16) + 1);
	image_put(&p->m, p->l2 + 8, 8, 2);		/* null */
	image_put(&p->m, p->l2 + 16, 8, 1);		/* invalid */
	image_put(&p->m, p->l2 + 24, 8, TABLES + 0x3000);	/* a table that is not mapped */
	image_put(&p->m, p->l3 + 8, 8, 2);
	image_put(&p->m, p->l3 + 511 * 8, 8, 3);
	map_tile(p, TILE, TARGET);
	map_tile(p, TILE + 0x10000, TARGET + 0x30000);
	p->options.root.value[0] = p->space.root;
	p->options.root.count = 1;
	p->options.vtd.root = p->sl.root;
	p->options.trtt = (struct gsc_tiled){ .on = true, .l3 = TABLES, .null = NULL_VALUE,
		.invalid = INVALID_VALUE, .has_null = true, .has_invalid = true, .va = 0xf5 };
}

static void process_open(struct process *p, const char *platform)
{
	p->rig = rig_open(&p->m, platform);
	p->t = rig_translation(&p->rig, &p->options);
}

static void process_close(struct process *p)
{
	gsc_translation_free(p->t);
	rig_close(&p->rig);
	image_free(&p->m);
}

/* The same with and without steps. */
static bool lands(struct process *p, uint64_t address, uint64_t physical)
{
	enum gsc_space space = GSC_SPACES;
	uint64_t resolved = 0, length = 0;
	enum gsc_stop stop = gsc_resolve(p->t, address, &space, &resolved, &length);

	gsc_walk(p->t, address, GSC_INTENT_READ, &p->walk);
	if (p->walk.mapped && p->walk.physical == physical && !stop && resolved == physical &&
	    space == GSC_PHYS && length && length <= 0x10000)
		return true;
	fprintf(stderr, "\n0x%llx: 0x%llx, %s %s; resolved %s 0x%llx + 0x%llx\n",
		(unsigned long long)address, (unsigned long long)p->walk.physical,
		gsc_stop_word(p->walk.stop), p->walk.stop_text, gsc_stop_word(stop),
		(unsigned long long)resolved, (unsigned long long)length);
	return false;
}

static bool stops(struct process *p, uint64_t address, enum gsc_stop stop, const char *level)
{
	enum gsc_space space;
	uint64_t resolved, length;
	enum gsc_stop silent = gsc_resolve(p->t, address, &space, &resolved, &length);

	gsc_walk(p->t, address, GSC_INTENT_READ, &p->walk);
	if (!p->walk.mapped && p->walk.stop == stop && silent == stop && p->walk.stop_text[0] &&
	    !strcmp(p->walk.stop_level, level))
		return true;
	fprintf(stderr, "\n0x%llx: %s at %s: %s; silently %s\n", (unsigned long long)address,
		gsc_stop_word(p->walk.stop), p->walk.stop_level, p->walk.stop_text,
		gsc_stop_word(silent));
	return false;
}

static const struct gsc_step *tile_step(const struct gsc_walk *walk, const char *level)
{
	for (size_t i = 0; i < walk->count; i++)
		if (walk->steps[i].entry.level && !strcmp(walk->steps[i].entry.level, level))
			return &walk->steps[i];
	return NULL;
}

static void check_tiles(struct process *p)
{
	CU_ASSERT(lands(p, SPARSE, TARGET));
	CU_ASSERT(lands(p, SPARSE + 0xfedc, TARGET + 0xfedc));
	CU_ASSERT(lands(p, SPARSE + 1023 * 0x10000 + 0x1234, TARGET + 0x31234));
	/* Sign-extended addresses are not in this space. */
	CU_ASSERT(lands(p, TILE + 0x5678, TARGET + 0x5678));
	CU_ASSERT(stops(p, SPARSE + 0x10000, GSC_STOP_NULL_TILE, "trtt-l1"));
	CU_ASSERT(stops(p, SPARSE + 0x20000, GSC_STOP_INVALID_TILE, "trtt-l1"));
	CU_ASSERT(stops(p, SPARSE + 0x4000000, GSC_STOP_NULL_TILE, "trtt-l2"));
	CU_ASSERT(stops(p, SPARSE + 0x8000000, GSC_STOP_INVALID_TILE, "trtt-l2"));
	CU_ASSERT(stops(p, SPARSE + UINT64_C(0x800000000), GSC_STOP_NULL_TILE, "trtt-l3"));
	CU_ASSERT(stops(p, SPARSE + UINT64_C(0xff800000000), GSC_STOP_INVALID_TILE, "trtt-l3"));
}

static void over_pml4(void)
{
	struct process p;
	const struct gsc_step *step;

	process_build(&p, "pml4", false);
	process_open(&p, "icl");
	check_tiles(&p);
	CU_ASSERT(stops(&p, SPARSE + 0x30000, GSC_STOP_NOT_PRESENT, "pte"));
	CU_ASSERT(stops(&p, SPARSE + 0xc000000, GSC_STOP_NOT_PRESENT, "pte"));
	gsc_walk(p.t, SPARSE + 0x1234, GSC_INTENT_READ, &p.walk);
	/* Three tables behind four entries each, then four of the target. */
	CU_ASSERT_EQUAL(p.walk.count, 3 * 5 + 4);
	step = tile_step(&p.walk, "trtt-l3");
	CU_ASSERT_FATAL(step != NULL);
	CU_ASSERT(step->depth == 1 && step->index == 0 && step->address == p.l3);
	CU_ASSERT(step->space == GSC_PHYS && !step->guest && step->table == p.l3);
	step = tile_step(&p.walk, "trtt-l1");
	CU_ASSERT_FATAL(step != NULL);
	CU_ASSERT(step->entry.words[0] == TILE >> 16 && step->entry.bytes == 4);
	CU_ASSERT_EQUAL(p.walk.steps[0].depth, 2);
	CU_ASSERT_EQUAL(p.walk.steps[18].depth, 0);
	CU_ASSERT_STRING_EQUAL(p.walk.note, "");
	process_close(&p);
}

static void over_nested(void)
{
	struct process p;

	process_build(&p, "ia32e", true);
	process_open(&p, "skl");
	check_tiles(&p);
	gsc_walk(p.t, SPARSE, GSC_INTENT_WRITE, &p.walk);
	/* A table: four entries, each behind four of VT-d, then its own four and the entry. */
	CU_ASSERT_EQUAL(p.walk.count, 3 * (4 * 5 + 4 + 1) + 4 * 5 + 4);
	CU_ASSERT(p.walk.mapped && p.walk.page_size == 4096);
	/* The second level lacks a page of a table. */
	gsc_translation_free(p.t);
	rig_close(&p.rig);
	space_set(&p.sl, UINT64_C(0x1111000000) + 0x5000, 12, 0);
	process_open(&p, "skl");
	CU_ASSERT(stops(&p, SPARSE, GSC_STOP_NOT_PRESENT, "vtd-sl"));
	CU_ASSERT(stops(&p, SPARSE + UINT64_C(0x800000000), GSC_STOP_NULL_TILE, "trtt-l3"));
	process_close(&p);
}

/* TRTTE can say that the tables are in memory; no hardware does it. */
static void in_memory(void)
{
	struct process p;

	for (unsigned nested = 0; nested < 2; nested++) {
		process_build(&p, "pml4", nested);
		p.options.trtt.physical = true;
		p.options.trtt.l3 = p.l3;
		image_put(&p.m, p.l3, 8, p.l2);
		image_put(&p.m, p.l2, 8, p.l1);
		for (unsigned i = 0; nested && i < SIZE; i += 0x1000)
			space_set(&p.sl, BASE + i, 12, (BASE + i) | 3);
		process_open(&p, "tgl");
		check_tiles(&p);
		gsc_walk(p.t, SPARSE, GSC_INTENT_READ, &p.walk);
		CU_ASSERT_EQUAL(p.walk.count, nested ? 3 * 5 + 4 * 5 + 4 : 3 + 4);
		CU_ASSERT_PTR_NOT_NULL(strstr(p.walk.note, "TRTTE bit 1"));
		process_close(&p);
	}
}

static void registers(void)
{
	struct process p;

	/* Without detection values all L1 entries are tiles. */
	process_build(&p, "pml4", false);
	p.options.trtt.has_null = p.options.trtt.has_invalid = false;
	image_put(&p.m, p.l1 + 4, 4, TILE >> 16);
	p.options.trtt.null = TILE >> 16;
	process_open(&p, "icl");
	CU_ASSERT(lands(&p, SPARSE + 0x10000, TARGET));
	process_close(&p);

	/* Bits 15:12 of the L3 pointer exist from gen12 on. */
	process_build(&p, "pml4", false);
	p.options.trtt.l3 = TABLES + 0x1000;
	process_open(&p, "icl");
	CU_ASSERT(lands(&p, SPARSE, TARGET));
	CU_ASSERT_PTR_NOT_NULL(strstr(p.walk.note, "L3 pointer"));
	process_close(&p);
	process_build(&p, "pml4", false);
	p.options.trtt.l3 = TABLES + 0x1000;
	process_open(&p, "tgl");
	CU_ASSERT(stops(&p, SPARSE + 0x800000000, GSC_STOP_NULL_TILE, "trtt-l3"));
	process_close(&p);

	process_build(&p, "pml4", false);
	p.options.trtt.null = p.options.trtt.invalid;
	p.options.trtt.va = 0x75;
	process_open(&p, "icl");
	CU_ASSERT(stops(&p, SPARSE + 0x20000, GSC_STOP_NULL_TILE, "trtt-l1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(p.walk.note, "mask of TRVADR is 0x7"));
	CU_ASSERT_PTR_NOT_NULL(strstr(p.walk.note, "same value"));
	process_close(&p);
}

/* Tables in the tiled space itself are walked once, and never again. */
static void tables_in_tiles(void)
{
	struct process p;

	process_build(&p, "pml4", false);
	p.options.trtt.l3 = SPARSE;
	process_open(&p, "icl");
	CU_ASSERT(stops(&p, SPARSE, GSC_STOP_NOT_PRESENT, "pml4e"));
	CU_ASSERT_PTR_NOT_NULL(strstr(p.walk.note, "tiled space itself"));
	process_close(&p);

	process_build(&p, "pml4", false);
	space_set(&p.space, SPARSE, 12, p.l3 | 7);
	image_put(&p.m, p.l3, 8, SPARSE);
	p.options.trtt.l3 = SPARSE;
	process_open(&p, "icl");
	/* L3, L2 and L1 are one page: its first dword is the tile. */
	CU_ASSERT(stops(&p, SPARSE, GSC_STOP_NOT_PRESENT, "pdpe"));
	CU_ASSERT_EQUAL(tile_step(&p.walk, "trtt-l1")->entry.words[0], 0);
	process_close(&p);
}

/* A null page below a table reads as zero. */
static void null_page(void)
{
	struct process p;

	process_build(&p, "pml4", false);
	space_set(&p.space, TABLES + 0x2000, 12, 0x203);
	p.options.trtt.null = 0;
	process_open(&p, "icl");
	CU_ASSERT(stops(&p, SPARSE, GSC_STOP_NULL_TILE, "trtt-l1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(p.walk.note, "null page"));
	process_close(&p);
}

static void absent_table(void)
{
	struct process p;

	process_build(&p, "pml4", false);
	space_set(&p.space, TABLES + 0x1000, 12, UINT64_C(0x500000003));
	process_open(&p, "icl");
	CU_ASSERT(stops(&p, SPARSE, GSC_STOP_NO_MEMORY, "trtt-l2"));
	process_close(&p);
}

/* Whatever the tables contain, a walk ends. */
static void hostile(void)
{
	uint32_t seed = 1;

	for (unsigned round = 0; round < 200; round++) {
		struct process p;

		process_build(&p, round & 1 ? "pml4" : "ia32e", round & 2);
		for (unsigned i = 0; i < 300; i++) {
			uint64_t at = BASE + next_random(&seed) % (uint32_t)p.m.used / 8 * 8;

			image_put(&p.m, at, 8, (uint64_t)next_random(&seed) << 32 |
				  (BASE + (next_random(&seed) & 0x1ff000)) |
				  next_random(&seed) % 4);
		}
		process_open(&p, round & 4 ? "skl" : "tgl");
		for (unsigned i = 0; i < 100; i++) {
			uint64_t address = SPARSE + ((uint64_t)next_random(&seed) << 12) %
					   UINT64_C(0x100000000000);

			gsc_walk(p.t, address, GSC_INTENT_WRITE, &p.walk);
			CU_ASSERT_FATAL(p.walk.mapped == (p.walk.stop == GSC_STOP_NONE));
			CU_ASSERT_FATAL(p.walk.count <= STEPS_MOST);
		}
		process_close(&p);
	}
}

/* ---- demo:icl-trtt ---------------------------------------------------------------------- */

static uint32_t reg(const struct rig *rig, uint32_t offset)
{
	return (uint32_t)value_at(rig->source, GSC_MMIO, offset, 4);
}

static void demo(void)
{
	static const struct {
		uint64_t offset;
		enum gsc_stop stop;
		const char *level;
		uint64_t physical;
	} cases[] = {
		{ 0x1234, GSC_STOP_NONE, "", UINT64_C(0x190041234) },
		{ 0x10000, GSC_STOP_NULL_TILE, "trtt-l1", 0 },
		{ 0x2fff0, GSC_STOP_NONE, "", UINT64_C(0x19005fff0) },
		{ 0x30000, GSC_STOP_INVALID_TILE, "trtt-l1", 0 },
		{ 0x4000000, GSC_STOP_NULL_TILE, "trtt-l2", 0 },
		{ UINT64_C(0x800000000), GSC_STOP_NULL_TILE, "trtt-l3", 0 },
		{ UINT64_C(0x12345650000), GSC_STOP_NONE, "", UINT64_C(0x190060000) },
	};
	struct process p = { .rig = rig_demo("demo:icl-trtt") };

	p.options.root = (struct gsc_root){ .mode = GSC_MODE_PML4, .count = 1,
		.value = { (uint64_t)reg(&p.rig, 0x2274) << 32 | reg(&p.rig, 0x2270) } };
	p.options.trtt = (struct gsc_tiled){ .on = reg(&p.rig, 0x4df4) & 1,
		.l3 = (uint64_t)reg(&p.rig, 0x4de4) << 32 | reg(&p.rig, 0x4de0),
		.null = reg(&p.rig, 0x4de8), .invalid = reg(&p.rig, 0x4dec),
		.has_null = true, .has_invalid = true, .va = reg(&p.rig, 0x4df0) };
	p.t = rig_translation(&p.rig, &p.options);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t address = SPARSE + cases[i].offset;

		CU_ASSERT(cases[i].stop ? stops(&p, address, cases[i].stop, cases[i].level) :
					  lands(&p, address, cases[i].physical));
	}
	CU_ASSERT_EQUAL(p.walk.page_size, 0x10000);
	gsc_translation_free(p.t);
	rig_close(&p.rig);
}

SUITE(trtt,
	{ "is it a tiled address", detection },
	{ "over the tables of a process", over_pml4 },
	{ "over nested tables", over_nested },
	{ "tables in memory", in_memory },
	{ "detection values and the L3 pointer", registers },
	{ "tables in tiled space", tables_in_tiles },
	{ "a null page for a table", null_page },
	{ "a table that is not held", absent_table },
	{ "hostile tables", hostile },
	{ "demo:icl-trtt", demo })
