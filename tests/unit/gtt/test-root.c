/* SPDX-License-Identifier: MIT */
/* Where translation begins: text, registers, contexts, submissions; and the windows of the machine. */
#include "aub-helpers.h"
#include "gtt/context.h"
#include "gpu-for.h"
#include "source-helpers.h"
#include "test.h"
#include "gtt/gtt.h"

#include <stdio.h>

/* ---- sources of a few registers ------------------------------------------------------------- */

/* A source of one text, and its view. */
struct bench {
	struct gsc_source *source;
	struct gsc_view *view;
	struct gsc_root root;
	struct gsc_error err;
};

static void bench_source(struct bench *b, struct gsc_source *source)
{
	memset(b, 0, sizeof(*b));
	b->source = source;
	b->view = view_of(source);
}

static void bench_text(struct bench *b, const char *text, const char *platform)
{
	char *path = temporary_file(text, strlen(text));

	bench_source(b, open_spec("%s", path, platform));
	drop_file(path);
}

static void bench_close(struct bench *b)
{
	gsc_view_free(b->view);
	gsc_source_close(b->source);
}

static bool engine_is(struct bench *b, const char *engine, enum gsc_mode mode, uint64_t value,
		      const char *from)
{
	if (gsc_root_engine(gpu_for(b->source, b->view), engine, &b->root, &b->err)) {
		fprintf(stderr, "\n%s: %s\n", b->err.what, b->err.why);
		return false;
	}
	return b->root.mode == mode && b->root.value[0] == value && !strcmp(b->root.from, from);
}

static bool engine_fails_as(struct bench *b, const char *engine, enum gsc_status wanted,
			    const char *why)
{
	enum gsc_status status = gsc_root_engine(gpu_for(b->source, b->view), engine, &b->root,
						 &b->err);

	if (status != wanted || !strstr(b->err.why, why)) {
		fprintf(stderr, "\n%d %s: %s\n", status, b->err.what, b->err.why);
		return false;
	}
	return true;
}

static bool engine_fails(struct bench *b, const char *engine, const char *why)
{
	return engine_fails_as(b, engine, GSC_UNKNOWN, why);
}

/* ---- text ----------------------------------------------------------------------------------- */

static bool parses(enum gsc_mode mode, const char *text, struct gsc_root *root)
{
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_root_parse(mode, text, root, &err);

	CU_ASSERT(status == GSC_OK || (status == GSC_USAGE && err.why[0]));
	return status == GSC_OK;
}

static void texts(void)
{
	struct gsc_root root;

	CU_ASSERT(parses(GSC_MODE_PML4, "0x25443a000", &root));
	CU_ASSERT(root.mode == GSC_MODE_PML4 && root.count == 1);
	CU_ASSERT_EQUAL(root.value[0], UINT64_C(0x25443a000));
	CU_ASSERT(parses(GSC_MODE_PML4, "0", &root) && root.count == 1 && !root.value[0]);
	CU_ASSERT(parses(GSC_MODE_PDP32, "0x1000,0x2000,12288,0x4000", &root));
	CU_ASSERT(root.count == 4 && root.value[2] == 0x3000 && root.value[3] == 0x4000);
	CU_ASSERT(parses(GSC_MODE_VTD, "0x5000/3", &root) && root.value[1] == 3);
	CU_ASSERT(parses(GSC_MODE_VTD, "0x5000", &root) && root.count == 1);
	CU_ASSERT(parses(GSC_MODE_2LEVEL, "0x7fe00000", &root));
	CU_ASSERT(parses(GSC_MODE_FLAT, "0x1001", &root));
	CU_ASSERT(parses(GSC_MODE_IA32E, "0x1000", &root));
	CU_ASSERT(!parses(GSC_MODE_PDP32, "0x1000,0x2000,0x3000", &root));
	CU_ASSERT(!parses(GSC_MODE_PDP32, "1,2,3,4,5", &root));
	CU_ASSERT(!parses(GSC_MODE_PML4, "0x1000,0x2000", &root));
	CU_ASSERT(!parses(GSC_MODE_PML4, "", &root));
	CU_ASSERT(!parses(GSC_MODE_PML4, "0x1000 ", &root));
	CU_ASSERT(!parses(GSC_MODE_PML4, "0x1x", &root));
	CU_ASSERT(!parses(GSC_MODE_GGTT, "0", &root));
	CU_ASSERT(!parses(GSC_MODE_TRTT, "0x1000", &root));
}

