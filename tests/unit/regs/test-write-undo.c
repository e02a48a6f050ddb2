/* SPDX-License-Identifier: MIT */
/* Undoing writes: the plan for each, or why not. */
#include "test.h"
#include "util/util.h"
#include "write-helpers.h"

#include <stdio.h>
#include <string.h>

struct undone {
	const char *name;
	uint64_t old, value, bits;
	bool has_old, forced;
	enum gsc_status status;
	const char *steps, *why;
	bool bar_alias;
};

static void fill(struct gsc_written *w, const struct gsc_view *view, const struct undone *u)
{
	*w = (struct gsc_written){ .old = u->old, .value = u->value, .bits = u->bits,
				   .has_old = u->has_old, .forced = u->forced,
				   .bar_alias = u->bar_alias };
	snprintf(w->name, sizeof(w->name), "%s", u->name);
	for (size_t i = 0; i < gsc_view_count(view); i++) {
		char name[192];

		gsc_view_reg(view, i, &w->reg);
		gsc_reg_full_name(&w->reg, name, sizeof(name));
		if (!strncmp(u->name, name, strlen(name)) &&
		    (!u->name[strlen(name)] || u->name[strlen(name)] == ':'))
			return;
	}
	w->reg = (struct gsc_reg){ .index = -1, .offset = 0x10, .bits = 64, .space = GSC_GGTT,
				   .access = GSC_RW };
}

static void undo(void)
{
	static const struct undone all[] = {
		{ "W_PLAIN", 0x55, 0xaa, 0xffffffff, true, false, GSC_OK,
		  "R 0x1f0100.4 W 0x1f0100.4=55 R 0x1f0100.4", "" },
		/* What has changed beside the field since then stays changed. */
		{ "W_FIELDS:MODE", 0xffff0007, 0xffff0049, 0xe, true, false, GSC_OK,
		  "R 0x1f0104.4 W 0x1f0104.4=46+ffffffb1 R 0x1f0104.4", "" },
		{ "W_MASKED:A", 0x71, 0x10000, 0x1, true, false, GSC_OK,
		  "R 0x1f011c.4 W 0x1f011c.4=10001 R 0x1f011c.4", "" },
		{ "W_MASKED", 0x40, 0x710021, 0x71, true, false, GSC_OK,
		  "R 0x1f011c.4 W 0x1f011c.4=710040 R 0x1f011c.4", "" },
		{ "W_MIXED", 0xc11, 0x831, 0xfffff9f7, true, false, GSC_PARTIAL,
		  "R 0x1f0108.4 W 0x1f0108.4=11+208 R 0x1f0108.4", "ERROR cannot be put back" },
		{ "W_CLEAR", 0x1, 0x1, 0x1, true, false, GSC_USAGE, NULL,
		  "FIRST cannot be put back: it was cleared" },
		{ "W_CLEAR", 0x0, 0x1, 0x1, true, false, GSC_USAGE, NULL, "changed nothing" },
		{ "W_BLIND", 0, 1, 0xff, false, false, GSC_USAGE, NULL, "could not be read" },
		{ "W_FIELDS", 0x0, 0x140, 0xffff013f, true, true, GSC_OK,
		  "R 0x1f0104.4 W 0x1f0104.4=40+fe80 R 0x1f0104.4", "" },
		/* What needed --force to write needs none to restore. */
		{ "W_DANGER", 1, 2, 0xffffffff, true, true, GSC_OK,
		  "R 0x1f0128.4 W 0x1f0128.4=1 R 0x1f0128.4", "" },
		{ "W_LONG:UP", UINT64_C(0x700000000), 0, UINT64_C(0xffffffff00000000), true, false,
		  GSC_OK, "R 0x1f0140.4 R 0x1f0144.4 W 0x1f0144.4=7 R 0x1f0140.4 R 0x1f0144.4", "" },
		{ "ggtt:0x10", UINT64_C(0x123456001), 0, UINT64_MAX, true, false, GSC_OK,
		  "R g0x10.8 W g0x10.8=123456001 W 0x101008.4=1 R 0x101008.4 R g0x10.8", "" },
		/* In the way that it was written, whatever it was called. */
		{ "SRX", 3, 2, 0xff, true, false, GSC_OK, "R p0x3c4.1 W p0x3c4.1=3 R p0x3c4.1", "" },
		{ "SRX", 3, 2, 0xff, true, false, GSC_OK, "R 0x3c4.1 W 0x3c4.1=3 R 0x3c4.1", "",
		  .bar_alias = true },
	};
	struct desk d;

	desk_open(&d);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct gsc_written written;
		struct gsc_write_plan *plan;
		struct gsc_error err = { 0 };
		char text[600] = "";

		fill(&written, d.view, &all[i]);
		CU_ASSERT_EQUAL(gsc_write_undo(&plan, gpu_for(NULL, d.view), &written, &err), all[i].status);
		CU_ASSERT_EQUAL(plan != NULL, all[i].steps != NULL);
		if (plan)
			steps_text(plan, text, sizeof(text));
		if (all[i].steps && strcmp(text, all[i].steps))
			fprintf(stderr, "%s: '%s'\n", all[i].name, text);
		CU_ASSERT(!all[i].steps || !strcmp(text, all[i].steps));
		CU_ASSERT(!all[i].steps || !strcmp(gsc_write_plan_name(plan), all[i].name));
		CU_ASSERT_PTR_NOT_NULL(strstr(err.why, all[i].why));
		gsc_write_plan_free(plan);
	}
	view_of(&d, "snb");
	{
		struct gsc_written gone = { .name = "W_PLAIN", .has_old = true, .bits = 1 };
		struct gsc_write_plan *plan;

		gone.reg = (struct gsc_reg){ .name = "W_PLAIN", .offset = 0x100, .bits = 32 };
		CU_ASSERT_EQUAL(gsc_write_undo(&plan, gpu_for(NULL, d.view), &gone, NULL), GSC_USAGE);
		CU_ASSERT_PTR_NULL(plan);
	}
	desk_close(&d);
}

SUITE(write_undo,
      { "undo", undo })
