/* SPDX-License-Identifier: MIT */
/* Bases, the state that commands point to, and where kernels end. */
#include "batch/state.h"
#include "test.h"
#include "gpu-for.h"

#include <stdio.h>
#include <string.h>

#define START 0x10000u
#define SIZE 0x10000u

struct seen_state {
	struct gsc_state state;
	uint32_t first, last;
};

struct bench {
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_commands *set;
	struct gsc_source source;
	struct graphics_memory memory;
	struct gsc_listener listener;
	struct follower follower;
	struct bases bases;
	uint32_t words[SIZE / 4];	/* of memory from START on */
	struct seen_state states[256];
	size_t state_count, left;	/* the listener ends everything after this many */
	struct gsc_kernel kernels[32];
	size_t kernel_count;
};

static bool take_state(void *context, const struct gsc_followed *item)
{
	const struct gsc_state *state = item->state;
	struct bench *b = context;
	struct seen_state *seen = &b->states[b->state_count++];

	CU_ASSERT_FATAL(b->state_count < ARRAY_SIZE(b->states));
	CU_ASSERT_STRING_EQUAL(state->item.name, state->name);
	CU_ASSERT_EQUAL(!state->words, !state->count);
	seen->state = *state;
	seen->first = state->words ? state->words[0] : 0;
	seen->last = state->words ? state->words[state->count - 1] : 0;
	return --b->left;
}

static bool take_kernel(void *context, const struct gsc_followed *item)
{
	struct bench *b = context;

	CU_ASSERT_FATAL(b->kernel_count < ARRAY_SIZE(b->kernels));
	b->kernels[b->kernel_count++] = *item->kernel;
	return true;
}

/* Memory of a process, known by its addresses. */
static void open_memory(struct bench *b)
{
	struct part *part = vec_add(&b->source.parts);
	struct gsc_error err;

	CU_ASSERT_FATAL(part != NULL);
	b->source.db = b->db;
	b->source.platform = (int)gsc_view_platform(b->view);
	*part = (struct part){ .platform = -1, .pci_device = -1, .revision = -1 };
	CU_ASSERT_FATAL(part_add(part, GSC_PPGTTMEM, START, SIZE, (const uint8_t *)b->words));
	CU_ASSERT_FATAL(pieces_resolve(&part->pieces));
	CU_ASSERT_EQUAL_FATAL(lookups_build(&b->source, &err), GSC_OK);
	b->memory.gpu = gpu_for(&b->source, b->view);
}

static struct bench *bench_new(const char *platform)
{
	struct bench *b = calloc(1, sizeof(*b));
	static const struct gsc_follow_options options;
	struct gsc_platform p;
	struct gsc_error err;
	int device;

