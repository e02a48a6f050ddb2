/* SPDX-License-Identifier: MIT */
/*
 * demo:icl-trtt, an Ice Lake laptop that streams parts of a large picture. Tiled resources are on:
 * their tables have mapped tiles, a null tile, and much that is invalid. The render engine has
 * drawn from a mapped and a null tile and now waits at a semaphore for the blitter to bring the
 * next one. The blitter has signalled the previous one and has nothing more to do: nobody asked it.
 */
#include "context.h"
#include "engine.h"
#include "gen8.h"
#include "scanout.h"
#include "tables.h"

/* Graphics (GGTT) addresses. */
enum {
	STATUS_PAGE = 0x1000,		/* of rcs0, bcs0, vcs0, vcs2, vecs0: one page each */
	IDLE_RING = 0x8000,		/* of bcs0, vcs0, vcs2, vecs0: one page each */
	RENDER_RING = 0xc000,
	RENDER_CONTEXT = 0x20000,
	BLT_CONTEXT = 0x30000,
	IDLE_CONTEXT = 0x40000,		/* of vcs0, vcs2, vecs0: two pages each */
	FRAMEBUFFER = 0x100000,		/* Y-tiled, in stolen memory */
	FRAMEBUFFER_SIZE = 0x3e8000,	/* 1280x800, 5120 bytes a row */
	TABLE_END = 0x500000,		/* up to here the GGTT is in the capture */
};

/* Per-process addresses. */
#define TILE_TABLES UINT64_C(0x100000000)	/* L3 first; its low 16 bits must be 0 */
#define TILES UINT64_C(0x200040000)		/* pages of 64 KB, one a tile */
#define TILE_COUNT 3
#define STATE UINT64_C(0x600000000)
#define KERNELS UINT64_C(0x600040000)
#define SEMAPHORE UINT64_C(0x600050000)
#define UPLOAD UINT64_C(0x600060000)
#define BATCH UINT64_C(0x600100000)
#define BLT_BATCH UINT64_C(0x600110000)
#define MEDIA_BATCH UINT64_C(0x600200000)	/* existed once: no longer mapped */

/* The tiled-resource space: the addresses with 5 in bits 47:44. */
#define SPARSE UINT64_C(0x500000000000)
#define SPARSE_FAR (SPARSE + UINT64_C(0x12345650000))
#define TILE_SIZE KIB(64)

#define TILE_MEMORY UINT64_C(0x190040000)	/* physical, 64 KB aligned */
#define STOLEN 0x4f800000u			/* 64 MB */
#define STOLEN_TABLE 0x4f000000u

enum {
	INVALID_TILE = 0,		/* values of L1 entries, as the registers are set */
	NULL_TILE = 1,
	ARRIVED = 0x11, AWAITED = 0x12,	/* of the semaphore */
	RING_PAGES = 2,
	WAITING = 0x7f2,		/* request numbers */
	RENDER_ID = 3, BLT_ID = 4, MEDIA_ID = 8,
	MOCS_CACHED = 2,
};

#define POWER_STATE (1u << 31 | 1 << 18 | 1 << 12 | 1 << 11 | 4 << 8 | 8 << 4 | 8)
/* Of an engine: user, error, context switch, wait for a semaphore. */
#define INTERRUPTS 0x909u
#define NOW UINT64_C(0x1c0a5f342)

enum { BCS0, VCS0, VCS2, VECS0, IDLE_ENGINES };

static const struct {
	uint32_t base;
	enum context_engine class;
	uint32_t instance, done;
} idle[IDLE_ENGINES] = {
	[BCS0] = { 0x22000, CLASS_COPY, 0, ARRIVED },
	[VCS0] = { 0x1c0000, CLASS_VIDEO, 0, 0x2d },
	[VCS2] = { 0x1d0000, CLASS_VIDEO, 2, 0x05 },
	[VECS0] = { 0x1c8000, CLASS_VIDEO_ENHANCE, 0, 0x08 },
};

