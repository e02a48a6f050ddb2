/* SPDX-License-Identifier: MIT */
/*
 * What others say: drivers of GPUs that are not Intel's, whose trouble must not be taken for
 * Intel's nor be hidden, and programs that noticed a hang of Intel's GPU: they know neither engine
 * nor code, so the kernel's own words come before theirs.
 */
#include "log/log.h"
#include "text/clean.h"

/* ---- other GPUs ----------------------------------------------------------------------------- */

const char *log_others(struct slice line)
{
	static const char drivers[][12] = {
		"amdgpu", "radeon", "nouveau", "nvidia", "NVRM", "panfrost", "panthor", "msm",
		"v3d", "etnaviv", "vmwgfx", "virtio", "ast ", "qxl ", "iwlwifi",
	};

	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++)
		if (text_has(line, drivers[i]))
			return drivers[i];
	return NULL;
}

bool log_others_function(struct slice function)
{
	return text_begins_any(function,
		/* radeon */
		"radeon|r100_|r200_|r300_|r420_|r520_|r600_|rs400_|rs600_|rs690_|rs780_|rv|"
		"evergreen_|cayman_|cypress_|btc_|ni_|sumo_|trinity_|si_|ci_|cik_|kv_|uvd_|vce_|"
		"atom|avivo_|"
		/* amdgpu */
		"amdgpu|gfx_v|gmc_v|sdma_v|vcn_v|dce|dm_|dc_|smu|psp_|kfd_|"
		"nouveau|nv|gf100_|gk104_|"
		/* gma500 is Intel's, but another driver */
		"psb_|cdv_|mdfld_|oaktrail_|gma_|"
		"vmw_|ttm_|qxl_|ast_|mga|cirrus_|bochs_|vbox_|virtio_|udl_|evdi_|vgem_|vc4_|v3d_|"
		"msm_|mdp|dpu_|adreno_|a3xx_|a4xx_|a5xx_|a6xx_|etnaviv_|exynos_|tegra_|omap_|"
		"rcar_|rockchip_|dw_|vop_|mtk_|imx_|sti_|sun4i_|ivpu_|hibmc_|via_|savage_|sis_|"
		"armada_|tilcdc_|tda998x_");
}

/* Only once: what a log is of does not change. */
bool log_is_others(struct log *log)
{
	struct slice text = { log->text, log->end };

	if (!log->others_known)
		log->is_others = text_has_any(text, "amdgpu |radeon |nouveau |NVRM: |vmwgfx ") &&
				 !text_has_any(text, "i915|[xe]|xe 0000:");
	log->others_known = true;
	return log->is_others;
}

/* The line names the driver, unless nobody else has such words. */
bool other_gpu(struct log *log, struct slice rest, struct gsc_event *event)
{
	const struct log_words *words = log->words;
	const char *driver = *words->driver ? words->driver : log_others(log->line);

	(void)rest;
	if (*event->driver || !driver)
		return false;
	string_set(event->driver, "%.15s", driver);
	text_function(log->prefix, event->device, sizeof(event->device));
	log_say(event, "%s, the driver of another GPU: %s", driver, words->text);
	return true;
}

/* ---- programs ------------------------------------------------------------------------------- */

/*
 * "i965: Failed to submit batchbuffer: Input/output error": i915 and xe refuse work with EIO and
 * ECANCELED after a hang, to a banned context or of a wedged GPU; other errors are the program's.
 * Origin: Linux i915_gem_execbuffer.c, xe_exec.c.
 */
bool other_refused(struct log *log, struct slice rest, struct gsc_event *event)
{
	(void)log;
	rest = slice_first(rest, 120);
	if (text_has_any(rest, "Input/output error|Operation canceled")) {
		log_add(event, ", as the kernel does after a hang");
		return true;
	}
	while (slice_begins(rest, ":") || slice_begins(rest, " "))
		rest.at++;
	while (rest.end > rest.at && strchr("). ", rest.end[-1]))
		rest.end--;
	event->kind = GSC_EVENT_ERROR;
	if (rest.at < rest.end)
		log_add(event, ": %.*s", SLICE(rest));
	return true;
}

/* Vulkan's word for any GPU: only the driver's name or file says that it is Intel's. */
bool other_lost(struct log *log, struct slice rest, struct gsc_event *event)
{
	(void)rest;
	(void)event;
	return text_has_any(log->line, "anv|anv_|hasvk|anv_device|INTEL-MESA|MESA-INTEL|"
				       "intel/vulkan");
}

#define OWN(driver_, words, text_)                                                                 \
	LOG_OWN(words, other_gpu, .kind = GSC_EVENT_ERROR, .type = LOG_OTHER, .text = text_,    \
		.driver = driver_, .rank = GSC_EVENT_ASIDE)
