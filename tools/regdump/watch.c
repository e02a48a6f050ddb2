/* SPDX-License-Identifier: MIT */
/* gpu-regdump --watch: the registers once, then what changes. */
#include "regdump.h"
#include "source/source.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/*
 * If a signal comes between two readings, the output is a whole document. A second one ends it at
 * once.
 */
static volatile sig_atomic_t stopped_by;

static void on_stop(int number)
{
	if (stopped_by)
		stop_now(number);
	stopped_by = number;
}

struct watching {
	struct regdump *dump;
	const struct gsc_selection *selection;
	struct gsc_rows *rows;		/* of the last reading */
	struct gsc_json json;
	uint64_t started;
};

KEYS(watched)
static void json_row(struct gsc_json *json, const struct watching *w, const struct gsc_row *row,
		     uint64_t time, const struct gsc_row *before)
{
	KEY(thousandths, "time", time);
	KEYS_OF(register);
	gsc_json_row(json, view_of(&w->dump->common), row, 0);
	KEY_OR_NULL(before && before->status == GSC_READ_OK, hex, "previous", before->value);
}

KEYS(watch, "--watch, as lines.")
static void json_first(struct watching *w)
{
	struct common *common = &w->dump->common;
	struct gsc_json *json = &w->json;
	size_t count, rows = gsc_rows_count(w->rows);
	const char **sources = source_names(common->source, &count);
	struct gsc_row row;

	document_begin(common, REGDUMP_SCHEMA, sources, count, json);
	free(sources);
	KEY_LIST("registers", OF(watched), MIN_ITEMS(1));
	for (size_t i = 0; i < rows; i++) {
		gsc_rows_at(w->rows, i, &row);
		ITEM(json_row(json, w, &row, 0, NULL));
	}
}

static enum gsc_status print_first(struct watching *w, struct gsc_error *err)
{
	struct common *common = &w->dump->common;
	bool asked = common->operand_count;
	struct gsc_tally tally;
	enum gsc_status status;

	gsc_rows_tally(w->rows, &tally);
	if (!common->ndjson && tally.count[GSC_READ_OK])
		return rows_print(w->dump, w->rows, asked ? GSC_TEXT_ABSENT : GSC_TEXT_GROUPS, err);
	status = output_open(common, false, err);
	if (!status && common->ndjson)
		json_first(w);
	return status;
}

static enum gsc_status read_again(struct watching *w, struct gsc_error *err)
{
	struct gsc_rows *before = w->rows, *now = NULL;
	struct common *common = &w->dump->common;
	struct gsc_diff *diff = NULL;
	enum gsc_status status = gsc_source_there(common->source, err);

	if (!status)
		status = rows_read(w->dump, w->selection, common->gpu, &now, err);
	if (status)
		return status;
	status = gsc_diff_new(&diff, before, now, err);
	if (!status) {
		size_t count = gsc_diff_count(diff);
		uint64_t time = milliseconds_now() - w->started;
		struct gsc_json *json = &w->json;
		struct gsc_difference d;

		if (count && !common->ndjson)
			gsc_out_format(common->out, "\n# %llu.%03u s\n", LL(time / 1000),
				       (unsigned)(time % 1000));
		for (size_t i = 0; i < count; i++) {
			gsc_diff_at(diff, i, &d);
			if (common->ndjson)
				ITEM(json_row(json, w, &d.b, time, &d.a));
			else
				gsc_text_difference(common->out, view_of(common), &d,
						    text_flags(common));
		}
	}
	gsc_diff_free(diff);
	gsc_rows_free(before);
	w->rows = now;
	return status;
}

static enum gsc_status watch(struct watching *w, struct gsc_error *err)
{
	struct regdump *dump = w->dump;
	const struct common *common = &dump->common;
	enum gsc_status status = rows_read(dump, w->selection, dump->common.gpu, &w->rows, err);
	struct gsc_error ignored;
	struct timespec at;
	uint64_t next;

	w->started = next = milliseconds_now();
	if (!status)
		status = print_first(w, err);
	/* Whoever requests it may think that the GPU is kept awake. */
	if (!status && !common->quiet && !common->ndjson &&
	    !(common->live && (common->wake == GSC_WAKE_AUTO || common->wake == GSC_WAKE_NONE)))
		gsc_out_format(common->out, "# %s\n", common->live ?
			       "forcewake is released between samples" :
			       "a dump does not change, unless its file does");
	for (uint64_t done = 1; !status && (!dump->count || done < dump->count); done++) {
		/* A failed write stays in the output and is reported at the end. */
		gsc_out_flush(dump->common.out, &ignored);
		gsc_source_rest(dump->common.source);
		/* The next multiple of the interval: the work in between does not add up. */
		next += dump->watch;
		at = (struct timespec){ (time_t)(next / 1000), (long)(next % 1000) * 1000000 };
		while (!stopped_by &&
		       clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
			;
		if (stopped_by || gsc_out_error(dump->common.out))
			break;
		status = read_again(w, err);
	}
	return status;
}

enum gsc_status watch_run(struct common *common, struct gsc_error *err)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_stop }, before;
	struct watching w = { .dump = (struct regdump *)common };
	struct gsc_selection *selection = NULL;
	enum gsc_status status = common_open(common, err);
	struct gsc_error ignored;
	bool closed;

	if (!status)
		status = gsc_select(&selection, common->gpu, GSC_SELECT_LISTED, common->operands,
				    common->operand_count, err);
	w.selection = selection;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	if (!status)
		status = watch(&w, err);
	if (!status)
		status = worse(rows_status(common, w.rows, common->operand_count, ""),
			       complain_damage(common, common->source));
	gsc_rows_free(w.rows);
	gsc_selection_free(selection);
	/* It ends as the signal would have ended it, after the cleanup. */
	if (stopped_by) {
		output_close(common, &closed, &ignored);
		stop_now(stopped_by);
	}
	return status;
}
