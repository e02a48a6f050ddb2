/* SPDX-License-Identifier: MIT */
/*
 * Finds the command where each engine stopped. Goes once over the rings and batches of the source,
 * looks for the pointer of each engine in those of that engine, and, if none contains it, in any
 * buffer. A job without registers stopped in its loop, if it has one without a way out. ACTHD is
 * often already past the command being executed; IPEHR, that command's header, says which of the
 * two it is.
 */
#include "hang/engine.h"

#include "util/text.h"
#include "batch/follow.h"

/* So many commands are listed before the one where an engine stopped. */
#define LEAD 8

/* A command that contains the pointer, or ends where it points to. */
struct candidate {
	unsigned score;			/* 0: none; otherwise higher is better */
	uint64_t lead;			/* the command with which a listing of it should begin */
	uint32_t *words;
	struct gsc_command command;
	struct gsc_run run;
	uint64_t offset;
};

/* What is farther from a buffer has nothing to do with it. */
#define NEAR (UINT64_C(1) << 20)

enum { SCORE_FOUND = 1, SCORE_SPACE = 2, SCORE_AGREES = 4 };

/* An engine and what has been found about it. */
struct target {
	struct hang_engine *engine;
	bool by_head;			/* ACTHD is unknown: the search is for HEAD */
	uint64_t pointer;
	struct candidate in, behind;
	size_t runs;
	bool has_below;			/* the run that begins last before the pointer, */
	struct gsc_run below;
	uint64_t into;			/* and how far after its beginning that is */
	uint64_t starts;		/* the batch that the ring started last before HEAD, */
	uint64_t start_at;		/* and the command that did; 0: not found */
	bool loops;			/* a command after the pointer jumps back before it: */
	uint64_t loop_at, loop_to, loop_run;	/* where, to where, and in which run */
	bool proved;			/* what was executed never ends: it comes back to */
	struct batch_loop proof;	/* this command, perhaps by way of other batches; */
	bool polls;			/* or it comes to this one, which polls memory */
	bool has_exit;			/* a batch jumps out of itself before the pointer: */
	uint64_t exit_at, exit_to;	/* the nearest, where it is, and to where */
};

struct search {
	struct gsc_hang *hang;
	struct target *targets;
	size_t count;
	struct target *now;		/* whose run is reported, or NULL */
	uint64_t address[1 + ENGINE_RING_PLACES];	/* where in this run the pointer may be */
	unsigned addresses;
	uint64_t before[LEAD];		/* commands of this run, the last one at [befores - 1] */
	unsigned befores;		/* modulo LEAD */
	bool no_memory;
};

/* ---- looking -------------------------------------------------------------------------------- */

static uint64_t ring_begin(const struct gsc_engine *e, const struct gsc_run *run)
{
	return e->known & GSC_KNOWN_START ? e->start & ~UINT64_C(0xfff) : run->address;
}

static bool begin(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct search *s = context;
	uint64_t ring, places[ENGINE_RING_PLACES];
	const struct gsc_engine *e;
	struct target *t = NULL;
	unsigned count;

	for (size_t i = 0; i < s->count && !t; i++)
		if (!strcmp(s->targets[i].engine->e.name, run->engine))
			t = &s->targets[i];
	s->now = t;
	s->befores = s->addresses = 0;
	if (!t)
		return true;
	e = &t->engine->e;
	t->runs++;
	if (!t->by_head)
		s->address[s->addresses++] = t->pointer;
	if (run->kind != GSC_RUN_RING)
		return true;
	ring = ring_begin(e, run);
	if (t->by_head && t->pointer < e->ring_bytes)
		s->address[s->addresses++] = ring + t->pointer;
	count = engine_ring_places(e, &ring, places);
	for (unsigned i = 0; i < count; i++)
		if (ring + (places[i] & ~UINT64_C(3)) != t->pointer)
			s->address[s->addresses++] = ring + (places[i] & ~UINT64_C(3));
	return true;
}

