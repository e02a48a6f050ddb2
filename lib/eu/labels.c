/* SPDX-License-Identifier: MIT */
/* Finding the labels of a program. */
#include "eu/labels.h"

#include <stdlib.h>

static bool add(struct eu_labels *labels, int64_t offset)
{
	struct eu_label *label = vec_add(&labels->at);

	if (label)
		*label = (struct eu_label){ offset, (int64_t)labels->at.count };
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

/* Labels are numbered in the order in which they are met, and Mesa meets UIP before JIP. */
bool labels_find(struct eu_labels *labels, const struct eu_isa *isa, const void *bytes, size_t size)
{
	const struct eu_opcode *opcode;
	struct eu_instruction in;
	struct eu_label *at;
	size_t kept = 0;
	unsigned length;
	int64_t target;

	for (size_t from = 0; (length = eu_length(isa, bytes, size, from, &opcode));
	     from += length) {
		if ((opcode->form != EU_BRANCH &&
		     !(labels->by_place && opcode->traits & EU_JUMPS)) ||
		    !eu_decode(isa, bytes, size, from, &in))
			continue;
		if (eu_jump_target(isa, &in, &target) && !add(labels, target))
			return false;
		/* calla */
		if (labels->by_place && in.operands && in.source[0].file == EU_IMM &&
		    !add(labels, (int64_t)in.source[0].value))
			return false;
		if ((in.has_uip && !add(labels, (int64_t)from + in.uip)) ||
		    (in.has_jip && !add(labels, (int64_t)from + in.jip)))
			return false;
	}
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
		at[i].number = labels->by_place ? at[i].offset : (int64_t)i;
	qsort(at, kept, sizeof(*at), by_offset);
	return true;
}

void labels_free(struct eu_labels *labels)
{
	vec_free(&labels->at);
}

int64_t label_at(const struct eu_labels *labels, int64_t offset)
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

const char *labels_word(const struct eu_labels *labels)
{
	return labels && labels->by_place ? "L" : "LABEL";
}

void labels_put(const struct eu_labels *labels, int64_t offset, struct text *text)
{
	int64_t label = label_at(labels, offset);

	if (label >= 0)
		text_add(text, "%s%lld", labels_word(labels), (long long)label);
	else if (labels && labels->by_place)
		text_add(text, offset < 0 ? "L_N%lld" : "L%lld", llabs(offset));
	else
		text_add(text, "%lld", (long long)offset);
}
