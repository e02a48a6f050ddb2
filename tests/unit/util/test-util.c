/* SPDX-License-Identifier: MIT */
/* Numbers, names, arrays, errors and archives. */
#include "test.h"
#include "util/dynlib.h"
#include "util/number.h"
#include "util/tar.h"
#include "util/text.h"
#include "util/util.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parses_to(const char *text, uint64_t expected)
{
	uint64_t value = ~expected;

	return gsc_parse_number(text, &value) && value == expected;
}

static bool refused(const char *text)
{
	uint64_t value = 42;

	return !gsc_parse_number(text, &value);
}

static void numbers(void)
{
	CU_ASSERT(parses_to("0", 0));
	CU_ASSERT(parses_to("31", 31));
	CU_ASSERT(parses_to("0x1f", 31));
	CU_ASSERT(parses_to("0XfF", 255));
	CU_ASSERT(parses_to("0b1011", 11));
	CU_ASSERT(parses_to("1_000", 1000));
	CU_ASSERT(parses_to("0xffff_ffff", 0xffffffff));
	CU_ASSERT(parses_to("16K", 16384));
	CU_ASSERT(parses_to("2M", 2 << 20));
	CU_ASSERT(parses_to("3G", UINT64_C(3) << 30));
	CU_ASSERT(parses_to("0xffffffffffffffff", UINT64_MAX));
	CU_ASSERT(parses_to("18446744073709551615", UINT64_MAX));
	CU_ASSERT(parses_to("17179869183G", UINT64_C(17179869183) << 30));
	CU_ASSERT(parses_to("010", 10));
}

static void numbers_refused(void)
{
	static const char *const bad[] = {
		"", " 1", "1 ", "0x", "0b", "0b2", "0x1g", "1_", "_1", "1__0", "1k5", "-1", "+1",
		"0x10K", "K", "1T", "1.5", "18446744073709551616", "0x10000000000000000",
		"17179869184G", "0x_1", "0x1_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (!refused(bad[i])) {
			fprintf(stderr, "\n\"%s\" was taken\n", bad[i]);
			CU_FAIL("a bad number was taken");
		}
}

static void hex_numbers(void)
{
	uint64_t value = 0;

	CU_ASSERT(number_parse_hex("2030", 4, &value) && value == 0x2030);
	CU_ASSERT(number_parse_hex("0x2030zz", 6, &value) && value == 0x2030);
	CU_ASSERT(!number_parse_hex("20_30", 5, &value));
	CU_ASSERT(!number_parse_hex("", 0, &value));
	CU_ASSERT(!number_parse_hex("0x", 2, &value));
	CU_ASSERT(!number_parse_hex("10000000000000000", 17, &value));
}

static bool formats_as(char *end, const char *start, const char *expected)
{
	return (size_t)(end - start) == strlen(expected) &&
	       !memcmp(start, expected, strlen(expected));
}

/* Each number of decimal digits, and both sides of the step to it. */
static void decimals_written(void)
{
	char out[NUMBER_MAX], expected[NUMBER_MAX];
	uint64_t step = 10;

	for (unsigned digits = 1; digits < 20; digits++, step *= 10) {
		for (uint64_t value = step - 1; value <= step + 1; value++) {
			snprintf(expected, sizeof(expected), "%llu", (unsigned long long)value);
			CU_ASSERT(formats_as(number_decimal(out, value), out, expected));
		}
	}
}

static void numbers_written(void)
{
	char out[NUMBER_MAX];

	CU_ASSERT(formats_as(number_hex(out, 0), out, "0x0"));
	CU_ASSERT(formats_as(number_hex(out, 0xf), out, "0xf"));
	CU_ASSERT(formats_as(number_hex(out, 0x10), out, "0x10"));
	CU_ASSERT(formats_as(number_hex(out, UINT64_MAX), out, "0xffffffffffffffff"));
	CU_ASSERT(formats_as(number_hex_padded(out, 0x2030, 8), out, "0x00002030"));
	CU_ASSERT(formats_as(number_hex_dword(out, 0), out, "0x00000000"));
	CU_ASSERT(formats_as(number_hex_dword(out, 0x89abcdef), out, "0x89abcdef"));
	CU_ASSERT(formats_as(number_hex_digits(out, 0x12345, 4), out, "2345"));
	CU_ASSERT(formats_as(number_decimal(out, 0), out, "0"));
	CU_ASSERT(formats_as(number_decimal(out, UINT64_MAX), out, "18446744073709551615"));
	decimals_written();
}

