/* SPDX-License-Identifier: MIT */
/* Registers: finding, reading, decoding. The values are those that gpu-regdump prints. */
#include "test.h"

static void test_find(struct gpuscope_gpu *gpu)
{
	const struct gpuscope_register *reg, *other;

	FINE(gpuscope_register_find(gpu, "rcs0.RING_BUFFER_HEAD", &reg));
	CHECK(reg->size == sizeof(*reg));
	TEXT(reg->name, "rcs0.RING_BUFFER_HEAD");
	TEXT(reg->plain, "RING_BUFFER_HEAD");
	TEXT(reg->engine, "rcs0");
	TEXT(gpuscope_space_word(reg->space), "mmio");
	NUMBER(reg->address, 0x2034);
	NUMBER(reg->bits, 32);
	TEXT(reg->access, "rw");
	NUMBER(*reg->reset, 0);
	TEXT(reg->aliases[0], "RING_HEAD");
	TEXT(reg->aliases[3], NULL);
	TEXT(reg->group, "ring");
	CHECK(reg->doc && reg->document && reg->section);

	/* The first engine that has it; an alias; the name in i915; without regard to case. */
	FINE(gpuscope_register_find(gpu, "RING_HEAD", &other));
	CHECK(other == reg);
	FINE(gpuscope_register_find(gpu, "RCS0.ring_buffer_head", &other));
	CHECK(other == reg);
	FINE(gpuscope_register_find(gpu, "RING_HEAD(RENDER_RING_BASE)", NULL));
	ERROR(gpuscope_register_find(gpu, "RING_HAED", NULL), GPUSCOPE_STATUS_UNKNOWN, "RING_HAED",
	      "unknown register of skl");
	FINE(gpuscope_register_find(gpu, "RING_HEAD(RENDER_RING_BASE)", &other));
	CHECK(other == reg);
	FINE(gpuscope_register_find(gpu, "bcs0.RING_HEAD", &other));
	NUMBER(other->address, 0x22034);
	FINE(gpuscope_register_find(gpu, "RING_FAULT_REG", &other));
	CHECK(other->flags & GPUSCOPE_REGISTER_HAZARD_WRITE);
	TEXT(other->engine, NULL);
	TEXT(other->wake, "gt");
	CHECK(other->hazard && !strncmp(other->hazard, "clearing the valid bit", 22));

	ERROR(gpuscope_register_find(gpu, "RING_BUFER_HEAD", &other), GPUSCOPE_STATUS_UNKNOWN,
	      "RING_BUFER_HEAD", "did you mean RING_BUFFER_HEAD");
	CHECK(!other);
	ERROR(gpuscope_register_find(gpu, "xyz0.RING_HEAD", &other), GPUSCOPE_STATUS_UNKNOWN,
	      "xyz0.RING_HEAD", "it has rcs0");
	ERROR(gpuscope_register_find(gpu, "RING_*", &other), GPUSCOPE_STATUS_USAGE, "RING_*",
	      "gpuscope_registers()");
	ERROR(gpuscope_register_find(gpu, "@fault", &other), GPUSCOPE_STATUS_USAGE, "@fault",
	      "gpuscope_registers()");
	ERROR(gpuscope_register_find(gpu, "", &other), GPUSCOPE_STATUS_USAGE, "",
	      "a register name");
}

static const struct gpuscope_register *find(struct gpuscope_gpu *gpu, const char *name)
{
	const struct gpuscope_register *reg;

	FINE(gpuscope_register_find(gpu, name, &reg));
	return reg;
}

static void test_read(struct gpuscope_gpu *gpu)
{
	const char *why = "untouched";
	uint64_t value = 7;

	NUMBER(gpuscope_register_read(gpu, find(gpu, "rcs0.RING_BUFFER_HEAD"), &value, &why),
	       GPUSCOPE_STATE_OK);
	NUMBER(value, 0x00600bf0);
	TEXT(why, NULL);
	NUMBER(gpuscope_register_read(gpu, find(gpu, "RING_FAULT_REG"), &value, NULL),
	       GPUSCOPE_STATE_OK);
	NUMBER(value, 0x12b);
	/* What has no value leaves the number alone. */
	NUMBER(gpuscope_register_read(gpu, find(gpu, "vcs1.RING_BUFFER_HEAD"), &value, &why),
	       GPUSCOPE_STATE_ASLEEP);
	NUMBER(value, 0x12b);
	TEXT(why, "forcewake domain media is not held");
	NUMBER(gpuscope_register_read(gpu, find(gpu, "CR18"), &value, &why), GPUSCOPE_STATE_ABSENT);
	TEXT(why, "no source holds this address");
	TEXT(gpuscope_state_word(GPUSCOPE_STATE_ASLEEP), "asleep");
	TEXT(gpuscope_state_word((enum gpuscope_state)99), NULL);
	TEXT(gpuscope_space_word((enum gpuscope_space)99), NULL);
}

