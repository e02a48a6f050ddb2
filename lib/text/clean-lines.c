/* SPDX-License-Identifier: MIT */
/*
 * What mails, diffs, editors and grep put in front of every line. It is removed if a run of lines
 * has the same, one layer after the other; log prefixes stay, because they have times and devices.
 */
#include "text/clean.h"

#include <ctype.h>

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

/* "10:00.0 ": functions in lspci's list are also numbers before a colon. */
static bool is_place(const char *at, const char *end)
{
	return end - at > 2 && isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[1]) &&
	       at[2] == '.';
}

/* "12:", "    12\t", "12 | ", "12. " */
static bool take_number(const char *line, const char *end, struct prefix *prefix)
{
	const char *at = line, *digits;
	uint64_t number = 0;

	while (at < end && (*at == ' ' || *at == '\t') && at - line < INDENT_MOST)
		at++;
	for (digits = at; at < end && at - digits < 9 && isdigit((unsigned char)*at); at++)
		number = number * 10 + (unsigned)(*at - '0');
	if (at == digits || (*digits == '0' && at - digits > 1))
		return false;
	*prefix = (struct prefix){ MARK_NUMBER, (size_t)(at - line), number };
	if (at == end)
		return true;
	if (end - at > 1 && at[0] == ' ' && at[1] == '|')
		at++;
	if (!strchr(":\t|.)", *at) || (*at == ':' && is_place(at + 1, end)))
		return false;
	if (strchr("|.)", *at) && at + 1 < end && at[1] != ' ')
		return false;
	at += 1 + (strchr("|.)", *at) && at + 1 < end);
	prefix->length = (size_t)(at - line);
	return true;
}

/* "dmesg.txt:", "a/kern.log-": what grep prints in front if it searches several files. */
static bool take_file(const char *line, const char *end, struct prefix *prefix)
{
	const char *at = line;
	bool letter = false, named = false;

	for (; at < end && at - line < 80 && (isalnum((unsigned char)*at) ||
					       strchr("._-/~+", *at)); at++) {
		letter |= isalpha((unsigned char)*at) != 0;
		named |= at > line && at + 1 < end && (*at == '.' || *at == '/') &&
			 isalpha((unsigned char)at[1]);
	}
	if (!letter || !named || at == end || *at != ':' || at == line)
		return false;
	*prefix = (struct prefix){ MARK_FILE, (size_t)(at - line) + 1, 0 };
	return true;
}

static struct prefix find_prefix(const char *line, const char *end)
{
	static const struct {
		char c;
		enum mark mark;
	} marks[] = { { '>', MARK_QUOTE }, { '|', MARK_BAR }, { '+', MARK_ADDED } };
	struct prefix prefix = { MARK_NONE, 0, 0 };
	const char *at = line;

	while (at < end && (*at == ' ' || *at == '\t') && at - line < INDENT_MOST)
		at++;
	if (at == end)
		return prefix;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (*at != marks[i].c || (marks[i].mark == MARK_ADDED && at > line))
			continue;
		at++;
		at += at < end && *at == ' ' && marks[i].mark != MARK_ADDED;
		return (struct prefix){ marks[i].mark, (size_t)(at - line), 0 };
	}
	if (take_number(line, end, &prefix) || take_file(line, end, &prefix))
		return prefix;
	return (struct prefix){ MARK_NONE, 0, 0 };
}

/* ---- runs ----------------------------------------------------------------------------------- */

struct run {
	const char *at, *end;		/* of its lines */
	struct prefix first, last;
	size_t lines;
	bool dense;			/* a line of it may be base 85 */
	bool plain;			/* "> ", and a bar alone, are marks wherever they are */
};

static bool goes_on(const struct run *run, const char *line, const struct prefix *prefix)
{
	if (!run->lines)
		return true;
	if (prefix->mark != run->first.mark)
		return false;
	if (prefix->mark == MARK_NUMBER)
		return prefix->number == run->last.number + 1;
	return prefix->mark != MARK_FILE || (prefix->length == run->first.length &&
					     !memcmp(line, run->at, prefix->length));
}

/* "> ", ">> ": base 85 has no blanks. */
static bool is_quote(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	while (at < end && *at == '>')
		at++;
	return at == end || *at == ' ';
}

/* The lines from there on with the same in front; empty ones do not end it. */
static struct run find_run(const char *at, const char *end)
{
	struct run run = { .at = at, .end = at };
	struct text_line line;

