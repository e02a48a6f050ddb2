/* SPDX-License-Identifier: MIT */
/* Which engine a dump blames, which the rules blame, and the sentence about it. */
#include "aub-helpers.h"
#include "batch-helpers.h"
#include "dump-helpers.h"
#include "hang/engine.h"
#include "gpu-for.h"
#include "hang-lists.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct patient {
	struct gsc_source *source;
	struct kit kit;
	struct gsc_hang *hang;
};

static void admit_source(struct patient *p, struct gsc_source *source)
{
	struct gsc_platform found;
	struct gsc_error err;

	p->source = source;
	kit_open(&p->kit, "skl");
	CU_ASSERT_FATAL(gsc_source_platform(p->source) >= 0);
	gsc_platform_at(p->kit.db, (unsigned)gsc_source_platform(p->source), &found);
	kit_close(&p->kit);
	kit_open(&p->kit, found.name);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&p->hang, gpu_for(p->source, p->kit.view), NULL,
					   &err), GSC_OK);
}

static void admit(struct patient *p, const char *content, const char *platform)
{
	struct sheet copy = { .size = 0 };

	sheet_add(&copy, "%s", content);
	admit_source(p, open_text(&copy, platform));
	sheet_free(&copy);
}

static void discharge(struct patient *p)
{
	gsc_hang_free(p->hang);
	kit_close(&p->kit);
	gsc_source_close(p->source);
}

static void expect_has(const char *text, const char *part)
{
	if (!part || strstr(text, part))
		return;
	fprintf(stderr, "\n\"%s\" is not in \"%s\"\n", part, text);
	CU_FAIL("another text");
}

/* The engine's state, and the rule that decided or was added. */
static void expect(const struct patient *p, const char *name, enum gsc_engine_state state,
		   const char *rule)
{
	struct gsc_detail d;
	struct gsc_engine e = { 0 };
	bool told = !rule;
	size_t i = 0;

	while (engine_at(p->hang, i, &e) && strcmp(e.name, name))
		i++;
	CU_ASSERT_FATAL(engine_at(p->hang, i, &e));
	for (size_t j = 0; detail_at(p->hang, i, j, &d); j++)
		told |= d.kind == GSC_DETAIL_EVIDENCE && !strcmp(d.name, rule ? rule : "");
	if (!told || e.state != state)
		fprintf(stderr, "\n%s is %s, without %s\n", name, gsc_engine_state_word(e.state),
			rule ? rule : "-");
	CU_ASSERT(told);
	CU_ASSERT_EQUAL(e.state, state);
}

struct test {
	const char *platform, *text;	/* NULL: the text gives it */
	const char *engine;
	enum gsc_engine_state state;
	const char *rule, *verdict;
};

static void run(const struct test *tests, size_t count)
{
	struct patient p;

	for (size_t i = 0; i < count; i++) {
		admit(&p, tests[i].text, tests[i].platform);
		expect(&p, tests[i].engine, tests[i].state, tests[i].rule);
		expect_has(gsc_hang_verdict(p.hang), tests[i].verdict);
		discharge(&p);
	}
}

#define RUN(tests) run(tests, sizeof(tests) / sizeof(*(tests)))

/* ---- dumps of i915 -------------------------------------------------------------------------- */

#define TGL "PCI ID: 0x9a49\nPCI Revision: 0x01\nEIR: 0x00000000\n"
#define SKL "PCI ID: 0x1912\nPCI Revision: 0x06\nEIR: 0x00000000\n"
#define SNB "PCI ID: 0x0126\nEIR: 0x00000000\nPGTBL_ER: 0x00000000\n"
#define KERNEL(version) "Kernel: " version "\n"
#define BLOCK(name, head, rest) name " command stream:\n  START: 0x00007000\n" \
	"  HEAD:  0x00000" head "\n  TAIL:  0x00000250\n  CTL:   0x00003001\n" rest
#define WORK(name) BLOCK(name, "148", "  INSTDONE: 0xfffffffa\n")
#define DONE(name) BLOCK(name, "250", "  INSTDONE: 0xffffffff\n")
#define HANG(code) "GPU HANG: ecode " code "\n"

