/* SPDX-License-Identifier: MIT */
/* What definitions say beyond what decoding needs: for people who read them. */
#include "db/view.h"
#include "db/words.h"

static const char *const type_words[] = {
	[F_HEX] = "hex",     [F_DEC] = "dec",	    [F_BOOL] = "bool",	   [F_SIGNED] = "signed",
	[F_FLOAT] = "float", [F_UFIXED] = "ufixed", [F_SFIXED] = "sfixed", [F_ADDRESS] = "addr",
};

static const char *const address_words[A_SPACES] = {
	[A_GGTT] = "ggtt", [A_PPGTT] = "ppgtt", [A_GFX] = "gfx",     [A_PHYS] = "phys",
	[A_LMEM] = "lmem", [A_MMIO] = "mmio",	[A_RING] = "ring",   [A_GMADR] = "gmadr",
	[A_STOLEN] = "stolen",
};

static struct gsc_amount amount(const struct layer *l, const struct b_amount *a)
{
	return (struct gsc_amount){ layer_text_or_null(l, a->field), a->number };
}

static void pointer_form(const struct layer *l, const struct b_pointer *p, struct gsc_form *form)
{
	form->base = base_words[p->base];
	form->count = amount(l, &p->count);
	form->most = amount(l, &p->most);
	form->in_bytes = p->in_bytes;
	form->last = layer_text_or_null(l, p->end_field);
	form->only = layer_text_or_null(l, p->if_field);
	form->only_value = p->if_value;
	form->only_not = p->if_not;
}

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
	if (f->pointer)
		pointer_form(l, LAYER_ITEM(l, B_POINTERS, struct b_pointer, f->pointer - 1), form);
}

static struct b_slice item_repeats(const struct layer *l, const struct gsc_item *item)
{
	if (item->kind == GSC_COMMAND)
		return LAYER_ITEM(l, B_COMMANDS, struct b_command, def_index(item->def))->repeats;
	if (item->kind == GSC_STRUCTURE)
		return LAYER_ITEM(l, B_STRUCTS, struct b_struct, def_index(item->def))->repeats;
	return (struct b_slice){ 0 };
}

bool gsc_item_repeat(const struct gsc_db *db, const struct gsc_view *view,
		     const struct gsc_item *item, size_t i, struct gsc_repeat *repeat,
		     struct gsc_field_iter *it)
{
	const struct layer *l = def_layer(db, item->def);
	const struct b_slice repeats = item_repeats(l, item);
	const struct b_repeat *r;

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

const char *gsc_platform_engine(const struct gsc_db *db, unsigned platform, size_t i,
				unsigned *engine_class, unsigned *instance, uint32_t *base)
{
	const struct b_slice engines = db_platform(db, platform)->engines;
	const struct b_engine *engine;

	if (i >= engines.count)
		return NULL;
	engine = LAYER_ITEM(db->base, B_ENGINES, struct b_engine, engines.first + (uint32_t)i);
	*engine_class = engine->class;
	*instance = engine->instance;
	*base = engine->base;
	return layer_text(db->base, engine->name);
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
