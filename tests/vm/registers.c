/* SPDX-License-Identifier: MIT */
/*
 * What registers do besides storing what was written: one table, by place and generation.
 * Everything else is memory, which is enough for i915.
 */
#include "gpu.h"

#include <string.h>

static uint32_t *at(struct gpu *gpu, uint32_t offset)
{
	return &gpu->bar0[offset / 4];
}

/* ---- behaviours ---------------------------------------------------------------------------- */

static void write_masked(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	uint32_t mask = value >> 16;

	*at(gpu, offset) = (*at(gpu, offset) & ~mask) | (value & mask);
}

static void write_ones_clear(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) &= ~value;
}

static void write_nothing(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	(void)gpu, (void)offset, (void)value;
}

static uint32_t read_clears(struct gpu *gpu, uint32_t offset)
{
	uint32_t value = *at(gpu, offset);

	*at(gpu, offset) = 0;
	return value;
}

static uint32_t read_zero(struct gpu *gpu, uint32_t offset)
{
	(void)gpu, (void)offset;
	return 0;
}

/* Taken by whoever reads it while it is free: bit 0 is IN USE. */
static uint32_t read_semaphore(struct gpu *gpu, uint32_t offset)
{
	uint32_t value = *at(gpu, offset);

	*at(gpu, offset) |= 1;
	return value;
}

/* 80 ns a tick; the upper half of a pair is 4 above. */
static uint32_t read_timestamp(struct gpu *gpu, uint32_t offset)
{
	uint64_t ticks = (uint64_t)(seconds() * 12.5e6) + 1;

	(void)gpu;
	return offset & 4 ? (uint32_t)(ticks >> 32) & 0xf : (uint32_t)ticks;
}

/*
 * A mailbox that has always done what it was told: neither the busy bit nor an error code (in place
 * of the command) stays, and what the driver polls for is granted.
 */
static void write_mailbox(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	enum { CDCLK_CONTROL = 0x07, SAGV_CONTROL = 0x21, CARD_STATUS = 0x7e };
	uint32_t command = value & 0xff;

	if (!(value & 1u << 31)) {
		*at(gpu, offset) = value;
		return;
	}
	*at(gpu, offset) = value & ~(1u << 31 | 0xff);
	if (command == CDCLK_CONTROL || command == SAGV_CONTROL || command == CARD_STATUS)
		*at(gpu, offset + 4) = 1;
}

/* The sideband of the south display: never busy, and its answer is success. */
static void write_sideband(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = value & ~7u;
}

/*
 * The sideband of Valleyview: a message that is sent with bit 0 has its unit and, in bit 0 of the
 * opcode, whether it writes. Units store what they are told; register 0xff of any never answers.
 */
static void write_message(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	uint32_t number = (value & 0xff00) << 8 | (*at(gpu, offset + 8) & 0xffff), i = 0;
	uint32_t *data = at(gpu, offset + 4);

	*at(gpu, offset) = value;
	if (!(value & 1) || (number & 0xffff) == 0xff)
		return;
	while (i < 15 && gpu->units[i].number && gpu->units[i].number != number)
		i++;
	if (value & 1u << 16) {
		gpu->units[i].number = number;
		gpu->units[i].value = *data;
	} else {
		*data = gpu->units[i].number == number ? gpu->units[i].value : 0;
	}
	*at(gpu, offset) = value & ~1u;
}

/* Display: each odd bit asks for a power well, and the bit below grants it. */
static void write_wells(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = (value & 0xaaaaaaaa) | (value & 0xaaaaaaaa) >> 1;
}

/* A PLL or a buffer of the display: asked for in bit 31, locked or powered in 30. */
static void write_granted(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = (value & ~(1u << 30)) | (value >> 31) << 30;
}

/* The south display's PHY: in reset (bit 13) as long as that is asked for (12). */
static void write_phy_reset(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = (value & ~(1u << 13)) | (value >> 12 & 1) << 13;
}

/* There is no monitor: what is sent (bit 31) is done (30) by a timeout (28). */
static void write_aux(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	uint32_t status = 1u << 30 | 1u << 28 | 1u << 25;
	uint32_t left = *at(gpu, offset) & status & ~value;

	*at(gpu, offset) = (value & ~(status | 1u << 31)) |
			   (value & 1u << 31 ? 1u << 30 | 1u << 28 : left);
}