/* A register belongs to the GPU that found it. */
static void test_another(struct gpuscope_gpu *gpu)
{
	const struct gpuscope_register *reg = find(gpu, "RING_FAULT_REG");
	struct gpuscope_gpu *other = gpu_of("demo:snb-hang");
	struct gpuscope_list *list;
	uint64_t value = 7;
	const char *why;

	NUMBER(gpuscope_register_read(other, reg, &value, &why), GPUSCOPE_STATE_ABSENT);
	NUMBER(value, 7);
	TEXT(why, "it is a register of another GPU");
	ERROR(gpuscope_register_fields(other, reg, 1, &list), GPUSCOPE_STATUS_USAGE,
	      "RING_FAULT_REG", "another GPU");
	CHECK(!list);
	gpuscope_gpu_free(other);
}

static void test_fields(struct gpuscope_gpu *gpu)
{
	const struct gpuscope_field *field;
	struct gpuscope_list *list;

	FINE(gpuscope_register_fields(gpu, find(gpu, "RING_FAULT_REG"), 0x12b, &list));
	field = gpuscope_next(list);
	TEXT(field->name, "ENGINE_ID");
	TEXT(field->text, "GFX");
	NUMBER(field->hi, 16);
	NUMBER(field->lo, 12);
	field = gpuscope_next(list);
	TEXT(field->name, "GTTSEL");
	TEXT(field->text, "PPGTT");
	field = gpuscope_next(list);
	TEXT(field->name, "SRCID");
	NUMBER(field->value, 0x25);
	TEXT(field->text, "37");
	field = gpuscope_next(list);
	TEXT(field->text, "invalid PDE");
	field = gpuscope_next(list);
	TEXT(field->name, "VALID");
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);

	/* Fields may depend on the value: without VALID the others mean nothing. */
	FINE(gpuscope_register_fields(gpu, find(gpu, "RING_FAULT_REG"), 0, &list));
	while ((field = gpuscope_next(list)))
		CHECK(strcmp(field->name, "SRCID") != 0);
	gpuscope_list_free(list);
}

static void test_lists(struct gpuscope_gpu *gpu)
{
	const char *const few[] = { "rcs0.RING_BUFFER_HEAD", "0x2030-0x2037", "@fault" };
	const char *const wrong[] = { "RING_HEAD", "RING_BUFER_HEAD" };
	unsigned states[GPUSCOPE_STATE_EXCLUDED + 1] = { 0 }, count = 0;
	const struct gpuscope_reading *reading;
	struct gpuscope_list *list;

	/* As many of each kind as gpu-regdump --json has. */
	FINE(gpuscope_registers(gpu, NULL, 0, &list));
	while ((reading = gpuscope_next(list))) {
		CHECK(reading->size == sizeof(*reading));
		CHECK(!reading->value == (reading->state != GPUSCOPE_STATE_OK));
		CHECK(!reading->why == (reading->state == GPUSCOPE_STATE_OK));
		states[reading->state]++;
		count += reading->name != NULL;
	}
	CHECK(!gpuscope_list_error(list));
	gpuscope_list_free(list);
	NUMBER(states[GPUSCOPE_STATE_OK], 859);
	NUMBER(states[GPUSCOPE_STATE_ASLEEP], 293);
	NUMBER(states[GPUSCOPE_STATE_SKIPPED], 7);
	NUMBER(count, 3511);

	/* Left at an item, and continued after another list. */
	FINE(gpuscope_registers(gpu, few, 3, &list));
	reading = gpuscope_next(list);
	TEXT(reading->name, "rcs0.RING_BUFFER_HEAD");
	NUMBER(*reading->value, 0x600bf0);
	CHECK(reading->reg == find(gpu, "RING_HEAD"));
	NUMBER(reading->hi, 31);
	test_fields(gpu);
	reading = gpuscope_next(list);
	NUMBER(reading->address, 0x2030);
	NUMBER(*reading->value, 0xc98);
	TEXT(reading->name, "rcs0.RING_BUFFER_TAIL");
	reading = gpuscope_next(list);
	NUMBER(reading->address, 0x2034);
	reading = gpuscope_next(list);
	TEXT(reading->reg->group, "fault");
	gpuscope_list_free(list);

	ERROR(gpuscope_registers(gpu, wrong, 2, &list), GPUSCOPE_STATUS_UNKNOWN, "RING_BUFER_HEAD",
	      "did you mean");
	CHECK(!list);
}

