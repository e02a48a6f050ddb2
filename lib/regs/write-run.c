/* SPDX-License-Identifier: MIT */
/* Which accesses a plan consists of, and carrying them out. */
#include "regs/write.h"

#include "db/ports.h"
#include "source/part.h"
#include "util/text.h"

/* ---- accesses -------------------------------------------------------------------------------- */

static struct write_step *add_read(struct gsc_write_plan *plan, enum write_slot slot,
				   enum gsc_space space, uint64_t address, unsigned size,
				   const char *why)
{
	struct write_step *step = &plan->steps[plan->count++];

	*step = (struct write_step){
		.access = { .space = space, .address = address, .size = size, .why = why },
		.slot = slot,
	};
	return step;
}

static struct write_step *add_store(struct gsc_write_plan *plan, enum gsc_space space,
				    uint64_t address, unsigned size, uint64_t value,
				    const char *why)
{
	struct write_step *step = add_read(plan, SLOT_NONE, space, address, size, why);

	step->access.write = step->access.known = true;
	step->access.value = value;
	return step;
}

/* The change itself, or the part of it in bits `shift` and up of the register. */
static struct write_step *add_change(struct gsc_write_plan *plan, enum gsc_space space,
				     uint64_t address, unsigned size, unsigned shift,
				     const char *why)
{
	const struct write_change *c = &plan->change;
	uint64_t mask = bits_below(size * 8);
	struct write_step *step = add_store(plan, space, address, size, c->value >> shift & mask,
					    why);

	step->slot = SLOT_OLD;
	step->shift = shift;
	step->access.keep = c->keep >> shift & mask;
	step->access.flip = c->flip >> shift & mask;
	step->access.known = !(step->access.keep | step->access.flip);
	return step;
}

/* ---- accesses of registers that have an address ---------------------------------------------- */

#define POSTING "posting read: the write has arrived"

/* Registers that are ports have the same offset in the BAR, if that way is used. */
static enum gsc_space own_space(const struct gsc_write_plan *plan)
{
	return plan->alias && plan->reg.space == GSC_IO ? GSC_MMIO : plan->reg.space;
}

/* Registers are accessed by dwords, an entry of the GGTT and a port as a whole. */
static unsigned step_size(const struct gsc_reg *reg)
{
	return reg->space == GSC_GGTT || reg->space == GSC_IO ? reg->bits / 8 : 4;
}

static void add_reads(struct gsc_write_plan *plan, enum write_slot slot, const char *why)
{
	unsigned size = step_size(&plan->reg);

	for (unsigned at = 0; at < plan->reg.bits / 8; at += size)
		add_read(plan, slot, own_space(plan), plan->reg.offset + at, size, why)->shift =
			at * 8;
}

/* No 64-bit stores: the hardware may see them in two parts (i915's intel_uncore.h). */
static void add_halves(struct gsc_write_plan *plan)
{
	uint64_t valid = 0, asked = plan->change.asked, at = plan->reg.offset;
	enum gsc_space space = own_space(plan);
	struct gsc_field_iter it;
	struct gsc_field field;
	unsigned first;

	/* The bit that makes a register valid at all. */
	if (plan->index < plan->view->count) {
		gsc_reg_fields(plan->view, &plan->reg, 0, &it);
		while (!valid && gsc_field_next(&it, &field))
			if (field.hi == field.lo && slice_ends(slice_string(field.name), "VALID"))
				valid = plan->bits.rw & UINT64_C(1) << field.lo;
	}
	first = valid >> 32 ? 32 : 0;
	if (!valid) {
		for (unsigned shift = 0; shift <= 32; shift += 32)
			if (!asked || asked >> shift & UINT32_MAX)
				add_change(plan, space, at + shift / 8, 4, shift, plan->change.why);
		return;
	}
	/*
	 * With half of it new, a valid register means something that nobody wanted: i915 clears the
	 * half with the valid bit, ensures that this has arrived, writes the other half, and that
	 * one last (i965_write_fence_reg).
	 */
	add_store(plan, space, at + first / 8, 4, plan->bits.mbo >> first & UINT32_MAX,
		  "keeps it invalid while its halves differ");
	if (!plan->bits.blind)
		add_read(plan, SLOT_NONE, space, at + first / 8, 4, POSTING);
	add_change(plan, space, at + (32 - first) / 8, 4, 32 - first, "the other half");
	add_change(plan, space, at + first / 8, 4, first, "the half with the valid bit comes last");
}

