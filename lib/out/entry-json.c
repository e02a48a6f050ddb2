/* SPDX-License-Identifier: MIT */
/* Page-table entries as JSON. */
#include "out/walk.h"

KEYS()
void json_entry_fields(struct gsc_json *json, const struct gsc_view *view,
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

KEYS(entry, "level: the actual level (a pde may be a pde2m). space: the address space of "
     "`address`. page_size: null if the entry leads to a table; `next` is then the level of that "
     "table. raw: for entries wider than 64 bits HIGH:...:LOW.",
     RULE("'if': {'properties': {'valid': {'const': false}}},"
	  "'then': {'properties': {'address': {'type': 'null'}, 'page_size': {'type': 'null'},"
	  "                        'next': {'type': 'null'}}},"
	  "'else': {'properties': {'address': {'type': 'string'}}}"))
void gsc_json_entry(struct gsc_json *json, const struct gsc_view *view,
		    const struct gsc_entry *entry)
{
	char raw[WORDS_TEXT_MAX], problem[256];
	unsigned pat;

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
	KEY_OR_NULL(entry_pat(view, entry, &pat), number, "pat_index", pat, MAX(31));
	KEY_EACH(text, "problems",
		 for (size_t i = 0;
		      gsc_entry_problem(view, entry, i, problem, sizeof(problem)); i++),
		 problem);
}