struct icl {
	struct machine *m;
	struct ggtt ggtt;
	struct gen8_ppgtt ppgtt;
	struct trtt trtt;
	struct object render_status, render_ring, render_context;
	struct object status[IDLE_ENGINES], rings[IDLE_ENGINES], contexts[IDLE_ENGINES];
	struct object batch, blt_batch, semaphore;
	struct emitter ring;
	uint32_t wait;			/* of the batch: the MI_SEMAPHORE_WAIT */
	uint32_t begun;			/* of the ring: the last request */
	uint32_t head, wraps;		/* and in it, after the start of the batch */
};

static void config_space(struct machine *m)
{
	hold(m, GSC_CONFIG, 0, 256);
	CONFIG(m,
		{ 0x00, (uint32_t)m->device << 16 | 0x8086 },
		{ 0x04, 0x00100407 },
		{ 0x08, 0x03000000 | m->revision },
		{ 0x10, 0x4a000004 },		/* 16 MB, above 4 GB */
		{ 0x14, 0x60 },
		{ 0x18, 0x0000000c },		/* aperture, likewise */
		{ 0x1c, 0x40 },
		{ 0x20, 0x00003001 },
		{ 0x2c, 0x20158086 },
		{ 0x34, 0x40 },
		{ 0x3c, 0x01ff },
		{ 0x40, 0x010c7009 },
		{ 0x50, 0x02c1 },		/* 64 MB stolen, 8 MB for the table */
		{ 0x54, 0x0031 },
		{ 0x70, 0x0092ac10 },		/* PCI Express */
		{ 0xac, 0x0001d005 },		/* MSI */
		{ 0xb0, 0xfee00018 },
		{ 0xc0, STOLEN | 1 },
		{ 0xd0, 0x00220001 },		/* power management */
		{ 0xe8, 0x8000 },
		{ 0xfc, 0x4d7c0018 });
}

static void global_table(struct icl *s)
{
	ggtt_init(&s->ggtt, s->m, 8);
	ggtt_hold(&s->ggtt, 0, TABLE_END);
	ggtt_object(&s->ggtt, &s->render_status, STATUS_PAGE, 1, 1);
	ggtt_object(&s->ggtt, &s->render_ring, RENDER_RING, RING_PAGES, RING_PAGES);
	ggtt_object(&s->ggtt, &s->render_context, RENDER_CONTEXT, 14, 2);
	for (unsigned i = 0; i < IDLE_ENGINES; i++) {
		ggtt_object(&s->ggtt, &s->status[i], STATUS_PAGE + (i + 1) * PAGE_SIZE, 1, 1);
		ggtt_object(&s->ggtt, &s->rings[i], IDLE_RING + i * PAGE_SIZE, 1, 1);
		ggtt_object(&s->ggtt, &s->contexts[i],
			    i == BCS0 ? BLT_CONTEXT : IDLE_CONTEXT + i * 2 * PAGE_SIZE, 2,
			    i == BCS0 ? 2 : 0);
	}
	ggtt_map(&s->ggtt, FRAMEBUFFER, STOLEN, FRAMEBUFFER_SIZE, GEN8_PRESENT);
}

static void process_table(struct icl *s)
{
	struct object state, kernels, upload;

	gen8_ppgtt_init(&s->ppgtt, s->m);
	gen8_ppgtt_object(&s->ppgtt, &s->batch, BATCH, 2, 1);
	gen8_ppgtt_object(&s->ppgtt, &s->blt_batch, BLT_BATCH, 1, 1);
	gen8_ppgtt_object(&s->ppgtt, &s->semaphore, SEMAPHORE, 1, 1);
	gen8_ppgtt_object(&s->ppgtt, &upload, UPLOAD, 16, 0);
	gen8_ppgtt_object(&s->ppgtt, &state, STATE, 4, 0);
	gen8_ppgtt_object(&s->ppgtt, &kernels, KERNELS, 4, 0);
	for (unsigned i = 0; i < TILE_COUNT; i++)
		gen8_ppgtt_map_64k(&s->ppgtt, TILES + i * TILE_SIZE, TILE_MEMORY + i * TILE_SIZE);
	object_write(&s->semaphore, 0, 4, ARRIVED);
}

