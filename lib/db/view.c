/* SPDX-License-Identifier: MIT */
#include "db/view.h"

#include "util/number.h"

#include <stdio.h>
#include <string.h>

static const struct b_reg *view_def(const struct gsc_view *view, size_t i)
{
	const struct layer *l = view->layers ? db_layer(view->db, view->layers[i])
					     : view->db->base;

	return LAYER_ITEM(l, B_REGS, struct b_reg, view->insts[i].reg);
}

static const struct b_view *layer_view(const struct layer *l, unsigned platform)
{
	return LAYER_ITEM(l, B_VIEWS, struct b_view, platform);
}

static bool same_place(const struct b_inst *a, unsigned bytes, const struct b_inst *b)
{
	return a->space == b->space && b->offset >= a->offset && b->offset - a->offset < bytes;
}

/* A register of an earlier layer stands in for those of its name or at its address. */
static bool shadowed(const struct gsc_view *view, const struct b_inst *inst, const char *name)
{
	for (size_t i = 0; i < view->count; i++) {
		const struct b_reg *reg = view_def(view, i);
		const struct layer *l = db_layer(view->db, view->own_layers[i]);

		/* A number of the sideband is a whole register. */
		unsigned bytes = inst->space == GSC_SIDEBAND ? 1 : reg->bits / 8;

		if (same_place(&view->own_insts[i], bytes, inst) ||
		    !name_compare(layer_text(l, reg->name), name))
			return true;
	}
	return false;
}

static void merge_layer(struct gsc_view *view, size_t layer)
{
	const struct layer *l = db_layer(view->db, layer);
	const struct b_view *part = layer_view(l, view->platform);
	size_t earlier = view->count, added = 0;

	for (uint32_t i = 0; i < part->insts.count; i++) {
		const struct b_inst *inst = LAYER_ITEM(l, B_INSTS, struct b_inst,
						       part->insts.first + i);
		const struct b_reg *reg = LAYER_ITEM(l, B_REGS, struct b_reg, inst->reg);

		view->count = earlier;
		if (!where_holds(&reg->where, view->bit, view->revision) ||
		    shadowed(view, inst, layer_text(l, reg->name)))
			continue;
		view->own_insts[earlier + added] = *inst;
		view->own_layers[earlier + added] = (uint8_t)layer;
		added++;
	}
	view->count = earlier + added;
}

/* Insertion sort by space and offset: each layer's part is sorted, and the user's are small. */
static void sort_merged(struct gsc_view *view)
{
	for (size_t i = 1; i < view->count; i++) {
		struct b_inst inst = view->own_insts[i];
		uint8_t layer = view->own_layers[i];
		uint64_t key = (uint64_t)inst.space << 32 | inst.offset;
		size_t at = i;

		while (at && ((uint64_t)view->own_insts[at - 1].space << 32 |
			      view->own_insts[at - 1].offset) > key) {
			view->own_insts[at] = view->own_insts[at - 1];
			view->own_layers[at] = view->own_layers[at - 1];
			at--;
		}
		view->own_insts[at] = inst;
		view->own_layers[at] = layer;
	}
}

static bool merge(struct gsc_view *view)
{
	size_t total = 0;

	for (size_t i = 0; i < db_layer_count(view->db); i++)
		total += layer_view(db_layer(view->db, i), view->platform)->insts.count;
	view->own_insts = calloc(total + 1, sizeof(*view->own_insts));
	view->own_layers = calloc(total + 1, 1);
	if (!view->own_insts || !view->own_layers)
		return false;
	view->insts = view->own_insts;
	view->layers = view->own_layers;
	for (size_t i = 0; i < db_layer_count(view->db); i++)
		merge_layer(view, i);
	sort_merged(view);
	return true;
}

enum gsc_status gsc_view_new(struct gsc_view **out, const struct gsc_db *db,
			     unsigned platform, int revision, struct gsc_error *err)
{
	struct gsc_view *view;
	const struct b_view *base;

	*out = NULL;
	if (platform >= gsc_platform_count(db))
		return err_set(err, GSC_UNKNOWN, "platform", "number %u is not known", platform);
	view = calloc(1, sizeof(*view));
	if (!view)
		return err_memory(err);
	view->db = db;
	view->platform = platform;
	view->bit = UINT64_C(1) << platform;
	view->revision = revision < 0 ? UINT8_MAX : (uint8_t)revision;
	base = layer_view(db->base, platform);
	if (db_layer_count(db) > 1 || base->rev_limited) {
		if (!merge(view)) {
			gsc_view_free(view);
			return err_memory(err);
		}
	} else {
		view->insts = LAYER_ITEM(db->base, B_INSTS, struct b_inst, base->insts.first);
		view->count = base->insts.count;
	}
	*out = view;
	return GSC_OK;
}

void gsc_view_free(struct gsc_view *view)
{
	if (!view)
		return;
	free(view->own_insts);
	free(view->own_layers);
	free(view);
}

