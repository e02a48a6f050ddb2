/* SPDX-License-Identifier: MIT */
/* Paragraphs of text and long lines within a screen, and headings of parts. */
#include "out/out.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void text_wrapped(struct gsc_out *out, unsigned first, unsigned others, const char *label,
		  const char *text)
{
	size_t column = first + strlen(label), width = out->width ? out_columns(out) : SIZE_MAX;

	if (out->html)
		out->html->others = others + out->indent;
	gsc_out_pad(out, first);
	gsc_out_text(out, label);
	for (bool begun = false; *text; begun = true) {
		size_t length = strcspn(text, " ");

		if (begun && column + 1 + length > width) {
			gsc_out_end(out);
			gsc_out_pad(out, others);
			column = others;
		} else if (begun) {
			gsc_out_text(out, " ");
			column++;
		}
		out_clean_bytes(out, text, length);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	gsc_out_end(out);
}

void text_styled(struct gsc_out *out, enum gsc_style style, const char *text)
{
	gsc_out_style(out, style);
	gsc_out_text(out, text);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

void out_part(struct gsc_out *out, unsigned level, const char *text)
{
	if (out->html) {
		out_html_part(out, level, text);
		return;
	}
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "# %s", text);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

void text_part(struct gsc_out *out, const char *text)
{
	out_part(out, 2, text);
	gsc_out_end(out);
}

void gsc_text_legend(struct gsc_out *out, const char *text)
{
	if (!out->width)
		return;
	gsc_out_style(out, GSC_STYLE_DIM);
	gsc_out_format(out, "# %s", text);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
}

/* ---- long lines on a terminal --------------------------------------------------------------- */

#define CELL_LEAST 24			/* columns worth keeping a table's last column for */

/* Parts of a colour, and further bytes of a character, take none. */
static unsigned columns_of(const char *line, const char *end)
{
	unsigned columns = 0;
	bool escape = false;

	for (const char *at = line; at < end; at++) {
		if (*at == '\033')
			escape = true;
		else if (escape && *at == 'm')
			escape = false;
		else if (!escape && ((unsigned char)*at & 0xc0) != 0x80)
			columns++;
	}
	return columns;
}

/* The first word of the rest, with the blanks before it. */
static const char *word_end(const char *at, const char *end)
{
	while (at < end && *at == ' ')
		at++;
	while (at < end && *at != ' ')
		at++;
	return at;
}

static unsigned longest_word(const char *at, const char *end)
{
	unsigned longest = 0;

	for (const char *next; at < end; at = next) {
		while (at < end && *at == ' ')
			at++;
		next = word_end(at, end);
		longest = MAX(longest, columns_of(at, next));
	}
	return longest;
}

/*
 * The line continues under its last column, or slightly indented. A short last cell moves towards
 * the others instead.
 */
static void fold_line(struct gsc_out *out, const char *line, const char *end)
{
	unsigned excess = columns_of(line, end) - out_columns(out), column, others;
	const char *cell = end, *gap, *next;

	/* Where the last column of a table's row begins, after two blanks or more; or the text. */
	while (cell - line > 2 && !(cell[-1] == ' ' && cell[-2] == ' '))
		cell--;
	if (cell - line <= 2)
		cell = line + strspn(line, " ");
	gap = cell;
	while (gap > line && gap[-1] == ' ')
		gap--;
	column = columns_of(line, cell);
	others = gap > line &&
		 column + MAX(CELL_LEAST, longest_word(cell, end)) <= out_columns(out) ? column :
		 (unsigned)strspn(line, " ") + 4;
	if (gap > line && others != column && cell - gap >= 2 + (ptrdiff_t)excess) {
		gsc_out_bytes(out, line, (size_t)(cell - excess - line));
		gsc_out_bytes(out, cell, (size_t)(end - cell));
		return;
	}
	column = 0;
	for (const char *at = line; at < end; at = next) {
		unsigned width;

		next = word_end(at, end);
		width = columns_of(at, next);
		if (at > line && column + width > out_columns(out)) {
			at += strspn(at, " ");
			width = others + columns_of(at, next);
			column = 0;
			gsc_out_bytes(out, "\n", 1);
			for (unsigned i = 0; i < others + out->indent; i++)
				gsc_out_bytes(out, " ", 1);
		}
		gsc_out_bytes(out, at, (size_t)(next - at));
		column += width;
	}
}

void out_fold(struct gsc_out *out)
{
	size_t size = out->size - out->line;
	bool whole = out->whole;
	char *lines;

	out->whole = false;
	if (whole || size <= out_columns(out))
		return;
	lines = malloc(size);
	if (!lines)
		return;
	memcpy(lines, out->data + out->line, size);
	out->size = out->line;
	for (const char *at = lines, *all = lines + size, *end; at < all; at = end + 1) {
		end = memchr(at, '\n', (size_t)(all - at));
		if (!end)
			end = all;
		if (columns_of(at, end) > out_columns(out))
			fold_line(out, at, end);
		else
			gsc_out_bytes(out, at, (size_t)(end - at));
		if (end < all)
			gsc_out_bytes(out, "\n", 1);
	}
	free(lines);
}
