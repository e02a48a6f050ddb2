/* SPDX-License-Identifier: MIT */
/* What makes a state doubtful: each rule by a source that breaks it, and by one that does not. */
#include "batch-helpers.h"
#include "dump-helpers.h"
#include "gpu-for.h"
#include "hang/hang.h"
#include "source-helpers.h"
#include "test.h"
#include "walk-helpers.h"

#include <stdio.h>
#include <string.h>

struct doubts {
	const char *rule;		/* only these count */
	unsigned count, others;
	struct gsc_breach first;
	unsigned enough;		/* stop after this many; 0: never */
};

static bool take(void *context, const struct gsc_breach *breach)
{
	struct doubts *d = context;

	if (strcmp(breach->rule, d->rule))
		d->others++;
	else if (!d->count++)
		d->first = *breach;
	return !d->enough || d->count + d->others < d->enough;
}

static struct doubts doubts_of(struct gsc_source *source, const struct gsc_view *view,
			       const char *rule)
{
	struct doubts d = { .rule = rule };
	struct gsc_error err = { 0 };
	struct gsc_hang *hang;

	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&hang, gpu_for(source, view), NULL, &err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_hang_check(hang, take, &d, &err), GSC_OK);
	gsc_hang_free(hang);
	return d;
}

static struct doubts doubts_in(const char *text, const char *platform, const char *rule)
{
	struct sheet copy = { .size = 0 };
	struct gsc_source *source;
	struct doubts d;
	struct kit kit;

	sheet_add(&copy, "%s", text);
	source = open_text(&copy, platform);
	kit_open(&kit, platform);
	d = doubts_of(source, kit.view, rule);
	kit_close(&kit);
	gsc_source_close(source);
	sheet_free(&copy);
	return d;
}

static void expect_doubts(const char *text, const char *platform, const char *rule,
			  unsigned count, const char *where, const char *words)
{
	struct doubts d = doubts_in(text, platform, rule);

	CU_ASSERT_EQUAL(d.count, count);
	if (d.count == count && (!count || (!strcmp(d.first.where, where) &&
					    strstr(d.first.text, words))))
		return;
	fprintf(stderr, "\n%s: %u: %s: '%s', not %u: %s: '%s'\n", rule, d.count, d.first.where,
		d.first.text, count, where, words);
	CU_FAIL("other doubts");
}

static void none(const char *text, const char *platform, const char *rule)
{
	expect_doubts(text, platform, rule, 0, "", "");
}

/* ---- rings ---------------------------------------------------------------------------------- */

static void test_outside(void)
{
	expect_doubts("0x2030 0x3000\n0x2034 0x5000\n0x2038 0x1000\n0x203c 0x1\n", "snb",
		      "outside-ring", 2, "rcs0", "head 0x5000 is outside of the ring of 0x1000 ");
	expect_doubts("0x2030 0x1000\n0x2034 0x10\n0x2038 0x1000\n0x203c 0x1\n", "snb",
		      "outside-ring", 1, "rcs0", "tail 0x1000 is outside");
	none("0x2030 0xff8\n0x2034 0x10\n0x2038 0x1000\n0x203c 0x1\n", "snb", "outside-ring");
	/* Nothing counts for a ring that is off. */
	none("0x2030 0x3000\n0x2034 0x5000\n0x2038 0x1000\n0x203c 0x0\n", "snb", "outside-ring");
}

static void test_same_line(void)
{
	expect_doubts("0x2030 0x40\n0x2034 0x48\n0x2038 0x1000\n0x203c 0x1\n", "snb",
		      "same-cacheline", 1, "rcs0", "head 0x48 is just past tail 0x40");
	none("0x2030 0x48\n0x2034 0x40\n0x2038 0x1000\n0x203c 0x1\n", "snb", "same-cacheline");
	none("0x2030 0x48\n0x2034 0x48\n0x2038 0x1000\n0x203c 0x1\n", "snb", "same-cacheline");
	none("0x2030 0x38\n0x2034 0x40\n0x2038 0x1000\n0x203c 0x1\n", "snb", "same-cacheline");
}

