/* SPDX-License-Identifier: MIT */
/* Commands of rings and batches, one for each step of the follower. */
#include "api/api.h"

#include "batch/batch.h"
#include "batch/follow.h"
#include "gtt/gtt.h"
#include "open/open.h"

#include <string.h>

_Static_assert((int)GPUSCOPE_RUN_KIND_DWORDS == (int)GSC_RUN_DWORDS &&
	       (int)GPUSCOPE_RUN_KIND_RING == (int)GSC_RUN_RING &&
	       (int)GPUSCOPE_RUN_KIND_BATCH == (int)GSC_RUN_BATCH &&
	       (int)GPUSCOPE_RUN_KIND_SECOND_LEVEL == (int)GSC_RUN_SECOND_LEVEL,
	       "enum gpuscope_run_kind");
_Static_assert((int)GPUSCOPE_RUN_END_ENDED == (int)GSC_RUN_ENDED &&
	       (int)GPUSCOPE_RUN_END_OUT == (int)GSC_RUN_OUT &&
	       (int)GPUSCOPE_RUN_END_CHAINED == (int)GSC_RUN_CHAINED &&
	       (int)GPUSCOPE_RUN_END_NOWHERE == (int)GSC_RUN_NOWHERE &&
	       (int)GPUSCOPE_RUN_END_STOPPED == (int)GSC_RUN_STOPPED &&
	       (int)GPUSCOPE_RUN_END_BLANK == (int)GSC_RUN_BLANK &&
	       (int)GPUSCOPE_RUN_END_LOOP == (int)GSC_RUN_LOOP, "enum gpuscope_run_end");
_Static_assert((int)GPUSCOPE_COMMAND_STATUS_OK == (int)GSC_COMMAND_OK &&
	       (int)GPUSCOPE_COMMAND_STATUS_UNKNOWN == (int)GSC_COMMAND_UNKNOWN &&
	       (int)GPUSCOPE_COMMAND_STATUS_TRUNCATED == (int)GSC_COMMAND_TRUNCATED &&
	       (int)GPUSCOPE_COMMAND_STATUS_BAD_LENGTH == (int)GSC_COMMAND_BAD_LENGTH,
	       "enum gpuscope_command_status");
_Static_assert((int)GPUSCOPE_USE_LOADS_VALUE == (int)GSC_WRITE_VALUE &&
	       (int)GPUSCOPE_USE_LOADS_MEMORY == (int)GSC_WRITE_MEMORY &&
	       (int)GPUSCOPE_USE_LOADS_REGISTER == (int)GSC_WRITE_REGISTER &&
	       (int)GPUSCOPE_USE_STORES_TO_MEMORY == (int)GSC_READ_TO_MEMORY &&
	       (int)GPUSCOPE_USE_STORES_TO_REGISTER == (int)GSC_READ_TO_REGISTER &&
	       (int)GPUSCOPE_USE_LOADS_RESULT == (int)GSC_WRITE_RESULT &&
	       (int)GPUSCOPE_USE_READS == (int)GSC_READ, "enum gpuscope_use");

const char *gpuscope_run_kind_word(enum gpuscope_run_kind kind)
{
	return gsc_run_kind_word((enum gsc_run_kind)kind);
}

const char *gpuscope_run_end_word(enum gpuscope_run_end end)
{
	return gsc_run_end_word((enum gsc_run_end)end);
}

const char *gpuscope_command_status_word(enum gpuscope_command_status status)
{
	return gsc_command_word((enum gsc_command_status)status);
}

struct command_list {
	struct gpuscope_list list;
	struct gpuscope_tables *tables;	/* held; or NULL */
	struct gsc_commands *set;
	struct gsc_root root;
	struct gsc_follow_options options;
	struct following *following;
	struct keep runs;		/* what lives as long as the list */
	struct gpuscope_run *run;	/* the one that is listed */
	char missing[400];		/* the first run or command that is not whole, or "" */
	/* The command of this step, or NULL, and what belongs to it. */
	struct gpuscope_command *command;
	pointer_vec registers, states, kernels;
	/* Instead of commands: what rules found in this step, and how many of it are listed. */
	VEC(struct gsc_breach) breaches;
	size_t listed;
};

