/* SPDX-License-Identifier: MIT */
/*
 * What messages mean, from the structures MESSAGE_* of data/isa: the shared function selects one.
 */
#include "db/view.h"
#include "eu/eu.h"
#include "util/text.h"

#include <ctype.h>
#include <string.h>

/* ---- the shared functions of a platform ------------------------------------------------------ */

/* MESSAGE_ and the name of the function: "dp data 1" has MESSAGE_DP_DATA_1. */
static bool is_of(const char *structure, const char *function)
{
	if (strncmp(structure, "MESSAGE_", 8))
		return false;
	for (structure += 8; *structure && *function; structure++, function++)
		if (*structure != (*function == ' ' ? '_' : toupper((unsigned char)*function)))
			return false;
	return !*structure && !*function;
}

static bool describes(const struct gsc_db *db, const struct gsc_item *item, const char *function)
{
	const char *alias;

	if (is_of(item->name, function))
		return true;
	for (size_t i = 0; (alias = gsc_item_alias(db, item, i, NULL)); i++)
		if (is_of(alias, function))
			return true;
	return false;
}

/* The structure that all share, and the names that its first field gives them. */
static void load_functions(struct eu_isa *isa, const struct gsc_db *db,
			   const struct gsc_item *item)
{
	struct gsc_field_iter it;
	struct gsc_value value;
	struct gsc_field f;

	gsc_item_fields(db, isa->view, item, NULL, 0, &it);
	if (!gsc_field_next(&it, &f))
		return;
	for (size_t i = 0; gsc_field_value(&it, i, &value); i++)
		if (value.lo < EU_FUNCTIONS)
			isa->function[value.lo] = (struct eu_function){
				value.name, value.doc ? value.doc : value.name, *item };
}

void eu_load_messages(struct eu_isa *isa, const struct gsc_db *db)
{
	struct gsc_item item;

	for (size_t i = 0; gsc_item_at(db, GSC_STRUCTURE, i, &item); i++)
		if (!strcmp(item.name, "MESSAGE") &&
		    gsc_view_sees(isa->view, item.platforms, &item.revisions))
			load_functions(isa, db, &item);
	for (size_t i = 0; gsc_item_at(db, GSC_STRUCTURE, i, &item); i++) {
		if (strncmp(item.name, "MESSAGE_", 8) ||
		    !gsc_view_sees(isa->view, item.platforms, &item.revisions))
			continue;
		for (unsigned k = 0; k < EU_FUNCTIONS; k++)
			if (isa->function[k].name && describes(db, &item, isa->function[k].name))
				isa->function[k].item = item;
	}
}

/* ---- fields ---------------------------------------------------------------------------------- */

void eu_message_fields(const struct eu_isa *isa, const struct eu_instruction *in,
		       struct eu_message *m)
{
	const struct eu_function *function = &isa->function[in->shared_function % EU_FUNCTIONS];

	*m = (struct eu_message){
		.known = { in->descriptor_known, in->extended_known },
		.words = { (uint32_t)in->descriptor,
			   in->extended | in->shared_function % EU_FUNCTIONS },
	};
	/* On Xe3P, which has longer descriptors, they are all that is defined. */
	if (eu_is_long_message(in)) {
		m->known[0] = m->known[1] = true;
		m->words[1] |= (uint32_t)(in->descriptor >> 32 << 4);
	} else if (eu_has(isa, EU_SENDG_SHARED_FUNCTION)) {
		m->known[0] = m->known[1] = false;
	}
	if (function->name)
		gsc_item_fields(isa->view->db, isa->view, &function->item, m->words, 2, &m->it);
}

bool eu_message_next(struct eu_message *m, struct gsc_field *f, struct gsc_form *form)
{
	while (m->it.next < m->it.end && gsc_field_next(&m->it, f)) {
		gsc_field_form(&m->it, form);
		/* Conditions refer to the descriptor. */
		if (m->known[f->dword & 1] && (m->known[0] || !form->when))
			return true;
	}
	return false;
}

/* ---- in a line ------------------------------------------------------------------------------- */

struct telling {
	struct text *text;
	const struct eu_instruction *in;
	unsigned pieces;
	bool named;			/* the last piece was the name of a value */
	bool header, has_length, has_response;
	uint64_t length, extended, response;
};

static void put_separator(struct telling *t, bool joins)
{
	text_put(t->text, !t->pieces++ ? ": " : joins && t->named ? " " : ", ");
	t->named = joins;
}

/* The name of a field in words. */
static void put_name(struct telling *t, const char *name)
{
	for (; *name; name++)
		text_put_char(t->text, *name == '_' ? ' ' : (char)tolower((unsigned char)*name));
}

static const char *name_of(const struct gsc_field_iter *it, uint64_t number, bool *any)
{
	struct gsc_value value;

	for (size_t i = 0; gsc_field_value(it, i, &value); i++) {
		*any = true;
		if (number >= value.lo && number <= value.hi)
			return value.name;
	}
	return NULL;
}

