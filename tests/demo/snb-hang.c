/* SPDX-License-Identifier: MIT */
/*
 * demo:snb-hang, a Sandy Bridge laptop. The render engine stopped in a 3DPRIMITIVE whose vertex
 * buffer is not mapped: its page table exists, but the entry is not valid. One request is still
 * queued behind it; video and blitter are idle.
 */
#include "emit.h"
#include "engine.h"
#include "scanout.h"
#include "tables.h"

/* Graphics (GGTT) addresses. */
enum {
	STATUS_PAGE = 0x1000,		/* of rcs0, bcs0, vcs0: one page each */
	BLT_RING = 0x4000,
	VIDEO_RING = 0x5000,
	RENDER_RING = 0x8000,
	CONTEXT = 0x12000,
	PIPE_SCRATCH = 0x15000,
	CURSOR = 0x20000,
	FRAMEBUFFER = 0x40000,		/* X-tiled, in stolen memory */
	FRAMEBUFFER_SIZE = 0x420000,	/* 1366x768, 5632 bytes a row */
	TEXTURE = 0x500000,		/* Y-tiled */
	TEXTURE_SIZE = 0x20000,
	TABLE_END = 0x600000,		/* up to here the GGTT is in the capture */
	DIRECTORY = 0x7fe00000,		/* the last 2 MB of 2 GB: the page directory's slots */
};

/* Per-process addresses. */
enum {
	BATCH = 0x10000,
	NEXT_BATCH = 0x14000,
	STATE = 0x20000,
	KERNELS = 0x30000,
	MARKER = 0x38000,
	RENDER_TARGET = 0x400000,
	VERTICES = 0x800000,		/* in the same table as the missing one */
	MISSING_VERTICES = 0xa40000,
};

enum {
	STOLEN = 0xbba00000,		/* 64 MB */
	STOLEN_TABLE = 0xbb800000,	/* 2 MB below: the global table itself */
	RING_PAGES = 4,
	HUNG = 0x5d3a,			/* request numbers */
	SEQNO_OFFSET = 0x100,		/* of the status page, where software keeps them */
};

#define NOW UINT64_C(0x5213c8f00)	/* 80 ns each: half an hour */

struct snb {
	struct machine *m;
	struct ggtt ggtt;
	struct gen6_ppgtt ppgtt;
	struct object status[3], blt_ring, video_ring, render_ring, scratch;
	struct object batch, next_batch, marker;
	struct emitter ring;
	uint32_t draw;			/* of the batch: the 3DPRIMITIVE */
	uint32_t head, wraps;		/* of the ring: after the hung batch's start */
};

static void config_space(struct machine *m)
{
	hold(m, GSC_CONFIG, 0, 256);
	CONFIG(m,
		{ 0x00, (uint32_t)m->device << 16 | 0x8086 },
		{ 0x04, 0x00900407 },		/* memory, I/O, bus master; capabilities */
		{ 0x08, 0x03000000 | m->revision },
		{ 0x10, 0xf5400004 },		/* 4 MB: registers, GGTT from +2 MB */
		{ 0x18, 0xe000000c },		/* aperture */
		{ 0x20, 0x00004001 },
		{ 0x2c, 0x20108086 },
		{ 0x34, 0x90 },
		{ 0x3c, 0x010b },
		{ 0x50, 0x0211 },		/* 64 MB stolen, 2 MB for the table */
		{ 0x54, 0x0011 },
		{ 0x5c, STOLEN | 1 },
		{ 0x60, 0x00020000 },		/* MSAC: 256 MB of aperture */
		{ 0x90, 0x0001d005 },		/* MSI */
		{ 0x94, 0xfee00018 },
		{ 0xa4, 0x03060013 },
		{ 0xd0, 0x0022a401 },		/* power management */
		{ 0xe8, 0x8000 },
		{ 0xfc, 0xbb5f8018 });
}