static void globs(void)
{
	CU_ASSERT(list_has("pml4,pdp32", "pml4"));
	CU_ASSERT(list_has("pml4,pdp32", "pdp32"));
	CU_ASSERT(!list_has("pml4,pdp32", "pdp3"));
	CU_ASSERT(!list_has("pml4,pdp32", "l4"));
	CU_ASSERT(!list_has("", "pml4"));
	CU_ASSERT(!list_has("pml4", ""));
	CU_ASSERT(glob_match("PP_*", "PP_ON_DELAYS"));
	CU_ASSERT(glob_match("pp_*", "PP_"));
	CU_ASSERT(glob_match("*", ""));
	CU_ASSERT(glob_match("*TAIL*", "RING_BUFFER_TAIL"));
	CU_ASSERT(glob_match("A?C", "abc"));
	CU_ASSERT(glob_match("*a*b", "xxaxxbxb"));
	CU_ASSERT(!glob_match("PP_*", "PCH_PP_"));
	CU_ASSERT(!glob_match("A?C", "AC"));
	CU_ASSERT(!glob_match("", "A"));
	CU_ASSERT(!glob_match("A", ""));
	CU_ASSERT(!glob_match("a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

static void names(void)
{
	CU_ASSERT_EQUAL(name_compare("Abc", "aBC"), 0);
	CU_ASSERT(name_compare("abc", "abd") < 0);
	CU_ASSERT(name_compare("abc", "ab") > 0);
	CU_ASSERT_EQUAL(name_compare_n("ABx", "aby", 2), 0);
}

static void distances(void)
{
	CU_ASSERT_EQUAL(name_distance("", ""), 0);
	CU_ASSERT_EQUAL(name_distance("abc", "ABC"), 0);
	CU_ASSERT_EQUAL(name_distance("abc", ""), 3);
	CU_ASSERT_EQUAL(name_distance("kitten", "sitting"), 3);
	CU_ASSERT_EQUAL(name_distance("RING_TAIL", "RING_TIAL"), 1);
	CU_ASSERT_EQUAL(name_distance("ERROR_ID", "EROR_ID"), 1);
	CU_ASSERT_EQUAL(name_distance("ca", "abc"), 3);
}

static void arrays(void)
{
	VEC(uint32_t) v = { 0 };
	void *items = NULL;
	size_t room = 0;

	for (uint32_t i = 0; i < 1000; i++)
		*vec_add(&v) = i;
	CU_ASSERT_EQUAL(v.count, 1000);
	CU_ASSERT(v.room >= 1000);
	CU_ASSERT_EQUAL(v.items[999], 999);
	vec_free(&v);
	CU_ASSERT_PTR_NULL(v.items);
	CU_ASSERT_EQUAL(v.count + v.room, 0);
	CU_ASSERT(!vec_grow(&items, &room, 1, SIZE_MAX, 1));
	CU_ASSERT(!vec_grow(&items, &room, 0, SIZE_MAX / 4, 8));
	CU_ASSERT_PTR_NULL(items);
}

static void errors(void)
{
	struct gsc_error err;

	CU_ASSERT_EQUAL(err_set(&err, GSC_USAGE, "thing", "why %d", 7), GSC_USAGE);
	CU_ASSERT_STRING_EQUAL(err.what, "thing");
	CU_ASSERT_STRING_EQUAL(err.why, "why 7");
	CU_ASSERT_EQUAL(err_errno(&err, "f", EACCES), GSC_DENIED);
	CU_ASSERT_EQUAL(err_errno(&err, "f", EPERM), GSC_DENIED);
	CU_ASSERT_EQUAL(err_errno(&err, "f", ENOENT), GSC_FAILED);
	CU_ASSERT_EQUAL(err_set(NULL, GSC_GONE, "x", "y"), GSC_GONE);
}

/* ---- the text kit --------------------------------------------------------------------------- */

static void slices(void)
{
	struct slice s = slice_string("Kernel: 5.15"), none = { NULL, NULL };
	char buf[8];

	CU_ASSERT(slice_is(s, "Kernel: 5.15") && !slice_is(s, "Kernel: 5.1"));
	CU_ASSERT(slice_begins(s, "Kernel") && !slice_begins(s, "Kernel: 5.15.0"));
	CU_ASSERT(slice_ends(s, "5.15") && !slice_ends(s, "x Kernel: 5.15"));
	CU_ASSERT(slice_named(s, "kernel: 5.15") && !slice_named(s, "kernel"));
	CU_ASSERT(slice_find(s, ": ") == s.at + 6 && !slice_find(s, "::"));
	CU_ASSERT(slice_char(s, '.') == s.at + 9 && !slice_char(s, 'z'));
	CU_ASSERT(slice_is(slice_first(s, 6), "Kernel") && slice_same(slice_first(s, 99), s));
	CU_ASSERT(!slice_same(s, slice_first(s, 11)) && !slice_same(s, none));
	CU_ASSERT(slice_is(slice_from(s, 8), "5.15"));
	CU_ASSERT(slice_copy(slice_first(s, 7), buf, sizeof(buf)) && !strcmp(buf, "Kernel:"));
	CU_ASSERT(!slice_copy(slice_first(s, 8), buf, sizeof(buf)));
	CU_ASSERT(slice_is(none, "") && slice_begins(none, "") && slice_same(none, none));
	CU_ASSERT(!slice_find(none, "a") && !slice_char(none, 'a') && !slice_length(none));
}

/* As memmem() does, at every place of texts of every length, with words that nearly fit before. */
static void slice_finds(void)
{
	static const char *const words[] = { "a", "ab", "aab", "abababababababababab", "zz" };
	char text[64];

	for (size_t length = 0; length <= sizeof(text); length++)
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			for (size_t at = 0, size = strlen(words[i]); at + size <= length; at++) {
				char *from = text + sizeof(text) - length;
				struct slice s = { from, from + length };

				for (size_t n = 0; n < length; n++)
					from[n] = "ab"[n & 1];
				memcpy(from + at, words[i], size);
				CU_ASSERT(slice_find(s, words[i]) ==
					  memmem(from, length, words[i], size));
				CU_ASSERT(slice_find(s, "za") == memmem(from, length, "za", 2));
			}
}

static void slice_words(void)
{
	struct slice s = slice_string(" \t one two=2,three "), before;

	CU_ASSERT(slice_is(slice_trim(s), "one two=2,three"));
	CU_ASSERT(slice_is(take_word(&s), "one") && *s.at == ' ');
	CU_ASSERT(!take_text(&s, "two") && *s.at == ' ');
	take_blanks(&s);
	CU_ASSERT(take_text(&s, "two") && *s.at == '=');
	CU_ASSERT(slice_is(take_until(&s, ",;"), "=2") && take_text(&s, ","));
	CU_ASSERT(slice_is(take_while(&s, is_word), "three"));
	before = s;
	CU_ASSERT(slice_is(take_while(&s, is_word), "") && s.at == before.at);
	CU_ASSERT(slice_is(take_word(&s), "") && s.at == s.end);
	CU_ASSERT(slice_is(take_word(&s), "") && slice_is(take_until(&s, ","), ""));
	CU_ASSERT(!is_word(' ') && is_word('_') && is_word('Z') && !is_letter('[') && is_hex('F'));
	CU_ASSERT(!is_hex('g') && !is_word((char)0xe4) && !is_digit(':') && !is_alphanumeric('_'));
}

/* What is left of a text after a number was removed; NULL: none was. */
static const char *rest_of(const char *text, bool (*take)(struct slice *s, uint64_t *value),
			   uint64_t expected)
{
	struct slice s = slice_string(text);
	uint64_t value;

	if (!take(&s, &value))
		return NULL;
	CU_ASSERT_EQUAL(value, expected);
	return s.at;
}

static void slice_numbers(void)
{
	struct slice s = slice_string("0012abcdefg");
	uint64_t value;
	uint32_t dword;

	CU_ASSERT(slice_number(slice_string("16K"), &value) && value == 16384);
	CU_ASSERT(slice_hex(slice_string("16"), &value) && value == 0x16);
	CU_ASSERT(!slice_hex(slice_string("16 "), &value) && !slice_number(s, &value));
	CU_ASSERT(take_digits(&s, 4, &value) == 4 && value == 0x12);
	CU_ASSERT(take_digits(&s, 99, &value) == 6 && value == 0xabcdef && *s.at == 'g');
	CU_ASSERT(!take_digits(&s, 99, &value) && *s.at == 'g');
	s = slice_string("0000ffffffffffffffff ");
	CU_ASSERT(take_digits(&s, 99, &value) == 20 && value == UINT64_MAX);
	s = slice_string("1ffffffffffffffff");
	CU_ASSERT(!take_digits(&s, 99, &value) && *s.at == '1');
	s = slice_string("7A00000342");
	CU_ASSERT(take_dword(&s, &dword) && dword == 0x7a000003 && slice_is(s, "42"));
	CU_ASSERT(!take_dword(&s, &dword) && slice_is(s, "42"));
	s = slice_string("7a00000g");
	CU_ASSERT(!take_dword(&s, &dword) && *s.at == '7');

	CU_ASSERT_STRING_EQUAL(rest_of("0x1f, 2", take_hex, 0x1f), ", 2");
	CU_ASSERT_STRING_EQUAL(rest_of("0001_f0", take_hex, 0x1f0), "");
	CU_ASSERT_STRING_EQUAL(rest_of("ffffffffffffffff", take_hex, UINT64_MAX), "");
	CU_ASSERT(!rest_of("1ffffffffffffffff", take_hex, 0) && !rest_of("12g", take_hex, 0));
	CU_ASSERT(!rest_of("0x", take_hex, 0) && !rest_of("", take_hex, 0));
	CU_ASSERT(!rest_of("_1", take_hex, 0) && !rest_of("-1", take_hex, 0));
	CU_ASSERT_STRING_EQUAL(rest_of("12.5", take_decimal, 12), ".5");
	CU_ASSERT(!rest_of("12a", take_decimal, 0) && !rest_of("", take_decimal, 0));
	CU_ASSERT(!rest_of("99999999999999999999", take_decimal, 0));
}

static void texts(void)
{
	char buf[8] = "old", *none = buf;
	struct text text = text_of(buf);

	CU_ASSERT(!*buf && text_add(&text, "%s%d", "ab", 12) && text.used == 4);
	text_join(&text, ", ", "c");
	CU_ASSERT_STRING_EQUAL(buf, "ab12, c");
	CU_ASSERT(text_add(&text, "%s", "") && text.used == 7);
	CU_ASSERT(!text_add(&text, "d") && text.used == 7);
	CU_ASSERT_STRING_EQUAL(buf, "ab12, c");
	text = text_of(buf);
	CU_ASSERT(!text_add(&text, "too long for it"));
	CU_ASSERT_STRING_EQUAL(buf, "too lon");
	text = text_begin(none, 0);
	CU_ASSERT(!text_add(&text, "x") && !text.used);
	strcpy(buf, "ab");
	CU_ASSERT(string_add(buf, "%c", 'c') && !string_add(buf, "defghi"));
	CU_ASSERT_STRING_EQUAL(buf, "abcdefg");
}

static void sizes(void)
{
	char buf[32];

	CU_ASSERT_STRING_EQUAL(size_text(0, buf, sizeof(buf)), "0 bytes");
	CU_ASSERT_STRING_EQUAL(size_text(1025, buf, sizeof(buf)), "1025 bytes");
	CU_ASSERT_STRING_EQUAL(size_text(16384, buf, sizeof(buf)), "16 KB");
	CU_ASSERT_STRING_EQUAL(size_text(UINT64_C(1) << 42, buf, sizeof(buf)), "4 TB");
	CU_ASSERT_STRING_EQUAL(size_text(1, buf, sizeof(buf)), "1 byte");
	CU_ASSERT_STRING_EQUAL(size_text(123456, buf, sizeof(buf)), "120.6 KB");
	CU_ASSERT_STRING_EQUAL(size_short(4096, buf, sizeof(buf)), "4K");
	CU_ASSERT_STRING_EQUAL(size_short(4097, buf, sizeof(buf)), "4097");
	CU_ASSERT_STRING_EQUAL(size_short(UINT64_C(1) << 50, buf, sizeof(buf)), "1024T");
	CU_ASSERT_STRING_EQUAL(size_rough(1536 << 10, buf, sizeof(buf)), "1.5 MB");
	CU_ASSERT_STRING_EQUAL(size_rough(2 << 20, buf, sizeof(buf)), "2 MB");
	CU_ASSERT_STRING_EQUAL(size_rough(100, buf, sizeof(buf)), "100 B");
	CU_ASSERT_STRING_EQUAL(size_rough(UINT64_MAX, buf, sizeof(buf)), "16 EB");
}

static void libraries(void)
{
	static const char *const good[] = { "strlen", "memcpy" };
	static const char *const bad[] = { "strlen", "no_such_function" };
	struct {
		size_t (*length)(const char *);
		void *(*copy)(void *, const void *, size_t);
	} call = { 0 };
	struct gsc_error err = { 0 };
	void *library = dynlib_open("libc.so.6", good, &call, 2, &err);

	CU_ASSERT_PTR_NOT_NULL_FATAL(library);
	CU_ASSERT_EQUAL(call.length("four"), 4);
	dynlib_close(library);
	CU_ASSERT_PTR_NULL(dynlib_open("libc.so.6", bad, &call, 2, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "no_such_function"));
	CU_ASSERT_PTR_NULL(dynlib_open("libno-such-thing.so.9", good, &call, 2, &err));
	CU_ASSERT_EQUAL(err.status, GSC_FAILED);
	CU_ASSERT_STRING_EQUAL(err.what, "libno-such-thing.so.9");
}

/* ---- archives ----------------------------------------------------------------------------- */

struct archive {
	uint8_t bytes[16384];
	size_t size, room;
};

static bool collect(void *context, const void *data, size_t size)
{
	struct archive *a = context;

	if (size > a->room - a->size)
		return false;
	memcpy(a->bytes + a->size, data, size);
	a->size += size;
	return true;
}

static struct tar_writer writer_to(struct archive *a)
{
	*a = (struct archive){ .room = sizeof(a->bytes) };
	return (struct tar_writer){ .write = collect, .context = a, .mtime = 1700000000 };
}

static void put_member(struct tar_writer *tar, const char *name, const void *data, size_t size)
{
	CU_ASSERT(tar_member_begin(tar, name, size));
	CU_ASSERT(tar_member_data(tar, data, size));
}

static void tar_round_trip(void)
{
	static struct archive a;
	struct tar_writer w = writer_to(&a);
	struct tar_reader r;
	struct tar_member m;

	put_member(&w, "a/one", "hello", 5);
	put_member(&w, "empty", "", 0);
	CU_ASSERT(tar_member_begin(&w, "two", 513));
	CU_ASSERT(tar_member_data(&w, a.bytes, 512));
	CU_ASSERT(tar_member_data(&w, "z", 1));
	CU_ASSERT(tar_end(&w));
	CU_ASSERT_EQUAL(a.size, 512 * (2 + 1 + 3 + 2));
	CU_ASSERT(tar_matches(a.bytes, a.size));
	CU_ASSERT(!tar_matches(a.bytes, 511));
	r = (struct tar_reader){ .data = a.bytes, .size = a.size };
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_MEMBER);
	CU_ASSERT_STRING_EQUAL(m.name, "a/one");
	CU_ASSERT_EQUAL(m.size, 5);
	CU_ASSERT_EQUAL(m.at, 512);
	CU_ASSERT_EQUAL(m.type, '0');
	CU_ASSERT(m.held == 5 && !memcmp(m.data, "hello", 5));
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_MEMBER);
	CU_ASSERT(m.size == 0 && m.held == 0 && !strcmp(m.name, "empty"));
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_MEMBER);
	CU_ASSERT(m.held == 513 && m.data[512] == 'z');
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_END);
}

