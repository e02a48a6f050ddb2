/* SPDX-License-Identifier: MIT */
/* gpu-db list: platforms, properties, groups, documents, ids, ranges, rules, caches, messages. */
#include "list.h"

#include "db/message.h"
#include "eu/program.h"
#include "gtt/check.h"
#include "hang/hang.h"
#include "tile/tile.h"
#include "util/text.h"

/* ---- platforms ------------------------------------------------------------------------------ */

static bool other_platform(const struct common *common, unsigned platform)
{
	return common->gpu && platform_of(common)->index != platform;
}

/* Each name is asked for: each notes that it was met. */
static bool platform_fits(const struct list *list, const struct gsc_platform *p)
{
	bool fit = list_fits(list, p->name);
	const char *alias;

	for (size_t i = 0; (alias = gsc_platform_alias(list->common->db, p->index, i)); i++)
		fit |= list_fits(list, alias);
	return fit;
}

static bool collect_platforms(struct list *list)
{
	const struct gsc_db *db = list->common->db;
	struct gsc_platform p;

	for (unsigned i = 0; gsc_platform_at(db, i, &p); i++) {
		struct row row = { .item.doc = p.title, .number = i };
		const char *text;
		char version[16];
		uint16_t device;
		unsigned of;

		if (other_platform(list->common, i) || !platform_fits(list, &p))
			continue;
		for (size_t k = 0; gsc_platform_id(db, k, &device, &of, &text); k++)
			row.count += of == i;
		string_set(version, "%u.%02u", p.graphics / 100, p.graphics % 100);
		if (!list_add(list, p.name, version, row))
			return false;
	}
	return true;
}

static void put_platform(const struct common *common, const struct row *row, struct columns at)
{
	const char *alias;

	(void)at;
	put_cell(common->out, 9, row->more);
	put_cell(common->out, 16, row->item.doc);
	gsc_out_pad(common->out, 48);
	for (size_t i = 0; (alias = gsc_platform_alias(common->db, row->number, i)); i++)
		gsc_out_format(common->out, "%s%s", i ? " " : "", alias);
}

static void json_version(struct gsc_json *json, const char *key, unsigned version)
{
	char text[16];

	string_set(text, "%u.%02u", version / 100, version % 100);
	gsc_json_string(json, key, version ? text : NULL);
}

KEYS(platform, "ids: how many PCI device ids it has.")
static void json_platform(const struct common *common, struct gsc_json *json, const struct row *row)
{
	const char *text;
	struct gsc_platform p;

	if (!gsc_platform_at(common->db, row->number, &p))
		return;
	KEY(text, "name", p.name);
	KEY(text, "title", p.title);
	KEY_EACH(text, "aliases", for (size_t i = 0; (text = gsc_platform_alias(common->db, p.index,
		 i)); i++), text);
	json_version(json, KEY_NAME(text, "graphics", PATTERN("^[0-9]+[.][0-9]{2}$")), p.graphics);
	json_version(json, KEY_NAME(text, "media", PATTERN("^[0-9]+[.][0-9]{2}$")), p.media);
	json_version(json, KEY_NAME(text_or_null, "display", "null: it has none.",
				    PATTERN("^[0-9]+[.][0-9]{2}$")), p.display);
	KEY_EACH(text, "engines",
		 for (size_t i = 0;
		      (text = gsc_platform_engine(common->db, p.index, i, NULL)); i++),
		 text, PATTERN("^(rcs|bcs|vcs|vecs|ccs|gsccs)[0-9]*$"), UNIQUE);
	KEY(number, "ids", row->count);
}

/* All of them, or those that a platform has. */
static bool collect_properties(struct list *list)
{
	const struct common *common = list->common;
	struct gsc_platform_property p;

	for (size_t i = 0;
	     gsc_platform_property(common->db, platform_of(common)->index, i, &p); i++) {
		struct row row = { .item.doc = p.text, .number = (unsigned)i };
		struct gsc_platform_property on;
		char value[16];

		if (!list_fits(list, p.name) || (common->gpu && !p.value))
			continue;
		for (unsigned n = 0; gsc_platform_property(common->db, n, i, &on); n++)
			row.item.platforms |= (uint64_t)(on.value > 0) << n;
		string_set(value, "%u", p.value);
		if (!list_add(list, p.name, value, row))
			return false;
	}
	return true;
}

