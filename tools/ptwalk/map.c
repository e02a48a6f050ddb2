/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk --map, --flat, --svg: everything that a translation maps. */
#include "ptwalk.h"
#include "marks.h"
#include "gtt/gtt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static void picture_marks(struct mapping *m)
{
	struct common *common = &m->ptwalk->common;
	const struct gsc_hang_options options = { 0 };
	struct gsc_hang *hang = NULL;
	struct gsc_error err = { 0 };

	if (gsc_hang_new(&hang, common->gpu, &options, &err)) {
		m->no_memory = err_is_memory(&err);
		return;
	}
	map_marks(m->picture, hang, common->gpu, m->translation);
	gsc_hang_free(hang);
}

static void picture_write(struct mapping *m)
{
	struct common *common = &m->ptwalk->common;
	const struct gsc_root *root = gsc_translation_root(m->translation);
	char title[600], text[100];
	const char *value = gsc_root_text(root, text, sizeof(text)), **sources;
	size_t count;

	sources = source_names(common->source, &count);
	snprintf(title, sizeof(title), "%s%s%s of %s, %.200s", gsc_mode_name(root->mode),
		 value ? " root " : "", value ? value : "", platform_of(common)->name,
		 count ? sources[0] : "");
	picture_marks(m);
	gsc_picture_write(common->out, m->picture, m->translation, title, NULL);
	free(sources);
}

static void map_end(struct mapping *m)
{
	if (m->picture) {
		picture_write(m);
	} else if (wants_json(&m->ptwalk->common)) {
		gsc_json_list_end(&m->json);
		gsc_json_finish(&m->json);
	}
}

static enum gsc_status complain_hole(struct common *common, uint64_t count, const char *one,
				     const char *many, const char *why)
{
	char text[80];

	if (!count)
		return GSC_OK;
	snprintf(text, sizeof(text), "%llu %s", LL(count), count > 1 ? many : one);
	complain(common, GSC_PARTIAL, text, why);
	return GSC_PARTIAL;
}

enum gsc_status complain_missing(struct common *common, const struct gsc_map_holes *holes,
				 enum gsc_status status, const char *more)
{
	char what[120], why[500];
	bool several = holes->missing > 1;

	if (!holes->missing)
		return GSC_OK;
	snprintf(what, sizeof(what), "%llu tables", LL(holes->missing));
	snprintf(why, sizeof(why), "%s%s%s%s%s%s", several ? "the first is the " : "",
		 several ? holes->first_table : "", several ? ": " : "", holes->first_why,
		 *more ? "; " : "", more);
	complain(common, status, several ? what : holes->first_table, why);
	return status;
}

enum gsc_status complain_doubts(struct common *common, const struct gsc_map_holes *holes)
{
	const char *loop = holes->loops > 1 ? "refer to themselves; read as the hardware would" :
					      "refers to itself; read as the hardware would";
	enum gsc_status status = complain_hole(common, holes->reserved, "entry", "entries",
					       "reserved bits are set");

	return worse(status, complain_hole(common, holes->loops, "table", "tables", loop));
}

/* If a map is empty because tables are missing, also why there was no other table to take. */
static enum gsc_status complain_holes(struct mapping *m, const struct gsc_map_holes *holes)
{
	const struct gsc_root *root = gsc_translation_root(m->translation);
	bool chosen = !m->count && !root->count && *root->from;
	enum gsc_status status = complain_missing(&m->ptwalk->common, holes,
						  m->count ? GSC_PARTIAL : GSC_UNKNOWN,
						  chosen ? root->from : "");

	return worse(status, complain_doubts(&m->ptwalk->common, holes));
}

static enum gsc_status map_all(struct mapping *m, struct gsc_error *err)
{
	struct common *common = &m->ptwalk->common;
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
	map_end(m);
	if (m->no_memory)
		return err_memory(err);
	status = complain_holes(m, &holes);
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
