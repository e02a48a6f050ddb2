/* SPDX-License-Identifier: MIT */
/* Registers: their addresses, hazards, keys in dumps and name lists; and address ranges. */
#include "dbc/build.h"
#include "util/number.h"
#include "util/text.h"

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
	bool has_place;
	struct scope scope;
	struct steps strides[LISTS_MAX + 1];
	uint32_t stride_count;
	uint32_t array;
};

static bool is_place(const struct word *word)
{
	return word_plain(word) && (word->text[0] == '@' || word->text[0] == '+');
}

/* The words of an address: @0x2030, +0x30. */
static bool parse_place_word(struct build *b, const struct word *word, struct b_place *place)
{
	struct word digits = word_from(word, 1);
	uint64_t offset = 0;

	if (!is_place(word))
		return false;
	if (!word_number(&digits, &offset) || offset > UINT32_MAX)
		expected(b, word, "an address after @, or an offset after +");
	place->c.offset = (uint32_t)offset;
	place->c.relative = word->text[0] == '+';
	return true;
}

/* 0x1000, or what is added for each element: 0:0x100:0x300 */
static bool parse_steps(const struct word *word, struct steps *steps)
{
	uint64_t number;

	*steps = (struct steps){ 0 };
	if (word_number(word, &number) && number <= UINT32_MAX) {
		steps->every = (uint32_t)number;
		return true;
	}
	for (struct word part = { 0 }; word_part(word, ':', &part);) {
		if (steps->count == STEPS_MAX || !word_number(&part, &number) ||
		    number > UINT32_MAX)
			return false;
		steps->at[steps->count++] = (uint32_t)number;
	}
	return steps->count > 1;
}

/* The stride of an array is the last one. */
static uint32_t array_stride(const struct reg_line *r)
{
	return r->stride_count ? r->strides[r->stride_count - 1].every : 0;
}

static void parse_reg_word(struct build *b, const struct word *word, struct reg_line *r)
{
	static const struct attribute words[] = {
		FLAG_OF("volatile", struct c_traits, flags, GSC_REG_VOLATILE),
		FLAG_OF("multicast", struct c_traits, flags, GSC_REG_MULTICAST),
		FLAG_OF("overlay", struct c_traits, flags, REG_OVERLAY),
		SET_OF("8", struct c_traits, bits, 8), SET_OF("16", struct c_traits, bits, 16),
		SET_OF("32", struct c_traits, bits, 32), SET_OF("64", struct c_traits, bits, 64),
		NUMBER_OF("resetmask", struct c_traits, reset_mask, 0, UINT64_MAX), { 0 },
	};
	struct c_traits *traits = &r->reg.traits;
	struct word value;

	if (parse_place_word(b, word, &r->place)) {
		r->has_place = true;
	} else if (word_option(word, "stride", &value)) {
		r->stride_count = 0;
		for (struct word part = { 0 }; word_part(&value, ',', &part); r->stride_count++)
			if (r->stride_count > LISTS_MAX ||
			    !parse_steps(&part, &r->strides[r->stride_count])) {
				expected(b, &value,
					 "a stride or the places 0:0x100:0x300 of the elements, "
					 "one for each list of the name");
				return;
			}
	} else if (word_option(word, "reset", &value)) {
		if (!parse_number(b, &value, &traits->reset))
			return;
		traits->flags |= GSC_REG_HAS_RESET;
		if (!traits->reset_mask)
			traits->reset_mask = UINT64_MAX;
	} else if (access_bit(word)) {
		traits->access |= (uint8_t)access_bit(word);
	} else if (!parse_attribute(b, word, words, traits) &&
		   !parse_scope_word(b, word, &r->scope)) {
		expected(b, word,
			 "@ADDRESS, +OFFSET, 8|16|32|64, ro rw wo w1c rc masked sticky, volatile, "
			 "multicast, overlay, on= engine= space= stride= reset= resetmask=");
	}
}

