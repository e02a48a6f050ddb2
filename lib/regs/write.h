/* SPDX-License-Identifier: MIT */
/*
 * A write is a plan (write-plan.c) that is made of accesses and carried out (write-run.c).
 * Registers behind an index or a doorbell are read by such plans, too.
 */
#ifndef GSC_REGS_WRITE_H
#define GSC_REGS_WRITE_H

#include "regs/regs.h"

/* Every bit is in one of the classes; those of `named` have a field. */
struct write_bits {
	uint64_t all, rw, w1c, wo, ro, mbz, mbo, named;
	bool blind;			/* it cannot be read, or reading has side effects */
};

/* A store of value | (there & keep) | (~there & flip). */
struct write_change {
	uint64_t asked;			/* bits that are meant to change */
	uint64_t value, keep, flip;
	uint64_t agreed;		/* reserved bits of a whole value: set if they are now */
	const char *why;		/* why its effect is not visible at once, or NULL */
};

struct write_request {
	enum gsc_write_operation operation;
	uint64_t value;			/* in place: shifted to its field */
	uint64_t scope;			/* bits that are meant */
	bool force;
	bool exact;			/* the scope is known to be right, as for an undo */
};

/* Where what is read goes, and where the bits come from that a store keeps. */
enum write_slot {
	SLOT_NONE,			/* a posting read, whose value does not matter */
	SLOT_OLD, SLOT_BACK,		/* the register, before and after; a store: the change */
	SLOT_INDEX,			/* an index port, which is restored */
	SLOT_MODE,			/* says where the VGA ports are that move */
	WRITE_SLOTS
};

struct write_step {
	struct gsc_write_step access;
	enum write_slot slot;
	unsigned shift;			/* its place in the register */
	uint32_t until;			/* a read that is repeated until these bits are zero */
};

/*
 * The longest plan has 15: a change of a register of the sideband, which needs a message to see it,
 * one to store, one to see it again.
 */
#define WRITE_STEPS 24

struct gsc_write_plan {
	const struct gsc_view *view;
	struct gsc_reg reg;		/* name NULL: nothing is defined there */
	size_t index;			/* in the view, or the count of it */
	uint64_t field;			/* bits of the field that was named; 0: the whole */
	bool alias;			/* a port, by its alias in the register BAR */
	char name[192];
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

/* ---- write-plan.c ---------------------------------------------------------------------------- */

/* GSC_USAGE: the plan's hazard. */
enum gsc_status write_hazard(const struct gsc_write_plan *plan, struct gsc_error *err);

/* A plan that reads an item of such a space: it stores only to index and doorbell. */
enum gsc_status look_plan(struct gsc_write_plan **plan, const struct gsc_view *view,
			  const struct item *item, struct gsc_error *err);

/* ---- write-run.c ----------------------------------------------------------------------------- */

/* This space of a device cannot be read without writing another register. */
bool space_is_indirect(enum gsc_space space);
/* Why it is not read on a device that was not opened for writing. */
const char *indirect_why(enum gsc_space space);
/* Adds the accesses of a plan whose change is settled, or that only looks. */
enum gsc_status write_lay_out(struct gsc_write_plan *plan, struct gsc_error *err);
/* Runs a plan of look_plan(). GSC_GONE: it is busy, and stays so. */
enum gsc_status look_run(struct gsc_write_plan *plan, struct gsc_source *source, uint64_t *value,
			 struct gsc_error *err);

#endif
