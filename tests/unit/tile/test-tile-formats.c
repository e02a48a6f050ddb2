/* SPDX-License-Identifier: MIT */
/* Sizes of the elements of surface formats: mesa isl_format_layout.csv, and no name missing. */
#include "source-helpers.h"
#include "test.h"
#include "tile/tile.h"

#include <string.h>

#define FORMATS 0x200			/* codes of a surface state */

static void test_sizes(void)
{
	static const struct {
		const char *name;
		unsigned bits, width, height;
	} sizes[] = {
		{ "R32G32B32A32_FLOAT", 128, 1, 1 }, { "R64G64_PASSTHRU", 128, 1, 1 },
		{ "R32_FLOAT_X8X24_TYPELESS", 64, 1, 1 }, { "X32_TYPELESS_G8X24_UINT", 64, 1, 1 },
		{ "R24_UNORM_X8_TYPELESS", 32, 1, 1 }, { "X24_TYPELESS_G8_UINT", 32, 1, 1 },
		{ "R10G10B10_SNORM_A2_UNORM", 32, 1, 1 }, { "R9G9B9E5_SHAREDEXP", 32, 1, 1 },
		{ "X8B8_UNORM_G8R8_SNORM", 32, 1, 1 }, { "A8X8_UNORM_G8R8_SNORM", 32, 1, 1 },
		{ "B8X8_UNORM_G8R8_SNORM", 32, 1, 1 }, { "R11G11B10_FLOAT", 32, 1, 1 },
		{ "B5G6R5_UNORM", 16, 1, 1 }, { "R5G5_SNORM_B6_UNORM", 16, 1, 1 },
		{ "YCRCB_NORMAL", 16, 1, 1 }, { "P8A8_UNORM_PALETTE1", 16, 1, 1 },
		{ "A4P4_UNORM_PALETTE1", 8, 1, 1 }, { "Y8_UNORM", 8, 1, 1 },
		{ "R1_UNORM", 1, 1, 1 }, { "MONO8", 1, 1, 1 }, { "P2_UNORM_PALETTE1", 2, 1, 1 },
		{ "R8G8B8_UNORM_SRGB", 24, 1, 1 }, { "R16G16B16_FLOAT", 48, 1, 1 },
		{ "R32G32B32_SFIXED", 96, 1, 1 }, { "R64G64B64_FLOAT", 192, 1, 1 },
		{ "R64G64B64A64_PASSTHRU", 256, 1, 1 }, { "bc1_unorm_srgb", 64, 4, 4 },
		{ "DXT1_RGB", 64, 4, 4 }, { "BC3_UNORM", 128, 4, 4 }, { "BC4_SNORM", 64, 4, 4 },
		{ "BC5_SNORM", 128, 4, 4 }, { "BC6H_UF16", 128, 4, 4 }, { "BC7_UNORM", 128, 4, 4 },
		{ "ETC1_RGB8", 64, 4, 4 }, { "ETC2_EAC_RGBA8", 128, 4, 4 },
		{ "EAC_SIGNED_R11", 64, 4, 4 }, { "EAC_RG11", 128, 4, 4 }, { "FXT1", 128, 8, 4 },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct gsc_format f = { 0 };

		CU_ASSERT_TRUE(format_by_name(sizes[i].name, &f));
		if (f.bits != sizes[i].bits || f.width != sizes[i].width ||
		    f.height != sizes[i].height)
			CU_FAIL("of another size");
	}
}

/*
 * Blocks of ASTC: what Intel's own table (gmmlib GmmFormatTable.h) has for their codes. A code with
 * bit 9 is of ASTC; bits 8:6 of the rest say of which kind, and below are the sides of a block.
 */
static void test_astc(void)
{
	static const struct {
		unsigned low, width, height;
	} blocks[] = {
		{ 0x00, 4, 4 }, { 0x08, 5, 4 }, { 0x09, 5, 5 }, { 0x11, 6, 5 }, { 0x12, 6, 6 },
		{ 0x21, 8, 5 }, { 0x22, 8, 6 }, { 0x24, 8, 8 }, { 0x31, 10, 5 }, { 0x32, 10, 6 },
		{ 0x34, 10, 8 }, { 0x36, 10, 10 }, { 0x3e, 12, 10 }, { 0x3f, 12, 12 },
	};
	static const unsigned kinds[] = { 0x200, 0x240, 0x340 };
	struct gsc_surface_state state;
	struct gsc_platform p;
	struct gsc_view *view;
	struct gsc_db *db;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, "skl", &p, &device, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, p.index, -1, NULL), GSC_OK);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks) * 3; i++) {
		uint32_t code = kinds[i % 3] | blocks[i / 3].low;
		uint32_t words[16] = { 1u << 29 | code << 18, 0, 63 << 16 | 99, 127 };

		CU_ASSERT_EQUAL_FATAL(gsc_surface_of_state(view, words, 16, &state, NULL), GSC_OK);
		CU_ASSERT_FALSE(strncmp(state.format, i % 3 < 2 ? "ASTC_LDR_2D" : "ASTC_HDR_2D",
					11));
		CU_ASSERT_EQUAL(state.element.bits, 128);
		CU_ASSERT_EQUAL(state.element.width, blocks[i / 3].width);
		CU_ASSERT_EQUAL(state.element.height, blocks[i / 3].height);
		CU_ASSERT_EQUAL(state.width, (100 + blocks[i / 3].width - 1) / blocks[i / 3].width);
	}
	gsc_view_free(view);
	gsc_db_free(db);
}

