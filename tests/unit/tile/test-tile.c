/* SPDX-License-Identifier: MIT */
/* Orders of tiles compared with what manuals print, fences, swizzles and rules. */
#include "gpu-for.h"
#include "source-helpers.h"
#include "source/source.h"
#include "test.h"
#include "tile/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers -------------------------------------------------------------------------------- */

static struct gsc_surface surface_of(enum gsc_tiling tiling, unsigned bits, unsigned samples,
				     uint64_t pitch)
{
	return (struct gsc_surface){ .tiling = tiling, .bits = bits, .samples = samples,
				     .dimensions = 2, .pitch = pitch };
}

static bool layout_of(struct gsc_layout *l, const char *platform, struct gsc_surface s)
{
	struct gsc_platform p = platform_of(platform);
	struct gsc_error err;

	return !gsc_layout_init(l, &p, &s, &err);
}

static uint64_t offset_of(const struct gsc_layout *l, uint64_t x, uint64_t y, unsigned sample)
{
	struct gsc_point p = { .x = x, .y = y, .sample = sample };
	uint64_t offset = UINT64_MAX;

	CU_ASSERT_TRUE(gsc_layout_offset(l, &p, &offset));
	return offset;
}

/* ---- the printed tables --------------------------------------------------------------------- */

/* skl-vol5, the tables above the swizzling functions: bits 15 to 0, x a byte column. */
static const struct printed {
	enum gsc_tiling tiling;
	unsigned samples;
	unsigned bits[3];
	const char *columns;
} printed[] = {
	{ GSC_TILING_YS, 1, { 64, 128 },
	  "|x9|y5|x8|y4|x7|y3|x6|y2|x5|x4|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 1, { 16, 32 }, "|x8|y6|x7|y5|x6|y4|x5|y3|x4|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 1, { 8 }, "|x7|y7|x6|y6|x5|y5|x4|y4|y3|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 2, { 64, 128 },
	  "|ss0|y5|x8|y4|x7|y3|x6|y2|x5|x4|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 2, { 16, 32 }, "|ss0|y6|x7|y5|x6|y4|x5|y3|x4|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 2, { 8 }, "|ss0|y7|x6|y6|x5|y5|x4|y4|y3|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 4, { 64, 128 },
	  "|ss1|ss0|x8|y4|x7|y3|x6|y2|x5|x4|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 4, { 16, 32 },
	  "|ss1|ss0|x7|y5|x6|y4|x5|y3|x4|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 4, { 8 }, "|ss1|ss0|x6|y6|x5|y5|x4|y4|y3|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 8, { 64, 128 },
	  "|ss2|ss1|ss0|y4|x7|y3|x6|y2|x5|x4|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 8, { 16, 32 },
	  "|ss2|ss1|ss0|y5|x6|y4|x5|y3|x4|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 8, { 8 }, "|ss2|ss1|ss0|y6|x5|y5|x4|y4|y3|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 16, { 64, 128 },
	  "|ss3|ss2|ss1|ss0|x7|y3|x6|y2|x5|x4|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 16, { 16, 32 },
	  "|ss3|ss2|ss1|ss0|x6|y4|x5|y3|x4|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YS, 16, { 8 }, "|ss3|ss2|ss1|ss0|x5|y5|x4|y4|y3|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YF, 1, { 64, 128 }, "|x7|y3|x6|y2|x5|x4|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YF, 1, { 16, 32 }, "|x6|y4|x5|y3|x4|y2|y1|y0|x3|x2|x1|x0|" },
	{ GSC_TILING_YF, 1, { 8 }, "|x5|y5|x4|y4|y3|y2|y1|y0|x3|x2|x1|x0|" },
};

/* The place of a column of the table, as a number of that column. */
static bool take_column(const char **at, char *letter, unsigned *number)
{
	if (**at != '|' || !(*at)[1])
		return false;
	*letter = *++*at;
	*at += *letter == 's' ? 2 : 1;
	*number = (unsigned)strtoul(*at, (char **)at, 10);
	return true;
}

static void check_columns(const struct printed *t, unsigned bits)
{
	unsigned columns = 0, number, bytes = bits / 8;
	struct gsc_layout l;
	char letter;

	CU_ASSERT_FATAL(layout_of(&l, "skl", surface_of(t->tiling, bits, t->samples, 4096)));
	for (const char *at = t->columns; take_column(&at, &letter, &number);)
		columns++;
	CU_ASSERT_EQUAL(columns, l.tile_bits);
	for (const char *at = t->columns; take_column(&at, &letter, &number);) {
		uint64_t want = UINT64_C(1) << --columns, value = UINT64_C(1) << number, got = 0;
		struct gsc_point p = { 0 };

		if (letter == 'x') {
			p.x = value / bytes;
			p.byte = (unsigned)(value % bytes);
		} else if (letter == 'y') {
			p.y = value;
		} else {
			p.sample = (unsigned)value;
		}
		CU_ASSERT(gsc_layout_offset(&l, &p, &got));
		CU_ASSERT_EQUAL(got, want);
		gsc_layout_point(&l, want, &p);
		CU_ASSERT_EQUAL(letter == 'x'	? p.x * bytes + p.byte
				: letter == 'y' ? p.y
						: p.sample,
				value);
	}
}

static void test_printed(void)
{
	for (size_t i = 0; i < sizeof(printed) / sizeof(*printed); i++)
		for (const unsigned *bits = printed[i].bits; *bits; bits++)
			check_columns(&printed[i], *bits);
}

/* T7: tiles, in bytes, rows and slices; the later ones and depth as mesa isl_tiling_get_info. */
static const struct size {
	const char *platform;
	enum gsc_tiling tiling;
	unsigned bits, samples, width, height, depth;
} sizes[] = {
	{ "skl", GSC_TILING_X, 32, 1, 512, 8, 1 },
	{ "skl", GSC_TILING_Y, 32, 1, 128, 32, 1 },
	{ "skl", GSC_TILING_W, 8, 1, 64, 64, 1 },
	{ "skl", GSC_TILING_YF, 128, 1, 256, 16, 1 },
	{ "skl", GSC_TILING_YF, 16, 1, 128, 32, 1 },
	{ "skl", GSC_TILING_YF, 8, 1, 64, 64, 1 },
	{ "skl", GSC_TILING_YS, 64, 1, 1024, 64, 1 },
	{ "skl", GSC_TILING_YS, 32, 1, 512, 128, 1 },
	{ "skl", GSC_TILING_YS, 8, 1, 256, 256, 1 },
	{ "skl", GSC_TILING_YS, 8, 16, 64, 64, 1 },
	{ "dg2", GSC_TILING_4, 32, 1, 128, 32, 1 },
	{ "dg2", GSC_TILING_64, 128, 1, 1024, 64, 1 },
	{ "dg2", GSC_TILING_64, 32, 1, 512, 128, 1 },
	{ "dg2", GSC_TILING_64, 8, 1, 256, 256, 1 },
	{ "dg2", GSC_TILING_64, 64, 2, 512, 64, 1 },
	{ "dg2", GSC_TILING_64, 16, 2, 256, 128, 1 },
	{ "dg2", GSC_TILING_64, 8, 4, 128, 128, 1 },
	{ "lnl", GSC_TILING_64, 128, 2, 1024, 32, 1 },
	{ "lnl", GSC_TILING_64, 64, 2, 512, 64, 1 },
	{ "lnl", GSC_TILING_64, 8, 2, 128, 256, 1 },
	{ "lnl", GSC_TILING_64, 32, 8, 256, 32, 1 },
	{ "lnl", GSC_TILING_64, 16, 8, 128, 64, 1 },
	{ "lnl", GSC_TILING_64, 128, 16, 256, 16, 1 },
	{ "lnl", GSC_TILING_64, 64, 16, 128, 32, 1 },
	{ "lnl", GSC_TILING_64, 8, 16, 64, 64, 1 },
	{ "skl", GSC_TILING_YF, 8, 1, 16, 16, 16 },
	{ "skl", GSC_TILING_YF, 32, 1, 32, 16, 8 },
	{ "skl", GSC_TILING_YF, 128, 1, 64, 8, 8 },
	{ "skl", GSC_TILING_YS, 8, 1, 64, 32, 32 },
	{ "skl", GSC_TILING_YS, 16, 1, 64, 32, 32 },
	{ "skl", GSC_TILING_YS, 32, 1, 128, 32, 16 },
	{ "skl", GSC_TILING_YS, 64, 1, 256, 16, 16 },
	{ "skl", GSC_TILING_YS, 128, 1, 256, 16, 16 },
	{ "dg2", GSC_TILING_64, 8, 1, 64, 32, 32 },
	{ "dg2", GSC_TILING_64, 32, 1, 128, 32, 16 },
	{ "dg2", GSC_TILING_64, 128, 1, 256, 16, 16 },
	{ "lnl", GSC_TILING_64, 16, 1, 64, 32, 32 },
	{ "lnl", GSC_TILING_64, 64, 1, 256, 16, 16 },
};

/* Only the number of rows gives the place of what follows the first slices of tiles. */
static void check_slices(struct gsc_layout *l)
{
	struct gsc_point p = { .x = 5, .y = 6, .z = l->depth + 3 }, back;
	uint64_t offset;

	CU_ASSERT_FALSE(gsc_layout_offset(l, &p, &offset));
	l->surface.rows = 100;
	CU_ASSERT_TRUE(gsc_layout_offset(l, &p, &offset));
	CU_ASSERT_TRUE(offset >= gsc_layout_bytes(l, 100));
	gsc_layout_point(l, offset, &back);
	CU_ASSERT_TRUE(back.x == p.x && back.y == p.y && back.z == p.z);
}

static void test_sizes(void)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const struct size *size = &sizes[i];
		struct gsc_surface s = surface_of(size->tiling, size->bits, size->samples, 4096);
		struct gsc_layout l;

		s.dimensions = size->depth > 1 ? 3 : 2;
		CU_ASSERT_FATAL(layout_of(&l, size->platform, s));
		CU_ASSERT_EQUAL(l.width, size->width);
		CU_ASSERT_EQUAL(l.height, size->height);
		CU_ASSERT_EQUAL(l.depth, size->depth);
		CU_ASSERT_EQUAL(l.width * l.height * l.depth * size->samples, 1u << l.tile_bits);
		if (l.depth > 1)
			check_slices(&l);
	}
}

