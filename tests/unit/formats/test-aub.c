/* SPDX-License-Identifier: MIT */
/* AUB traces: each kind of record, its effect on memory, and the moments of submissions. */
#include "aub-helpers.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>

enum { GGTT, LOCAL, PHYSICAL, UNKNOWN_SPACE, ENTRIES };

static bool absent(struct gsc_source *s, enum gsc_space space, uint64_t address)
{
	uint64_t value;

	return gsc_read(s, space, address, 4, &value) == GSC_READ_ABSENT;
}

/* ---- memory traces -------------------------------------------------------------------------- */

static void identity(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x1912 a program");
	s = trace_open(&t);
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "AUB trace");
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x1912);
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("skl").index);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);

	trace_version(&t, "PCI-ID=0x1 a program");
	s = trace_open(&t);
	CU_ASSERT_EQUAL(gsc_source_device(s), 1);
	CU_ASSERT_EQUAL(gsc_source_platform(s), -1);
	CU_ASSERT(note_has(s, 0, "unknown PCI id 0x0001"));
	gsc_source_close(s);
}

/* Writers without a PCI id name the simulated device. */
static void simulated(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "a program");
	t.bytes.items[9] = 19;
	s = trace_open(&t);
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("icl").index);
	CU_ASSERT_EQUAL(gsc_source_device(s), -1);
	gsc_source_close(s);
}

static void registers(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x1912");
	trace_register(&t, 0x2080, 0x1000);
	trace_register(&t, 0x2080, 0x19000);
	trace_register(&t, 0x229c, 0x80008000);
	/* The upper half of the BAR is the table. */
	trace_register(&t, 0x800000 + 8 * 5, 0x5001);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2080, 4), 0x19000);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x229c, 4), 0x80008000);
	CU_ASSERT(absent(s, GSC_MMIO, 0x2084));
	CU_ASSERT_EQUAL(value_at(s, GSC_GGTT, 8 * 5, 8), 0x5001);
	CU_ASSERT_EQUAL(source_aub(s)->events.count, 3);
	gsc_source_close(s);
}

/* A write of other size, and some bits of a register only. */
static void register_parts(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x1912");
	trace_register(&t, 0x2510, 0x11223344);
	trace_word(&t, 0xf7030005);
	trace_word(&t, 0x2510);
	trace_word(&t, 0x00020000);
	trace_word(&t, 0x0000ff00);
	trace_word(&t, 0);
	trace_word(&t, 0xaabbccdd);
	trace_word(&t, 0xf7030006);
	trace_word(&t, 0x2520);
	trace_word(&t, 0x00030000);
	trace_word(&t, 0xffffffff);
	trace_word(&t, 0xffffffff);
	trace_word(&t, 0x55667788);
	trace_word(&t, 0x11223344);
	trace_word(&t, 0xf7030005);
	trace_word(&t, 0x2531);
	trace_word(&t, 0);
	trace_word(&t, 0xff);
	trace_word(&t, 0);
	trace_word(&t, 0x99);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2510, 4), 0x1122cc44);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2520, 8), UINT64_C(0x1122334455667788));
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2531, 1), 0x99);
	CU_ASSERT(absent(s, GSC_MMIO, 0x2530));
	gsc_source_close(s);
}

static void memory(void)
{
	static const uint8_t page[4096] = { [0] = 1, [4095] = 2 };
	struct trace_bytes t = { 0 };
	struct gsc_source *s;
	size_t length;

	trace_version(&t, "PCI-ID=0x1912");
	trace_memory(&t, PHYSICAL, 0x5000, page, sizeof(page));
	trace_memory(&t, PHYSICAL, 0x5ff8, "abcdefghijkl", 12);
	trace_memory(&t, PHYSICAL, 0x5ffa, "XY", 2);
	trace_memory(&t, PHYSICAL, UINT64_C(0xffff800000008000), "high", 4);
	for (unsigned space = 6; space <= 10; space += space == 6 ? 2 : 1)
		trace_dword(&t, space, 0x20000 + space * 0x1000, space);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x5000, 4), 1);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x5ff4, 4), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x5ff8, 8), UINT64_C(0x6867666559586261));
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x6000, 4), 0x6c6b6a69);
	/* The rest of a page is zero; a page that was never written does not exist. */
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x6ffc, 4), 0);
	CU_ASSERT(absent(s, GSC_PHYS, 0x7000));
	CU_ASSERT(absent(s, GSC_PHYS, 0x4ffc));
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, UINT64_C(0x800000008000), 4), 0x68676968);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x26000, 4), 6);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x28000, 4), 8);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x29000, 4), 9);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x2a000, 4), 10);
	/* Whole pages are in the file as they were written. */
	CU_ASSERT_PTR_NOT_NULL(gsc_span(s, GSC_PHYS, 0x5000, &length));
	CU_ASSERT_EQUAL(length, 0xff8);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* What was written through the table stays where the table led at that time. */
