/* SPDX-License-Identifier: MIT */
/*
 * What the documents forbid instructions to do. lint-checks.c has the checks, and at its end the
 * table of rules; lint.c goes through a program with them and tracks what is in flight.
 */
#ifndef GSC_EU_LINT_H
#define GSC_EU_LINT_H

#include "db/rule.h"
#include "eu/labels.h"

/* Registers [first, end); none if both are equal. */
struct eu_registers { uint16_t first, end; };

/* A token of the scoreboard: the instruction that set it, while nothing has waited for it. */
struct eu_token {
	bool writes, reads;		/* it may still write, or read */
	uint32_t offset;
	struct eu_registers written, read[2];
};

#define EU_TOKENS 32

struct eu_lint {
	const struct eu_isa *isa;
	struct gsc_platform platform;
	unsigned register_bytes, registers;
	uint64_t address;		/* of the program */
	uint64_t rules;			/* those that apply to the platform */
	struct findings findings;
	struct eu_token token[EU_TOKENS];
	uint32_t open[128];		/* by register: who left its dependency set, plus 1 */
};

struct eu_rule;
struct eu_look {
	struct eu_lint *lint;
	const struct eu_instruction *in;
	const struct eu_rule *rule;
};

struct eu_rule {
	struct rule rule;
	unsigned forms;			/* bits by enum eu_form */
	void (*check)(const struct eu_look *look);
	/* Instead of it, of each source with a region; true: `text` says what is wrong with it. */
	bool (*test)(const struct eu_look *look, const struct eu_operand *o);
	const char *text;
};

extern const struct eu_rule eu_rules[];
extern const unsigned eu_rule_count;

/* A breach of the rule by the instruction. */
void eu_found(const struct eu_look *look, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* lint-checks.c: a source whose region is given in the instruction. */
bool eu_has_region(const struct eu_operand *o);
/* The registers of an operand, of a message's payloads, of its response. */
struct eu_registers eu_operand_registers(const struct eu_lint *lint,
					 const struct eu_instruction *in,
					 const struct eu_operand *o, bool is_destination);
struct eu_registers eu_payload(const struct eu_instruction *in, unsigned i);
struct eu_registers eu_response(const struct eu_instruction *in);

#endif