static bool harmless(const struct gsc_write_plan *plan, size_t i, struct gsc_reg *reg)
{
	const struct gsc_view *view = plan->view;

	gsc_view_reg(view, i, reg);
	return reg->space == GSC_MMIO && reg->bits == 32 && reg->access & (GSC_RO | GSC_RW) &&
	       !(reg->access & GSC_RC) && !hazard_of_reg(view, i) && reg->wake == plan->reg.wake &&
	       !hazard_of_write(view, view->count, reg->offset, reg->offset + 3, 0);
}

/*
 * If the register itself is not readable, the nearest one that is, in its forcewake domain, will
 * do.
 */
static void add_posting(struct gsc_write_plan *plan)
{
	size_t count = plan->view->count, low = plan->index, high = plan->index;
	struct gsc_reg reg;

	while (low > 0 || high + 1 < count)
		if ((low > 0 && harmless(plan, --low, &reg)) ||
		    (high + 1 < count && harmless(plan, ++high, &reg))) {
			add_read(plan, SLOT_NONE, own_space(plan), reg.offset, 4,
				 "posting read, of a register beside it that can be read");
			return;
		}
}

static void lay_out_own(struct gsc_write_plan *plan)
{
	const struct gsc_reg *reg = &plan->reg;
	bool blind = plan->bits.blind;
	struct gsc_reg flush;

	if (!blind)
		add_reads(plan, SLOT_OLD, plan->careful ? "the current entry; --force is needed "
							  "to change a valid one"
							: "the current value");
	plan->looks = plan->count;
	if (reg->space == GSC_GGTT)
		add_change(plan, GSC_GGTT, reg->offset, step_size(reg), 0,
			   "one store of the entry, then a store fence");
	else if (reg->bits == 64)
		add_halves(plan);
	else
		add_change(plan, own_space(plan), reg->offset, step_size(reg), 0, plan->change.why);
	/*
	 * TLBs hold entries of the global table. From gen6 on they drop them when GFX_FLSH_CNTL is
	 * written, which, being uncached, also flushes earlier write-combined stores (i915's
	 * gen6_ggtt_invalidate and gen8_ggtt_invalidate); before gen6, the window through which
	 * entries are written triggers the flush (SNB PRM Vol 1 Part 2, PGTBL_CTL2), and drivers
	 * only read the entry again (intel-gtt.c).
	 */
	if (reg->space == GSC_GGTT &&
	    view_find(plan->view, NULL, "GFX_FLSH_CNTL_GEN6", -1, &flush)) {
		add_store(plan, GSC_MMIO, flush.offset, 4, 1,
			  "GFX_FLSH_CNTL: TLBs drop entries of the table");
		add_read(plan, SLOT_NONE, GSC_MMIO, flush.offset, 4,
			 "posting read: the flush has arrived");
	}
	if (!blind)
		add_reads(plan, SLOT_BACK, "read back, which also posts the write");
	else if (reg->space != GSC_IO)
		add_posting(plan);
	plan->after = plan->count;
}

/* ---- accesses of VGA registers behind an index ----------------------------------------------- */

#define ST01 0x3da

/*
 * SNB PRM Vol 1 Part 1, 6.2 and 6.3. AR has one port for index and data: reading ST01 makes the
 * next write one of the index, and bit 5 of that, which switches the screen, is not part of it.
 * Ports from 3D0h on move to 3B0h where bit 0 of MSR is 0.
 */