/* What goes to the end of the line. */
static bool is_length(struct telling *t, const struct gsc_field *f)
{
	if (!strcmp(f->name, "HEADER"))
		t->header = f->value;
	else if (!strcmp(f->name, "MESSAGE_LENGTH"))
		t->length = f->value, t->has_length = true;
	else if (!strcmp(f->name, "EXTENDED_LENGTH"))
		t->extended = f->value;
	else if (!strcmp(f->name, "RESPONSE_LENGTH"))
		t->response = f->value, t->has_response = true;
	else
		return false;
	return true;
}

/* A value's name; a bit that is set; or the name of the field with a number that matters. */
static void put_field(struct telling *t, const struct gsc_field_iter *it,
		      const struct gsc_field *f, const struct gsc_form *form)
{
	bool any = false;
	const char *name = name_of(it, f->value, &any);

	if (name) {
		if (strcmp(name, "none") && strcmp(name, "default")) {
			put_separator(t, !strchr(name, ' ') || !t->pieces);
			text_put(t->text, name);
		}
		return;
	}
	/* An index, and a value that should have a name, are shown even if they are 0. */
	if (!f->value && !any && (strcmp(form->type, "dec") || form->unit))
		return;
	put_separator(t, false);
	put_name(t, f->name);
	if (!strcmp(form->type, "bool"))
		return;
	if (f->text && !any)
		text_add(t->text, " %s", f->text);
	else if (strcmp(form->type, "dec"))
		text_add(t->text, " 0x%llx", (unsigned long long)f->value);
	else
		text_add(t->text, " %llu", (unsigned long long)f->value);
}

static void put_lengths(struct telling *t)
{
	if (t->has_length) {
		text_add(t->text, "; %llu", (unsigned long long)t->length);
		if (t->extended)
			text_add(t->text, " + %llu", (unsigned long long)t->extended);
		text_put(t->text, " register");
		text_put(t->text, t->length + t->extended == 1 ? " out" : "s out");
		if (t->header)
			text_put(t->text, " with a header");
	}
	if (t->response)
		text_add(t->text, ", %llu back", (unsigned long long)t->response);
	if (t->in->ends)
		text_put(t->text, "; the thread ends");
}

static void put_where(struct telling *t, const char *what, unsigned sub)
{
	put_separator(t, false);
	text_add(t->text, "%s in a0.%u", what, sub);
}

/*
 * The parts of a number, the lowest first; the highest is signed. False: more are to come, or the
 * other parts are not shown.
 */
static bool join_parts(uint64_t *number, struct gsc_field *f, struct gsc_form *form)
{
	const uint64_t sign = UINT64_C(1) << (f->hi - f->lo);

	if (strcmp(form->type, "signed")) {
		*number = f->value << form->shift;
		return false;
	}
	f->value = (((f->value ^ sign) - sign) << form->shift) + *number;
	f->name = form->join;
	return true;
}

/* "offset -4 elements" */
static void put_number(struct telling *t, const struct gsc_field *f, const struct gsc_form *form)
{
	put_separator(t, false);
	put_name(t, f->name);
	text_add(t->text, " %lld%s%s", (long long)f->value, form->unit ? " " : "",
		 form->unit ? form->unit : "");
}

void eu_put_message(const struct eu_isa *isa, const struct eu_instruction *in, struct text *text)
{
	const struct eu_function *function = &isa->function[in->shared_function % EU_FUNCTIONS];
	bool sends = in->opcode->form == EU_SENDS;
	struct telling t = { .text = text, .in = in };
	struct eu_message m;
	struct gsc_form form;
	struct gsc_field f;
	uint64_t number = 0;

	if (!function->name) {
		text_add(text, "shared function %u", in->shared_function);
		return;
	}
	text_put(text, function->title);
	if (eu_is_long_message(in)) {
		t.has_length = true;
		t.length = in->payload[0];
		t.extended = in->payload[1];
	} else if (!in->descriptor_known)
		put_where(&t, "descriptor", in->split ? 0 : in->source[1].sub);
	if (in->split && !in->extended_known && !eu_is_long_message(in)) {
		bool offset = eu_get(isa, &in->raw,
				     sends ? EU_SENDS_BINDLESS_OFFSET : EU_SEND_BINDLESS_OFFSET);

		put_where(&t, offset ? "surface state" : "extended descriptor",
			  (unsigned)eu_get(isa, &in->raw,
					   sends ? EU_SENDS_EXTENDED_DESCRIPTOR_SUBREGISTER
						 : EU_SEND_EXTENDED_DESCRIPTOR_SUBREGISTER));
		if (offset)
			t.extended = eu_get(isa, &in->raw, EU_SEND_SOURCE1_LENGTH);
	}
	eu_message_fields(isa, in, &m);
	while (eu_message_next(&m, &f, &form)) {
		if (form.join ? !join_parts(&number, &f, &form)
			      : !strcmp(f.name, "SHARED_FUNCTION") || is_length(&t, &f))
			continue;
		if (form.join && f.value)
			put_number(&t, &f, &form);
		else if (!form.join)
			put_field(&t, &m.it, &f, &form);
	}
	put_lengths(&t);
}
