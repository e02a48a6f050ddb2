/* SPDX-License-Identifier: MIT */
/*
 * The one resolver of names: which engines and registers of a platform users, drivers and dumps
 * mean. reg_name_parse() splits a name, regs_named() finds what it means, regs_narrow() keeps what
 * fits its engine, index and field (resolve.c). spelling.c has what drivers write instead of our
 * names, and what may have been meant by a name that is wrong.
 */
#ifndef GSC_DB_RESOLVE_H
#define GSC_DB_RESOLVE_H

#include "db/view.h"

#include <string.h>

/* ---- engines -------------------------------------------------------------------------------- */

/*
 * The engine of the platform that "rcs0", "rcs" or "render" means, or the first of them; NULL means
 * any.
 */
enum gsc_status engine_by_name(const struct gsc_view *view, const char *text, const char **name,
			       struct gsc_error *err);

/* Is an engine with that name among those that such a text means? */
bool engine_meant(const char *text, const char *name);

/* ---- registers ------------------------------------------------------------------------------ */

typedef VEC(uint32_t) reg_vec;		/* indexes in a view */

static inline bool reg_add(reg_vec *regs, size_t reg)
{
	uint32_t *slot = vec_add(regs);

	if (slot)
		*slot = (uint32_t)reg;
	return slot != NULL;
}

/* The name of a register's group, or NULL. */
static inline const char *inst_group(const struct gsc_view *view, size_t reg)
{
	const struct layer *l = inst_layer(view, reg);
	uint32_t group = inst_traits(view, reg)->group;

	return group == NONE ? NULL
			     : layer_text(l, LAYER_ITEM(l, B_GROUPS, struct b_group, group)->name);
}

static inline bool has_wildcard(const char *text)
{
	return strpbrk(text, "*?") != NULL;
}

/* "[ENGINE.]NAME[INDEX][:FIELD]" or "@GROUP" in its parts. */
struct reg_name {
	const char *text;		/* as the user wrote it, for errors */
	bool group;			/* `name` is that of a group */
	char engine[16], name[144], field[144];	/* "": not given */
	int index;			/* -1: not given, or "[*]" */
};

/* NULL, or what is wrong with it. */
GSC_API const char *reg_name_parse(struct reg_name *name, const char *text);

/* The registers of the view with that name, or in that group; none is an error. */
enum gsc_status regs_named(const struct gsc_view *view, const struct reg_name *name, reg_vec *regs,
			   struct gsc_error *err);
/* Those of them with its engine, index and field; none is an error. */
enum gsc_status regs_narrow(const struct gsc_view *view, const struct reg_name *name,
			    reg_vec *regs, struct gsc_error *err);

/* Some platform has a register with that name, or with a spelling of it that is no family. */
GSC_API bool reg_name_known(const struct gsc_db *db, const char *name);

/* Adds the registers that begin at an address. */
bool regs_at(const struct gsc_view *view, enum gsc_space space, uint64_t address, reg_vec *regs);
/* Their full names, as many as fit; how many those are. */
size_t regs_list(const struct gsc_view *view, const reg_vec *regs, char *buf, size_t size);

/* ---- what drivers write ---------------------------------------------------------------------- */

/* A name as i915's source has it, as our definitions may spell it. */
struct spelling {
	char name[144];
	int index;			/* in an array, or -1 */
	uint64_t base;			/* of its engine, or 0 */
	bool family;			/* the beginning of the names of several */
};

struct spellings {
	struct spelling items[8];
	size_t count;
};

GSC_API void reg_spellings(const char *name, struct spellings *list);

/* Whether a name belongs to a family: DDI_BUF_CTL_A to DDI_BUF_CTL. */
GSC_API bool name_is_member(const char *family, const char *name);

/* What a key of a dump or a log means if it is no name, and the upper half of 64 bits, or NULL. */
struct driver_key {
	const char *key, *name, *upper;
};

/* NULL: it may be a name. */
const struct driver_key *driver_key(const char *key);

/* ---- the nearest of many names --------------------------------------------------------------- */

#define SUGGESTIONS 3

struct suggestions {
	const char *wanted;
	const char *prefix;		/* printed before each, or NULL */
	struct {
		const char *name;
		unsigned distance;
	} best[SUGGESTIONS];
	size_t count;
};

GSC_API void suggest(struct suggestions *s, const char *candidate);
/* "; did you mean A, B or C?", or "". */
GSC_API const char *suggestions_text(const struct suggestions *s, char *buf, size_t size);
/* GSC_UNKNOWN, with the nearest of the names that `next` gives one by one until NULL. */
GSC_API enum gsc_status gsc_name_unknown(const char *name, const char *(*next)(void *context),
					 void *context, struct gsc_error *err);

#endif
