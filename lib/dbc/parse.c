/* SPDX-License-Identifier: MIT */
/*
 * The outer constructs: blocks, documents, origins, enums; and the words that all constructs share.
 */
#include "dbc/build.h"
#include "db/db.h"
#include "db/message.h"
#include "util/text.h"

#define DEPTH_MAX 16
#define WORDS_SHOWN 13		/* of a list, if another one is there */

static parse_fn parse_origin;

uint32_t access_bit(const struct word *word)
{
	for (uint32_t bit = GSC_RO; gsc_access_word((enum gsc_access)bit); bit <<= 1)
		if (word_is(word, gsc_access_word((enum gsc_access)bit)))
			return bit;
	return 0;
}

bool is_name(const struct word *word)
{
	for (uint32_t i = 0; i < word->length; i++)
		if (!is_word(word->text[i]))
			return false;
	return !word->quoted && word->length;
}

bool parse_number(struct build *b, const struct word *word, uint64_t *value)
{
	return parse_bounded(b, word, 0, UINT64_MAX, "a number", value);
}

bool parse_bounded(struct build *b, const struct word *word, uint64_t least, uint64_t most,
		   const char *what, uint64_t *value)
{
	if (word_number(word, value) && *value >= least && *value <= most)
		return true;
	expected(b, word, what);
	return false;
}

/* [dwN.]HI[:LO] */
bool parse_bits(struct build *b, const struct word *word, unsigned *dword, unsigned *hi,
		unsigned *lo)
{
	struct word first, bits = *word, last;
	uint64_t dw = 0, high, low;
	bool good = true;

	if (word_split(word, ".", &first, &bits)) {
		first = word_from(&first, MIN(first.length, 2u));
		good = word->length > 2 && !memcmp(word->text, "dw", 2) &&
		       word_number(&first, &dw) && dw <= UINT16_MAX;
	}
	if (!word_split(&bits, ":", &first, &last))
		last = first;
	if (!good || !word_number(&first, &high) || !word_number(&last, &low) || low > high ||
	    high > 4095 || high - low > 63) {
		expected(b, word, "bits: 7, 31:12 or dw1.31:12");
		return false;
	}
	*dword = (unsigned)dw;
	*hi = (unsigned)high;
	*lo = (unsigned)low;
	return true;
}

static bool parse_engine(const struct word *part, uint16_t *classes, int8_t *instance)
{
	for (unsigned i = 0; i < ENGINE_CLASSES; i++) {
		size_t length = strlen(gsc_engine_class(i));
		struct word digits;
		uint64_t number;

		if (part->length < length || memcmp(part->text, gsc_engine_class(i), length))
			continue;
		digits = word_from(part, (uint32_t)length);
		if (digits.length && (!word_number(&digits, &number) || number > ENGINE_LAST))
			continue;
		if (digits.length)
			*instance = (int8_t)number;
		*classes |= (uint16_t)(1 << i);
		return true;
	}
	return false;
}

bool parse_engines(struct build *b, const struct word *word, uint16_t *classes, int8_t *instance)
{
	*classes = 0;
	*instance = -1;
	for (struct word part = { 0 }; word_part(word, ',', &part);)
		if (!parse_engine(&part, classes, instance)) {
			expected(b, &part, "engines: rcs bcs vcs vecs ccs gsccs, or one as vcs1");
			return false;
		}
	if (*instance >= 0 && (*classes & (*classes - 1))) {
		expected(b, word, "an engine instance alone, without other engines");
		return false;
	}
	return true;
}

