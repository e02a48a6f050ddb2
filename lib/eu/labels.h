/* SPDX-License-Identifier: MIT */
/* The places of a program that its jumps lead to. */
#ifndef GSC_EU_LABELS_H
#define GSC_EU_LABELS_H

#include "eu/eu.h"

/*
 * Bytes from the start of the program, sorted, each once; numbered in the order in which they are
 * met.
 */
struct eu_label { int64_t offset, number; };
/* by_place: numbered by their offset, as IGA does: "L48". */
struct eu_labels { VEC(struct eu_label) at; bool by_place; };

/* The labels of the instructions up to `size`; false: memory is out. */
bool labels_find(struct eu_labels *labels, const struct eu_isa *isa, const void *bytes,
		 size_t size);
void labels_free(struct eu_labels *labels);

/* The number of the label there, or -1; and the word in front of the number. */
int64_t label_at(const struct eu_labels *labels, int64_t offset);
const char *labels_word(const struct eu_labels *labels);
/* "LABEL2", or its offset if it is no label. */
void labels_put(const struct eu_labels *labels, int64_t offset, struct text *text);

#endif
