/* SPDX-License-Identifier: MIT */
/*
 * What dumps list besides registers: requests, jobs, objects, facts; loops, resets, wrapped heads.
 */
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

static void admit(struct patient *p, const char *content, const char *platform)
{
	struct sheet copy = { .size = 0 };
	struct gsc_platform found;
	struct gsc_error err;

	sheet_add(&copy, "%s", content);
	p->source = open_text(&copy, platform);
	sheet_free(&copy);
	kit_open(&p->kit, "skl");
	CU_ASSERT_FATAL(gsc_source_platform(p->source) >= 0);
	gsc_platform_at(p->kit.db, (unsigned)gsc_source_platform(p->source), &found);
	kit_close(&p->kit);
	kit_open(&p->kit, found.name);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&p->hang, gpu_for(p->source, p->kit.view), NULL,
					   &err), GSC_OK);
}

static void discharge(struct patient *p)
{
	gsc_hang_free(p->hang);
	kit_close(&p->kit);
	gsc_source_close(p->source);
}

static void expect_text(const char *text, const char *part)
{
	if (strstr(text, part))
		return;
	fprintf(stderr, "\n\"%s\" is not in \"%s\"\n", part, text);
	CU_FAIL("another text");
}

static size_t number_of(const struct patient *p, const char *name, struct gsc_engine *e)
{
	size_t i = 0;

	while (engine_at(p->hang, i, e) && strcmp(e->name, name))
		i++;
	CU_ASSERT_FATAL(engine_at(p->hang, i, e));
	return i;
}

/* A detail of an engine by its name, or "". */
static const char *detail(const struct patient *p, const char *engine, const char *name)
{
	static struct gsc_detail d;
	struct gsc_engine e;
	size_t i = number_of(p, engine, &e);

	for (size_t n = 0; detail_at(p->hang, i, n, &d); n++)
		if (!strcmp(d.name, name))
			return d.text;
	return "";
}

static const char *about(const struct patient *p, const char *name, size_t n)
{
	static struct gsc_about a;

	for (size_t i = 0; about_at(p->hang, i, &a); i++)
		if (!strcmp(a.name, name) && !n--)
			return a.text;
	return "";
}

static struct gsc_request request(const struct patient *p, const char *name)
{
	struct gsc_request r = { .known = 0 };

	for (size_t i = 0; request_at(p->hang, i, &r); i++)
		if (!strcmp(r.name, name))
			return r;
	CU_FAIL("no such request");
	return r;
}

static bool note_breach(void *context, const struct gsc_breach *breach)
{
	*(bool *)context |= !strcmp(breach->rule, "past-buffer");
	return true;
}

/* ---- ACTHD with the count of wraps ---------------------------------------------------------- */

#define SNB "GPU HANG: ecode 6:0:0x00000000, in app [5], reason: Hang on rcs0, action: reset\n" \
	    "Kernel: 4.15.0\nPCI ID: 0x0126\nrender command stream:\n"                            \
	    "  START: 0x00120000\n  CTL: 0x0001f001\n  IPEHR: 0x7a000003\n"

static void test_wraps(void)
{
	struct gsc_engine e;
	struct patient p;
	bool doubt = false;

	admit(&p, SNB "  HEAD:  0x06205ab4 [0x00005a60]\n  TAIL:  0x00005be0 [0x00005ad0, 0x00005b00]\n"
	      "  ACTHD: 0x00000000 06205ab4\nrender ring --- gtt_offset = 0x00400000\n"
	      "00000000 :  05000000\n", NULL);
	number_of(&p, "rcs0", &e);
	CU_ASSERT(e.known & GSC_KNOWN_ACTHD_RING);
	CU_ASSERT_EQUAL(e.acthd_offset, 0x5ab4);
	expect_text(e.where, "in the ring, 0x5ab4 bytes into it (ggtt:0x125ab4)");
	expect_text(gsc_hang_verdict(p.hang), "0x5ab4 bytes into its ring");
	gsc_hang_check(p.hang, note_breach, &doubt, NULL);
	CU_ASSERT_FALSE(doubt);
	expect_text(detail(&p, "rcs0", "request"), "before it reports that it is done");
	discharge(&p);
	/* Another count does not belong to HEAD. */
	admit(&p, SNB "  HEAD:  0x06205ab4\n  TAIL:  0x00005be0\n  ACTHD: 0x00000000 06405ab4\n",
	      NULL);
	number_of(&p, "rcs0", &e);
	CU_ASSERT_FALSE(e.known & GSC_KNOWN_ACTHD_RING);
	discharge(&p);
}

/* ---- batches that go round, or away --------------------------------------------------------- */

#define SKL "GPU HANG: ecode 9:1:00000000, in app [5]\nKernel: 6.1.0\nPCI ID: 0x1912\n"         \
	    "rcs0 command stream:\n  START: 0x00100000\n  HEAD:  0x00000058 [0x00000010]\n"       \
	    "  TAIL:  0x000000b8 [0x00000070, 0x000000b8]\n  CTL:   0x00003001\n"                 \
	    "  IPEHR: 0x00000000\n  BB_STATE: 0x00000020\n"
#define HUNG "  hung: 1\n"
#define BATCH "rcs0 --- batch = 0x00000000 10000000\n"