static void test_mask(void)
{
	static const struct test tests[] = {
		/* A bit that means the same engine in either reading. */
		{ NULL, HANG("12:1:85dffffb, in chrome [123]") TGL WORK("rcs0") WORK("bcs0"),
		  "rcs0", GSC_ENGINE_HUNG, "blamed", "rcs0 hangs" },
		{ NULL, HANG("12:2:85dffffb, in chrome [123]") TGL WORK("rcs0") WORK("bcs0"),
		  "bcs0", GSC_ENGINE_HUNG, "blamed", "bcs0 hangs" },
		{ NULL, HANG("12:2:85dffffb, in chrome [123]") TGL WORK("rcs0") WORK("bcs0"),
		  "rcs0", GSC_ENGINE_UNKNOWN, "other-blamed", "bcs0 hangs" },
		/*
		 * Bit 3: vcs1 up to Linux 5.10, the class of vecs0 since; if unknown, it is
		 * neither.
		 */
		{ NULL, HANG("9:8:85dffffb") KERNEL("5.9.1") SKL WORK("vcs1") WORK("vecs0"),
		  "vcs1", GSC_ENGINE_HUNG, "blamed", "vcs1 hangs" },
		{ NULL, HANG("9:8:85dffffb") KERNEL("6.12.0") SKL WORK("vcs1") WORK("vecs0"),
		  "vecs0", GSC_ENGINE_HUNG, "blamed", "vecs0 hangs" },
		{ NULL, HANG("9:8:85dffffb") SKL WORK("vcs1") WORK("vecs0"),
		  "vecs0", GSC_ENGINE_UNKNOWN, "perhaps-blamed", "which of them hung" },
		/* Backported: its kernel is too old for this form. */
		{ NULL, HANG("9:8:85dffffb") KERNEL("4.18.0") SKL WORK("vcs1") WORK("vecs0"),
		  "vcs1", GSC_ENGINE_UNKNOWN, "perhaps-blamed", NULL },
		{ NULL, HANG("9:8:0x85dffffb, in X [1]") SKL WORK("vcs1") WORK("vecs0"),
		  "vcs1", GSC_ENGINE_HUNG, "blamed", "vcs1 hangs" },
		/* A class with two engines: the one that has work. */
		{ NULL, HANG("9:4:85dffffb") KERNEL("6.1.0") SKL WORK("vcs0") WORK("vcs1"),
		  "vcs0", GSC_ENGINE_UNKNOWN, "perhaps-blamed", NULL },
		{ NULL, HANG("9:4:85dffffb") KERNEL("6.1.0") SKL DONE("vcs0") WORK("vcs1")
		  WORK("rcs0"), "vcs1", GSC_ENGINE_HUNG, "blamed", "vcs1 hangs" },
		/* Blocks say it with certainty. */
		{ NULL, HANG("12:1:85dffffb") TGL WORK("rcs0") "  hung: 0\n" WORK("bcs0")
		  "  hung: 1\n", "bcs0", GSC_ENGINE_HUNG, "blamed", "bcs0 hangs" },
		/* A process may have any name. */
		{ NULL, HANG("9:0:0x85dffffb, in player on bcs0 [5], hang on rcs0") SKL WORK("rcs0")
		  WORK("bcs0"), "rcs0", GSC_ENGINE_HUNG, "blamed", "rcs0 hangs" },
	};

	RUN(tests);
}

static void test_suspects(void)
{
	static const struct test tests[] = {
		/* A waiting engine waits for another. */
		{ NULL, SNB WORK("render") "  IPEHR: 0x7b000001\n" WORK("blt")
		  "  IPEHR: 0x0b160001\n", "rcs0", GSC_ENGINE_HUNG, "only-one-at-work",
		  "rcs0 hangs" },
		{ NULL, SNB WORK("render") "  IPEHR: 0x7b000001\n" WORK("blt")
		  "  IPEHR: 0x0b160001\n", "bcs0", GSC_ENGINE_WAITING, "wait-command", NULL },
		{ NULL, SNB WORK("render") WORK("blt"), "rcs0", GSC_ENGINE_UNKNOWN, "one-of-many",
		  "The dump was written for a hang; rcs0 and bcs0 have work" },
		{ NULL, SNB WORK("render") "  FAULT_REG: 0x00000000\n" WORK("blt")
		  "  FAULT_REG: 0x00123401\n", "bcs0", GSC_ENGINE_HUNG, "only-fault",
		  "bcs0 hangs after a page fault" },
		/* No other engine has work, but the driver has blamed one that we do not know. */
		{ NULL, SKL WORK("rcs0") "  hung: 0\n" WORK("rcs7") "  hung: 1\n", "rcs0",
		  GSC_ENGINE_UNKNOWN, "not-blamed", NULL },
		{ NULL, SKL WORK("rcs0") "  hung: 0\n", "rcs0", GSC_ENGINE_HUNG, "only-one-at-work",
		  NULL },
		/* Blamed, and done. */
		{ NULL, SKL DONE("rcs0") "  hung: 1\n", "rcs0", GSC_ENGINE_IDLE, "blamed-once",
		  "The dump blames rcs0, but it has no work left" },
		/* Its registers are truncated. */
		{ NULL, SKL "rcs0 command stream:\n  hung: 1\n", "rcs0", GSC_ENGINE_HUNG, "blamed",
		  "rcs0 hangs" },
		/* Counted for users: the second video engine of Tiger Lake is vcs2. */
		{ NULL, TGL WORK("vcs1") "  hung: 1\n", "vcs2", GSC_ENGINE_HUNG, "blamed",
		  "vcs2 hangs" },
		{ NULL, TGL WORK("vcs1") "  hung: 1\n" DONE("vcs2"), "vcs2", GSC_ENGINE_IDLE,
		  "ring-empty", NULL },
	};

	RUN(tests);
}

