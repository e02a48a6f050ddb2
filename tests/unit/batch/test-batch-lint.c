/* SPDX-License-Identifier: MIT */
/* What gpu-batch --lint reports: for each rule a breach and the correct form. */
#include "gpu-for.h"
#include "batch/follow.h"
#include "db/rule.h"
#include "dbc/files.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ADDRESS 0x1000

#define NOOP 0x00000000
#define WAIT 0x01800000
#define FLUSH 0x02000000
#define ARB_CHECK 0x02800000
#define REPORT_HEAD 0x03800000
#define ARB_OFF 0x04000000
#define ARB_ON 0x04000001
#define END 0x05000000
#define OVERLAY_FLIP 0x08800000
#define DISPLAY_FLIP 0x0a000001
#define MBOX 0x0b000001
#define SET_CONTEXT 0x0c000000
#define STORE_DATA 0x10000002
#define STORE_INDEX 0x10800001
#define LOAD_IMM 0x11000001
#define UPDATE_GTT 0x11c00001
#define STORE_REGISTER 0x12000001
#define PROBE 0x12800000
#define UNPROBE 0x03000000
#define FLUSH_DW 0x13000001
#define START 0x18800000
#define URB_FENCE 0x60000001
#define CS_URB_STATE 0x60010000
#define CONSTANTS 0x60020000
#define SELECT 0x69040000

/* Whole commands. */
#define DRAW 0x7b000004, 0, 0, 0, 0, 0
#define DRAW7 0x7b000005, 0, 0, 0, 0, 0, 0
#define CONTROL4(bits) 0x7a000002 | (bits), 0, 0, 0
#define CONTROL(bits) 0x7a000003, bits, 0, 0, 0
#define CONTROL8(bits) 0x7a000004, bits, 0, 0, 0, 0
#define BASES4(address) 0x61010004, 1, (address) | 1, 1, 1, 1
#define BASES6(address) 0x61010008, 1, (address) | 1, 1, 1, 1, 1, 1, 1, 1
#define BASES8(address)                                                                            \
	0x6101000e, 1, 0, 0, (address) | 1, 0, 1, 0, 1, 0, 1, 0, 0xfffff001, 0xfffff001,           \
		0xfffff001, 0xfffff001
#define PIPELINED 0x78000005, 0, 0, 0, 0, 0, 0
#define TABLES4 0x78010004, 0, 0, 0, 0, 0
#define TABLES6 0x78010002, 0, 0, 0
#define SAMPLERS6 0x78020002, 0, 0, 0
#define VIEWPORTS6 0x780d0002, 0, 0, 0
#define COLOURS6 0x780e0002, 0, 0, 0
#define URB6 0x78050001
#define DEPTH6 0x79050005, 0, 0, 0, 0, 0, 0

/* PIPE_CONTROL */
#define STALL (1u << 20)
#define TLB (1u << 18)
#define DATA (1u << 14)
#define TIME (3u << 14)
#define DEPTH_STALL (1u << 13)
#define RENDER (1u << 12)
#define VERTICES (1u << 4)
#define STATE (1u << 2)
#define PIXEL (1u << 1)
#define DEPTH 1u

/* ---- what is told --------------------------------------------------------------------------- */

struct tally {
	const char *rule;		/* the rule that is meant */
	unsigned found, other;
	char last[400];			/* "rule where text" */
	char document[32], section[96];
};

static bool count(void *context, const struct gsc_followed *item)
{
	const struct gsc_breach *breach = item->breach;
	struct tally *t = context;
	bool meant = t->rule && !strcmp(t->rule, breach->rule);

	*(meant ? &t->found : &t->other) += 1;
	snprintf(t->last, sizeof(t->last), "%s %s: %s", breach->rule, breach->where, breach->text);
	if (meant)
		snprintf(t->document, sizeof(t->document), "%s",
			 breach->document ? breach->document : "");
	if (meant)
		snprintf(t->section, sizeof(t->section), "%s",
			 breach->section ? breach->section : "");
	if (!meant)
		printf("[%s] ", t->last);
	return true;
}

/* Definitions as they apply to one platform. */
struct bench {
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_commands *set;
};

/* What the built-in definitions may lack: media commands of the first generations. */
static const char media[] =
	"format 1\n"
	"document t \"Test document\"\n"
	"command MEDIA_STATE_POINTERS engine=rcs on=brw..ilk\n"
	"	origin t \"1\"\n"
	"	match 31:29=3 28:27=2 26:24=0 23:16=0\n"
	"	length 15:0 +2\n"
	"command MEDIA_OBJECT engine=rcs on=brw..ilk\n"
	"	origin t \"2\"\n"
	"	match 31:29=3 28:27=2 26:24=1 23:16=0\n"
	"	length 15:0 +2\n";
#define MEDIA_POINTERS 0x70000001, 0, 0
#define MEDIA_OBJECT 0x71000002, 0, 0, 0

static void bench_open(struct bench *b, const char *platform)
{
	struct gsc_platform p = platform_of(platform);
	char *file = temporary_file(media, sizeof(media) - 1);

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&b->db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_db_add_file(b->db, file, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&b->view, b->db, p.index, -1, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_commands_new(&b->set, gpu_for(NULL, b->view), NULL), GSC_OK);
	drop_file(file);
}

static void bench_close(struct bench *b)
{
	gsc_commands_free(b->set);
	gsc_view_free(b->view);
	gsc_db_free(b->db);
}

