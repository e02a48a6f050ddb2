/* SPDX-License-Identifier: MIT */
/*
 * What a picture of a map shows: the address space from low to high as rows. However many ranges
 * come, few stretches are remembered: those that lie closest together become one.
 */
#include "out/picture.h"

#include <string.h>

#define STRETCHES_MAX 4096
#define BANDS_MAX 48

enum gsc_status gsc_picture_new(struct gsc_picture **picture, struct gsc_error *err)
{
	*picture = calloc(1, sizeof(**picture));
	if (!*picture)
		return err_memory(err);
	(*picture)->items = calloc(STRETCHES_MAX, sizeof(*(*picture)->items));
	if ((*picture)->items)
		return GSC_OK;
	free(*picture);
	*picture = NULL;
	return err_memory(err);
}

void gsc_picture_free(struct gsc_picture *picture)
{
	if (!picture)
		return;
	free(picture->items);
	free(picture);
}

/* ---- gathering ------------------------------------------------------------------------------ */

/* What is lost to the eye if two neighbours become one. */
static uint64_t cost_of(const struct patch *a, const struct patch *b)
{
	return b->start - a->end + MIN(a->end - a->start, b->end - b->start) / 16;
}

static void join(struct patch *a, const struct patch *b)
{
	a->end = b->end;
	a->ranges += b->ranges;
	a->pages += b->pages;
	for (unsigned kind = 0; kind < PICTURE_KINDS; kind++)
		a->bytes[kind] += b->bytes[kind];
}

