/* SPDX-License-Identifier: MIT */
/* Commands, structures, entries and facts about these; instructions; topics; workarounds. */
#include "dbc/build.h"

#include <string.h>

#define MATCHES_MOST 8u	/* patterns of one command */

/* match 31:29=0 28:23=0x22 [on=snb] */
static void parse_match(struct build *b, const struct line *line, struct b_command *c)
{
	words_each(word, line, 1) {
		struct word bits, value;
		unsigned dword, hi, lo;
		uint64_t number, most;

		if (word_option(word, "on", &value)) {
			parse_where(b, &value, &c->where);
			continue;
		}
		if (!word_split(word, "=", &bits, &value)) {
			expected(b, word, "BITS=VALUE");
			continue;
		}
		if (!parse_bits(b, &bits, &dword, &hi, &lo))
			continue;
		most = (UINT64_C(1) << (hi - lo + 1)) - 1;
		if (dword || hi > 31 || !word_number(&value, &number) || number > most) {
			expected(b, word, "bits of dword 0 and a value that fits them");
			continue;
		}
		c->mask |= (uint32_t)(most << lo);
		c->value |= (uint32_t)number << lo;
	}
}

/* expect 3..5 [on=snb] */
static struct b_slice parse_expects(struct build *b, const struct line *item,
				    const struct scope *scope)
{
	struct b_slice slice = { (uint32_t)b->expects.count, 0 };

	line_each_of(b, line, item, "expect") {
		const struct word *word = word_at(line, 1), *on = word_at(line, 2);
		struct b_expect expect = { .where = scope->where };
		struct word first, last, value;
		uint64_t lo, hi;

		if (!word_split(word, "..", &first, &last))
			last = first;
		if (!word_number(&first, &lo) || !word_number(&last, &hi) || !lo || lo > hi ||
		    hi > UINT16_MAX) {
			expected(b, word, "a number of dwords, or a range as 3..5");
			continue;
		}
		expect.lo = (uint32_t)lo;
		expect.hi = (uint32_t)hi;
		if (word_option(on, "on", &value))
			parse_where(b, &value, &expect.where);
		else if (!on->end)
			expected(b, on, "on= or end of line");
		slice.count += build_add(b, expects, expect);
	}
	return slice;
}

/* length 7:0 +2, length 1 */
static void parse_length(struct build *b, const struct line *line, void *record)
{
	const struct word *word = word_at(line, 1), *bias = word_at(line, 2);
	struct b_command *c = record;
	unsigned dword, hi, lo;
	uint64_t number;

	if (memchr(word->text, ':', word->length)) {
		struct word digits = word_from(bias, !bias->end);

		if (!parse_bits(b, word, &dword, &hi, &lo))
			return;
		if (bias->text[0] != '+' || dword || hi > 31 || !word_number(&digits, &number) ||
		    number > UINT16_MAX) {
			expected(b, bias, "the bias of the length, as +2");
			return;
		}
		c->length_kind = LENGTH_FIELD;
		c->length_hi = hi;
		c->length_lo = lo;
	} else if (!parse_bounded(b, word, 1, UINT16_MAX, "a length of 1 to 65535 dwords",
				  &number)) {
		return;
	}
	c->length = (uint32_t)number;
	parse_end(b, word_at(line, c->length_kind == LENGTH_FIELD ? 3 : 2));
}

/* If no platform has any of them: gpu-db which says why. */
static void where_engines(const struct build *b, unsigned engines, struct b_where *where)
{
	uint64_t platforms = 0;

	for (unsigned i = 0; i < build_platform_count(b); i++) {
		const struct b_slice has = build_platform(b, i)->engines;

		for (uint32_t e = 0; e < has.count; e++)
			if (engines >> build_engine(b, has.first + e)->class & 1)
				platforms |= UINT64_C(1) << i;
	}
	if (!(platforms & where->platforms))
		return;
	where->platforms &= platforms;
	where->stepped &= platforms;
}

