/* SPDX-License-Identifier: MIT */
/* gpu-db list --platforms, --properties, --groups, --documents and --ids. */
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One thing that is listed, in words: the columns of a line in order. */
struct fact {
	char name[64], more[64];
	const char *title;
	unsigned platform;		/* index */
	size_t count;			/* of ids, registers; a property's index */
	uint64_t platforms;
};

struct facts {
	struct fact *items;
	size_t count, room;
};

static struct fact *add(struct facts *facts)
{
	if (facts->count == facts->room) {
		size_t room = facts->room ? facts->room * 2 : 64;
		struct fact *grown = realloc(facts->items, room * sizeof(*grown));

		if (!grown)
			return NULL;
		facts->items = grown;
		facts->room = room;
	}
	facts->items[facts->count] = (struct fact){ 0 };
	return &facts->items[facts->count++];
}

/* ---- collecting ----------------------------------------------------------------------------- */

typedef bool collect_fn(struct facts *facts, const struct common *common,
			struct db_filter *filter);

static bool other_platform(const struct common *common, unsigned platform)
{
	return common->gpu && platform_of(common)->index != platform;
}

static size_t id_count(const struct gsc_db *db, unsigned platform)
{
	const char *text;
	size_t count = 0;
	uint16_t device;
	unsigned of;

	for (size_t i = 0; gsc_platform_id(db, i, &device, &of, &text); i++)
		count += of == platform;
	return count;
}

static bool platform_fits(struct db_filter *filter, const struct gsc_db *db,
			  const struct gsc_platform *p)
{
	bool fits = db_filter_text(filter, p->name);
	const char *alias;

	for (size_t i = 0; (alias = gsc_platform_alias(db, p->index, i)); i++)
		fits |= db_filter_text(filter, alias);
	return fits;
}

static bool collect_platforms(struct facts *facts, const struct common *common,
			      struct db_filter *filter)
{
	struct gsc_platform p;
	struct fact *fact;

	for (unsigned i = 0; gsc_platform_at(common->db, i, &p); i++) {
		if (other_platform(common, i) || !platform_fits(filter, common->db, &p))
			continue;
		fact = add(facts);
		if (!fact)
			return false;
		snprintf(fact->name, sizeof(fact->name), "%s", p.name);
		snprintf(fact->more, sizeof(fact->more), "%u.%02u", p.graphics / 100,
			 p.graphics % 100);
		fact->title = p.title;
		fact->platform = i;
		fact->count = id_count(common->db, i);
	}
	return true;
}

/* All of them, or those that a platform has. */
static bool collect_properties(struct facts *facts, const struct common *common,
			       struct db_filter *filter)
{
	struct gsc_platform_property p;

	for (size_t i = 0;
	     gsc_platform_property(common->db, platform_of(common)->index, i, &p); i++) {
		struct fact *fact;

		if (!db_filter_text(filter, p.name) || (common->gpu && !p.value))
			continue;
		fact = add(facts);
		if (!fact)
			return false;
		snprintf(fact->name, sizeof(fact->name), "%s", p.name);
		if (common->gpu)
			snprintf(fact->more, sizeof(fact->more), "%u", p.value);
		fact->title = p.text;
		fact->count = i;
		for (unsigned n = 0; gsc_platform_property(common->db, n, i, &p); n++)
			fact->platforms |= (uint64_t)(p.value > 0) << n;
	}
	return true;
}

static struct fact *find_fact(const struct facts *facts, const char *name)
{
	for (size_t i = facts->count; i-- > 0;)
		if (!strcmp(facts->items[i].name, name))
			return &facts->items[i];
	return NULL;
}

static bool collect_groups(struct facts *facts, const struct common *common,
			   struct db_filter *filter)
{
	struct gsc_item item;

	for (size_t i = 0; gsc_item_at(common->db, GSC_REGISTER, i, &item); i++) {
		struct fact *fact;

		if (!item.group || !db_filter_text(filter, item.group) ||
		    (common->gpu && !(item.platforms >> platform_of(common)->index & 1)))
			continue;
		fact = find_fact(facts, item.group);
		if (!fact)
			fact = add(facts);
		if (!fact)
			return false;
		snprintf(fact->name, sizeof(fact->name), "%s", item.group);
		fact->title = item.group_title;
		fact->count++;
		fact->platforms |= item.platforms;
	}
	return true;
}

static bool collect_documents(struct facts *facts, const struct common *common,
			      struct db_filter *filter)
{
	const char *key, *title;

	for (size_t i = 0; gsc_document_at(common->db, i, &key, &title); i++) {
		struct fact *fact;

		if (!db_filter_text(filter, key) || find_fact(facts, key))
			continue;
		fact = add(facts);
		if (!fact)
			return false;
		snprintf(fact->name, sizeof(fact->name), "%s", key);
		fact->title = title;
	}
	return true;
}

