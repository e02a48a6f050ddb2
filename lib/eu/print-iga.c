/* SPDX-License-Identifier: MIT */
/* An instruction as text, in the syntax of IGA, the assembler of Intel's compilers. */
#include "eu/iga.h"
#include "eu/program.h"

/* ---- words ----------------------------------------------------------------------------------- */

/* A value of `field` in IGA's words; Mesa's where EU_IGA has none. */
static void put_word(const struct eu_isa *isa, enum eu_field iga, enum eu_field field,
		     uint64_t value, struct text *text)
{
	const struct eu_word *word = eu_word(isa, iga, value);

	if (!word)
		word = eu_word(isa, field, value);
	if (word)
		text_put_bytes(text, word->name, word->length);
	else
		text_put_decimal(text, value);
}

/* ---- what comes before operands -------------------------------------------------------------- */

static void put_predicate(const struct eu_instruction *in, struct text *text)
{
	enum { NORMAL = 1 };
	const uint64_t control = in->opcode->form == EU_SYNC || in->opcode->form == EU_NOP
					 ? 0
					 : eu_value(in, EU_INSTRUCTION_PREDICATE_CONTROL);
	const bool all = in->opcode->form != EU_NOP && eu_value(in, EU_INSTRUCTION_MASK_CONTROL);

	if (!all && !control)
		return;
	text_put(text, !all ? "(" : control ? "(W&" : "(W");
	if (control) {
		if (eu_value(in, EU_INSTRUCTION_PREDICATE_INVERSE))
			text_put_char(text, '~');
		eu_put_flag(in, text);
	}
	if (control > NORMAL) {
		text_put_char(text, '.');
		put_word(in->isa, EU_INSTRUCTION_PREDICATE_CONTROL,
			 EU_INSTRUCTION_PREDICATE_CONTROL, control, text);
	}
	text_put_char(text, ')');
}

