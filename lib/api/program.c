/* SPDX-License-Identifier: MIT */
/* Programs of the execution units, instruction by instruction. */
#include "api/api.h"

#include "eu/program.h"

#include <string.h>

_Static_assert((int)GPUSCOPE_SYNTAX_MESA == (int)GSC_EU_MESA &&
	       (int)GPUSCOPE_SYNTAX_IGA == (int)GSC_EU_IGA, "enum gpuscope_syntax");

#define LINE 640			/* of an instruction, of a message */

struct program_list {
	struct gpuscope_list list;
	struct gsc_program *program;
	size_t size, end;		/* of the bytes; of the instructions so far */
};

/* Its fields, then those of the message: dword 0 is the descriptor, 1 the extended one. */
static const struct gpuscope_decoded *program_fields(struct program_list *list)
{
	struct gsc_program *program = list->program;
	struct keep *keep = &list->list.keep;
	struct gpuscope_decoded *decoded = keep_bytes(keep, sizeof(*decoded));
	pointer_vec fields = { .count = 0 };
	const struct gpuscope_field *const *made;
	const char *structure;
	struct gsc_field field;

	while (gsc_program_field_next(program, &structure, &field)) {
		struct gpuscope_field *one = field_of(keep, &field, &program->parts.it);

		if (one)
			one->structure = structure;
		pointers_add(keep, &fields, one);
	}
	while (gsc_program_message_next(program, &field))
		pointers_add(keep, &fields, field_of(keep, &field, &program->message.it));
	made = pointers_end(keep, &fields);
	if (decoded)
		*decoded = (struct gpuscope_decoded){ .gpu = list->list.gpu, .fields = made };
	return decoded;
}

static const void *program_next(struct gpuscope_list *list)
{
	struct program_list *own = (struct program_list *)list;
	struct keep *keep = &list->keep;
	struct gpuscope_instruction *made;
	struct gsc_instruction in;
	char text[LINE];

	if (!gsc_program_next(own->program, &in)) {
		if (own->end < own->size)
			list->error = error_make(GPUSCOPE_STATUS_PARTIAL, "program",
						 "truncated: ends "
						 "with %zu bytes of an instruction",
						 own->size - own->end);
		return NULL;
	}
	own->end = in.offset + in.size;
	made = keep_new(keep, struct gpuscope_instruction);
	if (!made)
		return NULL;
	made->offset = in.offset;
	made->bytes = in.size;
	made->opcode = in.opcode;
	made->exec_size = in.exec_size;
	if (in.label >= 0)
		made->label = keep_format(keep, "%s%lld", in.label_word, (long long)in.label);
	gsc_program_text(own->program, text, sizeof(text));
	made->text = keep_text(keep, text);
	gsc_program_message(own->program, text, sizeof(text));
	made->message = keep_text(keep, text);
	made->ends = in.ends;
	made->jip = keep_number(keep, in.has_jip && in.jip >= 0, (uint64_t)in.jip);
	made->uip = keep_number(keep, in.has_uip && in.uip >= 0, (uint64_t)in.uip);
	made->decoded = program_fields(own);
	return made;
}

static void program_free(struct gpuscope_list *list)
{
	gsc_program_free(((struct program_list *)list)->program);
}

static struct gpuscope_error *program_new(struct gpuscope_gpu *gpu, const void *data, size_t length,
					  enum gpuscope_syntax syntax, struct gsc_program **program)
{
	struct gpuscope_error *error = gpu_named(gpu);
	enum gsc_status status = GSC_OK;
	struct gsc_error err;

	*program = NULL;
	if (error)
		return error;
	if (!data && length)
		return error_make(GPUSCOPE_STATUS_USAGE, "program",
				  "data is NULL, but length is not 0");
	if ((unsigned)syntax > GPUSCOPE_SYNTAX_IGA)
		return error_make(GPUSCOPE_STATUS_USAGE, "syntax",
				  "unknown: use one of enum gpuscope_syntax");
	if (!gpu->eu)
		status = gsc_eu_new(&gpu->eu, gpu->gpu->view, &err);
	if (!status)
		status = gsc_eu_set_syntax(gpu->eu, (enum gsc_eu_syntax)syntax, &err);
	if (!status)
		status = gsc_program_new(program, gpu->eu, data, length, &err);
	return error_of(status, &err);
}

struct gpuscope_error *gpuscope_program(struct gpuscope_gpu *gpu, const void *data, size_t length,
					enum gpuscope_syntax syntax, struct gpuscope_list **out)
{
	struct program_list *list;
	struct gsc_program *program;
	struct gpuscope_error *error = program_new(gpu, data, length, syntax, &program);

	*out = NULL;
	if (error)
		return error;
	list = list_new(sizeof(*list), program_next, program_free, gpu, NULL);
	if (!list) {
		gsc_program_free(program);
		return error_memory();
	}
	list->program = program;
	list->size = length;
	*out = &list->list;
	return NULL;
}

struct gpuscope_error *gpuscope_program_check(struct gpuscope_gpu *gpu, const void *data,
					      size_t length, uint64_t address,
					      struct gpuscope_list **out)
{
	struct made_list *list;
	struct gsc_program *program;
	struct gpuscope_error *error = program_new(gpu, data, length, GPUSCOPE_SYNTAX_MESA,
						   &program);
	enum gsc_status status;
	struct gsc_error err;

	*out = NULL;
	if (error)
		return error;
	list = made_list_new(gpu, NULL);
	status = list ? gsc_program_lint(program, address, made_list_breach, list, &err) : GSC_OK;
	gsc_program_free(program);
	return made_list_done(list, status, &err, out);
}