static bool keep(struct search *s, struct candidate *found, const struct gsc_run *run,
		 const struct gsc_command *c, uint64_t offset)
{
	const struct gsc_engine *e = &s->now->engine->e;
	unsigned score = SCORE_FOUND;
	uint32_t *words;

	if (run->process == !!(e->known & GSC_KNOWN_ACTHD_PROCESS))
		score += SCORE_SPACE;
	if (e->known & GSC_KNOWN_IPEHR && c->count && c->words[0] == (uint32_t)e->ipehr)
		score += SCORE_AGREES;
	if (score <= found->score)
		return true;
	words = malloc(c->count * 4 + 4);
	s->no_memory |= !words;
	if (!words)
		return false;
	memcpy(words, c->words, c->count * 4);
	free(found->words);
	*found = (struct candidate){ .score = score, .words = words, .command = *c, .run = *run,
				 .offset = offset, .lead = c->address };
	if (s->befores)
		found->lead = s->before[s->befores < LEAD ? 0 : s->befores % LEAD];
	found->command.words = words;
	found->command.marks = NULL;
	found->command.mark_count = 0;
	return true;
}

/*
 * Does a batch jump back so that the pointer is reached again? The innermost such jump counts. Or
 * does it jump elsewhere, from where the pointer may have been reached?
 */
static void note_jump(const struct search *s, struct target *t, const struct gsc_run *run,
		      const struct gsc_command *c, uint64_t to)
{
	uint64_t end = c->address + (uint64_t)c->count * 4;
	bool back = to <= c->address && to >= run->address, out = to - run->address >= run->length;

	for (unsigned i = 0; i < s->addresses; i++) {
		uint64_t at = s->address[i];

		if (back && at >= to && at < end && !(t->loops && t->loop_to >= to)) {
			t->loops = true;
			t->loop_at = c->address;
			t->loop_to = to;
			t->loop_run = run->address;
		}
		if (out && to <= at && !(t->has_exit && to <= t->exit_to)) {
			t->has_exit = true;
			t->exit_at = c->address;
			t->exit_to = to;
		}
	}
}

/* A second-level batch returns; the first bits are those of all generations that have it. */
#define SECOND_LEVEL (1u << 22)

static void note_batch_start(const struct search *s, const struct gsc_run *run,
			     const struct gsc_command *c)
{
	const struct known_command *known = c->known;
	uint64_t to, next = c->address + (uint64_t)c->count * 4;
	struct target *t = s->now;
	const struct gsc_engine *e = &t->engine->e;

	t->engine->ring_seen |= run->kind == GSC_RUN_RING && e->known & GSC_KNOWN_HEAD;
	if (c->count < 2 || !known || known->role != ROLE_START)
		return;
	/* Where it continues. */
	to = (c->words[1] & ~3u) | (c->count > 2 ? (uint64_t)c->words[2] << 32 : 0);
	to = plain_address(to);
	if (run->kind != GSC_RUN_RING) {
		if (!(c->words[0] & SECOND_LEVEL))
			note_jump(s, t, run, c, to);
		return;
	}
	if (!(e->known & GSC_KNOWN_HEAD) || next > run->address + e->head_offset)
		return;
	t->engine->has_start = true;
	t->engine->start_at = c->address - run->address;
	/* In a dump a batch is separate: the command before HEAD says where it was started. */
	if (next == run->address + e->head_offset) {
		t->starts = to;
		t->start_at = c->address;
	}
}

static bool command(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	const struct gsc_command *c = item->command;
	struct search *s = context;
	uint64_t bytes = (uint64_t)c->count * 4;

	if (s->now)
		note_batch_start(s, run, c);
	for (unsigned i = 0; s->now && i < s->addresses; i++) {
		uint64_t offset = s->address[i] - c->address;

		if (offset < bytes && !keep(s, &s->now->in, run, c, offset))
			return false;
		if (offset == bytes && !keep(s, &s->now->behind, run, c, offset))
			return false;
	}
	s->before[s->befores++ % LEAD] = c->address;
	return true;
}

/* A command in blank memory is none. */
static void complete(struct candidate *found, const struct gsc_run *run)
{
	if (!found->score || found->run.address != run->address ||
	    found->run.kind != run->kind || found->run.process != run->process)
		return;
	found->run = *run;
	if (run->end == GSC_RUN_BLANK && found->command.address - run->address >= run->length)
		found->score = 0;
}

static bool end(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct search *s = context;
	struct target *t = s->now;

	if (!t)
		return true;
	complete(&t->in, run);
	complete(&t->behind, run);
	for (unsigned i = 0; i < s->addresses; i++) {
		uint64_t into = s->address[i] - run->address;

		if (into >= NEAR || (t->has_below && into > t->into))
			continue;
		t->has_below = true;
		t->below = *run;
		t->into = into;
	}
	return true;
}

