/* SPDX-License-Identifier: MIT */
/*
 * gpu-report: one page of HTML about a source. html.c writes markup and escapes; each other file is
 * a section of the page, or draws in one. What a source does not hold is described in words, and
 * never drawn as zero.
 */
#ifndef REPORT_H
#define REPORT_H

#include "fault/fault.h"
#include "cli/text.h"

#include <time.h>

#define LL(v) ((unsigned long long)(v))

/* ---- html.c ---------------------------------------------------------------------------------- */

#define HTML_DEPTH 24

/* Markup comes from here, text from anywhere: a tag is never made from a source's text. */
struct html {
	struct gsc_out *out;
	const char *open[HTML_DEPTH];
	unsigned depth;
	size_t before;			/* bytes of the page that are not in out */
};

/* Unchanged; with the characters of HTML escaped, and what is no text replaced. */
void html_put(struct html *html, const char *markup);
void html_text(struct html *html, const char *text);
void html_bytes(struct html *html, const char *text, size_t size);
void html_format(struct html *html, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* <tag attributes>, until html_close(); tags nest. attributes may be NULL. */
void html_open(struct html *html, const char *tag, const char *attributes);
void html_close(struct html *html);
/* A whole element with text in it. */
void html_element(struct html *html, const char *tag, const char *attributes,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A row of a list of facts: name and text; text NULL or "": "not in this dump". */
void html_fact(struct html *html, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* A paragraph that says why there is nothing. */
void html_none(struct html *html, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The head of a table: names separated by bars. */
void html_table(struct html *html, const char *caption, const char *columns);
void html_table_end(struct html *html);
size_t html_size(const struct html *html);

/* ---- commands -------------------------------------------------------------------------------- */

struct saved_command {
	uint64_t address;
	char holds[96];			/* its field with the address of a fault, or "" */
	struct gsc_command command;
	uint32_t *words;
};

struct saved_commands {
	struct saved_command *items;
	size_t count;
	uint64_t left_out;		/* more that are not kept */
};

/* A kernel, with its first bytes and the command that names it. */
struct saved_kernel {
	struct gsc_kernel kernel;
	uint8_t *bytes;
	size_t size;
	const char *name;
	uint64_t address;
};

struct saved_kernels {
	struct saved_kernel *items;
	size_t count;
};

/* A ring or batch on the way to the command where an engine stopped. */
struct way_point {
	struct gsc_run run;
	uint64_t at;			/* the address in it that leads on, or where it stopped */
};

#define WAY_MAX 4

#define ASKED_MAX 4
/* Of one command: a state upload may be long. */
#define DWORDS_MAX 256u

/* The address of a fault, and who asked for it. */
struct asked {
	uint64_t address;
	const char *space;		/* NULL: not told */
	bool known;
	struct gsc_cause cause;
};

/* What is known about the commands of an engine: those around its place, those that wait. */
struct listing {
	struct gsc_engine e;
	struct asked asked[ASKED_MAX];
	size_t asked_count;
	struct saved_commands window, queue;
	struct saved_commands causes;	/* up to its place, with such an address */
	struct saved_kernels kernels;	/* of its batch, up to its place */
	size_t stopped;			/* in the window */
	bool found, queued;
	uint64_t ring;			/* where it begins, if commands of it were met */
	struct way_point way[WAY_MAX];	/* the last one is where it stopped */
	size_t way_count;
};

/* A ring or batch whose fate is unknown. */
struct submitted_run {
	struct gsc_run run;
	uint64_t number, commands;	/* from 0; how many are in it */
	struct saved_commands kept;	/* if it is one of the last, or the longest */
};

struct submitted {
	struct submitted_run *runs;	/* the last ones, in a circle */
	struct submitted_run longest;	/* of those that are not among the very last */
	uint64_t count;
	unsigned submissions;		/* of a trace; 0: it is none */
	bool open;			/* the last one continues */
};

/* ---- the report ------------------------------------------------------------------------------ */

#define SECTIONS 10u

struct report {
	struct fault fault;		/* first */
	const char *output;		/* -o, or NULL */
	time_t now;
	struct html html;
	struct findings findings;
	/* What the verdict rests on: a dump that the kernel has kept, or the source as it is. */
	const struct kept *kept;	/* or NULL */
	struct gsc_source *source;
	const struct gsc_gpu *gpu;	/* of them both */
	const struct gsc_view *view;
	struct gsc_hang *hang;
	struct listing *listings;	/* one for each engine */
	size_t listing_count;
	struct submitted submitted;
	unsigned section;		/* that is being written */
	const char *nothing[SECTIONS];	/* why a section is left out */
	bool no_memory;			/* for a part of the page: then it is missing */
};

/* Is a part available? The page says what is missing; only a lack of memory is recorded. */
static inline bool part_had(struct report *r, enum gsc_status status, const struct gsc_error *err)
{
	r->no_memory |= status && err_is_memory(err);
	return !status;
}

static inline struct common *report_common(struct report *r)
{
	return &r->fault.common;
}

/*
 * The registers of the source itself, if the page is about a dump that the kernel has kept: such a
 * dump has few of them, and no page tables.
 */
static inline bool has_afterwards(const struct report *r)
{
	return r->kept && r->findings.now;
}

static inline void go_afterwards(struct report *r)
{
	r->source = r->fault.common.source;
	r->gpu = r->fault.common.gpu;
	r->view = view_of(&r->fault.common);
	r->hang = r->findings.now;
}

static inline void go_back(struct report *r)
{
	r->source = r->kept->source;
	r->gpu = r->kept->gpu;
	r->view = gsc_gpu_view(r->gpu);
	r->hang = r->kept->hang;
}

/*
 * report.c: what to say about the source of its common; GSC_GONE, and *err unchanged: nothing.
 * Then the page, in html.out.
 */
enum gsc_status report_gather(struct report *r, enum gsc_status *worst, struct gsc_error *err);
enum gsc_status report_write(struct report *r, struct gsc_error *err);
void report_free(struct report *r);

/* commands.c: false: memory is out. */
bool listings_gather(struct report *r);
void listings_free(struct report *r);
void put_window(struct report *r, const struct listing *listing);
void put_queue(struct report *r, const struct listing *listing);
/* Its first dwords; false: memory is out. */
bool commands_keep(struct saved_commands *list, const struct gsc_command *c);
void commands_free(struct saved_commands *list);
/* An item of a list; listing NULL: without its fields. */
void put_command(struct report *r, const struct listing *listing, const struct saved_command *c,
		 const char *mark);
/* "stopped", "waits", "is": what an engine does at its place. */
const char *stop_word(enum gsc_engine_state state);
/* "ppgtt:0x1000" */
const char *run_place(const struct gsc_run *run, uint64_t address, char *buf, size_t size);

/* kernels.c: false: memory is out. */
bool kernels_keep(struct saved_kernels *list, const struct gsc_followed *item);
void kernels_free(struct saved_kernels *list);
void put_kernels(struct report *r, const struct saved_kernels *list);

/* cause.c: commands that hold the address of a fault of their engine. */
#define CAUSE_LINES_MAX 8

/* Fields with such an address, in a command whose text is searched line by line. */
struct cause_lines {
	struct gsc_command_address fields[CAUSE_LINES_MAX];
	size_t count;
	unsigned dword;			/* the dword above the lines */
};

void causes_begin(struct report *r);
/* Does it? The name of the field, or of the field of state that it points to. */
bool cause_holds(struct report *r, const struct listing *listing, const struct gsc_command *c,
		 char *buf, size_t size);
void cause_lines(struct report *r, const struct listing *listing, const struct gsc_command *c,
		 struct cause_lines *lines);
/* The next line of the text, without its end: does it belong to such a field? */
bool cause_line(struct cause_lines *lines, const char *line, size_t length);
/* In words: which command it is, if that is known. */
void put_cause(struct report *r, size_t fault);

/*
 * submitted.c: runs as they are reported, on an engine with that listing, or NULL; false: memory is
 * out.
 */
bool submitted_begin(struct submitted *s, const struct gsc_run *run, const struct listing *listing);
bool submitted_command(struct submitted *s, const struct gsc_command *c);
void submitted_end(struct submitted *s, const struct gsc_run *run);
void submitted_free(struct submitted *s);
void put_submitted(struct report *r);
/* Their rings, in a map of the global table. */
void mark_submitted(const struct report *r, struct gsc_picture *picture);

/* ring.c */
void put_ring(struct report *r, const struct gsc_engine *e);
void put_way(struct report *r, const struct listing *listing);

/* page.c: the sections, and what surrounds them, to html.out. */
enum gsc_status page_write(struct report *r, struct gsc_error *err);
/* The section that is being written has no content, for the reason WHY: then it is left out. */
void section_nothing(struct report *r, const char *why);
/* A source without the folders of its path, which are private. */
const char *source_name(const char *name);
/* A fact that the driver has recorded: source.c. */
void put_about(struct html *h, const struct gsc_about *about);

/* The sections, in their order. */
typedef void section_fn(struct report *r);
section_fn section_verdict, section_engines, section_faults, section_errors, section_maps,
	section_fences, section_doubts, section_log, section_source, section_registers;

#endif
