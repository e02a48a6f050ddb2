/* SPDX-License-Identifier: MIT */
/* The decoder of instructions: compacted ones, and bytes that are not meant as instructions. */
#include "eu/program.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct gsc_view *view_of(const struct gsc_db *db, const char *name)
{
	struct gsc_platform platform;
	struct gsc_view *view;
	struct gsc_error err;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, name, &platform, &device, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, platform.index, -1, &err), GSC_OK);
	return view;
}

/* What a compacted instruction stands for. */
static const struct expanded {
	const char *platform;
	uint32_t compacted[2], words[4];
} expanded[] = {
	/* mov(8) g5<1>F g4<8,8,1>F: an index each for control, types, subregisters and source. */
	{ "skl", { 0x20010b01, 0x00040507 }, { 0x00600001, 0x20a03ae8, 0x008d0080, 0x00000000 } },
	/* add(8) g5<1>D g4<8,8,1>D -3D: 13 bits of an immediate, the highest its sign. */
	{ "bdw", { 0x2001cb40, 0xfd0405ff }, { 0x00600040, 0x20a00a28, 0x0e8d0080, 0xfffffffd } },
};

static struct gsc_db *built_in(void)
{
	struct gsc_error err;
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	return db;
}

static void compacted(void)
{
	struct gsc_db *db = built_in();

	for (const struct expanded *row = expanded; row < expanded + ARRAY_SIZE(expanded); row++) {
		struct gsc_view *view = view_of(db, row->platform);
		struct eu_instruction in;
		struct gsc_error err;
		struct eu_isa *isa;

		CU_ASSERT_EQUAL_FATAL(eu_isa_open(view, &isa, &err), GSC_OK);
		CU_ASSERT_TRUE_FATAL(eu_decode(isa, row->compacted, 8, 0, &in));
		CU_ASSERT_EQUAL(in.size, 8);
		CU_ASSERT_EQUAL(memcmp(&in.raw, row->words, sizeof(row->words)), 0);
		eu_isa_free(isa);
		gsc_view_free(view);
	}
	gsc_db_free(db);
}

/* The next of a sequence of pseudo-random numbers, the same each time. */
static uint32_t next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	return *state ^= *state << 5;
}

/* Whatever the bytes, each instruction has a size and a text, which ends where its buffer does. */
static void check_any(const struct gsc_view *view, const uint32_t *words, size_t size)
{
	struct eu_labels labels = { 0 };
	struct eu_instruction in;
	struct gsc_error err;
	struct eu_isa *isa;
	char line[256], cut[24];
	size_t at = 0;

	CU_ASSERT_EQUAL_FATAL(eu_isa_open(view, &isa, &err), GSC_OK);
	CU_ASSERT_TRUE(labels_find(&labels, isa, words, size));
	for (; eu_decode(isa, words, size, at, &in); at += in.size) {
		struct text text = text_of(line), part = text_of(cut);

		CU_ASSERT_TRUE_FATAL(in.size == 8 || in.size == 16);
		eu_print(&in, &labels, &text);
		eu_print(&in, NULL, &part);
		CU_ASSERT_TRUE_FATAL(text.used > 0 && text.used < sizeof(line) - 1);
		CU_ASSERT_TRUE_FATAL(part.used < sizeof(cut));
	}
	CU_ASSERT_TRUE(size - at < 16);
	CU_ASSERT_FALSE(eu_decode(isa, words, size, size + 1, &in));
	labels_free(&labels);
	eu_isa_free(isa);
}

static void any_bytes(void)
{
	static const char *const platforms[] = { "i965", "g45", "ilk", "snb", "ivb", "hsw", "bdw",
						 "chv", "skl", "cnl", "icl", "tgl", "dg2", "pvc",
						 "lnl", "ptl" };
	const size_t count = 16384;
	struct gsc_db *db = built_in();
	uint32_t *words = malloc(count * sizeof(*words)), state = 2463534242;

	CU_ASSERT_PTR_NOT_NULL_FATAL(words);
	for (size_t i = 0; i < ARRAY_SIZE(platforms); i++) {
		struct gsc_view *view = view_of(db, platforms[i]);

		for (size_t k = 0; k < count; k++)
			words[k] = next(&state);
		/* Every opcode, native and compacted. */
		for (uint32_t opcode = 0; opcode < 256; opcode++)
			words[opcode * 4] = (words[opcode * 4] & 0xdfffff80) | (opcode & 127) |
					    (opcode & 128) << 22;
		check_any(view, words, count * sizeof(*words) - 4);
		gsc_view_free(view);
	}
	free(words);
	gsc_db_free(db);
}

SUITE(eu, { "compacted", compacted }, { "any bytes", any_bytes })
