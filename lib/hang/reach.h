/* SPDX-License-Identifier: MIT */
/* The memory that an analysis of a device looks at. */
#ifndef GSC_REACH_H
#define GSC_REACH_H

#include "gpuscope.h"
#include "source/record.h"

/*
 * Follows rings and batches, contexts, status pages, and the walks of faults, all as the commands
 * do it, and has the source note in `record` what is read; `tables`: all tables of all contexts,
 * too. What leads nowhere is not told: whoever looks at the capture will see it.
 */
enum gsc_status reach_memory(struct gsc_source *source, const struct gsc_view *view, bool tables,
			     struct record *record, struct gsc_error *err);

#endif