static void global_table(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x1912");
	trace_entry(&t, 0x3000, 0x7001);
	trace_entry(&t, 0x4000, 0x9001);
	trace_memory(&t, GGTT, 0x3ffe, "abcd", 4);
	trace_entry(&t, 0x3000, 0x8001);
	trace_dword(&t, GGTT, 0x3000, 0x11111111);
	trace_dword(&t, 7, 0x3004, 0x22222222);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x7ffe, 2), 0x6261);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x9000, 2), 0x6463);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x7000, 4), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x8000, 8), UINT64_C(0x2222222211111111));
	CU_ASSERT_EQUAL(value_at(s, GSC_GGTT, 3 * 8, 8), 0x8001);
	CU_ASSERT_EQUAL(value_at(s, GSC_GGTT, 0, 8), 0);
	/* All of the table exists, and nothing beyond it. */
	CU_ASSERT_EQUAL(value_at(s, GSC_GGTT, (8 << 20) - 8, 8), 0);
	CU_ASSERT(absent(s, GSC_GGTT, 8 << 20));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

static void unmapped(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x1912");
	trace_entry(&t, 0x3000, 0x7000);
	trace_dword(&t, GGTT, 0x3008, 0x11111111);
	trace_dword(&t, GGTT, 0x5008, 0x22222222);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x3008, 4), 0x11111111);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x5008, 4), 0x22222222);
	CU_ASSERT(absent(s, GSC_GTTMEM, 0x300c));
	CU_ASSERT(absent(s, GSC_PHYS, 0x7008));
	CU_ASSERT(note_has(s, 0, "record at byte 64: writes to a GGTT address that was not mapped"));
	CU_ASSERT(note_has(s, 0, "(2 of this kind)"));
	gsc_source_close(s);
}

static void local_memory(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x56a0");
	trace_dword(&t, LOCAL, UINT64_C(0x100001000), 0x11111111);
	trace_entry(&t, 0x1000, 0x7003);
	trace_entry(&t, 0x2000, 0x8001);
	trace_dword(&t, GGTT, 0x1000, 0x22222222);
	trace_dword(&t, GGTT, 0x2000, 0x33333333);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("dg2").index);
	CU_ASSERT_EQUAL(value_at(s, GSC_LMEM, UINT64_C(0x100001000), 4), 0x11111111);
	CU_ASSERT_EQUAL(value_at(s, GSC_LMEM, 0x7000, 4), 0x22222222);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x8000, 4), 0x33333333);
	CU_ASSERT(absent(s, GSC_PHYS, 0x7000));
	gsc_source_close(s);
}

static void scattered(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x1912");
	trace_word(&t, 0xf70b0000 | (191 + 3 - 1));
	trace_word(&t, 2u << 28 | 2 << 4);
	for (unsigned i = 0; i < 63; i++) {
		trace_word(&t, i < 2 ? 0x5000 + i * 0x3000 : 0x77777777);
		trace_word(&t, 0);
		trace_word(&t, i == 0 ? 6 : i == 1 ? 4 : 0x77777777);
	}
	trace_data(&t, "abcdef", 6);
	trace_data(&t, "wxyz", 4);
	trace_dword(&t, PHYSICAL, 0x9000, 5);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x5000, 8), UINT64_C(0x666564636261));
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x8000, 4), 0x7a797877);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x9000, 4), 5);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* Polls, compares, comments, marks and the like change nothing. */
static void passed_over(void)
{
	static const uint8_t subs[] = { 0x01, 0x02, 0x04, 0x05, 0x07, 0x08, 0x09, 0x0a, 0x0c, 0x0f };
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x1912");
	for (size_t i = 0; i < sizeof(subs); i++) {
		trace_word(&t, 0xf7000007 | (uint32_t)subs[i] << 16);
		for (unsigned n = 0; n < 7; n++)
			trace_word(&t, 0x2000);
	}
	trace_register(&t, 0x2080, 0x1000);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2080, 4), 0x1000);
	CU_ASSERT(absent(s, GSC_MMIO, 0x2000));
	CU_ASSERT_EQUAL(source_aub(s)->writes.count, 1);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* ---- classic traces ------------------------------------------------------------------------- */

