/* SPDX-License-Identifier: MIT */
/*
 * Vector code for the loops where a pass over tables spends its time. Without it compilers compare
 * one entry at a time, which is half as fast as tables come from memory.
 */
#include "gtt/bits.h"

/* ---- any processor ------------------------------------------------------------------------ */

static struct survey plain_survey(const packed64 *e, uint64_t keep, uint64_t step)
{
	struct survey s = { e[0], e[0], 0 };

	for (unsigned i = 1; i < BLOCK_ENTRIES; i++) {
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

	for (unsigned i = 0; i < BLOCK_ENTRIES; i++) {
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

#include <cpuid.h>
#include <immintrin.h>

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

	for (unsigned i = 4; i < BLOCK_ENTRIES; i += 4) {
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
	for (unsigned i = 0; i < BLOCK_ENTRIES; i += 4) {
		matches |= equal4(distance4(load4(e + i), last, mask), wanted) << i;
		if (i + 4 < BLOCK_ENTRIES)
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

	for (unsigned i = 0; i < BLOCK_ENTRIES; i += 4) {
		__m256i here = load4(e + i), distance = distance4(here, last, mask);

		any = _mm256_or_si256(any, here);
		all = _mm256_and_si256(all, here);
		found = _mm256_or_si256(found, _mm256_cmpeq_epi64(distance, zero));
		found = _mm256_or_si256(found, _mm256_cmpeq_epi64(distance, steps));
		if (i + 4 < BLOCK_ENTRIES)
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

/* XGETBV, of the first register. */
static uint64_t saved_states(void)
{
	uint32_t low, high;

	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

/*
 * Asked on first use: __builtin_cpu_supports() asks at every start of every program, and in a
 * virtual machine each such question goes to the host.
 */
const struct compare *compare_functions(void)
{
	unsigned a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || (saved_states() & 6) != 6 ||
	    !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
		return &plain;
	return &avx2;
}

#else

const struct compare *compare_functions(void)
{
	return &plain;
}

#endif
