/* SPDX-License-Identifier: MIT */
/*
 * A GuC as its driver sees it, from the firmware's interface 70 on (xe: xe_guc.c, xe_guc_ct.c,
 * xe_guc_submit.c; i915: gt/uc/intel_guc_submission.c; the headers in their abi/). It is loaded by
 * DMA, answers a message in registers, then messages in two rings in memory, and submits the
 * contexts that are registered with it to the engines of its GT. A context that does not yield when
 * it is disabled resets its engine, because nobody waits here; one that another waits for has its
 * quantum and its time-out.
 */
#include "guc.h"

#include <stdlib.h>
#include <string.h>

enum { STATUS = 0xc000, MESSAGE = 0x190240, MEDIA_MESSAGE = 0x190310, MESSAGE_DWORDS = 4 };

/* What both sides say, in bits 31:28 and 15:0 of a message's first dword. */
enum { FROM_GUC = 1u << 31, REQUEST = 0, EVENT = 1, SUCCESS = 7 };
enum { TYPE_SHIFT = 28 };

/* Keys of the configuration, from 0x900 on: ring of the host, its head and tail, its bytes; the GuC's. */
enum { H2G_RING = 2, H2G_STATE, H2G_SIZE, G2H_RING, G2H_STATE, G2H_SIZE };

/* A message, and what a ring has before it: a dword with its number and its length. */
#define WORDS 256

uint32_t *guc_register(struct guc *guc, uint32_t offset)
{
	return &guc->gpu->bar0[(offset + (offset < GT_SIZE && guc->gt ? MEDIA_GT : 0)) / 4];
}

uint32_t guc_load_dword(struct guc *guc, uint32_t address)
{
	const uint8_t *bytes = graphics_at(guc->gpu, address, 4);
	uint32_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 4);
	return value;
}

void guc_store_dword(struct guc *guc, uint32_t address, uint32_t value)
{
	uint8_t *bytes = graphics_at(guc->gpu, address, 4);

	if (bytes)
		memcpy(bytes, &value, 4);
}

void guc_note(struct guc *guc, const char *what, uint32_t place, const uint32_t *words,
	      unsigned count)
{
	char text[64 + 9 * WORDS];
	int length = snprintf(text, sizeof(text), "gt%u guc %s %x:", guc->gt, what, place);

	for (unsigned i = 0; i < count && i < WORDS; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " %x", words[i]);
	log_text(guc->gpu->log, text);
}

/* ---- to the host ---------------------------------------------------------------------------- */

static void post(struct guc *guc, uint32_t number, const uint32_t *message, unsigned count)
{
	const uint32_t *keys = guc->keys;
	uint32_t size = keys[G2H_SIZE] / 4, tail = guc_load_dword(guc, keys[G2H_STATE] + 4);
	uint32_t words[WORDS] = { number << 16 | count };

	if (!size)
		return;
	memcpy(words + 1, message, count * sizeof(*message));
	for (unsigned i = 0; i <= count; i++)
		guc_store_dword(guc, keys[G2H_RING] + 4 * ((tail + i) % size), words[i]);
	guc_store_dword(guc, keys[G2H_STATE] + 4, (tail + 1 + count) % size);
	guc_note(guc, "says", tail, words, count + 1);
	interrupt_raise(guc->gpu, engine_at(guc->gpu, guc_base(guc->gt)), GUC_INTERRUPT);
}

static void say(struct guc *guc, uint32_t action, unsigned count, uint32_t first, uint32_t second)
{
	uint32_t words[] = { FROM_GUC | EVENT << TYPE_SHIFT | action, first, second };

	post(guc, 0, words, 1 + count);
}

/* ---- contexts ------------------------------------------------------------------------------- */

enum {
	MODE_DONE = 0x1002, CONTEXT_RESET = 0x1008, DEREGISTERED = 0x4600, MEMORY_ERROR = 0x6000,
	PAGE_FAULT = 0x6002, TLB_DONE = 0x7001, CAPTURED = 0x8002,
	CRASHED = 0x8004,
};

static struct client *client(struct guc *guc, uint32_t number)
{
	return &guc->clients[number % CLIENTS];
}

unsigned guc_class(const struct engine_kind *kind)
{
	return kind->class == COMPUTE ? 4 : kind->class;
}

