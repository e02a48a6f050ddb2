/* SPDX-License-Identifier: MIT */
/*
 * A walk as JSON. Entries that only serve to reach another one stand in that one: `vtd`, second-
 * level tables; `through`, tables of the mode for an address inside it.
 */
#include "out/walk.h"

static void json_steps(struct gsc_json *json, const char *key, const struct gsc_view *view,
		       const struct gsc_walk *walk, size_t first, size_t end, bool vtd);

static bool is_vtd(const struct gsc_step *step)
{
	return step->entry.mode == GSC_MODE_VTD;
}

/* Null where no step of that sort is among first..end-1. */
static void json_serving(struct gsc_json *json, const char *key, const struct gsc_view *view,
			 const struct gsc_walk *walk, size_t first, size_t end, bool vtd)
{
	for (size_t i = step_next(walk, first, end); i < end; i = step_next(walk, i + 1, end)) {
		if (is_vtd(&walk->steps[i]) != vtd)
			continue;
		json_steps(json, key, view, walk, first, end, vtd);
		return;
	}
	gsc_json_null(json, key);
}

static void json_step(struct gsc_json *json, const struct gsc_view *view,
		      const struct gsc_walk *walk, size_t first, size_t i)
{
	const struct gsc_step *step = &walk->steps[i];
	char raw[WORDS_TEXT_MAX];

	gsc_json_object(json, NULL);
	gsc_json_string(json, "level", step->entry.level);
	gsc_json_number(json, "index", step->index);
	gsc_json_string(json, "space", space_word(step->space, step->guest));
	gsc_json_hex(json, "table", step->table);
	gsc_json_hex(json, "entry", step->address);
	gsc_json_string(json, "raw", step->entry.bytes ? words_text(&step->entry, false, raw)
							: NULL);
	json_entry_fields(json, view, &step->entry);
	json_serving(json, "vtd", view, walk, first, i, true);
	json_serving(json, "through", view, walk, first, i, false);
	gsc_json_object_end(json);
}

static void json_steps(struct gsc_json *json, const char *key, const struct gsc_view *view,
		       const struct gsc_walk *walk, size_t first, size_t end, bool vtd)
{
	gsc_json_array(json, key);
	for (size_t i = step_next(walk, first, end); i < end;
	     first = i + 1, i = step_next(walk, first, end))
		if (is_vtd(&walk->steps[i]) == vtd)
			json_step(json, view, walk, first, i);
	gsc_json_array_end(json);
}

/* Steps from there on serve the page itself, or an entry that was not reached. */
static size_t levels_end(const struct gsc_walk *walk)
{
	size_t end = walk->count;

	while (end && step_depth(&walk->steps[end - 1]))
		end--;
	return end;
}

static void json_result(struct gsc_json *json, const struct gsc_translation *t,
			const struct gsc_walk *walk)
{
	const char *flag;
	char buf[32];

	gsc_json_bool(json, "mapped", walk->mapped);
	json_place(json, walk->mapped && !walk->null, walk->space, walk->physical);
	if (walk->mapped)
		gsc_json_number(json, "page_size", walk->page_size);
	else
		gsc_json_null(json, "page_size");
	gsc_json_string(json, "memory", walk->mapped && !walk->null
				       ? memory_word(walk->space, walk->stolen) : NULL);
	gsc_json_array(json, "flags");
	for (size_t i = 0;
	     walk->mapped && (flag = gsc_walk_flag(t, walk, i, buf, sizeof(buf))); i++)
		gsc_json_string(json, NULL, flag);
	gsc_json_array_end(json);
}

static void json_stop(struct gsc_json *json, const struct gsc_walk *walk)
{
	if (walk->mapped) {
		gsc_json_null(json, "stop");
		return;
	}
	gsc_json_object(json, "stop");
	gsc_json_string(json, "level", *walk->stop_level ? walk->stop_level : NULL);
	gsc_json_string(json, "reason", gsc_stop_word(walk->stop));
	gsc_json_string(json, "text", walk->stop_text);
	gsc_json_object_end(json);
}

void gsc_json_walk(struct gsc_json *json, const struct gsc_translation *t,
		   const struct gsc_walk *walk)
{
	const struct gsc_root *root = gsc_translation_root(t);
	size_t end = levels_end(walk);
	char buf[ROOT_TEXT_MAX];

	gsc_json_hex(json, "address", walk->address);
	gsc_json_string(json, "mode", gsc_mode_name(walk->mode));
	gsc_json_string(json, "root", gsc_root_text(root, buf, sizeof(buf)));
	json_result(json, t, walk);
	json_steps(json, "levels", t->view, walk, 0, end, false);
	json_serving(json, "vtd", t->view, walk, end, walk->count, true);
	json_serving(json, "through", t->view, walk, end, walk->count, false);
	json_stop(json, walk);
	gsc_json_string(json, "written", *walk->written ? walk->written : NULL);
	gsc_json_string(json, "note", *walk->note ? walk->note : NULL);
}

/* `mode`, `root` and what lies before and behind, where all elements of a document share them. */
void gsc_json_root(struct gsc_json *json, const struct gsc_translation *t)
{
	const struct gsc_translation_options *options = &t->options;
	const struct gsc_root *root = gsc_translation_root(t);
	char buf[ROOT_TEXT_MAX];

	gsc_json_string(json, "mode", gsc_mode_name(root->mode));
	gsc_json_string(json, "root", gsc_root_text(root, buf, sizeof(buf)));
	gsc_json_string(json, "from", *root->from ? root->from : NULL);
	if (options->vtd.on) {
		gsc_json_object(json, "vtd");
		gsc_json_hex(json, "root", options->vtd.root);
		gsc_json_number(json, "levels", options->vtd.levels);
		gsc_json_object_end(json);
	} else {
		gsc_json_null(json, "vtd");
	}
	if (!options->trtt.on) {
		gsc_json_null(json, "trtt");
		return;
	}
	gsc_json_object(json, "trtt");
	gsc_json_hex(json, "l3", options->trtt.l3);
	gsc_json_hex(json, "va", options->trtt.va & 0xf);
	if (options->trtt.has_null)
		gsc_json_hex(json, "null", options->trtt.null);
	else
		gsc_json_null(json, "null");
	if (options->trtt.has_invalid)
		gsc_json_hex(json, "invalid", options->trtt.invalid);
	else
		gsc_json_null(json, "invalid");
	gsc_json_string(json, "from", *options->trtt.from ? options->trtt.from : NULL);
	gsc_json_object_end(json);
}
