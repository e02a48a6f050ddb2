/* SPDX-License-Identifier: MIT */
/*
 * Items: definitions of all kinds and platforms, one by one. Registers as a platform has them are
 * in view.h.
 */
#ifndef GSC_DB_ITEM_H
#define GSC_DB_ITEM_H

#include "db/field.h"
#include "db/words.h"

/* What else is known about a register. */
enum gsc_reg_flag {
	GSC_REG_VOLATILE = 1 << 0,	/* it counts or changes by itself */
	GSC_REG_MULTICAST = 1 << 1,	/* it is replicated: a read needs steering */
	GSC_REG_HAZARD_READ = 1 << 2,	/* reading changes something */
	GSC_REG_HAZARD_HANG = 1 << 3,	/* the access may hang the machine */
	GSC_REG_HAZARD_WRITE = 1 << 4,	/* writing does more than store the value */
	GSC_REG_HAS_RESET = 1 << 5,
	GSC_REG_USER = 1 << 6,		/* from a file of the user */
};

/* A definition, of any kind. */
struct gsc_item {
	enum gsc_kind kind;
	uint32_t def;			/* the number that gsc_reg.def has */
	const char *name, *doc;
	const char *group, *group_title;	/* registers only, or NULL */
	const char *document, *section;	/* origin, or NULL */
	const char *file;
	unsigned line;
	uint64_t platforms;		/* a bit for each index */
	struct gsc_revisions revisions;
	unsigned bits;			/* width of a register, structure or entry */
	unsigned access;		/* registers only: enum gsc_access */
	unsigned flags;			/* enum gsc_reg_flag; other kinds: GSC_REG_USER only */
	uint64_t reset, reset_mask;
	uint64_t mask, value;		/* commands: of dword 0; workarounds: what is written */
	unsigned engines;		/* of both: a bit for each gsc_engine_class() */
	int length_hi, length_lo;	/* commands: bits of the length field; -1: fixed */
	unsigned length;		/* commands: dwords, or the bias of that field */
	bool privileged;		/* commands: for rings and privileged batches alone */
	const char *modes, *level;	/* entries: "pml4,pdp32", "pde" */
	int index_hi, index_lo;		/* entries: address bits that select one, or -1 */
	unsigned index_every;		/* entries: only each n-th slot of a table is used */
	const char *valid;		/* entries: the field that says it is valid, or NULL */
	uint64_t valid_value;		/* the value of that field then */
	unsigned opcode, sources;	/* instructions: of the EUs; how many sources */
	const char *form;		/* instructions: how the rest of it is encoded */
	enum workaround_kind moment;	/* workarounds, whose doc is their condition: "only ..." */
	const char *when, *reg;		/* the word for that; name or alias of the register */
	int index, instance;		/* in its array; of the engine; -1: none, all */
	bool unchecked;			/* the driver does not verify it */
};

/*
 * Item number `i` of a kind, the user's files first, and the item with the number `def` from a
 * struct gsc_reg or struct gsc_item; false if there is none.
 */
GSC_API bool gsc_item_at(const struct gsc_db *db, enum gsc_kind kind, size_t i,
			 struct gsc_item *item);
GSC_API bool gsc_item_by_def(const struct gsc_db *db, enum gsc_kind kind, uint32_t def,
			     struct gsc_item *item);

/*
 * Alias number `i` of an item; NULL past the last. *platforms, unless NULL, becomes the platforms
 * that have the alias.
 */
GSC_API const char *gsc_item_alias(const struct gsc_db *db, const struct gsc_item *item, size_t i,
				   uint64_t *platforms);

/* A place of a register, as the definition has it, not yet applied to a platform. */
struct gsc_place {
	enum gsc_space space;
	uint64_t offset;
	bool relative;			/* the offset counts from the MMIO base of each engine */
	unsigned engines;
	int instance;			/* of the engine, or -1: any */
	unsigned count;			/* elements of an array, or 0 */
	unsigned stride;
	unsigned run, run_stride;	/* elements of a run, or 0; bytes from run to run */
	uint64_t platforms;
	struct gsc_revisions revisions;
};

/* Place number `i` of a register; false past the last. */
GSC_API bool gsc_item_place(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			    struct gsc_place *place);

/*
 * Begins to list the fields of an item: with a view those of its platform, decoded from `count`
 * dwords; with NULL all defined fields, with value 0.
 */
GSC_API void gsc_item_fields(const struct gsc_db *db, const struct gsc_view *view,
			     const struct gsc_item *item, const uint32_t *words, size_t count,
			     struct gsc_field_iter *it);

/* A group of fields that repeats; their dwords count from the start of the group. */
struct gsc_repeat {
	const char *name;
	unsigned at, size;		/* dwords */
	bool after;			/* each follows the one before; the first is at `at` */
	unsigned count;			/* groups; 0: no fixed number */
	const char *count_field;	/* field with their number; NULL: up to the end */
};

