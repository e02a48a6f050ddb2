/* SPDX-License-Identifier: MIT */
/*
 * Submitted work: by execution lists (Gen8 and later), which engines take from their port or queue,
 * or by the ring's tail (Gen6 and 7). It is executed in the access that submits it; engines_tick()
 * continues what waits or is long. Events and bits are those that i915 reads
 * (gt/intel_execlists_submission.c).
 */
#include "engine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Commands at once: at submission, and each time it continues. */
#define FIRST 100000
#define AGAIN 2000
#define TICK 0.005

#define ENGINES_MAX 12

/* Ticks of a context's time in a second. */
#define CONTEXT_TICKS 12e6

static const struct engine_kind gen6_kinds[] = {
	{ "rcs0", 0x2000, 0x4080, .fault_id = 0, .reset = 1, .bit = 0 },
	{ "bcs0", 0x22000, 0x24080, .fault_id = 2, .reset = 3, .bit = 22 },
	{ "vcs0", 0x12000, 0x14080, .fault_id = 1, .reset = 2, .bit = 12 },
	{ 0 },
};

static const struct engine_kind gen7_kinds[] = {
	{ "rcs0", 0x2000, 0x4080, .fault_id = 0, .reset = 1, .bit = 0 },
	{ "bcs0", 0x22000, 0x4280, .fault_id = 2, .reset = 3, .bit = 22 },
	{ "vcs0", 0x12000, 0x4180, .fault_id = 1, .reset = 2, .bit = 12 },
	{ "vecs0", 0x1a000, 0x4380, .fault_id = 3, .reset = 4, .bank = 1, .bit = 10 },
	{ 0 },
};

static const struct engine_kind gen8_kinds[] = {
	{ "rcs0", 0x2000, .fault_id = 0, .reset = 1, .bank = 0, .bit = 0 },
	{ "bcs0", 0x22000, .fault_id = 2, .reset = 3, .bank = 0, .bit = 16 },
	{ "vcs0", 0x12000, .fault_id = 1, .reset = 2, .bank = 1, .bit = 0 },
	{ "vcs1", 0x1c000, .fault_id = 4, .reset = 7, .bank = 1, .bit = 16 },
	{ "vecs0", 0x1a000, .fault_id = 3, .reset = 4, .bank = 3, .bit = 0 },
	{ 0 },
};

static const struct engine_kind gen11_kinds[] = {
	{ "rcs0", 0x2000, .fault_id = 0, .reset = 1, .bank = 0, .bit = 0 },
	{ "bcs0", 0x22000, .fault_id = 2, .reset = 2, .bank = 0, .bit = 15, .class = 3 },
	{ "vcs0", 0x1c0000, .fault_id = 1, .reset = 5, .bank = 1, .bit = 0, .class = 1 },
	{ "vcs2", 0x1d0000, .fault_id = 5, .reset = 7, .bank = 1, .bit = 2, .class = 1,
	  .instance = 2 },
	{ "vecs0", 0x1c8000, .fault_id = 3, .reset = 13, .bank = 1, .bit = 31, .class = 2 },
	{ "guc", GUC_BASE, .reset = 3, .bank = 0, .bit = 25, .class = OTHER },
	{ 0 },
};

/*
 * Media have a GT of their own. The blitter with the highest number is the driver's. In the driver
 * compute is reset with render, in the GuC, the only one that resets these, alone.
 */
static const struct engine_kind xe2_kinds[] = {
	{ "rcs0", 0x2000, .reset = 1, .bank = 0, .bit = 0 },
	{ "bcs0", 0x22000, .reset = 2, .bank = 0, .bit = 15, .class = 3 },
	{ "bcs8", 0x3ee000, .reset = 31, .bank = 0, .bit = 23, .class = 3, .instance = 8 },
	{ "ccs0", 0x1a000, .reset = 21, .bank = 0, .bit = 4, .class = COMPUTE },
	{ "guc", GUC_BASE, .reset = 3, .bank = 0, .bit = 25, .class = OTHER },
	{ "vcs0", 0x1c0000, .reset = 5, .bank = 1, .bit = 0, .class = 1, .gt = 1 },
	{ "vecs0", 0x1c8000, .reset = 13, .bank = 1, .bit = 31, .class = 2, .gt = 1 },
	{ "mguc", MEDIA_GUC_BASE, .reset = 3, .bank = 0, .bit = 24, .class = OTHER, .instance = 16,
	  .gt = 1 },
	{ 0 },
};

