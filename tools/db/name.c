/* SPDX-License-Identifier: MIT */
/* gpu-db: what a NAME of the command line means. */
#include "gpu-db.h"

#include "cli/text.h"
#include "db/engine.h"
#include "db/resolve.h"
#include "util/number.h"
#include "util/text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parsing -------------------------------------------------------------------------------- */

/* "rcs0", "vcs" */
static bool parse_engine(struct db_name *name, const char *text, size_t length)
{
	char engine[16];
	int class;

	if (length >= sizeof(engine))
		return false;
	snprintf(engine, sizeof(engine), "%.*s", (int)length, text);
	class = gsc_engine_parse(engine, &name->instance);
	name->engines = class < 0 ? 0 : 1u << class;
	return class >= 0;
}

/* "[3]" at the end. */
static bool parse_index(struct db_name *name, const char *text, size_t length)
{
	char digits[12];
	uint64_t index;

	if (length < 3 || text[length - 1] != ']' || length - 2 >= sizeof(digits))
		return false;
	snprintf(digits, sizeof(digits), "%.*s", (int)(length - 2), text + 1);
	if (!gsc_parse_number(digits, &index) || index > UINT16_MAX)
		return false;
	name->index = (int)index;
	return true;
}

static enum gsc_status unknown(struct gsc_error *err, const char *what, const char *why)
{
	*err = (struct gsc_error){ .status = GSC_UNKNOWN };
	snprintf(err->what, sizeof(err->what), "%s", what);
	snprintf(err->why, sizeof(err->why), "%s", why);
	return GSC_UNKNOWN;
}

static enum gsc_status db_name_parse(struct db_name *name, const char *text,
				     struct gsc_error *err)
{
	const char *at = text, *dot = strchr(text, '.'), *bracket;
	size_t length;

	*name = (struct db_name){ .text = text, .instance = -1, .index = -1 };
	name->group = *text == '@';
	if (name->group)
		at++;
	if (dot && !name->group) {
		if (!parse_engine(name, text, (size_t)(dot - text)))
			return unknown(err, text, "unknown engine before the dot");
		at = dot + 1;
	}
	bracket = strchr(at, '[');
	length = bracket ? (size_t)(bracket - at) : strlen(at);
	if (bracket && !parse_index(name, bracket, strlen(bracket)))
		return usage_error(err, text, "expected an index such as [3] at the end");
	if (!length || length >= sizeof(name->name))
		return usage_error(err, text, length ? "too long for a name" : "empty name");
	memcpy(name->name, at, length);
	name->name[length] = 0;
	return GSC_OK;
}

/* ---- matching ------------------------------------------------------------------------------- */

static bool is_pattern(const struct db_name *name)
{
	return strpbrk(name->name, "*?") != NULL;
}

bool db_name_is_one(const struct db_name *name)
{
	return !name->group && !is_pattern(name);
}

/* Names only; for what is no definition. */
static bool db_name_fits(const struct db_name *name, const char *text)
{
	return is_pattern(name) ? !fnmatch(name->name, text, FNM_CASEFOLD | FNM_NOESCAPE)
				: !strcasecmp(name->name, text);
}

static bool place_fits(const struct gsc_db *db, const struct gsc_item *item,
		       const struct db_name *name)
{
	struct gsc_place place;

	for (size_t i = 0; gsc_item_place(db, item, i, &place); i++)
		if ((!name->engines || place.engines & name->engines) &&
		    (name->instance < 0 || place.instance < 0 ||
		     place.instance == name->instance) &&
		    (name->index < 0 || (unsigned)name->index < place.count))
			return true;
	return false;
}

/* The platforms where the item has that name. */
static uint64_t named_on(const struct gsc_db *db, const struct gsc_item *item,
			 const struct db_name *name)
{
	uint64_t platforms = 0, on;
	const char *alias;

	if (db_name_fits(name, item->name))
		return item->platforms;
	for (size_t i = 0; (alias = gsc_item_alias(db, item, i, &on)); i++)
		if (db_name_fits(name, alias))
			platforms |= on;
	return platforms;
}

uint64_t db_item_fits(const struct gsc_db *db, const struct gsc_item *item,
		      const struct db_name *name)
{
	uint64_t platforms;
	bool fits;

	if (name->group)
		return item->group && db_name_fits(name, item->group) ? item->platforms : 0;
	platforms = named_on(db, item, name);
	if (!platforms || (!name->engines && name->index < 0))
		return platforms;
	fits = item->kind == GSC_COMMAND ? item->engines & name->engines && name->index < 0
					 : place_fits(db, item, name);
	return fits ? platforms : 0;
}

