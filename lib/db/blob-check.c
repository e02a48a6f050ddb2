/* SPDX-License-Identifier: MIT */
/*
 * Could our compiler have made a blob? It comes from a process that compiled a stranger's text, and
 * all that is looked up in it later is trusted: every text, index and run of records stays within
 * its section, and every number that something is divided, shifted or indexed by is one that the
 * language allows. Most of that is the table of rules; the rest is below it.
 */
#include "db/db.h"
#include "db/message.h"

#include <string.h>

#define SECTION_TYPE(id, type) typedef type record_##id;
BLOB_SECTIONS(SECTION_TYPE)

static const uint16_t record_sizes[B_SECTIONS] = {
#define SECTION_SIZE(id, type) sizeof(type),
	BLOB_SECTIONS(SECTION_SIZE)
};

/*
 * A member of each record of a section. RULE_RUN: `most` is the section into which it points, and
 * another member counts its records; the others point to one. Of RULE_MOST it is the largest value.
 */
struct rule {
	enum { RULE_INDEX, RULE_FROM_1, RULE_OR_NONE, RULE_RUN, RULE_MOST, RULE_NOT_0 } kind;
	uint32_t most;
	uint8_t section, size, count_size;
	uint16_t offset, count_offset;
};

#define MEMBER(id, member) sizeof(((record_##id *)0)->member), 0, offsetof(record_##id, member), 0
#define TEXT(id, member) { RULE_INDEX, B_STRINGS, B_##id, MEMBER(id, member) }
#define INDEX(id, member, to) { RULE_INDEX, B_##to, B_##id, MEMBER(id, member) }
#define FROM_1(id, member, to) { RULE_FROM_1, B_##to, B_##id, MEMBER(id, member) }
#define OR_NONE(id, member, to) { RULE_OR_NONE, B_##to, B_##id, MEMBER(id, member) }
#define MOST(id, member, most) { RULE_MOST, most, B_##id, MEMBER(id, member) }
#define NOT_0(id, member) { RULE_NOT_0, 0, B_##id, MEMBER(id, member) }
#define RUN(id, first, count, to)                                                                  \
	{ RULE_RUN, B_##to, B_##id, sizeof(((record_##id *)0)->first),                             \
	  sizeof(((record_##id *)0)->count), offsetof(record_##id, first),                         \
	  offsetof(record_##id, count) }
#define SLICE(id, member, to) RUN(id, member.first, member.count, to)
#define DEFINED(id)                                                                                \
	TEXT(id, name), TEXT(id, doc), TEXT(id, file), OR_NONE(id, origin, ORIGINS),               \
		SLICE(id, fields, FIELDS), SLICE(id, aliases, ALIASES)

static const struct rule rules[] = {
	TEXT(DOCUMENTS, key), TEXT(DOCUMENTS, title),
	INDEX(ORIGINS, document, DOCUMENTS), TEXT(ORIGINS, section),
	TEXT(GROUPS, name), TEXT(GROUPS, title),
	TEXT(ENUMS, name), INDEX(ENUMS, values, VALUE_LISTS),
	TEXT(VALUES, name), TEXT(VALUES, doc), TEXT(WIDE_VALUES, name), TEXT(WIDE_VALUES, doc),
	TEXT(FORMS, unit), TEXT(FORMS, join), TEXT(FORMS, target), TEXT(FORMS, to),
	TEXT(FORMS, when_list), FROM_1(FORMS, pointer, POINTERS), NOT_0(FORMS, divide),
	MOST(FORMS, type, F_ADDRESS), MOST(FORMS, addr, A_SPACES - 1), MOST(FORMS, shift, 63),
	MOST(FORMS, fraction, 63), MOST(FORMS, when_not, 1),
	TEXT(FIELDS, name), TEXT(FIELDS, doc), INDEX(FIELDS, where, WHERES),
	INDEX(FIELDS, form, FORMS), INDEX(FIELDS, values, VALUE_LISTS), MOST(FIELDS, hi, 4095),
	TEXT(POINTERS, if_field), TEXT(POINTERS, end_field), TEXT(POINTERS, count.field),
	TEXT(POINTERS, most.field), MOST(POINTERS, base, BASES - 1),
	TEXT(REPEATS, name), SLICE(REPEATS, fields, FIELDS), NOT_0(REPEATS, size),
	MOST(REPEATS, kind, REPEAT_FIELD), MOST(REPEATS, count, UINT16_MAX),
	TEXT(HAZARDS, why),
	INDEX(PLACES, where, WHERES), MOST(PLACES, count, 4096), MOST(PLACES, engines, 63),
	TEXT(TRAITS, file), OR_NONE(TRAITS, group, GROUPS), SLICE(TRAITS, hazards, HAZARDS),
	TEXT(REGS, name), TEXT(REGS, doc), RUN(REGS, fields, field_count, FIELDS),
	RUN(REGS, places, place_count, PLACES), RUN(REGS, aliases, alias_count, ALIASES),
	INDEX(REGS, where, WHERES), INDEX(REGS, traits, TRAITS), FROM_1(REGS, origin, ORIGINS),
	TEXT(ALIASES, name), INDEX(ALIASES, where, WHERES),
	TEXT(PRINTS, key), INDEX(PRINTS, item, REGS), INDEX(PRINTS, where, WHERES),
	TEXT(RANGES, kind), TEXT(RANGES, why), TEXT(RANGES, file), MOST(RANGES, wake, 0),
	OR_NONE(RANGES, origin, ORIGINS), MOST(RANGES, use, RANGE_OWNED),
	DEFINED(COMMANDS), SLICE(COMMANDS, expects, EXPECTS), SLICE(COMMANDS, repeats, REPEATS),
	MOST(COMMANDS, length_kind, LENGTH_FIELD), MOST(COMMANDS, length, UINT16_MAX),
	MOST(COMMANDS, length_hi, 31), MOST(COMMANDS, length_lo, 31), MOST(COMMANDS, engines, 63),
	MOST(EXPECTS, hi, UINT16_MAX),
	DEFINED(STRUCTS), SLICE(STRUCTS, repeats, REPEATS), NOT_0(STRUCTS, bytes),
	DEFINED(ENTRIES), TEXT(ENTRIES, modes), TEXT(ENTRIES, level), TEXT(ENTRIES, leaf_as),
	TEXT(ENTRIES, next[0].level), TEXT(ENTRIES, next[1].level), TEXT(ENTRIES, next[2].level),
	MOST(ENTRIES, bits, 512), MOST(ENTRIES, index_every, 512),
	MOST(ENTRIES, leaf_kind, LEAF_FIELD), MOST(ENTRIES, index_hi, 4095),
	MOST(ENTRIES, index_lo, 4095),
	DEFINED(INSTRUCTIONS), MOST(INSTRUCTIONS, form, EU_FORMS - 1),
	MOST(INSTRUCTIONS, sources, 3),
	TEXT(FACTS, modes), TEXT(FACTS, levels), TEXT(FACTS, text), TEXT(FACTS, file),
	TEXT(FACTS, condition), TEXT(FACTS, when[0].field), TEXT(FACTS, when[1].field),
	OR_NONE(FACTS, origin, ORIGINS), MOST(FACTS, about, ABOUTS - 1),
	DEFINED(WORKAROUNDS), TEXT(WORKAROUNDS, reg),
	MOST(WORKAROUNDS, when, WORKAROUND_KINDS - 1), MOST(WORKAROUNDS, unchecked, 1),
	MOST(WORKAROUNDS, engines, 63),
	DEFINED(TOPICS), TEXT(NOTES, text), TEXT(NOTES, file),
	TEXT(CACHES, name), TEXT(CACHES, title), TEXT(CACHES, text), TEXT(CACHES, file),
	TEXT(CACHES, modes), TEXT(CACHES, levels), TEXT(CACHES, client), TEXT(CACHES, takes),
	OR_NONE(CACHES, origin, ORIGINS), MOST(CACHES, engines, 63), MOST(CACHES, kind, BY_EVENT),
	TEXT(MESSAGES, words), TEXT(MESSAGES, text), TEXT(MESSAGES, type), TEXT(MESSAGES, driver),
	TEXT(MESSAGES, after),
	TEXT(MESSAGES, file), OR_NONE(MESSAGES, origin, ORIGINS),
	MOST(MESSAGES, use, MESSAGE_USES - 1), MOST(MESSAGES, kind, GSC_EVENT_KINDS - 1),
	MOST(MESSAGES, rank, GSC_EVENT_RANKS - 1), MOST(MESSAGES, handler, ON_HANDLERS - 1),
	TEXT(KNOWNS, name), TEXT(KNOWNS, title), TEXT(KNOWNS, file), TEXT(KNOWNS, is[0]),
	TEXT(KNOWNS, is[1]), TEXT(KNOWNS, is[2]), TEXT(KNOWNS, is[3]), TEXT(KNOWNS, is[4]),
	TEXT(KNOWNS, is[5]), TEXT(KNOWNS, is[6]), TEXT(KNOWNS, is[7]), TEXT(KNOWNS, is[8]),
	OR_NONE(KNOWNS, origin, ORIGINS),
	TEXT(FIRMWARES, name), TEXT(FIRMWARES, text), TEXT(FIRMWARES, file),
	TEXT(FIRMWARES, driver), TEXT(FIRMWARES, wants), TEXT(FIRMWARES, least),
	TEXT(FIRMWARES, kernel), OR_NONE(FIRMWARES, origin, ORIGINS),
	MOST(FIRMWARES, kind, FIRMWARE_PACKAGE),
	TEXT(NAMES, name),
	MOST(OWNERS, class, ENGINE_CLASSES), MOST(OWNERS, instance, ENGINE_LAST),
	INDEX(INSTS, reg, REGS), INDEX(INSTS, engine, OWNERS), MOST(INSTS, space, GSC_SIDEBAND),
};

static uint64_t number_at(const uint8_t *record, uint16_t offset, uint8_t size)
{
	uint64_t number = 0;

	memcpy(&number, record + offset, size);
	return number;
}

static bool rule_holds(const struct layer *l, const struct rule *rule, const uint8_t *record)
{
	uint64_t value = number_at(record, rule->offset, rule->size), room;

	if (rule->kind == RULE_MOST)
		return value <= rule->most;
	if (rule->kind == RULE_NOT_0)
		return value;
	room = layer_count(l, (enum blob_section)rule->most);
	if (rule->kind == RULE_RUN)
		return value + number_at(record, rule->count_offset, rule->count_size) <= room;
	if (rule->kind == RULE_FROM_1)
		return value <= room;
	return value < room || (rule->kind == RULE_OR_NONE && value == NONE);
}

/* ---- what no single member shows ------------------------------------------------------------ */

static bool sections_fit(const struct layer *l, size_t size)
{
	const struct blob_header *header = l->header;
	const char *strings;

	if (size < sizeof(*header) || header->magic != BLOB_MAGIC ||
	    header->version != BLOB_VERSION || header->size != size)
		return false;
	for (unsigned i = 0; i < B_SECTIONS; i++) {
		uint64_t bytes = (uint64_t)header->section[i].count * record_sizes[i];

		if (header->section[i].offset % 8 || header->section[i].offset > size ||
		    bytes > size - header->section[i].offset ||
		    (i >= B_ENGINE_ROWS && i <= B_PROPERTIES && bytes))
			return false;
	}
	/* The first text is "", and none goes on behind the section. */
	strings = layer_text(l, 0);
	return layer_count(l, B_STRINGS) && !*strings && !strings[layer_count(l, B_STRINGS) - 1];
}

/* Lists of values, the bits of fields, and the registers, which have members of some bits. */
static bool bits_hold(const struct layer *l)
{
	bool hold = layer_count(l, B_VALUE_LISTS);

	for (uint32_t i = 0; i < layer_count(l, B_VALUE_LISTS); i++) {
		const struct c_values *list = layer_values(l, i);

		hold &= (uint64_t)list->first + list->count <=
			layer_count(l, list->wide ? B_WIDE_VALUES : B_VALUES);
	}
	for (uint32_t i = 0; i < layer_count(l, B_FIELDS); i++) {
		const struct c_field *f = LAYER_ITEM(l, B_FIELDS, struct c_field, i);

		hold &= f->lo <= f->hi && f->hi - f->lo < 64;
	}
	for (uint32_t i = 0; i < layer_count(l, B_PLACES); i++)
		hold &= LAYER_ITEM(l, B_PLACES, struct c_place, i)->space <= GSC_SIDEBAND;
	for (uint32_t i = 0; i < layer_count(l, B_TRAITS); i++) {
		unsigned bits = LAYER_ITEM(l, B_TRAITS, struct c_traits, i)->bits;

		hold &= bits == 8 || bits == 16 || bits == 32 || bits == 64;
	}
	for (uint32_t i = 0; i < layer_count(l, B_COMMANDS); i++) {
		const struct b_command *c = LAYER_ITEM(l, B_COMMANDS, struct b_command, i);

		hold &= c->length_lo <= c->length_hi;
	}
	return hold;
}

/* Conditions count the fields of their item. Shared runs are walked again: not without end. */
static bool conditions_hold(const struct layer *l, uint32_t first, uint32_t count, size_t *left)
{
	bool hold = *left >= count;

	*left -= hold ? count : 0;
	for (uint32_t i = 0; hold && i < count; i++) {
		uint32_t when = field_form(l, LAYER_ITEM(l, B_FIELDS, struct c_field,
							 first + i))->when_field;

		hold = when < count || when == NONE;
	}
	return hold;
}

static bool repeats_hold(const struct layer *l, struct b_slice fields, struct b_slice repeats,
			 size_t *left)
{
	bool hold = conditions_hold(l, fields.first, fields.count, left) &&
		    *left >= repeats.count;

	*left -= hold ? repeats.count : 0;
	for (uint32_t i = 0; hold && i < repeats.count; i++) {
		const struct b_repeat *r = LAYER_ITEM(l, B_REPEATS, struct b_repeat,
						      repeats.first + i);

		hold = (r->kind != REPEAT_FIELD || r->count < fields.count) &&
		       conditions_hold(l, r->fields.first, r->fields.count, left);
	}
	return hold;
}

static bool entry_holds(const struct layer *l, const struct b_entry *e, size_t *left)
{
	const uint32_t fields[] = { e->valid_field, e->leaf_field, e->next[0].field,
				    e->next[1].field, e->next[2].field };
	bool hold = conditions_hold(l, e->fields.first, e->fields.count, left) &&
		    (e->leaf_kind != LEAF_FIELD || e->leaf_field != NONE);

	/* Where there is no next level its field is 0. */
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		hold &= fields[i] < e->fields.count || fields[i] == NONE ||
			(i >= 2 && !e->next[i - 2].level);
	return hold;
}

/* All steps together: far more than what a file of definitions needs. */
#define STEPS_MAX (1u << 26)

static bool items_hold(const struct layer *l)
{
	/* Where the fields and the repeated groups are in the records of a section. */
	static const struct {
		enum blob_section section;
		size_t fields, repeats;		/* repeats 0: these have none */
	} items[] = {
#define ITEM(id, repeats) { B_##id, offsetof(record_##id, fields), repeats }
		ITEM(COMMANDS, offsetof(record_COMMANDS, repeats)),
		ITEM(STRUCTS, offsetof(record_STRUCTS, repeats)), ITEM(INSTRUCTIONS, 0),
	};
	static const struct b_slice none;
	size_t left = STEPS_MAX;
	bool hold = true;

	for (uint32_t i = 0; hold && i < layer_count(l, B_REGS); i++) {
		const struct c_reg *reg = LAYER_ITEM(l, B_REGS, struct c_reg, i);

		hold = conditions_hold(l, reg->fields, reg->field_count, &left);
	}
	for (size_t k = 0; k < ARRAY_SIZE(items); k++) {
		const uint8_t *record = layer_section(l, items[k].section);

		for (uint32_t i = 0; hold && i < layer_count(l, items[k].section); i++) {
			struct b_slice fields, repeats = none;

			memcpy(&fields, record + items[k].fields, sizeof(fields));
			if (items[k].repeats)
				memcpy(&repeats, record + items[k].repeats, sizeof(repeats));
			hold = repeats_hold(l, fields, repeats, &left);
			record += record_sizes[items[k].section];
		}
	}
	for (uint32_t i = 0; hold && i < layer_count(l, B_ENTRIES); i++)
		hold = entry_holds(l, LAYER_ITEM(l, B_ENTRIES, struct b_entry, i), &left);
	return hold;
}

/* Names count all items, and after them the aliases; each alias belongs to an item. */
static bool names_hold(const struct layer *l)
{
	static const enum blob_section kinds[] = {
		[ITEM_REG] = B_REGS, [ITEM_COMMAND] = B_COMMANDS, [ITEM_STRUCT] = B_STRUCTS,
		[ITEM_ENTRY] = B_ENTRIES, [ITEM_INSTRUCTION] = B_INSTRUCTIONS,
		[ITEM_TOPIC] = B_TOPICS, [ITEM_WORKAROUND] = B_WORKAROUNDS,
	};
	uint64_t all = layer_count(l, B_ALIASES);
	bool hold = true;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		all += layer_count(l, kinds[i]);
		hold &= layer_count(l, kinds[i]) <= 0xffffff;
	}
	for (uint32_t i = 0; i < layer_count(l, B_NAMES); i++)
		hold &= LAYER_ITEM(l, B_NAMES, struct c_name, i)->of < all;
	for (uint32_t i = 0; i < layer_count(l, B_ALIASES); i++) {
		const struct c_alias *alias = LAYER_ITEM(l, B_ALIASES, struct c_alias, i);

		hold = hold && alias->kind < ARRAY_SIZE(kinds) &&
		       alias->item < layer_count(l, kinds[alias->kind]);
	}
	return hold;
}

/* A bit for each instance and platform, and none behind the last instance. */
static bool views_hold(const struct layer *l, unsigned platforms)
{
	uint64_t count = layer_count(l, B_INSTS), words = (count + 63) / 64;
	uint64_t rest = count % 64 ? UINT64_MAX << count % 64 : 0;
	bool hold = layer_count(l, B_VIEWS) == words * platforms;

	for (unsigned i = 0; hold && words && i < platforms; i++)
		hold = !(*LAYER_ITEM(l, B_VIEWS, uint64_t, (i + 1) * words - 1) & rest);
	return hold;
}

/*
 * The words that are looked for in logs are neither too short nor too long for that; the index
 * leads to messages, from one to later ones, and always onwards in a text.
 */
static bool messages_hold(const struct layer *l)
{
	uint32_t count = layer_count(l, B_MESSAGES), pairs = layer_count(l, B_MESSAGE_INDEX);
	bool hold = pairs == (count ? MESSAGE_PAIRS : 0);

	for (uint32_t i = 0; i < count; i++) {
		const struct b_message *m = LAYER_ITEM(l, B_MESSAGES, struct b_message, i);
		size_t length = strlen(layer_text(l, m->words));

		hold &= length >= MESSAGE_SHORTEST && length <= MESSAGE_LONGEST &&
			(!m->next || (m->next > i && m->next < count));
	}
	for (uint32_t i = 0; i < pairs; i++) {
		uint16_t step = *LAYER_ITEM(l, B_MESSAGE_INDEX, uint16_t, i);

		hold &= step && step < MESSAGE_SHORTEST + count;
	}
	return hold;
}

bool blob_is_sound(const void *blob, size_t size, unsigned platforms)
{
	const struct layer l = { blob };

	if (!sections_fit(&l, size))
		return false;
	for (size_t r = 0; r < ARRAY_SIZE(rules); r++) {
		enum blob_section section = (enum blob_section)rules[r].section;
		const uint8_t *records = layer_section(&l, section);

		for (uint32_t i = 0; i < layer_count(&l, section); i++)
			if (!rule_holds(&l, &rules[r], records + i * record_sizes[section]))
				return false;
	}
	return bits_hold(&l) && items_hold(&l) && names_hold(&l) &&
	       views_hold(&l, platforms) && messages_hold(&l);
}
