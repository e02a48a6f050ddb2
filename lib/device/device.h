/* SPDX-License-Identifier: MIT */
/*
 * device/: a live GPU: finding it (libpciaccess), mapping its registers and its GGTT separately and
 * read-only, forcewake, memory as far as the kernel allows, and saying why it refused. This room
 * knows only as much about registers as it needs to reach bytes; source/ calls it, and save/ for
 * what a capture says about the device. Each address space is a file with a table of operations
 * (struct door). Registers are read by aligned volatile 32-bit loads, a GGTT entry by one load of
 * its size, the alias of a port by a byte; stores likewise. Nothing is mapped writable before the
 * first store, and only if the device was opened for writing.
 */
#ifndef GSC_DEVICE_H
#define GSC_DEVICE_H

#include "db/words.h"
#include "device/options.h"
#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/* A display device of this machine. */
struct gsc_device {
	char bdf[16];			/* "0000:00:02.0" */
	uint16_t device;
	uint8_t revision;
	int platform;			/* index, or -1 if unknown */
	char driver[32];		/* "" if none is bound */
	char nodes[128];		/* "card0 renderD128" */
	char power[16];			/* runtime status: "active", "suspended", or "" */
	char iommu[16];			/* group type: "identity", "DMA", ... or "" */
	int chipset;			/* the PCI id that the driver uses, or -1 */
};

/* Finds the Intel display devices of this machine; free *devices with free(). */
GSC_API enum gsc_status gsc_devices(const struct gsc_db *db, struct gsc_device **devices,
				    size_t *count, struct gsc_error *err);

/* "none", "integrity", "confidentiality", or "" if unknown. */
GSC_API void gsc_lockdown(char *buf, size_t size);
/* Why a file could not be opened (an errno); `use` is what lockdown forbids. */
enum gsc_status refusal_file(struct gsc_error *err, const char *what, int number, const char *use);
#define KCORE "/proc/kcore"		/* all memory of the running machine */

/* ---- an open device ------------------------------------------------------------------------- */

struct device;

/* `name` is "live", a BDF or a DRM node. */
bool device_name_matches(const char *name);
enum gsc_status device_open(struct device **device, const char *name,
			    const struct gsc_source_options *options, struct gsc_error *err);
void device_close(struct device *device);

/* What does not change while it is open. */
struct device_facts {
	const char *bdf;
	int platform, id, revision;	/* platform: index, or -1 */
	bool writes;			/* it was opened for writing */
	/* Like gsc_source_refusal() and gsc_source_left_awake(). */
	const struct gsc_error *refusal, *left_awake;
};

struct device_facts device_facts(const struct device *device);
/* The driver that is bound to it, by its name; false: none. */
bool device_driver(const struct device *device, char *buf, size_t size);
/* As its module says it, which one of a distribution's kernel does not. */
bool device_driver_version(const struct device *device, char *buf, size_t size);

/*
 * A reason, not yet reported, why something that is opened on first use (GGTT, memory) is not
 * available; NULL if there is none.
 */
const struct gsc_error *device_problem(struct device *device);

/* Addresses that it sends out are not physical ones: an IOMMU translates them. */
bool device_iommu_translates(struct device *device);

/* Like gsc_source_let_sleep(): loads and stores, nothing else. */
void device_let_sleep(struct device *device);

/* Like gsc_source_rest() and gsc_source_there(). */
void device_rest(struct device *device);
enum gsc_status device_there(struct device *device, struct gsc_error *err);

/* Like gsc_read(). */
enum gsc_read device_read(struct device *device, enum gsc_space space, uint64_t address,
			  unsigned size, uint64_t *value);
/*
 * As many bytes of memory (GSC_PHYS, GSC_LMEM) as can be read in one go; 0: device_read() says what
 * there is.
 */
size_t device_block(struct device *device, enum gsc_space space, uint64_t address, void *buf,
		    size_t size);
/* Like gsc_extent(): what could be read. */
bool device_extent(struct device *device, enum gsc_space space, uint64_t from, uint64_t *start,
		   uint64_t *length);

/*
 * Prepares everything that a store needs, or says why it is impossible: GSC_USAGE if the device was
 * not opened for writing. Registers take 4 bytes, or 1 if they are aliases of ports; ports; the
 * GGTT whole entries. The domains of a register are taken first. After it device_store() cannot
 * fail.
 */
enum gsc_status device_store_open(struct device *device, enum gsc_space space, uint64_t address,
				  unsigned size, struct gsc_error *err);
/* After a GGTT entry, a store fence follows. */
void device_store(struct device *device, enum gsc_space space, uint64_t address, unsigned size,
		  uint64_t value);

/* Like gsc_stored(). The device itself is not touched. */
bool device_stored(const struct device *device, size_t i, struct gsc_stored *stored);
/* What its driver says of the GuC: file number `i`; false past the last, and if it sleeps. */
bool device_guc_file(const struct device *device, size_t i, char *path, size_t size);
/*
 * What files of the driver say about speed: "hwmon/hwmon3/power1_max"; none of a suspended device.
 * And "resource2", the size of that BAR, if it shows local memory.
 */
typedef void gsc_file_fn(void *context, const char *name, const char *value);
void device_files(const struct device *device, gsc_file_fn *each, void *context);
/*
 * What a file below /sys is, by its place, whatever is written in it: GSC_SOURCE_NONE if that does
 * not say. PCI id and revision are those of its device, or -1.
 */
enum gsc_source_form device_kept(const char *path, int *id, int *revision);

/* The first line of a file; the last component of what a link points to; false, and "": nothing. */
GSC_API bool file_line(const char *path, char *buf, size_t size);
GSC_API bool link_target(const char *path, char *buf, size_t size);
/* What a file of the kernel holds; i915 says there if it has kept no dump. */
enum dump_holding { DUMP_NONE, DUMP_UNREADABLE, DUMP_HELD };
GSC_API enum dump_holding dump_held(const char *path);

#endif
