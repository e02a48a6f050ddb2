/* SPDX-License-Identifier: MIT */
/*
 * The inputs that break other readers of error states and core dumps: everything readable is read,
 * and what is wrong is reported, with its line.
 */
#include "gpu-for.h"
#include "batch/run.h"
#include "dump-helpers.h"
#include "open/open.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATE "Time: 1500000000 s 1 us\nPCI ID: 0x9a49\nEIR: 0x00000010\n"
#define CORE "**** Xe Device Coredump ****\nkernel: 6.12.0\nSnapshot time: 1500000000.5\n" \
	     "PCI ID: 0x64a0\n\n**** VM state ****\n"

static struct gsc_source *open_one(const char *text, const char *platform)
{
	struct sheet t = { .size = 0 };
	struct gsc_source *s;

	sheet_add(&t, "%s", text);
	s = open_text(&t, platform);
	sheet_free(&t);
	return s;
}

static bool is_noted(const struct gsc_source *s, const char *what)
{
	for (size_t i = 0; i < gsc_source_note_count(s); i++)
		if (strstr(gsc_source_note(s, i), what))
			return true;
	for (size_t i = 0; i < gsc_source_note_count(s); i++)
		fprintf(stderr, "\n%s\n", gsc_source_note(s, i));
	return false;
}

/* ---- which device --------------------------------------------------------------------------- */

static void test_no_id(void)
{
	static const char *const lines[][2] = {
		{ "", "no PCI id" }, { "PCI ID: 0x1234\n", "unknown PCI id 0x1234" },
		{ "PCI ID: 0x\n", "no PCI id" }, { "PCI ID: 0xffffffffff\n", "no PCI id" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct sheet t = { .size = 0 };
		struct gsc_source *s;

		sheet_add(&t, "%sEIR: 0x00000010\nrcs0 command stream:\n  HEAD: 0x00000040\n",
			 lines[i][0]);
		s = open_text(&t, NULL);
		CU_ASSERT(is_noted(s, lines[i][1]));
		CU_ASSERT(is_noted(s, "give -p"));
		CU_ASSERT_STRING_EQUAL(property_of(s, "rcs0.HEAD"), "0x00000040");
		gsc_source_close(s);
		s = open_text(&t, "skl");
		CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2034, 4), 0x40);
		gsc_source_close(s);
		sheet_free(&t);
	}
}

/* A core dump of an unknown GPU keeps its memory. */
static void test_no_id_core(void)
{
	struct gsc_source *s = open_one(
		"**** Xe Device Coredump ****\nPCI ID: 0x1234\n**** HW Engines ****\n"
		"rcs0 (physical), logical instance=0\n\tRING_HEAD: 0x00000040\n"
		"**** VM state ****\n[1000].length: 0x4\n[1000].data: !!!!\"\n", NULL);

	CU_ASSERT(is_noted(s, "unknown PCI id 0x1234, so its 1 registers"));
	expect_dwords(s, GSC_PPGTTMEM, 0x1000, 1, 1);
	gsc_source_close(s);
}

/* ---- too many ------------------------------------------------------------------------------- */

static void test_sections(void)
{
	struct sheet t = { .size = 0 };
	struct gsc_source *s;

	sheet_add(&t, STATE);
	for (unsigned i = 0; i < 1100; i++)
		sheet_add(&t, "rcs0 --- user = 0x00000001 %08x\n~!!!!\"\n", i * 0x1000);
	s = open_text(&t, NULL);
	CU_ASSERT_EQUAL(buffer_count(s), 1100);
	CU_ASSERT_EQUAL(value_at(s, GSC_PPGTTMEM, 0x100000000 + 1099 * 0x1000, 4), 1);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	sheet_free(&t);
	sheet_add(&t, CORE);
	for (unsigned i = 0; i < 1100; i++)
		sheet_add(&t, "[%x].length: 0x4\n[%x].data: !!!!\"\n", i * 0x1000, i * 0x1000);
	s = open_text(&t, NULL);
	CU_ASSERT_EQUAL(buffer_count(s), 1100);
	CU_ASSERT_EQUAL(value_at(s, GSC_PPGTTMEM, 1099 * 0x1000, 4), 1);
	gsc_source_close(s);
	sheet_free(&t);
}

