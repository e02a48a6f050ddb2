/* SPDX-License-Identifier: MIT */
/* The definitions as they apply to one platform and revision. */
#ifndef GSC_VIEW_H
#define GSC_VIEW_H

#include "db/db.h"
#include "db/item.h"

/* Registers at their places, sorted by space and offset. */
struct gsc_view;

/* One register of a platform, at its place. Strings live as long as the definitions. */
struct gsc_reg {
	const char *name;		/* without engine and index: "RING_HEAD" */
	const char *engine;		/* "rcs0", or NULL */
	unsigned engine_class, engine_instance;
	int index;			/* in its array, or -1 */
	enum gsc_space space;
	uint64_t offset;
	unsigned bits;			/* 8, 16, 32 or 64 */
	unsigned access;		/* enum gsc_access */
	unsigned flags;			/* enum gsc_reg_flag */
	uint64_t reset, reset_mask;
	const char *hazard;		/* why an access is not harmless, or NULL */
	const char *wake;		/* forcewake domains, comma-separated, or NULL */
	const char *group, *group_title;
	const char *doc;
	const char *document, *section;	/* origin: key of the document, section in it */
	const char *file;
	unsigned line;
	uint32_t def;			/* the definition, the same for all its instances */
};

/*
 * Makes the view of a platform in a PCI revision; revision -1 is the latest one. The definitions
 * have to outlive it.
 */
GSC_API enum gsc_status gsc_view_new(struct gsc_view **view, const struct gsc_db *db,
				     unsigned platform, int revision, struct gsc_error *err);
GSC_API void gsc_view_free(struct gsc_view *view);
GSC_API unsigned gsc_view_platform(const struct gsc_view *view);

/*
 * Whether the view contains an item that exists on `platforms`; on the platforms named in
 * `revisions`, only in those revisions.
 */
GSC_API bool gsc_view_sees(const struct gsc_view *view, uint64_t platforms,
			   const struct gsc_revisions *revisions);

/* The number of registers in the view, and register number `i`, by space and offset. */
GSC_API size_t gsc_view_count(const struct gsc_view *view);
GSC_API void gsc_view_reg(const struct gsc_view *view, size_t i, struct gsc_reg *reg);
/* The first register of a definition from register `i` on; gsc_view_count() if there is none. */
GSC_API size_t gsc_view_next(const struct gsc_view *view, size_t i, uint32_t def);

/* The number of the first register at or after an address; gsc_view_count() if there is none. */
GSC_API size_t gsc_view_seek(const struct gsc_view *view, enum gsc_space space, uint64_t offset);

/* What a name stands for: a definition, perhaps on some platforms or engines only. */
struct gsc_match {
	uint32_t def;
	uint64_t platforms;		/* a bit for each index */
	struct gsc_revisions revisions;
	unsigned engines;		/* a bit for each gsc_engine_class(); 0: all */
	int instance;			/* of the engine, or -1 */
};

/* The registers of a name or alias on any platform: how many, which may be more than `room`. */
GSC_API size_t gsc_db_find(const struct gsc_db *db, const char *name, struct gsc_match *matches,
			   size_t room);

/*
 * Writes the name with engine and index, "rcs0.NAME[3]", or the address if no register is
 * defined, and returns its length.
 */
GSC_API size_t gsc_reg_full_name(const struct gsc_reg *reg, char *buf, size_t size);

/*
 * Alias number `i` of a register, counting only aliases for this platform and engine; NULL past the
 * last.
 */
GSC_API const char *gsc_reg_alias(const struct gsc_view *view, const struct gsc_reg *reg, size_t i);

/* ---- range.c: the map of addresses ----------------------------------------------------------- */

