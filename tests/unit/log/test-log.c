/* SPDX-License-Identifier: MIT */
/* Kernel logs: every message, of every age, behind whatever may stand in front of it. */
#include "log/log.h"
#include "regs-helpers.h"
#include "log-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the IOMMU ------------------------------------------------------------------------------ */

static void check_dma(const char *text, const char *access, uint64_t address, unsigned reason,
		      int pasid)
{
	struct gsc_event event = one(text);

	CU_ASSERT_EQUAL(event.kind, GSC_EVENT_DMA_FAULT);
	CU_ASSERT_STRING_EQUAL(event.device, "0000:00:02.0");
	CU_ASSERT_STRING_EQUAL(event.driver, "DMAR");
	CU_ASSERT_STRING_EQUAL(event.fault.access, access);
	CU_ASSERT_STRING_EQUAL(event.fault.space, "dma");
	CU_ASSERT(event.fault.valid && event.fault.has_address && event.has_reason);
	CU_ASSERT_EQUAL(event.fault.address, address);
	CU_ASSERT_EQUAL(event.reason, reason);
	CU_ASSERT_EQUAL(event.has_pasid, pasid >= 0);
	if (pasid >= 0)
		CU_ASSERT_EQUAL(event.pasid, (unsigned)pasid);
}

static void dma_faults(void)
{
	check_dma("DMAR:[DMA Read] Request device [00:02.0] fault addr fa700000 \n"
		  "DMAR:[fault reason 06] PTE Read access is not set\n", "read", 0xfa700000, 6, -1);
	check_dma("DMAR: [DMA Write] Request device [00:02.0] fault addr ffff000 [fault reason 12] "
		  "non-zero reserved fields in PTE", "write", 0xffff000, 12, -1);
	check_dma("dmar: [DMA Read] Request device [00:02.0] PASID ffffffff fault addr fa70e000 "
		  "[fault reason 06] PTE Read access is not set", "read", 0xfa70e000, 6, -1);
	check_dma("DMAR: [DMA Read] Request device [00:02.0] PASID 5 fault addr 1000 "
		  "[fault reason 113] SM: Present bit in first-level paging entry is clear",
		  "read", 0x1000, 0x71, 5);
	check_dma("DMAR: [DMA Read NO_PASID] Request device [0x00:0x02.0] fault addr 0x7c592000 "
		  "[fault reason 0x06] PTE Read access is not set", "read", 0x7c592000, 6, -1);
	check_dma("DMAR: [DMA Write PASID 0x1f] Request device [00:02.0] fault addr "
		  "0xfffffffff000 [fault reason 0x79] SM: x", "write", 0xfffffffff000, 0x79,
		  0x1f);
	check_dma("DMAR: [DMA Write] Request device [0000:00:02.0] fault addr 0x1000 "
		  "[fault reason 0ch] x", "write", 0x1000, 12, -1);
}

static void reasons(void)
{
	struct gsc_event event = one("DMAR: [DMA Read] Request device [00:02.0] fault addr "
				     "8900a000 [fault reason 05] PTE Write access is not set");

	CU_ASSERT(says(&event, "no write permission, reason 0x5"));
	CU_ASSERT_STRING_EQUAL(event.fault.level, "vtd-sl");
	event = one("[DMA Read] Request device [00:02.0] fault addr 1000 [fault reason 0x59] x");
	CU_ASSERT(says(&event, "PASID entry not present"));
	event = one("[DMA Read] Request device [00:02.0] fault addr 1000 [fault reason 0xee] x");
	CU_ASSERT(says(&event, "0xee, which has no documented meaning"));
	event = one("[DMA Read] Request device [00:02.0] fault addr 1000 [fault reason 300] x");
	CU_ASSERT_FALSE(event.has_reason);
	event = one("INTR-REMAP: Request device [[00:02.0] fault index 1f\n"
		    "INTR-REMAP:[fault reason 38] Blocked an interrupt request");
	CU_ASSERT_FALSE(event.fault.has_address);
	CU_ASSERT_EQUAL(event.reason, 38);
	CU_ASSERT(says(&event, "interrupt 31 of 0000:00:02.0"));
	/* pasid_present, rid 00:02.0, pasid 3; a write to 0x5000. */
	event = one("DMAR: dmar0: Invalid page request: 300100101 5002");
	CU_ASSERT_EQUAL(event.line, 1);
	event = one("DMAR: dmar0: Invalid page request: 300100101 5002\n");
	CU_ASSERT_STRING_EQUAL(event.device, "0000:00:02.0");
	CU_ASSERT_EQUAL(event.pasid, 3);
	CU_ASSERT_EQUAL(event.fault.address, 0x5000);
}

/* Other devices are none of ours, unless the log has a GPU's driver there. */
static void devices(void)
{
	static const char fault[] = "DMAR: [DMA Read NO_PASID] Request device [03:00.0] fault addr "
				    "0x1000 [fault reason 0x06] x\n";
	char text[600];

	CU_ASSERT_EQUAL(read_text(fault).count, 0);
	snprintf(text, sizeof(text), "%sxe 0000:03:00.0: [drm] Found battlemage\n", fault);
	CU_ASSERT_EQUAL(read_text(text).count, 1);
	snprintf(text, sizeof(text), "i915 0000:03:00.0: [drm] x\n%s", fault);
	CU_ASSERT_EQUAL(read_text(text).count, 1);
	snprintf(text, sizeof(text), "nvme 0000:03:00.0: x\n%s", fault);
	CU_ASSERT_EQUAL(read_text(text).count, 0);
	CU_ASSERT_EQUAL(read_text("DMAR: [DMA Read] Request device [0001:00:02.0] fault addr 1000 "
				  "[fault reason 06] x").count, 0);
}

/* ---- what stands in front ------------------------------------------------------------------- */