/* Sandy Bridge's table has 512 K entries. */
static void test_beyond(void)
{
	expect_doubts("0x2030 0x48\n0x2034 0x40\n0x2038 0x80000000\n0x203c 0x1\n", "snb",
		      "ring-beyond-ggtt", 1, "rcs0", "the ring at 0x80000000 is past");
	none("0x2030 0x48\n0x2034 0x40\n0x2038 0x7ffff000\n0x203c 0x1\n", "snb",
	     "ring-beyond-ggtt");
	/* Four times as many from Gen8 on. */
	none("0x2030 0x48\n0x2034 0x40\n0x2038 0xf0000000\n0x203c 0x1\n", "skl",
	     "ring-beyond-ggtt");
}

/* ---- where engines are ---------------------------------------------------------------------- */

#define BATCH "rcs0 --- batch = 0x00000001 00001000\n" \
	      "00000000 :  7a000004\n00000004 :  00101000\n00000008 :  00000000\n" \
	      "0000000c :  00000000\n00000010 :  00000000\n00000014 :  00000000\n" \
	      "00000018 :  00400123\n0000001c :  05000000\n"
#define RING "rcs0 --- ring = 0x00000000 00010000\n00000000 :  00000000\n00000004 :  00000000\n"

/* The engine is in a batch at 0x100001000, of eight dwords. */
static void state_is(const char *rule, const char *buffers, const char *acthd, const char *ipehr,
		     unsigned count, const char *words)
{
	struct sheet t = { .size = 0 };

	sheet_add(&t, "Kernel: 6.12.0 x86_64\nPlatform: TIGERLAKE\nPCI ID: 0x9a49\n"
		     "PCI Revision: 0x01\nrcs0 command stream:\n  START: 0x00010000\n"
		     "  HEAD:  0x00000080\n  TAIL:  0x00000100\n  CTL:   0x00003001\n"
		     "  ACTHD: %s\n  IPEHR: %s\n  BB_STATE: 0x00000020\n  hung: 1\n%s",
		 acthd, ipehr, buffers);
	expect_doubts(t.data, "tgl", rule, count, "rcs0", words);
	sheet_free(&t);
}

static void test_other_command(void)
{
	state_is("ipehr-differs", BATCH, "0x00000001 00001008", "0x13000002", 1,
		 "begins with 0x7a000004, IPEHR is 0x13000002");
	state_is("ipehr-differs", BATCH, "0x00000001 00001008", "0x7a000004", 0, "");
}

static void test_past_buffer(void)
{
	state_is("past-buffer", BATCH, "0x00000001 00001040", "0x7a000004", 1,
		 "ACTHD 0x100001040 is 0x20 bytes past the end of batch at 0x100001000");
	state_is("past-buffer", BATCH, "0x00000001 00001008", "0x7a000004", 0, "");
	state_is("past-buffer", BATCH, "0x00000001 00000ff0", "0x7a000004", 0, "");
	/* A per-process address is in no ring, and what the dump truncated may continue. */
	state_is("past-buffer", RING, "0x00000001 00001008", "0x7a000004", 0, "");
	state_is("past-buffer", "rcs0 --- batch = 0x00000001 00001000\n~zzzz!!!\n",
		 "0x00000001 00001040", "0x7a000004", 0, "");
}