bool db_reg_fits(const struct gsc_view *view, const struct gsc_reg *reg,
		 const struct db_name *name)
{
	const char *alias;
	bool fits;

	if (name->group)
		return reg->group && db_name_fits(name, reg->group);
	if ((name->engines && !(reg->engine && name->engines & 1u << reg->engine_class)) ||
	    (name->instance >= 0 && reg->engine_instance != (unsigned)name->instance) ||
	    (name->index >= 0 && reg->index != name->index))
		return false;
	fits = db_name_fits(name, reg->name);
	for (size_t i = 0; !fits && (alias = gsc_reg_alias(view, reg, i)); i++)
		fits = db_name_fits(name, alias);
	return fits;
}

/* ---- filters -------------------------------------------------------------------------------- */

static bool is_known(const struct gsc_db *db, const struct db_name *name)
{
	struct gsc_item item;

	for (unsigned kind = GSC_REGISTER; kind <= GSC_INSTRUCTION; kind++)
		for (size_t i = 0; gsc_item_at(db, (enum gsc_kind)kind, i, &item); i++)
			if (db_item_fits(db, &item, name))
				return true;
	return false;
}

/* A name as i915 writes it, if it is unknown as it is; the engine of a base is left open. */
static void take_spelling(const struct gsc_db *db, struct db_name *name)
{
	struct spellings all;

	if (name->group || !strchr(name->name, '(') || is_known(db, name))
		return;
	reg_spellings(name->name, &all);
	for (size_t i = 0; i < all.count; i++) {
		struct db_name other = *name;

		memcpy(other.name, all.items[i].name, sizeof(other.name));
		other.index = all.items[i].index;
		if (is_known(db, &other)) {
			*name = other;
			return;
		}
	}
}

enum gsc_status db_filter_make(struct db_filter *filter, const struct common *common,
			       struct gsc_error *err)
{
	const char *const *names = db_names(common, &filter->count);
	enum gsc_status status = GSC_OK;

	filter->names = calloc(filter->count + 1, sizeof(*filter->names));
	filter->met = calloc(filter->count + 1, sizeof(*filter->met));
	if (!filter->names || !filter->met)
		return err_memory(err);
	for (size_t i = 0; i < filter->count && !status; i++) {
		status = db_name_parse(&filter->names[i], names[i], err);
		if (!status)
			take_spelling(common->db, &filter->names[i]);
	}
	return status;
}

static enum gsc_status no_register(const struct common *common, const char *text, size_t next,
				   struct gsc_error *err)
{
	const struct gsc_view *view = view_of(common);
	char name[160], why[sizeof(err->why)];
	const char *before = "; nearest: ";
	struct gsc_reg reg;

	snprintf(why, sizeof(why), "no register at this address on %s", platform_of(common)->name);
	for (size_t i = next ? next - 1 : 0; i < gsc_view_count(view) && i <= next; i++) {
		gsc_view_reg(view, i, &reg);
		if (reg.space != GSC_MMIO)
			continue;
		gsc_reg_full_name(&reg, name, sizeof(name));
		string_addf(why, sizeof(why), "%s%s at 0x%llx", before, name,
		       (unsigned long long)reg.offset);
		before = ", ";
	}
	return unknown(err, text, why);
}

/* The register that contains an address. */
static enum gsc_status take_address(const struct common *common, uint64_t address,
				    struct db_name *name, struct gsc_error *err)
{
	const struct gsc_view *view = view_of(common);
	struct gsc_reg reg;
	size_t i;

	if (!view)
		return usage_error(err, name->text, "an address needs a platform: give -p");
	for (i = gsc_view_seek(view, GSC_MMIO, address > 7 ? address - 7 : 0);
	     i < gsc_view_count(view); i++) {
		gsc_view_reg(view, i, &reg);
		if (reg.space != GSC_MMIO || reg.offset > address)
			break;
		if (address - reg.offset >= reg.bits / 8)
			continue;
		snprintf(name->name, sizeof(name->name), "%s", reg.name);
		name->engines = reg.engine ? 1u << reg.engine_class : 0;
		name->instance = reg.engine ? (int)reg.engine_instance : -1;
		name->index = reg.index;
		return GSC_OK;
	}
	return no_register(common, name->text, i, err);
}

enum gsc_status db_filter_places(struct db_filter *filter, const struct common *common,
				 struct gsc_error *err)
{
	enum gsc_status status = db_filter_make(filter, common, err);
	uint64_t address;

	for (size_t i = 0; !status && i < filter->count; i++)
		if (gsc_parse_number(filter->names[i].text, &address))
			status = take_address(common, address, &filter->names[i], err);
	return status;
}

void db_filter_free(struct db_filter *filter)
{
	free(filter->names);
	free(filter->met);
}

