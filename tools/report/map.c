/* SPDX-License-Identifier: MIT */
/* Address spaces: the windows of the device, and each table as a map with its contents. */
#include "cli/text.h"
#include "report.h"
#include "ptwalk/marks.h"
#include "gtt/gtt.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>

#define MAPS_MAX 6u
#define RANGES_MAX 200u

struct mapping {
	struct report *r;
	struct gsc_translation *t;
	struct gsc_picture *picture;
	struct gsc_mapping *ranges;	/* RANGES_MAX of them */
	uint64_t count;
	unsigned number;		/* of the map on the page */
};

/* ---- windows -------------------------------------------------------------------------------- */

static void put_windows(struct report *r, const struct gsc_window *windows, size_t count)
{
	struct html *h = &r->html;
	char size[40];

	if (!count) {
		html_none(h, "Windows of the device: not in this dump.");
		return;
	}
	html_put(h, "<details><summary>");
	html_format(h, "Windows of the device: %zu", count);
	html_put(h, "</summary>");
	html_table(h, "Windows of the device", "name|from|to|size|source");
	for (size_t i = 0; i < count; i++) {
		const struct gsc_window *w = &windows[i];

		html_open(h, "tr", NULL);
		html_element(h, "th", "scope=\"row\"", "%s", w->name);
		if (w->status || (!w->start && !w->length)) {
			html_element(h, "td", "class=\"none\" colspan=\"3\"", "%s",
				     w->status ? gsc_read_word(w->status) : "none");
		} else {
			html_element(h, "td", NULL, "0x%llx", LL(w->start));
			html_element(h, "td", NULL, w->length ? "0x%llx" : "unknown",
				     LL(w->start + w->length - 1));
			html_element(h, "td", NULL, "%s", w->length ?
				     human_size(w->length, size, sizeof(size)) : "unknown");
		}
		html_element(h, "td", NULL, "%s%s%s", w->from, *w->problem ? "; " : "", w->problem);
		html_close(h);
	}
	html_table_end(h);
	html_put(h, "</details>\n");
}

/* ---- a map ---------------------------------------------------------------------------------- */

static bool take(void *context, const struct gsc_mapping *mapping)
{
	struct mapping *m = context;

	if (m->count < RANGES_MAX)
		m->ranges[m->count] = *mapping;
	m->count++;
	m->r->no_memory |= !gsc_picture_add(m->picture, mapping);
	return !m->r->no_memory;
}

static void put_range(struct mapping *m, const struct gsc_mapping *mapping)
{
	struct html *h = &m->r->html;
	char size[40], page[40], word[32];
	const char *flag;

	html_open(h, "tr", NULL);
	html_element(h, "th", "scope=\"row\"", "0x%llx", LL(mapping->start));
	html_element(h, "td", NULL, "0x%llx", LL(mapping->end));
	html_element(h, "td", NULL, "%s", human_size(mapping->end - mapping->start, size,
						     sizeof(size)));
	html_element(h, "td", NULL, "%llu x %s", LL(mapping->pages), mapping->page_size ?
		     human_size(mapping->page_size, page, sizeof(page)) : "mixed");
	html_element(h, "td", NULL, "%s", gsc_mapping_word(mapping->kind));
	html_element(h, "td", NULL, "0x%llx", LL(mapping->physical));
	html_open(h, "td", NULL);
	for (size_t i = 0; (flag = gsc_mapping_flag(m->t, mapping, i, word, sizeof(word))); i++)
		html_format(h, "%s%s", i ? ", " : "", flag);
	html_close(h);
	html_close(h);
}

static void put_ranges(struct mapping *m)
{
	char hint[HINT_SIZE];
	struct html *h = &m->r->html;

	if (!m->count)
		return;
	html_put(h, "<details><summary>");
	html_format(h, "The mapped ranges as a table: %llu", LL(m->count));
	html_put(h, "</summary>");
	html_table(h, "Ranges", "from|up to|size|pages|kind|first page at|flags");
	for (size_t i = 0; i < m->count && i < RANGES_MAX; i++)
		put_range(m, &m->ranges[i]);
	html_table_end(h);
	if (m->count > RANGES_MAX)
		html_none(h, "%llu more are left out; to see all: %s --map",
			  LL(m->count - RANGES_MAX),
			  hint_command(report_common(m->r), "ptwalk", hint, sizeof(hint)));
	html_put(h, "</details>\n");
}

