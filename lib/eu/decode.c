/* SPDX-License-Identifier: MIT */
/* What the bits of an instruction mean. */
#include "eu/eu.h"
#include "util/util.h"

#include <string.h>

/* ---- operands -------------------------------------------------------------------------------- */

/* The fields of a source, counted from its FILE: both sources have them in the same order. */
#define OF(source, name) ((enum eu_field)((source) + (EU_SOURCE0_##name - EU_SOURCE0_FILE)))

static uint8_t type_of(int number)
{
	return number >= 0 && number < EU_TYPES ? (uint8_t)number : EU_TYPES;
}

static unsigned type_size(const struct eu_operand *o)
{
	return eu_types[o->type].size;
}

static uint64_t immediate(const struct eu_isa *isa, const struct eu_raw *raw,
			  const struct eu_operand *o)
{
	return eu_get(isa, raw, type_size(o) == 8 ? EU_IMMEDIATE_WIDE_VALUE : EU_IMMEDIATE_VALUE);
}

static int8_t stride(const struct eu_isa *isa, const struct eu_raw *raw, enum eu_field field)
{
	return (int8_t)eu_number(isa, raw, field);
}

static void regions(const struct eu_isa *isa, const struct eu_raw *raw, struct eu_operand *o,
		    enum eu_field vertical, enum eu_field width, enum eu_field horizontal)
{
	o->region = EU_REGION_ALIGN1;
	o->vertical = stride(isa, raw, vertical);
	o->width = stride(isa, raw, width);
	o->horizontal = stride(isa, raw, horizontal);
}

static void source_register(const struct eu_isa *isa, const struct eu_raw *raw, bool align16,
			    enum eu_field s, struct eu_operand *o)
{
	if (!o->indirect && !align16) {
		o->reg = (uint8_t)eu_get(isa, raw, OF(s, ALIGN1_REGISTER));
		o->sub = (uint16_t)eu_get(isa, raw, OF(s, ALIGN1_SUBREGISTER));
		regions(isa, raw, o, OF(s, ALIGN1_VERTICAL_STRIDE), OF(s, ALIGN1_WIDTH),
			OF(s, ALIGN1_HORIZONTAL_STRIDE));
	} else if (!o->indirect) {
		o->region = EU_REGION_ALIGN16;
		o->reg = (uint8_t)eu_get(isa, raw, OF(s, ALIGN16_REGISTER));
		o->sub = (uint16_t)eu_get(isa, raw, OF(s, ALIGN16_SUBREGISTER));
		o->vertical = stride(isa, raw, OF(s, ALIGN16_VERTICAL_STRIDE));
		o->channels = (uint8_t)eu_get(isa, raw, OF(s, ALIGN16_SWIZZLE));
	} else if (!align16) {
		o->sub = (uint16_t)eu_get(isa, raw, OF(s, INDIRECT_ADDRESS_SUBREGISTER));
		o->offset = (int16_t)eu_get(isa, raw, OF(s, INDIRECT_ADDRESS_IMMEDIATE));
		regions(isa, raw, o, OF(s, INDIRECT_VERTICAL_STRIDE), OF(s, INDIRECT_WIDTH),
			OF(s, INDIRECT_HORIZONTAL_STRIDE));
	} else {
		o->region = EU_REGION_ALIGN16;
		o->sub = (uint16_t)eu_get(isa, raw, OF(s, INDIRECT16_ADDRESS_SUBREGISTER));
		o->offset = (int16_t)eu_get(isa, raw, OF(s, INDIRECT16_ADDRESS_IMMEDIATE));
		o->vertical = stride(isa, raw, OF(s, INDIRECT16_VERTICAL_STRIDE));
		o->channels = (uint8_t)eu_get(isa, raw, OF(s, INDIRECT16_SWIZZLE));
	}
}

