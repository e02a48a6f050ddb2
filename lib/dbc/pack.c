/* SPDX-License-Identifier: MIT */
/* From parsed records to the compiled form: compact records, and equal data only once. */
#include "dbc/build.h"
#include "db/db.h"

#include <string.h>

/* ---- a table of records, or of runs of them, each stored once, and found by its hash --------- */

struct pool {
	size_t size;			/* of a record, without unused bytes */
	VEC(uint8_t) bytes;
	VEC(struct b_slice) runs;
	uint32_t *slots;		/* hash of runs: places from 1 on, 0 free */
	size_t slot_count;
	bool failed;			/* memory is out */
};

static const uint8_t *run_bytes(const struct pool *p, const struct b_slice *run)
{
	return p->bytes.items + run->first * p->size;
}

static void take_slot(struct pool *p, size_t run)
{
	const struct b_slice *r = &p->runs.items[run];
	size_t at = bytes_hash(run_bytes(p, r), r->count * p->size) & (p->slot_count - 1);

	while (p->slots[at])
		at = (at + 1) & (p->slot_count - 1);
	p->slots[at] = (uint32_t)run + 1;
}

static bool pool_grow(struct pool *p)
{
	size_t want = p->slot_count ? p->slot_count * 2 : 256;
	uint32_t *slots = calloc(want, sizeof(*slots));

	if (!slots)
		return false;
	free(p->slots);
	p->slots = slots;
	p->slot_count = want;
	for (size_t i = 0; i < p->runs.count; i++)
		take_slot(p, i);
	return true;
}

static const struct b_slice *pool_find(const struct pool *p, const void *records, uint32_t count)
{
	size_t length = count * p->size;
	size_t at = bytes_hash(records, length) & (p->slot_count - 1);

	for (; p->slots[at]; at = (at + 1) & (p->slot_count - 1)) {
		const struct b_slice *run = &p->runs.items[p->slots[at] - 1];

		if (run->count == count && !memcmp(run_bytes(p, run), records, length))
			return run;
	}
	return NULL;
}

static size_t pool_count(const struct pool *p)
{
	return p->bytes.count / p->size;
}

/* The place of the first such record of a run of them; 0 if there is none. */
static uint32_t pool_add(struct pool *p, const void *records, uint32_t count)
{
	struct b_slice run = { (uint32_t)pool_count(p), count };
	size_t length = count * p->size;
	const struct b_slice *there;

	if (!count)
		return 0;
	if (p->runs.count * 2 >= p->slot_count && !pool_grow(p))
		goto fail;
	there = pool_find(p, records, count);
	if (there)
		return there->first;
	if (p->bytes.count + length > UINT32_MAX || !vec_reserve(&p->bytes, length) ||
	    !vec_reserve(&p->runs, 1))
		goto fail;
	memcpy(p->bytes.items + p->bytes.count, records, length);
	p->bytes.count += length;
	p->runs.items[p->runs.count++] = run;
	take_slot(p, p->runs.count - 1);
	return run.first;
fail:
	p->failed = true;
	return 0;
}

/* ---- the tables ----------------------------------------------------------------------------- */

/*
 * The sections: tables in which equal data is stored once, arrays of as many records as were
 * parsed, and what stays as it was parsed.
 */
#define PACK_POOLS(P)                                                                              \
	P(struct c_values, lists, VALUE_LISTS) P(struct c_value, values, VALUES)                   \
	P(struct b_value, wide_values, WIDE_VALUES) P(struct b_where, wheres, WHERES)              \
	P(struct c_form, forms, FORMS) P(struct c_field, fields, FIELDS)                           \
	P(struct c_traits, traits, TRAITS) P(struct c_owner, owners, OWNERS)
