/* SPDX-License-Identifier: MIT */
/* Fields, their values, what they point to, and repeated groups of them. */
#include "dbc/build.h"
#include "util/number.h"

#include <string.h>

static const char *const addr_words[A_SPACES] = { NULL,	  "ggtt", "ppgtt", "gfx",   "phys",
						  "lmem", "mmio", "ring",  "gmadr", "stolen" };

static bool is_value_line(const struct word *key)
{
	return key && !key->quoted && key->length && key->text[0] >= '0' && key->text[0] <= '9';
}

/* LO[..HI] */
static bool number_range(const char *text, size_t length, uint64_t *lo, uint64_t *hi)
{
	const char *dot = memchr(text, '.', length);
	size_t first = dot ? (size_t)(dot - text) : length;

	if (!number_parse(text, first, lo))
		return false;
	*hi = *lo;
	return first == length ||
	       (first + 2 < length && dot[1] == '.' &&
		number_parse(dot + 2, length - first - 2, hi) && *hi >= *lo);
}

/* LO[..HI] NAME ["doc"] */
static void parse_value(struct build *b, const struct line *line)
{
	const struct word *key = line_word(b->lex, line, 0), *name = line_word(b->lex, line, 1),
			  *doc = line_word(b->lex, line, 2);
	struct b_value value = { 0 };

	if (!number_range(key->text, key->length, &value.lo, &value.hi)) {
		expected(b, line, key, "a value or a range of them, as 2 or 2..3");
		return;
	}
	if (!name) {
		expected(b, line, NULL, "the name of this value");
		return;
	}
	if (doc && !doc->quoted)
		expected(b, line, doc, "a \"text\" or end of line");
	else if (line->words > 3)
		expected(b, line, line_word(b->lex, line, 3), "end of line");
	value.name = word_string(b, name);
	value.doc = doc && doc->quoted ? word_string(b, doc) : 0;
	build_add(b, values, value);
}

struct b_slice parse_values(struct build *b, const struct line *parent)
{
	struct b_slice slice = { (uint32_t)b->values.count, 0 };

	line_each(b->lex, child, parent) {
		const struct word *key = line_word(b->lex, child, 0);

		if (is_value_line(key))
			parse_value(b, child);
		else
			expected(b, child, key, "a value and its name");
	}
	slice.count = (uint32_t)b->values.count - slice.first;
	return slice;
}

/* ---- what is at the target of a field ------------------------------------------------------- */

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

static bool parse_pointer_word(struct build *b, const struct line *line, const struct word *word,
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
		p->end_field = word_string(b, &value);
	} else if (word_option(word, "if", &value)) {
		parse_if(b, line, &value, p);
	} else {
		return false;
	}
	return true;
}

/* ---- one field ------------------------------------------------------------------------------ */

static bool parse_fixed(const struct word *word, struct b_field *f)
{
	const char *dot = memchr(word->text, '.', word->length);
	uint64_t whole, fraction;

	if ((word->text[0] != 'u' && word->text[0] != 's') || !dot ||
	    !number_parse(word->text + 1, (size_t)(dot - word->text) - 1, &whole) ||
	    !number_parse(dot + 1, word->length - (size_t)(dot + 1 - word->text), &fraction) ||
	    fraction > 63)
		return false;
	f->form.type = word->text[0] == 'u' ? F_UFIXED : F_SFIXED;
	f->form.fraction = (uint8_t)fraction;
	return true;
}

