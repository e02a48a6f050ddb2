/* SPDX-License-Identifier: MIT */
/*
 * Where commands begin: in a trace, in the buffers of a dump, in the rings that registers describe.
 */
#include "batch/follow.h"
#include "batch/ring.h"

#include "gtt/context.h"
#include "db/resolve.h"
#include "formats/aub.h"

#include <stdio.h>
#include <string.h>

/*
 * A batch may be started again and again: the limit is this many times the number of dwords, but at
 * least so many.
 */
#define TOLD_TIMES 16
#define TOLD_LEAST (4u << 20)

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

static bool ring_read(const struct gsc_gpu *gpu, const char *engine, struct ring *ring)
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

/* ---- one after the other -------------------------------------------------------------------- */

struct ring_iteration {
	struct follower f;
	const struct gsc_gpu *gpu;	/* there may be no source */
	const struct gsc_follow_options *options;
	size_t found;
	size_t noted;			/* of the runs seen: where those of this dump begin */
	char rooted[sizeof(((struct gsc_run *)NULL)->engine)];	/* whose root this is, or "" */
	struct gsc_root root;
	bool has_root;
};

static enum gsc_status visit(struct ring_iteration *t, const struct gsc_gpu *gpu,
			     const struct gsc_root *root, const struct pending *p,
			     struct gsc_error *err)
{
	struct graphics_memory memory;
	enum gsc_status status;

	status = follower_engine(&t->f, p->run.engine, err);
	if (status)
		return status;
	status = graphics_open(&memory, gpu, t->options->root ? t->options->root : root, err);
	if (!status) {
		t->f.memory = &memory;
		t->found++;
		status = follow(&t->f, p, err);
	}
	graphics_close(&memory);
	t->f.memory = NULL;
	return status;
}

static bool wanted(const struct ring_iteration *t, const char *engine)
{
	const char *name = t->options->engine;

	return !name || engine_meant(name, engine);
}

bool batch_loop(struct gsc_commands *set, const struct gsc_gpu *gpu, const char *engine,
		uint64_t address, bool process, struct batch_loop *loop)
{
	static const struct gsc_follow_options options;
	static const struct gsc_listener listener;
	struct pending p = {
		.limit = UINT64_MAX,
		.run = { .kind = GSC_RUN_BATCH, .process = process, .address = address },
	};
	struct graphics_memory memory;
	struct gsc_root root;
	struct follower f;
	bool loops = false, has_root = !gsc_root_engine(gpu, engine, &root, NULL);

	string_set(p.run.engine, "%s", engine);
	if (!follower_init(&f, set, &options, &listener, NULL) &&
	    !follower_engine(&f, engine, NULL)) {
		if (!graphics_open(&memory, gpu, has_root ? &root : NULL, NULL)) {
			f.memory = &memory;
			loops = follow_loops(&f, &p, loop);
		}
		graphics_close(&memory);
	}
	follower_free(&f);
	return loops;
}

/* ---- traces --------------------------------------------------------------------------------- */

static enum gsc_status visit_context(struct ring_iteration *t, const struct gsc_gpu *moment,
				     const struct engine *engine, uint64_t descriptor,
				     unsigned number, struct gsc_error *err)
{
	struct context_image *image = malloc(sizeof(*image));
	struct ring ring;
	struct gsc_root root;
	struct pending p;
	enum gsc_status status;

	if (!image)
		return err_memory(err);
	status = context_read(moment, descriptor, image, err);
	if (status || !ring_in_context(t->gpu->view, engine, image, &ring)) {
		free(image);
		t->f.status = GSC_PARTIAL;
		return GSC_OK;
	}
	status = context_image_root(moment, image, descriptor, &root, err);
	free(image);
	p = ring_rest(engine->name, &ring, number);
	return visit(t, moment, status ? NULL : &root, &p, err);
}

static enum gsc_status visit_ring(struct ring_iteration *t, const struct gsc_gpu *moment,
				  const char *engine, const struct pending *p,
				  struct gsc_error *err)
{
	struct gsc_root root;
	enum gsc_status status = gsc_root_engine(moment, engine, &root, NULL);

	return visit(t, moment, status ? NULL : &root, p, err);
}