static void check_front(const char *front, const char *stamp, double time)
{
	char text[700];
	struct gsc_event event;

	snprintf(text, sizeof(text), "%si915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in "
		 "Xorg [1981]\n", front);
	event = one(text);
	CU_ASSERT_STRING_EQUAL(event.stamp, stamp);
	if (strcmp(event.stamp, stamp))
		printf("\n\"%s\" gave \"%s\"\n", front, event.stamp);
	CU_ASSERT_EQUAL(event.has_time, time >= 0);
	if (time >= 0)
		CU_ASSERT_DOUBLE_EQUAL(event.time, time, 1e-6);
	CU_ASSERT_STRING_EQUAL(event.device, "0000:00:02.0");
	CU_ASSERT_STRING_EQUAL(event.process, "Xorg [1981]");
	CU_ASSERT_EQUAL(event.code, 0x85dffffb);
}

static void fronts(void)
{
	check_front("", "", -1);
	check_front("[   20.279445] ", "20.279445", 20.279445);
	check_front("<3>[   20.279445] ", "20.279445", 20.279445);
	check_front("<3> [425.622060] ", "425.622060", 425.62206);
	check_front("Oct 24 21:13:54 jan-desktop kernel: [ 6222.555503] ", "6222.555503",
		    6222.555503);
	check_front("Oct  2 19:02:50 matt kernel: ", "Oct  2 19:02:50", -1);
	check_front("2026-11-21T17:12:00,279445+01:00 ", "2026-11-21T17:12:00,279445+01:00", -1);
	check_front("2026-11-21T17:12:00.1+01:00 host kernel: ", "2026-11-21T17:12:00.1+01:00", -1);
	check_front("[Sat Nov 21 17:12:00 2026] ", "Nov 21 17:12:00", -1);
	check_front("3,1234,20279445,-;", "20.279445", 20.279445);
	check_front("> > | [ 20.5] ", "20.5", 20.5);
	check_front("  412:[    1.5] ", "1.5", 1.5);
	check_front("\033[32m[   20.279445] \033[0m\033[33m", "20.279445", 20.279445);
	check_front("[   20.279445][  T123] ", "20.279445", 20.279445);
	check_front("[   20.279445@3] ", "", -1);
}

/* A message ends where the next one begins, also in the same line. */
static void one_line(void)
{
#define FIRST "[ 1.0] i915 0000:00:02.0: [drm] Resetting rcs0 for x"
#define SECOND "[ 2.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in X [5]"
	static const char *const texts[] = {
		FIRST " " SECOND "\n", "<li>" FIRST "</li><li>" SECOND "</li>\n",
		"[\"" FIRST "\", \"" SECOND "\"]\n", FIRST "\\n" SECOND "\\n",
	};
	struct heard heard;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		heard = read_text(texts[i]);
		CU_ASSERT_EQUAL_FATAL(heard.count, 2);
		CU_ASSERT_STRING_EQUAL(heard.events[0].process, "");
		CU_ASSERT_STRING_EQUAL(heard.events[0].stamp, "1.0");
		CU_ASSERT_STRING_EQUAL(heard.events[1].process, "X [5]");
		CU_ASSERT_STRING_EQUAL(heard.events[1].stamp, "2.0");
		CU_ASSERT_EQUAL(heard.events[1].line, 1);
	}
	heard = read_text("It says \"Resetting rcs0 for x\" and `GPU HANG: ecode 9:1:1, in X [5]`.\n");
	CU_ASSERT_EQUAL_FATAL(heard.count, 2);
	CU_ASSERT_STRING_EQUAL(heard.events[1].process, "X [5]");
}

/* Which card has the dump, if the log says so. */
static void cards(void)
{
	struct gsc_event event;

	event = one("[drm] GPU crash dump saved to /sys/class/drm/card1/error\n");
	CU_ASSERT(says(&event, "/sys/class/drm/card1/error, until"));
	event = one("xe 0000:03:00.0: [drm] Xe device coredump has been created\n"
		    "xe 0000:03:00.0: [drm] Check your /sys/class/drm/card12/device/devcoredump/data\n");
	CU_ASSERT(says(&event, "/sys/class/drm/card12/device/devcoredump/data; the"));
	event = one("xe 0000:03:00.0: [drm] Xe device coredump has been created\n");
	CU_ASSERT(says(&event, "cardN"));
}

static void line_ends(void)
{
	struct heard heard = read_text("one\r\n\r\n[ 1.0] [drm] GPU HANG: ecode 9:1:1, in X [1]\r\n"
				       "\x1b[31mx\x1b[0m\r\nxe 0000:03:00.0: [drm] GT0: Timedout "
				       "job: seqno=1, guc_id=2, flags=0x0 in a b [c] [77]");

	CU_ASSERT_EQUAL_FATAL(heard.count, 2);
	CU_ASSERT_EQUAL(heard.events[0].line, 3);
	CU_ASSERT_STRING_EQUAL(heard.logs[0], "[ 1.0] [drm] GPU HANG: ecode 9:1:1, in X [1]");
	CU_ASSERT_EQUAL(heard.events[1].line, 5);
	CU_ASSERT_STRING_EQUAL(heard.events[1].process, "a b [c] [77]");
}

/* ---- hangs and resets ----------------------------------------------------------------------- */

static void check_hang(const char *text, const char *engine, const char *process, uint32_t code)
{
	struct gsc_event event = one(text);

	CU_ASSERT_EQUAL(event.kind, GSC_EVENT_HANG);
	CU_ASSERT_STRING_EQUAL(event.driver, "i915");
	CU_ASSERT_STRING_EQUAL(event.fault.engine, engine);
	CU_ASSERT_STRING_EQUAL(event.process, process);
	CU_ASSERT_EQUAL(event.code, code);
	CU_ASSERT_EQUAL(event.has_code, code != 0);
}

