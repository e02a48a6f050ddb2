/* SPDX-License-Identifier: MIT */
/* Windows of the machine's address space, and inconsistencies. */
#include "aub-helpers.h"
#include "gpu-for.h"
#include "gtt/windows.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>

#define WINDOWS 32

struct windows {
	struct gsc_window items[WINDOWS];
	size_t count;
};

static void survey(struct windows *w, struct gsc_source *source)
{
	struct gsc_view *view = view_of(source);
	struct gsc_window *found;

	CU_ASSERT_EQUAL_FATAL(gsc_windows(gpu_for(source, view), &found, &w->count, NULL), GSC_OK);
	CU_ASSERT_FATAL(w->count <= WINDOWS);
	if (w->count)
		memcpy(w->items, found, w->count * sizeof(*found));
	free(found);
	gsc_view_free(view);
	gsc_source_close(source);
}

static const struct gsc_window *named(const struct windows *w, const char *name)
{
	static const struct gsc_window none = { .problem = "there is no such window" };
	size_t i = 0;

	while (i < w->count && strcmp(w->items[i].name, name))
		i++;
	return i < w->count ? &w->items[i] : &none;
}

/* It exists, with that size, and nothing is wrong with it. */
static bool is(const struct windows *w, const char *name, uint64_t start, uint64_t length,
	       const char *from)
{
	const struct gsc_window *found = named(w, name);

	if (found->start == start && found->length == length && !*found->problem &&
	    strstr(found->from, from))
		return true;
	fprintf(stderr, "\n%s: 0x%llx, 0x%llx bytes, \"%s\", \"%s\"\n", name,
		(unsigned long long)found->start, (unsigned long long)found->length, found->from,
		found->problem);
	return false;
}

static bool wrong(const struct windows *w, const char *name, const char *problem)
{
	const struct gsc_window *found = named(w, name);

	if (strstr(found->problem, problem))
		return true;
	fprintf(stderr, "\n%s: \"%s\"\n", name, found->problem);
	return false;
}

/* A config space of a Skylake with some dwords changed: pairs of offset and value, ended by 0, 0. */
static void config(struct windows *w, const uint32_t *changes)
{
	static const uint32_t healthy[][2] = {
		{ 0x00, 0x19128086 }, { 0x04, 0x00100407 }, { 0x08, 0x03000006 },
		{ 0x10, 0xde000004 }, { 0x18, 0xc000000c }, { 0x50, 0x02c1 },
		{ 0x5c, 0x8b800001 }, { 0x60, 0x00010000 },
	};
	uint32_t words[64] = { 0 };
	struct gsc_source *source;
	char *path;

	for (size_t i = 0; i < ARRAY_SIZE(healthy); i++)
		words[healthy[i][0] / 4] = healthy[i][1];
	for (; changes[0] || changes[1]; changes += 2)
		words[changes[0] / 4] = changes[1];
	path = temporary_file(words, sizeof(words));
	source = open_spec("config:%s", path, "skl");
	drop_file(path);
	survey(w, source);
}

#define CONFIG(w, ...) config(w, (const uint32_t[]){ __VA_ARGS__, 0, 0 })

static void demos(void)
{
	struct windows w;

	survey(&w, open_spec("demo:%s", "snb-hang", NULL));
	CU_ASSERT(is(&w, "GTTMMADR", 0xf5400000, 4 << 20, "config 0x10 GTTMMADR 0xf5400004"));
	CU_ASSERT(is(&w, "GTTADR", 0xf5600000, 2 << 20, "GTTMMADR + 2 MB"));
	CU_ASSERT(is(&w, "GMADR", 0xe0000000, 256 << 20, "first 256 MB of 2 GB"));
	CU_ASSERT(is(&w, "GSM", 0xbb800000, 2 << 20, "mmio 0x108100 MBGSM 0xbb800001"));
	CU_ASSERT(is(&w, "DSM", 0xbba00000, 64 << 20, "config 0x5c BDSM 0xbba00001"));
	CU_ASSERT(is(&w, "WOPCM", 0xbf900000, 1 << 20, "STOLEN_RESERVED"));
	CU_ASSERT(is(&w, "MCHBAR alias", 0xf5540000, 256 << 10, "GTTMMADR + 0x140000"));
	CU_ASSERT_EQUAL(w.count, 7);
	survey(&w, open_spec("demo:%s", "skl-hang", NULL));
	CU_ASSERT(is(&w, "GTTADR", 0xde800000, 8 << 20, "GTTMMADR + 8 MB"));
	CU_ASSERT(is(&w, "null range", 0xde170000, 64 << 10, "GTTMMADR + 0x170000"));
	survey(&w, open_spec("demo:%s", "icl-trtt", NULL));
	CU_ASSERT(is(&w, "GTTMMADR", UINT64_C(0x604a000000), 16 << 20, "config 0x10"));
	CU_ASSERT(is(&w, "TR-TT", UINT64_C(0x500000000000), UINT64_C(1) << 44, "rcs0"));
	CU_ASSERT(wrong(&w, "GMADR", "its size is unknown"));
	CU_ASSERT_EQUAL(named(&w, "GMADR")->start, UINT64_C(0x4000000000));
}

