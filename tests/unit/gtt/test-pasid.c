/* SPDX-License-Identifier: MIT */
/* From RTADDR_REG to the tables of a process, in all three modes; entries of VT-d's tables. */
#include "gtt/gtt.h"
#include "gpu-for.h"
#include "table-helpers.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define BASE UINT64_C(0x180000000)
#define SIZE (2u << 20)

enum { LEGACY = 0, SCALABLE = 0x400, EXTENDED = 0x800, ABORT = 0xc00 };
enum { GPU = 0x10, UPPER = 0x3a7 };		/* 00:02.0, 03:14.7 */

struct machine {
	struct image m;
	struct rig rig;
	struct gsc_translation_options options;
	struct gsc_error err;
	uint64_t root, contexts, pasids, directory, pml4;
};

static void machine_begin(struct machine *v)
{
	memset(v, 0, sizeof(*v));
	image_init(&v->m, BASE, SIZE);
	v->root = image_page(&v->m);
	v->contexts = image_page(&v->m);
	v->directory = image_page(&v->m);
	v->pasids = image_page(&v->m);
	v->pml4 = image_page(&v->m);
	image_put(&v->m, v->root, 8, v->contexts | 1);
}

static void machine_open(struct machine *v)
{
	v->rig = rig_open(&v->m, "skl");
}

static void machine_close(struct machine *v)
{
	rig_close(&v->rig);
	image_free(&v->m);
}

static void put_quads(struct machine *v, uint64_t address, unsigned count, const uint64_t *quads)
{
	for (unsigned i = 0; i < count; i++)
		image_put(&v->m, address + i * 8, 8, quads[i]);
}

static enum gsc_status find(struct machine *v, unsigned type, unsigned function, uint32_t pasid)
{
	memset(&v->options, 0, sizeof(v->options));
	memset(&v->err, 0, sizeof(v->err));
	return gsc_root_pasid(gpu_for(v->rig.source, v->rig.view), v->root | type, function, pasid,
			      &v->options, &v->err);
}

static bool fails(struct machine *v, unsigned type, unsigned function, uint32_t pasid,
		  const char *why)
{
	enum gsc_status status = find(v, type, function, pasid);

	if (status == GSC_UNKNOWN && strstr(v->err.why, why) && !v->options.root.count)
		return true;
	fprintf(stderr, "\n%d: %s: %s\n", status, v->err.what, v->err.why);
	return false;
}

/* ---- extended mode ---------------------------------------------------------------------- */

/* Domain 5, EAFE, NXE and WPE; 64 PASIDs. */
static void put_extended(struct machine *v, uint64_t low, uint64_t high)
{
	put_quads(v, v->contexts + GPU * 32, 3,
		  (uint64_t[]){ low | 1, high | 5 << 8, v->pasids | 1 });
}

