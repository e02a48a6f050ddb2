/* SPDX-License-Identifier: MIT */
/* A map as rows of a picture: what gathers them (map-picture) and what draws them (map-svg). */
#ifndef GSC_OUT_PICTURE_H
#define GSC_OUT_PICTURE_H

#include "out/walk.h"

#define PICTURE_KINDS 4		/* of enum gsc_mapping_kind */
#define PICTURE_NOTES 64

/* A stretch that is mapped: one range, or several that lie close together. */
struct patch {
	struct gsc_mapping first;
	uint64_t start, end, ranges, pages;
	uint64_t bytes[PICTURE_KINDS];
};

struct gsc_picture {
	struct patch *items;
	size_t count;
	struct gsc_picture_note notes[PICTURE_NOTES];
	size_t note_count;
};

enum row_kind { ROW_BAND, ROW_GAP, ROW_NOTE };

/* Stretches first..last-1 side by side; or what lies between; or a note where nothing is mapped. */
struct picture_row {
	enum row_kind kind;
	uint64_t start, end;
	size_t first, last;
	struct patch all;
	const struct gsc_picture_note *note;
	unsigned notes;			/* of a band: how many touch it */
};

struct picture_rows {
	struct picture_row *items;
	size_t count, bands;
	uint64_t end;			/* of the last one */
	const struct gsc_picture_note *aperture;	/* or NULL */
};

/* False: memory is out. */
bool picture_rows(const struct gsc_picture *picture, struct picture_rows *rows);
/* The next note from *i on that a row of stretches shows, or NULL. */
const struct gsc_picture_note *row_note(const struct gsc_picture *picture,
					const struct picture_row *row, size_t *i);
/* Of what most of a patch is. */
enum gsc_mapping_kind patch_kind(const struct patch *patch);

#endif
