/* SPDX-License-Identifier: MIT */
/* What no rule knows: quotes of the drivers, and what the kernel says about their code. */
#include "hang/hang.h"
#include "hang/log-summary.h"
#include "log-helpers.h"
#include "log/log.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

/* ---- quotes --------------------------------------------------------------------------------- */

static const struct {
	const char *line, *driver, *says;
} quoted[] = {
	{ "i915 0000:00:02.0: [drm] *ERROR* GT0: frobnicator refused (-EIO)!", "i915",
	  "the driver reports: \"GT0: frobnicator refused (-EIO)\"" },
	{ "xe 0000:6b:00.0: [drm] *ERROR* Tile0: GT0: hwe rcs0: too many", "xe",
	  "\"Tile0: GT0: hwe rcs0: too many\"" },
	{ "[ 1.0] [drm:intel_frob [i915]] *ERROR* frob", "i915", "reports: \"frob\"" },
	{ "[ 1.0] [drm:intel_frob] *ERROR* frob", "i915", "reports: \"frob\"" },
	{ "[ 1.0] [drm:xe_frob [xe]] *ERROR* frob", "xe", "reports: \"frob\"" },
	{ "kernel: [drm] *ERROR* frob", "i915", "reports: \"frob\"" },
	{ "[drm] *ERROR* Tile0: GT0: frob", "xe", "reports: \"Tile0: GT0: frob\"" },
	{ "[i915] *ERROR* frob", "i915", "reports: \"frob\"" },
	/* No mark: by the level, or else by the words. */
	{ "<4>[ 1.0] i915 0000:00:02.0: [drm] frob", "i915", "reports: \"frob\"" },
	{ "3,12,345,-;xe 0001:03:00.0: [drm] frob", "xe", "reports: \"frob\"" },
	{ "kern  :err   : [ 1.0] xe 0000:03:00.0: frob", "xe", "reports: \"frob\"" },
	{ "Jul 18 10:41:44 <kern.crit> host kernel: drmn0: [drm] *ERROR* frob", "i915",
	  "reports: \"frob\"" },
	{ "Wed Jan  6 06:03:13 2021 kern.err kernel: [ 1.0] i915 0000:00:02.0: frob", "i915",
	  "reports: \"frob\"" },
	{ "[drm:0xffffffffc01daa9e] *ERROR* frob", "i915", "reports: \"frob\"" },
	{ "{\"__MONOTONIC_TIMESTAMP\":\"1\",\"PRIORITY\":\"3\",\"MESSAGE\":\"xe 0000:03:00.0: [drm] frob\"}",
	  "xe", "reports: \"frob\"" },
	{ "__MONOTONIC_TIMESTAMP=1234567\n_TRANSPORT=kernel\nPRIORITY=3\n"
	  "MESSAGE=xe 0000:03:00.0: [drm] frob\n\n", "xe", "reports: \"frob\"" },
	{ "Fri 2026-11-27 [s=1]\n    __MONOTONIC_TIMESTAMP=1234567\n"
	  "    MESSAGE=xe 0000:03:00.0: [drm] frob\n    PRIORITY=4\n", "xe", "reports: \"frob\"" },
	{ "{\n   \"dmesg\": [\n      {\n         \"pri\": 3,\n         \"time\":     1.000000,\n"
	  "         \"msg\": \"xe 0000:03:00.0: [drm] frob\"\n      }\n   ]\n}\n", "xe",
	  "reports: \"frob\"" },
	{ "[ 1.0] xe 0000:03:00.0: Timeout of a frob", "xe", "reports: \"Timeout of a frob\"" },
	{ "[ 1.0] i915 0000:00:02.0: [drm] GT0: cannot frob\t", "i915", "\"GT0: cannot frob\"" },
	{ "`i915 0000:00:02.0: [drm] *ERROR* frob`{.x} twice", "i915", "reports: \"frob\"" },
	/* A function without its module is the driver's, unless it is known to be another's. */
	{ "[ 1.0] [drm:sandybridge_pcode_read] *ERROR* frob", "i915", "reports: \"frob\"" },
	{ "[ 1.0] [drm:init_status_page] *ERROR* frob", "i915", "reports: \"frob\"" },
	{ "[ 1.0] [drm:logical_ring_init] *ERROR* frob", "i915", "reports: \"frob\"" },
	{ "[ 1.0] [drm:parse_csr_fw] *ERROR* frob", "i915", "reports: \"frob\"" },
	{ "[ 1.0] [drm:wait_panel_status] *ERROR* frob", "i915", "reports: \"frob\"" },
	{ "radeon 0000:01:00.0: x\ni915 0000:00:02.0: x\n[drm:parse_csr_fw] *ERROR* frob", "i915",
	  "reports: \"frob\"" },
	{ "igt[12]: [ 1.0] xe 0000:03:00.0: [drm] cannot frob", "xe", "reports: \"cannot frob\"" },
	{ "host kernel[1]: xe 0000:03:00.0: [drm] cannot frob", "xe", "reports: \"cannot frob\"" },
	{ "xe 0000:03:00.0: [drm] *ERROR* a[1]: frob", "xe", "reports: \"a[1]: frob\"" },
	{ "[ 1.0] gvt: fail to create frobs", "i915", "\"gvt: fail to create" },
	{ "<3>[ 1.0] gvt: Scan frob error", "i915", "\"gvt: Scan frob error\"" },
};

