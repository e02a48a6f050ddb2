/* SPDX-License-Identifier: MIT */
/* The checks of an instruction. What is uncertain is no breach, such as indirect operands. */
#include "eu/lint.h"

#include <string.h>

/* ---- operands -------------------------------------------------------------------------------- */

static unsigned size_of(const struct eu_operand *o)
{
	return eu_types[o->type].size;
}

static bool is_register(const struct eu_operand *o)
{
	return o->file != EU_IMM && !o->indirect;
}

/* A source whose region is given in the instruction. */
static bool has_region(const struct eu_operand *o)
{
	return o->file != EU_IMM && o->region == EU_REGION_ALIGN1 && o->vertical >= 0 &&
	       o->width > 0 && o->horizontal >= 0;
}

/* Bytes from the start of the register to the end of its last element. */
static unsigned source_end(const struct eu_instruction *in, const struct eu_operand *o)
{
	unsigned width = MIN((unsigned)o->width, in->exec_size), rows = in->exec_size / width;
	unsigned last = (rows - 1) * (unsigned)o->vertical + (width - 1) * (unsigned)o->horizontal;

	return o->sub + (last + 1) * size_of(o);
}

static unsigned destination_end(const struct eu_instruction *in)
{
	const struct eu_operand *o = &in->destination;

	return o->sub + ((in->exec_size - 1) * (unsigned)o->horizontal + 1) * size_of(o);
}

struct eu_registers eu_operand_registers(const struct eu_lint *lint,
					 const struct eu_instruction *in,
					 const struct eu_operand *o, bool is_destination)
{
	unsigned end;

	if (o->file != EU_GRF || o->indirect || !size_of(o) || !in->exec_size ||
	    (is_destination ? o->region != EU_REGION_STRIDE || o->horizontal < 0 : !has_region(o)))
		return (struct eu_registers){ 0, 0 };
	end = is_destination ? destination_end(in) : source_end(in, o);
	return (struct eu_registers){
		(uint16_t)(o->reg + o->sub / lint->register_bytes),
		(uint16_t)(o->reg + (end + lint->register_bytes - 1) / lint->register_bytes),
	};
}

/* ---- regions --------------------------------------------------------------------------------- */

/* Calls `test` for each source with a region; true: `text` says what is wrong with it. */
static void each_region(const struct eu_look *look,
			bool (*test)(const struct eu_look *look, const struct eu_operand *o),
			const char *text)
{
	for (unsigned i = 0; i < look->in->operands; i++) {
		const struct eu_operand *o = &look->in->source[i];

		if (has_region(o) && test(look, o))
			eu_found(look, "source %u, <%d;%d,%d>: %s", i, o->vertical, o->width,
				 o->horizontal, text);
	}
}

static bool is_too_wide(const struct eu_look *look, const struct eu_operand *o)
{
	return (unsigned)o->width > look->in->exec_size;
}

void eu_check_width(const struct eu_look *look)
{
	each_region(look, is_too_wide, "a row is wider than the instruction executes");
}

static bool rows_apart(const struct eu_look *look, const struct eu_operand *o)
{
	return (unsigned)o->width == look->in->exec_size && o->width > 1 && o->horizontal &&
	       o->vertical != o->width * o->horizontal;
}

void eu_check_row_stride(const struct eu_look *look)
{
	each_region(look, rows_apart,
		    "the region is one row, so the vertical stride must be the width times the "
		    "horizontal stride");
}

static bool has_no_columns(const struct eu_look *look, const struct eu_operand *o)
{
	return o->width == 1 && o->horizontal && look->in->exec_size > 1;
}

void eu_check_columns(const struct eu_look *look)
{
	each_region(look, has_no_columns, "with a width of 1 the horizontal stride must be 0");
}

static bool is_no_scalar(const struct eu_look *look, const struct eu_operand *o)
{
	return look->in->exec_size == 1 && o->width == 1 && (o->vertical || o->horizontal);
}

void eu_check_scalar(const struct eu_look *look)
{
	each_region(look, is_no_scalar, "one element: both strides must be 0");
}

static bool repeats_rows(const struct eu_look *look, const struct eu_operand *o)
{
	(void)look;
	return !o->vertical && !o->horizontal && o->width != 1;
}

void eu_check_repeated(const struct eu_look *look)
{
	each_region(look, repeats_rows, "if both strides are 0, the width must be 1");
}

