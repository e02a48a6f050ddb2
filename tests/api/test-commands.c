/* SPDX-License-Identifier: MIT */
/* Commands, and what breaks rules in them. */
#include "test.h"

static struct gpuscope_list *commands_of(const char *source,
					 const struct gpuscope_commands_options *options)
{
	struct gpuscope_gpu *gpu = gpu_of(source);
	struct gpuscope_list *list = NULL;

	if (gpu)
		FINE(gpuscope_commands(gpu, options, &list));
	gpuscope_gpu_free(gpu);
	return list;
}

static void test_demo(void)
{
	struct gpuscope_list *list = commands_of("demo:skl-hang", NULL);
	const struct gpuscope_command *command;
	const struct gpuscope_run *run = NULL;
	const struct gpuscope_field *field;
	struct gpuscope_list *fields;
	unsigned count = 0;

	while ((command = gpuscope_next(list))) {
		if (!count) {
			run = command->run;
			TEXT(run->engine, "rcs0");
			NUMBER(run->kind, GPUSCOPE_RUN_KIND_RING);
			TEXT(gpuscope_run_kind_word(run->kind), "ring");
			NUMBER(run->address, 0x8000);
			CHECK(!run->over && !run->from && !run->process);
		}
		if (command->address == 0x801c && command->run == run) {
			TEXT(command->name, "MI_BATCH_BUFFER_START");
			NUMBER(command->length, 3);
			NUMBER(command->word_count, 3);
			NUMBER(command->words[0] >> 23, 0x31);
			TEXT(command->addresses[0]->name, "BATCH_BUFFER_START_ADDRESS");
			CHECK(!command->addresses[1] && !command->registers[0]);
			CHECK(!command->states[0] && !command->kernels[0]);
		}
		if (command->address == 0x10002003c) {
			TEXT(command->name, "PIPE_CONTROL");
			NUMBER(command->run->kind, GPUSCOPE_RUN_KIND_SECOND_LEVEL);
			CHECK(command->run->process);
			NUMBER(*command->run->from, 0xfffefffd009c);
			NUMBER(command->addresses[0]->address, 0x7a1105603000);
			CHECK(command->addresses[0]->process);
			FINE(gpuscope_fields(command->decoded, &fields));
			while ((field = gpuscope_next(fields)) && strcmp(field->name, "ADDRESS"))
				;
			NUMBER(field->value, 0x7a1105603000 >> 2);
			gpuscope_list_free(fields);
		}
		count++;
	}
	CHECK(!gpuscope_list_error(list));
	NUMBER(count, 2057);
	CHECK(run->over);
	NUMBER(run->end, GPUSCOPE_RUN_END_ENDED);
	TEXT(gpuscope_run_end_word(run->end), "ended");
	gpuscope_list_free(list);
}

/* Registers that commands load. */
static void test_registers(void)
{
	struct gpuscope_list *list = commands_of("driver-made/i915-6.1-snb-loop.gz", NULL);
	const struct gpuscope_register_access *access;
	const struct gpuscope_command *command;
	bool found = false;

	while ((command = gpuscope_next(list)) && !found) {
		access = command->registers[0];
		found = access != NULL;
		if (!found)
			continue;
		TEXT(command->name, "MI_LOAD_REGISTER_IMM");
		NUMBER(access->use, GPUSCOPE_USE_LOADS_VALUE);
		TEXT(access->reg->name, "rcs0.PP_DCLV");
		NUMBER(access->address, 0x2220);
		NUMBER(*access->value, UINT32_MAX);
		CHECK(!access->from && !command->registers[1]);
	}
	CHECK(found);
	gpuscope_list_free(list);
}

static void test_state(void)
{
	struct gpuscope_commands_options options = { .size = sizeof(options), .state = true };
	struct gpuscope_list *list = commands_of("demo:skl-hang", &options);
	const struct gpuscope_command *command;
	unsigned states = 0;

	while ((command = gpuscope_next(list)))
		for (size_t i = 0; command->states[i]; i++) {
			TEXT(command->states[i]->name, "VERTEX_DATA");
			NUMBER(command->states[i]->address, 0x200000000);
			CHECK(!command->states[i]->words && command->states[i]->problem);
			states++;
		}
	NUMBER(states, 2);
	gpuscope_list_free(list);
}

/* Dwords of the program: a store, a load of a register, the end, and one that is not shown. */
static void test_words(void)
{
	static const uint32_t words[] = { 0x11000001, 0x2358, 0x12345678, 0x05000000, 0 };
	const uint64_t address = 0x1000;
	struct gpuscope_commands_options options = {
		.size = sizeof(options), .address = &address, .words = words, .word_count = 5,
		.engine = "rcs0",
	};
	struct gpuscope_options open = { .size = sizeof(open), .platform = "skl" };
	const struct gpuscope_command *command;
	struct gpuscope_gpu *gpu;
	struct gpuscope_list *list;
	unsigned count = 0;

	FINE(gpuscope_open(NULL, 0, &open, &gpu));
	FINE(gpuscope_commands(gpu, &options, &list));
	command = gpuscope_next(list);
	TEXT(command->name, "MI_LOAD_REGISTER_IMM");
	NUMBER(command->address, 0x1000);
	NUMBER(command->run->kind, GPUSCOPE_RUN_KIND_DWORDS);
	TEXT(command->registers[0]->reg->name, "rcs0.TIMESTAMP");
	NUMBER(*command->registers[0]->value, 0x12345678);
	command = gpuscope_next(list);
	TEXT(command->name, "MI_BATCH_BUFFER_END");
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	CHECK(!gpuscope_next(list));
	gpuscope_list_free(list);
	options.past_end = true;
	FINE(gpuscope_commands(gpu, &options, &list));
	while (gpuscope_next(list))
		count++;
	NUMBER(count, 3);
	gpuscope_list_free(list);
	/* A list that is left. */
	FINE(gpuscope_commands(gpu, &options, &list));
	CHECK(gpuscope_next(list));
	gpuscope_list_free(list);
	/* Nothing to list. */
	FINE(gpuscope_commands(gpu, NULL, &list));
	CHECK(!gpuscope_next(list));
	NUMBER(gpuscope_error_status(gpuscope_list_error(list)), GPUSCOPE_STATUS_UNKNOWN);
	gpuscope_list_free(list);
	options.words = NULL;
	ERROR(gpuscope_commands(gpu, &options, &list), GPUSCOPE_STATUS_USAGE, "word_count", "NULL");
	CHECK(!list);
	options.word_count = 0;
	options.engine = "xyz7";
	ERROR(gpuscope_commands(gpu, &options, &list), GPUSCOPE_STATUS_UNKNOWN, "xyz7", "engine");
	gpuscope_gpu_free(gpu);
}

