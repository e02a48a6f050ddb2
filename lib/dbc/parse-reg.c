/* SPDX-License-Identifier: MIT */
/* Registers: their addresses, hazards, keys in dumps and name lists; and address ranges. */
#include "dbc/build.h"
#include "util/number.h"

#include <string.h>

#define LISTS_MAX 3
#define NAME_MAX_LENGTH 120
#define ARRAY_MAX 4096
#define STEPS_MAX 32

/* Where the elements of a list are: evenly spaced, or each at its own address. */
struct steps {
	uint32_t every;
	uint32_t at[STEPS_MAX], count;	/* count 0: evenly */
};

/* A register line as written, before its name lists are expanded. */
struct reg_line {
	struct b_reg reg;
	struct b_place place;
	bool has_place, has_at;
	struct scope scope;
	struct steps strides[LISTS_MAX + 1];
	uint32_t stride_count;
	uint32_t array;
};

/* The words of an address: @0x2030, +0x30. */
static bool parse_place_word(struct build *b, const struct line *line, const struct word *word,
			     struct b_place *place)
{
	uint64_t offset;

	if (word->quoted || (word->text[0] != '@' && word->text[0] != '+'))
		return false;
	if (!number_parse(word->text + 1, word->length - 1, &offset) || offset > UINT32_MAX)
		expected(b, line, word, "an address after @, or an offset after +");
	place->c.offset = (uint32_t)offset;
	place->c.relative = word->text[0] == '+';
	return true;
}

/* 0x1000, or what is added for each element: 0:0x100:0x300 */
static bool parse_steps(const struct word *word, struct steps *steps)
{
	uint64_t number;

	*steps = (struct steps){ 0 };
	if (number_parse(word->text, word->length, &number) && number <= UINT32_MAX) {
		steps->every = (uint32_t)number;
		return true;
	}
	for (struct word part = { 0 }; word_part(word, ':', &part);) {
		if (steps->count == STEPS_MAX || !number_parse(part.text, part.length, &number) ||
		    number > UINT32_MAX)
			return false;
		steps->at[steps->count++] = (uint32_t)number;
	}
	return steps->count > 1;
}

static void parse_strides(struct build *b, const struct line *line, const struct word *word,
			  struct reg_line *r)
{
	r->stride_count = 0;
	for (struct word part = { 0 }; word_part(word, ',', &part); r->stride_count++)
		if (r->stride_count > LISTS_MAX ||
		    !parse_steps(&part, &r->strides[r->stride_count])) {
			expected(b, line, word,
				 "a stride or the places 0:0x100:0x300 of the elements, one for "
				 "each list of the name");
			return;
		}
}

/* The stride of an array is the last one. */
static uint32_t array_stride(const struct reg_line *r)
{
	return r->stride_count ? r->strides[r->stride_count - 1].every : 0;
}

