/* SPDX-License-Identifier: MIT */
/*
 * The registers of one platform and revision, those of later layers hidden by earlier ones; names
 * of registers.
 */
#include "db/view.h"

#include "util/number.h"

#include <stdio.h>

/* A register of an earlier layer replaces those with its name or at its address. */
static bool shadowed(const struct gsc_view *view, size_t earlier, const struct c_inst *inst,
		     const struct layer *l)
{
	const char *name = layer_text(l, LAYER_ITEM(l, B_REGS, struct c_reg, inst->reg)->name);

	for (size_t i = 0; i < earlier; i++) {
		const struct c_reg *reg = inst_def(view, i);
		const struct layer *other = inst_layer(view, i);

		/* A number of the sideband is a whole register. */
		unsigned bytes = inst->space == GSC_SIDEBAND ? 1 : reg_traits(other, reg)->bits / 8;

		const struct c_inst *at = &view->insts[i];

		if ((at->space == inst->space && inst->offset >= at->offset &&
		     inst->offset - at->offset < bytes) ||
		    !name_compare(layer_text(other, reg->name), name))
			return true;
	}
	return false;
}

/* The platform, or its revision, does not have this owner. */
#define NOT_HERE (UINT8_MAX - 1)

/* The index of an owner among the platform's engines; UINT8_MAX: it is none, or NOT_HERE. */
static uint8_t owner_engine(const struct gsc_view *view, const struct c_owner *owner)
{
	const struct b_slice engines = db_platform(view->db, view->platform)->engines;

	if (view->revision < owner->rev_lo || view->revision > owner->rev_hi)
		return NOT_HERE;
	if (owner->class == ENGINE_CLASSES)
		return UINT8_MAX;
	for (uint8_t i = 0; i < engines.count && i < NOT_HERE; i++) {
		const struct b_engine *engine = LAYER_ITEM(view->db->base, B_ENGINES,
							   struct b_engine, engines.first + i);

		if (engine->class == owner->class && engine->instance == owner->instance)
			return i;
	}
	return NOT_HERE;
}

/* Which instances of a layer the platform has: this many words of bits. */
static const uint64_t *layer_bits(const struct gsc_view *view, const struct layer *l, size_t *words)
{
	*words = (layer_count(l, B_INSTS) + 63) / 64;
	return LAYER_ITEM(l, B_VIEWS, uint64_t, view->platform * *words);
}

static bool add_layer(struct gsc_view *view, size_t layer)
{
	const struct layer *l = db_layer(view->db, layer);
	const struct c_inst *insts = layer_section(l, B_INSTS);
	uint32_t owners = layer_count(l, B_OWNERS);
	uint8_t *engines = malloc(owners + 1);
	size_t earlier = view->count, words;
	const uint64_t *bits = layer_bits(view, l, &words);
	struct c_inst *next = view->insts + earlier;

	/* There are few owners and many instances: each owner is looked up once. */
	for (uint32_t i = 0; engines && i < owners; i++)
		engines[i] = owner_engine(view, LAYER_ITEM(l, B_OWNERS, struct c_owner, i));
	for (size_t i = 0; engines && i < words; i++)
		for (uint64_t rest = bits[i]; rest; rest &= rest - 1) {
			*next = insts[i * 64 + (unsigned)__builtin_ctzll(rest)];
			next->engine = engines[next->engine];
			if (next->engine != NOT_HERE &&
			    (!earlier || !shadowed(view, earlier, next, l)))
				next++;
		}
	free(engines);
	view->count = (size_t)(next - view->insts);
	if (view->layers)
		memset(view->layers + earlier, (int)layer, view->count - earlier);
	return engines;
}

