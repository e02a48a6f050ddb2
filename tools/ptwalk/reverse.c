/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk --reverse: which GPU addresses reach a physical one. */
#include "ptwalk.h"
#include "gtt/map.h"
#include "gtt/walk.h"

#include <stdio.h>
#include <stdlib.h>

struct reverse {
	struct ptwalk *ptwalk;
	struct gsc_translation **translations;
	size_t count;
	struct gsc_json json;
	size_t missed;
	struct gsc_map_holes holes, all;

	/* While one address is searched. */
	const struct gsc_translation *translation;
	uint64_t physical;
	enum gsc_space space;
	uint64_t found;
};

/* ---- output --------------------------------------------------------------------------------- */

KEYS(repeat)
static void json_repeat(struct gsc_json *json, const struct gsc_reached *reached)
{
	KEY(hex, "start", reached->start);
	KEY(hex, "end", reached->end);
	KEY(hex, "of", reached->of);
}

KEYS(reachedFrom)
static void json_hit(struct gsc_json *json, const struct gsc_root *root,
		     const struct gsc_reached *reached)
{
	char text[100];

	KEY_OR_NULL(!reached->repeat, hex, "address", reached->address);
	KEY(text, "mode", gsc_mode_name(root->mode), ONE_OF(gsc_mode_name));
	KEY(text_or_null, "root", gsc_root_text(root, text, sizeof(text)),
	    PATTERN("^0x(0|[1-9a-f][0-9a-f]*)((,0x(0|[1-9a-f][0-9a-f]*))*|/[0-9]+)$"));
	KEY(number, "pages", reached->pages, MIN(1));
	KEY(number, "page_size", reached->page_size, MIN(1));
	KEY_OR_NULL(reached->repeat, object, "repeat", json_repeat(json, reached));
}

static const char *prefix(enum gsc_space space)
{
	return space == GSC_LMEM ? "lmem:" : space == GSC_STOLEN ? "stolen:" : "";
}

static void text_hit(const struct reverse *r, const struct gsc_root *root,
		     const struct gsc_reached *reached)
{
	struct gsc_out *out = r->ptwalk->common.out;
	char text[100];
	const char *value = gsc_root_text(root, text, sizeof(text));

	gsc_out_format(out, "%s0x%llx ", prefix(r->space), LL(r->physical));
	if (reached->repeat)
		gsc_out_format(out, "0x%llx-0x%llx %s %s %llu times, as at 0x%llx",
			       LL(reached->start), LL(reached->end), gsc_mode_name(root->mode),
			       value ? value : "-", LL(reached->pages), LL(reached->of));
	else
		gsc_out_format(out, "0x%llx %s %s", LL(reached->address),
			       gsc_mode_name(root->mode), value ? value : "-");
	if (!reached->repeat && reached->pages > 1)
		gsc_out_format(out, " and %llu more, 0x%llx apart", LL(reached->pages) - 1,
			       LL(reached->page_size));
	gsc_out_end(out);
}

static bool take_hit(void *context, const struct gsc_reached *reached)
{
	struct reverse *r = context;
	const struct gsc_root *root = gsc_translation_root(r->translation);
	struct gsc_json *json = &r->json;

	r->found++;
	if (wants_json(&r->ptwalk->common))
		ITEM(json_hit(json, root, reached));
	else
		text_hit(r, root, reached);
	return !gsc_out_error(r->ptwalk->common.out);
}

/* ---- searching ------------------------------------------------------------------------------ */

/* They are the same for each address; `all` also has what dumps mostly lack. */
static void add_holes(struct reverse *r, const struct gsc_map_holes *holes)
{
	const struct gsc_root *root = gsc_translation_root(r->translation);

	if (!r->all.missing || (holes->lacking && !r->all.lacking))
		r->all = *holes;
	if (root->mode == GSC_MODE_GGTT && !r->ptwalk->roots.mode_name)
		return;
	if (!r->holes.missing) {
		strcpy(r->holes.first_table, holes->first_table);
		strcpy(r->holes.first_why, holes->first_why);
	}
	r->holes.missing += holes->missing;
	r->holes.reserved += holes->reserved;
	r->holes.loops += holes->loops;
}

