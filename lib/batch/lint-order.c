/* SPDX-License-Identifier: MIT */
/* Rules about the order of commands, and what is remembered of each command for later ones. */
#include "batch/lint.h"

#include <string.h>

#define MI_MODE 0x209cu

/* Bits of PIPE_CONTROL, dword 1 from Gen6 on. */
#define PC_CS_STALL (1u << 20)
#define PC_POST_SYNC (3u << 14)
#define PC_WRITE_DATA (1u << 14)
#define PC_DEPTH_STALL (1u << 13)
#define PC_RENDER_FLUSH (1u << 12)
/* Invalidations of read-only caches: instructions, textures, vertices, constants, state. */
#define PC_READ_ONLY (1u << 11 | 1u << 10 | 1u << 4 | 1u << 3 | 1u << 2)

static const struct {
	const char *name;		/* or its beginning, if it ends in `*` */
	unsigned effects;
} named[] = {
	{ "3DPRIMITIVE*", EFFECT_DRAWS },
	{ "MEDIA_OBJECT*", EFFECT_MEDIA },
	{ "GPGPU_WALKER", EFFECT_MEDIA },
	{ "GPGPU_OBJECT", EFFECT_MEDIA },
	{ "COMPUTE_WALKER*", EFFECT_MEDIA },
	{ "CONSTANT_BUFFER", EFFECT_CONSTANTS | EFFECT_KEPT },
	{ "XY_*", EFFECT_BLITS },
	{ "COLOR_BLT", EFFECT_BLITS },
	{ "SRC_COPY_BLT", EFFECT_BLITS },
	{ "MI_FLUSH", EFFECT_FLUSHES },
	{ "MI_FLUSH_DW", EFFECT_FLUSHES },
	{ "PIPE_CONTROL", EFFECT_CONTROLS },
	{ "MI_BATCH_BUFFER", EFFECT_CALLS | EFFECT_RING },
	{ "MI_BATCH_BUFFER_START", EFFECT_CALLS | EFFECT_RING },
	{ "MI_USER_INTERRUPT", EFFECT_RING },
	{ "MI_REPORT_HEAD", EFFECT_RING },
	{ "MI_SET_CONTEXT", EFFECT_KEPT | EFFECT_RING },
	{ "STATE_BASE_ADDRESS", EFFECT_KEPT },
	{ "PIPELINE_SELECT", EFFECT_KEPT },
	{ "CS_URB_STATE", EFFECT_KEPT },
	{ "MI_ARB_ON_OFF", EFFECT_KEPT },
	{ "MI_LOAD_REGISTER_IMM", EFFECT_KEPT },
};

unsigned lint_effects(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		if (glob_match(named[i].name, name))
			return named[i].effects;
	return 0;
}

/* ---- what is kept --------------------------------------------------------------------------- */

/* If nothing is known about the commands before, they get the benefit of the doubt. */
void lint_forget(struct lint *lint)
{
	memset(lint->due, 0, sizeof(lint->due));
	memset(lint->pending, 0, sizeof(lint->pending));
	lint->work = (struct lint_command){ 0 };
	lint->pipeline = -1;
	lint->controls = 0;
	lint->null_control = true;
	lint->bases = (struct bases){ 0 };
	lint->has_urb_state = lint->has_constants = false;
}

static void keep_control(const struct lint_look *look)
{
	struct lint *lint = look->lint;
	uint32_t word = lint_word(look, 1);
	bool *due = lint->due;

	due[FLUSH_PIPE] = false;
	if (platform_has(&lint->platform, PROPERTY_PIPE_CONTROL_HEADER)) {
		due[FLUSH_RENDER] &= !(lint_word(look, 0) & PC_RENDER_FLUSH);
		return;
	}
	due[FLUSH_STALL] &= !(word & PC_CS_STALL);
	due[FLUSH_RENDER] &= !(word & PC_RENDER_FLUSH);
	due[FLUSH_DEPTH] &= !(word & (PC_DEPTH_STALL | PC_CS_STALL));
	due[FLUSH_POST_SYNC] &= !(word & PC_POST_SYNC);
	due[FLUSH_VERTEX] &= !(word & PC_DEPTH_STALL && (word & PC_POST_SYNC) == PC_WRITE_DATA);
	lint->null_control = !word;
	if (word & PC_CS_STALL)
		lint->controls = 0;
	else if (!word || word & ~PC_READ_ONLY)
		lint->controls++;
}

