/* SPDX-License-Identifier: MIT */
/* Instructions in a row, and the structures that the bits of each follow. */
#include "db/view.h"
#include "eu/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- the set --------------------------------------------------------------------------------- */

static bool take_structures(struct gsc_eu *eu, const struct gsc_view *view)
{
	struct gsc_item item, *slot;

	for (size_t i = 0; gsc_item_at(view->db, GSC_STRUCTURE, i, &item); i++) {
		if (strncmp(item.name, "EU_", 3) || !eu_applies(view, &item))
			continue;
		slot = vec_add(&eu->structures);
		if (!slot)
			return false;
		*slot = item;
	}
	return true;
}

static enum gsc_status eu_open(struct gsc_eu *eu, const struct gsc_view *view,
			       struct gsc_error *err)
{
	struct gsc_platform platform;
	enum gsc_status status = eu_isa_open(view, &eu->isa, err);

	if (status)
		return status;
	gsc_platform_at(view->db, view->platform, &platform);
	if (!eu->isa->known || !eu_has(eu->isa, EU_INSTRUCTION_OPCODE))
		return err_set(err, GSC_USAGE, platform.name,
			       "no definition says how its EUs encode instructions");
	return take_structures(eu, view) ? GSC_OK : err_memory(err);
}

enum gsc_status gsc_eu_new(struct gsc_eu **eu, const struct gsc_view *view, struct gsc_error *err)
{
	enum gsc_status status;

	*eu = calloc(1, sizeof(**eu));
	if (!*eu)
		return err_memory(err);
	status = eu_open(*eu, view, err);
	if (!status)
		return GSC_OK;
	gsc_eu_free(*eu);
	*eu = NULL;
	return status;
}

enum gsc_status gsc_eu_set_syntax(struct gsc_eu *eu, enum gsc_eu_syntax syntax,
				  struct gsc_error *err)
{
	const struct gsc_view *view = eu->isa->view;
	struct gsc_platform platform;

	gsc_platform_at(view->db, view->platform, &platform);
	if (syntax == GSC_EU_IGA && !eu_has(eu->isa, EU_IGA_REGISTER))
		return err_set(err, GSC_USAGE, platform.name,
			       "IGA, Intel's assembler, begins with Gen7: leave out --syntax");
	eu->syntax = syntax;
	return GSC_OK;
}

void gsc_eu_free(struct gsc_eu *eu)
{
	if (!eu)
		return;
	eu_isa_free(eu->isa);
	vec_free(&eu->structures);
	free(eu);
}

/* ---- a program ------------------------------------------------------------------------------- */

enum gsc_status gsc_program_new(struct gsc_program **program, struct gsc_eu *eu, const void *data,
				size_t size, struct gsc_error *err)
{
	struct gsc_program *made;

	*program = NULL;
	if (size > UINT32_MAX)
		return err_set(err, GSC_USAGE, "program", "larger than 4 GB");
	made = calloc(1, sizeof(*made));
	if (made)
		*made = (struct gsc_program){ .eu = eu, .data = data, .size = size };
	if (made)
		made->labels.by_place = eu->syntax == GSC_EU_IGA;
	if (!made || !labels_find(&made->labels, eu->isa, data, size)) {
		gsc_program_free(made);
		return err_memory(err);
	}
	*program = made;
	return GSC_OK;
}

void gsc_program_free(struct gsc_program *program)
{
	if (!program)
		return;
	labels_free(&program->labels);
	free(program);
}

bool gsc_program_next(struct gsc_program *program, struct gsc_instruction *out)
{
	const struct eu_instruction *in = &program->in;

	*out = (struct gsc_instruction){
		.offset = program->at,
		.label = label_at(&program->labels, (int64_t)program->at),
		.label_word = labels_word(&program->labels),
	};
	if (!eu_decode(program->eu->isa, program->data, program->size, program->at, &program->in))
		return false;
	out->size = in->size;
	out->opcode = in->opcode ? in->opcode->name : NULL;
	out->exec_size = in->exec_size;
	out->ends = in->ends;
	out->has_jip = in->has_jip;
	out->has_uip = in->has_uip;
	out->jip = (int64_t)program->at + in->jip;
	out->uip = (int64_t)program->at + in->uip;
	memcpy(out->raw, program->data + program->at, in->size);
	if (eu_jump_target(program->eu->isa, in, &out->jip))
		out->has_jip = true;
	memcpy(out->words, in->raw.half, sizeof(out->words));
	program->at += in->size;
	return true;
}