/* Group number `i` of an item, and its fields, as gsc_item_fields() gives them. */
GSC_API bool gsc_item_repeat(const struct gsc_db *db, const struct gsc_view *view,
			     const struct gsc_item *item, size_t i, struct gsc_repeat *repeat,
			     struct gsc_field_iter *it);

/* The name of a register in drivers' dumps, which is not its name elsewhere. */
struct gsc_print {
	const char *key;		/* "IER", "GTIER[3]", "Pipe A CONF" */
	uint64_t platforms;
	struct gsc_revisions revisions;
	bool placed;			/* the drivers read this place; else that of the register */
	bool relative;			/* to the MMIO base of each engine */
	uint64_t offset;
};

/* Number i of a register; false after the last. */
GSC_API bool gsc_item_print(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			    struct gsc_print *print);

/* Where a page-table entry leads, if it is valid: the first whose condition is true counts. */
struct gsc_lead {
	const char *field;		/* only if this field has that value; NULL: always */
	uint64_t value;
	uint64_t page_size;		/* bytes, or 0: to a table */
	const char *level;		/* of the table; of a page: of its entry, or NULL */
};

GSC_API bool gsc_item_lead(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			   struct gsc_lead *lead);

/* A documented length of a command, in dwords, and where. */
struct gsc_lengths {
	unsigned lo, hi;
	uint64_t platforms;
	struct gsc_revisions revisions;
};

GSC_API bool gsc_item_length(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			     struct gsc_lengths *lengths);

/* The next statement about an item, in the order of the definition; *at begins as 0. */
struct gsc_note {
	const char *text;
	uint64_t platforms;
	struct gsc_revisions revisions;
};

GSC_API bool gsc_item_note(const struct gsc_db *db, const struct gsc_item *item, size_t *at,
			   struct gsc_note *note);

/* Why an access to a register is not harmless, and where. */
struct gsc_hazard {
	unsigned flag;			/* one of GSC_REG_HAZARD_* */
	const char *why;
	uint64_t bits;			/* bits that a write must be meant for; 0: any */
	uint64_t platforms;
	struct gsc_revisions revisions;
};

GSC_API bool gsc_item_hazard(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			     struct gsc_hazard *hazard);

/*
 * The next workaround, from *i on, of a register by its gsc_reg.def: on the platform of the view,
 * or with NULL on any. False: no more.
 */
GSC_API bool gsc_workaround_next(const struct gsc_db *db, const struct gsc_view *view,
				 uint32_t def, size_t *i, struct gsc_item *w);
/* "0x5 = 0x1: FIELD 1, OTHER 0": its bits, and the fields that have them on these platforms. */
GSC_API const char *gsc_workaround_bits(const struct gsc_db *db, const struct gsc_item *w,
					uint64_t platforms, char *buf, size_t size);
/* Is it for an engine with this class and number? */
static inline bool workaround_of_engine(const struct gsc_item *w, unsigned class, unsigned instance)
{
	return !w->engines || (w->engines >> class & 1 &&
			       (w->instance < 0 || (unsigned)w->instance == instance));
}

/* A cache, or, if `takes` is not NULL, what invalidates caches. */
struct gsc_cache {
	struct gsc_item item;		/* level: in it; NULL: those that map pages */
	const char *kind;		/* "tlb", "walk", ...; "register", "command", ... */
	const char *title;		/* of an invalidation "" */
	const char *client;		/* what it serves if that is no engine, or NULL */
	const char *takes;		/* names of caches, and kinds of caches */
	uint64_t bytes;			/* 0: not known */
	unsigned entries;
	int instance;			/* of the engine, or -1: all */
};

/* The one after *at, which begins as 0, on all platforms; false after the last. */
GSC_API bool gsc_cache_next(const struct gsc_db *db, size_t *at, struct gsc_cache *cache);
/* What it serves: "rcs, ccs", "vcs1", "display"; "" if that is all engines. */
GSC_API const char *gsc_cache_users(const struct gsc_cache *cache, char *buf, size_t size);

/* Facts about the entries of a level, which none of their bits shows alone. */
struct gsc_fact {
	const char *about;		/* "snooping", or NULL */
	const char *condition;		/* "SNOOP=1", or NULL */
	const char *text;
	const char *modes, *levels;	/* of which entries; NULL: all levels */
	const char *document, *section;	/* origin, or NULL */
	const struct layer *layer;
	const struct b_fact *of;
};

/* The next of all facts, on all platforms, from *at on, which begins as 0. */
GSC_API bool gsc_fact_next(const struct gsc_db *db, size_t *at, struct gsc_fact *fact);

/*
 * Key and title of document number `i` that origins cite; false past the last. A document may
 * occur twice if the user's files cite it too.
 */
GSC_API bool gsc_document_at(const struct gsc_db *db, size_t i, const char **key,
			     const char **title);

#endif