static int compare_costs(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Joins the closer half of all neighbours. */
static void halve(struct gsc_picture *picture, uint64_t *costs)
{
	struct patch *items = picture->items;
	size_t count = picture->count, kept = 0, pairs = 0;
	uint64_t limit;

	for (size_t i = 0; i + 1 < count; i++)
		costs[pairs++] = cost_of(&items[i], &items[i + 1]);
	qsort(costs, pairs, sizeof(*costs), compare_costs);
	limit = costs[pairs / 2];
	for (size_t i = 1; i < count; i++) {
		bool even = !(kept & 1) && cost_of(&items[kept], &items[i]) == limit;

		if (cost_of(&items[kept], &items[i]) < limit || even)
			join(&items[kept], &items[i]);
		else
			items[++kept] = items[i];
	}
	picture->count = kept + 1;
}

/* By force, should all of them cost the same. */
static void pair_up(struct gsc_picture *picture)
{
	for (size_t i = 0; i < picture->count / 2; i++) {
		picture->items[i] = picture->items[2 * i];
		join(&picture->items[i], &picture->items[2 * i + 1]);
	}
	picture->count /= 2;
}

bool gsc_picture_add(struct gsc_picture *picture, const struct gsc_mapping *mapping)
{
	struct patch *item;

	if (picture->count == STRETCHES_MAX) {
		uint64_t *costs = calloc(STRETCHES_MAX, sizeof(*costs));

		if (!costs)
			return false;
		halve(picture, costs);
		free(costs);
		if (picture->count > STRETCHES_MAX * 3 / 4)
			pair_up(picture);
	}
	item = &picture->items[picture->count++];
	*item = (struct patch){
		.first = *mapping, .start = mapping->start, .end = mapping->end,
		.ranges = 1, .pages = mapping->pages,
	};
	if ((unsigned)mapping->kind < PICTURE_KINDS)
		item->bytes[mapping->kind] = mapping->end - mapping->start;
	return true;
}

bool gsc_picture_note(struct gsc_picture *picture, const struct gsc_picture_note *note)
{
	struct gsc_picture_note *added;

	if (picture->note_count == PICTURE_NOTES)
		return false;
	added = &picture->notes[picture->note_count++];
	*added = *note;
	added->text[sizeof(added->text) - 1] = 0;
	if (note->kind == GSC_NOTE_FAULT || note->kind == GSC_NOTE_PLACE || !note->end)
		added->end = note->start + 1;
	return true;
}

enum gsc_mapping_kind patch_kind(const struct patch *patch)
{
	unsigned most = 0;

	for (unsigned kind = 1; kind < PICTURE_KINDS; kind++)
		if (patch->bytes[kind] > patch->bytes[most])
			most = kind;
	return (enum gsc_mapping_kind)most;
}

/* ---- bands ---------------------------------------------------------------------------------- */

/* Of one stretch each; then the closest are joined until there are few enough to read. */
static size_t make_bands(const struct gsc_picture *picture, struct picture_row *bands)
{
	size_t count = picture->count;

	for (size_t i = 0; i < count; i++)
		bands[i] = (struct picture_row){ .first = i, .last = i + 1,
						 .all = picture->items[i] };
	while (count > BANDS_MAX) {
		size_t best = 0;

		for (size_t i = 1; i + 1 < count; i++)
			if (cost_of(&bands[i].all, &bands[i + 1].all) <
			    cost_of(&bands[best].all, &bands[best + 1].all))
				best = i;
		bands[best].last = bands[best + 1].last;
		join(&bands[best].all, &bands[best + 1].all);
		memmove(&bands[best + 1], &bands[best + 2],
			(count - best - 2) * sizeof(*bands));
		count--;
	}
	return count;
}

const struct gsc_picture_note *row_note(const struct gsc_picture *picture,
					const struct picture_row *row, size_t *i)
{
	while (*i < picture->note_count) {
		const struct gsc_picture_note *note = &picture->notes[(*i)++];

		if (note->kind != GSC_NOTE_APERTURE && note->start < row->end &&
		    note->end > row->start)
			return note;
	}
	return NULL;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void add_gap(struct picture_rows *rows, uint64_t start, uint64_t end)
{
	const struct gsc_picture_note *aperture = rows->aperture;

	if (start >= end)
		return;
	if (aperture && aperture->end > start && aperture->end < end) {
		add_gap(rows, start, aperture->end);
		start = aperture->end;
	}
	rows->items[rows->count++] = (struct picture_row){ .kind = ROW_GAP, .start = start,
							   .end = end };
}

/* What is said of addresses that are not mapped, lowest first. */
static const struct gsc_picture_note *lowest_note(const struct gsc_picture *picture,
						  uint64_t start, uint64_t end,
						  const struct gsc_picture_note *after)
{
	const struct gsc_picture_note *lowest = NULL;

	for (size_t i = 0; i < picture->note_count; i++) {
		const struct gsc_picture_note *note = &picture->notes[i];

		if (note->kind == GSC_NOTE_APERTURE || note->start < start || note->start >= end)
			continue;
		if (after && (note->start < after->start ||
			      (note->start == after->start && note <= after)))
			continue;
		if (!lowest || note->start < lowest->start)
			lowest = note;
	}
	return lowest;
}

/* The notes between, and what lies in front of each. */
static void add_notes(const struct gsc_picture *picture, struct picture_rows *rows, uint64_t end)
{
	const struct gsc_picture_note *note = NULL;
	uint64_t start = rows->end;

	while ((note = lowest_note(picture, start, end, note))) {
		add_gap(rows, rows->end, note->start);
		rows->items[rows->count++] = (struct picture_row){
			.kind = ROW_NOTE, .start = note->start, .end = note->start, .note = note,
		};
		rows->end = note->start;
	}
}

static void add_band(const struct gsc_picture *picture, struct picture_rows *rows,
		     const struct picture_row *band)
{
	struct picture_row *row = &rows->items[rows->count++];
	size_t i = 0;

	*row = *band;
	row->kind = ROW_BAND;
	row->start = band->all.start;
	row->end = band->all.end;
	while (row_note(picture, row, &i))
		row->notes++;
	rows->end = row->end;
	rows->bands++;
}

bool picture_rows(const struct gsc_picture *picture, struct picture_rows *rows)
{
	struct picture_row *bands = calloc(picture->count + 1, sizeof(*bands));
	size_t count;

	*rows = (struct picture_rows){ 0 };
	rows->items = calloc(2 * BANDS_MAX + 2 * PICTURE_NOTES + 8, sizeof(*rows->items));
	if (!bands || !rows->items) {
		free(bands);
		free(rows->items);
		return false;
	}
	for (size_t i = 0; i < picture->note_count; i++)
		if (picture->notes[i].kind == GSC_NOTE_APERTURE)
			rows->aperture = &picture->notes[i];
	count = make_bands(picture, bands);
	for (size_t i = 0; i < count; i++) {
		add_notes(picture, rows, bands[i].all.start);
		add_gap(rows, rows->end, bands[i].all.start);
		add_band(picture, rows, &bands[i]);
	}
	add_notes(picture, rows, UINT64_MAX);
	free(bands);
	return true;
}
