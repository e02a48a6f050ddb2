/* SPDX-License-Identifier: MIT */
/*
 * What commands do: a table of those that access memory or registers, wait, or branch (names and
 * bits of i915's intel_gpu_commands.h). All others are skipped by their length.
 */
#include "engine.h"

#define DWORD(i) streamer_dword(gpu, e, i)

static bool new_addresses(const struct gpu *gpu)
{
	return gpu->platform->gen >= 8;
}

/* An address of one or two dwords from dword `i` on. */
static uint64_t address(struct gpu *gpu, struct engine *e, unsigned i)
{
	return DWORD(i) | (new_addresses(gpu) ? (uint64_t)(DWORD(i + 1) & 0xffff) << 32 : 0);
}

static unsigned after_address(const struct gpu *gpu, unsigned i)
{
	return i + (new_addresses(gpu) ? 2 : 1);
}

/* ---- registers ------------------------------------------------------------------------------ */

static uint32_t register_load(struct gpu *gpu, uint32_t offset)
{
	const struct behaviour *behaviour;

	if (offset >= gpu->platform->ggtt_offset)
		return 0;
	behaviour = register_behaviour(gpu, offset);
	return behaviour->read ? behaviour->read(gpu, offset) : gpu->bar0[offset / 4];
}

static void register_store(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	if (offset < gpu->platform->ggtt_offset)
		register_write(gpu, offset, value);
}

/* `relative`: the command has a bit by which offsets count from the engine (Gen11). */
static uint32_t register_offset(const struct engine *e, uint32_t offset, uint32_t relative)
{
	return relative ? e->kind->base + (offset & 0xffc) : offset & 0x7ffffc;
}

enum { TO_ENGINE = 1 << 19, FROM_ENGINE = 1 << 18, GGTT = 1 << 22 };

static enum outcome load_register_imm(struct gpu *gpu, struct engine *e, uint32_t header)
{
	unsigned length = command_length(header);

	for (unsigned i = 1; i + 1 < length; i += 2)
		register_store(gpu, register_offset(e, DWORD(i), header & TO_ENGINE), DWORD(i + 1));
	return NEXT;
}

static enum outcome load_register_mem(struct gpu *gpu, struct engine *e, uint32_t header)
{
	uint32_t value = streamer_load(gpu, e, header & GGTT, address(gpu, e, 2));

	register_store(gpu, register_offset(e, DWORD(1), header & TO_ENGINE), value);
	return NEXT;
}

static enum outcome store_register_mem(struct gpu *gpu, struct engine *e, uint32_t header)
{
	uint32_t offset = register_offset(e, DWORD(1), header & TO_ENGINE);

	streamer_store(gpu, e, header & GGTT, address(gpu, e, 2), register_load(gpu, offset));
	return NEXT;
}

static enum outcome load_register_reg(struct gpu *gpu, struct engine *e, uint32_t header)
{
	uint32_t from = register_offset(e, DWORD(1), header & FROM_ENGINE);

	register_store(gpu, register_offset(e, DWORD(2), header & TO_ENGINE),
		       register_load(gpu, from));
	return NEXT;
}

/* ---- memory --------------------------------------------------------------------------------- */

static uint32_t status_page(struct gpu *gpu, const struct engine *e)
{
	uint32_t offset = e->kind->status_page ? e->kind->status_page
					       : e->kind->base + RING_HWS_PGA;

	return gpu->bar0[offset / 4] & ~4095u;
}

/* Before Gen8 the address follows a reserved dword; all dwords after it are data. */
static enum outcome store_data(struct gpu *gpu, struct engine *e, uint32_t header)
{
	unsigned at = new_addresses(gpu) ? 1 : 2, data = after_address(gpu, at);
	uint64_t to = address(gpu, e, at);

	for (unsigned i = data; i < command_length(header); i++, to += 4)
		streamer_store(gpu, e, header & GGTT, to, DWORD(i));
	return NEXT;
}

static enum outcome store_index(struct gpu *gpu, struct engine *e, uint32_t header)
{
	(void)header;
	streamer_store(gpu, e, true, status_page(gpu, e) + (DWORD(1) & 0xffc), DWORD(2));
	return NEXT;
}