static void add_place(struct build *b, const struct line *line, struct b_place place,
		      const struct scope *scope)
{
	place.where = scope->where;
	place.c.engines = scope->engines;
	place.c.instance = scope->engine_instance;
	place.c.space = scope->space;
	if (place.c.relative && !place.c.engines)
		expected(b, line->word, "engine= with an offset that is relative to one");
	else
		build_add(b, places, place);
}

/* at PLACE [on=] [engine=] [space=] [count=] [stride=] [run=] */
static void parse_at(struct build *b, const struct line *line, const struct reg_line *r)
{
	static const struct attribute words[] = {
		NUMBER_OF("count", struct c_place, count, 1, ARRAY_MAX),
		NUMBER_OF("stride", struct c_place, stride, 0, UINT32_MAX), { 0 },
	};
	struct scope scope = r->scope;
	struct b_place place = { .c = { .count = (uint16_t)r->array,
					.stride = array_stride(r) } };
	bool has_place = false;

	words_each(word, line, 1) {
		struct word value;
		struct steps run;

		if (parse_place_word(b, word, &place)) {
			has_place = true;
		} else if (word_option(word, "run", &value)) {
			/* After every 8 elements, the next are 0x1000 from where those began. */
			if (!parse_steps(&value, &run) || run.count != 2 || !run.at[0] ||
			    run.at[0] > UINT8_MAX || run.at[1] >= 1u << 24) {
				expected(b, &value, "elements of a run and bytes to the next, as "
						    "run=8:0x1000");
				continue;
			}
			place.c.run = run.at[0] & UINT8_MAX;
			place.c.run_stride = run.at[1] & 0xffffff;
		} else if (!parse_attribute(b, word, words, &place.c) &&
			   !parse_scope_word(b, word, &scope)) {
			expected(b, word,
				 "@ADDRESS, +OFFSET, on= engine= space= count= stride= or run=");
		}
	}
	if (!has_place)
		expected(b, word_at(line, line->count), "@ADDRESS or +OFFSET");
	add_place(b, line, place, &scope);
}

/* hazard KIND [on=] [bits=31, bits=11:10: those concerned, if not all] "reason" */
static void parse_hazard(struct build *b, const struct line *line, const struct scope *scope)
{
	static const struct { const char *word; uint32_t flag; } kinds[] = {
		{ "read", GSC_REG_HAZARD_READ },
		{ "hang", GSC_REG_HAZARD_HANG },
		{ "write", GSC_REG_HAZARD_WRITE },
	};
	struct b_hazard hazard = { .where = scope->where };
	const struct word *word = word_at(line, 1);
	unsigned dword, hi, lo;
	struct word value;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (word_is(word, kinds[i].word))
			hazard.flag = kinds[i].flag;
	if (!hazard.flag) {
		expected(b, word, "read, hang or write");
		return;
	}
	if (word_option(++word, "on", &value)) {
		parse_where(b, &value, &hazard.where);
		word++;
	}
	if (word_option(word, "bits", &value)) {
		if (!parse_bits(b, &value, &dword, &hi, &lo))
			return;
		if (hazard.flag != GSC_REG_HAZARD_WRITE || dword || hi > 63) {
			expected(b, &value, "bits=63:0 or less, of a write");
			return;
		}
		hazard.bits = UINT64_MAX >> (63 - (hi - lo)) << lo;
		word++;
	}
	if (!word->quoted) {
		expected(b, word, "a \"reason\"");
		return;
	}
	hazard.why = word_string(b, word);
	build_add(b, hazards, hazard);
}

/* ---- what drivers print ---------------------------------------------------------------------- */

