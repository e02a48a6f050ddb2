/* SPDX-License-Identifier: MIT */
/*
 * The command streamer: from HEAD to TAIL of the ring, into batches and back. It updates its
 * registers (ACTHD, IPEHR, BB_ADDR, INSTDONE) before it executes a command, so that they are right
 * wherever it stops.
 */
#include "engine.h"

#include <string.h>

#define HEAD_MASK 0x1ffffcu

static uint32_t *reg(struct gpu *gpu, const struct engine *e, uint32_t offset)
{
	return engine_register(gpu, e, offset);
}

/* ---- memory --------------------------------------------------------------------------------- */

/*
 * The first fault since the record was cleared is kept (i915, intel_gt.c), and the streamer stops:
 * a process without a fault handler gets no second try.
 */
static void fault(struct gpu *gpu, struct engine *e, bool ggtt, uint64_t address, int level,
		  bool write)
{
	uint32_t value = (uint32_t)level << 1 | ggtt << 11;
	bool old = gpu->platform->gen < 8;

	if (old)	/* invalid page or directory entry */
		value = (uint32_t)(address & ~4095u) | ggtt << 11 | (level ? 1 << 1 : 0);
	else
		value |= e->kind->fault_id << 12;
	register_fault(gpu, e->kind->fault_id, value, (uint32_t)(address >> 12),
		       (uint32_t)(address >> 44 & 15) | ggtt << 4);
	e->halt = FAULTED;
	e->fault_address = address;
	e->fault_level = (unsigned)level;
	e->fault_write = write;
	engine_log(gpu, e, "fault at %s 0x%llx, level %d", ggtt ? "ggtt" : "ppgtt",
		   (unsigned long long)address, level);
}

bool streamer_in_process(const struct engine *e)
{
	return e->depth && !e->batch[e->depth - 1].ggtt;
}

static uint8_t *memory(struct gpu *gpu, struct engine *e, bool ggtt, uint64_t address, bool write)
{
	struct reached to = { 0 };

	address &= UINT64_C(0xfffffffffffc);
	if (ggtt)
		to.bytes = graphics_at(gpu, (uint32_t)address, 4);
	else
		to = process_at(gpu, e, address);
	if (!to.bytes && to.level >= 0 && e->halt != FAULTED)
		fault(gpu, e, ggtt, address, to.level, write);
	return to.bytes;
}

uint32_t streamer_load(struct gpu *gpu, struct engine *e, bool ggtt, uint64_t address)
{
	const uint8_t *bytes = memory(gpu, e, ggtt, address, false);
	uint32_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 4);
	return value;
}

void streamer_store(struct gpu *gpu, struct engine *e, bool ggtt, uint64_t address, uint32_t value)
{
	uint8_t *bytes = memory(gpu, e, ggtt, address, true);

	if (bytes)
		memcpy(bytes, &value, 4);
}

/* ---- where it is ---------------------------------------------------------------------------- */

static uint32_t ring_size(struct gpu *gpu, const struct engine *e)
{
	return (*reg(gpu, e, RING_CTL) & 0x1ff000) + 4096;
}

static uint32_t ring_offset(struct gpu *gpu, const struct engine *e, unsigned dwords)
{
	return ((*reg(gpu, e, RING_HEAD) & HEAD_MASK) + 4 * dwords) % ring_size(gpu, e);
}

uint32_t streamer_dword(struct gpu *gpu, struct engine *e, unsigned i)
{
	const struct batch *batch = e->depth ? &e->batch[e->depth - 1] : NULL;

	if (batch)
		return streamer_load(gpu, e, batch->ggtt, batch->at + 4 * i);
	return streamer_load(gpu, e, true, *reg(gpu, e, RING_START) + ring_offset(gpu, e, i));
}

void streamer_advance(struct gpu *gpu, struct engine *e, unsigned dwords)
{
	uint32_t *head = reg(gpu, e, RING_HEAD), next;

	if (e->depth) {
		e->batch[e->depth - 1].at += 4 * dwords;
		return;
	}
	next = ring_offset(gpu, e, dwords);
	if (next < (*head & HEAD_MASK))		/* how often it has wrapped */
		*head += 1u << 21;
	*head = (*head & ~HEAD_MASK) | next;
}

