/* SPDX-License-Identifier: MIT */
/* Finding the labels of a program. */
#include "eu/labels.h"

#include <stdlib.h>

static bool add(struct eu_labels *labels, int64_t offset)
{
	int64_t *slot = vec_add(&labels->at);

	if (slot)
		*slot = offset;
	return slot;
}

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

bool labels_find(struct eu_labels *labels, const struct eu_isa *isa, const void *bytes,
		 size_t size)
{
	struct eu_instruction in;
	size_t kept = 0;

	for (size_t at = 0; eu_decode(isa, bytes, size, at, &in); at += in.size)
		if ((in.has_jip && !add(labels, (int64_t)at + in.jip)) ||
		    (in.has_uip && !add(labels, (int64_t)at + in.uip)))
			return false;
	if (labels->at.count)
		qsort(labels->at.items, labels->at.count, sizeof(*labels->at.items), compare);
	for (size_t i = 0; i < labels->at.count; i++)
		if (!i || labels->at.items[i] != labels->at.items[kept - 1])
			labels->at.items[kept++] = labels->at.items[i];
	labels->at.count = kept;
	return true;
}

void labels_free(struct eu_labels *labels)
{
	vec_free(&labels->at);
}

int label_at(const struct eu_labels *labels, int64_t offset)
{
	const int64_t *found;

	if (!labels || !labels->at.count)
		return -1;
	found = bsearch(&offset, labels->at.items, labels->at.count, sizeof(offset), compare);
	return found ? (int)(found - labels->at.items) : -1;
}

void labels_put(const struct eu_labels *labels, int64_t offset, struct text *text)
{
	int label = label_at(labels, offset);

	if (label >= 0)
		text_add(text, "LABEL%d", label);
	else
		text_add(text, "%lld", (long long)offset);
}
