/* SPDX-License-Identifier: MIT */
/*
 * A map as a picture: the address space from low to high, a band for each stretch that is mapped
 * and a thin row for what is between. Bands grow with the logarithm of their size; inside, from
 * left to right, addresses are to scale. Kinds differ in pattern as well as in colour.
 */
#include "out/walk.h"

#include "util/text.h"

#include <errno.h>

enum {
	GAP_HEIGHT = 24, NOTE_HEIGHT = 22, BAND_LEAST = 38, LINE = 16,
	TITLE_Y = 28, LEGEND_Y = 44, LEGEND_LINE = 22, NOTES_SHOWN = 6, ALARM = 20,
};

/* Where things are from left to right; stacked: below each other, for a narrow screen. */
struct layout {
	const char *class;
	unsigned width, margin, address_x, lane_x, bar_x, bar_width, text_x;
	bool stacked;
};

static const struct layout wide = {
	.class = "gsc-map", .width = 960, .margin = 20, .address_x = 166, .lane_x = 178,
	.bar_x = 190, .bar_width = 370, .text_x = 580,
};

static const struct layout narrow = {
	.class = "gsc-map gsc-narrow", .width = 400, .margin = 2, .address_x = 14, .lane_x = 4,
	.bar_x = 14, .bar_width = 384, .text_x = 14, .stacked = true,
};

struct drawing {
	struct gsc_out *out;
	const struct layout *at;
	const struct gsc_translation *t;
	const char *id;
	bool page;			/* it has its own: the title is visible */
	struct picture_rows rows;
	uint64_t bytes[SHAPES], pages;
	bool noted[GSC_NOTE_APERTURE + 1];
};

/* For a stretch: its pattern, its kind in a word, and the meaning in the legend. */
static const struct {
	const char *pattern, *word, *meaning, *detail;
} shapes[SHAPES] = {
	[GSC_MAPPING_LINEAR] = { "linear", "linear", "linear: consecutive pages", NULL },
	[GSC_MAPPING_CONSTANT] = { "constant", "constant",
				   "constant: one page for all addresses, such as scratch", NULL },
	[GSC_MAPPING_SCATTERED] = { "scattered", "scattered", "scattered pages", NULL },
	[GSC_MAPPING_REPEAT] = { "repeat", "repeat", "repeat: a table that occurred before", NULL },
	[SHAPE_NULL_TILE] = { "null", "null tiles", "null tile: reads return zero",
			      "reads return zero, writes are dropped" },
	[SHAPE_INVALID_TILE] = { "invalid", "invalid tiles", "invalid tile: raises an interrupt",
				 "reads return zero and raise an interrupt" },
	[SHAPE_UNKNOWN] = { "unknown", "unknown", "unknown: its table could not be read",
			    NULL },
};

/* ---- text, which cannot become markup -------------------------------------------------------- */

static void svg_escaped(struct gsc_out *out, const char *text)
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
	gsc_out_format(out, "<text x=\"%llu\" y=\"%llu\" class=\"%s\">", LL(x), LL(y), class);
	svg_escaped(out, text);
	gsc_out_line(out, "</text>");
}

/* ---- pieces --------------------------------------------------------------------------------- */

static void put_address(const struct drawing *d, unsigned y, uint64_t address)
{
	char text[32];

	string_set(text, "0x%llx", LL(address));
	gsc_svg_text(d->out, d->at->address_x, y, d->at->stacked ? "address left" : "address",
		     text);
}

static void put_line(struct gsc_out *out, const char *class, double x1, double y1, double x2,
		     double y2)
{
	gsc_out_line(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
		       class, x1, y1, x2, y2);
}

/* Filled with the pattern of that name. */
static void put_filled(const struct drawing *d, const char *pattern, double x, double y,
		       double width, double height)
{
	gsc_out_line(d->out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" "
		       "fill=\"url(#%s-%s)\" class=\"edge\"/>", x, y, width, height, d->id,
		       pattern);
}

