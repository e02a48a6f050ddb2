/* SPDX-License-Identifier: MIT */
/* Register text in all its forms, and traces. */
#include "source-helpers.h"
#include "formats/regline.h"
#include "source/source.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum regline_kind parse(const char *text, struct regline *line)
{
	return regline_parse(slice_string(text), false, line);
}

static bool parses(const char *text, enum regline_kind kind, uint64_t address, uint64_t value)
{
	struct regline line;

	if (parse(text, &line) == kind && line.address == address && line.count &&
	    line.value[0] == value)
		return true;
	fprintf(stderr, "\n\"%s\": kind %d, 0x%llx, %u values, 0x%llx\n", text, line.kind,
		(unsigned long long)line.address, line.count, (unsigned long long)line.value[0]);
	return false;
}

static bool is_kind(const char *text, enum regline_kind kind)
{
	struct regline line;

	if (parse(text, &line) == kind)
		return true;
	fprintf(stderr, "\n\"%s\": kind %d\n", text, line.kind);
	return false;
}

static void lines(void)
{
	CU_ASSERT(parses("0x002030  0x00000150  rcs0.TAIL  x", REGLINE_OWN, 0x2030, 0x150));
	CU_ASSERT(parses("> > 0x002030\t0x00000150\trcs0.TAIL", REGLINE_OWN, 0x2030, 0x150));
	CU_ASSERT(parses("config:0x50  0x0211", REGLINE_OWN, 0x50, 0x211));
	CU_ASSERT(parses("0x2030: 0x1 0x2 0x3", REGLINE_RAW, 0x2030, 1));
	CU_ASSERT(parses("0x2030 0x150", REGLINE_PLAIN, 0x2030, 0x150));
	CU_ASSERT(parses("2030 150", REGLINE_PLAIN, 0x2030, 0x150));
	CU_ASSERT(parses("2030 150 # why", REGLINE_PLAIN, 0x2030, 0x150));
	CU_ASSERT(parses("  A (0x00002030): 0x00000150 (on (1))", REGLINE_INTEL, 0x2030, 0x150));
	CU_ASSERT(parses("(0x00002030): 0x00000150", REGLINE_INTEL, 0x2030, 0x150));
	CU_ASSERT(parses("T (0x00002000:0x00000030): 0x00000007", REGLINE_INTEL, 0x2030, 7));
	CU_ASSERT(parses("FENCE (lo) 1 (0x100008): 0x9", REGLINE_INTEL, 0x100008, 9));
	CU_ASSERT(parses("punit:P (0x04:0x000000d6): 0x00000001", REGLINE_INTEL, 0x400d6, 1));
	CU_ASSERT(parses("ccu:0x1 (0xa9:0x0000ffff): 0x1", REGLINE_INTEL, 0xa9ffff, 1));
	CU_ASSERT(parses("mmio-sr:SR01 (mmio-sr:0x00000001): 0x000000ff", REGLINE_INTEL, 1, 0xff));
	CU_ASSERT(parses("[ 1.5] W 0xc5100: 0x7", REGLINE_TRACE, 0xc5100, 7));
	CU_ASSERT(parses("<7>[ 1.5] [drm] R 0xc5100: 0x7", REGLINE_TRACE, 0xc5100, 7));
	CU_ASSERT(parses("X-1 [000] 1.0: i915_reg_rw: write reg=0x2030, len=4, val=(0x7, 0x0)",
			 REGLINE_TRACE, 0x2030, 7));
	CU_ASSERT(parses("i915_reg_rw: read reg=0x100008, len=8, val=(0x1, 0x2)", REGLINE_TRACE,
			 0x100008, UINT64_C(0x200000001)));
}

