/* SPDX-License-Identifier: MIT */
/*
 * The memory of a discrete part through BAR 2, mapped read-only. The BAR may be smaller than the
 * memory and, as its size is a power of two, also larger: addresses beyond the memory are not read.
 */
#include "device/internal.h"

#include "db/view.h"

#define MIB (UINT64_C(1) << 20)

/*
 * 0: unknown. On DG1 the BAR is as large as its memory. Otherwise a register of the SoC, which does
 * not sleep, has the size of the first tile; or memory begins where that of the GGTT is, as
 * everything below exists, and that is most of it.
 */
static uint64_t memory_bytes(struct device *device)
{
	uint64_t value, bytes = 0;
	struct gsc_reg reg;

	if (!device_find(device, "SG_TILE_ADDR_RANGE", -1, &reg))
		return device->aperture.size;
	if (!device_read(device, reg.space, reg.offset, reg.bits / 8, &value))
		reg_bytes(device->view, &reg, value, "SIZE", &bytes);
	if (bytes || !device_find(device, "MBGSM", -1, &reg) ||
	    device_read(device, reg.space, reg.offset, reg.bits / 8, &value) || value == UINT64_MAX)
		return bytes;
	return value & ~(MIB - 1);
}

static enum gsc_read open_local(struct device *device)
{
	struct local *local = &device->local;
	enum gsc_status status;
	struct gsc_error err;
	uint64_t bytes;

	if (local->tried)
		return local->status;
	local->tried = true;
	local->status = GSC_READ_ABSENT;
	if (!(device->layout.flags & GSC_PLATFORM_LMEM) || !device->aperture.size)
		return local->status;
	bytes = memory_bytes(device);
	status = bytes ? window_map(&local->window, device->bdf, &device->aperture, 0, bytes, false,
				    &err)
		       : err_set(&err, GSC_FAILED, "device-local memory",
				 "its size is unknown: the device is asleep (see --wake)");
	local->status = status ? problem_read(&device->problems, &err) : GSC_READ_OK;
	return local->status;
}

enum gsc_read local_read(struct device *device, uint64_t address, unsigned size, uint64_t *value)
{
	const struct window *window = &device->local.window;
	enum gsc_read status = open_local(device);

	if (status)
		return status;
	if (!window_holds(window, address & ~UINT64_C(3), MAX(size, 4)))
		return GSC_READ_ABSENT;
	return device_believe(device, window_load(window, address, size), size, value);
}

static size_t local_block(struct device *device, uint64_t address, void *buf, size_t size)
{
	return open_local(device) ? 0
				  : device_copy(device, &device->local.window, address, buf, size);
}

static bool local_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
{
	return !open_local(device) && extent_of(device->local.window.length, from, start, last);
}

const struct door local_door = {
	.in_bar = true,
	.read = local_read,
	.block = local_block,
	.extent = local_extent,
};
