/* SPDX-License-Identifier: MIT */
/* gpu-db which: the definition of a name that applies on a platform, and why the others do not. */
#include "gpu-db.h"

#include "regs/regs.h"
#include "util/text.h"

#include <strings.h>

#define VERDICT 2
#define TEXT 8

/* Why a definition does not apply; "" if it does. */
typedef char reason_text[400];

struct which {
	struct common *common;
	const struct db_name *name;
	db_items items;		/* of that name */
};

/* ---- reasons -------------------------------------------------------------------------------- */

static bool not_for_part(const struct common *common, const struct gsc_item *item,
			 reason_text reason)
{
	char list[200];

	if (!(item->platforms >> platform_of(common)->index & 1)) {
		snprintf(reason, sizeof(reason_text), "it is for %s",
			 db_where(common->db, item->platforms, &item->revisions, list,
				  sizeof(list)));
		return true;
	}
	if (gsc_revision_fits(&item->revisions, platform_of(common)->index, common->revision))
		return false;
	snprintf(reason, sizeof(reason_text), "it is for revisions 0x%02x to 0x%02x%s",
		 item->revisions.lo, item->revisions.hi,
		 common->revision < 0 ? "; the latest is assumed (see --revision)" : "");
	return true;
}

static void no_engine(const struct common *common, unsigned engines, reason_text reason)
{
	char list[80];

	snprintf(reason, sizeof(reason_text), "%s has no %s", platform_of(common)->name,
		 db_engines(engines, -1, " and no ", list, sizeof(list)));
}

static bool taken_over(const struct gsc_reg *by, reason_text reason)
{
	snprintf(reason, sizeof(reason_text), "%s of %s:%u overrides it", by->name, by->file,
		 by->line);
	return true;
}

/* A register of the user that covers an address. */
static bool address_taken(const struct common *common, enum gsc_space space, uint64_t offset,
			  reason_text reason)
{
	uint64_t from = offset > 7 ? offset - 7 : 0;
	struct gsc_reg reg;

	for (size_t i = gsc_view_seek(view_of(common), space, from);
	     i < gsc_view_count(view_of(common)); i++) {
		gsc_view_reg(view_of(common), i, &reg);
		if (reg.space != space || reg.offset > offset)
			return false;
		if (reg.offset + (space == GSC_SIDEBAND ? 1 : reg.bits / 8) > offset &&
		    reg.flags & GSC_REG_USER)
			return taken_over(&reg, reason);
	}
	return false;
}

/* The engines of the platform that a place is for; each gives an address to check. */
static bool place_taken(const struct common *common, const struct gsc_place *place, bool *engines,
			reason_text reason)
{
	const unsigned platform = platform_of(common)->index;
	struct gsc_engine_place engine;

	if (!place->engines) {
		*engines = true;
		return address_taken(common, place->space, place->offset, reason);
	}
	for (size_t i = 0; gsc_platform_engine(common->db, platform, i, &engine); i++) {
		if (!(place->engines >> engine.engine_class & 1) ||
		    (place->instance >= 0 && (unsigned)place->instance != engine.instance))
			continue;
		*engines = true;
		if (address_taken(common, place->space,
				  place->offset + (place->relative ? engine.base : 0), reason))
			return true;
	}
	return false;
}

/* A register that the platform has by its predicate, but not in its view. */
static void why_not_placed(const struct common *common, const struct gsc_item *item,
			   reason_text reason)
{
	bool placed = false, engines = false, user = item->flags & GSC_REG_USER;
	struct gsc_place place;
	unsigned wanted = 0;
	struct gsc_reg reg;

	/* By a register of the user with that name. */
	for (size_t i = 0; !user && i < gsc_view_count(view_of(common)); i++) {
		gsc_view_reg(view_of(common), i, &reg);
		if (reg.flags & GSC_REG_USER && !strcasecmp(reg.name, item->name)) {
			taken_over(&reg, reason);
			return;
		}
	}
	for (size_t i = 0; gsc_item_place(common->db, item, i, &place); i++) {
		if (!gsc_view_sees(view_of(common), place.platforms, &place.revisions))
			continue;
		placed = true;
		wanted |= place.engines;
		if (place_taken(common, &place, &engines, reason))
			return;
	}
	if (!placed)
		snprintf(reason, sizeof(reason_text), "it has no address on this platform");
	else if (!engines)
		no_engine(common, wanted, reason);
	else
		snprintf(reason, sizeof(reason_text), "another definition takes its place");
}

