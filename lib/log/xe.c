/* SPDX-License-Identifier: MIT */
/*
 * What xe says. A page fault is a message of many lines, whose first one may be empty:
 *   xe 0000:03:00.0: [drm:pf_queue_work_func [xe]]
 *           ASID: 9
 *           VFID: 0
 *           PDATA: 0x0450
 *           Faulted Address: 0x000001fff86a9000
 *           FaultType: 0
 *           AccessType: 1
 *           FaultLevel: 0
 *           EngineClass: 1 vcs
 *           EngineInstance: 0
 *   xe 0000:03:00.0: [drm] Fault response: Unsuccessful -22
 */
#include "log/log.h"

#include "db/engine.h"

#include <stdio.h>

/* ---- page faults ---------------------------------------------------------------------------- */

/* Origin: Linux xe_gt_pagefault.c enum fault_type, enum access_type. */
static const char *const fault_types[] = {
	"not present", "write access violation", "atomic access violation",
};
static const char *const accesses[] = { "read", "write", "atomic" };

static const char *word_of(struct slice block, const char *key, const char *const *words,
			   size_t count)
{
	uint64_t value;

	return text_decimal(block, key, &value) && value < count ? words[value] : NULL;
}

static void name_engine(struct slice block, struct gsc_fault *fault)
{
	uint64_t number, instance;
	const char *class;

	if (!text_decimal(block, "EngineClass:", &number))
		return;
	class = engine_by_number(ENGINE_XE, number);
	if (!class)
		return;
	if (text_decimal(block, "EngineInstance:", &instance) && instance < 64)
		snprintf(fault->engine, sizeof(fault->engine), "%s%u", class, (unsigned)instance);
	else
		snprintf(fault->engine, sizeof(fault->engine), "%s", class);
}

static void describe(struct slice block, struct gsc_event *event)
{
	const struct gsc_fault *fault = &event->fault;
	uint64_t level;

	log_say(event, "page fault");
	if (*fault->engine)
		log_add(event, " of %s", fault->engine);
	if (fault->access)
		log_add(event, ", %s", fault->access);
	if (fault->has_address)
		log_add(event, " at 0x%llx", (unsigned long long)fault->address);
	if (event->has_asid)
		log_add(event, " in address space %u", event->asid);
	if (fault->type)
		log_add(event, ": %s", fault->type);
	if (text_decimal(block, "FaultLevel:", &level))
		log_add(event, ", level %llu", (unsigned long long)level);
	if (text_has(block, "Fault response: Unsuccessful"))
		log_add(event, "; the driver could not resolve it");
}

static bool handle_fault(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char *const head[] = { "ASID:", "VFID:", "PDATA:", NULL };
	static const char *const tail[] = {
		"Address Precision:", "FaultType:", "AccessType:", "FaultLevel:", "EngineClass:",
		"EngineInstance:", "Fault response:", NULL,
	};
	struct gsc_fault *fault = &event->fault;
	struct slice block = log_block(log, head, tail, event);
	uint64_t asid;

	/* Words of many messages: without the others they mean nothing. */
	if (!text_has(block, "FaultType:") && !text_has(block, "ASID:"))
		return false;
	event->kind = GSC_EVENT_FAULT;
	if (!*event->driver)
		strcpy(event->driver, "xe");
	fault->space = "ppgtt";
	take_blanks(&rest);
	fault->has_address = take_hex(&rest, &fault->address);
	fault->type = word_of(block, "FaultType:", fault_types, ARRAY_SIZE(fault_types));
	fault->access = word_of(block, "AccessType:", accesses, ARRAY_SIZE(accesses));
	event->has_asid = text_decimal(block, "ASID:", &asid) && asid <= UINT32_MAX;
	event->asid = event->has_asid ? (uint32_t)asid : 0;
	name_engine(block, fault);
	describe(block, event);
	return true;
}

/* ---- jobs and resets ------------------------------------------------------------------------ */

/* " (process hang-xe [159], queue 2 of the GuC)" */
static void add_owner(struct gsc_event *event, struct slice rest)
{
	uint64_t id;

	if (*event->process)
		log_add(event, " (process %s", event->process);
	if (text_decimal(rest, "guc_id=", &id))
		log_add(event, "%squeue %llu of the GuC", *event->process ? ", " : " (",
			(unsigned long long)id);
	if (text_decimal(rest, "guc_id=", &id) || *event->process)
		log_add(event, ")");
}

