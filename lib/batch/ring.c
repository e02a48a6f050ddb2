/* SPDX-License-Identifier: MIT */
/* Rings: what their four registers add up to. */
#include "batch/ring.h"

#include <string.h>

/* A queue entry is a qword, and a full ring must not look like an empty one. */
#define GAP 8

const char *ring_register_name(enum ring_register which)
{
	static const char *const names[RING_REGISTERS] = {
		[RING_START] = "RING_BUFFER_START",
		[RING_CONTROL] = "RING_BUFFER_CONTROL",
		[RING_HEAD] = "RING_BUFFER_HEAD",
		[RING_TAIL] = "RING_BUFFER_TAIL",
	};

	return names[which];
}

bool ring_find(const struct gsc_view *view, const char *engine, enum ring_register which,
	       struct gsc_reg *reg)
{
	return view_find(view, engine, ring_register_name(which), -1, reg);
}

bool ring_measure(struct ring *ring)
{
	if (ring->head >= ring->bytes || ring->tail >= ring->bytes)
		return false;
	ring->used = (ring->tail + ring->bytes - ring->head) % ring->bytes;
	ring->free = ring->used + GAP < ring->bytes ? ring->bytes - GAP - ring->used : 0;
	return true;
}

bool ring_of_registers(struct ring *ring, const struct gsc_view *view, const char *engine,
		       const uint64_t *const values[RING_REGISTERS])
{
	uint64_t enabled = ring->enabled;
	const struct {
		enum ring_register which;
		const char *field;
		uint64_t *meaning;
	} parts[] = {
		{ RING_START, "STARTING_ADDRESS", &ring->start },
		{ RING_CONTROL, "BUFFER_LENGTH", &ring->bytes },
		{ RING_CONTROL, "RING_BUFFER_ENABLE", &enabled },
		{ RING_HEAD, "HEAD_OFFSET", &ring->head },
		{ RING_HEAD, "WRAP_COUNT", &ring->wraps },
		{ RING_TAIL, "TAIL_OFFSET", &ring->tail },
	};
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form;
	struct gsc_reg reg;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const uint64_t *value = values[parts[i].which];

		if (!value || !ring_find(view, engine, parts[i].which, &reg))
			continue;
		/* What the field means, scaled as its definition says. */
		*parts[i].meaning = 0;
		gsc_reg_fields(view, &reg, *value, &it);
		while (gsc_field_next(&it, &field)) {
			if (strcmp(field.name, parts[i].field))
				continue;
			gsc_field_form(&it, &form);
			*parts[i].meaning = ((field.value + form.add) << form.shift) *
					    form.multiply / form.divide;
			break;
		}
	}
	ring->enabled = enabled;
	return values[RING_HEAD] && values[RING_TAIL] && ring_measure(ring);
}
