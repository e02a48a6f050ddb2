/* SPDX-License-Identifier: MIT */
/* An instruction as text, in the syntax that Mesa's assemblers accept. */
#include "eu/eu.h"
#include "eu/program.h"

/* ---- the instruction ------------------------------------------------------------------------- */

/* The name of a field's value, after `before`; nothing if the value has none. */
static void put_word(const struct eu_instruction *in, const char *before, enum eu_field field,
		     struct text *text)
{
	const struct eu_word *word = eu_word(in->isa, field, eu_value(in, field));

	if (!word || !word->length)
		return;
	text_put(text, before);
	text_put_bytes(text, word->name, word->length);
}

void eu_put_flag(const struct eu_instruction *in, struct text *text)
{
	const bool align16 = in->align16 && in->opcode->form == EU_THREE;
	const enum eu_field reg = align16 && eu_has(in->isa, EU_THREE_ALIGN16_FLAG_SUBREGISTER)
					  ? EU_THREE_ALIGN16_FLAG_REGISTER
					  : EU_INSTRUCTION_FLAG_REGISTER;
	const enum eu_field sub = align16 && eu_has(in->isa, EU_THREE_ALIGN16_FLAG_SUBREGISTER)
					  ? EU_THREE_ALIGN16_FLAG_SUBREGISTER
					  : EU_INSTRUCTION_FLAG_SUBREGISTER;

	text_put(text, "f");
	text_put_decimal(text, eu_value(in, reg));
	text_put(text, ".");
	text_put_decimal(text, eu_value(in, sub));
}

static void put_predicate(const struct eu_instruction *in, struct text *text)
{
	enum { NORMAL = 1 };
	const uint64_t control = eu_value(in, EU_INSTRUCTION_PREDICATE_CONTROL);

	if (!control)
		return;
	text_put(text, eu_value(in, EU_INSTRUCTION_PREDICATE_INVERSE) ? "(-" : "(+");
	eu_put_flag(in, text);
	if (control != NORMAL)
		put_word(in, ".",
			 in->align16 && eu_has(in->isa, EU_INSTRUCTION_PREDICATE_CONTROL_ALIGN16)
				 ? EU_INSTRUCTION_PREDICATE_CONTROL_ALIGN16
				 : EU_INSTRUCTION_PREDICATE_CONTROL,
			 text);
	text_put(text, ") ");
}

void eu_put_function(const struct eu_instruction *in, struct text *text)
{
	if (in->opcode->traits & EU_FUNCTION)
		put_word(in, ".", (enum eu_field)in->opcode->function, text);
	if (!(in->opcode->traits & EU_CONVERTS))
		return;
	put_word(in, ".", EU_DNSCL_FROM, text);
	put_word(in, "to", EU_DNSCL_TO, text);
	put_word(in, ".", EU_DNSCL_MODE, text);
	put_word(in, ".", EU_DNSCL_ROUNDING, text);
}

unsigned eu_condition(const struct eu_instruction *in)
{
	if (eu_is_message(in) || in->opcode->form == EU_MATH || in->opcode->form == EU_SYNC ||
	    eu_is_dpas(in) || in->opcode->form == EU_NOP ||
	    in->opcode->traits & (EU_FUNCTION | EU_CONVERTS))
		return 0;
	/* bfn knows three: z, g and l. */
	if (in->opcode->traits & EU_TABLE_OF_BITS) {
		const unsigned own = (unsigned)eu_value(in, EU_BFN_CONDITION_MODIFIER);

		return own ? 2 * own - 1 : 0;
	}
	/* From Gen12 on a wide immediate, or the distance of a jump, occupies its bits. */
	if (eu_has(in->isa, EU_SOURCE0_IMMEDIATE) &&
	    (in->opcode->form == EU_BRANCH ||
	     (in->source[0].file == EU_IMM && eu_types[in->source[0].type].size == 8)))
		return 0;
	return (unsigned)eu_value(in, EU_INSTRUCTION_CONDITION_MODIFIER);
}

static void put_condition(const struct eu_instruction *in, struct text *text)
{
	const unsigned condition = eu_condition(in);
	const struct eu_word *word = eu_word(in->isa, EU_INSTRUCTION_CONDITION_MODIFIER, condition);

	if (!condition)
		return;
	if (word) {
		text_put_char(text, '.');
		text_put_bytes(text, word->name, word->length);
	}
	if (!(in->opcode->traits & EU_KEEPS_FLAGS) ||
	    eu_has(in->isa, EU_INSTRUCTION_COMPRESSION_CONTROL)) {
		text_put(text, ".");
		eu_put_flag(in, text);
	}
}

