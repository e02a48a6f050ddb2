/* SPDX-License-Identifier: MIT */
/*
 * What the registers of a ring say, by their definitions, and the arithmetic on them: for rings of
 * engines, of contexts' images and of dumps, whether read, shown or written. It is in this room
 * because no lower one knows rings: regs/ knows single registers, gtt/ knows no commands.
 */
#ifndef GSC_BATCH_RING_H
#define GSC_BATCH_RING_H

#include "db/view.h"

enum ring_register { RING_START, RING_CONTROL, RING_HEAD, RING_TAIL, RING_REGISTERS };

struct ring {
	uint64_t start;			/* a graphics address in the global table */
	uint64_t bytes;			/* 0: unknown */
	uint64_t head, tail;		/* offsets */
	uint64_t wraps;
	uint64_t used, free;		/* bytes */
	bool enabled;
	bool requested;			/* not HEAD, but where the request that it is in begins */
};

const char *ring_register_name(enum ring_register which);
/* The ring of an engine; false: the platform has none. */
bool ring_find(const struct gsc_view *view, const char *engine, enum ring_register which,
	       struct gsc_reg *reg);
/* Computes used and free from the rest. False: a pointer lies outside the ring. */
bool ring_measure(struct ring *ring);
/*
 * All of it from the values of an engine's registers; NULL: unknown, the ring keeps what it has.
 * True: used and free are known.
 */
bool ring_of_registers(struct ring *ring, const struct gsc_view *view, const char *engine,
		       const uint64_t *const values[RING_REGISTERS]);

#endif