void eu_source(const struct eu_isa *isa, const struct eu_raw *raw, unsigned i,
	       struct eu_operand *o)
{
	enum eu_field s = i ? EU_SOURCE1_FILE : EU_SOURCE0_FILE;
	int file = eu_number(isa, raw, s);

	*o = (struct eu_operand){ .file = file < 0 ? EU_GRF : (uint8_t)file };
	if (eu_get(isa, raw, OF(s, IMMEDIATE)))
		o->file = EU_IMM;
	if (o->file == EU_IMM) {
		o->type = type_of(eu_number(isa, raw, OF(s, IMMEDIATE_TYPE)));
		o->value = immediate(isa, raw, o);
		return;
	}
	o->type = type_of(eu_number(isa, raw, OF(s, TYPE)));
	o->negate = eu_get(isa, raw, OF(s, NEGATE));
	o->absolute = eu_get(isa, raw, OF(s, ABSOLUTE));
	o->indirect = eu_get(isa, raw, OF(s, ADDRESS_MODE));
	source_register(isa, raw, eu_get(isa, raw, EU_INSTRUCTION_ACCESS_MODE), s, o);
}

static void destination(const struct eu_isa *isa, struct eu_instruction *in)
{
	const struct eu_raw *raw = &in->raw;
	struct eu_operand *o = &in->destination;
	int file = eu_number(isa, raw, EU_DESTINATION_FILE);

	o->file = file < 0 ? EU_GRF : (uint8_t)file;
	o->type = type_of(eu_number(isa, raw, EU_DESTINATION_TYPE));
	o->indirect = eu_get(isa, raw, EU_DESTINATION_ADDRESS_MODE);
	o->region = EU_REGION_STRIDE;
	o->horizontal = in->align16 ? 1 : stride(isa, raw, EU_DESTINATION_HORIZONTAL_STRIDE);
	if (in->align16) {
		o->region = EU_REGION_ALIGN16;
		o->reg = (uint8_t)eu_get(isa, raw, EU_DESTINATION_ALIGN16_REGISTER);
		o->sub = (uint16_t)eu_get(isa, raw, EU_DESTINATION_ALIGN16_SUBREGISTER);
		o->channels = (uint8_t)eu_get(isa, raw, EU_DESTINATION_ALIGN16_WRITE_MASK);
	} else {
		o->reg = (uint8_t)eu_get(isa, raw, EU_DESTINATION_ALIGN1_REGISTER);
		o->sub = (uint16_t)eu_get(isa, raw, EU_DESTINATION_ALIGN1_SUBREGISTER);
	}
	if (!o->indirect)
		return;
	o->sub = (uint16_t)eu_get(isa, raw, in->align16
						    ? EU_DESTINATION_INDIRECT16_ADDRESS_SUBREGISTER
						    : EU_DESTINATION_INDIRECT_ADDRESS_SUBREGISTER);
	o->offset = (int16_t)eu_get(isa, raw,
				    in->align16 ? EU_DESTINATION_INDIRECT16_ADDRESS_IMMEDIATE
						: EU_DESTINATION_INDIRECT_ADDRESS_IMMEDIATE);
	if (in->align16)
		o->channels = (uint8_t)eu_get(isa, raw, EU_DESTINATION_INDIRECT16_WRITE_MASK);
}

/* ---- ternary ones ---------------------------------------------------------------------------- */

