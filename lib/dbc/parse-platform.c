/* SPDX-License-Identifier: MIT */
/*
 * `platform` and the lines below it: versions, ids, engines, forcewake domains, steppings;
 * `engine`, what an engine is called on all platforms; and `property`.
 */
#include "dbc/build.h"
#include "util/number.h"

#include <string.h>

#define PCI_BARS 6

/* "12.70" as 1270. */
static bool parse_ip(struct build *b, const struct line *line, const struct word *word,
		     uint32_t *version)
{
	const char *dot = memchr(word->text, '.', word->length);
	size_t whole = dot ? (size_t)(dot - word->text) : word->length;
	size_t digits = dot ? word->length - whole - 1 : 0;
	uint64_t major, minor = 0;

	if (!number_parse(word->text, whole, &major) || major > 999 || (dot && !digits) ||
	    digits > 2 || (dot && !number_parse(dot + 1, digits, &minor))) {
		expected(b, line, word, "an IP version, as 12.70");
		return false;
	}
	*version = (uint32_t)(major * 100 + (digits == 1 ? minor * 10 : minor));
	return true;
}

/* NAME=NUMBER, with the name in *name. */
static bool parse_pair(struct build *b, const struct line *line, const struct word *word,
		       str_t *name, uint64_t *value)
{
	const char *equals = memchr(word->text, '=', word->length);
	size_t length = equals ? (size_t)(equals - word->text) : 0;

	if (!length || !number_parse(equals + 1, word->length - length - 1, value) ||
	    *value > UINT32_MAX) {
		expected(b, line, word, "NAME=NUMBER");
		return false;
	}
	*name = build_string(b, word->text, length);
	return true;
}

static void parse_id(struct build *b, const struct line *line)
{
	const struct word *number = line_word(b->lex, line, 1), *text = line_word(b->lex, line, 2);
	uint64_t device;

	if (!parse_number(b, line, number, &device))
		return;
	if (!device || device > UINT16_MAX) {
		expected(b, line, number, "a PCI device id of 16 bits");
		return;
	}
	build_add(b, ids, (struct b_id){ (uint16_t)device, (uint16_t)b->platforms.count,
					 text ? word_string(b, text) : 0 });
}

static void parse_bar(struct build *b, const struct line *line, struct b_platform *p)
{
	const struct word *size = line_word(b->lex, line, 1);

	parse_number(b, line, size, &p->bar_size);
	for (uint32_t i = 2; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;

		if (word_option(word, "registers", &value))
			parse_number(b, line, &value, &p->register_bytes);
		else if (word_option(word, "ggtt", &value))
			parse_number(b, line, &value, &p->ggtt_offset);
		else
			expected(b, line, word, "registers= or ggtt=");
	}
}

static void parse_ggtt(struct build *b, const struct line *line, struct b_platform *p)
{
	for (uint32_t i = 1; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;
		uint64_t number;

		if (word_option(word, "entry", &value) && parse_number(b, line, &value, &number) &&
		    (number == 4 || number == 8))
			p->ggtt_entry = (uint32_t)number;
		else if (word_option(word, "max", &value))
			parse_number(b, line, &value, &p->ggtt_max);
		else if (word_option(word, "bar", &value) &&
			 parse_number(b, line, &value, &number) && number < PCI_BARS)
			p->ggtt_bar = (uint32_t)number;
		else
			expected(b, line, word, "entry=4|8, max= or bar=");
	}
}

static void parse_engine_list(struct build *b, const struct line *line, struct b_platform *p)
{
	for (uint32_t i = 1; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word name = *word;
		struct b_engine engine = { 0 };
		uint64_t base;
		uint16_t classes;
		int8_t instance;

		if (!parse_pair(b, line, word, &engine.name, &base))
			return;
		name.length = (uint32_t)strlen(build_text(b, engine.name));
		if (!parse_engines(b, line, &name, &classes, &instance))
			return;
		if (instance < 0) {
			expected(b, line, word, "an engine with its instance, as rcs0=0x2000");
			return;
		}
		engine.base = (uint32_t)base;
		engine.class = (uint8_t)__builtin_ctz(classes);
		engine.instance = (uint8_t)instance;
		p->engines.count += build_add(b, engines, engine);
	}
}