static void quotes(void)
{
	for (size_t i = 0; i < sizeof(quoted) / sizeof(quoted[0]); i++) {
		struct heard heard = read_text(quoted[i].line);

		CU_ASSERT_EQUAL(heard.count, 1);
		if (heard.count != 1) {
			printf("\n%zu events in \"%s\"\n", heard.count, quoted[i].line);
			continue;
		}
		CU_ASSERT_EQUAL(heard.events[0].kind, GSC_EVENT_ERROR);
		CU_ASSERT_EQUAL(heard.events[0].rank, GSC_EVENT_LESSER);
		CU_ASSERT_STRING_EQUAL(heard.events[0].driver, quoted[i].driver);
		CU_ASSERT_STRING_EQUAL(heard.events[0].fault.type, LOG_REPORT);
		CU_ASSERT(says(&heard.events[0], quoted[i].says));
	}
}

static void not_quoted(void)
{
	static const char *const lines[] = {
		"[drm:amdgpu_frob [amdgpu]] *ERROR* frob",
		"[drm:radeon_frob] *ERROR* frob", "[drm:r600_frob] *ERROR* frob",
		"mpv[1234]: error: i915 0000:00:02.0: cannot frob",
		"Nov 27 22:00:00 host app[12]: [drm] *ERROR* i915 0000:00:02.0: cannot frob",
		"<4>[ 1.0] i915 0000:00:02.0: BAR 6: can't assign [??? 0x0 flags 0x2] (bogus alignment)",
		"<4>[ 1.0] xe 0000:03:00.0: bogus alignment of frob",
		"<3>[ 1.0] xe 0000:03:00.0: vgaarb: cannot frob",
		"i915 0000:00:02.0: [drm] PXP init-arb-session-15 failed due to BIOS/SOC:0x1:x",
		"i915 0000:00:02.0: [drm] Selective fetch area calculation failed in pipe A",
		"i915 0000:00:02.0: [drm] GT0: HuC: can't load due to missing mei modules",
		"i915 0000:00:02.0: [drm] Failed to register PMU!",
		"[drm:drm_frob] *ERROR* frob", "[drm:frob [mgag200]] *ERROR* frob",
		"radeon 0000:01:00.0: x\n[drm:parse_frob] *ERROR* frob\n[drm] *ERROR* frob",
		"xe 0000:03:00.0: [drm] GT0: ccs1 fused off",
		"xe 0000:00:02.4: [drm] VF: migration not supported by this module version",
		"[drm:f [xe]] GT0: Check job timeout: seqno=1, guc_id=2, running_time_ms=3",
		"[drm:f [xe]] GT0: H2G action 0x1000 retrying: reason 0x1",
		"[drm:f [xe]] PF: GT0: sending VF1 control command pause",
		"<6>[ 1.0] i915 0000:00:02.0: [drm] Failed to frob",
		"5,12,345,-;xe 0000:03:00.0: [drm] no error of frob",
		"kern  :info  : [ 1.0] xe 0000:03:00.0: Failed to frob",
		"{\"__MONOTONIC_TIMESTAMP\":\"1\",\"PRIORITY\":\"6\",\"MESSAGE\":\"xe 0000:03:00.0: Failed\"}",
		"__MONOTONIC_TIMESTAMP=1234567\nPRIORITY=3\nMESSAGE=x\n\n__MONOTONIC_TIMESTAMP=1234568\n"
		"PRIORITY=6\nMESSAGE=xe 0000:03:00.0: [drm] Failed to frob\n\n",
		"{\n {\n  \"pri\": 6,\n  \"time\": 1.000000,\n  \"msg\": \"xe 0000:03:00.0: Failed\"\n"
		" },{\n  \"pri\": 3,\n  \"msg\": \"x\"\n },{\n  \"msg\": \"xe 0000:03:00.0: [drm] frob\"\n }\n}\n",
		"Wed Jan  6 06:03:13 2021 kern.notice kernel: [ 1.0] i915 0000:00:02.0: Failed to frob",
		"i915 0000:00:02.0: vgaarb: changed VGA decodes: olddecodes=io+mem",
		"i915 0000:00:02.0: Direct firmware load for i915/gvt/vid_0x8086.golden_hw_state failed",
		"i915 0000:00:02.0: Invalid PCI ROM header signature: expecting 0xaa55, got 0x0000",
		"i915 0000:00:02.0: [drm] Cannot find any crtc or sizes",
		"i915 0000:00:02.0: [drm] VT-d active for gfx access",
		"xe 0000:00:02.0: [drm] skipping PXP init due to missing FW dependencies",
		"xe 0000:00:02.0: [drm] [CONNECTOR:9:eDP-1] Panel is missing HDR static metadata.",
		"i915 0000:00:02.0: [drm:intel_frob [i915]] cannot frob",
		"xe 0000:03:00.0: [drm] *ERROR* ", "xe 0000:03:00.0: [drm] *ERROR* \tsize: 1024",
		"i915 0000:00:02.0: [drm] *ERROR* expected:",
		"i915 0000:00:02.0: [drm] device wedged, but recovered through reset",
		"xe 0000:03:00.0: [drm] *ERROR* H2G CTB:\nxe 0000:03:00.0: [drm] *ERROR* \thead: 0",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct heard heard = read_text(lines[i]);

		CU_ASSERT_EQUAL(heard.count, 0);
		if (heard.count)
			printf("\n\"%s\" of \"%s\"\n", heard.events[0].fault.text, lines[i]);
	}
}

