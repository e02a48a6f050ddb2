/* SPDX-License-Identifier: MIT */
/*
 * A walk as JSON. Entries that only serve to reach another one are inside that one: `vtd`,
 * second-level tables; `through`, tables of the mode for an address inside it. Entries alone.
 */
#include "out/walk.h"

#include "gtt/cache.h"

KEYS()
static void json_entry_fields(struct gsc_json *json, const struct gsc_view *view,
			      const struct gsc_entry *entry)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	KEY_ARRAY("fields", OF(field));
	/* One that could not be read has none: zeros would be invented. */
	if (entry->bytes)
		entry_fields(view, entry, &it);
	while (entry->bytes && entry_field_next(&it, &field))
		ITEM(json_field(json, &field));
	gsc_json_array_end(json);
}

KEYS(accessFact, "about: memory type, MOCS 3 (what these registers say), result, snooping, "
     "atomics, order, drivers. origin: null of what registers say.")
static void json_fact(struct gsc_json *json, const struct gsc_view *view,
		      const struct gsc_fact *fact)
{
	char origin[400];

	KEY(text, "about", fact->about);
	KEY(text, "text", fact->text);
	KEY(text_or_null, "origin",
	    named_origin(view->db, fact->document, fact->section, origin, sizeof(origin)));
}

KEYS()
static void json_access(struct gsc_json *json, const struct gsc_gpu *gpu,
		       const struct gsc_entry *entry, const struct gsc_mocs *mocs)
{
	struct gsc_facts facts;
	struct gsc_fact fact;

	if (entry)
		gsc_facts_begin(&facts, gpu, entry, mocs);
	/* Facts about all such entries are in gpu-db show. */
	KEY_EACH(object, "access", while (entry && gsc_facts_next(&facts, &fact) && fact.about),
		 json_fact(json, gpu->view, &fact), "How the page is accessed; empty of a table.");
}

static void json_steps(struct gsc_json *json, const char *key, const struct gsc_view *view,
		       const struct gsc_walk *walk, size_t first, size_t end, bool vtd);

static bool is_vtd(const struct gsc_step *step)
{
	return step->entry.mode == GSC_MODE_VTD;
}

/* Null if no step of that sort is among first..end-1. */
static void json_some_steps(struct gsc_json *json, const char *key, const struct gsc_view *view,
			    const struct gsc_walk *walk, size_t first, size_t end, bool vtd)
{
	for (size_t i = step_next(walk, first, end); i < end; i = step_next(walk, i + 1, end)) {
		if (is_vtd(&walk->steps[i]) != vtd)
			continue;
		json_steps(json, key, view, walk, first, end, vtd);
		return;
	}
	gsc_json_null(json, key);
}

KEYS()
static void json_serving(struct gsc_json *json, const struct gsc_view *view,
			 const struct gsc_walk *walk, size_t first, size_t end)
{
	json_some_steps(json, KEY_NAME(array, "vtd", OF(level), MIN_ITEMS(1), OR_NULL), view, walk,
			first, end, true);
	json_some_steps(json, KEY_NAME(array, "through", OF(level), MIN_ITEMS(1), OR_NULL), view,
			walk, first, end, false);
}

KEYS(level, "entry: where the entry was read from, in space. vtd: the second-level entries that "
     "this took; through: those of the mode itself, for a table at a graphics address. raw: of "
     "entries wider than 64 bits HIGH:...:LOW; null of one that could not be read.")
static void json_step(struct gsc_json *json, const struct gsc_view *view,
		      const struct gsc_walk *walk, size_t first, size_t i)
{
	const struct gsc_step *step = &walk->steps[i];
	char raw[WORDS_TEXT_MAX];

	KEY(text, "level", step->entry.level);
	KEY(number, "index", step->index);
	KEY(text, "space", space_word(step->space, step->guest),
	    ONE_OF("phys", "ggtt", "lmem", "stolen", "guest", "graphics"));
	KEY(hex, "table", step->table);
	KEY(hex, "entry", step->address);
	KEY_OR_NULL(step->entry.bytes, text, "raw", words_text(&step->entry, false, raw),
		    PATTERN("^0x(0|[1-9a-f][0-9a-f]*)(:0x(0|[1-9a-f][0-9a-f]*))*$"));
	json_entry_fields(json, view, &step->entry);
	json_serving(json, view, walk, first, i);
}

