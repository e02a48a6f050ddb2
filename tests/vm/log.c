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
		write_line(log->file, &log->items[log->count]);
	log->count++;
}

void log_text(struct log *log, const char *text)
{
	if (log->file)
		fprintf(log->file, "# %.6f %s\n", seconds(), text);
}
