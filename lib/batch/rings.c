/* SPDX-License-Identifier: MIT */
/*
 * Where commands begin: in a trace, in the buffers of a dump, in the rings that registers describe.
 */
#include "batch/following.h"
#include "batch/ring.h"
#include "open/open.h"

#include "gtt/context.h"
#include "db/resolve.h"
#include "formats/aub.h"
#include "formats/facts.h"

/* ---- registers ------------------------------------------------------------------------------ */

struct engine {
	const char *name;
	struct gsc_engine_place is;
};

/* The i-th engine of the platform. */
static bool engine_at(const struct gsc_view *view, size_t i, struct engine *engine)
{
	return (engine->name = gsc_platform_engine(view->db, view->platform, i, &engine->is));
}

/* What the driver knows of it, in the memory of a machine: HEAD is not among that. */
static bool ring_in_memory(const struct gsc_gpu *gpu, const char *engine, struct ring *ring)
{
	const struct driver_ring *known = driver_ring(gpu->source, engine);

	if (!known || !known->bytes)
		return false;
	*ring = (struct ring){ .start = known->start, .bytes = known->bytes, .enabled = true,
			       .head = known->head, .tail = known->tail, .requested = true };
	return true;
}

static bool ring_registers(const struct gsc_gpu *gpu, const char *engine, struct ring *ring)
{
	const uint64_t *values[RING_REGISTERS];
	uint64_t value[RING_REGISTERS];
	struct gsc_reg reg;

	for (unsigned i = 0; i < RING_REGISTERS; i++) {
		if (!ring_find(gpu->view, engine, i, &reg))
			return false;
		values[i] = gsc_gpu_read(gpu, &reg, &value[i]) ? NULL : &value[i];
		/*
		 * On Gen4 and Gen5 reading the tail is hazardous: no command is taken to be
		 * waiting.
		 */
		if (!values[i] && i != RING_TAIL)
			return false;
	}
	*ring = (struct ring){ 0 };
	ring_of_registers(ring, gpu->view, engine, values);
	if (!values[RING_TAIL])
		ring->tail = ring->head;
	return ring->enabled && ring->bytes;
}

static bool ring_read(const struct gsc_gpu *gpu, const char *engine, struct ring *ring)
{
	return ring_registers(gpu, engine, ring) || ring_in_memory(gpu, engine, ring);
}

/* The same, from the image of a context. */
static bool ring_in_context(const struct gsc_view *view, const struct engine *engine,
			    const struct context_image *image, struct ring *ring)
{
	const uint64_t *values[RING_REGISTERS];
	uint64_t value[RING_REGISTERS];
	struct gsc_reg reg;
	uint32_t loaded;

	for (unsigned i = 0; i < RING_REGISTERS; i++) {
		if (!ring_find(view, engine->name, i, &reg) ||
		    !context_value(image, (uint32_t)reg.offset - engine->is.base, &loaded))
			return false;
		value[i] = loaded;
		values[i] = &value[i];
	}
	*ring = (struct ring){ 0 };
	ring_of_registers(ring, view, engine->name, values);
	return ring->bytes;
}

/* What was put into the ring and not yet executed. */
static struct pending ring_rest(const char *engine, const struct ring *ring, unsigned submission)
{
	struct pending p = {
		.run = { .kind = GSC_RUN_RING, .privileged = true, .submission = submission },
		.ring = ring->start,
		.ring_bytes = ring->bytes,
	};

	string_set(p.run.engine, "%s", engine);
	p.head = p.ring + ring->head % p.ring_bytes;
	p.tail = p.ring + ring->tail % p.ring_bytes;
	p.run.address = p.head;
	p.limit = (p.tail + p.ring_bytes - p.head) % p.ring_bytes;
	return p;
}

/* ---- traces --------------------------------------------------------------------------------- */

