/* SPDX-License-Identifier: MIT */
/* i915's error states of every age as a source, unchanged and as people paste them. */
#include "dump-helpers.h"
#include "source-helpers.h"
#include "formats/readers.h"
#include "source/inflate.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sheet body_of(const char *literal)
{
	struct sheet text = { .size = 0 };

	sheet_add(&text, "%s", literal);
	return text;
}

static struct gsc_source *open_literal(const char *literal, const char *platform)
{
	struct sheet text = body_of(literal);
	struct gsc_source *source = open_text(&text, platform);

	sheet_free(&text);
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(source, 0), "i915 error state");
	return source;
}

static uint64_t mmio(struct gsc_source *source, uint64_t address)
{
	return value_at(source, GSC_MMIO, address, 4);
}

/* ---- base 85 -------------------------------------------------------------------------------- */

/* How many of 15 characters are good, all zeros except one in the second group. */
static size_t good_with(unsigned char c, size_t place)
{
	if (c == ' ' || c == '\t' || (c == 'z' && !place))
		return 15;
	if (c < '!' || c > 'u')
		return 5 + place;
	return !place && c > '!' + 82 ? 9 : 15;		/* 83 * 85^4 is more than a dword */
}

static void test_ascii85_bytes(void)
{
	byte_vec out = { 0 };

	for (unsigned c = 0; c < 256 * 5; c++) {
		struct ascii85 state = { 0 };
		char text[] = "!!!!!!!!!!!!!!!";

		text[5 + c / 256] = (char)c;
		out.count = 0;
		CU_ASSERT_EQUAL(ascii85_decode(&state, text, 15, &out),
				good_with((unsigned char)c, c / 256));
	}
	vec_free(&out);
}

static void test_ascii85(void)
{
	struct ascii85 state = { 0 };
	byte_vec out = { 0 };

	/* 0xffffffff is the largest there is; digits may come one by one. */
	CU_ASSERT_EQUAL(ascii85_decode(&state, "s8W-!z!!", 8, &out), 8);
	CU_ASSERT_EQUAL(out.count, 8);
	CU_ASSERT_EQUAL(ascii85_decode(&state, "!!\"", 3, &out), 3);
	CU_ASSERT_EQUAL_FATAL(out.count, 12);
	CU_ASSERT_EQUAL(memcmp(out.items, "\xff\xff\xff\xff\0\0\0\0\1\0\0\0", 12), 0);
	/* One more is no dword; neither is a zero inside a group. */
	CU_ASSERT_EQUAL(ascii85_decode(&state, "s8W-\"", 5, &out), 4);
	state = (struct ascii85){ 0 };
	CU_ASSERT_EQUAL(ascii85_decode(&state, "!!z!!", 5, &out), 2);
	state = (struct ascii85){ 0 };
	CU_ASSERT_EQUAL(ascii85_decode(&state, "!!!!!v", 6, &out), 5);
	CU_ASSERT_EQUAL(out.count, 16);
	vec_free(&out);
}

static void test_unpacker(void)
{
	/* RFC 1950 and 1951: 8 stored bytes and their Adler-32. */
	static const uint8_t stored[] = { 0x78, 1, 1, 8, 0, 0xf7, 0xff, 'p', 'a', 'c', 'k', 'e',
					  'd', '!', '\n', 0x0d, 0xa4, 0x02, 0x94 };
	struct gsc_error err;
	struct unpacker *unpacker = unpacker_new(&err);
	byte_vec out = { 0 };

	if (!unpacker)
		return;
	CU_ASSERT(unpacker_begin(unpacker));
	CU_ASSERT_EQUAL(unpacker_feed(unpacker, stored, 9, &out, 100), UNPACK_MORE);
	CU_ASSERT_EQUAL(unpacker_feed(unpacker, stored + 9, 10, &out, 100), UNPACK_END);
	CU_ASSERT_EQUAL_FATAL(out.count, 8);
	CU_ASSERT_EQUAL(memcmp(out.items, "packed!\n", 8), 0);
	/* Output beyond the limit is not returned. */
	CU_ASSERT(unpacker_begin(unpacker));
	CU_ASSERT_EQUAL(unpacker_feed(unpacker, stored, sizeof(stored), &out, 11), UNPACK_FULL);
	CU_ASSERT_EQUAL(out.count, 11);
	CU_ASSERT(unpacker_begin(unpacker));
	CU_ASSERT_EQUAL(unpacker_feed(unpacker, stored + 1, 18, &out, 100), UNPACK_DAMAGED);
	unpacker_free(unpacker);
	vec_free(&out);
}

/* ---- ages ----------------------------------------------------------------------------------- */

