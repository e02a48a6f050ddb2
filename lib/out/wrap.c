/* SPDX-License-Identifier: MIT */
/* Paragraphs of text within a screen, and what stands indented under a line. */
#include "out/out.h"

#include <string.h>

void text_wrapped(struct gsc_out *out, unsigned first, unsigned others, const char *label,
		  const char *text)
{
	size_t column = first + strlen(label);

	gsc_out_pad(out, first);
	gsc_out_text(out, label);
	for (bool begun = false; *text; begun = true) {
		size_t length = strcspn(text, " ");

		if (begun && column + 1 + length > TEXT_WIDTH) {
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

void text_indented(struct gsc_out *out, unsigned column, const struct gsc_out *text)
{
	size_t size;
	const char *at = gsc_out_data(text, &size), *end = at + size;

	while (at && at < end) {
		const char *line = memchr(at, '\n', (size_t)(end - at));
		size_t length = line ? (size_t)(line - at) : (size_t)(end - at);

		gsc_out_pad(out, column);
		gsc_out_bytes(out, at, length);
		gsc_out_end(out);
		at += length + 1;
	}
}

void text_styled(struct gsc_out *out, enum gsc_style style, const char *text)
{
	gsc_out_style(out, style);
	gsc_out_text(out, text);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

void text_part(struct gsc_out *out, const char *text)
{
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "# %s", text);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
}

void text_walk(struct gsc_out *out, unsigned column, const struct gsc_translation *translation,
	       const struct gsc_walk *walk, unsigned flags)
{
	struct gsc_out *own;

	if (gsc_out_new(&own, -1, out->colour, NULL))
		return;
	gsc_text_walk(own, translation, walk, flags);
	text_indented(out, column, own);
	gsc_out_free(own);
}
