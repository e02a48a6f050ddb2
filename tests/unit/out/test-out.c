/* SPDX-License-Identifier: MIT */
/* Output: the buffer, JSON, and registers as text, which can be read again. */
#include "out/out.h"
#include "regs-helpers.h"
#include "source-helpers.h"
#include "test.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct gsc_out *memory_out(bool colour)
{
	struct gsc_out *out;

	CU_ASSERT_EQUAL_FATAL(gsc_out_new(&out, -1, colour, NULL), GSC_OK);
	return out;
}

/* Compares and frees. */
static void expect(struct gsc_out *out, const char *want)
{
	size_t size;
	const char *data = gsc_out_data(out, &size);

	bool same = size == strlen(want) && (!size || !memcmp(data, want, size));

	if (!same)
		fprintf(stderr, "got:\n%.*s\nexpected:\n%s\n", (int)size, data, want);
	CU_ASSERT(same);
	CU_ASSERT_EQUAL(gsc_out_error(out), 0);
	gsc_out_free(out);
}

/* ---- the buffer ----------------------------------------------------------------------------- */

static void buffer_pieces(void)
{
	struct gsc_out *out = memory_out(false);

	gsc_out_text(out, "a");
	gsc_out_pad(out, 4);
	gsc_out_text(out, "b");
	gsc_out_pad(out, 6);
	gsc_out_text(out, "c");
	gsc_out_pad(out, 2);
	gsc_out_hex(out, 0x1f, 4);
	gsc_out_end(out);
	gsc_out_pad(out, 2);
	gsc_out_hex(out, 0x12345, 4);
	gsc_out_bytes(out, " ", 1);
	gsc_out_hex(out, UINT64_MAX, 16);
	gsc_out_bytes(out, " ", 1);
	gsc_out_decimal(out, 1234567890);
	gsc_out_format(out, " %s-%d", "x", -1);
	gsc_out_style(out, GSC_STYLE_RED);
	expect(out, "a   b  c  0x001f\n  0x12345 0xffffffffffffffff 1234567890 x--1");
}

static void buffer_colour(void)
{
	struct gsc_out *out = memory_out(true);

	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_text(out, "ab");
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_pad(out, 5);
	gsc_out_text(out, "c");
	expect(out, "\033[1mab\033[0m   c");
}

static void buffer_failure(void)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct gsc_error err;
	struct gsc_out *out;

	if (fd < 0)
		return;
	CU_ASSERT_EQUAL_FATAL(gsc_out_new(&out, fd, false, NULL), GSC_OK);
	for (unsigned i = 0; i < 100000; i++) {
		gsc_out_text(out, "a line that is not to be had");
		gsc_out_end(out);
	}
	CU_ASSERT_EQUAL(gsc_out_error(out), ENOSPC);
	CU_ASSERT_EQUAL(gsc_out_flush(out, &err), GSC_FAILED);
	CU_ASSERT_STRING_EQUAL(err.why, strerror(ENOSPC));
	gsc_out_free(out);
	close(fd);
}

