/* SPDX-License-Identifier: MIT */
/* gpu-db show: everything about a definition, all its variants. */
#include "gpu-db.h"

#include "regs/regs.h"
#include "util/text.h"

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

/* A condition on a field that the platform lacks leads nowhere. */
bool show_lead_next(const struct common *common, const struct gsc_item *item, size_t *i,
		    struct gsc_lead *lead)
{
	while (gsc_item_lead(common->db, item, (*i)++, lead)) {
		struct gsc_field_iter it;
		struct gsc_field field;

		if (!lead->field || !common->gpu)
			return true;
		gsc_item_fields(common->db, NULL, item, NULL, 0, &it);
		while (definition_next(view_of(common), &it, &field))
			if (!strcmp(field.name, lead->field))
				return true;
	}
	return false;
}

bool show_note_next(const struct common *common, const struct gsc_item *item, size_t *i,
		    struct gsc_note *note)
{
	while (gsc_item_note(common->db, item, i, note))
		if (db_sees(common, note->platforms, &note->revisions))
			return true;
	return false;
}

/* The entries that modes share are listed under the first of these modes. */
bool show_fact_next(const struct common *common, const struct gsc_item *item, size_t *i,
		    struct gsc_fact *fact)
{
	enum gsc_mode mode;
	char name[16];

	string_set(name, "%.*s", (int)strcspn(item->modes, ","), item->modes);
	return common->gpu && gsc_mode_by_name(name, &mode) &&
	       gsc_fact(view_of(common), mode, item->level, i, fact);
}

/* ---- the command ---------------------------------------------------------------------------- */

static bool collect_one(db_items *items, const struct common *common, struct db_name *name,
			const struct gsc_item *item)
{
	struct show_regs regs = { .view = view_of(common), .def = item->def };
	uint64_t platforms = db_item_fits(common->db, item, name);
	struct gsc_reg reg;

	if (!(common->gpu ? platforms >> platform_of(common)->index & 1 : platforms != 0) ||
	    (common->gpu && item->kind == GSC_REGISTER && !show_reg_next(&regs, &reg)) ||
	    (item->kind != GSC_REGISTER && !db_sees(common, item->platforms, &item->revisions)))
		return true;
	name->met = true;
	return vec_push(items, *item);
}

static int compare_defs(const void *a, const void *b)
{
	const struct gsc_match *x = a, *y = b;

	return x->def < y->def ? -1 : x->def > y->def;
}

/*
 * The registers with one name, in the order of their definitions, without going through all others.
 */
static bool collect_named(db_items *items, const struct common *common, struct db_name *name)
{
	size_t count = gsc_db_find(common->db, name->name, NULL, 0);
	struct gsc_match *matches = calloc(count + 1, sizeof(*matches));
	struct gsc_item item;
	bool done = matches;

	if (done) {
		gsc_db_find(common->db, name->name, matches, count);
		qsort(matches, count, sizeof(*matches), compare_defs);
	}
	for (size_t i = 0; done && i < count; i++)
		/* Several of its names may be this one. */
		if ((!i || matches[i].def != matches[i - 1].def) &&
		    gsc_item_by_def(common->db, GSC_REGISTER, matches[i].def, &item))
			done = collect_one(items, common, name, &item);
	free(matches);
	return done;
}

/* Name by name, in the given order; for each the user's definitions first. */
static bool collect(db_items *items, const struct common *common, struct db_filter *filter)
{
	struct gsc_item item;
	bool done = true;

	for (size_t n = 0; n < filter->count && done; n++) {
		struct db_name *name = &filter->names[n];
		unsigned kinds = DB_ALL_KINDS;
		struct db_cursor at = { 0 };

		if (db_name_is_one(name)) {
			done = collect_named(items, common, name);
			kinds &= ~(1u << GSC_REGISTER);
		}
		while (done && db_next(common->db, kinds, &at, &item))
			done = collect_one(items, common, name, &item);
	}
	return done;
}

KEYS(show)
static void print_json(const struct common *common, const db_items *items)
{
	struct gsc_json document, *json = &document;

	source_document(common, DB_SCHEMA, json);
	KEY_LIST("definitions", MIN_ITEMS(1),
		 OF(shownRegister, shownCommand, shownStructure, shownEntry, shownInstruction,
		    shownTopic, workaround));
	for (size_t i = 0; i < items->count && !gsc_out_error(common->out); i++)
		ITEM(show_json(common, json, &items->items[i]));
	gsc_json_finish(json);
}

enum gsc_status show_run(struct common *common, struct gsc_error *err)
{
	struct db_filter filter = { 0 };
	db_items items = { 0 };
	enum gsc_status status = db_open(common, false, err);

	if (!status)
		status = db_filter_make(&filter, common, DB_REGISTERS, err);
	if (!status && !collect(&items, common, &filter))
		status = err_memory(err);
	if (!status)
		status = db_filter_missed(&filter, common, DB_ALL_KINDS, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status && wants_json(common))
		print_json(common, &items);
	for (size_t i = 0; !status && !wants_json(common) && i < items.count &&
	     !gsc_out_error(common->out); i++) {
		if (i)
			gsc_out_end(common->out);
		show_text(common, &items.items[i]);
	}
	vec_free(&items);
	free(filter.names);
	return status;
}
