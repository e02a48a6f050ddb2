/* SPDX-License-Identifier: MIT */
/* Whole surfaces, fences, placement rules and pictures. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool platform_of(const char *name, struct gsc_platform *p, struct gsc_view **view,
			struct gsc_db **db)
{
	int device;

	return !gsc_db_new(db, NULL) && !gsc_platform_find(*db, name, p, &device, NULL) &&
	       !gsc_view_new(view, *db, p->index, -1, NULL);
}

/* ---- copies --------------------------------------------------------------------------------- */

static void fill(uint8_t *at, size_t size)
{
	uint32_t value = 12345;

	for (size_t i = 0; i < size; i++) {
		value = value * 1664525 + 1013904223;
		at[i] = (uint8_t)(value >> 24);
	}
}

/* Each byte of the rows against the place that the layout gives it; nothing beside is touched. */
static bool same_bytes(const struct gsc_layout *l, const uint8_t *tiled,
		       const struct gsc_rectangle *r, const uint8_t *linear, size_t pitch)
{
	unsigned bytes = l->surface.bits / 8;

	for (uint64_t y = 0; y < r->height; y++)
		for (uint64_t x = 0; x < r->width * bytes; x++) {
			struct gsc_point p = { .x = r->x + x / bytes,
					       .y = r->y + y,
					       .z = r->z,
					       .sample = r->sample,
					       .byte = (unsigned)(x % bytes) };
			uint64_t offset = 0;

			if (!gsc_layout_offset(l, &p, &offset) ||
			    tiled[offset] != linear[y * pitch + x])
				return false;
		}
	for (uint64_t y = 0; y < r->height; y++)
		for (uint64_t x = r->width * bytes; x < pitch; x++)
			if (linear[y * pitch + x] != 0xa5)
				return false;
	return true;
}

static void check_copy(const struct gsc_layout *l, const struct gsc_rectangle *r)
{
	size_t size = (size_t)gsc_layout_bytes(l, 300) * (l->depth > 1 ? 2 : 1);
	size_t pitch = (size_t)r->width * l->surface.bits / 8 + 5;
	uint8_t *tiled = malloc(size), *linear = malloc(r->height * pitch);
	uint8_t *again = malloc(size);
	struct gsc_error err;

	fill(tiled, size);
	memset(linear, 0xa5, r->height * pitch);
	CU_ASSERT_EQUAL(gsc_detile(l, tiled, size, r, linear, pitch, &err), GSC_OK);
	CU_ASSERT(same_bytes(l, tiled, r, linear, pitch));
	memset(again, 0, size);
	CU_ASSERT_EQUAL(gsc_tile(l, again, size, r, linear, pitch, &err), GSC_OK);
	CU_ASSERT(same_bytes(l, again, r, linear, pitch));
	free(tiled);
	free(linear);
	free(again);
}

static const struct copying {
	const char *platform;
	enum gsc_tiling tiling;
	unsigned bits, samples, dimensions;
	uint32_t swizzle;
} copies[] = {
	{ "snb", GSC_TILING_LINEAR, 32, 1, 2, 0 },
	{ "snb", GSC_TILING_X, 32, 1, 2, 0 },
	{ "snb", GSC_TILING_X, 16, 1, 2, 1 << 9 | 1 << 10 },
	{ "ctg", GSC_TILING_X, 32, 1, 2, 1 << 9 | 1 << 10 | 1 << 17 },
	{ "snb", GSC_TILING_Y, 8, 1, 2, 0 },
	{ "snb", GSC_TILING_Y, 32, 1, 2, 1 << 9 },
	{ "ctg", GSC_TILING_Y, 64, 1, 2, 1 << 9 | 1 << 11 },
	{ "snb", GSC_TILING_W, 8, 1, 2, 0 },
	{ "snb", GSC_TILING_W, 8, 1, 2, 1 << 9 },
	{ "skl", GSC_TILING_YF, 8, 1, 2, 0 },
	{ "skl", GSC_TILING_YF, 128, 1, 2, 0 },
	{ "skl", GSC_TILING_YS, 32, 1, 2, 0 },
	{ "skl", GSC_TILING_YS, 32, 8, 2, 0 },
	{ "skl", GSC_TILING_YS, 32, 1, 3, 0 },
	{ "dg2", GSC_TILING_4, 32, 1, 2, 0 },
	{ "dg2", GSC_TILING_64, 64, 4, 2, 0 },
	{ "dg2", GSC_TILING_64, 8, 1, 3, 0 },
	{ "lnl", GSC_TILING_64, 32, 16, 2, 0 },
};

