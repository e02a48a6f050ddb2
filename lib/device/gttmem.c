/* SPDX-License-Identifier: MIT */
/* Memory by its graphics address: what the GGTT maps, through BAR 2 or where the entry leads. */
#include "device/internal.h"

#include "db/ggtt.h"

/* Firmware and driver map stolen memory at its own addresses, whatever the IOMMU does. */
static enum gsc_read read_target(struct device *device, uint64_t address, uint64_t target,
				 unsigned size, uint64_t *value)
{
	const struct stolen *stolen = stolen_ask(device);
	enum gsc_read status;
	struct gsc_error err;

	if (!stolen->status && target - stolen->start < stolen->size) {
		status = stolen->direct ? GSC_READ_ABSENT
					: aperture_read(device, address, size, value);
		return status == GSC_READ_ABSENT ? stolen_read(device, target, size, value)
						 : status;
	}
	if (!device_iommu_translates(device))
		return phys_read(device, target, size, value);
	err_set(&err, GSC_FAILED, device->bdf,
		"an IOMMU translates its addresses: those in its GGTT are not memory addresses");
	return problem_read(&device->problems, &err);
}

static enum gsc_read gttmem_read(struct device *device, uint64_t address, unsigned size,
				 uint64_t *value)
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

/* If neighbours are mapped to one page, such as scratch, one try counts for all. */
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

/* Nobody asked for what is tried here: a failure to read it is not reported. */
static bool gttmem_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last)
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

const struct door gttmem_door = {
	.in_bar = true,
	.read = gttmem_read,
	.extent = gttmem_extent,
};