/* Likewise, from a form's FLOAT, and from a source's FILE. */
#define TERNARY(form, name)                                                                        \
	((enum eu_field)((form) + (EU_THREE_ALIGN1_##name - EU_THREE_ALIGN1_FLOAT)))
#define TERNARY_OF(s, name)                                                                        \
	((enum eu_field)((s) + (EU_THREE_ALIGN1_SOURCE0_##name - EU_THREE_ALIGN1_SOURCE0_FILE)))

static uint8_t ternary_type(const struct eu_isa *isa, const struct eu_raw *raw, bool is_float,
			    enum eu_field whole, enum eu_field floats)
{
	/* Gen6 has no type fields here: all are floats. */
	if (!eu_has(isa, whole))
		return EU_F;
	return type_of(eu_number(isa, raw, is_float && eu_has(isa, floats) ? floats : whole));
}

/* The width of a region follows from its strides (PRM, "Regioning Rules for Align1 Ternary"). */
static int8_t implied_width(int8_t vertical, int8_t horizontal)
{
	if (!horizontal)
		return vertical ? vertical : 1;
	return vertical < horizontal ? 1 : (int8_t)(vertical / horizontal);
}

/* Elements of DPAS that are parts of bytes: their position counts in them. */
static void divide_bytes(struct eu_operand *o, int bits)
{
	o->sub = (uint16_t)(o->sub * 8 / bits);
	o->type = (uint8_t)((bits == 4 ? EU_U4 : EU_U2) + (o->type == EU_B));
}

static void ternary_source(const struct eu_isa *isa, struct eu_instruction *in, bool is_float,
			   enum eu_field s, struct eu_operand *o)
{
	const struct eu_raw *raw = &in->raw;
	int file = eu_number(isa, raw, s), bits;

	o->file = file < 0 ? EU_GRF : (uint8_t)file;
	if (eu_get(isa, raw, TERNARY_OF(s, IMMEDIATE)))
		o->file = EU_IMM;
	o->type = ternary_type(isa, raw, is_float, TERNARY_OF(s, TYPE), TERNARY_OF(s, FLOAT_TYPE));
	/* In align16 all have one type, but sources 1 and 2 each say which float they are. */
	if ((o->type == EU_F || o->type == EU_HF) && eu_has(isa, TERNARY_OF(s, HALF)))
		o->type = eu_get(isa, raw, TERNARY_OF(s, HALF)) ? EU_HF : EU_F;
	if (o->file == EU_IMM) {
		o->value = eu_get(isa, raw, TERNARY_OF(s, VALUE));
		return;
	}
	if (!(in->opcode->traits & EU_TABLE_OF_BITS)) {
		o->negate = eu_get(isa, raw, TERNARY_OF(s, NEGATE));
		o->absolute = eu_get(isa, raw, TERNARY_OF(s, ABSOLUTE));
	}
	o->reg = (uint8_t)eu_get(isa, raw, TERNARY_OF(s, REGISTER));
	o->sub = (uint16_t)eu_get(isa, raw, TERNARY_OF(s, SUBREGISTER));
	o->region = EU_REGION_ALIGN1;
	if (in->align16) {
		o->point = eu_get(isa, raw, TERNARY_OF(s, REPLICATE));
		o->vertical = o->point ? 0 : 4;
		o->horizontal = !o->point;
		o->channels = (uint8_t)eu_get(isa, raw, TERNARY_OF(s, SWIZZLE));
	} else if (!eu_has(isa, TERNARY_OF(s, HORIZONTAL_STRIDE))) {
		o->vertical = 1;	/* of DPAS */
		bits = eu_number(isa, raw, TERNARY_OF(s, SUBBYTE));
		if (bits > 0 && (o->type == EU_UB || o->type == EU_B))
			divide_bytes(o, bits);
	} else {
		o->horizontal = stride(isa, raw, TERNARY_OF(s, HORIZONTAL_STRIDE));
		/* Source 2 has one stride only. */
		o->vertical = eu_has(isa, TERNARY_OF(s, VERTICAL_STRIDE))
				      ? stride(isa, raw, TERNARY_OF(s, VERTICAL_STRIDE))
				      : o->horizontal;
		o->point = !o->vertical && !o->horizontal;
	}
	o->width = implied_width(o->vertical, o->horizontal);
}

static void ternary(const struct eu_isa *isa, struct eu_instruction *in, enum eu_field form)
{
	const struct eu_raw *raw = &in->raw;
	bool is_float = eu_get(isa, raw, form);
	struct eu_operand *o = &in->destination;
	int file = eu_number(isa, raw, TERNARY(form, DESTINATION_FILE));
	int stride = eu_number(isa, raw, TERNARY(form, DESTINATION_HORIZONTAL_STRIDE));

	o->file = file < 0 ? EU_GRF : (uint8_t)file;
	o->type = ternary_type(isa, raw, is_float, TERNARY(form, DESTINATION_TYPE),
			       TERNARY(form, DESTINATION_FLOAT_TYPE));
	o->reg = (uint8_t)eu_get(isa, raw, TERNARY(form, DESTINATION_REGISTER));
	o->sub = (uint16_t)eu_get(isa, raw, TERNARY(form, DESTINATION_SUBREGISTER));
	o->region = in->align16 ? EU_REGION_ALIGN16 : EU_REGION_STRIDE;
	o->horizontal = (int8_t)(stride < 0 ? 1 : stride);
	o->channels = (uint8_t)eu_get(isa, raw, TERNARY(form, WRITE_MASK));
	ternary_source(isa, in, is_float, TERNARY(form, SOURCE0_FILE), &in->source[0]);
	ternary_source(isa, in, is_float, TERNARY(form, SOURCE1_FILE), &in->source[1]);
	ternary_source(isa, in, is_float, TERNARY(form, SOURCE2_FILE), &in->source[2]);
	in->operands = 3;
}

/* ---- messages -------------------------------------------------------------------------------- */

#define SEND(form, name) ((enum eu_field)((form) + (EU_SEND_##name - EU_SEND_SHARED_FUNCTION)))

/* The payloads of a message that names two of them; their type is always UD. */
static void split_payloads(const struct eu_isa *isa, struct eu_instruction *in,
			   enum eu_field form)
{
	const struct eu_raw *raw = &in->raw;
	struct eu_operand *d = &in->destination, *s = in->source;
	int file;

	file = eu_number(isa, raw, SEND(form, DESTINATION_FILE));
	d->file = file < 0 ? EU_GRF : (uint8_t)file;
	d->type = EU_UD;
	d->indirect = eu_get(isa, raw, SEND(form, DESTINATION_ADDRESS_MODE));
	d->reg = (uint8_t)eu_get(isa, raw, SEND(form, DESTINATION_REGISTER));
	d->sub = (uint16_t)eu_get(isa, raw, d->indirect
						    ? SEND(form, DESTINATION_ADDRESS_SUBREGISTER)
						    : SEND(form, DESTINATION_SUBREGISTER));
	d->offset = (int16_t)eu_get(isa, raw, SEND(form, DESTINATION_ADDRESS_IMMEDIATE));
	if (d->indirect)
		d->file = EU_GRF;
	file = eu_number(isa, raw, SEND(form, SOURCE0_FILE));
	s[0].file = file < 0 ? EU_GRF : (uint8_t)file;
	s[0].type = s[1].type = EU_UD;
	s[0].indirect = eu_get(isa, raw, SEND(form, SOURCE0_ADDRESS_MODE));
	s[0].reg = (uint8_t)eu_get(isa, raw, SEND(form, SOURCE0_REGISTER));
	if (s[0].indirect)
		s[0].sub = (uint16_t)eu_get(isa, raw, SEND(form, SOURCE0_ADDRESS_SUBREGISTER));
	else if (!eu_has(isa, SEND(form, SOURCE0_FILE)) || s[0].file == EU_ARF)
		s[0].sub = (uint16_t)eu_get(isa, raw, SEND(form, SOURCE0_SUBREGISTER));
	s[0].offset = (int16_t)eu_get(isa, raw, SEND(form, SOURCE0_ADDRESS_IMMEDIATE));
	file = eu_number(isa, raw, SEND(form, SOURCE1_FILE));
	s[1].file = file < 0 ? EU_GRF : (uint8_t)file;
	s[1].reg = (uint8_t)eu_get(isa, raw, SEND(form, SOURCE1_REGISTER));
	if (s[0].file == EU_ARF && eu_has(isa, SEND(form, SOURCE0_SUBREGISTER))) {
		/*
		 * The scalar register names the registers; its number is where a length would be.
		 */
		s[0].indirect = true;
		in->extended &= ~0x7c0u;
	}
	in->operands = 2;
	in->split = true;
}

static void message(const struct eu_isa *isa, struct eu_instruction *in, enum eu_field form)
{
	const struct eu_raw *raw = &in->raw;

	in->shared_function = (uint8_t)eu_get(isa, raw, form);
	in->ends = eu_get(isa, raw, SEND(form, END_OF_THREAD));
	in->descriptor = (uint32_t)eu_get(isa, raw, SEND(form, DESCRIPTOR));
	in->extended = (uint32_t)eu_get(isa, raw, SEND(form, EXTENDED_DESCRIPTOR));
	if (eu_has(isa, SEND(form, SOURCE1_REGISTER))) {
		split_payloads(isa, in, form);
		in->descriptor_known = !eu_get(isa, raw, SEND(form, DESCRIPTOR_IN_REGISTER));
		in->extended_known =
			!eu_get(isa, raw, SEND(form, EXTENDED_DESCRIPTOR_IN_REGISTER));
		return;
	}
	destination(isa, in);
	eu_source(isa, raw, 0, &in->source[0]);
	eu_source(isa, raw, 1, &in->source[1]);
	in->operands = 1;
	in->descriptor_known = in->source[1].file == EU_IMM;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* A signed distance in a field, in the units by which the data scales it. */
static int32_t distance(const struct eu_isa *isa, const struct eu_raw *raw, enum eu_field field)
{
	const struct eu_slot *slot = &isa->slot[field];
	uint64_t value;
	unsigned width;

	if (!slot->count)
		return 0;
	value = eu_bits(raw, slot->part[0].at, slot->part[0].width);
	width = slot->part[0].width;
	if (width < 64 && value >> (width - 1) & 1)
		value |= UINT64_MAX << width;
	return (int32_t)(value << slot->part[0].shift);
}

/*
 * Operands in addition to labels, or instead of them. The target may be in a register; through
 * Gen11 that of a call is its second source, as for jumps.
 */
static void branch_operands(const struct eu_isa *isa, struct eu_instruction *in)
{
	const unsigned traits = in->opcode->traits;
	const bool second = traits & EU_CALLS && !eu_has(isa, EU_SOURCE0_IMMEDIATE);
	struct eu_operand other;

	if (traits & EU_CALLS)
		destination(isa, in);
	if (!(traits & (EU_TARGET | EU_NO_LABEL)))
		return;
	eu_source(isa, &in->raw, second, &in->source[0]);
	eu_source(isa, &in->raw, !second, &other);
	in->operands = traits & EU_NO_LABEL ||
		       (in->source[0].file != EU_IMM && other.file != EU_IMM);
}

static void branch(const struct eu_isa *isa, struct eu_instruction *in)
{
	enum eu_field jip = EU_BRANCH_JIP;

	branch_operands(isa, in);
	if (in->operands)
		return;
	/* It has as many labels as sources; on Gen6 a single label is elsewhere. */
	if (in->opcode->sources == 1 && eu_has(isa, EU_BRANCH_JUMP_COUNT))
		jip = EU_BRANCH_JUMP_COUNT;
	if (eu_has(isa, EU_BRANCH_CALL) && in->opcode->traits & EU_CALLS)
		jip = EU_BRANCH_CALL;
	in->has_jip = in->opcode->sources > 0 && eu_has(isa, EU_BRANCH_JIP);
	in->has_uip = in->opcode->sources > 1 && eu_has(isa, EU_BRANCH_UIP);
	in->jip = distance(isa, &in->raw, jip);
	in->uip = distance(isa, &in->raw, EU_BRANCH_UIP);
}

static void operands(const struct eu_isa *isa, struct eu_instruction *in)
{
	const bool jumps = in->opcode->traits & EU_JUMPS;

	in->operands = in->opcode->sources;
	destination(isa, in);
	if (in->operands || in->opcode->traits & EU_WAITS)
		eu_source(isa, &in->raw, 0, &in->source[0]);
	if (in->operands > 1 || jumps)
		eu_source(isa, &in->raw, 1, &in->source[1]);
	/* Haswell's "dim" loads a double, but its source has the type of a float. */
	if (in->opcode->traits & EU_DOUBLE)
		in->source[0].value = eu_get(isa, &in->raw, EU_IMMEDIATE_WIDE_VALUE);
}

/* In the units of calls, or otherwise of other jumps, from the next instruction. */
bool eu_jump_target(const struct eu_isa *isa, const struct eu_instruction *in, int64_t *target)
{
	enum eu_field unit = eu_has(isa, EU_BRANCH_CALL) ? EU_BRANCH_CALL : EU_BRANCH_JIP;

	if (!in->opcode || !(in->opcode->traits & EU_JUMPS) || in->source[1].file != EU_IMM)
		return false;
	if (!eu_has(isa, unit))
		unit = EU_BRANCH_JUMP_COUNT;
	*target = (int64_t)in->offset + in->size +
		  (int64_t)(int32_t)in->source[1].value *
			  (INT64_C(1) << isa->slot[unit].part[0].shift);
	return true;
}

static void decode_form(const struct eu_isa *isa, struct eu_instruction *in)
{
	switch ((enum eu_form)in->opcode->form) {
	case EU_NOP:
	case EU_FORMS:
		break;
	case EU_THREE:
		ternary(isa, in, in->align16 ? EU_THREE_ALIGN16_FLOAT : EU_THREE_ALIGN1_FLOAT);
		break;
	case EU_DPAS:
		ternary(isa, in, EU_DPAS_FLOAT);
		break;
	case EU_SEND:
		message(isa, in, EU_SEND_SHARED_FUNCTION);
		break;
	case EU_SENDS:
		message(isa, in, EU_SENDS_SHARED_FUNCTION);
		break;
	case EU_BRANCH:
		branch(isa, in);
		break;
	case EU_BASIC:
	case EU_MATH:
	case EU_SYNC:
		operands(isa, in);
		break;
	}
}

unsigned eu_length(const struct eu_isa *isa, const void *bytes, size_t size, size_t at,
		   const struct eu_opcode **opcode)
{
	struct eu_raw raw = { { 0 } };

	if (at > size || size - at < 8)
		return 0;
	memcpy(&raw.half[0], (const uint8_t *)bytes + at, 8);
	*opcode = &isa->opcode[eu_get(isa, &raw, EU_INSTRUCTION_OPCODE) & 127];
	if (eu_has(isa, EU_INSTRUCTION_COMPACTED) && eu_get(isa, &raw, EU_INSTRUCTION_COMPACTED))
		return 8;
	return size - at < 16 ? 0 : 16;
}

bool eu_decode(const struct eu_isa *isa, const void *bytes, size_t size, size_t at,
	       struct eu_instruction *in)
{
	const struct eu_opcode *opcode;
	const unsigned length = eu_length(isa, bytes, size, at, &opcode);

	if (!length)
		return false;
	*in = (struct eu_instruction){ .offset = (uint32_t)at, .size = (uint8_t)length };
	memcpy(&in->raw, (const uint8_t *)bytes + at, length);
	if ((length == 8 && !eu_expand(isa, in->raw.half[0], &in->raw)) || !opcode->name)
		return true;
	in->opcode = opcode;
	in->exec_size = (unsigned)MAX(eu_number(isa, &in->raw, EU_INSTRUCTION_EXECUTION_SIZE), 0);
	in->align16 = eu_get(isa, &in->raw, EU_INSTRUCTION_ACCESS_MODE);
	decode_form(isa, in);
	return true;
}