/* A triangle that points down, or up, to a place. */
static void put_pointer(struct gsc_out *out, const char *class, double x, double y, int down)
{
	gsc_out_line(out, "<path class=\"%s\" d=\"M%.1f %.1fl-6 %dh12z\"/>", class, x, y,
		       down ? -10 : 10);
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

/* The bar with what points to it. */
static unsigned marked_height(const struct picture_row *row)
{
	return bar_height(row) + 8 + (row->notes ? 10 : 0);
}

static unsigned row_height(const struct drawing *d, const struct picture_row *row)
{
	unsigned lines = row->notes > NOTES_SHOWN ? NOTES_SHOWN + 1 : row->notes;
	unsigned text = BAND_LEAST + lines * LINE;

	if (row->kind == ROW_GAP)
		return GAP_HEIGHT;
	if (row->kind == ROW_NOTE)
		return NOTE_HEIGHT + (d->at->stacked ? LINE + 8 : 4);
	if (d->at->stacked)
		return LINE + marked_height(row) + text + 4;
	if (lines)
		text += bar_height(row) - (BAND_LEAST - 8) + 4;
	return MAX(text, marked_height(row));
}

static double place_x(const struct drawing *d, const struct picture_row *row, uint64_t address)
{
	double scale = d->at->bar_width / (double)(row->end - row->start);

	if (address < row->start)
		return d->at->bar_x;
	return d->at->bar_x + (double)(MIN(address, row->end) - row->start) * scale;
}

/* The words of a note; those of a fault are in a box. */
static void put_note_text(const struct drawing *d, enum gsc_note_kind kind, unsigned y,
			  const char *text)
{
	unsigned x = d->at->text_x + (d->at->stacked ? 16 : 0);

	if (kind == GSC_NOTE_FAULT) {
		gsc_out_line(d->out, "<rect class=\"alarm\" x=\"%u\" y=\"%u\" width=\"%u\" "
			       "height=\"%u\" rx=\"3\"/>", d->at->text_x - 6, y - 14,
			       d->at->width - d->at->margin - d->at->text_x + 4, ALARM);
	}
	if (d->at->stacked && kind == GSC_NOTE_FENCE)
		put_filled(d, "fence", d->at->text_x, y - 8, 12, 7);
	else if (d->at->stacked)
		put_pointer(d->out, note_class(kind), d->at->text_x + 6, y - 10, 0);
	gsc_svg_text(d->out, x, y, note_class(kind), text);
}

static void put_two(const struct drawing *d, unsigned y, const char *label, const char *detail)
{
	gsc_svg_text(d->out, d->at->text_x, y, "label", label);
	gsc_svg_text(d->out, d->at->text_x, y + LINE, "detail", detail);
}

/* For several ranges, or for one that is not mapped. */
static void put_summary(const struct drawing *d, const struct patch *all, const char *size,
			unsigned y)
{
	unsigned shape = patch_shape(all);
	char label[80], detail[80];

	if (all->ranges == 1) {
		string_set(label, "%s, %s", size, shapes[shape].word);
		put_two(d, y, label, shapes[shape].detail ? shapes[shape].detail : all->why ?
			all->why : "");
		return;
	}
	string_set(label, "%s, %llu ranges", size, LL(all->ranges));
	string_set(detail, "%llu pages, mostly %s", LL(all->pages), shapes[shape].word);
	put_two(d, y, label, detail);
}

/* Two lines beside a band: how large and what, then what it consists of. */
static void put_words(const struct drawing *d, const struct picture_row *row, unsigned y)
{
	const struct patch *all = &row->all;
	const struct gsc_mapping *first = &all->first;
	char size[24], page[24], flags[100], text[256], detail[160], place[48], word[32];
	struct text list = text_of(flags);
	const char *flag;

	size_rough(all->end - all->start, size, sizeof(size));
	if (all->ranges > 1 || patch_shape(all) >= SHAPE_NULL_TILE) {
		put_summary(d, all, size, y);
		return;
	}
	if (mapping_null(d->t, first))
		string_set(place, "nothing");
	else
		place_text(first->space, false, first->physical, place, sizeof(place));
	if (first->kind == GSC_MAPPING_REPEAT)
		string_set(text, "%s, repeat of 0x%llx", size, LL(first->of));
	else
		string_set(text, "%s, %s %s %s", size, gsc_mapping_word(first->kind),
			   first->kind == GSC_MAPPING_SCATTERED ? "from" : "at", place);
	for (size_t i = 0; (flag = gsc_mapping_flag(d->t, first, i, word, sizeof(word))); i++)
		text_add(&list, "%s%s", i ? "," : "  ", flag);
	string_set(detail, "%llu x %s%s", LL(first->pages),
		   first->page_size ? size_short(first->page_size, page, sizeof(page)) : "mixed",
		   flags);
	put_two(d, y, text, detail);
}

/* By address; beside the band the last comes first, so that no leader crosses another. */
static void put_notes(const struct drawing *d, const struct picture_row *row, unsigned y,
		      unsigned below)
{
	const struct gsc_picture_note *notes[NOTES_SHOWN], *next;
	unsigned shown = 0, k;
	char text[40];
	size_t i = 0;

	while (shown < NOTES_SHOWN && (next = row_note(&d->rows, row, &i))) {
		for (k = shown++; k && notes[k - 1]->start > next->start; k--)
			notes[k] = notes[k - 1];
		notes[k] = next;
	}
	for (unsigned n = 0; n < shown; n++) {
		const struct gsc_picture_note *note = notes[d->at->stacked ? n : shown - 1 - n];

		/* From its place in the band, below the bar, to its words. */
		if (!d->at->stacked) {
			double x = place_x(d, row, note->start);

			if (note->kind == GSC_NOTE_FENCE)
				x = MAX((x + place_x(d, row, note->end)) / 2, x + 1.5);
			gsc_out_line(d->out, "<path class=\"lead %s\" d=\"M%.1f %uV%uH%u\"/>",
				     note_class(note->kind), x, below, y - 4,
				     d->at->text_x - (note->kind == GSC_NOTE_FAULT ? 6 : 4));
		}
		put_note_text(d, note->kind, y, note->text);
		y += LINE;
	}
	if (row->notes <= shown)
		return;
	string_set(text, "and %u more", row->notes - shown);
	gsc_svg_text(d->out, d->at->text_x, y, "detail", text);
}

static void put_band(const struct drawing *d, const struct picture_row *row, unsigned y)
{
	unsigned height = bar_height(row), words = y + 14;
	const struct gsc_picture_note *note;
	size_t i = 0;

	put_address(d, y + 15, row->start);
	if (d->at->stacked) {
		y += LINE + 4;
		words = y + marked_height(row) + 8;
	}
	gsc_out_line(d->out, "<rect class=\"bar\" x=\"%u\" y=\"%u\" width=\"%u\" "
		       "height=\"%u\"/>", d->at->bar_x, y, d->at->bar_width, height);
	/* The stretches, each at least a hair wide. */
	for (size_t n = row->first; n < row->last; n++) {
		const struct patch *item = &d->rows.patches[n];
		double x = place_x(d, row, item->start);
		double width = MAX(place_x(d, row, item->end) - x, 0.75);

		x = MIN(x, d->at->bar_x + d->at->bar_width - width);
		put_filled(d, shapes[patch_shape(item)].pattern, x, y, width, height);
	}
	while ((note = row_note(&d->rows, row, &i))) {
		double x = place_x(d, row, note->start), end = place_x(d, row, note->end);

		if (note->kind == GSC_NOTE_FENCE) {
			put_filled(d, "fence", x, y + height, MAX(end - x, 3.0), 7);
			continue;
		}
		put_line(d->out, note_class(note->kind), x, y, x, y + height);
		put_pointer(d->out, note_class(note->kind), x, y + height, 0);
	}
	put_words(d, row, words);
	put_notes(d, row, d->at->stacked ? words + 2 * LINE + 2 : y + height + 18, y + height);
}

/* ---- other rows ----------------------------------------------------------------------------- */

static void put_lone_note(const struct drawing *d, const struct picture_row *row, unsigned y)
{
	const char *class = note_class(row->note->kind);
	char text[sizeof(row->note->text) + 16];

	unsigned x = d->at->bar_x, line = d->at->stacked ? y + 20 : y + 11;

	put_address(d, y + 15, row->start);
	put_line(d->out, class, x, line, x + d->at->bar_width, line);
	put_pointer(d->out, class, x + d->at->bar_width / 2, line - 1, 1);
	string_set(text, "%s%s", row->note->text,
		   row->note->kind == GSC_NOTE_FAULT ? ": not mapped" : "");
	put_note_text(d, row->note->kind, d->at->stacked ? line + 18 : y + 15, text);
}

/* ---- head ----------------------------------------------------------------------------------- */

extern const char map_style[];		/* data/report/map.css */

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
		{ "unknown", "9", "<rect class=\"c6\" width=\"9\" height=\"9\"/>"
		  "<path class=\"c6l\" d=\"M0 0l9 9M9 0l-9 9\" stroke-width=\"1\"/>" },
		{ "null", "10", "<rect class=\"c7\" width=\"10\" height=\"10\"/>"
		  "<path class=\"c7l\" d=\"M3 3h4v4h-4z\" stroke-width=\"1.2\"/>" },
		{ "invalid", "9", "<rect class=\"c8\" width=\"9\" height=\"9\"/>"
		  "<path class=\"c8l\" d=\"M2 2l5 5M7 2l-5 5\" stroke-width=\"1.4\"/>" },
		{ "fence", "6", "<rect class=\"c5\" width=\"6\" height=\"6\"/>"
		  "<path class=\"c5l\" d=\"M3 0v6\" stroke-width=\"1\"/>" },
	};

	gsc_out_text(d->out, "<defs>");
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		gsc_out_format(d->out, "<pattern id=\"%s-%s\" width=\"%s\" height=\"%s\" "
			       "patternUnits=\"userSpaceOnUse\">", d->id, patterns[i].name,
			       patterns[i].size, patterns[i].size);
		gsc_out_text(d->out, patterns[i].shapes);
		gsc_out_line(d->out, "</pattern>");
	}
	gsc_out_line(d->out, "</defs>");
}