static enum gsc_status visit_submission(struct ring_iteration *t, const struct gsc_gpu *moment,
					const struct aub *aub, const struct aub_submission *s,
					unsigned number, struct gsc_error *err)
{
	struct pending p = { .run = { .kind = GSC_RUN_RING, .privileged = true } };
	struct engine engine;
	struct ring ring;
	enum gsc_status status;
	bool found;

	for (size_t i = 0; (found = engine_at(t->gpu->view, i, &engine)); i++)
		if (!strcmp(engine.name, s->engine))
			break;
	if (!found || !wanted(t, s->engine))
		return GSC_OK;
	status = aub_source_move(moment->source, s, err);
	if (status)
		return status;
	seen_clear(&t->f.seen);
	if (s->way == AUB_COMMANDS) {
		string_set(p.run.engine, "%s", s->engine);
		p.run.address = s->ring;
		p.run.submission = number;
		p.words = (const uint32_t *)(const void *)(aub->data + s->ring_data);
		p.count = s->ring_bytes / 4;
		return visit_ring(t, moment, s->engine, &p, err);
	}
	if (s->way == AUB_TAIL && ring_read(moment, s->engine, &ring)) {
		p = ring_rest(s->engine, &ring, number);
		return visit_ring(t, moment, s->engine, &p, err);
	}
	if (s->way == AUB_TAIL)
		t->f.status = GSC_PARTIAL;
	for (unsigned i = 0; s->way == AUB_EXECLIST && i < 2 && !status && !t->f.enough; i++)
		if (s->descriptor[i])
			status = visit_context(t, moment, &engine, s->descriptor[i], number, err);
	return status;
}

static enum gsc_status visit_trace(struct ring_iteration *t, const struct aub *aub,
				   struct gsc_error *err)
{
	aub_submission_vec submissions = { 0 };
	enum gsc_status status = aub_submissions(aub, t->gpu->view, &submissions, err);
	struct gsc_source *source = NULL;
	struct gsc_gpu moment = *t->gpu;

