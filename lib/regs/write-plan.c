/* SPDX-License-Identifier: MIT */
/*
 * The plan of a write: which register, field or entry is meant; what each of its bits does when it
 * is written; the value that changes only what was asked for. write-run.c adds the accesses.
 */
#include "regs/write.h"

#include "util/text.h"

/* ---- what is meant --------------------------------------------------------------------------- */

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

static void take_reg(struct gsc_write_plan *plan, size_t index)
{
	plan->index = index;
	gsc_view_reg(plan->view, index, &plan->reg);
	gsc_reg_full_name(&plan->reg, plan->name, sizeof(plan->name));
}

static enum gsc_status by_name(struct gsc_write_plan *plan, const struct selector *selector,
			       struct gsc_error *err)
{
	reg_vec regs = { 0 };
	enum gsc_status status = selector_regs(selector, plan->view, &regs, err);
	char list[300];

	if (!status && regs.count > 1) {
		bool all = regs_list(plan->view, &regs, list, sizeof(list)) == regs.count;

		status = err_set(err, GSC_USAGE, selector->name.text,
				 "a write needs exactly one register, but this names %zu: %s%s",
				 regs.count, list, all ? "" : ", ...");
	}
	if (!status)
		take_reg(plan, regs.items[0]);
	vec_free(&regs);
	return status;
}

/* Conditions may move a field: a name must mean one place. */
static enum gsc_status find_field(struct gsc_write_plan *plan, const struct selector *selector,
				  struct gsc_error *err)
{
	const struct gsc_view *view = plan->view;
	const char *name = NULL;

	if (plan->index == view->count)
		return err_set(err, GSC_UNKNOWN, selector->name.text,
			       "no register is defined at this address, so it has no field");
	for (uint32_t i = 0; i < inst_def(view, plan->index)->field_count; i++) {
		const struct layer *l = inst_layer(view, plan->index);
		const struct c_field *f = inst_field(view, plan->index, i);
		uint64_t bits;

		if (!field_holds(view, l, f) || f->hi > 63 ||
		    !glob_match(selector->name.field, layer_text(l, f->name)))
			continue;
		if (field_form(l, f)->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO))
			return err_set(err, GSC_USAGE, selector->name.text,
				       "reserved bits are not written");
		bits = bits_below(f->hi - f->lo + 1u) << f->lo;
		if (plan->field && plan->field != bits)
			return err_set(err, GSC_USAGE, selector->name.text,
				       "matches fields in more than one place");
		plan->field = bits;
		name = layer_text(l, f->name);
	}
	if (!name)
		return regs_narrow(view, &selector->name,
				   &(reg_vec){ &(uint32_t){ (uint32_t)plan->index }, 1, 1 }, err);
	string_add(plan->name, ":%s", name);
	return GSC_OK;
}

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

static enum gsc_status check_mmio(const struct selector *selector, const struct gsc_platform *p,
				  struct gsc_error *err)
{
	uint64_t at = selector->start;

	if (selector->last - at != 3)
		return err_set(err, GSC_USAGE, selector->name.text,
			       "only 32 bits are written at once");
	if (!p->ggtt_bar && at >= p->ggtt_offset && at - p->ggtt_offset < p->ggtt_max)
		return err_set(err, GSC_USAGE, selector->name.text,
			       "this is in the GGTT, not a register: try ggtt:0x%llx",
			       LL(at - p->ggtt_offset));
	if (at < p->register_bytes)
		return GSC_OK;
	return err_set(err, GSC_UNKNOWN, selector->name.text, "the registers of %s end at 0x%llx",
		       p->name, LL(p->register_bytes));
}