static void map_title(const struct gsc_root *root, char *buf, size_t size)
{
	char text[120];
	const char *value = gsc_root_text(root, text, sizeof(text));

	if (root->mode == GSC_MODE_GGTT)
		snprintf(buf, size, "Global table (GGTT)");
	else
		snprintf(buf, size, "%s, %s%s%.100s", root->mode == GSC_MODE_VTD ?
			 "Second-level tables" : "Per-process tables (PPGTT)",
			 gsc_mode_name(root->mode), value ? " root " : "", value ? value : "");
}

static void put_picture(struct mapping *m, const char *title)
{
	struct html *h = &m->r->html;
	char id[16];

	snprintf(id, sizeof(id), "map%u", m->number);
	html_put(h, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Map\">");
	gsc_picture_write(h->out, m->picture, m->t, title, id);
	html_put(h, "</div>\n");
}

/* False: no entry of it is in the dump. */
static bool put_map(struct mapping *m, const struct gsc_map_holes *holes,
		    const struct gsc_tiled *tiled)
{
	const struct gsc_root *root = gsc_translation_root(m->t);
	struct html *h = &m->r->html;
	char title[256];

	map_title(root, title, sizeof(title));
	html_element(h, "h3", NULL, "%s", title);
	if (*root->from)
		html_element(h, "p", NULL, "From %s.", root->from);
	if (!m->count && holes->missing) {
		html_none(h, "Its entries are not in this dump%s%s.", *holes->first_why ? ": " : "",
			  holes->first_why);
		return false;
	}
	if (tiled->on)
		html_element(h, "p", NULL, "Some addresses go through the tables of tiled "
			     "resources (TR-TT) first. Their L3 table is at 0x%llx%s%s.",
			     LL(tiled->l3), *tiled->from ? ", from " : "", tiled->from);
	put_picture(m, title);
	if (holes->missing)
		html_none(h, "%llu table%s missing or incomplete in this dump, so more "
			  "addresses may be mapped%s the %s.", LL(holes->missing),
			  holes->missing == 1 ? " is" : "s are",
			  holes->missing == 1 ? ":" : ". The first is", holes->first_table);
	if (holes->reserved)
		html_none(h, "Entries that map nothing because reserved bits are set: %llu.",
			  LL(holes->reserved));
	put_ranges(m);
	return true;
}

static bool map_root(struct report *r, const struct gsc_root *root, unsigned number)
{
	struct gsc_translation_options options = { .root = *root };
	struct mapping m = { .r = r, .number = number };
	struct gsc_map_holes holes = { 0 };
	struct gsc_error err = { 0 };
	bool any = true;

	if (root->mode == GSC_MODE_PML4 || root->mode == GSC_MODE_IA32E)
		gsc_root_tiled(r->gpu, NULL, &options.trtt);
	m.ranges = calloc(RANGES_MAX, sizeof(*m.ranges));
	r->no_memory |= !m.ranges;
	if (m.ranges &&
	    part_had(r, gsc_translation_new(&m.t, r->gpu, &options, &err), &err) &&
	    part_had(r, gsc_picture_new(&m.picture, &err), &err) &&
	    part_had(r, gsc_map(m.t, 0, take, &m, &holes, &err), &err)) {
		map_marks(m.picture, r->hang, r->gpu, m.t);
		if (root->mode == GSC_MODE_GGTT)
			mark_submitted(r, m.picture);
		any = put_map(&m, &holes, &options.trtt);
	} else {
		html_none(&r->html, "The %s tables could not be read: %s.",
			  gsc_mode_name(root->mode), err.why);
	}
	gsc_picture_free(m.picture);
	gsc_translation_free(m.t);
	free(m.ranges);
	return any;
}

