/* SPDX-License-Identifier: MIT */
/*
 * From a DRM node to its PCI function, without opening it, which could wake the device. And what
 * the driver says about a device that is awake.
 */
#include "device/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#if HAVE_LIBDRM

#include "util/dynlib.h"

#include <i915_drm.h>
#include <xf86drm.h>

struct drm_calls {
	__typeof__(drmGetDeviceFromDevId) *get;
	__typeof__(drmFreeDevice) *release;
	__typeof__(drmGetVersion) *version;
	__typeof__(drmFreeVersion) *release_version;
	__typeof__(drmIoctl) *ioctl;
};

static const char *const drm_symbols[] = {
	"drmGetDeviceFromDevId", "drmFreeDevice", "drmGetVersion", "drmFreeVersion", "drmIoctl",
};

_Static_assert(sizeof(struct drm_calls) == ARRAY_SIZE(drm_symbols) * sizeof(void *),
	       "a name for each call");

static void *open_library(struct drm_calls *call)
{
	return dynlib_open("libdrm.so.2", drm_symbols, call, ARRAY_SIZE(drm_symbols), NULL);
}

static bool node_bdf(const struct drm_calls *call, dev_t node, char bdf[BDF_MAX])
{
	drmDevicePtr device;
	bool found;

	if (call->get(node, 0, &device))
		return false;
	found = device->bustype == DRM_BUS_PCI;
	if (found)
		snprintf(bdf, BDF_MAX, "%04x:%02x:%02x.%u", device->businfo.pci->domain,
			 device->businfo.pci->bus, device->businfo.pci->dev,
			 device->businfo.pci->func & 7u);
	call->release(&device);
	return found;
}

static bool library_bdf(dev_t node, char bdf[BDF_MAX])
{
	struct drm_calls call;
	void *handle = open_library(&call);
	bool found = handle && node_bdf(&call, node, bdf);

	if (handle)
		dynlib_close(handle);
	return found;
}

/* Opening a card's own node would make us master of the display: only render nodes are opened. */
static bool ask_node(const struct drm_calls *call, const char *node, struct gsc_device *gpu)
{
	int fd, value = -1;
	struct drm_i915_getparam question = { .param = I915_PARAM_CHIPSET_ID, .value = &value };
	char path[64], found[BDF_MAX];
	drmVersionPtr version = NULL;
	struct stat st;

	if (strncmp(node, "renderD", 7))
		return false;
	snprintf(path, sizeof(path), "/dev/dri/%s", node);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return false;
	/* Whatever has the name of a node need not be a node of that function, nor a node. */
	if (!fstat(fd, &st) && S_ISCHR(st.st_mode) && node_bdf(call, st.st_rdev, found) &&
	    !strcmp(found, gpu->bdf))
		version = call->version(fd);
	if (version) {
		snprintf(gpu->driver, sizeof(gpu->driver), "%s", version->name);
		if (!strcmp(gpu->driver, "i915"))
			gpu->chipset = call->ioctl(fd, DRM_IOCTL_I915_GETPARAM, &question) ? -1
											   : value;
		call->release_version(version);
	}
	close(fd);
	return version != NULL;
}

void drm_describe(struct gsc_device *gpu)
{
	struct drm_calls call;
	char nodes[sizeof(gpu->nodes)];
	void *handle = *gpu->nodes ? open_library(&call) : NULL;
	char *save, *node;

	if (!handle)
		return;
	strcpy(nodes, gpu->nodes);
	for (node = strtok_r(nodes, " ", &save); node && !ask_node(&call, node, gpu);
	     node = strtok_r(NULL, " ", &save))
		;
	dynlib_close(handle);
}

#else

void drm_describe(struct gsc_device *gpu)
{
	(void)gpu;
}

static bool library_bdf(dev_t node, char bdf[BDF_MAX])
{
	(void)node, (void)bdf;
	return false;
}

#endif

enum gsc_status drm_node_bdf(const char *path, char bdf[BDF_MAX], struct gsc_error *err)
{
	char link[PATH_MAX], target[64];
	struct stat st;

	if (stat(path, &st))
		return err_errno(err, path, errno);
	if (!S_ISCHR(st.st_mode))
		return err_set(err, GSC_FAILED, path, "not a DRM node");
	if (library_bdf(st.st_rdev, bdf))
		return GSC_OK;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device", major(st.st_rdev),
		 minor(st.st_rdev));
	if (!link_target(link, target, sizeof(target)) || !bdf_parse(target, bdf))
		return err_set(err, GSC_FAILED, path, "not a node of a PCI device");
	return GSC_OK;
}
