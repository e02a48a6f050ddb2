/* SPDX-License-Identifier: MIT */
/* gpu-regdump --devices: the GPUs of this machine. */
#include "regdump.h"
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *platform_name(const struct common *common, const struct gsc_device *gpu)
{
	struct gsc_platform platform;

	if (gpu->platform < 0 || !gsc_platform_at(common->db, (unsigned)gpu->platform, &platform))
		return NULL;
	return platform.name;
}

KEYS(device, "chipset: the id that i915 goes by, where it can be asked.")
static void json_device(struct gsc_json *json, const struct common *common,
			const struct gsc_device *gpu)
{
	char nodes[sizeof(gpu->nodes)], *save, *node;

	KEY(text, "bdf", gpu->bdf, PATTERN("^[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}[.][0-7]$"));
	KEY(hex, "id", gpu->device);
	KEY_OR_NULL(gpu->chipset >= 0, hex, "chipset", (uint64_t)gpu->chipset);
	KEY(text_or_null, "platform", platform_name(common, gpu));
	KEY(some_text, "driver", gpu->driver);
	/* "card0 renderD128" */
	strcpy(nodes, gpu->nodes);
	node = strtok_r(nodes, " ", &save);
	KEY_EACH(text, "nodes", for (; node; node = strtok_r(NULL, " ", &save)), node);
	KEY(some_text, "power", gpu->power);
	KEY(some_text, "iommu", gpu->iommu);
}

KEYS(devices, "--devices.")
static void print_json(struct common *common, const struct gsc_device *gpus, size_t count,
		       const char *lockdown)
{
	struct gsc_json document, *json = &document;

	document_begin(common, REGDUMP_SCHEMA, NULL, 0, json);
	KEY(some_text, "lockdown", lockdown);
	KEY_LIST("devices", OF(device));
	for (size_t i = 0; i < count; i++)
		ITEM(json_device(json, common, &gpus[i]));
	gsc_json_finish(json);
}

static void print_text(struct common *common, const struct gsc_device *gpus, size_t count,
		       const char *lockdown)
{
	struct gsc_out *out = common->out;

	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_text(out, "BDF           ID      PLATFORM  DRIVER  NODES                 "
			  "POWER      IOMMU");
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	for (size_t i = 0; i < count; i++) {
		const struct gsc_device *gpu = &gpus[i];
		const struct { unsigned column; const char *text; } cells[] = {
			{ 22, platform_name(common, gpu) }, { 32, gpu->driver },
			{ 40, gpu->nodes }, { 62, gpu->power }, { 73, gpu->iommu },
		};

		gsc_out_text(out, gpu->bdf);
		gsc_out_pad(out, 14);
		gsc_out_hex(out, gpu->device, 4);
		for (size_t k = 0; k < ARRAY_SIZE(cells); k++) {
			gsc_out_pad(out, cells[k].column);
			gsc_out_text(out, cells[k].text && *cells[k].text ? cells[k].text : "-");
		}
		gsc_out_end(out);
	}
	gsc_out_format(out, "kernel lockdown: %s\n", *lockdown ? lockdown : "unknown");
}

enum gsc_status devices_run(struct common *common, struct gsc_error *err)
{
	struct gsc_device *gpus = NULL;
	enum gsc_status status;
	char lockdown[40];
	size_t count = 0;

	if (common->operand_count)
		return usage_error(err, common->operands[0], "--devices takes no operands");
	common->live = true;
	status = definitions_open(common, err);
	if (!status)
		status = gsc_devices(common->db, &gpus, &count, err);
	if (!status && !count) {
		*err = (struct gsc_error){ GSC_FAILED, "devices", "no Intel GPU found" };
		status = GSC_FAILED;
	}
	if (!status)
		status = output_open(common, false, err);
	if (!status) {
		gsc_lockdown(lockdown, sizeof(lockdown));
		if (wants_json(common))
			print_json(common, gpus, count, lockdown);
		else
			print_text(common, gpus, count, lockdown);
	}
	free(gpus);
	return status;
}