static void visit_context(struct following *t, const struct engine *engine, uint64_t descriptor,
			  unsigned number)
{
	struct context_image *image = malloc(sizeof(*image));
	struct ring ring;
	struct gsc_root root;
	struct pending p;
	enum gsc_status status;

	if (!image) {
		t->status = err_memory(&t->err);
		return;
	}
	status = context_read(&t->moment, descriptor, image, &t->err);
	if (status || !ring_in_context(t->gpu->view, engine, image, &ring)) {
		free(image);
		t->f.status = GSC_PARTIAL;
		return;
	}
	status = context_image_root(&t->moment, image, descriptor, &root, &t->err);
	free(image);
	p = ring_rest(engine->name, &ring, number);
	visit(t, &t->moment, status ? NULL : &root, &p);
}

static void visit_ring(struct following *t, const struct gsc_gpu *gpu, const char *engine,
		       const struct pending *p)
{
	struct gsc_root root;
	enum gsc_status status = gsc_root_engine(gpu, engine, &root, NULL);

	visit(t, gpu, status ? NULL : &root, p);
}

/* What a submission of commands, or one that moves the tail, hands over. */
static void visit_rest(struct following *t, const struct aub_submission *s, unsigned number)
{
	const struct aub *aub = source_aub(t->gpu->source);
	struct pending p = { .run = { .kind = GSC_RUN_RING, .privileged = true } };
	struct ring ring;

	if (s->way == AUB_COMMANDS) {
		string_set(p.run.engine, "%s", s->engine);
		p.run.address = s->ring;
		p.run.submission = number;
		p.words = (const uint32_t *)(const void *)(aub->data + s->ring_data);
		p.count = s->ring_bytes / 4;
	} else if (ring_read(&t->moment, s->engine, &ring)) {
		p = ring_rest(s->engine, &ring, number);
	} else {
		t->f.status = GSC_PARTIAL;
		return;
	}
	visit_ring(t, &t->moment, s->engine, &p);
}

bool read_trace(struct following *t)
{
	const struct aub *aub = source_aub(t->gpu->source);
	struct gsc_source *moment = NULL;

	if (!aub)
		return false;
	t->status = aub_submissions(aub, t->gpu->view, &t->submissions, &t->err);
	if (t->submissions.count)
		t->status = aub_source_at(t->gpu->source, &t->submissions.items[0], &moment,
					  &t->err);
	t->moment = *t->gpu;
	t->moment.source = moment;
	return false;
}

/* Both contexts of an execlist; other submissions have one place. */
bool next_submission(struct following *t)
{
	size_t i = t->port / 2, port = t->port % 2;
	const struct aub_submission *s;
	struct engine engine;
	bool found;

	if (i == t->submissions.count)
		return false;
	t->port++;
	s = &t->submissions.items[i];
	for (size_t k = 0; (found = engine_at(t->gpu->view, k, &engine)); k++)
		if (!strcmp(engine.name, s->engine))
			break;
	if (!found || !wanted(t, s->engine))
		return true;
	if (!port) {
		t->status = aub_source_move(t->moment.source, s, &t->err);
		seen_clear(&t->f.seen);
	}
	if (t->status)
		return true;
	if (s->way == AUB_EXECLIST && s->descriptor[port])
		visit_context(t, &engine, s->descriptor[port], (unsigned)i + 1);
	else if (!port && (s->way == AUB_COMMANDS || s->way == AUB_TAIL))
		visit_rest(t, s, (unsigned)i + 1);
	return true;
}

/* ---- what dumps hold ------------------------------------------------------------------------ */

static bool has_commands(const struct gsc_buffer_origin *b)
{
	return b->kind == GSC_BUFFER_RING || b->kind == GSC_BUFFER_BATCH ||
	       b->kind == GSC_BUFFER_WA_BATCH;
}

