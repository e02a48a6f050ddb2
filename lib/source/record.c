/* SPDX-License-Identifier: MIT */
/* The set of pages that have been read: a hash of their numbers. */
#include "source/record.h"

#define ROOM_FIRST 4096

/* Where a key is, or the empty place where it would go. */
static uint64_t *find(uint64_t *buckets, size_t room, uint64_t key)
{
	size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (room - 1);

	while (buckets[i] && buckets[i] != key)
		i = (i + 1) & (room - 1);
	return &buckets[i];
}

static void note_page(struct record *record, uint64_t key)
{
	uint64_t *slot;

	if (record->count * 2 >= record->room) {
		size_t room = record->room ? record->room * 2 : ROOM_FIRST;
		uint64_t *buckets = calloc(room, sizeof(*buckets));

		if (!buckets) {
			record->over++;
			return;
		}
		for (size_t i = 0; i < record->room; i++)
			if (record->buckets[i])
				*find(buckets, room, record->buckets[i]) = record->buckets[i];
		free(record->buckets);
		record->buckets = buckets;
		record->room = room;
	}
	slot = find(record->buckets, record->room, key);
	if (*slot)
		return;
	if (record->most && record->count >= record->most) {
		record->over++;
		return;
	}
	*slot = key;
	record->count++;
}

void record_note(struct record *record, enum gsc_space space, uint64_t address, size_t size)
{
	if (record->paused || !size || (space != GSC_PHYS && space != GSC_LMEM))
		return;
	for (uint64_t page = address / RECORD_PAGE; page <= (address + (size - 1)) / RECORD_PAGE;
	     page++)
		note_page(record, (page << 1 | (space == GSC_LMEM)) + 1);
}

static int by_key(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

bool record_stretches(const struct record *record, enum gsc_space space, memory_vec *out)
{
	VEC(uint64_t) keys = { 0 };
	bool done = vec_reserve(&keys, record->count + 1);

	for (size_t i = 0; done && i < record->room; i++)
		if (record->buckets[i] && ((record->buckets[i] - 1) & 1) == (space == GSC_LMEM))
			keys.items[keys.count++] = record->buckets[i];
	vec_sort(&keys, by_key);
	for (size_t i = 0; done && i < keys.count; i++) {
		uint64_t start = ((keys.items[i] - 1) >> 1) * RECORD_PAGE;
		struct gsc_memory *last = out->count ? &out->items[out->count - 1] : NULL;

		if (last && last->start + last->length == start) {
			last->length += RECORD_PAGE;
			continue;
		}
		done = vec_push(out, (struct gsc_memory){
			start, MIN(RECORD_PAGE, UINT64_MAX - start) });
	}
	vec_free(&keys);
	return done;
}

void record_free(struct record *record)
{
	free(record->buckets);
	*record = (struct record){ 0 };
}