/* The first row that spans two registers. */
static bool row_crosses(const struct eu_look *look, const struct eu_operand *o)
{
	unsigned bytes = look->lint->register_bytes, size = size_of(o);
	unsigned width = (unsigned)o->width;
	unsigned length = ((width - 1) * (unsigned)o->horizontal + 1) * size;

	if (o->file != EU_GRF || o->indirect || width > look->in->exec_size || !size)
		return false;
	for (unsigned row = 0; row < look->in->exec_size / width; row++) {
		unsigned start = o->sub + row * (unsigned)o->vertical * size;

		if (start / bytes != (start + length - 1) / bytes)
			return true;
	}
	return false;
}

void eu_check_row_crosses(const struct eu_look *look)
{
	each_region(look, row_crosses, "a row lies in two registers");
}

static bool spans_more(const struct eu_look *look, const struct eu_operand *o)
{
	struct eu_registers r = eu_operand_registers(look->lint, look->in, o, false);

	return r.end - r.first > 2;
}

void eu_check_source_spans(const struct eu_look *look)
{
	each_region(look, spans_more, "it spans more than two registers");
}

/* ---- destinations ---------------------------------------------------------------------------- */

static bool writes_registers(const struct eu_instruction *in)
{
	const struct eu_operand *o = &in->destination;

	return is_register(o) && o->file != EU_ARF && o->region == EU_REGION_STRIDE;
}

void eu_check_destination_stride(const struct eu_look *look)
{
	if (writes_registers(look->in) && !look->in->destination.horizontal)
		eu_found(look, "the destination has a stride of 0");
}

void eu_check_destination_spans(const struct eu_look *look)
{
	struct eu_registers r = eu_operand_registers(look->lint, look->in, &look->in->destination,
						     true);

	if (r.end - r.first > 2)
		eu_found(look, "the destination spans %u registers, of at most 2", r.end - r.first);
}

/* The type in which it executes: bytes as words, packed vectors as what they stand for. */
static unsigned execution_size(const struct eu_instruction *in)
{
	unsigned most = 0;

	for (unsigned i = 0; i < in->operands; i++) {
		const struct eu_operand *o = &in->source[i];
		unsigned size = o->type == EU_V || o->type == EU_UV ? 2
				: o->type == EU_VF ? 4 : MAX(size_of(o), 2u);

		most = MAX(most, size);
	}
	return most;
}

/* Mixed floats have their own rules, which differ by platform. */
static bool has_small_floats(const struct eu_instruction *in)
{
	bool small = in->destination.type == EU_HF || in->destination.type == EU_BF;

	for (unsigned i = 0; i < in->operands; i++)
		small |= in->source[i].type == EU_HF || in->source[i].type == EU_BF;
	return small;
}

static bool writes_packed_bytes(const struct eu_instruction *in)
{
	return in->destination.horizontal == 1 && size_of(&in->destination) == 1;
}

void eu_check_destination_narrow(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;
	unsigned stride, wanted = execution_size(in);

	if (!writes_registers(in) || in->exec_size < 2 || in->destination.horizontal < 1 ||
	    !size_of(&in->destination) || has_small_floats(in) || writes_packed_bytes(in))
		return;
	stride = (unsigned)in->destination.horizontal * size_of(&in->destination);
	if (stride < wanted)
		eu_found(look, "the destination has an element every %u bytes, but the execution "
			       "type has %u bytes",
			 stride, wanted);
}

/* A move that only copies. */
static bool is_raw_move(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;
	const struct eu_operand *source = &in->source[0];

	return !strcmp(in->opcode->name, "mov") && size_of(source) == size_of(&in->destination) &&
	       !source->negate && !source->absolute && source->type != EU_V &&
	       source->type != EU_UV &&
	       !eu_get(look->lint->isa, &in->raw, EU_INSTRUCTION_SATURATE);
}

void eu_check_packed_bytes(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;

	if (writes_registers(in) && in->exec_size > 1 && writes_packed_bytes(in) &&
	    !is_raw_move(look))
		eu_found(look,
			 "packed bytes may be written only by a mov that does not change the data");
}

void eu_check_immediate(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;

	if (in->operands == 2 && in->source[0].file == EU_IMM)
		eu_found(look, "only the last source may be an immediate");
}

/* ---- messages -------------------------------------------------------------------------------- */

static unsigned length_of(const struct eu_instruction *in, unsigned i)
{
	return i ? in->extended >> 6 & 31 : in->descriptor >> 25 & 15;
}