static void keep_state(const struct lint_look *look)
{
	const char *name = look->command->name;
	struct lint *lint = look->lint;

	if (!strcmp(name, "MI_SET_CONTEXT")) {
		lint->due[FLUSH_PIPE] = false;
	} else if (!strcmp(name, "STATE_BASE_ADDRESS")) {
		bases_change(look->f, &lint->bases, look->command);
		lint->due[FLUSH_PIPE] = false;
	} else if (!strcmp(name, "PIPELINE_SELECT")) {
		lint->pipeline = (int)(lint_word(look, 0) & 3);
	} else if (!strcmp(name, "CS_URB_STATE")) {
		lint->urb_state = lint_word(look, 1);
		lint->has_urb_state = true;
	} else if (!strcmp(name, "CONSTANT_BUFFER")) {
		lint->has_constants = lint_word(look, 0) & 1u << 8;
	} else if (!strcmp(name, "MI_ARB_ON_OFF")) {
		lint->arbitration_off = !(lint_word(look, 0) & 1);
	} else {
		for (unsigned i = 1; i + 1 < look->command->count; i += 2) {
			uint32_t value = lint_word(look, i + 1);

			if ((lint_word(look, i) & 0x7ffffc) == MI_MODE && value & 1u << 28)
				lint->flush_enabled = value & 1u << 12;
		}
	}
}

void lint_keep(const struct lint_look *look)
{
	const struct gsc_command *c = look->command;
	unsigned effects = look->known->effects;
	struct lint *lint = look->lint;
	bool *due = lint->due;

	if (effects & (EFFECT_WORK | EFFECT_BLITS)) {
		lint->work = (struct lint_command){ c->address, c->name };
		lint->work_effects = effects;
		for (unsigned i = 0; i < FLUSHES; i++)
			due[i] |= i == FLUSH_RENDER || !(effects & EFFECT_BLITS);
	}
	if (effects & EFFECT_FLUSHES) {
		bool inhibited = !strcmp(c->name, "MI_FLUSH") && lint_word(look, 0) & 1u << 2;

		for (unsigned i = 0; i < FLUSHES; i++)
			due[i] &= i == FLUSH_RENDER && inhibited;
	}
	if (effects & EFFECT_CONTROLS)
		keep_control(look);
	if (effects & EFFECT_CALLS)
		lint_forget(lint);
	if (effects & EFFECT_KEPT)
		keep_state(look);
	if (effects & EFFECT_RING)
		lint->like_ring = true;
}

/* ---- commands that have to come after others ------------------------------------------------ */

bool lint_follows(const struct lint_look *look, const struct lint_rule *rule)
{
	size_t i = (size_t)(rule - lint_rules);

	look->lint->pending[i / 64] |= UINT64_C(1) << i % 64;
	look->lint->since[i] = look->command->address;
	return true;
}

bool lint_rebased(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct bases *before = &look->lint->bases;
	struct bases after = *before;

	bases_change(look->f, &after, look->command);
	if (after.known == before->known && !memcmp(after.base, before->base, sizeof(after.base)))
		return true;
	return lint_follows(look, rule);
}

/* Directly after URB_FENCE is enough: Mesa does so (crocus_state.c), and it works. */
bool lint_urb_changed(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct lint *lint = look->lint;

	if (!lint->has_urb_state || lint->urb_state == lint_word(look, 1) ||
	    (lint->last.name && !strcmp(lint->last.name, rule->other)))
		return true;
	return lint_follows(look, rule);
}

bool lint_curbe_lost(const struct lint_look *look, const struct lint_rule *rule)
{
	return !look->lint->has_constants || lint_follows(look, rule);
}

static bool answer_one(const struct lint_look *look, unsigned i)
{
	const struct lint_rule *rule = &lint_rules[i];
	uint64_t bit = UINT64_C(1) << i % 64;
	struct lint *lint = look->lint;

	if (look->known->answers[i / 64] & bit && lint_holds(look, &rule->bits)) {
		lint->pending[i / 64] &= ~bit;
		return true;
	}
	if (!(look->known->effects & rule->due))
		return true;
	lint->pending[i / 64] &= ~bit;
	return lint_give(look, rule, "no %s%s since %s at 0x%llx", rule->other,
			 rule->text ? rule->text : "", rule->command,
			 (unsigned long long)lint->since[i]);
}

bool lint_answer(const struct lint_look *look)
{
	struct lint *lint = look->lint;
	const struct lint_rule *next = lint->next;

	lint->next = NULL;
	if (next && strcmp(next->other, look->command->name) &&
	    !lint_give(look, next, "follows %s at 0x%llx, which must be followed by %s",
		       next->command, (unsigned long long)lint->last.address, next->other))
		return false;
	for (unsigned i = 0; i < LINT_RULES_MOST / 64; i++)
		for (uint64_t left = lint->pending[i]; left; left &= left - 1)
			if (!answer_one(look, i * 64 + (unsigned)__builtin_ctzll(left)))
				return false;
	return true;
}

