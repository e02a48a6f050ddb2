/* SPDX-License-Identifier: MIT */
/* What engines were doing: rings, rules for their state, units, stopped commands, traces. */
#include "batch-helpers.h"
#include "dump-helpers.h"
#include "hang/engine.h"
#include "gpu-for.h"
#include "hang-helpers.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rings ---------------------------------------------------------------------------------- */

static void test_ring(void)
{
	/* Head, tail, control; bytes, bytes used, bytes free, wraps. */
	static const struct {
		uint32_t head, tail, control;
		uint64_t bytes, used, free, wraps;
	} rings[] = {
		{ 0x00603db8, 0x3e28, 0x3001, 16384, 0x70, 16384 - 0x70 - 8, 3 },
		{ 0x1e81e9b0, 0x1ed40, 0x1f001, 131072, 912, 131072 - 912 - 8, 244 },
		/* As an X server has printed: count 1145, space 126484. */
		{ 0x000000ac, 0x1290, 0x1f001, 131072, 1145 * 4, 126484, 0 },
		/* The tail has wrapped, the head has not. */
		{ 0x00000ff8, 0x10, 0x1, 4096, 24, 4096 - 24 - 8, 0 },
		/* Full: one qword stays empty. */
		{ 0x00000000, 0xff8, 0x1, 4096, 4088, 0, 0 },
		{ 0x00000008, 0x0, 0x1, 4096, 4088, 0, 0 },
		{ 0xffe00000, 0x0, 0x1ff001, 2097152, 0, 2097144, 2047 },
	};
	struct patient p;
	char text[128];

	for (size_t i = 0; i < sizeof(rings) / sizeof(*rings); i++) {
		struct gsc_engine e;

		snprintf(text, sizeof(text), "0x2030 0x%08x\n0x2034 0x%08x\n0x2038 0x8000\n"
			 "0x203c 0x%08x\n", rings[i].tail, rings[i].head, rings[i].control);
		admit_text(&p, text, "snb");
		e = engine_of(&p, "rcs0");
		CU_ASSERT_EQUAL(e.known, GSC_KNOWN_HEAD | GSC_KNOWN_TAIL | GSC_KNOWN_START |
					 GSC_KNOWN_CONTROL | GSC_KNOWN_RING);
		CU_ASSERT_EQUAL(e.head, rings[i].head);
		CU_ASSERT_EQUAL(e.ring_bytes, rings[i].bytes);
		CU_ASSERT_EQUAL(e.used, rings[i].used);
		CU_ASSERT_EQUAL(e.free, rings[i].free);
		CU_ASSERT_EQUAL(e.wraps, rings[i].wraps);
		CU_ASSERT(e.enabled);
		discharge(&p);
	}
}

static void test_outside(void)
{
	struct patient p;
	struct gsc_engine e;

	/* No arithmetic with a head past the end of the ring. */
	admit_text(&p, "0x2030 0x10\n0x2034 0x1000\n0x203c 0x1\n", "snb");
	e = engine_of(&p, "rcs0");
	CU_ASSERT_FALSE(e.known & GSC_KNOWN_RING);
	CU_ASSERT_EQUAL(e.head_offset, 0x1000);
	CU_ASSERT_EQUAL(e.used, 0);
	discharge(&p);
	/* Half of an address is none. */
	admit_text(&p, "0x2074 0x1000\n0x2034 0x0\n", "skl");
	CU_ASSERT_EQUAL(engine_of(&p, "rcs0").known, GSC_KNOWN_HEAD);
	discharge(&p);
	admit_text(&p, "0x2074 0x1000\n0x205c 0x12\n", "skl");
	CU_ASSERT_EQUAL(engine_of(&p, "rcs0").acthd, UINT64_C(0x1200001000));
	discharge(&p);
}

/* ---- rules ---------------------------------------------------------------------------------- */

#define WORK "0x2030 0x40\n0x2034 0x10\n0x203c 0x3001\n"
#define DONE "0x2030 0x40\n0x2034 0x40\n0x203c 0x3001\n"

