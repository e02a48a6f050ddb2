/* SPDX-License-Identifier: MIT */
/* Checks each command by the rules that apply to it, and keeps what rules about later ones need. */
#include "batch/lint.h"

#define MI_MODE 0x209cu

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

static unsigned effects_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		if (glob_match(named[i].name, name))
			return named[i].effects;
	return 0;
}

/* ---- what is found --------------------------------------------------------------------------- */

static bool give(void *context, const struct gsc_breach *breach)
{
	const struct lint *lint = context;
	const struct gsc_listener *l = lint->listener;

	return l->breach(l->context, &(struct gsc_followed){ lint->run, .breach = breach });
}

bool lint_give(const struct lint_look *look, const char *format, ...)
{
	struct lint *lint = look->lint;
	const struct lint_command here = look->command
		? (struct lint_command){ look->command->address, look->command->name }
		: lint->last.name ? lint->last : lint->at_tail.name ? lint->at_tail
		: (struct lint_command){ look->run->address, "" };
	struct gsc_breach breach;
	struct gsc_item item;
	char where[96];
	va_list args;

	string_set(where, "0x%llx%s%s", LL(here.address), *here.name ? " " : "", here.name);
	va_start(args, format);
	breach = rule_found(&look->rule->rule, where, format, args);
	va_end(args);
	breach.note = look->rule->note;
	if (!breach.document && look->command && look->known->known &&
	    gsc_item_by_def(lint->view->db, GSC_COMMAND, look->known->known->id, &item)) {
		breach.document = item.document;
		breach.section = item.section;
	}
	if (look->rule->place != IN_BATCH || look->run->kind != GSC_RUN_DWORDS) {
		findings_add(&lint->findings, &breach);
	} else if (lint->held.count < LINT_HELD) {
		lint->findings.ended |= !vec_push(&lint->held, breach);
	}
	return false;
}

static void ask(struct lint_look *look, const struct lint_rule *rule)
{
	look->rule = rule;
	if (rule->check ? rule->check(look) : rule->bits.dword < look->command->count &&
					      !lint_holds(look, &rule->bits))
		lint_give(look, "%s", rule->rule.text);
}

/* ---- what is kept --------------------------------------------------------------------------- */

/* If nothing is known about the commands before, they get the benefit of the doubt. */
static void forget(struct lint *lint)
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

