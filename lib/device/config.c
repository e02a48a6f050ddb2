/* SPDX-License-Identifier: MIT */
/* Config space, through the kernel. */
#include "device/internal.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONFIG_MAX 4096

static enum gsc_read config_denied(struct device *device, const char *what)
{
	struct gsc_error err;

	err_set(&err, GSC_DENIED, device->bdf, "%s: permission denied: %s", what,
		geteuid() ? "run as root" : "run outside this container");
	problem_add(&device->problems, &err);
	return GSC_READ_DENIED;
}

/* Without root, the kernel gives the first 64 bytes and pretends that there are no more. */
static enum gsc_read config_refusal(struct device *device, int fd, uint64_t end)
{
	struct stat st;

	if (fstat(fd, &st) || st.st_size < 0 || end > (uint64_t)st.st_size)
		return GSC_READ_ABSENT;
	return config_denied(device, "config space beyond its first 64 bytes");
}

/* A device that is gone has no vendor either. */
static bool no_vendor(int fd)
{
	uint16_t vendor;

	return pread(fd, &vendor, sizeof(vendor), CONFIG_VENDOR) == (ssize_t)sizeof(vendor) &&
	       vendor == UINT16_MAX;
}

/* Reading config space wakes a device that has lost power. */
static enum gsc_read read_config(struct device *device, uint64_t address, unsigned size,
				 uint64_t *value)
{
	enum gsc_read status = GSC_READ_OK;
	uint64_t bytes = 0;
	int fd;

	if (address > CONFIG_MAX - size)
		return GSC_READ_ABSENT;
	if (sysfs_suspended(device->bdf))
		return GSC_READ_ASLEEP;
	fd = sysfs_open(device->bdf, "config", O_RDONLY);
	if (fd < 0)
		return errno == EACCES || errno == EPERM ? config_denied(device, "config space")
							 : GSC_READ_ABSENT;
	if (pread(fd, &bytes, size, (off_t)address) != (ssize_t)size)
		status = config_refusal(device, fd, address + size);
	else if (le64toh(bytes) == size_mask(size) && no_vendor(fd))
		status = GSC_READ_ALL_ONES;
	else
		*value = le64toh(bytes);
	close(fd);
	return status;
}

/* How much of config space is readable. */
static uint64_t config_length(struct device *device)
{
	static const uint64_t ends[] = { 4096, 256, 64 };
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (read_config(device, ends[i] - 4, 4, &value) == GSC_READ_OK)
			return ends[i];
	return 0;
}

static bool config_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
{
	return extent_of(config_length(device), from, start, last);
}

const struct door config_door = { .read = read_config, .extent = config_extent };
