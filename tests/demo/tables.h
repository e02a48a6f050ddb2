/* SPDX-License-Identifier: MIT */
/*
 * Page tables: the global table (GGTT), the two-level per-process tables of Gen6, the four-level
 * ones of Gen8 and later, and the tables of tiled resources. Missing tables that a mapping needs
 * are created.
 */
#ifndef DEMO_TABLES_H
#define DEMO_TABLES_H

#include "machine.h"

/* Entries of 32 bits, Gen6: address bits 39:32 are in 11:4. */
enum {
	GEN6_VALID = 1 << 0,
	GEN6_UNCACHED = 1 << 1,
	GEN6_LLC = 2 << 1,
};

/* Entries of 64 bits, Gen8 and later. The PAT index is bits 7, 4, 3 of a small leaf. */
enum {
	GEN8_PRESENT = 1 << 0,
	GEN8_WRITABLE = 1 << 1,
	GEN8_PAT_0 = 0,
	GEN8_PAT_3 = 3 << 3,		/* uncached, as drivers fill the PAT */
	GEN8_PAT_4 = 1 << 7,		/* write-back */
	GEN8_PDE_2M = 1 << 7,		/* in a directory entry: it maps 2 MB itself */
	GEN8_PDE_64K = 1 << 11,		/* in a directory entry: the table below has 64 KB pages */
};

/*
 * The global table. Only part of it is held; all of that points to one scratch page until it is
 * mapped. `entry` is 4 (Gen6) or 8 bytes.
 */
struct ggtt {
	struct machine *m;
	unsigned entry;
	uint64_t scratch;
};

void ggtt_init(struct ggtt *ggtt, struct machine *m, unsigned entry);
/* The entries of the graphics addresses from `from` to before `to`. */
void ggtt_hold(struct ggtt *ggtt, uint64_t from, uint64_t to);
/* `length` bytes of physical memory in one piece. */
void ggtt_map(struct ggtt *ggtt, uint64_t address, uint64_t physical, uint64_t length,
	      unsigned flags);
/* A new object at an address, its first `held` pages in the capture. */
void ggtt_object(struct ggtt *ggtt, struct object *object, uint64_t address, unsigned pages,
		 unsigned held);

/*
 * Gen6: 2 GB in 512 tables of 1024 pages. The directory is 512 slots of the GGTT's own table, so it
 * occupies graphics addresses: 2 MB of them, from `directory` on.
 */
struct gen6_ppgtt {
	struct ggtt *ggtt;
	uint64_t directory;
};

void gen6_ppgtt_init(struct gen6_ppgtt *ppgtt, struct ggtt *ggtt, uint64_t directory);
void gen6_ppgtt_object(struct gen6_ppgtt *ppgtt, struct object *object, uint64_t address,
		       unsigned pages, unsigned held);
/* The value of PP_DIR_BASE: the directory's place in the table in bytes, times 2^10. */
uint32_t gen6_ppgtt_root(const struct gen6_ppgtt *ppgtt);

/* Gen8: 48 bits, four levels of 512 entries in memory. */
struct gen8_ppgtt {
	struct machine *m;
	uint64_t pml4;
};

void gen8_ppgtt_init(struct gen8_ppgtt *ppgtt, struct machine *m);
void gen8_ppgtt_object(struct gen8_ppgtt *ppgtt, struct object *object, uint64_t address,
		       unsigned pages, unsigned held);
void gen8_ppgtt_map_64k(struct gen8_ppgtt *ppgtt, uint64_t address, uint64_t physical);
void gen8_ppgtt_map_2m(struct gen8_ppgtt *ppgtt, uint64_t address, uint64_t physical);

/*
 * Tiled resources: 44 bits in tiles of 64 KB, three levels that are in the per-process space
 * themselves, one page each, from `address` on. L3 and L2 entries are 64 bits, L1 entries 32.
 */
struct trtt {
	struct gen8_ppgtt *ppgtt;
	uint64_t address;		/* of the L3 table */
	unsigned count;
	struct object tables[8];
};

enum { TRTT_INVALID = 1 << 0, TRTT_NULL = 1 << 1 };	/* in L3 and L2 entries */

void trtt_init(struct trtt *trtt, struct gen8_ppgtt *ppgtt, uint64_t address);
/* `target`: bits 47:16 of a graphics address, or a value that the detection registers know. */
void trtt_set_tile(struct trtt *trtt, uint64_t tile, uint32_t target);
/* Marks all 64 MB, or all 32 GB, around an address at once. */
void trtt_mark_l2(struct trtt *trtt, uint64_t tile, uint64_t flags);
void trtt_mark_l3(struct trtt *trtt, uint64_t tile, uint64_t flags);

#endif