static void test_rules(void)
{
	/* What decides, and what its line must contain. */
	static const struct {
		const char *platform, *registers;
		enum gsc_engine_state state;
		const char *rule, *text;
	} cases[] = {
		{ "snb", "0x12034 0x0\n", GSC_ENGINE_UNKNOWN, "no-registers", "no register" },
		{ "snb", WORK "0x203c 0x3000\n", GSC_ENGINE_IDLE, "ring-off", "0x3000" },
		{ "snb", DONE, GSC_ENGINE_IDLE, "ring-empty", "both 0x40" },
		{ "snb", DONE "0x4094 0x00a40059\n0x20b0 0x1\n", GSC_ENGINE_IDLE, "ring-empty",
		  "both 0x40" },
		{ "hsw", WORK "0x4094 0x00a40059\n", GSC_ENGINE_HUNG, "fault", "0xa40059" },
		{ "snb", WORK "0x4194 0x00a40059\n", GSC_ENGINE_UNKNOWN, "work-left",
		  "48 bytes of commands" },
		{ "snb", WORK "0x20b0 0x1\n", GSC_ENGINE_HUNG, "error", "INSTRUCTION_ERROR" },
		/* A command without the privilege has become a no-op. */
		{ "snb", WORK "0x20b0 0x4\n", GSC_ENGINE_UNKNOWN, "work-left",
		  "HEAD is 0x10, TAIL 0x40" },
		{ "snb", WORK "0x203c 0x3401\n", GSC_ENGINE_WAITING, "semaphore", "0x3401" },
		{ "snb", WORK "0x203c 0x3801\n", GSC_ENGINE_WAITING, "event", "0x3801" },
		{ "snb", WORK "0x2034 0x11\n0x2028 0x2\n", GSC_ENGINE_WAITING, "condition-code",
		  "EXCC is 0x2" },
		{ "snb", WORK "0x2068 0x01800002\n", GSC_ENGINE_WAITING, "wait-command",
		  "DISPLAY_PLANE_A_FLIP_PENDING_WAIT_ENABLE" },
		{ "snb", WORK "0x2068 0x0b140001\n", GSC_ENGINE_WAITING, "wait-command",
		  "MI_SEMAPHORE_MBOX" },
		/* This one signals. */
		{ "snb", WORK "0x2068 0x0b240001\n", GSC_ENGINE_UNKNOWN, "work-left", "nothing" },
		{ "skl", WORK "0x2068 0x0e009002\n", GSC_ENGINE_WAITING, "wait-command",
		  "MI_SEMAPHORE_WAIT" },
		{ "snb", WORK "0x209c 0x100\n", GSC_ENGINE_WAITING, "stopped-rings", "0x100" },
		{ "snb", "0x209c 0x200\n0x2074 0x0\n", GSC_ENGINE_IDLE, "parser-idle", "0x200" },
		{ "snb", WORK "0x207c 0xfffffffe\n", GSC_ENGINE_UNKNOWN, "busy", "VF" },
		{ "snb", WORK "0x207c 0xffffffff\n", GSC_ENGINE_UNKNOWN, "work-left", "nothing" },
		{ "snb", "0x2074 0x1234\n", GSC_ENGINE_UNKNOWN, "no-pointers", "HEAD and TAIL" },
		{ "snb", "0x2034 0x1234\n", GSC_ENGINE_UNKNOWN, "no-pointers", "TAIL is" },
		{ "skl", WORK "0x229c 0x8000\n0x2234 0x0\n", GSC_ENGINE_IDLE, "no-list",
		  "ran last" },
		{ "skl", WORK "0x229c 0x0\n0x2234 0x0\n", GSC_ENGINE_UNKNOWN, "work-left", "" },
		{ "skl", DONE "0x229c 0x8000\n0x2234 0x40010\n", GSC_ENGINE_RUNNING, "switching",
		  "0x40010" },
	};
	struct patient p;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *rule;

		admit_text(&p, cases[i].registers, cases[i].platform);
		rule = detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, NULL);
		if (strcmp(rule, cases[i].rule)) {
			fprintf(stderr, "\n%zu: %s, not %s\n", i, rule, cases[i].rule);
			CU_FAIL("another rule");
		}
		CU_ASSERT_EQUAL(engine_of(&p, "rcs0").state, cases[i].state);
		expect_has(detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, cases[i].rule),
			   cases[i].text);
		discharge(&p);
	}
}

/* The effect of watching a live engine, without one. */
static void test_motion(void)
{
	struct patient p;
	struct hang_engine *engine;

	admit_text(&p, WORK, "snb");
	engine = &p.hang->engines.items[number_of(&p, "rcs0")];
	engine->watched = 200;
	engine->motion = MOTION_MOVES;
	CU_ASSERT(engine_judge(engine));
	CU_ASSERT_EQUAL(engine->e.state, GSC_ENGINE_RUNNING);
	expect_has(detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, "moves"), "200 ms");
	engine->e.blamed = true;
	CU_ASSERT(engine_judge(engine));
	CU_ASSERT_EQUAL(engine->e.state, GSC_ENGINE_RUNNING);
	engine->e.blamed = false;
	engine->motion = MOTION_STANDS;
	CU_ASSERT(engine_judge(engine));
	CU_ASSERT_EQUAL(engine->e.state, GSC_ENGINE_HUNG);
	expect_has(detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, "stands-still"), "200 ms");
	discharge(&p);
}