/* A width, or what a register is like. */
static bool parse_reg_flag(const struct word *word, struct b_reg *reg)
{
	static const struct { const char *word; uint16_t flag; uint8_t bits; } flags[] = {
		{ "volatile", GSC_REG_VOLATILE, 0 },
		{ "multicast", GSC_REG_MULTICAST, 0 },
		{ "overlay", REG_OVERLAY, 0 },
		{ "8", 0, 8 }, { "16", 0, 16 }, { "32", 0, 32 }, { "64", 0, 64 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (word_is(word, flags[i].word)) {
			reg->traits.flags |= flags[i].flag;
			reg->traits.bits = flags[i].bits ? flags[i].bits : reg->traits.bits;
			return true;
		}
	return false;
}

static void parse_reg_word(struct build *b, const struct line *line, const struct word *word,
			   struct reg_line *r)
{
	struct word value;

	if (parse_place_word(b, line, word, &r->place)) {
		r->has_place = true;
	} else if (word_option(word, "stride", &value)) {
		parse_strides(b, line, &value, r);
	} else if (word_option(word, "reset", &value)) {
		if (parse_number(b, line, &value, &r->reg.traits.reset)) {
			r->reg.traits.flags |= GSC_REG_HAS_RESET;
			if (!r->reg.traits.reset_mask)
				r->reg.traits.reset_mask = UINT64_MAX;
		}
	} else if (word_option(word, "resetmask", &value)) {
		parse_number(b, line, &value, &r->reg.traits.reset_mask);
	} else if (access_bit(word)) {
		r->reg.traits.access |= (uint8_t)access_bit(word);
	} else if (!parse_reg_flag(word, &r->reg) &&
		   !parse_scope_word(b, line, word, &r->scope)) {
		expected(b, line, word,
			 "@ADDRESS, +OFFSET, 8|16|32|64, ro rw wo w1c rc masked sticky, volatile, "
			 "multicast, overlay, on= engine= space= stride= reset= resetmask=");
	}
}

static void place_from_scope(struct b_place *place, const struct scope *scope)
{
	place->where = scope->where;
	place->c.engines = scope->engines;
	place->c.instance = scope->engine_instance;
	place->c.space = scope->space;
}

static void add_place(struct build *b, const struct line *line, const struct b_place *place)
{
	if (place->c.relative && !place->c.engines) {
		expected(b, line, line_word(b->lex, line, 0),
			 "engine= with an offset that is relative to one");
		return;
	}
	build_add(b, places, *place);
}

/* run=8:0x1000: after every 8 elements, the next ones are 0x1000 from where those began */
static void parse_run(struct build *b, const struct line *line, const struct word *word,
		      struct b_place *place)
{
	struct steps run;

	if (!parse_steps(word, &run) || run.count != 2 || !run.at[0] ||
	    run.at[0] > UINT8_MAX || run.at[1] >= 1u << 24) {
		expected(b, line, word, "elements of a run and bytes to the next, as run=8:0x1000");
		return;
	}
	place->c.run = run.at[0];
	place->c.run_stride = run.at[1];
}

/* at PLACE [on=] [engine=] [space=] [count=] [stride=] [run=] */
static void parse_at(struct build *b, const struct line *line, const struct reg_line *r)
{
	struct scope scope = r->scope;
	struct b_place place = { .c = { .count = (uint16_t)r->array,
					.stride = array_stride(r) } };
	bool has_place = false;
	uint64_t number;

	for (uint32_t i = 1; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;

		if (parse_place_word(b, line, word, &place)) {
			has_place = true;
		} else if (word_option(word, "count", &value)) {
			if (parse_number(b, line, &value, &number) && number && number <= ARRAY_MAX)
				place.c.count = (uint32_t)number;
		} else if (word_option(word, "stride", &value)) {
			if (parse_number(b, line, &value, &number))
				place.c.stride = (uint32_t)number;
		} else if (word_option(word, "run", &value)) {
			parse_run(b, line, &value, &place);
		} else if (!parse_scope_word(b, line, word, &scope)) {
			expected(b, line, word,
				 "@ADDRESS, +OFFSET, on= engine= space= count= stride= or run=");
		}
	}
	if (!has_place)
		expected(b, line, NULL, "@ADDRESS or +OFFSET");
	place_from_scope(&place, &scope);
	add_place(b, line, &place);
}

static void parse_places(struct build *b, const struct line *line, struct reg_line *r)
{
	uint32_t first = (uint32_t)b->places.count;

	if (r->has_place) {
		place_from_scope(&r->place, &r->scope);
		r->place.c.count = r->array;
		r->place.c.stride = array_stride(r);
		add_place(b, line, &r->place);
	}
	line_each(b->lex, child, line)
		if (word_is(line_word(b->lex, child, 0), "at")) {
			parse_at(b, child, r);
			r->has_at = true;
		}
	r->reg.places = (struct b_slice){ first, (uint32_t)b->places.count - first };
	if (!r->has_place && !r->has_at)
		expected(b, line, NULL, "@ADDRESS, +OFFSET or an `at` line below");
}

/* "bits=31", "bits=11:10": the bits concerned, if not the whole register. */
static bool parse_hazard_bits(struct build *b, const struct line *line, const struct word *word,
			      struct b_hazard *hazard)
{
	unsigned dword, hi, lo;

	if (!parse_bits(b, line, word, &dword, &hi, &lo))
		return false;
	if (hazard->flag != GSC_REG_HAZARD_WRITE || dword || hi > 63) {
		expected(b, line, word, "bits=63:0 or less, of a write");
		return false;
	}
	hazard->bits = UINT64_MAX >> (63 - (hi - lo)) << lo;
	return true;
}

static void parse_hazard(struct build *b, const struct line *line, const struct scope *scope)
{
	static const struct { const char *word; uint32_t flag; } kinds[] = {
		{ "read", GSC_REG_HAZARD_READ },
		{ "hang", GSC_REG_HAZARD_HANG },
		{ "write", GSC_REG_HAZARD_WRITE },
	};
	const struct word *kind = line_word(b->lex, line, 1);
	struct b_hazard hazard = { .where = scope->where };
	uint32_t at = 2;
	struct word value;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (word_is(kind, kinds[i].word))
			hazard.flag = kinds[i].flag;
	if (!hazard.flag) {
		expected(b, line, kind, "read, hang or write");
		return;
	}
	if (line_word(b->lex, line, at) && word_option(line_word(b->lex, line, at), "on", &value)) {
		parse_where(b, line, &value, &hazard.where);
		at++;
	}
	if (line_word(b->lex, line, at) &&
	    word_option(line_word(b->lex, line, at), "bits", &value)) {
		if (!parse_hazard_bits(b, line, &value, &hazard))
			return;
		at++;
	}
	if (!line_word(b->lex, line, at) || !line_word(b->lex, line, at)->quoted) {
		expected(b, line, line_word(b->lex, line, at), "a \"reason\"");
		return;
	}
	hazard.why = word_string(b, line_word(b->lex, line, at));
	build_add(b, hazards, hazard);
}

/* ---- what drivers print ---------------------------------------------------------------------- */

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
	} else if (p->print.c.placed || !is_place(word) ||
		   !number_parse(word->text + 1, word->length - 1, &offset) ||
		   offset > UINT32_MAX) {
		expected(b, line, word, "keys of a driver's dump, then perhaps @ADDRESS or "
					"+OFFSET, and on=");
	} else {
		p->print.c.placed = true;
		p->print.c.relative = word->text[0] == '+';
		p->print.c.offset = (uint32_t)offset;
	}
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
	p.print.where = p.print.c.placed && p.limited ? p.where : *whose;
	where_narrow(b, line, &p.print.where, &p.where);
	for (uint32_t i = 1; i < keys; i++) {
		p.print.c.key = word_string(b, line_word(b->lex, line, i));
		build_add(b, prints, p.print);
	}
}

