/* SPDX-License-Identifier: MIT */
/* Problems that were reported in public: what they look like, and what is said to fix them. */
#ifndef GSC_DB_KNOWN_H
#define GSC_DB_KNOWN_H

#include "db/item.h"

struct gsc_known {
	struct gsc_item item;		/* doc: the title; platforms UINT64_MAX: any */
	const char *is[KNOWN_PARTS];	/* conditions and reports, or NULL; words: one a line */
};

/* What definitions call it: "driver", ... */
GSC_API const char *gsc_known_word(enum known_part part);
/* The one after *at, which begins as 0; false after the last. */
GSC_API bool gsc_known_next(const struct gsc_db *db, size_t *at, struct gsc_known *known);

/*
 * Whether a version is in a list such as "6.5..6.6.29,6.7..6.8.8,<5.10.200": 1: yes; 0: no, or
 * unknown; -1: this is no such list. The last number of a list stands for all that begin with it;
 * a version with fewer numbers may be any of those that begin with it, and all of them must fit.
 */
GSC_API int version_listed(const char *list, const char *version);

#endif