static void test_copies(void)
{
	for (size_t i = 0; i < sizeof(copies) / sizeof(*copies); i++) {
		const struct copying *c = &copies[i];
		struct gsc_surface s = { c->tiling, c->bits, c->samples, c->dimensions, 2048, 300,
					 c->swizzle };
		struct gsc_rectangle r = { .z = c->dimensions > 2 ? 21 : 0,
					   .sample = c->samples - 1 };
		uint64_t wide = 2048 / (c->bits / 8);
		struct gsc_platform p;
		struct gsc_view *view;
		struct gsc_layout l;
		struct gsc_error err;
		struct gsc_db *db;

		CU_ASSERT_FATAL(platform_of(c->platform, &p, &view, &db));
		CU_ASSERT_EQUAL_FATAL(gsc_layout_init(&l, &p, &s, &err), GSC_OK);
		r.width = wide;
		r.height = 300;
		check_copy(&l, &r);
		r.x = 3;
		r.y = 7;
		r.width = wide - 8;
		r.height = 251;
		check_copy(&l, &r);
		r.width = 2;
		r.height = 1;
		check_copy(&l, &r);
		gsc_view_free(view);
		gsc_db_free(db);
	}
}

static void test_copy_limits(void)
{
	struct gsc_surface s = { GSC_TILING_Y, 32, 1, 2, 512, 0, 0 };
	struct gsc_rectangle r = { .width = 128, .height = 33 };
	static uint8_t tiled[512 * 64], linear[512 * 64];
	struct gsc_platform p;
	struct gsc_view *view;
	struct gsc_layout l;
	struct gsc_error err;
	struct gsc_db *db;

	CU_ASSERT_FATAL(platform_of("skl", &p, &view, &db));
	CU_ASSERT_EQUAL_FATAL(gsc_layout_init(&l, &p, &s, &err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_detile(&l, tiled, sizeof(tiled), &r, linear, 512, &err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_detile(&l, tiled, sizeof(tiled) - 1, &r, linear, 512, &err), GSC_USAGE);
	CU_ASSERT_EQUAL(gsc_detile(&l, tiled, sizeof(tiled), &r, linear, 511, &err), GSC_USAGE);
	r.width = 129;
	CU_ASSERT_EQUAL(gsc_detile(&l, tiled, sizeof(tiled), &r, linear, 1024, &err), GSC_USAGE);
	r = (struct gsc_rectangle){ .x = UINT64_MAX, .width = 2, .height = 2 };
	CU_ASSERT_EQUAL(gsc_detile(&l, tiled, sizeof(tiled), &r, linear, 512, &err), GSC_USAGE);
	r = (struct gsc_rectangle){ .y = UINT64_MAX - 1, .width = 2, .height = 2 };
	CU_ASSERT_EQUAL(gsc_detile(&l, tiled, sizeof(tiled), &r, linear, 512, &err), GSC_USAGE);
	r = (struct gsc_rectangle){ .width = 2, .height = 2, .sample = 1 };
	CU_ASSERT_EQUAL(gsc_detile(&l, tiled, sizeof(tiled), &r, linear, 512, &err), GSC_USAGE);
	r = (struct gsc_rectangle){ .width = 0, .height = 2 };
	CU_ASSERT_EQUAL(gsc_detile(&l, NULL, 0, &r, NULL, 0, &err), GSC_OK);
	gsc_view_free(view);
	gsc_db_free(db);
}

/* ---- fences --------------------------------------------------------------------------------- */

/* T1: every address of the fence reaches a place of its own, the one that the manual means. */
static void check_fence(const char *platform, uint64_t raw, uint64_t start, uint64_t end,
			unsigned pitch, char tiling, uint32_t swizzle)
{
	unsigned width = tiling == 'X' ? 512 : 128;
	struct gsc_platform p;
	struct gsc_fence fence;
	struct gsc_view *view;
	struct gsc_error err;
	struct gsc_db *db;
	uint8_t *reached = calloc(1, (size_t)(end - start));

	CU_ASSERT_FATAL(platform_of(platform, &p, &view, &db));
	gsc_fence_decode(view, 0, raw, &fence);
	CU_ASSERT(fence.valid && fence.start == start && fence.end == end &&
		  fence.pitch == pitch && fence.tiling == tiling && !*fence.problem);
	for (uint64_t a = start; a < end; a++) {
		uint64_t line = (a - start) / width, tiles = pitch / width, offset = 0;
		struct gsc_point at = { 0 };

		if (gsc_fence_translate(&p, &fence, swizzle, a, &at, &offset, &err) ||
		    at.x != line % tiles * width + (a - start) % width || at.y != line / tiles ||
		    offset >= end - start || reached[offset]++)
			CU_FAIL("not one to one");
	}
	gsc_gone(&p, &fence, start, end);
	free(reached);
	gsc_view_free(view);
	gsc_db_free(db);
}
