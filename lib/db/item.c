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
	[GSC_TOPIC] = B_TOPICS,
	[GSC_WORKAROUND] = B_WORKAROUNDS,
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

static struct common item_common(const struct layer *l, enum gsc_kind kind, uint32_t i)
{
	const struct c_reg *reg;

	switch (kind) {
	case GSC_COMMAND:
		return COMMON(LAYER_ITEM(l, B_COMMANDS, struct b_command, i));
	case GSC_STRUCTURE:
		return COMMON(LAYER_ITEM(l, B_STRUCTS, struct b_struct, i));
	case GSC_ENTRY:
		return COMMON(LAYER_ITEM(l, B_ENTRIES, struct b_entry, i));
	case GSC_INSTRUCTION:
		return COMMON(LAYER_ITEM(l, B_INSTRUCTIONS, struct b_instruction, i));
	case GSC_TOPIC:
		return COMMON(LAYER_ITEM(l, B_TOPICS, struct b_topic, i));
	case GSC_WORKAROUND:
		return COMMON(LAYER_ITEM(l, B_WORKAROUNDS, struct b_workaround, i));
	default:
		reg = LAYER_ITEM(l, B_REGS, struct c_reg, i);
		return (struct common){
			layer_where(l, reg->where), reg->name, reg->doc, reg_traits(l, reg)->file,
			reg->line, reg_origin(reg), { reg->fields, reg->field_count },
			{ reg->aliases, reg->alias_count },
		};
	}
}

static uint64_t known_platforms(const struct gsc_db *db, uint64_t mask)
{
	unsigned count = gsc_platform_count(db);

	return count >= 64 ? mask : mask & ((UINT64_C(1) << count) - 1);
}

static const char *entry_field_name(const struct layer *l, const struct b_entry *e, uint32_t field)
{
	if (field == NONE)
		return NULL;
	return layer_text(l, LAYER_ITEM(l, B_FIELDS, struct c_field,
					e->fields.first + field)->name);
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
	if (kind == GSC_REGISTER) {
		const struct c_traits *reg = reg_traits(l, LAYER_ITEM(l, B_REGS, struct c_reg, i));

		item->bits = reg->bits;
		item->access = reg->access;
		item->flags = reg->flags & ~REG_OVERLAY;
		item->reset = reg->reset;
		item->reset_mask = reg->reset_mask;
		for (uint32_t h = 0; h < reg->hazards.count; h++)
			item->flags |= LAYER_ITEM(l, B_HAZARDS, struct b_hazard,
						  reg->hazards.first + h)->flag;
		layer_group(l, reg->group, &item->group, &item->group_title);
	} else if (kind == GSC_COMMAND) {
		const struct b_command *command = LAYER_ITEM(l, B_COMMANDS, struct b_command, i);

		item->engines = command->engines;
		item->privileged = command->flags & COMMAND_PRIVILEGED;
		item->mask = command->mask;
		item->value = command->value;
		item->length = command->length;
		if (command->length_kind == LENGTH_FIELD) {
			item->length_hi = (int)command->length_hi;
			item->length_lo = (int)command->length_lo;
		}
	} else if (kind == GSC_STRUCTURE) {
		item->bits = LAYER_ITEM(l, B_STRUCTS, struct b_struct, i)->bytes * 8;
	} else if (kind == GSC_ENTRY) {
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
	} else if (kind == GSC_INSTRUCTION) {
		const struct b_instruction *in = LAYER_ITEM(l, B_INSTRUCTIONS,
							    struct b_instruction, i);

		item->opcode = in->opcode;
		item->form = eu_form_words[in->form];
		item->sources = in->sources;
	} else if (kind == GSC_WORKAROUND) {
		const struct b_workaround *w = LAYER_ITEM(l, B_WORKAROUNDS, struct b_workaround, i);

		item->moment = (enum workaround_kind)w->when;
		item->when = workaround_words[w->when];
		item->reg = layer_text(l, w->reg);
		item->index = w->index == UINT16_MAX ? -1 : w->index;
		item->mask = w->mask;
		item->value = w->value;
		item->engines = w->engines;
		item->instance = w->instance;
		item->unchecked = w->unchecked;
	}
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
	const struct layer *l = db_layer_of(db, B_DOCUMENTS, &i);
	const struct b_document *d;

	if (!l)
		return false;
	d = LAYER_ITEM(l, B_DOCUMENTS, struct b_document, i);
	*key = layer_text(l, d->key);
	*title = layer_text(l, d->title);
	return true;
}

