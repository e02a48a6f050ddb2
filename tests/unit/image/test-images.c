/* SPDX-License-Identifier: MIT */
/* Images of memory that hardware writes: literal pages of every layout. */
#include "gpu-for.h"
#include "batch-helpers.h"
#include "dump-helpers.h"
#include "image/image.h"
#include "image-helpers.h"
#include "source-helpers.h"
#include "source/source.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 0x1000
#define LRI(pairs) (0x11000000u | (2 * (pairs) - 1))
#define RELATIVE (1u << 19)
#define END 0x05000000u

/* ---- status pages --------------------------------------------------------------------------- */

static void test_hwsp_early(void)
{
	struct bench *b = bench_new("snb");
	struct gsc_image_part part;

	b->words[0] = 0x00000009;
	b->words[4] = 0x00601238;
	b->words[16] = 0x11;
	b->words[27] = 0x22;
	b->words[31] = 0x1b;
	b->words[0x30] = 0x5d39;
	b->words[0x3ff] = 7;
	decode(b, GSC_IMAGE_HWSP, NULL, PAGE);
	CU_ASSERT_EQUAL(field_of(b, "HARDWARE_STATUS_PAGE", -1, "INTERRUPT_STATUS"), 9);
	CU_ASSERT_EQUAL(field_of(b, "HARDWARE_STATUS_PAGE", -1, "RING_HEAD_WRAP_COUNT"), 3);
	CU_ASSERT_EQUAL(field_of(b, "HARDWARE_STATUS_PAGE", -1, "RING_HEAD_OFFSET"), 0x1238 >> 2);
	CU_ASSERT_EQUAL(field_of(b, "HARDWARE_STATUS_PAGE", -1, "CONTEXT_STATUS_11"), 0x22);
	CU_ASSERT_EQUAL(parts_of(b, "CONTEXT_STATUS"), 0);
	CU_ASSERT_EQUAL(parts_of(b, "SOFTWARE"), 2);
	part_of(b, "SOFTWARE", 0x30, &part);
	CU_ASSERT_EQUAL(part.offset, 0xc0);
	CU_ASSERT_EQUAL(part.words[0], 0x5d39);
	CU_ASSERT_PTR_NOT_NULL(strstr(part.text, "not by the hardware: SEQNO_LINUX_3"));
	part_of(b, "SOFTWARE", 0x3ff, &part);
	CU_ASSERT_STRING_EQUAL(part.text, "");
	CU_ASSERT_STRING_EQUAL(b->about.cut, "");
	bench_free(b);
}

static void expect_entry(const struct bench *b, int index, uint64_t offset, const char *text)
{
	struct gsc_image_part part;

	part_of(b, "CONTEXT_STATUS", index, &part);
	CU_ASSERT_EQUAL(part.offset, offset);
	if (strcmp(part.text, text))
		printf("entry %d: '%s', not '%s' ", index, part.text, text);
	CU_ASSERT_STRING_EQUAL(part.text, text);
}

static void test_hwsp_gen8(void)
{
	struct bench *b = bench_new("skl");
	struct gsc_image_part part;

	memset(b->words + 16, 0xff, 12 * 4);
	b->words[16] = 0x1;
	b->words[17] = 0x5;
	b->words[18] = 0x8002;
	b->words[19] = 0x17;
	memset(b->words + 20, 0, 8);
	b->words[31] = 1;
	b->words[0x40] = 0x1234;
	decode(b, GSC_IMAGE_HWSP, NULL, PAGE);
	CU_ASSERT_EQUAL(parts_of(b, "CONTEXT_STATUS"), 6);
	expect_entry(b, 0, 0x40, "IDLE_TO_ACTIVE");
	expect_entry(b, 1, 0x48, "written last; LITE_RESTORE, PREEMPTED");
	expect_entry(b, 2, 0x50, "never written");
	part_of(b, "HARDWARE_STATUS_PAGE", -1, &part);
	CU_ASSERT_STRING_EQUAL(part.text, "entry 1 of 6 was written last");
	expect_entry(b, 3, 0x58, "all ones: empty, or read by the driver");
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 1, "CONTEXT_ID"), 0x17);
	part_of(b, "SOFTWARE", 0x40, &part);
	CU_ASSERT_PTR_NOT_NULL(strstr(part.text, ": SEQNO, "));
	b->words[31] = 2;
	decode(b, GSC_IMAGE_HWSP, NULL, PAGE);
	expect_entry(b, 2, 0x50, "never written");
	part_of(b, "HARDWARE_STATUS_PAGE", -1, &part);
	CU_ASSERT_PTR_NOT_NULL(strstr(part.problem, "is 0x2, but that entry was never written"));
	b->words[31] = 6;
	decode(b, GSC_IMAGE_HWSP, NULL, PAGE);
	part_of(b, "HARDWARE_STATUS_PAGE", -1, &part);
	CU_ASSERT_PTR_NOT_NULL(strstr(part.problem, "there are 6 entries"));
	memset(b->words, 0, sizeof(b->words));
	decode(b, GSC_IMAGE_HWSP, NULL, PAGE);
	expect_entry(b, 0, 0x40, "never written");
	part_of(b, "HARDWARE_STATUS_PAGE", -1, &part);
	CU_ASSERT_STRING_EQUAL(part.text, "none of 6 entries was ever written");
	CU_ASSERT_STRING_EQUAL(part.problem, "");
	bench_free(b);
}

