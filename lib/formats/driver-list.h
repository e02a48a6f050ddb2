/* SPDX-License-Identifier: MIT */
/* What a driver says that it writes because of errata: names, registers, and what is opened. */
#ifndef GSC_DRIVER_LIST_H
#define GSC_DRIVER_LIST_H

#include "db/blob.h"
#include "db/engine.h"
#include "source/part.h"

enum driver_list {
	LIST_WRITES,			/* xe: registers of all kinds, */
	LIST_CONTEXTS,			/* i915: those of contexts */
	LIST_NAMES, LIST_TUNINGS,	/* xe: names */
	LIST_KINDS
};

struct driver_write {
	enum workaround_kind when;
	char engine[ENGINE_NAME];	/* or "" */
	uint32_t offset, mask, value;	/* of a whitelist the access bits */
	uint32_t left;			/* bits that no definition has: the caller takes away */
};

struct driver_name {
	char name[64];			/* "14011060649", "Tuning: L3 cache" */
	bool known;			/* for the caller */
};

struct driver_lists {
	VEC(struct driver_write) writes;
	VEC(struct driver_name) names;
	unsigned count[LIST_KINDS];	/* of GTs; of LIST_CONTEXTS, of engines */
};

/* False: memory is out. In either case the caller frees both lists. */
bool driver_lists_read(struct driver_lists *lists, const struct gsc_source *source, bool media_gt);

#endif
