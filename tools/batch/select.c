/* SPDX-License-Identifier: MIT */
/*
 * --address into a source: the buffers of the source that begin there, with what they start; if it
 * lists none, what the page tables have at that address.
 */
#include "gpu-batch.h"

#include <stdlib.h>

bool choose_begin(struct choosing *c, const struct gsc_run *run)
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

bool choose_end(struct choosing *c, const struct gsc_run *run)
{
	struct told_run *slot = vec_add(&c->told);

	c->amiss |= breaks_off(run);
	c->no_memory |= !slot;
	if (slot)
		*slot = (struct told_run){ run->address, run->length, run->submission };
	return slot;
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

enum gsc_status follow_selected(struct choosing *c, const struct gsc_listener *listener,
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
