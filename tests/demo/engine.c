/* SPDX-License-Identifier: MIT */
#include "engine.h"

/* How far ahead of the parser commands are fetched. */
#define FETCH_AHEAD 0x80

static void address_registers(struct machine *m, const struct engine *e, uint64_t active)
{
	uint64_t fetch = e->batch ? active + FETCH_AHEAD : active;

	REGISTERS(m, e->base,
		{ ACTHD, (uint32_t)active },
		{ DMA_FADD, (uint32_t)fetch });
	if (e->wide)
		REGISTERS(m, e->base,
			{ ACTHD_UPPER, (uint32_t)(active >> 32) },
			{ FETCH_UPPER, (uint32_t)(fetch >> 32) },
			{ HWS_PGA, e->status_page });
}

/* A batch that started another one stays where it was; the other one is being fetched. */
static void batch_registers(struct machine *m, const struct engine *e)
{
	if (!e->batch)
		return;
	REGISTERS(m, e->base,
		{ BB_STATE, BB_PPGTT },
		{ BB_ADDR, (uint32_t)e->batch | BB_VALID });
	if (e->wide)
		REGISTERS(m, e->base, { BB_ADDR_UPPER, (uint32_t)(e->batch >> 32) });
	if (e->second_level)
		REGISTERS(m, e->base,
			{ SBB_ADDR, (uint32_t)e->second_level | BB_VALID },
			{ SBB_STATE, BB_PPGTT },
			{ SBB_ADDR_UPPER, (uint32_t)(e->second_level >> 32) });
}

void engine_registers(struct machine *m, const struct engine *e, uint32_t length)
{
	uint32_t head = e->wraps << 21 | e->head;

	hold(m, GSC_MMIO, e->base, length);
	REGISTERS(m, e->base,
		{ RING_TAIL, e->tail },
		{ RING_HEAD, head },
		{ RING_START, e->ring },
		{ RING_CONTROL, (e->pages - 1) << 12 | e->wait | RING_ENABLE },
		{ IPEHR, e->header },
		{ INSTDONE, e->instdone },
		{ HWSTAM, 0xffffffff },
		{ MI_MODE, e->mode },
		{ IMR, e->interrupt_mask },
		{ EMR, 0xffffffff },
		{ TIMESTAMP, (uint32_t)e->timestamp },
		{ TIMESTAMP + 4, (uint32_t)(e->timestamp >> 32) });
	/* In the ring ACTHD shows the same as HEAD, including the wrap count. */
	address_registers(m, e, e->batch ? e->active : head);
	batch_registers(m, e);
}