#define PACK_ARRAYS(A)                                                                             \
	A(struct c_enum, enums, enums, ENUMS) A(struct c_place, places, places, PLACES)            \
	A(struct c_reg, regs, regs, REGS) A(struct c_alias, aliases, aliases, ALIASES)             \
	A(struct c_print, prints, printed, PRINTS) A(struct c_name, names, names, NAMES)           \
	A(struct c_inst, insts, insts, INSTS) A(struct b_repeat, repeats, repeats, REPEATS)        \
	A(struct b_command, commands, commands, COMMANDS)                                          \
	A(struct b_struct, structs, structs, STRUCTS)                                              \
	A(struct b_entry, entries, entries, ENTRIES)
#define PACK_PARSED(B)                                                                             \
	B(strings, STRINGS) B(documents, DOCUMENTS) B(origins, ORIGINS)                            \
	B(engine_rows, ENGINE_ROWS) B(platforms, PLATFORMS) B(ids, IDS) B(engines, ENGINES)        \
	B(wakes, WAKES) B(steppings, STEPPINGS) B(groups, GROUPS) B(pointers, POINTERS)            \
	B(hazards, HAZARDS) B(ranges, RANGES) B(expects, EXPECTS)                                  \
	B(instructions, INSTRUCTIONS) B(facts, FACTS) B(workarounds, WORKAROUNDS) B(notes, NOTES)  \
	B(topics, TOPICS) B(caches, CACHES) B(messages, MESSAGES)                                  \
	B(message_index, MESSAGE_INDEX) B(knowns, KNOWNS) B(firmwares, FIRMWARES)

struct pack {
	const struct build *b;
#define PACK_POOL(type, name, id) struct pool name;
	PACK_POOLS(PACK_POOL)
#undef PACK_POOL
#define PACK_ARRAY(type, name, from, id) VEC(type) name;
	PACK_ARRAYS(PACK_ARRAY)
#undef PACK_ARRAY
	VEC(uint64_t) views;
	uint32_t *list_of, *fields_of;	/* of the slice that begins there, from 1 on; 0: not yet */
	bool full;			/* something has more kinds than an index can tell apart */
	bool failed;			/* memory is out */
};

/* As many zeroed records as there are of another kind. */
static void *reserve(struct pack *p, size_t count, size_t size)
{
	void *items = calloc(count ? count : 1, size);

	p->failed |= !items;
	return items;
}

static uint16_t narrow(struct pack *p, uint32_t n)
{
	p->full |= n > UINT16_MAX;
	return (uint16_t)n;
}

static uint16_t pack_where(struct pack *p, const struct b_where *where)
{
	return narrow(p, pool_add(&p->wheres, where, 1));
}

/* ---- values and fields ---------------------------------------------------------------------- */

static uint16_t pack_values(struct pack *p, struct b_slice slice)
{
	const struct b_value *values = p->b->values.items + slice.first;
	struct c_values list = { .count = slice.count };
	struct c_value *copy;

	if (!slice.count)
		return 0;
	if (p->list_of[slice.first])
		return narrow(p, p->list_of[slice.first] - 1);
	for (uint32_t i = 0; i < slice.count; i++)
		list.wide |= values[i].hi > UINT16_MAX;
	if (list.wide) {
		list.first = pool_add(&p->wide_values, values, slice.count);
	} else {
		copy = reserve(p, slice.count, sizeof(*copy));
		for (uint32_t i = 0; copy && i < slice.count; i++)
			copy[i] = (struct c_value){ values[i].name, values[i].doc,
						    (uint16_t)values[i].lo,
						    (uint16_t)values[i].hi };
		list.first = copy ? pool_add(&p->values, copy, slice.count) : 0;
		free(copy);
	}
	p->list_of[slice.first] = pool_add(&p->lists, &list, 1) + 1;
	return narrow(p, p->list_of[slice.first] - 1);
}

static struct b_slice pack_fields(struct pack *p, struct b_slice slice)
{
	const struct b_field *fields = p->b->fields.items + slice.first;
	struct c_field *copy;