/* ---- lists in names ------------------------------------------------------------------------- */

/* Splits "PLANE_{A,B}_CTL" into pieces: the next list in text, or false. */
struct name_list {
	const char *open, *close;
};

static bool next_list(const char *text, const char *end, struct name_list *list)
{
	list->open = memchr(text, '{', (size_t)(end - text));
	list->close = list->open ? memchr(list->open, '}', (size_t)(end - list->open)) : NULL;
	return list->close;
}

/* Which element of each list an expanded name uses. */
struct choice {
	uint32_t of[LISTS_MAX];
	unsigned lists;
	uint32_t element;		/* the sum of the strides */
	struct b_where where;
};

/* One element of a list: its text, or NULL after the last. */
static const char *list_element(const struct name_list *list, uint32_t i, size_t *length)
{
	const char *at = list->open + 1;

	for (;; i--) {
		const char *comma = memchr(at, ',', (size_t)(list->close - at));
		const char *stop = comma ? comma : list->close;

		*length = (size_t)(stop - at);
		if (!i)
			return at;
		if (!comma)
			return NULL;
		at = comma + 1;
	}
}

/* Which element of a list a text is, or -1. */
static int list_index(const struct name_list *list, const char *text, size_t length)
{
	const char *element;
	size_t has;

	for (int i = 0; (element = list_element(list, (uint32_t)i, &has)); i++)
		if (has == length && !memcmp(element, text, length))
			return i;
	return -1;
}

/*
 * `name` with each list replaced by the chosen element; 0 if a list has too few, or it is too long.
 */
static size_t choose(const char *name, size_t length, const struct choice *choice, char *out)
{
	const char *end = name + length;
	struct name_list list;
	size_t n = 0, part;

	for (unsigned i = 0; next_list(name, end, &list); i++) {
		size_t head = (size_t)(list.open - name);
		const char *text = i < choice->lists ? list_element(&list, choice->of[i], &part)
						     : NULL;

		if (!text || n + head + part > NAME_MAX_LENGTH)
			return 0;
		memcpy(out + n, name, head);
		memcpy(out + n + head, text, part);
		n += head + part;
		name = list.close + 1;
	}
	if (n + (size_t)(end - name) > NAME_MAX_LENGTH)
		return 0;
	memcpy(out + n, name, (size_t)(end - name));
	return n + (size_t)(end - name);
}

