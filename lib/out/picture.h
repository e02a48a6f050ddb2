/* SPDX-License-Identifier: MIT */
/* A map as rows of a picture: map-picture gathers them and map-svg draws them. */
#ifndef GSC_OUT_PICTURE_H
#define GSC_OUT_PICTURE_H

#include "out/walk.h"

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
