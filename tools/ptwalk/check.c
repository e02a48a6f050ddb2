/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk --check: what is wrong with the tables. */
#include "cli/text.h"
#include "ptwalk.h"
#include "gtt/check.h"
#include "gtt/gtt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool take_unchecked(struct checking *c, const struct gsc_breach *breach)
{
	char text[400];

	snprintf(text, sizeof(text), "%s in %s: %s", breach->rule, breach->where, breach->text);
	return take_remark(c, &c->unchecked, text);
}

static bool take_note(struct checking *c, const struct gsc_breach *breach)
{
	char where[sizeof(breach->where) + 120], text[sizeof(where) + sizeof(breach->text) + 40];

	where_of(c, breach, where, sizeof(where));
	snprintf(text, sizeof(text), "%s: %s: %s", breach->rule, where, breach->text);
	return take_remark(c, &c->notes, text);
}

static bool take_breach(void *context, const struct gsc_breach *breach)
{
	struct checking *c = context;
	struct common *common = &c->ptwalk->common;
	struct gsc_json *json = &c->json;
	char where[sizeof(breach->where) + 120];

	if (breach->unchecked)
		return take_unchecked(c, breach);
	if (breach->note)
		return take_note(c, breach);
	c->count++;
	if (wants_json(common)) {
		where_of(c, breach, where, sizeof(where));
		ITEM(gsc_json_breach(json, common->db, breach, where));
		return !gsc_out_error(common->out);
	}
	gsc_text_breach(common->out, breach);
	return !gsc_out_error(common->out);
}

static bool holds(struct gsc_source *source, enum gsc_space space)
{
	uint64_t start, length;

	return gsc_extent(source, space, 0, &start, &length);
}

/* A device has notes about what it refuses. */
static const char *live_absence(struct gsc_source *source, bool global)
{
	enum gsc_read status;
	const char *note;
	uint64_t value;

	status = global ? gsc_read(source, GSC_GGTT, 0, 4, &value) : GSC_READ_OK;
	if (status == GSC_READ_OK || status == GSC_READ_ALL_ONES)
		return NULL;
	note = gsc_source_note(source, 0);
	return note ? note : "the GGTT cannot be read";
}

/* Why nothing in a root's tables can be checked; NULL if something may. */
static const char *absence(struct gsc_source *source, enum gsc_mode mode)
{
	bool global = mode == GSC_MODE_GGTT || mode == GSC_MODE_2LEVEL;

	if (gsc_source_live(source))
		return live_absence(source, global);
	if (global)
		return holds(source, GSC_GGTT) ? NULL : "the dump has no GGTT";
	return holds(source, GSC_PHYS) || holds(source, GSC_LMEM) ? NULL
								  : "the dump has no page tables";
}

static void note_absent(struct checking *c, const char *why)
{
	struct gsc_breach breach = { .rule = "tables" };

	snprintf(breach.where, sizeof(breach.where), "%s", gsc_mode_name(c->root->mode));
	snprintf(breach.text, sizeof(breach.text), "%s", why);
	take_unchecked(c, &breach);
	if (!c->absent++)
		c->why = why;
}

/* Engines whose tables are unknown because their registers could not be read. */
static void note_engines(struct checking *c)
{
	struct common *common = &c->ptwalk->common;
	struct gsc_breach breach = { .rule = "tables" };
	unsigned engine_class, instance;
	struct gsc_root root;
	struct gsc_error err;
	const char *name;
	uint32_t base;

	for (size_t i = 0; (name = gsc_platform_engine(common->db, platform_of(common)->index, i,
						       &engine_class, &instance, &base)); i++) {
		enum gsc_status status = gsc_root_engine(common->gpu, name, &root, &err);
		bool first = !*breach.where;

		if (status != GSC_GONE && status != GSC_DENIED)
			continue;
		append_word(breach.where, sizeof(breach.where), ",", name);
		if (first)
			snprintf(breach.text, sizeof(breach.text), "%.200s%s", err.why,
				 gsc_source_live(common->source) ? "; see --wake" : "");
	}
	if (*breach.where)
		take_unchecked(c, &breach);
}

static enum gsc_status check_one(struct checking *c, const struct gsc_translation_options *options,
				 struct gsc_error *err)
{
	struct common *common = &c->ptwalk->common;
	struct gsc_translation *translation = NULL;
	enum gsc_status status;
	const char *why;

	status = gsc_translation_new(&translation, common->gpu, options, err);
	if (status)
		return status;
	c->root = gsc_translation_root(translation);
	if (!wants_json(common) && !common->quiet)
		gsc_text_root(common->out, translation);
	why = absence(common->source, c->root->mode);
	if (why)
		note_absent(c, why);
	status = why ? GSC_OK :
		       gsc_check_tables(translation, &c->shared, take_breach, c, err);
	gsc_translation_free(translation);
	return status;
}

KEYS(findings, "--check.")
static void check_begin(struct checking *c)
{
	struct common *common = &c->ptwalk->common;
	struct gsc_json *json = &c->json;

	if (!wants_json(common)) {
		source_title(common);
		return;
	}
	source_document(common, PTWALK_SCHEMA, json);
	KEY_LIST("findings", OF(finding));
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

static enum gsc_status complain_findings(const struct checking *c, size_t roots)
{
	char why[60];

	if (c->absent && c->absent == roots) {
		complain(&c->ptwalk->common, GSC_UNKNOWN, "--check", c->why);
		return GSC_UNKNOWN;
	}
	if (!c->count)
		return GSC_OK;
	snprintf(why, sizeof(why), "%llu finding%s", LL(c->count), c->count > 1 ? "s" : "");
	complain(&c->ptwalk->common, GSC_PARTIAL, "--check", why);
	return GSC_PARTIAL;
}

enum gsc_status check_run(struct common *common, struct gsc_error *err)
{
	struct checking c = { .ptwalk = (struct ptwalk *)common,
			      .unchecked.before = "not checked", .notes.before = "note" };
	struct gsc_translation_options *options = NULL;
	enum gsc_status worst = GSC_OK, status;
	size_t count = 0;

	status = roots_choose(&c.ptwalk->roots, &options, &count, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	c.several = count > 1;
	if (!status)
		check_begin(&c);
	for (size_t i = 0; !status && i < count; i++) {
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
	if (status)
		return status;
	if (!roots_given(&c.ptwalk->roots))
		note_engines(&c);
	check_end(&c);
	complain_remarks(&c, &c.unchecked);
	complain_remarks(&c, &c.notes);
	return worse(worst, worse(complain_findings(&c, count), complain_source(common)));
}