static void hangs(void)
{
	struct gsc_event event = one("GPU HANG: ecode 12:1:85dffffb, in game.exe [77]");

	CU_ASSERT(says(&event, "generation 12"));
	check_hang("[drm:i915_hangcheck_elapsed] *ERROR* Hangcheck timer elapsed... GPU hung", "",
		   "", 0);
	check_hang("[drm] GPU HANG: ecode 0:0x85dffffb, in Xorg [19819], reason: Ring hung, "
		   "action: reset", "rcs0", "Xorg [19819]", 0x85dffffb);
	check_hang("[drm] GPU HANG: ecode 6:2:0x00fffff7, in X [5230], reason: Ring hung, action: "
		   "reset", "bcs0", "X [5230]", 0xfffff7);
	check_hang("[drm] GPU HANG: ecode 9:3:0x00fffff7, in X [5230], reason: Hang on vcs1, "
		   "action: reset", "vcs1", "X [5230]", 0xfffff7);
	check_hang("[drm] GPU HANG: ecode 8:0:0x85dffffb, in chrome [1], reason: Hang on render "
		   "ring, action: reset", "rcs0", "chrome [1]", 0x85dffffb);
	check_hang("i915 0000:00:02.0: GPU HANG: ecode 6:1:0xfffffffe, in spring-main [8656], hang "
		   "on rcs0", "rcs0", "spring-main [8656]", 0xfffffffe);
	check_hang("GPU HANG: ecode 12:1:85dffffb, in game.exe [77]", "rcs", "game.exe [77]",
		   0x85dffffb);
	check_hang("GPU HANG: ecode 12:1:00000001, in player on bcs0 [5], hang on rcs0", "rcs0",
		   "player on bcs0 [5]", 1);
	check_hang("GPU HANG: ecode 12:1:00000001, in player on bcs0 [5]", "rcs",
		   "player on bcs0 [5]", 1);
	check_hang("GPU HANG: ecode 12:10:00000001", "ccs", "", 1);
	check_hang("GPU HANG: ecode 12:3:00000001", "", "", 1);
	check_hang("GPU HANG: ecode 7:-1:0x00000001, reason: Ring hung, action: continue", "", "",
		   1);
	check_hang("GPU HANG: ecode -1:0x00000001, reason: x, action: continue", "", "", 1);
	check_hang("GPU HANG: ecode 0x00000001", "", "", 1);
	check_hang("GPU HANG: ecode 9:1:", "", "", 0);
	check_hang("GPU HANG: ecode 9:1:123456789, hang on rcs0", "rcs0", "", 0);
	check_hang("GPU HANG: ecode 9:1:12345678912345678, hang on rcs0", "rcs0", "", 0);
	check_hang("GPU HANG: ecode 0x123456789abc, in X [1]", "", "X [1]", 0);
	check_hang("GPU HANG: ecode ", "", "", 0);
}

/* The engine may be named in a line of its own. */
static void stuck(void)
{
	struct heard heard = read_text(
		"[ 1.0] [drm] stuck on blitter ring\n"
		"[ 1.1] [drm] GPU HANG: ecode 6:-1:0x00fffff7, in X [5230], reason: x\n"
		"[ 1.2] [drm] GPU hangs can indicate a bug anywhere\n"
		"[ 1.3] drm/i915: Resetting chip after gpu hang\n"
		"[ 9.0] [drm] GPU crash dump saved to /sys/class/drm/card0/error\n");

	CU_ASSERT_EQUAL_FATAL(heard.count, 3);
	CU_ASSERT_STRING_EQUAL(heard.events[0].fault.engine, "bcs0");
	CU_ASSERT_EQUAL(heard.events[0].line, 1);
	CU_ASSERT_EQUAL(heard.events[0].lines, 2);
	CU_ASSERT_EQUAL(heard.events[0].code, 0xfffff7);
	CU_ASSERT_EQUAL(heard.events[1].kind, GSC_EVENT_RESET);
	CU_ASSERT(says(&heard.events[1], "the whole GPU: gpu hang"));
	CU_ASSERT_EQUAL(heard.events[2].kind, GSC_EVENT_DUMP);
}

