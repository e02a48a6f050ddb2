/* SPDX-License-Identifier: MIT */
/*
 * Memory that firmware took from the system for graphics. The chipset hides it from the CPU, but
 * what a GGTT entry below the size of the aperture maps can be read there, untiled unless a fence
 * covers it. From Meteor Lake on BAR 2 is not an aperture but this memory itself.
 */
#include "device/internal.h"

#include "db/ggtt.h"
#include "db/view.h"

#include <string.h>

#define MIB (UINT64_C(1) << 20)

/* How old the copy of the GGTT may get before it is searched again for something missing. */
#define SCAN_AGE_NS 1000000000

/* On parts that have this memory in BAR 2, the table takes the first 8 MB. */
#define DIRECT_TABLE (8 * MIB)

/* Further from the data than any table is large. */
#define TABLE_FAR (64 * MIB)

#define FENCE_VALID 1u

/* ---- where it is ---------------------------------------------------------------------------- */

static enum gsc_read read_found(struct device *device, const struct gsc_reg *reg, uint64_t *value)
{
	enum gsc_read status = device_read(device, reg->space, reg->offset, reg->bits / 8, value);

	return !status && *value == size_mask(reg->bits / 8) ? GSC_READ_ALL_ONES : status;
}

/*
 * Where the table of the GGTT begins: below the data, by its size if no register says. If a
 * register says something else, that is excluded from the CPU's reads as well.
 */
static enum gsc_read ask_table(struct device *device, struct stolen *stolen)
{
	enum gsc_read status;
	struct gsc_reg reg;
	uint64_t base;

	stolen->closed = stolen->start - stolen->table;
	if (!device_find(device, "BGSM", -1, &reg) && !device_find(device, "MBGSM", -1, &reg))
		return GSC_READ_OK;
	status = read_found(device, &reg, &base);
	if (status)
		return reg.space == GSC_CONFIG ? status : GSC_READ_OK;
	base &= ~(MIB - 1);
	if (base < stolen->closed && stolen->closed - base <= TABLE_FAR)
		stolen->closed = base;
	return GSC_READ_OK;
}

static enum gsc_read ask(struct device *device, struct stolen *stolen)
{
	const struct gsc_platform *platform = &device->layout;
	uint64_t ggc, base, size = 0;
	enum gsc_read status;
	struct gsc_reg reg;

	if (!device->laid_out)
		return GSC_READ_ABSENT;
	if (platform->flags & GSC_PLATFORM_DISCRETE)
		return GSC_READ_OK;
	if (!device_find(device, "GGC", -1, &reg))
		return GSC_READ_ABSENT;
	status = read_found(device, &reg, &ggc);
	if (status)
		return status;
	reg_bytes(device->view, &reg, ggc, "GGMS", &stolen->table);
	reg_bytes(device->view, &reg, ggc, "GMS", &size);
	if (!device_find(device, "BDSM", -1, &reg) && !device_find(device, "MBDSM", -1, &reg))
		return GSC_READ_ABSENT;
	status = read_found(device, &reg, &base);
	if (status)
		return status;
	base &= ~(MIB - 1);
	if (!base && !size)
		return GSC_READ_OK;
	if (base < stolen->table || base + size > UINT64_C(1) << platform->address_bits)
		return GSC_READ_ABSENT;
	stolen->direct = platform_has(platform, PROPERTY_STOLEN_BAR);
	stolen->start = base;
	stolen->size = size;
	return ask_table(device, stolen);
}

const struct stolen *stolen_ask(struct device *device)
{
	struct stolen *stolen = &device->stolen;

	if (!stolen->asked)
		stolen->status = ask(device, stolen);
	stolen->asked = true;
	return stolen;
}

/* ---- BAR 2 ---------------------------------------------------------------------------------- */

static enum gsc_read open_aperture(struct device *device)
{
	struct stolen *stolen = &device->stolen;
	struct gsc_error err;