/* The commands at +8: `start` goes to 0x10000000 + `to`. */
static void admit_loop(struct patient *p, const char *start, const char *to)
{
	char text[1024];

	snprintf(text, sizeof(text), SKL "  ACTHD: 0x00000000 10000004\n" HUNG BATCH
		 "00000000 :  00000000\n00000004 :  00000000\n00000008 :  %s\n"
		 "0000000c :  %s\n00000010 :  00000000\n00000014 :  05000000\n", start, to);
	admit(p, text, NULL);
}

static void test_loop(void)
{
	struct patient p;
	struct gsc_engine e;

	admit_loop(&p, "18800101", "10000004");
	expect_text(gsc_hang_verdict(p.hang), "rcs0 hangs in a loop of the batch at "
		    "ppgtt:0x10000000: MI_BATCH_BUFFER_START at +0x8 goes back to +0x4");
	CU_ASSERT_STRING_EQUAL(gsc_hang_signature(p.hang), "skl/rcs0/MI_BATCH_BUFFER_START/loop");
	CU_ASSERT_STRING_NOT_EQUAL(detail(&p, "rcs0", "loops"), "");
	discharge(&p);
	/* What returns, and what does not enclose ACTHD. */
	admit_loop(&p, "18c00101", "10000004");
	CU_ASSERT_STRING_EQUAL(detail(&p, "rcs0", "loops"), "");
	discharge(&p);
	admit_loop(&p, "18800101", "10000008");
	CU_ASSERT_STRING_EQUAL(detail(&p, "rcs0", "loops"), "");
	number_of(&p, "rcs0", &e);
	expect_text(e.where, "MI_NOOP at ppgtt:0x10000004");
	discharge(&p);
}

/* i915 leaves RING_FAULT_REG unchanged when it resets an engine. */
static void test_old_fault(void)
{
	struct patient p;

	admit(&p, "FAULT_TLB_DATA: 0x00000000 0x08040000\n" SKL
		  "  ACTHD: 0x00000000 10000004\n  FAULT_REG: 0x00000001\n" HUNG BATCH
		  "00000000 :  00000000\n00000004 :  00000000\n00000008 :  18800101\n"
		  "0000000c :  10000004\n00000010 :  00000000\n", NULL);
	expect_text(gsc_hang_verdict(p.hang), "rcs0 hangs in a loop of the batch at "
		    "ppgtt:0x10000000: MI_BATCH_BUFFER_START at +0x8 goes back to +0x4; it had a "
		    "page fault at ppgtt:0x8040000000 (invalid PTE); "
		    "that fault does not stop this engine: perhaps it is from an earlier hang.");
	CU_ASSERT_STRING_EQUAL(gsc_hang_signature(p.hang), "skl/rcs0/MI_BATCH_BUFFER_START/loop");
	discharge(&p);
}

static void test_runaway(void)
{
	struct gsc_engine e;
	struct patient p;

	admit(&p, SKL "  ACTHD: 0x00000000 10000030\n" HUNG BATCH
	      "00000000 :  00000000\n00000004 :  05000000\n", NULL);
	number_of(&p, "rcs0", &e);
	expect_text(e.where, "left its batch: ACTHD 0x10000030; 40 bytes past "
		    "MI_BATCH_BUFFER_END of the batch at 0x10000000");
	discharge(&p);
	admit(&p, SKL "  ACTHD: 0x00000000 10000030\n" HUNG BATCH
	      "00000000 :  00000000\n00000004 :  00000000\n", NULL);
	number_of(&p, "rcs0", &e);
	expect_text(e.where, "left its batch: ACTHD 0x10000030; 40 bytes past the end (0x10000008) of the batch at "
		    "0x10000000, which has no MI_BATCH_BUFFER_END");
	discharge(&p);
	admit(&p, SKL "  ACTHD: 0x00000000 30000000\n"
	      "  batch: [0x00000000_10000000, 0x00000000_10001000]\n" HUNG, NULL);
	number_of(&p, "rcs0", &e);
	expect_text(e.where, "left its batch: ACTHD 0x30000000; its batch is 0x10000000 to 0x10001000");
	discharge(&p);
}

/* ---- requests of i915 ----------------------------------------------------------------------- */

static void test_ports(void)
{
	struct gsc_request r;
	struct patient p;

	admit(&p, SKL "  ACTHD: 0x00000000 10000000\n"
	      "  ELSP[0]:  pid 129, seqno       12:00000002+, prio 0, head 00000010, tail 000000b8\n"
	      "  ELSP[1]:  pid 0, seqno        4:00000005!, prio 0, head 00000220, tail 000002a8\n"
	      HUNG, NULL);
	r = request(&p, "ELSP[0]");
	CU_ASSERT_STRING_EQUAL(r.engine, "rcs0");
	CU_ASSERT(r.current);
	CU_ASSERT_EQUAL(r.state, GSC_REQUEST_BEGUN);
	CU_ASSERT_EQUAL(r.context, 0x12);
	CU_ASSERT_EQUAL(r.seqno, 2);
	CU_ASSERT_EQUAL(r.pid, 129);
	CU_ASSERT_EQUAL(r.head, 0x10);
	CU_ASSERT_EQUAL(r.post, 0x70);
	CU_ASSERT_EQUAL(r.tail, 0xb8);
	CU_ASSERT_EQUAL(request(&p, "ELSP[1]").state, GSC_REQUEST_DONE);
	expect_text(detail(&p, "rcs0", "request"),
		    "ELSP[0], seqno 12:2, pid 129, 0x10 to 0xb8, in its batch");
	discharge(&p);
}