#define BLOCK_ENTRIES 0x040001
#define BLOCK_BATCH 0x000101
#define BLOCK_RING(n) (0x000002 | (n) << 8)

static void classic(void)
{
	static const uint32_t entries[] = { 0x200003, 0x201003 };
	static const uint32_t ring[] = { 0x18800000, 0x10000 };
	static const uint64_t stray = 1;
	struct aub_submission submission;
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_header(&t, "PCI-ID=0x126");
	trace_memory(&t, ENTRIES, 0, &stray, 8);
	trace_block(&t, BLOCK_ENTRIES, 0, entries, sizeof(entries));
	trace_memory(&t, ENTRIES, 0, &stray, 8);
	trace_block(&t, BLOCK_BATCH, 0x10000, "batch", 5);
	trace_block(&t, BLOCK_RING(2), 0x13000, ring, sizeof(ring));
	trace_block(&t, BLOCK_RING(4), 0x14000, ring, sizeof(ring));
	s = trace_open(&t);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x126);
	CU_ASSERT_EQUAL(value_at(s, GSC_GGTT, 0, 4), 0x200003);
	CU_ASSERT_EQUAL(value_at(s, GSC_GGTT, 4, 4), 0x201003);
	CU_ASSERT_EQUAL(value_at(s, GSC_GGTT, 8, 4), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x10000, 4), 0x63746162);
	CU_ASSERT(absent(s, GSC_GTTMEM, 0x10008));
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x13004, 4), 0x10000);
	CU_ASSERT_EQUAL(submissions_of(s), 2);
	submission = submission_at(s, 0);
	CU_ASSERT_STRING_EQUAL(submission.engine, "rcs0");
	CU_ASSERT_EQUAL(submission.way, AUB_COMMANDS);
	CU_ASSERT_EQUAL(submission.ring, 0x13000);
	CU_ASSERT_EQUAL(submission.ring_bytes, 8);
	CU_ASSERT_EQUAL(submission.record, 5);
	CU_ASSERT_STRING_EQUAL(submission_at(s, 1).engine, "bcs0");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* ---- submissions ---------------------------------------------------------------------------- */

static void port(struct trace_bytes *t, uint32_t base, uint64_t second, uint64_t first)
{
	trace_register(t, base + 0x230, (uint32_t)(second >> 32));
	trace_register(t, base + 0x230, (uint32_t)second);
	trace_register(t, base + 0x230, (uint32_t)(first >> 32));
	trace_register(t, base + 0x230, (uint32_t)first);
}

static void execlists(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x1912");
	/* Two engines take turns in the middle of one submission. */
	trace_register(&t, 0x2230, 0);
	trace_register(&t, 0x22230, 1);
	trace_register(&t, 0x2230, 0);
	trace_register(&t, 0x22230, 0x4009);
	trace_register(&t, 0x22230, 2);
	trace_register(&t, 0x2230, 7);
	trace_register(&t, 0x22230, 0x3009);
	trace_register(&t, 0x2230, 0x2339);
	port(&t, 0x12000, 0, 0x5019);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(submissions_of(s), 3);
	CU_ASSERT_STRING_EQUAL(submission_at(s, 0).engine, "bcs0");
	CU_ASSERT_EQUAL(submission_at(s, 0).descriptor[0], UINT64_C(0x200003009));
	CU_ASSERT_EQUAL(submission_at(s, 0).descriptor[1], UINT64_C(0x100004009));
	CU_ASSERT_EQUAL(submission_at(s, 0).record, 7);
	CU_ASSERT_STRING_EQUAL(submission_at(s, 1).engine, "rcs0");
	CU_ASSERT_EQUAL(submission_at(s, 1).descriptor[0], UINT64_C(0x700002339));
	CU_ASSERT_STRING_EQUAL(submission_at(s, 2).engine, "vcs0");
	CU_ASSERT_EQUAL(submission_at(s, 2).way, AUB_EXECLIST);
	gsc_source_close(s);
}

