/* SPDX-License-Identifier: MIT */
/* Following commands: into batches and back, through memory, with marks, and what they write. */
#include "gpu-for.h"
#include "batch-helpers.h"
#include "gtt/root.h"
#include "source-helpers.h"
#include "source/source.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOOP 0x00000000u
#define END 0x05000000u
#define LRI 0x11000000u
#define START8 0x18800001u	/* Gen8+: three dwords */
#define START6 0x18800000u
#define PPGTT 0x100u
#define SECOND 0x400000u
#define HSW_NON_PRIVILEGED 0x2000u

/* ---- memory, every address of which is its own physical one ---------------------------------- */

#define TABLES 0x1000u		/* PML4, directory pointers, directory; then the free part */
#define BYTES 0x40000u
#define REACH 0x8000000u	/* what the global table maps; the per-process one maps 1 GiB */

struct world {
	struct kit kit;
	struct gsc_source *source;
	struct gsc_root root;
	struct gsc_follow_options options;
	struct told told;
	uint32_t words[BYTES / 4];
};

static char *global_table(bool wide)
{
	size_t entry = wide ? 8 : 4, size = REACH / 4096 * entry;
	uint8_t *table = calloc(1, size);
	char *path;

	for (uint64_t page = 0; page < REACH / 4096; page++) {
		uint64_t value = page << 12 | 1;

		memcpy(table + page * entry, &value, entry);
	}
	path = temporary_file(table, size);
	free(table);
	return path;
}

static void process_tables(struct world *w)
{
	uint64_t *at = (uint64_t *)(void *)w->words;

	at[TABLES / 8] = (TABLES + 0x1000) | 3;
	at[TABLES / 8 + 512] = (TABLES + 0x2000) | 3;
	for (uint64_t i = 0; i < 512; i++)
		at[TABLES / 8 + 1024 + i] = i << 21 | 0x83;
}

/* The words must be in place; `size` may be more than there are. */
static void world_open(struct world *w, const char *platform, size_t size)
{
	char memory[80], table[80], *path, *entries;
	const char *specs[] = { memory, table };

	kit_open(&w->kit, platform);
	if (w->kit.platform.graphics >= 800)
		process_tables(w);
	path = temporary_file(w->words, BYTES);
	CU_ASSERT_EQUAL_FATAL(truncate(path, (off_t)size), 0);
	entries = global_table(w->kit.platform.graphics >= 800);
	snprintf(memory, sizeof(memory), "mem:%s@0", path);
	snprintf(table, sizeof(table), "ggtt:%s", entries);
	w->source = open_specs(specs, 2, platform);
	drop_file(path);
	drop_file(entries);
	w->root = (struct gsc_root){ .mode = GSC_MODE_PML4, .value = { TABLES }, .count = 1 };
	if (w->kit.platform.graphics >= 800)
		w->options.root = &w->root;
}

static struct world *world(void)
{
	struct world *w = calloc(1, sizeof(*w));

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	return w;
}

static void world_close(struct world *w)
{
	gsc_source_close(w->source);
	kit_close(&w->kit);
	free(w);
}

#define PUT(w, address, ...)                                                                       \
	memcpy((w)->words + (address) / 4, (const uint32_t[]){ __VA_ARGS__ },                      \
	       sizeof((const uint32_t[]){ __VA_ARGS__ }))

static enum gsc_status from(struct world *w, uint64_t address, bool process)
{
	struct gsc_listener listener = told_listener(&w->told);

	return gsc_follow_address(w->kit.set, gpu_for(w->source, w->kit.view), address, process, &w->options, &listener,
				  NULL);
}

/* ---- from batch to batch --------------------------------------------------------------------- */

