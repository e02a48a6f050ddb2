/* SPDX-License-Identifier: MIT */
/*
 * `platform` and the lines below it: versions, ids, engines, forcewake domains, steppings;
 * `engine`, what an engine is called on all platforms; and `property`.
 */
#include "dbc/build.h"

#include <string.h>

/* "12.70" as 1270. */
static void parse_ip(struct build *b, const struct word *word, uint32_t *version)
{
	struct word whole, rest;
	uint64_t major, minor = 0;
	bool dot = word_split(word, ".", &whole, &rest);

	if (!word_number(&whole, &major) || major > 999 ||
	    (dot && (rest.length > 2 || !word_number(&rest, &minor))))
		expected(b, word, "an IP version, as 12.70");
	else
		*version = (uint32_t)(major * 100 + (dot && rest.length == 1 ? minor * 10 : minor));
}

/* NAME=NUMBER */
static bool parse_pair(struct build *b, const struct word *word, struct word *name,
		       uint32_t *number)
{
	struct word value;
	uint64_t wide;

	if (!word_split(word, "=", name, &value) || !name->length || !word_number(&value, &wide) ||
	    wide > UINT32_MAX) {
		expected(b, word, "NAME=NUMBER");
		return false;
	}
	*number = (uint32_t)wide;
	return true;
}

static void parse_id(struct build *b, const struct line *line, void *record)
{
	const struct word *text = word_at(line, 2);
	uint64_t device;

	(void)record;
	if (parse_bounded(b, word_at(line, 1), 1, UINT16_MAX, "a PCI device id of 16 bits",
			  &device))
		build_add(b, ids, (struct b_id){ (uint16_t)device, (uint16_t)b->platforms.count,
						 text->end ? 0 : word_string(b, text) });
}

static void parse_bar(struct build *b, const struct line *line, void *record)
{
	static const struct attribute words[] = {
		NUMBER_OF("registers", struct b_platform, register_bytes, 0, UINT64_MAX),
		NUMBER_OF("ggtt", struct b_platform, ggtt_offset, 0, UINT64_MAX), { 0 },
	};
	struct b_platform *p = record;

	parse_number(b, word_at(line, 1), &p->bar_size);
	parse_attributes(b, word_at(line, 2), words, p, NULL, "registers= or ggtt=");
}

static void parse_ggtt(struct build *b, const struct line *line, void *record)
{
	static const struct attribute words[] = {
		NUMBER_OF("entry", struct b_platform, ggtt_entry, 4, 8),
		NUMBER_OF("max", struct b_platform, ggtt_max, 0, UINT64_MAX),
		NUMBER_OF("bar", struct b_platform, ggtt_bar, 0, 5), { 0 },
	};

	parse_attributes(b, word_at(line, 1), words, record, NULL, "entry=4|8, max= or bar=");
	if (((const struct b_platform *)record)->ggtt_entry % 4)
		expected(b, line->word, "entry=4 or entry=8");
}

static void parse_engine_list(struct build *b, const struct line *line, void *record)
{
	struct b_platform *p = record;

	words_each(word, line, 1) {
		struct b_engine engine = { 0 };
		struct word name;
		uint16_t classes;
		int8_t instance;

		if (!parse_pair(b, word, &name, &engine.base) ||
		    !parse_engines(b, &name, &classes, &instance))
			return;
		if (instance < 0) {
			expected(b, word, "an engine with its instance, as rcs0=0x2000");
			return;
		}
		engine.name = word_string(b, &name);
		engine.class = (uint8_t)__builtin_ctz(classes);
		engine.instance = (uint8_t)instance;
		p->engines.count += build_add(b, engines, engine);
	}
}

static void parse_engine_aliases(struct build *b, const struct line *line, void *record)
{
	struct b_engine_row *row = record;
	unsigned count = 0;

	words_each(word, line, 1) {
		while (count < ENGINE_ALIASES && row->aliases[count])
			count++;
		if (count == ENGINE_ALIASES) {
			expected(b, word, "fewer names");
			return;
		}
		row->aliases[count] = word_string(b, word);
	}
}