	CU_ASSERT_FATAL(b && gsc_db_new(&b->db, &err) == GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(b->db, platform, &p, &device, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&b->view, b->db, p.index, -1, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_commands_new(&b->set, gpu_for(NULL, b->view), &err), GSC_OK);
	open_memory(b);
	b->left = SIZE_MAX;
	b->listener = (struct gsc_listener){ .context = b, .state = take_state,
					     .kernel = take_kernel };
	CU_ASSERT_EQUAL_FATAL(follower_init(&b->follower, b->set, &options, &b->listener, &err),
			      GSC_OK);
	CU_ASSERT_EQUAL_FATAL(follower_engine(&b->follower, "rcs0", &err), GSC_OK);
	b->follower.memory = &b->memory;
	return b;
}

static void bench_free(struct bench *b)
{
	for (size_t i = 0; i < b->source.lookups.count; i++)
		vec_free(&b->source.lookups.items[i].pieces);
	vec_free(&b->source.lookups);
	vec_free(&b->source.parts.items[0].pieces);
	vec_free(&b->source.parts);
	follower_free(&b->follower);
	gsc_commands_free(b->set);
	gsc_view_free(b->view);
	gsc_db_free(b->db);
	free(b);
}

static void poke(struct bench *b, uint32_t address, const uint32_t *words, size_t count)
{
	memcpy(&b->words[(address - START) / 4], words, count * 4);
}

#define POKE(b, address, ...)                                                                      \
	poke(b, address, (const uint32_t[]){ __VA_ARGS__ },                                        \
	     sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

/* Commands one by one, as following does it. */
static bool feed(struct bench *b, const uint32_t *words, size_t count)
{
	struct gsc_stream stream = { .set = b->set, .engine_class = b->follower.engine_class,
				     .words = words, .count = count };
	struct gsc_run run = { .process = true };
	struct gsc_command c;
	bool more = true;

	b->state_count = b->kernel_count = 0;
	while (more && gsc_stream_next(&stream, &c)) {
		more = state_tell(&b->follower, &run, &b->bases, &c);
		if (c.known)
			bases_change(&b->follower, &b->bases, &c);
	}
	return more;
}

#define FEED(b, ...)                                                                               \
	feed(b, (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static void expect(const struct bench *b, size_t i, const char *name, unsigned index,
		   uint64_t address, size_t count, unsigned depth)
{
	const struct gsc_state *s = &b->states[i].state;

	CU_ASSERT_FATAL(i < b->state_count);
	CU_ASSERT_STRING_EQUAL(s->name, name);
	CU_ASSERT_EQUAL(s->index, index);
	CU_ASSERT_EQUAL(s->address, address);
	CU_ASSERT_EQUAL(s->count, count);
	CU_ASSERT_EQUAL(s->depth, depth);
	CU_ASSERT_EQUAL(!s->count, !!*s->problem || !s->words);
}

static void expect_problem(const struct bench *b, size_t i, const char *name, uint64_t address,
			   const char *problem)
{
	CU_ASSERT_FATAL(i < b->state_count);
	CU_ASSERT_STRING_EQUAL(b->states[i].state.name, name);
	CU_ASSERT_EQUAL(b->states[i].state.address, address);
	CU_ASSERT_EQUAL(b->states[i].state.count, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(b->states[i].state.problem, problem));
}

static void expect_kernel(const struct bench *b, size_t i, const char *stage, uint64_t address,
			  size_t size, bool cut)
{
	CU_ASSERT_FATAL(i < b->kernel_count);
	CU_ASSERT_STRING_EQUAL(b->kernels[i].stage, stage);
	CU_ASSERT_EQUAL(b->kernels[i].address, address);
	CU_ASSERT_EQUAL(b->kernels[i].size, size);
	CU_ASSERT_EQUAL(b->kernels[i].cut, cut);
	CU_ASSERT_EQUAL(!*b->kernels[i].problem, !cut);
}

/* ---- Gen4: units ---------------------------------------------------------------------------- */

static void test_gen4_units(void)
{
	struct bench *b = bench_new("brw");

	POKE(b, 0x10200, 0x1000, 0, 0, 0, 0, 0x00000301, 1);	/* VS: a sampler at 300h */
	POKE(b, 0x10240, 0, 0, 0, 0, 0, 0, 0x00000320);		/* CLIP: viewport at 320h */
	POKE(b, 0x10280, 0x1080, 0, 0, 0, 0, 0x00000340, 0, 0);	/* SF: viewport at 340h */
	POKE(b, 0x102c0, 0x1040, 0, 0, 0, 0, 0x00080001);	/* WM: dispatches by 8 */
	POKE(b, 0x10400, 0, 0, 0, 0, 0x00000380);		/* CC: viewport at 380h */
	POKE(b, 0x11000, 1, 0, 0, 0, 0x31, 0, 0, 0x80000000);
	/* On the 965 nothing is compacted: bit 29 means something else. */
	POKE(b, 0x11040, 0x20000001, 0, 0, 0, 0x31, 0, 0, 0x80000000);
	CU_ASSERT_TRUE(FEED(b, 0x61010004, START | 1, 1, 1, 1, 1,
			    0x78000005, 0x200, 0, 0x241, 0x280, 0x2c0, 0x400));
	CU_ASSERT_EQUAL_FATAL(b->state_count, 9);
	expect(b, 0, "VS_STATE", 0, 0x10200, 7, 0);
	expect(b, 1, "SAMPLER_STATE", 0, 0x10300, 4, 1);
	expect(b, 2, "CLIP_STATE", 0, 0x10240, 11, 0);
	expect(b, 3, "CLIP_VIEWPORT", 0, 0x10320, 4, 1);
	expect(b, 4, "SF_STATE", 0, 0x10280, 8, 0);
	expect(b, 5, "SF_VIEWPORT", 0, 0x10340, 8, 1);
	expect(b, 6, "WM_STATE", 0, 0x102c0, 8, 0);
	expect(b, 7, "COLOR_CALC_STATE", 0, 0x10400, 8, 0);
	expect(b, 8, "CC_VIEWPORT", 0, 0x10380, 2, 1);
	CU_ASSERT_EQUAL_FATAL(b->kernel_count, 4);
	expect_kernel(b, 0, "vs", 0x11000, 32, false);
	expect_kernel(b, 1, "clip", 0x10000, 0, true);
	expect_kernel(b, 2, "sf", 0x11080, 0, true);
	expect_kernel(b, 3, "ps", 0x11040, 32, false);
	bench_free(b);
}

static void test_gen4_bound(void)
{
	struct bench *b = bench_new("brw");

	/* The bound is an address; a bound of zero is none. */
	FEED(b, 0x61010004, START | 1, 1, 1, 0x18001, 1);
	FEED(b, 0x78000005, 0x7ff0, 0, 0, 0x8000, 0, 0x400);
	expect(b, 0, "VS_STATE", 0, 0x17fe0, 7, 0);
	expect_problem(b, 1, "SF_STATE", 0x18000,
		       "past 0x18000, the upper bound of the general base");
	FEED(b, 0x61010004, 0, 0, 0, 1, 0);
	FEED(b, 0x78000005, 0x7fe0, 0, 0, 0x8000, 0, 0x400);
	expect(b, 1, "SF_STATE", 0, 0x18000, 8, 0);
	bench_free(b);
}

/* ---- Gen6: what has changed ----------------------------------------------------------------- */

#define SNB_BASES 0x61010008, 1, START | 0x3001, START | 1, 1, START | 0x8001

static void test_gen6_pointers(void)
{
	struct bench *b = bench_new("snb");

	POKE(b, 0x10100, 0x80000000, 0, 0, 0, 0, 3);	/* two entries that mean something */
	POKE(b, 0x13200, 0x40, 0x60, 0);
	POKE(b, 0x13040, 0x20000000, 0x1234);
	POKE(b, 0x13060, 0x20000000, 0x5678);
	FEED(b, SNB_BASES, 1, 1, 1, 1);
	FEED(b, 0x780e0002, 0x101, 0x140, 0x181);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 2);
	CU_ASSERT_STRING_EQUAL(b->states[0].state.name, "BLEND_STATE");
	CU_ASSERT_EQUAL(b->states[0].state.count, 6);
	CU_ASSERT_EQUAL(b->states[0].last, 3);
	CU_ASSERT_PTR_NOT_NULL(strstr(b->states[0].state.problem, "the number of groups"));
	expect(b, 1, "COLOR_CALC_STATE", 0, 0x10180, 6, 0);
	/* Only tables at an offset; entries up to zero, each with its surface. */
	FEED(b, 0x78011302, 0, 0, 0x200);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 4);
	expect(b, 0, "BINDING_TABLE_STATE", 0, 0x13200, 1, 0);
	expect(b, 1, "RENDER_SURFACE_STATE", 0, 0x13040, 6, 1);
	CU_ASSERT_EQUAL(b->states[2].state.address, 0x13204);
	expect(b, 3, "RENDER_SURFACE_STATE", 0, 0x13060, 6, 1);
	bench_free(b);
}

static void test_gen6_constants(void)
{
	struct bench *b = bench_new("snb");

	POKE(b, 0x10020, 0x3f800000, 0x40000000);
	FEED(b, SNB_BASES, 1, 1, 1, 1);
	/* 32 bytes times (1 + 1); the second buffer has its own address. */
	FEED(b, 0x78153003, 0x21, START | 0x4000, 0, 0);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 2);
	expect(b, 0, "CONSTANT_DATA", 0, 0x10020, 16, 0);
	CU_ASSERT_EQUAL(b->states[0].first, 0x3f800000);
	expect(b, 1, "CONSTANT_DATA", 0, 0x14000, 8, 0);
	/* INSTPM: constant buffers have addresses. */
	FEED(b, 0x11000001, 0x20c0, 0x00400040, 0x78151003, START | 0x40, 0, 0, 0);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 1);
	expect(b, 0, "CONSTANT_DATA", 0, 0x10040, 8, 0);
	bench_free(b);
}

