/* SPDX-License-Identifier: MIT */
/*
 * --address into a source: the buffers of the source that begin there, with what they start; if it
 * lists none, what the page tables have at that address.
 */
#include "gpu-batch.h"

#include <stdio.h>
#include <stdlib.h>

/* Where a selected run is: what is started from there is selected, too. */
struct told_run {
	uint64_t address, length;
	unsigned submission;
};

/* ---- which runs ----------------------------------------------------------------------------- */

static bool is_inside(const struct choosing *c, const struct gsc_run *run)
{
	for (size_t i = 0; run->started && i < c->count; i++)
		if (c->told[i].submission == run->submission &&
		    run->from - c->told[i].address < c->told[i].length)
			return true;
	return false;
}

static bool is_chosen(const struct choosing *c, const struct gsc_run *run)
{
	const struct batch *batch = c->batch;

	if (run->address == batch->address && !(run->process ? batch->global : batch->process))
		return true;
	return is_inside(c, run);
}

bool choose_begin(struct choosing *c, const struct gsc_run *run)
{
	c->telling = c->everything || is_chosen(c, run);
	c->found |= c->telling;
	return c->telling;
}

static bool remember(struct choosing *c, const struct gsc_run *run)
{
	struct told_run *grown;

	if (c->count == c->room) {
		c->room = c->room ? c->room * 2 : 16;
		grown = reallocarray(c->told, c->room, sizeof(*grown));
		if (!grown) {
			c->no_memory = true;
			return false;
		}
		c->told = grown;
	}
	c->told[c->count++] = (struct told_run){ run->address, run->length, run->submission };
	return true;
}

bool choose_end(struct choosing *c, const struct gsc_run *run)
{
	c->amiss |= breaks_off(run);
	return remember(c, run);
}

/* ---- where it is ---------------------------------------------------------------------------- */

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

static enum gsc_status follow_mapped(struct batch *batch, const struct gsc_listener *listener,
				     struct gsc_error *err)
{
	bool process = batch->process;

	if (is_there(batch, process) ||
	    (!process && !batch->global && (process = is_there(batch, true))))
		return gsc_follow_address(batch->set, batch->common.gpu, batch->address,
					  process, &batch->options, listener, err);
	err->status = GSC_UNKNOWN;
	snprintf(err->what, sizeof(err->what), "0x%llx", (unsigned long long)batch->address);
	snprintf(err->why, sizeof(err->why), "no buffer of the source begins at this address, "
					     "and no source holds%s memory there",
		 batch->process ? " per-process" : batch->global ? " global" : "");
	return GSC_UNKNOWN;
}

enum gsc_status follow_selected(struct choosing *c, const struct gsc_listener *listener,
				struct gsc_error *err)
{
	struct batch *batch = c->batch;
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
	return follow_mapped(batch, listener, err);
}
