/* SPDX-License-Identifier: MIT */
/* Programs of the execution units as text, in the assemblers' syntax unless more is requested. */
#include "out/out.h"

#include "eu/program.h"

/* What a SEND requests, below it, as a comment of assemblers. */
static void put_message(struct gsc_out *out, struct gsc_program *program,
			const struct gsc_program_style *style)
{
	struct gsc_field field;
	char text[PROGRAM_LINE];

	if (!gsc_program_message(program, text, sizeof(text)))
		return;
	gsc_out_style(out, GSC_STYLE_DIM);
	gsc_out_pad(out, style->indent + 16);
	gsc_out_format(out, "// %s", text);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	while (style->fields && gsc_program_message_next(program, &field))
		gsc_text_field(out, &field);
}

static void put_label(struct gsc_out *out, const struct gsc_instruction *in,
		      const struct gsc_program_style *style)
{
	if (in->label < 0)
		return;
	gsc_out_end(out);
	gsc_out_pad(out, style->indent);
	gsc_out_line(out, "%s%lld:", in->label_word, (long long)in->label);
}

void gsc_text_program(struct gsc_out *out, struct gsc_program *program,
		      const struct gsc_program_style *style, struct gsc_program_counts *counts)
{
	struct gsc_instruction in = { .label = -1 };
	const char *structure, *before;
	struct gsc_field field;
	bool ended = false;

	*counts = (struct gsc_program_counts){ .end = 0 };
	while ((!style->most || counts->instructions < style->most) && !gsc_out_error(out) &&
	       !(ended = !gsc_program_next(program, &in))) {
		uint64_t at = style->address + in.offset;
		char text[PROGRAM_LINE];
		size_t length = gsc_program_text(program, text, sizeof(text));

		put_label(out, &in, style);
		gsc_out_pad(out, style->indent);
		if (style->addresses) {
			gsc_out_hex(out, style->address + in.offset, 8);
			gsc_out_text(out, ":  ");
		}
		/* "00600001 2fa0020c ...": a compacted instruction has two of them. */
		for (unsigned i = 0; style->raw && i < in.size / 4; i++)
			gsc_out_format(out, "%08x ", in.raw[i]);
		if (style->raw)
			gsc_out_text(out, in.size == 8 ? "                   " : " ");
		if (!in.opcode)
			gsc_out_style(out, GSC_STYLE_RED);
		gsc_out_bytes(out, text, length);
		if (!in.opcode)
			gsc_out_style(out, GSC_STYLE_PLAIN);
		if (style->marked && style->mark - at < in.size) {
			gsc_out_text(out, "  // <- here");
			counts->marked = true;
		}
		gsc_out_end(out);
		if (!style->bare)
			put_message(out, program, style);
		before = NULL;
		while (style->fields && gsc_program_field_next(program, &structure, &field)) {
			if (structure != before) {
				gsc_out_text(out, "    ");
				text_styled(out, GSC_STYLE_CYAN, structure);
				gsc_out_end(out);
				before = structure;
			}
			gsc_text_field(out, &field);
		}
		program_count(counts, &in);
	}
	if (ended && in.label >= 0)
		put_label(out, &in, style);
}
