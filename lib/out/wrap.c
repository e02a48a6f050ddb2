/* SPDX-License-Identifier: MIT */
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
		gsc_out_bytes(out, text, length);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	gsc_out_end(out);
}
