/* SPDX-License-Identifier: MIT */
/*
 * What i915 says. A hang's line has had these forms, the oldest first:
 *   Hangcheck timer elapsed... GPU hung
 *   GPU HANG: ecode 0:0x85dffffb, in Xorg [19819], reason: Ring hung, action: reset
 *   GPU HANG: ecode 7:0:0x85dffffb, in Xorg [19819], reason: Ring hung, action: reset
 *   GPU HANG: ecode 9:1:0x85dffffb, in Xorg [19819], hang on rcs0
 *   GPU HANG: ecode 9:1:85dffffb, in Xorg [19819]
 * The middle number was an engine, then a mask of engines, and is a mask of classes.
 */
#include "log/ecode.h"

#include "db/engine.h"

#include <stdio.h>

#define ENGINE_LONGEST 24		/* "video enhancement ring" */

/* ---- page faults ---------------------------------------------------------------------------- */

static void name_engine(const struct log *log, struct slice block, struct gsc_fault *fault)
{
	struct gsc_value meaning;
	uint64_t id;

	if (!text_decimal(block, "Engine ID:", &id))
		return;
	/* The engines of a media GT have other numbers. */
	if (text_has(block, "GT1:") ||
	    !log_meaning(log->db, GSC_REGISTER, "GEN8_RING_FAULT_REG", "ENGINE_ID", id, &meaning))
		return;
	if (meaning.doc)
		snprintf(fault->engine, sizeof(fault->engine), "%s", meaning.doc);
}

/* Gen8 gives types a meaning; its form has the engine. */
static void name_type(const struct log *log, struct slice block, struct gsc_event *event)
{
	static const char *const levels[] = { "pte", "pde", "pdpe", "pml4e" };
	struct gsc_value meaning;
	uint64_t type;

	if (!text_decimal(block, "Type:", &type))
		return;
	if (!text_has(block, "Engine ID:")) {
		log_add(event, ", type %llu (Gen6 and Gen7 do not document any)",
			(unsigned long long)type);
		return;
	}
	if (!log_meaning(log->db, GSC_REGISTER, "GEN8_RING_FAULT_REG", "FAULT_TYPE", type,
			 &meaning))
		return;
	event->fault.type = meaning.name;
	event->fault.level = type < ARRAY_SIZE(levels) ? levels[type] : NULL;
	log_add(event, ": %s", meaning.name);
}

static void describe_fault(const struct log *log, struct slice block, struct gsc_event *event)
{
	const struct gsc_fault *fault = &event->fault;

	log_say(event, "page fault");
	if (*fault->engine)
		log_add(event, " of %s", fault->engine);
	if (fault->has_address)
		log_add(event, " at 0x%llx", (unsigned long long)fault->address);
	if (fault->space)
		log_add(event, " in the %s", fault->space);
	if (fault->source_id >= 0)
		log_add(event, ", asked for by unit %d", fault->source_id);
	name_type(log, block, event);
	log_add(event, "; the register keeps the first fault only");
}

static bool handle_fault(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char *const head[] = { "Unexpected fault", "Addr:", NULL };
	static const char *const tail[] = { "Source ID:", "Engine ID:", "Type:", "Fault Level:",
					    "Access type:", NULL };
	struct gsc_fault *fault = &event->fault;
	struct slice block = log_block(log, head, tail, event);
	uint64_t source;

	/* Words of many messages: without the others they mean nothing. */
	if (!text_has(block, "Addr:"))
		return false;
	take_blanks(&rest);
	fault->space = slice_begins(rest, "GGTT") ? "ggtt" :
		       slice_begins(rest, "PPGTT") ? "ppgtt" : NULL;
	fault->has_address = text_hex(block, "Addr:", &fault->address);
	if (text_decimal(block, "Source ID:", &source) && source <= INT32_MAX)
		fault->source_id = (int)source;
	fault->access = text_has(block, "Access type: Write") ? "write" :
			text_has(block, "Access type: Read") ? "read" : NULL;
	name_engine(log, block, fault);
	event->kind = GSC_EVENT_FAULT;
	if (!*event->driver)
		strcpy(event->driver, "i915");
	describe_fault(log, block, event);
	return true;
}

