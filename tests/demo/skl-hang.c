/* SPDX-License-Identifier: MIT */
/*
 * demo:skl-hang, a Skylake desktop. The render engine runs a second-level batch; there a
 * PIPE_CONTROL writes a timestamp into a query buffer that has been unmapped: its directory entry
 * is missing. One more request is in the ring. The blitter is idle; the media engines sleep, and
 * nobody woke them for the capture.
 */
#include "context.h"
#include "engine.h"
#include "gen8.h"
#include "scanout.h"
#include "tables.h"

/* Graphics (GGTT) addresses. */
enum {
	STATUS_PAGE = 0x1000,		/* of rcs0, bcs0, vcs0, vecs0: one page each */
	BLT_RING = 0x6000,
	RENDER_RING = 0x8000,
	RENDER_CONTEXT = 0x20000,
	BLT_CONTEXT = 0x40000,
	FRAMEBUFFER = 0x100000,		/* X-tiled, in stolen memory */
	FRAMEBUFFER_SIZE = 0x7e9000,	/* 1920x1080, 7680 bytes a row */
	TABLE_END = 0x900000,		/* up to here the GGTT is in the capture */
};

/* Per-process addresses. */
#define STATE UINT64_C(0x100000000)
#define SECOND_BATCH UINT64_C(0x100020000)
#define KERNELS UINT64_C(0x100040000)
#define VERTICES UINT64_C(0x200000000)		/* one page of 64 KB */
#define TEXTURE UINT64_C(0x300000000)		/* one page of 2 MB */
#define QUERIES UINT64_C(0x7a1105000000)
#define MISSING_QUERY UINT64_C(0x7a1105603000)	/* 2 MB directory entries: not this one */
#define BATCH UINT64_C(0xfffefffd0000)		/* bit 47 is set: ffff... in commands */
#define NEXT_BATCH UINT64_C(0xfffefffe0000)
#define BLT_BATCH UINT64_C(0xfffeffff0000)

/* Physical addresses that need more alignment than a page. */
#define VERTEX_MEMORY UINT64_C(0x180410000)
#define TEXTURE_MEMORY UINT64_C(0x180800000)
#define STOLEN 0x8b800000u			/* 64 MB */
#define STOLEN_TABLE 0x8b000000u		/* 8 MB: the global table itself */

enum {
	RING_PAGES = 4,
	HUNG = 0x2c417,			/* request numbers */
	BLT_DONE = 0x91b,
	RENDER_ID = 5, BLT_ID = 6,	/* context ids */
	MOCS_CACHED = 2,
};

/* What the context requests: one slice, three subslices of eight execution units. */
#define POWER_STATE (1u << 31 | 1 << 18 | 1 << 15 | 1 << 11 | 3 << 8 | 8 << 4 | 8)
#define NOW UINT64_C(0xa91c05e47)

struct skl {
	struct machine *m;
	struct ggtt ggtt;
	struct gen8_ppgtt ppgtt;
	struct object status[4], render_ring, blt_ring, render_context, blt_context;
	struct object batch, second_batch, next_batch, blt_batch, queries;
	struct emitter ring, blt;
	uint32_t returns;		/* of the batch: after the start of the second level */
	uint32_t query;			/* of the second level: the PIPE_CONTROL */
	uint32_t begun;			/* of the ring: the hung request */
	uint32_t head, wraps;		/* and in it, after the start of the batch */
};

static void config_space(struct machine *m)
{
	hold(m, GSC_CONFIG, 0, 256);
	CONFIG(m,
		{ 0x00, (uint32_t)m->device << 16 | 0x8086 },
		{ 0x04, 0x00100407 },
		{ 0x08, 0x03000000 | m->revision },
		{ 0x10, 0xde000004 },		/* 16 MB: registers, GGTT from +8 MB */
		{ 0x18, 0xc000000c },		/* aperture */
		{ 0x20, 0x0000f001 },
		{ 0x2c, 0x20158086 },
		{ 0x34, 0x40 },
		{ 0x3c, 0x010b },
		{ 0x40, 0x010c7009 },
		{ 0x50, 0x02c1 },		/* 64 MB stolen, 8 MB for the table */
		{ 0x54, 0x0031 },
		{ 0x5c, STOLEN | 1 },
		{ 0x60, 0x00010000 },		/* MSAC: 256 MB of aperture */
		{ 0x70, 0x0092ac10 },		/* PCI Express */
		{ 0xac, 0x0001d005 },		/* MSI */
		{ 0xb0, 0xfee00018 },
		{ 0xd0, 0x00220001 },		/* power management */
		{ 0xe8, 0x8000 },
		{ 0xfc, 0x8a7c0018 });
}

