/* SPDX-License-Identifier: MIT */
/*
 * AUB traces: what a driver sends to a simulated GPU, write by write. aub.c reads the records once
 * and fills an index: every write, with the page that it touches; aub-memory.c replays the writes
 * in order, each once, and so knows the contents of memory at a moment; aub-replay.c finds the
 * submissions and makes a source that goes from the moment of one to the next.
 */
#ifndef GSC_AUB_H
#define GSC_AUB_H

#include "source/part.h"

struct gsc_submission;

#define AUB_PAGE 4096u

/* One write, or the part of one in one page. */
struct aub_write {
	uint64_t at;			/* its bytes: of the file, or, with AUB_OWN, of `own` */
	uint32_t page;			/* index of it */
	uint16_t from, length;		/* within the page */
};

#define AUB_OWN (UINT64_C(1) << 63)

struct aub_page {
	uint64_t number;		/* address / AUB_PAGE */
	uint32_t space;			/* enum gsc_space */
	uint32_t met;			/* its rank in the order of first writes */
};

/* A possible submission: a register written, or commands put into a ring. */
struct aub_event {
	uint64_t at;			/* byte of the file where its record begins */
	uint64_t record;		/* number of that record */
	uint64_t address;		/* of the register, or of the commands (GGTT) */
	uint64_t data;			/* the value, or the byte of the file where they are */
	uint32_t writes;		/* how many there are up to and including this one */
	uint32_t bytes;			/* of the commands; 0: a register */
	uint8_t ring;			/* 2 to 4: primary ring 0 to 2 */
};

struct aub {
	const uint8_t *data;		/* the file */
	size_t size;
	VEC(struct aub_write) writes;
	VEC(struct aub_page) pages;	/* sorted by space and number, once the index is complete */
	VEC(struct aub_event) events;
	VEC(uint8_t) own;		/* register values that are nowhere in the file */
	uint32_t *hash;			/* of pages, counted from 1; while it is being filled */
	size_t buckets;
	const uint8_t *zeros;		/* what was never written; once the index is complete */
	uint64_t zero_bytes;		/* of them: at least a page, and all of the GGTT's table */
	struct aub_memory *end;		/* the end of the whole trace; its pieces point there */
};

/* ---- the memory of a trace ------------------------------------------------------------------- */

/* For qsort(): by space and number. */
int aub_page_compare(const void *a, const void *b);

/*
 * Memory after a number of writes. It is simulated: the rest of a page that was written to is zero,
 * and so is the rest of the table; registers, and memory named by its graphics address, exist only
 * as far as they were written.
 */
struct aub_memory *aub_memory_new(const struct aub *aub);
void aub_memory_free(void *memory);
/* Moves to the moment after this many writes; to go back it starts over. False: memory is out. */
bool aub_memory_move(struct aub_memory *memory, uint32_t writes);

/* For an aub_memory, as in struct moment. The bytes stay until memory moves. */
bool aub_memory_run(void *memory, enum gsc_space space, uint64_t address, struct moment_run *run);
/* All of it as pieces, sorted and disjoint. */
bool aub_memory_pieces(struct aub_memory *memory, struct part *part);

/* ---- submissions ----------------------------------------------------------------------------- */

enum aub_way {
	AUB_EXECLIST,			/* by descriptors */
	AUB_COMMANDS,			/* the trace has the commands of the ring */
	AUB_TAIL,			/* through the ring's registers */
};

struct aub_submission {
	const char *engine;		/* "rcs0" */
	unsigned engine_class, engine_instance;
	enum aub_way way;
	uint64_t descriptor[2];		/* AUB_EXECLIST: of the contexts that run, 0 if none */
	uint64_t ring;			/* AUB_COMMANDS: their GGTT address */
	uint32_t ring_bytes;		/* and how many there are */
	uint64_t ring_data;		/* byte of the file where they are */
	uint64_t record, at;		/* the record that submits: its number, its offset */
	uint32_t writes;		/* up to and including it */
};

typedef VEC(struct aub_submission) aub_submission_vec;

/* The index of the first trace among the parts of a source, or NULL. */
const struct aub *source_aub(const struct gsc_source *source);

/* All submissions in order. The view gives the registers. */
enum gsc_status aub_submissions(const struct aub *aub, const struct gsc_view *view,
				aub_submission_vec *found, struct gsc_error *err);

/*
 * The source as it was at the moment of a submission: the trace up to there, and the other parts
 * except live devices. The first source must outlive it.
 */
enum gsc_status aub_source_at(const struct gsc_source *source,
			      const struct aub_submission *submission, struct gsc_source **out,
			      struct gsc_error *err);
/* The same for a submission by its number, as in gsc_gpu_at(). */
enum gsc_status aub_source_of(const struct gsc_source *source, const struct gsc_view *view,
			      uint64_t number, struct gsc_source **moment,
			      struct gsc_submission *submission, struct gsc_error *err);
/* Moves such a source to another moment; going forward costs what was written since. */
enum gsc_status aub_source_move(struct gsc_source *moment,
				const struct aub_submission *submission, struct gsc_error *err);

#endif
