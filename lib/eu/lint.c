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
	findings_add(&lint->findings, &found);
}

/* ---- what is in flight ----------------------------------------------------------------------- */

static void forget(struct eu_lint *lint)
{
	memset(lint->token, 0, sizeof(lint->token));
	memset(lint->open, 0, sizeof(lint->open));
}

/* Tokens and dependencies that an instruction leaves to those after it. */
static void keep(struct eu_lint *lint, const struct eu_instruction *in,
		 const struct eu_scoreboard *s)
{
	const bool is_message = eu_is_message(in);
	const struct eu_word *word = eu_word(lint->isa, EU_INSTRUCTION_DEPENDENCY_CONTROL,
					     eu_get(lint->isa, &in->raw,
						    EU_INSTRUCTION_DEPENDENCY_CONTROL));
	bool open = word && strstr(word->name, "NoDDClr");
	struct eu_token *token = &lint->token[s->token % EU_TOKENS];
	struct eu_registers r = is_message ? eu_response(in)
					   : eu_operand_registers(lint, in, &in->destination, true);

	if (s->use && !*s->use && !eu_is_dpas(in)) {
		*token = (struct eu_token){ .writes = true, .reads = true, .offset = in->offset,
					    .written = r };
		for (unsigned i = 0; i < (is_message ? 2u : MIN(in->operands, 2u)); i++)
			token->read[i] = is_message ? eu_payload(in, i)
						    : eu_operand_registers(lint, in,
									   &in->source[i], false);
	}
	/* What it writes is not known. */
	if (r.first == r.end)
		memset(lint->open, 0, sizeof(lint->open));
	for (unsigned n = r.first; n < MIN(r.end, 128u); n++)
		lint->open[n] = open ? in->offset + 1 : 0;
	if (in->opcode->form == EU_BRANCH || in->opcode->traits & EU_JUMPS)
		forget(lint);
}

static void look_at(struct eu_lint *lint, const struct eu_instruction *in)
{
	const struct eu_scoreboard s = eu_scoreboard(lint->isa, in);
	struct eu_look look = { .lint = lint, .in = in };
	struct eu_token *token = &lint->token[s.token % EU_TOKENS];

	/* "$3" waits until the token is free before it sets it; a sync may wait for many. */
	if (in->opcode->form == EU_SYNC && eu_get(lint->isa, &in->raw, EU_SYNC_FUNCTION))
		memset(lint->token, 0, sizeof(lint->token));
	if (s.use) {
		token->reads = false;
		token->writes &= !strcmp(s.use, ".src");
	}
	for (unsigned i = 0; i < eu_rule_count && !lint->findings.ended; i++) {
		const struct eu_rule *rule = look.rule = &eu_rules[i];

		if (!(lint->rules >> i & 1) || !(rule->forms >> in->opcode->form & 1) ||
		    in->align16)
			continue;
		if (rule->check)
			rule->check(&look);
		for (unsigned k = 0; rule->test && k < in->operands; k++) {
			const struct eu_operand *o = &in->source[k];

			if (eu_has_region(o) && rule->test(&look, o))
				eu_found(&look, "source %u, <%d;%d,%d>: %s", k, o->vertical,
					 o->width, o->horizontal, rule->text);
		}
	}
	keep(lint, in, &s);
}

enum gsc_status gsc_program_lint(const struct gsc_program *program, uint64_t address,
				 gsc_breach_fn *each, void *context, struct gsc_error *err)
{
	const struct eu_isa *isa = program->eu->isa;
	struct eu_lint *lint = calloc(1, sizeof(*lint));
	struct eu_instruction in;

	if (!lint)
		return err_memory(err);
	*lint = (struct eu_lint){ .isa = isa, .address = address, .findings = { each, context } };
	gsc_platform_at(isa->view->db, isa->view->platform, &lint->platform);
	lint->register_bytes = platform_is(&lint->platform, "pvc,gen20+") ? 64 : 32;
	/* A thread may have all of them, or half. */
	lint->registers = eu_has(lint->isa, EU_HIGH_DESTINATION)	      ? 512
			  : platform_is(&lint->platform, "gen12.5+") ? 256 : 128;
	for (unsigned i = 0; i < eu_rule_count; i++)
		lint->rules |= (uint64_t)platform_is(&lint->platform, eu_rules[i].rule.only) << i;
	for (size_t at = 0; !lint->findings.ended &&
			    eu_decode(isa, program->data, program->size, at, &in);
	     at += in.size) {
		if (label_at(&program->labels, (int64_t)at) >= 0)
			forget(lint);
		if (!in.opcode) {
			forget(lint);
			continue;
		}
		/* Math with one source has null as the second, whose region means nothing. */
		if (in.opcode->form == EU_MATH && in.operands == 2 &&
		    in.source[1].file == EU_ARF && !in.source[1].reg)
			in.operands = 1;
		look_at(lint, &in);
	}
	free(lint);
	return GSC_OK;
}
