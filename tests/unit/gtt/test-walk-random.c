/* SPDX-License-Identifier: MIT */
/* Random tables: compared with a walker of twenty lines, and on every platform just to survive. */
#include "gtt/gtt.h"
#include "source-helpers.h"
#include "test.h"
#include "walk-helpers.h"

#include <stdio.h>
#include <string.h>

#define TABLES 16
#define STEPS_MOST 40
#define NOTHING UINT64_MAX

static uint64_t random64(uint32_t *seed)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < 4; i++)
		value = value << 16 | (next_random(seed) & 0xffff);
	return value;
}

/*
 * Mostly pointers to the first pages of memory, some of them large pages, with other bits set now
 * and then.
 */
static uint64_t random_entry(uint32_t *seed)
{
	uint64_t entry = random64(seed) & UINT64_C(0xffffff8000000e7e);

	entry |= MEMORY + next_random(seed) % TABLES * 0x1000;
	entry |= next_random(seed) % 8 != 0;
	entry |= next_random(seed) % 8 ? 0 : 0x80;
	return entry;
}

/* ---- the other walker ---------------------------------------------------------------------- */

static uint64_t entry_at(const struct world *w, uint64_t table, uint64_t index)
{
	uint64_t value;

	memcpy(&value, w->memory + (table - MEMORY) + index * 8, 8);
	return value;
}

static uint64_t inside(uint64_t entry, uint64_t address, uint64_t size)
{
	return entry & 0x200 ? 0 : (entry & 0x7ffffff000 & ~(size - 1)) | (address & (size - 1));
}

/* Skylake, 64 KB pages enabled. */
static uint64_t walk_simply(const struct world *w, uint64_t address, uint64_t *size)
{
	uint64_t entry = MEMORY | 1;

	for (unsigned shift = 39; shift >= 12; shift -= 9) {
		uint64_t index = address >> shift & 511;
		bool group = shift == 12 && entry & 0x800;

		entry = entry_at(w, entry & 0x7ffffff000, group ? index & ~UINT64_C(15) : index);
		*size = group ? 0x10000 : UINT64_C(1) << shift;
		if (!(entry & 1))
			return NOTHING;
		if (shift == 12 || (shift <= 30 && entry & 0x80))
			return inside(entry, address, *size);
	}
	return NOTHING;
}

static void compare(struct world *w, uint64_t address)
{
	uint64_t size, wanted = walk_simply(w, address, &size), physical, length;
	enum gsc_space space;
	enum gsc_stop stop;

	gsc_walk(w->translation, address, GSC_INTENT_READ, &w->walk);
	stop = gsc_resolve(w->translation, address, &space, &physical, &length);
	CU_ASSERT_EQUAL(w->walk.stop, wanted == NOTHING ? GSC_STOP_NOT_PRESENT : GSC_STOP_NONE);
	CU_ASSERT_EQUAL(stop, w->walk.stop);
	if (stop)
		return;
	CU_ASSERT_EQUAL(w->walk.physical, wanted);
	CU_ASSERT_EQUAL(w->walk.page_size, size);
	CU_ASSERT_EQUAL(physical, wanted);
	CU_ASSERT_EQUAL(length, size - (address & (size - 1)));
	CU_ASSERT_EQUAL(space, w->walk.null ? GSC_SPACES : GSC_PHYS);
	/* Again, elsewhere in the page: it is remembered now. */
	CU_ASSERT_EQUAL(gsc_resolve(w->translation, address ^ 0x7f8, &space, &physical, &length),
			GSC_STOP_NONE);
	CU_ASSERT_EQUAL(physical, w->walk.null ? 0 : wanted ^ 0x7f8);
	CU_ASSERT_EQUAL(length, size - ((address ^ 0x7f8) & (size - 1)));
}

static void test_compared(void)
{
	struct world w;
	uint32_t seed = 4;

	world_begin(&w, "skl", NULL);
	put_register(&w, 0x4080, 0xf);
	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < TABLES * 512; i++)
			put(&w, GSC_PHYS, MEMORY + i * 8, 8, random_entry(&seed));
		world_open(&w, GSC_MODE_PML4, MEMORY);
		for (unsigned i = 0; i < 5000; i++)
			compare(&w, random64(&seed) & UINT64_C(0xffffffffffff));
	}
	world_end(&w);
}

