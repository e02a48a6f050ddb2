/* SPDX-License-Identifier: MIT */
/* The kernel's VT-d debug files as a source. */
#include "aub-helpers.h"
#include "gtt/gtt.h"
#include "gpu-for.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOTS                                                                                      \
	"IOMMU dmar0: Root Table Address: 0x103027000\n"                                           \
	"B.D.F\tRoot_entry\t\t\t\tContext_entry\t\t\t\tPASID\tPASID_table_entry\n"                 \
	"00:02.0\t0x0000000000000000:0x000000010303e001\t"                                         \
	"0x0000000000000102:0x000000010303f005\t-1    \t"                                          \
	"0x0000000000000000:0x0000000000000000:0x0000000000000000\n"                               \
	"03:14.7\t0x000000010304f001:0x000000010304e001\t"                                         \
	"0x0000000000000000:0x000000010303f00d\t0     \t"                                          \
	"0x0000000000000000:0x0000000000800002:0x00000001038a5089\n"

/* As the kernel's documentation prints them. */
#define ROOTS_IN_THREE                                                                             \
	"IOMMU dmar1: Root Table Address: 0x103028000\n"                                           \
	"B.D.F   Root_entry\n"                                                                     \
	"00:0a.0 0x0000000000000000:0x00000001038a7001\n"                                          \
	"Context_entry\n"                                                                          \
	"0x0000000000000000:0x0000000103220e7d\n"                                                  \
	"PASID   PASID_table_entry\n"                                                              \
	"0       0x0000000000000000:0x0000000000800002:0x00000001038a5089\n"                       \
	"00:0b.0 0x0000000000000000:0x00000001038a7001\n"                                          \
	"Context_entry\n"                                                                          \
	"0x0000000000000102:0x0000000103221005\n"                                                  \
	"PASID   PASID_table_entry\n"                                                              \
	"-1      0x0000000000000000:0x0000000000000000:0x0000000000000000\n"

#define INTERRUPTS                                                                                 \
	"Remapped Interrupt supported on IOMMU: dmar1\n"                                           \
	" IR table address:100300000\n"                                                            \
	" Entry SrcID   DstID    Vct IRTE_high\t\tIRTE_low\n"                                      \
	" 0     00:02.0 00000002 26  0000000000040010\t000000020026000d\n"                         \
	" 17    00:0a.0 00000001 ef  0000000000040050\t0000000100ef000d\n"

#define PAGES                                                                                      \
	"Device 0000:00:02.0 @0x1017f8000\n"                                                       \
	"IOVA_PFN          \tPML5E             \tPML4E             \tPDPE\tPDE\tPTE\n"             \
	"0x000000008d800 |\t0x0000000000000000\t0x00000001017f9003\t0x00000001017fa003\t"          \
	"0x00000001017fb003\t0x000000008d800003\n"                                                 \
	"0x000000008d801 |\t0x0000000000000000\t0x00000001017f9003\t0x00000001017fa003\t"          \
	"0x00000001017fb003\t0x000000008d801003\n"                                                 \
	"0x0000000100000 |\t0x0000000000000000\t0x00000001017f9003\t0x0000000140000083\n"          \
	"0x0000000140200 |\t0x0000000000000000\t0x00000001017f9003\t0x00000001017fc003\t"          \
	"0x0000000150200083\n"                                                                     \
	"Device 0000:00:0a.0 with pasid 1 @0x10c112000\n"                                          \
	"0x0000000000000 |\t0x0000000000000000\t0x0000000000000000\t0x0000000106ae6003\t"          \
	"0x0000000104b38003\t0x0000000147c00803\n"                                                 \
	"Device 0000:00:0b.0 @0x10d112000\n"                                                       \
	"0x0008000000001 |\t0x000000010df93003\t0x000000010df94003\t0x0000000106ae7003\t"          \
	"0x0000000104b39003\t0x0000000147c01803\n"

static uint64_t quad(struct gsc_source *s, uint64_t address)
{
	return value_at(s, GSC_PHYS, address, 8);
}

static uint64_t held_quads(struct gsc_source *s)
{
	uint64_t start = 0, length = 0, count = 0;

	while (gsc_extent(s, GSC_PHYS, start + length, &start, &length))
		count += length / 8;
	return count;
}

