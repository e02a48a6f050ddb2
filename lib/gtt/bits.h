/* SPDX-License-Identifier: MIT */
/* Compares 64 adjacent entries of 64 bits, as well as the processor can. */
#ifndef GSC_BITS_H
#define GSC_BITS_H

#include "gtt/scan.h"

#define BLOCK_ENTRIES 64

typedef uint64_t __attribute__((aligned(1), may_alias)) packed64;

/* What is true of a block as a whole. */
struct survey {
	uint64_t any, all;		/* bits set in any entry, in all of them */
	uint64_t uneven;		/* 0: each is the previous one plus a step */
};

struct compare {
	struct survey (*survey)(const packed64 *entries, uint64_t keep, uint64_t step);
	/*
	 * The same entry by entry, if they are not all alike; `uneven` is not set. Bit i: entry i
	 * and the previous one, for the first one `before`: equal; one step further.
	 */
	struct survey (*targets)(const packed64 *entries, uint64_t keep, uint64_t step,
				 uint64_t before, uint64_t *equal, uint64_t *linear);
};

const struct compare *compare_functions(void);

#endif