static void put_head(const struct eu_instruction *in, struct text *text)
{
	put_predicate(in, text);
	text_put_bytes(text, in->opcode->name, in->opcode->length);
	if (!eu_is_message(in) && eu_saturates(in))
		text_put(text, ".sat");
	if (eu_value(in, EU_INSTRUCTION_DEBUG))
		text_put(text, ".breakpoint");
	if (in->opcode->form == EU_MATH)
		put_word(in, " ", EU_MATH_FUNCTION, text);
	if (in->opcode->form == EU_SYNC)
		put_word(in, " ", EU_SYNC_FUNCTION, text);
	if (in->opcode->traits & EU_TABLE_OF_BITS) {
		text_put(text, ".0x");
		text_put_hex(text, eu_value(in, EU_BFN_FUNCTION), 2);
	}
	eu_put_function(in, text);
	if (in->opcode->form == EU_BDPAS)
		text_put(text, ".8x8");
	if (in->opcode->form == EU_DPAS) {
		put_word(in, ".", EU_DPAS_SYSTOLIC_DEPTH, text);
		text_put(text, "x");
		text_put_decimal(text, eu_value(in, EU_DPAS_REPEAT_COUNT) + 1);
	}
	put_condition(in, text);
	if (in->opcode->form == EU_NOP)
		return;
	text_put(text, "(");
	text_put_decimal(text, in->exec_size);
	text_put(text, ")");
	if (eu_has(in->isa, EU_SEND_BASE_MESSAGE_REGISTER) && eu_is_message(in)) {
		text_put(text, " ");
		text_put_decimal(text, eu_value(in, EU_SEND_BASE_MESSAGE_REGISTER));
	}
}

/* A descriptor, or the address register that contains it. */
static void put_descriptor(bool known, uint32_t value, uint64_t sub, unsigned column,
			   struct text *text)
{
	text_pad(text, column);
	if (known) {
		eu_put_hex(value, 8, text);
		return;
	}
	text_put(text, "a0");
	if (sub) {
		text_put(text, ".");
		text_put_decimal(text, sub);
	}
	text_put(text, "<0>UD");
}

/* Where a message goes. The assemblers skip everything else between MsgDesc and the options. */
static void put_shared_function(const struct eu_instruction *in, struct text *text)
{
	const char *name = in->isa->function[in->shared_function % EU_FUNCTIONS].name;

	text_put(text, "  ");
	if (name)
		text_put(text, name);
	else
		text_put_decimal(text, in->shared_function);
	text_put(text, " MsgDesc:");
	if (eu_is_long_message(in)) {
		text_add(text, " src0_len = %u src1_len = %u", in->payload[0], in->payload[1]);
		return;
	}
	if (in->split && !in->extended_known && eu_value(in, EU_SEND_BINDLESS_OFFSET)) {
		text_put(text, " src1_len = ");
		text_put_decimal(text, eu_value(in, EU_SEND_SOURCE1_LENGTH));
		text_put(text, " ex_bso");
	}
}

static void put_message_operands(const struct eu_instruction *in, struct text *text)
{
	enum eu_field sub = in->opcode->form == EU_SEND ? EU_SEND_EXTENDED_DESCRIPTOR_SUBREGISTER
							: EU_SENDS_EXTENDED_DESCRIPTOR_SUBREGISTER;
	unsigned bytes;

	if (eu_is_long_message(in)) {
		text_pad(text, COLUMN_FOURTH);
		eu_put_hex(in->descriptor, 12, text);
		/* More of the descriptor is in the scalar register. */
		for (unsigned i = 0; i < 2; i++)
			if (eu_indirect_descriptor(in, i, &bytes))
				text_add(text, " s0.%u<0>UQ", bytes / eu_types[EU_UQ].size);
		return;
	}
	if (in->split) {
		put_descriptor(in->descriptor_known, (uint32_t)in->descriptor, 0, COLUMN_FOURTH,
			       text);
		put_descriptor(in->extended_known, in->extended, eu_value(in, sub), 80, text);
		return;
	}
	text_pad(text, COLUMN_THIRD);
	if (!in->descriptor_known) {
		eu_put_source(in, 1, text);
		text_pad(text, COLUMN_FOURTH);
	}
	eu_put_hex(in->raw.half[1] >> 32, 8, text);
}