static void test_heads(void)
{
	struct sheet t = { .size = 0 };
	struct gsc_source *s;

	sheet_add(&t, STATE "rcs0 command stream:\n");
	for (unsigned i = 0; i < 4000; i++)
		sheet_add(&t, "  HEAD: 0x%08x\n", i * 8);
	for (unsigned i = 0; i < 400; i++)
		sheet_add(&t, "ccs%u command stream:\n  HEAD: 0x%08x\n", i, i);
	sheet_add(&t, "bcs0 command stream:\n  HEAD: 0x00000123\n");
	s = open_text(&t, NULL);
	/* Too many for engines: they belong to nobody, and the next does not belong to them. */
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x22034, 4), 0x123);
	gsc_source_close(s);
	sheet_free(&t);
}

static void test_surplus(void)
{
	struct sheet t = { .size = 0 };
	struct gsc_source *s;

	sheet_add(&t, STATE "rcs0 command stream:\n  HEAD: 0x00000040\n");
	for (unsigned i = 0; i < 40000; i++)
		sheet_add(&t, "key%u: value\n", i);
	sheet_add(&t, "rcs0 --- ring = 0x00000000 00001000\n~!!!!\"\n");
	s = open_text(&t, NULL);
	CU_ASSERT(is_noted(s, "more lines of this kind, left out"));
	CU_ASSERT(is_noted(s, ": line "));
	expect_dwords(s, GSC_GTTMEM, 0x1000, 1, 1);
	gsc_source_close(s);
	sheet_free(&t);
}

/* ---- lines that are none -------------------------------------------------------------------- */

static void test_dashes(void)
{
	struct gsc_source *s = open_one(STATE
		"--- \n--- = \n---\n --- x = 0x00001000\n--- gtt_offset = 0x00001000\n"
		"00000000 :  00000001\n--- --- --- = 0x00002000\n00000000 :  00000002\n", NULL);

	CU_ASSERT_EQUAL(value_at(s, GSC_PPGTTMEM, 0x1000, 4), 1);
	gsc_source_close(s);
}

static void test_long_names(void)
{
	struct sheet t = { .size = 0 };
	struct gsc_source *s;

	sheet_add(&t, CORE "[%0200d].length: 0x4\n[%0200d].data: !!!!#\n", 0x1000, 0x1000);
	for (unsigned i = 0; i < 2; i++) {
		sheet_add(&t, "[");
		for (unsigned d = 0; d < 200; d++)
			sheet_add(&t, "f");
		sheet_add(&t, i ? "].data: !!!!$\n" : "].length: 0x4\n");
	}
	sheet_add(&t, "[2000].length: 0x4\n[2000].data: !!!!\"\n");
	s = open_text(&t, NULL);
	expect_dwords(s, GSC_PPGTTMEM, 0x2000, 1, 1);
	gsc_source_close(s);
	sheet_free(&t);
}

/* ---- base 85 -------------------------------------------------------------------------------- */

static void test_base85(void)
{
	struct gsc_source *s = open_one(STATE
		"rcs0 --- batch = 0x00000000 00001000\n~!!!!\"!!!!#!!\n"
		"bcs0 --- batch = 0x00000000 00002000\n~!!!!\"uuuuu!!!!#\n"
		"vcs0 --- batch = 0x00000000 00003000\n:!!!!\"!!!!#!!!!$\n"
		"rcs0 --- ring = 0x00000000 00004000\n~!!!!%\n", NULL);

	CU_ASSERT(is_noted(s, "line 5: a buffer is truncated, at byte"));
	CU_ASSERT(is_noted(s, "line 7: not base 85"));
	CU_ASSERT(is_noted(s, "line 9: damaged zlib data") || is_noted(s, "buffers are left out"));
	expect_dwords(s, GSC_PPGTTMEM, 0x1000, 1, 2);
	expect_dwords(s, GSC_PPGTTMEM, 0x2000, 1, 1);
	CU_ASSERT(buffer_of(s, GSC_BUFFER_BATCH, 0).flags & GSC_BUFFER_CUT);
	CU_ASSERT(buffer_of(s, GSC_BUFFER_BATCH, 1).flags & GSC_BUFFER_CUT);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x4000, 4), 4);
	gsc_source_close(s);
}

