/* SPDX-License-Identifier: MIT */
/*
 * What the documents forbid instructions to do. lint-rules.c is the table of rules, lint-checks.c
 * has the functions that it names, lint.c goes through a program with them and tracks what is in
 * flight.
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
	gsc_breach_fn *each;
	void *context;
	bool enough;			/* the caller wants no more */
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
};

extern const struct eu_rule eu_rules[];
extern const unsigned eu_rule_count;

/* A breach of the rule by the instruction. */
void eu_found(const struct eu_look *look, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* lint-checks.c: the registers of an operand, of a message's payloads, of its response. */
struct eu_registers eu_operand_registers(const struct eu_lint *lint,
					 const struct eu_instruction *in,
					 const struct eu_operand *o, bool is_destination);
struct eu_registers eu_payload(const struct eu_instruction *in, unsigned i);
struct eu_registers eu_response(const struct eu_instruction *in);

void eu_check_width(const struct eu_look *look);
void eu_check_row_stride(const struct eu_look *look);
void eu_check_columns(const struct eu_look *look);
void eu_check_scalar(const struct eu_look *look);
void eu_check_repeated(const struct eu_look *look);
void eu_check_destination_stride(const struct eu_look *look);
void eu_check_row_crosses(const struct eu_look *look);
void eu_check_source_spans(const struct eu_look *look);
void eu_check_destination_spans(const struct eu_look *look);
void eu_check_destination_narrow(const struct eu_look *look);
void eu_check_packed_bytes(const struct eu_look *look);
void eu_check_immediate(const struct eu_look *look);
void eu_check_length(const struct eu_look *look);
void eu_check_beyond(const struct eu_look *look);
void eu_check_last_payload(const struct eu_look *look);
void eu_check_overlap(const struct eu_look *look);
void eu_check_open(const struct eu_look *look);
void eu_check_token_read(const struct eu_look *look);
void eu_check_token_write(const struct eu_look *look);

#endif
