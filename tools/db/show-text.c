/* SPDX-License-Identifier: MIT */
/* gpu-db show, for people: 80 columns. */
#include "cli/text.h"
#include "show.h"
#include "eu/program.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

#define LABEL 2
#define TEXT 14
#define FIELD_BITS 4
#define FIELD_NAME 16
#define FIELD_FORM 46
#define VALUE_NUMBER 18
#define VALUE_NAME 26

static void put_label(struct gsc_out *out, const char *label)
{
	gsc_out_pad(out, LABEL);
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_text(out, label);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

static void put_line(struct gsc_out *out, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	put_label(out, label);
	db_wrap(out, TEXT, text);
}

/* ---- where it lies -------------------------------------------------------------------------- */

/* Whether what belongs to an item has fewer platforms than the item. */
static bool is_elsewhere(const struct gsc_item *item, uint64_t platforms,
			 const struct gsc_revisions *revisions)
{
	const struct gsc_revisions *own = &item->revisions;

	return platforms != item->platforms || revisions->platforms != own->platforms ||
	       (own->platforms && (revisions->lo != own->lo || revisions->hi != own->hi));
}

/* "+0x80 of rcs, bcs; [16], 8 bytes apart; on snb..hsw" */
static void place_text(const struct gsc_db *db, const struct gsc_item *item,
		       const struct gsc_place *place, char *buf, size_t size)
{
	char at[64], engines[80], array[64] = "", where[200] = "", list[160];

	db_place(place, at, sizeof(at));
	db_engines(place->engines, place->instance, ", ", engines, sizeof(engines));
	if (place->count)
		snprintf(array, sizeof(array), ", %u of them, every 0x%x bytes", place->count,
			 place->stride);
	if (is_elsewhere(item, place->platforms, &place->revisions))
		snprintf(where, sizeof(where), ", on %s",
			 db_where(db, place->platforms, &place->revisions, list, sizeof(list)));
	snprintf(buf, size, "%s%s%s%s%s", at, *engines ? " of " : "", engines, array, where);
}

static void put_places(const struct common *common, const struct gsc_item *item)
{
	struct gsc_place place;
	char text[500];

	for (size_t i = 0; gsc_item_place(common->db, item, i, &place); i++) {
		place_text(common->db, item, &place, text, sizeof(text));
		put_line(common->out, i ? "" : "at", text);
	}
}

static void reg_text(const struct gsc_reg *reg, char *buf, size_t size)
{
	char index[16] = "";

	if (reg->index >= 0)
		snprintf(index, sizeof(index), "[%d]", reg->index);
	snprintf(buf, size, "%s%s0x%06llx%s%s%s%s", reg->space == GSC_MMIO ? "" :
		 gsc_space_name(reg->space), reg->space == GSC_MMIO ? "" : ":",
		 (unsigned long long)reg->offset, reg->engine || *index ? " " : "",
		 reg->engine ? reg->engine : "", reg->engine && *index ? " " : "", index);
}

bool show_regs_text(struct gsc_out *out, struct show_regs *regs, unsigned column)
{
	struct gsc_reg reg, last;
	bool more = show_reg_next(regs, &reg), any = more;
	char text[80], to[80], line[200];

	while (more) {
		bool folded = false;

		reg_text(&reg, text, sizeof(text));
		last = reg;
		while ((more = show_reg_next(regs, &reg)) && last.index >= 0 &&
		       reg.index == last.index + 1 && reg.engine == last.engine &&
		       reg.wake == last.wake) {
			last = reg;
			folded = true;
		}
		reg_text(&last, to, sizeof(to));
		snprintf(line, sizeof(line), "%s%s%s%s%s", text, folded ? " to " : "",
			 folded ? to : "", last.wake ? ", forcewake " : "",
			 last.wake ? last.wake : "");
		db_wrap(out, column, line);
	}
	return any;
}

/* ---- what it is ----------------------------------------------------------------------------- */

/* " (skl..tgl)" if a name applies only to some of the item's platforms. */
static const char *alias_where(const struct common *common, const struct gsc_item *item,
			       uint64_t platforms, char *buf, size_t size)
{
	char list[200];

	*buf = 0;
	if (platforms != item->platforms)
		snprintf(buf, size, " (%s)",
			 db_platforms(common->db, platforms, list, sizeof(list)));
	return buf;
}

static void put_aliases(const struct common *common, const struct gsc_item *item)
{
	struct gsc_match matches[64];
	const char *alias;
	char text[2000], engines[80], where[220];
	uint64_t on;

	*text = 0;
	for (size_t i = 0; (alias = gsc_item_alias(common->db, item, i, &on)); i++) {
		size_t found = gsc_db_find(common->db, alias, matches, ARRAY_SIZE(matches));

		*engines = 0;
		for (size_t m = 0; m < found && m < ARRAY_SIZE(matches); m++)
			if (item->kind == GSC_REGISTER && matches[m].def == item->def &&
			    matches[m].engines)
				db_engines(matches[m].engines, matches[m].instance, ",", engines,
					   sizeof(engines));
		string_addf(text, sizeof(text), "%s%s%s%s%s", i ? ", " : "", engines,
		       *engines ? "." : "", alias,
		       alias_where(common, item, on, where, sizeof(where)));
	}
	put_line(common->out, "also", text);
}

/* "IER at 0x4446c (gen8+)", each on a separate line. */
static void put_prints(const struct common *common, const struct gsc_item *item)
{
	struct gsc_print print;
	char text[400], place[32], where[220];

	for (size_t i = 0; gsc_item_print(common->db, item, i, &print); i++) {
		*place = 0;
		if (print.placed)
			snprintf(place, sizeof(place), " at %s0x%llx", print.relative ? "+" : "",
				 (unsigned long long)print.offset);
		*where = 0;
		if (is_elsewhere(item, print.platforms, &print.revisions))
			db_where(common->db, print.platforms, &print.revisions, where,
				 sizeof(where));
		snprintf(text, sizeof(text), "%s%s%s%s%s", print.key, place, *where ? " (" : "",
			 where, *where ? ")" : "");
		put_line(common->out, i ? "" : "in dumps", text);
	}
}

static const char *access_words(unsigned access, char *buf, size_t size)
{
	static const struct { unsigned bit; const char *words; } words[] = {
		{ GSC_RO, "read only" },
		{ GSC_RW, "read and write" },
		{ GSC_WO, "write only" },
		{ GSC_W1C, "a 1 written clears the bit" },
		{ GSC_RC, "a read clears it" },
		{ GSC_MASKED, "bits 31:16 enable writes of 15:0" },
		{ GSC_STICKY, "latches the first event" },
	};

	*buf = 0;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (access & words[i].bit)
			append_word(buf, size, "; ", words[i].words);
	return buf;
}

static void put_reset(struct gsc_out *out, const struct gsc_item *item)
{
	unsigned digits = item->bits / 4;
	uint64_t all = item->bits >= 64 ? UINT64_MAX : (UINT64_C(1) << item->bits) - 1;
	char text[100];

	if (!(item->flags & GSC_REG_HAS_RESET))
		return;
	if ((item->reset_mask & all) == all)
		snprintf(text, sizeof(text), "0x%0*llx", digits, (unsigned long long)item->reset);
	else
		snprintf(text, sizeof(text), "0x%0*llx, documented for bits 0x%0*llx", digits,
			 (unsigned long long)item->reset, digits,
			 (unsigned long long)(item->reset_mask & all));
	put_line(out, "reset", text);
}

static void put_hazards(const struct common *common, const struct gsc_item *item)
{
	struct gsc_hazard hazard;
	char text[700], where[200], bits[32];

	for (size_t i = 0; gsc_item_hazard(common->db, item, i, &hazard); i++) {
		bool everywhere = !is_elsewhere(item, hazard.platforms, &hazard.revisions);

		if (common->gpu && !(hazard.platforms >> platform_of(common)->index & 1))
			continue;
		db_where(common->db, hazard.platforms, &hazard.revisions, where,
			 sizeof(where));
		*bits = 0;
		if (hazard.bits)
			snprintf(bits, sizeof(bits), " bits 0x%llx",
				 (unsigned long long)hazard.bits);
		snprintf(text, sizeof(text), "%s%s: %s%s%s%s",
			 hazard.flag & GSC_REG_HAZARD_READ  ? "reading" :
			 hazard.flag & GSC_REG_HAZARD_HANG ? "may hang" : "writing",
			 bits, hazard.why, everywhere ? "" : " (", everywhere ? "" : where,
			 everywhere ? "" : ")");
		put_line(common->out, "hazard", text);
	}
}

static void put_steering(const struct common *common, const struct gsc_item *item)
{
	struct gsc_reg selector;
	char text[200];

	if (!show_steering(common, item, &selector))
		return;
	if (selector.name)
		snprintf(text, sizeof(text),
			 "replicated: a read returns one copy, which %s selects",
			 selector.name);
	else
		snprintf(text, sizeof(text), "replicated: a read returns one copy");
	put_line(common->out, "multicast", text);
}

static void put_behaviour(const struct common *common, const struct gsc_item *item)
{
	struct gsc_out *out = common->out;

	if (item->flags & GSC_REG_VOLATILE)
		put_line(out, "volatile", "a counter, or changes by itself");
	put_steering(common, item);
}

static void put_register(const struct common *common, const struct gsc_item *item)
{
	struct show_regs regs = { .view = view_of(common), .def = item->def };
	char text[300];

	if (common->gpu) {
		put_label(common->out, "at");
		show_regs_text(common->out, &regs, TEXT);
	} else {
		put_places(common, item);
	}
	put_line(common->out, "access", access_words(item->access, text, sizeof(text)));
	put_reset(common->out, item);
	put_behaviour(common, item);
	put_hazards(common, item);
	if (item->group) {
		snprintf(text, sizeof(text), "%s: %s", item->group, item->group_title);
		put_line(common->out, "group", text);
	}
}

static void put_lengths(const struct common *common, const struct gsc_item *item)
{
	char text[192], on[128];
	struct gsc_lengths lengths;

	for (size_t i = 0; gsc_item_length(common->db, item, i, &lengths); i++) {
		if (!lengths.platforms)
			continue;
		snprintf(text, sizeof(text), "%u", lengths.lo);
		if (lengths.hi != lengths.lo)
			string_addf(text, sizeof(text), " to %u", lengths.hi);
		string_addf(text, sizeof(text), " on %s",
		       db_where(common->db, lengths.platforms, &lengths.revisions, on,
				sizeof(on)));
		put_line(common->out, "documented", text);
	}
}

static void put_command(const struct common *common, const struct gsc_item *item)
{
	char text[160], length[40];

	db_engines(item->engines, -1, ", ", text, sizeof(text));
	put_line(common->out, "engines", text);
	snprintf(text, sizeof(text), "dw0 & 0x%08x = 0x%08x", item->mask, item->value);
	put_line(common->out, "match", text);
	db_length(item, length, sizeof(length));
	snprintf(text, sizeof(text), "%s dword%s", length, item->length == 1 ? "" : "s");
	put_line(common->out, "length", text);
	put_lengths(common, item);
}

static void put_entry(const struct common *common, const struct gsc_item *item)
{
	struct gsc_lead lead;
	struct gsc_fact fact;
	char text[200];
	size_t i = 0;

	put_line(common->out, "mode", item->modes);
	put_line(common->out, "level", item->level);
	put_line(common->out, "index", db_index_text(item, text, sizeof(text)));
	if (item->valid) {
		snprintf(text, sizeof(text), "%s is %llu", item->valid,
			 (unsigned long long)item->valid_value);
		put_line(common->out, "valid", text);
	}
	for (bool first = true; db_lead_next(common, item, &i, &lead); first = false)
		put_line(common->out, first ? "leads to" : "",
			 db_lead_text(&lead, text, sizeof(text)));
	for (i = 0; db_fact_next(common, item, &i, &fact);)
		put_line(common->out, i == 1 ? "known" : "", fact.text);
}

static void put_origin(const struct common *common, const struct gsc_item *item)
{
	const char *title = db_title(common->db, item->document);
	char text[1000];

	if (!item->document)
		return;
	snprintf(text, sizeof(text), "%s: %s%s%s", item->document, title ? title : "",
		 title ? ", " : "", item->section);
	put_line(common->out, "origin", text);
}

static void put_head(const struct common *common, const struct gsc_item *item)
{
	struct gsc_out *out = common->out;
	char text[400];

	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_text(out, item->name);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_text(out, item->flags & GSC_REG_USER ? "  yours, " : "  ");
	if (item->kind == GSC_COMMAND)
		gsc_out_text(out, "command");
	else if (item->kind == GSC_INSTRUCTION)
		gsc_out_text(out, "instruction of the execution units");
	else if (item->kind == GSC_STRUCTURE)
		gsc_out_format(out, "structure of %u bytes", item->bits / 8);
	else
		gsc_out_format(out, "%s of %u bits", item->kind == GSC_ENTRY ? "page-table entry"
									       : "register",
			       item->bits);
	gsc_out_end(out);
	if (item->doc)
		db_wrap(out, LABEL, item->doc);
	put_aliases(common, item);
	put_prints(common, item);
	put_line(out, "on", db_where(common->db, item->platforms,
				     &item->revisions, text, sizeof(text)));
}

/* ---- fields --------------------------------------------------------------------------------- */

/* "(value + 1) * 4096 bytes", or "" */
static void scale_text(const struct gsc_form *form, char *buf, size_t size)
{
	bool add = form->add, shift = form->shift;

	*buf = 0;
	if (!add && !shift && form->multiply == 1 && form->divide == 1)
		return;
	if (add)
		string_addf(buf, size, "(value + %u)", form->add);
	else
		string_addf(buf, size, "value");
	if (shift)
		string_addf(buf, size, " << %u", form->shift);
	if (form->multiply != 1)
		string_addf(buf, size, " * %u", form->multiply);
	if (form->divide != 1)
		string_addf(buf, size, " / %u", form->divide);
}

/* What its bits mean: "address in ggtt, value << 12; w1c". */
static void form_text(const struct gsc_form *form, const struct gsc_field *field, char *buf,
		      size_t size)
{
	unsigned whole = field->hi - field->lo + 1 - form->fraction;
	char scale[100], type[40] = "", access[40];

	scale_text(form, scale, sizeof(scale));
	if (form->address)
		snprintf(type, sizeof(type), "address in %s", form->address);
	else if (!strcmp(form->type, "ufixed"))
		snprintf(type, sizeof(type), "u%u.%u", whole, form->fraction);
	else if (!strcmp(form->type, "sfixed"))
		snprintf(type, sizeof(type), "s%u.%u", whole - 1, form->fraction);
	else if (strcmp(form->type, "hex") && strcmp(form->type, "dec"))
		snprintf(type, sizeof(type), "%s", form->type);
	snprintf(buf, size, "%s%s%s%s%s%s%s%s%s%s%s%s", type, *type && *scale ? ", " : "", scale,
		 form->unit ? " " : "", form->unit ? form->unit : "",
		 form->join ? " part of " : "", form->join ? form->join : "",
		 form->base ? " from " : "", form->base ? form->base : "",
		 form->base ? " base" : "",
		 form->target ? " -> " : "", form->target ? form->target : "");
	if (field->access)
		append_word(buf, size, "; ", db_access(field->access, access, sizeof(access)));
}

/* "on snb, ivb; when VALID is 1" */
static void condition_text(const struct common *common, const struct gsc_item *item,
			   const struct gsc_form *form, const struct gsc_field *field, char *buf,
			   size_t size)
{
	uint64_t platforms = field->platforms & item->platforms;
	char list[200];

	*buf = 0;
	if (!common->gpu && is_elsewhere(item, platforms, &field->revisions))
		snprintf(buf, size, "on %s",
			 db_where(common->db, platforms, &field->revisions, list, sizeof(list)));
	if (form->when && form->when_list) {
		string_addf(buf, size, "%swhen %s %s ", *buf ? "; " : "", form->when,
		       form->when_not ? "is not" : "is");
		for (const char *c = form->when_list; *c; c++)
			string_addf(buf, size, *c == '|' ? ", " : "%c", *c);
	} else if (form->when) {
		string_addf(buf, size, "%swhen %s %s %llu", *buf ? "; " : "", form->when,
		       form->when_not ? "is not" : "is", (unsigned long long)form->when_value);
	}
}

static void put_values(struct gsc_out *out, const struct gsc_field_iter *it)
{
	struct gsc_value value;
	char number[48], text[1000];

	for (size_t i = 0; gsc_field_value(it, i, &value); i++) {
		unsigned column = VALUE_NAME;

		snprintf(number, sizeof(number), value.hi == value.lo ? "%llu" : "%llu..%llu",
			 (unsigned long long)value.lo, (unsigned long long)value.hi);
		if (VALUE_NUMBER + strlen(number) + 2 > column)
			column = VALUE_NUMBER + (unsigned)strlen(number) + 2;
		gsc_out_pad(out, VALUE_NUMBER);
		gsc_out_text(out, number);
		snprintf(text, sizeof(text), "%s%s%s", value.name, value.doc ? ": " : "",
			 value.doc ? value.doc : "");
		db_wrap(out, column, text);
	}
}

static void put_bits(struct gsc_out *out, const struct gsc_field *field, bool dwords)
{
	gsc_out_pad(out, FIELD_BITS);
	if (dwords)
		gsc_out_format(out, "dw%u.", field->dword);
	gsc_out_format(out, field->hi == field->lo ? "%u" : "%u:%u", field->hi, field->lo);
	gsc_out_pad(out, FIELD_NAME);
}

static void put_field(const struct common *common, const struct gsc_item *item,
		      const struct gsc_field_iter *it, const struct gsc_field *field)
{
	struct gsc_out *out = common->out;
	char text[400], condition[400];
	struct gsc_form form;
	bool long_name;

	gsc_field_form(it, &form);
	form_text(&form, field, text, sizeof(text));
	condition_text(common, item, &form, field, condition, sizeof(condition));
	put_bits(out, field, item->kind == GSC_COMMAND || item->kind == GSC_STRUCTURE);
	if (field->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO | GSC_FIELD_IGNORED)) {
		gsc_out_style(out, GSC_STYLE_DIM);
		gsc_out_text(out, field->flags & GSC_FIELD_MBZ ? "must be zero" :
			     field->flags & GSC_FIELD_MBO ? "must be ones" : "ignored");
		gsc_out_style(out, GSC_STYLE_PLAIN);
	} else {
		gsc_out_text(out, field->name);
	}
	long_name = FIELD_NAME + strlen(field->name) + 2 > FIELD_FORM;
	if (!*text || long_name)
		gsc_out_end(out);
	if (*text)
		db_wrap(out, long_name ? FIELD_NAME + 2 : FIELD_FORM, text);
	if (*condition)
		db_wrap(out, FIELD_NAME + 2, condition);
	if (field->doc)
		db_wrap(out, FIELD_NAME + 2, field->doc);
	put_values(out, it);
}