/* Ready for a reset (bit 1) as soon as one is asked for (bit 0). */
static void write_reset_control(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	write_masked(gpu, offset, value);
	*at(gpu, offset) = (*at(gpu, offset) & 1) * 3;
}

static void awake_again(struct gpu *gpu)
{
	const struct domain *domain = gpu->platform->domains;

	gpu->awake = gpu->held;
	for (unsigned i = 0; domain[i].name; i++) {
		uint32_t granted = *at(gpu, domain[i].request) & 0xffff;

		if (granted)
			gpu->awake |= 1u << i;
		*at(gpu, domain[i].ack) = granted | (gpu->held >> i & 1) << 15;
	}
}

static void write_request(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	write_masked(gpu, offset, value);
	awake_again(gpu);
}

static void write_plain_request(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = value & 1;
	awake_again(gpu);
}

static uint32_t engine_of(const struct gpu *gpu, uint32_t offset)
{
	for (const uint32_t *base = gpu->platform->engines; *base; base++)
		if (offset - *base < 0x1000)
			return *base;
	return 0;
}

/* Two descriptors of two dwords through one port: the first one to run and low halves come last. */
static void write_port(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	const uint32_t *port = gpu->port;

	*at(gpu, offset) = value;
	gpu->port[gpu->port_writes++ % 4] = value;
	if (gpu->port_writes % 4 == 0)
		engine_submit(gpu, engine_of(gpu, offset), port[3] | (uint64_t)port[2] << 32,
			      port[1] | (uint64_t)port[0] << 32);
}

/* The queue's descriptors begin 0x40 below its doorbell. */
static void write_doorbell(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	const uint32_t *queue = at(gpu, offset - 0x40);

	*at(gpu, offset) = value;
	if (value & 1)
		engine_submit(gpu, engine_of(gpu, offset), queue[0] | (uint64_t)queue[1] << 32,
			      queue[2] | (uint64_t)queue[3] << 32);
}

static void write_tail(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	uint32_t engine = engine_of(gpu, offset);

	*at(gpu, offset) = value;
	if (!(*at(gpu, engine + 0x3c) & 1) || value == *at(gpu, engine + 0x34))
		return;
	engine_ring(gpu, engine);
}

static void write_events_pointer(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	write_masked(gpu, offset, value);
	engine_events_pointer(gpu, engine_of(gpu, offset), value);
}

static unsigned gt_of(uint32_t offset)
{
	return offset - MEDIA_GT < GT_SIZE;
}

static void write_reset(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	engines_reset(gpu, gt_of(offset), value);
}

static uint32_t read_context_time(struct gpu *gpu, uint32_t offset)
{
	return engine_time(gpu, engine_of(gpu, offset));
}

/* PP_DIR_BASE_READ has the last loaded value, at once. */
static void write_root(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = *at(gpu, offset - 0x228 + 0x518) = value;
}

static uint32_t read_master(struct gpu *gpu, uint32_t offset)
{
	(void)offset;
	return interrupt_master(gpu);
}

/* Above it, a bit for each tile: there is one. */
static uint32_t read_tiles(struct gpu *gpu, uint32_t offset)
{
	enum { ENABLE = 1u << 31 };

	return *at(gpu, offset) | ((interrupt_master(gpu) & ~ENABLE) != 0);
}

static void write_tiles(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = value & 1u << 31;
	interrupt_update(gpu);
}

static void write_interrupts(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = value;
	interrupt_update(gpu);
}

static void write_pending(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) &= ~value;
	interrupt_update(gpu);
}

/* Gen11: a register for each of two banks. */
static unsigned bank_of(uint32_t offset)
{
	return offset >> 2 & 1;
}

static void write_bank(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	interrupt_clear(gpu, bank_of(offset), value);
}

static void write_selector(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = value;
	interrupt_select(gpu, bank_of(offset), value);
}

static uint32_t read_identity(struct gpu *gpu, uint32_t offset)
{
	return gpu->identity[bank_of(offset)];
}

static void write_identity(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	gpu->identity[bank_of(offset)] &= ~value;
}

static void write_guc_load(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	guc_load(gpu, gt_of(offset), value);
}

