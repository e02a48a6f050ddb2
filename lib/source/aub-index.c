/* SPDX-License-Identifier: MIT */
/* The index of a trace: every write, chained by page, so that any moment's memory can be had. */
#include "source/aub.h"

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

void aub_free(struct aub *aub)
{
	if (!aub)
		return;
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

static size_t bucket_of(const struct aub *aub, enum gsc_space space, uint64_t number)
{
	uint64_t key = (number ^ (uint64_t)space << 56) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(key >> 32) & (aub->buckets - 1);
}

/* The bucket of a page, or the empty one where it belongs. */
static uint32_t *find_bucket(const struct aub *aub, enum gsc_space space, uint64_t number)
{
	size_t i = bucket_of(aub, space, number);

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
	*page = (struct aub_page){ .number = number, .space = (uint32_t)space };
	*bucket = (uint32_t)aub->pages.count;
	return page;
}

/* ---- writes --------------------------------------------------------------------------------- */

static bool page_write(struct aub *aub, enum gsc_space space, uint64_t address, unsigned length,
		       uint64_t at)
{
	struct aub_page *page = page_get(aub, space, address / AUB_PAGE);
	struct aub_write *write;

	if (!page || aub->writes.count >= UINT32_MAX)
		return false;
	write = vec_add(&aub->writes);
	if (!write)
		return false;
	*write = (struct aub_write){ .at = at,
				     .before = page->last,
				     .from = (uint16_t)(address % AUB_PAGE),
				     .length = (uint16_t)length };
	page->last = (uint32_t)aub->writes.count;
	return true;
}

bool aub_write(struct aub *aub, enum gsc_space space, uint64_t address, uint64_t length,
	       uint64_t at)
{
	while (length) {
		uint64_t here = MIN(length, AUB_PAGE - address % AUB_PAGE);

		if (!page_write(aub, space, address, (unsigned)here, at))
			return false;
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

static const uint8_t *write_data(const struct aub *aub, const struct aub_write *write)
{
	return write->at & AUB_OWN ? aub->own.items + (write->at & ~AUB_OWN) :
				     aub->data + write->at;
}

static int by_place(const void *a, const void *b)
{
	const struct aub_page *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static bool has_entries(const struct aub *aub)
{
	for (size_t i = 0; i < aub->pages.count; i++)
		if (aub->pages.items[i].space == GSC_GGTT)
			return true;
	return false;
}

/* Mapped, never touched: the kernel has one page of zeros for all of it. */
static bool map_zeros(struct aub *aub, uint64_t bytes)
{
	void *zeros = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (zeros == MAP_FAILED)
		return false;
	aub->zeros = zeros;
	aub->zero_bytes = bytes;
	return true;
}

bool aub_finish(struct aub *aub, uint64_t table_bytes)
{
	free(aub->hash);
	aub->hash = NULL;
	aub->buckets = 0;
	if (aub->pages.count)
		qsort(aub->pages.items, aub->pages.count, sizeof(*aub->pages.items), by_place);
	return map_zeros(aub, has_entries(aub) ? MAX(table_bytes, AUB_PAGE) : AUB_PAGE);
}

/* ---- the memory of a moment ----------------------------------------------------------------- */

/* Registers and what is named by its graphics address are there only as far as written. */
static bool is_filled(enum gsc_space space)
{
	return space == GSC_GGTT || space == GSC_PHYS || space == GSC_LMEM;
}

/* Which write each byte of a page is from, counted from 1. */
struct owners {
	uint32_t of[AUB_PAGE];
};

/* From the last write back to the first, until every byte has one. False: the page is not there. */
static bool find_owners(const struct aub *aub, uint32_t last, struct owners *owners)
{
	unsigned owned = 0;

	memset(owners, 0, sizeof(*owners));
	for (uint32_t i = last; i && owned < AUB_PAGE; i = aub->writes.items[i - 1].before) {
		const struct aub_write *write = &aub->writes.items[i - 1];

		for (unsigned at = write->from; at < write->from + (unsigned)write->length; at++) {
			owned += !owners->of[at];
			if (!owners->of[at])
				owners->of[at] = i;
		}
	}
	return owned;
}

/* What lies at a byte of a page, and as far as that is in one piece. */
static const uint8_t *owned_data(const struct aub *aub, const struct owners *owners, unsigned from,
				 unsigned *to)
{
	uint32_t owner = owners->of[from];
	const struct aub_write *write;

	for (*to = from; *to < AUB_PAGE && owners->of[*to] == owner; ++*to)
		;
	if (!owner)
		return aub->zeros;
	write = &aub->writes.items[owner - 1];
	return write_data(aub, write) + (from - write->from);
}

/* A page that was written entry by entry takes less room as a copy than as pieces. */
#define PIECES_MAX 16

static bool is_scattered(const struct owners *owners)
{
	unsigned pieces = 1;

	for (unsigned i = 1; i < AUB_PAGE; i++)
		pieces += owners->of[i] != owners->of[i - 1];
	return pieces > PIECES_MAX;
}

static bool add_copy(const struct aub *aub, const struct aub_page *page,
		     const struct owners *owners, struct part *part)
{
	uint8_t *copy = part_alloc(part, AUB_PAGE);

	for (unsigned from = 0, to; copy && from < AUB_PAGE; from = to) {
		const uint8_t *data = owned_data(aub, owners, from, &to);

		memcpy(copy + from, data, to - from);
	}
	return copy && part_add(part, (enum gsc_space)page->space, page->number * AUB_PAGE,
				AUB_PAGE, copy);
}

static bool add_owned(const struct aub *aub, const struct aub_page *page,
		      const struct owners *owners, struct part *part)
{
	enum gsc_space space = (enum gsc_space)page->space;

	if (is_filled(space) && is_scattered(owners))
		return add_copy(aub, page, owners, part);
	for (unsigned from = 0, to; from < AUB_PAGE; from = to) {
		const uint8_t *data = owned_data(aub, owners, from, &to);

		if (!owners->of[from] && !is_filled(space))
			continue;
		if (!part_add(part, space, page->number * AUB_PAGE + from, to - from, data))
			return false;
	}
	return true;
}

/* What no entry was written to of the table, from `from` up to `to`. */
static bool add_table(const struct aub *aub, struct part *part, uint64_t from, uint64_t to)
{
	to = MIN(to, aub->zero_bytes);
	if (aub->zero_bytes == AUB_PAGE || from >= to)
		return true;
	return part_add(part, GSC_GGTT, from, to - from, aub->zeros + from);
}

static bool add_page(const struct aub *aub, const struct aub_page *page, uint32_t last,
		     struct owners *owners, struct part *part)
{
	const struct aub_write *write = &aub->writes.items[last - 1];

	if (write->length == AUB_PAGE)
		return part_add(part, (enum gsc_space)page->space, page->number * AUB_PAGE,
				AUB_PAGE, write_data(aub, write));
	return !find_owners(aub, last, owners) || add_owned(aub, page, owners, part);
}

bool aub_pieces(const struct aub *aub, uint32_t writes, struct part *part)
{
	struct owners *owners = malloc(sizeof(*owners));
	bool added = owners && vec_reserve(&part->pieces, aub->pages.count);
	uint64_t table = 0;		/* how far the table has been added */

	for (size_t i = 0; added && i < aub->pages.count; i++) {
		const struct aub_page *page = &aub->pages.items[i];
		uint32_t last = page->last;

		while (last > writes)
			last = aub->writes.items[last - 1].before;
		if (page->space > GSC_GGTT && table < UINT64_MAX) {
			added = add_table(aub, part, table, UINT64_MAX);
			table = UINT64_MAX;
		}
		if (!last || !added)
			continue;
		if (page->space == GSC_GGTT) {
			added = add_table(aub, part, table, page->number * AUB_PAGE);
			table = (page->number + 1) * AUB_PAGE;
		}
		added = added && add_page(aub, page, last, owners, part);
	}
	if (added && table < UINT64_MAX)
		added = add_table(aub, part, table, UINT64_MAX);
	free(owners);
	return added;
}
