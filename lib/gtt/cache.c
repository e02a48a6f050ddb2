/* SPDX-License-Identifier: MIT */
/* Caches of entries and of data, as definitions have them. */
#include "gtt/cache.h"

#include "db/engine.h"
#include "gtt/gtt.h"

/* Of an engine that is unknown, all serve it. */
static bool serves(const struct gsc_cache *c, const char *engine)
{
	int instance = -1, class = engine && *engine ? gsc_engine_parse(engine, &instance) : -1;

	if (class < 0 || !c->item.engines)
		return class < 0 || !c->client;
	return c->item.engines >> class & 1 &&
	       (instance < 0 || c->instance < 0 || instance == c->instance);
}

static bool keeps(struct gsc_cached *cached, const struct gsc_walk *walk)
{
	const char *has = cached->cache.item.level, *modes = cached->cache.item.modes;
	struct text levels = text_of(cached->levels);

	for (size_t i = 0; modes && i < walk->count; i++) {
		const struct gsc_entry *entry = &walk->steps[i].entry;

		if (!entry->bytes || !list_has(modes, gsc_mode_name(entry->mode)))
			continue;
		if (!i && has && list_has(has, CACHE_ROOT))
			text_join(&levels, ",", CACHE_ROOT);
		if ((has ? list_has(has, entry->level) : entry->leaf) &&
		    !list_has(cached->levels, entry->level))
			text_join(&levels, ",", entry->level);
	}
	return levels.used;
}

/* A bit for each of the caches that it invalidates. */
static uint64_t taken_by(const struct gsc_cache *by, const struct gsc_cached *cached, size_t count)
{
	uint64_t taken = 0;

	for (size_t i = 0; i < count; i++) {
		const struct gsc_cache *c = &cached[i].cache;

		if ((!by->item.engines || (!c->item.engines && !c->client) ||
		     (by->item.engines & c->item.engines &&
		      (by->instance < 0 || c->instance < 0 || by->instance == c->instance))) &&
		    (list_has(by->takes, c->item.name) || list_has(by->takes, c->kind)))
			taken |= UINT64_C(1) << i;
	}
	return taken;
}

size_t gsc_cached(const struct gsc_view *view, const struct gsc_walk *walk, const char *engine,
		  struct gsc_cached cached[GSC_CACHED_MOST])
{
	const char *mode = gsc_mode_name(walk->mode);
	size_t count = 0, caches = 0;

	for (int by = false; by <= true; by++, caches = count)
		for (size_t i = 0; count < GSC_CACHED_MOST &&
		     gsc_cache_next(view->db, &i, &cached[count].cache);) {
			struct gsc_cached *c = &cached[count];
			const struct gsc_item *item = &c->cache.item;

			if (by != (c->cache.takes != NULL) || !serves(&c->cache, engine) ||
			    !gsc_view_sees(view, item->platforms, &item->revisions))
				continue;
			c->taken = by && (!item->modes || list_has(item->modes, mode))
					   ? taken_by(&c->cache, cached, caches) : 0;
			count += by ? c->taken != 0 : keeps(c, walk);
		}
	return count;
}

const char *gsc_cache_older(const struct gsc_translation *translation, const struct gsc_walk *walk,
			    const char *engine, char *buf, size_t size)
{
	struct gsc_cached cached[GSC_CACHED_MOST];
	size_t count = walk->mapped
			       ? gsc_cached(translation->gpu->view, walk, engine, cached) : 0;
	struct text list = text_begin(buf, size - 1);
	uint64_t tlbs = 0;

	for (size_t i = 0; i < count; i++) {
		tlbs |= (uint64_t)!strcmp(cached[i].cache.kind, cache_words[CACHE_TLB]) << i;
		if (cached[i].taken & tlbs)
			text_join(&list, ", ", cached[i].cache.item.name);
	}
	return list.used ? buf : NULL;
}