/* Linux 2.6.38: blocks only for the other engines. */
static const char without_engines[] =
	"Time: 1299167142 s 513671 us\n"
	"PCI ID: 0x0126\n"
	"EIR: 0x00000000\n"
	"PGTBL_ER: 0x00000000\n"
	"ERROR: 0x00000001\n"
	"Blitter command stream:\n"
	"  ACTHD:    0x00022100\n"
	"  IPEHR:    0x54300004\n"
	"Video (VCS) command stream:\n"
	"  ACTHD:    0x00012200\n"
	"  IPEHR:    0x70000003\n"
	"Render command stream:\n"
	"  ACTHD: 0x02010040\n"
	"  IPEHR: 0x7a000003\n"
	"  INSTDONE: 0xfffffffe\n"
	"  fence[0] = bf00500000003\n"
	"--- gtt_offset = 0x02010000\n"
	"00000000 :  7a000003\n"
	"00000004 :  00000000\n"
	"00000008 :  02000000\n";

static void test_without_engines(void)
{
	struct gsc_source *s = open_literal(without_engines, NULL);
	struct gsc_buffer_origin batch = buffer_of(s, GSC_BUFFER_BATCH, 0);

	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("snb").index);
	CU_ASSERT_EQUAL(mmio(s, 0x22074), 0x22100);
	CU_ASSERT_EQUAL(mmio(s, 0x12068), 0x70000003);
	CU_ASSERT_EQUAL(mmio(s, 0x2074), 0x02010040);
	CU_ASSERT_EQUAL(mmio(s, 0x40a0), 1);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x100000, 8), UINT64_C(0xbf00500000003));
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x02010008, 4), 0x02000000);
	/* It does not say whether processes have page tables: they would be equal anyway. */
	CU_ASSERT_EQUAL(value_at(s, GSC_PPGTTMEM, 0x02010000, 4), 0x7a000003);
	CU_ASSERT_STRING_EQUAL(batch.engine, "");
	CU_ASSERT_EQUAL(batch.length, 12);
	CU_ASSERT_STRING_EQUAL(property_of(s, "Time"), "1299167142 s 513671 us");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* A process may have any name, and must not hide its hang with it. */
static void test_odd_names(void)
{
	static const char names[][4] = { "\x01", "\x7f", "\xfe", "\xff\xfe\xff" };
	char text[256];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct gsc_source *s;

		snprintf(text, sizeof(text), "Time: 1300000000 s 123456 us\nKernel: 3.2.0\n"
			 "Active process (on ring render): caf%s [12]\nPCI ID: 0x0126\n"
			 "EIR: 0x00000010\nPGTBL_ER: 0x00000000\n", names[i]);
		s = open_literal(text, NULL);
		CU_ASSERT_EQUAL(mmio(s, 0x20b0), 0x10);
		gsc_source_close(s);
	}
}

/* Linux 3.10, Gen5: one dword per line; what is between the blocks must not become an engine's. */
static const char dword_lines[] =
	"Time: 1361486941 s 24003 us\n"
	"Kernel: 3.10.0\n"
	"PCI ID: 0x0046\n"
	"EIR: 0x00000010\n"
	"IER: 0x02028c53\n"
	"PGTBL_ER: 0x00000100\n"
	"  fence[0] = 1f5700001f4800d\n"
	"render command stream:\n"
	"  HEAD: 0x1e8009b0\n"
	"  TAIL: 0x00000d40\n"
	"  CTL: 0x0001f001\n"
	"  ACTHD: 0x10c50008\n"
	"  IPEHR: 0x60020100\n"
	"  INSTDONE_0: 0x808fffff\n"
	"  INSTDONE_1: 0x9fbdfdaa\n"
	"  BBADDR: 0x10c50009\n"
	"  seqno: 0x000c9558\n"
	"  waiting: yes\n"
	"  ring->head: 0x0000e200\n"
	"bsd command stream:\n"
	"  HEAD: 0x00000000\n"
	"Active [1]:\n"
	"  02540000     4096 0050 0000 000c9559 dirty purgeable render uncached (name: 8)\n"
	"render ring --- gtt_offset = 0x10c50000\n"
	"00000000 :  60020100\n"
	"00000004 :  00000001\n"
	"00000008 :  05000000\n"
	"render ring --- 1 requests\n"
	"  seqno 0x000c9559, emitted 4297035218, tail 0x0000e200\n"
	"render ring --- ringbuffer = 0x00001000\n"
	"00000000 :  18800180\n"
	"00000004 :  10c50000\n"
	"render ring --- HW Context = 0x00100000\n"
	"[0000] 00000001 00000002 00000003 00000004\n"
	"[0010] 00000005 00000006 00000007 00000008\n"
	"Num Pipes: 2\n"
	"Pipe [0]:\n"
	"  CONF: 0xc0000000\n"
	"  EIR: 0xffffffff\n"
	"Plane [0]:\n"
	"  CNTR: d9000400\n";