static const char *const number_words[ENGINE_NUMBERS] = { "uapi", "xe", "id", "old", "ring",
							   "aub" };

static bool parse_engine_number(struct build *b, const struct line *line, const struct word *word,
				struct b_engine_row *row)
{
	struct word value;
	uint64_t number;

	for (unsigned i = 0; i < ENGINE_NUMBERS; i++) {
		if (!word_option(word, number_words[i], &value) ||
		    !parse_number(b, line, &value, &number))
			continue;
		if (number >= 64)
			expected(b, line, &value, "a number below 64");
		row->numbered |= (uint8_t)(1u << i);
		row->numbers[i] = (uint8_t)number;
		return true;
	}
	return false;
}

static void parse_engine_aliases(struct build *b, const struct line *line,
				 struct b_engine_row *row)
{
	unsigned count = 0;

	line_each(b->lex, child, line) {
		if (!word_is(line_word(b->lex, child, 0), "alias")) {
			expected(b, child, line_word(b->lex, child, 0), "alias");
			return;
		}
		for (uint32_t i = 1; i < child->words; i++) {
			if (count == ENGINE_ALIASES) {
				expected(b, child, line_word(b->lex, child, i), "fewer names");
				return;
			}
			row->aliases[count++] = word_string(b, line_word(b->lex, child, i));
		}
	}
}

/* engine NAME ["title"] [uapi=] [xe=] [id=] [old=] [ring=] [aub=] [media] */
void parse_engine_names(struct build *b, const struct line *line, struct scope *scope)
{
	const struct word *name = line_word(b->lex, line, 1);
	struct b_engine_row row = { 0 };
	uint16_t classes;
	int8_t instance;

	(void)scope;
	if (b->base) {
		expected(b, line, line_word(b->lex, line, 0),
			 "no names of engines: only the built-in data has them");
		return;
	}
	if (!name) {
		expected(b, line, NULL, "an engine or a class of engines");
		return;
	}
	if (!parse_engines(b, line, name, &classes, &instance))
		return;
	row.name = word_string(b, name);
	row.is_class = instance < 0;
	for (uint32_t i = 2; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);

		if (word->quoted && row.is_class)
			row.title = word_string(b, word);
		else if (word_is(word, "media"))
			row.is_media = true;
		else if (!parse_engine_number(b, line, word, &row))
			expected(b, line, word,
				 "a \"title\" of a class, media, or uapi= xe= id= old= ring= aub=");
	}
	parse_engine_aliases(b, line, &row);
	build_add(b, engine_rows, row);
}

/* wake NAME request=.. ack=.. */
static void parse_wake(struct build *b, const struct line *line, struct b_platform *p)
{
	const struct word *name = line_word(b->lex, line, 1);
	struct b_wake wake = { 0 };

	if (!name || name->quoted) {
		expected(b, line, name, "the domain's name");
		return;
	}
	wake.name = word_string(b, name);
	for (uint32_t i = 2; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;
		bool request = word_option(word, "request", &value);
		uint64_t number = 0;

		if (!request && !word_option(word, "ack", &value))
			expected(b, line, word, "request= or ack=");
		else if (parse_number(b, line, &value, &number))
			*(request ? &wake.request : &wake.ack) = (uint32_t)number;
	}
	p->wakes.count += build_add(b, wakes, wake);
}

static void parse_steppings(struct build *b, const struct line *line, struct b_platform *p)
{
	for (uint32_t i = 1; i < line->words; i++) {
		struct b_stepping stepping = { 0 };
		uint64_t revision;

		if (!parse_pair(b, line, line_word(b->lex, line, i), &stepping.name, &revision))
			return;
		stepping.revision = (uint32_t)revision;
		p->steppings.count += build_add(b, steppings, stepping);
	}
}

static void parse_flags(struct build *b, const struct line *line, struct b_platform *p)
{
	for (uint32_t i = 1; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		uint32_t flag = platform_flag(word->quoted ? "" : word->text, word->length);

		if (!flag)
			expected(b, line, word, "atom, discrete or lmem");
		p->flags |= flag;
	}
}

static void parse_small(struct build *b, const struct line *line, uint32_t *out)
{
	uint64_t number;

	if (parse_number(b, line, line_word(b->lex, line, 1), &number))
		*out = (uint32_t)number;
}

