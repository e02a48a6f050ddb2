/* SPDX-License-Identifier: MIT */
/*
 * Is a page or picture valid markup, whatever the input was? Each tag is one of ours and closed in
 * order, values of attributes are quoted, text has no markup and no invalid character.
 */
#include "fuzz.h"

#include <ctype.h>
#include <string.h>

#define DEPTH_MAX 64

struct word {
	const char *at;
	size_t length;
};

struct markup {
	const char *at, *end;
	struct word open[DEPTH_MAX];
	unsigned depth;
};

static bool is_one_of(struct word word, const char *words)
{
	for (size_t length; *words; words += length + (words[length] == ' ')) {
		length = strcspn(words, " ");
		if (word.length == length && !memcmp(word.at, words, length))
			return true;
	}
	return false;
}

/* No input names a tag or an attribute: these are all that can occur. */
static bool is_tag(struct word name)
{
	return is_one_of(name, "html head meta title link style body a header h1 p nav ul li form "
			 "label input output button main section h2 h3 h4 h5 code dl div dt dd "
			 "article span svg desc circle path polyline text rect line defs pattern "
			 "table caption thead tbody tr th td ol b i small details summary pre mark "
			 "footer script g tspan use");
}

static bool is_harmless(struct word name)
{
	return name.length && strncmp(name.at, "on", 2) &&
	       !is_one_of(name, "style src srcset action poster data");
}

static bool at_word(const struct markup *m, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(m->end - m->at) >= length && !memcmp(m->at, word, length);
}

static bool take(struct markup *m, const char *word)
{
	if (!at_word(m, word))
		return false;
	m->at += strlen(word);
	return true;
}

static struct word take_name(struct markup *m)
{
	struct word name = { m->at, 0 };

	while (m->at < m->end && (isalnum((unsigned char)*m->at) || strchr("-:", *m->at)))
		m->at++;
	name.length = (size_t)(m->at - name.at);
	return name;
}

/* Up to `last`, which is skipped; special characters must be written as entities. */
static void take_text(struct markup *m, char last)
{
	static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;",
						"&#xfffd;" };

	for (; m->at < m->end && *m->at != last; m->at++) {
		bool known = *m->at != '&';

		FUZZ_REQUIRE(*m->at != '<' && *m->at != '>');
		for (size_t i = 0; !known && i < sizeof(entities) / sizeof(*entities); i++)
			known = at_word(m, entities[i]);
		FUZZ_REQUIRE(known);
	}
}

static void take_attribute(struct markup *m)
{
	struct word name = take_name(m);

	FUZZ_REQUIRE(is_harmless(name));
	if (!take(m, "="))
		return;
	FUZZ_REQUIRE(take(m, "\""));
	take_text(m, '"');
	FUZZ_REQUIRE(take(m, "\""));
}

/* The contents of these are not markup: they are ours, and checked by hash. */
static void pass_raw(struct markup *m, struct word name)
{
	while (m->at < m->end && !(at_word(m, "</") && !memcmp(m->at + 2, name.at, name.length)))
		m->at++;
}

static void take_tag(struct markup *m)
{
	struct word name = take_name(m);
	bool closed = is_one_of(name, "meta link input br");

	FUZZ_REQUIRE(is_tag(name));
	while (take(m, " ") || take(m, "\n"))
		if (!at_word(m, "/") && !at_word(m, ">") && !at_word(m, " "))
			take_attribute(m);
	closed |= take(m, "/");
	FUZZ_REQUIRE(take(m, ">"));
	if (closed)
		return;
	FUZZ_REQUIRE(m->depth < DEPTH_MAX);
	m->open[m->depth++] = name;
	if (is_one_of(name, "style script"))
		pass_raw(m, name);
}

static void take_end(struct markup *m)
{
	struct word name = take_name(m);
	const struct word *open;

	FUZZ_REQUIRE(m->depth && take(m, ">"));
	open = &m->open[--m->depth];
	FUZZ_REQUIRE(open->length == name.length && !memcmp(open->at, name.at, name.length));
}

void fuzz_markup(const char *text, size_t size)
{
	struct markup m = { .at = text, .end = text + size };

	take(&m, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
	take(&m, "<!DOCTYPE html>");
	while (m.at < m.end)
		if (take(&m, "</"))
			take_end(&m);
		else if (take(&m, "<"))
			take_tag(&m);
		else
			take_text(&m, '<');
	FUZZ_REQUIRE(!m.depth);
}