/* Registers of both GuCs that lie outside of their GTs. */
enum { NOTIFY = 0x1901f0, MESSAGE = 0x190240, MEDIA_NOTIFY = 0x190304, MEDIA_MESSAGE = 0x190310 };

static void write_guc_message(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = value;
	guc_message(gpu, offset == MEDIA_MESSAGE);
}

static void write_guc_notify(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	(void)value;
	guc_notify(gpu, offset == MEDIA_NOTIFY);
}

/* Once written, it says so in bit 0. */
static void write_locked(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	*at(gpu, offset) = value | 1;
}

enum kind {
	MEMORY, MASKED, ONES_CLEAR, READ_ONLY, READ_CLEARS, READ_ZERO, SEMAPHORE, TIMESTAMP,
	MAILBOX, SIDEBAND, VLV_MESSAGE, AUX, RESET_CONTROL, REQUEST, PLAIN_REQUEST, ACK, PORT, DOORBELL, TAIL,
	SHADOWED, GDRST, OUTSIDE, EVENTS_POINTER, ROOT, MASTER, INTERRUPTS, PENDING, BANK,
	SELECTOR, IDENTITY,
	GUC_LOAD, GUC_MESSAGE, GUC_NOTIFY, LOCKED, TILES, CONTEXT_TIME,
	WELLS, GRANTED, PHY_RESET,
};

static const struct behaviour behaviours[] = {
	[MEMORY] = { 0 },
	[MASKED] = { "masked", .write = write_masked },
	[ONES_CLEAR] = { "w1c", .write = write_ones_clear },
	[READ_ONLY] = { "ro", .write = write_nothing },
	[READ_CLEARS] = { "clears", .read = read_clears },
	[READ_ZERO] = { "zero", .read = read_zero },
	[SEMAPHORE] = { "semaphore", .read = read_semaphore },
	[TIMESTAMP] = { "ticks", .read = read_timestamp, .write = write_nothing },
	[MAILBOX] = { "mailbox", .write = write_mailbox },
	[SIDEBAND] = { "mailbox", .write = write_sideband },
	[VLV_MESSAGE] = { "message", .write = write_message },
	[AUX] = { "aux", .write = write_aux },
	[RESET_CONTROL] = { "reset", .write = write_reset_control },
	[REQUEST] = { "request", .write = write_request, .awake = true },
	[PLAIN_REQUEST] = { "request", .write = write_plain_request, .awake = true },
	[ACK] = { "ack", .write = write_nothing, .awake = true },
	[PORT] = { "submit", .write = write_port },
	[DOORBELL] = { "submit", .write = write_doorbell },
	[TAIL] = { "submit", .write = write_tail },
	[SHADOWED] = { "shadowed" },
	[GDRST] = { "zero", .read = read_zero, .write = write_reset, .awake = true },
	[OUTSIDE] = { .awake = true },
	[EVENTS_POINTER] = { "masked", .write = write_events_pointer },
	[ROOT] = { NULL, .write = write_root },
	[MASTER] = { "interrupt", .read = read_master, .write = write_interrupts },
	[INTERRUPTS] = { "interrupt", .write = write_interrupts },
	[PENDING] = { "w1c", .write = write_pending },
	[BANK] = { "interrupt", .write = write_bank },
	[SELECTOR] = { "interrupt", .write = write_selector },
	[IDENTITY] = { "interrupt", .read = read_identity, .write = write_identity },
	[GUC_LOAD] = { "guc", .write = write_guc_load },
	[GUC_MESSAGE] = { "guc", .write = write_guc_message },
	[GUC_NOTIFY] = { "guc", .write = write_guc_notify },
	[LOCKED] = { "locked", .write = write_locked },
	[TILES] = { "interrupt", .read = read_tiles, .write = write_tiles },
	[CONTEXT_TIME] = { "ticks", .read = read_context_time },
	[WELLS] = { "granted", .write = write_wells },
	[GRANTED] = { "granted", .write = write_granted },
	[PHY_RESET] = { "granted", .write = write_phy_reset },
};

/* ---- where ---------------------------------------------------------------------------------- */

struct rule {
	unsigned from, to;		/* generations */
	enum kind kind;
	uint32_t offset, count, stride;
	bool engine;			/* relative to the base of each */
};

#define ALL 2, 99

