/* SPDX-License-Identifier: MIT */
/*
 * Whole surfaces to rows and back. In a tile the bytes of a row stand in runs of a fixed length;
 * where a run begins is the exclusive or of a number of its column and one of its row, swizzle and
 * all, as both are sums of bits. So every order is copied by the same loops, once for each length
 * of a run.
 */
#include "tile/tile.h"

#include <stdio.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define COLUMNS_MAX 64			/* runs across a tile: 1024 bytes in runs of 16 */
#define ROWS_MAX 256
#define STREAM_FROM (8u << 20)		/* bytes that no cache is to keep */

struct job {
	const struct gsc_layout *layout;
	unsigned run;			/* bytes */
	uint32_t column[COLUMNS_MAX], row[ROWS_MAX];
	uint32_t slice;			/* of z and the sample */
	bool out;			/* of the tiles */
	bool stream;			/* around the caches */
};

/* What of a tile is wanted: bytes and rows, the ends not part of it. */
struct window {
	unsigned x, y, x_end, y_end;
};

/* ---- runs ----------------------------------------------------------------------------------- */

typedef void runs_fn(const struct job *job, uint8_t *tile, uint32_t flip, uint8_t *rows,
		     size_t pitch, const struct window *w);

/* What is too much for the caches goes around them: a line that is written whole is not read. */
static inline __attribute__((always_inline)) void move(uint8_t *to, const uint8_t *from,
						       const unsigned run, const bool stream)
{
#ifdef __SSE2__
	if (stream) {
		for (unsigned i = 0; i < run; i += 16) {
			const __m128i *there = (const void *)(from + i);

			_mm_stream_si128((__m128i *)(void *)(to + i), _mm_loadu_si128(there));
		}
		return;
	}
#endif
	(void)stream;
	memcpy(to, from, run);
}

/*
 * `run`, `out` and `stream` are constants where this is expanded, and each copy a few instructions.
 * Into tiles with short runs it goes down the columns, so that lines are filled one by one.
 */
static inline __attribute__((always_inline)) void
copy_runs(const struct job *job, uint8_t *tile, uint32_t flip, uint8_t *rows, size_t pitch,
	  const struct window *w, const unsigned run, const bool out, const bool stream)
{
	const unsigned first = w->x / run, end = w->x_end / run;

	if (!out && run == 16) {
		for (unsigned c = first; c < end; c++, rows += run) {
			uint32_t column = job->column[c] ^ flip;
			const uint8_t *at = rows;

			for (unsigned y = w->y; y < w->y_end; y++, at += pitch)
				move(tile + (job->row[y] ^ column), at, run, stream);
		}
		return;
	}
	for (unsigned y = w->y; y < w->y_end; y++, rows += pitch) {
		uint32_t row = job->row[y] ^ flip;
		uint8_t *at = rows;

		for (unsigned c = first; c < end; c++, at += run) {
			uint8_t *place = tile + (row ^ job->column[c]);

			move(out ? at : place, out ? place : at, run, stream);
		}
	}
}

#define RUNS(name, n, out, stream)                                                                 \
	static void name(const struct job *job, uint8_t *tile, uint32_t flip, uint8_t *rows,       \
			 size_t pitch, const struct window *w)                                     \
	{                                                                                          \
		copy_runs(job, tile, flip, rows, pitch, w, n, out, stream);                        \
	}

RUNS(out_2, 2, true, false)
RUNS(out_16, 16, true, false)
RUNS(out_64, 64, true, false)
RUNS(out_512, 512, true, false)
RUNS(in_2, 2, false, false)
RUNS(in_16, 16, false, false)
RUNS(in_64, 64, false, false)
RUNS(in_512, 512, false, false)
RUNS(stream_out_16, 16, true, true)
RUNS(stream_out_64, 64, true, true)
RUNS(stream_out_512, 512, true, true)
RUNS(stream_in_16, 16, false, true)
RUNS(stream_in_64, 64, false, true)
RUNS(stream_in_512, 512, false, true)