	if (!slice.count)
		return (struct b_slice){ 0 };
	if (p->fields_of[slice.first])
		return (struct b_slice){ p->fields_of[slice.first] - 1, slice.count };
	copy = reserve(p, slice.count, sizeof(*copy));
	for (uint32_t i = 0; copy && i < slice.count; i++)
		copy[i] = (struct c_field){
			.name = fields[i].name,
			.doc = fields[i].doc,
			.dword = fields[i].dword,
			.hi = fields[i].hi,
			.lo = fields[i].lo,
			.where = pack_where(p, &fields[i].where),
			.form = narrow(p, pool_add(&p->forms, &fields[i].form, 1)),
			.values = pack_values(p, fields[i].values),
		};
	p->fields_of[slice.first] = copy ? pool_add(&p->fields, copy, slice.count) + 1 : 1;
	free(copy);
	return (struct b_slice){ p->fields_of[slice.first] - 1, slice.count };
}

/* ---- items ---------------------------------------------------------------------------------- */

static void pack_regs(struct pack *p)
{
	const struct build *b = p->b;

	for (size_t i = 0; i < b->regs.count; i++) {
		const struct b_reg *from = &b->regs.items[i];
		const struct b_slice fields = pack_fields(p, from->fields);

		p->regs.items[i] = (struct c_reg){
			.name = from->name,
			.doc = from->doc,
			.line = from->line,
			.element = from->element,
			.fields = fields.first,
			.places = from->places.first,
			.aliases = from->aliases.first,
			.field_count = narrow(p, fields.count),
			.place_count = narrow(p, from->places.count),
			.alias_count = narrow(p, from->aliases.count),
			.where = pack_where(p, &from->where),
			.traits = narrow(p, pool_add(&p->traits, &from->traits, 1)),
			.origin = from->origin == NONE ? 0 : narrow(p, from->origin + 1),
		};
	}
}

/* ---- names ---------------------------------------------------------------------------------- */

static void pack_names(struct pack *p)
{
	const struct build *b = p->b;
	const uint32_t commands = (uint32_t)b->regs.count;
	const uint32_t structs = commands + (uint32_t)b->commands.count;
	const uint32_t entries = structs + (uint32_t)b->structs.count;
	const uint32_t instructions = entries + (uint32_t)b->entries.count;
	const uint32_t topics = instructions + (uint32_t)b->instructions.count;
	const uint32_t first[] = {
		[ITEM_REG] = 0,
		[ITEM_COMMAND] = commands,
		[ITEM_STRUCT] = structs,
		[ITEM_ENTRY] = entries,
		[ITEM_INSTRUCTION] = instructions,
		[ITEM_TOPIC] = topics,
	};
	const uint32_t aliases = topics + (uint32_t)(b->topics.count + b->workarounds.count);

	for (size_t i = 0; i < b->aliases.count; i++) {
		p->aliases.items[i] = b->aliases.items[i].c;
		p->aliases.items[i].where = pack_where(p, &b->aliases.items[i].where);
	}
	for (size_t i = 0; i < b->names.count; i++) {
		const struct b_name *from = &b->names.items[i];
		struct c_name *name = &p->names.items[i];

		*name = (struct c_name){ from->name, first[from->kind] + from->item };
		if (from->alias == NONE)
			continue;
		p->aliases.items[from->alias].item = from->item & 0xffffff;
		p->aliases.items[from->alias].kind = from->kind & 0xff;
		name->of = aliases + from->alias;
	}
}

/* ---- instances ------------------------------------------------------------------------------ */

/* An instance of one platform, without what only that platform has. */
struct placed {
	uint32_t offset, reg;
	uint16_t index;
	uint8_t space, class, instance, rev_lo, rev_hi;
	uint64_t platforms;
};

