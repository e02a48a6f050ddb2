/* SPDX-License-Identifier: MIT */
/* Drivers of other makers' GPUs, programs that saw a hang, and what of a text makes it a log. */
#include "log/log.h"
#include "log-helpers.h"
#include "source-helpers.h"
#include "test.h"

#include <string.h>

/* ---- other GPUs ----------------------------------------------------------------------------- */

static const struct {
	const char *text, *driver, *device, *says;
} others[] = {
	{ "amdgpu 0000:28:00.0: ring gfx_0.0.0 timeout, signaled seq=5, emitted seq=7", "amdgpu",
	  "0000:28:00.0", "amdgpu, the driver of another GPU: a ring did not finish" },
	{ "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring sdma0 timeout, signaled seq=1, emitted "
	  "seq=3", "amdgpu", "", "a ring did not finish" },
	{ "ring gfx_0.0.0 timeout, signaled seq=5, emitted seq=7", "amdgpu", "", "a ring" },
	{ "amdgpu 0000:28:00.0: amdgpu: GPU reset begin!", "amdgpu", "0000:28:00.0", "a reset" },
	{ "amdgpu 0000:28:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:1)", "amdgpu",
	  "0000:28:00.0", "a page fault" },
	{ "radeon 0000:01:00.0: ring 0 stalled for more than 10024msec", "radeon", "0000:01:00.0",
	  "a ring did not finish" },
	{ "radeon 0000:01:00.0: GPU fault detected: 147 0x08020401", "radeon", "0000:01:00.0",
	  "a page fault" },
	{ "NVRM: Xid (PCI:0000:01:00): 31, pid=7, Ch 00000003", "nvidia", "", "(Xid)" },
	{ "NVRM: GPU 0000:01:00.0: GPU has fallen off the bus.", "nvidia", "0000:01:00.0", "gone" },
	{ "nouveau 0000:01:00.0: fifo: fault 00 [VIRT_READ] at 0000000000420000 engine 00 [gr]",
	  "nouveau", "0000:01:00.0", "a page fault" },
	{ "nvidia-modeset: ERROR: GPU:0: Idling display engine timed out", "nvidia", "",
	  "an error of the display" },
	{ "[ 1.0] amdgpu 0000:0b:00.0: [drm] *ERROR* frob\n", "amdgpu", "0000:0b:00.0",
	  "amdgpu, the driver of another device, reports: \"frob\"" },
	{ "amdgpu 0000:0b:00.0: [drm] *ERROR* flip_done timed out", "amdgpu", "0000:0b:00.0",
	  "the driver of another device, reports: \"flip_done timed out\"" },
	{ "<3>[ 1.0] a-b 0001:0b:00.1: [drm:frob] *ERROR* frob\n", "a-b", "0001:0b:00.1",
	  "a-b, the driver of another device, reports: \"frob\"" },
	{ "amdgpu 0000:0b:00.0: [drm] *ERROR* ring gfx timeout, signaled seq=1, emitted seq=3\n",
	  "amdgpu", "0000:0b:00.0", "a ring did not finish" },
	{ "nouveau 0000:01:00.0: fifo: SCHED_ERROR 0a [CTXSW_TIMEOUT]", "nouveau", "0000:01:00.0",
	  "a channel failed" },
	{ "panfrost 13000000.gpu: gpu sched timeout, js=0, config=0x7b00, status=0x8", "panfrost", "",
	  "a ring did not finish" },
	{ "msm_dpu 1a00000.mdss: [drm:hangcheck_handler] *ERROR* 5.0.0.0: hangcheck detected gpu "
	  "lockup rb 0!", "msm", "", "a ring did not finish" },
};

/* Their trouble is an error aside, whatever it was, and never a hang of Intel's GPU. */
static void other_gpus(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		struct gsc_event event = one(others[i].text);

		CU_ASSERT_EQUAL(event.kind, GSC_EVENT_ERROR);
		CU_ASSERT_EQUAL(event.rank, GSC_EVENT_ASIDE);
		CU_ASSERT_STRING_EQUAL(event.driver, others[i].driver);
		CU_ASSERT_STRING_EQUAL(event.device, others[i].device);
		CU_ASSERT(says(&event, others[i].says));
	}
	CU_ASSERT_EQUAL(read_text("i915 0000:00:02.0: [drm] GPU reset begin!\n").count, 0);
	CU_ASSERT_EQUAL(read_text("disk: ring 0 stalled for more than 10 s\n").count, 0);
}

