/* SPDX-License-Identifier: MIT */
/* Caches of entries and of data, as definitions have them. */
#include "gtt/cache.h"

#include "db/engine.h"
#include "db/view.h"
#include "gtt/gtt.h"

bool gsc_cache_next(const struct gsc_db *db, size_t *at, struct gsc_cache *cache)
{
	size_t i = (*at)++;
	const struct layer *l = db_layer_of(db, B_CACHES, &i);
	const struct b_cache *c;

	if (!l)
		return false;
	c = LAYER_ITEM(l, B_CACHES, struct b_cache, i);
	*cache = (struct gsc_cache){
		.name = layer_text(l, c->name), .kind = cache_words[c->kind],
		.title = layer_text(l, c->title), .text = layer_text_or_null(l, c->text),
		.modes = layer_text_or_null(l, c->modes),
		.levels = layer_text_or_null(l, c->levels),
		.client = layer_text_or_null(l, c->client),
		.takes = layer_text_or_null(l, c->takes),
		.bytes = c->bytes, .entries = c->entries, .engines = c->engines,
		.instance = c->instance, .platforms = c->where.platforms,
		.revisions = where_stepped(&c->where),
	};
	layer_origin(l, c->origin, &cache->document, &cache->section);
	return true;}

/* Of an engine that is unknown, all serve it. */
static bool serves(const struct gsc_cache *c, const char *engine)
{
	int instance = -1, class = engine && *engine ? gsc_engine_parse(engine, &instance) : -1;

	if (class < 0)
		return true;
	if (!c->engines)
		return !c->client;
	return c->engines >> class & 1 &&
	       (instance < 0 || c->instance < 0 || instance == c->instance);
}

static bool keeps(const struct gsc_cache *cache, const struct gsc_walk *walk, char *buf,
		  size_t size)
{
	struct text levels = text_begin(buf, size - 1);

	for (size_t i = 0; i < walk->count; i++) {
		const struct gsc_entry *entry = &walk->steps[i].entry;

		if (!entry->bytes || !list_has(cache->modes, gsc_mode_name(entry->mode)))
			continue;
		if (!i && cache->levels && list_has(cache->levels, CACHE_ROOT))
			text_join(&levels, ",", CACHE_ROOT);
		if ((cache->levels ? list_has(cache->levels, entry->level) : entry->leaf) &&
		    !list_has(buf, entry->level))
			text_join(&levels, ",", entry->level);
	}
	return levels.used;
}

size_t gsc_cached(const struct gsc_view *view, const struct gsc_walk *walk, const char *engine,
		  struct gsc_cached cached[GSC_CACHED_MOST])
{
	struct gsc_cache *cache = &cached->cache;
	size_t count = 0;

	for (size_t i = 0; count < GSC_CACHED_MOST && gsc_cache_next(view->db, &i, cache);
	     cache = &cached[count].cache)
		count += !cache->takes && cache->modes && serves(cache, engine) &&
			 gsc_view_sees(view, cache->platforms, &cache->revisions) &&
			 keeps(cache, walk, cached[count].levels, sizeof(cached[count].levels));
	return count;
}

bool gsc_cache_taken(const struct gsc_cache *by, const struct gsc_cache *cache,
		     const struct gsc_view *view, const struct gsc_walk *walk, const char *engine)
{
	bool same = !by->engines || (!cache->engines && !cache->client) ||
		    (by->engines & cache->engines &&
		     (by->instance < 0 || cache->instance < 0 || by->instance == cache->instance));

	return by->takes && same && serves(by, engine) &&
	       gsc_view_sees(view, by->platforms, &by->revisions) &&
	       (list_has(by->takes, cache->name) || list_has(by->takes, cache->kind)) &&
	       (!by->modes || list_has(by->modes, gsc_mode_name(walk->mode)));
}

const char *gsc_cache_older(const struct gsc_translation *translation, const struct gsc_walk *walk,
			    const char *engine, char *buf, size_t size)
{
	const struct gsc_view *view = translation->gpu->view;
	struct gsc_cached cached[GSC_CACHED_MOST];
	size_t count = walk->mapped ? gsc_cached(view, walk, engine, cached) : 0;
	struct text list = text_begin(buf, size - 1);
	struct gsc_cache by;

	for (size_t i = 0; count && gsc_cache_next(view->db, &i, &by);) {
		bool taken = false;

		for (size_t k = 0; k < count && !taken; k++)
			taken = !strcmp(cached[k].cache.kind, cache_words[CACHE_TLB]) &&
				gsc_cache_taken(&by, &cached[k].cache, view, walk, engine);
		if (taken)
			text_join(&list, ", ", by.name);
	}
	return list.used ? buf : NULL;
}

const char *gsc_cache_users(const struct gsc_cache *cache, char *buf, size_t size)
{
	struct text list = text_begin(buf, size - 1);

	for (unsigned i = 0; i < ENGINE_CLASSES; i++)
		if (cache->engines >> i & 1)
			text_join(&list, ", ", gsc_engine_class(i));
	if (cache->engines && cache->instance >= 0)
		text_add(&list, "%d", cache->instance);
	if (cache->client)
		text_join(&list, ", ", cache->client);
	return buf;
}
