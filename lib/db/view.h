/* SPDX-License-Identifier: MIT */
/* The definitions as they apply to one platform and revision. */
#ifndef GSC_VIEW_H
#define GSC_VIEW_H

#include "db/db.h"

/* What a name stands for: a definition, perhaps on some platforms or engines only. */
struct gsc_match {
	uint32_t def;
	uint64_t platforms;		/* a bit for each index */
	struct gsc_revisions revisions;
	unsigned engines;		/* a bit for each gsc_engine_class(); 0: all */
	int instance;			/* of the engine, or -1 */
};

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

/* The forcewake domains of an address, joined by commas; NULL: none. */
const char *view_wake(const struct gsc_view *view, enum gsc_space space, uint64_t address);

/*
 * The register with that name or alias, on an engine if that is not NULL and the register belongs
 * to engines; index -1 if it is no array.
 */
bool view_find(const struct gsc_view *view, const char *engine, const char *name, int index,
	       struct gsc_reg *reg);

/* A field of a register's value by its name; false: there is none that applies. */
bool reg_field(const struct gsc_view *view, const struct gsc_reg *reg, uint64_t value,
	       const char *name, uint64_t *out);
/*
 * The bytes that a field gives, by the name of its value ("1.5 MB", "none") or else by its scale;
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

/* The registers of a name or alias on any platform: how many, which may be more than `room`. */
GSC_API size_t gsc_db_find(const struct gsc_db *db, const char *name, struct gsc_match *matches,
			   size_t room);

/* The first register of a definition from register `i` on; gsc_view_count() if there is none. */
GSC_API size_t gsc_view_next(const struct gsc_view *view, size_t i, uint32_t def);

#endif
