/* SPDX-License-Identifier: MIT */
/* Instructions in a row, and the structures that the bits of each follow. */
#include "db/view.h"
#include "eu/labels.h"

#include <stdlib.h>
#include <string.h>

struct gsc_eu {
	struct eu_isa *isa;
	VEC(struct gsc_item) structures;	/* EU_*, those of the platform */
};

struct gsc_program {
	const struct gsc_eu *eu;
	const uint8_t *data;
	size_t size, at;
	struct eu_labels labels;
	struct eu_instruction in;	/* that which was given last */
};

/* ---- the set --------------------------------------------------------------------------------- */

static bool take_structures(struct gsc_eu *eu, const struct gsc_view *view)
{
	struct gsc_item item, *slot;

	for (size_t i = 0; gsc_item_at(view->db, GSC_STRUCTURE, i, &item); i++) {
		if (strncmp(item.name, "EU_", 3) ||
		    !gsc_view_sees(view, item.platforms, &item.revisions))
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

	if (!eu_decode(program->eu->isa, program->data, program->size, program->at, &program->in))
		return false;
	*out = (struct gsc_instruction){
		.offset = program->at,
		.size = in->size,
		.opcode = in->opcode ? in->opcode->name : NULL,
		.exec_size = in->exec_size,
		.label = label_at(&program->labels, (int64_t)program->at),
		.ends = in->ends,
		.has_jip = in->has_jip,
		.has_uip = in->has_uip,
		.jip = (int64_t)program->at + in->jip,
		.uip = (int64_t)program->at + in->uip,
	};
	memcpy(out->raw, program->data + program->at, in->size);
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

/* ---- its structures -------------------------------------------------------------------------- */

#define PARTS 12

struct parts {
	const char *names[PARTS];
	size_t count;
};

static void add(struct parts *parts, const char *name)
{
	if (parts->count < PARTS)
		parts->names[parts->count++] = name;
}

/* By indirect, align16. */
static void add_operand(struct parts *parts, const char *name, const char *const how[2][2],
			const struct eu_operand *o, bool align16)
{
	add(parts, name);
	add(parts, o->file == EU_IMM ? "EU_IMMEDIATE" : how[o->indirect][align16]);
}

static void add_operands(struct parts *parts, const struct eu_instruction *in)
{
	static const char *const destinations[2][2] = {
		{ "EU_DESTINATION_ALIGN1", "EU_DESTINATION_ALIGN16" },
		{ "EU_DESTINATION_INDIRECT", "EU_DESTINATION_INDIRECT16" },
	};
	static const char *const first[2][2] = {
		{ "EU_SOURCE0_ALIGN1", "EU_SOURCE0_ALIGN16" },
		{ "EU_SOURCE0_INDIRECT", "EU_SOURCE0_INDIRECT16" },
	};
	static const char *const second[2][2] = {
		{ "EU_SOURCE1_ALIGN1", "EU_SOURCE1_ALIGN16" },
		{ "EU_SOURCE1_INDIRECT", "EU_SOURCE1_INDIRECT16" },
	};

	if (in->opcode->form != EU_SYNC)
		add_operand(parts, "EU_DESTINATION", destinations, &in->destination, in->align16);
	if (in->operands > 0)
		add_operand(parts, "EU_SOURCE0", first, &in->source[0], in->align16);
	if (in->operands > 1)
		add_operand(parts, "EU_SOURCE1", second, &in->source[1], in->align16);
}

static void add_form(struct parts *parts, const struct eu_instruction *in)
{
	switch ((enum eu_form)in->opcode->form) {
	case EU_NOP:
	case EU_FORMS:
		break;
	case EU_THREE:
		add(parts, in->align16 ? "EU_THREE_ALIGN16" : "EU_THREE_ALIGN1");
		break;
	case EU_DPAS:
		add(parts, "EU_DPAS");
		break;
	case EU_SEND:
		add(parts, "EU_SEND");
		break;
	case EU_SENDS:
		add(parts, "EU_SENDS");
		break;
	case EU_BRANCH:
		add(parts, "EU_BRANCH");
		break;
	case EU_MATH:
		add(parts, "EU_MATH");
		add_operands(parts, in);
		break;
	case EU_SYNC:
		add(parts, "EU_SYNC");
		add_operands(parts, in);
		break;
	case EU_BASIC:
		add_operands(parts, in);
		break;
	}
}

bool gsc_program_part(const struct gsc_program *program, size_t i, struct gsc_item *item)
{
	const struct gsc_eu *eu = program->eu;
	struct parts parts = { .count = 0 };
	size_t found = 0;

	add(&parts, "EU_INSTRUCTION");
	if (program->in.opcode)
		add_form(&parts, &program->in);
	for (size_t p = 0; p < parts.count; p++)
		for (size_t s = 0; s < eu->structures.count; s++)
			if (!strcmp(eu->structures.items[s].name, parts.names[p]) && found++ == i) {
				*item = eu->structures.items[s];
				return true;
			}
	return false;
}
