/* SPDX-License-Identifier: MIT */
/*
 * A device that does not exist: the room device/ of the library with bytes of an input in place of
 * a BAR. Some of its addresses cannot be read, and it may disappear.
 */
#ifndef DRY_H
#define DRY_H

#include "fuzz.h"

#define DRY_MEMORY 0x8000
#define DRY_STORES_MAX 64

struct dry_store {
	enum gsc_space space;
	uint64_t address;
	unsigned size;
};

/* What "live" opens, of which there is one. */
struct dry {
	unsigned platform;
	int id;				/* of PCI */
	unsigned ggtt_entry, entries;
	uint8_t registers[FUZZ_REGISTERS], memory[DRY_MEMORY], table[DRY_MEMORY / 4096 * 8];
	uint8_t config[256];
	uint32_t refuses;		/* MMIO whose number has these bits is asleep, denied or gone */
	unsigned left;			/* accesses until it goes away */
	struct dry_store stores[DRY_STORES_MAX];
	size_t store_count;
};

extern struct dry dry;

#endif
