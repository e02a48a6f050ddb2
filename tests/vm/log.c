/* SPDX-License-Identifier: MIT */
#include "gpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double seconds(void)
{
	static struct timespec start;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!start.tv_sec)
		start = now;
	return (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9;
}

static const char *const space_names[] = { "bar0", "bar2", "config" };

static void write_line(FILE *file, const struct access *a)
{
	fprintf(file, "%.6f %c %u %s 0x%x %u 0x%0*" PRIx64 "%s%s%s\n", a->time,
		a->write ? 'W' : 'R', a->gpu, space_names[a->space], a->offset, a->size,
		a->size * 2, a->value, a->note ? " " : "", a->note ? a->note : "",
		a->hazard ? " hazard" : "");
}

/* Drivers write the whole GGTT, up to a million entries, in turn: the first and the last are told. */
static bool continues(const struct access *before, const struct access *a)
{
	return a->write && a->entry && before->write && before->entry && a->gpu == before->gpu &&
	       a->size == before->size && a->offset == before->offset + a->size && !a->note &&
	       !before->note;
}

static void end_run(struct log *log)
{
	if (log->folded > 1)
		fprintf(log->file, "... %zu\n", log->folded - 1);
	if (log->folded)
		write_line(log->file, &log->items[log->count - 1]);
	log->folded = 0;
}

static void write_access(struct log *log, const struct access *a)
{
	if (log->count && continues(a - 1, a)) {
		log->folded++;
		return;
	}
	end_run(log);
	write_line(log->file, a);
}

void log_add(struct log *log, const struct access *access)
{
	if (log->count == log->room) {
		log->room = log->room ? 2 * log->room : 4096;
		log->items = realloc(log->items, log->room * sizeof(*log->items));
		if (!log->items)
			abort();
	}
	log->items[log->count] = *access;
	log->items[log->count].time = seconds();
	if (log->file)
		write_access(log, &log->items[log->count]);
	log->count++;
}

void log_text(struct log *log, const char *text)
{
	if (!log->file)
		return;
	end_run(log);
	fprintf(log->file, "# %.6f %s\n", seconds(), text);
}
