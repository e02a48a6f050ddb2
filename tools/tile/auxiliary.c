/* SPDX-License-Identifier: MIT */
/* gpu-tile --aux: auxiliary surfaces, what they do and where they are. */
#include "gpu-tile.h"
#include "out/keys.h"
#include "util/number.h"

#include <strings.h>

#define ENTRY_BYTES 8

/* ---- what sampling gives -------------------------------------------------------------------- */

static const char *mapped_word(bool mapped)
{
	return mapped ? "mapped" : "unmapped";
}

struct response {
	const char *aux;
	bool surface, auxiliary;	/* mapped */
	const char *response, *text;
};

/* skl-vol5, Auxiliary Surfaces for Sampled Tiled Resources. False: there are no more. */
static bool response_at(size_t i, struct response *r)
{
	static const struct { const char *aux, *text; } kinds[] = {
		{ "hiz", "a sample of the depth surface" },
		{ "ccs", "a sample of the colour surface" },
		{ "mcs", "a sample of the multisampled surface" },
	};

	if (i / 4 >= ARRAY_SIZE(kinds))
		return false;
	*r = (struct response){ kinds[i / 4].aux, !(i & 2), !(i & 1), "normal", kinds[i / 4].text };
	if (!r->surface) {
		r->response = "null";
		r->text = "all zeros; the null pixel mask, if requested, marks them: only the "
			  "surface decides";
	} else if (!r->auxiliary) {
		r->response = "undefined";
		r->text = "tiles of the auxiliary surface must stay mapped as long as those they "
			  "describe";
	}
	return true;
}

KEYS(response)
static void json_response(struct gsc_json *json, const struct response *r)
{
	KEY(text, "aux", r->aux, ONE_OF("hiz", "ccs", "mcs"));
	KEY(text, "surface", mapped_word(r->surface), ONE_OF(mapped_word));
	KEY(text, "auxiliary", mapped_word(r->auxiliary), ONE_OF(mapped_word));
	KEY(text, "response", r->response, ONE_OF("normal", "null", "undefined"));
	KEY(text, "text", r->text);
}

KEYS(responses)
enum gsc_status aux_run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	struct gsc_json *json = &tile->json;
	bool all = !strcasecmp(tile->aux_text, "all"), known = all;
	struct response r;
	enum gsc_status status;

	for (size_t i = 0; !known && response_at(i, &r); i++)
		known = !strcasecmp(tile->aux_text, r.aux);
	if (!known)
		return option_error("aux", tile->aux_text,
				    "expected hiz, ccs, mcs, all, or table:ADDRESS", err);
	if (!has_tiled_resources(common))
		return usage_error(err, "--aux", NO_TILED_RESOURCES);
	status = output_open(common, false, err);
	if (status)
		return status;
	if (wants_json(common)) {
		source_document(common, TILE_SCHEMA, json);
		KEY_LIST("responses", OF(response));
	} else {
		source_title(common);
	}
	for (size_t i = 0; response_at(i, &r); i++) {
		if (!all && strcasecmp(tile->aux_text, r.aux))
			continue;
		if (wants_json(common)) {
			ITEM(json_response(json, &r));
			continue;
		}
		gsc_out_line(common->out, "%s  surface %-8s  %s %-8s  %-9s  %s", r.aux,
			     mapped_word(r.surface), r.aux, mapped_word(r.auxiliary), r.response,
			     r.text);
	}
	tile_end(tile);
	return GSC_OK;
}

/* ---- where the auxiliary data is ------------------------------------------------------------ */

struct lookups {
	struct tile *tile;
	struct gsc_translation *translation;
	struct gsc_aux_walk *walks;	/* as many as operands */
	uint64_t root;
	char from[80];			/* where that is from */
	size_t missed;
	enum gsc_status status;		/* the worst of them */
};

static enum gsc_status look_up(struct lookups *l, struct gsc_error *err)
{
	struct common *common = &l->tile->common;
	enum gsc_status status = GSC_OK;
	uint64_t address;

	l->walks = calloc(common->operand_count, sizeof(*l->walks));
	if (!l->walks)
		return err_memory(err);
	for (size_t i = 0; !status && i < common->operand_count; i++) {
		if (!gsc_parse_number(common->operands[i], &address))
			return usage_error(err, common->operands[i], "expected an address");
		status = gsc_aux_walk(l->translation, l->root, address, &l->walks[i], err);
		l->missed += !l->walks[i].mapped;
		l->status = worse(l->status, l->walks[i].status);
	}
	return status;
}

static const char *reserved_or(const char *word)
{
	return word ? word : "reserved";
}

static void put_walk_text(const struct common *common, const struct gsc_aux_walk *w)
{
	struct gsc_out *out = common->out;

	gsc_out_format(out, "0x%llx  ", LL(w->address));
	if (w->mapped)
		gsc_out_format(out, "auxiliary 0x%llx, %llu bytes for %llu KB", LL(w->auxiliary),
			       LL(w->size), LL(w->covers) >> 10);
	else
		gsc_out_format(out, "%s: %s", gsc_stop_outcome(w->stop), w->why);
	if (w->has_format)
		gsc_out_format(out, "; %s%s, tiles %s, format 0x%x", w->chroma ? "chroma, " : "",
			       reserved_or(gsc_aux_depth_word(w->depth)),
			       reserved_or(gsc_aux_tile_mode_word(w->tile_mode)), w->format);
	gsc_out_end(out);
	for (size_t i = 0; i < w->count && !common->quiet; i++) {
		const struct gsc_aux_step *step = &w->steps[i];

		gsc_out_line(out, "  L%u %5u  table 0x%012llx  entry 0x%012llx  0x%016llx",
			     step->level, step->index, LL(step->table), LL(step->address),
			     LL(step->entry));
	}
}