static void tile_tables(struct icl *s)
{
	uint32_t tile = (uint32_t)(TILES >> 16);

	trtt_init(&s->trtt, &s->ppgtt, TILE_TABLES);
	trtt_set_tile(&s->trtt, SPARSE, tile);
	trtt_set_tile(&s->trtt, SPARSE + TILE_SIZE, NULL_TILE);
	trtt_set_tile(&s->trtt, SPARSE + 2 * TILE_SIZE, tile + 1);
	trtt_set_tile(&s->trtt, SPARSE + 3 * TILE_SIZE, INVALID_TILE);
	trtt_set_tile(&s->trtt, SPARSE_FAR, tile + 2);
	trtt_mark_l2(&s->trtt, SPARSE + MIB(64), TRTT_NULL);
	trtt_mark_l3(&s->trtt, SPARSE + MIB(32 << 10), TRTT_NULL);
}

/* Three corners of a triangle, so that the first tile has contents to show. */
static void tile_contents(struct machine *m)
{
	static const uint32_t corners[] = {		/* -1.0, 0.0, 1.0 as floats */
		0xbf800000, 0xbf800000, 0, 0x3f800000, 0xbf800000, 0, 0, 0x3f800000, 0,
	};

	hold(m, GSC_PHYS, TILE_MEMORY, PAGE_SIZE);
	for (unsigned i = 0; i < ARRAY_SIZE(corners); i++)
		poke(m, GSC_PHYS, TILE_MEMORY + i * 4, 4, corners[i]);
}

static uint32_t write_batch(struct object *batch)
{
	struct emitter e = { .object = batch };
	uint32_t wait;

	gen8_pipe_control(&e, PIPE_CS_STALL | PIPE_RENDER_TARGET_FLUSH, 0, 0);
	emit(&e, PIPELINE_SELECT | PIPELINE_MASK | PIPELINE_3D);
	gen8_state_base_address(&e, 11, STATE, STATE + 0x2000, KERNELS, MOCS_CACHED);
	COMMAND(&e, _3DSTATE_DRAWING_RECTANGLE, 0, 799 << 16 | 1279, 0);
	COMMAND(&e, _3DSTATE_VERTEX_ELEMENTS, 1 << 25 | 0x40 << 16, 0x11130000);
	gen8_vertex_buffer(&e, 0, SPARSE, TILE_SIZE, 12, MOCS_CACHED);
	gen8_draw(&e, TOPOLOGY_TRILIST, 3);
	gen8_vertex_buffer(&e, 0, SPARSE + TILE_SIZE, TILE_SIZE, 12, MOCS_CACHED);
	gen8_draw(&e, TOPOLOGY_TRILIST, 3);
	wait = COMMAND(&e, MI_SEMAPHORE_WAIT | MI_SEMAPHORE_POLL | MI_SEMAPHORE_SAD_GTE_SDD,
		       AWAITED, LOWER(SEMAPHORE), UPPER(SEMAPHORE));
	gen8_vertex_buffer(&e, 0, SPARSE + 2 * TILE_SIZE, TILE_SIZE, 12, MOCS_CACHED);
	gen8_draw(&e, TOPOLOGY_TRILIST, 3);
	gen8_store(&e, STATE + 0x3000, WAITING);
	emit(&e, MI_BATCH_BUFFER_END);
	return wait;
}

/* Copies a tile's worth from where the file was read to, then signals. */
static void write_blt_batch(struct object *batch)
{
	struct emitter e = { .object = batch };
	uint64_t target = TILES + TILE_SIZE;

	COMMAND(&e, XY_SRC_COPY_BLT | BLT_WRITE_RGBA, BLT_DEPTH_32 | BLT_ROP_SOURCE | 512, 0,
		128 << 16 | 128, LOWER(target), UPPER(target), 0, 512, LOWER(UPLOAD),
		UPPER(UPLOAD));
	COMMAND(&e, MI_FLUSH_DW | MI_FLUSH_DW_STORE_DWORD, LOWER(SEMAPHORE), UPPER(SEMAPHORE),
		ARRIVED);
	emit(&e, MI_BATCH_BUFFER_END);
}

