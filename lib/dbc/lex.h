/* SPDX-License-Identifier: MIT */
/*
 * Definition text as a tree of lines of words: indentation is nesting. This file knows no keywords.
 */
#ifndef GSC_LEX_H
#define GSC_LEX_H

#include "util/util.h"

struct word {
	const char *text;		/* not NUL-terminated; a quoted one is without its quotes */
	uint32_t length, column, line;
	bool quoted;
	bool end;			/* stands for what is missing behind the last of a line */
};

struct line {
	const struct word *word;	/* one more than `count`: the last is the end */
	uint32_t number, indent, count;
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

/* The end of the line if there are fewer. */
static inline const struct word *word_at(const struct line *line, uint32_t i)
{
	return &line->word[i < line->count ? i : line->count];
}

#define words_each(word, line, from)                                                               \
	for (const struct word *word = word_at(line, from); !word->end; word++)

/* A word that is there, and no "text". */
static inline bool word_plain(const struct word *word)
{
	return !word->end && !word->quoted;
}

bool word_is(const struct word *word, const char *text);
/* Which of these words it is, or -1; some may be NULL. */
int word_among(const struct word *word, const char *const *texts, size_t count);
bool word_number(const struct word *word, uint64_t *value);

/* The same of a text without an end, which may be a part of a word. */
bool text_is(const char *text, const char *word, size_t length);

/* "a,b,c": the part after this one, from { 0 } on; false: there is none. */
bool word_part(const struct word *list, char between, struct word *part);

/* What is before and behind the first of these; false, and all of it is before: there is none. */
bool word_split(const struct word *word, const char *between, struct word *head, struct word *tail);
/* A word without its first letters. */
struct word word_from(const struct word *word, uint32_t skip);

/* "key=value": true, with the value as a word of its own. */
bool word_option(const struct word *word, const char *key, struct word *value);

#endif
