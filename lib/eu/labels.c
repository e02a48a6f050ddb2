/* SPDX-License-Identifier: MIT */
/* Finding the labels of a program. */
#include "eu/labels.h"

#include <stdlib.h>
#include <string.h>

static bool add(struct eu_labels *labels, int64_t offset)
{
	struct eu_label *label = vec_add(&labels->at);

	if (label)
		*label = (struct eu_label){ offset, (int)labels->at.count };
	return label;
}

static int by_offset(const void *a, const void *b)
{
	const struct eu_label *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
	const struct eu_label *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* The size of the instruction there, and whether it may be a jump, without all else; 0: the end. */
static size_t step(const struct eu_isa *isa, const uint8_t *bytes, size_t left, bool *jumps)
{
	struct eu_raw raw = { { 0 } };
	size_t size;

	if (left < 8)
		return 0;
	memcpy(&raw.half[0], bytes, 8);
	size = eu_get(isa, &raw, EU_INSTRUCTION_COMPACTED) ? 8 : 16;
	*jumps = isa->opcode[eu_get(isa, &raw, EU_INSTRUCTION_OPCODE) & 127].form == EU_BRANCH;
	return size <= left ? size : 0;
}

/* Labels are numbered as they are first met, and Mesa meets UIP before JIP. */
bool labels_find(struct eu_labels *labels, const struct eu_isa *isa, const void *bytes,
		 size_t size)
{
	struct eu_label *at;
	struct eu_instruction in;
	const uint8_t *first = bytes;
	size_t kept = 0, length;
	bool jumps;

	for (size_t from = 0; (length = step(isa, first + from, size - from, &jumps));
	     from += length)
		if (jumps && eu_decode(isa, bytes, size, from, &in) &&
		    ((in.has_uip && !add(labels, (int64_t)from + in.uip)) ||
		     (in.has_jip && !add(labels, (int64_t)from + in.jip))))
			return false;
	if (!labels->at.count)
		return true;
	at = labels->at.items;
	qsort(at, labels->at.count, sizeof(*at), by_offset);
	for (size_t i = 0; i < labels->at.count; i++)
		if (!i || at[i].offset != at[kept - 1].offset)
			at[kept++] = at[i];
	labels->at.count = kept;
	qsort(at, kept, sizeof(*at), by_number);
	for (size_t i = 0; i < kept; i++)
		at[i].number = (int)i;
	qsort(at, kept, sizeof(*at), by_offset);
	return true;
}

void labels_free(struct eu_labels *labels)
{
	vec_free(&labels->at);
}

int label_at(const struct eu_labels *labels, int64_t offset)
{
	size_t low = 0, high = labels ? labels->at.count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (labels->at.items[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return labels && low < labels->at.count && labels->at.items[low].offset == offset
		       ? labels->at.items[low].number : -1;
}

void labels_put(const struct eu_labels *labels, int64_t offset, struct text *text)
{
	int label = label_at(labels, offset);

	if (label >= 0)
		text_add(text, "LABEL%d", label);
	else
		text_add(text, "%lld", (long long)offset);
}
