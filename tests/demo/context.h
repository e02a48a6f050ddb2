/* SPDX-License-Identifier: MIT */
/*
 * Context images of Gen8 and later, and the descriptors that name them. An image begins with the
 * context's own status page; the next page has lists of MI_LOAD_REGISTER_IMM that load the engine's
 * registers when the context starts to run.
 */
#ifndef DEMO_CONTEXT_H
#define DEMO_CONTEXT_H

#include "emit.h"

#define CONTEXT_STATE PAGE_SIZE		/* offset of the lists */

/* Of a context descriptor: valid, legacy 48-bit tables, per-process tables in use. */
#define DESCRIPTOR(image) ((uint32_t)(image) | 1 << 8 | 3 << 3 | 1 << 0)

enum context_engine { CLASS_RENDER, CLASS_VIDEO, CLASS_VIDEO_ENHANCE, CLASS_COPY };

/* The upper half of a descriptor on Gen11: software's numbers, and the engine that it is for. */
static inline uint32_t gen11_descriptor_high(enum context_engine class, uint32_t instance,
					     uint32_t context, uint32_t counter)
{
	return (uint32_t)class << 29 | counter << 23 | instance << 16 | context << 5;
}

/* What an image should contain. */
struct context {
	unsigned gen;			/* 9 or 11 */
	uint32_t base;			/* of the engine; render, at 2000h, has its own lists */
	const struct emitter *ring;	/* its tail is where the driver has set it */
	uint32_t head;			/* from the last switch: the engine is ahead of its image */
	uint64_t pml4;
	uint32_t run_time, power;	/* CTX_TIMESTAMP, R_PWR_CLK_STATE */
};

void context_write(struct object *image, const struct context *context);

/* What has happened to contexts: bits, and the upper half of the context's descriptor. */
struct context_event {
	uint32_t status, context;
};

enum {
	IDLE_TO_ACTIVE = 1 << 0,
	ACTIVE_TO_IDLE = 1 << 3,
	CONTEXT_COMPLETE = 1 << 4,
	LITE_RESTORE = 1 << 15,		/* the running context got a new tail */
};

/* At most six, into the engine's registers and its status page; the driver has read them all. */
void context_events(struct object *status, unsigned gen, uint32_t base,
		    const struct context_event *events, size_t count);

#endif
