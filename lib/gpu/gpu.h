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
#include "util/util.h"

/*
 * The source, the definitions, the platform and its view. Three calls lead from a name to a value:
 * find the register, read it, take a field of it.
 */
struct gsc_gpu;

struct gsc_source;
struct gsc_source_options;
struct gsc_submission;

/*
 * Opens sources, as gsc_source_open() does, and makes a GPU of them. Without definitions in the
 * options it uses the built-in ones. GSC_USAGE: the platform is unknown.
 */
GSC_API enum gsc_status gsc_gpu_open(struct gsc_gpu **gpu, const char *const *specs, size_t count,
				     const struct gsc_source_options *options,
				     struct gsc_error *err);
/*
 * Makes a GPU of a source and a view, which still belong to the caller and must outlive it. view
 * NULL: that of the source's platform. source NULL: definitions only.
 */
GSC_API enum gsc_status gsc_gpu_new(struct gsc_gpu **gpu, struct gsc_source *source,
				    const struct gsc_view *view, struct gsc_error *err);
/*
 * Makes a GPU of a platform without a source; revision -1: the latest. The definitions must outlive
 * it.
 */
GSC_API enum gsc_status gsc_gpu_definitions(struct gsc_gpu **gpu, const struct gsc_db *db,
					    unsigned platform, int revision,
					    struct gsc_error *err);
GSC_API void gsc_gpu_close(struct gsc_gpu *gpu);

/* GSC_USAGE, and why a PCI device id, or -1, does not give the platform. */
GSC_API enum gsc_status gsc_platform_unknown(const struct gsc_db *db, int device,
					     struct gsc_error *err);

/* Its parts, which live as long as it does. The source is NULL if there is none. */
GSC_API struct gsc_source *gsc_gpu_source(const struct gsc_gpu *gpu);
GSC_API const struct gsc_view *gsc_gpu_view(const struct gsc_gpu *gpu);
GSC_API const struct gsc_platform *gsc_gpu_platform(const struct gsc_gpu *gpu);

/*
 * Finds a register by its name or alias: "NAME" (on the first engine that has it), "rcs0.NAME",
 * "NAME[3]". False: the platform does not have it.
 */
GSC_API bool gsc_gpu_find(const struct gsc_gpu *gpu, const char *name, struct gsc_reg *reg);
/*
 * Reads a register. GSC_READ_SKIPPED: reading it from a device would change something, may hang the
 * machine, or does not give its value.
 */
GSC_API enum gsc_read gsc_gpu_read(const struct gsc_gpu *gpu, const struct gsc_reg *reg,
				   uint64_t *value);
/*
 * Takes a field of a register's value: its raw bits, right-justified. False: the register has no
 * such field.
 */
GSC_API bool gsc_gpu_field(const struct gsc_gpu *gpu, const struct gsc_reg *reg, uint64_t value,
			   const char *name, uint64_t *out);

/*
 * The GPU at the moment of a submission of a trace, counted from 1 as in struct gsc_run. By default
 * a GPU with a trace is at the end of the trace. The first GPU must outlive the new one. GSC_USAGE:
 * there is no trace, or no such number.
 */
GSC_API enum gsc_status gsc_gpu_at(struct gsc_gpu **moment, const struct gsc_gpu *gpu,
				   uint64_t number, struct gsc_submission *submission,
				   struct gsc_error *err);

/* ---- its inside ----------------------------------------------------------------------------- */

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

/* ---- hazards: where a read does more than read ----------------------------------------------- */

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

#endif
