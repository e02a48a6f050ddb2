/* SPDX-License-Identifier: MIT */
/* Lines and words: quotes as in sh, and nothing else from there. */
#include "sh.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"
#define NESTING_MAX 64
#define TARGET_END BLANKS "=|&^'\"<>!("

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

/* Whether there is a \ before the newline after this many bytes, or before its \r, and not \\. */
static bool is_continued(const char *text, size_t length)
{
	length -= length && text[length - 1] == '\r';
	return length > 1 && text[length - 1] == '\\' && text[length - 2] != '\\';
}

/* The parenthesis that closes this one, in its line; or NULL, and it is an ordinary character. */
static const char *closing(const char *text)
{
	unsigned depth = 0;

	for (size_t i = 0; text[i] && depth < NESTING_MAX; i++) {
		depth += text[i] == '(';
		if (text[i] == ')' && !--depth)
			return text + i;
		if (text[i] == '\n' && !is_continued(text, i))
			return NULL;
	}
	return NULL;
}

const char *past_piece(const char *p)
{
	char quote = *p;

	if (quote == '\\')
		return p[1] && p[1] != '\n' ? p + 2 : p + 1;
	if (quote == '(')
		return closing(p) ? closing(p) + 1 : p + 1;
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
		memcpy(to, from, (size_t)(end - from));
		return to + (end - from);
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
	return ok ? GSC_OK : err_memory(err);
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

size_t comment_start(const char *text)
{
	const char *p = text;

	while (p && *p && !begins_comment(text, p))
		p = past_piece(p);
	return p ? (size_t)(p - text) : strlen(text);
}

/* Text passed to sh unchanged has its own quotes, semicolons and comments. */
static bool is_for_sh(const char *text)
{
	text += strspn(text, BLANKS "-");
	return *text == '!';
}

/* In a text: past the line, including those that a \ at its end adds. */
static size_t whole_line(const char *text)
{
	size_t length = strcspn(text, "\n");

	while (text[length] && is_continued(text, length))
		length += 1 + strcspn(text + length + 1, "\n");
	return length;
}

bool line_continues(const char *text)
{
	size_t length = strlen(text), start = strspn(text, BLANKS);

	return length && text[length - 1] == '\n' && text[start] != '#' &&
	       is_continued(text, length - 1);
}

size_t line_length(const char *text)
{
	size_t whole = whole_line(text);
	const char *p = text, *next;

	if (is_for_sh(text))
		return whole;
	while ((size_t)(p - text) < whole && *p != ';') {
		if (begins_comment(text, p))
			return (size_t)(p - text) + strcspn(p, "\n");
		next = past_piece(p);
		p = next && (size_t)(next - text) <= whole ? next : text + whole;
	}
	return (size_t)(p - text);
}

char *line_copy(const char *text, size_t length)
{
	char *copy = strndup(text, length);

	for (char *p = copy; p && !is_for_sh(copy) && (p = strchr(p, '\n'));) {
		p[-1] = *p = ' ';
		if (p - copy > 1 && p[-2] == '\\')
			p[-2] = ' ';
	}
	return copy;
}

const char *inner_command(const char *text)
{
	for (;;) {
		const struct verb *verb = verb_find(text, strcspn(text, BLANKS));

		if (!verb || (verb->run != repeat_run && verb->run != force_run))
			return text;
		text = past_word(verb->run == repeat_run ? past_word(text) : text);
	}
}

/* "help |=", "help >": about the operator, not an outlet */
static bool asks_operator(const char *text)
{
	const struct verb *verb = verb_find(text, strcspn(text, BLANKS));
	const char *word = past_word(text);

	return verb && verb->run == help_run && *word && !word[strcspn(word, BLANKS)] &&
	       !word[strspn(word, OPERATOR_CHARACTERS)];
}

/* Commands whose operators include | and >. */
static bool is_expression(const char *text, char outlet)
{
	size_t length = verb_length(text);
	const struct verb *verb = verb_find(text, length);

	if (verb)
		return verb->flags & VERB_EXPRESSION || (verb->run == wait_run && outlet == '>');
	return assigns(text, NULL, NULL);
}

static char *trimmed(const char *text, size_t length)
{
	while (length && strchr(BLANKS, text[length - 1]))
		length--;
	return strndup(text, length);
}

/* Where the output is redirected, or the end. */
static const char *find_outlet(const char *text)
{
	const char *inner = inner_command(text), *p = text;

	while (*p && !begins_comment(text, p)) {
		if (!strncmp(p, ">=", 2) || !strncmp(p, "||", 2)) {
			p += 2;
			continue;
		}
		if ((*p == '|' || *p == '>') && !is_expression(inner, *p) && !asks_operator(inner))
			return p;
		p = past_piece(p);
		if (!p)
			return text + strlen(text);
	}
	return p;
}

size_t outlet_at(const char *text)
{
	return (size_t)(find_outlet(text) - text);
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
		return line->target ? GSC_OK : err_memory(err);
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
		return err_memory(err);
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
		status = err_memory(err);
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

bool assigns(const char *text, enum gsc_write_operation *operation, const char **value)
{
	size_t length = strcspn(text, TARGET_END);
	const char *at = text + length + strspn(text + length, BLANKS);

	if (!length || verb_find(text, length))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++) {
		size_t size = strlen(operations[i]);

		if (strncmp(at, operations[i], size) || at[size] == '=')
			continue;
		if (operation)
			*operation = (enum gsc_write_operation)i;
		if (value)
			*value = at + size + strspn(at + size, BLANKS);
		return true;
	}
	return false;
}

bool assignment_read(const char *text, char **target, enum gsc_write_operation *operation,
		     char **value)
{
	const char *after;

	if (!assigns(text, operation, &after))
		return false;
	*target = strndup(text, strcspn(text, TARGET_END));
	*value = strdup(after);
	return true;
}