static void test_hwsp_later(void)
{
	struct bench *b = bench_new("icl");

	/* Gen11: class 63:61, counter 60:55, instance 53:48, id 47:37. */
	b->words[16 + 22] = 0x10;
	b->words[16 + 23] = 1u << 29 | 5u << 23 | 2u << 16 | 0x21u << 5;
	b->words[47] = 11;
	decode(b, GSC_IMAGE_HWSP, NULL, PAGE);
	CU_ASSERT_EQUAL(parts_of(b, "CONTEXT_STATUS"), 12);
	expect_entry(b, 11, 0x98, "written last; CONTEXT_COMPLETE");
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 11, "ENGINE_CLASS"), 1);
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 11, "SW_COUNTER"), 5);
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 11, "ENGINE_INSTANCE"), 2);
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 11, "SW_CONTEXT_ID"), 0x21);
	bench_free(b);

	/* Gen12: to 25:15, away 57:47, detail 35:32. */
	b = bench_new("tgl");
	b->words[16] = 0x33u << 15 | 1;
	b->words[17] = 0x7ffu << 15 | 5;
	decode(b, GSC_IMAGE_HWSP, NULL, PAGE);
	expect_entry(b, 0, 0x40, "written last; SWITCHED_TO_NEW_QUEUE");
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 0, "TO_SW_CONTEXT_ID"), 0x33);
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 0, "AWAY_SW_CONTEXT_ID"), 0x7ff);
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 0, "SWITCH_DETAIL"), 5);
	bench_free(b);

	/* Xe-HP: to 25:10, away 57:42, the queue in bit 33. */
	b = bench_new("dg2");
	b->words[16] = 0x1234u << 10 | 3;
	b->words[17] = 0xffffu << 10 | 2;
	decode(b, GSC_IMAGE_HWSP, NULL, PAGE);
	expect_entry(b, 0, 0x40, "written last; SWITCHED_TO_NEW_QUEUE");
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 0, "TO_SW_CONTEXT_ID"), 0x1234);
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 0, "AWAY_SW_CONTEXT_ID"), 0xffff);
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 0, "SWITCH_DETAIL"), 3);
	bench_free(b);
}

/* Every truncated page is decoded, and says where it ends. */
static void test_hwsp_cut(void)
{
	struct bench *b = bench_new("skl");

	memset(b->words, 0xa5, PAGE);
	for (size_t size = 4; size < PAGE; size += 37) {
		char wanted[40];

		decode(b, GSC_IMAGE_HWSP, NULL, size);
		snprintf(wanted, sizeof(wanted), "ends at byte 0x%zx of 0x1000", size);
		CU_ASSERT_STRING_EQUAL(b->about.cut, wanted);
	}
	decode(b, GSC_IMAGE_HWSP, NULL, 0x44);
	expect_entry(b, 0, 0x40, "incomplete");
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_HWSP, NULL, NULL, 3), GSC_FAILED);
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_HWSP, "ccs0", NULL, PAGE), GSC_UNKNOWN);
	bench_free(b);
}

/* ---- contexts ------------------------------------------------------------------------------- */