static struct b_slice choose_aliases(struct build *b, const struct line *line,
				     struct b_slice written, const struct choice *choice)
{
	struct b_slice slice = { (uint32_t)b->aliases.count, written.count };

	for (uint32_t i = 0; i < written.count; i++) {
		struct b_alias alias = b->aliases.items[written.first + i];
		const char *text = build_text(b, alias.c.name);
		char name[NAME_MAX_LENGTH];
		size_t length = choose(text, strlen(text), choice, name);

		if (!length)
			expected(b, line, NULL, "aliases with the lists of the name");
		alias.c.name = build_string(b, name, length);
		where_narrow(b, line, &alias.where, &choice->where);
		build_add(b, aliases, alias);
	}
	return slice;
}

/* An empty element: the key belongs to the other ones. */
static bool is_left_out(const char *text, const struct choice *choice)
{
	const char *end = text + strlen(text), *element;
	struct name_list list;
	size_t length;

	for (unsigned i = 0; i < choice->lists && next_list(text, end, &list); i++) {
		element = list_element(&list, choice->of[i], &length);
		if (element && !length)
			return true;
		text = list.close + 1;
	}
	return false;
}

static struct b_slice choose_prints(struct build *b, const struct line *line,
				    struct b_slice written, const struct choice *choice)
{
	struct b_slice slice = { (uint32_t)b->prints.count, 0 };

	for (uint32_t i = 0; i < written.count; i++) {
		struct b_print print = b->prints.items[written.first + i];
		const char *text = build_text(b, print.c.key);
		char key[NAME_MAX_LENGTH];
		size_t length;

		if (is_left_out(text, choice))
			continue;
		length = choose(text, strlen(text), choice, key);
		if (!length)
			expected(b, line, NULL, "keys to print with the lists of the name");
		print.c.key = build_string(b, key, length);
		if (!print.c.placed)
			where_narrow(b, line, &print.where, &choice->where);
		slice.count += build_add(b, prints, print);
	}
	return slice;
}

static void add_chosen(struct build *b, const struct line *line, const struct reg_line *r,
		       const struct word *name, size_t length, const struct choice *choice)
{
	char text[NAME_MAX_LENGTH];
	struct b_reg reg = r->reg;

	length = choose(name->text, length, choice, text);
	reg.name = build_string(b, text, length);
	reg.element = choice->element;
	reg.where = choice->where;
	if (choice->lists && reg.aliases.count)
		reg.aliases = choose_aliases(b, line, reg.aliases, choice);
	if (choice->lists && reg.prints.count)
		reg.prints = choose_prints(b, line, reg.prints, choice);
	build_add(b, regs, reg);
}

/* An element of a list exists where the `only` lines that name it say. */
static void limit_choice(struct build *b, const struct line *line, const char *text, size_t length,
			 struct b_where *where)
{
	line_each(b->lex, child, line) {
		const struct word *names = line_word(b->lex, child, 1);
		const struct word *on = line_word(b->lex, child, 2);
		struct name_list list;
		struct word value;

		if (!word_is(line_word(b->lex, child, 0), "only") || !names || !on ||
		    !word_option(on, "on", &value))
			continue;
		list = (struct name_list){ names->text - 1, names->text + names->length };
		if (list_index(&list, text, length) >= 0)
			parse_where(b, child, &value, where);
	}
}

/* only ELEMENT[,ELEMENT...] on=...: an element that is in no list is a mistake. */
static void check_limits(struct build *b, const struct line *line, const struct name_list *lists,
			 unsigned count)
{
	line_each(b->lex, child, line) {
		const struct word *names = line_word(b->lex, child, 1);
		const struct word *on = line_word(b->lex, child, 2);
		struct name_list named;
		const char *element;
		struct word value;
		size_t length;

		if (!word_is(line_word(b->lex, child, 0), "only"))
			continue;
		if (!names || !on || !word_option(on, "on", &value)) {
			expected(b, child, on, "only ELEMENT[,ELEMENT...] on=...");
			continue;
		}
		named = (struct name_list){ names->text - 1, names->text + names->length };
		for (uint32_t i = 0; (element = list_element(&named, i, &length)); i++) {
			bool found = false;

			for (unsigned k = 0; k < count; k++)
				found |= list_index(&lists[k], element, length) >= 0;
			if (!found)
				expected(b, child, names, "elements of the name's lists");
		}
	}
}

