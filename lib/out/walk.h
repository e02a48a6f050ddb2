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
GSC_API const char *named_origin(const struct gsc_db *db, const char *document, const char *section,
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
/* The last entry of the walk itself, or NULL. */
const struct gsc_entry *walk_last(const struct gsc_walk *walk);

/* How far to indent: tables of tiled resources are levels like others. */
unsigned step_depth(const struct gsc_step *step);

/*
 * Steps first..end-1 without those that serve another of them: the next such step from `i` on, or
 * `end`. Those that serve it are between it and the previous one.
 */
size_t step_next(const struct gsc_walk *walk, size_t i, size_t end);

/* ---- a map as rows: map-picture gathers them and map-svg draws them -------------------------- */

/* How a stretch is drawn: as its kind of mapping, or as what it is instead. */
enum shape {
	SHAPE_NULL_TILE = GSC_MAPPING_REPEAT + 1, SHAPE_INVALID_TILE, SHAPE_UNKNOWN, SHAPES
};

#define PICTURE_NOTES 96
#define TILED_NOTES 16

/* A stretch with something to show: one range, or several that are close together. */
struct patch {
	struct gsc_mapping first;	/* of a blank one: start and end */
	const char *why;		/* of an unknown one */
	uint64_t start, end, ranges, pages;
	uint64_t bytes[SHAPES];
};

struct gsc_picture {
	struct patch *items;
	size_t count;
	struct gsc_picture_note notes[PICTURE_NOTES];
	size_t note_count;
};

enum row_kind { ROW_BAND, ROW_GAP, ROW_NOTE };

/* Stretches first..last-1, adjacent; or what is between; or a note where nothing is mapped. */
struct picture_row {
	enum row_kind kind;
	uint64_t start, end;
	size_t first, last;
	struct patch all;
	const struct gsc_picture_note *note;
	unsigned notes;			/* of a band: how many touch it */
};

struct picture_rows {
	struct patch *patches;		/* of the picture, and what the map has left blank */
	size_t patch_count;
	struct gsc_picture_note *notes;	/* of the picture, and what the translation says */
	size_t note_count;
	struct picture_row *items;
	size_t count, bands;
	uint64_t end;			/* of the last one */
	const struct gsc_picture_note *aperture;	/* or NULL */
};

/* Of the whole space that the tables are for. False: memory is out. */
bool picture_rows(const struct gsc_picture *picture, const struct gsc_translation *t,
		  struct picture_rows *rows);
void picture_rows_free(struct picture_rows *rows);
/* The next note from *i on that a row of stretches shows, or NULL. */
const struct gsc_picture_note *row_note(const struct picture_rows *rows,
					const struct picture_row *row, size_t *i);
/* What most of a patch is: a mapping kind, or a shape beyond those. */
unsigned patch_shape(const struct patch *patch);

#endif
