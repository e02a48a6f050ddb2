/* SPDX-License-Identifier: MIT */
/*
 * What mails, diffs, editors and grep put in front of every line. It is removed if a run of lines
 * has the same, one layer after the other; log prefixes stay, because they have times and devices.
 */
#include "text/clean.h"

#define LAYERS_MOST 8
#define INDENT_MOST 8			/* in front of a mark */
#define RUN_LEAST 3			/* lines, if the text has more than those of the run */
#define DENSE_RUN 8			/* lines of long words: fewer may begin alike by chance */

enum mark { MARK_NONE, MARK_QUOTE, MARK_BAR, MARK_ADDED, MARK_NUMBER, MARK_FILE };

struct prefix {
	enum mark mark;
	size_t length;
	uint64_t number;		/* MARK_NUMBER: that of the line */
};

static struct slice without_indent(struct slice line)
{
	struct slice indent = slice_first(line, INDENT_MOST);

	take_blanks(&indent);
	return (struct slice){ indent.at, line.end };
}

/* "12:", "    12\t", "12 | ", "12. " */
static bool take_number(struct slice line, struct prefix *prefix)
{
	struct slice at = without_indent(line), digits = slice_first(at, 9), rest;
	uint64_t number;

	digits = take_while(&digits, is_digit);
	if (digits.at == digits.end || !slice_number(digits, &number) ||
	    (*digits.at == '0' && slice_length(digits) > 1))
		return false;
	rest = (struct slice){ digits.end, line.end };
	*prefix = (struct prefix){ MARK_NUMBER, (size_t)(rest.at - line.at), number };
	if (rest.at == rest.end)
		return true;
	if (slice_begins(rest, " |"))
		rest.at++;
	/* "10:00.0 ": functions in lspci's list are also numbers before a colon. */
	if (*rest.at == ':') {
		at = slice_from(rest, 1);
		if (slice_length(at) > 2 && is_hex(at.at[0]) && is_hex(at.at[1]) && at.at[2] == '.')
			return false;
	} else if (*rest.at == '|' || *rest.at == '.' || *rest.at == ')') {
		if (rest.end - rest.at > 1 && rest.at[1] != ' ')
			return false;
		rest.at += rest.end - rest.at > 1;
	} else if (*rest.at != '\t') {
		return false;
	}
	prefix->length = (size_t)(rest.at + 1 - line.at);
	return true;
}

/* "dmesg.txt:", "a/kern.log-": what grep prints in front if it searches several files. */
static bool take_file(struct slice line, struct prefix *prefix)
{
	struct slice name = slice_first(line, 80);
	const char *at = name.at;
	bool letter = false, named = false;

	for (; at < name.end && *at && (is_alphanumeric(*at) || strchr("._-/~+", *at)); at++) {
		letter |= is_letter(*at);
		named |= at > line.at && at + 1 < line.end && (*at == '.' || *at == '/') &&
			 is_letter(at[1]);
	}
	if (!letter || !named || at == line.end || *at != ':')
		return false;
	*prefix = (struct prefix){ MARK_FILE, (size_t)(at - line.at) + 1, 0 };
	return true;
}

static struct prefix find_prefix(struct slice line)
{
	struct prefix prefix = { MARK_NONE, 0, 0 };
	struct slice rest = without_indent(line);

	if (rest.at == rest.end)
		return prefix;
	prefix.mark = *rest.at == '>' ? MARK_QUOTE :
		      *rest.at == '|' ? MARK_BAR :
		      *rest.at == '+' && rest.at == line.at ? MARK_ADDED : MARK_NONE;
	if (prefix.mark) {
		rest.at++;
		if (prefix.mark != MARK_ADDED)
			take_text(&rest, " ");
		prefix.length = (size_t)(rest.at - line.at);
	} else if (!take_number(line, &prefix) && !take_file(line, &prefix)) {
		prefix = (struct prefix){ MARK_NONE, 0, 0 };
	}
	return prefix;
}

/* ---- runs ----------------------------------------------------------------------------------- */

struct run {
	struct slice text;		/* its lines */
	struct prefix first, last;
	size_t lines;
	bool dense;			/* a line of it may be base 85 */
	bool plain;			/* "> ", and a bar alone, are marks wherever they are */
};

/* "> ", ">> ": base 85 has no blanks. */
static bool is_quote(struct slice line)
{
	take_blanks(&line);
	while (take_text(&line, ">"))
		;
	return line.at == line.end || *line.at == ' ';
}

/* The lines from there on with the same in front; empty ones do not end it. */
static struct run find_run(struct slice rest)
{
	struct run run = { .text = { rest.at, rest.at } };
	struct text_line line;

	while (take_line(&rest, &line)) {
		struct prefix prefix = find_prefix(line.text);
		size_t length = slice_length(line.text);

		if (!length && run.lines && run.first.mark != MARK_NUMBER)
			continue;
		if (prefix.mark == MARK_NONE || (run.lines && prefix.mark != run.first.mark) ||
		    (run.lines && prefix.mark == MARK_NUMBER &&
		     prefix.number != run.last.number + 1) ||
		    (run.lines && prefix.mark == MARK_FILE &&
		     (prefix.length != run.first.length ||
		      memcmp(line.text.at, run.text.at, prefix.length))))
			break;
		/* A number alone is an empty line among numbered ones, and nothing elsewhere. */
		if (!run.lines && prefix.mark == MARK_NUMBER && prefix.length == length)
			break;
		if (!run.lines)
			run.first = prefix;
		run.last = prefix;
		run.lines++;
		run.dense |= length > LONG_WORD && text_is_dense(line.text);
		run.plain |= (prefix.mark == MARK_QUOTE && is_quote(line.text)) ||
			     (prefix.mark == MARK_BAR && prefix.length == length);
		run.text.end = line.next;
	}
	return run;
}

