/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk --map, --flat, --svg: everything that a translation maps. */
#include "ptwalk.h"
#include "hang/hang.h"
#include "marks.h"
#include "gtt/map.h"
#include "gtt/walk.h"
#include "util/text.h"

#include <stdlib.h>

struct mapping {
	struct ptwalk *ptwalk;
	struct gsc_translation *translation;
	struct gsc_picture *picture;	/* --svg */
	struct gsc_json json;
	struct gsc_mapping_words words;
	uint64_t count;
	bool no_memory;
};

static bool page_by_page(const struct ptwalk *walk)
{
	return walk->flat || walk->pages;
}

static bool take_mapping(void *context, const struct gsc_mapping *mapping)
{
	struct mapping *m = context;
	struct common *common = &m->ptwalk->common;
	struct gsc_json *json = &m->json;

	m->count++;
	if (m->picture) {
		m->no_memory = !gsc_picture_add(m->picture, mapping);
		return !m->no_memory;
	}
	if (wants_json(common)) {
		ITEM(gsc_json_mapping(json, m->translation, mapping, &m->words));
	} else if (page_by_page(m->ptwalk)) {
		gsc_text_pages(common->out, m->translation, mapping, &m->words);
	} else {
		gsc_text_mapping(common->out, m->translation, mapping, &m->words);
	}
	return !gsc_out_error(common->out);
}

KEYS(ranges, "--map; --flat, where a range is a page, or a long constant run.")
static void map_begin(struct mapping *m)
{
	struct common *common = &m->ptwalk->common;
	struct gsc_json *json = &m->json;

	if (m->picture)
		return;
	if (wants_json(common)) {
		source_document(common, PTWALK_SCHEMA, json);
		gsc_json_root(json, m->translation);
		KEY_LIST("ranges", OF(range));
		return;
	}
	if (common->verbose) {
		source_title(common);
		gsc_text_root(common->out, m->translation);
	}
	if (!common->quiet)
		gsc_text_legend(common->out, page_by_page(m->ptwalk) ?
				"address, where its page is, size, flags" :
				"range, where its first page is, pages, linear: in one block, "
				"flags");
}

/* What a source says about a hang is read for a picture only: it takes longer than the map. */
static void picture_write(struct mapping *m)
{
	struct common *common = &m->ptwalk->common;
	const struct gsc_hang_options options = { 0 };
	struct gsc_hang *hang = NULL;
	struct gsc_error err = { 0 };
	const struct gsc_root *root = gsc_translation_root(m->translation);
	char title[600], text[100];
	const char *value = gsc_root_text(root, text, sizeof(text)), **sources;
	size_t count;

	sources = source_names(common->source, &count);
	snprintf(title, sizeof(title), "%s%s%s of %s, %.200s", gsc_mode_name(root->mode),
		 value ? " root " : "", value ? value : "", platform_of(common)->name,
		 count ? sources[0] : "");
	if (gsc_hang_new(&hang, common->gpu, &options, &err))
		m->no_memory = err_is_memory(&err);
	else
		map_marks(m->picture, hang, common->gpu, m->translation);
	gsc_hang_free(hang);
	gsc_picture_write(common->out, m->picture, m->translation, title, NULL);
	free(sources);
}

enum gsc_status complain_holes(struct common *common, const struct gsc_map_holes *holes,
			       enum gsc_status missing, const char *more)
{
	enum gsc_status status = GSC_OK;
	struct gsc_error doubt;
	char why[sizeof(doubt.why) + 100];

	for (size_t i = 0; gsc_map_doubt(holes, i, &doubt); i++) {
		bool first = !i && holes->missing;

		doubt.status = first ? missing : doubt.status;
		string_set(why, "%s%s%s", doubt.why, first && *more ? "; " : "",
			   first ? more : "");
		complain(common, doubt.status, doubt.what, why);
		status = worse(status, doubt.status);
	}
	return status;
}

static enum gsc_status map_all(struct mapping *m, struct gsc_error *err)
{
	struct common *common = &m->ptwalk->common;
	const struct gsc_root *root = gsc_translation_root(m->translation);
	struct gsc_map_holes holes = { 0 };
	unsigned flags = (page_by_page(m->ptwalk) ? GSC_MAP_PAGES : 0) |
			 (m->ptwalk->all ? GSC_MAP_ALL : 0);
	enum gsc_status status;

	map_begin(m);
	status = gsc_map(m->translation, flags, take_mapping, m, &holes, err);
	if (m->no_memory)
		return err_memory(err);
	if (status)
		return status;
	if (m->picture) {
		picture_write(m);
	} else if (wants_json(common)) {
		gsc_json_finish(&m->json);
	}
	if (m->no_memory)
		return err_memory(err);
	/* If a map is empty because tables are missing, also why there was no other table. */
	status = complain_holes(common, &holes, m->count ? GSC_PARTIAL : GSC_UNKNOWN,
				m->count || root->count ? "" : root->from);
	return worse(status, complain_source(common));
}

enum gsc_status map_run(struct common *common, struct gsc_error *err)
{
	struct mapping m = { .ptwalk = (struct ptwalk *)common };
	enum gsc_status status = translation_open(&m.ptwalk->roots, &m.translation, err);

	if (!status && m.ptwalk->svg)
		status = gsc_picture_new(&m.picture, err);
	if (!status)
		status = output_open(common, !wants_json(common) && !m.picture, err);
	if (!status)
		status = map_all(&m, err);
	gsc_picture_free(m.picture);
	gsc_translation_free(m.translation);
	return status;
}