static void other_lines(void)
{
	CU_ASSERT(is_kind("", REGLINE_BLANK));
	CU_ASSERT(is_kind("> ", REGLINE_BLANK));
	CU_ASSERT(is_kind("# a comment", REGLINE_BLANK));
	CU_ASSERT(is_kind("# gpu-regdump 1.0 platform skl", REGLINE_HEADER));
	CU_ASSERT(is_kind("i915_reg_rw: read reg=FOO, len=4, val=(0x1, 0x0)",
			  REGLINE_TRACE_NAMED));
	CU_ASSERT(is_kind("i915_reg_rw: read reg=0x10, len=4, val=(FOO, 0x0)", REGLINE_TRACE_BAD));
	CU_ASSERT(is_kind("i915_reg_rw: read reg=0x10, len=3, val=(0x1, 0x0)", REGLINE_TRACE_BAD));
	CU_ASSERT(is_kind("i915_reg_rw: peek reg=0x10, len=4, val=(0x1, 0x0)", REGLINE_TRACE_BAD));
	CU_ASSERT(is_kind("i915_reg_rw: read reg=0x10, len=4, val=(0x1, 0x0", REGLINE_TRACE_BAD));
	CU_ASSERT(is_kind("i915_reg_rw:", REGLINE_TRACE_BAD));
	CU_ASSERT(is_kind("punit:P (0x04:0x00010000): 0x1", REGLINE_OTHER));
	CU_ASSERT(is_kind("mmio-sr:SR01 (mmio-sr:0x00000001): 0x100", REGLINE_OTHER));
	CU_ASSERT(is_kind("what:SR01 (what:0x00000001): 0x1", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x20-0x2f  ok", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x2f-0x20  absent", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x20-0x2f  0x1", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x20  0x1  \33", REGLINE_OTHER));
	CU_ASSERT(is_kind("00: 86 80 26 01", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x2030: 0x0:  NAME", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x2030", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x2030:", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x2030:  0x00000000 : Dword 1", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x2030 0x1000 0x1003", REGLINE_OTHER));
	CU_ASSERT(is_kind("2030 xyz", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x2030 ok", REGLINE_OTHER));
	CU_ASSERT(is_kind("space:0x10 0x1", REGLINE_OTHER));
	CU_ASSERT(is_kind("0x20300000000000000 0x1", REGLINE_OTHER));
	CU_ASSERT(is_kind("A (0x2030): 0x1x", REGLINE_OTHER));
	CU_ASSERT(is_kind("A (0x2030) 0x1", REGLINE_OTHER));
	CU_ASSERT(is_kind("A (0xffffffffffffffff:0x1): 0x1", REGLINE_OTHER));
	CU_ASSERT(is_kind("[ 1.5] W 0xc5100: 0x7 more", REGLINE_OTHER));
	CU_ASSERT(is_kind("(((((((0x", REGLINE_OTHER));
}

static void line_details(void)
{
	struct regline line;
	struct regline_header header;
	static const char full[] = "> # gpu-regdump 1.0 platform skl device 0x1912 revision 0x06 "
				   "source a device 0x1";
	static const char bad[] = "# gpu-regdump 1.0 device 0x11912 revision";

	parse("0x002030  asleep  rcs0.TAIL  more", &line);
	CU_ASSERT_EQUAL(line.status[0], GSC_READ_ASLEEP);
	CU_ASSERT(slice_is(line.name, "rcs0.TAIL"));
	parse("vga-sr:0x01  0x20", &line);
	CU_ASSERT(line.space == GSC_VGA_SR && line.size == 1);
	parse("0x2358  0x0000000100000002  T", &line);
	CU_ASSERT_EQUAL(line.size, 8);
	regline_parse(slice_string("0x2358  0x0102  T"), true, &line);
	CU_ASSERT_EQUAL(line.size, 2);
	regline_parse(slice_string("0x2358  0x0102  T"), false, &line);
	CU_ASSERT_EQUAL(line.size, 4);
	parse("   FENCE START 0 (0x00100000): 0x00b40001", &line);
	CU_ASSERT(slice_is(line.name, "FENCE START 0"));
	parse("\t  0x0: 0x1 asleep 0x3 0x4 0x5 0x6 0x7 0x8 0x9", &line);
	CU_ASSERT(line.indent == 10 && line.count == 8 && line.size == 4);
	CU_ASSERT(line.status[1] == GSC_READ_ASLEEP && line.status[2] == GSC_READ_OK);
	CU_ASSERT_EQUAL(parse("config:0x40-0x4f  absent", &line), REGLINE_RANGE);
	CU_ASSERT(line.space == GSC_CONFIG && line.address == 0x40 && line.last == 0x4f);
	CU_ASSERT_EQUAL(line.status[0], GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(line.count, 0);
	CU_ASSERT_EQUAL(parse("0x2030  0x00000007  \33[1mrcs0.TAIL\33[0m", &line), REGLINE_OWN);
	CU_ASSERT(slice_is(line.name, "rcs0.TAIL"));
	CU_ASSERT_EQUAL(parse("\33[31m    20:3 A 0x1\33[0m", &line), REGLINE_OTHER);
	CU_ASSERT_EQUAL(line.indent, 4);
	parse("W 0x10: 0x1", &line);
	CU_ASSERT(line.write);
	regline_header_parse(slice_string(full), &header);
	CU_ASSERT_STRING_EQUAL(header.platform, "skl");
	CU_ASSERT(header.device == 0x1912 && header.revision == 6);
	regline_header_parse(slice_string(bad), &header);
	CU_ASSERT(!header.platform[0] && header.device == -1 && header.revision == -1);
}

/* ---- files -------------------------------------------------------------------------------- */

static const char own[] = "# gpu-regdump 1.0 platform skl device 0x1912 revision 0x06\n"
			  "\n"
			  "# Ring buffers\n"
			  "0x002030  0x00000150  rcs0.RING_BUFFER_TAIL\n"
			  "    TAIL_OFFSET  20:3  0x2a  0x150\n"
			  "    0x2040  0x00000001  not a register\n"
			  "0x002034  asleep  rcs0.RING_BUFFER_HEAD\n"
			  "0x002358  0x0000000100000002  rcs0.TIMESTAMP\n"
			  "config:0x50  0x0211  GGC\n"
			  "vga-sr:0x01  0x20  SR01\n"
			  "io:0x3c2  0x63  MISC\n"
			  "0x004000: 0x00000001 0x00000002\n"
			  "0x004008: 0x00000003\n"
			  "0x00400c-0x0040ff  denied\n";

static void check_own(struct gsc_source *s)
{
	uint64_t value, start, length;

	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "register text");
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("skl").index);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x1912);
	CU_ASSERT_EQUAL(gsc_source_revision(s), 6);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2030, 4), 0x150);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2034, 4, &value), GSC_READ_ASLEEP);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2358, 8), UINT64_C(0x100000002));
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x50, 2), 0x211);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_CONFIG, 0x52, 2, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(value_at(s, GSC_VGA_SR, 1, 1), 0x20);
	CU_ASSERT_EQUAL(value_at(s, GSC_IO, 0x3c2, 1), 0x63);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2040, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT(gsc_extent(s, GSC_MMIO, 0x4000, &start, &length) && length == 12);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x40fc, 4, &value), GSC_READ_DENIED);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x4100, 4, &value), GSC_READ_ABSENT);
}

