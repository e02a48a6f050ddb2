/* SPDX-License-Identifier: MIT */
/* Platforms: kinds of GPUs, their names and ids, revisions, engines and properties. */
#ifndef GSC_DB_PLATFORM_H
#define GSC_DB_PLATFORM_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Definitions of all platforms: db.h. */
struct gsc_db;

/* What kind of GPU a platform is. */
enum gsc_platform_flag {
	GSC_PLATFORM_ATOM = 1 << 0,
	GSC_PLATFORM_DISCRETE = 1 << 1,
	GSC_PLATFORM_LMEM = 1 << 2,
};

/* A platform. Its index counts the platforms in order of age. */
struct gsc_platform {
	unsigned index;
	const char *name;		/* "skl" */
	const char *title;		/* "Skylake" */
	unsigned graphics, media, display;	/* IP version * 100: 1270 is 12.70 */
	unsigned flags;
	uint64_t bar_size, register_bytes, ggtt_offset;	/* of BAR0 */
	unsigned ggtt_bar;		/* not 0: this BAR has the GGTT; ggtt_offset is bar_size */
	uint64_t ggtt_max;		/* largest GGTT, bytes */
	unsigned ggtt_entry;		/* bytes of one GGTT entry */
	unsigned address_bits;		/* of a physical address */
	unsigned virtual_bits;		/* of a graphics address; higher bits repeat its sign */
	unsigned fences;
	const struct b_property *properties;	/* for platform_value() */
};

/* The number of platforms, and platform number `index`; false past the last. */
GSC_API unsigned gsc_platform_count(const struct gsc_db *db);
GSC_API bool gsc_platform_at(const struct gsc_db *db, unsigned index, struct gsc_platform *p);
/* The platform of a PCI device id; *text becomes the product name of the device. */
GSC_API bool gsc_platform_by_id(const struct gsc_db *db, uint16_t device, struct gsc_platform *p,
				const char **text);

/* A platform by its name, an alias or a PCI device id. *device is that id, or -1 for a name. */
GSC_API enum gsc_status gsc_platform_find(const struct gsc_db *db, const char *name,
					  struct gsc_platform *p, int *device,
					  struct gsc_error *err);

/* The names of a set of platforms, with this between them. */
GSC_API const char *gsc_platforms_text(const struct gsc_db *db, uint64_t platforms,
				       const char *between, char *buf, size_t size);

/* The platform of the nearest known id with the same upper byte as an unknown one, and that id. */
bool platform_nearest(const struct gsc_db *db, uint16_t device, struct gsc_platform *p,
		      uint16_t *known);
/* The platform with that number in AUB traces, which a simulator uses; false: none. */
bool platform_simulated(const struct gsc_db *db, unsigned number, struct gsc_platform *p);

/* The other names of a platform, and all known PCI ids in order; NULL or false at the end. */
GSC_API const char *gsc_platform_alias(const struct gsc_db *db, unsigned index, size_t i);
GSC_API bool gsc_platform_id(const struct gsc_db *db, size_t i, uint16_t *device,
			     unsigned *platform, const char **text);

/* A property of platforms, as data/properties.def says; value 0: the platform does not have it. */
struct gsc_platform_property {
	const char *name;		/* "execlists" */
	const char *text;		/* what it means */
	unsigned value;
	const char *document, *section;
};

/* False after the last. */
GSC_API bool gsc_platform_property(const struct gsc_db *db, unsigned index, size_t i,
				   struct gsc_platform_property *property);

/* ---- revisions ------------------------------------------------------------------------------ */

/* Platforms on which something exists in some PCI revisions only, and these revisions. */
struct gsc_revisions {
	uint64_t platforms;		/* a bit for each index */
	unsigned lo, hi;
};

/* Whether this applies to a revision of a platform; -1: the latest. */
GSC_API bool gsc_revision_fits(const struct gsc_revisions *revisions, unsigned platform,
			       int revision);
/* The names of the steppings of a platform, with their PCI revision; NULL past the last. */
GSC_API const char *gsc_platform_stepping(const struct gsc_db *db, unsigned platform, size_t i,
					  unsigned *revision);

/* ---- engines -------------------------------------------------------------------------------- */

/* An engine of a platform, and its MMIO base. */
struct gsc_engine_place {
	unsigned engine_class, instance;
	uint32_t base;
};

/* The name of engine number `i`, and in *engine, unless NULL, what it is; NULL past the last. */
GSC_API const char *gsc_platform_engine(const struct gsc_db *db, unsigned platform, size_t i,
					struct gsc_engine_place *engine);

#endif
