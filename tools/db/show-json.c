/* SPDX-License-Identifier: MIT */
/* gpu-db show, for programs. */
#include "show.h"

#include <stdio.h>

static void json_platforms(const struct common *common, struct gsc_json *json, uint64_t platforms)
{
	struct gsc_platform p;

	gsc_json_array(json, "platforms");
	for (unsigned i = 0; gsc_platform_at(common->db, i, &p); i++)
		if (platforms >> i & 1)
			gsc_json_string(json, NULL, p.name);
	gsc_json_array_end(json);
}

static void json_where(const struct common *common, struct gsc_json *json, uint64_t platforms,
		       const struct gsc_revisions *revisions)
{
	json_platforms(common, json, platforms);
	if (!(platforms & revisions->platforms)) {
		gsc_json_null(json, "revisions");
		return;
	}
	gsc_json_object(json, "revisions");
	json_platforms(common, json, platforms & revisions->platforms);
	gsc_json_number(json, "first", revisions->lo);
	gsc_json_number(json, "last", revisions->hi);
	gsc_json_object_end(json);
}

static void json_places(const struct common *common, struct gsc_json *json,
			const struct gsc_item *item)
{
	struct gsc_place place;

	gsc_json_array(json, "places");
	for (size_t i = 0; gsc_item_place(common->db, item, i, &place); i++) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "space", gsc_space_name(place.space));
		gsc_json_hex(json, "offset", place.offset);
		gsc_json_bool(json, "relative", place.relative);
		db_json_engines(json, "engine", place.engines, place.instance);
		if (place.count)
			gsc_json_number(json, "count", place.count);
		else
			gsc_json_null(json, "count");
		gsc_json_number(json, "stride", place.stride);
		json_where(common, json, place.platforms, &place.revisions);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

void show_regs_json(struct gsc_json *json, struct show_regs *regs)
{
	struct gsc_reg reg;

	gsc_json_array(json, "registers");
	while (regs->view && show_reg_next(regs, &reg)) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "engine", reg.engine);
		if (reg.index >= 0)
			gsc_json_number(json, "index", (uint64_t)reg.index);
		else
			gsc_json_null(json, "index");
		gsc_json_string(json, "space", gsc_space_name(reg.space));
		gsc_json_hex(json, "offset", reg.offset);
		gsc_json_string(json, "wake", reg.wake);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

static void json_hazards(const struct common *common, struct gsc_json *json,
			 const struct gsc_item *item)
{
	struct gsc_hazard hazard;

	gsc_json_array(json, "hazards");
	for (size_t i = 0; gsc_item_hazard(common->db, item, i, &hazard); i++) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "kind", hazard.flag & GSC_REG_HAZARD_READ ? "read" :
				hazard.flag & GSC_REG_HAZARD_HANG ? "hang" : "write");
		gsc_json_string(json, "text", hazard.why);
		if (hazard.bits)
			gsc_json_hex(json, "bits", hazard.bits);
		else
			gsc_json_null(json, "bits");
		json_where(common, json, hazard.platforms, &hazard.revisions);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

static void json_behaviour(const struct common *common, struct gsc_json *json,
			   const struct gsc_item *item)
{
	struct gsc_reg selector;

	gsc_json_bool(json, "volatile", item->flags & GSC_REG_VOLATILE);
	gsc_json_bool(json, "multicast", item->flags & GSC_REG_MULTICAST);
	gsc_json_string(json, "steering",
			show_steering(common, item, &selector) ? selector.name : NULL);
}

static void json_prints(const struct common *common, struct gsc_json *json,
			const struct gsc_item *item)
{
	struct gsc_print print;

	gsc_json_array(json, "in_dumps");
	for (size_t i = 0; gsc_item_print(common->db, item, i, &print); i++) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "key", print.key);
		if (print.placed)
			gsc_json_hex(json, "offset", print.offset);
		else
			gsc_json_null(json, "offset");
		gsc_json_bool(json, "relative", print.relative);
		json_where(common, json, print.platforms, &print.revisions);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

