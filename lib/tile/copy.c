/* SPDX-License-Identifier: MIT */
/*
 * Whole surfaces to rows and back. In a tile the bytes of a row are in runs of a fixed length;
 * where a run begins is the exclusive or of a number of its column and one of its row, swizzle and
 * all, because both are sums of bits. So every order is copied by the same loops: run by run at the
 * edges, and by whole lines of the tiles (lines.c) between them.
 */
#include "tile/lines.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define STREAM_FROM (8u << 20)		/* bytes that no cache should keep */

/* ---- a strip -------------------------------------------------------------------------------- */

static inline void move(uint8_t *to, const uint8_t *from, unsigned length)
{
	switch (length) {
	case 2:
		memcpy(to, from, 2);
		break;
	case 16:
		memcpy(to, from, 16);
		break;
	default:
		memcpy(to, from, length);
	}
}

static void copy_runs(const struct job *job, uint8_t *strip, uint32_t flip, uint8_t *rows,
		      size_t pitch, const struct window *w)
{
	for (unsigned y = w->y; y < w->y_end; y++, rows += pitch) {
		uint32_t row = job->row[y] ^ flip;

		for (unsigned x = w->x, length; x < w->x_end; x += length) {
			uint8_t *place = strip + (row ^ job->column[x / job->run]) + x % job->run;
			uint8_t *at = rows + (x - w->x);

			length = MIN(job->run - x % job->run, w->x_end - x);
			move(job->out ? at : place, job->out ? place : at, length);
		}
	}
}

/* `rows` is where the window's first byte goes. */
static void copy_strip(const struct job *job, uint8_t *strip, uint32_t flip, uint8_t *rows,
		       size_t pitch, const struct window *w)
{
	/* The part that consists of whole lines; if there are none, it is empty. */
	unsigned lines = job->lines ? job->lines->rows : 1;
	const struct window in = {
		(w->x + LINE - 1) / LINE * LINE, (w->y + lines - 1) / lines * lines,
		w->x_end / LINE * LINE, w->y_end / lines * lines
	};
	const struct window edges[] = {
		{ w->x, w->y, w->x_end, in.y },
		{ w->x, in.y, in.x, in.y_end },
		{ in.x_end, in.y, w->x_end, in.y_end },
		{ w->x, in.y_end, w->x_end, w->y_end },
	};

	if (!job->lines || in.x >= in.x_end || in.y >= in.y_end) {
		copy_runs(job, strip, flip, rows, pitch, w);
		return;
	}
	job->lines->ways[job->out][job->stream](job, strip, flip,
						rows + (in.y - w->y) * pitch + (in.x - w->x),
						pitch, &in);
	for (size_t i = 0; i < ARRAY_SIZE(edges); i++)
		copy_runs(job, strip, flip,
			  rows + (edges[i].y - w->y) * pitch + (edges[i].x - w->x), pitch,
			  &edges[i]);
}

static void copy_strips(const struct job *job, uint8_t *tiled, const struct gsc_rectangle *r,
			uint8_t *linear, size_t pitch)
{
	const struct gsc_layout *l = job->layout;
	unsigned bytes = l->surface.bits / 8;
	uint64_t left = r->x * bytes, right = left + r->width * bytes, bottom = r->y + r->height;
	uint64_t across = l->surface.pitch / l->width;
	uint64_t before = (r->z / l->depth + r->sample / l->samples) *
			  (l->surface.rows / l->height + !!(l->surface.rows % l->height));

	for (uint64_t y = r->y; y < bottom; y += l->height - y % l->height) {
		uint8_t *rows = linear + (size_t)(y - r->y) * pitch;
		uint64_t first = (before + y / l->height) * across;

		for (uint64_t x = left, begin; x < right; x = begin + job->width) {
			struct window w;
			uint64_t place;
			uint32_t flip;

			begin = x / job->width * job->width;
			place = (first + begin / l->width) << l->tile_bits;
			flip = job->slice ^
			       (uint32_t)(swizzled(place, l->surface.swizzle) - place);
			w = (struct window){ (unsigned)(x - begin), (unsigned)(y % l->height),
					     (unsigned)MIN(right - begin, job->width),
					     (unsigned)MIN(bottom - y + y % l->height, l->height) };
			copy_strip(job, tiled + place, flip, rows + (x - left), pitch, &w);
		}
	}
}

