/* SPDX-License-Identifier: MIT */
/* The words of a field that say what is at its target. */
#include "dbc/build.h"
#include "util/number.h"

#include <string.h>

static void parse_base(struct build *b, const struct line *line, const struct word *word,
		       struct b_pointer *p)
{
	for (uint8_t i = BASE_NONE + 1; i < BASES; i++)
		if (word_is(word, base_words[i])) {
			p->base = i;
			return;
		}
	expected(b, line, word,
		 "base= with general surface dynamic indirect instruction bindless-surface "
		 "bindless-sampler binding-table or constant");
}

/* N, FIELD or FIELD*N */
static void parse_amount(struct build *b, const struct line *line, const struct word *word,
			 struct b_amount *amount)
{
	const char *star = memchr(word->text, '*', word->length);
	uint32_t length = star ? (uint32_t)(star - word->text) : word->length;
	uint64_t number = 1;

	if (!star && number_parse(word->text, word->length, &number))
		length = 0;
	else if (star && !number_parse(star + 1, word->length - length - 1, &number))
		number = 0;
	if (!number || number > UINT16_MAX || (star && !length)) {
		expected(b, line, word, "a number, FIELD or FIELD*NUMBER");
		return;
	}
	amount->field = length ? build_string(b, word->text, length) : 0;
	amount->number = (uint32_t)number;
}

/* FIELD, FIELD=VALUE or FIELD!=VALUE */
static void parse_if(struct build *b, const struct line *line, const struct word *word,
		     struct b_pointer *p)
{
	const char *equals = memchr(word->text, '=', word->length);
	uint32_t length = equals ? (uint32_t)(equals - word->text) : word->length;

	p->if_not = !equals || (length && word->text[length - 1] == '!');
	if (equals && !number_parse(equals + 1, word->length - length - 1, &p->if_value))
		length = 0;
	length -= equals && p->if_not && length;
	if (!length)
		expected(b, line, word, "if=FIELD, if=FIELD=VALUE or if=FIELD!=VALUE");
	else
		p->if_field = build_string(b, word->text, length);
}

bool parse_pointer_word(struct build *b, const struct line *line, const struct word *word,
			struct b_pointer *p)
{
	struct word value;

	if (word_option(word, "base", &value)) {
		parse_base(b, line, &value, p);
	} else if (word_option(word, "count", &value)) {
		parse_amount(b, line, &value, &p->count);
	} else if (word_option(word, "bytes", &value)) {
		parse_amount(b, line, &value, &p->count);
		p->in_bytes = 1;
	} else if (word_option(word, "most", &value)) {
		parse_amount(b, line, &value, &p->most);
	} else if (word_option(word, "end", &value)) {
		p->end_field = build_string(b, value.text, value.length);
	} else if (word_option(word, "if", &value)) {
		parse_if(b, line, &value, p);
	} else {
		return false;
	}
	return true;
}
