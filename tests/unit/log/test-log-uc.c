/* SPDX-License-Identifier: MIT */
/* What logs say about firmware, register access, power and the drivers themselves. */
#include "log/log.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16

struct heard {
	struct gsc_event events[MOST];
	size_t count;
};

static struct heard read_text(const char *text)
{
	struct heard heard = { .count = 0 };
	size_t size = strlen(text);
	struct gsc_event event;
	struct gsc_log *log;
	char *copy = malloc(size + 1);

	memcpy(copy, text, size);
	CU_ASSERT_EQUAL_FATAL(gsc_log_new(&log, shared_definitions(), NULL, copy, size, NULL),
			      GSC_OK);
	while (gsc_log_next(log, &event)) {
		CU_ASSERT_FATAL(heard.count < MOST);
		heard.events[heard.count++] = event;
	}
	gsc_log_free(log);
	free(copy);
	return heard;
}

#define I915 "i915 0000:00:02.0: [drm] "
#define XE "xe 0000:03:00.0: [drm] *ERROR* "

static const struct {
	const char *text, *says;
	enum gsc_event_kind kind;
	enum gsc_event_rank rank;
	const char *driver;
} rows[] = {
	{ I915 "GT0: GUC: load failed: status = 0x400000A0, time = 3ms, freq = 1MHz, ret = 0",
	  "did not load, GUC_STATUS 0x400000a0: boot ROM 0x50 (signature bad), firmware 0x00 (none), "
	  "authentication 0x01 (bad)", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "GuC load failed: status: Reset = 0, BootROM = 0x2B, UKernel = 0x00, MIA = 0x00, "
	  "Auth = 0x01", "boot ROM 0x2b (production key bad)", GSC_EVENT_ERROR, GSC_EVENT_MAIN,
	  "i915" },
	{ XE "GT0: load failed: status = 0x800070EC, time = 1ms", "firmware 0x70 (exception)",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ I915 "*ERROR* GT0: GUC: CT: Sending action 0x5503 failed (-EIO) status=0XE000000A",
	  "refused a request: 0x5503 (UPDATE_VF_CFG: set the configuration of a VF): error 0xa "
	  "(invalid state)", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "*ERROR* GT0: GUC: CT: Sending action 0x5503 failed (-ETIME) status=0",
	  "did not answer a request: 0x5503", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "*ERROR* CT: No response for request 0x1001 (fence 168)",
	  "did not answer a request: 0x1001 (SCHED_CONTEXT_MODE_SET", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "i915" },
	{ I915 "GT0: GUC: mmio request 0x4509: failure 306/0",
	  "0x4509 (CONTROL_CTB: enable or disable the message buffers): error 0x306 (message buffer "
	  "has an invalid descriptor)", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ "[drm] *ERROR* GT0: GuC mmio request 0x508: no reply 0x508", "did not answer a request: "
	  "0x508", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ XE "GT0: H2G request 0x1000 failed: error 0x30 hint 0x0", "error 0x30 (unknown action)",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ XE "GT0: Timed out wait for G2H, fence 5, action 1001, done no",
	  "did not answer a request: 0x1001", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ I915 "*ERROR* GT0: GUC: TLB invalidation response timed out for seqno 7",
	  "did not invalidate the TLBs in time", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ XE "TLB invalidation fence timeout, seqno=32 recv=31", "TLBs", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "xe" },
	{ I915 "*ERROR* GT0: GuC initialization failed -ENXIO", "could not start the GuC firmware (-ENXIO)",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "*ERROR* GT0: Enabling uc failed (-5)", "could not start the firmware",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "GuC firmware i915/tgl_guc_70.bin: fetch failed with error -2",
	  "the GuC firmware is missing, or cannot be read, i915/tgl_guc_70.bin (error -2)",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "*ERROR* GT0: GuC firmware i915/mtl_guc_70.bin: fetch failed -ENOENT",
	  "i915/mtl_guc_70.bin (-ENOENT)", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ "[drm] GuC: Failed to fetch firmware i915/skl_guc_ver9_33.bin (error -2)",
	  "the GuC firmware is missing, or cannot be read, i915/skl_guc_ver9_33.bin (error -2)",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ "[drm] GuC firmware load failed: -5", "the GuC firmware did not load", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "i915" },
	{ XE "GT0: G2H action 0x1002 failed (-EPROTO) len 4 msg", "communication with", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "xe" },
	{ "i915 0000:00:02.0: Direct firmware load for i915/skl_dmc_ver1_27.bin failed with error -2",
	  "the DMC firmware is missing", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ I915 "Failed to load DMC firmware i915/x_dmc.bin (-ENOENT). Disabling runtime power "
	  "management.", "the DMC firmware did not load", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ "xe 0000:03:00.0: [drm] GuC firmware (70.19.2) is recommended, but only (70.5.1) was found "
	  "in i915/tgl_guc_70.bin", "older than the driver recommends", GSC_EVENT_ERROR,
	  GSC_EVENT_ASIDE, "xe" },
	{ XE "GT0: Unsupported GuC v70.5.1! v70.29.2 or newer is required",
	  "its version is not supported: it is 70.5.1, and 70.29.2 or newer is needed",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ I915 "*ERROR* GT0: HuC firmware i915/dg2_huc_gsc.bin: unexpected version 0.0.0 != 7.10.0",
	  "i915/dg2_huc_gsc.bin: it is 0.0.0, and 7.10.0 is needed", GSC_EVENT_ERROR,
	  GSC_EVENT_LESSER, "i915" },
	{ I915 "GT0: GuC firmware i915/dg2_guc_70.bin version 70.5.1\n" I915
	  "GT0: GUC: load failed: status = 0x400000A0", "did not load, i915/dg2_guc_70.bin (70.5.1), "
	  "GUC_STATUS", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ "xe 0000:03:00.0: [drm] Using GuC firmware from xe/bmg_guc_70.bin version 70.44.1\n" XE
	  "GT0: load failed: status = 0x400000A0", "did not load, xe/bmg_guc_70.bin (70.44.1), ",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ "xe 0000:04:00.0: [drm] Using GuC firmware from xe/bmg_guc_70.bin version 70.44.1\n" XE
	  "GT0: load failed: status = 0x400000A0", "the GuC firmware did not load, GUC_STATUS",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ I915 "*ERROR* GT0: HUC: firmware not verified for all workloads: -5", "the HuC firmware",
	  GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ I915 "*ERROR* GT0: GUC: Crash dump notification", "the GuC firmware crashed",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ XE "GT0: GuC PC Start failed: Dynamic GT frequency control and GT sleep states are now "
	  "disabled.", "failed to manage the clocks", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "xe" },
	{ "xe 0000:03:00.0: probe with driver xe failed with error -22",
	  "the driver xe failed to start the GPU: error -22", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ "i915: probe of 0000:00:02.0 failed with error -5",
	  "the driver i915 failed to start the GPU: error -5", GSC_EVENT_ERROR, GSC_EVENT_MAIN,
	  "i915" },
	{ "[drm:fw_domains_get_with_fallback [i915]] *ERROR* gt: timed out waiting for forcewake ack "
	  "request.", "did not wake up in time", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "*ERROR* render: MMIO unreliable (forcewake register returns 0xFFFFFFFF)!",
	  "read as all ones", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ XE "GT0: Force wake domain 1 failed to ack wake (-ETIMEDOUT) reg[0xa188] = 0xffffffff",
	  "did not wake up in time (forcewake domain render): its registers cannot be trusted; they read "
	  "as all ones", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ "[drm:fw_domains_get [i915]] *ERROR* vdbox0: timed out waiting for forcewake ack to clear.",
	  "did not clear its acknowledgement in time (forcewake domain vdbox0)", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "i915" },
	{ I915 "*ERROR* gt: MMIO unreliable (forcewake register returns 0xFFFFFFFF)!",
	  "all ones: it is off, or gone from the bus (forcewake domain gt)", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "i915" },
	{ XE "PCODE Mailbox failed: 6 Illegal Command", "(PCODE) refused a command: illegal command",
	  GSC_EVENT_ERROR, GSC_EVENT_LESSER, "xe" },
	{ "[drm:snb_pcode_read [i915]] warning: pcode (read from mbox 5) mailbox access failed for x: -6",
	  "(PCODE) refused a command: illegal command (mailbox 0x5)", GSC_EVENT_ERROR, GSC_EVENT_ASIDE,
	  "i915" },
	{ "[drm:snb_pcode_read [i915]] warning: pcode (read from mbox 5) mailbox access failed for x: "
	  "-110", "(PCODE) did not answer (mailbox 0x5)", GSC_EVENT_ERROR, GSC_EVENT_ASIDE, "i915" },
	{ XE "[Hardware Error]: Tile0 reported fatal GT, bit[1] is set", "the GPU's hardware reports an "
	  "error: Tile0 reported fatal GT, bit[1] is set", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ XE "Tile0: GT0: failed to clear GRDOM_FULL (-ETIMEDOUT)", "reset domain", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "xe" },
	{ I915 "*ERROR* GT0: GUC: CT: Failed to process request 6000 (-EOPNOTSUPP)",
	  "could not handle a message of the GuC firmware, 0x6000 (-EOPNOTSUPP)", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "i915" },
	{ I915 "GT0: HUC: timed out waiting for MEI GSC", "the MEI driver of the GSC did not come in time",
	  GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ I915 "*ERROR* conflict detected with stolen region: [mem 0x1-0x2]", "stolen memory",
	  GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ "xe 0000:03:00.0: [drm] Small BAR device", "no Resizable BAR", GSC_EVENT_ERROR,
	  GSC_EVENT_LESSER, "xe" },
	{ XE "Tile0: GT0: hwe ccs0: emit_wa_job failed (-ETIME) guc_id=2", "a job of the driver itself "
	  "failed on ccs0 while it loaded (-ETIME)", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ I915 "device lost from bus!", "gone from the bus", GSC_EVENT_ERROR, GSC_EVENT_MAIN,
	  "i915" },
	{ XE "Tile0: PCODE Mailbox failed: 6 Timed out", "PCODE", GSC_EVENT_ERROR, GSC_EVENT_LESSER,
	  "xe" },
	{ I915 "*ERROR* [CRTC:51:pipe A] flip_done timed out", "page flip", GSC_EVENT_ERROR,
	  GSC_EVENT_LESSER, "i915" },
	{ I915 "*ERROR* Atomic update failure on pipe A (start=1 end=2)", "flicker", GSC_EVENT_ERROR,
	  GSC_EVENT_ASIDE, "i915" },
	{ "dmar_fault: 42 callbacks suppressed", "left out 42 more messages of dmar_fault",
	  GSC_EVENT_ERROR, GSC_EVENT_ASIDE, "DMAR" },
	{ "[  9.1] pf_queue_work_func: 1 callbacks suppressed",
	  "left out 1 more message of pf_queue_work_func", GSC_EVENT_ERROR, GSC_EVENT_ASIDE, "xe" },
	{ I915 "*ERROR* Failed to idle engines, declaring wedged!", "did not become idle",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "*ERROR* GT0: GPU recovery timed out, cancelling all in-flight rendering.",
	  "took too long", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ "[drm:i915_hangcheck_elapsed [i915]] Kicking stuck semaphore on render ring",
	  "rcs0 waited for a semaphore", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ "xe 0000:03:00.0: [drm] GT0: Check job timeout: seqno=5, lrc_seqno=5, guc_id=2, not started",
	  "(queue 2 of the GuC): it had not started", GSC_EVENT_HANG, GSC_EVENT_MAIN, "xe" },
	{ "xe 0000:00:02.0: [drm] GT0: Engine reset: engine_class=bcs, logical_mask: 0x2, guc_id=0",
	  "(queue 0 of the GuC)", GSC_EVENT_RESET, GSC_EVENT_MAIN, "xe" },
	{ "xe 0000:00:02.0: [drm] exec queue reset detected", "a queue was reset", GSC_EVENT_RESET,
	  GSC_EVENT_MAIN, "xe" },
	{ I915 "Got hung context on vcs0 with active request 939:2 [0x1004] not yet started",
	  "on vcs0: its request 939:2 had not started", GSC_EVENT_HANG, GSC_EVENT_MAIN, "i915" },
	/* What a message names besides. */
	{ I915 "GT0: IOV: Failed to save VF12 state (-EPROTO)", "of a virtual function, VF12 (-EPROTO)",
	  GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ I915 "IOV0: Failed to push configurations (-ESTALE)", "functions (-ESTALE)", GSC_EVENT_ERROR,
	  GSC_EVENT_LESSER, "i915" },
	{ "xe 0000:03:00.0: [drm] Failed to resize BAR2 to 4096M (-ENOSPC). Consider enabling "
	  "'Resizable BAR' support in your BIOS", "(-ENOSPC)", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "xe" },
	{ I915 "*ERROR* Failed to reset chip: -110", "gave up on the GPU (error -110)", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "i915" },
	{ "xe 0000:03:00.0: [drm] VM worker error: -12", "its work is stopped (error -12)", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "xe" },
	{ I915 "Failed to load DMC firmware i915/y_dmc.bin. Disabling runtime power management.",
	  "i915/y_dmc.bin; the driver does not power the GPU down", GSC_EVENT_ERROR, GSC_EVENT_LESSER,
	  "i915" },
	{ I915 "GuC firmware i915/y_guc_70.bin (70.12.1) is recommended, but only i915/y_guc_70.bin "
	  "(70.8.0) was found", "i915/y_guc_70.bin: it is 70.8.0, not 70.12.1", GSC_EVENT_ERROR,
	  GSC_EVENT_ASIDE, "i915" },
	{ "i915/y_dmc.bin: could not load binary firmware /boot/firmware/i915/y_dmc.bin either",
	  "the DMC firmware is missing", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ "[drm] GT1: can't init GSC proxy due to missing mei component", "module of the MEI driver",
	  GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ I915 "GT0: HuC: timed out waiting for MEI GSC\nfrob\n" I915 "GT0: HuC: authenticated!",
	  "in time; it was authenticated later", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ I915 "GT0: HuC: timed out waiting for MEI GSC\n"
	  "i915 0000:03:00.0: [drm] GT0: HuC: authenticated!", "did not come in time", GSC_EVENT_ERROR,
	  GSC_EVENT_LESSER, "i915" },
	{ "[drm:fw_domains_get [i915]] *ERROR* gt: timed out waiting for forcewake ack request.\n"
	  "i915 0000:07:00.0: [drm:add_taint_for_CI [i915]] CI tainted:0x9 by fw_domains_get+0x1/0x2",
	  "(forcewake domain gt)", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ "[drm:__gen6_gt_frob] *ERROR* Timed out waiting for forcewake old ack to clear.",
	  "did not clear its acknowledgement", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ "[drm:drm_frob] [CRTC:5:pipe B] hw_done timed out", "page flip in time (pipe B)",
	  GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ "[drm:gen8_frob [i915]] *ERROR* Fault errors on pipe C 0x00000100", "DE_PIPE_IIR 0x100",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "*ERROR* Port B/TC#2: live status 00000004 mismatches the legacy port flag, fix flag",
	  "the driver goes by what it finds", GSC_EVENT_ERROR, GSC_EVENT_ASIDE, "i915" },
	{ "xe 0000:03:00.0: Your graphics device 56a1 is not officially supported", "left the GPU to others",
	  GSC_EVENT_ERROR, GSC_EVENT_ASIDE, "xe" },
	{ "<3>[ 9.1] i915/frob_live_selftests: live_frob failed with error -62",
	  "a test of the driver by itself failed (error -62)", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ "xe 0000:03:00.0: [drm] device wedged, needs recovery", "wedged", GSC_EVENT_ERROR,
	  GSC_EVENT_MAIN, "xe" },
	{ "xe 0000:03:00.0: [drm] Trying to schedule after vm is closed or banned", "was refused",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "xe" },
	{ "[drm:i915_hangcheck_elapsed] *ERROR* Hangcheck timer elapsed.", "the GPU hung",
	  GSC_EVENT_HANG, GSC_EVENT_MAIN, "i915" },
	{ I915 "GT0: GUC: Got context reset notification: 0x1002 on rcs0, exiting = no, banned = no",
	  "reset an engine because of a context", GSC_EVENT_RESET, GSC_EVENT_MAIN, "i915" },
	{ I915 "game[77] context reset due to GPU hang", "a context of game [77] was discarded",
	  GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
	{ I915 "GPU HANG: ecode 12:0:00000000", "hang code 0 means that the driver captured no",
	  GSC_EVENT_HANG, GSC_EVENT_MAIN, "i915" },
	/* Words of many, which count after another word only. */
	{ I915 "*ERROR* PHY A Read 0c70 failed after 3 retries.", "could not be accessed over its "
	  "message bus", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ XE "*ERROR* [CRTC:88:pipe A] DSB 0 poll error", "a DSB, which writes the display's registers",
	  GSC_EVENT_ERROR, GSC_EVENT_LESSER, "xe" },
	{ "gvt: vgpu 1: fail to dispatch workload, skip", "a virtual machine's work was dropped",
	  GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	/* The display: nothing of it stops work. */
	{ I915 "*ERROR* [CRTC:88:pipe A] mismatch in hw.active (expected yes, found no)",
	  "differs from what the driver set", GSC_EVENT_ERROR, GSC_EVENT_ASIDE, "i915" },
	{ I915 "*ERROR* AUX A/DDI A/PHY A: did not complete or timeout within 10ms (status 0x7d4003ff)",
	  "AUX channel did not answer in time", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ "[drm:skl_ddi_pll_enable [i915]] *ERROR* DPLL 2 not locked", "did not lock: its output has no "
	  "picture", GSC_EVENT_ERROR, GSC_EVENT_LESSER, "i915" },
	{ I915 "*ERROR* GT0: GUC: CT: Unsolicited response message: len 1, data 0xf0000000 (fence 5, "
	  "last 9)", "answered a request that nobody made", GSC_EVENT_ERROR, GSC_EVENT_MAIN, "i915" },
};

static void messages(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct heard heard = read_text(rows[i].text);

		CU_ASSERT_EQUAL(heard.count, 1);
		if (heard.count != 1) {
			printf("\n%zu events in \"%s\"\n", heard.count, rows[i].text);
			continue;
		}
		CU_ASSERT_EQUAL(heard.events[0].kind, rows[i].kind);
		CU_ASSERT_EQUAL(heard.events[0].rank, rows[i].rank);
		CU_ASSERT_STRING_EQUAL(heard.events[0].driver, rows[i].driver);
		CU_ASSERT_PTR_NOT_NULL(strstr(heard.events[0].fault.text, rows[i].says));
		if (!strstr(heard.events[0].fault.text, rows[i].says))
			printf("\n\"%s\" is not in \"%s\"\n", rows[i].says,
			       heard.events[0].fault.text);
	}
}

static void others(void)
{
	static const char *const lines[] = {
		"[drm:amdgpu_frob [amdgpu]] *ERROR* flip_done timed out",
		"[drm:drm_atomic_helper_wait_for_flip_done] *ERROR* [CRTC:67:crtc-0] flip_done timed out",
		"amdgpu 0000:0b:00.0: amdgpu: Failed to load gpu_info firmware",
		"iwlwifi 0000:00:14.3: Direct firmware load for iwlwifi-ty.ucode failed with error -2",
		"nvme 0000:01:00.0: probe with driver nvme failed with error -12",
		"mei: probe of 0000:00:16.0 failed with error -5",
		"net_ratelimit: 12 callbacks suppressed", "12 callbacks suppressed",
		"callbacks suppressed", "dmar_fault: many callbacks suppressed",
		"nouveau 0000:01:00.0: device lost from bus!", "ast 0000:05:00.0: reset required",
		"i915 0000:00:02.0: [drm] probe with driver i915 succeeded",
		"i915 0000:00:02.0: [drm] CI tainted: 0x9 by intel_gt_set_wedged_on_init+0x34/0x50",
		"i915 0000:00:02.0: [drm] GT0: GuC firmware i915/adlp_guc_70.bin version 70.5.1",
		"i915 0000:00:02.0: [drm] GT0: HuC: authenticated for all workloads",
		"i915 0000:00:02.0: [drm] GT0: GUC: submission enabled",
		"i915 0000:00:02.0: [drm] Finished loading DMC firmware i915/kbl_dmc_ver1_04.bin (v1.4)",
		"ERROR: the disk failed after 3 retries", "backup[7]: ERROR: the DSB server is busy",
		"amdgpu 0000:0b:00.0: [drm:dc_frob] PHY A failed after 3 tries",
		"docker[9]: vgpu: fail to dispatch workload",
		"Failed to load ", "ailed to load GuC", "mmio request ",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct heard heard = read_text(lines[i]);

		CU_ASSERT_EQUAL(heard.count, 0);
		if (heard.count)
			printf("\nan event in \"%s\"\n", lines[i]);
	}
}

/* The lines of one failure are one event; a line without a driver belongs to the log's driver. */
static void blocks(void)
{
	struct heard heard = read_text(
		"[ 1.0] " XE "GT0: load failed: status = 0x400000A0, time = 3ms\n"
		"[ 1.0] " XE "GT0: load failed: status: Reset = 0, BootROM = 0x50, UKernel = 0x00\n"
		"[ 1.0] " XE "GT0: firmware signature verification failed\n"
		"[ 1.1] [drm] *ERROR* GT0: GuC mmio request 0x4509: failure 0x306 hint 0x0\n"
		"[ 1.2] " XE "CRITICAL: Xe has declared device 0000:03:00.0 as wedged.\n");

	CU_ASSERT_EQUAL_FATAL(heard.count, 3);
	CU_ASSERT_EQUAL(heard.events[0].lines, 3);
	CU_ASSERT_STRING_EQUAL(heard.events[0].values[0].name, "GUC_STATUS");
	CU_ASSERT_EQUAL(heard.events[0].values[0].value, 0x400000a0);
	CU_ASSERT_STRING_EQUAL(heard.events[1].driver, "xe");
	CU_ASSERT(heard.events[2].wedged);
	heard = read_text("[ 1.0] [drm:__intel_gt_set_wedged [i915]] rcs'0\n"
			  "[ 1.0] [drm:__intel_gt_set_wedged [i915]] \tAwake? 3\n"
			  "[ 1.0] [drm:__intel_gt_set_wedged [i915]] \tRING_START: 0x00001000\n");
	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT_EQUAL(heard.events[0].lines, 3);
	heard = read_text(I915 "Got hung context on vcs0 with\nactive request 9:2 [0x1] not yet "
			  "started\n");
	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(heard.events[0].fault.text, "9:2 had not started"));
}

SUITE(log_uc, { "messages", messages }, { "others", others }, { "blocks", blocks })
