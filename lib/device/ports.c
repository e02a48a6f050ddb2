/* SPDX-License-Identifier: MIT */
/*
 * I/O ports: those of VGA, which only one adapter of a machine answers, through /dev/port; and
 * those of the I/O BAR, through its file. The file for writing is opened at the first write, and
 * not before.
 */
#include "device/internal.h"

#include "db/ports.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define VGA_PORTS "/dev/port"
#define IO_BAR "resource4"

#define IO_BAR_MAX 256			/* bytes, by PCI's rules */

#define COMMAND_IO (1u << 0)

/* The VGA ports are bytes; the pair of the I/O BAR takes whole dwords (SNB datasheet, 2.9). */
static bool is_port(uint64_t address, unsigned size)
{
	if (size == 1)
		return address >= PORT_FIRST && address <= PORT_LAST;
	return size == 4 && address < IO_BAR_MAX;
}

static int *port_fd(struct device *device, uint64_t address, bool write)
{
	return &device->ports[address < PORT_FIRST][write];
}

static enum gsc_status ports_open(struct device *device, uint64_t address, bool write,
				  struct gsc_error *err)
{
	int *fd = port_fd(device, address, write);
	bool in_bar = address < PORT_FIRST;
	int flags = write ? O_RDWR : O_RDONLY;
	struct gsc_error why;
	uint64_t command;

	if (*fd >= 0)
		return GSC_OK;
	/* Several adapters have these ports: one with decoding off leaves them to another. */
	if (device_read(device, GSC_CONFIG, CONFIG_COMMAND, 2, &command) == GSC_READ_OK &&
	    !(command & COMMAND_IO))
		return err_set(err, GSC_FAILED, device->bdf,
			       "its I/O decoding is off (bit 0 of its command register): another "
			       "adapter may answer at its ports");
	*fd = in_bar ? sysfs_open(device->bdf, IO_BAR, flags) : open(VGA_PORTS, flags | O_CLOEXEC);
	if (*fd >= 0)
		return GSC_OK;
	refusal_file(&why, device->bdf, errno, "the use of I/O ports");
	return err_set(err, why.status, device->bdf, "%s: %s",
		       in_bar ? "its " IO_BAR " (the I/O BAR)" : VGA_PORTS, why.why);
}

static bool load(int fd, uint64_t address, unsigned size, uint64_t *value)
{
	uint64_t bytes = 0;

	if (pread(fd, &bytes, size, (off_t)address) != (ssize_t)size)
		return false;
	*value = le64toh(bytes);
	return true;
}

static enum gsc_read port_read(struct device *device, uint64_t address, unsigned size,
			       uint64_t *value)
{
	struct gsc_error err;
	uint64_t loaded, msr;
	int fd;

	if (!is_port(address, size))
		return GSC_READ_ABSENT;
	if (sysfs_suspended(device->bdf))
		return GSC_READ_ASLEEP;
	if (ports_open(device, address, false, &err))
		return problem_read(&device->problems, &err);
	fd = *port_fd(device, address, false);
	if (!load(fd, address, size, &loaded))
		return GSC_READ_ABSENT;
	/* All ones may be a value, but not of MSR, where a bit is zero (i815 PRM, 9.1.4). */
	if (size == 1 && loaded == UINT8_MAX && load(fd, PORT_MSR, 1, &msr) && msr == UINT8_MAX)
		return GSC_READ_ALL_ONES;
	*value = loaded;
	return GSC_READ_OK;
}

static enum gsc_status port_store_open(struct device *device, uint64_t address, unsigned size,
				       struct gsc_error *err)
{
	if (!is_port(address, size))
		return err_set(err, GSC_USAGE, device->bdf,
			       "0x%llx is not one of its ports, which are bytes at 0x%x to 0x%x; "
			       "lower addresses are dwords in the I/O BAR",
			       LL(address), PORT_FIRST, PORT_LAST);
	return ports_open(device, address, true, err);
}

static void port_store(struct device *device, uint64_t address, unsigned size, uint64_t value)
{
	uint64_t bytes = htole64(value);
	ssize_t done = pwrite(*port_fd(device, address, true), &bytes, size, (off_t)address);

	(void)done;
}

const struct door port_door = {
	.read = port_read,
	.store_open = port_store_open,
	.store = port_store,
};

void ports_close(struct device *device)
{
	for (size_t i = 0; i < 2; i++)
		for (size_t write = 0; write < 2; write++)
			if (device->ports[i][write] >= 0)
				close(device->ports[i][write]);
}
