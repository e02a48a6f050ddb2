/* SPDX-License-Identifier: MIT */
/* The instruction set of a platform, from the structures EU_* and the instructions of data/isa. */
#include "db/view.h"
#include "eu/eu.h"

const struct eu_type_row eu_types[EU_TYPES + 1] = {
#define TYPE(name, size) [EU_##name] = { #name, sizeof(#name) - 1, size }
	TYPE(U2, 1), TYPE(S2, 1), TYPE(U4, 1), TYPE(S4, 1),
	TYPE(UB, 1), TYPE(B, 1), TYPE(UW, 2), TYPE(W, 2), TYPE(UD, 4), TYPE(D, 4), TYPE(UQ, 8),
	TYPE(Q, 8), TYPE(BF8, 1), TYPE(HF8, 1), TYPE(HF, 2), TYPE(BF, 2), TYPE(TF32, 4),
	TYPE(F, 4), TYPE(DF, 8), TYPE(E2M1, 1),
	TYPE(NF, 4), TYPE(V, 2), TYPE(UV, 2), TYPE(VF, 4),
#undef TYPE
	[EU_TYPES] = { "", 0, 1 },
};

/* Without pointers, which would need relocation. */
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

/* ---- fields ---------------------------------------------------------------------------------- */

/* A field of that name, or a part of a quantity of that name. */
static bool add_part(struct eu_isa *isa, enum eu_field field, const struct gsc_field *f,
		     const struct gsc_form *form, const struct gsc_field_iter *it)
{
	struct eu_slot *slot = &isa->slot[field];
	bool joins = form->join && !strcmp(form->join, field_names[field].name);
	const unsigned part = slot->count, at = f->dword * 32 + f->lo, width = f->hi - f->lo + 1;
	struct eu_word *words, **kept;
	struct gsc_value value;
	unsigned count = 0;

	if ((!joins && strcmp(f->name, field_names[field].name)) || part == EU_PARTS)
		return true;
	slot->part[part].at = (uint8_t)at;
	slot->part[part].width = (uint8_t)width;
	slot->part[part].shift = (uint8_t)form->shift;
	slot->count++;
	/* Its place, if this part is all of it. */
	slot->several = part || form->shift || (at & 63) + width > 64;
	slot->half = at >> 6 & 1;
	slot->lo = at & 63;
	slot->mask = slot->several ? 0 : UINT64_MAX >> (64 - width);
	/* The names of a field's values, in a table by value. */
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
			words[v] = (struct eu_word){ value.name, (uint16_t)strlen(value.name),
						     word_number(value.name) };
	slot->words = words;
	slot->values = (uint16_t)count;
	return true;
}

