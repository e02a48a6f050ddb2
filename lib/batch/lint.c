/* SPDX-License-Identifier: MIT */
/* Checks each command against the rules that apply to it. */
#include "batch/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add(lint_set set, unsigned rule)
{
	set[rule / 64] |= UINT64_C(1) << rule % 64;
}

static bool has(const lint_set set, unsigned rule)
{
	return set[rule / 64] >> rule % 64 & 1;
}

struct lint *lint_new(const struct gsc_view *view)
{
	struct lint *lint = calloc(1, sizeof(*lint));

	if (!lint)
		return NULL;
	gsc_platform_at(view->db, view->platform, &lint->platform);
	lint->view = view;
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

bool lint_give(const struct lint_look *look, const struct lint_rule *rule, const char *format, ...)
{
	const struct gsc_listener *l = look->f->listener;
	struct lint *lint = look->lint;
	struct gsc_breach breach;
	uint64_t address = look->command ? look->command->address : look->run->address;
	const char *name = look->command ? look->command->name : "";
	struct gsc_item item;
	char where[96];
	va_list args;

	if (!look->command && lint->last.name) {
		address = lint->last.address;
		name = lint->last.name;
	} else if (!look->command && lint->at_tail.name) {
		address = lint->at_tail.address;
		name = lint->at_tail.name;
	}
	snprintf(where, sizeof(where), "0x%llx%s%s", (unsigned long long)address, *name ? " " : "",
		 name);
	va_start(args, format);
	breach = rule_found(&rule->rule, where, format, args);
	va_end(args);
	if (!breach.document && look->command && look->known->known &&
	    gsc_item_by_def(lint->view->db, GSC_COMMAND, look->known->known->id, &item)) {
		breach.document = item.document;
		breach.section = item.section;
	}
	if (rule->place == IN_BATCH && look->run->kind == GSC_RUN_DWORDS) {
		struct gsc_breach *slot;

		if (lint->held.count >= LINT_HELD)
			return true;
		slot = vec_add(&lint->held);
		if (slot)
			*slot = breach;
		return slot;
	}
	return l->breach(l->context, &(struct gsc_followed){ look->run, .breach = &breach });
}

/* What the table says about a command, or about all that are unknown. */
static const struct lint_known *lookup(struct lint *lint, const struct known_command *known)
{
	struct lint_known *k = &lint->known[known ? (known->id ^ known->id >> 8) % LINT_KNOWN : 0];
	const char *name = known ? known->name : "UNKNOWN";

	if (k->made && k->known == known)
		return k;
	*k = (struct lint_known){ .known = known, .made = true, .effects = lint_effects(name) };
	for (unsigned i = 0; i < lint_rule_count; i++) {
		const struct lint_rule *rule = &lint_rules[i];

		if (!has(lint->rules, i))
			continue;
		if (!rule->command || !strcmp(rule->command, name))
			add(k->rules, i);
		if (rule->due && !strcmp(rule->other, name))
			add(k->answers, i);
	}
	return k;
}

/* ---- a run ---------------------------------------------------------------------------------- */

static bool place_holds(const struct gsc_run *run, enum lint_place place)
{
	switch (place) {
	case IN_BATCH:
		return run->kind != GSC_RUN_RING;
	case IN_UNPRIVILEGED:
		return run->kind >= GSC_RUN_BATCH && !run->privileged;
	default:
		return true;
	}
}

bool lint_begin(struct follower *f, const struct gsc_run *run)
{
	struct lint *lint = f->lint;

	(void)run;
	lint_forget(lint);
	lint->next = NULL;
	lint->last = lint->at_tail = (struct lint_command){ 0 };
	lint->last_end = 0;
	lint->arbitration_off = lint->flush_enabled = lint->like_ring = false;
	lint->held.count = 0;
	return true;
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
	struct lint_look look = { f, lint, run, command, lookup(lint, command->known) };

	if (is_old(f, run, command->address)) {
		if (lint->last.name)
			lint->at_tail = lint->last;
		lint->last = (struct lint_command){ 0 };
		lint->next = NULL;
		lint_forget(lint);
		return true;
	}
	if (!lint_answer(&look))
		return false;
	for (unsigned i = 0; i < LINT_RULES_MOST / 64; i++)
		for (uint64_t left = look.known->rules[i]; left; left &= left - 1) {
			const struct lint_rule *rule =
				&lint_rules[i * 64 + (unsigned)__builtin_ctzll(left)];

			if (!place_holds(run, rule->place) ||
			    (rule->only.mask && !lint_holds(&look, &rule->only)) ||
			    (rule->length && command->count != rule->length))
				continue;
			if (!(rule->check ? rule->check : lint_dword)(&look, rule))
				return false;
		}
	lint_keep(&look);
	lint->last = (struct lint_command){ command->address, command->name };
	lint->last_end = command->address + (uint64_t)command->count * 4;
	return true;
}

bool lint_end(struct follower *f, const struct gsc_run *run)
{
	struct lint *lint = f->lint;
	const struct gsc_listener *l = f->listener;
	struct lint_look look = { .f = f, .lint = lint, .run = run };

	for (unsigned i = 0; i < lint_rule_count; i++) {
		const struct lint_rule *rule = &lint_rules[i];

		if (rule->command && !*rule->command && has(lint->rules, i) &&
		    place_holds(run, rule->place) && !rule->check(&look, rule))
			return false;
	}
	/* Given dwords are a batch if they end like one. */
	if (run->kind != GSC_RUN_DWORDS || run->end != GSC_RUN_ENDED)
		return true;
	for (size_t i = 0; i < lint->held.count; i++)
		if (!l->breach(l->context,
			       &(struct gsc_followed){ run, .breach = &lint->held.items[i] }))
			return false;
	return true;
}
