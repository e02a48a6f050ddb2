/* SPDX-License-Identifier: MIT */
/*
 * gpu-report: one page of HTML about a source. report.c is entered first; page.c has the sections
 * in their order and what surrounds them. They show the lines of the other commands, which out/
 * turns into HTML; the page's own are the head (head.c), the rings and chains of batches (ring.c)
 * and the maps (map.c). What a source does not hold is described in words, never drawn as zero.
 */
#ifndef REPORT_H
#define REPORT_H

#include "cli/text.h"
#include "fault/fault.h"
#include "hang/hang.h"
#include "util/util.h"

/* A ring or batch on the way to the command where an engine stopped. */
struct way_point {
	struct gsc_run run;
	uint64_t at;			/* the address in it that leads on, or where it stopped */
};

#define WAY_MAX 4

/* A kernel, with its first bytes and the command that names it. */
struct saved_kernel {
	struct gsc_kernel kernel;
	uint8_t *bytes;
	size_t size;
	const char *name;
	uint64_t address;
};

/* What is known about the commands of an engine. */
struct listing {
	struct gsc_engine e;
	uint64_t lead;			/* the first of those around its place */
	struct gsc_out *window;		/* these */
	struct gsc_out *queue[2];	/* those that wait, up to the ring's end and after it */
	uint64_t waiting;		/* how many they are */
	VEC(struct saved_kernel) kernels;	/* of its batch, up to its place */
	uint64_t ring;			/* where it begins, if commands of it were met */
	struct way_point way[WAY_MAX];	/* the last one is where it stopped */
	size_t way_count;
	bool found, queued;
};

/* Rings and batches whose fate is unknown: of a trace, or of engines without registers. */
struct submitted {
	struct gsc_out *out;		/* the last ones */
	VEC(size_t) starts;		/* where each begins in it */
	VEC(struct gsc_run) rings;	/* a few, each once */
	uint64_t count;
	bool trace;
};

#define LINKS_MAX 24u

struct report {
	struct fault fault;		/* first */
	const char *output;		/* -o, or NULL */
	time_t now;
	struct gsc_out *out;		/* the section that is being written, at last the page */
	size_t before;			/* bytes of the sections in front of it */
	struct gsc_hangs hangs;
	/* What the verdict rests on: a dump that the kernel has kept, or the source as it is. */
	const struct gsc_kept *kept;	/* or NULL */
	struct gsc_source *source;
	const struct gsc_gpu *gpu;	/* of the source */
	const struct gsc_view *view;
	struct gsc_hang *hang;
	struct listing *listings;	/* one for each engine */
	size_t listing_count;
	struct submitted submitted;
	struct html_link links[LINKS_MAX];	/* commands that other sections name */
	size_t link_count;
	bool empty;			/* there is nothing that a page could show */
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
	return r->kept && r->hangs.now;
}

static inline void go_afterwards(struct report *r)
{
	r->source = r->fault.common.source;
	r->gpu = r->fault.common.gpu;
	r->view = view_of(&r->fault.common);
	r->hang = r->hangs.now;
}

static inline void go_back(struct report *r)
{
	r->source = r->kept->source;
	r->gpu = r->kept->gpu;
	r->view = gsc_gpu_view(r->gpu);
	r->hang = r->kept->hang;
}

/* report.c: what to say about the source of its common; GSC_GONE, and *err unchanged: nothing. */
enum gsc_status report_gather(struct report *r, enum gsc_status *worst, struct gsc_error *err);
void report_free(struct report *r);

/* page.c: all sections and what surrounds them, in `out`; a source without its private folders. */
enum gsc_status report_write(struct report *r, struct gsc_error *err);
const char *source_name(const char *name);
/* A paragraph about what is not there. */
void put_none(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* commands.c: false: memory is out. */
bool listings_gather(struct report *r);
void listings_free(struct report *r);
/* Rings of a trace, in a map of the global table. */
void mark_submitted(const struct report *r, struct gsc_picture *picture);

/* ring.c */
void put_ring(struct report *r, const struct gsc_engine *e);
void put_way(struct report *r, const struct listing *listing);
/* talk.c: the last messages of a GuC, if the dump has them. */
void put_messages(struct report *r);
/* "stopped", "waits", "is": what an engine does at its place. */
const char *stop_word(enum gsc_engine_state state);
/* "ppgtt:0x1000" */
const char *run_place(const struct gsc_run *run, uint64_t address, char *buf, size_t size);

/* A section writes itself; NULL, or why it is left out. */
typedef const char *section_fn(struct report *r);
section_fn section_head, section_hang, section_log, section_commands, section_maps,
	section_windows, section_registers, section_differences, section_source;

#endif
