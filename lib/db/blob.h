/* SPDX-License-Identifier: MIT */
/*
 * db/: looking things up in compiled definitions, whose form is this header. Enter at db.h, layers
 * of definitions; platform.h, item.h and field.h have what is in them, view.h what holds for one
 * platform, resolve.h finds what a name means. The rest is what higher rooms must agree on (words,
 * engine, rule, ports, ggtt). dbc/ compiles definitions. The compiled form has no pointers, so the
 * library embeds it as plain bytes. No file of this room reads hardware, and none prints.
 *
 * Records b_ are as they were parsed; for the most numerous kinds pack writes a compact c_ (those
 * that are parsed but not compiled are in build.h). Equal data is stored once, in a table, and an
 * index of 16 bits stands for it.
 */
#ifndef GSC_BLOB_H
#define GSC_BLOB_H

#include <stdbool.h>
#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "compiled definitions are little-endian");

#define BLOB_MAGIC 0x66656467	/* "gdef" */
#define BLOB_VERSION 16
#define PLATFORMS_MAX 64
#define NONE UINT32_MAX

typedef uint32_t str_t;		/* offset into the string section; 0 is "no text" */

struct b_slice { uint32_t first, count; };

/* Where something applies: a bit for each platform, and PCI revisions for some of them. */
struct b_where {
	uint64_t platforms;
	uint64_t stepped;		/* the platforms where only these revisions count */
	uint8_t rev_lo, rev_hi, pad[6];	/* 0 and UINT8_MAX if there are none */
};

struct b_document { str_t key, title; };
struct b_origin { uint32_t document; str_t section; };

struct b_platform {
	str_t name, title;
	uint32_t graphics, media, display, flags;
	uint64_t bar_size, register_bytes, ggtt_offset, ggtt_max;
	uint32_t ggtt_entry, address_bits, fences, origin;
	uint32_t simulator;		/* its number in AUB traces, or 0 */
	uint32_t virtual_bits;		/* of a graphics address */
	uint32_t ggtt_bar, pad;
	struct b_slice aliases, engines, wakes, steppings;
};

struct b_id { uint16_t device; uint16_t platform; str_t text; };

enum engine_class { ENGINE_RCS, ENGINE_BCS, ENGINE_VCS, ENGINE_VECS, ENGINE_CCS, ENGINE_GSCCS,
		    ENGINE_CLASSES };

/* The numbers that drivers give engines; the words of `engine`. */
enum engine_number { ENGINE_UAPI, ENGINE_XE, ENGINE_ID, ENGINE_OLD, ENGINE_RING, ENGINE_AUB,
		     ENGINE_NUMBERS };

#define ENGINE_ALIASES 4
#define ENGINE_LAST 15			/* hardware has no more than 16 of a class */

/* What an engine, or a class, is called on all platforms: "rcs", "vcs1". */
struct b_engine_row {
	str_t name, title;		/* a title: of a class */
	str_t aliases[ENGINE_ALIASES];	/* unused ones are 0 */
	uint8_t is_class, is_media, numbered, numbers[ENGINE_NUMBERS], pad[3];
};

struct b_engine { str_t name; uint32_t base; uint8_t class, instance; uint16_t pad; };
struct b_wake { str_t name; uint32_t request, ack; };
struct b_stepping { str_t name; uint32_t revision; };
/* A number for each platform, in the order of db/properties.h. Name 0: not defined. */
struct b_property {
	str_t name, text, file;
	uint32_t line, origin;
	uint16_t value[PLATFORMS_MAX];
};

struct b_group { str_t name, title; };

/*
 * Another name; for a register perhaps only on some platforms or engines (0: on all), as in
 * c_place.
 */
struct c_alias {
	str_t name;
	uint32_t item : 24, kind : 8;	/* whose it is, and of which enum item_kind */
	uint16_t where;
	uint8_t engines;
	int8_t instance;
};

/*
 * What drivers call a register in dumps, in order of the keys; `offset` counts if it has a place.
 */
