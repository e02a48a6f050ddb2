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

/* ---- page faults ---------------------------------------------------------------------------- */

bool xe_fault(struct log *log, struct slice rest, struct gsc_event *event)
{
	/* Origin: Linux xe_gt_pagefault.c enum fault_type, enum access_type. */
	static const char *const types[] = {
		"not present", "write access violation", "atomic access violation",
	};
	static const char *const accesses[] = { "read", "write", "atomic" };
	static const char tail[] = "Address Precision:|FaultType:|AccessType:|FaultLevel:|"
				   "EngineClass:|EngineInstance:|Fault response:";
	struct gsc_fault *fault = &event->fault;
	struct slice block = log_block(log, "ASID:|VFID:|PDATA:", tail, event);
	uint64_t number, instance, level;
	const char *class = NULL;

	/* Words of many messages: without the others they mean nothing. */
	if (!text_has_any(block, "FaultType:|ASID:"))
		return false;
	fault->space = "ppgtt";
	take_blanks(&rest);
	fault->has_address = take_hex(&rest, &fault->address);
	if (text_decimal(block, "FaultType:", &number) && number < ARRAY_SIZE(types))
		fault->type = types[number];
	if (text_decimal(block, "AccessType:", &number) && number < ARRAY_SIZE(accesses))
		fault->access = accesses[number];
	event->has_asid = text_decimal(block, "ASID:", &number) && number <= UINT32_MAX;
	event->asid = event->has_asid ? (uint32_t)number : 0;
	if (text_decimal(block, "EngineClass:", &number))
		class = engine_by_number(ENGINE_XE, number);
	if (class && text_decimal(block, "EngineInstance:", &instance) && instance < 64)
		string_set(fault->engine, "%s%u", class, (unsigned)instance);
	else if (class)
		string_set(fault->engine, "%s", class);
	log_say(event, "page fault");
	if (*fault->engine)
		log_add(event, " of %s", fault->engine);
	if (fault->access)
		log_add(event, ", %s", fault->access);
	if (fault->has_address)
		log_add(event, " at 0x%llx", LL(fault->address));
	if (event->has_asid)
		log_add(event, " in address space %u", event->asid);
	if (fault->type)
		log_add(event, ": %s", fault->type);
	if (text_decimal(block, "FaultLevel:", &level))
		log_add(event, ", level %llu", LL(level));
	if (text_has(block, "Fault response: Unsuccessful"))
		log_add(event, "; the driver could not resolve it");
	return true;
}

/* ---- jobs and resets ------------------------------------------------------------------------ */

/* ", logical instance 8 (process hang-xe [159], queue 2 of the GuC)" */
static void add_owner(struct gsc_event *event, struct slice rest)
{
	const char *before = " (";
	uint64_t id, mask;

	/* A queue that any of several engines may serve has them all in its mask. */
	if (text_hex(rest, "logical_mask:", &mask) && mask && !(mask & (mask - 1)))
		log_add(event, ", logical instance %d", __builtin_ctzll(mask));
	if (*event->process) {
		log_add(event, " (process %s", event->process);
		before = ", ";
	}
	if (text_decimal(rest, "guc_id=", &id))
		log_add(event, "%squeue %llu of the GuC)", before, LL(id));
	else if (*event->process)
		log_add(event, ")");
}

/* Whether another line is of the GPU of an event, and of its GT, if both name one. */
static bool same_gt(const struct gsc_event *event, struct slice line)
{
	static const char units[][8] = { "Tile", "GT" };
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
		if (!same_queue(event, line))
			continue;
		if (text_has(line, "Timedout job:"))
			break;
		if (text_after(line, "Engine reset: ", &found) && !*event->fault.engine)
			text_engine(found, event->fault.engine, sizeof(event->fault.engine));
		if (!how && text_after(line, "Check job timeout:", &found))
			how = how_checked(found);
	}
	return how;
}

/*
 * Check job timeout: seqno=5, lrc_seqno=5, guc_id=2, not started
 * Timedout job: seqno=5, lrc_seqno=5, guc_id=2, flags=0x20 in llama-bench [260404]
 * The check precedes the time-out: both are one hang.
 */
bool xe_job(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line = { log->line_start, log->line_end };
	const char *how;

	/* A debug message: how long it has run so far. */
	if (text_has(rest, "running_time_ms="))
		return log_harmless(log, rest, event);
	if (slice_begins((struct slice){ log->prefix.end, log->line.end }, "Check"))
		for (unsigned i = 0; i < QUEUE_LINES && log_line_after(log, line.end, &line); i++)
			if (text_has(line, "Timedout job:") && same_queue(event, line))
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
bool xe_whose_job(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct gsc_event *last = log_last(log);

	log_say(event, "%s timed out", log->words.text);
	if (!last || last->kind != GSC_EVENT_HANG ||
	    strcmp(last->device, event->device) ||
	    event->line >= last->line + last->lines + FOLLOWS)
		return true;
	log_add(last, "; it was %s", log->words.text);
	last->lines = event->line - last->line + 1;
	return log_harmless(log, rest, event);
}

/*
 * Engine reset: engine_class=bcs, logical_mask: 0x2, guc_id=0
 * Whose work it was, the message after it says: Timedout job: ..., guc_id=0, ... in NAME [PID]
 */
bool xe_engine_reset(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line = log->line, job;

	for (unsigned i = 0; i < FOLLOWS && log_line_after(log, line.end, &line); i++)
		if (text_after(line, "Timedout job:", &job) && same_queue(event, line) &&
		    text_process(job, " in ", event->process, sizeof(event->process)))
			break;
	if (*event->fault.engine)
		log_say(event, "the GuC firmware reset an engine of class %s", event->fault.engine);
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
bool xe_reset(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct gsc_event *last = log_last(log);
	bool started = slice_begins((struct slice){ log->prefix.end, log->line.end },
				    "reset started");

	if (last && !strcmp(last->fault.text, event->fault.text) &&
	    event->line < last->line + last->lines + FOLLOWS &&
	    same_gt(event, slice_of(last->log, last->log_length))) {
		last->lines = event->line + 1 - last->line;
		return false;
	}
	if (!started && follows(log, event, "reset started", "reset done"))
		return log_harmless(log, rest, event);
	if (follows(log, event, "reset failed (", "reset done")) {
		event->kind = GSC_EVENT_ERROR;
		event->fault.type = LOG_TRIED;
		log_say(event, "attempt of a reset of the whole GT");
	}
	return true;
}