static void submit_queue(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x8a52");
	trace_register(&t, 0x2510, 0x2339);
	trace_register(&t, 0x2514, 0x80);
	trace_register(&t, 0x2518, 0x6339);
	trace_register(&t, 0x251c, 0);
	trace_register(&t, 0x2550, 1);
	trace_register(&t, 0x2518, 0);
	trace_register(&t, 0x2550, 0);
	trace_register(&t, 0x2550, 1);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(submissions_of(s), 2);
	CU_ASSERT_EQUAL(submission_at(s, 0).descriptor[0], UINT64_C(0x8000002339));
	CU_ASSERT_EQUAL(submission_at(s, 0).descriptor[1], 0x6339);
	CU_ASSERT_EQUAL(submission_at(s, 1).descriptor[1], 0);
	gsc_source_close(s);
}

static void tails(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x0412");
	trace_register(&t, 0x2038, 0x8000);
	trace_register(&t, 0x2030, 0x10);
	trace_register(&t, 0x22030, 0x20);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(submissions_of(s), 2);
	CU_ASSERT_EQUAL(submission_at(s, 0).way, AUB_TAIL);
	CU_ASSERT_STRING_EQUAL(submission_at(s, 1).engine, "bcs0");
	gsc_source_close(s);
}

/* Memory, entries and registers are those of the moment, with another source's bytes. */
static void moments(void)
{
	struct gsc_source *s, *at;
	struct trace_bytes t = { 0 };
	char *trace, *image;
	const char *specs[2];
	char spec[64];

	trace_version(&t, "PCI-ID=0x1912");
	trace_entry(&t, 0x1000, 0x5001);
	trace_dword(&t, GGTT, 0x1000, 1);
	trace_dword(&t, PHYSICAL, 0x9004, 0x10);
	port(&t, 0x2000, 0, 0x2019);
	trace_dword(&t, GGTT, 0x1000, 2);
	trace_entry(&t, 0x1000, 0x6001);
	trace_dword(&t, GGTT, 0x1000, 3);
	port(&t, 0x2000, 0, 0x3019);
	trace_dword(&t, PHYSICAL, 0x9004, 0x20);
	trace = temporary_file(t.bytes.items, t.bytes.count);
	image = temporary_file("extra", 5);
	snprintf(spec, sizeof(spec), "mem:%s@0x100000", image);
	specs[0] = trace;
	specs[1] = spec;
	s = open_specs(specs, 2, NULL);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x9004, 4), 0x20);
	CU_ASSERT_EQUAL(submissions_of(s), 2);
	at = source_at(s, 0);
	CU_ASSERT_EQUAL(value_at(at, GSC_PHYS, 0x5000, 4), 1);
	CU_ASSERT(absent(at, GSC_PHYS, 0x6000));
	CU_ASSERT_EQUAL(value_at(at, GSC_PHYS, 0x9004, 4), 0x10);
	CU_ASSERT_EQUAL(value_at(at, GSC_GGTT, 8, 8), 0x5001);
	CU_ASSERT_EQUAL(value_at(at, GSC_MMIO, 0x2230, 4), 0x2019);
	CU_ASSERT_EQUAL(value_at(at, GSC_PHYS, 0x100000, 4), 0x72747865);
	CU_ASSERT_EQUAL(gsc_source_platform(at), gsc_source_platform(s));
	gsc_source_close(at);
	at = source_at(s, 1);
	CU_ASSERT_EQUAL(value_at(at, GSC_PHYS, 0x5000, 4), 2);
	CU_ASSERT_EQUAL(value_at(at, GSC_PHYS, 0x6000, 4), 3);
	CU_ASSERT_EQUAL(value_at(at, GSC_PHYS, 0x9004, 4), 0x10);
	CU_ASSERT_EQUAL(value_at(at, GSC_MMIO, 0x2230, 4), 0x3019);
	gsc_source_close(at);
	gsc_source_close(s);
	drop_file(trace);
	drop_file(image);
	vec_free(&t.bytes);
}

static void expect_pages(struct gsc_source *at, const uint8_t *pages, size_t size)
{
	for (size_t n = 0; n < size; n += 8)
		if (value_at(at, GSC_PHYS, 0x40000 + n, 8) != load_le(pages + n, 8))
			CU_FAIL("differs");
}