struct c_print {
	str_t key;
	uint32_t item, offset;
	uint16_t where;
	uint8_t placed, relative;
};

/* Lists of values are wide if a value needs more than 16 bits. List 0 is empty. */
struct c_values { uint32_t first, wide : 1, count : 31; };
struct c_value { str_t name, doc; uint16_t lo, hi; };
struct b_value { uint64_t lo, hi; str_t name, doc; };	/* also counts wide lists */
struct c_enum { str_t name; uint32_t values; };

enum field_type { F_HEX, F_DEC, F_BOOL, F_SIGNED, F_FLOAT, F_UFIXED, F_SFIXED, F_ADDRESS };

/* What the address in a field points into; also the words of `addr:`. */
enum addr_space { A_NONE, A_GGTT, A_PPGTT, A_GFX, A_PHYS, A_LMEM, A_MMIO, A_RING, A_GMADR,
		  A_STOLEN, A_SPACES };

/* What several fields have in common. */
struct c_form {
	uint64_t when_value;
	uint32_t when_field;		/* index in the item, or NONE */
	str_t unit, join, target;
	str_t to;			/* the bits it stands for: "33:31,8"; or 0 */
	str_t when_list;		/* "1|4..7": when_value has a bit for each; or 0 */
	uint32_t add, multiply, divide;	/* meaning = ((value + add) << shift) * multiply / divide */
	uint32_t pointer;		/* index among the pointers, from 1 on; 0: not a pointer */
	uint8_t type, shift;
	uint8_t addr, fraction;		/* enum addr_space; fraction bits of fixed point */
	uint8_t access, flags;
	uint8_t when_not, pad;
};

#define WHEN_LISTED 64	/* values in a list are below that */
#define WHEN_CHAIN 4	/* maximum depth of conditions on the fields of conditions */

/* Whether the field of a condition has the required value. */
static inline bool when_holds(const struct c_form *form, uint64_t value)
{
	bool holds = form->when_list
			     ? value < WHEN_LISTED && form->when_value >> value & 1
			     : value == form->when_value;

	return holds != form->when_not;
}

struct c_field {
	str_t name, doc;
	uint16_t dword, hi, lo;
	uint16_t where, form, values;	/* in their tables */
};

/* What offsets in state count from; the words of `base=`. */
enum base {
	BASE_NONE, BASE_GENERAL, BASE_SURFACE, BASE_DYNAMIC, BASE_INDIRECT, BASE_INSTRUCTION,
	BASE_BINDLESS_SURFACE, BASE_BINDLESS_SAMPLER,
	BASE_BINDING_TABLE,		/* the pool of binding tables, or that of surfaces */
	BASE_CONSTANT,			/* that of dynamic state, or none: a register says which */
	BASES
};

/* A number, times the meaning of a field of the same item; number 0: not given. */
struct b_amount { str_t field; uint32_t number; };

/*
 * What is at the target of a field. Fields are given by name, because platforms have different
 * ones.
 */
struct b_pointer {
	uint64_t if_value;
	str_t if_field;			/* only if it has that value, or has it not; 0: always */
	str_t end_field;		/* address of the last byte, or 0 */
	struct b_amount count, most;	/* how many there are, or the maximum */
	uint8_t base, in_bytes;		/* in_bytes: the count is in bytes */
	uint8_t if_not, pad[5];
};

enum repeat_kind { REPEAT_REST, REPEAT_COUNT, REPEAT_FIELD };

struct b_repeat {
	str_t name;
	uint32_t at, size, kind, count;	/* dwords; count: number or field index */
	struct b_slice fields;
	uint32_t after;			/* directly after the previous group */
};

/* bits: for writes, the bits concerned; 0: any bit of the register */
struct b_hazard { struct b_where where; uint32_t flag; str_t why; uint64_t bits; };

struct c_place {
	uint32_t offset, stride;
	uint32_t run : 8, run_stride : 24;	/* as gsc_place */
	uint16_t count, where;		/* count 0: not an array */
	uint16_t engines;		/* bit for each enum engine_class */
	int8_t instance;		/* of the engine; -1: all */
	uint8_t space : 7, relative : 1;	/* to the engine's base */
};

