/* SPDX-License-Identifier: MIT */
/* Whole surfaces, fences, placement rules and pictures. */
#include "test.h"
#include "util/util.h"
#include "tile/tile.h"

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

/*
 * Each byte of the rows, compared with the place that the layout gives it; nothing beside is
 * touched.
 */
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
	size_t size = (size_t)(gsc_layout_bytes(l, 300) * (r->z / l->depth + 1));
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
	{ "skl", GSC_TILING_YF, 128, 1, 3, 0 },
	{ "skl", GSC_TILING_YS, 8, 1, 2, 0 },
	{ "skl", GSC_TILING_YS, 32, 1, 2, 0 },
	{ "skl", GSC_TILING_YS, 32, 8, 2, 0 },
	{ "skl", GSC_TILING_YS, 32, 1, 3, 0 },
	{ "dg2", GSC_TILING_4, 32, 1, 2, 0 },
	{ "dg2", GSC_TILING_64, 64, 4, 2, 0 },
	{ "dg2", GSC_TILING_64, 8, 1, 3, 0 },
	{ "lnl", GSC_TILING_64, 32, 16, 2, 0 },
};

/* Each order, as a surface of this many bytes per row, or more if tiles are too wide for it. */
static void each_copying(uint64_t pitch, bool samples, void (*check)(const struct gsc_layout *l))
{
	for (size_t i = 0; i < sizeof(copies) / sizeof(*copies); i++) {
		const struct copying *c = &copies[i];
		struct gsc_surface s = { c->tiling, c->bits, samples ? c->samples : 1,
					 samples ? c->dimensions : 2, 8192, samples ? 300 : 0,
					 c->swizzle };
		struct gsc_platform p;
		struct gsc_view *view;
		struct gsc_layout l;
		struct gsc_error err;
		struct gsc_db *db;

		CU_ASSERT_FATAL(platform_of(c->platform, &p, &view, &db));
		CU_ASSERT_EQUAL_FATAL(gsc_layout_init(&l, &p, &s, &err), GSC_OK);
		l.surface.pitch = (pitch + l.width - 1) / l.width * l.width;
		check(&l);
		gsc_view_free(view);
		gsc_db_free(db);
	}
}

static void check_rectangles(const struct gsc_layout *l)
{
	uint64_t wide = l->surface.pitch / (l->surface.bits / 8);
	struct gsc_rectangle r = { .z = l->surface.dimensions > 2 ? 21 : 0,
				   .sample = l->surface.samples - 1,
				   .width = wide,
				   .height = 300 };

	check_copy(l, &r);
	r.x = 3;
	r.y = 7;
	r.width = wide - 8;
	r.height = 251;
	check_copy(l, &r);
	r.width = 2;
	r.height = 1;
	check_copy(l, &r);
}

/* Tiles are filled from strips of 1024 bytes of rows: two and a half of them. */
static void test_copies(void)
{
	each_copying(2560, true, check_rectangles);
}

#define SLIVER 13			/* bytes: fewer contain no whole line of a tile */

/* Lines copied whole equal the same bytes in slivers, which are copied run by run. */
static void check_slivers(const struct gsc_layout *l)
{
	unsigned bytes = l->surface.bits / 8;
	size_t size = (size_t)gsc_layout_bytes(l, 150), pitch = (size_t)l->surface.pitch;
	uint64_t wide = pitch / bytes, step = MAX(SLIVER / bytes, 1);
	struct gsc_rectangle all = { .width = wide, .height = 150 };
	uint8_t *tiled = malloc(size), *again = calloc(1, size);
	uint8_t *whole = malloc(150 * pitch), *pieces = malloc(150 * pitch);
	struct gsc_error err;

	fill(tiled, size);
	CU_ASSERT_EQUAL(gsc_detile(l, tiled, size, &all, whole, pitch, &err), GSC_OK);
	for (uint64_t x = 0; x < wide; x += step) {
		struct gsc_rectangle r = { .x = x, .width = MIN(step, wide - x), .height = 150 };

		CU_ASSERT_EQUAL(gsc_detile(l, tiled, size, &r, pieces + x * bytes, pitch, &err),
				GSC_OK);
		CU_ASSERT_EQUAL(gsc_tile(l, again, size, &r, whole + x * bytes, pitch, &err),
				GSC_OK);
	}
	CU_ASSERT(!memcmp(whole, pieces, 150 * pitch));
	memset(tiled, 0, size);
	CU_ASSERT_EQUAL(gsc_tile(l, tiled, size, &all, whole, pitch, &err), GSC_OK);
	CU_ASSERT(!memcmp(tiled, again, size));
	free(tiled);
	free(again);
	free(whole);
	free(pieces);
}