/* The address is in the same line or in the next one; without it, the words are all there is. */
static bool handle_fault_head(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line;

	if (text_has(rest, "Addr:") ||
	    (log_line_after(log, log->line_end, &line) && text_has(line, "Addr:")))
		log_harmless(log, rest, event);
	return false;
}

/* ---- hangs ---------------------------------------------------------------------------------- */

/* The same hang recurs: what its code says is kept. */
static const char *code_text(struct log *log, const struct gsc_ecode *ecode)
{
	struct gsc_ecode *last = &log->ecode;

	if (last->code == ecode->code && last->has_code == ecode->has_code &&
	    last->classes == ecode->classes && last->platforms == ecode->platforms &&
	    last->has_generation == ecode->has_generation && last->no_engine == ecode->no_engine)
		return log->ecode_text;
	*last = *ecode;
	gsc_ecode_text(log->db, ecode, log->ecode_text, sizeof(log->ecode_text));
	return log->ecode_text;
}

static void describe_hang(struct log *log, const struct gsc_ecode *ecode,
			  struct slice rest, struct gsc_event *event)
{
	struct slice why;

	log_say(event, "the GPU hung");
	if (*event->fault.engine)
		log_add(event, " on %s", event->fault.engine);
	if (ecode->has_generation)
		log_add(event, " (generation %u)", ecode->generation);
	if (*event->process)
		log_add(event, " while working for %s", event->process);
	if (text_has(rest, "stopped heartbeat"))
		log_add(event, ": the engine did not answer a heartbeat");
	else if (text_after(rest, "action: ", &why) && slice_begins(why, "continue"))
		log_add(event, "; the driver went on without a reset");
	if (*code_text(log, ecode))
		log_add(event, "; hang code %s", log->ecode_text);
}

/*
 * "Resetting vcs1 for preemption time out", "Engine reset failed on 0:0 (rcs0)", before the hang or
 * after it: which of the engines of the class that its code names.
 */
static void take_engine_reset(const struct log *log, char *engine, size_t size)
{
	struct slice before = { log->line_start, log->line_end }, after = before, name;
	bool (*const next[])(const struct log *log, const char *at, struct slice *line) = {
		log_line_before, log_line_after,
	};
	size_t length = strlen(engine);
	char found[16];

	for (unsigned i = 0; i < 2 * FOLLOWS; i++) {
		struct slice *line = i % 2 ? &after : &before;

		if (!next[i % 2](log, i % 2 ? line->end : line->at, line) ||
		    (!text_after(*line, "Resetting ", &name) &&
		     !text_after(*line, "failed on ", &name)))
			continue;
		if (!text_engine(name, found, sizeof(found)) || strncmp(found, engine, length) ||
		    !is_digit(found[length]))
			continue;
		snprintf(engine, size, "%s", found);
		return;
	}
}

static bool handle_hang(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct ecode e = ecode_take(&rest);
	struct gsc_ecode ecode;

	event->kind = GSC_EVENT_HANG;
	if (!*event->driver)
		strcpy(event->driver, "i915");
	ecode_fill(log->db, log->view, &e, rest, &ecode);
	event->has_code = ecode.has_code;
	event->code = ecode.code;
	event->platforms = ecode.has_generation ? ecode.platforms : 0;
	memcpy(event->process, ecode.process, sizeof(event->process));
	memcpy(event->fault.engine, ecode.engine, sizeof(event->fault.engine));
	if (*ecode.engine && !is_digit(ecode.engine[strlen(ecode.engine) - 1]))
		take_engine_reset(log, event->fault.engine, sizeof(event->fault.engine));
	describe_hang(log, &ecode, rest, event);
	return true;
}