static const uint32_t gen8_state[] = {
	0, LRI(5), 0x2244, 0x00090009, 0x2034, 0x00200ff0, 0x2030, 0x00000010, 0x2038, 0x00008000,
	0x203c, 0x00000001, 0, 0,
	LRI(8), 0x228c, 0, 0x2288, 0, 0x2284, 0, 0x2280, 0, 0x227c, 0, 0x2278, 0, 0x2274, 1,
	0x2270, 0x23456000, 0, 0, 0, 0, 0, 0, 0, 0,
	0x79000002, 1, 2, 3, END,
};

static void test_context(void)
{
	struct bench *b = bench_new("bdw");
	struct gsc_image_part part;

	b->words[0x34] = 9;
	memcpy(b->words + PAGE / 4, gen8_state, sizeof(gen8_state));
	b->words[0x1ffc / 4] = 3;
	decode(b, GSC_IMAGE_CONTEXT, NULL, 2 * PAGE);
	CU_ASSERT_STRING_EQUAL(b->about.engine, "rcs0");
	expect_registers(b, 0, "rcs0.CTX_SR_CTL=0x90009 rcs0.RING_BUFFER_HEAD=0x200ff0 "
			       "rcs0.RING_BUFFER_TAIL=0x10 rcs0.RING_BUFFER_START=0x8000 "
			       "rcs0.RING_BUFFER_CONTROL=0x1");
	part_of(b, "MI_LOAD_REGISTER_IMM", 1, &part);
	CU_ASSERT_EQUAL(part.offset, 0x1038);
	part_of(b, "COMMANDS", 0, &part);
	CU_ASSERT(part.commands && part.offset == 0x109c && part.size == 20 && part.count == 5);
	part_of(b, "PER_PROCESS_STATUS_PAGE", -1, &part);
	CU_ASSERT(part.offset == 0 && part.size == PAGE);
	part_of(b, "SOFTWARE", 0x34, &part);
	CU_ASSERT_PTR_NOT_NULL(strstr(part.text, "I915_SCRATCH"));
	CU_ASSERT(has_note(b, "ring of 4096 bytes at ggtt:0x8000: head 0xff0, tail 0x10 (wrapped): "
			      "32 bytes used, 4056 free"));
	CU_ASSERT(has_note(b, "page tables: pml4, root 0x123456000"));
	CU_ASSERT(has_note(b, "ends at 0x10b0; 980 dwords after it, 1 not zero"));
	CU_ASSERT_STRING_EQUAL(b->about.cut, "");
	bench_free(b);

	/* Tables of five levels have one pointer; the number of the address space follows it. */
	b = bench_new("lnl");
	memcpy(b->words + PAGE / 4, gen8_state, sizeof(gen8_state));
	b->words[PAGE / 4 + 26] = 7;
	decode(b, GSC_IMAGE_CONTEXT, NULL, 2 * PAGE);
	CU_ASSERT(has_note(b, "page tables: pml4, root 0x123456000"));
	expect_registers(b, 1, "0x228c=0x0 0x2288=0x0 0x2284=0x0 rcs0.CS_ACC_CTR_THOLD=0x0 "
			       "rcs0.CS_CTX_SYS_PASID=0x0 rcs0.CS_CTX_ASID=0x7 "
			       "rcs0.RING_PDP_UDW[0]=0x1 rcs0.RING_PDP_LDW[0]=0x23456000");
	bench_free(b);
}

/* A page of the driver's in front; no page in front; nothing that is a context. */
static void test_context_places(void)
{
	struct bench *b = bench_new("skl");
	struct gsc_image_part part;

	memcpy(b->words + 2 * PAGE / 4, gen8_state, sizeof(gen8_state));
	decode(b, GSC_IMAGE_CONTEXT, NULL, 3 * PAGE);
	CU_ASSERT(has_note(b, "the status page of the context is at 0x1000"));
	part_of(b, "MI_LOAD_REGISTER_IMM", 0, &part);
	CU_ASSERT_EQUAL(part.offset, 0x2004);
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_CONTEXT, NULL, "state", 3 * PAGE), GSC_FAILED);
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_CONTEXT, NULL, "abc", 3 * PAGE), GSC_USAGE);
	memset(b->words, 0, sizeof(b->words));
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_CONTEXT, NULL, NULL, 3 * PAGE), GSC_FAILED);
	memcpy(b->words, gen8_state, sizeof(gen8_state));
	decode(b, GSC_IMAGE_CONTEXT, NULL, PAGE);
	CU_ASSERT_EQUAL(parts_of(b, "PER_PROCESS_STATUS_PAGE"), 0);
	part_of(b, "MI_LOAD_REGISTER_IMM", 0, &part);
	CU_ASSERT_EQUAL(part.offset, 4);
	decode(b, GSC_IMAGE_CONTEXT, "pphwsp", PAGE);
	CU_ASSERT_EQUAL(parts_of(b, "MI_LOAD_REGISTER_IMM"), 0);
	CU_ASSERT(parts_of(b, "SOFTWARE") > 0);
	bench_free(b);
}

