/* SPDX-License-Identifier: MIT */
/* `print` lines: what drivers call a register in their dumps. */
#include "dbc/build.h"
#include "util/number.h"

#include <string.h>

/* What follows the keys of a line. */
struct print_line {
	struct b_print print;
	struct b_where where;
	bool limited;			/* because of on= */
};

static bool is_place(const struct word *word)
{
	return !word->quoted && (word->text[0] == '@' || word->text[0] == '+');
}

static bool is_key(const struct word *word)
{
	return word->length && (word->quoted || !memchr(word->text, '=', word->length));
}

static void parse_tail(struct build *b, const struct line *line, const struct word *word,
		       struct print_line *p)
{
	struct word value;
	uint64_t offset;

	if (word_option(word, "on", &value)) {
		p->limited = parse_where(b, line, &value, &p->where);
	} else if (p->print.placed || !is_place(word) ||
		   !number_parse(word->text + 1, word->length - 1, &offset) ||
		   offset > UINT32_MAX) {
		expected(b, line, word, "keys of a driver's dump, then perhaps @ADDRESS or "
					"+OFFSET, and on=");
	} else {
		p->print.placed = true;
		p->print.relative = word->text[0] == '+';
		p->print.offset = (uint32_t)offset;
	}
}

static void add_print(struct build *b, const struct b_print *print)
{
	struct b_print *slot = vec_add(&b->prints);

	if (slot)
		*slot = *print;
	else
		b->failed = true;
}

/* print KEY... [@ADDRESS|+OFFSET] [on=LIST] */
static void parse_print(struct build *b, const struct line *line, const struct b_where *whose)
{
	struct print_line p = { .where = EVERYWHERE };
	uint32_t keys = 1;

	while (keys < line->words && is_key(line_word(b->lex, line, keys)) &&
	       !is_place(line_word(b->lex, line, keys)))
		keys++;
	if (keys == 1) {
		expected(b, line, line_word(b->lex, line, 1), "a key that a driver prints");
		return;
	}
	for (uint32_t i = keys; i < line->words; i++)
		parse_tail(b, line, line_word(b->lex, line, i), &p);
	/* A driver may read an address on platforms that have no such register. */
	p.print.where = p.print.placed && p.limited ? p.where : *whose;
	where_narrow(b, line, &p.print.where, &p.where);
	for (uint32_t i = 1; i < keys; i++) {
		const struct word *word = line_word(b->lex, line, i);

		p.print.key = word->quoted ? word_string(b, word)
					   : build_string(b, word->text, word->length);
		add_print(b, &p.print);
	}
}

struct b_slice parse_prints(struct build *b, const struct line *item, const struct b_where *where)
{
	uint32_t first = (uint32_t)b->prints.count;

	line_each(b->lex, child, item)
		if (word_is(line_word(b->lex, child, 0), "print"))
			parse_print(b, child, where);
	return (struct b_slice){ first, (uint32_t)b->prints.count - first };
}
