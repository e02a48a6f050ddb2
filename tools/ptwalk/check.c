/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk --check: what is wrong with the tables. */
#include "cli/text.h"
#include "ptwalk.h"
#include "gtt/check.h"
#include "source/source.h"
#include "util/text.h"

#include <stdlib.h>

#define REMARKS_MOST 32

/* What is no finding: each once, because it may be the same for several roots. */
struct remarks {
	const char *before;		/* in text */
	char text[REMARKS_MOST][400];
	size_t count, more;		/* held, and too many to hold */
};

struct checking {
	struct ptwalk *ptwalk;
	struct gsc_json json;
	const struct gsc_root *root;
	bool several;			/* roots: each finding says which one it belongs to */
	uint64_t count;
	size_t absent;			/* roots of which no table is held */
	const char *why;		/* of the first */
	struct gsc_global_ranges *shared;
	struct remarks unchecked;	/* why there may be more than was found */
	struct remarks notes;		/* what breaks no rule */
};

static void where_of(const struct checking *c, const struct gsc_breach *breach, char *buf,
		     size_t size)
{
	char text[100];
	const char *value = gsc_root_text(c->root, text, sizeof(text));

	if (c->several)
		snprintf(buf, size, "%s%s%s: %s", gsc_mode_name(c->root->mode), value ? " " : "",
			 value ? value : "", breach->where);
	else
		snprintf(buf, size, "%s", breach->where);
}

static bool take_remark(struct checking *c, struct remarks *remarks, const char *text)
{
	struct common *common = &c->ptwalk->common;

	for (size_t i = 0; i < remarks->count; i++)
		if (!strcmp(text, remarks->text[i]))
			return true;
	if (remarks->count == REMARKS_MOST) {
		remarks->more++;
		return true;
	}
	snprintf(remarks->text[remarks->count++], sizeof(*remarks->text), "%s", text);
	if (!wants_json(common) && !common->quiet) {
		gsc_out_format(common->out, "# %s: %s", remarks->before, text);
		gsc_out_end(common->out);
	}
	return !gsc_out_error(common->out);
}

static bool take_breach(void *context, const struct gsc_breach *breach)
{
	struct checking *c = context;
	struct common *common = &c->ptwalk->common;
	struct gsc_json *json = &c->json;
	char where[sizeof(breach->where) + 120], text[sizeof(where) + sizeof(breach->text) + 40];

	where_of(c, breach, where, sizeof(where));
	if (breach->unchecked) {
		string_set(text, "%s in %s: %s", breach->rule, breach->where, breach->text);
		return take_remark(c, &c->unchecked, text);
	}
	if (breach->note) {
		string_set(text, "%s: %s: %s", breach->rule, where, breach->text);
		return take_remark(c, &c->notes, text);
	}
	c->count++;
	if (wants_json(common))
		ITEM(gsc_json_breach(json, common->db, breach, where));
	else
		gsc_text_breach(common->out, breach);
	return !gsc_out_error(common->out);
}

/* Engines whose tables are unknown because their registers could not be read. */
static void note_engines(struct checking *c)
{
	struct common *common = &c->ptwalk->common;
	char names[200] = "", why[300] = "", text[sizeof(names) + sizeof(why) + 20];
	const unsigned platform = platform_of(common)->index;
	struct gsc_root root;
	struct gsc_error err;
	const char *name;

	for (size_t i = 0; (name = gsc_platform_engine(common->db, platform, i, NULL)); i++) {
		enum gsc_status status = gsc_root_engine(common->gpu, name, &root, &err);

		if (status != GSC_GONE && status != GSC_DENIED)
			continue;
		if (!*names)
			string_set(why, "%.200s%s", err.why,
				   gsc_source_live(common->source) ? "; see --wake" : "");
		append_word(names, sizeof(names), ",", name);
	}
	if (!*names)
		return;
	string_set(text, "tables in %s: %s", names, why);
	take_remark(c, &c->unchecked, text);
}

static enum gsc_status check_one(struct checking *c, const struct gsc_translation_options *options,
				 struct gsc_error *err)
{
	struct common *common = &c->ptwalk->common;
	struct gsc_translation *translation = NULL;
	enum gsc_status status = gsc_translation_new(&translation, common->gpu, options, err);
	char text[400];
	const char *why;