static enum outcome copy_memory(struct gpu *gpu, struct engine *e, uint32_t header)
{
	enum { TO_GGTT = 1 << 21, FROM_GGTT = 1 << 22 };
	uint32_t value = streamer_load(gpu, e, header & FROM_GGTT, address(gpu, e, 3));

	streamer_store(gpu, e, header & TO_GGTT, address(gpu, e, 1), value);
	return NEXT;
}

enum { NOTHING = 0, WRITE_DATA = 1, WRITE_TIME = 3 };

/* What flushes write when they are done: 8 bytes of data, or the time. */
static void post_sync(struct gpu *gpu, struct engine *e, unsigned operation, bool ggtt,
		      uint64_t to, unsigned data)
{
	uint32_t time = e->kind->base + RING_TIMESTAMP;

	if (operation == WRITE_DATA) {
		streamer_store(gpu, e, ggtt, to, DWORD(data));
		streamer_store(gpu, e, ggtt, to + 4, DWORD(data + 1));
	} else if (operation == WRITE_TIME) {
		streamer_store(gpu, e, ggtt, to, register_load(gpu, time));
		streamer_store(gpu, e, ggtt, to + 4, register_load(gpu, time + 4));
	}
}

enum { FLUSH_NOTIFY = 1 << 8, IN_STATUS_PAGE = 1 << 21 };

static enum outcome flush(struct gpu *gpu, struct engine *e, uint32_t header)
{
	uint64_t to = address(gpu, e, 1);
	unsigned data = after_address(gpu, 1), operation = header >> 14 & 3;
	bool ggtt = to & 1 << 2;

	to &= ~UINT64_C(7);
	if (header & IN_STATUS_PAGE) {
		to = status_page(gpu, e) + (to & 0xff8);
		ggtt = true;
	}
	if (operation == WRITE_DATA && command_length(header) < data + 2)
		streamer_store(gpu, e, ggtt, to, DWORD(data));
	else
		post_sync(gpu, e, operation, ggtt, to, data);
	if (header & FLUSH_NOTIFY)
		interrupt_raise(gpu, e, USER_INTERRUPT);
	return NEXT;
}

static enum outcome pipe_control(struct gpu *gpu, struct engine *e)
{
	uint32_t flags = DWORD(1);
	uint64_t to = address(gpu, e, 2);
	bool ggtt = gpu->platform->gen < 7 ? to & 1 << 2 : flags & 1 << 24;

	to &= ~UINT64_C(7);
	if (flags & IN_STATUS_PAGE) {
		to = status_page(gpu, e) + (to & 0xff8);
		ggtt = true;
	}
	post_sync(gpu, e, flags >> 14 & 3, ggtt, to, after_address(gpu, 2));
	if (flags & FLUSH_NOTIFY)
		interrupt_raise(gpu, e, USER_INTERRUPT);
	return NEXT;
}

/* ---- waiting -------------------------------------------------------------------------------- */

static enum outcome user_interrupt(struct gpu *gpu, struct engine *e, uint32_t header)
{
	(void)header;
	interrupt_raise(gpu, e, USER_INTERRUPT);
	return NEXT;
}

static enum outcome arbitration_check(struct gpu *gpu, struct engine *e, uint32_t header)
{
	(void)gpu, (void)header;
	e->may_switch = !e->no_arbitration;
	return NEXT;
}

static enum outcome arbitration_on_off(struct gpu *gpu, struct engine *e, uint32_t header)
{
	(void)gpu;
	e->no_arbitration = !(header & 1);
	return NEXT;
}

static bool holds(unsigned operation, uint32_t memory, uint32_t data)
{
	switch (operation) {
	case 0: return memory > data;
	case 1: return memory >= data;
	case 2: return memory < data;
	case 3: return memory <= data;
	case 4: return memory == data;
	default: return memory != data;
	}
}

static enum outcome semaphore_wait(struct gpu *gpu, struct engine *e, uint32_t header)
{
	enum { OF_REGISTER = 1 << 16 };
	uint32_t value;

	if (header & OF_REGISTER)
		value = register_load(gpu, DWORD(2) & 0x7ffffc);
	else
		value = streamer_load(gpu, e, header & GGTT, address(gpu, e, 2));
	if (e->halt == FAULTED || holds(header >> 12 & 7, value, DWORD(1)))
		return NEXT;
	e->may_switch = !e->no_arbitration;
	return NOT_YET;
}

