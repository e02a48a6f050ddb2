/* SPDX-License-Identifier: MIT */
/* Fence registers. Their layouts are in the definitions: one field, one meaning. */
#include "tile/tile.h"

#include <stdio.h>
#include <string.h>

#define PAGE 4096
#define X_PITCH_MIN 512			/* bytes: a tile */

static uint64_t meaning(const struct gsc_field_iter *it, uint64_t value)
{
	struct gsc_form form;

	gsc_field_form(it, &form);
	return ((value + form.add) << form.shift) * form.multiply / form.divide;
}

static void judge(struct gsc_fence *fence)
{
	if (!fence->valid)
		return;
	if (fence->end <= fence->start)
		snprintf(fence->problem, sizeof(fence->problem), "ends before it begins");
	else if (fence->tiling == 'X' && fence->pitch < X_PITCH_MIN)
		snprintf(fence->problem, sizeof(fence->problem),
			 "pitch of %u bytes is less than an X tile's %u", fence->pitch,
			 X_PITCH_MIN);
}

void gsc_fence_decode(const struct gsc_view *view, unsigned index, uint64_t raw,
		      struct gsc_fence *fence)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_reg reg;

	*fence = (struct gsc_fence){ .index = index, .raw = raw, .tiling = 'X' };
	if (!view_find(view, NULL, "FENCE", (int)index, &reg))
		return;
	gsc_reg_fields(view, &reg, raw, &it);
	while (gsc_field_next(&it, &field)) {
		if (!strcmp(field.name, "FENCE_VALID"))
			fence->valid = field.value;
		else if (!strcmp(field.name, "TILE_WALK"))
			fence->tiling = field.value ? 'Y' : 'X';
		else if (!strcmp(field.name, "FENCE_PITCH"))
			fence->pitch = (unsigned)meaning(&it, field.value);
		else if (!strcmp(field.name, "FENCE_LOWER_BOUND"))
			fence->start = meaning(&it, field.value);
		else if (!strcmp(field.name, "FENCE_UPPER_BOUND"))
			fence->end = meaning(&it, field.value) + PAGE;
	}
	judge(fence);
}
