/* SPDX-License-Identifier: MIT */
/* Programs of the execution units. */
#include "test.h"

/* mov(8) g5<1>F g4<8,8,1>F, compacted; then the same in 16 bytes. */
static const uint32_t program[] = { 0x20010b01, 0x00040507, 0x00600001, 0x20a03ae8, 0x008d0080, 0 };

static struct gpuscope_gpu *platform_gpu(const char *platform)
{
	struct gpuscope_options options = { .size = sizeof(options), .platform = platform };
	struct gpuscope_gpu *gpu;

	FINE(gpuscope_open(NULL, 0, &options, &gpu));
	return gpu;
}

static void test_program(void)
{
	struct gpuscope_gpu *gpu = platform_gpu("skl");
	const struct gpuscope_instruction *in;
	struct gpuscope_list *list, *other, *fields;
	const struct gpuscope_field *field;
	bool found = false;

	FINE(gpuscope_program(gpu, program, sizeof(program), GPUSCOPE_SYNTAX_MESA, &list));
	/* The syntax is that of the list. */
	FINE(gpuscope_program(gpu, program, 8, GPUSCOPE_SYNTAX_IGA, &other));
	gpuscope_gpu_free(gpu);
	in = gpuscope_next(list);
	NUMBER(in->offset, 0);
	NUMBER(in->bytes, 8);
	TEXT(in->opcode, "mov");
	NUMBER(in->exec_size, 8);
	CHECK(!strncmp(in->text, "mov(8) ", 7) && strstr(in->text, "g5<1>F"));
	CHECK(!in->label && !in->message && !in->ends && !in->jip && !in->uip);
	in = gpuscope_next(list);
	NUMBER(in->offset, 8);
	NUMBER(in->bytes, 16);
	FINE(gpuscope_fields(in->decoded, &fields));
	while ((field = gpuscope_next(fields)))
		if (!strcmp(field->name, "OPCODE")) {
			TEXT(field->structure, "EU_INSTRUCTION");
			NUMBER(field->value, 1);
			found = true;
		}
	CHECK(found);
	gpuscope_list_free(fields);
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);
	in = gpuscope_next(other);
	CHECK(strstr(in->text, "r5.0<1>:f") != NULL);
	CHECK(!gpuscope_next(other));
	gpuscope_list_free(other);
}

static void test_wrong(void)
{
	struct gpuscope_gpu *gpu = platform_gpu("skl"), *old = platform_gpu("snb");
	const struct gpuscope_instruction *in;
	struct gpuscope_list *list;

	ERROR(gpuscope_program(gpu, NULL, 8, GPUSCOPE_SYNTAX_MESA, &list), GPUSCOPE_STATUS_USAGE,
	      "program", "NULL");
	CHECK(!list);
	ERROR(gpuscope_program(gpu, program, 8, (enum gpuscope_syntax)7, &list),
	      GPUSCOPE_STATUS_USAGE, "syntax", "unknown");
	ERROR(gpuscope_program(old, program, 8, GPUSCOPE_SYNTAX_IGA, &list), GPUSCOPE_STATUS_USAGE,
	      "snb", "begins with Gen7");
	FINE(gpuscope_program(gpu, NULL, 0, GPUSCOPE_SYNTAX_MESA, &list));
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);
	FINE(gpuscope_program(gpu, program, 12, GPUSCOPE_SYNTAX_MESA, &list));
	in = gpuscope_next(list);
	CHECK(in && !gpuscope_next(list));
	NUMBER(gpuscope_error_status(gpuscope_list_error(list)), GPUSCOPE_STATUS_PARTIAL);
	gpuscope_list_free(list);
	gpuscope_gpu_free(gpu);
	gpuscope_gpu_free(old);
}

/* A message of 3 registers, of which its function takes 1; at the end of the thread. */
static void test_check(void)
{
	struct gpuscope_gpu *gpu = platform_gpu("skl");
	const struct gpuscope_finding *finding;
	uint32_t words[4] = { 0x06600031, 0x20003ae0, 0x068d0f60, 0x00080017 };
	struct gpuscope_list *list;

	FINE(gpuscope_program_check(gpu, words, sizeof(words), 0x1000, &list));
	gpuscope_gpu_free(gpu);
	finding = gpuscope_next(list);
	TEXT(finding->rule, "message-length");
	CHECK(strstr(finding->where, "1000") != NULL);
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);
}

int main(void)
{
	test_program();
	test_wrong();
	test_check();
	return checked();
}
