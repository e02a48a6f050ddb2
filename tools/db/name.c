/* SPDX-License-Identifier: MIT */
/* gpu-db: what a NAME of the command line means, and which definitions have it. */
#include "gpu-db.h"

#include "util/text.h"
#include "db/engine.h"
#include "db/resolve.h"
#include "util/number.h"

static enum gsc_status parse_name(struct db_name *name, const char *text, enum db_places places,
				  struct gsc_error *err)
{
	struct reg_name parts;
	const char *why = reg_name_parse(&parts, text);
	int class = -1;

	*name = (struct db_name){ .text = text, .group = parts.group, .instance = -1,
				  .index = parts.index };
	if (places == DB_TEXTS && (why || *parts.field || *parts.engine)) {
		string_set(name->name, "%s", text);
		return GSC_OK;
	}
	if (why || *parts.field)
		return usage_error(err, text, "%s",
				   why ? why : "a definition has no field to choose");
	memcpy(name->name, parts.name, sizeof(name->name));
	if (!*parts.engine)
		return GSC_OK;
	class = gsc_engine_parse(parts.engine, &name->instance);
	if (class < 0)
		return err_set(err, GSC_UNKNOWN, text, "unknown engine before the dot");
	name->engines = 1u << class;
	return GSC_OK;
}

/* ---- matching ------------------------------------------------------------------------------- */

bool db_name_is_one(const struct db_name *name)
{
	return !name->group && !has_wildcard(name->name);
}

uint64_t db_item_fits(const struct gsc_db *db, const struct gsc_item *item,
		      const struct db_name *name)
{
	uint64_t platforms = 0, on;
	struct gsc_place place;
	const char *alias;
	bool fits;

	if (name->group)
		return item->group && glob_match(name->name, item->group) ? item->platforms : 0;
	fits = glob_match(name->name, item->name);
	if (fits)
		platforms = item->platforms;
	for (size_t i = 0; !fits && (alias = gsc_item_alias(db, item, i, &on)); i++)
		platforms |= glob_match(name->name, alias) ? on : 0;
	if (!platforms || (!name->engines && name->index < 0))
		return platforms;
	fits = item->kind == GSC_COMMAND && item->engines & name->engines && name->index < 0;
	/* A command has no place. */
	for (size_t i = 0; !fits && gsc_item_place(db, item, i, &place); i++)
		fits = (!name->engines || place.engines & name->engines) &&
		       (name->instance < 0 || place.instance < 0 ||
			place.instance == name->instance) &&
		       (name->index < 0 || (unsigned)name->index < place.count);
	return fits ? platforms : 0;
}

bool db_reg_fits(const struct gsc_view *view, const struct gsc_reg *reg, const struct db_name *name)
{
	const char *alias;
	bool fits;

	if (name->group)
		return reg->group && glob_match(name->name, reg->group);
	if ((name->engines && !(reg->engine && name->engines & 1u << reg->engine_class)) ||
	    (name->instance >= 0 && reg->engine_instance != (unsigned)name->instance) ||
	    (name->index >= 0 && reg->index != name->index))
		return false;
	fits = glob_match(name->name, reg->name);
	for (size_t i = 0; !fits && (alias = gsc_reg_alias(view, reg, i)); i++)
		fits = glob_match(name->name, alias);
	return fits;
}

bool db_next(const struct gsc_db *db, unsigned kinds, struct db_cursor *at, struct gsc_item *item)
{
	for (; at->kind <= GSC_WORKAROUND; at->kind++, at->next = 0)
		if (kinds >> at->kind & 1 &&
		    gsc_item_at(db, (enum gsc_kind)at->kind, at->next++, item))
			return true;
	return false;
}

/* The platforms on which something of these kinds has the name. */
static uint64_t platforms_of(const struct gsc_db *db, unsigned kinds, const struct db_name *name)
{
	struct db_cursor at = { 0 };
	uint64_t platforms = 0;
	struct gsc_item item;

	while (db_next(db, kinds, &at, &item))
		platforms |= db_item_fits(db, &item, name);
	return platforms;
}

/* ---- filters -------------------------------------------------------------------------------- */

/* A name as i915 writes it, if it is unknown as it is; the engine of a base is left open. */
static void take_spelling(const struct gsc_db *db, struct db_name *name)
{
	struct spellings all;

	if (name->group || !strchr(name->name, '(') || platforms_of(db, DB_ALL_KINDS, name))
		return;
	reg_spellings(name->name, &all);
	for (size_t i = 0; i < all.count; i++) {
		struct db_name other = *name;

		memcpy(other.name, all.items[i].name, sizeof(other.name));
		other.index = all.items[i].index;
		if (platforms_of(db, DB_ALL_KINDS, &other)) {
			*name = other;
			return;
		}
	}
}

const char *db_reg_near(const struct gsc_view *view, uint64_t address, int side,
			struct gsc_reg *reg, char name[REG_NAME_MAX])
{
	const char *near = NULL;
	struct gsc_reg now;

	for (size_t i = 0; i < gsc_view_count(view) && (!near || side < 0); i++) {
		gsc_view_reg(view, i, &now);
		if (now.space != GSC_MMIO ||
		    (side < 0 ? now.offset + now.bits / 8 > address : side > 0
			      ? now.offset <= address : address - now.offset >= now.bits / 8))
			continue;
		*reg = now;
		near = name;
	}
	if (near)
		gsc_reg_full_name(reg, name, REG_NAME_MAX);
	return near;
}