static void json_register(const struct common *common, struct gsc_json *json,
			  const struct gsc_item *item)
{
	struct show_regs regs = { .view = common->view, .def = item->def };
	bool reset = item->flags & GSC_REG_HAS_RESET;

	gsc_json_string(json, "group", item->group);
	db_json_access(json, item->access);
	if (reset)
		gsc_json_hex(json, "reset", item->reset);
	else
		gsc_json_null(json, "reset");
	if (reset)
		gsc_json_hex(json, "reset_mask", item->bits >= 64 ? item->reset_mask :
			     item->reset_mask & ((UINT64_C(1) << item->bits) - 1));
	else
		gsc_json_null(json, "reset_mask");
	json_behaviour(common, json, item);
	json_hazards(common, json, item);
	json_places(common, json, item);
	json_prints(common, json, item);
	show_regs_json(json, &regs);
}

static void json_command(struct gsc_json *json, const struct gsc_item *item)
{
	char text[40];

	db_json_engines(json, "engine", item->engines, -1);
	gsc_json_hex(json, "mask", item->mask);
	gsc_json_hex(json, "value", item->value);
	gsc_json_string(json, "length", db_length(item, text, sizeof(text)));
}

static void json_entry(const struct common *common, struct gsc_json *json,
		       const struct gsc_item *item)
{
	struct gsc_fact fact;
	size_t i = 0;

	db_json_entry(common, json, item);
	if (!common->view) {
		gsc_json_null(json, "facts");
		return;
	}
	gsc_json_array(json, "facts");
	while (db_fact_next(common, item, &i, &fact)) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "text", fact.text);
		db_json_origin(common, json, fact.document, fact.section);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

/* ---- fields --------------------------------------------------------------------------------- */

