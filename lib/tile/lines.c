/* SPDX-License-Identifier: MIT */
/*
 * Lines of tiles, 64 bytes each, to rows and back. By the lowest bits of an order a line is 64
 * bytes of a row (X), 16 bytes of four rows (Y and all later ones) or 8 of eight (W); as many lines
 * as give 64 bytes of each row are copied as one. So whole lines are written on either side, and
 * large surfaces, for which caches are of no use, can bypass them.
 */
#include "tile/lines.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

#ifdef __SSE2__
typedef __m128i part;

INLINE part load(const uint8_t *from)
{
	return _mm_loadu_si128((const __m128i *)(const void *)from);
}

INLINE void store(uint8_t *to, part value, const bool stream)
{
	if (stream)
		_mm_stream_si128((__m128i *)(void *)to, value);
	else
		_mm_storeu_si128((__m128i *)(void *)to, value);
}
#else
typedef struct {
	uint8_t bytes[16];
} part;

INLINE part load(const uint8_t *from)
{
	part value;

	memcpy(&value, from, sizeof(value));
	return value;
}

INLINE void store(uint8_t *to, part value, const bool stream)
{
	(void)stream;
	memcpy(to, &value, sizeof(value));
}
#endif

/* ---- 64 bytes of each row ------------------------------------------------------------------- */

/* Lines of 64 bytes of a row, or 16 of four: their place is `place` ^ a column. */
INLINE void copy_parts(uint8_t *strip, uint32_t place, const uint32_t *column, uint8_t *at,
		       size_t pitch, const unsigned rows, const bool out, const bool stream)
{
	for (unsigned i = 0; i < 4 * rows; i++) {
		unsigned c = out ? i % 4 : i / rows, y = out ? i / 4 : i % rows;
		uint8_t *row = at + y * pitch + 16 * c;
		uint8_t *line = rows == 1 ? strip + (place ^ column[0]) + 16 * c
					  : strip + (place ^ column[c]) + 16 * y;

		store(out ? row : line, load(out ? line : row), stream);
	}
}

#ifdef __SSE2__

/* In quarters of a line the words of two rows alternate. */
INLINE part turn_words(part value)
{
	return _mm_shufflehi_epi16(_mm_shufflelo_epi16(value, 0xd8), 0xd8);
}

/* Half of two lines, left and right, is 16 bytes of four rows. */
INLINE void halves_out(const uint8_t *left, const uint8_t *right, uint8_t *at, size_t pitch,
		       const bool stream)
{
	part a = turn_words(load(left)), b = turn_words(load(left + 16));
	part c = turn_words(load(right)), d = turn_words(load(right + 16));
	part ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);

	store(at, _mm_unpacklo_epi64(ab, cd), stream);
	store(at + pitch, _mm_unpackhi_epi64(ab, cd), stream);
	ab = _mm_unpackhi_epi32(a, b);
	cd = _mm_unpackhi_epi32(c, d);
	store(at + 2 * pitch, _mm_unpacklo_epi64(ab, cd), stream);
	store(at + 3 * pitch, _mm_unpackhi_epi64(ab, cd), stream);
}

/* Four bytes of each of four rows, of which `top` and `bottom` have eight of two. */
INLINE void half_in(uint8_t *line, part top, part bottom, const bool stream)
{
	__m128 a = _mm_castsi128_ps(top), b = _mm_castsi128_ps(bottom);

	store(line, turn_words(_mm_castps_si128(_mm_shuffle_ps(a, b, 0x88))), stream);
	store(line + 16, turn_words(_mm_castps_si128(_mm_shuffle_ps(a, b, 0xdd))), stream);
}

INLINE void lines_in(uint8_t *left, uint8_t *right, const uint8_t *at, size_t pitch,
		     const bool stream)
{
	part a = load(at), b = load(at + pitch);
	part c = load(at + 2 * pitch), d = load(at + 3 * pitch);

	half_in(left, _mm_unpacklo_epi64(a, b), _mm_unpacklo_epi64(c, d), stream);
	half_in(right, _mm_unpackhi_epi64(a, b), _mm_unpackhi_epi64(c, d), stream);
}

/*
 * Out of tiles four rows are filled at a time, into them two lines: the processor loses track of
 * more.
 */
INLINE void copy_words(uint8_t *strip, uint32_t place, const uint32_t *column, uint8_t *at,
		       size_t pitch, const bool out, const bool stream)
{
	for (unsigned i = 0; i < 8; i++) {
		unsigned c = out ? i % 4 : i / 2, half = out ? i / 4 : i % 2;
		uint8_t *left = strip + (place ^ column[8 * c]) + 32 * half;
		uint8_t *right = strip + (place ^ column[8 * c + 4]) + 32 * half;
		uint8_t *rows = at + 4 * half * pitch + 16 * c;

		if (out)
			halves_out(left, right, rows, pitch, stream);
		else
			lines_in(left, right, rows, pitch, stream);
	}
}