/* "Hangcheck timer elapsed... GPU hung", "... blt ring idle [waiting on 1, at 1], missed IRQ?" */
static bool handle_hangcheck(struct log *log, struct slice rest, struct gsc_event *event)
{
	strcpy(event->driver, "i915");
	text_engine(rest, event->fault.engine, sizeof(event->fault.engine));
	if (!text_has(rest, "idle")) {
		if (!text_has(rest, "GPU hung") && !text_has(log->prefix, "*ERROR*"))
			return false;
		event->kind = GSC_EVENT_HANG;
		log_say(event, "the GPU hung: no engine has moved for a while");
		return true;
	}
	event->kind = GSC_EVENT_ERROR;
	event->fault.type = "interrupt";
	log_say(event, "an engine was done, but its interrupt never came");
	return true;
}

/* "[drm] stuck on render ring", "no progress on blitter ring" */
static bool handle_stuck(struct log *log, struct slice rest, struct gsc_event *event)
{
	(void)log;
	rest = slice_first(rest, ENGINE_LONGEST);
	if (!text_engine(rest, event->fault.engine, sizeof(event->fault.engine)))
		return false;
	strcpy(event->driver, "i915");
	event->kind = GSC_EVENT_HANG;
	event->fault.type = "stuck";
	log_say(event, "%s makes no progress", event->fault.engine);
	return true;
}

/* "render ring hung inside bo (0x88d000 ctx 0) at 0x88e040". Origin: Linux 3.12 i915_gem.c. */
static bool handle_hung_in(struct log *log, struct slice rest, struct gsc_event *event)
{
	uint64_t object, at;

	if (!take_hex(&rest, &object) || !text_hex(rest, " at ", &at) ||
	    !text_engine(log->prefix, event->fault.engine, sizeof(event->fault.engine)))
		return false;
	strcpy(event->driver, "i915");
	event->kind = GSC_EVENT_HANG;
	event->fault.type = "inside";
	log_value(event, "ACTHD", at);
	log_say(event, "%s hung at 0x%llx, %s the batch at 0x%llx", event->fault.engine,
		(unsigned long long)at, text_has(log->line, "inside") ? "inside" : "flushing",
		(unsigned long long)object);
	return true;
}

/* ---- resets --------------------------------------------------------------------------------- */

/* Lines after an attempt may say that the engine did not get ready, or the chip did not reset. */
static bool reset_fails(const struct log *log, struct slice engine)
{
	struct slice line = { log->line_start, log->line_end };
	char words[48] = "ailed to reset chip";

	if (engine.at < engine.end)
		snprintf(words, sizeof(words), "%.*s reset request timed out",
			 SLICE(slice_first(engine, 16)));
	for (unsigned i = 0; i < BLOCK_MOST && log_line_after(log, line.end, &line); i++) {
		if (slice_find(line, "Resetting "))
			return false;
		if (slice_find(line, words) ||
		    (engine.at == engine.end && slice_find(line, "GPU recovery failed")))
			return true;
	}
	return false;
}

/* "Resetting chip for stopped heartbeat on rcs0", "Resetting rcs0 after gpu hang" */
static bool handle_resetting(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice front = rest, word = take_until(&front, " "), why;
	bool chip = slice_begins(rest, "chip "), known, failed;

	known = text_engine(word, event->fault.engine, sizeof(event->fault.engine));
	if (!known && !(chip && (text_has(rest, "gpu hang") || text_has(log->prefix, "drm") ||
				 text_has(log->prefix, "i915"))))
		return false;
	failed = reset_fails(log, known ? word : slice_string(""));
	event->kind = failed ? GSC_EVENT_ERROR : GSC_EVENT_RESET;
	event->fault.type = failed ? LOG_TRIED : NULL;
	if (!*event->driver)
		strcpy(event->driver, "i915");
	log_say(event, "%s of %s", failed ? "attempt of a reset" : "reset",
		known ? event->fault.engine : "the whole GPU");
	if (text_after(rest, " for ", &why) || text_after(rest, " after ", &why))
		log_add(event, ": %.*s", SLICE(slice_first(why, 120)));
	return true;
}