/* An image that breaks off within a list, and one without an end. */
static void test_context_cut(void)
{
	struct bench *b = bench_new("skl");
	struct gsc_image_part part;
	struct gsc_row row;
	size_t i;

	memcpy(b->words + PAGE / 4, gen8_state, sizeof(gen8_state));
	decode(b, GSC_IMAGE_CONTEXT, NULL, PAGE + 0x1c);
	CU_ASSERT_STRING_EQUAL(b->about.cut, "ends at byte 0x101c of 0x1030");
	i = part_of(b, "MI_LOAD_REGISTER_IMM", 0, &part);
	CU_ASSERT(part.registers == 2 && part.size == 44 && part.count == 6);
	CU_ASSERT(gsc_image_register(b->image, i, 1, &row) && row.value == 0x200ff0);
	CU_ASSERT(!gsc_image_register(b->image, i, 2, &row));
	decode(b, GSC_IMAGE_CONTEXT, NULL, PAGE + 0x9c);
	CU_ASSERT_STRING_EQUAL(b->about.cut, "ends at byte 0x109c of 0x2000");
	CU_ASSERT(has_note(b, "no MI_BATCH_BUFFER_END"));
	for (size_t size = 4; size < sizeof(gen8_state); size += 4)
		CU_ASSERT(size < 8 ||
			  try_decode(b, GSC_IMAGE_CONTEXT, NULL, NULL, PAGE + size) == GSC_OK);
	bench_free(b);
}

/* Gen11+: offsets count from the engine, whatever their upper bits are. */
static void test_context_relative(void)
{
	static const uint32_t state[] = { 0, LRI(3) | RELATIVE, 0x2034, 1, 0x30, 2, 0x23a8, 3,
					  LRI(1), 0x2358, 4, END | 1 };
	static const uint32_t copy[] = { 0, LRI(2) | RELATIVE, 0x22034, 1, 0x244, 2, END | 1 };
	static const char *const platforms[] = { "icl", "tgl" };
	struct bench *b;

	for (size_t i = 0; i < 2; i++) {
		b = bench_new(platforms[i]);
		memcpy(b->words + PAGE / 4, state, sizeof(state));
		decode(b, GSC_IMAGE_CONTEXT, NULL, 2 * PAGE);
		expect_registers(b, 0, "rcs0.RING_BUFFER_HEAD=0x1 rcs0.RING_BUFFER_TAIL=0x2 "
				       "rcs0.CTX_TIMESTAMP=0x3");
		memcpy(b->words + PAGE / 4, copy, sizeof(copy));
		CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_CONTEXT, "bcs0", NULL, 2 * PAGE), GSC_OK);
		expect_registers(b, 0, "bcs0.RING_BUFFER_HEAD=0x1 bcs0.CTX_SR_CTL=0x2");
		bench_free(b);
	}
}

/* Registers say whose image it is; if that is not the requested engine, a note says so. */
static void test_context_engine(void)
{
	static const uint32_t state[] = { 0, LRI(1), 0x22034, 5, END };
	struct bench *b = bench_new("skl");
	struct gsc_image_part part;

	memcpy(b->words + PAGE / 4, state, sizeof(state));
	decode(b, GSC_IMAGE_CONTEXT, NULL, 2 * PAGE);
	CU_ASSERT_STRING_EQUAL(b->about.engine, "bcs0");
	expect_registers(b, 0, "bcs0.RING_BUFFER_HEAD=0x5");
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_CONTEXT, "vcs0", NULL, 2 * PAGE), GSC_OK);
	part_of(b, "MI_LOAD_REGISTER_IMM", 0, &part);
	CU_ASSERT_STRING_EQUAL(part.problem, "registers of bcs0, not of vcs0");
	bench_free(b);
}

