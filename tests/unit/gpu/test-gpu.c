/* SPDX-License-Identifier: MIT */
/* A GPU as a source shows it: how it is made, and what finding, reading and fields give. */
#include "test.h"

#include "gpu/gpu.h"
#include "hang/hang.h"
#include "regs-helpers.h"
#include "save/save.h"
#include "source/part.h"

#include <stdio.h>

static void finds(void)
{
	static const char *const absent[] = { "T_NONE", "rcs0.T_PLAIN", "T_ARRAY", "T_ARRAY[4]",
					      "T_ARRAY[", "T_ARRAY[1", "T_ARRAY[1]x", ".T_PLAIN",
					      "T_ARRAY[99999999999]", "", "." };
	struct gsc_gpu *gpu;
	struct gsc_reg reg;
	struct bench b;

	bench_open(&b, NULL);
	CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, b.source, b.view, NULL), GSC_OK);
	CU_ASSERT(gsc_gpu_find(gpu, "T_PLAIN", &reg) && reg.offset == 0x700000);
	CU_ASSERT(gsc_gpu_find(gpu, "T_OTHER", &reg) && reg.offset == 0x700000);
	CU_ASSERT(gsc_gpu_find(gpu, "T_ARRAY[3]", &reg) && reg.offset == 0x700118);
	CU_ASSERT(gsc_gpu_find(gpu, "rcs0.RING_BUFFER_HEAD", &reg) && reg.offset == 0x2034);
	CU_ASSERT(gsc_gpu_find(gpu, "bcs0.RING_BUFFER_HEAD", &reg) && reg.offset == 0x22034);
	for (size_t i = 0; i < ARRAY_SIZE(absent); i++)
		CU_ASSERT(!gsc_gpu_find(gpu, absent[i], &reg));
	gsc_gpu_close(gpu);
	bench_close(&b);
}

/* An image of a BAR counts as hardware. */
static void reads(void)
{
	static const uint32_t words[] = { 0x700000, 0x00120007, 0x700020, 1, 0x700024, 1, 0 };
	struct gsc_gpu *gpu;
	struct gsc_reg reg;
	uint64_t value = 0, bits = 0;
	struct bench b;

	bench_open(&b, words);
	CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, b.source, b.view, NULL), GSC_OK);
	CU_ASSERT(gsc_gpu_find(gpu, "T_PLAIN", &reg));
	CU_ASSERT_EQUAL(gsc_gpu_read(gpu, &reg, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 0x00120007);
	CU_ASSERT(gsc_gpu_field(gpu, &reg, value, "MODE", &bits) && bits == 3);
	CU_ASSERT(gsc_gpu_field(gpu, &reg, value, "HIGH", &bits) && bits == 0x12);
	CU_ASSERT(!gsc_gpu_field(gpu, &reg, value, "LOW", &bits));
	CU_ASSERT(gsc_gpu_find(gpu, "T_CHOICE", &reg));
	CU_ASSERT(gsc_gpu_field(gpu, &reg, 0x21, "ONE", &bits) && bits == 2);
	CU_ASSERT(!gsc_gpu_field(gpu, &reg, 0x21, "TWO", &bits));
	CU_ASSERT(gsc_gpu_find(gpu, "T_CLEARS", &reg));
	CU_ASSERT_EQUAL(gsc_gpu_read(gpu, &reg, &value), GSC_READ_SKIPPED);
	CU_ASSERT(gsc_gpu_find(gpu, "T_HANGS", &reg));
	CU_ASSERT_EQUAL(gsc_gpu_read(gpu, &reg, &value), GSC_READ_SKIPPED);
	CU_ASSERT(gsc_gpu_find(gpu, "T_COUNTER", &reg));
	reg.offset = 0x70003e;		/* it ends in a range that hangs */
	CU_ASSERT_EQUAL(gsc_gpu_read(gpu, &reg, &value), GSC_READ_SKIPPED);
	CU_ASSERT(gsc_gpu_find(gpu, "EXECLIST_SUBMIT_PORT", &reg));
	CU_ASSERT_EQUAL(gsc_gpu_read(gpu, &reg, &value), GSC_READ_SKIPPED);
	CU_ASSERT_EQUAL(gpu_read_named(gpu, NULL, "T_NONE", -1, NULL, &value), GSC_READ_ABSENT);
	gsc_gpu_close(gpu);
	bench_close(&b);
}

/* A frequency, to the nearest MHz as the drivers have it. */
static void scales(void)
{
	static const struct { uint32_t raw, mhz; } steps[] = {
		{ 0, 0 }, { 1, 17 }, { 2, 33 }, { 3, 50 }, { 22, 367 }, { 66, 1100 }, { 511, 8517 },
	};
	struct gsc_gpu *gpu;
	struct gsc_reg reg;
	struct bench b;
	uint64_t mhz;

	bench_open(&b, NULL);
	CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, b.source, b.view, NULL), GSC_OK);
	CU_ASSERT(gsc_gpu_find(gpu, "RPSTAT1", &reg));
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		CU_ASSERT(reg_bytes(b.view, &reg, (uint64_t)steps[i].raw << 23, "CAGF", &mhz) &&
			  mhz == steps[i].mhz);
	CU_ASSERT(!reg_bytes(b.view, &reg, 0, "NONE", &mhz));
	CU_ASSERT(gsc_gpu_find(gpu, "T_PLAIN", &reg));
	CU_ASSERT(!reg_bytes(b.view, &reg, 7, "MODE", &mhz));
	gsc_gpu_close(gpu);
	bench_close(&b);
}