/* They are events of their own, which only those see who ask for them. */
static void known_harmless(void)
{
	static const char text[] =
		"[ 1.0] i915 0000:00:02.0: [drm] Cannot find any crtc or sizes\n"
		"[ 1.1] i915 0000:00:02.0: [drm] Cannot find any crtc or sizes\n"
		"[ 1.2] i915 0000:00:02.0: [drm] *ERROR* frob\n"
		"[ 1.3] amdgpu 0000:05:00.0: [drm] Cannot find any crtc or sizes\n"
		"[ 1.4] xe 0000:03:00.0: [drm] GT0: skipping PXP init\n";
	struct gsc_event event;
	struct gsc_log *log;

	CU_ASSERT_EQUAL_FATAL(gsc_log_new(&log, shared_definitions(), NULL, text, strlen(text),
					  NULL), GSC_OK);
	CU_ASSERT_FATAL(gsc_log_next(log, &event));
	CU_ASSERT(says(&event, "frob"));
	CU_ASSERT_FALSE(gsc_log_next(log, &event));
	gsc_log_rewind_harmless(log, NULL);
	CU_ASSERT_FATAL(gsc_log_next(log, &event));
	CU_ASSERT_EQUAL(event.rank, GSC_EVENT_HARMLESS);
	CU_ASSERT_EQUAL(event.line, 1);
	CU_ASSERT_EQUAL(event.repeats, 1);
	CU_ASSERT_STRING_EQUAL(event.stamp, "1.0");
	CU_ASSERT(says(&event, "no display is connected"));
	CU_ASSERT_FATAL(gsc_log_next(log, &event));
	CU_ASSERT_EQUAL(event.line, 5);
	CU_ASSERT_STRING_EQUAL(event.device, "0000:03:00.0");
	CU_ASSERT(says(&event, "protected content"));
	CU_ASSERT_FALSE(gsc_log_next(log, &event));
	gsc_log_rewind(log, NULL);
	CU_ASSERT_FATAL(gsc_log_next(log, &event));
	CU_ASSERT_EQUAL(event.rank, GSC_EVENT_LESSER);
	gsc_log_free(log);
}

