/* SPDX-License-Identifier: MIT */
/* From a DRM node to its PCI function, without opening it: that could wake the device. */
#include "device/internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#if HAVE_LIBDRM

#include "util/dynlib.h"

#include <xf86drm.h>

struct drm_calls {
	__typeof__(drmGetDeviceFromDevId) *get;
	__typeof__(drmFreeDevice) *release;
};

static const char *const drm_symbols[] = { "drmGetDeviceFromDevId", "drmFreeDevice" };

_Static_assert(sizeof(struct drm_calls) == ARRAY_SIZE(drm_symbols) * sizeof(void *),
	       "a name for each call");

static bool library_bdf(dev_t node, char bdf[BDF_MAX])
{
	struct drm_calls call;
	drmDevicePtr device;
	void *handle = dynlib_open("libdrm.so.2", drm_symbols, &call, ARRAY_SIZE(drm_symbols),
				   NULL);
	bool found = false;

	if (!handle)
		return false;
	if (!call.get(node, 0, &device)) {
		found = device->bustype == DRM_BUS_PCI;
		if (found)
			snprintf(bdf, BDF_MAX, "%04x:%02x:%02x.%u", device->businfo.pci->domain,
				 device->businfo.pci->bus, device->businfo.pci->dev,
				 device->businfo.pci->func & 7u);
		call.release(&device);
	}
	dynlib_close(handle);
	return found;
}

#else

static bool library_bdf(dev_t node, char bdf[BDF_MAX])
{
	(void)node, (void)bdf;
	return false;
}

#endif

static bool link_bdf(dev_t node, char bdf[BDF_MAX])
{
	char path[PATH_MAX], target[64];

	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device", major(node), minor(node));
	return link_target(path, target, sizeof(target)) && bdf_parse(target, bdf);
}

enum gsc_status drm_node_bdf(const char *path, char bdf[BDF_MAX], struct gsc_error *err)
{
	struct stat st;

	if (stat(path, &st))
		return err_errno(err, path, errno);
	if (!S_ISCHR(st.st_mode))
		return err_set(err, GSC_FAILED, path, "not a DRM node");
	if (!library_bdf(st.st_rdev, bdf) && !link_bdf(st.st_rdev, bdf))
		return err_set(err, GSC_FAILED, path, "not a node of a PCI device");
	return GSC_OK;
}
