/* SPDX-License-Identifier: MIT */
/* A GPU: how long it lives, its moments and stored dumps, what is made when it is needed. */
#include "api/api.h"

#include "batch/batch.h"
#include "eu/program.h"
#include "open/open.h"

#include <string.h>

struct gpuscope_gpu *gpu_hold(struct gpuscope_gpu *gpu)
{
	refs_add(&gpu->refs);
	return gpu;
}

void gpuscope_gpu_free(struct gpuscope_gpu *gpu)
{
	if (!gpu || !refs_drop(&gpu->refs))
		return;
	gsc_eu_free(gpu->eu);
	gsc_commands_free(gpu->commands);
	gsc_gpu_close(gpu->gpu);
	gsc_source_close(gpu->source);
	free(gpu->registers);
	keep_free(&gpu->keep);
	keep_free(&gpu->said);
	gpuscope_gpu_free(gpu->parent);
	gpuscope_db_free(gpu->db);
	free(gpu);
}

struct gpuscope_error *gpu_begin(struct gpuscope_db *db, struct gpuscope_gpu *parent,
					struct gpuscope_gpu **out)
{
	struct gpuscope_gpu *gpu = calloc(1, sizeof(*gpu));
	struct gpuscope_error *error;

	*out = NULL;
	if (!gpu)
		return error_memory();
	gpu->refs = 1;
	error = db_hold(db, &gpu->db);
	if (error) {
		gpuscope_gpu_free(gpu);
		return error;
	}
	if (parent) {
		gpu->parent = gpu_hold(parent);
		gpu->unsafe = parent->unsafe;
	}
	*out = gpu;
	return NULL;
}

struct gpuscope_error *gpu_done(struct gpuscope_gpu *gpu, struct gpuscope_error *error,
				       struct gpuscope_gpu **out)
{
	if (error)
		gpuscope_gpu_free(gpu);
	*out = error ? NULL : gpu;
	return error;
}

/* ---- made of another ------------------------------------------------------------------------- */

struct gpuscope_error *gpuscope_gpu_at(struct gpuscope_gpu *gpu, uint64_t number,
				       struct gpuscope_gpu **out)
{
	struct gsc_submission submission;
	struct gpuscope_error *error;
	struct gpuscope_gpu *moment;
	enum gsc_status status;
	struct gsc_error err;

	error = gpu_begin(gpu->db, gpu, &moment);
	if (error)
		return gpu_done(NULL, error, out);
	status = gsc_gpu_at(&moment->gpu, gpu->gpu, number, &submission, &err);
	if (!status) {
		moment->source = moment->gpu->own_source;
		moment->gpu->own_source = NULL;
		moment->running = submission.contexts[0];
	}
	return gpu_done(moment, error_of(status, &err), out);
}

struct gpuscope_error *gpuscope_open_stored(struct gpuscope_gpu *gpu, size_t i,
					    struct gpuscope_gpu **out)
{
	struct gsc_source_options inner = { .registers = GSC_REGISTERS_WANTED };
	struct gpuscope_error *error;
	struct gpuscope_gpu *stored;
	enum gsc_status status;
	struct gsc_error err;

	if (!gpu->source)
		return gpu_done(NULL, error_make(GPUSCOPE_STATUS_USAGE, "stored dump",
						 "there is no source"), out);
	error = gpu_begin(gpu->db, gpu, &stored);
	if (error)
		return gpu_done(NULL, error, out);
	inner.db = gpu->db->db;
	inner.unsafe = gpu->unsafe;
	/* What the user has said about the device also holds for its dumps. */
	if (gsc_source_told(gpu->source) < 0)
		inner.platform = gpu->gpu->platform.name;
	status = gsc_stored_open(&stored->source, gpu->source, i, &inner, &err);
	return gpu_done(stored, status ? error_of(status, &err) : gpu_join(stored), out);
}

void gpuscope_gpu_rest(struct gpuscope_gpu *gpu)
{
	if (gpu->source)
		gsc_source_rest(gpu->source);
}

/* ---- what is made when it is needed ---------------------------------------------------------- */

struct gpuscope_error *gpu_named(const struct gpuscope_gpu *gpu)
{
	return gpu->unnamed ? error_make(GPUSCOPE_STATUS_USAGE, "platform",
					 "the log does not say which "
					 "it is: name it in the options") : NULL;
}

struct gpuscope_error *gpu_commands(struct gpuscope_gpu *gpu, struct gsc_commands **set)
{
	struct gpuscope_error *error = gpu_named(gpu);
	enum gsc_status status = GSC_OK;
	struct gsc_error err;

	if (error)
		return error;
	if (!gpu->commands)
		status = gsc_commands_new(&gpu->commands, gpu->gpu, &err);
	*set = gpu->commands;
	return error_of(status, &err);
}
