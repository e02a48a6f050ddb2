/* SPDX-License-Identifier: MIT */
/* Pieces: their names, adding them, and turning a heap of overlapping ones into a sorted list. */
#include "source/source.h"

#include <stdlib.h>

static const char *const space_names[GSC_SPACES] = {
	[GSC_MMIO] = "mmio",	   [GSC_CONFIG] = "config", [GSC_IO] = "io",
	[GSC_VGA_SR] = "vga-sr",   [GSC_VGA_GR] = "vga-gr", [GSC_VGA_AR] = "vga-ar",
	[GSC_VGA_CR] = "vga-cr",   [GSC_SIDEBAND] = "sideband", [GSC_GGTT] = "ggtt",
	[GSC_PHYS] = "phys",	   [GSC_LMEM] = "lmem",	    [GSC_GTTMEM] = "gttmem",
};

static const char *const read_words[] = {
	[GSC_READ_OK] = "ok",	      [GSC_READ_ABSENT] = "absent",
	[GSC_READ_SKIPPED] = "skipped", [GSC_READ_ASLEEP] = "asleep",
	[GSC_READ_DENIED] = "denied", [GSC_READ_ALL_ONES] = "all-ones",
};

const char *gsc_space_name(enum gsc_space space)
{
	return (unsigned)space < GSC_SPACES ? space_names[space] : "?";
}

const char *gsc_read_word(enum gsc_read status)
{
	return (unsigned)status < ARRAY_SIZE(read_words) ? read_words[status] : "?";
}

static bool find_word(const char *const *words, size_t count, const char *text, size_t length,
		      unsigned *index)
{
	for (unsigned i = 0; i < count; i++) {
		if (strlen(words[i]) == length && !memcmp(words[i], text, length)) {
			*index = i;
			return true;
		}
	}
	return false;
}

bool space_by_name(const char *name, size_t length, enum gsc_space *space)
{
	unsigned i;

	if (!find_word(space_names, GSC_SPACES, name, length, &i))
		return false;
	*space = (enum gsc_space)i;
	return true;
}

bool read_by_word(const char *word, size_t length, enum gsc_read *status)
{
	unsigned i;

	if (!find_word(read_words, ARRAY_SIZE(read_words), word, length, &i))
		return false;
	*status = (enum gsc_read)i;
	return true;
}

static bool add(struct part *part, struct piece piece)
{
	struct piece *added;

	if (!range_fits(piece.start, piece.length))
		return false;
	if (!piece.length)
		return true;
	added = vec_add(&part->pieces);
	if (!added)
		return false;
	*added = piece;
	return true;
}

bool part_add(struct part *part, enum gsc_space space, uint64_t start, uint64_t length,
	      const uint8_t *data)
{
	return add(part, (struct piece){ space, GSC_READ_OK, start, length, data, 0, -1 });
}

bool part_add_file(struct part *part, enum gsc_space space, uint64_t start, uint64_t length, int fd,
		   uint64_t offset)
{
	return add(part, (struct piece){ space, GSC_READ_OK, start, length, NULL, offset, fd });
}

bool part_add_status(struct part *part, enum gsc_space space, uint64_t start, uint64_t length,
		     enum gsc_read status)
{
	return add(part, (struct piece){ space, status, start, length, NULL, 0, -1 });
}

void *part_alloc(struct part *part, size_t size)
{
	void **slot = vec_add(&part->memory);

	if (!slot)
		return NULL;
	*slot = malloc(size ? size : 1);
	return *slot;
}

/* A piece and its place in the order of adding: the highest rank shows. */
struct ranked {
	struct piece piece;
	size_t rank;
};

static int by_place(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->piece.space != y->piece.space)
		return x->piece.space < y->piece.space ? -1 : 1;
	if (x->piece.start != y->piece.start)
		return x->piece.start < y->piece.start ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* The ranked pieces that have begun, as a binary heap with the highest rank on top. */
struct heap {
	const struct ranked **items;
	size_t count;
};

static void heap_push(struct heap *heap, const struct ranked *item)
{
	size_t i = heap->count++;

	for (; i && heap->items[(i - 1) / 2]->rank < item->rank; i = (i - 1) / 2)
		heap->items[i] = heap->items[(i - 1) / 2];
	heap->items[i] = item;
}

static void heap_pop(struct heap *heap)
{
	const struct ranked *item = heap->items[--heap->count];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < heap->count &&
		    heap->items[child + 1]->rank > heap->items[child]->rank)
			child++;
		if (child >= heap->count || heap->items[child]->rank <= item->rank)
			break;
		heap->items[i] = heap->items[child];
		i = child;
	}
	heap->items[i] = item;
}

static bool continues(const struct piece *a, const struct piece *b)
{
	if (a->space != b->space || a->status != b->status || a->start + a->length != b->start)
		return false;
	if (a->status != GSC_READ_OK)
		return true;
	if (a->data)
		return b->data == a->data + a->length;
	return !b->data && a->fd == b->fd && a->offset + a->length == b->offset;
}

/* [from, to) of a piece, joined to the last one where that is one stretch. */
static bool emit(piece_vec *out, const struct piece *piece, uint64_t from, uint64_t to)
{
	struct piece cut = *piece, *last = out->count ? &out->items[out->count - 1] : NULL;
	struct piece *added;

	if (cut.status == GSC_READ_ABSENT)
		return true;
	if (cut.data)
		cut.data += from - cut.start;
	cut.offset += from - cut.start;
	cut.start = from;
	cut.length = to - from;
	if (last && continues(last, &cut)) {
		last->length += cut.length;
		return true;
	}
	added = vec_add(out);
	if (!added)
		return false;
	*added = cut;
	return true;
}

static uint64_t piece_end(const struct ranked *item)
{
	return item->piece.start + item->piece.length;
}

/* One sweep over the pieces of a space: at each address the highest rank that has begun shows. */
static bool sweep(const struct ranked *items, size_t count, struct heap *heap, piece_vec *out)
{
	uint64_t at = 0;
	size_t next = 0;

	while (next < count || heap->count) {
		uint64_t to;

		if (!heap->count)
			at = items[next].piece.start;
		while (next < count && items[next].piece.start <= at)
			heap_push(heap, &items[next++]);
		while (heap->count && piece_end(heap->items[0]) <= at)
			heap_pop(heap);
		if (!heap->count)
			continue;
		to = piece_end(heap->items[0]);
		if (next < count)
			to = MIN(to, items[next].piece.start);
		if (!emit(out, &heap->items[0]->piece, at, to))
			return false;
		at = to;
	}
	return true;
}

static bool sweep_spaces(const struct ranked *items, size_t count, struct heap *heap,
			 piece_vec *out)
{
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && items[end].piece.space == items[i].piece.space; end++)
			;
		if (!sweep(items + i, end - i, heap, out))
			return false;
	}
	return true;
}

bool pieces_resolve(piece_vec *pieces)
{
	size_t count = pieces->count;
	struct ranked *items;
	struct heap heap = { 0 };
	piece_vec out = { 0 };
	bool done = false;

	if (!count)
		return true;
	items = calloc(count, sizeof(*items));
	heap.items = calloc(count, sizeof(*heap.items));
	if (items && heap.items) {
		for (size_t i = 0; i < count; i++)
			items[i] = (struct ranked){ pieces->items[i], i };
		qsort(items, count, sizeof(*items), by_place);
		done = sweep_spaces(items, count, &heap, &out);
	}
	free(items);
	free(heap.items);
	if (!done) {
		vec_free(&out);
		return false;
	}
	vec_free(pieces);
	*pieces = out;
	return true;
}