bool db_filter_text(struct db_filter *filter, const char *text)
{
	bool fits = !filter->count;

	for (size_t i = 0; i < filter->count; i++)
		if (db_name_fits(&filter->names[i], text))
			fits = filter->met[i] = true;
	return fits;
}

bool db_filter_item(struct db_filter *filter, const struct gsc_db *db,
		    const struct gsc_item *item)
{
	bool fits = !filter->count;

	for (size_t i = 0; i < filter->count; i++)
		if (db_item_fits(db, item, &filter->names[i]))
			fits = filter->met[i] = true;
	return fits;
}

bool db_filter_reg(struct db_filter *filter, const struct gsc_view *view,
		   const struct gsc_reg *reg)
{
	bool fits = !filter->count;

	for (size_t i = 0; i < filter->count; i++)
		if (db_reg_fits(view, reg, &filter->names[i]))
			fits = filter->met[i] = true;
	return fits;
}

static uint64_t platforms_of(const struct gsc_db *db, unsigned kinds, const struct db_name *name)
{
	uint64_t platforms = 0;
	struct gsc_item item;

	for (unsigned kind = GSC_REGISTER; kind <= GSC_INSTRUCTION; kind++)
		for (size_t i = 0; kinds & 1u << kind &&
		     gsc_item_at(db, (enum gsc_kind)kind, i, &item); i++)
			platforms |= db_item_fits(db, &item, name);
	return platforms;
}

/* The names of definitions and their aliases, or the groups of registers, one by one. */
struct candidates {
	const struct gsc_db *db;
	unsigned kinds, kind;
	bool groups;
	size_t item_index, alias;
	struct gsc_item item;
};

static const char *next_candidate(void *context)
{
	struct candidates *c = context;
	const char *alias;

	if (c->item.name && !c->groups) {
		alias = gsc_item_alias(c->db, &c->item, c->alias++, NULL);
		if (alias)
			return alias;
	}
	while (c->kind <= GSC_INSTRUCTION) {
		if (!(c->kinds >> c->kind & 1) ||
		    !gsc_item_at(c->db, (enum gsc_kind)c->kind, c->item_index++, &c->item)) {
			c->kind++;
			c->item_index = 0;
			c->item.name = NULL;
			continue;
		}
		c->alias = 0;
		if (!c->groups)
			return c->item.name;
		if (c->item.group)
			return c->item.group;
	}
	return NULL;
}

static enum gsc_status missed(const struct common *common, unsigned kinds,
			      const struct db_name *name, struct gsc_error *err)
{
	struct candidates candidates = { .db = common->db, .kinds = kinds, .groups = name->group };
	uint64_t platforms = platforms_of(common->db, kinds, name);
	struct db_name bare = *name;
	char list[200], why[sizeof(err->why)], hint[HINT_SIZE];

	bare.engines = 0;
	bare.instance = bare.index = -1;
	if (!platforms && platforms_of(common->db, kinds, &bare))
		return unknown(err, name->text, "exists, but not with this engine or index");
	if (!platforms && is_pattern(name))
		return unknown(err, name->text, "no such name");
	if (!platforms) {
		gsc_name_unknown(name->name, next_candidate, &candidates, err);
		return unknown(err, name->text, strcpy(why, err->why));
	}
	if (platforms >> platform_of(common)->index & 1)
		snprintf(why, sizeof(why), "not on this revision of %s; to see why: %s which %s",
			 platform_of(common)->name,
			 hint_command(common, "db", hint, sizeof(hint)), name->text);
	else
		snprintf(why, sizeof(why), "not on %s, but on %s", platform_of(common)->name,
			 db_platforms(common->db, platforms, list, sizeof(list)));
	return unknown(err, name->text, why);
}

enum gsc_status db_filter_missed(const struct db_filter *filter, const struct common *common,
				 unsigned kinds, struct gsc_error *err)
{
	for (size_t i = 0; i < filter->count; i++)
		if (!filter->met[i])
			return missed(common, kinds, &filter->names[i], err);
	return GSC_OK;
}

bool db_items_add(struct db_items *items, const struct gsc_item *item)
{
	if (items->count == items->room) {
		size_t room = items->room ? items->room * 2 : 64;
		struct gsc_item *grown = realloc(items->items, room * sizeof(*grown));

		if (!grown)
			return false;
		items->items = grown;
		items->room = room;
	}
	items->items[items->count++] = *item;
	return true;
}

/* ---- engines -------------------------------------------------------------------------------- */

unsigned db_platform_engines(const struct common *common)
{
	unsigned engines = 0, class, instance;
	uint32_t base;

	for (size_t i = 0; gsc_platform_engine(common->db, platform_of(common)->index, i, &class,
					       &instance, &base); i++)
		engines |= 1u << class;
	return engines;
}
