/* SPDX-License-Identifier: MIT */
/* Results about whole tables, as JSON: ranges, breaches of rules; and the machine's windows. */
#include "out/walk.h"

#include "db/rule.h"
#include "gtt/windows.h"

/* "rw,pat4" as an array */
KEYS()
static void json_flags(struct gsc_json *json, const char *words)
{
	KEY_ARRAY("flags", OF(text));
	while (*words) {
		size_t length = strcspn(words, ",");
		char word[64];

		if (length < sizeof(word)) {
			memcpy(word, words, length);
			word[length] = 0;
			gsc_json_string(json, NULL, word);
		}
		words += length;
		words += strspn(words, ",");
	}
	gsc_json_array_end(json);
}

KEYS(range, "end is exclusive. of: where the repeated range occurred before. page_size: null if "
     "the pages of a repeat differ in size. physical, memory: null for null pages. stolen_offset: "
     "as in a walk.",
     RULE("'if': {'properties': {'kind': {'const': 'repeat'}}},"
	  "'then': {'properties': {'of': {'type': 'string'}}},"
	  "'else': {'properties': {'of': {'type': 'null'}, 'page_size': {'type': 'integer'}}}"))
void gsc_json_mapping(struct gsc_json *json, const struct gsc_translation *t,
		      const struct gsc_mapping *mapping, struct gsc_mapping_words *words)
{
	bool null = mapping_null(t, mapping);

	KEY(hex, "start", mapping->start);
	KEY(hex, "end", mapping->end);
	json_place(json, !null, mapping->space, mapping->physical);
	KEY(number, "pages", mapping->pages, MIN(1));
	KEY_OR_NULL(mapping->page_size, number, "page_size", mapping->page_size, MIN(1));
	KEY_OR_NULL(!null, text, "memory", memory_word(mapping->space, mapping->stolen),
		    ONE_OF(memory_word));
	KEY(text, "kind", gsc_mapping_word(mapping->kind), ONE_OF(gsc_mapping_word));
	KEY_OR_NULL(mapping->kind == GSC_MAPPING_REPEAT, hex, "of", mapping->of);
	json_flags(json, mapping_words(t, mapping, words));
}

KEYS(finding)
void gsc_json_breach(struct gsc_json *json, const struct gsc_db *db,
		     const struct gsc_breach *breach, const char *where)
{
	char origin[400];

	KEY(text, "rule", breach->rule);
	KEY(text, "where", where);
	KEY(text, "text", breach->text);
	KEY(text_or_null, "origin", named_origin(db, breach->document, breach->section, origin,
						 sizeof(origin)));
	if (breach->note)
		KEY(flag, "note", true, OPTIONAL);
}

KEYS(space, "A range of the machine's address space; end is exclusive. status: ok, or why the "
     "registers that describe it cannot be read. start: null if it does not exist or, with a "
     "status other than ok, if its place is unknown. end, size: null also if only its size is "
     "unknown. from: the register or registers that say this.",
     RULE("'if': {'properties': {'size': {'type': 'null'}}},"
	  "'then': {'properties': {'end': {'type': 'null'}}},"
	  "'else': {'properties': {'start': {'type': 'string'}, 'end': {'type': 'string'}}}"))
void gsc_json_window(struct gsc_json *json, const struct gsc_window *window)
{
	KEY(text, "name", window->name);
	KEY(text, "status", gsc_read_word(window->status), ONE_OF(gsc_read_word));
	KEY_OR_NULL(window->start || window->length, hex, "start", window->start);
	KEY_OR_NULL(window->length, hex, "end", window->start + window->length);
	KEY_OR_NULL(window->length, number, "size", window->length, MIN(1));
	KEY(some_text, "from", window->from);
	KEY(some_text, "problem", window->problem);
}
