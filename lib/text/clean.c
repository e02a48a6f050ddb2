/* SPDX-License-Identifier: MIT */
/* Cleans text: its encoding, and the order of the steps. */
#include "text/clean.h"

#define HEAD 4096
#define ROUNDS_MOST 4

char *clean_own(struct cleaning *text)
{
	if (text->own || text->memory_out)
		return text->own;
	text->own = malloc(text->size + 1);
	if (!text->own) {
		text->memory_out = true;
		return NULL;
	}
	memcpy(text->own, text->at, text->size);
	text->at = text->own;
	return text->own;
}

void clean_replace(struct cleaning *text, char *own, size_t size)
{
	free(text->own);
	text->own = own;
	text->at = own;
	text->size = size;
}

bool text_is_dense(const char *at, const char *end)
{
	const char *start = at;

	for (; at < end; at++) {
		if (*at == ' ' || *at == '\t')
			start = at + 1;
		else if (at - start >= LONG_WORD)
			return true;
	}
	return false;
}

/* ---- UTF-16 --------------------------------------------------------------------------------- */

/* How many of the units are plain characters, with their zero in the first or second byte. */
static size_t plain_units(const uint8_t *data, size_t size, unsigned zero)
{
	size_t plain = 0;

	for (size_t i = 0; i + 1 < size; i += 2) {
		uint8_t c = data[i + !zero];

		plain += !data[i + zero] && ((c >= ' ' && c < 0x7f) || (c >= '\t' && c <= '\r'));
	}
	return plain;
}

/* The position of the zeros, 0 or 1, or -1. A byte order mark alone may be any bytes. */
static int wide_order(const uint8_t *data, size_t size)
{
	size = MIN(size, (size_t)HEAD) & ~(size_t)1;
	for (unsigned zero = 0; size >= 4 && zero < 2; zero++) {
		bool mark = data[zero] == 0xfe && data[!zero] == 0xff;

		if (plain_units(data, size, zero) >= (mark ? size / 3 : size * 15 / 32))
			return (int)zero;
	}
	return -1;
}

bool text_is_wide(const uint8_t *data, size_t size)
{
	return wide_order(data, size) >= 0;
}

static char *put_character(char *out, uint32_t c)
{
	static const uint8_t marks[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	unsigned bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (bytes == 1) {
		*out = (char)c;
		return out + 1;
	}
	for (unsigned i = bytes - 1; i; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	*out = (char)(marks[bytes] | c);
	return out + bytes;
}

static void decode_wide(struct cleaning *text)
{
	const uint8_t *data = (const uint8_t *)text->at;
	int zero = wide_order(data, text->size);
	char *out, *at;

	if (zero < 0 || text->size > SIZE_MAX / 2)
		return;
	out = at = malloc(text->size / 2 * 3 + 1);
	if (!out) {
		text->memory_out = true;
		return;
	}
	for (size_t i = 0; i + 1 < text->size; i += 2) {
		uint32_t c = (uint32_t)data[i + (unsigned)zero] << 8 | data[i + !zero], low;

		if (c >= 0xd800 && c < 0xdc00 && i + 3 < text->size) {
			low = (uint32_t)data[i + 2 + (unsigned)zero] << 8 | data[i + 2 + !zero];
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
				i += 2;
			}
		}
		if (c && c != 0xfeff)
			at = put_character(at, c);
	}
	clean_replace(text, out, (size_t)(at - out));
}

/* ---- the steps ------------------------------------------------------------------------------ */

/* Mails are quoted, and the quoted text has been a mail: repeated until nothing more is removed. */
static void unpack(struct cleaning *text)
{
	static void (*const steps[])(struct cleaning *text) = {
		clean_all_lines, clean_mail, clean_bytes, clean_lines, clean_records,
	};
	size_t before = text->size + 1;

	for (unsigned round = 0; round < ROUNDS_MOST && text->size < before; round++) {
		before = text->size;
		for (size_t i = 0; i < ARRAY_SIZE(steps) && !text->memory_out; i++)
			steps[i](text);
	}
}

bool text_clean(const void *data, size_t size, char **out, size_t *out_size)
{
	struct cleaning text = { .at = data, .size = size };

	*out = NULL;
	*out_size = size;
	if (!size)
		return true;
	decode_wide(&text);
	if (!text.memory_out)
		clean_names(&text);
	if (!text.memory_out)
		clean_journal(&text);
	if (!text.memory_out)
		unpack(&text);
	if (!text.memory_out)
		clean_wrap(&text);
	if (text.memory_out) {
		free(text.own);
		return false;
	}
	if (text.own) {
		*out = text.own;
		*out_size = text.size;
	}
	return true;
}
