/* SPDX-License-Identifier: MIT */
/* What the scenarios of Gen8 and later share: requests in a ring, state commands, cache tables. */
#ifndef DEMO_GEN8_H
#define DEMO_GEN8_H

#include "emit.h"

/* Where the request numbers are in a status page. */
#define SEQNO_OFFSET 0x100

/*
 * Requests as drivers put them into rings: run a batch, flush, write the number to a GGTT address,
 * interrupt. They return the ring offset after MI_BATCH_BUFFER_START.
 */
uint32_t gen8_render_request(struct emitter *ring, uint64_t batch, uint32_t seqno_address,
			     uint32_t seqno);
uint32_t gen8_copy_request(struct emitter *ring, uint64_t batch, uint32_t seqno_address,
			   uint32_t seqno);

/* All bases of state, on Gen9 or Gen11; `mocs` is an index. */
void gen8_state_base_address(struct emitter *e, unsigned gen, uint64_t surface, uint64_t dynamic,
			     uint64_t instructions, uint32_t mocs);
void gen8_vertex_buffer(struct emitter *e, unsigned index, uint64_t address, uint32_t size,
			uint32_t pitch, uint32_t mocs);
uint32_t gen8_draw(struct emitter *e, enum topology topology, uint32_t vertices);
/* PIPE_CONTROL with an address for its write. */
uint32_t gen8_pipe_control(struct emitter *e, uint32_t flags, uint64_t address, uint32_t data);
void gen8_store(struct emitter *e, uint64_t address, uint32_t data);

/* An entry of the tables of memory object control: LLC and eLLC in `control`, L3 in `l3`. */
struct mocs {
	unsigned first, last;
	uint32_t control;
	uint16_t l3;
};

enum {
	LE_PAGE_TABLE = 0, LE_UNCACHED = 1, LE_WRITE_BACK = 3,
	LE_TARGET_LLC = 1 << 2, LE_TARGET_LLC_ELLC = 2 << 2,
	LE_AGE_0 = 1 << 4, LE_AGE_KEEP = 2 << 4, LE_AGE_3 = 3 << 4,
	LE_NO_ALLOCATE = 1 << 6,
	LE_REVERSE_SKIP = 1 << 7,
	LE_SKIP_HALF = 1 << 8, LE_SKIP_QUARTER = 3 << 8, LE_SKIP_EIGHTH = 7 << 8,
	LE_BYPASS = 1 << 14,
	LE_SELF_SNOOP = 3 << 17,
	L3_UNCACHED = 1 << 4, L3_WRITE_BACK = 3 << 4,
};

/* Into the tables of the engines at `bases`, 64 registers each, and of the L3, two entries each. */
void mocs_registers(struct machine *m, const uint32_t *bases, size_t base_count,
		    const struct mocs *entries, size_t count);

#endif