/* "Xorg[1981] context reset due to GPU hang"; GuC: "context reset notification: 0x1002 on rcs0" */
static bool handle_context(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice name = log->prefix, further;

	event->kind = GSC_EVENT_RESET;
	if (slice_begins(rest, " due to GPU hang")) {
		while (text_after(name, ": ", &further) || text_after(name, "[drm] ", &further))
			name = further;
		text_process(name, "", event->process, sizeof(event->process));
		event->kind = GSC_EVENT_ERROR;
		event->fault.type = LOG_CANCELLED;
		log_say(event, "a context%s%s was discarded: its work hung the GPU",
			*event->process ? " of " : "", event->process);
	} else if (slice_begins(rest, " notification")) {
		text_engine(rest, event->fault.engine, sizeof(event->fault.engine));
		log_say(event, "the GuC firmware reset an engine because of a context%s",
			text_has(rest, "banned = yes") ? ", which is banned now" : "");
	} else {
		return false;
	}
	if (!*event->driver)
		strcpy(event->driver, "i915");
	return true;
}

/* ---- errors --------------------------------------------------------------------------------- */

static const struct {
	const char *name, *words[3];
} registers[] = {
	{ "EIR", { "EIR: ", "EIR ", "EIR stuck: " } }, { "PGTBL_ER", { "PGTBL_ER: " } },
	{ "IPEIR", { "IPEIR: " } }, { "IPEHR", { "IPEHR: " } }, { "INSTDONE", { "INSTDONE: " } },
	{ "INSTDONE_1", { "INSTDONE1: " } }, { "INSTPS", { "INSTPS: " } },
	{ "INSTPM", { "INSTPM: " } }, { "ACTHD", { "ACTHD: " } },
};

static void take_values(struct slice block, struct gsc_event *event)
{
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(registers[i].words); j++) {
			const char *words = registers[i].words[j];

			if (words && text_hex(block, words, &value) &&
			    log_value(event, registers[i].name, value))
				break;
		}
	}
}

/* Origin: IGT tools/intel_error_decode.c; where Gen3 and Gen4 agree. */
static const struct {
	unsigned bit;
	const char *text;
} page_errors[] = {
	{ 0, "an access of the host" }, { 4, "display A fetched" }, { 8, "display B fetched" },
};

static void explain_page_table(const struct log *log, struct gsc_event *event, uint64_t value)
{
	unsigned count = 0;

	if (!value)
		return;
	log_add(event, "; PGTBL_ER 0x%llx: ", (unsigned long long)value);
	if (log_add_bits(log, event, NULL, "PGTBL_ER", -1, value))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(page_errors); i++)
		if (value >> page_errors[i].bit & 1)
			log_add(event, "%s%s through an invalid entry", count++ ? ", " : "",
				page_errors[i].text);
	if (!count)
		log_add(event, "its bits depend on the platform (give -p to decode them)");
}

/* The driver names what it finds; the bits alone mean one thing on G45 and another elsewhere. */
static void explain_error(const struct log *log, struct slice block, struct gsc_event *event,
			  uint64_t eir)
{
	static const char *const said[] = { "page table error", "memory refresh error",
					    "instruction error" };
	unsigned count = 0;

	log_say(event, "EIR 0x%llx: ", (unsigned long long)eir);
	for (size_t i = 0; i < ARRAY_SIZE(said); i++)
		if (text_has(block, said[i]))
			log_add(event, "%s%s", count++ ? ", " : "", said[i]);
	if (count || log_add_bits(log, event, "rcs0", "EIR", -1, eir))
		return;
	if (eir & 0x10)
		log_add(event, "page table error (on G45 and GM45: privilege violation)");
	else
		log_add(event, "its bits depend on the platform (give -p to decode them)");
}