static enum gsc_status check_entry(const struct selector *selector, const struct gsc_view *view,
				   const struct gsc_platform *p, struct gsc_error *err)
{
	struct gsc_range range;

	if (*selector->name.field)
		return err_set(err, GSC_USAGE, selector->name.text,
			       "an entry is written as a whole");
	if (!p->ggtt_entry || !p->ggtt_max)
		return err_set(err, GSC_USAGE, selector->name.text, "%s has no GGTT in its BAR",
			       p->name);
	if (selector->start >= p->ggtt_max)
		return err_set(err, GSC_UNKNOWN, selector->name.text,
			       "the GGTT of %s has at most 0x%llx bytes", p->name, LL(p->ggtt_max));
	if (!gsc_view_range(view, RANGE_TOLD, GSC_MMIO, p->ggtt_offset + selector->start, &range) ||
	    strcmp(range.kind, "hang"))
		return GSC_OK;
	return err_set(err, GSC_USAGE, selector->name.text,
		       "the GGTT of %s is not written, forced or not: %s", p->name,
		       range.why ? range.why : "it may hang");
}

/* A register, a port, an entry, or a dword that nothing defines. */
static enum gsc_status by_address(struct gsc_write_plan *plan, const struct selector *selector,
				  bool force, struct gsc_error *err)
{
	unsigned bytes = (unsigned)(selector->last - selector->start + 1);
	enum gsc_space space = selector->space;
	const char *closed = closed_space(space);
	enum gsc_status status = GSC_OK;
	char name[sizeof(plan->name)];
	struct gsc_platform p;
	struct gsc_reg reg;
	size_t i;

	if (closed)
		return err_set(err, GSC_USAGE, selector->name.text, "%s", closed);
	gsc_platform_at(plan->view->db, plan->view->platform, &p);
	if (space == GSC_GGTT)
		status = check_entry(selector, plan->view, &p, err);
	else if (space == GSC_MMIO)
		status = check_mmio(selector, &p, err);
	if (status)
		return status;
	plan->reg = (struct gsc_reg){
		.index = -1, .space = space, .offset = selector->start, .access = GSC_RW,
		.bits = space == GSC_SIDEBAND ? 32 : bytes * 8,
	};
	gsc_reg_full_name(&plan->reg, plan->name, sizeof(plan->name));
	i = reg_at(plan->view, space, selector->start);
	if (i < plan->view->count) {
		take_reg(plan, i);
		return GSC_OK;
	}
	i = space == GSC_MMIO && !force ? dword_reg(plan->view, space, selector->start)
					: plan->view->count;
	if (i == plan->view->count)
		return GSC_OK;
	gsc_view_reg(plan->view, i, &reg);
	gsc_reg_full_name(&reg, name, sizeof(name));
	return err_set(err, GSC_USAGE, selector->name.text,
		       "the address belongs to %s, which has %u bits: write that register, or use "
		       "--force", name, reg.bits);
}

static enum gsc_status find_target(struct gsc_write_plan *plan, const char *text, bool force,
				   struct gsc_error *err)
{
	char own[sizeof(plan->name)];
	struct selector selector;
	enum gsc_status status = selector_read(&selector, plan->view, text, err);
	const char *closed;

	if (status)
		return status;
	if (selector.kind == SELECTOR_GROUP || selector.kind == SELECTOR_RANGE)
		return err_set(err, GSC_USAGE, text, "a write needs one register, field or entry");
	status = selector.kind == SELECTOR_NAME ? by_name(plan, &selector, err)
						: by_address(plan, &selector, force, err);
	if (!status && *selector.name.field)
		status = find_field(plan, &selector, err);
	if (status)
		return status;
	closed = closed_space(plan->reg.space);
	if (closed)
		return err_set(err, GSC_USAGE, text, "%s", closed);
	plan->alias = selector.alias && plan->reg.space != GSC_MMIO;
	if (plan->alias) {
		/* Whoever reads the name uses the same way; an address has a prefix already. */
		strcpy(own, plan->reg.name ? plan->name : strchr(plan->name, ':') + 1);
		string_set(plan->name, "%s:%.170s", selector.way->name, own);
	}
	if (plan->reg.bits < 32 && plan->reg.space == GSC_MMIO)
		return err_set(err, GSC_USAGE, text,
			       "it has %u bits, and only 32 are written at once", plan->reg.bits);
	return GSC_OK;
}