static void test_save_area(void)
{
	static const uint32_t state[] = { LRI(1), 0x2034, 0x40, 0x78010000, END };
	struct bench *b = bench_new("snb");
	struct gsc_image_part part;

	b->words[3] = 0x12345678;
	b->words[(28 << 10) / 4 + 0x40] = 0x77;
	decode(b, GSC_IMAGE_CONTEXT, NULL, 0x8000);
	CU_ASSERT(has_note(b, "CXT_SIZE 0x1e0cddd3 (the value after reset), POWER_CONTEXT_SIZE"));
	CU_ASSERT(has_note(b, "EXTENDED_CONTEXT_SIZE 3520 bytes"));
	part_of(b, "SAVE_AREA", -1, &part);
	CU_ASSERT_EQUAL(part.count, 0x8000 / 4);
	part_of(b, "PER_PROCESS_STATUS_PAGE", -1, &part);
	CU_ASSERT_EQUAL(part.offset, 0x7000);
	part_of(b, "SOFTWARE", 0x40, &part);
	CU_ASSERT_EQUAL(part.offset, 0x7100);
	memcpy(b->words, state, sizeof(state));
	decode(b, GSC_IMAGE_CONTEXT, NULL, PAGE);
	expect_registers(b, 0, "rcs0.RING_BUFFER_HEAD=0x40");
	bench_free(b);
}

static void test_probe_list(void)
{
	struct bench *b = bench_new("snb");

	b->words[2] = 0xabcde000;
	b->words[1023] = 0x00001000;
	decode(b, GSC_IMAGE_CONTEXT, "probe-list", PAGE);
	CU_ASSERT_EQUAL(parts_of(b, "SLOT"), 2);
	CU_ASSERT_EQUAL(field_of(b, "SLOT", 2, "SURFACE_PAGE_BASE_ADDRESS"), 0xabcde);
	CU_ASSERT_EQUAL(field_of(b, "SLOT", 1023, "SURFACE_PAGE_BASE_ADDRESS"), 1);
	CU_ASSERT(has_note(b, "2 of 1024 slots"));
	bench_free(b);
	b = bench_new("skl");
	CU_ASSERT_EQUAL(try_decode(b, GSC_IMAGE_CONTEXT, NULL, "probe-list", PAGE), GSC_USAGE);
	bench_free(b);
}

/* ---- out of a source ------------------------------------------------------------------------ */

static void add_buffer(struct sheet *t, const char *engine, const char *name, uint32_t address,
		       uint32_t first)
{
	sheet_add(t, "%s --- %s = 0x00000000 %08x\n~", engine, name, address);
	sheet_dwords(t, first, 1024);
	sheet_add(t, "\n");
}

/* Two engines, the second one blamed. */
static struct gsc_source *open_state(void)
{
	static const char *const engines[] = { "rcs0", "bcs0" };
	struct sheet t = { .size = 0 };
	struct gsc_source *source;

	sheet_add(&t, "GPU HANG: ecode 9:1:0x00000000, in glxgears [1]\nKernel: 6.1.0 x86_64\n"
		     "PCI ID: 0x1912\n");
	for (unsigned i = 0; i < 2; i++) {
		sheet_add(&t, "%s command stream:\n  START: 0x0000%u000\n  HEAD:  0x00200f%u0 "
			 "[0x00000000]\n  TAIL:  0x000000%u0 [0x00000000, 0x00000000]\n"
			 "  CTL:   0x00000001\n  ACTHD: 0x00000000 0000%uf%u0\n  hung: %u\n",
			 engines[i], 8 + i, i, i + 1, 8 + i, i, i);
		add_buffer(&t, engines[i], "ring", 0x8000 + i * 0x1000, 0x1000 * i);
		add_buffer(&t, engines[i], "HW Status", 0x2000 + i * 0x1000, 0x100 + 0x1000 * i);
	}
	source = open_text(&t, NULL);
	sheet_free(&t);
	return source;
}