unsigned gsc_view_platform(const struct gsc_view *view)
{
	return view->platform;
}

size_t gsc_view_count(const struct gsc_view *view)
{
	return view->count;
}

/* ---- one register ------------------------------------------------------------------------- */

static const struct b_wake *find_wake(const struct layer *l, const struct b_platform *p,
				      const char *name)
{
	for (uint32_t i = 0; i < p->wakes.count; i++) {
		const struct b_wake *wake = LAYER_ITEM(l, B_WAKES, struct b_wake,
						       p->wakes.first + i);

		if (!strcmp(layer_text(l, wake->name), name))
			return wake;
	}
	return NULL;
}

/* The domain an engine sleeps in, by the names of the generations that split them. */
static const struct b_wake *engine_wake(const struct layer *l, const struct b_platform *p,
					const struct b_engine *engine)
{
	static const char *const first[ENGINE_CLASSES] = { "render", "blitter", "vdbox",
							   "vebox",  "render",  "gsc" };
	char name[16];
	const struct b_wake *wake;
	bool split = engine->class == ENGINE_VCS || engine->class == ENGINE_VECS;

	if (split)
		snprintf(name, sizeof(name), "%s%u", first[engine->class], engine->instance);
	else
		snprintf(name, sizeof(name), "%s", first[engine->class]);
	wake = find_wake(l, p, name);
	if (!wake && split)
		wake = find_wake(l, p, "media");
	return wake ? wake : find_wake(l, p, "gt");
}

/* A domain by the name a definition uses, on a platform that may divide them differently. */
static const char *wake_name(const struct gsc_view *view, const struct layer *from, str_t name,
			     uint8_t engine)
{
	static const char *const others[] = { "gt", "render", "blitter", "media" };
	const struct layer *l = view->db->base;
	const struct b_platform *p = db_platform(view->db, view->platform);
	const struct b_wake *wake = NULL;
	const char *text = layer_text(from, name);

	if (!name || !p->wakes.count)
		return NULL;
	if (!strcmp(text, "engine")) {
		if (engine != UINT8_MAX)
			wake = engine_wake(l, p, LAYER_ITEM(l, B_ENGINES, struct b_engine,
							    p->engines.first + engine));
	} else {
		wake = find_wake(l, p, text);
		if (!wake && (!strncmp(text, "vdbox", 5) || !strncmp(text, "vebox", 5)))
			wake = find_wake(l, p, "media");
		if (!wake && !strcmp(text, "gt"))
			wake = find_wake(l, p, "blitter");
	}
	for (size_t i = 0; !wake && i < ARRAY_SIZE(others); i++)
		wake = find_wake(l, p, others[i]);
	return wake ? layer_text(l, wake->name) : NULL;
}

static void fill_hazard(const struct gsc_view *view, const struct layer *l, const struct b_reg *def,
			struct gsc_reg *reg)
{
	for (uint32_t i = 0; i < def->hazards.count; i++) {
		const struct b_hazard *hazard = LAYER_ITEM(l, B_HAZARDS, struct b_hazard,
							   def->hazards.first + i);

		if (!where_holds(&hazard->where, view->bit, view->revision))
			continue;
		reg->flags |= hazard->flag;
		/* What matters for reading goes before what matters for writing. */
		if (!reg->hazard || !(hazard->flag & GSC_REG_HAZARD_WRITE))
			reg->hazard = layer_text(l, hazard->why);
	}
}

static void fill_group(const struct layer *l, uint32_t group, struct gsc_reg *reg)
{
	const struct b_group *g;

	if (group == NONE)
		return;
	g = LAYER_ITEM(l, B_GROUPS, struct b_group, group);
	reg->group = layer_text(l, g->name);
	reg->group_title = layer_text(l, g->title ? g->title : g->name);
}

void gsc_view_reg(const struct gsc_view *view, size_t i, struct gsc_reg *reg)
{
	const struct b_inst *inst = &view->insts[i];
	uint8_t layer = view->layers ? view->layers[i]
				     : (uint8_t)(db_layer_count(view->db) - 1);
	const struct layer *l = db_layer(view->db, layer);
	const struct b_reg *def = LAYER_ITEM(l, B_REGS, struct b_reg, inst->reg);

	*reg = (struct gsc_reg){
		.name = layer_text(l, def->name),
		.index = inst->index == UINT16_MAX ? -1 : inst->index,
		.space = (enum gsc_space)inst->space,
		.offset = inst->offset,
		.bits = def->bits,
		.access = def->access,
		.flags = def->flags & ~REG_OVERLAY,
		.reset = def->reset,
		.reset_mask = def->reset_mask,
		.doc = layer_text_or_null(l, def->doc),
		.file = layer_text(l, def->file),
		.line = def->line,
		.def = def_make(layer, inst->reg),
	};
	if (layer + 1u < db_layer_count(view->db))
		reg->flags |= GSC_REG_USER;
	if (def->bits < 64)
		reg->reset_mask &= (UINT64_C(1) << def->bits) - 1;
	if (inst->engine != UINT8_MAX) {
		const struct b_platform *p = db_platform(view->db, view->platform);
		const struct b_engine *engine = LAYER_ITEM(view->db->base, B_ENGINES,
							   struct b_engine,
							   p->engines.first + inst->engine);

		reg->engine = layer_text(view->db->base, engine->name);
		reg->engine_class = engine->class;
		reg->engine_instance = engine->instance;
	}
	fill_group(l, def->group, reg);
	fill_hazard(view, l, def, reg);
	layer_origin(l, def->origin, &reg->document, &reg->section);
	reg->wake = wake_name(view, l, def->wake, inst->engine);
}