/* The batch ends at 0x100001020. */
static void fault_is(const char *data, unsigned count)
{
	struct sheet t = { .size = 0 };

	sheet_add(&t, "Kernel: 6.12.0 x86_64\nPlatform: TIGERLAKE\nPCI ID: 0x9a49\n"
		     "PCI Revision: 0x01\nFAULT_TLB_DATA: 0x00000000 %s\nrcs0 command stream:\n"
		     "  START: 0x00010000\n  HEAD:  0x00000080\n  TAIL:  0x00000100\n"
		     "  CTL:   0x00003001\n  FAULT_REG: 0x00000001\n  hung: 1\n" BATCH, data);
	expect_doubts(t.data, "tgl", "page-after-batch", count, "RING_FAULT_REG",
		      "is in the page after batch, which ends at 0x100001020");
	sheet_free(&t);
}

static void test_after_batch(void)
{
	fault_is("0x00100002", 1);
	fault_is("0x00100001", 0);
	fault_is("0x00100003", 0);
}

/* ---- translation ---------------------------------------------------------------------------- */

static void test_mapped_now(void)
{
	struct doubts d;
	struct world w;

	world_begin(&w, "skl", NULL);
	put(&w, GSC_GGTT, 5 * 8, 8, MEMORY | 1);
	put_register(&w, 0x4094, 1);
	put_register(&w, 0x4b10, 5);
	put_register(&w, 0x4b14, 0x10);
	world_open(&w, GSC_MODE_GGTT, 0);
	d = doubts_of(w.source, w.view, "mapped-now");
	CU_ASSERT_EQUAL_FATAL(d.count, 1);
	CU_ASSERT_STRING_EQUAL(d.first.where, "RING_FAULT_REG");
	CU_ASSERT_PTR_NOT_NULL(strstr(d.first.text, "0x5000 is mapped now"));
	put(&w, GSC_GGTT, 5 * 8, 8, MEMORY);
	world_open(&w, GSC_MODE_GGTT, 0);
	CU_ASSERT_EQUAL(doubts_of(w.source, w.view, "mapped-now").count, 0);
	world_end(&w);
}

/* From Gen10 on only one register has it. */
static void test_space(void)
{
	expect_doubts("0x4094 0x803\n0x4b10 0x5\n0x4b14 0\n", "skl", "space-differs", 1,
		      "RING_FAULT_REG", "says GGTT, but FAULT_TLB_DATA1, which is used here, says PPGTT");
	expect_doubts("0x4094 0x3\n0x4b10 0x5\n0x4b14 0x10\n", "bdw", "space-differs", 1,
		      "RING_FAULT_REG", "says PPGTT, but FAULT_TLB_DATA1, which is used here, says GGTT");
	none("0x4094 0x803\n0x4b10 0x5\n0x4b14 0x10\n", "skl", "space-differs");
	none("0x4094 0x3\n0x4b10 0x5\n0x4b14 0\n", "skl", "space-differs");
	none("0x4094 0x802\n0x4b10 0x5\n0x4b14 0\n", "skl", "space-differs");
	none("0x4094 0x803\n0x4b10 0x5\n", "skl", "space-differs");
	none("0x4094 0x803\n0x4b10 0xffffffff\n0x4b14 0xffffffff\n", "skl", "space-differs");
	none("0x4b10 0x5\n0x4b14 0\n", "skl", "space-differs");
	none("0x4094 0x803\n0x4b10 0x5\n0x4b14 0\n", "icl", "space-differs");
	none("0x4094 0x00100803\n", "snb", "space-differs");
}

