/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk ADDR...: addresses, level by level. */
#include "ptwalk.h"
#include "gtt/walk.h"
#include "util/text.h"

#include <stdlib.h>

struct walking {
	struct ptwalk *ptwalk;
	struct gsc_translation *translation;
	struct gsc_json json;
	struct gsc_walk walk;
	size_t missed, unknown;
	enum gsc_status status;
	char why[600];			/* of the first that failed */
};

SCHEMA(ptwalk, PTWALK_SCHEMA, "gpu-ptwalk --json",
       "One document. With --ndjson the first line is the document without its list, and each "
       "further line one element of that list.",
       PLATFORM, FORMS(walks, ranges, reverse, findings, spaces))

KEYS(walks, "ADDR...")
static void walk_all(struct walking *w)
{
	struct common *common = &w->ptwalk->common;
	struct gsc_json *json = &w->json;

	if (wants_json(common)) {
		source_document(common, PTWALK_SCHEMA, json);
		gsc_json_root(json, w->translation);
		KEY_LIST("walks", OF(walk), MIN_ITEMS(1));
	} else {
		source_title(common);
		if (!common->quiet)
			gsc_text_root(common->out, w->translation);
	}
	for (size_t i = 0; i < common->operand_count && !gsc_out_error(common->out); i++) {
		gsc_walk(w->translation, w->ptwalk->addresses[i].at,
			 (enum gsc_intent)w->ptwalk->access, &w->walk);
		if (i && !wants_json(common) && !common->quiet)
			gsc_out_end(common->out);
		if (wants_json(common))
			ITEM(gsc_json_walk(json, w->translation, &w->walk));
		else
			gsc_text_walk(common->out, w->translation, &w->walk, text_flags(common));
		if (!w->walk.mapped) {
			const char *outcome = gsc_stop_outcome(w->walk.stop);
			bool refused = w->walk.stop == GSC_STOP_NOT_PERMITTED;
			char why[sizeof(w->walk.stop_text)];

			w->status = worse(w->status,
					  gsc_walk_why(w->translation, &w->walk, why, sizeof(why)));
			w->unknown += !strcmp(outcome, "unknown");
			if (!w->missed++)
				snprintf(w->why, sizeof(w->why), "%s%s%s", refused ? "" : outcome,
					 refused ? "" : ": ", why);
		}
	}
	if (wants_json(common))
		gsc_json_finish(json);
}

enum gsc_status walk_run(struct common *common, struct gsc_error *err)
{
	struct walking *w = calloc(1, sizeof(*w));
	char what[80], why[60] = "not mapped";
	enum gsc_status status;

	if (!w)
		return err_memory(err);
	w->ptwalk = (struct ptwalk *)common;
	status = translation_open(&w->ptwalk->roots, &w->translation, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status) {
		walk_all(w);
		string_set(what, "0x%llx", LL(w->walk.address));
		if (common->operand_count > 1)
			string_set(what, "%zu of %zu addresses", w->missed, common->operand_count);
		if (w->unknown && w->unknown < w->missed)
			string_set(why, "not mapped, or unknown (%zu)", w->unknown);
		if (w->missed)
			complain(common, w->status, what, common->operand_count == 1 ? w->why :
				 w->status == GSC_DENIED ? "not permitted" :
				 w->unknown == w->missed ? w->why : why);
		status = worse(w->status, complain_damage(common, common->source));
	}
	gsc_translation_free(w->translation);
	free(w);
	return status;
}
