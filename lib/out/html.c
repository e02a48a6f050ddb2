/* SPDX-License-Identifier: MIT */
/*
 * Lines as HTML: what the printers write, for a page. A part ("# faults") is a <details> with a
 * heading; a line that begins in the first column begins a row, and the indented ones that follow
 * are folded into it; styles are classes. A line is escaped as a whole when it ends, so no byte of
 * a source can become markup: until then a style is one byte that no text has.
 */
#include "out/out.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NO_ROW SIZE_MAX

enum gsc_status out_html_new(struct gsc_out **out, size_t most, struct gsc_error *err)
{
	enum gsc_status status = gsc_out_new(out, -1, true, err);
	struct out_html *html = status ? NULL : calloc(1, sizeof(*html));

	if (status)
		return status;
	if (!html) {
		gsc_out_free(*out);
		*out = NULL;
		return err_memory(err);
	}
	html->most = most;
	html->row = NO_ROW;
	html->level = 2;
	(*out)->html = html;
	(*out)->width = UINT_MAX;	/* the browser folds lines */
	return GSC_OK;
}

/* ---- text ----------------------------------------------------------------------------------- */

static bool is_style(char byte)
{
	return (unsigned char)(byte - OUT_STYLE_BYTE) < OUT_STYLES;
}

/* "0x10002003c", if that is an address to which the page has a link. */
static const char *put_link(struct gsc_out *out, const char *at)
{
	const struct out_html *html = out->html;
	char *end;
	uint64_t address;

	if (at[0] != '0' || at[1] != 'x')
		return NULL;
	address = strtoull(at, &end, 16);
	for (size_t i = 0; i < html->link_count; i++) {
		if (html->links[i].address != address)
			continue;
		gsc_out_text(out, "<a href=\"#");
		gsc_out_text(out, html->links[i].id);
		gsc_out_text(out, "\">");
		gsc_out_bytes(out, at, (size_t)(end - at));
		gsc_out_text(out, "</a>");
		return end;
	}
	return NULL;
}

/*
 * Escaped; U+FFFD for what is no text. `styles`: their bytes begin and end tags; `links`: addresses
 * may lead to their commands.
 */
static void put_text(struct gsc_out *out, const char *at, bool styles, bool links)
{
	/* Bytes that are not written as they are. */
	static const bool special[256] = {
		[0 ... 0x1f] = true, ['&'] = true, ['<'] = true, ['>'] = true, ['"'] = true,
		['\''] = true, [0x7f ... 0xff] = true,
	};
	static const char *const begins[OUT_STYLES] = {
		"", "<b>", "<i class=\"dim\">", "<b class=\"red\">", "<b class=\"yellow\">",
		"<i class=\"cyan\">",
	};
	const char *tag_end = "", *end;
	size_t length;

	links &= out->html->link_count != 0;
	for (;; at = end) {
		end = at;
		while (!special[(unsigned char)*end] && !(links && *end == '0'))
			end++;
		gsc_out_bytes(out, at, (size_t)(end - at));
		if (!*end)
			break;
		at = end++;
		if (styles && is_style(*at)) {
			const char *tag = begins[*at - OUT_STYLE_BYTE];

			gsc_out_text(out, tag_end);
			gsc_out_text(out, tag);
			tag_end = !*tag ? "" : tag[1] == 'b' ? "</b>" : "</i>";
			continue;
		}
		if (*at == '0') {
			const char *next = put_link(out, at);

			if (next)
				end = next;
			else
				out_byte(out, '0');
			continue;
		}
		length = *at == '\n' || *at == '\t' ? 1 : harmless_length(at);
		end = at + MAX(length, 1u);
		if (length && !strchr("&<>\"'", *at))
			gsc_out_bytes(out, at, length);
		else
			gsc_out_text(out, !length ? "&#xfffd;" : *at == '&' ? "&amp;" :
				     *at == '<' ? "&lt;" : *at == '>' ? "&gt;" :
				     *at == '"' ? "&quot;" : "&#39;");
	}
	gsc_out_text(out, tag_end);
}

/* Markup begins and ends where no line is unfinished. */
static void markup_ends(struct gsc_out *out)
{
	out->line = out->size;
	out->hidden = 0;
}

void html_text(struct gsc_out *out, const char *text)
{
	put_text(out, text, false, true);
	markup_ends(out);
}

/* As text or, where `markup`, as it is. */
static void put_format(struct gsc_out *out, bool markup, const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0) {
		out->error = ENOMEM;
		return;
	}
	if (markup)
		gsc_out_text(out, text);
	else
		put_text(out, text, false, false);
	free(text);
	markup_ends(out);
}

