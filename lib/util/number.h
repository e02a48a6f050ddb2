/* SPDX-License-Identifier: MIT */
/* Numbers as text, both ways, without printf: the decoders spend their time here. */
#ifndef GSC_NUMBER_H
#define GSC_NUMBER_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Longest text that a formatter below writes, with its NUL. */
#define NUMBER_MAX 24
#define NUMBER_REST 8

/*
 * Parses one number of the command line's form from text[0..length); false if there is anything
 * else in it, for an empty text and on overflow.
 */
bool number_parse(const char *text, size_t length, uint64_t *value);

/* Hexadecimal digits with or without 0x, as dumps have them. */
bool number_parse_hex(const char *text, size_t length, uint64_t *value);

/*
 * "7" is every 7.x, "7.5" only that one, "12.70" as IP versions are written; *lo..*hi, times 100.
 */
bool version_parse(const char *text, size_t length, unsigned *lo, unsigned *hi);

/*
 * Each writes to `out`, without a NUL, and returns one past the last character. What follows that,
 * at most NUMBER_REST bytes, may be overwritten.
 */
char *number_hex(char *out, uint64_t value);			/* 0x1f */
char *number_hex_padded(char *out, uint64_t value, unsigned digits);	/* 0x0000001f */
char *number_hex_digits(char *out, uint64_t value, unsigned digits);	/* 0000001f */
char *number_decimal(char *out, uint64_t value);

/* The two digits of each byte: "000102...ff". */
extern const char number_hex_pairs[];

/* number_hex_padded() of 8 digits, inline: most of the output is addresses and dwords. */
static inline char *number_hex_dword(char *out, uint32_t value)
{
	memcpy(out, "0x", 2);
	memcpy(out + 2, &number_hex_pairs[2 * (value >> 24)], 2);
	memcpy(out + 4, &number_hex_pairs[2 * (value >> 16 & 0xff)], 2);
	memcpy(out + 6, &number_hex_pairs[2 * (value >> 8 & 0xff)], 2);
	memcpy(out + 8, &number_hex_pairs[2 * (value & 0xff)], 2);
	return out + 10;
}

/* "0x1f", "31", "0b11", "16K", "1_000": the number form of the command line. */
GSC_API bool gsc_parse_number(const char *text, uint64_t *value);

#endif