/* Core dumps: in the wrong order, without memory, with a damaged one. */
static void test_core(void)
{
	struct gsc_source *s = open_one(CORE
		"[1000].data: !!!!\"!!!!#\n[1000].length: 0x8\n"
		"[2000].length: 0x1000\n[2000].error: -14\n"
		"[3000].length: 0x8\n[3000].data: !!!!\"uuuuu\n"
		"[4000].length: 0x8\n[4000].data: !!!!\"\n"
		"[5000].length: 0x8\n[5000].data: !!!!\"!!!!#\n"
		"[6000].length: 0x8\n[6000].data: !!!!\"uuuuu\n", NULL);
	uint64_t value;
	size_t length;

	expect_dwords(s, GSC_PPGTTMEM, 0x1000, 1, 2);
	CU_ASSERT_STRING_EQUAL(property_of(s, "vm.[2000].error"), "-14");
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PPGTTMEM, 0x2000, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT(is_noted(s, ": a buffer is truncated, at byte"));
	/* Memory of the process is decoded when it is read. */
	CU_ASSERT_FALSE(is_noted(s, "line 12: not base 85"));
	expect_dwords(s, GSC_PPGTTMEM, 0x3000, 1, 1);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PPGTTMEM, 0x3004, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT(is_noted(s, "line 12: not base 85"));
	expect_dwords(s, GSC_PPGTTMEM, 0x5000, 1, 2);
	CU_ASSERT_FALSE(is_noted(s, "line 18: not base 85"));
	CU_ASSERT_PTR_NOT_NULL(gsc_span(s, GSC_PPGTTMEM, 0x6000, &length));
	CU_ASSERT_EQUAL(length, 4);
	CU_ASSERT(is_noted(s, "line 18: not base 85"));
	gsc_source_close(s);
}

/* ---- batches -------------------------------------------------------------------------------- */

struct counting {
	size_t commands, cut;
};

static bool count_command(void *context, const struct gsc_followed *item)
{
	struct counting *counting = context;

	counting->commands++;
	counting->cut += item->command->status == GSC_COMMAND_TRUNCATED;
	return counting->commands < 100000;
}

static struct counting follow(const char *text)
{
	struct gsc_follow_options options = { 0 };
	struct counting counting = { 0 };
	unsigned platform;
	struct gsc_listener listener = { .command = count_command, .context = &counting };
	struct gsc_source *s = open_one(text, NULL);
	struct gsc_commands *set;
	struct gsc_view *view;
	struct gsc_error err;

	platform = (unsigned)gsc_source_platform(s);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, shared_definitions(), platform, -1, &err),
			      GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_commands_new(&set, gpu_for(NULL, view), &err), GSC_OK);
	gsc_follow_all(set, gpu_for(s, view), &options, &listener, &err);
	gsc_commands_free(set);
	gsc_view_free(view);
	gsc_source_close(s);
	return counting;
}

/* MI_BATCH_BUFFER_START (31h in 28:23) to itself; a PIPE_CONTROL with only two dwords. */
static void test_batches(void)
{
	struct counting looping = follow(STATE
		"rcs0 --- batch = 0x00000000 00001000\n00000000 :  18800101\n00000004 :  00001000\n"
		"00000008 :  00000000\n");
	struct counting cut = follow(STATE
		"rcs0 --- batch = 0x00000000 00001000\n00000000 :  00000000\n00000004 :  7a000004\n"
		"00000008 :  00000000\n");

	CU_ASSERT(looping.commands >= 1 && looping.commands < 1000);
	CU_ASSERT_EQUAL(cut.cut, 1);
}

/* ---- several -------------------------------------------------------------------------------- */

