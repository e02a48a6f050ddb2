/* SPDX-License-Identifier: MIT */
/* Tables that were met, by address, level and what the entries above them take away. */
#include "gtt/scan.h"

#include <string.h>

#define ROOM_LEAST 2048

static size_t slot_of(const struct memo *memo, const struct node *key)
{
	uint64_t mixed = key->address >> 8 ^ (uint64_t)key->level << 56 ^
			 (uint64_t)key->denied << 61 ^ (uint64_t)key->local << 55;

	mixed *= UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(mixed >> 20) & (memo->room - 1);
}

static bool same_table(const struct node *a, const struct node *b)
{
	return a->address == b->address && a->level == b->level && a->denied == b->denied &&
	       a->local == b->local;
}

/* Its node, or the free one where it belongs; one is always free. */
static struct node *probe(const struct memo *memo, const struct node *key)
{
	size_t i = slot_of(memo, key);

	while (memo->nodes[i].used && !same_table(&memo->nodes[i], key))
		i = (i + 1) & (memo->room - 1);
	return &memo->nodes[i];
}

struct node *memo_find(const struct memo *memo, const struct node *key)
{
	struct node *node = memo->room ? probe(memo, key) : NULL;

	return node && node->used ? node : NULL;
}

static bool memo_grow(struct memo *memo)
{
	struct memo wider = { .room = memo->room ? memo->room * 2 : ROOM_LEAST };

	if (wider.room > SIZE_MAX / sizeof(*wider.nodes))
		return false;
	wider.nodes = calloc(wider.room, sizeof(*wider.nodes));
	if (!wider.nodes)
		return false;
	for (size_t i = 0; i < memo->room; i++)
		if (memo->nodes[i].used)
			*probe(&wider, &memo->nodes[i]) = memo->nodes[i];
	wider.count = memo->count;
	free(memo->nodes);
	*memo = wider;
	return true;
}

/* Full to three quarters at most. */
bool memo_add(struct memo *memo, const struct node *node)
{
	struct node *place;

	if (memo->count >= memo->room / 4 * 3 && !memo_grow(memo))
		return false;
	place = probe(memo, node);
	memo->count += !place->used;
	*place = *node;
	place->used = 1;
	return true;
}

void memo_free(struct memo *memo)
{
	free(memo->nodes);
	memset(memo, 0, sizeof(*memo));
}
