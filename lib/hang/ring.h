/* SPDX-License-Identifier: MIT */
/* The arithmetic of rings, of engines and of images. */
#ifndef GSC_HANG_RING_H
#define GSC_HANG_RING_H

#include "db/view.h"
#include "gpuscope.h"

struct hang_ring {
	uint64_t bytes;			/* 0: not known */
	uint64_t head, tail;		/* offsets */
	uint64_t wraps;
	uint64_t used, free;		/* bytes */
	bool enabled;
};

/* used and free from the rest. False: a pointer lies outside of the ring. */
bool ring_measure(struct hang_ring *ring);
/*
 * The whole from the values of an engine's registers, by their fields; NULL: not known. Without
 * RING_BUFFER_CONTROL the length is the one that the ring has. True: used and free are known.
 */
bool ring_of_registers(struct hang_ring *ring, const struct gsc_view *view, const char *engine,
		       const uint64_t *control, const uint64_t *head, const uint64_t *tail);

#endif