static void extended(void)
{
	struct machine v;

	machine_begin(&v);
	put_extended(&v, 0x800, 1 << 25 | 1 << 4 | 1 << 5);
	image_put(&v.m, v.pasids + 7 * 8, 8, v.pml4 | 0x801);
	image_put(&v.m, v.pasids + 8 * 8, 8, v.pml4 | 0x21);
	image_put(&v.m, v.pasids + 63 * 8, 8, v.pml4 | 1);
	machine_open(&v);
	CU_ASSERT_EQUAL(find(&v, EXTENDED, GPU, 7), GSC_OK);
	CU_ASSERT_EQUAL(v.options.root.mode, GSC_MODE_IA32E);
	CU_ASSERT(v.options.root.count == 1 && v.options.root.value[0] == v.pml4);
	CU_ASSERT_EQUAL(v.options.root.flags, GSC_ROOT_KNOWN | GSC_ROOT_EXTENDED_ACCESS |
			GSC_ROOT_NO_EXECUTE | GSC_ROOT_WRITE_PROTECT | GSC_ROOT_SUPERVISOR);
	CU_ASSERT(v.options.root.no_64k && !v.options.vtd.on);
	CU_ASSERT_STRING_EQUAL(v.options.root.from,
		"PASID 7 of 00:02.0: RTADDR_REG 0x180000800, root 0x180000000, "
		"context 0x180001200, PASID 0x180003038");
	CU_ASSERT_EQUAL(find(&v, EXTENDED, GPU, 8), GSC_OK);
	CU_ASSERT(!v.options.root.no_64k && !(v.options.root.flags & GSC_ROOT_SUPERVISOR));
	CU_ASSERT_EQUAL(find(&v, EXTENDED, GPU, 63), GSC_OK);
	CU_ASSERT(fails(&v, EXTENDED, GPU, 64, "has 64 entries"));
	CU_ASSERT(fails(&v, EXTENDED, GPU, 9, "PASID entry at 0x180003048 is 0x0: not present"));
	CU_ASSERT(fails(&v, EXTENDED, GPU + 8, 7, "context entry at 0x180001300 is 0x0"));
	CU_ASSERT(fails(&v, EXTENDED, GPU | 0x80, 7, "upper half of the root entry"));
	CU_ASSERT(fails(&v, EXTENDED, 1 << 8 | GPU, 7,
			"lower half of the root entry at 0x180000010"));
	CU_ASSERT_STRING_EQUAL(v.err.what, "PASID 7 of 01:02.0");
	machine_close(&v);
}

/* The upper half of a root entry has devices 16 to 31. */
static void upper_half(void)
{
	struct machine v;

	machine_begin(&v);
	image_put(&v.m, v.root + 3 * 16 + 8, 8, v.contexts | 1);
	put_quads(&v, v.contexts + (UPPER & 0x7f) * 32, 3,
		  (uint64_t[]){ 0x801, 0, v.pasids });
	image_put(&v.m, v.pasids, 8, v.pml4 | 1);
	machine_open(&v);
	CU_ASSERT_EQUAL(find(&v, EXTENDED, UPPER, 0), GSC_OK);
	CU_ASSERT_EQUAL(v.options.root.value[0], v.pml4);
	CU_ASSERT(fails(&v, EXTENDED, UPPER, 32, "has 32 entries"));
	CU_ASSERT(fails(&v, LEGACY, UPPER, 0, "lower half"));
	machine_close(&v);
}