/* engine NAME ["title"] [uapi=] [xe=] [id=] [old=] [ring=] [aub=] [media] */
void parse_engine_names(struct build *b, const struct line *line, struct scope *scope)
{
	static const char *const numbers[ENGINE_NUMBERS] = { "uapi", "xe", "id", "old", "ring",
							     "aub" };
	static const struct attribute words[] = {
		FLAG_OF("media", struct b_engine_row, is_media, 1), { 0 },
	};
	static const struct below below[] = { { "alias", parse_engine_aliases } };
	const struct word *name = word_at(line, 1);
	struct b_engine_row row = { 0 };
	uint16_t classes;
	int8_t instance;

	(void)scope;
	if (b->base) {
		expected(b, line->word, "no names of engines: only the built-in data has them");
		return;
	}
	if (name->end) {
		expected(b, name, "an engine or a class of engines");
		return;
	}
	if (!parse_engines(b, name, &classes, &instance))
		return;
	row.name = word_string(b, name);
	row.is_class = instance < 0;
	words_each(word, line, 2) {
		struct word key, value;
		uint64_t number = 0;
		int kind = word_split(word, "=", &key, &value)
				   ? word_among(&key, numbers, ENGINE_NUMBERS) : -1;

		if (word->quoted && row.is_class) {
			row.title = word_string(b, word);
		} else if (kind >= 0) {
			parse_bounded(b, &value, 0, 63, "a number below 64", &number);
			row.numbered |= (uint8_t)(1u << kind);
			row.numbers[kind] = (uint8_t)number;
		} else if (!parse_attribute(b, word, words, &row)) {
			expected(b, word,
				 "a \"title\" of a class, media, or uapi= xe= id= old= ring= aub=");
		}
	}
	parse_below(b, line, below, ARRAY_SIZE(below), &row);
	build_add(b, engine_rows, row);
}

/* wake NAME request=.. ack=.. */
static void parse_wake(struct build *b, const struct line *line, void *record)
{
	static const struct attribute words[] = {
		NUMBER_OF("request", struct b_wake, request, 0, UINT32_MAX),
		NUMBER_OF("ack", struct b_wake, ack, 0, UINT32_MAX), { 0 },
	};
	const struct word *name = word_at(line, 1);
	struct b_platform *p = record;
	struct b_wake wake = { 0 };

	if (!word_plain(name)) {
		expected(b, name, "the domain's name");
		return;
	}
	wake.name = word_string(b, name);
	parse_attributes(b, word_at(line, 2), words, &wake, NULL, "request= or ack=");
	p->wakes.count += build_add(b, wakes, wake);
}

static void parse_steppings(struct build *b, const struct line *line, void *record)
{
	struct b_platform *p = record;

	words_each(word, line, 1) {
		struct b_stepping stepping = { 0 };
		struct word name;

		if (!parse_pair(b, word, &name, &stepping.revision))
			return;
		stepping.name = word_string(b, &name);
		p->steppings.count += build_add(b, steppings, stepping);
	}
}

static void parse_flags(struct build *b, const struct line *line, void *record)
{
	struct b_platform *p = record;

	words_each(word, line, 1) {
		if (!platform_flag(word))
			expected(b, word, "atom, discrete or lmem");
		p->flags |= platform_flag(word);
	}
}

static void parse_small(struct build *b, const struct word *word, uint32_t *out)
{
	uint64_t number;

	if (parse_number(b, word, &number))
		*out = (uint32_t)number;
}

static void parse_fences(struct build *b, const struct line *line, void *record)
{
	parse_small(b, word_at(line, 1), &((struct b_platform *)record)->fences);
}

static void parse_simulator(struct build *b, const struct line *line, void *record)
{
	parse_small(b, word_at(line, 1), &((struct b_platform *)record)->simulator);
}

/* address 52 virtual=57 */
static void parse_address(struct build *b, const struct line *line, void *record)
{
	static const struct attribute words[] = {
		NUMBER_OF("virtual", struct b_platform, virtual_bits, 1, 57), { 0 },
	};
	struct b_platform *p = record;

	parse_small(b, word_at(line, 1), &p->address_bits);
	if (!parse_attribute(b, word_at(line, 2), words, p))
		expected(b, word_at(line, 2), "virtual= and a number of bits");
}