static const struct {
	unsigned run;
	runs_fn *ways[2][2];		/* by: out, stream */
} lengths[] = {
	{ 512, { { in_512, stream_in_512 }, { out_512, stream_out_512 } } },
	{ 64, { { in_64, stream_in_64 }, { out_64, stream_out_64 } } },
	{ 16, { { in_16, stream_in_16 }, { out_16, stream_out_16 } } },
	{ 2, { { in_2, in_2 }, { out_2, out_2 } } },
};

static runs_fn *runs_of(const struct job *job)
{
	size_t i = 0;

	while (lengths[i].run != job->run)
		i++;
	return lengths[i].ways[job->out][job->stream];
}

/* Bytes at either end that are no whole run. */
static void copy_rest(const struct job *job, uint8_t *tile, uint32_t flip, uint8_t *rows,
		      size_t pitch, const struct window *w)
{
	unsigned skip = w->x % job->run, length = w->x_end - w->x;

	for (unsigned y = w->y; y < w->y_end; y++, rows += pitch) {
		uint8_t *place = tile + (job->row[y] ^ flip ^ job->column[w->x / job->run]) + skip;

		if (job->out)
			memcpy(rows, place, length);
		else
			memcpy(place, rows, length);
	}
}

/* ---- a tile --------------------------------------------------------------------------------- */

/* `rows` is where the window's first byte belongs. */
static void copy_tile(const struct job *job, runs_fn *runs, uint8_t *tile, uint32_t flip,
		      uint8_t *rows, size_t pitch, struct window w)
{
	unsigned begin = (w.x + job->run - 1) / job->run * job->run;
	unsigned end = w.x_end / job->run * job->run;
	struct window part = w;

	if (w.x < begin) {
		part.x_end = MIN(begin, w.x_end);
		copy_rest(job, tile, flip, rows, pitch, &part);
	}
	if (begin < end) {
		part.x = begin;
		part.x_end = end;
		runs(job, tile, flip, rows + (begin - w.x), pitch, &part);
	}
	if (end < w.x_end && end >= begin) {
		part.x = end;
		part.x_end = w.x_end;
		copy_rest(job, tile, flip, rows + (end - w.x), pitch, &part);
	}
}

static void prepare(struct job *job, const struct gsc_layout *l, const struct gsc_rectangle *r)
{
	uint32_t swizzle = l->surface.swizzle & ((1u << l->tile_bits) - 1);

	job->layout = l;
	job->run = MIN(1u << __builtin_ctz(~l->x), 512u);
	if (swizzle && job->run > 64)
		job->run = 64;
	for (unsigned i = 0; i < l->width / job->run; i++)
		job->column[i] = (uint32_t)swizzled(bits_spread(i * job->run, l->x), swizzle);
	for (unsigned i = 0; i < l->height; i++)
		job->row[i] = (uint32_t)swizzled(bits_spread(i, l->y), swizzle);
	job->slice = (uint32_t)swizzled(bits_spread(r->z % l->depth, l->z) |
					bits_spread(r->sample, l->sample), swizzle);
}