bool parse_scope_word(struct build *b, const struct word *word, struct scope *scope)
{
	uint8_t space = 0;
	struct word value;

	if (word_option(word, "on", &value)) {
		parse_where(b, &value, &scope->where);
	} else if (word_option(word, "engine", &value)) {
		parse_engines(b, &value, &scope->engines, &scope->engine_instance);
	} else if (word_option(word, "space", &value)) {
		while (space <= GSC_SIDEBAND && !word_is(&value, gsc_space_name(space)))
			space++;
		if (space <= GSC_SIDEBAND)
			scope->space = space;
		else
			expected(b, &value,
				 "a space: mmio config io vga-sr vga-gr vga-ar vga-cr sideband");
	} else {
		return false;
	}
	return true;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool set_attribute(struct build *b, const struct word *word, const struct attribute *a,
			  void *record)
{
	bool alone = a->kind == ATTRIBUTE_FLAG || a->kind == ATTRIBUTE_SET;
	uint8_t *member = (uint8_t *)record + a->offset;
	uint64_t number = 0;
	struct word value = *word;
	char list[200], what[250];
	struct text text = text_of(list);

	if (a->kind == ATTRIBUTE_TEXT ? !word->quoted
	    : alone ? !word_is(word, a->word) : !word_option(word, a->word, &value))
		return false;
	if (a->kind == ATTRIBUTE_WHERE)
		return parse_where(b, &value, (struct b_where *)member), true;
	if (a->kind == ATTRIBUTE_NUMBER) {
		string_set(what, a->most == UINT64_MAX ? "a number" : "%s= from %llu to %llu",
			   a->word, LL(a->least), LL(a->most));
		if (!parse_bounded(b, &value, a->least, a->most, what, &number))
			return true;
	} else if (a->kind == ATTRIBUTE_ONE_OF) {
		int index = word_among(&value, a->words, a->most);

		for (size_t i = 0; i < MIN(a->most, WORDS_SHOWN); i++)
			if (a->words[i])
				text_join(&text, " ", a->words[i]);
		if (a->most > WORDS_SHOWN)
			text_join(&text, " ", "...");
		string_set(what, "%s= with %s", a->word, list);
		if (index < 0)
			return expected(b, &value, what), true;
		number = (unsigned)index;
	} else if (alone) {
		memcpy(&number, member, a->kind == ATTRIBUTE_FLAG ? a->size : 0);
		number |= a->most;
	} else {
		number = word_string(b, &value);
	}
	memcpy(member, &number, a->size);
	return true;
}

bool parse_attribute(struct build *b, const struct word *word, const struct attribute *attributes,
		     void *record)
{
	for (const struct attribute *a = attributes; a->kind; a++)
		if (set_attribute(b, word, a, record))
			return true;
	return false;
}

void parse_attributes(struct build *b, const struct word *word, const struct attribute *attributes,
		      void *record, struct scope *scope, const char *what)
{
	for (; !word->end; word++)
		if (!parse_attribute(b, word, attributes, record) &&
		    !(scope && parse_scope_word(b, word, scope)))
			expected(b, word, what);
}

void parse_below(struct build *b, const struct line *item, const struct below *rows, size_t count,
		 void *record)
{
	char list[200];
	struct text what = text_of(list);

	for (size_t i = 0; i < count; i++)
		text_join(&what, i + 1 < count ? ", " : " or ", strcmp(rows[i].word, "field")
			  ? rows[i].word : "field, mbz, mbo, ignored");
	line_each(b, line, item) {
		size_t i = 0;

		while (i < count && !word_is(line->word, rows[i].word) &&
		       (strcmp(rows[i].word, "field") || !is_field_line(line->word)))
			i++;
		if (i == count)
			expected(b, line->word, list);
		else if (rows[i].parse)
			rows[i].parse(b, line, record);
	}
}

/* ---- what items share ------------------------------------------------------------------------ */

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
	const struct word *word = word_at(line, 1);

	if (!is_name(word)) {
		expected(b, word, what);
		return false;
	}
	*name = word_string(b, word);
	return true;
}

void parse_end(struct build *b, const struct word *word)
{
	if (!word->end)
		expected(b, word, "end of line");
}

/* note [on=LIST] "text" */
static void parse_note(struct build *b, const struct line *line, const struct line *item)
{
	static const struct attribute words[] = {
		TEXT_OF(struct b_note, text), WHERE_OF(struct b_note, where), { 0 },
	};
	struct b_note note = { .where = EVERYWHERE, .file = file_string(b), .line = item->number,
			       .order = (uint32_t)b->notes.count };

	parse_attributes(b, word_at(line, 1), words, &note, NULL, "on= or a \"text\"");
	if (!note.text)
		expected(b, word_at(line, line->count), "a \"text\"");
	build_add(b, notes, note);
}