/* The register that contains an address, if there is one. */
static enum gsc_status take_address(const struct common *common, struct db_name *name,
				    enum db_places places, struct gsc_error *err)
{
	const struct gsc_view *view = view_of(common);
	char hint[HINT_SIZE], near[REG_NAME_MAX];
	struct gsc_reg reg;

	if (!view)
		return usage_error(err, name->text, "an address needs a platform: give -p");
	name->placed = true;
	if (db_reg_near(view, name->address, 0, &reg, near)) {
		snprintf(name->name, sizeof(name->name), "%s", reg.name);
		name->engines = reg.engine ? 1u << reg.engine_class : 0;
		name->instance = reg.engine ? (int)reg.engine_instance : -1;
		name->index = reg.index;
		return GSC_OK;
	}
	name->met = true;
	if (places == DB_ADDRESSES)
		return GSC_OK;
	return err_set(err, GSC_UNKNOWN, name->text,
		       "no register at this address on %s; to see whose it is: %s which %s",
		       platform_of(common)->name, hint_command(common, "db", hint, sizeof(hint)),
		       name->text);
}

enum gsc_status db_filter_make(struct db_filter *filter, const struct common *common,
			       enum db_places places, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	filter->count = common->operand_count - 1;
	filter->names = calloc(filter->count + 1, sizeof(*filter->names));
	if (!filter->names)
		return err_memory(err);
	for (size_t i = 0; i < filter->count && !status; i++) {
		status = parse_name(&filter->names[i], common->operands[i + 1], places, err);
		if (!status)
			take_spelling(common->db, &filter->names[i]);
	}
	for (size_t i = 0; places >= DB_REGISTERS && i < filter->count && !status; i++)
		if (gsc_parse_number(filter->names[i].text, &filter->names[i].address))
			status = take_address(common, &filter->names[i], places, err);
	return status;
}

bool db_filter_fits(struct db_filter *filter, const struct common *common, const char *text,
		    const struct gsc_item *item, const struct gsc_reg *reg)
{
	bool fits = !filter->count;

	for (size_t i = 0; i < filter->count; i++) {
		struct db_name *name = &filter->names[i];

		if (text ? glob_match(name->name, text)
			 : item ? db_item_fits(common->db, item, name) != 0
				: db_reg_fits(view_of(common), reg, name))
			fits = name->met = true;
	}
	return fits;
}

/* The nearest of the names of definitions and their aliases, or of the groups of registers. */
static enum gsc_status no_name(const struct gsc_db *db, unsigned kinds, const struct db_name *name,
			       struct gsc_error *err)
{
	struct suggestions s = { .wanted = name->name };
	struct db_cursor at = { 0 };
	struct gsc_item item;
	struct gsc_cache cache;
	const char *alias;
	char near[400];

	for (size_t i = 0; gsc_cache_next(db, &i, &cache);)
		if (!strcasecmp(cache.item.name, name->text))
			return err_set(err, GSC_UNKNOWN, name->text, "%s; try: gpu-db list --%s %s",
				       cache.takes ? "what invalidates caches" : "a cache",
				       cache.takes ? "invalidations" : "tlbs", cache.item.name);
	while (db_next(db, kinds, &at, &item)) {
		if (name->group && item.group)
			suggest(&s, item.group);
		if (name->group)
			continue;
		suggest(&s, item.name);
		for (size_t i = 0; (alias = gsc_item_alias(db, &item, i, NULL)); i++)
			suggest(&s, alias);
	}
	return err_set(err, GSC_UNKNOWN, name->text, "unknown name%s",
		       suggestions_text(&s, near, sizeof(near)));
}

enum gsc_status db_filter_missed(const struct db_filter *filter, const struct common *common,
				 unsigned kinds, struct gsc_error *err)
{
	const struct db_name *name = filter->names;
	char list[200], why[sizeof(err->why)], hint[HINT_SIZE];
	struct db_name bare;
	uint64_t platforms;

	while (name < filter->names + filter->count && name->met)
		name++;
	if (name == filter->names + filter->count)
		return GSC_OK;
	platforms = platforms_of(common->db, kinds, name);
	bare = *name;
	bare.engines = 0;
	bare.instance = bare.index = -1;
	if (!platforms && platforms_of(common->db, kinds, &bare))
		return err_set(err, GSC_UNKNOWN, name->text,
			       "exists, but not with this engine or index");
	if (!platforms && has_wildcard(name->name))
		return err_set(err, GSC_UNKNOWN, name->text, "no such name");
	if (!platforms)
		return no_name(common->db, kinds, name, err);
	if (platforms >> platform_of(common)->index & 1)
		string_set(why, "not on this revision of %s; to see why: %s which %s",
			 platform_of(common)->name,
			 hint_command(common, "db", hint, sizeof(hint)), name->text);
	else
		string_set(why, "not on %s, but on %s", platform_of(common)->name,
			 db_platforms(common->db, platforms, list, sizeof(list)));
	return err_set(err, GSC_UNKNOWN, name->text, "%s", why);
}
