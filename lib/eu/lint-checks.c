/* SPDX-License-Identifier: MIT */
/*
 * The checks of an instruction, and the table of rules that names them. What is uncertain is no
 * breach, such as indirect operands.
 */
#include "eu/lint.h"

#include <string.h>

/* ---- operands -------------------------------------------------------------------------------- */

static unsigned size_of(const struct eu_operand *o)
{
	return eu_types[o->type].size;
}

bool eu_has_region(const struct eu_operand *o)
{
	return o->file != EU_IMM && o->region == EU_REGION_ALIGN1 && o->vertical >= 0 &&
	       o->width > 0 && o->horizontal >= 0;
}

struct eu_registers eu_operand_registers(const struct eu_lint *lint,
					 const struct eu_instruction *in,
					 const struct eu_operand *o, bool is_destination)
{
	unsigned last, width, bytes = lint->register_bytes;

	if (o->file != EU_GRF || o->indirect || !size_of(o) || !in->exec_size ||
	    (is_destination ? o->region != EU_REGION_STRIDE || o->horizontal < 0
			    : !eu_has_region(o)))
		return (struct eu_registers){ 0, 0 };
	width = is_destination ? in->exec_size : MIN((unsigned)o->width, in->exec_size);
	last = (width - 1) * (unsigned)o->horizontal;
	if (!is_destination)
		last += (in->exec_size / width - 1) * (unsigned)o->vertical;
	return (struct eu_registers){
		(uint16_t)(o->reg + o->sub / bytes),
		(uint16_t)(o->reg + (o->sub + (last + 1) * size_of(o) + bytes - 1) / bytes),
	};
}

/* ---- regions --------------------------------------------------------------------------------- */

/* Tests of a source with a region: what is wrong with it is said in the table of rules. */

static bool is_too_wide(const struct eu_look *look, const struct eu_operand *o)
{
	return (unsigned)o->width > look->in->exec_size;
}

static bool rows_apart(const struct eu_look *look, const struct eu_operand *o)
{
	return (unsigned)o->width == look->in->exec_size && o->width > 1 && o->horizontal &&
	       o->vertical != o->width * o->horizontal;
}

static bool has_no_columns(const struct eu_look *look, const struct eu_operand *o)
{
	return o->width == 1 && o->horizontal && look->in->exec_size > 1;
}

static bool is_no_scalar(const struct eu_look *look, const struct eu_operand *o)
{
	return look->in->exec_size == 1 && o->width == 1 && (o->vertical || o->horizontal);
}

