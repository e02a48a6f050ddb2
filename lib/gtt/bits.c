/* SPDX-License-Identifier: MIT */
/*
 * Compares adjacent entries: 64 at a time, with one word of results for each question. A block with
 * equal answers is found by a loop that compilers turn into vector code.
 */
#include "gtt/bits.h"

#include <string.h>

#define BLOCK BLOCK_ENTRIES

/* ---- searching ---------------------------------------------------------------------------- */

/* The first bit set in words ^ flip, from `from` on; `count` if there is none. */
static unsigned next_bit(const uint64_t *words, uint64_t flip, unsigned from, unsigned count)
{
	while (from < count) {
		uint64_t word = (words[from / BLOCK] ^ flip) >> (from % BLOCK);

		if (word)
			return MIN(from + (unsigned)__builtin_ctzll(word), count);
		from = (from / BLOCK + 1) * BLOCK;
	}
	return count;
}

unsigned bits_next_set(const uint64_t *words, unsigned from, unsigned count)
{
	return next_bit(words, 0, from, count);
}

unsigned bits_next_clear(const uint64_t *words, unsigned from, unsigned count)
{
	return next_bit(words, UINT64_MAX, from, count);
}

/* ---- entries of any kind ------------------------------------------------------------------ */

struct lifted {
	uint64_t address, attributes;
};

static struct lifted lift(const struct scan_level *l, uint64_t raw)
{
	return (struct lifted){ leaf_target(l, raw), raw & l->attributes };
}

/* What few blocks need stays out of the loop over all of them, which needs every register. */
#define SELDOM __attribute__((noinline))

static SELDOM unsigned any_block(struct chunk *chunk, unsigned word, unsigned count,
				 uint64_t before)
{
	const struct scan_level *l = chunk->level;
	const uint8_t *data = chunk->data + (size_t)word * BLOCK * l->stride;
	struct lifted last = lift(l, before);
	struct bits *b = &chunk->bits;
	unsigned present = 0;

	b->valid[word] = b->same[word] = b->equal[word] = b->linear[word] = 0;
	for (unsigned i = 0; i < count; i++, data += l->stride) {
		uint64_t raw = entry_load(l, data), bit = UINT64_C(1) << i;
		struct lifted here = lift(l, raw);

		present += format_valid(l->format, raw);
		b->valid[word] |= scan_level_valid(l, raw) ? bit : 0;
		b->same[word] |= here.attributes == last.attributes ? bit : 0;
		b->equal[word] |= here.address == last.address ? bit : 0;
		b->linear[word] |= here.address - last.address == l->span ? bit : 0;
		last = here;
	}
	return present;
}

/* ---- entries of 64 bits whose address stands in place ------------------------------------- */

static SELDOM uint64_t matching(const packed64 *e, uint64_t mask, uint64_t value)
{
	uint64_t matches = 0;

	for (unsigned i = 0; i < BLOCK; i++)
		matches |= (uint64_t)((e[i] & mask) == value) << i;
	return matches;
}

static SELDOM uint64_t alike(const packed64 *e, uint64_t mask, uint64_t before)
{
	uint64_t matches = 0, last = before & mask;

	for (unsigned i = 0; i < BLOCK; i++) {
		uint64_t here = e[i] & mask;

		matches |= (uint64_t)(here == last) << i;
		last = here;
	}
	return matches;
}

static SELDOM unsigned count_valid(const struct format *f, const packed64 *e)
{
	unsigned count = 0;

	for (unsigned i = 0; i < BLOCK; i++)
		count += format_valid(f, e[i]);
	return count;
}

/*
 * One pass if the block is probably mixed, as the previous one was; otherwise a second pass if it
 * is.
 */
static struct survey compare_block(struct chunk *chunk, unsigned word, const packed64 *e,
				   uint64_t before)
{
	const struct scan_level *l = chunk->level;
	const struct compare *compare = chunk->compare;
	uint64_t keep = l->format->address_mask | l->attributes;
	uint64_t *equal = &chunk->bits.equal[word], *linear = &chunk->bits.linear[word];
	struct survey s;

	if (!chunk->mixed) {
		s = compare->survey(e, keep, l->span);
		chunk->mixed = (s.any ^ s.all) & keep && s.uneven;
	}
	if (chunk->mixed) {
		s = compare->targets(e, keep, l->span, before, equal, linear);
		/* All, or all but the first: the next block may be like that. */
		chunk->mixed = (*equal | 1) != UINT64_MAX && (*linear | 1) != UINT64_MAX;
		return s;
	}
	*equal = ((s.any ^ s.all) & keep ? 0 : UINT64_MAX << 1) | !((e[0] ^ before) & keep);
	*linear = (s.uneven ? 0 : UINT64_MAX << 1) |
		  ((e[0] & keep) - (before & keep) == l->span);
	return s;
}

static unsigned direct_block(struct chunk *chunk, unsigned word, uint64_t before)
{
	const struct scan_level *l = chunk->level;
	const packed64 *e = (const packed64 *)chunk->data + word * BLOCK;
	struct survey s = compare_block(chunk, word, e, before);
	struct bits *b = &chunk->bits;
	bool valid = (s.any & l->check_mask) == l->check_value &&
		     (s.all & l->check_mask) == l->check_value;

	if (s.any & l->format->null_mask ||
	    (l->format->any_mask && !(s.all & l->format->any_mask)))
		return any_block(chunk, word, BLOCK, before);
	b->valid[word] = valid ? UINT64_MAX : matching(e, l->check_mask, l->check_value);
	b->same[word] = (s.any ^ s.all) & l->attributes ?
				alike(e, l->attributes, before) :
				UINT64_MAX << 1 | !((e[0] ^ before) & l->attributes);
	return valid ? BLOCK : count_valid(l->format, e);
}

/* ---- a chunk ------------------------------------------------------------------------------ */

/* What is said about two entries holds only if both are valid and nothing separates them. */
static void settle(struct bits *b, unsigned word)
{
	uint64_t before = b->valid[word] << 1 | (word ? b->valid[word - 1] >> 63 : 0);

	b->same[word] &= b->valid[word] & before;
	b->equal[word] &= b->same[word];
	b->linear[word] &= b->same[word];
}

#define LINE 64

static void fetch_ahead(const uint8_t *data)
{
	for (unsigned at = 0; at < BLOCK * sizeof(uint64_t); at += LINE)
		__builtin_prefetch(data + at);
}

unsigned bits_of_chunk(struct chunk *chunk)
{
	const struct scan_level *l = chunk->level;
	unsigned present = 0;
	uint64_t before = 0;

	for (unsigned word = 0; word * BLOCK < chunk->count; word++) {
		unsigned count = MIN(chunk->count - word * BLOCK, (unsigned)BLOCK);

		if (chunk->ahead)
			fetch_ahead(chunk->ahead + word * BLOCK * sizeof(uint64_t));
		present += l->direct && count == BLOCK ?
				   direct_block(chunk, word, before) :
				   any_block(chunk, word, count, before);
		settle(&chunk->bits, word);
		before = entry_load(l, chunk->data +
				       (size_t)(word * BLOCK + count - 1) * l->stride);
	}
	return present;
}
