/* SPDX-License-Identifier: MIT */
/* Device core dumps of xe as a source; and real dumps of both drivers (GPUSCOPE_CORPUS). */
#include "batch-helpers.h"
#include "dump-helpers.h"
#include "source-helpers.h"
#include "test.h"
#include "formats/dump.h"
#include "open/open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a printer that breaks lines after this many columns makes of it; 0: none. */
static void add_blob(struct sheet *t, const char *key, uint32_t first, size_t count, size_t columns)
{
	struct sheet blob = { .size = 0 };

	sheet_add(&blob, "%s.data: ", key);
	sheet_dwords(&blob, first, count);
	sheet_add(t, "%s.length: 0x%zx\n", key, count * 4);
	for (size_t at = 0; at < blob.size; at += columns) {
		if (!columns)
			columns = blob.size;
		sheet_add(t, "%.*s\n", (int)(blob.size - at < columns ? blob.size - at : columns),
			 blob.data + at);
	}
	sheet_free(&blob);
}

/* Linux 6.14, Lunar Lake. */
static struct sheet core_of(size_t columns)
{
	struct sheet t = { .size = 0 };

	sheet_add(&t, "**** Xe Device Coredump ****\nReason: Timedout job - seqno=4294967170\n"
		 "kernel: 6.14.0\nmodule: xe\nSnapshot time: 1700000000.123456789\nUptime: 100.5\n"
		 "Process: glxgears [123]\nPCI ID: 0x64a0\nPCI revision: 0x04\nGT id: 0\n"
		 "\tTile: 0\n\tType: main\n\tIP ver: 20.4.4\n\n"
		 "**** GT #1 ****\n\tTile: 0\n\n**** GuC Log ****\n"
		 "Log level: 3\n");
	add_blob(&t, "[LOG]", 0x1000, 2048, columns);
	sheet_add(&t, "\n**** GuC CT ****\nH2G CTB (all sizes in DW):\n\tsize: 1024\n"
		 "\tcmd[0]: 0x00000001\n");
	add_blob(&t, "[CTB]", 0x5000, 64, columns);
	sheet_add(&t, "\n**** Contexts ****\nGuC ID: 2\n\tName: rcs2\n"
		 "\tHW Context Desc: 0x01a30000\n\tLRC Head: (memory) 256\n");
	add_blob(&t, "\t[HWSP]", 0x6000, 1024, columns);
	add_blob(&t, "\t[HWCTX]", 0x7000, 3000, columns);
	sheet_add(&t, "\tSchedule State: 0x441\n\n**** Job ****\n"
		 "\tbatch_addr[0]: 0x0000effe00010040\n\n**** HW Engines ****\n"
		 "rcs0 (physical), logical instance=0\n\tCapture_source: GuC\n"
		 "\tForcewake: domain 0x2, ref 1\n\tFORCEWAKE_GT: 0x00010000\n"
		 "\tRING_HWS_PGA: 0x01a2f000\n\tRING_HEAD: 0x00000100\n\tRING_TAIL: 0x00000200\n"
		 "\tIPEHR: 0x18800101\n\tACTHD: 0x0000effe00010050\n"
		 "\tRING_BBADDR: 0x0000effe00010051\n\tRING_START: 0x0000000001a20000\n"
		 "\tRING_EXECLIST_STATUS: 0x00000002018c0001\n\tSC_INSTDONE[0]: 0xffffffe0\n"
		 "\tSC_INSTDONE[1]: 0xffffffe1\n\n\n**** VM state ****\nVM.uapi_flags: 0x1\n");
	add_blob(&t, "[effe00010000]", 0x10000, 1024, columns);
	sheet_add(&t, "[effe40000000].length: 0x1000\n[effe40000000].properties: read_write|bo\n"
		 "[effe40000000].error: -14\n");
	add_blob(&t, "[effe80000000]", 0x20000, 2048, columns);
	return t;
}

