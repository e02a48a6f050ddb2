/* SPDX-License-Identifier: MIT */
/*
 * Compares adjacent entries: 64 at a time, with one word of results for each question. A block with
 * equal answers is found by vector code: without it compilers compare one entry at a time, which is
 * half as fast as tables come from memory.
 */
#include "gtt/scan.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#define BLOCK 64

typedef uint64_t __attribute__((aligned(1), may_alias)) packed64;

/* What is true of a block as a whole. */
struct survey {
	uint64_t any, all;		/* bits set in any entry, in all of them */
	uint64_t uneven;		/* 0: each is the previous one plus a step */
};

struct compare {
	struct survey (*survey)(const packed64 *entries, uint64_t keep, uint64_t step);
	/*
	 * The same entry by entry, if they are not all alike; `uneven` is not set. Bit i: entry i
	 * and the previous one, for the first one `before`: equal; one step further.
	 */
	struct survey (*targets)(const packed64 *entries, uint64_t keep, uint64_t step,
				 uint64_t before, uint64_t *equal, uint64_t *linear);
};

/* ---- any processor ------------------------------------------------------------------------ */

static struct survey plain_survey(const packed64 *e, uint64_t keep, uint64_t step)
{
	struct survey s = { e[0], e[0], 0 };

	for (unsigned i = 1; i < BLOCK; i++) {
		s.any |= e[i];
		s.all &= e[i];
		s.uneven |= ((e[i] & keep) - (e[i - 1] & keep)) ^ step;
	}
	return s;
}

static struct survey plain_targets(const packed64 *e, uint64_t keep, uint64_t step,
				   uint64_t before, uint64_t *equal, uint64_t *linear)
{
	struct survey s = { 0, UINT64_MAX, 1 };
	uint64_t is_equal = 0, is_linear = 0, last = before & keep;

	for (unsigned i = 0; i < BLOCK; i++) {
		uint64_t here = e[i] & keep, distance = here - last;

		is_equal |= (uint64_t)(distance == 0) << i;
		is_linear |= (uint64_t)(distance == step) << i;
		s.any |= e[i];
		s.all &= e[i];
		last = here;
	}
	*equal = is_equal;
	*linear = is_linear;
	return s;
}

static const struct compare plain = { plain_survey, plain_targets };

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))

/* ---- AVX2: four entries at once ------------------------------------------------------------ */

static AVX2 __m256i load4(const packed64 *e)
{
	return _mm256_loadu_si256((const __m256i_u *)e);
}

static AVX2 uint64_t or4(__m256i v)
{
	__m128i half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));

	return (uint64_t)_mm_cvtsi128_si64(half) | (uint64_t)_mm_extract_epi64(half, 1);
}

static AVX2 uint64_t and4(__m256i v)
{
	return ~or4(_mm256_xor_si256(v, _mm256_set1_epi64x(-1)));
}

static AVX2 struct survey avx2_survey(const packed64 *e, uint64_t keep, uint64_t step)
{
	__m256i mask = _mm256_set1_epi64x((long long)keep);
	__m256i steps = _mm256_set1_epi64x((long long)step);
	__m256i any = load4(e), all = any, uneven = _mm256_setzero_si256();

	for (unsigned i = 4; i < BLOCK; i += 4) {
		__m256i here = load4(e + i), last = load4(e + i - 1);
		__m256i distance = _mm256_sub_epi64(_mm256_and_si256(here, mask),
						    _mm256_and_si256(last, mask));

		any = _mm256_or_si256(any, here);
		all = _mm256_and_si256(all, here);
		uneven = _mm256_or_si256(uneven, _mm256_xor_si256(distance, steps));
	}
	return (struct survey){ or4(any), and4(all),
				or4(uneven) | (((e[1] & keep) - (e[0] & keep)) ^ step) |
				(((e[2] & keep) - (e[1] & keep)) ^ step) |
				(((e[3] & keep) - (e[2] & keep)) ^ step) };
}

static AVX2 uint64_t equal4(__m256i v, __m256i value)
{
	return (uint64_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(v, value)));
}

/* The masked bits of four entries, minus those of the previous ones. */
static AVX2 __m256i distance4(__m256i here, __m256i last, __m256i mask)
{
	return _mm256_sub_epi64(_mm256_and_si256(here, mask), _mm256_and_si256(last, mask));
}