static void test_slivers(void)
{
	each_copying(1536, false, check_slivers);
}

/* What bypasses the caches equals what goes through them, as unaligned rows do. */
static void check_stream(const struct gsc_layout *l)
{
	struct gsc_rectangle r = { .x = 16, .width = 8192 / (l->surface.bits / 8) - 32,
				   .height = 1088 };
	size_t size = (size_t)gsc_layout_bytes(l, 1088), pitch = 8192;
	uint8_t *tiled = aligned_alloc(4096, size), *again = aligned_alloc(4096, size);
	uint8_t *linear = aligned_alloc(4096, size), *plain = malloc(size + 1);
	struct gsc_error err;

	fill(tiled, size);
	memset(linear, 0, size);
	memset(plain, 0, size + 1);
	CU_ASSERT_EQUAL(gsc_detile(l, tiled, size, &r, linear, pitch, &err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_detile(l, tiled, size, &r, plain + 1, pitch, &err), GSC_OK);
	CU_ASSERT(!memcmp(linear, plain + 1, size));
	memset(again, 0, size);
	CU_ASSERT_EQUAL(gsc_tile(l, again, size, &r, linear, pitch, &err), GSC_OK);
	memset(tiled, 0, size);
	CU_ASSERT_EQUAL(gsc_tile(l, tiled, size, &r, plain + 1, pitch, &err), GSC_OK);
	CU_ASSERT(!memcmp(again, tiled, size));
	free(tiled);
	free(again);
	free(linear);
	free(plain);
}

static void test_streams(void)
{
	each_copying(8192, false, check_stream);
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

/* T1: every address of the fence reaches a different place, the one that the manual means. */
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
	CU_ASSERT_EQUAL(gsc_fence_translate(&p, &fence, 0, end, &(struct gsc_point){ 0 },
					    &(uint64_t){ 0 }, &err), GSC_UNKNOWN);
	CU_ASSERT_EQUAL(gsc_fence_translate(&p, &fence, 0, start - 1, &(struct gsc_point){ 0 },
					    &(uint64_t){ 0 }, &err), GSC_UNKNOWN);
	free(reached);
	gsc_view_free(view);
	gsc_db_free(db);
}

static void test_fences(void)
{
	check_fence("snb", 0x0011f01f00100001, 0x100000, 0x120000, 4096, 'X', 0);
	check_fence("snb", 0x0011f01f00100001, 0x100000, 0x120000, 4096, 'X', 1 << 9 | 1 << 10);
	check_fence("ivb", 0x0020f00700200003, 0x200000, 0x210000, 1024, 'Y', 0);
	check_fence("ilk", 0x001070000010003d, 0x100000, 0x108000, 2048, 'X', 1 << 9 | 1 << 10);
	check_fence("brw", 0x0010f0000010003f, 0x100000, 0x110000, 2048, 'Y', 0);
}

static void test_fence_problems(void)
{
	static const struct {
		uint64_t raw;
		const char *problem;
	} bad[] = {
		{ 0x0011f01c00100001, "not a multiple" },	/* T2: 29 * 128 bytes in X tiles */
		{ 0x0011f00000100001, "less than" },
		{ 0x000ff01f00100001, "ends before" },
	};
	struct gsc_platform p;
	struct gsc_fence fence;
	struct gsc_point at;
	struct gsc_view *view;
	struct gsc_error err;
	struct gsc_db *db;
	uint64_t offset;

	CU_ASSERT_FATAL(platform_of("snb", &p, &view, &db));
	for (size_t i = 0; i < 3; i++) {
		gsc_fence_decode(view, 0, bad[i].raw, &fence);
		CU_ASSERT_PTR_NOT_NULL(strstr(fence.problem, bad[i].problem));
		CU_ASSERT_EQUAL(gsc_fence_translate(&p, &fence, 0, 0x100000, &at, &offset, &err),
				GSC_USAGE);
	}
	gsc_fence_decode(view, 0, 0x0011f01f00100000, &fence);
	CU_ASSERT_EQUAL(gsc_fence_translate(&p, &fence, 0, 0x100000, &at, &offset, &err),
			GSC_UNKNOWN);
	gsc_view_free(view);
	gsc_db_free(db);
}

/* ---- rules ---------------------------------------------------------------------------------- */

static bool note_rule(void *context, const struct gsc_breach *breach)
{
	char *list = context;

	CU_ASSERT_PTR_NOT_NULL(breach->document);
	CU_ASSERT(*breach->where && *breach->text);
	strcat(strcat(list, breach->rule), " ");
	return true;
}

static const struct broken {
	const char *platform, *rules;
	enum gsc_tiling tiling;
	unsigned bits;
	uint64_t pitch, base, width, height, fence;
	enum gsc_client client;
} broken[] = {
	{ "snb", "", GSC_TILING_X, 32, 4096, 0x100000, 1000, 32, 0x0011f01f00100001, 0 },
	{ "snb", "", GSC_TILING_Y, 32, 4096, 0x1000, 1000, 32, 0, GSC_CLIENT_RENDER },
	{ "skl", "", GSC_TILING_Y, 32, 4096, 0x1000, 1000, 32, 0, GSC_CLIENT_DISPLAY },
	{ "ivb", "pitch-multiple ", GSC_TILING_X, 32, 4000, 0, 100, 8, 0, 0 },
	{ "ivb", "pitch-limit ", GSC_TILING_X, 32, 512 << 10, 0, 100, 8, 0, 0 },
	{ "snb", "pitch-limit ", GSC_TILING_X, 32, (128 << 10) + 512, 0, 100, 8, 0, 0 },
	{ "ivb", "", GSC_TILING_X, 32, 256 << 10, 0, 100, 8, 0, 0 },
	{ "g33", "pitch-limit ", GSC_TILING_X, 32, 16 << 10, 0, 100, 8, 0, 0 },
	{ "ivb", "blitter-pitch ", GSC_TILING_X, 32, 256 << 10, 0, 8, 8, 0, GSC_CLIENT_BLITTER },
	{ "ivb", "blitter-pitch ", GSC_TILING_LINEAR, 32, 64 << 10, 0, 8, 8, 0,
	  GSC_CLIENT_BLITTER },
	{ "tgl", "", GSC_TILING_LINEAR, 32, 64 << 10, 0, 8, 8, 0, GSC_CLIENT_BLITTER },
	{ "ivb", "width ", GSC_TILING_X, 32, 512, 0, 129, 8, 0, 0 },
	{ "ivb", "width ", GSC_TILING_X, 32, 512, 0, UINT64_MAX, 8, 0, 0 },
	{ "ivb", "base-alignment ", GSC_TILING_X, 32, 512, 0x800, 128, 8, 0, 0 },
	{ "skl", "base-alignment ", GSC_TILING_YS, 32, 512, 0x1000, 128, 8, 0, 0 },
	{ "bdw", "display-y ", GSC_TILING_Y, 32, 512, 0, 128, 8, 0, GSC_CLIENT_DISPLAY },
	{ "skl", "display-64k ", GSC_TILING_YS, 32, 512, 0, 128, 8, 0, GSC_CLIENT_DISPLAY },
	{ "ilk", "blitter-y ", GSC_TILING_Y, 32, 512, 0, 128, 8, 0, GSC_CLIENT_BLITTER },
	{ "snb", "", GSC_TILING_Y, 32, 512, 0, 128, 8, 0, GSC_CLIENT_BLITTER },
	{ "snb", "render-128 ", GSC_TILING_Y, 128, 512, 0, 8, 8, 0, GSC_CLIENT_RENDER },
	{ "ivb", "", GSC_TILING_Y, 128, 512, 0, 8, 8, 0, GSC_CLIENT_RENDER },
	{ "snb", "depth-y ", GSC_TILING_X, 32, 512, 0, 8, 8, 0, GSC_CLIENT_DEPTH },
	{ "snb", "stencil-w ", GSC_TILING_Y, 8, 512, 0, 8, 8, 0, GSC_CLIENT_STENCIL },
	{ "snb", "render-w ", GSC_TILING_W, 8, 512, 0, 8, 8, 0, GSC_CLIENT_RENDER },
	{ "icl", "null-tiles ", GSC_TILING_X, 8, 512, 0, 8, 8, 0, GSC_CLIENT_SPARSE },
	{ "snb", "fence-valid ", GSC_TILING_X, 32, 4096, 0x100000, 9, 8, 0x0011f01f00100000, 0 },
	{ "snb", "fence-walk ", GSC_TILING_Y, 32, 4096, 0x100000, 9, 8, 0x0011f01f00100001, 0 },
	{ "snb", "fence-walk ", GSC_TILING_W, 8, 4096, 0x100000, 9, 8, 0x0011f01f00100001, 0 },
	{ "snb", "", GSC_TILING_W, 8, 4096, 0x500000, 9, 8, 0x0011f01f00100001, 0 },
	{ "snb", "fence-inside ", GSC_TILING_Y, 8, 4096, 0x500000, 9, 8, 0x0011f01f00100001, 0 },
	{ "snb", "fence-reserved ", GSC_TILING_X, 32, 4096, 0x100000, 9, 8,
	  0x0011fc1f00100801, 0 },
	{ "snb", "fence-pitch ", GSC_TILING_X, 32, 2048, 0x100000, 9, 8, 0x0011f01f00100001, 0 },
	{ "snb", "fence-pitch fence-width ", GSC_TILING_X, 32, 8192, 0x100000, 1025, 8,
	  0x0011f01f00100001, 0 },
	{ "snb", "fence-row-start ", GSC_TILING_X, 32, 4096, 0x101000, 9, 8,
	  0x0011f01f00100001, 0 },
	{ "snb", "fence-inside ", GSC_TILING_X, 32, 4096, 0x100000, 9, 33, 0x0011f01f00100001, 0 },
	{ "snb", "fence-rows ", GSC_TILING_X, 32, 4096, 0x100000, 9, 8, 0x0011e01f00100001, 0 },
	{ "snb", "fence-sound ", GSC_TILING_X, 32, 4096, 0x100000, 9, 8, 0x0011f01c00100001, 0 },
	{ "vlv", "display-pitch ", GSC_TILING_X, 32, 32768, 0, 8, 8, 0, GSC_CLIENT_DISPLAY },
	{ "snb", "", GSC_TILING_X, 32, 32768, 0, 8, 8, 0, GSC_CLIENT_DISPLAY },
	{ "snb", "display-pitch ", GSC_TILING_LINEAR, 32, 32832, 0, 8, 8, 0, GSC_CLIENT_DISPLAY },
	{ "mtl", "", GSC_TILING_4, 32, 131072, 0, 8, 8, 0, GSC_CLIENT_DISPLAY },
	{ "snb", "display-rows ", GSC_TILING_LINEAR, 32, 4112, 0, 8, 8, 0, GSC_CLIENT_DISPLAY },
	{ "snb", "display-base ", GSC_TILING_LINEAR, 32, 4096, 64, 8, 8, 0, GSC_CLIENT_DISPLAY },
	{ "ivb", "sampler-w ", GSC_TILING_W, 8, 512, 0, 8, 8, 0, GSC_CLIENT_SAMPLER },
};

static void test_rules(void)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		const struct broken *b = &broken[i];
		struct gsc_platform p;
		struct gsc_fence fence;
		struct gsc_view *view;
		struct gsc_db *db;
		struct gsc_placement placement = {
			.surface = { b->tiling, b->bits, 1, 2, b->pitch, 0, 0 },
			.client = b->client,
			.has_base = true,
			.base = b->base,
			.width = b->width,
			.height = b->height,
			.fences = &fence,
			.fence_count = b->fence ? 1 : 0,
		};
		char rules[400] = "";

		CU_ASSERT_FATAL(platform_of(b->platform, &p, &view, &db));
		gsc_fence_decode(view, 0, b->fence, &fence);
		gsc_placement_check(&p, &placement, note_rule, rules);
		CU_ASSERT_STRING_EQUAL(rules, b->rules);
		gsc_view_free(view);
		gsc_db_free(db);
	}
}

SUITE(tile_copy, { "copies", test_copies }, { "slivers", test_slivers },
      { "streams", test_streams }, { "limits", test_copy_limits },
      { "fences", test_fences }, { "fences that cannot be", test_fence_problems },
      { "rules", test_rules })