static const struct gsc_member *member_of(const struct gsc_source *source, const char *name)
{
	static struct gsc_member member;

	member = (struct gsc_member){ .next = 0 };
	while (gsc_capture_member(source, 0, &member))
		if (!strcmp(member.name, name))
			return &member;
	CU_FAIL("no such member");
	return &member;
}

static void expect_core(struct gsc_source *s)
{
	struct gsc_buffer_origin context = buffer_of(s, GSC_BUFFER_CONTEXT, 0);
	struct gsc_buffer_origin batch = buffer_of(s, GSC_BUFFER_BATCH, 0);
	const struct gsc_member *member;
	uint64_t value;

	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "Xe devcoredump");
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("lnl").index);
	CU_ASSERT_EQUAL(gsc_source_revision(s), 4);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2034, 4), 0x100);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2074, 4), 0x10050);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x205c, 4), 0xeffe);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2048, 4), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2234, 4), 0x018c0001);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2238, 4), 2);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0xa188, 4), 0x10000);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x7100, 4), 0xffffffe0);
	expect_dwords(s, GSC_GTTMEM, 0x01a30000, 0x6000, 1024);
	expect_dwords(s, GSC_GTTMEM, 0x01a31000, 0x7000, 3000);
	expect_dwords(s, GSC_PPGTTMEM, UINT64_C(0xeffe00010000), 0x10000, 1024);
	expect_dwords(s, GSC_PPGTTMEM, UINT64_C(0xeffe80000000), 0x20000, 2048);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PPGTTMEM, UINT64_C(0xeffe40000000), 4, &value),
			GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(buffer_count(s), 4);
	CU_ASSERT_EQUAL(context.length, 4096 + 12000);
	CU_ASSERT_STRING_EQUAL(context.engine, "rcs0");
	CU_ASSERT_EQUAL(batch.address, UINT64_C(0xeffe00010040));
	CU_ASSERT_EQUAL(batch.length, 4096 - 0x40);
	CU_ASSERT_EQUAL(*(const uint32_t *)batch.data, 0x10010);
	CU_ASSERT_EQUAL(batch.acthd, UINT64_C(0xeffe00010050));
	CU_ASSERT_EQUAL(batch.head, 0x100);
	CU_ASSERT_EQUAL(batch.start, 0x1a20000);
	CU_ASSERT(batch.flags & GSC_BUFFER_HUNG);
	CU_ASSERT_FALSE(batch.flags & GSC_BUFFER_CUT);
	CU_ASSERT_STRING_EQUAL(property_of(s, "Process"), "glxgears [123]");
	CU_ASSERT_STRING_EQUAL(property_of(s, "vm.[effe40000000].error"), "-14");
	CU_ASSERT_STRING_EQUAL(property_of(s, "context.LRC Head"), "(memory) 256");
	CU_ASSERT_STRING_EQUAL(property_of(s, "rcs0.SC_INSTDONE[1]"), "0xffffffe1");
	member = member_of(s, "gt1/guc-log.bin");
	CU_ASSERT_EQUAL(member->size, 8192);
	CU_ASSERT_EQUAL(*(const uint32_t *)member->data, 0x1000);
	CU_ASSERT_EQUAL(member_of(s, "gt1/guc-ct.bin")->size, 256);
	member = member_of(s, "gt1/guc-ct.txt");
	CU_ASSERT(memmem(member->data, member->size, "cmd[0]: 0x00000001", 18) != NULL);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	if (gsc_source_note(s, 0))
		fprintf(stderr, "\n%s\n", gsc_source_note(s, 0));
	gsc_source_close(s);
}

static void test_core(void)
{
	static const size_t columns[] = { 0, 795, 72, 64 };

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		struct sheet t = core_of(columns[i]);

		expect_core(open_text(&t, NULL));
		sheet_free(&t);
	}
}

