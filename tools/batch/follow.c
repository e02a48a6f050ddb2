/* SPDX-License-Identifier: MIT */
/*
 * What gpu-batch examines, reported to one of its forms of output; it also counts what was wrong,
 * so that the exit status never comes without a line that says why.
 */
#include "gpu-batch.h"

#include <stdlib.h>

/* Lines about runs that led nowhere; the others are summed up in one. */
#define NOWHERE_TOLD 10

/* Where a selected run is: what is started from there is selected, too. */
struct told_run {
	uint64_t address, length;
	unsigned submission;
};

/* Which runs --address selects: those that begin there, and those that they start. */
struct choosing {
	struct batch *batch;
	VEC(struct told_run) told;
	bool everything;		/* all runs are selected */
	bool telling;			/* the run that began last is selected */
	bool found, amiss, no_memory;
};

struct counting {
	struct batch *batch;
	const struct gsc_listener *listener;
	struct choosing *choosing;	/* NULL: every run is reported */
};

/* ---- choosing ------------------------------------------------------------------------------- */

/* Whether a run is selected. */
static bool choose_begin(struct choosing *c, const struct gsc_run *run)
{
	const struct batch *batch = c->batch;
	const struct told_run *told = c->told.items;

	c->telling = c->everything ||
		     (run->address == batch->address &&
		      !(run->process ? batch->global : batch->process));
	for (size_t i = 0; run->started && i < c->told.count; i++)
		c->telling |= told[i].submission == run->submission &&
			      run->from - told[i].address < told[i].length;
	c->found |= c->telling;
	return c->telling;
}

/* Takes a selected run; false: memory is out. */
static bool choose_end(struct choosing *c, const struct gsc_run *run)
{
	bool kept = vec_push(&c->told, (struct told_run){ run->address, run->length,
							  run->submission });

	c->amiss |= breaks_off(run);
	c->no_memory |= !kept;
	return kept;
}

static bool found_command(void *context, const struct gsc_followed *item)
{
	(void)item;
	*(bool *)context = true;
	return false;
}

/* Are there dwords at the address? */
static bool is_there(struct batch *batch, bool process)
{
	bool found = false;
	struct gsc_listener listener = { .context = &found, .command = found_command };
	struct gsc_error err = { 0 };

	gsc_follow_address(batch->set, batch->common.gpu, batch->address, process,
			   &batch->options, &listener, &err);
	return found;
}

/*
 * --address into a source: the buffers of the source that begin there, with what they start; if it
 * lists none, what the page tables have at that address.
 */
static enum gsc_status follow_selected(struct choosing *c, const struct gsc_listener *listener,
				       struct gsc_error *err)
{
	struct batch *batch = c->batch;
	bool process = batch->process;
	enum gsc_status status;

	status = gsc_follow_all(batch->set, batch->common.gpu, &batch->options, listener, err);
	if (c->no_memory)
		return err_memory(err);
	if (status && status != GSC_PARTIAL && status != GSC_UNKNOWN)
		return status;
	if (c->found)
		return c->amiss ? GSC_PARTIAL : GSC_OK;
	*err = (struct gsc_error){ 0 };
	c->everything = true;
	if (is_there(batch, process) ||
	    (!process && !batch->global && (process = is_there(batch, true))))
		return gsc_follow_address(batch->set, batch->common.gpu, batch->address,
					  process, &batch->options, listener, err);
	err->status = GSC_UNKNOWN;
	string_set(err->what, "0x%llx", LL(batch->address));
	string_set(err->why, "no buffer of the source begins at this address, and no source "
		   "holds%s memory there", batch->process ? " per-process"
		   : batch->global ? " global" : "");
	return GSC_UNKNOWN;
}

static bool is_hidden(const struct counting *c)
{
	return c->choosing && !c->choosing->telling;
}

/* ---- counting ------------------------------------------------------------------------------- */

static bool passed_on(const struct counting *c, gsc_followed_fn *to,
		      const struct gsc_followed *item)
{
	return !to || to(c->listener->context, item);
}

static bool count_begin(void *context, const struct gsc_followed *item)
{
	struct counting *c = context;

	if (c->choosing && !choose_begin(c->choosing, item->run))
		return true;
	c->batch->tally.runs++;
	return passed_on(c, c->listener->begin, item);
}

static bool count_command(void *context, const struct gsc_followed *item)
{
	const struct gsc_command *command = item->command;
	struct counting *c = context;
	struct tally *tally = &c->batch->tally;

	if (is_hidden(c))
		return true;
	if (c->choosing)
		c->choosing->amiss |= command->status != GSC_COMMAND_OK;
	tally->commands++;
	tally->marked += command->mark_count > 0;
	if (!tally->of[command->status]++)
		tally->first[command->status] = command->address;
	return passed_on(c, c->listener->command, item);
}

/* What belongs to a command, or breaks a rule. */
static bool count_rest(void *context, const struct gsc_followed *item)
{
	struct counting *c = context;
	const struct gsc_listener *l = c->listener;

	if (is_hidden(c))
		return true;
	c->batch->tally.absent += item->state && !item->state->count;
	return passed_on(c, item->write ? l->write : item->state ? l->state :
			    item->kernel ? l->kernel : l->breach, item);
}