/* As it was written, and as mail and Windows change it. */
static void own_text(void)
{
	char quoted[2048], crlf[2048], tabbed[2048];
	size_t q = 0, c = 0, t = 0;
	struct gsc_source *s = open_bytes(own, strlen(own));

	check_own(s);
	gsc_source_close(s);
	for (const char *at = own; *at; at++) {
		if (at == own || at[-1] == '\n') {
			q += (size_t)sprintf(quoted + q, "> ");
			t += (size_t)sprintf(tabbed + t, "\t");
		}
		if (*at == '\n') {
			crlf[c++] = ' ';
			crlf[c++] = '\r';
		}
		quoted[q++] = tabbed[t++] = crlf[c++] = *at;
	}
	s = open_bytes(quoted, q);
	check_own(s);
	gsc_source_close(s);
	s = open_bytes(crlf, c);
	check_own(s);
	gsc_source_close(s);
	s = open_bytes(tabbed, t);
	check_own(s);
	gsc_source_close(s);
	survive_damage("%s", own, strlen(own), 2);
}

static void own_text_without_header(void)
{
	static const char text[] = "0x002030  0x00000150  rcs0.TAIL\n"
				   "    FIELD 20:3 0x1\n"
				   "0x002034  0x0001  rcs0.HEAD\n"
				   "what is this?\n"
				   "and this?\n";
	struct gsc_source *s = open_bytes(text, strlen(text));

	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2030, 8), UINT64_C(0x100000150));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "line 4: not a register line (2 of this kind)"));
	CU_ASSERT_EQUAL(gsc_source_platform(s), -1);
	gsc_source_close(s);
}

