/* SPDX-License-Identifier: MIT */
/* The text of a kernel's log: a file, standard input, or the kernel's own. */
#ifndef LOG_INPUT_H
#define LOG_INPUT_H

#include "cli/cli.h"

struct log_input {
	const char *name, *text;
	size_t size;
	struct gsc_source *holder;
	char *own;
};

/* By a file's name, "-" or NULL: the kernel's own. */
enum gsc_status log_open(struct common *common, const char *name, struct log_input *log,
			 struct gsc_error *err);
/*
 * The bytes of a file, unpacked, which live as long as *holder. NULL: it has none, or cannot be
 * opened; then there is no holder.
 */
const uint8_t *file_hold(struct common *common, const char *path, struct gsc_source **holder,
			 size_t *size, struct gsc_error *err);
/* A copy of text that was read already, unpacked; log->name is its name. */
enum gsc_status log_hold(struct common *common, const char *text, size_t size,
			 struct log_input *log, struct gsc_error *err);
void log_close(struct log_input *log);

#endif