static void test_dword_lines(void)
{
	struct gsc_source *s = open_literal(dword_lines, NULL);
	struct gsc_buffer_origin ring = buffer_of(s, GSC_BUFFER_RING, 0);
	struct gsc_buffer_origin batch = buffer_of(s, GSC_BUFFER_BATCH, 0);

	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("ilk").index);
	CU_ASSERT_EQUAL(mmio(s, 0x20b0), 0x10);
	/* That kernel prints the sum of two registers. */
	CU_ASSERT_STRING_EQUAL(property_of(s, "IER"), "0x02028c53");
	CU_ASSERT_EQUAL(mmio(s, 0x2024), 0x100);
	CU_ASSERT_EQUAL(mmio(s, 0x2034), 0x1e8009b0);
	CU_ASSERT_EQUAL(mmio(s, 0x206c), 0x808fffff);
	CU_ASSERT_EQUAL(mmio(s, 0x207c), 0x9fbdfdaa);
	CU_ASSERT_EQUAL(buffer_count(s), 3);
	CU_ASSERT_EQUAL(ring.space, GSC_GTTMEM);
	CU_ASSERT_STRING_EQUAL(ring.engine, "rcs0");
	CU_ASSERT_STRING_EQUAL(ring.name, "ringbuffer");
	CU_ASSERT_EQUAL(ring.flags, GSC_BUFFER_HEAD | GSC_BUFFER_TAIL | GSC_BUFFER_ACTHD);
	CU_ASSERT_EQUAL(ring.head, 0x9b0);
	CU_ASSERT_EQUAL(ring.tail, 0xd40);
	CU_ASSERT_EQUAL(ring.acthd, 0x10c50008);
	/* Gen5 has no per-process page tables. */
	CU_ASSERT_EQUAL(batch.space, GSC_GTTMEM);
	CU_ASSERT_EQUAL(batch.address, 0x10c50000);
	CU_ASSERT_EQUAL(batch.length, 12);
	expect_dwords(s, GSC_GTTMEM, 0x100000, 1, 8);
	CU_ASSERT_STRING_EQUAL(property_of(s, "rcs0.ring->head"), "0x0000e200");
	CU_ASSERT_STRING_EQUAL(property_of(s, "Pipe [0].EIR"), "0xffffffff");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* Linux 4.4: addresses in two parts, batches with their submitters, rows. */
static const char two_parts[] =
	"GPU HANG: ecode 8:0:0x85dffffb, in Xorg [1234], reason: Hang on render ring, "
	"action: reset\n"
	"Time: 1470000000 s 1 us\n"
	"Kernel: 4.4.0\n"
	"Active process (on ring render): Xorg [1234]\n"
	"Reset count: 0\n"
	"PCI ID: 0x1616\n"
	"PCI Revision: 0x09\n"
	"EIR: 0x00000000\n"
	"IER: 0x00000007\n"
	"GTIER gt 0: 0x01010101\n"
	"GTIER gt 3: 0x00000102\n"
	"CCID: 0x00000105\n"
	"FAULT_TLB_DATA: 0x00000010 0x0004e750\n"
	"render command stream:\n"
	"  START: 0x00005000\n"
	"  HEAD:  0x00000040\n"
	"  TAIL:  0x00000080\n"
	"  ACTHD: 0x0000007f 0002003c\n"
	"  BBADDR: 0x0000007f 0002003d\n"
	"  RC PSMI: 0x00000010\n"
	"  FAULT_REG: 0x00000003\n"
	"  GFX_MODE: 0x00008200\n"
	"  PDP0: 0x00000001a5b6c000\n"
	"  hangcheck: hung [42]\n"
	"bsd2 command stream:\n"
	"  START: 0x00006000\n"
	"  ACTHD: 0x00000000 00000004\n"
	"vm[0]\n"
	"  Active [1]:\n"
	"    0000007f_00020000    65536 3e 00 [ 01 00 00 00 00 ] 00 dirty LLC\n"
	"render ring (submitted by Xorg [1234]) --- gtt_offset = 0x0000007f 00020000\n"
	"00000000 :  00000100\n"
	"00000004 :  00000101\n"
	"render ring (w/a) --- gtt_offset = 0x00030000\n"
	"00000000 :  00000200\n"
	"render ring --- HW Status = 0x00009000\n"
	"[0000] 00000300 00000301 00000302 00000303\n"
	"render ring --- WA ctx batch buffer = 0x0000a000\n"
	"[0000] 00000400 00000401 00000402 00000403\n"
	"Semaphore page = 0x0000b000\n"
	"[0000] 00000500 00000501 00000502 00000503\n";

