/* SPDX-License-Identifier: MIT */
/*
 * What invalidates caches names an item with its field and value, and caches: all of them are
 * looked up in what would be compiled, and in the built-in data below it.
 */
#include "db/view.h"
#include "dbc/build.h"
#include "util/number.h"
#include "util/text.h"

#include <stdlib.h>
#include <string.h>

struct named {
	const char *name;
	bool cache;
	struct gsc_item item;		/* a command or structure */
};

struct naming {
	struct build *b;
	const struct gsc_db *db;
	VEC(struct named) names;	/* of caches, commands and structures, sorted */
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static bool add_name(struct naming *n, const char *name, const struct gsc_item *item)
{
	return vec_push(&n->names, ((struct named){ name, !item->name, *item }));
}

static bool collect(struct naming *n)
{
	static const enum gsc_kind kinds[] = { GSC_COMMAND, GSC_STRUCTURE };
	struct gsc_item item = { .name = NULL };
	struct gsc_cache cache;
	const char *alias;

	for (size_t i = 0; gsc_cache_next(n->db, &i, &cache);)
		if (!cache.takes && !add_name(n, cache.item.name, &item))
			return false;
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
		for (size_t i = 0; gsc_item_at(n->db, kinds[k], i, &item); i++) {
			if (!add_name(n, item.name, &item))
				return false;
			for (size_t a = 0; (alias = gsc_item_alias(n->db, &item, a, NULL)); a++)
				if (!add_name(n, alias, &item))
					return false;
		}
	vec_sort(&n->names, by_name);
	return true;
}

/* The first of several; NULL: none. */
static const struct named *find(const struct naming *n, const char *name)
{
	const struct named key = { .name = name };
	const struct named *found = n->names.count ? bsearch(&key, n->names.items, n->names.count,
							      sizeof(key), by_name) : NULL;

	while (found && found > n->names.items && !strcmp(found[-1].name, name))
		found--;
	return found;
}

/* Where the item has the field with that value; "" or NULL: any. */
static uint64_t has_field(const struct naming *n, const struct gsc_item *item, const char *name,
			  const char *value)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_value named;
	uint64_t number, found = *name ? 0 : item->platforms;

	gsc_item_fields(n->db, NULL, item, NULL, 0, &it);
	while (*name && gsc_field_next(&it, &field)) {
		uint64_t most = bits_below(MIN(field.hi - field.lo + 1, 64u));
		bool fits = !value || (gsc_parse_number(value, &number) && number <= most);

		for (size_t i = 0; !fits && gsc_field_value(&it, i, &named); i++)
			fits = !strcmp(named.name, value);
		if (fits && !strcmp(field.name, name))
			found |= field.platforms;
	}
	return found;
}

static void check(const struct naming *n, const struct b_cache *cache)
{
	struct build *b = n->b;
	const char *text = build_text(b, cache->name), *file = build_text(b, cache->file);
	const char *list = build_text(b, cache->takes);
	struct gsc_match matches[32];
	const struct named *named, *end = n->names.items + n->names.count;
	bool takes_item = cache->kind >= BY_REGISTER && cache->kind < BY_EVENT, any;
	struct gsc_item item;
	char name[200], *field, *value;
	uint64_t found = 0, left;
	size_t count;

	string_set(name, "%s", text);
	field = name + strcspn(name, ".=");
	value = strchr(name, '=');
	if (value)
		*value++ = '\0';
	if (*field)
		*field++ = '\0';
	named = find(n, name);
	count = MIN(gsc_db_find(n->db, name, matches, ARRAY_SIZE(matches)), ARRAY_SIZE(matches));
	any = count || (named && !named->cache);
	for (size_t i = 0; i < count; i++) {
		gsc_item_by_def(n->db, GSC_REGISTER, matches[i].def, &item);
		found |= has_field(n, &item, field, value);
	}
	for (; named && named < end && !strcmp(named->name, name); named++)
		if (!named->cache)
			found |= has_field(n, &named->item, field, value);
	left = cache->where.platforms & all_platforms(b) & ~found;
	if (takes_item && !any)
		finding_in(b, "cache", file, cache->line,
			   "%s is no register, command or structure", text);
	else if (takes_item && left)
		finding_in(b, "cache", file, cache->line, "%s is no item with this field and value "
			   "on %s", text, build_platform_text(b, build_platform(b,
			   (unsigned)__builtin_ctzll(left))->name));
	for (size_t length; *list; list += length + (list[length] == ',')) {
		bool kind = false;

		length = strcspn(list, ",");
		string_set(name, "%.*s", (int)length, list);
		for (unsigned i = 0; i < CACHE_KINDS; i++)
			kind |= !strcmp(cache_words[i], name);
		named = kind ? NULL : find(n, name);
		if (!kind && (!named || !named->cache))
			finding_in(b, "cache", file, cache->line, "%s takes an unknown cache: %s",
				   text, name);
	}
}

void check_cache_names(struct build *b, const struct gsc_db *db)
{
	struct naming n = { .b = b, .db = db };

	if (b->caches.count)
		b->failed |= !collect(&n);
	for (size_t i = 0; i < b->caches.count && !b->failed && !findings_full(b); i++)
		check(&n, &b->caches.items[i]);
	vec_free(&n.names);
}
