/* SPDX-License-Identifier: MIT */
/* What all parts of the parser share: strings, each stored once; findings; platforms by name. */
#include "dbc/build.h"

#include "db/db.h"

#include <stdio.h>
#include <string.h>

/* More than anyone reads; findings beyond that are not counted. */
#define FINDINGS_MAX 2000

void build_init(struct build *b, const struct gsc_db *base)
{
	memset(b, 0, sizeof(*b));
	b->base = base;
	build_string(b, "", 0);
}

bool build_out_of_memory(struct build *b)
{
	b->failed = true;
	return false;
}

void build_free(struct build *b)
{
	for (size_t i = 0; i < b->findings.count; i++) {
		free((void *)(uintptr_t)b->findings.items[i].text);
		free((void *)(uintptr_t)b->findings.items[i].source);
	}
	for (size_t i = 0; i < b->files.count; i++)
		free(b->files.items[i]);
	free(b->strings.items);
	free(b->string_slots);
#define BUILD_FREE(type, name) vec_free(&b->name);
	BUILD_ARRAYS(BUILD_FREE)
#undef BUILD_FREE
}

uint64_t bytes_hash(const void *bytes, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
	return hash ^ hash >> 29;
}

static bool grow_slots(struct build *b)
{
	size_t want = b->string_slot_count ? b->string_slot_count * 2 : 1024;
	uint32_t *slots = calloc(want, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < b->string_slot_count; i++) {
		const char *text = b->strings.items + b->string_slots[i];
		size_t at;

		if (!b->string_slots[i])
			continue;
		at = bytes_hash(text, strlen(text)) & (want - 1);
		while (slots[at])
			at = (at + 1) & (want - 1);
		slots[at] = b->string_slots[i];
	}
	free(b->string_slots);
	b->string_slots = slots;
	b->string_slot_count = want;
	return true;
}

bool build_take_string(struct build *b, str_t string)
{
	const char *text = b->strings.items + string;
	size_t at;

	if (b->string_count * 2 >= b->string_slot_count && !grow_slots(b))
		return false;
	at = bytes_hash(text, strlen(text)) & (b->string_slot_count - 1);
	while (b->string_slots[at])
		at = (at + 1) & (b->string_slot_count - 1);
	b->string_slots[at] = string;
	b->string_count++;
	return true;
}

str_t build_string(struct build *b, const char *text, size_t length)
{
	size_t at;
	str_t added;

	if (!length && b->strings.count)
		return 0;
	if (b->string_count * 2 >= b->string_slot_count && !grow_slots(b))
		goto fail;
	at = bytes_hash(text, length) & (b->string_slot_count - 1);
	for (; b->string_slots[at]; at = (at + 1) & (b->string_slot_count - 1)) {
		const char *there = b->strings.items + b->string_slots[at];

		if (!strncmp(there, text, length) && !there[length])
			return b->string_slots[at];
	}
	if (b->strings.count + length + 1 > UINT32_MAX || !vec_reserve(&b->strings, length + 1))
		goto fail;
	added = (str_t)b->strings.count;
	memcpy(b->strings.items + added, text, length);
	b->strings.items[added + length] = 0;
	b->strings.count += length + 1;
	b->string_slots[at] = added;
	b->string_count++;
	return added;
fail:
	b->failed = true;
	return 0;
}

/* Findings come mostly in the order of lines: each search continues where the last one ended. */
static char *copy_line(struct build *b, uint32_t number)
{
	const struct lex *lex = b->lex;
	const char *at = lex->text, *end = lex->text + lex->size, *stop;
	uint32_t line = 1;

	if (b->looked.text == lex->text && b->looked.line <= number) {
		at = b->looked.at;
		line = b->looked.line;
	}
	for (; line < number && at < end; line++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		at = newline ? newline + 1 : end;
	}
	b->looked.text = lex->text;
	b->looked.at = at;
	b->looked.line = line;
	stop = memchr(at, '\n', (size_t)(end - at));
	return strndup(at, (size_t)((stop ? stop : end) - at));
}

bool findings_full(const struct build *b)
{
	return b->findings.count >= FINDINGS_MAX;
}

static void add_finding(struct build *b, struct gsc_finding finding, char *source,
			const char *text, va_list args)
{
	char buf[400], *copy;

	vsnprintf(buf, sizeof(buf), text, args);
	finding.text = copy = strdup(buf);
	finding.source = source;
	if (copy && build_add(b, findings, finding))
		return;
	free(copy);
	free(source);
	b->failed = true;
}

void finding_at(struct build *b, const char *rule, uint32_t line, uint32_t column, const char *text,
		...)
{
	struct gsc_finding finding = { b->file ? b->file : "", line, column, rule, NULL, NULL };
	va_list args;

	if (findings_full(b))
		return;
	va_start(args, text);
	add_finding(b, finding, b->lex ? copy_line(b, line) : NULL, text, args);
	va_end(args);
}

void finding_in(struct build *b, const char *rule, const char *file, uint32_t line,
		const char *text, ...)
{
	struct gsc_finding finding = { "", line, 1, rule, NULL, NULL };
	va_list args;

	if (findings_full(b))
		return;
	for (size_t i = 0; i < b->files.count; i++)
		if (!strcmp(b->files.items[i], file))
			finding.file = b->files.items[i];
	va_start(args, text);
	add_finding(b, finding, NULL, text, args);
	va_end(args);
}

void expected(struct build *b, const struct word *word, const char *what)
{
	if (word->end)
		finding_at(b, "syntax", word->line, word->column, "end of line, expected %s", what);
	else
		finding_at(b, "syntax", word->line, word->column, "\"%.*s\", expected %s",
			   (int)MIN(word->length, 60u), word->text, what);
}

unsigned build_platform_count(const struct build *b)
{
	if (b->platforms.count || !b->base)
		return (unsigned)b->platforms.count;
	return gsc_platform_count(b->base);
}

uint64_t all_platforms(const struct build *b)
{
	unsigned count = build_platform_count(b);

	return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

const struct b_platform *build_platform(const struct build *b, unsigned i)
{
	if (b->platforms.count || !b->base)
		return &b->platforms.items[i];
	return db_platform(b->base, i);
}

static bool own_platforms(const struct build *b)
{
	return b->platforms.count || !b->base;
}

const char *build_platform_text(const struct build *b, str_t s)
{
	return own_platforms(b) ? build_text(b, s) : layer_text(db_base(b->base), s);
}

const struct b_stepping *build_stepping(const struct build *b, uint32_t i)
{
	return own_platforms(b) ? &b->steppings.items[i]
				: LAYER_ITEM(db_base(b->base), B_STEPPINGS, struct b_stepping, i);
}

const struct b_engine *build_engine(const struct build *b, uint32_t i)
{
	return own_platforms(b) ? &b->engines.items[i]
				: LAYER_ITEM(db_base(b->base), B_ENGINES, struct b_engine, i);
}

static bool name_is_word(const char *name, const struct word *word)
{
	return strlen(name) == word->length && !name_compare_n(name, word->text, word->length);
}

bool platform_has_name(const struct build *b, const struct b_platform *p, const struct word *word)
{
	if (name_is_word(build_platform_text(b, p->name), word))
		return true;
	for (uint32_t i = 0; i < p->aliases.count; i++) {
		uint32_t at = p->aliases.first + i;
		str_t alias = own_platforms(b) ? b->aliases.items[at].c.name
					       : LAYER_ITEM(db_base(b->base), B_ALIASES,
							    struct c_alias, at)->name;

		if (name_is_word(build_platform_text(b, alias), word))
			return true;
	}
	return false;
}
