/* SPDX-License-Identifier: MIT */
/* Pieces: adding them, and turning a heap of overlapping ones into a sorted list. */
#include "source/part.h"

#include <unistd.h>

bool space_place(enum gsc_space space, uint64_t address, uint64_t *place)
{
	*place = space == GSC_SIDEBAND ? 4 * address : address;
	return space != GSC_SIDEBAND || address <= UINT64_MAX / 4;
}

static bool add(struct part *part, struct piece piece)
{
	if (!range_fits(piece.start, piece.length))
		return false;
	if (!piece.length)
		return true;
	return vec_push(&part->pieces, piece);
}

bool part_add(struct part *part, enum gsc_space space, uint64_t start, uint64_t length,
	      const uint8_t *data)
{
	return add(part, (struct piece){ space, GSC_READ_OK, start, length, data, NULL, 0, -1 });
}

bool part_add_file(struct part *part, enum gsc_space space, uint64_t start, uint64_t length, int fd,
		   uint64_t offset)
{
	return add(part, (struct piece){ space, GSC_READ_OK, start, length, NULL, NULL, offset,
					 fd });
}

bool part_add_packed(struct part *part, enum gsc_space space, uint64_t start, uint64_t length,
		     uint64_t offset)
{
	return add(part, (struct piece){ space, GSC_READ_OK, start, length, NULL, part->packed,
					 offset, -1 });
}

bool part_add_status(struct part *part, enum gsc_space space, uint64_t start, uint64_t length,
		     enum gsc_read status)
{
	return add(part, (struct piece){ space, status, start, length, NULL, NULL, 0, -1 });
}

bool part_property(struct part *part, struct slice prefix, struct slice key, struct slice value)
{
	return vec_push(&part->properties, (struct part_property){ prefix, key, value });
}

bool part_say(struct part *part, const char *prefix, const char *key, const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	return length >= 0 && part_own(part, text, free) &&
	       part_property(part, slice_string(prefix), slice_string(key), slice_string(text));
}

struct slice part_says(const struct part *part, const char *key)
{
	for (size_t i = 0; i < part->properties.count; i++) {
		const struct part_property *p = &part->properties.items[i];

		if (p->prefix.at == p->prefix.end && slice_is(p->key, key))
			return p->value;
	}
	return slice_string("");
}

size_t piece_read(const struct piece *piece, uint64_t address, void *buf, size_t size)
{
	uint64_t at = address - piece->start, offset = piece->offset + at;
	ssize_t got;

	size = (size_t)MIN(size, piece->length - at);
	if (piece->data) {
		memcpy(buf, piece->data + at, size);
		return size;
	}
	if (piece->packed)
		return piece->packed->read(piece->packed, offset, buf, size);
	got = offset <= INT64_MAX ? pread(piece->fd, buf, size, (off_t)offset) : 0;
	return got > 0 ? (size_t)got : 0;
}

const uint8_t *piece_data(const struct piece *piece, uint64_t address, uint64_t *length)
{
	uint64_t at = address - piece->start, held;
	const uint8_t *data = NULL;

	*length = piece->length - at;
	if (piece->data)
		return piece->data + at;
	if (piece->packed && piece->packed->bytes)
		data = piece->packed->bytes(piece->packed, piece->offset + at, &held);
	if (data)
		*length = MIN(*length, held);
	return data;
}

bool part_own(struct part *part, void *data, void (*free)(void *data))
{
	if (vec_push(&part->owned, (struct owned){ data, free }))
		return true;
	free(data);
	return false;
}

void *part_alloc(struct part *part, size_t size)
{
	void *data = malloc(size ? size : 1);

	return data && part_own(part, data, free) ? data : NULL;
}

/* Pieces are numbered in the order of adding: if several overlap, the last one wins. */
static bool comes_before(const struct piece *pieces, size_t a, size_t b)
{
	const struct piece *x = &pieces[a], *y = &pieces[b];

	if (x->space != y->space)
		return x->space < y->space;
	if (x->start != y->start)
		return x->start < y->start;
	return a < b;
}

/* Pieces that have begun, as a binary heap with the last added on top. */
struct heap {
	size_t *items;
	size_t count;
};