static struct tally lint_words(const char *platform, struct gsc_source *source, const char *rule,
			       const uint32_t *words, size_t count_words)
{
	struct gsc_follow_options options = { .engine = "rcs0" };
	struct tally t = { .rule = rule };
	struct gsc_listener listener = { .context = &t, .breach = count };
	struct gsc_error err = { 0 };
	enum gsc_status status;
	struct bench b;

	bench_open(&b, platform);
	if (rule && !strcmp(rule, "flush-dw"))
		options.engine = "bcs0";
	if (rule && !strcmp(rule, "long-length"))
		options.engine = "vcs0";
	status = gsc_follow_words(b.set, gpu_for(source, b.view), ADDRESS, words, count_words, &options, &listener,
				  &err);
	CU_ASSERT(status == GSC_OK || status == GSC_PARTIAL);
	bench_close(&b);
	return t;
}

/* ---- single batches ------------------------------------------------------------------------- */

#define WORDS_MOST 64

struct words {
	uint32_t items[WORDS_MOST];
	size_t count;
};

#define W(...) { { __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4 }

struct pair {
	const char *rule, *platform;
	struct words bad, good;
	const char *document;		/* of the origin */
	bool raw;			/* no end is added */
};

/* With an end, and padded. */
static struct tally lint_batch(const struct pair *pair, const struct words *words)
{
	uint32_t batch[WORDS_MOST + 2];
	size_t count_words = words->count;

	memcpy(batch, words->items, count_words * 4);
	if (!pair->raw) {
		batch[count_words++] = END;
		if (count_words % 2)
			batch[count_words++] = NOOP;
	}
	return lint_words(pair->platform, NULL, pair->rule, batch, count_words);
}

static void check(const struct pair *pairs, size_t number)
{
	for (size_t i = 0; i < number; i++) {
		const struct pair *pair = &pairs[i];
		struct tally bad = lint_batch(pair, &pair->bad);
		struct tally good = lint_batch(pair, &pair->good);
		bool right = bad.found == 1 && !bad.other && !good.found && !good.other &&
			     !strcmp(bad.document, pair->document) && *bad.section;

		CU_ASSERT_TRUE(right);
		if (!right)
			printf("pair %zu %s on %s: %u %u %u %u '%s' '%s' '%s'\n", i, pair->rule,
			       pair->platform, bad.found, bad.other, good.found, good.other,
			       bad.document, bad.last, good.last);
	}
}

#define CHECK(pairs) check(pairs, sizeof(pairs) / sizeof((pairs)[0]))

static void test_commands(void)
{
	static const struct pair pairs[] = {
		{ "unknown-command", "snb", W(0x20000000, NOOP), W(NOOP), "snb-p1" },
		{ "truncated", "snb", W(0x01000000, STORE_DATA, 0), W(NOOP, END), "snb-p2", true },
		{ "bad-length", "snb", W(STORE_REGISTER + 1, 0x2080, 0, 0),
		  W(STORE_REGISTER, 0x2080, 0), "snb-p3" },
		{ "reserved-bits", "snb", W(0x01000001), W(0x01000000), "snb-p3" },
		{ "reserved-bits", "snb", W(LOAD_IMM, 0x2081, 0), W(LOAD_IMM, 0x2080, 0),
		  "snb-p3" },
		{ "reserved-bits", "hsw", W(0x780e0000, 0), W(0x780e0000, 1), "mesa-genxml" },
		{ "reserved-value", "snb", W(WAIT | 6u << 16), W(WAIT | 5u << 16), "snb-p3" },
		{ "reserved-value", "ilk", W(SELECT | 2), W(SELECT | 1), "snb-p1" },
		{ "reserved-value", "snb",
		  W(0x61010008, 0x801, 0, 0, 0, 0, 0, 0, 0, 0),
		  W(0x61010008, 0x601, 0, 0, 0, 0, 0, 0, 0, 0), "snb-p1" },
		{ "reserved-value", "snb",
		  W(0x61010008, 0x031, 0, 0, 0, 0, 0, 0, 0, 0),
		  W(0x61010008, 0x021, 0, 0, 0, 0, 0, 0, 0, 0), "snb-p1" },
		{ "noop-identification", "snb", W(0x00001234), W(0x00401234), "snb-p3" },
		{ "qword-alignment", "snb", W(STORE_DATA + 1, 0, 0x2004, 1, 2),
		  W(STORE_DATA + 1, 0, 0x2008, 1, 2), "snb-p3" },
		{ "qword-alignment", "snb", W(STORE_INDEX + 1, 0x104, 1, 2),
		  W(STORE_INDEX + 1, 0x108, 1, 2), "snb-p3" },
		{ "status-page", "snb", W(STORE_INDEX, 0x7c, 1), W(STORE_INDEX, 0x80, 1),
		  "snb-p3" },
		{ "undefined-register", "snb", W(STORE_REGISTER, 0x100008, 0),
		  W(STORE_REGISTER, 0x100080, 0), "snb-p3" },
		{ "undefined-register", "snb", W(STORE_REGISTER, 0x2020, 0),
		  W(STORE_REGISTER, 0x2024, 0), "snb-p3" },
		{ "undefined-register", "snb", W(STORE_REGISTER, 0x3c8, 0),
		  W(STORE_REGISTER, 0x1000, 0), "snb-p3" },
		{ "no-operation", "snb", W(MBOX, 0, 0), W(MBOX | 1u << 21, 0, 0), "snb-p3" },
		{ "per-process-update", "snb", W(UPDATE_GTT & ~(1u << 22), 0, 0),
		  W(UPDATE_GTT, 0, 0), "snb-p3" },
		{ "many-events", "snb", W(WAIT | 1 << 1 | 1 << 3), W(WAIT | 1 << 3), "snb-p3" },
		{ "many-events", "snb", W(WAIT | 1 << 1 | 2u << 16), W(WAIT | 2u << 16), "snb-p3" },
		{ "flush-dw", "snb", W(FLUSH_DW | TLB, 0, 0), W(FLUSH_DW | TLB | DATA, 0, 0),
		  "i915" },
	};

	CHECK(pairs);
}

