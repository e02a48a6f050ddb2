/* SPDX-License-Identifier: MIT */
/* Goes from command to command, and from batch to batch. */
#include "batch/follow.h"

#include "db/resolve.h"
#include "source/record.h"

/* Dwords fetched from memory at once, and the most that a command may ask for. */
#define WINDOW (256u << 10)
#define MARGIN ((64u << 10) + 8)
/* The most dwords that are read of batches followed only for the state that they change. */
#define PATIENCE (64u << 20)
/* The most dwords that all proofs of endless loops read, and bytes of a batch that one reads. */
#define PROOF (16u << 20)
#define PROOF_LEAP (256u << 10)
/*
 * If nothing bounds a batch, this many bytes of one repeated command mean that it is none: if
 * tables end in a scratch page, every address leads somewhere.
 */
#define BLANK (1u << 20)
#define QUEUE_MAX 4096u
#define CHAIN_MAX 64u
#define DEPTH_MAX 3u

static const char *const kind_words[] = {
	[GSC_RUN_DWORDS] = "dwords",
	[GSC_RUN_RING] = "ring",
	[GSC_RUN_BATCH] = "batch",
	[GSC_RUN_SECOND_LEVEL] = "second-level",
};

static const char *const end_words[] = {
	[GSC_RUN_ENDED] = "ended",
	[GSC_RUN_OUT] = "no end command",
	[GSC_RUN_CHAINED] = "continues in another batch",
	[GSC_RUN_NOWHERE] = "not in the source",
	[GSC_RUN_STOPPED] = "stopped",
	[GSC_RUN_BLANK] = "blank",
	[GSC_RUN_LOOP] = "endless loop",
};

const char *gsc_run_kind_word(enum gsc_run_kind kind)
{
	return (unsigned)kind < ARRAY_SIZE(kind_words) ? kind_words[kind] : NULL;
}

const char *gsc_run_end_word(enum gsc_run_end end)
{
	return (unsigned)end < ARRAY_SIZE(end_words) ? end_words[end] : NULL;
}

/* ---- the dwords of a run -------------------------------------------------------------------- */

static uint64_t ring_place(const struct pending *p, uint64_t address)
{
	return p->ring_bytes ? p->ring + (address - p->ring) % p->ring_bytes : address;
}

/* As many bytes as there are, up to `size`; a ring continues at its beginning. */
static size_t take(const struct buffer_reader *r, uint64_t from, uint8_t *buf, size_t size)
{
	const struct pending *p = r->p;
	size_t done = 0, got, part;

	while (done < size) {
		uint64_t address = ring_place(p, from + done);

		part = size - done;
		if (p->ring_bytes)
			part = MIN(part, p->ring + p->ring_bytes - address);
		got = graphics_read(r->f->memory, p->run.process, address, buf + done, part);
		done += got;
		if (got < part)
			break;
	}
	return done;
}

static struct record *record_of(const struct follower *f)
{
	return f->memory && f->memory->gpu ? f->memory->gpu->source->record : NULL;
}

/*
 * Reads the run again for whoever keeps a record: more has been fetched than the run has, and the
 * record needs only the run.
 */
static void note_run(const struct buffer_reader *r)
{
	uint64_t address = r->p->run.address, end = r->done + (uint64_t)r->stream.at * 4;
	uint8_t page[4096];

	if (r->p->words || !record_of(r->f))
		return;
	for (uint64_t at = 0, size; at < end; at += size) {
		size = MIN(end - at, sizeof(page));
		graphics_read(r->f->memory, r->p->run.process, ring_place(r->p, address + at), page,
			      (size_t)size);
	}
}

static void refill(struct buffer_reader *r)
{
	struct gsc_stream *s = &r->stream;
	uint64_t from = r->done + (uint64_t)s->at * 4;
	size_t want = (size_t)MIN((uint64_t)WINDOW * 4, r->p->limit - from), got;
	struct record *record = record_of(r->f);

	if (record)
		record->paused = true;
	got = take(r, r->p->run.address + from, (uint8_t *)r->f->window, want);
	if (record)
		record->paused = false;
	r->left = got < want ? 0 : r->p->limit - from - got;
	r->done = from;
	s->words = r->f->window;
	s->count = got / 4;
	s->at = 0;
	s->address = r->p->run.address + from;
}

