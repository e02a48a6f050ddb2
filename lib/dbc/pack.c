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

static void pool_free(struct pool *p)
{
	vec_free(&p->bytes);
	vec_free(&p->runs);
	free(p->slots);
}

/* ---- the tables ----------------------------------------------------------------------------- */

struct pack {
	const struct build *b;
	struct pool lists, values, wide_values, wheres, forms, fields, traits, owners;
	VEC(struct c_enum) enums;
	VEC(struct c_place) places;
	VEC(struct c_reg) regs;
	VEC(struct c_alias) aliases;
	VEC(struct c_print) prints;
	VEC(struct c_name) names;
	VEC(struct c_inst) insts;
	VEC(uint64_t) views;
	VEC(struct b_repeat) repeats;
	VEC(struct b_command) commands;
	VEC(struct b_struct) structs;
	VEC(struct b_entry) entries;
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

#define RESERVE(p, to, n) ((p)->to.items = reserve(p, n, sizeof(*(p)->to.items)))

static void *duplicate(struct pack *p, const void *items, size_t count, size_t size)
{
	void *copy = reserve(p, count, size);

	if (copy && count)
		memcpy(copy, items, count * size);
	return copy;
}

#define DUPLICATE(p, to)                                                                           \
	((p)->to.items = duplicate(p, (p)->b->to.items, (p)->b->to.count, sizeof(*(p)->to.items)), \
	 (p)->to.count = (p)->b->to.count)

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
	p->regs.count = b->regs.count;
}

/* ---- names ---------------------------------------------------------------------------------- */

static void pack_names(struct pack *p)
{
	const struct build *b = p->b;
	const uint32_t commands = (uint32_t)b->regs.count;
	const uint32_t structs = commands + (uint32_t)b->commands.count;
	const uint32_t entries = structs + (uint32_t)b->structs.count;
	const uint32_t instructions = entries + (uint32_t)b->entries.count;
	const uint32_t first[] = {
		[ITEM_REG] = 0,
		[ITEM_COMMAND] = commands,
		[ITEM_STRUCT] = structs,
		[ITEM_ENTRY] = entries,
		[ITEM_INSTRUCTION] = instructions,
	};
	const uint32_t aliases = instructions + (uint32_t)b->instructions.count;

	for (size_t i = 0; i < b->aliases.count; i++) {
		p->aliases.items[i] = b->aliases.items[i].c;
		p->aliases.items[i].where = pack_where(p, &b->aliases.items[i].where);
	}
	p->aliases.count = b->aliases.count;
	for (size_t i = 0; i < b->names.count; i++) {
		const struct b_name *from = &b->names.items[i];
		struct c_name *name = &p->names.items[i];

		*name = (struct c_name){ from->name, first[from->kind] + from->item };
		if (from->alias == NONE)
			continue;
		p->aliases.items[from->alias].item = from->item;
		p->aliases.items[from->alias].kind = from->kind & 3;
		name->of = aliases + from->alias;
	}
	p->names.count = b->names.count;
}

/* ---- instances ------------------------------------------------------------------------------ */

/* An instance of one platform, without what only that platform has. */
struct placed {
	uint32_t offset, reg;
	uint16_t index;
	uint8_t space, class, instance, rev_lo, rev_hi;
	uint64_t platforms;
};

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_placed(const void *pa, const void *pb)
{
	const struct placed *a = pa, *b = pb;
	const int differences[] = {
		compare_numbers(a->space, b->space), compare_numbers(a->offset, b->offset),
		compare_numbers(a->reg, b->reg),     compare_numbers(a->index, b->index),
		compare_numbers(a->class, b->class), compare_numbers(a->instance, b->instance),
		compare_numbers(a->rev_lo, b->rev_lo), compare_numbers(a->rev_hi, b->rev_hi),
	};

	for (size_t i = 0; i < ARRAY_SIZE(differences); i++)
		if (differences[i])
			return differences[i];
	return 0;
}

static void collect_placed(const struct build *b, unsigned platform, struct placed *placed)
{
	const struct b_slice insts = b->views.items[platform].insts;
	const uint32_t engines = build_platform(b, platform)->engines.first;

	for (uint32_t i = insts.first; i - insts.first < insts.count; i++) {
		const struct b_inst *inst = &b->insts.items[i];
		const struct b_engine *engine = inst->engine == UINT8_MAX
			? NULL : build_engine(b, engines + inst->engine);

		placed[i] = (struct placed){
			.offset = inst->offset,
			.reg = inst->reg,
			.index = inst->index,
			.space = inst->space,
			.class = engine ? engine->class : ENGINE_CLASSES,
			.instance = engine ? engine->instance : 0,
			.rev_lo = inst->rev_lo,
			.rev_hi = inst->rev_hi,
			.platforms = UINT64_C(1) << platform,
		};
	}
}

