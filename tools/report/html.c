/* SPDX-License-Identifier: MIT */
/* Markup, and text that cannot become markup. */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void html_put(struct html *html, const char *markup)
{
	gsc_out_text(html->out, markup);
}

/* ---- text ----------------------------------------------------------------------------------- */

static const char *entity(unsigned char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '\n':
	case '\t':
		return NULL;
	}
	return c < 0x20 || c == 0x7f ? "&#xfffd;" : NULL;
}

/* Would it reverse the text around it, or is it a control character? */
static bool is_odd(uint32_t point)
{
	return (point >= 0x80 && point < 0xa0) || (point >= 0x200b && point <= 0x200f) ||
	       (point >= 0x2028 && point <= 0x202e) || (point >= 0x2060 && point <= 0x206f) ||
	       point == 0xfeff || (point >= 0xfff0 && point <= 0xffff) ||
	       (point >= 0xe0000 && point < 0xe1000);
}

/* Bytes of a UTF-8 character beyond ASCII; 0: it is none. */
static size_t character(const unsigned char *text, size_t size, uint32_t *point)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : 2;

	if (*text < 0xc2 || *text > 0xf4 || length > size)
		return 0;
	*point = *text & (0xffu >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (text[i] & 0x3f);
	}
	if (*point < least[length] || *point > 0x10ffff || (*point >> 11) == 0x1b)
		return 0;
	return length;
}

void html_bytes(struct html *html, const char *text, size_t size)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t plain = 0, i = 0;

	while (i < size) {
		uint32_t point = 0;
		size_t length = at[i] < 0x80 ? 1 : character(at + i, size - i, &point);
		const char *instead = at[i] < 0x80 ? entity(at[i]) : NULL;

		if (!length || (point && is_odd(point)))
			instead = "&#xfffd;";
		length = length ? length : 1;
		if (instead) {
			gsc_out_bytes(html->out, text + plain, i - plain);
			gsc_out_text(html->out, instead);
			plain = i + length;
		}
		i += length;
	}
	gsc_out_bytes(html->out, text + plain, size - plain);
}

void html_text(struct html *html, const char *text)
{
	html_bytes(html, text, strlen(text));
}

static void text_formatted(struct html *html, const char *format, va_list arguments)
{
	char *text = NULL;

	if (vasprintf(&text, format, arguments) < 0)
		return;
	html_text(html, text);
	free(text);
}

void html_format(struct html *html, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text_formatted(html, format, arguments);
	va_end(arguments);
}

/* ---- elements ------------------------------------------------------------------------------- */

void html_open(struct html *html, const char *tag, const char *attributes)
{
	gsc_out_text(html->out, "<");
	gsc_out_text(html->out, tag);
	if (attributes) {
		gsc_out_text(html->out, " ");
		gsc_out_text(html->out, attributes);
	}
	gsc_out_text(html->out, ">");
	if (html->depth < HTML_DEPTH)
		html->open[html->depth] = tag;
	html->depth++;
}

/* Inside these a line break would be visible, or one too many. */
static bool is_inline(const char *tag)
{
	static const char *const tags[] = { "code", "span", "b", "i", "a", "summary", "mark",
					    "small", "th", "td", "li", "dt", "dd" };

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (!strcmp(tag, tags[i]))
			return i < 8;
	return false;
}

void html_close(struct html *html)
{
	const char *tag = --html->depth < HTML_DEPTH ? html->open[html->depth] : "div";

	gsc_out_text(html->out, "</");
	gsc_out_text(html->out, tag);
	gsc_out_text(html->out, ">");
	if (!is_inline(tag))
		gsc_out_end(html->out);
}

void html_element(struct html *html, const char *tag, const char *attributes,
		  const char *format, ...)
{
	va_list arguments;

	html_open(html, tag, attributes);
	va_start(arguments, format);
	text_formatted(html, format, arguments);
	va_end(arguments);
	html_close(html);
}

void html_fact(struct html *html, const char *name, const char *format, ...)
{
	va_list arguments;

	html_put(html, "<div>");
	html_element(html, "dt", NULL, "%s", name);
	if (format) {
		html_open(html, "dd", NULL);
		va_start(arguments, format);
		text_formatted(html, format, arguments);
		va_end(arguments);
		html_close(html);
	} else {
		html_element(html, "dd", "class=\"none\"", "not in this dump");
	}
	html_put(html, "</div>");
}

void html_none(struct html *html, const char *format, ...)
{
	va_list arguments;

	html_open(html, "p", "class=\"none\"");
	va_start(arguments, format);
	text_formatted(html, format, arguments);
	va_end(arguments);
	html_close(html);
}

void html_table(struct html *html, const char *caption, const char *columns)
{
	html_put(html, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
	html_text(html, caption);
	html_put(html, "\">");
	html_open(html, "table", NULL);
	html_element(html, "caption", NULL, "%s", caption);
	html_put(html, "<thead><tr>");
	while (*columns) {
		size_t length = strcspn(columns, "|");

		html_element(html, "th", "scope=\"col\"", "%.*s", (int)length, columns);
		columns += length + (columns[length] == '|');
	}
	html_put(html, "</tr></thead>\n");
	html_open(html, "tbody", NULL);
}

void html_table_end(struct html *html)
{
	html_close(html);
	html_close(html);
	html_put(html, "</div>\n");
}

size_t html_size(const struct html *html)
{
	size_t size;

	gsc_out_data(html->out, &size);
	return html->before + size;
}