#define OLD "Time: 5 s 6 us\nKernel: 3.10.0\nPCI ID: 0x0126\nEIR: 0x00000000\n"                  \
	    "render command stream:\n  HEAD: 0x00000040\n  TAIL: 0x000000c0\n  CTL: 0x0001f001\n" \
	    "  ACTHD: 0x02540010\n  seqno: 0x00000007\n"

static void test_old_list(void)
{
	struct patient p;

	admit(&p, OLD "render ring --- 3 requests\n"
	      "  seqno 0x00000007, emitted 4297035218, tail 0x00000030\n"
	      "  seqno 0x00000008, emitted 4297035218, tail 0x00000060\n"
	      "  seqno 0x00000009, emitted 4297035219, tail 0x000000c0\n", NULL);
	CU_ASSERT_EQUAL(request(&p, "request 1").state, GSC_REQUEST_DONE);
	CU_ASSERT_EQUAL(request(&p, "request 2").state, GSC_REQUEST_BEGUN);
	CU_ASSERT(request(&p, "request 2").current);
	CU_ASSERT_EQUAL(request(&p, "request 3").state, GSC_REQUEST_WAITS);
	expect_text(detail(&p, "rcs0", "request"),
		    "request 2, seqno 0x8, up to 0x60, in its batch; 1 more never began");
	discharge(&p);
	/* Without the seqno it is the first one that HEAD has not passed. */
	admit(&p, "PCI ID: 0x0126\nEIR: 0x00000000\nrender command stream:\n  HEAD: 0x00000040\n"
	      "  TAIL: 0x000000c0\n  CTL: 0x0001f001\n  IPEHR: 0x00000000\n"
	      "render ring --- 2 requests\n  seqno 0x00000007, emitted 5, tail 0x00000030\n"
	      "  seqno 0x00000008, emitted 5, tail 0x00000060\n", NULL);
	CU_ASSERT_FALSE(request(&p, "request 1").current);
	CU_ASSERT(request(&p, "request 2").current);
	discharge(&p);
}

/* From Linux 4.18, where each context has its own ring. */
static void test_new_list(void)
{
	struct gsc_request r;
	struct patient p;

	admit(&p, SKL "  ACTHD: 0x00000000 00000058\n" HUNG "rcs0 --- 2 requests\n"
	      "  pid 129, ban score 0, seqno        8:00000012, prio 0, emitted 5ms, "
	      "start 00100000, head 00000010, tail 000000b8\n"
	      "  pid 130, ban score 0, seqno        9:00000003, prio 0, emitted 4ms, "
	      "start 00200000, head 00000040, tail 00000090\n", NULL);
	r = request(&p, "request 1");
	CU_ASSERT(r.current);
	CU_ASSERT_EQUAL(r.context, 8);
	CU_ASSERT_EQUAL(r.seqno, 0x12);
	CU_ASSERT_EQUAL(r.pid, 129);
	CU_ASSERT_FALSE(request(&p, "request 2").current);
	expect_text(detail(&p, "rcs0", "request"), "before it reports that it is done");
	discharge(&p);
	/* The engine has continued. */
	admit(&p, "GPU HANG: ecode 9:1:00000000, in app [5]\nKernel: 6.1.0\nPCI ID: 0x1912\n"
	      "rcs0 command stream:\n  START: 0x00100000\n  HEAD:  0x000000b8 [0x00000010]\n"
	      "  TAIL:  0x000000f8 [0x00000070, 0x000000b8]\n  CTL:   0x00003001\n" HUNG, NULL);
	expect_text(detail(&p, "rcs0", "request"),
		    "HEAD is not in the request that the driver blames, 0x10 to 0xb8");
	discharge(&p);
}

/* ---- jobs of xe ----------------------------------------------------------------------------- */

#define XE "**** Xe Device Coredump ****\nkernel: 6.12.0\nSnapshot time: 1700000000.5\n"         \
	   "Uptime: 100.25\nProcess: app\nPCI ID: 0x9a49\n"
#define CONTEXT "**** Contexts ****\nGuC ID: 3\n\tClass: 0\n\tHW Context Desc: 0x00100000\n"
#define ENGINE "**** HW Engines ****\nrcs0 (physical), logical instance=0\n"
#define CLEARED "\tRING_START: 0x0000000000000000\n\tRING_HEAD: 0x00000000\n"                    \
		"\tRING_TAIL: 0x00000000\n\tRING_CTL: 0x00000000\n\tRING_MI_MODE: 0x00000200\n"  \
		"\tACTHD: 0x0000000000000000\n\tIPEHR: 0x00000000\n"

