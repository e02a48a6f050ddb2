/* SPDX-License-Identifier: MIT */
/* A GPU: opening it, what is known about it, and its registers, which live as long as it does. */
#include "api/api.h"

#include "batch/batch.h"
#include "eu/eu.h"
#include "open/open.h"

#include <string.h>

struct gpuscope_gpu *gpu_hold(struct gpuscope_gpu *gpu)
{
	gpu->refs++;
	return gpu;
}

void gpuscope_gpu_free(struct gpuscope_gpu *gpu)
{
	if (!gpu || --gpu->refs)
		return;
	gsc_eu_free(gpu->eu);
	gsc_commands_free(gpu->commands);
	gsc_gpu_close(gpu->gpu);
	gsc_source_close(gpu->source);
	vec_free(&gpu->registers);
	keep_free(&gpu->keep);
	gpuscope_gpu_free(gpu->parent);
	gpuscope_db_free(gpu->db);
	free(gpu);
}

/* ---- opening -------------------------------------------------------------------------------- */

struct gpuscope_error *gpuscope_open(const char *const *sources, size_t count,
				     const struct gpuscope_options *options,
				     struct gpuscope_gpu **out)
{
	static const struct gpuscope_options defaults;
	struct gsc_source_options inner = { .db = NULL };
	struct gpuscope_gpu *gpu = calloc(1, sizeof(*gpu));
	struct gpuscope_error *error;
	enum gsc_status status;
	struct gsc_error err;

	*out = NULL;
	if (!gpu)
		return error_memory();
	gpu->refs = 1;
	options = options ? options : &defaults;
	error = db_hold(options->db, &gpu->db);
	if (!error) {
		inner.db = gpu->db->db;
		inner.platform = options->platform;
		inner.wake = (enum gsc_wake)options->wake;
		inner.unsafe = options->unsafe;
		status = gsc_source_open(&gpu->source, sources, count, &inner, &err);
		if (!status)
			status = gsc_gpu_new(&gpu->gpu, gpu->source, NULL, &err);
		error = error_of(status, &err);
	}
	if (error)
		gpuscope_gpu_free(gpu);
	else
		*out = gpu;
	return error;
}
