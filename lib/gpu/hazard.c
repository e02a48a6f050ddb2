/* SPDX-License-Identifier: MIT */
/*
 * Why a register, an address or a range must not be read or written: its own reason, or that of a
 * range around it.
 */
#include "gpu/gpu.h"

#include <string.h>

static bool add(span_vec *hazards, uint64_t start, uint64_t last, const char *why)
{
	return vec_push(hazards, (struct span){ start, last, why });
}

/*
 * A range with "reads have effects" is about undescribed addresses: a register defined in it has
 * its own hazards.
 */
static bool add_undefined(span_vec *hazards, const struct gsc_view *view, uint64_t start,
			  uint64_t last, const char *why)
{
	for (size_t i = gsc_view_seek(view, GSC_MMIO, start); i < view->count; i++) {
		const struct c_inst *inst = &view->insts[i];

		if (inst->space != GSC_MMIO || inst->offset > last)
			break;
		if (inst->offset > start && !add(hazards, start, inst->offset - 1, why))
			return false;
		start = MAX(start, inst->offset + inst_traits(view, i)->bits / 8u);
	}
	return start > last || add(hazards, start, last, why);
}

static bool add_ranges(span_vec *hazards, const struct gsc_view *view)
{
	for (size_t i = 0; i < view->ranges.count; i++) {
		const struct gsc_range *range = &view->ranges.items[i];
		const char *why = range->why;
		bool done = true;

		if (!strcmp(range->kind, "hang"))
			done = add(hazards, range->start, range->last,
				   why ? why : "reading may hang the GPU");
		else if (!strcmp(range->kind, "read"))
			done = add_undefined(hazards, view, range->start, range->last,
					     why ? why : "reading has side effects");
		if (!done)
			return false;
	}
	return true;
}

static bool is_write_only(unsigned access)
{
	return (access & (GSC_RO | GSC_RW | GSC_WO | GSC_W1C | GSC_RC)) == GSC_WO;
}

const char *hazard_of_write_only(const struct gsc_view *view, size_t reg)
{
	return is_write_only(inst_traits(view, reg)->access)
		       ? "write-only: a read does not return its value" : NULL;
}

const char *hazard_of_reg(const struct gsc_view *view, size_t reg)
{
	const struct layer *l = inst_layer(view, reg);
	const struct c_traits *def = inst_traits(view, reg);

	for (uint32_t i = 0; i < def->hazards.count; i++) {
		const struct b_hazard *hazard = LAYER_ITEM(l, B_HAZARDS, struct b_hazard,
							   def->hazards.first + i);

		if (hazard->flag & (GSC_REG_HAZARD_READ | GSC_REG_HAZARD_HANG) &&
		    where_holds(&hazard->where, view->bit, view->revision))
			return layer_text(l, hazard->why);
	}
	return def->access & GSC_RC ? "a read clears it" : hazard_of_write_only(view, reg);
}

/* What matters for reading comes before what matters for writing. */
const char *hazard_of_bits(const struct gsc_view *view, size_t reg, uint64_t bits)
{
	const struct layer *l = inst_layer(view, reg);
	const struct c_traits *def = inst_traits(view, reg);
	const char *why = NULL;

	for (uint32_t i = 0; i < def->hazards.count; i++) {
		const struct b_hazard *hazard = LAYER_ITEM(l, B_HAZARDS, struct b_hazard,
							   def->hazards.first + i);
		bool write = hazard->flag & GSC_REG_HAZARD_WRITE;

		if ((write && (why || (hazard->bits && !(hazard->bits & bits)))) ||
		    !where_holds(&hazard->where, view->bit, view->revision))
			continue;
		why = layer_text(l, hazard->why);
	}
	return why;
}

/* Undefined addresses in a special range, for whatever reason, must not be written. */
const char *hazard_of_write(const struct gsc_view *view, size_t reg, uint64_t start, uint64_t last,
			    uint64_t bits)
{
	bool defined = reg < view->count;

	for (size_t i = 0; i < view->ranges.count; i++) {
		const struct gsc_range *range = &view->ranges.items[i];
		const char *kind = range->kind, *why = range->why;

		if (range->last < start || range->start > last)
			continue;
		if (!strcmp(kind, "hang"))
			return why ? why : "an access may hang the GPU";
		if (!defined && !strcmp(kind, "read"))
			return why ? why : "an access has side effects";
		if (!defined && !strcmp(kind, "reserved"))
			return why ? why : "a reserved range";
	}
	return defined ? hazard_of_bits(view, reg, bits) : NULL;
}

/* A port that is one register when it is read and another when it is written. */
static bool has_readable(const struct gsc_view *view, size_t reg)
{
	const struct c_inst *inst = &view->insts[reg];

	for (size_t i = gsc_view_seek(view, GSC_MMIO, inst->offset);
	     i < view->count && view->insts[i].space == GSC_MMIO &&
	     view->insts[i].offset == inst->offset; i++)
		if (!hazard_of_write_only(view, i))
			return true;
	return false;
}

static bool add_regs(span_vec *hazards, const struct gsc_view *view, uint64_t first, uint64_t last)
{
	size_t reg = gsc_view_seek(view, GSC_MMIO, first - MIN(first, sizeof(uint64_t)));

	for (; reg < view->count; reg++) {
		const struct c_inst *inst = &view->insts[reg];
		const char *why;

		if (inst->space != GSC_MMIO || inst->offset > last)
			break;
		why = hazard_of_reg(view, reg);
		if (why && hazard_of_write_only(view, reg) == why && has_readable(view, reg))
			continue;
		if (why && !add(hazards, inst->offset,
				inst->offset + inst_traits(view, reg)->bits / 8 - 1, why))
			return false;
	}
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->last > y->last ? -1 : x->last < y->last;
}

bool hazards_find(span_vec *hazards, const struct gsc_view *view, uint64_t first, uint64_t last)
{
	size_t kept;

	if (!add_ranges(hazards, view) || !add_regs(hazards, view, first, last))
		return false;
	vec_sort(hazards, compare);
	/* If two overlap, the first one counts. */
	kept = 0;
	for (size_t i = 0; i < hazards->count; i++) {
		struct span hazard = hazards->items[i];

		if (kept && hazard.last <= hazards->items[kept - 1].last)
			continue;
		if (kept && hazard.start <= hazards->items[kept - 1].last)
			hazard.start = hazards->items[kept - 1].last + 1;
		hazards->items[kept++] = hazard;
	}
	hazards->count = kept;
	return true;
}

bool hazard_of_read(const struct gsc_view *view, const struct gsc_reg *reg)
{
	uint64_t last = reg->offset + reg->bits / 8 - 1;

	if (reg->flags & (GSC_REG_HAZARD_READ | GSC_REG_HAZARD_HANG) || reg->access & GSC_RC ||
	    is_write_only(reg->access))
		return true;
	for (size_t i = 0; reg->space == GSC_MMIO && i < view->ranges.count; i++) {
		const struct gsc_range *range = &view->ranges.items[i];

		if (range->last >= reg->offset && range->start <= last &&
		    !strcmp(range->kind, "hang"))
			return true;
	}
	return false;
}
