/* SPDX-License-Identifier: MIT */
/* Puts in order what may come in any order: enums resolved, names sorted, instances placed. */
#include "dbc/build.h"
#include "db/db.h"

#include <string.h>

static bool copy_base_enum(struct build *b, const char *name, struct b_slice *values)
{
	const struct layer *base = b->base ? db_base(b->base) : NULL;

	for (uint32_t i = 0; base && i < layer_count(base, B_ENUMS); i++) {
		const struct c_enum *e = LAYER_ITEM(base, B_ENUMS, struct c_enum, i);
		const struct c_values *list = layer_values(base, e->values);

		if (strcmp(layer_text(base, e->name), name))
			continue;
		*values = (struct b_slice){ (uint32_t)b->values.count, list->count };
		for (uint32_t v = 0; v < list->count; v++) {
			struct b_value value = list_value(base, list, v);
			const char *text = layer_text(base, value.name);
			const char *doc = layer_text(base, value.doc);

			value.name = build_string(b, text, strlen(text));
			value.doc = build_string(b, doc, strlen(doc));
			if (!build_add(b, values, value))
				return false;
		}
		return true;
	}
	return false;
}

static void resolve_enums(struct build *b)
{
	for (size_t i = 0; i < b->pending.count; i++) {
		const struct pending_enum *want = &b->pending.items[i];
		struct b_field *field;
		bool found = false;

		if (want->field >= b->fields.count)
			continue;
		field = &b->fields.items[want->field];
		for (size_t e = 0; e < b->enums.count && !found; e++)
			if (b->enums.items[e].name == want->name) {
				field->values = b->enums.items[e].values;
				found = true;
			}
		if (found || copy_base_enum(b, build_text(b, want->name), &field->values))
			continue;
		finding_in(b, "syntax", want->file, want->line,
			   "enum \"%s\" is not defined, expected an `enum` of that name",
			   build_text(b, want->name));
		b->findings.items[b->findings.count - 1].column = want->column;
	}
}

/* Dword by dword, and in each the highest bits first, as manuals print them. */
static int compare_fields(const struct b_field *a, const struct b_field *b)
{
	if (a->dword != b->dword)
		return a->dword < b->dword ? -1 : 1;
	if (a->hi != b->hi)
		return a->hi > b->hi ? -1 : 1;
	return (a->lo < b->lo) - (a->lo > b->lo);
}

/* Conditions refer to fields by their index in the item, and these indexes change. */
static void renumber(uint32_t *place, const uint32_t *from, uint32_t count)
{
	for (uint32_t k = 0; k < count; k++)
		if (*place == from[k]) {
			*place = k;
			return;
		}
}

/* For a register, or for an entry, which has more conditions. */
static bool sort_fields(struct build *b, struct b_slice slice, struct b_entry *entry)
{
	struct b_field *fields = b->fields.items + slice.first;
	uint32_t *from = malloc((slice.count + 1) * sizeof(*from));

	if (!from)
		return false;
	for (uint32_t i = 0; i < slice.count; i++)
		from[i] = i;
	for (uint32_t i = 1; i < slice.count; i++)
		for (uint32_t k = i; k && compare_fields(&fields[k - 1], &fields[k]) > 0; k--) {
			struct b_field field = fields[k];
			uint32_t place = from[k];

			fields[k] = fields[k - 1];
			from[k] = from[k - 1];
			fields[k - 1] = field;
			from[k - 1] = place;
		}
	for (uint32_t i = 0; i < slice.count; i++)
		renumber(&fields[i].form.when_field, from, slice.count);
	if (entry) {
		renumber(&entry->valid_field, from, slice.count);
		renumber(&entry->leaf_field, from, slice.count);
		for (size_t i = 0; i < ENTRY_NEXTS; i++)
			renumber(&entry->next[i].field, from, slice.count);
	}
	free(from);
	return true;
}

