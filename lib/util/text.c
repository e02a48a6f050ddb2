/* SPDX-License-Identifier: MIT */
/* Slices of text, what is read from their front, and bounded buffers to print to. */
#include "util/text.h"

#include "util/number.h"
#include "util/util.h"

/* ---- slices ---------------------------------------------------------------------------------- */

bool slice_named(struct slice s, const char *name)
{
	return strlen(name) == slice_length(s) && !name_compare_n(s.at, name, slice_length(s));
}

struct slice slice_trim(struct slice s)
{
	take_blanks(&s);
	while (s.end > s.at && is_blank(s.end[-1]))
		s.end--;
	return s;
}

#define BLOCK 16
typedef uint8_t block __attribute__((vector_size(BLOCK)));

/* Where the text can begin in a block: its first and its last byte fit. */
static const char *find_in_block(const char *at, const char *text, size_t length)
{
	block first, last;
	union {
		block fits;
		uint64_t halves[BLOCK / 8];
	} found;

	memcpy(&first, at, BLOCK);
	memcpy(&last, at + length - 1, BLOCK);
	found.fits = (block)(first == (uint8_t)text[0]) &
		     (block)(last == (uint8_t)text[length - 1]);
	if (!(found.halves[0] | found.halves[1]))
		return NULL;
	for (unsigned i = 0; i < BLOCK; i++)
		if (found.fits[i] && !memcmp(at + i, text, length))
			return at + i;
	return NULL;
}

/* memmem() goes byte by byte, which would be most of the time that logs take. */
const char *slice_find(struct slice s, const char *text)
{
	size_t length = strlen(text), more = length - 1 + BLOCK;
	const char *at = NULL;

	if (!s.at || !length || slice_length(s) < more)
		return s.at ? memmem(s.at, slice_length(s), text, length) : NULL;
	for (; !at && slice_length(s) >= more; s.at += BLOCK)
		at = find_in_block(s.at, text, length);
	return at ? at : find_in_block(s.end - more, text, length);
}

const char *slice_char(struct slice s, char c)
{
	return s.at ? memchr(s.at, c, slice_length(s)) : NULL;
}

bool slice_copy(struct slice s, char *buf, size_t size)
{
	size_t length = slice_length(s);

	if (length >= size)
		return false;
	memcpy(buf, s.at, length);
	buf[length] = 0;
	return true;
}

bool slice_number(struct slice s, uint64_t *value)
{
	return number_parse(s.at, slice_length(s), value);
}

bool slice_hex(struct slice s, uint64_t *value)
{
	return number_parse_hex(s.at, slice_length(s), value);
}

/* ---- scanning -------------------------------------------------------------------------------- */

struct slice take_until(struct slice *s, const char *stops)
{
	struct slice taken = *s;

	if (stops[0] && !stops[1])
		taken.end = slice_char(*s, stops[0]) ?: s->end;
	else
		for (taken.end = s->at; taken.end < s->end; taken.end++)
			if (*taken.end && strchr(stops, *taken.end))
				break;
	s->at = taken.end;
	return taken;
}

struct slice take_word(struct slice *s)
{
	struct slice word;

	take_blanks(s);
	word = (struct slice){ s->at, s->at };
	while (word.end < s->end && !is_blank(*word.end))
		word.end++;
	s->at = word.end;
	return word;
}

size_t take_digits(struct slice *s, size_t most, uint64_t *value)
{
	size_t length = slice_length(*s), count = 0;
	uint64_t number = 0;

	for (; count < length && count < most && is_hex(s->at[count]); count++) {
		if (number >> 60)
			return 0;
		number = number << 4 | digit_value(s->at[count]);
	}
	s->at += count;
	*value = number;
	return count;
}

bool take_dword(struct slice *s, uint32_t *value)
{
	uint32_t number = 0;

	if (slice_length(*s) < 8)
		return false;
	for (unsigned i = 0; i < 8; i++) {
		unsigned c = (unsigned char)s->at[i], digit = c - '0';

		if (digit > 9) {
			digit = (c | 0x20) - 'a' + 10;
			if (digit < 10 || digit > 15)
				return false;
		}
		number = number << 4 | digit;
	}
	s->at += 8;
	*value = number;
	return true;
}

bool take_hex(struct slice *s, uint64_t *value)
{
	const char *at = s->at + (slice_has_0x(*s) ? 2 : 0);
	bool any = false;

	*value = 0;
	for (; at < s->end && (is_hex(*at) || (*at == '_' && any)); at++) {
		if (*at == '_')
			continue;
		if (*value >> 60)
			return false;
		*value = *value << 4 | digit_value(*at);
		any = true;
	}
	if (!any || (at < s->end && is_word(*at)))
		return false;
	s->at = at;
	return true;
}