/* Where the engine of a buffer was: all rings and batches of one engine share it. */
static size_t buffer_marks(const struct gsc_buffer_origin *b, struct gsc_mark marks[3])
{
	uint64_t ring = b->kind == GSC_BUFFER_RING ? b->address : b->start;
	size_t count = 0;

	if (b->flags & GSC_BUFFER_HEAD)
		marks[count++] = (struct gsc_mark){ "HEAD", ring + b->head };
	if (b->flags & GSC_BUFFER_TAIL)
		marks[count++] = (struct gsc_mark){ "TAIL", ring + b->tail };
	if (b->flags & GSC_BUFFER_ACTHD)
		marks[count++] = (struct gsc_mark){ "ACTHD", b->acthd & ~UINT64_C(3) };
	return count;
}

static const char *buffer_engine(const struct gsc_view *view, const struct gsc_buffer_origin *b)
{
	const char *first;

	if (*b->engine)
		return b->engine;
	return engine_by_name(view, NULL, &first, NULL) ? "" : first;
}

static struct pending buffer_run(const struct gsc_buffer_origin *b, const char *engine)
{
	struct pending p = { .limit = b->length };

	string_set(p.run.engine, "%s", engine);
	p.run.kind = b->kind == GSC_BUFFER_RING ? GSC_RUN_RING : GSC_RUN_BATCH;
	p.run.process = b->space == GSC_PPGTTMEM;
	p.run.privileged = b->kind != GSC_BUFFER_BATCH;
	p.run.address = b->address;
	p.words = b->data;
	p.count = b->length / 4;
	p.active_only = b->kind == GSC_BUFFER_RING && b->flags & GSC_BUFFER_HEAD &&
			b->flags & GSC_BUFFER_TAIL;
	p.head = b->address + b->head;
	p.tail = b->address + b->tail;
	return p;
}

/* A batch that the dump has on its own is not shown again where a ring starts it. */
static bool note_batches(struct following *t)
{
	struct gsc_buffer_origin b;

	for (size_t i = 0; gsc_source_buffer(t->gpu->source, t->part, i, &b); i++) {
		struct gsc_run run;

		if (!has_commands(&b) || b.kind == GSC_BUFFER_RING)
			continue;
		run = buffer_run(&b, buffer_engine(t->gpu->view, &b)).run;
		if (!seen_of_engine(&t->f.seen, &run, t->noted) && !seen_add(&t->f.seen, &run))
			return false;
	}
	return true;
}

/* If several commands start the same batch, it was the last one before HEAD. */
static void note_start(struct following *t, const struct pending *ring,
		       const struct gsc_run *run)
{
	struct gsc_run *seen = seen_of_engine(&t->f.seen, run, t->noted);
	uint64_t bytes = ring->count * 4;

	if (!seen || (seen->started && (ring->head - 1 - run->from + bytes) % bytes >
					       (ring->head - 1 - seen->from + bytes) % bytes))
		return;
	seen->started = true;
	seen->from = run->from;
}

/* The part of its ring that started a batch which the dump has on its own. */
static enum gsc_status note_starts(struct following *t)
{
	struct gsc_buffer_origin b;
	struct gsc_command c;
	struct pending next;
	enum gsc_status status;

	for (size_t i = 0; gsc_source_buffer(t->gpu->source, t->part, i, &b); i++) {
		struct pending p = buffer_run(&b, buffer_engine(t->gpu->view, &b));
		struct gsc_stream s = { .set = t->f.set, .words = p.words, .count = p.count,
					.address = p.run.address };

		if (b.kind != GSC_BUFFER_RING || !wanted(t, p.run.engine) || (uintptr_t)b.data % 4)
			continue;
		status = follower_engine(&t->f, p.run.engine, &t->err);
		if (status)
			return status;
		s.engine_class = t->f.engine_class;
		while (gsc_stream_next(&s, &c)) {
			const struct known_command *known = c.known;

			if (!known || known->role != ROLE_START ||
			    !follow_started(&t->f, &p, &c, &next))
				continue;
			note_start(t, &p, &next.run);
		}
	}
	return GSC_OK;
}

