/* SPDX-License-Identifier: MIT */
/*
 * What each bit of a register does when it is written, and which value has the desired effect
 * without changing other bits.
 */
#include "regs/write.h"

#include "util/text.h"

#include <stdio.h>

#define WAYS (GSC_RO | GSC_RW | GSC_WO | GSC_W1C | GSC_RC)

/* ---- classes --------------------------------------------------------------------------------- */

/* Bits of a class are added to what other definitions of the same bits say. */
static void classify(struct write_bits *b, unsigned access, uint64_t mask)
{
	if (access & GSC_W1C)
		b->w1c |= mask;
	else if (access & GSC_RW)
		b->rw |= mask;
	else if (access & GSC_WO)
		b->wo |= mask;
	else
		b->ro |= mask;
}

/* If definitions of one bit differ, the more careful one wins. */
static void settle(struct write_bits *b)
{
	b->rw &= ~b->w1c;
	b->wo &= ~(b->w1c | b->rw);
	b->ro &= ~(b->w1c | b->rw | b->wo);
	b->mbz &= ~b->named;
	b->mbo &= ~(b->named | b->mbz);
}

static void add_field(struct write_bits *b, const struct gsc_reg *reg, const struct c_field *f,
		      const struct c_form *form)
{
	uint64_t mask = bits_below(f->hi - f->lo + 1u) << f->lo & b->all;

	if (form->flags & GSC_FIELD_MBZ) {
		b->mbz |= mask;
	} else if (form->flags & GSC_FIELD_MBO) {
		b->mbo |= mask;
	} else {
		classify(b, form->access & WAYS ? form->access : reg->access, mask);
		b->named |= mask;
	}
}

void write_bits_of(struct write_bits *b, const struct write_target *t, bool force)
{
	const struct gsc_view *view = t->view;
	unsigned access = t->reg.access;

	*b = (struct write_bits){ .all = bits_below(is_masked(&t->reg) ? 16 : t->reg.bits) };
	if (t->index < view->count) {
		const struct layer *l = inst_layer(view, t->index);
		const struct c_reg *def = inst_def(view, t->index);

		for (uint32_t i = 0; i < def->field_count; i++) {
			const struct c_field *f = LAYER_ITEM(l, B_FIELDS, struct c_field,
							     def->fields + i);

			if (!field_holds(view, l, f) || f->hi > 63)
				continue;
			add_field(b, &t->reg, f, field_form(l, f));
			access |= field_form(l, f)->access & GSC_RC;
		}
	}
	settle(b);
	classify(b, t->reg.access, b->all & ~(b->named | b->mbz | b->mbo));
	b->blind = (access & GSC_RC && !force) || (b->wo && !(b->rw | b->ro | b->w1c));
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *write_bits_names(const struct write_target *t, uint64_t mask, char *buf, size_t size)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	uint64_t rest = mask;
	struct text text = text_begin(buf, size);

	if (t->index < t->view->count) {
		gsc_reg_fields(t->view, &t->reg, 0, &it);
		while (gsc_field_next(&it, &field)) {
			uint64_t bits = bits_below(field.hi - field.lo + 1) << field.lo;

			if (!(bits & rest) || field.flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO))
				continue;
			rest &= ~bits;
			text_join(&text, ", ", field.name);
		}
	}
	if (rest)
		text_add(&text, "%sbits 0x%llx", text.used ? ", " : "", (unsigned long long)rest);
	return buf;
}

static enum gsc_status refuse(const struct write_target *t, uint64_t mask, const char *why,
			      struct gsc_error *err)
{
	char names[200];

	return err_set(err, GSC_USAGE, t->name, "%s: %s",
		       write_bits_names(t, mask, names, sizeof(names)), why);
}

/* ---- what is asked for ----------------------------------------------------------------------- */

/* [31:16] of a whole masked register may be its mask, as hardware takes it. */
static enum gsc_status take_mask(const struct write_target *t, struct write_request *r,
				 const struct write_bits *b, struct gsc_error *err)
{
	uint64_t given = r->value >> 16;

	if (!given) {
		/* Among undescribed bits, those that are to be set. */
		r->scope = b->named & ~b->ro ? (b->named & ~b->ro) | r->value : b->all;
		return GSC_OK;
	}
	if (r->operation != GSC_WRITE_SET)
		return err_set(err, GSC_USAGE, t->name,
			       "the mask in bits 31:16 is derived from the other bits: give only "
			       "bits 15:0");
	r->scope = given;
	r->value &= 0xffff;
	if (r->value & ~given)
		return refuse(t, r->value & ~given, "set, but not in the mask of bits 31:16", err);
	return GSC_OK;
}