void parse_command(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = {
		FLAG_OF("privileged", struct b_command, flags, COMMAND_PRIVILEGED), { 0 },
	};
	static const struct below below[] = {
		{ "match", NULL }, { "length", parse_length }, { "expect", NULL },
		{ "field", NULL }, { "repeat", NULL }, { "alias", NULL }, { "doc", NULL },
		{ "note", NULL }, { "origin", NULL },
	};
	struct scope own = *scope;
	struct b_command c = { .line = line->number, .origin = scope->origin };
	const struct word *end = word_at(line, line->count);
	unsigned matches = 0, lengths = 0;

	if (!parse_name(b, line, "the command's name", &c.name))
		return;
	c.file = file_string(b);
	parse_attributes(b, word_at(line, 2), words, &c, &own, "engine=, on= or privileged");
	c.where = own.where;
	c.engines = own.engines;
	line_each_of(b, match, line, "match")
		if (++matches > MATCHES_MOST)
			expected(b, match->word, "no more `match` lines");
	line_each_of(b, length, line, "length")
		lengths++;
	parse_below(b, line, below, ARRAY_SIZE(below), &c);
	if (!matches)
		expected(b, end, "a `match` line below");
	if (!lengths)
		expected(b, end, "a `length` line below");
	if (!c.engines)
		expected(b, end, "engine=");
	parse_doc(b, line, &c.doc, &c.origin);
	c.aliases = parse_aliases(b, line, NULL);
	c.expects = parse_expects(b, line, &own);
	c.fields = parse_fields(b, line, &own, NULL, NULL);
	c.repeats = parse_repeats(b, line, &own, c.fields);
	if (matches > MATCHES_MOST)
		return;
	/* Each `match` makes a separate command, with the same fields. */
	line_each_of(b, match, line, "match") {
		struct b_command one = c;

		parse_match(b, match, &one);
		where_engines(b, one.engines, &one.where);
		build_add(b, commands, one);
	}
}

void parse_struct(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct below below[] = { { "field", NULL }, { "repeat", NULL },
					      { "alias", NULL }, { "doc", NULL }, { "note", NULL },
					      { "origin", NULL } };
	struct { uint32_t bytes, bits; } size = { 0 };
	const struct attribute words[] = {
		NUMBER_OF("bytes", __typeof__(size), bytes, 0, UINT32_MAX),
		NUMBER_OF("bits", __typeof__(size), bits, 0, UINT32_MAX), { 0 },
	};
	struct scope own = *scope;
	struct b_struct s = { .line = line->number, .origin = scope->origin };

	if (!parse_name(b, line, "the structure's name", &s.name))
		return;
	s.file = file_string(b);
	parse_attributes(b, word_at(line, 2), words, &size, &own, "bytes=, bits= or on=");
	s.bytes = size.bytes ? size.bytes : size.bits / 8;
	if (!s.bytes)
		expected(b, word_at(line, line->count), "bytes= or bits=");
	s.where = own.where;
	parse_below(b, line, below, ARRAY_SIZE(below), &s);
	parse_doc(b, line, &s.doc, &s.origin);
	s.aliases = parse_aliases(b, line, NULL);
	s.fields = parse_fields(b, line, &own, NULL, NULL);
	s.repeats = parse_repeats(b, line, &own, s.fields);
	build_add(b, structs, s);
}

/* FIELD, or FIELD=VALUE. */
static void entry_condition(struct build *b, const struct word *word, const struct b_entry *e,
			    uint32_t *index, uint64_t *number)
{
	struct word field, value;
	bool equals = word_split(word, "=", &field, &value);

	*number = 1;
	*index = find_field(b, &field, e->fields);
	if (*index == NONE)
		expected(b, &field, "a field of this entry");
	if (equals && !word_number(&value, number))
		expected(b, word, "FIELD=VALUE");
}