/* ---- slowly, from the text of the manual ---------------------------------------------------- */

/* skl-vol5, Tiling Algorithm: x in bytes. */
static uint64_t slow_offset(enum gsc_tiling tiling, uint64_t pitch, uint64_t x, uint64_t y)
{
	uint64_t tile_h = tiling == GSC_TILING_X ? 8 : tiling == GSC_TILING_Y ? 32 : 64;
	uint64_t tile_w = 4096 / tile_h;
	uint64_t yo = y % tile_h, xo = x % tile_w;
	uint64_t tiles = pitch / tile_w * tile_h * tile_w * (y / tile_h) +
			 tile_h * tile_w * (x / tile_w);

	if (tiling == GSC_TILING_X)
		return tiles + tile_w * yo + xo;
	if (tiling == GSC_TILING_Y)
		return tiles + tile_h * 16 * (xo / 16) + yo * 16 + xo % 16;
	return tiles + tile_h * 8 * (xo / 8) + 64 * (yo / 8) + 32 * (yo / 4 % 2) +
	       16 * (xo / 4 % 2) + 8 * (yo / 2 % 2) + 4 * (xo / 2 % 2) + 2 * (yo % 2) + xo % 2;
}

static void test_slow(void)
{
	static const enum gsc_tiling tilings[] = { GSC_TILING_X, GSC_TILING_Y, GSC_TILING_W };

	for (size_t t = 0; t < 3; t++) {
		struct gsc_layout l;

		CU_ASSERT_FATAL(layout_of(&l, "ivb", surface_of(tilings[t], 8, 1, 1536)));
		for (uint64_t y = 0; y < 130; y++)
			for (uint64_t x = 0; x < 1536; x++)
				if (offset_of(&l, x, y, 0) != slow_offset(tilings[t], 1536, x, y))
					CU_FAIL("not as the manual says");
	}
}