static void put_property(const struct common *common, const struct row *row, struct columns at)
{
	(void)at;
	if (common->gpu)
		put_cell(common->out, 22, row->more);
	else
		put_platforms(common, row, 22);
	put_cell(common->out, common->gpu ? 29 : 44, row->item.doc);
}

KEYS(platformProperty, "value: null without a platform. platforms: those that have it.")
static void json_property(const struct common *common, struct gsc_json *json, const struct row *row)
{
	struct gsc_platform_property p;
	char text[300];

	if (!gsc_platform_property(common->db, platform_of(common)->index, row->number, &p))
		return;
	KEY(text, "name", p.name);
	KEY_OR_NULL(view_of(common), number, "value", p.value);
	KEY(text, "platforms", db_platforms(common->db, row->item.platforms, text, sizeof(text)));
	KEY(text, "text", p.text);
	db_json_origin(common, json, p.document, p.section);
}

/* ---- groups, documents, ids ----------------------------------------------------------------- */

static struct row *find_row(const struct list *list, const char *name)
{
	for (size_t i = list->rows.count; i-- > 0;)
		if (!strcmp(list->rows.items[i].name, name))
			return &list->rows.items[i];
	return NULL;
}

static bool collect_groups(struct list *list)
{
	const struct common *common = list->common;
	struct gsc_item item;

	for (size_t i = 0; gsc_item_at(common->db, GSC_REGISTER, i, &item); i++) {
		struct row *row;

		if (!item.group || !list_fits(list, item.group) ||
		    (common->gpu && !(item.platforms >> platform_of(common)->index & 1)))
			continue;
		if (!find_row(list, item.group) &&
		    !list_add(list, item.group, "", (struct row){ 0 }))
			return false;
		row = find_row(list, item.group);
		row->item.doc = item.group_title;
		row->item.platforms |= item.platforms;
		row->count++;
	}
	return true;
}

static void put_group(const struct common *common, const struct row *row, struct columns at)
{
	(void)at;
	gsc_out_pad(common->out, 22);
	gsc_out_format(common->out, "%4zu", row->count);
	put_platforms(common, row, 28);
	put_cell(common->out, 44, row->item.doc);
}

KEYS(group)
static void json_group(const struct common *common, struct gsc_json *json, const struct row *row)
{
	char text[300];

	KEY(text, "name", row->name);
	KEY(text, "title", row->item.doc);
	KEY(number, "registers", row->count);
	KEY(text, "platforms", db_platforms(common->db, row->item.platforms, text, sizeof(text)));
}

static bool collect_documents(struct list *list)
{
	const char *key, *title;

	for (size_t i = 0; gsc_document_at(list->common->db, i, &key, &title); i++)
		if (list_fits(list, key) && !find_row(list, key) &&
		    !list_add(list, key, "", (struct row){ .item.doc = title }))
			return false;
	return true;
}

static void put_document(const struct common *common, const struct row *row, struct columns at)
{
	(void)at;
	put_cell(common->out, 16, row->item.doc);
}

KEYS(document)
static void json_document(const struct common *common, struct gsc_json *json, const struct row *row)
{
	(void)common;
	KEY(text, "key", row->name);
	KEY(text, "title", row->item.doc);
}

static bool collect_ids(struct list *list)
{
	const struct gsc_db *db = list->common->db;
	struct gsc_platform p = { 0 };
	const char *text;
	uint16_t device;
	unsigned of;

	for (size_t i = 0; gsc_platform_id(db, i, &device, &of, &text); i++) {
		char name[16];
		bool fit;

		string_set(name, "0x%04x", device);
		gsc_platform_at(db, of, &p);
		if (other_platform(list->common, of))
			continue;
		fit = list_fits(list, name);
		fit |= platform_fits(list, &p);
		if (fit && !list_add(list, name, p.name,
				     (struct row){ .item.doc = text, .number = device }))
			return false;
	}
	return true;
}

