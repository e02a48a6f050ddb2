/* SPDX-License-Identifier: MIT */
/* What the parts of gpu-fault share. */
#ifndef FAULT_H
#define FAULT_H

#include "cli/cli.h"
#include "cli/input.h"
#include "hang/hang.h"
#include "out/case.h"

struct gsc_event;

#define FAULT_SCHEMA "gpuscope.fault/1"

struct fault {
	struct common common;		/* first */
	bool dmesg, kcore, walk, no_walk;
	const char *decode;		/* a gsc_image_word(), or NULL */
	const char *ecode;		/* codes of hangs, or NULL */
	const char *file;		/* the operand that was opened, or NULL */
	const char *engine;
	const char *format;		/* of an OA report, or NULL */
	bool processes;
	bool markdown, junit, sarif;	/* one at most */
	struct gsc_cases cases;		/* that it writes; no `out` before the first */
};

/* The forms of the command; each is a run_fn. */
run_fn report_run, dumps_run, log_run, image_run, ecode_run, processes_run;

/* FILE, or NULL, and what --from adds to it; then the view of its platform. */
enum gsc_status fault_open(struct common *common, const char *file, bool identity_only,
			   struct gsc_error *err);

/* guess.c: opens common->source again if only the code of its hang gives the platform. */
enum gsc_status guess_platform(struct common *common, const char *const *specs, size_t count,
			       struct gsc_error *err);

/*
 * Of common->source; the refusal of its registers, if nothing was kept either. A kept dump that
 * could not be opened is reported, and makes *worst GSC_PARTIAL.
 */
enum gsc_status hangs_open(struct common *common, struct gsc_hangs *hangs,
			   enum gsc_status *worst, struct gsc_error *err);
/*
 * Reports registers of the source and memory that were not available; `file`: one of
 * several, or NULL. GSC_PARTIAL if there are any.
 */
enum gsc_status complain_missed(struct common *common, const struct gsc_hangs *hangs,
				const char *file);
/* "2 hours old" */
const char *age_text(int64_t seconds, char *buf, size_t size);

/*
 * What the log of the source says: `alone`, nothing else is there; otherwise after the rest of the
 * source.
 */
enum gsc_status log_show(struct common *common, bool alone, struct gsc_error *err);
/* Whether the log of the source, if it has one, has a fault, hang or reset. */
bool log_tells(struct common *common);
/* A hang; its signature and verdict are those of the log if only that tells of something. */
enum gsc_status hang_json(struct common *common, struct gsc_json *json, struct gsc_hang *hang,
			  struct gsc_error *err);
/* The sentence about it, again. */
void log_verdict(struct common *common);
/* The verdict has left the screen, and nothing but a repetition of it shows it at the end. */
bool verdict_left(const struct common *common);
/* Members of each document: what the kernel has kept, `hangs` may be NULL; why a file failed. */
enum gsc_status json_kept(struct gsc_json *json, const struct gsc_hangs *hangs,
			  const char *refused, struct gsc_error *err);
void json_error(struct gsc_json *json, const char *why);
/* Adds the events to a document, if a log is one of its sources. */
enum gsc_status log_json(struct common *common, struct gsc_json *json, struct gsc_error *err);

/* ---- cases.c: the forms for an issue and for CI servers -------------------------------------- */

/* Is one of them requested? Then nothing else is written. */
bool wants_cases(const struct common *common);
/* Opens common->out: only text is paged and folded. */
enum gsc_status report_open(struct common *common, struct gsc_error *err);
/* The command that makes a file to attach; NULL: there is nothing to make. */
const char *case_attachment(struct common *common, bool capture, char *buf, size_t size);
/* Adds to the case what the source is, and its name unless it has one, and writes it. */
enum gsc_status case_put(struct common *common, struct gsc_case *c, struct gsc_error *err);
/* A source that cannot be read, unless that is a failure of usage. */
enum gsc_status case_put_error(struct common *common, const char *name, const char *why,
			       struct gsc_error *err);
/* After the last: `status` and *err are those of the whole. */
enum gsc_status cases_end(struct common *common, enum gsc_status status, struct gsc_error *err);
/* The same after adding the log of the source, if it has one. */
enum gsc_status log_case(struct common *common, struct gsc_case *c, struct gsc_error *err);

/* match.c: which line of a log is the hang of a dump, by time or by its code. */
struct log_match {
	double boot;			/* seconds from the boot to the dump, or < 0 */
	char code[48];			/* "ecode 9:1:85dffffb", or "" */
	size_t line;			/* 0: none */
	char process[64];		/* "Xorg [1981]" in that, and what follows; or "" */
	size_t hangs;			/* number of lines in the log */
	size_t coded;			/* lines with that code */
	double apart;
	char stamp[40], why[160];
};

/* False: the dumps of the source have neither. */
bool match_begin(struct log_match *match, const struct gsc_source *source);
void match_event(struct log_match *match, const struct gsc_event *event);

#endif
