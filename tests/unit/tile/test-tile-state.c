/* SPDX-License-Identifier: MIT */
/*
 * Surface states of every generation: their words as in mesa's genxml, their meaning as
 * isl_surface_state.c fills them.
 */
#include "source-helpers.h"
#include "test.h"
#include "tile/tile.h"

#include <string.h>

#define TYPE(n) ((n) << 29)
#define FORMAT(n) ((n) << 18)
#define B8G8R8A8 FORMAT(0xc0)
#define TYPE_2D TYPE(1u)
/* Until Gen6, and since Gen7. */
#define OLD_SIZE(w, h) (((h) - 1) << 19 | ((w) - 1) << 6)
#define OLD_PITCH(n) (((n) - 1) << 3)
#define SIZE(w, h) (((h) - 1) << 16 | ((w) - 1))
#define PITCH(n) ((n) - 1)
#define DEPTH(n) (((n) - 1u) << 21)
#define MODE(n) ((n) << 12)
#define FIRST(n) ((n) << 18)
#define SAMPLES(log) ((log) << 3)

static const struct {
	const char *platform;
	uint32_t words[16];
	struct gsc_surface_state want;
} states[] = {
	/* A flag and a walk in dword 3; no offsets, no levels apart. */
	{ "brw", { TYPE_2D | B8G8R8A8, 0x100000, OLD_SIZE(100, 64), OLD_PITCH(512) | 3 },
	  { .surface = { GSC_TILING_Y, 32, 1, 2, 512, 64, 0 }, .type = "2D", .base = 0x100000,
	    .width = 100, .height = 64, .slices = 1, .samples = 1, .layers = 1 } },
	/* Offsets count four elements and two rows. */
	{ "ilk", { TYPE_2D | B8G8R8A8, 0x200000, OLD_SIZE(100, 64), OLD_PITCH(512) | 2, 0,
		   3 << 25 | 2 << 20 },
	  { .surface = { GSC_TILING_X, 32, 1, 2, 512, 64, 0 }, .type = "2D", .base = 0x200000,
	    .width = 100, .height = 64, .x = 12, .y = 4, .slices = 1, .samples = 1, .layers = 1 } },
	/* Four samples make an element two by two. */
	{ "snb", { TYPE_2D | B8G8R8A8, 0x100000, OLD_SIZE(99, 63), OLD_PITCH(1024) | 3, 2 << 4 },
	  { .surface = { GSC_TILING_Y, 32, 1, 2, 1024, 128, 0 }, .type = "2D", .base = 0x100000,
	    .width = 200, .height = 128, .slices = 1, .samples = 4, .layers = 1,
	    .side_by_side = true } },
	/* The flag in dword 0; four samples are as many slices, and nobody says where. */
	{ "ivb", { TYPE_2D | B8G8R8A8 | 1 << 14, 0x100000, SIZE(100, 64), PITCH(512) | DEPTH(2),
		   FIRST(3) | SAMPLES(2), 1 << 25 | 1 << 20 },
	  { .surface = { GSC_TILING_X, 32, 1, 2, 512, 64, 0 }, .type = "2D", .base = 0x100000,
	    .width = 100, .height = 64, .x = 4, .y = 2, .slices = 2, .samples = 4, .layers = 4,
	    .note_count = 1 } },
	{ "hsw", { TYPE_2D | B8G8R8A8 | 1 << 14 | 1 << 13, 0x100000, SIZE(99, 63), PITCH(1024),
		   SAMPLES(3) | 1 << 6 },
	  { .surface = { GSC_TILING_Y, 32, 1, 2, 1024, 128, 0 }, .type = "2D", .base = 0x100000,
	    .width = 400, .height = 128, .slices = 1, .samples = 8, .layers = 1,
	    .side_by_side = true } },
	/* A mode, and an address of 64 bits; the distance of slices is in pixels. */
	{ "bdw", { TYPE_2D | FORMAT(0x186) | MODE(3), 64 / 4, SIZE(101, 62), PITCH(256) | DEPTH(4),
		   FIRST(2), 2 << 25 | 1 << 21, 0, 0, 0x100000, 1 },
	  { .surface = { GSC_TILING_Y, 64, 1, 2, 256, 16, 0 }, .type = "2D", .base = 0x100100000,
	    .width = 26, .height = 16, .x = 2, .y = 1, .slices = 4, .first = 2, .apart = 16,
	    .samples = 1, .layers = 1 } },
	/* In elements since Gen9. */
	{ "skl", { TYPE_2D | FORMAT(0x186) | MODE(3), 64 / 4, SIZE(101, 62), PITCH(256) | DEPTH(4),
		   0, 1 << 18, 0, 0, 0x100000 },
	  { .surface = { GSC_TILING_YF, 64, 1, 2, 256, 64, 0 }, .type = "2D", .base = 0x100000,
	    .width = 26, .height = 16, .slices = 4, .apart = 64, .samples = 1, .layers = 1 } },
	/* Tiles with depth have no array to skip. */
	{ "skl", { TYPE(2u) | B8G8R8A8 | MODE(3), 128 / 4, SIZE(64, 64), PITCH(1024) | DEPTH(32),
		   FIRST(5), 2 << 18, 0, 0, 0x100000 },
	  { .surface = { GSC_TILING_YS, 32, 1, 3, 1024, 128, 0 }, .type = "3D", .base = 0x100000,
	    .width = 64, .height = 64, .slices = 32, .apart = 128, .samples = 1, .layers = 1,
	    .note_count = 1 } },
	{ "kbl", { TYPE(3u) | B8G8R8A8 | MODE(3), 64 / 4, SIZE(64, 64), PITCH(1024) | DEPTH(2),
		   FIRST(3), 0, 0, 0, 0x100000 },
	  { .surface = { GSC_TILING_Y, 32, 1, 2, 1024, 64, 0 }, .type = "CUBE", .base = 0x100000,
	    .width = 64, .height = 64, .slices = 12, .first = 3, .apart = 64, .samples = 1,
	    .layers = 1 } },
	/* For stencil two rows make the pitch. */
	{ "icl", { TYPE_2D | FORMAT(0x143) | MODE(1), 0, SIZE(64, 64), PITCH(128), 0, 0, 0, 0,
		   0x100000 },
	  { .surface = { GSC_TILING_W, 8, 1, 2, 64, 64, 0 }, .type = "2D", .base = 0x100000,
	    .width = 64, .height = 64, .slices = 1, .samples = 1, .layers = 1 } },
	/* A tile of 64 KB holds the samples. */
	{ "tgl", { TYPE_2D | B8G8R8A8 | MODE(3), 0, SIZE(64, 64), PITCH(1024), SAMPLES(3), 2 << 18,
		   5, 0, 0x100000 },
	  { .surface = { GSC_TILING_YS, 32, 8, 2, 1024, 64, 0 }, .type = "2D", .base = 0x100000,
	    .width = 64, .height = 64, .slices = 1, .samples = 8, .layers = 1, .note_count = 1 } },
	/* Other modes, and no more than four samples in a tile before Xe2. */
	{ "dg2", { TYPE_2D | B8G8R8A8 | MODE(1), 64 / 4, SIZE(64, 64), PITCH(1024), SAMPLES(3), 0,
		   0, 0, 0x100000 },
	  { .surface = { GSC_TILING_64, 32, 4, 2, 1024, 64, 0 }, .type = "2D", .base = 0x100000,
	    .width = 64, .height = 64, .slices = 1, .apart = 64, .samples = 8, .layers = 2 } },
	{ "mtl", { TYPE_2D | B8G8R8A8 | MODE(3), 0, SIZE(64, 64), PITCH(1024), 0, 0, 0, 0,
		   0x100000 },
	  { .surface = { GSC_TILING_4, 32, 1, 2, 1024, 64, 0 }, .type = "2D", .base = 0x100000,
	    .width = 64, .height = 64, .slices = 1, .samples = 1, .layers = 1 } },
	{ "lnl", { TYPE_2D | B8G8R8A8 | MODE(1), 64 / 4, SIZE(64, 64), PITCH(1024), SAMPLES(3), 0,
		   0, 0, 0x100000 },
	  { .surface = { GSC_TILING_64, 32, 8, 2, 1024, 64, 0 }, .type = "2D", .base = 0x100000,
	    .width = 64, .height = 64, .slices = 1, .apart = 64, .samples = 8, .layers = 1 } },
};