static bool is_empty(const char *at, const char *end)
{
	while (at < end && (is_blank(*at) || *at == '\r' || *at == '\n'))
		at++;
	return at == end;
}

static char *take_off(char *out, const struct run *run)
{
	struct slice rest = run->text;
	struct text_line line;

	while (take_line(&rest, &line)) {
		size_t length = find_prefix(line.text).length;
		struct slice kept = { line.text.at + length, line.next };

		/* A table has bars at both ends. */
		if (run->first.mark == MARK_BAR && line.text.end > kept.at) {
			kept.end = line.text.end;
			if (slice_length(kept) > 1 && slice_ends(kept, " |"))
				kept.end -= 2;
		}
		kept.end = MAX(kept.end, kept.at);
		out = clean_copy(out, kept);
		if (kept.end < line.next && line.next[-1] == '\n')
			*out++ = '\n';
	}
	return out;
}

/* Removes one layer, with `whole` one that all lines have; false: no layer is left. */
static bool clean_layer(struct cleaning *text, bool whole)
{
	struct slice all = clean_text(text), rest = all;
	const char *kept = all.at;	/* what follows from there on is not copied yet */
	char *out = NULL;
	struct text_line line;
	bool quoted = false, taken;

	while (rest.at < rest.end) {
		struct run run = find_run(rest);

		if (whole && (run.text.at != all.at || !is_empty(run.text.end, all.end)))
			break;
		/* All of a text, or enough lines of it. */
		taken = run.lines && (!run.dense || run.lines >= DENSE_RUN || run.plain) &&
			(run.plain || run.lines >= RUN_LEAST ||
			 (is_empty(all.at, run.text.at) && is_empty(run.text.end, all.end) &&
			  (run.first.mark == MARK_NUMBER ? run.first.number == 1 :
							   run.first.mark != MARK_FILE)));
		if (!taken) {
			if (run.lines && run.first.mark != MARK_NUMBER)
				rest.at = run.text.end;
			else
				take_line(&rest, &line);
			continue;
		}
		if (!out) {
			size_t from = (size_t)(run.text.at - all.at);

			out = clean_own(text);
			if (!out)
				return false;
			all = clean_text(text);
			kept = all.at;
			run.text = slice_of(kept + from, slice_length(run.text));
		}
		quoted |= run.first.mark == MARK_QUOTE;
		out = clean_copy(out, (struct slice){ kept, run.text.at });
		out = take_off(out, &run);
		kept = run.text.end;
		rest = (struct slice){ kept, all.end };
	}
	if (!out)
		return false;
	out = clean_copy(out, (struct slice){ kept, all.end });
	text->size = (size_t)(out - text->own);
	text->margin += quoted ? 2 : 0;
	return true;
}

/* ---- journals ------------------------------------------------------------------------------- */

#define JOURNAL_LEAST 3			/* lines */
#define JOURNAL_FRONT 100		/* bytes in front of a message */

/* "Nov 03 10:11:12 host kernel: ": its length, or 0. */
static size_t journal_front(struct text_line line)
{
	static const char words[] = " kernel:";
	struct slice front = slice_first(line.text, JOURNAL_FRONT);
	const char *clock;

	front.end = slice_find(front, words);
	clock = front.end ? slice_char(front, ':') : NULL;
	if (!clock || clock - line.text.at < 2 || !is_digit(clock[-1]) || !is_digit(clock[1]) ||
	    slice_char(front, '['))
		return 0;
	front.end += strlen(words);
	return slice_length(front) + slice_begins((struct slice){ front.end, line.next }, " ");
}

/*
 * A kernel's messages are not empty, and none is quoted: if every line has that, something else,
 * such as a mail, went through a log, and the times are not those of the events.
 */
void clean_journal(struct cleaning *text)
{
	struct slice rest = clean_text(text), message;
	size_t lines = 0, strange = 0;
	struct text_line line;
	char *out;

	while (take_line(&rest, &line)) {
		size_t front = journal_front(line);

		message = slice_from(line.text, front);
		if (!front && message.at < message.end)
			return;
		lines += front != 0;
		strange += front && (message.at >= message.end ||
				     (*message.at == '>' && is_quote(message)));
	}
	if (lines < JOURNAL_LEAST || strange < 2 || strange * 16 < lines)
		return;
	out = clean_own(text);
	if (!out)
		return;
	rest = clean_text(text);
	while (take_line(&rest, &line))
		out = clean_copy(out, (struct slice){ line.text.at + journal_front(line),
						      line.next });
	text->size = (size_t)(out - text->own);
}

void clean_lines(struct cleaning *text)
{
	for (unsigned i = 0; i < LAYERS_MOST && clean_layer(text, false); i++)
		;
}

void clean_all_lines(struct cleaning *text)
{
	for (unsigned i = 0; i < LAYERS_MOST && clean_layer(text, true); i++)
		;
}