static void test_two_parts(void)
{
	struct gsc_source *s = open_literal(two_parts, NULL);
	struct gsc_buffer_origin batch = buffer_of(s, GSC_BUFFER_BATCH, 0);

	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("bdw").index);
	CU_ASSERT_EQUAL(gsc_source_revision(s), 9);
	CU_ASSERT_EQUAL(mmio(s, 0x4446c), 7);
	CU_ASSERT_EQUAL(mmio(s, 0x4430c), 0x01010101);
	CU_ASSERT_EQUAL(mmio(s, 0x4433c), 0x102);
	CU_ASSERT_EQUAL(mmio(s, 0x2180), 0x105);
	CU_ASSERT_EQUAL(mmio(s, 0x4b10), 0x4e750);
	CU_ASSERT_EQUAL(mmio(s, 0x4b14), 0x10);
	CU_ASSERT_EQUAL(mmio(s, 0x2074), 0x2003c);
	CU_ASSERT_EQUAL(mmio(s, 0x205c), 0x7f);
	CU_ASSERT_EQUAL(mmio(s, 0x2168), 0x7f);
	CU_ASSERT_EQUAL(mmio(s, 0x2050), 0x10);
	CU_ASSERT_EQUAL(mmio(s, 0x4094), 3);
	CU_ASSERT_EQUAL(mmio(s, 0x2270), 0xa5b6c000);
	CU_ASSERT_EQUAL(mmio(s, 0x2274), 1);
	CU_ASSERT_EQUAL(mmio(s, 0x1c038), 0x6000);
	CU_ASSERT_EQUAL(batch.space, GSC_PPGTTMEM);
	CU_ASSERT_EQUAL(batch.address, UINT64_C(0x7f00020000));
	CU_ASSERT_EQUAL(batch.acthd, UINT64_C(0x7f0002003c));
	CU_ASSERT(batch.flags & GSC_BUFFER_HUNG);
	expect_dwords(s, GSC_PPGTTMEM, UINT64_C(0x7f00020000), 0x100, 2);
	CU_ASSERT_EQUAL(buffer_of(s, GSC_BUFFER_WA_BATCH, 0).space, GSC_GTTMEM);
	expect_dwords(s, GSC_GTTMEM, 0x30000, 0x200, 1);
	CU_ASSERT_EQUAL(buffer_of(s, GSC_BUFFER_HWSP, 0).address, 0x9000);
	expect_dwords(s, GSC_GTTMEM, 0x9000, 0x300, 4);
	CU_ASSERT_EQUAL(buffer_of(s, GSC_BUFFER_WA_CONTEXT, 0).length, 16);
	expect_dwords(s, GSC_GTTMEM, 0xb000, 0x500, 4);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* Linux 5 and 6: base 85. */
static struct sheet packed_state(bool zlib)
{
	struct sheet t = { .size = 0 };
	static const char *const engines[] = { "rcs0", "vcs0" };

	sheet_add(&t, "GPU HANG: ecode 12:1:85dffffb, in glxgears [123]\nKernel: 6.12.0 x86_64\n"
		 "Reset count: 0\nPlatform: TIGERLAKE\nPCI ID: 0x9a49\nPCI Revision: 0x01\n"
		 "IER: 0x00000000\nEIR: 0x00000000\nPGTBL_ER: 0x00000000\nGTIER[5]: 0x00000007\n"
		 "  fence[31] = 13c603b00bc0001\nFORCEWAKE: 0x00010001\n"
		 "FAULT_TLB_DATA: 0x00000000 0x0004e750\n  SFC_DONE[1]: 0x000000ff\n");
	for (unsigned i = 0; i < 2; i++) {
		unsigned start = 0x1000 + i * 0x10000;

		sheet_add(&t, "%s command stream:\n  CCID:  0x00001234\n  START: 0x%08x\n"
			 "  HEAD:  0x00200e48 [0x00000e00]\n  TAIL:  0x00000ec8 [0x0, 0x00000ec8]\n"
			 "  ACTHD: 0x00000001 %08x\n  SAMPLER_INSTDONE[0][0]: 0x0000000%u\n"
			 "  SAMPLER_INSTDONE[0][1]: 0x0000001%u\n"
			 "  batch: [0x00000001_%08x, 0x00000001_%08x]\n"
			 "  FADDR: 0x00000001 00020200\n  GFX_MODE: 0x00008000\n"
			 "  ELSP[0]:  pid 123, seqno 1f:00000002, prio 0\n  hung: %u\n", engines[i],
			 start, start + 0x40, i, i, start, start + 0x1000, !i);
		sheet_add(&t, "%s --- batch = 0x00000001 %08x\ngtt_page_sizes = 0x00010000\n",
			 engines[i], start);
		if (zlib)
			sheet_zlib(&t, 0x1000 * i, 1024);
		else
			sheet_add(&t, "~");
		if (!zlib)
			sheet_dwords(&t, 0x1000 * i, 1024);
		sheet_add(&t, "\n%s --- ring = 0x00000000 %08x\n", engines[i], start);
		if (zlib)
			sheet_zlib(&t, 0x2000 + 0x1000 * i, 1024);
		else
			sheet_add(&t, "~");
		if (!zlib)
			sheet_dwords(&t, 0x2000 + 0x1000 * i, 1024);
		sheet_add(&t, "\n");
	}
	sheet_add(&t, "GuC timestamp: 0x00001234\nppgtt-type: 2\ni915.modeset=-1\n");
	return t;
}

