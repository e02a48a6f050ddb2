/* SPDX-License-Identifier: MIT */
/* `instruction`: what the EUs execute. The structures EU_* say how its bits are read. */
#include "dbc/build.h"

#include <string.h>

static void parse_form(struct build *b, const struct line *line, const struct word *word,
		       struct b_instruction *in)
{
	for (uint8_t i = 0; i < EU_FORMS; i++)
		if (word_is(word, eu_form_words[i])) {
			in->form = i;
			return;
		}
	expected(b, line, word,
		 "form= basic, nop, math, three, dpas, send, sends, branch or sync");
}

/* instruction NAME OPCODE [sources=N] [form=WORD] [on=LIST] */
void parse_instruction(struct build *b, const struct line *line, struct scope *scope)
{
	const struct word *name = line_word(b->lex, line, 1);
	struct b_instruction in = { .line = line->number, .origin = scope->origin }, *slot;
	struct scope own = *scope;
	uint64_t number;

	if (!is_name(name)) {
		expected(b, line, name, "the instruction's name");
		return;
	}
	if (!parse_number(b, line, line_word(b->lex, line, 2), &number))
		return;
	in.opcode = (uint32_t)number;
	in.name = build_string(b, name->text, name->length);
	in.file = build_string(b, b->file, strlen(b->file));
	for (uint32_t i = 3; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;

		if (word_option(word, "sources", &value)) {
			if (parse_number(b, line, &value, &number) && number <= 3)
				in.sources = (uint8_t)number;
			else
				expected(b, line, word, "sources= 0 to 3");
		} else if (word_option(word, "form", &value)) {
			parse_form(b, line, &value, &in);
		} else if (!parse_scope_word(b, line, word, &own)) {
			expected(b, line, word, "sources=, form= or on=");
		}
	}
	in.where = own.where;
	line_each(b->lex, child, line) {
		const struct word *key = line_word(b->lex, child, 0);

		if (!word_is(key, "doc") && !word_is(key, "origin"))
			expected(b, child, key, "doc or origin");
	}
	parse_doc(b, line, &in.doc, &in.origin);
	slot = vec_add(&b->instructions);
	if (slot)
		*slot = in;
	else
		b->failed = true;
}