static bool reader_begin(struct buffer_reader *r, struct follower *f, const struct pending *p)
{
	*r = (struct buffer_reader){ .f = f, .p = p };
	r->stream.set = f->set;
	r->stream.engine_class = f->engine_class;
	r->stream.address = p->run.address;
	if (p->words) {
		r->stream.words = p->words;
		r->stream.count = p->count;
		return true;
	}
	if (!f->memory)
		return false;
	if (!f->window)
		f->window = malloc(WINDOW * sizeof(*f->window));
	f->no_memory |= !f->window;
	if (!f->window)
		return false;
	refill(r);
	return r->stream.count;
}

/* Inline, because this is done once for each command. */
static inline bool reader_next(struct buffer_reader *r, struct gsc_command *command)
{
	struct gsc_stream *s = &r->stream;

	if (r->left && s->count - s->at < MARGIN)
		refill(r);
	if (r->same >= BLANK || !gsc_stream_next(s, command))
		return false;
	command->address = ring_place(r->p, command->address);
	if (!r->p->words && r->p->limit == UINT64_MAX) {
		for (unsigned i = 0; i < command->count && r->same; i++)
			if (command->words[i] != r->word)
				r->same = 0;
		r->word = command->words[0];
		r->same += (uint64_t)command->count * 4;
	}
	return true;
}

/* ---- what a command starts ------------------------------------------------------------------ */

static uint64_t key_value(const struct plan *plan, unsigned key, const struct gsc_command *c)
{
	return plan->key[key] ? plan_value(plan->key[key], c->words, c->count) : 0;
}

/*
 * Up to Gen5 a bit says it. From Gen6 on the bit of the address space does, except on Haswell's
 * render engine, which has both: i915, gt/intel_gpu_commands.h, MI_BATCH_NON_SECURE_HSW.
 */
static bool stays_privileged(const struct follower *f, const struct plan *plan,
			     const struct gsc_command *c)
{
	bool own_bit = plan->key[START_NON_PRIVILEGED] &&
		       (!plan->key[START_PROCESS] || f->engine_class == ENGINE_RCS);

	return !key_value(plan, own_bit ? START_NON_PRIVILEGED : START_PROCESS, c);
}

/* A batch may be among the dwords that were given. */
static void look_in_hand(const struct follower *f, struct pending *next)
{
	const struct pending *hand = f->hand;
	uint64_t address = next->run.address, offset;
	struct gsc_words own = { 0 };
	const struct gsc_words *held = &own;

	if (hand && hand->words)
		own = (struct gsc_words){ hand->run.address, hand->words, hand->count };
	offset = address - own.address;
	if (offset % 4 || offset / 4 >= own.count)
		held = held_find(&f->held, f->options->held, address);
	offset = held ? address - held->address : 0;
	if (!held || !held->words || offset % 4 || offset / 4 >= held->count)
		return;
	next->words = held->words + offset / 4;
	next->count = held->count - (size_t)(offset / 4);
}

bool follow_started(struct follower *f, const struct pending *p, const struct gsc_command *c,
		    struct pending *next)
{
	const struct plan *plan = command_plan(f->set, c->known);
	struct gsc_run *run = &next->run;
	struct gsc_platform platform;

	if (!plan || !plan->key[START_ADDRESS] || c->status == GSC_COMMAND_TRUNCATED)
		return false;
	*next = (struct pending){ .limit = UINT64_MAX, .bases = p->bases };
	memcpy(run->engine, p->run.engine, sizeof(run->engine));
	run->submission = p->run.submission;
	run->kind = key_value(plan, START_SECOND_LEVEL, c) ? GSC_RUN_SECOND_LEVEL : GSC_RUN_BATCH;
	run->process = key_value(plan, START_PROCESS, c);
	gsc_platform_at(f->set->view->db, f->set->view->platform, &platform);
	run->address = graphics_address(&platform,
					plan_address(plan->key[START_ADDRESS], c->words, c->count));
	run->privileged = p->run.privileged && stays_privileged(f, plan, c);
	run->from = c->address;
	run->started = true;
	look_in_hand(f, next);
	return true;
}

/* Does the engine return to the command after this one? */
static bool returns(const struct pending *p, const struct pending *next)
{
	return p->run.kind <= GSC_RUN_RING || next->run.kind == GSC_RUN_SECOND_LEVEL;
}