static const struct pair {
	enum gsc_space space;
	uint16_t index, read, write;
	bool flips;
} pairs[] = {
	{ GSC_VGA_SR, 0x3c4, 0x3c5, 0x3c5, false },
	{ GSC_VGA_GR, 0x3ce, 0x3cf, 0x3cf, false },
	{ GSC_VGA_AR, 0x3c0, 0x3c1, 0x3c0, true },
	{ GSC_VGA_CR, 0x3d4, 0x3d5, 0x3d5, false },
};

#define MOVED_FIRST 0x3d0
#define MOVED_BY 0x20

#define AR_SCREEN 0x20
#define AR_PALETTE 0x10			/* registers below this are locked while the screen is on */

static const struct pair *find_pair(enum gsc_space space)
{
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (pairs[i].space == space)
			return &pairs[i];
	return NULL;
}

static void add_flip(struct gsc_write_plan *plan, enum gsc_space ports)
{
	add_read(plan, SLOT_NONE, ports, ST01, 1,
		 "makes the next write of 0x3c0 an index (port 0x3ba if MSR says so)");
}

static enum gsc_status lay_out_vga(struct gsc_write_plan *plan, const struct pair *pair,
				   struct gsc_error *err)
{
	enum gsc_space ports = plan->alias ? GSC_MMIO : GSC_IO;
	bool moves = pair->index >= MOVED_FIRST;
	uint64_t number = plan->reg.offset;
	struct write_step *step;

	if (number > UINT8_MAX || (pair->flips && number >= AR_SCREEN))
		return err_set(err, GSC_USAGE, plan->name, "there is no such index");
	if (moves || pair->flips)
		add_read(plan, SLOT_MODE, ports, PORT_MSR, 1,
			 "bit 0 selects ports 0x3d0 to 0x3df, else 0x3b0 to 0x3bf");
	if (pair->flips)
		add_flip(plan, ports);
	add_read(plan, SLOT_INDEX, ports, pair->index, 1,
		 moves ? "the current index (port 0x3b4 if MSR says so)" : "the current index");
	step = add_store(plan, ports, pair->index, 1, number, "the index");
	if (pair->flips && !(plan->change.asked && number < AR_PALETTE)) {
		step->slot = SLOT_INDEX;
		step->access.keep = AR_SCREEN;
		step->access.known = false;
	}
	if (!plan->bits.blind)
		add_read(plan, SLOT_OLD, ports, pair->read, 1, "the current value");
	plan->looks = plan->count;
	if (!plan->look_only)
		add_change(plan, ports, pair->write, 1, 0, plan->change.why);
	if (!plan->look_only && !plan->bits.blind)
		add_read(plan, SLOT_BACK, ports, pair->read, 1, "read back");
	plan->after = plan->count;
	if (pair->flips)
		add_flip(plan, ports);
	step = add_store(plan, ports, pair->index, 1, 0, "the index, as it was");
	step->slot = SLOT_INDEX;
	step->access.keep = UINT8_MAX;
	step->access.known = false;
	if (pair->flips)
		add_flip(plan, ports);
	return GSC_OK;
}

/* ---- accesses of the sideband, behind a doorbell --------------------------------------------- */

/*
 * A message is a port and an opcode, for PCI function 00.0. PHYs use reads and writes of memory,
 * other units those of registers (i915's vlv_sideband.c).
 */
enum { OP_MEMORY_READ, OP_MEMORY_WRITE, OP_REGISTER_READ = 6, OP_REGISTER_WRITE };

#define PHY_FIRST 0x12
#define PHY_SECOND 0x1a
#define DOORBELL_BUSY 1u

struct doorbell {
	struct gsc_reg bell, data, address;
	unsigned port, read, write;
};

static void add_wait(struct gsc_write_plan *plan, const struct doorbell *d)
{
	add_read(plan, SLOT_NONE, d->bell.space, d->bell.offset, 4,
		 "until bit 0, busy, is 0; at most 10 ms")->until = DOORBELL_BUSY;
}

