/* SPDX-License-Identifier: MIT */
/*
 * The outer constructs: blocks, documents, origins, enums; and the words that all constructs share.
 */
#include "dbc/build.h"
#include "db/db.h"
#include "util/number.h"

#include <string.h>

#define DEPTH_MAX 16

static parse_fn parse_origin;

static const struct { const char *word; uint32_t bit; } access_words[] = {
	{ "ro", GSC_RO },   { "rw", GSC_RW },	      { "wo", GSC_WO },		{ "w1c", GSC_W1C },
	{ "rc", GSC_RC },   { "masked", GSC_MASKED }, { "sticky", GSC_STICKY },
};

uint32_t access_bit(const struct word *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(access_words); i++)
		if (word_is(word, access_words[i].word))
			return access_words[i].bit;
	return 0;
}

const char *gsc_access_word(enum gsc_access bit)
{
	for (size_t i = 0; i < ARRAY_SIZE(access_words); i++)
		if (access_words[i].bit == (uint32_t)bit)
			return access_words[i].word;
	return NULL;
}

bool is_name(const struct word *word)
{
	if (!word || word->quoted || !word->length)
		return false;
	for (uint32_t i = 0; i < word->length; i++) {
		char c = word->text[i];

		if (!(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') &&
		    c != '_')
			return false;
	}
	return true;
}

bool parse_number(struct build *b, const struct line *line, const struct word *word,
		  uint64_t *value)
{
	if (word && !word->quoted && number_parse(word->text, word->length, value))
		return true;
	expected(b, line, word, "a number");
	return false;
}

/* [dwN.]HI[:LO] */
bool parse_bits(struct build *b, const struct line *line, const struct word *word, unsigned *dword,
		unsigned *hi, unsigned *lo)
{
	uint64_t dw = 0, high, low;
	const char *text, *dot, *colon;
	size_t length, high_length;

	if (!word || word->quoted)
		goto bad;
	text = word->text;
	length = word->length;
	dot = memchr(text, '.', length);
	if (dot) {
		if (length < 3 || memcmp(text, "dw", 2) ||
		    !number_parse(text + 2, (size_t)(dot - text) - 2, &dw) || dw > UINT16_MAX)
			goto bad;
		length -= (size_t)(dot - text) + 1;
		text = dot + 1;
	}
	colon = memchr(text, ':', length);
	high_length = colon ? (size_t)(colon - text) : length;
	if (!number_parse(text, high_length, &high))
		goto bad;
	low = high;
	if (colon && !number_parse(colon + 1, length - high_length - 1, &low))
		goto bad;
	if (low > high || high > 4095 || high - low > 63)
		goto bad;
	*dword = (unsigned)dw;
	*hi = (unsigned)high;
	*lo = (unsigned)low;
	return true;
bad:
	expected(b, line, word, "bits: 7, 31:12 or dw1.31:12");
	return false;
}

static bool parse_engine(const struct word *part, uint16_t *classes, int8_t *instance)
{
	for (unsigned i = 0; i < ENGINE_CLASSES; i++) {
		size_t length = strlen(gsc_engine_class(i));
		uint64_t number;

		if (part->length < length || memcmp(part->text, gsc_engine_class(i), length))
			continue;
		if (part->length > length) {
			if (!number_parse(part->text + length, part->length - length, &number) ||
			    number > ENGINE_LAST)
				continue;
			*instance = (int8_t)number;
		}
		*classes |= (uint16_t)(1 << i);
		return true;
	}
	return false;
}

bool parse_engines(struct build *b, const struct line *line, const struct word *word,
		   uint16_t *classes, int8_t *instance)
{
	*classes = 0;
	*instance = -1;
	for (struct word part = { 0 }; word_part(word, ',', &part);)
		if (!parse_engine(&part, classes, instance)) {
			expected(b, line, &part,
				 "engines: rcs bcs vcs vecs ccs gsccs, or one as vcs1");
			return false;
		}
	if (*instance >= 0 && (*classes & (*classes - 1))) {
		expected(b, line, word, "an engine instance alone, without other engines");
		return false;
	}
	return true;
}

static void parse_space(struct build *b, const struct line *line, const struct word *word,
			uint8_t *space)
{
	for (uint8_t i = 0; i <= GSC_SIDEBAND; i++)
		if (word_is(word, gsc_space_name((enum gsc_space)i))) {
			*space = i;
			return;
		}
	expected(b, line, word, "a space: mmio config io vga-sr vga-gr vga-ar vga-cr sideband");
}

bool parse_scope_word(struct build *b, const struct line *line, const struct word *word,
		      struct scope *scope)
{
	struct word value;

	if (word_option(word, "on", &value))
		parse_where(b, line, &value, &scope->where);
	else if (word_option(word, "engine", &value))
		parse_engines(b, line, &value, &scope->engines, &scope->engine_instance);
	else if (word_option(word, "space", &value))
		parse_space(b, line, &value, &scope->space);
	else
		return false;
	return true;
}

str_t word_string(struct build *b, const struct word *word)
{
	char *copy = malloc(word->length + 1);
	uint32_t n = 0;
	str_t s = 0;

	for (uint32_t i = 0; copy && i < word->length; i++) {
		if (word->quoted && word->text[i] == '\\' && i + 1 < word->length)
			i++;
		copy[n++] = word->text[i];
	}
	if (copy)
		s = build_string(b, copy, n);
	b->failed |= !copy;
	free(copy);
	return s;
}

str_t file_string(struct build *b)
{
	return build_string(b, b->file, strlen(b->file));
}

bool parse_name(struct build *b, const struct line *line, const char *what, str_t *name)
{
	const struct word *word = line_word(b->lex, line, 1);

	if (!is_name(word)) {
		expected(b, line, word, what);
		return false;
	}
	*name = word_string(b, word);
	return true;
}

void only_lines(struct build *b, const struct line *item, const char *const *words,
		const char *what)
{
	line_each(b->lex, child, item) {
		const struct word *key = line_word(b->lex, child, 0);
		bool known = word_is(key, "doc") || word_is(key, "origin");

		for (const char *const *word = words; *word && !known; word++)
			known = strcmp(*word, "field") ? word_is(key, *word) : is_field_line(key);
		if (!known)
			expected(b, child, key, what);
	}
}

static void too_many(struct build *b, const struct line *line, uint32_t want)
{
	if (line->words > want)
		expected(b, line, line_word(b->lex, line, want), "end of line");
}

void parse_doc(struct build *b, const struct line *item, str_t *doc, uint32_t *origin)
{
	line_each(b->lex, child, item) {
		const struct word *key = line_word(b->lex, child, 0);

		if (word_is(key, "doc")) {
			const struct word *text = line_word(b->lex, child, 1);

			if (!text || !text->quoted)
				expected(b, child, text, "a \"text\"");
			else
				*doc = word_string(b, text);
			too_many(b, child, 2);
		} else if (word_is(key, "origin")) {
			struct scope scope = { .origin = *origin };

			parse_origin(b, child, &scope);
			*origin = scope.origin;
		}
	}
}

/* NAME, or vcs.NAME for a name on one engine only. */
static bool add_alias(struct build *b, const struct line *line, const struct word *word,
		      const struct b_where *where)
{
	const char *dot = memchr(word->text, '.', word->length);
	struct b_alias alias = { .where = *where, .written = (uint32_t)b->aliases.count,
				 .c = { .instance = -1 } };
	uint16_t engines = 0;
	uint32_t skip = dot ? (uint32_t)(dot + 1 - word->text) : 0;
	struct word engine = { word->text, skip ? skip - 1 : 0, word->column, false };

	if (dot && !parse_engines(b, line, &engine, &engines, &alias.c.instance))
		return false;
	alias.c.engines = engines & 0x3f;
	alias.c.name = build_string(b, word->text + skip, word->length - skip);
	return build_add(b, aliases, alias);
}

/* alias NAME... [on=LIST]; returns how many names there are. */
static uint32_t parse_alias(struct build *b, const struct line *line, const struct b_where *whose)
{
	struct b_where where = EVERYWHERE;
	uint32_t last = line->words, count = 0;
	struct word value;

	if (whose)
		where = *whose;
	if (whose && word_option(line_word(b->lex, line, last - 1), "on", &value)) {
		parse_where(b, line, &value, &where);
		last--;
	}
	if (last < 2)
		expected(b, line, NULL, "a name");
	for (uint32_t i = 1; i < last; i++) {
		const struct word *word = line_word(b->lex, line, i);

		if (word->quoted || memchr(word->text, '=', word->length))
			expected(b, line, word,
				 whose ? "a name, or on= after the names" : "a name");
		else if (add_alias(b, line, word, &where))
			count++;
	}
	return count;
}

struct b_slice parse_aliases(struct build *b, const struct line *item, const struct b_where *where)
{
	struct b_slice slice = { (uint32_t)b->aliases.count, 0 };

	line_each(b->lex, child, item)
		if (word_is(line_word(b->lex, child, 0), "alias"))
			slice.count += parse_alias(b, child, where);
	return slice;
}

static bool find_document(const struct build *b, const struct word *key, uint32_t *found)
{
	for (*found = 0; *found < b->documents.count; ++*found)
		if (text_is(build_text(b, b->documents.items[*found].key), key->text, key->length))
			return true;
	return false;
}

/* A document of the built-in data, cited by a user's file. */
static bool import_document(struct build *b, const struct word *key)
{
	const struct layer *base = b->base ? db_base(b->base) : NULL;

	for (uint32_t i = 0; base && i < layer_count(base, B_DOCUMENTS); i++) {
		const struct b_document *d = LAYER_ITEM(base, B_DOCUMENTS, struct b_document, i);
		const char *title = layer_text(base, d->title);
		struct b_document copy;

		if (!text_is(layer_text(base, d->key), key->text, key->length))
			continue;
		copy.key = word_string(b, key);
		copy.title = build_string(b, title, strlen(title));
		return build_add(b, documents, copy);
	}
	return false;
}

static void parse_document(struct build *b, const struct line *line, struct scope *scope)
{
	const struct word *key = line_word(b->lex, line, 1), *title = line_word(b->lex, line, 2);

	struct b_document new;
	uint32_t found;

	(void)scope;
	if (!key || key->quoted) {
		expected(b, line, key, "a key for the document");
	} else if (!title || !title->quoted) {
		expected(b, line, title, "the document's \"title\"");
	} else if (find_document(b, key, &found)) {
		finding_at(b, "duplicate", line->number, key->column,
			   "document \"%.*s\" is defined twice, expected one definition",
			   (int)key->length, key->text);
	} else {
		new.title = word_string(b, title);
		new.key = word_string(b, key);
		build_add(b, documents, new);
	}
	too_many(b, line, 3);
}

static void parse_origin(struct build *b, const struct line *line, struct scope *scope)
{
	const struct word *key = line_word(b->lex, line, 1), *section = line_word(b->lex, line, 2);
	uint32_t document;

	if (!key || key->quoted) {
		expected(b, line, key, "the key of a document");
		return;
	}
	if (!section || !section->quoted) {
		expected(b, line, section, "a \"section\" of the document");
		return;
	}
	too_many(b, line, 3);
	if (!find_document(b, key, &document) && !import_document(b, key)) {
		expected(b, line, key, "a document that a `document` line defines");
		return;
	}
	if (build_add(b, origins, (struct b_origin){ document, word_string(b, section) }))
		scope->origin = (uint32_t)b->origins.count - 1;
}

static uint32_t find_group(struct build *b, const struct word *name, const struct word *title)
{
	struct b_group new;

	for (uint32_t i = 0; i < b->groups.count; i++) {
		struct b_group *group = &b->groups.items[i];

		if (!text_is(build_text(b, group->name), name->text, name->length))
			continue;
		if (title && !group->title)
			group->title = word_string(b, title);
		return i;
	}
	new.name = word_string(b, name);
	new.title = title ? word_string(b, title) : 0;
	if (!build_add(b, groups, new))
		return NONE;
	return (uint32_t)b->groups.count - 1;
}

static void parse_block(struct build *b, const struct line *block, struct scope *scope,
			unsigned depth);

/* group NAME ["TITLE"] and with: what they say applies to the lines below them. */
static void parse_inner(struct build *b, const struct line *line, struct scope inner,
			unsigned depth)
{
	uint32_t at = 1;

	if (word_is(line_word(b->lex, line, 0), "group")) {
		const struct word *name = line_word(b->lex, line, 1);
		const struct word *title = line_word(b->lex, line, 2);

		if (!name || name->quoted) {
			expected(b, line, name, "the group's name");
			return;
		}
		if (title && !title->quoted)
			title = NULL;
		inner.group = find_group(b, name, title);
		at = title ? 3 : 2;
	}
	for (; at < line->words; at++)
		if (!parse_scope_word(b, line, line_word(b->lex, line, at), &inner))
			expected(b, line, line_word(b->lex, line, at), "on=, engine= or space=");
	parse_block(b, line, &inner, depth + 1);
}

static void parse_enum(struct build *b, const struct line *line, struct scope *scope)
{
	const struct word *name = line_word(b->lex, line, 1);
	struct b_enum new;

	(void)scope;
	if (!is_name(name)) {
		expected(b, line, name, "the enum's name");
		return;
	}
	too_many(b, line, 2);
	new.name = word_string(b, name);
	new.values = parse_values(b, line);
	for (size_t i = 0; i < b->enums.count; i++)
		if (b->enums.items[i].name == new.name)
			finding_at(b, "duplicate", line->number, name->column,
				   "enum \"%s\" is defined twice, expected one definition",
				   build_text(b, new.name));
	build_add(b, enums, new);
}

static const struct { const char *word; parse_fn *parse; } constructs[] = {
	{ "reg", parse_reg },	      { "range", parse_range },	  { "command", parse_command },
	{ "struct", parse_struct },   { "entry", parse_entry },	  { "fact", parse_fact },
	{ "enum", parse_enum },	      { "instruction", parse_instruction },
	{ "origin", parse_origin },   { "document", parse_document },
	{ "engine", parse_engine_names }, { "platform", parse_platform },
	{ "property", parse_property },
};

static void parse_line(struct build *b, const struct line *line, struct scope *scope,
		       unsigned depth)
{
	const struct word *key = line_word(b->lex, line, 0);

	if (word_is(key, "group") || word_is(key, "with")) {
		parse_inner(b, line, *scope, depth);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(constructs); i++)
		if (word_is(key, constructs[i].word)) {
			constructs[i].parse(b, line, scope);
			return;
		}
	expected(b, line, key,
		 "reg, group, with, enum, range, command, struct, entry, instruction, fact, "
		 "origin, document, engine, platform or property");
}

static void parse_block(struct build *b, const struct line *block, struct scope *scope,
			unsigned depth)
{
	if (depth > DEPTH_MAX) {
		expected(b, block, line_word(b->lex, block, 0), "at most 16 nested blocks");
		return;
	}
	line_each(b->lex, child, block)
		parse_line(b, child, scope, depth);
}

static bool parse_format(struct build *b, const struct line *line)
{
	const struct word *version = line_word(b->lex, line, 1);
	uint64_t number;

	if (!word_is(line_word(b->lex, line, 0), "format")) {
		expected(b, line, line_word(b->lex, line, 0), "`format 1` before anything else");
		return false;
	}
	if (!parse_number(b, line, version, &number))
		return false;
	if (number != 1) {
		expected(b, line, version, "format 1: the file is for a newer gpuscope");
		return false;
	}
	too_many(b, line, 2);
	return true;
}

static void parse_lines(struct build *b)
{
	struct scope scope = {
		.where = EVERYWHERE,
		.group = NONE,
		.origin = NONE,
		.engine_instance = -1,
		.space = GSC_MMIO,
	};
	uint32_t i = 0;

	if (!b->lex->lines.count) {
		finding_at(b, "syntax", 1, 1, "the file is empty, expected `format 1`");
		return;
	}
	if (!parse_format(b, &b->lex->lines.items[0]))
		return;
	for (i = b->lex->lines.items[0].next; i != NONE; i = b->lex->lines.items[i].next)
		parse_line(b, &b->lex->lines.items[i], &scope, 0);
}

bool build_parse(struct build *b, const char *file, const char *text, size_t size)
{
	struct lex lex = { 0 };
	char **slot = vec_add(&b->files);
	bool ok;

	if (!slot)
		return false;
	*slot = strdup(file);
	if (!*slot) {
		b->files.count--;
		return false;
	}
	b->file = *slot;
	lex.text = text;
	lex.size = size;
	b->lex = &lex;
	b->looked.text = NULL;
	ok = lex_text(&lex, b, text, size);
	if (ok)
		parse_lines(b);
	b->lex = NULL;
	lex_free(&lex);
	return ok && !b->failed;
}