static bool collect_ids(struct facts *facts, const struct common *common,
			struct db_filter *filter)
{
	struct gsc_platform p = { 0 };
	const char *text;
	uint16_t device;
	unsigned of;

	for (size_t i = 0; gsc_platform_id(common->db, i, &device, &of, &text); i++) {
		char name[16];
		bool named, fits;
		struct fact *fact;

		snprintf(name, sizeof(name), "0x%04x", device);
		gsc_platform_at(common->db, of, &p);
		if (other_platform(common, of))
			continue;
		/* Both are called: each notes the patterns that it has met. */
		named = db_filter_text(filter, name);
		fits = platform_fits(filter, common->db, &p);
		if (!named && !fits)
			continue;
		fact = add(facts);
		if (!fact)
			return false;
		snprintf(fact->name, sizeof(fact->name), "%s", name);
		snprintf(fact->more, sizeof(fact->more), "%s", p.name);
		fact->title = text;
		fact->count = device;
	}
	return true;
}

/* ---- printing ------------------------------------------------------------------------------- */

typedef void put_fn(const struct common *common, const struct fact *fact);
typedef void json_fn(const struct common *common, struct gsc_json *json,
		     const struct fact *fact);

static void put_platform(const struct common *common, const struct fact *fact)
{
	struct gsc_out *out = common->out;
	const char *alias;

	gsc_out_pad(out, 9);
	gsc_out_text(out, fact->more);
	gsc_out_pad(out, 16);
	gsc_out_text(out, fact->title);
	gsc_out_pad(out, 48);
	for (size_t i = 0; (alias = gsc_platform_alias(common->db, fact->platform, i)); i++)
		gsc_out_format(out, "%s%s", i ? " " : "", alias);
}

static void put_property(const struct common *common, const struct fact *fact)
{
	char text[300];

	gsc_out_pad(common->out, 22);
	gsc_out_text(common->out, common->gpu ? fact->more :
		     db_platforms(common->db, fact->platforms, text, sizeof(text)));
	gsc_out_pad(common->out, common->gpu ? 29 : 44);
	gsc_out_text(common->out, fact->title);
}

static void put_group(const struct common *common, const struct fact *fact)
{
	char text[300];

	gsc_out_pad(common->out, 22);
	gsc_out_format(common->out, "%4zu", fact->count);
	gsc_out_pad(common->out, 28);
	gsc_out_text(common->out, db_platforms(common->db, fact->platforms, text, sizeof(text)));
	gsc_out_pad(common->out, 44);
	gsc_out_text(common->out, fact->title);
}

static void put_document(const struct common *common, const struct fact *fact)
{
	gsc_out_pad(common->out, 16);
	gsc_out_text(common->out, fact->title);
}

static void put_id(const struct common *common, const struct fact *fact)
{
	gsc_out_pad(common->out, 8);
	gsc_out_text(common->out, fact->more);
	gsc_out_pad(common->out, 14);
	gsc_out_text(common->out, fact->title);
}

static void json_version(struct gsc_json *json, const char *key, unsigned version)
{
	char text[16];

	snprintf(text, sizeof(text), "%u.%02u", version / 100, version % 100);
	gsc_json_string(json, key, version ? text : NULL);
}

KEYS(platform, "ids: how many PCI device ids it has.")
static void json_platform(const struct common *common, struct gsc_json *json,
			  const struct fact *fact)
{
	const char *text;
	struct gsc_platform p;
	unsigned class, instance;
	uint32_t base;

	if (!gsc_platform_at(common->db, fact->platform, &p))
		return;
	KEY(text, "name", p.name);
	KEY(text, "title", p.title);
	KEY_EACH(text, "aliases",
		 for (size_t i = 0; (text = gsc_platform_alias(common->db, p.index, i)); i++),
		 text);
	json_version(json, KEY_NAME(text, "graphics", PATTERN("^[0-9]+[.][0-9]{2}$")), p.graphics);
	json_version(json, KEY_NAME(text, "media", PATTERN("^[0-9]+[.][0-9]{2}$")), p.media);
	json_version(json, KEY_NAME(text_or_null, "display", "null: it has none.",
				    PATTERN("^[0-9]+[.][0-9]{2}$")), p.display);
	KEY_EACH(text, "engines",
		 for (size_t i = 0; (text = gsc_platform_engine(common->db, p.index, i, &class,
								&instance, &base)); i++),
		 text, PATTERN("^(rcs|bcs|vcs|vecs|ccs|gsccs)[0-9]*$"), UNIQUE);
	KEY(number, "ids", fact->count);
}