static void global_table(struct skl *s)
{
	ggtt_init(&s->ggtt, s->m, 8);
	ggtt_hold(&s->ggtt, 0, TABLE_END);
	for (unsigned i = 0; i < ARRAY_SIZE(s->status); i++)
		ggtt_object(&s->ggtt, &s->status[i], STATUS_PAGE + i * PAGE_SIZE, 1, 1);
	ggtt_object(&s->ggtt, &s->render_ring, RENDER_RING, RING_PAGES, RING_PAGES);
	ggtt_object(&s->ggtt, &s->blt_ring, BLT_RING, 1, 1);
	ggtt_object(&s->ggtt, &s->render_context, RENDER_CONTEXT, 22, 2);
	ggtt_object(&s->ggtt, &s->blt_context, BLT_CONTEXT, 2, 2);
	ggtt_map(&s->ggtt, FRAMEBUFFER, STOLEN, FRAMEBUFFER_SIZE, GEN8_PRESENT);
}

static void process_table(struct skl *s)
{
	struct object state, kernels;

	gen8_ppgtt_init(&s->ppgtt, s->m);
	gen8_ppgtt_object(&s->ppgtt, &s->batch, BATCH, 2, 1);
	gen8_ppgtt_object(&s->ppgtt, &s->next_batch, NEXT_BATCH, 2, 1);
	gen8_ppgtt_object(&s->ppgtt, &s->blt_batch, BLT_BATCH, 1, 1);
	gen8_ppgtt_object(&s->ppgtt, &s->second_batch, SECOND_BATCH, 2, 1);
	gen8_ppgtt_object(&s->ppgtt, &s->queries, QUERIES, 2, 1);
	gen8_ppgtt_object(&s->ppgtt, &state, STATE, 4, 0);
	gen8_ppgtt_object(&s->ppgtt, &kernels, KERNELS, 8, 0);
	gen8_ppgtt_map_64k(&s->ppgtt, VERTICES, VERTEX_MEMORY);
	gen8_ppgtt_map_2m(&s->ppgtt, TEXTURE, TEXTURE_MEMORY);
}

/* State, then the second level, which returns here; then the number into the first query. */
static uint32_t write_batch(struct object *batch, uint64_t second_level, uint32_t seqno)
{
	struct emitter e = { .object = batch };
	uint32_t returns;

	gen8_pipe_control(&e, PIPE_CS_STALL | PIPE_RENDER_TARGET_FLUSH, 0, 0);
	emit(&e, PIPELINE_SELECT | PIPELINE_MASK | PIPELINE_3D);
	gen8_state_base_address(&e, 9, STATE, STATE + 0x2000, KERNELS, MOCS_CACHED);
	COMMAND(&e, _3DSTATE_DRAWING_RECTANGLE, 0, 1079 << 16 | 1919, 0);
	emit(&e, _3DSTATE_VF_STATISTICS | 1);
	gen8_vertex_buffer(&e, 0, VERTICES, 0x10000, 24, MOCS_CACHED);
	COMMAND(&e, _3DSTATE_VERTEX_ELEMENTS, 1 << 25 | 0x40 << 16, 0x11130000);
	COMMAND(&e, MI_BATCH_BUFFER_START | MI_BATCH_SECOND_LEVEL | MI_BATCH_PPGTT,
		LOWER(second_level), UPPER(second_level));
	returns = e.offset;
	gen8_pipe_control(&e, PIPE_CS_STALL | PIPE_RENDER_TARGET_FLUSH | PIPE_DC_FLUSH, 0, 0);
	gen8_store(&e, QUERIES, seqno);
	emit(&e, MI_BATCH_BUFFER_END);
	return returns;
}

/* A draw between two timestamps; the second one is written to an unmapped address. */
static uint32_t write_second_batch(struct object *batch)
{
	struct emitter e = { .object = batch };
	uint32_t query;

	gen8_pipe_control(&e, PIPE_CS_STALL | PIPE_WRITE_TIMESTAMP, QUERIES + 0x40, 0);
	gen8_draw(&e, TOPOLOGY_TRISTRIP, 1024);
	query = gen8_pipe_control(&e, PIPE_CS_STALL | PIPE_WRITE_TIMESTAMP, MISSING_QUERY, 0);
	gen8_draw(&e, TOPOLOGY_TRILIST, 3);
	emit(&e, MI_BATCH_BUFFER_END);
	return query;
}