static const struct rule rules[] = {
	{ 4, 5, SEMAPHORE, 0x30, .engine = true },		/* ring tail */
	{ 6, 7, TAIL, 0x30, .engine = true },
	{ 8, 99, SHADOWED, 0x30, .engine = true },
	{ ALL, MASKED, 0x9c, .engine = true },			/* MI_MODE */
	{ ALL, MASKED, 0xc0, .engine = true },			/* INSTPM */
	{ ALL, ONES_CLEAR, 0xb0, .engine = true },		/* EIR */
	{ ALL, READ_ONLY, 0xb8, .engine = true },		/* ESR */
	{ 7, 99, RESET_CONTROL, 0xd0, .engine = true },
	{ 8, 10, PORT, 0x230, .engine = true },		/* execution list port */
	{ 8, 99, MASKED, 0x244, .engine = true },		/* context control */
	{ 8, 99, EVENTS_POINTER, 0x3a0, .engine = true },	/* of context-status events */
	{ 7, 99, MASKED, 0x29c, .engine = true },		/* GFX_MODE */
	{ 6, 99, TIMESTAMP, 0x358, 2, 4, .engine = true },
	{ 12, 99, CONTEXT_TIME, 0x3a8, .engine = true },
	{ 11, 99, SHADOWED, 0x510, 17, 4, .engine = true },	/* submission queue */
	{ 11, 99, DOORBELL, 0x550, .engine = true },		/* its doorbell */
	{ 11, 99, MASKED, 0xe18c },				/* SAMPLER_MODE */
	{ 6, 6, MASKED, 0x2520 },				/* GFX_MODE of Gen6 */
	{ ALL, READ_ONLY, 0x4f10c },				/* as one that is locked */
	{ 6, 99, GDRST, 0x941c },				/* done at once; in no well */
	{ 7, 7, OUTSIDE, 0xa18c },				/* the plain request of before */
	{ 11, 99, OUTSIDE, 0xa540, 12, 4 },			/* requests for absent engines */
	{ 6, 99, SHADOWED, 0xa008, 2, 4 },			/* requested frequency */
	{ 5, 10, ONES_CLEAR, 0x44008 },				/* display interrupts */
	{ 5, 5, ONES_CLEAR, 0x44018 },				/* GT interrupts */
	{ 6, 7, PENDING, 0x44018, 2, 0x10 },
	{ 6, 7, INTERRUPTS, 0x44014, 2, 0x10 },
	{ 6, 7, INTERRUPTS, 0x4401c, 2, 0x10 },
	{ 6, 7, MASTER, 0x4400c },
	{ 7, 99, ONES_CLEAR, 0x42300 },				/* unclaimed access */
	{ 6, 6, ONES_CLEAR, 0xc4040 },				/* SERR_INT */
	{ 6, 6, ROOT, 0x228, .engine = true },			/* PP_DIR_BASE */
	{ 7, 7, ONES_CLEAR, 0x44040 },				/* ERR_INT */
	{ 8, 10, INTERRUPTS, 0x44304, 4, 0x10 },		/* GT interrupts: masked, */
	{ 8, 10, PENDING, 0x44308, 4, 0x10 },			/* pending, */
	{ 8, 10, INTERRUPTS, 0x4430c, 4, 0x10 },		/* enabled */
	{ 8, 10, MASTER, 0x44200 },
	{ 11, 99, MASTER, 0x190010 },
	{ 11, 99, BANK, 0x190018, 2, 4 },
	{ 11, 99, IDENTITY, 0x190060, 2, 4 },
	{ 11, 99, SELECTOR, 0x190070, 2, 4 },
	{ 8, 99, ONES_CLEAR, 0x44408, 4, 0x10 },		/* pipe interrupts */
	{ 8, 99, ONES_CLEAR, 0x44448, 3, 0x20 },		/* port and other interrupts */
	{ 8, 99, ONES_CLEAR, 0x444e8 },
	{ 11, 99, ONES_CLEAR, 0x44478 },
	{ 11, 99, ONES_CLEAR, 0x444f8 },
	{ 7, 11, ONES_CLEAR, 0x64838 },				/* self-refresh interrupts */
	{ 12, 12, ONES_CLEAR, 0x60818, 4, 0x1000 },
	{ 5, 99, ONES_CLEAR, 0xc4008 },				/* south display interrupts */
	{ 6, 99, READ_ONLY, 0x120008 },				/* free entries of the FIFO */
	{ 6, 99, MAILBOX, 0x138124 },
	{ 7, 12, WELLS, 0x45404 },				/* the driver's requests: display, */
	{ 11, 12, WELLS, 0x45444, 2, 0x10 },			/* AUX, ports */
	{ 9, 12, GRANTED, 0x45008 },				/* display buffers */
	{ 11, 12, GRANTED, 0x44fe8 },
	{ 9, 10, GRANTED, 0x46010 },				/* PLLs of the display's clock */
	{ 9, 12, GRANTED, 0x46070 },
	{ 7, 8, PHY_RESET, 0xc2004 },
	{ 7, 8, SIDEBAND, 0xc6008 },				/* of Lynx Point */
	{ 7, 8, VLV_MESSAGE, 0x182100 },				/* of Valleyview, Cherryview */
	{ 6, 99, AUX, 0x64010, 9, 0x100 },			/* DisplayPort */
	{ 6, 8, AUX, 0xe4110, 3, 0x100 },
	{ 6, 99, READ_ZERO, 0x101008 },				/* flush control */
	{ 8, 11, READ_ZERO, 0x4260, 5, 4 },			/* invalidation of TLBs: done at once */
	{ 12, 12, READ_ZERO, 0xced8, 5, 4 },
	{ 12, 12, READ_ZERO, 0x4208, 12, 0x10 },		/* ... of the auxiliary tables */
	{ 12, 12, READ_ZERO, 0x4274 },				/* ... of the GuC */
	{ 12, 12, READ_ZERO, 0xcee8 },
	{ 12, 12, LOCKED, 0xc050 },				/* memory of the firmware: its size, */
	{ 12, 12, LOCKED, 0xc340 },				/* its place */
	{ 12, 12, GUC_LOAD, 0xc314 },
	{ 12, 12, GUC_NOTIFY, NOTIFY },
	{ 12, 12, GUC_MESSAGE, MESSAGE },
};

