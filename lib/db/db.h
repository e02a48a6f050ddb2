/* SPDX-License-Identifier: MIT */
/* Compiled definitions in layers: the user's files first, the built-in ones last. */
#ifndef GSC_DB_H
#define GSC_DB_H

#include "db/blob.h"
#include "db/properties.h"
#include "db/platform.h"
#include "db/words.h"
#include "util/util.h"

/* A database of the built-in definitions. Views are made from it. */
GSC_API enum gsc_status gsc_db_new(struct gsc_db **db, struct gsc_error *err);
GSC_API void gsc_db_free(struct gsc_db *db);
/*
 * Definitions of the user that another process has compiled, as it left them in these bytes, which
 * nobody else can write any more. What cannot come from our compiler is refused.
 */
GSC_API enum gsc_status db_add_blob(struct gsc_db *db, const void *bytes, size_t size,
				    struct gsc_error *err);

/* ---- its layers ----------------------------------------------------------------------------- */

/* One compiled set of definitions; its offsets were made by this process, or checked. */
struct layer {
	const struct blob_header *header;	/* and everything after it */
};

struct gsc_db {
	VEC(struct layer) layers;	/* in order of search; the built-in one is last */
	const struct layer *base;
	struct layer builtin;
};

static inline const void *layer_section(const struct layer *l, enum blob_section s)
{
	return (const uint8_t *)l->header + l->header->section[s].offset;
}

static inline uint32_t layer_count(const struct layer *l, enum blob_section s)
{
	return l->header->section[s].count;
}

/* All that names count before they count aliases. */
static inline uint32_t layer_items(const struct layer *l)
{
	return layer_count(l, B_REGS) + layer_count(l, B_COMMANDS) + layer_count(l, B_STRUCTS) +
	       layer_count(l, B_ENTRIES) + layer_count(l, B_INSTRUCTIONS) +
	       layer_count(l, B_TOPICS) + layer_count(l, B_WORKAROUNDS);
}

#define LAYER_ITEM(layer, section, type, i) (&((const type *)layer_section(layer, section))[i])

static inline const char *layer_text(const struct layer *l, str_t s)
{
	return (const char *)layer_section(l, B_STRINGS) + s;
}

/* NULL for "no text". */
static inline const char *layer_text_or_null(const struct layer *l, str_t s)
{
	return s ? layer_text(l, s) : NULL;
}

/*
 * db.c: among items that begin with their name and are sorted by it, the first that does not come
 * before this one.
 */
uint32_t layer_seek(const struct layer *l, enum blob_section section, size_t size, const char *name,
		    int (*compare)(const char *a, const char *b));

static inline const struct b_where *layer_where(const struct layer *l, uint16_t i)
{
	return LAYER_ITEM(l, B_WHERES, struct b_where, i);
}

static inline const struct c_form *field_form(const struct layer *l, const struct c_field *f)
{
	return LAYER_ITEM(l, B_FORMS, struct c_form, f->form);
}

static inline const struct c_values *layer_values(const struct layer *l, uint32_t i)
{
	return LAYER_ITEM(l, B_VALUE_LISTS, struct c_values, i);
}

static inline struct b_value list_value(const struct layer *l, const struct c_values *list,
				      uint32_t i)
{
	const struct c_value *v;

	if (list->wide)
		return *LAYER_ITEM(l, B_WIDE_VALUES, struct b_value, list->first + i);
	v = LAYER_ITEM(l, B_VALUES, struct c_value, list->first + i);
	return (struct b_value){ v->lo, v->hi, v->name, v->doc };
}

static inline const struct c_traits *reg_traits(const struct layer *l, const struct c_reg *reg)
{
	return LAYER_ITEM(l, B_TRAITS, struct c_traits, reg->traits);
}

static inline uint32_t reg_origin(const struct c_reg *reg)
{
	return reg->origin ? reg->origin - 1u : NONE;
}

static inline const struct layer *db_base(const struct gsc_db *db)
{
	return db->base;
}

static inline size_t db_layer_count(const struct gsc_db *db)
{
	return db->layers.count + 1;
}

static inline const struct layer *db_layer(const struct gsc_db *db, size_t i)
{
	return i < db->layers.count ? &db->layers.items[i] : db->base;
}

/* The layer with item *i of all that have this section, and *i as it is there; NULL: none. */
static inline const struct layer *db_layer_of(const struct gsc_db *db, enum blob_section section,
					      size_t *i)
{
	for (size_t layer = 0; layer < db_layer_count(db); layer++) {
		const struct layer *l = db_layer(db, layer);

		if (*i < layer_count(l, section))
			return l;
		*i -= layer_count(l, section);
	}
	return NULL;
}

static inline const struct b_platform *db_platform(const struct gsc_db *db, unsigned i)
{
	return LAYER_ITEM(db->base, B_PLATFORMS, struct b_platform, i);
}

/* An origin as the key of its document and the place in it; NULLs if there is none. */
void layer_origin(const struct layer *l, uint32_t origin, const char **document,
		  const char **section);

/* The name and title of a group; NULLs if there is none. */
void layer_group(const struct layer *l, uint32_t group, const char **name, const char **title);

static inline struct gsc_revisions where_stepped(const struct b_where *where)
{
	return (struct gsc_revisions){ where->stepped, where->rev_lo, where->rev_hi };
}

static inline bool where_holds(const struct b_where *where, uint64_t bit, uint8_t revision)
{
	return where->platforms & bit &&
	       (!(where->stepped & bit) ||
		(revision >= where->rev_lo && revision <= where->rev_hi));
}

struct wake_domain {
	const char *name;
	uint32_t request, ack;
};

/*
 * Where a platform's registers answer only while domains are awake: all domains that a span names,
 * separated by commas. False if memory is out.
 */
bool sleeping_find(span_vec *out, const struct gsc_db *db, unsigned platform, uint8_t revision);
/* The domains that an address needs; NULL: it never sleeps. */
const char *sleeping_at(const span_vec *sleeping, uint64_t address);
/* Where its registers are replicated, so that a read must be steered to a copy. */
bool steered_find(span_vec *out, const struct gsc_db *db, unsigned platform, uint8_t revision);

/* Domain i of a platform; false after the last. */
bool platform_wake(const struct gsc_db *db, unsigned platform, unsigned i, struct wake_domain *out);

/* Takes a blob that was allocated; the file is named if there are too many. */
enum gsc_status db_add_layer(struct gsc_db *db, void *blob, const char *file,
			     struct gsc_error *err);

/* blob-check.c: could our compiler have made this? All that is read later is within bounds. */
bool blob_is_sound(const void *blob, size_t size, unsigned platforms);

/* The definitions compiled into the library. */
extern const struct blob_header builtin_definitions;

#endif