/* ---- registers ------------------------------------------------------------------------------ */

static void demos(void)
{
	struct bench b;

	bench_source(&b, open_spec("demo:%s", "snb-hang", NULL));
	CU_ASSERT(engine_is(&b, NULL, GSC_MODE_2LEVEL, 0x7fe00000, "rcs0.PP_DIR_BASE_READ"));
	CU_ASSERT(engine_is(&b, "blt", GSC_MODE_2LEVEL, 0x7fe00000, "bcs0.PP_DIR_BASE_READ"));
	bench_close(&b);
	bench_source(&b, open_spec("demo:%s", "skl-hang", NULL));
	CU_ASSERT(engine_is(&b, "rcs0", GSC_MODE_PML4, UINT64_C(0x22543a000),
			    "rcs0.RING_PDP_LDW[0]"));
	CU_ASSERT(engine_fails_as(&b, "vcs0", GSC_GONE, "vcs0.RING_PDP_LDW[0], vcs0.CCID"));
	CU_ASSERT_PTR_NOT_NULL(strstr(b.err.why, "asleep"));
	CU_ASSERT_EQUAL(gsc_root_engine(gpu_for(b.source, b.view), "ccs7", &b.root,
					&b.err), GSC_UNKNOWN);
	CU_ASSERT_PTR_NOT_NULL(strstr(b.err.why, "skl has no engine ccs7; it has rcs0"));
	bench_close(&b);
	bench_source(&b, open_spec("demo:%s", "icl-trtt", NULL));
	CU_ASSERT(engine_is(&b, "vebox", GSC_MODE_PML4, UINT64_C(0x3c123a000),
			    "vecs0.RING_PDP_LDW[0]"));
	bench_close(&b);
}

static void gen4(void)
{
	struct bench b;

	bench_text(&b, "PGTBL_CTL2 (0x20c4): 0x12345009\n", "crl");
	CU_ASSERT(engine_is(&b, NULL, GSC_MODE_FLAT, 0x12345009, "PGTBL_CTL2"));
	bench_close(&b);
	bench_text(&b, "PGTBL_CTL2 (0x20c4): 0x12345008\n", "crl");
	CU_ASSERT(engine_fails(&b, NULL, "PGTBL_CTL2 0x12345008: the per-process table is off"));
	bench_close(&b);
	bench_text(&b, "ACTHD (0x2074): 0x0\n", "ctg");
	CU_ASSERT(engine_fails(&b, NULL, "ctg has no per-process page tables"));
	bench_close(&b);
}

static void gen6(void)
{
	struct bench b;

	/* The write-only address does not help if the readable one has a value. */
	bench_text(&b, "0x2520 0x200\n0x2518 0x7fe00000\n0x2228 0\n0x22518 0x10000\n", "snb");
	CU_ASSERT(engine_is(&b, "rcs0", GSC_MODE_2LEVEL, 0x7fe00000, "rcs0.PP_DIR_BASE_READ"));
	CU_ASSERT(engine_is(&b, "bcs0", GSC_MODE_2LEVEL, 0x10000, "bcs0.PP_DIR_BASE_READ"));
	CU_ASSERT(engine_fails(&b, "vcs0",
			       "vcs0.PP_DIR_BASE_READ, vcs0.PP_DIR_BASE: not in the source"));
	bench_close(&b);
	bench_text(&b, "0x2520 0\n0x2518 0x7fe00000\n", "snb");
	CU_ASSERT(engine_fails(&b, "rcs0", "rcs0.GFX_MODE 0x0: PER_PROCESS_GTT_ENABLE is 0"));
	CU_ASSERT(engine_fails(&b, "bcs0", "PER_PROCESS_GTT_ENABLE is 0"));
	bench_close(&b);
	bench_text(&b, "0x229c 0x200\n0x2228 0x7fe00000\n", "ivb");
	CU_ASSERT(engine_is(&b, "render", GSC_MODE_2LEVEL, 0x7fe00000, "rcs0.PP_DIR_BASE"));
	bench_close(&b);
}