static const char two_engines[] =
	"Kernel: 6.12.0 x86_64\nPlatform: TIGERLAKE\nPCI ID: 0x9a49\nPCI Revision: 0x01\n"
	"EIR: 0x00000000\nPGTBL_ER: 0x00000000\n";

static void test_blame(void)
{
	static const char engine[] = "%s command stream:\n  START: 0x00010000\n  HEAD:  0x%08x\n"
				     "  TAIL:  0x00000100\n  CTL:   0x00003001\n  hung: %d\n";
	static const char silent[] = "%s command stream:\n  START: 0x00010000\n  HEAD:  0x%08x\n"
				     "  TAIL:  0x00000100\n  CTL:   0x00003001\n";
	struct sheet t = { .size = 0 };
	struct patient p;

	/* Both have work; the dump blames one, by its name alone in the second round. */
	for (unsigned round = 0; round < 2; round++) {
		sheet_add(&t, "%s%s", round ? "GPU HANG: ecode 12:0:0x85dffffb, hang on vcs0\n" : "",
			 two_engines);
		sheet_add(&t, round ? silent : engine, "rcs0", 0x80, 0);
		sheet_add(&t, round ? silent : engine, "vcs0", 0x40, 1);
		sheet_add(&t, round ? silent : engine, "vecs0", 0x100, 0);
		admit(&p, open_text(&t, NULL));
		CU_ASSERT_EQUAL(engine_of(&p, "vcs0").state, GSC_ENGINE_HUNG);
		CU_ASSERT(engine_of(&p, "vcs0").blamed);
		CU_ASSERT_STRING_EQUAL(detail_of(&p, "vcs0", GSC_DETAIL_EVIDENCE, NULL), "blamed");
		CU_ASSERT_EQUAL(engine_of(&p, "rcs0").state, GSC_ENGINE_UNKNOWN);
		CU_ASSERT_FALSE(engine_of(&p, "rcs0").blamed);
		CU_ASSERT_STRING_EQUAL(detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, NULL),
				       "other-blamed");
		CU_ASSERT_EQUAL(engine_of(&p, "vecs0").state, GSC_ENGINE_IDLE);
		discharge(&p);
		sheet_free(&t);
	}
	/* Nobody is blamed: with one at work it is clear, with two it is not. */
	for (unsigned both = 0; both < 2; both++) {
		sheet_add(&t, "%s", two_engines);
		sheet_add(&t, silent, "rcs0", 0x80);
		sheet_add(&t, silent, "vcs0", both ? 0x40 : 0x100);
		admit(&p, open_text(&t, NULL));
		CU_ASSERT_STRING_EQUAL(detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, NULL),
				       both ? "one-of-many" : "only-one-at-work");
		CU_ASSERT_EQUAL(engine_of(&p, "rcs0").state,
				both ? GSC_ENGINE_UNKNOWN : GSC_ENGINE_HUNG);
		discharge(&p);
		sheet_free(&t);
	}
}

/* ---- units ---------------------------------------------------------------------------------- */

/* By platform and lines of registers: what the folded units are, with "|" between. */
static const struct {
	const char *platform, *lines, *words;
} folded[] = {
	{ "snb", "0x206c 0x8888ffef\n0x207c 0xffffffff\n", "all 12 EUs, TS" },
	{ "snb", "0x206c 0xc8f8ffff\n0x207c 0x3ffffffe\n", "EU00-02, EU20-22, EU30-31|GAM, CS, VF" },
	{ "snb", "0x206c 0x0\n0x207c 0xfffffffe\n", "every unit: INSTDONE reads 0|VF" },
	{ "ctg", "0x206c 0x8000ffff\n0x207c 0xffffffff\n",
	  "ROW_0_EU_1-3, ROW_1_EU_0-3, SF, SE, WM, DISPATCHER, PROJECTION, DG" },
	{ "tgl", "0x206c 0xffffffff\n0xe164 0x8610f87f\n", "all 16 EUs" },
	{ "tgl", "0x206c 0xffffffff\n0xe164 0x861ff87f\n", "all 8 EUs of SS1, EU10-13_SS0" },
	{ "tgl", "0x206c 0xffffffff\n0xe164 0xfffff87f\n", "EU00-03_SS1" },
};