static void render_work(struct icl *s)
{
	s->wait = write_batch(&s->batch);
	object_write(&s->render_status, SEQNO_OFFSET, 4, WAITING - 1);
	s->ring = (struct emitter){ .object = &s->render_ring, .ring = true };
	for (uint32_t seqno = WAITING - 120; seqno <= WAITING; seqno++) {
		s->begun = s->ring.offset;
		s->head = gen8_render_request(&s->ring, BATCH, STATUS_PAGE + SEQNO_OFFSET, seqno);
	}
	s->wraps = s->ring.wraps;
}

static void render_engine(struct icl *s)
{
	uint32_t id = gen11_descriptor_high(CLASS_RENDER, 0, RENDER_ID, 1);
	const struct context_event events[] = {
		{ IDLE_TO_ACTIVE, id },
		{ ACTIVE_TO_IDLE | CONTEXT_COMPLETE, id },
		{ IDLE_TO_ACTIVE, id },
	};
	struct engine e = {
		.base = 0x2000, .wide = true,
		.ring = RENDER_RING, .pages = RING_PAGES,
		.head = s->head, .tail = s->ring.offset, .wraps = s->wraps,
		.wait = RING_WAIT_SEMAPHORE,
		.status_page = STATUS_PAGE,
		.batch = BATCH + s->wait, .active = BATCH + s->wait,
		.header = (uint32_t)object_read(&s->batch, s->wait, 4),
		.instdone = 0xffdfffff,		/* only CS is busy */
		.interrupt_mask = ~INTERRUPTS, .timestamp = NOW,
	};

	engine_registers(s->m, &e, 0x800);
	hold(s->m, GSC_MMIO, 0x2b00, 0x18);	/* performance counters: off */
	hold(s->m, GSC_MMIO, 0x5200, 0x90);	/* stream output: none */
	context_events(&s->render_status, 11, e.base, events, ARRAY_SIZE(events));
	REGISTERS(s->m, e.base,
		{ RCS_R_PWR_CLK_STATE, POWER_STATE },
		{ CCID, RENDER_CONTEXT | 1 },
		{ EXECLIST_STATUS_HIGH, id },
		{ CONTEXT_CONTROL, 0x8 },
		{ PDP0_LOWER, (uint32_t)s->ppgtt.pml4 },
		{ PDP0_UPPER, (uint32_t)(s->ppgtt.pml4 >> 32) },
		{ GFX_MODE, 0x8 },		/* the submit queue is in use */
		{ 0x310, 726 }, { 0x318, 242 },	/* vertices and primitives fetched */
		{ 0x320, 726 }, { 0x338, 242 }, { 0x340, 242 },
		{ 0x348, 0x00f3a000 }, { 0x350, 0x00f1c800 },
		{ CONTEXT_TIMESTAMP, 0x00a1b2c3 },
		{ SUBMIT_QUEUE, DESCRIPTOR(RENDER_CONTEXT) },
		{ SUBMIT_QUEUE + 4, id });
	context_write(&s->render_context, &(struct context){
		.gen = 11, .base = e.base, .ring = &s->ring, .head = s->begun,
		.pml4 = s->ppgtt.pml4, .run_time = 0x00a19e00, .power = POWER_STATE });
}