static const char four_pointers[] =
	"0x2270 0x1000\n0x2274 1\n0x2278 0x2000\n0x227c 0\n0x2280 0x3000\n0x2284 0\n"
	"0x2288 0x4000\n0x228c 0\n";
static const char one_pointer[] =
	"0x2270 0x1000\n0x2274 1\n0x2278 0\n0x227c 0\n0x2280 0\n0x2284 0\n0x2288 0\n0x228c 0\n";

static void pointers(struct bench *b, const char *text, const char *more, const char *platform)
{
	char all[512];

	snprintf(all, sizeof(all), "%s%s", text, more);
	bench_text(b, all, platform);
}

/* The descriptor gives the mode; without one, the contents of the pointers do. */
static void gen8(void)
{
	struct bench b;

	pointers(&b, four_pointers, "0x229c 0\n", "skl");
	CU_ASSERT(engine_is(&b, NULL, GSC_MODE_PDP32, UINT64_C(0x100001000),
			    "rcs0.RING_PDP_LDW[0]"));
	CU_ASSERT(b.root.count == 4 && b.root.value[1] == 0x2000 && b.root.value[3] == 0x4000);
	bench_close(&b);
	pointers(&b, one_pointer, "", "skl");
	CU_ASSERT(engine_is(&b, NULL, GSC_MODE_PML4, UINT64_C(0x100001000),
			    "rcs0.RING_PDP_LDW[0]"));
	CU_ASSERT_EQUAL(b.root.count, 1);
	bench_close(&b);
	pointers(&b, four_pointers, "0x2510 0x5019\n0x2514 0\n", "icl");
	CU_ASSERT(engine_is(&b, NULL, GSC_MODE_PML4, UINT64_C(0x100001000),
			    "rcs0.RING_PDP_LDW[0]"));
	bench_close(&b);
	pointers(&b, one_pointer, "0x2510 0x5009\n0x2514 0\n", "icl");
	CU_ASSERT(engine_is(&b, NULL, GSC_MODE_PDP32, UINT64_C(0x100001000),
			    "rcs0.RING_PDP_LDW[0]"));
	bench_close(&b);
	/* A descriptor of a context other than the running one says nothing about it. */
	pointers(&b, four_pointers, "0x2510 0x5019\n0x2514 0\n0x2180 0x6001\n", "icl");
	CU_ASSERT(engine_is(&b, NULL, GSC_MODE_PDP32, UINT64_C(0x100001000),
			    "rcs0.RING_PDP_LDW[0]"));
	bench_close(&b);
	pointers(&b, one_pointer, "0x2510 0x5001\n0x2514 0\n", "icl");
	CU_ASSERT(engine_fails(&b, NULL, "an advanced context of PASID 4096"));
	CU_ASSERT_PTR_NOT_NULL(strstr(b.err.why, "--pasid 4096 --rtaddr VALUE"));
	bench_close(&b);
}