static void global_table(struct snb *s)
{
	struct object context, cursor, texture;

	ggtt_init(&s->ggtt, s->m, 4);
	ggtt_hold(&s->ggtt, 0, TABLE_END);
	for (unsigned i = 0; i < ARRAY_SIZE(s->status); i++)
		ggtt_object(&s->ggtt, &s->status[i], STATUS_PAGE + i * PAGE_SIZE, 1, 1);
	ggtt_object(&s->ggtt, &s->blt_ring, BLT_RING, 1, 1);
	ggtt_object(&s->ggtt, &s->video_ring, VIDEO_RING, 1, 1);
	ggtt_object(&s->ggtt, &s->render_ring, RENDER_RING, RING_PAGES, RING_PAGES);
	ggtt_object(&s->ggtt, &s->scratch, PIPE_SCRATCH, 1, 1);
	ggtt_object(&s->ggtt, &context, CONTEXT, 2, 0);
	ggtt_object(&s->ggtt, &cursor, CURSOR, 4, 0);
	ggtt_object(&s->ggtt, &texture, TEXTURE, TEXTURE_SIZE / PAGE_SIZE, 0);
	ggtt_map(&s->ggtt, FRAMEBUFFER, STOLEN, FRAMEBUFFER_SIZE, GEN6_VALID | GEN6_UNCACHED);
}

/* A batch has a second page because fetching runs ahead, into whatever follows. */
static void process_table(struct snb *s)
{
	struct object state, kernels, target, vertices;

	gen6_ppgtt_init(&s->ppgtt, &s->ggtt, DIRECTORY);
	gen6_ppgtt_object(&s->ppgtt, &s->batch, BATCH, 2, 2);
	gen6_ppgtt_object(&s->ppgtt, &s->next_batch, NEXT_BATCH, 2, 2);
	gen6_ppgtt_object(&s->ppgtt, &s->marker, MARKER, 1, 1);
	gen6_ppgtt_object(&s->ppgtt, &state, STATE, 4, 0);
	gen6_ppgtt_object(&s->ppgtt, &kernels, KERNELS, 1, 0);
	gen6_ppgtt_object(&s->ppgtt, &target, RENDER_TARGET, 64, 0);
	gen6_ppgtt_object(&s->ppgtt, &vertices, VERTICES, 4, 0);
}

static void draw_state(struct emitter *e)
{
	COMMAND(e, STATE_SIP, 0);
	/* Five bases: general, surface, dynamic, indirect, instructions; four upper bounds. */
	COMMAND(e, STATE_BASE_ADDRESS, BASE_MODIFY, STATE | BASE_MODIFY, STATE | BASE_MODIFY,
		BASE_MODIFY, KERNELS | BASE_MODIFY, BASE_MODIFY, (STATE + 0x4000) | BASE_MODIFY,
		BASE_MODIFY, BASE_MODIFY);
	COMMAND(e, _3DSTATE_MULTISAMPLE, 0, 0);
	COMMAND(e, _3DSTATE_SAMPLE_MASK, 1);
	COMMAND(e, _3DSTATE_URB, 256, 0);		/* entries of the vertex shader */
	COMMAND(e, _3DSTATE_CC_STATE_POINTERS, 0x0c01, 0x0c41, 0x0c81);
	COMMAND(e, _3DSTATE_SAMPLER_STATE_POINTERS | 1 << 12, 0, 0, 0x0d00);	/* of the PS */
	COMMAND(e, _3DSTATE_VIEWPORT_STATE_POINTERS | 7 << 10, 0x0e00, 0x0e40, 0x0e80);
	COMMAND_SIZED(e, _3DSTATE_VS, 5, 0);
	COMMAND_SIZED(e, _3DSTATE_CLIP, 3, 0);
	COMMAND(e, _3DSTATE_BINDING_TABLE_POINTERS | 1 << 12, 0, 0, 0x40);	/* of the PS */
	COMMAND(e, _3DSTATE_DRAWING_RECTANGLE, 0, 255 << 16 | 255, 0);
}

static uint32_t draw_triangle(struct emitter *e, uint32_t vertices)
{
	uint32_t pitch = 20;

	COMMAND(e, _3DSTATE_VERTEX_BUFFERS, pitch, vertices, vertices + 3 * pitch - 1, 0);
	/* Three floats of position, then two of texture; 1.0 where there are none. */
	COMMAND(e, _3DSTATE_VERTEX_ELEMENTS, 1 << 25 | 0x40 << 16 | 0, 0x11130000,
		1 << 25 | 0x85 << 16 | 12, 0x11230000);
	emit(e, _3DSTATE_VF_STATISTICS | 1);
	return COMMAND(e, _3DPRIMITIVE | TOPOLOGY_TRILIST << 10, 3, 0, 1, 0, 0);
}

