/* SPDX-License-Identifier: MIT */
/* gpu-batch: its options, its input, and what its forms of output share. */
#ifndef BATCH_H
#define BATCH_H

#include "batch/command.h"
#include "batch/run.h"
#include "cli/input.h"
#include "cli/text.h"
#include "util/text.h"

struct input {
	struct held_file file;		/* unless FILE is a source */
	VEC(struct gsc_words) stretches;	/* several, if text has gaps; -a must be added */
	VEC(uint32_t) own;		/* what text was turned into */
	unsigned tail;			/* bytes after the last whole dword */
	uint8_t tail_bytes[4];
	bool damaged;			/* an invalid line was met: reported */
};

/* What was reported, and what was wrong with it. */
struct tally {
	uint64_t commands, runs;
	uint64_t of[4];			/* by enum gsc_command_status */
	uint64_t first[4];		/* address */
	uint64_t nowhere;		/* runs that led nowhere */
	char nowhere_first[400];	/* which, and why */
	uint64_t absent;		/* state that is missing */
	uint64_t marked;		/* commands with a mark */
};

struct batch {
	struct common common;

	/* As given. */
	const char *engine, *query, *kernels;
	struct address place;
	uint64_t mark;
	unsigned format;
	bool headers, follow, no_follow, state, lint, past_end, process;

	/* Derived from that. */
	uint64_t address;
	bool global;			/* in the GGTT; else tried first unless `process` */
	struct gsc_commands *set;
	struct gsc_eu *eu;		/* of --state and --kernels; NULL: the platform has none */
	struct input input;
	bool has_input;
	struct gsc_mark mark_given;
	struct gsc_follow_options options;
	struct tally tally;
};

#define BATCH_SCHEMA "gpuscope.batch/1"

enum batch_format { FORMAT_AUTO, FORMAT_TEXT, FORMAT_BIN };

/* ---- input.c --------------------------------------------------------------------------------- */

/* FILE as a source, if it is one: common->source is open. Otherwise its dwords. */
run_fn input_open;
void input_close(struct input *input);

/* ---- follow.c -------------------------------------------------------------------------------- */

/*
 * Reports everything that was requested to a listener, and counts. GSC_PARTIAL: something was
 * wrong; GSC_UNKNOWN: the source has nothing of what it should show. Both with a message.
 */
enum gsc_status batch_follow(struct batch *batch, const struct gsc_listener *listener,
			     struct gsc_error *err);
/* There is nothing to finish: the status is that of an error. */
bool batch_failed(const struct batch *batch, enum gsc_status status);
/* GSC_UNKNOWN, with a message, if a mark was requested and nothing shown contains it. */
enum gsc_status complain_mark(struct batch *batch);

/* ---- write.c --------------------------------------------------------------------------------- */

/* "= 0x1000", "= memory ggtt:0x2000", "= register 0x2358", "stored to ppgtt:0x3000", "read" */
void write_text(const struct gsc_register_write *write, char *buf, size_t size);
/* The members from `name` to `from`; reg NULL: it is unknown. */
void write_json(struct gsc_json *json, const struct gsc_reg *reg,
		const struct gsc_register_write *write);

/* ---- batch.c --------------------------------------------------------------------------------- */

/* Title and document with the names of the sources, and of FILE. */
void batch_title(const struct common *common);
void batch_document(const struct common *common, struct gsc_json *json);

/* ---- the forms of output; each is a run_fn --------------------------------------------------- */

run_fn text_run, json_run, query_run, lint_run, kernels_run;

/* Commands should follow, but none do. */
static inline bool breaks_off(const struct gsc_run *run)
{
	return run->end == GSC_RUN_NOWHERE || run->end == GSC_RUN_STOPPED ||
	       run->end == GSC_RUN_BLANK;
}

#endif
