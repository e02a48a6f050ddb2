/* SPDX-License-Identifier: MIT */
/* What the two halves of IGA's syntax share: print-iga.c and operand-iga.c. */
#ifndef GSC_EU_IGA_H
#define GSC_EU_IGA_H

#include "eu/eu.h"

/* The columns where IGA begins the parts of an instruction. */
enum {
	AT_NAME = 8, AT_CONDITION = 22, AT_DESTINATION = 33, AT_SOURCE0 = 47, AT_SOURCE1 = 65,
	AT_PAYLOAD0 = 42, AT_PAYLOAD1 = 50, AT_EXTENDED = 58, AT_DESCRIPTOR = 70,
};

/* Gen12 and later: messages name their functions, and neither they nor jumps have types. */
static inline bool iga_is_newer(const struct eu_instruction *in)
{
	return eu_has(in->isa, EU_INSTRUCTION_SCOREBOARD);
}

/* A step of IEEE 754 division or square root: its operands are parts of wider numbers. */
static inline bool iga_is_macro(const struct eu_instruction *in)
{
	enum { INVM = 14 };

	return in->opcode->traits & EU_MACRO ||
	       (in->opcode->form == EU_MATH && eu_value(in, EU_MATH_FUNCTION) >= INVM);
}

/* It has no align16, except for what align1 can do as well: for few channels, one. */
bool iga_is_expressible(const struct eu_instruction *in);
bool iga_writes_element(const struct eu_instruction *in);

/* A message whose registers the scalar register names. */
bool iga_gathers(const struct eu_instruction *in);

void iga_put_hex(uint64_t value, unsigned digits, struct text *text);
void iga_put_type(const struct eu_operand *o, struct text *text);
void iga_put_immediate(const struct eu_operand *o, struct text *text);
/* False: it has no parts. */
bool iga_put_name(const struct eu_isa *isa, const struct eu_operand *o, struct text *text);
/* With its part, if that matters or there is one; `whole`: it does not matter. */
void iga_put_register(const struct eu_instruction *in, const struct eu_operand *o, bool whole,
		      struct text *text);
void iga_put_destination(const struct eu_instruction *in, struct text *text);
void iga_put_source(const struct eu_instruction *in, unsigned i, struct text *text);

#endif