/* leaf always|never|FIELD=VALUE [size=2M] [as=LEVEL] */
static void parse_leaf(struct build *b, const struct line *line, void *record)
{
	static const struct attribute words[] = {
		NUMBER_OF("size", struct b_entry, leaf_size, 0, UINT64_MAX),
		STRING_OF("as", struct b_entry, leaf_as), { 0 },
	};
	static const char *const kinds[] = { [LEAF_NEVER] = "never", [LEAF_ALWAYS] = "always" };
	const struct word *word = word_at(line, 1);
	int kind = word_among(word, kinds, ARRAY_SIZE(kinds));
	struct b_entry *e = record;

	e->leaf_kind = kind < 0 ? LEAF_FIELD : (uint32_t)kind;
	if (kind < 0)
		entry_condition(b, word, e, &e->leaf_field, &e->leaf_value);
	parse_attributes(b, word_at(line, 2), words, e, NULL, "size= or as=");
}

/* next LEVEL [FIELD=VALUE]: the first whose condition holds */
static void parse_next(struct build *b, const struct line *line, void *record)
{
	const struct word *word = word_at(line, 1);
	struct b_entry *e = record;
	struct b_next *next = e->next;

	while (next < e->next + ENTRY_NEXTS && next->level)
		next++;
	if (next == e->next + ENTRY_NEXTS || !word_plain(word)) {
		expected(b, word, "the level that follows, at most three times");
		return;
	}
	next->level = word_string(b, word);
	next->field = NONE;
	if (line->count > 2)
		entry_condition(b, word_at(line, 2), e, &next->field, &next->value);
}

/* index HI:LO [every=N] */
static void parse_index(struct build *b, const struct line *line, void *record)
{
	static const struct attribute words[] = {
		NUMBER_OF("every", struct b_entry, index_every, 1, 512), { 0 },
	};
	struct b_entry *e = record;
	unsigned dword;

	parse_bits(b, word_at(line, 1), &dword, &e->index_hi, &e->index_lo);
	e->index_every = 1;
	parse_attributes(b, word_at(line, 2), words, e, NULL, "every=, from 1 to 512");
}

static void parse_valid(struct build *b, const struct line *line, void *record)
{
	struct b_entry *e = record;

	entry_condition(b, word_at(line, 1), e, &e->valid_field, &e->valid_value);
}

void parse_entry(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = {
		STRING_OF("mode", struct b_entry, modes), STRING_OF("level", struct b_entry, level),
		NUMBER_OF("bits", struct b_entry, bits, 0, 512), { 0 },
	};
	static const struct below below[] = {
		{ "index", parse_index }, { "valid", parse_valid }, { "leaf", parse_leaf },
		{ "next", parse_next }, { "field", NULL }, { "alias", NULL }, { "doc", NULL },
		{ "note", NULL }, { "origin", NULL },
	};
	struct scope own = *scope;
	struct b_entry e = { .line = line->number, .origin = scope->origin, .valid_field = NONE,
			     .leaf_field = NONE };

	if (!parse_name(b, line, "the entry's name", &e.name))
		return;
	e.file = file_string(b);
	parse_attributes(b, word_at(line, 2), words, &e, &own, "mode=, level=, bits= or on=");
	if (!e.modes || !e.level || !e.bits)
		expected(b, word_at(line, line->count), "mode=, level= and bits=");
	e.where = own.where;
	e.fields = parse_fields(b, line, &own, NULL, NULL);
	parse_below(b, line, below, ARRAY_SIZE(below), &e);
	parse_doc(b, line, &e.doc, &e.origin);
	e.aliases = parse_aliases(b, line, NULL);
	build_add(b, entries, e);
}

/* when=FIELD=VALUE[,FIELD!=VALUE] */
static void parse_fact_whens(struct build *b, const struct word *list, struct b_fact *fact)
{
	struct b_when *when = fact->when;

	for (struct word part = { 0 }, field, value; word_part(list, ',', &part); when++) {
		if (when == fact->when + FACT_WHENS ||
		    !split_condition(&part, &field, &value, &when->not) || !field.length ||
		    !listed_values(&value, &when->values)) {
			expected(b, list, "when=FIELD=VALUE or when=FIELD!=VALUE, at most two with "
					  "a comma, with a VALUE below 64 or several as 1|4..7");
			return;
		}
		when->field = build_string(b, field.text, field.length);
	}
}

