/* SPDX-License-Identifier: MIT */
/*
 * A map as a picture: the address space from low to high, a band for each stretch that is mapped
 * and a thin row for what lies between. Bands grow with the logarithm of their size; inside, from
 * left to right, addresses are to scale. Kinds differ in pattern as well as in colour.
 */
#include "out/picture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
	WIDTH = 960, MARGIN = 20, ADDRESS_X = 166, LANE_X = 174, BAR_X = 190, BAR_WIDTH = 370,
	TEXT_X = 580, GAP_HEIGHT = 24, NOTE_HEIGHT = 22, BAND_LEAST = 38, LINE = 16,
	LEGEND_Y = 44, LEGEND_LINE = 22, NOTES_SHOWN = 6,
};

struct drawing {
	struct gsc_out *out;
	const struct gsc_picture *picture;
	const struct gsc_translation *t;
	const char *id;
	bool page;			/* one of its own: the title is seen */
	struct picture_rows rows;
	uint64_t bytes[PICTURE_KINDS], pages;
	bool noted[GSC_NOTE_APERTURE + 1];
};

static const char *const kind_class[PICTURE_KINDS] = {
	[GSC_MAPPING_LINEAR] = "linear", [GSC_MAPPING_CONSTANT] = "constant",
	[GSC_MAPPING_SCATTERED] = "scattered", [GSC_MAPPING_REPEAT] = "repeat",
};

/* ---- pieces --------------------------------------------------------------------------------- */

static void put_escaped(struct gsc_out *out, const char *text)
{
	for (; *text; text++) {
		const char *plain = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : NULL;

		if (plain)
			gsc_out_text(out, plain);
		else
			gsc_out_bytes(out, (unsigned char)*text - 0x20u < 0x5fu ? text : "?", 1);
	}
}

/* "1.5 MB": for the eye. */
static void rough_size(uint64_t bytes, char *buf, size_t size)
{
	static const char *const units[] = { "B", "KB", "MB", "GB", "TB", "PB", "EB" };
	double value = (double)bytes;
	size_t unit = 0;

	while (value >= 1024 && unit + 1 < ARRAY_SIZE(units)) {
		value /= 1024;
		unit++;
	}
	snprintf(buf, size, value < 9.95 && (int)(value * 10 + 0.5) % 10 ? "%.1f %s" : "%.0f %s",
		 value, units[unit]);
}

static void put_text(struct gsc_out *out, unsigned x, unsigned y, const char *class,
		     const char *text)
{
	gsc_out_format(out, "<text x=\"%u\" y=\"%u\" class=\"%s\">", x, y, class);
	put_escaped(out, text);
	gsc_out_text(out, "</text>");
	gsc_out_end(out);
}

static void put_address(struct gsc_out *out, unsigned y, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
	put_text(out, ADDRESS_X, y, "address", text);
}

static void put_line(struct gsc_out *out, const char *class, double x1, double y1, double x2,
		     double y2)
{
	gsc_out_format(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
		       class, x1, y1, x2, y2);
	gsc_out_end(out);
}

/* Filled with the pattern of that name. */
static void put_filled(const struct drawing *d, const char *pattern, double x, double y,
		       double width, double height)
{
	gsc_out_format(d->out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" "
		       "fill=\"url(#%s-%s)\" class=\"edge\"/>", x, y, width, height, d->id,
		       pattern);
	gsc_out_end(d->out);
}

/* A triangle that points down, or up, to a place. */
static void put_pointer(struct gsc_out *out, const char *class, double x, double y, int down)
{
	gsc_out_format(out, "<path class=\"%s\" d=\"M%.1f %.1fl-6 %dh12z\"/>", class, x, y,
		       down ? -10 : 10);
	gsc_out_end(out);
}

static const char *note_class(enum gsc_note_kind kind)
{
	return kind == GSC_NOTE_FAULT ? "fault" : kind == GSC_NOTE_FENCE ? "fence" : "place";
}

/* ---- bands ---------------------------------------------------------------------------------- */

static unsigned bar_height(const struct picture_row *row)
{
	unsigned bits = 0;

	for (uint64_t size = row->all.end - row->all.start; size > 4096; size >>= 1)
		bits++;
	return BAND_LEAST - 8 + bits / 2;
}

static unsigned row_height(const struct picture_row *row)
{
	unsigned lines = row->notes > NOTES_SHOWN ? NOTES_SHOWN + 1 : row->notes;
	unsigned text = BAND_LEAST + lines * LINE;

	if (row->kind == ROW_GAP)
		return GAP_HEIGHT;
	if (row->kind == ROW_NOTE)
		return NOTE_HEIGHT;
	return MAX(text, bar_height(row) + 8 + (row->notes ? 10 : 0));
}