/* Reading has no effect for these. */
static enum gsc_status check_read_write(const struct write_target *t, const struct write_bits *b,
					const struct write_request *r, struct gsc_error *err)
{
	/*
	 * Special bits that the mask leaves unchanged do not matter, unless the register has
	 * nothing else.
	 */
	bool all = r->operation == GSC_WRITE_AND && !t->field && b->rw;
	uint64_t meant = t->field ? t->field : r->operation == GSC_WRITE_AND ? b->all : r->value;

	if (r->operation == GSC_WRITE_SET || all)
		return GSC_OK;
	if (meant & b->w1c)
		return refuse(t, meant & b->w1c,
			      "writing 1 clears it, so it can be written only with =", err);
	if (meant & b->wo)
		return refuse(t, meant & b->wo,
			      "it cannot be read, so it can be written only with =", err);
	return meant & b->ro ? refuse(t, meant & b->ro, "read-only", err) : GSC_OK;
}

/* A whole register may be written as it was read, whatever its reserved bits were. */
static bool keeps_reserved(const struct write_target *t, const struct write_bits *b,
			   const struct write_request *r)
{
	return r->operation == GSC_WRITE_SET && !r->force && !b->blind && !is_masked(&t->reg) &&
	       !(t->reg.access & GSC_W1C);
}

static enum gsc_status check_reserved(const struct write_target *t, const struct write_bits *b,
				      const struct write_request *r, struct gsc_error *err)
{
	if (r->force || r->exact || r->operation == GSC_WRITE_AND || keeps_reserved(t, b, r))
		return GSC_OK;
	if (r->value & b->mbz)
		return refuse(t, r->value & b->mbz, "must be zero; --force writes it anyway",
			      err);
	if (r->value & b->mbo && r->operation == GSC_WRITE_XOR)
		return refuse(t, r->value & b->mbo, "must be one; --force writes it anyway",
			      err);
	return GSC_OK;
}

static enum gsc_status check_bits(const struct write_target *t, const struct write_bits *b,
				  const struct write_request *r, struct gsc_error *err)
{
	enum gsc_status status;

	if (t->field & ~b->all)
		return err_set(err, GSC_USAGE, t->name,
			       "this field is a write mask, which is derived from the bits that "
			       "are written");
	if (!(b->all & (b->rw | b->w1c | b->wo)) || t->field & b->ro)
		return err_set(err, GSC_USAGE, t->name, "it is read-only");
	status = check_read_write(t, b, r, err);
	return status ? status : check_reserved(t, b, r, err);
}

/* With force, reserved bits are plain bits. */
static void free_reserved(struct write_bits *b, const struct write_request *r)
{
	uint64_t freed = b->mbz & r->value;

	if (!r->force)
		return;
	if (r->exact)
		freed = (b->mbz | b->mbo) & r->scope;
	else if (r->operation == GSC_WRITE_XOR)
		freed = (b->mbz | b->mbo) & r->value;
	else if (r->operation == GSC_WRITE_AND)
		freed = 0;
	b->mbz &= ~freed;
	b->mbo &= ~freed;
	b->rw |= freed;
}

static void ask(struct write_change *c, const struct write_bits *b, const struct write_request *r)
{
	uint64_t plain = b->rw | b->wo;

	switch (r->operation) {
	case GSC_WRITE_SET:
		c->asked = r->scope & (plain | (b->w1c & r->value));
		c->value = r->value & c->asked;
		break;
	case GSC_WRITE_OR:
		c->asked = c->value = r->value & b->rw;
		break;
	case GSC_WRITE_AND:
		c->asked = r->scope & b->rw & ~r->value;
		break;
	case GSC_WRITE_XOR:
		c->asked = c->flip = r->value & b->rw;
		break;
	}
}

static void keep_others(struct write_change *c, const struct write_target *t,
			const struct write_bits *b)
{
	if (is_masked(&t->reg)) {
		c->value |= c->asked << 16;
		c->why = "bits 31:16 enable the bits that are written";
		return;
	}
	c->value |= b->mbo;
	c->keep = b->rw & ~c->asked;
	/* In a register where writing ones clears, unknown bits stay zero. */
	if (!(t->reg.access & GSC_W1C))
		c->keep |= b->ro | b->mbz;
	if (b->blind)
		c->keep &= ~(b->ro | b->mbz);
	if (b->w1c & ~c->asked)
		c->why = "zeros are written to bits that a 1 would clear";
}

enum gsc_status write_change_make(struct write_change *c, const struct write_target *t,
				  const struct write_bits *bits,
				  const struct write_request *request, struct gsc_error *err)
{
	struct write_request r = *request;
	struct write_bits b = *bits;
	enum gsc_status status = GSC_OK;

	*c = (struct write_change){ 0 };
	if (is_masked(&t->reg) && !t->field && !r.exact)
		status = take_mask(t, &r, &b, err);
	if (!status)
		status = check_bits(t, &b, &r, err);
	if (status)
		return status;
	free_reserved(&b, &r);
	ask(c, &b, &r);
	keep_others(c, t, &b);
	if (keeps_reserved(t, &b, &r) && r.value & b.mbz) {
		c->agreed = r.value & b.mbz;
		c->why = "reserved bits keep their value, which must equal the given one";
	}
	if (b.blind && c->keep | c->flip)
		return err_set(err, GSC_USAGE, t->name,
			       "this needs a read first, but %s: write the whole register%s",
			       b.wo ? "it cannot be read" : "a read clears it",
			       b.wo ? "" : ", or use --force");
	return GSC_OK;
}
