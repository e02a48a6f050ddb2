/* SPDX-License-Identifier: MIT */
/*
 * eu/: the instructions of the execution units. The structures EU_* of data/isa say what the bits
 * of a platform's instructions mean; isa.c turns them into places to read and gives a compacted
 * instruction its 16 bytes, decode.c reads one, print.c writes it in the syntax of Mesa's
 * assemblers, print-iga.c in that of Intel's.
 */
#ifndef GSC_EU_H
#define GSC_EU_H

#include "db/field.h"
#include "db/item.h"
#include "db/words.h"
#include "eu/fields.h"
#include "util/text.h"
#include "util/util.h"

/* ---- the instruction set of a platform ------------------------------------------------------- */

enum eu_field {
#define FIELD(structure, name) EU_##structure##_##name,
	EU_FIELDS(FIELD)
#undef FIELD
	EU_FIELD_COUNT
};

enum eu_file { EU_ARF, EU_GRF, EU_MRF, EU_IMM, EU_FILES };

enum eu_type {
	EU_U2, EU_S2, EU_U4, EU_S4, EU_UB, EU_B, EU_UW, EU_W, EU_UD, EU_D, EU_UQ, EU_Q, EU_BF8,
	EU_HF8, EU_HF, EU_BF, EU_TF32, EU_F, EU_DF, EU_NF, EU_V, EU_UV, EU_VF, EU_E2M1, EU_TYPES
};
struct eu_type_row { const char *name; uint8_t length, size; };
extern const struct eu_type_row eu_types[EU_TYPES + 1];	/* the last: no type */

#define EU_VXH (-2)	/* the vertical stride of a region whose rows have their own addresses */

/* The name of a value, and its number: as written, or of the type or file with that name. */
struct eu_word { const char *name; uint16_t length; int16_t number; };

#define EU_PARTS 7

/*
 * Where a field is: its parts are ored. Most have one part, in one half, whose position is kept
 * here.
 */
struct eu_slot {
	bool several;
	uint8_t half, lo;
	uint64_t mask;
	uint8_t count;
	struct { uint8_t at, width, shift; } part[EU_PARTS];
	uint16_t values;		/* in so many words */
	const struct eu_word *words;
};

/* What is special about some instructions. */
enum eu_trait {
	EU_LOGIC = 1,		/* the sign bit of a source means its complement */
	EU_KEEPS_FLAGS = 2,	/* its condition sets no flag */
	EU_JUMPS = 4,		/* as its second source says */
	EU_DOUBLE = 8,		/* its immediate is wider than its type */
	EU_TABLE_OF_BITS = 16,	/* where others have the condition and signs */
	EU_CALLS = 32,		/* its destination is where to return to */
	EU_TARGET = 64,		/* may be in a register instead of an immediate */
	EU_NO_LABEL = 128,	/* jumps to where a register or an address says */
	EU_MACRO = 256,		/* its operands are parts of wider numbers */
	EU_ALONE = 512,		/* IGA has no channels for it */
	EU_WAITS = 1024,	/* for its source, which is its destination */
	EU_INDEXES = 2048,	/* by its first source; before Gen10 IGA has no second */
	EU_FUNCTION = 4096,	/* of its own, where others have a condition */
	EU_CONVERTS = 8192,	/* as bits say that are a function of several words */
};

struct eu_opcode {
	const char *name;
	uint32_t def;			/* of its definition; name NULL: there is none */
	uint16_t traits;
	uint16_t function;		/* EU_FUNCTION: the enum eu_field that names it */
	uint8_t form, sources, length;	/* length: of its name */
};

#define EU_FUNCTIONS 16

/* A shared function, and the structure of messages to it. */
struct eu_function {
	const char *name, *title;	/* as assemblers write it, and for people; NULL: none */
	struct gsc_item item;
};

/* Compacted ones of one source may differ from the others of their form. */
enum { EU_ONE_SOURCE = EU_FORMS, EU_LAYOUTS };

