/* SPDX-License-Identifier: MIT */
/* What text, JSON and pictures of translations have in common. */
#ifndef GSC_OUT_WALK_H
#define GSC_OUT_WALK_H

#include "gtt/gtt.h"
#include "out/keys.h"
#include "out/out.h"

#define WORDS_TEXT_MAX (GSC_ENTRY_WORDS / 2 * 19 + 1)

/* The space of an address: "phys", "ggtt", "lmem", "guest", "graphics". */
const char *space_word(enum gsc_space space, bool guest);
/* "0x180021000", "guest:0x1000", "ggtt:0x1ff800": physical addresses have no prefix. */
char *place_text(enum gsc_space space, bool guest, uint64_t address, char *buf, size_t size);
/*
 * "0x1f", for wide entries "0xHIGH:0xLOW", "-" if it could not be read; `digits`: all of them, as
 * wide as the entry.
 */
char *words_text(const struct gsc_entry *entry, bool digits, char buf[WORDS_TEXT_MAX]);
/* "physical", and "stolen_offset" if that counts from an unknown place. */
void json_place(struct gsc_json *json, bool is, enum gsc_space space, uint64_t address);
/* "system", "local" or "stolen". */
const char *memory_word(enum gsc_space space, bool stolen);

/* "title of the document, section"; NULL if there is no document. */
const char *named_origin(const struct gsc_db *db, const char *document, const char *section,
			 char *buf, size_t size);

/* The flags of a mapping separated by commas, or "". */
const char *mapping_words(const struct gsc_translation *t, const struct gsc_mapping *mapping,
			  struct gsc_mapping_words *words);
/* A null page: it has no memory. */
bool mapping_null(const struct gsc_translation *t, const struct gsc_mapping *mapping);

/* The fields of an entry; bits count from its beginning, however wide it is. */
void entry_fields(const struct gsc_view *view, const struct gsc_entry *entry,
		  struct gsc_field_iter *it);
bool entry_field_next(struct gsc_field_iter *it, struct gsc_field *field);
/* The parts of the PAT index combined; false if the entry has none. */
bool entry_pat(const struct gsc_view *view, const struct gsc_entry *entry, unsigned *index);
/* `indent` further than those of a register; reserved ones only if `verbose`. */
void text_entry_fields(struct gsc_out *out, const struct gsc_view *view,
		       const struct gsc_entry *entry, unsigned indent, bool verbose);
void json_entry_fields(struct gsc_json *json, const struct gsc_view *view,
		       const struct gsc_entry *entry);

/* How far to indent: tables of tiled resources are levels like others. */
unsigned step_depth(const struct gsc_step *step);

/*
 * Steps first..end-1 without those that serve another of them: the next such step from `i` on, or
 * `end`. Those that serve it are between it and the previous one.
 */
size_t step_next(const struct gsc_walk *walk, size_t i, size_t end);

#endif