static void put_head(const struct eu_instruction *in, struct text *text)
{
	const unsigned condition = eu_condition(in);

	put_predicate(in, text);
	text_pad(text, AT_NAME);
	text_put_bytes(text, in->opcode->name, in->opcode->length);
	/* Which variant of its opcode it is. */
	if (in->opcode->form == EU_MATH) {
		text_put_char(text, '.');
		put_word(in->isa, EU_IGA_MATH_FUNCTION, EU_MATH_FUNCTION,
			 eu_value(in, EU_MATH_FUNCTION), text);
	} else if (in->opcode->form == EU_SYNC) {
		text_put_char(text, '.');
		put_word(in->isa, EU_SYNC_FUNCTION, EU_SYNC_FUNCTION,
			 eu_value(in, EU_SYNC_FUNCTION), text);
	} else if (in->opcode->form == EU_BDPAS) {
		text_put(text, ".8x8");
	} else if (in->opcode->traits & (EU_FUNCTION | EU_CONVERTS)) {
		eu_put_function(in, text);
	} else if (eu_is_dpas(in)) {
		text_put_char(text, '.');
		put_word(in->isa, EU_IGA_SYSTOLIC_DEPTH, EU_DPAS_SYSTOLIC_DEPTH,
			 eu_value(in, EU_DPAS_SYSTOLIC_DEPTH), text);
		text_put_char(text, 'x');
		text_put_decimal(text, eu_value(in, EU_DPAS_REPEAT_COUNT) + 1);
	} else if (in->opcode->traits & EU_TABLE_OF_BITS) {
		text_put_char(text, '.');
		iga_put_hex(eu_value(in, EU_BFN_FUNCTION), 2, text);
	} else if (eu_is_message(in) && iga_is_newer(in)) {
		const struct eu_word *word =
			eu_word(in->isa, EU_IGA_SHARED_FUNCTION, in->shared_function);
		const char *name = in->isa->function[in->shared_function % EU_FUNCTIONS].name;

		text_put_char(text, '.');
		text_put(text, word ? word->name : name ? name : "?");
	} else if (in->opcode->form == EU_BRANCH && !(in->opcode->traits & (EU_ALONE | EU_CALLS)) &&
		   eu_value(in, EU_INSTRUCTION_BRANCH_CONTROL)) {
		text_put(text, ".b");
	}
	if (in->opcode->form != EU_NOP && in->opcode->form != EU_SYNC &&
	    !(in->opcode->traits & EU_ALONE)) {
		text_put(text, " (");
		text_put_decimal(text, iga_writes_element(in) ? 1 : in->exec_size);
		text_put(text, "|M");
		text_put_decimal(text, eu_value(in, EU_INSTRUCTION_QUARTER_CONTROL) * 8 +
					       eu_value(in, EU_INSTRUCTION_NIBBLE_CONTROL) * 4);
		text_put_char(text, ')');
	}
	if (in->opcode->form == EU_MATH && iga_is_macro(in)) {
		text_pad(text, AT_CONDITION);
		text_put(text, "(eo)");	/* an early way out */
		eu_put_flag(in, text);
	}
	if (!condition)
		return;
	text_pad(text, AT_CONDITION);
	text_put_char(text, '(');
	put_word(in->isa, EU_IGA_CONDITION, EU_INSTRUCTION_CONDITION_MODIFIER, condition, text);
	text_put_char(text, ')');
	eu_put_flag(in, text);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* To untyped memory, if an offset is added to the descriptor: it takes the bit of ExBSO as well. */
static bool offset_is_longer(const struct eu_instruction *in)
{
	enum { UGM = 15 };

	return eu_has(in->isa, EU_IGA_OFFSET) && in->shared_function == UGM;
}

/* The extended descriptor in a register is an offset of surface state (ExBSO). */
static bool is_bindless(const struct eu_instruction *in)
{
	return in->split && !eu_is_long_message(in) && !in->extended_known &&
	       !offset_is_longer(in) && eu_value(in, EU_SEND_BINDLESS_OFFSET);
}

/* Bits of the instruction that are added to it; it has zeros where other fields are. */
static uint32_t register_offset(const struct eu_instruction *in)
{
	enum { LENGTH = 0x7c0, REGISTER = 0x70000, BINDLESS = 0x8000 };
	uint32_t others = LENGTH | REGISTER;

	if (!eu_has(in->isa, EU_IGA_OFFSET))
		return 0;
	if (!offset_is_longer(in))
		others |= BINDLESS;
	return in->extended & ~others;
}

static void put_payloads(const struct eu_instruction *in, struct text *text)
{
	const int type = eu_number(in, EU_SENDS_DESTINATION_TYPE);
	const struct eu_operand *s = in->source;
	struct eu_operand d = in->destination;
	const bool newer = iga_is_newer(in);

	if (in->opcode->form == EU_SENDS && type >= 0)
		d.type = (uint8_t)type;
	text_pad(text, AT_DESTINATION);
	iga_put_register(in, &d, true, text);
	/* From Gen8 on, whose jumps have a branch control, UD is implied. */
	if (!newer &&
	    (in->split || d.type != EU_UD || !eu_has(in->isa, EU_INSTRUCTION_BRANCH_CONTROL)))
		iga_put_type(&d, text);
	text_pad(text, AT_PAYLOAD0);
	iga_put_register(in, &s[0], true, text);
	if (!newer && s[0].type != EU_UD)
		iga_put_type(&s[0], text);
	if (eu_is_long_message(in))
		text_add(text, ":%u", in->payload[0]);
	if (!in->split || iga_gathers(in))
		return;
	text_pad(text, AT_PAYLOAD1);
	iga_put_register(in, &s[1], true, text);
	/* The number of its registers, if that is in the instruction. */
	if (eu_is_long_message(in) ||
	    (in->extended_known ? eu_has(in->isa, EU_IGA_SOURCE1_LENGTH)
				: is_bindless(in) || offset_is_longer(in))) {
		text_put_char(text, ':');
		text_put_decimal(text, eu_is_long_message(in) ? in->payload[1]
				       : s[1].file == EU_ARF
					       ? 0
					       : eu_value(in, EU_SEND_SOURCE1_LENGTH));
	}
}

static void put_message(const struct eu_instruction *in, struct text *text)
{
	enum eu_field sub = in->opcode->form == EU_SEND ? EU_SEND_EXTENDED_DESCRIPTOR_SUBREGISTER
							: EU_SENDS_EXTENDED_DESCRIPTOR_SUBREGISTER;
	enum { LENGTH = 0x7c0, END_OF_THREAD = 0x20 };
	uint32_t extended = in->extended;
	unsigned bytes;

	put_payloads(in, text);
	text_pad(text, AT_EXTENDED);
	if (eu_is_long_message(in)) {
		for (unsigned i = 0; i < 2; i++)
			if (eu_indirect_descriptor(in, i, &bytes))
				text_add(text, "s0.%u  ", bytes);
		iga_put_hex(in->descriptor, 0, text);
		return;
	}
	/* Without the number of a payload's registers, if that is shown next to it. */
	if (!iga_is_newer(in))
		extended |= in->shared_function | (in->ends ? END_OF_THREAD : 0u);
	else if (eu_has(in->isa, EU_IGA_SOURCE1_LENGTH))
		extended &= ~(uint32_t)LENGTH;
	if (in->split && !in->extended_known) {
		if (register_offset(in)) {
			iga_put_hex(register_offset(in), 0, text);
			text_put_char(text, ':');
		}
		text_add(text, "a0.%u", (unsigned)eu_value(in, sub));
	} else {
		iga_put_hex(extended, 0, text);
	}
	text_pad(text, AT_DESCRIPTOR);
	if (in->descriptor_known)
		iga_put_hex(in->descriptor & (iga_is_newer(in) ? UINT32_MAX : INT32_MAX), 8, text);
	else
		text_put(text, "a0.0");
}

/* ---- jumps ----------------------------------------------------------------------------------- */

static void put_target(const struct eu_instruction *in, const struct eu_operand *o,
		       const struct eu_labels *labels, struct text *text)
{
	int64_t target = (int64_t)o->value;	/* of calla */

	if (eu_jump_target(in, &target) || o->file == EU_IMM) {
		labels_put(labels, target, text);
		return;
	}
	iga_put_register(in, o, false, text);
	if (!iga_is_newer(in) && o->type != EU_D)
		iga_put_type(o, text);
}

static void put_label(const struct eu_instruction *in, int32_t distance,
		      const struct eu_labels *labels, struct text *text)
{
	labels_put(labels, (int64_t)in->offset + distance, text);
	if (!iga_is_newer(in) && in->opcode->traits & EU_TARGET && in->source[0].type != EU_D)
		iga_put_type(&in->source[0], text);
}

static void put_jump(const struct eu_instruction *in, const struct eu_labels *labels,
		     struct text *text)
{
	if (in->opcode->traits & EU_CALLS) {
		text_pad(text, AT_DESTINATION);
		iga_put_register(in, &in->destination, false, text);
		if (!iga_is_newer(in) && in->destination.type != EU_D)
			iga_put_type(&in->destination, text);
	}
	if (!in->operands && !in->has_jip && !(in->opcode->traits & EU_JUMPS))
		return;
	text_pad(text, AT_SOURCE0);
	if (in->opcode->traits & EU_JUMPS) {
		put_target(in, &in->source[1], labels, text);
	} else if (in->operands) {
		put_target(in, &in->source[0], labels, text);
	} else {
		put_label(in, in->jip, labels, text);
		if (!in->has_uip)
			return;
		text_pad(text, AT_SOURCE1);
		put_label(in, in->uip, labels, text);
	}
}

/* ---- operands of all ------------------------------------------------------------------------- */

/* "null", or the tokens to wait for: "($0,$3)". */
static void put_awaited(const struct eu_instruction *in, struct text *text)
{
	enum { ALL_READ = 2, ALL_WRITTEN = 3 };
	const uint64_t function = eu_value(in, EU_SYNC_FUNCTION);
	const struct eu_operand *o = &in->source[0];
	const char *between = "";

	text_pad(text, AT_SOURCE0);
	if (o->file != EU_IMM) {
		if (iga_put_name(in->isa, o, text)) {
			text_add(text, ".%u", o->sub / eu_types[o->type].size);
			iga_put_type(o, text);
		}
	} else if (function == ALL_READ || function == ALL_WRITTEN) {
		text_put_char(text, '(');
		for (unsigned i = 0; i < 32; i++)
			if (o->value >> i & 1) {
				text_add(text, "%s$%u", between, i);
				between = ",";
			}
		text_put_char(text, ')');
	} else {
		iga_put_immediate(o, text);
		if (o->type != EU_UD)
			iga_put_type(o, text);
	}
}

static void put_operands(const struct eu_instruction *in, const struct eu_labels *labels,
			 struct text *text)
{
	enum { FDIV = 9, INVM = 14, RSQTM = 15 };
	const uint64_t function = eu_value(in, EU_MATH_FUNCTION);
	const unsigned two = eu_has(in->isa, EU_TWO_SOURCE0_TYPE) ? INVM : FDIV;
	unsigned count = in->operands;

	if (in->opcode->form == EU_NOP || in->opcode->form == EU_SYNC) {
		if (in->opcode->form == EU_SYNC)
			put_awaited(in, text);
		return;
	}
	if (in->opcode->form == EU_BRANCH || in->opcode->traits & EU_JUMPS) {
		put_jump(in, labels, text);
		return;
	}
	if (eu_is_message(in)) {
		put_message(in, text);
		return;
	}
	if (in->opcode->traits & EU_WAITS ||
	    (in->opcode->traits & EU_INDEXES && !eu_has(in->isa, EU_THREE_ALIGN1_FLOAT)))
		count = 1;
	else if (in->opcode->form == EU_MATH)
		/* Functions with the same number of sources come first, except for one. */
		count = function < two || function == RSQTM ? 1 : 2;
	if (!(in->opcode->traits & EU_WAITS))
		iga_put_destination(in, text);
	for (unsigned i = 0; i < count; i++) {
		text_pad(text, AT_SOURCE0 + i * (AT_SOURCE1 - AT_SOURCE0));
		iga_put_source(in, i, text);
	}
}

/* ---- options --------------------------------------------------------------------------------- */

struct options {
	struct text *text;
	unsigned count;
};

static void put_option(struct options *options, const char *option)
{
	text_put(options->text, options->count++ ? "," : " {");
	text_put(options->text, option);
}

/* Options that are values of fields: `values` has a bit for each. In IGA's order. */
struct option_value { enum eu_field field; unsigned values; const char *option; };

static void put_values(const struct eu_instruction *in, const struct option_value *rows,
		       size_t count, struct options *options)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].values >> eu_value(in, rows[i].field) & 1)
			put_option(options, rows[i].option);
}