static void test_mail(void)
{
	static const struct {
		const char *front, *end;
	} changes[] = {
		{ "> ", "\n" }, { "", "\r\n" },
		{ "[  123.456789] xe 0000:00:02.0: [drm] ", "\n" },
	};
	struct sheet t = core_of(790);

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct sheet changed = text_changed(t.data, t.size, changes[i].front,
						   changes[i].end);

		/* The text members keep what was in front of their lines. */
		expect_core(open_text(&changed, NULL));
		sheet_free(&changed);
	}
	sheet_free(&t);
}

/* The lists of xe_guc_capture.c, at the addresses of xe_engine_regs.h and xe_gt_regs.h. */
static const struct {
	const char *key;
	bool wide, engine;		/* 64 bits; address from the engine's base */
	uint32_t address, upper;
} captured[] = {
	{ "HWSTAM", false, true, 0x98, 0 },	    { "RING_HWS_PGA", false, true, 0x80, 0 },
	{ "RING_HEAD", false, true, 0x34, 0 },	    { "RING_TAIL", false, true, 0x30, 0 },
	{ "RING_CTL", false, true, 0x3c, 0 },	    { "RING_MI_MODE", false, true, 0x9c, 0 },
	{ "RING_MODE", false, true, 0x29c, 0 },	    { "RING_ESR", false, true, 0xb8, 0 },
	{ "RING_EMR", false, true, 0xb4, 0 },	    { "RING_EIR", false, true, 0xb0, 0 },
	{ "RING_IMR", false, true, 0xa8, 0 },	    { "IPEHR", false, true, 0x68, 0 },
	{ "RING_INSTDONE", false, true, 0x6c, 0 },
	{ "INDIRECT_RING_STATE", false, true, 0x108, 0 },
	{ "ACTHD", true, true, 0x74, 0x5c },	    { "RING_BBADDR", true, true, 0x140, 0x168 },
	{ "RING_START", true, true, 0x38, 0x48 },   { "RING_DMA_FADD", true, true, 0x78, 0x60 },
	{ "RING_EXECLIST_STATUS", true, true, 0x234, 0x238 },
	{ "RING_EXECLIST_SQ_CONTENTS", true, true, 0x510, 0x514 },
	{ "FORCEWAKE_GT", false, false, 0xa188, 0 }, { "RCU_MODE", false, false, 0x14800, 0 },
	{ "SC_INSTDONE[0]", false, false, 0x7100, 0 },
	{ "SC_INSTDONE_EXTRA[0]", false, false, 0x7104, 0 },
	{ "SC_INSTDONE_EXTRA2[0]", false, false, 0x7108, 0 },
	{ "SAMPLER_INSTDONE[0]", false, false, 0xe160, 0 },
	{ "ROW_INSTDONE[0]", false, false, 0xe164, 0 },
	{ "INSTDONE_GEOM_SVGUNIT[0]", false, false, 0x666c, 0 },
};

/* A media engine has its forcewake in a separate GT. */
static const struct {
	const char *platform, *engine;
	uint32_t base;
	unsigned device;
	uint32_t forcewake;
} captures[] = {
	{ "lnl", "rcs0", 0x2000, 0x64a0, 0xa188 },    { "lnl", "ccs0", 0x1a000, 0x64a0, 0xa188 },
	{ "lnl", "vcs0", 0x1c0000, 0x64a0, 0x38a188 }, { "bmg", "bcs0", 0x22000, 0xe20b, 0xa188 },
	{ "dg2", "vcs0", 0x1c0000, 0x56a0, 0xa188 },  { "dg2", "ccs0", 0x1a000, 0x56a0, 0xa188 },
	{ "mtl", "rcs0", 0x2000, 0x7d55, 0xa188 },    { "tgl", "rcs0", 0x2000, 0x9a49, 0xa188 },
	{ "ptl", "rcs0", 0x2000, 0xb080, 0xa188 },
};

