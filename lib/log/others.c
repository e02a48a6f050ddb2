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
	const struct gsc_message *words = &log->words;
	const char *driver = *words->driver ? words->driver : log_others(log->line);

	(void)rest;
	if (*event->driver || !driver)
		return false;
	string_set(event->driver, "%.15s", driver);
	event->fault.type = LOG_OTHER;
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
