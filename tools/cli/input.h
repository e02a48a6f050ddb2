/* SPDX-License-Identifier: MIT */
/* Files as bytes: of no known format, and the text of a kernel's log. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/cli.h"
#include "source/part.h"

/* A file's bytes, unpacked; zeros: there is none. */
struct held_file {
	struct blob blob;
	const uint8_t *data;
	size_t size;
};

typedef bool held_is_fn(const uint8_t *data, size_t size);

/*
 * FILE, and if it may be one and is not `is_own`, which may be NULL, as a source: common->source is
 * open then.
 */
enum gsc_status held_open(struct common *common, const char *path, held_is_fn *is_own,
			  bool as_source, struct held_file *file, struct gsc_error *err);
/* A file could not be opened because it is no source that is known; then *err is emptied. */
bool source_is_none(enum gsc_status status, struct gsc_error *err);
/* In any format. */
enum gsc_status held_bytes(struct common *common, const char *path, struct held_file *file,
			   struct gsc_error *err);
void held_close(struct held_file *file);
/* Says what was damaged when it was unpacked; GSC_PARTIAL if anything was. */
enum gsc_status held_damage(struct common *common, const struct held_file *file);
/* Its name in messages: "-" is standard input. */
const char *input_name(const char *path);
/* As source_names(), and last the FILE if there is one. */
const char **held_names(const struct common *common, bool file, size_t *count);
/* ASCII text, judging by its beginning. */
bool is_text(const uint8_t *data, size_t size);

struct log_input {
	const char *name, *text;
	size_t size;
	struct held_file file;
	char *own;
};

/* By a file's name, "-" or NULL: the kernel's own. */
enum gsc_status log_open(struct common *common, const char *name, struct log_input *log,
			 struct gsc_error *err);
/* What was read already, which is the log's now; log->name is its name. */
enum gsc_status log_take(struct common *common, char *text, size_t size, struct log_input *log,
			 struct gsc_error *err);
void log_close(struct log_input *log);

#endif
