/* SPDX-License-Identifier: MIT */
/* Fields, their values, what they point to, and repeated groups of them. */
#include "dbc/build.h"
#include "util/text.h"

/* LO[..HI] */
static bool number_range(const struct word *word, uint64_t *lo, uint64_t *hi)
{
	struct word first, last;

	if (!word_split(word, "..", &first, &last))
		last = first;
	return word_number(&first, lo) && word_number(&last, hi) && *lo <= *hi;
}

/* LO[..HI] NAME ["doc"] */
static void parse_value(struct build *b, const struct line *line)
{
	const struct word *name = word_at(line, 1), *doc = word_at(line, 2);
	struct b_value value = { 0 };

	if (!number_range(line->word, &value.lo, &value.hi)) {
		expected(b, line->word, "a value or a range of them, as 2 or 2..3");
		return;
	}
	if (name->end) {
		expected(b, name, "the name of this value");
		return;
	}
	if (word_plain(doc))
		expected(b, doc, "a \"text\" or end of line");
	else
		parse_end(b, word_at(line, 3));
	value.name = word_string(b, name);
	value.doc = doc->quoted ? word_string(b, doc) : 0;
	build_add(b, values, value);
}

struct b_slice parse_values(struct build *b, const struct line *parent)
{
	struct b_slice slice = { (uint32_t)b->values.count, 0 };

	line_each(b, line, parent) {
		if (word_plain(line->word) && is_digit(*line->word->text))
			parse_value(b, line);
		else
			expected(b, line->word, "a value and its name");
	}
	slice.count = (uint32_t)b->values.count - slice.first;
	return slice;
}

/* ---- what is at the target of a field ------------------------------------------------------- */

/* N, FIELD or FIELD*N */
static void parse_amount(struct build *b, const struct word *word, struct b_amount *amount)
{
	struct word field, factor;
	uint64_t number = 1;
	bool star = word_split(word, "*", &field, &factor);

	if (!star && word_number(word, &number))
		field.length = 0;
	else if (star && !word_number(&factor, &number))
		number = 0;
	if (!number || number > UINT16_MAX || (star && !field.length)) {
		expected(b, word, "a number, FIELD or FIELD*NUMBER");
		return;
	}
	amount->field = build_string(b, field.text, field.length);
	amount->number = (uint32_t)number;
}

bool split_condition(const struct word *word, struct word *field, struct word *value,
		     uint8_t *not)
{
	if (!word_split(word, "=", field, value))
		return false;
	*not = field->length && field->text[field->length - 1] == '!';
	field->length -= *not;
	return true;
}

/* FIELD, FIELD=VALUE or FIELD!=VALUE */
static void parse_if(struct build *b, const struct word *word, struct b_pointer *p)
{
	struct word field, value;
	bool equals = split_condition(word, &field, &value, &p->if_not);

	p->if_not |= !equals;
	if (!field.length || (equals && !word_number(&value, &p->if_value)))
		expected(b, word, "if=FIELD, if=FIELD=VALUE or if=FIELD!=VALUE");
	else
		p->if_field = build_string(b, field.text, field.length);
}

static bool parse_pointer_word(struct build *b, const struct word *word, struct b_pointer *p)
{
	static const struct attribute words[] = {
		ONE_WORD_OF("base", struct b_pointer, base, base_words),
		STRING_OF("end", struct b_pointer, end_field), { 0 },
	};
	struct word value;

	if (word_option(word, "count", &value)) {
		parse_amount(b, &value, &p->count);
	} else if (word_option(word, "bytes", &value)) {
		parse_amount(b, &value, &p->count);
		p->in_bytes = 1;
	} else if (word_option(word, "most", &value)) {
		parse_amount(b, &value, &p->most);
	} else if (word_option(word, "if", &value)) {
		parse_if(b, &value, p);
	} else {
		return parse_attribute(b, word, words, p);
	}
	return true;
}

/* ---- one field ------------------------------------------------------------------------------ */