KEYS(platformProperty, "value: null without a platform. platforms: those that have it.")
static void json_property(const struct common *common, struct gsc_json *json,
			  const struct fact *fact)
{
	struct gsc_platform_property p;
	char text[300];

	if (!gsc_platform_property(common->db, platform_of(common)->index, fact->count, &p))
		return;
	KEY(text, "name", p.name);
	KEY_OR_NULL(view_of(common), number, "value", p.value);
	KEY(text, "platforms",
	    db_platforms(common->db, fact->platforms, text, sizeof(text)));
	KEY(text, "text", p.text);
	db_json_origin(common, json, p.document, p.section);
}

KEYS(group)
static void json_group(const struct common *common, struct gsc_json *json,
		       const struct fact *fact)
{
	char text[300];

	KEY(text, "name", fact->name);
	KEY(text, "title", fact->title);
	KEY(number, "registers", fact->count);
	KEY(text, "platforms",
	    db_platforms(common->db, fact->platforms, text, sizeof(text)));
}

KEYS(document)
static void json_document(const struct common *common, struct gsc_json *json,
			  const struct fact *fact)
{
	(void)common;
	KEY(text, "key", fact->name);
	KEY(text, "title", fact->title);
}

KEYS(id)
static void json_id(const struct common *common, struct gsc_json *json, const struct fact *fact)
{
	(void)common;
	KEY(hex, "id", fact->count);
	KEY(text, "platform", fact->more);
	KEY(text, "text", fact->title);
}

KEYS(listPlatforms)
static void platforms_begin(struct gsc_json *json)
{
	KEY_LIST("platforms", OF(platform));
}

KEYS(listProperties)
static void properties_begin(struct gsc_json *json)
{
	KEY_LIST("properties", OF(platformProperty));
}

KEYS(listGroups)
static void groups_begin(struct gsc_json *json)
{
	KEY_LIST("groups", OF(group));
}

KEYS(listDocuments)
static void documents_begin(struct gsc_json *json)
{
	KEY_LIST("documents", OF(document));
}

KEYS(listIds)
static void ids_begin(struct gsc_json *json)
{
	KEY_LIST("ids", OF(id));
}

static const struct listing {
	void (*begin)(struct gsc_json *json);
	collect_fn *collect;
	put_fn *put;
	json_fn *json;
} listings[] = {
	{ platforms_begin, collect_platforms, put_platform, json_platform },
	{ properties_begin, collect_properties, put_property, json_property },
	{ groups_begin, collect_groups, put_group, json_group },
	{ documents_begin, collect_documents, put_document, json_document },
	{ ids_begin, collect_ids, put_id, json_id },
};

static void print_text(const struct common *common, const struct listing *listing,
		       const struct facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		gsc_out_style(common->out, GSC_STYLE_BOLD);
		gsc_out_text(common->out, facts->items[i].name);
		gsc_out_style(common->out, GSC_STYLE_PLAIN);
		listing->put(common, &facts->items[i]);
		gsc_out_end(common->out);
	}
}

static void print_json(const struct common *common, const struct listing *listing,
		       const struct facts *facts)
{
	struct gsc_json document, *json = &document;

	db_json_begin(common, json);
	listing->begin(json);
	for (size_t i = 0; i < facts->count; i++)
		ITEM(listing->json(common, json, &facts->items[i]));
	gsc_json_list_end(json);
	gsc_json_finish(json);
}

struct candidates {
	struct facts facts;
	size_t next;
};

static const char *next_candidate(void *context)
{
	struct candidates *c = context;

	return c->next < c->facts.count ? c->facts.items[c->next++].name : NULL;
}

/* The nearest of all the names that could have been listed. */
static enum gsc_status missed(const struct common *common, const struct listing *listing,
			      const struct db_filter *filter, struct gsc_error *err)
{
	struct db_filter all = { 0 };
	struct candidates c = { 0 };
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; i < filter->count && !status; i++) {
		if (filter->met[i])
			continue;
		status = listing->collect(&c.facts, common, &all)
				 ? gsc_name_unknown(filter->names[i].name, next_candidate, &c, err)
				 : err_memory(err);
	}
	free(c.facts.items);
	return status;
}

enum gsc_status list_facts(struct common *common, struct db_filter *filter,
			   struct gsc_error *err)
{
	const struct db *db = (const struct db *)common;
	const struct listing *listing = &listings[db->platforms ? 0 : db->properties ? 1 :
						  db->groups ? 2 : db->documents ? 3 : 4];
	struct facts facts = { 0 };
	enum gsc_status status = listing->collect(&facts, common, filter) ? GSC_OK
									   : err_memory(err);

	if (!status)
		status = missed(common, listing, filter, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		(wants_json(common) ? print_json : print_text)(common, listing, &facts);
	free(facts.items);
	return status;
}
