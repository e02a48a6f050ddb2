/* SPDX-License-Identifier: MIT */
/* What the registers of each engine's ring say. */
#include "hang/engine.h"

#include "batch/batch.h"
#include "batch/ring.h"

/* Registers of a ring that are shown as they are; `upper` holds the bits above. */
static const struct {
	const char *name, *upper;
	bool needs_upper;		/* if this bit is clear, the value means nothing */
	unsigned known;
	size_t member;
} registers[] = {
	{ "RING_BUFFER_HEAD", NULL, false, GSC_KNOWN_HEAD, offsetof(struct gsc_engine, head) },
	{ "RING_BUFFER_TAIL", NULL, false, GSC_KNOWN_TAIL, offsetof(struct gsc_engine, tail) },
	{ "RING_BUFFER_START", "RING_START_UDW", false, GSC_KNOWN_START,
	  offsetof(struct gsc_engine, start) },
	{ "RING_BUFFER_CONTROL", NULL, false, GSC_KNOWN_CONTROL,
	  offsetof(struct gsc_engine, control) },
	{ "ACTHD", "ACTHD_UDW", true, GSC_KNOWN_ACTHD, offsetof(struct gsc_engine, acthd) },
	{ "IPEHR", NULL, false, GSC_KNOWN_IPEHR, offsetof(struct gsc_engine, ipehr) },
};

/* How long engines are watched, in steps: movement is mostly visible in the first. */
#define WATCH_STEP_MS 10
#define WATCH_STEPS 20

#define HEAD_OFFSET UINT64_C(0x1fffff)	/* of HEAD; above it is the count of wraps */

bool engine_field(const struct hang_engine *engine, const char *name, const char *field,
		  struct gsc_reg *reg, uint64_t *value, uint64_t *bits)
{
	return hang_read(engine->hang, engine->e.name, name, -1, reg, value) &&
	       *value != UINT32_MAX && gsc_gpu_field(engine->hang->gpu, reg, *value, field, bits);
}

static void read_registers(const struct gsc_hang *hang, struct gsc_engine *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		const char *half = registers[i].upper;
		uint64_t value, upper = 0;
		struct gsc_reg reg;

		if (!hang_read(hang, e->name, registers[i].name, -1, NULL, &value) ||
		    value == UINT32_MAX)
			continue;
		if (half && gpu_find(hang->gpu, e->name, half, -1, &reg) &&
		    !hang_read_reg(hang, &reg, &upper) && registers[i].needs_upper)
			continue;
		value |= upper << 32;
		if (registers[i].known == GSC_KNOWN_ACTHD)
			value = graphics_address(&hang->gpu->platform, value);
		memcpy((char *)e + registers[i].member, &value, sizeof(value));
		e->known |= registers[i].known;
	}
}

/* ---- the ring ------------------------------------------------------------------------------- */

static void measure_ring(const struct gsc_hang *hang, struct gsc_engine *e)
{
	const uint64_t *const values[RING_REGISTERS] = {
		[RING_CONTROL] = e->known & GSC_KNOWN_CONTROL ? &e->control : NULL,
		[RING_HEAD] = e->known & GSC_KNOWN_HEAD ? &e->head : NULL,
		[RING_TAIL] = e->known & GSC_KNOWN_TAIL ? &e->tail : NULL,
	};
	struct hang_buffers at = { .source = hang->gpu->source };
	struct ring ring = { 0 };

	/* Old dumps have no control register, but have the ring itself. */
	while (!ring.bytes && !(e->known & GSC_KNOWN_CONTROL) && hang_buffer_next(&at))
		if (at.b.kind == GSC_BUFFER_RING && !strcmp(at.b.engine, e->name) &&
		    !(at.b.flags & GSC_BUFFER_CUT) && at.b.length % 4096 == 0)
			ring.bytes = at.b.length;
	if (ring_of_registers(&ring, hang->gpu->view, e->name, values))
		e->known |= GSC_KNOWN_RING;
	e->enabled = ring.enabled;
	e->ring_bytes = ring.bytes;
	e->head_offset = ring.head;
	e->tail_offset = ring.tail;
	e->wraps = ring.wraps;
	e->used = ring.used;
	e->free = ring.free;
}

unsigned engine_ring_places(const struct gsc_engine *e, const uint64_t *ring,
			    uint64_t places[ENGINE_RING_PLACES])
{
	unsigned count = 0;

	if (!(e->known & GSC_KNOWN_ACTHD) || e->known & GSC_KNOWN_ACTHD_PROCESS)
		return 0;
	if (ring && e->acthd - *ring < e->ring_bytes)
		places[count++] = e->acthd - *ring;
	if (e->acthd < e->ring_bytes)
		places[count++] = e->acthd;
	/*
	 * Does ACTHD look like HEAD, the count of wraps above an offset? i915 of Linux 3.9 to 3.15
	 * assumes that on Gen6 and Gen7 (i915_irq.c, semaphore_waits_for()). Ironlake is read the
	 * same way if the counts of both agree, which plain addresses do only by chance.
	 */
	if (e->known & GSC_KNOWN_HEAD && e->acthd >> 32 == 0 && e->acthd > HEAD_OFFSET &&
	    (e->acthd & ~HEAD_OFFSET) == (e->head & ~HEAD_OFFSET) &&
	    (e->acthd & HEAD_OFFSET) < e->ring_bytes)
		places[count++] = e->acthd & HEAD_OFFSET;
	return count;
}