	if (status)
		return status;
	c->root = gsc_translation_root(translation);
	if (!wants_json(common) && !common->quiet)
		gsc_text_root(common->out, translation);
	why = gsc_tables_absence(common->source, c->root->mode);
	if (!why) {
		status = gsc_check_tables(translation, &c->shared, take_breach, c, err);
	} else {
		string_set(text, "tables in %s: %s", gsc_mode_name(c->root->mode), why);
		take_remark(c, &c->unchecked, text);
		if (!c->absent++)
			c->why = why;
	}
	gsc_translation_free(translation);
	return status;
}

/* What has no place in the output: lines of JSON are findings. */
static void complain_remarks(const struct checking *c, const struct remarks *remarks)
{
	struct common *common = &c->ptwalk->common;
	char more[40];

	for (size_t i = 0; common->ndjson && i < remarks->count; i++)
		complain(common, GSC_OK, remarks->before, remarks->text[i]);
	if (!remarks->more)
		return;
	snprintf(more, sizeof(more), "%zu more", remarks->more);
	complain(common, GSC_OK, remarks->before, more);
}

KEYS(findings)
static void check_end(struct checking *c)
{
	struct common *common = &c->ptwalk->common;
	struct gsc_json *json = &c->json;

	if (wants_json(common)) {
		gsc_json_list_end(json);
		if (!common->ndjson) {
			KEY_EACH(text, "not_checked",
				 for (size_t i = 0; i < c->unchecked.count; i++),
				 c->unchecked.text[i], OPTIONAL);
			KEY_EACH(text, "notes", for (size_t i = 0; i < c->notes.count; i++),
				 c->notes.text[i], OPTIONAL);
		}
		gsc_json_finish(json);
	} else if (!c->count && !c->absent && !common->quiet) {
		gsc_out_text(common->out, "no findings");
		gsc_out_end(common->out);
	}
}

static enum gsc_status open_before(struct checking *c, struct gsc_source **source,
				   struct gsc_gpu **gpu, struct gsc_error *err)
{
	struct common *common = &c->ptwalk->common;
	const char *name = c->ptwalk->before;
	enum gsc_status status = name ? source_open(common, &name, 1, false, source, err) : GSC_OK;

	if (status || !name)
		return status;
	if (gsc_source_platform(*source) >= 0 &&
	    gsc_source_platform(*source) != (int)platform_of(common)->index)
		return usage_error(err, name, "is from another platform");
	return gsc_gpu_new(gpu, *source, view_of(common), err);
}

KEYS(findings, "--check.")
enum gsc_status check_run(struct common *common, struct gsc_error *err)
{
	struct checking c = { .ptwalk = (struct ptwalk *)common,
			      .unchecked.before = "not checked", .notes.before = "note" };
	struct gsc_translation_options *options = NULL;
	enum gsc_status worst = GSC_OK, status;
	struct gsc_json *json = &c.json;
	struct gsc_source *source = NULL;
	struct gsc_gpu *before = NULL;
	size_t count = 0;
	char why[60];

	status = roots_choose(&c.ptwalk->roots, &options, &count, err);
	if (!status)
		status = open_before(&c, &source, &before, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	c.several = count > 1;
	if (!status && !wants_json(common)) {
		source_title(common);
	} else if (!status) {
		source_document(common, PTWALK_SCHEMA, json);
		KEY_LIST("findings", OF(finding));
	}
	for (size_t i = 0; !status && i < count; i++) {
		options[i].before = before;
		status = check_one(&c, &options[i], err);
		/* Of several roots one may be broken; the others are still checked. */
		if (status && status != GSC_FAILED && c.several) {
			complain(common, status, err->what, err->why);
			worst = worse(worst, status);
			*err = (struct gsc_error){ 0 };
			status = GSC_OK;
		}
	}
	free(options);
	gsc_global_ranges_free(c.shared);
	gsc_gpu_close(before);
	source_close(source);
	if (status)
		return status;
	if (!roots_given(&c.ptwalk->roots))
		note_engines(&c);
	check_end(&c);
	complain_remarks(&c, &c.unchecked);
	complain_remarks(&c, &c.notes);
	if (c.absent && c.absent == count) {
		complain(common, GSC_UNKNOWN, "--check", c.why);
		worst = worse(worst, GSC_UNKNOWN);
	} else if (c.count) {
		string_set(why, "%llu finding%s", LL(c.count), c.count > 1 ? "s" : "");
		complain(common, GSC_PARTIAL, "--check", why);
		worst = worse(worst, GSC_PARTIAL);
	}
	return worse(worst, complain_source(common));
}
