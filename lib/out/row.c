/* SPDX-License-Identifier: MIT */
/* What every form of output asks about a row. */
#include "out/out.h"

#include <stdio.h>

bool origin_text(const struct gsc_view *view, const struct gsc_reg *reg, char *buf, size_t size)
{
	const struct layer *l;
	const struct b_origin *origin;
	const struct b_document *document;
	uint32_t index;

	if (!reg->document)
		return false;
	l = def_layer(view->db, reg->def);
	index = reg_origin(LAYER_ITEM(l, B_REGS, struct c_reg, def_index(reg->def)));
	origin = LAYER_ITEM(l, B_ORIGINS, struct b_origin, index);
	document = LAYER_ITEM(l, B_DOCUMENTS, struct b_document, origin->document);
	snprintf(buf, size, "%s, %s", layer_text(l, document->title),
		 layer_text(l, origin->section));
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
	return row->status == GSC_READ_OK && row->reg.name && !row->part;
}

bool within_next(const struct gsc_view *view, const struct gsc_row *row, size_t *next,
		 struct gsc_field *field, char *name, size_t size)
{
	uint64_t start = row->reg.offset;
	struct gsc_reg reg;

	if (!row->raw || row->reg.name || *next >= view->count)
		return false;
	gsc_view_reg(view, *next, &reg);
	if (reg.space != row->reg.space || reg.offset + reg.bits / 8 > start + 4)
		return false;
	++*next;
	gsc_reg_full_name(&reg, name, size);
	*field = (struct gsc_field){ .name = name, .lo = (unsigned)(reg.offset - start) * 8 };
	field->hi = field->lo + reg.bits - 1;
	field->value = row->value >> field->lo & ((UINT64_C(1) << reg.bits) - 1);
	return true;
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
		if (gsc_view_sees(view, field->platforms, &field->revisions))
			return true;
	return false;
}
