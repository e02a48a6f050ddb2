/* SPDX-License-Identifier: MIT */
/* From SELECTORs to the registers of a view, in the order in which the user named them. */
#include "regs/regs.h"
#include "source/part.h"

#include <string.h>

struct item *selection_add(struct gsc_selection *s, struct item item)
{
	struct item *added = vec_add(&s->items);

	if (added)
		*added = item;
	return added;
}

struct item reg_item(const struct gsc_view *view, size_t reg)
{
	const struct c_inst *inst = &view->insts[reg];
	enum gsc_space space = (enum gsc_space)inst->space;

	return (struct item){
		.reg = (uint32_t)reg,
		.space = space,
		.start = inst->offset,
		.last = reg_last(space, inst->offset, inst_traits(view, reg)->bits),
	};
}

/* One that is named is not lost in a group. */
static bool is_named(const struct selector *selector)
{
	return selector && (selector->kind == SELECTOR_ADDRESS ||
			    (selector->kind == SELECTOR_NAME &&
			     !has_wildcard(selector->name.name)));
}

/*
 * A register once, however often it is named, except one that is reached in two ways; whole, or the
 * fields that were asked for. No selector: it is one of all. False if memory is out.
 */
static bool add_reg(struct gsc_selection *s, const struct selector *selector, size_t reg)
{
	bool alias = selector && selector->alias, named = is_named(selector);
	uint32_t at = s->item_of[reg];
	const struct layer *l;

	if (at == NONE || s->items.items[at].alias != alias) {
		struct item item = reg_item(s->view, reg);

		item.alias = alias;
		at = s->item_of[reg] = (uint32_t)s->items.count;
		if (!selection_add(s, item))
			return false;
	}
	s->items.items[at].named |= named;
	if (!selector || !*selector->name.field) {
		s->items.items[at].whole = true;
		return true;
	}
	l = inst_layer(s->view, reg);
	for (uint32_t i = 0; i < inst_def(s->view, reg)->field_count; i++) {
		const struct c_field *f = inst_field(s->view, reg, i);
		const char *name = layer_text(l, f->name);

		if (!field_holds(s->view, l, f) || !glob_match(selector->name.field, name))
			continue;
		if (!vec_push(&s->picks, (struct pick){ at, s->picks.count + 1, name }))
			return false;
	}
	return true;
}

static bool add_found(struct gsc_selection *s, const struct selector *selector, const reg_vec *regs)
{
	bool done = true;

	for (size_t i = 0; done && i < regs->count; i++)
		done = add_reg(s, selector, regs->items[i]);
	return done;
}

/* ---- fields asked for ----------------------------------------------------------------------- */

