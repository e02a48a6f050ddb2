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
	return problem_read(&device->problems, &err);
}

/* Reading config space wakes a device that has lost power. */
static enum gsc_read read_config(struct device *device, uint64_t address, unsigned size,
				 uint64_t *value)
{
	enum gsc_read status = GSC_READ_OK;
	uint64_t bytes = 0;
	uint16_t vendor;
	struct stat st;
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
		/* Without root, the kernel gives 64 bytes and pretends that there are no more. */
		status = fstat(fd, &st) || st.st_size < 0 || address + size > (uint64_t)st.st_size
				 ? GSC_READ_ABSENT
				 : config_denied(device, "config space beyond its first 64 bytes");
	else if (le64toh(bytes) == size_mask(size) &&
		 pread(fd, &vendor, sizeof(vendor), CONFIG_VENDOR) == (ssize_t)sizeof(vendor) &&
		 vendor == UINT16_MAX)
		status = GSC_READ_ALL_ONES;	/* a device that is gone has no vendor either */
	else
		*value = le64toh(bytes);
	close(fd);
	return status;
}

static bool config_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
{
	static const uint64_t ends[] = { 4096, 256, 64 };
	uint64_t value;

	/* As much of it as is readable. */
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (read_config(device, ends[i] - 4, 4, &value) == GSC_READ_OK)
			return extent_of(ends[i], from, start, last);
	return false;
}

const struct door config_door = { .read = read_config, .extent = config_extent };
