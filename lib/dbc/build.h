/* SPDX-License-Identifier: MIT */
/*
 * dbc/: the compiler of definitions. Enter at files.c, which the library and gpu-db call, or at
 * compile.c of the build. Text becomes lines of words (lex), parse.c passes each construct to its
 * file, and these put records into the growing arrays of this header (build); finish puts in order
 * what may come in any order, check looks for what is wrong, and pack writes the form of db/blob.h.
 */
#ifndef GSC_BUILD_H
#define GSC_BUILD_H

#include "db/properties.h"
#include "db/words.h"
#include "dbc/files.h"
#include "dbc/lex.h"
#include "util/util.h"

/* ---- records as they are parsed: what is put in tables when they are packed is in them ------- */

struct b_alias {
	struct b_where where;
	uint32_t written;		/* the alias it was before its lists were expanded */
	struct c_alias c;
};
struct b_print {
	struct b_where where;
	struct c_print c;		/* item: valid once they are sorted */
};
struct b_enum { str_t name; struct b_slice values; };

struct b_field {
	struct b_where where;
	struct c_form form;
	str_t name, doc;
	struct b_slice values;
	uint16_t dword, hi, lo;
};

struct b_place {
	struct b_where where;
	struct c_place c;
};

struct b_reg {
	struct b_where where;
	struct c_traits traits;
	str_t name, doc;
	uint32_t line, origin;
	struct b_slice fields, places, aliases, prints;
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

/* Growing arrays of records: those that are written as they are, and those of the parser alone. */
#define BUILD_ARRAYS(A)                                                                            \
	A(struct b_document, documents) A(struct b_origin, origins)                                \
	A(struct b_engine_row, engine_rows) A(struct b_platform, platforms) A(struct b_id, ids)    \
	A(struct b_engine, engines) A(struct b_wake, wakes) A(struct b_stepping, steppings)        \
	A(struct b_group, groups) A(struct b_enum, enums) A(struct b_value, values)                \
	A(struct b_field, fields) A(struct b_pointer, pointers) A(struct b_repeat, repeats)        \
	A(struct b_hazard, hazards) A(struct b_expect, expects) A(struct b_place, places)          \
	A(struct b_reg, regs) A(struct b_alias, aliases)                                           \
	A(struct b_print, prints)	/* as written, and for each element of a list */           \
	A(struct b_print, printed)	/* those of registers, in order of the keys */             \
	A(struct b_range, ranges) A(struct b_command, commands) A(struct b_struct, structs)        \
	A(struct b_entry, entries) A(struct b_instruction, instructions) A(struct b_fact, facts)   \
	A(struct b_topic, topics) A(struct b_note, notes) A(struct b_cache, caches)                \
	A(struct b_message, messages) A(uint16_t, message_index) A(struct b_known, knowns)         \
	A(struct b_firmware, firmwares)                                                            \
	A(struct b_workaround, workarounds) A(struct b_name, names)                                \
	A(struct b_inst, insts) A(struct b_view, views)                                            \
	A(struct gsc_finding, findings) A(struct pending_enum, pending) A(char *, files)

/* What an enclosing group or with block gives to the items in it. */
struct scope {
	struct b_where where;
	uint32_t group, origin;
	uint16_t engines;
	int8_t engine_instance;
	uint8_t space;
	struct b_message message;	/* what the messages have in common */
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
	struct b_property properties[PROPERTIES];
#define BUILD_ARRAY(type, name) VEC(type) name;
	BUILD_ARRAYS(BUILD_ARRAY)
#undef BUILD_ARRAY