/* Insertion sort by space and offset: each layer's part is sorted, and the user's are small. */
static void sort_merged(struct gsc_view *view)
{
	for (size_t i = 1; i < view->count; i++) {
		struct c_inst inst = view->insts[i];
		uint8_t layer = view->layers[i];
		uint64_t key = (uint64_t)inst.space << 32 | inst.offset;
		size_t at = i;

		while (at && ((uint64_t)view->insts[at - 1].space << 32 |
			      view->insts[at - 1].offset) > key) {
			view->insts[at] = view->insts[at - 1];
			view->layers[at] = view->layers[at - 1];
			at--;
		}
		view->insts[at] = inst;
		view->layers[at] = layer;
	}
}

static bool fill(struct gsc_view *view)
{
	size_t layers = db_layer_count(view->db), total = 1, words;

	for (size_t i = 0; i < layers; i++) {
		const uint64_t *bits = layer_bits(view, db_layer(view->db, i), &words);

		for (size_t k = 0; k < words; k++)
			total += (size_t)__builtin_popcountll(bits[k]);
	}
	view->insts = malloc(total * sizeof(*view->insts));
	view->next = malloc(total * sizeof(*view->next));
	if (layers > 1)
		view->layers = malloc(total);
	if (!view->insts || !view->next || (layers > 1 && !view->layers))
		return false;
	for (size_t i = 0; i < layers; i++)
		if (!add_layer(view, i))
			return false;
	if (layers > 1)
		sort_merged(view);
	/* From the end, so that each bucket is in the order of the registers. */
	memset(view->buckets, 0xff, sizeof(view->buckets));
	for (size_t i = view->count; i-- > 0;) {
		uint32_t *bucket = &view->buckets[view->insts[i].reg % VIEW_BUCKETS];

		view->next[i] = *bucket;
		*bucket = (uint32_t)i;
	}
	return true;
}

enum gsc_status gsc_view_new(struct gsc_view **out, const struct gsc_db *db,
			     unsigned platform, int revision, struct gsc_error *err)
{
	struct gsc_view *view;

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
	view->kept = calloc(1, sizeof(*view->kept));
	if (!view->kept || !fill(view) || !view_add_ranges(view) ||
	    !sleeping_find(&view->sleeping, db, platform, view->revision) ||
	    !steered_find(&view->steered, db, platform, view->revision)) {
		gsc_view_free(view);
		return err_memory(err);
	}
	*out = view;
	return GSC_OK;
}

void gsc_view_free(struct gsc_view *view)
{
	if (!view)
		return;
	if (view->kept && view->kept->data)
		view->kept->free(view->kept->data);
	free(view->kept);
	free(view->insts);
	free(view->layers);
	free(view->next);
	vec_free(&view->sleeping);
	vec_free(&view->steered);
	vec_free(&view->ranges);
	free(view);
}

unsigned gsc_view_platform(const struct gsc_view *view)
{
	return view->platform;
}

bool gsc_view_sees(const struct gsc_view *view, uint64_t platforms,
		   const struct gsc_revisions *revisions)
{
	return platforms & view->bit &&
	       gsc_revision_fits(revisions, view->platform, view->revision);
}

size_t gsc_view_count(const struct gsc_view *view)
{
	return view->count;
}

/* ---- one register ------------------------------------------------------------------------- */

const char *view_wake(const struct gsc_view *view, enum gsc_space space, uint64_t address)
{
	return space == GSC_MMIO ? sleeping_at(&view->sleeping, address) : NULL;
}

bool inst_is_steered(const struct gsc_view *view, size_t i)
{
	const struct c_inst *inst = &view->insts[i];
	const struct span *span;

	if (inst_traits(view, i)->flags & GSC_REG_MULTICAST)
		return true;
	span = inst->space == GSC_MMIO ? span_from(&view->steered, inst->offset) : NULL;
	return span && span->start <= inst->offset;
}

/* NULL: it belongs to none. */
static const struct b_engine *inst_engine(const struct gsc_view *view, const struct c_inst *inst)
{
	const struct b_platform *p = db_platform(view->db, view->platform);

	return inst->engine == UINT8_MAX ? NULL : LAYER_ITEM(view->db->base, B_ENGINES,
							     struct b_engine,
							     p->engines.first + inst->engine);
}

