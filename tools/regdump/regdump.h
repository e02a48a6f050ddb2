/* SPDX-License-Identifier: MIT */
/* gpu-regdump: its options, and what its modes share. */
#ifndef REGDUMP_H
#define REGDUMP_H

#include "cli/writing.h"

struct regdump {
	struct common common;
	bool list, decode, diff, devices, workarounds, write, dry_run, force;
	uint64_t watch;			/* milliseconds, 0: once */
	uint64_t count;			/* number of readings, 0: without end */
	struct record journal;		/* of writes */
};

/* The modes; each is a run_fn. */
run_fn dump_run, list_run, decode_run, diff_run, watch_run, devices_run, write_run,
       workarounds_run;

/* ---- rows.c ---------------------------------------------------------------------------------- */

/*
 * What rows without a value mean for the exit status, with a message for each sort of them.
 * `asked`: by a SELECTOR, so that what the source lacks counts. `where` is "" or a source's name.
 */
enum gsc_status rows_status(struct common *common, struct gsc_rows *rows, bool asked,
			    const char *where);

/* gsc_rows_read() as the options say. */
enum gsc_status rows_read(struct regdump *dump, const struct gsc_selection *selection,
			  const struct gsc_gpu *gpu, struct gsc_rows **rows, struct gsc_error *err);
/* Has at least one row a value? */
bool rows_have_value(struct gsc_rows *rows);
/* All rows in the form that the options select; flags: enum gsc_text_flag. */
enum gsc_status rows_print(struct regdump *dump, struct gsc_rows *rows, unsigned flags,
			   struct gsc_error *err);
#define REGDUMP_SCHEMA "gpuscope.regdump/1"

#endif
