/* SPDX-License-Identifier: MIT */
/*
 * A GuC as its driver sees it, from the firmware's interface 70 on (xe: xe_guc.c, xe_guc_ct.c,
 * xe_guc_submit.c and the headers in abi/). It is loaded by DMA, answers a message in registers,
 * then messages in two rings in memory, and submits the contexts that are registered with it to the
 * engines. A context that does not yield when it is disabled resets its engine, because nobody
 * waits here.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

enum { STATUS = 0xc000, MESSAGE = 0x190240, MESSAGE_DWORDS = 4 };

/* What both sides say, in bits 31:28 and 15:0 of a message's first dword. */
enum { FROM_GUC = 1u << 31, REQUEST = 0, EVENT = 1, SUCCESS = 7 };
enum { TYPE_SHIFT = 28 };

/* Keys of the configuration, from 0x900 on: ring of the host, its head and tail, its bytes; the GuC's. */
enum { H2G_RING = 2, H2G_STATE, H2G_SIZE, G2H_RING, G2H_STATE, G2H_SIZE };

#define CONTEXTS 256
#define WORDS 64

struct client {
	struct engine *engine;		/* NULL: nobody is registered with this number */
	uint64_t descriptor;
	bool enabled, ready, stopped;	/* has work; gets no more, because its engine was reset */
};

struct guc {
	uint32_t keys[16];
	bool rings;			/* are in use */
	bool asked;			/* by a message in registers */
	struct client clients[CONTEXTS];
};

static uint32_t *at(struct gpu *gpu, uint32_t offset)
{
	return &gpu->bar0[offset / 4];
}

static uint32_t load(struct gpu *gpu, uint32_t address)
{
	const uint8_t *bytes = graphics_at(gpu, address, 4);
	uint32_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 4);
	return value;
}

static void store(struct gpu *gpu, uint32_t address, uint32_t value)
{
	uint8_t *bytes = graphics_at(gpu, address, 4);

	if (bytes)
		memcpy(bytes, &value, 4);
}

static void note(struct gpu *gpu, const char *what, const uint32_t *message, unsigned count)
{
	char text[16 + 9 * WORDS];
	int length = snprintf(text, sizeof(text), "guc %s", what);

	for (unsigned i = 0; i < count && i < WORDS; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " %x", message[i]);
	log_text(gpu->log, text);
}

/* ---- to the host ---------------------------------------------------------------------------- */

/* After the head a ring has the number and the length of each message. */
static void post(struct gpu *gpu, uint32_t number, const uint32_t *message, unsigned count)
{
	const uint32_t *keys = gpu->guc->keys;
	uint32_t size = keys[G2H_SIZE] / 4, tail = load(gpu, keys[G2H_STATE] + 4);

	if (!size)
		return;
	store(gpu, keys[G2H_RING] + 4 * (tail % size), number << 16 | count);
	for (unsigned i = 0; i < count; i++)
		store(gpu, keys[G2H_RING] + 4 * ((tail + 1 + i) % size), message[i]);
	store(gpu, keys[G2H_STATE] + 4, (tail + 1 + count) % size);
	note(gpu, "says", message, count);
	interrupt_raise(gpu, engine_at(gpu, GUC_BASE), GUC_INTERRUPT);
}

static void say(struct gpu *gpu, uint32_t action, unsigned count, uint32_t first, uint32_t second)
{
	uint32_t words[] = { FROM_GUC | EVENT << TYPE_SHIFT | action, first, second };

	post(gpu, 0, words, 1 + count);
}

/* ---- contexts ------------------------------------------------------------------------------- */

enum {
	MODE_DONE = 0x1002, CONTEXT_RESET = 0x1008, DEREGISTERED = 0x4600, MEMORY_ERROR = 0x6000,
	TLB_DONE = 0x7001,
};

static struct client *client(struct gpu *gpu, uint32_t number)
{
	return &gpu->guc->clients[number % CONTEXTS];
}

/* By the GuC's class, and which of them it may use. */
static struct engine *engine_of(struct gpu *gpu, uint32_t class, uint32_t mask)
{
	switch (class) {
	case 0: return engine_at(gpu, 0x2000);
	case 1: return engine_at(gpu, mask & 1 ? 0x1c0000 : 0x1d0000);
	case 2: return engine_at(gpu, 0x1c8000);
	case 3: return engine_at(gpu, 0x22000);
	default: return NULL;
	}
}

static bool is_on(const struct client *c)
{
	return c->engine && c->engine->active &&
	       (uint32_t)c->engine->running[0] >> 12 == (uint32_t)c->descriptor >> 12;
}

/* Work waits until its engine is idle; a context with a fault or an error is not continued. */
void guc_schedule(struct gpu *gpu)
{
	if (!gpu->guc)
		return;
	for (uint32_t i = 0; i < CONTEXTS; i++) {
		struct client *c = client(gpu, i);

		if (is_on(c) && c->engine->halt == FAULTED && !c->stopped) {
			c->stopped = true;
			if (!*engine_register(gpu, c->engine, RING_EIR))
				say(gpu, MEMORY_ERROR, 1, i, 0);
		}
		if (c->ready && c->enabled && !c->stopped && !c->engine->active) {
			c->ready = false;
			engine_submit(gpu, c->engine->kind->base, c->descriptor | 1, 0);
		}
	}
}

/* Removed from its engine; true: that had to be reset. */
static bool evict(struct gpu *gpu, struct client *c)
{
	if (!is_on(c) || engine_leave(gpu, c->engine))
		return false;
	engines_reset(gpu, 1u << c->engine->kind->reset);
	return true;
}

