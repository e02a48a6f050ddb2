/* SPDX-License-Identifier: MIT */
/* An instruction's operands as text. */
#include "eu/eu.h"

#include <math.h>

/* ---- registers ------------------------------------------------------------------------------- */

/* False: nothing may follow it, because its offset and region mean nothing. */
static bool put_register(const struct eu_isa *isa, const struct eu_operand *o, struct text *text)
{
	enum { NULL_REGISTER = 0, IP = 10, TDR = 11 };
	const unsigned kind = o->reg >> 4;
	const struct eu_word *word = eu_word(isa, EU_ARCHITECTURE_REGISTER_KIND, kind);

	if (o->file == EU_ARF && word) {
		text_put_bytes(text, word->name, word->length);
		if (kind != NULL_REGISTER && kind != IP && kind != TDR)
			text_put_decimal(text, o->reg & 15);
		return kind != IP && kind != TDR;
	}
	if (o->file == EU_ARF)
		text_put(text, "ARF");
	else
		text_put_char(text, o->file == EU_MRF ? 'm' : 'g');
	text_put_decimal(text, o->file == EU_MRF ? o->reg & 0x7f : o->reg);
	return true;
}

/*
 * g[a0.2 16]: a register whose number is in an address register. The subregisters of that are words
 * (PRM, "Address Subregister Number"), but Mesa's tools count those of a destination in elements of
 * its type. r[s0.2]: registers whose numbers are in the scalar register.
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
	else if (stride < 0)
		text_put(text, "?");	/* no stride has this value */
	else
		text_put_decimal(text, (unsigned)stride);
}

static void put_region(const struct eu_operand *o, bool swizzled, struct text *text)
{
	static const char channels[] = "xyzw";
	const unsigned swizzle = o->channels, first = swizzle & 3;

	text_put(text, "<");
	put_stride(o->vertical, text);
	if (o->region == EU_REGION_ALIGN1) {
		text_put(text, ",");
		put_stride(o->width, text);
		text_put(text, ",");
		put_stride(o->horizontal, text);
	}
	text_put(text, ">");
	if ((o->region != EU_REGION_ALIGN16 && !swizzled) || swizzle == 0xe4)
		return;
	text_put(text, ".");
	text_put_char(text, channels[first]);
	for (unsigned i = 1; i < 4 && swizzle != first * 0x55; i++)
		text_put_char(text, channels[swizzle >> i * 2 & 3]);
}

static void put_sub(const struct eu_operand *o, bool ternary, struct text *text)
{
	const unsigned element = o->sub / eu_types[o->type].size;

	if (!(ternary ? element : o->sub) && !o->point)
		return;
	text_put(text, ".");
	text_put_decimal(text, element);
}

void eu_put_hex(uint64_t value, unsigned digits, struct text *text)
{
	text_put(text, "0x");
	text_put_hex(text, value, digits);
}

static void put_type(const struct eu_operand *o, struct text *text)
{
	text_put_bytes(text, eu_types[o->type].name, eu_types[o->type].length);
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

double eu_half_float(unsigned bits)
{
	int exponent = (int)(bits >> 10 & 31);
	double value = (bits & 0x3ff) / 1024.0;

	if (exponent == 31)
		return bits & 0x3ff ? NAN : bits & 0x8000 ? -INFINITY : INFINITY;
	value = exponent ? (value + 1) * power_of_two(exponent - 15) : value * power_of_two(-14);
	return bits & 0x8000 ? -value : value;
}

/* The value of a float, in a comment. */
static void put_float(const struct eu_operand *o, struct text *text)
{
	const uint32_t bits = (uint32_t)o->value;
	double value = 0;
	float single;

	if (o->type == EU_DF || (o->type == EU_F && o->value > UINT32_MAX)) {
		memcpy(&value, &o->value, sizeof(value));
	} else if (o->type == EU_F) {
		memcpy(&single, &bits, sizeof(single));
		value = (double)single;
	} else if (o->type == EU_HF) {
		value = eu_half_float(bits & 0xffff);
	} else if (o->type != EU_VF) {
		return;
	}
	text_pad(text, COLUMN_THIRD);
	text_put(text, "/* ");
	if (o->type == EU_VF)
		text_add(text, "[%gF, %gF, %gF, %gF]", vector_float(bits & 0xff),
			 vector_float(bits >> 8 & 0xff), vector_float(bits >> 16 & 0xff),
			 vector_float(bits >> 24));
	else if (value >= 0 && value < 1e6 && value == (uint32_t)value && !signbit(value))
		text_put_decimal(text, (uint32_t)value);	/* as %g, which is slower, would */
	else
		text_add(text, "%g", value);
	put_type(o, text);
	text_put(text, " */");
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_ternary(const struct eu_instruction *in)
{
	return in->opcode->form == EU_THREE || eu_is_dpas(in);
}

void eu_put_destination(const struct eu_instruction *in, struct text *text)
{
	const struct eu_operand *o = &in->destination;

	if (o->indirect) {
		put_address(in->isa, o, eu_types[o->type].size, text);
	} else {
		if (!put_register(in->isa, o, text))
			return;
		put_sub(o, is_ternary(in), text);
	}
	if (!in->split) {
		text_put(text, "<");
		put_stride(o->horizontal, text);
		text_put(text, ">");
		if (o->region == EU_REGION_ALIGN16 && o->channels != 15)
			text_put(text, ".");
		for (unsigned i = 0; o->region == EU_REGION_ALIGN16 && i < 4; i++)
			if (o->channels != 15 && o->channels >> i & 1)
				text_put_char(text, "xyzw"[i]);
	}
	put_type(o, text);
}

void eu_put_source(const struct eu_instruction *in, unsigned i, struct text *text)
{
	const struct eu_operand *o = &in->source[i];
	const bool ternary = is_ternary(in);

	if (o->file == EU_IMM && !ternary) {
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
			eu_put_hex(o->value & 0xffff, 4, text);
			break;
		case EU_UQ:
		case EU_Q:
		case EU_DF:
			eu_put_hex(o->value, 16, text);
			break;
		case EU_VF:
		case EU_F:
			eu_put_hex(o->value, 1, text);
			break;
		default:
			eu_put_hex(o->value & UINT32_MAX, 8, text);
		}
		put_type(o, text);
		put_float(o, text);
		return;
	}
	if (o->file == EU_IMM) {
		/* A ternary's immediate has 16 bits, and no other types. */
		if (o->type == EU_W)
			text_put_decimal(text, o->value);
		else if (o->type == EU_UW || o->type == EU_HF)
			eu_put_hex(o->value, 4, text);
		else
			return;
		put_type(o, text);
		return;
	}
	/* Drivers rely on it from Gen8 on, whose jumps have a branch control. */
	if (o->negate)
		text_put_char(text, in->opcode->traits & EU_LOGIC &&
						    eu_has(in->isa, EU_INSTRUCTION_BRANCH_CONTROL)
					    ? '~'
					    : '-');
	if (o->absolute)
		text_put(text, "(abs)");
	if (o->indirect) {
		put_address(in->isa, o, 1, text);
		if (o->file == EU_ARF && o->region == EU_REGION_NONE)
			return;
	} else {
		if (!put_register(in->isa, o, text))
			return;
		put_sub(o, ternary, text);
	}
	if (o->region != EU_REGION_NONE)
		put_region(o, ternary && in->align16 && !o->point, text);
	put_type(o, text);
}
