/* SPDX-License-Identifier: MIT */
/*
 * Entry definitions as masks. The names of fields give their meaning; a definition may be the
 * user's, so every number in it is checked before it is used.
 */
#include "gtt/gtt.h"

#include "db/view.h"

#include <string.h>

/* Those of one mode, made when it is first needed: the ones next to the page first. */
struct set {
	bool made;
	struct format *items;
	size_t count;
};

struct formats {
	const struct gsc_view *view;
	struct set sets[GSC_MODES];
	const char *disabled;
};

/* One definition, as the platform sees it. */
struct definition {
	const struct gsc_view *view;
	const struct layer *layer;
	const struct b_entry *entry;
	size_t layer_index;
	uint32_t index;			/* of the next one in the layer */
};

/* ---- fields ------------------------------------------------------------------------------- */

/* The next one that applies; *i is 0 at first. NULL after the last. */
static const struct c_field *next_field(const struct definition *d, uint32_t *i)
{
	while (*i < d->entry->fields.count) {
		const struct c_field *f = LAYER_ITEM(d->layer, B_FIELDS, struct c_field,
						     d->entry->fields.first + (*i)++);

		if (field_holds(d->view, d->layer, f))
			return f;
	}
	return NULL;
}

static unsigned field_low(const struct c_field *f)
{
	return f->dword * 32u + f->lo;
}

/* Only the first 64 bits of an entry have masks. */
static uint64_t field_mask(const struct c_field *f)
{
	unsigned lo = field_low(f), hi = f->dword * 32u + f->hi;

	return hi < 64 && lo <= hi ? UINT64_MAX >> (63 - (hi - lo)) << lo : 0;
}

/* The name of the quantity that a field is, or is a part of. */
static const char *quantity(const struct definition *d, const struct c_field *f)
{
	const struct c_form *form = field_form(d->layer, f);

	return layer_text(d->layer, form->join ? form->join : f->name);
}

/*
 * FIELD=VALUE as a mask and a value; false if it can never be true. Among several fields of that
 * name, the one that applies counts.
 */
static bool condition(const struct definition *d, uint32_t field, uint64_t value, uint64_t *mask,
		      uint64_t *masked)
{
	const struct c_field *f = NULL;
	const char *name;

	*mask = *masked = 0;
	if (field >= d->entry->fields.count)
		return false;
	name = layer_text(d->layer, LAYER_ITEM(d->layer, B_FIELDS, struct c_field,
					       d->entry->fields.first + field)->name);
	for (uint32_t i = 0; (f = next_field(d, &i));)
		if (!name_compare(layer_text(d->layer, f->name), name))
			break;
	if (!f || field_low(f) > 63)
		return false;
	*mask = field_mask(f);
	*masked = value << field_low(f);
	return *mask && !(*masked & ~*mask) && *masked >> field_low(f) == value;
}

/* ---- address ------------------------------------------------------------------------------ */

/* Local memory if a bit says so, or always; an offset in stolen memory if a bit says so. */
static void add_where(const struct definition *d, struct format *out, const struct c_form *form)
{
	uint64_t mask, value;

	if (form->when_field == NONE && form->addr == A_LMEM) {
		out->tables_local = out->leaf != FORMAT_PAGE;
		out->local_mask = out->leaf == FORMAT_TABLE ? 0 : UINT64_MAX;
	}
	if (form->when_field == NONE || form->when_not || form->when_list ||
	    out->leaf == FORMAT_TABLE ||
	    !condition(d, form->when_field, form->when_value, &mask, &value) || value != mask)
		return;
	if (form->addr == A_LMEM)
		out->local_mask = mask;
	else
		out->stolen_mask = mask;
}

/*
 * With all its parts and variants. If several quantities are addresses, the one with that name
 * counts, or else the first.
 */
static void fill_address(const struct definition *d, struct format *out)
{
	const char *name = NULL;
	const struct c_field *f;

	for (uint32_t i = 0; (f = next_field(d, &i));)
		if (field_form(d->layer, f)->type == F_ADDRESS &&
		    (!name || !name_compare(quantity(d, f), "ADDRESS")))
			name = quantity(d, f);
	for (uint32_t i = 0; (f = next_field(d, &i));) {
		const struct c_form *form = field_form(d->layer, f);
		struct format_part part = { field_mask(f), (int)form->shift - (int)field_low(f) };
		uint8_t addr = form->addr;
		unsigned n = 0;

		if (form->type != F_ADDRESS || name_compare(name, quantity(d, f)))
			continue;
		while (n < out->parts &&
		       (out->part[n].mask != part.mask || out->part[n].shift != part.shift))
			n++;
		if (n == out->parts && n < FORMAT_PARTS && part.mask &&
		    field_low(f) + (unsigned)(f->hi - f->lo) + part.shift <= 63) {
			out->part[out->parts++] = part;
			out->address_mask |= part.mask;
		}
		if (addr == A_LMEM || addr == A_STOLEN)
			add_where(d, out, form);
		out->graphics = addr == A_PPGTT || addr == A_GGTT || addr == A_GFX;
	}
}