/* Only for batches: given dwords that start a batch are more likely a ring. */
bool lint_next(const struct lint_look *look, const struct lint_rule *rule)
{
	if (rule->place == ANYWHERE || look->run->kind != GSC_RUN_DWORDS)
		look->lint->next = rule;
	return true;
}

bool lint_after(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct lint_command *last = &look->lint->last;

	return !last->name || strcmp(last->name, rule->other) ||
	       lint_give(look, rule, "immediately follows %s at 0x%llx", last->name,
			 (unsigned long long)last->address);
}

/* ---- flushes -------------------------------------------------------------------------------- */

bool lint_flush(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct lint_command *work = &look->lint->work;

	return !look->lint->due[rule->flush] ||
	       lint_give(look, rule, "%s since %s at 0x%llx", rule->text,
			 work->name ? work->name : "work", (unsigned long long)work->address);
}

/* Fences of one pipeline, while work of the other pipeline still holds its entries. */
bool lint_fence_early(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct lint *lint = look->lint;
	unsigned other = lint->pipeline ? EFFECT_DRAWS : EFFECT_MEDIA;

	return lint->pipeline < 0 || !(lint->work_effects & other) || lint_flush(look, rule);
}

bool lint_fourth_stall(const struct lint_look *look, const struct lint_rule *rule)
{
	uint32_t word = lint_word(look, 1);

	if (look->lint->controls < 3 || word & PC_CS_STALL || (word && !(word & ~PC_READ_ONLY)))
		return true;
	look->lint->controls = 0;
	return lint_give(look, rule, "%s", rule->text);
}

bool lint_null_control(const struct lint_look *look, const struct lint_rule *rule)
{
	return look->lint->null_control || lint_give(look, rule, "%s", rule->text);
}

bool lint_pipeline(const struct lint_look *look, const struct lint_rule *rule)
{
	unsigned effects = look->known->effects;
	int pipeline = look->lint->pipeline;

	if (effects & EFFECT_DRAWS && pipeline > 0)
		return lint_give(look, rule, "the media pipeline is selected");
	if (effects & EFFECT_MEDIA && !pipeline)
		return lint_give(look, rule, "the 3D pipeline is selected");
	return true;
}

/* ---- rings and ends ------------------------------------------------------------------------- */

/* A ring has whole pages: if it ends within a page, it ends within a command. */
bool lint_wrap(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct lint *lint = look->lint;

	return look->run->kind != GSC_RUN_RING || !lint->last.name ||
	       look->command->address >= lint->last.address || lint->last_end % 4096 == 0 ||
	       lint_give(look, rule, "the ring wraps around inside %s at 0x%llx",
			 lint->last.name, (unsigned long long)lint->last.address);
}

bool lint_no_end(const struct lint_look *look, const struct lint_rule *rule)
{
	return look->run->end != GSC_RUN_OUT || !look->lint->last.name || look->lint->like_ring ||
	       lint_give(look, rule, "neither MI_BATCH_BUFFER_END nor a chained batch follows");
}

/* Given dwords are complete: nothing comes after them. */
bool lint_padding(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct gsc_run *run = look->run;

	return run->kind != GSC_RUN_DWORDS || run->end != GSC_RUN_ENDED || run->left ||
	       (run->address + run->length) % 8 == 0 ||
	       lint_give(look, rule, "the batch is %llu dwords long, not padded to a QWord",
			 (unsigned long long)run->length / 4);
}

bool lint_arbitration(const struct lint_look *look, const struct lint_rule *rule)
{
	return look->run->kind == GSC_RUN_RING || look->run->end != GSC_RUN_ENDED ||
	       !look->lint->arbitration_off ||
	       lint_give(look, rule, "the batch ends with arbitration still off");
}

bool lint_wait_last(const struct lint_look *look, const struct lint_rule *rule)
{
	const struct lint *lint = look->lint;
	const struct lint_command *last = lint->last.name ? &lint->last : &lint->at_tail;

	return look->run->kind != GSC_RUN_RING || look->run->end != GSC_RUN_ENDED || !last->name ||
	       strcmp(last->name, rule->other) ||
	       lint_give(look, rule,
			 "this is the last command before TAIL: an MI_NOOP must follow it");
}