static void put_head(const struct drawing *d, unsigned height, const char *title)
{
	struct gsc_out *out = d->out;
	char size[24], text[160];

	gsc_out_line(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		       "viewBox=\"0 0 %u %u\" class=\"%s\" role=\"img\" "
		       "aria-labelledby=\"%s-t\" aria-describedby=\"%s-d\">", d->at->width, height,
		       d->at->width, height, d->at->class, d->id, d->id);
	gsc_out_format(out, "<title id=\"%s-t\">", d->id);
	svg_escaped(out, title);
	gsc_out_line(out, "</title>");
	/* For those who cannot see it. */
	gsc_out_format(d->out, "<desc id=\"%s-d\">", d->id);
	gsc_out_format(d->out, "%llu ranges, %llu pages.", LL(d->rows.bands), LL(d->pages));
	for (unsigned shape = 0; shape < SHAPES; shape++) {
		if (!d->bytes[shape])
			continue;
		size_rough(d->bytes[shape], size, sizeof(size));
		string_set(text, " %s: %s.", shapes[shape].word, size);
		svg_escaped(d->out, text);
	}
	for (size_t i = 0; i < d->rows.note_count; i++) {
		string_set(text, " 0x%llx: %s.", LL(d->rows.notes[i].start), d->rows.notes[i].text);
		svg_escaped(d->out, text);
	}
	gsc_out_line(d->out, "</desc>");
	if (d->page) {
		gsc_out_text(out, "<style>");
		gsc_out_text(out, map_style);
		gsc_out_line(out, "</style>");
	}
	put_patterns(d);
	gsc_out_line(out, "<rect class=\"paper\" width=\"%u\" height=\"%u\"/>", d->at->width,
		       height);
	if (d->page)
		gsc_svg_text(out, d->at->margin, TITLE_Y, "title", title);
}