bool inst_is(const struct gsc_view *view, size_t i, const char *engine, int index)
{
	const struct c_inst *inst = &view->insts[i];
	const struct b_engine *of = engine ? inst_engine(view, inst) : NULL;

	return index == (inst->index == UINT16_MAX ? -1 : inst->index) &&
	       (!of || !name_compare(layer_text(view->db->base, of->name), engine));
}

bool inst_of_engines(const struct gsc_view *view, size_t i, unsigned engines, int instance)
{
	const struct b_engine *of = engines ? inst_engine(view, &view->insts[i]) : NULL;

	return !engines || (of && engines & 1u << of->class &&
			    (instance < 0 || instance == of->instance));
}

bool inst_matches(const struct gsc_view *view, size_t i, const struct gsc_match *match)
{
	return inst_def_id(view, i) == match->def && match_holds(view, match) &&
	       inst_of_engines(view, i, match->engines, match->instance);
}

void gsc_view_reg(const struct gsc_view *view, size_t i, struct gsc_reg *reg)
{
	const struct c_inst *inst = &view->insts[i];
	const struct layer *l = inst_layer(view, i);
	const struct c_reg *def = inst_def(view, i);
	const struct c_traits *traits = reg_traits(l, def);
	const struct b_engine *engine = inst_engine(view, inst);

	*reg = (struct gsc_reg){
		.name = layer_text(l, def->name),
		.index = inst->index == UINT16_MAX ? -1 : inst->index,
		.space = (enum gsc_space)inst->space,
		.offset = inst->offset,
		.bits = traits->bits,
		.access = traits->access,
		.flags = traits->flags & ~REG_OVERLAY,
		.reset = traits->reset,
		.reset_mask = traits->reset_mask,
		.doc = layer_text_or_null(l, def->doc),
		.file = layer_text(l, traits->file),
		.line = def->line,
		.def = inst_def_id(view, i),
	};
	if (inst_layer_index(view, i) + 1 < db_layer_count(view->db))
		reg->flags |= GSC_REG_USER;
	if (inst_is_steered(view, i))
		reg->flags |= GSC_REG_MULTICAST;
	if (traits->bits < 64)
		reg->reset_mask &= (UINT64_C(1) << traits->bits) - 1;
	if (engine) {
		reg->engine = layer_text(view->db->base, engine->name);
		reg->engine_class = engine->class;
		reg->engine_instance = engine->instance;
	}
	layer_group(l, traits->group, &reg->group, &reg->group_title);
	for (uint32_t k = 0; k < traits->hazards.count; k++) {
		const struct b_hazard *hazard = LAYER_ITEM(l, B_HAZARDS, struct b_hazard,
							   traits->hazards.first + k);

		if (!where_holds(&hazard->where, view->bit, view->revision))
			continue;
		reg->flags |= hazard->flag;
		/* What matters for reading comes before what matters for writing. */
		if (!reg->hazard || !(hazard->flag & GSC_REG_HAZARD_WRITE))
			reg->hazard = layer_text(l, hazard->why);
	}
	layer_origin(l, reg_origin(def), &reg->document, &reg->section);
	reg->wake = view_wake(view, reg->space, reg->offset);
}

size_t gsc_view_seek(const struct gsc_view *view, enum gsc_space space, uint64_t offset)
{
	const struct c_inst *insts = view->insts;

	return SEEK(i, 0, view->count, insts[i].space < space ||
		    (insts[i].space == space && insts[i].offset < offset));
}

size_t gsc_view_next(const struct gsc_view *view, size_t i, uint32_t def)
{
	while (i < view->count && inst_def_id(view, i) != def)
		i++;
	return i;
}

