/* SPDX-License-Identifier: MIT */
/* What the parts of gpu-fault share. */
#ifndef FAULT_H
#define FAULT_H

#include "common/common.h"

#define FAULT_SCHEMA "gpuscope.fault/1"

struct fault {
	struct common common;		/* first */
	bool dmesg, walk, no_walk;
	const char *decode;		/* hwsp context oa ring, or NULL */
	const char *engine;
	const char *format;		/* of an OA report, or NULL */
};

/* The forms of the command; each is a run_fn. */
run_fn report_run, dumps_run, log_run, image_run;

/* FILE, or NULL, and what --from adds to it; then the view of its platform. */
enum gsc_status fault_open(struct common *common, const char *file, bool identity_only,
			   struct gsc_error *err);

/* The text of a kernel's log, unpacked. */
struct log_input {
	const char *name, *text;
	size_t size;
	struct gsc_source *holder;
	char *own;
};

/* By a file's name, "-" or NULL: the kernel's own. */
enum gsc_status log_open(struct common *common, const char *name, struct log_input *log,
			 struct gsc_error *err);
void log_close(struct log_input *log);

#endif
