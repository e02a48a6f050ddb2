/* SPDX-License-Identifier: MIT */
/*
 * What a picture of a map shows: the address space from low to high as rows. However many ranges
 * come, only a few stretches are kept: the closest ones are joined.
 */
#include "out/walk.h"
#include "util/text.h"

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

/* How much the eye loses if two neighbours are joined. */
static uint64_t cost_of(const struct patch *a, const struct patch *b)
{
	return b->start - a->end + MIN(a->end - a->start, b->end - b->start) / 16;
}

static void join(struct patch *a, const struct patch *b)
{
	a->end = b->end;
	a->ranges += b->ranges;
	a->pages += b->pages;
	for (unsigned shape = 0; shape < SHAPES; shape++)
		a->bytes[shape] += b->bytes[shape];
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
	if (picture->count <= STRETCHES_MAX * 3 / 4)
		return;
	/* By force, if all of them cost the same. */
	for (size_t i = 0; i < picture->count / 2; i++) {
		items[i] = items[2 * i];
		join(&items[i], &items[2 * i + 1]);
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
	}
	item = &picture->items[picture->count++];
	*item = (struct patch){
		.first = *mapping, .start = mapping->start, .end = mapping->end,
		.ranges = 1, .pages = mapping->pages,
	};
	if ((unsigned)mapping->kind < SHAPE_NULL_TILE)
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

unsigned patch_shape(const struct patch *patch)
{
	unsigned most = 0;

	for (unsigned shape = 1; shape < SHAPES; shape++)
		if (patch->bytes[shape] > patch->bytes[most])
			most = shape;
	return most;
}

/* ---- what the tables tell besides ------------------------------------------------------------ */

static int compare_patches(const void *a, const void *b)
{
	const struct patch *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static bool take_patches(const struct gsc_picture *picture, const struct blanks *blanks,
			 struct picture_rows *rows)
{
	static const unsigned shapes[] = {
		[BLANK_UNKNOWN] = SHAPE_UNKNOWN, [BLANK_NULL_TILE] = SHAPE_NULL_TILE,
		[BLANK_INVALID_TILE] = SHAPE_INVALID_TILE,
	};
	size_t kept = 0;

	rows->patches = calloc(picture->count + blanks->count + 1, sizeof(*rows->patches));
	if (!rows->patches)
		return false;
	if (picture->count)
		memcpy(rows->patches, picture->items, picture->count * sizeof(*picture->items));
	rows->patch_count = picture->count;
	for (const struct blank *b = blanks->items; b < blanks->items + blanks->count; b++) {
		struct patch *patch = &rows->patches[rows->patch_count++];

		*patch = (struct patch){
			.first = { .start = b->start, .end = b->end }, .why = b->why,
			.start = b->start, .end = b->end, .ranges = 1,
		};
		patch->bytes[shapes[b->kind]] = b->end - b->start;
	}
	qsort(rows->patches, rows->patch_count, sizeof(*rows->patches), compare_patches);
	/* Neighbours that were joined when they came may span a blank one, then in them. */
	for (size_t i = 1; i < rows->patch_count; i++) {
		struct patch *last = &rows->patches[kept], *item = &rows->patches[i];

		if (item->end <= last->end)
			continue;
		item->start = MAX(item->start, last->end);
		rows->patches[++kept] = *item;
	}
	rows->patch_count = MIN(rows->patch_count, kept + 1);
	return true;
}

#define TILED_RANGE (UINT64_C(1) << 44)

static bool take_notes(const struct gsc_picture *picture, const struct gsc_translation *t,
		       struct picture_rows *rows)
{
	rows->notes = calloc(PICTURE_NOTES + TILED_NOTES, sizeof(*rows->notes));
	if (!rows->notes)
		return false;
	memcpy(rows->notes, picture->notes, picture->note_count * sizeof(*rows->notes));
	rows->note_count = picture->note_count;
	/* The first addresses that go through the tables of tiled resources. */
	for (uint64_t va = 0; va < MIN(t->limit, TILED_NOTES * TILED_RANGE); va += TILED_RANGE) {
		struct gsc_picture_note *note = &rows->notes[rows->note_count];

		if (!trtt_holds(&t->options.trtt, va))
			continue;
		*note = (struct gsc_picture_note){ GSC_NOTE_PLACE, va, va + 1, "" };
		string_set(note->text, "tiled resources (TR-TT), L3 table at 0x%llx",
			   LL(t->options.trtt.l3));
		rows->note_count++;
	}
	for (size_t i = 0; i < rows->note_count; i++)
		if (rows->notes[i].kind == GSC_NOTE_APERTURE)
			rows->aperture = &rows->notes[i];
	return true;
}

/* ---- bands ---------------------------------------------------------------------------------- */

/* First one stretch each; then the closest are joined until there are few enough to read. */
static size_t make_bands(const struct picture_rows *rows, struct picture_row *bands)
{
	size_t count = rows->patch_count;

	for (size_t i = 0; i < count; i++)
		bands[i] = (struct picture_row){ .first = i, .last = i + 1,
						 .all = rows->patches[i] };
	while (count > BANDS_MAX) {
		size_t best = 0;

		for (size_t i = 1; i + 1 < count; i++)
			if (cost_of(&bands[i].all, &bands[i + 1].all) <
			    cost_of(&bands[best].all, &bands[best + 1].all))
				best = i;
		bands[best].last = bands[best + 1].last;
		join(&bands[best].all, &bands[best + 1].all);
		memmove(&bands[best + 1], &bands[best + 2], (count - best - 2) * sizeof(*bands));
		count--;
	}
	return count;
}

const struct gsc_picture_note *row_note(const struct picture_rows *rows,
					const struct picture_row *row, size_t *i)
{
	while (*i < rows->note_count) {
		const struct gsc_picture_note *note = &rows->notes[(*i)++];

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

/* What is known about addresses that are not mapped, lowest first. */
static const struct gsc_picture_note *lowest_note(const struct picture_rows *rows,
						  uint64_t start, uint64_t end,
						  const struct gsc_picture_note *after)
{
	const struct gsc_picture_note *lowest = NULL;

	for (size_t i = 0; i < rows->note_count; i++) {
		const struct gsc_picture_note *note = &rows->notes[i];

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

/* The notes in between, and what precedes each. */
static void add_notes(struct picture_rows *rows, uint64_t end)
{
	const struct gsc_picture_note *note = NULL;
	uint64_t start = rows->end;

	while ((note = lowest_note(rows, start, end, note))) {
		add_gap(rows, rows->end, note->start);
		rows->items[rows->count++] = (struct picture_row){
			.kind = ROW_NOTE, .start = note->start, .end = note->start, .note = note,
		};
		rows->end = note->start;
	}
	if (end == UINT64_MAX)
		return;
	add_gap(rows, rows->end, end);
	rows->end = MAX(rows->end, end);
}

bool picture_rows(const struct gsc_picture *picture, const struct gsc_translation *t,
		  struct picture_rows *rows)
{
	struct picture_row *bands = NULL;
	size_t count;

	*rows = (struct picture_rows){ 0 };
	rows->items = calloc(2 * BANDS_MAX + 2 * (PICTURE_NOTES + TILED_NOTES) + 8,
			     sizeof(*rows->items));
	if (take_patches(picture, &t->blanks, rows) && take_notes(picture, t, rows))
		bands = calloc(rows->patch_count + 1, sizeof(*bands));
	if (!bands || !rows->items) {
		free(bands);
		picture_rows_free(rows);
		return false;
	}
	count = make_bands(rows, bands);
	for (size_t i = 0; i < count; i++) {
		struct picture_row *row;
		size_t next = 0;

		add_notes(rows, bands[i].all.start);
		row = &rows->items[rows->count++];
		*row = bands[i];
		row->kind = ROW_BAND;
		row->start = bands[i].all.start;
		row->end = bands[i].all.end;
		while (row_note(rows, row, &next))
			row->notes++;
		rows->end = row->end;
		rows->bands++;
	}
	add_notes(rows, MAX(t->limit, rows->end));
	add_notes(rows, UINT64_MAX);
	free(bands);
	return true;
}

void picture_rows_free(struct picture_rows *rows)
{
	free(rows->patches);
	free(rows->notes);
	free(rows->items);
}
