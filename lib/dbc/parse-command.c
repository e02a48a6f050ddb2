/* SPDX-License-Identifier: MIT */
/* Commands, structures, page-table entries and facts about these; instructions of the EUs. */
#include "dbc/build.h"
#include "util/number.h"

#include <string.h>

#define MATCHES_MOST 8u	/* patterns of one command */

static uint32_t ones(unsigned hi, unsigned lo)
{
	return (uint32_t)(((UINT64_C(1) << (hi - lo + 1)) - 1) << lo);
}

/* match 31:29=0 28:23=0x22 [on=snb] */
static void parse_match(struct build *b, const struct line *line, struct b_command *c)
{
	for (uint32_t i = 1; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		const char *equals = memchr(word->text, '=', word->length);
		struct word bits = *word, where;
		unsigned dword, hi, lo;
		uint64_t value;

		if (word_option(word, "on", &where)) {
			parse_where(b, line, &where, &c->where);
			continue;
		}
		if (!equals) {
			expected(b, line, word, "BITS=VALUE");
			continue;
		}
		bits.length = (uint32_t)(equals - word->text);
		if (!parse_bits(b, line, &bits, &dword, &hi, &lo))
			continue;
		if (dword || hi > 31 ||
		    !number_parse(equals + 1, word->length - bits.length - 1, &value) ||
		    value > ones(hi, lo) >> lo) {
			expected(b, line, word, "bits of dword 0 and a value that fits them");
			continue;
		}
		c->mask |= ones(hi, lo);
		c->value |= (uint32_t)value << lo;
	}
}

/* 3, or 3..5 */
static bool parse_span(const struct word *word, uint32_t *lo, uint32_t *hi)
{
	uint32_t first = 0;
	uint64_t a, b;

	while (word && first < word->length && word->text[first] != '.')
		first++;
	if (!word || !number_parse(word->text, first, &a))
		return false;
	b = a;
	if (first < word->length &&
	    (first + 2 >= word->length || word->text[first + 1] != '.' ||
	     !number_parse(word->text + first + 2, word->length - first - 2, &b)))
		return false;
	*lo = (uint32_t)a;
	*hi = (uint32_t)b;
	return a && a <= b && b <= UINT16_MAX;
}

/* expect 3..5 [on=snb] */
static struct b_slice parse_expects(struct build *b, const struct line *item,
				    const struct scope *scope)
{
	struct b_slice slice = { (uint32_t)b->expects.count, 0 };

	line_each(b->lex, child, item) {
		const struct word *word = line_word(b->lex, child, 1);
		struct b_expect expect = { .where = scope->where };
		struct word value;

		if (!word_is(line_word(b->lex, child, 0), "expect"))
			continue;
		if (!parse_span(word, &expect.lo, &expect.hi)) {
			expected(b, child, word, "a number of dwords, or a range as 3..5");
			continue;
		}
		word = line_word(b->lex, child, 2);
		if (word && word_option(word, "on", &value))
			parse_where(b, child, &value, &expect.where);
		else if (word)
			expected(b, child, word, "on= or end of line");
		slice.count += build_add(b, expects, expect);
	}
	return slice;
}

/* length 7:0 +2, length 1 */
static void parse_length(struct build *b, const struct line *line, struct b_command *c)
{
	const struct word *word = line_word(b->lex, line, 1), *bias = line_word(b->lex, line, 2);
	unsigned dword, hi, lo;
	uint32_t next = 2;
	uint64_t number;

	if (word && memchr(word->text, ':', word->length)) {
		if (!parse_bits(b, line, word, &dword, &hi, &lo))
			return;
		if (!bias || bias->text[0] != '+' || dword || hi > 31 ||
		    !number_parse(bias->text + 1, bias->length - 1, &number) ||
		    number > UINT16_MAX) {
			expected(b, line, bias, "the bias of the length, as +2");
			return;
		}
		c->length_kind = LENGTH_FIELD;
		c->length_hi = hi;
		c->length_lo = lo;
		next = 3;
	} else if (!parse_number(b, line, word, &number)) {
		return;
	} else if (!number || number > UINT16_MAX) {
		expected(b, line, word, "a length of 1 to 65535 dwords");
		return;
	}
	c->length = (uint32_t)number;
	if (line_word(b->lex, line, next))
		expected(b, line, line_word(b->lex, line, next), "end of line");
}

/*
 * A platform without any of its engines does not have the command. If no platform has: gpu-db which
 * says why.
 */
static void drop_engineless(const struct build *b, struct b_command *c)
{
	uint64_t platforms = 0;

	for (unsigned i = 0; i < build_platform_count(b); i++) {
		const struct b_slice engines = build_platform(b, i)->engines;
		unsigned classes = 0;

		for (uint32_t e = 0; e < engines.count; e++)
			classes |= 1u << build_engine(b, engines.first + e)->class;
		if (c->engines & classes)
			platforms |= UINT64_C(1) << i;
	}
	if (!(platforms & c->where.platforms))
		return;
	c->where.platforms &= platforms;
	c->where.stepped &= platforms;
}

