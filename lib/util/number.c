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
	*out++ = '0';
	*out++ = 'x';
	/* Dwords, and addresses of registers. */
	if (digits == 8)
		return put_digits(out, (uint32_t)value, 8);
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

char *number_decimal(char *out, uint64_t value)
{
	char digits[20];
	unsigned count = 0;
	uint32_t rest;

	if (value < 10) {
		*out = (char)('0' + value);
		return out + 1;
	}
	for (; value > UINT32_MAX; value /= 10)
		digits[count++] = (char)('0' + value % 10);
	rest = (uint32_t)value;
	do {
		digits[count++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	while (count)
		*out++ = digits[--count];
	return out;
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