static void json_steps(struct gsc_json *json, const char *key, const struct gsc_view *view,
		       const struct gsc_walk *walk, size_t first, size_t end, bool vtd)
{
	gsc_json_array(json, key);
	for (size_t i = step_next(walk, first, end); i < end;
	     first = i + 1, i = step_next(walk, first, end))
		if (is_vtd(&walk->steps[i]) == vtd)
			ITEM(json_step(json, view, walk, first, i));
	gsc_json_array_end(json);
}

KEYS()
static void json_result(struct gsc_json *json, const struct gsc_translation *t,
			const struct gsc_walk *walk)
{
	bool memory = walk->mapped && !walk->null;
	const char *flag;
	char buf[32];

	KEY(flag, "mapped", walk->mapped);
	json_place(json, memory, walk->space, walk->physical);
	KEY_OR_NULL(walk->mapped, number, "page_size", walk->page_size, MIN(1));
	KEY_OR_NULL(memory, text, "memory", memory_word(walk->space, walk->stolen),
		    ONE_OF(memory_word));
	KEY_EACH(text, "flags",
		 for (size_t i = 0;
		      walk->mapped && (flag = gsc_walk_flag(t, walk, i, buf, sizeof(buf))); i++),
		 flag);
}

KEYS(stop)
static void json_stop(struct gsc_json *json, const struct gsc_walk *walk)
{
	KEY(some_text, "level", walk->stop_level);
	KEY(text, "reason", gsc_stop_word(walk->stop), ONE_OF(gsc_stop_word));
	KEY(text, "text", walk->stop_text, MIN_LENGTH(1));
}

KEYS()
static void json_root(struct gsc_json *json, enum gsc_mode mode, const struct gsc_root *root)
{
	char buf[ROOT_TEXT_MAX];

	KEY(text, "mode", gsc_mode_name(mode), ONE_OF(gsc_mode_name));
	KEY(text_or_null, "root", gsc_root_text(root, buf, sizeof(buf)),
	    "As --root takes it; null for the global table.",
	    PATTERN("^0x(0|[1-9a-f][0-9a-f]*)((,0x(0|[1-9a-f][0-9a-f]*))*|/[0-9]+)$"));
}

KEYS(cached, "name: in gpu-db list --tlbs. levels: of the walk's entries that it keeps. "
     "invalidated_by: names in gpu-db list --invalidations.")
static void json_cached(struct gsc_json *json, const struct gsc_cached *cached, size_t i,
			size_t count)
{
	KEY(text, "name", cached[i].cache.item.name);
	KEY(text, "levels", cached[i].levels);
	KEY_EACH(text, "invalidated_by",
		 for (size_t k = i; k < count; k++) if (cached[k].taken >> i & 1),
		 cached[k].cache.item.name);
}

KEYS(walk, "vtd: second-level entries for the page itself; through: entries of the mode for a "
     "table of tiled resources that was not reached. stolen_offset: in stolen memory from GSMBASE "
     "on, which the source does not have; physical is then null. written: what the hardware writes "
     "back into entries. note: a remark. caches: those that may keep these entries, for the engine "
     "whose tables they are, or for any; empty if it is not mapped.",
     RULE("'if': {'properties': {'mapped': {'const': true}}},"
	  "'then': {'properties': {'stop': {'type': 'null'}, 'page_size': {'type': 'integer'}}},"
	  "'else': {'properties': {'stop': {'type': 'object'}, 'physical': {'type': 'null'},"
	  "                        'page_size': {'type': 'null'}, 'memory': {'type': 'null'},"
	  "                        'flags': {'maxItems': 0}}}"))
void gsc_json_walk(struct gsc_json *json, const struct gsc_translation *t,
		   const struct gsc_walk *walk)
{
	struct gsc_cached cached[GSC_CACHED_MOST];
	size_t end = walk->count, count;

	/* Steps from there on serve the page itself, or an entry that was not reached. */
	while (end && step_depth(&walk->steps[end - 1]))
		end--;
	KEY(hex, "address", walk->address);
	json_root(json, walk->mode, gsc_translation_root(t));
	json_result(json, t, walk);
	json_steps(json, KEY_NAME(array, "levels", OF(level)), t->gpu->view, walk, 0, end, false);
	json_serving(json, t->gpu->view, walk, end, walk->count);
	KEY_OR_NULL(!walk->mapped, object, "stop", json_stop(json, walk));
	KEY(some_text, "written", walk->written);
	KEY(some_text, "note", walk->note);
	json_access(json, t->gpu, walk_last(walk), &t->options.mocs);
	count = walk->mapped ? gsc_cached(t->gpu->view, walk, gsc_translation_root(t)->engine,
					  cached) : 0;
	KEY_EACH(object, "caches", for (size_t i = 0; i < count && !cached[i].cache.takes; i++),
		 json_cached(json, cached, i, count), OF(cached));
}