static void healthy(void)
{
	struct windows w;

	CONFIG(&w, 0x08, 0x03000006);
	CU_ASSERT(is(&w, "GTTMMADR", 0xde000000, 16 << 20, ""));
	CU_ASSERT(is(&w, "GMADR", 0xc0000000, 256 << 20, "MSAC 0x1"));
	CU_ASSERT(is(&w, "GSM", 0x8b000000, 8 << 20, "below DSM, config 0x50 GGC 0x2c1"));
	CU_ASSERT(is(&w, "DSM", 0x8b800000, 64 << 20, "config 0x5c BDSM"));
	CONFIG(&w, 0x50, 0xf0c1);
	CU_ASSERT(is(&w, "DSM", 0x8b800000, 4 << 20, ""));
}

static void bars(void)
{
	struct windows w;

	CONFIG(&w, 0x10, 0xde800004);
	CU_ASSERT(wrong(&w, "GTTMMADR", "not aligned to its size of 16 MB"));
	CONFIG(&w, 0x10, 4);
	CU_ASSERT(wrong(&w, "GTTMMADR", "it has no address assigned"));
	CONFIG(&w, 0x10, 0xde000005);
	CU_ASSERT(wrong(&w, "GTTMMADR", "an I/O port range"));
	CONFIG(&w, 0x04, 0x00100405);
	CU_ASSERT(wrong(&w, "GTTMMADR", "memory access is off"));
	CU_ASSERT(wrong(&w, "GMADR", "memory access is off"));
	CONFIG(&w, 0x18, 0xc800000c);
	CU_ASSERT(wrong(&w, "GMADR", "not aligned to its size of 256 MB"));
	CONFIG(&w, 0x60, 0x00040000);
	CU_ASSERT(wrong(&w, "GMADR", "MSAC 0x4 is an illegal size"));
	CU_ASSERT_EQUAL(named(&w, "GMADR")->length, 1 << 30);
	CONFIG(&w, 0x50, 0x0241, 0x60, 0x001f0000, 0x18, 0xc, 0x1c, 0x40);
	CU_ASSERT(wrong(&w, "GMADR", "4 GB, but the GGTT maps only 1 GB"));
	CU_ASSERT_EQUAL(named(&w, "GMADR")->start, UINT64_C(0x4000000000));
	CONFIG(&w, 0x10, 0xc8000004);
	CU_ASSERT(wrong(&w, "GMADR", "overlaps GTTMMADR"));
}

/* What is unknown is missing only if something says so. */
static void not_told(void)
{
	struct windows w;

	CONFIG(&w, 0x5c, 0xffffffff);
	CU_ASSERT_EQUAL(named(&w, "DSM")->status, GSC_READ_ALL_ONES);
	CU_ASSERT(!named(&w, "DSM")->start && !named(&w, "DSM")->length);
	CU_ASSERT(wrong(&w, "DSM", "BDSM is all-ones"));
	CU_ASSERT_EQUAL(named(&w, "GSM")->status, GSC_READ_ALL_ONES);
	CONFIG(&w, 0x10, 0xffffffff, 0x14, 0xffffffff);
	CU_ASSERT_EQUAL(named(&w, "GTTMMADR")->status, GSC_READ_ALL_ONES);
	/* GGC says that there is neither a table nor data. */
	CONFIG(&w, 0x50, 1);
	CU_ASSERT_EQUAL(named(&w, "DSM")->status, GSC_READ_OK);
	CU_ASSERT(!named(&w, "DSM")->start && !named(&w, "DSM")->length);
	CU_ASSERT(is(&w, "GTTADR", 0, 0, "GGC gives the table no memory"));
	CU_ASSERT_EQUAL(named(&w, "GSM")->status, GSC_READ_OK);
	CU_ASSERT(!named(&w, "GSM")->start);
	CONFIG(&w, 0x50, 0xffc1);
	CU_ASSERT_EQUAL(named(&w, "DSM")->start, 0x8b800000);
}

