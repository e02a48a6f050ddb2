/* SPDX-License-Identifier: MIT */
/* Windows of the machine's address space as a table. */
#include "out/walk.h"

#include <stdio.h>
#include <string.h>

static void range_text(const struct gsc_window *window, char *buf, size_t size)
{
	if (window->length)
		snprintf(buf, size, "0x%llx-0x%llx", (unsigned long long)window->start,
			 (unsigned long long)(window->start + window->length));
	else
		snprintf(buf, size, "none");
}

static void put_window(struct gsc_out *out, const struct gsc_window *window, unsigned range_column,
		       unsigned size_column)
{
	char range[48], size[24];

	range_text(window, range, sizeof(range));
	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_text(out, window->name);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_pad(out, range_column);
	gsc_out_text(out, range);
	gsc_out_pad(out, size_column);
	if (window->length)
		gsc_out_text(out, size_text(window->length, size, sizeof(size)));
	text_wrapped(out, size_column + 7, size_column + 7, "", window->from);
	if (!*window->problem)
		return;
	gsc_out_style(out, GSC_STYLE_RED);
	text_wrapped(out, 4, 6, "problem: ", window->problem);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

void gsc_text_windows(struct gsc_out *out, const struct gsc_window *windows, size_t count)
{
	size_t name = 0, range = 0;
	char buf[48];

	for (size_t i = 0; i < count; i++) {
		range_text(&windows[i], buf, sizeof(buf));
		name = MAX(name, strlen(windows[i].name));
		range = MAX(range, strlen(buf));
	}
	for (size_t i = 0; i < count; i++)
		put_window(out, &windows[i], (unsigned)name + 2, (unsigned)(name + range) + 4);
}