void parse_platform(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct below below[] = {
		{ "alias", NULL }, { "id", parse_id }, { "bar", parse_bar }, { "ggtt", parse_ggtt },
		{ "engine", parse_engine_list }, { "wake", parse_wake },
		{ "stepping", parse_steppings }, { "flag", parse_flags },
		{ "address", parse_address }, { "fences", parse_fences },
		{ "simulator", parse_simulator }, { "origin", NULL },
	};
	const struct word *name = word_at(line, 1), *title = word_at(line, 2);
	struct b_platform p = { .origin = scope->origin };
	str_t doc = 0;

	if (b->base && b->whole)
		b->base = NULL;
	if (b->base) {
		expected(b, line->word, "no platforms: only the built-in data defines them");
		return;
	}
	if (!is_name(name) || !title->quoted || b->platforms.count >= PLATFORMS_MAX) {
		expected(b, is_name(name) ? title : name, "a name and a \"title\"");
		return;
	}
	p.name = word_string(b, name);
	p.title = word_string(b, title);
	words_each(word, line, 3) {
		struct word value;

		if (word_option(word, "gfx", &value))
			parse_ip(b, &value, &p.graphics);
		else if (word_option(word, "media", &value))
			parse_ip(b, &value, &p.media);
		else if (word_option(word, "display", &value))
			parse_ip(b, &value, &p.display);
		else
			expected(b, word, "gfx=, media= or display=");
	}
	p.engines.first = (uint32_t)b->engines.count;
	p.wakes.first = (uint32_t)b->wakes.count;
	p.steppings.first = (uint32_t)b->steppings.count;
	parse_below(b, line, below, ARRAY_SIZE(below), &p);
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
		expected(b, word_at(line, line->count),
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
	const struct word *on = word_at(line, 2);
	struct b_where own = *where;
	struct word list;
	uint64_t number;

	if (!parse_bounded(b, word_at(line, 1), 1, UINT16_MAX, "a number from 1 to 65535", &number))
		return;
	if (!on->end && !word_option(on, "on", &list))
		expected(b, on, "on=");
	else if (line->count > 3)
		parse_end(b, word_at(line, 3));
	else if (on->end || parse_where(b, &list, &own))
		set_value(b, line, p, &own, (uint16_t)number);
}

/* property NAME [on=LIST] "TEXT": 1 on these platforms, or what the `value` lines below give. */
void parse_property(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct below below[] = { { "value", NULL }, { "origin", NULL } };
	const struct word *name = word_at(line, 1);
	struct b_property *p, made = { .line = line->number, .origin = scope->origin };
	struct b_where where = scope->where;
	int which = word_among(name, property_names, PROPERTIES);
	bool values = false, limited = false;
	str_t doc = 0;

	if (b->base) {
		expected(b, line->word, "no properties: only the built-in data defines them");
		return;
	}
	p = &b->properties[MAX(which, 0)];
	if (which < 0 || p->name) {
		expected(b, name, which < 0 ? "a property that the library asks for"
					    : "a property that is not defined yet");
		return;
	}
	words_each(word, line, 2) {
		struct word list;

		if (word->quoted) {
			made.text = word_string(b, word);
		} else if (word_option(word, "on", &list)) {
			if (!parse_where(b, &list, &where))
				return;
			limited = true;
		} else {
			expected(b, word, "on= or a \"text\"");
			return;
		}
	}
	if (!made.text)
		expected(b, word_at(line, line->count), "a \"text\" that says what it means");
	made.name = word_string(b, name);
	made.file = file_string(b);
	line_each_of(b, value, line, "value") {
		parse_property_value(b, value, &made, &where);
		values = true;
	}
	parse_below(b, line, below, ARRAY_SIZE(below), NULL);
	parse_doc(b, line, &doc, &made.origin);
	if (!values && limited)
		set_value(b, line, &made, &where, 1);
	else if (!values)
		expected(b, word_at(line, line->count), "on=, or `value` lines below");
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
