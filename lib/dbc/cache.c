/* SPDX-License-Identifier: MIT */
/* `cache` and `invalidation`: what keeps entries of page tables, or data, and what empties it. */
#include "db/db.h"
#include "dbc/build.h"
#include "util/text.h"

#include <string.h>

/*
 * cache NAME "TITLE" kind=WORD [entries=N] [bytes=N] [client=WORD] [level=LEVELS] ...
 * invalidation ITEM[.FIELD[=VALUE]]|"EVENT" by=WORD takes=CACHE|KIND[,...] ...
 * Both: [engine=] [mode=MODES] [on=] ["TEXT"]
 */
void parse_cache(struct build *b, const struct line *line, struct scope *scope)
{
	static const char *const ways[CACHE_WORDS] = {
		[BY_REGISTER] = "register", [BY_COMMAND] = "command", [BY_GUC] = "guc",
		[BY_EVENT] = "event",
	};
	static const struct attribute words[] = {
		{ ATTRIBUTE_ONE_OF, "kind", TO_MEMBER(struct b_cache, kind), 0, CACHE_KINDS,
		  cache_words },
		ONE_WORD_OF("by", struct b_cache, kind, ways),
		NUMBER_OF("entries", struct b_cache, entries, 1, UINT32_MAX),
		NUMBER_OF("bytes", struct b_cache, bytes, 1, UINT32_MAX),
		STRING_OF("client", struct b_cache, client),
		STRING_OF("mode", struct b_cache, modes),
		STRING_OF("level", struct b_cache, levels),
		STRING_OF("takes", struct b_cache, takes), TEXT_OF(struct b_cache, text), { 0 },
	};
	const struct word *name = word_at(line, 1), *title = word_at(line, 2);
	bool keeps = word_is(line->word, "cache");
	struct scope own = *scope;
	struct b_cache cache = { .name = word_string(b, name), .line = line->number,
				 .origin = scope->origin, .kind = CACHE_WORDS };

	if (keeps && !(is_name(name) && title->quoted)) {
		expected(b, name, "the cache's name, and its \"title\"");
		return;
	}
	if (keeps)
		cache.title = word_string(b, title);
	parse_attributes(b, word_at(line, keeps ? 3 : 2), words, &cache, &own,
			 keeps ? "kind=, entries=, bytes=, engine=, client=, mode=, level=, on= or "
				 "a \"text\"" : "by=, takes=, engine=, mode=, on= or a \"text\"");
	if (!cache.name || (keeps ? cache.kind >= CACHE_KINDS
				  : cache.kind < CACHE_KINDS || cache.kind == CACHE_WORDS ||
				    !cache.takes)) {
		expected(b, word_at(line, line->count), keeps ? "kind=" : "by= and takes=");
		return;
	}
	cache.file = file_string(b);
	cache.where = own.where;
	if (own.engines)
		where_engines(b, own.engines, &cache.where);
	cache.engines = own.engines;
	cache.instance = own.engine_instance;
	build_add(b, caches, cache);
}

/* ---- checks --------------------------------------------------------------------------------- */

static void tell(struct build *b, const struct b_cache *cache, const char *rule, const char *what,
		 const char *more)
{
	finding_in(b, rule, build_text(b, cache->file), cache->line, "%s%s%s",
		   build_text(b, cache->name), what, more);
}

/* The platforms on which the name is something that can invalidate, and has the field if any. */
static uint64_t found_as(const struct build *b, const struct b_cache *cache,
			 const struct b_name *name, const char *field, uint64_t value)
{
	struct b_slice fields;
	uint64_t on, found = 0;

	if (name->kind == ITEM_REG && cache->kind == BY_REGISTER) {
		on = b->regs.items[name->item].where.platforms;
		fields = b->regs.items[name->item].fields;
	} else if (name->kind == ITEM_COMMAND && cache->kind == BY_COMMAND &&
		   (!cache->engines || cache->engines & b->commands.items[name->item].engines)) {
		on = b->commands.items[name->item].where.platforms;
		fields = b->commands.items[name->item].fields;
	} else if (name->kind == ITEM_STRUCT && cache->kind == BY_GUC) {
		on = b->structs.items[name->item].where.platforms;
		fields = b->structs.items[name->item].fields;
	} else {
		return 0;
	}
	for (uint32_t i = 0; i < fields.count; i++) {
		const struct b_field *f = &b->fields.items[fields.first + i];

		if (!strcmp(build_text(b, f->name), field) &&
		    (f->hi - f->lo >= 63 || !(value >> (f->hi - f->lo + 1))))
			found |= on & f->where.platforms;
	}
	return *field ? found : on;
}

