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

/* Whether another line is of the GPU of an event, and of its GT, if both name one. */
static bool same_gt(const struct gsc_event *event, struct slice line)
{
	static const char *const units[] = { "Tile", "GT" };
	struct slice own = { event->log, event->log + event->log_length };
	struct gsc_event other = { .line = 0 };
	uint64_t x, y;

	log_device(line, &other);
	if (strcmp(event->device, other.device))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (text_decimal(own, units[i], &x) && text_decimal(line, units[i], &y) && x != y)
			return false;
	return true;
}

/* The same queue: each GT counts its own. */
static bool same_queue(const struct gsc_event *event, struct slice line)
{
	struct slice own = { event->log, event->log + event->log_length };
	uint64_t x, y;

	return text_decimal(own, "guc_id=", &x) && text_decimal(line, "guc_id=", &y) && x == y &&
	       same_gt(event, line);
}

#define QUEUE_LINES 24			/* between messages about one hang of a queue */

/* What a check says about a job. */
static const char *how_checked(struct slice check)
{
	return text_has(check, "not started")	  ? ": it had not started" :
	       text_has(check, "timestamp stuck") ? ": it made no progress" :
						    NULL;
}

/*
 * What the lines back to the last hang of a queue say about its job: the engine that the GuC reset
 * for it, and what its check found.
 */
static const char *take_earlier(const struct log *log, struct slice job, struct gsc_event *event)
{
	struct slice line = { log->line_start, log->line_end }, found;
	const char *how = how_checked(job);

	for (unsigned i = 0; i < QUEUE_LINES && log_line_before(log, line.at, &line); i++) {
		if (text_has(line, "Timedout job:") && same_queue(event, line))
			break;
		if (text_after(line, "Engine reset: ", &found) && same_queue(event, line) &&
		    !*event->fault.engine)
			text_engine(found, event->fault.engine, sizeof(event->fault.engine));
		if (!how && text_after(line, "Check job timeout:", &found) &&
		    same_queue(event, line))
			how = how_checked(found);
	}
	return how;
}

/* Whether the lines that follow have the time-out of the queue. */
static bool times_out(const struct log *log, const struct gsc_event *check)
{
	struct slice line = { log->line_start, log->line_end };

	for (unsigned i = 0; i < QUEUE_LINES && log_line_after(log, line.end, &line); i++)
		if (text_has(line, "Timedout job:") && same_queue(check, line))
			return true;
	return false;
}

/*
 * Check job timeout: seqno=5, lrc_seqno=5, guc_id=2, not started
 * Timedout job: seqno=5, lrc_seqno=5, guc_id=2, flags=0x20 in llama-bench [260404]
 * The check precedes the time-out: both are one hang.
 */
static bool handle_job(struct log *log, struct slice rest, struct gsc_event *event)
{
	const char *how;

	if (!log_plain(log, rest, event))
		return false;
	if (slice_begins((struct slice){ log->prefix.end, log->line.end }, "Check") &&
	    times_out(log, event))
		return log_harmless(log, rest, event);
	text_process(rest, " in ", event->process, sizeof(event->process));
	how = take_earlier(log, rest, event);
	if (*event->fault.engine)
		log_add(event, " on %s", event->fault.engine);
	add_owner(event, rest);
	if (how)
		log_add(event, "%s", how);
	return true;
}

/* Whose job it was that has just timed out. */
static bool handle_whose_job(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct gsc_event *last = &log->pending;

	if (!log_plain(log, rest, event))
		return false;
	log_say(event, "%s timed out", log->words->text);
	if (!log->has_pending || last->kind != GSC_EVENT_HANG ||
	    strcmp(last->device, event->device) ||
	    event->line >= last->line + last->lines + FOLLOWS)
		return true;
	log_add(last, "; it was %s", log->words->text);
	last->lines = event->line - last->line + 1;
	return log_harmless(log, rest, event);
}

/*
 * Engine reset: engine_class=bcs, logical_mask: 0x2, guc_id=0
 * Whose work it was, the message after it says: Timedout job: ..., guc_id=0, ... in NAME [PID]
 */
static bool handle_engine_reset(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line = log->line, job;

	if (!log_plain(log, rest, event))
		return false;
	for (unsigned i = 0; i < FOLLOWS && log_line_after(log, line.end, &line); i++)
		if (text_after(line, "Timedout job:", &job) && same_queue(event, line) &&
		    text_process(job, " in ", event->process, sizeof(event->process)))
			break;
	if (*event->fault.engine)
		log_say(event, "the GuC firmware reset an engine of class %s",
			event->fault.engine);
	add_owner(event, rest);
	return true;
}

