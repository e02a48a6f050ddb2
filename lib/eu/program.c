/* SPDX-License-Identifier: MIT */
/* A sequence of instructions, its labels, and the structures that the bits of each follow. */
#include "db/view.h"
#include "eu/program.h"

enum gsc_status gsc_eu_new(struct gsc_eu **eu, const struct gsc_view *view, struct gsc_error *err)
{
	struct gsc_eu *made = *eu = calloc(1, sizeof(*made));
	struct gsc_platform platform;
	struct gsc_item item;
	enum gsc_status status;

	if (!made)
		return err_memory(err);
	status = eu_isa_open(view, &made->isa, err);
	if (!status && (!made->isa->known || !eu_has(made->isa, EU_INSTRUCTION_OPCODE))) {
		gsc_platform_at(view->db, view->platform, &platform);
		status = err_set(err, GSC_USAGE, platform.name,
				 "no definition says how its EUs encode instructions");
	}
	for (size_t i = 0; !status && gsc_item_at(view->db, GSC_STRUCTURE, i, &item); i++) {
		if (strncmp(item.name, "EU_", 3) || !eu_applies(view, &item))
			continue;
		if (!vec_push(&made->structures, item))
			status = err_memory(err);
	}
	if (status) {
		gsc_eu_free(made);
		*eu = NULL;
	}
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

/* ---- its labels ------------------------------------------------------------------------------ */

static bool add_label(struct eu_labels *labels, int64_t offset)
{
	return vec_push(&labels->at, (struct eu_label){ offset, (int64_t)labels->at.count });
}

static int by_offset(const void *a, const void *b)
{
	const struct eu_label *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
	const struct eu_label *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* Labels are numbered in the order in which they are met, and Mesa meets UIP before JIP. */
bool labels_find(struct eu_labels *labels, const struct eu_isa *isa, const void *bytes, size_t size)
{
	const struct eu_opcode *opcode;
	struct eu_instruction in;
	struct eu_label *at;
	size_t kept = 0;
	unsigned length;
	int64_t target;

	for (size_t from = 0; (length = eu_length(isa, bytes, size, from, &opcode));
	     from += length) {
		if ((opcode->form != EU_BRANCH &&
		     !(labels->by_place && opcode->traits & EU_JUMPS)) ||
		    !eu_decode(isa, bytes, size, from, &in))
			continue;
		if (eu_jump_target(&in, &target) && !add_label(labels, target))
			return false;
		/* calla */
		if (labels->by_place && in.operands && in.source[0].file == EU_IMM &&
		    !add_label(labels, (int64_t)in.source[0].value))
			return false;
		if ((in.has_uip && !add_label(labels, (int64_t)from + in.uip)) ||
		    (in.has_jip && !add_label(labels, (int64_t)from + in.jip)))
			return false;
	}
	if (!labels->at.count)
		return true;
	at = labels->at.items;
	qsort(at, labels->at.count, sizeof(*at), by_offset);
	for (size_t i = 0; i < labels->at.count; i++)
		if (!i || at[i].offset != at[kept - 1].offset)
			at[kept++] = at[i];
	labels->at.count = kept;
	qsort(at, kept, sizeof(*at), by_number);
	for (size_t i = 0; i < kept; i++)
		at[i].number = labels->by_place ? at[i].offset : (int64_t)i;
	qsort(at, kept, sizeof(*at), by_offset);
	return true;
}

void labels_free(struct eu_labels *labels)
{
	vec_free(&labels->at);
}

int64_t label_at(const struct eu_labels *labels, int64_t offset)
{
	size_t at = SEEK(i, 0, labels ? labels->at.count : 0, labels->at.items[i].offset < offset);

	return labels && at < labels->at.count && labels->at.items[at].offset == offset
		       ? labels->at.items[at].number : -1;
}

/* The word in front of a label's number. */
static const char *labels_word(const struct eu_labels *labels)
{
	return labels && labels->by_place ? "L" : "LABEL";
}

void labels_put(const struct eu_labels *labels, int64_t offset, struct text *text)
{
	int64_t label = label_at(labels, offset);

	if (label >= 0)
		text_add(text, "%s%lld", labels_word(labels), (long long)label);
	else if (labels && labels->by_place)
		text_add(text, offset < 0 ? "L_N%lld" : "L%lld", llabs(offset));
	else
		text_add(text, "%lld", (long long)offset);
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
	program->parts.begun = false;
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
	if (eu_jump_target(in, &out->jip))
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
	if (program->labels.by_place)
		eu_print_iga(in, &program->labels, &text);
	else
		eu_print(in, &program->labels, &text);
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
	if (!size || !in->opcode || !eu_is_message(in))
		return 0;
	eu_message_fields(in, &program->message);
	eu_put_message(in, &text);
	return text.used;
}

bool gsc_program_message_next(struct gsc_program *program, struct gsc_field *field)
{
	struct gsc_form form;

	return eu_message_next(&program->message, field, &form);
}

/* ---- its structures -------------------------------------------------------------------------- */

/*
 * The part of an instruction that a structure describes, and how that must be written. From OF_FORM
 * on: what the bits are in this form, or in an instruction of that name, whatever they are in
 * others. OF_HIGH: of a basic instruction without an immediate, or with one as its last source.
 */
enum part_of {
	OF_ALL, OF_DESTINATION, OF_SOURCE0, OF_SOURCE1, OF_FORM, OF_NAME, OF_HIGH, OF_IMMEDIATE
};

#define FORM(name) (1u << EU_##name)
#define WITH_IMMEDIATE (FORM(BASIC) | FORM(MATH) | FORM(SYNC))
#define WITH_SOURCE (WITH_IMMEDIATE | FORM(SEND) | FORM(BRANCH))
#define WITH_OPERANDS (WITH_SOURCE & ~FORM(SYNC))

static const struct part {
	const char *name;
	unsigned forms;
	uint8_t sources;		/* at least */
	uint8_t of, how;
} part_rows[] = {
	{ "EU_INSTRUCTION", ~0u, 0, OF_ALL, EU_HOW_ANY },
	{ "EU_MATH", FORM(MATH), 0, OF_FORM, EU_HOW_ANY },
	{ "EU_SYNC", FORM(SYNC), 0, OF_FORM, EU_HOW_ANY },
	{ "EU_BRANCH", FORM(BRANCH), 0, OF_FORM, EU_HOW_ANY },
	{ "EU_THREE_ALIGN1", FORM(THREE), 0, OF_FORM, EU_HOW_ALIGN1 },
	{ "EU_THREE_ALIGN16", FORM(THREE), 0, OF_FORM, EU_HOW_ALIGN16 },
	{ "EU_DPAS", FORM(DPAS), 0, OF_FORM, EU_HOW_ANY },
	{ "EU_BDPAS", FORM(BDPAS), 0, OF_FORM, EU_HOW_ANY },
	{ "EU_BFN", FORM(THREE), 0, OF_NAME, EU_HOW_ANY },
	{ "EU_DNSCL", FORM(THREE), 0, OF_NAME, EU_HOW_ANY },
	{ "EU_SHFL", FORM(BASIC), 0, OF_NAME, EU_HOW_ANY },
	{ "EU_LFSR", FORM(BASIC), 0, OF_NAME, EU_HOW_ANY },
	{ "EU_SEND", FORM(SEND), 0, OF_FORM, EU_HOW_ANY },
	{ "EU_SENDS", FORM(SENDS), 0, OF_FORM, EU_HOW_ANY },
	{ "EU_SENDG", FORM(SENDG), 0, OF_FORM, EU_HOW_ANY },
	{ "EU_SENDGX", FORM(SENDGX), 0, OF_FORM, EU_HOW_ANY },
	{ "EU_DESTINATION", WITH_OPERANDS, 0, OF_DESTINATION, EU_HOW_ANY },
	{ "EU_DESTINATION_ALIGN1", WITH_OPERANDS, 0, OF_DESTINATION, EU_HOW_ALIGN1 },
	{ "EU_DESTINATION_ALIGN16", WITH_OPERANDS, 0, OF_DESTINATION, EU_HOW_ALIGN16 },
	{ "EU_DESTINATION_INDIRECT", WITH_OPERANDS, 0, OF_DESTINATION, EU_HOW_INDIRECT },
	{ "EU_DESTINATION_INDIRECT16", WITH_OPERANDS, 0, OF_DESTINATION, EU_HOW_INDIRECT16 },
	{ "EU_SOURCE0", WITH_SOURCE, 1, OF_SOURCE0, EU_HOW_ANY },
	{ "EU_SOURCE0_ALIGN1", WITH_SOURCE, 1, OF_SOURCE0, EU_HOW_ALIGN1 },
	{ "EU_SOURCE0_ALIGN16", WITH_SOURCE, 1, OF_SOURCE0, EU_HOW_ALIGN16 },
	{ "EU_SOURCE0_INDIRECT", WITH_SOURCE, 1, OF_SOURCE0, EU_HOW_INDIRECT },
	{ "EU_SOURCE0_INDIRECT16", WITH_SOURCE, 1, OF_SOURCE0, EU_HOW_INDIRECT16 },
	{ "EU_SOURCE1", WITH_OPERANDS, 2, OF_SOURCE1, EU_HOW_ANY },
	{ "EU_SOURCE1_ALIGN1", WITH_OPERANDS, 2, OF_SOURCE1, EU_HOW_ALIGN1 },
	{ "EU_SOURCE1_ALIGN16", WITH_OPERANDS, 2, OF_SOURCE1, EU_HOW_ALIGN16 },
	{ "EU_SOURCE1_INDIRECT", WITH_OPERANDS, 2, OF_SOURCE1, EU_HOW_INDIRECT },
	{ "EU_SOURCE1_INDIRECT16", WITH_OPERANDS, 2, OF_SOURCE1, EU_HOW_INDIRECT16 },
	{ "EU_IMMEDIATE", WITH_IMMEDIATE, 1, OF_IMMEDIATE, EU_HOW_IMMEDIATE },
	{ "EU_IMMEDIATE_WIDE", WITH_IMMEDIATE, 1, OF_IMMEDIATE, EU_HOW_WIDE },
	{ "EU_TWO", WITH_IMMEDIATE, 2, OF_FORM, EU_HOW_ANY },
	{ "EU_HIGH", WITH_OPERANDS, 0, OF_HIGH, EU_HOW_ANY },
	{ "EU_HIGH_ONE", WITH_OPERANDS, 1, OF_HIGH, EU_HOW_ANY },
	{ "EU_HIGH_TWO", WITH_OPERANDS, 2, OF_HIGH, EU_HOW_ANY },
	{ "EU_HIGH_BRANCH", FORM(BRANCH), 0, OF_FORM, EU_HOW_ANY },
};

static enum eu_how how_written(const struct eu_operand *o, const struct eu_instruction *in)
{
	if (o->file == EU_IMM)
		return eu_types[o->type].size == 8 || in->opcode->traits & EU_DOUBLE
			       ? EU_HOW_WIDE : EU_HOW_IMMEDIATE;
	if (o->indirect)
		return in->align16 ? EU_HOW_INDIRECT16 : EU_HOW_INDIRECT;
	return in->align16 ? EU_HOW_ALIGN16 : EU_HOW_ALIGN1;
}

/*
 * The operands that have bits, whether or not they count. Through Gen11 messages and jumps have
 * those of other instructions.
 */
static void find_operands(const struct eu_instruction *in, struct eu_parts *parts)
{
	const bool newer = eu_has(in->isa, EU_SOURCE0_IMMEDIATE);
	const bool branch = in->opcode->form == EU_BRANCH;
	struct eu_operand source[2];

	if (in->split || (newer && branch && !in->operands && !(in->opcode->traits & EU_CALLS)))
		return;
	parts->operands = true;
	parts->sources = in->operands;
	if (!newer && (branch || in->opcode->form == EU_SEND || in->opcode->traits & EU_JUMPS))
		parts->sources = 2;
	parts->destination = how_written(&in->destination, in);
	for (unsigned i = 0; i < ARRAY_SIZE(source); i++) {
		eu_source(in, i, &source[i]);
		parts->source[i] = how_written(&source[i], in);
		if (i < parts->sources && source[i].file == EU_IMM)
			parts->immediate = parts->source[i];
	}
}

static bool is_written(enum eu_how how, const struct part *part)
{
	return part->how == EU_HOW_ANY || part->how == how;
}

/* The structure of instructions of this name only. */
static bool is_named(const struct part *part, const char *name)
{
	return !strcasecmp(part->name + strlen("EU_"), name);
}

static bool has_part(const struct gsc_program *program, const struct part *part)
{
	const struct eu_instruction *in = &program->in;
	const struct eu_parts *parts = &program->parts;

	if (!in->opcode)
		return part == part_rows;
	if (!(part->forms >> in->opcode->form & 1))
		return false;
	switch ((enum part_of)part->of) {
	case OF_DESTINATION:
		return parts->operands && is_written(parts->destination, part);
	case OF_SOURCE0:
	case OF_SOURCE1:
		return parts->sources >= part->sources &&
		       is_written(parts->source[part->of - OF_SOURCE0], part);
	case OF_IMMEDIATE:
		return parts->immediate == part->how;
	case OF_NAME:
		return is_named(part, in->opcode->name);
	case OF_HIGH:
		return parts->operands && in->opcode->form != EU_BRANCH &&
		       part->sources == (parts->immediate ? in->opcode->sources : 0);
	case OF_ALL:
	case OF_FORM:
		break;
	}
	if (in->opcode->sources < part->sources)
		return false;
	return is_written(in->align16 ? EU_HOW_ALIGN16 : EU_HOW_ALIGN1, part);
}

/* The next structure that bits of the instruction follow, with its fields from the first on. */
static bool find_part(struct gsc_program *program)
{
	const struct gsc_eu *eu = program->eu;
	const struct gsc_view *view = eu->isa->view;
	struct eu_parts *parts = &program->parts;

	for (; parts->row < ARRAY_SIZE(part_rows); parts->row++, parts->next = 0) {
		if (!has_part(program, &part_rows[parts->row]))
			continue;
		while (parts->next < eu->structures.count) {
			parts->structure = &eu->structures.items[parts->next++];
			if (strcmp(parts->structure->name, part_rows[parts->row].name))
				continue;
			memcpy(parts->words, program->in.raw.half, sizeof(parts->words));
			gsc_item_fields(view->db, view, parts->structure, parts->words,
					ARRAY_SIZE(parts->words), &parts->it);
			return true;
		}
	}
	return false;
}

/* Bits count from the beginning of the instruction. */
static bool part_field(struct eu_parts *parts, struct gsc_field *field)
{
	if (!gsc_field_next(&parts->it, field))
		return false;
	field->hi += field->dword * 32;
	field->lo += field->dword * 32;
	field->dword = 0;
	return true;
}

static struct eu_raw field_bits(const struct gsc_field *field)
{
	struct eu_raw bits = { { 0 } };

	for (unsigned bit = field->lo; bit <= field->hi; bit++)
		bits.half[bit / 64] |= UINT64_C(1) << bit % 64;
	return bits;
}

/* From the beginning: the bits that belong to something more specific than others. */
static void take_bits(struct gsc_program *program)
{
	struct eu_parts *parts = &program->parts;
	struct gsc_field field;

	*parts = (struct eu_parts){ .begun = true };
	if (program->in.opcode)
		find_operands(&program->in, parts);
	while (find_part(program)) {
		while (part_rows[parts->row].of >= OF_FORM && part_field(parts, &field)) {
			const struct eu_raw bits = field_bits(&field);

			parts->taken.half[0] |= bits.half[0];
			parts->taken.half[1] |= bits.half[1];
		}
	}
	parts->row = parts->next = 0;
	parts->it.next = parts->it.end = 0;
}

bool gsc_program_field_next(struct gsc_program *program, const char **structure,
			    struct gsc_field *field)
{
	struct eu_parts *parts = &program->parts;

	if (!parts->begun)
		take_bits(program);
	for (;;) {
		while (part_field(parts, field)) {
			const struct eu_raw bits = field_bits(field);

			*structure = parts->structure->name;
			if (part_rows[parts->row].of >= OF_FORM ||
			    !(bits.half[0] & parts->taken.half[0] ||
			      bits.half[1] & parts->taken.half[1]))
				return true;
		}
		if (!find_part(program))
			return false;
	}
}

const char *gsc_instruction_part(const struct gsc_item *item, size_t i)
{
	for (size_t p = 0; item->form && p < ARRAY_SIZE(part_rows); p++)
		for (unsigned form = 0; form < EU_FORMS; form++)
			if (part_rows[p].forms >> form & 1 &&
			    (part_rows[p].of != OF_NAME || is_named(&part_rows[p], item->name)) &&
			    !strcmp(item->form, eu_form_words[form]) &&
			    item->sources >= part_rows[p].sources && !i--)
				return part_rows[p].name;
	return NULL;
}