static void idle_engine(struct icl *s, unsigned i)
{
	uint32_t id = gen11_descriptor_high(idle[i].class, idle[i].instance,
					    i == BCS0 ? BLT_ID : MEDIA_ID + i, 1);
	const struct context_event events[] = {
		{ IDLE_TO_ACTIVE, id },
		{ ACTIVE_TO_IDLE | CONTEXT_COMPLETE, id },
	};
	struct emitter ring = { .object = &s->rings[i], .ring = true };
	uint32_t status = (uint32_t)s->status[i].address;

	for (uint32_t seqno = 1; seqno <= idle[i].done; seqno++)
		gen8_copy_request(&ring, i == BCS0 ? BLT_BATCH : MEDIA_BATCH, status + SEQNO_OFFSET,
				  seqno);
	object_write(&s->status[i], SEQNO_OFFSET, 4, idle[i].done);
	engine_registers(s->m, &(struct engine){
		.base = idle[i].base, .wide = true,
		.ring = (uint32_t)ring.object->address, .pages = 1,
		.head = ring.offset, .tail = ring.offset, .wraps = ring.wraps,
		.status_page = status,
		.header = MI_ARB_ON_OFF | MI_ARB_ENABLE,
		.instdone = 0xffffffff, .mode = MODE_RINGS_IDLE,
		.interrupt_mask = ~INTERRUPTS, .timestamp = NOW }, 0x700);
	context_events(&s->status[i], 11, idle[i].base, events, ARRAY_SIZE(events));
	REGISTERS(s->m, idle[i].base,
		{ CCID, (uint32_t)s->contexts[i].address | 1 },
		{ CONTEXT_CONTROL, 0x8 },
		{ PDP0_LOWER, (uint32_t)s->ppgtt.pml4 },
		{ PDP0_UPPER, (uint32_t)(s->ppgtt.pml4 >> 32) },
		{ GFX_MODE, 0x8 });
	if (i == BCS0)
		context_write(&s->contexts[i], &(struct context){
			.gen = 11, .base = idle[i].base, .ring = &ring, .head = ring.offset,
			.pml4 = s->ppgtt.pml4, .run_time = 0x00020f80 });
}

static void arbiter_registers(struct machine *m)
{
	static const uint32_t pat[] = { 0x07, 0x09, 0x03, 0x00, 0x0b, 0x1b, 0x2b, 0x3b };

	hold(m, GSC_MMIO, 0x4000, 0x100);
	hold(m, GSC_MMIO, 0x4b10, 8);
	hold(m, GSC_MMIO, 0x4de0, 0x20);
	for (unsigned i = 0; i < ARRAY_SIZE(pat); i++)
		poke(m, GSC_MMIO, 0x40e0 + 4 * i, 4, pat[i]);
	REGISTERS(m, 0,
		{ 0x4de0, (uint32_t)TILE_TABLES },
		{ 0x4de4, (uint32_t)(TILE_TABLES >> 32) },
		{ 0x4de8, NULL_TILE },
		{ 0x4dec, INVALID_TILE },
		{ 0x4df0, 0xf << 4 | (uint32_t)(SPARSE >> 44) },	/* compare 47:44 with 5 */
		{ 0x4df4, 0x3 },		/* TRTTE: on; tables in the per-process space */
		{ 0x4dfc, 0x1 });		/* and not bypassed */
}