static bool repeats_rows(const struct eu_look *look, const struct eu_operand *o)
{
	(void)look;
	return !o->vertical && !o->horizontal && o->width != 1;
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

static bool spans_more(const struct eu_look *look, const struct eu_operand *o)
{
	struct eu_registers r = eu_operand_registers(look->lint, look->in, o, false);

	return r.end - r.first > 2;
}

static bool writes_registers(const struct eu_instruction *in)
{
	const struct eu_operand *o = &in->destination;

	return o->file != EU_IMM && !o->indirect && o->file != EU_ARF &&
	       o->region == EU_REGION_STRIDE;
}

static void check_destination_stride(const struct eu_look *look)
{
	if (writes_registers(look->in) && !look->in->destination.horizontal)
		eu_found(look, "the destination has a stride of 0");
}

static void check_destination_spans(const struct eu_look *look)
{
	struct eu_registers r = eu_operand_registers(look->lint, look->in, &look->in->destination,
						     true);

	if (r.end - r.first > 2)
		eu_found(look, "the destination spans %u registers, of at most 2", r.end - r.first);
}

static bool writes_packed_bytes(const struct eu_instruction *in)
{
	return in->destination.horizontal == 1 && size_of(&in->destination) == 1;
}

static void check_destination_narrow(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;
	bool small = in->destination.type == EU_HF || in->destination.type == EU_BF;
	unsigned stride, wanted = 0;

	/* The type in which it executes: bytes as words, packed vectors as what they stand for. */
	for (unsigned i = 0; i < in->operands; i++) {
		const struct eu_operand *o = &in->source[i];
		unsigned size = o->type == EU_V || o->type == EU_UV ? 2
				: o->type == EU_VF ? 4 : MAX(size_of(o), 2u);

		wanted = MAX(wanted, size);
		small |= o->type == EU_HF || o->type == EU_BF;
	}
	/* Mixed floats have their own rules, which differ by platform. */
	if (!writes_registers(in) || in->exec_size < 2 || in->destination.horizontal < 1 ||
	    !size_of(&in->destination) || small || writes_packed_bytes(in))
		return;
	stride = (unsigned)in->destination.horizontal * size_of(&in->destination);
	if (stride < wanted)
		eu_found(look, "the destination has an element every %u bytes, but the execution "
			       "type has %u bytes",
			 stride, wanted);
}

static void check_packed_bytes(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;
	const struct eu_operand *source = &in->source[0];

	if (!writes_registers(in) || in->exec_size < 2 || !writes_packed_bytes(in))
		return;
	/* A move that only copies. */
	if (!strcmp(in->opcode->name, "mov") && size_of(source) == size_of(&in->destination) &&
	    !source->negate && !source->absolute && source->type != EU_V &&
	    source->type != EU_UV && !eu_get(look->lint->isa, &in->raw, EU_INSTRUCTION_SATURATE))
		return;
	eu_found(look, "packed bytes may be written only by a mov that does not change the data");
}

static void check_immediate(const struct eu_look *look)
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

static void check_length(const struct eu_look *look)
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

static void check_beyond(const struct eu_look *look)
{
	check_registers(look, eu_payload(look->in, 0), "the message");
	check_registers(look, eu_payload(look->in, 1), "its second part");
	check_registers(look, eu_response(look->in), "the response");
}

static void check_last_payload(const struct eu_look *look)
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

static void check_overlap(const struct eu_look *look)
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

/* A register whose dependency nothing clears: whoever reads it waits for ever. */
static void check_open(const struct eu_look *look)
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

static void check_token_read(const struct eu_look *look)
{
	for (unsigned i = 0; i < 3; i++)
		check_token(look, read_by(look, i), "reads", false);
}

static void check_token_write(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;

	check_token(look, eu_is_message(in)
				  ? eu_response(in)
				  : eu_operand_registers(look->lint, in, &in->destination, true),
		    "writes", true);
}

/* ---- the rules ------------------------------------------------------------------------------- */

#define REGIONS_G45 "g45-vol4", "11.3.10 Register Region Restrictions"
#define REGIONS_IVB "ivb-v4p3", "3.3.9 Register Region Restrictions"
#define SEND_IVB "ivb-v4p3", "6.56 send - Send Message"
#define MESA "mesa", "src/intel/compiler/brw_eu_validate.c"
#define TOKENS "mesa", "src/intel/compiler/brw_lower_scoreboard.cpp"

#define OLD "gen4..gen6"
#define NEW "gen7+"
/* Gen4 and Gen5 ignore an unused stride: Intel's own programs for them have any. */
#define USED "gen6"

#define BIT(name) (1u << EU_##name)
#define TWO_SOURCES (BIT(BASIC) | BIT(MATH))
#define MESSAGES (BIT(SEND) | BIT(SENDS))
/*
 * What compilers make for Xe3P has operands of four registers, and from Xe3 on the last payload is
 * in any register.
 */
#define TO_XE3 "gen7..gen30"
#define TO_XE2 "gen7..gen20"

/* A restriction in both manuals, under different numbers: a check, or of sources a test. */
#define REGION_TO(name, old, g45, new, ivb, ...)                                                   \
	{ { name, old, REGIONS_G45 ", " g45 }, TWO_SOURCES, __VA_ARGS__ },                         \
	{ { name, new, REGIONS_IVB ", " ivb }, TWO_SOURCES, __VA_ARGS__ }
#define REGION(name, old, g45, ivb, ...) REGION_TO(name, old, g45, NEW, ivb, __VA_ARGS__)

const struct eu_rule eu_rules[] = {
	REGION("region-width", OLD, "3", "2.A", NULL, is_too_wide,
	       "a row is wider than the instruction executes"),
	REGION("region-rows", USED, "4", "2.B", NULL, rows_apart,
	       "the region is one row, so the vertical stride must be the width times the "
	       "horizontal stride"),
	REGION("region-columns", OLD, "6", "2.D", NULL, has_no_columns,
	       "with a width of 1 the horizontal stride must be 0"),
	REGION("region-scalar", USED, "7", "2.E", NULL, is_no_scalar,
	       "one element: both strides must be 0"),
	REGION("region-repeated", OLD, "8", "2.F", NULL, repeats_rows,
	       "if both strides are 0, the width must be 1"),
	{ { "region-crosses", NEW, REGIONS_IVB ", 2.H" }, TWO_SOURCES, NULL, row_crosses,
	  "a row lies in two registers" },
	REGION_TO("source-spans", OLD, "11", TO_XE3, "3.A", NULL, spans_more,
	       "it spans more than two registers"),
	REGION("destination-stride", OLD, "10.2", "2.G", check_destination_stride),
	REGION_TO("destination-spans", OLD, "9", TO_XE3, "3.B", check_destination_spans),
	{ { "destination-narrow", OLD, REGIONS_G45 ", 10.1.2" }, TWO_SOURCES,
	  check_destination_narrow },
	{ { "destination-narrow", "gen7..gen12", REGIONS_IVB ", 3.F.ii" }, TWO_SOURCES,
	  check_destination_narrow },
	REGION("packed-bytes", OLD, "10.3", "4.A", check_packed_bytes),
	{ { "immediate-first", NULL, "ivb-v4p3", "Imm32: 32-bit Immediate" }, TWO_SOURCES,
	  check_immediate },
	{ { "message-length", "gen5+", SEND_IVB }, MESSAGES, check_length },
	{ { "message-registers", NEW, "ivb-v4p3", "3.3.2 GRF Registers" }, MESSAGES,
	  check_beyond },
	{ { "last-message", TO_XE2, SEND_IVB }, MESSAGES,
	  check_last_payload },
	{ { "payloads-overlap", "gen9+", MESA ", send_restrictions" }, MESSAGES, check_overlap },
	{ { "dependency-open", "gen4..gen11", "ivb-v4p3", "4.2.7 Use of NoDDClr" }, ~0u,
	  check_open },
	{ { "token-read", "gen12+", TOKENS }, ~0u, check_token_read },
	{ { "token-write", "gen12+", TOKENS }, ~0u, check_token_write },
};
const unsigned eu_rule_count = ARRAY_SIZE(eu_rules);