/* ---- what each bit does ---------------------------------------------------------------------- */

static bool is_masked(const struct gsc_reg *reg)
{
	return reg->access & GSC_MASKED;
}

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

static void find_bits(struct gsc_write_plan *plan, bool force)
{
	const struct gsc_view *view = plan->view;
	bool defined = plan->index < view->count;
	const struct layer *l = defined ? inst_layer(view, plan->index) : NULL;
	unsigned access = plan->reg.access, count = 0;
	struct write_bits *b = &plan->bits;

	*b = (struct write_bits){ .all = bits_below(is_masked(&plan->reg) ? 16 : plan->reg.bits) };
	if (defined)
		count = inst_def(view, plan->index)->field_count;
	for (uint32_t i = 0; i < count; i++) {
		const struct c_field *f = inst_field(view, plan->index, i);
		const struct c_form *form = field_form(l, f);
		uint64_t mask;

		if (!field_holds(view, l, f) || f->hi > 63)
			continue;
		mask = bits_below(f->hi - f->lo + 1u) << f->lo & b->all;
		access |= form->access & GSC_RC;
		if (form->flags & GSC_FIELD_MBZ) {
			b->mbz |= mask;
		} else if (form->flags & GSC_FIELD_MBO) {
			b->mbo |= mask;
		} else {
			classify(b, form->access & (GSC_RO | GSC_RW | GSC_WO | GSC_W1C | GSC_RC)
					    ? form->access : plan->reg.access, mask);
			b->named |= mask;
		}
	}
	/* If definitions of one bit differ, the more careful one wins. */
	b->rw &= ~b->w1c;
	b->wo &= ~(b->w1c | b->rw);
	b->ro &= ~(b->w1c | b->rw | b->wo);
	b->mbz &= ~b->named;
	b->mbo &= ~(b->named | b->mbz);
	classify(b, plan->reg.access, b->all & ~(b->named | b->mbz | b->mbo));
	b->blind = (access & GSC_RC && !force) || (b->wo && !(b->rw | b->ro | b->w1c));
}

/* The names of the fields with bits of a mask, or the mask. */
static const char *bits_names(const struct gsc_write_plan *plan, uint64_t mask, char *buf,
			      size_t size)
{
	struct text text = text_begin(buf, size);
	struct gsc_field_iter it;
	struct gsc_field field;

	if (plan->index < plan->view->count) {
		gsc_reg_fields(plan->view, &plan->reg, 0, &it);
		while (gsc_field_next(&it, &field)) {
			uint64_t bits = bits_below(field.hi - field.lo + 1) << field.lo;

			if (!(bits & mask) || field.flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO))
				continue;
			mask &= ~bits;
			text_join(&text, ", ", field.name);
		}
	}
	if (mask)
		text_add(&text, "%sbits 0x%llx", text.used ? ", " : "", LL(mask));
	return buf;
}

static enum gsc_status refuse(const struct gsc_write_plan *plan, uint64_t mask, const char *why,
			      struct gsc_error *err)
{
	char names[200];

	return err_set(err, GSC_USAGE, plan->name, "%s: %s",
		       bits_names(plan, mask, names, sizeof(names)), why);
}

/* ---- the value ------------------------------------------------------------------------------- */

/* [31:16] of a whole masked register may be its mask, as hardware takes it. */
static enum gsc_status take_mask(const struct gsc_write_plan *plan, struct write_request *r,
				 struct gsc_error *err)
{
	const struct write_bits *b = &plan->bits;
	uint64_t given = r->value >> 16;

	if (!given) {
		/* Among undescribed bits, those that are to be set. */
		r->scope = b->named & ~b->ro ? (b->named & ~b->ro) | r->value : b->all;
		return GSC_OK;
	}
	if (r->operation != GSC_WRITE_SET)
		return err_set(err, GSC_USAGE, plan->name,
			       "the mask in bits 31:16 is derived from the other bits: give only "
			       "bits 15:0");
	r->scope = given;
	r->value &= 0xffff;
	if (r->value & ~given)
		return refuse(plan, r->value & ~given, "set, but not in the mask of bits 31:16",
			      err);
	return GSC_OK;
}

