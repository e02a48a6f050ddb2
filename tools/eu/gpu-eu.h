/* SPDX-License-Identifier: MIT */
/* gpu-eu: its options, its input, and what its forms of output share. */
#ifndef EU_H
#define EU_H

#include "cli/input.h"
#include "util/text.h"

/* Instructions of a FILE. */
struct eu_input {
	struct held_file file;		/* unless FILE is a source */
	uint8_t *own;			/* what text was turned into */
	const uint8_t *data;
	size_t size;
	bool damaged;			/* a line had no words: there was a message about it */
};

struct eu {
	struct common common;

	/* As given. */
	const char *engine;
	struct address place;
	unsigned format, syntax;
	bool offsets, raw, fields, cfg, svg, lint;

	/* Derived from that. */
	uint64_t address;
	struct gsc_eu *set;
	struct eu_input input;
	bool has_input;
	struct gsc_json json;
	bool begun;			/* title or document have been written */
	struct gsc_out *drawing;	/* of --svg, so far */
	uint64_t drawn;			/* how high it is */
	uint64_t instructions, unknown, first_unknown, programs, findings;
};

#define EU_SCHEMA "gpuscope.eu/1"

enum eu_format { EU_AUTO, EU_TEXT, EU_BIN };

/* A program that is shown, and where it comes from. */
struct shown {
	const char *name;
	const struct gsc_kernel *kernel;	/* its bytes, and what is known about it */
	bool placed;			/* its address is known */
	bool process;			/* in a per-process space */
	const struct gsc_run *run;	/* what started it; or NULL */
	const struct gsc_command *command;
	bool marked;			/* the instruction at --address is */
};

/* ---- input.c --------------------------------------------------------------------------------- */

/* FILE as a source, if it is one: common->source is open. Otherwise its bytes. */
run_fn eu_input_open;
void eu_input_close(struct eu_input *input);

/* ---- show.c ---------------------------------------------------------------------------------- */

/* A program, as text or JSON; what is wrong with it is reported. */
enum gsc_status eu_show(struct eu *eu, const struct shown *shown, struct gsc_error *err);
/* The end of all of them. */
void eu_show_end(struct eu *eu);

/* ---- cfg.c ----------------------------------------------------------------------------------- */

/* A basic block. */
struct block {
	uint64_t start, end;
	int64_t to[3];			/* offsets: where it continues, UIP, JIP; -1: nowhere */
	char last[160];			/* the instruction that ends it, if it jumps */
};

struct blocks {
	VEC(struct block) at;
	VEC(int64_t) targets;		/* of jumps, in order */
};

/* The basic blocks of a program; to be freed in any case. */
enum gsc_status blocks_find(struct blocks *b, struct eu *eu, const struct gsc_kernel *kernel,
			    struct gsc_error *err);
void blocks_free(struct blocks *b);
/* One per line; and drawn below those of other programs, which eu_drawing_end() writes. */
void eu_put_blocks(struct eu *eu, const struct blocks *b, uint64_t address);
enum gsc_status eu_draw_blocks(struct eu *eu, const struct blocks *b, const char *title,
			       uint64_t address, struct gsc_error *err);
void eu_drawing_end(struct eu *eu);

/* ---- kernels.c ------------------------------------------------------------------------------- */

/* Kernels that were met. */
struct kernel_list {
	struct known_kernel {
		uint64_t address;
		const char *stage;
		size_t size;
	} *slots;			/* by a hash; without a stage: free */
	size_t count, room;
	bool no_memory;
};

/* False: it was met before, or memory is out. */
bool kernel_list_add(struct kernel_list *list, const struct gsc_kernel *kernel);
/* "ps-0x1040" */
const char *kernel_name(const struct gsc_kernel *kernel, char *buf, size_t size);

/* The programs that the source's commands start; or the one at --address. */
enum gsc_status eu_kernels(struct eu *eu, struct gsc_error *err);

#endif
