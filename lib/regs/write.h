/* SPDX-License-Identifier: MIT */
/* What the files that make writes share: target, bits, plan. */
#ifndef GSC_REGS_WRITE_H
#define GSC_REGS_WRITE_H

#include "regs/regs.h"

/* ---- write-target.c: what is to be written --------------------------------------------------- */

struct write_target {
	const struct gsc_view *view;
	struct gsc_reg reg;		/* name NULL: nothing is defined there */
	size_t index;			/* in the view, or the count of it */
	uint64_t field;			/* bits of the field that was named; 0: the whole */
	bool alias;			/* a port, by its alias in the register BAR */
	char name[192];
};

enum gsc_status write_target_find(struct write_target *target, const struct gsc_view *view,
				  const char *text, bool force, struct gsc_error *err);
/* The target of an executed write; false if the view does not have it. */
bool write_target_again(struct write_target *target, const struct gsc_view *view,
			const struct gsc_written *written);
/* Why these bits of it must not simply be written, or NULL. */
const char *write_target_hazard(const struct write_target *target, uint64_t bits);

/* ---- write-bits.c: what a write does to each bit --------------------------------------------- */

/* Every bit is in one of the classes; those of `named` have a field. */
struct write_bits {
	uint64_t all, rw, w1c, wo, ro, mbz, mbo, named;
	bool blind;			/* it cannot be read, or reading has side effects */
};

struct write_request {
	enum gsc_write_operation operation;
	uint64_t value;			/* in place: shifted to its field */
	uint64_t scope;			/* bits that are meant */
	bool force;
	bool exact;			/* the scope is known to be right, as for an undo */
};

/* A store of value | (there & keep) | (~there & flip). */
struct write_change {
	uint64_t asked;			/* bits that are meant to change */
	uint64_t value, keep, flip;
	uint64_t agreed;		/* reserved bits of a whole value: set if they are now */
	const char *why;		/* why its effect is not visible at once, or NULL */
};

static inline bool is_masked(const struct gsc_reg *reg)
{
	return reg->access & GSC_MASKED;
}

static inline uint64_t bits_below(unsigned count)
{
	return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

void write_bits_of(struct write_bits *bits, const struct write_target *target, bool force);
enum gsc_status write_change_make(struct write_change *change, const struct write_target *target,
				  const struct write_bits *bits,
				  const struct write_request *request, struct gsc_error *err);
/* The names of the fields with bits of a mask, or the mask. */
const char *write_bits_names(const struct write_target *target, uint64_t mask, char *buf,
			     size_t size);

/* ---- write.c --------------------------------------------------------------------------------- */

/*
 * What a step is for. WRITE_STORE: the change itself. WRITE_PLAIN: any other store, before or after
 * it. WRITE_SAVE: bits that WRITE_PLAIN may keep. WRITE_MODE: says where the steps are that move.
 * WRITE_WAIT: a read, until bits are zero.
 */
enum write_what {
	WRITE_OLD, WRITE_PLAIN, WRITE_STORE, WRITE_POST, WRITE_BACK,
	WRITE_SAVE, WRITE_MODE, WRITE_WAIT
};

struct write_step {
	struct gsc_write_step access;
	enum write_what what;
	unsigned shift;			/* its place in the register */
	bool moves;			/* 0x20 lower, while bit 0 of WRITE_MODE is 0 */
	uint32_t until;			/* WRITE_WAIT: these bits */
	const char *busy;		/* and the message if they stay set */
};

/*
 * The longest plan has 15: a change of a register of the sideband, which needs a message to see it,
 * one to store, one to see it again.
 */
#define WRITE_STEPS 24

struct gsc_write_plan {
	struct write_target target;
	struct write_bits bits;
	struct write_change change;
	bool force;
	const char *hazard;		/* why gsc_write_run() refuses it, or NULL */
	bool careful;			/* an entry that is valid now is not written */
	uint64_t since, left;		/* of an undo: these bits, as the write left them */
	bool look_only;			/* reads a register; no bits, no change */
	struct write_step steps[WRITE_STEPS];
	size_t count;
	size_t looks;			/* this many steps to see what is there; then the change */
	size_t after;			/* from this one on: restoring */
};

/* GSC_USAGE: the plan's hazard. */
enum gsc_status write_hazard(const struct gsc_write_plan *plan, struct gsc_error *err);
struct write_step *write_add_step(struct gsc_write_plan *plan, enum write_what what,
				  uint64_t address, unsigned size);

/* ---- write-run.c ----------------------------------------------------------------------------- */

/* Runs a plan of look_plan(). GSC_GONE: it is busy, and stays so. */
enum gsc_status look_run(struct gsc_write_plan *plan, struct gsc_source *source, uint64_t *value,
			 struct gsc_error *err);

/* ---- indirect.c: registers behind others ----------------------------------------------------- */

/* This space of a device cannot be read without writing another register. */
bool space_is_indirect(enum gsc_space space);
/* Why it is not read on a device that was not opened for writing. */
const char *indirect_why(enum gsc_space space);
enum gsc_status write_lay_out_indirect(struct gsc_write_plan *plan, struct gsc_error *err);
/* A plan that reads an item of such a space: it stores only to index and doorbell. */
enum gsc_status look_plan(struct gsc_write_plan **plan, const struct gsc_view *view,
			  const struct item *item, struct gsc_error *err);

#endif
