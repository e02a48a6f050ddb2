/* SPDX-License-Identifier: MIT */
/* Writes, as the accesses that they consist of; undoing them. */
#include "regs/write.h"

#include <string.h>

#define POSTING "posting read: the write has arrived"

/* ---- steps ----------------------------------------------------------------------------------- */

/* Registers that are ports have the same offset in the BAR, if that way is used. */
static enum gsc_space step_space(const struct write_target *t)
{
	return t->alias && t->reg.space == GSC_IO ? GSC_MMIO : t->reg.space;
}

struct write_step *write_add_step(struct gsc_write_plan *plan, enum write_what what,
				  uint64_t address, unsigned size)
{
	struct write_step *step = &plan->steps[plan->count++];

	*step = (struct write_step){
		.access = {
			.write = what == WRITE_PLAIN || what == WRITE_STORE,
			.space = step_space(&plan->target),
			.address = address,
			.size = size,
		},
		.what = what,
	};
	return step;
}

/* Registers are accessed by dwords, an entry of the GGTT and a port as a whole. */
static unsigned step_size(const struct gsc_reg *reg)
{
	return reg->space == GSC_GGTT || reg->space == GSC_IO ? reg->bits / 8 : 4;
}

static void add_reads(struct gsc_write_plan *plan, enum write_what what, const char *why)
{
	const struct gsc_reg *reg = &plan->target.reg;
	unsigned size = step_size(reg);

	for (unsigned at = 0; at < reg->bits / 8; at += size) {
		struct write_step *step = write_add_step(plan, what, reg->offset + at, size);

		step->shift = at * 8;
		step->access.why = why;
	}
}

/* The part of the change in bits `shift` and up of the register. */
static void add_store(struct gsc_write_plan *plan, unsigned shift, const char *why)
{
	const struct gsc_reg *reg = &plan->target.reg;
	const struct write_change *c = &plan->change;
	unsigned size = step_size(reg);
	uint64_t mask = bits_below(size * 8);
	struct write_step *step = write_add_step(plan, WRITE_STORE, reg->offset + shift / 8, size);

	step->shift = shift;
	step->access.value = c->value >> shift & mask;
	step->access.keep = c->keep >> shift & mask;
	step->access.flip = c->flip >> shift & mask;
	step->access.known = !(step->access.keep | step->access.flip);
	step->access.why = why;
}

/* ---- registers of 64 bits -------------------------------------------------------------------- */

static bool ends_in_valid(const char *name)
{
	size_t length = strlen(name);

	return length >= 5 && !strcmp(name + length - 5, "VALID");
}

/* The bit that makes a register valid at all, or 0. */
static uint64_t valid_bit(const struct write_target *t, const struct write_bits *bits)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	if (t->index == t->view->count)
		return 0;
	gsc_reg_fields(t->view, &t->reg, 0, &it);
	while (gsc_field_next(&it, &field))
		if (field.hi == field.lo && ends_in_valid(field.name) &&
		    bits->rw >> field.lo & 1)
			return UINT64_C(1) << field.lo;
	return 0;
}

/*
 * With half of it new, a valid register means something that nobody wanted: i915 clears the half
 * with the valid bit, ensures that this has arrived, writes the other half, and that one last
 * (i965_write_fence_reg).
 */
static void add_valid_halves(struct gsc_write_plan *plan, uint64_t valid)
{
	const struct gsc_reg *reg = &plan->target.reg;
	unsigned shift = valid >> 32 ? 32 : 0;
	uint64_t at = reg->offset + shift / 8;
	struct write_step *step = write_add_step(plan, WRITE_PLAIN, at, 4);

	step->shift = shift;
	step->access.value = plan->bits.mbo >> shift & UINT32_MAX;
	step->access.known = true;
	step->access.why = "keeps it invalid while its halves differ";
	if (!plan->bits.blind)
		write_add_step(plan, WRITE_POST, at, 4)->access.why = POSTING;
	add_store(plan, 32 - shift, "the other half");
	add_store(plan, shift, "the half with the valid bit comes last");
}

/* No 64-bit stores: the hardware may see them in two parts (i915's intel_uncore.h). */
static void add_halves(struct gsc_write_plan *plan)
{
	uint64_t valid = valid_bit(&plan->target, &plan->bits), asked = plan->change.asked;

	if (valid) {
		add_valid_halves(plan, valid);
		return;
	}
	for (unsigned shift = 0; shift <= 32; shift += 32)
		if (!asked || asked >> shift & UINT32_MAX)
			add_store(plan, shift, plan->change.why);
}