uint32_t *engine_register(struct gpu *gpu, const struct engine *e, uint32_t offset)
{
	return &gpu->bar0[(e->kind->base + offset) / 4];
}

struct engine *engine_at(struct gpu *gpu, uint32_t base)
{
	for (struct engine *e = gpu->engines; e->kind; e++)
		if (e->kind->base == base)
			return e;
	return NULL;
}

void engine_log(struct gpu *gpu, const struct engine *e, const char *format, ...)
{
	char text[200];
	int length = snprintf(text, sizeof(text), "%s: ", e->kind->name);
	va_list list;

	va_start(list, format);
	vsnprintf(text + length, sizeof(text) - (size_t)length, format, list);
	va_end(list);
	log_text(gpu->log, text);
}

/* ---- events --------------------------------------------------------------------------------- */

static unsigned event_count(const struct gpu *gpu)
{
	return gpu->platform->gen >= 11 ? 12 : 6;
}

static void page_write(struct gpu *gpu, uint32_t address, uint32_t value)
{
	uint8_t *bytes = graphics_at(gpu, address, 4);

	if (bytes)
		memcpy(bytes, &value, 4);
}

/* In the status page, where drivers read it, and in registers; then the pointer to it. */
static void event(struct gpu *gpu, struct engine *e, uint32_t low, uint32_t high)
{
	enum { EVENTS = 0x40, POINTER = 0x1f * 4, POINTER_GEN11 = 0x2f * 4 };
	uint32_t page = *engine_register(gpu, e, RING_HWS_PGA) & ~4095u, i;
	uint32_t *pair;

	i = e->csb_write = (e->csb_write + 1) % event_count(gpu);
	pair = engine_register(gpu, e, i < 6 ? RING_CSB + 8 * i : RING_CSB_MORE + 8 * (i - 6));
	pair[0] = low;
	pair[1] = high;
	page_write(gpu, page + EVENTS + 8 * i, low);
	page_write(gpu, page + EVENTS + 8 * i + 4, high);
	page_write(gpu, page + (gpu->platform->gen >= 11 ? POINTER_GEN11 : POINTER), i);
	pair = engine_register(gpu, e, RING_CSB_POINTER);
	*pair = (*pair & ~15u) | i;
	e->events = true;
}

static bool same_context(uint64_t a, uint64_t b)
{
	return (uint32_t)a >> 12 == (uint32_t)b >> 12;
}

/* Gen12: both contexts by their numbers, and why. */
static void gen12_switch(struct gpu *gpu, struct engine *e, uint64_t from, uint64_t to,
			 bool new_queue)
{
	enum { IDLE = 0x7ff << 15, PREEMPTED = 5 };
	uint32_t low = to ? (uint32_t)(to >> 37 & 0x7ff) << 15 : IDLE;
	uint32_t high = from ? (uint32_t)(from >> 37 & 0x7ff) << 15 : IDLE;

	event(gpu, e, low | new_queue, high | (new_queue && from ? PREEMPTED : 0));
}

static void switched(struct gpu *gpu, struct engine *e, uint64_t from, uint64_t to, bool new_queue)
{
	enum {
		IDLE_TO_ACTIVE = 1 << 0, PREEMPTED = 1 << 1, ELEMENT_SWITCH = 1 << 2,
		ACTIVE_TO_IDLE = 1 << 3, COMPLETE = 1 << 4, LITE_RESTORE = 1 << 15,
	};
	uint32_t status;

	if (gpu->platform->gen >= 12) {
		gen12_switch(gpu, e, from, to, new_queue);
		return;
	}
	if (!new_queue)
		status = COMPLETE | (to ? ELEMENT_SWITCH : ACTIVE_TO_IDLE);
	else if (!from)
		status = IDLE_TO_ACTIVE;
	else
		status = PREEMPTED | (same_context(from, to) ? LITE_RESTORE : 0);
	event(gpu, e, status, (uint32_t)((from ? from : to) >> 32));
}