static void visit_buffer(struct following *t, const struct gsc_buffer_origin *b)
{
	const char *engine = buffer_engine(t->gpu->view, b);
	struct pending p = buffer_run(b, engine);
	const struct gsc_run *seen;

	if (!has_commands(b) || !wanted(t, engine) || (uintptr_t)b->data % 4)
		return;
	/* The command of the ring that starts a batch, if there is one. */
	seen = p.run.kind == GSC_RUN_RING ? NULL : seen_of_engine(&t->f.seen, &p.run, t->noted);
	if (seen) {
		p.run.started = seen->started;
		p.run.from = seen->from;
	}
	if (!t->options.mark_count) {
		t->f.marks = t->marks;
		t->f.mark_count = buffer_marks(b, t->marks);
	}
	if (b->flags & GSC_BUFFER_CUT)
		t->f.status = GSC_PARTIAL;
	/* A dump may have tens of thousands of buffers of one engine in a row. */
	if (strcmp(t->rooted, engine)) {
		t->has_root = !gsc_root_engine(t->gpu, engine, &t->root, NULL);
		string_set(t->rooted, "%s", engine);
	}
	visit(t, t->gpu, t->has_root ? &t->root : NULL, &p);
}

bool next_buffer(struct following *t)
{
	struct gsc_source *source = t->gpu->source;
	struct gsc_buffer_origin b;

	if (t->part == gsc_source_count(source))
		return false;
	if (!t->buffer) {
		t->noted = t->f.seen.items.count;
		t->status = note_batches(t) ? note_starts(t) : err_memory(&t->err);
	}
	if (t->status)
		return true;
	if (gsc_source_buffer(source, t->part, t->buffer, &b)) {
		t->buffer++;
		visit_buffer(t, &b);
		return true;
	}
	t->part++;
	t->buffer = 0;
	return true;
}

/* ---- rings in registers ---------------------------------------------------------------------- */

/* Gen8+ has the upper half in a separate register. */
bool active_head(const struct gsc_gpu *gpu, const char *engine, uint64_t *acthd)
{
	uint64_t upper = 0;
	struct gsc_reg reg;

	if (gpu_read_named(gpu, engine, "ACTHD", -1, NULL, acthd))
		return false;
	if (gpu_find(gpu, engine, "ACTHD_UDW", -1, &reg) && gsc_gpu_read(gpu, &reg, &upper))
		return false;
	*acthd = upper << 32 | (*acthd & ~UINT64_C(3));
	return true;
}

static void visit_registers(struct following *t, const struct engine *engine)
{
	struct gsc_mark *marks = t->marks;
	struct ring ring;
	struct pending p;

	if (!ring_read(t->gpu, engine->name, &ring))
		return;
	/* All of it: what has been executed is still of interest after a hang. */
	p = ring_rest(engine->name, &ring, 0);
	p.run.address = p.ring;
	p.limit = p.ring_bytes;
	p.ring_bytes = 0;
	p.active_only = true;
	seen_clear(&t->f.seen);		/* the next engine may be of another process */
	if (!t->options.mark_count) {
		marks[0] = (struct gsc_mark){ ring.requested ? "REQUEST" : "HEAD", p.head };
		marks[1] = (struct gsc_mark){ "TAIL", p.tail };
		marks[2] = (struct gsc_mark){ .name = "ACTHD" };
		t->f.marks = marks;
		t->f.mark_count = 2 + active_head(t->gpu, engine->name, &marks[2].address);
	}
	visit_ring(t, t->gpu, engine->name, &p);
}

bool next_engine(struct following *t)
{
	struct engine engine;

	if (!t->engine)
		t->dumped = t->found;
	if (t->dumped || !engine_at(t->gpu->view, t->engine++, &engine))
		return false;
	if (wanted(t, engine.name))
		visit_registers(t, &engine);
	return true;
}
