/* SPDX-License-Identifier: MIT */
/* The memory that an analysis of a device, or of a machine's dump, reads. */
#ifndef GSC_REACH_H
#define GSC_REACH_H

#include "source/record.h"

struct gsc_gpu;

/* An engine that has work, and whether it moved within this many milliseconds. */
typedef void motion_fn(void *context, const char *engine, bool moves, unsigned watched);

/* Looks at the engines of a live GPU twice, as gpu-fault does: it reads only registers. */
enum gsc_status hang_motion(const struct gsc_gpu *gpu, motion_fn *fn, void *context,
			    struct gsc_error *err);

/*
 * Follows rings and batches, contexts, status pages, and the walks of faults, all as the commands
 * do it, and has the source note in `record` what is read; `tables`: also all tables of all
 * contexts. What leads nowhere is not reported: whoever reads the capture will see it.
 */
enum gsc_status reach_memory(const struct gsc_gpu *gpu, bool tables, struct record *record,
			     struct gsc_error *err);

#endif