static void keep(const struct lint_look *look)
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
		forget(lint);
	if (effects & EFFECT_KEPT) {
		const char *name = look->command->name;

		if (!strcmp(name, "MI_SET_CONTEXT")) {
			lint->due[FLUSH_PIPE] = false;
			lint->context = lint_word(look, 1) & ~0x7ffu;
			lint->context_set = look->command->address;
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
	if (effects & EFFECT_RING)
		lint->like_ring = true;
}

/* A rule that waited for another command: this may be it, or be the last moment for it. */
static void answer_one(struct lint_look *look, unsigned i)
{
	const struct lint_rule *rule = look->rule = &lint_rules[i];
	uint64_t bit = UINT64_C(1) << i % 64;
	struct lint *lint = look->lint;
	bool answers = look->known->answers[i / 64] & bit && lint_holds(look, &rule->bits);

	if (!answers && !(look->known->effects & rule->due))
		return;
	lint->pending[i / 64] &= ~bit;
	if (!answers)
		lint_give(look, "no %s%s since %s at 0x%llx", rule->other,
			  rule->with ? rule->with : "", rule->rule.about, LL(lint->since[i]));
}

static void answer(struct lint_look *look)
{
	struct lint *lint = look->lint;
	const struct lint_rule *next = look->rule = lint->next;

	lint->next = NULL;
	if (next && strcmp(next->other, look->command->name))
		lint_give(look, "follows %s at 0x%llx, which must be followed by %s",
			  next->rule.about, LL(lint->last.address), next->other);
	for (unsigned i = 0; i < LINT_RULES_MOST / 64; i++)
		for (uint64_t left = lint->pending[i]; left && lint_wants_more(look);
		     left &= left - 1)
			answer_one(look, i * 64 + (unsigned)__builtin_ctzll(left));
}

/* ---- what the table says --------------------------------------------------------------------- */

static void add(lint_set set, unsigned rule)
{
	set[rule / 64] |= UINT64_C(1) << rule % 64;
}

static bool has(const lint_set set, unsigned rule)
{
	return set[rule / 64] >> rule % 64 & 1;
}

/* What the table says about a command, or about all that are unknown. */
static const struct lint_known *lookup(struct lint *lint, const struct known_command *known)
{
	struct lint_known *k = &lint->known[known ? (known->id ^ known->id >> 8) % LINT_KNOWN : 0];
	const char *name = known ? known->name : "UNKNOWN";

	if (k->made && k->known == known)
		return k;
	*k = (struct lint_known){ .known = known, .made = true, .effects = effects_of(name) };
	for (unsigned i = 0; i < lint_rule_count; i++) {
		const struct lint_rule *rule = &lint_rules[i];

		if (!has(lint->rules, i))
			continue;
		if (!rule->rule.about || glob_list(rule->rule.about, name))
			add(k->rules, i);
		if (rule->due && !strcmp(rule->other, name))
			add(k->answers, i);
	}
	return k;
}

/* ---- a run ----------------------------------------------------------------------------------- */

struct lint *lint_new(const struct gsc_view *view, const struct gsc_listener *listener)
{
	struct lint *lint = calloc(1, sizeof(*lint));

	if (!lint)
		return NULL;
	gsc_platform_at(view->db, view->platform, &lint->platform);
	lint->view = view;
	lint->listener = listener;
	lint->findings = (struct findings){ give, lint };
	for (unsigned i = 0; i < lint_rule_count; i++)
		if (platform_is(&lint->platform, lint_rules[i].rule.only))
			add(lint->rules, i);
	return lint;
}

void lint_free(struct lint *lint)
{
	if (lint)
		vec_free(&lint->held);
	free(lint);
}

static bool place_holds(const struct gsc_run *run, enum lint_place place)
{
	switch (place) {
	case IN_BATCH:
		return run->kind != GSC_RUN_RING;
	case IN_UNPRIVILEGED:
		return run->kind >= GSC_RUN_BATCH && !run->privileged;
	case IN_PRIVILEGED:
		return run->privileged || run->kind == GSC_RUN_RING;
	default:
		return true;
	}
}

void lint_begin(struct follower *f, const struct gsc_run *run)
{
	struct lint *lint = f->lint;

	forget(lint);
	lint->run = run;
	lint->next = NULL;
	lint->last = lint->at_tail = (struct lint_command){ 0 };
	lint->last_end = lint->context = 0;
	lint->arbitration_off = lint->flush_enabled = lint->like_ring = false;
	lint->held.count = 0;
}

/* What is past the tail of a ring is old, and may begin in the middle of a command. */
static bool is_old(const struct follower *f, const struct gsc_run *run, uint64_t address)
{
	const struct gsc_mark *head = NULL, *tail = NULL;

	for (size_t i = f->mark_count; i--;) {
		if (!strcmp(f->marks[i].name, "HEAD"))
			head = &f->marks[i];
		if (!strcmp(f->marks[i].name, "TAIL"))
			tail = &f->marks[i];
	}
	return run->kind == GSC_RUN_RING && head && tail && address >= tail->address &&
	       (head->address <= tail->address || address < head->address);
}

bool lint_tell(struct follower *f, const struct gsc_run *run, const struct gsc_command *command)
{
	struct lint *lint = f->lint;
	struct lint_look look = { f, lint, run, command, lookup(lint, command->known), NULL };

	if (is_old(f, run, command->address)) {
		if (lint->last.name)
			lint->at_tail = lint->last;
		lint->last = (struct lint_command){ 0 };
		lint->next = NULL;
		lint->context = 0;
		forget(lint);
		return true;
	}
	answer(&look);
	for (unsigned i = 0; i < LINT_RULES_MOST / 64; i++)
		for (uint64_t left = look.known->rules[i]; left && lint_wants_more(&look);
		     left &= left - 1) {
			const struct lint_rule *rule =
				&lint_rules[i * 64 + (unsigned)__builtin_ctzll(left)];

			if (place_holds(run, rule->place) &&
			    (!rule->only.mask || lint_holds(&look, &rule->only)) &&
			    (!rule->length || command->count == rule->length))
				ask(&look, rule);
		}
	keep(&look);
	lint->last = (struct lint_command){ command->address, command->name };
	lint->last_end = command->address + (uint64_t)command->count * 4;
	return !lint->findings.ended;
}

bool lint_end(struct follower *f, const struct gsc_run *run)
{
	struct lint *lint = f->lint;
	struct lint_look look = { .f = f, .lint = lint, .run = run };

	for (unsigned i = 0; i < lint_rule_count && lint_wants_more(&look); i++) {
		const struct lint_rule *rule = &lint_rules[i];

		if (rule->rule.about && !*rule->rule.about && has(lint->rules, i) &&
		    place_holds(run, rule->place))
			ask(&look, rule);
	}
	/* Given dwords are a batch if they end like one. */
	for (size_t i = 0; run->kind == GSC_RUN_DWORDS && run->end == GSC_RUN_ENDED &&
			   i < lint->held.count && lint_wants_more(&look); i++)
		findings_add(&lint->findings, &lint->held.items[i]);
	return !lint->findings.ended;
}