/* ---- what follows the stores ----------------------------------------------------------------- */

static bool harmless(const struct write_target *t, size_t i, struct gsc_reg *reg)
{
	gsc_view_reg(t->view, i, reg);
	return reg->space == GSC_MMIO && reg->bits == 32 && reg->access & (GSC_RO | GSC_RW) &&
	       !(reg->access & GSC_RC) && !hazard_of_reg(t->view, i) && reg->wake == t->reg.wake &&
	       !hazard_of_write(t->view, t->view->count, reg->offset, reg->offset + 3, 0);
}

/*
 * If the register itself is not readable, the nearest one that is, in its forcewake domain, will
 * do.
 */
static void add_posting(struct gsc_write_plan *plan)
{
	const struct write_target *t = &plan->target;
	size_t count = t->view->count, low = t->index, high = t->index;
	struct gsc_reg reg;

	while (low > 0 || high + 1 < count) {
		if (low > 0 && harmless(t, --low, &reg))
			break;
		if (high + 1 < count && harmless(t, ++high, &reg))
			break;
		reg.bits = 0;
	}
	if (low == high || !reg.bits)
		return;
	write_add_step(plan, WRITE_POST, reg.offset, 4)->access.why =
		"posting read, of a register beside it that can be read";
}

/*
 * TLBs hold entries of the global table. From gen6 on they drop them when GFX_FLSH_CNTL is written,
 * which, being uncached, also flushes earlier write-combined stores (i915's gen6_ggtt_invalidate
 * and gen8_ggtt_invalidate); before gen6, the window through which entries are written triggers the
 * flush (SNB PRM Vol 1 Part 2, PGTBL_CTL2), and drivers only read the entry again (intel-gtt.c).
 */
static void add_flush(struct gsc_write_plan *plan)
{
	struct gsc_reg reg;
	struct write_step *step;

	if (!view_find(plan->target.view, NULL, "GFX_FLSH_CNTL_GEN6", -1, &reg))
		return;
	step = write_add_step(plan, WRITE_PLAIN, reg.offset, 4);
	step->access.space = GSC_MMIO;
	step->access.value = 1;
	step->access.known = true;
	step->access.why = "GFX_FLSH_CNTL: TLBs drop entries of the table";
	step = write_add_step(plan, WRITE_POST, reg.offset, 4);
	step->access.space = GSC_MMIO;
	step->access.why = "posting read: the flush has arrived";
}

/* ---- plans ----------------------------------------------------------------------------------- */

static enum gsc_status lay_out(struct gsc_write_plan *plan, struct gsc_error *err)
{
	const struct gsc_reg *reg = &plan->target.reg;
	bool blind = plan->bits.blind;

	if (space_is_indirect(reg->space))
		return write_lay_out_indirect(plan, err);
	if (!blind)
		add_reads(plan, WRITE_OLD, plan->careful ? "the current entry; --force is needed "
							   "to change a valid one"
							 : "the current value");
	plan->looks = plan->count;
	if (reg->space == GSC_GGTT) {
		add_store(plan, 0, "one store of the entry, then a store fence");
		add_flush(plan);
	} else if (reg->bits == 64) {
		add_halves(plan);
	} else {
		add_store(plan, 0, plan->change.why);
	}
	if (!blind)
		add_reads(plan, WRITE_BACK, "read back, which also posts the write");
	else if (reg->space != GSC_IO)
		add_posting(plan);
	plan->after = plan->count;
	return GSC_OK;
}

enum gsc_status write_hazard(const struct gsc_write_plan *plan, struct gsc_error *err)
{
	return err_set(err, GSC_USAGE, plan->target.name, "not without --force: %s", plan->hazard);
}

static enum gsc_status make(struct gsc_write_plan *plan, const struct write_request *request,
			    struct gsc_error *err)
{
	const struct write_target *t = &plan->target;
	enum gsc_status status;

