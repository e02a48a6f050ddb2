/* SPDX-License-Identifier: MIT */
/*
 * What following keeps between its steps: following.c makes the steps, rings.c goes from place to
 * place.
 */
#ifndef GSC_FOLLOWING_H
#define GSC_FOLLOWING_H

#include "batch/follow.h"
#include "gtt/root.h"

#include "formats/aub.h"

/* Goes to the next place where commands may begin; false if it was the last of its kind. */
typedef bool place_fn(struct following *t);

struct following {
	struct follower f;
	struct graphics_memory memory;
	struct gsc_follow_options options;
	struct gsc_listener listener;
	const struct gsc_gpu *gpu;	/* there may be no source */
	place_fn *const *places;	/* each kind in order, then NULL */
	bool visiting;			/* the follower is at work */
	enum gsc_status status;		/* an error that ends everything */
	struct gsc_error err;
	size_t found;
	struct gsc_mark marks[3];

	/* Of a trace: the moment of a submission. */
	aub_submission_vec submissions;
	struct gsc_gpu moment;
	size_t port;			/* each submission has two */

	/* Of dumps. */
	size_t part, buffer;
	size_t noted;			/* of the runs seen: where those of this dump begin */
	char rooted[sizeof(((struct gsc_run *)NULL)->engine)];	/* whose root this is, or "" */

	/* Of registers. */
	size_t engine;
	bool dumped;			/* they are not asked: a trace or a dump has commands */

	/* Runs that the user asked for, on the engine asked for. */
	const char *asked_engine;
	struct pending asked;
	size_t stretch;
	struct seen shown;		/* stretches that were shown as batches */

	struct gsc_root root;		/* of the engine `rooted`, or of the one asked for */
	bool has_root;
};

/* ---- following.c ---------------------------------------------------------------------------- */

/* Begins with a run and all that it starts. An error is in t->status. */
void visit(struct following *t, const struct gsc_gpu *gpu, const struct gsc_root *root,
	   const struct pending *p);
/* Has the user asked for this engine? */
bool wanted(const struct following *t, const char *engine);

/* ---- rings.c -------------------------------------------------------------------------------- */

place_fn read_trace, next_submission;
place_fn next_buffer;
place_fn next_engine;
/* Where the engine is executing: ACTHD. */
bool active_head(const struct gsc_gpu *gpu, const char *engine, uint64_t *acthd);

#endif
