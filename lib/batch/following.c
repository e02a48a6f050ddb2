/* SPDX-License-Identifier: MIT */
/* Following by steps: everything in a source, or what the user asked for. */
#include "batch/following.h"

#include "db/resolve.h"

/*
 * A batch may be started again and again: the limit is this many times the number of dwords, but at
 * least so many.
 */
#define TOLD_TIMES 16
#define TOLD_LEAST (4u << 20)

/* ---- one run after the other ---------------------------------------------------------------- */

void visit(struct following *t, const struct gsc_gpu *gpu, const struct gsc_root *root,
	   const struct pending *p)
{
	t->status = follower_engine(&t->f, p->run.engine, &t->err);
	if (t->status)
		return;
	t->status = graphics_open(&t->memory, gpu, t->options.root ? t->options.root : root,
				  &t->err);
	if (!t->status && !follow_begin(&t->f, p))
		t->status = err_memory(&t->err);
	if (t->status) {
		graphics_close(&t->memory);
		return;
	}
	t->f.memory = &t->memory;
	t->visiting = true;
	t->found++;
}

bool wanted(const struct following *t, const char *engine)
{
	const char *name = t->options.engine;

	return !name || engine_meant(name, engine);
}

/* ---- what the user asked for ---------------------------------------------------------------- */

static void ask_engine(struct following *t)
{
	const struct gsc_gpu *gpu = t->gpu;

	t->status = engine_by_name(t->f.set->view, t->options.engine, &t->asked_engine, &t->err);
	if (t->status || !gpu->source)
		return;
	t->has_root = !gsc_root_engine(gpu, t->asked_engine, &t->root, NULL);
	if (!t->options.mark_count &&
	    active_head(gpu, t->asked_engine, &t->marks[0].address)) {
		t->marks[0].name = "ACTHD";
		t->f.marks = t->marks;
		t->f.mark_count = 1;
	}
}

static void visit_asked(struct following *t)
{
	string_set(t->asked.run.engine, "%s", t->asked_engine);
	visit(t, t->gpu, t->has_root ? &t->root : NULL, &t->asked);
}

static bool only_run(struct following *t)
{
	visit_asked(t);
	return false;
}

static struct pending words_run(uint64_t address, const uint32_t *words, size_t count)
{
	return (struct pending){
		.run = { .kind = GSC_RUN_DWORDS, .address = address, .privileged = true },
		.words = words,
		.count = count,
	};
}

/* A stretch that is a batch of an earlier one is not shown again on its own. */
static bool note_shown(struct following *t)
{
	struct seen *seen = &t->f.seen;

	for (size_t i = 0; i < seen->items.count; i++) {
		struct gsc_run place = { .address = seen->items.items[i].address };

		if (seen->items.items[i].started && !seen_find(&t->shown, &place) &&
		    !seen_add(&t->shown, &place))
			return false;
	}
	seen_clear(seen);
	return true;
}