static void test_jobs(void)
{
	static const struct {
		const char *context, *verdict;
		enum gsc_request_state state;
	} jobs[] = {
		{ "\tLRC Head: (memory) 0\n\tLRC Tail: (internal) 168, (memory) 168\n"
		  "\tStart seqno: (memory) -127\n\tSeqno: (memory) -128\n",
		  "rcs0 hangs in a job that began but did not finish; its registers were read "
		  "after the reset", GSC_REQUEST_BEGUN },
		/* For a new context the place of the start is still empty. */
		{ "\tLRC Head: (memory) 0\n\tLRC Tail: (internal) 168, (memory) 168\n"
		  "\tStart seqno: (memory) 0\n\tSeqno: (memory) -128\n",
		  "rcs0 hangs before its job began; its registers", GSC_REQUEST_WAITS },
		{ "\tLRC Head: (memory) 80\n\tLRC Tail: (internal) 168, (memory) 168\n"
		  "\tStart seqno: (memory) 5\n\tSeqno: (memory) 5\n",
		  "rcs0 hangs before its job began", GSC_REQUEST_WAITS },
		{ "\tLRC Head: (memory) 168\n\tLRC Tail: (internal) 168, (memory) 168\n"
		  "\tStart seqno: (memory) 5\n\tSeqno: (memory) 5\n",
		  "though its jobs are done", GSC_REQUEST_DONE },
		{ "\tLRC Head: (memory) 168\n", "rcs0 hangs; its registers", GSC_REQUEST_UNKNOWN },
	};
	char text[2048];
	struct patient p;
	struct gsc_engine e;

	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++) {
		snprintf(text, sizeof(text), XE CONTEXT "%s" ENGINE CLEARED, jobs[i].context);
		admit(&p, text, NULL);
		number_of(&p, "rcs0", &e);
		CU_ASSERT_EQUAL(e.state, GSC_ENGINE_HUNG);
		expect_text(gsc_hang_verdict(p.hang), jobs[i].verdict);
		CU_ASSERT_PTR_NULL(strstr(gsc_hang_verdict(p.hang), "at 0x0"));
		CU_ASSERT_EQUAL(request(&p, "context 3").state, jobs[i].state);
		CU_ASSERT_STRING_NOT_EQUAL(detail(&p, "rcs0", "reset"), "");
		CU_ASSERT_STRING_EQUAL(detail(&p, "rcs0", "ring-empty"), "");
		discharge(&p);
	}
}

/* The job says where its batch begins, and that is in the saved memory. */
static void test_job_batch(void)
{
	struct patient p;

	admit(&p, XE CONTEXT "\tStart seqno: (memory) -127\n\tSeqno: (memory) -128\n"
	      "**** Job ****\nbatch_addr[0]: 0x0000000010000004\n" ENGINE CLEARED
	      "**** VM state ****\n[10000000].length: 0x8\n[10000000].data: zz\n", NULL);
	expect_text(gsc_hang_verdict(p.hang),
		    "rcs0 hangs in a job that began but did not finish, its batch at "
		    "ppgtt:0x10000004; its registers were read after the reset");
	discharge(&p);
}

/* Dwords in the base 85 of drivers. */
static void add_base85(char *text, const uint32_t *words, size_t count)
{
	text += strlen(text);
	for (size_t i = 0; i < count; i++) {
		uint32_t value = words[i];

		if (!value) {
			*text++ = 'z';
			continue;
		}
		for (unsigned k = 5; k-- > 0; value /= 85)
			text[k] = (char)('!' + value % 85);
		text += 5;
	}
	strcpy(text, "\n");
}

/*
 * The registers are gone, but the batch of a job that began never ends: that is where it hangs, as
 * ACTHD says where there has been no reset. Not if it might have stopped elsewhere.
 */
static void test_endless_job(void)
{
	enum { AT = 0x10000000, START = 0x18800101, WAIT = 0x0e000002 };
	static const struct {
		const char *begun, *verdict;
		bool loops;
		uint32_t words[8];
	} jobs[] = {
		{ "-127", "rcs0 hangs in a loop of the batch at ppgtt:0x10000000: "
		  "MI_BATCH_BUFFER_START at +0x8 goes back to +0x4; its registers were read after "
		  "the reset", true, { 0, 0, START, AT + 4 } },
		{ "-127", "rcs0 hangs in a loop of the batch at ppgtt:0x10000010: "
		  "MI_BATCH_BUFFER_START at +0x0 goes back to +0x0", true,
		  { START | 1 << 22, AT + 0x10, 0, 0x05000000, START, AT + 0x10 } },
		{ "-127", "rcs0 hangs in a loop of the batch at ppgtt:0x10000010: "
		  "MI_BATCH_BUFFER_START at +0x4 goes to the batch at ppgtt:0x10000000, which "
		  "leads back to it; its registers were read after the reset", true,
		  { START, AT + 0x10, 0, 0, 0, START, AT } },
		{ "0", "rcs0 hangs before its job began", false, { 0, 0, START, AT + 4 } },
		{ "-127", "rcs0 hangs in a job that began but did not finish", false,
		  { WAIT, 1, 0x20000000, 0, START, AT + 16 } },
		{ "-127", "rcs0 hangs in a job that began but did not finish", false,
		  { 0, 0, START, 0x20000000 } },
	};
	char text[2048];
	struct gsc_engine e;
	struct patient p;

	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++) {
		snprintf(text, sizeof(text), XE CONTEXT "\tLRC Head: (memory) 0\n"
			 "\tLRC Tail: (internal) 168, (memory) 168\n\tStart seqno: (memory) %s\n"
			 "\tSeqno: (memory) -128\n**** Job ****\n"
			 "batch_addr[0]: 0x0000000010000000\n" ENGINE CLEARED
			 "**** VM state ****\n[10000000].length: 0x20\n[10000000].data: ",
			 jobs[i].begun);
		add_base85(text, jobs[i].words, 8);
		admit(&p, text, "tgl");
		expect_text(gsc_hang_verdict(p.hang), jobs[i].verdict);
		number_of(&p, "rcs0", &e);
		CU_ASSERT_EQUAL(e.stopped, jobs[i].loops);
		CU_ASSERT_EQUAL(*detail(&p, "rcs0", "loops") != 0, jobs[i].loops);
		CU_ASSERT_STRING_EQUAL(gsc_hang_signature(p.hang),
				       jobs[i].loops ? "tgl/rcs0/MI_BATCH_BUFFER_START/loop"
						     : "tgl/rcs0/-/hang");
		/* Pointers that were read after the reset are not the hang's. */
		CU_ASSERT_EQUAL(e.known, 0);
		discharge(&p);
	}
}