static void why_not_reg(const struct which *which, const struct gsc_item *item, reason_text reason)
{
	const struct common *common = which->common;
	struct show_regs regs = { .view = view_of(common), .def = item->def, .name = which->name };
	struct gsc_reg reg;

	if (show_reg_next(&regs, &reg))
		return;
	regs = (struct show_regs){ .view = view_of(common), .def = item->def };
	if (!show_reg_next(&regs, &reg))
		why_not_placed(common, item, reason);
	else if (which->name->engines && !(which->name->engines & db_platform_engines(common)))
		no_engine(common, which->name->engines, reason);
	else
		snprintf(reason, sizeof(reason_text),
			 "it has this name or index only on other engines or platforms");
}

/* A definition of the user with the same kind and name overrides a built-in one. */
static void why_not_item(const struct which *which, const struct gsc_item *item, reason_text reason)
{
	const struct common *common = which->common;
	reason_text unused;

	for (size_t i = 0; i < which->items.count && !(item->flags & GSC_REG_USER) &&
	     item->kind != GSC_WORKAROUND; i++) {
		const struct gsc_item *other = &which->items.items[i];

		if (!(other->flags & GSC_REG_USER) || other->kind != item->kind ||
		    strcasecmp(other->name, item->name) || not_for_part(common, other, unused))
			continue;
		snprintf(reason, sizeof(reason_text), "%s:%u takes its place", other->file,
			 other->line);
		return;
	}
}

static bool applies(const struct which *which, const struct gsc_item *item, reason_text reason)
{
	const struct common *common = which->common;

	*reason = 0;
	if (item->kind == GSC_COMMAND && !(item->engines & db_platform_engines(common)))
		no_engine(common, item->engines, reason);
	else if (!not_for_part(common, item, reason))
		(item->kind == GSC_REGISTER ? why_not_reg : why_not_item)(which, item, reason);
	return !*reason;
}

/* ---- output --------------------------------------------------------------------------------- */

static void put_item(const struct which *which, const struct gsc_item *item, const char *reason)
{
	struct show_regs regs = { .view = view_of(which->common), .def = item->def,
				  .name = which->name };
	struct gsc_out *out = which->common->out;
	char text[5000];
	bool yes = !*reason;

	gsc_out_pad(out, VERDICT);
	text_styled(out, yes ? GSC_STYLE_BOLD : GSC_STYLE_DIM, yes ? "yes" : "no");
	if (!yes)
		db_wrap(out, TEXT, reason);
	else if (item->kind == GSC_REGISTER)
		show_regs_text(out, &regs, TEXT);
	else
		db_wrap(out, TEXT, gsc_kind_word(item->kind));
	string_set(text, "%s, %s:%u", item->name, item->file, item->line);
	if (item->document)
		string_add(text, ", %s %s", item->document, item->section);
	db_wrap(out, TEXT, text);
}

KEYS(applying, "asked: the name as it was given. reason: why it does not apply, else null.")
static void json_item(struct gsc_json *json, const struct which *which,
		      const struct gsc_item *item, const char *reason)
{
	const struct common *common = which->common;
	struct show_regs regs = { .view = view_of(common), .def = item->def, .name = which->name };
	char text[600];
	bool yes = !*reason;

	KEY(text, "asked", which->name->text);
	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF(gsc_kind_word));
	KEY(text, "name", item->name);
	KEY(flag, "applies", yes);
	KEY(text_or_null, "reason", yes ? NULL : reason);
	if (item->kind != GSC_REGISTER || !yes)
		regs.view = NULL;
	show_regs_json(json, &regs);
	KEY(text, "platforms", db_where(common->db, item->platforms, &item->revisions, text,
					sizeof(text)));
	KEY(flag, "user", item->flags & GSC_REG_USER);
	db_json_origin(common, json, item->document, item->section);
	KEY(text, "file", item->file);
	KEY(number, "line", item->line);
}

static void put_address(const struct common *common, uint64_t address)
{
	const struct gsc_view *view = view_of(common);
	struct gsc_out *out = common->out;
	char text[900], part[RANGE_TEXT_MAX];
	struct gsc_range range;
	struct gsc_reg reg;
	bool any = false;

	gsc_out_pad(out, VERDICT);
	gsc_out_text(out, "in");
	for (size_t i = 0; gsc_range_next(view, address, &i, &range); any = true) {
		string_set(text, "0x%06llx-0x%06llx  %s", LL(range.start), LL(range.last),
			   gsc_range_text(&range, part, sizeof(part)));
		reg = (struct gsc_reg){ .offset = address, .flags = GSC_REG_MULTICAST };
		if (range.use == RANGE_STEERED && gsc_reg_steering(view, &reg, &reg))
			string_add(text, ", selected by %s", reg.name);
		if (range.document)
			string_add(text, " (%s, %s)", range.document, range.section);
		db_wrap(out, TEXT, text);
	}
	if (!any)
		db_wrap(out, TEXT, "no documented range");
	for (int side = -1; side <= 1; side += 2) {
		if (!db_reg_near(view, address, side, &reg, part))
			continue;
		gsc_out_pad(out, VERDICT);
		gsc_out_text(out, side < 0 ? "prev" : "next");
		string_set(text, "0x%06llx  %s", LL(reg.offset), part);
		db_wrap(out, TEXT, text);
	}
}