/* From Xe2 on, beside those. */
static const struct rule xe2_rules[] = {
	{ 12, 12, TILES, 0x190008 },
	{ 12, 12, READ_ONLY, 0xfd0 },				/* whose turn it is to steer */
	{ 12, 12, READ_ONLY, 0xd8c },				/* written to flush others */
	{ 12, 12, GUC_NOTIFY, MEDIA_NOTIFY },
	{ 12, 12, GUC_MESSAGE, MEDIA_MESSAGE },
};

struct reset_value {
	unsigned from, to;
	uint32_t offset, value;
	bool engine;
};

static const struct reset_value reset_values[] = {
	{ ALL, 0x9c, 1u << 9, .engine = true },			/* MI_MODE: idle */
	{ 6, 6, 0x207c, UINT32_MAX },				/* units of the 3D engine: done */
	{ 7, 99, 0x7100, UINT32_MAX },
	{ 7, 99, 0xe160, UINT32_MAX },
	{ 7, 99, 0xe164, UINT32_MAX },
	{ 12, 12, 0x7104, UINT32_MAX },
	{ 12, 12, 0x7108, UINT32_MAX },
	{ 6, 99, 0x120008, 63 },
	{ 7, 7, 0xa180, 1u << 5 },				/* forcewake has a bit a user */
	{ 8, 11, 0x9120, 1u << 25 },				/* one slice is there */
	{ 12, 12, 0x9120, 1u << 25 | 1u << 2 },			/* ... of hardware that was sold */
	{ 11, 12, 0x9138, 1 },					/* one slice, again */
	{ 9, 11, 0xc000, 1 },					/* the GuC is in reset */
	{ 11, 12, 0x1082c0, STOLEN_BASE | 1 },			/* from there on stolen memory is taken */
	{ 9, 12, 0x42000, 0x8ff80000 },				/* fuses of the display are read */
	{ 12, 12, 0x9140, 0x000e00fa },				/* absent: all but VCS0, VCS2, VECS0 */
	{ 12, 12, 0x145998, 0x00020c1a },			/* frequencies: 1300, 600, 100 MHz */
};