static bool parse_type(struct build *b, const struct word *word, struct b_field *f)
{
	static const char *const types[] = { [F_HEX] = "hex", [F_DEC] = "dec", [F_BOOL] = "bool",
					     [F_SIGNED] = "signed", [F_FLOAT] = "float" };
	static const char *const spaces[A_SPACES] = { NULL,   "ggtt", "ppgtt", "gfx",	"phys",
						      "lmem", "mmio", "ring",  "gmadr", "stolen" };
	int type = word_among(word, types, ARRAY_SIZE(types)), space;
	struct word kind, name = { 0 }, digits;
	uint64_t whole, fraction;

	if (type >= 0) {
		f->form.type = (uint8_t)type;
		return true;
	}
	if (word_split(word, ":", &kind, &name) && word_is(&kind, "addr")) {
		space = word_among(&name, spaces, A_SPACES);
		f->form.type = F_ADDRESS;
		f->form.addr = (uint8_t)MAX(space, 0);
		if (space < 0)
			expected(b, word, "addr: with ggtt ppgtt gfx phys lmem mmio ring gmadr "
					  "or stolen");
		return true;
	}
	if (word_is(&kind, "enum") && name.length) {
		/* The field of this line is added after its words: its index is the next one. */
		build_add(b, pending, (struct pending_enum){
			(uint32_t)b->fields.count, word->line, word->column,
			build_string(b, name.text, name.length), b->file,
		});
		return true;
	}
	if ((word->text[0] != 'u' && word->text[0] != 's') ||
	    !word_split(word, ".", &kind, &digits))
		return false;
	kind = word_from(&kind, 1);
	if (!word_number(&kind, &whole) || !word_number(&digits, &fraction) || fraction > 63)
		return false;
	f->form.type = word->text[0] == 'u' ? F_UFIXED : F_SFIXED;
	f->form.fraction = (uint8_t)fraction;
	return true;
}

/* <<N +N *N /N */
static bool parse_scale(struct build *b, const struct word *word, struct b_field *f)
{
	uint32_t *const members[] = { &f->form.add, &f->form.multiply, &f->form.divide };
	bool shift = word->length > 2 && !memcmp(word->text, "<<", 2);
	struct word digits = word_from(word, shift ? 2 : 1);
	static const char signs[] = "+*/";
	const char *sign = strchr(signs, word->text[0]);
	uint64_t number;

	if (!shift && !sign)
		return false;
	if (!parse_bounded(b, &digits, !shift && *sign == '/', shift ? 63 : UINT32_MAX,
			   "a number after <<, +, * or /", &number))
		return true;
	if (shift)
		f->form.shift = (uint8_t)number;
	else
		*members[sign - signs] = (uint32_t)number;
	return true;
}

bool listed_values(const struct word *list, uint64_t *values)
{
	uint64_t lo, hi;

	*values = 0;
	for (struct word part = { 0 }; word_part(list, '|', &part);) {
		if (!number_range(&part, &lo, &hi) || hi >= WHEN_LISTED)
			return false;
		for (; lo <= hi; lo++)
			*values |= UINT64_C(1) << lo;
	}
	return true;
}

/* VALUE, or several. */
static bool parse_when_values(struct build *b, const struct word *list, struct b_field *f)
{
	if (word_number(list, &f->form.when_value))
		return true;
	if (!listed_values(list, &f->form.when_value))
		return false;
	f->form.when_list = build_string(b, list->text, list->length);
	return true;
}

/* The field of a condition, looked up when all fields of the item are known. */
struct when { uint32_t field; struct word name, word; };

struct field_context {
	const struct scope *scope;
	uint32_t first;
	uint64_t reset, reset_mask;
	struct b_pointer pointer;	/* of this field */
	VEC(struct when) whens;
};

/* when=FIELD=VALUE, with FIELD another field of the item. */
static void parse_when(struct build *b, const struct word *word, struct b_field *f,
		       struct field_context *context)
{
	struct when when = { .field = (uint32_t)b->fields.count, .word = *word };
	struct word value;

	if (!split_condition(word, &when.name, &value, &f->form.when_not) ||
	    !parse_when_values(b, &value, f)) {
		expected(b, word, "when=FIELD=VALUE or when=FIELD!=VALUE, with a VALUE or several "
				  "below 64 as 1|4..7");
		return;
	}
	b->failed |= !vec_push(&context->whens, when);
}