/* ---- runs ----------------------------------------------------------------------------------- */

static bool take_begin(void *context, const struct gsc_followed *item)
{
	struct command_list *list = context;
	const struct gsc_run *run = item->run;
	struct gpuscope_run *made = keep_new(&list->runs, struct gpuscope_run);

	list->run = made;
	if (!made)
		return false;
	made->kind = (enum gpuscope_run_kind)run->kind;
	made->engine = keep_text(&list->runs, run->engine);
	made->process = run->process;
	made->privileged = run->privileged;
	made->submission = run->submission;
	made->address = run->address;
	made->from = keep_number(&list->runs, run->started, run->from);
	return true;
}

static bool take_end(void *context, const struct gsc_followed *item)
{
	struct command_list *list = context;
	const struct gsc_run *run = item->run;
	struct gpuscope_run *made = list->run;

	made->over = true;
	made->end = (enum gpuscope_run_end)run->end;
	made->length = run->length;
	made->why = keep_text(&list->runs, run->why);
	if (!*list->missing && (run->end == GSC_RUN_NOWHERE || run->end == GSC_RUN_STOPPED ||
				run->end == GSC_RUN_BLANK))
		string_set(list->missing, "%s %s at %s 0x%llx: %s", run->engine,
			   gsc_run_kind_word(run->kind), run->process ? "ppgtt" : "ggtt",
			   LL(run->address), *run->why ? run->why : gsc_run_end_word(run->end));
	return true;
}

/* ---- commands ------------------------------------------------------------------------------- */

static bool take_command(void *context, const struct gsc_followed *item)
{
	struct command_list *list = context;
	const struct gsc_command *command = item->command;
	const struct known_command *known = command->known;
	struct keep *keep = &list->list.keep;
	struct gpuscope_command *made = keep_new(keep, struct gpuscope_command);
	struct gsc_item definition;
	const struct plan *plan;
	pointer_vec addresses = { .count = 0 };
	struct gsc_command_address address;
	struct addresses a;

	list->command = made;
	if (!made)
		return false;
	made->run = list->run;
	made->address = command->address;
	made->name = command->name;
	made->status = (enum gpuscope_command_status)command->status;
	made->words = command->words;
	made->word_count = command->count;
	made->length = command->length;
	if (known && gsc_item_by_def(list->set->view->db, GSC_COMMAND, known->id, &definition))
		made->decoded = decoded_of(keep, list->list.gpu, &definition, command->words,
					   command->count);
	plan = command->known ? command_plan(list->set, command->known) : NULL;
	if (plan)
		addresses_begin(&a, plan, command->words, command->count);
	while (plan && addresses_next(&a, &address)) {
		struct gpuscope_command_address *one =
			keep_new(keep, struct gpuscope_command_address);

		if (!one)
			break;
		one->name = address.name;
		one->dword = address.dword;
		one->address = address.address;
		one->process = address.space ? !strcmp(address.space, "ppgtt")
					      : list->run->process;
		pointers_add(keep, &addresses, one);
	}
	made->addresses = pointers_end(keep, &addresses);
	if (!*list->missing && command->status != GSC_COMMAND_OK)
		string_set(list->missing, "%s command at 0x%llx in the %s at 0x%llx",
			   gsc_command_word(command->status), LL(command->address),
			   gsc_run_kind_word(item->run->kind), LL(item->run->address));
	return true;
}

/* ---- what belongs to a command -------------------------------------------------------------- */

static bool take_write(void *context, const struct gsc_followed *item)
{
	struct command_list *list = context;
	struct keep *keep = &list->list.keep;
	const struct gsc_register_write *write = item->write;
	struct gpuscope_register_access *made = keep_new(keep, struct gpuscope_register_access);
	struct gsc_reg reg;

	if (!made)
		return false;
	made->use = (enum gpuscope_use)write->kind;
	made->address = write->offset;
	if (gsc_view_at(list->set->view, write->offset, &reg))
		made->reg = gpu_register_of(list->list.gpu, &reg);
	made->value = keep_number(keep, write->kind == GSC_WRITE_VALUE, write->value);
	made->from = keep_number(keep, write->kind == GSC_WRITE_MEMORY ||
				 write->kind == GSC_WRITE_REGISTER ||
				 write->kind == GSC_READ_TO_MEMORY ||
				 write->kind == GSC_READ_TO_REGISTER, write->from);
	pointers_add(keep, &list->registers, made);
	return true;
}

