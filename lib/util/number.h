/* SPDX-License-Identifier: MIT */
/* Numbers as text, both ways, without printf: the decoders spend their time here. */
#ifndef GSC_NUMBER_H
#define GSC_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest text that a formatter below writes, with its NUL. */
#define NUMBER_MAX 24

/*
 * Parses one number of the command line's form from text[0..length); false on anything else in
 * there, on an empty text and on overflow.
 */
bool number_parse(const char *text, size_t length, uint64_t *value);

/* Hexadecimal digits with or without 0x, as dumps have them. */
bool number_parse_hex(const char *text, size_t length, uint64_t *value);

/* "7" is every 7.x, "7.5" is that one, "12.70" as IP versions are written; *lo..*hi, times 100. */
bool version_parse(const char *text, size_t length, unsigned *lo, unsigned *hi);

/* Each writes to `out`, without a NUL, and returns one past the last character. */
char *number_hex(char *out, uint64_t value);			/* 0x1f */
char *number_hex_padded(char *out, uint64_t value, unsigned digits);	/* 0x0000001f */
char *number_hex_digits(char *out, uint64_t value, unsigned digits);	/* 0000001f */
char *number_decimal(char *out, uint64_t value);

#endif