/* ---- attributes --------------------------------------------------------------------------- */

/* Where the bits of a quantity are kept; in flags_mask, what only the words of a page say. */
static uint64_t *attribute(struct format *out, const char *name)
{
#define MASK(member) offsetof(struct format, member##_mask)
	static const struct {
		const char *name;
		size_t mask;
	} known[] = {
		{ "NULL", MASK(null) },			{ "READ_WRITE", MASK(write) },
		{ "WRITEABLE", MASK(write) },		{ "WRITE", MASK(write) },
		{ "USER_SUPERVISOR", MASK(user) },	{ "EXECUTE_DISABLE", MASK(no_execute) },
		{ "ACCESSED", MASK(accessed) },		{ "DIRTY", MASK(dirty) },
		{ "ATOMIC_ENABLE", MASK(atomic) },	{ "PAGE_64K_HINT", MASK(hint) },
		{ "PAT_INDEX", MASK(flags) },		{ "MAPPING_TYPE", MASK(flags) },
		{ "CACHEABILITY_CONTROL", MASK(flags) },
		{ "CACHEABILITY_CONTROL_3", MASK(flags) },
		{ "GRAPHICS_DATA_TYPE", MASK(flags) },	{ "SNOOPED", MASK(flags) },
		{ "SNOOP", MASK(flags) },		{ "VF", MASK(flags) },
		{ "GLOBAL", MASK(flags) },
	};
#undef MASK

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, name))
			return (uint64_t *)((char *)out + known[i].mask);
	return NULL;
}