static bool enqueue(struct follower *f, const struct pending *next)
{
	if (f->options->no_follow || seen_find(&f->seen, &next->run))
		return true;
	/* In garbage, batches start each other everywhere: not more of them than dwords. */
	if (f->queue.count >= QUEUE_MAX || (next->words && next->count > f->hand_left)) {
		f->dropped++;
		return true;
	}
	if (next->words)
		f->hand_left -= next->count;
	f->no_memory |= !vec_push(&f->queue, *next) || !seen_add(&f->seen, &next->run);
	return !f->no_memory;
}

/* In a ring of a dump, everything before HEAD is done, except the batch started last. */
static bool is_active(const struct pending *p, uint64_t address)
{
	if (!p->active_only)
		return true;
	if (p->head <= p->tail)
		return address >= p->head && address < p->tail;
	return address >= p->head || address < p->tail;
}

/* ---- what a batch changes, without telling it ----------------------------------------------- */

static void run_silently(struct follower *f, struct pending *p, unsigned depth)
{
	uint32_t *window = f->window;
	struct gsc_command c;
	struct pending next;
	struct buffer_reader r;
	unsigned chain = 0;
	bool more = true;

	f->window = NULL;
	while (more && chain++ < CHAIN_MAX && reader_begin(&r, f, p)) {
		more = false;
		while (!more && f->patience && reader_next(&r, &c)) {
			const struct known_command *known = c.known;

			f->patience -= MIN(f->patience, c.count);
			if (!known || known->role == ROLE_NONE)
				continue;
			if (known->role == ROLE_END)
				break;
			bases_change(f, &p->bases, &c);
			if (known->role != ROLE_START || !follow_started(f, p, &c, &next))
				continue;
			more = !returns(p, &next);
			if (more)
				*p = next;
			else if (depth < DEPTH_MAX)
				run_silently(f, &next, depth + 1);
			p->bases = next.bases;
		}
		note_run(&r);
	}
	/* If the rest is not followed, nothing is known about the state that it leaves. */
	if (!f->patience)
		p->bases.known = 0;
	free(f->window);
	f->window = window;
}

/* ---- batches without an end ----------------------------------------------------------------- */

/* What comes after a command, as far as that is certain. */
enum fate { FATE_UNKNOWN, FATE_NEXT, FATE_JUMPS, FATE_ENDS, FATE_LOOPS, FATE_POLLS };

/* What has been executed of one level of batches. */
struct lap {
	const struct lap *up;
	bool process;
	uint64_t low, high;		/* addresses of its commands */
	unsigned jumps;
	struct batch_loop jump[CHAIN_MAX];
};

/* A loop that changes its own commands may have an end. Registers and shaders are not looked at. */
static bool changes_itself(const struct follower *f, const struct lap *lap,
			   const struct gsc_command *c)
{
	bool aliasing = f->memory && f->memory->aliasing;
	struct gsc_command_address a;

	for (size_t i = 0; gsc_command_address(f->set, c, i, &a); i++)
		for (const struct lap *at = lap; at; at = at->up)
			if ((!a.space || aliasing || at->process == !strcmp(a.space, "ppgtt")) &&
			    a.address >= at->low && a.address < at->high)
				return true;
	return false;
}

/* In the second lap the same jump comes again: by then all commands of the loop are known. */
static enum fate jump(struct lap *lap, const struct pending *p, const struct pending *next,
		      const struct gsc_command *c, struct batch_loop *loop)
{
	const struct batch_loop own = { p->run.address, c->address, next->run.address,
					lap->process };

	for (unsigned i = 0; i < lap->jumps; i++)
		if (lap->jump[i].at == own.at && lap->jump[i].to == own.to) {
			*loop = lap->jump[lap->jumps - 1];
			return FATE_LOOPS;
		}
	if (lap->jumps == CHAIN_MAX || next->run.process != lap->process)
		return FATE_UNKNOWN;
	lap->jump[lap->jumps++] = own;
	return FATE_JUMPS;
}

static enum fate fate_of(struct follower *f, struct pending p, const struct lap *up,
			 unsigned depth, struct batch_loop *loop);

static enum fate step(struct follower *f, struct lap *lap, const struct pending *p,
		      const struct gsc_command *c, unsigned depth, struct pending *next,
		      struct batch_loop *loop)
{
	const struct known_command *known = c->known;
	const struct plan *plan;
	enum fate fate;