/* mesa isl_tiled_memcpy.c linear_to_tile4: the cells of 16 bytes and 4 rows as it draws them. */
static void test_tile4(void)
{
	static const unsigned cells[8][8] = {
		{ 0, 1, 2, 3, 8, 9, 10, 11 },	  { 4, 5, 6, 7, 12, 13, 14, 15 },
		{ 16, 17, 18, 19, 24, 25, 26, 27 }, { 20, 21, 22, 23, 28, 29, 30, 31 },
		{ 32, 33, 34, 35, 40, 41, 42, 43 }, { 36, 37, 38, 39, 44, 45, 46, 47 },
		{ 48, 49, 50, 51, 56, 57, 58, 59 }, { 52, 53, 54, 55, 60, 61, 62, 63 },
	};
	struct gsc_layout l;

	CU_ASSERT_FATAL(layout_of(&l, "mtl", surface_of(GSC_TILING_4, 8, 1, 256)));
	for (unsigned y = 0; y < 64; y++)
		for (unsigned x = 0; x < 256; x++)
			if (offset_of(&l, x, y, 0) != (y / 32 * 2 + x / 128) * 4096 +
							      cells[y % 32 / 4][x % 128 / 16] * 64 +
							      y % 4 * 16 + x % 16)
				CU_FAIL("not as it is drawn");
}