/* ---- dumps of xe ---------------------------------------------------------------------------- */

#define XE(rest) "**** Xe Device Coredump ****\nkernel: 6.13.0\nmodule: xe\nPCI ID: 0x56a0\n" \
	"PCI revision: 0x08\n\n**** Contexts ****\nGuC ID: 3\n\tClass: 1\n\tWidth: 1\n" \
	"\tHW Ring address: 0x0015c000\n\n**** HW Engines ****\n" rest
#define HW(name, start, head, rest) name " (physical), logical instance=0\n" \
	"\tRING_START: 0x" start "\n\tRING_HEAD: 0x" head "\n\tRING_TAIL: 0x000001d8\n" \
	"\tRING_CTL: 0x00003001\n\tRING_INSTDONE: 0xffffffff\n" rest
#define VM "\n**** VM state ****\n[7f0000000000].length: 0x10\n" \
	"[7f0000000000].data: zzzz\n"

static void test_queues(void)
{
	static const struct test tests[] = {
		{ NULL, XE(HW("vcs0", "00010000", "140", "") HW("vcs2", "0015c000", "140", "")),
		  "vcs2", GSC_ENGINE_HUNG, "blamed", "vcs2 hangs" },
		{ NULL, XE(HW("vcs0", "00010000", "140", "") HW("vcs2", "0015c000", "140", "")),
		  "vcs0", GSC_ENGINE_UNKNOWN, "other-blamed", NULL },
		{ NULL, XE(HW("vcs0", "00010000", "140", "\tACTHD: 0x0000000100000000\n")
			   HW("vcs2", "00020000", "140", "\tACTHD: 0x00007f0000000008\n") VM),
		  "vcs2", GSC_ENGINE_HUNG, "blamed", "vcs2 hangs" },
		{ NULL, XE(HW("vcs0", "00010000", "1d8", "") HW("vcs2", "00010000", "140", "")),
		  "vcs2", GSC_ENGINE_HUNG, "blamed", "vcs2 hangs" },
		/* Nothing distinguishes them. */
		{ NULL, XE(HW("vcs0", "00010000", "140", "") HW("vcs2", "00010000", "140", "")),
		  "vcs0", GSC_ENGINE_UNKNOWN, "one-of-many", "vcs0 and vcs2 have work" },
		/* Alone, with and without work. */
		{ NULL, XE(HW("bcs0", "00010000", "140", "")), "bcs0", GSC_ENGINE_HUNG, "blamed",
		  "registers are not in the source" },
		{ NULL, XE(HW("bcs0", "00010000", "1d8", "")), "bcs0", GSC_ENGINE_IDLE,
		  "blamed-once", "The dump blames bcs0" },
		/* Asleep. */
		{ NULL, XE("bcs0 (physical), logical instance=0\n\tRING_START: 0x0\n"
			   "\tRING_HEAD: 0x0\n\tRING_TAIL: 0x0\n\tRING_CTL: 0x0\n"
			   "\tRING_INSTDONE: 0x0\n"), "bcs0", GSC_ENGINE_UNKNOWN,
		  "no-registers", "sleeps or is gone" },
	};

	RUN(tests);
}

