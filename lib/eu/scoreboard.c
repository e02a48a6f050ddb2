/* SPDX-License-Identifier: MIT */
/*
 * The software scoreboard of Gen12 and later (SWSB): the distance to an instruction of a pipe that
 * has to be done, "F@2", and the tokens of those that take their time: "$3" sets one, "$3.dst" and
 * "$3.src" wait until that one has written, or has read.
 */
#include "eu/eu.h"
#include "util/text.h"

struct scoreboard {
	unsigned distance, token;
	const char *pipe, *use;		/* use: what follows the token's number; NULL: no token */
};

/* Of those whose bits 5:3 or 6:3 name a pipe. */
static const char *pipe_name(unsigned code, bool wide)
{
	switch (code) {
	case 1:
		return "A";
	case 2:
		return "F";
	case 3:
		return "I";
	case 4:
		return wide ? "L" : "";
	case 5:
		return wide ? "M" : "";
	case 6:
		return wide ? "S" : "";
	case 10:
		return wide ? "" : "L";
	default:
		return "";
	}
}

/* 8 bits: a distance with a token, a token, or a distance in a pipe. */
static struct scoreboard narrow(unsigned bits, bool sets)
{
	if (bits & 0x80)
		return (struct scoreboard){ bits >> 4 & 7, bits & 15, "", sets ? "" : ".dst" };
	switch (bits & 0x70) {
	case 0x20:
		return (struct scoreboard){ 0, bits & 15, "", ".dst" };
	case 0x30:
		return (struct scoreboard){ 0, bits & 15, "", ".src" };
	case 0x40:
		return (struct scoreboard){ 0, bits & 15, "", "" };
	default:
		return (struct scoreboard){ bits & 7, 0, pipe_name(bits >> 3 & 15, false), NULL };
	}
}

/* 10 bits, from Xe2 on: what the mode in bits 9:8 means depends on the instruction. */
static struct scoreboard wide(const struct eu_instruction *in, unsigned bits)
{
	const unsigned mode = bits >> 8 & 3;
	struct scoreboard s = { bits >> 5 & 7, bits & 31, "", "" };

	if (mode && (in->opcode->form == EU_SEND || in->opcode->form == EU_SENDS)) {
		s.pipe = mode == 3 ? "I" : mode == 2 ? "F" : "A";
		return s;
	}
	if (mode && in->opcode->form == EU_DPAS) {
		s.use = mode == 3 ? ".dst" : mode == 2 ? ".src" : "";
		return s;
	}
	if (mode) {
		s.pipe = mode == 3 ? "A" : "";
		s.use = mode == 2 ? ".src" : ".dst";
		return s;
	}
	s.distance = 0;
	switch (bits & 0xe0) {
	case 0x80:
		s.use = ".dst";
		return s;
	case 0xa0:
		s.use = ".src";
		return s;
	case 0xc0:
		return s;
	default:
		return (struct scoreboard){ bits & 7, 0, pipe_name(bits >> 3 & 7, true), NULL };
	}
}

void eu_put_scoreboard(const struct eu_isa *isa, const struct eu_instruction *in,
		       struct text *text)
{
	const unsigned bits = (unsigned)eu_get(isa, &in->raw, EU_INSTRUCTION_SCOREBOARD);
	const enum eu_form form = (enum eu_form)in->opcode->form;
	struct scoreboard s;

	if (isa->slot[EU_INSTRUCTION_SCOREBOARD].part[0].width > 8)
		s = wide(in, bits);
	else
		s = narrow(bits, form == EU_SEND || form == EU_MATH || form == EU_DPAS);
	if (s.distance)
		text_add(text, " %s@%u", s.pipe, s.distance);
	if (s.use)
		text_add(text, " $%u%s", s.token, s.use);
}