static uint32_t write_batch(struct object *batch, uint32_t vertices, uint32_t seqno)
{
	struct emitter e = { .object = batch };
	uint32_t draw;

	COMMAND(&e, PIPE_CONTROL, PIPE_CS_STALL | PIPE_RENDER_TARGET_FLUSH | PIPE_DEPTH_CACHE_FLUSH,
		0, 0, 0);
	draw_state(&e);
	draw = draw_triangle(&e, vertices);
	/* Gen6 flushes the render cache only after a post-sync operation. */
	COMMAND(&e, PIPE_CONTROL, PIPE_CS_STALL | PIPE_WRITE_QWORD, PIPE_SCRATCH | 1 << 2, 0, 0);
	COMMAND(&e, PIPE_CONTROL, PIPE_CS_STALL | PIPE_RENDER_TARGET_FLUSH | PIPE_DEPTH_CACHE_FLUSH,
		0, 0, 0);
	COMMAND(&e, MI_STORE_DATA_IMM, 0, MARKER, seqno);
	emit(&e, MI_BATCH_BUFFER_END);
	emit(&e, MI_NOOP);
	return draw;
}

/* Flush, run the batch, flush, store the number for the driver to see, interrupt. */
static void render_request(struct snb *s, uint32_t seqno)
{
	struct emitter *e = &s->ring;

	emit_room(e, 18);
	emit(e, MI_FLUSH);
	COMMAND(e, PIPE_CONTROL,
		PIPE_CS_STALL | PIPE_TEXTURE_CACHE_INVALIDATE | PIPE_VF_CACHE_INVALIDATE |
		PIPE_CONSTANT_CACHE_INVALIDATE | PIPE_STATE_CACHE_INVALIDATE | PIPE_WRITE_QWORD,
		PIPE_SCRATCH | 1 << 2, 0, 0);
	COMMAND(e, MI_BATCH_BUFFER_START | MI_BATCH_PPGTT,
		(HUNG - seqno) & 1 ? NEXT_BATCH : BATCH);
	if (seqno == HUNG) {
		s->head = e->offset;
		s->wraps = e->wraps;
	}
	COMMAND(e, PIPE_CONTROL,
		PIPE_CS_STALL | PIPE_RENDER_TARGET_FLUSH | PIPE_DEPTH_CACHE_FLUSH |
		PIPE_WRITE_QWORD,
		PIPE_SCRATCH | 1 << 2, 0, 0);
	COMMAND(e, MI_STORE_DATA_INDEX, SEQNO_OFFSET, seqno);
	emit(e, MI_USER_INTERRUPT);
	emit(e, MI_NOOP);
}

static void render_work(struct snb *s)
{
	s->draw = write_batch(&s->batch, MISSING_VERTICES, HUNG);
	write_batch(&s->next_batch, VERTICES, HUNG + 1);
	object_write(&s->marker, 0, 4, HUNG - 1);
	object_write(&s->status[0], SEQNO_OFFSET, 4, HUNG - 1);

	/* Many laps, so that what follows the tail is old requests, as in any ring. */
	s->ring = (struct emitter){ .object = &s->render_ring, .ring = true };
	/* In the GGTT; saved and restored, but there is nothing to restore yet. */
	COMMAND(&s->ring, MI_SET_CONTEXT, CONTEXT | 0x10d);
	emit(&s->ring, MI_NOOP);
	emit(&s->ring, MI_NOOP);
	for (uint32_t seqno = HUNG - 900; seqno <= HUNG + 1; seqno++)
		render_request(s, seqno);
}

static void render_engine(struct snb *s)
{
	struct engine e = {
		.base = 0x2000,
		.ring = RENDER_RING, .pages = RING_PAGES,
		.head = s->head, .tail = s->ring.offset, .wraps = s->wraps,
		.batch = BATCH + s->draw, .active = BATCH + s->draw,
		.header = (uint32_t)object_read(&s->batch, s->draw, 4),
		.instdone = 0xffffffff, .mode = 0x5040, .interrupt_mask = ~0x9u,
		.timestamp = NOW,
	};

	engine_registers(s->m, &e, 0x600);
	REGISTERS(s->m, e.base,
		{ 0x07c, 0x3ffffffe },		/* INSTDONE1: GAM, CS and VF are busy */
		{ EIR, 0x10 }, { ESR, 0x10 },	/* page table error */
		{ EMR, 0xffffffed },
		{ 0x0d0, 0x220 },		/* GT_MODE: 16x4 hashing, no four-row dispatch */
		{ 0x178, 1 },			/* watchdog: off */
		{ 0x17c, 0x145855 },
		{ CCID, CONTEXT | 0x10d },
		{ 0x1a0, 0x1e0cddd3 },		/* CXT_SIZE: 77 lines, two pages */
		{ 0x220, 0xffffffff },		/* PP_DCLV: all of the directory */
		{ 0x310, 2703 }, { 0x318, 901 },	/* vertices and primitives fetched */
		{ 0x320, 2703 }, { 0x338, 901 }, { 0x340, 901 },
		{ 0x348, 0x01c98000 }, { 0x350, 0x01c20000 },
		{ 0x518, gen6_ppgtt_root(&s->ppgtt) },
		{ 0x520, 0x2200 });		/* GFX_MODE: PPGTT; explicit TLB invalidation */
}