static void check_all(struct gsc_source *s)
{
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "VT-d text");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	/* Root entries by bus; context entries of 16 bytes, or of 32 where there are PASIDs. */
	CU_ASSERT_EQUAL(quad(s, 0x103027000), 0x10303e001);
	CU_ASSERT_EQUAL(quad(s, 0x103027008), 0);
	CU_ASSERT_EQUAL(quad(s, 0x10303e000 + 0x10 * 16), 0x10303f005);
	CU_ASSERT_EQUAL(quad(s, 0x10303e000 + 0x10 * 16 + 8), 0x102);
	CU_ASSERT_EQUAL(quad(s, 0x103027030), 0x10304e001);
	CU_ASSERT_EQUAL(quad(s, 0x103027038), 0x10304f001);
	CU_ASSERT_EQUAL(quad(s, 0x10304f000 + 0x27 * 32), 0x10303f00d);
	CU_ASSERT_EQUAL(quad(s, 0x103028000), 0x1038a7001);
	CU_ASSERT_EQUAL(quad(s, 0x1038a7000 + 0x50 * 32), 0x103220e7d);
	CU_ASSERT_EQUAL(quad(s, 0x1038a7000 + 0x58 * 16), 0x103221005);
	CU_ASSERT_EQUAL(quad(s, 0x1038a7000 + 0x58 * 16 + 8), 0x102);
	CU_ASSERT_EQUAL(quad(s, 0x100300000), 0x20026000d);
	CU_ASSERT_EQUAL(quad(s, 0x100300008), 0x40010);
	CU_ASSERT_EQUAL(quad(s, 0x100300000 + 17 * 16), 0x100ef000d);
	CU_ASSERT_EQUAL(quad(s, 0x1017f8000), 0x1017f9003);
	CU_ASSERT_EQUAL(quad(s, 0x1017f9000 + 2 * 8), 0x1017fa003);
	CU_ASSERT_EQUAL(quad(s, 0x1017f9000 + 4 * 8), 0x140000083);
	CU_ASSERT_EQUAL(quad(s, 0x1017fa000 + 0x6c * 8), 0x1017fb003);
	CU_ASSERT_EQUAL(quad(s, 0x1017fb000), 0x8d800003);
	CU_ASSERT_EQUAL(quad(s, 0x1017fb008), 0x8d801003);
	/* Tables of three and of five levels. */
	CU_ASSERT_EQUAL(quad(s, 0x10c112000), 0x106ae6003);
	CU_ASSERT_EQUAL(quad(s, 0x104b38000), 0x147c00803);
	CU_ASSERT_EQUAL(quad(s, 0x10d112000 + 8 * 8), 0x10df93003);
	CU_ASSERT_EQUAL(quad(s, 0x104b39000 + 8), 0x147c01803);
	CU_ASSERT_EQUAL(held_quads(s), 3 * 2 + 4 * 2 + 2 * 2 + 8 + 3 + 5);
}

static void all_files(void)
{
	static const char text[] = ROOTS ROOTS_IN_THREE INTERRUPTS PAGES;
	struct gsc_source *s = open_bytes(text, strlen(text));

	check_all(s);
	gsc_source_close(s);
}

/* The tables of 00:02.0 are a root, or those of the only function; not those of a PASID. */
static bool domain_is(const char *text, uint64_t root, uint64_t levels, const char *from)
{
	char *path = temporary_file(text, strlen(text));
	struct gsc_source *s = open_spec("%s", path, "skl");
	struct gsc_view *view = view_of(s);
	struct gsc_root *roots = NULL;
	size_t count = 0;
	bool right;

	drop_file(path);
	CU_ASSERT_EQUAL(gsc_roots(gpu_for(s, view), &roots, &count, NULL), GSC_OK);
	right = !root && !count;
	if (root && count == 1)
		right = roots->mode == GSC_MODE_VTD && roots->count == 2 &&
			roots->value[0] == root && roots->value[1] == levels &&
			!strcmp(roots->from, from);
	free(roots);
	gsc_view_free(view);
	gsc_source_close(s);
	return right;
}