static void json_values(struct gsc_json *json, const struct gsc_field_iter *it)
{
	struct gsc_value value;

	gsc_json_array(json, "values");
	for (size_t i = 0; gsc_field_value(it, i, &value); i++) {
		gsc_json_object(json, NULL);
		gsc_json_hex(json, "first", value.lo);
		gsc_json_hex(json, "last", value.hi);
		gsc_json_string(json, "name", value.name);
		gsc_json_string(json, "doc", value.doc);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

static void json_amount(struct gsc_json *json, const char *key, const struct gsc_amount *amount)
{
	char text[200];

	if (amount->field)
		snprintf(text, sizeof(text), "%s*%u", amount->field, amount->number);
	else
		snprintf(text, sizeof(text), "%u", amount->number);
	gsc_json_string(json, key, amount->number ? text : NULL);
}

/* What lies where the field points to. */
static void json_pointer(struct gsc_json *json, const struct gsc_form *form)
{
	static const struct gsc_amount none;
	char text[200];

	gsc_json_string(json, "base", form->base);
	json_amount(json, "count", form->in_bytes ? &none : &form->count);
	json_amount(json, "bytes", form->in_bytes ? &form->count : &none);
	json_amount(json, "most", &form->most);
	gsc_json_string(json, "end", form->last);
	if (form->only)
		snprintf(text, sizeof(text), "%s%s0x%llx", form->only, form->only_not ? "!=" : "=",
			 (unsigned long long)form->only_value);
	gsc_json_string(json, "if", form->only ? text : NULL);
}

static void json_form(struct gsc_json *json, const struct gsc_form *form)
{
	char text[200];

	gsc_json_string(json, "type", form->type);
	gsc_json_string(json, "address_space", form->address);
	gsc_json_number(json, "fraction", form->fraction);
	gsc_json_number(json, "add", form->add);
	gsc_json_number(json, "shift", form->shift);
	gsc_json_number(json, "multiply", form->multiply);
	gsc_json_number(json, "divide", form->divide);
	gsc_json_string(json, "unit", form->unit);
	gsc_json_string(json, "join", form->join);
	gsc_json_string(json, "target", form->target);
	json_pointer(json, form);
	if (form->when)
		snprintf(text, sizeof(text), "%s%s0x%llx", form->when,
			 form->when_not ? "!=" : "=", (unsigned long long)form->when_value);
	gsc_json_string(json, "when", form->when ? text : NULL);
}

static void json_field(const struct common *common, struct gsc_json *json,
		       const struct gsc_item *item, const struct gsc_field_iter *it,
		       const struct gsc_field *field)
{
	struct gsc_form form;

	gsc_field_form(it, &form);
	gsc_json_object(json, NULL);
	gsc_json_string(json, "name", field->name);
	gsc_json_number(json, "dword", field->dword);
	gsc_json_number(json, "hi", field->hi);
	gsc_json_number(json, "lo", field->lo);
	gsc_json_string(json, "reserved", field->flags & GSC_FIELD_MBZ ? "zero" :
			field->flags & GSC_FIELD_MBO ? "ones" :
			field->flags & GSC_FIELD_IGNORED ? "ignored" : NULL);
	json_form(json, &form);
	db_json_access(json, field->access);
	json_where(common, json, field->platforms & item->platforms, &field->revisions);
	gsc_json_string(json, "doc", field->doc);
	json_values(json, it);
	gsc_json_object_end(json);
}

static void json_fields(const struct common *common, struct gsc_json *json,
			const struct gsc_item *item, struct gsc_field_iter *it)
{
	struct gsc_field field;

	gsc_json_array(json, "fields");
	while (db_field_next(common->view, it, &field))
		json_field(common, json, item, it, &field);
	gsc_json_array_end(json);
}

static void json_repeats(const struct common *common, struct gsc_json *json,
			 const struct gsc_item *item)
{
	struct gsc_repeat repeat;
	struct gsc_field_iter it;

	gsc_json_array(json, "repeats");
	for (size_t i = 0; gsc_item_repeat(common->db, NULL, item, i, &repeat, &it); i++) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "name", repeat.name);
		gsc_json_number(json, "dword", repeat.at);
		gsc_json_number(json, "dwords", repeat.size);
		if (repeat.count)
			gsc_json_number(json, "count", repeat.count);
		else
			gsc_json_string(json, "count", repeat.count_field);
		json_fields(common, json, item, &it);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

void show_json(const struct common *common, struct gsc_json *json, const struct gsc_item *item)
{
	struct gsc_field_iter it;
	const char *alias;

	gsc_json_string(json, "kind", db_kind(item->kind));
	gsc_json_string(json, "name", item->name);
	gsc_json_array(json, "aliases");
	for (size_t i = 0; (alias = gsc_item_alias(common->db, item, i, NULL)); i++)
		gsc_json_string(json, NULL, alias);
	gsc_json_array_end(json);
	gsc_json_string(json, "doc", item->doc);
	json_where(common, json, item->platforms, &item->revisions);
	gsc_json_bool(json, "user", item->flags & GSC_REG_USER);
	if (item->kind == GSC_COMMAND)
		gsc_json_null(json, "size");
	else
		gsc_json_number(json, "size", item->bits / 8);
	if (item->kind == GSC_REGISTER)
		json_register(common, json, item);
	else if (item->kind == GSC_COMMAND)
		json_command(json, item);
	else if (item->kind == GSC_ENTRY)
		json_entry(common, json, item);
	gsc_item_fields(common->db, NULL, item, NULL, 0, &it);
	json_fields(common, json, item, &it);
	if (item->kind == GSC_COMMAND || item->kind == GSC_STRUCTURE)
		json_repeats(common, json, item);
	db_json_origin(common, json, item->document, item->section);
	gsc_json_string(json, "document", db_title(common->db, item->document));
	gsc_json_string(json, "file", item->file);
	gsc_json_number(json, "line", item->line);
}