/* ---- buffers that nothing leads to ---------------------------------------------------------- */

static bool buffer_with(const struct gsc_hang *hang, const struct target *t,
			struct gsc_buffer_origin *b)
{
	bool process = t->engine->e.known & GSC_KNOWN_ACTHD_PROCESS;
	struct hang_buffers at = { .source = hang->gpu->source };

	while (hang_buffer_next(&at)) {
		*b = at.b;
		if (t->pointer - b->address < b->length &&
		    (!*b->engine || !strcmp(b->engine, t->engine->e.name)) &&
		    (!process || b->space == GSC_PPGTTMEM))
			return true;
	}
	return false;
}

/* Its beginning need not be a command: what is found counts only if IPEHR agrees. */
static enum gsc_status search_buffer(struct search *s, struct target *t,
				     const struct gsc_buffer_origin *b, struct gsc_error *err)
{
	const struct gsc_listener listener = { .context = s, .begin = begin, .command = command,
					       .end = end };
	struct gsc_follow_options options = { .engine = t->engine->e.name, .no_follow = true,
					      .past_end = true };
	size_t length = (size_t)b->length;
	const void *data = b->data;
	enum gsc_status status;

	if (!data)
		data = gsc_span(s->hang->gpu->source, b->space, b->address, &length);
	if (!data || (uintptr_t)data % 4)
		return GSC_OK;
	status = gsc_follow_words(s->hang->set, s->hang->gpu, b->address, data, length / 4,
				  &options, &listener, err);
	if (s->no_memory)
		return err_memory(err);
	if (t->in.score < SCORE_AGREES)
		t->in.score = 0;
	if (t->behind.score < SCORE_AGREES)
		t->behind.score = 0;
	t->in.run.process = t->behind.run.process = b->space == GSC_PPGTTMEM;
	return status == GSC_FAILED ? status : GSC_OK;
}

/* ---- telling -------------------------------------------------------------------------------- */

static const char *pointer_name(const struct target *t)
{
	return t->by_head ? "HEAD" : "ACTHD";
}

static const char *run_word(const struct gsc_run *run)
{
	return run->kind == GSC_RUN_SECOND_LEVEL ? "second-level batch"
						 : gsc_run_kind_word(run->kind);
}

static void tell_candidate(const struct target *t, const struct candidate *found)
{
	struct gsc_engine *e = &t->engine->e;
	const struct gsc_run *run = &e->run;
	const char *loop = t->engine->loop, *space = run->process ? "ppgtt" : "ggtt";
	struct text s = text_of(e->where);

	if (!*loop)
		text_add(&s, "%s at %s:0x%llx, in the %s at 0x%llx", found->command.name, space,
			 LL(found->command.address), run_word(run), LL(run->address));
	else
		text_add(&s, "a loop%s in the %s at %s:0x%llx",
			 t->proved ? " without a way out" : "", run_word(run), space,
			 LL(run->address));
	if (run->started)
		text_add(&s, ", started by the command at 0x%llx", LL(run->from));
	if (*loop && t->engine->reset)
		text_add(&s, ": %s; the registers %s", loop, engine_why_reset(t->engine));
	else if (*loop && t->proved)
		text_add(&s, ": %s", loop);
	else if (*loop)
		text_add(&s, ": %s; ACTHD is at %s, 0x%llx", loop, found->command.name,
			 LL(found->command.address));
	else if (found->offset >= (uint64_t)found->command.count * 4)
		text_add(&s, "; %s is right after it", pointer_name(t));
	else if (found->offset)
		text_add(&s, "; %s is 0x%llx bytes into it", pointer_name(t), LL(found->offset));
	if (!*loop && found->command.status == GSC_COMMAND_BAD_LENGTH)
		text_add(&s, "; it has a bad length, %zu dwords", found->command.count);
	if (!*loop && e->known & GSC_KNOWN_IPEHR && !e->agrees)
		text_add(&s, "; IPEHR is not its header");
}