static void test_gen6_kernels(void)
{
	struct bench *b = bench_new("snb");
	static const uint32_t ps[] = { 0x20000001, 0, 1, 0, 0, 0, 0x31, 0, 0, 0x80000000 };

	poke(b, 0x18000, ps, ARRAY_SIZE(ps));
	poke(b, 0x18040, ps, ARRAY_SIZE(ps));
	POKE(b, 0x18080, 0x32, 0, 0, 0x80000000);
	FEED(b, SNB_BASES, 1, 1, 1, 1);
	/* By 8 and 16: the first and the third. */
	FEED(b, 0x78140007, 0, 0, 0, 0, 0x00080003, 0, 0x40, 0x80);
	CU_ASSERT_EQUAL_FATAL(b->kernel_count, 2);
	expect_kernel(b, 0, "ps", 0x18000, 40, false);
	expect_kernel(b, 1, "ps", 0x18080, 16, false);
	/* Only by 16: the first. Disabled: none. */
	FEED(b, 0x78140007, 0x40, 0, 0, 0, 0x00080002, 0, 0x80, 0x80);
	CU_ASSERT_EQUAL_FATAL(b->kernel_count, 1);
	expect_kernel(b, 0, "ps", 0x18040, 40, false);
	FEED(b, 0x78140007, 0x40, 0, 0, 0, 0x00000002, 0, 0x80, 0x80);
	CU_ASSERT_EQUAL(b->kernel_count, 0);
	bench_free(b);
}

