/* SPDX-License-Identifier: MIT */
/*
 * Tables already met, by address, level and the permissions that the entries above them take away.
 */
#include "gtt/scan.h"

#include <string.h>

#define SLOTS_LEAST 4096

/* Its slot, or the free one where it would go; one is always free. */
static uint32_t *probe(const struct memo *memo, const struct node *key)
{
	uint64_t mixed = (key->address >> 8 ^ (uint64_t)key->level << 56 ^
			  (uint64_t)key->denied << 61 ^ (uint64_t)key->local << 55) *
			 UINT64_C(0x9e3779b97f4a7c15);

	for (size_t i = (size_t)(mixed >> 20);; i++) {
		uint32_t *slot = &memo->slot[i & (memo->slots - 1)];
		const struct node *node = &memo->nodes.items[*slot - 1];

		if (!*slot || (node->address == key->address && node->level == key->level &&
			       node->denied == key->denied && node->local == key->local))
			return slot;
	}
}

struct node *memo_find(const struct memo *memo, const struct node *key)
{
	uint32_t place = memo->slots ? *probe(memo, key) : 0;

	return place ? &memo->nodes.items[place - 1] : NULL;
}

static bool more_slots(struct memo *memo)
{
	size_t slots = memo->slots ? memo->slots * 2 : SLOTS_LEAST;

	free(memo->slot);
	memo->slots = slots;
	memo->slot = calloc(slots, sizeof(*memo->slot));
	if (!memo->slot) {
		memo->slots = 0;
		return false;
	}
	for (size_t i = 0; i < memo->nodes.count; i++)
		*probe(memo, &memo->nodes.items[i]) = (uint32_t)i + 1;
	return true;
}

/* At most three quarters of the slots are taken. */
bool memo_add(struct memo *memo, const struct node *node)
{
	struct node *added;
	uint32_t *place;

	if (memo->nodes.count == UINT32_MAX - 1 ||
	    (memo->nodes.count >= memo->slots / 4 * 3 && !more_slots(memo)))
		return false;
	place = probe(memo, node);
	added = *place ? &memo->nodes.items[*place - 1] : vec_add(&memo->nodes);
	if (!added)
		return false;
	*added = *node;
	if (!*place)
		*place = (uint32_t)memo->nodes.count;
	return true;
}

void memo_free(struct memo *memo)
{
	vec_free(&memo->nodes);
	free(memo->slot);
}