/* ---- back again ----------------------------------------------------------------------------- */

static void check_inverse(const struct gsc_layout *l, uint32_t *seed)
{
	uint64_t wide = l->surface.pitch / (l->surface.bits / 8);

	for (unsigned i = 0; i < 200; i++) {
		struct gsc_point p = { .x = next_random(seed) % wide,
				       .y = next_random(seed) % 100000,
				       .sample = (unsigned)(next_random(seed) % l->surface.samples),
				       .byte = (unsigned)(next_random(seed) % (l->surface.bits / 8)) };
		struct gsc_point back;
		uint64_t offset = 0;

		CU_ASSERT(gsc_layout_offset(l, &p, &offset));
		gsc_layout_point(l, offset, &back);
		CU_ASSERT(back.x == p.x && back.y == p.y && back.z == p.z &&
			  back.sample == p.sample && back.byte == p.byte);
	}
}

static void test_inverse(void)
{
	static const char *const platforms[] = { "ilk", "skl", "icl", "dg2", "bmg" };
	static const uint32_t swizzles[] = { 0, 1 << 9, 1 << 9 | 1 << 10, 1 << 9 | 1 << 17 };
	uint32_t seed = 2463534242;
	unsigned tried = 0;

	for (unsigned i = 0; i < 5 * GSC_TILINGS * 5 * 5 * 4; i++) {
		struct gsc_surface s = surface_of((enum gsc_tiling)(i / 5 % GSC_TILINGS),
						  8u << i / 5 / GSC_TILINGS % 5,
						  1u << i / 25 / GSC_TILINGS % 5, 1 << 14);
		struct gsc_layout l;

		s.swizzle = swizzles[i / 125 / GSC_TILINGS];
		if (!layout_of(&l, platforms[i % 5], s))
			continue;
		tried++;
		l.surface.rows = 100000;
		check_inverse(&l, &seed);
	}
	CU_ASSERT_TRUE(tried > 300);
}