/* By the GuC's class, and which of them it may use: the first of these. */
static struct engine *engine_of(struct guc *guc, uint32_t class, uint32_t mask)
{
	for (struct engine *e = guc->gpu->engines; e->kind; e++) {
		if (e->kind->gt != guc->gt || e->kind->class == OTHER ||
		    guc_class(e->kind) != class)
			continue;
		if (mask & 1)
			return e;
		mask >>= 1;
	}
	return NULL;
}

static bool is_on(const struct client *c)
{
	return c->engine && c->engine->active &&
	       (uint32_t)c->engine->running[0] >> 12 == (uint32_t)c->descriptor >> 12;
}

static struct client *client_on(struct guc *guc, const struct engine *e)
{
	for (uint32_t i = 0; i < CLIENTS; i++)
		if (guc->clients[i].engine == e && is_on(&guc->clients[i]))
			return &guc->clients[i];
	return NULL;
}

static void reset_engine_of(struct guc *guc, struct client *c)
{
	enum { NO_SPACE = 1 };

	if (guc->gpu->guc_health == GUC_FULL)
		say(guc, CAPTURED, 1, NO_SPACE, 0);
	else if (guc->gpu->guc_health != GUC_FORGETFUL && guc_capture(guc, c))
		say(guc, CAPTURED, 1, 0, 0);
	engines_reset(guc->gpu, guc->gt, 1u << c->engine->kind->reset);
	c->reported = false;
}

/*
 * A context waits for an engine: the one on it has to yield after its quantum, and if it does not
 * in time, its engine is reset. Then it is continued when the driver submits it again.
 */
static void make_room(struct guc *guc, struct client *waiting)
{
	struct client *on = client_on(guc, waiting->engine);
	double microseconds;

	if (!on || !on->quantum)
		return;
	if (!waiting->waiting)
		waiting->waiting = seconds();
	microseconds = (seconds() - waiting->waiting) * 1e6;
	if (microseconds < on->quantum)
		return;
	if (engine_leave(guc->gpu, on->engine)) {
		on->ready = true;
	} else if (on->patience && microseconds - on->quantum >= on->patience) {
		on->ready = false;
		reset_engine_of(guc, on);
		say(guc, CONTEXT_RESET, 1, on->number, 0);
	}
}

/* From Xe2 on the driver is asked for the page. */
static void report_page_fault(struct guc *guc, const struct engine *e)
{
	uint32_t asid = *engine_register(guc->gpu, e, RING_ASID) & 0xfffff;
	uint32_t words[] = {
		FROM_GUC | EVENT << TYPE_SHIFT | PAGE_FAULT,
		e->fault_level | e->kind->instance << 19 | e->kind->class << 25,
		asid << 12,
		e->fault_write | ((uint32_t)e->fault_address & ~4095u),
		(uint32_t)(e->fault_address >> 32),
	};

	post(guc, 0, words, sizeof(words) / sizeof(words[0]));
}

static void report_fault(struct guc *guc, struct client *c)
{
	c->reported = true;
	if (*engine_register(guc->gpu, c->engine, RING_EIR))
		return;
	if (guc->gpu->platform->release)
		report_page_fault(guc, c->engine);
	else
		say(guc, MEMORY_ERROR, 1, c->number, 0);
}

/* The driver has answered for what that engine runs: the access is tried again, or can never be. */
static uint32_t page_fault_done(struct guc *guc, const uint32_t *m, unsigned count)
{
	enum { FAILED = 1 << 1 };
	unsigned class = m[2] >> 13 & 7, instance = m[2] >> 7 & 63;

	(void)count;
	for (struct engine *e = guc->gpu->engines; e->kind; e++) {
		struct client *c = client_on(guc, e);

		if (!c || e->kind->class != class || e->kind->instance != instance ||
		    e->halt != FAULTED)
			continue;
		if (m[1] & FAILED) {
			say(guc, MEMORY_ERROR, 1, c->number, 0);
		} else {
			c->reported = false;
			e->halt = RUNS;
		}
	}
	return 0;
}

static bool works(const struct guc *guc)
{
	return guc->gpu->guc_health != GUC_SILENT && guc->gpu->guc_health != GUC_BROKEN;
}

static void schedule(struct guc *guc)
{
	for (uint32_t i = 0; i < CLIENTS; i++) {
		struct client *c = &guc->clients[i];

		if (is_on(c) && c->engine->halt == FAULTED && !c->reported)
			report_fault(guc, c);
		if (!c->ready || !c->enabled || !c->engine)
			continue;
		if (c->engine->active && !is_on(c))
			make_room(guc, c);
		if (c->engine->active)
			continue;
		c->ready = false;
		c->waiting = 0;
		engine_submit(guc->gpu, c->engine->kind->base, c->descriptor | 1, 0);
	}
}