/* Sandy Bridge: one address, by the tables of a process and by the global one. */
static void test_same_address(void)
{
	struct doubts d;
	struct world w;

	world_begin(&w, "snb", NULL);
	put(&w, GSC_GGTT, 0x1c0000, 4, (MEMORY & UINT32_MAX) | MEMORY >> 32 << 4 | 1);
	put(&w, GSC_PHYS, MEMORY + 5 * 4, 4, 0x12345005);
	put(&w, GSC_GGTT, 5 * 4, 4, 0x23456005);
	put_register(&w, 0x2520, 0x200);
	put_register(&w, 0x2518, 0x1c0000 / 64 << 16);
	put_register(&w, 0x2034, 0);
	world_open(&w, GSC_MODE_2LEVEL, 0x1c0000 / 64 << 16);
	d = doubts_of(w.source, w.view, "same-address");
	CU_ASSERT_EQUAL_FATAL(d.count, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(d.first.where, "0x5000"));
	CU_ASSERT_PTR_NOT_NULL(strstr(d.first.text, "0x12345000"));
	CU_ASSERT_STRING_EQUAL(d.first.document, "snb-p2");
	put(&w, GSC_GGTT, 5 * 4, 4, 0x12345005);
	world_open(&w, GSC_MODE_2LEVEL, 0x1c0000 / 64 << 16);
	CU_ASSERT_EQUAL(doubts_of(w.source, w.view, "same-address").count, 0);
	world_end(&w);
}

/* ---- what the dump was taken with ----------------------------------------------------------- */

static void test_interrupts(void)
{
	expect_doubts("0x2034 0x0\n0x4401c 0x0\n", "snb", "interrupts-off", 1, "GTIER",
		      "no interrupt gets through");
	none("0x2034 0x0\n0x4401c 0x1\n", "snb", "interrupts-off");
	expect_doubts("0x2034 0x0\n0x44200 0x7fffffff\n", "skl", "interrupts-off", 1,
		      "MASTER_IRQ", "0x7fffffff");
	none("0x2034 0x0\n0x44200 0x80000000\n", "skl", "interrupts-off");
}

static void test_asleep(void)
{
	expect_doubts("0x002034  asleep\n0x002030  asleep\n0x012034  0x00000000\n", "snb",
		      "not-awake", 1, "forcewake", "registers could not be read");
	none("0x002034  0x00000000\n0x002030  absent\n", "snb", "not-awake");
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* The caller may have enough. */
static void test_enough(void)
{
	static const char text[] = "0x2030 0x3000\n0x2034 0x5000\n0x203c 0x1\n0x4401c 0x0\n";
	struct sheet copy = { .size = 0 };
	struct gsc_error err = { 0 };
	struct gsc_source *source;
	struct gsc_hang *hang;
	struct kit kit;

	sheet_add(&copy, "%s", text);
	source = open_text(&copy, "snb");
	kit_open(&kit, "snb");
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&hang, gpu_for(source, kit.view), NULL, &err), GSC_OK);
	for (unsigned enough = 0; enough < 5; enough++) {
		struct doubts d = { .rule = "", .enough = enough };

		CU_ASSERT_EQUAL(gsc_hang_check(hang, take, &d, &err), GSC_OK);
		CU_ASSERT_EQUAL(d.others, enough && enough < 3 ? enough : 3);
	}
	gsc_hang_free(hang);
	kit_close(&kit);
	gsc_source_close(source);
	sheet_free(&copy);
}

/* Invalid numbers have no word. */
static void test_words(void)
{
	CU_ASSERT_STRING_EQUAL(gsc_engine_state_word(GSC_ENGINE_HUNG), "hung");
	CU_ASSERT_PTR_NULL(gsc_engine_state_word((enum gsc_engine_state)(GSC_ENGINE_HUNG + 1)));
	CU_ASSERT_STRING_EQUAL(gsc_event_word(GSC_EVENT_DUMP), "dump");
	CU_ASSERT_PTR_NULL(gsc_event_word(GSC_EVENT_KINDS));
}

SUITE(hang_check,
	{ "outside of the ring", test_outside },
	{ "one cache line", test_same_line },
	{ "beyond the global table", test_beyond },
	{ "another command", test_other_command },
	{ "past the end", test_past_buffer },
	{ "the page after a batch", test_after_batch },
	{ "mapped now", test_mapped_now },
	{ "two spaces of a fault", test_space },
	{ "one address, two pages", test_same_address },
	{ "interrupts", test_interrupts },
	{ "asleep", test_asleep },
	{ "enough", test_enough },
	{ "words", test_words })