static void from_source(struct bench *b, struct gsc_source *source, enum gsc_image_kind kind,
			const char *engine)
{
	struct gsc_image_options options = { .kind = kind, .engine = engine,
					     .gpu = gpu_for(source, b->kit.view) };

	CU_ASSERT_EQUAL_FATAL(try_options(b, &options), GSC_OK);
}

static void test_source(void)
{
	struct gsc_image_options options = { .kind = GSC_IMAGE_CONTEXT };
	struct bench *b = bench_new("skl");
	struct gsc_source *source = open_state();
	struct gsc_image_part part;

	options.gpu = gpu_for(source, b->kit.view);
	from_source(b, source, GSC_IMAGE_HWSP, NULL);
	CU_ASSERT_STRING_EQUAL(b->about.engine, "bcs0");
	CU_ASSERT_STRING_EQUAL(b->about.from, "HW Status of bcs0");
	CU_ASSERT(b->about.placed && b->about.address == 0x3000 && b->about.size == PAGE);
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 0, "CONTEXT_ID"), 0x1111);
	from_source(b, source, GSC_IMAGE_HWSP, "render");
	CU_ASSERT_STRING_EQUAL(b->about.from, "HW Status of rcs0");
	CU_ASSERT_EQUAL(field_of(b, "CONTEXT_STATUS", 0, "CONTEXT_ID"), 0x111);
	from_source(b, source, GSC_IMAGE_RING, NULL);
	CU_ASSERT(has_note(b, "ring of 4096 bytes at ggtt:0x9000: head 0xf10, tail 0x20 (wrapped): "
			      "272 bytes used, 3816 free"));
	CU_ASSERT_EQUAL_FATAL(b->about.mark_count, 3);
	CU_ASSERT_EQUAL(b->about.marks[0].address, 0x9f10);
	CU_ASSERT_EQUAL(b->about.marks[1].address, 0x9020);
	CU_ASSERT_EQUAL(b->about.marks[2].address, 0x9f10);
	part_of(b, "RING", -1, &part);
	CU_ASSERT(part.count == 1024 && part.words[1] == 0x1001);
	part_of(b, "REGISTERS", -1, &part);
	CU_ASSERT(part.aside && part.registers >= 4);
	CU_ASSERT_EQUAL(try_options(b, &options), GSC_UNKNOWN);
	gsc_source_close(source);
	bench_free(b);
}

/* ---- rings and the rest --------------------------------------------------------------------- */

static void test_ring(void)
{
	struct bench *b = bench_new("skl");
	struct gsc_image_part part;

	b->words[0] = END;
	decode(b, GSC_IMAGE_RING, NULL, PAGE + 2);
	part_of(b, "RING", -1, &part);
	CU_ASSERT(part.commands && part.count == PAGE / 4);
	CU_ASSERT_STRING_EQUAL(b->about.cut, "ends at byte 0x1002 of 0x1004");
	CU_ASSERT_EQUAL(b->about.mark_count, 0);
	CU_ASSERT_STRING_EQUAL(gsc_image_word(GSC_IMAGE_RING), "ring");
	CU_ASSERT_PTR_NULL(gsc_image_word(GSC_IMAGE_KINDS));
	bench_free(b);
}

/* Bytes that nobody reads are reported. */
static void test_too_long(void)
{
	static const struct {
		enum gsc_image_kind kind;
		const char *format;
		size_t most;
	} kinds[] = {
		{ GSC_IMAGE_OA, "A36_B8_C8", 16u << 20 },
		{ GSC_IMAGE_RING, NULL, 2u << 20 },
		{ GSC_IMAGE_CONTEXT, NULL, 256u << 10 },
	};
	struct bench *b = bench_new("skl");

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (size_t more = 0; more < 2; more++) {
			struct gsc_image_options options = {
				.kind = kinds[i].kind, .format = kinds[i].format,
				.size = kinds[i].most + 4096 * more,
			};
			uint32_t *data = calloc(1, options.size);
			char wanted[80] = "";

			CU_ASSERT_FATAL(data != NULL);
			memcpy((char *)data + PAGE, gen8_state, sizeof(gen8_state));
			options.data = data;
			if (more)
				snprintf(wanted, sizeof(wanted),
					 "only the first %zu of %zu bytes are decoded",
					 kinds[i].most, options.size);
			CU_ASSERT_EQUAL_FATAL(try_options(b, &options), GSC_OK);
			CU_ASSERT_EQUAL(b->about.size, kinds[i].most);
			CU_ASSERT_STRING_EQUAL(b->about.cut, wanted);
			free(data);
		}
	}
	decode(b, GSC_IMAGE_HWSP, NULL, PAGE);
	CU_ASSERT_EQUAL(b->image->notes.count, 0);
	decode(b, GSC_IMAGE_HWSP, NULL, 2 * PAGE);
	CU_ASSERT(has_note(b, "the first 4096 of 8192 bytes belong to it"));
	CU_ASSERT_STRING_EQUAL(b->about.cut, "");
	bench_free(b);
}