static void plain_text(void)
{
	static const char text[] = "# dumped elsewhere\n2030 150\n0x2034\t0xffffffff\n"
				   "2038 100000001\n2030 151\n";
	static const char mixed[] = "2030 150\nsome prose\n";
	static const char edge[] = "0xfffffffffffffffe 0x1\n0x10 0x2\n";
	struct gsc_source *s = open_bytes(text, strlen(text));
	char *path;

	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2030, 4), 0x151);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2034, 4), 0xffffffff);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2038, 8), UINT64_C(0x100000001));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	path = temporary_file(mixed, strlen(mixed));
	refuse_spec(path, GSC_FAILED, "not recognised");
	drop_file(path);
	s = open_bytes(edge, strlen(edge));
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x10, 4), 2);
	CU_ASSERT(note_has(s, 0, "line 1"));
	gsc_source_close(s);
}

static void intel_text(void)
{
	static const char text[] =
		"                    GEN6_RP_CONTROL (0x0000a024): 0x00000d92 (enabled)\n"
		"           RING_TAIL (0x00002000:0x00000030): 0x00000150\n"
		"  punit:PUNIT_X (0x04:0x000000d6): 0x00000001\n"
		"  punit:0x000000d7 (0x04:0x000000d7): 0x22222222\n"
		"  mmio-sr:SR01 (mmio-sr:0x00000001): 0x00000021\n"
		"  portio-vga:0x000003cc (portio-vga:0x000003cc): 0x00000067\n"
		"                      FENCE START 0 (0x00100000): 0x00b40001\n"
		"a remark\n";
	struct gsc_source *s = open_bytes(text, strlen(text));

	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0xa024, 4), 0xd92);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2030, 4), 0x150);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x100000, 4), 0xb40001);
	CU_ASSERT_EQUAL(value_at(s, GSC_SIDEBAND, 0x400d6, 4), 1);
	CU_ASSERT_EQUAL(value_at(s, GSC_SIDEBAND, 0x400d7, 4), 0x22222222);
	CU_ASSERT_EQUAL(value_at(s, GSC_VGA_SR, 1, 1), 0x21);
	CU_ASSERT_EQUAL(value_at(s, GSC_IO, 0x3cc, 1), 0x67);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "line 8"));
	gsc_source_close(s);
	survive_damage("%s", text, strlen(text), 3);
}