	f->proof -= MIN(f->proof, c->count);
	if (f->proof && known && known->role == ROLE_POLL && c->status != GSC_COMMAND_TRUNCATED) {
		*loop = (struct batch_loop){ p->run.address, c->address, 0, lap->process };
		return FATE_POLLS;
	}
	if (c->status != GSC_COMMAND_OK)
		string_set(f->doubt, "%s at 0x%llx: %s", c->name, LL(c->address),
			   gsc_command_word(c->status));
	if (!f->proof || !known || c->status != GSC_COMMAND_OK || known->role == ROLE_DOUBT)
		return FATE_UNKNOWN;
	lap->low = MIN(lap->low, c->address);
	lap->high = MAX(lap->high, c->address + (uint64_t)c->count * 4);
	if (known->role == ROLE_END)
		return FATE_ENDS;
	if (known->role != ROLE_START)
		return changes_itself(f, lap, c) ? FATE_UNKNOWN : FATE_NEXT;
	/* Predication skips a command; an offset from a register is added to where it leads. */
	plan = command_plan(f->set, known);
	if (!plan || key_value(plan, START_PREDICATED, c) || key_value(plan, START_MOVED, c) ||
	    !follow_started(f, p, c, next))
		return FATE_UNKNOWN;
	if (!returns(p, next))
		return jump(lap, p, next, c, loop);
	fate = depth < DEPTH_MAX ? fate_of(f, *next, lap, depth + 1, loop) : FATE_UNKNOWN;
	return fate == FATE_ENDS ? FATE_NEXT : fate;
}

static enum fate fate_of(struct follower *f, struct pending p, const struct lap *up,
			 unsigned depth, struct batch_loop *loop)
{
	struct lap lap = { .up = up, .process = p.run.process, .low = UINT64_MAX };
	uint32_t *window = f->window;
	struct buffer_reader r;
	struct pending next = p;
	struct gsc_command c;
	enum fate fate;

	f->window = NULL;
	do {
		p = next;
		p.limit = MIN(p.limit, PROOF_LEAP);
		fate = reader_begin(&r, f, &p) ? FATE_NEXT : FATE_UNKNOWN;
		if (fate == FATE_UNKNOWN && f->memory)
			graphics_why(f->memory, p.run.process, p.run.address, f->doubt,
				     sizeof(f->doubt));
		f->proof -= p.words ? 0 : MIN(f->proof, PROOF_LEAP / 4);
		while (fate == FATE_NEXT)
			fate = reader_next(&r, &c) ? step(f, &lap, &p, &c, depth, &next, loop)
						   : FATE_UNKNOWN;
	} while (fate == FATE_JUMPS);
	free(f->window);
	f->window = window;
	return fate;
}

enum batch_fate follow_fate(struct follower *f, const struct pending *first,
			    struct batch_loop *loop)
{
	enum fate fate = fate_of(f, *first, NULL, 0, loop);

	return fate == FATE_LOOPS ? BATCH_LOOPS : fate == FATE_POLLS ? BATCH_POLLS : BATCH_UNKNOWN;
}

/* ---- one run --------------------------------------------------------------------------------- */

static bool wants_state(const struct follower *f)
{
	return f->listener->state || f->listener->kernel;
}

/* The batch that was running when the head of the ring moved on. */
static bool settle_last(struct follower *f, uint64_t address)
{
	struct telling *t = &f->telling;

	if (!t->has_last || (address != UINT64_MAX && !is_active(&t->p, address)))
		return true;
	t->has_last = false;
	t->last.done = t->p.head == t->p.tail;
	return enqueue(f, &t->last);
}

/* Does the run continue with that? Given dwords that lead to themselves are a batch, not a ring. */
static bool say_chain(struct follower *f, const struct gsc_command *c, const struct pending *next)
{
	struct pending *p = &f->telling.p;
	unsigned long long to = next->run.address;
	struct gsc_run *run = &p->run;
	bool own = to == run->address && run->kind == GSC_RUN_DWORDS;
	bool back = seen_find(&f->seen, &next->run) ||
		    (next->run.process == run->process && to >= run->address &&
		     to <= c->address);
	struct batch_loop loop;

	if (!own && returns(p, next))
		return false;
	if (back && follow_fate(f, next, &loop) == BATCH_LOOPS && loop.at == c->address) {
		run->end = GSC_RUN_LOOP;
		string_set(run->why, "it continues at 0x%llx", to);
		return true;
	}
	if (returns(p, next))
		return false;
	run->end = GSC_RUN_CHAINED;
	string_set(run->why, "at 0x%llx%s", to, back ? ", already decoded: perhaps a loop" : "");
	return true;
}

