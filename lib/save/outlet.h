/* SPDX-License-Identifier: MIT */
/* Where saved data goes: small writes are gathered, and the first failure is kept. */
#ifndef GSC_SAVE_OUTLET_H
#define GSC_SAVE_OUTLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outlet {
	int fd, error;			/* errno of the first failure, never 0 then */
	size_t used;
	uint8_t buffer[64u << 10];
};

/* All return false from a failure on. The context is the outlet: packers call it. */
bool outlet_write(void *context, const void *data, size_t size);
/* This many zeros: a hole, if possible. */
bool outlet_zeros(void *context, uint64_t size);
bool outlet_flush(struct outlet *outlet);

#endif
