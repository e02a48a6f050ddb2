/* SPDX-License-Identifier: MIT */
/* Following by steps: small ones, several at once, left in the middle. */
#include "aub-helpers.h"
#include "batch-helpers.h"
#include "batch/follow.h"
#include "formats/demo.h"
#include "gpu-for.h"
#include "source-helpers.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define END 0x05000000u
#define LRI 0x11000001u
#define START6 0x18800000u

/* Kinds of blocks in a classic trace. */
#define ENTRIES 0x040001
#define BATCH 0x000101
#define RING 0x000202

struct scene {
	struct gsc_source *source;
	struct gsc_view *view;
	struct gsc_commands *set;
	const struct gsc_gpu *gpu;
};

static struct scene scene_of(struct gsc_source *source)
{
	struct scene s = { .source = source, .view = view_of(source) };

	s.gpu = gpu_for(source, s.view);
	CU_ASSERT_EQUAL_FATAL(gsc_commands_new(&s.set, s.gpu, NULL), GSC_OK);
	return s;
}

static void scene_end(struct scene *s)
{
	gsc_commands_free(s->set);
	gsc_view_free(s->view);
	gsc_source_close(s->source);
}

/* Two submissions on Gen6: the rings start one batch each, which is at the same address. */
static struct gsc_source *two_submissions(void)
{
	const uint32_t entries[] = { 0x200001, 0x201001, 0x202001 };
	const uint32_t ring[] = { START6, 0x1000 };
	const uint32_t first[] = { LRI, 0x2358, 1, END };
	const uint32_t second[] = { LRI, 0x2358, 2, LRI, 0x235c, 3, END };
	struct trace_bytes t = { 0 };

	trace_header(&t, "PCI-ID=0x126");
	trace_block(&t, ENTRIES, 0, entries, sizeof(entries));
	trace_block(&t, BATCH, 0x1000, first, sizeof(first));
	trace_block(&t, RING, 0x2000, ring, sizeof(ring));
	trace_block(&t, BATCH, 0x1000, second, sizeof(second));
	trace_block(&t, RING, 0x2000, ring, sizeof(ring));
	return trace_open(&t);
}

/* ---- what a step shows ----------------------------------------------------------------------- */

/* A listener that also keeps what a step has shown. */
struct watch {
	struct told told;
	struct gsc_listener listener;	/* what tells it */
	const struct gsc_run *run;
	const struct gsc_command *command;
	struct gsc_command copy;
	uint32_t first;			/* the first dword of the command */
	unsigned begins, commands, ends;
};

static bool watch_begin(void *context, const struct gsc_followed *item)
{
	struct watch *w = context;

	w->begins++;
	w->run = item->run;
	return w->listener.begin(&w->told, item);
}

static bool watch_command(void *context, const struct gsc_followed *item)
{
	struct watch *w = context;

	w->commands++;
	w->run = item->run;
	w->command = item->command;
	w->copy = *item->command;
	w->first = item->command->words[0];
	return w->listener.command(&w->told, item);
}

static bool watch_end(void *context, const struct gsc_followed *item)
{
	struct watch *w = context;

	w->ends++;
	w->run = item->run;
	return w->listener.end(&w->told, item);
}

#define PASSED_ON(kind)                                                                            \
	static bool watch_##kind(void *context, const struct gsc_followed *item)                   \
	{                                                                                          \
		struct watch *w = context;                                                         \
                                                                                                   \
		CU_ASSERT_EQUAL(w->commands, w->command ? 1 : 0);                                  \
		return w->listener.kind(&w->told, item);                                           \
	}

PASSED_ON(write)
PASSED_ON(state)
PASSED_ON(kernel)
PASSED_ON(breach)

static struct gsc_listener watcher(struct watch *w)
{
	w->told.writes = w->told.rest = true;
	w->listener = told_listener(&w->told);
	return (struct gsc_listener){
		.context = w,
		.begin = watch_begin,
		.command = watch_command,
		.write = watch_write,
		.state = watch_state,
		.kernel = watch_kernel,
		.breach = watch_breach,
		.end = watch_end,
	};
}