static void put_fields(const struct common *common, const struct gsc_item *item,
		       struct gsc_field_iter *it)
{
	struct gsc_field field;

	while (db_field_next(view_of(common), it, &field))
		put_field(common, item, it, &field);
}

static void put_all_fields(const struct common *common, const struct gsc_item *item)
{
	struct gsc_repeat repeat;
	struct gsc_field_iter it;

	gsc_item_fields(common->db, NULL, item, NULL, 0, &it);
	if (it.next != it.end) {
		put_label(common->out, "fields");
		gsc_out_end(common->out);
	}
	put_fields(common, item, &it);
	for (size_t i = 0; gsc_item_repeat(common->db, NULL, item, i, &repeat, &it); i++) {
		put_label(common->out, repeat.name);
		if (repeat.after)
			gsc_out_format(common->out, ": after those, every %u dwords", repeat.size);
		else
			gsc_out_format(common->out, ": from dw%u on, every %u dwords", repeat.at,
				       repeat.size);
		if (repeat.count)
			gsc_out_format(common->out, ", %u of them", repeat.count);
		else if (repeat.count_field)
			gsc_out_format(common->out, ", %s of them", repeat.count_field);
		gsc_out_end(common->out);
		put_fields(common, item, &it);
	}
}

static void put_instruction(const struct common *common, const struct gsc_item *item)
{
	char text[1000] = "";
	const char *part;

	snprintf(text, sizeof(text), "0x%02x", item->opcode);
	put_line(common->out, "opcode", text);
	put_line(common->out, "form", item->form);
	snprintf(text, sizeof(text), "%u", item->sources);
	put_line(common->out, "sources", text);
	*text = 0;
	for (size_t i = 0; (part = gsc_instruction_part(item, i)); i++)
		append_word(text, sizeof(text), ", ", part);
	put_line(common->out, "structures", text);
}

void show_text(const struct common *common, const struct gsc_item *item)
{
	char text[4200];

	put_head(common, item);
	if (item->kind == GSC_REGISTER)
		put_register(common, item);
	else if (item->kind == GSC_COMMAND)
		put_command(common, item);
	else if (item->kind == GSC_ENTRY)
		put_entry(common, item);
	else if (item->kind == GSC_INSTRUCTION)
		put_instruction(common, item);
	put_origin(common, item);
	snprintf(text, sizeof(text), "%s:%u", item->file, item->line);
	gsc_text_clean(text);
	put_line(common->out, "file", text);
	if (item->kind != GSC_INSTRUCTION)
		put_all_fields(common, item);
}
