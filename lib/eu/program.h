/* SPDX-License-Identifier: MIT */
/* A program being read, and its labels. */
#ifndef GSC_EU_PROGRAM_H
#define GSC_EU_PROGRAM_H

#include "eu/eu.h"

/*
 * The places of a program that its jumps lead to: bytes from its start, sorted, each once; numbered
 * in the order in which they are met.
 */
struct eu_label { int64_t offset, number; };
/* by_place: numbered by their offset, as in the syntax of IGA: "L48". */
struct eu_labels { VEC(struct eu_label) at; bool by_place; };

/* The labels of the instructions up to `size`; false: memory is out. */
bool labels_find(struct eu_labels *labels, const struct eu_isa *isa, const void *bytes,
		 size_t size);
void labels_free(struct eu_labels *labels);

/* The number of the label there, or -1. */
int64_t label_at(const struct eu_labels *labels, int64_t offset);
/* "LABEL2", or its offset if it is no label. */
void labels_put(const struct eu_labels *labels, int64_t offset, struct text *text);

struct gsc_eu {
	struct eu_isa *isa;
	enum gsc_eu_syntax syntax;
	VEC(struct gsc_item) structures;	/* EU_*, those of the platform */
};

/* How an operand is written: which structure describes the rest of it. */
enum eu_how {
	EU_HOW_ANY, EU_HOW_ALIGN1, EU_HOW_ALIGN16, EU_HOW_INDIRECT, EU_HOW_INDIRECT16,
	EU_HOW_IMMEDIATE, EU_HOW_WIDE,
};

/* What the bits of the instruction are, and the position of gsc_program_field_next() among them. */
struct eu_parts {
	bool begun;
	bool operands;			/* it has a destination, and this many sources */
	unsigned sources;
	enum eu_how destination, source[2];
	enum eu_how immediate;		/* of one of them; EU_HOW_ANY: of none */
	struct eu_raw taken;		/* bits that mean something else in other forms */
	size_t row, next;		/* of the table of parts; of the structures */
	const struct gsc_item *structure;
	struct gsc_field_iter it;
	uint32_t words[4];
};

struct gsc_program {
	const struct gsc_eu *eu;
	const uint8_t *data;
	size_t size, at;
	struct eu_labels labels;
	struct eu_instruction in;	/* the one returned last */
	struct eu_message message;	/* of it */
	struct eu_parts parts;
};

/* Structure number `i` that bits of an instruction may follow: "EU_SOURCE0"; NULL past the last. */
GSC_API const char *gsc_instruction_part(const struct gsc_item *item, size_t i);
/* Rule number `i` about programs; NULL past the last. */
GSC_API const struct rule *gsc_eu_rule(size_t i);

#endif
