/* SPDX-License-Identifier: MIT */
/* Text inputs line by line, as mail and other systems may have left them. */
#ifndef GSC_LINES_H
#define GSC_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines {
	const uint8_t *data;
	size_t size, at;		/* of the next line */
	const char *text;		/* this line, without blanks and CR at its end */
	size_t length, number;
};

bool lines_next(struct lines *lines);

/* Characters of `> ` quoting in front of a line. */
size_t quote_length(const char *text, size_t length);

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

#endif
