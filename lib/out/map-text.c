/* SPDX-License-Identifier: MIT */
/*
 * Mapped ranges as lines for scripts: their form is guaranteed, and there may be millions. Breaches
 * of rules.
 */
#include "out/walk.h"

#include "util/number.h"
#include "util/text.h"

#include <string.h>

/* The longest line, with all possible flags. */
#define LINE_MAX 400

/* The longest name of a rule, and two blanks. */
#define RULE_WIDTH 19

static char *put_size(char *at, uint64_t bytes)
{
	char buf[32];

	return stpcpy(at, bytes ? size_short(bytes, buf, sizeof(buf)) : "mixed");
}

static char *put_physical(char *at, const struct gsc_translation *t,
			  const struct gsc_mapping *mapping)
{
	char buf[40];

	if (mapping_null(t, mapping))
		return stpcpy(at, "-");
	if (mapping->space == GSC_PHYS)
		return number_hex(at, mapping->physical);
	return stpcpy(at, place_text(mapping->space, false, mapping->physical, buf, sizeof(buf)));
}

static char *put_pages(char *at, const struct gsc_mapping *mapping)
{
	at = number_decimal(at, mapping->pages);
	*at++ = 'x';
	return put_size(at, mapping->page_size);
}

void gsc_text_mapping(struct gsc_out *out, const struct gsc_translation *t,
		      const struct gsc_mapping *mapping, struct gsc_mapping_words *words)
{
	const char *flags = mapping_words(t, mapping, words);
	char *at = out_room(out, LINE_MAX);

	if (!at)
		return;
	at = number_hex(at, mapping->start);
	*at++ = '-';
	at = number_hex(at, mapping->end);
	*at++ = ' ';
	at = put_physical(at, t, mapping);
	*at++ = ' ';
	at = put_pages(at, mapping);
	*at++ = ' ';
	at = stpcpy(at, gsc_mapping_word(mapping->kind));
	*at++ = ' ';
	out_used(out, stpcpy(at, *flags ? flags : "-"));
	if (mapping->kind == GSC_MAPPING_REPEAT) {
		gsc_out_text(out, " of ");
		gsc_out_hex(out, mapping->of, 1);
	}
	gsc_out_end(out);
}

void gsc_text_pages(struct gsc_out *out, const struct gsc_translation *t,
		    const struct gsc_mapping *mapping, struct gsc_mapping_words *words)
{
	const char *flags = mapping_words(t, mapping, words);
	char *at = out_room(out, LINE_MAX);

	if (!at)
		return;
	at = number_hex(at, mapping->start);
	*at++ = ' ';
	at = put_physical(at, t, mapping);
	*at++ = ' ';
	at = mapping->pages == 1 ? put_size(at, mapping->page_size) : put_pages(at, mapping);
	*at++ = ' ';
	out_used(out, stpcpy(at, *flags ? flags : "-"));
	gsc_out_end(out);
}

void gsc_text_breach(struct gsc_out *out, const struct gsc_breach *breach)
{
	text_styled(out, GSC_STYLE_RED, breach->rule);
	gsc_out_pad(out, RULE_WIDTH);
	gsc_out_clean(out, breach->where);
	gsc_out_text(out, ": ");
	gsc_out_clean(out, breach->text);
	gsc_out_end(out);
}