static bool load_structure(struct eu_isa *isa, const struct gsc_db *db, const struct gsc_item *item)
{
	struct gsc_field_iter it;
	struct gsc_field f;
	struct gsc_form form;

	/* Without a view no value of a field excludes others. */
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

/* ---- compacted instructions: what the data says ---------------------------------------------- */

/*
 * Compacted instructions: 8 bytes, some of whose fields are indices into tables of bits that often
 * occur together. The structures EU_COMPACT* have the fields and, with to=, where their bits or the
 * table's go.
 */
#define EU_COMPACT_FIELDS 20
#define EU_COMPACT_PIECES 64
#define EU_TABLE 64

/* Bits of a value, from its highest on, and where they go. */
struct eu_piece { uint8_t at, width; };

struct eu_compact {
	unsigned fields, pieces;
	struct {
		uint8_t at, width;	/* in the compacted instruction */
		uint8_t first, pieces;	/* where the field, or what the table has for it, goes */
		uint8_t bits;		/* of all pieces */
		bool table, immediate, second;	/* second: of source 1, if that is no immediate */
		uint64_t value[EU_TABLE];
	} field[EU_COMPACT_FIELDS];
	struct eu_piece piece[EU_COMPACT_PIECES];
};

/* "33:31,8": the pieces where a field's bits go. */
static bool add_pieces(struct eu_compact *c, unsigned field, const char *to)
{
	c->field[field].first = (uint8_t)c->pieces;
	while (*to) {
		char *end;
		unsigned hi = (unsigned)strtoul(to, &end, 10), lo = hi;

		if (*end == ':')
			lo = (unsigned)strtoul(end + 1, &end, 10);
		if (c->pieces == EU_COMPACT_PIECES || hi > 127 || lo > hi)
			return false;
		c->piece[c->pieces++] = (struct eu_piece){ (uint8_t)lo, (uint8_t)(hi - lo + 1) };
		c->field[field].pieces++;
		c->field[field].bits = (uint8_t)(c->field[field].bits + hi - lo + 1);
		to = *end == ',' ? end + 1 : end;
	}
	return true;
}

static void add_compact(struct eu_compact *c, const struct gsc_field *f,
			const struct gsc_form *form, const struct gsc_field_iter *it)
{
	const unsigned field = c->fields;
	struct gsc_value value;

	if (!form->to || field == EU_COMPACT_FIELDS || !add_pieces(c, field, form->to))
		return;
	c->field[field].at = (uint8_t)(f->dword * 32 + f->lo);
	c->field[field].width = (uint8_t)(f->hi - f->lo + 1);
	c->field[field].immediate = !strncmp(f->name, "IMMEDIATE", 9);
	c->field[field].second = !strncmp(f->name, "SOURCE1", 7);
	for (size_t i = 0; gsc_field_value(it, i, &value); i++) {
		c->field[field].table = true;
		if (value.lo < EU_TABLE)
			c->field[field].value[value.lo] = strtoull(value.name, NULL, 0);
	}
	c->fields++;
}

/* If a structure is EU_COMPACT_..., loads what it says. False: memory is out. */
static bool load_compact(struct eu_isa *isa, const struct gsc_db *db, const struct gsc_item *item)
{
	static const struct { const char *name; unsigned layout; } structures[] = {
		{ "EU_COMPACT", EU_BASIC },
		{ "EU_COMPACT_THREE", EU_THREE },
		{ "EU_COMPACT_DPAS", EU_DPAS },
		{ "EU_COMPACT_ONE", EU_ONE_SOURCE },
	};
	struct gsc_field_iter it;
	struct gsc_field f;
	struct gsc_form form;

	for (size_t i = 0; i < ARRAY_SIZE(structures); i++) {
		struct eu_compact *c;

		if (strcmp(item->name, structures[i].name))
			continue;
		c = calloc(1, sizeof(*c));
		if (!c)
			return false;
		free(isa->compact[structures[i].layout]);
		isa->compact[structures[i].layout] = c;
		gsc_item_fields(db, NULL, item, NULL, 0, &it);
		while (gsc_field_next(&it, &f)) {
			gsc_field_form(&it, &form);
			if (gsc_view_sees(isa->view, f.platforms, &f.revisions))
				add_compact(c, &f, &form, &it);
		}
	}
	return true;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static const struct { char name[8]; uint16_t traits, function; } traits[] = {
	{ "not", EU_LOGIC },	    { "and", EU_LOGIC },     { "or", EU_LOGIC },
	{ "xor", EU_LOGIC },	    { "sel", EU_KEEPS_FLAGS }, { "csel", EU_KEEPS_FLAGS },
	{ "if", EU_KEEPS_FLAGS },   { "while", EU_KEEPS_FLAGS },
	{ "jmpi", EU_JUMPS | EU_TARGET | EU_ALONE },
	{ "dim", EU_DOUBLE },	    { "bfn", EU_TABLE_OF_BITS }, { "brd", EU_TARGET },
	{ "brc", EU_TARGET },	    { "call", EU_CALLS | EU_TARGET },
	{ "calla", EU_CALLS | EU_NO_LABEL }, { "ret", EU_NO_LABEL },
	{ "madm", EU_MACRO },	    { "illegal", EU_ALONE }, { "wait", EU_WAITS | EU_ALONE },
	{ "movi", EU_INDEXES },	    { "dnscl", EU_CONVERTS },
	{ "shfl", EU_FUNCTION, EU_SHFL_FUNCTION }, { "lfsr", EU_FUNCTION, EU_LFSR_FUNCTION },
};

static void load_instruction(struct eu_isa *isa, const struct gsc_item *item)
{
	struct eu_opcode *opcode = &isa->opcode[item->opcode & 127];

	*opcode = (struct eu_opcode){ .name = item->name, .def = item->def,
				      .sources = (uint8_t)item->sources,
				      .length = (uint8_t)MIN(strlen(item->name), UINT8_MAX) };
	for (uint8_t i = 0; i < EU_FORMS; i++)
		if (!strcmp(item->form, eu_form_words[i]))
			opcode->form = i;
	for (size_t i = 0; i < ARRAY_SIZE(traits); i++)
		if (!strcmp(item->name, traits[i].name)) {
			opcode->traits = traits[i].traits;
			opcode->function = traits[i].function;
		}
	/* From Gen12 on jmpi is encoded as the other jumps are. */
	if (opcode->form == EU_BRANCH)
		opcode->traits &= (uint16_t)~EU_JUMPS;
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

enum gsc_status eu_isa_open(const struct gsc_view *view, struct eu_isa **isa, struct gsc_error *err)
{
	struct eu_isa *made = calloc(1, sizeof(*made));
	struct gsc_item item;

	*isa = made;
	if (!made)
		return err_memory(err);
	made->view = view;
	for (size_t i = 0; gsc_item_at(view->db, GSC_STRUCTURE, i, &item); i++)
		if (!strncmp(item.name, "EU_", 3) && eu_applies(view, &item) &&
		    (!load_structure(made, view->db, &item) ||
		     !load_compact(made, view->db, &item))) {
			eu_isa_free(made);
			*isa = NULL;
			return err_memory(err);
		}
	for (size_t i = 0; gsc_item_at(view->db, GSC_INSTRUCTION, i, &item); i++)
		if (eu_applies(view, &item))
			load_instruction(made, &item);
	eu_load_messages(made, view->db);
	return GSC_OK;
}

void eu_isa_free(struct eu_isa *isa)
{
	if (!isa)
		return;
	for (size_t i = 0; i < isa->words.count; i++)
		free(isa->words.items[i]);
	vec_free(&isa->words);
	for (unsigned i = 0; i < EU_LAYOUTS; i++)
		free(isa->compact[i]);
	free(isa);
}

/* ---- expanding ------------------------------------------------------------------------------- */

static void put_field(const struct eu_compact *c, unsigned field, uint64_t compacted,
		      struct eu_raw *raw)
{
	uint64_t value = compacted >> c->field[field].at &
			 ((UINT64_C(1) << c->field[field].width) - 1);
	unsigned left = c->field[field].bits;

	if (c->field[field].table)
		value = value < EU_TABLE ? c->field[field].value[value] : 0;
	for (unsigned i = 0; i < c->field[field].pieces; i++) {
		const struct eu_piece *piece = &c->piece[c->field[field].first + i];

		uint64_t mask = piece->width == 64 ? UINT64_MAX : (UINT64_C(1) << piece->width) - 1;
		uint64_t bits;

		left -= piece->width;
		bits = value >> left & mask;
		raw->half[piece->at >> 6] |= bits << (piece->at & 63);
		if ((piece->at & 63) + piece->width > 64)
			raw->half[1] |= bits >> (64 - (piece->at & 63));
	}
}

/*
 * The immediate of a compacted instruction. Through Gen11 its 13 bits are extended; from Gen12 on
 * its 12 bits are the low ones of a whole number, or the high ones of a float.
 */
static uint32_t widen(uint32_t value, unsigned bits, enum eu_type type)
{
	uint32_t wide = value;

	if (bits && bits < 32 && value >> (bits - 1) & 1)
		wide |= ~0u << bits;

	if (bits == 13)
		return wide;
	switch (type) {
	case EU_F:
		return value << 20;
	case EU_HF:
		return value << 20 | value << 4;
	case EU_UW:
		return value << 16 | value;
	case EU_W:
		return wide << 16 | (wide & 0xffff);
	case EU_D:
		return wide;
	default:
		return value;
	}
}

bool eu_expand(const struct eu_isa *isa, uint64_t compacted, struct eu_raw *raw)
{
	const struct eu_opcode *opcode = &isa->opcode[compacted & 127];
	const bool ternary = opcode->form == EU_THREE || opcode->form == EU_DPAS;
	const struct eu_compact *c = isa->compact[opcode->form];
	unsigned bits = 0;
	uint32_t immediate = 0;
	enum eu_type type = EU_TYPES;

	if (!c)
		c = isa->compact[EU_BASIC];
	if (isa->compact[EU_ONE_SOURCE] && opcode->sources == 1)
		c = isa->compact[EU_ONE_SOURCE];
	*raw = (struct eu_raw){ { 0 } };
	if (!c || (opcode->form == EU_THREE && !isa->compact[EU_THREE]))
		return false;
	for (unsigned i = 0; i < c->fields; i++)
		if (!c->field[i].immediate && !c->field[i].second)
			put_field(c, i, compacted, raw);
	/* The type of the source that is an immediate, if one is. */
	for (unsigned i = 0; !ternary && type == EU_TYPES && i < 2; i++) {
		const struct eu_instruction in = { .isa = isa, .raw = *raw, .opcode = opcode };
		struct eu_operand o;

		eu_source(&in, i, &o);
		if (o.file == EU_IMM)
			type = (enum eu_type)o.type;
	}
	if (type == EU_TYPES) {
		for (unsigned i = 0; i < c->fields; i++)
			if (c->field[i].second)
				put_field(c, i, compacted, raw);
		return true;
	}
	/* Its parts, the highest first. */
	for (unsigned i = 0; i < c->fields; i++) {
		if (!c->field[i].immediate)
			continue;
		bits += c->field[i].width;
		immediate = immediate << c->field[i].width |
			    (uint32_t)(compacted >> c->field[i].at &
				       ((UINT64_C(1) << c->field[i].width) - 1));
	}
	raw->half[1] = (uint32_t)raw->half[1] | (uint64_t)widen(immediate, bits, type) << 32;
	return true;
}
