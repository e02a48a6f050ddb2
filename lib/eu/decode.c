/* SPDX-License-Identifier: MIT */
/* What the bits of an instruction mean. */
#include "eu/eu.h"

/* ---- where fields are ------------------------------------------------------------------------ */

/* Instructions of one source and of two differ, and this has two. */
static bool has_two(const struct eu_instruction *in)
{
	return eu_has(in->isa, EU_TWO_SOURCE0_TYPE) && in->opcode->sources == 2 &&
	       in->opcode->form != EU_BRANCH;
}

enum high { HIGH_DESTINATION, HIGH_SOURCE0, HIGH_SOURCE1 };

/* The highest bits of a register's number, where the data has them apart. */
static unsigned high_bits(const struct eu_instruction *in, enum high of)
{
	const bool two = has_two(in);
	enum eu_field family = EU_HIGH_DESTINATION;

	if (in->opcode->form == EU_BRANCH)
		family = EU_HIGH_BRANCH_DESTINATION;
	else if (two && eu_value(in, EU_SOURCE1_IMMEDIATE))
		family = EU_HIGH_TWO_DESTINATION;
	else if (!two && eu_value(in, EU_SOURCE0_IMMEDIATE))
		family = EU_HIGH_ONE_DESTINATION;
	return (unsigned)eu_value(in, (enum eu_field)(family + of));
}

/* Of an address, they are those of the subregister that holds it. */
static void add_high_bits(const struct eu_instruction *in, enum high of, struct eu_operand *o)
{
	if (!eu_has(in->isa, EU_HIGH_DESTINATION) || (o->file != EU_GRF && !o->indirect))
		return;
	if (o->indirect)
		o->sub |= (uint16_t)(high_bits(in, of) >> 4);
	else
		o->reg |= (uint16_t)high_bits(in, of);
}

/* ---- operands -------------------------------------------------------------------------------- */

/* The fields of a source, counted from its FILE: both sources have them in the same order. */
#define OF(source, name) ((enum eu_field)((source) + (EU_SOURCE0_##name - EU_SOURCE0_FILE)))

/* The number of a register; architecture registers have eight bits for theirs. */
static uint16_t register_of(const struct eu_instruction *in, const struct eu_operand *o,
			    enum eu_field field)
{
	return (uint16_t)(eu_value(in, field) & (o->file == EU_ARF ? 0xff : 0x1ff));
}

/* A number without a meaning is taken for that of a register. */
static uint8_t file_of(const struct eu_instruction *in, enum eu_field field)
{
	int file = eu_number(in, field);

	return file < 0 ? EU_GRF : (uint8_t)file;
}

static uint8_t type_of(int number)
{
	return number >= 0 && number < EU_TYPES ? (uint8_t)number : EU_TYPES;
}

static unsigned type_size(const struct eu_operand *o)
{
	return eu_types[o->type].size;
}

static int8_t stride(const struct eu_instruction *in, enum eu_field field)
{
	return (int8_t)eu_number(in, field);
}

static void regions(const struct eu_instruction *in, struct eu_operand *o, enum eu_field vertical,
		    enum eu_field width, enum eu_field horizontal)
{
	o->region = EU_REGION_ALIGN1;
	o->vertical = stride(in, vertical);
	o->width = stride(in, width);
	o->horizontal = stride(in, horizontal);
}