static void put_id(const struct common *common, const struct row *row, struct columns at)
{
	(void)at;
	put_cell(common->out, 8, row->more);
	put_cell(common->out, 14, row->item.doc);
}

KEYS(id)
static void json_id(const struct common *common, struct gsc_json *json, const struct row *row)
{
	(void)common;
	KEY(hex, "id", row->number);
	KEY(text, "platform", row->more);
	KEY(text, "text", row->item.doc);
}

/* ---- ranges --------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct gsc_range *x = &((const struct row *)a)->range;
	const struct gsc_range *y = &((const struct row *)b)->range;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->last > y->last) - (x->last < y->last);
}

static bool collect_ranges(struct list *list)
{
	const struct common *common = list->common;
	struct row row = { .count = 0 };
	struct gsc_range *range = &row.range;

	for (size_t i = 0; gsc_range_at(common->db, view_of(common), i, range); i++) {
		const char *of = range->wake ? range->wake : range->engine;
		char name[40], kind[64];

		row.item.platforms = range->platforms;
		string_set(name, range->engines && !range->engine ? "+0x%llx-0x%llx"
			   : "0x%06llx-0x%06llx", LL(range->start), LL(range->last));
		string_set(kind, "%s%s%s", range->kind, of ? " " : "", of ? of : "");
		if ((list_fits(list, range->kind) |
		     (range->why && list_fits(list, range->why))) &&
		    !list_add(list, name, kind, row))
			return false;
	}
	vec_sort(&list->rows, by_start);
	return true;
}

static void put_range(const struct common *common, const struct row *row, struct columns at)
{
	put_cell(common->out, at.more, row->more);
	if (!common->gpu)
		put_platforms(common, row, at.rest);
	put_cell(common->out, at.rest + (common->gpu ? 0 : 16), row->range.why);
}

static void json_range(const struct common *common, struct gsc_json *json, const struct row *row)
{
	db_json_range(common, json, &row->range);
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* Of each room that has some. */
static const struct {
	const char *command;		/* that applies them */
	const struct rule *(*at)(size_t i);
} rule_tables[] = {
	{ "gpu-batch --lint", gsc_command_rule },
	{ "gpu-eu --lint", gsc_eu_rule },
	{ "gpu-tile --check", gsc_placement_rule },
	{ "gpu-ptwalk --check", gsc_table_rule }, { "gpu-fault", gsc_hang_rule },
};

static bool collect_rules(struct list *list)
{
	const struct common *common = list->common;
	const struct rule *rule;
	struct gsc_platform p;

	for (size_t t = 0; t < ARRAY_SIZE(rule_tables); t++)
		for (size_t i = 0; (rule = rule_tables[t].at(i)); i++) {
			struct row row = { .item = { .doc = rule->text, .group = rule->about,
						     .document = rule->document,
						     .section = rule->section } };

			if (!list_fits(list, rule->name) ||
			    (common->gpu && !platform_is(platform_of(common), rule->only)))
				continue;
			for (unsigned n = 0; gsc_platform_at(common->db, n, &p); n++)
				row.item.platforms |= (uint64_t)platform_is(&p, rule->only) << n;
			if (!list_add(list, rule->name, rule_tables[t].command, row))
				return false;
		}
	return true;
}

static void put_rule(const struct common *common, const struct row *row, struct columns at)
{
	const struct gsc_item *item = &row->item;

	put_cell(common->out, at.more, row->more);
	if (!common->gpu)
		put_platforms(common, row, at.rest);
	gsc_out_pad(common->out, at.rest + (common->gpu ? 0 : 16));
	if (item->group && *item->group)
		gsc_out_format(common->out, "%s: ", item->group);
	gsc_out_text(common->out, item->doc);
	if (item->document)
		gsc_out_format(common->out, "  (%s, %s)", item->document, item->section);
}