struct seen {
	struct gsc_db *db;
	struct gsc_view *view;
};

static struct seen see(const char *platform)
{
	struct gsc_platform p;
	struct seen s;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&s.db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(s.db, platform, &p, &device, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&s.view, s.db, p.index, -1, NULL), GSC_OK);
	return s;
}

static void unsee(struct seen *s)
{
	gsc_view_free(s->view);
	gsc_db_free(s->db);
}

static void check_state(const struct gsc_surface_state *got, const struct gsc_surface_state *want)
{
	CU_ASSERT_EQUAL(got->surface.tiling, want->surface.tiling);
	CU_ASSERT_EQUAL(got->surface.bits, want->surface.bits);
	CU_ASSERT_EQUAL(got->surface.samples, want->surface.samples);
	CU_ASSERT_EQUAL(got->surface.dimensions, want->surface.dimensions);
	CU_ASSERT_EQUAL(got->surface.pitch, want->surface.pitch);
	CU_ASSERT_EQUAL(got->surface.rows, want->surface.rows);
	CU_ASSERT_STRING_EQUAL(got->type, want->type);
	CU_ASSERT_EQUAL(got->base, want->base);
	CU_ASSERT_EQUAL(got->width, want->width);
	CU_ASSERT_EQUAL(got->height, want->height);
	CU_ASSERT_EQUAL(got->x, want->x);
	CU_ASSERT_EQUAL(got->y, want->y);
	CU_ASSERT_EQUAL(got->slices, want->slices);
	CU_ASSERT_EQUAL(got->first, want->first);
	CU_ASSERT_EQUAL(got->apart, want->apart);
	CU_ASSERT_EQUAL(got->samples, want->samples);
	CU_ASSERT_EQUAL(got->layers, want->layers);
	CU_ASSERT_EQUAL(got->side_by_side, want->side_by_side);
	CU_ASSERT_EQUAL(got->note_count, want->note_count);
}