static bool handle_error(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char *const none[] = { NULL };
	static const char *const tail[] = {
		"page table error", "PGTBL_ER:", "IPEIR:", "IPEHR:", "INSTDONE:", "INSTDONE1:",
		"INSTPS:", "INSTPM:", "ACTHD:", "memory refresh error", "instruction error",
		"stat: 0x", "EIR stuck:", NULL,
	};
	struct slice block = log_block(log, none, tail, event);
	uint64_t eir, page;

	(void)rest;
	take_values(block, event);
	eir = log_value_of(event, "EIR");
	page = log_value_of(event, "PGTBL_ER");
	if (!eir && !page)
		return false;
	event->kind = GSC_EVENT_ERROR;
	if (!*event->driver)
		strcpy(event->driver, "i915");
	if (eir)
		explain_error(log, block, event, eir);
	else
		log_say(event, "page table error");
	explain_page_table(log, event, page);
	return true;
}

/* Origin: Linux i915_reg.h GT_*_CS_ERROR_INTERRUPT. */
static const struct {
	unsigned bit;
	const char *engine;
} error_interrupts[] = { { 3, "rcs0" }, { 15, "vcs0" }, { 25, "bcs0" } };

/* "GT error interrupt 0x00008000", "Command parser error, gt_iir 0x00000008" */
static bool handle_interrupt(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct gsc_fault *fault = &event->fault;
	uint64_t iir;

	if (!log_plain(log, rest, event))
		return false;
	if (slice_begins(rest, ", pm_iir")) {
		strcpy(fault->engine, "vecs0");
		return true;
	}
	if (!text_hex(rest, "gt_iir ", &iir) && !take_hex(&rest, &iir))
		return true;
	log_value(event, "GT_IIR", iir);
	for (size_t i = 0; i < ARRAY_SIZE(error_interrupts); i++)
		if (iir >> error_interrupts[i].bit & 1 && !*fault->engine)
			strcpy(fault->engine, error_interrupts[i].engine);
	return true;
}

/* ---- waits ---------------------------------------------------------------------------------- */

/*
 * i915's waits for others' work, by "DRIVER:TIMELINE:SEQNO" or "FUNCTION:TIMELINE:SEQNO":
 *   Asynchronous wait on fence i915:Xorg[1981]/0:1a timed out (hint:...)
 *   Asynchronous wait on fence 0000:00:02.0:Xorg[1981]:1a timed out (hint:...)
 *   Fence expiration time out i915-0000:00:02.0:Xorg[1981]:1a!
 * The line says only who waited; other lines say whether the GPU hung.
 */
static bool handle_wait(struct log *log, struct slice rest, struct gsc_event *event)
{
	bool own = slice_begins(rest, "i915:") || slice_begins(rest, "i915-");
	struct slice name;

	rest.at += own ? 5 : 0;
	name = slice_first(rest, 13);
	if (name.end - name.at == 13 && name.end[-1] == ':' &&
	    text_function(name, event->device, sizeof(event->device)))
		rest.at = name.end;
	else if (!own)
		return false;
	if (!own && !log_is_gpu(log, event->device))
		return false;
	event->kind = GSC_EVENT_ERROR;
	strcpy(event->driver, "i915");
	text_process(rest, "", event->process, sizeof(event->process));
	log_say(event,
		"a fence timed out: the GPU did not finish in time work that others wait for");
	if (*event->process)
		log_add(event, "; the work belonged to %s", event->process);
	return true;
}

/* "Got hung context on vcs0 with active request 939:2 [0x1004] not yet started" */
static bool handle_hung_context(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char *const none[] = { NULL };
	static const char *const tail[] = { "active request ", "not yet started", NULL };
	struct slice block = log_block(log, none, tail, event), request;
	int length = 0;

	event->kind = GSC_EVENT_HANG;
	if (!*event->driver)
		strcpy(event->driver, "i915");
	rest = slice_first(rest, ENGINE_LONGEST);
	text_engine(rest, event->fault.engine, sizeof(event->fault.engine));
	log_say(event, "a context hung");
	if (*event->fault.engine)
		log_add(event, " on %s", event->fault.engine);
	if (!text_after(block, "active request ", &request))
		return true;
	while (length < 40 && request.at + length < request.end &&
	       strchr("0123456789:", request.at[length]))
		length++;
	log_add(event, ": its request %.*s%s", length, request.at,
		text_has(block, "not yet started") ? " had not started: the engine never began it" :
						     " was active");
	return true;
}

