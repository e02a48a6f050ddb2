/* SPDX-License-Identifier: MIT */
/* Reports of the observation unit. */
#include "image-helpers.h"
#include "test.h"

#include <string.h>

/* Dword n of the memory is 0x1000 + n: each field must come from its own. */
static void test_oa_layouts(void)
{
	static const struct {
		const char *platform, *format, *part, *field;
		size_t size;
		unsigned dword;
	} layouts[] = {
		{ "snb", "A13", "OA_REPORT_A13", "A4_VERTEX_SHADER_CORE_STALL", 64, 3 },
		{ "snb", "a29", "OA_REPORT_A29", "A21_PIXEL_KILL_COUNT", 128, 31 },
		{ "snb", "OA_REPORT_A13_B4_C12", "OA_REPORT_A13_B4_C12", "C11", 128, 31 },
		{ "snb", "A29_B4_C12", "OA_REPORT_A29_B4_C12", "B0", 192, 32 },
		{ "snb", "C12", "OA_REPORT_C12", "INST_ADD", 64, 3 },
		{ "hsw", "A45_B8_C8", "OA_REPORT_A45_B8_C8", "C7", 256, 63 },
		{ "hsw", "B4_C8", "OA_REPORT_B4_C8", "RPT_ID", 64, 0 },
		{ "skl", "A36_B8_C8", "OA_REPORT_A36_B8_C8", "B0", 256, 48 },
		{ "skl", "A32u40_A4u32_B8_C8", "OA_REPORT_A36_B8_C8", "GPU_TICKS", 256, 3 },
		{ "tgl", "C4_B8", "OA_REPORT_C4_B8", "B7", 64, 15 },
		{ "dg2", "A24u40_A14u32_B8_C8", "OA_REPORT_A24U40_A14U32_B8_C8", "A23_LOW", 256,
		  27 },
	};

	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		struct bench *b = bench_new(layouts[i].platform);
		struct gsc_image_part part;

		for (unsigned n = 0; n < 512; n++)
			b->words[n] = 0x1000 + n;
		decode(b, GSC_IMAGE_OA, layouts[i].format, 3 * layouts[i].size);
		CU_ASSERT_EQUAL(parts_of(b, layouts[i].part), 3);
		for (unsigned n = 0; n < 3; n++)
			CU_ASSERT_EQUAL(field_of(b, layouts[i].part, (int)n, layouts[i].field),
					0x1000 + n * layouts[i].size / 4 + layouts[i].dword);
		part_of(b, layouts[i].part, 2, &part);
		CU_ASSERT_EQUAL(part.offset, 2 * layouts[i].size);
		bench_free(b);
	}
}

static void test_oa_choice(void)
{
	struct bench *b = bench_new("snb");

	b->words[16] = 1;
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_OA, NULL, NULL, 64), GSC_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(b->err.why, "A13 A29 A13_B4_C12 A29_B4_C12 C12"));
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_OA, NULL, "A36_B8_C8", 64), GSC_USAGE);
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_OA, NULL, "A13", 3), GSC_FAILED);
	decode(b, GSC_IMAGE_OA, "A13", 4 * 64 + 8);
	CU_ASSERT_EQUAL(parts_of(b, "OA_REPORT_A13"), 1);
	CU_ASSERT(has_note(b, "4 of 5 reports are all zero"));
	CU_ASSERT_STRING_EQUAL(b->about.cut, "ends at byte 0x108 of 0x140");
	bench_free(b);
}

SUITE(oa,
      { "layouts of reports", test_oa_layouts }, { "choice of a layout", test_oa_choice })