static void test_states(void)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		struct seen s = see(states[i].platform);
		struct gsc_surface_state got;
		struct gsc_error err;

		CU_ASSERT_EQUAL(gsc_surface_of_state(s.view, states[i].words, 16, &got, &err),
				GSC_OK);
		check_state(&got, &states[i].want);
		unsee(&s);
	}
}

static void test_sizes(void)
{
	static const struct {
		const char *platform;
		size_t size;
		unsigned step;
	} sizes[] = {
		{ "snb", 24, 32 }, { "ivb", 32, 32 }, { "bdw", 64, 64 }, { "lnl", 64, 64 },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct seen s = see(sizes[i].platform);
		unsigned step = 0;

		CU_ASSERT_EQUAL(gsc_surface_state_size(s.view, &step), sizes[i].size);
		CU_ASSERT_EQUAL(step, sizes[i].step);
		unsee(&s);
	}
}

static void test_none(void)
{
	static const struct {
		uint32_t words[16];
		size_t count;
		enum gsc_status status;
		const char *why;
	} none[] = {
		{ { 0 }, 16, GSC_FAILED, "all zero" },
		{ { TYPE(7u) }, 16, GSC_FAILED, "SURFTYPE_NULL, which has no rows" },
		{ { TYPE(4u) | FORMAT(0xc0) }, 16, GSC_FAILED, "SURFTYPE_BUFFER, which" },
		{ { TYPE_2D | B8G8R8A8, 0, 0, 0, SAMPLES(7) }, 16, GSC_FAILED, "128 samples" },
		{ { TYPE_2D | B8G8R8A8 }, 15, GSC_USAGE, "has 16 words, but 15" },
	};
	struct seen s = see("skl");
	struct gsc_surface_state got;
	struct gsc_error err;

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		CU_ASSERT_EQUAL(gsc_surface_of_state(s.view, none[i].words, none[i].count, &got,
						     &err), none[i].status);
		CU_ASSERT_PTR_NOT_NULL(strstr(err.why, none[i].why));
	}
	unsee(&s);
}

/* RAW has no elements of one size: the rest is given in pixels. */
static void test_unknown_format(void)
{
	static const uint32_t words[16] = { TYPE_2D | FORMAT(0x1ffu), 0, SIZE(64, 32), PITCH(256) };
	struct seen s = see("skl");
	struct gsc_surface_state got;
	struct gsc_error err;

	CU_ASSERT_EQUAL(gsc_surface_of_state(s.view, words, 16, &got, &err), GSC_OK);
	CU_ASSERT_STRING_EQUAL(got.format, "RAW");
	CU_ASSERT_EQUAL(got.surface.bits, 0);
	CU_ASSERT_EQUAL(got.width, 64);
	unsee(&s);
}

/* Halves are exchanged only if bit 17 of the address is set, and in whole pairs. */
static void test_bit_17(void)
{
	uint8_t bytes[300], want[300];

	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = (uint8_t)(i / 64);
		want[i] = (uint8_t)(i < 256 ? i / 64 ^ 1 : i / 64);
	}
	gsc_swizzle_17(0x1ffff, bytes, sizeof(bytes));
	CU_ASSERT_EQUAL(bytes[64], 1);
	gsc_swizzle_17(0x20000, bytes, sizeof(bytes));
	CU_ASSERT_FALSE(memcmp(bytes, want, sizeof(bytes)));
	gsc_swizzle_17(0x20000, bytes, 100);
	CU_ASSERT_FALSE(memcmp(bytes, want, sizeof(bytes)));
}

SUITE(tile_state, { "states", test_states }, { "sizes", test_sizes }, { "none", test_none },
      { "unknown format", test_unknown_format }, { "bit 17", test_bit_17 })