void parse_command(struct build *b, const struct line *line, struct scope *scope)
{
	struct scope own = *scope;
	struct b_command c = { .line = line->number, .origin = scope->origin };
	unsigned matches = 0;
	bool has_length = false;

	if (!parse_name(b, line, "the command's name", &c.name))
		return;
	c.file = file_string(b);
	for (uint32_t i = 2; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);

		if (word_is(word, "privileged"))
			c.flags |= COMMAND_PRIVILEGED;
		else if (!parse_scope_word(b, line, word, &own))
			expected(b, line, word, "engine=, on= or privileged");
	}
	c.where = own.where;
	c.engines = own.engines;
	line_each(b->lex, child, line) {
		const struct word *key = line_word(b->lex, child, 0);

		if (word_is(key, "match") && ++matches > MATCHES_MOST)
			expected(b, child, key, "no more `match` lines");
		has_length |= word_is(key, "length");
		if (word_is(key, "length"))
			parse_length(b, child, &c);
		else if (!is_field_line(key) && !word_is(key, "match") && !word_is(key, "expect") &&
			 !word_is(key, "repeat") &&
			 !word_is(key, "alias") && !word_is(key, "doc") && !word_is(key, "origin"))
			expected(b, child, key,
				 "match, length, expect, field, mbz, mbo, ignored, repeat, alias, "
				 "doc or origin");
	}
	if (!matches)
		expected(b, line, NULL, "a `match` line below");
	if (!has_length)
		expected(b, line, NULL, "a `length` line below");
	if (!c.engines)
		expected(b, line, NULL, "engine=");
	parse_doc(b, line, &c.doc, &c.origin);
	c.aliases = parse_aliases(b, line, NULL);
	c.expects = parse_expects(b, line, &own);
	c.fields = parse_fields(b, line, &own, NULL, NULL);
	c.repeats = parse_repeats(b, line, &own, c.fields);
	if (matches > MATCHES_MOST)
		return;
	/* Each `match` makes a separate command, with the same fields. */
	line_each(b->lex, child, line) {
		struct b_command one = c;

		if (!word_is(line_word(b->lex, child, 0), "match"))
			continue;
		parse_match(b, child, &one);
		drop_engineless(b, &one);
		build_add(b, commands, one);
	}
}

void parse_struct(struct build *b, const struct line *line, struct scope *scope)
{
	static const char *const lines[] = { "field", "repeat", "alias", NULL };
	struct scope own = *scope;
	struct b_struct s = { .line = line->number, .origin = scope->origin };

	if (!parse_name(b, line, "the structure's name", &s.name))
		return;
	s.file = file_string(b);
	for (uint32_t i = 2; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;
		uint64_t number;

		if (word_option(word, "bytes", &value) || word_option(word, "bits", &value)) {
			if (parse_number(b, line, &value, &number) && number <= UINT32_MAX)
				s.bytes = (uint32_t)(word->text[1] == 'i' ? number / 8 : number);
		} else if (!parse_scope_word(b, line, word, &own)) {
			expected(b, line, word, "bytes=, bits= or on=");
		}
	}
	if (!s.bytes)
		expected(b, line, NULL, "bytes= or bits=");
	s.where = own.where;
	only_lines(b, line, lines, "field, mbz, mbo, ignored, repeat, alias, doc or origin");
	parse_doc(b, line, &s.doc, &s.origin);
	s.aliases = parse_aliases(b, line, NULL);
	s.fields = parse_fields(b, line, &own, NULL, NULL);
	s.repeats = parse_repeats(b, line, &own, s.fields);
	build_add(b, structs, s);
}

/* FIELD, or FIELD=VALUE. */
static void entry_condition(struct build *b, const struct line *line, const struct word *word,
			    const struct b_entry *e, uint32_t *index, uint64_t *number)
{
	const char *equals = word ? memchr(word->text, '=', word->length) : NULL;
	struct word field = word ? *word : (struct word){ 0 };

	*number = 1;
	if (equals)
		field.length = (uint32_t)(equals - word->text);
	*index = word ? find_field(b, &field, e->fields) : NONE;
	if (*index == NONE)
		expected(b, line, word ? &field : NULL, "a field of this entry");
	if (equals && !number_parse(equals + 1, word->length - field.length - 1, number))
		expected(b, line, word, "FIELD=VALUE");
}

/* leaf always|never|FIELD=VALUE [size=2M] [as=LEVEL] */
static void parse_leaf(struct build *b, const struct line *line, struct b_entry *e)
{
	const struct word *word = line_word(b->lex, line, 1);

	if (word_is(word, "always")) {
		e->leaf_kind = LEAF_ALWAYS;
	} else if (word_is(word, "never")) {
		e->leaf_kind = LEAF_NEVER;
	} else {
		e->leaf_kind = LEAF_FIELD;
		entry_condition(b, line, word, e, &e->leaf_field, &e->leaf_value);
	}
	for (uint32_t i = 2; i < line->words; i++) {
		struct word value;

		word = line_word(b->lex, line, i);
		if (word_option(word, "size", &value))
			parse_number(b, line, &value, &e->leaf_size);
		else if (word_option(word, "as", &value))
			e->leaf_as = word_string(b, &value);
		else
			expected(b, line, word, "size= or as=");
	}
}