/* Of the batch that contains the command, or of several batches. */
static bool tell_loop(struct target *t)
{
	struct hang_engine *engine = t->engine;
	bool inside = t->loops && engine->e.run.address == t->loop_run;

	if (!engine->e.stopped || t->polls || (!inside && !t->proved))
		return true;
	if (inside)
		string_set(engine->loop, "MI_BATCH_BUFFER_START at +0x%llx goes back to +0x%llx",
			   LL(t->loop_at - t->loop_run), LL(t->loop_to - t->loop_run));
	else
		string_set(engine->loop, "MI_BATCH_BUFFER_START at +0x%llx "
			 "goes to the batch at ppgtt:0x%llx, which leads back to it",
			 LL(t->proof.at - engine->e.run.address), LL(t->proof.to));
	return hang_detail(engine, GSC_DETAIL_EVIDENCE, "loops", "%s", engine->loop);
}

bool engine_job_batch(const struct hang_engine *engine, uint64_t *start, uint64_t *end)
{
	struct hang_buffers at = { .source = engine->hang->gpu->source };

	while (hang_buffer_next(&at)) {
		if (gsc_source_form(at.source, at.part) != GSC_SOURCE_DEVCOREDUMP ||
		    at.b.kind != GSC_BUFFER_BATCH || strcmp(at.b.engine, engine->e.name))
			continue;
		*start = at.b.address;
		*end = at.b.address + at.b.length;
		return true;
	}
	return false;
}

/*
 * Past the end of a batch there is nothing to execute, and at the target of a batch there should be
 * one.
 */
static bool tell_runaway(const struct search *s, const struct target *t)
{
	struct gsc_engine *e = &t->engine->e;
	const struct gsc_run *below = &t->below;
	bool near = t->has_below && below->kind != GSC_RUN_RING && !t->by_head;
	const struct driver_engine *own = engine_facts(t->engine);
	uint64_t held = below->length + below->left, start = own->batch, end = own->batch_end;
	struct text left = text_of(t->engine->left), where = text_of(e->where);

	if (near && below->end == GSC_RUN_ENDED && t->into >= below->length)
		text_add(&left, "%llu bytes past MI_BATCH_BUFFER_END of the %s at 0x%llx",
			 LL(t->into - below->length), run_word(below), LL(below->address));
	else if (near && below->end == GSC_RUN_OUT && t->into >= held)
		text_add(&left, "%llu bytes past the end (0x%llx) of the %s at 0x%llx, which has "
			 "no MI_BATCH_BUFFER_END", LL(t->into - held), LL(below->address + held),
			 run_word(below), LL(below->address));
	else if (!t->by_head && t->has_exit && (!near || below->end == GSC_RUN_BLANK))
		text_add(&left, "MI_BATCH_BUFFER_START at 0x%llx leads to 0x%llx, where the source "
			 "has no batch", LL(t->exit_at), LL(t->exit_to));
	else if (near && below->end == GSC_RUN_BLANK && t->into >= below->length)
		text_add(&left, "the %s at 0x%llx has no MI_BATCH_BUFFER_END: from 0x%llx on "
			 "there is %.100s", run_word(below), LL(below->address),
			 LL(below->address + below->length), below->why);
	/* A batch that it started is in the dump, unless that is redacted. */
	else if (!t->by_head && !source_redacted(s->hang->gpu->source) &&
		 (end ? start < end : engine_job_batch(t->engine, &start, &end)) &&
		 (t->pointer < start || t->pointer >= end))
		text_add(&left, "its batch is 0x%llx to 0x%llx", LL(start), LL(end));
	else
		return false;
	text_add(&where, "left its batch: ACTHD 0x%llx; %s", LL(t->pointer), t->engine->left);
	return true;
}