static void domains(void)
{
	CU_ASSERT(domain_is("Device 0000:03:00.0 @0x5000\n" PAGES, 0x1017f8000, 4,
			    "domain of 00:02.0"));
	CU_ASSERT(domain_is("Device 0000:03:00.0 @0x5000\n"
			    "0x0000000000000 |\t0x0000000000000000\t0x0000000000000000\t"
			    "0x0000000000006003\t0x0000000000007003\t0x0000000000008003\n",
			    0x5000, 3, "domain of 03:00.0"));
	CU_ASSERT(domain_is("Device 0000:00:02.0 @0x5000\n"
			    "0x0000000000000 |\t0x0000000000005003\t0x0000000000006003\t"
			    "0x0000000000007003\t0x0000000000008003\t0x0000000000009003\n",
			    0x5000, 5, "domain of 00:02.0"));
	CU_ASSERT(domain_is("Device 0000:00:02.0 @0x5000\n", 0x5000, 4, "domain of 00:02.0"));
	CU_ASSERT(domain_is("Device 0000:00:02.0 with pasid 1 @0x5000\n", 0, 0, ""));
	CU_ASSERT(domain_is("Device 0000:03:00.0 @0x5000\nDevice 0000:04:00.0 @0x6000\n", 0, 0,
			    ""));
	CU_ASSERT(domain_is("Device 00:02.0 @0x5000\nDevice  @0x5000\n", 0, 0, ""));
}

/* The text with every line changed: `> ` in front, CR behind. */
static char *mailed(const char *text)
{
	char *out = malloc(strlen(text) * 3 + 16), *at = out;

	for (bool begin = true; *text; text++) {
		if (begin)
			at = stpcpy(at, "> ");
		begin = *text == '\n';
		if (begin)
			*at++ = '\r';
		*at++ = *text;
	}
	*at = '\0';
	return out;
}

static void as_mail_has_it(void)
{
	char *text = mailed("Hello,\n\nhere is what I have:\n\n== roots ==\n" ROOTS ROOTS_IN_THREE
			    "== more ==\n" INTERRUPTS PAGES "****\nBye\n");
	struct gsc_source *s = open_bytes(text, strlen(text));

	check_all(s);
	gsc_source_close(s);
	free(text);
}

/* Each alone is recognised, and needs no heading of columns. */
static void each_alone(void)
{
	static const char *const texts[] = { ROOTS, ROOTS_IN_THREE, INTERRUPTS, PAGES };

	for (size_t i = 0; i < 4; i++) {
		struct gsc_source *s = open_bytes(texts[i], strlen(texts[i]));

		CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "VT-d text");
		CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
		CU_ASSERT(held_quads(s) >= 4);
		gsc_source_close(s);
	}
}

/* A row that breaks off, or whose table's address is lost, is left out and reported. */
static void damage(void)
{
	static const char text[] = PAGES;
	static const char homeless[] =
		"IOVA_PFN PML5E PML4E PDPE PDE PTE\n"
		"0x000000008d801 | 0x0000000000000000 0x00000001017f9003 0x00000001017fa003\n"
		"IOMMU dmar0: Root Table Address: 0x1030zz000\n"
		"00:02.0 0x0000000000000000:0x000000010303e001 0x0000000000000102:0x00000001\n";
	struct gsc_source *s = open_bytes(text, strstr(text, "1017fb003\t0x000000008d801") - text);

	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "line 4: a damaged row"));
	CU_ASSERT_EQUAL(held_quads(s), 4);
	gsc_source_close(s);
	s = open_bytes(homeless, strlen(homeless));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 2);
	CU_ASSERT(note_has(s, 0, "line 3: a damaged row, left out (2 of this kind)"));
	CU_ASSERT(note_has(s, 1, "line 2: a row without the address"));
	CU_ASSERT_EQUAL(held_quads(s), 0);
	gsc_source_close(s);
	survive_damage("%s", ROOTS ROOTS_IN_THREE INTERRUPTS PAGES,
		       strlen(ROOTS ROOTS_IN_THREE INTERRUPTS PAGES), 37);
}