/* The first of the sorted names that is this one, or comes after it. */
static size_t name_seek(const struct build *b, const char *name)
{
	size_t lo = 0, hi = b->names.count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (name_compare(build_text(b, b->names.items[mid].name), name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* ITEM, ITEM.FIELD or ITEM.FIELD=VALUE exists on all platforms; of the built-in data, on any. */
static void check_item(struct build *b, const struct b_cache *cache)
{
	const struct layer *base = b->base ? db_base(b->base) : NULL;
	uint64_t left = cache->where.platforms & all_platforms(b), value = 0;
	char item[200], *field, *number;
	uint32_t k;

	string_set(item, "%s", build_text(b, cache->name));
	number = item + strcspn(item, "=");
	if (*number && !slice_number(slice_string(number + 1), &value))
		value = UINT64_MAX;
	*number = 0;
	field = item + strcspn(item, ".");
	if (*field)
		*field++ = 0;
	for (size_t i = name_seek(b, item); i < b->names.count &&
	     !name_compare(build_text(b, b->names.items[i].name), item); i++)
		left &= ~found_as(b, cache, &b->names.items[i], field, value);
	k = base ? layer_seek(base, B_NAMES, sizeof(struct c_name), item, name_compare) : 0;
	if (left && !(base && k < layer_count(base, B_NAMES) &&
		      !name_compare(layer_text(base, LAYER_ITEM(base, B_NAMES, struct c_name, k)
								     ->name), item)))
		tell(b, cache, "cache", " is no such item or field on ", build_platform_text(b,
		     build_platform(b, (unsigned)__builtin_ctzll(left))->name));
}

/* One of these caches has the name, and a platform in common. */
static bool has_cache(const struct b_cache *caches, size_t count, const char *strings,
		      const char *name, const struct b_where *where)
{
	for (size_t i = 0; i < count; i++)
		if (caches[i].kind < CACHE_KINDS && wheres_meet(&caches[i].where, where) &&
		    !strcmp(strings + caches[i].name, name))
			return true;
	return false;
}

static void check_takes(struct build *b, const struct b_cache *cache)
{
	const struct layer *base = b->base ? db_base(b->base) : NULL;
	const char *list = build_text(b, cache->takes);
	char word[64];

	for (size_t length; *list; list += length + (list[length] == ',')) {
		bool known = false;

		length = strcspn(list, ",");
		string_set(word, "%.*s", (int)length, list);
		for (unsigned i = 0; i < CACHE_KINDS; i++)
			known |= !strcmp(cache_words[i], word);
		if (!known && !has_cache(b->caches.items, b->caches.count, b->strings.items, word,
					 &cache->where) &&
		    !(base && has_cache(layer_section(base, B_CACHES), layer_count(base, B_CACHES),
					layer_text(base, 0), word, &cache->where)))
			tell(b, cache, "cache", " takes an unknown cache: ", word);
	}
}

void check_caches(struct build *b)
{
	for (size_t i = 0; i < b->caches.count && !findings_full(b); i++) {
		const struct b_cache *cache = &b->caches.items[i];

		if (cache->origin == NONE)
			tell(b, cache, "origin",
			     " has no origin, expected an `origin` line before it", "");
		if (!(cache->where.platforms & all_platforms(b)))
			tell(b, cache, "unreachable", " applies to no platform", "");
		if (cache->kind >= BY_REGISTER && cache->kind < BY_EVENT)
			check_item(b, cache);
		check_takes(b, cache);
		if (cache->kind < CACHE_KINDS &&
		    has_cache(b->caches.items, i, b->strings.items, build_text(b, cache->name),
			      &cache->where))
			tell(b, cache, "cache", " is defined twice", "");
	}
}
