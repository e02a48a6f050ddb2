/* SPDX-License-Identifier: MIT */
/* Fence registers. Their layouts are in the definitions: one field, one meaning. */
#include "tile/tile.h"

#define PAGE 4096
#define X_TILE_WIDTH 512		/* bytes */

static uint64_t meaning(const struct gsc_field_iter *it, uint64_t value)
{
	struct gsc_form form;

	gsc_field_form(it, &form);
	return ((value + form.add) << form.shift) * form.multiply / form.divide;
}

void gsc_fence_decode(const struct gsc_view *view, unsigned index, uint64_t raw,
		      struct gsc_fence *fence)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_reg reg;
	uint64_t size = 0;

	*fence = (struct gsc_fence){ .index = index, .raw = raw, .tiling = 'X' };
	if (!view_find(view, NULL, "FENCE", (int)index, &reg))
		return;
	fence->reserved = raw;
	gsc_reg_fields(view, &reg, raw, &it);
	while (gsc_field_next(&it, &field)) {
		if (!field.problem)
			fence->reserved &= ~(UINT64_MAX >> (63 - field.hi) &
					     UINT64_MAX << field.lo);
		if (!strcmp(field.name, "FENCE_VALID"))
			fence->valid = field.value;
		else if (!strcmp(field.name, "TILE_WALK"))
			fence->tiling = field.value ? 'Y' : 'X';
		else if (!strcmp(field.name, "FENCE_PITCH"))
			fence->pitch = (unsigned)meaning(&it, field.value);
		else if (!strcmp(field.name, "FENCE_PITCH_LOG2"))
			fence->pitch = 1u << (meaning(&it, field.value) & 31);
		else if (!strcmp(field.name, "FENCE_LOWER_BOUND"))
			fence->start = meaning(&it, field.value);
		else if (!strcmp(field.name, "FENCE_SIZE_LOG2"))
			size = UINT64_C(1) << (meaning(&it, field.value) & 63);
		else if (!strcmp(field.name, "FENCE_UPPER_BOUND"))
			fence->end = meaning(&it, field.value) + PAGE;
	}
	if (size)
		fence->end = fence->start + size;
	/* `size` is that of a fence that has a size instead of an end, or 0. */
	if (!fence->valid)
		return;
	if (fence->end <= fence->start)
		string_set(fence->problem, "ends before it begins");
	else if (size && fence->start % size)
		string_set(fence->problem,
			   "begins at 0x%llx, which is not a multiple of its size of 0x%llx",
			   LL(fence->start), LL(size));
	else if (fence->tiling == 'X' && fence->pitch < X_TILE_WIDTH)
		string_set(fence->problem, "pitch of %u bytes is less than an X tile's %u",
			   fence->pitch, X_TILE_WIDTH);
	else if (fence->tiling == 'X' && fence->pitch % X_TILE_WIDTH)
		string_set(fence->problem, "pitch of %u bytes is not a multiple of an X tile's %u",
			   fence->pitch, X_TILE_WIDTH);
}

/*
 * skl-vol5, Tiling Algorithm: the address counts bytes along rows as long as the pitch. The manual
 * forgets to multiply the column of tiles by their width.
 */
enum gsc_status gsc_fence_translate(const struct gsc_platform *p, const struct gsc_fence *fence,
				    uint32_t swizzle, uint64_t address, struct gsc_point *point,
				    uint64_t *offset, struct gsc_error *err)
{
	const struct gsc_surface surface = {
		.tiling = fence->tiling == 'Y' ? GSC_TILING_Y : GSC_TILING_X,
		.bits = 8,
		.samples = 1,
		.dimensions = 2,
		.pitch = fence->pitch,
		.swizzle = swizzle,
	};
	struct gsc_layout layout;
	enum gsc_status status;
	char what[32];

	string_set(what, "0x%llx", LL(address));
	if (!fence->valid)
		return err_set(err, GSC_UNKNOWN, what, "the fence is not valid");
	if (*fence->problem)
		return err_set(err, GSC_USAGE, "fence", "%s", fence->problem);
	status = gsc_layout_init(&layout, p, &surface, err);
	if (status)
		return status;
	if (address < fence->start || address >= fence->end)
		return err_set(err, GSC_UNKNOWN, what, "outside of the fence, 0x%llx-0x%llx",
			       LL(fence->start), LL(fence->end));
	address -= fence->start;
	*point = (struct gsc_point){ .x = address % fence->pitch, .y = address / fence->pitch };
	if (!gsc_layout_offset(&layout, point, offset))
		return err_set(err, GSC_UNKNOWN, what, "out of range");
	return GSC_OK;
}