/* next LEVEL [FIELD=VALUE]: the first whose condition holds */
static void parse_next(struct build *b, const struct line *line, struct b_entry *e)
{
	const struct word *word = line_word(b->lex, line, 1);
	struct b_next *next = e->next;

	while (next < e->next + ENTRY_NEXTS && next->level)
		next++;
	if (next == e->next + ENTRY_NEXTS || !word || word->quoted) {
		expected(b, line, word, "the level that follows, at most three times");
		return;
	}
	next->level = word_string(b, word);
	next->field = NONE;
	if (line->words > 2)
		entry_condition(b, line, line_word(b->lex, line, 2), e, &next->field, &next->value);
}

/* index HI:LO [every=N] */
static void parse_index(struct build *b, const struct line *line, struct b_entry *e)
{
	const struct word *every = line_word(b->lex, line, 2);
	struct word value;
	uint64_t number = 1;
	unsigned dword;

	parse_bits(b, line, line_word(b->lex, line, 1), &dword, &e->index_hi, &e->index_lo);
	if (every && (!word_option(every, "every", &value) ||
		      (parse_number(b, line, &value, &number) && (!number || number > 512))))
		expected(b, line, every, "every=, from 1 to 512");
	e->index_every = (uint32_t)number;
}

static void parse_entry_line(struct build *b, const struct line *line, struct b_entry *e)
{
	const struct word *key = line_word(b->lex, line, 0), *word = line_word(b->lex, line, 1);

	if (word_is(key, "index")) {
		parse_index(b, line, e);
	} else if (word_is(key, "valid")) {
		entry_condition(b, line, word, e, &e->valid_field, &e->valid_value);
	} else if (word_is(key, "leaf")) {
		parse_leaf(b, line, e);
	} else if (word_is(key, "next")) {
		parse_next(b, line, e);
	} else if (!is_field_line(key) && !word_is(key, "alias") && !word_is(key, "doc") &&
		   !word_is(key, "origin")) {
		expected(b, line, key,
			 "index, valid, leaf, next, field, mbz, mbo, ignored, alias, doc or "
			 "origin");
	}
}

void parse_entry(struct build *b, const struct line *line, struct scope *scope)
{
	struct scope own = *scope;
	struct b_entry e = { .line = line->number, .origin = scope->origin, .valid_field = NONE,
			     .leaf_field = NONE };

	if (!parse_name(b, line, "the entry's name", &e.name))
		return;
	e.file = file_string(b);
	for (uint32_t i = 2; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;
		uint64_t number;

		if (word_option(word, "mode", &value))
			e.modes = word_string(b, &value);
		else if (word_option(word, "level", &value))
			e.level = word_string(b, &value);
		else if (word_option(word, "bits", &value)) {
			if (parse_number(b, line, &value, &number) && number <= 512)
				e.bits = (uint32_t)number;
		} else if (!parse_scope_word(b, line, word, &own)) {
			expected(b, line, word, "mode=, level=, bits= or on=");
		}
	}
	if (!e.modes || !e.level || !e.bits)
		expected(b, line, NULL, "mode=, level= and bits=");
	e.where = own.where;
	e.fields = parse_fields(b, line, &own, NULL, NULL);
	line_each(b->lex, child, line)
		parse_entry_line(b, child, &e);
	parse_doc(b, line, &e.doc, &e.origin);
	e.aliases = parse_aliases(b, line, NULL);
	build_add(b, entries, e);
}

/* fact mode=MODES [level=LEVELS] [on=] "text" */
void parse_fact(struct build *b, const struct line *line, struct scope *scope)
{
	struct scope own = *scope;
	struct b_fact fact = { .line = line->number, .origin = scope->origin };

	for (uint32_t i = 1; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;

		if (word->quoted)
			fact.text = word_string(b, word);
		else if (word_option(word, "mode", &value))
			fact.modes = word_string(b, &value);
		else if (word_option(word, "level", &value))
			fact.levels = word_string(b, &value);
		else if (!parse_scope_word(b, line, word, &own))
			expected(b, line, word, "mode=, level=, on= or a \"text\"");
	}
	if (!fact.modes || !fact.text)
		expected(b, line, NULL, "mode= and a \"text\"");
	fact.file = file_string(b);
	fact.where = own.where;
	build_add(b, facts, fact);
}

/* ---- instructions of the EUs: the structures EU_* say how their bits are read ---------------- */

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
	static const char *const lines[] = { NULL };
	struct b_instruction in = { .line = line->number, .origin = scope->origin };
	struct scope own = *scope;
	uint64_t number;

	if (!parse_name(b, line, "the instruction's name", &in.name))
		return;
	if (!parse_number(b, line, line_word(b->lex, line, 2), &number))
		return;
	in.opcode = (uint32_t)number;
	in.file = file_string(b);
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
	only_lines(b, line, lines, "doc or origin");
	parse_doc(b, line, &in.doc, &in.origin);
	build_add(b, instructions, in);
}