size_t gsc_program_text(const struct gsc_program *program, char *buf, size_t size)
{
	const struct eu_instruction *in = &program->in;
	struct text text = text_begin(buf, size);
	uint32_t words[4] = { 0 };

	if (!size)
		return 0;
	if (program->eu->syntax == GSC_EU_IGA)
		eu_print_iga(program->eu->isa, in, &program->labels, &text);
	else
		eu_print(program->eu->isa, in, &program->labels, &text);
	if (in->opcode || !in->size)
		return text.used;
	memcpy(words, program->data + in->offset, in->size);
	text_pad(&text, 16);
	text_put(&text, "/* unknown:");
	for (unsigned i = 0; i < in->size / 4u; i++) {
		text_put(&text, " 0x");
		text_put_hex(&text, words[i], 8);
	}
	text_put(&text, " */");
	return text.used;
}

/* ---- its message ----------------------------------------------------------------------------- */

size_t gsc_program_message(struct gsc_program *program, char *buf, size_t size)
{
	const struct eu_instruction *in = &program->in;
	struct text text = text_begin(buf, size);

	program->message = (struct eu_message){ .it.end = 0 };
	if (!size || !in->opcode || (in->opcode->form != EU_SEND && in->opcode->form != EU_SENDS))
		return 0;
	eu_message_fields(program->eu->isa, in, &program->message);
	eu_put_message(program->eu->isa, in, &text);
	return text.used;
}

bool gsc_program_message_next(struct gsc_program *program, struct gsc_field *field)
{
	struct gsc_form form;

	return eu_message_next(&program->message, field, &form);
}

/* ---- its structures -------------------------------------------------------------------------- */

/* What of an instruction a structure is about, and how that has to be written. */
enum part_of { OF_ALL, OF_DESTINATION, OF_SOURCE0, OF_SOURCE1 };
enum part_how { HOW_ANY, HOW_ALIGN1, HOW_ALIGN16, HOW_INDIRECT, HOW_INDIRECT16, HOW_IMMEDIATE };

#define FORM(name) (1u << EU_##name)
#define TWO_SOURCES (FORM(BASIC) | FORM(MATH))
#define WITH_SOURCE (TWO_SOURCES | FORM(SYNC))