/* A whole register may be written as it was read, whatever its reserved bits were. */
static bool keeps_reserved(const struct gsc_write_plan *plan, const struct write_request *r)
{
	return r->operation == GSC_WRITE_SET && !r->force && !plan->bits.blind &&
	       !is_masked(&plan->reg) && !(plan->reg.access & GSC_W1C);
}

static enum gsc_status check_bits(const struct gsc_write_plan *plan, const struct write_request *r,
				  struct gsc_error *err)
{
	bool set = r->operation == GSC_WRITE_SET, and = r->operation == GSC_WRITE_AND;
	uint64_t meant = plan->field ? plan->field : and ? plan->bits.all : r->value;
	const struct write_bits *b = &plan->bits;

	if (plan->field & ~b->all)
		return err_set(err, GSC_USAGE, plan->name,
			       "this field is a write mask, which is derived from the bits that "
			       "are written");
	if (!(b->all & (b->rw | b->w1c | b->wo)) || plan->field & b->ro)
		return err_set(err, GSC_USAGE, plan->name, "it is read-only");
	/*
	 * The other operations need a value that can be read and written back. Special bits that a
	 * mask leaves unchanged do not matter, unless the register has nothing else.
	 */
	if (!set && !(and && !plan->field && b->rw)) {
		if (meant & b->w1c)
			return refuse(plan, meant & b->w1c,
				      "writing 1 clears it, so it can be written only with =", err);
		if (meant & b->wo)
			return refuse(plan, meant & b->wo,
				      "it cannot be read, so it can be written only with =", err);
		if (meant & b->ro)
			return refuse(plan, meant & b->ro, "read-only", err);
	}
	if (r->force || r->exact || and || keeps_reserved(plan, r))
		return GSC_OK;
	if (r->value & b->mbz)
		return refuse(plan, r->value & b->mbz, "must be zero; --force writes it anyway",
			      err);
	if (r->value & b->mbo && r->operation == GSC_WRITE_XOR)
		return refuse(plan, r->value & b->mbo, "must be one; --force writes it anyway",
			      err);
	return GSC_OK;
}

static enum gsc_status make_change(struct gsc_write_plan *plan, struct write_request r,
				   struct gsc_error *err)
{
	struct write_change *c = &plan->change;
	enum gsc_status status = GSC_OK;
	struct write_bits b;
	uint64_t freed = 0;

	if (is_masked(&plan->reg) && !plan->field && !r.exact)
		status = take_mask(plan, &r, err);
	if (!status)
		status = check_bits(plan, &r, err);
	if (status)
		return status;
	b = plan->bits;
	/* With force, reserved bits are plain bits. */
	if (r.force && r.exact)
		freed = (b.mbz | b.mbo) & r.scope;
	else if (r.force && r.operation != GSC_WRITE_AND)
		freed = (r.operation == GSC_WRITE_XOR ? b.mbz | b.mbo : b.mbz) & r.value;
	b.mbz &= ~freed;
	b.mbo &= ~freed;
	b.rw |= freed;
	switch (r.operation) {
	case GSC_WRITE_SET:
		c->asked = r.scope & (b.rw | b.wo | (b.w1c & r.value));
		c->value = r.value & c->asked;
		break;
	case GSC_WRITE_OR:
		c->asked = c->value = r.value & b.rw;
		break;
	case GSC_WRITE_AND:
		c->asked = r.scope & b.rw & ~r.value;
		break;
	case GSC_WRITE_XOR:
		c->asked = c->flip = r.value & b.rw;
		break;
	}
	if (is_masked(&plan->reg)) {
		c->value |= c->asked << 16;
		c->why = "bits 31:16 enable the bits that are written";
	} else {
		c->value |= b.mbo;
		c->keep = b.rw & ~c->asked;
		/* In a register where writing ones clears, unknown bits stay zero. */
		if (!b.blind && !(plan->reg.access & GSC_W1C))
			c->keep |= b.ro | b.mbz;
		if (b.w1c & ~c->asked)
			c->why = "zeros are written to bits that a 1 would clear";
	}
	if (keeps_reserved(plan, &r) && r.value & b.mbz) {
		c->agreed = r.value & b.mbz;
		c->why = "reserved bits keep their value, which must equal the given one";
	}
	if (b.blind && c->keep | c->flip)
		return err_set(err, GSC_USAGE, plan->name,
			       "this needs a read first, but %s: write the whole register%s",
			       b.wo ? "it cannot be read" : "a read clears it",
			       b.wo ? "" : ", or use --force");
	return GSC_OK;
}