	plan->force = request->force;
	plan->careful = t->reg.space == GSC_GGTT && !request->force && !request->exact;
	write_bits_of(&plan->bits, t, request->force);
	status = write_change_make(&plan->change, t, &plan->bits, request, err);
	if (!status)
		status = lay_out(plan, err);
	if (!status && !request->force)
		plan->hazard = write_target_hazard(t, plan->change.asked);
	return !status && plan->hazard ? write_hazard(plan, err) : status;
}

/* The value in position, if it fits. */
static enum gsc_status place_value(const struct write_target *t, const struct gsc_write *write,
				   struct write_request *r, struct gsc_error *err)
{
	unsigned width = t->reg.bits, lo = 0;

	r->scope = bits_below(width);
	if (t->field) {
		width = (unsigned)__builtin_popcountll(t->field);
		lo = (unsigned)__builtin_ctzll(t->field);
		r->scope = t->field;
	}
	if (write->value > bits_below(width))
		return err_set(err, GSC_USAGE, t->name, "0x%llx does not fit: it has %u bit%s",
			       (unsigned long long)write->value, width, width == 1 ? "" : "s");
	r->value = write->value << lo;
	return GSC_OK;
}

enum gsc_status gsc_write_plan_new(struct gsc_write_plan **out, const struct gsc_gpu *gpu,
				   const struct gsc_write *write, struct gsc_error *err)
{
	struct gsc_write_plan *plan = calloc(1, sizeof(*plan));
	struct write_request request = { .operation = write->operation, .force = write->force };
	enum gsc_status status;

	*out = NULL;
	if (!plan)
		return err_memory(err);
	status = write_target_find(&plan->target, gpu->view, write->target, write->force, err);
	if (!status)
		status = place_value(&plan->target, write, &request, err);
	if (!status)
		status = make(plan, &request, err);
	if (status && !plan->hazard)
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
	return plan->target.name;
}

bool gsc_write_step_at(const struct gsc_write_plan *plan, size_t i, struct gsc_write_step *step)
{
	if (i >= plan->count)
		return false;
	*step = plan->steps[i].access;
	return true;
}

/* ---- undoing --------------------------------------------------------------------------------- */

/* Bits that stay unchanged because nothing can write them back. */
static uint64_t lasting(const struct write_bits *bits, const struct gsc_written *written)
{
	return written->bits & (bits->wo | (bits->w1c & written->old & written->value));
}

static enum gsc_status cannot(const struct write_target *t, uint64_t lost, enum gsc_status status,
			      struct gsc_error *err)
{
	char names[200];

	return err_set(err, status, t->name, "%s cannot be put back: %s",
		       write_bits_names(t, lost, names, sizeof(names)),
		       "it was cleared by a 1, or cannot be read");
}

static enum gsc_status undo(struct gsc_write_plan *plan, const struct gsc_written *written,
			    struct gsc_error *err)
{
	const struct write_target *t = &plan->target;
	struct write_request request = { .operation = GSC_WRITE_SET, .exact = true,
					 .force = written->forced };
	struct write_bits bits;
	uint64_t lost;
	enum gsc_status status;

	if (!written->has_old)
		return err_set(err, GSC_USAGE, t->name,
			       "what was there before could not be read, so it cannot be put back");
	write_bits_of(&bits, t, written->forced);
	lost = lasting(&bits, written);
	request.scope = written->bits & ~(bits.w1c | bits.wo | bits.ro);
	request.value = written->old & request.scope;
	plan->since = request.scope;
	plan->left = written->has_back ? written->back : written->value;
	if (!request.scope)
		return lost ? cannot(t, lost, GSC_USAGE, err)
			    : err_set(err, GSC_USAGE, t->name, "it has changed nothing");
	status = make(plan, &request, err);
	return status || !lost ? status : cannot(t, lost, GSC_PARTIAL, err);
}

enum gsc_status gsc_write_undo(struct gsc_write_plan **out, const struct gsc_gpu *gpu,
			       const struct gsc_written *written, struct gsc_error *err)
{
	struct gsc_write_plan *plan = calloc(1, sizeof(*plan));
	enum gsc_status status;

	*out = NULL;
	if (!plan)
		return err_memory(err);
	if (write_target_again(&plan->target, gpu->view, written))
		status = undo(plan, written, err);
	else
		status = err_set(err, GSC_USAGE, written->name, "this platform does not have it");
	if (status && status != GSC_PARTIAL) {
		gsc_write_plan_free(plan);
		return status;
	}
	*out = plan;
	return status;
}
