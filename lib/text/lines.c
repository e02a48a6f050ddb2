/* SPDX-License-Identifier: MIT */
/* Bytes as lines of text, and what a mail program put in front of them. */
#include "text/lines.h"

bool lines_next(struct lines *lines)
{
	struct slice line;
	const char *end;

	if (lines->at >= lines->size)
		return false;
	if (!lines->at && lines->size > 3 && !memcmp(lines->data, "\xef\xbb\xbf", 3))
		lines->at = 3;
	line = slice_of((const char *)lines->data + lines->at, lines->size - lines->at);
	end = memchr(line.at, '\n', slice_length(line));
	line.end = end ? end : line.end;
	lines->at += slice_length(line) + 1;
	lines->number++;
	while (line.end > line.at && (is_blank(line.end[-1]) || line.end[-1] == '\r'))
		line.end--;
	lines->text = line;
	return true;
}

void take_quotes(struct slice *line)
{
	struct slice rest = *line;
	bool quoted = false;

	for (; rest.at < rest.end && (*rest.at == '>' || *rest.at == ' '); rest.at++) {
		if (*rest.at != '>')
			continue;
		line->at = rest.at + 1;
		quoted = true;
	}
	if (quoted)
		take_text(line, " ");
}