/* Equal ones are merged into one for all their platforms. */
static size_t merge_placed(struct placed *placed, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept && !compare_placed(&placed[kept - 1], &placed[i]))
			placed[kept - 1].platforms |= placed[i].platforms;
		else
			placed[kept++] = placed[i];
	}
	return kept;
}

static void pack_views(struct pack *p, const struct placed *placed, size_t count)
{
	const size_t words = (count + 63) / 64, platforms = p->b->views.count;

	RESERVE(p, views, words * platforms);
	if (!p->views.items)
		return;
	p->views.count = words * platforms;
	for (size_t i = 0; i < count; i++)
		for (uint64_t rest = placed[i].platforms; rest; rest &= rest - 1)
			p->views.items[(unsigned)__builtin_ctzll(rest) * words + i / 64] |=
				UINT64_C(1) << i % 64;
}

static void pack_insts(struct pack *p)
{
	const struct build *b = p->b;
	size_t count = b->insts.count;
	struct placed *placed = reserve(p, count, sizeof(*placed));

	if (!placed)
		return;
	for (unsigned i = 0; i < b->views.count; i++)
		collect_placed(b, i, placed);
	if (count)
		qsort(placed, count, sizeof(*placed), compare_placed);
	count = merge_placed(placed, count);
	for (size_t i = 0; i < count; i++) {
		const struct placed *from = &placed[i];
		const struct c_owner owner = { from->rev_lo, from->rev_hi, from->class,
					       from->instance };
		const uint32_t place = pool_add(&p->owners, &owner, 1);

		p->full |= place > UINT8_MAX;
		p->insts.items[p->insts.count++] = (struct c_inst){
			from->offset, from->reg, from->index, (uint8_t)place, from->space,
		};
	}
	pack_views(p, placed, count);
	free(placed);
}

/* ---- all ------------------------------------------------------------------------------------ */

struct section {
	const void *items;
	size_t count, size;
};

#define SECTION(v) { (v).items, (v).count, sizeof(*(v).items) }
#define POOL(v) { (v).bytes.items, pool_count(&(v)), (v).size }