/* ---- what definitions say beyond what decoding needs: for people who read them --------------- */

static const char *const type_words[] = {
	[F_HEX] = "hex",     [F_DEC] = "dec",	    [F_BOOL] = "bool",	   [F_SIGNED] = "signed",
	[F_FLOAT] = "float", [F_UFIXED] = "ufixed", [F_SFIXED] = "sfixed", [F_ADDRESS] = "addr",
};

static const char *const address_words[A_SPACES] = {
	[A_GGTT] = "ggtt", [A_PPGTT] = "ppgtt", [A_GFX] = "gfx",     [A_PHYS] = "phys",
	[A_LMEM] = "lmem", [A_MMIO] = "mmio",	[A_RING] = "ring",   [A_GMADR] = "gmadr",
	[A_STOLEN] = "stolen",
};

void gsc_field_form(const struct gsc_field_iter *it, struct gsc_form *form)
{
	const struct layer *l = it->blob;
	const struct c_field *field = LAYER_ITEM(l, B_FIELDS, struct c_field, it->next - 1);
	const struct c_form *f = field_form(l, field);

	*form = (struct gsc_form){
		.type = type_words[f->type],
		.address = address_words[f->addr],
		.fraction = f->fraction,
		.shift = f->shift,
		.add = f->add,
		.multiply = f->multiply,
		.divide = f->divide,
		.unit = layer_text_or_null(l, f->unit),
		.join = layer_text_or_null(l, f->join),
		.target = layer_text_or_null(l, f->target),
		.to = layer_text_or_null(l, f->to),
		.when_value = f->when_value,
		.when_not = f->when_not,
		.when_list = layer_text_or_null(l, f->when_list),
	};
	if (f->when_field != NONE)
		form->when = layer_text(l, LAYER_ITEM(l, B_FIELDS, struct c_field,
						      it->first + f->when_field)->name);
	if (f->pointer) {
		const struct b_pointer *p = LAYER_ITEM(l, B_POINTERS, struct b_pointer,
						       f->pointer - 1);

		form->base = base_words[p->base];
		form->count = (struct gsc_amount){ layer_text_or_null(l, p->count.field),
						   p->count.number };
		form->most = (struct gsc_amount){ layer_text_or_null(l, p->most.field),
						  p->most.number };
		form->in_bytes = p->in_bytes;
		form->last = layer_text_or_null(l, p->end_field);
		form->only = layer_text_or_null(l, p->if_field);
		form->only_value = p->if_value;
		form->only_not = p->if_not;
	}
}

bool gsc_item_repeat(const struct gsc_db *db, const struct gsc_view *view,
		     const struct gsc_item *item, size_t i, struct gsc_repeat *repeat,
		     struct gsc_field_iter *it)
{
	const struct layer *l = def_layer(db, item->def);
	struct b_slice repeats = { 0 };
	const struct b_repeat *r;

	if (item->kind == GSC_COMMAND)
		repeats = LAYER_ITEM(l, B_COMMANDS, struct b_command,
				     def_index(item->def))->repeats;
	else if (item->kind == GSC_STRUCTURE)
		repeats = LAYER_ITEM(l, B_STRUCTS, struct b_struct, def_index(item->def))->repeats;
	if (i >= repeats.count)
		return false;
	r = LAYER_ITEM(l, B_REPEATS, struct b_repeat, repeats.first + (uint32_t)i);
	*repeat = (struct gsc_repeat){
		.name = layer_text(l, r->name),
		.at = r->at,
		.size = r->size,
		.after = r->after,
	};
	gsc_item_fields(db, view, item, NULL, 0, it);
	if (r->kind == REPEAT_COUNT)
		repeat->count = r->count;
	else if (r->kind == REPEAT_FIELD)
		repeat->count_field = layer_text(l, LAYER_ITEM(l, B_FIELDS, struct c_field,
							       it->first + r->count)->name);
	it->first = it->next = r->fields.first;
	it->end = r->fields.first + r->fields.count;
	return true;
}

