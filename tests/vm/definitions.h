/* SPDX-License-Identifier: MIT */
/*
 * Where the model meets libgpuscope: sources to seed it from, captures to dump it to, and which
 * registers the definitions call hazardous to read. Behaviour is never taken from there: the
 * definitions are under test.
 */
#ifndef VM_DEFINITIONS_H
#define VM_DEFINITIONS_H

#include "gpu.h"

struct gsc_db;
struct gsc_error;

bool hazards_mark(struct gpu *gpu, struct gsc_db *db, struct gsc_error *err);
/* How many registers have another forcewake domain in the definitions than in the driver. */
unsigned domains_compare(const struct gpu *gpu, struct gsc_db *db, FILE *out);
bool gpu_seed(struct gpu *gpu, const struct gsc_db *db, const char *source, struct gsc_error *err);
/* Config space, registers, GGTT and the existing memory. */
bool gpu_dump(struct gpu *gpu, const char *path, bool memory);

#endif