static void expect_packed(struct gsc_source *s)
{
	struct gsc_buffer_origin batch = buffer_of(s, GSC_BUFFER_BATCH, 1);
	struct gsc_buffer_origin ring = buffer_of(s, GSC_BUFFER_RING, 0);

	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("tgl").index);
	CU_ASSERT_EQUAL(buffer_count(s), 4);
	expect_dwords(s, GSC_PPGTTMEM, UINT64_C(0x100001000), 0, 1024);
	expect_dwords(s, GSC_PPGTTMEM, UINT64_C(0x100011000), 0x1000, 1024);
	expect_dwords(s, GSC_GTTMEM, 0x1000, 0x2000, 1024);
	expect_dwords(s, GSC_GTTMEM, 0x11000, 0x3000, 1024);
	CU_ASSERT_STRING_EQUAL(batch.engine, "vcs0");
	CU_ASSERT_EQUAL(batch.length, 4096);
	CU_ASSERT_EQUAL(batch.acthd, UINT64_C(0x100011040));
	CU_ASSERT_FALSE(batch.flags & (GSC_BUFFER_CUT | GSC_BUFFER_HUNG));
	CU_ASSERT_EQUAL(ring.start, 0x1000);
	CU_ASSERT_EQUAL(ring.head, 0xe48);
	CU_ASSERT(ring.flags & GSC_BUFFER_HUNG);
	CU_ASSERT_EQUAL(mmio(s, 0x190044), 7);
	CU_ASSERT_EQUAL(mmio(s, 0xceb8), 0x4e750);
	CU_ASSERT_EQUAL(mmio(s, 0x1cd000), 0xff);
	CU_ASSERT_EQUAL(mmio(s, 0x1c0038), 0x11000);
	CU_ASSERT_EQUAL(mmio(s, 0x2078), 0x20200);
	/* If many units have one address the first is shown, and the others are listed. */
	CU_ASSERT_EQUAL(mmio(s, 0xe160), 0);
	CU_ASSERT_STRING_EQUAL(property_of(s, "rcs0.SAMPLER_INSTDONE[0][1]"), "0x00000010");
	CU_ASSERT_STRING_EQUAL(property_of(s, "rcs0.hung"), "1");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	if (gsc_source_note(s, 0))
		fprintf(stderr, "\n%s\n", gsc_source_note(s, 0));
	gsc_source_close(s);
}

static void test_packed(void)
{
	for (int zlib = 0; zlib < 2; zlib++) {
		struct sheet t = packed_state(zlib);

		expect_packed(open_text(&t, NULL));
		sheet_free(&t);
	}
}

static const char guc_capture[] =
	"GPU HANG: ecode 12:10:85def5fa, in app [77]\n"
	"PCI ID: 0x56a0\n"
	"EIR: 0x00000000\n"
	"global --- GuC Error Capture on ccs0 command stream:\n"
	"Coverage:  full-capture\n"
	"  RegListType: Global\n"
	"    Owner-Id: 0\n"
	"    NumRegs: 3\n"
	"      FORCEWAKE:  0x00010001\n"
	"      GEN12_FAULT_TLB_DATA0:  0x0004e750\n"
	"      REG-0x0000cec4:  0x00000001\n"
	"  RegListType: Engine-Class\n"
	"    GuC-Eng-Class: 4\n"
	"    NumRegs: 2\n"
	"      GEN7_SC_INSTDONE:  0xfffffffe\n"
	"      GEN12_SC_INSTDONE_EXTRA:  0xfffffffd\n"
	"  RegListType: Engine-Instance\n"
	"    GuC-Engine-Inst-Id: 0\n"
	"    NumRegs: 7\n"
	"      RC PSMI:  0x00000010\n"
	"      ACTHD_LDW:  0x0002003c\n"
	"      ACTHD_UDW:  0x00000001\n"
	"      RING_BBADDR_UP32:  0x00000002\n"
	"      HEAD:  0x00000100\n"
	"      PDP0_UDW:  0x00000003\n"
	"      REG-0x00000038:  0x00005000\n"
	"  hung: 1\n"
	"ccs0 --- ring = 0x00000000 00005000\n"
	"~zz\n";

