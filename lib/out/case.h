/* SPDX-License-Identifier: MIT */
/*
 * Verdicts for places that are not a terminal: an issue (case-markdown.c), a CI server
 * (case-junit.c, case-sarif.c). Each source is a case. A dump is a stranger's: no text of it may
 * become markup there, or a name that notifies somebody.
 */
#ifndef GSC_OUT_CASE_H
#define GSC_OUT_CASE_H

#include "hang/hang.h"
#include "hang/known.h"
#include "hang/log-summary.h"
#include "out/out.h"

/* What one source shows; everything but `name` may be missing. */
struct gsc_case {
	const char *name;		/* of the source, as the user named it */
	const char *error;		/* why it could not be read */
	struct gsc_hang *hang;		/* of its registers, or of a dump */
	struct gsc_log *log;		/* its log, and what it says */
	struct gsc_log_summary *summary;
	const struct gsc_view *view;	/* for the log */
	bool log_first;			/* the log shows what went wrong, the hang does not */
	const struct gsc_platform *platform;
	int device, revision;		/* of the GPU, or -1 */
	const char *from;		/* which dump the hang is from, and how old it is */
	const char *attach;		/* the command that makes a file for others */
};

/* Where cases are written to. */
struct gsc_cases {
	struct gsc_out *out;
	const struct gsc_db *db;
	bool several;			/* more than one */
	bool findings;			/* they are results, too */
	/* The writer's own: what is written after the cases, and how many they were. */
	struct gsc_out later;
	struct gsc_json json;
	size_t tests, failures, errors, skipped;
};

/* Before the first case, and after the last. */
GSC_API void gsc_junit_begin(struct gsc_cases *cases);
GSC_API void gsc_junit_end(struct gsc_cases *cases);
GSC_API void gsc_sarif_begin(struct gsc_cases *cases);
GSC_API void gsc_sarif_end(struct gsc_cases *cases);
/* One case. */
GSC_API void gsc_markdown_case(struct gsc_cases *cases, const struct gsc_case *c);
GSC_API void gsc_junit_case(struct gsc_cases *cases, const struct gsc_case *c);
GSC_API void gsc_sarif_case(struct gsc_cases *cases, const struct gsc_case *c);

/* ---- case.c: what the forms share ----------------------------------------------------------- */

/* What it comes down to; "" if it could not be read. */
const char *case_verdict(const struct gsc_case *c);
const char *case_signature(const struct gsc_case *c);
/* What was reported before, and looks like it. */
void case_known(const struct gsc_case *c, struct gsc_knowns *knowns);
/* The end of the signature: "ppgtt-fault". */
const char *case_class(const struct gsc_case *c);
/* Something went wrong. A driver writes dumps of hangs only, even if they do not show which. */
bool case_failed(const struct gsc_case *c);
/* Nothing went wrong as far as it shows, but it does not show what any engine does. */
bool case_unclear(const struct gsc_case *c);
/* The fault of the verdict's engine, else the first one; or NULL. */
const struct gsc_fault *case_fault(const struct gsc_case *c);
/* "ppgtt:0x1000", or "" */
const char *case_address(const struct gsc_fault *fault, char *buf, size_t size);
/* "i915", or "" */
const char *case_driver(const struct gsc_case *c, char *buf, size_t size);
/* The line of the log that its verdict begins with; 0: none. */
size_t case_line(const struct gsc_case *c);
/* The next event of its log that can stop work; gsc_log_rewind() comes before the first. */
bool case_event(const struct gsc_case *c, struct gsc_event *event);
/* Findings of the hang and of the log. */
void case_findings(const struct gsc_case *c, gsc_breach_fn *each, void *context);

#endif
