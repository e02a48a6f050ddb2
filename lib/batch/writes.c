/* SPDX-License-Identifier: MIT */
/* Registers that commands load and store. */
#include "batch/follow.h"

/* With all byte writes disabled MI_LOAD_REGISTER_IMM writes nothing (snb-p3, 1.3.4). */
#define IMMEDIATE_DISABLES(header) ((header) >> 8 & 0xf)
/* Bits of a register's offset in commands. */
#define OFFSET_BITS 0x7ffffcu
/* Gen11+: offsets are relative to the registers of the engine; MI_LOAD_REGISTER_REG has two. */
#define RELATIVE (1u << 19)
#define SOURCE_RELATIVE (1u << 18)

static bool write_told(struct follower *f, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_register_write *write)
{
	return f->listener->write(f->listener->context, run, c, write);
}

static uint32_t base_if(const struct follower *f, const struct gsc_command *c, uint32_t bit)
{
	struct gsc_platform platform;

	if (IMMEDIATE_DISABLES(c->words[0]) == 0xf)
		return true;
	gsc_platform_at(f->set->view->db, f->set->view->platform, &platform);
	return platform.graphics >= 1100 && c->words[0] & bit ? (uint32_t)f->engine_base : 0;
}

uint32_t writes_base(const struct follower *f, const struct gsc_command *c)
{
	return base_if(f, c, RELATIVE);
}

static bool immediates(struct follower *f, const struct gsc_run *run, const struct gsc_command *c)
{
	uint32_t base = writes_base(f, c);

	for (unsigned i = 1; i + 1 < c->count; i += 2) {
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

static bool through_memory(struct follower *f, const struct gsc_run *run,
			   const struct gsc_command *c, const struct plan *plan, enum role role)
{
	struct gsc_register_write write = {
		.kind = role == ROLE_TO_MEMORY ? GSC_READ_TO_MEMORY : GSC_WRITE_MEMORY,
		.offset = writes_base(f, c) + (uint32_t)key_address(plan, REGISTER, c),
		.from = key_address(plan, MEMORY, c),
		.global = key_address(plan, GLOBAL, c),
		.dword = plan->key[REGISTER] ? plan->key[REGISTER]->dword : 0,
	};

	return !plan->key[REGISTER] || c->status == GSC_COMMAND_TRUNCATED ||
	       write_told(f, run, c, &write);
}

static bool between(struct follower *f, const struct gsc_run *run, const struct gsc_command *c,
		    const struct plan *plan)
{
	struct gsc_register_write write = {
		.kind = GSC_WRITE_REGISTER,
		.offset = writes_base(f, c) + (uint32_t)key_address(plan, DESTINATION, c),
		.from = base_if(f, c, SOURCE_RELATIVE) + key_address(plan, SOURCE, c),
		.dword = plan->key[DESTINATION] ? plan->key[DESTINATION]->dword : 0,
	};

	return !plan->key[DESTINATION] || c->status == GSC_COMMAND_TRUNCATED ||
	       write_told(f, run, c, &write);
}

bool writes_tell(struct follower *f, const struct gsc_run *run, const struct gsc_command *c)
{
	const struct known_command *known = c->known;
	const struct plan *plan;

	if (!known || known->role < ROLE_IMMEDIATE || known->role > ROLE_BETWEEN)
		return true;
	if (known->role == ROLE_IMMEDIATE)
		return immediates(f, run, c);
	plan = command_plan(f->set, known);
	if (!plan)
		return true;
	if (known->role == ROLE_BETWEEN)
		return between(f, run, c, plan);
	return through_memory(f, run, c, plan, known->role);
}