/* ---- batches -------------------------------------------------------------------------------- */

static enum outcome batch_end(struct gpu *gpu, struct engine *e, uint32_t header)
{
	if (!e->depth) {	/* in a ring there is no batch to end */
		streamer_error(gpu, e);
		return NOT_YET;
	}
	(void)header;
	e->depth--;
	return JUMPED;
}

static bool predicated(struct gpu *gpu, const struct engine *e)
{
	return !(*engine_register(gpu, e, RING_PREDICATE_RESULT) & 1);
}

static enum outcome batch_start(struct gpu *gpu, struct engine *e, uint32_t header)
{
	enum { SECOND_LEVEL = 1 << 22, PREDICATE = 1 << 15, OF_PROCESS = 1 << 8 };
	struct batch batch = { address(gpu, e, 1) & ~UINT64_C(3), !(header & OF_PROCESS) };

	if ((header & PREDICATE) && gpu->platform->gen >= 8 && predicated(gpu, e))
		return NEXT;
	if (gpu->platform->gen >= 8 && streamer_in_process(e))
		batch.ggtt = false;		/* a process does not leave its space */
	streamer_advance(gpu, e, command_length(header));
	if (!e->depth || ((header & SECOND_LEVEL) && gpu->platform->gen >= 7 && e->depth < 2))
		e->depth++;
	e->batch[e->depth - 1] = batch;
	return JUMPED;
}

/* Continues while the value in memory is greater. */
static enum outcome conditional_end(struct gpu *gpu, struct engine *e, uint32_t header)
{
	if (!e->depth || streamer_load(gpu, e, header & GGTT, address(gpu, e, 2)) > DWORD(1) ||
	    e->halt == FAULTED)
		return NEXT;
	e->depth--;
	return JUMPED;
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

static uint64_t wide(struct gpu *gpu, const struct engine *e, uint32_t offset)
{
	const uint32_t *pair = engine_register(gpu, e, offset);

	return pair[0] | (uint64_t)pair[1] << 32;
}

static enum outcome predicate(struct gpu *gpu, struct engine *e, uint32_t header)
{
	uint64_t a = wide(gpu, e, RING_PREDICATE_SRC0), b = wide(gpu, e, RING_PREDICATE_SRC1);
	uint32_t *result = engine_register(gpu, e, RING_PREDICATE_RESULT);
	bool old = *result & 1, now = false;

	switch (header & 3) {		/* compare: true, sources equal, deltas equal */
	case 1: now = true; break;
	case 2: now = a == b; break;
	case 3: now = !a; break;
	}
	switch (header >> 3 & 3) {	/* combine: set, and, or, xor */
	case 1: now &= old; break;
	case 2: now |= old; break;
	case 3: now ^= old; break;
	}
	if ((header >> 6 & 3) == 2)	/* load, load inverted; else as it is */
		*result = now;
	else if ((header >> 6 & 3) == 3)
		*result = !now;
	return NEXT;
}

struct alu {
	uint64_t a, b, result;
	bool carry;
};

enum { SOURCE_A = 0x20, SOURCE_B = 0x21, RESULT = 0x31, ZERO = 0x32, CARRY = 0x33 };

static uint64_t alu_load(struct gpu *gpu, const struct engine *e, const struct alu *alu,
			 unsigned operand)
{
	switch (operand) {
	case RESULT: return alu->result;
	case ZERO: return alu->result ? 0 : UINT64_MAX;
	case CARRY: return alu->carry ? UINT64_MAX : 0;
	default: return wide(gpu, e, RING_GPR + 8 * (operand & 15));
	}
}

static void alu_execute(struct gpu *gpu, struct engine *e, struct alu *alu, uint32_t instruction)
{
	unsigned operation = instruction >> 20, first = instruction >> 10 & 0x3ff;
	uint64_t value = alu_load(gpu, e, alu, instruction & 0x3ff);
	uint32_t *pair = engine_register(gpu, e, RING_GPR + 8 * (first & 15));

	switch (operation) {
	case 0x480: value = ~value; break;	/* LOADINV */
	case 0x081: value = 0; break;		/* LOAD0 */
	case 0x481: value = UINT64_MAX; break;	/* LOAD1 */
	case 0x100:				/* ADD */
		alu->result = alu->a + alu->b;
		alu->carry = alu->result < alu->a;
		return;
	case 0x101:				/* SUB */
		alu->carry = alu->a < alu->b;
		alu->result = alu->a - alu->b;
		return;
	case 0x102: alu->result = alu->a & alu->b; return;
	case 0x103: alu->result = alu->a | alu->b; return;
	case 0x104: alu->result = alu->a ^ alu->b; return;
	case 0x180: case 0x580:			/* STORE, STOREINV */
		value = operation == 0x580 ? ~value : value;
		pair[0] = (uint32_t)value;
		pair[1] = (uint32_t)(value >> 32);
		return;
	case 0x080: break;			/* LOAD */
	default: return;
	}
	if (first == SOURCE_A)
		alu->a = value;
	else if (first == SOURCE_B)
		alu->b = value;
}

static enum outcome math(struct gpu *gpu, struct engine *e, uint32_t header)
{
	struct alu alu = { 0 };

