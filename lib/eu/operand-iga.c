/* SPDX-License-Identifier: MIT */
/* An instruction's operands as text, in the syntax of IGA. */
#include "eu/iga.h"

#include <ctype.h>
#include <math.h>

/* Kinds of architecture registers: the upper half of their numbers. */
enum { KIND_NULL = 0, KIND_ACC = 2, KIND_CE = 4, KIND_MSG = 5, KIND_SCALAR = 6, KIND_IP = 10,
       KIND_FC = 13 };

void iga_put_hex(uint64_t value, unsigned digits, struct text *text)
{
	text_add(text, "0x%0*llX", (int)digits, LL(value));
}

void iga_put_type(const struct eu_operand *o, struct text *text)
{
	if (o->type == EU_TYPES)
		return;
	text_put_char(text, ':');
	for (const char *c = eu_types[o->type].name; *c; c++)
		text_put_char(text, (char)tolower((unsigned char)*c));
}

/* ---- what IGA can say of align16 ------------------------------------------------------------- */

/* The element of the only channel that a ternary instruction with few channels writes, or -1. */
static int only_element(const struct eu_instruction *in)
{
	const unsigned wide = in->destination.type == EU_DF ? 2 : 1, channels = (1u << wide) - 1;

	if (in->exec_size * wide != 4)
		return -1;
	for (unsigned i = 0; i < 4 / wide; i++)
		if (in->destination.channels == channels << i * wide)
			return (int)i;
	return -1;
}

bool iga_writes_element(const struct eu_instruction *in)
{
	return in->opcode->form == EU_THREE && in->align16 && !(in->opcode->traits & EU_MACRO) &&
	       only_element(in) >= 0;
}

/* An accumulator of macros. */
static const struct eu_word *macro_accumulator(const struct eu_isa *isa, const struct eu_operand *o)
{
	if (o->file != EU_ARF || o->reg >> 4 != KIND_ACC)
		return NULL;
	return eu_word(isa, EU_IGA_ACCUMULATOR, o->reg & 15);
}

/* Two channels of doubles, which are four of swizzles. */
static bool is_half_swizzle(const struct eu_operand *o)
{
	return o->type == EU_DF && (o->channels == 0x44 || o->channels == 0xee);
}