static void second_levels_return_and_chains_do_not(void)
{
	struct world *w = world();

	PUT(w, 0x10000, START8 | SECOND, 0x11000, 0, NOOP, START8, 0x12000, 0, NOOP, END);
	PUT(w, 0x11000, NOOP, NOOP, END, NOOP);
	PUT(w, 0x12000, END);
	world_open(w, "skl", BYTES);
	CU_ASSERT_EQUAL(from(w, 0x10000, false), GSC_OK);
	TOLD(&w->told, "[batch ggtt:0x10000 +p] MI_BATCH_BUFFER_START MI_NOOP "
	     "MI_BATCH_BUFFER_START (continues in another batch 28)"
	     "[second-level ggtt:0x11000 +p] MI_NOOP MI_NOOP MI_BATCH_BUFFER_END (ended 12)"
	     "[batch ggtt:0x12000 +p] MI_BATCH_BUFFER_END (ended 4)");
	w->options.no_follow = true;
	CU_ASSERT_EQUAL(from(w, 0x10000, false), GSC_OK);
	TOLD(&w->told, "[batch ggtt:0x10000 +p] MI_BATCH_BUFFER_START MI_NOOP "
	     "MI_BATCH_BUFFER_START (continues in another batch 28)");
	world_close(w);
}

static void loops_come_to_an_end(void)
{
	struct world *w = world();

	PUT(w, 0x10000, START8, 0x10000, 0);
	PUT(w, 0x11000, START8, 0x12000, 0);
	PUT(w, 0x12000, START8 | SECOND, 0x13000, 0, START8, 0x11000, 0);
	PUT(w, 0x13000, START8 | SECOND, 0x13000, 0, START8 | SECOND, 0x12000, 0, END);
	world_open(w, "skl", BYTES);
	CU_ASSERT_EQUAL(from(w, 0x10000, false), GSC_OK);
	TOLD(&w->told, "[batch ggtt:0x10000 +p] MI_BATCH_BUFFER_START (endless loop 12)");
	/* What the second level does is not followed for ever: perhaps it never returns. */
	CU_ASSERT_EQUAL(from(w, 0x11000, false), GSC_OK);
	TOLD(&w->told, "[batch ggtt:0x11000 +p] MI_BATCH_BUFFER_START (continues in another batch 12)"
	     "[batch ggtt:0x12000 +p] MI_BATCH_BUFFER_START MI_BATCH_BUFFER_START "
	     "(continues in another batch 24)"
	     "[second-level ggtt:0x13000 +p] MI_BATCH_BUFFER_START MI_BATCH_BUFFER_START "
	     "MI_BATCH_BUFFER_END (ended 28)");
	world_close(w);
}