KEYS(format)
static void put_format_json(struct gsc_json *json, const struct gsc_aux_walk *w)
{
	KEY(hex, "code", w->format);
	KEY(text_or_null, "depth", gsc_aux_depth_word(w->depth));
	KEY(text_or_null, "tiling", gsc_aux_tile_mode_word(w->tile_mode),
	    ONE_OF(gsc_aux_tile_mode_word));
	KEY(flag, "chroma", w->chroma);
}

KEYS(auxiliaryStep)
static void put_step_json(struct gsc_json *json, const struct gsc_aux_walk *w, size_t i)
{
	KEY(number, "level", w->steps[i].level, ONE_OF(1, 2, 3));
	KEY(number, "index", w->steps[i].index);
	KEY(hex, "table", w->steps[i].table);
	KEY(hex, "address", w->steps[i].address);
	KEY(hex, "entry", w->steps[i].entry);
}

KEYS(auxiliaryWalk, "The place of the auxiliary data for a graphics address: size bytes at "
     "auxiliary describe the block of covers bytes that contains the address. format: the format "
     "of the surface in the last entry, null where the hardware ignores it.")
static void put_walk_json(struct gsc_json *json, const struct gsc_aux_walk *w)
{
	KEY(hex, "address", w->address);
	KEY(flag, "mapped", w->mapped);
	KEY_OR_NULL(w->mapped, hex, "auxiliary", w->auxiliary);
	KEY(number, "size", w->size);
	KEY(number, "covers", w->covers);
	KEY_OR_NULL(!w->mapped, text, "stop", gsc_stop_word(w->stop),
		    ONE_OF("not-canonical", "not-present", "no-memory"));
	KEY(text_or_null, "why", w->mapped ? NULL : w->why);
	KEY_OR_NULL(w->has_format, object, "format", put_format_json(json, w));
	KEY_EACH(object, "steps", for (size_t i = 0; i < w->count; i++), put_step_json(json, w, i),
		 MAX_ITEMS(3));
}

KEYS(lookups)
static enum gsc_status put_lookups(struct lookups *l, struct gsc_error *err)
{
	struct tile *tile = l->tile;
	struct gsc_json *json = &tile->json;
	struct common *common = &tile->common;
	enum gsc_status status = output_open(common, !wants_json(common), err);

	if (status)
		return status;
	if (wants_json(common)) {
		source_document(common, TILE_SCHEMA, json);
		put_submission_json(tile);
		KEY(hex, "table", l->root, "Graphics address of the auxiliary table.");
		KEY(text, "from", l->from, "How that table was found.");
		KEY_LIST("walks", OF(auxiliaryWalk));
	} else if (!common->quiet && !common->session) {
		source_title(common);
		put_submission_text(tile);
		gsc_out_line(common->out, "# auxiliary table at 0x%llx (%s)", LL(l->root),
			     l->from);
		gsc_text_root(common->out, l->translation);
	}
	for (size_t i = 0; i < common->operand_count && !gsc_out_error(common->out); i++) {
		if (wants_json(common))
			ITEM(put_walk_json(json, &l->walks[i]));
		else
			put_walk_text(common, &l->walks[i]);
	}
	tile_end(tile);
	return GSC_OK;
}

enum gsc_status aux_table_run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	struct lookups l = { .tile = tile, .root = tile->address, .from = "as given" };
	enum gsc_status status = GSC_OK;
	char what[80], why[300];

	/* As given, where a table can be; else as a register says. */
	if (!tile->has_address)
		status = gsc_aux_root(tile_gpu(tile), tile->roots.engine, &l.root, l.from,
				      sizeof(l.from), err);
	else if (l.root % ENTRY_BYTES)
		status = option_error("aux", tile->aux_text, "tables are aligned to 8 bytes", err);
	else if (!address_short(&tile->address))
		status = option_error("aux", tile->aux_text, NO_HIGH_BITS, err);
	if (!status)
		status = translation_open(&tile->roots, &l.translation, err);
	if (!status)
		status = look_up(&l, err);
	if (!status)
		status = put_lookups(&l, err);
	if (!status)
		status = complain_damage(common, common->source);
	if (l.missed && (!status || status == GSC_PARTIAL)) {
		string_set(what, "%zu of %zu addresses", l.missed, common->operand_count);
		string_set(why, "not mapped");
		if (common->operand_count == 1) {
			string_set(what, "0x%llx", LL(l.walks->address));
			string_set(why, "%s: %s", gsc_stop_outcome(l.walks->stop), l.walks->why);
		}
		complain(common, l.status, what, why);
		status = worse(l.status, status);
	}
	gsc_translation_free(l.translation);
	free(l.walks);
	return status;
}
