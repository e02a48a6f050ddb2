/* SPDX-License-Identifier: MIT */
/* Text that others wrote: on a terminal it must not steer, in JSON it must be UTF-8. */
#include "out/out.h"

#include <string.h>

size_t utf8_length(const unsigned char *text)
{
	static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	unsigned code = length == 1 ? text[0] : text[0] & (0x7f >> length);

	if (length > 1 && (text[0] < 0xc2 || text[0] > 0xf4))
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
											   : length;
}

/* Would it turn the text around it, or not be seen? Of valid UTF-8 below U+10000. */
static bool is_steering(unsigned point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) ||
	       (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
	       (point >= 0x2060 && point <= 0x206f) || point == 0xfeff;
}

static size_t harmless_length(const unsigned char *text)
{
	size_t length = utf8_length(text);
	unsigned point = *text;

	if (length == 2)
		point = (text[0] & 0x1fu) << 6 | (text[1] & 0x3f);
	else if (length == 3)
		point = (text[0] & 0xfu) << 12 | (text[1] & 0x3fu) << 6 | (text[2] & 0x3f);
	return length < 4 && is_steering(point) ? 0 : length;
}

void gsc_text_clean(char *text)
{
	while (*text) {
		size_t length = harmless_length((const unsigned char *)text);

		if (!length)
			*text = '?';
		text += length ? length : 1;
	}
}

void out_clean_bytes(struct gsc_out *out, const char *text, size_t size)
{
	for (const char *end = text + size; text < end;) {
		size_t length = harmless_length((const unsigned char *)text);

		gsc_out_bytes(out, length ? text : "?", length ? length : 1);
		text += length ? length : 1;
	}
}

void gsc_out_clean(struct gsc_out *out, const char *text)
{
	out_clean_bytes(out, text, strlen(text));
}
