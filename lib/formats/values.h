/* SPDX-License-Identifier: MIT */
/* Single values from text dumps, gathered into the pieces of a part; lines without one. */
#ifndef GSC_VALUES_H
#define GSC_VALUES_H

#include "source/part.h"
#include "util/text.h"

struct value {
	uint64_t address, value;
	size_t order;
	const char *name;		/* in the dump's text, or NULL */
	uint16_t name_length;
	uint8_t space, status, size;
	bool row;			/* one of several in a line */
};

typedef VEC(struct value) value_vec;

/*
 * A value that would extend past the end of an address space is rejected: false, as on allocation
 * failure.
 */
bool values_add(value_vec *values, enum gsc_space space, uint64_t address, unsigned size,
		enum gsc_read status, uint64_t value);

/* What the dump calls the value added last. */
void values_name(value_vec *values, struct slice name);

/*
 * Adds them to the part, and to what it lists; the last of an address wins. Frees the list; with
 * `done` false it does no more: memory is out.
 */
enum gsc_status values_end(value_vec *values, struct part *part, bool done, struct gsc_error *err);

/* Lines of one kind that were left out, for one note. */
struct left_out {
	size_t count, line, at;		/* of the first: its line; its byte in a driver's dump */
};

static inline void leave_out(struct left_out *left, size_t line)
{
	if (!left->count++)
		left->line = line;
}

void note_left_out(struct gsc_source *source, const struct part *part, const struct left_out *left,
		   const char *what);

/* Whether the data are text and have such a line. */
bool any_line(const uint8_t *data, size_t size, bool (*is)(struct slice line));

#endif