KEYS(listedRule, "command: the one that applies it. about: the GPU's command that it is about, or "
     "null. text: what is wrong if it is broken. origin: null if it is that of the definition.")
static void json_rule(const struct common *common, struct gsc_json *json, const struct row *row)
{
	const struct gsc_item *item = &row->item;
	char text[300];

	KEY(text, "name", row->name);
	KEY(text, "command", row->more);
	KEY(some_text, "about", item->group);
	KEY(text, "platforms", db_platforms(common->db, item->platforms, text, sizeof(text)));
	KEY(text, "text", item->doc);
	db_json_origin(common, json, item->document, item->section);
}

/* ---- caches, and what invalidates them ------------------------------------------------------ */

static bool collect_caches(struct list *list)
{
	bool invalidations = option_given(list->common, "invalidations");
	struct gsc_cache c;

	for (size_t i = 0; gsc_cache_next(list->common->db, &i, &c);) {
		char more[64] = "-", size[24], kind[64];

		if (!c.takes == invalidations || !list_fits(list, c.item.name) ||
		    !db_sees(list->common, c.item.platforms, &c.item.revisions))
			continue;
		if (c.entries)
			string_set(more, "%u entries", c.entries);
		if (c.bytes)
			string_set(more, "%s", size_short(c.bytes, size, sizeof(size)));
		string_set(kind, invalidations ? "%s" : "%-9s%s", c.kind, more);
		if (!list_add(list, c.item.name, kind, (struct row){ .item = c.item, .cache = c }))
			return false;
	}
	return true;
}

static void put_cache(const struct common *common, const struct row *row, struct columns at)
{
	const struct gsc_cache *c = &row->cache;
	char users[64];

	put_cell(common->out, at.more, row->more);
	put_cell(common->out, at.rest, *gsc_cache_users(c, users, sizeof(users)) ? users : "all");
	if (!common->gpu)
		put_platforms(common, row, at.rest + 21);
	gsc_out_pad(common->out, at.rest + (common->gpu ? 21 : 41));
	gsc_out_format(common->out, "%s%s%s", c->takes ? c->takes : c->title,
		       c->item.doc ? ": " : "", c->item.doc ? c->item.doc : "");
}

KEYS(listedCache, "A cache, or what invalidates caches, which has by and takes: names of caches, "
     "and kinds of caches. name: of an invalidation ITEM.FIELD=VALUE, or the event. engine: empty "
     "if it serves all, or client instead. modes: null: all. levels: of the entries in it; null: "
     "those that map pages. entries, bytes: null if no source says it.")
static void json_cache(const struct common *common, struct gsc_json *json, const struct row *row)
{
	const struct gsc_cache *c = &row->cache;

	KEY(text, "name", row->name);
	db_json_engines(json, c->item.engines, c->instance);
	KEY(text_or_null, "modes", c->item.modes);
	json_rest(common, json, &row->item);
	if (c->takes) {
		KEY(text, "by", c->kind, OPTIONAL, ONE_OF("register", "command", "guc", "event"));
		KEY(text, "takes", c->takes, OPTIONAL);
		return;
	}
	KEY(text, "title", c->title, OPTIONAL);
	KEY(text, "kind", c->kind, OPTIONAL,
	    ONE_OF("tlb", "walk", "gtt", "context", "pasid", "data"));
	KEY_OR_NULL(c->entries, number, "entries", c->entries, OPTIONAL);
	KEY_OR_NULL(c->bytes, number, "bytes", c->bytes, OPTIONAL);
	KEY(text_or_null, "client", c->client, OPTIONAL);
	KEY(text_or_null, "levels", c->item.level, OPTIONAL);
}

/* ---- messages of kernel logs ---------------------------------------------------------------- */