static void copy_tiles(const struct job *job, uint8_t *tiled, const struct gsc_rectangle *r,
		       uint8_t *linear, size_t pitch)
{
	const struct gsc_layout *l = job->layout;
	unsigned bytes = l->surface.bits / 8;
	uint64_t left = r->x * bytes, right = left + r->width * bytes, bottom = r->y + r->height;
	uint64_t across = l->surface.pitch / l->width;
	uint64_t before = r->z / l->depth *
			  (l->surface.rows / l->height + !!(l->surface.rows % l->height));
	runs_fn *runs = runs_of(job);

	for (uint64_t y = r->y; y < bottom; y += l->height - y % l->height) {
		uint8_t *rows = linear + (size_t)(y - r->y) * pitch;
		uint64_t first = (before + y / l->height) * across;

		for (uint64_t x = left; x < right; x += l->width - x % l->width) {
			uint64_t place = (first + x / l->width) << l->tile_bits;
			uint32_t flip = job->slice ^
					(uint32_t)(swizzled(place, l->surface.swizzle) - place);
			struct window w = { (unsigned)(x % l->width), (unsigned)(y % l->height),
					    (unsigned)MIN(right - x + x % l->width, l->width),
					    (unsigned)MIN(bottom - y + y % l->height, l->height) };

			copy_tile(job, runs, tiled + place, flip, rows + (x - left), pitch, w);
		}
	}
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void copy_linear(const struct gsc_layout *l, uint8_t *tiled, const struct gsc_rectangle *r,
			uint8_t *linear, size_t pitch, bool out)
{
	size_t length = (size_t)r->width * l->surface.bits / 8;
	size_t step = (size_t)l->surface.pitch;
	uint8_t *at = tiled + (size_t)r->y * step + (size_t)r->x * l->surface.bits / 8;

	for (uint64_t y = 0; y < r->height; y++, at += step, linear += pitch) {
		if (out)
			memcpy(linear, at, length);
		else
			memcpy(at, linear, length);
	}
}

/* The last element's tile has to be there, and with it are all before. */
static enum gsc_status check(const struct gsc_layout *l, const struct gsc_rectangle *r, size_t size,
			     size_t pitch, struct gsc_error *err)
{
	struct gsc_point last = { .z = r->z, .sample = r->sample };
	uint64_t offset, tile = l->surface.tiling ? UINT64_C(1) << l->tile_bits : 1, end;

	if (__builtin_add_overflow(r->x, r->width - 1, &last.x) ||
	    __builtin_add_overflow(r->y, r->height - 1, &last.y) || last.x < r->x ||
	    last.y < r->y)
		return err_set(err, GSC_USAGE, "rectangle", "it ends past all numbers");
	last.byte = l->surface.bits / 8 - 1;
	if (!gsc_layout_offset(l, &last, &offset))
		return err_set(err, GSC_USAGE, "rectangle", "not in the surface");
	if (__builtin_add_overflow(offset | (tile - 1), 1, &end) || end > size)
		return err_set(err, GSC_USAGE, "surface", "has %zu bytes, too few for the "
			       "rectangle", size);
	if (pitch < r->width * (l->surface.bits / 8) ||
	    __builtin_mul_overflow(r->height, pitch, &end) || end > SIZE_MAX)
		return err_set(err, GSC_USAGE, "pitch", "%zu bytes do not fit the rectangle",
			       pitch);
	return GSC_OK;
}

/* Streams are of 16 bytes, and at places that are a multiple of that. */
static bool can_stream(const struct gsc_layout *l, const uint8_t *tiled,
		       const struct gsc_rectangle *r, const uint8_t *linear, size_t pitch)
{
	uint64_t bytes = l->surface.bits / 8;

	return r->height * r->width * bytes >= STREAM_FROM &&
	       !(((uintptr_t)tiled | (uintptr_t)linear | pitch | r->x * bytes) % 16);
}

static enum gsc_status copy(const struct gsc_layout *l, uint8_t *tiled, size_t size,
			    const struct gsc_rectangle *r, uint8_t *linear, size_t pitch, bool out,
			    struct gsc_error *err)
{
	struct job job = { .out = out };
	enum gsc_status status;

	if (!r->width || !r->height)
		return GSC_OK;
	status = check(l, r, size, pitch, err);
	if (status)
		return status;
	if (!l->surface.tiling) {
		copy_linear(l, tiled, r, linear, pitch, out);
		return GSC_OK;
	}
	prepare(&job, l, r);
	job.stream = can_stream(l, tiled, r, linear, pitch);
	copy_tiles(&job, tiled, r, linear, pitch);
#ifdef __SSE2__
	_mm_sfence();
#endif
	return GSC_OK;
}

/* Whoever gave a constant has it back unwritten: bytes go one way. */
enum gsc_status gsc_detile(const struct gsc_layout *layout, const void *tiled, size_t size,
			   const struct gsc_rectangle *rectangle, void *linear, size_t pitch,
			   struct gsc_error *err)
{
	return copy(layout, (uint8_t *)(uintptr_t)tiled, size, rectangle, linear, pitch, true, err);
}

enum gsc_status gsc_tile(const struct gsc_layout *layout, void *tiled, size_t size,
			 const struct gsc_rectangle *rectangle, const void *linear, size_t pitch,
			 struct gsc_error *err)
{
	return copy(layout, tiled, size, rectangle, (uint8_t *)(uintptr_t)linear, pitch, false,
		    err);
}