static bool next_stretch(struct following *t)
{
	const struct gsc_words *s;

	if (t->stretch == t->options.held_count)
		return false;
	if (!note_shown(t)) {
		t->status = err_memory(&t->err);
		return true;
	}
	s = &t->options.held[t->stretch++];
	if (seen_find(&t->shown, &(struct gsc_run){ .address = s->address }))
		return true;
	t->asked = words_run(s->address, s->words, s->count);
	visit_asked(t);
	return true;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static struct following *following_new(struct gsc_commands *set, const struct gsc_gpu *gpu,
				       const struct gsc_follow_options *options,
				       const struct gsc_listener *listener,
				       place_fn *const *places)
{
	const struct aub *aub = gpu->source ? source_aub(gpu->source) : NULL;
	struct following *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->gpu = gpu;
	t->options = *options;
	t->listener = *listener;
	t->places = places;
	t->status = follower_init(&t->f, set, &t->options, &t->listener, &t->err);
	/* Only a trace submits the same batch again. */
	if (aub)
		t->f.budget = MAX(aub->size / 4 * (uint64_t)TOLD_TIMES, (uint64_t)TOLD_LEAST);
	t->f.marks = options->marks;
	t->f.mark_count = options->mark_count;
	return t;
}

static bool none_found(struct following *t)
{
	if (!t->found)
		t->status = err_set(&t->err, GSC_UNKNOWN,
				    t->options.engine ? t->options.engine : "commands",
				    "the source has no ring or batch; name a FILE or give -a");
	return false;
}

struct following *gsc_following_all(struct gsc_commands *set, const struct gsc_gpu *gpu,
				    const struct gsc_follow_options *options,
				    const struct gsc_listener *listener)
{
	static place_fn *const from_source[] = { read_trace, next_submission, next_buffer,
						 next_engine, none_found, NULL };
	static place_fn *const nowhere[] = { none_found, NULL };
	struct following *t = following_new(set, gpu, options, listener,
					    gpu->source ? from_source : nowhere);

	if (t && !t->status)
		t->status = follower_engine(&t->f, options->engine, &t->err);
	return t;
}

static struct following *following_one(struct gsc_commands *set, const struct gsc_gpu *gpu,
				       const struct pending *p,
				       const struct gsc_follow_options *options,
				       const struct gsc_listener *listener)
{
	static place_fn *const one[] = { only_run, NULL };
	struct following *t = following_new(set, gpu, options, listener, one);

	if (!t)
		return NULL;
	t->asked = *p;
	t->f.hand = &t->asked;
	if (!options->held_count)
		t->f.hand_left = p->count;
	if (!t->status)
		ask_engine(t);
	return t;
}

struct following *gsc_following_held(struct gsc_commands *set, const struct gsc_gpu *gpu,
				     const struct gsc_follow_options *options,
				     const struct gsc_listener *listener)
{
	static place_fn *const stretches[] = { next_stretch, NULL };
	struct following *t = following_new(set, gpu, options, listener, stretches);

	if (!t)
		return NULL;
	t->f.hand_left = MAX(TOLD_TIMES * t->f.hand_left, (size_t)TOLD_LEAST);
	if (!t->status)
		ask_engine(t);
	return t;
}

struct following *gsc_following_words(struct gsc_commands *set, const struct gsc_gpu *gpu,
				      uint64_t address, const uint32_t *words, size_t count,
				      const struct gsc_follow_options *options,
				      const struct gsc_listener *listener)
{
	struct pending p = words_run(address, words, count);

	return following_one(set, gpu, &p, options, listener);
}

struct following *gsc_following_address(struct gsc_commands *set, const struct gsc_gpu *gpu,
					uint64_t address, bool process,
					const struct gsc_follow_options *options,
					const struct gsc_listener *listener)
{
	struct pending p = {
		.run = { .kind = GSC_RUN_BATCH, .address = address, .process = process,
			 .privileged = true },
		.limit = UINT64_MAX,
	};

	return following_one(set, gpu, &p, options, listener);
}

static inline bool step(struct following *t)
{
	if (t->visiting) {
		if (!follow_step(&t->f)) {
			t->status = follow_end(&t->f, &t->err);
			graphics_close(&t->memory);
			t->f.memory = NULL;
			t->visiting = false;
		}
		return true;
	}
	if (t->status || t->f.enough || !*t->places)
		return false;
	if (!(*t->places)(t))
		t->places++;
	return true;
}

bool gsc_following_step(struct following *t)
{
	return step(t);
}

enum gsc_status gsc_following_status(const struct following *t, struct gsc_error *err)
{
	if (err && t->err.status)
		*err = t->err;
	return t->status ? t->status : t->f.status;
}

void gsc_following_free(struct following *t)
{
	if (!t)
		return;
	graphics_close(&t->memory);
	follower_free(&t->f);
	gsc_source_close(t->moment.source);
	vec_free(&t->submissions);
	seen_free(&t->shown);
	free(t);
}

/* ---- all steps ------------------------------------------------------------------------------ */

static enum gsc_status all_steps(struct following *t, struct gsc_error *err)
{
	enum gsc_status status;

	if (!t)
		return err_memory(err);
	while (step(t))
		;
	status = gsc_following_status(t, err);
	gsc_following_free(t);
	return status;
}

enum gsc_status gsc_follow_all(struct gsc_commands *set, const struct gsc_gpu *gpu,
			       const struct gsc_follow_options *options,
			       const struct gsc_listener *listener, struct gsc_error *err)
{
	return all_steps(gsc_following_all(set, gpu, options, listener), err);
}

enum gsc_status gsc_follow_held(struct gsc_commands *set, const struct gsc_gpu *gpu,
				const struct gsc_follow_options *options,
				const struct gsc_listener *listener, struct gsc_error *err)
{
	return all_steps(gsc_following_held(set, gpu, options, listener), err);
}

enum gsc_status gsc_follow_words(struct gsc_commands *set, const struct gsc_gpu *gpu,
				 uint64_t address, const uint32_t *words, size_t count,
				 const struct gsc_follow_options *options,
				 const struct gsc_listener *listener, struct gsc_error *err)
{
	return all_steps(gsc_following_words(set, gpu, address, words, count, options, listener),
			 err);
}

enum gsc_status gsc_follow_address(struct gsc_commands *set, const struct gsc_gpu *gpu,
				   uint64_t address, bool process,
				   const struct gsc_follow_options *options,
				   const struct gsc_listener *listener, struct gsc_error *err)
{
	return all_steps(gsc_following_address(set, gpu, address, process, options, listener),
			 err);
}

/* ---- without showing anything ---------------------------------------------------------------- */

enum batch_fate batch_fate(struct gsc_commands *set, const struct gsc_gpu *gpu, const char *engine,
			   uint64_t address, bool process, struct batch_loop *loop,
			   char why[BATCH_DOUBT])
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
	enum batch_fate fate = BATCH_UNKNOWN;
	bool has_root = !gsc_root_engine(gpu, engine, &root, NULL);

	*why = '\0';
	string_set(p.run.engine, "%s", engine);
	if (!follower_init(&f, set, &options, &listener, NULL) &&
	    !follower_engine(&f, engine, NULL)) {
		if (!graphics_open(&memory, gpu, has_root ? &root : NULL, NULL)) {
			f.memory = &memory;
			fate = follow_fate(&f, &p, loop);
			snprintf(why, BATCH_DOUBT, "%s", f.doubt);
		}
		graphics_close(&memory);
	}
	follower_free(&f);
	return fate;
}