/* A dword of a wider register is a part of it, and has its own bits. */
static void test_part(struct gpuscope_gpu *gpu)
{
	const struct gpuscope_register *wide = NULL;
	const struct gpuscope_reading *reading;
	const char *const range = "0x1000-0x1fff";
	struct gpuscope_list *list;
	unsigned parts = 0;

	FINE(gpuscope_registers(gpu, &range, 1, &list));
	while ((reading = gpuscope_next(list))) {
		if (!reading->reg || reading->reg->bits != 64)
			continue;
		parts++;
		wide = reading->reg;
		NUMBER(reading->hi - reading->lo, 31);
		NUMBER(reading->address, wide->address + reading->lo / 8);
	}
	CHECK(parts >= 2);
	gpuscope_list_free(list);
}

/* Without a source registers have definitions, but no values. */
static void test_definitions_only(void)
{
	const struct gpuscope_options options = { .size = sizeof(options), .platform = "skl" };
	const char *const group = "@ring";
	const struct gpuscope_reading *reading;
	const struct gpuscope_field *field;
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu;
	uint64_t value = 7;

	if (!FINE(gpuscope_open(NULL, 0, &options, &gpu)))
		return;
	NUMBER(gpuscope_register_read(gpu, find(gpu, "RING_HEAD"), &value, NULL),
	       GPUSCOPE_STATE_ABSENT);
	NUMBER(value, 7);
	FINE(gpuscope_registers(gpu, &group, 1, &list));
	reading = gpuscope_next(list);
	TEXT(reading->reg->group, "ring");
	NUMBER(reading->state, GPUSCOPE_STATE_ABSENT);
	gpuscope_list_free(list);

	/* The GPU goes first; the list keeps it. */
	FINE(gpuscope_register_fields(gpu, find(gpu, "RING_FAULT_REG"), 0x12b, &list));
	gpuscope_gpu_free(gpu);
	field = gpuscope_next(list);
	TEXT(field->name, "ENGINE_ID");
	TEXT(field->text, "GFX");
	gpuscope_list_free(list);
}

/* A name that is missing is an error, whatever takes names. */
static void test_no_names(struct gpuscope_gpu *gpu)
{
	const struct gpuscope_register *reg;
	const char *const names[] = { "RING_HEAD", NULL };
	struct gpuscope_list *list;
	struct gpuscope_db *db;

	ERROR(gpuscope_register_find(gpu, NULL, &reg), GPUSCOPE_STATUS_USAGE, "register", "NULL");
	ERROR(gpuscope_registers(gpu, names, 2, &list), GPUSCOPE_STATUS_USAGE, "selectors",
	      "number 1");
	ERROR(gpuscope_registers(gpu, NULL, 1, &list), GPUSCOPE_STATUS_USAGE, "selectors",
	      "number 0");
	ERROR(gpuscope_db_new(names + 1, 1, &db), GPUSCOPE_STATUS_USAGE, "files", "number 0");
}

int main(void)
{
	struct gpuscope_gpu *gpu = gpu_of("demo:skl-hang");

	if (gpu) {
		test_find(gpu);
		test_read(gpu);
		test_another(gpu);
		test_fields(gpu);
		test_lists(gpu);
		test_part(gpu);
		test_no_names(gpu);
	}
	gpuscope_gpu_free(gpu);
	test_definitions_only();
	return checked();
}