static void *write_sections(const struct section *sections, size_t *size)
{
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

static void *write_blob(const struct pack *p, size_t *size)
{
	const struct build *b = p->b;
	const struct section sections[B_SECTIONS] = {
		[B_STRINGS] = SECTION(b->strings),
		[B_DOCUMENTS] = SECTION(b->documents),
		[B_ORIGINS] = SECTION(b->origins),
		[B_ENGINE_ROWS] = SECTION(b->engine_rows),
		[B_PLATFORMS] = SECTION(b->platforms),
		[B_IDS] = SECTION(b->ids),
		[B_ENGINES] = SECTION(b->engines),
		[B_WAKES] = SECTION(b->wakes),
		[B_STEPPINGS] = SECTION(b->steppings),
		[B_PROPERTIES] = { b->properties, b->base ? 0 : PROPERTIES,
				   sizeof(*b->properties) },
		[B_GROUPS] = SECTION(b->groups),
		[B_ENUMS] = SECTION(p->enums),
		[B_VALUE_LISTS] = POOL(p->lists),
		[B_VALUES] = POOL(p->values),
		[B_WIDE_VALUES] = POOL(p->wide_values),
		[B_WHERES] = POOL(p->wheres),
		[B_FORMS] = POOL(p->forms),
		[B_FIELDS] = POOL(p->fields),
		[B_POINTERS] = SECTION(b->pointers),
		[B_REPEATS] = SECTION(p->repeats),
		[B_HAZARDS] = SECTION(b->hazards),
		[B_PLACES] = SECTION(p->places),
		[B_TRAITS] = POOL(p->traits),
		[B_REGS] = SECTION(p->regs),
		[B_ALIASES] = SECTION(p->aliases),
		[B_PRINTS] = SECTION(p->prints),
		[B_RANGES] = SECTION(b->ranges),
		[B_EXPECTS] = SECTION(b->expects),
		[B_COMMANDS] = SECTION(p->commands),
		[B_STRUCTS] = SECTION(p->structs),
		[B_ENTRIES] = SECTION(p->entries),
		[B_INSTRUCTIONS] = SECTION(b->instructions),
		[B_FACTS] = SECTION(b->facts),
		[B_NAMES] = SECTION(p->names),
		[B_OWNERS] = POOL(p->owners),
		[B_INSTS] = SECTION(p->insts),
		[B_VIEWS] = SECTION(p->views),
	};

	return write_sections(sections, size);
}

static void pack_init(struct pack *p)
{
	const struct c_values none = { 0 };
	const struct build *b = p->b;

	p->lists.size = sizeof(struct c_values);
	p->values.size = sizeof(struct c_value);
	p->wide_values.size = sizeof(struct b_value);
	p->wheres.size = sizeof(struct b_where);
	p->forms.size = sizeof(struct c_form);
	p->fields.size = sizeof(struct c_field);
	p->traits.size = sizeof(struct c_traits);
	p->owners.size = sizeof(struct c_owner);
	pool_add(&p->lists, &none, 1);
	p->list_of = reserve(p, b->values.count, sizeof(*p->list_of));
	p->fields_of = reserve(p, b->fields.count, sizeof(*p->fields_of));
	RESERVE(p, enums, b->enums.count);
	RESERVE(p, places, b->places.count);
	RESERVE(p, regs, b->regs.count);
	RESERVE(p, aliases, b->aliases.count);
	RESERVE(p, prints, b->printed.count);
	RESERVE(p, names, b->names.count);
	RESERVE(p, insts, b->insts.count);
	DUPLICATE(p, repeats);
	DUPLICATE(p, commands);
	DUPLICATE(p, structs);
	DUPLICATE(p, entries);
	/* Definitions are identified by 24 bits. */
	p->full |= MAX(MAX(b->regs.count, b->commands.count),
		       MAX(b->structs.count, b->entries.count)) > 0xffffff;
}

static void pack_free(struct pack *p)
{
	struct pool *const pools[] = { &p->lists,  &p->values, &p->wide_values, &p->wheres,
				       &p->forms, &p->fields, &p->traits,	 &p->owners };

	for (size_t i = 0; i < ARRAY_SIZE(pools); i++)
		pool_free(pools[i]);
	vec_free(&p->enums);
	vec_free(&p->places);
	vec_free(&p->regs);
	vec_free(&p->aliases);
	vec_free(&p->prints);
	vec_free(&p->names);
	vec_free(&p->insts);
	vec_free(&p->views);
	vec_free(&p->repeats);
	vec_free(&p->commands);
	vec_free(&p->structs);
	vec_free(&p->entries);
	free(p->list_of);
	free(p->fields_of);
}

static bool pack_all(struct pack *p)
{
	const struct build *b = p->b;

	pack_init(p);
	if (p->failed || p->full)
		return false;
	for (; p->enums.count < b->enums.count; p->enums.count++) {
		const struct b_enum *from = &b->enums.items[p->enums.count];

		p->enums.items[p->enums.count] =
			(struct c_enum){ from->name, pack_values(p, from->values) };
	}
	for (; p->places.count < b->places.count; p->places.count++) {
		struct c_place *place = &p->places.items[p->places.count];

		*place = b->places.items[p->places.count].c;
		place->where = pack_where(p, &b->places.items[p->places.count].where);
	}
	pack_regs(p);
	/* There are few of these: they are stored unchanged, except for their fields. */
	for (size_t i = 0; i < p->repeats.count; i++)
		p->repeats.items[i].fields = pack_fields(p, p->repeats.items[i].fields);
	for (size_t i = 0; i < p->commands.count; i++)
		p->commands.items[i].fields = pack_fields(p, p->commands.items[i].fields);
	for (size_t i = 0; i < p->structs.count; i++)
		p->structs.items[i].fields = pack_fields(p, p->structs.items[i].fields);
	for (size_t i = 0; i < p->entries.count; i++)
		p->entries.items[i].fields = pack_fields(p, p->entries.items[i].fields);
	pack_names(p);
	for (; p->prints.count < b->printed.count; p->prints.count++) {
		struct c_print *print = &p->prints.items[p->prints.count];

		*print = b->printed.items[p->prints.count].c;
		print->where = pack_where(p, &b->printed.items[p->prints.count].where);
	}
	pack_insts(p);
	p->failed |= p->lists.failed | p->values.failed | p->wide_values.failed |
		     p->wheres.failed | p->forms.failed | p->fields.failed | p->traits.failed |
		     p->owners.failed;
	return !p->failed && !p->full;
}

enum gsc_status build_blob(const struct build *b, void **blob, size_t *size,
			   struct gsc_error *err)
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