static double place_x(const struct picture_row *row, uint64_t address)
{
	double scale = BAR_WIDTH / (double)(row->end - row->start);

	if (address < row->start)
		return BAR_X;
	return BAR_X + (double)(MIN(address, row->end) - row->start) * scale;
}

/* A stretch inside its band, at least a hair wide. */
static void put_stretch(const struct drawing *d, const struct picture_row *row,
			const struct patch *item, unsigned y, unsigned height)
{
	double x = place_x(row, item->start), width = place_x(row, item->end) - x;

	if (width < 0.75)
		width = 0.75;
	if (x + width > BAR_X + BAR_WIDTH)
		x = BAR_X + BAR_WIDTH - width;
	put_filled(d, kind_class[patch_kind(item)], x, y, width, height);
}

static void put_note_in(const struct drawing *d, const struct picture_row *row,
			const struct gsc_picture_note *note, unsigned y, unsigned height)
{
	double x = place_x(row, note->start), end = place_x(row, note->end);

	if (note->kind == GSC_NOTE_FENCE) {
		put_filled(d, "fence", x, y + height, MAX(end - x, 3.0), 7);
		return;
	}
	put_line(d->out, note_class(note->kind), x, y, x, y + height);
	put_pointer(d->out, note_class(note->kind), x, y + height, 0);
}

static void flags_text(const struct gsc_translation *t, const struct gsc_mapping *mapping,
		       char *buf, size_t size)
{
	const char *flag;
	size_t used = 0;
	char word[32];

	*buf = 0;
	for (size_t i = 0; used < size &&
	     (flag = gsc_mapping_flag(t, mapping, i, word, sizeof(word))); i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? "," : "  ", flag);
}

/* Two lines beside a band: how large and what, then what it consists of. */
static void put_words(const struct drawing *d, const struct picture_row *row, unsigned y)
{
	const struct patch *all = &row->all;
	const struct gsc_mapping *first = &all->first;
	char size[24], page[24], flags[100], text[256], place[48];

	rough_size(all->end - all->start, size, sizeof(size));
	if (all->ranges > 1) {
		snprintf(text, sizeof(text), "%s, %llu ranges", size,
			 (unsigned long long)all->ranges);
		put_text(d->out, TEXT_X, y, "label", text);
		snprintf(text, sizeof(text), "%llu pages, mostly %s",
			 (unsigned long long)all->pages, gsc_mapping_word(patch_kind(all)));
		put_text(d->out, TEXT_X, y + LINE, "detail", text);
		return;
	}
	if (mapping_null(d->t, first))
		snprintf(place, sizeof(place), "nothing");
	else
		place_text(first->space, false, first->physical, place, sizeof(place));
	if (first->kind == GSC_MAPPING_REPEAT)
		snprintf(text, sizeof(text), "%s, repeat of 0x%llx", size,
			 (unsigned long long)first->of);
	else
		snprintf(text, sizeof(text), "%s, %s %s %s", size, gsc_mapping_word(first->kind),
			 first->kind == GSC_MAPPING_SCATTERED ? "from" : "at", place);
	put_text(d->out, TEXT_X, y, "label", text);
	flags_text(d->t, first, flags, sizeof(flags));
	snprintf(text, sizeof(text), "%llu x %s%s", (unsigned long long)first->pages,
		 first->page_size ? size_text(first->page_size, page, sizeof(page)) : "mixed",
		 flags);
	put_text(d->out, TEXT_X, y + LINE, "detail", text);
}

static void put_notes(const struct drawing *d, const struct picture_row *row, unsigned y)
{
	const struct gsc_picture_note *note;
	unsigned shown = 0;
	size_t i = 0;
	char text[40];

	while (shown < NOTES_SHOWN && (note = row_note(d->picture, row, &i))) {
		put_text(d->out, TEXT_X, y, note_class(note->kind), note->text);
		y += LINE;
		shown++;
	}
	if (row->notes <= shown)
		return;
	snprintf(text, sizeof(text), "and %u more", row->notes - shown);
	put_text(d->out, TEXT_X, y, "detail", text);
}