/* A part of the texture is filled with a colour. */
static void write_blt_batch(struct object *batch)
{
	struct emitter e = { .object = batch };

	COMMAND(&e, XY_COLOR_BLT | BLT_WRITE_RGBA, BLT_DEPTH_32 | BLT_ROP_PATTERN | 4096, 0,
		512 << 16 | 512, LOWER(TEXTURE), UPPER(TEXTURE), 0xff204060);
	emit(&e, MI_BATCH_BUFFER_END);
}

static void render_work(struct skl *s)
{
	uint32_t address = STATUS_PAGE + SEQNO_OFFSET;

	s->returns = write_batch(&s->batch, SECOND_BATCH, HUNG);
	s->query = write_second_batch(&s->second_batch);
	write_batch(&s->next_batch, SECOND_BATCH, HUNG + 1);
	object_write(&s->queries, 0, 4, HUNG - 1);
	object_write(&s->queries, 0x40, 8, NOW - 900);
	object_write(&s->status[0], SEQNO_OFFSET, 4, HUNG - 1);

	/* Many laps, so that what follows the tail is old requests, as in any ring. */
	s->ring = (struct emitter){ .object = &s->render_ring, .ring = true };
	for (uint32_t seqno = HUNG - 500; seqno <= HUNG + 1; seqno++) {
		uint64_t batch = (HUNG - seqno) & 1 ? NEXT_BATCH : BATCH;
		uint32_t start = s->ring.offset;
		uint32_t after = gen8_render_request(&s->ring, batch, address, seqno);

		if (seqno == HUNG) {
			s->begun = start;
			s->head = after;
			s->wraps = s->ring.wraps;
		}
	}
}

static void blt_work(struct skl *s)
{
	write_blt_batch(&s->blt_batch);
	s->blt = (struct emitter){ .object = &s->blt_ring, .ring = true };
	for (uint32_t seqno = BLT_DONE - 100; seqno <= BLT_DONE; seqno++)
		gen8_copy_request(&s->blt, BLT_BATCH, STATUS_PAGE + PAGE_SIZE + SEQNO_OFFSET,
				  seqno);
	object_write(&s->status[1], SEQNO_OFFSET, 4, BLT_DONE);
	object_write(&s->status[2], SEQNO_OFFSET, 4, 0x40);
	object_write(&s->status[3], SEQNO_OFFSET, 4, 0x11);
}

static void render_engine(struct skl *s)
{
	static const struct context_event events[] = {
		{ IDLE_TO_ACTIVE, RENDER_ID },
		{ ACTIVE_TO_IDLE | CONTEXT_COMPLETE, RENDER_ID },
		{ IDLE_TO_ACTIVE, RENDER_ID },
		{ LITE_RESTORE, RENDER_ID },		/* a new tail: the next request */
	};
	struct engine e = {
		.base = 0x2000, .wide = true,
		.ring = RENDER_RING, .pages = RING_PAGES,
		.head = s->head, .tail = s->ring.offset, .wraps = s->wraps,
		.status_page = STATUS_PAGE,
		.batch = BATCH + s->returns, .second_level = SECOND_BATCH + s->query,
		.active = SECOND_BATCH + s->query,
		.header = (uint32_t)object_read(&s->second_batch, s->query, 4),
		.instdone = 0xffd7ffff,		/* CS and GAM are busy */
		.interrupt_mask = ~0x101u, .timestamp = NOW,
	};

	engine_registers(s->m, &e, 0x800);
	hold(s->m, GSC_MMIO, 0x2b00, 0x18);	/* performance counters: off */
	hold(s->m, GSC_MMIO, 0x5200, 0x90);	/* stream output: none */
	context_events(&s->status[0], 9, e.base, events, ARRAY_SIZE(events));
	REGISTERS(s->m, e.base,
		{ RCS_R_PWR_CLK_STATE, POWER_STATE },
		{ CCID, RENDER_CONTEXT | 1 },
		/* List 0 is valid and active, its first element runs. */
		{ EXECLIST_STATUS_LOW, 1 << 18 | 1 << 16 | 1 << 14 | 1 << 4 | 1 << 1 },
		{ EXECLIST_STATUS_HIGH, RENDER_ID },
		{ CONTEXT_CONTROL, 0x8 },
		{ PDP0_LOWER, (uint32_t)s->ppgtt.pml4 },
		{ PDP0_UPPER, (uint32_t)(s->ppgtt.pml4 >> 32) },
		{ GFX_MODE, 0x8000 },			/* execution lists */
		{ 0x310, 512000 }, { 0x318, 511000 },	/* vertices and primitives fetched */
		{ 0x320, 512000 }, { 0x338, 511000 }, { 0x340, 508144 },
		{ 0x348, 0x3b2a1000 }, { 0x350, 0x2f11c400 },
		{ CONTEXT_TIMESTAMP, 0x01c4a1b2 });
	context_write(&s->render_context, &(struct context){
		.gen = 9, .base = e.base, .ring = &s->ring, .head = s->begun,
		.pml4 = s->ppgtt.pml4, .run_time = 0x01c45e00, .power = POWER_STATE });
}

