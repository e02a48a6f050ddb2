/* SPDX-License-Identifier: MIT */
/* A table of records, or of runs of them, each stored once. */
#ifndef GSC_POOL_H
#define GSC_POOL_H

#include "db/blob.h"
#include "util/util.h"

struct pool {
	size_t size;			/* of a record, without unused bytes */
	VEC(uint8_t) bytes;
	VEC(struct b_slice) runs;
	uint32_t *slots;		/* hash of runs: places from 1 on, 0 free */
	size_t slot_count;
	bool failed;			/* memory is out */
};

/* The place of the first such record of a run of them; 0 if there is none. */
uint32_t pool_add(struct pool *p, const void *records, uint32_t count);
size_t pool_count(const struct pool *p);
void pool_free(struct pool *p);

#endif
