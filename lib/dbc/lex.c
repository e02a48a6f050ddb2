/* SPDX-License-Identifier: MIT */
/* Splits definition text into lines of words, nested by indentation. */
#include "dbc/lex.h"

#include "dbc/build.h"

#include <string.h>

#define TAB 8

bool text_is(const char *text, const char *word, size_t length)
{
	return strlen(text) == length && !memcmp(text, word, length);
}

bool word_is(const struct word *word, const char *text)
{
	return word && !word->quoted && text_is(text, word->text, word->length);
}

bool word_part(const struct word *list, char between, struct word *part)
{
	uint32_t at = part->text ? (uint32_t)(part->text + part->length + 1 - list->text) : 0;
	const char *end;

	if (at > list->length)
		return false;
	end = memchr(list->text + at, between, list->length - at);
	*part = (struct word){ list->text + at, end ? (uint32_t)(end - list->text) - at
						    : list->length - at, list->column + at, false };
	return true;
}

bool word_option(const struct word *word, const char *key, struct word *value)
{
	size_t length = strlen(key);

	if (word->quoted || word->length <= length || word->text[length] != '=' ||
	    memcmp(word->text, key, length))
		return false;
	*value = *word;
	value->text += length + 1;
	value->length -= (uint32_t)length + 1;
	value->column += (uint32_t)length + 1;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* One word from text[at..end); returns where it ends, or 0 with a finding. */
static size_t lex_word(struct build *b, uint32_t number, const char *text, size_t at, size_t end,
		       struct word *word)
{
	size_t start = at;

	word->column = (uint32_t)at + 1;
	word->quoted = text[at] == '"';
	if (!word->quoted) {
		while (at < end && !is_blank(text[at]) && text[at] != '"')
			at++;
		word->text = text + start;
		word->length = (uint32_t)(at - start);
		return at;
	}
	for (at++; at < end && text[at] != '"'; at++)
		if (text[at] == '\\' && at + 1 < end)
			at++;
	if (at >= end) {
		finding_at(b, "syntax", number, word->column,
			   "text without an end, expected a closing \"");
		return 0;
	}
	word->text = text + start + 1;
	word->length = (uint32_t)(at - start - 1);
	if (at + 1 < end && !is_blank(text[at + 1])) {
		finding_at(b, "syntax", number, (uint32_t)at + 2,
			   "text goes on after its closing quote, expected a blank");
		return 0;
	}
	return at + 1;
}

static bool lex_line(struct lex *lex, struct build *b, uint32_t number, const char *text,
		     size_t length)
{
	struct line line = { number, 0, (uint32_t)lex->word_list.count, 0, NONE, NONE, NONE };
	size_t at = 0;

	for (; at < length && is_blank(text[at]); at++)
		line.indent = text[at] == '\t' ? (line.indent / TAB + 1) * TAB : line.indent + 1;
	while (at < length && text[at] != '#') {
		struct word *word = vec_add(&lex->word_list);

		if (!word)
			return false;
		at = lex_word(b, number, text, at, length, word);
		if (!at) {
			lex->word_list.count = line.first_word;
			return true;
		}
		line.words++;
		while (at < length && is_blank(text[at]))
			at++;
	}
	if (line.words) {
		struct line *added = vec_add(&lex->lines);

		if (!added)
			return false;
		*added = line;
	}
	return true;
}

/* Links each line to its parent: the last line before it with less indentation. */
static void link_lines(struct lex *lex, struct build *b)
{
	uint32_t last = NONE;		/* its parents are the lines that are still open */

	for (uint32_t i = 0; i < lex->lines.count; i++) {
		struct line *line = &lex->lines.items[i];
		uint32_t left = NONE;

		while (last != NONE && lex->lines.items[last].indent >= line->indent) {
			left = last;
			last = lex->lines.items[last].parent;
		}
		if (left != NONE && lex->lines.items[left].indent != line->indent)
			finding_at(b, "syntax", line->number, line->indent + 1,
				   "indented by %u, expected %u like the line before",
				   line->indent, lex->lines.items[left].indent);
		if (left != NONE)
			lex->lines.items[left].next = i;
		line->parent = last;
		if (last != NONE && left == NONE)
			lex->lines.items[last].child = i;
		last = i;
	}
}

bool lex_text(struct lex *lex, struct build *b, const char *text, size_t size)
{
	uint32_t number = 1;

	memset(lex, 0, sizeof(*lex));
	lex->text = text;
	lex->size = size;
	for (size_t at = 0; at < size; number++) {
		const char *end = memchr(text + at, '\n', size - at);
		size_t length = end ? (size_t)(end - text) - at : size - at;

		if (memchr(text + at, '\0', length))
			finding_at(b, "syntax", number, 1, "a NUL byte, expected text");
		else if (!lex_line(lex, b, number, text + at, length))
			return false;
		at += length + 1;
	}
	link_lines(lex, b);
	return true;
}

void lex_free(struct lex *lex)
{
	vec_free(&lex->word_list);
	vec_free(&lex->lines);
}