static void blt_engine(struct skl *s)
{
	static const struct context_event events[] = {
		{ IDLE_TO_ACTIVE, BLT_ID },
		{ ACTIVE_TO_IDLE | CONTEXT_COMPLETE, BLT_ID },
	};
	struct engine e = {
		.base = 0x22000, .wide = true,
		.ring = BLT_RING, .pages = 1,
		.head = s->blt.offset, .tail = s->blt.offset, .wraps = s->blt.wraps,
		.status_page = STATUS_PAGE + PAGE_SIZE,
		.header = MI_ARB_ON_OFF | MI_ARB_ENABLE,
		.instdone = 0xffffffff, .mode = MODE_RINGS_IDLE,
		.interrupt_mask = ~(0x101u << 16), .timestamp = NOW,
	};

	engine_registers(s->m, &e, 0x700);
	context_events(&s->status[1], 9, e.base, events, ARRAY_SIZE(events));
	REGISTERS(s->m, e.base,
		{ CCID, BLT_CONTEXT | 1 },
		{ CONTEXT_CONTROL, 0x8 },
		{ PDP0_LOWER, (uint32_t)s->ppgtt.pml4 },
		{ PDP0_UPPER, (uint32_t)(s->ppgtt.pml4 >> 32) },
		{ GFX_MODE, 0x8000 });
	context_write(&s->blt_context, &(struct context){
		.gen = 9, .base = e.base, .ring = &s->blt, .head = s->blt.offset,
		.pml4 = s->ppgtt.pml4, .run_time = 0x00081a40 });
}

/* Video and video enhancement, with the second video engine, which this part lacks. */
static void media_engines(struct machine *m)
{
	hold_status(m, 0x12000, 0x2000, GSC_READ_ASLEEP);
	hold_status(m, 0x1a000, 0x2000, GSC_READ_ASLEEP);
	hold_status(m, 0x1c000, 0x2000, GSC_READ_ASLEEP);
}

static void arbiter_registers(struct machine *m)
{
	hold(m, GSC_MMIO, 0x4000, 0x100);
	hold(m, GSC_MMIO, 0x4260, 0x18);
	hold(m, GSC_MMIO, 0x4b10, 8);
	hold(m, GSC_MMIO, 0x4de0, 0x20);	/* tiled resources: off */
	REGISTERS(m, 0,
		{ 0x4080, 0xf },		/* 64 KB pages: the directory entry's bit counts */
		{ 0x4094, 0 << 12 | 0x25 << 3 | 1 << 1 | 1 },	/* GFX, unit 37, no PDE, valid */
		{ 0x40e0, 0x00030907 },		/* PAT */
		{ 0x40e4, 0x3b2b1b0b },
		{ 0x4b10, (uint32_t)(MISSING_QUERY >> 12) },
		{ 0x4b14, (uint32_t)(MISSING_QUERY >> 44) });
}

static void cache_registers(struct machine *m)
{
	static const uint32_t tables[] = { 0xc800, 0xc900, 0xca00, 0xcb00, 0xcc00 };
	static const struct mocs entries[] = {
		{ 0, 0, LE_UNCACHED | LE_TARGET_LLC_ELLC, L3_UNCACHED },
		{ 1, 1, LE_PAGE_TABLE | LE_AGE_3, L3_WRITE_BACK },
		{ 2, 2, LE_WRITE_BACK | LE_TARGET_LLC_ELLC | LE_AGE_3, L3_WRITE_BACK },
		{ 3, 62, LE_PAGE_TABLE | LE_AGE_3, L3_WRITE_BACK },
		{ 63, 63, LE_WRITE_BACK | LE_TARGET_LLC | LE_AGE_3, L3_UNCACHED },
	};

	mocs_registers(m, tables, ARRAY_SIZE(tables), entries, ARRAY_SIZE(entries));
	hold(m, GSC_MMIO, 0x7000, 0x104);
	hold(m, GSC_MMIO, 0xb100, 0x20);
	hold(m, GSC_MMIO, 0xe160, 8);
	REGISTERS(m, 0,
		{ 0x7004, 0x42 },		/* CACHE_MODE_1 */
		{ 0x7034, 0x60000121 },		/* L3 allocation */
		{ 0x7100, 0xffffffff },		/* slice, sampler, row: all done */
		{ 0xb100, 0x00610000 },
		{ 0xb118, 0x40400000 },
		{ 0xe160, 0xffffffff },
		{ 0xe164, 0xffffffff });
}