/* fact mode=MODES [level=LEVELS] [on=] [about=] [when=] "text" */
void parse_fact(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = {
		TEXT_OF(struct b_fact, text), STRING_OF("mode", struct b_fact, modes),
		STRING_OF("level", struct b_fact, levels),
		STRING_OF("when", struct b_fact, condition),
		ONE_WORD_OF("about", struct b_fact, about, about_words), { 0 },
	};
	struct scope own = *scope;
	struct word value;
	struct b_fact fact = { .line = line->number, .origin = scope->origin };

	parse_attributes(b, word_at(line, 1), words, &fact, &own,
			 "mode=, level=, about=, when=, on= or a \"text\"");
	words_each(word, line, 1)
		if (word_option(word, "when", &value))
			parse_fact_whens(b, &value, &fact);
	if (!fact.modes || !fact.text)
		expected(b, word_at(line, line->count), "mode= and a \"text\"");
	fact.file = file_string(b);
	fact.where = own.where;
	build_add(b, facts, fact);
}

/* topic NAME [on=LIST] "text" */
void parse_topic(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = { TEXT_OF(struct b_topic, doc), { 0 } };
	static const struct below below[] = { { "note", NULL }, { "origin", NULL },
					      { "alias", NULL } };
	struct b_topic topic = { .line = line->number, .origin = scope->origin };
	struct scope own = *scope;

	if (!parse_name(b, line, "the topic's name", &topic.name))
		return;
	topic.file = file_string(b);
	parse_attributes(b, word_at(line, 2), words, &topic, &own, "on= or a \"text\"");
	if (!topic.doc)
		expected(b, word_at(line, line->count), "a \"text\"");
	topic.where = own.where;
	parse_below(b, line, below, ARRAY_SIZE(below), &topic);
	parse_doc(b, line, &topic.doc, &topic.origin);
	topic.aliases = parse_aliases(b, line, NULL);
	build_add(b, topics, topic);
}

/*
 * cache NAME "TITLE" kind=WORD [entries=N] [bytes=N] [client=WORD] [level=LEVELS] ...
 * invalidation ITEM[.FIELD[=VALUE]]|"EVENT" by=WORD takes=CACHE|KIND[,...] ...
 * Both: [engine=] [mode=MODES] [on=] ["TEXT"]
 */
void parse_cache(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = {
		ONE_WORD_OF("kind", struct b_cache, kind, cache_words),
		ONE_WORD_OF("by", struct b_cache, kind, cache_words),
		NUMBER_OF("entries", struct b_cache, entries, 1, UINT32_MAX),
		NUMBER_OF("bytes", struct b_cache, bytes, 1, UINT32_MAX),
		STRING_OF("client", struct b_cache, client),
		STRING_OF("mode", struct b_cache, modes),
		STRING_OF("level", struct b_cache, levels),
		STRING_OF("takes", struct b_cache, takes), TEXT_OF(struct b_cache, text), { 0 },
	};
	bool keeps = word_is(line->word, "cache");
	struct scope own = *scope;
	struct b_cache cache = { .name = word_string(b, word_at(line, 1)), .line = line->number,
				 .origin = scope->origin, .kind = CACHE_WORDS,
				 .file = file_string(b) };

	if (keeps && word_at(line, 2)->quoted)
		cache.title = word_string(b, word_at(line, 2));
	parse_attributes(b, word_at(line, keeps ? 3 : 2), words, &cache, &own,
			 "kind= or by=, takes=, entries=, bytes=, engine=, client=, mode=, "
			 "level=, on= or a \"text\"");
	if (!cache.name || !cache.title == keeps || !cache.takes != keeps ||
	    cache.kind == CACHE_WORDS || (cache.kind < CACHE_KINDS) != keeps) {
		expected(b, word_at(line, line->count),
			 keeps ? "a name, a \"title\" and kind=" : "by= and takes=");
		return;
	}
	where_engines(b, own.engines, &own.where);
	cache.where = own.where;
	cache.engines = own.engines;
	cache.instance = own.engine_instance;
	build_add(b, caches, cache);
}

/*
 * workaround NAME[,NAME...] WHEN REGISTER[[INDEX]] mask=N value=N [engine=] [on=] [unchecked]
 * ["only ..."]
 * workaround NAME[,NAME...] other "..." [on=]
 */