/* One step: it shows one thing, which is still there after it. */
static bool small_step(struct following *following, struct watch *w)
{
	w->run = NULL;
	w->command = NULL;
	w->begins = w->commands = w->ends = 0;
	if (!gsc_following_step(following))
		return false;
	CU_ASSERT_TRUE(w->begins + w->commands + w->ends <= 1);
	if (w->run)
		CU_ASSERT_PTR_NOT_NULL(gsc_run_kind_word(w->run->kind));
	if (w->command) {
		CU_ASSERT_PTR_EQUAL(w->command->words, w->copy.words);
		CU_ASSERT_EQUAL(w->command->address, w->copy.address);
		CU_ASSERT_EQUAL(w->command->words[0], w->first);
	}
	return true;
}

/* ---- the tests ------------------------------------------------------------------------------- */

static char *shown(const struct scene *s, enum gsc_status *status, struct gsc_error *err)
{
	static const struct gsc_follow_options options;
	struct told told = { .writes = true, .rest = true };
	struct gsc_listener listener = told_listener(&told);

	*err = (struct gsc_error){ 0 };
	*status = gsc_follow_all(s->set, s->gpu, &options, &listener, err);
	return told.text ? told.text : strdup("");
}

/* Two at once, the second always half as far, show what the function shows that does all steps. */
static size_t check_interleaved(const struct scene *s)
{
	struct gsc_follow_options options = { 0 };
	struct watch watches[2] = { 0 };
	struct following *following[2];
	struct gsc_error expected, err;
	enum gsc_status status;
	char *text = shown(s, &status, &expected);
	bool more[2] = { true, true };
	size_t steps = 0;

	for (unsigned i = 0; i < 2; i++) {
		struct gsc_listener listener = watcher(&watches[i]);

		following[i] = gsc_following_all(s->set, s->gpu, &options, &listener);
		CU_ASSERT_PTR_NOT_NULL_FATAL(following[i]);
	}
	/* Both were copied. */
	options.no_follow = true;
	for (; more[0] || more[1]; steps++)
		for (unsigned i = 0; i < 2; i++)
			if (more[i] && !(i && more[0] && steps % 2))
				more[i] = small_step(following[i], &watches[i]);
	for (unsigned i = 0; i < 2; i++) {
		const char *got = watches[i].told.text ? watches[i].told.text : "";

		CU_ASSERT_FALSE(gsc_following_step(following[i]));
		CU_ASSERT_STRING_EQUAL(got, text);
		err = (struct gsc_error){ 0 };
		CU_ASSERT_EQUAL(gsc_following_status(following[i], &err), status);
		CU_ASSERT_STRING_EQUAL(err.what, expected.what);
		CU_ASSERT_STRING_EQUAL(err.why, expected.why);
		gsc_following_free(following[i]);
		free(watches[i].told.text);
	}
	free(text);
	return steps;
}

static void steps_of_all_demos(void)
{
	size_t steps = 0, with_commands = 0;
	struct gsc_demo demo;

	for (size_t i = 0; gsc_demo_at(i, &demo); i++) {
		struct scene s = scene_of(open_spec("demo:%s", demo.name, NULL));
		size_t own = check_interleaved(&s);

		steps += own;
		with_commands += own > 50;
		scene_end(&s);
	}
	CU_ASSERT_TRUE(with_commands >= 2);
	CU_ASSERT_TRUE(steps > 200);
}

static void steps_of_a_trace(void)
{
	struct scene s = scene_of(two_submissions());
	struct gsc_error err;
	enum gsc_status status;
	char *text = shown(&s, &status, &err);

	CU_ASSERT_EQUAL(status, GSC_OK);
	CU_ASSERT_STRING_EQUAL(text, "[ring ggtt:0x2000 +p] MI_BATCH_BUFFER_START (ended 8)"
			       "[batch ggtt:0x1000 +p] MI_LOAD_REGISTER_IMM =2358:1 "
			       "MI_BATCH_BUFFER_END (ended 16)"
			       "[ring ggtt:0x2000 +p] MI_BATCH_BUFFER_START (ended 8)"
			       "[batch ggtt:0x1000 +p] MI_LOAD_REGISTER_IMM =2358:2 "
			       "MI_LOAD_REGISTER_IMM =235c:3 MI_BATCH_BUFFER_END (ended 28)");
	check_interleaved(&s);
	free(text);
	scene_end(&s);
}