/* Six bits for the length of MI commands, twelve for that of the codec's. */
static void test_lengths(void)
{
	static const struct pair pairs[] = {
		{ "long-length", "snb", W(0x70001002, 0, 0, 0), W(0x70000002, 0, 0, 0),
		  "mesa-genxml" },
	};
	uint32_t words[132] = { LOAD_IMM - 1 + 0x41 };
	struct tally t;

	CHECK(pairs);
	for (unsigned i = 1; i < 0x43; i += 2)
		words[i] = 0x2080;
	words[0x43] = END;
	t = lint_words("snb", NULL, "long-length", words, 0x44);
	CU_ASSERT_EQUAL(t.found, 1);
	CU_ASSERT_EQUAL(t.other, 0);
	words[0] = LOAD_IMM - 1 + 0x3f;
	words[0x41] = words[0x42] = NOOP;
	t = lint_words("snb", NULL, "long-length", words, 0x44);
	CU_ASSERT_EQUAL(t.found + t.other, 0);
}

static void test_flips(void)
{
	static const struct pair pairs[] = {
		{ "async-flip", "snb", W(DISPLAY_FLIP, 1, 0x8001),
		  W(DISPLAY_FLIP | 1 << 22, 1, 0x8001), "snb-p3" },
		{ "async-flip", "snb", W(DISPLAY_FLIP | 1 << 22, 0, 0x8001),
		  W(DISPLAY_FLIP, 0, 0x8000), "snb-p3" },
		{ "async-flip", "snb", W(DISPLAY_FLIP | 1 << 22, 1, 0x9001),
		  W(DISPLAY_FLIP, 1, 0x9000), "snb-p3" },
		{ "async-flip", "snb", W((DISPLAY_FLIP + 1) | 1 << 22, 1, 0x8001, 0),
		  W(DISPLAY_FLIP + 1, 1, 0x8000, 0), "snb-p3" },
	};

	CHECK(pairs);
}

static void test_batches(void)
{
	static const struct pair pairs[] = {
		{ "ring-only", "snb", W(ARB_CHECK), W(NOOP), "snb-p3" },
		{ "ring-only", "snb", W(REPORT_HEAD), W(NOOP), "snb-p3" },
		{ "ring-only", "ilk", W(SET_CONTEXT, 0, NOOP), W(NOOP), "snb-p2" },
		/* Without an end they are not known to be a batch. */
		{ "no-end", "snb", W(NOOP, NOOP), W(NOOP, END), "snb-p3", true },
		{ "qword-padding", "snb", W(NOOP, NOOP, END), W(NOOP, NOOP, END, NOOP), "snb-p1",
		  true },
		{ "batch-alignment", "snb", W(START, 0x2004), W(START, 0x2008), "snb-p1" },
		{ "arbitration-off", "snb", W(ARB_OFF, NOOP), W(ARB_OFF, ARB_ON), "snb-p2" },
		{ "needs-noop", "snb", W(WAIT | 1, WAIT | 2), W(WAIT | 1, NOOP, WAIT | 2),
		  "snb-p3" },
		{ "missing-flush", "snb", W(DRAW, START | 1 << 11, 0x2000),
		  W(DRAW, CONTROL(STALL | PIXEL), START | 1 << 11, 0x2000), "snb-p3" },
	};

	CHECK(pairs);
}