static void tell_nothing(const struct search *s, const struct target *t)
{
	struct gsc_engine *e = &t->engine->e;
	const struct gsc_run *below = &t->below;
	bool in_ring = t->has_below && below->kind == GSC_RUN_RING;
	uint64_t held = below->length + below->left;
	struct text where = text_of(e->where);
	const char *pointer = pointer_name(t);
	struct gsc_buffer_origin b;

	if (e->known & GSC_KNOWN_ACTHD_RING && e->known & GSC_KNOWN_START &&
	    (!in_ring || (!held && engine_in_dump(s->hang))))
		text_add(&where, "in the ring, 0x%llx bytes into it (ggtt:0x%llx), where the "
			 "source has no command", LL(e->acthd_offset),
			 LL((e->start & ~UINT64_C(0xfff)) + e->acthd_offset));
	else if (tell_runaway(s, t))
		return;
	else if (!t->runs)
		text_add(&where, "unknown: the source has neither the ring of %s nor a batch",
			 e->name);
	/* A ring has an end, whatever follows it in the GGTT. */
	else if (in_ring && e->known & GSC_KNOWN_RING && t->into >= e->ring_bytes)
		text_add(&where, "%s 0x%llx is not in the ring, and the source has no batch of %s "
			 "there", pointer, LL(t->pointer), e->name);
	else if (t->has_below && t->into >= held && below->end == GSC_RUN_NOWHERE)
		text_add(&where, "%s 0x%llx is %llu bytes into the %s at 0x%llx, of which the "
			 "source has %llu: %.120s", pointer, LL(t->pointer), LL(t->into),
			 run_word(below), LL(below->address), LL(held), below->why);
	else if (t->has_below && t->into >= held)
		text_add(&where, "%s 0x%llx is %llu bytes past the end of the %s at 0x%llx",
			 pointer, LL(t->pointer), LL(t->into - held), run_word(below),
			 LL(below->address));
	else if (buffer_with(s->hang, t, &b))
		text_add(&where, "%s 0x%llx is in \"%s\" at 0x%llx, but no command there has "
			 "IPEHR as its header", pointer, LL(t->pointer), b.name, LL(b.address));
	else
		text_add(&where, "%s 0x%llx is in no ring or batch of %s in the source", pointer,
			 LL(t->pointer), e->name);
}

/* The one that contains ACTHD, unless IPEHR says that it is the previous one. */
static struct candidate *choose(struct target *t)
{
	if (t->in.score && (t->in.score & SCORE_AGREES || !(t->behind.score & SCORE_AGREES)))
		return &t->in;
	return t->behind.score ? &t->behind : NULL;
}