static bool start(struct follower *f, const struct gsc_command *c)
{
	struct telling *t = &f->telling;
	struct pending next, copy;

	if (!follow_started(f, &t->p, c, &next))
		return true;
	if (say_chain(f, c, &next)) {
		t->over = !f->options->past_end;
	} else if (wants_state(f) && !f->options->no_follow) {
		copy = next;
		run_silently(f, &copy, 0);
		t->p.bases = copy.bases;
	}
	if (is_active(&t->p, c->address))
		return enqueue(f, &next);
	t->last = next;
	t->has_last = true;
	return true;
}

static bool act(struct follower *f, const struct gsc_command *c)
{
	const struct known_command *known = c->known;
	struct telling *t = &f->telling;

	switch (known ? (enum role)known->role : ROLE_NONE) {
	case ROLE_START:
		return start(f, c);
	case ROLE_END:
		if (t->p.run.kind == GSC_RUN_RING)
			return true;
		t->p.run.end = GSC_RUN_ENDED;
		t->over = !f->options->past_end;
		return true;
	case ROLE_IMMEDIATE:
	case ROLE_BASES:
		if (wants_state(f))
			bases_change(f, &t->p.bases, c);
		return true;
	default:
		return true;
	}
}

static bool tell(struct follower *f, struct gsc_command *c)
{
	const struct gsc_listener *l = f->listener;
	const struct gsc_run *run = &f->telling.p.run;

	if (c->status != GSC_COMMAND_OK)
		f->status = GSC_PARTIAL;
	c->marks = NULL;
	for (size_t i = 0; i < f->mark_count; i++)
		if (f->marks[i].address - c->address < (uint64_t)c->count * 4)
			c->marks = f->marks;
	c->mark_count = c->marks ? f->mark_count : 0;
	if (l->command && !l->command(l->context, &(struct gsc_followed){ run, c }))
		return false;
	if (l->write && !writes_tell(f, run, c))
		return false;
	if (l->breach && !lint_tell(f, run, c))
		return false;
	return !wants_state(f) || state_tell(f, run, &f->telling.p.bases, c);
}

static bool finish(struct follower *f)
{
	const struct telling *t = &f->telling;
	const struct buffer_reader *r = &t->reader;
	struct gsc_run *run = &f->telling.p.run;
	const struct gsc_listener *l = f->listener;

	note_run(r);
	run->length = r->done + (uint64_t)r->stream.at * 4;
	run->left = t->p.words ? (uint64_t)(r->stream.count - r->stream.at) * 4 : 0;
	if (run->end == GSC_RUN_BLANK) {
		f->status = GSC_PARTIAL;
		run->length -= r->same;
		string_set(run->why, "only the dword 0x%08x, repeated for %u KB or more", r->word,
			   BLANK >> 10);
	}
	if (run->end == GSC_RUN_NOWHERE) {
		f->status = GSC_PARTIAL;
		graphics_why(f->memory, run->process, run->address + run->length, run->why,
			     sizeof(run->why));
	}
	/* No program starts this many; garbage does. */
	if (f->dropped && run->end != GSC_RUN_NOWHERE) {
		run->end = GSC_RUN_STOPPED;
		string_set(run->why, "%u further batches are left out: only %u are followed",
			   f->dropped, (unsigned)f->queue.count);
		f->status = GSC_PARTIAL;
		f->dropped = 0;
	}
	if (l->breach && !lint_end(f, run))
		return false;
	return !l->end || l->end(l->context, &(struct gsc_followed){ run });
}