/* ---- Gen7 and Gen7.5 ------------------------------------------------------------------------ */

static void test_gen7_absent(void)
{
	struct bench *b = bench_new("ivb");

	/* No base yet: the offset, and why. */
	FEED(b, 0x78240000, 0x141, 0x78260000, 0, 0x78100004, 0x40, 0, 0, 0, 1);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 1);
	expect_problem(b, 0, "BLEND_STATE", 0x140, "no command so far has set the dynamic base");
	CU_ASSERT_EQUAL_FATAL(b->kernel_count, 1);
	expect_kernel(b, 0, "vs", 0x40, 0, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(b->kernels[0].problem, "the instruction base"));
	/* A base whose modify bit is clear stays unknown. */
	FEED(b, 0x61010008, 0, 0, START, 0, 0, 0, 0, 0, 0, 0x78240000, 0x141);
	expect_problem(b, 0, "BLEND_STATE", 0x140, "no command so far");
	/* Known, but there is nothing. */
	FEED(b, 0x61010008, 0, 0, 0x40001, 0, 0, 0, 0, 0, 0, 0x78240000, 0x141);
	expect_problem(b, 0, "BLEND_STATE", 0x40140, "per-process tables");
	bench_free(b);
}

static void test_gen7_samplers(void)
{
	struct bench *b = bench_new("ivb");

	POKE(b, 0x10100, 0x80000000, 0, 0x400, 0);
	FEED(b, 0x61010008, 0, 0, START | 1, 0, 0, 0, START | 0x8001, 0, 0);
	FEED(b, 0x782f0000, 0x100);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 2);
	expect(b, 0, "SAMPLER_STATE", 0, 0x10100, 4, 0);
	expect(b, 1, "SAMPLER_BORDER_COLOR_STATE", 0, 0x10400, 4, 1);
	FEED(b, 0x782f0000, 0);
	CU_ASSERT_EQUAL(b->state_count, 0);
	/* Viewports: the first, and those that are not zero. */
	POKE(b, 0x10500, 0, 0, 0x3f800000, 0, 0, 0, 0x3f800000, 0);
	FEED(b, 0x78230000, 0x500);
	CU_ASSERT_EQUAL(b->state_count, 2);
	expect(b, 0, "CC_VIEWPORT", 0, 0x10500, 2, 0);
	bench_free(b);
}

static void test_vertex_buffers(void)
{
	struct bench *b = bench_new("ivb");

	/*
	 * 12 bytes up to the last; a null buffer; more than is shown; one whose address is
	 * unchanged; past the end of memory.
	 */
	FEED(b, 0x78080013, 0x0000400c, START | 0x100, START | 0x10b, 0,
	     0x00006000, START, START | 0xff, 0, 0x08004010, START, START | 0xfff, 0,
	     0x10000010, START | 0x200, START | 0x2ff, 0,
	     0x0c004010, START + SIZE - 8, START + SIZE + 0xff, 0);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 3);
	expect(b, 0, "VERTEX_DATA", 0, 0x10100, 3, 0);
	expect(b, 1, "VERTEX_DATA", 0, 0x10000, 32, 0);
	CU_ASSERT_EQUAL(b->states[2].state.count, 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(b->states[2].state.problem, "per-process tables"));
	bench_free(b);
}

