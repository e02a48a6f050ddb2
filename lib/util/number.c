/* SPDX-License-Identifier: MIT */
/* Numbers from text, strictly, and to hexadecimal text, fast. */
#include "util/number.h"

#include "private.h"

#include <string.h>

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Digits of one base with single `_` between them. */
static bool parse_digits(const char *text, size_t length, unsigned base, uint64_t *value)
{
	uint64_t result = 0;
	bool after_digit = false;

	for (size_t i = 0; i < length; i++) {
		int digit = digit_value(text[i]);

		if (text[i] == '_' && after_digit && i + 1 < length) {
			after_digit = false;
			continue;
		}
		if (digit < 0 || (unsigned)digit >= base)
			return false;
		if (__builtin_mul_overflow(result, (uint64_t)base, &result) ||
		    __builtin_add_overflow(result, (uint64_t)digit, &result))
			return false;
		after_digit = true;
	}
	if (!after_digit)
		return false;
	*value = result;
	return true;
}

static unsigned suffix_shift(char c)
{
	switch (c) {
	case 'K':
	case 'k':
		return 10;
	case 'M':
	case 'm':
		return 20;
	case 'G':
	case 'g':
		return 30;
	}
	return 0;
}

bool number_parse(const char *text, size_t length, uint64_t *value)
{
	unsigned shift;

	if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return parse_digits(text + 2, length - 2, 16, value);
	if (length > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
		return parse_digits(text + 2, length - 2, 2, value);
	if (!length)
		return false;
	shift = suffix_shift(text[length - 1]);
	if (!parse_digits(text, length - (shift != 0), 10, value))
		return false;
	if (shift && *value >> (64 - shift))
		return false;
	*value <<= shift;
	return true;
}

bool number_parse_hex(const char *text, size_t length, uint64_t *value)
{
	if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		text += 2;
		length -= 2;
	}
	return !memchr(text, '_', length) && parse_digits(text, length, 16, value);
}

bool gsc_parse_number(const char *text, uint64_t *value)
{
	return number_parse(text, strlen(text), value);
}

const char number_hex_pairs[] =
	"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	"202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
	"404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f"
	"606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f"
	"808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
	"a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
	"c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf"
	"e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

/* Likewise "000102...99". */
static const char decimal_pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

/* At most eight digits. Each nibble becomes a byte, each byte a digit. */
static inline char *put_digits(char *out, uint32_t value, unsigned digits)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t text = value;
	uint32_t first, last;

	text = (text | text << 16) & UINT64_C(0x0000ffff0000ffff);
	text = (text | text << 8) & UINT64_C(0x00ff00ff00ff00ff);
	text = (text | text << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	text += '0' * ones + ((text + 6 * ones) >> 4 & ones) * ('a' - '9' - 1);
	text = __builtin_bswap64(text);		/* the first digit in the lowest byte */
	first = (uint32_t)(text >> (64 - 8 * digits));
	last = (uint32_t)(text >> 32);
	if (digits >= 4) {
		memcpy(out, &first, 4);
		memcpy(out + digits - 4, &last, 4);
		return out + digits;
	}
	out[0] = (char)first;
	if (digits > 1)
		out[1] = (char)(first >> 8);
	out[digits - 1] = (char)(text >> 56);
	return out + digits;
}

char *number_hex_digits(char *out, uint64_t value, unsigned digits)
{
	for (; digits > 16; digits--)
		*out++ = '0';
	if (digits > 8) {
		out = put_digits(out, (uint32_t)(value >> 32), digits - 8);
		digits = 8;
	}
	return digits ? put_digits(out, (uint32_t)value, digits) : out;
}

char *number_hex_padded(char *out, uint64_t value, unsigned digits)
{
	if (digits == 8)
		return number_hex_dword(out, (uint32_t)value);
	*out++ = '0';
	*out++ = 'x';
	if (digits && digits < 8)
		return put_digits(out, (uint32_t)value, digits);
	return number_hex_digits(out, value, digits);
}

char *number_hex(char *out, uint64_t value)
{
	unsigned digits;

	*out++ = '0';
	*out++ = 'x';
	/* Most fields are flags and small numbers. */
	if (value < 16) {
		*out = "0123456789abcdef"[value];
		return out + 1;
	}
	digits = (67 - (unsigned)__builtin_clzll(value)) / 4;
	if (digits <= 8)
		return put_digits(out, (uint32_t)value, digits);
	return number_hex_digits(out, value, digits);
}

/* From the end, two digits at a time: the place of the first depends on how many there are. */
char *number_decimal(char *out, uint64_t value)
{
	uint64_t limit = 10;
	unsigned count = 1;
	char *end, *at;

	for (; count < 20 && value >= limit; limit *= 10)
		count++;
	at = end = out + count;
	for (; value >= 100; value /= 100)
		memcpy(at -= 2, &decimal_pairs[2 * (value % 100)], 2);
	if (value >= 10)
		memcpy(out, &decimal_pairs[2 * value], 2);
	else
		*out = (char)('0' + value);
	return end;
}

bool version_parse(const char *text, size_t length, unsigned *lo, unsigned *hi)
{
	const char *dot = memchr(text, '.', length);
	size_t whole = dot ? (size_t)(dot - text) : length;
	uint64_t major, minor = 0;

	if (!whole || whole > 3 || !number_parse(text, whole, &major))
		return false;
	if (dot) {
		size_t digits = length - whole - 1;

		if (digits < 1 || digits > 2 || !number_parse(dot + 1, digits, &minor))
			return false;
		if (digits == 1)
			minor *= 10;
	}
	*lo = (unsigned)(major * 100 + minor);
	*hi = dot ? *lo : *lo + 99;
	return true;
}