size_t gsc_view_seek(const struct gsc_view *view, enum gsc_space space, uint64_t offset)
{
	size_t lo = 0, hi = view->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct b_inst *inst = &view->insts[mid];

		if (inst->space < space || (inst->space == space && inst->offset < offset))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t gsc_reg_full_name(const struct gsc_reg *reg, char *buf, size_t size)
{
	char text[192], *at = text;
	size_t length;

	if (reg->engine) {
		at = stpncpy(at, reg->engine, 15);
		*at++ = '.';
	}
	if (reg->name) {
		at = stpncpy(at, reg->name, 140);
	} else {
		if (reg->space != GSC_MMIO)
			at += sprintf(at, "%s:", gsc_space_name(reg->space));
		at = number_hex(at, reg->offset);
	}
	if (reg->index >= 0) {
		*at++ = '[';
		at = number_decimal(at, (uint64_t)reg->index);
		*at++ = ']';
	}
	length = (size_t)(at - text);
	if (size) {
		size_t copied = MIN(length, size - 1);

		memcpy(buf, text, copied);
		buf[copied] = 0;
	}
	return length;
}

static const struct b_reg *reg_def(const struct gsc_view *view, const struct gsc_reg *reg)
{
	return LAYER_ITEM(def_layer(view->db, reg->def), B_REGS, struct b_reg,
			  def_index(reg->def));
}


const char *gsc_reg_alias(const struct gsc_view *view, const struct gsc_reg *reg, size_t i)
{
	const struct layer *l = def_layer(view->db, reg->def);
	const struct b_slice aliases = reg_def(view, reg)->aliases;

	for (uint32_t k = 0; k < aliases.count; k++) {
		const struct b_alias *alias = LAYER_ITEM(l, B_ALIASES, struct b_alias,
							 aliases.first + k);
		struct gsc_match match = { reg->def, alias->engines, alias->instance };

		if (gsc_reg_matches(reg, &match) && !i--)
			return layer_text(l, alias->name);
	}
	return NULL;
}

bool gsc_reg_matches(const struct gsc_reg *reg, const struct gsc_match *match)
{
	if (reg->def != match->def)
		return false;
	if (!match->engines)
		return true;
	return reg->engine && match->engines & 1u << reg->engine_class &&
	       (match->instance < 0 || (unsigned)match->instance == reg->engine_instance);
}

/* ---- by name ------------------------------------------------------------------------------ */

static uint32_t first_name(const struct layer *l, const char *name)
{
	uint32_t lo = 0, hi = layer_count(l, B_NAMES);

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct b_name *n = LAYER_ITEM(l, B_NAMES, struct b_name, mid);

		if (name_compare(layer_text(l, n->name), name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t gsc_db_find(const struct gsc_db *db, const char *name, struct gsc_match *matches,
		   size_t room)
{
	size_t found = 0;

	for (size_t layer = 0; layer < db_layer_count(db); layer++) {
		const struct layer *l = db_layer(db, layer);

		for (uint32_t i = first_name(l, name); i < layer_count(l, B_NAMES); i++) {
			const struct b_name *n = LAYER_ITEM(l, B_NAMES, struct b_name, i);

			if (name_compare(layer_text(l, n->name), name))
				break;
			if (n->kind != ITEM_REG)
				continue;
			if (found < room)
				matches[found] = (struct gsc_match){ def_make(layer, n->item),
								     n->engines, n->instance };
			found++;
		}
	}
	return found;
}

bool gsc_view_range(const struct gsc_view *view, uint64_t offset, struct gsc_range *range)
{
	for (size_t layer = 0; layer < db_layer_count(view->db); layer++) {
		const struct layer *l = db_layer(view->db, layer);

		for (uint32_t i = 0; i < layer_count(l, B_RANGES); i++) {
			const struct b_range *r = LAYER_ITEM(l, B_RANGES, struct b_range, i);

			if (offset < r->start || offset > r->last ||
			    !where_holds(&r->where, view->bit, view->revision))
				continue;
			range->start = r->start;
			range->last = r->last;
			range->kind = layer_text(l, r->kind);
			range->why = layer_text_or_null(l, r->why);
			layer_origin(l, r->origin, &range->document, &range->section);
			return true;
		}
	}
	return false;
}