/* Where tables have five levels there is one pointer: after it is the number of the address space. */
static void one_pointer_of_five_levels(void)
{
	struct gsc_reg reg;
	uint64_t asid = 0;
	struct bench b;

	for (size_t i = 0; i < 4; i++) {
		const char *const platforms[] = { "lnl", "bmg", "ptl", "nvls" };

		pointers(&b, four_pointers, "", platforms[i]);
		CU_ASSERT(engine_is(&b, NULL, GSC_MODE_PML4, UINT64_C(0x100001000),
				    "rcs0.RING_PDP_LDW[0]"));
		CU_ASSERT(!gpu_read_named(gpu_for(b.source, b.view), "rcs0", "CS_CTX_ASID", -1,
					  &reg, &asid));
		CU_ASSERT_EQUAL(asid, 0x2000);
		bench_close(&b);
	}
	/* Ponte Vecchio has no render engine. */
	bench_text(&b, "0x22270 0x1000\n0x22274 1\n0x22278 0x2\n0x2227c 0\n", "pvc");
	CU_ASSERT(engine_is(&b, "bcs0", GSC_MODE_PML4, UINT64_C(0x100001000),
			    "bcs0.RING_PDP_LDW[0]"));
	bench_close(&b);
	/* Meteor Lake is of the same age, and has four levels. */
	pointers(&b, four_pointers, "", "mtl");
	CU_ASSERT(engine_is(&b, NULL, GSC_MODE_PDP32, UINT64_C(0x100001000),
			    "rcs0.RING_PDP_LDW[0]"));
	bench_close(&b);
}

static void nothing_told(void)
{
	struct bench b;

	bench_text(&b, "0x2270 0\n0x2274 0\n0x2278 0\n0x227c 0\n0x2280 0\n0x2284 0\n0x2288 0\n"
		       "0x228c 0\n0x2180 0\n", "skl");
	CU_ASSERT(engine_fails(&b, "rcs0", "RING_PDP_LDW[0] 0x0: all four pointers are 0; rcs0.CCID"
					   " 0x0: no context is loaded; rcs0.EXECLIST_SUBMIT_PORT: "
					   "not in the source"));
	CU_ASSERT(engine_fails(&b, NULL, "the other engines have none"));
	bench_close(&b);
}

/* ---- contexts ------------------------------------------------------------------------------- */

/* Lists of an image: any order of registers, any engine, absolute or relative to it. */
static uint32_t put_list(uint32_t *state, uint32_t at, uint32_t base, const uint32_t *pairs,
			 unsigned count)
{
	state[at++] = 0x11001000 | (2 * count - 1);
	for (unsigned i = 0; i < count; i++) {
		state[at++] = base + pairs[2 * i];
		state[at++] = pairs[2 * i + 1];
	}
	return at;
}

static void trace_context(struct trace_bytes *t, uint64_t lrca, uint32_t base, uint64_t four)
{
	const uint32_t ring[] = { 0x244, 0x90009, 0x34, 0x10, 0x30, 0x20, 0x38, 0x8000 };
	const uint32_t tables[] = { 0x270, 0x1000, 0x28c, (uint32_t)(four >> 32), 0x288,
				    (uint32_t)four, 0x274, 3, 0x280, 0, 0x284, 0, 0x278,
				    four ? 1 : 0, 0x27c, 0 };
	/* The same address in another unit is another register. */
	const uint32_t other[] = { 0x270, 0xdead };
	uint32_t state[1024] = { 0 }, at;

	at = put_list(state, 1, base, ring, 4);
	at = put_list(state, at + 3, base, tables, 8);
	at = put_list(state, at, 0x7000, other, 1);
	state[at] = 0x05000000;
	put_list(state, at + 1, base, other, 1);
	trace_entry(t, lrca, 0x100000 + lrca + 1);
	trace_entry(t, lrca + 0x1000, 0x101000 + lrca + 1);
	trace_memory(t, 0, lrca + 0x1000, state, sizeof(state));
}

static bool context_is(struct bench *b, uint64_t descriptor, enum gsc_mode mode, unsigned count)
{
	if (gsc_root_context(gpu_for(b->source, b->view), descriptor, &b->root, &b->err)) {
		fprintf(stderr, "\n%s: %s\n", b->err.what, b->err.why);
		return false;
	}
	return b->root.mode == mode && b->root.count == count &&
	       b->root.value[0] == UINT64_C(0x300001000);
}

