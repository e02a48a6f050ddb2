/* SPDX-License-Identifier: MIT */
/* How the processor is notified about engines (i915_irq.c, gt/intel_gt_irq.c; xe_irq.c). */
#include "engine.h"

enum { MASTER_ENABLE = 1u << 31, GEN8_IIR = 0x44308, GEN8_IER = 0x4430c, GEN8_IMR = 0x44304 };
/* From Xe2 on, above the master. */
enum { TILES = 0x190008 };
/* Gen6 and 7: for engines, and 0x10 above for power management and the video enhancer. */
enum { GEN6_IMR = 0x44014, GEN6_IIR = 0x44018, GEN6_IER = 0x4401c, DEIER = 0x4400c };

static uint32_t value(const struct gpu *gpu, uint32_t offset)
{
	return gpu->bar0[offset / 4];
}

/* Gen11: a bit for each engine. */
static uint32_t *bank_pending(struct gpu *gpu, unsigned bank)
{
	return &gpu->bar0[(0x190018 + 4 * bank) / 4];
}

/* Gen8: four registers, each for two engines or for power management. */
static uint32_t gen8_pending(struct gpu *gpu)
{
	static const struct {
		unsigned bank;
		uint32_t mask, master;
	} parts[] = {
		{ 0, 0xffff, 1 << 0 }, { 0, 0xffff0000, 1 << 1 }, { 1, 0xffff, 1 << 2 },
		{ 1, 0xffff0000, 1 << 3 }, { 2, UINT32_MAX, 1 << 4 }, { 3, UINT32_MAX, 1 << 6 },
	};
	uint32_t pending = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		uint32_t bank = 0x10 * parts[i].bank;

		if (value(gpu, GEN8_IIR + bank) & value(gpu, GEN8_IER + bank) & parts[i].mask)
			pending |= parts[i].master;
	}
	return pending;
}

uint32_t interrupt_master(struct gpu *gpu)
{
	if (gpu->platform->gen >= 11)
		return (value(gpu, 0x190010) & MASTER_ENABLE) | (*bank_pending(gpu, 0) ? 1 << 0 : 0) |
		       (*bank_pending(gpu, 1) ? 1 << 1 : 0);
	if (gpu->platform->gen >= 8)
		return (value(gpu, 0x44200) & MASTER_ENABLE) | gen8_pending(gpu);
	return (value(gpu, DEIER) & MASTER_ENABLE) |
	       (value(gpu, GEN6_IIR) & value(gpu, GEN6_IER) ? 1 : 0) |
	       (value(gpu, GEN6_IIR + 0x10) & value(gpu, GEN6_IER + 0x10) ? 2 : 0);
}

/* The line follows what is pending; a message is sent when it rises. */
void interrupt_update(struct gpu *gpu)
{
	uint32_t master = interrupt_master(gpu);
	bool tiles = !gpu->platform->release || (value(gpu, TILES) & MASTER_ENABLE);
	bool up = tiles && (master & MASTER_ENABLE) && (master & ~MASTER_ENABLE);

	if (up && !gpu->interrupting && gpu->interrupt)
		gpu->interrupt(gpu, gpu->interrupt_data);
	gpu->interrupting = up;
}

void interrupt_raise(struct gpu *gpu, struct engine *e, uint32_t bits)
{
	unsigned gen = gpu->platform->gen;
	uint32_t bank = 0x10 * e->kind->bank;

	if (gen >= 8)
		bits &= ~*engine_register(gpu, e, RING_IMR);
	if (!bits)
		return;
	if (gen >= 11) {
		e->vector |= bits;
		*bank_pending(gpu, e->kind->bank) |= 1u << e->kind->bit;
	} else if (gen >= 8) {
		gpu->bar0[(GEN8_IIR + bank) / 4] |=
			bits << e->kind->bit & ~value(gpu, GEN8_IMR + bank);
	} else {
		gpu->bar0[(GEN6_IIR + bank) / 4] |=
			bits << e->kind->bit & ~value(gpu, GEN6_IMR + bank);
	}
	interrupt_update(gpu);
}

void interrupt_select(struct gpu *gpu, unsigned bank, uint32_t mask)
{
	enum { VALID = 1u << 31 };

	gpu->identity[bank] = 0;
	for (struct engine *e = gpu->engines; e->kind; e++)
		if (e->kind->bank == bank && (mask & 1u << e->kind->bit)) {
			gpu->identity[bank] = VALID | e->kind->instance << 20 |
					      e->kind->class << 16 | e->vector;
			e->vector = 0;
		}
}

/* What has arrived meanwhile stays. */
void interrupt_clear(struct gpu *gpu, unsigned bank, uint32_t mask)
{
	*bank_pending(gpu, bank) &= ~mask;
	for (const struct engine *e = gpu->engines; e->kind; e++)
		if (e->kind->bank == bank && e->vector)
			*bank_pending(gpu, bank) |= 1u << e->kind->bit;
	interrupt_update(gpu);
}
