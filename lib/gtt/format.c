/* SPDX-License-Identifier: MIT */
/*
 * Entry definitions as masks. The names of fields give their meaning; a definition may be the
 * user's, so every number in it is checked before it is used.
 */
#include "gtt/gtt.h"

#include "db/view.h"

#include <string.h>

/* A format and those that its entries lead to. */
struct linked {
	struct format format;
	const struct linked *next[FORMAT_NEXTS], *page;
	const char *leaf_as;
};

/* Of one mode; made when the mode is first needed. */
struct set {
	bool made;
	struct linked *items;
	size_t count;
};

struct formats {
	const struct gsc_view *view;
	struct set sets[GSC_MODES];
	const char *disabled;
};

/* One definition, as the platform sees it. */
struct source_entry {
	const struct gsc_view *view;
	const struct layer *layer;
	const struct b_entry *entry;
	uint32_t def;
};

/* ---- fields ------------------------------------------------------------------------------- */

static const struct c_field *entry_field(const struct source_entry *s, uint32_t i)
{
	return LAYER_ITEM(s->layer, B_FIELDS, struct c_field, s->entry->fields.first + i);
}

static bool field_applies(const struct source_entry *s, const struct c_field *f)
{
	return field_holds(s->view, s->layer, f);
}

/* Only the first 64 bits of an entry have masks. */
static uint64_t field_mask(const struct c_field *f)
{
	unsigned lo = f->dword * 32u + f->lo, hi = f->dword * 32u + f->hi;

	return hi < 64 && lo <= hi ? UINT64_MAX >> (63 - (hi - lo)) << lo : 0;
}

static unsigned field_low(const struct c_field *f)
{
	return f->dword * 32u + f->lo;
}

static const struct c_form *form_of(const struct source_entry *s, const struct c_field *f)
{
	return field_form(s->layer, f);
}

static const char *field_name(const struct source_entry *s, const struct c_field *f)
{
	return layer_text(s->layer, f->name);
}

/* A field that a line of the definition names: among several of that name, the one that applies. */
static const struct c_field *named_field(const struct source_entry *s, uint32_t i)
{
	const char *name;

	if (i >= s->entry->fields.count)
		return NULL;
	name = field_name(s, entry_field(s, i));
	for (i = 0; i < s->entry->fields.count; i++) {
		const struct c_field *f = entry_field(s, i);

		if (field_applies(s, f) && !name_compare(field_name(s, f), name))
			return f;
	}
	return NULL;
}

/* FIELD=VALUE as a mask and a value; false if it can never be true. */
static bool condition(const struct source_entry *s, uint32_t field, uint64_t value, uint64_t *mask,
		      uint64_t *masked)
{
	const struct c_field *f = named_field(s, field);

	*mask = f ? field_mask(f) : 0;
	*masked = f && field_low(f) < 64 ? value << field_low(f) : 0;
	return *mask && !(*masked & ~*mask) && *masked >> field_low(f) == value;
}

/* ---- address ------------------------------------------------------------------------------ */

/* The name of the quantity that a field is a part of. */
static const char *quantity(const struct source_entry *s, const struct c_field *f)
{
	const struct c_form *form = form_of(s, f);

	return layer_text(s->layer, form->join ? form->join : f->name);
}

static void add_part(const struct source_entry *s, struct format *out, const struct c_field *f)
{
	uint64_t mask = field_mask(f);
	int shift = (int)form_of(s, f)->shift - (int)field_low(f);

	for (unsigned i = 0; i < out->parts; i++)
		if (out->part[i].mask == mask && out->part[i].shift == shift)
			return;
	if (!mask || field_low(f) + (unsigned)(f->hi - f->lo) + shift > 63 ||
	    out->parts == FORMAT_PARTS)
		return;
	out->part[out->parts++] = (struct format_part){ mask, shift };
	out->address_mask |= mask;
}

/* Local memory if a bit says so, or always; an offset in stolen memory if a bit says so. */
static void add_where(const struct source_entry *s, struct format *out, const struct c_form *form)
{
	uint64_t mask, value;

	if (form->when_field == NONE && form->addr == A_LMEM) {
		out->tables_local = out->leaf != FORMAT_PAGE;
		out->local_mask = out->leaf == FORMAT_TABLE ? 0 : UINT64_MAX;
	}
	if (form->when_field == NONE || form->when_not || form->when_list ||
	    out->leaf == FORMAT_TABLE ||
	    !condition(s, form->when_field, form->when_value, &mask, &value) || value != mask)
		return;
	if (form->addr == A_LMEM)
		out->local_mask = mask;
	else
		out->stolen_mask = mask;
}

