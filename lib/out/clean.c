/* SPDX-License-Identifier: MIT */
/* Foreign text: on a terminal it must not send control codes, in JSON it must be UTF-8. */
#include "out/out.h"

#include <string.h>

size_t utf8_take(const char *text, unsigned *point)
{
	static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *byte = (const unsigned char *)text;
	size_t length = byte[0] < 0x80 ? 1 : byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
	unsigned code = length == 1 ? byte[0] : byte[0] & (0x7f >> length);

	if (length > 1 && (byte[0] < 0xc2 || byte[0] > 0xf4))
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (byte[i] & 0x3f);
	}
	*point = code;
	return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
											   : length;
}

/*
 * Control characters, and those of Unicode's category Cf (format): they reverse, join or split the
 * text around them, or stand for invisible text. Also line and paragraph separators.
 */
bool point_is_steering(unsigned point)
{
	static const struct {
		unsigned first, last;
	} steering[] = {
		{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x600, 0x605 },
		{ 0x61c, 0x61c }, { 0x6dd, 0x6dd }, { 0x70f, 0x70f }, { 0x890, 0x891 },
		{ 0x8e2, 0x8e2 }, { 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0x110bd, 0x110bd },
		{ 0x110cd, 0x110cd }, { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < ARRAY_SIZE(steering) && point >= steering[i].first; i++)
		if (point <= steering[i].last)
			return true;
	return false;
}

size_t harmless_length(const char *text)
{
	unsigned point;
	size_t length = utf8_take(text, &point);

	return length && point_is_steering(point) ? 0 : length;
}

void gsc_text_clean(char *text)
{
	while (*text) {
		size_t length = harmless_length(text);

		if (!length)
			*text = '?';
		text += length ? length : 1;
	}
}

void out_clean_bytes(struct gsc_out *out, const char *text, size_t size)
{
	for (const char *end = text + size; text < end;) {
		size_t length = harmless_length(text);

		gsc_out_bytes(out, length ? text : "?", length ? length : 1);
		text += length ? length : 1;
	}
}

void gsc_out_clean(struct gsc_out *out, const char *text)
{
	out_clean_bytes(out, text, strlen(text));
}