static void register_context(struct gpu *gpu, const uint32_t *m)
{
	*client(gpu, m[2]) = (struct client){ .engine = engine_of(gpu, m[3], m[4]),
					      .descriptor = m[10] | (uint64_t)m[11] << 32 };
}

static void deregister_context(struct gpu *gpu, const uint32_t *m)
{
	evict(gpu, client(gpu, m[1]));
	*client(gpu, m[1]) = (struct client){ 0 };
	say(gpu, DEREGISTERED, 1, m[1], 0);
}

static void set_mode(struct gpu *gpu, const uint32_t *m)
{
	struct client *c = client(gpu, m[1]);

	c->enabled = m[2] & 1;
	c->ready |= c->enabled;
	if (!c->enabled && evict(gpu, c))
		say(gpu, CONTEXT_RESET, 1, m[1], 0);
	say(gpu, MODE_DONE, 2, m[1], c->enabled);
}

static void schedule_context(struct gpu *gpu, const uint32_t *m)
{
	client(gpu, m[1])->ready = true;
}

static void invalidate(struct gpu *gpu, const uint32_t *m)
{
	say(gpu, TLB_DONE, 1, m[1], 0);
}

/* Power: the shared data says that it runs, as soon as it is reset. */
static void power(struct gpu *gpu, const uint32_t *m)
{
	enum { RESET = 0, RUNNING = 3, STATE = 4 };

	if (m[1] >> 8 == RESET)
		store(gpu, m[2] + STATE, RUNNING);
}

/* ---- from the host -------------------------------------------------------------------------- */

static void configure(struct gpu *gpu, const uint32_t *m)
{
	gpu->guc->keys[m[1] >> 16 & 15] = m[2];
}

static void use_rings(struct gpu *gpu, const uint32_t *m)
{
	gpu->guc->rings = m[1] & 1;
}

/* All others, such as policies, are accepted without an effect that a driver could see. */
static const struct {
	uint32_t action;
	void (*act)(struct gpu *gpu, const uint32_t *message);
	uint32_t answer;		/* with its success */
} actions[] = {
	{ 0x0508, configure, 1 },	/* this many keys were known */
	{ 0x1000, schedule_context, 0 },
	{ 0x1001, set_mode, 0 },
	{ 0x3003, power, 0 },
	{ 0x4502, register_context, 0 },
	{ 0x4503, deregister_context, 0 },
	{ 0x4509, use_rings, 0 },
	{ 0x7000, invalidate, 0 },
};

static uint32_t act(struct gpu *gpu, const uint32_t *message)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (actions[i].action == (message[0] & 0xffff)) {
			actions[i].act(gpu, message);
			return FROM_GUC | (uint32_t)SUCCESS << TYPE_SHIFT | actions[i].answer;
		}
	return FROM_GUC | (uint32_t)SUCCESS << TYPE_SHIFT;
}

static void hear_rings(struct gpu *gpu)
{
	const uint32_t *keys = gpu->guc->keys;
	uint32_t size = keys[H2G_SIZE] / 4, tail = load(gpu, keys[H2G_STATE] + 4);
	uint32_t head = load(gpu, keys[H2G_STATE]);

	while (head < size && tail < size && head != tail) {
		uint32_t header = load(gpu, keys[H2G_RING] + 4 * head), answer;
		uint32_t words[256] = { 0 };
		unsigned count = header & 0xff;

		for (unsigned i = 0; i < count; i++)
			words[i] = load(gpu, keys[H2G_RING] + 4 * ((head + 1 + i) % size));
		head = (head + 1 + count) % size;
		store(gpu, keys[H2G_STATE], head);
		if (!count)		/* what does not fit continues at the beginning */
			continue;
		note(gpu, "hears", words, count);
		answer = act(gpu, words);
		if ((words[0] >> TYPE_SHIFT & 7) == REQUEST)
			post(gpu, header >> 16, &answer, 1);
	}
	guc_schedule(gpu);
}

void guc_notify(struct gpu *gpu)
{
	uint32_t words[256] = { 0 };

	if (!gpu->guc->asked) {
		if (gpu->guc->rings)
			hear_rings(gpu);
		return;
	}
	gpu->guc->asked = false;
	memcpy(words, at(gpu, MESSAGE), 4 * MESSAGE_DWORDS);
	note(gpu, "is asked", words, MESSAGE_DWORDS);
	*at(gpu, MESSAGE) = act(gpu, words);
}

void guc_message(struct gpu *gpu)
{
	gpu->guc->asked = true;
}

/* ---- life ----------------------------------------------------------------------------------- */

/* Its program has been copied: the driver waits until it says that it runs (GUC_STATUS). */
void guc_load(struct gpu *gpu, uint32_t control)
{
	enum {
		START = 1 << 0, MOVE_PROGRAM = 1 << 4, READY = 0xf0 << 8,
		STARTED = 0x76 << 1, CORE = 1 << 16,
	};
	uint32_t authentic = 2u << 30;

	if ((control & START) && (control & MOVE_PROGRAM))
		*at(gpu, STATUS) = authentic | CORE | READY | STARTED;
}

void guc_reset(struct gpu *gpu)
{
	enum { IN_RESET = 1 };

	if (!engine_at(gpu, GUC_BASE))
		return;
	free(gpu->guc);
	gpu->guc = calloc(1, sizeof(*gpu->guc));
	if (!gpu->guc)
		abort();
	*at(gpu, STATUS) = IN_RESET;
}