static void definitions_only(void)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	struct gsc_translation *translation;
	struct gsc_submission submission;
	struct gsc_gpu *gpu, *moment;
	struct gsc_root *roots;
	struct gsc_hang *hang;
	struct gsc_error err;
	struct gsc_reg reg;
	uint64_t value;
	struct bench b;
	size_t count;

	bench_open(&b, NULL);
	CU_ASSERT_EQUAL_FATAL(gsc_gpu_definitions(&gpu, b.db, gsc_view_platform(b.view), -1, &err),
			      GSC_OK);
	CU_ASSERT_PTR_NULL(gsc_gpu_source(gpu));
	CU_ASSERT_STRING_EQUAL(gsc_gpu_platform(gpu)->name, "skl");
	CU_ASSERT(gsc_gpu_find(gpu, "T_PLAIN", &reg));
	CU_ASSERT_EQUAL(gsc_gpu_read(gpu, &reg, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_translation_new(&translation, gpu, &options, &err), GSC_USAGE);
	CU_ASSERT_EQUAL(gsc_roots(gpu, &roots, &count, &err), GSC_USAGE);
	CU_ASSERT_EQUAL(gsc_hang_new(&hang, gpu, NULL, &err), GSC_USAGE);
	CU_ASSERT_EQUAL(gsc_save(gpu, -1, NULL, &err), GSC_USAGE);
	CU_ASSERT_EQUAL(gsc_gpu_at(&moment, gpu, 1, &submission, &err), GSC_USAGE);
	gsc_gpu_close(gpu);
	CU_ASSERT_EQUAL(gsc_gpu_new(&gpu, NULL, NULL, &err), GSC_USAGE);
	CU_ASSERT_EQUAL(gsc_gpu_definitions(&gpu, b.db, 1000, -1, &err), GSC_UNKNOWN);
	CU_ASSERT_PTR_NULL(gpu);
	bench_close(&b);
}

/* The view that was made for a dump's registers is the one of the GPU. */
static void opens(void)
{
	static const char *const demo[] = { "demo:snb-hang" }, *const none[] = { "none" };
	struct gsc_error err;
	struct gsc_gpu *gpu;
	struct gsc_reg reg;
	uint64_t value;

	CU_ASSERT_EQUAL_FATAL(gsc_gpu_open(&gpu, demo, 1, NULL, &err), GSC_OK);
	CU_ASSERT_STRING_EQUAL(gsc_gpu_platform(gpu)->name, "snb");
	CU_ASSERT_PTR_EQUAL(gsc_gpu_view(gpu), gsc_gpu_source(gpu)->view);
	CU_ASSERT(gsc_gpu_find(gpu, "rcs0.RING_BUFFER_TAIL", &reg));
	CU_ASSERT(gsc_gpu_read(gpu, &reg, &value) == GSC_READ_OK && value == 0x3e28);
	gsc_gpu_close(gpu);
	CU_ASSERT_EQUAL(gsc_gpu_open(&gpu, none, 1, NULL, &err), GSC_USAGE);
	CU_ASSERT_STRING_EQUAL(err.why, "unknown: give -p");
	CU_ASSERT_PTR_NULL(gpu);
	gsc_gpu_close(NULL);
}

/*
 * A register that is read alone is skipped exactly if a sweep over the registers skips it, except a
 * write-only one that shares its address with a readable one.
 */
static bool sweep_agrees(const struct gsc_view *view)
{
	span_vec hazards = { 0 };
	bool agree = hazards_find(&hazards, view, 0, UINT64_MAX);

	for (size_t i = 0; agree && i < view->count; i++) {
		const struct span *span;
		struct gsc_reg reg;
		bool swept;

		gsc_view_reg(view, i, &reg);
		if (reg.space != GSC_MMIO)
			continue;
		span = span_from(&hazards, reg.offset);
		swept = (span && span->start <= reg.offset + reg.bits / 8 - 1) ||
			hazard_of_write_only(view, i);
		if (swept == hazard_of_read(view, &reg))
			continue;
		fprintf(stderr, "\n%s at 0x%x: %s\n", reg.name, (unsigned)reg.offset,
			swept ? "left alone by a sweep only" : "left alone by itself only");
		agree = false;
	}
	vec_free(&hazards);
	return agree;
}

static void one_rule(void)
{
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	for (unsigned p = 0; p < gsc_platform_count(db); p++) {
		struct gsc_view *view;

		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, p, -1, NULL), GSC_OK);
		CU_ASSERT(sweep_agrees(view));
		gsc_view_free(view);
	}
	gsc_db_free(db);
}

SUITE(gpu, { "finding by name", finds }, { "reading safely, and fields", reads },
      { "a field's scale", scales }, { "definitions only", definitions_only }, { "opening", opens },
      { "one rule of what is left alone", one_rule })