/* The register's number, the data, which is NULL for a read, and the bell. */
static void add_message(struct gsc_write_plan *plan, const struct doorbell *d, unsigned opcode)
{
	add_store(plan, d->address.space, d->address.offset, 4,
		  plan->reg.offset & SIDEBAND_LAST, "the register");
	if (opcode == d->write)
		add_change(plan, d->data.space, d->data.offset, 4, 0, plan->change.why);
	else
		add_store(plan, d->data.space, d->data.offset, 4, 0, NULL);
	add_store(plan, d->bell.space, d->bell.offset, 4,
		  opcode << 16 | d->port << 8 | 0xf << 4 | DOORBELL_BUSY, "rings");
	add_wait(plan, d);
}

static enum gsc_status lay_out_sideband(struct gsc_write_plan *plan, struct gsc_error *err)
{
	unsigned port = (unsigned)(plan->reg.offset >> 16);
	bool phy = port == PHY_FIRST || port == PHY_SECOND;
	struct doorbell d = {
		.port = port,
		.read = phy ? OP_MEMORY_READ : OP_REGISTER_READ,
		.write = phy ? OP_MEMORY_WRITE : OP_REGISTER_WRITE,
	};

	if (!view_find(plan->view, NULL, "VLV_IOSF_DOORBELL_REQ", -1, &d.bell) ||
	    !view_find(plan->view, NULL, "VLV_IOSF_DATA", -1, &d.data) ||
	    !view_find(plan->view, NULL, "VLV_IOSF_ADDR", -1, &d.address))
		return err_set(err, GSC_USAGE, plan->name, "this platform has no sideband");
	if (plan->reg.offset >> 24 || plan->reg.bits != 32)
		return err_set(err, GSC_USAGE, plan->name, "there is no such unit");
	add_wait(plan, &d);
	if (!plan->bits.blind) {
		add_message(plan, &d, d.read);
		add_read(plan, SLOT_OLD, d.data.space, d.data.offset, 4, "the current value");
	}
	plan->looks = plan->count;
	if (!plan->look_only) {
		add_message(plan, &d, d.write);
		if (!plan->bits.blind) {
			add_message(plan, &d, d.read);
			add_read(plan, SLOT_BACK, d.data.space, d.data.offset, 4, "read back");
		}
	}
	plan->after = plan->count;
	return GSC_OK;
}

/* ---- all accesses ---------------------------------------------------------------------------- */

bool space_is_indirect(enum gsc_space space)
{
	return space == GSC_SIDEBAND || find_pair(space);
}

const char *indirect_why(enum gsc_space space)
{
	return space == GSC_SIDEBAND ? "reading it rings a doorbell first, which needs --write"
				     : "reading it writes an index first, which needs --write";
}

enum gsc_status write_lay_out(struct gsc_write_plan *plan, struct gsc_error *err)
{
	if (plan->reg.space == GSC_SIDEBAND)
		return lay_out_sideband(plan, err);
	if (find_pair(plan->reg.space))
		return lay_out_vga(plan, find_pair(plan->reg.space), err);
	lay_out_own(plan);
	return GSC_OK;
}

/* ---- carrying them out ----------------------------------------------------------------------- */

#define WAIT_NANOSECONDS 10000000	/* as long as i915 waits for the sideband */

struct run {
	const struct gsc_write_plan *plan;
	struct gsc_source *source;
	struct gsc_written *written;
	uint64_t slots[WRITE_SLOTS];
	bool has[WRITE_SLOTS];		/* that much was read */
	bool busy;			/* a step failed by waiting */
};

#define BUSY "the sideband is busy: its doorbell has not answered within 10 ms"

