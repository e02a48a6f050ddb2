/* SPDX-License-Identifier: MIT */
/*
 * Fields of commands made ready for a writer: batches have millions of them, so what never changes
 * in how one is written is made once, when the first of its kind comes.
 */
#ifndef GSC_READY_H
#define GSC_READY_H

#include "batch/batch.h"

enum ready_kind { READY_FLAG, READY_TABLE, READY_NUMBER, READY_ADDRESS, READY_HEX, READY_OTHER };

struct ready_text {
	const char *text;
	uint32_t length;
	char *own;			/* the text, if it was made for this table */
};

struct ready_field {
	const struct plan_field *plan;
	uint16_t dword;			/* as in the plan: all that is looked at lies together */
	uint8_t kind;			/* enum ready_kind */
	bool quiet;			/* not worth a line while it is zero */
	uint32_t lead_length;
	char *lead;			/* before the value; LEAD_BLOCK bytes are readable */
	struct ready_text *table;
};

/* The fields of a command, or of a group that repeats in it. */
struct ready {
	const struct plan_fields *plan;
	struct ready_field *fields;
};

/* Writes what stands in front of a value; there is room for READY_LEAD_ROOM and the name. */
typedef char *ready_lead_fn(char *at, const struct plan_field *f);
/* Turns the name of a value into how it is written; freed with free(). NULL: memory is out. */
typedef char *ready_value_fn(const char *name);

#define READY_LEAD_ROOM 96
/* Leads up to this long, which most are, are copied as one block. */
#define LEAD_BLOCK 64u

struct ready_set {
	struct gsc_out *out;
	ready_lead_fn *lead;
	ready_value_fn *value;		/* NULL: as it is */
	VEC(struct ready) ready;	/* place: plan_fields.number */
};

/* What a field of kind READY_ADDRESS means: graphics addresses without their sign. */
static inline uint64_t ready_address(const struct ready_field *r, uint64_t value)
{
	uint64_t address = value << r->plan->form->shift;

	return r->plan->form->type == F_ADDRESS ? plain_address(address) : address;
}

/* NULL if memory is out: the output has that error then. */
const struct ready *ready_get(struct ready_set *set, const struct layer *l,
			      const struct plan_fields *plan);
/* The fields of a known command, and *plan; NULL, too, if the command is not known. */
const struct ready *ready_command(struct ready_set *set, struct gsc_commands *commands,
				  const struct gsc_command *c, const struct plan **plan);
void ready_free(struct ready_set *set);

#endif