/* Several origins of an item become one, with the document of the first. */
static uint32_t join_origins(struct build *b, const struct line *line, uint32_t first,
			     uint32_t next)
{
	const struct b_origin *one = &b->origins.items[first], *two = &b->origins.items[next];
	bool same = one->document == two->document;
	struct b_origin both = { .document = one->document };
	char text[1000];

	if (string_set(text, "%s; %s%s%s", build_text(b, one->section),
		       same ? "" : build_text(b, b->documents.items[two->document].key),
		       same ? "" : ": ", build_text(b, two->section)) >= (int)sizeof(text))
		expected(b, line->word, "fewer or shorter origins");
	both.section = build_string(b, text, strlen(text));
	return build_add(b, origins, both) ? (uint32_t)b->origins.count - 1 : first;
}

void parse_doc(struct build *b, const struct line *item, str_t *doc, uint32_t *origin)
{
	unsigned origins = 0;

	line_each_of(b, note, item, "note")
		parse_note(b, note, item);
	line_each(b, line, item) {
		const struct word *text = word_at(line, 1);

		if (word_is(line->word, "doc")) {
			if (text->quoted)
				*doc = word_string(b, text);
			else
				expected(b, text, "a \"text\"");
			parse_end(b, word_at(line, 2));
		} else if (word_is(line->word, "origin")) {
			struct scope scope = { .origin = *origin };

			parse_origin(b, line, &scope);
			if (origins && scope.origin != *origin)
				scope.origin = join_origins(b, line, *origin, scope.origin);
			*origin = scope.origin;
			origins++;
		}
	}
}

/* NAME, or vcs.NAME for a name on one engine only. */
static bool add_alias(struct build *b, const struct word *word, const struct b_where *where)
{
	struct b_alias alias = { .where = *where, .written = (uint32_t)b->aliases.count,
				 .c = { .instance = -1 } };
	uint16_t engines = 0;
	struct word engine, name;

	if (!word_split(word, ".", &engine, &name))
		name = *word;
	else if (!parse_engines(b, &engine, &engines, &alias.c.instance))
		return false;
	alias.c.engines = engines & 0x3f;
	alias.c.name = build_string(b, name.text, name.length);
	return build_add(b, aliases, alias);
}

/* alias NAME... [on=LIST]; returns how many names there are. */
static uint32_t parse_alias(struct build *b, const struct line *line, const struct b_where *whose)
{
	struct b_where where = EVERYWHERE;
	const struct word *last = word_at(line, line->count);
	uint32_t count = 0;
	struct word value;

	if (whose)
		where = *whose;
	if (whose && word_option(last - 1, "on", &value)) {
		parse_where(b, &value, &where);
		last--;
	}
	if (last == line->word + 1)
		expected(b, word_at(line, line->count), "a name");
	for (const struct word *word = line->word + 1; word < last; word++) {
		if (word->quoted || memchr(word->text, '=', word->length))
			expected(b, word, whose ? "a name, or on= after the names" : "a name");
		else
			count += add_alias(b, word, &where);
	}
	return count;
}

struct b_slice parse_aliases(struct build *b, const struct line *item, const struct b_where *where)
{
	struct b_slice slice = { (uint32_t)b->aliases.count, 0 };

	line_each_of(b, line, item, "alias")
		slice.count += parse_alias(b, line, where);
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
	const struct word *key = word_at(line, 1), *title = word_at(line, 2);
	struct b_document new;
	uint32_t found;

	(void)scope;
	if (!word_plain(key)) {
		expected(b, key, "a key for the document");
	} else if (!title->quoted) {
		expected(b, title, "the document's \"title\"");
	} else if (find_document(b, key, &found)) {
		finding_at(b, "duplicate", line->number, key->column,
			   "document \"%.*s\" is defined twice, expected one definition",
			   (int)key->length, key->text);
	} else {
		new.title = word_string(b, title);
		new.key = word_string(b, key);
		build_add(b, documents, new);
	}
	parse_end(b, word_at(line, 3));
}

