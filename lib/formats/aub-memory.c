/* SPDX-License-Identifier: MIT */
/*
 * The memory of a trace at a moment. Writes are replayed in order, each once; a page keeps what is
 * visible of them, so that neither a moment nor a read costs more because of older writes.
 */
#include "formats/aub.h"

/* A page with more runs takes less space as a copy. */
#define RUNS_MAX 16

/* Bytes of a page, left by one write. */
struct run {
	const uint8_t *data;
	uint16_t from, length;
};

/* A page as a copy, and which of its bytes were written. */
struct copy {
	uint8_t data[AUB_PAGE];
	uint64_t written[AUB_PAGE / 64];
};

struct page {
	struct run *runs;		/* sorted, disjoint */
	struct copy *copy;		/* instead of runs */
	uint8_t count, room;
};

struct aub_memory {
	const struct aub *aub;
	uint32_t writes;		/* writes done so far */
	struct page *pages;		/* as in the index */
	uint64_t *there;		/* a bit for each page */
	size_t last;			/* the page found last */
};

/* ---- making and dropping -------------------------------------------------------------------- */

static size_t bit_words(size_t bits)
{
	return bits / 64 + 1;
}

static void forget(struct aub_memory *memory)
{
	size_t count = memory->aub->pages.count;

	for (size_t i = 0; i < count; i++) {
		free(memory->pages[i].runs);
		free(memory->pages[i].copy);
		memory->pages[i] = (struct page){ 0 };
	}
	memset(memory->there, 0, bit_words(count) * 8);
	memory->writes = 0;
	memory->last = SIZE_MAX;
}

struct aub_memory *aub_memory_new(const struct aub *aub)
{
	struct aub_memory *memory = calloc(1, sizeof(*memory));
	size_t count = aub->pages.count;

	if (!memory)
		return NULL;
	memory->aub = aub;
	memory->last = SIZE_MAX;
	memory->pages = calloc(count + 1, sizeof(*memory->pages));
	memory->there = calloc(bit_words(count), 8);
	if (memory->pages && memory->there)
		return memory;
	aub_memory_free(memory);
	return NULL;
}

void aub_memory_free(void *data)
{
	struct aub_memory *memory = data;

	if (!memory)
		return;
	if (memory->pages && memory->there)
		forget(memory);
	free(memory->pages);
	free(memory->there);
	free(memory);
}

/* ---- bits ----------------------------------------------------------------------------------- */

/* The first bit equal to `set` in [from, to), or `to`. */
static size_t next_bit(const uint64_t *words, size_t from, size_t to, bool set)
{
	while (from < to) {
		uint64_t word = (set ? words[from / 64] : ~words[from / 64]) >> from % 64;

		if (word)
			return MIN(from + (size_t)__builtin_ctzll(word), to);
		from = (from / 64 + 1) * 64;
	}
	return to;
}

/* The first page that exists, from index `i` on, or how many pages there are. */
static size_t next_page(const struct aub_memory *memory, size_t i)
{
	return next_bit(memory->there, i, memory->aub->pages.count, true);
}

/* ---- replaying ------------------------------------------------------------------------------ */

static void copy_run(struct copy *copy, const struct run *run)
{
	unsigned from = run->from, to = run->from + (unsigned)run->length;

	memcpy(copy->data + run->from, run->data, run->length);
	while (from < to) {
		unsigned here = MIN(to - from, 64 - from % 64);

		copy->written[from / 64] |=
			(here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1) << from % 64;
		from += here;
	}
}

/* What is left of the runs of a page after a new one, and the new one. */
static unsigned lay_over(const struct page *page, const struct run *new, struct run *out)
{
	unsigned count = 0, end = new->from + (unsigned)new->length;
	bool laid = false;

	for (unsigned i = 0; i < page->count; i++) {
		struct run run = page->runs[i];
		unsigned stop = run.from + (unsigned)run.length;

		if (run.from < new->from) {
			out[count] = run;
			out[count++].length = (uint16_t)(MIN(stop, new->from) - run.from);
		}
		if (!laid && stop > new->from) {
			out[count++] = *new;
			laid = true;
		}
		if (stop > end) {
			unsigned cut = run.from < end ? end - run.from : 0;

			out[count++] = (struct run){ run.data + cut, (uint16_t)(run.from + cut),
						     (uint16_t)(run.length - cut) };
		}
	}
	if (!laid)
		out[count++] = *new;
	return count;
}

static bool do_write(struct aub_memory *memory, const struct aub_write *write)
{
	struct page *page = &memory->pages[write->page];
	const uint8_t *data = write->at & AUB_OWN ?
		memory->aub->own.items + (write->at & ~AUB_OWN) : memory->aub->data + write->at;
	struct run run = { data, write->from, write->length };

	memory->there[write->page / 64] |= UINT64_C(1) << write->page % 64;
	if (page->copy && run.length == AUB_PAGE) {
		free(page->copy);
		page->copy = NULL;
	}
	if (!page->copy) {
		struct run runs[RUNS_MAX + 2];
		unsigned count = lay_over(page, &run, runs);

		if (count > RUNS_MAX) {
			page->copy = calloc(1, sizeof(*page->copy));
			if (!page->copy)
				return false;
			for (unsigned i = 0; i < page->count; i++)
				copy_run(page->copy, &page->runs[i]);
			copy_run(page->copy, &run);
			free(page->runs);
			page->runs = NULL;
			page->count = page->room = 0;
			return true;
		}
		if (count > page->room) {
			unsigned room = count == 1 ? 1 : MIN(2 * count, (unsigned)RUNS_MAX);
			struct run *grown = reallocarray(page->runs, room, sizeof(*grown));

			if (!grown)
				return false;
			page->runs = grown;
			page->room = (uint8_t)room;
		}
		memcpy(page->runs, runs, count * sizeof(*runs));
		page->count = (uint8_t)count;
		return true;
	}
	copy_run(page->copy, &run);
	return true;
}

