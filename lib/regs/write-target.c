/* SPDX-License-Identifier: MIT */
/* Which register, field or entry a write is meant for, and whether it can be written at all. */
#include "regs/write.h"

#include "util/text.h"

#include <stdio.h>
#include <string.h>

static enum gsc_status wrong(const char *text, const char *why, struct gsc_error *err)
{
	return err_set(err, GSC_USAGE, text, "%s", why);
}

/* ---- spaces ---------------------------------------------------------------------------------- */

/* Why a space is not written, or NULL. */
static const char *closed_space(enum gsc_space space)
{
	static const char memory[] = "memory is never written, nor are the page tables of a "
				     "process in it";
	static const char *const closed[GSC_SPACES] = {
		[GSC_CONFIG] = "config space is the kernel's and is not written here: setpci does "
			       "that",
		[GSC_PHYS] = memory, [GSC_LMEM] = memory, [GSC_GTTMEM] = memory,
		[GSC_PPGTTMEM] = memory, [GSC_STOLEN] = memory,
	};

	return closed[space];
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names of registers, as many of them as fit. */
static enum gsc_status several(const struct write_target *t, const char *text, const reg_vec *regs,
			       struct gsc_error *err)
{
	char buf[300], name[192];
	struct text list = text_of(buf);
	size_t i;

	for (i = 0; i < regs->count; i++) {
		struct gsc_reg reg;
		size_t length;

		gsc_view_reg(t->view, regs->items[i], &reg);
		length = gsc_reg_full_name(&reg, name, sizeof(name));
		if (list.used + length + 8 > sizeof(buf))
			break;
		text_add(&list, "%s%s", i ? ", " : "", name);
	}
	return err_set(err, GSC_USAGE, text,
		       "a write needs exactly one register, but this names %zu: %s%s",
		       regs->count, buf, i < regs->count ? ", ..." : "");
}

/* Conditions may move a field: a name must mean one place. */
static enum gsc_status find_field(struct write_target *t, const struct selector *selector,
				  struct gsc_error *err)
{
	const struct layer *l = inst_layer(t->view, t->index);
	const struct c_reg *def = inst_def(t->view, t->index);
	const char *name = NULL;

	for (uint32_t i = 0; i < def->field_count; i++) {
		const struct c_field *f = LAYER_ITEM(l, B_FIELDS, struct c_field, def->fields + i);
		uint64_t bits;

		if (!field_holds(t->view, l, f) || f->hi > 63 ||
		    !glob_match(selector->field, layer_text(l, f->name)))
			continue;
		if (field_form(l, f)->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO))
			return wrong(selector->text, "reserved bits are not written", err);
		bits = bits_below(f->hi - f->lo + 1u) << f->lo;
		if (t->field && t->field != bits)
			return wrong(selector->text, "matches fields in more than one place", err);
		t->field = bits;
		name = layer_text(l, f->name);
	}
	snprintf(t->name + strlen(t->name), sizeof(t->name) - strlen(t->name), ":%s",
		 name ? name : selector->field);
	return GSC_OK;
}

static void set_reg(struct write_target *t, size_t index)
{
	t->index = index;
	gsc_view_reg(t->view, index, &t->reg);
	gsc_reg_full_name(&t->reg, t->name, sizeof(t->name));
}

static enum gsc_status by_name(struct write_target *t, const struct selector *selector,
			       struct gsc_error *err)
{
	reg_vec regs = { 0 };
	enum gsc_status status = select_names(t->view, selector, &regs, err);

	if (!status && regs.count > 1)
		status = several(t, selector->text, &regs, err);
	if (!status) {
		set_reg(t, regs.items[0]);
		if (*selector->field)
			status = find_field(t, selector, err);
	}
	vec_free(&regs);
	return status;
}

/* "0x2520:FIELD": of what is defined there. */
static enum gsc_status field_at(struct write_target *t, const struct selector *selector,
				struct gsc_error *err)
{
	reg_vec regs = { 0 };
	uint32_t *slot;
	enum gsc_status status;