static void put_scoreboard(const struct eu_instruction *in, struct options *options)
{
	const struct eu_scoreboard s = eu_scoreboard(in);
	const struct eu_word *word = eu_word(in->isa, EU_INSTRUCTION_SCOREBOARD,
					     eu_value(in, EU_INSTRUCTION_SCOREBOARD));
	const char *pipe = s.pipe;
	char option[24];

	if (s.use && !*pipe && eu_is_message(in) && eu_has(in->isa, EU_IGA_PIPES))
		pipe = "A";
	if (s.distance) {
		string_set(option, "%s@%u", pipe, s.distance);
		put_option(options, option);
	}
	if (s.use) {
		string_set(option, "$%u%s", s.token, s.use);
		put_option(options, option);
	}
	if (!s.distance && !s.use && word)
		put_option(options, word->name);
}

static void put_options(const struct eu_instruction *in, struct text *text)
{
	static const struct option_value first[] = {
		{ EU_INSTRUCTION_ACCUMULATOR_WRITE, 1 << 1, "AccWrEn" },
		{ EU_INSTRUCTION_THREAD_CONTROL, 1 << 1, "Atomic" },
		{ EU_INSTRUCTION_DEBUG, 1 << 1, "Breakpoint" },
	}, second[] = {
		{ EU_INSTRUCTION_DEPENDENCY_CONTROL, 1 << 2 | 1 << 3, "NoDDChk" },
		{ EU_INSTRUCTION_DEPENDENCY_CONTROL, 1 << 1 | 1 << 3, "NoDDClr" },
		{ EU_INSTRUCTION_THREAD_CONTROL, 1 << 3, "NoPreempt" },
		{ EU_INSTRUCTION_THREAD_CONTROL, 1 << 2, "Switch" },
	}, sends[] = {
		{ EU_INSTRUCTION_THREAD_CONTROL, 1 << 3, "NoPreempt" },
		{ EU_SENDS_NO_SOURCE_DEPENDENCY, 1 << 1, "NoSrcDepSet" },
		{ EU_INSTRUCTION_THREAD_CONTROL, 1 << 2, "Switch" },
	}, send[] = {
		{ EU_INSTRUCTION_THREAD_CONTROL, 1 << 3, "NoPreempt" },
		{ EU_SEND_NO_SOURCE_DEPENDENCY, 1 << 1, "NoSrcDepSet" },
		{ EU_INSTRUCTION_THREAD_CONTROL, 1 << 2, "Switch" },
		{ EU_SEND_SERIALIZED, 1 << 1, "Serialize" },
	}, bindless[] = {
		{ EU_SEND_BINDLESS_OFFSET, 1 << 1, "ExBSO" },
		{ EU_SEND_COARSE, 1 << 1, "CPS" },
	};
	/* Jumps and messages have other bits there. */
	const bool accumulates = in->opcode->form != EU_BRANCH && !eu_is_message(in) &&
				 in->opcode->form != EU_NOP && !(in->opcode->traits & EU_JUMPS);
	const unsigned skipped = eu_is_long_message(in) || in->opcode->form == EU_NOP
					 ? 2 : !accumulates;
	struct options options = { .text = text };

	put_values(in, first + skipped, ARRAY_SIZE(first) - skipped, &options);
	if (in->size == 8)
		put_option(&options, "Compacted");
	if (in->ends)
		put_option(&options, "EOT");
	if (eu_forwards(in))
		put_option(&options, "Fwd");
	if (in->opcode->form == EU_SENDS)
		put_values(in, sends, ARRAY_SIZE(sends), &options);
	else if (in->opcode->form == EU_SEND)
		put_values(in, send, ARRAY_SIZE(send), &options);
	else if (in->opcode->form != EU_NOP)
		put_values(in, second, ARRAY_SIZE(second), &options);
	if (is_bindless(in))
		put_values(in, bindless, ARRAY_SIZE(bindless), &options);
	if (iga_is_newer(in))
		put_scoreboard(in, &options);
	if (options.count)
		text_put_char(text, '}');
}

void eu_print_iga(const struct eu_instruction *in, const struct eu_labels *labels,
		  struct text *text)
{
	if (!in->opcode || !iga_is_expressible(in)) {
		text_pad(text, AT_NAME);
		text_put(text, "illegal");
		if (!in->opcode)
			return;
		text_put(text, "  // no IGA syntax has: ");
		eu_print(in, labels, text);
		return;
	}
	put_head(in, text);
	put_operands(in, labels, text);
	put_options(in, text);
}