/* The first 64 bytes of config space, as lspci -x has them. */
static void header_only(void)
{
	static const uint32_t words[16] = { [0] = 0x19128086, [1] = 7, [2] = 0x03000006,
					    [4] = 0xde000004, [6] = 0xc000000c };
	struct windows w;
	struct gsc_source *source;
	char *path = temporary_file(words, sizeof(words));

	source = open_spec("config:%s", path, "skl");
	drop_file(path);
	survey(&w, source);
	CU_ASSERT(is(&w, "GTTMMADR", 0xde000000, 16 << 20, ""));
	CU_ASSERT_EQUAL(named(&w, "DSM")->status, GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(named(&w, "GSM")->status, GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(named(&w, "GMADR")->status, GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(named(&w, "GMADR")->start, 0xc0000000);
}

static void stolen(void)
{
	struct windows w;

	CONFIG(&w, 0x50, 0x02c1, 0x5c, 0xbfc00001);
	CU_ASSERT(wrong(&w, "DSM", "overlaps GMADR"));
	CU_ASSERT(is(&w, "GSM", 0xbf400000, 8 << 20, ""));
	CONFIG(&w, 0x50, 0xffc1);
	CU_ASSERT(wrong(&w, "DSM", "GGC 0xffc1: reserved size"));
	CONFIG(&w, 0x50, 0x0201);
	CU_ASSERT(wrong(&w, "GSM", "GGC gives the table no memory"));
	CONFIG(&w, 0x5c, 0);
	CU_ASSERT(wrong(&w, "DSM", "begins at 0"));
}

/* Registers beside config space: the same facts, given twice. */
static void mirrors(const char *text, struct windows *w)
{
	static const uint32_t words[64] = {
		[0] = 0x59128086, [1] = 7, [2] = 0x03000004, [4] = 0xde000004, [6] = 0xc000000c,
		[0x50 / 4] = 0x02c1, [0x5c / 4] = 0x8b800001, [0x60 / 4] = 0x00010000,
	};
	char *image = temporary_file(words, sizeof(words));
	char *registers = temporary_file(text, strlen(text)), spec[64];
	const char *specs[] = { spec, registers };

	snprintf(spec, sizeof(spec), "config:%s", image);
	survey(w, open_specs(specs, 2, "kbl"));
	drop_file(image);
	drop_file(registers);
}

static void told_twice(void)
{
	struct windows w;

	mirrors("0x1080c0 0x8b800001\n0x108100 0x8b000001\n0x108000 0x8f800001\n"
		"0x1082c0 0x8f700001\n", &w);
	CU_ASSERT(is(&w, "DSM", 0x8b800000, 64 << 20, ""));
	CU_ASSERT(is(&w, "GSM", 0x8b000000, 8 << 20, "MBGSM"));
	CU_ASSERT(is(&w, "WOPCM", 0x8f700000, 1 << 20, ""));
	mirrors("0x1080c0 0x8b900001\n0x108100 0x8b400001\n", &w);
	CU_ASSERT(wrong(&w, "DSM", "MBDSM says 0x8b900001"));
	CU_ASSERT(wrong(&w, "DSM", "overlaps GSM"));
	mirrors("0x108100 0x8a000001\n0x108000 0x8f000001\n", &w);
	CU_ASSERT(wrong(&w, "DSM", "GSM ends at 0x8a800000, not at the start of DSM"));
	CU_ASSERT(wrong(&w, "DSM", "reaches past MTOLUD 0x8f000001"));
	CU_ASSERT(!*named(&w, "GSM")->problem);
	mirrors("0x1082c0 0x91000001\n", &w);
	CU_ASSERT_EQUAL(named(&w, "WOPCM")->length, 0);
	mirrors("0x1082c0 0\n", &w);
	CU_ASSERT(wrong(&w, "WOPCM", "no such window"));
}

/* Bay Trail's register gives no address: its memory is at the end. */
static void reserved_at_end(void)
{
	static const uint32_t words[64] = {
		[0] = 0x0f318086, [1] = 7, [2] = 0x03000000, [4] = 0xd0000000, [6] = 0xc0000008,
		[0x50 / 4] = 0x0110, [0x5c / 4] = 0x7a000000, [0x70 / 4] = 0x79f00000,
	};
	char *image = temporary_file(words, sizeof(words));
	char *registers = temporary_file("0x1082c0 0x21\n", 14), spec[64];
	const char *specs[] = { spec, registers };
	struct windows w;

	snprintf(spec, sizeof(spec), "config:%s", image);
	survey(&w, open_specs(specs, 2, "vlv"));
	drop_file(image);
	drop_file(registers);
	CU_ASSERT(is(&w, "DSM", 0x7a000000, 64 << 20, ""));
	CU_ASSERT(is(&w, "WOPCM", 0x7e000000 - (256 << 10), 256 << 10, ""));
}

static void little_told(void)
{
	struct windows w;
	struct gsc_source *source;
	char *path;

	path = temporary_file("0x2080 0x1000\n", 14);
	source = open_spec("%s", path, "skl");
	drop_file(path);
	survey(&w, source);
	CU_ASSERT_EQUAL(w.count, 0);
}

SUITE(windows,
	{ "demos", demos },
	{ "a healthy machine", healthy },
	{ "BARs", bars },
	{ "stolen memory", stolen },
	{ "not told", not_told },
	{ "the header alone", header_only },
	{ "told twice", told_twice },
	{ "the reserved part at the end", reserved_at_end },
	{ "little told", little_told })