static void test_folded(void)
{
	for (size_t i = 0; i < sizeof(folded) / sizeof(*folded); i++) {
		struct sheet t = { .size = 0 }, words = { .size = 0 };
		struct gsc_detail detail;
		struct patient p;

		sheet_add(&t, WORK "%s", folded[i].lines);
		admit_text(&p, t.data, folded[i].platform);
		for (size_t n = 0; detail_at(p.hang, 0, n, &detail); n++)
			if (detail.kind == GSC_DETAIL_UNITS)
				sheet_add(&words, "%s%s", words.size ? "|" : "", detail.text);
		CU_ASSERT_STRING_EQUAL(words.size ? words.data : "", folded[i].words);
		discharge(&p);
		sheet_free(&words);
		sheet_free(&t);
	}
}

static void test_busy(void)
{
	struct sheet t = { .size = 0 };
	struct patient p;

	admit_text(&p, WORK "0x206c 0xffffffff\n0x207c 0x3ffffffe\n", "snb");
	CU_ASSERT_EQUAL(details_of(&p, "rcs0", GSC_DETAIL_BUSY), 3);
	expect_has(detail_of(&p, "rcs0", GSC_DETAIL_BUSY, "INSTDONE1:GAM_DONE"), "GAM");
	expect_has(detail_of(&p, "rcs0", GSC_DETAIL_BUSY, "INSTDONE1:VF_DONE"), "VF");
	discharge(&p);
	/* The units of an idle engine mean nothing. */
	admit_text(&p, DONE "0x206c 0x0\n0x207c 0x0\n", "snb");
	CU_ASSERT_EQUAL(details_of(&p, "rcs0", GSC_DETAIL_BUSY), 0);
	discharge(&p);
	/* Where units share an address, each slice has its own. */
	sheet_add(&t, "%srcs0 command stream:\n  HEAD:  0x00000080\n  TAIL:  0x00000100\n"
		 "  CTL:   0x00003001\n  INSTDONE: 0xffdffffe\n"
		 "  ROW_INSTDONE[0][0]: 0xffffffff\n  ROW_INSTDONE[0][1]: 0xfffffffd\n"
		 "  ROW_INSTDONE[1][0]: 0xfffffffe\n  hung: 1\n", two_engines);
	admit(&p, open_text(&t, NULL));
	CU_ASSERT_EQUAL(details_of(&p, "rcs0", GSC_DETAIL_BUSY), 3);
	CU_ASSERT_STRING_EQUAL(detail_of(&p, "rcs0", GSC_DETAIL_BUSY, "INSTDONE:CS_DONE"), "CS");
	CU_ASSERT_STRING_EQUAL(detail_of(&p, "rcs0", GSC_DETAIL_BUSY,
					 "ROW_INSTDONE[0][1]:PSD_DONE"),
			       "PSD of slice 0, subslice 1");
	CU_ASSERT_STRING_EQUAL(detail_of(&p, "rcs0", GSC_DETAIL_BUSY,
					 "ROW_INSTDONE[1][0]:BC_DONE"),
			       "BC of slice 1, subslice 0");
	discharge(&p);
	sheet_free(&t);
}

/* ---- the stopped command -------------------------------------------------------------------- */

/* A PIPE_CONTROL of six dwords, then a numbered MI_NOOP; both engines' batches at one address. */
static void add_batches(struct sheet *t, uint32_t render_acthd, uint32_t render_ipehr,
			uint32_t video_acthd, uint32_t video_ipehr)
{
	static const uint32_t render[] = { 0x7a000004, 0x00101000, 0, 0, 0, 0, 0x00400123,
					   0x05000000 };
	static const uint32_t video[] = { 0, 0, 0x13000002, 0, 0, 0, 0x05000000, 0 };

	sheet_add(t, "%srcs0 command stream:\n  START: 0x00010000\n  HEAD:  0x00000080\n"
		 "  TAIL:  0x00000100\n  CTL:   0x00003001\n  ACTHD: 0x00000001 %08x\n"
		 "  IPEHR: 0x%08x\n  BB_STATE: 0x00000020\n  hung: 1\n", two_engines, render_acthd,
		 render_ipehr);
	sheet_add(t, "vcs0 command stream:\n  START: 0x00020000\n  HEAD:  0x00000080\n"
		 "  TAIL:  0x00000100\n  CTL:   0x00003001\n  ACTHD: 0x00000001 %08x\n"
		 "  IPEHR: 0x%08x\n  BB_STATE: 0x00000020\n  hung: 1\n", video_acthd, video_ipehr);
	sheet_add(t, "rcs0 --- batch = 0x00000001 00001000\n");
	for (unsigned i = 0; i < 8; i++)
		sheet_add(t, "%08x :  %08x\n", i * 4, render[i]);
	sheet_add(t, "vcs0 --- batch = 0x00000001 00001000\n");
	for (unsigned i = 0; i < 8; i++)
		sheet_add(t, "%08x :  %08x\n", i * 4, video[i]);
}

