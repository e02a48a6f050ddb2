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

	if (gpu->platform < 0 ||
	    !gsc_platform_at(common->db, (unsigned)gpu->platform, &platform))
		return NULL;
	return platform.name;
}

/* "card0 renderD128" */
KEYS()
static void json_nodes(struct gsc_json *json, const char *nodes)
{
	KEY_ARRAY("nodes", OF(text));
	while (*nodes) {
		size_t length = strcspn(nodes, " ");
		char node[40];

		snprintf(node, sizeof(node), "%.*s", (int)length, nodes);
		gsc_json_string(json, NULL, node);
		nodes += length;
		nodes += strspn(nodes, " ");
	}
	gsc_json_array_end(json);
}

KEYS(device, "chipset: the id that i915 goes by, where it can be asked.")
static void json_device(struct gsc_json *json, const struct common *common,
			const struct gsc_device *gpu)
{
	KEY(text, "bdf", gpu->bdf, PATTERN("^[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}[.][0-7]$"));
	KEY(hex, "id", gpu->device);
	KEY_OR_NULL(gpu->chipset >= 0, hex, "chipset", (uint64_t)gpu->chipset);
	KEY(text_or_null, "platform", platform_name(common, gpu));
	KEY(some_text, "driver", gpu->driver);
	json_nodes(json, gpu->nodes);
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
	gsc_json_list_end(json);
	gsc_json_finish(json);
}

static const char *or_dash(const char *text)
{
	return text && *text ? text : "-";
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

		gsc_out_text(out, gpu->bdf);
		gsc_out_pad(out, 14);
		gsc_out_hex(out, gpu->device, 4);
		gsc_out_pad(out, 22);
		gsc_out_text(out, or_dash(platform_name(common, gpu)));
		gsc_out_pad(out, 32);
		gsc_out_text(out, or_dash(gpu->driver));
		gsc_out_pad(out, 40);
		gsc_out_text(out, or_dash(gpu->nodes));
		gsc_out_pad(out, 62);
		gsc_out_text(out, or_dash(gpu->power));
		gsc_out_pad(out, 73);
		gsc_out_text(out, or_dash(gpu->iommu));
		gsc_out_end(out);
	}
	gsc_out_text(out, "kernel lockdown: ");
	gsc_out_text(out, *lockdown ? lockdown : "unknown");
	gsc_out_end(out);
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