	if (submissions.count)
		status = aub_source_at(t->gpu->source, &submissions.items[0], &source, err);
	moment.source = source;
	for (size_t i = 0; i < submissions.count && !status && !t->f.enough; i++)
		status = visit_submission(t, &moment, aub, &submissions.items[i], (unsigned)i + 1,
					  err);
	gsc_source_close(source);
	vec_free(&submissions);
	return status;
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
static bool note_batches(struct ring_iteration *t, size_t part)
{
	struct gsc_buffer_origin b;

	for (size_t i = 0; gsc_source_buffer(t->gpu->source, part, i, &b); i++) {
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
static void note_start(struct ring_iteration *t, const struct pending *ring,
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
static enum gsc_status note_starts(struct ring_iteration *t, size_t part, struct gsc_error *err)
{
	struct gsc_buffer_origin b;
	struct gsc_command c;
	struct pending next;
	enum gsc_status status;

	for (size_t i = 0; gsc_source_buffer(t->gpu->source, part, i, &b); i++) {
		struct pending p = buffer_run(&b, buffer_engine(t->gpu->view, &b));
		struct gsc_stream s = { .set = t->f.set, .words = p.words, .count = p.count,
					.address = p.run.address };

		if (b.kind != GSC_BUFFER_RING || !wanted(t, p.run.engine) || (uintptr_t)b.data % 4)
			continue;
		status = follower_engine(&t->f, p.run.engine, err);
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

static enum gsc_status visit_buffers(struct ring_iteration *t, size_t part, struct gsc_error *err)
{
	const struct gsc_run *seen;
	struct gsc_buffer_origin b;
	struct gsc_mark marks[3];
	enum gsc_status status;

	t->noted = t->f.seen.items.count;
	if (!note_batches(t, part))
		return err_memory(err);
	status = note_starts(t, part, err);
	for (size_t i = 0;
	     gsc_source_buffer(t->gpu->source, part, i, &b) && !status && !t->f.enough; i++) {
		const char *engine = buffer_engine(t->gpu->view, &b);
		struct pending p = buffer_run(&b, engine);

		if (!has_commands(&b) || !wanted(t, engine) || (uintptr_t)b.data % 4)
			continue;
		/* The command of the ring that starts a batch, if there is one. */
		seen = p.run.kind == GSC_RUN_RING ? NULL
						  : seen_of_engine(&t->f.seen, &p.run, t->noted);
		if (seen) {
			p.run.started = seen->started;
			p.run.from = seen->from;
		}
		if (!t->options->mark_count) {
			t->f.marks = marks;
			t->f.mark_count = buffer_marks(&b, marks);
		}
		if (b.flags & GSC_BUFFER_CUT)
			t->f.status = GSC_PARTIAL;
		/* A dump may have tens of thousands of buffers of one engine in a row. */
		if (strcmp(t->rooted, engine)) {
			t->has_root = !gsc_root_engine(t->gpu, engine, &t->root, NULL);
			string_set(t->rooted, "%s", engine);
		}
		status = visit(t, t->gpu, t->has_root ? &t->root : NULL, &p, err);
	}
	return status;
}

/* ---- rings in registers ---------------------------------------------------------------------- */

/* Gen8+ has the upper half in a separate register. */
static bool active_head(const struct gsc_gpu *gpu, const char *engine, uint64_t *acthd)
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

static enum gsc_status visit_registers(struct ring_iteration *t, const struct engine *engine,
				       struct gsc_error *err)
{
	struct gsc_mark marks[3] = { { .name = "HEAD" }, { .name = "TAIL" }, { .name = "ACTHD" } };
	struct ring ring;
	struct pending p;

	if (!ring_read(t->gpu, engine->name, &ring))
		return GSC_OK;
	/* All of it: what has been executed is still of interest after a hang. */
	p = ring_rest(engine->name, &ring, 0);
	p.run.address = p.ring;
	p.limit = p.ring_bytes;
	p.ring_bytes = 0;
	p.active_only = true;
	seen_clear(&t->f.seen);		/* the next engine may be of another process */
	if (!t->options->mark_count) {
		marks[0].address = p.head;
		marks[1].address = p.tail;
		t->f.marks = marks;
		t->f.mark_count = 2 + active_head(t->gpu, engine->name, &marks[2].address);
	}
	return visit_ring(t, t->gpu, engine->name, &p, err);
}

static enum gsc_status iteration_begin(struct ring_iteration *t, struct gsc_commands *set,
				  const struct gsc_gpu *gpu,
				  const struct gsc_follow_options *options,
				  const struct gsc_listener *listener, struct gsc_error *err)
{
	const struct aub *aub = gpu->source ? source_aub(gpu->source) : NULL;
	enum gsc_status status;

	*t = (struct ring_iteration){ .gpu = gpu, .options = options };
	status = follower_init(&t->f, set, options, listener, err);
	/* Only a trace submits the same batch again. */
	if (aub)
		t->f.budget = MAX(aub->size / 4 * (uint64_t)TOLD_TIMES, (uint64_t)TOLD_LEAST);
	t->f.marks = options->marks;
	t->f.mark_count = options->mark_count;
	return status;
}

static enum gsc_status iteration_end(struct ring_iteration *t, enum gsc_status status)
{
	enum gsc_status partial = t->f.status;

	follower_free(&t->f);
	return status ? status : partial;
}

enum gsc_status gsc_follow_all(struct gsc_commands *set, const struct gsc_gpu *gpu,
			       const struct gsc_follow_options *options,
			       const struct gsc_listener *listener, struct gsc_error *err)
{
	const struct aub *aub = source_aub(gpu->source);
	struct engine engine;
	enum gsc_status status;
	struct ring_iteration t;
	bool dumped;

	status = iteration_begin(&t, set, gpu, options, listener, err);
	if (!status)
		status = follower_engine(&t.f, options->engine, err);
	if (!status && aub)
		status = visit_trace(&t, aub, err);
	for (size_t i = 0; i < gsc_source_count(gpu->source) && !status && !t.f.enough; i++)
		status = visit_buffers(&t, i, err);
	dumped = t.found;
	for (size_t i = 0; !dumped && engine_at(set->view, i, &engine) && !status && !t.f.enough;
	     i++)
		if (wanted(&t, engine.name))
			status = visit_registers(&t, &engine, err);
	if (!status && !t.found)
		status = err_set(err, GSC_UNKNOWN, options->engine ? options->engine : "commands",
				 "the source has no ring or batch; name a FILE or give -a");
	return iteration_end(&t, status);
}

/* Runs that the user asked for, on the engine asked for. */
struct asked {
	struct ring_iteration t;
	const char *engine;
	struct gsc_root root;
	struct gsc_mark mark;
	bool has_root;
};

static enum gsc_status asked_begin(struct asked *a, struct gsc_commands *set,
				   const struct gsc_gpu *gpu,
				   const struct gsc_follow_options *options,
				   const struct gsc_listener *listener, struct gsc_error *err)
{
	enum gsc_status status;

	status = iteration_begin(&a->t, set, gpu, options, listener, err);
	if (!status)
		status = engine_by_name(set->view, options->engine, &a->engine, err);
	if (status)
		return status;
	a->has_root = gpu->source && !gsc_root_engine(a->t.gpu, a->engine, &a->root, NULL);
	if (!options->mark_count && gpu->source &&
	    active_head(a->t.gpu, a->engine, &a->mark.address)) {
		a->mark.name = "ACTHD";
		a->t.f.marks = &a->mark;
		a->t.f.mark_count = 1;
	}
	return GSC_OK;
}

static enum gsc_status asked_visit(struct asked *a, struct pending *p, struct gsc_error *err)
{
	string_set(p->run.engine, "%s", a->engine);
	return visit(&a->t, a->t.gpu, a->has_root ? &a->root : NULL, p, err);
}

static enum gsc_status follow_one(struct gsc_commands *set, const struct gsc_gpu *gpu,
				  struct pending *p, const struct gsc_follow_options *options,
				  const struct gsc_listener *listener, struct gsc_error *err)
{
	struct asked a = { .engine = NULL };
	enum gsc_status status = asked_begin(&a, set, gpu, options, listener, err);

	a.t.f.hand = p;
	if (!options->held_count)
		a.t.f.hand_left = p->count;
	if (!status)
		status = asked_visit(&a, p, err);
	return iteration_end(&a.t, status);
}

static struct pending words_run(uint64_t address, const uint32_t *words, size_t count)
{
	return (struct pending){
		.run = { .kind = GSC_RUN_DWORDS, .address = address, .privileged = true },
		.words = words,
		.count = count,
	};
}

enum gsc_status gsc_follow_held(struct gsc_commands *set, const struct gsc_gpu *gpu,
				const struct gsc_follow_options *options,
				const struct gsc_listener *listener, struct gsc_error *err)
{
	struct asked a = { .engine = NULL };
	enum gsc_status status = asked_begin(&a, set, gpu, options, listener, err);
	struct seen told = { .bucket_count = 0 };

	a.t.f.hand_left = MAX(TOLD_TIMES * a.t.f.hand_left, (size_t)TOLD_LEAST);
	for (size_t i = 0; i < options->held_count && !status && !a.t.f.enough; i++) {
		const struct gsc_words *s = &options->held[i];
		struct gsc_run place = { .address = s->address };
		struct pending p = words_run(s->address, s->words, s->count);

		if (seen_find(&told, &place))
			continue;
		status = asked_visit(&a, &p, err);
		/* A stretch that is a batch of an earlier one is not shown again on its own. */
		for (size_t k = 0; !status && k < a.t.f.seen.items.count; k++) {
			place.address = a.t.f.seen.items.items[k].address;
			if (a.t.f.seen.items.items[k].started && !seen_find(&told, &place) &&
			    !seen_add(&told, &place))
				status = err_memory(err);
		}
		seen_clear(&a.t.f.seen);
	}
	seen_free(&told);
	return iteration_end(&a.t, status);
}

enum gsc_status gsc_follow_words(struct gsc_commands *set, const struct gsc_gpu *gpu,
				 uint64_t address, const uint32_t *words, size_t count,
				 const struct gsc_follow_options *options,
				 const struct gsc_listener *listener, struct gsc_error *err)
{
	struct pending p = words_run(address, words, count);

	return follow_one(set, gpu, &p, options, listener, err);
}

enum gsc_status gsc_follow_address(struct gsc_commands *set, const struct gsc_gpu *gpu,
				   uint64_t address, bool process,
				   const struct gsc_follow_options *options,
				   const struct gsc_listener *listener, struct gsc_error *err)
{
	struct pending p = {
		.run = { .kind = GSC_RUN_BATCH, .address = address, .process = process,
			 .privileged = true },
		.limit = UINT64_MAX,
	};

	return follow_one(set, gpu, &p, options, listener, err);
}
