/* SPDX-License-Identifier: MIT */
/* Which PCI function a name means, and which GPUs there are. */
#include "device/internal.h"

#include "util/text.h"

#define DRI "/dev/dri/"

bool device_name_matches(const char *name)
{
	char bdf[BDF_MAX];

	return !strcmp(name, "live") || !strncmp(name, DRI, strlen(DRI)) || bdf_parse(name, bdf);
}

/*
 * Whether a function is a GPU of its own: the display function 1 of gen3 and gen4, and virtual
 * functions, belong to a function 0, which is the one meant.
 */
static bool stands_alone(const pci_function_vec *found, const struct pci_function *function)
{
	for (size_t i = 0; function->number && i < found->count; i++)
		if (!found->items[i].number &&
		    !strncmp(found->items[i].bdf, function->bdf, strlen("0000:00:02")))
			return false;
	return true;
}

enum gsc_status find_function(const pci_function_vec *found, const char *name,
			      const struct pci_function **function, struct gsc_error *err)
{
	char bdf[BDF_MAX], vendor[8], list[400] = "";
	enum gsc_status status;
	size_t count = 0;

	for (size_t i = 0; !strcmp(name, "live") && i < found->count; i++) {
		if (!stands_alone(found, &found->items[i]))
			continue;
		*function = &found->items[i];
		string_add(list, "%s%s (0x%04x)", count++ ? ", " : "", (*function)->bdf,
			   (*function)->id);
	}
	if (count == 1)
		return GSC_OK;
	if (count)
		return err_set(err, GSC_USAGE, name, "%zu Intel GPUs here: choose one: %s", count,
			       list);
	if (!strcmp(name, "live"))
		return err_set(err, GSC_FAILED, name, "no Intel GPU here");
	if (!bdf_parse(name, bdf)) {
		status = drm_node_bdf(name, bdf, err);
		if (status)
			return status;
	}
	for (size_t i = 0; i < found->count; i++) {
		*function = &found->items[i];
		if (!strcmp((*function)->bdf, bdf))
			return GSC_OK;
	}
	return err_set(err, GSC_FAILED, name, sysfs_line(bdf, "vendor", vendor, sizeof(vendor))
						      ? "not an Intel GPU" : "no such PCI device");
}

enum gsc_status gsc_devices(const struct gsc_db *db, struct gsc_device **gpus, size_t *count,
			 struct gsc_error *err)
{
	pci_function_vec found = { 0 };
	struct gsc_platform platform;
	struct pci_library *library;
	enum gsc_status status = pci_begin(&library, err);

	*gpus = NULL;
	*count = 0;
	if (status)
		return status;
	status = pci_scan(library, &found, err);
	pci_end(library);
	if (!status) {
		*gpus = calloc(MAX(found.count, 1), sizeof(**gpus));
		status = *gpus ? GSC_OK : err_memory(err);
	}
	for (size_t i = 0; !status && i < found.count; i++) {
		const struct pci_function *function = &found.items[i];
		struct gsc_device *gpu = &(*gpus)[(*count)++];

		*gpu = (struct gsc_device){ .device = function->id, .revision = function->revision,
					    .platform = -1, .chipset = -1 };
		string_set(gpu->bdf, "%s", function->bdf);
		if (gsc_platform_by_id(db, function->id, &platform, NULL))
			gpu->platform = (int)platform.index;
		sysfs_link(gpu->bdf, "driver", gpu->driver, sizeof(gpu->driver));
		sysfs_nodes(gpu->bdf, gpu->nodes, sizeof(gpu->nodes));
		sysfs_line(gpu->bdf, "power/runtime_status", gpu->power, sizeof(gpu->power));
		sysfs_line(gpu->bdf, "iommu_group/type", gpu->iommu, sizeof(gpu->iommu));
		if (!sysfs_suspended(gpu->bdf))
			drm_describe(gpu);
	}
	vec_free(&found);
	return status;
}
