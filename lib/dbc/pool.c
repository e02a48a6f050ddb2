/* SPDX-License-Identifier: MIT */
/* Equal runs of records are found by their hash. */
#include "dbc/pool.h"

#include "dbc/build.h"

#include <string.h>

static const uint8_t *run_bytes(const struct pool *p, const struct b_slice *run)
{
	return p->bytes.items + run->first * p->size;
}

static void take_slot(struct pool *p, size_t run)
{
	const struct b_slice *r = &p->runs.items[run];
	size_t at = bytes_hash(run_bytes(p, r), r->count * p->size) & (p->slot_count - 1);

	while (p->slots[at])
		at = (at + 1) & (p->slot_count - 1);
	p->slots[at] = (uint32_t)run + 1;
}

static bool grow(struct pool *p)
{
	size_t want = p->slot_count ? p->slot_count * 2 : 256;
	uint32_t *slots = calloc(want, sizeof(*slots));

	if (!slots)
		return false;
	free(p->slots);
	p->slots = slots;
	p->slot_count = want;
	for (size_t i = 0; i < p->runs.count; i++)
		take_slot(p, i);
	return true;
}

static const struct b_slice *find(const struct pool *p, const void *records, uint32_t count)
{
	size_t length = count * p->size;
	size_t at = bytes_hash(records, length) & (p->slot_count - 1);

	for (; p->slots[at]; at = (at + 1) & (p->slot_count - 1)) {
		const struct b_slice *run = &p->runs.items[p->slots[at] - 1];

		if (run->count == count && !memcmp(run_bytes(p, run), records, length))
			return run;
	}
	return NULL;
}

uint32_t pool_add(struct pool *p, const void *records, uint32_t count)
{
	struct b_slice run = { (uint32_t)pool_count(p), count };
	size_t length = count * p->size;
	const struct b_slice *there;

	if (!count)
		return 0;
	if (p->runs.count * 2 >= p->slot_count && !grow(p))
		goto fail;
	there = find(p, records, count);
	if (there)
		return there->first;
	if (p->bytes.count + length > UINT32_MAX || !vec_reserve(&p->bytes, length) ||
	    !vec_reserve(&p->runs, 1))
		goto fail;
	memcpy(p->bytes.items + p->bytes.count, records, length);
	p->bytes.count += length;
	p->runs.items[p->runs.count++] = run;
	take_slot(p, p->runs.count - 1);
	return run.first;
fail:
	p->failed = true;
	return 0;
}

size_t pool_count(const struct pool *p)
{
	return p->bytes.count / p->size;
}

void pool_free(struct pool *p)
{
	vec_free(&p->bytes);
	vec_free(&p->runs);
	free(p->slots);
}