/* Whose addresses ACTHD has: those of the batch, by BB_STATE, unless it is in the ring. */
static void settle_space(struct hang_engine *engine)
{
	static const char *const fields[] = { "ADDRESS_SPACE_INDICATOR",
					      "BUFFER_SECURITY_INDICATOR" };
	struct gsc_engine *e = &engine->e;
	uint64_t value, bits, places[ENGINE_RING_PLACES], start = e->start & ~UINT64_C(0xfff);
	struct gsc_reg reg;

	if (!(e->known & GSC_KNOWN_ACTHD))
		return;
	if (engine_ring_places(e, e->known & GSC_KNOWN_START ? &start : NULL, places)) {
		e->known |= GSC_KNOWN_ACTHD_RING;
		e->acthd_offset = places[0];
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (engine_field(engine, "BB_STATE", fields[i], &reg, &value, &bits) && bits)
			e->known |= GSC_KNOWN_ACTHD_PROCESS;
}

/* ---- a live engine, watched ----------------------------------------------------------------- */

struct sample {
	uint64_t head, acthd, done;
};

static struct sample take_sample(const struct gsc_hang *hang, const struct gsc_engine *e)
{
	struct gsc_engine now = { .name = e->name };
	struct sample sample = { 0 };

	read_registers(hang, &now);
	hang_read(hang, e->name, "INSTDONE", -1, NULL, &sample.done);
	sample.head = now.head;
	sample.acthd = now.acthd;
	return sample;
}

/* All engines with commands left, together; the first sample is the reference. */
static enum gsc_status watch(struct gsc_hang *hang, struct gsc_error *err)
{
	struct sample *first = calloc(hang->engines.count + 1, sizeof(*first)), now;
	const struct timespec step = { .tv_nsec = WATCH_STEP_MS * 1000000L };
	size_t still = 0;

	if (!first)
		return err_memory(err);
	for (size_t i = 0; i < hang->engines.count; i++) {
		struct hang_engine *engine = &hang->engines.items[i];

		if (!engine_has_work(&engine->e))
			continue;
		first[i] = take_sample(hang, &engine->e);
		engine->motion = MOTION_STANDS;
		still++;
	}
	for (unsigned n = 0; n < WATCH_STEPS && still; n++) {
		nanosleep(&step, NULL);
		for (size_t i = 0; i < hang->engines.count; i++) {
			struct hang_engine *engine = &hang->engines.items[i];

			if (engine->motion != MOTION_STANDS)
				continue;
			engine->watched += WATCH_STEP_MS;
			now = take_sample(hang, &engine->e);
			if (!memcmp(&now, &first[i], sizeof(now)))
				continue;
			engine->motion = MOTION_MOVES;
			still--;
		}
	}
	free(first);
	return GSC_OK;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* A sleeping register reads as 0, even if a running engine shows which units are done. */
static void read_ring(const struct gsc_hang *hang, struct gsc_engine *e)
{
	const unsigned ring = GSC_KNOWN_HEAD | GSC_KNOWN_TAIL | GSC_KNOWN_CONTROL;
	uint64_t done, mode = 0;

	read_registers(hang, e);
	hang_read(hang, e->name, "MI_MODE", -1, NULL, &mode);
	if (!mode && (e->known & ring) == ring && !e->head && !e->tail && !e->control &&
	    !e->start && !e->acthd && !e->ipehr &&
	    hang_read(hang, e->name, "INSTDONE", -1, NULL, &done) && !done)
		e->known = 0;
	measure_ring(hang, e);
}

enum gsc_status engines_watch(struct gsc_hang *hang, struct gsc_error *err)
{
	for (size_t i = 0; i < hang->engines.count; i++)
		read_ring(hang, &hang->engines.items[i].e);
	return watch(hang, err);
}

enum gsc_status hang_engines(struct gsc_hang *hang, struct gsc_error *err)
{
	bool live = gsc_source_live(hang->gpu->source);
	enum gsc_status status = GSC_OK;
	const struct known_command *known;
	uint32_t header;

	for (size_t i = 0; i < hang->engines.count; i++) {
		struct hang_engine *engine = &hang->engines.items[i];

		read_ring(hang, &engine->e);
		settle_space(engine);
		/* As a capture says it for the time when it was made. */
		for (size_t n = 0; n < hang->facts.watched.count && !live; n++) {
			const struct driver_watch *watch = &hang->facts.watched.items[n];

			if (strcmp(engine->e.name, watch->engine) || !engine_has_work(&engine->e))
				continue;
			engine->watched = watch->ms;
			engine->motion = watch->moved ? MOTION_MOVES : MOTION_STANDS;
		}
		/* A header of zero is more probably no command than MI_NOOP. */
		header = (uint32_t)engine->e.ipehr;
		known = engine->e.known & GSC_KNOWN_IPEHR && header && header != UINT32_MAX ?
			command_find(hang->set, engine->class, header) : NULL;
		engine->e.header = known ? known->name : NULL;
	}
	if (live && hang->options.now)
		status = watch(hang, err);
	for (size_t i = 0; i < hang->engines.count && !status; i++)
		if (!engine_read_done(&hang->engines.items[i]))
			status = err_memory(err);
	engines_count(hang);
	for (size_t i = 0; i < hang->engines.count && !status; i++) {
		struct hang_engine *engine = &hang->engines.items[i];

		if (!engine_judge(engine) || !engine_busy(engine))
			status = err_memory(err);
		/* Those of the reset engine are not those of the hang. */
		if (engine->reset) {
			engine->e.known = 0;
			engine->e.header = NULL;
		}
	}
	return status;
}
