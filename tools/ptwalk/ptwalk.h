/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk: its options, and what its modes share. */
#ifndef PTWALK_H
#define PTWALK_H

#include "cli/roots.h"

struct gsc_map_holes;

struct ptwalk {
	struct common common;

	/* As given. */
	struct roots roots;
	unsigned access;		/* enum gsc_intent */
	const char *before;		/* an earlier source */
	bool map, flat, pages, all, reverse, check, spaces, svg;

	/* Derived from that, before a source is opened. */
	struct address *addresses;	/* the operands, if they are addresses */
};

#define PTWALK_SCHEMA "gpuscope.ptwalk/1"

/* The modes; each is a run_fn. */
run_fn walk_run, map_run, reverse_run, check_run, spaces_run;

/* ---- map.c ----------------------------------------------------------------------------------- */

/*
 * Tables that could not be read: `missing` if there are any; `more` is added, or "". And what was
 * read, but may not mean what it says.
 */
enum gsc_status complain_holes(struct common *common, const struct gsc_map_holes *holes,
			       enum gsc_status missing, const char *more);

/* ---- ptwalk.c -------------------------------------------------------------------------------- */

/*
 * What makes everything in the tables doubtful: damage in the source, an IOMMU that translates
 * their addresses. GSC_PARTIAL if there is anything.
 */
enum gsc_status complain_source(struct common *common);

#endif