static void contexts(void)
{
	struct trace_bytes t = { 0 };
	struct context_image *image = malloc(sizeof(*image));
	uint32_t value = 0;
	struct bench b;

	trace_version(&t, "PCI-ID=0x8a52");
	trace_context(&t, 0x20000, 0x2000, 0);
	trace_context(&t, 0x30000, 0x1c0000, UINT64_C(0x500004000));
	trace_context(&t, 0x40000, 0, 0);
	bench_source(&b, trace_open(&t));
	CU_ASSERT(context_is(&b, 0x20000, GSC_MODE_PML4, 1));
	CU_ASSERT_STRING_EQUAL(b.root.from, "context 0x00020000");
	CU_ASSERT(context_is(&b, 0x30000, GSC_MODE_PDP32, 4));
	CU_ASSERT_EQUAL(b.root.value[3], UINT64_C(0x500004000));
	CU_ASSERT(context_is(&b, 0x40000, GSC_MODE_PML4, 1));
	CU_ASSERT(context_is(&b, 0x20009, GSC_MODE_PDP32, 4));
	CU_ASSERT(context_is(&b, UINT64_C(0x8000030019), GSC_MODE_PML4, 1));
	CU_ASSERT_EQUAL(gsc_root_context(gpu_for(b.source, b.view), 0x20011, &b.root,
					 &b.err), GSC_UNKNOWN);
	CU_ASSERT(b.root.mode == GSC_MODE_IA32E && b.root.value[0] == 0x1000);
	CU_ASSERT_EQUAL(context_read(gpu_for(b.source, b.view), 0x30000, image, &b.err), GSC_OK);
	CU_ASSERT(context_value(image, 0x38, &value) && value == 0x8000);
	CU_ASSERT(!context_value(image, 0x3c, &value));
	CU_ASSERT_EQUAL(image->count, 12);
	bench_close(&b);
	free(image);
	/* xe keeps the number of the address space where other contexts have a second pointer. */
	trace_version(&t, "PCI-ID=0x64a0");
	trace_context(&t, 0x20000, 0x2000, UINT64_C(0x500004000));
	bench_source(&b, trace_open(&t));
	CU_ASSERT(context_is(&b, 0x20000, GSC_MODE_PML4, 1));
	bench_close(&b);
}

static bool context_fails(struct bench *b, uint64_t descriptor, const char *why)
{
	enum gsc_status status = gsc_root_context(gpu_for(b->source, b->view), descriptor, &b->root,
						  &b->err);

	if (status == GSC_UNKNOWN && strstr(b->err.why, why))
		return true;
	fprintf(stderr, "\n%d %s: %s\n", status, b->err.what, b->err.why);
	return false;
}

/* The image may contain registers of another engine, and words after the lists. */
static void changed(void)
{
	const uint32_t words[] = {
		0, 0x11001003, 0x2034, 1, 0x12034, 2, 0, 0x11001003, 0x2030, 3, 0x2034, 4,
		0x05000000, 0x11001001, 0x2034, 5,
	};
	uint8_t state[sizeof(words)];
	uint32_t after[ARRAY_SIZE(words)];

	memcpy(state, words, sizeof(words));
	context_change(state, sizeof(state), 0x34, 0xfedcba98);
	memcpy(after, state, sizeof(after));
	CU_ASSERT_EQUAL(after[3], 0xfedcba98);
	CU_ASSERT_EQUAL(after[11], 0xfedcba98);
	after[3] = 1;
	after[11] = 4;
	CU_ASSERT_FALSE(memcmp(after, words, sizeof(words)));
	/* A truncated value is none. */
	memcpy(state, words, sizeof(words));
	context_change(state, 15, 0x34, 0);
	CU_ASSERT_FALSE(memcmp(state, words, sizeof(words)));
	context_change(state, 16, 0x34, 0);
	CU_ASSERT_FALSE(state[12]);
}