static bool settle(const struct search *s, struct target *t)
{
	struct candidate *found = choose(t);
	struct gsc_engine *e = &t->engine->e;
	bool unmet, waits;
	char text[200];
	uint64_t into;

	if (t->proved && !(found && found->run.process && found->command.address == t->proof.at))
		return true;
	if (!found) {
		tell_nothing(s, t);
		return true;
	}
	e->stopped = true;
	e->agrees = found->score & SCORE_AGREES;
	e->command = found->command;
	e->run = found->run;
	e->offset = found->offset;
	if (e->run.kind == GSC_RUN_BATCH && !e->run.started && t->start_at &&
	    t->starts == e->run.address) {
		e->run.started = true;
		e->run.from = t->start_at;
	}
	t->engine->lead = found->lead;
	/* The place of the command settles where ACTHD is. */
	if (!t->by_head && !t->engine->reset) {
		into = e->command.address + e->offset - ring_begin(e, &e->run);
		e->known &= ~(unsigned)GSC_KNOWN_ACTHD_RING;
		if (e->run.process)
			e->known |= GSC_KNOWN_ACTHD_PROCESS;
		if (e->run.kind == GSC_RUN_RING && into < e->ring_bytes) {
			e->known |= GSC_KNOWN_ACTHD_RING;
			e->acthd_offset = into;
		}
	}
	t->engine->words = found->words;
	found->words = NULL;
	waits = semaphore_wait(t->engine, text, sizeof(text), &unmet);
	if (t->polls && !unmet) {
		e->stopped = false;
		string_set(e->where, "in its batch at ppgtt:0x%llx, in %s at 0x%llx or after "
			   "it%s%.150s", LL(t->proof.batch), e->command.name, LL(t->proof.at),
			   waits ? ": it waits " : "", waits ? text : "");
		return true;
	}
	/* By what memory shows alone; nothing says what a command of bad length does. */
	if (t->proved && !t->engine->reset && e->command.status == GSC_COMMAND_OK)
		e->state = t->polls ? GSC_ENGINE_WAITING : GSC_ENGINE_HUNG;
	if (!tell_loop(t))
		return false;
	tell_candidate(t, found);
	return !waits || hang_detail(t->engine, GSC_DETAIL_EVIDENCE, "awaits", "%s", text);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void add_targets(struct search *s)
{
	for (size_t i = 0; i < s->hang->engines.count; i++) {
		struct hang_engine *engine = &s->hang->engines.items[i];
		struct gsc_engine *e = &engine->e;
		struct target *t = &s->targets[s->count];

		if (engine->reset)
			string_set(e->where, "the dump does not show where: its "
				 "registers %s", engine_why_reset(engine));
		if (e->state == GSC_ENGINE_IDLE || engine->reset ||
		    !(e->known & (GSC_KNOWN_ACTHD | GSC_KNOWN_HEAD)))
			continue;
		t->engine = engine;
		t->by_head = !(e->known & GSC_KNOWN_ACTHD);
		t->pointer = t->by_head ? e->head_offset
					: plain_address(e->acthd & ~UINT64_C(3));
		s->count++;
	}
}

/* In the runs that follow from the rings, then in buffers that nothing leads to. */
static enum gsc_status stop(struct gsc_hang *hang, void (*add)(struct search *s),
			    struct gsc_error *err)
{
	struct search s = { .hang = hang };
	const struct gsc_listener listener = { .context = &s, .begin = begin, .command = command,
					       .end = end };
	struct gsc_follow_options options = { .engine = NULL };
	enum gsc_status status = GSC_OK;
	struct gsc_buffer_origin b;

	s.targets = calloc(hang->engines.count + 1, sizeof(*s.targets));
	if (!s.targets)
		return err_memory(err);
	add(&s);
	if (s.count == 1)
		options.engine = s.targets[0].engine->e.name;
	if (s.count)
		status = gsc_follow_all(hang->set, hang->gpu, &options, &listener, err);
	/* A source without rings is no failure. */
	status = s.no_memory ? err_memory(err) : status == GSC_FAILED ? status : GSC_OK;
	for (size_t i = 0; i < s.count && !status; i++) {
		struct target *t = &s.targets[i];

		if (!choose(t) && !t->by_head && buffer_with(hang, t, &b))
			status = search_buffer(&s, t, &b, err);
	}
	for (size_t i = 0; i < s.count && !status; i++)
		if (!settle(&s, &s.targets[i]))
			status = err_memory(err);
	for (size_t i = 0; i < s.count; i++) {
		free(s.targets[i].in.words);
		free(s.targets[i].behind.words);
	}
	free(s.targets);
	return status;
}

enum gsc_status hang_stopped(struct gsc_hang *hang, struct gsc_error *err)
{
	return stop(hang, add_targets, err);
}

/* Where the batch begins of a job that began and is not done. */
static bool begun_batch(const struct hang_engine *engine, uint64_t *start)
{
	const struct driver_request *queue = engine_context(engine);
	const struct driver_request *request = engine->reset ? NULL : engine_request(engine);
	uint64_t end;

	if (request) {
		*start = request->batch;
		return request->has_batch;
	}
	return engine->reset && engine->e.state == GSC_ENGINE_HUNG && queue &&
	       queue->r.state == GSC_REQUEST_BEGUN && engine_job_batch(engine, start, &end);
}

/* Registers alone do not tell a loop of that job from one with a way out. */
static void confirm_loop(struct hang_engine *engine, const struct batch_loop *proof)
{
	const struct gsc_run *run = &engine->e.run;

	if (engine->e.state == GSC_ENGINE_UNKNOWN && *engine->loop &&
	    run->process == proof->process && run->address == proof->batch)
		engine->e.state = GSC_ENGINE_HUNG;
}

/*
 * No register shows where these are, but a job that never ends is in its loop, and one that polls
 * memory is there as long as what it waits for is not true. If registers show it, both count.
 */
static void add_endless(struct search *s)
{
	for (size_t i = 0; i < s->hang->engines.count; i++) {
		struct hang_engine *engine = &s->hang->engines.items[i];
		struct target *t = &s->targets[s->count];
		char why[BATCH_DOUBT];
		enum batch_fate fate;
		uint64_t start;

		if (!begun_batch(engine, &start))
			continue;
		fate = batch_fate(s->hang->set, s->hang->gpu, engine->e.name, start, true,
				  &t->proof, why);
		if (engine->e.known && !engine->reset) {
			if (fate == BATCH_LOOPS)
				confirm_loop(engine, &t->proof);
			continue;
		}
		if (!engine->e.known && fate == BATCH_UNKNOWN)
			string_set(engine->e.where, "in its batch at ppgtt:0x%llx, or after it%s%s",
				   LL(start), *why ? ": " : "", why);
		t->polls = fate == BATCH_POLLS;
		if (fate == BATCH_UNKNOWN || (t->polls && engine->reset))
			continue;
		t->engine = engine;
		t->proved = true;
		t->pointer = t->proof.at;
		s->count++;
	}
}

enum gsc_status hang_endless(struct gsc_hang *hang, struct gsc_error *err)
{
	return stop(hang, add_endless, err);
}
