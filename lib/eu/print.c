/* SPDX-License-Identifier: MIT */
/* An instruction as text, in the syntax that Mesa's assemblers take. */
#include "eu/eu.h"
#include "eu/labels.h"
#include "util/text.h"
#include "util/util.h"

#include <math.h>
#include <string.h>

/* Where Mesa's tools begin the operands; a longer word moves what follows. */
enum { COLUMN_FIRST = 16, COLUMN_SECOND = 32, COLUMN_THIRD = 48, COLUMN_FOURTH = 64 };

/* ---- registers ------------------------------------------------------------------------------- */

/* False: nothing may follow it, as its place in it and its region mean nothing. */
static bool put_register(const struct eu_isa *isa, const struct eu_operand *o, struct text *text)
{
	enum { NULL_REGISTER = 0, IP = 10, TDR = 11 };
	const unsigned kind = o->reg >> 4;
	const struct eu_word *word = eu_word(isa, EU_ARCHITECTURE_REGISTER_KIND, kind);

	if (o->file == EU_ARF && word) {
		text_put(text, word->name);
		if (kind != NULL_REGISTER && kind != IP && kind != TDR)
			text_put_decimal(text, o->reg & 15);
		return kind != IP && kind != TDR;
	}
	text_put(text, o->file == EU_ARF ? "ARF" : o->file == EU_MRF ? "m" : "g");
	text_put_decimal(text, o->file == EU_MRF ? o->reg & 0x7f : o->reg);
	return true;
}

/*
 * g[a0.2 16]: a register whose number is in an address register. Its parts are words (PRM, "Address
 * Subregister Number"), but Mesa's tools count those of a destination in elements of its type.
 * r[s0.2]: registers whose numbers are in the scalar register.
 */
static void put_address(const struct eu_isa *isa, const struct eu_operand *o, unsigned element,
			struct text *text)
{
	if (o->file == EU_ARF && o->region == EU_REGION_NONE) {
		text_put(text, "r[");
		put_register(isa, o, text);
		text_put(text, ".");
		text_put_decimal(text, o->sub);
		text_put(text, "]");
		return;
	}
	text_put(text, "g[a0");
	if (o->sub) {
		text_put(text, ".");
		text_put_decimal(text, o->sub / element);
	}
	if (o->offset) {
		text_put(text, " ");
		text_put_signed(text, o->offset);
	}
	text_put(text, "]");
}

static void put_stride(int stride, struct text *text)
{
	if (stride == EU_VXH)
		text_put(text, "VxH");
	else
		text_put_signed(text, stride);
}

static void put_mask(unsigned mask, struct text *text)
{
	static const char channels[] = "xyzw";

	if (mask == 15)
		return;
	text_put(text, ".");
	for (unsigned i = 0; i < 4; i++)
		if (mask >> i & 1)
			text_put_char(text, channels[i]);
}

static void put_swizzle(unsigned swizzle, struct text *text)
{
	static const char channels[] = "xyzw";
	unsigned first = swizzle & 3;

	if (swizzle == 0xe4)
		return;
	text_put(text, ".");
	text_put_char(text, channels[first]);
	if (swizzle == first * 0x55)
		return;
	for (unsigned i = 1; i < 4; i++)
		text_put_char(text, channels[swizzle >> i * 2 & 3]);
}

static void put_region(const struct eu_operand *o, bool swizzled, struct text *text)
{
	text_put(text, "<");
	put_stride(o->vertical, text);
	if (o->region == EU_REGION_ALIGN1) {
		text_put(text, ",");
		put_stride(o->width, text);
		text_put(text, ",");
		put_stride(o->horizontal, text);
	}
	text_put(text, ">");
	if (o->region == EU_REGION_ALIGN16 || swizzled)
		put_swizzle(o->channels, text);
}

static void put_sub(const struct eu_operand *o, bool ternary, struct text *text)
{
	const unsigned element = o->sub / eu_types[o->type].size;

	if (!(ternary ? element : o->sub) && !o->point)
		return;
	text_put(text, ".");
	text_put_decimal(text, element);
}

/* ---- immediates ------------------------------------------------------------------------------ */

static double power_of_two(int exponent)
{
	double value = 1;

	for (; exponent > 0; exponent--)
		value *= 2;
	for (; exponent < 0; exponent++)
		value /= 2;
	return value;
}

/* The four small floats of a VF: a sign, three bits of exponent, four of fraction. */
static double vector_float(unsigned bits)
{
	double value = (16 + (bits & 15)) / 16.0 * power_of_two((int)(bits >> 4 & 7) - 3);

	if (!(bits & 0x7f))
		value = 0;
	return bits & 0x80 ? -value : value;
}