void eu_source(const struct eu_instruction *in, unsigned i, struct eu_operand *o)
{
	enum eu_field s = i ? EU_SOURCE1_FILE : EU_SOURCE0_FILE;
	const bool first_of_two = !i && has_two(in);

	*o = (struct eu_operand){ .file = file_of(in, s) };
	if (!first_of_two && eu_value(in, OF(s, IMMEDIATE)))
		o->file = EU_IMM;
	if (o->file == EU_IMM) {
		o->type = type_of(eu_number(in, OF(s, IMMEDIATE_TYPE)));
		o->value = eu_value(in, type_size(o) == 8 ? EU_IMMEDIATE_WIDE_VALUE
							  : EU_IMMEDIATE_VALUE);
		return;
	}
	o->type = type_of(eu_number(in, first_of_two ? EU_TWO_SOURCE0_TYPE : OF(s, TYPE)));
	o->negate = eu_value(in, OF(s, NEGATE));
	o->absolute = eu_value(in, OF(s, ABSOLUTE));
	o->indirect = eu_value(in, OF(s, ADDRESS_MODE));
	if (!o->indirect && !in->align16) {
		o->reg = (uint8_t)eu_value(in, OF(s, ALIGN1_REGISTER));
		o->sub = (uint16_t)eu_value(in, OF(s, ALIGN1_SUBREGISTER));
		regions(in, o, OF(s, ALIGN1_VERTICAL_STRIDE), OF(s, ALIGN1_WIDTH),
			OF(s, ALIGN1_HORIZONTAL_STRIDE));
	} else if (!o->indirect) {
		o->region = EU_REGION_ALIGN16;
		o->reg = (uint8_t)eu_value(in, OF(s, ALIGN16_REGISTER));
		o->sub = (uint16_t)eu_value(in, OF(s, ALIGN16_SUBREGISTER));
		o->vertical = stride(in, OF(s, ALIGN16_VERTICAL_STRIDE));
		o->channels = (uint8_t)eu_value(in, OF(s, ALIGN16_SWIZZLE));
	} else if (!in->align16) {
		o->sub = (uint16_t)eu_value(in, OF(s, INDIRECT_ADDRESS_SUBREGISTER));
		o->offset = (int16_t)eu_value(in, OF(s, INDIRECT_ADDRESS_IMMEDIATE));
		regions(in, o, OF(s, INDIRECT_VERTICAL_STRIDE), OF(s, INDIRECT_WIDTH),
			OF(s, INDIRECT_HORIZONTAL_STRIDE));
	} else {
		o->region = EU_REGION_ALIGN16;
		o->sub = (uint16_t)eu_value(in, OF(s, INDIRECT16_ADDRESS_SUBREGISTER));
		o->offset = (int16_t)eu_value(in, OF(s, INDIRECT16_ADDRESS_IMMEDIATE));
		o->vertical = stride(in, OF(s, INDIRECT16_VERTICAL_STRIDE));
		o->channels = (uint8_t)eu_value(in, OF(s, INDIRECT16_SWIZZLE));
	}
	add_high_bits(in, i ? HIGH_SOURCE1 : HIGH_SOURCE0, o);
}

static void destination(struct eu_instruction *in)
{
	struct eu_operand *o = &in->destination;

	o->file = file_of(in, EU_DESTINATION_FILE);
	o->type = type_of(eu_number(in, EU_DESTINATION_TYPE));
	o->indirect = eu_value(in, EU_DESTINATION_ADDRESS_MODE);
	o->region = EU_REGION_STRIDE;
	o->horizontal = in->align16 ? 1 : stride(in, EU_DESTINATION_HORIZONTAL_STRIDE);
	if (in->align16) {
		o->region = EU_REGION_ALIGN16;
		o->reg = (uint8_t)eu_value(in, EU_DESTINATION_ALIGN16_REGISTER);
		o->sub = (uint16_t)eu_value(in, EU_DESTINATION_ALIGN16_SUBREGISTER);
		o->channels = (uint8_t)eu_value(in, EU_DESTINATION_ALIGN16_WRITE_MASK);
	} else {
		o->reg = (uint8_t)eu_value(in, EU_DESTINATION_ALIGN1_REGISTER);
		o->sub = (uint16_t)eu_value(in, EU_DESTINATION_ALIGN1_SUBREGISTER);
	}
	if (o->indirect && in->align16) {
		o->sub = (uint16_t)eu_value(in, EU_DESTINATION_INDIRECT16_ADDRESS_SUBREGISTER);
		o->offset = (int16_t)eu_value(in, EU_DESTINATION_INDIRECT16_ADDRESS_IMMEDIATE);
		o->channels = (uint8_t)eu_value(in, EU_DESTINATION_INDIRECT16_WRITE_MASK);
	} else if (o->indirect) {
		o->sub = (uint16_t)eu_value(in, EU_DESTINATION_INDIRECT_ADDRESS_SUBREGISTER);
		o->offset = (int16_t)eu_value(in, EU_DESTINATION_INDIRECT_ADDRESS_IMMEDIATE);
	}
	add_high_bits(in, HIGH_DESTINATION, o);
}