/* print KEY... [@ADDRESS|+OFFSET] [on=LIST] */
static void parse_print(struct build *b, const struct line *line, const struct b_where *whose)
{
	const struct word *keys = word_at(line, 1), *last = keys;
	struct b_where where = EVERYWHERE;
	struct b_print print = { .where = *whose };
	struct b_place place;
	struct word value;
	bool limited = false;

	while (last->length && (last->quoted || (!is_place(last) &&
						 !memchr(last->text, '=', last->length))))
		last++;
	if (last == keys) {
		expected(b, keys, "a key that a driver prints");
		return;
	}
	for (const struct word *word = last; !word->end; word++) {
		if (word_option(word, "on", &value)) {
			limited = parse_where(b, &value, &where);
		} else if (!print.c.placed && parse_place_word(b, word, &place)) {
			print.c.placed = true;
			print.c.relative = place.c.relative;
			print.c.offset = place.c.offset;
		} else {
			expected(b, word, "keys of a driver's dump, then perhaps @ADDRESS or "
					  "+OFFSET, and on=");
		}
	}
	/* A driver may read an address on platforms that have no such register. */
	if (print.c.placed && limited)
		print.where = where;
	where_narrow(b, word_at(line, line->count), &print.where, &where);
	for (const struct word *key = keys; key < last; key++) {
		print.c.key = word_string(b, key);
		build_add(b, prints, print);
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

/* A name of a register with lists, or a key, for the chosen elements. */
static str_t choose_text(struct build *b, const struct line *line, str_t written,
			 const struct choice *choice, const char *what)
{
	const char *text = build_text(b, written);
	char chosen[NAME_MAX_LENGTH];
	size_t length = choose(text, strlen(text), choice, chosen);

	if (!length)
		expected(b, word_at(line, line->count), what);
	return build_string(b, chosen, length);
}

static struct b_slice choose_aliases(struct build *b, const struct line *line,
				     struct b_slice written, const struct choice *choice)
{
	struct b_slice slice = { (uint32_t)b->aliases.count, written.count };

	for (uint32_t i = 0; i < written.count; i++) {
		struct b_alias alias = b->aliases.items[written.first + i];

		alias.c.name = choose_text(b, line, alias.c.name, choice,
					   "aliases with the lists of the name");
		where_narrow(b, word_at(line, line->count), &alias.where, &choice->where);
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

		if (is_left_out(build_text(b, print.c.key), choice))
			continue;
		print.c.key = choose_text(b, line, print.c.key, choice,
					  "keys to print with the lists of the name");
		if (!print.c.placed)
			where_narrow(b, word_at(line, line->count), &print.where, &choice->where);
		slice.count += build_add(b, prints, print);
	}
	return slice;
}

/* only ELEMENT[,ELEMENT...] on=...: the elements as a list, and where they are; false: else. */
static bool take_only(const struct line *line, struct name_list *elements, struct word *where)
{
	const struct word *names = word_at(line, 1);

	*elements = (struct name_list){ names->text - 1, names->text + names->length };
	return !names->end && word_option(word_at(line, 2), "on", where);
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
			expected(b, word_at(line, line->count),
				 "a place for each element of the list");
			return false;
		}
		choice->element += steps->count ? steps->at[choice->of[k]]
						: choice->of[k] * steps->every;
		/* An element exists where the `only` lines that name it say. */
		line_each_of(b, only, line, "only") {
			struct name_list named;
			struct word where;

			if (take_only(only, &named, &where) &&
			    list_index(&named, text, length) >= 0)
				parse_where(b, &where, &choice->where);
		}
	}
	return true;
}

