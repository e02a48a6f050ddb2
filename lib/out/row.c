/* SPDX-License-Identifier: MIT */
/* What every form of output asks about a row. */
#include "out/out.h"

#include <stdio.h>
#include <string.h>

bool origin_text(const struct gsc_view *view, const struct gsc_reg *reg, char *buf, size_t size)
{
	const char *key, *title;

	if (!reg->document)
		return false;
	for (size_t i = 0; gsc_document_at(view->db, i, &key, &title); i++) {
		if (strcmp(key, reg->document))
			continue;
		snprintf(buf, size, "%s, %s", title, reg->section ? reg->section : "");
		return true;
	}
	snprintf(buf, size, "%s, %s", reg->document, reg->section ? reg->section : "");
	return true;
}

const char *row_reason(const struct gsc_row *row, char *buf, size_t size)
{
	if (row->status == GSC_READ_ASLEEP && row->reg.wake) {
		snprintf(buf, size, "forcewake domain %s is not held", row->reg.wake);
		return buf;
	}
	return row->status == GSC_READ_OK ? NULL : row->why;
}

bool row_shows(const struct gsc_row *row, const struct gsc_field *field)
{
	for (size_t i = 0; i < row->field_count; i++)
		if (!name_compare(row->fields[i], field->name))
			return true;
	return !row->field_count;
}

bool row_decodes(const struct gsc_row *row)
{
	return row->status == GSC_READ_OK && row->reg.name && (!row->raw || row->reg.bits == 32);
}

void definition_fields(const struct gsc_view *view, const struct gsc_reg *reg,
		       struct gsc_field_iter *it)
{
	struct gsc_item item;

	if (gsc_item_by_def(view->db, GSC_REGISTER, reg->def, &item))
		gsc_item_fields(view->db, NULL, &item, NULL, 0, it);
	else
		*it = (struct gsc_field_iter){ 0 };
}

bool definition_next(const struct gsc_view *view, struct gsc_field_iter *it,
		     struct gsc_field *field)
{
	while (gsc_field_next(it, field))
		if (field->platforms & view->bit)
			return true;
	return false;
}