/* The registers of a name list share their fields: these are adjacent. */
static bool sort_all_fields(struct build *b)
{
	uint32_t last = NONE;

	for (size_t i = 0; i < b->regs.count; i++) {
		struct b_slice fields = b->regs.items[i].fields;

		if (!fields.count || fields.first == last)
			continue;
		if (!sort_fields(b, fields, NULL))
			return false;
		last = fields.first;
	}
	for (size_t i = 0; i < b->entries.count; i++)
		if (!sort_fields(b, b->entries.items[i].fields, &b->entries.items[i]))
			return false;
	return true;
}

static int compare_ids(const void *a, const void *b)
{
	return (int)((const struct b_id *)a)->device - (int)((const struct b_id *)b)->device;
}

static bool add_names(struct build *b, str_t name, struct b_slice aliases, enum item_kind kind,
		      size_t item)
{
	bool ok = build_add(b, names, (struct b_name){ name, kind, (uint32_t)item, NONE });

	for (uint32_t i = aliases.first; ok && i - aliases.first < aliases.count; i++)
		ok = build_add(b, names, (struct b_name){ b->aliases.items[i].c.name, kind,
							  (uint32_t)item, i });
	return ok;
}

static int compare_names(const void *pa, const void *pb, void *strings)
{
	const struct b_name *a = pa, *b = pb;
	int difference = name_compare((char *)strings + a->name, (char *)strings + b->name);

	if (!difference)
		difference = (int)a->kind - (int)b->kind;
	return difference ? difference : (a->item > b->item) - (a->item < b->item);
}

#define NAMES_OF(b, items_of, kind)                                                                \
	for (size_t i = 0; i < (b)->items_of.count && !(b)->failed; i++)                           \
		add_names(b, (b)->items_of.items[i].name, (b)->items_of.items[i].aliases, kind, i)

static int compare_prints(const void *pa, const void *pb, void *strings)
{
	const struct b_print *a = pa, *b = pb;
	int difference = strcmp((char *)strings + a->c.key, (char *)strings + b->c.key);

	return difference ? difference : (a->c.item > b->c.item) - (a->c.item < b->c.item);
}

/* `place` applies to all revisions of its `where`. */
static bool add_insts(struct build *b, uint32_t reg, const struct b_place *place, uint32_t base,
		      uint8_t engine)
{
	uint32_t count = place->c.count ? place->c.count : 1;
	uint32_t run = place->c.run ? place->c.run : count;

	for (uint32_t i = 0; i < count; i++) {
		struct b_inst inst = {
			.offset = base + place->c.offset + b->regs.items[reg].element +
				  i / run * place->c.run_stride + i % run * place->c.stride,
			.reg = reg,
			.index = place->c.count ? (uint16_t)i : UINT16_MAX,
			.engine = engine,
			.space = place->c.space,
			.rev_lo = place->where.rev_lo,
			.rev_hi = place->where.rev_hi,
		};

		if (!build_add(b, insts, inst))
			return false;
	}
	return true;
}

/* A place in every engine of the platform that it names and that has none yet. */
static bool place_in_engines(struct build *b, const struct b_platform *p, uint32_t reg,
			     const struct b_place *place, uint64_t *done)
{
	bool ok = true;

	for (uint32_t e = 0; ok && e < p->engines.count; e++) {
		const struct b_engine *engine = build_engine(b, p->engines.first + e);
		int8_t instance = place->c.instance;

		if (instance < 0 && !place->c.relative)
			instance = 0;
		if (!(place->c.engines & 1u << engine->class) || *done & UINT64_C(1) << e ||
		    (instance >= 0 && engine->instance != instance))
			continue;
		*done |= UINT64_C(1) << e;
		ok = add_insts(b, reg, place, place->c.relative ? engine->base : 0, (uint8_t)e);
	}
	return ok;
}

/* The first place that applies counts, for each engine. */
static bool place_in_revisions(struct build *b, const struct b_platform *p, uint32_t reg,
			       const struct b_where *here)
{
	const struct b_slice places = b->regs.items[reg].places;
	bool placed = false, ok = true;
	uint64_t done = 0;

	for (uint32_t i = 0; ok && i < places.count; i++) {
		struct b_place place = b->places.items[places.first + i];

		if (!wheres_meet(&place.where, here))
			continue;
		place.where = *here;
		if (place.c.engines) {
			ok = place_in_engines(b, p, reg, &place, &done);
		} else if (!placed) {
			ok = add_insts(b, reg, &place, 0, UINT8_MAX);
			placed = true;
		}
	}
	return ok;
}

