/* SPDX-License-Identifier: MIT */
/*
 * Which copy of a replicated register answers a read: the one that a selector names. All selectors
 * are read together with the rows, so that they are from the same moment. Linux, i915
 * gt/intel_gt_mcr.c and xe_gt_mcr.c: reads go to one copy, whatever the multicast bit says.
 */
#include "regs/regs.h"

#include "source/source.h"

#include <string.h>

static const struct {
	const char *selector;
	uint64_t first, last;		/* the registers that it steers */
} selectors[STEERINGS] = {
	/* Only DG2 has the first six: its parts outside the slices are steered separately. */
	{ "SF_MCR_SELECTOR", 0xb00, 0xbff },
	{ "SF_MCR_SELECTOR", 0x1000, 0x1fff },
	{ "GAM_MCR_SELECTOR", 0x4000, 0x4aff },
	{ "MCFG_MCR_SELECTOR", 0x8700, 0x87ff },
	{ "GAM_MCR_SELECTOR", 0xc800, 0xcfff },
	{ "GAM_MCR_SELECTOR", 0xf000, 0xffff },
	{ "MEDIA_GT_MCR_SELECTOR", MEDIA_GT_START, MEDIA_GT_START + MEDIA_GT_LENGTH - 1 },
	{ "MCR_SELECTOR", 0, 0x37ffff },
};

static bool is_steered(const struct gsc_reg *reg)
{
	return reg->flags & GSC_REG_MULTICAST && reg->space == GSC_MMIO;
}

static bool steers(size_t i, uint64_t offset)
{
	return offset >= selectors[i].first && offset <= selectors[i].last;
}

bool gsc_reg_steering(const struct gsc_view *view, const struct gsc_reg *reg,
		      struct gsc_reg *selector)
{
	for (size_t i = 0; is_steered(reg) && i < STEERINGS; i++)
		if (steers(i, reg->offset) &&
		    view_find(view, NULL, selectors[i].selector, -1, selector))
			return true;
	return false;
}

/* The same for rows, of which there are many: each selector is looked up once. NULL: none. */
static struct steering *row_steering(struct gsc_rows *rows, const struct gsc_reg *reg)
{
	for (size_t i = 0; is_steered(reg) && i < STEERINGS; i++) {
		struct steering *s = &rows->steering[i];

		if (!steers(i, reg->offset))
			continue;
		if (!s->sought)
			s->present = view_find(rows->selection->view, NULL, selectors[i].selector,
					       -1, &s->selector);
		s->sought = true;
		if (s->present)
			return s;
	}
	return NULL;
}

static void read_selector(struct gsc_rows *rows, struct steering *s)
{
	const struct gsc_reg *selector = &s->selector;
	struct gsc_field_iter it;
	struct gsc_field field;
	uint64_t value;

	s->read = true;
	s->says.selector = selector->name;
	s->says.known = gsc_read(rows->source, selector->space,
				       selector->offset, 4, &value) == GSC_READ_OK;
	if (!s->says.known)
		return;
	gsc_reg_fields(rows->selection->view, selector, value, &it);
	while (gsc_field_next(&it, &field)) {
		bool slice = !strcmp(field.name, "SLICE"), part = !strcmp(field.name, "SUBSLICE");

		if (slice || !strcmp(field.name, "GROUPID"))
			s->says.group = (unsigned)field.value;
		else if (part || !strcmp(field.name, "INSTANCEID"))
			s->says.instance = (unsigned)field.value;
		s->says.slices |= slice;
	}
}

void steering_read(struct gsc_rows *rows)
{
	const struct gsc_selection *selection = rows->selection;
	struct gsc_reg reg;

	for (size_t i = 0; i < selection->items.count; i++) {
		struct steering *steering;

		if (selection->items.items[i].reg == NONE ||
		    !inst_is_steered(selection->view, selection->items.items[i].reg))
			continue;
		gsc_view_reg(selection->view, selection->items.items[i].reg, &reg);
		steering = row_steering(rows, &reg);
		if (steering && !steering->read)
			read_selector(rows, steering);
	}
}

void steering_row(struct gsc_rows *rows, struct gsc_row *row)
{
	const struct steering *steering = row->reg.name ? row_steering(rows, &row->reg) : NULL;

	if (steering && steering->read)
		row->steering = steering->says;
}