static bool walk_says(struct bench *b, uint64_t address, const char *wanted)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	struct gsc_walk walk;
	struct gsc_translation *translation = NULL;
	enum gsc_status status;
	char why[256] = "";

	CU_ASSERT_FATAL(!gsc_translation_new(&translation, gpu_for(b->source, b->view), &options,
					     &b->err));
	gsc_walk(translation, address, GSC_INTENT_READ, &walk);
	status = gsc_walk_why(translation, &walk, why, sizeof(why));
	gsc_translation_free(translation);
	if (status == GSC_UNKNOWN && strstr(why, wanted))
		return true;
	fprintf(stderr, "\n%d %s\n", status, why);
	return false;
}

static void no_contexts(void)
{
	const uint32_t short_image[] = { 0x11001001, 0x2244, 5, 0 };
	struct trace_bytes t = { 0 };
	struct bench b;

	trace_version(&t, "PCI-ID=0x1912");
	trace_entry(&t, 0x21000, 0x5001);
	trace_entry(&t, 0x31000, 0x6001);
	trace_entry(&t, 0x41000, 0x7001);
	trace_dword(&t, 0, 0x31000, 0x7a000004);
	trace_memory(&t, 0, 0x41000, short_image, sizeof(short_image));
	bench_source(&b, trace_open(&t));
	CU_ASSERT(context_fails(&b, 0x20000, "mapped to phys:0x5000, which no source holds"));
	CU_ASSERT(walk_says(&b, 0x21008, "mapped to phys:0x5008, which no source holds"));
	CU_ASSERT(walk_says(&b, 0x22000, "pte 0x0 at ggtt:0x110 is not present"));
	CU_ASSERT(context_fails(&b, 0x30000, "no MI_LOAD_REGISTER_IMM at graphics address 0x31000"));
	CU_ASSERT(context_fails(&b, 0x40000, "its image has 1 registers"));
	CU_ASSERT(context_fails(&b, 0x50000, "graphics address 0x51000"));
	CU_ASSERT(context_fails(&b, 0xfffff000, "graphics address 0x100000000"));
	bench_close(&b);
	bench_text(&b, "0x2520 0x200\n", "snb");
	CU_ASSERT_EQUAL(gsc_root_context(gpu_for(b.source, b.view), 0x20000, &b.root,
					 &b.err), GSC_USAGE);
	bench_close(&b);
}

/* ---- all roots ------------------------------------------------------------------------------ */

static void roots_are(struct bench *b, const char *const *from, size_t count)
{
	struct gsc_root *roots;
	size_t found;

	CU_ASSERT_EQUAL_FATAL(gsc_roots(gpu_for(b->source, b->view), &roots, &found,
					&b->err), GSC_OK);
	CU_ASSERT_EQUAL(found, count);
	for (size_t i = 0; i < MIN(found, count); i++) {
		CU_ASSERT_STRING_EQUAL(roots[i].from, from[i]);
		if (strcmp(roots[i].from, from[i]))
			fprintf(stderr, "\n%s, not %s\n", roots[i].from, from[i]);
	}
	free(roots);
}

#define ROOTS(b, ...)                                                                              \
	do {                                                                                       \
		static const char *const from_[] = { __VA_ARGS__ };                                \
		roots_are(b, from_, ARRAY_SIZE(from_));                                            \
	} while (0)

static void submit(struct trace_bytes *t, uint32_t base, uint32_t descriptor)
{
	trace_register(t, base + 0x510, descriptor);
	trace_register(t, base + 0x514, 0);
	trace_register(t, base + 0x550, 1);
}

