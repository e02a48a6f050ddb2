/* SPDX-License-Identifier: MIT */
/* Where translations begin: options that several commands have, and what the source says. */
#ifndef ROOTS_H
#define ROOTS_H

#include "cli.h"
#include "gtt/root.h"

struct gsc_translation;

struct roots {
	/* As given. */
	const char *mode_name, *root, *engine, *process, *bdf, *vtd, *trtt;
	uint64_t context, pasid, rtaddr, trtt_null, trtt_invalid, trtt_va;
	struct gsc_mocs mocs;
	struct address place;		/* what is translated, if it names a space */

	/* At another moment than that of the common source. */
	struct gsc_gpu *gpu;		/* or NULL */
	uint64_t descriptor;		/* of the context that runs then, or 0 */

	/* Derived from that, before a source is opened. */
	const struct common *common;	/* its GPU, which options were given */
	enum gsc_mode mode;		/* if there is a mode_name */
	unsigned function;		/* of --bdf */
	struct gsc_second_level second;
	struct gsc_tiled tiled;
};

/* What can be said about it without a source. */
enum gsc_status roots_check(struct roots *roots, const struct common *common,
			    struct gsc_error *err);
/* Does the user say where to begin? */
bool roots_given(const struct roots *roots);
/*
 * Where to begin: as the user says, otherwise everywhere that the source says, the global table
 * first.
 */
enum gsc_status roots_choose(struct roots *roots, struct gsc_translation_options **options,
			     size_t *count, struct gsc_error *err);
/* In one place: as the user says, otherwise as the source says, otherwise in the global table. */
enum gsc_status translation_open(struct roots *roots, struct gsc_translation **translation,
				 struct gsc_error *err);

#endif