/* The addresses of the chosen elements, and their platforms. */
static bool place_choice(struct build *b, const struct line *line, const struct reg_line *r,
			 const struct name_list *lists, struct choice *choice)
{
	choice->element = 0;
	choice->where = r->reg.where;
	for (unsigned k = 0; k < choice->lists; k++) {
		const struct steps *steps = &r->strides[k];
		size_t length;
		const char *text = list_element(&lists[k], choice->of[k], &length);

		if (steps->count && choice->of[k] >= steps->count) {
			expected(b, line, NULL, "a place for each element of the list");
			return false;
		}
		choice->element += steps->count ? steps->at[choice->of[k]]
						: choice->of[k] * steps->every;
		limit_choice(b, line, text, length, &choice->where);
	}
	return true;
}

/* Goes through the name's lists: one register for every combination. */
static void expand(struct build *b, const struct line *line, const struct reg_line *r,
		   const struct word *name, size_t length)
{
	struct name_list lists[LISTS_MAX];
	struct choice choice = { .lists = 0 };
	const char *at = name->text, *end = name->text + length;
	size_t ignored;

	while (choice.lists < LISTS_MAX && next_list(at, end, &lists[choice.lists]))
		at = lists[choice.lists++].close + 1;
	if (memchr(at, '{', (size_t)(end - at)) || choice.lists > r->stride_count) {
		expected(b, line, name, "at most three lists, and one stride= for each");
		return;
	}
	check_limits(b, line, lists, choice.lists);
	for (;;) {
		unsigned i = choice.lists;

		if (!place_choice(b, line, r, lists, &choice))
			return;
		if (choice.where.platforms || !r->reg.where.platforms)
			add_chosen(b, line, r, name, length, &choice);
		while (i-- > 0) {
			choice.of[i]++;
			if (list_element(&lists[i], choice.of[i], &ignored))
				break;
			choice.of[i] = 0;
		}
		if (i == UINT32_MAX)
			return;
	}
}