#else

/* In a word's number in a line every other bit counts rows, the others words of a row. */
INLINE void copy_words(uint8_t *strip, uint32_t place, const uint32_t *column, uint8_t *at,
		       size_t pitch, const bool out, const bool stream)
{
	(void)stream;
	for (unsigned c = 0; c < 8; c++) {
		for (unsigned i = 0; i < 32; i++) {
			unsigned y = (i & 1) | (i >> 1 & 2) | (i >> 2 & 4);
			unsigned x = 8 * c + ((i & 2) | (i >> 1 & 4));
			uint8_t *word = strip + (place ^ column[4 * c]) + 2 * i;
			uint8_t *row = at + y * pitch + x;

			memcpy(out ? row : word, out ? word : row, 2);
		}
	}
}

#endif

/* ---- windows -------------------------------------------------------------------------------- */

/* Times the rows of a line: far enough for memory, near enough to be still in the caches then. */
#define AHEAD_OUT 4
#define AHEAD_IN 2

/* Where copying will be some rows later: in this strip, or at the top of the next one. */
struct later {
	uintptr_t strip, at;
	uint32_t place;
};

INLINE struct later later_of(const struct job *job, const uint8_t *strip, uint32_t flip,
			     const uint8_t *at, size_t pitch, unsigned y, unsigned ahead)
{
	const struct gsc_layout *l = job->layout;
	struct later later = { (uintptr_t)strip, (uintptr_t)at + ahead * pitch, 0 };

	y += ahead;
	if (y >= l->height) {
		y -= l->height;
		later.strip += (uintptr_t)1 << l->tile_bits;
		later.at += job->width - l->height * pitch;
	}
	later.place = job->row[y] ^ flip;
	return later;
}

/* Processors predict neither the next lines of a tile nor the next rows. */
INLINE void fetch(const struct later *later, const uint32_t *column, unsigned x, size_t pitch,
		  const unsigned run, const unsigned rows, const bool out)
{
	for (unsigned i = 0; i < rows; i++)
		__builtin_prefetch((const void *)(
			out ? later->strip + (later->place ^ column[i * (LINE / rows / run)])
			    : later->at + i * pitch + x));
}

/* `run`, `rows`, `out` and `stream` are constants where this is expanded. */
INLINE void copy_lines(const struct job *job, uint8_t *strip, uint32_t flip, uint8_t *at,
		       size_t pitch, const struct window *w, const unsigned run,
		       const unsigned rows, const bool out, const bool stream)
{
	const unsigned height = job->layout->height;
	const unsigned ahead = MIN(rows * (out ? AHEAD_OUT : AHEAD_IN), height);

	for (unsigned y = w->y; y < w->y_end; y += rows, at += rows * pitch) {
		struct later later = later_of(job, strip, flip, at, pitch, y, ahead);
		uint32_t place = job->row[y] ^ flip;

		for (unsigned x = w->x; x < w->x_end; x += LINE) {
			const uint32_t *column = &job->column[x / run];
			uint8_t *row = at + (x - w->x);

			if (stream)
				fetch(&later, column, x - w->x, pitch, run, rows, out);
			if (rows == 8)
				copy_words(strip, place, column, row, pitch, out, stream);
			else
				copy_parts(strip, place, column, row, pitch, rows, out, stream);
		}
	}
}

#define WAY(name, run, rows, out, stream)                                                          \
	static void name(const struct job *job, uint8_t *strip, uint32_t flip, uint8_t *at,        \
			 size_t pitch, const struct window *w)                                     \
	{                                                                                          \
		copy_lines(job, strip, flip, at, pitch, w, run, rows, out, stream);                \
	}
#define WAYS(rows, run)                                                                            \
	WAY(in_##rows, run, rows, false, false)                                                    \
	WAY(stream_in_##rows, run, rows, false, true)                                              \
	WAY(out_##rows, run, rows, true, false)                                                    \
	WAY(stream_out_##rows, run, rows, true, true)
#define LINES(rows)                                                                                \
	{ rows, { { in_##rows, stream_in_##rows }, { out_##rows, stream_out_##rows } } }

WAYS(1, 64)
WAYS(4, 16)
WAYS(8, 2)

/* By the bits of a line that count a row's bytes, and those that count rows. */
static const struct {
	uint32_t x, y;
	struct lines lines;
} kinds[] = {
	{ 0x3f, 0x00, LINES(1) },
	{ 0x0f, 0x30, LINES(4) },
	{ 0x15, 0x2a, LINES(8) },
};

const struct lines *lines_find(const struct gsc_layout *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if ((l->x & (LINE - 1)) == kinds[i].x && (l->y & (LINE - 1)) == kinds[i].y)
			return &kinds[i].lines;
	return NULL;
}