static enum gsc_read run_step(struct run *run, const struct write_step *step)
{
	const struct gsc_write_step *a = &step->access;
	bool over = true, moved = find_pair(run->plan->reg.space) && a->address >= MOVED_FIRST &&
				  !(run->slots[SLOT_MODE] & 1);
	uint64_t address = a->address - (moved ? MOVED_BY : 0), value = 0;
	uint64_t there = run->slots[step->slot] >> step->shift;
	int64_t end = step->until ? clock_ns(CLOCK_MONOTONIC) + WAIT_NANOSECONDS : 0;
	enum gsc_read status;

	if (a->write) {
		/* What was not read cannot be restored. */
		if (step->slot == SLOT_INDEX && !run->has[SLOT_INDEX])
			return GSC_READ_OK;
		value = a->value | (there & a->keep) | (~there & a->flip);
		source_store(run->source, a->space, address, a->size, value);
		if (step->slot == SLOT_OLD) {
			run->written->stored = true;
			run->written->value |= value << step->shift;
		}
		return GSC_READ_OK;
	}
	/* One last read comes after the time is over: we may have been asleep. */
	do {
		if (step->until)
			over = clock_ns(CLOCK_MONOTONIC) > end;
		status = source_load(run->source, a->space, address, a->size, &value);
	} while (!status && value & step->until && !over);
	if (step->until) {
		run->busy = !status && value & step->until;
		return run->busy ? GSC_READ_ASLEEP : status;
	}
	if (step->slot == SLOT_NONE)
		return GSC_READ_OK;
	run->slots[step->slot] |= value << step->shift;
	run->has[step->slot] = !status;
	return status;
}

/* Up to one that fails. */
static enum gsc_read run_steps(struct run *run, size_t from, size_t to)
{
	enum gsc_read status = GSC_READ_OK;

	for (size_t i = from; !status && i < to; i++)
		status = run_step(run, &run->plan->steps[i]);
	return status;
}

static enum gsc_status open_stores(const struct run *run, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; !status && i < run->plan->count; i++) {
		const struct gsc_write_step *a = &run->plan->steps[i].access;

		if (a->write)
			status = source_store_open(run->source, a->space, a->address, a->size, err);
	}
	return status;
}

/* Every objection before anything is written; then what is there. */
static enum gsc_status look(struct run *run, struct gsc_error *err)
{
	const struct gsc_write_plan *plan = run->plan;
	int platform = gsc_source_platform(run->source);
	enum gsc_status status;
	enum gsc_read read;

	if (platform >= 0 && (unsigned)platform != plan->view->platform)
		return err_set(err, GSC_USAGE, plan->name,
			       "planned for a different platform from that of the source");
	status = open_stores(run, err);
	if (status)
		return status;
	read = run_steps(run, 0, plan->looks);
	run->written->old = run->slots[SLOT_OLD];
	if (!read)
		return GSC_OK;
	run_steps(run, plan->after, plan->count);
	if (run->busy)
		return err_set(err, GSC_GONE, plan->name, "%s", BUSY);
	status = read == GSC_READ_DENIED ? GSC_DENIED :
		 read == GSC_READ_ABSENT ? GSC_UNKNOWN : GSC_GONE;
	return err_set(err, status, plan->name,
		       plan->look_only ? "it could not be read: %s"
				       : "not written, as the current value could not be read: %s",
		       gsc_read_word(read));
}

enum gsc_status look_run(struct gsc_write_plan *plan, struct gsc_source *source, uint64_t *value,
			 struct gsc_error *err)
{
	struct gsc_written written = { .reg = plan->reg };
	struct run run = { .plan = plan, .source = source, .written = &written };
	enum gsc_status status = look(&run, err);

	if (!status)
		run_steps(&run, plan->after, plan->count);
	*value = written.old;
	return status;
}

/* Every objection, once the current value is known. */
static enum gsc_status allow(const struct run *run, const struct gsc_write_options *options,
			     struct gsc_error *err)
{
	const struct gsc_write_plan *plan = run->plan;
	struct gsc_written *written = run->written;
	uint64_t unset = plan->change.agreed & ~written->old;