/* From Xe2 on, beside those: `gt` is true where both GTs have it. */
static const struct {
	uint32_t offset, value;
	bool gt;
} xe2_values[] = {
	{ 0xfd0, 1, .gt = true },				/* steering: it is free */
	{ 0x9114, 1 << 16 },					/* present: CCS0, */
	{ 0x913c, 0xff }, { 0x9144, 0xff },			/* subslices for geometry, for compute, */
	{ MEDIA_GT + 0x9120, 1u << 25 | 1u << 2 },
	{ MEDIA_GT + 0x9140, 1 << 16 | 1 },			/* VECS0, VCS0 */
	{ 0x108040, 0xc0 },					/* 8 MB of GGTT, nothing stolen */
	{ 0xc60, 40, .gt = true },				/* frequency: 667 MHz, */
	{ 0x138000, 10 << 16 | 144 }, { 0x13800c, 20 },		/* frequencies of one GT, */
	{ 0x138020, 10 << 16 | 144 }, { 0x13802c, 20 },		/* of the other */
};

static void mark(struct gpu *gpu, const struct rule *rule, uint32_t base)
{
	for (uint32_t i = 0; i <= rule->count - (rule->count != 0); i++) {
		uint32_t index = (base + rule->offset + i * rule->stride) / 4;

		gpu->kind[index] = (uint8_t)rule->kind;
		gpu->hazard[index] = rule->kind == READ_CLEARS || rule->kind == SEMAPHORE ||
				      rule->kind == BANK;
	}
}

static void mark_rules(struct gpu *gpu, const struct rule *rules_of, size_t count)
{
	unsigned gen = gpu->platform->gen;

	for (const struct rule *rule = rules_of; rule < rules_of + count; rule++) {
		if (gen < rule->from || gen > rule->to)
			continue;
		if (!rule->engine)
			mark(gpu, rule, 0);
		for (const uint32_t *base = gpu->platform->engines; rule->engine && *base; base++)
			mark(gpu, rule, *base);
	}
}

static void mark_xe2(struct gpu *gpu)
{
	mark_rules(gpu, xe2_rules, sizeof(xe2_rules) / sizeof(xe2_rules[0]));
	memcpy(gpu->kind + MEDIA_GT / 4, gpu->kind, GT_SIZE / 4);
	memcpy(gpu->hazard + MEDIA_GT / 4, gpu->hazard, GT_SIZE / 4);
}

void registers_prepare(struct gpu *gpu)
{
	const struct domain *domain = gpu->platform->domains;

	mark_rules(gpu, rules, sizeof(rules) / sizeof(rules[0]));
	if (gpu->platform->release)
		mark_xe2(gpu);
	for (; domain->name; domain++) {
		gpu->kind[domain->request / 4] = domain->plain ? PLAIN_REQUEST : REQUEST;
		gpu->kind[domain->ack / 4] = ACK;
	}
}

static void reset_register(struct gpu *gpu, const struct reset_value *reset)
{
	if (!reset->engine)
		*at(gpu, reset->offset) = reset->value;
	for (const uint32_t *base = gpu->platform->engines; reset->engine && *base; base++)
		*at(gpu, *base + reset->offset) = reset->value;
}

/* Its memory was set up at boot: how many gigabytes there are, and where they end for the driver. */
static void reset_card(struct gpu *gpu)
{
	enum { GU_CNTL = 0x101010, READY = 1 << 7, TILE_RANGE = 0x1083a0, GSM_BASE = 0x108100 };
	uint64_t size = gpu->platform->local;

	*at(gpu, GU_CNTL) = READY;
	*at(gpu, TILE_RANGE) = (uint32_t)(size >> 30) << 8;
	*at(gpu, GSM_BASE) = (uint32_t)(size - (16 << 20));
	*at(gpu, GSM_BASE + 4) = (uint32_t)((size - (16 << 20)) >> 32);
}