/*
 * "[drm:__intel_gt_set_wedged [i915]] rcs'0", "__intel_gt_set_wedged rcs'0": then the engine's
 * registers, one per line, and the next engine's. The GPU is given up once.
 */
static bool handle_wedge_dump(struct log *log, struct slice rest, struct gsc_event *event)
{
	bool again = log->dumped && event->line <= log->dumped + BLOCK_MOST;

	if (!slice_begins(rest, " ") && !slice_begins(rest, "]"))
		return false;
	log->dumped = event->line;
	event->wedged = true;
	if (again && log->has_pending && log->pending.wedged)
		log->pending.lines = event->line - log->pending.line + 1;
	log_plain(log, rest, event);
	*event->fault.engine = 0;
	return !again;
}

/* "Engine reset failed on 0:0 (rcs0) because 0x0", "... on 1:0": the GuC's class and instance. */
static bool handle_guc_reset(struct log *log, struct slice rest, struct gsc_event *event)
{
	/* Origin: Linux i915 intel_guc_fwif.h GUC_RENDER_CLASS and following. */
	static const char *const classes[] = { "rcs", "vcs", "vecs", "bcs", "ccs", "gsccs" };
	uint64_t class, instance;

	if (text_after(rest, "on ", &rest) && take_decimal(&rest, &class) &&
	    class < ARRAY_SIZE(classes) && take_text(&rest, ":") &&
	    take_decimal(&rest, &instance) && instance <= ENGINE_LAST)
		snprintf(event->fault.engine, sizeof(event->fault.engine), "%s%u", classes[class],
			 (unsigned)instance);
	return log_plain(log, rest, event);
}

#define ERROR(type, words, text) { words, NULL, GSC_EVENT_ERROR, "i915", text, true, 0, type }
#define FAILED(words, text) ERROR(LOG_FAILED_RESET, words, text)
#define KICKED(words, event)                                                                       \
	ERROR("stuck-wait", words,                                                                 \
	      "ENGINE waited for " event " that never came; the driver made it continue")
#define REFUSED(words)                                                                             \
	{ words, handle_guc_reset, GSC_EVENT_ERROR, "", "the GuC firmware could not reset ENGINE", \
	  true, 0, LOG_FAILED_RESET }
#define CHECK(words, text)                                                                         \
	{ words, NULL, GSC_EVENT_ERROR, "i915", text, false, GSC_EVENT_LESSER, "self-check" }
#define ASKED(words)                                                                               \
	{ words, NULL, GSC_EVENT_RESET, "i915", "a user asked for a reset of the whole GPU", true, \
	  0, LOG_ASKED }
#define WEDGE(words, text)                                                                         \
	{ words, log_wedge, GSC_EVENT_ERROR, "i915", text, true, 0, LOG_WEDGED }
#define SAVED(words, text) { words, NULL, GSC_EVENT_DUMP, "i915", text, false, 0, NULL }
#define WAIT(words)                                                                                \
	{ words, handle_wait, GSC_EVENT_ERROR, "i915", NULL, true, GSC_EVENT_LESSER, "wait" }
#define REGISTERS(words) { words, handle_error, GSC_EVENT_ERROR, "", NULL, false, 0, "eir" }
#define INTERRUPT(words, text)                                                                     \
	{ words, handle_interrupt, GSC_EVENT_ERROR, "i915", text, false, 0, "command" }
#define GIVEN_UP "the driver has given the GPU up (wedged)"
#define KEPT                                                                                       \
	"the kernel has kept the error state: /sys/class/drm/cardN/error, until someone " \
	"writes to it or the machine restarts"