static void test_several(void)
{
	struct gsc_source *s = open_one(STATE
		"rcs0 command stream:\n  HEAD: 0x00000040\n"
		"Time: 1500000009 s 1 us\nPCI ID: 0x0126\nEIR: 0x00000020\n"
		"rcs0 command stream:\n  HEAD: 0x00000080\n", NULL);

	CU_ASSERT(is_noted(s, "line 6: another dump begins here and is not read"));
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2034, 4), 0x40);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x20b0, 4), 0x10);
	gsc_source_close(s);
	s = open_one(CORE "[1000].length: 0x4\n[1000].data: !!!!\"\n\n"
		     "**** Xe Device Coredump ****\nSnapshot time: 1500000001.5\nPCI ID: 0x64a0\n"
		     "**** VM state ****\n[1000].length: 0x4\n[1000].data: !!!!#\n", NULL);
	CU_ASSERT(is_noted(s, "another dump begins here and is not read"));
	expect_dwords(s, GSC_PPGTTMEM, 0x1000, 1, 1);
	gsc_source_close(s);
	/* Pieces of one dump; the second repeats the beginning. */
	s = open_one(STATE "rcs0 command stream:\n  HEAD: 0x00000040\n" STATE
		     "rcs0 --- ring = 0x00000000 00001000\n~!!!!\"\n", NULL);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2034, 4), 0x40);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x1000, 4), 1);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

static struct gsc_member member_of(const struct gsc_source *s, const char *name)
{
	struct gsc_member member = { .next = 0 };
	bool more;

	while ((more = gsc_capture_member(s, 0, &member)) && strcmp(member.name, name))
		;
	CU_ASSERT_FATAL(more);
	return member;
}

/* A dump that a kernel printed into its log, with blobs in pieces of less than 800 characters. */
static void test_printed(void)
{
	struct sheet t = { .size = 0 }, blob = { .size = 0 };
	struct gsc_member member;
	struct gsc_source *s;

#define PRINTED "[   12.345678] xe 0000:03:00.0: [drm] GT0: Capture 1.%u: "
	sheet_add(&t, PRINTED "**** Xe Device Coredump ****\n" PRINTED "Reason: CTB\n"
		 PRINTED "**** GT #0 ****\n" PRINTED "\tTile: 0\n" PRINTED "**** GuC Log ****\n",
		 1, 2, 3, 4, 5);
	sheet_add(&blob, "Log data: ");
	sheet_dwords(&blob, 0x100, 2048);
	for (size_t at = 0, line = 6; at < blob.size; at += 790, line++)
		sheet_add(&t, PRINTED "%.*s\n", (unsigned)line,
			 (int)(blob.size - at < 790 ? blob.size - at : 790), blob.data + at);
	sheet_add(&t, PRINTED "**** GuC CT ****\n" PRINTED "H2G CTB (all sizes in DW):\n"
		 PRINTED "\thead: 3\n" PRINTED "CTB data: !!!!\"!!!!#\n" PRINTED "Done.\n",
		 97, 98, 99, 100, 101);
	s = open_text(&t, "lnl");
	member = member_of(s, "gt0/guc-log.bin");
	CU_ASSERT_EQUAL_FATAL(member.size, 8192);
	CU_ASSERT_EQUAL(((const uint8_t *)member.data)[8188], 0xff);
	member = member_of(s, "gt0/guc-ct.bin");
	CU_ASSERT_EQUAL(member.size, 8);
	CU_ASSERT_STRING_EQUAL(property_of(s, "guc-ct.head"), "3");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	sheet_free(&blob);
	sheet_free(&t);
}

/* ---- little that unpacks to much ------------------------------------------------------------ */

#define BOMBS 12
#define BOMB_BYTES (4 << 20)

struct bits {
	uint8_t *bytes;
	size_t count;
};

/* Codes begin with their highest bit (RFC 1951, 3.1.1). */
static void put_code(struct bits *bits, unsigned code, unsigned length)
{
	while (length-- > 0) {
		bits->bytes[bits->count / 8] |= (uint8_t)((code >> length & 1) << bits->count % 8);
		bits->count++;
	}
}