static void put_band(const struct drawing *d, const struct picture_row *row, unsigned y)
{
	unsigned height = bar_height(row);
	const struct gsc_picture_note *note;
	size_t i = 0;

	put_address(d->out, y + 15, row->start);
	gsc_out_format(d->out, "<rect class=\"bar\" x=\"%u\" y=\"%u\" width=\"%u\" "
		       "height=\"%u\"/>", BAR_X, y, BAR_WIDTH, height);
	gsc_out_end(d->out);
	for (size_t n = row->first; n < row->last; n++)
		put_stretch(d, row, &d->picture->items[n], y, height);
	while ((note = row_note(d->picture, row, &i)))
		put_note_in(d, row, note, y, height);
	put_words(d, row, y + 14);
	put_notes(d, row, y + 14 + 2 * LINE);
}

/* ---- other rows ----------------------------------------------------------------------------- */

static void put_gap(const struct drawing *d, const struct picture_row *row, unsigned y)
{
	bool told = row > d->rows.items && row[-1].kind == ROW_NOTE;
	char size[24], text[64];

	if (!told)
		put_address(d->out, y + 15, row->start);
	put_line(d->out, "gap", BAR_X + 8, y + 11, BAR_X + BAR_WIDTH - 8, y + 11);
	rough_size(row->end - row->start, size, sizeof(size));
	snprintf(text, sizeof(text), "%s not mapped", size);
	put_text(d->out, TEXT_X, y + 15, "detail", text);
}

static void put_lone_note(const struct drawing *d, const struct picture_row *row, unsigned y)
{
	const char *class = note_class(row->note->kind);
	char text[sizeof(row->note->text) + 16];

	put_address(d->out, y + 15, row->start);
	put_line(d->out, class, BAR_X, y + 11, BAR_X + BAR_WIDTH, y + 11);
	put_pointer(d->out, class, BAR_X + BAR_WIDTH / 2, y + 10, 1);
	snprintf(text, sizeof(text), "%s: not mapped", row->note->text);
	put_text(d->out, TEXT_X, y + 15, class, text);
}

static void put_row(const struct drawing *d, const struct picture_row *row, unsigned y)
{
	const struct gsc_picture_note *aperture = d->rows.aperture;
	unsigned height = row_height(row);

	if (aperture && row->start < aperture->end && row->end >= aperture->start)
		put_line(d->out, "lane", LANE_X + 4, y, LANE_X + 4,
			 y + (row->end <= aperture->end ? height : height / 2));
	if (row->kind == ROW_BAND)
		put_band(d, row, y);
	else if (row->kind == ROW_GAP)
		put_gap(d, row, y);
	else
		put_lone_note(d, row, y);
}

/* ---- head ----------------------------------------------------------------------------------- */

static const char style[] =
	"<style>.gsc-map text{font:13px system-ui,sans-serif;fill:#1c1c1c}"
	".gsc-map .paper{fill:#fff}.gsc-map .bar{fill:#eceff1}"
	".gsc-map .edge{stroke:#fff;stroke-width:.5}.gsc-map line{stroke-width:2}"
	".gsc-map .gap{stroke:#767676;stroke-width:1;stroke-dasharray:2 5}"
	".gsc-map .lane{stroke:#5b5b9b;stroke-width:4}"
	".gsc-map .title{font-size:17px;font-weight:600}"
	".gsc-map .address{font-family:ui-monospace,monospace;text-anchor:end}"
	".gsc-map .detail{fill:#595959;font-size:12px}"
	".gsc-map .fault{fill:#b00020;stroke:#b00020}"
	".gsc-map text.fault{font-weight:700;stroke:none}"
	".gsc-map .place{fill:#0b4f8a;stroke:#0b4f8a}.gsc-map text.place{stroke:none}"
	".gsc-map .fence{fill:#00665a;stroke:#00665a}.gsc-map text.fence{stroke:none}"
	".gsc-map .c1{fill:#2873a8}.gsc-map .c2{fill:#f6d9b0}.gsc-map .c2l{stroke:#a85a00}"
	".gsc-map .c3{fill:#e4e4e4}.gsc-map .c3l{fill:#757575}.gsc-map .c4{fill:#ead6ec}"
	".gsc-map .c4l{stroke:#84408a}.gsc-map .c5{fill:#00796b}.gsc-map .c5l{stroke:#fff}"
	"@media (prefers-color-scheme:dark){.gsc-map text{fill:#e6e6e6}"
	".gsc-map .paper{fill:#1b1d21}.gsc-map .bar{fill:#34383e}.gsc-map .edge{stroke:#1b1d21}"
	".gsc-map .gap{stroke:#8c8c8c}.gsc-map .lane{stroke:#a3a3e6}"
	".gsc-map .detail{fill:#b4b4b4}.gsc-map .fault{fill:#ff8a80;stroke:#ff8a80}"
	".gsc-map .place{fill:#8cc4f5;stroke:#8cc4f5}"
	".gsc-map .fence{fill:#6fd3c4;stroke:#6fd3c4}.gsc-map .c1{fill:#5aa2d6}"
	".gsc-map .c2{fill:#5a3c10}.gsc-map .c2l{stroke:#eda64a}.gsc-map .c3{fill:#45484d}"
	".gsc-map .c3l{fill:#a8a8a8}.gsc-map .c4{fill:#4b2f4f}.gsc-map .c4l{stroke:#d79bdd}"
	".gsc-map .c5{fill:#3aa899}.gsc-map .c5l{stroke:#123}}"
	"@media print{.gsc-map{print-color-adjust:exact;-webkit-print-color-adjust:exact}}</style>";

