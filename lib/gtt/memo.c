/* SPDX-License-Identifier: MIT */
/*
 * Tables already met, by address, level and the permissions that the entries above them take away.
 */
#include "gtt/scan.h"

#include <string.h>

#define SLOTS_LEAST 4096

static size_t slot_of(const struct memo *memo, const struct node *key)
{
	uint64_t mixed = key->address >> 8 ^ (uint64_t)key->level << 56 ^
			 (uint64_t)key->denied << 61 ^ (uint64_t)key->local << 55;

	mixed *= UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(mixed >> 20) & (memo->slots - 1);
}

static bool same_table(const struct node *a, const struct node *b)
{
	return a->address == b->address && a->level == b->level && a->denied == b->denied &&
	       a->local == b->local;
}

/* Its slot, or the free one where it would go; one is always free. */
static uint32_t *probe(const struct memo *memo, const struct node *key)
{
	size_t i = slot_of(memo, key);

	while (memo->slot[i] && !same_table(&memo->nodes[memo->slot[i] - 1], key))
		i = (i + 1) & (memo->slots - 1);
	return &memo->slot[i];
}

struct node *memo_find(const struct memo *memo, const struct node *key)
{
	uint32_t place = memo->slots ? *probe(memo, key) : 0;

	return place ? &memo->nodes[place - 1] : NULL;
}

static bool more_nodes(struct memo *memo)
{
	size_t room = memo->room ? memo->room + memo->room / 2 : 1024;
	struct node *nodes;

	if (room > UINT32_MAX - 1)
		return false;
	nodes = reallocarray(memo->nodes, room, sizeof(*nodes));
	if (!nodes)
		return false;
	memo->nodes = nodes;
	memo->room = room;
	return true;
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
	for (size_t i = 0; i < memo->count; i++)
		*probe(memo, &memo->nodes[i]) = (uint32_t)i + 1;
	return true;
}

/* At most three quarters of the slots are taken. */
bool memo_add(struct memo *memo, const struct node *node)
{
	uint32_t *place;

	if ((memo->count >= memo->slots / 4 * 3 && !more_slots(memo)) ||
	    (memo->count == memo->room && !more_nodes(memo)))
		return false;
	place = probe(memo, node);
	if (!*place)
		*place = (uint32_t)++memo->count;
	memo->nodes[*place - 1] = *node;
	return true;
}

void memo_free(struct memo *memo)
{
	free(memo->nodes);
	free(memo->slot);
	memset(memo, 0, sizeof(*memo));
}
