/* SPDX-License-Identifier: MIT */
/* The registers that device/ reads exist and have the expected form, on every platform. */
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
		       const char *name, unsigned bits, struct gsc_reg *reg)
{
	if (!view_find(view, NULL, name, -1, reg) && !view_find(view, NULL, name, 0, reg))
		differs(platform, name, "there is no such register");
	else if (bits && reg->bits != bits)
		differs(platform, name, "it is of another size");
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
	const char *base = has(view, "BDSM", GSC_CONFIG) ? "BDSM" : "MBDSM";
	const char *table = has(view, "BGSM", GSC_CONFIG) ? "BGSM" : "MBGSM";
	unsigned high = platform->graphics < 1100 ? 31 : 63;
	struct gsc_reg reg;

	if (platform->flags & GSC_PLATFORM_DISCRETE)
		return;
	expect_reg(platform, view, "GGC", 0, &reg);
	if (expect_reg(platform, view, base, high + 1, &reg))
		expect_field(platform, view, &reg, "BDSM", high, 20);
	if (platform->graphics >= 600 && expect_reg(platform, view, table, high + 1, &reg))
		expect_field(platform, view, &reg, "BGSM", high, 20);
}

static void stolen(void)
{
	each_platform(check_stolen);
}

static void check_fences(const struct gsc_platform *platform, const struct gsc_view *view)
{
	struct gsc_reg reg;

	CU_ASSERT(platform->fences <= FENCES_MAX);
	CU_ASSERT(!view_find(view, NULL, "FENCE", (int)platform->fences, &reg));
	if (!platform->fences)
		return;
	for (unsigned i = platform->fences; i-- > 0;)
		CU_ASSERT_FATAL(view_find(view, NULL, "FENCE", (int)i, &reg));
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
	if (expect_reg(platform, view, "SG_TILE_ADDR_RANGE", 32, &reg)) {
		CU_ASSERT_PTR_NULL(reg.wake);
		expect_field(platform, view, &reg, "SIZE", 17, 8);
	}
	if (expect_reg(platform, view, "MBGSM", 64, &reg)) {
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
