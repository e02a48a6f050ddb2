/* SPDX-License-Identifier: MIT */
/* Which command asked for a faulting address, by its fields and by state that it points to. */
#include "batch-helpers.h"
#include "dump-helpers.h"
#include "gpu-for.h"
#include "hang-lists.h"
#include "source-helpers.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define BATCH UINT64_C(0x100001000)
#define FAULT UINT64_C(0x7a1105603000)
#define DWORDS 0x200u

#define NOOP 0u
#define END 0x05000000u
#define LOW(address) ((uint32_t)(address))
#define HIGH(address) ((uint32_t)((address) >> 32))
#define STORE(address, data) 0x10000002u, LOW(address), HIGH(address), data
#define SURFACES(base)                                                                             \
	0x61010011u, 0, 0, 0, LOW(base) | 1, HIGH(base), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define BINDINGS(offset) 0x782a0000u, offset

struct patient {
	struct gsc_source *source;
	struct kit kit;
	struct gsc_hang *hang;
	struct gsc_cause cause;
};

static void admit_source(struct patient *p, struct gsc_source *source, const char *platform)
{
	struct gsc_error err;

	p->source = source;
	kit_open(&p->kit, platform);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&p->hang, gpu_for(source, p->kit.view), NULL,
					   &err), GSC_OK);
}

static void discharge(struct patient *p)
{
	gsc_hang_free(p->hang);
	kit_close(&p->kit);
	gsc_source_close(p->source);
}

/*
 * A Skylake whose render engine stopped at dword `at` of a batch, with a fault at an address of its
 * process. Dwords after the given ones are zero.
 */
static void admit_in(struct patient *p, bool global, uint64_t fault, unsigned at,
		     const uint32_t *words, size_t count)
{
	struct sheet t = { .size = 0 };

	sheet_add(&t, "Kernel: 6.1.0 x86_64\nPCI ID: 0x1912\nPCI Revision: 0x06\nEIR: 0x00000000\n"
		 "FAULT_TLB_DATA: 0x%08x 0x%08x\n", (unsigned)(fault >> 44) | global << 4,
		 (unsigned)(fault >> 12));
	sheet_add(&t, "rcs0 command stream:\n  START: 0x00010000\n  HEAD:  0x00000080\n"
		 "  TAIL:  0x00000100\n  CTL:   0x00003001\n  ACTHD: 0x%08x %08x\n"
		 "  IPEHR: 0x%08x\n  BB_STATE: 0x00000020\n  FAULT_REG: 0x%08x\n  hung: 1\n",
		 HIGH(BATCH), LOW(BATCH) + at * 4, words[at], 0x12bu | global << 11);
	sheet_add(&t, "rcs0 --- batch = 0x%08x %08x\n", HIGH(BATCH), LOW(BATCH));
	for (unsigned i = 0; i < DWORDS; i++)
		sheet_add(&t, "%08x :  %08x\n", i * 4, i < count ? words[i] : 0);
	admit_source(p, open_text(&t, NULL), "skl");
	sheet_free(&t);
}

static void admit(struct patient *p, uint64_t fault, unsigned at, const uint32_t *words,
		  size_t count)
{
	admit_in(p, false, fault, at, words, count);
}

#define ADMIT_GLOBAL(p, fault, at, ...)                                                            \
	admit_in(p, true, fault, at, (const uint32_t[]){ __VA_ARGS__ },                            \
		 sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)