static int compare_placed(const void *pa, const void *pb)
{
	const struct placed *a = pa, *b = pb;
	const uint32_t members[][2] = {
		{ a->space, b->space }, { a->offset, b->offset }, { a->reg, b->reg },
		{ a->index, b->index }, { a->class, b->class }, { a->instance, b->instance },
		{ a->rev_lo, b->rev_lo }, { a->rev_hi, b->rev_hi },
	};

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (members[i][0] != members[i][1])
			return members[i][0] < members[i][1] ? -1 : 1;
	return 0;
}

static void pack_insts(struct pack *p)
{
	const struct build *b = p->b;
	struct placed *placed = reserve(p, b->insts.count, sizeof(*placed));
	size_t count = 0, words;

	if (!placed)
		return;
	for (unsigned i = 0; i < b->views.count; i++) {
		const struct b_slice insts = b->views.items[i].insts;
		const uint32_t engines = build_platform(b, i)->engines.first;

		for (uint32_t k = insts.first; k - insts.first < insts.count; k++) {
			const struct b_inst *inst = &b->insts.items[k];
			const struct b_engine *engine = inst->engine == UINT8_MAX ? NULL :
				build_engine(b, engines + inst->engine);

			placed[k] = (struct placed){
				inst->offset, inst->reg, inst->index, inst->space,
				engine ? engine->class : ENGINE_CLASSES,
				engine ? engine->instance : 0, inst->rev_lo, inst->rev_hi,
				UINT64_C(1) << i,
			};
		}
	}
	if (b->insts.count)
		qsort(placed, b->insts.count, sizeof(*placed), compare_placed);
	/* Equal ones are merged into one for all their platforms. */
	for (size_t i = 0; i < b->insts.count; i++) {
		if (count && !compare_placed(&placed[count - 1], &placed[i]))
			placed[count - 1].platforms |= placed[i].platforms;
		else
			placed[count++] = placed[i];
	}
	p->insts.count = count;
	for (size_t i = 0; i < count; i++) {
		const struct placed *from = &placed[i];
		const struct c_owner owner = { from->rev_lo, from->rev_hi, from->class,
					       from->instance };
		const uint32_t place = pool_add(&p->owners, &owner, 1);

		p->full |= place > UINT8_MAX;
		p->insts.items[i] = (struct c_inst){
			from->offset, from->reg, from->index, (uint8_t)place, from->space,
		};
	}
	words = (count + 63) / 64;
	p->views.count = words * b->views.count;
	p->views.items = reserve(p, p->views.count, sizeof(*p->views.items));
	for (size_t i = 0; i < count && p->views.items; i++)
		for (uint64_t rest = placed[i].platforms; rest; rest &= rest - 1)
			p->views.items[(unsigned)__builtin_ctzll(rest) * words + i / 64] |=
				UINT64_C(1) << i % 64;
	free(placed);
}

/* ---- all ------------------------------------------------------------------------------------ */

struct section {
	const void *items;
	size_t count, size;
};