/* A range of MMIO addresses: a hazard, an alias, a null range, whose it is, where it sleeps. */
struct gsc_range {
	uint64_t start, last;
	const char *kind;		/* the word of the definition: "owner", "null", ... */
	const char *why;		/* of an owner its name; or NULL */
	const char *wake;		/* of "sleeps": its domains, joined by commas */
	unsigned engines;		/* classes from whose bases it counts; 0: none */
	int instance;
	const char *engine;		/* in a view: the one whose base it was */
	uint64_t platforms;
	struct gsc_revisions revisions;
	const char *document, *section;
	unsigned use;			/* enum range_use */
	size_t order;			/* in a view: of its definition */
};

/*
 * Range number `i` as defined; or as a view has it, one for each engine: what decides about reads
 * comes first, then owners, then wells, each from the narrowest on. False: no more.
 */
GSC_API bool gsc_range_at(const struct gsc_db *db, const struct gsc_view *view, size_t i,
			  struct gsc_range *range);
/* The next of those that contain an address, from *i on. */
GSC_API bool gsc_range_next(const struct gsc_view *view, uint64_t offset, size_t *i,
			    struct gsc_range *range);
/*
 * The first around an address, whether or not a register is there: RANGE_TOLD: a hazard, an alias,
 * a hole; RANGE_OWNED: what has a name, an owner, copies or a well. False: none is known.
 */
GSC_API bool gsc_view_range(const struct gsc_view *view, enum range_use use, enum gsc_space space,
			    uint64_t offset, struct gsc_range *range);
/* What it says, in `buf`: "vcs0: registers", "null: the reason", "L3 banks, replicated". */
#define RANGE_TEXT_MAX 300
GSC_API const char *gsc_range_text(const struct gsc_range *range, char *buf, size_t size);
/* "media units, 0x12400-0x12fff", "in no documented range": of MMIO where no register is. */
#define ADDRESS_TEXT_MAX (2 * RANGE_TEXT_MAX)
GSC_API const char *gsc_address_text(const struct gsc_view *view, uint64_t offset, char *buf,
				     size_t size);

/*
 * Begins to decode a value of a register.
 */
GSC_API void gsc_reg_fields(const struct gsc_view *view, const struct gsc_reg *reg, uint64_t value,
			    struct gsc_field_iter *it);

/* ---- the inside of a view ------------------------------------------------------------------- */

/* Definitions are found by the low bits of their index. */
#define VIEW_BUCKETS 1024

/* What other rooms derive from the definitions on first use; freed with the view. */
struct view_kept {
	void *data;
	void (*free)(void *data);
};

struct gsc_view {
	const struct gsc_db *db;
	unsigned platform;
	uint64_t bit;
	uint8_t revision;
	struct c_inst *insts;
	size_t count;
	uint8_t *layers;		/* of each instance; NULL: all of the built-in layer */
	uint32_t *next;			/* of each, the next whose definition is in its bucket */
	span_vec sleeping, steered;
	VEC(struct gsc_range) ranges;
	struct view_kept *kept;
	uint32_t buckets[VIEW_BUCKETS];	/* the first of those; UINT32_MAX: none, or no more */
};

/* A definition is identified by its layer and its index there. */
static inline uint32_t def_make(size_t layer, uint32_t index)
{
	return (uint32_t)layer << 24 | index;
}

static inline const struct layer *def_layer(const struct gsc_db *db, uint32_t def)
{
	return db_layer(db, def >> 24);
}

static inline uint32_t def_index(uint32_t def)
{
	return def & 0xffffff;
}

/* The layer and the definition of a register of the view, as they are stored. */
static inline size_t inst_layer_index(const struct gsc_view *view, size_t reg)
{
	return view->layers ? view->layers[reg] : db_layer_count(view->db) - 1;
}

static inline const struct layer *inst_layer(const struct gsc_view *view, size_t reg)
{
	return db_layer(view->db, inst_layer_index(view, reg));
}

static inline const struct c_reg *inst_def(const struct gsc_view *view, size_t reg)
{
	return LAYER_ITEM(inst_layer(view, reg), B_REGS, struct c_reg, view->insts[reg].reg);
}