static void test_pending(void)
{
	struct gsc_request r = { .known = 0 };
	unsigned states = 0;
	struct patient p;

	admit(&p, XE "**** GuC Log ****\nGuC version: 70.36.0 (wanted 70.29.2)\nLog level: 3\n"
	      CONTEXT "\tLRC Head: (memory) 0\n\tLRC Tail: (internal) 9, (memory) 8\n"
	      "\tStart seqno: (memory) 6\n\tSeqno: (memory) 5\n\tSchedule State: 0x441\n"
	      "\tJob: seqno=5, fence=1, finished=1\n\tJob: seqno=6, fence=0, finished=0\n"
	      "\tJob: seqno=7, fence=0, finished=0\n" ENGINE CLEARED, NULL);
	for (size_t i = 0; request_at(p.hang, i, &r); i++)
		if (!strcmp(r.name, "job"))
			states = states << 4 | r.state;
	CU_ASSERT_EQUAL(states, GSC_REQUEST_DONE << 8 | GSC_REQUEST_BEGUN << 4 | GSC_REQUEST_WAITS);
	CU_ASSERT_STRING_EQUAL(about(&p, "queue", 0), "reset");
	CU_ASSERT_STRING_EQUAL(about(&p, "fw", 0), "GuC version: 70.36.0 (wanted 70.29.2)");
	discharge(&p);
}

/* The dump is about its queue, but the engine has nothing left to do. */
static void test_idle(void)
{
	struct gsc_engine e;
	struct patient p;

	admit(&p, ENGINE "\tRING_START: 0x00234000\n\tRING_HEAD: 0x00000090\n"
	      "\tRING_TAIL: 0x00000090\n\tRING_CTL: 0x00003000\n\tRING_MI_MODE: 0x00000200\n"
	      "\tACTHD: 0x0000000000000000\n\tIPEHR: 0x02800000\n"
	      " VM root: A:0x108000000 SYS\n"
	      " [000000013f780000-000000013f7fffff] S:0x0000000000080000 A:0000000137c80000 SYS\n",
	      "tgl");
	number_of(&p, "rcs0", &e);
	CU_ASSERT_EQUAL(e.state, GSC_ENGINE_IDLE);
	expect_text(gsc_hang_verdict(p.hang), "The dump blames rcs0, but it has no work left");
	CU_ASSERT_STRING_EQUAL(property_of(p.source, "vm.root"), "A:0x108000000 SYS");
	discharge(&p);
}

/*
 * A queue whose ring is at 0x200000 had a job up to 0x98 that began and is not done; the driver
 * read the registers. Whose they are, and from when, is what the ring and its pointers show.
 */
static void test_manual(void)
{
	static const struct {
		const char *start, *head, *tail, *verdict, *capture;
		unsigned queue;
	} reads[] = {
		{ "00200000", "54", "98", "rcs0 hangs at 0x10000010",
		  "while the queue was on the engine, before any reset (Capture_source: Manual, "
		  "Coverage: full-capture); context 3 of the GuC, LRCA 0x00100000", 0x241 },
		{ "00300000", "60", "60",
		  "; its registers were read after the reset", "after the engine was reset", 0x201 },
		{ "00200000", "10", "10",
		  "; its registers were read after the reset", "after the engine was reset", 0x201 },
		{ "00300000", "60", "70",
		  "; its registers are those of another queue",
		  "while another queue was on the engine", 0x241 },
		/* At the end of the job, only the state of the queue shows a reset. */
		{ "00200000", "98", "98",
		  "; its registers were read after the reset", "after the engine was reset", 0x241 },
		{ "00200000", "98", "98", "rcs0 hangs at 0x10000010",
		  "whether before a reset, the dump does not show", 0x201 },
	};
	char text[2048];
	struct gsc_engine e;
	struct patient p;

	for (size_t i = 0; i < ARRAY_SIZE(reads); i++) {
		snprintf(text, sizeof(text), XE CONTEXT "\tHW Ring address: 0x00200000\n"
			 "\tLRC Head: (memory) 0\n\tLRC Tail: (internal) 152, (memory) 152\n"
			 "\tStart seqno: (memory) -127\n\tSeqno: (memory) -128\n"
			 "\tSchedule State: 0x%x\n" ENGINE "\tCapture_source: Manual\n"
			 "\tCoverage: full-capture\n\tRING_START: 0x%s\n\tRING_HEAD: 0x000000%s\n"
			 "\tRING_TAIL: 0x000000%s\n\tRING_CTL: 0x00003001\n"
			 "\tRING_MI_MODE: 0x00000200\n\tACTHD: 0x0000000010000010\n"
			 "\tRING_INSTDONE: 0xffffffff\n", reads[i].queue,
			 reads[i].start, reads[i].head, reads[i].tail);
		admit(&p, text, NULL);
		number_of(&p, "rcs0", &e);
		CU_ASSERT_EQUAL(e.state, GSC_ENGINE_HUNG);
		expect_text(gsc_hang_verdict(p.hang), reads[i].verdict);
		expect_text(detail(&p, "rcs0", "capture"), reads[i].capture);
		discharge(&p);
	}
}