void guc_schedule(struct gpu *gpu)
{
	for (unsigned gt = 0; gt < GTS; gt++)
		if (gpu->gucs[gt] && works(gpu->gucs[gt]))
			schedule(gpu->gucs[gt]);
}

/* Removed from its engine; true: that had to be reset. */
static bool evict(struct guc *guc, struct client *c)
{
	if (!is_on(c) || engine_leave(guc->gpu, c->engine))
		return false;
	reset_engine_of(guc, c);
	return true;
}

static uint32_t register_context(struct guc *guc, const uint32_t *m, unsigned count)
{
	(void)count;
	*client(guc, m[2]) = (struct client){ .number = m[2], .engine = engine_of(guc, m[3], m[4]),
					      .descriptor = m[10] | (uint64_t)m[11] << 32 };
	return 0;
}

static uint32_t deregister_context(struct guc *guc, const uint32_t *m, unsigned count)
{
	(void)count;
	evict(guc, client(guc, m[1]));
	*client(guc, m[1]) = (struct client){ 0 };
	say(guc, DEREGISTERED, 1, m[1], 0);
	return 0;
}

static uint32_t set_mode(struct guc *guc, const uint32_t *m, unsigned count)
{
	struct client *c = client(guc, m[1]);

	(void)count;
	c->enabled = m[2] & 1;
	c->ready |= c->enabled;
	if (!c->enabled && evict(guc, c))
		say(guc, CONTEXT_RESET, 1, m[1], 0);
	say(guc, MODE_DONE, 2, m[1], c->enabled);
	return 0;
}

static uint32_t schedule_context(struct guc *guc, const uint32_t *m, unsigned count)
{
	(void)count;
	client(guc, m[1])->ready = true;
	return 0;
}

/* Policies are keys in the upper half of a dword, the number of values in the lower, and these. */
static uint32_t set_policies(struct guc *guc, const uint32_t *m, unsigned count)
{
	enum { QUANTUM = 0x2001, PATIENCE = 0x2002 };
	struct client *c = client(guc, m[1]);

	for (unsigned i = 2; i + 1 < count; i += 1 + (m[i] & 0xffff)) {
		if (m[i] >> 16 == QUANTUM)
			c->quantum = m[i + 1];
		if (m[i] >> 16 == PATIENCE)
			c->patience = m[i + 1];
	}
	return 0;
}

/* Of all contexts; the answer is how many were known. */
static uint32_t set_global_policies(struct guc *guc, const uint32_t *m, unsigned count)
{
	uint32_t known = 0;

	(void)guc;
	for (unsigned i = 1; i < count; i += 1 + (m[i] & 0xffff))
		known++;
	return known;
}

static uint32_t invalidate(struct guc *guc, const uint32_t *m, unsigned count)
{
	(void)count;
	say(guc, TLB_DONE, 1, m[1], 0);
	return 0;
}

/* Power: the shared data says that it runs, as soon as it is reset. */
static uint32_t power(struct guc *guc, const uint32_t *m, unsigned count)
{
	enum { RESET = 0, RUNNING = 3, STATE = 4 };

	(void)count;
	if (m[1] >> 8 == RESET)
		guc_store_dword(guc, m[2] + STATE, RUNNING);
	return 0;
}

/* ---- from the host -------------------------------------------------------------------------- */

static uint32_t configure(struct guc *guc, const uint32_t *m, unsigned count)
{
	(void)count;
	guc->keys[m[1] >> 16 & 15] = m[2];
	return 1;			/* this many keys were known */
}

static uint32_t use_rings(struct guc *guc, const uint32_t *m, unsigned count)
{
	(void)count;
	guc->rings = m[1] & 1;
	return 0;
}

/* What the hardware has, in keys, lengths and values; without an address only its size. */
static uint32_t describe(struct guc *guc, const uint32_t *m, unsigned count)
{
	enum { SLICES = 1, SUBSLICES = 70 };
	static const uint32_t table[] = { SLICES, 1, 1, SUBSLICES, 1, 8 };

	(void)count;
	for (uint32_t i = 0; m[1] && i < sizeof(table) / sizeof(table[0]); i++)
		guc_store_dword(guc, m[1] + 4 * i, table[i]);
	return sizeof(table);
}

