/* SPDX-License-Identifier: MIT */
/* `property` and the lines below it: facts about platforms, which the library looks up by name. */
#include "dbc/build.h"

#include <string.h>

static struct b_property *find_property(struct build *b, const struct word *name)
{
	for (unsigned i = 0; i < PROPERTIES; i++)
		if (word_is(name, property_names[i]))
			return &b->properties[i];
	return NULL;
}

/* Gives this value to platforms that have none yet; a property cannot be limited to steppings. */
static void set_value(struct build *b, const struct line *line, struct b_property *p,
		      const struct b_where *where, uint16_t value)
{
	bool any = false;

	if (where->stepped) {
		expected(b, line, NULL,
			 "an on= without steppings: a property applies to whole platforms");
		return;
	}
	for (unsigned i = 0; i < build_platform_count(b); i++)
		if (where->platforms >> i & 1 && !p->value[i]) {
			p->value[i] = value;
			any = true;
		}
	if (!any)
		finding_at(b, "unreachable", line->number, 1,
			   "all platforms of this line already have a value, expected at least one "
			   "without");
}

/* value NUMBER [on=LIST]; the first that applies counts. */
static void parse_value(struct build *b, const struct line *line, struct b_property *p,
			const struct b_where *where)
{
	const struct word *word = line_word(b->lex, line, 1);
	struct b_where own = *where;
	struct word list;
	uint64_t number;

	if (!parse_number(b, line, word, &number))
		return;
	if (!number || number > UINT16_MAX) {
		expected(b, line, word, "a number from 1 to 65535");
		return;
	}
	if (line->words > 2 && !word_option(line_word(b->lex, line, 2), "on", &list))
		expected(b, line, line_word(b->lex, line, 2), "on=");
	else if (line->words > 3)
		expected(b, line, line_word(b->lex, line, 3), "end of line");
	else if (line->words < 3 || parse_where(b, line, &list, &own))
		set_value(b, line, p, &own, (uint16_t)number);
}

/* property NAME [on=LIST] "TEXT": 1 on these platforms, or what the `value` lines below give. */
void parse_property(struct build *b, const struct line *line, struct scope *scope)
{
	const struct word *name = line_word(b->lex, line, 1);
	struct b_property *p, made = { .line = line->number, .origin = scope->origin };
	struct b_where where = scope->where;
	bool values = false, limited = false;
	str_t doc = 0;

	if (b->base) {
		expected(b, line, line_word(b->lex, line, 0),
			 "no properties: only the built-in data defines them");
		return;
	}
	p = name ? find_property(b, name) : NULL;
	if (!p || p->name) {
		expected(b, line, name, p ? "a property that is not defined yet"
					  : "a property that the library asks for");
		return;
	}
	for (uint32_t i = 2; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word list;

		if (word->quoted) {
			made.text = word_string(b, word);
		} else if (word_option(word, "on", &list)) {
			if (!parse_where(b, line, &list, &where))
				return;
			limited = true;
		} else {
			expected(b, line, word, "on= or a \"text\"");
			return;
		}
	}
	if (!made.text)
		expected(b, line, NULL, "a \"text\" that says what it means");
	made.name = build_string(b, name->text, name->length);
	made.file = build_string(b, b->file, strlen(b->file));
	line_each(b->lex, child, line) {
		const struct word *key = line_word(b->lex, child, 0);

		if (word_is(key, "value")) {
			parse_value(b, child, &made, &where);
			values = true;
		} else if (!word_is(key, "origin")) {
			expected(b, child, key, "value or origin");
		}
	}
	parse_doc(b, line, &doc, &made.origin);
	if (!values && limited)
		set_value(b, line, &made, &where, 1);
	else if (!values)
		expected(b, line, NULL, "on=, or `value` lines below");
	*p = made;
}

void check_properties(struct build *b)
{
	const struct b_property *known = NULL;

	for (unsigned i = 0; i < PROPERTIES && !known; i++)
		if (b->properties[i].name)
			known = &b->properties[i];
	for (unsigned i = 0; i < PROPERTIES && known; i++) {
		const struct b_property *p = &b->properties[i];

		if (!p->name)
			finding_in(b, "property", build_text(b, known->file), known->line,
				   "no property \"%s\" in any file, expected one: the library asks "
				   "for it", property_names[i]);
		else if (p->origin == NONE)
			finding_in(b, "origin", build_text(b, p->file), p->line,
				   "property %s has no origin, expected an `origin` line before or "
				   "in it", property_names[i]);
	}
}