/* NAME, NAME[COUNT], NAME_{A,B}; the count goes to *array and is removed from the text. */
static bool parse_reg_name(struct build *b, const struct line *line, const struct word *word,
			   size_t *length, uint32_t *array)
{
	const char *open;
	uint64_t count;

	*array = 0;
	if (!word || word->quoted || word->length > NAME_MAX_LENGTH) {
		expected(b, line, word, "the register's name");
		return false;
	}
	open = memchr(word->text, '[', word->length);
	*length = open ? (size_t)(open - word->text) : word->length;
	for (size_t i = 0; i < *length; i++) {
		char c = word->text[i];

		if (!(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') &&
		    !strchr("_{},", c)) {
			expected(b, line, word, "a name of letters, digits and _");
			return false;
		}
	}
	if (!open)
		return *length > 0;
	if (word->text[word->length - 1] != ']' ||
	    !number_parse(open + 1, word->length - *length - 2, &count) || !count ||
	    count > ARRAY_MAX) {
		expected(b, line, word, "a count of elements, as FENCE[16]");
		return false;
	}
	*array = (uint32_t)count;
	return true;
}

void parse_reg(struct build *b, const struct line *line, struct scope *scope)
{
	static const char *const lines[] = { "field", "alias", "print", "at", "hazard", "only",
					     NULL };
	struct reg_line r = { .scope = *scope };
	const struct word *name = line_word(b->lex, line, 1);
	size_t length, told;

	if (!parse_reg_name(b, line, name, &length, &r.array))
		return;
	r.reg.traits.bits = 32;
	told = b->findings.count;
	for (uint32_t i = 2; i < line->words; i++)
		parse_reg_word(b, line, line_word(b->lex, line, i), &r);
	/* An unknown word may be the one that seems to be missing. */
	if (!r.reg.traits.access && told == b->findings.count)
		expected(b, line, NULL, "an access: ro rw wo w1c rc masked sticky");
	if (r.array && !r.stride_count)
		expected(b, line, NULL, "stride= with an array");
	only_lines(b, line, lines, "field, mbz, mbo, ignored, alias, print, doc, origin, at, "
				   "hazard or only");
	parse_places(b, line, &r);
	r.reg.where = r.scope.where;
	r.reg.traits.group = r.scope.group;
	r.reg.origin = r.scope.origin;
	r.reg.line = line->number;
	r.reg.traits.file = file_string(b);
	parse_doc(b, line, &r.reg.doc, &r.reg.origin);
	r.reg.aliases = parse_aliases(b, line, &r.reg.where);
	r.reg.prints.first = (uint32_t)b->prints.count;
	line_each(b->lex, child, line)
		if (word_is(line_word(b->lex, child, 0), "print"))
			parse_print(b, child, &r.reg.where);
	r.reg.prints.count = (uint32_t)b->prints.count - r.reg.prints.first;
	r.reg.traits.hazards.first = (uint32_t)b->hazards.count;
	line_each(b->lex, child, line)
		if (word_is(line_word(b->lex, child, 0), "hazard"))
			parse_hazard(b, child, &r.scope);
	r.reg.traits.hazards.count = (uint32_t)b->hazards.count - r.reg.traits.hazards.first;
	if (!r.reg.traits.hazards.count)
		r.reg.traits.hazards.first = 0;
	r.reg.fields = parse_fields(b, line, &r.scope, &r.reg.traits.reset,
				    &r.reg.traits.reset_mask);
	if (r.reg.traits.reset_mask)
		r.reg.traits.flags |= GSC_REG_HAS_RESET;
	if (told == b->findings.count)
		expand(b, line, &r, name, length);
}

/* Ranges where a platform's registers sleep or are steered are built-in data. */
static bool parse_range_use(struct build *b, const struct line *line, const struct word *kind,
			    struct b_range *range)
{
	bool sleeps = word_is(kind, "sleeps");

	range->use = sleeps ? RANGE_SLEEPS : word_is(kind, "steered") ? RANGE_STEERED : RANGE_TOLD;
	if (range->use != RANGE_TOLD && b->base) {
		expected(b, line, kind, "another kind of range: only the built-in data may use "
			 "`sleeps` and `steered`");
		return false;
	}
	if (sleeps != (range->wake != 0)) {
		expected(b, line, kind, "wake= with `sleeps`, and not with any other kind");
		return false;
	}
	return true;
}

/* range @0x8800-0x88ff KIND [on=] [wake=] "why" */
void parse_range(struct build *b, const struct line *line, struct scope *scope)
{
	static const char *const kinds[] = { "hang", "read", "alias", "null", "reserved",
					   "sleeps", "steered" };
	const struct word *place = line_word(b->lex, line, 1), *kind = line_word(b->lex, line, 2);
	struct b_range range = { .where = scope->where, .origin = scope->origin,
				 .line = line->number };
	const char *dash = place && !place->quoted ? memchr(place->text, '-', place->length) : NULL;

	if (!dash || place->text[0] != '@' ||
	    !number_parse(place->text + 1, (size_t)(dash - place->text) - 1, &range.start) ||
	    !number_parse(dash + 1, place->length - (size_t)(dash + 1 - place->text),
			  &range.last) ||
	    range.last < range.start) {
		expected(b, line, place, "a range as @0x8800-0x88ff");
		return;
	}
	range.file = file_string(b);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (word_is(kind, kinds[i]))
			range.kind = build_string(b, kinds[i], strlen(kinds[i]));
	if (!range.kind) {
		expected(b, line, kind, "hang, read, alias, null, reserved, sleeps or steered");
		return;
	}
	for (uint32_t i = 3; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;

		if (word->quoted)
			range.why = word_string(b, word);
		else if (word_option(word, "on", &value))
			parse_where(b, line, &value, &range.where);
		else if (word_option(word, "wake", &value))
			range.wake = word_string(b, &value);
		else
			expected(b, line, word, "on=, wake= or a \"reason\"");
	}
	if (!parse_range_use(b, line, kind, &range))
		return;
	build_add(b, ranges, range);
}
