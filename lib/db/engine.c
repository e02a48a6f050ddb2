/* SPDX-License-Identifier: MIT */
/* The rows of data/engines.def are few: each lookup goes through all of them. */
#include "db/engine.h"

#include "db/db.h"
#include "util/number.h"

#include <ctype.h>

static const struct layer builtin = { &builtin_definitions };

static const struct b_engine_row *row_at(uint32_t i)
{
	return i < layer_count(&builtin, B_ENGINE_ROWS)
		       ? LAYER_ITEM(&builtin, B_ENGINE_ROWS, struct b_engine_row, i) : NULL;
}

static const char *text_at(str_t text)
{
	return layer_text(&builtin, text);
}

/* The digits after a class, or whatever else is there. */
static const char *after_class(const char *name, enum engine_class class)
{
	return name + strlen(gsc_engine_class(class));
}

enum engine_class engine_class_of(const char *name)
{
	for (unsigned i = 0; i < ENGINE_CLASSES; i++) {
		const char *class = gsc_engine_class(i);

		if (!strncmp(name, class, strlen(class)) &&
		    !after_class(name, i)[strspn(after_class(name, i), "0123456789")])
			return i;
	}
	return ENGINE_CLASSES;
}

bool take_engine(struct slice *text, char name[ENGINE_NAME])
{
	struct slice rest = *text;
	uint64_t number;
	unsigned class = 0;

	while (class < ENGINE_CLASSES && !take_text(&rest, gsc_engine_class(class)))
		class++;
	if (class == ENGINE_CLASSES)
		return false;
	take_text(&rest, "'");
	if (rest.at < rest.end && is_digit(*rest.at)) {
		struct slice digits = take_while(&rest, is_digit);

		if (!slice_number(digits, &number) || number > ENGINE_LAST)
			return false;
		snprintf(name, ENGINE_NAME, "%s%u", gsc_engine_class(class), (unsigned)number);
	} else {
		snprintf(name, ENGINE_NAME, "%s", gsc_engine_class(class));
	}
	*text = rest;
	return true;
}

bool take_engine_alias(struct slice *text, char name[ENGINE_NAME])
{
	const struct b_engine_row *row, *found = NULL;
	size_t longest = 0;

	for (uint32_t i = 0; (row = row_at(i)); i++)
		for (uint32_t k = 0; k < ENGINE_ALIASES && row->aliases[k]; k++) {
			const char *alias = text_at(row->aliases[k]);
			size_t length = strlen(alias);

			if (length > longest && slice_named(slice_first(*text, length), alias)) {
				longest = length;
				found = row;
			}
		}
	if (!found)
		return false;
	snprintf(name, ENGINE_NAME, "%s%s", text_at(found->name), found->is_class ? "0" : "");
	text->at += longest;
	return true;
}

void engine_plain_name(const char *text, char *name, size_t size)
{
	size_t letters = strcspn(text, "0123456789");
	const struct b_engine_row *row;

	/* Truncated, it would be another name. */
	snprintf(name, size, "%s", strlen(text) < size ? text : "");
	for (uint32_t i = 0; *name && (row = row_at(i)); i++)
		for (uint32_t k = 0; row->is_class && k < ENGINE_ALIASES && row->aliases[k]; k++)
			if (slice_named(slice_of(text, letters), text_at(row->aliases[k])))
				snprintf(name, size, "%s%s", text_at(row->name), text + letters);
}

int gsc_engine_parse(const char *text, int *instance)
{
	char name[24], taken[ENGINE_NAME];
	struct slice rest;

	engine_plain_name(text, name, sizeof(name));
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	rest = slice_string(name);
	if (!take_engine(&rest, taken) || rest.at != rest.end || strchr(name, '\''))
		return -1;
	*instance = is_digit(rest.end[-1]) ? atoi(after_class(taken, engine_class_of(taken))) : -1;
	return (int)engine_class_of(taken);
}

static const struct b_engine_row *row_of_class(const char *name)
{
	enum engine_class class = engine_class_of(name);
	const struct b_engine_row *row = NULL;

	for (uint32_t i = 0; class < ENGINE_CLASSES && (row = row_at(i)); i++)
		if (row->is_class && engine_class_of(text_at(row->name)) == class)
			return row;
	return NULL;
}

const char *gsc_engine_title(const char *name)
{
	const struct b_engine_row *row = row_of_class(name);

	return row ? text_at(row->title) : "engine";
}

bool engine_is_media(const char *name)
{
	const struct b_engine_row *row = row_of_class(name);

	return row && row->is_media;
}

const char *engine_by_number(enum engine_number kind, uint64_t number)
{
	const struct b_engine_row *row;

	for (uint32_t i = 0; (row = row_at(i)); i++)
		if (row->numbered >> kind & 1 && row->numbers[kind] == number)
			return text_at(row->name);
	return NULL;
}

static bool names_row(const char *name, const struct b_engine_row *row)
{
	const char *its = text_at(row->name);

	return row->is_class ? engine_class_of(name) == engine_class_of(its) : !strcmp(name, its);
}

bool engine_number(const char *name, enum engine_number kind, unsigned *number)
{
	const struct b_engine_row *row;

	for (uint32_t i = 0; (row = row_at(i)); i++)
		if (row->numbered >> kind & 1 && names_row(name, row)) {
			*number = row->numbers[kind];
			return true;
		}
	return false;
}
