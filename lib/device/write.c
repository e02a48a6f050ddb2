/* SPDX-License-Identifier: MIT */
/*
 * Stores to a device. Nothing is mapped writable before the first of them, and only if that was
 * asked for when the device was opened: then the registers' part of the BAR, and of the GGTT the
 * one page with the entry. Everything that can be refused is refused before the first store.
 */
#include "device/internal.h"

#define HOLD_TRIES 8

static enum gsc_status hold_awake(struct device *device, uint64_t address, struct gsc_error *err)
{
	uint32_t domains = wake_domains(&device->wake, address);
	unsigned tries = 0;

	/* Somebody who shares the request bit may take it away, but not for ever. */
	do {
		wake_take(&device->wake, domains);
		if (wake_held(&device->wake, domains))
			return GSC_OK;
	} while (wake_lost(&device->wake, domains) && ++tries < HOLD_TRIES);
	return err_set(err, GSC_GONE, device->bdf,
		       "asleep: a write would be lost, as nothing keeps the forcewake domain %s "
		       "awake: --wake=registers asks it to",
		       sleeping_at(&device->wake.sleeping, address));
}

static enum gsc_status open_registers(struct device *device, uint64_t address,
				      struct gsc_error *err)
{
	struct window *window = &device->writable;
	enum gsc_status status = GSC_OK;

	if (!window->length)
		status = window_map(window, device->bdf, &device->bar, 0,
				    device->layout.register_bytes, true, err);
	if (!status && !window_holds(window, address, 4))
		status = err_set(err, GSC_UNKNOWN, device->bdf, "its BAR ends before 0x%06llx",
				 (unsigned long long)address);
	return status;
}

static enum gsc_status open_entry(struct device *device, uint64_t address, unsigned size,
				  struct gsc_error *err)
{
	struct window *page = &device->ggtt_page;
	const char *hazard = ggtt_hazard(device);
	enum gsc_read status;

	if (hazard)
		return err_set(err, GSC_USAGE, device->bdf, "its GGTT is not written: %s", hazard);
	status = ggtt_open(device);
	if (status)
		return err_set(err, status == GSC_READ_DENIED ? GSC_DENIED : GSC_FAILED,
			       device->bdf, "its GGTT cannot be mapped: %s",
			       gsc_read_word(status));
	if (!window_holds(&device->ggtt, address, size))
		return err_set(err, GSC_UNKNOWN, device->bdf, "its GGTT ends at 0x%llx",
			       (unsigned long long)device->ggtt.length);
	if (page->length && device->ggtt_page_start == address / GPU_PAGE * GPU_PAGE)
		return GSC_OK;
	window_unmap(page);
	device->ggtt_page_start = address / GPU_PAGE * GPU_PAGE;
	return window_map(page, device->bdf, &device->bar,
			  device->layout.ggtt_offset + device->ggtt_page_start, GPU_PAGE, true,
			  err);
}

bool device_writes(const struct device *device)
{
	return device->write;
}

enum gsc_status device_store_open(struct device *device, enum gsc_space space, uint64_t address,
				  unsigned size, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	if (!device->write)
		return err_set(err, GSC_USAGE, device->bdf, "nothing is written without --write");
	if (!device->laid_out || !device->registers.length)
		return err_set(err, GSC_FAILED, device->bdf, "its registers are not open");
	/* What is mapped of a device that was removed cannot even be read: that is a SIGBUS. */
	status = device_there(device, err);
	if (status)
		return status;
	if (space == GSC_MMIO)
		status = hold_awake(device, address, err);
	if (!status && sysfs_suspended(device->bdf))
		status = err_set(err, GSC_GONE, device->bdf, "suspended by now");
	if (!status)
		status = device_answers(device, err);
	if (status)
		return status;
	if (space == GSC_IO)
		return port_store_open(device, address, size, err);
	return space == GSC_GGTT ? open_entry(device, address, size, err)
				 : open_registers(device, address, err);
}

/* What is write-combined has to leave before the flush register is written, not some time. */
static void store_fence(void)
{
#ifdef __SSE__
	__builtin_ia32_sfence();
#else
	__sync_synchronize();
#endif
}

void device_store(struct device *device, enum gsc_space space, uint64_t address, unsigned size,
		  uint64_t value)
{
	if (space == GSC_GGTT) {
		uint64_t at = address - device->ggtt_page_start;

		if (size == 8)
			window_store64(&device->ggtt_page, at, value);
		else
			window_store32(&device->ggtt_page, at, (uint32_t)value);
		store_fence();
		return;
	}
	if (space == GSC_IO) {
		port_store(device, address, size, value);
		return;
	}
	if (wake_domains(&device->wake, address))
		wake_wait_fifo(&device->wake);
	if (size == 1)
		window_store8(&device->writable, address, (uint8_t)value);
	else
		window_store32(&device->writable, address, (uint32_t)value);
}
