/* SPDX-License-Identifier: MIT */
/* Single values as text dumps give them, gathered into the pieces of a part. */
#ifndef GSC_VALUES_H
#define GSC_VALUES_H

#include "source/source.h"

struct value {
	uint64_t address, value;
	size_t order;
	uint8_t space, status, size;
};

typedef VEC(struct value) value_vec;

/* A value after which an address space would end is no value: false, as when memory is out. */
bool values_add(value_vec *values, enum gsc_space space, uint64_t address, unsigned size,
		enum gsc_read status, uint64_t value);

/* Adds them to the part, the last of an address on top. Empties the list. */
bool values_store(value_vec *values, struct part *part);

#endif