static inline const struct c_traits *inst_traits(const struct gsc_view *view, size_t reg)
{
	return reg_traits(inst_layer(view, reg), inst_def(view, reg));
}

/* Number i of its fields, whether or not it holds on the platform. */
static inline const struct c_field *inst_field(const struct gsc_view *view, size_t reg, uint32_t i)
{
	return LAYER_ITEM(inst_layer(view, reg), B_FIELDS, struct c_field,
			  inst_def(view, reg)->fields + i);
}

static inline uint32_t inst_def_id(const struct gsc_view *view, size_t reg)
{
	return def_make(inst_layer_index(view, reg), view->insts[reg].reg);
}

/* Some names apply to one engine only: classes, 0: all; an instance, -1: any. */
bool inst_of_engines(const struct gsc_view *view, size_t i, unsigned engines, int instance);
/* Is it what the name turned out to mean? */
bool inst_matches(const struct gsc_view *view, size_t i, const struct gsc_match *match);

/* Those of a definition are among these: for (i = inst_first(); i < count; i = next[i]) */
static inline uint32_t inst_first(const struct gsc_view *view, uint32_t def)
{
	return view->buckets[def_index(def) % VIEW_BUCKETS];
}

/* Does a register have this index (-1: none) and, if it has an engine, this engine (NULL: any)? */
bool inst_is(const struct gsc_view *view, size_t i, const char *engine, int index);

/* Does reading it return one of several copies? */
bool inst_is_steered(const struct gsc_view *view, size_t i);

/* What a new view has of the ranges; false: memory is out. */
bool view_add_ranges(struct gsc_view *view);

/* The forcewake domains of an address, joined by commas; NULL: none. */
const char *view_wake(const struct gsc_view *view, enum gsc_space space, uint64_t address);

/*
 * The register with that name or alias, on an engine if that is not NULL and the register belongs
 * to engines; index -1 if it is no array.
 */
bool view_find(const struct gsc_view *view, const char *engine, const char *name, int index,
	       struct gsc_reg *reg);

/* The structure with that name; false: the platform has none. */
bool view_structure(const struct gsc_view *view, const char *name, struct gsc_item *item);

/* A field of a register's value by its name; false: there is none that applies. */
bool reg_field(const struct gsc_view *view, const struct gsc_reg *reg, uint64_t value,
	       const char *name, uint64_t *out);
/*
 * The bytes that a field gives, by the name of its value ("1.5 MB", "none") or else by its scale,
 * which may also be one to another unit, such as MHz;
 * false: no such field applies, or the value is reserved.
 */
bool reg_bytes(const struct gsc_view *view, const struct gsc_reg *reg, uint64_t value,
	       const char *name, uint64_t *bytes);

/* resolve.c: what a driver means by a key of an engine in its dumps ("": of none). */
bool print_find(const struct gsc_view *view, const char *engine, const char *key,
		uint64_t *address);

/* gsc_reg_full_name() without its NUL, into this much room; returns its end. */
#define REG_NAME_MAX 192
char *put_reg_name(char *at, const struct gsc_reg *reg);

#define FIELD_TEXT_MAX sizeof(((struct gsc_field_iter *)NULL)->text)

/* What a field's bits mean, if there is more to say than the number; it may be in `text`. */
const char *field_meaning(const struct layer *l, const struct c_field *f, uint64_t value,
			  char *text);

/* Text of a number of this many bytes; returns its end. */
char *form_number(char *out, const struct c_form *form, unsigned width, uint64_t value);

/* What is wrong with a value, or NULL. */
const char *field_problem(const struct layer *l, const struct c_field *f, uint64_t value);

static inline bool match_holds(const struct gsc_view *view, const struct gsc_match *match)
{
	return gsc_view_sees(view, match->platforms, &match->revisions);
}

static inline bool field_holds(const struct gsc_view *view, const struct layer *l,
			       const struct c_field *f)
{
	return where_holds(layer_where(l, f->where), view->bit, view->revision);
}

#endif
