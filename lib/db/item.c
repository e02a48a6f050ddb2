/* SPDX-License-Identifier: MIT */
/* Definitions as they are written, for any platform. */
#include "db/view.h"
#include "db/words.h"

#include <string.h>

static const enum blob_section sections[] = {
	[GSC_REGISTER] = B_REGS,
	[GSC_COMMAND] = B_COMMANDS,
	[GSC_STRUCTURE] = B_STRUCTS,
	[GSC_ENTRY] = B_ENTRIES,
	[GSC_INSTRUCTION] = B_INSTRUCTIONS,
};

/* What every kind of definition has, as its record holds it. */
struct common {
	const struct b_where *where;
	str_t name, doc, file;
	uint32_t line, origin;
	struct b_slice fields, aliases;
};

#define COMMON(record)                                                                             \
	((struct common){ &(record)->where, (record)->name, (record)->doc, (record)->file,         \
			  (record)->line, (record)->origin, (record)->fields, (record)->aliases })

static struct common reg_common(const struct layer *l, const struct c_reg *reg)
{
	return (struct common){
		.where = layer_where(l, reg->where),
		.name = reg->name,
		.doc = reg->doc,
		.file = reg_traits(l, reg)->file,
		.line = reg->line,
		.origin = reg_origin(reg),
		.fields = { reg->fields, reg->field_count },
		.aliases = { reg->aliases, reg->alias_count },
	};
}

static struct common item_common(const struct layer *l, enum gsc_kind kind, uint32_t i)
{
	switch (kind) {
	case GSC_COMMAND:
		return COMMON(LAYER_ITEM(l, B_COMMANDS, struct b_command, i));
	case GSC_STRUCTURE:
		return COMMON(LAYER_ITEM(l, B_STRUCTS, struct b_struct, i));
	case GSC_ENTRY:
		return COMMON(LAYER_ITEM(l, B_ENTRIES, struct b_entry, i));
	case GSC_INSTRUCTION:
		return COMMON(LAYER_ITEM(l, B_INSTRUCTIONS, struct b_instruction, i));
	default:
		return reg_common(l, LAYER_ITEM(l, B_REGS, struct c_reg, i));
	}
}

static uint64_t known_platforms(const struct gsc_db *db, uint64_t mask)
{
	unsigned count = gsc_platform_count(db);

	return count >= 64 ? mask : mask & ((UINT64_C(1) << count) - 1);
}

static void fill_reg(const struct layer *l, uint32_t i, struct gsc_item *item)
{
	const struct c_traits *reg = reg_traits(l, LAYER_ITEM(l, B_REGS, struct c_reg, i));

	item->bits = reg->bits;
	item->access = reg->access;
	item->flags = reg->flags & ~REG_OVERLAY;
	item->reset = reg->reset;
	item->reset_mask = reg->reset_mask;
	for (uint32_t h = 0; h < reg->hazards.count; h++)
		item->flags |= LAYER_ITEM(l, B_HAZARDS, struct b_hazard,
					  reg->hazards.first + h)->flag;
	if (reg->group != NONE) {
		const struct b_group *group = LAYER_ITEM(l, B_GROUPS, struct b_group, reg->group);

		item->group = layer_text(l, group->name);
		item->group_title = layer_text(l, group->title ? group->title : group->name);
	}
}

static void fill_command(const struct layer *l, uint32_t i, struct gsc_item *item)
{
	const struct b_command *c = LAYER_ITEM(l, B_COMMANDS, struct b_command, i);

	item->engines = c->engines;
	item->mask = c->mask;
	item->value = c->value;
	item->length = c->length;
	if (c->length_kind == LENGTH_FIELD) {
		item->length_hi = (int)c->length_hi;
		item->length_lo = (int)c->length_lo;
	}
}

static const char *entry_field_name(const struct layer *l, const struct b_entry *e,
				    uint32_t field)
{
	if (field == NONE)
		return NULL;
	return layer_text(l, LAYER_ITEM(l, B_FIELDS, struct c_field,
					e->fields.first + field)->name);
}

static void fill_entry(const struct layer *l, uint32_t i, struct gsc_item *item)
{
	const struct b_entry *e = LAYER_ITEM(l, B_ENTRIES, struct b_entry, i);

	item->bits = e->bits;
	item->modes = layer_text(l, e->modes);
	item->level = layer_text(l, e->level);
	if (e->index_hi) {
		item->index_hi = (int)e->index_hi;
		item->index_lo = (int)e->index_lo;
		item->index_every = e->index_every;
	}
	item->valid = entry_field_name(l, e, e->valid_field);
	item->valid_value = e->valid_value;
}

static void fill_instruction(const struct layer *l, uint32_t i, struct gsc_item *item)
{
	const struct b_instruction *in = LAYER_ITEM(l, B_INSTRUCTIONS, struct b_instruction, i);

	item->opcode = in->opcode;
	item->form = eu_form_words[in->form];
	item->sources = in->sources;
}

bool gsc_item_lead(const struct gsc_db *db, const struct gsc_item *item, size_t i,
		   struct gsc_lead *lead)
{
	const struct layer *l = def_layer(db, item->def);
	const struct b_entry *e;

