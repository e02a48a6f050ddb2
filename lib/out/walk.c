/* SPDX-License-Identifier: MIT */
/*
 * What text and JSON of walks, maps and entries have in common: words for spaces, sizes and flags.
 */
#include "out/walk.h"

#include "util/number.h"
#include "util/text.h"

const char *space_word(enum gsc_space space, bool guest)
{
	if (guest)
		return "guest";
	return space == GSC_GTTMEM ? "graphics" : gsc_space_name(space);
}

char *place_text(enum gsc_space space, bool guest, uint64_t address, char *buf, size_t size)
{
	const char *name = space == GSC_GTTMEM ? "gpu" : space_word(space, guest);
	bool plain = !guest && space == GSC_PHYS;

	snprintf(buf, size, "%s%s0x%llx", plain ? "" : name, plain ? "" : ":", LL(address));
	return buf;
}

KEYS()
void json_place(struct gsc_json *json, bool is, enum gsc_space space, uint64_t address)
{
	bool offset = is && space == GSC_STOLEN;

	KEY_OR_NULL(is && !offset, hex, "physical", address);
	KEY_OR_NULL(offset, hex, "stolen_offset", address);
}

char *words_text(const struct gsc_entry *entry, bool digits, char buf[WORDS_TEXT_MAX])
{
	unsigned width = entry->bytes < 8 ? entry->bytes * 2 : 16;
	char *at = buf;

	if (!entry->bytes) {
		strcpy(buf, "-");
		return buf;
	}
	for (unsigned i = entry->bytes > 8 ? entry->bytes / 8 : 1; i-- > 0;) {
		uint64_t quad = entry->words[2 * i];

		if (entry->bytes >= 8)
			quad |= (uint64_t)entry->words[2 * i + 1] << 32;
		at = digits ? number_hex_padded(at, quad, width) : number_hex(at, quad);
		if (i)
			*at++ = ':';
	}
	*at = 0;
	return buf;
}

const char *memory_word(enum gsc_space space, bool stolen)
{
	return stolen ? "stolen" : space == GSC_LMEM ? "local" : "system";
}

const char *named_origin(const struct gsc_db *db, const char *document, const char *section,
			 char *buf, size_t size)
{
	const char *key, *title;

	if (!document)
		return NULL;
	for (size_t i = 0; gsc_document_at(db, i, &key, &title); i++) {
		if (name_compare(key, document))
			continue;
		snprintf(buf, size, "%s, %s", title, section ? section : "");
		return buf;
	}
	snprintf(buf, size, "%s, %s", document, section ? section : "");
	return buf;
}

const char *mapping_words(const struct gsc_translation *t, const struct gsc_mapping *mapping,
			  struct gsc_mapping_words *words)
{
	struct text text;
	const char *flag;
	char buf[32];

	if (!words->known || words->level != mapping->level) {
		const struct format *format = format_get(t->formats, t->mode, mapping->level);

		/* Flags are the bits that are not the address. */
		words->level = mapping->level;
		words->mask = UINT64_MAX;
		for (unsigned i = 0; format && i < format->parts; i++)
			words->mask &= ~format->part[i].mask;
		words->known = false;
	}
	if (words->known && words->bits == (mapping->entry & words->mask) &&
	    words->readable == mapping->readable && words->writable == mapping->writable)
		return words->text;
	words->readable = mapping->readable;
	words->writable = mapping->writable;
	words->bits = mapping->entry & words->mask;
	words->known = true;
	text = text_of(words->text);
	for (size_t i = 0; (flag = gsc_mapping_flag(t, mapping, i, buf, sizeof(buf))); i++)
		text_join(&text, ",", flag);
	return words->text;
}

bool mapping_null(const struct gsc_translation *t, const struct gsc_mapping *mapping)
{
	const struct format *format = format_get(t->formats, t->mode, mapping->level);

	return format && mapping->entry & format->null_mask;
}

void entry_fields(const struct gsc_view *view, const struct gsc_entry *entry,
		  struct gsc_field_iter *it)
{
	gsc_item_fields(view->db, view, &entry->item, entry->words, entry->bytes / 4, it);
}

bool entry_field_next(struct gsc_field_iter *it, struct gsc_field *field)
{
	if (!gsc_field_next(it, field))
		return false;
	field->hi += field->dword * 32;
	field->lo += field->dword * 32;
	field->dword = 0;
	return true;
}

const struct gsc_entry *walk_last(const struct gsc_walk *walk)
{
	size_t i = walk->count;

	while (i && step_depth(&walk->steps[i - 1]))
		i--;
	return i ? &walk->steps[i - 1].entry : NULL;
}

unsigned step_depth(const struct gsc_step *step)
{
	return step->entry.mode == GSC_MODE_TRTT ? 0 : step->depth;
}

size_t step_next(const struct gsc_walk *walk, size_t i, size_t end)
{
	for (; i < end; i++) {
		size_t later = i + 1;

		while (later < end &&
		       step_depth(&walk->steps[later]) >= step_depth(&walk->steps[i]))
			later++;
		if (later == end)
			return i;
	}
	return end;
}
