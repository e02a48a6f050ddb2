/* SPDX-License-Identifier: MIT */
/* Programs: their instructions one by one, as text and as fields. */
#ifndef GSC_EU_PROGRAM_H
#define GSC_EU_PROGRAM_H

#include "db/rule.h"
#include "eu/eu.h"

/* The instruction set of a platform. */
struct gsc_eu;
/* The view must outlive it. GSC_USAGE: no definition says how its instructions are encoded. */
GSC_API enum gsc_status gsc_eu_new(struct gsc_eu **eu, const struct gsc_view *view,
				   struct gsc_error *err);
GSC_API void gsc_eu_free(struct gsc_eu *eu);

/* The syntax of instructions' text. */
enum gsc_eu_syntax {
	GSC_EU_MESA,			/* as Mesa's assemblers accept it; the default */
	GSC_EU_IGA,			/* as Intel's own takes it */
};
/*
 * Sets the syntax for programs that are made from now on. GSC_USAGE: the syntax does not support
 * the instructions of this platform.
 */
GSC_API enum gsc_status gsc_eu_set_syntax(struct gsc_eu *eu, enum gsc_eu_syntax syntax,
					  struct gsc_error *err);

/* Consecutive instructions. */
struct gsc_program;
/*
 * Finds the jumps of a program, and begins to read it. The set and the bytes must outlive it.
 * GSC_USAGE: more than 4 GB.
 */
GSC_API enum gsc_status gsc_program_new(struct gsc_program **program, struct gsc_eu *eu,
					const void *data, size_t size, struct gsc_error *err);
GSC_API void gsc_program_free(struct gsc_program *program);

/* An instruction. */
struct gsc_instruction {
	uint64_t offset;		/* in the program */
	unsigned size;			/* bytes: 16, or 8 if it is compacted */
	const char *opcode;		/* "mov"; NULL: unknown */
	unsigned exec_size;		/* channels */
	uint32_t raw[4];		/* its bytes */
	uint32_t words[4];		/* what a compacted one stands for; else the same */
	int64_t label;			/* of the label by which jumps refer to it, or -1 */
	const char *label_word;		/* the word before that number: "LABEL" */
	bool ends;			/* it ends the thread */
	bool has_jip, has_uip;
	int64_t jip, uip;		/* offsets in the program that it may jump to */
};

/*
 * The next instruction; false at the end, or if fewer bytes are left than an instruction has. A
 * label may still be at that offset.
 */
GSC_API bool gsc_program_next(struct gsc_program *program, struct gsc_instruction *instruction);
/*
 * The text of the instruction that gsc_program_next() gave last, and its length. In the text,
 * "LABEL2" stands for the instruction that has label 2.
 */
GSC_API size_t gsc_program_text(const struct gsc_program *program, char *buf, size_t size);
/*
 * What the message of this instruction asks of a shared function, and the length of the text: "" if
 * it sends none. Then gsc_program_message_next() gives the fields of the descriptor (dword 0) and
 * the extended descriptor (dword 1), as far as they are in the instruction.
 */
GSC_API size_t gsc_program_message(struct gsc_program *program, char *buf, size_t size);
GSC_API bool gsc_program_message_next(struct gsc_program *program, struct gsc_field *field);
/*
 * The next field of this instruction, and the structure that it is of; false past the last. Bits
 * count from the beginning of its words.
 */
GSC_API bool gsc_program_field_next(struct gsc_program *program, const char **structure,
				    struct gsc_field *field);
/*
 * Calls `each` for every instruction that breaks a rule of the documents, until it returns false.
 * `address` is the address of the program; the `where` of each breach is computed from it.
 */
GSC_API enum gsc_status gsc_program_lint(const struct gsc_program *program, uint64_t address,
					 gsc_breach_fn *each, void *context, struct gsc_error *err);

/* Structure number `i` that bits of an instruction may follow: "EU_SOURCE0"; NULL past the last. */
GSC_API const char *gsc_instruction_part(const struct gsc_item *item, size_t i);
/* Rule number `i` about programs; NULL past the last. */
GSC_API const struct rule *gsc_eu_rule(size_t i);

/* ---- their inside --------------------------------------------------------------------------- */

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

#endif