static void put_patterns(const struct drawing *d)
{
	static const struct {
		const char *name, *size, *shapes;
	} patterns[] = {
		{ "linear", "8", "<rect class=\"c1\" width=\"8\" height=\"8\"/>" },
		{ "scattered", "8", "<rect class=\"c2\" width=\"8\" height=\"8\"/>"
		  "<path class=\"c2l\" d=\"M-2 2l4-4M0 8l8-8M6 10l4-4\" stroke-width=\"2.6\"/>" },
		{ "constant", "6", "<rect class=\"c3\" width=\"6\" height=\"6\"/>"
		  "<circle class=\"c3l\" cx=\"3\" cy=\"3\" r=\"1\"/>" },
		{ "repeat", "6", "<rect class=\"c4\" width=\"6\" height=\"6\"/>"
		  "<path class=\"c4l\" d=\"M0 3h6\" stroke-width=\"2\"/>" },
		{ "fence", "6", "<rect class=\"c5\" width=\"6\" height=\"6\"/>"
		  "<path class=\"c5l\" d=\"M3 0v6\" stroke-width=\"1\"/>" },
	};

	gsc_out_text(d->out, "<defs>");
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		gsc_out_format(d->out, "<pattern id=\"%s-%s\" width=\"%s\" height=\"%s\" "
			       "patternUnits=\"userSpaceOnUse\">", d->id, patterns[i].name,
			       patterns[i].size, patterns[i].size);
		gsc_out_text(d->out, patterns[i].shapes);
		gsc_out_text(d->out, "</pattern>");
		gsc_out_end(d->out);
	}
	gsc_out_text(d->out, "</defs>");
	gsc_out_end(d->out);
}

/* For those who cannot see it. */
static void put_description(const struct drawing *d)
{
	char size[24], text[160];

	gsc_out_format(d->out, "<desc id=\"%s-d\">", d->id);
	gsc_out_format(d->out, "%llu stretches, %llu pages.", (unsigned long long)d->rows.bands,
		       (unsigned long long)d->pages);
	for (unsigned kind = 0; kind < PICTURE_KINDS; kind++) {
		if (!d->bytes[kind])
			continue;
		rough_size(d->bytes[kind], size, sizeof(size));
		snprintf(text, sizeof(text), " %s: %s.",
			 gsc_mapping_word((enum gsc_mapping_kind)kind), size);
		put_escaped(d->out, text);
	}
	for (size_t i = 0; i < d->picture->note_count; i++) {
		snprintf(text, sizeof(text), " 0x%llx: %s.",
			 (unsigned long long)d->picture->notes[i].start, d->picture->notes[i].text);
		put_escaped(d->out, text);
	}
	gsc_out_text(d->out, "</desc>");
	gsc_out_end(d->out);
}

static void put_head(const struct drawing *d, unsigned height, const char *title)
{
	struct gsc_out *out = d->out;

	gsc_out_format(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		       "viewBox=\"0 0 %u %u\" class=\"gsc-map\" role=\"img\" "
		       "aria-labelledby=\"%s-t %s-d\">", WIDTH, height, WIDTH, height, d->id,
		       d->id);
	gsc_out_end(out);
	gsc_out_format(out, "<title id=\"%s-t\">", d->id);
	put_escaped(out, title);
	gsc_out_text(out, "</title>");
	gsc_out_end(out);
	put_description(d);
	gsc_out_text(out, style);
	gsc_out_end(out);
	put_patterns(d);
	gsc_out_format(out, "<rect class=\"paper\" width=\"%u\" height=\"%u\"/>", WIDTH, height);
	gsc_out_end(out);
	if (d->page)
		put_text(out, MARGIN, MARGIN + 8, "title", title);
}

/* ---- legend --------------------------------------------------------------------------------- */

struct legend {
	const struct drawing *d;
	unsigned x, y;
	bool draw;
};