/* ---- what all elements of a document share -------------------------------------------------- */

KEYS(secondLevel)
static void json_vtd(struct gsc_json *json, const struct gsc_translation_options *options)
{
	KEY(hex, "root", options->vtd.root);
	KEY(number, "levels", options->vtd.levels, MIN(3), MAX(5));
}

KEYS(tiledResources)
static void json_trtt(struct gsc_json *json, const struct gsc_translation_options *options)
{
	KEY(hex, "l3", options->trtt.l3);
	KEY(hex, "va", options->trtt.va & 0xf);
	KEY_OR_NULL(options->trtt.has_null, hex, "null", options->trtt.null);
	KEY_OR_NULL(options->trtt.has_invalid, hex, "invalid", options->trtt.invalid);
	KEY(some_text, "from", options->trtt.from);
}

/* `mode`, `root` and the tables in front and below. */
KEYS()
void gsc_json_root(struct gsc_json *json, const struct gsc_translation *t)
{
	const struct gsc_translation_options *options = &t->options;
	const struct gsc_root *root = gsc_translation_root(t);

	json_root(json, root->mode, root);
	KEY(some_text, "from", root->from, "How the root was found.");
	KEY_OR_NULL(options->vtd.on, object, "vtd", json_vtd(json, options),
		    "Second-level tables, which translate the addresses in all other tables.");
	KEY_OR_NULL(options->trtt.on, object, "trtt", json_trtt(json, options),
		    "Tables of tiled resources, which translate an address before the other "
		    "tables.");
}

/* ---- entries -------------------------------------------------------------------------------- */

KEYS(entry, "level: the actual level (a pde may be a pde2m). space: the address space of "
     "`address`. page_size: null if the entry leads to a table; `next` is then the level of that "
     "table. raw: for entries wider than 64 bits HIGH:...:LOW.",
     RULE("'if': {'properties': {'valid': {'const': false}}},"
	  "'then': {'properties': {'address': {'type': 'null'}, 'page_size': {'type': 'null'},"
	  "                        'next': {'type': 'null'}}},"
	  "'else': {'properties': {'address': {'type': 'string'}}}"))
void gsc_json_entry(struct gsc_json *json, const struct gsc_gpu *gpu, const struct gsc_entry *entry,
		    const struct gsc_mocs *mocs)
{
	const struct gsc_view *view = gpu->view;
	char raw[WORDS_TEXT_MAX], problem[256];
	uint64_t pat;
	bool has;

	KEY(text, "raw", words_text(entry, false, raw),
	    PATTERN("^0x(0|[1-9a-f][0-9a-f]*)(:0x(0|[1-9a-f][0-9a-f]*))*$"));
	KEY(text, "mode", gsc_mode_name(entry->mode), ONE_OF(gsc_mode_name));
	KEY(text, "level", entry->level);
	KEY(flag, "valid", entry->valid);
	KEY_OR_NULL(entry->valid, text, "space", space_word(entry->space, false),
		    ONE_OF("phys", "lmem", "stolen", "ggtt", "graphics"));
	KEY_OR_NULL(entry->valid, hex, "address", entry->address);
	KEY_OR_NULL(entry->valid && entry->page_size, number, "page_size", entry->page_size,
		    MIN(1));
	KEY(text_or_null, "next", entry->valid ? entry->next : NULL);
	json_entry_fields(json, view, entry);
	pat = gsc_entry_value(view, entry, "PAT_INDEX", &has);
	KEY_OR_NULL(has, number, "pat_index", pat, MAX(31));
	KEY_EACH(text, "problems",
		 for (size_t i = 0;
		      gsc_entry_problem(view, entry, i, problem, sizeof(problem)); i++),
		 problem);
	json_access(json, gpu, entry, mocs);
}