/* ---- contexts ------------------------------------------------------------------------------- */

static uint64_t pair_of(struct gpu *gpu, const struct engine *e, uint32_t low, uint32_t high)
{
	return (*engine_register(gpu, e, low) & ~3u) |
	       (uint64_t)*engine_register(gpu, e, high) << 32;
}

/* The low half is public up to Gen10 only (i915, gvt/execlist.h): list 0, its first element. */
static void show_list(struct gpu *gpu, struct engine *e)
{
	enum { ACTIVE = 1 << 18, ARBITRATION = 1 << 16, FIRST_ELEMENT = 1 << 14, VALID = 1 << 4 };

	*engine_register(gpu, e, RING_STATUS_LO) =
		gpu->platform->gen < 11 ? ACTIVE | ARBITRATION | FIRST_ELEMENT | VALID : 0;
	*engine_register(gpu, e, RING_STATUS_HI) = (uint32_t)(e->running[0] >> 32);
}

/* A batch that was interrupted in the middle is continued. */
static void come_on(struct gpu *gpu, struct engine *e)
{
	enum { VALID = 1 };
	uint32_t *address = engine_register(gpu, e, RING_BB_ADDR), each_time;

	*address = *engine_register(gpu, e, RING_SBBADDR) = 0;
	context_load(gpu, e->kind->base, (uint32_t)e->running[0]);
	*engine_register(gpu, e, RING_CCID) = ((uint32_t)e->running[0] & ~4095u) | 1;
	*engine_register(gpu, e, RING_INSTDONE) = 0xfffffffe;
	show_list(gpu, e);
	*engine_register(gpu, e, RING_MI_MODE) &= ~(1u << 9);
	e->depth = *address & 1;
	e->batch[0].at = pair_of(gpu, e, RING_BB_ADDR, RING_BB_ADDR_UDW);
	e->batch[0].ggtt = !(*engine_register(gpu, e, RING_BB_STATE) & 1 << 5);
	if (e->depth && (*engine_register(gpu, e, RING_SBBADDR) & 1)) {
		e->batch[1].at = pair_of(gpu, e, RING_SBBADDR, RING_SBBADDR_UDW);
		e->batch[1].ggtt = e->batch[0].ggtt;
		e->depth = 2;
	}
	e->no_arbitration = false;
	e->halt = RUNS;
	e->active = true;
	e->began = seconds();
	each_time = *engine_register(gpu, e, RING_BB_PER_CTX);
	if (gpu->platform->gen >= 12 && (each_time & VALID))
		streamer_prologue(gpu, e, each_time & ~4095u);
}

uint32_t engine_time(struct gpu *gpu, uint32_t base)
{
	const struct engine *e = engine_at(gpu, base);
	uint32_t before = gpu->bar0[(base + RING_CTX_TIMESTAMP) / 4];

	return e && e->active ? before + (uint32_t)((seconds() - e->began) * CONTEXT_TICKS) : before;
}

static void go_off(struct gpu *gpu, struct engine *e)
{
	uint32_t *batch = engine_register(gpu, e, RING_BB_ADDR);

	*engine_register(gpu, e, RING_CTX_TIMESTAMP) = engine_time(gpu, e->kind->base) + 10;
	if (!e->depth)
		*batch = 0;
	if (e->depth < 2)
		*engine_register(gpu, e, RING_SBBADDR) = 0;
	context_save(gpu, e->kind->base, (uint32_t)e->running[0]);
}

static void idle(struct gpu *gpu, struct engine *e)
{
	e->active = false;
	e->depth = 0;
	*engine_register(gpu, e, RING_INSTDONE) = UINT32_MAX;
	*engine_register(gpu, e, RING_STATUS_LO) = 0;
	*engine_register(gpu, e, RING_CCID) &= ~1u;
	*engine_register(gpu, e, RING_MI_MODE) |= 1 << 9;
}

