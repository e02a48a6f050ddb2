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

/* What a dump is about: one object, the members only. */
struct report {
	struct gsc_source *source;
	struct gsc_view *view;
	struct gsc_hang *hang;
	unsigned flags;			/* enum gsc_text_flag */
};

void report_text(struct gsc_out *out, const struct report *report);
void report_json(struct gsc_json *json, const struct report *report);

/* One fault, as it stands in every list of them; `walk` NULL: why it was not walked. */
void fault_json(struct gsc_json *json, const struct gsc_view *view, const struct gsc_fault *fault,
		const struct gsc_translation *translation, const struct gsc_walk *walk);

#endif