void parse_workaround(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = {
		NUMBER_OF("mask", struct b_workaround, mask, 1, UINT64_MAX),
		NUMBER_OF("value", struct b_workaround, value, 0, UINT64_MAX - 1),
		FLAG_OF("unchecked", struct b_workaround, unchecked, 1),
		TEXT_OF(struct b_workaround, doc), { 0 },
	};
	const struct word *names = word_at(line, 1), *when = word_at(line, 2);
	const struct word *target = word_at(line, 3);
	struct b_workaround w = { .value = UINT64_MAX, .line = line->number,
				  .origin = scope->origin,
				  .aliases.first = (uint32_t)b->aliases.count };
	struct b_alias alias = { .where = EVERYWHERE, .c.kind = ITEM_WORKAROUND,
				 .c.item = b->workarounds.count & 0xffffff };
	int which = word_among(when, workaround_words, WORKAROUND_KINDS);
	bool other = which == WORKAROUND_OTHER;
	struct word reg = *target, index = { 0 };
	uint64_t number = UINT16_MAX;
	const size_t findings = b->findings.count;
	struct scope own = *scope;

	if (!word_plain(names) || which < 0) {
		expected(b, word_plain(names) ? when : names,
			 "names, and gt, engine, context, whitelist or other");
		return;
	}
	if (!other && ((word_split(target, "[", &reg, &index) &&
			(!index.length || index.text[--index.length] != ']' ||
			 !word_number(&index, &number) || number >= UINT16_MAX)) ||
		       !is_name(&reg))) {
		expected(b, target, "a register's name, or an element of an array, as FENCE[3]");
		return;
	}
	parse_attributes(b, word_at(line, other ? 3 : 4), words, &w, &own, other
			 ? "a \"text\" or on="
			 : "mask=, value=, engine=, on=, unchecked or an \"only ...\"");
	if (b->findings.count == findings &&
	    (other ? !w.doc || w.mask || w.value != UINT64_MAX
		   : !w.mask || w.value == UINT64_MAX))
		expected(b, word_at(line, line->count),
			 other ? "what the driver does, as \"text\"" : "mask= and value=");
	for (struct word part = { 0 }; word_part(names, ',', &part);) {
		if (!is_name(&part))
			expected(b, &part, "a name");
		alias.c.name = word_string(b, &part);
		if (!w.name)
			w.name = alias.c.name;
		else
			w.aliases.count += build_add(b, aliases, alias);
	}
	w.when = (uint8_t)which;
	if (other)
		w.value = 0;
	else
		w.reg = word_string(b, &reg);
	w.index = (uint16_t)number;
	w.file = file_string(b);
	w.where = own.where;
	w.engines = (uint8_t)own.engines;
	w.instance = own.engine_instance;
	build_add(b, workarounds, w);
}

/*
 * instruction NAME OPCODE [sources=N] [form=WORD] [on=LIST]: of the EUs; the structures EU_* say
 * how their bits are read.
 */
void parse_instruction(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = {
		NUMBER_OF("sources", struct b_instruction, sources, 0, 3),
		{ ATTRIBUTE_ONE_OF, "form", TO_MEMBER(struct b_instruction, form), 0, EU_FORMS,
		  eu_form_words }, { 0 },
	};
	static const struct below below[] = { { "doc", NULL }, { "note", NULL },
					      { "origin", NULL } };
	struct b_instruction in = { .line = line->number, .origin = scope->origin };
	struct scope own = *scope;
	uint64_t number;

	if (!parse_name(b, line, "the instruction's name", &in.name) ||
	    !parse_number(b, word_at(line, 2), &number))
		return;
	in.opcode = (uint32_t)number;
	in.file = file_string(b);
	parse_attributes(b, word_at(line, 3), words, &in, &own, "sources=, form= or on=");
	in.where = own.where;
	parse_below(b, line, below, ARRAY_SIZE(below), &in);
	parse_doc(b, line, &in.doc, &in.origin);
	build_add(b, instructions, in);
}
