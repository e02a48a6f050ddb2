/* SPDX-License-Identifier: MIT */
/* Which caches keep the entries of a walk for an engine, and what invalidates them. */
#include "walk-helpers.h"

#include "gtt/cache.h"
#include "test.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

static void is_list(const char *got, const char *wanted)
{
	CU_ASSERT_STRING_EQUAL(got, wanted);
	if (strcmp(got, wanted))
		fprintf(stderr, "\ngot    %s\nwanted %s\n", got, wanted);
}

/* "NAME:levels NAME:levels" of the last walk. */
static void cached(const struct world *w, const char *engine, const char *wanted)
{
	struct gsc_cached caches[GSC_CACHED_MOST];
	size_t count = gsc_cached(w->view, &w->walk, engine, caches);
	char list[1000] = "";
	struct text text = text_of(list);

	for (size_t i = 0; i < count && !caches[i].cache.takes; i++)
		text_add(&text, "%s%s:%s", i ? " " : "", caches[i].cache.item.name,
			 caches[i].levels);
	is_list(list, wanted);
}

static void invalidated(const struct world *w, const char *engine, const char *cache,
			const char *wanted)
{
	struct gsc_cached caches[GSC_CACHED_MOST];
	size_t count = gsc_cached(w->view, &w->walk, engine, caches);
	char list[1000] = "";
	struct text text = text_of(list);

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(caches[k].cache.item.name, cache) && caches[i].taken >> k & 1)
				text_join(&text, ", ", caches[i].cache.item.name);
	is_list(list, wanted);
}

/* Four levels, the last a page of 4 KB. */
static void four_levels(struct world *w, const char *platform)
{
	world_begin(w, platform, NULL);
	for (unsigned level = 0; level < 4; level++)
		put(w, GSC_PHYS, MEMORY + level * 0x1000, 8,
		    (MEMORY + (level + 1) * 0x1000) | 3);
	world_open(w, GSC_MODE_PML4, MEMORY);
	lands(w, 0, GSC_PHYS, MEMORY + 0x4000, 4096, "rw,pat0");
}

static void test_gen9(void)
{
	struct world w;

	four_levels(&w, "skl");
	cached(&w, "rcs0", "L3_TLB:pte Z_TLB:pte C_TLB:pte FF_TLB:pte PML4_CACHE:pml4e "
	       "PDP_CACHE:pdpe PD_CACHE:pde GTT_CACHE:pte");
	cached(&w, "vcs1", "MFX_TLB:pte VLF_TLB:pte PML4_CACHE:pml4e PDP_CACHE:pdpe PD_CACHE:pde "
	       "GTT_CACHE:pte");
	cached(&w, "bcs0", "BLT_TLB:pte WALK_CACHE:pml4e,pdpe,pde GTT_CACHE:pte");
	cached(&w, NULL, "L3_TLB:pte Z_TLB:pte C_TLB:pte FF_TLB:pte MFX_TLB:pte VLF_TLB:pte "
	       "BLT_TLB:pte GAV_TLB:pte WIDI_TLB:pte PML4_CACHE:pml4e PDP_CACHE:pdpe PD_CACHE:pde "
	       "WALK_CACHE:pml4e,pdpe,pde GTT_CACHE:pte");
	invalidated(&w, "rcs0", "L3_TLB", "PIPE_CONTROL.TLB_INVALIDATE, RTCR.INVALIDATE, context "
		    "switch");
	invalidated(&w, "vcs1", "MFX_TLB", "MI_FLUSH_DW.TLB_INVALIDATE, M2TCR.INVALIDATE, context "
		    "switch");
	invalidated(&w, "vcs1", "PD_CACHE", "MI_FLUSH_DW.TLB_INVALIDATE, context switch");
	invalidated(&w, "", "MFX_TLB", "MI_FLUSH_DW.TLB_INVALIDATE, M1TCR.INVALIDATE_VCS0, "
		    "M2TCR.INVALIDATE, context switch");
	invalidated(&w, NULL, "WIDI_TLB", "");
	world_end(&w);
}

static void test_modes(void)
{
	struct world w;

	/* Invalidations of advanced contexts only, and what leads to their first table. */
	four_levels(&w, "skl");
	world_open(&w, GSC_MODE_IA32E, MEMORY);
	gsc_walk(w.translation, 0, GSC_INTENT_READ, &w.walk);
	invalidated(&w, "vecs0", "GAV_TLB", "MI_FLUSH_DW.TLB_INVALIDATE, VTCR.INVALIDATE, context "
		    "switch, directed invalidation, page response");
	invalidated(&w, "vecs0", "PASID_CACHE", "context switch, directed invalidation");
	invalidated(&w, "vecs0", "CONTEXT_CACHE", "directed invalidation");
	cached(&w, "vecs0", "GAV_TLB:pte WALK_CACHE:pml4e,pdpe,pde PASID_CACHE:root "
	       "CONTEXT_CACHE:root");
	world_end(&w);
	/* The global table has no levels above, and other clients. */
	world_begin(&w, "snb", NULL);
	put(&w, GSC_GGTT, 4, 4, 0x12345001);
	world_open(&w, GSC_MODE_GGTT, 0);
	gsc_walk(w.translation, 0x1000, GSC_INTENT_READ, &w.walk);
	cached(&w, "", "DISPLAY_TLB:pte OVERLAY_TLB:pte HOST_TLB:pte COMMAND_TLB:pte "
	       "RENDER_BLIT_TLB:pte SAMPLER_TLB:pte VIDEO_TLB:pte");
	cached(&w, "bcs0", "COMMAND_TLB:pte RENDER_BLIT_TLB:pte");
	invalidated(&w, "", "DISPLAY_TLB", "vertical sync, GFX_FLSH_CNTL_GEN6.EN");
	invalidated(&w, "", "HOST_TLB", "write of a GGTT entry, GFX_FLSH_CNTL_GEN6.EN");
	world_end(&w);
}

