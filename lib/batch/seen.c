/* SPDX-License-Identifier: MIT */
/* What a follower has met: runs by their address, and given dwords by address. */
#include "batch/follow.h"

#define BUCKETS_MIN 64

static uint32_t *bucket_of(const struct seen *seen, const struct gsc_run *run)
{
	uint64_t key = (run->address * 2 + run->process) * UINT64_C(0x9e3779b97f4a7c15);

	return &seen->buckets[(size_t)(key >> 32) & (seen->bucket_count - 1)];
}

bool seen_add(struct seen *seen, const struct gsc_run *run)
{
	size_t count = seen->bucket_count ? seen->bucket_count * 2 : BUCKETS_MIN;
	uint32_t *bucket, *buckets;

	if (!vec_reserve(&seen->items, 1) || !vec_reserve(&seen->next, 1))
		return false;
	if (seen->items.count >= seen->bucket_count) {
		buckets = calloc(count, sizeof(*buckets));
		if (!buckets)
			return false;
		free(seen->buckets);
		seen->buckets = buckets;
		seen->bucket_count = count;
		for (uint32_t i = 0; i < seen->items.count; i++) {
			bucket = bucket_of(seen, &seen->items.items[i]);
			seen->next.items[i] = *bucket;
			*bucket = i + 1;
		}
	}
	bucket = bucket_of(seen, run);
	*vec_add(&seen->items) = *run;
	*vec_add(&seen->next) = *bucket;
	*bucket = (uint32_t)seen->items.count;
	return true;
}

/* The newest entry of the bucket, from this one on, at the same place as the run; or 0. */
static uint32_t same_place(const struct seen *seen, const struct gsc_run *run, uint32_t i)
{
	for (; i; i = seen->next.items[i - 1]) {
		const struct gsc_run *item = &seen->items.items[i - 1];

		if (item->address == run->address && item->process == run->process)
			break;
	}
	return i;
}

struct gsc_run *seen_find(const struct seen *seen, const struct gsc_run *run)
{
	uint32_t i = seen->bucket_count ? same_place(seen, run, *bucket_of(seen, run)) : 0;

	return i ? &seen->items.items[i - 1] : NULL;
}

struct gsc_run *seen_of_engine(const struct seen *seen, const struct gsc_run *run, size_t first)
{
	uint32_t i = seen->bucket_count ? same_place(seen, run, *bucket_of(seen, run)) : 0;

	for (; i > first; i = same_place(seen, run, seen->next.items[i - 1]))
		if (!strcmp(seen->items.items[i - 1].engine, run->engine))
			return &seen->items.items[i - 1];
	return NULL;
}

void seen_clear(struct seen *seen)
{
	for (size_t i = 0; i < seen->items.count; i++)
		*bucket_of(seen, &seen->items.items[i]) = 0;
	seen->items.count = seen->next.count = 0;
}

void seen_free(struct seen *seen)
{
	vec_free(&seen->items);
	vec_free(&seen->next);
	free(seen->buckets);
	*seen = (struct seen){ 0 };
}

/* ---- dwords in hand ------------------------------------------------------------------------- */

/* Of overlapping pieces the one added last shows, so they are added from the last to the first. */
bool held_init(struct held_words *held, const struct gsc_words *words, size_t count)
{
	*held = (struct held_words){ 0 };
	if (!count)
		return true;
	if (count > INT32_MAX || !vec_reserve(&held->pieces, count))
		return false;
	while (count-- > 0) {
		uint64_t bytes = (uint64_t)words[count].count * 4;
		struct piece *piece;

		if (!words[count].words || !bytes)
			continue;
		piece = vec_add(&held->pieces);
		*piece = (struct piece){ .start = words[count].address, .fd = (int)count };
		piece->length = range_fits(piece->start, bytes) ? bytes : UINT64_MAX - piece->start;
	}
	return pieces_resolve(&held->pieces);
}

void held_free(struct held_words *held)
{
	vec_free(&held->pieces);
}

const struct gsc_words *held_find(const struct held_words *held, const struct gsc_words *words,
				  uint64_t address)
{
	const struct piece *pieces = held->pieces.items;
	size_t low = 0, high = held->pieces.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (address < pieces[middle].start)
			high = middle;
		else if (address - pieces[middle].start >= pieces[middle].length)
			low = middle + 1;
		else
			return &words[pieces[middle].fd];
	}
	return NULL;
}