static int compare_picks(const void *a, const void *b)
{
	const struct pick *x = a, *y = b;

	if (x->item != y->item)
		return x->item < y->item ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Makes the fields of each item adjacent; an item that was also named whole has none. */
static bool gather_fields(struct gsc_selection *s)
{
	size_t p = 0;

	if (!s->picks.count)
		return true;
	if (!vec_reserve(&s->fields, s->picks.count))
		return false;
	qsort(s->picks.items, s->picks.count, sizeof(struct pick), compare_picks);
	for (size_t i = 0; i < s->items.count; i++) {
		struct item *item = &s->items.items[i];

		item->first_field = (uint32_t)s->fields.count;
		for (; p < s->picks.count && s->picks.items[p].item == i; p++)
			if (!item->whole)
				s->fields.items[s->fields.count++] = s->picks.items[p].field;
		item->field_count = (uint32_t)s->fields.count - item->first_field;
	}
	return true;
}

/* ---- selectors ------------------------------------------------------------------------------ */

static bool add_loose(struct gsc_selection *s, struct loose *loose, bool named)
{
	struct item *item = loose->taken ? NULL : selection_add(s, loose->item);

	if (item)
		item->named = named;
	loose->taken |= item != NULL;
	return loose->taken;
}

static bool find_renamed(const struct gsc_selection *s, const struct selector *selector,
			 reg_vec *regs)
{
	for (size_t k = 0; k < SELECTED_SOURCES; k++) {
		size_t count = s->sources[k] ? s->sources[k]->listed.count : 0;

		for (size_t i = 0; i < count; i++) {
			const struct listed *listed = &s->sources[k]->listed.items[i];
			enum gsc_space space = (enum gsc_space)listed->space;
			uint64_t at = space == GSC_SIDEBAND ? listed->address / 4 : listed->address;

			if (listed->name && glob_match(selector->name.text, listed->name) &&
			    !regs_at(s->view, space, at, regs))
				return false;
		}
	}
	return true;
}

static enum gsc_status add_names(struct gsc_selection *s, const struct selector *selector,
				 struct gsc_error *err)
{
	bool any = false, done = true;
	enum gsc_status status;
	reg_vec regs = { 0 };

	/*
	 * What only the dump has a name for: values that no register shows, and registers that
	 * begin where it has that name.
	 */
	for (size_t i = 0; selector->kind == SELECTOR_NAME && i < s->loose.count; i++) {
		struct loose *loose = &s->loose.items[i];

		if (!loose->name || !glob_match(selector->name.text, loose->name))
			continue;
		if (!add_loose(s, loose, is_named(selector)))
			return err_memory(err);
		any = true;
	}
	status = selector_regs(selector, s->view, &regs, err);
	if (status == GSC_UNKNOWN) {
		regs.count = 0;
		done = selector->kind != SELECTOR_NAME || find_renamed(s, selector, &regs);
		if (any || regs.count)
			status = GSC_OK;
	}
	if (!status)
		done = done && add_found(s, selector, &regs);
	vec_free(&regs);
	return done ? status : err_memory(err);
}

static enum gsc_status nothing_defined(const struct gsc_selection *s,
				       const struct selector *selector, struct gsc_error *err)
{
	const char *platform = layer_text(s->view->db->base,
					  db_platform(s->view->db, s->view->platform)->name);

	return err_set(err, GSC_UNKNOWN, selector->name.text, "no register of %s is defined %s",
		       platform,
		       selector->kind == SELECTOR_RANGE ? "in this range" : "at this address");
}

static enum gsc_status add_raw(struct gsc_selection *s, const struct selector *selector,
			       struct gsc_error *err)
{
	struct item item = {
		.reg = NONE,
		.range = selector->kind == SELECTOR_RANGE,
		.alias = selector->alias,
		.named = true,
		.space = selector->space,
		.start = selector->start,
		.last = selector->last,
	};

	if (item.space == GSC_CONFIG && item.start % 4)
		return err_set(err, GSC_USAGE, selector->name.text,
			       "the address is not a multiple of 4");
	if (!item.range || item.space != GSC_GGTT)
		return selection_add(s, item) ? GSC_OK : err_memory(err);
	/* Entries are accessed as a whole, so a range of the table is one item for each of them. */
	item.range = false;
	for (; item.start < selector->last; item.start += selector->ggtt_entry) {
		item.last = item.start + selector->ggtt_entry - 1;
		if (!selection_add(s, item))
			return err_memory(err);
	}
	return GSC_OK;
}

/* Registers that begin there and have the required width; or the bytes themselves. */
static enum gsc_status add_address(struct gsc_selection *s, const struct selector *selector,
				   struct gsc_error *err)
{
	unsigned bits = selector->way && selector->space == GSC_MMIO ? selector->way->bits : 0;
	bool range = selector->kind == SELECTOR_RANGE, only_defined = s->flags & GSC_SELECT_DEFINED;
	uint64_t last = range ? selector->last : selector->start;
	const struct gsc_view *view = s->view;
	bool any = false, done = true;
	struct loose *loose = NULL;

	/* "0x2520:FIELD" for what is defined there. */
	if (*selector->name.field) {
		enum gsc_status status = GSC_OK;
		reg_vec regs = { 0 };

		if (!regs_at(view, selector->space, selector->start, &regs))
			status = err_memory(err);
		else if (!regs.count)
			status = nothing_defined(s, selector, err);
		else
			status = regs_narrow(view, &selector->name, &regs, err);
		if (!status && !add_found(s, selector, &regs))
			status = err_memory(err);
		vec_free(&regs);
		return status;
	}
	for (size_t i = range && !only_defined
				? view->count
				: gsc_view_seek(view, selector->space, selector->start);
	     done && i < view->count && view->insts[i].space == selector->space &&
	     view->insts[i].offset <= last; i++)
		if (!bits || inst_traits(view, i)->bits == bits) {
			done = add_reg(s, selector, i);
			any = true;
		}
	/* What the dump has at the address itself, as wide as it lists it. */
	for (size_t i = 0; !range && !selector->way && !loose && i < s->loose.count; i++) {
		const struct item *item = &s->loose.items[i].item;

		if (item->space == selector->space && item->start == selector->start &&
		    !item->range)
			loose = &s->loose.items[i];
	}
	if (!done || (loose && !add_loose(s, loose, true)))
		return err_memory(err);
	if (any || loose)
		return GSC_OK;
	return only_defined ? nothing_defined(s, selector, err) : add_raw(s, selector, err);
}

/* ---- all ------------------------------------------------------------------------------------ */

typedef VEC(const char *) name_vec;

/*
 * The registers group by group, and by address within each: a counting sort. The built-in groups
 * come in the order of their files; those of the user follow as they are met.
 */
static bool order_regs(const struct gsc_view *view, uint32_t *order)
{
	const struct layer *base = view->db->base;
	uint32_t *rank = calloc(view->count + 1, sizeof(*rank)), *next = NULL;
	name_vec groups = { 0 };
	bool done = rank && vec_reserve(&groups, layer_count(base, B_GROUPS));

	for (uint32_t i = 0; done && i < layer_count(base, B_GROUPS); i++)
		groups.items[groups.count++] =
			layer_text(base, LAYER_ITEM(base, B_GROUPS, struct b_group, i)->name);
	for (size_t i = 0; done && i < view->count; i++) {
		const char *group = inst_group(view, i), *name = group ? group : "";
		size_t at = inst_traits(view, i)->group;

		if (at >= groups.count || groups.items[at] != name)
			for (at = 0; at < groups.count && strcmp(groups.items[at], name); at++)
				;
		if (at == groups.count) {
			done = vec_reserve(&groups, 1);
			if (done)
				groups.items[groups.count++] = name;
		}
		rank[i] = (uint32_t)at;
	}
	if (done)
		next = calloc(groups.count + 1, sizeof(*next));
	for (size_t i = 0; next && i < view->count; i++)
		next[rank[i] + 1]++;
	for (size_t g = 1; next && g < groups.count; g++)
		next[g] += next[g - 1];
	for (size_t i = 0; next && i < view->count; i++)
		order[next[rank[i]]++] = (uint32_t)i;
	free(rank);
	free(next);
	vec_free(&groups);
	return next != NULL;
}

static bool add_all(struct gsc_selection *s)
{
	size_t count = s->view->count;
	uint32_t *order = calloc(count + 1, sizeof(*order));
	bool done = order && vec_reserve(&s->items, count) && order_regs(s->view, order);

	for (size_t i = 0; done && i < count; i++)
		done = add_reg(s, NULL, order[i]);
	free(order);
	for (size_t i = 0; done && i < s->loose.count; i++)
		done = add_loose(s, &s->loose.items[i], false);
	return done;
}

struct gsc_selection *selection_new(const struct gsc_view *view)
{
	struct gsc_selection *s = calloc(1, sizeof(*s));

	if (s)
		s->item_of = malloc((view->count + 1) * sizeof(*s->item_of));
	if (!s || !s->item_of) {
		free(s);
		return NULL;
	}
	s->view = view;
	memset(s->item_of, 0xff, (view->count + 1) * sizeof(*s->item_of));
	return s;
}

static enum gsc_status select_in(struct gsc_selection **out, const struct gsc_view *view,
				 struct gsc_source *const *sources, unsigned flags,
				 const char *const *selectors, size_t count, struct gsc_error *err)
{
	struct gsc_selection *s = selection_new(view);
	enum gsc_status status = GSC_OK;

	*out = NULL;
	if (!s)
		return err_memory(err);
	s->flags = flags;
	s->all = !count;
	s->sources = sources;
	if (!loose_find(&s->loose, view, sources) || (!count && !add_all(s)))
		status = err_memory(err);
	for (size_t i = 0; !status && i < count; i++) {
		struct selector selector;

		status = selector_read(&selector, view, selectors[i], err);
		if (status)
			break;
		status = (selector.kind == SELECTOR_ADDRESS || selector.kind == SELECTOR_RANGE ?
			  add_address : add_names)(s, &selector, err);
	}
	if (!status && !gather_fields(s))
		status = err_memory(err);
	if (status) {
		gsc_selection_free(s);
		return status;
	}
	*out = s;
	return GSC_OK;
}

enum gsc_status gsc_select(struct gsc_selection **out, const struct gsc_gpu *gpu, unsigned flags,
			   const char *const *selectors, size_t count, struct gsc_error *err)
{
	struct gsc_source *sources[SELECTED_SOURCES] = { flags & GSC_SELECT_LISTED ? gpu->source
										  : NULL };

	return select_in(out, gpu->view, sources, flags, selectors, count, err);
}

enum gsc_status gsc_select_both(struct gsc_selection **out, const struct gsc_gpu *a,
				const struct gsc_gpu *b, const char *const *selectors,
				size_t count, struct gsc_error *err)
{
	struct gsc_source *sources[SELECTED_SOURCES] = { a ? a->source : NULL,
							 b ? b->source : NULL };

	return select_in(out, a ? a->view : b->view, sources, 0, selectors, count, err);
}

void gsc_selection_free(struct gsc_selection *s)
{
	if (!s)
		return;
	vec_free(&s->items);
	vec_free(&s->loose);
	vec_free(&s->picks);
	vec_free(&s->fields);
	free(s->item_of);
	free(s);
}