/* The tail has moved: everything else of the context stays as it was. */
static void restore_lite(struct gpu *gpu, struct engine *e)
{
	uint32_t kept[1024], *registers = engine_register(gpu, e, 0), tail;

	memcpy(kept, registers, sizeof(kept));
	context_load(gpu, e->kind->base, (uint32_t)e->running[0]);
	tail = registers[RING_TAIL / 4];
	memcpy(registers, kept, sizeof(kept));
	registers[RING_TAIL / 4] = tail;
}

static void take_queue(struct gpu *gpu, struct engine *e)
{
	uint64_t from = e->active ? e->running[0] : 0;

	memcpy(e->running, e->queued, sizeof(e->running));
	e->has_queued = false;
	switched(gpu, e, from, e->running[0], true);
	if (from && same_context(from, e->running[0])) {
		restore_lite(gpu, e);
		show_list(gpu, e);
	} else {
		come_on(gpu, e);
	}
}

static void next_element(struct gpu *gpu, struct engine *e)
{
	uint64_t from = e->running[0];

	go_off(gpu, e);
	e->running[0] = e->running[1];
	e->running[1] = 0;
	switched(gpu, e, from, e->running[0], false);
	if (e->running[0])
		come_on(gpu, e);
	else
		idle(gpu, e);
}

/* ---- going on ------------------------------------------------------------------------------- */

static bool stopped(struct gpu *gpu, const struct engine *e)
{
	enum { STOP_RING = 1 << 8 };

	return *engine_register(gpu, e, RING_MI_MODE) & STOP_RING;
}

/* The same context only gets a new tail; another must wait for the end, or for arbitration. */
static bool may_take(const struct engine *e, bool done)
{
	return e->has_queued &&
	       (done || !e->active || same_context(e->running[0], e->queued[0]) ||
		(e->may_switch && e->halt != FAULTED));
}

static void work_lists(struct gpu *gpu, struct engine *e, unsigned commands)
{
	if (e->has_queued && !e->active)
		take_queue(gpu, e);
	while (e->active) {
		bool done = streamer_run(gpu, e, commands);

		if (may_take(e, done)) {
			if (!same_context(e->running[0], e->queued[0]))
				go_off(gpu, e);
			take_queue(gpu, e);
		} else if (done) {
			next_element(gpu, e);
		} else {
			break;
		}
	}
	if (e->events)
		interrupt_raise(gpu, e, SWITCH_INTERRUPT);
	e->events = false;
}

static void work_ring(struct gpu *gpu, struct engine *e, unsigned commands)
{
	if (e->active && streamer_run(gpu, e, commands))
		idle(gpu, e);
}

static void work(struct gpu *gpu, struct engine *e, unsigned commands)
{
	if (stopped(gpu, e))
		return;
	if (gpu->platform->gen >= 8)
		work_lists(gpu, e, commands);
	else
		work_ring(gpu, e, commands);
}

/*
 * Whoever snapshots the first submission sees it before any of it is done, with its registers
 * loaded.
 */
static void first_submission(struct gpu *gpu, uint32_t base, uint64_t descriptor)
{
	if (gpu->started)
		return;
	gpu->started = true;
	gpu->submission = descriptor;
	if (!gpu->submitted)
		return;
	if (descriptor) {
		context_load(gpu, base, (uint32_t)descriptor);
		gpu->bar0[(base + RING_CCID) / 4] = ((uint32_t)descriptor & ~4095u) | 1;
	}
	gpu->submitted(gpu, gpu->submitted_data);
}

void engine_submit(struct gpu *gpu, uint32_t base, uint64_t first, uint64_t second)
{
	struct engine *e = engine_at(gpu, base);

	first_submission(gpu, base, first);
	if (!e || !(first & 1))
		return;
	engine_log(gpu, e, "submitted 0x%llx 0x%llx%s", (unsigned long long)first,
		   (unsigned long long)second, e->active ? " while active" : "");
	e->queued[0] = first;
	e->queued[1] = second & 1 ? second : 0;
	e->has_queued = true;
	work(gpu, e, FIRST);
}