static void put_number(const struct eu_operand *o, struct text *text)
{
	const struct eu_type_row *type = &eu_types[o->type];

	switch ((enum eu_type)o->type) {
	case EU_D:
		text_put_signed(text, (int32_t)o->value);
		break;
	case EU_W:
		text_put_signed(text, (int16_t)o->value);
		break;
	case EU_UW:
	case EU_HF:
	case EU_BF:
		text_put(text, "0x");
		text_put_hex(text, o->value & 0xffff, 4);
		break;
	case EU_UQ:
	case EU_Q:
	case EU_DF:
		text_put(text, "0x");
		text_put_hex(text, o->value, 16);
		break;
	case EU_VF:
	case EU_F:
		text_put(text, "0x");
		text_put_hex(text, o->value, 1);
		break;
	default:
		text_put(text, "0x");
		text_put_hex(text, o->value & UINT32_MAX, 8);
	}
	text_put(text, type->name);
}

/* A ternary's immediate has 16 bits, and no other types. */
static void put_half(const struct eu_operand *o, struct text *text)
{
	if (o->type == EU_W)
		text_put_decimal(text, o->value);
	else if (o->type == EU_UW || o->type == EU_HF)
		text_add(text, "0x%04x", (unsigned)o->value);
	else
		return;
	text_put(text, eu_types[o->type].name);
}

static double half_float(unsigned bits)
{
	int exponent = (int)(bits >> 10 & 31);
	double value = (bits & 0x3ff) / 1024.0;

	if (exponent == 31)
		return bits & 0x3ff ? NAN : bits & 0x8000 ? -INFINITY : INFINITY;
	value = exponent ? (value + 1) * power_of_two(exponent - 15) : value * power_of_two(-14);
	return bits & 0x8000 ? -value : value;
}

