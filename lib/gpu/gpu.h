/* SPDX-License-Identifier: MIT */
/*
 * gpu/: a GPU as a source shows it: definitions, bytes and the platform that joins them. Rooms
 * above find a register, read it and take fields of it here (gpu.c); regs/ and save/ read lists of
 * registers themselves. hazard.c has the rule of what may be read, for both: what a read would
 * change, or what might hang, is not read.
 */
#ifndef GSC_GPU_H
#define GSC_GPU_H

#include "db/view.h"
#include "inside.h"
#include "util/util.h"

struct gsc_gpu {
	const struct gsc_view *view;
	struct gsc_source *source;	/* NULL: definitions only */
	struct gsc_platform platform;
	/* What it closes, or NULL. */
	struct gsc_db *own_db;
	struct gsc_view *own_view;
	struct gsc_source *own_source;
};

/* A GPU of parts that belong to the caller; it need not be closed. */
struct gsc_gpu gpu_of(struct gsc_source *source, const struct gsc_view *view);

/* Like view_find(). */
static inline bool gpu_find(const struct gsc_gpu *gpu, const char *engine, const char *name,
			    int index, struct gsc_reg *reg)
{
	return view_find(gpu->view, engine, name, index, reg);
}

/* GSC_USAGE if there is nothing to read from. */
static inline enum gsc_status gpu_needs_source(const struct gsc_gpu *gpu, struct gsc_error *err)
{
	return gpu->source ? GSC_OK : err_set(err, GSC_USAGE, "source", "there is none");
}

/* The register at an MMIO offset; false: none is defined there. */
GSC_API bool gsc_view_at(const struct gsc_view *view, uint64_t offset, struct gsc_reg *reg);

/*
 * Reads a register by its name; see gsc_gpu_read(). GSC_READ_ABSENT also if the platform has none;
 * *reg may be NULL.
 */
enum gsc_read gpu_read_named(const struct gsc_gpu *gpu, const char *engine, const char *name,
			     int index, struct gsc_reg *reg, uint64_t *value);

/* ---- hazard.c: where a read does more than read --------------------------------------------- */

/* Hazards of registers between two addresses, and of all ranges, with the reasons. */
bool hazards_find(span_vec *hazards, const struct gsc_view *view, uint64_t first, uint64_t last);
/* Is this register, with its surroundings, not to be read on hardware? */
bool hazard_of_read(const struct gsc_view *view, const struct gsc_reg *reg);
/* Why a register must not simply be read, or NULL. */
const char *hazard_of_reg(const struct gsc_view *view, size_t reg);
/* Why a register has no value that could be read, or NULL. */
const char *hazard_of_write_only(const struct gsc_view *view, size_t reg);
/*
 * Why an address must not simply be written; `reg` is the view's count if nothing is defined there.
 */
const char *hazard_of_write(const struct gsc_view *view, size_t reg, uint64_t start, uint64_t last,
			    uint64_t bits);
/* The same for a register alone, and for a write that is meant for these bits. */
const char *hazard_of_bits(const struct gsc_view *view, size_t reg, uint64_t bits);

/* GSC_USAGE, and why a PCI device id, or -1, does not give the platform. */
GSC_API enum gsc_status gsc_platform_unknown(const struct gsc_db *db, int device,
					     struct gsc_error *err);

#endif
