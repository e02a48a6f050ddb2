/* SPDX-License-Identifier: MIT */
/* Text inputs line by line, as mail and other systems may have left them. */
#ifndef GSC_LINES_H
#define GSC_LINES_H

#include "util/text.h"

struct lines {
	const uint8_t *data;
	size_t size, at;		/* of the next line */
	struct slice text;		/* this line, without blanks and CR at its end */
	size_t number;
};

GSC_API bool lines_next(struct lines *lines);

/* Where the line begins in the data. */
static inline size_t line_start(const struct lines *lines)
{
	return (size_t)((const uint8_t *)lines->text.at - lines->data);
}

/* The `> ` quoting in front of a line. */
void take_quotes(struct slice *line);

#endif