/* ---- plans ----------------------------------------------------------------------------------- */

enum gsc_status write_hazard(const struct gsc_write_plan *plan, struct gsc_error *err)
{
	return err_set(err, GSC_USAGE, plan->name, "not without --force: %s", plan->hazard);
}

/* The rest of a plan whose target is found. */
static enum gsc_status complete(struct gsc_write_plan *plan, const struct write_request *request,
				struct gsc_error *err)
{
	const struct gsc_reg *reg = &plan->reg;
	enum gsc_status status;

	plan->force = request->force;
	plan->careful = reg->space == GSC_GGTT && !request->force && !request->exact;
	find_bits(plan, request->force);
	status = make_change(plan, *request, err);
	if (!status)
		status = write_lay_out(plan, err);
	if (status || request->force)
		return status;
	if (reg->space == GSC_MMIO)
		plan->hazard = hazard_of_write(plan->view, plan->index, reg->offset,
					       reg->offset + reg->bits / 8 - 1, plan->change.asked);
	else if (plan->index < plan->view->count)
		plan->hazard = hazard_of_bits(plan->view, plan->index, plan->change.asked);
	return plan->hazard ? write_hazard(plan, err) : GSC_OK;
}

static struct gsc_write_plan *new_plan(const struct gsc_view *view)
{
	struct gsc_write_plan *plan = calloc(1, sizeof(*plan));

	if (plan) {
		plan->view = view;
		plan->index = view->count;
	}
	return plan;
}

enum gsc_status gsc_write_plan_new(struct gsc_write_plan **out, const struct gsc_gpu *gpu,
				   const struct gsc_write *write, struct gsc_error *err)
{
	struct write_request r = { .operation = write->operation, .force = write->force };
	struct gsc_write_plan *plan = new_plan(gpu->view);
	enum gsc_status status = plan ? find_target(plan, write->target, write->force, err)
				      : err_memory(err);

	*out = NULL;
	if (!status) {
		unsigned width = plan->field ? (unsigned)__builtin_popcountll(plan->field)
					     : plan->reg.bits;

		r.scope = plan->field ? plan->field : bits_below(width);
		r.value = write->value << (plan->field ? __builtin_ctzll(plan->field) : 0);
		if (write->value > bits_below(width))
			status = err_set(err, GSC_USAGE, plan->name,
					 "0x%llx does not fit: it has %u bit%s",
					 LL(write->value), width, width == 1 ? "" : "s");
	}
	if (!status)
		status = complete(plan, &r, err);
	if (status && !(plan && plan->hazard))
		gsc_write_plan_free(plan);
	else
		*out = plan;
	return status;
}

void gsc_write_plan_free(struct gsc_write_plan *plan)
{
	free(plan);
}

const char *gsc_write_plan_name(const struct gsc_write_plan *plan)
{
	return plan->name;
}

bool gsc_write_step_at(const struct gsc_write_plan *plan, size_t i, struct gsc_write_step *step)
{
	if (i >= plan->count)
		return false;
	*step = plan->steps[i].access;
	return true;
}