static const struct {
	const char *text;
	enum gsc_event_kind kind;
	const char *engine, *driver;
} plain[] = {
	{ "Hangcheck timer elapsed... blt ring idle [waiting on 1, at 1], missed IRQ?",
	  GSC_EVENT_ERROR, "bcs0", "i915" },
	{ "[drm:i915_reset] *ERROR* Failed to reset chip.", GSC_EVENT_ERROR, "", "i915" },
	{ "i915 0000:00:02.0: [drm] Resetting rcs0 for preemption time out", GSC_EVENT_RESET,
	  "rcs0", "i915" },
	{ "i915 0000:00:02.0: [drm] Resetting chip for stopped heartbeat on rcs0", GSC_EVENT_RESET,
	  "", "i915" },
	{ "Resetting vcs'1 for hang on vcs'1", GSC_EVENT_RESET, "vcs1", "i915" },
	{ "i915 0000:00:02.0: [drm] GT0: GUC: Got context reset notification: 0x1002 on rcs0, "
	  "exiting = no, banned = no", GSC_EVENT_RESET, "rcs0", "i915" },
	{ "[drm:snb_gt_irq_handler] *ERROR* GT error interrupt 0x02000000", GSC_EVENT_ERROR, "bcs0",
	  "i915" },
	{ "i915 0000:00:02.0: [drm:gen6_gt_irq_handler [i915]] Command parser error, gt_iir "
	  "0x00000008", GSC_EVENT_ERROR, "rcs0", "i915" },
	{ "i915 0000:00:02.0: [drm] Command parser error, pm_iir 0x00001000", GSC_EVENT_ERROR,
	  "vecs0", "i915" },
	{ "i915 0000:00:02.0: [drm] *ERROR* rcs0 reset request timed out: {request: 1, "
	  "RESET_CTL: 1}", GSC_EVENT_ERROR, "rcs0", "i915" },
	{ "Fence expiration time out i915-0000:00:02.0:Xorg[123]:1a!", GSC_EVENT_ERROR, "", "i915" },
	{ "Fence expiration time out i915-0000:00:02.0:0000:00:02.0:2!", GSC_EVENT_ERROR, "",
	  "i915" },
	{ "xe 0000:00:02.0: [drm] GT0: Engine reset: engine_class=bcs, logical_mask: 0x2, guc_id=0",
	  GSC_EVENT_RESET, "bcs", "xe" },
	{ "xe 0000:00:02.0: [drm] Engine reset: guc_id=3", GSC_EVENT_RESET, "", "xe" },
	{ "xe 0000:6b:00.0: [drm] Tile0: GT0: Engine memory CAT error [18]: class=bcs, "
	  "logical_mask: 0x1, guc_id=0", GSC_EVENT_FAULT, "bcs", "xe" },
	{ "GT0: Engine memory cat error: engine_class=ccs, logical_mask: 0xf, guc_id=1",
	  GSC_EVENT_FAULT, "ccs", "xe" },
	{ "xe 0000:00:02.0: [drm] GT0: Kernel-submitted job timed out", GSC_EVENT_HANG, "", "xe" },
	{ "VM job timed out on non-killed execqueue", GSC_EVENT_HANG, "", "xe" },
	{ "xe 0000:00:02.0: [drm] GT0: reset started", GSC_EVENT_RESET, "", "xe" },
	{ "xe 0000:00:02.0: [drm] *ERROR* GT0: reset failed (-ETIMEDOUT)", GSC_EVENT_ERROR, "",
	  "xe" },
	{ "xe 0000:00:02.0: [drm] *ERROR* CRITICAL: Xe has declared device 0000:00:02.0 as wedged.",
	  GSC_EVENT_ERROR, "", "xe" },
	{ "xe 0000:00:02.0: [drm] Xe device coredump has been created", GSC_EVENT_DUMP, "", "xe" },
	{ "xe 0000:00:02.0: [drm] GT0: Schedule disable failed to respond", GSC_EVENT_ERROR, "",
	  "xe" },
	{ "xe 0000:00:02.0: [drm] Fault response: Unsuccessful -22", GSC_EVENT_FAULT, "", "xe" },
	{ "i915 0000:00:02.0: [drm] *ERROR* GT0: GUC: Engine reset failed on 0:0 (rcs0) because "
	  "0x00000000", GSC_EVENT_ERROR, "rcs0", "i915" },
	{ "i915 0000:00:02.0: [drm] *ERROR* GuC engine reset request failed on 0:0 (rcs0) because "
	  "0x00000000", GSC_EVENT_ERROR, "rcs0", "i915" },
	{ "i915 0000:00:02.0: [drm] *ERROR* GT0: GUC: Engine reset request failed on 0:0 (rcs0)",
	  GSC_EVENT_ERROR, "rcs0", "i915" },
	{ "xe 0000:03:00.0: [drm] *ERROR* GuC engine reset request failed on 4:1 because "
	  "0x00000000", GSC_EVENT_ERROR, "ccs1", "xe" },
	{ "[drm:intel_cpu_fifo_underrun_irq_handler [i915]] *ERROR* CPU pipe A FIFO underrun",
	  GSC_EVENT_ERROR, "", "i915" },
	{ "xe 0000:03:00.0: [drm] *ERROR* CPU pipe B FIFO underrun: soft,transcoder,",
	  GSC_EVENT_ERROR, "", "xe" },
	{ "[drm:cpt_serr_int_handler [i915]] *ERROR* PCH transcoder A FIFO underrun",
	  GSC_EVENT_ERROR, "", "i915" },
	{ "Asynchronous wait on fence i915:Xorg[63]/0:a timed out (hint:x [i915])",
	  GSC_EVENT_ERROR, "", "i915" },
	{ "Kernel: GPU hang: ecode 8:1:0x85dffffb, in Xorg[63], hang on rcs0", GSC_EVENT_HANG,
	  "rcs0", "i915" },
	{ "[drm:i915_gem_idle] *ERROR* hardware wedged", GSC_EVENT_ERROR, "", "i915" },
	{ "[drm:i915_set_reset_status] *ERROR* blitter ring hung inside bo (0x7000 ctx 2) at 0x7a40",
	  GSC_EVENT_HANG, "bcs0", "i915" },
	{ "xe 0000:07:00.0: [drm] *ERROR* failed to map registers", GSC_EVENT_ERROR, "", "xe" },
};

static void plain_messages(void)
{
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		struct heard heard = read_text(plain[i].text);

		CU_ASSERT_EQUAL(heard.count, 1);
		if (heard.count != 1) {
			printf("\n%zu events in \"%s\"\n", heard.count, plain[i].text);
			continue;
		}
		CU_ASSERT_EQUAL(heard.events[0].kind, plain[i].kind);
		CU_ASSERT_STRING_EQUAL(heard.events[0].fault.engine, plain[i].engine);
		CU_ASSERT_STRING_EQUAL(heard.events[0].driver, plain[i].driver);
		CU_ASSERT(*heard.events[0].fault.text);
	}
}

static void others_messages(void)
{
	static const char *const lines[] = {
		"usb 1-1: Resetting chip for fun", "ath9k: Failed to reset chip",
		"Resetting rcsomething",
		"amdgpu 0000:03:00.0: [drm] Failed to reset chip", "stuck on the floor",
		"r8169: reset started", "Address space: GGTT", "Faulted Address: 0x1000",
		"render error detected, EIR: 0x00000000",
		"PGTBL_ER: 0x00000000", "DRHD: handling fault status reg 3", "context reset",
		"Request device [00:02.0", "Request device [", "Hangcheck timer elapsed...",
		"i915 0000:00:02.0: [drm] Initialized i915 1.6.0 20201103",
		"Asynchronous wait on fence nouveau:Xorg[63]:a timed out (hint:x [i915])",
		"Asynchronous wait on fence ", "Asynchronous wait on fence 0000:00:02.0",
		"Fence expiration time out ", "Fence expiration time out dma_fence_stub-x:y:2!",
		"my ring hung inside bo (0x7000 ctx 2) at 0x7a40", "render ring hung inside bo (0x",
		"drm i915: FIFO underrun", "drm i915: CPU pipe FIFO underrun",
		"amdgpu 0000:03:00.0: CPU pipe A FIFO underrun",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct heard heard = read_text(lines[i]);

		CU_ASSERT_EQUAL(heard.count, 0);
		if (heard.count)
			printf("\nan event in \"%s\"\n", lines[i]);
	}
}