static void test_flushes(void)
{
	static const struct pair pairs[] = {
		{ "missing-flush", "ilk", W(DRAW, SELECT | 1), W(DRAW, FLUSH, SELECT | 1),
		  "snb-p1" },
		{ "missing-flush", "snb", W(DRAW, SELECT | 1),
		  W(DRAW, CONTROL(STALL | PIXEL), SELECT | 1), "snb-p1" },
		{ "missing-flush", "skl", W(DRAW7, SELECT | 2),
		  W(DRAW7, CONTROL8(STALL), SELECT | 2), "mesa" },
		{ "missing-flush", "ilk", W(DRAW, MEDIA_POINTERS), W(DRAW, FLUSH, MEDIA_POINTERS),
		  "snb-p2" },
		{ "missing-flush", "ilk", W(DRAW, DISPLAY_FLIP, 0, 0),
		  W(DRAW, FLUSH, DISPLAY_FLIP, 0, 0), "snb-p2" },
		/* A flush, but not of the render cache. */
		{ "missing-flush", "ilk", W(DRAW, FLUSH | 1 << 2, DISPLAY_FLIP, 0, 0),
		  W(DRAW, CONTROL4(RENDER), DISPLAY_FLIP, 0, 0), "snb-p2" },
		{ "missing-flush", "crl", W(DRAW, OVERLAY_FLIP, 0), W(DRAW, FLUSH, OVERLAY_FLIP, 0),
		  "snb-p2" },
		{ "missing-flush", "snb", W(DRAW, UPDATE_GTT, 0, 0),
		  W(DRAW, FLUSH, UPDATE_GTT, 0, 0), "snb-p3" },
		{ "missing-flush", "snb", W(DRAW, LOAD_IMM, 0x2350, 0),
		  W(DRAW, CONTROL(STALL | PIXEL), LOAD_IMM, 0x2350, 0), "snb-p3" },
		{ "missing-flush", "snb", W(DRAW, CONTROL(RENDER)),
		  W(DRAW, CONTROL(STALL | PIXEL), CONTROL(DATA), CONTROL(RENDER)), "i915" },
		{ "missing-flush", "snb", W(DRAW, CONTROL(DEPTH_STALL)),
		  W(DRAW, CONTROL(DATA), CONTROL(DEPTH_STALL)), "i915" },
		{ "missing-flush", "snb", W(DRAW, DEPTH6), W(DRAW, CONTROL(STALL | PIXEL), DEPTH6),
		  "mesa" },
		{ "missing-flush", "snb", W(DRAW, 0x790e0001, 0, 0),
		  W(DRAW, FLUSH, 0x790e0001, 0, 0), "mesa" },
		{ "missing-flush", "snb", W(DRAW, 0x790f0001, 0, 0),
		  W(DRAW, FLUSH, 0x790f0001, 0, 0), "mesa" },
		{ "missing-flush", "snb", W(DRAW, 0x79100000, 0), W(DRAW, FLUSH, 0x79100000, 0),
		  "mesa" },
		{ "missing-flush", "ivb", W(DRAW7, 0x78100004, 0, 0, 0, 0, 0),
		  W(DRAW7, CONTROL(DEPTH_STALL | DATA), 0x78100004, 0, 0, 0, 0, 0), "mesa" },
		{ "missing-flush", "ivb", W(DRAW7, CONTROL(DEPTH_STALL), 0x78300000, 0),
		  W(DRAW7, CONTROL(DEPTH_STALL | DATA), 0x78300000, 0), "mesa" },
		{ "missing-flush", "ivb", W(DRAW7, 0x78150005, 0, 0, 0, 0, 0, 0),
		  W(0x78150005, 0, 0, 0, 0, 0, 0), "mesa" },
		{ "missing-flush", "ivb", W(DRAW7, 0x78260000, 0),
		  W(0x78260000, 0, DRAW7), "mesa" },
		{ "missing-flush", "ivb", W(DRAW7, 0x782b0000, 0),
		  W(0x782b0000, 0, DRAW7), "mesa" },
	};

	CHECK(pairs);
}

