/* SPDX-License-Identifier: MIT */
/* Bytes as lines of text, and what a mail program put in front of them. */
#include "text/lines.h"

#include <string.h>

bool lines_next(struct lines *lines)
{
	const uint8_t *start, *end;

	if (lines->at >= lines->size)
		return false;
	if (!lines->at && lines->size > 3 && !memcmp(lines->data, "\xef\xbb\xbf", 3))
		lines->at = 3;
	start = lines->data + lines->at;
	end = memchr(start, '\n', lines->size - lines->at);
	lines->text = (const char *)start;
	lines->length = end ? (size_t)(end - start) : lines->size - lines->at;
	lines->at += lines->length + 1;
	lines->number++;
	while (lines->length && (is_blank(lines->text[lines->length - 1]) ||
				 lines->text[lines->length - 1] == '\r'))
		lines->length--;
	return true;
}

size_t quote_length(const char *text, size_t length)
{
	size_t at = 0, quoted = 0;

	while (at < length) {
		if (text[at] == '>')
			quoted = at + 1;
		else if (text[at] != ' ')
			break;
		at++;
	}
	if (quoted && quoted < length && text[quoted] == ' ')
		quoted++;
	return quoted;
}
