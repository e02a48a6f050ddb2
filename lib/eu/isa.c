/* SPDX-License-Identifier: MIT */
/* The instruction set of a platform, from the structures EU_* and the instructions of data/isa. */
#include "eu/compact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct eu_type_row eu_types[EU_TYPES + 1] = {
	[EU_U2] = { "U2", 1 }, [EU_S2] = { "S2", 1 }, [EU_U4] = { "U4", 1 }, [EU_S4] = { "S4", 1 },
	[EU_UB] = { "UB", 1 }, [EU_B] = { "B", 1 },   [EU_UW] = { "UW", 2 }, [EU_W] = { "W", 2 },
	[EU_UD] = { "UD", 4 }, [EU_D] = { "D", 4 },   [EU_UQ] = { "UQ", 8 }, [EU_Q] = { "Q", 8 },
	[EU_BF8] = { "BF8", 1 }, [EU_HF] = { "HF", 2 }, [EU_BF] = { "BF", 2 },
	[EU_TF32] = { "TF32", 4 }, [EU_F] = { "F", 4 }, [EU_DF] = { "DF", 8 },
	[EU_NF] = { "NF", 8 }, [EU_V] = { "V", 2 },   [EU_UV] = { "UV", 2 }, [EU_VF] = { "VF", 4 },
	[EU_TYPES] = { "", 1 },
};

/* Without pointers, which would have to be relocated. */
static const struct { char structure[28], name[36]; } field_names[EU_FIELD_COUNT] = {
#define FIELD(structure, name) { "EU_" #structure, #name },
	EU_FIELDS(FIELD)
#undef FIELD
};

/* ---- words ----------------------------------------------------------------------------------- */

static int16_t word_number(const char *name)
{
	static const char *const files[EU_FILES] = { "arf", "grf", "mrf", "imm" };
	char *end;
	long number = strtol(name, &end, 10);

	if (!*end && end != name && number <= INT16_MAX)
		return (int16_t)number;
	if (!strcmp(name, "VxH"))
		return EU_VXH;
	for (int16_t i = 0; i < EU_FILES; i++)
		if (!strcmp(name, files[i]))
			return i;
	for (int16_t i = 0; i < EU_TYPES; i++)
		if (!strcmp(name, eu_types[i].name))
			return i;
	return -1;
}

/* The names of a field's values, in a table by value. */
static bool add_words(struct eu_isa *isa, struct eu_slot *slot, const struct gsc_field_iter *it)
{
	struct eu_word *words, **kept;
	struct gsc_value value;
	unsigned count = 0;

	for (size_t i = 0; gsc_field_value(it, i, &value); i++)
		count = MAX(count, (unsigned)MIN(value.hi, 255) + 1);
	if (!count)
		return true;
	words = calloc(count, sizeof(*words));
	kept = words ? vec_add(&isa->words) : NULL;
	if (!kept) {
		free(words);
		return false;
	}
	*kept = words;
	for (size_t i = 0; gsc_field_value(it, i, &value); i++)
		for (uint64_t v = value.lo; v <= value.hi && v < count; v++)
			words[v] = (struct eu_word){ value.name, word_number(value.name) };
	slot->words = words;
	slot->values = (uint16_t)count;
	return true;
}

const struct eu_word *eu_word(const struct eu_isa *isa, enum eu_field field, uint64_t value)
{
	const struct eu_slot *slot = &isa->slot[field];

	return value < slot->values && slot->words[value].name ? &slot->words[value] : NULL;
}

int eu_number(const struct eu_isa *isa, const struct eu_raw *raw, enum eu_field field)
{
	const struct eu_word *word = eu_word(isa, field, eu_get(isa, raw, field));

	return word ? word->number : -1;
}