/* Zeros, and a last dword, with the fixed codes (RFC 1951, 3.2.6): 258 bytes for 13 bits. */
static void sheet_bomb(struct sheet *t, uint8_t last)
{
	size_t most = BOMB_BYTES / 258 * 2 + 1024;
	struct bits bits = { calloc(1, most), 16 };
	uint32_t dword;

	bits.bytes[0] = 0x78;
	bits.bytes[1] = 0x01;
	put_code(&bits, 4 + 2, 3);
	put_code(&bits, 0x30, 8);
	for (size_t i = 0; i < (BOMB_BYTES - 5) / 258; i++)
		put_code(&bits, 0xc5 << 5, 13);
	for (size_t i = 0; i < (BOMB_BYTES - 5) % 258; i++)
		put_code(&bits, 0x30, 8);
	put_code(&bits, 0x30u + last, 8);
	put_code(&bits, 0x303030, 24);
	put_code(&bits, 0, 7);
	sheet_add(t, ":");
	/* Some kernels did not end the stream. */
	for (size_t i = 0; i < bits.count / 8 + 1; i += 4) {
		memcpy(&dword, bits.bytes + i, sizeof(dword));
		sheet_dwords(t, dword, 1);
	}
	sheet_add(t, "\n");
	free(bits.bytes);
}

/* All bytes are there, but never all of them in memory. */
static void test_bombs(void)
{
	struct sheet t = { .size = 0 };
	struct gsc_source *s;
	size_t held = 0, length;

	sheet_add(&t, STATE);
	for (unsigned i = 0; i < BOMBS; i++) {
		sheet_add(&t, "rcs0 --- user = 0x00000000 %08x\n", (i + 1) * 2 * BOMB_BYTES);
		sheet_bomb(&t, (uint8_t)(i + 1));
	}
	s = open_text(&t, NULL);
	for (unsigned n = 0; n < 2 * BOMBS; n++) {
		unsigned i = n < BOMBS ? n : 2 * BOMBS - 1 - n;
		uint64_t at = (i + 1) * UINT64_C(2) * BOMB_BYTES;

		CU_ASSERT_EQUAL(value_at(s, GSC_PPGTTMEM, at + BOMB_BYTES - 4, 4), i + 1);
		CU_ASSERT_EQUAL(value_at(s, GSC_PPGTTMEM, at + 4, 4), 0);
		CU_ASSERT_EQUAL(buffer_of(s, GSC_BUFFER_USER, i).length, BOMB_BYTES);
		CU_ASSERT(!(buffer_of(s, GSC_BUFFER_USER, i).flags & GSC_BUFFER_CUT));
	}
	for (unsigned i = 0; i < BOMBS; i++)
		held += gsc_span(s, GSC_PPGTTMEM, (i + 1) * UINT64_C(2) * BOMB_BYTES, &length) != NULL;
	CU_ASSERT(held && held < BOMBS);
	CU_ASSERT_EQUAL(value_at(s, GSC_PPGTTMEM, BOMBS * UINT64_C(2) * BOMB_BYTES, 4), 0);
	gsc_source_close(s);
	sheet_free(&t);
}

static void test_survives(void)
{
	for (const struct dump_age *age = dump_ages; age->name; age++) {
		struct dump_state state;

		dump_state_make(&state, age, 1);
		survive_damage("%s", state.text.data, state.text.size, 61);
		dump_state_free(&state);
	}
}

SUITE(dump_hostile,
	{ "no PCI id", test_no_id },
	{ "no PCI id of a core", test_no_id_core },
	{ "1100 sections", test_sections },
	{ "4000 heads, 400 engines", test_heads },
	{ "too many lines", test_surplus },
	{ "dashes", test_dashes },
	{ "200 digits", test_long_names },
	{ "base 85", test_base85 },
	{ "cores", test_core },
	{ "batches", test_batches },
	{ "several dumps", test_several },
	{ "printed into a log", test_printed },
	{ "buffers that unpack to much", test_bombs },
	{ "survives", test_survives })