static bool count_end(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct counting *c = context;
	struct tally *tally = &c->batch->tally;
	const char *why = *run->why ? run->why : gsc_run_end_word(run->end);
	bool nowhere = breaks_off(run);
	char what[120];

	if (is_hidden(c))
		return true;
	if (c->choosing && !choose_end(c->choosing, run))
		return false;
	if (nowhere && !tally->nowhere)
		string_set(tally->nowhere_first, "%s: %s", run_text(run, what, sizeof(what)), why);
	if (nowhere && tally->nowhere++ < NOWHERE_TOLD)
		complain(&c->batch->common, GSC_PARTIAL, run_text(run, what, sizeof(what)), why);
	return passed_on(c, c->listener->end, item);
}

/* ---- complaining ---------------------------------------------------------------------------- */

static void complain_commands(struct batch *batch, enum gsc_command_status status)
{
	const struct tally *tally = &batch->tally;
	char what[100], why[60];

	if (!tally->of[status])
		return;
	string_set(what, "%llu of %llu commands", LL(tally->of[status]), LL(tally->commands));
	string_set(why, "%s, the first at 0x%08llx", gsc_command_word(status),
		   LL(tally->first[status]));
	complain(&batch->common, GSC_PARTIAL, what, why);
}

enum gsc_status complain_mark(struct batch *batch)
{
	char what[60];

	if (!batch->options.mark_count || batch->tally.marked)
		return GSC_OK;
	string_set(what, "--mark 0x%llx", LL(batch->mark));
	complain(&batch->common, GSC_UNKNOWN, what, "no decoded command is at this address");
	return GSC_UNKNOWN;
}

static enum gsc_status complain_all(struct batch *batch, enum gsc_status status)
{
	struct common *common = &batch->common;
	enum gsc_status packed = held_damage(common, &batch->input.file), absent;
	char what[60];

	if (batch->tally.nowhere > NOWHERE_TOLD) {
		string_set(what, "%llu more batches", LL(batch->tally.nowhere) - NOWHERE_TOLD);
		complain(common, GSC_PARTIAL, what, gsc_run_end_word(GSC_RUN_NOWHERE));
	}
	complain_commands(batch, GSC_COMMAND_UNKNOWN);
	complain_commands(batch, GSC_COMMAND_TRUNCATED);
	complain_commands(batch, GSC_COMMAND_BAD_LENGTH);
	/* Bytes that are less than a dword belong to no command. */
	if (batch->input.tail) {
		string_set(what, "truncated: ends with %u byte%s of a dword", batch->input.tail,
			   batch->input.tail > 1 ? "s" : "");
		complain(common, GSC_PARTIAL, input_name(common->operands[0]), what);
	}
	if (batch->input.tail || batch->input.damaged)
		status = worse(status, GSC_PARTIAL);
	status = worse(status, packed);
	if (batch->tally.absent) {
		string_set(what, "%llu pieces of state", LL(batch->tally.absent));
		complain(common, GSC_PARTIAL, what, "not in this dump");
		status = worse(status, GSC_PARTIAL);
	}
	if (status == GSC_PARTIAL && !common->complaint_count)
		complain(common, GSC_PARTIAL, "commands", "not all of them could be read");
	if (batch->tally.commands || !batch->tally.nowhere)
		return status;
	/* A device has the bytes, but does not return them. */
	absent = gsc_source_live(common->source) ? GSC_PARTIAL : GSC_UNKNOWN;
	complain(common, absent, "commands", batch->tally.nowhere_first);
	return worse(status, absent);
}

bool batch_failed(const struct batch *batch, enum gsc_status status)
{
	return status && status != GSC_PARTIAL &&
	       !(status == GSC_UNKNOWN && batch->tally.runs && !batch->tally.commands);
}

enum gsc_status batch_follow(struct batch *batch, const struct gsc_listener *listener,
			     struct gsc_error *err)
{
	struct counting counting = { .batch = batch, .listener = listener };
	struct gsc_listener own = {
		.context = &counting,
		.begin = count_begin,
		.command = count_command,
		.write = listener->write ? count_rest : NULL,
		.state = listener->state ? count_rest : NULL,
		.kernel = listener->kernel ? count_rest : NULL,
		.breach = listener->breach ? count_rest : NULL,
		.end = count_end,
	};
	const struct gsc_gpu *gpu = batch->common.gpu;
	struct choosing choosing = { .batch = batch };
	struct input *input = &batch->input;
	enum gsc_status status;

	if (batch->has_input) {
		for (size_t i = 0; i < input->stretches.count; i++)
			input->stretches.items[i].address += batch->address;
		batch->options.held = input->stretches.items;
		batch->options.held_count = input->stretches.count;
		status = gsc_follow_held(batch->set, gpu, &batch->options, &own, err);
	} else if (option_given(&batch->common, "address")) {
		counting.choosing = &choosing;
		status = follow_selected(&choosing, &own, err);
		vec_free(&choosing.told);
	} else {
		status = gsc_follow_all(batch->set, gpu, &batch->options, &own, err);
	}
	if (status && status != GSC_PARTIAL && status != GSC_UNKNOWN)
		return status;
	return batch->tally.runs ? complain_all(batch, status) : status;
}