/* ---- programs ------------------------------------------------------------------------------- */

#define IO_ERROR "Input/output error"

static const struct {
	const char *text, *says;
	enum gsc_event_kind kind;
} seen[] = {
	{ "[   212.972] (EE) intel(0): Detected a hung GPU, disabling acceleration.",
	  "the GPU hung: X's intel driver", GSC_EVENT_HANG },
	{ "(EE) intel(0): Failed to submit rendering commands (" IO_ERROR "), disabling acceleration.",
	  "after a hang", GSC_EVENT_HANG },
	{ "(EE) intel(0): Failed to submit rendering commands (Invalid argument), disabling "
	  "acceleration.", "could not submit a batch: ", GSC_EVENT_ERROR },
	{ "i965: Failed to submit batchbuffer: " IO_ERROR, "as the kernel does after a hang",
	  GSC_EVENT_HANG },
	{ "\033[1;41miris: Failed to submit batchbuffer: Operation canceled   \033[0m", "a hang",
	  GSC_EVENT_HANG },
	{ "i965: Failed to submit batchbuffer: Invalid argument",
	  "Mesa could not submit a batch: Invalid argument", GSC_EVENT_ERROR },
	{ "intel_do_flush_locked failed: " IO_ERROR, "after a hang", GSC_EVENT_HANG },
	{ "INTEL-MESA: error: ../src/intel/vulkan/anv_device.c:3202: GPU hung on one of our command "
	  "buffers (VK_ERROR_DEVICE_LOST)", "the GPU hung: Mesa's Vulkan driver",
	  GSC_EVENT_HANG },
	{ "MESA-INTEL: error: ../src/intel/vulkan/i915/anv_batch_chain.c:12: execbuf2 failed: " IO_ERROR
	  " (VK_ERROR_DEVICE_LOST)", "the GPU hung: Mesa's Vulkan driver", GSC_EVENT_HANG },
	{ "anv: vkQueueSubmit: VK_ERROR_DEVICE_LOST", "the GPU hung", GSC_EVENT_HANG },
	{ "[h264_qsv @ 0x5649] Error during QSV decoding.: GPU Hang (-21)", "Intel's media library",
	  GSC_EVENT_HANG },
	{ "ERROR: GPU HANG detected!", "the GPU hung: Intel's compute runtime", GSC_EVENT_HANG },
};

static void programs(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(seen); i++) {
		struct gsc_event event = one(seen[i].text);

		CU_ASSERT_EQUAL(event.kind, seen[i].kind);
		CU_ASSERT_EQUAL(event.rank, GSC_EVENT_LESSER);
		CU_ASSERT(says(&event, seen[i].says));
	}
	CU_ASSERT_EQUAL(read_text("radv: VK_ERROR_DEVICE_LOST\n").count, 0);
}

/* ---- which texts are logs ------------------------------------------------------------------- */

static bool is_log(const char *text)
{
	return log_has_messages(shared_definitions(), text, strlen(text));
}

/* What a driver writes is enough, wherever a person has put it. */
static void logs(void)
{
	CU_ASSERT(is_log("*ERROR* Failed to reset GuC, ret = -110\n"));
	CU_ASSERT(is_log("[i915] *ERROR* Failed to reset GuC\n"));
	CU_ASSERT(is_log("GT0: Engine reset: engine_class=ccs, logical_mask: 0x1, guc_id=22\n"));
	CU_ASSERT(is_log("It says \"Resetting rcs0 for stopped heartbeat on rcs0\", then stops.\n"));
	CU_ASSERT(is_log("NVRM: Xid (PCI:0000:01:00): 31\n"));
	CU_ASSERT_FALSE(is_log(""));
	CU_ASSERT_FALSE(is_log("My GPU hung on Monday, and the i915 driver reset it.\n"));
	CU_ASSERT_FALSE(is_log("Failed to reset chip\n"));
	CU_ASSERT_FALSE(is_log("\tdrm_err(&i915->drm, \"Failed to reset chip, ret %d\");\n"));
	CU_ASSERT_FALSE(is_log("\tdrm_err(&i915->drm, \"Failed to reset chip\\n\");\n"));
	CU_ASSERT_FALSE(is_log("/* Resetting rcs0 for x */\n#include <stdio.h>\n"));
	CU_ASSERT_FALSE(is_log("RING_HEAD: 0x1234\n"));
}

SUITE(log_foreign, { "other GPUs", other_gpus }, { "programs", programs }, { "logs", logs })