/* What a queue says of the whole GPU, and a dump of neither. */
static void test_wedged(void)
{
	struct patient p;

	admit(&p, XE CONTEXT "\tSchedule State: 0x100\n" ENGINE, NULL);
	CU_ASSERT(p.hang->limits->known && p.hang->limits->of[WEDGED] == IS_WEDGED);
	discharge(&p);
	admit(&p, XE CONTEXT "\tSchedule State: 0x200\n" ENGINE, NULL);
	CU_ASSERT(!p.hang->limits->known);
	discharge(&p);
}

/* Nothing shows on which of two engines the job was, but it is not done. */
static void test_two_engines(void)
{
	struct patient p;

	admit(&p, XE "**** Contexts ****\nGuC ID: 5\n\tClass: 1\n\tLogical mask: 0x3\n\tWidth: 1\n"
	      "\tHW Context Desc: 0x00506000\n\tLRC Head: (memory) 0\n"
	      "\tLRC Tail: (internal) 632, (memory) 632\n\tStart seqno: (memory) -127\n"
	      "\tSeqno: (memory) -128\n**** HW Engines ****\n"
	      "vcs0 (physical), logical instance=0\n" CLEARED
	      "vcs2 (physical), logical instance=1\n" CLEARED, NULL);
	expect_text(gsc_hang_verdict(p.hang), "The registers of the dump do not show where its queue "
		    "hangs: context 5 (vcs): LRC head 0x0, tail 0x278, ");
	discharge(&p);
}

/* What the GuC saved, in the words of both drivers. */
static void test_capture(void)
{
	struct patient p;

	admit(&p, XE CONTEXT "\tLRC Tail: (internal) 152, (memory) 152\n"
	      "\tStart seqno: (memory) -127\n\tSeqno: (memory) -128\n\tSchedule State: 0x241\n"
	      ENGINE "\tCapture_source: GuC\n\tCoverage: partial-capture\n"
	      "\tRING_START: 0x00200000\n\tRING_HEAD: 0x00000098\n\tRING_TAIL: 0x00000098\n"
	      "\tRING_INSTDONE: 0xffffffff\n", NULL);
	CU_ASSERT_STRING_EQUAL(detail(&p, "rcs0", "reset"), "");
	expect_text(detail(&p, "rcs0", "capture"), "the GuC saved the registers before it reset the "
		    "engine (Capture_source: GuC, Coverage: partial-capture): registers that are "
		    "missing here are unknown; context 3 of the GuC, LRCA 0x00100000");
	discharge(&p);
	admit(&p, "GPU HANG: ecode 12:1:e77ffeff, in app [5]\nKernel: 7.2.0\nPCI ID: 0x9a49\n"
	      "global --- GuC Error Capture on rcs0 command stream:\nCoverage:  full-capture\n"
	      "  RegListType: Engine-Instance\n    GuC-Context-Id: 0x00001004\n"
	      "    LRCA: 0x3edc0000\n    NumRegs: 2\n      HEAD:  0x00000080\n"
	      "      TAIL:  0x000000c0\n  hung: 1\n"
	      "GuC firmware: i915/tgl_guc_70.1.1.bin\n\tstatus: RUNNING\n"
	      "HuC firmware: i915/tgl_huc_7.9.3.bin\n"
	      "GuC Send CTB: raw: 0x00000004, 0x00000181/00000190, cached: 0x0/0x1\n"
	      "GuC Recv CTB: raw: 0x00000000, 0x00000059/00000059, cached: 0x0/0x1\n", NULL);
	CU_ASSERT_STRING_EQUAL(detail(&p, "rcs0", "capture"), "the GuC saved the registers before "
			       "it reset the engine (Coverage: full-capture); GuC-Context-Id "
			       "0x00001004, LRCA 0x3edc0000");
	CU_ASSERT_STRING_EQUAL(about(&p, "fw", 0), "GuC firmware: i915/tgl_guc_70.1.1.bin");
	CU_ASSERT_STRING_EQUAL(about(&p, "fw", 1), "HuC firmware: i915/tgl_huc_7.9.3.bin");
	CU_ASSERT_STRING_EQUAL(about(&p, "guc", 0), "requests to the GuC (Send): status 0x4: head "
			       "or tail was modified; not all are read: head 0x181, tail 0x190");
	CU_ASSERT_STRING_EQUAL(about(&p, "guc", 1), "");
	discharge(&p);
}

/* xe's short dump when messages no longer get through. */
static void test_dead_channel(void)
{
	static const char *const said[] = {
		"requests to the GuC (H2G): broken: xe no longer uses this buffer",
		"requests to the GuC (H2G): status 0x3: head or tail too large, a message is "
		"truncated",
		"requests to the GuC (H2G): 8 dwords are in the buffer that the GuC has not read",
		"1 answer of the GuC is outstanding", "",
	};
	struct patient p;

	admit(&p, "**** Xe Device Coredump ****\nReason: CTB is dead - 0x8102\nPCI ID: 0x64a0\n"
	      "**** GuC Log ****\nGuC firmware: xe/lnl_guc_70.bin\n**** GuC CT ****\n"
	      "H2G CTB (all sizes in DW):\n\tsize: 1024\n\tbroken: 1\n\thead (memory): 1020\n"
	      "\ttail (memory): 4\n\tstatus (memory): 0x3\nG2H CTB (all sizes in DW):\n"
	      "\tsize: 4096\n\tbroken: 0\n\thead (memory): 9\n\ttail (memory): 9\n"
	      "\tstatus (memory): 0x0\n\tg2h outstanding: 1\n", NULL);
	CU_ASSERT_STRING_EQUAL(gsc_hang_verdict(p.hang), "The driver lost the GuC: CTB is dead - "
			       "0x8102: the GuC read no requests for too long, the GuC crashed; the "
			       "dump has no state of the engines.");
	CU_ASSERT_STRING_EQUAL(gsc_hang_signature(p.hang), "lnl/-/-/guc-dead");
	CU_ASSERT_STRING_EQUAL(about(&p, "fw", 0), "GuC firmware: xe/lnl_guc_70.bin");
	for (size_t i = 0; i < ARRAY_SIZE(said); i++)
		CU_ASSERT_STRING_EQUAL(about(&p, "guc", i), said[i]);
	discharge(&p);
}

