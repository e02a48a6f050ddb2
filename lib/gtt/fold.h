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
	uint64_t size;			/* of a page as it is told */
	uint64_t step;			/* what an entry maps: less, where several make a page */
	unsigned denied;
	uint64_t pages;			/* of a repeat */
	bool sizes;			/* of a repeat: its pages differ in size */
	unsigned runs;			/* of scattered ones: 1, or more linear ones */
};

struct fold {
	unsigned flags;			/* enum gsc_map_flag */
	bool apart;			/* nothing is called scattered: each run by itself */
	bool (*each)(void *context, const struct run *run);
	void *context;
	struct run last;		/* may still grow */
	struct run short_ones;		/* that stand before it, side by side */
	bool has_last, has_short;
};

/*
 * A run of SHORT_PAGES pages or more is told by itself; shorter ones with equal attributes that
 * stand side by side are one scattered range. Two pages of one target are a constant range.
 */
#define SHORT_PAGES 8

/* Constant ranges up to here are still told page by page (GSC_MAP_PAGES). */
#define CONSTANT_PAGES 512

/* False: `each` wants no more. */
bool fold_add(struct fold *fold, const struct run *run);
bool fold_end(struct fold *fold);

/* runs.c: the pages of a chunk; targets go through the second level where there is one. */
bool runs_of_chunk(struct scan *scan, struct fold *fold, const struct chunk *chunk);
/* The same for one run. */
bool runs_add(struct scan *scan, struct fold *fold, const struct run *run);
bool run_is_stolen(const struct scan *scan, const struct run *run);
/* Its pages are where another level of tables says. */
bool run_is_nested(const struct scan *scan, const struct run *run);
/* As many bytes of pages like the one that a summary tells of. */
struct run run_of_summary(const struct scan *scan, const struct summary *page, uint64_t va,
			  uint64_t length);

#endif