static void extended_types(void)
{
	static const struct {
		uint64_t low;
		const char *why;
	} cases[] = {
		{ 0x800, NULL }, { 0x804, NULL }, { 0x810, NULL }, { 0x814, NULL },
		{ 0x808, "pass-through" }, { 0x80c, "translation type 3" },
		{ 0x818, "translation type 6" }, { 0x81c, "translation type 7" },
		{ 0x000, "PASIDE 0" }, { 0xc00, "address width" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct machine v;

		machine_begin(&v);
		put_extended(&v, cases[i].low, 0);
		image_put(&v.m, v.pasids, 8, v.pml4 | 1);
		machine_open(&v);
		CU_ASSERT(cases[i].why ? fails(&v, EXTENDED, GPU, 0, cases[i].why) :
					 !find(&v, EXTENDED, GPU, 0));
		machine_close(&v);
	}
}

/* With NESTE the PASID table, the tables and the pages are guest-physical. */
static void extended_nested(void)
{
	const uint64_t va = UINT64_C(0x7f1234567000), guest = UINT64_C(0x3333333000);
	struct gsc_translation *t;
	struct space sl, space;
	struct gsc_walk walk;
	struct machine v;

	machine_begin(&v);
	space_init(&sl, &v.m, NULL, 39, 3);
	space_init(&space, &v.m, &sl, 39, 7);
	space_set(&space, va, 12, guest | 7);
	space_set(&sl, guest, 12, UINT64_C(0x1c0000003));
	space_set(&sl, UINT64_C(0x4444444000), 12, v.pasids | 3);
	put_quads(&v, v.contexts + GPU * 32, 3,
		  (uint64_t[]){ sl.root | 0xc01, 2, UINT64_C(0x4444444000) });
	image_put(&v.m, v.pasids + 5 * 8, 8, space.root | 1);
	machine_open(&v);
	CU_ASSERT_EQUAL_FATAL(find(&v, EXTENDED, GPU, 5), GSC_OK);
	CU_ASSERT(v.options.vtd.on && v.options.vtd.root == sl.root && v.options.vtd.levels == 4);
	CU_ASSERT_EQUAL(v.options.root.value[0], space.root);
	t = rig_translation(&v.rig, &v.options);
	gsc_walk(t, va + 0x123, GSC_INTENT_WRITE, &walk);
	CU_ASSERT(walk.mapped && walk.physical == UINT64_C(0x1c0000123));
	CU_ASSERT_EQUAL(walk.count, 24);
	gsc_translation_free(t);
	rig_close(&v.rig);
	space_set(&sl, UINT64_C(0x4444444000), 12, 0);
	machine_open(&v);
	CU_ASSERT(fails(&v, EXTENDED, GPU, 5, "guest-physical 0x4444444028"));
	CU_ASSERT_PTR_NOT_NULL(strstr(v.err.why, "not-present"));
	machine_close(&v);
}

/* ---- scalable mode ---------------------------------------------------------------------- */

static void put_scalable(struct machine *v, uint32_t pasid, uint64_t low, uint64_t first)
{
	put_quads(v, v->contexts + GPU * 32, 2, (uint64_t[]){ v->directory | 9, 3 });
	image_put(&v->m, v->directory + (pasid >> 6) * 8, 8, v->pasids | 1);
	put_quads(v, v->pasids + (pasid & 63) * 64, 3, (uint64_t[]){ low | 1, 2, first });
}

static void scalable(void)
{
	struct machine v;

	machine_begin(&v);
	put_scalable(&v, 130, 1 << 6, v.pml4 | 0xb1);
	put_scalable(&v, 131, 3 << 6 | 1 << 2 | BASE, v.pml4);
	put_scalable(&v, 132, 2 << 6 | 3 << 2 | BASE, 0);
	put_scalable(&v, 133, 4 << 6, 0);
	put_scalable(&v, 134, 0, v.pml4);
	put_scalable(&v, 135, 5 << 6, v.pml4);
	put_scalable(&v, 136, 2 << 6, 0);
	put_scalable(&v, 137, 1 << 6, v.pml4 | 4);
	machine_open(&v);
	CU_ASSERT_EQUAL(find(&v, SCALABLE, GPU, 130), GSC_OK);
	CU_ASSERT_EQUAL(v.options.root.mode, GSC_MODE_IA32E);
	CU_ASSERT_EQUAL(v.options.root.value[0], v.pml4);
	CU_ASSERT_EQUAL(v.options.root.flags, GSC_ROOT_KNOWN | GSC_ROOT_EXTENDED_ACCESS |
			GSC_ROOT_NO_EXECUTE | GSC_ROOT_WRITE_PROTECT | GSC_ROOT_SUPERVISOR);
	CU_ASSERT(v.options.root.no_64k && !v.options.vtd.on);
	CU_ASSERT_STRING_EQUAL(v.options.root.from,
		"PASID 130 of 00:02.0: RTADDR_REG 0x180000400, root 0x180000000, "
		"context 0x180001200, directory 0x180002010, PASID 0x180003080");
	CU_ASSERT_EQUAL(find(&v, SCALABLE, GPU, 131), GSC_OK);
	CU_ASSERT(v.options.vtd.on && v.options.vtd.root == BASE && v.options.vtd.levels == 3);
	CU_ASSERT(v.options.root.value[0] == v.pml4 && v.options.root.flags == GSC_ROOT_KNOWN);
	CU_ASSERT_EQUAL(find(&v, SCALABLE, GPU, 132), GSC_OK);
	CU_ASSERT(v.options.root.mode == GSC_MODE_VTD && v.options.root.count == 2);
	CU_ASSERT(v.options.root.value[0] == BASE && v.options.root.value[1] == 5);
	CU_ASSERT(fails(&v, SCALABLE, GPU, 133, "pass-through"));
	CU_ASSERT(fails(&v, SCALABLE, GPU, 134, "translation type 0"));
	CU_ASSERT(fails(&v, SCALABLE, GPU, 135, "translation type 5"));
	CU_ASSERT(fails(&v, SCALABLE, GPU, 136, "address width"));
	CU_ASSERT(fails(&v, SCALABLE, GPU, 137, "5 levels"));
	CU_ASSERT(fails(&v, SCALABLE, GPU, 138, "PASID entry at 0x180003280"));
	CU_ASSERT(fails(&v, SCALABLE, GPU, 64, "directory entry at 0x180002008 is 0x0"));
	CU_ASSERT(fails(&v, SCALABLE, GPU, 128 * 64, "has 128 entries"));
	machine_close(&v);
}

/* Without PASIDE the PASID of requests without one is still looked up. */
static void scalable_own(void)
{
	struct machine v;

	machine_begin(&v);
	put_scalable(&v, 3, 1 << 6, v.pml4);
	put_scalable(&v, 4, 1 << 6, v.pml4);
	image_put(&v.m, v.contexts + GPU * 32, 8, v.directory | 1);
	machine_open(&v);
	CU_ASSERT_EQUAL(find(&v, SCALABLE, GPU, 3), GSC_OK);
	CU_ASSERT(fails(&v, SCALABLE, GPU, 4, "PASIDE 0"));
	machine_close(&v);
}

/* ---- the rest --------------------------------------------------------------------------- */

static void legacy(void)
{
	struct machine v;

	machine_begin(&v);
	put_quads(&v, v.contexts + GPU * 16, 2, (uint64_t[]){ v.pml4 | 5, 0x102 });
	put_quads(&v, v.contexts + (GPU + 1) * 16, 2, (uint64_t[]){ 9, 0x102 });
	machine_open(&v);
	CU_ASSERT(fails(&v, LEGACY, GPU, 1, "legacy mode, which has no PASIDs; the second level of "
			"the function is 0x180004000/4"));
	CU_ASSERT(fails(&v, LEGACY, GPU + 1, 1, "no PASIDs (path"));
	CU_ASSERT(fails(&v, LEGACY, GPU + 2, 1, "not present"));
	CU_ASSERT(fails(&v, ABORT, GPU, 1, "aborted"));
	v.root = UINT64_C(0x900000000);
	CU_ASSERT(fails(&v, EXTENDED, GPU, 1,
			"root entry at 0x900000000 cannot be read: no source"));
	CU_ASSERT_EQUAL(find(&v, EXTENDED, 0x10000, 1), GSC_USAGE);
	CU_ASSERT_EQUAL(find(&v, EXTENDED, GPU, 1 << 20), GSC_USAGE);
	machine_close(&v);
}

/* What the user says stays, if the tables say nothing about it. */
static void kept_options(void)
{
	struct machine v;

	machine_begin(&v);
	put_extended(&v, 0x800, 0);
	image_put(&v.m, v.pasids, 8, v.pml4 | 1);
	machine_open(&v);
	v.options.vtd = (struct gsc_second_level){ true, 0x1000, 3 };
	v.options.trtt.on = true;
	CU_ASSERT_EQUAL(gsc_root_pasid(gpu_for(v.rig.source, v.rig.view), v.root | EXTENDED, GPU, 0,
				       &v.options, &v.err), GSC_OK);
	CU_ASSERT(v.options.vtd.on && v.options.vtd.root == 0x1000 && v.options.trtt.on);
	machine_close(&v);
}

/* Entries as kernels print them: the high words may be missing. */
static void entries(void)
{
	static const struct {
		const char *level;
		uint64_t quads[4];
		unsigned count;
		const char *name;
		uint64_t address;
		const char *field;
		uint64_t value;
	} cases[] = {
		{ "vtd-root", { 0x10303e001 }, 2, "VTD_ROOT", 0x10303e000, "LOWER_PRESENT", 1 },
		{ "vtd-root", { 0, 0x10303e001 }, 2, "VTD_ROOT", 0, "UPPER_ADDRESS", 0x10303e000 },
		{ "vtd-context", { 0x10303f005, 0x102 }, 2, "VTD_CONTEXT", 0x10303f000,
		  "TRANSLATION_TYPE", 1 },
		{ "vtd-context", { 0x10303f005, 0x102 }, 2, "VTD_CONTEXT", 0x10303f000,
		  "ADDRESS_WIDTH", 2 },
		{ "vtd-context", { 0x10303f005, 0x102 }, 2, "VTD_CONTEXT", 0x10303f000,
		  "DOMAIN_ID", 1 },
		{ "vtd-context-sm", { 0x103220e7d }, 2, "VTD_SCALABLE_CONTEXT", 0x103220000,
		  "PASID_DIRECTORY_SIZE", 7 },
		{ "vtd-context", { 0x801, 0, 0x123451, 0 }, 4, "VTD_EXTENDED_CONTEXT", 0,
		  "PASID_TABLE", 0x123000 },
		{ "vtd-pasid", { 0x1038a5089, 0x800002 }, 3, "VTD_PASID", 0x1038a5000,
		  "TRANSLATION_TYPE", 2 },
		{ "vtd-pasid", { 0x1038a5089, 0x800002 }, 3, "VTD_PASID", 0x1038a5000,
		  "PAGE_WALK_SNOOP", 1 },
		{ "vtd-pasid", { 0x41, 0, 0x1234000 }, 3, "VTD_PASID", 0,
		  "FIRST_LEVEL", 0x1234000 },
		{ "vtd-pasid", { 0x1234801 }, 1, "VTD_EXTENDED_PASID", 0x1234000,
		  "SUPERVISOR_REQUESTS_ENABLE", 1 },
		{ "vtd-sl", { 0x8d800003 }, 1, "VTD_SL_PTE", 0x8d800000, "WRITE", 1 },
		{ "vtd-irte", { 0x20026000d, 0x40010 }, 2, "VTD_IRTE", 0, "VECTOR", 0x26 },
		{ "vtd-irte", { 0x20026000d, 0x40010 }, 2, "VTD_IRTE", 0, "DESTINATION", 2 },
		{ "vtd-irte", { 0x20026000d, 0x40010 }, 2, "VTD_IRTE", 0, "SOURCE_ID", 0x10 },
		{ "vtd-irte", { UINT64_C(0xabcdef4000268001), UINT64_C(0x100040010) }, 2,
		  "VTD_IRTE", 0, "POSTED_DESCRIPTOR", UINT64_C(0x1abcdef40) },
	};
	struct machine v;
	struct gsc_entry entry;
	bool has;

	machine_begin(&v);
	machine_open(&v);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t words[GSC_ENTRY_WORDS] = { 0 };

		for (unsigned k = 0; k < cases[i].count; k++) {
			words[2 * k] = (uint32_t)cases[i].quads[k];
			words[2 * k + 1] = (uint32_t)(cases[i].quads[k] >> 32);
		}
		CU_ASSERT_EQUAL_FATAL(gsc_entry_decode(v.rig.view, GSC_MODE_VTD, cases[i].level,
						       words, cases[i].count * 2, &entry, &v.err),
				      GSC_OK);
		CU_ASSERT_STRING_EQUAL(entry.item.name, cases[i].name);
		CU_ASSERT_EQUAL(entry.address, cases[i].address);
		CU_ASSERT_EQUAL(gsc_entry_value(v.rig.view, &entry, cases[i].field, &has),
				cases[i].value);
		CU_ASSERT_TRUE(has);
		CU_ASSERT_EQUAL(entry.valid, cases[i].quads[0] & 1);
	}
	machine_close(&v);
}

SUITE(pasid,
	{ "extended mode", extended },
	{ "the upper half of a root entry", upper_half },
	{ "extended mode: translation types", extended_types },
	{ "extended mode: nested", extended_nested },
	{ "scalable mode", scalable },
	{ "scalable mode: requests without PASID", scalable_own },
	{ "legacy mode and what is not there", legacy },
	{ "what the user says", kept_options },
	{ "entries", entries })
