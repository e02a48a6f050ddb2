/* SPDX-License-Identifier: MIT */
/*
 * Writing registers, for the commands that do: target.c finds the register and the value, writing.c
 * shows what a write takes and what it did, record.c keeps the journal.
 */
#ifndef WRITING_H
#define WRITING_H

#include "cli.h"

struct gsc_write_plan;
struct gsc_written;

/* ---- target.c -------------------------------------------------------------------------------- */

#define TARGET_MAX 256			/* of its name */

/* The one register that a target means, and the field of it, if it names one. */
struct target {
	struct gsc_selection *selection;
	struct gsc_row row;
	struct gsc_field field;
	bool has_field;
};

enum gsc_status target_open(struct common *common, const char *text, struct target *target,
			    struct gsc_error *err);
void target_close(struct target *target);
/* "rcs0.MI_MODE.STOP_RINGS" with the : that selectors have, in `buf`; or the text unchanged. */
const char *colon_text(struct common *common, const char *text, char *buf, size_t size);
/* Those that are the target's field, under one condition each. */
bool target_next(struct common *common, const struct target *target, struct gsc_field_iter *it);
bool field_is_bool(const struct gsc_field_iter *it);
uint64_t field_bits(const struct gsc_field *field, uint64_t value);
/* The word for a value of its field: "stopped", "yes". */
bool word_value(struct common *common, const struct target *target, const char *text,
		uint64_t *value);
/* What it could have been. */
enum gsc_status not_a_value(struct common *common, const struct target *target, const char *text,
			    struct gsc_error *err);

/* ---- writing.c ------------------------------------------------------------------------------- */

#define NOT_WRITTEN_DUMP \
	"not written: a dump cannot be written; --dry-run shows what a write takes"
/* The accesses, as --dry-run shows them. */
void plan_print(struct gsc_out *out, const struct gsc_write_plan *plan);
/* "NAME  0xOLD -> 0xWRITTEN -> 0xBACK" */
void written_print(struct gsc_out *out, const struct gsc_written *written);
/* The same as a line, with the fields that changed below it. */
void written_report(const struct common *common, const struct gsc_written *written);
void json_time(struct gsc_json *json, const struct gsc_written *written);
/* The line of a write in the journal; change: "NAME = VALUE". */
#define WRITTEN_LINE_SIZE 2000
void written_line(const struct common *common, const struct gsc_written *written,
		  const char *change, pid_t process, const char *sources, char *line, size_t size);

/* ---- record.c -------------------------------------------------------------------------------- */

/* A file in the state folder, which exists then; false: nowhere. */
bool state_path(const struct common *common, const char *state, const char *home, const char *name,
		char *path, size_t size);
/* $XDG_STATE_HOME/gpuscope/journal. */
struct record {
	int fd, error;			/* error: why it cannot be written, or 0 */
	char path[256];
};

/* Before rights are given up, as it needs paths. A failure is reported by the first write. */
void record_open(const struct common *common, struct record *record);
/* Adds a line, which is on the disk then. */
enum gsc_status record_write(const struct record *record, const char *line, struct gsc_error *err);
void record_close(struct record *record);

#endif