/* More than a pipe holds arrives whole; nothing waits for ever at a non-blocking one. */
static void buffer_pipe(void)
{
	struct gsc_out *out;
	char back[4096];
	int ends[2];
	size_t got = 0;
	ssize_t here;

	CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
	if (!fork()) {
		close(ends[0]);
		fcntl(ends[1], F_SETFL, O_NONBLOCK);
		if (gsc_out_new(&out, ends[1], false, NULL))
			_exit(1);
		for (unsigned i = 0; i < 50000; i++) {
			gsc_out_text(out, "1234567");
			gsc_out_end(out);
		}
		gsc_out_flush(out, NULL);
		_exit(0);
	}
	close(ends[1]);
	while ((here = read(ends[0], back, sizeof(back))) > 0)
		got += (size_t)here;
	CU_ASSERT_EQUAL(got, 400000);
	close(ends[0]);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void json_strings(void)
{
	struct gsc_out *out = memory_out(false);
	struct gsc_json json;

	gsc_json_begin(&json, out, false);
	gsc_json_string(&json, "a", "q\"b\\n\n\t\001\177");
	gsc_json_string(&json, "b", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
	gsc_json_string(&json, "c", "\xff|\xc3|\xc0\x80|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82");
	gsc_json_string(&json, "c1", "\xc2\x9b" "2J\xe2\x80\xae\xf3\xa0\x80\xa1\xc2\xad");
	gsc_json_string(&json, "d", NULL);
	gsc_json_string(&json, "e", "");
	gsc_json_finish(&json);
	expect(out, "{\"a\":\"q\\\"b\\\\n\\n\\t\\u0001\\u007f\","
		    "\"b\":\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\","
		    "\"c\":\"\\ufffd|\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd|"
		    "\\ufffd\\ufffd\\ufffd\\ufffd|\\ufffd\\ufffd\","
		    "\"c1\":\"\\u009b2J\\u202e\\udb40\\udc21\\u00ad\",\"d\":null,\"e\":\"\"}\n");
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Control characters, bidirectional and tag characters; what is not UTF-8. */
static void clean_text(void)
{
	char text[] = "a\xc2\x9b" "2J\033[2J\xe2\x80\xae\xf3\xa0\x80\xa1\xff\xc3\xa4\xf0\x9f\x98\x80";

	gsc_text_clean(text);
	CU_ASSERT_STRING_EQUAL(text, "a??2J?[2J????????\xc3\xa4\xf0\x9f\x98\x80");
}

static void json_values(void)
{
	struct gsc_out *out = memory_out(false);
	struct gsc_json json;

	gsc_json_begin(&json, out, false);
	gsc_json_hex(&json, "zero", 0);
	gsc_json_hex(&json, "big", UINT64_C(0xfedcba9876543210));
	gsc_json_number(&json, "n", 42);
	gsc_json_bool(&json, "t", true);
	gsc_json_bool(&json, "f", false);
	gsc_json_thousandths(&json, "s", 12034);
	gsc_json_array(&json, "array");
	gsc_json_array(&json, NULL);
	gsc_json_array_end(&json);
	gsc_json_null(&json, NULL);
	gsc_json_object(&json, NULL);
	gsc_json_object_end(&json);
	gsc_json_array_end(&json);
	gsc_json_finish(&json);
	expect(out, "{\"zero\":\"0x0\",\"big\":\"0xfedcba9876543210\",\"n\":42,\"t\":true,"
		    "\"f\":false,\"s\":12.034,\"array\":[[],null,{}]}\n");
}

static void put_document(struct gsc_out *out, bool lines, unsigned elements)
{
	static const char *const sources[] = { "a", "b" };
	struct gsc_json json;

	gsc_json_begin(&json, out, lines);
	gsc_json_head(&json, "s/1", "skl", 0x1912, sources, 2);
	gsc_json_list(&json, "list");
	for (unsigned i = 0; i < elements; i++) {
		gsc_json_object(&json, NULL);
		gsc_json_number(&json, "i", i);
		gsc_json_object(&json, "o");
		gsc_json_object_end(&json);
		gsc_json_object_end(&json);
	}
	gsc_json_finish(&json);
}

#define HEAD "{\"schema\":\"s/1\",\"platform\":\"skl\",\"device\":\"0x1912\",\"source\":[\"a\",\"b\"]"

static void json_documents(void)
{
	struct gsc_out *out = memory_out(false);

	put_document(out, false, 0);
	put_document(out, false, 2);
	put_document(out, true, 0);
	put_document(out, true, 2);
	expect(out, HEAD ",\"list\":[]}\n"
		    HEAD ",\"list\":[\n{\"i\":0,\"o\":{}},\n{\"i\":1,\"o\":{}}\n]}\n"
		    HEAD "}\n"
		    HEAD "}\n{\"i\":0,\"o\":{}}\n{\"i\":1,\"o\":{}}\n");
}

/* Inside an element, and in the head, a list is an array like others. */
static void json_lists_inside(void)
{
	struct gsc_out *out = memory_out(false);
	struct gsc_json json;

	for (unsigned lines = 0; lines < 2; lines++) {
		gsc_json_begin(&json, out, lines);
		gsc_json_object(&json, "o");
		gsc_json_list(&json, "a");
		gsc_json_null(&json, NULL);
		gsc_json_list_end(&json);
		gsc_json_object_end(&json);
		gsc_json_list(&json, "list");
		for (unsigned i = 0; i < 2; i++) {
			gsc_json_object(&json, NULL);
			gsc_json_list(&json, "b");
			gsc_json_number(&json, NULL, i);
			gsc_json_list_end(&json);
			gsc_json_object_end(&json);
		}
		gsc_json_finish(&json);
	}
	expect(out, "{\"o\":{\"a\":[null]},\"list\":[\n{\"b\":[0]},\n{\"b\":[1]}\n]}\n"
		    "{\"o\":{\"a\":[null]}}\n{\"b\":[0]}\n{\"b\":[1]}\n");
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void dwords(void)
{
	uint32_t seed = 5, values[16] = { 0, 1, 0x9abcdef0, UINT32_MAX, 0x0a0b0c0d, 0x99999999 };
	char text[16 * 11 + 1], want[16 * 11 + 1];

	for (unsigned round = 0; round < 10000; round++) {
		for (unsigned i = 0; i < 16; i++)
			snprintf(want + i * 11, 12, " 0x%08x", values[i]);
		*put_dwords(text, (const uint8_t *)values, 16) = 0;
		CU_ASSERT_STRING_EQUAL_FATAL(text, want);
		for (unsigned i = 0; i < 16; i++)
			values[i] = next_random(&seed);
	}
}

static void put_text(const struct bench *b, const char *selectors, unsigned flags,
		     struct gsc_out *out)
{
	struct gsc_selection *selection = bench_select(b, selectors);
	struct gsc_rows *rows = bench_read(b, selection, false);

	gsc_text_rows(out, rows, flags);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
}

static void expect_text(const struct bench *b, const char *selectors, unsigned flags,
			const char *want)
{
	struct gsc_out *out = memory_out(false);

	put_text(b, selectors, flags, out);
	expect(out, want);
}

static const uint32_t image[] = {
	0x700000, 0xabcd0013, 0x700030, 0xf021, 0x700080, 3, 0x700104, 2, 0x700108, 1, 0,
};

static void text_registers(void)
{
	struct bench b;

	bench_open(&b, image);
	expect_text(&b, "T_PLAIN", 0,
		    "0x700000  0xabcd0013  T_PLAIN\n"
		    "    31:16   HIGH                          0xabcd\n"
		    "     15:4   RESERVED                      0x1         must be zero\n"
		    "      3:1   MODE                          0x1         on\n"
		    "        0   ENABLE                        0x1         yes\n");
	expect_text(&b, "T_PLAIN:MODE", 0,
		    "0x700000  0xabcd0013  T_PLAIN\n"
		    "      3:1   MODE                          0x1         on\n");
	expect_text(&b, "T_CHOICE", 0,
		    "0x700030  0x0000f021  T_CHOICE\n"
		    "      7:4   ONE                           0x2\n"
		    "        0   KIND                          0x1\n"
		    "    bits without definition: 0xf000\n");
	expect_text(&b, "T_PLAIN T_HANGS T_ARRAY[0] 0x700084 0x10a2030",
		    GSC_TEXT_QUIET | GSC_TEXT_ABSENT,
		    "0x700000  0xabcd0013  T_PLAIN\n"
		    "0x700024  skipped     T_HANGS  it hangs\n"
		    "0x700100  0x0000000200000000  T_ARRAY[0]\n"
		    "0x700084  0x00000000\n"
		    "0x10a2030  absent\n");
	expect_text(&b, "0x10a2030", 0, "");
	expect_text(&b, "T_COUNTER", GSC_TEXT_GROUPS,
		    "# testing: Testing\n0x700010  0x00000000  T_COUNTER\n");
	bench_close(&b);
}

static void text_verbose(void)
{
	char want[500];
	struct bench b;

	bench_open(&b, image);
	snprintf(want, sizeof(want),
		 "0x700000  0xabcd0013  T_PLAIN\n"
		 "    A plain one.\n"
		 "    also: T_OTHER\n"
		 "    access: rw; reset 0x00000001, from which it differs in 0xabcd0012\n"
		 "    origin: Test document, chapter 1\n"
		 "    defined in %s:5\n"
		 "        0   ENABLE                        0x1         yes\n",
		 b.definitions);
	expect_text(&b, "T_PLAIN:ENABLE", GSC_TEXT_VERBOSE, want);
	bench_close(&b);
}

static void text_ranges(void)
{
	struct bench b;

	bench_open(&b, image);
	expect_text(&b, "0x700040-0x70013c", 0,
		    "0x700040-0x70004f  skipped  nobody there\n"
		    "0x700050: 0x00000000 0x00000000 0x00000000 0x00000000\n"
		    "0x700060: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 "
		    "0x00000000 0x00000000\n"
		    "0x700080: 0x00000003 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 "
		    "0x00000000 0x00000000\n"
		    "0x7000a0: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 "
		    "0x00000000 0x00000000\n"
		    "*\n"
		    "0x700100: 0x00000000 0x00000002 0x00000001 0x00000000 0x00000000 0x00000000 "
		    "0x00000000 0x00000000\n"
		    "0x700100  0x0000000200000000  T_ARRAY[0]\n"
		    "0x700108  0x0000000000000001  T_ARRAY[1]\n"
		    "0x700110  0x0000000000000000  T_ARRAY[2]\n"
		    "0x700118  0x0000000000000000  T_ARRAY[3]\n"
		    "0x700120: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 "
		    "0x00000000 0x00000000\n");
	/* If nothing follows a fold, the last of the zeros does. */
	expect_text(&b, "0x700120-0x7001e4", 0,
		    "0x700120: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 "
		    "0x00000000 0x00000000\n"
		    "*\n"
		    "0x7001e0: 0x00000000 0x00000000\n");
	expect_text(&b, "0x700120-0x70017c", GSC_TEXT_QUIET,
		    "0x700120: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 "
		    "0x00000000 0x00000000\n"
		    "*\n"
		    "0x700160: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 "
		    "0x00000000 0x00000000\n");
	/* If a range has only a part of a register, that is named, not decoded. */
	expect_text(&b, "0x7000fc-0x700100 0x7001f8-0x700204", 0,
		    "0x7000fc: 0x00000000 0x00000000\n"
		    "0x700100  0x00000000  T_ARRAY[0]  bits 31:0 only\n"
		    "0x7001f8: 0x00000000 0x00000000\n"
		    "0x700200-0x700207  absent\n");
	bench_close(&b);
}

/* What is written is what is read again: every value and every gap. */
static void text_again(void)
{
	struct gsc_out *out = memory_out(false);
	struct gsc_source *source;
	uint32_t words[17] = { 0 }, seed = 11;
	struct bench b;
	size_t size;

	/* Nothing in the upper part, whose zeros are folded. */
	for (unsigned i = 0; i < 16; i += 2) {
		words[i] = IMAGE_START + 4 + next_random(&seed) % 0x48 * 4;
		words[i + 1] = next_random(&seed);
	}
	bench_open(&b, words);
	gsc_text_title(out, "gpu-regdump", "skl", 0x1912, 6, NULL, 0);
	put_text(&b, "T_* 0x700000-0x70020c", GSC_TEXT_VERBOSE, out);
	source = open_bytes(gsc_out_data(out, &size), out->size);
	CU_ASSERT_EQUAL(gsc_source_device(source), 0x1912);
	CU_ASSERT_EQUAL(gsc_source_revision(source), 6);
	CU_ASSERT_EQUAL(gsc_source_note_count(source), 0);
	for (uint64_t address = IMAGE_START; address < IMAGE_START + 0x210; address += 4) {
		uint64_t want = 1, got = 1;
		enum gsc_read status = gsc_read(source, GSC_MMIO, address, 4, &got);
		bool skipped = address == 0x700020 || address == 0x700024 ||
			       (address >= 0x700040 && address < 0x700050);

		gsc_read(b.source, GSC_MMIO, address, 4, &want);
		if (skipped)
			CU_ASSERT_EQUAL(status, GSC_READ_SKIPPED)
		else if (address < IMAGE_START + IMAGE_SIZE)
			CU_ASSERT(status == GSC_READ_OK && got == want)
		else
			CU_ASSERT_EQUAL(status, GSC_READ_ABSENT)
	}
	gsc_source_close(source);
	gsc_out_free(out);
	bench_close(&b);
}

static void text_difference(void)
{
	static const uint32_t words[] = { 0x700000, 0x80000003, 0 };
	struct gsc_selection *selection;
	struct gsc_difference d;
	struct gsc_rows *rows;
	struct gsc_diff *diff;
	struct gsc_out *out = memory_out(false);
	struct gsc_json json;
	struct bench b;

	bench_open(&b, words);
	selection = bench_select(&b, "T_PLAIN");
	rows = bench_read(&b, selection, false);
	CU_ASSERT_EQUAL_FATAL(gsc_diff_new(&diff, NULL, rows, NULL), GSC_OK);
	gsc_diff_at(diff, 0, &d);
	gsc_text_difference(out, b.view, &d, 0);
	gsc_json_begin(&json, out, false);
	gsc_json_difference(&json, b.view, &d);
	gsc_json_finish(&json);
	expect(out, "0x700000  0x00000001 -> 0x80000003  T_PLAIN\n"
		    "    31:16   HIGH                          0x0 -> 0x8000\n"
		    "      3:1   MODE                          0x0 -> 0x1          off -> on\n"
		    "{\"name\":\"T_PLAIN\",\"dump_name\":null,\"space\":\"mmio\","
		    "\"offset\":\"0x700000\",\"a\":\"0x1\",\"b\":\"0x80000003\",\"fields\":["
		    "{\"name\":\"HIGH\",\"hi\":31,\"lo\":16,\"a\":\"0x0\",\"b\":\"0x8000\"},"
		    "{\"name\":\"MODE\",\"hi\":3,\"lo\":1,\"a\":\"0x0\",\"b\":\"0x1\"}]}\n");
	gsc_diff_free(diff);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	bench_close(&b);
}

static void put_json(const struct bench *b, struct gsc_json *json, const char *selectors,
		     unsigned flags)
{
	struct gsc_selection *selection = bench_select(b, selectors);
	struct gsc_rows *rows = bench_read(b, selection, false);
	struct gsc_row row;

	gsc_rows_at(rows, 0, &row);
	gsc_json_object(json, "row");
	gsc_json_row(json, b->view, &row, flags);
	gsc_json_object_end(json);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
}

static void json_rows(void)
{
	struct gsc_out *out = memory_out(false);
	struct gsc_json json;
	struct bench b;

	bench_open(&b, image);
	gsc_json_begin(&json, out, false);
	put_json(&b, &json, "T_PLAIN:ENABLE", 0);
	put_json(&b, &json, "T_ARRAY[1]:UP", GSC_TEXT_LIST);
	put_json(&b, &json, "T_HANGS", 0);
	put_json(&b, &json, "0x700080", 0);
	gsc_json_finish(&json);
	expect(out, "{\"row\":{\"name\":\"T_PLAIN\",\"aliases\":[\"T_OTHER\"],\"engine\":null,"
		    "\"space\":\"mmio\",\"offset\":\"0x700000\",\"size\":4,\"access\":[\"rw\"],"
		    "\"group\":\"testing\",\"owner\":null,\"dump_name\":null,"
		    "\"status\":\"ok\",\"value\":\"0xabcd0013\","
		    "\"reset\":\"0x1\",\"fields\":[{\"name\":\"ENABLE\",\"hi\":0,\"lo\":0,"
		    "\"value\":\"0x1\",\"text\":\"yes\"}],\"doc\":\"A plain one.\","
		    "\"origin\":\"Test document, chapter 1\"},"
		    "\"row\":{\"name\":\"T_ARRAY[1]\",\"aliases\":[],\"engine\":null,"
		    "\"space\":\"mmio\",\"offset\":\"0x700108\",\"size\":8,\"access\":[\"rw\"],"
		    "\"group\":\"testing\",\"owner\":null,\"reset\":null,\"fields\":[{\"name\":\"UP\",\"hi\":63,"
		    "\"lo\":32,\"value\":null,\"text\":null}],\"doc\":null,"
		    "\"origin\":\"Test document, chapter 1\"},"
		    "\"row\":{\"name\":\"T_HANGS\",\"aliases\":[],\"engine\":null,"
		    "\"space\":\"mmio\",\"offset\":\"0x700024\",\"size\":4,\"access\":[\"ro\"],"
		    "\"group\":\"testing\",\"owner\":null,\"dump_name\":null,\"status\":\"skipped\","
		    "\"reason\":\"it hangs\","
		    "\"value\":null,\"reset\":null,\"fields\":[],\"doc\":null,"
		    "\"origin\":\"Test document, chapter 1\"},"
		    "\"row\":{\"name\":null,\"aliases\":[],\"engine\":null,\"space\":\"mmio\","
		    "\"offset\":\"0x700080\",\"size\":4,\"access\":[],\"group\":null,"
		    "\"owner\":null,\"hole\":\"reserved: between the registers and the GGTT "
		    "of the BAR\","
		    "\"dump_name\":null,\"status\":\"ok\",\"value\":\"0x3\",\"reset\":null,\"fields\":[],"
		    "\"doc\":null,\"origin\":null}}\n");
	bench_close(&b);
}

SUITE(out,
      { "buffer: pieces of lines", buffer_pieces },
      { "buffer: colour has no width", buffer_colour },
      { "buffer: a full disk", buffer_failure },
      { "buffer: a slow pipe", buffer_pipe },
      { "JSON: strings", json_strings },
      { "text without control characters", clean_text },
      { "JSON: values", json_values },
      { "JSON: documents and lines", json_documents },
      { "JSON: lists inside of others", json_lists_inside },
      { "JSON: rows", json_rows },
      { "dwords", dwords },
      { "text: registers", text_registers },
      { "text: verbose", text_verbose },
      { "text: ranges", text_ranges },
      { "text: read again", text_again },
      { "text: differences", text_difference })
