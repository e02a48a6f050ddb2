/* SPDX-License-Identifier: MIT */
/* Address spaces: each table as a map with its contents. */
#include "report.h"
#include "ptwalk/marks.h"
#include "gtt/map.h"
#include "gtt/walk.h"

#include <stdio.h>

#define MAPS_MAX 6u
#define RANGES_MAX 200u

struct mapping {
	struct report *r;
	struct gsc_translation *t;
	struct gsc_picture *picture;
	struct gsc_out *ranges;		/* RANGES_MAX of them */
	struct gsc_mapping_words words;
	uint64_t count;
	unsigned number;		/* of the map on the page */
};

/* ---- a map ---------------------------------------------------------------------------------- */

static bool take(void *context, const struct gsc_mapping *mapping)
{
	struct mapping *m = context;

	if (m->count++ < RANGES_MAX)
		gsc_text_mapping(m->ranges, m->t, mapping, &m->words);
	m->r->no_memory |= !gsc_picture_add(m->picture, mapping);
	return !m->r->no_memory;
}

/* False: no entry of it is in the dump. */
static bool put_map(struct mapping *m, const struct gsc_map_holes *holes,
		    const struct gsc_tiled *tiled)
{
	const struct gsc_root *root = gsc_translation_root(m->t);
	struct gsc_out *out = m->r->out, *picture;
	char title[256], id[16], text[120], hint[HINT_SIZE];
	const char *value = gsc_root_text(root, text, sizeof(text));

	if (root->mode == GSC_MODE_GGTT)
		string_set(title, "Global table (GGTT)");
	else
		string_set(title, "%s, %s%s%.100s", root->mode == GSC_MODE_VTD ?
			   "Second-level tables" : "Per-process tables (PPGTT)",
			   gsc_mode_name(root->mode), value ? " root " : "", value ? value : "");
	html_put(out, "<h3>");
	html_format(out, "%s", title);
	html_put(out, *root->from ? "</h3>\n<p>" : "</h3>\n");
	if (*root->from) {
		html_format(out, "From %s.", root->from);
		html_put(out, "</p>\n");
	}
	if (!m->count && holes->missing) {
		put_none(m->r, "Its entries are not in this dump%s%s.",
			 *holes->first_why ? ": " : "", holes->first_why);
		return false;
	}
	if (tiled->on) {
		html_put(out, "<p>Some addresses go through the tables of tiled resources (TR-TT) "
			 "first. Their L3 table is at 0x%llx%s", LL(tiled->l3),
			 *tiled->from ? ", from " : "");
		html_format(out, "%s.", tiled->from);
		html_put(out, "</p>\n");
	}
	string_set(id, "map%u", m->number);
	html_put(out, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Map\">");
	if (!part_had(m->r, gsc_out_new(&picture, -1, false, NULL), &(struct gsc_error){ 0 }))
		return true;
	gsc_picture_write(picture, m->picture, m->t, title, id);
	html_lines(out, picture);
	gsc_out_free(picture);
	html_put(out, "</div>\n");
	if (holes->missing)
		put_none(m->r, "%llu table%s missing or incomplete in this dump, so more addresses "
			 "may be mapped%s the %s.", LL(holes->missing),
			 holes->missing == 1 ? " is" : "s are",
			 holes->missing == 1 ? ":" : ". The first is", holes->first_table);
	if (holes->reserved)
		put_none(m->r, "Entries that map nothing because reserved bits are set: %llu.",
			 LL(holes->reserved));
	if (!m->count)
		return true;
	html_put(out, "<details><summary>The mapped ranges: %llu</summary>\n", LL(m->count));
	html_lines(out, m->ranges);
	if (m->count > RANGES_MAX)
		put_none(m->r, "%llu more are left out; to see all: %s --map",
			 LL(m->count - RANGES_MAX),
			 hint_command(report_common(m->r), "ptwalk", hint, sizeof(hint)));
	html_put(out, "</details>\n");
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
	if (part_had(r, out_html_new(&m.ranges, SIZE_MAX, &err), &err) &&
	    part_had(r, gsc_translation_new(&m.t, r->gpu, &options, &err), &err) &&
	    part_had(r, gsc_picture_new(&m.picture, &err), &err) &&
	    part_had(r, gsc_map(m.t, 0, take, &m, &holes, &err), &err)) {
		map_marks(m.picture, r->hang, r->gpu, m.t);
		if (root->mode == GSC_MODE_GGTT)
			mark_submitted(r, m.picture);
		any = put_map(&m, &holes, &options.trtt);
	} else {
		put_none(r, "The %s tables could not be read: %s.",
			  gsc_mode_name(root->mode), err.why);
	}
	gsc_picture_free(m.picture);
	gsc_translation_free(m.t);
	gsc_out_free(m.ranges);
	return any;
}

static bool put_maps(struct report *r)
{
	const struct gsc_root global = { .mode = GSC_MODE_GGTT };
	struct gsc_root *roots = NULL;
	struct gsc_error err = { 0 };
	unsigned shown = 1;
	size_t found = 0, next = 0;
	char hint[HINT_SIZE], value[120];
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
		put_none(r, "Per-process tables (PPGTT): their root is not in this dump.");
	if (shown > MAPS_MAX + 1)
		put_none(r, "%u more tables are left out; to see the next: %s --mode %s --root %s "
			 "--map", shown - MAPS_MAX - 1,
			 hint_command(report_common(r), "ptwalk", hint, sizeof(hint)),
			 gsc_mode_name(roots[next].mode),
			 gsc_root_text(&roots[next], value, sizeof(value)));
	free(roots);
	return any;
}

const char *section_maps(struct report *r)
{
	bool any;

	out_part(r->out, 2, "map");
	if (has_afterwards(r)) {
		go_afterwards(r);
		html_put(r->out, "<p class=\"note\">The dump has no page tables. These maps show "
			 "the tables as they were afterwards.</p>\n");
	}
	any = put_maps(r);
	if (has_afterwards(r))
		go_back(r);
	return any ? NULL : "no tables are in this dump";
}
