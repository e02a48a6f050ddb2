/* SPDX-License-Identifier: MIT */
/*
 * text/: plain text, without knowledge of GPUs: lines, base 85, times in front of messages, and
 * here: text as its program wrote it, recovered from what mails, terminals, web pages and editors
 * made of it. clean.c: the encoding, the order of the steps, and names of processes. clean-mail.c:
 * quoted-printable and base 64. clean-bytes.c: colours, odd blanks, HTML. clean-lines.c: what
 * precedes each line. clean-records.c: journals as JSON. clean-wrap.c: lines that were broken. A
 * line that was broken keeps its number: joined lines are followed by empty ones. Each step looks
 * first, and text that needs none of them is not copied.
 */
#ifndef GSC_CLEAN_H
#define GSC_CLEAN_H

#include "util/text.h"
#include "util/util.h"

/* What drivers write, as lists of words with `|` between them. */
struct clean_words {
	const char *drivers;		/* that name their device in front of a message */
	const char *begins;		/* other beginnings of messages */
	const char *whole;		/* words that mail does not break */
	const char *names;		/* that the name and the number of a process follow */
};

/* Whether a text begins with a word of a list, "a|b", or is one. */
bool text_is_listed(struct slice text, const char *list, bool whole);
#define text_begins_any(text, list) text_is_listed(text, list, false)
#define text_is_any(text, list) text_is_listed(text, list, true)

/* Bytes of UTF-16, which are not text until they are cleaned. */
bool text_is_wide(const uint8_t *data, size_t size);

/*
 * False: memory is out. *out is NULL if the text is clean as it is; otherwise the caller owns it.
 */
bool text_clean(const struct clean_words *words, const void *data, size_t size, char **out,
		size_t *out_size);

/* ---- the steps ------------------------------------------------------------------------------ */

struct cleaning {
	const struct clean_words *words;
	const char *at;
	size_t size;
	char *own;			/* NULL: nothing had to be changed yet */
	bool memory_out;
	size_t margin;			/* characters of quoting that were removed */
};

static inline struct slice clean_text(const struct cleaning *text)
{
	return slice_of(text->at, text->size);
}

/* The text as bytes that may be changed in place, or NULL. */
char *clean_own(struct cleaning *text);
/* Takes bytes from malloc(). */
void clean_replace(struct cleaning *text, char *own, size_t size);
/* Bytes of the text go to `out`, which is not after them; returns the end of the copy. */
char *clean_copy(char *out, struct slice bytes);

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

struct text_line {
	struct slice text;		/* without blanks at its end */
	const char *next;		/* where the next one begins */
};

/* False at the end of the text. */
static inline bool take_line(struct slice *rest, struct text_line *line)
{
	const char *newline;

	if (rest->at >= rest->end)
		return false;
	newline = slice_char(*rest, '\n');
	line->text = (struct slice){ rest->at, newline ? newline : rest->end };
	line->next = newline ? newline + 1 : rest->end;
	while (line->text.end > line->text.at &&
	       (line->text.end[-1] == '\r' || is_blank(line->text.end[-1])))
		line->text.end--;
	rest->at = line->next;
	return true;
}

/*
 * Base 85 contains no blanks, but everything else that the steps look for: long words are not
 * changed.
 */
#define LONG_WORD 48

bool text_is_dense(struct slice text);

#endif