	for (unsigned i = 1; i < command_length(header); i++)
		alu_execute(gpu, e, &alu, DWORD(i));
	return NEXT;
}

/* ---- the table ------------------------------------------------------------------------------ */

struct command {
	enum outcome (*execute)(struct gpu *gpu, struct engine *engine, uint32_t header);
	unsigned from;			/* generation */
};

static enum outcome nothing(struct gpu *gpu, struct engine *e, uint32_t header)
{
	(void)gpu, (void)e, (void)header;
	return NEXT;
}

/* By opcode, bits 28:23. What is not here is no command. */
static const struct command mi[64] = {
	[0x00] = { nothing }, [0x01] = { nothing, 8 }, [0x02] = { user_interrupt },
	[0x03] = { nothing }, [0x04] = { nothing }, [0x05] = { arbitration_check },
	[0x06] = { nothing, 9 }, [0x07] = { nothing }, [0x08] = { arbitration_on_off },
	[0x09] = { nothing }, [0x0a] = { batch_end }, [0x0b] = { nothing },
	[0x0c] = { predicate, 7 }, [0x0d] = { nothing, 7 }, [0x0e] = { nothing, 8 },
	[0x0f] = { nothing, 9 },
	[0x10] = { nothing }, [0x11] = { nothing }, [0x12] = { nothing }, [0x13] = { nothing },
	[0x14] = { nothing }, [0x15] = { nothing }, [0x16] = { nothing }, [0x17] = { nothing },
	[0x18] = { nothing }, [0x19] = { nothing }, [0x1a] = { math, 7 }, [0x1b] = { nothing, 8 },
	[0x1c] = { semaphore_wait, 8 }, [0x1d] = { nothing, 9 }, [0x1e] = { nothing, 9 },
	[0x20] = { store_data }, [0x21] = { store_index }, [0x22] = { load_register_imm },
	[0x23] = { nothing }, [0x24] = { store_register_mem }, [0x26] = { flush },
	[0x27] = { nothing }, [0x28] = { nothing }, [0x29] = { load_register_mem, 7 },
	[0x2a] = { load_register_reg, 7 }, [0x2b] = { nothing }, [0x2c] = { nothing },
	[0x2d] = { nothing }, [0x2e] = { copy_memory, 8 }, [0x2f] = { nothing, 8 },
	[0x31] = { batch_start }, [0x36] = { conditional_end, 6 },
};

unsigned command_length(uint32_t header)
{
	unsigned type = header >> 29, opcode = header >> 23 & 0x3f;

	if (!type && opcode < 0x10)
		return 1;
	if (!type && opcode == 0x26)		/* bits above are flags */
		return (header & 0x3f) + 2;
	if (!type && opcode == 0x20)
		return (header & 0x3ff) + 2;
	if (type == 3 && (header >> 27 & 3) == 1)
		return 1;
	return (header & 0xff) + 2;
}

enum outcome command_execute(struct gpu *gpu, struct engine *e, uint32_t header)
{
	const struct command *command = &mi[header >> 23 & 0x3f];

	if (header >> 16 == 0x7a00)
		return pipe_control(gpu, e);
	if (header >> 29)
		return NEXT;
	if (!command->execute || gpu->platform->gen < command->from) {
		streamer_error(gpu, e);
		return NOT_YET;
	}
	return command->execute(gpu, e, header);
}
