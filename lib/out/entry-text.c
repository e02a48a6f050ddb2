/* SPDX-License-Identifier: MIT */
/* One table entry as text: the raw value and what it is, its fields, what is wrong with it. */
#include "out/walk.h"

#include "util/text.h"

#include <string.h>

/* Bytes of an entry beyond which all its digits make too long a line. */
#define DIGITS_MOST 16

/* Bits that are set and belong to no field, by their numbers. */
static void put_rest(struct gsc_out *out, const uint32_t rest[GSC_ENTRY_WORDS], unsigned indent)
{
	bool any = false;

	for (unsigned bit = GSC_ENTRY_WORDS * 32; bit-- > 0;) {
		unsigned hi = bit;

		if (!(rest[bit / 32] >> bit % 32 & 1))
			continue;
		while (bit && rest[(bit - 1) / 32] >> (bit - 1) % 32 & 1)
			bit--;
		if (!any) {
			gsc_out_pad(out, indent);
			gsc_out_text(out, "    bits without definition:");
		}
		gsc_out_format(out, hi > bit ? "%s %u:%u" : "%s %u", any ? "," : "", hi, bit);
		any = true;
	}
	if (any)
		gsc_out_end(out);
}

void text_entry_fields(struct gsc_out *out, const struct gsc_view *view,
		       const struct gsc_entry *entry, unsigned indent, bool verbose)
{
	uint32_t rest[GSC_ENTRY_WORDS];
	struct gsc_field_iter it;
	struct gsc_field field;
	unsigned index;

	memcpy(rest, entry->words, sizeof(rest));
	entry_fields(view, entry, &it);
	while (entry_field_next(&it, &field)) {
		for (unsigned bit = field.lo; bit <= field.hi; bit++)
			rest[bit / 32] &= ~(UINT32_C(1) << bit % 32);
		if (!verbose && !field.problem && field_reserved(&field))
			continue;
		if (indent)
			gsc_out_pad(out, indent);
		gsc_text_field(out, &field);
	}
	put_rest(out, rest, indent);
	/* Its bits are in several fields, which nobody wants to add up. */
	if (!entry_pat(view, entry, &index))
		return;
	gsc_out_pad(out, indent);
	gsc_out_line(out, "    PAT index: %u", index);
}

/* "4K page at 0x12345000", "pte table at 0x12345000" */
static void put_meaning(struct gsc_out *out, const struct gsc_view *view,
			const struct gsc_entry *entry)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	char size[24], place[48];

	entry_fields(view, entry, &it);
	while (entry->page_size && entry_field_next(&it, &field)) {
		if (strcmp(field.name, "NULL") || !field.value)
			continue;
		gsc_out_format(out, "%s page, null",
			       size_short(entry->page_size, size, sizeof(size)));
		return;
	}
	place_text(entry->space, false, entry->address, place, sizeof(place));
	if (entry->page_size)
		gsc_out_format(out, "%s page at %s",
			       size_short(entry->page_size, size, sizeof(size)), place);
	else if (entry->next)
		gsc_out_format(out, "%s table at %s", entry->next, place);
	else
		gsc_out_format(out, "address %s", place);
}

void gsc_text_entry(struct gsc_out *out, const struct gsc_view *view,
		    const struct gsc_entry *entry, unsigned flags)
{
	bool wide = entry->bytes > DIGITS_MOST;
	const struct gsc_item *item = &entry->item;
	char raw[WORDS_TEXT_MAX], problem[256], origin[400];

	gsc_out_text(out, words_text(entry, !wide, raw));
	gsc_out_pad(out, wide ? (unsigned)strlen(raw) + 2 : entry->bytes * 2 + 4);
	text_styled(out, GSC_STYLE_BOLD, entry->level);
	if (wide)
		gsc_out_text(out, "  ");
	else
		gsc_out_pad(out, entry->bytes * 2 + 13);
	text_styled(out, entry->valid ? GSC_STYLE_PLAIN : GSC_STYLE_YELLOW,
		    entry->valid ? "valid" : "not valid");
	if (entry->valid) {
		gsc_out_text(out, ", ");
		put_meaning(out, view, entry);
	}
	gsc_out_end(out);
	if (flags & GSC_TEXT_VERBOSE) {
		gsc_out_line(out, "    %s%s%s", item->name, item->doc ? ": " : "",
			     item->doc ? item->doc : "");
		if (named_origin(view->db, item->document, item->section, origin, sizeof(origin)))
			gsc_out_line(out, "    origin: %s", origin);
	}
	if (!(flags & GSC_TEXT_QUIET))
		text_entry_fields(out, view, entry, 0, flags & GSC_TEXT_VERBOSE);
	for (size_t i = 0; gsc_entry_problem(view, entry, i, problem, sizeof(problem)); i++) {
		gsc_out_style(out, GSC_STYLE_RED);
		gsc_out_text(out, "    problem: ");
		gsc_out_text(out, problem);
		gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_end(out);
	}
}