static void admit_batches(struct patient *p, uint32_t render_acthd, uint32_t render_ipehr,
			  uint32_t video_acthd, uint32_t video_ipehr)
{
	struct sheet t = { .size = 0 };

	add_batches(&t, render_acthd, render_ipehr, video_acthd, video_ipehr);
	admit(p, open_text(&t, NULL));
	sheet_free(&t);
}

static void expect_stop(const struct patient *p, const char *engine, const char *command,
			uint64_t offset, bool agrees)
{
	struct gsc_engine e = engine_of(p, engine);

	CU_ASSERT_FATAL(e.stopped);
	CU_ASSERT_STRING_EQUAL(e.command.name, command);
	CU_ASSERT_EQUAL(e.offset, offset);
	CU_ASSERT_EQUAL(e.agrees, agrees);
	CU_ASSERT_STRING_EQUAL(e.run.engine, engine);
	CU_ASSERT(e.known & GSC_KNOWN_ACTHD_PROCESS);
	CU_ASSERT_FALSE(e.known & GSC_KNOWN_ACTHD_RING);
	expect_has(e.where, command);
}

static void test_stopped(void)
{
	struct gsc_engine e;
	struct patient p;

	/* Within a command; at its beginning. The other engine's batch has the same address. */
	admit_batches(&p, 0x1008, 0x7a000004, 0x1008, 0x13000002);
	expect_stop(&p, "rcs0", "PIPE_CONTROL", 8, true);
	expect_stop(&p, "vcs0", "MI_FLUSH_DW", 0, true);
	e = engine_of(&p, "rcs0");
	CU_ASSERT_EQUAL(e.command.address, UINT64_C(0x100001000));
	CU_ASSERT_EQUAL_FATAL(e.command.count, 6);
	CU_ASSERT_EQUAL(e.command.words[1], 0x00101000);
	CU_ASSERT_EQUAL(e.run.address, UINT64_C(0x100001000));
	CU_ASSERT_EQUAL(e.run.length, 32);
	discharge(&p);
	/* Directly after it, as IPEHR shows; without IPEHR it is the next. */
	admit_batches(&p, 0x1018, 0x7a000004, 0x1018, 0x77777777);
	expect_stop(&p, "rcs0", "PIPE_CONTROL", 24, true);
	expect_has(engine_of(&p, "rcs0").where, "ACTHD is right after it");
	expect_stop(&p, "vcs0", "MI_BATCH_BUFFER_END", 0, false);
	discharge(&p);
	/* The first command of two that fit contains ACTHD. */
	admit_batches(&p, 0x1018, 0x00400123, 0x1000, 0);
	expect_stop(&p, "rcs0", "MI_NOOP", 0, true);
	expect_stop(&p, "vcs0", "MI_NOOP", 0, true);
	discharge(&p);
}

static void test_not_found(void)
{
	struct patient p;

	admit_batches(&p, 0x1030, 0x7a000004, 0x40001000, 0);
	CU_ASSERT_FALSE(engine_of(&p, "rcs0").stopped);
	expect_has(engine_of(&p, "rcs0").where,
		   "left its batch: ACTHD 0x100001030; 16 bytes past MI_BATCH_BUFFER_END of the "
		   "batch at 0x100001000");
	CU_ASSERT_FALSE(engine_of(&p, "vcs0").stopped);
	expect_has(engine_of(&p, "vcs0").where, "in no ring or batch of vcs0 in the source");
	discharge(&p);
	admit_text(&p, WORK "0x2074 0x1234\n", "snb");
	CU_ASSERT_FALSE(engine_of(&p, "rcs0").stopped);
	expect_has(engine_of(&p, "rcs0").where, "neither the ring of rcs0 nor a batch");
	discharge(&p);
	admit_text(&p, WORK "0x2038 0x8000\n0x2074 0x8010\n", "snb");
	expect_has(engine_of(&p, "rcs0").where,
		   "0x8010 is 16 bytes into the ring at 0x8000, of which the source has 0: ");
	discharge(&p);
}