static void display(void)
{
	static const char text[] = "i915 0000:00:02.0: [drm] *ERROR* Fault errors on pipe A: "
				   "0x00000080\n";
	struct heard heard = read_on("skl", text);

	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT(says(&heard.events[0], "pipe A had a page fault while fetching"));
	CU_ASSERT(says(&heard.events[0], "PLANE_1_FAULT"));
	CU_ASSERT_EQUAL(heard.events[0].values[0].value, 0x80);
	heard = read_text("Asynchronous wait on fence 0000:00:02.0:gnome-shell[632]:a timed out");
	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT_STRING_EQUAL(heard.events[0].process, "gnome-shell [632]");
	CU_ASSERT_STRING_EQUAL(heard.events[0].device, "0000:00:02.0");
	heard = read_text("Fence expiration time out i915-0000:03:00.0:Render thread[713]:2e!\n"
			  "Fence expiration time out i915-0000:03:00.0:Render thread[713]:30!\n");
	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT_EQUAL(heard.events[0].repeats, 1);
	CU_ASSERT_STRING_EQUAL(heard.events[0].process, "Render thread [713]");
	CU_ASSERT_STRING_EQUAL(heard.events[0].device, "0000:03:00.0");
}

/* The line after the reset of an engine says whose work it was, if it is of the same queue. */
static void reset_for(void)
{
#define RESET_LINE "xe 0000:00:02.0: [drm] GT0: Engine reset: engine_class=rcs, " \
		   "logical_mask: 0x1, guc_id=2\n"
#define JOB_LINE(id) "xe 0000:00:02.0: [drm] GT0: Timedout job: seqno=5, lrc_seqno=5, guc_id=" \
		     id ", flags=0x0 in busy [159]\n"
	struct heard heard = read_text(RESET_LINE JOB_LINE("2"));

	CU_ASSERT_EQUAL_FATAL(heard.count, 2);
	CU_ASSERT_STRING_EQUAL(heard.events[0].process, "busy [159]");
	CU_ASSERT(says(&heard.events[0],
		       "of class rcs, logical instance 0 (process busy [159], queue 2 of the GuC)"));
	CU_ASSERT(says(&heard.events[1], "(process busy [159], queue 2 of the GuC)"));
	heard = read_text(RESET_LINE JOB_LINE("3"));
	CU_ASSERT_EQUAL_FATAL(heard.count, 2);
	CU_ASSERT_STRING_EQUAL(heard.events[0].process, "");
	CU_ASSERT(says(&heard.events[0], "of class rcs, logical instance 0 (queue 2 of the GuC)"));
}

/* Linux 3.10 names the ring first, and then where it is: one hang. */
static void hung_inside(void)
{
	struct heard heard = read_text(
		"[ 9.1] [drm:i915_hangcheck_elapsed] *ERROR* no progress on render ring\n"
		"[ 9.2] [drm:i915_set_reset_status] *ERROR* render ring hung flushing bo "
		"(0x71000 ctx 0) at 0x52b4\n");

	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT(says(&heard.events[0], "rcs0 hung at 0x52b4, flushing the batch at 0x71000"));
	CU_ASSERT_EQUAL(heard.events[0].values[0].value, 0x52b4);
	CU_ASSERT_EQUAL(heard.events[0].line, 1);
}

/* One reset says many things; what comes again in a row is counted, but not over a boot. */
static void folding(void)
{
#define DISPLAY "i915 0000:00:02.0: [drm] *ERROR* [CRTC:80:pipe A] "
#define FLOOD(at) "[ " at "] i915 0000:00:02.0: [drm] *ERROR* GT1: mask mmio request action\n"          \
		  "[ " at "] i915 0000:00:02.0: [drm] *ERROR* GT1: GUC: mmio request 0xffff: no reply\n"
	static const char job[] = "Timedout job: seqno=1, guc_id=5, flags=0x20 in a [1]\n";
	struct heard heard = read_text(
		"[ 1.0] xe 0000:03:00.0: [drm] GT0: trying reset from guc_exec_queue_timedout_job\n"
		"[ 1.1] xe 0000:03:00.0: [drm] GT0: reset queued\n"
		"[ 1.2] xe 0000:03:00.0: [drm] GT0: reset started\n"
		"[ 1.3] xe 0000:03:00.0: [drm] GT0: reset done\n");
	char text[500];

	CU_ASSERT_EQUAL(heard.count, 1);
	snprintf(text, sizeof(text), "[ 1.0] %s[ 2.0] %s[ 3.0] x\n[ 4.0] %s", job, job, job);
	heard = read_text(text);
	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT_EQUAL(heard.events[0].repeats, 2);
	/* Two messages of one failure, and floods that alternate. */
	heard = read_text(DISPLAY "flip_done timed out\n" DISPLAY "commit wait timed out\n");
	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT_EQUAL(heard.events[0].repeats, 0);
	CU_ASSERT_EQUAL(heard.events[0].lines, 2);
	heard = read_text(FLOOD("0.1") FLOOD("0.2") FLOOD("0.3") FLOOD("99.5"));
	CU_ASSERT_EQUAL_FATAL(heard.count, 4);
	CU_ASSERT_EQUAL(heard.events[0].repeats, 2);
	CU_ASSERT_EQUAL(heard.events[1].repeats, 2);
	CU_ASSERT_EQUAL(heard.events[2].repeats, 0);
	snprintf(text, sizeof(text), "[ 2.0] %s[ 1.0] %s", job, job);
	CU_ASSERT_EQUAL(read_text(text).count, 2);
}

/* ---- faults --------------------------------------------------------------------------------- */

#define GEN8(front)                                                                                \
	front "i915 0000:00:02.0: [drm:gen8_check_faults [i915]] Unexpected fault\n"               \
	front "\tAddr: 0x0000fffe_12345000\n" front "\tAddress space: PPGTT\n"                     \
	front "\tEngine ID: 4\n" front "\tSource ID: 9\n" front "\tType: 1\n"

