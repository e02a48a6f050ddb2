/* SPDX-License-Identifier: MIT */
/* Text in pictures, which cannot become markup. */
#include "out/out.h"

void gsc_svg_escaped(struct gsc_out *out, const char *text)
{
	for (; *text; text++) {
		const char *plain = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" :
				    *text == '>' ? "&gt;" : NULL;

		if (plain)
			gsc_out_text(out, plain);
		else
			gsc_out_bytes(out, (unsigned char)*text - 0x20u < 0x5fu ? text : "?", 1);
	}
}

void gsc_svg_text(struct gsc_out *out, uint64_t x, uint64_t y, const char *class, const char *text)
{
	gsc_out_format(out, "<text x=\"%llu\" y=\"%llu\" class=\"%s\">", (unsigned long long)x,
		       (unsigned long long)y, class);
	gsc_svg_escaped(out, text);
	gsc_out_text(out, "</text>");
	gsc_out_end(out);
}