/* A ring whose length registers give: longer, and shorter, than the bytes. */
static void test_ring_length(void)
{
	struct gsc_image_options options = { .kind = GSC_IMAGE_RING };
	struct bench *b = bench_new("snb");
	static const char registers[] = "0x2038 0x5000\n0x203c 0x1001\n0x2034 0x10\n0x2030 0x20\n";
	char *path = temporary_file(registers, strlen(registers));
	struct gsc_source *source = open_spec("%s", path, "snb");

	options.gpu = gpu_for(source, b->kit.view);
	drop_file(path);
	options.data = b->words;
	for (options.size = PAGE; options.size <= 3 * PAGE; options.size += PAGE) {
		CU_ASSERT_EQUAL_FATAL(try_options(b, &options), GSC_OK);
		CU_ASSERT_STRING_EQUAL(b->about.cut, options.size > PAGE ? "" :
				       "ends at byte 0x1000 of 0x2000");
		CU_ASSERT_EQUAL(has_note(b, "the first 8192 of 12288 bytes belong to it"),
				options.size > 2 * PAGE);
		CU_ASSERT(has_note(b, "head 0x10, tail 0x20: 16 bytes used, 8168 free"));
	}
	gsc_source_close(source);
	bench_free(b);
}

/* A ring of a dump: the register says how long it is, if there is one. */
static void test_ring_dump(void)
{
	static const char text[] = "GPU HANG: ecode 9:1:0x0\nPCI ID: 0x1912\n"
		"rcs0 command stream:\n%s  HEAD:  0x00000008\n  TAIL:  0x00000010\n"
		"rcs0 --- ring = 0x00000000 00008000\n~zzzz!!!!$\n";
	static const char *const controls[] = { "  CTL:   0x00000001\n", "" };

	for (size_t i = 0; i < ARRAY_SIZE(controls); i++) {
		struct bench *b = bench_new("skl");
		struct sheet t = { .size = 0 };
		struct gsc_source *source;

		sheet_add(&t, text, controls[i]);
		source = open_text(&t, NULL);
		from_source(b, source, GSC_IMAGE_RING, NULL);
		CU_ASSERT_STRING_EQUAL(b->about.cut,
				       i ? "" : "ends at byte 0x14 of 0x1000");
		CU_ASSERT(has_note(b, i ? "ring of 20 bytes at ggtt:0x8000: head 0x8, tail 0x10: "
					  "8 bytes used, 4 free"
					: "ring of 4096 bytes at ggtt:0x8000: head 0x8, tail 0x10:"
					  " 8 bytes used, 4080 free"));
		gsc_source_close(source);
		sheet_free(&t);
		bench_free(b);
	}
}

/* There may be one for every 64 bytes of an image. */
static void test_small_parts(void)
{
	struct bench *b = bench_new("snb");
	struct gsc_field_iter it;

	CU_ASSERT(sizeof(struct gsc_image_part) <= 128);
	memset(b->words, 0x11, sizeof(b->words));
	decode(b, GSC_IMAGE_OA, "A13", 64 * 64);
	CU_ASSERT_EQUAL(parts_of(b, "OA_REPORT_A13"), 64);
	CU_ASSERT(gsc_image_fields(b->image, 63, &it));
	bench_free(b);
}

/* ---- output --------------------------------------------------------------------------------- */