/* What it has shown when it is left is how everything begins; its memory is freed. */
static void check_left(const struct scene *s)
{
	static const struct gsc_follow_options options;
	struct gsc_error err;
	enum gsc_status status;
	char *text = shown(s, &status, &err);
	bool more = true;

	for (unsigned leave = 0; more; leave += leave / 8 + 1) {
		struct watch w = { .run = NULL };
		struct gsc_listener listener = watcher(&w);
		struct following *following = gsc_following_all(s->set, s->gpu, &options, &listener);

		CU_ASSERT_PTR_NOT_NULL_FATAL(following);
		for (unsigned i = 0; i < leave && more; i++)
			more = small_step(following, &w);
		gsc_following_free(following);
		CU_ASSERT_EQUAL(strncmp(w.told.text ? w.told.text : "", text, w.told.size), 0);
		CU_ASSERT_TRUE(more || w.told.size == strlen(text));
		free(w.told.text);
	}
	free(text);
	gsc_following_free(NULL);
}

static void left_in_the_middle(void)
{
	struct scene s = scene_of(open_spec("demo:%s", "skl-hang", NULL));

	check_left(&s);
	scene_end(&s);
	s = scene_of(two_submissions());
	check_left(&s);
	scene_end(&s);
}

/* A listener that wants no more ends it, at once and for good. */
static void a_listener_ends_it(void)
{
	const uint32_t words[] = { LRI, 0x2358, 1, LRI, 0x2358, 2, END };
	static const struct gsc_follow_options options;
	struct told told = { .enough = 1 };
	struct gsc_listener listener = told_listener(&told);
	struct following *following;
	struct kit kit;

	kit_open(&kit, "snb");
	following = gsc_following_words(kit.set, gpu_for(NULL, kit.view), 0x1000, words, 7, &options,
					&listener);
	while (gsc_following_step(following))
		;
	CU_ASSERT_FALSE(gsc_following_step(following));
	CU_ASSERT_EQUAL(gsc_following_status(following, NULL), GSC_OK);
	TOLD(&told, "[dwords ggtt:0x1000 +p] MI_LOAD_REGISTER_IMM");
	gsc_following_free(following);
	kit_close(&kit);
}

/* What cannot be followed says so after the first step. */
static void errors_are_the_status(void)
{
	struct gsc_follow_options options = { .engine = "tiger0" };
	struct told told = { .text = NULL };
	struct gsc_listener listener = told_listener(&told);
	struct gsc_error err = { 0 };
	struct following *following;
	const struct gsc_gpu *gpu;
	struct kit kit;

	kit_open(&kit, "skl");
	gpu = gpu_for(NULL, kit.view);
	for (unsigned i = 0; i < 3; i++) {
		following = i == 0 ? gsc_following_all(kit.set, gpu, &options, &listener)
			  : i == 1 ? gsc_following_held(kit.set, gpu, &options, &listener)
			  : gsc_following_address(kit.set, gpu, 0, false, &options, &listener);
		CU_ASSERT_FALSE(gsc_following_step(following));
		CU_ASSERT_EQUAL(gsc_following_status(following, &err), GSC_UNKNOWN);
		CU_ASSERT_STRING_EQUAL(err.what, "tiger0");
		gsc_following_free(following);
	}
	/* Nor does a GPU without a source have rings. */
	options.engine = NULL;
	CU_ASSERT_EQUAL(gsc_follow_all(kit.set, gpu, &options, &listener, &err), GSC_UNKNOWN);
	CU_ASSERT_STRING_EQUAL(err.what, "commands");
	CU_ASSERT_PTR_NULL(told.text);
	kit_close(&kit);
}

SUITE(batch_steps,
      { "steps of all demos", steps_of_all_demos },
      { "steps of a trace", steps_of_a_trace },
      { "left in the middle", left_in_the_middle },
      { "a listener ends it", a_listener_ends_it },
      { "errors are the status", errors_are_the_status })