void engine_ring(struct gpu *gpu, uint32_t base)
{
	enum { ENABLE = 1 };
	struct engine *e = engine_at(gpu, base);

	first_submission(gpu, base, 0);
	if (!e || !(*engine_register(gpu, e, RING_CTL) & ENABLE))
		return;
	e->active = true;
	*engine_register(gpu, e, RING_INSTDONE) = 0xfffffffe;
	*engine_register(gpu, e, RING_MI_MODE) &= ~(1u << 9);
	work(gpu, e, FIRST);
}

bool engine_leave(struct gpu *gpu, struct engine *e)
{
	if (!e->may_switch || e->halt == FAULTED)
		return false;
	go_off(gpu, e);
	idle(gpu, e);
	return true;
}

/* The driver sets the pointers after a reset; bits 31:16 say which it means. */
void engine_events_pointer(struct gpu *gpu, uint32_t base, uint32_t value)
{
	struct engine *e = engine_at(gpu, base);

	if (e && (value >> 16 & 15))
		e->csb_write = value & 15;
}

bool engines_active(const struct gpu *gpu)
{
	for (const struct engine *e = gpu->engines; e->kind; e++)
		if (e->active || e->has_queued)
			return true;
	return false;
}

bool engines_tick(struct gpu *gpu)
{
	static double last;

	if (seconds() - last < TICK)
		return engines_active(gpu);
	last = seconds();
	for (struct engine *e = gpu->engines; e->kind; e++)
		if (e->active || e->has_queued)
			work(gpu, e, AGAIN);
	guc_schedule(gpu);
	return engines_active(gpu);
}

/* ---- life ----------------------------------------------------------------------------------- */

static void reset_engine(struct gpu *gpu, struct engine *e)
{
	const struct engine_kind *kind = e->kind;

	if (kind->base == guc_base(kind->gt)) {
		guc_reset(gpu, kind->gt);
		return;
	}
	*e = (struct engine){ .kind = kind, .csb_write = event_count(gpu) - 1 };
	for (uint32_t offset = RING_TAIL; offset <= RING_CTL; offset += 4)
		*engine_register(gpu, e, offset) = 0;
	*engine_register(gpu, e, RING_ACTHD) = 0;
	*engine_register(gpu, e, RING_ACTHD_UDW) = 0;
	*engine_register(gpu, e, RING_BB_ADDR) = 0;
	*engine_register(gpu, e, RING_RESET_CTL) = 0;
	*engine_register(gpu, e, RING_EIR) = *engine_register(gpu, e, RING_IPEIR) = 0;
	*engine_register(gpu, e, RING_MI_MODE) = 0;
	if (gpu->platform->gen >= 12)
		*engine_register(gpu, e, RING_ENGINE_ID) = kind->class | kind->instance << 4;
	idle(gpu, e);
}

void engines_reset(struct gpu *gpu, unsigned gt, uint32_t domains)
{
	enum { ALL_DOMAINS = 1 << 0 };

	for (struct engine *e = gpu->engines; e->kind; e++)
		if (e->kind->gt == gt && (domains & (ALL_DOMAINS | 1u << e->kind->reset))) {
			engine_log(gpu, e, "reset by 0x%x", domains);
			reset_engine(gpu, e);
		}
}

static bool on_platform(const struct gpu *gpu, const struct engine_kind *kind)
{
	if (kind->base == guc_base(kind->gt))
		return gpu->platform->gen >= 12;
	for (const uint32_t *base = gpu->platform->engines; *base; base++)
		if (*base == kind->base)
			return true;
	return false;
}

void engines_prepare(struct gpu *gpu)
{
	unsigned gen = gpu->platform->gen, count = 0;
	const struct engine_kind *kind = gpu->platform->release ? xe2_kinds :
					 gen >= 11 ? gen11_kinds : gen >= 8 ? gen8_kinds :
					 gen == 7 ? gen7_kinds : gen6_kinds;

	free(gpu->engines);
	gpu->engines = calloc(ENGINES_MAX + 1, sizeof(*gpu->engines));
	if (!gpu->engines)
		abort();
	for (; gen >= 6 && kind->name; kind++)
		if (on_platform(gpu, kind))
			gpu->engines[count++].kind = kind;
	for (struct engine *e = gpu->engines; e->kind; e++)
		reset_engine(gpu, e);
}
