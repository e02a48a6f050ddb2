/* SPDX-License-Identifier: MIT */
/*
 * The GGTT through the upper part of the register BAR. It is mapped when first wanted, as most
 * commands never look at it; how long it is, GGC tells, as far as that can be read.
 */
#include "device/internal.h"

#include "db/ggtt.h"
#include "db/view.h"

#include <string.h>

/* ---- opening -------------------------------------------------------------------------------- */

static const char *range_hazard(const struct device *device, const struct layer *l)
{
	uint64_t bit = UINT64_C(1) << device->layout.index;
	uint64_t start = device->layout.ggtt_offset;

	for (uint32_t i = 0; i < layer_count(l, B_RANGES); i++) {
		const struct b_range *range = LAYER_ITEM(l, B_RANGES, struct b_range, i);
		const char *why = layer_text_or_null(l, range->why);

		if (range->last >= start && range->start < start + device->layout.ggtt_max &&
		    where_holds(&range->where, bit, device->revision) &&
		    !strcmp(layer_text(l, range->kind), "hang"))
			return why ? why : "reads of it may hang";
	}
	return NULL;
}

const char *ggtt_hazard(const struct device *device)
{
	const char *why = NULL;

	for (size_t i = 0; !why && i < db_layer_count(device->db); i++)
		why = range_hazard(device, db_layer(device->db, i));
	return why;
}

static enum gsc_read refuse(struct device *device, const char *hazard)
{
	struct gsc_error err;

	err_set(&err, GSC_FAILED, device->bdf, "its GGTT is not read without --unsafe: %s", hazard);
	problem_add(&device->problems, &err);
	return GSC_READ_SKIPPED;
}

/* Told where a read finds nothing. */
static void note_short(struct device *device, uint64_t length)
{
	struct gsc_error note;

	err_set(&note, GSC_FAILED, device->bdf,
		"its BAR shows 0x%llx bytes of the GGTT, of 0x%llx: the rest is absent",
		(unsigned long long)device->ggtt.length, (unsigned long long)length);
	problem_add(&device->problems, &note);
}

static enum gsc_read map(struct device *device)
{
	const struct gsc_platform *layout = &device->layout;
	const char *hazard;
	struct gsc_error err;
	uint64_t length;

	if (!device->laid_out || !device->bar.size)
		return GSC_READ_ABSENT;
	hazard = device->unsafe ? NULL : ggtt_hazard(device);
	if (hazard)
		return refuse(device, hazard);
	length = stolen_ask(device)->table;
	length = length ? MIN(length, layout->ggtt_max) : layout->ggtt_max;
	if (window_map(&device->ggtt, device->bdf, &device->bar, layout->ggtt_offset, length,
		       false, &err)) {
		problem_add(&device->problems, &err);
		return err.status == GSC_DENIED ? GSC_READ_DENIED : GSC_READ_ABSENT;
	}
	if (device->ggtt.length < length && (stolen_ask(device)->table || !device->ggtt.length))
		note_short(device, length);
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

enum gsc_read ggtt_read(struct device *device, uint64_t address, unsigned size, uint64_t *value)
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

/* ---- memory by graphics address ------------------------------------------------------------- */

static enum gsc_read behind_iommu(struct device *device)
{
	struct gsc_error err;

	err_set(&err, GSC_FAILED, device->bdf,
		"an IOMMU translates its addresses: what its GGTT holds is not where memory is");
	problem_add(&device->problems, &err);
	return GSC_READ_ABSENT;
}

/* Firmware and driver map stolen memory at its own addresses, whatever the IOMMU does. */
static enum gsc_read read_target(struct device *device, uint64_t address, uint64_t target,
				 unsigned size, uint64_t *value)
{
	const struct stolen *stolen = stolen_ask(device);
	enum gsc_read status;

	if (!stolen->status && target - stolen->start < stolen->size) {
		status = stolen->direct ? GSC_READ_ABSENT
					: aperture_read(device, address, size, value);
		return status == GSC_READ_ABSENT ? stolen_read(device, target, size, value)
						 : status;
	}
	if (device_iommu_translates(device))
		return behind_iommu(device);
	return phys_read(device, target, size, value);
}

enum gsc_read gttmem_read(struct device *device, uint64_t address, unsigned size, uint64_t *value)
{
	enum gsc_read status = ggtt_open(device);
	uint64_t entry, target;

	if (status)
		return status;
	if (address / GPU_PAGE >= ggtt_count(device))
		return GSC_READ_ABSENT;
	entry = ggtt_load(device, address / GPU_PAGE);
	status = device_believe(device, entry, device->layout.ggtt_entry, &entry);
	if (status || !ggtt_entry_valid(entry))
		return status ? status : GSC_READ_ABSENT;
	target = ggtt_entry_address(&device->layout, entry) + address % GPU_PAGE;
	if (!ggtt_entry_local(&device->layout, entry))
		return read_target(device, address, target, size, value);
	return stolen_ask(device)->direct ? aperture_read(device, target, size, value)
					  : local_read(device, target, size, value);
}

/* Of neighbours that are mapped to one page, such as scratch, one is tried for all. */
struct tried {
	uint64_t entry;
	bool readable;
};

static bool page_reads(struct device *device, uint64_t page, struct tried *tried)
{
	uint64_t entry = ggtt_load(device, page), value;

	if (!ggtt_entry_valid(entry))
		return false;
	if (entry != tried->entry)
		*tried = (struct tried){ entry, gttmem_read(device, page * GPU_PAGE, 4, &value) ==
							GSC_READ_OK };
	return tried->readable;
}

/* What is tried here nobody has asked for: why it cannot be read is no problem of theirs. */
bool gttmem_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
{
	size_t problems = device->problems.list.count;
	uint64_t page = from / GPU_PAGE, first, count;
	struct tried tried = { 0 };

	if (ggtt_open(device))
		return false;
	count = ggtt_count(device);
	while (page < count && !page_reads(device, page, &tried))
		page++;
	first = page;
	while (page < count && page_reads(device, page, &tried))
		page++;
	device->problems.list.count = problems;
	if (first == count)
		return false;
	*start = MAX(from, first * GPU_PAGE);
	*last = page * GPU_PAGE - 1;
	return true;
}