/* By its words, its driver, its type or its rank. */
static bool collect_messages(struct list *list)
{
	struct gsc_message m;

	for (size_t i = 0; gsc_message_at(list->common->db, i, &m); i++) {
		const char *rank = gsc_rank_word(m.rank), *kind = gsc_event_word(m.kind);
		char more[64];
		bool fits = list_fits(list, m.words);

		fits |= (*m.driver && list_fits(list, m.driver)) |
			(*m.type && list_fits(list, m.type)) | list_fits(list, rank);
		string_set(more, "%-7s%s", *m.driver ? m.driver : "-",
			   m.rank == GSC_EVENT_HARMLESS ? rank : kind);
		if (m.rank == GSC_EVENT_LESSER || m.rank == GSC_EVENT_ASIDE)
			string_add(more, " %s", rank);
		if (fits && !list_add(list, m.words, more, (struct row){ .number = (unsigned)i }))
			return false;
	}
	return true;
}

static void put_message(const struct common *common, const struct row *row, struct columns at)
{
	struct gsc_message m;

	if (!gsc_message_at(common->db, row->number, &m))
		return;
	put_cell(common->out, at.more, row->more);
	put_cell(common->out, at.rest, *m.type ? m.type : "-");
	put_cell(common->out, at.rest + 18, m.text);
	if (common->verbose && m.document)
		gsc_out_format(common->out, "  (%s, %s)", m.document, m.section);
}

KEYS(listedMessage, "driver: null: that of the log, or what the line names. after: what precedes "
     "the words in the line, or null. type: null: none. text: what it means; of a harmless one why "
     "it is no trouble. by: the function that completes the event, or null.")
static void json_message(const struct common *common, struct gsc_json *json, const struct row *row)
{
	struct gsc_message m;

	if (!gsc_message_at(common->db, row->number, &m))
		return;
	KEY(text, "name", m.words);
	KEY(some_text, "driver", m.driver);
	KEY(some_text, "after", m.after);
	KEY(text, "kind", gsc_event_word(m.kind), ONE_OF(gsc_event_word));
	KEY(text, "rank", gsc_rank_word(m.rank), ONE_OF(gsc_rank_word));
	KEY(some_text, "type", m.type);
	KEY(text, "text", m.text);
	KEY(text_or_null, "by", m.by);
	db_json_origin(common, json, m.document, m.section);
}

/* ---- known problems ------------------------------------------------------------------------- */

static bool collect_knowns(struct list *list)
{
	struct gsc_known k;

	for (size_t i = 0; gsc_known_next(list->common->db, &i, &k);)
		if (list_fits(list, k.item.name) &&
		    db_sees(list->common, k.item.platforms, &k.item.revisions) &&
		    !list_add(list, k.item.name, k.is[KNOWN_KERNEL] ? k.is[KNOWN_KERNEL] : "-",
			      (struct row){ .item = k.item, .known = k,
				      .count = list->filter->count }))
			return false;
	return true;
}

/* A line each; those that were named, with everything. */
static void put_known(const struct common *common, const struct row *row, struct columns at)
{
	char text[900];

	put_cell(common->out, at.more, row->item.doc);
	for (unsigned part = 0; row->count && part < KNOWN_PARTS; part++)
		for (const char *line = row->known.is[part]; line; line = strchr(line, '\n')) {
			line += *line == '\n';
			string_set(text, "%.*s", (int)strcspn(line, "\n"), line);
			gsc_out_end(common->out);
			put_cell(common->out, 2, gsc_known_word(part));
			put_cell(common->out, 14, text);
		}
	if (!row->count)
		return;
	gsc_out_end(common->out);
	put_cell(common->out, 2, "platforms");
	put_platforms(common, row, 14);
	gsc_out_end(common->out);
	put_cell(common->out, 2, "origin");
	put_cell(common->out, 14, row->item.section);
}

KEYS(listedProblem, "A log or dump matches if all conditions that are not null hold. words: one a "
     "line, of which all must occur in the log, or of those with | between them one.")