static void expect_captured(struct gsc_source *s, size_t c)
{
	for (size_t i = 0; i < sizeof(captured) / sizeof(*captured); i++) {
		uint32_t base = captured[i].engine ? captures[c].base : 0;
		uint32_t at = i == 20 ? captures[c].forcewake : base + captured[i].address;
		uint64_t low = 0, high = 0;

		/* What no such engine has, and what that kernel does not print. */
		if (!captured[i].engine && i != 20 && captures[c].base != 0x2000)
			continue;
		if (i == 27 && !strcmp(captures[c].platform, "tgl"))
			continue;
		gsc_read(s, GSC_MMIO, at, 4, &low);
		if (captured[i].wide)
			gsc_read(s, GSC_MMIO, base + captured[i].upper, 4, &high);
		if (low == 0x1000 + i && high == (captured[i].wide ? 0x2000 + i : 0))
			continue;
		fprintf(stderr, "\n%s, %s.%s: 0x%llx 0x%llx\n", captures[c].platform,
			captures[c].engine, captured[i].key, (unsigned long long)high,
			(unsigned long long)low);
		CU_FAIL("a register is lost");
	}
}

static void test_registers(void)
{
	for (size_t c = 0; c < sizeof(captures) / sizeof(*captures); c++) {
		struct sheet t = { .size = 0 };
		struct gsc_source *s;

		sheet_add(&t, "**** Xe Device Coredump ****\nPCI ID: 0x%04x\n**** HW Engines ****\n"
			 "%s (physical), logical instance=0\n\tCapture_source: GuC\n"
			 "\tCoverage: full-capture\n\tReserved: no\n", captures[c].device,
			 captures[c].engine);
		for (unsigned i = 0; i < sizeof(captured) / sizeof(*captured); i++)
			if (captured[i].wide)
				sheet_add(&t, "\t%s: 0x%08x%08x\n", captured[i].key, 0x2000 + i,
					 0x1000 + i);
			else
				sheet_add(&t, "\t%s: 0x%08x\n", captured[i].key, 0x1000 + i);
		s = open_text(&t, NULL);
		expect_captured(s, c);
		gsc_source_close(s);
		sheet_free(&t);
	}
}

static void test_when(void)
{
	struct sheet t = core_of(0);
	struct gsc_source *s = open_text(&t, NULL);

	CU_ASSERT_EQUAL(gsc_source_age(s, 1700003600), 3600);
	gsc_source_close(s);
	sheet_free(&t);
}

/* Before 6.9 there was no VM, and what is now Contexts had no heading. */
static void test_first(void)
{
	static const char dump[] =
		"**** Xe Device Coredump ****\nkernel: 6.8.0\nmodule: xe\n"
		"Snapshot time: 1700000000.123456789\nUptime: 100.5\nPCI ID: 0x56a0\n\n"
		"**** GuC CT ****\nH2G CTB (all sizes in DW):\n\thead: 3\n\nGuC ID: 5\n"
		"\tName: ccs5\n\tHW Context Desc: 0x0009a000\n\n**** HW Engines ****\n"
		"ccs0 (physical), logical instance=0\n\tHWSTAM: 0xffffffff\n"
		"\tRING_EXECLIST_STATUS_LO: 0x00000001\n\tRING_EXECLIST_STATUS_HI: 0x00000002\n"
		"\tRING_START: 0x0009b000\n\tRING_HEAD:  0x00000010\n"
		"\tACTHD:  0x00000001_00002000\n"
		"\tBBADDR: 0x00000001_00002001\n\tDMA_FADDR: 0x00000001_00002100\n";
	struct gsc_source *s;
	struct sheet t = { .size = 0 };

	sheet_add(&t, "%s", dump);
	s = open_text(&t, NULL);
	sheet_free(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x1a098, 4), 0xffffffff);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x1a234, 4), 1);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x1a238, 4), 2);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x1a05c, 4), 1);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x1a074, 4), 0x2000);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x1a140, 4), 0x2001);
	CU_ASSERT_STRING_EQUAL(property_of(s, "context.Name"), "ccs5");
	CU_ASSERT_EQUAL(buffer_count(s), 0);
	gsc_source_close(s);
}