/* A rule is better than a quote; each line is one event. */
static void rules_first(void)
{
	struct heard heard = read_text(
		"[ 1.0] i915 0000:00:02.0: [drm] *ERROR* Unexpected fault\n\tAddr: 0x00001000\n"
		"\tAddress space: GGTT\n\tSource ID: 0\n\tType: 0\n"
		"[ 1.1] i915 0000:00:02.0: [drm] *ERROR* frob one\n"
		"[ 1.2] i915 0000:00:02.0: [drm] *ERROR* GT0: GUC: Crash dump notification\n"
		"[ 1.3] i915 0000:00:02.0: [drm] *ERROR* frob two\n"
		"[ 1.4] i915 0000:00:02.0: [drm] *ERROR* frob two\n");

	CU_ASSERT_EQUAL_FATAL(heard.count, 4);
	CU_ASSERT_EQUAL(heard.events[0].kind, GSC_EVENT_FAULT);
	CU_ASSERT(says(&heard.events[1], "frob one"));
	CU_ASSERT_EQUAL(heard.events[1].line, 6);
	CU_ASSERT_STRING_EQUAL(heard.events[1].stamp, "1.1");
	CU_ASSERT(says(&heard.events[2], "crashed"));
	CU_ASSERT_EQUAL(heard.events[3].repeats, 1);
}

/* ---- the kernel's own ----------------------------------------------------------------------- */

static const struct {
	const char *text, *type, *driver, *says;
} crashes[] = {
	{ "------------[ cut here ]------------\n[ 1.0] xe 0000:03:00.0: [drm] frob is odd\n"
	  "[ 1.0] WARNING: CPU: 3 PID: 9 at drivers/gpu/drm/xe/xe_vm.c:12 xe_frob+0x1/0x2 [xe]\n",
	  LOG_WARN, "xe", "a check in the code of xe, xe_frob(), failed at xe/xe_vm.c:12: \"frob is "
	  "odd\"" },
	{ "------------[ cut here ]------------\n[ 1.0] xe 0000:03:00.0: [drm] Tile0: GT0: Failed to "
	  "invalidate GGTT (-ETIMEDOUT)\n[ 1.0] WARNING: CPU: 3 PID: 9 at "
	  "drivers/gpu/drm/xe/xe_ggtt.c:12 xe_frob+0x1/0x2 [xe]\n[ 1.0] CPU: 3 PID: 9 Comm: x Not "
	  "tainted\n", "tlb", "xe", "(-ETIMEDOUT); a check in the code of xe, xe_frob(), failed at "
	  "xe/xe_ggtt.c:12; process x [9]" },
	{ "[ cut here ]\nWARNING: drivers/gpu/drm/i915/i915_vma.c:12 at i915_frob+0x1/0x2 [i915], "
	  "CPU#3: x/9\nModules linked in: i915\n", LOG_WARN, "i915", "of i915, i915_frob(), failed" },
	{ "[ 1.0] [ cut here ]\n[ 1.0] WARNING: at drivers/gpu/drm/i915/intel_pm.c:12 "
	  "intel_frob+0x1/0x2 [i915]()\n[ 1.0] frob is odd\n[ 1.0] Modules linked in: i915\n", LOG_WARN, "i915", "intel_pm.c:12: \"frob is odd\"" },
	{ "WARNING: CPU: 0 PID: 9 at drivers/gpu/drm/drm_vma.c:4 drm_frob+0x1/0x2 [drm]\nCall Trace:\n"
	  " ? xe_not+0x1/0x2 [xe]\n i915_frob+0x1/0x2 [i915]\n", LOG_WARN, "i915",
	  "in code called by i915, i915_frob(), failed at drm_vma.c:4" },
	{ "BUG: kernel NULL pointer dereference, address: 0000000000000020\n#PF: x\n"
	  "Oops: 0000 [#1] PREEMPT SMP\nRIP: 0010:i915_frob+0x1/0x2 [i915]\n", "oops", "i915",
	  "the kernel crashed in the driver i915, i915_frob(): BUG: kernel NULL pointer dereference" },
	{ "Oops: general protection fault, probably for non-canonical address 0x1: 0000 [#1] SMP\n"
	  "RIP: 0010:dma_frob+0x1/0x2\nCall Trace:\n xe_frob+0x1/0x2 [xe]\n", "oops", "xe",
	  "in code called by the driver xe, xe_frob()" },
	{ "BUG: kernel NULL pointer dereference, address: 0\nOops: 0000 [#1]\nRIP: 0010:nv_frob+0x1/0x2 "
	  "[nvidia]\n---[ end trace 0 ]---\n i915_frob+0x1/0x2 [i915]\n", "oops", "",
	  "the kernel crashed (its report has no function of i915 or xe): BUG: kernel NULL" },
	{ "BUG: kernel NULL pointer dereference, address: 0\nWorkqueue: i915 i915_frob [i915]\n"
	  "RIP: 0010:rb_frob+0x1/0x2\nCall Trace:\n", "oops", "i915",
	  "in code called by the driver i915, i915_frob()" },
	{ "kernel BUG at drivers/gpu/drm/i915/i915_x.c:3!\nRIP: 0010:frob+0x1/0x2 [i915]\n", "oops",
	  "i915", "kernel BUG at drivers/gpu/drm/i915/i915_x.c:3!" },
	{ "watchdog: BUG: soft lockup - CPU#2 stuck for 22s! [x:9]\nRIP: 0010:xe_frob+0x1/0x2\n",
	  "lockup", "xe", "a processor is stuck in the driver xe, xe_frob()" },
	{ "INFO: task Xorg:1234 blocked for more than 120 seconds.\n schedule+0x1/0x2\n"
	  " intel_frob+0x1/0x2 [i915]\n", "blocked", "i915", "a process waits in the driver i915" },
	{ "i915 0000:00:02.0: drm_WARN_ON(frob != 1)\nWARNING: CPU: 3 PID: 9 at "
	  "drivers/gpu/drm/i915/i915_vma.c:12 i915_frob+0x1/0x2 [i915]\nCPU: 3 PID: 9 Comm: a game "
	  "Not tainted 6.9\n", LOG_WARN, "i915", "i915_vma.c:12: \"drm_WARN_ON(frob != 1)\"; process "
	  "a game [9]" },
	{ "Unable to handle kernel NULL pointer dereference at virtual address 0\nMem abort info:\n"
	  "CPU: 0 UID: 0 PID: 8 Comm: x Tainted: G W\npc : xe_frob+0x1/0x2 [xe]\n", "oops", "xe",
	  "in the driver xe, xe_frob(): Unable to handle kernel NULL pointer dereference at virtual "
	  "address 0; process x [8]" },
	{ "Fatal trap 12: page fault while in kernel mode\ncpuid = 3; apic id = 03\n"
	  "fault virtual address   = 0x270\nfault code              = supervisor write data\n"
	  "current process         = 12 (kld)\nStopped at      i915_frob+0xc9: mov\n", LOG_PANIC, "",
	  "Fatal trap 12: page fault while in kernel mode, at 0x270, supervisor write data, process "
	  "12 (kld), in i915_frob+0xc9: mov" },
	{ "Kernel panic - not syncing: Fatal exception\n", LOG_PANIC, "",
	  "the kernel panicked: Fatal exception" },
};