#define OTHER(words, text) OWN("", words, text)
#define SEEN(words, handler_, text_)                                                               \
	LOG_ROW(LOG_ANYONE, GSC_EVENT_HANG, "", words, text_, .handler = handler_,                 \
		.rank = GSC_EVENT_LESSER)
#define RING "a ring did not finish its work in time"
#define FAULT "a page fault of the GPU"
#define CHANNEL "a channel failed"
#define START "the GPU did not start"
#define MESA "Mesa could not submit a batch"

static const struct log_words rows[] = {
	/* Origin: Linux amdgpu_job.c, amdgpu_device.c, gmc_v*.c, amdgpu_dm.c, amdgpu_kms.c. */
	OWN("amdgpu", " timeout, signaled seq=", RING),
	OWN("amdgpu", " timeout, but soft recover", RING),
	OWN("amdgpu", "page fault (src_id:", FAULT),
	OTHER("GPU reset begin!", "a reset of the GPU"),
	OTHER("GPU reset end with ret", "a reset of the GPU failed"),
	OTHER("VRAM is lost due to GPU reset", "the memory of the GPU was lost"),
	OTHER("GPU fault detected:", FAULT),
	OTHER("Waiting for fences timed out", "a fence timed out"),
	OTHER("Fatal error during GPU init", START),
	/* Origin: Linux radeon_fence.c, radeon_device.c, si.c. */
	OTHER(" stalled for more than ", RING),
	OTHER("GPU lockup ", RING),
	OTHER("GPU softreset: ", "a reset of the GPU"),
	/* Origin: NVIDIA's open-gpu-kernel-modules. */
	OWN("nvidia", "NVRM: Xid", "an error of the GPU (Xid)"),
	OWN("nvidia", "has fallen off the bus", "the GPU is gone from the bus"),
	OWN("nvidia", "RmInitAdapter failed", START),
	OWN("nvidia", "nvidia-modeset: ERROR: ", "an error of the display"),
	/* Origin: Linux nouveau nvkm/engine/fifo/, gr/, nvkm/subdev/gsp/. */
	OTHER("fifo: fault ", FAULT),
	OTHER("fifo: read fault", FAULT),
	OTHER("fifo: write fault", FAULT),
	OTHER("SCHED_ERROR", CHANNEL),
	OTHER("DATA_ERROR", CHANNEL),
	OTHER("CACHE_ERROR", CHANNEL),
	OTHER("DMA_PUSHER", CHANNEL),
	OTHER("gsp: rc engn", CHANNEL),
	OTHER("errored - disabling channel", CHANNEL),
	/* Origin: Linux panfrost_job.c, panfrost_mmu.c, panthor_mmu.c, msm_gpu.c, etnaviv_gpu.c. */
	OTHER("gpu sched timeout", RING),
	OTHER("Unhandled Page fault", FAULT),
	OTHER("hangcheck detected gpu lockup", RING),
	OTHER("gpu fault: ", FAULT),
	OTHER("recover hung GPU", RING),

	/* Origin: xf86-video-intel sna/kgem.c, uxa/intel_batchbuffer.c. */
	SEEN("Detected a hung GPU", ON_NONE,
	     "the GPU hung: X's intel driver found it and turned acceleration off"),
	SEEN("Failed to submit rendering commands", ON_other_refused,
	     "X's intel driver could not submit a batch"),
	SEEN("Failed to submit batch buffer, expect", ON_other_refused,
	     "X's intel driver could not submit a batch"),
	/* Origin: Mesa i965 intel_batchbuffer.c, iris_batch.c, anv_device.c, anv_batch_chain.c. */
	SEEN("Failed to submit batchbuffer", ON_other_refused, MESA),
	SEEN("intel_do_flush_locked failed", ON_other_refused, MESA),
	SEEN("GPU hung on one of our command buffers", ON_NONE,
	     "the GPU hung: Mesa's Vulkan driver lost it"),
	SEEN("GPU hung with commands in-flight", ON_NONE,
	     "the GPU hung: Mesa's Vulkan driver lost it"),
	SEEN("VK_ERROR_DEVICE_LOST", ON_other_lost, "the GPU hung: Mesa's Vulkan driver lost it"),
	/* Origin: Intel's Video Processing Library, mfxdefs.h MFX_ERR_GPU_HANG; FFmpeg qsv.c. */
	SEEN("GPU Hang (-21)", ON_NONE, "the GPU hung: Intel's media library found it"),
	/* Origin: Intel compute-runtime, shared/source/os_interface/linux/drm_neo.cpp. */
	SEEN("ERROR: GPU HANG detected", ON_NONE, "the GPU hung: Intel's compute runtime found it"),
};

const struct log_table log_other = { rows, ARRAY_SIZE(rows) };