	if (!*selector->field)
		return GSC_OK;
	if (t->index == t->view->count)
		return err_set(err, GSC_UNKNOWN, selector->text,
			       "no register is defined at this address, so it has no field");
	slot = vec_add(&regs);
	if (!slot)
		return err_memory(err);
	*slot = (uint32_t)t->index;
	status = select_field(t->view, selector, &regs, err);
	vec_free(&regs);
	return status ? status : find_field(t, selector, err);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* If two registers have one address, the one that accepts writes. */
static size_t reg_at(const struct gsc_view *view, enum gsc_space space, uint64_t address)
{
	size_t found = view->count;

	for (size_t i = gsc_view_seek(view, space, address);
	     i < view->count && view->insts[i].space == space &&
	     view->insts[i].offset == address; i++)
		if ((inst_traits(view, i)->bits == 32 || space != GSC_MMIO) &&
		    (found == view->count || inst_traits(view, i)->access & ~(GSC_RO | GSC_RC)))
			found = i;
	return found;
}

static enum gsc_status raw_dword(struct write_target *t, const struct selector *selector,
				 bool force, struct gsc_error *err)
{
	size_t i = dword_reg(t->view, GSC_MMIO, selector->start);
	char name[192];
	struct gsc_reg reg;

	gsc_reg_full_name(&t->reg, t->name, sizeof(t->name));
	if (i == t->view->count)
		return GSC_OK;
	gsc_view_reg(t->view, i, &reg);
	gsc_reg_full_name(&reg, name, sizeof(name));
	if (!force)
		return err_set(err, GSC_USAGE, selector->text,
			       "the address belongs to %s, which has %u bits: write that register, "
			       "or use --force", name,
			       reg.bits);
	return GSC_OK;
}

static enum gsc_status by_address(struct write_target *t, const struct selector *selector,
				  bool force, struct gsc_error *err)
{
	struct gsc_platform p;
	size_t i;

	t->reg = (struct gsc_reg){ .index = -1, .space = GSC_MMIO, .offset = selector->start,
				   .bits = 32, .access = GSC_RW };
	gsc_platform_at(t->view->db, t->view->platform, &p);
	if (!p.ggtt_bar && selector->start >= p.ggtt_offset &&
	    selector->start - p.ggtt_offset < p.ggtt_max)
		return err_set(err, GSC_USAGE, selector->text,
			       "this is in the GGTT, not a register: try ggtt:0x%llx",
			       (unsigned long long)(selector->start - p.ggtt_offset));
	if (selector->start >= p.register_bytes)
		return err_set(err, GSC_UNKNOWN, selector->text,
			       "the registers of %s end at 0x%llx", p.name,
			       (unsigned long long)p.register_bytes);
	i = reg_at(t->view, GSC_MMIO, selector->start);
	if (i == t->view->count)
		return raw_dword(t, selector, force, err);
	set_reg(t, i);
	return GSC_OK;
}

/* Ports, and what is behind others. */
static enum gsc_status by_place(struct write_target *t, const struct selector *selector)
{
	enum gsc_space space = selector->space;
	size_t i = reg_at(t->view, space, selector->start);

	if (i < t->view->count) {
		set_reg(t, i);
		return GSC_OK;
	}
	t->reg = (struct gsc_reg){ .index = -1, .space = space, .offset = selector->start,
				   .access = GSC_RW };
	t->reg.bits = space == GSC_SIDEBAND ? 32
					    : (unsigned)(selector->last - selector->start + 1) * 8;
	gsc_reg_full_name(&t->reg, t->name, sizeof(t->name));
	return GSC_OK;
}

static enum gsc_status by_entry(struct write_target *t, const struct selector *selector,
				struct gsc_error *err)
{
	struct gsc_platform p;
	struct gsc_range range;

