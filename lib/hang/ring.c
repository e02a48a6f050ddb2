/* SPDX-License-Identifier: MIT */
#include "hang/ring.h"

#include <string.h>

#define PAGE 4096
/* A queue entry is a qword, and a full ring must not look like an empty one. */
#define GAP 8

static uint64_t field_of(const struct gsc_view *view, const char *engine, const char *name,
			 uint64_t value, const char *wanted)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_reg reg;

	if (!view_find(view, engine, name, -1, &reg))
		return 0;
	gsc_reg_fields(view, &reg, value, &it);
	while (gsc_field_next(&it, &field))
		if (!strcmp(field.name, wanted))
			return field.value;
	return 0;
}

bool ring_measure(struct hang_ring *ring)
{
	if (ring->head >= ring->bytes || ring->tail >= ring->bytes)
		return false;
	ring->used = (ring->tail + ring->bytes - ring->head) % ring->bytes;
	ring->free = ring->used + GAP < ring->bytes ? ring->bytes - GAP - ring->used : 0;
	return true;
}

bool ring_of_registers(struct hang_ring *ring, const struct gsc_view *view, const char *engine,
		       const uint64_t *control, const uint64_t *head, const uint64_t *tail)
{
	if (control) {
		ring->bytes = (field_of(view, engine, "RING_BUFFER_CONTROL", *control,
					"BUFFER_LENGTH") + 1) * PAGE;
		ring->enabled = field_of(view, engine, "RING_BUFFER_CONTROL", *control,
					 "RING_BUFFER_ENABLE");
	}
	if (head) {
		ring->head = field_of(view, engine, "RING_BUFFER_HEAD", *head, "HEAD_OFFSET") << 2;
		ring->wraps = field_of(view, engine, "RING_BUFFER_HEAD", *head, "WRAP_COUNT");
	}
	if (tail)
		ring->tail = field_of(view, engine, "RING_BUFFER_TAIL", *tail, "TAIL_OFFSET") << 3;
	return head && tail && ring_measure(ring);
}