void html_format(struct gsc_out *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put_format(out, false, format, arguments);
	va_end(arguments);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* In front of a row that has been written as a line. */
static void insert(struct gsc_out *out, size_t at, const char *markup)
{
	size_t length = strlen(markup), rest = out->size - at;
	char *end = out_room(out, length);

	if (!end)
		return;
	memmove(out->data + at + length, out->data + at, rest);
	memcpy(out->data + at, markup, length);
	out->size += length;
}

/* A row without further lines is one of a block of text. */
static void row_ends(struct gsc_out *out)
{
	struct out_html *html = out->html;

	if (html->row == NO_ROW)
		return;
	if (html->folded) {
		gsc_out_text(out, "</pre></details>\n");
	} else if (!html->block) {
		insert(out, html->row, "<pre>");
		html->block = true;
	}
	html->row = NO_ROW;
	html->folded = false;
}

static void rows_end(struct gsc_out *out)
{
	/* The end of a style may be left. */
	if (out->size > out->line)
		out_html_line(out);
	row_ends(out);
	if (out->html->block)
		gsc_out_text(out, "</pre>\n");
	out->html->block = false;
}

void html_put(struct gsc_out *out, const char *format, ...)
{
	va_list arguments;

	rows_end(out);
	va_start(arguments, format);
	put_format(out, true, format, arguments);
	va_end(arguments);
}

/* ---- a line --------------------------------------------------------------------------------- */

static void line_ends(struct gsc_out *out, const char *line, unsigned indent)
{
	struct out_html *html = out->html;
	bool inside = (indent || html->inside) && html->row != NO_ROW;

	if (inside && out->size >= html->most / 4 * 3) {
		html->left_inside++;
		return;
	}
	if (out->size >= html->most) {
		html->left_out++;
		return;
	}
	if (inside && !html->folded) {
		insert(out, html->row, html->here ? "<details class=\"row here\" open><summary>" :
				       html->red ? "<details class=\"row\" open><summary>" :
						   "<details class=\"row\"><summary>");
		if (html->block)
			insert(out, html->row, "</pre>\n");
		html->block = false;
		gsc_out_text(out, "</summary><pre>");
		html->folded = true;
	}
	if (!inside) {
		line += strspn(line, " ");
		html->others -= MIN(html->others, indent);
		indent = 0;
		row_ends(out);
		html->row = out->size;
		html->here = html->id;
		html->red = strchr(line, OUT_STYLE_BYTE + GSC_STYLE_RED) ||
			    strchr(line, OUT_STYLE_BYTE + GSC_STYLE_YELLOW);
	}
	indent = MIN(MAX(html->others, indent), 24u);
	gsc_out_text(out, indent ? "<span class=\"i" : "<span");
	if (indent) {
		gsc_out_decimal(out, indent);
		out_byte(out, '"');
	}
	if (html->id)
		gsc_out_format(out, " id=\"%s\"", html->id);
	html->id = NULL;
	out_byte(out, '>');
	/* What is clicked to unfold a row has no links. */
	put_text(out, line, true, inside);
	gsc_out_text(out, "\n</span>");
}

void out_html_line(struct gsc_out *out)
{
	struct out_html *html = out->html;
	size_t from = out->line - out->indent, size = out->size - from;
	unsigned indent = 0;
	char *line, *at;

	html->line.count = 0;
	if (!vec_reserve(&html->line, size + 1)) {
		out->error = ENOMEM;
		return;
	}
	line = html->line.items;
	if (size)
		memcpy(line, out->data + from, size);
	line[size] = 0;
	out->size = from;
	for (at = line; *at == ' ' || is_style(*at); at++)
		indent += *at == ' ';
	if (*at)
		line_ends(out, line, indent);
	html->others = 0;
}

void html_lines(struct gsc_out *out, struct gsc_out *lines)
{
	rows_end(out);
	if (lines->html)
		out_parts_end(lines, 2);
	gsc_out_bytes(out, lines->data, lines->size);
	markup_ends(out);
}

/* ---- parts ---------------------------------------------------------------------------------- */

void out_html_part(struct gsc_out *out, unsigned level, const char *title)
{
	struct out_html *html = out->html;

	level = MAX(level, html->level);
	out_parts_end(out, level);
	if (level == 2) {
		gsc_out_format(out, "<details class=\"part\" id=\"%s\" open><summary>", title);
		if (html->part_count < ARRAY_SIZE(html->parts))
			html->parts[html->part_count++] = title;
	} else {
		gsc_out_text(out, html->folds ? "<details class=\"group\"><summary>" :
						"<details class=\"group\" open><summary>");
	}
	gsc_out_format(out, "<h%u>", level);
	html_format(out, "%c%s", level == 2 ? toupper(*title) : *title, title + 1);
	gsc_out_format(out, "</h%u></summary>\n", level);
	html->open |= 1u << level;
	markup_ends(out);
}

void out_parts_end(struct gsc_out *out, unsigned level)
{
	struct out_html *html = out->html;

	rows_end(out);
	for (unsigned open = 3; open >= level; open--)
		if (html->open & 1u << open)
			gsc_out_text(out, "</details>\n");
	html->open &= (1u << level) - 1;
	markup_ends(out);
}