/* The last revision, from rev_lo on and at most rev_hi, up to which all have the same places. */
static uint8_t last_alike(const struct build *b, struct b_slice places, struct b_where here)
{
	for (uint32_t i = 0; i < places.count; i++) {
		const struct b_where *where = &b->places.items[places.first + i].where;

		if (!(where->stepped & here.platforms) || where->rev_hi < here.rev_lo)
			continue;
		here.rev_hi = MIN(here.rev_hi, where->rev_lo > here.rev_lo ? where->rev_lo - 1
									   : where->rev_hi);
	}
	return here.rev_hi;
}

static bool place_reg(struct build *b, unsigned platform, uint32_t reg)
{
	const struct b_reg *r = &b->regs.items[reg];
	bool stepped = r->where.stepped >> platform & 1;
	unsigned last = stepped ? r->where.rev_hi : UINT8_MAX;
	struct b_where here;

	for (unsigned rev = stepped ? r->where.rev_lo : 0; rev <= last; rev = here.rev_hi + 1u) {
		here = where_revisions(platform, rev, last);
		here.rev_hi = last_alike(b, r->places, here);
		if (!place_in_revisions(b, build_platform(b, platform), reg, &here))
			return false;
	}
	return true;
}

static int compare_notes(const void *pa, const void *pb)
{
	const struct b_note *a = pa, *b = pb;

	return a->line != b->line ? (a->line < b->line ? -1 : 1)
				  : (a->order > b->order) - (a->order < b->order);
}

static int compare_insts(const void *pa, const void *pb)
{
	const struct b_inst *a = pa, *b = pb;

	if (a->space != b->space)
		return (int)a->space - (int)b->space;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return (a->reg > b->reg) - (a->reg < b->reg);
}

static bool place_all(struct build *b)
{
	for (unsigned i = 0; i < build_platform_count(b); i++) {
		struct b_view view = { { (uint32_t)b->insts.count, 0 } };

		for (uint32_t r = 0; r < b->regs.count; r++) {
			if (b->regs.items[r].where.platforms >> i & 1 && !place_reg(b, i, r))
				return false;
		}
		view.insts.count = (uint32_t)b->insts.count - view.insts.first;
		if (view.insts.count)
			qsort(b->insts.items + view.insts.first, view.insts.count,
			      sizeof(struct b_inst), compare_insts);
		if (!build_add(b, views, view))
			return false;
	}
	return true;
}

bool build_finish(struct build *b)
{
	resolve_enums(b);
	if (!sort_all_fields(b))
		return false;
	vec_sort(&b->ids, compare_ids);
	vec_sort(&b->notes, compare_notes);
	index_messages(b);
	NAMES_OF(b, regs, ITEM_REG);
	NAMES_OF(b, commands, ITEM_COMMAND);
	NAMES_OF(b, structs, ITEM_STRUCT);
	NAMES_OF(b, entries, ITEM_ENTRY);
	NAMES_OF(b, instructions, ITEM_INSTRUCTION);
	NAMES_OF(b, topics, ITEM_TOPIC);
	if (b->names.count)
		qsort_r(b->names.items, b->names.count, sizeof(struct b_name), compare_names,
			b->strings.items);
	for (size_t i = 0; i < b->regs.count; i++) {
		const struct b_slice prints = b->regs.items[i].prints;

		for (uint32_t k = prints.first; k - prints.first < prints.count; k++)
			if (build_add(b, printed, b->prints.items[k]))
				b->printed.items[b->printed.count - 1].c.item = (uint32_t)i;
	}
	if (b->printed.count)
		qsort_r(b->printed.items, b->printed.count, sizeof(struct b_print),
			compare_prints, b->strings.items);
	return place_all(b) && !b->failed;
}