static void test_pool(void)
{
	struct bench *b = bench_new("hsw");

	POKE(b, 0x14040, 0x80);
	POKE(b, 0x12040, 0xa0);
	FEED(b, 0x61010008, 0, START | 0x2001, 0, 0, 0, 0, 0, 0, 0);
	FEED(b, 0x79190001, START | 0x4800, START | 0x5000, 0x782a0000, 0x40);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 2);
	expect(b, 0, "BINDING_TABLE_STATE", 0, 0x14040, 1, 0);
	expect(b, 1, "RENDER_SURFACE_STATE", 0, 0x12080, 8, 1);
	FEED(b, 0x782a0000, 0x1000);
	expect_problem(b, 0, "BINDING_TABLE_STATE", 0x15000, "bound of the binding-table base");
	/* Disabled: tables are among surfaces again. */
	FEED(b, 0x79190001, START | 0x4000, START | 0x5000, 0x782a0000, 0x40);
	expect(b, 0, "BINDING_TABLE_STATE", 0, 0x12040, 1, 0);
	expect(b, 1, "RENDER_SURFACE_STATE", 0, 0x120a0, 8, 1);
	bench_free(b);
}

/* ---- Gen9 ----------------------------------------------------------------------------------- */

/* General, surface, dynamic, indirect, instruction; sizes of one page each except the last. */
#define SKL_BASES                                                                                  \
	0x61010011, 1, 0, 0, START | 0x2001, 0, START | 1, 0, 1, 0, START | 0x8001, 0, 0x1001,     \
	0x1001, 0x1001, 0x8001, 0, 0, 0

static void test_gen9_descriptors(void)
{
	struct bench *b = bench_new("skl");

	FEED(b, SKL_BASES);
	CU_ASSERT_EQUAL(b->bases.bytes[BASE_DYNAMIC], 0x1000);
	/* A kernel, up to four samplers, two bindings; then the same kernel and nothing. */
	POKE(b, 0x10040, 0x40, 0, 0, 0x104, 0x202, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0);
	POKE(b, 0x10100, 0x80000000, 0, 0, 0, 0x80000000, 0, 0, 0);
	POKE(b, 0x12200, 0x300, 0x300);
	POKE(b, 0x18040, 0x33, 0, 0, 0x80000000);
	FEED(b, 0x70020002, 0, 0x40, 0x40);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 7);
	expect(b, 0, "INTERFACE_DESCRIPTOR_DATA", 0, 0x10040, 8, 0);
	expect(b, 1, "SAMPLER_STATE", 0, 0x10100, 4, 1);
	CU_ASSERT_EQUAL(b->states[2].state.index, 1);
	expect(b, 3, "BINDING_TABLE_STATE", 0, 0x12200, 1, 1);
	expect(b, 4, "RENDER_SURFACE_STATE", 0, 0x12300, 16, 2);
	/* The second binding leads to what was reported already. */
	expect(b, 5, "BINDING_TABLE_STATE", 1, 0x12204, 1, 1);
	expect(b, 6, "INTERFACE_DESCRIPTOR_DATA", 1, 0x10060, 8, 0);
	CU_ASSERT_EQUAL_FATAL(b->kernel_count, 1);
	expect_kernel(b, 0, "cs", 0x18040, 16, false);
	/* The buffer has a size: its last descriptor, then none. */
	FEED(b, 0x70020002, 0, 0x60, 0xfe0);
	expect(b, 0, "INTERFACE_DESCRIPTOR_DATA", 0, 0x10fe0, 8, 0);
	expect_problem(b, b->state_count - 1, "INTERFACE_DESCRIPTOR_DATA", 0x11000,
		       "the upper bound of the dynamic base");
	bench_free(b);
}