/* Whether words of the same GT come in the lines that follow, and not others of it first. */
static bool follows(const struct log *log, const struct gsc_event *event, const char *words,
		    const char *before)
{
	struct slice line = { log->line_start, log->line_end };

	for (unsigned i = 0; i < QUEUE_LINES && log_line_after(log, line.end, &line); i++) {
		if (slice_find(line, words) && same_gt(event, line))
			return true;
		if (slice_find(line, before) && same_gt(event, line))
			return false;
	}
	return false;
}

/* "trying reset from ...", "reset queued", "reset started", "reset done": one reset. */
static bool handle_reset(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct gsc_event *last = &log->pending;
	bool started = slice_begins((struct slice){ log->prefix.end, log->line.end },
				    "reset started");

	if (!log_plain(log, rest, event) ||
	    (log->has_pending && same_gt(event, slice_of(last->log, last->log_length)) &&
	     log_again(log, event)))
		return false;
	if (!started && follows(log, event, "reset started", "reset done"))
		return log_harmless(log, rest, event);
	if (follows(log, event, "reset failed (", "reset done")) {
		event->kind = GSC_EVENT_ERROR;
		event->fault.type = LOG_TRIED;
		log_say(event, "attempt of a reset of the whole GT");
	}
	return true;
}

#define ROW(words, kind, text, type) { words, NULL, kind, "xe", text, true, 0, type }
#define CERTAIN(words, kind, text, type) { words, NULL, kind, "xe", text, false, 0, type }
#define JOB(words, kind, text) { words, handle_job, kind, "xe", text, false, 0, NULL }
#define WHOSE(words, text)                                                                         \
	{ words, handle_whose_job, GSC_EVENT_HANG, "xe", text, false, 0, NULL }
#define CAT(words)                                                                                 \
	{ words, handle_job, GSC_EVENT_FAULT, "xe",                                                \
	  "a memory access that can never be translated (catastrophic error, CAT)", false, 0,      \
	  LOG_CAT }
#define ENGINE_RESET(words, shared)                                                                \
	{ words, handle_engine_reset, GSC_EVENT_RESET, "xe", "the GuC firmware reset an engine",   \
	  shared, 0, NULL }
#define RESET(words)                                                                               \
	{ words, handle_reset, GSC_EVENT_RESET, "xe", "reset of the whole GT", true, 0, NULL }
#define OWN(words)                                                                                 \
	ROW(words, GSC_EVENT_ERROR,                                                                \
	    "a job of the driver itself failed on ENGINE while it loaded", "own-job")

const struct log_words log_xe[] = {
	{ .words = "Faulted Address:", .handler = handle_fault },
	CERTAIN("Fault response: Unsuccessful", GSC_EVENT_FAULT,
		"page fault that the driver could not resolve; debug messages have the details",
		NULL),
	CAT("memory cat error"), CAT("memory CAT error"), CAT("Memory CAT error"),
	CAT("MERT: CAT_ERR"),
	JOB("Timedout job:", GSC_EVENT_HANG, "a job timed out"),
	JOB("Check job timeout:", GSC_EVENT_HANG, "a job timed out"),
	WHOSE("Kernel-submitted job timed out", "a job of the driver itself"),
	WHOSE("VM job timed out", "a job that changes page tables"),
	OWN("emit_wa_job failed"), OWN("emit_nop_job failed"),
	ENGINE_RESET("Engine reset: ", true), ENGINE_RESET("Engine reset: engine_class=", false),
	ROW("exec queue reset detected", GSC_EVENT_RESET,
	    "a queue was reset while a process waited for it", NULL),
	RESET("trying reset from "), RESET("reset started"),
	{ "reset failed (", log_wedge, GSC_EVENT_ERROR, "xe",
	  "the reset failed: the driver gave up on the GPU", true, 0, LOG_WEDGED },
	ROW("schedule after vm is closed or banned", GSC_EVENT_ERROR,
	    "work was refused: its address space is closed or banned", "vm"),
	ROW("VM worker error", GSC_EVENT_ERROR,
	    "an address space could not be set up again: its work is stopped", "vm"),
	CERTAIN("Xe device coredump has been created", GSC_EVENT_DUMP,
		"the kernel has kept a dump: /sys/class/drm/cardN/device/devcoredump/data; the "
		"kernel drops it after a few minutes or an hour", NULL),
	CERTAIN("Xe device coredump has been deleted", GSC_EVENT_DUMP,
		"the kernel has dropped the dump", LOG_DELETED),
};

const size_t log_xe_count = ARRAY_SIZE(log_xe);
