/* SPDX-License-Identifier: MIT */
/* Caches of entries and of data, and facts about entries, as definitions have them. */
#include "db/view.h"

#include "util/text.h"

bool gsc_cache_next(const struct gsc_db *db, size_t *at, struct gsc_cache *cache)
{
	size_t i = (*at)++;
	const struct layer *l = db_layer_of(db, B_CACHES, &i);
	const struct b_cache *c;

	if (!l)
		return false;
	c = LAYER_ITEM(l, B_CACHES, struct b_cache, i);
	*cache = (struct gsc_cache){
		.item = {
			.name = layer_text(l, c->name), .doc = layer_text_or_null(l, c->text),
			.platforms = c->where.platforms, .revisions = where_stepped(&c->where),
			.engines = c->engines, .modes = layer_text_or_null(l, c->modes),
			.level = layer_text_or_null(l, c->levels),
		},
		.kind = cache_words[c->kind], .title = layer_text(l, c->title),
		.client = layer_text_or_null(l, c->client),
		.takes = layer_text_or_null(l, c->takes), .bytes = c->bytes,
		.entries = c->entries, .instance = c->instance,
	};
	layer_origin(l, c->origin, &cache->item.document, &cache->item.section);
	return true;
}

const char *gsc_cache_users(const struct gsc_cache *cache, char *buf, size_t size)
{
	struct text list = text_begin(buf, size - 1);

	for (unsigned i = 0; i < ENGINE_CLASSES; i++)
		if (cache->item.engines >> i & 1)
			text_join(&list, ", ", gsc_engine_class(i));
	if (cache->item.engines && cache->instance >= 0)
		text_add(&list, "%d", cache->instance);
	if (cache->client)
		text_join(&list, ", ", cache->client);
	return buf;
}

bool gsc_fact_next(const struct gsc_db *db, size_t *at, struct gsc_fact *fact)
{
	size_t i = (*at)++;
	const struct layer *l = db_layer_of(db, B_FACTS, &i);
	const struct b_fact *f;

	if (!l)
		return false;
	f = LAYER_ITEM(l, B_FACTS, struct b_fact, i);
	*fact = (struct gsc_fact){
		.about = about_words[f->about], .text = layer_text(l, f->text),
		.condition = layer_text_or_null(l, f->condition), .layer = l, .of = f,
		.modes = layer_text(l, f->modes), .levels = layer_text_or_null(l, f->levels),
	};
	layer_origin(l, f->origin, &fact->document, &fact->section);
	return true;
}