/* In pieces, in reverse order, with false lengths. */
static void test_hostile(void)
{
	struct sheet t = { .size = 0 };
	struct gsc_source *s;

	sheet_add(&t, "**** VM state ****\n[2000].data: !!!!\"!!!!#\n[2000].length: 0x8\n"
		 "[%0200d].length: 0x4\n[%0200d].data: !!!!\"\n[3000].length: 0xffffffffffffffff\n"
		 "[3000].data: !!!!\"\n[4000].length: 0x4\n[5000].data: !!!!$\n[].data: !!!!%%\n"
		 "[fffffffffffff000].length: 0x4\n[fffffffffffff000].data: !!!!\"\n"
		 "[6000].data:\n[7000].data: v\n[8000]\n[9000].\n", 1, 1);
	s = open_text(&t, "lnl");
	expect_dwords(s, GSC_PPGTTMEM, 0x2000, 1, 2);
	expect_dwords(s, GSC_PPGTTMEM, 0x3000, 1, 1);
	expect_dwords(s, GSC_PPGTTMEM, 0x5000, 3, 1);
	expect_dwords(s, GSC_PPGTTMEM, UINT64_C(0xfffffffff000), 1, 1);
	CU_ASSERT(note_has(s, 0, "not base 85"));
	CU_ASSERT(note_has(s, 1, "is truncated"));
	gsc_source_close(s);
	sheet_free(&t);
}

static void test_survives(void)
{
	struct sheet t = core_of(300);

	survive_cuts(t.data, t.size);
	survive_damage("%s", t.data, t.size, 211);
	sheet_free(&t);
}

/* ---- without a PCI id ----------------------------------------------------------------------- */

#define MAIN "GT id: 0\n\tType: main\n\tIP ver: "
#define MEDIA "GT id: 1\n\tType: media\n\tIP ver: "
#define FIRMWARE "**** GuC Log ****\nGuC firmware: "
#define XE_PLATFORMS "tgl rkl adls adlp adln rpls rplp dg1 dg2 pvc mtl arl lnl bmg ptl nvls nvlp cri "