/* If several quantities are addresses, the one with that name counts. */
static const char *address_quantity(const struct source_entry *s)
{
	const char *first = NULL;

	for (uint32_t i = 0; i < s->entry->fields.count; i++) {
		const struct c_field *f = entry_field(s, i);

		if (form_of(s, f)->type != F_ADDRESS || !field_applies(s, f))
			continue;
		if (!name_compare(quantity(s, f), "ADDRESS"))
			return quantity(s, f);
		if (!first)
			first = quantity(s, f);
	}
	return first;
}

/* With all its parts and variants. */
static void fill_address(const struct source_entry *s, struct format *out)
{
	const char *name = address_quantity(s);

	for (uint32_t i = 0; i < s->entry->fields.count; i++) {
		const struct c_field *f = entry_field(s, i);
		const struct c_form *form = form_of(s, f);
		uint8_t addr = form->addr;

		if (form->type != F_ADDRESS || !field_applies(s, f) ||
		    name_compare(name, quantity(s, f)))
			continue;
		add_part(s, out, f);
		if (addr == A_LMEM || addr == A_STOLEN)
			add_where(s, out, form);
		out->graphics = addr == A_PPGTT || addr == A_GGTT || addr == A_GFX;
	}
}

/* ---- attributes --------------------------------------------------------------------------- */

static uint64_t *attribute(struct format *out, const char *name)
{
	const struct {
		const char *name;
		uint64_t *mask;
	} known[] = {
		{ "NULL", &out->null_mask },
		{ "READ_WRITE", &out->write_mask },
		{ "WRITEABLE", &out->write_mask },
		{ "WRITE", &out->write_mask },
		{ "USER_SUPERVISOR", &out->user_mask },
		{ "EXECUTE_DISABLE", &out->no_execute_mask },
		{ "ACCESSED", &out->accessed_mask },
		{ "DIRTY", &out->dirty_mask },
		{ "EXTENDED_ACCESS", &out->extended_mask },
		{ "ATOMIC_ENABLE", &out->atomic_mask },
		{ "PAGE_64K_HINT", &out->hint_mask },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, name))
			return known[i].mask;
	return NULL;
}

