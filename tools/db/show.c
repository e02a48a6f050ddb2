/* SPDX-License-Identifier: MIT */
/* gpu-db show: everything about a definition, all its variants. */
#include "show.h"

#include <stdlib.h>

bool show_reg_next(struct show_regs *regs, struct gsc_reg *reg)
{
	const struct gsc_view *view = regs->view;

	while ((regs->next = gsc_view_next(view, regs->next, regs->def)) < gsc_view_count(view)) {
		gsc_view_reg(view, regs->next++, reg);
		if (!regs->name || db_reg_fits(view, reg, regs->name))
			return true;
	}
	return false;
}

bool show_steering(const struct common *common, const struct gsc_item *item,
		   struct gsc_reg *selector)
{
	struct show_regs regs = { .view = view_of(common), .def = item->def };
	struct gsc_reg reg = { .flags = item->flags };

	selector->name = NULL;
	if (common->gpu && show_reg_next(&regs, &reg) &&
	    !gsc_reg_steering(view_of(common), &reg, selector))
		selector->name = NULL;
	return reg.flags & GSC_REG_MULTICAST;
}

/* Does the platform, if there is one, have it? */
static bool applies(const struct common *common, const struct gsc_item *item)
{
	struct show_regs regs = { .view = view_of(common), .def = item->def };
	struct gsc_reg reg;

	if (!common->gpu)
		return true;
	if (item->kind == GSC_REGISTER)
		return show_reg_next(&regs, &reg);
	return gsc_view_sees(view_of(common), item->platforms, &item->revisions);
}

static bool fits_name(const struct db_filter *filter, size_t n, const struct common *common,
		      const struct gsc_item *item)
{
	uint64_t platforms = db_item_fits(common->db, item, &filter->names[n]);

	return common->gpu ? platforms >> platform_of(common)->index & 1 : platforms != 0;
}

static bool collect_one(struct db_items *items, const struct common *common,
			struct db_filter *filter, size_t n, const struct gsc_item *item)
{
	if (!fits_name(filter, n, common, item) || !applies(common, item))
		return true;
	filter->met[n] = true;
	return db_items_add(items, item);
}

static int compare_defs(const void *a, const void *b)
{
	const struct gsc_match *x = a, *y = b;

	return x->def < y->def ? -1 : x->def > y->def;
}

/*
 * The registers with one name, in the order of their definitions, without going through all others.
 */
static bool collect_named(struct db_items *items, const struct common *common,
			  struct db_filter *filter, size_t n)
{
	const char *name = filter->names[n].name;
	size_t count = gsc_db_find(common->db, name, NULL, 0);
	struct gsc_match *matches = calloc(count + 1, sizeof(*matches));
	struct gsc_item item;
	bool done = matches;

	if (done)
		gsc_db_find(common->db, name, matches, count);
	if (done)
		qsort(matches, count, sizeof(*matches), compare_defs);
	for (size_t i = 0; done && i < count; i++) {
		/* Several of its names may be this one. */
		if (i && matches[i].def == matches[i - 1].def)
			continue;
		if (gsc_item_by_def(common->db, GSC_REGISTER, matches[i].def, &item))
			done = collect_one(items, common, filter, n, &item);
	}
	free(matches);
	return done;
}

static bool collect_kind(struct db_items *items, const struct common *common,
			 struct db_filter *filter, size_t n, enum gsc_kind kind)
{
	struct gsc_item item;

	if (kind == GSC_REGISTER && db_name_is_one(&filter->names[n]))
		return collect_named(items, common, filter, n);
	for (size_t i = 0; gsc_item_at(common->db, kind, i, &item); i++)
		if (!collect_one(items, common, filter, n, &item))
			return false;
	return true;
}

/* Name by name, in the given order; for each the user's definitions first. */
static bool collect(struct db_items *items, const struct common *common,
		    struct db_filter *filter)
{
	for (size_t n = 0; n < filter->count; n++)
		for (unsigned kind = GSC_REGISTER; kind <= GSC_INSTRUCTION; kind++)
			if (!collect_kind(items, common, filter, n, (enum gsc_kind)kind))
				return false;
	return true;
}

KEYS(show)
static void print_json(const struct common *common, const struct db_items *items)
{
	struct gsc_json document, *json = &document;

	db_json_begin(common, json);
	KEY_LIST("definitions", MIN_ITEMS(1),
		 OF(shownRegister, shownCommand, shownStructure, shownEntry, shownInstruction));
	for (size_t i = 0; i < items->count && !gsc_out_error(common->out); i++) {
		ITEM(show_json(common, json, &items->items[i]));
	}
	gsc_json_list_end(json);
	gsc_json_finish(json);
}

static void print_text(const struct common *common, const struct db_items *items)
{
	for (size_t i = 0; i < items->count && !gsc_out_error(common->out); i++) {
		if (i)
			gsc_out_end(common->out);
		show_text(common, &items->items[i]);
	}
}

enum gsc_status show_run(struct common *common, struct gsc_error *err)
{
	struct db_filter filter = { 0 };
	struct db_items items = { 0 };
	enum gsc_status status = db_open(common, false, err);

	if (!status)
		status = db_filter_places(&filter, common, err);
	if (!status && !collect(&items, common, &filter))
		status = err_memory(err);
	if (!status)
		status = db_filter_missed(&filter, common, DB_ALL_KINDS, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		(wants_json(common) ? print_json : print_text)(common, &items);
	free(items.items);
	db_filter_free(&filter);
	return status;
}
