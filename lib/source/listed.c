/* SPDX-License-Identifier: MIT */
/* What the dumps of a source list by address, and what they call it. */
#include "source/part.h"

/* Longer names are prose. */
#define NAME_MOST 120

static bool list_part(listed_vec *out, const struct part *part, size_t number)
{
	size_t first = out->count;

	for (size_t i = 0; i < part->listed.count; i++)
		if (!vec_push(out, part->listed.items[i]))
			return false;
	/* A trace writes registers: its pieces of that space are what it lists. */
	for (size_t i = 0; part->aub && i < part->pieces.count; i++) {
		const struct piece *piece = &part->pieces.items[i];
		uint64_t start = piece->start & ~UINT64_C(3);
		uint64_t length = (piece->start - start + piece->length) & ~UINT64_C(3);

		if (piece->space != GSC_MMIO || piece->status != GSC_READ_OK || !length)
			continue;
		if (!vec_push(out, (struct listed){ .address = start, .length = length,
						    .space = GSC_MMIO, .unit = 4, .row = true }))
			return false;
	}
	for (size_t i = first; i < out->count; i++)
		out->items[i].part = (uint16_t)MIN(number, UINT16_MAX);
	return true;
}

/* The longest first if several begin at an address, named ones before others. */
static int by_place(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	if (!x->name != !y->name)
		return x->name ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

/* Names are in texts that may contain anything: words with single blanks between them. */
static size_t copy_name(char *out, const struct listed *listed)
{
	size_t length = 0, most = MIN(listed->name_length, NAME_MOST);

	for (size_t i = 0; i < most; i++) {
		unsigned char c = (unsigned char)listed->name[i];

		if (c > ' ' && c != 0x7f)
			out[length++] = (char)c;
		else if (length && out[length - 1] != ' ')
			out[length++] = ' ';
	}
	while (length && out[length - 1] == ' ')
		length--;
	out[length] = 0;
	return length;
}

bool listed_build(struct gsc_source *source)
{
	size_t room = 1;
	char *at;

	for (size_t i = 0; i < source->parts.count && !source->parts.items[i].device; i++)
		if (!list_part(&source->listed, &source->parts.items[i], i))
			return false;
	if (!source->listed.count)
		return true;
	qsort(source->listed.items, source->listed.count, sizeof(*source->listed.items), by_place);
	for (size_t i = 0; i < source->listed.count; i++)
		if (source->listed.items[i].name)
			room += MIN(source->listed.items[i].name_length, NAME_MOST) + 1;
	at = source->listed_names = malloc(room);
	for (size_t i = 0; at && i < source->listed.count; i++) {
		struct listed *listed = &source->listed.items[i];
		size_t length = listed->name ? copy_name(at, listed) : 0;

		listed->name = length ? at : NULL;
		listed->name_length = (uint16_t)length;
		at += length ? length + 1 : 0;
	}
	return source->listed_names;
}

const char *listed_name(const struct gsc_source *source, enum gsc_space space, uint64_t address)
{
	const struct listed *items = source->listed.items;
	size_t count = source->listed.count, at;
	uint64_t place;

	if (!count || !space_place(space, address, &place))
		return NULL;
	at = SEEK(i, 0, count, items[i].space < space ||
		  (items[i].space == space && items[i].address < place));
	for (; at < count && items[at].space == space && items[at].address == place; at++)
		if (items[at].name)
			return items[at].name;
	return NULL;
}
