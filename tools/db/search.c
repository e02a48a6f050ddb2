/* SPDX-License-Identifier: MIT */
/* gpu-db search: statements of definitions that contain all words, for those who know no name. */
#include "gpu-db.h"

#include "db/message.h"
#include "util/text.h"

#define TEXT 2

struct search {
	struct common *common;
	struct gsc_json *json;		/* NULL: text */
	size_t found;
	const char *kind;		/* "register"; or "cache", "fact", "range" */
	bool named;			/* the name of the definition is printed */
};

/* In one of its names, or in what it is for? */
static bool item_has(const struct search *s, const struct gsc_item *item, const char *word)
{
	const char *alias;

	if (strcasestr(item->name, word) || (item->doc && strcasestr(item->doc, word)))
		return true;
	/* What is no item has no file, and no aliases. */
	for (size_t i = 0; item->file && (alias = gsc_item_alias(s->common->db, item, i, NULL));
	     i++)
		if (strcasestr(alias, word))
			return true;
	return false;
}

KEYS(foundStatement, "field: null: it is about the whole definition.")
static void json_statement(struct search *s, const struct gsc_item *item, const char *field,
			   const char *text)
{
	struct gsc_json *json = s->json;

	KEY(text, "name", item->name);
	KEY(text, "kind", s->kind);
	KEY(text_or_null, "field", field);
	KEY(text, "text", text);
	db_json_origin(s->common, json, item->document, item->section);
}

/*
 * A statement has at least one of the words, and the others are in the definition's names or
 * purpose. The purpose is shown also if all of them are in a name.
 */
static void look(struct search *s, const struct gsc_item *item, const char *field,
		 const char *text)
{
	struct gsc_json *json = s->json;
	struct gsc_out *out = s->common->out;
	bool own = text == item->doc || text == item->name;
	char line[2000];

	for (size_t i = 1; i < s->common->operand_count; i++) {
		const char *word = s->common->operands[i];

		if (strcasestr(text, word) || (field && strcasestr(field, word)))
			own = true;
		else if (!item_has(s, item, word))
			return;
	}
	if (!own)
		return;
	s->found++;
	if (json) {
		ITEM(json_statement(s, item, field, text));
		return;
	}
	if (!s->named) {
		text_styled(out, GSC_STYLE_BOLD, item->name);
		gsc_out_format(out, "  %s", s->kind);
		gsc_out_end(out);
		s->named = true;
	}
	string_set(line, "%s%s%s", field ? field : "", field ? ": " : "", text);
	db_wrap(out, TEXT, line);
}

static void look_at_fields(struct search *s, const struct gsc_item *item,
			   struct gsc_field_iter *it)
{
	struct gsc_field field;
	struct gsc_value value;

	while (definition_next(s->common->gpu ? view_of(s->common) : NULL, it, &field)) {
		if (field.doc)
			look(s, item, field.name, field.doc);
		for (size_t i = 0; gsc_field_value(it, i, &value); i++)
			if (value.doc)
				look(s, item, field.name, value.doc);
	}
}

static void look_at_item(struct search *s, const struct gsc_item *item)
{
	struct gsc_field_iter it;
	struct gsc_repeat repeat;
	struct gsc_note note;
	size_t n = 0;

	s->named = false;
	s->kind = gsc_kind_word(item->kind);
	look(s, item, NULL, item->doc ? item->doc : item->name);
	while (show_note_next(s->common, item, &n, &note))
		look(s, item, NULL, note.text);
	if (item->kind == GSC_TOPIC || item->kind == GSC_INSTRUCTION)
		return;
	gsc_item_fields(s->common->db, NULL, item, NULL, 0, &it);
	look_at_fields(s, item, &it);
	for (size_t i = 0; gsc_item_repeat(s->common->db, NULL, item, i, &repeat, &it); i++)
		look_at_fields(s, item, &it);
}

static void look_at_others(struct search *s)
{
	const struct gsc_db *db = s->common->db;
	struct gsc_cache cache;
	struct gsc_range range;
	struct gsc_message m;
	struct gsc_fact fact;
	char name[100], text[1000];

	for (size_t i = 0; gsc_cache_next(db, &i, &cache);) {
		if (!db_sees(s->common, cache.item.platforms, &cache.item.revisions))
			continue;
		s->kind = cache.takes ? "invalidation" : "cache";
		s->named = false;
		string_set(text, "%s%s%s", cache.takes ? cache.takes : cache.title,
			   cache.item.doc ? ": " : "", cache.item.doc ? cache.item.doc : "");
		look(s, &cache.item, NULL, text);
	}
	s->kind = "fact";
	for (size_t i = 0; gsc_fact_next(db, &i, &fact);) {
		struct gsc_item item = { .name = name, .document = fact.document,
					 .section = fact.section };
		const struct gsc_revisions revisions = where_stepped(&fact.of->where);

		if (!db_sees(s->common, fact.of->where.platforms, &revisions))
			continue;
		s->named = false;
		string_set(name, "%s%s%s", fact.modes, fact.levels ? " " : "",
			   fact.levels ? fact.levels : "");
		string_set(text, "%s%s%s", fact.text, fact.condition ? ", when " : "",
			   fact.condition ? fact.condition : "");
		look(s, &item, fact.about, text);
	}
	s->kind = gsc_kind_word(GSC_MESSAGE);
	for (size_t i = 0; gsc_message_at(db, i, &m); i++) {
		struct gsc_item item = { .name = m.words, .doc = m.text, .document = m.document,
					 .section = m.section };

		s->named = false;
		look(s, &item, NULL, m.text);
	}
	s->kind = "range";
	for (size_t i = 0; gsc_range_at(db, s->common->gpu ? view_of(s->common) : NULL, i,
					&range); i++) {
		struct gsc_item item = { .name = name, .document = range.document,
					 .section = range.section };

		s->named = false;
		string_set(name, "0x%llx-0x%llx", LL(range.start), LL(range.last));
		if (range.why)
			look(s, &item, range.kind, range.why);
	}
}

KEYS(search)
enum gsc_status search_run(struct common *common, struct gsc_error *err)
{
	struct search s = { .common = common };
	struct gsc_json document, *json = &document;
	struct db_cursor at = { 0 };
	struct gsc_item item, last = { .file = "" };
	enum gsc_status status = db_open(common, false, err);

	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (status)
		return status;
	if (wants_json(common)) {
		s.json = json;
		source_document(common, DB_SCHEMA, json);
		KEY_LIST("statements", OF(foundStatement));
	}
	while (db_next(common->db, DB_ALL_KINDS, &at, &item) && !gsc_out_error(common->out)) {
		/* A command with several opcodes is one definition. */
		if ((item.line == last.line && !strcmp(item.file, last.file)) ||
		    !db_sees(common, item.platforms, &item.revisions))
			continue;
		look_at_item(&s, &item);
		last = item;
	}
	look_at_others(&s);
	if (s.json)
		gsc_json_finish(json);
	if (s.found)
		return GSC_OK;
	return err_set(err, GSC_UNKNOWN, common->operands[1],
		       "no statement has %s; try fewer or shorter words",
		       common->operand_count > 2 ? "all these words" : "this word");
}