static void heap_pop(struct heap *heap)
{
	size_t item = heap->items[--heap->count];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < heap->count && heap->items[child + 1] > heap->items[child])
			child++;
		if (child >= heap->count || heap->items[child] <= item)
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
	return !b->data && a->packed == b->packed && a->fd == b->fd &&
	       a->offset + a->length == b->offset;
}

/* [from, to) of a piece, joined to the last one if both are one stretch. */
static bool emit(piece_vec *out, const struct piece *piece, uint64_t from, uint64_t to)
{
	struct piece cut = *piece, *last = out->count ? &out->items[out->count - 1] : NULL;

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
	return vec_push(out, cut);
}

static uint64_t piece_end(const struct piece *piece)
{
	return piece->start + piece->length;
}

/* One sweep over each space: at an address, the last added piece that has begun wins. */
static bool sweep(const struct piece *pieces, const size_t *order, size_t count, struct heap *heap,
		  piece_vec *out)
{
	uint64_t at = 0, to;
	size_t next = 0, end = 0;

	while (next < count || heap->count) {
		if (!heap->count) {
			at = pieces[order[next]].start;
			end = MAX(end, next);
			while (end < count && pieces[order[end]].space == pieces[order[next]].space)
				end++;
		}
		while (next < end && pieces[order[next]].start <= at) {
			size_t item = order[next++];
			size_t i = heap->count++;

			for (; i && heap->items[(i - 1) / 2] < item; i = (i - 1) / 2)
				heap->items[i] = heap->items[(i - 1) / 2];
			heap->items[i] = item;
		}
		while (heap->count && piece_end(&pieces[heap->items[0]]) <= at)
			heap_pop(heap);
		if (!heap->count)
			continue;
		to = piece_end(&pieces[heap->items[0]]);
		if (next < end)
			to = MIN(to, pieces[order[next]].start);
		if (!emit(out, &pieces[heap->items[0]], at, to))
			return false;
		at = to;
	}
	return true;
}

/* If there are many pieces, most are already in order: a run of them is one step. */
static size_t run_end(const struct piece *pieces, const size_t *order, size_t from, size_t count)
{
	while (from + 1 < count && comes_before(pieces, order[from], order[from + 1]))
		from++;
	return MIN(from + 1, count);
}

/* In one of two arrays, which is returned: neighbouring runs are merged until there is one. */
static size_t *sort_pieces(const struct piece *pieces, size_t count, size_t *order, size_t *other)
{
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	while (run_end(pieces, order, 0, count) < count) {
		size_t *out = other;

		for (size_t from = 0, end; from < count; from = end) {
			size_t middle = run_end(pieces, order, from, count);
			size_t left = from, right = middle;

			end = run_end(pieces, order, middle, count);
			for (size_t at = from; at < end; at++) {
				bool take_left = right == end || (left < middle &&
					 comes_before(pieces, order[left], order[right]));

				out[at] = take_left ? order[left++] : order[right++];
			}
		}
		other = order;
		order = out;
	}
	return order;
}

/* Nothing to sort, nothing to cut: neighbours that continue each other become one. */
static bool join_in_place(piece_vec *pieces)
{
	const struct piece *items = pieces->items;
	size_t kept = 0;

	for (size_t i = 1; i < pieces->count; i++)
		if (items[i].space < items[i - 1].space || (items[i].space == items[i - 1].space &&
		     items[i].start < items[i - 1].start + items[i - 1].length))
			return false;
	for (size_t i = 0; i < pieces->count; i++) {
		struct piece piece = items[i];

		if (piece.status == GSC_READ_ABSENT)
			continue;
		if (kept && continues(&items[kept - 1], &piece))
			pieces->items[kept - 1].length += piece.length;
		else
			pieces->items[kept++] = piece;
	}
	pieces->count = kept;
	return true;
}

bool pieces_resolve(piece_vec *pieces)
{
	size_t count = pieces->count;
	struct heap heap = { 0 };
	piece_vec out = { 0 };
	bool done = false;
	size_t *order;

	if (join_in_place(pieces))
		return true;
	order = calloc(count, 3 * sizeof(*order));
	if (order && vec_reserve(&out, count)) {
		size_t *sorted = sort_pieces(pieces->items, count, order, order + count);

		heap.items = order + 2 * count;
		done = sweep(pieces->items, sorted, count, &heap, &out);
	}
	free(order);
	if (!done) {
		vec_free(&out);
		return false;
	}
	vec_free(pieces);
	*pieces = out;
	return true;
}