/* The built-in ones are of registers, commands and structures, and of fields with such values. */
static void test_named(void)
{
	static const enum gsc_kind kinds[] = { GSC_REGISTER, GSC_COMMAND, GSC_STRUCTURE };
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_cache by;
	struct gsc_item item;
	char name[64], part[64];
	long long value;
	struct world w;

	world_begin(&w, "skl", NULL);
	for (size_t i = 0, k; gsc_cache_next(w.db, &i, &by);) {
		uint64_t left = by.item.platforms;
		int parts = sscanf(by.item.name, "%63[^.=].%63[^=]=%lli", name, part, &value);

		for (k = 0; k < 3 && strcmp(by.kind, (const char *[]){ "register", "command",
				    "guc" }[k]); k++)
			;
		if (k == 3)
			continue;
		for (size_t n = 0; gsc_item_at(w.db, kinds[k], n, &item); n++) {
			if (strcmp(item.name, name) ||
			    (k == 1 && by.item.engines && !(by.item.engines & item.engines)))
				continue;
			left &= parts == 1 ? ~item.platforms : left;
			gsc_item_fields(w.db, NULL, &item, NULL, 0, &it);
			while (parts > 1 && gsc_field_next(&it, &field))
				if (!strcmp(field.name, part) &&
				    (parts == 2 || !(value >> (field.hi - field.lo + 1))))
					left &= ~(item.platforms & field.platforms);
		}
		CU_ASSERT_EQUAL(left, 0);
		if (left)
			fprintf(stderr, "\n%s\n", by.item.name);
	}
	world_end(&w);
}

/* A walk that lands nowhere has no older entry to warn about. */
static void test_older(void)
{
	char text[200], few[24];
	struct world w;

	four_levels(&w, "tgl");
	is_list(gsc_cache_older(w.translation, &w.walk, "rcs0", text, sizeof(text)),
		"PIPE_CONTROL.TLB_INVALIDATE, GFX_TLB_INV_CR.INVALIDATE, "
		"GUC_TLB_INVALIDATION.TYPE=0");
	CU_ASSERT_PTR_NOT_NULL(gsc_cache_older(w.translation, &w.walk, NULL, few, sizeof(few)));
	CU_ASSERT(strlen(few) < sizeof(few));
	gsc_walk(w.translation, 0x1000, GSC_INTENT_READ, &w.walk);
	CU_ASSERT_PTR_NULL(gsc_cache_older(w.translation, &w.walk, "rcs0", text, sizeof(text)));
	world_end(&w);
}

/* Definitions of the user, of a built-in cache, too; and more than there is room for. */
static void test_user(void)
{
	static const char text[] =
		"format 1\norigin i915 \"x\"\n"
		"cache MINE \"Mine\" kind=tlb mode=pml4 engine=vcs1 on=skl\n"
		"invalidation \"a sneeze\" by=event takes=MINE,L3_TLB on=skl\n";
	struct gsc_cached caches[GSC_CACHED_MOST];
	char many[8000] = "format 1\norigin i915 \"x\"\n";
	struct world w;

	world_begin(&w, "skl", text);
	for (unsigned level = 0; level < 4; level++)
		put(&w, GSC_PHYS, MEMORY + level * 0x1000, 8,
		    (MEMORY + (level + 1) * 0x1000) | 3);
	world_open(&w, GSC_MODE_PML4, MEMORY);
	gsc_walk(w.translation, 0, GSC_INTENT_READ, &w.walk);
	cached(&w, "vcs1", "MINE:pte MFX_TLB:pte VLF_TLB:pte PML4_CACHE:pml4e PDP_CACHE:pdpe "
	       "PD_CACHE:pde GTT_CACHE:pte");
	invalidated(&w, "vcs1", "MINE", "a sneeze, MI_FLUSH_DW.TLB_INVALIDATE, M2TCR.INVALIDATE, "
		    "context switch");
	invalidated(&w, "rcs0", "L3_TLB", "a sneeze, PIPE_CONTROL.TLB_INVALIDATE, "
		    "RTCR.INVALIDATE, context switch");
	world_end(&w);
	for (unsigned i = 0; i < 80; i++)
		snprintf(many + strlen(many), 64, "cache M%u \"M\" kind=tlb mode=ggtt\n", i);
	world_begin(&w, "skl", many);
	put(&w, GSC_GGTT, 8, 8, 0x12345001);
	world_open(&w, GSC_MODE_GGTT, 0);
	gsc_walk(w.translation, 0x1000, GSC_INTENT_READ, &w.walk);
	CU_ASSERT_EQUAL(gsc_cached(w.view, &w.walk, NULL, caches), GSC_CACHED_MOST);
	world_end(&w);
}

SUITE(cache, { "Gen9", test_gen9 }, { "modes", test_modes }, { "names", test_named },
      { "an older entry", test_older }, { "definitions of the user", test_user })
