/* SPDX-License-Identifier: MIT */
/* Which file serves a physical address: memory.c or stolen.c. */
#include "device/internal.h"

/* The kernel says what is RAM; anything else may be stolen memory, which this does not read. */
enum gsc_read phys_read(struct device *device, uint64_t address, unsigned size, uint64_t *value)
{
	const struct stolen *stolen;

	if (memory_kind(&device->memory, address) == MEMORY_RAM)
		return memory_read(&device->memory, address, size, value);
	stolen = stolen_ask(device);
	if (stolen->status)
		return stolen->status;
	if (address >= stolen->closed && address < stolen->start + stolen->size)
		return stolen_read(device, address, size, value);
	return memory_read(&device->memory, address, size, value);
}

static size_t phys_block(struct device *device, uint64_t address, void *buf, size_t size)
{
	const struct stolen *stolen;

	if (memory_kind(&device->memory, address) == MEMORY_RAM)
		return memory_block(&device->memory, address, buf, size);
	stolen = stolen_ask(device);
	if (stolen->status)
		return 0;
	if (address < stolen->closed)
		return memory_block(&device->memory, address, buf,
				    MIN(size, stolen->closed - address));
	if (address < stolen->start + stolen->size)
		return stolen_block(device, address, buf, size);
	return memory_block(&device->memory, address, buf, size);
}

/* Firmware memory without the stolen part. */
static bool firmware_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
{
	const struct stolen *stolen = stolen_ask(device);
	uint64_t closed = stolen->closed, open = stolen->start + stolen->size;

	if (stolen->status || !memory_extent(&device->memory, MEMORY_FIRMWARE, from, start, last))
		return false;
	if (*start >= closed && *start < open &&
	    !memory_extent(&device->memory, MEMORY_FIRMWARE, open, start, last))
		return false;
	if (*start < closed)
		*last = MIN(*last, closed - 1);
	return true;
}

static void take_nearer(bool *found, uint64_t *start, uint64_t *last, uint64_t other,
			uint64_t other_last)
{
	if (*found && *start <= other)
		return;
	*found = true;
	*start = other;
	*last = other_last;
}

static bool phys_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
{
	bool found = memory_extent(&device->memory, MEMORY_RAM, from, start, last);
	uint64_t other, other_last;

	if (firmware_extent(device, from, &other, &other_last))
		take_nearer(&found, start, last, other, other_last);
	if (found && *start < stolen_ask(device)->start)
		return true;
	if (stolen_extent(device, from, &other, &other_last))
		take_nearer(&found, start, last, other, other_last);
	return found;
}

const struct door phys_door = {
	.read = phys_read,
	.block = phys_block,
	.extent = phys_extent,
};