	const struct gsc_db *base;	/* platforms and documents of the built-in data, or NULL */
	char *file;			/* being parsed */
	const struct lex *lex;
	struct {
		const char *text, *at;	/* of which text, and where its line begins */
		uint32_t line;
	} looked;			/* for the line of the last finding */
	bool whole;			/* files may be all there is: platforms replace the base */
	bool failed;			/* memory is out */
};

/* Adds a record to one of these arrays; false, and the build has failed: memory is out. */
#define build_add(b, to, ...)                                                                      \
	(vec_add(&(b)->to) ? ((b)->to.items[(b)->to.count - 1] = (__VA_ARGS__), true)              \
			   : build_out_of_memory(b))

void build_init(struct build *b, const struct gsc_db *base);
bool build_out_of_memory(struct build *b);
void build_free(struct build *b);

/* Adds a file's text; syntax faults become findings. False only on allocation failure. */
bool build_parse(struct build *b, const char *file, const char *text, size_t size);

/* Resolves what may come in any order, and builds the indexes. */
bool build_finish(struct build *b);

/* Adds the findings about meaning: overlaps, unreachable variants, ... */
void build_check(struct build *b);

/* check-entry.c: whether entries fit together, for each platform and mode. */
void check_levels(struct build *b);

/* parse-platform.c: properties without an origin, or missing although others are there. */
void check_properties(struct build *b);

/* check-address.c: ranges without an origin, and sleeping ranges that do not fit the platforms. */
void check_address_ranges(struct build *b);

/* check-cache.c: what invalidates caches, and which. */
void check_cache_names(struct build *b, const struct gsc_db *db);

/* parse-message.c: what can be wrong with messages. */
void check_messages(struct build *b);
/* parse-message.c: by which log/ finds their words. */
void index_messages(struct build *b);

/* pack.c: the compiled form; the caller frees it. */
enum gsc_status build_blob(const struct build *b, void **blob, size_t *size, struct gsc_error *err);

/* Any bytes, for tables of them. */
uint64_t bytes_hash(const void *bytes, size_t length);

str_t build_string(struct build *b, const char *text, size_t length);
/* The end of another string will do; false on allocation failure. */
bool build_take_string(struct build *b, str_t at);

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
void expected(struct build *b, const struct word *word, const char *what);

/* parse.c passes each construct to its file. */
typedef void parse_fn(struct build *b, const struct line *line, struct scope *scope);
parse_fn parse_reg, parse_range, parse_command, parse_struct, parse_entry, parse_instruction,
	parse_fact, parse_engine_names, parse_platform, parse_property, parse_topic,
	parse_workaround, parse_cache, parse_message, parse_known, parse_firmware;

struct b_slice parse_fields(struct build *b, const struct line *item, const struct scope *scope,
			    uint64_t *reset, uint64_t *reset_mask);
struct b_slice parse_values(struct build *b, const struct line *parent);
struct b_slice parse_repeats(struct build *b, const struct line *item, const struct scope *scope,
			     struct b_slice fields);
/* FIELD=VALUE or FIELD!=VALUE: the field alone stays in `field`. */
bool split_condition(const struct word *word, struct word *field, struct word *value,
		     uint8_t *not);
/* Values below 64 as 1|4..7: a bit for each. */
bool listed_values(const struct word *list, uint64_t *values);
/* The index of a field among those of an item; NONE. */
uint32_t find_field(const struct build *b, const struct word *word, struct b_slice fields);
/* `where` is that of a register, whose names may apply to some platforms only; or NULL. */
struct b_slice parse_aliases(struct build *b, const struct line *item, const struct b_where *where);

/* ---- words and lines as tables -------------------------------------------------------------- */

/* A word of a line, and the member of a record that it sets. A table ends with {0}. */
struct attribute {
	enum { ATTRIBUTE_NONE, ATTRIBUTE_NUMBER, ATTRIBUTE_STRING, ATTRIBUTE_TEXT, ATTRIBUTE_WHERE,
	       ATTRIBUTE_ONE_OF, ATTRIBUTE_FLAG, ATTRIBUTE_SET } kind;
	const char *word;
	uint16_t offset, size;
	uint64_t least, most;		/* of a number; so many words; what it adds or sets */
	const char *const *words;
};

#define TO_MEMBER(type, member) offsetof(type, member), sizeof(((type *)0)->member)
/* "word=7" */
#define NUMBER_OF(word, type, member, least, most)                                                 \
	{ ATTRIBUTE_NUMBER, word, TO_MEMBER(type, member), least, most, NULL }
#define STRING_OF(word, type, member)                                                              \
	{ ATTRIBUTE_STRING, word, TO_MEMBER(type, member), 0, 0, NULL }
#define WHERE_OF(type, member) { ATTRIBUTE_WHERE, "on", TO_MEMBER(type, member), 0, 0, NULL }
#define ONE_WORD_OF(word, type, member, words)                                                     \
	{ ATTRIBUTE_ONE_OF, word, TO_MEMBER(type, member), 0, ARRAY_SIZE(words), words }
/* A "text"; a word alone. */
#define TEXT_OF(type, member) { ATTRIBUTE_TEXT, NULL, TO_MEMBER(type, member), 0, 0, NULL }
#define FLAG_OF(word, type, member, bits)                                                          \
	{ ATTRIBUTE_FLAG, word, TO_MEMBER(type, member), 0, bits, NULL }
#define SET_OF(word, type, member, number)                                                         \
	{ ATTRIBUTE_SET, word, TO_MEMBER(type, member), 0, number, NULL }

/* True if it is one of these, perhaps with a finding about its value. */
bool parse_attribute(struct build *b, const struct word *word, const struct attribute *attributes,
		     void *record);
/* All words from this one on, or what a scope has, if that is not NULL; any other is a finding. */
void parse_attributes(struct build *b, const struct word *word, const struct attribute *attributes,
		      void *record, struct scope *scope, const char *what);

/* parse-message.c: of messages, and of blocks, which give them to the messages in them. */
extern const struct attribute message_words[];

/* A line below an item, and what reads it at once, or NULL; "field" means is_field_line(). */
struct below {
	const char *word;
	void (*parse)(struct build *b, const struct line *line, void *record);
};

/* A line that begins with none of these words is a finding. */
void parse_below(struct build *b, const struct line *item, const struct below *rows, size_t count,
		 void *record);

/* ---- words ---------------------------------------------------------------------------------- */

/* What every item may carry: `doc`, `note` and `origin` lines. */
void parse_doc(struct build *b, const struct line *item, str_t *doc, uint32_t *origin);

bool parse_number(struct build *b, const struct word *word, uint64_t *value);
/* What is not from `least` to `most` is a finding that says `what` was expected. */
bool parse_bounded(struct build *b, const struct word *word, uint64_t least, uint64_t most,
		   const char *what, uint64_t *value);
bool parse_bits(struct build *b, const struct word *word, unsigned *dword, unsigned *hi,
		unsigned *lo);
bool parse_where(struct build *b, const struct word *word, struct b_where *where);
bool parse_engines(struct build *b, const struct word *word, uint16_t *classes, int8_t *instance);

/* The attributes that blocks and registers share; true if the word was one. */
bool parse_scope_word(struct build *b, const struct word *word, struct scope *scope);
/* There are no more words, or a finding. */
void parse_end(struct build *b, const struct word *word);
uint32_t access_bit(const struct word *word);
bool is_name(const struct word *word);
bool is_field_line(const struct word *word);	/* field, mbz, mbo, ignored */
str_t word_string(struct build *b, const struct word *word);	/* of a "text" without escapes */
str_t file_string(struct build *b);		/* the name of the file that is being parsed */
/* The name after the keyword of a line. */
bool parse_name(struct build *b, const struct line *line, const char *what, str_t *name);

#define EVERYWHERE { UINT64_MAX, 0, 0, UINT8_MAX, { 0 } }

/* predicate.c: "atom", "discrete" or "lmem"; 0: another word. */
uint32_t platform_flag(const struct word *word);

/* Reduces *where to what both have in common. */
void where_narrow(struct build *b, const struct word *word, struct b_where *where,
		  const struct b_where *by);

/* The bits of all platforms that there are. */
uint64_t all_platforms(const struct build *b);

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

/* A line by its index, and the child lines of an item. */
static inline const struct line *line_at(const struct build *b, uint32_t i)
{
	return i == NONE ? NULL : &b->lex->lines.items[i];
}

#define line_each(b, at, parent_line)                                                              \
	for (const struct line *at = line_at(b, (parent_line)->child); at;                         \
	     at = line_at(b, at->next))

/* Those that begin with a word. */
#define line_each_of(b, at, parent_line, key)                                                      \
	line_each(b, at, parent_line)                                                              \
		if (word_is(at->word, key))

/* Platforms and steppings of the build, or of its base. */
unsigned build_platform_count(const struct build *b);
const struct b_platform *build_platform(const struct build *b, unsigned i);
const char *build_platform_text(const struct build *b, str_t s);
const struct b_stepping *build_stepping(const struct build *b, uint32_t i);
const struct b_engine *build_engine(const struct build *b, uint32_t i);
bool platform_has_name(const struct build *b, const struct b_platform *p, const struct word *word);

#endif