/* Names of many engines, among which earlier properties still count. */
static void test_many(void)
{
	struct sheet t = { .size = 0 };
	struct patient p;

	sheet_add(&t, TGL "rcs0 command stream:\n  hung: 1\n");
	for (unsigned i = 0; i < 8; i++)
		sheet_add(&t, "vcs%u command stream:\n  hung: 0\n", i);
	for (unsigned i = 0; i < 9; i++)
		sheet_add(&t, "bcs%u command stream:\n  hung: 0\n", i);
	admit_source(&p, open_text(&t, NULL));
	expect(&p, "rcs0", GSC_ENGINE_HUNG, "blamed");
	CU_ASSERT_EQUAL(gsc_source_note_count(p.source), 1);
	expect_has(gsc_source_note(p.source, 0), "14 engines, vcs1 first, that tgl does not have");
	discharge(&p);
	sheet_free(&t);
}

/* ---- registers ------------------------------------------------------------------------------ */

#define LEFT "0x2030 0x250\n0x2034 0x148\n0x2038 0x10000\n0x203c 0x1f001\n"
#define EMPTY "0x2030 0x148\n0x2034 0x148\n0x2038 0x8000\n0x203c 0x3001\n"

static void test_any_time(void)
{
	static const char engines[] =
		"rcs0 (physical), logical instance=0\n\tRING_HEAD: 0x00000064\n"
		"\tRING_TAIL: 0x000000a8\n\tRING_CTL: 0x00003001\n"
		"\tACTHD: 0x0000000010000010\n"
		"bcs0 (physical), logical instance=0\n\tRING_HEAD: 0x000000a8\n"
		"\tRING_TAIL: 0x000000a8\n\tRING_CTL: 0x00003001\n";
	struct sheet t = { .size = 0 };
	struct patient p;

	/* hw_engines of xe: the first has work, which is no hang. */
	sheet_add(&t, "%s", engines);
	admit_source(&p, open_text(&t, "tgl"));
	sheet_free(&t);
	expect(&p, "rcs0", GSC_ENGINE_UNKNOWN, "work-left");
	expect(&p, "bcs0", GSC_ENGINE_IDLE, NULL);
	discharge(&p);
}

static void test_faults(void)
{
	static const struct test tests[] = {
		/* Gen6 continues after a fault; its blitter if told to. */
		{ "snb", LEFT "0x4094 0x00123401\n", "rcs0", GSC_ENGINE_UNKNOWN, "fault-alone",
		  "rcs0 had a page fault" },
		{ "snb", "0x22030 0x250\n0x22034 0x240\n0x2203c 0x1f001\n0x4294 0x00123405\n"
		  "0x24000 0x100\n", "bcs0", GSC_ENGINE_UNKNOWN, "fault-alone", NULL },
		{ "snb", "0x22030 0x250\n0x22034 0x240\n0x2203c 0x1f001\n0x4294 0x00123405\n"
		  "0x24000 0x0\n", "bcs0", GSC_ENGINE_HUNG, "fault", "bcs0 hangs" },
		{ "skl", LEFT "0x4094 0x0000012b\n", "rcs0", GSC_ENGINE_HUNG, "fault",
		  "rcs0 hangs" },
		{ "skl", "0x2030 0x250\n0x2034 0x148\n0x203c 0x3000\n0x4094 0x0000012b\n", "rcs0",
		  GSC_ENGINE_IDLE, "ring-off", NULL },
		/* Without its pointers it may have had nothing to do. */
		{ "skl", "0x2074 0x20000\n0x205c 0x0\n0x4094 0x0000012b\n", "rcs0",
		  GSC_ENGINE_UNKNOWN, "fault-alone", "rcs0 had a page fault" },
		{ "snb", "0x2030 0x0\n0x2034 0x0\n0x203c 0x0\n0x206c 0x0\n0x209c 0x0\n", "rcs0",
		  GSC_ENGINE_UNKNOWN, "no-registers", "sleeps or is gone" },
		{ "snb", "0x2030 0x0\n0x2034 0x0\n0x203c 0x0\n0x206c 0x0\n0x209c 0x300\n", "rcs0",
		  GSC_ENGINE_IDLE, "ring-off", NULL },
		/* Empty, but its units are not done. */
		{ "skl", EMPTY "0x4094 0x0000012b\n0x209c 0x0\n0x206c 0xfffffffa\n", "rcs0",
		  GSC_ENGINE_HUNG, "fault", "rcs0 hangs" },
		{ "skl", EMPTY "0x209c 0x0\n0x206c 0xfffffffa\n", "rcs0", GSC_ENGINE_UNKNOWN,
		  "busy", NULL },
		{ "skl", EMPTY "0x209c 0x0\n0x206c 0x0\n", "rcs0", GSC_ENGINE_IDLE, "ring-empty",
		  NULL },
		{ "skl", EMPTY "0x209c 0x200\n0x206c 0xfffffffa\n", "rcs0", GSC_ENGINE_IDLE,
		  "ring-empty", NULL },
		/* The log's entries wait to be served, whatever else is latched. */
		{ "snb", EMPTY "0x4510 0x1\n0x4580 0x00012000\n0x4094 0x00123401\n", "rcs0",
		  GSC_ENGINE_HUNG, "fault", "page fault at ppgtt:0x12000" },
		/* All ones are no fault, and no ring. */
		{ "snb", "0x4094 0xffffffff\n0x4510 0xffffffff\n0x4580 0xffffffff\n"
		  "0x2030 0xffffffff\n0x2034 0xffffffff\n0x203c 0xffffffff\n", "rcs0",
		  GSC_ENGINE_UNKNOWN, "no-registers", "sleeps or is gone" },
	};

	RUN(tests);
}

