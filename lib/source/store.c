/* SPDX-License-Identifier: MIT */
/* Writing: to which device of a source. */
#include "device/device.h"
#include "source/source.h"

/* The first; NULL if there is none. */
static struct device *live_device(const struct gsc_source *source, size_t *count)
{
	struct device *found = NULL;

	*count = 0;
	for (size_t i = 0; i < source->parts.count; i++) {
		struct device *device = source->parts.items[i].device;

		if (device && !(*count)++)
			found = device;
	}
	return found;
}

bool source_writes(const struct gsc_source *source)
{
	size_t count;
	struct device *device = live_device(source, &count);

	return device && device_writes(device);
}

enum gsc_status source_store_open(const struct gsc_source *source,
				  enum gsc_space space, uint64_t address, unsigned size,
				  struct gsc_error *err)
{
	size_t count;
	struct device *device = live_device(source, &count);

	if (!device)
		return err_set(err, GSC_USAGE,
			       source->parts.count ? source->parts.items[0].name : "no source",
			       "a dump cannot be written, only a device can");
	if (count > 1)
		return err_set(err, GSC_USAGE, device_bdf(device),
			       "the source has more than one device (%zu): name the one to write "
			       "to", count);
	return device_store_open(device, space, address, size, err);
}

void source_store(const struct gsc_source *source, enum gsc_space space,
		  uint64_t address, unsigned size, uint64_t value)
{
	size_t count;

	device_store(live_device(source, &count), space, address, size, value);
}

enum gsc_read source_load(const struct gsc_source *source, enum gsc_space space,
			  uint64_t address, unsigned size, uint64_t *value)
{
	size_t count;

	return device_read(live_device(source, &count), space, address, size, value);
}