/* Each of several that fit; one alone is the source's platform. */
static void test_identified(void)
{
	static const struct {
		const char *says, *fit, *why;
	} dumps[] = {
		{ "PCI ID: 0x64a0\n" FIRMWARE "xe/bmg_guc_70.bin\n", "lnl", NULL },
		{ MAIN "20.4.0\n", "lnl", "lnl, by its IP version 20.4.0: the dump has no PCI id" },
		{ "PCI ID: 0x0bad\n" MAIN "30.0.4\n", "ptl",
		  "ptl, by its IP version 30.0.4: its PCI id is unknown" },
		{ MAIN "12.74.4\n", "arl", "arl, by its IP version 12.74.4: the dump has no PCI id" },
		{ MEDIA "13.1.0\n", "bmg",
		  "bmg, by its media IP version 13.1.0: the dump has no PCI id" },
		{ FIRMWARE "bmg_guc_70.bin\n", "bmg",
		  "bmg, by its GuC firmware bmg_guc_70.bin: the dump has no PCI id" },
		{ "GMD_ID: 0x05004000\n", "bmg",
		  "bmg, by its IP version 0x05004000: the dump has no PCI id" },
		{ MAIN "12.70.4\n", "mtl arl ", "IP version 12.70.4" },
		{ MAIN "0.0.0\n" FIRMWARE "i915/tgl_guc_70.bin\n", "tgl rkl adls adln rpls ",
		  "GuC firmware i915/tgl_guc_70.bin" },
		{ FIRMWARE "i915/adlp_guc_70.bin\n", "adlp adln rplp ",
		  "GuC firmware i915/adlp_guc_70.bin" },
		{ MAIN "20.1.0\n" FIRMWARE "/home/me/tgl_guc_70.bin\n", "bmg",
		  "bmg, by its IP version 20.1.0: the dump has no PCI id" },
		{ FIRMWARE "mine.bin\n", XE_PLATFORMS, "driver xe" },
		{ MAIN "99.99.0\n", XE_PLATFORMS, "driver xe" },
		{ "**** HW Engines ****\nbcs8 (physical), logical instance=1\n\tRING_HEAD: 0x00000000\n",
		  NULL, "driver xe and engine bcs8" },
	};
	struct kit kit;

	kit_open(&kit, "skl");
	for (size_t i = 0; i < ARRAY_SIZE(dumps); i++) {
		struct sheet t = { .size = 0 }, fit = { .size = 0 };
		struct gsc_platform p;
		struct gsc_source *s;
		uint64_t platforms;
		char why[160];

		sheet_add(&t, "**** Xe Device Coredump ****\n%s", dumps[i].says);
		s = open_text(&t, NULL);
		platforms = gsc_source_platforms(s, why, sizeof(why));
		if (gsc_source_platform(s) >= 0) {
			CU_ASSERT(gsc_platform_at(kit.db, (unsigned)gsc_source_platform(s), &p));
			CU_ASSERT_STRING_EQUAL(p.name, dumps[i].fit);
			if (dumps[i].why)
				CU_ASSERT_STRING_EQUAL(property_of(s, "identified"), dumps[i].why);
		} else {
			for (unsigned k = 0; gsc_platform_at(kit.db, k, &p); k++)
				if (platforms >> k & 1)
					sheet_add(&fit, "%s ", p.name);
			if (dumps[i].fit)
				CU_ASSERT_STRING_EQUAL(fit.data, dumps[i].fit);
			CU_ASSERT_STRING_EQUAL(why, dumps[i].why);
		}
		gsc_source_close(s);
		sheet_free(&t);
		sheet_free(&fit);
	}
	kit_close(&kit);
}

SUITE(devcoredump,
	{ "without a PCI id", test_identified },
	{ "all sections", test_core },
	{ "mail and logs", test_mail },
	{ "registers", test_registers },
	{ "of the first kernels", test_first },
	{ "when", test_when },
	{ "hostile", test_hostile },
	{ "survives", test_survives })

/* ---- the corpus ----------------------------------------------------------------------------- */

static const char *corpus(const char *name)
{
	static char path[512];
	const char *folder = getenv("GPUSCOPE_CORPUS");

	if (!folder || !*folder)
		return NULL;
	snprintf(path, sizeof(path), "%s/error-state/%s", folder, name);
	return path;
}

static void expect_file(const struct gsc_buffer_origin *buffer, const char *path)
{
	struct blob blob;
	struct gsc_error err;

	CU_ASSERT_EQUAL_FATAL(blob_open(&blob, path, NULL, NULL, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(buffer->length, blob.size);
	CU_ASSERT_EQUAL(memcmp(buffer->data, blob.data, blob.size), 0);
	blob_close(&blob);
}

static void test_gm45(void)
{
	const char *path = corpus("gm45-0x2a42-2013-i915_error_state.txt");
	struct gsc_buffer_origin ring, batch;
	struct gsc_source *s;

	if (!path)
		return;
	s = open_spec("%s", path, NULL);
	ring = buffer_of(s, GSC_BUFFER_RING, 0);
	batch = buffer_of(s, GSC_BUFFER_BATCH, 0);
	expect_file(&ring, corpus("gm45-0x2a42-2013-render-ring-at-00001000.bin"));
	expect_file(&batch, corpus("gm45-0x2a42-2013-render-batch-at-10c53000.bin"));
	CU_ASSERT_EQUAL(ring.address, 0x1000);
	CU_ASSERT_EQUAL(ring.space, GSC_GTTMEM);
	CU_ASSERT_EQUAL(ring.head, 0x1e9b0);
	CU_ASSERT_EQUAL(ring.tail, 0x1ed40);
	CU_ASSERT_EQUAL(batch.address, 0x10c53000);
	CU_ASSERT_EQUAL(batch.acthd, 0x10c56560);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x1f9a8, 4) >> 23, 0x31);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x1f9ac, 4), 0x10c53000);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x10c56560 - 8, 4), 0x60020100);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2068, 4), 0x60020100);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x3078, 8), UINT64_C(0x6cca00006c8b01d));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* The output of intel_error_decode for it has the same bytes. */