/* Room for one entry, on the next line if this one is full. */
static void legend_place(struct legend *legend, const char *text)
{
	unsigned width = 40 + (unsigned)strlen(text) * 7;

	if (legend->x != MARGIN && legend->x + width > WIDTH) {
		legend->x = MARGIN;
		legend->y += LEGEND_LINE;
	}
	if (legend->draw)
		put_text(legend->d->out, legend->x + 26, legend->y + 12, "label", text);
	legend->x += width;
}

static void legend_kinds(struct legend *legend)
{
	static const char *const meaning[PICTURE_KINDS] = {
		[GSC_MAPPING_LINEAR] = "linear: consecutive pages",
		[GSC_MAPPING_CONSTANT] = "constant: one page for all, as scratch",
		[GSC_MAPPING_SCATTERED] = "scattered pages",
		[GSC_MAPPING_REPEAT] = "repeat: a table met before",
	};

	for (unsigned kind = 0; kind < PICTURE_KINDS; kind++) {
		if (!legend->d->bytes[kind])
			continue;
		legend_place(legend, meaning[kind]);
		if (legend->draw)
			put_filled(legend->d, kind_class[kind], legend->x - 40 -
				   (unsigned)strlen(meaning[kind]) * 7, legend->y, 20, 14);
	}
}

static void legend_notes(struct legend *legend)
{
	static const char *const meaning[] = {
		[GSC_NOTE_FAULT] = "address of a fault", [GSC_NOTE_PLACE] = "where an engine works",
		[GSC_NOTE_FENCE] = "fence: seen untiled",
	};

	for (unsigned kind = 0; kind < ARRAY_SIZE(meaning); kind++) {
		unsigned x;

		if (!legend->d->noted[kind])
			continue;
		legend_place(legend, meaning[kind]);
		x = legend->x - 40 - (unsigned)strlen(meaning[kind]) * 7;
		if (legend->draw && kind == GSC_NOTE_FENCE)
			put_filled(legend->d, "fence", x, legend->y + 4, 20, 7);
		else if (legend->draw)
			put_pointer(legend->d->out, note_class((enum gsc_note_kind)kind), x + 10,
				    legend->y + 2, 0);
	}
	if (legend->d->noted[GSC_NOTE_APERTURE]) {
		const char *text = legend->d->rows.aperture->text;

		legend_place(legend, text);
		if (legend->draw)
			put_line(legend->d->out, "lane",
				 legend->x - 30 - (double)strlen(text) * 7, legend->y,
				 legend->x - 30 - (double)strlen(text) * 7, legend->y + 14);
	}
}

/* Where the rows begin. */
static unsigned put_legend(const struct drawing *d, bool draw)
{
	struct legend legend = { d, MARGIN, d->page ? LEGEND_Y : MARGIN / 2, draw };

	legend_kinds(&legend);
	legend_notes(&legend);
	return legend.y + LEGEND_LINE + 14;
}

static unsigned whole_height(const struct drawing *d)
{
	unsigned height = put_legend(d, false) + GAP_HEIGHT + MARGIN;

	for (size_t i = 0; i < d->rows.count; i++)
		height += row_height(&d->rows.items[i]);
	return height;
}

static void sum_up(struct drawing *d)
{
	for (size_t i = 0; i < d->picture->count; i++) {
		d->pages += d->picture->items[i].pages;
		for (unsigned kind = 0; kind < PICTURE_KINDS; kind++)
			d->bytes[kind] += d->picture->items[i].bytes[kind];
	}
	for (size_t i = 0; i < d->picture->note_count; i++)
		d->noted[d->picture->notes[i].kind] = true;
}

void gsc_picture_write(struct gsc_out *out, const struct gsc_picture *picture,
		       const struct gsc_translation *t, const char *title, const char *id)
{
	struct drawing d = { .out = out, .picture = picture, .t = t, .id = id ? id : "map",
			     .page = !id };
	unsigned y;

	if (!picture_rows(picture, &d.rows)) {
		out->error = out->error ? out->error : ENOMEM;
		return;
	}
	sum_up(&d);
	put_head(&d, whole_height(&d), title);
	y = put_legend(&d, true);
	for (size_t i = 0; i < d.rows.count; i++) {
		put_row(&d, &d.rows.items[i], y);
		y += row_height(&d.rows.items[i]);
	}
	if (!d.rows.count || d.rows.items[d.rows.count - 1].kind != ROW_NOTE)
		put_address(out, y + 15, d.rows.end);
	if (!d.rows.bands)
		put_text(out, BAR_X, y + 15, "label", "nothing is mapped");
	gsc_out_text(out, "</svg>");
	gsc_out_end(out);
	free(d.rows.items);
}
