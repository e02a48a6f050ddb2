/* SPDX-License-Identifier: MIT */
/* gpu-db list: what the kinds of listings share. A listing is a table of functions. */
#ifndef DB_LIST_H
#define DB_LIST_H

#include "gpu-db.h"
#include "db/known.h"
#include "db/firmware.h"
#include "gtt/cache.h"

struct row {
	struct gsc_item item;		/* of what is no definition, its doc and platforms */
	struct gsc_reg reg;		/* on a platform */
	struct gsc_cache cache;
	struct gsc_known known;
	struct gsc_firmware_file firmware;
	struct gsc_range range;
	char name[192];
	char more[64];			/* a place, a version, the value of a property */
	unsigned number;		/* a space, a platform, a property or a device */
	size_t count;			/* of an array, of ids or registers */
};

struct list {
	const struct common *common;
	struct db_filter *filter;
	unsigned kinds;			/* of definitions, or 0 */
	VEC(struct row) rows;
};

/* Where columns begin: after the widest name, and after the widest of `more`. */
struct columns { unsigned more, rest; };

struct listing {
	const char *key;
	bool (*collect)(struct list *list);
	void (*put)(const struct common *common, const struct row *row, struct columns at);
	void (*json)(const struct common *common, struct gsc_json *json, const struct row *row);
	unsigned kinds;
};

/* The listings of what has no definition with a name; one without a key ends them. */
extern const struct listing other_listings[];

/* list.c: false: memory is out. */
bool list_add(struct list *list, const char *name, const char *more, struct row row);
/* Was it asked for, or is everything listed? */
bool list_fits(const struct list *list, const char *text);

void put_cell(struct gsc_out *out, unsigned column, const char *text);
void put_platforms(const struct common *common, const struct row *row, unsigned column);

/* platforms, doc, origin */
void json_rest(const struct common *common, struct gsc_json *json, const struct gsc_item *item);

#endif