/* The nearest earlier field of that name that its platforms have, or else the next later one. */
static void find_when(struct build *b, const struct when *when, uint32_t first)
{
	struct b_field *f = &b->fields.items[when->field];
	uint32_t count = (uint32_t)b->fields.count - first, own = when->field - first;

	for (uint32_t i = 1; i < count; i++) {
		uint32_t at = i <= own ? own - i : i;
		const struct b_field *g = &b->fields.items[first + at];

		if (word_is(&when->name, build_text(b, g->name)) &&
		    wheres_meet(&f->where, &g->where)) {
			f->form.when_field = at;
			return;
		}
	}
	expected(b, &when->word, "when= to name another field of this item");
}

static void parse_field_word(struct build *b, const struct word *word, struct b_field *f,
			     struct field_context *context)
{
	static const struct attribute words[] = {
		WHERE_OF(struct b_field, where), STRING_OF("unit", struct b_field, form.unit),
		STRING_OF("join", struct b_field, form.join),
		STRING_OF("target", struct b_field, form.target),
		FLAG_OF("overlay", struct b_field, form.flags, GSC_FIELD_OVERLAY), { 0 },
	};
	uint64_t number, mask = UINT64_MAX >> (63 - (f->hi - f->lo));
	unsigned dword, hi, lo;
	struct word value;

	if (parse_attribute(b, word, words, f)) {
		return;
	} else if (word_option(word, "when", &value)) {
		parse_when(b, &value, f, context);
	} else if (word_option(word, "to", &value)) {
		/* The bits of the whole instruction that a field of a compacted one gives. */
		for (struct word part = { 0 }; word_part(&value, ',', &part);)
			if (!parse_bits(b, &part, &dword, &hi, &lo))
				return;
		f->form.to = word_string(b, &value);
	} else if (word_option(word, "reset", &value)) {
		if (!parse_number(b, &value, &number))
			return;
		if (number & ~mask || f->hi > 63) {
			expected(b, &value, "a reset value that fits the field");
			return;
		}
		context->reset |= number << f->lo;
		context->reset_mask |= mask << f->lo;
	} else if (access_bit(word)) {
		f->form.access |= (uint8_t)access_bit(word);
	} else if (!parse_pointer_word(b, word, &context->pointer) && !parse_scale(b, word, f) &&
		   !parse_type(b, word, f)) {
		expected(b, word, "a type, a scale, an access, overlay, on= when= unit= join= "
				  "target= to= base= count= bytes= end= most= if= reset= or a "
				  "\"text\"");
	}
}

/* The words for bits without a meaning, and the names that these bits get. */
static const struct { const char *word, *name; uint8_t flag; } meaningless[] = {
	{ "mbz", "RESERVED", GSC_FIELD_MBZ },
	{ "mbo", "RESERVED", GSC_FIELD_MBO },
	{ "ignored", "IGNORED", GSC_FIELD_IGNORED },
};

bool is_field_line(const struct word *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(meaningless); i++)
		if (word_is(word, meaningless[i].word))
			return true;
	return word_is(word, "field");
}

static void parse_field(struct build *b, const struct line *line, struct field_context *context,
			const char *reserved, uint8_t flags)
{
	static const struct b_pointer none;
	const struct word *name = word_at(line, 1), *word = word_at(line, flags ? 1 : 2);
	struct b_field f = { .where = context->scope->where,
			     .form = { .when_field = NONE, .multiply = 1, .divide = 1,
				       .flags = flags } };
	unsigned dword, hi, lo;

	if (!flags && !is_name(name)) {
		expected(b, name, "the field's name");
		return;
	}
	if (!parse_bits(b, word, &dword, &hi, &lo))
		return;
	context->pointer = none;
	f.dword = (uint16_t)dword;
	f.hi = (uint16_t)hi;
	f.lo = (uint16_t)lo;
	f.name = flags ? build_string(b, reserved, strlen(reserved)) : word_string(b, name);
	while (word_plain(++word))
		parse_field_word(b, word, &f, context);
	if (word->quoted) {
		f.doc = word_string(b, word);
		parse_end(b, word + 1);
	}
	/* The words next to target= make it a pointer which can be followed. */
	if (memcmp(&context->pointer, &none, sizeof(none)) && !f.form.target) {
		expected(b, word_at(line, line->count), "target=, because another option says "
							"where or how many targets there are");
	} else if (f.form.target && memcmp(&context->pointer, &none, sizeof(none))) {
		build_add(b, pointers, context->pointer);
		f.form.pointer = (uint32_t)b->pointers.count;
	}
	f.values = parse_values(b, line);
	build_add(b, fields, f);
}

