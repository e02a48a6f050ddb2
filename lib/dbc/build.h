/* SPDX-License-Identifier: MIT */
/*
 * dbc/: the compiler of definitions: text (lex, predicate, parse), the records of db/blob.h in
 * growing arrays (this header, build), what can be wrong with them (check), and the compiled form
 * (finish, pack, pool, tails). The build (compile.c), --define and gpu-db use the same parser.
 */
#ifndef GSC_BUILD_H
#define GSC_BUILD_H

#include "db/properties.h"
#include "db/words.h"
#include "dbc/lex.h"
#include "util/util.h"

/* ---- records as they are parsed, where the compiled ones differ ----------------------------- */

struct b_alias {
	struct b_where where;
	str_t name;
	uint32_t written;		/* the alias it was before its lists were expanded */
	uint16_t engines;
	int8_t instance;
};
struct b_print {
	struct b_where where;
	str_t key;
	uint32_t item, offset;		/* item: valid once they are sorted */
	bool placed, relative;
};
struct b_enum { str_t name; struct b_slice values; };

struct b_field {
	struct b_where where;
	uint64_t when_value;
	uint32_t when_field;		/* index in the item, or NONE */
	str_t name, doc, unit, join, target, to;
	str_t when_list;		/* when_value has a bit for each of its values */
	struct b_slice values;
	uint16_t dword, hi, lo;
	uint8_t type, shift;
	uint8_t addr, fraction;
	uint8_t access, flags;
	uint8_t when_not;
	uint32_t add, multiply, divide;
	uint32_t pointer;		/* index among the pointers, from 1 on; 0: not a pointer */
};

struct b_place {
	struct b_where where;
	uint32_t offset, stride, count;	/* count 0: not an array */
	uint32_t run, run_stride;	/* elements of a run, 0: all; distance of runs */
	uint16_t engines;		/* bit for each enum engine_class */
	int8_t instance;		/* of the engine; -1: all */
	uint8_t relative;		/* to the engine's base */
	uint8_t space;
};

struct b_reg {
	struct b_where where;
	uint64_t reset, reset_mask;
	str_t name, doc, file;
	uint32_t line, group, origin;
	struct b_slice fields, places, aliases, prints, hazards;
	uint16_t flags;
	uint8_t bits, access;
	uint32_t element;		/* added to offsets: by its index in a name list */
};

/* A name of an item: its own if alias is NONE. */
struct b_name { str_t name; uint32_t kind, item, alias; };

/* A register at an address of a platform, and the revisions that have it there. */
struct b_inst {
	uint32_t offset, reg;
	uint16_t index;			/* UINT16_MAX: not an array */
	uint8_t engine;			/* of the platform's; UINT8_MAX: none */
	uint8_t space;
	uint8_t rev_lo, rev_hi;
};

/* The view that one platform has of these definitions. */
struct b_view { struct b_slice insts; };

/* ---- the build ------------------------------------------------------------------------------ */

struct finding {
	char *file;			/* owned by the build's file list */
	uint32_t line, column;
	const char *rule;		/* "syntax", "overlap", ... */
	char *text;			/* "what, expected what" */
	char *source;			/* the offending line */
};

/* What an enclosing group or with block gives to the items in it. */
struct scope {
	struct b_where where;
	uint32_t group, origin;
	uint16_t engines;
	int8_t engine_instance;
	uint8_t space;
};

/* A field that names an enum not yet defined. */
struct pending_enum {
	uint32_t field, line, column;
	str_t name;
	char *file;
};

struct gsc_db;

