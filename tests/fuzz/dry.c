/* SPDX-License-Identifier: MIT */
/*
 * Implements all of device/device.h, so that nothing of the real one is linked: no GPU is ever
 * accessed.
 */
#include "dry.h"

#include "device/device.h"

#include <stdio.h>
#include <string.h>

struct dry dry;

struct device {
	bool writes;
};

static struct device device;

static enum gsc_status gone(struct gsc_error *err)
{
	*err = (struct gsc_error){ .status = GSC_GONE, .what = "0000:00:02.0", .why = "gone" };
	return GSC_GONE;
}

enum gsc_status refusal_file(struct gsc_error *err, const char *what, int number, const char *use)
{
	(void)use;
	return err_errno(err, what, number);
}

bool device_name_matches(const char *name)
{
	return !strcmp(name, "live");
}

enum gsc_status device_open(struct device **out, const char *name,
			    const struct gsc_source_options *options, struct gsc_error *err)
{
	(void)name;
	(void)err;
	device.writes = options->write;
	*out = &device;
	return GSC_OK;
}

void device_close(struct device *d)
{
	(void)d;
}

struct device_facts device_facts(const struct device *d)
{
	return (struct device_facts){ .bdf = "0000:00:02.0", .platform = (int)dry.platform,
				      .id = dry.id, .revision = 1, .writes = d->writes };
}

bool device_driver(const struct device *d, char *buf, size_t size)
{
	(void)d;
	snprintf(buf, size, dry.id & 2 ? "i915" : "xe");
	return dry.id & 1;
}

bool device_driver_version(const struct device *d, char *buf, size_t size)
{
	(void)d;
	snprintf(buf, size, "1.0");
	return dry.id & 1;
}

void device_files(const struct device *d, gsc_file_fn *each, void *context)
{
	(void)d;
	each(context, "drm/card0/gt/gt0/rps_cur_freq_mhz", "300");
}

const struct gsc_error *device_problem(struct device *d)
{
	(void)d;
	return NULL;
}

bool device_iommu_translates(struct device *d)
{
	(void)d;
	return false;
}

void device_let_sleep(struct device *d)
{
	(void)d;
}

void device_rest(struct device *d)
{
	(void)d;
}

enum gsc_status device_there(struct device *d, struct gsc_error *err)
{
	(void)d;
	return dry.left ? GSC_OK : gone(err);
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static uint8_t *bytes_of(enum gsc_space space, uint64_t *size)
{
	switch (space) {
	case GSC_MMIO:
	case GSC_IO:
		*size = sizeof(dry.registers);
		return dry.registers;
	case GSC_CONFIG:
		*size = sizeof(dry.config);
		return dry.config;
	case GSC_GGTT:
		*size = dry.entries * dry.ggtt_entry;
		return dry.table;
	case GSC_PHYS:
	case GSC_LMEM:
	case GSC_GTTMEM:
		*size = sizeof(dry.memory);
		return dry.memory;
	default:
		return NULL;
	}
}

static uint8_t *bytes_at(enum gsc_space space, uint64_t address, unsigned size)
{
	uint64_t held;
	uint8_t *bytes = bytes_of(space, &held);

	return bytes && address < held && size <= held - address ? bytes + address : NULL;
}

static enum gsc_read refusal(enum gsc_space space, uint64_t address)
{
	static const enum gsc_read why[] = { GSC_READ_ASLEEP, GSC_READ_DENIED, GSC_READ_ALL_ONES,
					     GSC_READ_ASLEEP };

	if (!dry.left)
		return GSC_READ_ALL_ONES;
	dry.left--;
	if (space != GSC_MMIO || !dry.refuses || (address & dry.refuses) != dry.refuses)
		return GSC_READ_OK;
	return why[address >> 4 & 3];
}

enum gsc_read device_read(struct device *d, enum gsc_space space, uint64_t address, unsigned size,
			  uint64_t *value)
{
	const uint8_t *bytes = bytes_at(space, address, size);
	enum gsc_read status;

	(void)d;
	if (!bytes)
		return GSC_READ_ABSENT;
	status = refusal(space, address);
	if (status)
		return status;
	*value = 0;
	memcpy(value, bytes, size);
	return GSC_READ_OK;
}

size_t device_block(struct device *d, enum gsc_space space, uint64_t address, void *buf, size_t size)
{
	const uint8_t *bytes = bytes_at(space, address, 1);
	uint64_t held;

	(void)d;
	if (!bytes || (space != GSC_PHYS && space != GSC_LMEM) || !dry.left)
		return 0;
	bytes_of(space, &held);
	size = size < held - address ? size : (size_t)(held - address);
	memcpy(buf, bytes, size);
	return size;
}

/* Only registers of the engines: a trace of all 2 MB takes long to write, and to read. */
bool device_extent(struct device *d, enum gsc_space space, uint64_t from, uint64_t *start,
		   uint64_t *length)
{
	static const struct { uint64_t start, end; } engines[] = {
		{ 0, 0x24000 }, { 0x1c0000, 0x1d0000 },
	};
	uint64_t held, end;
	size_t i = 0;

	(void)d;
	if (!bytes_of(space, &held))
		return false;
	*start = from;
	end = held;
	if (space == GSC_MMIO) {
		i = from >= engines[0].end;
		*start = from > engines[i].start ? from : engines[i].start;
		end = engines[i].end;
	}
	*length = end - *start;
	return *start < end;
}

/* ---- stores --------------------------------------------------------------------------------- */

enum gsc_status device_store_open(struct device *d, enum gsc_space space, uint64_t address,
				  unsigned size, struct gsc_error *err)
{
	if (!d->writes || !bytes_at(space, address, size)) {
		*err = (struct gsc_error){ .status = GSC_USAGE, .what = "device",
					   .why = "not to be written" };
		return GSC_USAGE;
	}
	return dry.left ? GSC_OK : gone(err);
}

void device_store(struct device *d, enum gsc_space space, uint64_t address, unsigned size,
		  uint64_t value)
{
	uint8_t *bytes = bytes_at(space, address, size);

	FUZZ_REQUIRE(d->writes && bytes && dry.store_count < DRY_STORES_MAX);
	dry.stores[dry.store_count++] = (struct dry_store){ space, address, size };
	if (dry.left)
		memcpy(bytes, &value, size);
}

enum gsc_source_form device_kept(const char *path, int *id, int *revision)
{
	(void)path;
	*id = *revision = -1;
	return GSC_SOURCE_NONE;
}

bool device_stored(const struct device *d, size_t i, struct gsc_stored *stored)
{
	(void)d;
	(void)i;
	(void)stored;
	return false;
}

bool device_guc_file(const struct device *d, size_t i, char *path, size_t size)
{
	(void)d;
	(void)i;
	(void)path;
	(void)size;
	return false;
}

enum gsc_status gsc_devices(const struct gsc_db *db, struct gsc_device **gpus, size_t *count,
			 struct gsc_error *err)
{
	(void)db;
	*count = 1;
	*gpus = calloc(1, sizeof(**gpus));
	if (!*gpus) {
		*err = (struct gsc_error){ .status = GSC_FAILED, .what = "GPUs", .why = "memory" };
		return GSC_FAILED;
	}
	**gpus = (struct gsc_device){ .bdf = "0000:00:02.0", .device = (uint16_t)dry.id,
				   .platform = (int)dry.platform, .driver = "i915",
				   .power = "active", .chipset = -1 };
	return GSC_OK;
}