static void reset_xe2(struct gpu *gpu)
{
	enum { GMD_ID = 0xd8c, IDLE_MAXIMUM = 0x54 };
	unsigned release = gpu->platform->release, media = gpu->platform->media;

	for (size_t i = 0; i < sizeof(xe2_values) / sizeof(xe2_values[0]); i++)
		for (unsigned gt = 0; gt <= xe2_values[i].gt; gt++)
			*at(gpu, xe2_values[i].offset + gt * MEDIA_GT) = xe2_values[i].value;
	*at(gpu, GMD_ID) = release / 100 << 22 | release % 100 << 14;
	*at(gpu, MEDIA_GT + GMD_ID) = media / 100 << 22 | media % 100 << 14;
	if (gpu->platform->local)
		reset_card(gpu);
	for (const uint32_t *base = gpu->platform->engines; *base; base++)
		*at(gpu, *base + IDLE_MAXIMUM) = 1000;
}

void registers_reset(struct gpu *gpu)
{
	unsigned gen = gpu->platform->gen;

	memset(gpu->bar0, 0, gpu->platform->bar0_size);
	for (size_t i = 0; i < sizeof(reset_values) / sizeof(reset_values[0]); i++)
		if (gen >= reset_values[i].from && gen <= reset_values[i].to)
			reset_register(gpu, &reset_values[i]);
	if (gpu->platform->release)
		reset_xe2(gpu);
	engines_prepare(gpu);
	awake_again(gpu);
}

const struct behaviour *register_behaviour(const struct gpu *gpu, uint32_t offset)
{
	return &behaviours[gpu->kind[offset / 4]];
}

void register_write(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	const struct behaviour *behaviour = register_behaviour(gpu, offset);

	if (behaviour->write)
		behaviour->write(gpu, offset, value);
	else
		*at(gpu, offset) = value;
}

/* ---- sleep ---------------------------------------------------------------------------------- */

const struct sleeping *register_sleeping(const struct gpu *gpu, uint32_t offset)
{
	if (register_behaviour(gpu, offset)->awake)
		return NULL;
	for (const struct sleeping *s = gpu->platform->sleeping; s->domains; s++)
		if (offset >= s->first && offset <= s->last)
			return s;
	return NULL;
}

unsigned register_domains(const struct gpu *gpu, uint32_t offset)
{
	const struct sleeping *sleeping = register_sleeping(gpu, offset);

	return sleeping ? sleeping->domains : 0;
}

bool register_asleep(const struct gpu *gpu, uint32_t offset)
{
	unsigned domains = register_domains(gpu, offset);

	return (gpu->awake & domains) != domains && !engines_active(gpu);
}

void registers_hold(struct gpu *gpu, unsigned domains)
{
	gpu->held = domains;
	awake_again(gpu);
}

void registers_lose(struct gpu *gpu)
{
	const struct domain *domain = gpu->platform->domains;

	for (unsigned i = 0; domain[i].name; i++)
		*at(gpu, domain[i].request) = 0;
	registers_hold(gpu, 0);
}

/* ---- faults --------------------------------------------------------------------------------- */

/* Gen8 and later store the address beside the fault; before, each engine has a record. */
struct fault_place {
	unsigned from, to;
	uint32_t fault, data0, data1;
};

static const struct fault_place fault_places[] = {
	{ 6, 7, 0x4094, 0, 0 },
	{ 8, 11, 0x4094, 0x4b10, 0x4b14 },
	{ 12, 12, 0xcec4, 0xceb8, 0xcebc },
};

bool register_fault(struct gpu *gpu, unsigned engine, uint32_t fault, uint32_t data0,
		    uint32_t data1)
{
	unsigned gen = gpu->platform->gen;

	/* Where Xe2 keeps it, no public source says. */
	if (gpu->platform->release)
		return false;
	for (size_t i = 0; i < sizeof(fault_places) / sizeof(fault_places[0]); i++) {
		const struct fault_place *place = &fault_places[i];

		uint32_t *record = at(gpu, place->fault + (place->data0 ? 0 : 0x100 * engine));

		if (gen < place->from || gen > place->to || (*record & 1))
			continue;
		*record = fault | 1;
		if (place->data0) {
			*at(gpu, place->data0) = data0;
			*at(gpu, place->data1) = data1;
		}
		return true;
	}
	return false;
}

void registers_forget_fault(struct gpu *gpu)
{
	for (size_t i = 0; i < sizeof(fault_places) / sizeof(fault_places[0]); i++)
		if (gpu->platform->gen >= fault_places[i].from &&
		    gpu->platform->gen <= fault_places[i].to)
			*at(gpu, fault_places[i].fault) = 0;
}