static void parse_origin(struct build *b, const struct line *line, struct scope *scope)
{
	const struct word *key = word_at(line, 1), *section = word_at(line, 2);
	uint32_t document;

	if (word_plain(key) && section->quoted)
		parse_end(b, word_at(line, 3));
	if (!word_plain(key))
		expected(b, key, "the key of a document");
	else if (!section->quoted)
		expected(b, section, "a \"section\" of the document");
	else if (!find_document(b, key, &document) && !import_document(b, key))
		expected(b, key, "a document that a `document` line defines");
	else if (build_add(b, origins, (struct b_origin){ document, word_string(b, section) }))
		scope->origin = (uint32_t)b->origins.count - 1;
}

static uint32_t find_group(struct build *b, const struct word *name, const struct word *title)
{
	struct b_group new;

	for (uint32_t i = 0; i < b->groups.count; i++) {
		struct b_group *group = &b->groups.items[i];

		if (!text_is(build_text(b, group->name), name->text, name->length))
			continue;
		if (title->quoted && !group->title)
			group->title = word_string(b, title);
		return i;
	}
	new.name = word_string(b, name);
	new.title = title->quoted ? word_string(b, title) : 0;
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

	if (word_is(line->word, "group")) {
		const struct word *name = word_at(line, 1), *title = word_at(line, 2);

		if (!word_plain(name)) {
			expected(b, name, "the group's name");
			return;
		}
		inner.group = find_group(b, name, title);
		at = title->quoted ? 3 : 2;
	}
	parse_attributes(b, word_at(line, at), message_words, &inner.message, &inner,
			 "on=, engine=, space=, or what messages have");
	parse_block(b, line, &inner, depth + 1);
}

static void parse_enum(struct build *b, const struct line *line, struct scope *scope)
{
	struct b_enum new;

	(void)scope;
	if (!parse_name(b, line, "the enum's name", &new.name))
		return;
	parse_end(b, word_at(line, 2));
	new.values = parse_values(b, line);
	for (size_t i = 0; i < b->enums.count; i++)
		if (b->enums.items[i].name == new.name)
			finding_at(b, "duplicate", line->number, word_at(line, 1)->column,
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
	{ "property", parse_property }, { "workaround", parse_workaround },
	{ "topic", parse_topic },     { "known", parse_known },
	{ "cache", parse_cache },     { "invalidation", parse_cache },
	{ "message", parse_message }, { "harmless", parse_message },
	{ "firmware", parse_firmware }, { "package", parse_firmware },
};

static void parse_line(struct build *b, const struct line *line, struct scope *scope,
		       unsigned depth)
{
	if (word_is(line->word, "group") || word_is(line->word, "with")) {
		parse_inner(b, line, *scope, depth);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(constructs); i++)
		if (word_is(line->word, constructs[i].word)) {
			constructs[i].parse(b, line, scope);
			return;
		}
	expected(b, line->word,
		 "reg, group, with, enum, range, command, struct, entry, instruction, fact, "
		 "origin, document, engine, platform, property, topic, workaround, cache, "
		 "invalidation, message, harmless, known, firmware or package");
}

static void parse_block(struct build *b, const struct line *block, struct scope *scope,
			unsigned depth)
{
	if (depth > DEPTH_MAX) {
		expected(b, block->word, "at most 16 nested blocks");
		return;
	}
	line_each(b, line, block)
		parse_line(b, line, scope, depth);
}

static bool parse_format(struct build *b, const struct line *line)
{
	const struct word *version = word_at(line, 1);
	uint64_t number;

	if (!word_is(line->word, "format")) {
		expected(b, line->word, "`format 1` before anything else");
		return false;
	}
	if (!parse_number(b, version, &number))
		return false;
	if (number != 1) {
		expected(b, version, "format 1: the file is for a newer gpuscope");
		return false;
	}
	parse_end(b, word_at(line, 2));
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
		.message.kind = GSC_EVENT_ERROR,
	};
	const struct line *line = b->lex->lines.items;

	if (!b->lex->lines.count) {
		finding_at(b, "syntax", 1, 1, "the file is empty, expected `format 1`");
		return;
	}
	if (!parse_format(b, line))
		return;
	while ((line = line_at(b, line->next)))
		parse_line(b, line, &scope, 0);
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