/*
 * From Xe3P on source 1 is a scalar, or its elements lie as those of the destination. The stride
 * between these, in elements of the source; -1: there is none.
 */
static int8_t common_stride(const struct eu_instruction *in, const struct eu_operand *o,
			    unsigned limit)
{
	const unsigned bytes = (unsigned)MAX(in->destination.horizontal, 0) *
			       type_size(&in->destination);
	const unsigned stride = bytes / type_size(o);

	return stride && stride <= limit && !(stride & (stride - 1)) ? (int8_t)stride : -1;
}

/* ---- ternary ones ---------------------------------------------------------------------------- */

/* Likewise, from a form's FLOAT, and from a source's FILE. */
#define TERNARY(form, name)                                                                        \
	((enum eu_field)((form) + (EU_THREE_ALIGN1_##name - EU_THREE_ALIGN1_FLOAT)))
#define TERNARY_OF(s, name)                                                                        \
	((enum eu_field)((s) + (EU_THREE_ALIGN1_SOURCE0_##name - EU_THREE_ALIGN1_SOURCE0_FILE)))

static uint8_t ternary_type(const struct eu_instruction *in, bool is_float, enum eu_field whole,
			    enum eu_field floats)
{
	/* Gen6 has no type fields here: all are floats. */
	if (!eu_has(in->isa, whole))
		return EU_F;
	return type_of(eu_number(in, is_float && eu_has(in->isa, floats) ? floats : whole));
}

static void ternary_source(struct eu_instruction *in, bool is_float, enum eu_field s,
			   struct eu_operand *o)
{
	int bits;

	o->file = file_of(in, s);
	if (eu_value(in, TERNARY_OF(s, IMMEDIATE)))
		o->file = EU_IMM;
	o->type = ternary_type(in, is_float, TERNARY_OF(s, TYPE), TERNARY_OF(s, FLOAT_TYPE));
	/* In align16 all have one type, but sources 1 and 2 each say which float they are. */
	if ((o->type == EU_F || o->type == EU_HF) && eu_has(in->isa, TERNARY_OF(s, HALF)))
		o->type = eu_value(in, TERNARY_OF(s, HALF)) ? EU_HF : EU_F;
	if (o->file == EU_IMM) {
		o->value = eu_value(in, TERNARY_OF(s, VALUE));
		return;
	}
	if (!(in->opcode->traits & (EU_TABLE_OF_BITS | EU_CONVERTS))) {
		o->negate = eu_value(in, TERNARY_OF(s, NEGATE));
		o->absolute = eu_value(in, TERNARY_OF(s, ABSOLUTE));
	}
	o->reg = register_of(in, o, TERNARY_OF(s, REGISTER));
	o->sub = (uint16_t)eu_value(in, TERNARY_OF(s, SUBREGISTER));
	o->region = EU_REGION_ALIGN1;
	if (in->align16) {
		o->point = eu_value(in, TERNARY_OF(s, REPLICATE));
		o->vertical = o->point ? 0 : 4;
		o->horizontal = !o->point;
		o->channels = (uint8_t)eu_value(in, TERNARY_OF(s, SWIZZLE));
	} else if (eu_has(in->isa, TERNARY_OF(s, SCALAR))) {
		if (!eu_value(in, TERNARY_OF(s, SCALAR)))
			o->vertical = common_stride(in, o, 4);
		if (o->vertical > 1) {
			o->horizontal = o->vertical;
			o->vertical *= 2;
		}
		o->point = !o->vertical;
	} else if (!eu_has(in->isa, TERNARY_OF(s, HORIZONTAL_STRIDE))) {
		o->vertical = 1;	/* of DPAS */
		bits = eu_number(in, TERNARY_OF(s, SUBBYTE));
		if (bits > 0 && (o->type == EU_UB || o->type == EU_B)) {
			/* Parts of bytes: their position counts in them. */
			o->sub = (uint16_t)(o->sub * 8 / bits);
			o->type = (uint8_t)((bits == 4 ? EU_U4 : EU_U2) + (o->type == EU_B));
		} else if (bits == 2 && o->type == EU_BF8) {
			o->type = EU_E2M1;
		}
	} else {
		o->horizontal = stride(in, TERNARY_OF(s, HORIZONTAL_STRIDE));
		/* Source 2 has one stride only. */
		o->vertical = eu_has(in->isa, TERNARY_OF(s, VERTICAL_STRIDE))
				      ? stride(in, TERNARY_OF(s, VERTICAL_STRIDE))
				      : o->horizontal;
		o->point = !o->vertical && !o->horizontal;
	}
	/* The width follows from the strides (PRM, "Regioning Rules for Align1 Ternary"). */
	if (!o->horizontal)
		o->width = o->vertical ? o->vertical : 1;
	else
		o->width = o->vertical < o->horizontal ? 1 : (int8_t)(o->vertical / o->horizontal);
}

static void ternary(struct eu_instruction *in, enum eu_field form)
{
	bool is_float = eu_value(in, form);
	struct eu_operand *o = &in->destination;
	int stride = eu_number(in, TERNARY(form, DESTINATION_HORIZONTAL_STRIDE));

	o->file = file_of(in, TERNARY(form, DESTINATION_FILE));
	o->type = ternary_type(in, is_float, TERNARY(form, DESTINATION_TYPE),
			       TERNARY(form, DESTINATION_FLOAT_TYPE));
	o->reg = register_of(in, o, TERNARY(form, DESTINATION_REGISTER));
	o->sub = (uint16_t)eu_value(in, TERNARY(form, DESTINATION_SUBREGISTER));
	o->region = in->align16 ? EU_REGION_ALIGN16 : EU_REGION_STRIDE;
	o->horizontal = (int8_t)(stride < 0 ? 1 : stride);
	o->channels = (uint8_t)eu_value(in, TERNARY(form, WRITE_MASK));
	ternary_source(in, is_float, TERNARY(form, SOURCE0_FILE), &in->source[0]);
	ternary_source(in, is_float, TERNARY(form, SOURCE1_FILE), &in->source[1]);
	ternary_source(in, is_float, TERNARY(form, SOURCE2_FILE), &in->source[2]);
	in->operands = 3;
}

static void scale(struct eu_instruction *in, unsigned i, enum eu_field file, enum eu_field reg,
		  enum eu_field sub)
{
	in->source[i] = (struct eu_operand){
		.file = file_of(in, file),
		.type = type_of(eu_number(in, EU_BDPAS_SCALE_TYPE)),
		.sub = (uint16_t)eu_value(in, sub),
		.region = EU_REGION_ALIGN1,
		.vertical = 1,
		.width = 1,
	};
	in->source[i].reg = register_of(in, &in->source[i], reg);
	in->operands = i + 1;
}

/* ---- messages -------------------------------------------------------------------------------- */

#define SEND(form, name) ((enum eu_field)((form) + (EU_SEND_##name - EU_SEND_SHARED_FUNCTION)))

/* The payloads of a message that names two of them; their type is always UD. */
static void split_payloads(struct eu_instruction *in, enum eu_field form)
{
	struct eu_operand *d = &in->destination, *s = in->source;

	d->file = file_of(in, SEND(form, DESTINATION_FILE));
	d->type = EU_UD;
	d->indirect = eu_value(in, SEND(form, DESTINATION_ADDRESS_MODE));
	d->reg = (uint16_t)eu_value(in, SEND(form, DESTINATION_REGISTER));
	d->sub = (uint16_t)eu_value(in, d->indirect ? SEND(form, DESTINATION_ADDRESS_SUBREGISTER)
						    : SEND(form, DESTINATION_SUBREGISTER));
	d->offset = (int16_t)eu_value(in, SEND(form, DESTINATION_ADDRESS_IMMEDIATE));
	if (d->indirect)
		d->file = EU_GRF;
	s[0].file = file_of(in, SEND(form, SOURCE0_FILE));
	s[0].type = s[1].type = EU_UD;
	s[0].indirect = eu_value(in, SEND(form, SOURCE0_ADDRESS_MODE));
	s[0].reg = (uint16_t)eu_value(in, SEND(form, SOURCE0_REGISTER));
	if (s[0].indirect)
		s[0].sub = (uint16_t)eu_value(in, SEND(form, SOURCE0_ADDRESS_SUBREGISTER));
	else if (!eu_has(in->isa, SEND(form, SOURCE0_FILE)) || s[0].file == EU_ARF)
		s[0].sub = (uint16_t)eu_value(in, SEND(form, SOURCE0_SUBREGISTER));
	s[0].offset = (int16_t)eu_value(in, SEND(form, SOURCE0_ADDRESS_IMMEDIATE));
	s[1].file = file_of(in, SEND(form, SOURCE1_FILE));
	s[1].reg = (uint16_t)eu_value(in, SEND(form, SOURCE1_REGISTER));
	if (s[0].file == EU_ARF && eu_has(in->isa, SEND(form, SOURCE0_SUBREGISTER))) {
		/*
		 * The scalar register names the registers; its number is where a length would be.
		 */
		s[0].indirect = true;
		in->extended &= ~0x7c0u;
	}
	in->operands = 2;
	in->split = true;
}

bool eu_indirect_descriptor(const struct eu_instruction *in, unsigned i, unsigned *bytes)
{
	const enum eu_field form = in->opcode->form == EU_SENDG ? EU_SENDG_SHARED_FUNCTION
								: EU_SENDGX_SHARED_FUNCTION;

	*bytes = (unsigned)eu_value(in, i ? SEND(form, DESCRIPTOR_1_SUBREGISTER)
					  : SEND(form, DESCRIPTOR_0_SUBREGISTER));
	return eu_value(in,
			i ? SEND(form, INDIRECT_DESCRIPTOR_1) : SEND(form, INDIRECT_DESCRIPTOR_0));
}

static void message(struct eu_instruction *in, enum eu_field form)
{

	in->shared_function = (uint8_t)eu_value(in, form);
	in->ends = eu_value(in, SEND(form, END_OF_THREAD));
	in->descriptor = eu_value(in, SEND(form, DESCRIPTOR));
	in->extended = (uint32_t)eu_value(in, SEND(form, EXTENDED_DESCRIPTOR));
	if (eu_is_long_message(in)) {
		enum { SCALAR_KIND = 6, NO_REGISTER = 511, SHORT = 42 };
		struct eu_operand *s = in->source;

		/* sendg and sendgx: the lengths of payloads stand beside a longer descriptor. */
		split_payloads(in, form);
		/* Only the scalar register names other registers. */
		s[0].indirect = s[0].file == EU_ARF && s[0].reg >> 4 == SCALAR_KIND;
		if (!s[0].indirect)
			s[0].sub = 0;
		if (in->destination.file == EU_ARF || in->destination.reg == NO_REGISTER)
			in->destination = (struct eu_operand){ .file = EU_ARF, .type = EU_UD };
		if (s[0].file == EU_GRF && s[0].reg == NO_REGISTER)
			s[0] = (struct eu_operand){ .file = EU_ARF, .type = EU_UD };
		in->payload[0] = (uint8_t)eu_value(in, SEND(form, SOURCE0_LENGTH));
		if (s[1].file == EU_GRF)
			in->payload[1] = (uint8_t)eu_value(in, SEND(form, SOURCE1_LENGTH));
		if (s[1].file == EU_ARF || s[1].reg == NO_REGISTER)
			s[1] = (struct eu_operand){ .file = EU_ARF, .type = EU_UD };
		if (eu_value(in, SEND(form, INDIRECT_DESCRIPTOR_1)))
			in->descriptor &= (UINT64_C(1) << SHORT) - 1;
		return;
	}
	if (eu_has(in->isa, SEND(form, SOURCE1_REGISTER))) {
		split_payloads(in, form);
		in->descriptor_known = !eu_value(in, SEND(form, DESCRIPTOR_IN_REGISTER));
		in->extended_known = !eu_value(in, SEND(form, EXTENDED_DESCRIPTOR_IN_REGISTER));
		return;
	}
	destination(in);
	eu_source(in, 0, &in->source[0]);
	eu_source(in, 1, &in->source[1]);
	in->operands = 1;
	in->descriptor_known = in->source[1].file == EU_IMM;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* A signed distance in a field, in the units by which the data scales it. */
static int32_t distance(const struct eu_instruction *in, enum eu_field field)
{
	const struct eu_slot *slot = &in->isa->slot[field];
	uint64_t value;
	unsigned width;

	if (!slot->count)
		return 0;
	value = eu_bits(&in->raw, slot->part[0].at, slot->part[0].width);
	width = slot->part[0].width;
	if (width < 64 && value >> (width - 1) & 1)
		value |= UINT64_MAX << width;
	return (int32_t)(value << slot->part[0].shift);
}

/*
 * Operands in addition to labels, or instead of them: the target may be in a register; through
 * Gen11 that of a call is its second source, as for jumps.
 */
static void branch(struct eu_instruction *in)
{
	const unsigned traits = in->opcode->traits;
	const bool second = traits & EU_CALLS && !eu_has(in->isa, EU_SOURCE0_IMMEDIATE);
	enum eu_field jip = EU_BRANCH_JIP;
	struct eu_operand other;

	if (traits & EU_CALLS)
		destination(in);
	if (traits & (EU_TARGET | EU_NO_LABEL)) {
		eu_source(in, second, &in->source[0]);
		eu_source(in, !second, &other);
		in->operands = traits & EU_NO_LABEL ||
			       (in->source[0].file != EU_IMM && other.file != EU_IMM);
	}
	if (in->operands)
		return;
	/* It has as many labels as sources; on Gen6 a single label is elsewhere. */
	if (in->opcode->sources == 1 && eu_has(in->isa, EU_BRANCH_JUMP_COUNT))
		jip = EU_BRANCH_JUMP_COUNT;
	if (eu_has(in->isa, EU_BRANCH_CALL) && traits & EU_CALLS)
		jip = EU_BRANCH_CALL;
	in->has_jip = in->opcode->sources > 0 && eu_has(in->isa, EU_BRANCH_JIP);
	in->has_uip = in->opcode->sources > 1 && eu_has(in->isa, EU_BRANCH_UIP);
	in->jip = distance(in, jip);
	in->uip = distance(in, EU_BRANCH_UIP);
}

static void operands(struct eu_instruction *in)
{
	const bool jumps = in->opcode->traits & EU_JUMPS;
	struct eu_operand *o = &in->source[1];

	in->operands = in->opcode->sources;
	destination(in);
	if (in->operands || in->opcode->traits & EU_WAITS)
		eu_source(in, 0, &in->source[0]);
	if (in->operands > 1 || jumps)
		eu_source(in, 1, &in->source[1]);
	if (in->operands > 1 && eu_has(in->isa, EU_SOURCE1_ALIGN1_SCALAR) && o->file != EU_IMM) {
		const bool scalar = eu_value(in, o->indirect ? EU_SOURCE1_INDIRECT_SCALAR
							     : EU_SOURCE1_ALIGN1_SCALAR);

		o->vertical = scalar ? 0 : common_stride(in, o, 16);
		o->width = 1;
		o->horizontal = 0;
	}
	/* Haswell's "dim" loads a double, but its source has the type of a float. */
	if (in->opcode->traits & EU_DOUBLE)
		in->source[0].value = eu_value(in, EU_IMMEDIATE_WIDE_VALUE);
}

/* In the units of calls, or otherwise of other jumps, from the next instruction. */
bool eu_jump_target(const struct eu_instruction *in, int64_t *target)
{
	enum eu_field unit = eu_has(in->isa, EU_BRANCH_CALL) ? EU_BRANCH_CALL : EU_BRANCH_JIP;

	if (!in->opcode || !(in->opcode->traits & EU_JUMPS) || in->source[1].file != EU_IMM)
		return false;
	if (!eu_has(in->isa, unit))
		unit = EU_BRANCH_JUMP_COUNT;
	*target = (int64_t)in->offset + in->size +
		  (int64_t)(int32_t)in->source[1].value *
			  (INT64_C(1) << in->isa->slot[unit].part[0].shift);
	return true;
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
	*in = (struct eu_instruction){
		.isa = isa,
		.offset = (uint32_t)at,
		.size = (uint8_t)length,
	};
	memcpy(&in->raw, (const uint8_t *)bytes + at, length);
	if ((length == 8 && !eu_expand(isa, in->raw.half[0], &in->raw)) || !opcode->name)
		return true;
	in->opcode = opcode;
	in->exec_size = (unsigned)MAX(eu_number(in, EU_INSTRUCTION_EXECUTION_SIZE), 0);
	in->align16 = eu_value(in, EU_INSTRUCTION_ACCESS_MODE);
	switch ((enum eu_form)in->opcode->form) {
	case EU_NOP:
	case EU_FORMS:
		break;
	case EU_THREE:
		ternary(in, in->align16 ? EU_THREE_ALIGN16_FLOAT : EU_THREE_ALIGN1_FLOAT);
		break;
	case EU_DPAS:
		ternary(in, EU_DPAS_FLOAT);
		break;
	case EU_BDPAS:
		ternary(in, EU_BDPAS_FLOAT);
		scale(in, 3, EU_BDPAS_SOURCE3_FILE, EU_BDPAS_SOURCE3_REGISTER,
		      EU_BDPAS_SOURCE3_SUBREGISTER);
		scale(in, 4, EU_BDPAS_SOURCE4_FILE, EU_BDPAS_SOURCE4_REGISTER,
		      EU_BDPAS_SOURCE4_SUBREGISTER);
		break;
	case EU_SEND:
		message(in, EU_SEND_SHARED_FUNCTION);
		break;
	case EU_SENDS:
		message(in, EU_SENDS_SHARED_FUNCTION);
		break;
	case EU_SENDG:
		message(in, EU_SENDG_SHARED_FUNCTION);
		break;
	case EU_SENDGX:
		message(in, EU_SENDGX_SHARED_FUNCTION);
		break;
	case EU_BRANCH:
		branch(in);
		break;
	case EU_BASIC:
	case EU_MATH:
	case EU_SYNC:
		operands(in);
		break;
	}
	return true;
}

/* ---- the scoreboard -------------------------------------------------------------------------- */

/*
 * The software scoreboard of Gen12 and later (SWSB): the distance to an instruction of a pipe that
 * must be complete, "F@2", and the tokens of long instructions: "$3" sets one, "$3.dst" and
 * "$3.src" wait until that one has written, or has read.
 */

/* The data names the pipes of distances without a token. */
static struct eu_scoreboard distance_alone(const struct eu_isa *isa, unsigned bits)
{
	const struct eu_word *pipe = eu_word(isa, EU_INSTRUCTION_SCOREBOARD, bits);

	/* A pipe without a name is none: the bits are reserved. */
	return (struct eu_scoreboard){ bits < 8 || pipe ? bits & 7 : 0, 0, pipe ? pipe->name : "",
				       NULL };
}

/* 8 bits: a distance with a token, a token, or a distance in a pipe. */
static struct eu_scoreboard narrow(const struct eu_instruction *in, unsigned bits)
{
	const enum eu_form form = (enum eu_form)in->opcode->form;
	bool is_double = in->destination.type == EU_DF, sets;

	for (unsigned i = 0; i < in->operands; i++)
		is_double |= in->source[i].type == EU_DF;
	switch (bits & 0xf0) {
	case 0x20:
		return (struct eu_scoreboard){ 0, bits & 15, "", ".dst" };
	case 0x30:
		return (struct eu_scoreboard){ 0, bits & 15, "", ".src" };
	case 0x40:
		return (struct eu_scoreboard){ 0, bits & 15, "", "" };
	default:
		if (!(bits & 0x80))
			return distance_alone(in->isa, bits);
	}
	/*
	 * It sets a token if it needs one. Double precision does on platforms without a pipe for 64
	 * bits: the math pipe executes it there.
	 */
	sets = form == EU_SEND || form == EU_MATH || form == EU_DPAS ||
	       (is_double && !eu_word(in->isa, EU_INSTRUCTION_SCOREBOARD, 0x51));
	return (struct eu_scoreboard){ bits >> 4 & 7, bits & 15, "", sets ? "" : ".dst" };
}

/* 10 bits, from Ponte Vecchio on: what the mode in bits 9:8 means depends on the instruction. */
static struct eu_scoreboard wide(const struct eu_instruction *in, unsigned bits)
{
	static const struct { const char *pipe, *use; } both[][4] = {
		[EU_BASIC] = { [1] = { "", ".dst" }, [2] = { "", ".src" }, [3] = { "A", ".dst" } },
		[EU_DPAS] = { [1] = { "", "" }, [2] = { "", ".src" }, [3] = { "", ".dst" } },
		[EU_SEND] = { [1] = { "A", "" }, [2] = { "F", "" }, [3] = { "I", "" } },
	};
	const unsigned mode = bits >> 8 & 3;
	const enum eu_form form = eu_is_message(in) ? EU_SEND : eu_is_dpas(in) ? EU_DPAS : EU_BASIC;

	if (mode) {
		return (struct eu_scoreboard){ bits >> 5 & 7, bits & 31, both[form][mode].pipe,
					    both[form][mode].use };
	}
	switch (bits & 0xe0) {
	case 0x80:
		return (struct eu_scoreboard){ 0, bits & 31, "", ".dst" };
	case 0xa0:
		return (struct eu_scoreboard){ 0, bits & 31, "", ".src" };
	case 0x40:
		/* From Xe3P on tokens can count. */
		if (eu_word(in->isa, EU_INSTRUCTION_SCOREBOARD, bits & 0xff))
			return (struct eu_scoreboard){ 0, bits & 31, "", ".inc" };
		return distance_alone(in->isa, bits & 0xff);
	case 0xc0:
		return (struct eu_scoreboard){ 0, bits & 31, "", "" };
	default:
		return distance_alone(in->isa, bits & 0xff);
	}
}

struct eu_scoreboard eu_scoreboard(const struct eu_instruction *in)
{
	const struct eu_slot *slot = &in->isa->slot[EU_INSTRUCTION_SCOREBOARD];
	unsigned bits;

	if (!slot->count)
		return (struct eu_scoreboard){ .use = NULL };
	bits = (unsigned)eu_value(in, EU_INSTRUCTION_SCOREBOARD);
	return slot->part[0].width > 8 ? wide(in, bits) : narrow(in, bits);
}