struct eu_compact;
struct eu_isa {
	const struct gsc_view *view;
	bool known;			/* the platform has definitions of instructions */
	struct eu_slot slot[EU_FIELD_COUNT];
	struct eu_opcode opcode[128];
	struct eu_function function[EU_FUNCTIONS];
	struct eu_compact *compact[EU_LAYOUTS];	/* how compacted ones expand; NULL: none are */
	VEC(struct eu_word *) words;
};

enum gsc_status eu_isa_open(const struct gsc_view *view, struct eu_isa **isa,
			    struct gsc_error *err);
void eu_isa_free(struct eu_isa *isa);
/* The platform has it, and no definition of the user replaces it. */
bool eu_applies(const struct gsc_view *view, const struct gsc_item *item);

struct eu_raw { uint64_t half[2]; };

static inline uint64_t eu_bits(const struct eu_raw *raw, unsigned at, unsigned width)
{
	uint64_t value = raw->half[at >> 6] >> (at & 63);

	if ((at & 63) + width > 64)
		value |= raw->half[1] << (64 - (at & 63));
	return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static inline uint64_t eu_get(const struct eu_isa *isa, const struct eu_raw *raw,
			      enum eu_field field)
{
	const struct eu_slot *slot = &isa->slot[field];
	uint64_t value = raw->half[slot->half] >> slot->lo & slot->mask;

	for (unsigned i = 0; slot->several && i < slot->count; i++)
		value |= eu_bits(raw, slot->part[i].at, slot->part[i].width) << slot->part[i].shift;
	return value;
}

static inline bool eu_has(const struct eu_isa *isa, enum eu_field field)
{
	return isa->slot[field].count;
}

/* What the data calls this value of a field; NULL: it has no name. */
static inline const struct eu_word *eu_word(const struct eu_isa *isa, enum eu_field field,
					    uint64_t value)
{
	const struct eu_slot *slot = &isa->slot[field];

	return value < slot->values && slot->words[value].name ? &slot->words[value] : NULL;
}

/* isa.c: the 16 bytes that a compacted instruction stands for; false: it stands for none. */
bool eu_expand(const struct eu_isa *isa, uint64_t compacted, struct eu_raw *raw);

/* ---- an instruction -------------------------------------------------------------------------- */

enum eu_region { EU_REGION_NONE, EU_REGION_STRIDE, EU_REGION_ALIGN1, EU_REGION_ALIGN16 };

struct eu_operand {
	uint8_t file, type;		/* enum eu_file; enum eu_type, or EU_TYPES */
	uint8_t region;
	uint16_t reg;
	bool negate, absolute, indirect, point;	/* point: its subregister is said even if it is 0 */
	uint8_t channels;		/* align16: the write mask, or the swizzle */
	uint16_t sub;			/* bytes into the register; or of the address register */
	int16_t offset;			/* indirect: added to the address */
	int8_t vertical, width, horizontal;
	uint64_t value;			/* of an immediate */
};

struct eu_instruction {
	const struct eu_isa *isa;
	uint32_t offset;		/* in the program */
	uint8_t size;			/* bytes: 8 if it is compacted */
	struct eu_raw raw;		/* expanded */
	const struct eu_opcode *opcode;	/* NULL: no such opcode on the platform */
	unsigned exec_size, operands;	/* operands: how many sources count */
	bool align16;
	struct eu_operand destination, source[5];
	int32_t jip, uip;		/* bytes from this instruction */
	bool has_jip, has_uip;
	uint8_t shared_function;	/* of a message */
	bool ends, split;		/* it ends the thread; it has two payloads */
	bool descriptor_known, extended_known;	/* they are in the instruction */
	uint64_t descriptor;
	uint32_t extended;
	uint8_t payload[2];		/* of sendg: how many registers its sources are */
};

static inline uint64_t eu_value(const struct eu_instruction *in, enum eu_field field)
{
	return eu_get(in->isa, &in->raw, field);
}

/* The number with this name among the values of a field, or -1. */
static inline int eu_number(const struct eu_instruction *in, enum eu_field field)
{
	const struct eu_word *word = eu_word(in->isa, field, eu_value(in, field));

	return word ? word->number : -1;
}

static inline bool eu_is_long_message(const struct eu_instruction *in)
{
	return in->opcode->form == EU_SENDG || in->opcode->form == EU_SENDGX;
}

static inline bool eu_is_message(const struct eu_instruction *in)
{
	return in->opcode->form == EU_SEND || in->opcode->form == EU_SENDS ||
	       eu_is_long_message(in);
}

static inline bool eu_is_dpas(const struct eu_instruction *in)
{
	return in->opcode->form == EU_DPAS || in->opcode->form == EU_BDPAS;
}

/* bdpas has something else there. */
static inline bool eu_saturates(const struct eu_instruction *in)
{
	return in->opcode->form != EU_BDPAS && eu_value(in, EU_INSTRUCTION_SATURATE);
}

/* Its result goes to the next instruction as well. */
static inline bool eu_forwards(const struct eu_instruction *in)
{
	return eu_is_dpas(in) &&
	       eu_value(in, in->opcode->form == EU_DPAS ? EU_DPAS_FORWARD : EU_BDPAS_FORWARD);
}

/* decode.c: the part of a long message's descriptor that is in the scalar register, and where. */
bool eu_indirect_descriptor(const struct eu_instruction *in, unsigned i, unsigned *bytes);
/* A source of a basic instruction. */
void eu_source(const struct eu_instruction *in, unsigned i, struct eu_operand *o);

/* The bytes of the instruction at `at`, and its opcode; 0: the bytes end inside it. */
unsigned eu_length(const struct eu_isa *isa, const void *bytes, size_t size, size_t at,
		   const struct eu_opcode **opcode);

/* Where `jmpi` with an immediate goes, in the program; false: it is not such a jump. */
bool eu_jump_target(const struct eu_instruction *in, int64_t *target);

/* The instruction at `at`; false: the bytes end inside it. */
bool eu_decode(const struct eu_isa *isa, const void *bytes, size_t size, size_t at,
	       struct eu_instruction *in);

/* message.c: the names of the shared functions, and their structures. */
void eu_load_messages(struct eu_isa *isa, const struct gsc_db *db);

/* The fields of a message: of its descriptor (dword 0) and its extended descriptor (dword 1). */
struct eu_message {
	bool known[2];			/* the instruction has them */
	uint32_t words[2];
	struct gsc_field_iter it;
};
void eu_message_fields(const struct eu_instruction *in, struct eu_message *m);
bool eu_message_next(struct eu_message *m, struct gsc_field *f, struct gsc_form *form);

/* A message in a line: "sampler: sample_l SIMD16, surface 3, sampler 0; 6 registers out". */
void eu_put_message(const struct eu_instruction *in, struct text *text);

/* Its SWSB. `use` is what follows the token; NULL: there is no token. */
struct eu_scoreboard {
	unsigned distance, token;
	const char *pipe, *use;
};
struct eu_scoreboard eu_scoreboard(const struct eu_instruction *in);

/* Where Mesa's tools begin the operands; a longer word moves the rest to the right. */
enum { COLUMN_FIRST = 16, COLUMN_SECOND = 32, COLUMN_THIRD = 48, COLUMN_FOURTH = 64 };

/* operand.c: its destination, or a source. */
void eu_put_destination(const struct eu_instruction *in, struct text *text);
void eu_put_source(const struct eu_instruction *in, unsigned i, struct text *text);

/* With "0x" before them. */
void eu_put_hex(uint64_t value, unsigned digits, struct text *text);
/* The value of the bits of a half float. */
double eu_half_float(unsigned bits);

/* print.c: its text, except for a label in front of it and the end of the line. */
struct eu_labels;
void eu_print(const struct eu_instruction *in, const struct eu_labels *labels, struct text *text);
/* The flag that it reads or sets. */
void eu_put_flag(const struct eu_instruction *in, struct text *text);
/* The function of shfl, lfsr or dnscl, after a point. */
void eu_put_function(const struct eu_instruction *in, struct text *text);
/* Its condition; 0: it has none, or other bits are there. */
unsigned eu_condition(const struct eu_instruction *in);

/* print-iga.c: the same in the syntax of IGA. */
void eu_print_iga(const struct eu_instruction *in, const struct eu_labels *labels,
		  struct text *text);

#endif
