/* SPDX-License-Identifier: MIT */
/*
 * The text kit. A slice is a piece of an input's text; what take_...() reads is removed from its
 * front, and stays if they return false. A text is a buffer that is printed to and never overflows.
 */
#ifndef GSC_TEXT_H
#define GSC_TEXT_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- characters ------------------------------------------------------------------------------ */

/* For ASCII only, whatever the locale. */
static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static inline bool is_hex(char c)
{
	return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* Of a hexadecimal digit. */
static inline unsigned digit_value(char c)
{
	return is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

static inline bool is_alphanumeric(char c)
{
	return is_letter(c) || is_digit(c);
}

/* In a name: letters, digits and `_`. */
static inline bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* No NUL ends it, and its bytes belong to the input. */
struct slice {
	const char *at, *end;
};

/* For "%.*s". */
#define SLICE(s) (int)slice_length(s), (s).at

static inline struct slice slice_of(const char *text, size_t length)
{
	return (struct slice){ text, text + length };
}

static inline struct slice slice_string(const char *string)
{
	return slice_of(string, strlen(string));
}

static inline size_t slice_length(struct slice s)
{
	return (size_t)(s.end - s.at);
}

static inline bool slice_is(struct slice s, const char *text)
{
	size_t length = strlen(text);

	return slice_length(s) == length && (!length || !memcmp(s.at, text, length));
}

/* Most differ in their first byte. */
static inline bool slice_begins(struct slice s, const char *text)
{
	return !*text || (s.at < s.end && *s.at == *text && slice_length(s) >= strlen(text) &&
			  !memcmp(s.at, text, strlen(text)));
}

static inline bool slice_begins_any(struct slice s, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (slice_begins(s, texts[i]))
			return true;
	return false;
}

static inline bool slice_ends(struct slice s, const char *text)
{
	size_t length = strlen(text);

	return slice_length(s) >= length && (!length || !memcmp(s.end - length, text, length));
}

static inline bool slice_same(struct slice a, struct slice b)
{
	return slice_length(a) == slice_length(b) &&
	       (a.at == a.end || !memcmp(a.at, b.at, slice_length(a)));
}

/* The same regardless of case. */
GSC_API bool slice_named(struct slice s, const char *name);

/* Its first bytes, at most this many. */
static inline struct slice slice_first(struct slice s, size_t most)
{
	return slice_length(s) > most ? slice_of(s.at, most) : s;
}

/* Without this many bytes in front, which it must have. */
static inline struct slice slice_from(struct slice s, size_t length)
{
	return (struct slice){ s.at + length, s.end };
}

/* Without surrounding blanks. */
GSC_API struct slice slice_trim(struct slice s);

/* The first occurrence of the text in it, or NULL. */
GSC_API const char *slice_find(struct slice s, const char *text);
GSC_API const char *slice_char(struct slice s, char c);

/* Copies it as a string; false if that does not fit. */
GSC_API bool slice_copy(struct slice s, char *buf, size_t size);

/* All of it is a number: as number_parse() takes it, or hexadecimal with or without 0x. */
GSC_API bool slice_number(struct slice s, uint64_t *value);
GSC_API bool slice_hex(struct slice s, uint64_t *value);

static inline bool slice_has_0x(struct slice s)
{
	return slice_length(s) > 2 && s.at[0] == '0' && (s.at[1] | 32) == 'x';
}

/* ---- scanning -------------------------------------------------------------------------------- */

static inline bool take_text(struct slice *s, const char *text)
{
	if (!slice_begins(*s, text))
		return false;
	s->at += strlen(text);
	return true;
}

static inline void take_blanks(struct slice *s)
{
	while (s->at < s->end && is_blank(*s->at))
		s->at++;
}

/* The characters for which `is` is true; perhaps none. */
static inline struct slice take_while(struct slice *s, bool (*is)(char c))
{
	struct slice taken = { s->at, s->at };

	while (taken.end < s->end && is(*taken.end))
		taken.end++;
	s->at = taken.end;
	return taken;
}

/* Up to one of `stops`, which stays, or to the end. */
GSC_API struct slice take_until(struct slice *s, const char *stops);

/* What is between blanks; empty at the end. */
GSC_API struct slice take_word(struct slice *s);

/*
 * At most this many hexadecimal digits, whatever follows, and their number; 0 if there are none, or
 * if they are more than 64 bits.
 */
size_t take_digits(struct slice *s, size_t most, uint64_t *value);

/* Eight hexadecimal digits, whatever follows: dumps are full of them. */
bool take_dword(struct slice *s, uint32_t *value);

/* Numbers to the end of their word; hexadecimal with 0x or without, "0001_f0". */
bool take_hex(struct slice *s, uint64_t *value);
GSC_API bool take_decimal(struct slice *s, uint64_t *value);

/* ---- texts ----------------------------------------------------------------------------------- */

/* A buffer that is printed to: what does not fit is left out, and a NUL ends it. */
struct text {
	char *at;
	size_t size, used;
};

#define ROOM_OF(array)                                                                             \
	(sizeof(array) - 1 +                                                                       \
	 sizeof(char[__builtin_types_compatible_p(__typeof__(array), char *) ? -1 : 1]))

/* An empty one. */
GSC_API struct text text_begin(char *buf, size_t size);
#define text_of(array) text_begin(array, ROOM_OF(array))

/* False: it did not fit. */
GSC_API bool text_add(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A word of a list, with the separator before it. */
GSC_API void text_join(struct text *text, const char *between, const char *word);
/* The words of the bits that are set and have one, after `before`. */
void text_put_bits(struct text *text, const char *before, uint64_t bits, const char *const *words,
		   size_t count);

/* Without a format, for what is printed by the million. */
void text_put_cut(struct text *text, const char *bytes, size_t length);
static inline void text_put_bytes(struct text *text, const char *bytes, size_t length)
{
	if (length >= text->size - text->used) {
		text_put_cut(text, bytes, length);
		return;
	}
	memcpy(text->at + text->used, bytes, length);
	text->used += length;
	text->at[text->used] = 0;
}

static inline void text_put(struct text *text, const char *string)
{
	text_put_bytes(text, string, strlen(string));
}
void text_put_char(struct text *text, char c);
void text_put_decimal(struct text *text, uint64_t value);
void text_put_signed(struct text *text, int64_t value);
void text_put_hex(struct text *text, uint64_t value, unsigned digits);	/* at least this many */
/* Blanks, at least one, up to a column. */
void text_pad(struct text *text, unsigned column);

/* Prints a string to an array, as snprintf() does. */
#define string_set(array, ...) snprintf(array, ROOM_OF(array), __VA_ARGS__)

/* Likewise, appended to the string in a buffer. */
GSC_API bool string_addf(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
#define string_add(array, ...) string_addf(array, ROOM_OF(array), __VA_ARGS__)

/*
 * Sizes in the largest unit that needs no fraction: "16 KB", "168 bytes", of more than five digits
 * "120.6 KB"; "16K"; and in any unit, "1.5 MB".
 */
GSC_API const char *size_text(uint64_t bytes, char *buf, size_t size);
GSC_API const char *size_short(uint64_t bytes, char *buf, size_t size);
GSC_API const char *size_rough(uint64_t bytes, char *buf, size_t size);

#endif