/* One batch of a dump, by its address. */
static void test_address(void)
{
	const uint64_t address = 0x100020000, nowhere = 0x7fff00000000;
	struct gpuscope_commands_options options = {
		.size = sizeof(options), .address = &address, .process = true, .no_follow = true,
	};
	struct gpuscope_list *list = commands_of("demo:skl-hang", &options);
	const struct gpuscope_command *command = gpuscope_next(list);

	NUMBER(command->address, 0x100020000);
	TEXT(command->run->engine, "rcs0");
	gpuscope_list_free(list);
	options.address = &nowhere;
	list = commands_of("demo:skl-hang", &options);
	CHECK(!gpuscope_next(list));
	NUMBER(gpuscope_error_status(gpuscope_list_error(list)), GPUSCOPE_STATUS_PARTIAL);
	CHECK(strstr(gpuscope_error_why(gpuscope_list_error(list)), "0x7fff00000000") != NULL);
	gpuscope_list_free(list);
}

static void test_nonsense(void)
{
	const uint64_t address = 0x8001;
	struct gpuscope_commands_options options = { .size = sizeof(options), .process = true };
	struct gpuscope_gpu *gpu = gpu_of("demo:skl-hang");
	struct gpuscope_list *list;

	ERROR(gpuscope_commands(gpu, &options, &list), GPUSCOPE_STATUS_USAGE, "process",
	      "an address");
	options.address = &address;
	ERROR(gpuscope_commands(gpu, &options, &list), GPUSCOPE_STATUS_USAGE, "address",
	      "multiple of 4");
	gpuscope_gpu_free(gpu);
}

static void test_tables(void)
{
	struct gpuscope_tables_options which = { .size = sizeof(which), .engine = "rcs0" };
	const uint64_t address = 0x100020000;
	struct gpuscope_commands_options options = {
		.size = sizeof(options), .address = &address, .process = true,
	};
	struct gpuscope_gpu *gpu = gpu_of("demo:skl-hang");
	const struct gpuscope_command *command;
	struct gpuscope_list *list = NULL;

	FINE(gpuscope_tables_new(gpu, &which, &options.tables));
	FINE(gpuscope_commands(gpu, &options, &list));
	gpuscope_tables_free(options.tables);
	gpuscope_gpu_free(gpu);
	command = gpuscope_next(list);
	CHECK(command && command->address == 0x100020000);
	gpuscope_list_free(list);
}

static void test_check(void)
{
	struct gpuscope_gpu *gpu = gpu_of("driver-made/i915-6.1-icl-unknown.gz");
	const struct gpuscope_finding *finding;
	const struct gpuscope_command *command;
	struct gpuscope_list *list = NULL;

	FINE(gpuscope_commands_check(gpu, NULL, &list));
	finding = gpuscope_next(list);
	TEXT(finding->rule, "unknown-command");
	TEXT(finding->where, "0x10000010 UNKNOWN");
	finding = gpuscope_next(list);
	TEXT(finding->rule, "no-end");
	CHECK(!gpuscope_next(list));
	gpuscope_list_free(list);
	FINE(gpuscope_commands(gpu, NULL, &list));
	gpuscope_gpu_free(gpu);
	while ((command = gpuscope_next(list)) && command->status == GPUSCOPE_COMMAND_STATUS_OK)
		;
	TEXT(command->name, "UNKNOWN");
	NUMBER(command->address, 0x10000010);
	NUMBER(command->status, GPUSCOPE_COMMAND_STATUS_UNKNOWN);
	TEXT(gpuscope_command_status_word(command->status), "unknown");
	CHECK(!command->decoded);
	while (gpuscope_next(list))
		;
	NUMBER(gpuscope_error_status(gpuscope_list_error(list)), GPUSCOPE_STATUS_PARTIAL);
	CHECK(strstr(gpuscope_error_why(gpuscope_list_error(list)),
		     "unknown command at 0x10000010") != NULL);
	gpuscope_list_free(list);
	TEXT(gpuscope_command_status_word((enum gpuscope_command_status)99), NULL);
	TEXT(gpuscope_run_kind_word((enum gpuscope_run_kind)99), NULL);
	TEXT(gpuscope_run_end_word((enum gpuscope_run_end)99), NULL);
}

int main(void)
{
	test_demo();
	test_registers();
	test_state();
	test_words();
	test_address();
	test_nonsense();
	test_tables();
	test_check();
	return checked();
}