/* Xe: in the job's batch, and in memory that nothing leads to. */
static void test_core(void)
{
	static const char *const acthd[] = { "0000effe00010048", "0000effe80000008" };
	struct sheet t = { .size = 0 };
	struct gsc_engine e;
	struct patient p;

	for (unsigned i = 0; i < 2; i++) {
		sheet_add(&t, "**** Xe Device Coredump ****\nkernel: 6.14.0\nmodule: xe\n"
			 "PCI ID: 0x64a0\nPCI revision: 0x04\n\n**** Job ****\n"
			 "\tbatch_addr[0]: 0x0000effe00010040\n\n**** HW Engines ****\n"
			 "rcs0 (physical), logical instance=0\n\tRING_HEAD: 0x00000100\n"
			 "\tRING_TAIL: 0x00000200\n\tRING_CTL: 0x00003001\n"
			 "\tIPEHR: 0x7a000004\n\tACTHD: 0x%s\n\tBB_STATE: 0x00000020\n"
			 "\tSC_INSTDONE[0]: 0xffffffff\n\tSC_INSTDONE[1]: 0xfffffffe\n\n"
			 "**** VM state ****\n[effe00010000].length: 0x60\n"
			 "[effe00010000].data: ", acthd[i]);
		for (unsigned at = 0; at < 16; at++)
			sheet_add(&t, "z");
		sheet_dwords(&t, 0x7a000004, 8);
		sheet_add(&t, "\n[effe80000000].length: 0x20\n[effe80000000].data: ");
		sheet_dwords(&t, 0x7a000004, 8);
		sheet_add(&t, "\n");
		admit(&p, open_text(&t, NULL));
		e = engine_of(&p, "rcs0");
		CU_ASSERT_EQUAL(e.state, GSC_ENGINE_HUNG);
		CU_ASSERT(e.blamed);
		expect_stop(&p, "rcs0", "PIPE_CONTROL", 8, true);
		CU_ASSERT_EQUAL(e.command.address, i ? UINT64_C(0xeffe80000000)
						     : UINT64_C(0xeffe00010040));
		CU_ASSERT(e.run.process);
		CU_ASSERT_STRING_EQUAL(detail_of(&p, "rcs0", GSC_DETAIL_BUSY,
						 "SC_INSTDONE[1]:SVL_DONE"), "SVL of subslice 1");
		CU_ASSERT_EQUAL(details_of(&p, "rcs0", GSC_DETAIL_BUSY), 1);
		discharge(&p);
		sheet_free(&t);
	}
}

/* Without a render engine, what slices share belongs to the compute engines. */
static void test_compute_slices(void)
{
	struct sheet t = { .size = 0 };
	struct patient p;

	sheet_add(&t, "**** Xe Device Coredump ****\nkernel: 6.14.0\nmodule: xe\nPCI ID: 0x0bd5\n"
		 "PCI revision: 0x2f\n\n**** HW Engines ****\nccs1 (physical), logical instance=1\n"
		 "\tRING_HEAD: 0x00000100\n\tRING_TAIL: 0x00000200\n\tRING_CTL: 0x00003001\n"
		 "\tROW_INSTDONE[0]: 0xffffffff\n\tROW_INSTDONE[1]: 0xfffffffe\n\n");
	admit(&p, open_text(&t, NULL));
	CU_ASSERT_EQUAL(details_of(&p, "ccs1", GSC_DETAIL_UNITS), 1);
	expect_has(detail_of(&p, "ccs1", GSC_DETAIL_UNITS, "ROW_INSTDONE"), "0xfffffffe");
	discharge(&p);
	sheet_free(&t);
}

/* Truncated anywhere, and with another byte anywhere: something is reported, and nothing breaks. */
static void test_damage(void)
{
	struct sheet t = { .size = 0 };
	struct gsc_source_options options = { .platform = "tgl" };
	uint32_t seed = 7;

	add_batches(&t, 0x1008, 0x7a000004, 0x1008, 0x13000002);
	sheet_add(&t, "  ROW_INSTDONE[0][1]: 0xfffffffd\n  ROW_INSTDONE[9999999999][1]: 0x0\n");
	for (unsigned round = 0; round < 600; round++) {
		size_t size = round < 200 ? t.size * round / 200 : t.size;
		char *path, *copy = malloc(t.size);
		struct gsc_source *source;
		const char *specs[1];
		struct kit kit;
		struct gsc_hang *hang;

		memcpy(copy, t.data, t.size);
		if (round >= 200)
			copy[next_random(&seed) % t.size] = (char)next_random(&seed);
		path = temporary_file(copy, size);
		free(copy);
		specs[0] = path;
		kit_open(&kit, "tgl");
		options.db = kit.db;
		if (!gsc_source_open(&source, specs, 1, &options, NULL)) {
			CU_ASSERT_EQUAL(gsc_hang_new(&hang, gpu_for(source, kit.view), NULL,
						     NULL), GSC_OK);
			gsc_hang_free(hang);
			gsc_source_close(source);
		}
		kit_close(&kit);
		drop_file(path);
	}
	sheet_free(&t);
}

