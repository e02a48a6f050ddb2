/* SPDX-License-Identifier: MIT */
/* Programs of the execution units as JSON: a list of instructions. */
#include "eu/program.h"
#include "out/keys.h"
#include "out/out.h"

void program_count(struct gsc_program_counts *counts, const struct gsc_instruction *in)
{
	if (!in->opcode && !counts->unknown++)
		counts->first_unknown = in->offset;
	counts->instructions++;
	counts->end = in->offset + in->size;
}

KEYS(instructionField, "structure: a definition (gpu-db show). Bits count from the beginning of "
     "the 16 bytes.")
static void json_part(struct gsc_json *json, const char *structure, const struct gsc_field *field)
{
	KEY(text, "structure", structure);
	KEY(text, "name", field->name);
	KEY(number, "hi", field->hi, MAX(127));
	KEY(number, "lo", field->lo, MAX(127));
	KEY(hex, "value", field->value);
	KEY(text_or_null, "text", field->text);
	if (field->problem)
		KEY(text, "problem", field->problem, OPTIONAL);
}

KEYS(message, "function and descriptors of a SEND. fields: dword 0 is the descriptor, 1 the "
     "extended descriptor; a descriptor that is in a register has no fields.")
static void json_message(struct gsc_json *json, struct gsc_program *program, const char *text)
{
	struct gsc_field field;

	KEY(text, "text", text);
	KEY_ARRAY("fields", OF(placedField));
	while (gsc_program_message_next(program, &field))
		ITEM(json_placed_field(json, 0, &field));
	gsc_json_array_end(json);
}

KEYS(instruction, "offset, jip and uip count from the beginning of the program; jip and uip are "
     "where it may jump to; null if it does not, or to before the program. opcode: null if it is "
     "unknown. fields: of a compacted instruction those of the 16 bytes that it stands for.")
static void json_instruction(struct gsc_json *json, struct gsc_program *program,
			     const struct gsc_instruction *in)
{
	char text[PROGRAM_LINE];
	const char *structure;
	struct gsc_field field;
	size_t length;

	gsc_program_text(program, text, sizeof(text));
	KEY(hex, "offset", in->offset);
	KEY(number, "size", in->size, ONE_OF(8, 16));
	KEY(flag, "compacted", in->size == 8);
	KEY(text_or_null, "opcode", in->opcode);
	KEY(number, "exec_size", in->exec_size, MAX(32));
	KEY(text, "text", text);
	KEY_EACH(hex, "dwords", for (unsigned i = 0; i < in->size / 4; i++), in->raw[i],
		 MIN_ITEMS(2), MAX_ITEMS(4));
	KEY_ARRAY("fields", OF(instructionField));
	while (gsc_program_field_next(program, &structure, &field))
		ITEM(json_part(json, structure, &field));
	gsc_json_array_end(json);
	length = gsc_program_message(program, text, sizeof(text));
	KEY_OR_NULL(length, object, "message", json_message(json, program, text));
	KEY_OR_NULL(in->has_jip && in->jip >= 0, hex, "jip", (uint64_t)in->jip);
	KEY_OR_NULL(in->has_uip && in->uip >= 0, hex, "uip", (uint64_t)in->uip);
	KEY_OR_NULL(in->label >= 0, number, "label", (uint64_t)in->label);
}

KEYS(program, "size: bytes that are decoded. name: that of FILE, or of the file that gpu-batch "
     "--kernels writes. command: what starts it. problem: why its end was not found.")
void gsc_json_program(struct gsc_json *json, struct gsc_program *program,
		      struct gsc_program_counts *counts)
{
	struct gsc_instruction in;

	*counts = (struct gsc_program_counts){ .end = 0 };
	KEY_ARRAY("instructions", OF(instruction));
	while (!gsc_out_error(json->out) && gsc_program_next(program, &in)) {
		ITEM(json_instruction(json, program, &in));
		program_count(counts, &in);
	}
	gsc_json_array_end(json);
}