	for (; text_line(at, end, &line); at = line.next) {
		struct prefix prefix = find_prefix(line.at, line.end);

		if (line.at == line.end && run.lines && run.first.mark != MARK_NUMBER)
			continue;
		if (prefix.mark == MARK_NONE || !goes_on(&run, line.at, &prefix))
			break;
		/* A number alone is an empty line among numbered ones, and nothing elsewhere. */
		if (!run.lines && prefix.mark == MARK_NUMBER &&
		    prefix.length == (size_t)(line.end - line.at))
			break;
		if (!run.lines)
			run.first = prefix;
		run.last = prefix;
		run.lines++;
		run.dense |= line.end - line.at > LONG_WORD && text_is_dense(line.at, line.end);
		run.plain |= (prefix.mark == MARK_QUOTE && is_quote(line.at, line.end)) ||
			     (prefix.mark == MARK_BAR &&
			      prefix.length == (size_t)(line.end - line.at));
		run.end = line.next;
	}
	return run;
}

static bool is_empty(const char *at, const char *end)
{
	while (at < end && strchr(" \t\r\n", *at))
		at++;
	return at == end;
}

/* All of a text, or enough lines of it. */
static bool is_taken(const struct run *run, const char *start, const char *end)
{
	bool whole;

	if (!run->lines || (run->dense && run->lines < DENSE_RUN && !run->plain))
		return false;
	if (run->plain || run->lines >= RUN_LEAST)
		return true;
	whole = is_empty(start, run->at) && is_empty(run->end, end);
	return whole && (run->first.mark == MARK_NUMBER ? run->first.number == 1 :
						     run->first.mark != MARK_FILE);
}

/* A table has bars at both ends. */
static const char *without_bar(const char *at, const char *end)
{
	if (end - at > 1 && end[-1] == '|' && end[-2] == ' ')
		end -= 2;
	return end;
}

static char *copy(char *out, const char *at, const char *end)
{
	memmove(out, at, (size_t)(end - at));
	return out + (end - at);
}

static char *take_off(char *out, const struct run *run)
{
	struct text_line line;

	for (const char *at = run->at; text_line(at, run->end, &line); at = line.next) {
		size_t length = find_prefix(line.at, line.end).length;
		const char *stop = line.next;

		if (run->first.mark == MARK_BAR && line.end > line.at + length)
			stop = without_bar(line.at + length, line.end);
		out = copy(out, line.at + length, MAX(stop, line.at + length));
		if (stop < line.next && line.next[-1] == '\n')
			*out++ = '\n';
	}
	return out;
}

/* Removes one layer, with `whole` one that all lines have; false: no layer is left. */
static bool clean_layer(struct cleaning *text, bool whole)
{
	const char *start = text->at, *end = start + text->size, *at = start;
	const char *kept = start;	/* what follows from there on is not copied yet */
	char *out = NULL;
	struct text_line line;
	bool quoted = false;

	while (text_line(at, end, &line)) {
		struct run run = find_run(at, end);

		if (whole && (run.at != start || !is_empty(run.end, end)))
			break;
		if (!is_taken(&run, start, end)) {
			at = run.lines && run.first.mark != MARK_NUMBER ? run.end : line.next;
			continue;
		}
		if (!out) {
			ptrdiff_t from = run.at - start, length = run.end - run.at;

			out = clean_own(text);
			if (!out)
				return false;
			run.at = text->at + from;
			run.end = run.at + length;
			start = kept = text->at;
			end = start + text->size;
		}
		quoted |= run.first.mark == MARK_QUOTE;
		out = copy(out, kept, run.at);
		out = take_off(out, &run);
		at = kept = run.end;
	}
	if (!out)
		return false;
	out = copy(out, kept, end);
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
	size_t size = MIN((size_t)(line.end - line.at), (size_t)JOURNAL_FRONT);
	const char *found = memmem(line.at, size, words, strlen(words));
	const char *clock = found ? memchr(line.at, ':', (size_t)(found - line.at)) : NULL;

	if (!clock || clock - line.at < 2 || !isdigit((unsigned char)clock[-1]) ||
	    !isdigit((unsigned char)clock[1]) ||
	    memchr(line.at, '[', (size_t)(found - line.at)))
		return 0;
	found += strlen(words);
	return (size_t)(found + (found < line.next && *found == ' ') - line.at);
}

static bool is_quoted(const char *at, const char *end)
{
	return at < end && *at == '>' && is_quote(at, end);
}

/*
 * A kernel's messages are not empty, and none is quoted: if every line has that, something else,
 * such as a mail, went through a log, and the times are not those of the events.
 */
void clean_journal(struct cleaning *text)
{
	const char *end = text->at + text->size;
	size_t lines = 0, strange = 0;
	struct text_line line;
	char *out;

	for (const char *at = text->at; text_line(at, end, &line); at = line.next) {
		size_t front = journal_front(line);

		if (!front && line.at < line.end)
			return;
		lines += front != 0;
		strange += front && (line.at + front >= line.end ||
				     is_quoted(line.at + front, line.end));
	}
	if (lines < JOURNAL_LEAST || strange < 2 || strange * 16 < lines)
		return;
	out = clean_own(text);
	if (!out)
		return;
	end = text->at + text->size;
	for (const char *at = text->at; text_line(at, end, &line); at = line.next)
		out = copy(out, line.at + journal_front(line), line.next);
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