static void of_the_kernel(void)
{
	static const char *const others[] = {
		"WARNING: CPU: 3 PID: 9 at net/core/dev.c:12 dev_frob+0x1/0x2\n",
		"WARNING: drivers/gpu/drm/",
		"INFO: task x blocked for more than 120 seconds.\n ? i915_frob+0x1/0x2 [i915]\n",
	};

	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
		struct gsc_event event = one(crashes[i].text);

		CU_ASSERT_STRING_EQUAL(event.fault.type, crashes[i].type);
		CU_ASSERT_STRING_EQUAL(event.driver, crashes[i].driver);
		CU_ASSERT(says(&event, crashes[i].says));
	}
	CU_ASSERT_STRING_EQUAL(one(crashes[1].text).process, "x [9]");
	CU_ASSERT_STRING_EQUAL(one(crashes[11].text).process, "Xorg [1234]");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		CU_ASSERT_EQUAL(read_text(others[i]).count, 0);
}

/* ---- what they are together ----------------------------------------------------------------- */

#define I915 "i915 0000:00:02.0: [drm] "
#define ERROR I915 "*ERROR* "
#define XE "xe 0000:03:00.0: [drm] "
#define XE2 "xe 0000:04:00.0: [drm] "
#define DUMP "i915 0000:00:02.0: [drm:intel_engine_dump [i915]] __intel_gt_set_wedged "
#define HANG I915 "GPU HANG: ecode 12:1:85dffffb, in game [77]\n"

