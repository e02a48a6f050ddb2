/* SPDX-License-Identifier: MIT */
/* Windows of the machine's address space as a table. */
#include "out/walk.h"

#include "util/text.h"

#include <stdio.h>
#include <string.h>

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