static void test_state(void)
{
	static const struct pair pairs[] = {
		{ "not-reissued", "ilk", W(0x61010006, 1, 0x5001, 1, 1, 1, 1, 1, TABLES4, DRAW),
		  W(0x61010006, 1, 0x5001, 1, 1, 1, 1, 1, TABLES4, PIPELINED, DRAW), "snb-p1" },
		{ "not-reissued", "crl", W(BASES4(0x5000), PIPELINED, DRAW),
		  W(BASES4(0x5000), PIPELINED, TABLES4, DRAW), "snb-p1" },
		{ "not-reissued", "crl", W(BASES4(0x5000), MEDIA_OBJECT),
		  W(BASES4(0x5000), MEDIA_POINTERS, MEDIA_OBJECT), "snb-p1" },
		{ "not-reissued", "snb", W(BASES6(0x5000), SAMPLERS6, VIEWPORTS6, COLOURS6, DRAW),
		  W(BASES6(0x5000), SAMPLERS6, VIEWPORTS6, COLOURS6, TABLES6, DRAW), "snb-p1" },
		{ "not-reissued", "snb", W(BASES6(0x5000), TABLES6, VIEWPORTS6, COLOURS6, DRAW),
		  W(TABLES6, DRAW), "snb-p1" },
		{ "not-reissued", "snb", W(BASES6(0x5000), TABLES6, SAMPLERS6, COLOURS6, DRAW),
		  /* The same address again is no change. */
		  W(BASES6(0x5000), SAMPLERS6, VIEWPORTS6, COLOURS6, TABLES6, DRAW, BASES6(0x5000),
		    DRAW), "snb-p1" },
		{ "not-reissued", "snb", W(BASES6(0x5000), TABLES6, SAMPLERS6, VIEWPORTS6, DRAW),
		  W(BASES6(0x5000), SAMPLERS6, VIEWPORTS6, COLOURS6, TABLES6), "snb-p1" },
		{ "state-not-invalidated", "bdw", W(BASES8(0x5000), DRAW7),
		  W(BASES8(0x5000), CONTROL8(STATE | STALL | PIXEL), DRAW7), "mesa" },
		{ "urb-not-fenced", "ilk", W(CS_URB_STATE, 1, CS_URB_STATE, 2, DRAW),
		  W(CS_URB_STATE, 1, CS_URB_STATE, 2, URB_FENCE, 0, 0, DRAW), "snb-p1" },
		{ "urb-not-fenced", "ilk", W(CS_URB_STATE, 1, CS_URB_STATE, 2, CONSTANTS, 0),
		  W(CS_URB_STATE, 1, CS_URB_STATE, 1, CONSTANTS, 0), "snb-p1" },
		{ "constants-lost", "ilk", W(CONSTANTS | 0x100, 0, URB_FENCE | 1 << 13, 0, 0, DRAW),
		  W(CONSTANTS | 0x100, 0, URB_FENCE | 1 << 13, 0, 0, CONSTANTS, 0, DRAW),
		  "snb-p1" },
		{ "wrong-pipeline", "snb", W(SELECT | 1, DRAW), W(SELECT, DRAW), "snb-p1" },
		{ "wrong-pipeline", "ilk", W(SELECT, MEDIA_OBJECT), W(SELECT | 1, MEDIA_OBJECT),
		  "snb-p1" },
		/* At 0x1034 of 64 bytes to a line. */
		{ "urb-fence-line", "brw",
		  W(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, URB_FENCE, 0, 0),
		  W(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, URB_FENCE, 0, 0), "mesa" },
		{ "urb-fence-order", "ilk", W(URB_FENCE | 3 << 8, 20 | 10 << 10, 0),
		  W(URB_FENCE | 3 << 8, 10 | 20 << 10, 0), "snb-p1" },
		{ "bound-below-base", "snb", W(0x61010008, 0x5001, 0, 0, 0, 0, 0x4001, 0, 0, 0),
		  W(0x61010008, 0x5001, 0, 0, 0, 0, 0x6001, 0, 0, 0), "snb-p1" },
		/* A bound stays as it was set. */
		{ "bound-below-base", "snb",
		  W(0x61010008, 0x5001, 0, 0, 0, 0, 0x6001, 0, 0, 0,
		    0x61010008, 0x7001, 0, 0, 0, 0, 0, 0, 0, 0),
		  W(0x61010008, 0x5001, 0, 0, 0, 0, 0x6001, 0, 0, 0,
		    0x61010008, 0x7001, 0, 0, 0, 0, 1, 0, 0, 0), "snb-p1" },
		{ "not-modified", "snb", W(0x61010008, 1, 0, 0x5000, 0, 0, 0, 0, 0, 0),
		  W(0x61010008, 1, 0, 0x5001, 0, 0, 0, 0, 0x5001, 0), "snb-p1" },
		{ "not-modified", "snb", W(0x61010008, 1, 0, 0, 0, 0, 0, 0x5000, 0, 0), W(NOOP),
		  "snb-p1" },
		{ "not-modified", "tgl",
		  W(0x61010014, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
		  W(0x61010014, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
		  "mesa-genxml" },
		{ "urb-size", "ilk", W(URB_FENCE | 1 << 13, 0, 1025 << 20),
		  W(URB_FENCE | 1 << 13, 0, 1024 << 20), "snb-p1" },
		{ "urb-size", "ctg", W(URB_FENCE | 1 << 8, 385, 0), W(URB_FENCE | 1 << 8, 384, 0),
		  "snb-p1" },
		{ "urb-size", "brw",	/* four entries of two rows */
		  W(CS_URB_STATE, 1 << 4 | 4, URB_FENCE | 5 << 11, 0, 27 << 20 | 20),
		  W(CS_URB_STATE, 1 << 4 | 4, URB_FENCE | 5 << 11, 0, 28 << 20 | 20), "snb-p1" },
		{ "urb-entries", "ilk", W(CS_URB_STATE, 5), W(CS_URB_STATE, 4), "mesa" },
		{ "urb-entries", "snb", W(URB6, 26, 0), W(URB6, 4 << 16 | 24, 0), "mesa" },
		{ "urb-entries", "snb", W(URB6, 24, 2 << 8), W(URB6, 24, 4 << 8), "mesa" },
		{ "urb-entries", "snb", W(URB6, 5 << 16 | 24, 0), W(URB6, 24, 0), "mesa" },
		{ "urb-entries", "hsw", W(0x78330000, 36), W(0x78330000, 8 << 16 | 36), "mesa" },
		{ "stall-after", "ivb", W(0x79160000, 0, DRAW7),
		  W(0x79160000, 0, CONTROL(STALL | DATA), DRAW7), "mesa" },
		/* Not on Bay Trail. */
		{ "stall-after", "ivb", W(0x79160000, 0, CONTROL(DATA), DRAW7), W(NOOP), "mesa" },
	};

	CHECK(pairs);
}

/* The pipeline is switched while it works, and its URB entries given to the other one. */
static void test_switch(void)
{
	static const uint32_t bad[] = { DRAW, SELECT | 1, URB_FENCE, 0, 0, NOOP, END };
	static const uint32_t good[] = { DRAW, FLUSH, SELECT | 1, URB_FENCE, 0, 0, END };
	struct tally t = lint_words("ilk", NULL, "missing-flush", bad, sizeof(bad) / 4);

	CU_ASSERT_EQUAL(t.found, 2);
	CU_ASSERT_EQUAL(t.other, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(t.last, "0x101c URB_FENCE"));
	CU_ASSERT_STRING_EQUAL(t.section, "3.10 Command Ordering Rules");
	t = lint_words("ilk", NULL, "missing-flush", good, sizeof(good) / 4);
	CU_ASSERT_EQUAL(t.found + t.other, 0);
}

static void test_controls(void)
{
	static const struct pair pairs[] = {
		{ "stall-alone", "snb", W(CONTROL(STALL)), W(CONTROL(STALL | 1 << 8)), "i915" },
		{ "stall-alone", "ivb", W(CONTROL(STALL | 1 << 8)), W(CONTROL(STALL | 1 << 5)),
		  "mesa" },
		{ "stall-alone", "bdw", W(CONTROL8(STALL)), W(CONTROL8(STALL | PIXEL)), "mesa" },
		{ "depth-stall", "ivb", W(CONTROL(DEPTH_STALL | DEPTH)), W(CONTROL(DEPTH_STALL)),
		  "mesa" },
		{ "post-sync", "ivb", W(CONTROL(RENDER | TIME)), W(CONTROL(RENDER | DATA)),
		  "mesa" },
		{ "render-not-flushed", "skl", W(CONTROL8(RENDER | PIXEL)),
		  W(CONTROL8(RENDER)), "mesa" },
		{ "post-sync", "tgl", W(CONTROL8(1 << 21)), W(CONTROL8(1 << 21 | DATA)), "mesa" },
		{ "post-sync", "ivb", W(CONTROL(TLB | STALL | PIXEL)),
		  W(CONTROL(TLB | STALL | DATA)), "mesa" },
		{ "post-sync", "bdw", W(CONTROL8(VERTICES)), W(CONTROL8(VERTICES | DATA)), "mesa" },
		{ "post-sync", "skl", W(CONTROL8(1 << 26 | TIME)), W(CONTROL8(1 << 26 | DATA)),
		  "mesa" },
		{ "needs-stall", "hsw", W(CONTROL(TLB | DATA)), W(CONTROL(TLB | DATA | STALL)),
		  "mesa" },
		{ "needs-stall", "icl", W(CONTROL8(TLB)), W(CONTROL8(TLB | DATA)), "mesa" },
		{ "needs-stall", "skl", W(CONTROL8(1 << 9)), W(CONTROL8(1 << 9 | STALL)), "mesa" },
		{ "needs-stall", "skl", W(CONTROL8(1 << 16)), W(CONTROL8(1 << 16 | STALL)),
		  "mesa" },
		{ "needs-stall", "hsw", W(DRAW7, CONTROL(STATE)),
		  W(DRAW7, CONTROL(STALL | PIXEL), CONTROL(STATE)), "mesa" },
		{ "count-reset", "skl", W(CONTROL8(1 << 19)), W(CONTROL8(0)), "mesa" },
		{ "fourth-stall", "ivb",
		  W(CONTROL(DATA), CONTROL(DATA), CONTROL(DATA), CONTROL(DATA)),
		  W(CONTROL(DATA), CONTROL(DATA), CONTROL(DATA), CONTROL(1 << 10),
		    CONTROL(DATA | STALL), CONTROL(DATA)), "i915" },
		{ "null-control", "skl", W(CONTROL8(DATA), CONTROL8(VERTICES | DATA)),
		  W(CONTROL8(DATA), CONTROL8(0), CONTROL8(VERTICES | DATA)), "mesa" },
	};

	CHECK(pairs);
}

/* The two dwords of a command mean one thing in a ring, another in a batch. */
static void test_contexts(void)
{
	static const uint32_t both[] = { SET_CONTEXT, 0x100 | 3, NOOP, NOOP };
	static const uint32_t zero[] = { SET_CONTEXT, 0x002, NOOP, NOOP };
	static const uint32_t no_noop[] = { SET_CONTEXT, 0x100, 0x01000000, NOOP };
	static const uint32_t good[] = { SET_CONTEXT, 0x101, NOOP, NOOP };
	struct tally t = lint_words("snb", NULL, "restore-flags", both, 4);

	/* They have no end, so what they are is unknown: one more finding. */
	CU_ASSERT_EQUAL(t.found, 1);
	t = lint_words("snb", NULL, "reserved-bits", zero, 4);
	CU_ASSERT_EQUAL(t.found, 1);
	t = lint_words("snb", NULL, "needs-noop", no_noop, 4);
	CU_ASSERT_EQUAL(t.found, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(t.section, "MI_SET_CONTEXT"));
	t = lint_words("ivb", NULL, "needs-noop", no_noop, 4);
	CU_ASSERT_EQUAL(t.found, 1);
	CU_ASSERT_STRING_EQUAL(t.document, "i915");
	t = lint_words("hsw", NULL, "needs-noop", no_noop, 4);
	CU_ASSERT_EQUAL(t.found, 0);
	t = lint_words("snb", NULL, "ring-only", good, 4);
	CU_ASSERT_EQUAL(t.found, 0);
}

/* ---- what registers and rings have to say --------------------------------------------------- */

static void test_registers(void)
{
	static const char off[] = "0x0000209c 0x00000000\n0x00002520 0x00000000\n";
	static const char on[] = "0x0000209c 0x00001000\n0x00002520 0x00001000\n";
	static const uint32_t flush[] = { FLUSH, END };
	static const uint32_t enables[] = { LOAD_IMM, 0x209c, 0x10001000, FLUSH, END, NOOP };
	static const uint32_t probes[] = { PROBE, 0x5000, UNPROBE, END };

	for (unsigned i = 0; i < 2; i++) {
		char *path = temporary_file(i ? on : off, sizeof(off) - 1);
		struct gsc_source *s = open_spec("%s", path, "snb");
		struct tally t = lint_words("snb", s, "flush-disabled", flush, 2);

		CU_ASSERT_EQUAL(t.found, !i);
		t = lint_words("snb", s, "flush-disabled", enables, 6);
		CU_ASSERT_EQUAL(t.found + t.other, 0);
		t = lint_words("snb", s, "surface-fault", probes, 4);
		CU_ASSERT_EQUAL(t.found, i ? 0 : 2);
		gsc_source_close(s);
		drop_file(path);
	}
}

#define RING 0x1000
#define BATCH 0x2000

static bool unmapped_after;

/* A ring at RING of 4 KB, a batch at BATCH; both at their addresses in memory. */
static struct tally lint_ring(const char *platform, const char *rule, const uint32_t *ring,
			      size_t ring_count, bool past_end, const uint32_t *batch,
			      size_t batch_count)
{
	struct gsc_follow_options options = { .engine = "rcs0", .past_end = past_end };
	struct tally t = { .rule = rule };
	struct gsc_listener listener = { .context = &t, .breach = count };
	uint32_t memory[0x3000 / 4] = { 0 };
	uint32_t entries[4] = { 0, RING | 1, BATCH | 1, unmapped_after ? 0 : 1 };
	char text[200], specs[3][80];
	const char *list[3] = { specs[0], specs[1], specs[2] };
	enum gsc_status status;
	char *files[3];
	struct gsc_source *s;
	struct bench b;

	memcpy(memory + RING / 4, ring, ring_count * 4);
	memcpy(memory + BATCH / 4, batch, batch_count * 4);
	snprintf(text, sizeof(text), "0x2030 0x%zx\n0x2034 0x0\n0x2038 0x%x\n0x203c 0x1\n",
		 ring_count * 4, RING);
	files[0] = temporary_file(text, strlen(text));
	files[1] = temporary_file(entries, sizeof(entries));
	files[2] = temporary_file(memory, sizeof(memory));
	snprintf(specs[0], 80, "%s", files[0]);
	snprintf(specs[1], 80, "ggtt:%s", files[1]);
	snprintf(specs[2], 80, "mem:%s", files[2]);
	s = open_specs(list, 3, platform);
	bench_open(&b, platform);
	status = gsc_follow_all(b.set, gpu_for(s, b.view), &options, &listener, NULL);
	CU_ASSERT(status == GSC_OK || status == GSC_PARTIAL);
	bench_close(&b);
	gsc_source_close(s);
	for (unsigned i = 0; i < 3; i++)
		drop_file(files[i]);
	return t;
}

/* Dwords as they lie in a ring of 4 KB at RING, from `head` on. */
static struct tally lint_wrapped(const char *rule, const uint32_t *words, size_t number,
				 uint64_t head, const struct gsc_mark *marks)
{
	struct gsc_follow_options options = { .engine = "rcs0" };
	struct tally t = { .rule = rule };
	struct gsc_listener listener = { .context = &t, .breach = count };
	struct pending p = {
		.run = { .kind = GSC_RUN_RING, .engine = "rcs0", .address = head },
		.words = words, .count = number,
		.ring = RING, .ring_bytes = 0x1000,
	};
	struct follower f;
	struct bench b;

	bench_open(&b, "snb");
	CU_ASSERT_EQUAL(follower_init(&f, b.set, &options, &listener, NULL), GSC_OK);
	CU_ASSERT_EQUAL(follower_engine(&f, "rcs0", NULL), GSC_OK);
	f.marks = marks;
	f.mark_count = marks ? 2 : 0;
	CU_ASSERT_TRUE(follow_begin(&f, &p));
	while (follow_step(&f))
		;
	CU_ASSERT_EQUAL(follow_end(&f, NULL), GSC_OK);
	follower_free(&f);
	bench_close(&b);
	return t;
}

static void test_ring(void)
{
	static const uint32_t store[] = { STORE_DATA, 0, 0x5000, 0, NOOP, NOOP };
	static const uint32_t wait_last[] = { NOOP, WAIT | 1, NOOP, 0x00000123 };
	static const struct gsc_mark marks[] = { { "HEAD", RING }, { "TAIL", RING + 8 } };
	struct tally t = lint_wrapped("ring-wrap", store, 6, RING + 0xff8, NULL);

	CU_ASSERT_EQUAL(t.found, 1);
	CU_ASSERT_EQUAL(t.other, 0);
	t = lint_wrapped("ring-wrap", store, 6, RING + 0xff0, NULL);
	CU_ASSERT_EQUAL(t.found + t.other, 0);
	t = lint_wrapped("needs-noop", wait_last, 2, RING, NULL);
	CU_ASSERT_EQUAL(t.found, 1);
	t = lint_wrapped("needs-noop", wait_last, 3, RING, NULL);
	CU_ASSERT_EQUAL(t.found + t.other, 0);
	/* Past the tail it does not matter. */
	t = lint_wrapped("needs-noop", wait_last, 4, RING, marks);
	CU_ASSERT_EQUAL(t.found, 1);
	CU_ASSERT_EQUAL(t.other, 0);
}

/* Bit 13 of the start removes privilege on Haswell. */
static void test_privilege(void)
{
	static const uint32_t open[] = { START, BATCH, NOOP, NOOP };
	static const uint32_t closed[] = { START | 1 << 13, BATCH, NOOP, NOOP };
	static const struct { const char *rule; uint32_t batch[6]; } cases[] = {
		{ "privileged", { UPDATE_GTT, 0, 0, END } },
		{ "global-gtt", { STORE_DATA | 1 << 22, 0, 0, 0, END, 0 } },
		{ "global-gtt", { 0x14800001 | 1 << 22, 0x2350, 0, END } },
		{ "global-gtt", { 0x1b000001 | 1 << 22, 0, 0, END } },
		{ "global-gtt", { 0x14000001, 1, 0, END } },
		{ "global-gtt", { 0x7a000002, 1 << 24 | 1 << 14, 0, 0, END, 0 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *rule = cases[i].rule;
		struct tally t = lint_ring("hsw", rule, closed, 4, false, cases[i].batch, 6);

		CU_ASSERT_EQUAL(t.found, 1);
		CU_ASSERT_EQUAL(t.other, 0);
		t = lint_ring("hsw", rule, open, 4, false, cases[i].batch, 6);
		CU_ASSERT_EQUAL(t.found + t.other, 0);
	}
}

/* A batch that a ring starts is one, whether it ends or not. */
static void test_started(void)
{
	static const uint32_t ring[] = { START, BATCH, NOOP, NOOP };
	static const uint32_t context[] = { SET_CONTEXT, 0x100, NOOP, END };
	static const uint32_t chain[] = { NOOP, NOOP, START, BATCH };
	static const uint32_t chain_bad[] = { NOOP, START, BATCH, 0x01000000, END };
	struct tally t = lint_ring("snb", "ring-only", ring, 4, false, context, 4);

	CU_ASSERT_EQUAL(t.found, 1);
	CU_ASSERT_EQUAL(t.other, 0);
	t = lint_ring("snb", NULL, ring, 4, false, chain, 4);
	CU_ASSERT_EQUAL(t.found + t.other, 0);
	t = lint_ring("snb", "needs-noop", ring, 4, true, chain_bad, 5);
	CU_ASSERT_EQUAL(t.found, 1);
	CU_ASSERT_EQUAL(t.other, 0);
}

/* On Sandy Bridge a whole page is fetched ahead; later engines fetch a part of one. */
static void test_page_after(void)
{
	static const uint32_t ring[] = { START, BATCH, NOOP, NOOP };
	static const uint32_t batch[] = { NOOP, END };
	uint32_t full[1024] = { [1023] = END };
	struct tally t;

	unmapped_after = true;
	t = lint_ring("snb", "page-after-batch", ring, 4, false, batch, 2);
	CU_ASSERT_EQUAL(t.found, 1);
	CU_ASSERT_EQUAL(t.other, 0);
	CU_ASSERT_STRING_EQUAL(t.document, "snb-p3");
	t = lint_ring("hsw", "page-after-batch", ring, 4, false, batch, 2);
	CU_ASSERT_EQUAL(t.found + t.other, 0);
	CU_ASSERT_EQUAL(lint_ring("hsw", t.rule, ring, 4, false, full, 1024).found, 1);
	unmapped_after = false;
	t = lint_ring("hsw", "page-after-batch", ring, 4, false, full, 1024);
	CU_ASSERT_EQUAL(t.found + t.other, 0);
}

/* ---- a listener with enough, and batches of real drivers ------------------------------------ */

static bool refuse(void *context, const struct gsc_followed *item)
{
	unsigned *told = context;

	(void)item;
	++*told;
	return false;
}

static void test_enough(void)
{
	static const uint32_t words[] = { 0x01000001, 0x01000001, 0x01000001, END };
	unsigned told = 0;
	struct gsc_listener listener = { .context = &told, .breach = refuse };
	struct gsc_follow_options options = { .engine = "rcs0" };
	struct bench b;

	bench_open(&b, "snb");
	gsc_follow_words(b.set, gpu_for(NULL, b.view), ADDRESS, words, 4, &options, &listener, NULL);
	CU_ASSERT_EQUAL(told, 1);
	bench_close(&b);
}

/* One finding for each field, up to this many fields: a long list of registers is no flood. */
static void test_bounded(void)
{
	uint32_t words[42] = { LOAD_IMM + 38, [41] = END };
	struct tally t;

	for (unsigned i = 1; i < 41; i += 2)
		words[i] = 0x2083;
	t = lint_words("snb", NULL, "reserved-bits", words, 42);
	CU_ASSERT_EQUAL(t.found, 8);
}

/* What real drivers do wrong by their manuals; anything else reported would be a false alarm. */
static void test_corpus(void)
{
	static const struct { const char *file, *platform, *rule; unsigned found; } files[] = {
		{ "batch-libdrm/gen4-3d.batch", "brw", NULL, 0 },
		{ "batch-libdrm/gen5-3d.batch", "ilk", NULL, 0 },
		{ "batch-libdrm/gen7-3d.batch", "ivb", "stall-after", 1 },
		{ "aub/gen4-brw-2a02-batch0-at-00010000.bin", "crl", NULL, 0 },
		{ "aub/gen6-snb-0126-batch0-at-00010000.bin", "snb", "missing-flush", 1 },
		{ "aub/gen7-ivb-016a-batch0-at-00010000.bin", "ivb", "fourth-stall", 1 },
		{ "aub/gen7-ivb-016a-batch1-at-00010000.bin", "ivb", NULL, 0 },
		{ "error-state/gm45-0x2a42-2013-render-batch-at-10c53000.bin", "ctg", NULL, 0 },
	};
	static uint32_t words[0x10000];
	const char *folder = getenv("GPUSCOPE_CORPUS");
	char path[512];

	if (!folder || !*folder) {
		printf("no corpus given, skipped ");
		return;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct tally t;
		size_t got;
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", folder, files[i].file);
		f = fopen(path, "rb");
		CU_ASSERT_PTR_NOT_NULL_FATAL(f);
		got = fread(words, 4, sizeof(words) / 4, f);
		fclose(f);
		t = lint_words(files[i].platform, NULL, files[i].rule, words, got);
		CU_ASSERT_EQUAL(t.found, files[i].found);
		CU_ASSERT_EQUAL(t.other, 0);
		if (t.found != files[i].found || t.other)
			printf("%s: %u %u '%s'\n", path, t.found, t.other, t.last);
	}
}

SUITE(batch_lint,
	{ "commands and fields", test_commands },
	{ "lengths", test_lengths },
	{ "flips", test_flips },
	{ "batches", test_batches },
	{ "flushes", test_flushes },
	{ "state", test_state },
	{ "a pipeline switched", test_switch },
	{ "PIPE_CONTROL", test_controls },
	{ "contexts", test_contexts },
	{ "what registers allow", test_registers },
	{ "rings", test_ring },
	{ "privilege", test_privilege },
	{ "batches that are started", test_started },
	{ "the page after a batch", test_page_after },
	{ "a listener with enough", test_enough },
	{ "bounded", test_bounded },
	{ "real batches", test_corpus })