/* What these three return is false if the listener wants no more, or memory is out. */
static bool run_begin(struct follower *f)
{
	const struct gsc_listener *l = f->listener;
	struct telling *t = &f->telling;
	struct pending *p = &t->p;
	bool held = reader_begin(&t->reader, f, p);

	t->has_last = t->over = false;
	if (!held && p->done)
		return !f->no_memory;
	/* What it is if no command ends it. */
	if (p->words)
		p->run.end = p->run.kind == GSC_RUN_RING ? GSC_RUN_ENDED : GSC_RUN_OUT;
	else
		p->run.end = p->limit == UINT64_MAX ? GSC_RUN_NOWHERE : GSC_RUN_ENDED;
	if (l->begin && !l->begin(l->context, &(struct gsc_followed){ &p->run }))
		return false;
	if (l->breach)
		lint_begin(f, &p->run);
	t->begun = true;
	/* Without a dword, only its end is left to tell. */
	t->over = !held;
	if (!held && !p->words && p->limit)
		p->run.end = GSC_RUN_NOWHERE;
	return held || !f->no_memory;
}

static bool run_command(struct follower *f)
{
	struct telling *t = &f->telling;
	struct gsc_command *c = &t->command;
	struct pending *p = &t->p;

	/* A small trace may submit one big batch a million times. */
	if (f->budget < c->count) {
		p->run.end = GSC_RUN_STOPPED;
		string_set(p->run.why, "the source repeats its batches more often than the "
			   "limit allows: the rest is not decoded");
		f->status = GSC_PARTIAL;
		f->enough = t->over = true;
		return true;
	}
	f->budget -= c->count;
	return settle_last(f, c->address) && tell(f, c) && act(f, c);
}

static bool run_end(struct follower *f)
{
	struct telling *t = &f->telling;
	const struct buffer_reader *r = &t->reader;
	struct pending *p = &t->p;

	t->begun = false;
	if (r->same >= BLANK)
		p->run.end = GSC_RUN_BLANK;
	else if (!t->over && !p->words && r->done + (uint64_t)r->stream.at * 4 < p->limit)
		p->run.end = GSC_RUN_NOWHERE;
	return settle_last(f, UINT64_MAX) && finish(f);
}

/* ---- all of it ------------------------------------------------------------------------------ */

enum gsc_status follower_init(struct follower *f, struct gsc_commands *set,
			      const struct gsc_follow_options *options,
			      const struct gsc_listener *listener, struct gsc_error *err)
{
	*f = (struct follower){ .set = set, .options = options, .listener = listener,
				.budget = UINT64_MAX, .patience = PATIENCE, .proof = PROOF };
	bases_modes(set->view, &f->constants, &f->tables);
	for (size_t i = 0; i < options->held_count; i++)
		f->hand_left += options->held[i].count;
	if (!held_init(&f->held, options->held, options->held_count))
		return err_memory(err);
	if (listener->breach && !(f->lint = lint_new(set->view, listener)))
		return err_memory(err);
	return GSC_OK;
}

void follower_free(struct follower *f)
{
	lint_free(f->lint);
	vec_free(&f->queue);
	seen_free(&f->seen);
	held_free(&f->held);
	free(f->window);
}

enum gsc_status follower_engine(struct follower *f, const char *engine, struct gsc_error *err)
{
	const struct gsc_view *view = f->set->view;
	struct gsc_engine_place found;
	const char *name, *at;
	enum gsc_status status;

	status = engine_by_name(view, engine, &name, err);
	if (status)
		return status;
	for (size_t i = 0; (at = gsc_platform_engine(view->db, view->platform, i, &found)); i++)
		if (at == name) {
			f->engine_class = found.engine_class;
			f->engine_base = found.base;
		}
	return GSC_OK;
}

bool follow_begin(struct follower *f, const struct pending *first)
{
	struct pending *slot = vec_add(&f->queue);

	f->telling.begun = false;
	f->telling.next = 0;
	f->dropped = 0;
	if (!slot || (!seen_find(&f->seen, &first->run) && !seen_add(&f->seen, &first->run)))
		return false;
	*slot = *first;
	return true;
}

bool follow_step(struct follower *f)
{
	struct telling *t = &f->telling;
	bool more;

	if (t->begun) {
		more = !t->over && reader_next(&t->reader, &t->command) ? run_command(f)
									: run_end(f);
	} else {
		if (f->enough || t->next == f->queue.count)
			return false;
		t->p = f->queue.items[t->next++];
		more = run_begin(f);
	}
	if (more)
		return true;
	f->enough = true;
	t->begun = false;
	return true;
}

enum gsc_status follow_end(struct follower *f, struct gsc_error *err)
{
	f->queue.count = 0;
	return f->no_memory || f->set->memory_out ? err_memory(err) : GSC_OK;
}