/* Also contexts that were submitted before the last one. */
static void all_roots(void)
{
	struct trace_bytes t = { 0 };
	struct bench b;

	bench_source(&b, open_spec("demo:%s", "snb-hang", NULL));
	ROOTS(&b, "GGTT", "rcs0.PP_DIR_BASE_READ");
	bench_close(&b);
	bench_source(&b, open_spec("demo:%s", "skl-hang", NULL));
	ROOTS(&b, "GGTT", "rcs0.RING_PDP_LDW[0]");
	bench_close(&b);
	trace_version(&t, "PCI-ID=0x8a52");
	trace_context(&t, 0x20000, 0x2000, 0);
	trace_context(&t, 0x30000, 0x2000, UINT64_C(0x500004000));
	trace_context(&t, 0x40000, 0x22000, 0);
	submit(&t, 0x2000, 0x30009);
	submit(&t, 0x22000, 0x40019);
	submit(&t, 0x2000, 0x20019);
	submit(&t, 0x2000, 0x50019);
	bench_source(&b, trace_open(&t));
	ROOTS(&b, "GGTT", "bcs0 context 0x00040000", "rcs0 context 0x00030000");
	CU_ASSERT(engine_is(&b, "bcs0", GSC_MODE_PML4, UINT64_C(0x300001000),
			    "bcs0 context 0x00040000"));
	CU_ASSERT(engine_fails(&b, "rcs0", "context 0x00050000: its state"));
	bench_close(&b);
}

/* ---- tiled resources ------------------------------------------------------------------------ */

static void tiled(void)
{
	struct gsc_tiled tiled;
	struct bench b;

	bench_source(&b, open_spec("demo:%s", "icl-trtt", NULL));
	gsc_root_tiled(gpu_for(b.source, b.view), NULL, &tiled);
	CU_ASSERT(tiled.on && tiled.l3 == UINT64_C(0x100000000) && tiled.va == 0xf5);
	CU_ASSERT(tiled.has_null && tiled.null == 1 && tiled.has_invalid && !tiled.invalid);
	CU_ASSERT(!tiled.physical);
	CU_ASSERT_STRING_EQUAL(tiled.from, "rcs0 TR-TT registers");
	gsc_root_tiled(gpu_for(b.source, b.view), "bcs0", &tiled);
	CU_ASSERT(!tiled.on);
	bench_close(&b);
	/* Bypassed; and with tables that would be physical. */
	bench_text(&b, "0x4de0 0x10000\n0x4de4 0\n0x4df0 0xf5\n0x4df4 3\n0x4dfc 0\n", "skl");
	gsc_root_tiled(gpu_for(b.source, b.view), "rcs0", &tiled);
	CU_ASSERT(!tiled.on);
	bench_close(&b);
	bench_text(&b, "0x4de0 0x10000\n0x4de4 0\n0x4df0 0xf5\n0x4df4 1\n0x4dfc 1\n", "skl");
	gsc_root_tiled(gpu_for(b.source, b.view), "rcs0", &tiled);
	CU_ASSERT(tiled.on && tiled.physical && !tiled.has_null);
	bench_close(&b);
	/* Gen12 has them elsewhere, and one set for each engine. */
	bench_text(&b, "0x4480 1\n0x4484 0xf3\n0x4488 0x5000\n0x448c 2\n", "tgl");
	gsc_root_tiled(gpu_for(b.source, b.view), NULL, &tiled);
	CU_ASSERT(tiled.on && tiled.l3 == UINT64_C(0x200005000) && tiled.va == 0xf3);
	CU_ASSERT_STRING_EQUAL(tiled.from, "bcs0 TR-TT registers");
	bench_close(&b);
	/* Xe2 compares 47:44 with the four lowest bits of TRVA_BASE. */
	bench_text(&b, "0x4480 1\n0x4484 0x1a\n0x4488 0x5000\n0x448c 2\n", "lnl");
	gsc_root_tiled(gpu_for(b.source, b.view), NULL, &tiled);
	CU_ASSERT(tiled.on && tiled.va == 0xfa && !tiled.physical);
	bench_close(&b);
}

SUITE(root,
	{ "text", texts },
	{ "demos", demos },
	{ "Gen4", gen4 },
	{ "Gen6 and Gen7", gen6 },
	{ "Gen8 and later", gen8 },
	{ "one pointer where tables have five levels", one_pointer_of_five_levels },
	{ "where one looked", nothing_told },
	{ "contexts", contexts },
	{ "what is no context", no_contexts },
	{ "contexts that are changed", changed },
	{ "all roots", all_roots },
	{ "tiled resources", tiled })