/* Gen6: a ring whose ACTHD is an offset, and one whose ACTHD is an address. */
static void test_in_ring(void)
{
	static const char *const acthd[] = { "0x00000018", "0x00010018" };
	struct gsc_engine e;
	struct patient p;
	struct sheet t = { .size = 0 };

	for (unsigned i = 0; i < 2; i++) {
		sheet_add(&t, "PCI ID: 0x0126\nEIR: 0x00000000\nrender command stream:\n"
			 "  START: 0x00010000\n  HEAD: 0x00000018\n  TAIL: 0x00000028\n"
			 "  CTL: 0x00000001\n  ACTHD: %s\n  IPEHR: 0x0b140001\n"
			 "render ring --- ringbuffer = 0x00010000\n", acthd[i]);
		for (unsigned at = 0; at < 0x1000; at += 4)
			sheet_add(&t, "%08x :  %08x\n", at,
				 at == 0x18 ? 0x0b140001 : at == 0x1c ? 0x5d39 : 0);
		admit(&p, open_text(&t, NULL));
		e = engine_of(&p, "rcs0");
		CU_ASSERT_EQUAL(e.state, GSC_ENGINE_WAITING);
		CU_ASSERT_FATAL(e.stopped);
		CU_ASSERT_STRING_EQUAL(e.command.name, "MI_SEMAPHORE_MBOX");
		CU_ASSERT_EQUAL(e.command.address, 0x10018);
		CU_ASSERT_EQUAL(e.run.kind, GSC_RUN_RING);
		CU_ASSERT(e.known & GSC_KNOWN_ACTHD_RING);
		CU_ASSERT_EQUAL(e.acthd_offset, 0x18);
		CU_ASSERT(e.agrees);
		expect_has(detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, "awaits"),
			   "(RVSYNC) is > 0x5d39");
		discharge(&p);
		sheet_free(&t);
	}
}

/* ---- traces --------------------------------------------------------------------------------- */

static void test_witnesses(void)
{
	static const struct {
		const char *platform, *registers, *name, *text;
	} cases[] = {
		{ "snb", "0x2094 0x12345\n", "NOPID", "0x12345" },
		{ "snb", "0x2028 0x3\n", "EXCC", "USER_DEFINED_CONDITION_CODES 0x3" },
		{ "snb", "0x2044 0x5d39\n", "RBSYNC", "0x5d39: Written by the blitter" },
		{ "snb", "0x2178 0x0\n0x217c 0x100\n0x2190 0x80\n", "PR_CTR_CTL",
		  "128 of 256 clocks" },
		{ "snb", "0x2134 0x00012341\n", "UHPTR", "0x12340" },
		{ "snb", "0x209c 0x5140\n", "MI_MODE", "STOP_RINGS stopped" },
		{ "snb", "0x20c0 0x20\n", "INSTPM", "SYNC_FLUSH_ENABLE" },
		{ "snb", "0x2140 0x00010109\n0x2110 0x20\n", "BB_ADDR",
		  "0x10108; BB_STATE 0x20: ppgtt" },
		{ "snb", "0x2074 0x10108\n0x2078 0x10188\n", "DMA_FADD", "0x80 bytes ahead" },
		{ "snb", "0x2180 0x0001210d\n", "CCID", "0x12000" },
		{ "snb", "0x2418 0x1\n0x2400 0x7\n0x2404 0x0\n", "predicate",
		  "result 1; sources 0x7" },
		{ "snb", "0x2310 0xa8f\n0x2314 0x0\n", "statistics", "IA_VERTICES 2703" },
		{ "snb", "0x2358 0x213c8f00\n0x235c 0x5\n", "TIMESTAMP", "1762.596270 s" },
		{ "ilk", "0x2358 0x0\n0x235c 0x1e8480\n", "TIMESTAMP", "2.000000 s" },
		/* Of Gen9's 24 MHz half, of Gen11's 38.4 MHz all, of 19.2 MHz an eighth. */
		{ "skl", "0x2358 0xb71b00\n0x235c 0x0\n0xa26c 0x4\n", "TIMESTAMP", "1.000000 s" },
		{ "icl", "0x2358 0x249f000\n0x235c 0x0\n0xa26c 0x0\n0xd00 0x16\n", "TIMESTAMP",
		  "1.000000 s" },
		{ "tgl", "0x2358 0x249f00\n0x235c 0x0\n0xa26c 0x0\n0xd00 0x8\n", "TIMESTAMP",
		  "1.000000 s" },
		{ "tgl", "0x2358 0x17d7840\n0x235c 0x0\n0xa26c 0x1\n0x44074 0x1017\n", "TIMESTAMP",
		  "1.020408 s" },
	};
	struct sheet t = { .size = 0 };
	struct patient p;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		sheet_add(&t, "%s%s", WORK, cases[i].registers);
		admit(&p, open_text(&t, cases[i].platform));
		expect_has(detail_of(&p, "rcs0", GSC_DETAIL_WITNESS, cases[i].name),
			   cases[i].text);
		CU_ASSERT_EQUAL(details_of(&p, "rcs0", GSC_DETAIL_WITNESS), 1);
		discharge(&p);
		sheet_free(&t);
	}
	/* What says nothing is not reported. */
	admit_text(&p, WORK "0x2094 0\n0x2028 0\n0x2044 0\n0x2178 1\n0x2134 0\n0x209c 0x5040\n"
		   "0x20c0 0\n0x2140 0\n0x2180 0\n0x2418 0\n0x2310 0\n0x2314 0\n", "snb");
	CU_ASSERT_EQUAL(details_of(&p, "rcs0", GSC_DETAIL_WITNESS), 0);
	discharge(&p);
}