/* Addresses at the end of the range, and tables that are one. */
static void extremes(void)
{
	static const char text[] =
		"IOMMU d: Root Table Address: 0xfffff00000000fff\n"
		"ff:1f.7 0xffffffffffffffff:0xffffffffffffffff "
		"0xffffffffffffffff:0xffffffffffffffff "
		"0 0xffffffffffffffff:0xffffffffffffffff:0xffffffffffffffff\n"
		" IR table address:ffffffffffffffff\n"
		" 65535 ff:1f.7 ffffffff ff ffffffffffffffff ffffffffffffffff\n"
		" 65536 ff:1f.7 ffffffff ff ffffffffffffffff ffffffffffffffff\n"
		"Device 0000:00:02.0 @0xffffffffffffffff\n"
		"0xfffffffffffff | 0xffffffffffffff7f 0xffffffffffffff7f 0xffffffffffffff7f "
		"0xffffffffffffff7f 0xffffffffffffff7f\n";
	struct gsc_source *s = open_bytes(text, strlen(text));

	CU_ASSERT_EQUAL(quad(s, UINT64_C(0xffffffffff000) + 511 * 8), UINT64_C(0xffffffffffffff7f));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "line 5"));
	gsc_source_close(s);
}

static void not_ours(void)
{
	static const char trace[] = "[ 1.5] W 0xc5100: 0x7\n[ 1.6] R 0xc5104: 0x8\n";
	struct gsc_source *s = open_bytes(trace, strlen(trace));

	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "register text");
	gsc_source_close(s);
}

SUITE(vtd_text,
	{ "all files in one", all_files },
	{ "domains", domains },
	{ "quoted, with CR", as_mail_has_it },
	{ "each file alone", each_alone },
	{ "damage", damage },
	{ "extreme numbers", extremes },
	{ "other texts", not_ours })

/* ---- the samples of the kernel's documentation (GPUSCOPE_CORPUS) ------------------------ */

static struct gsc_source *open_corpus(void)
{
	const char *folder = getenv("GPUSCOPE_CORPUS"), *specs[1];
	char path[512];

	if (!folder || !*folder) {
		printf("no corpus given, skipped ");
		return NULL;
	}
	snprintf(path, sizeof(path), "%s/vtd/kbl-kernel-doc-debugfs-samples.txt", folder);
	specs[0] = path;
	return open_specs(specs, 1, "kbl");
}

static bool maps(struct gsc_source *s, const struct gsc_view *view, uint64_t root, uint64_t address,
		 uint64_t physical)
{
	struct gsc_translation_options options = {
		.root = { .mode = GSC_MODE_VTD, .value = { root }, .count = 1 },
	};
	struct gsc_translation *t;
	struct gsc_walk walk;
	struct gsc_error err;

	if (gsc_translation_new(&t, gpu_for(s, view), &options, &err))
		return false;
	gsc_walk(t, address, GSC_INTENT_WRITE, &walk);
	gsc_translation_free(t);
	return walk.mapped && walk.physical == physical && walk.count == 4;
}

static void samples(void)
{
	struct gsc_source *s = open_corpus();
	struct gsc_translation_options options = { 0 };
	struct gsc_view *view;
	struct gsc_error err;

	if (!s)
		return;
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, (struct gsc_db *)s->db,
					   (unsigned)gsc_source_platform(s), 0, &err), GSC_OK);
	for (unsigned i = 0; i < 3; i++) {
		CU_ASSERT(maps(s, view, 0x1017f8000, 0x8d800000 + i * 0x1000 + 0x123,
			       0x8d800000 + i * 0x1000 + 0x123));
		CU_ASSERT(maps(s, view, 0x10c112000, i * 0x1000 + 0x456,
			       0x147c00000 + i * 0x1000 + 0x456));
	}
	CU_ASSERT_FALSE(maps(s, view, 0x1017f8000, 0x8d803000, 0x8d803000));
	/* The directory of PASID tables is not printed: the walk ends there. */
	CU_ASSERT_EQUAL(gsc_root_pasid(gpu_for(s, view), 0x103028400, 0x50, 0, &options,
				       &err), GSC_UNKNOWN);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "directory entry at 0x103220000 cannot be read"));
	CU_ASSERT_EQUAL(gsc_root_pasid(gpu_for(s, view), 0x103027000, 0x10, 0, &options,
				       &err), GSC_UNKNOWN);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "second level of the function is 0x10303f000/4"));
	CU_ASSERT_EQUAL(quad(s, 0x100900000), 0x800024000d);
	CU_ASSERT_EQUAL(quad(s, 0x100900018), 0x40050);
	gsc_view_free(view);
	gsc_source_close(s);
}

SUITE(vtd_corpus,
	{ "samples of the kernel's documentation", samples })
