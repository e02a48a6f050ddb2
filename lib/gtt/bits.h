/* SPDX-License-Identifier: MIT */
/* Comparing 64 entries of 64 bits that stand side by side, by what the processor can. */
#ifndef GSC_BITS_H
#define GSC_BITS_H

#include "gtt/scan.h"

#define BLOCK_ENTRIES 64

typedef uint64_t __attribute__((aligned(1), may_alias)) packed64;

/* What holds of a block as a whole. */
struct survey {
	uint64_t any, all;		/* bits set in any entry, in all of them */
	uint64_t uneven;		/* 0: each is the one before plus a step */
};

struct compare {
	struct survey (*survey)(const packed64 *entries, uint64_t keep, uint64_t step);
	/*
	 * The same entry by entry, where they are not all alike; `uneven` is not told. Bit i: of
	 * entry i and the one before, of the first `before`: equal; a step further.
	 */
	struct survey (*targets)(const packed64 *entries, uint64_t keep, uint64_t step,
				 uint64_t before, uint64_t *equal, uint64_t *linear);
};

const struct compare *compare_functions(void);

#endif