static void test_kernel_ends(void)
{
	struct bench *b = bench_new("skl");

	FEED(b, SKL_BASES);
	/* No end before that of memory, or of the base. */
	for (size_t i = 0x8000 / 4; i < SIZE / 4; i += 4)
		b->words[i] = 1;
	FEED(b, 0x78100007, 0x7fc0, 0, 0, 0, 0, 0, 1, 0);
	CU_ASSERT_EQUAL_FATAL(b->kernel_count, 1);
	expect_kernel(b, 0, "vs", 0x1ffc0, 0x40, true);
	/* Zeros are no instruction; a SEND without the bit ends nothing; SENDSC does. */
	POKE(b, 0x18000, 0x31, 0, 0, 0, 0x34, 0, 0, 0x7fffffff, 0, 0);
	FEED(b, 0x78100007, 0, 0, 0, 0, 0, 0, 1, 0);
	expect_kernel(b, 0, "vs", 0x18000, 32, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(b->kernels[0].problem, "no instruction at 0x18020"));
	POKE(b, 0x18010, 0x34, 0, 0, 0x80000000);
	FEED(b, 0x78100007, 0, 0, 0, 0, 0, 0, 1, 0);
	expect_kernel(b, 0, "vs", 0x18000, 32, false);
	/* Not enabled, or truncated before it says so. */
	FEED(b, 0x78100007, 0, 0, 0, 0, 0, 0, 0, 0);
	CU_ASSERT_EQUAL(b->kernel_count, 0);
	FEED(b, 0x78100007, 0);
	CU_ASSERT_EQUAL(b->kernel_count, 0);
	bench_free(b);
}

static void test_constants_absolute(void)
{
	struct bench *b = bench_new("skl");

	/* Drivers make them absolute once; the register can make them relative again. */
	FEED(b, SKL_BASES, 0x78150009, 1, 0, START | 0x40, 0, 0, 0, 0, 0, 0, 0);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 1);
	expect(b, 0, "CONSTANT_DATA", 0, 0x10040, 8, 0);
	FEED(b, 0x11000001, 0x20d8, 0x00100000, 0x78150009, 2, 0, 0x60, 0, 0, 0, 0, 0, 0, 0);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 1);
	expect(b, 0, "CONSTANT_DATA", 0, 0x10060, 16, 0);
	/* Canonical addresses lose their sign. */
	FEED(b, 0x78150009, 0, 1, 0, 0, 0, 0, 0xffff0000, 0xffffffff, 0, 0);
	expect_problem(b, 0, "CONSTANT_DATA", 0xffffffff0000, "");
	bench_free(b);
}

/* ---- Gen12 ---------------------------------------------------------------------------------- */

static void test_gen12(void)
{
	struct bench *b = bench_new("tgl");

	FEED(b, 0x61010014, 0, 0, 0, START | 0x2001, 0, START | 1, 0, 0, 0, START | 0x8001, 0, 0, 0,
	     0, 0, 0, 0, 0, 0, 0, 0);
	/* The bit that ends a thread has moved; SENDS is gone. */
	POKE(b, 0x18000, 0x33, 4, 0, 0x80000000, 0x20000031, 4, 0x31, 4, 0, 0);
	FEED(b, 0x78100007, 0, 0, 0, 0, 0, 0, 1, 0);
	CU_ASSERT_EQUAL_FATAL(b->kernel_count, 1);
	expect_kernel(b, 0, "vs", 0x18000, 40, false);
	/* Offsets of binding tables count in 256 bytes once GT_MODE says so. */
	POKE(b, 0x12200, 0x400);
	FEED(b, 0x11000001, 0x7008, 0x04000400, 0x782a0000, 0x40);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 2);
	expect(b, 0, "BINDING_TABLE_STATE", 0, 0x12200, 1, 0);
	expect(b, 1, "RENDER_SURFACE_STATE", 0, 0x12400, 16, 1);
	/* Different buffers in turn, as many as there are dwords for. */
	FEED(b, 0x786d0004, 0x30000, START | 0x41, 0, START | 0x82, 0);
	CU_ASSERT_EQUAL_FATAL(b->state_count, 2);
	expect(b, 0, "CONSTANT_DATA", 0, 0x10040, 8, 0);
	expect(b, 1, "CONSTANT_DATA", 0, 0x10080, 16, 0);
	bench_free(b);
}

/* ---- all platforms -------------------------------------------------------------------------- */

static void check_fields(struct bench *b, const struct gsc_item *item, struct gsc_field_iter *it,
			 unsigned *pointers)
{
	struct gsc_field field;
	struct gsc_form form;

	while (gsc_field_next(it, &field)) {
		gsc_field_form(it, &form);
		if (!form.target || !strncmp(form.target, "kernel:", 7) ||
		    !(form.base || form.count.number || form.most.number || form.last))
			continue;
		++*pointers;
		if (!structure_find(b->set, form.target))
			printf("%s:%s points to %s\n", item->name, field.name, form.target);
		CU_ASSERT_PTR_NOT_NULL(structure_find(b->set, form.target));
	}
}

