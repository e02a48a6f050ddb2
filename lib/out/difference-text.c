/* SPDX-License-Identifier: MIT */
/* Where two readings of a register differ, as text. */
#include "out/out.h"

static void text_field(struct gsc_out *out, const struct field_difference *field)
{
	text_bits(out, field->hi, field->lo);
	gsc_out_text(out, field->name);
	gsc_out_pad(out, FIELD_VALUE_COLUMN);
	gsc_out_hex(out, field->a, 1);
	gsc_out_text(out, " -> ");
	gsc_out_hex(out, field->b, 1);
	if (field->text_a || field->text_b) {
		gsc_out_pad(out, FIELD_TEXT_COLUMN + 8);
		gsc_out_format(out, "%s -> %s", field->text_a ? field->text_a : "-",
			       field->text_b ? field->text_b : "-");
	}
	gsc_out_end(out);
}

void gsc_text_difference(struct gsc_out *out, const struct gsc_view *view,
			 const struct gsc_difference *d, unsigned flags)
{
	struct difference_iter it;
	struct field_difference field;

	text_address(out, d->b.reg.space, d->b.reg.offset);
	gsc_out_text(out, "  ");
	text_value(out, &d->a);
	gsc_out_text(out, " -> ");
	text_value(out, &d->b);
	if (d->b.reg.name) {
		gsc_out_text(out, "  ");
		text_name(out, &d->b);
	} else if (d->a.dump_name || d->b.dump_name) {
		gsc_out_text(out, "  ");
		gsc_out_text(out, d->a.dump_name ? d->a.dump_name : d->b.dump_name);
	}
	gsc_out_end(out);
	if (flags & GSC_TEXT_QUIET)
		return;
	difference_fields(view, d, &it);
	while (difference_next(&it, &field))
		text_field(out, &field);
	if (!it.rest || !row_decodes(&d->a) || !row_decodes(&d->b))
		return;
	gsc_out_text(out, "    bits without definition: ");
	gsc_out_hex(out, it.rest, 1);
	gsc_out_end(out);
}
