/* SPDX-License-Identifier: MIT */
#include "context.h"

#include "engine.h"

/* One MI_LOAD_REGISTER_IMM: its position in the state page, in dwords, and what it loads. */
struct list {
	unsigned dword, count;
	uint32_t flags;
	const uint16_t *registers;
};

#define LISTS 4
#define LIST(dword, flags, registers) { dword, ARRAY_SIZE(registers), flags, registers }

/* CONTEXT_CONTROL, HEAD, TAIL, START, CONTROL, batch, second level, batches run at switches. */
static const uint16_t ring_registers[] = {
	0x244, 0x034, 0x030, 0x038, 0x03c, 0x168, 0x140, 0x110, 0x11c, 0x114, 0x118, 0x1c0, 0x1c4,
	0x1c8,
};

static const uint16_t gen11_ring_registers[] = {
	0x244, 0x034, 0x030, 0x038, 0x03c, 0x168, 0x140, 0x110, 0x11c, 0x114, 0x118, 0x1c0, 0x1c4,
	0x1c8, 0x180,
};

/* The timestamp, then the page-directory pointers from 3 down, upper half first. */
static const uint16_t table_registers[] = {
	0x3a8, 0x28c, 0x288, 0x284, 0x280, 0x27c, 0x278, 0x274, 0x270,
};

static const uint16_t power_register[] = { 0x0c8 };
static const uint16_t unnamed_200[] = { 0x200 };
static const uint16_t unnamed_1b0[] = { 0x1b0 };

#define GPR(n) 0x600 + 8 * (n), 0x604 + 8 * (n)

static const uint16_t gen9_engine_registers[] = {
	0x028, 0x09c, 0x0c0, 0x178, 0x17c, 0x358, 0x170, 0x150, 0x154, 0x158, 0x41c,
	GPR(0), GPR(1), GPR(2), GPR(3), GPR(4), GPR(5), GPR(6), GPR(7),
	GPR(8), GPR(9), GPR(10), GPR(11), GPR(12), GPR(13), GPR(14), GPR(15),
	0x068,
};

static const struct list gen9_render[LISTS] = {
	LIST(1, MI_LRI_FORCE_POSTED, ring_registers),
	LIST(33, MI_LRI_FORCE_POSTED, table_registers),
	LIST(65, 0, power_register),
	LIST(81, MI_LRI_FORCE_POSTED, gen9_engine_registers),
};

/* Gen11 as well. */
static const struct list gen9_other[LISTS] = {
	LIST(1, MI_LRI_FORCE_POSTED, ring_registers),
	LIST(33, MI_LRI_FORCE_POSTED, table_registers),
	LIST(65, MI_LRI_FORCE_POSTED, unnamed_200),
	LIST(81, MI_LRI_FORCE_POSTED, gen9_engine_registers),
};

static const struct list gen11_render[LISTS] = {
	LIST(1, MI_LRI_FORCE_POSTED, gen11_ring_registers),
	LIST(33, MI_LRI_FORCE_POSTED, table_registers),
	LIST(52, MI_LRI_FORCE_POSTED, unnamed_1b0),
	LIST(65, 0, power_register),
};

static uint32_t value_of(uint16_t offset, const struct setting *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i].offset == offset)
			return values[i].value;
	return 0;
}

/* Returns the offset after the list. */
static uint64_t write_list(struct object *image, uint32_t base, const struct list *list,
			   uint32_t flags, const struct setting *values, size_t count)
{
	uint64_t at = CONTEXT_STATE + (uint64_t)list->dword * 4;

	object_write(image, at, 4,
		     MI_LOAD_REGISTER_IMM | list->flags | flags | (2 * list->count - 1));
	at += 4;
	for (unsigned i = 0; i < list->count; i++, at += 8) {
		object_write(image, at, 4, base + list->registers[i]);
		object_write(image, at + 4, 4, value_of(list->registers[i], values, count));
	}
	return at;
}

void context_write(struct object *image, const struct context *c)
{
	const struct list *lists = c->base != 0x2000 ? gen9_other :
				   c->gen == 9	     ? gen9_render :
						       gen11_render;
	const struct setting values[] = {
		{ CONTEXT_CONTROL, c->gen == 9 ? 0x000f0008 : 0x00090008 },
		{ RING_HEAD, c->head },
		{ RING_TAIL, c->ring->offset },
		{ RING_START, (uint32_t)c->ring->object->address },
		{ RING_CONTROL, (c->ring->object->count - 1) << 12 | RING_ENABLE },
		{ BB_STATE, BB_PPGTT },
		{ CONTEXT_TIMESTAMP, c->run_time },
		{ PDP0_UPPER, (uint32_t)(c->pml4 >> 32) },
		{ PDP0_LOWER, (uint32_t)c->pml4 },
		{ RCS_R_PWR_CLK_STATE, c->power },
		{ MI_MODE, 0xffff0000 },
	};
	uint32_t flags = c->gen >= 11 ? MI_LRI_CS_MMIO : 0;
	uint64_t end = 0;

	for (unsigned i = 0; i < LISTS; i++)
		end = write_list(image, c->base, &lists[i], flags, values, ARRAY_SIZE(values));
	object_write(image, end, 4, MI_BATCH_BUFFER_END | (c->gen >= 11));
}

void context_events(struct object *status, unsigned gen, uint32_t base,
		    const struct context_event *events, size_t count)
{
	uint32_t last = (uint32_t)count - 1;

	for (size_t i = 0; i < count; i++) {
		REGISTERS(status->m, base + CONTEXT_STATUS_BUFFER + 8 * (uint32_t)i,
			{ 0, events[i].status },
			{ 4, events[i].context });
		object_write(status, 0x40 + 8 * i, 4, events[i].status);
		object_write(status, 0x44 + 8 * i, 4, events[i].context);
	}
	REGISTERS(status->m, base, { CONTEXT_STATUS_POINTER, last << 8 | last });
	object_write(status, gen >= 11 ? 0xbc : 0x7c, 4, last);
}