static void put_jump(const struct eu_instruction *in, const struct eu_labels *labels,
		     struct text *text)
{
	text_pad(text, COLUMN_FIRST);
	if (in->opcode->traits & EU_CALLS) {
		eu_put_destination(in, text);
		text_pad(text, COLUMN_SECOND);
	}
	if (in->operands) {
		eu_put_source(in, 0, text);
		return;
	}
	if (in->has_jip) {
		text_put(text, "JIP: ");
		labels_put(labels, (int64_t)in->offset + in->jip, text);
	}
	if (in->has_uip) {
		text_pad(text, 38);
		text_put(text, "UIP: ");
		labels_put(labels, (int64_t)in->offset + in->uip, text);
	}
	if (in->has_jip || !eu_has(in->isa, EU_BRANCH_JUMP_COUNT))
		return;
	/* Through Gen5 an instruction says how far to jump, and how many levels to leave. */
	if (in->opcode->sources & 1) {
		text_put(text, "Jump: ");
		text_put_signed(text, (int16_t)(eu_value(in, EU_BRANCH_JUMP_COUNT) >>
						in->isa->slot[EU_BRANCH_JUMP_COUNT].part[0].shift));
	}
	if (in->opcode->sources & 2) {
		text_pad(text, in->opcode->sources & 1 ? COLUMN_SECOND : COLUMN_FIRST);
		text_put(text, "Pop: ");
		text_put_decimal(text, eu_value(in, EU_BRANCH_POP_COUNT));
	}
}

static void put_operands(const struct eu_instruction *in, const struct eu_labels *labels,
			 struct text *text)
{
	if (in->opcode->form == EU_NOP)
		return;
	if (in->opcode->form == EU_BRANCH) {
		put_jump(in, labels, text);
		return;
	}
	text_pad(text, COLUMN_FIRST);
	if (in->opcode->traits & EU_JUMPS) {
		eu_put_source(in, 1, text);
		return;
	}
	if (in->opcode->form != EU_SYNC)
		eu_put_destination(in, text);
	for (unsigned i = 0; i < in->operands; i++) {
		text_pad(text, COLUMN_SECOND + i * (COLUMN_THIRD - COLUMN_SECOND));
		eu_put_source(in, i, text);
	}
	if (eu_is_message(in)) {
		put_message_operands(in, text);
		put_shared_function(in, text);
	}
}

/* ---- options --------------------------------------------------------------------------------- */

/* Which channels of the thread it applies to: quarters of 32 as 1Q, nibbles as 1N, halves as 1H. */
static void put_channels(const struct eu_instruction *in, struct text *text)
{
	unsigned quarter = (unsigned)eu_value(in, EU_INSTRUCTION_QUARTER_CONTROL);
	unsigned nibble = (unsigned)eu_value(in, EU_INSTRUCTION_NIBBLE_CONTROL);

	if (in->exec_size > 16 && !nibble)
		return;
	text_put(text, " ");
	if (in->exec_size < 8 || nibble)
		text_put_decimal(text, quarter * 2 + nibble + 1);
	else
		text_put_decimal(text, in->exec_size == 8 ? quarter + 1 : quarter / 2 + 1);
	text_put_char(text, in->exec_size < 8 || nibble ? 'N' : in->exec_size == 8 ? 'Q' : 'H');
}

void eu_print(const struct eu_instruction *in, const struct eu_labels *labels, struct text *text)
{
	struct eu_scoreboard s;

	if (!in->opcode) {
		text_put(text, "illegal");
		return;
	}
	put_head(in, text);
	put_operands(in, labels, text);
	if (in->opcode->form == EU_NOP) {
		text_put(text, ";");
		return;
	}
	text_pad(text, COLUMN_FOURTH);
	s = eu_scoreboard(in);
	text_put(text, "{ align1");
	if (in->align16)
		text_put_char(text, '6');
	put_word(in, " ", EU_INSTRUCTION_MASK_CONTROL, text);
	if (eu_value(in, EU_INSTRUCTION_DEPENDENCY_CONTROL))
		put_word(in, " ", EU_INSTRUCTION_DEPENDENCY_CONTROL, text);
	/* On platforms with message registers, a bit of a register's number is an option. */
	if (!eu_has(in->isa, EU_INSTRUCTION_COMPRESSION_CONTROL))
		put_channels(in, text);
	else if (eu_value(in, EU_INSTRUCTION_COMPRESSION_CONTROL) == 2 &&
		 in->destination.file == EU_MRF && in->destination.reg & 0x80)
		text_put(text, " compr4");
	else
		put_word(in, " ", EU_INSTRUCTION_COMPRESSION_CONTROL, text);
	if (s.distance)
		text_add(text, " %s@%u", s.pipe, s.distance);
	if (s.use)
		text_add(text, " $%u%s", s.token, s.use);
	if (in->size == 8)
		text_put(text, " compacted");
	put_word(in, " ", EU_INSTRUCTION_THREAD_CONTROL, text);
	if ((in->opcode->form == EU_BRANCH || in->opcode->traits & EU_JUMPS) &&
	    eu_has(in->isa, EU_INSTRUCTION_BRANCH_CONTROL))
		put_word(in, " ", EU_INSTRUCTION_BRANCH_CONTROL, text);
	else
		put_word(in, " ", EU_INSTRUCTION_ACCUMULATOR_WRITE, text);
	if (eu_forwards(in))
		text_put(text, " fwd");
	if (in->ends)
		text_put(text, " EOT");
	text_put(text, " }");
	text_put(text, ";");
}
