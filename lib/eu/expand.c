/* SPDX-License-Identifier: MIT */
/*
 * Compacted instructions: 8 bytes, some of whose fields are indices into tables of bits that often
 * occur together. The structures EU_COMPACT* have the fields and, with to=, where their bits or the
 * table's go.
 */
#include "eu/compact.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the data says ---------------------------------------------------------------------- */

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

bool eu_load_compact(struct eu_isa *isa, const struct gsc_db *db, const struct gsc_item *item)
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
		struct eu_operand o;

		eu_source(isa, raw, i, &o);
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