/* ---- undoing --------------------------------------------------------------------------------- */

static enum gsc_status undo(struct gsc_write_plan *plan, const struct gsc_written *written,
			    struct gsc_error *err)
{
	struct write_request r = { .operation = GSC_WRITE_SET, .exact = true,
				   .force = written->forced };
	const struct write_bits *b = &plan->bits;
	const struct gsc_reg *reg = &written->reg;
	const struct gsc_view *view = plan->view;
	enum gsc_status status = GSC_OK;
	char names[200];
	uint64_t lost;

	plan->reg = *reg;
	plan->alias = written->bar_alias;
	string_set(plan->name, "%s", written->name);
	/* The same register again. */
	for (size_t i = reg->name ? gsc_view_seek(view, reg->space, reg->offset) : view->count;
	     i < view->count && view->insts[i].offset == reg->offset; i++)
		if (inst_def_id(view, i) == reg->def && view->insts[i].space == reg->space)
			plan->index = i;
	if (reg->name && plan->index == view->count)
		return err_set(err, GSC_USAGE, written->name, "this platform does not have it");
	if (!written->has_old)
		return err_set(err, GSC_USAGE, plan->name,
			       "what was there before could not be read, so it cannot be put back");
	find_bits(plan, written->forced);
	/* Bits that stay unchanged because nothing can write them back. */
	lost = written->bits & (b->wo | (b->w1c & written->old & written->value));
	r.scope = written->bits & ~(b->w1c | b->wo | b->ro);
	r.value = written->old & r.scope;
	plan->since = r.scope;
	plan->left = written->has_back ? written->back : written->value;
	if (!r.scope && !lost)
		return err_set(err, GSC_USAGE, plan->name, "it has changed nothing");
	if (r.scope)
		status = complete(plan, &r, err);
	if (status || !lost)
		return status;
	return err_set(err, r.scope ? GSC_PARTIAL : GSC_USAGE, plan->name,
		       "%s cannot be put back: it was cleared by a 1, or cannot be read",
		       bits_names(plan, lost, names, sizeof(names)));
}

enum gsc_status gsc_write_undo(struct gsc_write_plan **out, const struct gsc_gpu *gpu,
			       const struct gsc_written *written, struct gsc_error *err)
{
	struct gsc_write_plan *plan = new_plan(gpu->view);
	enum gsc_status status = plan ? undo(plan, written, err) : err_memory(err);

	*out = NULL;
	if (status && status != GSC_PARTIAL)
		gsc_write_plan_free(plan);
	else
		*out = plan;
	return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

enum gsc_status look_plan(struct gsc_write_plan **out, const struct gsc_view *view,
			  const struct item *item, struct gsc_error *err)
{
	struct gsc_write_plan *plan = new_plan(view);
	enum gsc_status status;

	*out = NULL;
	if (!plan)
		return err_memory(err);
	plan->look_only = true;
	plan->alias = item->alias;
	plan->reg = (struct gsc_reg){ .index = -1, .space = item->space, .offset = item->start,
				      .bits = item_bytes(item) * 8, .access = GSC_RO };
	if (item->reg != NONE)
		gsc_view_reg(view, item->reg, &plan->reg);
	gsc_reg_full_name(&plan->reg, plan->name, sizeof(plan->name));
	status = write_lay_out(plan, err);
	if (status)
		gsc_write_plan_free(plan);
	else
		*out = plan;
	return status;
}

const char *gsc_read_plan_why(const struct gsc_write_plan *plan)
{
	return indirect_why(plan->reg.space);
}

enum gsc_status gsc_read_plan_new(struct gsc_write_plan **plan,
				  const struct gsc_selection *selection, size_t *item,
				  struct gsc_error *err)
{
	*plan = NULL;
	while (*item < selection->items.count) {
		const struct item *at = &selection->items.items[(*item)++];

		if (space_is_indirect(at->space))
			return look_plan(plan, selection->view, at, err);
	}
	return GSC_OK;
}
