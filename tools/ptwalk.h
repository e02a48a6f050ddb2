/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk: its options, and what its modes share. */
#ifndef PTWALK_H
#define PTWALK_H

#include "common/common.h"

struct ptwalk {
	struct common common;

	/* As given. */
	const char *mode_name, *root, *engine, *bdf, *vtd, *trtt;
	uint64_t context, pasid, rtaddr, trtt_null, trtt_invalid, trtt_va;
	unsigned access;		/* enum gsc_intent */
	bool map, flat, pages, all, reverse, check, spaces, svg;

	/* Made of it, before a source is opened. */
	enum gsc_mode mode;		/* if there is a mode_name */
	unsigned function;		/* of --bdf */
	struct gsc_second_level second;
	struct gsc_tiled tiled;
	uint64_t *addresses;		/* the operands, if they are numbers */
	enum gsc_space *spaces_of;	/* of --reverse: what they are in */
};

#define PTWALK_SCHEMA "gpuscope.ptwalk/1"

/* The modes; each is a run_fn. */
run_fn walk_run, map_run, reverse_run, check_run, spaces_run;

/* The exit status that a failed read makes. */
static inline enum gsc_status status_of_read(enum gsc_read read)
{
	if (read == GSC_READ_DENIED)
		return GSC_DENIED;
	return read == GSC_READ_ASLEEP || read == GSC_READ_ALL_ONES ? GSC_GONE : GSC_UNKNOWN;
}

/* ---- ptwalk-root.c -------------------------------------------------------------------------- */

/* What of it can be told without a source. */
enum gsc_status roots_check(struct ptwalk *walk, struct gsc_error *err);
/* Where to begin: as the user says, else all that the source tells, the global table first. */
enum gsc_status roots_choose(struct ptwalk *walk, struct gsc_translation_options **options,
			     size_t *count, struct gsc_error *err);
/* In one place: as the user says, else as the source tells, else in the global table. */
enum gsc_status translation_open(struct ptwalk *walk, struct gsc_translation **translation,
				 struct gsc_error *err);

/* ---- ptwalk-map.c --------------------------------------------------------------------------- */

/* Tables that could not be read: `status` if there are any; `more` is said besides, or "". */
enum gsc_status complain_missing(struct common *common, const struct gsc_map_holes *holes,
				 enum gsc_status status, const char *more);
/* What was read, but may not mean what it says. */
enum gsc_status complain_doubts(struct common *common, const struct gsc_map_holes *holes);

/* ---- gpu-ptwalk.c --------------------------------------------------------------------------- */

/*
 * What makes all that the tables say doubtful: damage in the source, an IOMMU that has another idea
 * of what their addresses are. GSC_PARTIAL if there is anything.
 */
enum gsc_status complain_source(struct common *common);

#endif