static void test_errors(void)
{
	static const struct test tests[] = {
		/* The display's errors, and unknown bits, stop no engine. */
		{ "brw", LEFT "0x20b0 0x10\n0x2024 0x10\n", "rcs0", GSC_ENGINE_UNKNOWN, "work-left",
		  "PGTBL_ER reports DISPLAY_A_FETCH_INVALID_GTT_ENTRY; the source does "
	       "not show" },
		{ "brw", LEFT "0x20b0 0x10\n0x2024 0x80000\n", "rcs0", GSC_ENGINE_HUNG, "error",
		  "rcs0 hangs" },
		{ "ilk", LEFT "0x20b0 0x40\n", "rcs0", GSC_ENGINE_UNKNOWN, "work-left", NULL },
		{ "snb", LEFT "0x20b0 0x1\n", "rcs0", GSC_ENGINE_HUNG, "error",
		  "INSTRUCTION_ERROR" },
		{ NULL, "PCI ID: 0x0166\nEIR: 0x00000000\nERR_INT: 0x00000001\n" WORK("render")
		  "  FAULT_REG: 0x00000000\n" DONE("blt") "  FAULT_REG: 0x00123401\n", "rcs0",
		  GSC_ENGINE_HUNG, "only-one-at-work",
		  "; no fault and no error for this engine is on record; 1 hardware unit is still busy; bcs0 had a page "
		  "fault at ppgtt:0x123000, without a valid pte; ERR_INT reports "
		  "FIFO_UNDERRUN_A." },
	};
	struct patient p;

	RUN(tests);
	/* Noise from the display is no kind of hang. */
	admit(&p, tests[4].text, NULL);
	CU_ASSERT_STRING_EQUAL(gsc_hang_signature(p.hang), "ivb/rcs0/-/hang");
	discharge(&p);
}

/* Without the batch only IPEHR says which command it is; 0 is not trusted. */
static void test_header(void)
{
	static const struct test tests[] = {
		{ NULL, SKL BLOCK("rcs0", "148", "  IPEHR: 0x7a000004\n  ACTHD: 0x00000000 10002003c\n"
		  "  hung: 1\n"), "rcs0", GSC_ENGINE_HUNG, "blamed", " in PIPE_CONTROL (by IPEHR)" },
		{ NULL, SKL BLOCK("rcs0", "148", "  IPEHR: 0x00000000\n  hung: 1\n"), "rcs0",
		  GSC_ENGINE_HUNG, "blamed", "rcs0 hangs; " },
		{ NULL, SKL BLOCK("rcs0", "148", "  IPEHR: 0xffff0000\n  hung: 1\n"), "rcs0",
		  GSC_ENGINE_HUNG, "blamed", "rcs0 hangs; " },
	};
	static const char *const signatures[] = {
		"skl/rcs0/PIPE_CONTROL/hang", "skl/rcs0/-/hang", "skl/rcs0/-/hang",
	};
	struct gsc_engine e;
	struct patient p;

	RUN(tests);
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		admit(&p, tests[i].text, NULL);
		CU_ASSERT_STRING_EQUAL(gsc_hang_signature(p.hang), signatures[i]);
		CU_ASSERT(engine_at(p.hang, 0, &e) && !e.header == !!i && !e.stopped);
		discharge(&p);
	}
}