/*
 * Timedout job: seqno=7811, lrc_seqno=7811, guc_id=5, flags=0x20 in llama-bench [260404]
 * Check job timeout: seqno=5, lrc_seqno=5, guc_id=2, not started
 */
static bool handle_job(struct log *log, struct slice rest, struct gsc_event *event)
{
	if (!log_plain(log, rest, event))
		return false;
	text_process(rest, " in ", event->process, sizeof(event->process));
	add_owner(event, rest);
	if (text_has(rest, "not started"))
		log_add(event, ": it had not started");
	return true;
}

/*
 * Engine reset: engine_class=bcs, logical_mask: 0x2, guc_id=0
 * Whose work it was, the message after it says: Timedout job: ..., guc_id=0, ... in NAME [PID]
 */
static bool handle_engine_reset(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line = log->line, job;
	uint64_t id, other;

	if (!log_plain(log, rest, event))
		return false;
	for (unsigned i = 0; i < FOLLOWS && log_line_after(log, line.end, &line); i++)
		if (text_decimal(rest, "guc_id=", &id) &&
		    text_after(line, "Timedout job:", &job) &&
		    text_decimal(job, "guc_id=", &other) && other == id &&
		    text_process(job, " in ", event->process, sizeof(event->process)))
			break;
	if (*event->fault.engine)
		log_say(event, "the GuC firmware reset an engine of class %s",
			event->fault.engine);
	add_owner(event, rest);
	return true;
}

/* "trying reset from ...", "reset queued", "reset started", "reset done": one reset. */
static bool handle_reset(struct log *log, struct slice rest, struct gsc_event *event)
{
	return log_plain(log, rest, event) && !log_again(log, event);
}

#define PLAIN(words, kind, text) { words, NULL, kind, "xe", text, true, 0 }
#define CERTAIN(words, kind, text) { words, NULL, kind, "xe", text, false, 0 }
#define JOB(words, kind, text) { words, handle_job, kind, "xe", text, false, 0 }
#define RESET(words)                                                                               \
	{ words, handle_reset, GSC_EVENT_RESET, "xe", "reset of the whole GT", true, 0 }
#define CATASTROPHE "catastrophic error (CAT): an access that can never be translated"

const struct log_words log_xe[] = {
	{ .words = "Faulted Address:", .handler = handle_fault },
	CERTAIN("Fault response: Unsuccessful", GSC_EVENT_FAULT,
		"page fault that the driver could not resolve; debug messages have the details"),
	JOB("memory cat error", GSC_EVENT_FAULT, CATASTROPHE),
	JOB("memory CAT error", GSC_EVENT_FAULT, CATASTROPHE),
	JOB("Timedout job:", GSC_EVENT_HANG, "a job timed out"),
	JOB("Check job timeout:", GSC_EVENT_HANG, "a job timed out"),
	CERTAIN("Kernel-submitted job timed out", GSC_EVENT_HANG,
		"a job of the driver itself timed out"),
	CERTAIN("VM job timed out", GSC_EVENT_HANG,
		"a job that changes page tables timed out"),
	{ "Engine reset: ", handle_engine_reset, GSC_EVENT_RESET, "xe",
	  "the GuC firmware reset an engine", true, 0 },
	{ "exec queue reset detected", NULL, GSC_EVENT_RESET, "xe",
	  "a queue was reset while a process waited for it", true, 0 },
	RESET("trying reset from "),
	RESET("reset started"),
	{ "reset failed (", log_wedge, GSC_EVENT_RESET, "xe",
	  "the reset failed: the driver gave up on the GPU", true, 0 },
	PLAIN("VM worker error", GSC_EVENT_ERROR,
	      "an address space could not be set up again: its work is stopped"),
	CERTAIN("Xe device coredump has been created", GSC_EVENT_DUMP,
		"the kernel has kept a dump: /sys/class/drm/cardN/device/devcoredump/data; the "
		"kernel drops it after a few minutes or an hour"),
};

const size_t log_xe_count = ARRAY_SIZE(log_xe);