static void check_gen8(const char *text, size_t lines)
{
	struct gsc_event event = one(text);

	CU_ASSERT_EQUAL(event.kind, GSC_EVENT_FAULT);
	CU_ASSERT_EQUAL(event.lines, lines);
	CU_ASSERT_EQUAL(event.line, 1);
	CU_ASSERT(event.fault.valid && event.fault.has_address);
	CU_ASSERT_EQUAL(event.fault.address, 0xfffe12345000);
	CU_ASSERT_STRING_EQUAL(event.fault.space, "ppgtt");
	CU_ASSERT_STRING_EQUAL(event.fault.engine, "bcs0");
	CU_ASSERT_EQUAL(event.fault.source_id, 9);
	CU_ASSERT_STRING_EQUAL(event.fault.level, "pde");
	CU_ASSERT_STRING_EQUAL(event.device, "0000:00:02.0");
	CU_ASSERT(says(&event, "invalid PDE"));
}

static void i915_faults(void)
{
	struct heard heard;
	struct gsc_event event;

	check_gen8(GEN8(""), 6);
	check_gen8(GEN8("> > "), 6);
	check_gen8(GEN8("Nov 21 17:12:00 host kernel: "), 6);
	heard = read_text(GEN8("") GEN8(""));
	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT_EQUAL(heard.events[0].repeats, 1);
	event = one("[ 3.5] [drm:i915_check_and_clear_faults] Unexpected fault\n"
		    "\tAddr: 0x00123000\\n\tAddress space: GGTT\n\tSource ID: 3\n\tType: 2\n");
	CU_ASSERT_EQUAL(event.fault.address, 0x123000);
	CU_ASSERT_STRING_EQUAL(event.fault.space, "ggtt");
	CU_ASSERT_EQUAL(event.fault.source_id, 3);
	CU_ASSERT_PTR_NULL(event.fault.type);
	CU_ASSERT_DOUBLE_EQUAL(event.time, 3.5, 1e-9);
	/* Numbers that are none. */
	event = one("Addr: 0x0000fffe_123450001234_1\nAddress space: ?\n"
		    "Source ID: 99999999999999\n");
	CU_ASSERT_FALSE(event.fault.has_address);
	CU_ASSERT_PTR_NULL(event.fault.space);
	CU_ASSERT_EQUAL(event.fault.source_id, -1);
}

static void xe_faults(void)
{
	struct gsc_event event = one(
		"[  9.5] xe 0000:03:00.0: [drm:pf_queue_work_func [xe]] \n"
		"\tASID: 9\n\tVFID: 0\n\tPDATA: 0x0450\n\tFaulted Address: 0x000001fff86a9000\n"
		"\tFaultType: 0\n\tAccessType: 1\n\tFaultLevel: 4\n\tEngineClass: 3\n"
		"\tEngineInstance: 8\n"
		"[  9.6] xe 0000:03:00.0: [drm] Fault response: Unsuccessful -22\n");

	CU_ASSERT_EQUAL(event.kind, GSC_EVENT_FAULT);
	CU_ASSERT_EQUAL(event.line, 1);
	CU_ASSERT_EQUAL(event.lines, 11);
	CU_ASSERT_STRING_EQUAL(event.device, "0000:03:00.0");
	CU_ASSERT_STRING_EQUAL(event.stamp, "9.5");
	CU_ASSERT_EQUAL(event.fault.address, 0x1fff86a9000);
	CU_ASSERT_STRING_EQUAL(event.fault.engine, "bcs8");
	CU_ASSERT_STRING_EQUAL(event.fault.access, "write");
	CU_ASSERT_STRING_EQUAL(event.fault.type, "not present");
	CU_ASSERT(event.has_asid);
	CU_ASSERT_EQUAL(event.asid, 9);
	CU_ASSERT(says(&event, "could not resolve"));
	event = one("xe 0000:00:02.0: [drm] Tile0: GT0: \n\tASID: 10\n"
		    "\tFaulted Address: 0x00000000_00001000\n\tAddress Precision: 4096\n"
		    "\tFaultType: 7\n\tAccessType: 2\n\tFaultLevel: 0\n\tEngineClass: 1 vcs\n"
		    "\tEngineInstance: 0\n");
	CU_ASSERT_EQUAL(event.fault.address, 0x1000);
	CU_ASSERT_STRING_EQUAL(event.fault.engine, "vcs0");
	CU_ASSERT_STRING_EQUAL(event.fault.access, "atomic");
	CU_ASSERT_PTR_NULL(event.fault.type);
	CU_ASSERT_EQUAL(event.asid, 10);
}

/* ---- errors --------------------------------------------------------------------------------- */

static void errors(void)
{
	struct heard heard = read_text(
		"[ 1.69] render error detected, EIR: 0x00000010\n[ 1.69] page table error\n"
		"[ 1.69]   PGTBL_ER: 0x00000110\n"
		"[ 1.69] [drm:i915_handle_error] *ERROR* EIR stuck: 0x00000010, masking\n"
		"[ 1.69] render error detected, EIR: 0x00000010\n[ 1.69] page table error\n"
		"[ 1.69]   PGTBL_ER: 0x00000110\n");
	struct gsc_event event = heard.events[0];

	CU_ASSERT_EQUAL(heard.count, 1);
	CU_ASSERT_EQUAL(event.repeats, 1);
	CU_ASSERT_EQUAL(event.kind, GSC_EVENT_ERROR);
	CU_ASSERT_EQUAL(value_of(&event, "EIR"), 0x10);
	CU_ASSERT_EQUAL(value_of(&event, "PGTBL_ER"), 0x110);
	CU_ASSERT(says(&event, "display A fetched"));
	CU_ASSERT(says(&event, "display B fetched"));
	event = one("render error detected, EIR: 0x00000008\n  IPEIR: 0x00000001\n"
		    "  IPEHR: 0x7a000002\n  INSTDONE: 0xfffffffe\n  INSTPS: 0x1\n"
		    "  INSTDONE1: 0x2\n  ACTHD: 0x00012340\n");
	CU_ASSERT_EQUAL(value_of(&event, "EIR"), 8);
	CU_ASSERT_EQUAL(value_of(&event, "IPEIR"), 1);
	CU_ASSERT_EQUAL(value_of(&event, "IPEHR"), 0x7a000002);
	CU_ASSERT_EQUAL(value_of(&event, "ACTHD"), 0x12340);
	event = one("i915 0000:00:02.0: [drm] Master Error, EIR 0x00000010\n"
		    "i915 0000:00:02.0: [drm] EIR stuck: 0x00000010, masked\n"
		    "i915 0000:00:02.0: [drm] PGTBL_ER: 0x00000001\n");
	CU_ASSERT(says(&event, "page table error"));
	CU_ASSERT(says(&event, "host"));
	event = one("[drm:i915_handle_error] *ERROR* EIR stuck: 0x00000010, masking\n");
	CU_ASSERT_EQUAL(value_of(&event, "EIR"), 0x10);
	heard = read_on("elk", "render error detected, EIR: 0x00000008\n");
	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT(says(&heard.events[0], "COMMAND_PRIVILEGE_VIOLATION_ERROR"));
	heard = read_on("brw", "PGTBL_ER: 0x00040000\n");
	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT(says(&heard.events[0], "CURSOR_FETCH_INVALID_GTT_ENTRY"));
}

