/* SPDX-License-Identifier: MIT */
/*
 * What one command points to: bases.c knows what offsets count from, state.c reads structures and
 * what they point to in turn, kernel.c finds where programs end.
 */
#ifndef GSC_STATE_H
#define GSC_STATE_H

#include "batch/follow.h"

/* Structures and kernels of one command: more than any command has, few enough to search. */
#define STATES_MAX 1024u

/* One that has been shown. */
struct told {
	uint64_t address;
	uint32_t id;			/* definition, or KERNEL_ID */
};

#define KERNEL_ID UINT32_MAX

struct look {
	struct follower *f;
	const struct gsc_run *run;
	const struct bases *bases;
	const struct gsc_command *command;
	struct gsc_platform platform;
	VEC(struct told) told;
};

/* A field that points, within the dwords that it belongs to. */
struct pointing {
	const struct layer *layer;
	const struct plan *plan;	/* the item, for what holds for all of it */
	const struct plan_fields *fields;
	const struct plan_field *field;
	const struct b_pointer *how;
	const uint32_t *words;
	size_t count;
};

/* Where something is, and the first address that may not be accessed. */
struct state_address {
	uint64_t address, limit;
	const char *base;		/* "dynamic", or NULL */
};

/* False if it cannot be known: `problem` says why. */
bool bases_place(const struct look *look, enum base base, uint64_t value,
		 struct state_address *place, char *problem, size_t size);

/* The number in a field, scaled. */
uint64_t plan_meaning(const struct plan_field *f, const uint32_t *words, size_t count);

/* False the second time, and beyond the limit of one command. */
bool look_once(struct look *look, uint32_t id, uint64_t address);

/* A kernel of a stage. False if the listener wants no more. */
bool kernel_tell(struct look *look, const struct pointing *p, const char *stage);

#endif