/* Copies this much of a text; stpncpy() would fill the rest with zeros. */
static char *put_text(char *at, const char *text, size_t most)
{
	size_t length = strnlen(text, most);

	memcpy(at, text, length);
	return at + length;
}

char *put_reg_name(char *at, const struct gsc_reg *reg)
{
	if (reg->engine) {
		at = put_text(at, reg->engine, 15);
		*at++ = '.';
	}
	if (reg->name) {
		at = put_text(at, reg->name, 140);
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
	return at;
}

size_t gsc_reg_full_name(const struct gsc_reg *reg, char *buf, size_t size)
{
	char text[REG_NAME_MAX];
	size_t length = (size_t)(put_reg_name(text, reg) - text);

	if (size) {
		size_t copied = MIN(length, size - 1);

		memcpy(buf, text, copied);
		buf[copied] = 0;
	}
	return length;
}

static struct gsc_match make_match(const struct layer *l, uint32_t def, uint16_t where)
{
	const struct b_where *w = layer_where(l, where);

	return (struct gsc_match){ def, w->platforms, where_stepped(w), 0, -1 };
}

static struct gsc_match alias_match(const struct layer *l, const struct c_alias *alias,
				    uint32_t def)
{
	struct gsc_match match = make_match(l, def, alias->where);

	match.engines = alias->engines;
	match.instance = alias->instance;
	return match;
}

const char *gsc_reg_alias(const struct gsc_view *view, const struct gsc_reg *reg, size_t i)
{
	const struct layer *l = def_layer(view->db, reg->def);
	const struct c_reg *def = LAYER_ITEM(l, B_REGS, struct c_reg, def_index(reg->def));

	for (uint32_t k = 0; k < def->alias_count; k++) {
		const struct c_alias *alias = LAYER_ITEM(l, B_ALIASES, struct c_alias,
							 def->aliases + k);
		struct gsc_match match = alias_match(l, alias, reg->def);
		bool engine = !match.engines ||
			      (reg->engine && match.engines & 1u << reg->engine_class &&
			       (match.instance < 0 ||
				(unsigned)match.instance == reg->engine_instance));

		if (engine && match_holds(view, &match) && !i--)
			return layer_text(l, alias->name);
	}
	return NULL;
}

/* ---- by name ------------------------------------------------------------------------------ */

/*
 * The register that a name belongs to, and on which engines; false: it is a name of something else.
 */
static bool name_match(const struct gsc_db *db, size_t layer, const struct c_name *n,
		       struct gsc_match *match)
{
	const struct layer *l = db_layer(db, layer);
	const struct c_alias *alias;
	uint32_t items = layer_items(l);

	if (n->of < layer_count(l, B_REGS)) {
		*match = make_match(l, def_make(layer, n->of),
				    LAYER_ITEM(l, B_REGS, struct c_reg, n->of)->where);
		return true;
	}
	if (n->of < items)
		return false;
	alias = LAYER_ITEM(l, B_ALIASES, struct c_alias, n->of - items);
	*match = alias_match(l, alias, def_make(layer, alias->item));
	return alias->kind == ITEM_REG;
}

size_t gsc_db_find(const struct gsc_db *db, const char *name, struct gsc_match *matches,
		   size_t room)
{
	size_t found = 0;

	for (size_t layer = 0; layer < db_layer_count(db); layer++) {
		const struct layer *l = db_layer(db, layer);

		for (uint32_t i = layer_seek(l, B_NAMES, sizeof(struct c_name), name, name_compare);
		     i < layer_count(l, B_NAMES); i++) {
			const struct c_name *n = LAYER_ITEM(l, B_NAMES, struct c_name, i);
			struct gsc_match match;

			if (name_compare(layer_text(l, n->name), name))
				break;
			if (!name_match(db, layer, n, &match))
				continue;
			if (found < room)
				matches[found] = match;
			found++;
		}
	}
	return found;
}