static void test_hostile(void)
{
	struct gsc_surface s = surface_of(GSC_TILING_YS, 32, 1, 512);
	struct gsc_point p = { .x = 1, .y = UINT64_MAX };
	struct gsc_layout l;
	uint64_t offset;

	CU_ASSERT_FALSE(layout_of(&l, "skl", surface_of(GSC_TILING_Y, 32, 1, 0)));
	CU_ASSERT_FALSE(layout_of(&l, "skl", surface_of(GSC_TILING_Y, 32, 1, 127)));
	CU_ASSERT_FALSE(layout_of(&l, "skl", surface_of(GSC_TILING_Y, 40, 1, 128)));
	CU_ASSERT_FALSE(layout_of(&l, "skl", surface_of(GSC_TILING_Y, 0, 1, 128)));
	CU_ASSERT_FALSE(layout_of(&l, "skl", surface_of(GSC_TILING_YS, 32, 3, 512)));
	CU_ASSERT_FALSE(layout_of(&l, "skl", surface_of(GSC_TILING_Y, 32, 4, 128)));
	CU_ASSERT_FALSE(layout_of(&l, "skl", surface_of(GSC_TILING_W, 16, 1, 128)));
	CU_ASSERT_FALSE(layout_of(&l, "skl", surface_of((enum gsc_tiling)99, 8, 1, 128)));
	/* T8, T10: what a platform does not have, or nobody describes. */
	CU_ASSERT_FALSE(layout_of(&l, "icl", surface_of(GSC_TILING_YF, 32, 1, 512)));
	CU_ASSERT_FALSE(layout_of(&l, "bdw", surface_of(GSC_TILING_YS, 32, 1, 512)));
	CU_ASSERT_FALSE(layout_of(&l, "skl", surface_of(GSC_TILING_YF, 32, 2, 512)));
	CU_ASSERT_FALSE(layout_of(&l, "brw", surface_of(GSC_TILING_W, 8, 1, 64)));
	CU_ASSERT_FALSE(layout_of(&l, "tgl", surface_of(GSC_TILING_W, 8, 1, 64)));
	CU_ASSERT_FALSE(layout_of(&l, "dg2", surface_of(GSC_TILING_Y, 32, 1, 512)));
	CU_ASSERT_FATAL(layout_of(&l, "dg2", surface_of(GSC_TILING_64, 32, 8, 4096)));
	CU_ASSERT_FALSE(gsc_layout_offset(&l, &(struct gsc_point){ .sample = 4 }, &offset));
	CU_ASSERT_FATAL(layout_of(&l, "skl", surface_of(GSC_TILING_Y, 32, 1, UINT64_C(1) << 63)));
	CU_ASSERT_FALSE(gsc_layout_offset(&l, &p, &offset));
	CU_ASSERT_EQUAL(gsc_layout_bytes(&l, UINT64_MAX), UINT64_MAX);
	p = (struct gsc_point){ .x = UINT64_MAX };
	CU_ASSERT_FALSE(gsc_layout_offset(&l, &p, &offset));
	p = (struct gsc_point){ .sample = 1 };
	CU_ASSERT_FALSE(gsc_layout_offset(&l, &p, &offset));
	gsc_layout_point(&l, UINT64_MAX, &p);
	/* Rows of a slice are not those of the next. */
	s.dimensions = 3;
	CU_ASSERT_FATAL(layout_of(&l, "skl", s));
	p = (struct gsc_point){ .x = 1, .y = 64 };
	CU_ASSERT_TRUE(gsc_layout_offset(&l, &p, &offset));
	l.surface.rows = 64;
	CU_ASSERT_FALSE(gsc_layout_offset(&l, &p, &offset));
}

/* ---- swizzles ------------------------------------------------------------------------------- */

/* T3: its own inverse, and the upper half of 128 bytes for an odd number of bits. */
static void test_swizzle(void)
{
	struct gsc_surface s = surface_of(GSC_TILING_X, 8, 1, 512);
	struct gsc_layout plain, swizzled;
	uint32_t named;

	CU_ASSERT_FATAL(layout_of(&plain, "snb", s));
	CU_ASSERT_FATAL(gsc_swizzle_by_name("9_10", &s.swizzle));
	CU_ASSERT_FATAL(layout_of(&swizzled, "snb", s));
	for (uint64_t y = 0; y < 64; y++)
		for (uint64_t x = 0; x < 512; x++) {
			uint64_t a = offset_of(&plain, x, y, 0);

			if (offset_of(&swizzled, x, y, 0) !=
			    (a / 128 * 128 + 64 * ((a >> 6 ^ a >> 9 ^ a >> 10) & 1) + a % 64))
				CU_FAIL("not as corrected");
		}
	CU_ASSERT_STRING_EQUAL(gsc_swizzle_name(1 << 9 | 1 << 17), "9/17");
	CU_ASSERT_PTR_NULL(gsc_swizzle_name(1 << 8));
	CU_ASSERT_FALSE(gsc_swizzle_by_name("8", &named));
}


