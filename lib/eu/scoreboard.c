/* SPDX-License-Identifier: MIT */
/*
 * The software scoreboard of Gen12 and later (SWSB): the distance to an instruction of a pipe that
 * must be complete, "F@2", and the tokens of long instructions: "$3" sets one, "$3.dst" and
 * "$3.src" wait until that one has written, or has read.
 */
#include "eu/eu.h"

/* The data names the pipes of distances without a token. */
static struct eu_scoreboard distance_alone(const struct eu_isa *isa, unsigned bits)
{
	const struct eu_word *pipe = eu_word(isa, EU_INSTRUCTION_SCOREBOARD, bits);

	/* A pipe without a name is none: the bits are reserved. */
	return (struct eu_scoreboard){ bits < 8 || pipe ? bits & 7 : 0, 0, pipe ? pipe->name : "",
				       NULL };
}

/* 8 bits: a distance with a token, a token, or a distance in a pipe. */
static struct eu_scoreboard narrow(const struct eu_isa *isa, const struct eu_instruction *in,
				   unsigned bits)
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
			return distance_alone(isa, bits);
	}
	/*
	 * It sets a token if it needs one. Double precision does on platforms without a pipe for 64
	 * bits: the math pipe executes it there.
	 */
	sets = form == EU_SEND || form == EU_MATH || form == EU_DPAS ||
	       (is_double && !eu_word(isa, EU_INSTRUCTION_SCOREBOARD, 0x51));
	return (struct eu_scoreboard){ bits >> 4 & 7, bits & 15, "", sets ? "" : ".dst" };
}

/* 10 bits, from Ponte Vecchio on: what the mode in bits 9:8 means depends on the instruction. */
static struct eu_scoreboard wide(const struct eu_isa *isa, const struct eu_instruction *in,
			      unsigned bits)
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
		if (eu_word(isa, EU_INSTRUCTION_SCOREBOARD, bits & 0xff))
			return (struct eu_scoreboard){ 0, bits & 31, "", ".inc" };
		return distance_alone(isa, bits & 0xff);
	case 0xc0:
		return (struct eu_scoreboard){ 0, bits & 31, "", "" };
	default:
		return distance_alone(isa, bits & 0xff);
	}
}

struct eu_scoreboard eu_scoreboard(const struct eu_isa *isa, const struct eu_instruction *in)
{
	const struct eu_slot *slot = &isa->slot[EU_INSTRUCTION_SCOREBOARD];
	unsigned bits;

	if (!slot->count)
		return (struct eu_scoreboard){ .use = NULL };
	bits = (unsigned)eu_get(isa, &in->raw, EU_INSTRUCTION_SCOREBOARD);
	return slot->part[0].width > 8 ? wide(isa, in, bits) : narrow(isa, in, bits);
}