bool take_decimal(struct slice *s, uint64_t *value)
{
	const char *at = s->at;

	*value = 0;
	for (; at < s->end && is_digit(*at); at++) {
		if (*value > (UINT64_MAX - 9) / 10)
			return false;
		*value = *value * 10 + (uint64_t)(*at - '0');
	}
	if (at == s->at || (at < s->end && is_word(*at)))
		return false;
	s->at = at;
	return true;
}

/* ---- texts ----------------------------------------------------------------------------------- */

struct text text_begin(char *buf, size_t size)
{
	if (size)
		*buf = 0;
	return (struct text){ buf, size, 0 };
}

static bool add(struct text *text, const char *format, va_list args)
{
	size_t room = text->size - text->used;
	int length = room ? vsnprintf(text->at + text->used, room, format, args) : -1;

	if (length < 0)
		return false;
	text->used += MIN((size_t)length, room - 1);
	return (size_t)length < room;
}

bool text_add(struct text *text, const char *format, ...)
{
	va_list args;
	bool fits;

	va_start(args, format);
	fits = add(text, format, args);
	va_end(args);
	return fits;
}

void text_put_char(struct text *text, char c)
{
	if (text->used + 1 >= text->size)
		return;
	text->at[text->used++] = c;
	text->at[text->used] = 0;
}

/* If there is no room for all of it. */
void text_put_cut(struct text *text, const char *bytes, size_t length)
{
	if (text->used < text->size)
		text_put_bytes(text, bytes, MIN(length, text->size - text->used - 1));
}

void text_put_decimal(struct text *text, uint64_t value)
{
	char digits[20], *const end = digits + sizeof(digits), *at = end;

	if (value < 10) {
		text_put_char(text, (char)('0' + value));
		return;
	}
	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	text_put_bytes(text, at, (size_t)(end - at));
}

void text_put_signed(struct text *text, int64_t value)
{
	if (value < 0)
		text_put_char(text, '-');
	text_put_decimal(text, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void text_put_hex(struct text *text, uint64_t value, unsigned digits)
{
	char hex[16], *const end = hex + sizeof(hex), *at = end;

	do
		*--at = "0123456789abcdef"[value & 15];
	while ((value >>= 4) || at > end - MIN(digits, 16));
	text_put_bytes(text, at, (size_t)(end - at));
}

void text_pad(struct text *text, unsigned column)
{
	const size_t room = text->size - text->used;
	size_t blanks = text->used < column ? column - text->used : 1;

	if (!room)
		return;
	blanks = MIN(blanks, room - 1);
	memset(text->at + text->used, ' ', blanks);
	text->used += blanks;
	text->at[text->used] = 0;
}

void text_join(struct text *text, const char *between, const char *word)
{
	text_add(text, "%s%s", text->used ? between : "", word);
}

void text_put_bits(struct text *text, const char *before, uint64_t bits, const char *const *words,
		   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!(bits >> i & 1) || !words[i])
			continue;
		text_add(text, "%s%s", before, words[i]);
		before = ", ";
	}
}

bool string_addf(char *buf, size_t size, const char *format, ...)
{
	struct text text = { buf, size, strlen(buf) };
	va_list args;
	bool fits;

	va_start(args, format);
	fits = add(&text, format, args);
	va_end(args);
	return fits;
}

static const char *const units[] = { "B", "KB", "MB", "GB", "TB", "PB", "EB" };

/* The unit, up to number `most`, and how many of it. */
static size_t unit_of(uint64_t *bytes, size_t most)
{
	size_t unit = 0;

	for (; *bytes && !(*bytes & 1023) && unit < most; unit++)
		*bytes >>= 10;
	return unit;
}

const char *size_text(uint64_t bytes, char *buf, size_t size)
{
	size_t unit = unit_of(&bytes, ARRAY_SIZE(units) - 1);

	if (bytes >= 100000 && unit + 1 < ARRAY_SIZE(units))
		snprintf(buf, size, "%.1f %s", (double)bytes / 1024, units[unit + 1]);
	else
		snprintf(buf, size, "%llu %s", LL(bytes),
			 unit ? units[unit] : bytes == 1 ? "byte" : "bytes");
	return buf;
}

const char *size_short(uint64_t bytes, char *buf, size_t size)
{
	size_t unit = unit_of(&bytes, 4);

	snprintf(buf, size, "%llu%.*s", LL(bytes), unit ? 1 : 0, units[unit]);
	return buf;
}

const char *size_rough(uint64_t bytes, char *buf, size_t size)
{
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 1024 && unit + 1 < ARRAY_SIZE(units); unit++)
		value /= 1024;
	snprintf(buf, size, value < 9.95 && (int)(value * 10 + 0.5) % 10 ? "%.1f %s" : "%.0f %s",
		 value, units[unit]);
	return buf;
}
