/* SPDX-License-Identifier: MIT */
/* The second level, alone and below the tables of a process; roots that PASIDs lead to. */
#include "gtt/gtt.h"
#include "source-helpers.h"
#include "table-helpers.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define BASE UINT64_C(0x180000000)
#define SIZE (4u << 20)
#define RW 3

typedef unsigned long long ull;

static unsigned top_bit(unsigned levels)
{
	return 12 + 9 * (levels - 1);
}

/* ---- the second level alone ------------------------------------------------------------- */

struct alone {
	struct image m;
	struct space sl;
	struct rig rig;
	struct gsc_translation *t;
	struct gsc_walk walk;
};

static void alone_begin(struct alone *a, unsigned levels)
{
	memset(a, 0, sizeof(*a));
	image_init(&a->m, BASE, SIZE);
	space_init(&a->sl, &a->m, NULL, top_bit(levels), RW);
}

static void alone_open(struct alone *a, const char *platform, unsigned levels)
{
	struct gsc_translation_options options = {
		.root = { .mode = GSC_MODE_VTD, .value = { a->sl.root, levels }, .count = 2 },
	};

	a->rig = rig_open(&a->m, platform);
	a->t = rig_translation(&a->rig, &options);
}

static void alone_close(struct alone *a)
{
	gsc_translation_free(a->t);
	rig_close(&a->rig);
	image_free(&a->m);
}

static bool lands(struct gsc_translation *t, struct gsc_walk *walk, uint64_t address,
		  uint64_t physical, uint64_t page_size)
{
	enum gsc_space space = GSC_SPACES;
	uint64_t resolved = 0, length = 0;
	enum gsc_stop stop = gsc_resolve(t, address, &space, &resolved, &length);

	gsc_walk(t, address, GSC_INTENT_WRITE, walk);
	if (walk->mapped && walk->physical == physical && walk->page_size == page_size && !stop &&
	    resolved == physical && space == GSC_PHYS && length)
		return true;
	fprintf(stderr, "\n0x%llx: 0x%llx (0x%llx), %s: %s; resolved %s 0x%llx\n", (ull)address,
		(ull)walk->physical, (ull)walk->page_size, gsc_stop_word(walk->stop),
		walk->stop_text, gsc_stop_word(stop), (ull)resolved);
	return false;
}

static bool stops(struct gsc_translation *t, struct gsc_walk *walk, uint64_t address,
		  enum gsc_intent intent, enum gsc_stop stop, size_t steps)
{
	gsc_walk(t, address, intent, walk);
	if (!walk->mapped && walk->stop == stop && walk->count == steps && walk->stop_text[0] &&
	    walk->stop_step == (int)steps - 1)
		return true;
	fprintf(stderr, "\n0x%llx: %s after %zu steps (%d): %s\n", (ull)address,
		gsc_stop_word(walk->stop), walk->count, walk->stop_step, walk->stop_text);
	return false;
}

static bool resolves_to(struct gsc_translation *t, uint64_t address, enum gsc_stop stop)
{
	enum gsc_space space;
	uint64_t physical, length;

	return gsc_resolve(t, address, &space, &physical, &length) == stop;
}

static void page_sizes(void)
{
	static const uint64_t guests[] = { 0x1234567000, 0x40200000, 0x7fc0000000 };
	static const unsigned low[] = { 12, 21, 30 };
	static const uint64_t flags[] = { RW, RW | 0x80, RW | 0x80 };

	for (unsigned levels = 3; levels <= 5; levels++) {
		struct alone a;

		alone_begin(&a, levels);
		for (unsigned i = 0; i < 3; i++)
			space_set(&a.sl, guests[i], low[i], UINT64_C(0x2c0000000) | flags[i]);
		alone_open(&a, "skl", levels);
		for (unsigned i = 0; i < 3; i++) {
			const struct gsc_step *last;
			uint64_t within = 0xabc & ((UINT64_C(1) << low[i]) - 1);

			CU_ASSERT(lands(a.t, &a.walk, guests[i] + within, 0x2c0000000 + within,
					UINT64_C(1) << low[i]));
			CU_ASSERT_EQUAL_FATAL(a.walk.count, levels - i);
			last = &a.walk.steps[a.walk.count - 1];
			CU_ASSERT_EQUAL(last->address, space_entry(&a.sl, guests[i], low[i]));
			CU_ASSERT_EQUAL(last->index, guests[i] >> low[i] & 511);
			CU_ASSERT_EQUAL(last->table, last->address & ~UINT64_C(0xfff));
			CU_ASSERT(last->space == GSC_PHYS && !last->guest && last->entry.leaf);
			CU_ASSERT(last->entry.valid && last->entry.mode == GSC_MODE_VTD);
			for (size_t n = 0; n < a.walk.count; n++)
				CU_ASSERT_STRING_EQUAL(a.walk.steps[n].entry.level, "vtd-sl");
		}
		alone_close(&a);
	}
}