static void test_cut(void)
{
	struct patient p;

	admit(&p, XE "**** GuC CT ****\n\tsize: 5\n\nGuC ID: 5\n\tName: rcs5\n\tClass: 0\n"
	      "\tHW Context Desc: 0x00506000\n\tLRC Head: (memory) 0\n"
	      "\tLRC Tail: (internal) 632, (memory) 632\n\tStart seqno: (memory) -127\n"
	      "\tSeqno: (memory) -128\n\t[HWSP].length: 0x1000\n\t[HWSP].data: zzzz", NULL);
	expect_text(about(&p, "cut", 0), "it ends in the part \"Contexts\", before \"HW Engines\"");
	expect_text(gsc_hang_verdict(p.hang), "The state of the engines is not in this dump: it ends in");
	expect_text(gsc_hang_verdict(p.hang), "context 5 (rcs): LRC head 0x0, tail 0x278, last "
		    "job to begin -127 (the first is -127), last to finish none: a job began "
		    "but did not finish");
	expect_text(about(&p, "boot", 0), "100.25");
	CU_ASSERT_STRING_EQUAL(about(&p, "uptime", 0), "");
	discharge(&p);
	admit(&p, "GPU HANG: ecode 9:1:00000000, in app [5]\nKernel: 6.1.0\nPCI ID: 0x1912\n"
	      "EIR: 0x00000000\n  fence[0] = 00000000\n", NULL);
	expect_text(about(&p, "cut", 0), "before the engines");
	discharge(&p);
	admit(&p, SKL HUNG, NULL);
	expect_text(about(&p, "cut", 0), "before the device and the driver's options");
	discharge(&p);
}

/* It ends before the engines, but has named the process of one. */
static void test_active(void)
{
	static const struct {
		const char *code, *active, *verdict, *why;
	} cuts[] = {
		{ "12:4:85dffffb", "Active process (on ring vcs1): a [5]\n", "vcs2 hangs",
		  "the dump has an active process on this engine alone, which i915 calls vcs1: a "
		  "[5]; the class in its hang code fits" },
		/* No class at all, as when the hang is one of a whole GPU. */
		{ "12:0:00000000", "Active process (on ring vcs1): a [5]\n",
		  "The GPU hung (ecode 12:0:00000000, in a [5]), but", NULL },
		/* The code is about another class. */
		{ "12:1:85dffffb", "Active process (on ring vcs1): a [5]\n", "rcs0 hangs", NULL },
		{ "12:4:85dffffb", "Active process (on ring vcs0): a [5]\n"
		  "Active process (on ring vcs1): b [6]\n",
		  "The GPU hung (ecode 12:4:85dffffb, in a [5]), on vcs0 or vcs2, but", NULL },
		{ "12:4:85dffffb", "", "The GPU hung (ecode 12:4:85dffffb, in a [5]), on vcs0 or "
		  "vcs2, but", NULL },
	};
	struct gsc_fence f = { 0 };
	struct patient p;
	char text[512];

	for (size_t i = 0; i < ARRAY_SIZE(cuts); i++) {
		snprintf(text, sizeof(text), "GPU HANG: ecode %s, in a [5]\nKernel: 6.1.0\n"
			 "Time: 5 s 1 us\n%sPCI ID: 0x9a49\nEIR: 0x00000000\n"
			 "  fence[0] = 13c603b00bc0001\n  fence[1] = 00000000\n"
			 "  fence[2] = 13c603b00b", cuts[i].code, cuts[i].active);
		admit(&p, text, NULL);
		expect_text(gsc_hang_verdict(p.hang), cuts[i].verdict);
		if (cuts[i].why)
			CU_ASSERT_STRING_EQUAL(detail(&p, "vcs2", "blamed"), cuts[i].why);
		expect_text(about(&p, "cut", 0), "it ends before the engines");
		CU_ASSERT_FATAL(fence_at(p.hang, 0, &f));
		CU_ASSERT(f.valid);
		CU_ASSERT_EQUAL(f.start, 0xbc0000);
		/* The last one is cut: it would be another fence. */
		CU_ASSERT(fence_at(p.hang, 1, &f));
		CU_ASSERT_FALSE(fence_at(p.hang, 2, &f));
		discharge(&p);
	}
}

/* ---- objects -------------------------------------------------------------------------------- */