/* The checksum field has the form that every tar wants: six digits, NUL, blank. */
static void tar_header_bytes(void)
{
	static struct archive a;
	struct tar_writer w = writer_to(&a);

	put_member(&w, "x", "y", 1);
	CU_ASSERT(!memcmp(a.bytes + 100, "0000644\0", 8));
	CU_ASSERT(!memcmp(a.bytes + 124, "00000000001\0", 12));
	CU_ASSERT(!memcmp(a.bytes + 136, "14524770400\0", 12));
	CU_ASSERT(a.bytes[154] == 0 && a.bytes[155] == ' ');
	CU_ASSERT(!memcmp(a.bytes + 257, "ustar\00000", 8));
}

static void tar_misuse(void)
{
	static struct archive a;
	struct tar_writer w = writer_to(&a);

	CU_ASSERT(tar_member_begin(&w, "x", 2));
	CU_ASSERT(!tar_member_data(&w, "abc", 3));
	w = writer_to(&a);
	CU_ASSERT(tar_member_begin(&w, "x", 2));
	CU_ASSERT(!tar_end(&w));
	w = writer_to(&a);
	a.room = 600;
	tar_member_begin(&w, "x", 200);
	CU_ASSERT(!tar_member_data(&w, a.bytes, 200));
	CU_ASSERT(!tar_end(&w));
}

