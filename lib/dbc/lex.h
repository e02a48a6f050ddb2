/* SPDX-License-Identifier: MIT */
/*
 * Definition text as a tree of lines of words: indentation is nesting. This file knows no keywords.
 */
#ifndef GSC_LEX_H
#define GSC_LEX_H

#include "util/util.h"

struct word {
	const char *text;		/* not NUL-terminated; a quoted one is without its quotes */
	uint32_t length, column;
	bool quoted;
};

struct line {
	uint32_t number, indent;
	uint32_t first_word, words;
	uint32_t parent, next, child;	/* indexes of lines; NONE */
};

struct lex {
	const char *text;
	size_t size;
	VEC(struct word) word_list;
	VEC(struct line) lines;
};

struct build;

/* Faults become findings of the build; false only on allocation failure. */
bool lex_text(struct lex *lex, struct build *build, const char *text, size_t size);
void lex_free(struct lex *lex);

static inline const struct word *line_word(const struct lex *lex, const struct line *line,
					   uint32_t i)
{
	return i < line->words ? &lex->word_list.items[line->first_word + i] : NULL;
}

bool word_is(const struct word *word, const char *text);

/* The same of a text without an end, which may be a part of a word. */
bool text_is(const char *text, const char *word, size_t length);

/* "a,b,c": the part after this one, from { 0 } on; false: there is none. */
bool word_part(const struct word *list, char between, struct word *part);

/* "key=value": true, with the value as a word of its own. */
bool word_option(const struct word *word, const char *key, struct word *value);

#endif