static bool parse_type(struct build *b, const struct line *line, const struct word *word,
		       struct b_field *f)
{
	static const struct { const char *word; uint8_t type; } types[] = {
		{ "hex", F_HEX },	{ "dec", F_DEC },     { "bool", F_BOOL },
		{ "signed", F_SIGNED }, { "float", F_FLOAT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (word_is(word, types[i].word)) {
			f->form.type = types[i].type;
			return true;
		}
	if (word->length > 5 && !memcmp(word->text, "addr:", 5)) {
		for (uint8_t i = 1; i < A_SPACES; i++)
			if (text_is(addr_words[i], word->text + 5, word->length - 5)) {
				f->form.type = F_ADDRESS;
				f->form.addr = i;
				return true;
			}
		expected(b, line, word,
			 "addr: with ggtt ppgtt gfx phys lmem mmio ring gmadr or stolen");
		return true;
	}
	if (word->length > 5 && !memcmp(word->text, "enum:", 5)) {
		/* The field of this line is added after its words: its index is the next one. */
		build_add(b, pending, (struct pending_enum){
			(uint32_t)b->fields.count, line->number, word->column,
			build_string(b, word->text + 5, word->length - 5), b->file,
		});
		return true;
	}
	return parse_fixed(word, f);
}

/* <<N +N *N /N */
static bool parse_scale(struct build *b, const struct line *line, const struct word *word,
			struct b_field *f)
{
	uint32_t skip = word->length > 2 && !memcmp(word->text, "<<", 2) ? 2 : 1;
	uint64_t number;

	if (skip == 1 && word->text[0] != '+' && word->text[0] != '*' && word->text[0] != '/')
		return false;
	if (!number_parse(word->text + skip, word->length - skip, &number) || number > UINT32_MAX ||
	    (skip == 2 && number > 63) || (word->text[0] == '/' && !number)) {
		expected(b, line, word, "a number after <<, +, * or /");
		return true;
	}
	if (skip == 2)
		f->form.shift = (uint8_t)number;
	else if (word->text[0] == '+')
		f->form.add = (uint32_t)number;
	else if (word->text[0] == '*')
		f->form.multiply = (uint32_t)number;
	else
		f->form.divide = (uint32_t)number;
	return true;
}

/* to=BITS[,BITS...]: the bits of the whole instruction that a field of a compacted one gives. */
static void parse_to(struct build *b, const struct line *line, const struct word *word,
		     struct b_field *f)
{
	unsigned dword, hi, lo;

	for (struct word part = { 0 }; word_part(word, ',', &part);)
		if (!parse_bits(b, line, &part, &dword, &hi, &lo))
			return;
	f->form.to = word_string(b, word);
}

/* VALUE, or several as 1|4..7: a bit for each of them. */
static bool parse_when_values(struct build *b, const char *text, uint32_t length,
			      struct b_field *f)
{
	const struct word list = { .text = text, .length = length };
	uint64_t lo, hi, listed = 0;

	if (number_parse(text, length, &f->form.when_value))
		return true;
	for (struct word part = { 0 }; word_part(&list, '|', &part);) {
		if (!number_range(part.text, part.length, &lo, &hi) || hi >= WHEN_LISTED)
			return false;
		for (; lo <= hi; lo++)
			listed |= UINT64_C(1) << lo;
	}
	f->form.when_list = build_string(b, text, length);
	f->form.when_value = listed;
	return true;
}

/* The field of a condition, looked up when all fields of the item are known. */
struct when { uint32_t field, length; const struct line *line; struct word word; };

struct field_context {
	const struct scope *scope;
	uint32_t first;
	uint64_t reset, reset_mask;
	struct b_pointer pointer;	/* of this field */
	VEC(struct when) whens;
};

/* when=FIELD=VALUE, with FIELD another field of the item. */
static void parse_when(struct build *b, const struct line *line, const struct word *word,
		       struct b_field *f, struct field_context *context)
{
	struct when *slot;

	const char *equals = memchr(word->text, '=', word->length);
	uint32_t length = equals ? (uint32_t)(equals - word->text) : 0;

	f->form.when_not = length && word->text[length - 1] == '!';
	if (!equals || !parse_when_values(b, equals + 1, word->length - length - 1, f)) {
		expected(b, line, word,
			 "when=FIELD=VALUE or when=FIELD!=VALUE, with a VALUE or several below 64 "
			 "as 1|4..7");
		return;
	}
	slot = vec_add(&context->whens);
	if (slot)
		*slot = (struct when){ (uint32_t)b->fields.count, length - f->form.when_not, line,
				       *word };
	else
		b->failed = true;
}

/* The nearest earlier field of that name that its platforms have, or else the next later one. */
static void find_when(struct build *b, const struct when *when, uint32_t first)
{
	struct b_field *f = &b->fields.items[when->field];
	uint32_t count = (uint32_t)b->fields.count - first, own = when->field - first;

	for (uint32_t i = 1; i < count; i++) {
		uint32_t at = i <= own ? own - i : i;
		const struct b_field *g = &b->fields.items[first + at];

		if (text_is(build_text(b, g->name), when->word.text, when->length) &&
		    wheres_meet(&f->where, &g->where)) {
			f->form.when_field = at;
			return;
		}
	}
	expected(b, when->line, &when->word, "when= to name another field of this item");
}

static void add_reset(struct build *b, const struct line *line, const struct word *word,
		      const struct b_field *f, struct field_context *context)
{
	uint64_t value, mask = f->hi - f->lo == 63 ? UINT64_MAX
						   : (UINT64_C(1) << (f->hi - f->lo + 1)) - 1;

	if (!parse_number(b, line, word, &value))
		return;
	if (value & ~mask || f->hi > 63) {
		expected(b, line, word, "a reset value that fits the field");
		return;
	}
	context->reset |= value << f->lo;
	context->reset_mask |= mask << f->lo;
}

static void parse_field_word(struct build *b, const struct line *line, const struct word *word,
			     struct b_field *f, struct field_context *context)
{
	struct word value;

	if (word_option(word, "on", &value))
		parse_where(b, line, &value, &f->where);
	else if (word_option(word, "when", &value))
		parse_when(b, line, &value, f, context);
	else if (word_option(word, "unit", &value))
		f->form.unit = word_string(b, &value);
	else if (word_option(word, "join", &value))
		f->form.join = word_string(b, &value);
	else if (word_option(word, "target", &value))
		f->form.target = word_string(b, &value);
	else if (word_option(word, "to", &value))
		parse_to(b, line, &value, f);
	else if (word_option(word, "reset", &value))
		add_reset(b, line, &value, f, context);
	else if (word_is(word, "overlay"))
		f->form.flags |= GSC_FIELD_OVERLAY;
	else if (access_bit(word))
		f->form.access |= (uint8_t)access_bit(word);
	else if (!parse_pointer_word(b, line, word, &context->pointer) &&
		 !parse_scale(b, line, word, f) && !parse_type(b, line, word, f))
		expected(b, line, word,
			 "a type, a scale, an access, overlay, on= when= unit= join= target= "
			 "to= base= count= bytes= end= most= if= reset= or a \"text\"");
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

/* The words next to target= that make it a pointer which can be followed. */
static void keep_pointer(struct build *b, const struct line *line, struct b_field *f,
			 const struct b_pointer *p)
{
	static const struct b_pointer none;

	if (!memcmp(p, &none, sizeof(none)))
		return;
	if (!f->form.target) {
		expected(b, line, NULL, "target=, because another option says where or how many "
					"targets there are");
		return;
	}
	build_add(b, pointers, *p);
	f->form.pointer = (uint32_t)b->pointers.count;
}

static void parse_field(struct build *b, const struct line *line, struct field_context *context,
			const char *reserved, uint8_t flags)
{
	uint32_t at = flags ? 1 : 2;
	const struct word *name = line_word(b->lex, line, 1);
	struct b_field f = { .where = context->scope->where,
			     .form = { .when_field = NONE, .multiply = 1, .divide = 1,
				       .flags = flags } };
	unsigned dword, hi, lo;

	if (!flags && !is_name(name)) {
		expected(b, line, name, "the field's name");
		return;
	}
	if (!parse_bits(b, line, line_word(b->lex, line, at), &dword, &hi, &lo))
		return;
	context->pointer = (struct b_pointer){ 0 };
	f.dword = (uint16_t)dword;
	f.hi = (uint16_t)hi;
	f.lo = (uint16_t)lo;
	f.name = flags ? build_string(b, reserved, strlen(reserved)) : word_string(b, name);
	for (at++; at < line->words; at++) {
		const struct word *word = line_word(b->lex, line, at);

		if (!word->quoted) {
			parse_field_word(b, line, word, &f, context);
			continue;
		}
		f.doc = word_string(b, word);
		if (at + 1 < line->words)
			expected(b, line, line_word(b->lex, line, at + 1), "end of line");
		break;
	}
	keep_pointer(b, line, &f, &context->pointer);
	f.values = parse_values(b, line);
	build_add(b, fields, f);
}

struct b_slice parse_fields(struct build *b, const struct line *item, const struct scope *scope,
			    uint64_t *reset, uint64_t *reset_mask)
{
	struct field_context context = { .scope = scope, .first = (uint32_t)b->fields.count };

	line_each(b->lex, child, item) {
		const struct word *key = line_word(b->lex, child, 0);

		if (word_is(key, "field"))
			parse_field(b, child, &context, NULL, 0);
		for (size_t i = 0; i < ARRAY_SIZE(meaningless); i++)
			if (word_is(key, meaningless[i].word))
				parse_field(b, child, &context, meaningless[i].name,
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
		if (text_is(build_text(b, b->fields.items[fields.first + i].name), word->text,
			    word->length))
			return i;
	return NONE;
}

static void parse_count(struct build *b, const struct line *line, const struct word *word,
			struct b_repeat *r, struct b_slice fields)
{
	uint64_t number;

	if (word_is(word, "rest")) {
		r->kind = REPEAT_REST;
	} else if (number_parse(word->text, word->length, &number) && number <= UINT16_MAX) {
		r->kind = REPEAT_COUNT;
		r->count = (uint32_t)number;
	} else {
		r->kind = REPEAT_FIELD;
		r->count = find_field(b, word, fields);
		if (r->count == NONE)
			expected(b, line, word, "rest, a number or a field of this item");
	}
}

static void parse_repeat(struct build *b, const struct line *line, const struct scope *scope,
			 const struct b_repeat *before, struct b_repeat *r, struct b_slice fields)
{
	const struct word *name = line_word(b->lex, line, 1);
	bool has_at = false, has_size = false, has_count = false;

	if (!is_name(name)) {
		expected(b, line, name, "the group's name");
		return;
	}
	r->name = word_string(b, name);
	for (uint32_t i = 2; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;
		uint64_t number;

		if (word_option(word, "at", &value) && value.length > 2 &&
		    !memcmp(value.text, "dw", 2) &&
		    number_parse(value.text + 2, value.length - 2, &number)) {
			r->at = (uint32_t)number;
			has_at = true;
		} else if (word_option(word, "at", &value) && word_is(&value, "after")) {
			if (!before)
				expected(b, line, word, "a group before it");
			r->at = before ? before->at : 0;
			r->after = before != NULL;
			has_at = true;
		} else if (word_option(word, "size", &value) &&
			   number_parse(value.text, value.length, &number) && number) {
			r->size = (uint32_t)number;
			has_size = true;
		} else if (word_option(word, "count", &value)) {
			parse_count(b, line, &value, r, fields);
			has_count = true;
		} else {
			expected(b, line, word,
				 "at=dwN|after, size=DWORDS or count=N|FIELD|rest");
		}
	}
	if (!has_at || !has_size || !has_count)
		expected(b, line, NULL, "at=dwN, size=DWORDS and count=");
	r->fields = parse_fields(b, line, scope, NULL, NULL);
}

struct b_slice parse_repeats(struct build *b, const struct line *item, const struct scope *scope,
			     struct b_slice fields)
{
	struct b_slice slice = { (uint32_t)b->repeats.count, 0 };

	line_each(b->lex, child, item) {
		struct b_repeat r = { 0 };

		if (!word_is(line_word(b->lex, child, 0), "repeat"))
			continue;
		parse_repeat(b, child, scope,
			     slice.count ? &b->repeats.items[b->repeats.count - 1] : NULL, &r,
			     fields);
		slice.count += build_add(b, repeats, r);
	}
	return slice;
}