struct build {
	struct {
		char *items;
		size_t count, room;
	} strings;
	uint32_t *string_slots;		/* hash of strings: offsets, 0 free */
	size_t string_slot_count, string_count;
	VEC(struct b_document) documents;
	VEC(struct b_origin) origins;
	VEC(struct b_engine_row) engine_rows;
	VEC(struct b_platform) platforms;
	VEC(struct b_id) ids;
	VEC(struct b_engine) engines;
	VEC(struct b_wake) wakes;
	VEC(struct b_stepping) steppings;
	struct b_property properties[PROPERTIES];
	VEC(struct b_group) groups;
	VEC(struct b_enum) enums;
	VEC(struct b_value) values;
	VEC(struct b_field) fields;
	VEC(struct b_pointer) pointers;
	VEC(struct b_repeat) repeats;
	VEC(struct b_hazard) hazards;
	VEC(struct b_expect) expects;
	VEC(struct b_place) places;
	VEC(struct b_reg) regs;
	VEC(struct b_alias) aliases;
	VEC(struct b_print) prints;	/* as written, and for each element of a list */
	VEC(struct b_print) printed;	/* those of registers, in order of the keys */
	VEC(struct b_range) ranges;
	VEC(struct b_command) commands;
	VEC(struct b_struct) structs;
	VEC(struct b_entry) entries;
	VEC(struct b_instruction) instructions;
	VEC(struct b_fact) facts;
	VEC(struct b_name) names;
	VEC(struct b_inst) insts;
	VEC(struct b_view) views;

	const struct gsc_db *base;	/* platforms and documents of the built-in data, or NULL */
	VEC(struct finding) findings;
	VEC(struct pending_enum) pending;
	VEC(char *) files;
	char *file;			/* being parsed */
	const struct lex *lex;
	struct {
		const char *text, *at;	/* of which text, and where its line begins */
		uint32_t line;
	} looked;			/* for the line of the last finding */
	bool whole;			/* files may be all there is: platforms replace the base */
	bool failed;			/* memory is out */
};

void build_init(struct build *b, const struct gsc_db *base);
void build_free(struct build *b);

/* Adds a file's text; syntax faults become findings. False only on allocation failure. */
bool build_parse(struct build *b, const char *file, const char *text, size_t size);

/* Resolves what may come in any order, and builds the indexes. */
bool build_finish(struct build *b);

/* Adds the findings about meaning: overlaps, unreachable variants, ... */
void build_check(struct build *b);

/* check-entry.c: whether entries fit together, for each platform and mode. */
void check_levels(struct build *b);

/* check-print.c: keys of drivers' dumps that mean nothing, or two things. */
void check_prints(struct build *b);

/* parse-property.c: properties without an origin, or that are missing although others are there. */
void check_properties(struct build *b);

/* check-address.c: ranges without an origin, and sleeping ranges that do not fit the platforms. */
void check_address_ranges(struct build *b);

/* Whether two registers have an instance with the same engine and index on a platform. */
bool instances_meet(const struct build *b, unsigned platform, uint32_t one, uint32_t other);

/* pack.c: the compiled form; the caller frees it. */
enum gsc_status build_blob(const struct build *b, void **blob, size_t *size,
			   struct gsc_error *err);

/* Any bytes, for tables of them. */
uint64_t bytes_hash(const void *bytes, size_t length);

str_t build_string(struct build *b, const char *text, size_t length);
/* The end of another string will do; false on allocation failure. */
bool build_take_string(struct build *b, str_t at);

/* tails.c: gives an empty build the strings of one that has parsed the same text, in less space. */
bool build_share_tails(struct build *b, const struct build *from);

static inline const char *build_text(const struct build *b, str_t s)
{
	return b->strings.items + s;
}

/* rule is a literal; the text says what is there and what was expected. */
void finding_at(struct build *b, const char *rule, uint32_t line, uint32_t column, const char *text,
		...) __attribute__((format(printf, 5, 6)));
/* There are enough findings: checks that compare everything with everything stop. */
bool findings_full(const struct build *b);
void finding_in(struct build *b, const char *rule, const char *file, uint32_t line,
		const char *text, ...) __attribute__((format(printf, 5, 6)));

/* files.c: the text of a definition file, NUL-terminated; such files are small. */
char *read_text_file(const char *path, size_t *size, struct gsc_error *err);

/* Syntax faults at a word, or at the end of its line. */
void expected(struct build *b, const struct line *line, const struct word *word, const char *what);

