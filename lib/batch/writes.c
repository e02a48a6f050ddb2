/* SPDX-License-Identifier: MIT */
/* Registers that commands load and store. */
#include "batch/follow.h"

/* The bits of a register's offset in commands. */
#define OFFSET_BITS 0x7ffffcu
/* Gen11+: offsets are relative to the registers of the engine; MI_LOAD_REGISTER_REG has two. */
#define RELATIVE (1u << 19)
#define SOURCE_RELATIVE (1u << 18)
/*
 * Mesa, gen75.xml and gen125.xml, MI_MATH_ALU_INSTRUCTION. LOADIND loads its first operand from
 * memory, STOREIND stores its second one there: mi_builder.h.
 */
#define ALU_OPCODE(word) ((word) >> 20)
#define ALU_FIRST(word) ((word) >> 10 & 0x3ff)
#define ALU_SECOND(word) ((word) & 0x3ff)
enum {
	ALU_LOAD = 0x080, ALU_LOADIND = 0x082, ALU_LOADINV = 0x480,
	ALU_STORE = 0x180, ALU_STOREIND = 0x181, ALU_STOREINV = 0x580,
};
/* The registers of the ALU, 64 bits each: i915, gt/intel_engine_regs.h, GEN8_RING_CS_GPR. */
#define GPRS 16u
#define GPR(n) (0x600u + (n) * 8)

static bool write_told(struct follower *f, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_register_write *write)
{
	return f->listener->write(f->listener->context,
				  &(struct gsc_followed){ run, c, .write = write });
}

static uint32_t base_if(const struct follower *f, const struct gsc_command *c, uint32_t bit)
{
	struct gsc_platform platform;

	gsc_platform_at(f->set->view->db, f->set->view->platform, &platform);
	return c->words[0] & bit && platform_has(&platform, PROPERTY_ENGINE_OFFSETS)
		       ? (uint32_t)f->engine_base : 0;
}

uint32_t writes_base(const struct follower *f, const struct gsc_command *c)
{
	return base_if(f, c, RELATIVE);
}

static bool immediates(struct follower *f, const struct gsc_run *run, const struct gsc_command *c)
{
	uint32_t base = writes_base(f, c);

	for (unsigned i = 1; i + 1 < c->count && !writes_disabled(c); i += 2) {
		struct gsc_register_write write = {
			.kind = GSC_WRITE_VALUE,
			.offset = base + (c->words[i] & OFFSET_BITS),
			.value = c->words[i + 1],
			.dword = i,
		};

		if (!write_told(f, run, c, &write))
			return false;
	}
	return true;
}

static uint64_t key_address(const struct plan *plan, unsigned key, const struct gsc_command *c)
{
	return plan->key[key] ? plan_address(plan->key[key], c->words, c->count) : 0;
}

static bool between(struct follower *f, const struct gsc_run *run, const struct gsc_command *c,
		    const struct plan *plan)
{
	struct gsc_register_write read = {
		.kind = GSC_READ_TO_REGISTER,
		.offset = base_if(f, c, SOURCE_RELATIVE) + (uint32_t)key_address(plan, SOURCE, c),
		.from = writes_base(f, c) + key_address(plan, DESTINATION, c),
	}, write = {
		.kind = GSC_WRITE_REGISTER,
		.offset = (uint32_t)read.from,
		.from = read.offset,
	};

	if (!plan->key[SOURCE] || !plan->key[DESTINATION] || c->status == GSC_COMMAND_TRUNCATED)
		return true;
	read.dword = plan->key[SOURCE]->dword;
	write.dword = plan->key[DESTINATION]->dword;
	return write_told(f, run, c, &read) && write_told(f, run, c, &write);
}

/* One instruction of the ALU: the register that it loads or stores, if any. */
static bool alu_register(uint32_t word, struct gsc_register_write *write, unsigned *number)
{
	switch (ALU_OPCODE(word)) {
	case ALU_LOADIND:
	case ALU_STORE:
	case ALU_STOREINV:
		write->kind = GSC_WRITE_RESULT;
		*number = ALU_FIRST(word);
		break;
	case ALU_LOAD:
	case ALU_LOADINV:
	case ALU_STOREIND:
		write->kind = GSC_READ;
		*number = ALU_SECOND(word);
		break;
	default:
		return false;
	}
	return *number < GPRS;
}

static bool math(struct follower *f, const struct gsc_run *run, const struct gsc_command *c)
{
	for (unsigned i = 1; i < c->count; i++) {
		struct gsc_register_write write = { .dword = i };
		unsigned number;

		if (!alu_register(c->words[i], &write, &number))
			continue;
		write.offset = (uint32_t)f->engine_base + GPR(number);
		if (!write_told(f, run, c, &write))
			return false;
	}
	return true;
}

bool writes_tell(struct follower *f, const struct gsc_run *run, const struct gsc_command *c)
{
	const struct known_command *known = c->known;
	enum role role = known ? (enum role)known->role : ROLE_NONE;
	struct gsc_register_write write;
	const struct plan *plan;
	unsigned place;

	if (role < ROLE_IMMEDIATE || role > ROLE_POLL)
		return true;
	if (role == ROLE_IMMEDIATE)
		return immediates(f, run, c);
	if (role == ROLE_MATH)
		return math(f, run, c);
	plan = command_plan(f->set, known);
	if (!plan)
		return true;
	switch (role) {
	case ROLE_BETWEEN:
		return between(f, run, c, plan);
	case ROLE_POST_SYNC:
		/*
		 * PIPE_CONTROL from Gen7 on: the address may be that of a register (i915,
		 * gvt/cmd_parser.c).
		 */
		if (!key_address(plan, POST_SYNC_TO_REGISTER, c))
			return true;
		place = POST_SYNC_ADDRESS;
		write = (struct gsc_register_write){
			.kind = GSC_WRITE_VALUE,
			.offset = (uint32_t)key_address(plan, place, c) & OFFSET_BITS,
			.value = (uint32_t)key_address(plan, POST_SYNC_DATA, c),
		};
		break;
	case ROLE_POLL:
		/* MI_SEMAPHORE_WAIT from Gen9 on: the same. */
		if (!key_address(plan, POLL_REGISTER, c))
			return true;
		place = POLL_ADDRESS;
		write = (struct gsc_register_write){
			.kind = GSC_READ,
			.offset = (uint32_t)key_address(plan, place, c) & OFFSET_BITS,
		};
		break;
	default:
		place = REGISTER;
		write = (struct gsc_register_write){
			.kind = role == ROLE_TO_MEMORY ? GSC_READ_TO_MEMORY : GSC_WRITE_MEMORY,
			.offset = writes_base(f, c) + (uint32_t)key_address(plan, place, c),
			.from = key_address(plan, MEMORY, c),
			.global = key_address(plan, GLOBAL, c),
		};
	}
	if (!plan->key[place] || c->status == GSC_COMMAND_TRUNCATED)
		return true;
	write.dword = plan->key[place]->dword;
	return write_told(f, run, c, &write);
}