/* address 52 virtual=57 */
static void parse_address(struct build *b, const struct line *line, struct b_platform *p)
{
	const struct word *word = line_word(b->lex, line, 2);
	struct word value;
	uint64_t number;

	parse_small(b, line, &p->address_bits);
	if (word && word_option(word, "virtual", &value) &&
	    parse_number(b, line, &value, &number) && number <= 57)
		p->virtual_bits = (uint32_t)number;
	else
		expected(b, line, word, "virtual= and a number of bits");
}

static void parse_platform_line(struct build *b, const struct line *line, struct b_platform *p)
{
	const struct word *key = line_word(b->lex, line, 0);

	if (word_is(key, "id"))
		parse_id(b, line);
	else if (word_is(key, "bar"))
		parse_bar(b, line, p);
	else if (word_is(key, "ggtt"))
		parse_ggtt(b, line, p);
	else if (word_is(key, "engine"))
		parse_engine_list(b, line, p);
	else if (word_is(key, "wake"))
		parse_wake(b, line, p);
	else if (word_is(key, "stepping"))
		parse_steppings(b, line, p);
	else if (word_is(key, "flag"))
		parse_flags(b, line, p);
	else if (word_is(key, "address"))
		parse_address(b, line, p);
	else if (word_is(key, "fences"))
		parse_small(b, line, &p->fences);
	else if (word_is(key, "simulator"))
		parse_small(b, line, &p->simulator);
	else if (!word_is(key, "alias") && !word_is(key, "origin"))
		expected(b, line, key,
			 "alias, id, bar, ggtt, engine, wake, stepping, flag, address, fences, "
			 "simulator or origin");
}

void parse_platform(struct build *b, const struct line *line, struct scope *scope)
{
	const struct word *name = line_word(b->lex, line, 1), *title = line_word(b->lex, line, 2);
	struct b_platform p = { .origin = scope->origin };
	str_t doc = 0;

	if (b->base && b->whole)
		b->base = NULL;
	if (b->base) {
		expected(b, line, line_word(b->lex, line, 0),
			 "no platforms: only the built-in data defines them");
		return;
	}
	if (!is_name(name) || !title || !title->quoted || b->platforms.count >= PLATFORMS_MAX) {
		expected(b, line, is_name(name) ? title : name, "a name and a \"title\"");
		return;
	}
	p.name = word_string(b, name);
	p.title = word_string(b, title);
	for (uint32_t i = 3; i < line->words; i++) {
		const struct word *word = line_word(b->lex, line, i);
		struct word value;

		if (word_option(word, "gfx", &value))
			parse_ip(b, line, &value, &p.graphics);
		else if (word_option(word, "media", &value))
			parse_ip(b, line, &value, &p.media);
		else if (word_option(word, "display", &value))
			parse_ip(b, line, &value, &p.display);
		else
			expected(b, line, word, "gfx=, media= or display=");
	}
	p.engines.first = (uint32_t)b->engines.count;
	p.wakes.first = (uint32_t)b->wakes.count;
	p.steppings.first = (uint32_t)b->steppings.count;
	line_each(b->lex, child, line)
		parse_platform_line(b, child, &p);
	if (p.ggtt_bar)
		p.ggtt_offset = p.bar_size;
	p.aliases = parse_aliases(b, line, NULL);
	parse_doc(b, line, &doc, &p.origin);
	build_add(b, platforms, p);
}

/* ---- properties: facts about platforms, which the library looks up by name ------------------- */

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
static void parse_property_value(struct build *b, const struct line *line, struct b_property *p,
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
	struct b_property *p = NULL, made = { .line = line->number, .origin = scope->origin };
	struct b_where where = scope->where;
	bool values = false, limited = false;
	str_t doc = 0;

	if (b->base) {
		expected(b, line, line_word(b->lex, line, 0),
			 "no properties: only the built-in data defines them");
		return;
	}
	for (unsigned i = 0; i < PROPERTIES && !p; i++)
		if (word_is(name, property_names[i]))
			p = &b->properties[i];
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
	made.name = word_string(b, name);
	made.file = file_string(b);
	line_each(b->lex, child, line) {
		const struct word *key = line_word(b->lex, child, 0);

		if (word_is(key, "value")) {
			parse_property_value(b, child, &made, &where);
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
