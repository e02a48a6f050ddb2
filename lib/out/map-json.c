/* SPDX-License-Identifier: MIT */
/* What is told of whole tables, as JSON: ranges, breaches of rules; and the machine's windows. */
#include "out/walk.h"

#include <string.h>

/* "rw,pat4" as an array */
static void json_words(struct gsc_json *json, const char *key, const char *words)
{
	gsc_json_array(json, key);
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

void gsc_json_mapping(struct gsc_json *json, const struct gsc_translation *t,
		      const struct gsc_mapping *mapping, struct gsc_mapping_words *words)
{
	bool null = mapping_null(t, mapping);

	gsc_json_hex(json, "start", mapping->start);
	gsc_json_hex(json, "end", mapping->end);
	json_place(json, !null, mapping->space, mapping->physical);
	gsc_json_number(json, "pages", mapping->pages);
	if (mapping->page_size)
		gsc_json_number(json, "page_size", mapping->page_size);
	else
		gsc_json_null(json, "page_size");
	gsc_json_string(json, "memory",
			null ? NULL : memory_word(mapping->space, mapping->stolen));
	gsc_json_string(json, "kind", gsc_mapping_word(mapping->kind));
	if (mapping->kind == GSC_MAPPING_REPEAT)
		gsc_json_hex(json, "of", mapping->of);
	else
		gsc_json_null(json, "of");
	json_words(json, "flags", mapping_words(t, mapping, words));
}

void gsc_json_breach(struct gsc_json *json, const struct gsc_db *db,
		     const struct gsc_breach *breach, const char *where)
{
	char origin[400];

	gsc_json_string(json, "rule", breach->rule);
	gsc_json_string(json, "where", where);
	gsc_json_string(json, "text", breach->text);
	gsc_json_string(json, "origin", named_origin(db, breach->document, breach->section, origin,
						     sizeof(origin)));
}

void gsc_json_window(struct gsc_json *json, const struct gsc_window *window)
{
	gsc_json_string(json, "name", window->name);
	gsc_json_string(json, "status", gsc_read_word(window->status));
	if (window->start || window->length)
		gsc_json_hex(json, "start", window->start);
	else
		gsc_json_null(json, "start");
	if (window->length) {
		gsc_json_hex(json, "end", window->start + window->length);
		gsc_json_number(json, "size", window->length);
	} else {
		gsc_json_null(json, "end");
		gsc_json_null(json, "size");
	}
	gsc_json_string(json, "from", *window->from ? window->from : NULL);
	gsc_json_string(json, "problem", *window->problem ? window->problem : NULL);
}