	if (item->kind != GSC_ENTRY)
		return false;
	e = LAYER_ITEM(l, B_ENTRIES, struct b_entry, def_index(item->def));
	if (e->leaf_kind != LEAF_NEVER && i-- == 0) {
		*lead = (struct gsc_lead){ entry_field_name(l, e, e->leaf_field), e->leaf_value,
					   e->leaf_size, layer_text_or_null(l, e->leaf_as) };
		return true;
	}
	if (i >= ENTRY_NEXTS || !e->next[i].level)
		return false;
	*lead = (struct gsc_lead){ entry_field_name(l, e, e->next[i].field), e->next[i].value, 0,
				   layer_text(l, e->next[i].level) };
	return true;
}

bool gsc_item_by_def(const struct gsc_db *db, enum gsc_kind kind, uint32_t def,
		     struct gsc_item *item)
{
	const struct layer *l = def_layer(db, def);
	uint32_t i = def_index(def);
	struct common c;

	if (def >> 24 >= db_layer_count(db) || i >= layer_count(l, sections[kind]))
		return false;
	c = item_common(l, kind, i);
	*item = (struct gsc_item){
		.kind = kind,
		.def = def,
		.name = layer_text(l, c.name),
		.doc = layer_text_or_null(l, c.doc),
		.file = layer_text(l, c.file),
		.line = c.line,
		.platforms = known_platforms(db, c.where->platforms),
		.revisions = where_stepped(c.where),
		.length_hi = -1,
		.length_lo = -1,
		.index_hi = -1,
		.index_lo = -1,
	};
	layer_origin(l, c.origin, &item->document, &item->section);
	if (kind == GSC_REGISTER)
		fill_reg(l, i, item);
	else if (kind == GSC_COMMAND)
		fill_command(l, i, item);
	else if (kind == GSC_STRUCTURE)
		item->bits = LAYER_ITEM(l, B_STRUCTS, struct b_struct, i)->bytes * 8;
	else if (kind == GSC_ENTRY)
		fill_entry(l, i, item);
	else
		fill_instruction(l, i, item);
	if (l != db->base)
		item->flags |= GSC_REG_USER;
	return true;
}

bool gsc_item_at(const struct gsc_db *db, enum gsc_kind kind, size_t i, struct gsc_item *item)
{
	for (size_t layer = 0; layer < db_layer_count(db); layer++) {
		uint32_t count = layer_count(db_layer(db, layer), sections[kind]);

		if (i < count)
			return gsc_item_by_def(db, kind, def_make(layer, (uint32_t)i), item);
		i -= count;
	}
	return false;
}

const char *gsc_item_alias(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			   uint64_t *platforms)
{
	const struct layer *l = def_layer(db, item->def);
	struct common c = item_common(l, item->kind, def_index(item->def));
	const struct c_alias *alias;

	if (i >= c.aliases.count)
		return NULL;
	alias = LAYER_ITEM(l, B_ALIASES, struct c_alias, c.aliases.first + (uint32_t)i);
	if (platforms)
		*platforms = item->platforms & layer_where(l, alias->where)->platforms;
	return layer_text(l, alias->name);
}

bool gsc_item_place(const struct gsc_db *db, const struct gsc_item *item, size_t i,
		    struct gsc_place *place)
{
	const struct layer *l = def_layer(db, item->def);
	const struct c_reg *reg;
	const struct c_place *p;

	if (item->kind != GSC_REGISTER)
		return false;
	reg = LAYER_ITEM(l, B_REGS, struct c_reg, def_index(item->def));
	if (i >= reg->place_count)
		return false;
	p = LAYER_ITEM(l, B_PLACES, struct c_place, reg->places + (uint32_t)i);
	*place = (struct gsc_place){
		.space = (enum gsc_space)p->space,
		.offset = (uint64_t)p->offset + reg->element,
		.relative = p->relative,
		.engines = p->engines,
		.instance = p->instance,
		.count = p->count,
		.stride = p->stride,
		.run = p->run,
		.run_stride = p->run_stride,
		.platforms = known_platforms(db, layer_where(l, p->where)->platforms &
						 layer_where(l, reg->where)->platforms),
		.revisions = where_stepped(layer_where(l, p->where)),
	};
	return true;
}

void gsc_item_fields(const struct gsc_db *db, const struct gsc_view *view,
		     const struct gsc_item *item, const uint32_t *words, size_t count,
		     struct gsc_field_iter *it)
{
	const struct layer *l = def_layer(db, item->def);
	struct common c = item_common(l, item->kind, def_index(item->def));
	static const uint32_t nothing;

	*it = (struct gsc_field_iter){
		.view = view,
		.blob = l,
		.first = c.fields.first,
		.next = c.fields.first,
		.end = c.fields.first + c.fields.count,
		.bits = item->bits,
		.words = words ? words : &nothing,
		.count = words ? count : 0,
	};
}

bool gsc_document_at(const struct gsc_db *db, size_t i, const char **key, const char **title)
{
	for (size_t layer = 0; layer < db_layer_count(db); layer++) {
		const struct layer *l = db_layer(db, layer);
		const struct b_document *d;

		if (i >= layer_count(l, B_DOCUMENTS)) {
			i -= layer_count(l, B_DOCUMENTS);
			continue;
		}
		d = LAYER_ITEM(l, B_DOCUMENTS, struct b_document, i);
		*key = layer_text(l, d->key);
		*title = layer_text(l, d->title);
		return true;
	}
	return false;
}