/* A page with many random writes, at random moments, beside a plain array. */
static void random_page(void)
{
	enum { WRITES = 400 };
	static uint8_t pages[WRITES][2 * 4096];
	struct trace_bytes t = { 0 };
	struct gsc_source *s, *moving;
	uint32_t seed = 3;

	trace_version(&t, "PCI-ID=0x8a52");
	for (unsigned i = 0; i < WRITES; i++) {
		uint8_t data[600];
		uint32_t from = next_random(&seed) % (2 * 4096 - sizeof(data));
		uint32_t size = next_random(&seed) % sizeof(data);

		for (unsigned n = 0; n < size; n++)
			data[n] = (uint8_t)next_random(&seed);
		if (i)
			memcpy(pages[i], pages[i - 1], sizeof(pages[i]));
		memcpy(pages[i] + from, data, size);
		trace_memory(&t, PHYSICAL, 0x40000 + from, data, size);
		trace_register(&t, 0x2550, 1);
	}
	s = trace_open(&t);
	CU_ASSERT_EQUAL_FATAL(submissions_of(s), WRITES);
	for (unsigned i = 50; i < WRITES; i += 25) {
		struct gsc_source *at = source_at(s, i);

		expect_pages(at, pages[i], sizeof(pages[i]));
		gsc_source_close(at);
	}
	moving = source_at(s, 0);
	for (unsigned i = 0; i < 2 * WRITES; i++) {
		unsigned here = i < WRITES ? i : next_random(&seed) % WRITES;
		struct aub_submission submission = submission_at(s, here);

		CU_ASSERT_EQUAL(aub_source_move(moving, &submission, NULL), GSC_OK);
		if (here >= 50)
			expect_pages(moving, pages[here], sizeof(pages[here]));
	}
	gsc_source_close(moving);
	gsc_source_close(s);
}

/* Registers exist only as far as they were written by then, also where many were. */
static void moving_registers(void)
{
	struct aub_submission submission;
	struct trace_bytes t = { 0 };
	uint64_t start, length;
	struct gsc_source *s, *at;

	trace_version(&t, "PCI-ID=0x8a52");
	trace_register(&t, 0x2550, 1);
	for (uint32_t i = 0; i < 40; i++)
		trace_register(&t, 0x5000 + i * 8, i);
	trace_register(&t, 0x2550, 1);
	trace_dword(&t, PHYSICAL, 0x40000, 7);
	trace_register(&t, 0x2550, 1);
	s = trace_open(&t);
	at = source_at(s, 0);
	CU_ASSERT(absent(at, GSC_MMIO, 0x5000));
	CU_ASSERT(absent(at, GSC_PHYS, 0x40000));
	CU_ASSERT_FALSE(gsc_extent(at, GSC_PHYS, 0, &start, &length));
	submission = submission_at(s, 1);
	CU_ASSERT_EQUAL(aub_source_move(at, &submission, NULL), GSC_OK);
	CU_ASSERT_EQUAL(value_at(at, GSC_MMIO, 0x5000 + 39 * 8, 4), 39);
	CU_ASSERT(absent(at, GSC_MMIO, 0x5004));
	CU_ASSERT(gsc_extent(at, GSC_MMIO, 0x5001, &start, &length));
	CU_ASSERT(start == 0x5001 && length == 3);
	CU_ASSERT(gsc_extent(at, GSC_MMIO, 0x5004, &start, &length));
	CU_ASSERT(start == 0x5008 && length == 4);
	CU_ASSERT(absent(at, GSC_PHYS, 0x40000));
	submission = submission_at(s, 2);
	CU_ASSERT_EQUAL(aub_source_move(at, &submission, NULL), GSC_OK);
	CU_ASSERT_EQUAL(value_at(at, GSC_PHYS, 0x40000, 8), 7);
	CU_ASSERT(gsc_extent(at, GSC_PHYS, 0, &start, &length));
	CU_ASSERT(start == 0x40000 && length == 0x1000);
	submission = submission_at(s, 0);
	CU_ASSERT_EQUAL(aub_source_move(at, &submission, NULL), GSC_OK);
	CU_ASSERT(absent(at, GSC_PHYS, 0x40000));
	CU_ASSERT(absent(at, GSC_MMIO, 0x5000));
	gsc_source_close(at);
	gsc_source_close(s);
}

/* More pages than the first table of them has room for. */
static void many_pages(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;
	uint64_t start, length;

	trace_version(&t, "PCI-ID=0x1912");
	for (uint32_t i = 0; i < 5000; i++)
		trace_dword(&t, PHYSICAL, (uint64_t)(4999 - i) * 0x3000, i);
	s = trace_open(&t);
	for (uint32_t i = 0; i < 5000; i += 7)
		CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, (uint64_t)(4999 - i) * 0x3000, 8), i);
	CU_ASSERT(gsc_extent(s, GSC_PHYS, 0x1000, &start, &length));
	CU_ASSERT(start == 0x3000 && length == 0x1000);
	gsc_source_close(s);
}