#define ADMIT(p, fault, at, ...)                                                                   \
	admit(p, fault, at, (const uint32_t[]){ __VA_ARGS__ },                                     \
	      sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

/* The cause of the first fault is dword `at` of the batch. */
static void expect(struct patient *p, unsigned at, const char *command, const char *field,
		   unsigned dword, uint64_t value)
{
	struct gsc_cause *c = &p->cause;

	CU_ASSERT_FATAL(gsc_hang_cause(p->hang, 0, c));
	CU_ASSERT_EQUAL(c->command.address, BATCH + at * 4);
	CU_ASSERT_STRING_EQUAL(c->command.name, command);
	CU_ASSERT_STRING_EQUAL(c->field, field);
	CU_ASSERT_EQUAL(c->dword, dword);
	CU_ASSERT_EQUAL(c->value, value);
	CU_ASSERT_EQUAL(c->run.address, BATCH);
	CU_ASSERT_EQUAL(c->run.length, c->run.length / 4 * 4);
	CU_ASSERT_STRING_EQUAL(c->run.engine, "rcs0");
	CU_ASSERT(c->run.process);
}

static void expect_none(struct patient *p)
{
	struct gsc_fault fault;

	CU_ASSERT_FATAL(fault_at(p->hang, 0, &fault));
	CU_ASSERT(fault.valid && fault.has_address);
	CU_ASSERT_STRING_EQUAL(fault.engine, "rcs0");
	CU_ASSERT_FALSE(gsc_hang_cause(p->hang, 0, &p->cause));
}

/* ---- fields of commands --------------------------------------------------------------------- */

static void test_stopped(void)
{
	struct patient p;

	/* The same page is enough; the command is available. */
	ADMIT(&p, FAULT, 0, STORE(FAULT + 0x10, 7), END);
	expect(&p, 0, "MI_STORE_DATA_IMM", "ADDRESS", 1, FAULT + 0x10);
	CU_ASSERT(p.cause.stopped);
	CU_ASSERT_FALSE(p.cause.in_state);
	CU_ASSERT_EQUAL_FATAL(p.cause.command.count, 4);
	CU_ASSERT_EQUAL(p.cause.command.words[3], 7);
	/* Asked again, it is the same; there is no other fault. */
	expect(&p, 0, "MI_STORE_DATA_IMM", "ADDRESS", 1, FAULT + 0x10);
	CU_ASSERT_FALSE(gsc_hang_cause(p.hang, 1000, &p.cause));
	discharge(&p);
	ADMIT(&p, FAULT, 0, STORE(FAULT + 0x1000, 7), END);
	expect_none(&p);
	discharge(&p);
}

static void test_before(void)
{
	struct patient p;

	/* The last one counts, and none after the place. */
	ADMIT(&p, FAULT, 9, STORE(FAULT, 1), STORE(FAULT, 2), NOOP, 0x04000001, STORE(FAULT, 3),
	      END);
	expect(&p, 4, "MI_STORE_DATA_IMM", "ADDRESS", 1, FAULT);
	CU_ASSERT_FALSE(p.cause.stopped);
	CU_ASSERT_EQUAL(p.cause.command.words[3], 2);
	discharge(&p);
	ADMIT(&p, FAULT, 0, 0x04000001, STORE(FAULT, 3), END);
	expect_none(&p);
	discharge(&p);
}

/* The same bits in a field that holds no address, or one of another table. */
static void test_no_address(void)
{
	struct patient p;

	ADMIT(&p, UINT64_C(0x12345000), 0, STORE(UINT64_C(0x1000), 0x12345000), END);
	expect_none(&p);
	discharge(&p);
	/* PIPE_CONTROL with immediate data. */
	ADMIT(&p, FAULT, 0, 0x7a000004, 0, 0, 0, LOW(FAULT), HIGH(FAULT), END);
	expect_none(&p);
	discharge(&p);
	/* MI_LOAD_REGISTER_IMM: an address, of a register. */
	ADMIT(&p, UINT64_C(0x2000), 0, 0x11000001, 0x2358, 0x2000, END);
	expect_none(&p);
	discharge(&p);
	/* Small numbers are in every command. */
	ADMIT(&p, UINT64_C(0), 0, STORE(UINT64_C(0x10), 0), END);
	expect_none(&p);
	discharge(&p);
}

/* In a group that repeats: the dword counts from the command. */
static void test_repeated(void)
{
	struct patient p;

	ADMIT(&p, FAULT, 9, 0x78080007, 0x00004010, 0x8000, 0, 64, 0x04004010, LOW(FAULT),
	      HIGH(FAULT), 64, 0x7b000005, 0, 0, 0, 0, 0, 0, END);
	expect(&p, 0, "3DSTATE_VERTEX_BUFFERS", "BUFFER_STARTING_ADDRESS", 6, FAULT);
	CU_ASSERT_FALSE(p.cause.stopped);
	discharge(&p);
}

/* ---- which table ---------------------------------------------------------------------------- */

#define GLOBAL (1u << 22)
#define STAND 0x04000001u		/* where the engine stops; holds no address */

/* In the batch of a process, which is not privileged, the global tables are out of reach. */
static void test_global_bit(void)
{
	static const uint32_t commands[][6] = {
		{ 0x10000002 | GLOBAL, LOW(FAULT), HIGH(FAULT), 7 },		/* MI_STORE_DATA_IMM */
		{ 0x12000002 | GLOBAL, 0x2358, LOW(FAULT), HIGH(FAULT) },	/* _REGISTER_MEM */
		{ 0x14800002 | GLOBAL, 0x2358, LOW(FAULT), HIGH(FAULT) },	/* MI_LOAD_.. */
		{ 0x0e008002 | GLOBAL, 0, LOW(FAULT), HIGH(FAULT) },		/* SEMAPHORE_WAIT */
		{ 0x17000003 | GLOBAL, LOW(FAULT), HIGH(FAULT), 0x8000, 0 },	/* COPY_MEM_MEM */
		{ 0x7a000004, 0x01004000, LOW(FAULT), HIGH(FAULT), 0, 0 },	/* PIPE_CONTROL */
	};
	static const unsigned lengths[] = { 4, 4, 4, 4, 5, 6 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		uint32_t words[8] = { 0 };
		struct patient p;

		memcpy(words, commands[i], lengths[i] * 4);
		words[lengths[i]] = STAND;
		admit(&p, FAULT, lengths[i], words, 8);
		if (i == 4) {
			/* Bit 22 belongs to the source, 21 to the destination. */
			expect(&p, 0, "MI_COPY_MEM_MEM", "DESTINATION_MEMORY_ADDRESS", 1, FAULT);
			discharge(&p);
			words[0] = 0x17000003 | 1u << 21;
			admit(&p, FAULT, lengths[i], words, 8);
		}
		expect_none(&p);
		discharge(&p);
		/* With the bit clear it is the same address of the process. */
		words[0] &= i == 5 ? UINT32_MAX : ~(GLOBAL | 1u << 21);
		words[1] &= i == 5 ? ~(1u << 24) : UINT32_MAX;
		admit(&p, FAULT, lengths[i], words, 8);
		CU_ASSERT(gsc_hang_cause(p.hang, 0, &p.cause));
		discharge(&p);
	}
}

/* A fault in the global tables, and a batch of a process: nothing there is its cause. */
static void test_global_fault(void)
{
	static const uint32_t first[] = { 0x10000002, 0x10000002 | GLOBAL };
	const uint64_t address = UINT64_C(0x12345000);
	struct patient p;

	for (size_t i = 0; i < 2; i++) {
		ADMIT_GLOBAL(&p, address, 4, first[i], LOW(address), 0, 7, STAND, END);
		expect_none(&p);
		discharge(&p);
		/* A field without a selecting field follows the batch. */
		ADMIT_GLOBAL(&p, address, 5, 0x78080003, 0x4000, LOW(address), 0, 0x100, STAND, END);
		expect_none(&p);
		discharge(&p);
	}
}

/* ---- what is not used ----------------------------------------------------------------------- */

struct idle {
	const char *name;
	unsigned dword;			/* in which it is switched */
	uint32_t off, on;
	unsigned count;
	uint32_t words[20];
};

static const struct idle idle[] = {
	{ "PIPE_CONTROL", 1, 0, 0x4000, 6, { 0x7a000004, 0, LOW(FAULT), HIGH(FAULT) } },
	{ "PIPE_CONTROL", 1, 0x00204000, 0xc000, 6, { 0x7a000004, 0, LOW(FAULT), HIGH(FAULT) } },
	{ "PIPE_CONTROL", 1, 0x00804000, 0x8000, 6, { 0x7a000004, 0, LOW(FAULT), HIGH(FAULT) } },
	{ "MI_SEMAPHORE_WAIT", 0, 0x0e018002, 0x0e008002, 4, { 0, 0, LOW(FAULT), HIGH(FAULT) } },
	{ "STATE_BASE_ADDRESS", 1, LOW(FAULT), LOW(FAULT) | 1, 19, { 0x61010011, 0, HIGH(FAULT) } },
	{ "3DSTATE_VERTEX_BUFFERS", 1, 0x6000, 0x4000, 5,
	  { 0x78080003, 0, LOW(FAULT), HIGH(FAULT), 0x100 } },
	{ "3DSTATE_VERTEX_BUFFERS", 4, 0, 0x100, 5,
	  { 0x78080003, 0x4000, LOW(FAULT), HIGH(FAULT), 0 } },
	{ "3DSTATE_DEPTH_BUFFER", 1, 0xe0000000, 0x20000000, 8,
	  { 0x78050006, 0, LOW(FAULT), HIGH(FAULT) } },
	{ "3DSTATE_STENCIL_BUFFER", 1, 0, 0x80000000, 5,
	  { 0x78060003, 0, LOW(FAULT), HIGH(FAULT) } },
	{ "3DSTATE_SO_BUFFER", 1, 0, 0x80000000, 8, { 0x79180006, 0, LOW(FAULT), HIGH(FAULT) } },
	{ "3DSTATE_SO_BUFFER", 1, 0x80000000, 0x80100000, 8,
	  { 0x79180006, 0, 0, 0, 0, LOW(FAULT), HIGH(FAULT) } },
	{ "3DSTATE_BINDING_TABLE_POOL_ALLOC", 1, LOW(FAULT), LOW(FAULT) | 1 << 11, 4,
	  { 0x79190002, 0, HIGH(FAULT), 0x1000 } },
	{ "3DSTATE_CONSTANT_VS", 1, 0, 0x00010000, 11,
	  { 0x78150009, 0, 0, 0, 0, LOW(FAULT), HIGH(FAULT) } },
};

static void test_idle(void)
{
	for (size_t i = 0; i < sizeof(idle) / sizeof(*idle); i++) {
		uint32_t words[20];
		struct patient p;

		memcpy(words, idle[i].words, sizeof(words));
		words[idle[i].count] = STAND;
		words[idle[i].dword] = idle[i].off;
		admit(&p, FAULT, idle[i].count, words, idle[i].count + 1);
		expect_none(&p);
		discharge(&p);
		words[idle[i].dword] = idle[i].on;
		admit(&p, FAULT, idle[i].count, words, idle[i].count + 1);
		CU_ASSERT_FATAL(gsc_hang_cause(p.hang, 0, &p.cause));
		CU_ASSERT_STRING_EQUAL(p.cause.command.name, idle[i].name);
		CU_ASSERT_FALSE(p.cause.stopped);
		discharge(&p);
	}
}

/* Fields that name a page without accessing it, and fields that count from a base. */
static void test_never(void)
{
	const uint64_t address = UINT64_C(0x12345000);
	struct patient p;

	ADMIT(&p, address, 3, 0x11800001, LOW(address), 0, STAND, END);	/* MI_UPDATE_GTT */
	expect_none(&p);
	discharge(&p);
	/* 3DSTATE_VS: scratch space. */
	ADMIT(&p, address, 9, 0x78100007, 0, 0, 0, LOW(address), 0, 0, 0x1000001, 0, STAND, END);
	expect_none(&p);
	discharge(&p);
}

/* ---- state ---------------------------------------------------------------------------------- */

/* A binding table at 0x200 of the batch, which leads to a surface at 0x240. */
static void put_surface(uint32_t words[DWORDS], uint64_t address)
{
	words[0x80] = 0x240;
	words[0x90] = 0x20000000;	/* SURFTYPE_2D */
	words[0x98] = LOW(address);
	words[0x99] = HIGH(address);
}

static void test_state(void)
{
	uint32_t words[DWORDS] = { SURFACES(BATCH), BINDINGS(0x200), 0x7b000005, 0, 0, 0, 0, 0, 0,
				   END };
	struct patient p;

	put_surface(words, FAULT + 0x40);
	admit(&p, FAULT, 21, words, DWORDS);
	expect(&p, 19, "3DSTATE_BINDING_TABLE_POINTERS_PS",
	       "RENDER_SURFACE_STATE.SURFACE_BASE_ADDRESS", 8, FAULT + 0x40);
	CU_ASSERT(p.cause.in_state);
	CU_ASSERT_EQUAL(p.cause.state, BATCH + 0x240);
	CU_ASSERT_FALSE(p.cause.stopped);
	discharge(&p);
	/* If a surface is none, its address is not used. */
	words[0x90] = 0xe0000000;
	admit(&p, FAULT, 21, words, DWORDS);
	expect_none(&p);
	discharge(&p);
	put_surface(words, FAULT + 0x40);
	/* A field of a command comes before state, whatever its place. */
	words[14] = 0;
	words[10] = LOW(FAULT) | 1;	/* INDIRECT_OBJECT_BASE_ADDRESS */
	words[11] = HIGH(FAULT);
	admit(&p, FAULT, 21, words, DWORDS);
	CU_ASSERT_FATAL(gsc_hang_cause(p.hang, 0, &p.cause));
	CU_ASSERT_STRING_EQUAL(p.cause.command.name, "STATE_BASE_ADDRESS");
	CU_ASSERT_FALSE(p.cause.in_state);
	discharge(&p);
}

/* The table itself is where nothing is mapped; without a known base, an offset is no address. */
static void test_state_absent(void)
{
	uint32_t words[DWORDS] = { SURFACES(FAULT - 0x5000), BINDINGS(0x5020), 0x7b000005, 0, 0, 0,
				   0, 0, 0, END };
	struct patient p;

	admit(&p, FAULT, 21, words, DWORDS);
	expect(&p, 19, "3DSTATE_BINDING_TABLE_POINTERS_PS", "BINDING_TABLE_STATE", 0,
	       FAULT + 0x20);
	CU_ASSERT(p.cause.in_state);
	CU_ASSERT_EQUAL(p.cause.state, FAULT + 0x20);
	discharge(&p);
	memset(words, 0, 19 * 4);
	admit(&p, UINT64_C(0x5000), 21, words, DWORDS);
	expect_none(&p);
	discharge(&p);
}

/* ---- demos ---------------------------------------------------------------------------------- */

static void test_demos(void)
{
	struct patient p;

	admit_source(&p, open_spec("demo:%s", "snb-hang", NULL), "snb");
	CU_ASSERT_FATAL(gsc_hang_cause(p.hang, 0, &p.cause));
	CU_ASSERT_STRING_EQUAL(p.cause.command.name, "3DSTATE_VERTEX_BUFFERS");
	CU_ASSERT_EQUAL(p.cause.command.address, 0x100dc);
	CU_ASSERT_EQUAL(p.cause.run.address, 0x10000);
	CU_ASSERT_FALSE(p.cause.stopped);
	for (size_t i = 1; i < 4; i++)
		CU_ASSERT_FALSE(gsc_hang_cause(p.hang, i, &p.cause));
	discharge(&p);
	admit_source(&p, open_spec("demo:%s", "skl-hang", NULL), "skl");
	CU_ASSERT_FATAL(gsc_hang_cause(p.hang, 0, &p.cause));
	CU_ASSERT_STRING_EQUAL(p.cause.command.name, "PIPE_CONTROL");
	CU_ASSERT_EQUAL(p.cause.run.kind, GSC_RUN_SECOND_LEVEL);
	CU_ASSERT(p.cause.stopped);
	discharge(&p);
	admit_source(&p, open_spec("demo:%s", "icl-trtt", NULL), "icl");
	CU_ASSERT_FALSE(gsc_hang_cause(p.hang, 0, &p.cause));
	discharge(&p);
}

/* ---- addresses of a command ----------------------------------------------------------------- */

struct holds {
	const char *name;
	unsigned dword;
	uint64_t address;
	const char *space;
};

static void check_addresses(struct kit *kit, const uint32_t *words, size_t count,
			    const struct holds *expected)
{
	struct gsc_stream stream = { .set = kit->set, .engine_class = ENGINE_RCS, .words = words,
				     .count = count };
	struct gsc_command_address a;
	struct gsc_command c;
	size_t i = 0;

	CU_ASSERT_FATAL(gsc_stream_next(&stream, &c));
	for (; expected[i].name; i++) {
		CU_ASSERT_FATAL(gsc_command_address(kit->set, &c, i, &a));
		CU_ASSERT_STRING_EQUAL(a.name, expected[i].name);
		CU_ASSERT_EQUAL(a.dword, expected[i].dword);
		CU_ASSERT_EQUAL(a.address, expected[i].address);
		CU_ASSERT_EQUAL(!a.space, !expected[i].space);
		CU_ASSERT(!a.space || !strcmp(a.space, expected[i].space));
	}
	CU_ASSERT_FALSE(gsc_command_address(kit->set, &c, i, &a));
	CU_ASSERT_FALSE(gsc_command_address(kit->set, &c, SIZE_MAX, &a));
}

#define ADDRESSES(kit, expected, ...)                                                              \
	check_addresses(kit, (const uint32_t[]){ __VA_ARGS__ },                                    \
			sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4, expected)

static void test_addresses(void)
{
	static const struct holds none[] = { { 0 } };
	static const struct holds buffers[] = {
		{ "BUFFER_STARTING_ADDRESS", 2, 0x8000, NULL },
		{ "BUFFER_STARTING_ADDRESS", 6, UINT64_C(0xfffe00001000), NULL },
		{ 0 },
	};
	struct kit kit;

	kit_open(&kit, "skl");
	ADDRESSES(&kit, buffers, 0x78080007, 0x4010, 0x8000, 0, 64, 0x04004010, 0x00001000,
		  0xfffffffe, 64);
	/* A truncated one. */
	ADDRESSES(&kit, buffers + 2, 0x78080003, 0x4010, 0x8000);
	/* From a base; of a register; of something unknown. */
	ADDRESSES(&kit, none, BINDINGS(0x200));
	ADDRESSES(&kit, none, 0x11000001, 0x2358, 0x2000);
	ADDRESSES(&kit, none, 0x6fff0001, 0x8000, 0x8000);
	kit_close(&kit);
}

SUITE(hang_cause,
	{ "the command it stopped in", test_stopped },
	{ "one before it", test_before },
	{ "what is no address", test_no_address },
	{ "a group of fields", test_repeated },
	{ "bits for the global tables", test_global_bit },
	{ "a fault in the global tables", test_global_fault },
	{ "addresses that are not used", test_idle },
	{ "addresses that never are", test_never },
	{ "state", test_state },
	{ "state that is not there", test_state_absent },
	{ "demos", test_demos },
	{ "addresses of a command", test_addresses });