/* ---- the built-in captures ------------------------------------------------------------------ */

static void admit_demo(struct patient *p, const char *name)
{
	admit(p, open_spec("demo:%s", name, NULL));
}

static void test_snb_demo(void)
{
	struct gsc_engine e;
	struct patient p;

	admit_demo(&p, "snb-hang");
	e = engine_of(&p, "rcs0");
	CU_ASSERT_EQUAL(e.state, GSC_ENGINE_HUNG);
	CU_ASSERT_EQUAL(e.used, 112);
	CU_ASSERT_EQUAL(e.wraps, 3);
	CU_ASSERT_FATAL(e.stopped);
	CU_ASSERT_STRING_EQUAL(e.command.name, "3DPRIMITIVE");
	CU_ASSERT_EQUAL(e.command.address, 0x10108);
	CU_ASSERT(e.agrees);
	CU_ASSERT(e.run.process);
	CU_ASSERT_EQUAL(e.run.address, 0x10000);
	CU_ASSERT_EQUAL(details_of(&p, "rcs0", GSC_DETAIL_BUSY), 3);
	CU_ASSERT_EQUAL(engine_of(&p, "bcs0").state, GSC_ENGINE_IDLE);
	CU_ASSERT_EQUAL(engine_of(&p, "vcs0").state, GSC_ENGINE_IDLE);
	discharge(&p);
}

static void test_skl_demo(void)
{
	struct gsc_engine e;
	struct patient p;

	admit_demo(&p, "skl-hang");
	e = engine_of(&p, "rcs0");
	CU_ASSERT_EQUAL(e.state, GSC_ENGINE_HUNG);
	CU_ASSERT_STRING_EQUAL(detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, NULL), "fault");
	CU_ASSERT_FATAL(e.stopped);
	CU_ASSERT_STRING_EQUAL(e.command.name, "PIPE_CONTROL");
	CU_ASSERT_EQUAL(e.command.address, UINT64_C(0x10002003c));
	CU_ASSERT_EQUAL(e.run.kind, GSC_RUN_SECOND_LEVEL);
	CU_ASSERT_EQUAL(engine_of(&p, "bcs0").state, GSC_ENGINE_IDLE);
	CU_ASSERT_EQUAL(engine_of(&p, "vcs0").state, GSC_ENGINE_UNKNOWN);
	expect_has(detail_of(&p, "vcs0", GSC_DETAIL_EVIDENCE, "no-registers"), "media is not held");
	CU_ASSERT_EQUAL(details_of(&p, "vcs0", GSC_DETAIL_EVIDENCE), 1);
	discharge(&p);
}

static void test_icl_demo(void)
{
	struct gsc_engine e;
	struct patient p;

	admit_demo(&p, "icl-trtt");
	e = engine_of(&p, "rcs0");
	CU_ASSERT_EQUAL(e.state, GSC_ENGINE_WAITING);
	CU_ASSERT_FATAL(e.stopped);
	CU_ASSERT_STRING_EQUAL(e.command.name, "MI_SEMAPHORE_WAIT");
	CU_ASSERT_EQUAL(e.command.address, UINT64_C(0x600100100));
	expect_has(detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, "awaits"),
		   "ppgtt:0x600050000 is >= 0x12; it is 0x11");
	CU_ASSERT_EQUAL(engine_of(&p, "vecs0").state, GSC_ENGINE_IDLE);
	discharge(&p);
}

SUITE(hang_engines,
      { "ring arithmetic", test_ring }, { "pointers outside", test_outside },
      { "rules", test_rules }, { "motion", test_motion }, { "blame", test_blame },
      { "units", test_busy }, { "stopped command", test_stopped },
      { "no command", test_not_found }, { "core", test_core },
      { "compute-slices", test_compute_slices }, { "damage", test_damage },
      { "in the ring", test_in_ring }, { "units by what they share", test_folded },
      { "traces", test_witnesses }, { "demo snb-hang", test_snb_demo },
      { "demo skl-hang", test_skl_demo }, { "demo icl-trtt", test_icl_demo })

