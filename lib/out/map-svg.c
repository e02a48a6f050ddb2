/* SPDX-License-Identifier: MIT */
/*
 * A map as a picture: the address space from low to high, a band for each stretch that is mapped
 * and a thin one for what lies between. Bands grow with the logarithm of their size; inside, from
 * left to right, addresses are to scale. However many ranges come, few stretches are remembered:
 * those that lie closest together become one.
 */
#include "out/walk.h"

#include <stdio.h>
#include <string.h>

#define STRETCHES_MAX 4096
#define BANDS_MAX 48
#define KINDS 4

struct patch {
	struct gsc_mapping first;
	uint64_t start, end, ranges, pages;
	uint64_t bytes[KINDS];		/* by enum gsc_mapping_kind */
};

struct gsc_picture {
	struct patch *items;
	size_t count;
};

/* The colours tell apart for the colour-blind as well, on light and on dark. */
static const char *const colours[KINDS] = {
	[GSC_MAPPING_LINEAR] = "#2c7fb8", [GSC_MAPPING_CONSTANT] = "#8a8a8a",
	[GSC_MAPPING_SCATTERED] = "#e08a1e", [GSC_MAPPING_REPEAT] = "#b06ab3",
};

enum {
	WIDTH = 960, MARGIN = 20, HEAD = 86, BAR_X = 180, BAR_WIDTH = 380, TEXT_X = 576,
	GAP_HEIGHT = 22, BAND_LEAST = 34,
};

enum gsc_status gsc_picture_new(struct gsc_picture **picture, struct gsc_error *err)
{
	*picture = calloc(1, sizeof(**picture));
	if (!*picture)
		return err_memory(err);
	(*picture)->items = calloc(STRETCHES_MAX, sizeof(*(*picture)->items));
	if ((*picture)->items)
		return GSC_OK;
	free(*picture);
	*picture = NULL;
	return err_memory(err);
}

void gsc_picture_free(struct gsc_picture *picture)
{
	if (!picture)
		return;
	free(picture->items);
	free(picture);
}

/* ---- gathering ------------------------------------------------------------------------------ */

/* What is lost to the eye if two neighbours become one. */
static uint64_t cost_of(const struct patch *a, const struct patch *b)
{
	return b->start - a->end + MIN(a->end - a->start, b->end - b->start) / 16;
}

static void join(struct patch *a, const struct patch *b)
{
	a->end = b->end;
	a->ranges += b->ranges;
	a->pages += b->pages;
	for (unsigned kind = 0; kind < KINDS; kind++)
		a->bytes[kind] += b->bytes[kind];
}

