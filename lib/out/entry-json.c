/* SPDX-License-Identifier: MIT */
/* Page-table entries as JSON. */
#include "out/walk.h"

void json_entry_fields(struct gsc_json *json, const struct gsc_view *view,
		       const struct gsc_entry *entry)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	gsc_json_array(json, "fields");
	/* One that could not be read has none: zeros would be made up. */
	if (entry->bytes)
		entry_fields(view, entry, &it);
	while (entry->bytes && entry_field_next(&it, &field))
		gsc_json_field(json, &field, false);
	gsc_json_array_end(json);
}

static void json_problems(struct gsc_json *json, const struct gsc_view *view,
			  const struct gsc_entry *entry)
{
	char problem[256];

	gsc_json_array(json, "problems");
	for (size_t i = 0; gsc_entry_problem(view, entry, i, problem, sizeof(problem)); i++)
		gsc_json_string(json, NULL, problem);
	gsc_json_array_end(json);
}

void gsc_json_entry(struct gsc_json *json, const struct gsc_view *view,
		    const struct gsc_entry *entry)
{
	char raw[WORDS_TEXT_MAX];
	unsigned pat;

	gsc_json_string(json, "raw", words_text(entry, false, raw));
	gsc_json_string(json, "mode", gsc_mode_name(entry->mode));
	gsc_json_string(json, "level", entry->level);
	gsc_json_bool(json, "valid", entry->valid);
	if (entry->valid) {
		gsc_json_string(json, "space", space_word(entry->space, false));
		gsc_json_hex(json, "address", entry->address);
	} else {
		gsc_json_null(json, "space");
		gsc_json_null(json, "address");
	}
	if (entry->valid && entry->page_size)
		gsc_json_number(json, "page_size", entry->page_size);
	else
		gsc_json_null(json, "page_size");
	gsc_json_string(json, "next", entry->valid ? entry->next : NULL);
	json_entry_fields(json, view, entry);
	if (entry_pat(view, entry, &pat))
		gsc_json_number(json, "pat_index", pat);
	else
		gsc_json_null(json, "pat_index");
	json_problems(json, view, entry);
}