	written->has_old = !plan->bits.blind;
	written->time = clock_ns(CLOCK_REALTIME);
	/* A reserved bit that is not set is not set by chance, either. */
	if (unset)
		return err_set(err, GSC_USAGE, plan->name,
			       "bits 0x%llx: reserved and now zero, so they are not set; --force "
			       "sets them anyway", LL(unset));
	/* Whoever has made an entry uses it; nobody misses one that is not valid. */
	if (plan->careful && written->old & 1)
		return err_set(err, GSC_USAGE, plan->name,
			       "not without --force: the entry is valid (0x%llx), so something may "
			       "use it", LL(written->old));
	/* An undo would destroy what somebody else has written since. */
	if (written->has_old)
		written->changed = (written->old ^ plan->left) & plan->since;
	if (written->changed && !options->insist)
		return err_set(err, GSC_USAGE, plan->name,
			       "it has changed since: 0x%llx was left there, 0x%llx is there now; "
			       "--force restores it anyway", LL(plan->left), LL(written->old));
	return options->before ? options->before(options->context, written, err) : GSC_OK;
}

static enum gsc_status change(struct run *run, struct gsc_error *err)
{
	const struct gsc_write_plan *plan = run->plan;
	const struct write_bits *bits = &plan->bits;
	struct gsc_written *written = run->written;
	enum gsc_read read = run_steps(run, plan->looks, plan->after);
	uint64_t stored = 0, differ;
	struct gsc_error why;

	run_steps(run, plan->after, plan->count);
	/* Halves that were not written are unchanged. */
	for (size_t i = 0; i < plan->count; i++)
		if (plan->steps[i].access.write && plan->steps[i].slot == SLOT_OLD)
			stored |= size_mask(plan->steps[i].access.size) << plan->steps[i].shift;
	written->value |= written->old & ~stored & bits_below(plan->reg.bits);
	written->back = run->slots[SLOT_BACK];
	if ((read || bits->blind) && open_stores(run, &why))
		return err_set(err, GSC_GONE, plan->name,
			       "the device went away during the write, which may or may not have "
			       "reached it: %s", why.why);
	if (read && run->busy)
		return err_set(err, GSC_PARTIAL, plan->name,
			       "it is not known whether it is written: %s", BUSY);
	if (read)
		return err_set(err, GSC_PARTIAL, plan->name, "written, but it cannot be read back");
	if (bits->blind)
		return GSC_OK;
	written->has_back = true;
	differ = (written->value ^ written->back) & ~(bits->w1c | bits->wo);
	written->lost = written->bits & (differ | (bits->w1c & written->value & written->back));
	/* What changes by itself has changed, or has done what it was written for. */
	if (!written->lost || plan->reg.flags & GSC_REG_VOLATILE)
		return GSC_OK;
	return err_set(err, GSC_PARTIAL, plan->name,
		       "it does not read back as written: bits 0x%llx differ", LL(written->lost));
}

enum gsc_status gsc_write_run(struct gsc_write_plan *plan, const struct gsc_gpu *gpu,
			      const struct gsc_write_options *options,
			      struct gsc_written *written, struct gsc_error *err)
{
	static const struct gsc_write_options none;
	struct run run = { .plan = plan, .source = gpu->source, .written = written };
	enum gsc_status status = plan->hazard ? write_hazard(plan, err) : GSC_OK;

	*written = (struct gsc_written){ .reg = plan->reg, .forced = plan->force,
					 .bits = plan->change.asked, .bar_alias = plan->alias };
	strcpy(written->name, plan->name);
	if (!status)
		status = gpu_needs_source(gpu, err);
	if (!status)
		status = look(&run, err);
	if (status)
		return status;
	status = allow(&run, options ? options : &none, err);
	if (!status)
		return change(&run, err);
	run_steps(&run, plan->after, plan->count);
	return status;
}