/* ---- damage --------------------------------------------------------------------------------- */

/* One of everything. */
static struct trace_bytes sample(void)
{
	static const uint32_t words[] = { 0x18800101, 0x1000, 0, 0x200003 };
	struct trace_bytes t = { 0 };

	trace_version(&t, "PCI-ID=0x1912");
	trace_entry(&t, 0x1000, 0x5001);
	trace_memory(&t, GGTT, 0x1000, words, sizeof(words));
	trace_memory(&t, PHYSICAL, 0x9000, words, sizeof(words));
	trace_block(&t, BLOCK_ENTRIES, 0x40, words, sizeof(words));
	trace_block(&t, BLOCK_BATCH, 0x10000, words, sizeof(words));
	trace_block(&t, BLOCK_RING(2), 0x13000, words, 12);
	port(&t, 0x2000, 0, 0x2019);
	return t;
}

static void cuts(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_version(&t, "PCI-ID=0x1912");
	trace_memory(&t, PHYSICAL, 0x9000, "abcdefgh", 8);
	trace_memory(&t, PHYSICAL, 0xa000, "abcdefgh", 8);
	t.bytes.count -= 6;
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x9000, 8), UINT64_C(0x6867666564636261));
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0xa000, 8), 0x6261);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "ends in record 2, which begins at byte 64 and has 28"));
	gsc_source_close(s);

	trace_version(&t, "PCI-ID=0x1912");
	trace_dword(&t, PHYSICAL, 0x9000, 1);
	trace_word(&t, 0x12345678);
	trace_dword(&t, PHYSICAL, 0xa000, 1);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x9000, 4), 1);
	CU_ASSERT(absent(s, GSC_PHYS, 0xa000));
	CU_ASSERT(note_has(s, 0, "record 2 at byte 60 is not an AUB record"));
	gsc_source_close(s);
}

static void overruns(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;
	size_t record;

	trace_version(&t, "PCI-ID=0x1912");
	record = t.bytes.count;
	trace_memory(&t, PHYSICAL, 0x9000, "abcd", 4);
	t.bytes.items[record + 17] = 0x10;
	trace_memory(&t, PHYSICAL, 0x9004, "efgh", 4);
	trace_dword(&t, UNKNOWN_SPACE, 0x9000, 7);
	trace_entry(&t, UINT64_C(0x800000000), 0x5001);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x9000, 8), UINT64_C(0x6867666564636261));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 3);
	CU_ASSERT(note_has(s, 0, "record at byte 36: claims more bytes than it has (1 of this kind)"));
	CU_ASSERT(note_has(s, 1, "past the end of the GGTT"));
	CU_ASSERT(note_has(s, 2, "an unsupported address space"));
	gsc_source_close(s);
}

static void damage(void)
{
	struct trace_bytes t = sample();

	survive_damage("%s", t.bytes.items, t.bytes.count, 1);
	vec_free(&t.bytes);
}

/* The longest blocks, which the file does not contain. */
static void lengths(void)
{
	struct trace_bytes t = { 0 };
	struct gsc_source *s;

	trace_header(&t, "PCI-ID=0x126");
	trace_word(&t, 0xe0c10003);
	trace_word(&t, BLOCK_BATCH);
	trace_word(&t, 0);
	trace_word(&t, 0xfffff000);
	trace_word(&t, 0xffffffff);
	trace_word(&t, 0x11111111);
	s = trace_open(&t);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0xfffff000, 4), 0x11111111);
	CU_ASSERT(note_has(s, 0, "ends in record"));
	gsc_source_close(s);
}

SUITE(aub,
	{ "who wrote it", identity },
	{ "a simulated device", simulated },
	{ "registers", registers },
	{ "parts of registers", register_parts },
	{ "memory", memory },
	{ "through the global table", global_table },
	{ "not in the global table", unmapped },
	{ "local memory", local_memory },
	{ "scattered writes", scattered },
	{ "records without effect", passed_over },
	{ "classic traces", classic },
	{ "execution lists", execlists },
	{ "submit queue", submit_queue },
	{ "ring tails", tails },
	{ "moments", moments },
	{ "moments of one page", random_page },
	{ "registers as time goes on", moving_registers },
	{ "many pages", many_pages },
	{ "cut traces", cuts },
	{ "overruns", overruns },
	{ "lengths", lengths },
	{ "damage everywhere", damage })
