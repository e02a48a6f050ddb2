/* SPDX-License-Identifier: MIT */
/*
 * Checks a program by the rules. What is in flight is known only from one instruction to the next:
 * at a label, and after a jump, anything may have been waited for.
 */
#include "eu/lint.h"

#include "db/view.h"
#include "eu/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void eu_found(const struct eu_look *look, const char *format, ...)
{
	struct eu_lint *lint = look->lint;
	struct gsc_breach found;
	char where[64];
	va_list args;

	snprintf(where, sizeof(where), "0x%08llx %s(%u)",
		 (unsigned long long)(lint->address + look->in->offset), look->in->opcode->name,
		 look->in->exec_size);
	va_start(args, format);
	found = rule_found(&look->rule->rule, where, format, args);
	va_end(args);
	lint->enough |= !lint->each(lint->context, &found);
}

/* ---- what is in flight ----------------------------------------------------------------------- */

static void forget(struct eu_lint *lint)
{
	memset(lint->token, 0, sizeof(lint->token));
	memset(lint->open, 0, sizeof(lint->open));
}

/* "$3" waits until the token is free before it sets it; a sync may wait for many. */
static void take_waits(struct eu_lint *lint, const struct eu_instruction *in,
		       const struct eu_scoreboard *s)
{
	struct eu_token *token = &lint->token[s->token % EU_TOKENS];

	if (in->opcode->form == EU_SYNC && eu_get(lint->isa, &in->raw, EU_SYNC_FUNCTION))
		memset(lint->token, 0, sizeof(lint->token));
	if (!s->use)
		return;
	token->reads = false;
	token->writes &= !strcmp(s->use, ".src");
}

static void set_token(struct eu_lint *lint, const struct eu_instruction *in,
		      const struct eu_scoreboard *s)
{
	const bool is_message = eu_is_message(in);
	struct eu_token *token = &lint->token[s->token % EU_TOKENS];

	if (!s->use || *s->use || eu_is_dpas(in))
		return;
	*token = (struct eu_token){ .writes = true, .reads = true, .offset = in->offset };
	if (is_message) {
		token->written = eu_response(in);
		token->read[0] = eu_payload(in, 0);
		token->read[1] = eu_payload(in, 1);
		return;
	}
	token->written = eu_operand_registers(lint, in, &in->destination, true);
	for (unsigned i = 0; i < MIN(in->operands, 2u); i++)
		token->read[i] = eu_operand_registers(lint, in, &in->source[i], false);
}

static void set_open(struct eu_lint *lint, const struct eu_instruction *in)
{
	const struct eu_word *word = eu_word(lint->isa, EU_INSTRUCTION_DEPENDENCY_CONTROL,
					     eu_get(lint->isa, &in->raw,
						    EU_INSTRUCTION_DEPENDENCY_CONTROL));
	bool open = word && strstr(word->name, "NoDDClr");
	const bool is_message = eu_is_message(in);
	struct eu_registers r = is_message ? eu_response(in)
					   : eu_operand_registers(lint, in, &in->destination, true);

	/* What it writes is not known. */
	if (r.first == r.end)
		memset(lint->open, 0, sizeof(lint->open));
	for (unsigned n = r.first; n < MIN(r.end, 128u); n++)
		lint->open[n] = open ? in->offset + 1 : 0;
}

/* ---- a program ------------------------------------------------------------------------------- */

static bool jumps(const struct eu_instruction *in)
{
	return in->opcode->form == EU_BRANCH || in->opcode->traits & EU_JUMPS;
}

/* A math instruction with one source has null as the second: its region and type mean nothing. */
static void drop_unused(struct eu_instruction *in)
{
	const struct eu_operand *last = &in->source[1];

	if (in->opcode->form == EU_MATH && in->operands == 2 && last->file == EU_ARF && !last->reg)
		in->operands = 1;
}

static void look_at(struct eu_lint *lint, const struct eu_instruction *in)
{
	const struct eu_scoreboard s = eu_scoreboard(lint->isa, in);
	struct eu_look look = { .lint = lint, .in = in };

	take_waits(lint, in, &s);
	for (unsigned i = 0; i < eu_rule_count && !lint->enough; i++) {
		look.rule = &eu_rules[i];
		if (lint->rules >> i & 1 && look.rule->forms >> in->opcode->form & 1 &&
		    !in->align16)
			look.rule->check(&look);
	}
	set_token(lint, in, &s);
	set_open(lint, in);
	if (jumps(in))
		forget(lint);
}

enum gsc_status gsc_program_lint(const struct gsc_program *program, uint64_t address,
				 gsc_breach_fn *each, void *context, struct gsc_error *err)
{
	const struct eu_isa *isa = program->eu->isa;
	struct eu_lint *lint = calloc(1, sizeof(*lint));
	struct eu_instruction in;

	if (!lint)
		return err_memory(err);
	*lint = (struct eu_lint){ .isa = isa, .address = address, .each = each,
				  .context = context };
	gsc_platform_at(isa->view->db, isa->view->platform, &lint->platform);
	lint->register_bytes = platform_is(&lint->platform, "pvc,gen20+") ? 64 : 32;
	/* A thread may have all of them, or half. */
	lint->registers = eu_has(lint->isa, EU_HIGH_DESTINATION)	      ? 512
			  : platform_is(&lint->platform, "gen12.5+") ? 256 : 128;
	for (unsigned i = 0; i < eu_rule_count; i++)
		lint->rules |= (uint64_t)platform_is(&lint->platform, eu_rules[i].rule.only) << i;
	for (size_t at = 0; !lint->enough && eu_decode(isa, program->data, program->size, at, &in);
	     at += in.size) {
		if (label_at(&program->labels, (int64_t)at) >= 0)
			forget(lint);
		if (!in.opcode) {
			forget(lint);
			continue;
		}
		drop_unused(&in);
		look_at(lint, &in);
	}
	free(lint);
	return GSC_OK;
}