/* What several registers have in common. */
struct c_traits {
	uint64_t reset, reset_mask;
	str_t file;
	uint32_t group;
	struct b_slice hazards;
	uint16_t flags;
	uint8_t bits, access;
	uint32_t pad;
};

struct c_reg {
	str_t name, doc;
	uint32_t line;
	uint32_t element;		/* added to offsets: by its index in a name list */
	uint32_t fields, places, aliases;	/* the first of each */
	uint16_t field_count, place_count, alias_count;
	uint16_t where, traits;
	uint16_t origin;		/* from 1 on; 0: none */
};

/*
 * Ranges of addresses: what decides about reads, whose they are, and (built-in data alone, looked
 * up together) where registers sleep and are steered.
 */
enum range_use { RANGE_TOLD, RANGE_OWNED, RANGE_SLEEPS, RANGE_STEERED };

struct b_range {
	struct b_where where;
	uint64_t start, last;
	str_t kind, why, file;
	str_t wake;			/* of a range that sleeps: its domains, joined by commas */
	uint32_t line, origin;
	uint32_t use;
	uint16_t engines;		/* as c_place: it counts from the bases of these; 0: none */
	int8_t instance, pad;
};

enum length_kind { LENGTH_FIXED, LENGTH_FIELD };

/* A documented length of a command, in dwords. */
struct b_expect { struct b_where where; uint32_t lo, hi; };

struct b_command {
	struct b_where where;
	str_t name, doc, file;
	uint32_t line, origin, mask, value, engines;
	uint32_t length_kind, length, length_hi, length_lo;	/* length: total, or bias */
	uint32_t flags, pad;
	struct b_slice expects, fields, repeats, aliases;
};

struct b_struct {
	struct b_where where;
	str_t name, doc, file;
	uint32_t line, origin, bytes;
	struct b_slice fields, repeats, aliases;
};

enum leaf_kind { LEAF_NEVER, LEAF_ALWAYS, LEAF_FIELD };

/* The level of the table below, if a field (index in the item, or NONE) has a value. */
struct b_next { uint64_t value; str_t level; uint32_t field; };

#define ENTRY_NEXTS 3

struct b_entry {
	struct b_where where;
	uint64_t leaf_size, leaf_value, valid_value;
	struct b_next next[ENTRY_NEXTS];
	str_t name, doc, file, modes, level, leaf_as;
	uint32_t line, origin, bits, index_hi, index_lo;
	uint32_t index_every;		/* only every such slot of the table counts */
	uint32_t valid_field, leaf_kind, leaf_field;
	struct b_slice fields, aliases;
	uint32_t pad;
};

/* An instruction of the EUs: a value of the opcode, and how its other bits are read. */
struct b_instruction {
	struct b_where where;
	str_t name, doc, file;
	uint32_t line, origin, opcode;
	uint8_t form, sources;		/* enum eu_form; how many sources it has */
	uint8_t pad[6];
	struct b_slice fields, aliases;	/* no fields: COMMON of item.c reads them */
};

/* A field of a page-table entry, of its PAT entry, or of a MOCS has one of these values. */
struct b_when { uint64_t values; str_t field; uint8_t not, pad[3]; };	/* a bit for each value */

#define FACT_WHENS 2

/* What facts are about; the words of `about=`. */
enum fact_about { ABOUT_ENTRY, ABOUT_RESULT, ABOUT_SNOOPING, ABOUT_ATOMICS, ABOUT_ORDER,
		  ABOUT_DRIVERS, ABOUTS };

/* A fact about the entries of some levels that no bit of them shows. */
struct b_fact {
	struct b_where where;
	struct b_when when[FACT_WHENS];	/* all must hold; field 0: none */
	str_t modes, levels;		/* levels 0: all levels */
	str_t text, file, condition;	/* the condition as it was written, or 0 */
	uint32_t line, origin, about;
};