static void show_pair(struct gpu *gpu, const struct engine *e, uint32_t low, uint32_t high,
		      uint64_t value)
{
	*reg(gpu, e, low) = (uint32_t)value;
	if (gpu->platform->gen >= 8)
		*reg(gpu, e, high) = (uint32_t)(value >> 32);
}

static void show(struct gpu *gpu, const struct engine *e, uint32_t header)
{
	const struct batch *b = e->batch;
	uint64_t at = e->depth ? b[e->depth - 1].at
			       : *reg(gpu, e, RING_START) + ring_offset(gpu, e, 0);

	show_pair(gpu, e, RING_ACTHD, RING_ACTHD_UDW, at);
	show_pair(gpu, e, RING_DMA_FADD, RING_DMA_FADD_UDW, at);
	*reg(gpu, e, RING_IPEHR) = header;
	if (gpu->platform->gen < 7)
		return;
	show_pair(gpu, e, RING_BB_ADDR, RING_BB_ADDR_UDW, e->depth ? b[0].at | 1 : 0);
	*reg(gpu, e, RING_BB_STATE) = e->depth && !b[0].ggtt ? 1 << 5 : 0;
	if (gpu->platform->gen >= 8)
		show_pair(gpu, e, RING_SBBADDR, RING_SBBADDR_UDW, e->depth > 1 ? b[1].at | 1 : 0);
}

/* ---- going on ------------------------------------------------------------------------------- */

void streamer_error(struct gpu *gpu, struct engine *e)
{
	enum { INSTRUCTION_ERROR = 1 << 0 };

	*reg(gpu, e, RING_EIR) |= INSTRUCTION_ERROR & ~*reg(gpu, e, RING_EMR);
	*reg(gpu, e, RING_IPEIR) = 1;
	e->halt = FAULTED;
	engine_log(gpu, e, "error at 0x%x: 0x%x", *reg(gpu, e, RING_ACTHD),
		   *reg(gpu, e, RING_IPEHR));
}

/* Bit 10 of the ring's control register: it waits for a semaphore. */
static void show_waiting(struct gpu *gpu, const struct engine *e)
{
	uint32_t *control = reg(gpu, e, RING_CTL);

	*control = e->halt == WAITS ? *control | 1 << 10 : *control & ~(1u << 10);
}

/* What it leaves in registers, the next command replaces. */
void streamer_prologue(struct gpu *gpu, struct engine *e, uint64_t at)
{
	struct engine after = *e;
	unsigned commands = 1000;

	e->depth = 1;
	e->batch[0] = (struct batch){ at, true };
	while (commands-- && e->depth && e->halt != FAULTED) {
		uint32_t header = streamer_dword(gpu, e, 0);

		if (e->halt != FAULTED && command_execute(gpu, e, header) == NEXT)
			streamer_advance(gpu, e, command_length(header));
	}
	memcpy(e->batch, after.batch, sizeof(e->batch));
	e->depth = after.depth;
	e->no_arbitration = after.no_arbitration;
}

bool streamer_run(struct gpu *gpu, struct engine *e, unsigned commands)
{
	enum halt before = e->halt;

	if (e->halt == FAULTED)
		return false;
	e->halt = LOOPS;		/* if this many do not finish it */
	e->may_switch = false;
	while (commands--) {
		enum outcome outcome;
		uint32_t header;

		if (!e->depth && ring_offset(gpu, e, 0) == (*reg(gpu, e, RING_TAIL) & HEAD_MASK)) {
			e->halt = RUNS;
			break;
		}
		header = streamer_dword(gpu, e, 0);
		show(gpu, e, header);
		outcome = e->halt == FAULTED ? NOT_YET : command_execute(gpu, e, header);
		if (e->halt == FAULTED)
			break;
		if (outcome == NOT_YET) {
			e->halt = WAITS;
			break;
		}
		if (outcome == NEXT)
			streamer_advance(gpu, e, command_length(header));
	}
	show_waiting(gpu, e);
	if (e->halt != before && e->halt != RUNS)
		engine_log(gpu, e, "%s at 0x%x%08x",
			   e->halt == WAITS ? "waits" : e->halt == LOOPS ? "is long" : "halts",
			   *reg(gpu, e, RING_ACTHD_UDW), *reg(gpu, e, RING_ACTHD));
	return e->halt == RUNS;
}
