/* SPDX-License-Identifier: MIT */
/* Values that were given instead of read: what words (given.c) and pasted lines (paste.c) share. */
#ifndef GSC_GIVEN_H
#define GSC_GIVEN_H

#include "regs/regs.h"

struct given_value {
	uint64_t value;
	reg_vec also;			/* other meanings of the name that decode alike */
};

/* The items of the selection and the values run in parallel. */
struct given {
	const struct gsc_view *view;
	struct gsc_selection *selection;
	VEC(struct given_value) values;
	VEC(char *) notes;
};

/* NULL, or false: memory is out. */
struct given_value *given_add(struct given *g, struct item item, uint64_t value);
/* A row for each definition among them, which names all registers that share it. */
bool given_add_regs(struct given *g, const reg_vec *regs, uint64_t value);

/* The registers that a name or an address means; none is an error. */
enum gsc_status given_resolve(const struct given *g, const struct selector *selector,
			      reg_vec *regs, struct gsc_error *err);

unsigned given_widest(const struct gsc_view *view, const reg_vec *regs);
enum gsc_status given_fit(const struct given *g, const reg_vec *regs, const char *what,
			  uint64_t value, struct gsc_error *err);

/* All of it as rows, or NULL; and frees what is left. */
struct gsc_rows *given_rows(struct given *g);
void given_free(struct given *g);

#endif