static void cache_registers(struct machine *m)
{
	static const uint32_t tables[] = { 0xc800, 0xc900, 0xcb00, 0xcc00, 0x10000 };
	enum { LLC = LE_WRITE_BACK | LE_TARGET_LLC };
	static const struct mocs entries[] = {
		{ 0, 0, LE_UNCACHED | LE_TARGET_LLC, L3_UNCACHED },
		{ 1, 1, LE_PAGE_TABLE, L3_WRITE_BACK },
		{ 2, 2, LLC | LE_AGE_3, L3_WRITE_BACK },
		{ 3, 3, LE_UNCACHED | LE_TARGET_LLC, L3_UNCACHED },
		{ 4, 4, LE_UNCACHED | LE_TARGET_LLC, L3_WRITE_BACK },
		{ 5, 5, LLC | LE_AGE_3, L3_UNCACHED },
		{ 6, 6, LLC | LE_AGE_0, L3_UNCACHED },
		{ 7, 7, LLC | LE_AGE_0, L3_WRITE_BACK },
		{ 8, 8, LLC | LE_AGE_KEEP, L3_UNCACHED },
		{ 9, 9, LLC | LE_AGE_KEEP, L3_WRITE_BACK },
		{ 10, 10, LLC | LE_AGE_3 | LE_NO_ALLOCATE, L3_UNCACHED },
		{ 11, 11, LLC | LE_AGE_3 | LE_NO_ALLOCATE, L3_WRITE_BACK },
		{ 12, 12, LLC | LE_AGE_0 | LE_NO_ALLOCATE, L3_UNCACHED },
		{ 13, 13, LLC | LE_AGE_0 | LE_NO_ALLOCATE, L3_WRITE_BACK },
		{ 14, 14, LLC | LE_AGE_KEEP | LE_NO_ALLOCATE, L3_UNCACHED },
		{ 15, 15, LLC | LE_AGE_KEEP | LE_NO_ALLOCATE, L3_WRITE_BACK },
		{ 16, 16, LE_UNCACHED | LE_TARGET_LLC | LE_BYPASS, L3_UNCACHED },
		{ 17, 17, LE_UNCACHED | LE_TARGET_LLC | LE_BYPASS, L3_WRITE_BACK },
		{ 18, 18, LLC | LE_AGE_3 | LE_SELF_SNOOP, L3_WRITE_BACK },
		{ 19, 19, LLC | LE_AGE_3 | LE_SKIP_EIGHTH, L3_WRITE_BACK },
		{ 20, 20, LLC | LE_AGE_3 | LE_SKIP_QUARTER, L3_WRITE_BACK },
		{ 21, 21, LLC | LE_AGE_3 | LE_SKIP_HALF, L3_WRITE_BACK },
		{ 22, 22, LLC | LE_AGE_3 | LE_REVERSE_SKIP | LE_SKIP_QUARTER, L3_WRITE_BACK },
		{ 23, 23, LLC | LE_AGE_3 | LE_REVERSE_SKIP | LE_SKIP_EIGHTH, L3_WRITE_BACK },
		{ 24, 61, LE_PAGE_TABLE, L3_WRITE_BACK },
		{ 62, 63, LLC | LE_AGE_3, L3_UNCACHED },
	};

	mocs_registers(m, tables, ARRAY_SIZE(tables), entries, ARRAY_SIZE(entries));
	hold(m, GSC_MMIO, 0x7000, 0x104);
	hold(m, GSC_MMIO, 0xe160, 8);
	REGISTERS(m, 0,
		{ 0x7100, 0xffffffff },		/* slice, sampler, row: all done */
		{ 0xe160, 0xffffffff },
		{ 0xe164, 0xffffffff });
}

static void power_registers(struct machine *m)
{
	hold(m, GSC_MMIO, 0xd00, 0x88);
	hold(m, GSC_MMIO, 0x9118, 0x2c);
	hold(m, GSC_MMIO, 0x941c, 4);
	hold(m, GSC_MMIO, 0xa168, 0x24);
	hold(m, GSC_MMIO, 0xa26c, 0x38);
	hold(m, GSC_MMIO, 0xa540, 0x28);
	hold(m, GSC_MMIO, 0x130044, 4);
	REGISTERS(m, 0,
		{ 0x0d00, 0x16 },		/* 38.4 MHz crystal, undivided */
		{ 0x0d50, 1 }, { 0x0d58, 1 },	/* all of it is awake: vcs0, vcs2, vecs0 */
		{ 0x0d70, 1 },
		{ 0x0d84, 1 },
		{ 0x9138, 0x01 },		/* one slice with all subslices */
		{ 0x9140, 0x000e00fa },		/* vcs0, vcs2 and vecs0 exist */
		{ 0xa168, ~0x70u },
		{ 0xa188, 1 },
		{ 0xa278, 1 },
		{ 0xa2a0, 3 },
		{ 0xa540, 1 }, { 0xa548, 1 }, { 0xa560, 1 },
		{ 0x130044, 1 });
}

