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
run_fn report_run, dumps_run, log_run, decode_run;

/* A kernel's log by its name, "-" or NULL (the kernel's own); free() *text. */
enum gsc_status log_open(const char *name, char **text, size_t *size, struct gsc_error *err);

#endif