/* Goes through the name's lists: one register for every combination. */
static void expand(struct build *b, const struct line *line, const struct reg_line *r,
		   const struct word *name)
{
	struct name_list lists[LISTS_MAX];
	struct choice choice = { .lists = 0 };
	const char *at = name->text, *end = name->text + name->length;
	char text[NAME_MAX_LENGTH];
	size_t ignored;

	while (choice.lists < LISTS_MAX && next_list(at, end, &lists[choice.lists]))
		at = lists[choice.lists++].close + 1;
	if (memchr(at, '{', (size_t)(end - at)) || choice.lists > r->stride_count) {
		expected(b, word_at(line, 1), "at most three lists, and one stride= for each");
		return;
	}
	/* An element that is in no list of the name is a mistake. */
	line_each_of(b, only, line, "only") {
		struct name_list named;
		const char *element;
		struct word where;
		size_t length;

		if (!take_only(only, &named, &where)) {
			expected(b, word_at(only, 2), "only ELEMENT[,ELEMENT...] on=...");
			continue;
		}
		for (uint32_t i = 0; (element = list_element(&named, i, &length)); i++) {
			bool found = false;

			for (unsigned k = 0; k < choice.lists; k++)
				found |= list_index(&lists[k], element, length) >= 0;
			if (!found)
				expected(b, word_at(only, 1), "elements of the name's lists");
		}
	}
	for (;;) {
		struct b_reg reg = r->reg;
		unsigned i = choice.lists;

		if (!place_choice(b, line, r, lists, &choice))
			return;
		if (choice.where.platforms || !r->reg.where.platforms) {
			reg.name = build_string(b, text,
						choose(name->text, name->length, &choice, text));
			reg.element = choice.element;
			reg.where = choice.where;
			if (choice.lists && reg.aliases.count)
				reg.aliases = choose_aliases(b, line, reg.aliases, &choice);
			if (choice.lists && reg.prints.count)
				reg.prints = choose_prints(b, line, reg.prints, &choice);
			build_add(b, regs, reg);
		}
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

/* NAME, NAME[COUNT], NAME_{A,B}: *name is without its count, which goes to *array. */
static bool parse_reg_name(struct build *b, const struct word *word, struct word *name,
			   uint32_t *array)
{
	struct word count;
	uint64_t number;

	*array = 0;
	if (!word_plain(word) || word->length > NAME_MAX_LENGTH) {
		expected(b, word, "the register's name");
		return false;
	}
	if (word_split(word, "[", name, &count)) {
		if (!count.length || count.text[--count.length] != ']' ||
		    !word_number(&count, &number) || !number || number > ARRAY_MAX) {
			expected(b, word, "a count of elements, as FENCE[16]");
			return false;
		}
		*array = (uint32_t)number;
	}
	for (uint32_t i = 0; i < name->length; i++)
		if (!is_word(name->text[i]) && !strchr("{},", name->text[i])) {
			expected(b, word, "a name of letters, digits and _");
			return false;
		}
	return name->length > 0;
}

void parse_reg(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct below below[] = {
		{ "field", NULL }, { "alias", NULL }, { "print", NULL }, { "doc", NULL },
		{ "note", NULL }, { "origin", NULL }, { "at", NULL }, { "hazard", NULL },
		{ "only", NULL },
	};
	struct reg_line r = { .scope = *scope };
	struct b_reg *reg = &r.reg;
	struct b_slice *hazards = &reg->traits.hazards;
	const struct word *end = word_at(line, line->count);
	size_t told = b->findings.count;
	struct word name;
	uint32_t first;
	bool placed;

	if (!parse_reg_name(b, word_at(line, 1), &name, &r.array))
		return;
	reg->traits.bits = 32;
	words_each(word, line, 2)
		parse_reg_word(b, word, &r);
	/* An unknown word may be the one that seems to be missing. */
	if (!reg->traits.access && told == b->findings.count)
		expected(b, end, "an access: ro rw wo w1c rc masked sticky");
	if (r.array && !r.stride_count)
		expected(b, end, "stride= with an array");
	parse_below(b, line, below, ARRAY_SIZE(below), NULL);
	first = (uint32_t)b->places.count;
	placed = r.has_place;
	if (r.has_place) {
		r.place.c.count = (uint16_t)r.array;
		r.place.c.stride = array_stride(&r);
		add_place(b, line, r.place, &r.scope);
	}
	line_each_of(b, at, line, "at") {
		parse_at(b, at, &r);
		placed = true;
	}
	r.reg.places = (struct b_slice){ first, (uint32_t)b->places.count - first };
	if (!placed)
		expected(b, word_at(line, line->count), "@ADDRESS, +OFFSET or an `at` line below");
	reg->where = r.scope.where;
	reg->traits.group = r.scope.group;
	reg->origin = r.scope.origin;
	reg->line = line->number;
	reg->traits.file = file_string(b);
	parse_doc(b, line, &reg->doc, &reg->origin);
	reg->aliases = parse_aliases(b, line, &reg->where);
	reg->prints.first = (uint32_t)b->prints.count;
	line_each_of(b, print, line, "print")
		parse_print(b, print, &reg->where);
	reg->prints.count = (uint32_t)b->prints.count - reg->prints.first;
	hazards->first = (uint32_t)b->hazards.count;
	line_each_of(b, hazard, line, "hazard")
		parse_hazard(b, hazard, &r.scope);
	hazards->count = (uint32_t)b->hazards.count - hazards->first;
	if (!hazards->count)
		hazards->first = 0;
	reg->fields = parse_fields(b, line, &r.scope, &reg->traits.reset, &reg->traits.reset_mask);
	if (reg->traits.reset_mask)
		reg->traits.flags |= GSC_REG_HAS_RESET;
	if (told == b->findings.count)
		expand(b, line, &r, &name);
}

/*
 * range @0x8800-0x88ff KIND [on=] [wake=] ["why"]; of an owner also from the bases of engines:
 * range +0x0-0xfff owner [on=] engine=rcs,bcs "name"
 */
void parse_range(struct build *b, const struct line *line, struct scope *scope)
{
	/* First those with a use of their own, in the order of enum range_use. */
	static const char *const kinds[] = { "owner", "sleeps", "steered", "hang", "read", "alias",
					     "null", "reserved" };
	static const struct attribute words[] = {
		TEXT_OF(struct b_range, why), STRING_OF("wake", struct b_range, wake), { 0 },
	};
	const struct word *place = word_at(line, 1), *kind = word_at(line, 2);
	struct word first = word_from(place, !place->end), last;
	struct b_range range = { .line = line->number };
	struct scope own = *scope;
	int which = word_among(kind, kinds, ARRAY_SIZE(kinds));

	if (!is_place(place) || !word_split(&first, "-", &first, &last) ||
	    !word_number(&first, &range.start) || !word_number(&last, &range.last) ||
	    range.last < range.start || (*place->text == '+' && range.last > UINT32_MAX)) {
		expected(b, place, "a range as @0x8800-0x88ff");
		return;
	}
	range.file = file_string(b);
	if (which < 0) {
		expected(b, kind, "hang, read, alias, null, reserved, owner, sleeps or steered");
		return;
	}
	range.kind = word_string(b, kind);
	range.use = which > 2 ? RANGE_TOLD : RANGE_OWNED + (unsigned)which;
	parse_attributes(b, word_at(line, 3), words, &range, &own,
			 "on=, wake=, engine= or a \"reason\"");
	range.where = own.where;
	range.origin = own.origin;
	if (*place->text == '+') {
		range.engines = own.engines;
		range.instance = own.engine_instance;
	}
	/* Ranges where a platform's registers sleep or are steered are built-in data. */
	if (range.use >= RANGE_SLEEPS && b->base)
		expected(b, kind, "another kind of range: only the built-in data may use `sleeps` "
				  "and `steered`");
	else if ((range.use == RANGE_SLEEPS) != (range.wake != 0))
		expected(b, kind, "wake= with `sleeps`, and not with any other kind");
	else if (range.use == RANGE_OWNED && !range.why)
		expected(b, word_at(line, line->count), "the \"name\" of the owner");
	else if (*place->text == '+' && (range.use != RANGE_OWNED || !range.engines))
		expected(b, place, "a range as @0x8800-0x88ff; only an `owner` with engine= counts "
				   "from the bases of engines");
	else if (own.space)
		expected(b, place, "a range of MMIO, the space without space=");
	else
		build_add(b, ranges, range);
}