static enum gsc_status search_one(struct reverse *r, size_t number, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	r->physical = r->ptwalk->addresses[number].at;
	r->space = r->ptwalk->addresses[number].space;
	r->found = 0;
	for (size_t i = 0; !status && i < r->count; i++) {
		struct gsc_map_holes holes;

		r->translation = r->translations[i];
		status = gsc_reverse(r->translations[i], r->space, r->physical, take_hit, r, &holes,
				     err);
		if (!number)
			add_holes(r, &holes);
	}
	r->missed += !r->found;
	return status;
}

KEYS(reversed, "pages: that many addresses, from address on and page_size apart, reach the "
     "physical address. repeat: there is no address; from start to end (exclusive) that many "
     "addresses reach it, as those from of on do.")
static enum gsc_status json_one(struct gsc_json *json, struct reverse *r, size_t i,
				struct gsc_error *err)
{
	enum gsc_status status;

	KEY(hex, "physical", r->ptwalk->addresses[i].at);
	KEY(text, "space", gsc_space_name(r->ptwalk->addresses[i].space),
	    ONE_OF("phys", "lmem", "stolen"));
	KEY_ARRAY("addresses", OF(reachedFrom));
	status = search_one(r, i, err);
	gsc_json_array_end(json);
	return status;
}

static enum gsc_status complain_missed(const struct reverse *r)
{
	struct common *common = &r->ptwalk->common;
	const char *none = r->missed > 1 ? "no GPU address reaches them" :
					   "no GPU address reaches it";
	char what[80], why[300];

	if (!r->missed)
		return GSC_OK;
	if (common->operand_count == 1)
		snprintf(what, sizeof(what), "%s0x%llx", prefix(r->space), LL(r->physical));
	else
		snprintf(what, sizeof(what), "%zu of %zu addresses", r->missed,
			 common->operand_count);
	/* Tables that could not be read may lead there. */
	if (r->all.lacking)
		snprintf(why, sizeof(why), "unknown: %s: %s", r->all.first_table, r->all.first_why);
	else if (r->all.missing)
		snprintf(why, sizeof(why), "%s; %s: %s", none, r->all.first_table,
			 r->all.first_why);
	complain(common, GSC_UNKNOWN, what, r->all.missing ? why : none);
	return GSC_UNKNOWN;
}

KEYS(reverse, "--reverse.")
static enum gsc_status search_all(struct reverse *r, struct gsc_error *err)
{
	struct common *common = &r->ptwalk->common;
	struct gsc_json *json = &r->json;
	enum gsc_status status = GSC_OK;

	if (wants_json(common)) {
		source_document(common, PTWALK_SCHEMA, json);
		KEY_LIST("reverse", OF(reversed), MIN_ITEMS(1));
	}
	for (size_t i = 0; !status && i < common->operand_count; i++) {
		if (wants_json(common))
			ITEM(status = json_one(json, r, i, err));
		else
			status = search_one(r, i, err);
	}
	if (status)
		return status;
	if (wants_json(common))
		gsc_json_finish(json);
	status = worse(complain_missed(r), complain_holes(common, &r->holes, GSC_PARTIAL, ""));
	return worse(status, complain_source(common));
}

enum gsc_status reverse_run(struct common *common, struct gsc_error *err)
{
	struct reverse r = { .ptwalk = (struct ptwalk *)common };
	struct gsc_translation_options *options = NULL;
	size_t count = 0;
	enum gsc_status status = roots_choose(&r.ptwalk->roots, &options, &count, err);

	if (!status)
		r.translations = calloc(count, sizeof(*r.translations));
	if (!status && !r.translations)
		status = err_memory(err);
	for (; !status && r.count < count; r.count += !status)
		status = gsc_translation_new(&r.translations[r.count], common->gpu,
					     &options[r.count], err);
	free(options);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		status = search_all(&r, err);
	for (size_t i = 0; i < r.count; i++)
		gsc_translation_free(r.translations[i]);
	free(r.translations);
	return status;
}