	if (stolen->aperture_tried)
		return stolen->aperture_status;
	stolen->aperture_tried = true;
	stolen->aperture_status = GSC_READ_OK;
	if (device->layout.flags & GSC_PLATFORM_DISCRETE || !device->aperture.size)
		stolen->aperture_status = GSC_READ_ABSENT;
	else if (window_map(&stolen->aperture, device->bdf, &device->aperture, 0,
			    device->aperture.size, false, &err))
		stolen->aperture_status = problem_read(&device->problems, &err);
	return stolen->aperture_status;
}

static void load_fences(struct device *device)
{
	struct stolen *stolen = &device->stolen;
	unsigned count = MIN(device->layout.fences, FENCES_MAX);
	bool found = count && stolen->fence_at[count - 1];
	struct gsc_reg reg;

	stolen->fence_count = 0;
	for (unsigned i = 0; !found && i < count; i++) {
		if (!device_find(device, "FENCE", (int)i, &reg))
			return;
		stolen->fence_at[i] = (uint32_t)reg.offset;
		stolen->fence_bytes = reg.bits / 8;
	}
	for (unsigned i = 0; i < count; i++) {
		uint64_t at = stolen->fence_at[i], start, last;
		uint32_t low;

		if (!window_holds(&device->registers, at, stolen->fence_bytes))
			return;
		low = window_load32(&device->registers, at);
		if (stolen->fence_bytes == 8) {
			start = low & 0xfffff000;
			last = window_load32(&device->registers, at + 4) | (GPU_PAGE - 1);
		} else {
			start = low & 0x0ff00000;
			last = start + (MIB << (low >> 8 & 0xf)) - 1;
		}
		if (low & FENCE_VALID)
			stolen->fences[stolen->fence_count++] = (struct fence){ start, last };
	}
}

/* Fences are set up before pages are used: checking each page once is usually enough. */
static bool fenced(struct device *device, uint64_t at)
{
	struct stolen *stolen = &device->stolen;

	if (stolen->visited != at / GPU_PAGE + 1)
		load_fences(device);
	stolen->visited = at / GPU_PAGE + 1;
	for (size_t i = 0; i < stolen->fence_count; i++)
		if (at >= stolen->fences[i].start && at <= stolen->fences[i].last)
			return true;
	return false;
}

enum gsc_read aperture_read(struct device *device, uint64_t at, unsigned size, uint64_t *value)
{
	const struct window *aperture = &device->stolen.aperture;
	enum gsc_read status = open_aperture(device);

	if (status)
		return status;
	if (!window_holds(aperture, at & ~UINT64_C(3), MAX(size, 4)) ||
	    (!device->stolen.direct && fenced(device, at)))
		return GSC_READ_ABSENT;
	return device_believe(device, window_load(aperture, at, size), size, value);
}

/* ---- from a physical address to the aperture ------------------------------------------------ */

/* The page of stolen memory that an entry maps, or their number. */
static uint64_t page_of(const struct device *device, uint64_t entry)
{
	const struct stolen *stolen = &device->stolen;
	uint64_t offset = ggtt_entry_address(&device->layout, entry) - stolen->start;

	if (!ggtt_entry_valid(entry) || offset >= stolen->size)
		return stolen->size / GPU_PAGE;
	return offset / GPU_PAGE;
}

static void scan(struct device *device)
{
	struct stolen *stolen = &device->stolen;
	uint64_t pages = stolen->size / GPU_PAGE;
	uint64_t slots = MIN(ggtt_count(device), stolen->aperture.length / GPU_PAGE);

	memset(stolen->slots, 0, pages * sizeof(*stolen->slots));
	load_fences(device);
	for (uint64_t slot = 0; slot < slots; slot++) {
		uint64_t page = page_of(device, ggtt_load(device, slot));

		stolen->visited = slot + 1;
		if (page < pages && !stolen->slots[page] && !fenced(device, slot * GPU_PAGE))
			stolen->slots[page] = (uint32_t)slot + 1;
	}
	stolen->visited = 0;
	stolen->scanned = clock_ns(CLOCK_MONOTONIC);
}