/* A cursor drawn by software, then the number. The pitch of a tiled surface is in dwords. */
static void blt_request(struct emitter *e, uint32_t seqno)
{
	emit_room(e, 12);
	COMMAND(e, XY_SRC_COPY_BLT | BLT_WRITE_RGBA | BLT_TILED_DESTINATION,
		BLT_DEPTH_32 | BLT_ROP_SOURCE | 5632 / 4, 200 << 16 | 320, 264 << 16 | 384,
		FRAMEBUFFER, 0, 256, CURSOR);
	COMMAND(e, MI_FLUSH_DW | MI_FLUSH_DW_STORE_DWORD,
		(STATUS_PAGE + PAGE_SIZE + SEQNO_OFFSET) | MI_FLUSH_DW_USE_GGTT, seqno);
	emit(e, MI_USER_INTERRUPT);
}

static void video_request(struct emitter *e, uint32_t seqno)
{
	emit_room(e, 4);
	COMMAND(e, MI_FLUSH_DW | MI_FLUSH_DW_STORE_DWORD,
		(STATUS_PAGE + 2 * PAGE_SIZE + SEQNO_OFFSET) | MI_FLUSH_DW_USE_GGTT, seqno);
	emit(e, MI_USER_INTERRUPT);
}

static void idle_engine(struct snb *s, uint32_t base, const struct emitter *ring,
			uint32_t interrupt)
{
	struct engine e = {
		.base = base,
		.ring = (uint32_t)ring->object->address, .pages = 1,
		.head = ring->offset, .tail = ring->offset, .wraps = ring->wraps,
		.header = MI_USER_INTERRUPT, .instdone = 0xffffffff, .mode = MODE_RINGS_IDLE,
		.interrupt_mask = ~interrupt, .timestamp = NOW,
	};

	engine_registers(s->m, &e, 0x600);
	REGISTERS(s->m, base,
		{ 0x220, 0xffffffff },
		{ 0x518, gen6_ppgtt_root(&s->ppgtt) });
}

static void idle_engines(struct snb *s)
{
	struct emitter blt = { .object = &s->blt_ring, .ring = true };
	struct emitter video = { .object = &s->video_ring, .ring = true };

	for (uint32_t seqno = 0x2e0; seqno <= 0x311; seqno++)
		blt_request(&blt, seqno);
	object_write(&s->status[1], SEQNO_OFFSET, 4, 0x311);
	for (uint32_t seqno = 1; seqno <= 9; seqno++)
		video_request(&video, seqno);
	object_write(&s->status[2], SEQNO_OFFSET, 4, 9);
	idle_engine(s, 0x22000, &blt, 1 << 22);
	idle_engine(s, 0x12000, &video, 1 << 12);
}

/* Arbiter: status pages, caching of table reads, and the first page fault of each engine. */
static void arbiter_registers(struct snb *s)
{
	struct machine *m = s->m;

	hold(m, GSC_MMIO, 0x4000, 0x514);
	hold(m, GSC_MMIO, 0x14080, 4);
	hold(m, GSC_MMIO, 0x24000, 0x84);
	REGISTERS(m, 0,
		{ 0x04030, 0x10 },		/* ARB_MODE: bit 6 is swizzled */
		{ 0x04080, STATUS_PAGE },
		{ 0x14080, STATUS_PAGE + 2 * PAGE_SIZE },
		{ 0x24080, STATUS_PAGE + PAGE_SIZE },
		{ 0x04090, 0x418 },		/* GAM_ECOCHK: tables are cached by the 64 bytes */
		{ 0x04094, MISSING_VERTICES | 0x0b << 3 | 1 });	/* PPGTT; unit 11; valid */
}

