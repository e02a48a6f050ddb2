/* SPDX-License-Identifier: MIT */
/*
 * Which copy of a replicated register answers a read: the one that a selector names. All selectors
 * are read together with the rows, so that they are of the same moment. Linux, i915
 * gt/intel_gt_mcr.c and xe_gt_mcr.c: reads go to one copy, whatever the multicast bit says.
 */
#include "regs/regs.h"

#include <string.h>

static const struct {
	const char *selector;
	uint64_t first, last;		/* the registers that it steers */
} selectors[STEERINGS] = {
	/* DG2 alone has the first six: its parts beside the slices are steered on their own. */
	{ "SF_MCR_SELECTOR", 0xb00, 0xbff },
	{ "SF_MCR_SELECTOR", 0x1000, 0x1fff },
	{ "GAM_MCR_SELECTOR", 0x4000, 0x4aff },
	{ "MCFG_MCR_SELECTOR", 0x8700, 0x87ff },
	{ "GAM_MCR_SELECTOR", 0xc800, 0xcfff },
	{ "GAM_MCR_SELECTOR", 0xf000, 0xffff },
	{ "MEDIA_GT_MCR_SELECTOR", 0x380000, 0x3bffff },
	{ "MCR_SELECTOR", 0, 0x37ffff },
};

/* STEERINGS: none. */
static size_t steering_find(const struct gsc_view *view, const struct gsc_reg *reg,
			    struct gsc_reg *selector)
{
	size_t i;

	if (!(reg->flags & GSC_REG_MULTICAST) || reg->space != GSC_MMIO)
		return STEERINGS;
	for (i = 0; i < STEERINGS; i++)
		if (reg->offset >= selectors[i].first && reg->offset <= selectors[i].last &&
		    view_find(view, NULL, selectors[i].selector, -1, selector))
			break;
	return i;
}

bool gsc_reg_steering(const struct gsc_view *view, const struct gsc_reg *reg,
		      struct gsc_reg *selector)
{
	return steering_find(view, reg, selector) < STEERINGS;
}

void steering_read(struct gsc_rows *rows)
{
	const struct gsc_selection *selection = rows->selection;
	struct gsc_reg reg, selector;

	for (size_t i = 0; i < selection->items.count; i++) {
		struct steering *steering;
		size_t which;

		if (selection->items.items[i].reg == NONE ||
		    !(inst_traits(selection->view, selection->items.items[i].reg)->flags &
		      GSC_REG_MULTICAST))
			continue;
		gsc_view_reg(selection->view, selection->items.items[i].reg, &reg);
		which = steering_find(selection->view, &reg, &selector);
		if (which == STEERINGS || rows->steering[which].read)
			continue;
		steering = &rows->steering[which];
		steering->read = true;
		steering->status = gsc_read_gated(rows->source, selector.wake, selector.space,
						  selector.offset, 4, &steering->value);
	}
}

void steering_row(const struct gsc_rows *rows, struct gsc_row *row)
{
	const struct gsc_view *view = rows->selection->view;
	struct gsc_steering *steering = &row->steering;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_reg selector;
	size_t i = row->reg.name ? steering_find(view, &row->reg, &selector) : STEERINGS;

	if (i == STEERINGS || !rows->steering[i].read)
		return;
	steering->selector = selector.name;
	steering->known = rows->steering[i].status == GSC_READ_OK;
	if (!steering->known)
		return;
	gsc_reg_fields(view, &selector, rows->steering[i].value, &it);
	while (gsc_field_next(&it, &field)) {
		bool slice = !strcmp(field.name, "SLICE"), part = !strcmp(field.name, "SUBSLICE");

		if (slice || !strcmp(field.name, "GROUPID"))
			steering->group = (unsigned)field.value;
		else if (part || !strcmp(field.name, "INSTANCEID"))
			steering->instance = (unsigned)field.value;
		steering->slices |= slice;
	}
}