/* ---- the platform --------------------------------------------------------------------------- */

static int platform_of(const char *text, char *name)
{
	struct gsc_platform platform;
	struct gsc_log *log;
	struct gsc_db *db;
	int device = -1;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_log_new(&log, db, NULL, text, strlen(text), NULL), GSC_OK);
	strcpy(name, "none");
	if (gsc_log_platform(log, &platform, &device))
		strcpy(name, platform.name);
	gsc_log_free(log);
	gsc_db_free(db);
	return device;
}

static void platforms(void)
{
	/* Other programs' lists of devices, which people paste beside a log. */
	static const char *const lists[] = {
		"vgapci0@pci0:0:2:0:\tclass=0x030000 rev=0x02 hdr=0x00 vendor=0x8086 device=0x9bca "
		"subvendor=0x1028 subdevice=0x1912",
		"drmn0: device=0x9bca",
		"vgapci0@pci0:0:2:0:\tclass=0x030000 card=0x19128086 chip=0x9bca8086 rev=0x02",
		"00:02.0 VGA compatible controller [0300]: Intel Corporation Device [8086:9bca]",
		"00:02.0 0300: 8086:9bca (rev 02)",
		"(--) PCI:*(0@0:2:0) 8086:9bca:1043:8694 rev 3, Mem @ 0xa0000000/16777216",
		"driver: i915 v: kernel bus-ID: 00:02.0 chip-ID: 8086:9bca class-ID: 0300",
		"Device: Mesa Intel(R) UHD Graphics (CML GT2) (0x9bca)",
	};
	char name[16];

	CU_ASSERT_EQUAL(platform_of("i915 0000:00:02.0: [drm] Found TIGERLAKE/UY (device ID 9a49) "
				    "display version 12.00", name), 0x9a49);
	CU_ASSERT_STRING_EQUAL(name, "tgl");
	CU_ASSERT_EQUAL(platform_of("pci 0000:00:02.0: [8086:1912] type 00 class 0x030000", name),
			0x1912);
	CU_ASSERT_STRING_EQUAL(name, "skl");
	CU_ASSERT_EQUAL(platform_of("pci 0000:00:1f.0: [8086:1912] type 00 class 0x060100\n"
				    "pci 0000:00:02.0: [8086:0102] type 00 class 0x030000", name),
			0x102);
	CU_ASSERT_STRING_EQUAL(name, "snb");
	/* Of two GPUs, the one with the driver. */
	CU_ASSERT_EQUAL(platform_of("pci 0000:00:02.0: [8086:1912] type 00 class 0x030000\n"
				    "i915 0000:03:00.0: [drm] Found DG2 (device ID 5690)", name),
			0x5690);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		CU_ASSERT_EQUAL(platform_of(lists[i], name), 0x9bca);
		CU_ASSERT_STRING_EQUAL(name, "cml");
	}
	CU_ASSERT_EQUAL(platform_of("vgapci0: vendor=0x10de device=0x9bca", name), -1);
	CU_ASSERT_EQUAL(platform_of("vgapci0: chip=0x9bca10de", name), -1);
	CU_ASSERT_EQUAL(platform_of("Subsystem: Intel Corporation Device [8086:9bca]", name), -1);
	CU_ASSERT_EQUAL(platform_of("[8086:", name), -1);
	CU_ASSERT_EQUAL(platform_of("", name), -1);
	CU_ASSERT_EQUAL(platform_of("(device ID 1912345)", name), -1);
}

/* The driver's firmware names it where the platform has files of its own. */
static void platforms_of_firmware(void)
{
	static const struct {
		const char *text, *name;
	} rows[] = {
		{ "i915 0000:03:00.0: [drm] GT0: GuC firmware i915/dg2_guc_70.bin version 70.5.1",
		  "dg2" },
		{ "xe 0000:03:00.0: [drm] Using GuC firmware from xe/bmg_guc_70.bin version 70.1.1",
		  "bmg" },
		{ "i915: Direct firmware load for i915/glk_dmc_ver1_04.bin failed with error -2",
		  "glk" },
		{ "[drm] Finished loading i915/skl_dmc_ver1_26.bin (v1.26)", "skl" },
		{ "[drm] Finished loading DMC firmware i915/tgl_dmc_ver2_12.bin (v2.12)", "tgl" },
		{ "[drm] Failed to load DMC firmware i915/kbl_dmc_ver1_04.bin.", "none" },
		{ "[drm] GT0: HuC firmware i915/tgl_huc.bin version 7.9.3", "none" },
		{ "W: Possible missing firmware /lib/firmware/i915/skl_guc_70.1.1.bin for i915",
		  "none" },
		{ "copied i915/dg2_guc_70.bin", "none" },
		{ "GuC firmware i915/dg2_guc_70.bin version 70.5.1\n"
		  "[drm] Found TIGERLAKE/UY (device ID 9a49)", "tgl" },
		/* Of two GPUs, the one in trouble; others' drivers do not count. */
		{ "i915 0000:00:02.0: [drm] Found alderlake_s (device ID 4692)\n"
		  "i915 0000:03:00.0: [drm] GT0: GuC firmware i915/dg2_guc_70.bin version 70.5.1\n"
		  "i915 0000:03:00.0: [drm] GPU HANG: ecode 12:1:85dffffb", "dg2" },
		{ "i915 0000:00:02.0: [drm] Found alderlake_s (device ID 4692)\n"
		  "amdgpu 0000:03:00.0: [drm] *ERROR* ring gfx timeout\n", "adls" },
	};
	char name[16];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		platform_of(rows[i].text, name);
		CU_ASSERT_STRING_EQUAL(name, rows[i].name);
		if (strcmp(name, rows[i].name))
			printf("\n%s: %s\n", rows[i].text, name);
	}
}