#define SECTION_OF(v) { (v).items, (v).count, sizeof(*(v).items) }
#define POOL_SECTION(type, name, id)                                                               \
	[B_##id] = { p->name.bytes.items, pool_count(&p->name), p->name.size },
#define ARRAY_SECTION(type, name, from, id) [B_##id] = SECTION_OF(p->name),
#define PARSED_SECTION(name, id) [B_##id] = SECTION_OF(b->name),

static void *write_blob(const struct pack *p, size_t *size)
{
	const struct build *b = p->b;
	const struct section sections[B_SECTIONS] = {
		PACK_POOLS(POOL_SECTION)
		PACK_ARRAYS(ARRAY_SECTION)
		PACK_PARSED(PARSED_SECTION)
		[B_PROPERTIES] = { b->properties, b->base ? 0 : PROPERTIES,
				   sizeof(*b->properties) },
		[B_VIEWS] = SECTION_OF(p->views),
	};
	struct blob_header header = { .magic = BLOB_MAGIC, .version = BLOB_VERSION };
	size_t at = (sizeof(header) + 7) & ~(size_t)7;
	uint8_t *bytes;

	for (int i = 0; i < B_SECTIONS; i++) {
		header.section[i].offset = (uint32_t)at;
		header.section[i].count = (uint32_t)sections[i].count;
		at += (sections[i].count * sections[i].size + 7) & ~(size_t)7;
		if (at > UINT32_MAX)
			return NULL;
	}
	header.size = (uint32_t)at;
	bytes = calloc(1, at);
	if (!bytes)
		return NULL;
	memcpy(bytes, &header, sizeof(header));
	for (int i = 0; i < B_SECTIONS; i++)
		if (sections[i].count)
			memcpy(bytes + header.section[i].offset, sections[i].items,
			       sections[i].count * sections[i].size);
	*size = at;
	return bytes;
}

static void pack_free(struct pack *p)
{
#define POOL_FREE(type, name, id)                                                                  \
	vec_free(&p->name.bytes);                                                                  \
	vec_free(&p->name.runs);                                                                   \
	free(p->name.slots);
	PACK_POOLS(POOL_FREE)
#define ARRAY_FREE(type, name, from, id) vec_free(&p->name);
	PACK_ARRAYS(ARRAY_FREE)
	vec_free(&p->views);
	free(p->list_of);
	free(p->fields_of);
}

/* There are few of these: they are stored unchanged, except for their fields. */
#define PACK_FEW(p, name)                                                                          \
	for (size_t i = 0; i < (p)->name.count; i++) {                                             \
		(p)->name.items[i] = (p)->b->name.items[i];                                        \
		(p)->name.items[i].fields = pack_fields(p, (p)->name.items[i].fields);             \
	}

static bool pack_all(struct pack *p)
{
	const struct build *b = p->b;
	const struct c_values none = { 0 };

#define POOL_SIZE(type, name, id) p->name.size = sizeof(type);
	PACK_POOLS(POOL_SIZE)
#define RESERVE(type, name, from, id)                                                              \
	p->name.items = reserve(p, b->from.count, sizeof(type));                                   \
	p->name.count = b->from.count;
	PACK_ARRAYS(RESERVE)
	pool_add(&p->lists, &none, 1);
	p->list_of = reserve(p, b->values.count, sizeof(*p->list_of));
	p->fields_of = reserve(p, b->fields.count, sizeof(*p->fields_of));
	/* Definitions are identified by 24 bits. */
	p->full |= MAX(MAX(b->regs.count, b->commands.count),
		       MAX(b->structs.count, b->entries.count)) > 0xffffff;
	if (p->failed || p->full)
		return false;
	for (size_t i = 0; i < b->enums.count; i++)
		p->enums.items[i] = (struct c_enum){ b->enums.items[i].name,
						     pack_values(p, b->enums.items[i].values) };
	for (size_t i = 0; i < b->places.count; i++) {
		p->places.items[i] = b->places.items[i].c;
		p->places.items[i].where = pack_where(p, &b->places.items[i].where);
	}
	pack_regs(p);
	PACK_FEW(p, repeats)
	PACK_FEW(p, commands)
	PACK_FEW(p, structs)
	PACK_FEW(p, entries)
	pack_names(p);
	for (size_t i = 0; i < b->printed.count; i++) {
		p->prints.items[i] = b->printed.items[i].c;
		p->prints.items[i].where = pack_where(p, &b->printed.items[i].where);
	}
	pack_insts(p);
#define POOL_FAILED(type, name, id) p->failed |= p->name.failed;
	PACK_POOLS(POOL_FAILED)
	return !p->failed && !p->full;
}

enum gsc_status build_blob(const struct build *b, void **blob, size_t *size, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct pack p = { .b = b };

	*blob = pack_all(&p) ? write_blob(&p, size) : NULL;
	if (!*blob && p.full)
		status = err_set(err, GSC_FAILED, b->file,
				 "too many different definitions for one file: divide it");
	else if (!*blob)
		status = err_memory(err);
	pack_free(&p);
	return status;
}
