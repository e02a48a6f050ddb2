/* SPDX-License-Identifier: MIT */
/* What caches entries of page tables, and data; and what empties these caches. */
#ifndef GSC_GTT_CACHE_H
#define GSC_GTT_CACHE_H

#include "db/field.h"
#include "gtt/walk.h"

/* A cache, or, if `takes` is not NULL, what invalidates caches. Other texts may be NULL. */
struct gsc_cache {
	const char *name;		/* "L3_TLB"; "PIPE_CONTROL.TLB_INVALIDATE", or the event */
	const char *kind;		/* "tlb", "walk", ...; "register", "command", ... */
	const char *title, *text;
	const char *modes, *levels;	/* of the entries; levels NULL: those that map pages */
	const char *client;		/* what it serves if that is no engine */
	const char *takes;		/* names of caches, and kinds of caches */
	const char *document, *section;	/* origin */
	uint64_t bytes;			/* 0: not known */
	unsigned entries;
	unsigned engines;		/* a bit for each class; 0: all */
	int instance;			/* or -1: all */
	uint64_t platforms;
	struct gsc_revisions revisions;
};

/* The one after *at, which begins as 0, on all platforms; false after the last. */
GSC_API bool gsc_cache_next(const struct gsc_db *db, size_t *at, struct gsc_cache *cache);
/* What it serves: "rcs, ccs", "vcs1", "display"; "" if that is all engines. */
GSC_API const char *gsc_cache_users(const struct gsc_cache *cache, char *buf, size_t size);

/* A cache of entries that a walk read, and the levels of these: "pml4e,pdpe,pde". */
struct gsc_cached {
	struct gsc_cache cache;
	char levels[64];
};
#define GSC_CACHED_MOST 32

/* How many caches keep such entries for the engine; NULL or "": for any. */
GSC_API size_t gsc_cached(const struct gsc_view *view, const struct gsc_walk *walk,
			  const char *engine, struct gsc_cached cached[GSC_CACHED_MOST]);
/* Does the first one invalidate the other, for the walk and the engine? */
GSC_API bool gsc_cache_taken(const struct gsc_cache *by, const struct gsc_cache *cache,
			     const struct gsc_view *view, const struct gsc_walk *walk,
			     const char *engine);
/*
 * What invalidates the TLBs that may still have an older entry than the valid one that the walk
 * found: "RTCR.INVALIDATE, context switch"; NULL: nothing is known, or nothing is mapped.
 */
const char *gsc_cache_older(const struct gsc_translation *translation, const struct gsc_walk *walk,
			    const char *engine, char *buf, size_t size);

#endif
