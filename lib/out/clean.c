/* SPDX-License-Identifier: MIT */
/* Text that others wrote: on a terminal it must not steer, in JSON it must be UTF-8. */
#include "out/out.h"

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

/* Controls of one byte, and of C1, which terminals take in UTF-8, too: nothing to be shown. */
static size_t harmless_length(const unsigned char *text)
{
	size_t length = utf8_length(text);

	if (*text < 0x20 || *text == 0x7f || (*text == 0xc2 && text[1] < 0xa0))
		return 0;
	return length;
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

void gsc_out_clean(struct gsc_out *out, const char *text)
{
	while (*text) {
		size_t length = harmless_length((const unsigned char *)text);

		gsc_out_bytes(out, length ? text : "?", length ? length : 1);
		text += length ? length : 1;
	}
}