/* Whatever points to a structure does so if there is one. */
static void test_targets(void)
{
	static const char *const platforms[] = { "brw", "ctg", "ilk", "snb", "ivb",  "hsw", "bdw",
						 "skl", "icl", "tgl", "dg2", "lnl", "ptl" };
	static const enum gsc_kind kinds[] = { GSC_COMMAND, GSC_STRUCTURE };

	for (size_t p = 0; p < ARRAY_SIZE(platforms); p++) {
		struct bench *b = bench_new(platforms[p]);
		unsigned pointers = 0;

		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
			struct gsc_field_iter it;
			struct gsc_repeat repeat;
			struct gsc_item item;

			for (size_t i = 0; gsc_item_at(b->db, kinds[k], i, &item); i++) {
				if (!(item.platforms & b->view->bit))
					continue;
				gsc_item_fields(b->db, b->view, &item, NULL, 0, &it);
				check_fields(b, &item, &it, &pointers);
				for (size_t r = 0; gsc_item_repeat(b->db, b->view, &item, r,
								   &repeat, &it); r++)
					check_fields(b, &item, &it, &pointers);
			}
		}
		CU_ASSERT(pointers >= 15);
		bench_free(b);
	}
}

/* The listener says when it has enough, and a hostile command is not searched for ever. */
static void test_limits(void)
{
	struct bench *b = bench_new("skl");

	FEED(b, SKL_BASES);
	POKE(b, 0x10040, 0x40, 0, 0, 0x104, 0x202, 0, 0, 0);
	b->left = 2;
	CU_ASSERT_FALSE(FEED(b, 0x70020002, 0, 0x40, 0x40, 0x70020002, 0, 0x40, 0x40));
	CU_ASSERT_EQUAL(b->state_count, 2);
	b->left = SIZE_MAX;
	b->bases.bytes[BASE_DYNAMIC] = 0;
	b->listener.state = NULL;
	/* More descriptors than are examined, each with everything that it can have. */
	for (size_t i = 0; i < SIZE / 4; i += 8) {
		b->words[i + 3] = (uint32_t)(i * 4 & 0xffe0) | 0x10;
		b->words[i + 4] = (uint32_t)(i * 4 & 0xffe0) | 0x1f;
	}
	CU_ASSERT_TRUE(FEED(b, 0x70020002, 0, 0x1ffff, 0));
	CU_ASSERT(b->kernel_count == 2);
	bench_free(b);
}

static bool touch_state(void *context, const struct gsc_followed *item)
{
	uint32_t *sum = context;

	for (size_t i = 0; i < item->state->count; i++)
		*sum += item->state->words[i];
	CU_ASSERT(item->state->depth <= 3);
	return true;
}

static bool touch_kernel(void *context, const struct gsc_followed *item)
{
	const struct gsc_kernel *kernel = item->kernel;
	uint32_t *sum = context;
	const uint8_t *bytes = kernel->data;

	for (size_t i = 0; i < kernel->size; i++)
		*sum += bytes[i];
	CU_ASSERT(kernel->cut || kernel->size >= 16);
	return true;
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8 ^ *seed << 20;
}

/*
 * Every command with any dwords, truncated anywhere, over any memory: it reads nothing beyond, and
 * ends.
 */
static void test_random(void)
{
	static const char *const platforms[] = { "brw", "ilk", "snb", "hsw", "skl", "tgl", "lnl" };
	uint32_t words[64], seed = 1, sum = 0;

	for (size_t p = 0; p < ARRAY_SIZE(platforms); p++) {
		struct bench *b = bench_new(platforms[p]);
		struct gsc_item item;

		b->listener = (struct gsc_listener){ .context = &sum, .state = touch_state,
						     .kernel = touch_kernel };
		for (size_t i = 0; i < SIZE / 4; i++)
			b->words[i] = next(&seed) & (i % 3 ? 0xffff : 0xffffffff);
		for (size_t i = 0; gsc_item_at(b->db, GSC_COMMAND, i, &item); i++) {
			if (!(item.platforms & b->view->bit) || !(item.engines & 1))
				continue;
			for (unsigned n = 0; n < 4; n++) {
				for (size_t k = 0; k < ARRAY_SIZE(words); k++)
					words[k] = next(&seed) & (k % 2 ? 0xffff : 0xffffffff);
				words[0] = item.value | (words[0] & ~item.mask);
				for (unsigned k = 0; k < BASES; k++)
					b->bases.base[k] = n % 2 ? START : next(&seed);
				b->bases.known = next(&seed);
				feed(b, words, 1 + next(&seed) % ARRAY_SIZE(words));
			}
		}
		bench_free(b);
	}
	CU_PASS("no crash");
}