/* ---- what is none --------------------------------------------------------------------------- */

static void hostile(void)
{
	static const uint8_t binary[] = "\x7f" "ELF\x02\x01\x01\x03\x05\x06\x07\x0e\x0f\x10\x11";
	static const char nul[] = "\0\0\0\0\0\0\0\0\0\0[ 1.0] GPU HANG: ecode 9:1:1\0, in X "
				  "[1]\n\0";
	size_t size = 1 << 20;
	char *text = malloc(size);
	struct heard heard;

	CU_ASSERT_EQUAL(read_bytes(NULL, binary, sizeof(binary)).status, GSC_FAILED);
	CU_ASSERT_EQUAL(read_bytes(NULL, "", 0).status, GSC_OK);
	heard = read_bytes(NULL, nul, sizeof(nul));
	CU_ASSERT_EQUAL(heard.status, GSC_OK);
	CU_ASSERT_EQUAL(heard.count, 1);
	/* Long lines; words at their end; nothing but words. */
	memset(text, 'x', size);
	memcpy(text + size - 16, "Request device [", 16);
	CU_ASSERT_EQUAL(read_bytes(NULL, text, size).count, 0);
	memcpy(text + size - 40, " GPU HANG: ecode 9:1:1, in X [1] xxxxxxx", 40);
	CU_ASSERT_EQUAL(read_bytes(NULL, text, size).count, 1);
	for (size_t i = 0; i + 32 <= size; i += 32)
		memcpy(text + i, "Address space: Faulted Address: ", 32);
	CU_ASSERT_EQUAL(read_bytes(NULL, text, size).count, 0);
	for (size_t i = 0; i + 16 <= size; i += 16)
		memcpy(text + i, "Faulted Address\n", 16);
	CU_ASSERT_EQUAL(read_bytes(NULL, text, size).count, 0);
	free(text);
}

/* Repeats a text until `size` bytes are full; returns what follows them. */
static char *fill(char *at, const char *words, size_t size)
{
	size_t length = strlen(words);

	for (size_t i = 0; i < size; i++)
		at[i] = words[i % length];
	return at + size;
}

/* An event is on its own line, at any position of a long one. */
static void long_lines(void)
{
	static const char fault[] = " Unexpected fault Addr: 0x1000 Address space: GGTT ";
	char text[8192], *at;
	struct gsc_event event;

	for (size_t before = 0; before < 3000; before += 500) {
		strcpy(text, "Addr: 0x2000 Unexpected fault\n");
		at = fill(text + strlen(text), "Addr: 0x1 Unexpected fault ", before);
		strcpy(at, fault);
		at = fill(at + strlen(at), "Addr: Source ID: ", 2000);
		strcpy(at, "\nSource ID: 5\n");
		event = one(text);
		CU_ASSERT_EQUAL(event.line, 2);
		CU_ASSERT_EQUAL(event.lines, 1);
		CU_ASSERT_EQUAL(event.fault.source_id, -1);
	}
}

/* Twice the lines take twice the time. */
static void long_time(void)
{
	const size_t size = 9 << 20;
	char *text = malloc(2 * size);
	clock_t start = clock();

	fill(fill(text, "EIR stuck: 0x ", size), "x", size);
	text[size - 1] = '\n';
	CU_ASSERT_EQUAL(read_bytes(NULL, text, 2 * size).count, 0);
	fill(text, "EIR stuck: 0x ", 2 * size);
	CU_ASSERT_EQUAL(read_bytes(NULL, text, 2 * size).count, 0);
	CU_ASSERT((clock() - start) / CLOCKS_PER_SEC < 3);
	free(text);
}

/* However it is truncated. */
static void cut(void)
{
	static const char text[] =
		GEN8("") "DMAR: [DMA Read PASID 0x5] Request device [00:02.0] fault addr 0x1000 "
		"[fault reason 0x06] x\nxe 0000:03:00.0: [drm] \n\tASID: 9\n\tFaulted Address: "
		"0x1000\n\tFaultType: 0\nGPU HANG: ecode 9:1:0x00000001, in X [1], hang on rcs0\n"
		"render error detected, EIR: 0x00000010\nPGTBL_ER: 0x10\n"
		"Timedout job: seqno=1, guc_id=5, flags=0x20 in a [1]\n\033[31mx";

	for (size_t i = 0; i < sizeof(text); i++) {
		CU_ASSERT_EQUAL(read_bytes(NULL, text, i).status, GSC_OK);
		CU_ASSERT_EQUAL(read_bytes(NULL, text + i, sizeof(text) - 1 - i).status, GSC_OK);
	}
	CU_ASSERT_EQUAL(read_text(text).count, 6);
}

SUITE(log,
      { "DMA faults", dma_faults }, { "reasons", reasons }, { "devices", devices },
      { "fronts", fronts }, { "several in one line", one_line }, { "cards", cards },
      { "line ends", line_ends }, { "hangs", hangs }, { "stuck", stuck },
      { "plain messages", plain_messages }, { "others' messages", others_messages },
      { "folding", folding }, { "i915 faults", i915_faults }, { "xe faults", xe_faults },
      { "errors", errors }, { "platforms", platforms },
      { "platforms of firmware", platforms_of_firmware }, { "hostile", hostile },
      { "display", display }, { "hung inside a batch", hung_inside },
      { "whose work was reset", reset_for },
      { "long lines", long_lines }, { "long time", long_time },
      { "cut", cut })
