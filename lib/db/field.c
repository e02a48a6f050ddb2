/* SPDX-License-Identifier: MIT */
/* Fields decoded from a value: which apply, their bits, and what the bits mean as text. */
#include "db/view.h"
#include "util/number.h"

#include <stdio.h>

static const struct layer *iter_layer(const struct gsc_field_iter *it)
{
	return it->blob;
}

void gsc_reg_fields(const struct gsc_view *view, const struct gsc_reg *reg, uint64_t value,
		    struct gsc_field_iter *it)
{
	const struct layer *l = def_layer(view->db, reg->def);
	const struct c_reg *def = LAYER_ITEM(l, B_REGS, struct c_reg, def_index(reg->def));

	it->view = view;
	it->blob = l;
	it->first = it->next = def->fields;
	it->end = def->fields + def->field_count;
	it->bits = reg->bits;
	it->words = NULL;
	it->count = 0;
	it->value = value;
}

static uint64_t ones(unsigned count)
{
	return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* Bits of a sequence of dwords; those past its end read zero. */
static __attribute__((noinline)) uint64_t bits_of_words(const struct gsc_field_iter *it,
							unsigned at, unsigned width)
{
	uint64_t value = 0;

	for (unsigned got = 0; got < width;) {
		size_t word = (at + got) / 32;
		unsigned shift = (at + got) % 32, take = MIN(32 - shift, width - got);

		if (word < it->count)
			value |= (it->words[word] >> shift & ones(take)) << got;
		got += take;
	}
	return value;
}

static inline uint64_t raw_value(const struct gsc_field_iter *it, const struct c_field *f)
{
	unsigned width = f->hi - f->lo + 1u;

	if (it->words)
		return bits_of_words(it, f->dword * 32u + f->lo, width);
	return f->lo > 63 ? 0 : it->value >> f->lo & ones(width);
}

static inline bool applies(const struct gsc_field_iter *it, const struct c_field *f,
		    const struct c_form *form)
{
	const struct layer *l = iter_layer(it);

	if (!it->view)
		return true;
	if (!field_holds(it->view, l, f))
		return false;
	/* The field that a condition names may have a condition of its own. */
	for (unsigned i = 0; form->when_field != NONE && i < WHEN_CHAIN; i++) {
		f = LAYER_ITEM(l, B_FIELDS, struct c_field, it->first + form->when_field);
		if (!when_holds(form, raw_value(it, f)))
			return false;
		form = field_form(l, f);
	}
	return true;
}

static const char *value_name(const struct layer *l, const struct c_field *f, uint64_t value)
{
	const struct c_values *list = layer_values(l, f->values);

	if (!list->wide) {
		const struct c_value *narrow = LAYER_ITEM(l, B_VALUES, struct c_value, list->first);

		for (uint32_t i = 0; i < list->count; i++)
			if (value >= narrow[i].lo && value <= narrow[i].hi)
				return layer_text(l, narrow[i].name);
		return NULL;
	}
	for (uint32_t i = 0; i < list->count; i++) {
		const struct b_value v = list_value(l, list, i);

		if (value >= v.lo && value <= v.hi)
			return layer_text(l, v.name);
	}
	return NULL;
}

/*
 * A value that is not in the list means something only if the list is meant to be complete: if it
 * names more than half of what the field can hold, or says what is reserved.
 */
static bool is_whole(const struct layer *l, const struct c_field *f)
{
	const struct c_values *list = layer_values(l, f->values);
	uint64_t most = ones(f->hi - f->lo + 1u), named = 0;

	for (uint32_t i = 0; i < list->count; i++) {
		const struct b_value v = list_value(l, list, i);

		if (!strcmp(layer_text(l, v.name), "reserved"))
			return true;
		named += v.hi - v.lo + 1;
	}
	return named > most / 2 + 1;
}

static char *put_scaled(char *out, const struct c_form *form, uint64_t value)
{
	uint64_t scaled = ((value + form->add) << form->shift) * form->multiply;

	if (form->divide > 1 && scaled % form->divide)
		return out + snprintf(out, 32, "%.6g", (double)scaled / form->divide);
	scaled /= form->divide;
	if (form->type == F_ADDRESS ||
	    (form->type == F_HEX && !form->unit && form->multiply == 1 && !form->add))
		return number_hex(out, scaled);
	return number_decimal(out, scaled);
}

/* Digits that %.9g would give. */
#define DIGITS 9

/*
 * As %.9g does, but without printf if all digits of the value are few enough, as they mostly are:
 * batches and images are full of these.
 */
static char *put_fixed(char *out, bool negative, uint64_t number, unsigned fraction)
{
	uint64_t rest = number & ones(fraction);
	char text[DIGITS + 1], *whole, *end = text;

	if (fraction > 8 || number >> fraction >= 10000)
		return NULL;
	if (negative)
		*out++ = '-';
	whole = number_decimal(out, number >> fraction);
	for (; rest && end < text + DIGITS; rest &= ones(fraction)) {
		rest *= 10;
		*end++ = (char)('0' + (rest >> fraction));
	}
	if (rest || (whole - out) + (end - text) > DIGITS)
		return NULL;
	if (end == text)
		return whole;
	*whole++ = '.';
	memcpy(whole, text, (size_t)(end - text));
	return whole + (end - text);
}

static char *put_real(char *out, const struct c_form *form, uint64_t value, int64_t number)
{
	bool negative = form->type == F_SFIXED && number < 0;
	uint64_t magnitude = form->type == F_UFIXED ? value
			     : negative		    ? -(uint64_t)number
						    : (uint64_t)number;
	char *end = put_fixed(out, negative, magnitude, form->fraction);
	double real = form->type == F_UFIXED ? (double)value : (double)number;

	if (end)
		return end;
	return out + snprintf(out, 32, "%.9g", real / (double)(UINT64_C(1) << form->fraction));
}

char *form_number(char *out, const struct c_form *form, unsigned width, uint64_t value)
{
	int64_t number = (int64_t)(value << (64 - width)) >> (64 - width);
	float real;

	switch (form->type) {
	case F_BOOL:
		return stpcpy(out, value ? "yes" : "no");
	case F_SIGNED:
		return out + snprintf(out, 32, "%lld", (long long)number);
	case F_FLOAT:
		memcpy(&real, &value, sizeof(real));
		return out + snprintf(out, 32, "%.9g", (double)real);
	case F_UFIXED:
	case F_SFIXED:
		return put_real(out, form, value, number);
	default:
		return put_scaled(out, form, value);
	}
}

const char *field_meaning(const struct layer *l, const struct c_field *f, uint64_t value,
			  char *text)
{
	const char *name = f->values ? value_name(l, f, value) : NULL;
	const struct c_form *form = field_form(l, f);
	bool says_more = form->type != F_HEX || form->unit || form->shift || form->add ||
			 form->multiply != 1 || form->divide != 1;
	char *at = text;

	if (name)
		return name;
	if (!says_more)
		return f->values && is_whole(l, f) ? "not a documented value" : NULL;
	if (form->type == F_BOOL && !form->unit)
		return value ? "yes" : "no";
	at = form_number(at, form, f->hi - f->lo + 1u, value);
	if (form->unit) {
		const char *unit = layer_text(l, form->unit);
		size_t length = strnlen(unit, 32);

		*at++ = ' ';
		memcpy(at, unit, length);
		at += length;
	}
	*at = 0;
	return text;
}

static const char *form_problem(const struct c_form *form, unsigned width, uint64_t value)
{
	if (form->flags & GSC_FIELD_MBZ && value)
		return "must be zero";
	if (form->flags & GSC_FIELD_MBO && value != ones(width))
		return "must be ones";
	return NULL;
}

const char *field_problem(const struct layer *l, const struct c_field *f, uint64_t value)
{
	return form_problem(field_form(l, f), f->hi - f->lo + 1u, value);
}

bool gsc_field_next(struct gsc_field_iter *it, struct gsc_field *field)
{
	const struct layer *l = iter_layer(it);

	while (it->next < it->end) {
		const struct c_field *f = LAYER_ITEM(l, B_FIELDS, struct c_field, it->next++);
		const struct c_form *form = field_form(l, f);
		uint64_t value;

		if (!applies(it, f, form))
			continue;
		value = raw_value(it, f);
		*field = (struct gsc_field){
			.name = layer_text(l, f->name),
			.doc = layer_text_or_null(l, f->doc),
			.dword = f->dword,
			.hi = f->hi,
			.lo = f->lo,
			.access = form->access,
			.flags = form->flags,
			.platforms = layer_where(l, f->where)->platforms,
			.revisions = where_stepped(layer_where(l, f->where)),
			.value = value,
			.text = field_meaning(l, f, value, it->text),
			.problem = it->view ? form_problem(form, f->hi - f->lo + 1u, value) : NULL,
		};
		return true;
	}
	return false;
}

/* The field of that name that applies to the value of `it`, or NULL. */
static const struct c_field *field_named(struct gsc_field_iter *it, const char *name)
{
	const struct layer *l = iter_layer(it);

	for (; it->next < it->end; it->next++) {
		const struct c_field *f = LAYER_ITEM(l, B_FIELDS, struct c_field, it->next);

		if (!name_compare(layer_text(l, f->name), name) && applies(it, f, field_form(l, f)))
			return f;
	}
	return NULL;
}

bool reg_field(const struct gsc_view *view, const struct gsc_reg *reg, uint64_t value,
	       const char *name, uint64_t *out)
{
	const struct c_field *f;
	struct gsc_field_iter it;

	gsc_reg_fields(view, reg, value, &it);
	f = field_named(&it, name);
	if (f)
		*out = raw_value(&it, f);
	return f;
}

/* The first size in the name of a value: "VT: 1.5 MB, and 1.5 MB shadow". */
static bool named_bytes(const char *name, uint64_t *bytes)
{
	const char *number = name + strcspn(name, "0123456789");
	char *end;
	uint64_t whole = strtoull(number, &end, 10), unit, tenths = 0;

	*bytes = 0;
	if (!strcmp(name, "none"))
		return true;
	if (*end == '.')
		tenths = strtoull(end + 1, &end, 10);
	unit = !strncmp(end, " KB", 3) ? 1u << 10 : !strncmp(end, " MB", 3) ? 1u << 20 :
	       !strncmp(end, " GB", 3) ? 1u << 30 : 0;
	*bytes = whole * unit + tenths * unit / 10;
	return unit && end > number;
}

bool reg_bytes(const struct gsc_view *view, const struct gsc_reg *reg, uint64_t value,
	       const char *name, uint64_t *bytes)
{
	const struct c_values *list;
	const struct c_form *form;
	const struct c_field *f;
	struct gsc_field_iter it;
	const struct layer *l;

	gsc_reg_fields(view, reg, value, &it);
	f = field_named(&it, name);
	if (!f)
		return false;
	l = iter_layer(&it);
	list = layer_values(l, f->values);
	form = field_form(l, f);
	value = raw_value(&it, f);
	for (uint32_t i = 0; i < list->count; i++) {
		struct b_value v = list_value(l, list, i);

		if (value >= v.lo && value <= v.hi)
			return named_bytes(layer_text(l, v.name), bytes);
	}
	*bytes = 0;
	if (!form->shift && form->multiply == 1)
		return false;
	value = ((value + form->add) << form->shift) * form->multiply;
	*bytes = (value + form->divide / 2) / form->divide;
	return true;
}

bool gsc_field_value(const struct gsc_field_iter *it, size_t i, struct gsc_value *value)
{
	const struct layer *l = iter_layer(it);
	const struct c_field *f = LAYER_ITEM(l, B_FIELDS, struct c_field, it->next - 1);
	const struct c_values *list = layer_values(l, f->values);
	struct b_value v;

	if (i >= list->count)
		return false;
	v = list_value(l, list, (uint32_t)i);
	*value = (struct gsc_value){ v.lo, v.hi, layer_text(l, v.name),
				     layer_text_or_null(l, v.doc) };
	return true;
}