static void test_gm45_decoded(void)
{
	const char *path = corpus("gm45-0x2a42-2013-i915_error_state.igt-1.27.1-decode.txt");
	struct gsc_buffer_origin ring, batch;
	struct gsc_source *s;

	if (!path)
		return;
	s = open_spec("%s", path, NULL);
	ring = buffer_of(s, GSC_BUFFER_RING, 0);
	batch = buffer_of(s, GSC_BUFFER_BATCH, 0);
	expect_file(&ring, corpus("gm45-0x2a42-2013-render-ring-at-00001000.bin"));
	expect_file(&batch, corpus("gm45-0x2a42-2013-render-batch-at-10c53000.bin"));
	CU_ASSERT_STRING_EQUAL(ring.engine, "rcs0");
	CU_ASSERT_EQUAL(ring.head, 0x1e9b0);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2070, 4), 0x0001f02e);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	if (gsc_source_note(s, 0))
		fprintf(stderr, "\n%s\n", gsc_source_note(s, 0));
	gsc_source_close(s);
}

static void test_tgl(void)
{
	const char *path = corpus("tgl-0x9a49-linux5.15-head.txt");
	struct gsc_source *s;

	if (!path)
		return;
	s = open_spec("%s", path, NULL);
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("tgl").index);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0xceb8, 4), 0x4e750);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0xcebc, 4), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x100040, 8), UINT64_C(0x13c603b00bc0001));
	CU_ASSERT_STRING_EQUAL(property_of(s, "DMC fw version"), "2.12");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* A row of issue-reported-fields.tsv as a separate dump: the register must have an address. */
static bool has_place(char *row)
{
	char *words[5] = { 0 }, *field;
	struct sheet t = { .size = 0 };
	struct gsc_source *s;
	struct gsc_piece piece;
	bool placed;

	for (unsigned i = 0; i < 5 && row; i++)
		words[i] = strsep(&row, "\t\n");
	if (!words[4] || strncmp(words[2], "0x", 2) || strncmp(words[4], "0x", 2))
		return true;
	field = strchr(words[3], '.');
	if (strpbrk(field ? field : words[3], "abcdefghijklmnopqrstuvwxyz"))
		return true;
	sheet_add(&t, "PCI ID: %s\nReset count: 0\nDriver: 1\n%s\n  %s: %s\n", words[2],
		 "rcs0 command stream:", field ? field + 1 : words[3], words[4]);
	s = open_text(&t, NULL);
	placed = gsc_source_piece(s, 0, 0, &piece);
	if (!placed)
		fprintf(stderr, "\n%s of %s has no place\n", words[3], words[1]);
	gsc_source_close(s);
	sheet_free(&t);
	return placed;
}

static void test_fields(void)
{
	const char *path = corpus("issue-reported-fields.tsv");
	FILE *file = path ? fopen(path, "r") : NULL;
	char row[512];

	while (file && fgets(row, sizeof(row), file))
		CU_ASSERT(has_place(row));
	if (file)
		fclose(file);
}

SUITE(dump_corpus,
	{ "GM45", test_gm45 },
	{ "GM45, decoded", test_gm45_decoded },
	{ "Tiger Lake", test_tgl },
	{ "fields that people reported", test_fields })
