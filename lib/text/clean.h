/* SPDX-License-Identifier: MIT */
/*
 * text/: plain text, without knowledge of GPUs: lines, base 85, and here: text as its program wrote
 * it, recovered from what mails, terminals, web pages and editors made of it. clean.c: the
 * encoding, and the order of the steps. clean-names.c: names of processes. clean-mail.c:
 * quoted-printable and base 64. clean-bytes.c: colours, odd blanks, HTML. clean-lines.c: what
 * precedes each line. clean-records.c: journals as JSON. clean-wrap.c: lines that were broken. A
 * line that was broken keeps its number: joined lines are followed by empty ones. Each step looks
 * first, and text that needs none of them is not copied.
 */
#ifndef GSC_CLEAN_H
#define GSC_CLEAN_H

#include "util/util.h"

#include <string.h>

/* Bytes of UTF-16, which are not text until they are cleaned. */
bool text_is_wide(const uint8_t *data, size_t size);

/*
 * False: memory is out. *out is NULL if the text is clean as it is; otherwise the caller owns it.
 */
bool text_clean(const void *data, size_t size, char **out, size_t *out_size);

/* ---- the steps ------------------------------------------------------------------------------ */

struct cleaning {
	const char *at;
	size_t size;
	char *own;			/* NULL: nothing had to be changed yet */
	bool memory_out;
	size_t margin;			/* characters of quoting that were removed */
};

/* The text as bytes that may be changed in place, or NULL. */
char *clean_own(struct cleaning *text);
/* Takes bytes from malloc(). */
void clean_replace(struct cleaning *text, char *own, size_t size);

/* Joins the names of processes that contain newlines. */
void clean_names(struct cleaning *text);
void clean_mail(struct cleaning *text);
void clean_bytes(struct cleaning *text);
/* Messages from a journal's records. */
void clean_records(struct cleaning *text);
/* What a log put in front of the lines of a mail. */
void clean_journal(struct cleaning *text);
void clean_lines(struct cleaning *text);
/* The same if all lines have it: it was added last. */
void clean_all_lines(struct cleaning *text);
void clean_wrap(struct cleaning *text);

/* A line without its end; `next` is where the next one begins. */
struct text_line {
	const char *at, *end, *next;
};

/* False at the end of the text. */
static inline bool text_line(const char *at, const char *end, struct text_line *line)
{
	const char *newline;

	if (at >= end)
		return false;
	newline = memchr(at, '\n', (size_t)(end - at));
	*line = (struct text_line){ at, newline ? newline : end, newline ? newline + 1 : end };
	while (line->end > line->at && (line->end[-1] == '\r' || line->end[-1] == ' ' ||
					line->end[-1] == '\t'))
		line->end--;
	return true;
}

/*
 * Base 85 contains no blanks, but everything else that the steps look for: long words are not
 * changed.
 */
#define LONG_WORD 48

bool text_is_dense(const char *at, const char *end);

#endif