/* Every bit of the offset, and of the indices. */
static void every_bit(void)
{
	struct alone a;

	alone_begin(&a, 4);
	for (unsigned bit = 12; bit < 48; bit++)
		space_set(&a.sl, UINT64_C(1) << bit, 12, (BASE + ((uint64_t)bit << 12)) | RW);
	alone_open(&a, "skl", 4);
	for (unsigned bit = 12; bit < 48; bit++)
		CU_ASSERT(lands(a.t, &a.walk, (UINT64_C(1) << bit) + 0xfff,
				BASE + ((uint64_t)bit << 12) + 0xfff, 4096));
	alone_close(&a);
}

static void stop_reasons(void)
{
	const uint64_t g = 0x5555555000;
	struct alone a;
	uint64_t entry;

	alone_begin(&a, 4);
	space_set(&a.sl, g, 12, BASE | RW);
	space_set(&a.sl, g + 0x1000, 12, BASE | 1);
	space_set(&a.sl, g + 0x2000, 12, BASE | 2);
	space_set(&a.sl, g + 0x3000, 12, BASE | UINT64_C(1) << 39 | RW);
	space_set(&a.sl, g + 0x4000, 12, BASE | 0x800 | 0x78 | UINT64_C(7) << 61 | RW);
	space_set(&a.sl, g + 0x5000, 12, BASE | 4);
	space_set(&a.sl, 0x200000, 21, 0x1000 | 0x80 | RW);
	space_set(&a.sl, 0x40000000, 30, UINT64_C(0x900000000) | RW);
	space_set(&a.sl, 0x80000000, 30, BASE | 0x800 | RW);
	space_set(&a.sl, UINT64_C(1) << 40, 39, BASE | 0x80 | RW);
	space_set(&a.sl, UINT64_C(1) << 41, 12, BASE | RW);
	entry = space_entry(&a.sl, UINT64_C(1) << 41, 39);
	image_put(&a.m, entry, 8, image_get(&a.m, entry, 8) & ~UINT64_C(2));
	space_set(&a.sl, UINT64_C(3) << 40, 12, BASE | RW);
	entry = space_entry(&a.sl, UINT64_C(3) << 40, 30);
	image_put(&a.m, entry, 8, image_get(&a.m, entry, 8) & ~UINT64_C(1));
	alone_open(&a, "skl", 4);

#define STOPS(address, intent, reason, steps)                                                      \
	CU_ASSERT(stops(a.t, &a.walk, address, GSC_INTENT_##intent, GSC_STOP_##reason, steps))
	STOPS(g + 0x6000, READ, NOT_PRESENT, 4);
	STOPS(g + 0x200000, READ, NOT_PRESENT, 3);
	STOPS(g + 0x40000000, READ, NOT_PRESENT, 2);
	STOPS(UINT64_C(1) << 42, READ, NOT_PRESENT, 1);
	/* Executable alone is not present. */
	STOPS(g + 0x5000, READ, NOT_PRESENT, 4);
	STOPS(g + 0x1000, WRITE, NOT_PERMITTED, 4);
	STOPS(g + 0x1000, ATOMIC, NOT_PERMITTED, 4);
	STOPS(g + 0x2000, READ, NOT_PERMITTED, 4);
	STOPS(g + 0x2000, ATOMIC, NOT_PERMITTED, 4);
	STOPS(g + 0x3000, READ, RESERVED_BITS, 4);
	STOPS(0x200000, READ, RESERVED_BITS, 3);
	STOPS(0x40000000, READ, NO_MEMORY, 3);
	STOPS(0x80000000, READ, RESERVED_BITS, 2);
	STOPS(UINT64_C(1) << 40, READ, RESERVED_BITS, 1);
	STOPS(UINT64_C(1) << 41, WRITE, NOT_PERMITTED, 1);
	STOPS(UINT64_C(3) << 40, READ, NOT_PERMITTED, 2);
	STOPS(UINT64_C(1) << 48, READ, BEYOND_TABLE, 0);
	STOPS(UINT64_MAX, READ, BEYOND_TABLE, 0);
#undef STOPS
	gsc_walk(a.t, g + 0x1000, GSC_INTENT_READ, &a.walk);
	CU_ASSERT(a.walk.mapped);
	gsc_walk(a.t, g + 0x2000, GSC_INTENT_WRITE, &a.walk);
	CU_ASSERT(a.walk.mapped);
	gsc_walk(a.t, UINT64_C(1) << 41, GSC_INTENT_READ, &a.walk);
	CU_ASSERT(a.walk.mapped);
	/* Snoop, memory type, transient mapping and ignored bits do no harm. */
	CU_ASSERT(lands(a.t, &a.walk, g + 0x4000, BASE, 4096));
	CU_ASSERT(resolves_to(a.t, g + 0x6000, GSC_STOP_NOT_PRESENT));
	CU_ASSERT(resolves_to(a.t, g + 0x3000, GSC_STOP_RESERVED_BITS));
	CU_ASSERT(resolves_to(a.t, 0x200000, GSC_STOP_RESERVED_BITS));
	CU_ASSERT(resolves_to(a.t, 0x40000000, GSC_STOP_NO_MEMORY));
	CU_ASSERT(resolves_to(a.t, UINT64_C(1) << 48, GSC_STOP_BEYOND_TABLE));
	gsc_walk(a.t, g + 0x3000, GSC_INTENT_READ, &a.walk);
	CU_ASSERT_STRING_EQUAL(a.walk.stop_level, "vtd-sl");
	CU_ASSERT_PTR_NOT_NULL(strstr(a.walk.stop_text, "0x5555558000"));
	alone_close(&a);
}

/* The same tables with other widths: addresses end earlier, and host addresses later. */
static void widths(void)
{
	struct alone a;

	alone_begin(&a, 3);
	space_set(&a.sl, UINT64_C(0x7ffffff000), 12, UINT64_C(0x3ffffffff000) | RW);
	alone_open(&a, "tgl", 3);
	CU_ASSERT(lands(a.t, &a.walk, UINT64_C(0x7ffffff123), UINT64_C(0x3ffffffff123), 4096));
	CU_ASSERT(stops(a.t, &a.walk, UINT64_C(1) << 39, GSC_INTENT_READ, GSC_STOP_BEYOND_TABLE,
			0));
	alone_close(&a);
	alone_begin(&a, 5);
	space_set(&a.sl, UINT64_C(0x1fffffffffff000), 12, UINT64_C(0xffffffffff000) | RW);
	alone_open(&a, "dg2", 5);
	CU_ASSERT(lands(a.t, &a.walk, UINT64_C(0x1fffffffffff123), UINT64_C(0xffffffffff123),
			4096));
	CU_ASSERT(stops(a.t, &a.walk, UINT64_C(1) << 57, GSC_INTENT_READ, GSC_STOP_BEYOND_TABLE,
			0));
	alone_close(&a);
}

/* How far an answer holds. */
static void pieces(void)
{
	const uint64_t g = 0x300000000;
	enum gsc_space space;
	uint64_t physical, length;
	struct alone a;

	alone_begin(&a, 4);
	for (unsigned i = 0; i < 200; i++)
		space_set(&a.sl, g + i * 0x1000, 12, (UINT64_C(0x1a0000000) + i * 0x1000) | RW);
	space_set(&a.sl, g + 100 * 0x1000, 12, UINT64_C(0x1b0000000) | RW);
	space_set(&a.sl, g + 150 * 0x1000, 12, (UINT64_C(0x1a0000000) + 150 * 0x1000) | 1);
	for (unsigned i = 0; i < 4; i++)
		space_set(&a.sl, 0x40000000 + i * 0x200000, 21, (0x2000000 + i * 0x200000) | 0x83);
	alone_open(&a, "skl", 4);
	CU_ASSERT_EQUAL(gsc_resolve(a.t, g + 0x10, &space, &physical, &length), GSC_STOP_NONE);
	CU_ASSERT(physical == 0x1a0000010 && length == 64 * 0x1000 - 0x10);
	CU_ASSERT_EQUAL(gsc_resolve(a.t, g + 101 * 0x1000, &space, &physical, &length), 0);
	CU_ASSERT(physical == 0x1a0000000 + 101 * 0x1000 && length == 49 * 0x1000);
	CU_ASSERT_EQUAL(gsc_resolve(a.t, g + 199 * 0x1000, &space, &physical, &length), 0);
	CU_ASSERT_EQUAL(length, 0x1000);
	CU_ASSERT_EQUAL(gsc_resolve(a.t, 0x40300000, &space, &physical, &length), 0);
	CU_ASSERT(physical == 0x2300000 && length == 0x500000);
	alone_close(&a);
}

/* Whatever the tables contain, a walk ends, and the one without steps agrees. */
static void hostile(void)
{
	uint32_t seed = 7;

	for (unsigned round = 0; round < 60; round++) {
		unsigned levels = 3 + round % 3;
		struct alone a;

		alone_begin(&a, levels);
		a.sl.root = BASE;
		for (uint64_t at = BASE; at < BASE + 0x10000; at += 8)
			image_put(&a.m, at, 8, next_random(&seed) % 8 ?
				  (BASE + (next_random(&seed) & 0xf000)) |
				  (next_random(&seed) & 0x87) :
				  (uint64_t)next_random(&seed) << 32 | next_random(&seed));
		alone_open(&a, round & 1 ? "skl" : "tgl", levels);
		for (unsigned i = 0; i < 300; i++) {
			uint64_t address = ((uint64_t)next_random(&seed) << 32 |
					    next_random(&seed)) >> (64 - top_bit(levels) - 9);
			enum gsc_space space;
			uint64_t physical = 0, length;
			enum gsc_stop stop = gsc_resolve(a.t, address, &space, &physical, &length);

			gsc_walk(a.t, address, GSC_INTENT_READ, &a.walk);
			CU_ASSERT_FATAL(a.walk.count <= levels);
			CU_ASSERT_FATAL(a.walk.mapped == (a.walk.stop == GSC_STOP_NONE));
			if (a.walk.mapped)
				CU_ASSERT_FATAL(!stop && physical == a.walk.physical);
			if (a.walk.stop != GSC_STOP_NOT_PERMITTED)
				CU_ASSERT_FATAL(stop == a.walk.stop);
		}
		alone_close(&a);
	}
}

/* ---- below the tables of a process ------------------------------------------------------ */

struct nested {
	struct image m;
	struct space sl, space;
	struct rig rig;
	struct gsc_translation_options options;
	struct gsc_translation *t;
	struct gsc_walk walk;
};

/* `low`: the size of second-level pages below the tables, as their lowest address bit. */
static void nested_begin(struct nested *n, enum gsc_mode mode, unsigned levels, unsigned low)
{
	memset(n, 0, sizeof(*n));
	image_init(&n->m, BASE, SIZE);
	space_init(&n->sl, &n->m, NULL, top_bit(levels), RW);
	space_init(&n->space, &n->m, &n->sl, mode == GSC_MODE_PDP32 ? 30 : 39, 7);
	n->options.root.mode = mode;
	n->options.root.count = mode == GSC_MODE_PDP32 ? 4 : 1;
	n->options.vtd = (struct gsc_second_level){ true, 0, levels };
	if (low == 12)
		return;
	/* Guest addresses are those of memory plus 64 GB. */
	n->space.shift = UINT64_C(64) << 30;
	for (uint64_t at = BASE; at < BASE + SIZE; at += UINT64_C(1) << low)
		space_set(&n->sl, at + n->space.shift, low,
			  (at & ~((UINT64_C(1) << low) - 1)) | 0x80 | RW);
}

static void nested_open(struct nested *n, const char *platform)
{
	n->options.vtd.root = n->sl.root;
	n->options.root.value[0] = n->space.root;
	n->rig = rig_open(&n->m, platform);
	n->t = rig_translation(&n->rig, &n->options);
}

static void nested_close(struct nested *n)
{
	gsc_translation_free(n->t);
	rig_close(&n->rig);
	image_free(&n->m);
}

/* Each entry behind the second-level ones that lead to it, the page's own at the end. */
static void check_order(struct nested *n, unsigned first, unsigned second, unsigned below)
{
	const struct gsc_step *step = n->walk.steps;

	CU_ASSERT_EQUAL_FATAL(n->walk.count, first * (below + 1) + second);
	for (unsigned i = 0; i < first; i++, step++) {
		for (unsigned k = 0; k < below; k++, step++)
			CU_ASSERT(step->depth == 1 && step->entry.mode == GSC_MODE_VTD);
		CU_ASSERT(step->depth == 0 && step->guest);
		CU_ASSERT(step->entry.mode == n->options.root.mode);
		CU_ASSERT_EQUAL(step->address, step->table + step->index * 8);
	}
	for (unsigned k = 0; k < second; k++, step++)
		CU_ASSERT(step->depth == 1 && step->entry.mode == GSC_MODE_VTD);
}

static void nested_sizes(void)
{
	static const unsigned sizes[] = { 12, 21, 30 };
	static const enum gsc_mode modes[] = { GSC_MODE_PML4, GSC_MODE_IA32E };
	const uint64_t va = UINT64_C(0x7f1240000000), guest = UINT64_C(0x2000000000);
	const uint64_t host = UINT64_C(0x1c0000000), within = 0x123456;

	for (unsigned c = 0; c < 2 * 3 * 3 * 3; c++) {
		unsigned upper = sizes[c % 3], lower = sizes[c / 3 % 3], levels = 3 + c / 18;
		enum gsc_mode mode = modes[c / 9 % 2];
		uint64_t in_upper = within & ((UINT64_C(1) << upper) - 1);
		uint64_t in_lower = (guest + in_upper) & ((UINT64_C(1) << lower) - 1);
		uint64_t at = guest + in_upper - in_lower;
		struct nested n;

		nested_begin(&n, mode, levels, lower);
		space_set(&n.space, va, upper, guest | 7 | (upper > 12 ? 0x80 : 0));
		space_set(&n.sl, at, lower, host | RW | (lower > 12 ? 0x80 : 0));
		nested_open(&n, "skl");
		CU_ASSERT(lands(n.t, &n.walk, va + in_upper, host + in_lower,
				UINT64_C(1) << MIN(upper, lower)));
		check_order(&n, 4 - (upper - 12) / 9, levels - (lower - 12) / 9,
			    levels - (lower - 12) / 9);
		nested_close(&n);
	}
}

/* Pages of 64 KB, of which the second level has sixteen. */
static void nested_64k(void)
{
	const uint64_t va = UINT64_C(0x234560000), guest = UINT64_C(0x3000000000);
	struct nested n;
	uint64_t pde;

	nested_begin(&n, GSC_MODE_PML4, 4, 12);
	space_set(&n.space, va, 12, guest | 3);
	pde = space_entry(&n.space, va, 21);
	image_put(&n.m, pde, 8, image_get(&n.m, pde, 8) | 0x800);
	for (unsigned i = 0; i < 16; i++)
		space_set(&n.sl, guest + i * 0x1000, 12,
			  (UINT64_C(0x1d0000000) - i * 0x3000) | RW);
	nested_open(&n, "icl");
	for (unsigned i = 0; i < 16; i++)
		CU_ASSERT(lands(n.t, &n.walk, va + i * 0x1000 + 5,
				UINT64_C(0x1d0000005) - i * 0x3000, 4096));
	nested_close(&n);
}

static void nested_pdp32(void)
{
	struct nested n;

	nested_begin(&n, GSC_MODE_PDP32, 3, 12);
	n.space.top = 21;
	space_set(&n.space, 0x12345000, 12, UINT64_C(0x2000000003));
	space_set(&n.sl, UINT64_C(0x2000000000), 12, UINT64_C(0x1c0000003));
	nested_open(&n, "bdw");
	CU_ASSERT(lands(n.t, &n.walk, 0x12345678, UINT64_C(0x1c0000678), 4096));
	CU_ASSERT_EQUAL(n.walk.count, 2 * 4 + 3);
	nested_close(&n);
}

static void nested_stops(void)
{
	const uint64_t va = UINT64_C(0x7f1234567000), guest = UINT64_C(0x2000000000);
	struct nested n;
	uint64_t pd;

	nested_begin(&n, GSC_MODE_IA32E, 4, 12);
	space_set(&n.space, va, 12, guest | 7);
	space_set(&n.space, va + 0x1000, 12, (guest + 0x1000) | 7);
	space_set(&n.space, va + 0x2000, 12, (guest + 0x2000) | 7);
	space_set(&n.space, va + 0x3000, 12, UINT64_C(1) << 38 | 7);
	space_set(&n.sl, guest, 12, UINT64_C(0x1c0000000) | 1);
	space_set(&n.sl, guest + 0x1000, 12, UINT64_C(0x1c0000000) | UINT64_C(1) << 45 | 3);
	space_set(&n.sl, guest + 0x2000, 12, UINT64_C(0x1c0000000) | 2);
	/* A page directory that the second level does not allow to be read. */
	space_set(&n.space, va + UINT64_C(0x40000000), 12, guest | 7);
	pd = image_get(&n.m, space_entry(&n.space, va + UINT64_C(0x40000000), 30), 8) &
	     UINT64_C(0xfffffffff000);
	space_set(&n.sl, pd, 12, BASE | 2);
	nested_open(&n, "skl");
	CU_ASSERT(stops(n.t, &n.walk, va, GSC_INTENT_WRITE, GSC_STOP_NOT_PERMITTED, 24));
	CU_ASSERT_STRING_EQUAL(n.walk.stop_level, "vtd-sl");
	CU_ASSERT(stops(n.t, &n.walk, va + 0x1000, GSC_INTENT_READ, GSC_STOP_RESERVED_BITS, 24));
	CU_ASSERT(stops(n.t, &n.walk, va + 0x2000, GSC_INTENT_READ, GSC_STOP_NOT_PERMITTED, 24));
	CU_ASSERT(stops(n.t, &n.walk, va + 0x3000, GSC_INTENT_READ, GSC_STOP_NOT_PRESENT, 22));
	CU_ASSERT(stops(n.t, &n.walk, va + UINT64_C(0x40000000), GSC_INTENT_READ,
			GSC_STOP_NOT_PERMITTED, 14));
	gsc_walk(n.t, va, GSC_INTENT_READ, &n.walk);
	CU_ASSERT(n.walk.mapped && n.walk.physical == UINT64_C(0x1c0000000));
	nested_close(&n);

	/* A guest address past the second level's. */
	nested_begin(&n, GSC_MODE_PML4, 3, 12);
	space_set(&n.space, va, 12, UINT64_C(0x8000000003));
	nested_open(&n, "tgl");
	CU_ASSERT(stops(n.t, &n.walk, va, GSC_INTENT_READ, GSC_STOP_BEYOND_TABLE, 16));
	CU_ASSERT_PTR_NOT_NULL(strstr(n.walk.stop_text, "39 bits"));
	nested_close(&n);
}

/* Thousands of addresses of random nested tables, with steps and without. */
static void random_maps(void)
{
	uint32_t seed = 42;

	for (unsigned round = 0; round < 20; round++) {
		uint64_t va[100], host[100];
		struct nested n;

		nested_begin(&n, round & 1 ? GSC_MODE_PML4 : GSC_MODE_IA32E, 3 + round % 3, 12);
		for (unsigned i = 0; i < 100; i++) {
			uint64_t guest = UINT64_C(0x1000000000) + i * UINT64_C(0x1000);

			va[i] = (next_random(&seed) % 4 * UINT64_C(0x123456789a000)) %
				(UINT64_C(1) << 47) + (uint64_t)i * 0x1000;
			va[i] &= UINT64_C(0x7ffffffff000);
			host[i] = (uint64_t)(next_random(&seed) & 0x3ffffff) << 12;
			space_set(&n.space, va[i], 12, guest | 7);
			space_set(&n.sl, guest, 12, host[i] | RW);
		}
		nested_open(&n, "icl");
		for (unsigned i = 0; i < 1000; i++) {
			unsigned k = next_random(&seed) % 100, offset = next_random(&seed) & 0xfff;

			CU_ASSERT_FATAL(lands(n.t, &n.walk, va[k] + offset, host[k] + offset,
					      4096));
		}
		nested_close(&n);
	}
}

/* ---- what the hardware writes back ------------------------------------------------------ */

static const char *written(struct nested *n, unsigned flags, uint64_t va, enum gsc_intent intent)
{
	gsc_translation_free(n->t);
	n->options.root.flags = flags;
	n->t = rig_translation(&n->rig, &n->options);
	gsc_walk(n->t, va, intent, &n->walk);
	return n->walk.written;
}

static void write_back(void)
{
	enum { K = GSC_ROOT_KNOWN, E = GSC_ROOT_EXTENDED_ACCESS, W = GSC_ROOT_WRITE_PROTECT };
	const uint64_t va = UINT64_C(0x7f1234567000);
	struct nested n;

	nested_begin(&n, GSC_MODE_IA32E, 4, 12);
	n.space.below = NULL;
	n.options.vtd.on = false;
	space_set(&n.space, va, 12, BASE | 7);
	/* A and D are set, of the page and of those above it. */
	n.space.flags = 0x67;
	space_set(&n.space, UINT64_C(0x8000000000), 12, BASE | 0x67);
	space_set(&n.space, UINT64_C(0x8000001000), 12, BASE | 0x27);
	space_set(&n.space, UINT64_C(0x8000002000), 12, BASE | 5);
	nested_open(&n, "skl");
	CU_ASSERT_STRING_EQUAL(written(&n, K, va, GSC_INTENT_READ),
		"pml4e A by opcode 0xc8, pdpe A by opcode 0xc8, pde A by opcode 0xc8, "
		"pte A by opcode 0xc0");
	CU_ASSERT_STRING_EQUAL(written(&n, K, va, GSC_INTENT_WRITE),
		"pml4e A D by opcode 0xc9, pdpe A D by opcode 0xc9, pde A D by opcode 0xc9, "
		"pte A D by opcode 0xc1");
	CU_ASSERT_STRING_EQUAL(written(&n, K | E, va, GSC_INTENT_READ),
		"pml4e A EA by opcode 0xca, pdpe A EA by opcode 0xca, pde A EA by opcode 0xca, "
		"pte A EA by opcode 0xc2");
	CU_ASSERT_STRING_EQUAL(written(&n, K | E, va, GSC_INTENT_ATOMIC),
		"pml4e A D EA by opcode 0xcb, pdpe A D EA by opcode 0xcb, "
		"pde A D EA by opcode 0xcb, "
		"pte A D EA by opcode 0xc3");
	CU_ASSERT_STRING_EQUAL(written(&n, K | W, va, GSC_INTENT_READ),
		"pml4e A by opcode 0xcc, pdpe A by opcode 0xcc, pde A by opcode 0xcc, "
		"pte A by opcode 0xc4");
	CU_ASSERT_STRING_EQUAL(written(&n, K | W, va, GSC_INTENT_WRITE),
		"pml4e A D by opcode 0xcd, pdpe A D by opcode 0xcd, pde A D by opcode 0xcd, "
		"pte A D by opcode 0xc5");
	CU_ASSERT_STRING_EQUAL(written(&n, K | E | W, va, GSC_INTENT_READ),
		"pml4e A EA by opcode 0xce, pdpe A EA by opcode 0xce, pde A EA by opcode 0xce, "
		"pte A EA by opcode 0xc6");
	CU_ASSERT_STRING_EQUAL(written(&n, K | E | W, va, GSC_INTENT_WRITE),
		"pml4e A D EA by opcode 0xcf, pdpe A D EA by opcode 0xcf, "
		"pde A D EA by opcode 0xcf, "
		"pte A D EA by opcode 0xc7");
	CU_ASSERT_STRING_EQUAL(written(&n, 0, va, GSC_INTENT_READ),
		"pml4e A by opcode 0xc8, pdpe A by opcode 0xc8, pde A by opcode 0xc8, "
		"pte A by opcode 0xc0; "
		"EAFE and WPE are assumed to be 0");
	CU_ASSERT_STRING_EQUAL(written(&n, K, UINT64_C(0x8000000000), GSC_INTENT_WRITE), "");
	CU_ASSERT_STRING_EQUAL(written(&n, K, UINT64_C(0x8000001000), GSC_INTENT_READ), "");
	CU_ASSERT_STRING_EQUAL(written(&n, K, UINT64_C(0x8000001000), GSC_INTENT_WRITE),
			       "pte D by opcode 0xc1");
	/* A write that is not permitted sets nothing in the page's entry. */
	CU_ASSERT_STRING_EQUAL(written(&n, K, UINT64_C(0x8000002000), GSC_INTENT_WRITE), "");
	nested_close(&n);
}

/* What was used before the walk stopped; not the entry where it stopped. */
static void write_back_stopped(void)
{
	const uint64_t va = UINT64_C(0x7f1234567000);
	struct nested n;

	nested_begin(&n, GSC_MODE_IA32E, 4, 12);
	n.space.below = NULL;
	n.options.vtd.on = false;
	space_set(&n.space, va, 12, BASE | 5);
	nested_open(&n, "skl");
	CU_ASSERT_STRING_EQUAL(written(&n, GSC_ROOT_KNOWN, va + 0x1000, GSC_INTENT_READ),
		"pml4e A by opcode 0xc8, pdpe A by opcode 0xc8, pde A by opcode 0xc8");
	CU_ASSERT_EQUAL(n.walk.stop, GSC_STOP_NOT_PRESENT);
	CU_ASSERT_STRING_EQUAL(written(&n, GSC_ROOT_KNOWN, va + 0x200000, GSC_INTENT_READ),
		"pml4e A by opcode 0xc8, pdpe A by opcode 0xc8");
	CU_ASSERT_STRING_EQUAL(written(&n, GSC_ROOT_KNOWN, va, GSC_INTENT_WRITE),
		"pml4e A D by opcode 0xc9, pdpe A D by opcode 0xc9, pde A D by opcode 0xc9");
	CU_ASSERT_EQUAL(n.walk.stop, GSC_STOP_NOT_PERMITTED);
	CU_ASSERT_STRING_EQUAL(written(&n, GSC_ROOT_KNOWN, 0, GSC_INTENT_READ), "");
	CU_ASSERT_STRING_EQUAL(written(&n, GSC_ROOT_KNOWN, UINT64_C(1) << 47, GSC_INTENT_READ), "");
	CU_ASSERT_STRING_EQUAL(written(&n, GSC_ROOT_KNOWN, UINT64_C(1) << 62, GSC_INTENT_READ), "");
	CU_ASSERT_EQUAL(n.walk.stop, GSC_STOP_NOT_CANONICAL);
	nested_close(&n);
}

static void write_back_nested(void)
{
	const uint64_t va = UINT64_C(0x7f1234567000);
	struct nested n;
	uint64_t pt;

	nested_begin(&n, GSC_MODE_IA32E, 4, 12);
	n.space.flags = 0x67;
	space_set(&n.space, va, 12, UINT64_C(0x2000000007));
	space_set(&n.sl, UINT64_C(0x2000000000), 12, BASE | RW);
	nested_open(&n, "skl");
	CU_ASSERT_STRING_EQUAL(written(&n, GSC_ROOT_KNOWN, va, GSC_INTENT_READ), "pte A by opcode 0xc0");
	gsc_translation_free(n.t);
	rig_close(&n.rig);
	pt = image_get(&n.m, space_entry(&n.space, va, 21), 8) & UINT64_C(0xfffffffff000);
	space_set(&n.sl, pt, 12, (image_get(&n.m, space_entry(&n.sl, pt, 12), 8) & ~UINT64_C(3)) |
		  1);
	nested_open(&n, "skl");
	CU_ASSERT_STRING_EQUAL(written(&n, GSC_ROOT_KNOWN, va, GSC_INTENT_READ),
			       "pte A by opcode 0xc0 (read-only in the second level: a fault)");
	nested_close(&n);
}

SUITE(vtd,
	{ "pages of every size", page_sizes },
	{ "every bit of an address", every_bit },
	{ "every stop reason", stop_reasons },
	{ "widths of guest and host addresses", widths },
	{ "how far an answer holds", pieces },
	{ "hostile tables", hostile },
	{ "nested: pages of every size", nested_sizes },
	{ "nested: 64 KB pages", nested_64k },
	{ "nested: 32-bit contexts", nested_pdp32 },
	{ "nested: every stop reason", nested_stops },
	{ "nested: random maps", random_maps },
	{ "what is written back", write_back },
	{ "what is written back before a stop", write_back_stopped },
	{ "what is written back, nested", write_back_nested })
