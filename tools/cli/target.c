/* SPDX-License-Identifier: MIT */
/* The register that a write or a wait is about, its field, and the words for a field's values. */
#include "text.h"
#include "writing.h"
#include "util/text.h"

#include <ctype.h>
#include <strings.h>

uint64_t field_bits(const struct gsc_field *field, uint64_t value)
{
	unsigned width = field->hi - field->lo + 1;

	return value >> field->lo & (width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX);
}

static enum gsc_status select_one(struct common *common, const char *text,
				  struct gsc_selection **selection, struct gsc_error *err)
{
	return gsc_select(selection, common->gpu, 0, &text, 1, err);
}

/* An engine precedes a dot; or a register, as a debugger has members. */
const char *colon_text(struct common *common, const char *text, char *buf, size_t size)
{
	const char *dot = strrchr(text, '.');
	struct gsc_selection *selection;
	struct gsc_error ignored;
	enum gsc_status status;

	if (!dot || !isalpha((unsigned char)*text) || strchr(text, ':') || strlen(text) >= size)
		return text;
	status = select_one(common, text, &selection, &ignored);
	gsc_selection_free(selection);
	if (status != GSC_UNKNOWN)
		return text;
	snprintf(buf, size, "%.*s", (int)(dot - text), text);
	status = select_one(common, buf, &selection, &ignored);
	gsc_selection_free(selection);
	if (status)
		return text;
	snprintf(buf, size, "%s", text);
	buf[dot - text] = ':';
	return buf;
}

enum gsc_status target_open(struct common *common, const char *text, struct target *target,
			    struct gsc_error *err)
{
	struct gsc_rows *rows = NULL;
	struct gsc_field_iter it;
	enum gsc_status status;
	char buf[TARGET_MAX];

	*target = (struct target){ 0 };
	text = colon_text(common, text, buf, sizeof(buf));
	status = select_one(common, text, &target->selection, err);
	if (!status)
		status = gsc_rows_read(&rows, target->selection, NULL, NULL, err);
	if (!status)
		gsc_rows_at(rows, 0, &target->row);
	if (!status && gsc_rows_count(rows) != 1) {
		gsc_reg_full_name(&target->row.reg, buf, 100);
		status = usage_error(err, text, "means %zu registers, expected one: %s?",
				     gsc_rows_count(rows), buf);
	} else if (!status && target->row.field_count > 1) {
		status = usage_error(err, text, "expected one field");
	} else if (!status && target->row.field_count) {
		definition_fields(view_of(common), &target->row.reg, &it);
		while (!target->has_field && definition_next(view_of(common), &it, &target->field))
			target->has_field = !strcasecmp(target->field.name, target->row.fields[0]);
		if (!target->has_field)
			status = usage_error(err, target->row.fields[0],
					     "no such field in this register");
	}
	gsc_rows_free(rows);
	if (status)
		target_close(target);
	return status;
}

void target_close(struct target *target)
{
	gsc_selection_free(target->selection);
	target->selection = NULL;
}

/* ---- words of values ------------------------------------------------------------------------ */

bool target_next(struct common *common, const struct target *target, struct gsc_field_iter *it)
{
	struct gsc_field field;

	while (target->has_field && definition_next(view_of(common), it, &field))
		if (!strcmp(field.name, target->field.name) && field.hi == target->field.hi)
			return true;
	return false;
}

bool field_is_bool(const struct gsc_field_iter *it)
{
	struct gsc_form form;

	gsc_field_form(it, &form);
	return form.type && !strcmp(form.type, "bool");
}

/* As fields are printed: the name of a value, or yes and no, or their other forms. */
bool word_value(struct common *common, const struct target *target, const char *text,
		uint64_t *value)
{
	static const char *const words[] = { "no", "yes", "off", "on", "false", "true" };
	struct gsc_field_iter it;
	struct gsc_value named;

	definition_fields(view_of(common), &target->row.reg, &it);
	while (target_next(common, target, &it)) {
		for (size_t i = 0; gsc_field_value(&it, i, &named); i++)
			if (named.name && !strcasecmp(named.name, text)) {
				*value = named.lo;
				return true;
			}
		for (size_t i = 0; field_is_bool(&it) && i < ARRAY_SIZE(words); i++)
			if (!strcasecmp(words[i], text)) {
				*value = i % 2;
				return true;
			}
	}
	return false;
}

/* "expected a number or normal or stop", "expected a number or yes or no" */
enum gsc_status not_a_value(struct common *common, const struct target *target, const char *text,
			    struct gsc_error *err)
{
	char why[256] = "expected a number";
	struct gsc_field_iter it;
	struct gsc_value named;

	definition_fields(view_of(common), &target->row.reg, &it);
	if (target_next(common, target, &it)) {
		if (field_is_bool(&it))
			string_add(why, " or yes or no");
		for (size_t i = 0; gsc_field_value(&it, i, &named); i++)
			if (named.name)
				string_add(why, " or %s", named.name);
	}
	return usage_error(err, *text ? text : "''", "%s", why);
}