static void check_found(const char *platform, const char *lines, enum gsc_tiling tiling,
			bool known, uint32_t wanted)
{
	char *path = lines ? temporary_file(lines, strlen(lines)) : NULL, why[160];
	struct gsc_source *source = path ? open_spec("%s", path, platform) : NULL;
	struct gsc_platform p;
	struct gsc_view *view;
	struct gsc_db *db;
	uint32_t swizzle = 1;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, platform, &p, &device, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, p.index, -1, NULL), GSC_OK);
	CU_ASSERT_EQUAL(gsc_swizzle_find(gpu_for(source, view), tiling, &swizzle, why,
					 sizeof(why)), known);
	CU_ASSERT_EQUAL(swizzle, wanted);
	gsc_source_close(source);
	gsc_view_free(view);
	gsc_db_free(db);
	if (path)
		drop_file(path);
}

/* T4 */
static void test_swizzle_found(void)
{
	const uint32_t b9 = 1 << 9, b10 = 1 << 10, b11 = 1 << 11, b17 = 1 << 17;

	check_found("skl", NULL, GSC_TILING_X, true, 0);
	check_found("vlv", NULL, GSC_TILING_X, true, 0);
	check_found("ilk", NULL, GSC_TILING_X, true, b9 | b10);
	check_found("ilk", NULL, GSC_TILING_Y, true, b9);
	check_found("ilk", NULL, GSC_TILING_W, true, b9);
	check_found("snb", NULL, GSC_TILING_X, false, 0);
	check_found("snb", "0x45000 0x2000\n", GSC_TILING_X, true, b9 | b10);
	check_found("snb", "0x45000 0x2000\n", GSC_TILING_Y, true, b9);
	check_found("snb", "0x45000 0\n", GSC_TILING_Y, true, 0);
	check_found("snb", "0x45000 0x2000\n0x101000 1\n0x4030 0x10\n", GSC_TILING_Y, true, b9);
	check_found("ivb", "0x45000 0x2000\n0x101000 1\n0x4030 0x20\n", GSC_TILING_X, true,
		    b9 | b10);
	check_found("ivb", "0x45000 0x2000\n0x101000 0\n", GSC_TILING_X, false, 0);
	check_found("ivb", "0x45000 0x2000\n0x4030 0x10\n", GSC_TILING_X, false, 0);
	check_found("crl", NULL, GSC_TILING_X, false, 0);
	check_found("ctg", "0x10200 0x1\n0x10204 0x100000\n", GSC_TILING_X, true, 0);
	check_found("ctg", "0x10200 0x1\n", GSC_TILING_X, false, 0);
	check_found("ctg", "0x10200 0xffffffff\n0x10204 0x100000\n", GSC_TILING_X, false, 0);
	check_found("ctg", "0x10200 0x402\n0x10204 0x100000\n", GSC_TILING_X, true, b9 | b10);
	check_found("ctg", "0x10200 0x2\n0x10204 0x100000\n", GSC_TILING_X, true, b9 | b10 | b11);
	check_found("ctg", "0x10200 0x202\n0x10204 0x100000\n", GSC_TILING_Y, true, b9 | b17);
	check_found("ctg", "0x10200 0x202\n0x10204 0\n", GSC_TILING_Y, false, 0);
}

SUITE(tile, { "printed tables", test_printed }, { "sizes", test_sizes },
      { "the manual's algorithm", test_slow }, { "Tile4 as drawn", test_tile4 },
      { "inverse", test_inverse }, { "hostile", test_hostile }, { "swizzle", test_swizzle },
      { "swizzle found", test_swizzle_found })