static void json_listed(const struct common *common, struct gsc_json *json, const struct row *row)
{
	const char *const *is = row->known.is;

	KEY(text, "name", row->name);
	json_rest(common, json, &row->item);
	KEY(text_or_null, "driver", is[KNOWN_DRIVER]);
	KEY(text_or_null, "kernel", is[KNOWN_KERNEL]);
	KEY(text_or_null, "firmware", is[KNOWN_FIRMWARE]);
	KEY(text_or_null, "process", is[KNOWN_PROCESS]);
	KEY(text_or_null, "words", is[KNOWN_WORDS]);
	KEY(text_or_null, "signature", is[KNOWN_SIGNATURE]);
	KEY(text, "says", is[KNOWN_SAYS]);
	KEY(text_or_null, "fixed", is[KNOWN_FIXED]);
	KEY(text, "link", is[KNOWN_LINK]);
}

/* ---- firmware ------------------------------------------------------------------------------- */

static bool collect_firmware(struct list *list)
{
	struct gsc_firmware_file f;

	for (size_t i = 0; gsc_firmware_next(list->common->db, &i, &f);)
		if (list_fits(list, f.item.name) &&
		    db_sees(list->common, f.item.platforms, &f.item.revisions) &&
		    !list_add(list, f.item.name, f.wants ? f.wants :
			      f.kind == FIRMWARE_PACKAGE ? "package" : "any version",
			      (struct row){ .item = f.item, .firmware = f }))
			return false;
	return true;
}

static void put_firmware(const struct common *common, const struct row *row, struct columns at)
{
	const struct gsc_firmware_file *f = &row->firmware;
	bool package = f->kind == FIRMWARE_PACKAGE;

	put_cell(common->out, at.more, row->more);
	put_cell(common->out, at.rest, package ? f->item.doc : f->driver ? f->driver : "both");
	if (package)
		return;
	put_cell(common->out, at.rest + 6, f->kernel);
	if (!common->gpu)
		put_platforms(common, row, at.rest + 19);
	if (f->item.doc)
		gsc_out_format(common->out, "  %s", f->item.doc);
}

KEYS(listedFirmware, "A file, in the order in which a driver tries those of a kind, or a package "
     "that has such files. driver: null: both. wants: null: any version. least: the driver refuses "
     "an older one. kernel: from .. to; of a package what the version of such a kernel contains.")
static void json_firmware(const struct common *common, struct gsc_json *json,
			  const struct row *row)
{
	const struct gsc_firmware_file *f = &row->firmware;

	KEY(text, "name", row->name);
	KEY(text, "kind", f->word, ONE_OF("guc", "huc", "gsc", "dmc", "package"));
	KEY(text_or_null, "driver", f->driver);
	KEY(text_or_null, "wants", f->wants);
	KEY(text_or_null, "least", f->least);
	KEY(text_or_null, "kernel", f->kernel);
	json_rest(common, json, &row->item);
}

/* ---- all ------------------------------------------------------------------------------------ */

const struct listing other_listings[] = {
	{ LISTING(listPlatforms, "platforms", OF(platform)),
	  collect_platforms, put_platform, json_platform },
	{ LISTING(listProperties, "properties", OF(platformProperty)),
	  collect_properties, put_property, json_property },
	{ LISTING(listGroups, "groups", OF(group)), collect_groups, put_group, json_group },
	{ LISTING(listDocuments, "documents", OF(document)),
	  collect_documents, put_document, json_document },
	{ LISTING(listIds, "ids", OF(id)), collect_ids, put_id, json_id },
	{ LISTING(listRanges, "ranges", OF(addressRange)),
	  collect_ranges, put_range, json_range },
	{ LISTING(listRules, "rules", OF(listedRule)), collect_rules, put_rule, json_rule },
	{ LISTING(listTlbs, "tlbs", OF(listedCache)), collect_caches, put_cache, json_cache },
	{ LISTING(listInvalidations, "invalidations", OF(listedCache)),
	  collect_caches, put_cache, json_cache },
	{ LISTING(listMessages, "messages", OF(listedMessage)),
	  collect_messages, put_message, json_message },
	{ LISTING(listKnown, "known", OF(listedProblem)),
	  collect_knowns, put_known, json_listed },
	{ LISTING(listFirmware, "firmware", OF(listedFirmware)),
	  collect_firmware, put_firmware, json_firmware },
	{ 0 },
};