/* A loop is endless if nothing in it may end it, hold it, skip its jump or change it. */
static void loops_without_a_way_out_are_endless(void)
{
	enum { AT = 0x10000, WAIT_64 = 0x0e000003, STORE = 0x10000002, CONDITIONAL = 0x1b000002,
	       IN_GGTT = 1 << 22 };
	static const struct {
		const char *platform;
		bool endless;
		uint32_t words[12];
	} loops[] = {
		{ "skl", true, { NOOP, START8, AT, 0 } },
		{ "skl", true, { NOOP, NOOP, START8, AT + 4, 0 } },
		{ "skl", true, { STORE, AT + 0x100, 0, 1, START8, AT, 0 } },
		{ "skl", true, { START8 | SECOND, 0x13000, 0, START8, AT, 0 } },
		{ "skl", true, { NOOP, START8, 0x14000, 0 } },
		{ "snb", true, { NOOP, START6, AT } },
		{ "hsw", true, { NOOP, START6, AT } },
		{ "skl", false, { CONDITIONAL, 5, 0x11000, 0, START8, AT, 0 } },
		{ "skl", false, { WAIT_64, 1, 0x11000, 0, START8, AT, 0 } },
		{ "skl", false, { NOOP, START8 | 1 << 15, AT, 0 } },
		{ "hsw", false, { NOOP, START6 | 1 << 15, AT } },
		{ "skl", false, { 0x00800001, START8, AT, 0 } },
		{ "skl", false, { STORE | IN_GGTT, AT + 0x10, 0, 1, START8, AT, 0 } },
		{ "skl", false, { STORE | IN_GGTT, AT + 0x14, 0, 1, START8, AT, 0 } },
		{ "skl", false, { 0x7fffffff, NOOP, START8, AT, 0 } },
		{ "skl", false, { NOOP, START8, 0x15000, 0 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(loops); i++) {
		struct world *w = world();

		memcpy(w->words + AT / 4, loops[i].words, sizeof(loops[i].words));
		PUT(w, 0x13000, NOOP, END);
		PUT(w, 0x14000, NOOP, START8, AT, 0);
		PUT(w, 0x15000, END);
		world_open(w, loops[i].platform, BYTES);
		from(w, AT, false);
		if (!strstr(w->told.text, "(endless loop ") == loops[i].endless)
			fprintf(stderr, "\nloop %zu: %s\n", i, w->told.text);
		CU_ASSERT_EQUAL(!!strstr(w->told.text, "(endless loop "), loops[i].endless);
		free(w->told.text);
		world_close(w);
	}
}

/* A batch may end here: what follows is reported. */
static void a_conditional_end_goes_on(void)
{
	struct world *w = world();

	PUT(w, 0x10000, 0x1b000002, 5, 0x11000, 0, NOOP, END);
	world_open(w, "skl", BYTES);
	CU_ASSERT_EQUAL(from(w, 0x10000, false), GSC_OK);
	TOLD(&w->told, "[batch ggtt:0x10000 +p] MI_CONDITIONAL_BATCH_BUFFER_END MI_NOOP "
	     "MI_BATCH_BUFFER_END (ended 24)");
	world_close(w);
}

static void a_chain_into_nowhere_is_told(void)
{
	struct world *w = world();

	PUT(w, 0x10000, START8, REACH, 0);
	PUT(w, 0x11000, START8 | PPGTT, 0, 1, NOOP);
	PUT(w, BYTES - 16, NOOP, LRI | 5, 0x2358, 1);
	world_open(w, "skl", BYTES);
	CU_ASSERT_EQUAL(from(w, 0x10000, false), GSC_PARTIAL);
	TOLD(&w->told, "[batch ggtt:0x10000 +p] MI_BATCH_BUFFER_START (continues in another batch 12)"
	     "[batch ggtt:0x8000000 +p] (not in the source 0)");
	CU_ASSERT_EQUAL(from(w, 0x11000, false), GSC_PARTIAL);
	TOLD(&w->told, "[batch ggtt:0x11000 +p] MI_BATCH_BUFFER_START (continues in another batch 12)"
	     "[batch ppgtt:0x100000000] (not in the source 0)");
	/* Memory ends within a command. */
	CU_ASSERT_EQUAL(from(w, BYTES - 16, true), GSC_PARTIAL);
	TOLD(&w->told, "[batch ppgtt:0x3fff0 +p] MI_NOOP MI_LOAD_REGISTER_IMM!truncated "
	     "(not in the source 16)");
	world_close(w);
}

static void behind_the_end_only_when_asked_for(void)
{
	static const uint32_t words[] = { NOOP, END, NOOP, END, LRI | 1 };
	struct gsc_listener listener;
	struct world *w = world();

	kit_open(&w->kit, "skl");
	listener = told_listener(&w->told);
	CU_ASSERT_EQUAL(gsc_follow_words(w->kit.set, gpu_for(NULL, w->kit.view), 0x1000, words, 5, &w->options, &listener,
					 NULL), GSC_OK);
	TOLD(&w->told, "[dwords ggtt:0x1000 +p] MI_NOOP MI_BATCH_BUFFER_END (ended 8+12)");
	w->options.past_end = true;
	CU_ASSERT_EQUAL(gsc_follow_words(w->kit.set, gpu_for(NULL, w->kit.view), 0x1000, words, 5, &w->options, &listener,
					 NULL), GSC_PARTIAL);
	TOLD(&w->told, "[dwords ggtt:0x1000 +p] MI_NOOP MI_BATCH_BUFFER_END MI_NOOP "
	     "MI_BATCH_BUFFER_END MI_LOAD_REGISTER_IMM!truncated (ended 20)");
	kit_close(&w->kit);
	free(w);
}

/* A batch inside the given dwords is found there. */
static void batch_in_hand(void)
{
	static const uint32_t words[] = { START8 | SECOND, 0x1010, 0, END, NOOP, END };
	struct gsc_listener listener;
	struct world *w = world();

	world_open(w, "skl", BYTES);
	listener = told_listener(&w->told);
	w->options.root = NULL;
	CU_ASSERT_EQUAL(gsc_follow_words(w->kit.set, gpu_for(NULL, w->kit.view), 0x1000, words, 6, &w->options, &listener,
					 NULL), GSC_OK);
	TOLD(&w->told, "[dwords ggtt:0x1000 +p] MI_BATCH_BUFFER_START MI_BATCH_BUFFER_END (ended 16+8)"
	     "[second-level ggtt:0x1010 +p] MI_NOOP MI_BATCH_BUFFER_END (ended 8)");
	world_close(w);
}

/* Or in other dwords that are held. */
static void batch_in_held_words(void)
{
	static const uint32_t words[] = { START8 | SECOND, 0x2004, 0, END };
	static const uint32_t other[] = { NOOP, START8, 0x3000, 0 };
	static const uint32_t third[] = { START8, 0x2000, 0 };
	const struct gsc_words held[] = { { 0x1000, words, 4 }, { 0x2000, other, 4 },
					  { 0x3000, third, 3 } };
	struct gsc_listener listener;
	struct world *w = world();

	kit_open(&w->kit, "skl");
	listener = told_listener(&w->told);
	w->options.held = held;
	w->options.held_count = 3;
	CU_ASSERT_EQUAL(gsc_follow_words(w->kit.set, gpu_for(NULL, w->kit.view), 0x1000, words, 4, &w->options, &listener,
					 NULL), GSC_OK);
	TOLD(&w->told, "[dwords ggtt:0x1000 +p] MI_BATCH_BUFFER_START MI_BATCH_BUFFER_END (ended 16)"
	     "[second-level ggtt:0x2004 +p] MI_BATCH_BUFFER_START (continues in another batch 12)"
	     "[batch ggtt:0x3000 +p] MI_BATCH_BUFFER_START (continues in another batch 12)"
	     "[batch ggtt:0x2000 +p] MI_NOOP MI_BATCH_BUFFER_START (endless loop 16)");
	kit_close(&w->kit);
	free(w);
}

/* Given dwords; what they start is in the source; without one it is unknown. */
static void dwords_beside_a_source(void)
{
	static const uint32_t words[] = { START8 | SECOND, 0x11000, 0, NOOP };
	struct gsc_listener listener;
	struct world *w = world();

	PUT(w, 0x11000, NOOP, END);
	world_open(w, "skl", BYTES);
	listener = told_listener(&w->told);
	CU_ASSERT_EQUAL(gsc_follow_words(w->kit.set, gpu_for(w->source, w->kit.view), 0x1000, words, 4, &w->options,
					 &listener, NULL), GSC_OK);
	TOLD(&w->told, "[dwords ggtt:0x1000 +p] MI_BATCH_BUFFER_START MI_NOOP (no end command 16)"
	     "[second-level ggtt:0x11000 +p] MI_NOOP MI_BATCH_BUFFER_END (ended 8)");
	w->options.root = NULL;
	CU_ASSERT_EQUAL(gsc_follow_words(w->kit.set, gpu_for(NULL, w->kit.view), 0x1000, words, 4, &w->options, &listener,
					 NULL), GSC_PARTIAL);
	TOLD(&w->told, "[dwords ggtt:0x1000 +p] MI_BATCH_BUFFER_START MI_NOOP (no end command 16)"
	     "[second-level ggtt:0x11000 +p] (not in the source 0)");
	/* The listener wants no more. */
	w->told.enough = 1;
	CU_ASSERT_EQUAL(gsc_follow_words(w->kit.set, gpu_for(w->source, w->kit.view), 0x1000, words, 4, &w->options,
					 &listener, NULL), GSC_OK);
	TOLD(&w->told, "[dwords ggtt:0x1000 +p] MI_BATCH_BUFFER_START");
	world_close(w);
}

/* ---- privilege ------------------------------------------------------------------------------- */

static void check_privilege(const char *platform, uint32_t first, uint32_t second,
			    const char *expected)
{
	struct world *w = world();

	PUT(w, 0x10000, first, 0x11000, 0, 0);
	PUT(w, 0x11000, second, 0x12000, 0, 0);
	PUT(w, 0x12000, END);
	world_open(w, platform, BYTES);
	from(w, 0x10000, false);
	TOLD(&w->told, expected);
	world_close(w);
}

#define CHAINED " MI_BATCH_BUFFER_START (continues in another batch "

static void privilege_is_lost_and_never_won(void)
{
	check_privilege("skl", START8 | PPGTT, START8, "[batch ggtt:0x10000 +p]" CHAINED
			"12)[batch ppgtt:0x11000]" CHAINED
			"12)[batch ggtt:0x12000] MI_BATCH_BUFFER_END (ended 4)");
	check_privilege("snb", START6 | PPGTT, START6, "[batch ggtt:0x10000 +p]" CHAINED
			"8)[batch ppgtt:0x11000]" CHAINED
			"8)[batch ggtt:0x12000] MI_BATCH_BUFFER_END (ended 4)");
	/* i915, gt/gen6_engine_cs.c: on Haswell's render engine space and security are two bits. */
	check_privilege("hsw", START6 | PPGTT, START6 | PPGTT | HSW_NON_PRIVILEGED,
			"[batch ggtt:0x10000 +p]" CHAINED "8)[batch ppgtt:0x11000 +p]" CHAINED
			"8)[batch ppgtt:0x12000] MI_BATCH_BUFFER_END (ended 4)");
	check_privilege("hsw", START6 | HSW_NON_PRIVILEGED, START6,
			"[batch ggtt:0x10000 +p]" CHAINED "8)[batch ggtt:0x11000]" CHAINED
			"8)[batch ggtt:0x12000] MI_BATCH_BUFFER_END (ended 4)");
	/* Gen4 and Gen5 have bit 8 for security alone. */
	check_privilege("ilk", START6 | 0x180, START6 | 0x80,
			"[batch ggtt:0x10000 +p]" CHAINED "8)[batch ggtt:0x11000]" CHAINED
			"8)[batch ggtt:0x12000] MI_BATCH_BUFFER_END (ended 4)");
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void marks_stand_within_commands(void)
{
	static const uint32_t words[] = { NOOP, LRI | 3, 0x2358, 1, 0x235c, 2, END };
	static const struct gsc_mark marks[] = {
		{ "HEAD", 0x1000 }, { "ACTHD", 0x100c }, { "TAIL", 0x101c }, { "MARK", 0x1018 },
	};
	struct gsc_listener listener;
	struct world *w = world();

	kit_open(&w->kit, "skl");
	w->options.marks = marks;
	w->options.mark_count = 4;
	listener = told_listener(&w->told);
	CU_ASSERT_EQUAL(gsc_follow_words(w->kit.set, gpu_for(NULL, w->kit.view), 0x1000, words, 7, &w->options, &listener,
					 NULL), GSC_OK);
	TOLD(&w->told, "[dwords ggtt:0x1000 +p] MI_NOOP<HEAD@0 MI_LOAD_REGISTER_IMM<ACTHD@2 "
	     "MI_BATCH_BUFFER_END<MARK@0 (ended 28)");
	kit_close(&w->kit);
	free(w);
}

/* ---- registers ------------------------------------------------------------------------------- */

static void check_writes(const char *platform, const char *engine, const uint32_t *words,
			 size_t count, const char *expected, int line)
{
	struct told told = { .writes = true };
	struct gsc_follow_options options = { .engine = engine };
	struct gsc_listener listener = told_listener(&told);
	struct kit kit;

	kit_open(&kit, platform);
	listener.begin = NULL;
	listener.command = NULL;
	listener.end = NULL;
	gsc_follow_words(kit.set, gpu_for(NULL, kit.view), 0, words, count, &options, &listener, NULL);
	check_told(&told, expected, __FILE__, line);
	kit_close(&kit);
}

#define WRITES(platform, engine, expected, ...)                                                    \
	check_writes(platform, engine, (const uint32_t[]){ __VA_ARGS__ },                          \
		     sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4, expected, __LINE__)

#define RELATIVE 0x80000u	/* Gen11+, bit 19 */

static void registers_loaded_and_stored(void)
{
	WRITES("skl", "rcs0", " =2358:1 =235c:2", LRI | 3, 0x2358, 1, 0x235c, 2);
	/* A pair that is truncated is no write. */
	WRITES("skl", "rcs0", " =2358:1", LRI | 3, 0x2358, 1, 0x235c);
	WRITES("skl", "rcs0", "", LRI | 1, 0x2358);
	/* Relative to the engine from Gen11 on, and only there. */
	WRITES("icl", "bcs0", " =22358:1 =2235c:2", LRI | RELATIVE | 3, 0x358, 1, 0x35c, 2);
	WRITES("icl", "bcs0", " =22358:1", LRI | 1, 0x22358, 1);
	WRITES("skl", "bcs0", " =358:1", LRI | RELATIVE | 1, 0x358, 1);
	/* From memory, to memory, between registers. */
	WRITES("ivb", "rcs0", " <2358:g12345678", 0x14c00001, 0x2358, 0x12345678);
	WRITES("skl", "rcs0", " <2358:112345678", 0x14800002, 0x2358, 0x12345678, 1);
	WRITES("skl", "rcs0", " ^2358:235c ~235c:2358", 0x15000001, 0x2358, 0x235c);
	WRITES("skl", "rcs0", " >2358:g112345678", 0x12400002, 0x2358, 0x12345678, 1);
	WRITES("icl", "bcs0", " <22358:1000", 0x14800002 | RELATIVE, 0x358, 0x1000, 0);
	WRITES("icl", "bcs0", " >22358:1000", 0x12000002 | RELATIVE, 0x358, 0x1000, 0);
	WRITES("icl", "bcs0", " ^2358:2235c ~2235c:2358", 0x15000001 | RELATIVE, 0x2358, 0x35c);
	WRITES("icl", "bcs0", " ^22358:235c ~235c:22358", 0x15000001 | 0x40000, 0x358, 0x235c);
	WRITES("skl", "rcs0", "", 0x14800002, 0x2358, 0x12345678);
}

#define PIPE_CONTROL 0x7a000000u
#define TO_REGISTER 0x800000u	/* PIPE_CONTROL, dword 1, from Gen7 on */
#define WAIT 0x0e000002u	/* MI_SEMAPHORE_WAIT */
#define POLL 0x10000u		/* a register, from Gen9 on */
#define MATH 0x0d000000u

static void registers_of_other_commands(void)
{
	/* PIPE_CONTROL with bit 23: the address is that of a register. */
	WRITES("skl", "rcs0", " =7034:12345678", PIPE_CONTROL | 4, TO_REGISTER, 0x7034, 0,
	       0x12345678, 0x9abcdef0);
	WRITES("hsw", "rcs0", " =2358:1", PIPE_CONTROL | 3, TO_REGISTER, 0x2358, 1, 0);
	WRITES("skl", "rcs0", "", PIPE_CONTROL | 4, 0x4000, 0x7034, 0, 1, 0);
	WRITES("snb", "rcs0", "", PIPE_CONTROL | 3, TO_REGISTER, 0x7034, 1, 0);
	WRITES("skl", "rcs0", "", PIPE_CONTROL | 4, TO_REGISTER, 0x7034, 0);
	/* LOAD SRCA R1, LOADINV SRCB R15, ADD, STORE R2 ACCU, STOREINV R3 CF. */
	WRITES("skl", "rcs0", " ?2608 ?2678 !2610 !2618", MATH | 4, 0x08008001, 0x4800840f,
	       0x10000000, 0x18000831, 0x58000c33);
	WRITES("skl", "bcs0", " ?22608", MATH, 0x08008001);
	/* LOADIND R4 ACCU, STOREIND ACCU R5. */
	WRITES("dg2", "rcs0", " !2620 ?2628", MATH | 1, 0x08201031, 0x1810c405);
	/* No register has the number of the accumulator. */
	WRITES("skl", "rcs0", "", MATH, 0x1800c431);
	WRITES("skl", "rcs0", " ?2358", WAIT | POLL, 5, 0x2358, 0);
	WRITES("skl", "rcs0", "", WAIT, 5, 0x2358, 0);
	WRITES("bdw", "rcs0", "", WAIT | POLL, 5, 0x2358, 0);
	/* With all bytes disabled: snb-p3, 1.3.4. */
	WRITES("snb", "rcs0", "", LRI | 0xf01, 0x2358, 1);
	WRITES("snb", "rcs0", " =2358:1", LRI | 0x701, 0x2358, 1);
}

/* ---- much memory ----------------------------------------------------------------------------- */

#define LONG (64u << 20)

struct seen {
	uint64_t next, commands, loads;
	long most;
	bool wrong;
};

/* The process's own memory, in KiB; pages of files are not counted. */
static long own_memory(void)
{
	char line[200];
	FILE *file = fopen("/proc/self/status", "r");
	long size = 0;

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "RssAnon:", 8))
			size = strtol(line + 8, NULL, 10);
	if (file)
		fclose(file);
	return size;
}

static bool see(void *context, const struct gsc_followed *item)
{
	const struct gsc_command *c = item->command;
	struct seen *seen = context;

	seen->wrong |= c->address != seen->next || c->status != GSC_COMMAND_OK;
	seen->next = c->address + c->count * 4;
	/* Loads of 63 pairs, each of which contains its own address. */
	if (c->words[0] == (LRI | 125)) {
		seen->loads++;
		seen->wrong |= c->count != 127 || c->words[126] != (uint32_t)c->address;
	}
	if (!(seen->commands++ & 0x1ffff)) {
		long now = own_memory();

		seen->most = now > seen->most ? now : seen->most;
	}
	return true;
}

/* Commands of 127 dwords cross every boundary of whatever is read at once. */
static void long_batches_are_read_piece_by_piece(void)
{
	struct seen seen = { .next = 0x200000 };
	struct gsc_listener listener = { .context = &seen, .command = see };
	struct gsc_follow_options options = { 0 };
	char memory[80], table[80], *path, *entries;
	const char *specs[] = { memory, table };
	uint32_t *words = calloc(1, LONG), at = 0x200000;
	struct gsc_source *source;
	struct kit kit;
	long before;

	CU_ASSERT_PTR_NOT_NULL_FATAL(words);
	for (; at + 128 * 4 < LONG; at += 127 * 4) {
		words[at / 4] = LRI | 125;
		words[at / 4 + 126] = at;
	}
	words[at / 4] = END;
	kit_open(&kit, "skl");
	path = temporary_file(words, LONG);
	entries = global_table(true);
	free(words);
	snprintf(memory, sizeof(memory), "mem:%s@0", path);
	snprintf(table, sizeof(table), "ggtt:%s", entries);
	source = open_specs(specs, 2, "skl");
	drop_file(path);
	drop_file(entries);
	before = own_memory();
	CU_ASSERT_EQUAL(gsc_follow_address(kit.set, gpu_for(source, kit.view), 0x200000, false, &options, &listener,
					   NULL), GSC_OK);
	CU_ASSERT_FALSE(seen.wrong);
	CU_ASSERT_EQUAL(seen.next, at + 4);
	CU_ASSERT_EQUAL(seen.loads, (at - 0x200000) / (127 * 4));
	CU_ASSERT_TRUE(seen.most - before < 8192);
	gsc_source_close(source);
	kit_close(&kit);
}

/* ---- rings that registers tell --------------------------------------------------------------- */

struct place {
	uint32_t offset, value;
};

/* Like world_open(), with these registers and everything that the rings lead to. */
static void world_follow_all(struct world *w, const struct place *registers, size_t count)
{
	struct gsc_listener listener = told_listener(&w->told);
	char names[3][80], *paths[3];
	const char *specs[] = { names[0], names[1], names[2] };
	uint32_t *bar = calloc(1, 0x200000);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bar);
	for (size_t i = 0; i < count; i++)
		bar[registers[i].offset / 4] = registers[i].value;
	kit_open(&w->kit, "skl");
	paths[0] = temporary_file(w->words, BYTES);
	paths[1] = global_table(true);
	paths[2] = temporary_file(bar, 0x200000);
	snprintf(names[0], 80, "mem:%s@0", paths[0]);
	snprintf(names[1], 80, "ggtt:%s", paths[1]);
	snprintf(names[2], 80, "bar:%s", paths[2]);
	w->source = open_specs(specs, 3, "skl");
	for (size_t i = 0; i < 3; i++)
		drop_file(paths[i]);
	free(bar);
	CU_ASSERT_TRUE(gsc_follow_all(w->kit.set, gpu_for(w->source, w->kit.view), &w->options,
				      &listener, NULL) <= GSC_PARTIAL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w->told.text);
}