/* ---- legend --------------------------------------------------------------------------------- */

struct legend {
	const struct drawing *d;
	unsigned x, y;
	bool draw;
};

/* Where there is room for one entry, on the next line if this one is full. */
static unsigned legend_place(struct legend *legend, const char *text)
{
	unsigned width = 40 + (unsigned)strlen(text) * 7;

	if (legend->x != legend->d->at->margin && legend->x + width > legend->d->at->width) {
		legend->x = legend->d->at->margin;
		legend->y += LEGEND_LINE;
	}
	if (legend->draw)
		gsc_svg_text(legend->d->out, legend->x + 26, legend->y + 12, "label", text);
	legend->x += width;
	return legend->x - width;
}

/* Where the rows begin. */
static unsigned put_legend(const struct drawing *d, bool draw)
{
	static const char *const meaning[] = {
		[GSC_NOTE_FAULT] = "address of a fault",
		[GSC_NOTE_PLACE] = "an object, or where an engine is",
		[GSC_NOTE_FENCE] = "fence: a linear view of tiles",
	};
	struct legend legend = { d, d->at->margin, d->page ? LEGEND_Y : 10, draw };
	unsigned x;

	for (unsigned shape = 0; shape < SHAPES; shape++) {
		if (!d->bytes[shape])
			continue;
		x = legend_place(&legend, shapes[shape].meaning);
		if (draw)
			put_filled(d, shapes[shape].pattern, x, legend.y, 20, 14);
	}
	for (unsigned kind = 0; kind < ARRAY_SIZE(meaning); kind++) {
		if (!d->noted[kind])
			continue;
		x = legend_place(&legend, meaning[kind]);
		if (draw && kind == GSC_NOTE_FENCE)
			put_filled(d, "fence", x, legend.y + 4, 20, 7);
		else if (draw)
			put_pointer(d->out, note_class((enum gsc_note_kind)kind), x + 10,
				    legend.y + 2, 0);
	}
	if (d->noted[GSC_NOTE_APERTURE]) {
		x = legend_place(&legend, d->rows.aperture->text) + 10;
		if (draw)
			put_line(d->out, "lane", x, legend.y, x, legend.y + 14);
	}
	legend.y += LEGEND_LINE;
	if (draw)
		gsc_svg_text(d->out, d->at->margin, legend.y + 12, "detail",
			     "Not to scale. Each bar has its own scale, from left to right.");
	return legend.y + LEGEND_LINE + 10;
}