static void test_guc_capture(void)
{
	struct gsc_source *s = open_literal(guc_capture, NULL);
	struct gsc_buffer_origin ring = buffer_of(s, GSC_BUFFER_RING, 0);

	CU_ASSERT_EQUAL(mmio(s, 0xa188), 0x10001);
	CU_ASSERT_EQUAL(mmio(s, 0xceb8), 0x4e750);
	CU_ASSERT_EQUAL(mmio(s, 0xcec4), 1);
	CU_ASSERT_EQUAL(mmio(s, 0x1a050), 0x10);
	CU_ASSERT_EQUAL(mmio(s, 0x1a074), 0x2003c);
	CU_ASSERT_EQUAL(mmio(s, 0x1a168), 2);
	CU_ASSERT_EQUAL(mmio(s, 0x1a274), 3);
	CU_ASSERT_EQUAL(mmio(s, 0x1a038), 0x5000);
	CU_ASSERT_EQUAL(ring.acthd, UINT64_C(0x10002003c));
	CU_ASSERT_EQUAL(ring.head, 0x100);
	CU_ASSERT_EQUAL(ring.flags & (GSC_BUFFER_HUNG | GSC_BUFFER_CUT), GSC_BUFFER_HUNG);
	CU_ASSERT_EQUAL(ring.length, 8);
	CU_ASSERT_STRING_EQUAL(property_of(s, "ccs0.Coverage"), "full-capture");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

/* ---- which memory --------------------------------------------------------------------------- */

static enum gsc_space space_told(const char *device, const char *line)
{
	struct sheet t = { .size = 0 };
	struct gsc_source *s;
	enum gsc_space space;

	sheet_add(&t, "PCI ID: %s\nEIR: 0x0\nrender command stream:\n  HEAD: 0x0\n%s"
		 "render ring --- gtt_offset = 0x1000\n00000000 :  00000001\n%s", device,
		 *line == ' ' ? line : "", *line == ' ' ? "" : line);
	s = open_text(&t, NULL);
	space = buffer_of(s, GSC_BUFFER_BATCH, 0).space;
	gsc_source_close(s);
	sheet_free(&t);
	return space;
}

static void test_spaces(void)
{
	CU_ASSERT_EQUAL(space_told("0x2a42", ""), GSC_GTTMEM);
	CU_ASSERT_EQUAL(space_told("0x0126", ""), GSC_PPGTTMEM);
	CU_ASSERT_EQUAL(space_told("0x0126", "  GFX_MODE: 0x00000000\n"), GSC_PPGTTMEM);
	CU_ASSERT_EQUAL(space_told("0x0166", "  GFX_MODE: 0x00000200\n"), GSC_PPGTTMEM);
	CU_ASSERT_EQUAL(space_told("0x0166", "  GFX_MODE: 0x00000000\n"), GSC_GTTMEM);
	CU_ASSERT_EQUAL(space_told("0x0126", "i915.enable_ppgtt=0\n"), GSC_GTTMEM);
	CU_ASSERT_EQUAL(space_told("0x1916", ""), GSC_PPGTTMEM);
	CU_ASSERT_EQUAL(space_told("0x1916", "ppgtt-type: 0\n"), GSC_GTTMEM);
	CU_ASSERT_EQUAL(space_told("0x1916", "i915.enable_ppgtt=3\n"), GSC_PPGTTMEM);
}

/* For one name the driver reads different addresses on different platforms. */
static void test_addresses(void)
{
	static const char lines[] =
		"EIR: 0x0\nIER: 0x1\nFORCEWAKE: 0x2\nGTIER[0]: 0x3\nrender command stream:\n"
		"  GFX_MODE: 0x4\n  PP_DIR_BASE: 0x5\n  SC_INSTDONE: 0x6\n  HWS: 0x7\n"
		"  SYNC_1: 0x8 [last synced 0x00000000]\n  FAULT_REG: 0x9\n";
	static const struct {
		const char *platform;
		uint32_t address[9];		/* of the values 1 to 9; 0: none */
	} places[] = {
		{ "elk", { 0x20a0, 0, 0, 0, 0, 0x207c, 0x2080 } },
		{ "snb", { 0x4400c, 0xa18c, 0x4401c, 0x229c, 0x2518, 0x207c, 0x4080, 0x2044,
			   0x4094 } },
		{ "vlv", { 0x1820a0, 0xa188, 0x4401c, 0x229c, 0x2228, 0x7100, 0x4080, 0x2044,
			   0x4094 } },
		{ "skl", { 0x4446c, 0xa188, 0x4430c, 0x229c, 0, 0x7100, 0x2080, 0, 0x4094 } },
		{ "dg2", { 0x4446c, 0xa188, 0x190030, 0x229c, 0, 0x7100, 0x2080, 0, 0xcec4 } },
	};
	struct sheet t = body_of(lines);

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct gsc_source *s = open_text(&t, places[i].platform);

		for (unsigned value = 1; value <= 9; value++)
			if (places[i].address[value - 1])
				CU_ASSERT_EQUAL(mmio(s, places[i].address[value - 1]), value);
		gsc_source_close(s);
	}
	sheet_free(&t);
}

/* Gen5 to Gen7 have one GTIER, which the driver calls the first of one. */
static void test_index_too_many(void)
{
	static const char *const platforms[] = { "ilk", "snb", "vlv", "hsw" };

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		struct gsc_source *s = open_literal("EIR: 0x0\nGTIER[0]: 0x3\nGTIER[1]: 0x4\n"
						    "GTIER gt 2: 0x5\n"
						    "render command stream:\n", platforms[i]);

		CU_ASSERT_EQUAL(mmio(s, 0x4401c), 3);
		CU_ASSERT_STRING_EQUAL(property_of(s, "GTIER[1]"), "0x4");
		CU_ASSERT_STRING_EQUAL(property_of(s, "GTIER gt 2"), "0x5");
		gsc_source_close(s);
	}
}