struct b_slice parse_fields(struct build *b, const struct line *item, const struct scope *scope,
			    uint64_t *reset, uint64_t *reset_mask)
{
	struct field_context context = { .scope = scope, .first = (uint32_t)b->fields.count };

	line_each(b, line, item) {
		if (word_is(line->word, "field"))
			parse_field(b, line, &context, NULL, 0);
		for (size_t i = 0; i < ARRAY_SIZE(meaningless); i++)
			if (word_is(line->word, meaningless[i].word))
				parse_field(b, line, &context, meaningless[i].name,
					    meaningless[i].flag);
	}
	for (size_t i = 0; i < context.whens.count; i++)
		if (context.whens.items[i].field < b->fields.count)
			find_when(b, &context.whens.items[i], context.first);
	vec_free(&context.whens);
	if (reset) {
		*reset |= context.reset;
		*reset_mask |= context.reset_mask;
	}
	return (struct b_slice){ context.first, (uint32_t)b->fields.count - context.first };
}

uint32_t find_field(const struct build *b, const struct word *word, struct b_slice fields)
{
	for (uint32_t i = 0; i < fields.count; i++)
		if (word_is(word, build_text(b, b->fields.items[fields.first + i].name)))
			return i;
	return NONE;
}

static void parse_repeat(struct build *b, const struct line *line, const struct scope *scope,
			 const struct b_repeat *before, struct b_repeat *r, struct b_slice fields)
{
	static const char what[] = "at=dwN|after, size=DWORDS or count=N|FIELD|rest";
	bool has_at = false, has_count = false;

	if (!parse_name(b, line, "the group's name", &r->name))
		return;
	words_each(word, line, 2) {
		struct word value, digits;
		uint64_t number = 0;

		if (word_option(word, "at", &value)) {
			digits = word_from(&value, MIN(value.length, 2u));
			has_at = true;
			r->after = word_is(&value, "after");
			if (r->after && !before)
				expected(b, word, "a group before it");
			else if (!r->after && (value.length < 3 || memcmp(value.text, "dw", 2) ||
					       !word_number(&digits, &number)))
				expected(b, word, what);
			r->at = !r->after ? (uint32_t)number : before ? before->at : 0;
		} else if (word_option(word, "size", &value) && word_number(&value, &number) &&
			   number) {
			r->size = (uint32_t)number;
		} else if (word_option(word, "count", &value)) {
			has_count = true;
			r->kind = word_is(&value, "rest") ? REPEAT_REST
				  : word_number(&value, &number) && number <= UINT16_MAX
					  ? REPEAT_COUNT : REPEAT_FIELD;
			if (r->kind != REPEAT_REST)
				r->count = r->kind == REPEAT_COUNT ? (uint32_t)number
								   : find_field(b, &value, fields);
			if (r->count == NONE)
				expected(b, &value, "rest, a number or a field of this item");
		} else {
			expected(b, word, what);
		}
	}
	if (!has_at || !r->size || !has_count)
		expected(b, word_at(line, line->count), "at=dwN, size=DWORDS and count=");
	r->fields = parse_fields(b, line, scope, NULL, NULL);
}

struct b_slice parse_repeats(struct build *b, const struct line *item, const struct scope *scope,
			     struct b_slice fields)
{
	struct b_slice slice = { (uint32_t)b->repeats.count, 0 };

	line_each_of(b, line, item, "repeat") {
		struct b_repeat r = { 0 };

		parse_repeat(b, line, scope,
			     slice.count ? &b->repeats.items[b->repeats.count - 1] : NULL, &r,
			     fields);
		slice.count += build_add(b, repeats, r);
	}
	return slice;
}
