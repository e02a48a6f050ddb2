/* SPDX-License-Identifier: MIT */
/* Fields of registers, commands, structures and entries: their values, and what they mean. */
#ifndef GSC_DB_FIELD_H
#define GSC_DB_FIELD_H

#include "db/platform.h"

struct gsc_view;

/* What a field is, besides a number. */
enum gsc_field_flag {
	GSC_FIELD_MBZ = 1 << 0,
	GSC_FIELD_MBO = 1 << 1,
	GSC_FIELD_IGNORED = 1 << 2,	/* the hardware ignores it */
	GSC_FIELD_OVERLAY = 1 << 3,	/* another meaning of bits that have one already */
};

/* A field of a register, command, structure or page-table entry. */
struct gsc_field {
	const char *name, *doc;
	unsigned dword, hi, lo;		/* bits count from the start of that dword */
	unsigned access;		/* 0: that of the register */
	unsigned flags;
	uint64_t platforms;		/* those that have this field */
	struct gsc_revisions revisions;
	uint64_t value;			/* raw, right-justified */
	const char *text;		/* its meaning, or NULL; lives until the next call */
	const char *problem;		/* why the value is not allowed, or NULL */
};

/* A position in a list of fields. It is begun by gsc_reg_fields() or gsc_item_fields(). */
struct gsc_field_iter {
	const struct gsc_view *view;
	const void *blob;
	uint32_t next, end;
	unsigned bits;
	const uint32_t *words;
	size_t count;
	uint64_t value;
	uint32_t first;
	char text[128];
};

/*
 * The next field, highest bits first; false past the last. Its text is valid until the next call.
 */
GSC_API bool gsc_field_next(struct gsc_field_iter *it, struct gsc_field *field);

/* A documented value of a field, or a range of values. */
struct gsc_value {
	uint64_t lo, hi;
	const char *name, *doc;
};

/* Documented value number `i` of the field that gsc_field_next() gave last; false past the last. */
GSC_API bool gsc_field_value(const struct gsc_field_iter *it, size_t i, struct gsc_value *value);

/* How a definition says to interpret the bits of a field. */
struct gsc_form {
	const char *type;		/* hex dec bool signed float ufixed sfixed */
	const char *address;		/* the space that the address is in: "ggtt", or NULL */
	unsigned fraction;		/* bits of a fixed-point number */
	unsigned shift;			/* quantity: ((value + add) << shift) * multiply / divide */
	uint32_t add, multiply, divide;
	const char *unit, *join, *target;	/* or NULL */
	const char *to;			/* compacted instructions: the bits that it stands for */
	const char *when;		/* the field that must be when_value, or NULL */
	uint64_t when_value;
	const char *when_list;		/* "1|4..7": one of these, the bits of when_value */
	bool when_not;			/* it must have any other value */
	/* Only with a target: */
	const char *base;		/* base of the value: "dynamic", or NULL */
	struct gsc_amount {		/* the quantity of a field, or 1, times a number; or 0 */
		const char *field;
		uint32_t number;
	} count, most;
	bool in_bytes;			/* the count is in bytes */
	const char *last;		/* the field with the address of the last byte, or NULL */
	const char *only;		/* the field that must be only_value, or NULL */
	uint64_t only_value;
	bool only_not;			/* it must have any other value */
};

/* How to interpret the field that gsc_field_next() gave last. */
GSC_API void gsc_field_form(const struct gsc_field_iter *it, struct gsc_form *form);

#endif