/* A dump is of one GT, whose engines follow the registers that belong to no engine. */
static void test_media_gt(void)
{
	static const struct {
		const char *platform, *engines;
		uint32_t base;
	} dumps[] = {
		{ "mtl", "vcs0 command stream:\n", 0x380000 },
		{ "mtl", "vecs0 command stream:\nvcs2 command stream:\n", 0x380000 },
		{ "mtl", "rcs0 command stream:\n", 0 },
		{ "mtl", "vcs0 command stream:\nrcs0 command stream:\n", 0 },
		{ "mtl", "", 0 },
		{ "dg2", "vcs0 command stream:\n", 0 },
	};

	for (size_t i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++) {
		struct sheet t = { .size = 0 };
		struct gsc_source *s;

		sheet_add(&t, "PGTBL_ER: 0x0\nEIR: 0x0\nDERRMR: 0x5\nFORCEWAKE: 0x6\n"
			 "FAULT_TLB_DATA: 0x00000017 0x00012345\n%s", dumps[i].engines);
		s = open_text(&t, dumps[i].platform);
		CU_ASSERT_EQUAL(mmio(s, dumps[i].base + 0xceb8), 0x12345);
		CU_ASSERT_EQUAL(mmio(s, dumps[i].base + 0xcebc), 0x17);
		CU_ASSERT_EQUAL(mmio(s, dumps[i].base + 0xa188), 6);
		CU_ASSERT_EQUAL(mmio(s, 0x44050), 5);
		gsc_source_close(s);
		sheet_free(&t);
	}
}

static void test_conflict(void)
{
	static const char dump[] =
		"PCI ID: 0x1916\nEIR: 0x0\n"
		"rcs0 --- batch = 0x00000000 00010000\n00000000 :  00000001\n00000004 :  00000002\n"
		"rcs0 --- user = 0x00000000 00010000\n00000000 :  00000001\n"
		"bcs0 --- batch = 0x00000000 00010004\n"
		"00000000 :  00000003\n00000004 :  00000004\n";
	struct gsc_source *s = open_literal(dump, NULL);

	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "1 buffer, batch at 0x10004"));
	expect_dwords(s, GSC_PPGTTMEM, 0x10000, 1, 2);
	CU_ASSERT_EQUAL(value_at(s, GSC_PPGTTMEM, 0x10008, 4), 4);
	/* By itself each has its own bytes. */
	CU_ASSERT_EQUAL(*(const uint8_t *)buffer_of(s, GSC_BUFFER_BATCH, 1).data, 3);
	gsc_source_close(s);
}

/* ---- as people have them -------------------------------------------------------------------- */

static void test_mail(void)
{
	static const struct {
		const char *front, *end;
	} changes[] = {
		{ "> ", "\n" }, { ">> ", "\r\n" }, { "", "\r\n" }, { "> > ", " \n" },
		{ "[  123.456789] ", "\n" }, { "[12.3] i915 0000:00:02.0: [drm] ", "\n" },
		{ "Nov 21 14:59:18 host kernel: [   55.123456] ", "\n" },
	};
	struct sheet t = packed_state(true);

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct sheet changed = text_changed(t.data, t.size, changes[i].front,
						   changes[i].end);

		expect_packed(open_text(&changed, NULL));
		sheet_free(&changed);
	}
	sheet_free(&t);
}

/* Lines broken after this many columns, as mail does, with quotes in front of each piece. */
static void wrap(const struct sheet *from, struct sheet *to, size_t columns, const char *front)
{
	const char *at = from->data, *end = at + from->size;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = newline ? (size_t)(newline - at) : (size_t)(end - at);
		bool data = *at == ':' || *at == '~';

		for (size_t done = 0; done < length || !length;) {
			size_t piece = data && length - done > columns ? columns : length - done;

			sheet_add(to, "%s%.*s\n", front, (int)piece, at + done);
			done += piece;
			if (!length)
				break;
		}
		at += length + (newline != NULL);
	}
}

static void test_wrapped(void)
{
	for (int zlib = 0; zlib < 2; zlib++) {
		struct sheet t = packed_state(zlib), wrapped = { .size = 0 };

		wrap(&t, &wrapped, 76, "");
		expect_packed(open_text(&wrapped, NULL));
		sheet_free(&wrapped);
		wrap(&t, &wrapped, 71, "> ");
		expect_packed(open_text(&wrapped, NULL));
		sheet_free(&wrapped);
		sheet_free(&t);
	}
}

static void test_no_platform(void)
{
	static const char unknown[] = "PCI ID: 0x1234\nEIR: 0x00000010\nrcs0 command stream:\n"
				      "  HEAD: 0x40\n";
	struct sheet t = body_of(strchr(unknown, '\n') + 1);
	struct gsc_source *s = open_literal(unknown, NULL);

	CU_ASSERT(note_has(s, 0, "unknown PCI id 0x1234, so its 2 registers"));
	CU_ASSERT_STRING_EQUAL(property_of(s, "rcs0.HEAD"), "0x40");
	gsc_source_close(s);
	s = open_text(&t, NULL);
	CU_ASSERT(note_has(s, 0, "no PCI id, so its 2 registers have no address: give -p"));
	gsc_source_close(s);
	s = open_text(&t, "skl");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	CU_ASSERT_EQUAL(mmio(s, 0x2034), 0x40);
	CU_ASSERT_EQUAL(mmio(s, 0x20b0), 0x10);
	gsc_source_close(s);
	sheet_free(&t);
}

/* ---- damage --------------------------------------------------------------------------------- */