struct eu_registers eu_payload(const struct eu_instruction *in, unsigned i)
{
	const struct eu_operand *o = &in->source[i];

	if (o->file != EU_GRF || o->indirect || (i ? !in->split || !in->extended_known
						     : !in->descriptor_known))
		return (struct eu_registers){ 0, 0 };
	return (struct eu_registers){ o->reg, (uint16_t)(o->reg + length_of(in, i)) };
}

struct eu_registers eu_response(const struct eu_instruction *in)
{
	const struct eu_operand *o = &in->destination;

	if (o->file != EU_GRF || o->indirect || !in->descriptor_known)
		return (struct eu_registers){ 0, 0 };
	return (struct eu_registers){ o->reg, (uint16_t)(o->reg + (in->descriptor >> 20 & 31)) };
}

void eu_check_length(const struct eu_look *look)
{
	if (look->in->descriptor_known && !length_of(look->in, 0))
		eu_found(look, "the message has no registers");
}

static void check_registers(const struct eu_look *look, struct eu_registers r, const char *of)
{
	if (r.end > look->lint->registers)
		eu_found(look, "%s uses registers %u to %u, but there are only %u", of, r.first,
			 r.end - 1u, look->lint->registers);
}

void eu_check_beyond(const struct eu_look *look)
{
	check_registers(look, eu_payload(look->in, 0), "the message");
	check_registers(look, eu_payload(look->in, 1), "its second part");
	check_registers(look, eu_response(look->in), "the response");
}

void eu_check_last_payload(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;

	for (unsigned i = 0; in->ends && i < (in->split ? 2u : 1u); i++)
		if (in->source[i].file == EU_GRF && !in->source[i].indirect &&
		    in->source[i].reg < 112)
			eu_found(look, "the send that ends the thread takes its payload from g%u, "
				       "not from g112 to g127",
				 in->source[i].reg);
}

static bool overlap(struct eu_registers a, struct eu_registers b)
{
	return a.first < b.end && b.first < a.end;
}

void eu_check_overlap(const struct eu_look *look)
{
	if (look->in->split && overlap(eu_payload(look->in, 0), eu_payload(look->in, 1)))
		eu_found(look, "the two parts of the message share registers");
}

/* ---- dependencies ---------------------------------------------------------------------------- */

static struct eu_registers read_by(const struct eu_look *look, unsigned i)
{
	const struct eu_instruction *in = look->in;

	if (eu_is_message(in))
		return i < 2 ? eu_payload(in, i) : (struct eu_registers){ 0, 0 };
	return i < in->operands ? eu_operand_registers(look->lint, in, &in->source[i], false)
				: (struct eu_registers){ 0, 0 };
}

static struct eu_registers written_by(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;

	return eu_is_message(in)
		       ? eu_response(in)
		       : eu_operand_registers(look->lint, in, &in->destination, true);
}

/* A register whose dependency nothing clears: whoever reads it waits for ever. */
void eu_check_open(const struct eu_look *look)
{
	for (unsigned i = 0; i < 3; i++) {
		struct eu_registers r = read_by(look, i);

		for (unsigned n = r.first; n < MIN(r.end, 128u); n++)
			if (look->lint->open[n]) {
				eu_found(look, "reads g%u, whose dependency has not been cleared "
					 "since the NoDDClr at 0x%llx", n, (unsigned long long)
					 (look->lint->address + look->lint->open[n] - 1));
				return;
			}
	}
}

static void check_token(const struct eu_look *look, struct eu_registers r, const char *does,
			bool written)
{
	for (unsigned n = 0; n < EU_TOKENS; n++) {
		const struct eu_token *token = &look->lint->token[n];
		unsigned long long at = look->lint->address + token->offset;

		if (token->writes && overlap(r, token->written))
			eu_found(look, "%s g%u, which the instruction at 0x%llx writes: nothing "
				 "waits for $%u.dst", does, MAX(r.first, token->written.first), at,
				 n);
		else if (written && token->reads &&
			 (overlap(r, token->read[0]) || overlap(r, token->read[1])))
			eu_found(look, "%s g%u, which the instruction at 0x%llx reads: nothing "
				 "waits for $%u.src", does, r.first, at, n);
	}
}

void eu_check_token_read(const struct eu_look *look)
{
	for (unsigned i = 0; i < 3; i++)
		check_token(look, read_by(look, i), "reads", false);
}

void eu_check_token_write(const struct eu_look *look)
{
	check_token(look, written_by(look), "writes", true);
}