static bool take_state(void *context, const struct gsc_followed *item)
{
	struct command_list *list = context;
	struct keep *keep = &list->list.keep;
	const struct gsc_state *state = item->state;
	struct gpuscope_state_object *made = keep_new(keep, struct gpuscope_state_object);

	if (!made)
		return false;
	made->name = state->name;
	made->index = state->index;
	made->depth = state->depth;
	made->address = state->address;
	made->is_offset = state->is_offset;
	made->word_count = state->count;
	if (state->count) {
		made->words = keep_copy(keep, state->words, state->count * sizeof(*state->words));
		made->decoded = decoded_of(keep, list->list.gpu, &state->item, made->words,
					   state->count);
	}
	made->problem = keep_text(keep, state->problem);
	pointers_add(keep, &list->states, made);
	return true;
}

static bool take_kernel(void *context, const struct gsc_followed *item)
{
	struct command_list *list = context;
	struct keep *keep = &list->list.keep;
	const struct gsc_kernel *kernel = item->kernel;
	struct gpuscope_kernel *made = keep_new(keep, struct gpuscope_kernel);

	if (!made)
		return false;
	made->stage = keep_text(keep, kernel->stage);
	made->address = kernel->address;
	if (kernel->size)
		made->data = keep_copy(keep, kernel->data, kernel->size);
	made->length = kernel->size;
	made->simd = kernel->simd;
	made->problem = keep_text(keep, kernel->problem);
	pointers_add(keep, &list->kernels, made);
	return true;
}