/* All others are accepted without an effect that a driver could see. */
static const struct {
	uint32_t action;
	/* The answer comes with its success. */
	uint32_t (*act)(struct guc *guc, const uint32_t *message, unsigned count);
} actions[] = {
	{ 0x0508, configure },
	{ 0x0509, set_global_policies },
	{ 0x1000, schedule_context },
	{ 0x1001, set_mode },
	{ 0x100b, set_policies },
	{ 0x3003, power },
	{ 0x4100, describe },
	{ 0x4502, register_context },
	{ 0x4503, deregister_context },
	{ 0x4509, use_rings },
	{ 0x6003, page_fault_done },
	{ 0x7000, invalidate },
};

static uint32_t act(struct guc *guc, const uint32_t *message, unsigned count)
{
	uint32_t answer = 0;

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (actions[i].action == (message[0] & 0xffff))
			answer = actions[i].act(guc, message, count);
	return FROM_GUC | (uint32_t)SUCCESS << TYPE_SHIFT | answer;
}

static void hear_rings(struct guc *guc)
{
	const uint32_t *keys = guc->keys;
	uint32_t size = keys[H2G_SIZE] / 4, tail = guc_load_dword(guc, keys[H2G_STATE] + 4);
	uint32_t head = guc_load_dword(guc, keys[H2G_STATE]);

	while (head < size && tail < size && head != tail) {
		uint32_t at = head, header = guc_load_dword(guc, keys[H2G_RING] + 4 * head), answer;
		uint32_t words[WORDS] = { 0 };
		unsigned count = header & 0xff;

		for (unsigned i = 0; i <= count; i++)
			words[i] = guc_load_dword(guc, keys[H2G_RING] + 4 * ((head + i) % size));
		head = (head + 1 + count) % size;
		guc_store_dword(guc, keys[H2G_STATE], head);
		if (!count)		/* what does not fit continues at the beginning */
			continue;
		guc_note(guc, "hears", at, words, count + 1);
		answer = act(guc, words + 1, count);
		if ((words[1] >> TYPE_SHIFT & 7) == REQUEST)
			post(guc, header >> 16, &answer, 1);
	}
	guc_schedule(guc->gpu);
}

void guc_notify(struct gpu *gpu, unsigned gt)
{
	struct guc *guc = gpu->gucs[gt];
	uint32_t *message = &gpu->bar0[(gt ? MEDIA_MESSAGE : MESSAGE) / 4], words[WORDS] = { 0 };

	if (!works(guc))
		return;
	if (!guc->asked) {
		if (guc->rings)
			hear_rings(guc);
		return;
	}
	guc->asked = false;
	memcpy(words, message, 4 * MESSAGE_DWORDS);
	guc_note(guc, "is asked", 0, words, MESSAGE_DWORDS);
	*message = act(guc, words, MESSAGE_DWORDS);
}

void guc_message(struct gpu *gpu, unsigned gt)
{
	gpu->gucs[gt]->asked = true;
}

/* ---- life ----------------------------------------------------------------------------------- */

/* Its program has been copied: the driver waits until it says that it runs (GUC_STATUS). */
void guc_load(struct gpu *gpu, unsigned gt, uint32_t control)
{
	enum {
		START = 1 << 0, MOVE_PROGRAM = 1 << 4, READY = 0xf0 << 8, EXCEPTION = 0x70 << 8,
		STARTED = 0x76 << 1, CORE = 1 << 16,
	};
	uint32_t authentic = 2u << 30, state = gpu->guc_health == GUC_BROKEN ? EXCEPTION : READY;

	if (!(control & START) || !(control & MOVE_PROGRAM))
		return;
	*guc_register(gpu->gucs[gt], STATUS) = authentic | CORE | state | STARTED;
	guc_begin_log(gpu->gucs[gt]);
}

void guc_crash(struct gpu *gpu)
{
	for (unsigned gt = 0; gt < GTS; gt++)
		if (gpu->gucs[gt] && gpu->gucs[gt]->rings)
			say(gpu->gucs[gt], CRASHED, 0, 0, 0);
}

void guc_reset(struct gpu *gpu, unsigned gt)
{
	enum { IN_RESET = 1 };

	free(gpu->gucs[gt]);
	gpu->gucs[gt] = calloc(1, sizeof(*gpu->gucs[gt]));
	if (!gpu->gucs[gt])
		abort();
	if (gpu->guc_health == GUC_SILENT)
		gpu->guc_health = GUC_WELL;
	gpu->gucs[gt]->gpu = gpu;
	gpu->gucs[gt]->gt = gt;
	*guc_register(gpu->gucs[gt], STATUS) = IN_RESET;
}
