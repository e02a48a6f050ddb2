/* SPDX-License-Identifier: MIT */
/* Dumps of real machines (GPUSCOPE_CORPUS): what they are known to contain. */
#include "source-helpers.h"
#include "text/lines.h"
#include "formats/regline.h"
#include "source/part.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The path of a file of the corpus, or NULL and a message. */
static const char *corpus(const char *name)
{
	static char path[512];
	const char *folder = getenv("GPUSCOPE_CORPUS");

	if (!folder || !*folder) {
		printf("no corpus given, skipped ");
		return NULL;
	}
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* How many lines of a file are of each kind. */
struct tally {
	size_t kind[REGLINE_TRACE_BAD + 1], reads, writes;
};

static void count_lines(const char *path, struct tally *tally)
{
	struct blob blob;
	struct gsc_error err;
	struct regline line;
	struct lines lines;

	memset(tally, 0, sizeof(*tally));
	CU_ASSERT_EQUAL_FATAL(blob_open(&blob, path, NULL, NULL, &err), GSC_OK);
	lines = (struct lines){ .data = blob.data, .size = blob.size };
	while (lines_next(&lines)) {
		regline_parse(lines.text, false, &line);
		tally->kind[line.kind]++;
		if (line.kind == REGLINE_TRACE || line.kind == REGLINE_TRACE_NAMED) {
			tally->reads += !line.write;
			tally->writes += line.write;
		}
	}
	blob_close(&blob);
}

static size_t held_dwords(struct gsc_source *s)
{
	uint64_t start = 0, length = 0;
	size_t count = 0;

	while (gsc_extent(s, GSC_MMIO, start + length, &start, &length))
		count += length / 4;
	return count;
}

static void hsw_trace(void)
{
	const char *path = corpus("mmio-trace/hsw-ult-wtm2-kernel-RW.log");
	struct gsc_source *s;
	struct tally tally;

	if (!path)
		return;
	count_lines(path, &tally);
	CU_ASSERT_EQUAL(tally.reads, 1925);
	CU_ASSERT_EQUAL(tally.writes, 2277);
	s = open_specs(&path, 1, "hsw");
	CU_ASSERT_EQUAL(held_dwords(s), 533);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x4a21c, 4), 0x878787);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

static void ivb_trace(void)
{
	const char *path = corpus("mmio-trace/ivb-link-i915_reg_rw-tracepoints.txt");
	struct gsc_source *s;
	struct tally tally;

	if (!path)
		return;
	count_lines(path, &tally);
	CU_ASSERT_EQUAL(tally.kind[REGLINE_TRACE] + tally.kind[REGLINE_TRACE_NAMED], 5150);
	CU_ASSERT_EQUAL(tally.reads, 2866);
	CU_ASSERT_EQUAL(tally.writes, 2284);
	CU_ASSERT_EQUAL(tally.kind[REGLINE_TRACE_BAD], 30);
	s = open_specs(&path, 1, "ivb");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 2);
	CU_ASSERT(note_has(s, 1, "(30 of this kind)"));
	gsc_source_close(s);
}

static void ivb_ports(void)
{
	const char *path = corpus("mmio-trace/ivb-8086-0166-vbios-ioport-trace.txt");
	struct gsc_source *s;
	uint64_t start, length;

	if (!path)
		return;
	s = open_specs(&path, 1, NULL);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x0166);
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("ivb").index);
	CU_ASSERT(gsc_extent(s, GSC_GGTT, 0, &start, &length) && !start && length == 8191 * 4);
	for (unsigned i = 0; i < 8191; i++)
		if (value_at(s, GSC_GGTT, i * 4, 4) != ((0xada00000 + i * 4096) | 1))
			CU_FAIL("an entry differs");
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x50, 2), 0x0208);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x5e, 2), 0xada0);
	gsc_source_close(s);
}

static void glk_dump(void)
{
	const char *path = corpus("reg-dump/glk-8086-3185-intel_reg-dump.txt");
	struct gsc_source *s;
	struct tally tally;

	if (!path)
		return;
	count_lines(path, &tally);
	CU_ASSERT_EQUAL(tally.kind[REGLINE_INTEL], 239);
	s = open_specs(&path, 1, "0x3185");
	CU_ASSERT_EQUAL(held_dwords(s), 237);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0xa024, 4), 0xd92);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x100000, 8), UINT64_C(0x0114302b00b40001));
	gsc_source_close(s);
}

static void pch_dump(void)
{
	const char *path = corpus("reg-dump/pch-panel-power-coreboot-doc.txt");
	struct gsc_source *s;

	if (!path)
		return;
	s = open_specs(&path, 1, NULL);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0xc7208, 4) >> 16, 2000);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0xc720c, 4) >> 16, 500);
	CU_ASSERT(note_has(s, 0, "line 6"));
	gsc_source_close(s);
}

static struct gsc_source *open_config(const char *name)
{
	const char *path = corpus(name);

	return path ? open_spec("config:%s", path, NULL) : NULL;
}

static void configs(void)
{
	struct gsc_source *s = open_config("pci-config/snb-8086-0126-lspci-xxx.txt");
	uint64_t value;

	if (!s)
		return;
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x0126);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x10, 8), 0xf0000004);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x50, 2), 0x0211);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x5c, 4), 0xdba00001);
	gsc_source_close(s);
	s = open_config("pci-config/whl-8086-3ea0-gpu-and-3e34-hostbridge.txt");
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x3ea0);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x50, 2), 0x02c1);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x18, 8), 0xb000000c);
	gsc_source_close(s);
	s = open_config("pci-config/gm45-8086-2a42-header64.txt");
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x2a42);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x10, 4), 0xd0000004);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_CONFIG, 0x40, 4, &value), GSC_READ_ABSENT);
	gsc_source_close(s);
}

/* The same with bytes lost and bits flipped. */
static void damaged(void)
{
	static const char *const names[] = {
		"pci-config/snb-8086-0126-lspci-xxx.txt",
		"reg-dump/pch-panel-power-coreboot-doc.txt",
		"reg-dump/glk-8086-3185-intel_reg-dump.txt",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *path = corpus(names[i]);
		struct blob blob;
		struct gsc_error err;

		if (!path)
			return;
		CU_ASSERT_EQUAL_FATAL(blob_open(&blob, path, NULL, NULL, &err), GSC_OK);
		survive_damage("%s", blob.data, blob.size, blob.size / 60 + 1);
		blob_close(&blob);
	}
}

SUITE(source_corpus,
	{ "Haswell kernel log", hsw_trace },
	{ "Ivy Bridge tracepoints", ivb_trace },
	{ "Ivy Bridge video BIOS", ivb_ports },
	{ "Gemini Lake register dump", glk_dump },
	{ "panel power registers", pch_dump },
	{ "PCI config space", configs },
	{ "damaged files", damaged })
