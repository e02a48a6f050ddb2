/* SPDX-License-Identifier: MIT */
/* What caches entries of page tables, and data; and what empties these caches. */
#ifndef GSC_GTT_CACHE_H
#define GSC_GTT_CACHE_H

#include "db/item.h"
#include "gtt/walk.h"

/* A cache of entries that a walk read, with the levels of these; or what invalidates such. */
struct gsc_cached {
	struct gsc_cache cache;
	char levels[64];		/* "pml4e,pdpe,pde" */
	uint64_t taken;			/* a bit for each cache of the list */
};
#define GSC_CACHED_MOST 64

/* The caches that keep such entries for an engine (NULL, "": for any), then what empties them. */
GSC_API size_t gsc_cached(const struct gsc_view *view, const struct gsc_walk *walk,
			  const char *engine, struct gsc_cached cached[GSC_CACHED_MOST]);
/*
 * What invalidates the TLBs that may still have an older entry than the valid one that the walk
 * found: "RTCR.INVALIDATE, context switch"; NULL: nothing is known, or nothing is mapped.
 */
const char *gsc_cache_older(const struct gsc_translation *translation, const struct gsc_walk *walk,
			    const char *engine, char *buf, size_t size);

#endif