static void test_cut(void)
{
	struct sheet t = packed_state(true);
	size_t half = (size_t)(strstr(t.data, "rcs0 --- ring") - t.data) - 2000;
	struct sheet cut = { .data = t.data, .size = half };
	struct gsc_source *s = open_text(&cut, NULL);
	struct gsc_buffer_origin batch = buffer_of(s, GSC_BUFFER_BATCH, 0);

	CU_ASSERT(batch.flags & GSC_BUFFER_CUT);
	CU_ASSERT(batch.length > 1000 && batch.length < 4096);
	CU_ASSERT(note_has(s, 0, "a buffer is truncated"));
	gsc_source_close(s);
	/* A character that is no digit ends one buffer, and no other. */
	t.data[half] = 'v';
	s = open_text(&t, NULL);
	CU_ASSERT(note_has(s, 0, "not base 85"));
	CU_ASSERT_EQUAL(buffer_count(s), 4);
	CU_ASSERT(buffer_of(s, GSC_BUFFER_BATCH, 0).flags & GSC_BUFFER_CUT);
	expect_dwords(s, GSC_GTTMEM, 0x11000, 0x3000, 1024);
	gsc_source_close(s);
	sheet_free(&t);
}

static void test_holes(void)
{
	static const char dump[] =
		"PCI ID: 0x2a42\nEIR: 0x0\nrender ring --- ringbuffer = 0x00001000\n"
		"00000000 :  00000001\n00000004 :  0000\n00000008 :  00000003\n"
		"000000fc :  00000004\n";
	struct gsc_source *s = open_literal(dump, NULL);
	uint64_t value;

	CU_ASSERT(note_has(s, 0, "line 5: a damaged line of dwords"));
	CU_ASSERT(note_has(s, 1, "line 6: dwords are missing"));
	CU_ASSERT_EQUAL(buffer_count(s), 3);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x1008, 4), 3);
	CU_ASSERT_EQUAL(value_at(s, GSC_GTTMEM, 0x10fc, 4), 4);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_GTTMEM, 0x1004, 4, &value), GSC_READ_ABSENT);
	gsc_source_close(s);
}

/* The inputs that break other tools: everything readable is read. */
static void test_hostile(void)
{
	struct sheet t = body_of("PCI ID: 0x9a49\nEIR: 0x0\n");
	struct gsc_source *s;

	for (unsigned i = 0; i < 4000; i++)
		sheet_add(&t, "rcs%u command stream:\n  HEAD: 0x00000040\n---\n", i);
	for (unsigned i = 0; i < 1100; i++)
		sheet_add(&t, "rcs0 --- batch = 0x00000001 %08x\n~!!!!\"\n", i * 0x1000);
	sheet_add(&t, "rcs0 --- user = 0xffffffff ffffffff\n~!!!!\"!!!!\"\n--- = 0x\n"
		 "rcs0 --- ring = 0x%0200d\n~z\n[ffffffffffffffff] 00000001\n"
		 "fence[9999999999999999999999] = 1\nGTIER[-1]: 0x1\nREG-0xffffffff: 0x1\n", 1);
	s = open_text(&t, NULL);
	CU_ASSERT(buffer_count(s) >= 1100);
	CU_ASSERT_EQUAL(value_at(s, GSC_PPGTTMEM, UINT64_C(0x100000000) + 1099 * 0x1000, 4), 1);
	gsc_source_close(s);
	sheet_free(&t);
}

static void test_survives(void)
{
	static const char *const dumps[] = { without_engines, dword_lines, two_parts, guc_capture };
	struct sheet t = packed_state(true);

	for (size_t i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++) {
		survive_cuts(dumps[i], strlen(dumps[i]));
		survive_damage("%s", dumps[i], strlen(dumps[i]), 3);
	}
	survive_cuts(t.data, t.size);
	survive_damage("%s", t.data, t.size, 97);
	sheet_free(&t);
}

static void test_not_ours(void)
{
	static const char *const others[] = {
		"[drm] GPU HANG: ecode 9:0:0x85dffffb, in Xorg [123]\n",
		"EIR: something else\nkey: value\n",
		"                 EIR (0x000020b0): 0x00000000\n"
		"               IPEHR (0x00002068): 0x00000000\n"
		"               ACTHD (0x00002074): 0x00000000\n",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		CU_ASSERT_EQUAL(reader_error_state.score((const uint8_t *)others[i],
							 strlen(others[i])), 0);
}

SUITE(error_state,
	{ "base 85", test_ascii85 },
	{ "base 85, each byte", test_ascii85_bytes },
	{ "zlib streams", test_unpacker },
	{ "without engines", test_without_engines },
	{ "a dword a line", test_dword_lines },
	{ "addresses in two parts", test_two_parts },
	{ "base 85, packed or not", test_packed },
	{ "captured by the GuC", test_guc_capture },
	{ "odd names", test_odd_names },
	{ "which addresses", test_addresses },
	{ "an index too many", test_index_too_many },
	{ "media GT", test_media_gt },
	{ "which memory", test_spaces },
	{ "two at one address", test_conflict },
	{ "mail and logs", test_mail },
	{ "broken lines", test_wrapped },
	{ "no platform", test_no_platform },
	{ "cut", test_cut },
	{ "holes", test_holes },
	{ "hostile", test_hostile },
	{ "survives", test_survives },
	{ "not ours", test_not_ours })
