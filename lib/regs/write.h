/* SPDX-License-Identifier: MIT */
/*
 * A write is a plan (write-plan.c) that is made of accesses and carried out (write-run.c).
 * Registers behind an index or a doorbell are read by such plans, too.
 */
#ifndef GSC_REGS_WRITE_H
#define GSC_REGS_WRITE_H

#include "regs/regs.h"

/*
 * Writing is refused unless gsc_source_options.write was set; without it no part of a device is
 * mapped writable. Dumps are never written to.
 */
enum gsc_write_operation { GSC_WRITE_SET, GSC_WRITE_OR, GSC_WRITE_AND, GSC_WRITE_XOR };

/*
 * A write. `target` is NAME, NAME:FIELD, NAME[3], rcs0.NAME, 0xADDR or, for an entry of the GGTT,
 * ggtt:0xBYTE; PREFIX:NAME and PREFIX:0xADDR for VGA, MCHBAR and sideband. The value of a masked
 * register is its 16 bits, or these with the mask in bits 31:16.
 */
struct gsc_write {
	const char *target;
	enum gsc_write_operation operation;
	uint64_t value;
	bool force;			/* write even if the access is hazardous */
};

/*
 * An access that is part of a write. A store has the value
 * value | (there & keep) | (~there & flip), where `there` is the result of the reads before it.
 */
struct gsc_write_step {
	bool write;
	enum gsc_space space;
	uint64_t address;
	unsigned size;			/* bytes */
	bool known;			/* it depends on no read: `value` is complete */
	uint64_t value;
	uint64_t keep;			/* bits that are written back unchanged */
	uint64_t flip;			/* bits that are written inverted */
	const char *why;		/* what the access is for: "posting read", ...; or NULL */
};

/* The result of a write. */
struct gsc_written {
	char name[192];			/* "rcs0.MI_MODE", "rcs0.MI_MODE:STOP_RINGS", "0x209c" */
	struct gsc_reg reg;		/* name NULL: none is defined there */
	uint64_t old, value, back;	/* the register before, as written, and afterwards */
	bool has_old, has_back;		/* false: it cannot be read */
	bool bar_alias;			/* a port was written through its alias in the BAR */
	bool stored;			/* something was stored, whether or not it arrived */
	bool forced;
	uint64_t bits;			/* the bits to be written */
	uint64_t lost;			/* those of them that read back with another value */
	uint64_t changed;		/* undo only: bits that have changed since the write */
	int64_t time;			/* nanoseconds since 1970 */
};

/*
 * The accesses of a write, computed from the definition: masks of masked registers, no
 * read-modify-write of bits that a write of 1 clears, reserved bits kept, posting reads. It refuses
 * read-only and unknown registers, values that do not fit, names of several registers (which the
 * error lists), and hazards without `force`. If a hazard is the only objection, there is a plan for
 * display, with GSC_USAGE, which gsc_write_run() refuses. Nothing is accessed. The GPU must outlive
 * the plan.
 */
struct gsc_write_plan;
GSC_API enum gsc_status gsc_write_plan_new(struct gsc_write_plan **plan,
					   const struct gsc_gpu *gpu,
					   const struct gsc_write *write, struct gsc_error *err);
GSC_API void gsc_write_plan_free(struct gsc_write_plan *plan);
GSC_API const char *gsc_write_plan_name(const struct gsc_write_plan *plan);
GSC_API bool gsc_write_step_at(const struct gsc_write_plan *plan, size_t i,
			       struct gsc_write_step *step);

/* How a plan is run. Options that are all zero are the defaults. */
struct gsc_write_options {
	bool insist;			/* undo even if the value has changed since */
	/* Called before the first store; unless it returns GSC_OK, nothing is stored. */
	enum gsc_status (*before)(void *context, const struct gsc_written *written,
				  struct gsc_error *err);
	void *context;
};

/*
 * Runs a plan on a GPU of its platform, with forcewake held from the first access to the last.
 * GSC_PARTIAL: the value is written, but could not be read back, or reads back changed (`lost`).
 * GSC_USAGE with `changed`: this is an undo, and the value has changed since the write. GSC_GONE
 * with written->stored: the device disappeared meanwhile, so it is unknown whether the value was
 * written. After any other failure nothing is written.
 */
GSC_API enum gsc_status gsc_write_run(struct gsc_write_plan *plan, const struct gsc_gpu *gpu,
				      const struct gsc_write_options *options,
				      struct gsc_written *written, struct gsc_error *err);
/*
 * Makes a plan that restores the old value. GSC_USAGE: that is impossible; the error says why.
 * GSC_PARTIAL: there is a plan, but it cannot restore some bits; the error names them.
 */
GSC_API enum gsc_status gsc_write_undo(struct gsc_write_plan **plan, const struct gsc_gpu *gpu,
				       const struct gsc_written *written, struct gsc_error *err);

/* ---- reads behind an index or a doorbell ---------------------------------------------------- */

/*
 * The accesses that gsc_rows_read() makes for registers behind an index or a doorbell, for display:
 * those of the first register of a selection that needs any, from number *item on, which then moves
 * past it. *plan is NULL if there are no more.
 */
GSC_API enum gsc_status gsc_read_plan_new(struct gsc_write_plan **plan,
					  const struct gsc_selection *selection, size_t *item,
					  struct gsc_error *err);
/* Why such a plan does not read a device that was not opened for writing. */
GSC_API const char *gsc_read_plan_why(const struct gsc_write_plan *plan);

/* ---- the inside of a plan ------------------------------------------------------------------- */

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

/* ---- making plans ---------------------------------------------------------------------------- */

/* GSC_USAGE: the plan's hazard. */
enum gsc_status write_hazard(const struct gsc_write_plan *plan, struct gsc_error *err);

/* A plan that reads an item of such a space: it stores only to index and doorbell. */
enum gsc_status look_plan(struct gsc_write_plan **plan, const struct gsc_view *view,
			  const struct item *item, struct gsc_error *err);

/* ---- running plans --------------------------------------------------------------------------- */

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