static void interrupt_registers(struct machine *m)
{
	hold(m, GSC_MMIO, 0x44000, 0x54);
	hold(m, GSC_MMIO, 0xc4000, 0x10);
	REGISTERS(m, 0,
		{ 0x44000, 0x80 },		/* DEISR: vertical blank of pipe A */
		{ 0x44004, 0x7d437a7a },
		{ 0x4400c, 0x82bc8585 },
		{ 0x44010, 0x8 },		/* GTISR: render parser error */
		{ 0x44014, ~0x00401009u },
		{ 0x44018, 0x8 },
		{ 0x4401c, 0x00401009 },	/* user interrupts, render error */
		{ 0x44024, ~0x70u },		/* PMIMR */
		{ 0x4402c, 0x70 },
		{ 0x44050, 0xffff },		/* DERRMR */
		{ 0xc4004, 0xf115ffff },
		{ 0xc400c, 0x0eea0000 });
}

static void memory_registers(struct machine *m)
{
	fences_hold(m, 16);
	fence_set(m, 0, FRAMEBUFFER, FRAMEBUFFER_SIZE, 5632, TILING_X);
	fence_set(m, 3, TEXTURE, TEXTURE_SIZE, 1024, TILING_Y);
	hold(m, GSC_MMIO, 0x101000, 0xc);
	hold(m, GSC_MMIO, 0x1080c0, 4);
	hold(m, GSC_MMIO, 0x108100, 4);
	hold(m, GSC_MMIO, 0x1082c0, 4);
	hold(m, GSC_MMIO, 0x145000, 0x10);
	REGISTERS(m, 0,
		{ 0x101000, 0x1 },		/* TILECTL: swizzled for the CPU, too */
		{ 0x1080c0, STOLEN | 1 },
		{ 0x108100, STOLEN_TABLE | 1 },
		{ 0x1082c0, (STOLEN + 0x3f00000) | 1 },	/* the last MB is not the driver's */
		{ 0x145004, 0x00600010 },	/* two equal channels of 4 GB */
		{ 0x145008, 0x00600010 });
}

static void power_registers(struct machine *m)
{
	hold(m, GSC_MMIO, 0x900c, 4);
	hold(m, GSC_MMIO, 0x907c, 4);
	hold(m, GSC_MMIO, 0x941c, 4);
	hold(m, GSC_MMIO, 0xa168, 4);
	hold(m, GSC_MMIO, 0xa18c, 4);
	hold(m, GSC_MMIO, 0x120000, 0xc);
	hold(m, GSC_MMIO, 0x130090, 4);
	hold(m, GSC_MMIO, 0x13805c, 4);
	REGISTERS(m, 0,
		{ 0x907c, 0x10 },
		{ 0xa168, ~0x70u },
		{ 0xa18c, 1 },			/* FORCEWAKE, and its answer */
		{ 0x130090, 1 },
		{ 0x120008, 63 });
}

static void display_registers(struct machine *m)
{
	static const struct mode panel = { 1366, 1414, 1446, 1526, 768, 771, 777, 793 };

	pipe_a(m, &panel);
	hold(m, GSC_MMIO, 0x41000, 4);
	hold(m, GSC_MMIO, 0x45000, 4);
	REGISTERS(m, 0,
		{ 0x41000, 0x80000000 },	/* VGA plane off */
		{ 0x45000, 0x2000 },		/* DISP_ARB_CTL: swizzled */
		{ 0x70080, 0x04000027 },	/* cursor 64x64 ARGB */
		{ 0x70084, CURSOR },
		{ 0x70088, 200 << 16 | 320 },
		{ 0x70180, 0xd8000400 },	/* DSPACNTR: on, gamma, BGRX 8888, tiled */
		{ 0x70188, 5632 },
		{ 0x7019c, FRAMEBUFFER });
}

void snb_hang(struct machine *m)
{
	struct snb s = { .m = m };

	m->platform = "snb";
	m->device = 0x0126;
	m->revision = 9;
	m->story = "the render engine waits in a 3DPRIMITIVE for vertices that are not mapped";
	m->memory = UINT64_C(0x10a400000);	/* past 4 GB: entries need address bits 39:32 */

	config_space(m);
	global_table(&s);
	process_table(&s);
	render_work(&s);
	render_engine(&s);
	idle_engines(&s);
	arbiter_registers(&s);
	interrupt_registers(m);
	memory_registers(m);
	power_registers(m);
	display_registers(m);
}
