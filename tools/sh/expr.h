/* SPDX-License-Identifier: MIT */
/*
 * Expressions: the operators of C, with its precedence, on unsigned numbers of 64 bits. The caller
 * knows what a name means.
 */
#ifndef EXPR_H
#define EXPR_H

#include <gpuscope.h>

#define EXPR_NAME_MAX 256

struct expr_names {
	/*
	 * The value of a name. `left`: the name that it is compared with, or NULL. Not `needed`:
	 * only check whether there is such a name.
	 */
	enum gsc_status (*value)(void *context, const char *name, const char *left, bool needed,
				 uint64_t *value, struct gsc_error *err);
	void *context;
	bool check;			/* names are only checked: *value is not set */
};

/* The whole text. GSC_USAGE: it is no expression, or has no value, such as 1 / 0. */
enum gsc_status expr_value(const char *text, const struct expr_names *names, uint64_t *value,
			   struct gsc_error *err);

/* Operator number `i`, for help and completion; NULL after the last. */
const char *expr_operator(size_t i);

#endif