/* A statement about the definition of this file and line; sorted by the line, then as written. */
struct b_note {
	struct b_where where;
	str_t text, file;
	uint32_t line, order;
};

/* What a document says of something that has no definition. */
struct b_topic {
	struct b_where where;
	str_t name, doc, file;
	uint32_t line, origin, pad;
	struct b_slice fields, aliases;	/* none: COMMON of item.c reads them */
};

/* A message of a kernel log; its numbers are those of db/message.h. */
struct b_message {
	str_t words, text, type, driver, after, file;
	uint32_t line, origin;
	uint8_t use, kind, rank, handler, wedged, needs_engine;
	uint16_t next;			/* the next with the same pair in the index, or 0 */
};

/*
 * When a driver writes it: once, at a reset of the engine, in each context; or lets users write; or
 * it does something else.
 */
enum workaround_kind { WORKAROUND_GT, WORKAROUND_ENGINE, WORKAROUND_CONTEXT, WORKAROUND_WHITELIST,
		       WORKAROUND_OTHER, WORKAROUND_KINDS };

/* Bits of a register that a driver sets or clears. A whitelist has the access bits of the slot. */
struct b_workaround {
	struct b_where where;
	uint64_t mask, value;
	str_t name, doc, file;		/* doc: a condition that no predicate can express, or 0 */
	uint32_t line, origin;
	struct b_slice fields, aliases;	/* no fields; its other names */
	str_t reg;			/* "": what the driver does instead is in doc */
	uint16_t index;			/* element of an array; UINT16_MAX: none */
	uint8_t when, unchecked;	/* enum workaround_kind; the driver does not verify it */
	uint8_t engines;		/* a bit for each enum engine_class; 0: as the register */
	int8_t instance;		/* of the engine, or -1: all */
	uint8_t pad[6];
};

/* What caches; and what invalidates caches: a register, a command, the GuC, or an event. */
enum cache_kind { CACHE_TLB, CACHE_WALK, CACHE_GTT, CACHE_CONTEXT, CACHE_PASID, CACHE_DATA,
		  CACHE_KINDS, BY_REGISTER = CACHE_KINDS, BY_COMMAND, BY_GUC, BY_EVENT,
		  CACHE_WORDS };

/* The level of what leads to the first entry of a walk. */
#define CACHE_ROOT "root"

/* A cache, or something that invalidates some. */
struct b_cache {
	struct b_where where;
	uint64_t bytes;			/* 0: unknown, as is the number of entries */
	str_t name;			/* of an invalidation: ITEM.FIELD=VALUE, or the event */
	str_t title, text, file;
	str_t modes, levels;		/* of the entries that it keeps */
	str_t client;			/* what it serves if that is no engine */
	str_t takes;			/* of an invalidation: caches, or kinds of them */
	uint32_t line, origin, entries;
	uint16_t engines;		/* bit for each enum engine_class; 0: all */
	int8_t instance;		/* of the engine; -1: all */
	uint8_t kind;			/* enum cache_kind */
};

/* What a known problem has besides a name and a title: conditions, then what is reported. */
enum known_part { KNOWN_DRIVER, KNOWN_KERNEL, KNOWN_FIRMWARE, KNOWN_PROCESS, KNOWN_WORDS,
		  KNOWN_SIGNATURE, KNOWN_CONDITIONS, KNOWN_SAYS = KNOWN_CONDITIONS, KNOWN_FIXED,
		  KNOWN_LINK, KNOWN_PARTS };

/* A problem that was reported in public. */
struct b_known {
	struct b_where where;		/* of no `on=`: every bit */
	str_t name, title, file;
	str_t is[KNOWN_PARTS];		/* 0: not given; of words a line each */
	uint32_t line, origin;
};

/* The words of a firmware's path by which its kind is known, and a package that has such files. */
enum firmware_kind { FIRMWARE_GUC, FIRMWARE_HUC, FIRMWARE_GSC, FIRMWARE_DMC, FIRMWARE_PACKAGE,
		     FIRMWARE_KINDS };