bool aub_memory_move(struct aub_memory *memory, uint32_t writes)
{
	const struct aub *aub = memory->aub;

	if (writes < memory->writes)
		forget(memory);
	writes = (uint32_t)MIN((size_t)writes, aub->writes.count);
	for (; memory->writes < writes; memory->writes++)
		if (!do_write(memory, &aub->writes.items[memory->writes]))
			return false;
	return true;
}

/* ---- looking -------------------------------------------------------------------------------- */

static bool is_filled(enum gsc_space space)
{
	return space == GSC_GGTT || space == GSC_PHYS || space == GSC_LMEM;
}

/* The bytes written at or after `from`; none: the result is at the end of the page. */
static struct run written_run(const struct page *page, unsigned from)
{
	struct run run = { NULL, AUB_PAGE, 0 };

	if (page->copy) {
		const uint64_t *written = page->copy->written;

		run.from = (uint16_t)next_bit(written, from, AUB_PAGE, true);
		run.length = (uint16_t)(next_bit(written, run.from, AUB_PAGE, false) - run.from);
		run.data = page->copy->data + run.from;
		return run;
	}
	for (unsigned i = 0; i < page->count; i++) {
		unsigned end = page->runs[i].from + (unsigned)page->runs[i].length, cut;

		if (end <= from)
			continue;
		run = page->runs[i];
		cut = run.from < from ? from - run.from : 0;
		return (struct run){ run.data + cut, (uint16_t)(run.from + cut),
				     (uint16_t)(run.length - cut) };
	}
	return run;
}

/* The rest of a page of memory is zero: there is a run at every byte of it. */
static struct run page_run(const struct aub_memory *memory, const struct page *page,
			   enum gsc_space space, unsigned from)
{
	struct run run;

	if (page->copy && is_filled(space))
		return (struct run){ page->copy->data + from, (uint16_t)from,
				     (uint16_t)(AUB_PAGE - from) };
	run = written_run(page, from);
	if (is_filled(space) && run.from > from)
		return (struct run){ memory->aub->zeros, (uint16_t)from,
				     (uint16_t)(run.from - from) };
	return run;
}

int aub_page_compare(const void *a, const void *b)
{
	const struct aub_page *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Index of the first page at or after a number that exists; its space may be the next one. */
static size_t find_page(struct aub_memory *memory, enum gsc_space space, uint64_t number)
{
	struct aub_page wanted = { .number = number, .space = (uint32_t)space };
	const struct aub_page *pages = memory->aub->pages.items;
	size_t count = memory->aub->pages.count;

	if (memory->last < count && !aub_page_compare(&pages[memory->last], &wanted))
		return memory->last;
	memory->last = next_page(memory, SEEK(i, 0, count,
					      aub_page_compare(&pages[i], &wanted) < 0));
	return memory->last;
}

/* The part of the table for which no entry was written. */
static bool table_run(const struct aub_memory *memory, uint64_t address, uint64_t end,
		      struct moment_run *run)
{
	const struct aub *aub = memory->aub;

	if (aub->zero_bytes == AUB_PAGE || address >= MIN(end, aub->zero_bytes))
		return false;
	*run = (struct moment_run){ address, MIN(end, aub->zero_bytes) - address,
				 aub->zeros + address };
	return true;
}

bool aub_memory_run(void *data, enum gsc_space space, uint64_t address, struct moment_run *run)
{
	struct aub_memory *memory = data;
	const struct aub *aub = memory->aub;
	size_t i = find_page(memory, space, address / AUB_PAGE);

	for (; i < aub->pages.count; i = next_page(memory, i + 1)) {
		const struct aub_page *page = &aub->pages.items[i];
		uint64_t start = page->number * AUB_PAGE;
		struct run found;

		if (page->space != (uint32_t)space)
			break;
		if (space == GSC_GGTT && table_run(memory, address, start, run))
			return true;
		found = page_run(memory, &memory->pages[i], space,
				 address > start ? (unsigned)(address - start) : 0);
		if (!found.length)
			continue;
		*run = (struct moment_run){ start + found.from, found.length, found.data };
		return true;
	}
	return space == GSC_GGTT && table_run(memory, address, UINT64_MAX, run);
}

bool aub_memory_pieces(struct aub_memory *memory, struct part *part)
{
	if (!vec_reserve(&part->pieces, memory->aub->pages.count))
		return false;
	for (unsigned space = 0; space < GSC_SPACES; space++) {
		struct moment_run run = { 0 };

		while (run.start + run.length >= run.start &&
		       aub_memory_run(memory, (enum gsc_space)space, run.start + run.length, &run))
			if (!part_add(part, (enum gsc_space)space, run.start, run.length, run.data))
				return false;
	}
	return true;
}