/* The tree: master, two banks of engines, then which engine and why. */
static void interrupt_registers(struct machine *m)
{
	hold(m, GSC_MMIO, 0x44050, 4);
	hold(m, GSC_MMIO, 0x44200, 0x300);
	hold(m, GSC_MMIO, 0xc4000, 0x10);
	hold(m, GSC_MMIO, 0x190000, 0x100);
	REGISTERS(m, 0,
		{ 0x44050, 0xffffffff },
		{ 0x44200, 0x80000000 },
		{ 0x190010, 1u << 31 | 1 },	/* GFX_MSTR_IRQ: on; bank 0 */
		{ 0x190018, 1 },		/* bank 0: rcs0 */
		{ 0x190060, 1u << 31 | 0 << 20 | CLASS_RENDER << 16 | 0x800 },	/* it waits */
		{ 0x190070, 1 },
		{ 0x190030, INTERRUPTS << 16 | INTERRUPTS },	/* enabled: two classes each */
		{ 0x190034, INTERRUPTS << 16 | INTERRUPTS },
		{ 0x190090, ~(INTERRUPTS << 16) },		/* masked: rcs0, bcs0, ... */
		{ 0x1900a0, ~(INTERRUPTS << 16) },
		{ 0x1900a8, ~(INTERRUPTS << 16 | INTERRUPTS) },	/* ... two video engines, */
		{ 0x1900ac, ~(INTERRUPTS << 16 | INTERRUPTS) },	/* two more, */
		{ 0x1900d0, ~(INTERRUPTS << 16 | INTERRUPTS) },	/* two of enhancement */
		{ 0x1900e8, 0xffffffff }, { 0x1900ec, 0xffffffff },
		{ 0x1900f0, 0xffffffff }, { 0x1900f4, 0xffffffff });
	for (unsigned pipe = 0; pipe < 3; pipe++)
		REGISTERS(m, 0x44400 + 16 * pipe,
			{ 0x4, pipe ? 0xffffffff : ~0x80000791u },
			{ 0xc, 0x80000791 });
	REGISTERS(m, 0,
		{ 0x44444, 0xffffffff }, { 0x44464, 0xffffffff }, { 0x44474, 0xffffffff },
		{ 0x444e4, 0xffffffff }, { 0x444f4, ~0x08000000u }, { 0x444fc, 0x08000000 });
}

static void memory_registers(struct machine *m)
{
	static const struct mode panel = { 1280, 1328, 1360, 1440, 800, 803, 809, 823 };

	fences_hold(m, 32);
	fence_set(m, 4, FRAMEBUFFER, FRAMEBUFFER_SIZE, 5120, TILING_Y);
	hold(m, GSC_MMIO, 0x101008, 4);
	hold(m, GSC_MMIO, 0x1080c0, 8);
	hold(m, GSC_MMIO, 0x108100, 8);
	hold(m, GSC_MMIO, 0x1082c0, 8);
	pipe_a(m, &panel);
	REGISTERS(m, 0,
		{ 0x1080c0, STOLEN | 1 },
		{ 0x108100, STOLEN_TABLE | 1 },
		{ 0x1082c0, (STOLEN + 0x3f00000) | 1 },	/* the last MB is not the driver's */
		{ 0x70180, 0x84001000 },	/* PLANE_CTL: on, XRGB 8888, Y-tiled */
		{ 0x70188, 5120 / 128 },
		{ 0x70190, 799 << 16 | 1279 },
		{ 0x7019c, FRAMEBUFFER });
}

void icl_trtt(struct machine *m)
{
	struct icl s = { .m = m };

	m->platform = "icl";
	m->device = 0x8a52;
	m->revision = 7;
	m->story = "the render engine, drawing tiled resources, waits for a tile nobody will bring";
	m->memory = UINT64_C(0x3c1200000);

	config_space(m);
	global_table(&s);
	process_table(&s);
	tile_tables(&s);
	tile_contents(m);
	render_work(&s);
	write_blt_batch(&s.blt_batch);
	render_engine(&s);
	for (unsigned i = 0; i < IDLE_ENGINES; i++)
		idle_engine(&s, i);
	arbiter_registers(m);
	cache_registers(m);
	power_registers(m);
	interrupt_registers(m);
	memory_registers(m);
}