	gsc_platform_at(t->view->db, t->view->platform, &p);
	if (!p.ggtt_entry || !p.ggtt_max)
		return err_set(err, GSC_USAGE, selector->text, "%s has no GGTT in its BAR", p.name);
	if (selector->start >= p.ggtt_max)
		return err_set(err, GSC_UNKNOWN, selector->text,
			       "the GGTT of %s has at most 0x%llx bytes", p.name,
			       (unsigned long long)p.ggtt_max);
	if (gsc_view_range(t->view, p.ggtt_offset + selector->start, &range) &&
	    !strcmp(range.kind, "hang"))
		return err_set(err, GSC_USAGE, selector->text,
			       "the GGTT of %s is not written, forced or not: %s", p.name,
			       range.why ? range.why : "it may hang");
	t->reg = (struct gsc_reg){ .index = -1, .space = GSC_GGTT, .offset = selector->start,
				   .bits = p.ggtt_entry * 8, .access = GSC_RW };
	gsc_reg_full_name(&t->reg, t->name, sizeof(t->name));
	return GSC_OK;
}

/* ---- both ------------------------------------------------------------------------------------ */

static enum gsc_status find(struct write_target *t, const struct selector *selector, bool force,
			    struct gsc_error *err)
{
	enum gsc_status status;
	const char *closed;

	if (selector->kind == SELECTOR_GROUP || selector->kind == SELECTOR_RANGE)
		return wrong(selector->text, "a write needs one register, field or entry", err);
	if (selector->kind == SELECTOR_NAME)
		return by_name(t, selector, err);
	closed = closed_space(selector->space);
	if (closed)
		return wrong(selector->text, closed, err);
	if (selector->space == GSC_GGTT)
		return *selector->field
			       ? wrong(selector->text, "an entry is written as a whole", err)
			       : by_entry(t, selector, err);
	if (selector->space != GSC_MMIO) {
		status = by_place(t, selector);
		return status ? status : field_at(t, selector, err);
	}
	if (selector->last - selector->start != 3)
		return wrong(selector->text, "only 32 bits are written at once", err);
	status = by_address(t, selector, force, err);
	return status ? status : field_at(t, selector, err);
}

/* So that whoever reads the name uses the same way; an address has the prefix of its space. */
static void name_way(struct write_target *t, const struct way *way)
{
	char name[sizeof(t->name) + 16];
	const char *own = t->name;

	if (!t->alias)
		return;
	if (!t->reg.name)
		own = strchr(own, ':') + 1;
	snprintf(name, sizeof(name), "%s:%s", way->name, own);
	name[sizeof(t->name) - 1] = 0;
	memcpy(t->name, name, sizeof(t->name));
}

enum gsc_status write_target_find(struct write_target *t, const struct gsc_view *view,
				  const char *text, bool force, struct gsc_error *err)
{
	struct selector selector;
	enum gsc_status status = selector_read(&selector, view, text, err);
	const char *closed;

	*t = (struct write_target){ .view = view, .index = view->count };
	if (!status)
		status = find(t, &selector, force, err);
	if (status)
		return status;
	closed = closed_space(t->reg.space);
	if (closed)
		return wrong(text, closed, err);
	t->alias = selector.alias && t->reg.space != GSC_MMIO;
	name_way(t, selector.way);
	if (t->reg.bits < 32 && t->reg.space == GSC_MMIO)
		return err_set(err, GSC_USAGE, text,
			       "it has %u bits, and only 32 are written at once", t->reg.bits);
	return GSC_OK;
}

/* The same register again, as it was when it was written. */
bool write_target_again(struct write_target *t, const struct gsc_view *view,
			const struct gsc_written *written)
{
	*t = (struct write_target){ .view = view, .reg = written->reg, .index = view->count,
				    .alias = written->bar_alias };
	snprintf(t->name, sizeof(t->name), "%s", written->name);
	if (!written->reg.name)
		return true;
	for (size_t i = gsc_view_seek(view, written->reg.space, written->reg.offset);
	     i < view->count && view->insts[i].offset == written->reg.offset; i++)
		if (inst_def_id(view, i) == written->reg.def &&
		    view->insts[i].space == written->reg.space)
			t->index = i;
	return t->index < view->count;
}

const char *write_target_hazard(const struct write_target *t, uint64_t bits)
{
	if (t->reg.space != GSC_MMIO)
		return t->index < t->view->count ? hazard_of_bits(t->view, t->index, bits) : NULL;
	return hazard_of_write(t->view, t->index, t->reg.offset,
			       t->reg.offset + t->reg.bits / 8 - 1, bits);
}