/* It has no align16, except for what align1 can do as well. */
bool iga_is_expressible(const struct eu_instruction *in)
{
	enum { XYZW = 0xe4 };
	const bool ternary = in->opcode->form == EU_THREE;

	if (!in->align16 || iga_is_macro(in) || eu_is_message(in) || in->opcode->form == EU_NOP)
		return true;
	if (in->opcode->form == EU_BRANCH)
		return false;
	if (in->destination.channels != 15 && (!ternary || only_element(in) < 0) &&
	    !macro_accumulator(in->isa, &in->destination))
		return false;
	for (unsigned i = 0; i < in->operands; i++) {
		const struct eu_operand *o = &in->source[i];

		if (o->file != EU_IMM && !o->point && o->channels != XYZW &&
		    !(ternary && is_half_swizzle(o)) && !macro_accumulator(in->isa, o))
			return false;
		if (o->file != EU_IMM && !ternary && o->vertical != 4)
			return false;
	}
	return true;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* False: its kind has no parts. */
bool iga_put_name(const struct eu_isa *isa, const struct eu_operand *o, struct text *text)
{
	const unsigned kind = o->reg >> 4;
	const struct eu_word *word;
	unsigned number = o->reg & 15;

	if (o->file != EU_ARF) {
		text_put_char(text, 'r');
		text_put_decimal(text, o->reg);
		return true;
	}
	word = macro_accumulator(isa, o);
	if (word) {
		while (number && eu_word(isa, EU_IGA_ACCUMULATOR, number - 1))
			number--;
		/*
		 * In align16 the number is that of the channels; if they are the last ones, all of
		 * them.
		 */
		number = o->region == EU_REGION_ALIGN16 ? o->channels & 7u : (o->reg & 15) - number;
	} else {
		word = eu_word(isa, EU_IGA_REGISTER, kind);
	}
	if (!word) {
		text_put(text, "arf");
		text_put_decimal(text, o->reg);
		return false;
	}
	if (word->name[word->length - 1] == '0') {
		text_put_bytes(text, word->name, word->length - 1u);
		text_put_decimal(text, number);
	} else {
		text_put_bytes(text, word->name, word->length);
		if (number)
			text_put_decimal(text, number);
	}
	return kind != KIND_NULL && kind != KIND_CE && kind != KIND_IP;
}

/* Its offset in the register, in elements of its type; in some registers in bytes. */
static unsigned element_of(const struct eu_instruction *in, const struct eu_operand *o)
{
	/* From Xe2 on the last two are as others. */
	const unsigned by_bytes =
		1 << KIND_CE | 1 << KIND_IP |
		(eu_has(in->isa, EU_IGA_OFFSET) ? 0 : 1 << KIND_MSG | 1 << KIND_FC);
	unsigned element = o->sub / eu_types[o->type].size;

	if (o->file == EU_ARF && by_bytes >> (o->reg >> 4) & 1)
		return eu_has(in->isa, EU_IGA_ACCUMULATOR) ? o->sub : o->sub / 2u;
	if (eu_is_message(in))
		return 0;
	if (in->opcode->form == EU_BRANCH && iga_is_newer(in))
		return o->sub / 4u;	/* without a type */
	if (in->opcode->form != EU_THREE || !in->align16)
		return element;
	if (o == &in->destination && iga_writes_element(in))
		element += (unsigned)only_element(in);
	return element + (o != &in->destination && is_half_swizzle(o) && o->channels == 0xee);
}

bool iga_gathers(const struct eu_instruction *in)
{
	const struct eu_operand *o = &in->source[0];

	return in->split && o->indirect && o->file == EU_ARF && o->reg >> 4 == KIND_SCALAR;
}

void iga_put_register(const struct eu_instruction *in, const struct eu_operand *o, bool whole,
		      struct text *text)
{
	const struct eu_slot *slot = &in->isa->slot[EU_DESTINATION_INDIRECT_ADDRESS_IMMEDIATE];
	const bool ternary = in->opcode->form == EU_THREE;
	const unsigned element = element_of(in, o);
	unsigned number = o->sub;
	int sign = 1;

	if (o->indirect && (!in->split || o->file != EU_ARF || iga_gathers(in))) {
		/* What is added is signed; all operands have the same number of bits for it. */
		for (unsigned i = 0; i < slot->count; i++)
			sign <<= slot->part[i].width;
		sign /= 2;
		text_put(text, iga_gathers(in) ? "r[s0." : "r[a0.");
		text_put_decimal(text, o->sub);
		if (o->offset)
			text_add(text, ",%d", (o->offset ^ sign) - sign);
		text_put_char(text, ']');
		return;
	}
	if (!iga_is_macro(in)) {
		if ((iga_put_name(in->isa, o, text) && !whole) || element) {
			text_put_char(text, '.');
			text_put_decimal(text, element);
		}
		return;
	}
	/* Of the accumulators of macros, the part that its offset or its channels give. */
	iga_put_name(in->isa, o, text);
	if (in->align16)
		number = o->channels & 15u;
	else if (ternary && o == &in->destination &&
		 eu_has(in->isa, EU_THREE_ALIGN1_DESTINATION_MACRO))
		number = (unsigned)eu_value(in, EU_THREE_ALIGN1_DESTINATION_MACRO);
	else if (!eu_has(in->isa, EU_IGA_ACCUMULATOR) || (ternary && !iga_is_newer(in)))
		number /= 2;
	text_add(text, number & 8 ? ".nomme" : ".mme%u", number & 7);
}

void iga_put_destination(const struct eu_instruction *in, struct text *text)
{
	const struct eu_operand *o = &in->destination;

	text_pad(text, AT_DESTINATION);
	if (eu_saturates(in))
		text_put(text, "(sat)");
	iga_put_register(in, o, eu_is_dpas(in), text);
	if (!eu_is_dpas(in) && !iga_is_macro(in))
		text_add(text, "<%d>", o->region == EU_REGION_ALIGN16 ? 1 : o->horizontal);
	iga_put_type(o, text);
}

static void put_stride(int stride, struct text *text)
{
	if (stride < 0)
		text_put_char(text, '?');	/* no stride has this value */
	else
		text_put_decimal(text, (unsigned)stride);
}

/* ---- immediates ------------------------------------------------------------------------------ */

static bool reads_back(const char *written, double value, bool is_double)
{
	const double again = strtod(written, NULL);

	return is_double ? again == value : (double)(float)again == value;
}

/* In decimal if that gives the same number again, otherwise its bits. */
static void put_real(double value, uint64_t bits, unsigned size, struct text *text)
{
	static const uint8_t fraction[] = { [2] = 10, [4] = 23, [8] = 52 };
	const uint64_t quiet = UINT64_C(1) << (fraction[size] - 1);
	char written[40];

	if (isnan(value)) {
		text_add(text, "%s%s(0x%llX)", bits >> (size * 8 - 1) & 1 ? "-" : "",
			 bits & quiet ? "qnan" : "snan", LL(bits & (quiet - 1)));
		return;
	}
	string_set(written, "%g", value);
	if (reads_back(written, value, size == 8)) {
		text_put(text, written);
		if (!isinf(value) && !strpbrk(written, ".e"))
			text_put(text, ".0");
		return;
	}
	string_set(written, "%e", value);
	if (reads_back(written, value, size == 8))
		text_put(text, written);
	else
		iga_put_hex(bits, 0, text);
}

void iga_put_immediate(const struct eu_operand *o, struct text *text)
{
	const uint64_t mask = UINT64_MAX >> (64 - 8 * eu_types[o->type].size);
	const uint32_t bits = (uint32_t)o->value;
	double value;
	float single;

	switch ((enum eu_type)o->type) {
	case EU_B:
		text_put_signed(text, (int8_t)o->value);
		break;
	case EU_W:
		text_put_signed(text, (int16_t)o->value);
		break;
	case EU_D:
		text_put_signed(text, (int32_t)o->value);
		break;
	case EU_Q:
		text_put_signed(text, (int64_t)o->value);
		break;
	case EU_HF:
		put_real(eu_half_float(bits & 0xffff), bits & 0xffff, 2, text);
		break;
	case EU_F:
		memcpy(&single, &bits, sizeof(single));
		put_real((double)single, bits, 4, text);
		break;
	case EU_DF:
		memcpy(&value, &o->value, sizeof(value));
		put_real(value, o->value, 8, text);
		break;
	case EU_V:
	case EU_UV:
		iga_put_hex(bits, 0, text);
		break;
	default:
		iga_put_hex(o->value & mask, 0, text);
	}
}

void iga_put_source(const struct eu_instruction *in, unsigned i, struct text *text)
{
	const struct eu_operand *o = &in->source[i];

	if (o->file == EU_IMM) {
		/* A ternary's immediate has 16 bits. */
		if (in->opcode->form == EU_THREE && (o->type == EU_D || o->type == EU_Q))
			text_put_signed(text, (int16_t)o->value);
		else
			iga_put_immediate(o, text);
		iga_put_type(o, text);
		return;
	}
	if (o->absolute)
		text_put(text, o->negate ? "-(abs)" : "(abs)");
	else if (o->negate)
		text_put_char(text, in->opcode->traits & EU_LOGIC ? '~' : '-');
	iga_put_register(in, o, eu_is_dpas(in) && i < 2, text);
	/* From Gen12 on those of math.invm and math.rsqtm have one. */
	if (!eu_is_dpas(in) &&
	    (!iga_is_macro(in) || (in->opcode->form == EU_MATH && iga_is_newer(in)))) {
		const bool half = in->align16 && is_half_swizzle(o);

		if (in->opcode->form == EU_THREE) {
			text_put_char(text, '<');
			if (i < 2)
				text_add(text, "%d;",
					 !in->align16 ? o->vertical : o->point || half ? 0 : 2);
			text_add(text, "%d>", half ? 0 : o->horizontal);
		} else if (in->align16) {
			text_put(text, "<1;1,0>");
		} else if (o->vertical == EU_VXH) {
			text_add(text, "<%d,%d>", o->width, o->horizontal);
		} else {
			text_put_char(text, '<');
			put_stride(o->vertical, text);
			text_put_char(text, ';');
			put_stride(o->width, text);
			text_put_char(text, ',');
			put_stride(o->horizontal, text);
			text_put_char(text, '>');
		}
	}
	iga_put_type(o, text);
}