static const struct {
	const char *text, *signature, *verdict, *not;
} stories[] = {
	{ ERROR "GT0: frob of 12 failed (-EIO)\n", "-/-/-/frob-of-failed",
	  "First (line 1): the driver reports: \"GT0: frob of 12 failed (-EIO)\"; the log has no "
	  "other event of a GPU.", NULL },
	/* What came before the driver gave up is the reason; what came before a hang is not. */
	{ "[ 1.0] " ERROR "frob broke\n[ 1.1] " ERROR "Failed to initialize GPU, declaring it wedged!\n",
	  "-/-/-/frob-broke", "First (line 1, 1.0): the driver reports: \"frob broke\"; the driver "
	  "gave up on the GPU (line 2)", "nothing" },
	{ "[ 1.0] " ERROR "frob broke\n[ 90.1] " ERROR "Failed to initialize GPU, declaring it wedged!\n",
	  "-/-/-/wedged", "First (line 2, 90.1)", NULL },
	{ "[ 1.0] " ERROR "frob broke\n[ 1.1] " HANG, "-/rcs/-/hang",
	  "First (line 2, 1.1): the GPU hung", NULL },
	/* The dump is complete after the reset. */
	{ "[ 1.0] " I915 "Resetting rcs0 for preemption time out\n[ 1.2] " HANG, "-/rcs0/-/hang",
	  "First (line 2, 1.2): the GPU hung on rcs0 (generation 12) while working for game [77]",
	  NULL },
	{ "[ 1.0] " I915 "Resetting rcs0 for preemption time out\n[ 99.2] " HANG, "-/rcs0/-/reset",
	  "First (line 1, 1.0): reset of rcs0", NULL },
	/* dmesg -H gives the time of most lines as a difference. */
	{ "[Nov27 22:00] " HANG "[  +0.000010] " I915 "Resetting rcs0 for hang on rcs0\n",
	  "-/rcs0/-/hang", "First (line 1): the GPU hung on rcs0 (generation 12) while", NULL },
	{ HANG I915 "game[77] context reset due to GPU hang\n"
	  ERROR "rcs0 reset request timed out: {request: 1, RESET_CTL: 1}\n"
	  "Kernel panic - not syncing: Fatal exception\n", "-/rcs/-/hang",
	  "; then came 1 failed reset and 1 context discarded; the kernel panicked: Fatal exception "
	  "(line 4)", " 1 reset" },
	/* A reset that fails is none, whatever begins it. */
	{ "[ 1.0] " I915 "Resetting rcs0 for hang on rcs0\n[ 1.1] " ERROR "rcs0 reset request timed out: x\n"
	  "[ 9.0] " I915 "GPU recovery timed out, cancelling all in-flight rendering\n",
	  "-/rcs0/-/reset-tried", "First (line 1, 1.0): attempt of a reset of rcs0: hang on rcs0; then "
	  "came 1 failed reset; the driver gave up on the GPU (line 3).", NULL },
	{ XE "*ERROR* Tile0: GT0: GuC engine reset request failed on 3:0 because 0x0\n"
	  XE "Tile0: GT0: trying reset from xe_guc_frob [xe]\n" XE "Tile0: GT0: reset started\n"
	  XE "*ERROR* Tile0: GT0: reset failed (-ETIMEDOUT)\n", "-/bcs0/-/reset-failed",
	  "could not reset bcs0; the driver gave up on the GPU (line 4).", NULL },
	{ XE "GT0: trying reset from x\n" XE "GT0: reset started\n" XE "GT0: reset done\n"
	  XE "GT0: reset started\n", "-/-/-/reset", "First (line 2): reset of the whole GT", "then" },
	/* One hang of a queue is said in three ways. */
	{ XE "GT0: Check job timeout: seqno=1, lrc_seqno=1, guc_id=2, timestamp stuck\n"
	  XE "GT0: Engine reset: engine_class=rcs, logical_mask: 0x1, guc_id=2\n"
	  XE "GT0: Timedout job: seqno=1, lrc_seqno=1, guc_id=2, flags=0x0 in game [7]\n"
	  XE "GT0: Kernel-submitted job timed out\n", "-/rcs/-/hang",
	  "a job timed out on rcs (process game [7], queue 2 of the GuC): it made no progress; it was a job of the driver "
	  "itself; then came 1 reset", "hang" },
	/* Each GPU, and each GT of it, counts its own queues and has its own resets. */
	{ "[1.0] " XE "Tile0: GT0: Engine reset: engine_class=bcs, logical_mask: 0x1, guc_id=3\n"
	  "[1.1] " XE2 "Tile0: GT0: Engine reset: engine_class=ccs, logical_mask: 0x1, guc_id=3\n"
	  "[1.2] " XE "Tile0: GT0: Timedout job: seqno=5, guc_id=3, flags=0x0 in copyapp [11]\n"
	  "[1.3] " XE2 "Tile0: GT0: Timedout job: seqno=5, guc_id=3, flags=0x0 in llama [22]\n",
	  "-/bcs/-/hang", "a job timed out on bcs (process copyapp [11], queue 3 of the GuC)",
	  "llama" },
	{ XE "Tile0: GT1: Engine reset: engine_class=vcs, logical_mask: 0x1, guc_id=3\n"
	  XE "Tile0: GT0: Check job timeout: seqno=5, guc_id=3, not started\n"
	  XE "Tile0: GT1: Timedout job: seqno=5, guc_id=4, flags=0x0 in game [7]\n"
	  XE "Tile0: GT0: Timedout job: seqno=5, guc_id=3, flags=0x0 in game [7]\n",
	  "-/vcs/-/hang", "a job timed out (process game [7], queue 4 of the GuC);", "on vcs" },
	{ XE "GT0: Engine reset: engine_class=bcs, logical_mask: 0x1, guc_id=3\n"
	  XE2 "GT0: Timedout job: seqno=5, guc_id=3, flags=0x0 in game [7]\n", "-/bcs/-/reset",
	  "an engine of class bcs, logical instance 0 (queue 3 of the GuC); then came 1 hang; several", "game" },
	{ XE "GT0: trying reset from x\n" XE2 "GT0: trying reset from x\n"
	  XE "GT0: reset started\n" XE2 "GT0: reset started\n" XE2 "GT0: reset done\n"
	  "xe 0000:03:00.0: [drm] *ERROR* GT0: reset failed (-ETIMEDOUT)\n", "-/-/-/reset-tried",
	  "attempt of a reset of the whole GT; then came 1 reset; several GPUs are concerned", NULL },
	{ XE "GT0: reset started\n" XE "GT1: reset started\n" XE "GT0: reset done\n",
	  "-/-/-/reset", "then came 1 reset", NULL },
	/* Engines that i915 prints when it gives up. */
	{ DUMP "bcs'0\n" DUMP "\tRING_START: 0x00000000\n" DUMP "\tRING_HEAD:  0x00000000\n"
	  DUMP "\tRING_TAIL:  0x00000000\n" DUMP "rcs'0\n" DUMP "\tRequests:\n"
	  DUMP "\t\thungE 7:1a2b! prio=0 @ 5000ms: game[99]\n" DUMP "\tRING_START: 0x00001000\n"
	  DUMP "\tRING_HEAD:  0x00000040\n" DUMP "\tRING_TAIL:  0x00000058\n", "-/rcs0/-/wedged",
	  "the driver has given the GPU up (wedged); the lines have the state of its engines; rcs0: the "
	  "driver printed the engine's registers: it had work left, from HEAD 0x40 to TAIL 0x58; its "
	  "request is of game [99] (line 8).", NULL },
	/* An error is no clean bill; advice is. */
	{ ERROR "Atomic update failure on pipe A (start=1 end=2)\n", "-/-/-/none",
	  "Nothing in this log stopped the GPU; in addition (line 1): a frame", "No fault" },
	{ XE "GuC firmware (70.2.0) is recommended, but only (70.1.0) was found in xe/bmg_guc_70.bin\n",
	  "-/-/-/none", "No fault, hang or reset of an Intel GPU in this log; in addition", NULL },
	{ ERROR "Failed to idle engines, declaring wedged!\n" ERROR "frob broke\n", "-/-/-/wedged",
	  "(wedged); in addition (line 2): the driver reports: \"frob broke\".", "no other" },
	/* A dump has a reason, told or not. */
	{ XE "Xe device coredump has been created\n" XE "Xe device coredump has been deleted.\n"
	  "xe 0000:04:00.0: [drm] Xe device coredump has been created\n", "-/-/-/dump", "The GPU failed, "
	  "but this log does not say how: the kernel kept 2 dumps (line 1), and has dropped 1 of them.",
	  "No fault" },
	{ XE "Xe device coredump has been deleted.\n", "-/-/-/none", "No fault", "dump" },
	/* Who waits for what, and what GPUs share a log. */
	{ "[ 1.0] " I915 "Resetting rcs0 for preemption time out\n[ 1.1] " I915
	  "game[77] context reset due to GPU hang\n", "-/rcs0/-/reset", "reset of rcs0: preemption time "
	  "out; the work was of game [77]; then came 1 context discarded", NULL },
	{ "[ 1.0] " I915 "game[77] context reset due to GPU hang\n", "-/-/-/work-cancelled",
	  "its work hung the GPU; the log", "the work was of" },
	{ XE "GT0: Engine memory CAT error [18]: class=bcs, guc_id=0\n"
	  "xe 0000:04:00.0: [drm] Fault response: Unsuccessful -5\n"
	  "xe 0000:04:00.0: [drm] GT0: Engine memory CAT error [18]: class=bcs, guc_id=0\n",
	  "-/bcs/-/page-fault", "First (line 1, 0000:03:00.0): ", NULL },
	{ XE "GT0: Engine memory CAT error [18]: class=bcs, guc_id=0\n"
	  "xe 0000:04:00.0: [drm] Fault response: Unsuccessful -5\n"
	  "xe 0000:04:00.0: [drm] GT0: Engine memory CAT error [18]: class=bcs, guc_id=0\n",
	  "-/bcs/-/page-fault", "then came 1 page fault and 1 CAT error; several GPUs are concerned.",
	  NULL },
	{ HANG XE "*ERROR* Tile0: GT0: reset failed (-ETIMEDOUT)\n" XE "GT0: GuC firmware (70.2.0) is "
	  "recommended, but only (70.1.0) was found in xe/bmg_guc_70.bin\n", "-/rcs/-/hang",
	  "the driver gave up on the GPU (line 2, 0000:03:00.0); in addition (line 3, 0000:03:00.0): ",
	  NULL },
	{ HANG XE "GT0: GuC firmware (70.2.0) is recommended, but only (70.1.0) was found in "
	  "xe/bmg_guc_70.bin\n", "-/rcs/-/hang", "; in addition (line 2, 0000:03:00.0): ", "several" },
	/* One file serves several platforms. */
	{ I915 "Failed to load DMC firmware i915/mtl_dmc.bin (-ENOENT)\n", "-/-/-/firmware-file",
	  "Going by this log, the platform is one of mtl, arl; name it with -p.", NULL },
	{ I915 "GT0: GuC firmware i915/adlp_guc_70.bin version 70.5.1\n"
	  "i915 0000:03:00.0: [drm] GT0: GuC firmware i915/mtl_guc_70.bin version 70.5.1\n"
	  "[drm] stuck on render ring\n", "-/rcs0/-/hang", "GPU.", "platform" },
	{ I915 "GT0: GuC firmware i915/adlp_guc_70.bin version 70.5.1\n" HANG, "-/rcs/-/hang",
	  "Going by this log, the platform is one of adlp, adln, rplp; name it", NULL },
	{ I915 "Failed to load DMC firmware i915/kbl_dmc.bin (-ENOENT)\n" I915 "GPU HANG: ecode "
	  "9:1:85dffffb\n", "-/rcs/-/hang", "Going by this log, the platform is "
	  "one of kbl, cfl, cml; name it with -p.", NULL },
	{ "Kernel panic - not syncing: x\n", "-/-/-/none", "in addition (line 1): the kernel panicked",
	  NULL },
	{ HANG "xe 0000:03:00.0: [drm] Xe device coredump has been created\n"
	  "xe 0000:03:00.0: [drm] Xe device coredump has been deleted.\n", "-/rcs/-/hang", "the GPU hung",
	  "kept a dump" },
	{ "BUG: kernel NULL pointer dereference, address: 0\nRIP: 0010:xe_frob+0x1/0x2 [xe]\n",
	  "-/-/-/oops-xe_frob", "the kernel crashed", NULL },
};