bool gsc_item_length(const struct gsc_db *db, const struct gsc_item *item, size_t i,
		     struct gsc_lengths *lengths)
{
	const struct layer *l = def_layer(db, item->def);
	const struct b_command *command;
	const struct b_expect *e;

	if (item->kind != GSC_COMMAND)
		return false;
	command = LAYER_ITEM(l, B_COMMANDS, struct b_command, def_index(item->def));
	if (i >= command->expects.count)
		return false;
	e = LAYER_ITEM(l, B_EXPECTS, struct b_expect, command->expects.first + (uint32_t)i);
	*lengths = (struct gsc_lengths){ e->lo, e->hi, e->where.platforms & item->platforms,
					 where_stepped(&e->where) };
	return true;
}

bool gsc_item_hazard(const struct gsc_db *db, const struct gsc_item *item, size_t i,
		     struct gsc_hazard *hazard)
{
	const struct layer *l = def_layer(db, item->def);
	const struct b_hazard *h;
	struct b_slice hazards;

	if (item->kind != GSC_REGISTER)
		return false;
	hazards = reg_traits(l, LAYER_ITEM(l, B_REGS, struct c_reg, def_index(item->def)))->hazards;
	if (i >= hazards.count)
		return false;
	h = LAYER_ITEM(l, B_HAZARDS, struct b_hazard, hazards.first + (uint32_t)i);
	*hazard = (struct gsc_hazard){
		.flag = h->flag,
		.why = layer_text(l, h->why),
		.bits = h->bits,
		.platforms = h->where.platforms & item->platforms,
		.revisions = where_stepped(&h->where),
	};
	return true;
}

bool gsc_item_note(const struct gsc_db *db, const struct gsc_item *item, size_t *at,
		   struct gsc_note *note)
{
	const struct layer *l = def_layer(db, item->def);
	size_t end = layer_count(l, B_NOTES);

	/* The first one of the line. */
	for (size_t hi = *at ? 0 : end; *at < hi;) {
		size_t mid = *at + (hi - *at) / 2;

		if (LAYER_ITEM(l, B_NOTES, struct b_note, mid)->line < item->line)
			*at = mid + 1;
		else
			hi = mid;
	}
	while (*at < end) {
		const struct b_note *n = LAYER_ITEM(l, B_NOTES, struct b_note, (*at)++);

		if (n->line != item->line)
			return false;
		if (strcmp(layer_text(l, n->file), item->file))
			continue;
		*note = (struct gsc_note){ layer_text(l, n->text),
					   n->where.platforms & item->platforms,
					   where_stepped(&n->where) };
		return true;
	}
	return false;
}

const char *gsc_platform_engine(const struct gsc_db *db, unsigned platform, size_t i,
				struct gsc_engine_place *engine)
{
	const struct b_slice engines = db_platform(db, platform)->engines;
	const struct b_engine *from;

	if (i >= engines.count)
		return NULL;
	from = LAYER_ITEM(db->base, B_ENGINES, struct b_engine, engines.first + (uint32_t)i);
	if (engine)
		*engine = (struct gsc_engine_place){ from->class, from->instance, from->base };
	return layer_text(db->base, from->name);
}

bool gsc_revision_fits(const struct gsc_revisions *revisions, unsigned platform, int revision)
{
	unsigned number = revision < 0 ? UINT8_MAX : (unsigned)revision;

	return !(revisions->platforms >> platform & 1) ||
	       (number >= revisions->lo && number <= revisions->hi);
}

const char *gsc_platform_stepping(const struct gsc_db *db, unsigned platform, size_t i,
				  unsigned *revision)
{
	const struct b_slice steppings = db_platform(db, platform)->steppings;
	const struct b_stepping *stepping;

	if (i >= steppings.count)
		return NULL;
	stepping = LAYER_ITEM(db->base, B_STEPPINGS, struct b_stepping,
			      steppings.first + (uint32_t)i);
	*revision = stepping->revision;
	return layer_text(db->base, stepping->name);
}