/* ---- survival ------------------------------------------------------------------------------ */

/* Addresses that point to what exists, and some that do not. */
static uint64_t likely_address(uint32_t *seed)
{
	uint64_t mask = UINT64_MAX >> next_random(seed) % 64;

	return random64(seed) & mask;
}

static void agree(struct world *w, uint64_t address)
{
	enum gsc_intent intent = (enum gsc_intent)(address % 3);
	enum gsc_space space;
	uint64_t physical, length;
	uint8_t bytes[64];
	char buf[64];

	gsc_walk(w->translation, address, intent, &w->walk);
	CU_ASSERT_EQUAL(w->walk.mapped, w->walk.stop == GSC_STOP_NONE);
	CU_ASSERT_TRUE(w->walk.count <= STEPS_MOST);
	CU_ASSERT_TRUE(w->walk.mapped || w->walk.stop_text[0]);
	for (size_t i = 0; gsc_walk_flag(w->translation, &w->walk, i, buf, sizeof(buf)); i++)
		CU_ASSERT_TRUE(buf[0] != 0);
	for (size_t i = 0; i < w->walk.count; i++)
		for (size_t n = 0; gsc_entry_problem(w->view, &w->walk.steps[i].entry, n, buf,
						     sizeof(buf)); n++)
			CU_ASSERT_TRUE(n < 64);
	if (w->walk.stop != GSC_STOP_NOT_PERMITTED)
		CU_ASSERT_EQUAL(gsc_resolve(w->translation, address, &space, &physical, &length),
				w->walk.stop);
	CU_ASSERT_TRUE(gsc_translated_read(w->translation, address, bytes, 64) <= 64);
}

static void fill_randomly(struct world *w, uint32_t *seed)
{
	for (uint64_t at = 0; at < 0x10000; at += 8) {
		uint64_t entry = random64(seed) >> next_random(seed) % 40;

		put(w, GSC_PHYS, MEMORY + at, 8, random_entry(seed));
		put(w, GSC_LMEM, at, 8, (entry & 0xffff) | 1);
		put(w, GSC_GGTT, at, 8, entry | 1);
	}
}

/* Where tables have five levels, a context has one pointer. */
static void survive_modes(struct world *w, bool five_levels, uint32_t *seed)
{
	for (unsigned mode = 0; mode < GSC_MODE_TRTT; mode++) {
		uint64_t roots[4];

		if (!gsc_mode_level(w->view, (enum gsc_mode)mode, 0) ||
		    (mode == GSC_MODE_PDP32 && five_levels))
			continue;
		for (unsigned i = 0; i < 4; i++)
			roots[i] = next_random(seed) % 4 ?
				   MEMORY + next_random(seed) % TABLES * 0x1000 : random64(seed);
		if (mode == GSC_MODE_2LEVEL)
			roots[0] = next_random(seed) << 16;
		w->options.trtt.on = mode >= GSC_MODE_PDP32 && next_random(seed) % 2 &&
				     gsc_mode_level(w->view, GSC_MODE_TRTT, 0);
		w->options.trtt.l3 = next_random(seed) << 16;
		w->options.trtt.va = 0xf0 | (next_random(seed) & 0xf);
		world_open_roots(w, (enum gsc_mode)mode, roots, 4);
		for (unsigned i = 0; i < 100; i++)
			agree(w, likely_address(seed));
	}
	memset(&w->options, 0, sizeof(w->options));
}

static void test_survival(void)
{
	enum { FOUR_LEVELS = 10 };
	static const char *const platforms[] = { "brw", "snb", "vlv", "hsw", "bdw", "skl", "icl",
						 "tgl", "dg2", "mtl", "lnl", "bmg" };
	uint32_t seed = 11;

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		struct world w;

		world_begin(&w, platforms[i], NULL);
		fill_randomly(&w, &seed);
		survive_modes(&w, i >= FOUR_LEVELS, &seed);
		world_end(&w);
	}
}

SUITE(walk_random,
      { "against another walker", test_compared },
      { "random tables of every platform", test_survival })
