/* SPDX-License-Identifier: MIT */
/*
 * Registers that are reached by writing others first: those of VGA behind an index, those of the
 * sideband behind a doorbell. Index ports are restored.
 */
#include "regs/write.h"

#include "db/ports.h"

/* ---- VGA ------------------------------------------------------------------------------------- */

#define ST01 0x3da

/*
 * SNB PRM Vol 1 Part 1, 6.2 and 6.3. AR has one port for index and data: reading ST01 makes the
 * next write one of the index, and bit 5 of that, which switches the screen, is not part of it.
 */
static const struct pair {
	enum gsc_space space;
	uint16_t index, read, write;
	bool moves;			/* to 3Bxh, where bit 0 of MSR is 0 */
	bool flips;
} pairs[] = {
	{ GSC_VGA_SR, 0x3c4, 0x3c5, 0x3c5, false, false },
	{ GSC_VGA_GR, 0x3ce, 0x3cf, 0x3cf, false, false },
	{ GSC_VGA_AR, 0x3c0, 0x3c1, 0x3c0, false, true },
	{ GSC_VGA_CR, 0x3d4, 0x3d5, 0x3d5, true, false },
};

#define AR_SCREEN 0x20
#define AR_PALETTE 0x10			/* registers below this are locked while the screen is on */

static const struct pair *find_pair(enum gsc_space space)
{
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (pairs[i].space == space)
			return &pairs[i];
	return NULL;
}

static struct write_step *add_port(struct gsc_write_plan *plan, enum write_what what, uint16_t port,
				   const char *why)
{
	struct write_step *step = write_add_step(plan, what, port, 1);

	step->access.space = plan->target.alias ? GSC_MMIO : GSC_IO;
	step->access.why = why;
	return step;
}

static struct write_step *add_moving(struct gsc_write_plan *plan, enum write_what what,
				     uint16_t port, const char *why)
{
	struct write_step *step = add_port(plan, what, port, why);

	step->moves = true;
	return step;
}

static void add_flip(struct gsc_write_plan *plan)
{
	add_moving(plan, WRITE_POST, ST01,
		   "makes the next write of 0x3c0 an index (port 0x3ba if MSR says so)");
}

static void add_index(struct gsc_write_plan *plan, const struct pair *pair)
{
	struct write_step *step = add_port(plan, WRITE_PLAIN, pair->index, "the index");
	uint64_t number = plan->target.reg.offset;

	step->moves = pair->moves;
	step->access.value = number;
	if (pair->flips && !(plan->change.asked && number < AR_PALETTE))
		step->access.keep = AR_SCREEN;
	step->access.known = !step->access.keep;
}

static void add_look(struct gsc_write_plan *plan, const struct pair *pair)
{
	struct write_step *save;

	if (pair->moves || pair->flips)
		add_port(plan, WRITE_MODE, PORT_MSR,
			 "bit 0 selects ports 0x3d0 to 0x3df, else 0x3b0 to 0x3bf");
	if (pair->flips)
		add_flip(plan);
	save = add_port(plan, WRITE_SAVE, pair->index,
			pair->moves ? "the current index (port 0x3b4 if MSR says so)"
				    : "the current index");
	save->moves = pair->moves;
	add_index(plan, pair);
	if (!plan->bits.blind)
		add_port(plan, WRITE_OLD, pair->read, "the current value")->moves = pair->moves;
}

static void add_change(struct gsc_write_plan *plan, const struct pair *pair)
{
	const struct write_change *c = &plan->change;
	struct write_step *step = add_port(plan, WRITE_STORE, pair->write, c->why);

	step->moves = pair->moves;
	step->access.value = c->value;
	step->access.keep = c->keep;
	step->access.flip = c->flip;
	step->access.known = !(c->keep | c->flip);
	if (!plan->bits.blind)
		add_port(plan, WRITE_BACK, pair->read, "read back")->moves = pair->moves;
}

static void add_after(struct gsc_write_plan *plan, const struct pair *pair)
{
	struct write_step *step;

	plan->after = plan->count;
	if (pair->flips)
		add_flip(plan);
	step = add_port(plan, WRITE_PLAIN, pair->index, "the index, as it was");
	step->moves = pair->moves;
	step->access.keep = UINT8_MAX;
	if (pair->flips)
		add_flip(plan);
}

static enum gsc_status lay_out_vga(struct gsc_write_plan *plan, struct gsc_error *err)
{
	const struct write_target *t = &plan->target;
	const struct pair *pair = find_pair(t->reg.space);

	if (t->reg.offset > UINT8_MAX || (pair->flips && t->reg.offset >= AR_SCREEN))
		return err_set(err, GSC_USAGE, t->name, "there is no such index");
	add_look(plan, pair);
	plan->looks = plan->count;
	if (!plan->look_only)
		add_change(plan, pair);
	add_after(plan, pair);
	return GSC_OK;
}

/* ---- the sideband ---------------------------------------------------------------------------- */

/*
 * A message is a port and an opcode, for PCI function 00.0. PHYs use reads and writes of memory,
 * other units those of registers (i915's vlv_sideband.c).
 */
enum { OP_MEMORY_READ, OP_MEMORY_WRITE, OP_REGISTER_READ = 6, OP_REGISTER_WRITE };

#define DOORBELL_BUSY 1u

static const struct unit {
	unsigned port, read, write;
} special[] = {
	{ 0x12, OP_MEMORY_READ, OP_MEMORY_WRITE },
	{ 0x1a, OP_MEMORY_READ, OP_MEMORY_WRITE },
};

