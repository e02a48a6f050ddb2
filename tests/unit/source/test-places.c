/* SPDX-License-Identifier: MIT */
/* The registers that device/ knows by number are those that the definitions have, everywhere. */
#include "db/view.h"
#include "device/internal.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static void each_platform(void (*check)(const struct gsc_platform *, const struct gsc_view *))
{
	struct gsc_platform platform;
	struct gsc_view *view;
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	for (unsigned i = 0; gsc_platform_at(db, i, &platform); i++) {
		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, i, -1, NULL), GSC_OK);
		check(&platform, view);
		gsc_view_free(view);
	}
	gsc_db_free(db);
}

static void differs(const struct gsc_platform *platform, const char *name, const char *what)
{
	fprintf(stderr, "\n%s: %s: %s\n", platform->name, name, what);
	CU_FAIL("code and definitions differ");
}

/* A field, all of whose bits the code takes as one number. */
static void expect_field(const struct gsc_platform *platform, const struct gsc_view *view,
			 const struct gsc_reg *reg, const char *name, unsigned hi, unsigned lo)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	gsc_reg_fields(view, reg, 0, &it);
	while (gsc_field_next(&it, &field)) {
		if (strcmp(field.name, name))
			continue;
		if (field.dword * 32 + field.hi != hi || field.dword * 32 + field.lo != lo)
			differs(platform, name, "its bits");
		return;
	}
	differs(platform, name, "there is no such field");
}

static bool expect_reg(const struct gsc_platform *platform, const struct gsc_view *view,
		       struct stolen_place place, const char *name, struct gsc_reg *reg)
{
	if (!view_find(view, NULL, name, -1, reg) && !view_find(view, NULL, name, 0, reg))
		differs(platform, name, "there is no such register");
	else if (reg->space != place.space || reg->offset != place.offset ||
		 reg->bits != 8 * place.size)
		differs(platform, name, "it is elsewhere, or of another size");
	else
		return true;
	return false;
}

static bool has(const struct gsc_view *view, const char *name, enum gsc_space space)
{
	struct gsc_reg reg;

	return view_find(view, NULL, name, -1, &reg) && reg.space == space;
}

static void check_stolen(const struct gsc_platform *platform, const struct gsc_view *view)
{
	bool direct = has(view, "MGGC", GSC_MMIO);
	const char *base = has(view, "BDSM", GSC_CONFIG) ? "BDSM" : "MBDSM";
	const char *table = has(view, "BGSM", GSC_CONFIG) ? "BGSM" : "MBGSM";
	struct stolen_place place = stolen_table_place(platform);
	unsigned high = platform->graphics < 1100 ? 31 : 63;
	struct gsc_reg reg;

	if (platform->flags & GSC_PLATFORM_DISCRETE)
		return;
	expect_reg(platform, view, stolen_ggc_place(platform), direct ? "MGGC" : "GGC", &reg);
	if (expect_reg(platform, view, stolen_base_place(platform), base, &reg))
		expect_field(platform, view, &reg, "BDSM", high, 20);
	if (!place.size) {
		CU_ASSERT(!has(view, "BGSM", GSC_CONFIG) && !has(view, "MBGSM", GSC_MMIO));
		return;
	}
	if (expect_reg(platform, view, place, table, &reg))
		expect_field(platform, view, &reg, "BGSM", high, 20);
}

static void stolen(void)
{
	each_platform(check_stolen);
}

static void check_fence(const struct gsc_platform *platform, const struct gsc_view *view, unsigned i)
{
	struct stolen_place place = stolen_fence_place(platform, i);
	struct gsc_reg reg;

	CU_ASSERT_FATAL(view_find(view, NULL, "FENCE", (int)i, &reg));
	CU_ASSERT_EQUAL(reg.offset, place.offset);
	CU_ASSERT_EQUAL(reg.bits, place.size * 8);
}

static void check_fences(const struct gsc_platform *platform, const struct gsc_view *view)
{
	struct gsc_reg reg;

	CU_ASSERT(platform->fences <= FENCES_MAX);
	CU_ASSERT(!view_find(view, NULL, "FENCE", (int)platform->fences, &reg));
	if (!platform->fences)
		return;
	for (unsigned i = 0; i < platform->fences; i++)
		check_fence(platform, view, i);
	view_find(view, NULL, "FENCE", 0, &reg);
	expect_field(platform, view, &reg, "FENCE_VALID", 0, 0);
	if (reg.bits == 32) {
		expect_field(platform, view, &reg, "FENCE_LOWER_BOUND", 27, 20);
		expect_field(platform, view, &reg, "FENCE_SIZE_LOG2", 11, 8);
		return;
	}
	expect_field(platform, view, &reg, "FENCE_UPPER_BOUND", 63, 44);
	expect_field(platform, view, &reg, "FENCE_LOWER_BOUND", 31, 12);
}

static void fences(void)
{
	each_platform(check_fences);
}

static void check_local(const struct gsc_platform *platform, const struct gsc_view *view)
{
	struct gsc_reg reg;

	if (!(platform->flags & GSC_PLATFORM_LMEM) || platform->graphics < 1250)
		return;
	if (expect_reg(platform, view, (struct stolen_place){ GSC_MMIO, TILE_RANGE, 4 },
		       "SG_TILE_ADDR_RANGE", &reg)) {
		CU_ASSERT_PTR_NULL(reg.wake);
		expect_field(platform, view, &reg, "SIZE", 17, 8);
	}
	if (expect_reg(platform, view, (struct stolen_place){ GSC_MMIO, GTT_STOLEN_BASE, 8 },
		       "MBGSM", &reg)) {
		CU_ASSERT_PTR_NULL(reg.wake);
		expect_field(platform, view, &reg, "BGSM", 63, 20);
	}
}

static void local(void)
{
	each_platform(check_local);
}

SUITE(places,
      { "stolen memory", stolen },
      { "fences", fences },
      { "memory of the device", local })