static void traces(void)
{
	static const char text[] =
		"[    0.000000] Linux version 3.8\n"
		"[    0.1] W 0x2030: 0x1\n"
		"[    0.2] R 0x2034: 0xffffffff\n"
		"[    0.3] W 0x2030: 0x2\n"
		"x: i915_reg_rw: write reg=0x100008, len=8, val=(0x1, 0x2)\n"
		"x: i915_reg_rw: write reg=0x100008, len=8, val=(OOPS, 0x2)\n"
		"x: i915_reg_rw: write reg=PCH_ADPA, len=4, val=(0x1, 0x0)\n";
	struct gsc_source *s = open_bytes(text, strlen(text));

	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2030, 4), 2);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2034, 4), 0xffffffff);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x100008, 8), UINT64_C(0x200000001));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 2);
	CU_ASSERT(note_has(s, 0, "line 7"));
	CU_ASSERT(note_has(s, 1, "line 6: a damaged trace line"));
	gsc_source_close(s);
	survive_damage("%s", text, strlen(text), 3);
}

static void port_trace(void)
{
	static const char text[] =
		"c000:6343\tW32 port: 0cf8 data: 80001000\n"
		"c000:634c\tR16 port: 0cfe data: 0166\n"
		"c000:6343\tW32 port: 0cf8 data: 8000f800\n"
		"c000:634c\tR16 port: 0cfe data: 1e5d\n"
		"c000:6343\tW32 port: 0cf8 data: 80001020\n"
		"c000:634c\tR16 port: 0cfc data: 1001\n"
		"c000:eb38\tR8  port: 03c2 data: 10\n"
		"c000:65cf\tW32 port: 1000 data: 00000005\n"
		"c000:65dc\tW32 port: 1004 data: ada01001\n"
		"c000:65cf\tW32 port: 1000 data: 00061200\n"
		"c000:65dc\tR32 port: 1004 data: 80000008\n"
		"halted\n";
	struct gsc_source *s = open_bytes(text, strlen(text));

	CU_ASSERT_EQUAL(gsc_source_device(s), 0x0166);
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("ivb").index);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 2, 2), 0x0166);
	CU_ASSERT_EQUAL(value_at(s, GSC_IO, 0x3c2, 1), 0x10);
	CU_ASSERT_EQUAL(value_at(s, GSC_GGTT, 4, 4), 0xada01001);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x61200, 4), 0x80000008);
	CU_ASSERT(note_has(s, 0, "line 12"));
	gsc_source_close(s);
	survive_damage("%s", text, strlen(text), 3);
}

/* Anything may come down a pipe. */
static void noise(void)
{
	static const char alphabet[] = "0x12afRW:(),= \t\r\n>#[]i915_reg_rw: gpu-regdump ";
	uint32_t seed = 3;
	char text[400];

	for (unsigned round = 0; round < 400; round++) {
		size_t size = 1 + next_random(&seed) % sizeof(text);

		for (size_t i = 0; i < size; i++)
			text[i] = round % 4 ? alphabet[next_random(&seed) % strlen(alphabet)] :
					      (char)next_random(&seed);
		survive("%s", text, size);
		survive("config:%s", text, size);
	}
}

/* Lines of zeros that gpu-regdump left out are zeros, not holes; anywhere else `*` is damage. */
static void test_folds(void)
{
	static const char text[] = "# gpu-regdump 1.0 platform skl\n"
				   "0x001000: 0x00000001 0x00000002\n*\n0x100000: 0x00000003\n"
				   "0x200000: 0x00000004\n*\n";
	struct gsc_source *s = open_bytes(text, sizeof(text) - 1);
	uint64_t value;

	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x1004, 4), 2);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x1008, 4), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0xffffc, 4), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x100000, 4), 3);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x100004, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x200004, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "line 6: not a register line (1 of this kind)"));
	gsc_source_close(s);
}

SUITE(register_text, { "folds", test_folds },
	{ "lines", lines },
	{ "other lines", other_lines },
	{ "details of lines", line_details },
	{ "gpu-regdump's own", own_text },
	{ "its own without the header", own_text_without_header },
	{ "two columns", plain_text },
	{ "intel_reg dump", intel_text },
	{ "register traces", traces },
	{ "port traces", port_trace },
	{ "noise", noise })