static void test_none(void)
{
	static const char *const none[] = { "", " ", "R8", "R8_UNOR", "R8_UNORM ", "8_UNORM",
					    "R8_UNORM R8_SNORM", "PLANAR_420_8", "RAW" };
	struct gsc_format f;

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		CU_ASSERT_FALSE(format_by_name(none[i], &f));
}

/* The name that a surface state of a platform has for a code, or "". */
static void name_of(const struct gsc_db *db, const struct gsc_view *view,
		    const struct gsc_item *item, uint32_t code, char *name, size_t size)
{
	uint32_t words[16] = { code << 18 };
	struct gsc_field_iter it;
	struct gsc_field f;

	*name = '\0';
	gsc_item_fields(db, view, item, words, 16, &it);
	while (gsc_field_next(&it, &f))
		if (!strcmp(f.name, "SURFACE_FORMAT") && f.text && strchr(f.text, '_'))
			snprintf(name, size, "%s", f.text);
}

static bool find_state(const struct gsc_db *db, unsigned platform, struct gsc_item *item)
{
	for (size_t i = 0; gsc_item_at(db, GSC_STRUCTURE, i, item); i++)
		if (!strcmp(item->name, "RENDER_SURFACE_STATE") &&
		    item->platforms >> platform & 1)
			return true;
	return false;
}

/* Whatever the definitions call a format has a size here. */
static void test_all(void)
{
	struct gsc_platform p;
	struct gsc_format format;
	struct gsc_item item;
	struct gsc_view *view;
	struct gsc_db *db;
	unsigned found = 0;
	char name[80];
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, "skl", &p, &device, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, p.index, -1, NULL), GSC_OK);
	CU_ASSERT_FATAL(find_state(db, p.index, &item));
	for (uint32_t code = 0; code < FORMATS; code++) {
		name_of(db, view, &item, code, name, sizeof(name));
		if (!*name || !strncmp(name, "PLANAR_", 7))
			continue;
		found++;
		if (!format_by_name(name, &format))
			CU_FAIL("a format without a size");
	}
	CU_ASSERT_TRUE(found > 200);
	gsc_view_free(view);
	gsc_db_free(db);
}

/* As pixels only what is unsigned, and has as many bits as the format. */
static void test_pixels(void)
{
	static const char *const none[] = {
		"R32_FLOAT", "R16_FLOAT", "R8_SNORM", "R8G8B8A8_SINT", "R16G16_UNORM", "R8G8_UNORM",
		"R11G11B10_FLOAT", "R9G9B9E5_SHAREDEXP", "L16_FLOAT", "I8_SINT",
		"A8X8_UNORM_G8R8_SNORM", "R24_UNORM_X8_TYPELESS", "BC1_UNORM", "R10G10B10A2_SNORM",
		"R10G10B10_SNORM_A2_UNORM",
	};
	static const char *const some[] = {
		"B8G8R8A8_UNORM", "R8G8B8A8_UINT", "R10G10B10A2_UNORM_SRGB", "A1B5G5R5_UNORM",
		"A4B4G4R4_UNORM", "L8A8_UNORM_SRGB", "L16A16_UNORM", "L8_UNORM", "I16_UNORM",
		"A16_UNORM", "R16_UINT",
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		CU_ASSERT_PTR_NULL(gsc_pixel_format_by_name(none[i]));
	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		const struct gsc_pixel_format *pixels = gsc_pixel_format_by_name(some[i]);
		struct gsc_format f;

		CU_ASSERT_FATAL(pixels && format_by_name(some[i], &f));
		CU_ASSERT_EQUAL(pixels->bits, f.bits);
	}
}

SUITE(tile_formats, { "sizes", test_sizes }, { "ASTC", test_astc }, { "none", test_none },
      { "all", test_all }, { "pixels", test_pixels })
