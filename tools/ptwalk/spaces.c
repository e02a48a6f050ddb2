/* SPDX-License-Identifier: MIT */
/*
 * gpu-ptwalk --spaces: which parts of the machine's address space belong to the GPU, and, from a
 * memory dump, which address spaces the processes have on it.
 */
#include "cli/text.h"
#include "formats/facts.h"
#include "source/source.h"
#include "gtt/windows.h"
#include "ptwalk.h"
#include "db/words.h"
#include "vmcore/vmcore.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- processes ------------------------------------------------------------------------------- */

KEYS(processSpace, "An address space of a process, from a memory dump; process and pid are null if "
     "it is the driver's.")
static void json_process(struct gsc_json *json, const struct driver_space *space)
{
	KEY(some_text, "process", space->process);
	KEY_OR_NULL(space->pid, number, "pid", space->pid);
	KEY(some_text, "engine", space->engines,
	    "that runs a request of it; several: with commas");
	KEY(text, "mode", gsc_mode_name(space->mode), ONE_OF(gsc_mode_name));
	KEY_EACH(hex, "root", for (unsigned i = 0; i < space->count; i++), space->root[i]);
}

static void text_processes(struct common *common, bool after)
{
	const struct driver_space *space;
	struct gsc_root root;
	char pid[16], buf[ROOT_TEXT_MAX];

	if (after)
		gsc_out_end(common->out);
	gsc_out_line(common->out, "%-16s %7s  %-6s  %-6s  %s", "process", "pid", "engine", "mode",
		     "root");
	for (size_t i = 0; (space = driver_space(common->source, i)); i++) {
		root = (struct gsc_root){ .mode = space->mode, .count = space->count };
		memcpy(root.value, space->root, sizeof(root.value));
		string_set(pid, space->pid ? "%u" : "-", space->pid);
		gsc_out_line(common->out, "%-16s %7s  %-6s  %-6s  %s",
			     *space->process ? space->process : "-", pid,
			     *space->engines ? space->engines : "-", gsc_mode_name(space->mode),
			     gsc_root_text(&root, buf, sizeof(buf)));
	}
}

/* ---- all of it ------------------------------------------------------------------------------- */

KEYS(spaces, "--spaces.")
enum gsc_status spaces_run(struct common *common, struct gsc_error *err)
{
	struct gsc_json document, *json = &document;
	struct gsc_window *windows;
	size_t count, missed = 0;
	enum gsc_status status = gsc_windows(common->gpu, &windows, &count, err);
	const struct driver_space *process = driver_space(common->source, 0);
	char names[200] = "", why[200];
	bool in_memory = false;

	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (status) {
		free(windows);
		return status;
	}
	if (wants_json(common)) {
		source_document(common, PTWALK_SCHEMA, json);
		KEY_EACH(object, "processes",
			 for (size_t i = 0; (process = driver_space(common->source, i)); i++),
			 json_process(json, process), OF(processSpace));
		KEY_LIST("spaces", OF(space));
		for (size_t i = 0; i < count; i++)
			ITEM(gsc_json_window(json, &windows[i]));
		gsc_json_finish(json);
	} else if (count || process) {
		source_title(common);
		gsc_text_windows(common->out, windows, count);
		if (process)
			text_processes(common, count);
	}
	/* The windows that are unknown because something is missing, in one line. */
	for (size_t i = 0; i < count; i++) {
		if (!windows[i].status)
			continue;
		status = worse(status, gsc_read_status(windows[i].status));
		append_word(names, sizeof(names), ", ", windows[i].name);
		missed++;
	}
	free(windows);
	if (!count && !driver_space(common->source, 0)) {
		for (size_t i = 0; i < gsc_source_count(common->source); i++)
			in_memory |= gsc_source_memory(common->source, i) != NULL;
		gsc_no_processes(common->source, why, sizeof(why));
		complain(common, GSC_UNKNOWN, "--spaces",
			 in_memory ? why :
			 "no source has the config space or registers that describe them");
		return GSC_UNKNOWN;
	}
	if (missed && missed < count)
		status = GSC_PARTIAL;
	if (missed)
		complain(common, status, names, "no source says where they are or how large");
	return worse(status, complain_damage(common, common->source));
}
