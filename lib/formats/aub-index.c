/* SPDX-License-Identifier: MIT */
/* The index of a trace: every write in order, and the pages that it touches. */
#include "formats/aub.h"

#include <sys/mman.h>

#define BUCKETS_MIN 1024

struct aub *aub_new(const uint8_t *data, size_t size)
{
	struct aub *aub = calloc(1, sizeof(*aub));

	if (!aub)
		return NULL;
	aub->data = data;
	aub->size = size;
	return aub;
}

void aub_free(void *data)
{
	struct aub *aub = data;

	if (!aub)
		return;
	aub_memory_free(aub->end);
	vec_free(&aub->writes);
	vec_free(&aub->pages);
	vec_free(&aub->events);
	vec_free(&aub->own);
	if (aub->zeros)
		munmap((void *)(uintptr_t)aub->zeros, aub->zero_bytes);
	free(aub->hash);
	free(aub);
}

/* ---- pages by address ----------------------------------------------------------------------- */

/* The bucket of a page, or the empty one where it would go. */
static uint32_t *find_bucket(const struct aub *aub, enum gsc_space space, uint64_t number)
{
	uint64_t key = (number ^ (uint64_t)space << 56) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(key >> 32) & (aub->buckets - 1);

	for (; aub->hash[i]; i = (i + 1) & (aub->buckets - 1)) {
		const struct aub_page *page = &aub->pages.items[aub->hash[i] - 1];

		if (page->number == number && page->space == (uint32_t)space)
			break;
	}
	return &aub->hash[i];
}

static bool grow_hash(struct aub *aub)
{
	size_t buckets = aub->buckets ? aub->buckets * 2 : BUCKETS_MIN;
	uint32_t *hash = buckets > aub->buckets ? calloc(buckets, sizeof(*hash)) : NULL;

	if (!hash)
		return false;
	free(aub->hash);
	aub->hash = hash;
	aub->buckets = buckets;
	for (uint32_t i = 0; i < aub->pages.count; i++) {
		const struct aub_page *page = &aub->pages.items[i];

		*find_bucket(aub, (enum gsc_space)page->space, page->number) = i + 1;
	}
	return true;
}

static struct aub_page *page_get(struct aub *aub, enum gsc_space space, uint64_t number)
{
	struct aub_page *page;
	uint32_t *bucket;

	if (aub->pages.count * 2 >= aub->buckets && !grow_hash(aub))
		return NULL;
	bucket = find_bucket(aub, space, number);
	if (*bucket)
		return &aub->pages.items[*bucket - 1];
	page = vec_add(&aub->pages);
	if (!page)
		return NULL;
	*bucket = (uint32_t)aub->pages.count;
	*page = (struct aub_page){ .number = number, .space = (uint32_t)space,
				   .met = *bucket - 1 };
	return page;
}

/* ---- writes --------------------------------------------------------------------------------- */

bool aub_write(struct aub *aub, enum gsc_space space, uint64_t address, uint64_t length,
	       uint64_t at)
{
	while (length) {
		uint64_t here = MIN(length, AUB_PAGE - address % AUB_PAGE);
		struct aub_page *page = page_get(aub, space, address / AUB_PAGE);
		struct aub_write *write = page && aub->writes.count < UINT32_MAX ?
			vec_add(&aub->writes) : NULL;

		if (!write)
			return false;
		*write = (struct aub_write){ .at = at,
					     .page = page->met,
					     .from = (uint16_t)(address % AUB_PAGE),
					     .length = (uint16_t)here };
		address += here;
		at += here;
		length -= here;
	}
	return true;
}

bool aub_write_value(struct aub *aub, enum gsc_space space, uint64_t address, unsigned size,
		     uint64_t value)
{
	uint64_t at = aub->own.count | AUB_OWN;

	if (!vec_reserve(&aub->own, size))
		return false;
	for (unsigned i = 0; i < size; i++, value >>= 8)
		aub->own.items[aub->own.count++] = (uint8_t)value;
	return aub_write(aub, space, address, size, at);
}

static int by_place(const void *a, const void *b)
{
	const struct aub_page *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Writes refer to their pages by the new indexes. */
static bool sort_pages(struct aub *aub)
{
	uint32_t *place;

	if (!aub->pages.count)
		return true;
	place = calloc(aub->pages.count, sizeof(*place));
	if (!place)
		return false;
	qsort(aub->pages.items, aub->pages.count, sizeof(*aub->pages.items), by_place);
	for (uint32_t i = 0; i < aub->pages.count; i++)
		place[aub->pages.items[i].met] = i;
	for (size_t i = 0; i < aub->writes.count; i++)
		aub->writes.items[i].page = place[aub->writes.items[i].page];
	free(place);
	return true;
}

bool aub_finish(struct aub *aub, uint64_t table_bytes)
{
	void *zeros;

	free(aub->hash);
	aub->hash = NULL;
	aub->buckets = 0;
	if (!sort_pages(aub))
		return false;
	aub->zero_bytes = AUB_PAGE;
	for (size_t i = 0; i < aub->pages.count; i++)
		if (aub->pages.items[i].space == GSC_GGTT)
			aub->zero_bytes = MAX(table_bytes, AUB_PAGE);
	/* Mapped and never touched: the kernel has one page of zeros for all of it. */
	zeros = mmap(NULL, aub->zero_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (zeros == MAP_FAILED)
		return false;
	aub->zeros = zeros;
	aub->end = aub_memory_new(aub);
	return aub->end && aub_memory_move(aub->end, UINT32_MAX);
}

size_t aub_page_find(const struct aub *aub, enum gsc_space space, uint64_t number)
{
	struct aub_page wanted = { .number = number, .space = (uint32_t)space };
	size_t low = 0, high = aub->pages.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_place(&aub->pages.items[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