/* A file of firmware that a driver loads, or a package that has such files. */
struct b_firmware {
	struct b_where where;
	str_t name, text, file;		/* the path; of a package its name, and the system's */
	str_t driver, wants, least, kernel;	/* 0: both; any; none; of a package its words */
	uint32_t line, origin, kind;	/* enum firmware_kind */
};

enum item_kind { ITEM_REG, ITEM_COMMAND, ITEM_STRUCT, ITEM_ENTRY, ITEM_INSTRUCTION, ITEM_TOPIC,
		 ITEM_WORKAROUND };

/*
 * Every name and alias, sorted regardless of case: of a register, command, structure, entry,
 * instruction or topic, all counted in this order, and after them of an alias. Not of a workaround.
 */
struct c_name { str_t name; uint32_t of; };

/* The revisions that instances apply to, and their engine: class ENGINE_CLASSES is none. */
struct c_owner { uint8_t rev_lo, rev_hi, class, instance; };

/*
 * A register at an address, sorted by space and offset: in a view; or compiled, for all platforms
 * that have it there. The views say which those are: for each platform a bit for every instance,
 * in whole words.
 */
struct c_inst {
	uint32_t offset, reg;
	uint16_t index;			/* UINT16_MAX: not an array */
	uint8_t engine;			/* of the platform's; UINT8_MAX: none; compiled: owner */
	uint8_t space;
};

#define COMMAND_PRIVILEGED 1u
#define REG_OVERLAY 0x8000u		/* may share its address with another register */

/* Every section, and the records in it; ENGINE_ROWS to PROPERTIES are built-in data alone. */
#define BLOB_SECTIONS(S)                                                                           \
	S(STRINGS, char) S(DOCUMENTS, struct b_document) S(ORIGINS, struct b_origin)               \
	S(ENGINE_ROWS, struct b_engine_row) S(PLATFORMS, struct b_platform) S(IDS, struct b_id)    \
	S(ENGINES, struct b_engine) S(WAKES, struct b_wake) S(STEPPINGS, struct b_stepping)        \
	S(PROPERTIES, struct b_property) S(GROUPS, struct b_group) S(ENUMS, struct c_enum)         \
	S(VALUE_LISTS, struct c_values) S(VALUES, struct c_value) S(WIDE_VALUES, struct b_value)   \
	S(WHERES, struct b_where) S(FORMS, struct c_form) S(FIELDS, struct c_field)                \
	S(POINTERS, struct b_pointer) S(REPEATS, struct b_repeat) S(HAZARDS, struct b_hazard)      \
	S(PLACES, struct c_place) S(TRAITS, struct c_traits) S(REGS, struct c_reg)                 \
	S(ALIASES, struct c_alias) S(PRINTS, struct c_print) S(RANGES, struct b_range)             \
	S(EXPECTS, struct b_expect) S(COMMANDS, struct b_command) S(STRUCTS, struct b_struct)      \
	S(ENTRIES, struct b_entry) S(INSTRUCTIONS, struct b_instruction) S(FACTS, struct b_fact)   \
	S(TOPICS, struct b_topic) S(NOTES, struct b_note) S(CACHES, struct b_cache)                \
	S(MESSAGES, struct b_message) S(MESSAGE_INDEX, uint16_t)                                   \
	S(KNOWNS, struct b_known) S(FIRMWARES, struct b_firmware)                                  \
	S(WORKAROUNDS, struct b_workaround) S(NAMES, struct c_name) S(OWNERS, struct c_owner)      \
	S(INSTS, struct c_inst) S(VIEWS, uint64_t)

#define SECTION_NUMBER(id, type) B_##id,
enum blob_section { BLOB_SECTIONS(SECTION_NUMBER) B_SECTIONS };
#undef SECTION_NUMBER

struct blob_header {
	uint32_t magic, version, size, reserved;
	struct { uint32_t offset, count; } section[B_SECTIONS];
};

#endif