const struct log_words log_i915[] = {
	{ .words = "Address space:", .handler = handle_fault },
	{ .words = "Unexpected fault", .handler = handle_fault_head },
	{ .words = "GPU HANG: ecode ", .handler = handle_hang },
	{ .words = "GPU hang: ecode ", .handler = handle_hang },	/* typed from a screen */
	{ .words = "angcheck timer elapsed", .handler = handle_hangcheck },
	{ .words = "stuck on ", .handler = handle_stuck },
	{ .words = "no progress on ", .handler = handle_stuck },
	{ .words = "hung inside bo (0x", .handler = handle_hung_in },
	{ .words = "hung flushing bo (0x", .handler = handle_hung_in },
	{ .words = "Resetting ", .handler = handle_resetting },
	{ .words = "context reset", .handler = handle_context },
	REGISTERS("error detected, EIR: 0x"), REGISTERS("Master Error"),
	REGISTERS("EIR stuck: 0x"), REGISTERS("PGTBL_ER: 0x"),
	INTERRUPT("GT error interrupt 0x", "a command streamer reported an error"),
	INTERRUPT("ommand parser error", "a command streamer could not parse a command"),
	ERROR("poison", "Poison interrupt", "poisoned data arrived: an uncorrectable error"),
	ERROR("parity", "Parity error: ", "a row of the L3 cache has a parity error"),
	{ .words = "Got hung context on ", .handler = handle_hung_context },
	WAIT("Fence expiration time out "), WAIT("Asynchronous wait on fence "),
	FAILED("reset request timed out", "ENGINE did not get ready for its reset"),
	FAILED("reset request timeout", "ENGINE did not get ready for its reset"),
	REFUSED("ngine reset request failed"), REFUSED("ngine reset failed "),
	KICKED("icking stuck semaphore", "a semaphore"),
	KICKED("icking stuck wait", "a display event"),
	WEDGE("ailed to reset chip", "the reset failed: the driver gave up on the GPU"),
	FAILED("GPU reset not supported", "no reset: not supported here"),
	FAILED("following reset", "the GPU did not come back from its reset"),
	{ "intel_gt_set_wedged", handle_wedge_dump, GSC_EVENT_ERROR, "i915",
	  GIVEN_UP "; the lines have the state of its engines", false, 0, LOG_WEDGED },
	WEDGE("declaring it wedged", "the GPU could not be initialized: " GIVEN_UP),
	WEDGE("ailed to idle engines", "the engines did not become idle: " GIVEN_UP),
	WEDGE("hardware wedged", GIVEN_UP),
	WEDGE("declaring wedged", "too many hangs: " GIVEN_UP),
	ERROR("banned", "hanging too fast",
	      "too many hangs: the context is banned, no more of its work is taken"),
	WEDGE("hanging too fast, declaring wedged", "too many hangs: " GIVEN_UP),
	WEDGE("GPU recovery timed out, cancelling",
	      "recovery took too long: the driver cancelled all work of the GPU"),
	WEDGE("cancelling all in-flight rendering",
	      "recovery took too long: the driver cancelled all work of the GPU"),
	FAILED("GPU recovery timed out", "the recovery of the GPU took too long"),
	FAILED("GPU recovery failed", "the recovery of the GPU failed"),
	ERROR("not-idle", "waiting for engines to idle",
	      "the engines did not become idle in time"),
	ERROR("resume", "resumed still in error",
	      "an engine was still in error when it was resumed"),
	ERROR("resume", "ailed to enable graphics device", "the GPU did not come back from sleep"),
	ERROR("restart", "Failed to restart ", "an engine did not start again"),
	CHECK("context submitted with ", "a context's image is not as the driver made it"),
	CHECK("UABI engine", "the driver's list of engines contradicts itself"),
	CHECK("mismatching default context state", "the driver has no state for new contexts"),
	{ "selftests: ", NULL, GSC_EVENT_ERROR, "i915", "a test of the driver by itself failed",
	  true, GSC_EVENT_LESSER, "selftest" },
	ASKED("Manually set wedged"), ASKED("Manually setting wedged"),
	SAVED("GPU crash dump saved", KEPT), SAVED("GPU error state saved", KEPT),
	SAVED("capturing error event",
	      "the kernel has kept the error state: i915_error_state in debugfs"),
};

const size_t log_i915_count = ARRAY_SIZE(log_i915);