static void tar_large(void)
{
	static struct archive a;
	struct tar_writer w = writer_to(&a);
	uint64_t size = (UINT64_C(8) << 30) + 512;
	struct tar_reader r;
	struct tar_member m;

	CU_ASSERT(tar_member_begin(&w, "big", size));
	CU_ASSERT(tar_member_data(&w, a.bytes, 100));
	CU_ASSERT_EQUAL(a.bytes[124], 0x80);
	r = (struct tar_reader){ .data = a.bytes, .size = a.size };
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_MEMBER);
	CU_ASSERT_EQUAL(m.size, size);
	CU_ASSERT_EQUAL(m.held, 100);
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_BROKEN);
	CU_ASSERT_EQUAL(r.offset, a.size);
}

/* Makes the last header of an archive one of another type. */
static void retype(struct archive *a, size_t at, char type)
{
	unsigned sum = 0;

	a->bytes[at + 156] = (uint8_t)type;
	memset(a->bytes + at + 148, ' ', 8);
	for (size_t i = 0; i < 512; i++)
		sum += a->bytes[at + i];
	snprintf((char *)a->bytes + at + 148, 8, "%06o", sum);
}

static void tar_extensions(void)
{
	static const char pax[] = "30 path=./long/name/of/pax/yz\n12 size=600\n9 junk=\n";
	static struct archive a;
	struct tar_writer w = writer_to(&a);
	struct tar_reader r;
	struct tar_member m;
	uint8_t zeros[600] = { 0 };

	put_member(&w, "././@LongLink", "./gnu/long", 11);
	retype(&a, 0, 'L');
	put_member(&w, "short", "12345", 5);
	CU_ASSERT_EQUAL(a.size, 2048);
	put_member(&w, "PaxHeaders/x", pax, strlen(pax));
	retype(&a, 2048, 'x');
	put_member(&w, "cut", zeros, 600);
	memcpy(a.bytes + 3072 + 124, "00000000000", 11);
	retype(&a, 3072, '0');
	put_member(&w, "./last", "!", 1);
	CU_ASSERT(tar_end(&w));
	r = (struct tar_reader){ .data = a.bytes, .size = a.size };
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_MEMBER);
	CU_ASSERT_STRING_EQUAL(m.name, "gnu/long");
	CU_ASSERT(m.held == 5 && m.data[0] == '1');
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_MEMBER);
	CU_ASSERT_STRING_EQUAL(m.name, "long/name/of/pax/yz");
	CU_ASSERT_EQUAL(m.held, 600);
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_MEMBER);
	CU_ASSERT_STRING_EQUAL(m.name, "last");
	CU_ASSERT_EQUAL(tar_next(&r, &m), TAR_END);
}

