/* SPDX-License-Identifier: MIT */
/* Addresses: of sources, of bytes in memory, and of memory that only the program can read. */
#include "test.h"

/* ---- what sources hold ----------------------------------------------------------------------- */

static void test_reads(struct gpuscope_gpu *gpu)
{
	static const struct {
		enum gpuscope_space space;
		uint64_t address;
		unsigned bytes;
		enum gpuscope_state state;
		const char *why;
	} bad[] = {
		{ GPUSCOPE_SPACE_PHYS, 0x1000, 4, GPUSCOPE_STATE_ABSENT,
		  "no source holds this address" },
		{ GPUSCOPE_SPACE_MMIO, 0x1c034, 4, GPUSCOPE_STATE_ASLEEP,
		  "forcewake domain media is not held" },
		{ GPUSCOPE_SPACE_MMIO, 0x2035, 4, GPUSCOPE_STATE_ABSENT,
		  "the address is not a multiple of the size" },
		{ GPUSCOPE_SPACE_MMIO, 0x2034, 3, GPUSCOPE_STATE_ABSENT,
		  "expected 1, 2, 4 or 8 bytes" },
		{ GPUSCOPE_SPACE_MMIO, 0x2034, 0, GPUSCOPE_STATE_ABSENT,
		  "expected 1, 2, 4 or 8 bytes" },
		{ (enum gpuscope_space)99, 0, 4, GPUSCOPE_STATE_ABSENT, "there is no such space" },
		{ GPUSCOPE_SPACE_PHYS, UINT64_MAX - 7, 8, GPUSCOPE_STATE_ABSENT,
		  "no source holds this address" },
	};
	static const struct {
		enum gpuscope_space space;
		uint64_t address;
		enum gpuscope_state state;
		const char *why;
	} none[] = {
		{ GPUSCOPE_SPACE_PHYS, 0x1000, GPUSCOPE_STATE_ABSENT,
		  "no source holds this address" },
		{ GPUSCOPE_SPACE_PHYS, UINT64_MAX - 3, GPUSCOPE_STATE_ABSENT,
		  "no source holds this address" },
		{ GPUSCOPE_SPACE_MMIO, 0x1c034, GPUSCOPE_STATE_ASLEEP,
		  "forcewake domain media is not held" },
		{ GPUSCOPE_SPACE_SIDEBAND, 0, GPUSCOPE_STATE_ABSENT,
		  "its addresses are those of registers, not of bytes" },
		{ (enum gpuscope_space)99, 0, GPUSCOPE_STATE_ABSENT, "there is no such space" },
	};
	const char *why;
	size_t got = 7;
	uint64_t value = 7;
	uint8_t bytes[16] = { 0 };

	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_MMIO, 0x2034, 4, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0x00600bf0);
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_MMIO, 0x2034, 1, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0xf0);
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_CONFIG, 0, 4, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0x19128086);
	/* Not there, asleep, and what makes no sense: the value stays. */
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		NUMBER(gpuscope_read(gpu, bad[i].space, bad[i].address, bad[i].bytes, &value, &why),
		       bad[i].state);
		TEXT(why, bad[i].why);
	}
	NUMBER(value, 0x19128086);
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_CONFIG, 0, 4, &value, &why), GPUSCOPE_STATE_OK);
	TEXT(why, NULL);

	NUMBER(gpuscope_read_memory(gpu, GPUSCOPE_SPACE_CONFIG, 0, bytes, 16, &got, &why),
	       GPUSCOPE_STATE_OK);
	NUMBER(got, 16);
	NUMBER(bytes[2], 0x12);
	TEXT(why, NULL);
	/* Up to the end of what is there. */
	NUMBER(gpuscope_read_memory(gpu, GPUSCOPE_SPACE_PHYS, 0x225402ff8, bytes, 16, &got, &why),
	       GPUSCOPE_STATE_ABSENT);
	NUMBER(got, 8);
	TEXT(why, "no source holds this address");
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		NUMBER(gpuscope_read_memory(gpu, none[i].space, none[i].address, bytes, 16, &got,
					    &why), none[i].state);
		NUMBER(got, 0);
		TEXT(why, none[i].why);
	}
	NUMBER(gpuscope_read_memory(gpu, GPUSCOPE_SPACE_PHYS, 0x225400000, bytes, 0, &got, NULL),
	       GPUSCOPE_STATE_OK);
	NUMBER(got, 0);
}