static void fill_attributes(const struct definition *d, struct format *out)
{
	const struct c_field *f;

	for (uint32_t i = 0; (f = next_field(d, &i));) {
		const struct c_form *form = field_form(d->layer, f);
		uint64_t *mask = attribute(out, quantity(d, f));

		if (form->flags & GSC_FIELD_MBZ && form->when_field == NONE)
			mask = &out->zero_mask;
		else if (form->flags & GSC_FIELD_MBO && form->when_field == NONE)
			mask = &out->one_mask;
		if (mask)
			*mask |= field_mask(f);
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
static void fill_valid(const struct definition *d, struct format *out)
{
	const struct c_field *f;

	if (d->entry->valid_field == NONE) {
		for (uint32_t i = 0; (f = next_field(d, &i));)
			if (!name_compare(layer_text(d->layer, f->name), "READ") ||
			    !name_compare(layer_text(d->layer, f->name), "WRITE"))
				out->any_mask |= field_mask(f);
	} else if (!condition(d, d->entry->valid_field, d->entry->valid_value, &out->valid_mask,
			      &out->valid_value)) {
		out->valid_mask = 0;
		out->valid_value = 1;
	}
}

static void fill_leaf(const struct definition *d, struct format *out)
{
	const struct b_entry *e = d->entry;

	out->leaf = FORMAT_TABLE;
	if (e->leaf_kind == LEAF_ALWAYS)
		out->leaf = FORMAT_PAGE;
	else if (e->leaf_kind == LEAF_FIELD &&
		 condition(d, e->leaf_field, e->leaf_value, &out->leaf_mask, &out->leaf_value))
		out->leaf = FORMAT_EITHER;
	if (out->leaf == FORMAT_TABLE)
		return;
	out->leaf_level = layer_text_or_null(d->layer, e->leaf_as);
	out->page_size = e->leaf_size;
	if (!out->page_size || out->page_size & (out->page_size - 1))
		out->page_size = UINT64_C(1) << out->index_lo;
}

/* ---- the entries of a mode ---------------------------------------------------------------- */

/*
 * The next definition of a mode that applies to the platform, the user's first: of whole words, and
 * with an index that no table size can overflow.
 */
static bool next_definition(struct definition *d, enum gsc_mode mode)
{
	for (; d->layer_index < db_layer_count(d->view->db); d->layer_index++, d->index = 0) {
		d->layer = db_layer(d->view->db, d->layer_index);
		while (d->index < layer_count(d->layer, B_ENTRIES)) {
			const struct b_entry *e = d->entry = LAYER_ITEM(d->layer, B_ENTRIES,
									struct b_entry, d->index++);

			if (where_holds(&e->where, d->view->bit, d->view->revision) &&
			    e->bits % 32 == 0 && e->bits && e->bits <= GSC_ENTRY_WORDS * 32 &&
			    e->index_hi < 64 && e->index_lo <= e->index_hi &&
			    e->index_hi - e->index_lo < 32 && e->index_every <= 512 &&
			    list_has(layer_text(d->layer, e->modes), gsc_mode_name(mode)))
				return true;
		}
	}
	return false;
}

static const struct format *find(const struct set *set, const char *level)
{
	for (size_t i = 0; level && i < set->count; i++)
		if (set->items[i].level == level)
			return &set->items[i];
	for (size_t i = 0; level && i < set->count; i++)
		if (!name_compare(set->items[i].level, level))
			return &set->items[i];
	return NULL;
}

/* By the lowest bit of the index, pages before pointers; entries without an index last. */
static unsigned order_of(const struct format *f)
{
	return (f->index_hi ? f->index_lo : 64) << 1 | (f->leaf != FORMAT_PAGE);
}

static void add_format(struct set *set, const struct definition *d, enum gsc_mode mode,
		       const char *disabled)
{
	const struct b_entry *e = d->entry;
	struct format f = { .mode = mode, .bytes = e->bits / 8, .index_hi = e->index_hi,
			    .index_lo = e->index_lo, .every = MAX(e->index_every, 1u) };
	size_t at = set->count++;

	gsc_item_by_def(d->view->db, GSC_ENTRY, def_make(d->layer_index, d->index - 1), &f.item);
	f.level = f.item.level;
	fill_valid(d, &f);
	fill_leaf(d, &f);
	/* The levels that it leads to, without the disabled one. */
	for (unsigned i = 0, count = 0; i < ENTRY_NEXTS && count < FORMAT_NEXTS; i++) {
		const struct b_next *next = &d->entry->next[i];
		const char *level = layer_text(d->layer, next->level);
		uint64_t mask = 0, value = 0;

		if (!next->level)
			break;
		if ((!disabled || name_compare(level, disabled)) && (next->field == NONE ||
		     condition(d, next->field, next->value, &mask, &value)))
			f.next[count++] = (struct format_next){ level, mask, value, NULL };
	}
	fill_address(d, &f);
	fill_attributes(d, &f);
	for (; at && order_of(&set->items[at - 1]) > order_of(&f); at--)
		set->items[at] = set->items[at - 1];
	set->items[at] = f;
}

static const struct set *set_get(struct formats *formats, enum gsc_mode mode)
{
	struct definition d = { .view = formats->view };
	struct set *set = &formats->sets[mode];
	size_t room = 1;

	if (set->made)
		return set;
	while (next_definition(&d, mode))
		room++;
	set->items = calloc(room, sizeof(*set->items));
	if (!set->items)
		return set;
	set->made = true;
	for (d = (struct definition){ .view = formats->view }; next_definition(&d, mode);)
		if (!find(set, layer_text(d.layer, d.entry->level)))
			add_format(set, &d, mode, formats->disabled);
	for (struct format *f = set->items; f < set->items + set->count; f++) {
		for (unsigned n = 0; n < FORMAT_NEXTS; n++)
			f->next[n].format = find(set, f->next[n].level);
		f->page = f->leaf == FORMAT_EITHER ? find(set, f->leaf_level) : NULL;
		f->page = f->page ? f->page : f;
	}
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
	return find(set_get(formats, mode), level);
}

/* The root is selected by the highest bits. */
const struct format *format_top(struct formats *formats, enum gsc_mode mode)
{
	const struct set *set = set_get(formats, mode);
	const struct format *top = NULL;

	/* A page with a definition of its own is at the same bits as the pointer. */
	for (const struct format *f = set->items; f < set->items + set->count; f++)
		if (!top || f->index_hi > top->index_hi ||
		    (f->index_hi == top->index_hi && f->index_lo >= top->index_lo))
			top = f;
	return top;
}

const struct format *format_at(struct formats *formats, enum gsc_mode mode, size_t i)
{
	const struct set *set = set_get(formats, mode);

	return i < set->count ? &set->items[i] : NULL;
}
