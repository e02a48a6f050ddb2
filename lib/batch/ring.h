/* SPDX-License-Identifier: MIT */
/*
 * What the registers of a ring say, by their definitions, and the arithmetic of it: for rings of
 * engines, of contexts' images and of dumps, read, shown or written. It is here because no lower
 * room knows rings: regs/ knows registers one by one, gtt/ no commands.
 */
#ifndef GSC_BATCH_RING_H
#define GSC_BATCH_RING_H

#include "db/view.h"
#include "gpuscope.h"

enum ring_register { RING_START, RING_CONTROL, RING_HEAD, RING_TAIL, RING_REGISTERS };

struct ring {
	uint64_t start;			/* graphics address, of the global table */
	uint64_t bytes;			/* 0: not known */
	uint64_t head, tail;		/* offsets */
	uint64_t wraps;
	uint64_t used, free;		/* bytes */
	bool enabled;
};

const char *ring_register_name(enum ring_register which);
/* That of an engine; false: the platform has none. */
bool ring_find(const struct gsc_view *view, const char *engine, enum ring_register which,
	       struct gsc_reg *reg);
/* used and free from the rest. False: a pointer lies outside of the ring. */
bool ring_measure(struct ring *ring);
/*
 * The whole from the values of an engine's registers; NULL: not known, the ring keeps what it has.
 * True: used and free are known.
 */
bool ring_of_registers(struct ring *ring, const struct gsc_view *view, const char *engine,
		       const uint64_t *const values[RING_REGISTERS]);

#endif