/* parse.c passes each construct to its file. */
typedef void parse_fn(struct build *b, const struct line *line, struct scope *scope);
parse_fn parse_reg, parse_range, parse_command, parse_struct, parse_entry, parse_instruction,
	parse_fact, parse_engine_names, parse_platform, parse_property;

struct b_slice parse_fields(struct build *b, const struct line *item, const struct scope *scope,
			    uint64_t *reset, uint64_t *reset_mask);
/* parse-pointer.c: false if it is not such a word. */
bool parse_pointer_word(struct build *b, const struct line *line, const struct word *word,
			struct b_pointer *p);
struct b_slice parse_values(struct build *b, const struct line *parent);
struct b_slice parse_repeats(struct build *b, const struct line *item, const struct scope *scope,
			     uint32_t first_field, uint32_t field_count);
/* `where` is that of a register, whose names may apply to some platforms only; or NULL. */
struct b_slice parse_aliases(struct build *b, const struct line *item,
			     const struct b_where *where);

/* parse-print.c: of a register. */
struct b_slice parse_prints(struct build *b, const struct line *item, const struct b_where *where);

/* What every item may carry: `doc` and `origin` lines. */
void parse_doc(struct build *b, const struct line *item, str_t *doc, uint32_t *origin);

bool parse_number(struct build *b, const struct line *line, const struct word *word,
		  uint64_t *value);
bool parse_bits(struct build *b, const struct line *line, const struct word *word, unsigned *dword,
		unsigned *hi, unsigned *lo);
bool parse_where(struct build *b, const struct line *line, const struct word *word,
		 struct b_where *where);
bool parse_engines(struct build *b, const struct line *line, const struct word *word,
		   uint16_t *classes, int8_t *instance);

/* The attributes that blocks and registers share; true if the word was one. */
bool parse_scope_word(struct build *b, const struct line *line, const struct word *word,
		      struct scope *scope);
uint32_t access_bit(const struct word *word);
bool is_name(const struct word *word);
bool is_field_line(const struct word *word);	/* field, mbz, mbo, ignored */
str_t word_string(struct build *b, const struct word *word);	/* a "text" without its escapes */

#define EVERYWHERE { UINT64_MAX, 0, 0, UINT8_MAX, { 0 } }

/* predicate.c: reduces *where to what both have in common. */
void where_narrow(struct build *b, const struct line *line, struct b_where *where,
		  const struct b_where *by);

/* Whether they have anything in common. */
static inline bool wheres_meet(const struct b_where *a, const struct b_where *b)
{
	uint64_t both = a->platforms & b->platforms, stepped = both & a->stepped & b->stepped;

	return both != stepped ||
	       (stepped && a->rev_lo <= b->rev_hi && b->rev_lo <= a->rev_hi);
}

/* Some revisions of one platform. */
static inline struct b_where where_revisions(unsigned platform, unsigned lo, unsigned hi)
{
	uint64_t bit = UINT64_C(1) << platform;

	return (struct b_where){ bit, bit, (uint8_t)lo, (uint8_t)hi, { 0 } };
}

/* The revisions, in addition to 0, that may differ from the one before. */
struct revisions { bool differ[UINT8_MAX + 1]; };

void revisions_mark(struct revisions *revisions, const struct b_where *where);
/* The next of these, or -1. */
int revision_after(const struct revisions *revisions, int revision);

/* Child lines of an item. */
#define line_each(lex, child, parent_line)                                                         \
	for (const struct line *child = (parent_line)->child == NONE                               \
						? NULL                                             \
						: &(lex)->lines.items[(parent_line)->child];       \
	     child; child = child->next == NONE ? NULL : &(lex)->lines.items[child->next])

/* Platforms and steppings of the build, or of its base. */
unsigned build_platform_count(const struct build *b);
const struct b_platform *build_platform(const struct build *b, unsigned i);
const char *build_platform_text(const struct build *b, str_t s);
const struct b_stepping *build_stepping(const struct build *b, uint32_t i);
const struct b_engine *build_engine(const struct build *b, uint32_t i);
bool platform_has_name(const struct build *b, const struct b_platform *p, const struct word *word);

#endif