struct doorbell {
	struct gsc_reg bell, data, address;
	struct unit unit;
};

static struct unit unit_of(uint64_t offset)
{
	unsigned port = (unsigned)(offset >> 16);

	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (special[i].port == port)
			return special[i];
	return (struct unit){ port, OP_REGISTER_READ, OP_REGISTER_WRITE };
}

static bool find_doorbell(struct doorbell *d, const struct gsc_view *view, uint64_t offset)
{
	d->unit = unit_of(offset);
	return view_find(view, NULL, "VLV_IOSF_DOORBELL_REQ", -1, &d->bell) &&
	       view_find(view, NULL, "VLV_IOSF_DATA", -1, &d->data) &&
	       view_find(view, NULL, "VLV_IOSF_ADDR", -1, &d->address);
}

static struct write_step *add_message(struct gsc_write_plan *plan, enum write_what what,
				      const struct gsc_reg *reg, const char *why)
{
	struct write_step *step = write_add_step(plan, what, reg->offset, 4);

	step->access.space = reg->space;
	step->access.known = step->access.write;
	step->access.why = why;
	return step;
}

static void add_wait(struct gsc_write_plan *plan, const struct doorbell *d)
{
	struct write_step *step = add_message(plan, WRITE_WAIT, &d->bell,
					      "until bit 0, busy, is 0; at most 10 ms");

	step->until = DOORBELL_BUSY;
	step->busy = "the sideband is busy: its doorbell has not answered within 10 ms";
}

static void add_bell(struct gsc_write_plan *plan, const struct doorbell *d, unsigned opcode)
{
	add_message(plan, WRITE_PLAIN, &d->bell, "rings")->access.value =
		opcode << 16 | d->unit.port << 8 | 0xf << 4 | DOORBELL_BUSY;
	add_wait(plan, d);
}

static void add_number(struct gsc_write_plan *plan, const struct doorbell *d)
{
	add_message(plan, WRITE_PLAIN, &d->address, "the register")->access.value =
		plan->target.reg.offset & SIDEBAND_LAST;
}

static void add_fetch(struct gsc_write_plan *plan, const struct doorbell *d, enum write_what what,
		      const char *why)
{
	add_number(plan, d);
	add_message(plan, WRITE_PLAIN, &d->data, NULL);
	add_bell(plan, d, d->unit.read);
	add_message(plan, what, &d->data, why);
}

static void add_send(struct gsc_write_plan *plan, const struct doorbell *d)
{
	const struct write_change *c = &plan->change;
	struct write_step *step;

	add_number(plan, d);
	step = add_message(plan, WRITE_STORE, &d->data, c->why);
	step->access.value = c->value;
	step->access.keep = c->keep;
	step->access.flip = c->flip;
	step->access.known = !(c->keep | c->flip);
	add_bell(plan, d, d->unit.write);
}

static enum gsc_status lay_out_sideband(struct gsc_write_plan *plan, struct gsc_error *err)
{
	const struct write_target *t = &plan->target;
	bool blind = plan->bits.blind;
	struct doorbell d;

	if (!find_doorbell(&d, t->view, t->reg.offset))
		return err_set(err, GSC_USAGE, t->name, "this platform has no sideband");
	if (t->reg.offset >> 24 || t->reg.bits != 32)
		return err_set(err, GSC_USAGE, t->name, "there is no such unit");
	add_wait(plan, &d);
	if (!blind)
		add_fetch(plan, &d, WRITE_OLD, "the current value");
	plan->looks = plan->count;
	if (!plan->look_only)
		add_send(plan, &d);
	if (!plan->look_only && !blind)
		add_fetch(plan, &d, WRITE_BACK, "read back");
	plan->after = plan->count;
	return GSC_OK;
}

/* ---- both ------------------------------------------------------------------------------------ */

bool space_is_indirect(enum gsc_space space)
{
	return space == GSC_SIDEBAND || find_pair(space);
}

enum gsc_status write_lay_out_indirect(struct gsc_write_plan *plan, struct gsc_error *err)
{
	return plan->target.reg.space == GSC_SIDEBAND ? lay_out_sideband(plan, err)
						      : lay_out_vga(plan, err);
}

const char *indirect_why(enum gsc_space space)
{
	return space == GSC_SIDEBAND ? "reading it rings a doorbell first, which needs --write"
				     : "reading it writes an index first, which needs --write";
}

/* ---- reading --------------------------------------------------------------------------------- */

enum gsc_status look_plan(struct gsc_write_plan **out, const struct gsc_view *view,
			  const struct item *item, struct gsc_error *err)
{
	struct gsc_write_plan *plan = calloc(1, sizeof(*plan));
	enum gsc_status status;

	*out = NULL;
	if (!plan)
		return err_memory(err);
	plan->look_only = true;
	plan->target = (struct write_target){ .view = view, .index = view->count,
					      .alias = item->alias };
	plan->target.reg = (struct gsc_reg){ .index = -1, .space = item->space,
					     .offset = item->start,
					     .bits = item_bytes(item) * 8, .access = GSC_RO };
	if (item->reg != NONE)
		gsc_view_reg(view, item->reg, &plan->target.reg);
	gsc_reg_full_name(&plan->target.reg, plan->target.name, sizeof(plan->target.name));
	status = write_lay_out_indirect(plan, err);
	if (status)
		gsc_write_plan_free(plan);
	else
		*out = plan;
	return status;
}

const char *gsc_read_plan_why(const struct gsc_write_plan *plan)
{
	return indirect_why(plan->target.reg.space);
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