const char *eu_name(const struct eu_isa *isa, const struct eu_raw *raw, enum eu_field field)
{
	const struct eu_word *word = eu_word(isa, field, eu_get(isa, raw, field));

	return word ? word->name : NULL;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Its place, if this part is all of it. */
static void place(struct eu_slot *slot, unsigned part)
{
	unsigned at = slot->part[part].at, width = slot->part[part].width;

	slot->several = part || slot->part[part].shift || (at & 63) + width > 64;
	slot->half = at >> 6 & 1;
	slot->lo = at & 63;
	slot->mask = slot->several ? 0 : UINT64_MAX >> (64 - width);
}

/* A field of that name, or a part of a quantity of that name. */
static bool add_part(struct eu_isa *isa, enum eu_field field, const struct gsc_field *f,
		     const struct gsc_form *form, const struct gsc_field_iter *it)
{
	struct eu_slot *slot = &isa->slot[field];
	bool joins = form->join && !strcmp(form->join, field_names[field].name);

	if ((!joins && strcmp(f->name, field_names[field].name)) || slot->count == EU_PARTS)
		return true;
	slot->part[slot->count].at = (uint8_t)(f->dword * 32 + f->lo);
	slot->part[slot->count].width = (uint8_t)(f->hi - f->lo + 1);
	slot->part[slot->count].shift = (uint8_t)form->shift;
	place(slot, slot->count++);
	return add_words(isa, slot, it);
}

static bool load_structure(struct eu_isa *isa, const struct gsc_db *db,
			   const struct gsc_item *item)
{
	struct gsc_field_iter it;
	struct gsc_field f;
	struct gsc_form form;

	/* Without a view no value of a field rules others out. */
	gsc_item_fields(db, NULL, item, NULL, 0, &it);
	while (gsc_field_next(&it, &f)) {
		if (!gsc_view_sees(isa->view, f.platforms, &f.revisions))
			continue;
		gsc_field_form(&it, &form);
		for (unsigned i = 0; i < EU_FIELD_COUNT; i++)
			if (!strcmp(field_names[i].structure, item->name) &&
			    !add_part(isa, (enum eu_field)i, &f, &form, &it))
				return false;
	}
	return true;
}

static void load_instruction(struct eu_isa *isa, const struct gsc_item *item)
{
	struct eu_opcode *opcode = &isa->opcode[item->opcode & 127];

	*opcode = (struct eu_opcode){ .name = item->name, .def = item->def,
				      .sources = (uint8_t)item->sources };
	for (uint8_t i = 0; i < EU_FORMS; i++)
		if (!strcmp(item->form, eu_form_words[i]))
			opcode->form = i;
	isa->known = true;
}

bool eu_applies(const struct gsc_view *view, const struct gsc_item *item)
{
	bool by_name = item->kind != GSC_INSTRUCTION;
	struct gsc_item own;

	if (!gsc_view_sees(view, item->platforms, &item->revisions))
		return false;
	if (item->flags & GSC_REG_USER)
		return true;
	/* The user's come first. */
	for (size_t i = 0; gsc_item_at(view->db, item->kind, i, &own) && own.flags & GSC_REG_USER;
	     i++)
		if ((by_name ? !strcmp(own.name, item->name) : own.opcode == item->opcode) &&
		    gsc_view_sees(view, own.platforms, &own.revisions))
			return false;
	return true;
}

static bool load(struct eu_isa *isa, const struct gsc_db *db)
{
	struct gsc_item item;

	for (size_t i = 0; gsc_item_at(db, GSC_STRUCTURE, i, &item); i++)
		if (!strncmp(item.name, "EU_", 3) &&
		    eu_applies(isa->view, &item) &&
		    (!load_structure(isa, db, &item) || !eu_load_compact(isa, db, &item)))
			return false;
	for (size_t i = 0; gsc_item_at(db, GSC_INSTRUCTION, i, &item); i++)
		if (eu_applies(isa->view, &item))
			load_instruction(isa, &item);
	eu_load_messages(isa, db);
	return true;
}

enum gsc_status eu_isa_open(const struct gsc_view *view, struct eu_isa **isa,
			    struct gsc_error *err)
{
	struct eu_isa *made = calloc(1, sizeof(*made));

	*isa = made;
	if (!made)
		return err_memory(err);
	made->view = view;
	if (load(made, view->db))
		return GSC_OK;
	eu_isa_free(made);
	*isa = NULL;
	return err_memory(err);
}

void eu_isa_free(struct eu_isa *isa)
{
	if (!isa)
		return;
	for (size_t i = 0; i < isa->words.count; i++)
		free(isa->words.items[i]);
	vec_free(&isa->words);
	for (unsigned i = 0; i < EU_FORMS; i++)
		free(isa->compact[i]);
	free(isa);
}