static void test_extents(struct gpuscope_gpu *gpu)
{
	const struct gpuscope_extent *extent;
	struct gpuscope_list *list;
	uint64_t bytes = 0, end = 0;
	unsigned count = 0;

	FINE(gpuscope_extents(gpu, GPUSCOPE_SPACE_PHYS, &list));
	while ((extent = gpuscope_next(list))) {
		CHECK(extent->size == sizeof(*extent) && extent->start >= end);
		if (!count++) {
			NUMBER(extent->start, 0x225400000);
			NUMBER(extent->length, 12288);
		}
		end = extent->start + extent->length;
		bytes += extent->length;
	}
	gpuscope_list_free(list);
	NUMBER(count, 13);
	NUMBER(bytes, 131072);
	FINE(gpuscope_extents(gpu, GPUSCOPE_SPACE_LMEM, &list));
	CHECK(!gpuscope_next(list));
	gpuscope_list_free(list);
	ERROR(gpuscope_extents(gpu, (enum gpuscope_space)99, &list), GPUSCOPE_STATUS_USAGE, "space",
	      "99");
}

static void test_windows(struct gpuscope_gpu *gpu)
{
	const struct gpuscope_window *window;
	struct gpuscope_list *list;

	FINE(gpuscope_windows(gpu, &list));
	window = gpuscope_next(list);
	CHECK(window->size == sizeof(*window));
	TEXT(window->name, "GTTMMADR");
	NUMBER(window->state, GPUSCOPE_STATE_OK);
	NUMBER(*window->start, 0xde000000);
	NUMBER(*window->length, 16 << 20);
	TEXT(window->from, "config 0x10 GTTMMADR 0xde000004");
	TEXT(window->problem, NULL);
	gpuscope_next(list);
	TEXT(((const struct gpuscope_window *)gpuscope_next(list))->name, "GMADR");
	gpuscope_list_free(list);
}

/* ---- bytes in memory ------------------------------------------------------------------------- */

static void test_bytes(void)
{
	uint32_t bar[0x2100 / 4] = { [0x2034 / 4] = 0xabc }, ram[2] = { 0x11223344, 0x55667788 };
	const struct gpuscope_bytes registers = { .size = sizeof(registers), .data = bar,
						  .length = sizeof(bar), .kind = "bar" };
	const struct gpuscope_bytes memory = { .size = sizeof(memory), .name = "ram@home",
					       .data = ram, .length = sizeof(ram), .kind = "mem",
					       .address = 0x1000 };
	const struct gpuscope_bytes *const parts[] = { &registers, &memory, NULL };
	const struct gpuscope_options options = { .size = sizeof(options), .platform = "skl",
						  .bytes = parts };
	const char *const capture = "demo:skl-hang";
	struct gpuscope_gpu *gpu;
	uint64_t value = 0;

	if (!FINE(gpuscope_open(NULL, 0, &options, &gpu)))
		return;
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_MMIO, 0x2034, 4, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0xabc);
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_PHYS, 0x1000, 8, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0x5566778811223344);
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_PHYS, 0x1008, 4, &value, NULL),
	       GPUSCOPE_STATE_ABSENT);
	TEXT(gpuscope_gpu_info(gpu)->parts[0]->name, "bar:bytes@0x0");
	gpuscope_gpu_free(gpu);

	/* What is named comes first. */
	if (!FINE(gpuscope_open(&capture, 1, &options, &gpu)))
		return;
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_MMIO, 0x2034, 4, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0x00600bf0);
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_PHYS, 0x1004, 4, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0x55667788);
	gpuscope_gpu_free(gpu);
}

/* ---- memory of the program ------------------------------------------------------------------- */

struct machine {
	uint32_t head;
	unsigned calls;
};

static enum gpuscope_state read_machine(void *context, enum gpuscope_space space,
					uint64_t address, void *buf, size_t length)
{
	struct machine *machine = context;
	uint8_t *bytes = buf;

	machine->calls++;
	if (space == GPUSCOPE_SPACE_MMIO && address == 0x2034 && length == 4) {
		memcpy(buf, &machine->head, 4);
		return GPUSCOPE_STATE_OK;
	}
	if (space == GPUSCOPE_SPACE_MMIO)
		return address < 0x2000 ? GPUSCOPE_STATE_ASLEEP : GPUSCOPE_STATE_ABSENT;
	if (space != GPUSCOPE_SPACE_PHYS || address + length > 0x10000)
		return GPUSCOPE_STATE_ABSENT;
	for (size_t i = 0; i < length; i++)
		bytes[i] = (uint8_t)((address + i) / 4096 + machine->head);
	return GPUSCOPE_STATE_OK;
}

