/* SPDX-License-Identifier: MIT */
/*
 * Fields of commands, prepared for a writer. Batches have millions of them: what precedes a value
 * is made once, and the text of a value that will come again is kept.
 */
#ifndef GSC_READY_H
#define GSC_READY_H

#include "batch/batch.h"

#include <string.h>

enum ready_kind { READY_NUMBER, READY_ADDRESS, READY_HEX, READY_OTHER };

/* The text written for a value: where it is in ready_set.kept. Length 0: nothing is kept. */
struct ready_piece {
	uint32_t at, length;
};

struct ready_field {
	const struct plan_field *plan;
	uint16_t dword;			/* as in the plan: everything used is kept together */
	uint8_t lo;
	uint8_t kind;			/* enum ready_kind */
	uint32_t mask;			/* of a field that lies in one dword; or 0 */
	bool quiet;			/* not worth a line while it is zero */
	bool conditional;
	uint32_t lead_length;
	char *lead;			/* before the value; READY_BLOCK bytes are readable */
	struct ready_piece *pieces;	/* by value; NULL: none is kept */
};

/* The fields of a command, or of a group that repeats in it. */
struct ready {
	const struct plan_fields *plan;
	struct ready_field *fields;
};

/* Writes what precedes a value; there is room for READY_BLOCK and the name. */
typedef char *ready_lead_fn(char *at, const struct plan_field *f);

/* Shorter text, as nearly all is, is copied as one block: there must be room for it. */
#define READY_BLOCK 96u

struct ready_set {
	struct gsc_out *out;
	ready_lead_fn *lead;
	VEC(struct ready) ready;	/* place: plan_fields.number */
	VEC(char) kept;			/* close together, to stay in the cache */
};

static inline char *ready_put(char *at, const char *text, size_t length)
{
	if (length > READY_BLOCK)
		memcpy(at, text, length);
	else
		memcpy(at, text, READY_BLOCK);
	return at + length;
}

/* plan_value() of a field whose first dword is there. */
static inline uint64_t ready_value(const struct ready_field *r, const uint32_t *words, size_t count)
{
	return r->mask ? words[r->dword] >> r->lo & r->mask : plan_value(r->plan, words, count);
}

/* The text written for this value, or NULL; READY_BLOCK bytes are readable. */
static inline const char *ready_kept(const struct ready_set *set, const struct ready_field *r,
				     uint64_t value, size_t *length)
{
	if (!r->pieces || !r->pieces[value].length)
		return NULL;
	*length = r->pieces[value].length;
	return set->kept.items + r->pieces[value].at;
}

/* Keeps the text written for a value; `named`: by a name. */
void ready_keep(struct ready_set *set, const struct ready_field *r, uint64_t value, bool named,
		const char *text, size_t length);

/* The meaning of a field of kind READY_ADDRESS: graphics addresses without their sign. */
static inline uint64_t ready_address(const struct ready_field *r, uint64_t value)
{
	uint64_t address = value << r->plan->form->shift;

	return r->plan->form->type == F_ADDRESS ? plain_address(address) : address;
}

/* NULL if memory is out: the output then has that error. */
const struct ready *ready_get(struct ready_set *set, const struct plan_fields *plan);
/* The fields of a known command, and *plan; also NULL if the command is unknown. */
const struct ready *ready_command(struct ready_set *set, struct gsc_commands *commands,
				  const struct gsc_command *c, const struct plan **plan);
void ready_free(struct ready_set *set);

#endif