/* ---- text and JSON -------------------------------------------------------------------------- */

static void test_text(void)
{
	static const uint32_t words[] = { 0x80000000, 0, 0, 0x00000001, 2 };
	struct bench *b = bench_new("skl");
	const struct known_structure *s = structure_find(b->set, "BLEND_STATE");
	struct gsc_state state = { .name = "BLEND_STATE", .address = 0x10140, .words = words,
				   .count = ARRAY_SIZE(words) };
	static const uint32_t constants[] = { 0x3f800000, 0 };
	struct gsc_state data = { .address = 0x20, .words = constants, .count = 2 };
	struct gsc_json json;
	struct gsc_out *out;
	struct gsc_error err;
	const char *text;
	size_t size;

	CU_ASSERT_FATAL(s && gsc_item_by_def(b->db, GSC_STRUCTURE, s->id, &state.item));
	CU_ASSERT_EQUAL_FATAL(gsc_out_new(&out, -1, false, &err), GSC_OK);
	gsc_text_state(out, b->view, &state, 0);
	gsc_out_bytes(out, "", 1);
	text = gsc_out_data(out, &size);
	CU_ASSERT_PTR_EQUAL(strstr(text, "    BLEND_STATE[0] at 0x00010140\n"
					 "    0x00010140:  0x80000000\n"
					 "       31   ALPHA_TO_COVERAGE_ENABLE"), text);
	/* The second group has its own dwords, and flags that are not set are not shown. */
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "    0x00010150:  0x00000002\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "PRE_BLEND_COLOR_CLAMP_ENABLE"));
	CU_ASSERT_PTR_NULL(strstr(text, "POST_BLEND_COLOR_CLAMP_ENABLE"));
	gsc_out_free(out);
	/* Data: one line for each dword, with its meaning. */
	CU_ASSERT_EQUAL_FATAL(gsc_out_new(&out, -1, false, &err), GSC_OK);
	s = structure_find(b->set, "CONSTANT_DATA");
	data.name = s->name;
	CU_ASSERT_FATAL(gsc_item_by_def(b->db, GSC_STRUCTURE, s->id, &data.item));
	gsc_text_state(out, b->view, &data, 0);
	gsc_out_bytes(out, "", 1);
	CU_ASSERT_STRING_EQUAL(gsc_out_data(out, &size),
			       "    CONSTANT_DATA[0] at 0x00000020\n"
			       "    0x00000020:  0x3f800000  1\n"
			       "    0x00000024:  0x00000000  0\n");
	gsc_out_free(out);
	CU_ASSERT_EQUAL_FATAL(gsc_out_new(&out, -1, false, &err), GSC_OK);
	gsc_json_begin(&json, out, false);
	gsc_json_object(&json, NULL);
	gsc_json_state(&json, b->view, &state);
	gsc_json_object_end(&json);
	gsc_json_finish(&json);
	gsc_out_bytes(out, "", 1);
	text = gsc_out_data(out, &size);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"name\":\"BLEND_STATE\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"dword\":4"));
	gsc_out_free(out);
	bench_free(b);
}

SUITE(batch_state,
      { "gen4: units and kernels", test_gen4_units },
      { "gen4: a bound", test_gen4_bound },
      { "gen6: pointers with change bits", test_gen6_pointers },
      { "gen6: constants", test_gen6_constants },
      { "gen6: kernels of pixel sizes", test_gen6_kernels },
      { "gen7: what is not there", test_gen7_absent },
      { "gen7: samplers and viewports", test_gen7_samplers },
      { "vertex buffers", test_vertex_buffers },
      { "binding table pool", test_pool },
      { "gen9: interface descriptors", test_gen9_descriptors },
      { "where kernels end", test_kernel_ends },
      { "constants by address", test_constants_absolute },
      { "gen12", test_gen12 },
      { "targets of all platforms", test_targets },
      { "limits", test_limits },
      { "random commands", test_random },
      { "text and JSON", test_text })
