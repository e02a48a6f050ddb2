/* SPDX-License-Identifier: MIT */
/*
 * Mapped ranges as lines for scripts: their form is guaranteed, and there may be millions. Breaches
 * of rules, and the windows of the machine's address space as a table.
 */
#include "out/walk.h"

#include "db/rule.h"
#include "gtt/windows.h"
#include "util/number.h"
#include "util/text.h"

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
	gsc_out_text(out, breach->note ? "# note: " : "");
	text_styled(out, GSC_STYLE_RED, breach->rule);
	gsc_out_pad(out, RULE_WIDTH);
	gsc_out_clean(out, breach->where);
	gsc_out_text(out, ": ");
	gsc_out_clean(out, breach->text);
	gsc_out_end(out);
}

/* ---- windows of the machine ----------------------------------------------------------------- */

#define SIZE_CELL 7
#define TABLE_WIDTH 79u
#define FROM_LEAST 32			/* or what gives a window has a separate line */

struct columns {
	unsigned range, size, from;
};

static void range_text(const struct gsc_window *window, char *buf, size_t size)
{
	unsigned long long start = window->start;

	if (window->length)
		snprintf(buf, size, "0x%llx-0x%llx", start, start + window->length);
	else if (start)
		snprintf(buf, size, "0x%llx-?", start);
	else if (window->status)
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "none");
}

static void put_window(struct gsc_out *out, const struct gsc_window *window,
		       const struct columns *columns)
{
	char range[48], size[24];

	range_text(window, range, sizeof(range));
	text_styled(out, GSC_STYLE_BOLD, window->name);
	gsc_out_pad(out, columns->range);
	gsc_out_text(out, range);
	if (window->length) {
		gsc_out_pad(out, columns->size);
		gsc_out_text(out, size_short(window->length, size, sizeof(size)));
	}
	if (!*window->from || TABLE_WIDTH - columns->from < FROM_LEAST)
		gsc_out_end(out);
	if (*window->from && TABLE_WIDTH - columns->from < FROM_LEAST)
		text_wrapped(out, 4, 6, "", window->from);
	else if (*window->from)
		text_wrapped(out, columns->from, columns->from, "", window->from);
	if (!*window->problem)
		return;
	gsc_out_style(out, GSC_STYLE_RED);
	text_wrapped(out, 4, 6, "problem: ", window->problem);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

void gsc_text_windows(struct gsc_out *out, const struct gsc_window *windows, size_t count)
{
	size_t name = 0, range = 0;
	struct columns columns;
	char buf[48];

	for (size_t i = 0; i < count; i++) {
		range_text(&windows[i], buf, sizeof(buf));
		name = MAX(name, strlen(windows[i].name));
		range = MAX(range, strlen(buf));
	}
	columns.range = (unsigned)name + 2;
	columns.size = columns.range + (unsigned)range + 2;
	columns.from = columns.size + SIZE_CELL;
	for (size_t i = 0; i < count; i++)
		put_window(out, &windows[i], &columns);
}
