/* SPDX-License-Identifier: MIT */
/* Lines and words: quotes as in sh, and nothing else of it. */
#include "sh.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"

/* ---- words ---------------------------------------------------------------------------------- */

void words_free(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i]);
	free(words->items);
	*words = (struct words){ 0 };
}

bool words_add(struct words *words, const char *text, size_t length)
{
	char **grown = realloc(words->items, (words->count + 2) * sizeof(*grown));

	if (!grown)
		return false;
	words->items = grown;
	grown[words->count] = strndup(text, length);
	if (!grown[words->count])
		return false;
	grown[++words->count] = NULL;
	return true;
}

/* Past a quoted stretch or one plain character; NULL: the quote has no end. */
static const char *past_piece(const char *p)
{
	char quote = *p;

	if (quote == '\\')
		return p[1] && p[1] != '\n' ? p + 2 : p + 1;
	if (quote != '\'' && quote != '"')
		return p + 1;
	for (p++; *p && *p != quote; p++)
		if (quote == '"' && *p == '\\' && p[1])
			p++;
	return *p ? p + 1 : NULL;
}

/* Takes one piece of a word without its quotes; `to` has room. */
static char *put_piece(char *to, const char *from, const char *end)
{
	char quote = *from;

	if (quote == '\\') {
		if (end - from > 1)
			*to++ = from[1];
		return to;
	}
	if (quote != '\'' && quote != '"') {
		*to++ = *from;
		return to;
	}
	for (from++, end--; from < end; from++) {
		if (quote == '"' && *from == '\\' && (from[1] == '"' || from[1] == '\\'))
			from++;
		*to++ = *from;
	}
	return to;
}

enum gsc_status words_split(struct words *words, const char *text, struct gsc_error *err)
{
	char *word = malloc(strlen(text) + 1), *to;
	bool ok = word;

	*words = (struct words){ 0 };
	for (text += strspn(text, BLANKS); ok && *text; text += strspn(text, BLANKS)) {
		for (to = word; *text && !strchr(BLANKS, *text);) {
			const char *end = past_piece(text);

			if (!end) {
				free(word);
				return usage_error(err, text, "a quote without an end");
			}
			to = put_piece(to, text, end);
			text = end;
		}
		ok = words_add(words, word, (size_t)(to - word));
	}
	free(word);
	return ok ? GSC_OK : memory_error(err);
}

const char *past_word(const char *text)
{
	text += strspn(text, BLANKS);
	text += strcspn(text, BLANKS);
	return text + strspn(text, BLANKS);
}

/* ---- commands of a line --------------------------------------------------------------------- */

static bool begins_comment(const char *text, const char *p)
{
	return *p == '#' && (p == text || strchr(BLANKS ";", p[-1]));
}

/* What goes to sh as it stands has its own quotes, semicolons and comments. */
static bool is_for_sh(const char *text)
{
	text += strspn(text, BLANKS "-");
	return *text == '!';
}

size_t line_length(const char *text)
{
	size_t whole = strcspn(text, "\n");
	const char *p = text, *next;

	if (is_for_sh(text))
		return whole;
	while ((size_t)(p - text) < whole && *p != ';') {
		if (begins_comment(text, p))
			return whole;
		next = past_piece(p);
		p = next && (size_t)(next - text) <= whole ? next : text + whole;
	}
	return (size_t)(p - text);
}

/* The verb that a command comes down to: that of what is repeated. */
static bool is_verb(const char *text, const char *verb)
{
	size_t length = strcspn(text, BLANKS);

	while (length == 6 && !memcmp(text, "repeat", 6)) {
		text = past_word(past_word(text));
		length = strcspn(text, BLANKS);
	}
	return length == strlen(verb) && !memcmp(text, verb, length);
}

/* "NAME |= V" is a write. */
static bool is_or(const char *text, const char *bar)
{
	size_t word = strcspn(text, BLANKS "|");

	return bar[1] == '=' && !verb_find(text, word) &&
	       text + word + strspn(text + word, BLANKS) == bar;
}

static char *trimmed(const char *text, size_t length)
{
	while (length && strchr(BLANKS, text[length - 1]))
		length--;
	return strndup(text, length);
}

/* Where the output goes elsewhere, or the end. */
static const char *find_outlet(const char *text)
{
	bool compares = is_verb(text, "wait");
	const char *p = text;

	while (*p && !begins_comment(text, p)) {
		if (*p == '|' && !is_or(text, p))
			return p;
		if (*p == '>' && !compares)
			return p;
		p = past_piece(p);
		if (!p)
			return text + strlen(text);
	}
	return p;
}

static enum gsc_status read_outlet(struct line *line, const char *at, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status;

	line->outlet = *at == '|' ? OUTLET_PIPE : at[1] == '>' ? OUTLET_APPEND : OUTLET_FILE;
	at += line->outlet == OUTLET_APPEND ? 2 : 1;
	at += strspn(at, BLANKS);
	if (line->outlet == OUTLET_PIPE) {
		if (!*at)
			return usage_error(err, "|", "expected a command after it");
		line->target = strdup(at);
		return line->target ? GSC_OK : memory_error(err);
	}
	status = words_split(&words, at, err);
	if (!status && words.count != 1)
		status = usage_error(err, ">", "expected one file after it");
	if (!status) {
		line->target = words.items[0];
		words.items[0] = NULL;
	}
	words_free(&words);
	return status;
}

enum gsc_status line_read(struct line *line, const char *text, size_t length,
			  struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	char *copy = strndup(text, length);
	const char *start = copy, *outlet;

	*line = (struct line){ 0 };
	if (!copy)
		return memory_error(err);
	start += strspn(start, BLANKS "\r");
	if (*start == '-') {
		line->ignore = true;
		start++;
		start += strspn(start, BLANKS);
	}
	copy[strcspn(copy, "\r")] = 0;
	outlet = is_for_sh(start) ? start + strlen(start) : find_outlet(start);
	line->text = trimmed(start, (size_t)(outlet - start));
	if (!line->text)
		status = memory_error(err);
	else if (*outlet == '|' || *outlet == '>')
		status = read_outlet(line, outlet, err);
	free(copy);
	return status;
}

void line_free(struct line *line)
{
	free(line->text);
	free(line->target);
}

/* ---- assignments ---------------------------------------------------------------------------- */

static const char *const operations[] = { [GSC_WRITE_SET] = "=", [GSC_WRITE_OR] = "|=",
					  [GSC_WRITE_AND] = "&=", [GSC_WRITE_XOR] = "^=" };

const char *operation_word(enum gsc_write_operation operation)
{
	return operations[operation];
}

bool assignment_read(const char *text, char **target, enum gsc_write_operation *operation,
		     char **value)
{
	size_t length = strcspn(text, BLANKS "=|&^'\"<>!");
	const char *at = text + length + strspn(text + length, BLANKS);

	for (size_t i = 0; length && i < ARRAY_SIZE(operations); i++) {
		size_t size = strlen(operations[i]);

		if (strncmp(at, operations[i], size) || at[size] == '=')
			continue;
		at += size;
		*target = strndup(text, length);
		*operation = (enum gsc_write_operation)i;
		*value = strdup(at + strspn(at, BLANKS));
		return true;
	}
	return false;
}