/* The last element's tile must exist, and with it all tiles before. */
static enum gsc_status check(const struct gsc_layout *l, const struct gsc_rectangle *r, size_t size,
			     size_t pitch, struct gsc_error *err)
{
	struct gsc_point last = { .z = r->z, .sample = r->sample };
	uint64_t offset, tile = l->surface.tiling ? UINT64_C(1) << l->tile_bits : 1, end;

	if (__builtin_add_overflow(r->x, r->width - 1, &last.x) ||
	    __builtin_add_overflow(r->y, r->height - 1, &last.y) || last.x < r->x ||
	    last.y < r->y)
		return err_set(err, GSC_USAGE, "rectangle", "its end does not fit in 64 bits");
	last.byte = l->surface.bits / 8 - 1;
	if (!gsc_layout_offset(l, &last, &offset))
		return err_set(err, GSC_USAGE, "rectangle", "not in the surface");
	if (__builtin_add_overflow(offset | (tile - 1), 1, &end) || end > size)
		return err_set(err, GSC_USAGE, "surface", "has %zu bytes, too few for the "
			       "rectangle", size);
	if (pitch < r->width * (l->surface.bits / 8) ||
	    __builtin_mul_overflow(r->height, pitch, &end) || end > SIZE_MAX)
		return err_set(err, GSC_USAGE, "pitch", "%zu bytes are less than a row of the "
							"rectangle, or make it too large",
			       pitch);
	return GSC_OK;
}

static enum gsc_status copy(const struct gsc_layout *l, uint8_t *tiled, size_t size,
			    const struct gsc_rectangle *r, uint8_t *linear, size_t pitch, bool out,
			    struct gsc_error *err)
{
	struct job job = { .out = out };
	size_t length = (size_t)(r->width * (l->surface.bits / 8));
	uint64_t left = r->x * (l->surface.bits / 8);
	enum gsc_status status;
	uint32_t swizzle;

	if (!r->width || !r->height)
		return GSC_OK;
	status = check(l, r, size, pitch, err);
	if (status)
		return status;
	if (!l->surface.tiling) {
		tiled += r->y * l->surface.pitch + left;
		for (uint64_t y = 0; y < r->height; y++) {
			memcpy(out ? linear : tiled, out ? tiled : linear, length);
			tiled += l->surface.pitch;
			linear += pitch;
		}
		return GSC_OK;
	}
	swizzle = l->surface.swizzle & ((1u << l->tile_bits) - 1);
	job.layout = l;
	job.lines = lines_find(l);
	job.run = MIN(1u << __builtin_ctz(~l->x), LINE);
	/* Rows for tiles are read in long pieces; beyond a tile only if all are swizzled alike. */
	job.width = job.out || l->surface.swizzle >> l->tile_bits ? l->width
								     : MAX(l->width, STRIP_MIN);
	for (unsigned i = 0; i < job.width / job.run; i++) {
		unsigned x = i * job.run;

		job.column[i] = (uint32_t)swizzled(bits_spread(x % l->width, l->x), swizzle) |
				 (x / l->width) << l->tile_bits;
	}
	for (unsigned i = 0; i < l->height; i++)
		job.row[i] = (uint32_t)swizzled(bits_spread(i, l->y), swizzle);
	job.slice = (uint32_t)swizzled(bits_spread(r->z % l->depth, l->z) |
					bits_spread(r->sample, l->sample), swizzle);
	/* Streams have 16 bytes, at multiples of that. */
	job.stream = r->height * length >= STREAM_FROM &&
		     !(((uintptr_t)tiled | (uintptr_t)linear | pitch | left) % 16);
	copy_strips(&job, tiled, r, linear, pitch);
#ifdef __SSE2__
	if (job.stream)
		_mm_sfence();
#endif
	return GSC_OK;
}

/* Whoever gave a constant gets it back unchanged: bytes go one way. */
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
