/* SPDX-License-Identifier: MIT */
#include "command-maker.h"
#include "db/db.h"
#include "db/view.h"

#include <stdlib.h>
#include <string.h>

/* Before it is considered hidden. */
#define TRIES 64

uint32_t maker_random(struct maker *m)
{
	uint32_t x = m->seed;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return m->seed = x;
}

/* ---- what there is -------------------------------------------------------------------------- */

static unsigned reach(const struct gsc_field *field, unsigned need)
{
	unsigned end = field->dword + field->hi / 32 + 1;

	return end > need ? end : need;
}

static unsigned fields_need(const struct maker *m, const struct gsc_item *item)
{
	struct gsc_field_iter it;
	struct gsc_repeat repeat;
	struct gsc_field field;
	unsigned need = 1;

	gsc_item_fields(m->db, NULL, item, NULL, 0, &it);
	while (gsc_field_next(&it, &field))
		if (gsc_view_sees(m->view, field.platforms, &field.revisions))
			need = reach(&field, need);
	for (size_t i = 0; gsc_item_repeat(m->db, m->view, item, i, &repeat, &it); i++) {
		unsigned end = repeat.at + repeat.size * (repeat.count ? repeat.count : 1);

		need = end > need ? end : need;
	}
	return need;
}

static void lengths_of(const struct maker *m, struct made_command *c)
{
	struct gsc_lengths lengths;

	if (c->item.length_hi < 0) {
		c->lo = c->hi = c->item.length;
		return;
	}
	for (size_t i = 0; gsc_item_length(m->db, &c->item, i, &lengths); i++)
		if (gsc_view_sees(m->view, lengths.platforms, &lengths.revisions)) {
			c->lo = lengths.lo;
			c->hi = lengths.hi;
			return;
		}
}

static void groups_of(const struct maker *m, struct made_command *c)
{
	struct gsc_field_iter it;
	struct gsc_repeat repeat;

	c->group = 1;
	for (size_t i = 0; gsc_item_repeat(m->db, m->view, &c->item, i, &repeat, &it); i++)
		if (!repeat.count && !repeat.count_field) {
			c->at = repeat.at;
			c->group = repeat.size;
		}
}

bool maker_open(struct maker *m, struct gsc_db *db, unsigned platform, unsigned engine_class,
		uint32_t seed)
{
	struct gsc_item item;

	*m = (struct maker){ .db = db, .engine_class = engine_class, .seed = seed };
	if (!gsc_platform_at(db, platform, &m->platform) ||
	    gsc_view_new(&m->view, db, platform, -1, NULL))
		return false;
	for (size_t i = 0; gsc_item_at(db, GSC_COMMAND, i, &item); i++) {
		struct made_command *grown;

		if (!gsc_view_sees(m->view, item.platforms, &item.revisions) ||
		    !(item.engines >> engine_class & 1))
			continue;
		grown = realloc(m->commands, (m->count + 1) * sizeof(*grown));
		if (!grown)
			return false;
		m->commands = grown;
		m->commands[m->count] = (struct made_command){ .item = item };
		lengths_of(m, &m->commands[m->count]);
		groups_of(m, &m->commands[m->count]);
		m->commands[m->count].need = fields_need(m, &item);
		m->count++;
	}
	return m->count;
}

void maker_close(struct maker *m)
{
	gsc_view_free(m->view);
	free(m->commands);
}

static uint32_t length_bits(const struct gsc_item *item)
{
	if (item->length_hi < 0)
		return 0;
	return (uint32_t)(((UINT64_C(2) << (item->length_hi - item->length_lo)) - 1)
			  << item->length_lo);
}

static unsigned longest(const struct made_command *c)
{
	unsigned most = c->item.length;

	if (c->item.length_hi >= 0)
		most += length_bits(&c->item) >> c->item.length_lo;

	return most < MADE_MAX ? most : MADE_MAX;
}

/* Without half a group at its end. */
static unsigned whole(const struct made_command *c, unsigned length)
{
	return length > c->at ? length - (length - c->at) % c->group : length;
}

