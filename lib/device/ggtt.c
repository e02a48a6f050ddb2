/* SPDX-License-Identifier: MIT */
/*
 * The GGTT through the upper part of the register BAR, or a BAR of its own. It is mapped on first
 * use, as most commands never look at it; GGC gives its length, as far as GGC can be read.
 */
#include "device/internal.h"

#include "db/view.h"

#include <string.h>

/* ---- opening -------------------------------------------------------------------------------- */

const char *ggtt_hazard(const struct device *device)
{
	uint64_t bit = UINT64_C(1) << device->layout.index, start = device->layout.ggtt_offset;

	for (size_t k = 0; k < db_layer_count(device->db); k++) {
		const struct layer *l = db_layer(device->db, k);

		for (uint32_t i = 0; i < layer_count(l, B_RANGES); i++) {
			const struct b_range *range = LAYER_ITEM(l, B_RANGES, struct b_range, i);
			const char *why = layer_text_or_null(l, range->why);

			if (range->last < start || range->start >= start + device->layout.ggtt_max)
				continue;
			if (where_holds(&range->where, bit, device->revision) &&
			    !strcmp(layer_text(l, range->kind), "hang"))
				return why ? why : "reads of it may hang";
		}
	}
	return NULL;
}

/* A part of it, wherever the platform has it. */
static enum gsc_status map_part(struct device *device, struct window *window, uint64_t from,
				uint64_t length, bool writable, struct gsc_error *err)
{
	const struct gsc_platform *layout = &device->layout;

	return window_map(window, device->bdf, &device->table,
			  (layout->ggtt_bar ? 0 : layout->ggtt_offset) + from, length, writable,
			  err);
}

static enum gsc_read map(struct device *device)
{
	const struct gsc_platform *layout = &device->layout;
	const char *hazard;
	struct gsc_error err;
	uint64_t length;

	if (!device->laid_out || !device->table.size)
		return GSC_READ_ABSENT;
	hazard = device->unsafe ? NULL : ggtt_hazard(device);
	if (hazard) {
		err_set(&err, GSC_FAILED, device->bdf,
			"its GGTT is not read without --unsafe: %s", hazard);
		problem_add(&device->problems, &err);
		return GSC_READ_SKIPPED;
	}
	length = stolen_ask(device)->table;
	length = length ? MIN(length, layout->ggtt_max) : layout->ggtt_max;
	if (map_part(device, &device->ggtt, 0, length, false, &err))
		return problem_read(&device->problems, &err);
	/* Reported when a read finds nothing. */
	if (device->ggtt.length < length && (stolen_ask(device)->table || !device->ggtt.length)) {
		err_set(&err, GSC_FAILED, device->bdf,
			"its BAR shows 0x%llx of 0x%llx bytes of the GGTT: the rest is absent",
			LL(device->ggtt.length), LL(length));
		problem_add(&device->problems, &err);
	}
	return device->ggtt.length ? GSC_READ_OK : GSC_READ_ABSENT;
}

enum gsc_read ggtt_open(struct device *device)
{
	if (!device->ggtt_tried)
		device->ggtt_status = map(device);
	device->ggtt_tried = true;
	return device->ggtt_status;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Whole entries; of one of 64 bits a part, of two of 32 bits both. */
static uint64_t load(const struct window *window, unsigned entry, uint64_t address, unsigned size)
{
	if (entry == 8)
		return window_load64(window, address & ~UINT64_C(7)) >> (address & 7) * 8 &
		       size_mask(size);
	if (size == 8)
		return window_load32(window, address) |
		       (uint64_t)window_load32(window, address + 4) << 32;
	return window_load(window, address, size);
}

uint64_t ggtt_count(const struct device *device)
{
	return device->ggtt.length / device->layout.ggtt_entry;
}

uint64_t ggtt_load(const struct device *device, uint64_t i)
{
	unsigned entry = device->layout.ggtt_entry;

	return load(&device->ggtt, entry, i * entry, entry);
}

static enum gsc_read ggtt_read(struct device *device, uint64_t address, unsigned size,
			       uint64_t *value)
{
	enum gsc_read status = ggtt_open(device);
	unsigned entry = device->layout.ggtt_entry;

	if (status)
		return status;
	if (!window_holds(&device->ggtt, address, size) ||
	    !window_holds(&device->ggtt, address & ~(uint64_t)(entry - 1), entry))
		return GSC_READ_ABSENT;
	return device_believe(device, load(&device->ggtt, entry, address, size), size, value);
}

static size_t ggtt_block(struct device *device, uint64_t address, void *buf, size_t size)
{
	if (ggtt_open(device) || device->layout.ggtt_entry != 8)
		return 0;
	return device_copy(device, &device->ggtt, address, buf, size);
}

static bool ggtt_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
{
	return !ggtt_open(device) && extent_of(device->ggtt.length, from, start, last);
}

/* ---- writing: one page, with the entry ------------------------------------------------------ */

static enum gsc_status ggtt_store_open(struct device *device, uint64_t address, unsigned size,
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
			       device->bdf, "its GGTT cannot be mapped: %s", gsc_read_word(status));
	if (!window_holds(&device->ggtt, address, size))
		return err_set(err, GSC_UNKNOWN, device->bdf, "its GGTT ends at 0x%llx",
			       LL(device->ggtt.length));
	if (page->length && device->ggtt_page_start == address / GPU_PAGE * GPU_PAGE)
		return GSC_OK;
	window_unmap(page);
	device->ggtt_page_start = address / GPU_PAGE * GPU_PAGE;
	return map_part(device, page, device->ggtt_page_start, GPU_PAGE, true, err);
}

static void ggtt_store(struct device *device, uint64_t address, unsigned size, uint64_t value)
{
	uint64_t at = address - device->ggtt_page_start;

	window_store(&device->ggtt_page, at, value, size == 8 ? 8 : 4);
	/* Write-combined stores must be out before the flush register is written. */
#ifdef __SSE__
	__builtin_ia32_sfence();
#else
	__sync_synchronize();
#endif
}

const struct door ggtt_door = {
	.in_bar = true,
	.read = ggtt_read,
	.block = ggtt_block,
	.extent = ggtt_extent,
	.store_open = ggtt_store_open,
	.store = ggtt_store,
};