/* "No error is on record" requires that the registers are there. */
static void test_tells(void)
{
	static const struct {
		const char *text;
		bool tells;
	} tests[] = {
		{ "0x2030 0x0\n", false }, { "0x20b0 0x0\n", true }, { "0x20b8 0x0\n", true },
		{ "0x20b0 0xffffffff\n", false }, { "0x40a0 0x0\n", true },
	};
	struct patient p;

	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		admit(&p, tests[i].text, "snb");
		CU_ASSERT_EQUAL(gsc_hang_tells_errors(p.hang), tests[i].tells);
		discharge(&p);
	}
}

/* Registers that a trace sets say nothing about what the engines did. */
static void test_trace(void)
{
	static const char said[] = "No verdict: a trace records what was submitted "
				   "to the engines, not what they did with it.";
	struct trace_bytes t = { 0 };
	struct patient p;

	trace_version(&t, "PCI-ID=0x1912");
	trace_register(&t, 0x2080, 0x19000);
	trace_register(&t, 0x2230, 0x2339);
	admit_source(&p, trace_open(&t));
	CU_ASSERT_STRING_EQUAL(gsc_hang_verdict(p.hang), said);
	CU_ASSERT(!gsc_hang_tells_errors(p.hang));
	expect(&p, "rcs0", GSC_ENGINE_UNKNOWN, "no-registers");
	discharge(&p);

	/* A whole machine may be in one: then it counts. */
	trace_version(&t, "PCI-ID=0x1912");
	trace_register(&t, 0x20b0, 0x1);
	admit_source(&p, trace_open(&t));
	expect_has(gsc_hang_verdict(p.hang), "EIR reports");
	discharge(&p);
}

static void test_sentence(void)
{
	static const struct test tests[] = {
		{ "hsw", EMPTY, "rcs0", GSC_ENGINE_IDLE, "ring-empty",
		  "No hang; fault and error registers are not in the source: 1 engine idle" },
		{ "hsw", EMPTY "0x4094 0x0\n0x20b0 0x0\n", "rcs0", GSC_ENGINE_IDLE, "ring-empty",
		  "No fault, no error, no hang: 1 engine idle" },
		{ "ivb", LEFT, "rcs0", GSC_ENGINE_UNKNOWN, "work-left",
		  "The source does not show whether rcs0 makes progress; fault and error registers" },
		{ "ivb", LEFT "0x4094 0x00123401\n", "rcs0", GSC_ENGINE_UNKNOWN, "work-left",
		  "; the source does not show whether rcs0 makes progress." },
		{ NULL, SKL WORK("rcs0") "  hung: 1\n" WORK("vcs0") "  hung: 1\n", "vcs0",
		  GSC_ENGINE_HUNG, "blamed", "; vcs0 hangs, too." },
	};

	RUN(tests);
}

/* Waiting is reported before the units that are not done. */
static void test_order(void)
{
	enum gsc_detail_kind last = GSC_DETAIL_EVIDENCE;
	struct gsc_detail d;
	struct patient p;

	admit(&p, SKL BLOCK("rcs0", "000", "  ACTHD: 0x00000000 00007004\n  INSTDONE: 0xfffffffa\n"
	      "  IPEHR: 0x0e009002\n  hung: 1\n") "rcs0 --- ringbuffer = 0x00000000 00007000\n"
	      "00000000 :  0e009002\n00000004 :  00000012\n00000008 :  00001000\n"
	      "0000000c :  00000000\n", NULL);
	for (size_t i = 0; detail_at(p.hang, 0, i, &d); i++) {
		CU_ASSERT(d.kind >= last);
		last = d.kind;
	}
	expect(&p, "rcs0", GSC_ENGINE_HUNG, "awaits");
	discharge(&p);
}

/* An address is not its sign. */
static void test_sign(void)
{
	struct gsc_engine e;
	struct patient p;

	admit(&p, LEFT "0x2074 0x00000018\n0x205c 0xffffff00\n", "skl");
	CU_ASSERT(engine_at(p.hang, 0, &e));
	CU_ASSERT_EQUAL(e.acthd, UINT64_C(0xff0000000018));
	discharge(&p);
}

SUITE(hang_blame,
	{ "mask", test_mask },
	{ "suspects", test_suspects },
	{ "queues", test_queues },
	{ "what debugfs shows of engines", test_any_time },
	{ "many", test_many },
	{ "faults", test_faults },
	{ "errors", test_errors },
	{ "sentence", test_sentence },
	{ "header", test_header },
	{ "tells", test_tells },
	{ "trace", test_trace },
	{ "order", test_order },
	{ "sign", test_sign })
