/* SPDX-License-Identifier: MIT */
/* gpu-db show: everything about a definition, all its variants. */
#include "db-show.h"

#include <stdlib.h>

bool show_reg_next(struct show_regs *regs, struct gsc_reg *reg)
{
	while (regs->next < gsc_view_count(regs->view)) {
		gsc_view_reg(regs->view, regs->next++, reg);
		if (reg->def == regs->def &&
		    (!regs->name || db_reg_fits(regs->view, reg, regs->name)))
			return true;
	}
	return false;
}

bool show_steering(const struct common *common, const struct gsc_item *item,
		   struct gsc_reg *selector)
{
	struct show_regs regs = { .view = common->view, .def = item->def };
	struct gsc_reg reg;

	return common->view && show_reg_next(&regs, &reg) &&
	       gsc_reg_steering(common->view, &reg, selector);
}

/* Does the platform, if there is one, have it? */
static bool applies(const struct common *common, const struct gsc_item *item)
{
	struct show_regs regs = { .view = common->view, .def = item->def };
	struct gsc_reg reg;

	if (!common->view)
		return true;
	if (item->kind == GSC_REGISTER)
		return show_reg_next(&regs, &reg);
	return item->platforms >> common->platform.index & 1 &&
	       (common->revision < 0 || ((unsigned)common->revision >= item->rev_lo &&
					 (unsigned)common->revision <= item->rev_hi));
}

static bool fits_name(const struct db_filter *filter, size_t n, const struct common *common,
		      const struct gsc_item *item)
{
	uint64_t platforms = db_item_fits(common->db, item, &filter->names[n]);

	return common->view ? platforms >> common->platform.index & 1 : platforms != 0;
}

/* Name by name, in the order they were given; of each the user's definitions first. */
static bool collect(struct db_items *items, const struct common *common,
		    struct db_filter *filter)
{
	struct gsc_item item;

	for (size_t n = 0; n < filter->count; n++)
		for (unsigned kind = GSC_REGISTER; kind <= GSC_ENTRY; kind++)
			for (size_t i = 0; gsc_item_at(common->db, (enum gsc_kind)kind, i, &item);
			     i++) {
				if (!fits_name(filter, n, common, &item) ||
				    !applies(common, &item))
					continue;
				filter->met[n] = true;
				if (!db_items_add(items, &item))
					return false;
			}
	return true;
}

static void print_json(const struct common *common, const struct db_items *items)
{
	struct gsc_json json;

	db_json_begin(common, &json);
	gsc_json_list(&json, "definitions");
	for (size_t i = 0; i < items->count && !gsc_out_error(common->out); i++) {
		gsc_json_object(&json, NULL);
		show_json(common, &json, &items->items[i]);
		gsc_json_object_end(&json);
	}
	gsc_json_list_end(&json);
	gsc_json_finish(&json);
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
		status = db_filter_make(&filter, common, err);
	if (!status && !collect(&items, common, &filter))
		status = memory_error(err);
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