/* A ring whose head is after its tail: see the suite of traces for the others. */
static void a_ring_goes_on_at_its_beginning(void)
{
	static const struct place registers[] = {
		{ 0x2034, 0xff8 }, { 0x2030, 0x8 }, { 0x2038, 0x10000 }, { 0x203c, 0x1 },
	};
	struct world *w = world();

	/* Everything else is done: batches started there are not reported, except the last. */
	PUT(w, 0x10000, LRI | 1, 0x2358);
	PUT(w, 0x10100, START8, 0x12000, 0, START8, 0x13000, 0);
	PUT(w, 0x10ff8, START8 | PPGTT, 0x11000);
	PUT(w, 0x11000, END);
	PUT(w, 0x12000, END);
	PUT(w, 0x13000, NOOP, END);
	w->options.engine = "rcs0";
	world_follow_all(w, registers, 4);
	CU_ASSERT_PTR_NOT_NULL(strstr(w->told.text, "[ring ggtt:0x10000 +p]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(w->told.text, "<HEAD@0"));
	CU_ASSERT_PTR_NOT_NULL(strstr(w->told.text, "<TAIL@"));
	CU_ASSERT_PTR_NULL(strstr(w->told.text, "0x12000"));
	CU_ASSERT_PTR_NOT_NULL(strstr(w->told.text, "[batch ggtt:0x13000"));
	free(w->told.text);
	world_close(w);
}

/* Two engines, whose processes have their batches at the same address. */
static void every_engine_is_followed(void)
{
	static const struct place registers[] = {
		{ 0x2030, 0x10 }, { 0x2038, 0x10000 }, { 0x203c, 0x1 },
		{ 0x22030, 0x10 }, { 0x22038, 0x14000 }, { 0x2203c, 0x1 },
	};
	struct world *w = world();
	const char *batch;

	process_tables(w);
	PUT(w, 0x10000, START8 | PPGTT, 0x11000);
	PUT(w, 0x14000, START8 | PPGTT, 0x11000);
	PUT(w, 0x11000, END);
	w->root = (struct gsc_root){ .mode = GSC_MODE_PML4, .value = { TABLES }, .count = 1 };
	w->options.root = &w->root;
	world_follow_all(w, registers, 6);
	CU_ASSERT_PTR_NOT_NULL(strstr(w->told.text, "[ring ggtt:0x10000 +p]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(w->told.text, "[ring ggtt:0x14000 +p]"));
	batch = strstr(w->told.text, "[batch ppgtt:0x11000");
	CU_ASSERT_PTR_NOT_NULL_FATAL(batch);
	CU_ASSERT_PTR_NOT_NULL(strstr(batch + 1, "[batch ppgtt:0x11000"));
	free(w->told.text);
	world_close(w);
}

SUITE(batch_follow,
      { "second levels return and chains do not", second_levels_return_and_chains_do_not },
      { "loops come to an end", loops_come_to_an_end },
      { "loops without a way out are endless", loops_without_a_way_out_are_endless },
      { "a conditional end goes on", a_conditional_end_goes_on },
      { "a chain into nowhere is told", a_chain_into_nowhere_is_told },
      { "behind the end only when asked for", behind_the_end_only_when_asked_for },
      { "a batch in the dwords in hand", batch_in_hand },
      { "a batch in other dwords that are held", batch_in_held_words },
      { "dwords beside a source", dwords_beside_a_source },
      { "privilege is lost and never won", privilege_is_lost_and_never_won },
      { "marks stand within commands", marks_stand_within_commands },
      { "registers loaded and stored", registers_loaded_and_stored },
      { "registers of other commands", registers_of_other_commands },
      { "long batches are read piece by piece", long_batches_are_read_piece_by_piece },
      { "a ring goes on at its beginning", a_ring_goes_on_at_its_beginning },
      { "every engine is followed", every_engine_is_followed })