static bool start_scan(struct device *device)
{
	struct stolen *stolen = &device->stolen;

	if (stolen->slots)
		return true;
	stolen->slots = malloc(stolen->size / GPU_PAGE * sizeof(*stolen->slots));
	if (stolen->slots)
		scan(device);
	return stolen->slots != NULL;
}

/* Entries change: a found one is read again before it is used. */
static bool still_maps(struct device *device, uint64_t page)
{
	uint32_t slot = device->stolen.slots[page];

	return slot && page_of(device, ggtt_load(device, slot - 1)) == page &&
	       !fenced(device, (slot - 1) * GPU_PAGE);
}

static bool find_page(struct device *device, uint64_t page)
{
	if (!start_scan(device))
		return false;
	if (!still_maps(device, page) &&
	    clock_ns(CLOCK_MONOTONIC) - device->stolen.scanned > SCAN_AGE_NS)
		scan(device);
	return still_maps(device, page);
}

static enum gsc_read closed(struct device *device)
{
	struct gsc_error err;

	err_set(&err, GSC_FAILED, "stolen memory",
		"closed to the CPU: it can be read only where the aperture maps it and no fence "
		"covers it");
	return problem_read(&device->problems, &err);
}

enum gsc_read stolen_read(struct device *device, uint64_t address, unsigned size, uint64_t *value)
{
	const struct stolen *stolen = &device->stolen;
	uint64_t offset = address - stolen->start, at = DIRECT_TABLE + offset;
	enum gsc_read status = ggtt_open(device);

	if (!status)
		status = open_aperture(device);
	if (status && status != GSC_READ_ABSENT)
		return status;
	if (status || offset >= stolen->size)
		return closed(device);
	if (!stolen->direct) {
		if (!find_page(device, offset / GPU_PAGE))
			return closed(device);
		at = (stolen->slots[offset / GPU_PAGE] - 1) * GPU_PAGE + offset % GPU_PAGE;
	}
	status = aperture_read(device, at, size, value);
	return status == GSC_READ_ABSENT ? closed(device) : status;
}

size_t stolen_block(struct device *device, uint64_t address, void *buf, size_t size)
{
	const struct stolen *stolen = &device->stolen;
	uint64_t offset = address - stolen->start, at = DIRECT_TABLE + offset;

	if (ggtt_open(device) || open_aperture(device) || offset >= stolen->size)
		return 0;
	if (stolen->direct)
		return device_copy(device, &stolen->aperture, at, buf,
				   MIN(size, stolen->size - offset));
	if (!find_page(device, offset / GPU_PAGE))
		return 0;
	at = (stolen->slots[offset / GPU_PAGE] - 1) * GPU_PAGE + offset % GPU_PAGE;
	return device_copy(device, &stolen->aperture, at, buf,
			   MIN(size, GPU_PAGE - offset % GPU_PAGE));
}

/* ---- extents -------------------------------------------------------------------------------- */

bool stolen_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
{
	const struct stolen *stolen = stolen_ask(device);
	uint64_t pages = stolen->size / GPU_PAGE, page, held, size;

	if (stolen->status || !stolen->size || ggtt_open(device) || open_aperture(device))
		return false;
	if (!stolen->direct) {
		if (!start_scan(device))
			return false;
		page = from > stolen->start ? (from - stolen->start) / GPU_PAGE : 0;
		while (page < pages && !stolen->slots[page])
			page++;
		*start = MAX(from, stolen->start + page * GPU_PAGE);
		if (page >= pages)
			return false;
		while (page < pages && stolen->slots[page])
			page++;
		*last = stolen->start + page * GPU_PAGE - 1;
		return true;
	}
	held = stolen->aperture.length;
	size = MIN(stolen->size, held > DIRECT_TABLE ? held - DIRECT_TABLE : 0);
	*start = MAX(from, stolen->start);
	*last = stolen->start + size - 1;
	return size && *start <= *last;
}

void stolen_release(struct stolen *stolen)
{
	window_unmap(&stolen->aperture);
	free(stolen->slots);
	stolen->slots = NULL;
}