/* "gpu-ptwalk -s FILE --mode pml4 --root 0x1000 --map" */
static void put_more_tables(struct report *r, unsigned count, const struct gsc_root *next)
{
	char hint[HINT_SIZE], value[4 * 20] = "";

	for (unsigned i = 0; i < next->count && i < ARRAY_SIZE(next->value); i++)
		string_addf(value, sizeof(value), "%s0x%llx", i ? "," : "", LL(next->value[i]));
	html_none(&r->html, "%u more tables are left out; to see the next: %s --mode %s --root %s "
		  "--map", count, hint_command(report_common(r), "ptwalk", hint, sizeof(hint)),
		  gsc_mode_name(next->mode), value);
}

static bool put_maps(struct report *r)
{
	const struct gsc_root global = { .mode = GSC_MODE_GGTT };
	struct gsc_root *roots = NULL;
	struct gsc_error err = { 0 };
	unsigned shown = 1;
	size_t found = 0, next = 0;
	bool any = map_root(r, &global, 0);

	if (!part_had(r, gsc_roots(r->gpu, &roots, &found, &err), &err))
		found = 0;
	for (size_t i = 0; i < found; i++) {
		if (roots[i].mode == GSC_MODE_GGTT)
			continue;
		if (shown <= MAPS_MAX)
			any |= map_root(r, &roots[i], shown);
		else if (!next)
			next = i;
		shown++;
	}
	if (shown == 1)
		html_none(&r->html, "Per-process tables (PPGTT): their root is not in this dump.");
	if (shown > MAPS_MAX + 1)
		put_more_tables(r, shown - MAPS_MAX - 1, &roots[next]);
	free(roots);
	return any;
}

void section_maps(struct report *r)
{
	struct gsc_window *windows;
	struct gsc_error err = { 0 };
	size_t count;

	if (has_afterwards(r)) {
		go_afterwards(r);
		html_element(&r->html, "p", "class=\"note\"", "The dump has no page tables. These "
			     "maps show the tables as they were afterwards.");
	}
	part_had(r, gsc_windows(r->gpu, &windows, &count, &err), &err);
	if (!put_maps(r) && !count)
		section_nothing(r, "neither tables nor windows are in this dump");
	put_windows(r, windows, count);
	if (has_afterwards(r))
		go_back(r);
	free(windows);
}

/* ---- fences --------------------------------------------------------------------------------- */

static void fence_row(struct html *h, const struct gsc_fence *fence)
{
	char size[40];

	html_open(h, "tr", NULL);
	html_element(h, "th", "scope=\"row\"", "%u", fence->index);
	html_element(h, "td", NULL, "0x%016llx", LL(fence->raw));
	html_element(h, "td", NULL, "0x%08llx", LL(fence->start));
	html_element(h, "td", NULL, "0x%08llx", LL(fence->end - 1));
	html_element(h, "td", NULL, "%s", human_size(fence->end - fence->start, size,
						     sizeof(size)));
	html_element(h, "td", NULL, "%c", fence->tiling);
	html_element(h, "td", NULL, "%u", fence->pitch);
	html_element(h, "td", NULL, "%s", fence->problem);
	html_close(h);
}

void section_fences(struct report *r)
{
	struct html *h = &r->html;
	struct gsc_fence fence;
	size_t valid = 0, all = 0;

	while (gsc_hang_fence(r->hang, all, &fence)) {
		valid += fence.valid;
		all++;
	}
	if (valid) {
		html_table(h, "Fences in use", "fence|register|from|to|size|tiles|pitch|doubt");
		for (size_t i = 0; gsc_hang_fence(r->hang, i, &fence); i++)
			if (fence.valid)
				fence_row(h, &fence);
		html_table_end(h);
	}
	if (!valid)
		section_nothing(r, all ? "none in use" : "their registers are not in this dump");
	else
		html_element(h, "p", NULL, "%zu of the %zu fence registers of the dump are in use.",
			     valid, all);
}