static void test_callbacks(void)
{
	struct machine machine = { .head = 0x40 };
	const struct gpuscope_memory memory = {
		.size = sizeof(memory),
		.spaces = 1 << GPUSCOPE_SPACE_MMIO | 1 << GPUSCOPE_SPACE_PHYS,
		.read = read_machine,
		.context = &machine,
		.phys_length = 0x10000,
		.harmless = true,
	};
	const struct gpuscope_options options = { .size = sizeof(options), .platform = "skl",
						  .memory = &memory };
	const char *const selectors[] = { "RING_BUFFER_HEAD", "rcs0.ACTHD", "0x1000" };
	const struct gpuscope_reading *reading;
	const struct gpuscope_register *head;
	size_t got;
	const struct gpuscope_extent *extent;
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu;
	uint8_t bytes[2];
	uint64_t value = 0;
	unsigned calls;

	if (!FINE(gpuscope_open(NULL, 0, &options, &gpu)))
		return;
	TEXT(gpuscope_gpu_info(gpu)->parts[0]->kind, "callbacks");
	CHECK(!gpuscope_gpu_info(gpu)->live);
	FINE(gpuscope_register_find(gpu, "RING_BUFFER_HEAD", &head));
	NUMBER(gpuscope_register_read(gpu, head, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0x40);
	FINE(gpuscope_registers(gpu, selectors, 3, &list));
	reading = gpuscope_next(list);
	CHECK(reading->reg == head);
	NUMBER(*reading->value, 0x40);
	gpuscope_list_free(list);

	NUMBER(gpuscope_read_memory(gpu, GPUSCOPE_SPACE_PHYS, 0x1fff, bytes, 2, &got, NULL),
	       GPUSCOPE_STATE_OK);
	NUMBER(got, 2);
	NUMBER(bytes[0], 0x41);
	NUMBER(bytes[1], 0x42);
	NUMBER(gpuscope_read_memory(gpu, GPUSCOPE_SPACE_PHYS, 0xffff, bytes, 2, &got, NULL),
	       GPUSCOPE_STATE_ABSENT);
	NUMBER(got, 1);
	FINE(gpuscope_extents(gpu, GPUSCOPE_SPACE_PHYS, &list));
	extent = gpuscope_next(list);
	NUMBER(extent->length, 0x10000);
	gpuscope_list_free(list);

	/* Registers are read each time, pages once, until the GPU rests. */
	machine.head = 0x80;
	NUMBER(gpuscope_register_read(gpu, head, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0x80);
	calls = machine.calls;
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_PHYS, 0x1fff, 1, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0x41);
	NUMBER(machine.calls, calls);
	gpuscope_gpu_rest(gpu);
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_PHYS, 0x1fff, 1, &value, NULL), GPUSCOPE_STATE_OK);
	NUMBER(value, 0x81);
	gpuscope_gpu_free(gpu);
}

/* What a device would not be read for is not asked for, unless that is wanted. */
static void test_hazards(void)
{
	struct machine machine = { .head = 0 };
	struct gpuscope_memory memory = { .size = sizeof(memory),
					  .spaces = 1 << GPUSCOPE_SPACE_MMIO,
					  .read = read_machine, .context = &machine };
	struct gpuscope_options options = { .size = sizeof(options), .platform = "skl",
					    .memory = &memory };
	const struct gpuscope_register *reg;
	const struct gpuscope_reading *reading;
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu, *unsafe;
	const char *why, *name = NULL;
	uint64_t value = 7;

	if (!FINE(gpuscope_open(NULL, 0, &options, &gpu)))
		return;
	FINE(gpuscope_registers(gpu, NULL, 0, &list));
	while (!name && (reading = gpuscope_next(list)))
		if (reading->state == GPUSCOPE_STATE_SKIPPED && reading->space
		    == GPUSCOPE_SPACE_MMIO)
			name = reading->reg->name;
	gpuscope_list_free(list);
	machine.calls = 0;
	FINE(gpuscope_register_find(gpu, name, &reg));
	NUMBER(gpuscope_register_read(gpu, reg, &value, &why), GPUSCOPE_STATE_SKIPPED);
	CHECK(why && *why);
	NUMBER(value, 7);
	NUMBER(machine.calls, 0);
	options.unsafe = true;
	FINE(gpuscope_open(NULL, 0, &options, &unsafe));
	FINE(gpuscope_register_find(unsafe, name, &reg));
	NUMBER(gpuscope_register_read(unsafe, reg, &value, &why), GPUSCOPE_STATE_ABSENT);
	CHECK(machine.calls > 0);
	gpuscope_gpu_free(unsafe);
	gpuscope_gpu_free(gpu);
}

