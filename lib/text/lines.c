/* SPDX-License-Identifier: MIT */
/* Bytes as lines of text, and what a mail program put in front of them. */
#include "text/lines.h"

#include "text/clean.h"

bool lines_next(struct lines *lines)
{
	struct slice rest;
	struct text_line line;

	if (lines->at >= lines->size)
		return false;
	if (!lines->at && lines->size > 3 && !memcmp(lines->data, "\xef\xbb\xbf", 3))
		lines->at = 3;
	rest = (struct slice){ (const char *)lines->data + lines->at,
			       (const char *)lines->data + lines->size };
	if (!take_line(&rest, &line))
		return false;
	/* Past the size, if the last line has no end: it may be a part of one. */
	lines->at = (size_t)((const uint8_t *)rest.at - lines->data) + (rest.at[-1] != '\n');
	lines->number++;
	lines->text = line.text;
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
