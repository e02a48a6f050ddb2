/* SPDX-License-Identifier: MIT */
/*
 * What messages mean, from the structures MESSAGE_* of data/isa: the shared function selects one.
 */
#include "db/view.h"
#include "eu/eu.h"

#include <ctype.h>

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

void eu_load_messages(struct eu_isa *isa, const struct gsc_db *db)
{
	struct gsc_item item;
	struct gsc_field_iter it;
	struct gsc_value value;
	struct gsc_field f;
	const char *alias;

	/* The structure that all share, and the names that its first field gives them. */
	for (size_t i = 0; gsc_item_at(db, GSC_STRUCTURE, i, &item); i++) {
		if (strcmp(item.name, "MESSAGE") ||
		    !gsc_view_sees(isa->view, item.platforms, &item.revisions))
			continue;
		gsc_item_fields(db, isa->view, &item, NULL, 0, &it);
		if (!gsc_field_next(&it, &f))
			continue;
		for (size_t k = 0; gsc_field_value(&it, k, &value); k++)
			if (value.lo < EU_FUNCTIONS)
				isa->function[value.lo] = (struct eu_function){
					value.name, value.doc ? value.doc : value.name, item };
	}
	for (size_t i = 0; gsc_item_at(db, GSC_STRUCTURE, i, &item); i++) {
		if (strncmp(item.name, "MESSAGE_", 8) ||
		    !gsc_view_sees(isa->view, item.platforms, &item.revisions))
			continue;
		for (unsigned k = 0; k < EU_FUNCTIONS; k++) {
			const char *name = isa->function[k].name;
			bool of = name && is_of(item.name, name);

			for (size_t a = 0; name && !of &&
			     (alias = gsc_item_alias(db, &item, a, NULL)); a++)
				of = is_of(alias, name);
			if (of)
				isa->function[k].item = item;
		}
	}
}

/* ---- fields ---------------------------------------------------------------------------------- */

void eu_message_fields(const struct eu_instruction *in, struct eu_message *m)
{
	const struct eu_function *function = &in->isa->function[in->shared_function % EU_FUNCTIONS];

	*m = (struct eu_message){
		.known = { in->descriptor_known, in->extended_known },
		.words = { (uint32_t)in->descriptor,
			   in->extended | in->shared_function % EU_FUNCTIONS },
	};
	/* On Xe3P, which has longer descriptors, they are all that is defined. */
	if (eu_is_long_message(in)) {
		m->known[0] = m->known[1] = true;
		m->words[1] |= (uint32_t)(in->descriptor >> 32 << 4);
	} else if (eu_has(in->isa, EU_SENDG_SHARED_FUNCTION)) {
		m->known[0] = m->known[1] = false;
	}
	if (function->name)
		gsc_item_fields(in->isa->view->db, in->isa->view, &function->item, m->words, 2,
				&m->it);
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
	unsigned pieces;
	bool named;			/* the last piece was the name of a value */
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

/* A value's name; a bit that is set; or the name of the field with a number that matters. */
static void put_field(struct telling *t, const struct gsc_field_iter *it,
		      const struct gsc_field *f, const struct gsc_form *form)
{
	const char *name = NULL;
	struct gsc_value value;
	bool any = false;

	for (size_t i = 0; !name && gsc_field_value(it, i, &value); i++) {
		any = true;
		if (f->value >= value.lo && f->value <= value.hi)
			name = value.name;
	}
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
		text_add(t->text, " 0x%llx", LL(f->value));
	else
		text_add(t->text, " %llu", LL(f->value));
}

static void put_where(struct telling *t, const char *what, unsigned sub)
{
	put_separator(t, false);
	text_add(t->text, "%s in a0.%u", what, sub);
}

void eu_put_message(const struct eu_instruction *in, struct text *text)
{
	const struct eu_function *function = &in->isa->function[in->shared_function % EU_FUNCTIONS];
	bool sends = in->opcode->form == EU_SENDS;
	bool header = false, has_length = false;
	uint64_t length = 0, extended = 0, response = 0;
	struct telling t = { .text = text };
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
		has_length = true;
		length = in->payload[0];
		extended = in->payload[1];
	} else if (!in->descriptor_known) {
		put_where(&t, "descriptor", in->split ? 0 : in->source[1].sub);
	}
	if (in->split && !in->extended_known && !eu_is_long_message(in)) {
		bool offset =
			eu_value(in, sends ? EU_SENDS_BINDLESS_OFFSET : EU_SEND_BINDLESS_OFFSET);

		put_where(&t, offset ? "surface state" : "extended descriptor",
			  (unsigned)eu_value(in, sends ? EU_SENDS_EXTENDED_DESCRIPTOR_SUBREGISTER
						       : EU_SEND_EXTENDED_DESCRIPTOR_SUBREGISTER));
		if (offset)
			extended = eu_value(in, EU_SEND_SOURCE1_LENGTH);
	}
	eu_message_fields(in, &m);
	while (eu_message_next(&m, &f, &form)) {
		const uint64_t sign = UINT64_C(1) << (f.hi - f.lo);
		int64_t value;

		if (form.join && strcmp(form.type, "signed")) {
			/* Of the parts of a number the highest is signed, and comes last. */
			number = f.value << form.shift;
		} else if (form.join) {
			value = (int64_t)((((f.value ^ sign) - sign) << form.shift) + number);
			if (!value)
				continue;
			put_separator(&t, false);
			put_name(&t, form.join);
			text_add(text, " %lld%s%s", (long long)value, form.unit ? " " : "",
				 form.unit ? form.unit : "");
		} else if (!strcmp(f.name, "HEADER")) {
			header = f.value;
		} else if (!strcmp(f.name, "MESSAGE_LENGTH")) {
			length = f.value;
			has_length = true;
		} else if (!strcmp(f.name, "EXTENDED_LENGTH")) {
			extended = f.value;
		} else if (!strcmp(f.name, "RESPONSE_LENGTH")) {
			response = f.value;
		} else if (strcmp(f.name, "SHARED_FUNCTION")) {
			put_field(&t, &m.it, &f, &form);
		}
	}
	if (has_length) {
		text_add(text, "; %llu", LL(length));
		if (extended)
			text_add(text, " + %llu", LL(extended));
		text_put(text, length + extended == 1 ? " register out" : " registers out");
		if (header)
			text_put(text, " with a header");
	}
	if (response)
		text_add(text, ", %llu back", LL(response));
	if (in->ends)
		text_put(text, "; the thread ends");
}