static void test_objects(void)
{
	struct gsc_object o;
	struct patient p;

	admit(&p, OLD "Active [2]:\n"
	      "  02540000     4096 50 02 c9559 0 P X dirty render snooped (LLC) (name: 8) (fence: 3)\n"
	      "  02541000    65536 50 00 c9559 0\nPinned [1]:\n"
	      "  00001000   131072 40 40 0 0 P dirty uncached\n", NULL);
	expect_text(detail(&p, "rcs0", "object"), "ACTHD is in an active object of 0x1000 bytes at "
		    "0x2540000, read by instruction, GTT, written by render, pinned, X-tiled, "
		    "dirty, render, snooped, LLC, name: 8, fence: 3");
	CU_ASSERT(object_at(p.hang, 2, &o));
	CU_ASSERT_STRING_EQUAL(o.list, "Pinned [1]");
	CU_ASSERT_EQUAL(o.start, 0x1000);
	CU_ASSERT_EQUAL(o.size, 0x20000);
	CU_ASSERT_FALSE(object_at(p.hang, 3, &o));
	discharge(&p);
	/* Of Linux 4.4 */
	admit(&p, SKL "  ACTHD: 0x00000001 02540010\n" HUNG "vm[0]\n  Active [1]:\n"
	      "    00000001_02540000     8192 02 00 [ 2d4b9 00 00 00 00 ] 00 Y userptr render"
	      " uncached\n", NULL);
	expect_text(detail(&p, "rcs0", "object"), "an active object of 0x2000 bytes at "
		    "0x102540000, read by render, Y-tiled, userptr, render, uncached");
	discharge(&p);
	admit(&p, XE ENGINE "\tRING_START: 0x00100000\n\tRING_HEAD: 0x00000010\n"
	      "\tRING_TAIL: 0x00000090\n\tRING_CTL: 0x00003001\n\tACTHD: 0x0000000020000010\n"
	      "\tIPEHR: 0x00000000\n**** VM state ****\nVM.uapi_flags: 0x1\n"
	      "[20000000].length: 0x1000\n"
	      "[20000000].properties: read_write|bo|mem_region=0x1|pat_index=1\n"
	      "[20000000].error: -14\n", NULL);
	expect_text(detail(&p, "rcs0", "object"), "a VM range of 0x1000 bytes at "
		    "0x20000000, read_write|bo|mem_region=0x1|pat_index=1, not copied: error -14");
	discharge(&p);
}

/* ---- facts ---------------------------------------------------------------------------------- */

static void test_about(void)
{
	struct patient p;

	admit(&p, "GPU HANG: ecode 11:4:00000000, in player [26]\nKernel: 6.14.0\n"
	      "Time: 1700000000 s 5 us\nBoottime: 276 s 592007 us\nUptime: 266 s 375593 us\n"
	      "Capture: 4294943744 jiffies; 173135 ms ago\n"
	      "Active process (on ring vcs0): player [26]\n"
	      "Active process (on ring vecs0): other [27]\nReset count: 2\nSuspend count: 0\n"
	      "PCI ID: 0x4571\nIOMMU enabled?: 1\nGT awake: no\nPM suspended: no\n"
	      "DMC fw version: 2.16\nvcs0 command stream:\n  HEAD: 0x00000000\n"
	      "GuC firmware: i915/ehl_guc_70.bin\n\tstatus: RUNNING\n"
	      "\tversion: wanted 70.5.1, found 70.20.0\navailable engines: 1\n"
	      "gen: 11\ni915.enable_guc=3\ni915.enable_rc6=-1\n",
	      NULL);
	CU_ASSERT_STRING_EQUAL(about(&p, "process", 0), "player [26], on vcs0");
	CU_ASSERT_STRING_EQUAL(about(&p, "process", 1), "other [27], on vecs0");
	CU_ASSERT_STRING_EQUAL(about(&p, "process", 2), "");
	expect_text(about(&p, "boot", 0), "276.592007 s after boot");
	expect_text(about(&p, "uptime", 0), "266.375593 s after the driver started");
	CU_ASSERT_STRING_EQUAL(about(&p, "capture", 0), "read 173.135 s after it was taken");
	CU_ASSERT_STRING_EQUAL(about(&p, "resets", 0), "2");
	CU_ASSERT_STRING_EQUAL(about(&p, "suspend", 0), "");
	CU_ASSERT_STRING_EQUAL(about(&p, "power", 0), "GT awake: no");
	CU_ASSERT_STRING_EQUAL(about(&p, "power", 1), "");
	CU_ASSERT_STRING_EQUAL(about(&p, "iommu", 0), "1");
	CU_ASSERT_STRING_EQUAL(about(&p, "fw", 0), "DMC version: 2.16");
	CU_ASSERT_STRING_EQUAL(about(&p, "option", 0), "enable_guc=3");
	CU_ASSERT_STRING_EQUAL(about(&p, "option", 1), "");
	discharge(&p);
	/* If no separate line names the process, the headline does. */
	admit(&p, "GPU HANG: ecode 9:1:00000000, in app [5]\nPCI ID: 0x1912\nEIR: 0x00000000\n",
	      NULL);
	CU_ASSERT_STRING_EQUAL(about(&p, "process", 0), "app [5]");
	discharge(&p);
}

SUITE(hang_lists,
	{ "wraps", test_wraps },
	{ "loop", test_loop },
	{ "old fault", test_old_fault },
	{ "runaway", test_runaway },
	{ "ports", test_ports },
	{ "old list", test_old_list },
	{ "new list", test_new_list },
	{ "jobs", test_jobs },
	{ "the batch of a job", test_job_batch },
	{ "a job that never ends", test_endless_job },
	{ "pending jobs", test_pending },
	{ "idle", test_idle },
	{ "a dump by hand", test_manual },
	{ "one of two engines", test_two_engines }, { "a wedged GPU", test_wedged },
	{ "a capture of the GuC", test_capture },
	{ "a dead channel", test_dead_channel },
	{ "cut", test_cut },
	{ "cut, with a process", test_active },
	{ "objects", test_objects },
	{ "about", test_about })
