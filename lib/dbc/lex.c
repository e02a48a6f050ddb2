/* SPDX-License-Identifier: MIT */
/* Splits definition text into lines of words, nested by indentation. */
#include "dbc/lex.h"

#include "dbc/build.h"
#include "util/number.h"

#define TAB 8

bool text_is(const char *text, const char *word, size_t length)
{
	return strlen(text) == length && !memcmp(text, word, length);
}

bool word_is(const struct word *word, const char *text)
{
	return word_plain(word) && text_is(text, word->text, word->length);
}

int word_among(const struct word *word, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (texts[i] && word_is(word, texts[i]))
			return (int)i;
	return -1;
}

bool word_number(const struct word *word, uint64_t *value)
{
	return !word->quoted && number_parse(word->text, word->length, value);
}

bool word_part(const struct word *list, char between, struct word *part)
{
	struct word rest = part->text ? word_from(list, (uint32_t)(part->text + part->length + 1 -
								   list->text)) : *list;
	const char *end;

	if (rest.length > list->length)
		return false;
	end = memchr(rest.text, between, rest.length);
	if (end)
		rest.length = (uint32_t)(end - rest.text);
	*part = rest;
	return true;
}

bool word_split(const struct word *word, const char *between, struct word *head, struct word *tail)
{
	const struct word all = *word;
	const char *at = memmem(all.text, all.length, between, strlen(between));

	*head = all;
	if (!at)
		return false;
	head->length = (uint32_t)(at - all.text);
	*tail = word_from(&all, head->length + (uint32_t)strlen(between));
	return true;
}

struct word word_from(const struct word *word, uint32_t skip)
{
	struct word rest = *word;

	rest.text += skip;
	rest.length -= skip;
	rest.column += skip;
	return rest;
}

bool word_option(const struct word *word, const char *key, struct word *value)
{
	size_t length = strlen(key);

	if (word->quoted || word->length <= length || word->text[length] != '=' ||
	    memcmp(word->text, key, length))
		return false;
	*value = word_from(word, (uint32_t)length + 1);
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

	*word = (struct word){ .line = number, .column = (uint32_t)at + 1,
			       .quoted = text[at] == '"' };
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
	struct line line = { .number = number, .parent = NONE, .next = NONE, .child = NONE };
	const size_t first = lex->word_list.count;
	const struct word *last;
	struct word *end;
	struct line *added;
	size_t at = 0;

	for (; at < length && is_blank(text[at]); at++)
		line.indent = text[at] == '\t' ? (line.indent / TAB + 1) * TAB : line.indent + 1;
	while (at < length && text[at] != '#') {
		struct word *word = vec_add(&lex->word_list);

		if (!word)
			return false;
		at = lex_word(b, number, text, at, length, word);
		if (!at) {
			lex->word_list.count = first;
			return true;
		}
		line.count++;
		while (at < length && is_blank(text[at]))
			at++;
	}
	if (!line.count)
		return true;
	end = vec_add(&lex->word_list);
	added = vec_add(&lex->lines);
	if (!end || !added)
		return false;
	last = end - 1;
	*end = (struct word){ "", 0, last->column + last->length, number, false, true };
	*added = line;
	return true;
}

bool lex_text(struct lex *lex, struct build *b, const char *text, size_t size)
{
	uint32_t number = 1;
	const struct word *word;
	uint32_t last;

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
	/* Links each line to its parent: the last line before it with less indentation. */
	word = lex->word_list.items;
	last = NONE;
	for (uint32_t i = 0; i < lex->lines.count; i++) {
		struct line *line = &lex->lines.items[i];
		uint32_t left = NONE;

		line->word = word;
		word += line->count + 1;
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
	return true;
}

void lex_free(struct lex *lex)
{
	vec_free(&lex->word_list);
	vec_free(&lex->lines);
}