unsigned maker_length(const struct made_command *c, unsigned i)
{
	unsigned lo = c->lo, hi = c->hi;

	if (!hi) {
		lo = c->item.length > 1 ? c->item.length : 1;
		hi = c->need > lo ? c->need : lo;
		if (i == 2 && hi + 3 <= longest(c))
			return whole(c, hi + 3);
	}
	hi = whole(c, hi < longest(c) ? hi : longest(c));
	if (i == 0)
		return lo;
	return i == 1 && hi > lo ? hi : 0;
}

/* ---- making --------------------------------------------------------------------------------- */

const struct made_command *maker_owner(const struct maker *m, uint32_t header)
{
	const struct made_command *best = NULL;

	for (size_t i = 0; i < m->count; i++) {
		const struct made_command *c = &m->commands[i];

		if ((header & c->item.mask) == c->item.value &&
		    (!best || __builtin_popcount(c->item.mask) >
				      __builtin_popcount(best->item.mask)))
			best = c;
	}
	return best;
}

uint64_t maker_bits(const uint32_t *words, size_t count, const struct gsc_field *field)
{
	uint64_t value = 0;

	for (unsigned bit = field->lo; bit <= field->hi; bit++) {
		size_t at = field->dword + bit / 32;

		if (at < count && words[at] >> bit % 32 & 1)
			value |= UINT64_C(1) << (bit - field->lo);
	}
	return value;
}

static void put_bits(uint32_t *words, size_t count, const struct gsc_field *field, uint64_t value)
{
	for (unsigned bit = field->lo; bit <= field->hi && bit - field->lo < 64; bit++) {
		size_t at = field->dword + bit / 32;

		if (at >= count)
			return;
		words[at] &= ~(1u << bit % 32);
		words[at] |= (uint32_t)(value >> (bit - field->lo) & 1) << bit % 32;
	}
}

/* A documented value, if there is any. */
static uint64_t legal_value(struct maker *m, const struct gsc_field_iter *it,
			    const struct gsc_field *field)
{
	uint64_t random = (uint64_t)maker_random(m) << 32 | maker_random(m);
	struct gsc_value value;
	size_t count = 0;

	if (field->flags & GSC_FIELD_MBZ)
		return 0;
	if (field->flags & GSC_FIELD_MBO)
		return UINT64_MAX;
	while (gsc_field_value(it, count, &value))
		count++;
	if (!count)
		return random;
	gsc_field_value(it, random % count, &value);
	return value.lo;
}

/* As the fields of the item or of a group say; conditions depend on what is there already. */
static void fill_legal(struct maker *m, struct gsc_field_iter *it, uint32_t *words, size_t count)
{
	struct gsc_field field;

	while (gsc_field_next(it, &field))
		if (!(field.flags & GSC_FIELD_OVERLAY))
			put_bits(words, count, &field, legal_value(m, it, &field));
}

static void fill(struct maker *m, const struct made_command *c, unsigned length,
		 enum maker_fill how, uint32_t *words)
{
	struct gsc_field_iter it;
	struct gsc_repeat repeat;

	for (unsigned i = 0; i < length && i < MADE_MAX; i++)
		words[i] = how == MAKER_NOISE ? maker_random(m) : 0;
	if (how == MAKER_NOISE)
		return;
	gsc_item_fields(m->db, m->view, &c->item, words, length, &it);
	fill_legal(m, &it, words, length);
	for (size_t i = 0; gsc_item_repeat(m->db, m->view, &c->item, i, &repeat, &it); i++)
		for (unsigned at = repeat.at; at + repeat.size <= length; at += repeat.size) {
			gsc_item_repeat(m->db, m->view, &c->item, i, &repeat, &it);
			fill_legal(m, &it, words + at, length - at);
		}
}

bool maker_make(struct maker *m, const struct made_command *c, unsigned length,
		enum maker_fill how, uint32_t words[MADE_MAX])
{
	uint32_t bits = length_bits(&c->item);

	for (unsigned i = 0; i < TRIES; i++) {
		fill(m, c, length, how, words);
		if (i + 1 == TRIES)
			words[0] = 0;
		words[0] &= ~(c->item.mask | bits);
		words[0] |= c->item.value;
		if (bits)
			words[0] |= (length - c->item.length) << c->item.length_lo & bits & ~c->item.mask;
		if (maker_owner(m, words[0]) == c)
			return true;
	}
	return false;
}
