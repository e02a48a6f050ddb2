/* SPDX-License-Identifier: MIT */
/* Known problems: what was reported in public, under which conditions, and what fixed it. */
#include "dbc/build.h"

#include "db/known.h"
#include "util/text.h"

#include <string.h>

#define WORDS_LONGEST 255		/* of one line, */
#define WORDS_MOST 1000			/* and of all */

/* A line below one: several `words` are one text, a line each. */
static void parse_part(struct build *b, const struct line *line, void *record)
{
	const struct word *text = word_at(line, 1);
	int part = word_among(line->word, known_words, KNOWN_PARTS);
	str_t *is = &((struct b_known *)record)->is[part];
	char both[WORDS_MOST];
	str_t added;

	if (!text->quoted || !text->length) {
		expected(b, text, "a \"text\"");
		return;
	}
	parse_end(b, word_at(line, 2));
	if (*is && part != KNOWN_WORDS) {
		expected(b, line->word, "each kind of line once, except words");
		return;
	}
	if (part == KNOWN_WORDS &&
	    (text->length > WORDS_LONGEST ||
	     (*is && strlen(build_text(b, *is)) + text->length + 2 > sizeof(both)))) {
		expected(b, text, "words of at most 255 bytes, 1000 in all");
		return;
	}
	added = word_string(b, text);
	if (*is) {
		string_set(both, "%s\n%s", build_text(b, *is), build_text(b, added));
		added = build_string(b, both, strlen(both));
	}
	*is = added;
}

/* "guc:<70.20.0": a kind of firmware, and versions. */
static bool firmware_sound(const char *text)
{
	for (unsigned kind = 0; kind < FIRMWARE_PACKAGE; kind++) {
		size_t length = strlen(firmware_words[kind]);

		if (!strncmp(text, firmware_words[kind], length) && text[length] == ':')
			return version_listed(text + length + 1, NULL) >= 0;
	}
	return false;
}

/*
 * known NAME "TITLE" [on=LIST] [driver=WORD] [kernel=VERSIONS] [firmware=KIND:VERSIONS]
 * [process=PATTERN], and lines below it: kernel, words, signature, says, fixed, link, origin
 */
void parse_known(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = {
		STRING_OF("driver", struct b_known, is[KNOWN_DRIVER]),
		STRING_OF("kernel", struct b_known, is[KNOWN_KERNEL]),
		STRING_OF("firmware", struct b_known, is[KNOWN_FIRMWARE]),
		STRING_OF("process", struct b_known, is[KNOWN_PROCESS]),
		TEXT_OF(struct b_known, title), { 0 },
	};
	static const struct below below[] = {
		{ "kernel", parse_part }, { "words", parse_part }, { "signature", parse_part },
		{ "says", parse_part }, { "fixed", parse_part }, { "link", parse_part },
		{ "origin", NULL },
	};
	struct b_known known = { .line = line->number, .origin = scope->origin };
	struct scope own = *scope;
	str_t none = 0;

	if (!word_plain(word_at(line, 1))) {
		expected(b, word_at(line, 1), "the problem's name");
		return;
	}
	known.name = word_string(b, word_at(line, 1));
	known.file = file_string(b);
	parse_attributes(b, word_at(line, 2), words, &known, &own,
			 "driver=, kernel=, firmware=, process=, on= or a \"title\"");
	known.where = own.where;
	parse_below(b, line, below, ARRAY_SIZE(below), &known);
	parse_doc(b, line, &none, &known.origin);
	if (!known.title || !known.is[KNOWN_SAYS] || !known.is[KNOWN_LINK])
		expected(b, word_at(line, line->count), "a \"title\", and lines says and link");
	else if (!known.is[KNOWN_WORDS] && !known.is[KNOWN_SIGNATURE])
		expected(b, word_at(line, line->count), "a line words or signature");
	else if (known.is[KNOWN_KERNEL] &&
		 version_listed(build_text(b, known.is[KNOWN_KERNEL]), NULL) < 0)
		expected(b, word_at(line, 1), "kernel= with versions, as 6.5..6.6.29,<6.1.88");
	else if (known.where.stepped)
		expected(b, word_at(line, 1), "platforms without steppings, which no log says");
	else if (known.is[KNOWN_FIRMWARE] &&
		 !firmware_sound(build_text(b, known.is[KNOWN_FIRMWARE])))
		expected(b, word_at(line, 1), "firmware= with versions, as guc:<70.20.0");
	else if (strncmp(build_text(b, known.is[KNOWN_LINK]), "https://", 8))
		expected(b, word_at(line, 1), "a link that begins with https://");
	else if (known.origin == NONE)
		expected(b, word_at(line, 1), "an `origin` line before it");
	else
		build_add(b, knowns, known);
}