static void power_registers(struct machine *m)
{
	hold(m, GSC_MMIO, 0xd00, 0x8c);
	hold(m, GSC_MMIO, 0x9120, 0x20);
	hold(m, GSC_MMIO, 0x941c, 4);
	hold(m, GSC_MMIO, 0xa168, 0x24);
	hold(m, GSC_MMIO, 0xa26c, 0x38);
	hold(m, GSC_MMIO, 0x120010, 4);
	hold(m, GSC_MMIO, 0x130044, 4);
	REGISTERS(m, 0,
		{ 0x0d00, 0x8 },		/* 24 MHz crystal */
		{ 0x0d84, 1 },			/* render is awake, media is not */
		{ 0x9120, 1 << 25 | 8 << 20 },	/* slice 0, three of four subslices */
		{ 0xa168, ~0x70u },
		{ 0xa188, 1 },			/* requests */
		{ 0xa26c, 0x4 },
		{ 0xa278, 1 },
		{ 0xa2a0, 2 },
		{ 0x130044, 1 });
}

static void interrupt_registers(struct machine *m)
{
	static const uint32_t enabled[] = { 0x01010101, 0x01010101, 0x70, 0x101 };

	hold(m, GSC_MMIO, 0x44050, 4);
	hold(m, GSC_MMIO, 0x44200, 0x300);
	hold(m, GSC_MMIO, 0xc4000, 0x10);
	REGISTERS(m, 0, { 0x44200, 0x80000000 }, { 0x44050, 0xffffffff });
	for (unsigned i = 0; i < ARRAY_SIZE(enabled); i++)
		REGISTERS(m, 0x44300 + 16 * i,
			{ 0x4, ~enabled[i] },
			{ 0xc, enabled[i] });
	for (unsigned pipe = 0; pipe < 3; pipe++)
		REGISTERS(m, 0x44400 + 16 * pipe,
			{ 0x4, pipe ? 0xffffffff : ~0x80000791u },
			{ 0xc, 0x80000791 });
	REGISTERS(m, 0,
		{ 0x44444, 0xffffffff }, { 0x44464, 0xffffffff }, { 0x444e4, 0xffffffff },
		{ 0xc4004, 0xff0fffff }, { 0xc400c, 0x00f00000 });
}

static void memory_registers(struct machine *m)
{
	fences_hold(m, 32);
	fence_set(m, 0, FRAMEBUFFER, FRAMEBUFFER_SIZE, 7680, TILING_X);
	hold(m, GSC_MMIO, 0x101000, 0xc);
	hold(m, GSC_MMIO, 0x1080c0, 4);
	hold(m, GSC_MMIO, 0x108100, 4);
	hold(m, GSC_MMIO, 0x1082c0, 4);
	hold(m, GSC_MMIO, 0x145000, 0x14);
	REGISTERS(m, 0,
		{ 0x1080c0, STOLEN | 1 },
		{ 0x108100, STOLEN_TABLE | 1 },
		{ 0x1082c0, (STOLEN + 0x3f00000) | 1 },	/* the last MB is not the driver's */
		{ 0x14500c, 0x00080008 },	/* two modules of 8 GB in each channel */
		{ 0x145010, 0x00080008 });
}

static void display_registers(struct machine *m)
{
	static const struct mode full_hd = { 1920, 2008, 2052, 2200, 1080, 1084, 1089, 1125 };

	pipe_a(m, &full_hd);
	hold(m, GSC_MMIO, 0x45000, 4);
	REGISTERS(m, 0,
		{ 0x70180, 0x84000400 },	/* PLANE_CTL: on, XRGB 8888, X-tiled */
		{ 0x70188, 7680 / 512 },
		{ 0x70190, 1079 << 16 | 1919 },
		{ 0x7019c, FRAMEBUFFER });
}

void skl_hang(struct machine *m)
{
	struct skl s = { .m = m };

	m->platform = "skl";
	m->device = 0x1912;
	m->revision = 6;
	m->story = "the render engine writes a timestamp into a query buffer that was unmapped";
	m->memory = UINT64_C(0x225400000);

	config_space(m);
	global_table(&s);
	process_table(&s);
	render_work(&s);
	blt_work(&s);
	render_engine(&s);
	blt_engine(&s);
	media_engines(m);
	arbiter_registers(m);
	cache_registers(m);
	power_registers(m);
	interrupt_registers(m);
	memory_registers(m);
	display_registers(m);
}
