/* SPDX-License-Identifier: MIT */
/*
 * Registers, in the first part of BAR 0: whether their values can be trusted, and what must be
 * awake for them.
 */
#include "device/internal.h"

#include <string.h>

#define HOLD_TRIES 8

/*
 * Aliases of ports, where a load of four bytes may have an effect: the first page belongs to VGA
 * and its extended registers (SNB PRM Vol 1 Part 1, 6.1.2).
 */
#define PORT_ALIASES 0x1000

/* ---- reading -------------------------------------------------------------------------------- */

/* An address outside the window shows nothing, so it counts as silent. */
static bool silent(const struct device *device, uint32_t place)
{
	const struct window *registers = &device->registers;

	return !window_holds(registers, place, 4) || window_load32(registers, place) == UINT32_MAX;
}

/*
 * Uses registers that hold an address or a few flags, so are never all ones: the acknowledge bits
 * of forcewake, and the render ring's status page, head and start.
 */
bool registers_all_ones(const struct device *device)
{
	static const uint32_t places[] = { 0x2080, 0x2034, 0x2038 };

	if (!device->registers.length)
		return false;
	for (size_t i = 0; i < device->wake.requests.count; i++)
		if (!silent(device, device->wake.requests.items[i].domain.ack))
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (!silent(device, places[i]))
			return false;
	return true;
}

enum gsc_read device_believe(const struct device *device, uint64_t loaded, unsigned size,
			     uint64_t *value)
{
	if (loaded == size_mask(size) && registers_all_ones(device))
		return GSC_READ_ALL_ONES;
	*value = loaded;
	return GSC_READ_OK;
}

size_t device_copy(const struct device *device, const struct window *window, uint64_t address,
		   void *buf, size_t size)
{
	size_t got = window_copy(window, address, buf, size);

	for (size_t at = -address & 7; at + 8 <= got; at += 8) {
		uint64_t value;

		memcpy(&value, (const uint8_t *)buf + at, sizeof(value));
		if (value == UINT64_MAX)
			return registers_all_ones(device) ? at : got;
	}
	return got;
}

static enum gsc_read read_register(struct device *device, uint64_t address, unsigned size,
				   uint64_t *value)
{
	const struct window *window = &device->registers;
	uint64_t loaded;
	uint32_t high;

	if (!window_holds(window, address, MAX(size, 4)))
		return GSC_READ_ABSENT;
	/* Halves may be from different moments: read again until the upper one does not change. */
	if (size == 8) {
		loaded = (uint64_t)window_load32(window, address + 4) << 32;
		for (unsigned tries = 0; tries < 4; tries++) {
			high = (uint32_t)(loaded >> 32);
			loaded = window_load32(window, address);
			loaded |= (uint64_t)window_load32(window, address + 4) << 32;
			if (loaded >> 32 == high)
				break;
		}
	} else if (size == 1 && address < PORT_ALIASES) {
		loaded = window->base[address];
	} else {
		loaded = window_load(window, address, size);
	}
	return device_believe(device, loaded, size, value);
}

/*
 * A value counts if its domains were held both before and after the read; domains lost in between
 * are taken once more. Nothing is read while nobody holds the GPU awake for it.
 */
static enum gsc_read read_gated(struct device *device, uint64_t address, unsigned size,
				uint64_t *value)
{
	struct wake *wake = &device->wake;
	uint32_t domains = wake_domains(wake, address);
	bool again = true;

	if (!domains || !window_holds(&device->registers, address, MAX(size, 4)))
		return read_register(device, address, size, value);
	for (unsigned tries = 0; again && tries < 2; tries++) {
		enum gsc_read status;
		uint64_t loaded;
		bool held;

		wake_take(wake, domains);
		held = wake_held(wake, domains);
		if (held) {
			status = read_register(device, address, size, &loaded);
			if (status)
				return status;
			if (wake_held(wake, domains)) {
				*value = loaded;
				return GSC_READ_OK;
			}
		}
		again = wake_lost(wake, domains) || held;
	}
	return registers_all_ones(device) ? GSC_READ_ALL_ONES : GSC_READ_ASLEEP;
}

static bool registers_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
{
	return extent_of(device->registers.length, from, start, last);
}

/* ---- writing -------------------------------------------------------------------------------- */

static enum gsc_status hold_awake(struct device *device, uint64_t address, struct gsc_error *err)
{
	uint32_t domains = wake_domains(&device->wake, address);
	unsigned tries = 0;

	/* Another user of the request bit may clear it, but not for ever. */
	do {
		wake_take(&device->wake, domains);
		if (wake_held(&device->wake, domains))
			return GSC_OK;
	} while (wake_lost(&device->wake, domains) && ++tries < HOLD_TRIES);
	return err_set(err, GSC_GONE, device->bdf,
		       "asleep: a write would be lost, as nothing keeps the forcewake domain %s "
		       "awake: try --wake=registers", sleeping_at(&device->wake.sleeping, address));
}

static enum gsc_status register_store_open(struct device *device, uint64_t address, unsigned size,
					   struct gsc_error *err)
{
	struct window *window = &device->writable;
	enum gsc_status status = GSC_OK;

	(void)size;
	if (!window->length)
		status = window_map(window, device->bdf, &device->bar, 0,
				    device->layout.register_bytes, true, err);
	if (!status && !window_holds(window, address, 4))
		status = err_set(err, GSC_UNKNOWN, device->bdf, "its BAR ends before 0x%06llx",
				 LL(address));
	return status;
}

static void register_store(struct device *device, uint64_t address, unsigned size, uint64_t value)
{
	if (wake_domains(&device->wake, address))
		wake_wait_fifo(&device->wake);
	window_store(&device->writable, address, value, size == 1 ? 1 : 4);
}

const struct door register_door = {
	.in_bar = true,
	.read = read_gated,
	.extent = registers_extent,
	.store_hold = hold_awake,
	.store_open = register_store_open,
	.store = register_store,
};