/* What the words of a page say, in addition to the attributes above. */
static bool is_flag(const char *name)
{
	static const char *const names[] = {
		"PAT_INDEX", "MAPPING_TYPE", "CACHEABILITY_CONTROL", "CACHEABILITY_CONTROL_3",
		"GRAPHICS_DATA_TYPE", "SNOOPED", "SNOOP", "VF", "GLOBAL",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static void fill_attributes(const struct source_entry *s, struct format *out)
{
	for (uint32_t i = 0; i < s->entry->fields.count; i++) {
		const struct c_field *f = entry_field(s, i);
		const struct c_form *form = form_of(s, f);
		uint64_t mask = field_mask(f), *known;

		if (!field_applies(s, f))
			continue;
		if (form->flags & GSC_FIELD_MBZ && form->when_field == NONE)
			out->zero_mask |= mask;
		else if (form->flags & GSC_FIELD_MBO && form->when_field == NONE)
			out->one_mask |= mask;
		else if ((known = attribute(out, field_name(s, f))))
			*known |= mask;
		else if (is_flag(quantity(s, f)))
			out->flags_mask |= mask;
	}
	out->flags_mask |= out->null_mask | out->write_mask | out->user_mask |
			   out->no_execute_mask | out->atomic_mask | out->stolen_mask;
	if (out->local_mask != UINT64_MAX)
		out->flags_mask |= out->local_mask;
}

/* ---- one format --------------------------------------------------------------------------- */

/*
 * Second-level entries have no valid bit: they are valid if they permit anything. Others are always
 * valid if the definition says nothing; never, if that depends on a field that is missing.
 */
static void fill_valid(const struct source_entry *s, struct format *out)
{
	if (s->entry->valid_field != NONE) {
		if (condition(s, s->entry->valid_field, s->entry->valid_value, &out->valid_mask,
			      &out->valid_value))
			return;
		out->valid_mask = 0;
		out->valid_value = 1;
		return;
	}
	for (uint32_t i = 0; i < s->entry->fields.count; i++) {
		const struct c_field *f = entry_field(s, i);

		if (field_applies(s, f) && (!name_compare(field_name(s, f), "READ") ||
					    !name_compare(field_name(s, f), "WRITE")))
			out->any_mask |= field_mask(f);
	}
}

static void fill_leaf(const struct source_entry *s, struct format *out)
{
	const struct b_entry *e = s->entry;

	out->leaf = FORMAT_TABLE;
	if (e->leaf_kind == LEAF_ALWAYS)
		out->leaf = FORMAT_PAGE;
	else if (e->leaf_kind == LEAF_FIELD &&
		 condition(s, e->leaf_field, e->leaf_value, &out->leaf_mask, &out->leaf_value))
		out->leaf = FORMAT_EITHER;
	if (out->leaf == FORMAT_TABLE)
		return;
	out->leaf_level = layer_text_or_null(s->layer, e->leaf_as);
	out->page_size = e->leaf_size;
	if (!out->page_size || out->page_size & (out->page_size - 1))
		out->page_size = UINT64_C(1) << out->index_lo;
}

static void fill_next(const struct source_entry *s, struct format *out)
{
	unsigned count = 0;

	for (unsigned i = 0; i < ENTRY_NEXTS && count < FORMAT_NEXTS; i++) {
		const struct b_next *next = &s->entry->next[i];
		uint64_t mask = 0, value = 0;

		if (!next->level)
			break;
		if (next->field != NONE && !condition(s, next->field, next->value, &mask, &value))
			continue;
		out->next[count].level = layer_text(s->layer, next->level);
		out->next[count].mask = mask;
		out->next[count].value = value;
		count++;
	}
}

static void fill(struct linked *linked, const struct source_entry *s, enum gsc_mode mode)
{
	struct format *out = &linked->format;
	const struct b_entry *e = s->entry;

	gsc_item_by_def(s->view->db, GSC_ENTRY, s->def, &out->item);
	out->level = out->item.level;
	out->mode = mode;
	out->bytes = e->bits / 8;
	out->index_hi = e->index_hi;
	out->index_lo = e->index_lo;
	out->every = MAX(e->index_every, 1u);
	fill_valid(s, out);
	fill_leaf(s, out);
	fill_next(s, out);
	fill_address(s, out);
	fill_attributes(s, out);
}

/* ---- the entries of a mode ---------------------------------------------------------------- */

static bool lists_mode(const char *modes, enum gsc_mode mode)
{
	const char *name = gsc_mode_name(mode);
	size_t length = strlen(name);

	for (;;) {
		size_t end = strcspn(modes, ",");

		if (end == length && !memcmp(modes, name, length))
			return true;
		if (!modes[end])
			return false;
		modes += end + 1;
	}
}

typedef bool entry_fn(void *context, const struct source_entry *s);

/*
 * Every definition of a mode that applies to the platform, the user's first: of whole words, and
 * with an index that no table size can overflow.
 */
static void each_entry(const struct gsc_view *view, enum gsc_mode mode, entry_fn *each,
		       void *context)
{
	for (size_t layer = 0; layer < db_layer_count(view->db); layer++) {
		const struct layer *l = db_layer(view->db, layer);

		for (uint32_t i = 0; i < layer_count(l, B_ENTRIES); i++) {
			const struct b_entry *e = LAYER_ITEM(l, B_ENTRIES, struct b_entry, i);
			struct source_entry s = { view, l, e, def_make(layer, i) };

			if (where_holds(&e->where, view->bit, view->revision) &&
			    e->bits % 32 == 0 && e->bits && e->bits <= GSC_ENTRY_WORDS * 32 &&
			    e->index_hi < 64 && e->index_lo <= e->index_hi &&
			    e->index_hi - e->index_lo < 32 && e->index_every <= 512 &&
			    lists_mode(layer_text(l, e->modes), mode) && !each(context, &s))
				return;
		}
	}
}

static const struct linked *find(const struct set *set, const char *level)
{
	for (size_t i = 0; level && i < set->count; i++)
		if (set->items[i].format.level == level)
			return &set->items[i];
	for (size_t i = 0; level && i < set->count; i++)
		if (!name_compare(set->items[i].format.level, level))
			return &set->items[i];
	return NULL;
}

struct making {
	struct set *set;
	enum gsc_mode mode;
	size_t room;
};

static bool count_entry(void *context, const struct source_entry *s)
{
	struct making *making = context;

	(void)s;
	making->room++;
	return true;
}

static bool make_entry(void *context, const struct source_entry *s)
{
	struct making *making = context;
	struct set *set = making->set;

	if (set->count < making->room && !find(set, layer_text(s->layer, s->entry->level)))
		fill(&set->items[set->count++], s, making->mode);
	return true;
}

static void drop_next(struct format *f, const char *level)
{
	for (unsigned i = 0; i < FORMAT_NEXTS && f->next[i].level;) {
		if (name_compare(f->next[i].level, level)) {
			i++;
			continue;
		}
		memmove(&f->next[i], &f->next[i + 1], (FORMAT_NEXTS - 1 - i) * sizeof(f->next[0]));
		f->next[FORMAT_NEXTS - 1].level = NULL;
	}
}

static void link_set(struct set *set, const char *disabled)
{
	for (size_t i = 0; i < set->count; i++) {
		struct linked *linked = &set->items[i];
		struct format *f = &linked->format;

		if (disabled)
			drop_next(f, disabled);
		for (unsigned n = 0; n < FORMAT_NEXTS; n++)
			linked->next[n] = find(set, f->next[n].level);
		linked->page = f->leaf == FORMAT_EITHER ? find(set, f->leaf_level) : NULL;
	}
}

static const struct set *set_get(struct formats *formats, enum gsc_mode mode)
{
	struct set *set = &formats->sets[mode];
	struct making making = { set, mode, 0 };

	if (set->made)
		return set;
	each_entry(formats->view, mode, count_entry, &making);
	set->items = calloc(making.room + 1, sizeof(*set->items));
	if (!set->items)
		return set;
	set->made = true;
	each_entry(formats->view, mode, make_entry, &making);
	link_set(set, formats->disabled);
	return set;
}

struct formats *formats_without(const struct gsc_view *view, const char *level)
{
	struct formats *formats = calloc(1, sizeof(*formats));

	if (!formats)
		return NULL;
	formats->view = view;
	formats->disabled = level;
	return formats;
}

static void free_kept(void *data)
{
	formats_free(data);
}

struct formats *formats_of(const struct gsc_view *view)
{
	if (!view->kept->data) {
		view->kept->data = formats_without(view, NULL);
		view->kept->free = free_kept;
	}
	return view->kept->data;
}

void formats_free(struct formats *formats)
{
	if (!formats)
		return;
	for (unsigned mode = 0; mode < GSC_MODES; mode++)
		free(formats->sets[mode].items);
	free(formats);
}

const struct format *format_get(struct formats *formats, enum gsc_mode mode, const char *level)
{
	const struct linked *linked = find(set_get(formats, mode), level);

	return linked ? &linked->format : NULL;
}

/* The root is selected by the highest bits. */
const char *format_top(struct formats *formats, enum gsc_mode mode)
{
	const struct set *set = set_get(formats, mode);
	const struct format *top = NULL;

	for (size_t i = 0; i < set->count; i++) {
		const struct format *f = &set->items[i].format;

		/* A page with a definition of its own is at the same bits as the pointer. */
		if (!top || f->index_hi > top->index_hi ||
		    (f->index_hi == top->index_hi && f->index_lo > top->index_lo))
			top = f;
	}
	return top ? top->level : NULL;
}

/* ---- reading entries ---------------------------------------------------------------------- */

static const struct linked *linked_of(const struct format *f)
{
	return (const struct linked *)f;
}

static int next_slot(const struct format *f, uint64_t raw)
{
	for (int i = 0; i < FORMAT_NEXTS && f->next[i].level; i++)
		if ((raw & f->next[i].mask) == f->next[i].value)
			return i;
	return -1;
}

const char *format_next(const struct format *f, uint64_t raw)
{
	int slot = next_slot(f, raw);

	return slot < 0 ? NULL : f->next[slot].level;
}

const struct format *format_below(const struct format *f, uint64_t raw)
{
	int slot = next_slot(f, raw);
	const struct linked *below = slot < 0 ? NULL : linked_of(f)->next[slot];

	return below ? &below->format : NULL;
}

const struct format *format_page(const struct format *f)
{
	const struct linked *page = linked_of(f)->page;

	return page ? &page->format : f;
}

/* ---- levels ------------------------------------------------------------------------------- */

struct level {
	const char *name;
	uint64_t order;
};

struct levels {
	struct level list[64];
	size_t count;
};

/* By the lowest bit of the index, pages before pointers; entries without an index last. */
static bool add_level(void *context, const struct source_entry *s)
{
	struct levels *levels = context;
	const struct b_entry *e = s->entry;
	const char *name = layer_text(s->layer, e->level);
	uint64_t order = (e->index_hi ? (uint64_t)e->index_lo : 64) << 1 |
			 (e->leaf_kind != LEAF_ALWAYS);
	size_t at = levels->count;

	for (size_t i = 0; i < levels->count; i++)
		if (!name_compare(levels->list[i].name, name))
			return true;
	if (levels->count == ARRAY_SIZE(levels->list))
		return false;
	for (; at && levels->list[at - 1].order > order; at--)
		levels->list[at] = levels->list[at - 1];
	levels->list[at] = (struct level){ name, order };
	levels->count++;
	return true;
}

const char *format_level(const struct gsc_view *view, enum gsc_mode mode, size_t i)
{
	struct levels levels = { .count = 0 };

	each_entry(view, mode, add_level, &levels);
	return i < levels.count ? levels.list[i].name : NULL;
}