static int compare_costs(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Joins the closer half of all neighbours. */
static void halve(struct gsc_picture *picture, uint64_t *costs)
{
	struct patch *items = picture->items;
	size_t count = picture->count, kept = 0, pairs = 0;
	uint64_t limit;

	for (size_t i = 0; i + 1 < count; i++)
		costs[pairs++] = cost_of(&items[i], &items[i + 1]);
	qsort(costs, pairs, sizeof(*costs), compare_costs);
	limit = costs[pairs / 2];
	for (size_t i = 1; i < count; i++) {
		bool even = !(kept & 1) && cost_of(&items[kept], &items[i]) == limit;

		if (cost_of(&items[kept], &items[i]) < limit || even)
			join(&items[kept], &items[i]);
		else
			items[++kept] = items[i];
	}
	picture->count = kept + 1;
}

/* By force, should all of them cost the same. */
static void pair_up(struct gsc_picture *picture)
{
	for (size_t i = 0; i < picture->count / 2; i++) {
		picture->items[i] = picture->items[2 * i];
		join(&picture->items[i], &picture->items[2 * i + 1]);
	}
	picture->count /= 2;
}

bool gsc_picture_add(struct gsc_picture *picture, const struct gsc_mapping *mapping)
{
	struct patch *item;

	if (picture->count == STRETCHES_MAX) {
		uint64_t *costs = calloc(STRETCHES_MAX, sizeof(*costs));

		if (!costs)
			return false;
		halve(picture, costs);
		free(costs);
		if (picture->count > STRETCHES_MAX * 3 / 4)
			pair_up(picture);
	}
	item = &picture->items[picture->count++];
	*item = (struct patch){
		.first = *mapping, .start = mapping->start, .end = mapping->end,
		.ranges = 1, .pages = mapping->pages,
	};
	if ((unsigned)mapping->kind < KINDS)
		item->bytes[mapping->kind] = mapping->end - mapping->start;
	return true;
}

/* ---- bands ---------------------------------------------------------------------------------- */

/* Stretches first..end-1, and all of them together. */
struct band {
	size_t first, end;
	struct patch all;
};

/* Of one stretch each; then the closest are joined until there are few enough to read. */
static size_t make_bands(const struct gsc_picture *picture, struct band *bands)
{
	size_t count = picture->count;

	for (size_t i = 0; i < count; i++)
		bands[i] = (struct band){ i, i + 1, picture->items[i] };
	while (count > BANDS_MAX) {
		size_t best = 0;

		for (size_t i = 1; i + 1 < count; i++)
			if (cost_of(&bands[i].all, &bands[i + 1].all) <
			    cost_of(&bands[best].all, &bands[best + 1].all))
				best = i;
		bands[best].end = bands[best + 1].end;
		join(&bands[best].all, &bands[best + 1].all);
		memmove(&bands[best + 1], &bands[best + 2],
			(count - best - 2) * sizeof(*bands));
		count--;
	}
	return count;
}

static unsigned band_height(const struct band *band)
{
	unsigned bits = 0;

	for (uint64_t size = band->all.end - band->all.start; size > 4096; size >>= 1)
		bits++;
	return BAND_LEAST + bits;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void put_escaped(struct gsc_out *out, const char *text)
{
	for (; *text; text++) {
		const char *plain = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : NULL;

		if (plain)
			gsc_out_text(out, plain);
		else
			gsc_out_bytes(out, (unsigned char)*text < 0x20 ? "?" : text, 1);
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
	put_text(out, BAR_X - 12, y, "address", text);
}

static unsigned main_kind(const struct patch *item)
{
	unsigned most = 0;

	for (unsigned kind = 1; kind < KINDS; kind++)
		if (item->bytes[kind] > item->bytes[most])
			most = kind;
	return most;
}

/* A stretch inside its band, at least a hair wide. */
static void put_stretch(struct gsc_out *out, const struct band *band,
			const struct patch *item, unsigned y, unsigned height)
{
	double scale = BAR_WIDTH / (double)(band->all.end - band->all.start);
	double x = (double)(item->start - band->all.start) * scale;
	double width = (double)(item->end - item->start) * scale;

	if (width < 0.75)
		width = 0.75;
	if (x + width > BAR_WIDTH)
		x = BAR_WIDTH - width;
	gsc_out_format(out, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\" fill=\"%s\"/>",
		       BAR_X + x, y, width, height, colours[main_kind(item)]);
	gsc_out_end(out);
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
static void put_legend_of(struct gsc_out *out, const struct gsc_translation *t,
			  const struct band *band, unsigned y)
{
	const struct patch *all = &band->all;
	const struct gsc_mapping *first = &all->first;
	char size[24], page[24], flags[100], text[256], place[48];

	rough_size(all->end - all->start, size, sizeof(size));
	if (all->ranges > 1) {
		snprintf(text, sizeof(text), "%s, %llu ranges", size,
			 (unsigned long long)all->ranges);
		put_text(out, TEXT_X, y, "label", text);
		snprintf(text, sizeof(text), "%llu pages, mostly %s",
			 (unsigned long long)all->pages,
			 gsc_mapping_word((enum gsc_mapping_kind)main_kind(all)));
		put_text(out, TEXT_X, y + 16, "detail", text);
		return;
	}
	if (mapping_null(t, first))
		snprintf(place, sizeof(place), "nothing");
	else
		place_text(first->space, false, first->physical, place, sizeof(place));
	if (first->kind == GSC_MAPPING_REPEAT)
		snprintf(text, sizeof(text), "%s, repeat of 0x%llx", size,
			 (unsigned long long)first->of);
	else
		snprintf(text, sizeof(text), "%s, %s %s %s", size, gsc_mapping_word(first->kind),
			 first->kind == GSC_MAPPING_SCATTERED ? "from" : "at", place);
	put_text(out, TEXT_X, y, "label", text);
	flags_text(t, first, flags, sizeof(flags));
	snprintf(text, sizeof(text), "%llu x %s%s", (unsigned long long)first->pages,
		 first->page_size ? size_text(first->page_size, page, sizeof(page)) : "mixed",
		 flags);
	put_text(out, TEXT_X, y + 16, "detail", text);
}

static unsigned put_gap(struct gsc_out *out, uint64_t start, uint64_t end, unsigned y)
{
	char size[24], text[64];

	put_address(out, y + 15, start);
	gsc_out_format(out, "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" class=\"gap\"/>",
		       BAR_X + 8, y + 11, BAR_X + BAR_WIDTH - 8, y + 11);
	gsc_out_end(out);
	rough_size(end - start, size, sizeof(size));
	snprintf(text, sizeof(text), "%s not mapped", size);
	put_text(out, TEXT_X, y + 15, "detail", text);
	return y + GAP_HEIGHT;
}

static unsigned put_band(struct gsc_out *out, const struct gsc_picture *picture,
			 const struct gsc_translation *t, const struct band *band, unsigned y)
{
	unsigned height = band_height(band);

	put_address(out, y + 15, band->all.start);
	gsc_out_format(out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" class=\"bar\"/>",
		       BAR_X, y, BAR_WIDTH, height - 4);
	gsc_out_end(out);
	for (size_t i = band->first; i < band->end; i++)
		put_stretch(out, band, &picture->items[i], y, height - 4);
	put_legend_of(out, t, band, y + 14);
	return y + height;
}

static void put_head(struct gsc_out *out, unsigned height, const char *title)
{
	static const char style[] =
		"<style>text{font:13px sans-serif;fill:#222}"
		".paper{fill:#fff}.bar{fill:#e6e6e6}.gap{stroke:#999;stroke-dasharray:2 5}"
		".title{font-size:17px;font-weight:bold}.address{font-family:monospace;"
		"text-anchor:end}.detail{font-size:12px;fill:#666}\n"
		"@media (prefers-color-scheme:dark){text{fill:#ddd}.paper{fill:#1b1b1b}"
		".bar{fill:#3a3a3a}.detail{fill:#a5a5a5}}</style>";

	gsc_out_format(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		       "viewBox=\"0 0 %u %u\">", WIDTH, height, WIDTH, height);
	gsc_out_end(out);
	gsc_out_text(out, "<title>");
	put_escaped(out, title);
	gsc_out_text(out, "</title>");
	gsc_out_end(out);
	gsc_out_text(out, style);
	gsc_out_end(out);
	gsc_out_format(out, "<rect class=\"paper\" width=\"%u\" height=\"%u\"/>", WIDTH, height);
	gsc_out_end(out);
	put_text(out, MARGIN, MARGIN + 14, "title", title);
}

static void put_kinds(struct gsc_out *out)
{
	static const char *const meaning[KINDS] = {
		[GSC_MAPPING_LINEAR] = "linear: consecutive pages",
		[GSC_MAPPING_CONSTANT] = "constant: one page for all",
		[GSC_MAPPING_SCATTERED] = "scattered pages",
		[GSC_MAPPING_REPEAT] = "repeat: a table met before",
	};
	unsigned x = MARGIN, y = MARGIN + 30;

	for (unsigned kind = 0; kind < KINDS; kind++) {
		gsc_out_format(out, "<rect x=\"%u\" y=\"%u\" width=\"14\" height=\"14\" "
			       "fill=\"%s\"/>", x, y, colours[kind]);
		gsc_out_end(out);
		put_text(out, x + 20, y + 12, "label", meaning[kind]);
		x += kind == GSC_MAPPING_SCATTERED ? 150 : 225;
	}
}

static unsigned picture_height(const struct band *bands, size_t count)
{
	unsigned height = HEAD + GAP_HEIGHT + MARGIN;
	uint64_t at = 0;

	for (size_t i = 0; i < count; i++) {
		height += band_height(&bands[i]);
		if (bands[i].all.start > at)
			height += GAP_HEIGHT;
		at = bands[i].all.end;
	}
	return height;
}

void gsc_picture_write(struct gsc_out *out, const struct gsc_picture *picture,
		       const struct gsc_translation *t, const char *title)
{
	struct band *bands = calloc(picture->count + 1, sizeof(*bands));
	size_t count = bands ? make_bands(picture, bands) : 0;
	unsigned y = HEAD;
	uint64_t at = 0;

	put_head(out, picture_height(bands, count), title);
	put_kinds(out);
	for (size_t i = 0; i < count; i++) {
		if (bands[i].all.start > at)
			y = put_gap(out, at, bands[i].all.start, y);
		y = put_band(out, picture, t, &bands[i], y);
		at = bands[i].all.end;
	}
	put_address(out, y + 15, at);
	if (!count)
		put_text(out, BAR_X, y + 15, "label", "nothing is mapped");
	gsc_out_text(out, "</svg>");
	gsc_out_end(out);
	free(bands);
}