static bool take_breach(void *context, const struct gsc_followed *item)
{
	struct command_list *list = context;
	bool kept = vec_push(&list->breaches, *item->breach);

	list->list.keep.failed |= !kept;
	return kept;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* One more step; false: the end, and list->error says how it was. */
static bool command_step(struct gpuscope_list *list)
{
	struct command_list *own = (struct command_list *)list;
	struct gsc_error err = { .why = "" };
	enum gsc_status status;

	own->command = NULL;
	if (gsc_following_step(own->following) && !list->keep.failed && !own->runs.failed)
		return true;
	status = gsc_following_status(own->following, &err);
	if (list->keep.failed || own->runs.failed)
		list->error = error_memory();
	else if (status == GSC_PARTIAL)
		list->error = error_make(GPUSCOPE_STATUS_PARTIAL, "commands",
					 "not all of them could be "
					 "read%s%s", *own->missing ? "; the first: " : "",
					 own->missing);
	else if (status == GSC_UNKNOWN && !strcmp(err.what, "commands"))
		list->error = error_make(GPUSCOPE_STATUS_UNKNOWN, err.what,
					 "the sources have no ring or batch");
	else if (status)
		list->error = error_of(status, &err);
	return false;
}

static const void *command_next(struct gpuscope_list *list)
{
	struct command_list *own = (struct command_list *)list;
	struct gpuscope_command *made;

	while (command_step(list)) {
		made = own->command;
		if (!made)
			continue;
		made->registers = pointers_end(&list->keep, &own->registers);
		made->states = pointers_end(&list->keep, &own->states);
		made->kernels = pointers_end(&list->keep, &own->kernels);
		return made;
	}
	return NULL;
}

static const void *breach_next(struct gpuscope_list *list)
{
	struct command_list *own = (struct command_list *)list;

	while (own->listed == own->breaches.count) {
		own->listed = own->breaches.count = 0;
		if (!command_step(list))
			return NULL;
	}
	return finding_of(&list->keep, &own->breaches.items[own->listed++]);
}

static void command_free(struct gpuscope_list *list)
{
	struct command_list *own = (struct command_list *)list;

	gsc_following_free(own->following);
	keep_free(&own->runs);
	vec_free(&own->registers);
	vec_free(&own->states);
	vec_free(&own->kernels);
	vec_free(&own->breaches);
	gpuscope_tables_free(own->tables);
}

/* The engine of a buffer that the sources list there, or NULL. */
static const char *engine_there(struct keep *keep, const struct gsc_source *source,
				uint64_t address, bool process)
{
	struct gsc_buffer_origin b;

	for (size_t part = 0; source && part < gsc_source_count(source); part++)
		for (size_t i = 0; gsc_source_buffer(source, part, i, &b); i++)
			if (b.address == address && *b.engine &&
			    process == (b.space == GSC_PPGTTMEM))
				return keep_text(keep, b.engine);
	return NULL;
}

static struct following *follow(struct command_list *list,
				const struct gpuscope_commands_options *options,
				const struct gsc_listener *listener)
{
	const struct gsc_gpu *gpu = list->list.gpu->gpu;
	uint64_t address = options->address ? *options->address : 0;

	if (options->words)
		return gsc_following_words(list->set, gpu, address, options->words,
					   options->word_count, &list->options, listener);
	if (!options->address)
		return gsc_following_all(list->set, gpu, &list->options, listener);
	if (!list->options.engine)
		list->options.engine = engine_there(&list->runs, gpu->source, address,
						    options->process);
	return gsc_following_address(list->set, gpu, address, options->process, &list->options,
				     listener);
}

static struct gpuscope_error *command_list_new(struct gpuscope_gpu *gpu,
					       const struct gpuscope_commands_options *given,
					       bool check, struct gpuscope_list **out)
{
	struct gpuscope_commands_options options;
	struct command_list *list;
	struct gsc_listener listener = { .begin = take_begin, .end = take_end };
	struct gpuscope_error *error = options_copy(&options, sizeof(options), given, "options");
	enum gsc_status status;
	struct gsc_error err;

	*out = NULL;
	if (error)
		return error;
	if (options.word_count && !options.words)
		return error_make(GPUSCOPE_STATUS_USAGE, "word_count", "words is NULL");
	if (options.address && *options.address % 4)
		return error_make(GPUSCOPE_STATUS_USAGE, "address", "it is not a multiple of 4");
	if (options.process && !options.address && !options.words)
		return error_make(GPUSCOPE_STATUS_USAGE, "process", "it is about an address");
	list = list_new(sizeof(*list), check ? breach_next : command_next, command_free, gpu, NULL);
	if (!list)
		return error_memory();
	error = gpu_commands(gpu, &list->set);
	if (error) {
		gpuscope_list_free(&list->list);
		return error;
	}
	list->options.engine = keep_text(&list->runs, options.engine);
	list->options.no_follow = options.no_follow;
	list->options.past_end = options.past_end;
	if (options.tables) {
		list->tables = tables_hold(options.tables);
		list->root = list->tables->translation->options.root;
		list->options.root = &list->root;
	}
	listener.context = list;
	listener.command = check ? NULL : take_command;
	listener.write = check ? NULL : take_write;
	listener.state = check || !options.state ? NULL : take_state;
	listener.kernel = check || !options.state ? NULL : take_kernel;
	listener.breach = check ? take_breach : NULL;
	list->following = follow(list, &options, &listener);
	status = list->following ? gsc_following_status(list->following, &err) : GSC_OK;
	if (!list->following || list->runs.failed)
		error = error_memory();
	else if (status && status != GSC_PARTIAL)
		error = error_of(status, &err);
	if (error)
		gpuscope_list_free(&list->list);
	else
		*out = &list->list;
	return error;
}

struct gpuscope_error *gpuscope_commands(struct gpuscope_gpu *gpu,
					 const struct gpuscope_commands_options *options,
					 struct gpuscope_list **out)
{
	return command_list_new(gpu, options, false, out);
}

struct gpuscope_error *gpuscope_commands_check(struct gpuscope_gpu *gpu,
					       const struct gpuscope_commands_options *options,
					       struct gpuscope_list **out)
{
	return command_list_new(gpu, options, true, out);
}
