/* SPDX-License-Identifier: MIT */
/*
 * Which pages of a device's memory, or of a dump of all memory, have been read: what an analysis
 * has read is what it needs to run again elsewhere.
 */
#ifndef GSC_RECORD_H
#define GSC_RECORD_H

#include "source/source.h"

#define RECORD_PAGE 4096u

struct record {
	uint64_t *buckets;		/* page number << 1 | local, + 1; 0 is empty */
	size_t room, count;
	size_t most;			/* pages; 0: any number */
	size_t over;			/* reads for which there was no room */
	bool paused;
	bool dump;			/* not from a device */
};

/* Memory of spaces other than GSC_PHYS and GSC_LMEM is not recorded. */
void record_note(struct record *record, enum gsc_space space, uint64_t address, size_t size);
/* Stretches of neighbouring pages, in order, of one space; false: memory is out. */
bool record_stretches(const struct record *record, enum gsc_space space, memory_vec *out);
void record_free(struct record *record);

#endif