/* The platform is found in config space; memory of unknown length is read, but not listed. */
static enum gpuscope_state read_config(void *context, enum gpuscope_space space, uint64_t address,
				       void *buf, size_t length)
{
	static const uint8_t head[16] = { 0x86, 0x80, 0x12, 0x19, [8] = 0x06, [10] = 0, [11] = 3 };

	(void)context;
	if (space == GPUSCOPE_SPACE_PHYS) {
		memset(buf, 0x5a, length);
		return GPUSCOPE_STATE_OK;
	}
	if (address + length > sizeof(head))
		return GPUSCOPE_STATE_DENIED;
	memcpy(buf, head + address, length);
	return GPUSCOPE_STATE_OK;
}

static void test_detected(void)
{
	struct gpuscope_memory memory = { .size = sizeof(memory), .read = read_config,
					  .spaces = 1 << GPUSCOPE_SPACE_CONFIG |
						    1 << GPUSCOPE_SPACE_PHYS };
	const struct gpuscope_options options = { .size = sizeof(options), .memory = &memory };
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu;
	uint64_t value = 0;

	if (!FINE(gpuscope_open(NULL, 0, &options, &gpu)))
		return;
	TEXT(gpuscope_gpu_info(gpu)->platform->name, "skl");
	NUMBER(*gpuscope_gpu_info(gpu)->revision, 6);
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_CONFIG, 0x40, 4, &value, NULL),
	       GPUSCOPE_STATE_DENIED);
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_PHYS, 0x123456780, 8, &value, NULL),
	       GPUSCOPE_STATE_OK);
	NUMBER(value, 0x5a5a5a5a5a5a5a5a);
	FINE(gpuscope_extents(gpu, GPUSCOPE_SPACE_PHYS, &list));
	CHECK(!gpuscope_next(list));
	gpuscope_list_free(list);
	gpuscope_gpu_free(gpu);

	memory.spaces = 1 << GPUSCOPE_SPACE_PHYS;
	ERROR(gpuscope_open(NULL, 0, &options, &gpu), GPUSCOPE_STATUS_USAGE, "platform", "options");
}

static void test_definitions_only(void)
{
	const struct gpuscope_options options = { .size = sizeof(options), .platform = "skl" };
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu;
	uint64_t value = 7;
	const char *why;

	if (!FINE(gpuscope_open(NULL, 0, &options, &gpu)))
		return;
	NUMBER(gpuscope_read(gpu, GPUSCOPE_SPACE_MMIO, 0x2034, 4, &value, NULL),
	       GPUSCOPE_STATE_ABSENT);
	NUMBER(gpuscope_read_memory(gpu, GPUSCOPE_SPACE_PHYS, 0, &value, 8, NULL, &why),
	       GPUSCOPE_STATE_ABSENT);
	TEXT(why, "the GPU has no source, only definitions");
	NUMBER(value, 7);
	FINE(gpuscope_extents(gpu, GPUSCOPE_SPACE_MMIO, &list));
	CHECK(!gpuscope_next(list));
	gpuscope_list_free(list);
	FINE(gpuscope_windows(gpu, &list));
	CHECK(!gpuscope_next(list));
	gpuscope_list_free(list);
	gpuscope_gpu_free(gpu);
}

int main(void)
{
	struct gpuscope_gpu *gpu = gpu_of("demo:skl-hang");

	if (gpu) {
		test_reads(gpu);
		test_extents(gpu);
		test_windows(gpu);
	}
	gpuscope_gpu_free(gpu);
	test_bytes();
	test_callbacks();
	test_hazards();
	test_detected();
	test_definitions_only();
	TEXT(gpuscope_space_word(GPUSCOPE_SPACE_PPGTTMEM), "ppgttmem");
	TEXT(gpuscope_state_word(GPUSCOPE_STATE_EXCLUDED), "excluded");
	return checked();
}