static void draw(struct drawing *d, const struct layout *at, const char *id, const char *title)
{
	const struct gsc_picture_note *aperture = d->rows.aperture;
	unsigned y, height;
	char size[24], text[64];

	d->at = at;
	d->id = id;
	height = put_legend(d, false) + 2 * GAP_HEIGHT;
	for (size_t i = 0; i < d->rows.count; i++)
		height += row_height(d, &d->rows.items[i]);
	put_head(d, height, title);
	y = put_legend(d, true);
	for (size_t i = 0; i < d->rows.count; i++) {
		const struct picture_row *row = &d->rows.items[i];

		height = row_height(d, row);
		if (aperture && row->start < aperture->end && row->end >= aperture->start)
			put_line(d->out, "lane", at->lane_x, y, at->lane_x,
				 y + (row->end <= aperture->end ? height : height / 2));
		if (row->kind == ROW_BAND)
			put_band(d, row, y);
		if (row->kind == ROW_NOTE)
			put_lone_note(d, row, y);
		y += height;
		if (row->kind != ROW_GAP)
			continue;
		if (row == d->rows.items || row[-1].kind != ROW_NOTE)
			put_address(d, y - height + 15, row->start);
		if (!at->stacked)
			put_line(d->out, "gap", at->bar_x + 8, y - height + 11,
				 at->bar_x + at->bar_width - 8, y - height + 11);
		size_rough(row->end - row->start, size, sizeof(size));
		string_set(text, "%s not mapped", size);
		gsc_svg_text(d->out, at->text_x + (at->stacked ? 130 : 0), y - height + 15,
			     "detail", text);
	}
	put_address(d, y + 15, d->rows.end);
	if (!d->rows.bands)
		gsc_svg_text(d->out, at->stacked ? at->text_x + 130 : at->bar_x, y + 15, "label",
			     "nothing is mapped");
	gsc_out_line(d->out, "</svg>");
}

/* A page gets both forms, and its style shows the one that fits. */
void gsc_picture_write(struct gsc_out *out, const struct gsc_picture *picture,
		       const struct gsc_translation *t, const char *title, const char *id)
{
	struct drawing d = { .out = out, .t = t, .page = !id };
	char other[40];

	if (!picture_rows(picture, t, &d.rows)) {
		out->error = out->error ? out->error : ENOMEM;
		return;
	}
	for (size_t i = 0; i < d.rows.patch_count; i++) {
		d.pages += d.rows.patches[i].pages;
		for (unsigned shape = 0; shape < SHAPES; shape++)
			d.bytes[shape] += d.rows.patches[i].bytes[shape];
	}
	for (size_t i = 0; i < d.rows.note_count; i++)
		d.noted[d.rows.notes[i].kind] = true;
	draw(&d, &wide, id ? id : "map", title);
	if (id) {
		string_set(other, "%.30sn", id);
		draw(&d, &narrow, other, title);
	}
	picture_rows_free(&d.rows);
}
