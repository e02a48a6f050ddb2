/* SPDX-License-Identifier: MIT */
/* Pages in order of addresses, merged into the fewest equivalent ranges. */
#ifndef GSC_FOLD_H
#define GSC_FOLD_H

#include "gtt/scan.h"

/* A stretch of graphics addresses whose pages have all attributes in common. */
struct run {
	uint64_t va, length;		/* bytes */
	enum gsc_mapping_kind kind;
	enum gsc_space space;
	uint64_t physical;
	uint64_t of;			/* of a repeat; of a tile the address that it leads to */
	bool stolen;
	const struct scan_level *leaf;
	uint64_t entry;			/* the first leaf entry */
	uint64_t size;			/* of a page as it is reported */
	uint64_t step;			/* what an entry maps: less, if several form a page */
	unsigned denied;
	uint64_t pages;			/* of a repeat */
	bool sizes;			/* of a repeat: its pages differ in size */
	unsigned runs;			/* of scattered ones: 1, or more linear ones */
};

struct fold {
	unsigned flags;			/* enum gsc_map_flag */
	bool apart;			/* nothing is called scattered: each run is separate */
	bool (*each)(void *context, const struct run *run);
	void *context;
	struct run last;		/* may still grow */
	struct run short_ones;		/* adjacent ones before it */
	bool has_last, has_short;
};

/*
 * A run of SHORT_PAGES pages or more is reported by itself; adjacent shorter ones with equal
 * attributes are one scattered range. Two pages with one target are a constant range.
 */
#define SHORT_PAGES 8

/* Constant ranges up to this are still reported page by page (GSC_MAP_PAGES). */
#define CONSTANT_PAGES 512

/* False: `each` wants no more. */
bool fold_add(struct fold *fold, const struct run *run);
bool fold_end(struct fold *fold);

/* runs.c: the pages of a chunk; targets go through the second level if there is one. */
bool runs_of_chunk(struct scan *scan, struct fold *fold, const struct chunk *chunk);
/* The same for one run. */
bool runs_add(struct scan *scan, struct fold *fold, const struct run *run);
bool run_is_stolen(const struct scan *scan, const struct run *run);
/* Its pages are where another level of tables says. */
bool run_is_nested(const struct scan *scan, const struct run *run);
/* This many bytes of pages like the one that a summary describes. */
struct run run_of_summary(const struct scan *scan, const struct summary *page, uint64_t va,
			  uint64_t length);

#endif