static void together(void)
{
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++) {
		struct gsc_log_summary *story;
		struct gsc_log *log;
		const char *text = stories[i].text, *verdict;

		CU_ASSERT_EQUAL_FATAL(gsc_log_summary_new(&story, shared_definitions(), NULL, NULL, NULL,
						    NULL), GSC_OK);
		CU_ASSERT_EQUAL_FATAL(gsc_log_new(&log, shared_definitions(), NULL, text,
						  strlen(text), NULL), GSC_OK);
		gsc_log_summary_read(story, log);
		verdict = gsc_log_summary_verdict(story);
		CU_ASSERT_STRING_EQUAL(gsc_log_summary_signature(story), stories[i].signature);
		CU_ASSERT_PTR_NOT_NULL(strstr(verdict, stories[i].verdict));
		CU_ASSERT(!stories[i].not || !strstr(verdict, stories[i].not));
		if (!strstr(verdict, stories[i].verdict) ||
		    strcmp(gsc_log_summary_signature(story), stories[i].signature))
			printf("\n%zu: %s: \"%s\"\n", i, gsc_log_summary_signature(story), verdict);
		gsc_log_free(log);
		gsc_log_summary_free(story);
	}
}

SUITE(log_report, { "quotes", quotes }, { "not quoted", not_quoted },
      { "known, harmless", known_harmless }, { "rules first", rules_first },
      { "of the kernel", of_the_kernel }, { "together", together })