/* Every truncation and every flipped bit ends, and stays within the bytes. */
static void tar_damage(void)
{
	static struct archive a;
	struct tar_writer w = writer_to(&a);
	size_t whole;

	put_member(&w, "one", "first", 5);
	put_member(&w, "two", "second", 6);
	CU_ASSERT(tar_end(&w));
	whole = a.size;
	for (size_t size = 0; size <= whole; size++) {
		uint8_t *copy = malloc(size ? size : 1);
		struct tar_reader r = { .data = copy, .size = size };
		struct tar_member m;
		enum tar_result result;
		size_t members = 0;

		memcpy(copy, a.bytes, size);
		while ((result = tar_next(&r, &m)) == TAR_MEMBER)
			members++;
		CU_ASSERT_EQUAL(result, size >= 2560 ? TAR_END : TAR_BROKEN);
		CU_ASSERT_EQUAL(members, size < 512 ? 0 : size < 1536 ? 1 : 2);
		free(copy);
	}
	for (size_t bit = 0; bit < 1024 * 8; bit++) {
		struct tar_reader r = { .data = a.bytes, .size = whole };
		struct tar_member m;
		size_t members = 0;

		a.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		while (tar_next(&r, &m) == TAR_MEMBER)
			members++;
		CU_ASSERT(members <= 2);
		a.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}

SUITE(util,
	{ "numbers", numbers },
	{ "what is no number", numbers_refused },
	{ "hexadecimal in dumps", hex_numbers },
	{ "numbers written", numbers_written },
	{ "globs", globs },
	{ "names", names },
	{ "distances", distances },
	{ "arrays", arrays },
	{ "errors", errors },
	{ "libraries loaded late", libraries },
	{ "slices", slices },
	{ "slices: found", slice_finds },
	{ "slices: words and blanks", slice_words },
	{ "slices: numbers", slice_numbers },
	{ "texts", texts },
	{ "sizes", sizes },
	{ "tar: written and read", tar_round_trip },
	{ "tar: header bytes", tar_header_bytes },
	{ "tar: misuse and full disks", tar_misuse },
	{ "tar: past 8 GiB", tar_large },
	{ "tar: long names of GNU and pax", tar_extensions },
	{ "tar: cut and flipped", tar_damage })