KEYS(address, "What is known about an address of MMIO. name: of the register there, or null. "
     "ranges: all that contain it. below, above: the next registers.")
static void json_address(const struct common *common, struct gsc_json *json,
			 const struct db_name *name)
{
	const struct gsc_view *view = view_of(common);
	uint64_t address = name->address;
	struct gsc_range range;
	char text[REG_NAME_MAX];
	struct gsc_reg reg;
	size_t i = 0;

	KEY(text, "asked", name->text);
	KEY(text, "kind", "address", ONE_OF("address"));
	KEY(hex, "offset", address);
	KEY(text_or_null, "name", db_reg_near(view, address, 0, &reg, text));
	gsc_json_owner(json, view, GSC_MMIO, address);
	KEY_EACH(object, "ranges", while (gsc_range_next(view, address, &i, &range)),
		 db_json_range(common, json, &range));
	KEY(text_or_null, "below", db_reg_near(view, address, -1, &reg, text));
	KEY(text_or_null, "above", db_reg_near(view, address, 1, &reg, text));
}

/* ---- the command ---------------------------------------------------------------------------- */

static bool collect(struct which *which, struct db_name *name)
{
	struct db_cursor at = { 0 };
	struct gsc_item item;

	which->name = name;
	which->items.count = 0;
	while (db_next(which->common->db, DB_ALL_KINDS, &at, &item)) {
		if (!db_item_fits(which->common->db, &item, name))
			continue;
		name->met = true;
		if (!vec_push(&which->items, item))
			return false;
	}
	return true;
}

KEYS(which)
static enum gsc_status print(struct which *which, struct db_filter *filter, struct gsc_error *err)
{
	struct common *common = which->common;
	bool is_json = wants_json(common), any;
	reason_text reason;
	const struct db_name *last = NULL;
	size_t missed = 0;
	struct gsc_json document, *json = &document;
	struct gsc_range range;
	char what[300], why[120];

	if (is_json) {
		source_document(common, DB_SCHEMA, json);
		KEY_LIST("definitions", OF(applying, address), MIN_ITEMS(1));
	}
	for (size_t n = 0; n < filter->count; n++) {
		if (!collect(which, &filter->names[n]))
			return err_memory(err);
		if (!is_json) {
			string_set(what, "%s on %s", which->name->text, platform_of(common)->name);
			if (common->revision >= 0)
				string_add(what, ", revision 0x%02x", (unsigned)common->revision);
			text_styled(common->out, GSC_STYLE_BOLD, what);
			gsc_out_end(common->out);
		}
		any = false;
		for (size_t i = 0; i < which->items.count; i++) {
			const struct gsc_item *item = &which->items.items[i];

			any |= applies(which, item, reason);
			if (is_json)
				ITEM(json_item(json, which, item, reason));
			/* What lies at an address elsewhere is not the question. */
			else if (!*reason || !which->name->placed || common->verbose)
				put_item(which, item, reason);
		}
		if (which->name->placed && is_json)
			ITEM(json_address(common, json, which->name));
		else if (which->name->placed)
			put_address(common, which->name->address);
		for (unsigned use = RANGE_TOLD; which->name->placed && use <= RANGE_OWNED; use++)
			any |= gsc_view_range(view_of(common), use, GSC_MMIO, which->name->address,
					      &range);
		if (any)
			continue;
		last = which->name;
		missed++;
	}
	if (is_json)
		gsc_json_finish(json);
	if (!missed)
		return GSC_OK;
	string_set(what, "%s", last->text);
	if (missed > 1)
		string_set(what, "%zu of %zu names", missed, filter->count);
	string_set(why, "no %s on %s", last->placed ? "documented owner" :
		   "definition of this name", platform_of(common)->name);
	complain(common, GSC_UNKNOWN, what, why);
	return GSC_UNKNOWN;
}

enum gsc_status which_run(struct common *common, struct gsc_error *err)
{
	struct which which = { .common = common };
	struct db_filter filter = { 0 };
	enum gsc_status status = db_open(common, true, err);

	if (!status)
		status = db_filter_make(&filter, common, DB_ADDRESSES, err);
	for (size_t n = 0; n < filter.count && !status; n++)
		if (!collect(&which, &filter.names[n]))
			status = err_memory(err);
	if (!status)
		status = db_filter_missed(&filter, common, DB_ALL_KINDS, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		status = print(&which, &filter, err);
	vec_free(&which.items);
	free(filter.names);
	return status;
}