/* Both forms report the same commands. */
static void test_output(void)
{
	static const uint32_t state[] = { 0, LRI(1), 0x2034, 0x40, 0x78260000, 0x1000, 0xe0000000,
					  END };
	struct gsc_image_counts counts[2] = { { .commands = 1 } };
	struct bench *b = bench_new("skl");
	struct gsc_json json;
	struct gsc_out *out;
	size_t size;

	memcpy(b->words + PAGE / 4, state, sizeof(state));
	decode(b, GSC_IMAGE_CONTEXT, NULL, 2 * PAGE);
	CU_ASSERT_EQUAL_FATAL(gsc_out_new(&out, -1, false, &b->err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_text_image(out, b->image, GSC_TEXT_QUIET, &counts[0], &b->err),
			GSC_OK);
	gsc_out_bytes(out, "", 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(gsc_out_data(out, &size), "# context of rcs0, 8192 bytes\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(gsc_out_data(out, &size), "MI_BATCH_BUFFER_END"));
	gsc_out_free(out);
	CU_ASSERT_EQUAL_FATAL(gsc_out_new(&out, -1, false, &b->err), GSC_OK);
	gsc_json_begin(&json, out, false);
	gsc_json_head(&json, "gpuscope.decode/1", "skl", -1, NULL, 0);
	CU_ASSERT_EQUAL(gsc_json_image(&json, b->image, &counts[1], &b->err), GSC_OK);
	gsc_json_finish(&json);
	gsc_out_bytes(out, "", 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(gsc_out_data(out, &size), "\"dword\":"));
	gsc_out_free(out);
	for (size_t i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(counts[i].commands, 3);
		CU_ASSERT_EQUAL(counts[i].unknown, 1);
		CU_ASSERT_EQUAL(counts[i].first_unknown, PAGE + 6 * 4);
	}
	CU_ASSERT_EQUAL(image_follow(b->image, 0, NULL, &b->err), GSC_USAGE);
	CU_ASSERT_EQUAL(image_follow(b->image, 1000, NULL, &b->err), GSC_USAGE);
	CU_ASSERT_PTR_EQUAL(b->image->set, b->kit.set);
	bench_free(b);
}

static void test_usage(void)
{
	struct gsc_image_options options = { .kind = GSC_IMAGE_KINDS };
	struct bench *b = bench_new("skl");

	CU_ASSERT_EQUAL(gsc_image_new(&b->image, b->kit.set, NULL, &b->err), GSC_USAGE);
	CU_ASSERT_EQUAL(gsc_image_new(&b->image, b->kit.set, &options, &b->err), GSC_USAGE);
	bench_free(b);
}

/* Whatever the bytes are, on every platform, each kind survives them. */
static void test_garbage(void)
{
	static const char *const platforms[] = { "brw", "ctg", "snb", "hsw", "bdw", "icl", "tgl",
						 "dg2", "lnl" };
	static const char *const formats[] = { NULL, "state", "A13", "C4_B8", "pphwsp" };
	uint32_t seed = 1;

	for (size_t p = 0; p < sizeof(platforms) / sizeof(*platforms); p++) {
		struct bench *b = bench_new(platforms[p]);

		for (unsigned round = 0; round < 60; round++) {
			for (size_t i = 0; i < 2 * PAGE / 4; i++) {
				seed = seed * 1664525 + 1013904223;
				b->words[i] = round % 3 ? seed : LRI(seed >> 24);
			}
			b->words[PAGE / 4 + 1] = LRI(20);
			try_decode(b, round % GSC_IMAGE_KINDS, NULL, formats[round % 5],
				   2 * PAGE - round);
		}
		bench_free(b);
	}
}

SUITE(images,
      { "status pages before Gen8", test_hwsp_early },
      { "status pages of Gen8 and Gen9", test_hwsp_gen8 },
      { "status pages from Gen11 on", test_hwsp_later },
      { "status pages that break off", test_hwsp_cut }, { "a context", test_context },
      { "where a context begins", test_context_places },
      { "contexts that break off", test_context_cut },
      { "offsets that count from the engine", test_context_relative },
      { "whose context it is", test_context_engine }, { "save area of Gen6", test_save_area },
      { "surface probe list", test_probe_list }, { "images out of an error state", test_source },
      { "a ring", test_ring }, { "longer than it can be", test_too_long },
      { "how long a ring is", test_ring_length }, { "a ring of a dump", test_ring_dump },
      { "many parts", test_small_parts }, { "output", test_output }, { "no options", test_usage },
      { "bytes that are nothing", test_garbage })