static const struct part {
	const char *name;
	unsigned forms;
	uint8_t sources;		/* at least */
	uint8_t of, how;
} part_rows[] = {
	{ "EU_INSTRUCTION", ~0u, 0, OF_ALL, HOW_ANY },
	{ "EU_MATH", FORM(MATH), 0, OF_ALL, HOW_ANY },
	{ "EU_SYNC", FORM(SYNC), 0, OF_ALL, HOW_ANY },
	{ "EU_BRANCH", FORM(BRANCH), 0, OF_ALL, HOW_ANY },
	{ "EU_THREE_ALIGN1", FORM(THREE), 0, OF_ALL, HOW_ALIGN1 },
	{ "EU_THREE_ALIGN16", FORM(THREE), 0, OF_ALL, HOW_ALIGN16 },
	{ "EU_DPAS", FORM(DPAS), 0, OF_ALL, HOW_ANY },
	{ "EU_SEND", FORM(SEND), 0, OF_ALL, HOW_ANY },
	{ "EU_SENDS", FORM(SENDS), 0, OF_ALL, HOW_ANY },
	{ "EU_DESTINATION", TWO_SOURCES, 0, OF_DESTINATION, HOW_ANY },
	{ "EU_DESTINATION_ALIGN1", TWO_SOURCES, 0, OF_DESTINATION, HOW_ALIGN1 },
	{ "EU_DESTINATION_ALIGN16", TWO_SOURCES, 0, OF_DESTINATION, HOW_ALIGN16 },
	{ "EU_DESTINATION_INDIRECT", TWO_SOURCES, 0, OF_DESTINATION, HOW_INDIRECT },
	{ "EU_DESTINATION_INDIRECT16", TWO_SOURCES, 0, OF_DESTINATION, HOW_INDIRECT16 },
	{ "EU_SOURCE0", WITH_SOURCE, 1, OF_SOURCE0, HOW_ANY },
	{ "EU_SOURCE0_ALIGN1", WITH_SOURCE, 1, OF_SOURCE0, HOW_ALIGN1 },
	{ "EU_SOURCE0_ALIGN16", WITH_SOURCE, 1, OF_SOURCE0, HOW_ALIGN16 },
	{ "EU_SOURCE0_INDIRECT", WITH_SOURCE, 1, OF_SOURCE0, HOW_INDIRECT },
	{ "EU_SOURCE0_INDIRECT16", WITH_SOURCE, 1, OF_SOURCE0, HOW_INDIRECT16 },
	{ "EU_SOURCE1", TWO_SOURCES, 2, OF_SOURCE1, HOW_ANY },
	{ "EU_SOURCE1_ALIGN1", TWO_SOURCES, 2, OF_SOURCE1, HOW_ALIGN1 },
	{ "EU_SOURCE1_ALIGN16", TWO_SOURCES, 2, OF_SOURCE1, HOW_ALIGN16 },
	{ "EU_SOURCE1_INDIRECT", TWO_SOURCES, 2, OF_SOURCE1, HOW_INDIRECT },
	{ "EU_SOURCE1_INDIRECT16", TWO_SOURCES, 2, OF_SOURCE1, HOW_INDIRECT16 },
	{ "EU_IMMEDIATE", WITH_SOURCE, 1, OF_ALL, HOW_IMMEDIATE },
};

static enum part_how how_written(const struct eu_operand *o, bool align16)
{
	if (o->file == EU_IMM)
		return HOW_IMMEDIATE;
	if (o->indirect)
		return align16 ? HOW_INDIRECT16 : HOW_INDIRECT;
	return align16 ? HOW_ALIGN16 : HOW_ALIGN1;
}

static bool has_immediate(const struct eu_instruction *in)
{
	return in->source[0].file == EU_IMM ||
	       (in->operands > 1 && in->source[1].file == EU_IMM);
}

static bool has_part(const struct eu_instruction *in, const struct part *part)
{
	const struct eu_operand *const operands[] = {
		[OF_DESTINATION] = &in->destination,
		[OF_SOURCE0] = &in->source[0],
		[OF_SOURCE1] = &in->source[1],
	};

	if (!in->opcode)
		return part == part_rows;
	if (!(part->forms >> in->opcode->form & 1) || in->operands < part->sources)
		return false;
	if (part->how == HOW_ANY)
		return true;
	if (part->of != OF_ALL)
		return how_written(operands[part->of], in->align16) == part->how;
	return part->how == HOW_IMMEDIATE ? has_immediate(in)
					  : in->align16 == (part->how == HOW_ALIGN16);
}

bool gsc_program_part(const struct gsc_program *program, size_t i, struct gsc_item *item)
{
	const struct gsc_eu *eu = program->eu;
	size_t found = 0;

	for (size_t p = 0; p < ARRAY_SIZE(part_rows); p++)
		for (size_t s = 0; has_part(&program->in, &part_rows[p]) &&
		     s < eu->structures.count; s++)
			if (!strcmp(eu->structures.items[s].name, part_rows[p].name) &&
			    found++ == i) {
				*item = eu->structures.items[s];
				return true;
			}
	return false;
}

const char *gsc_instruction_part(const struct gsc_item *item, size_t i)
{
	for (size_t p = 0; item->form && p < ARRAY_SIZE(part_rows); p++)
		for (unsigned form = 0; form < EU_FORMS; form++)
			if (part_rows[p].forms >> form & 1 &&
			    !strcmp(item->form, eu_form_words[form]) &&
			    item->sources >= part_rows[p].sources && !i--)
				return part_rows[p].name;
	return NULL;
}
