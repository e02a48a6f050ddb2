/* SPDX-License-Identifier: MIT */
/* Numbers from text, strictly, and to hexadecimal text, fast. */
#include "util/number.h"

#include "util/text.h"

/* Digits of one base with single `_` between them. */
static bool parse_digits(const char *text, size_t length, unsigned base, uint64_t *value)
{
	uint64_t result = 0;
	bool after_digit = false;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '_' && after_digit && i + 1 < length) {
			after_digit = false;
			continue;
		}
		if (!is_hex(text[i]) || digit_value(text[i]) >= base ||
		    __builtin_mul_overflow(result, (uint64_t)base, &result) ||
		    __builtin_add_overflow(result, (uint64_t)digit_value(text[i]), &result))
			return false;
		after_digit = true;
	}
	if (!after_digit)
		return false;
	*value = result;
	return true;
}

bool number_parse(const char *text, size_t length, uint64_t *value)
{
	static const char suffixes[] = "KMG";
	const char *suffix;
	unsigned shift;

	if (length > 2 && text[0] == '0' && (text[1] | 32) == 'x')
		return parse_digits(text + 2, length - 2, 16, value);
	if (length > 2 && text[0] == '0' && (text[1] | 32) == 'b')
		return parse_digits(text + 2, length - 2, 2, value);
	if (!length)
		return false;
	suffix = memchr(suffixes, text[length - 1] & ~32, strlen(suffixes));
	shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
	if (!parse_digits(text, length - (shift != 0), 10, value) ||
	    (shift && *value >> (64 - shift)))
		return false;
	*value <<= shift;
	return true;
}

bool number_parse_hex(const char *text, size_t length, uint64_t *value)
{
	if (length > 2 && text[0] == '0' && (text[1] | 32) == 'x') {
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

#define ONES UINT64_C(0x0101010101010101)

/*
 * Eight digits are in a uint64_t, the first in the lowest byte. The required ones are moved there
 * and stored with whatever follows: a branch on their number would be predicted badly.
 */
static inline char *put_eight(char *out, uint64_t text, unsigned digits)
{
	text >>= 64 - 8 * digits;
	memcpy(out, &text, 8);
	return out + digits;
}

/* 1 to 8 digits. Each nibble becomes a byte, each byte a digit. */
static inline char *put_digits(char *out, uint32_t value, unsigned digits)
{
	uint64_t text = value;

	text = (text | text << 16) & UINT64_C(0x0000ffff0000ffff);
	text = (text | text << 8) & UINT64_C(0x00ff00ff00ff00ff);
	text = (text | text << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	text += '0' * ONES + ((text + 6 * ONES) >> 4 & ONES) * ('a' - '9' - 1);
	return put_eight(out, __builtin_bswap64(text), digits);
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
	digits = (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
	if (digits <= 8)
		return put_digits(out, (uint32_t)value, digits);
	return number_hex_digits(out, value, digits);
}

/* The eight decimal digits of a value below 10^8, as bytes: halves, then pairs, then digits. */
static inline uint64_t eight_decimals(uint32_t value)
{
	uint64_t text = value / 10000 | (uint64_t)(value % 10000) << 32, tops;

	tops = (text * 5243 >> 19) & UINT64_C(0x0000007f0000007f);
	text = tops | (text - tops * 100) << 16;
	tops = (text * 103 >> 10) & UINT64_C(0x000f000f000f000f);
	return tops | (text - tops * 10) << 8;
}

char *number_decimal(char *out, uint64_t value)
{
	const uint32_t limit = 100000000;
	uint64_t text;

	/* As most numbers in dwords are. */
	if (value < 10) {
		*out = (char)('0' + value);
		return out + 1;
	}
	if (value >= limit) {
		out = number_decimal(out, value / limit);
		return put_eight(out, eight_decimals(value % limit) + '0' * ONES, 8);
	}
	text = eight_decimals((uint32_t)value);
	/* The last digit stays, even if it is 0. */
	return put_eight(out, text + '0' * ONES,
			 8 - (unsigned)__builtin_ctzll(text | UINT64_C(1) << 56) / 8);
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