/* What a float is, in a comment. */
static void put_float(const struct eu_operand *o, struct text *text)
{
	const uint32_t bits = (uint32_t)o->value;
	double value;
	float single;

	switch (o->value > UINT32_MAX ? EU_DF : (enum eu_type)o->type) {
	case EU_F:
		memcpy(&single, &bits, sizeof(single));
		text_pad(text, COLUMN_THIRD);
		text_add(text, "/* %gF */", (double)single);
		break;
	case EU_DF:
		memcpy(&value, &o->value, sizeof(value));
		text_pad(text, COLUMN_THIRD);
		text_add(text, "/* %g%s */", value, eu_types[o->type].name);
		break;
	case EU_HF:
		text_pad(text, COLUMN_THIRD);
		text_add(text, "/* %gHF */", half_float(bits & 0xffff));
		break;
	case EU_VF:
		text_pad(text, COLUMN_THIRD);
		text_add(text, "/* [%gF, %gF, %gF, %gF]VF */", vector_float(bits & 0xff),
			 vector_float(bits >> 8 & 0xff), vector_float(bits >> 16 & 0xff),
			 vector_float(bits >> 24));
		break;
	default:
		break;
	}
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_ternary(const struct eu_instruction *in)
{
	return in->opcode->form == EU_THREE || in->opcode->form == EU_DPAS;
}

static void put_destination(const struct eu_isa *isa, const struct eu_instruction *in,
			    struct text *text)
{
	const struct eu_operand *o = &in->destination;

	if (o->indirect) {
		put_address(isa, o, eu_types[o->type].size, text);
	} else {
		if (!put_register(isa, o, text))
			return;
		put_sub(o, is_ternary(in), text);
	}
	if (!in->split) {
		text_put(text, "<");
		put_stride(o->horizontal, text);
		text_put(text, ">");
		if (o->region == EU_REGION_ALIGN16)
			put_mask(o->channels, text);
	}
	text_put(text, eu_types[o->type].name);
}

/* The sign of a source is its complement from Gen8 on, which has branch control first. */
static bool is_logic(const struct eu_instruction *in)
{
	static const char *const names[] = { "not", "and", "or", "xor" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(in->opcode->name, names[i]))
			return true;
	return false;
}

static void put_source(const struct eu_isa *isa, const struct eu_instruction *in, unsigned i,
		       struct text *text)
{
	const struct eu_operand *o = &in->source[i];
	const bool ternary = is_ternary(in);

	if (o->file == EU_IMM && ternary) {
		put_half(o, text);
		return;
	}
	if (o->file == EU_IMM) {
		put_number(o, text);
		put_float(o, text);
		return;
	}
	/* Drivers count on it from Gen8 on, whose jumps have a branch control. */
	if (o->negate && eu_has(isa, EU_INSTRUCTION_BRANCH_CONTROL) && is_logic(in))
		text_put(text, "~");
	else if (o->negate)
		text_put(text, "-");
	if (o->absolute)
		text_put(text, "(abs)");
	if (o->indirect) {
		put_address(isa, o, 1, text);
		if (o->file == EU_ARF && o->region == EU_REGION_NONE)
			return;
	} else {
		if (!put_register(isa, o, text))
			return;
		put_sub(o, ternary, text);
	}
	if (o->region != EU_REGION_NONE)
		put_region(o, ternary && in->align16 && !o->point, text);
	text_put(text, eu_types[o->type].name);
}

/* ---- the instruction ------------------------------------------------------------------------- */

/* The name of a field's value, with what comes before it; nothing if the value has none. */
static void put_word(const struct eu_isa *isa, const struct eu_instruction *in,
		     const char *before, enum eu_field field, struct text *text)
{
	const char *name = eu_name(isa, &in->raw, field);

	if (!name || !*name)
		return;
	text_put(text, before);
	text_put(text, name);
}

static void put_flag(const struct eu_isa *isa, const struct eu_instruction *in, struct text *text)
{
	const bool align16 = in->align16 && in->opcode->form == EU_THREE;
	const enum eu_field reg = align16 && eu_has(isa, EU_THREE_ALIGN16_FLAG_SUBREGISTER)
					  ? EU_THREE_ALIGN16_FLAG_REGISTER
					  : EU_INSTRUCTION_FLAG_REGISTER;
	const enum eu_field sub = align16 && eu_has(isa, EU_THREE_ALIGN16_FLAG_SUBREGISTER)
					  ? EU_THREE_ALIGN16_FLAG_SUBREGISTER
					  : EU_INSTRUCTION_FLAG_SUBREGISTER;

	text_put(text, "f");
	text_put_decimal(text, eu_get(isa, &in->raw, reg));
	text_put(text, ".");
	text_put_decimal(text, eu_get(isa, &in->raw, sub));
}

static void put_predicate(const struct eu_isa *isa, const struct eu_instruction *in,
			  struct text *text)
{
	enum { NORMAL = 1 };
	const uint64_t control = eu_get(isa, &in->raw, EU_INSTRUCTION_PREDICATE_CONTROL);

	if (!control)
		return;
	text_put(text, eu_get(isa, &in->raw, EU_INSTRUCTION_PREDICATE_INVERSE) ? "(-" : "(+");
	put_flag(isa, in, text);
	if (control != NORMAL)
		put_word(isa, in, ".",
			 in->align16 && eu_has(isa, EU_INSTRUCTION_PREDICATE_CONTROL_ALIGN16)
				 ? EU_INSTRUCTION_PREDICATE_CONTROL_ALIGN16
				 : EU_INSTRUCTION_PREDICATE_CONTROL, text);
	text_put(text, ") ");
}

static bool is_message(const struct eu_instruction *in)
{
	return in->opcode->form == EU_SEND || in->opcode->form == EU_SENDS;
}

/* Condition that it sets: not where it has another meaning, or other bits lie there. */
static void put_condition(const struct eu_isa *isa, const struct eu_instruction *in,
			  struct text *text)
{
	static const char *const without_flag[] = { "sel", "csel", "if", "while" };
	bool sets = true;

	if (is_message(in) || in->opcode->form == EU_MATH || in->opcode->form == EU_SYNC ||
	    in->opcode->form == EU_DPAS || in->opcode->form == EU_NOP ||
	    !eu_get(isa, &in->raw, EU_INSTRUCTION_CONDITION_MODIFIER))
		return;
	/* From Gen12 on a wide immediate and the distance of a jump take its bits. */
	if (eu_has(isa, EU_SOURCE0_IMMEDIATE) &&
	    (in->opcode->form == EU_BRANCH || in->function ||
	     (in->source[0].file == EU_IMM && eu_types[in->source[0].type].size == 8)))
		return;
	put_word(isa, in, ".", EU_INSTRUCTION_CONDITION_MODIFIER, text);
	for (size_t i = 0; i < ARRAY_SIZE(without_flag); i++)
		sets &= strcmp(in->opcode->name, without_flag[i]) != 0;
	if (sets || eu_has(isa, EU_INSTRUCTION_COMPRESSION_CONTROL)) {
		text_put(text, ".");
		put_flag(isa, in, text);
	}
}

static void put_head(const struct eu_isa *isa, const struct eu_instruction *in,
		     struct text *text)
{
	put_predicate(isa, in, text);
	text_put(text, in->opcode->name);
	if (!is_message(in) && eu_get(isa, &in->raw, EU_INSTRUCTION_SATURATE))
		text_put(text, ".sat");
	if (eu_get(isa, &in->raw, EU_INSTRUCTION_DEBUG))
		text_put(text, ".breakpoint");
	if (in->opcode->form == EU_MATH)
		put_word(isa, in, " ", EU_MATH_FUNCTION, text);
	if (in->opcode->form == EU_SYNC)
		put_word(isa, in, " ", EU_SYNC_FUNCTION, text);
	if (in->function)
		text_add(text, ".0x%02x", (unsigned)eu_get(isa, &in->raw, EU_BFN_FUNCTION));
	if (in->opcode->form == EU_DPAS) {
		put_word(isa, in, ".", EU_DPAS_SYSTOLIC_DEPTH, text);
		text_put(text, "x");
		text_put_decimal(text, eu_get(isa, &in->raw, EU_DPAS_REPEAT_COUNT) + 1);
	}
	put_condition(isa, in, text);
	if (in->opcode->form == EU_NOP)
		return;
	text_put(text, "(");
	text_put_decimal(text, in->exec_size);
	text_put(text, ")");
	if (eu_has(isa, EU_SEND_BASE_MESSAGE_REGISTER) && is_message(in)) {
		text_put(text, " ");
		text_put_decimal(text, eu_get(isa, &in->raw, EU_SEND_BASE_MESSAGE_REGISTER));
	}
}

/* A descriptor, or the address register that it is in. */
static void put_descriptor(bool known, uint32_t value, uint64_t sub, unsigned column,
			   struct text *text)
{
	text_pad(text, column);
	if (known) {
		text_put(text, "0x");
		text_put_hex(text, value, 8);
		return;
	}
	text_put(text, "a0");
	if (sub) {
		text_put(text, ".");
		text_put_decimal(text, sub);
	}
	text_put(text, "<0>UD");
}

/* Where a message goes. The assemblers skip what else is between MsgDesc and the options. */
static void put_shared_function(const struct eu_isa *isa, const struct eu_instruction *in,
				struct text *text)
{
	const char *name = isa->function[in->shared_function % EU_FUNCTIONS].name;

	text_put(text, "  ");
	if (name)
		text_put(text, name);
	else
		text_put_decimal(text, in->shared_function);
	text_put(text, " MsgDesc:");
	if (in->split && !in->extended_known && eu_get(isa, &in->raw, EU_SEND_BINDLESS_OFFSET)) {
		text_put(text, " src1_len = ");
		text_put_decimal(text, eu_get(isa, &in->raw, EU_SEND_SOURCE1_LENGTH));
		text_put(text, " ex_bso");
	}
}

static void put_message_operands(const struct eu_isa *isa, const struct eu_instruction *in,
				 struct text *text)
{
	enum eu_field sub = in->opcode->form == EU_SEND ? EU_SEND_EXTENDED_DESCRIPTOR_SUBREGISTER
							: EU_SENDS_EXTENDED_DESCRIPTOR_SUBREGISTER;

	if (in->split) {
		put_descriptor(in->descriptor_known, in->descriptor, 0, COLUMN_FOURTH, text);
		put_descriptor(in->extended_known, in->extended, eu_get(isa, &in->raw, sub), 80,
			       text);
		return;
	}
	text_pad(text, COLUMN_THIRD);
	if (!in->descriptor_known) {
		put_source(isa, in, 1, text);
		text_pad(text, COLUMN_FOURTH);
	}
	text_put(text, "0x");
	text_put_hex(text, in->raw.half[1] >> 32, 8);
}

static void put_jump(const struct eu_isa *isa, const struct eu_instruction *in,
		     const struct eu_labels *labels, struct text *text)
{
	text_pad(text, COLUMN_FIRST);
	if (in->has_jip) {
		text_put(text, "JIP: ");
		labels_put(labels, (int64_t)in->offset + in->jip, text);
	}
	if (in->has_uip) {
		text_pad(text, 38);
		text_put(text, "UIP: ");
		labels_put(labels, (int64_t)in->offset + in->uip, text);
	}
	if (in->has_jip || !eu_has(isa, EU_BRANCH_JUMP_COUNT))
		return;
	/* Through Gen5 an instruction says how far to jump, and how many levels it leaves. */
	if (in->opcode->sources & 1) {
		text_put(text, "Jump: ");
		text_put_signed(text, (int16_t)(eu_get(isa, &in->raw, EU_BRANCH_JUMP_COUNT) >>
						isa->slot[EU_BRANCH_JUMP_COUNT].part[0].shift));
	}
	if (in->opcode->sources & 2) {
		text_pad(text, in->opcode->sources & 1 ? COLUMN_SECOND : COLUMN_FIRST);
		text_put(text, "Pop: ");
		text_put_decimal(text, eu_get(isa, &in->raw, EU_BRANCH_POP_COUNT));
	}
}

static bool is_jump(const struct eu_instruction *in)
{
	return !strcmp(in->opcode->name, "jmpi");
}

static void put_operands(const struct eu_isa *isa, const struct eu_instruction *in,
			 const struct eu_labels *labels, struct text *text)
{
	static const unsigned columns[] = { COLUMN_SECOND, COLUMN_THIRD, COLUMN_FOURTH };

	if (in->opcode->form == EU_NOP)
		return;
	if (in->opcode->form == EU_BRANCH) {
		put_jump(isa, in, labels, text);
		return;
	}
	text_pad(text, COLUMN_FIRST);
	if (is_jump(in)) {
		put_source(isa, in, 1, text);
		return;
	}
	if (in->opcode->form != EU_SYNC)
		put_destination(isa, in, text);
	for (unsigned i = 0; i < in->operands; i++) {
		text_pad(text, columns[i]);
		put_source(isa, in, i, text);
	}
	if (is_message(in)) {
		put_message_operands(isa, in, text);
		put_shared_function(isa, in, text);
	}
}

/* ---- options --------------------------------------------------------------------------------- */

/* Which channels of the thread it is for: quarters of 32 as 1Q, nibbles as 1N, halves as 1H. */
static void put_channels(const struct eu_isa *isa, const struct eu_instruction *in,
			 struct text *text)
{
	unsigned quarter = (unsigned)eu_get(isa, &in->raw, EU_INSTRUCTION_QUARTER_CONTROL);
	unsigned nibble = (unsigned)eu_get(isa, &in->raw, EU_INSTRUCTION_NIBBLE_CONTROL);

	const char *unit = in->exec_size < 8 || nibble ? "N" : in->exec_size == 8 ? "Q" : "H";

	if (in->exec_size > 16)
		return;
	text_put_char(text, ' ');
	text_put_decimal(text, (*unit == 'N' ? quarter * 2 + nibble :
				*unit == 'Q' ? quarter : quarter / 2) + 1);
	text_put(text, unit);
}

/* Where there are message registers, a bit of one's number is an option. */
static void put_compression(const struct eu_isa *isa, const struct eu_instruction *in,
			    struct text *text)
{
	const struct eu_operand *o = &in->destination;

	if (eu_get(isa, &in->raw, EU_INSTRUCTION_COMPRESSION_CONTROL) == 2 && o->file == EU_MRF &&
	    o->reg & 0x80)
		text_put(text, " compr4");
	else
		put_word(isa, in, " ", EU_INSTRUCTION_COMPRESSION_CONTROL, text);
}

static void put_options(const struct eu_isa *isa, const struct eu_instruction *in,
			struct text *text)
{
	text_put(text, in->align16 ? "{ align16" : "{ align1");
	put_word(isa, in, " ", EU_INSTRUCTION_MASK_CONTROL, text);
	put_word(isa, in, " ", EU_INSTRUCTION_DEPENDENCY_CONTROL, text);
	if (eu_has(isa, EU_INSTRUCTION_COMPRESSION_CONTROL))
		put_compression(isa, in, text);
	else
		put_channels(isa, in, text);
	if (eu_has(isa, EU_INSTRUCTION_SCOREBOARD))
		eu_put_scoreboard(isa, in, text);
	if (in->size == 8)
		text_put(text, " compacted");
	put_word(isa, in, " ", EU_INSTRUCTION_THREAD_CONTROL, text);
	if ((in->opcode->form == EU_BRANCH || is_jump(in)) &&
	    eu_has(isa, EU_INSTRUCTION_BRANCH_CONTROL))
		put_word(isa, in, " ", EU_INSTRUCTION_BRANCH_CONTROL, text);
	else
		put_word(isa, in, " ", EU_INSTRUCTION_ACCUMULATOR_WRITE, text);
	if (in->ends)
		text_put(text, " EOT");
	text_put(text, " }");
}

void eu_print(const struct eu_isa *isa, const struct eu_instruction *in,
	      const struct eu_labels *labels, struct text *text)
{
	if (!in->opcode) {
		text_put(text, "illegal");
		return;
	}
	put_head(isa, in, text);
	put_operands(isa, in, labels, text);
	if (in->opcode->form == EU_NOP) {
		text_put(text, ";");
		return;
	}
	text_pad(text, COLUMN_FOURTH);
	put_options(isa, in, text);
	text_put(text, ";");
}