/* Which entries of a block are at the given distance from the previous one. */
static AVX2 uint64_t avx2_matches(const packed64 *e, __m256i mask, __m256i first, __m256i wanted)
{
	__m256i last = first;
	uint64_t matches = 0;

	/* Unrolled, so that shifts are by constants. */
#pragma GCC unroll 16
	for (unsigned i = 0; i < BLOCK; i += 4) {
		matches |= equal4(distance4(load4(e + i), last, mask), wanted) << i;
		if (i + 4 < BLOCK)
			last = load4(e + i + 3);
	}
	return matches;
}

/* If pages are anywhere, hardly any two belong together: one pass shows that there are none. */
static AVX2 struct survey avx2_targets(const packed64 *e, uint64_t keep, uint64_t step,
				       uint64_t before, uint64_t *equal, uint64_t *linear)
{
	__m256i mask = _mm256_set1_epi64x((long long)keep), zero = _mm256_setzero_si256();
	__m256i steps = _mm256_set1_epi64x((long long)step), any = zero, found = zero;
	__m256i all = _mm256_set1_epi64x(-1);
	__m256i first = _mm256_set_epi64x((long long)e[2], (long long)e[1], (long long)e[0],
					  (long long)before);
	__m256i last = first;

	for (unsigned i = 0; i < BLOCK; i += 4) {
		__m256i here = load4(e + i), distance = distance4(here, last, mask);

		any = _mm256_or_si256(any, here);
		all = _mm256_and_si256(all, here);
		found = _mm256_or_si256(found, _mm256_cmpeq_epi64(distance, zero));
		found = _mm256_or_si256(found, _mm256_cmpeq_epi64(distance, steps));
		if (i + 4 < BLOCK)
			last = load4(e + i + 3);
	}
	*equal = *linear = 0;
	if (!_mm256_testz_si256(found, found)) {
		*equal = avx2_matches(e, mask, first, zero);
		*linear = avx2_matches(e, mask, first, steps);
	}
	return (struct survey){ or4(any), and4(all), 1 };
}

static const struct compare avx2 = { avx2_survey, avx2_targets };

/*
 * Asked on first use: __builtin_cpu_supports() asks at every start of every program, and in a
 * virtual machine each such question goes to the host.
 */
const struct compare *compare_functions(void)
{
	unsigned a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return &plain;
	/* Which registers the system saves: 6 is those of SSE and AVX. */
	__asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	if ((a & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
		return &plain;
	return &avx2;
}

#else

const struct compare *compare_functions(void)
{
	return &plain;
}

#endif

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

	if (s.any & l->format->null_mask || (l->format->any_mask && !(s.all & l->format->any_mask)))
		return any_block(chunk, word, BLOCK, before);
	b->valid[word] = valid ? UINT64_MAX : matching(e, l->check_mask, l->check_value);
	b->same[word] = (s.any ^ s.all) & l->attributes ?
				alike(e, l->attributes, before) :
				UINT64_MAX << 1 | !((e[0] ^ before) & l->attributes);
	return valid ? BLOCK : count_valid(l->format, e);
}

/* ---- a chunk ------------------------------------------------------------------------------ */

#define LINE 64

unsigned bits_of_chunk(struct chunk *chunk)
{
	const struct scan_level *l = chunk->level;
	struct bits *b = &chunk->bits;
	unsigned present = 0;
	uint64_t before = 0;

	for (unsigned word = 0; word * BLOCK < chunk->count; word++) {
		unsigned count = MIN(chunk->count - word * BLOCK, (unsigned)BLOCK);

		for (size_t at = 0; chunk->ahead && at < BLOCK * sizeof(uint64_t); at += LINE)
			__builtin_prefetch(chunk->ahead + word * BLOCK * sizeof(uint64_t) + at);
		present += l->direct && count == BLOCK ?
				   direct_block(chunk, word, before) :
				   any_block(chunk, word, count, before);
		/* What two entries have in common counts only if both are valid and adjacent. */
		b->same[word] &= b->valid[word] &
				 (b->valid[word] << 1 | (word ? b->valid[word - 1] >> 63 : 0));
		b->equal[word] &= b->same[word];
		b->linear[word] &= b->same[word];
		before = entry_load(l, chunk->data +
				       (size_t)(word * BLOCK + count - 1) * l->stride);
	}
	return present;
}
