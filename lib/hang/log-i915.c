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
#include "db/view.h"
#include "hang/log.h"

#include <stdio.h>

#define ENGINE_LONGEST 24		/* "video enhancement ring" */

/* ---- page faults ---------------------------------------------------------------------------- */

static void name_engine(const struct log *log, struct stretch block, struct gsc_fault *fault)
{
	struct gsc_value meaning;
	uint64_t id;

	if (!text_decimal(block, "Engine ID:", &id))
		return;
	/* Those of a media GT have numbers of their own. */
	if (text_has(block, "GT1:") ||
	    !log_meaning(log->db, GSC_REGISTER, "GEN8_RING_FAULT_REG", "ENGINE_ID", id, &meaning))
		return;
	if (meaning.doc)
		snprintf(fault->engine, sizeof(fault->engine), "%s", meaning.doc);
}

/* Gen8 gives types a meaning; its form has the engine. */
static void name_type(const struct log *log, struct stretch block, struct gsc_event *event)
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

static void describe_fault(const struct log *log, struct stretch block, struct gsc_event *event)
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

static bool handle_fault(struct log *log, struct stretch rest, struct gsc_event *event)
{
	static const char *const head[] = { "Unexpected fault", "Addr:", NULL };
	static const char *const tail[] = { "Source ID:", "Engine ID:", "Type:", "Fault Level:",
					    "Access type:", NULL };
	struct gsc_fault *fault = &event->fault;
	struct stretch block = log_block(log, head, tail, event);
	uint64_t source;

	/* Words of many: without the others they mean nothing. */
	if (!text_has(block, "Addr:"))
		return false;
	take_blanks(&rest);
	fault->space = text_begins(rest, "GGTT") ? "ggtt" :
		       text_begins(rest, "PPGTT") ? "ppgtt" : NULL;
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

/* ---- hangs ---------------------------------------------------------------------------------- */

struct ecode {
	uint64_t generation, engines, code;
	bool has_generation, has_engines, has_code, classes;
};

/* What i915 did not know it has printed as -1. */
static bool take_id(struct stretch *text, bool hexadecimal, uint64_t *value)
{
	uint64_t ignored;

	if (text->at < text->end && *text->at == '-') {
		text->at++;
		return take_decimal(text, &ignored) && false;
	}
	return hexadecimal ? take_hex(text, value) : take_decimal(text, value);
}

static bool take_colon(struct stretch *text)
{
	if (text->at == text->end || *text->at != ':')
		return false;
	text->at++;
	return true;
}

static bool take_code(struct stretch *text, uint64_t *code)
{
	return take_hex(text, code) && *code <= UINT32_MAX;
}

static struct ecode take_ecode(struct stretch *text)
{
	struct ecode e = { .generation = 0 };

	if (text_begins(*text, "0x")) {
		e.has_code = take_code(text, &e.code);
		return e;
	}
	e.has_generation = take_id(text, false, &e.generation);
	if (!take_colon(text))
		return e;
	if (text_begins(*text, "0x")) {
		e.engines = e.generation;
		e.has_engines = e.has_generation;
		e.has_generation = false;
	} else {
		e.has_engines = take_id(text, true, &e.engines);
		if (!take_colon(text))
			return e;
	}
	e.classes = !text_begins(*text, "0x");
	e.has_code = take_code(text, &e.code);
	e.classes &= e.has_code;
	return e;
}

/* What stands behind the process, whose name may be anything. */
static struct stretch behind_process(struct stretch text)
{
	struct stretch name, rest = { text.end, text.end };

	if (!text_after(text, ", in ", &name))
		return text;
	text_after(name, "], ", &rest);
	return rest;
}

/* By the mask of classes; by a number only in the years in which the reason was "Ring hung". */
static void name_hung(const struct ecode *e, struct stretch rest, char *buf, size_t size)
{
	static const char *const classes[] = { "rcs", "bcs", "vcs", "vecs", "ccs" };
	static const char *const rings[] = { "rcs0", "vcs0", "bcs0", "vecs0", "vcs1" };

	if (text_engine(rest, buf, size) || !e->has_engines)
		return;
	if (e->classes) {
		for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
			if (e->engines == UINT64_C(1) << i)
				snprintf(buf, size, "%s", classes[i]);
	} else if (text_has(rest, "Ring hung") && e->engines < ARRAY_SIZE(rings)) {
		snprintf(buf, size, "%s", rings[e->engines]);
	}
}

static void describe_hang(const struct ecode *e, struct stretch rest, struct gsc_event *event)
{
	struct stretch why;

	log_say(event, "the GPU hung");
	if (e->has_generation)
		log_add(event, " (generation %llu)", (unsigned long long)e->generation);
	if (*event->fault.engine)
		log_add(event, " on %s", event->fault.engine);
	if (*event->process)
		log_add(event, " while it worked for %s", event->process);
	if (text_has(rest, "stopped heartbeat"))
		log_add(event, ": the engine did not answer a heartbeat");
	else if (text_after(rest, "action: ", &why) && text_begins(why, "continue"))
		log_add(event, "; the driver went on without a reset");
	if (e->has_code && e->code)
		log_add(event, "; its code 0x%08x is IPEHR xor INSTDONE: IPEHR was 0x%08x if "
			"every unit was done", (unsigned)e->code, ~(unsigned)e->code);
}

static bool handle_hang(struct log *log, struct stretch rest, struct gsc_event *event)
{
	struct ecode e = take_ecode(&rest);

	(void)log;
	event->kind = GSC_EVENT_HANG;
	if (!*event->driver)
		strcpy(event->driver, "i915");
	event->has_code = e.has_code;
	event->code = e.has_code ? (uint32_t)e.code : 0;
	text_process(rest, ", in ", event->process, sizeof(event->process));
	name_hung(&e, behind_process(rest), event->fault.engine, sizeof(event->fault.engine));
	describe_hang(&e, rest, event);
	return true;
}

/* "Hangcheck timer elapsed... GPU hung", "... blt ring idle [waiting on 1, at 1], missed IRQ?" */
static bool handle_hangcheck(struct log *log, struct stretch rest, struct gsc_event *event)
{
	(void)log;
	strcpy(event->driver, "i915");
	text_engine(rest, event->fault.engine, sizeof(event->fault.engine));
	if (text_has(rest, "GPU hung")) {
		event->kind = GSC_EVENT_HANG;
		log_say(event, "the GPU hung: no engine has moved for a while");
		return true;
	}
	if (!text_has(rest, "idle"))
		return false;
	event->kind = GSC_EVENT_ERROR;
	log_say(event, "an engine was done, but its interrupt never came");
	return true;
}

/* "[drm] stuck on render ring", "no progress on blitter ring" */
static bool handle_stuck(struct log *log, struct stretch rest, struct gsc_event *event)
{
	(void)log;
	rest.end = rest.at + MIN(rest.end - rest.at, ENGINE_LONGEST);
	if (!text_engine(rest, event->fault.engine, sizeof(event->fault.engine)))
		return false;
	strcpy(event->driver, "i915");
	event->kind = GSC_EVENT_HANG;
	event->fault.type = "stuck";
	log_say(event, "%s does not move", event->fault.engine);
	return true;
}

/* ---- resets --------------------------------------------------------------------------------- */

/* "Resetting chip for stopped heartbeat on rcs0", "Resetting rcs0 after gpu hang" */
static bool handle_resetting(struct log *log, struct stretch rest, struct gsc_event *event)
{
	struct stretch word = rest, why;
	bool chip = text_begins(rest, "chip "), known;

	while (word.at < word.end && *word.at != ' ')
		word.at++;
	word = (struct stretch){ rest.at, word.at };
	known = text_engine(word, event->fault.engine, sizeof(event->fault.engine));
	if (!known && !(chip && (text_has(rest, "gpu hang") || text_has(log->prefix, "drm") ||
				 text_has(log->prefix, "i915"))))
		return false;
	event->kind = GSC_EVENT_RESET;
	if (!*event->driver)
		strcpy(event->driver, "i915");
	log_say(event, "reset of %s", known ? event->fault.engine : "the whole GPU");
	if (text_after(rest, " for ", &why) || text_after(rest, " after ", &why))
		log_add(event, ": %.*s", (int)MIN(why.end - why.at, 120), why.at);
	return true;
}

/* "Xorg[1981] context reset due to GPU hang"; GuC: "context reset notification: 0x1002 on rcs0" */
static bool handle_context(struct log *log, struct stretch rest, struct gsc_event *event)
{
	struct stretch name = log->prefix, further;

	if (text_begins(rest, " due to GPU hang")) {
		while (text_after(name, ": ", &further) || text_after(name, "[drm] ", &further))
			name = further;
		text_process(name, "", event->process, sizeof(event->process));
		log_say(event, "a context was thrown away: its work hung the GPU");
	} else if (text_begins(rest, " notification")) {
		text_engine(rest, event->fault.engine, sizeof(event->fault.engine));
		log_say(event, "the firmware (GuC) reset an engine and stopped its context%s",
			text_has(rest, "banned = yes") ? ", which is banned now" : "");
	} else {
		return false;
	}
	event->kind = GSC_EVENT_RESET;
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

static bool add_value(struct gsc_event *event, const char *name, uint64_t value)
{
	if (event->value_count == GSC_EVENT_VALUES)
		return false;
	event->values[event->value_count].name = name;
	event->values[event->value_count++].value = value;
	return true;
}

static void take_values(struct stretch block, struct gsc_event *event)
{
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(registers[i].words); j++) {
			const char *words = registers[i].words[j];

			if (words && text_hex(block, words, &value) &&
			    add_value(event, registers[i].name, value))
				break;
		}
	}
}

static uint64_t value_of(const struct gsc_event *event, const char *name)
{
	for (unsigned i = 0; i < event->value_count; i++)
		if (!strcmp(event->values[i].name, name))
			return event->values[i].value;
	return 0;
}

/* The bits that are set, as the platform's definition names them. */
static bool add_bits(const struct log *log, struct gsc_event *event, const char *engine,
		     const char *name, int index, uint64_t value)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_reg reg;
	unsigned count = 0;

	if (!log->view || !value || !view_find(log->view, engine, name, index, &reg))
		return false;
	gsc_reg_fields(log->view, &reg, value, &it);
	while (gsc_field_next(&it, &field))
		if (field.name && field.value && field.hi == field.lo)
			log_add(event, "%s%s", count++ ? ", " : "", field.name);
	return count;
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
	if (add_bits(log, event, NULL, "PGTBL_ER", -1, value))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(page_errors); i++)
		if (value >> page_errors[i].bit & 1)
			log_add(event, "%s%s through an invalid entry", count++ ? ", " : "",
				page_errors[i].text);
	if (!count)
		log_add(event, "its bits depend on the platform (-p)");
}

/* The driver names what it finds; the bits alone mean one thing on G45 and another elsewhere. */
static void explain_error(const struct log *log, struct stretch block, struct gsc_event *event,
			  uint64_t eir)
{
	static const char *const said[] = { "page table error", "memory refresh error",
					    "instruction error" };
	unsigned count = 0;

	log_say(event, "EIR 0x%llx: ", (unsigned long long)eir);
	for (size_t i = 0; i < ARRAY_SIZE(said); i++)
		if (text_has(block, said[i]))
			log_add(event, "%s%s", count++ ? ", " : "", said[i]);
	if (count || add_bits(log, event, "rcs0", "EIR", -1, eir))
		return;
	if (eir & 0x10)
		log_add(event, "page table error (of G45 and GM45: privilege violation)");
	else
		log_add(event, "its bits depend on the platform (-p)");
}

static bool handle_error(struct log *log, struct stretch rest, struct gsc_event *event)
{
	static const char *const none[] = { NULL };
	static const char *const tail[] = {
		"page table error", "PGTBL_ER:", "IPEIR:", "IPEHR:", "INSTDONE:", "INSTDONE1:",
		"INSTPS:", "INSTPM:", "ACTHD:", "memory refresh error", "instruction error",
		"stat: 0x", "EIR stuck:", NULL,
	};
	struct stretch block = log_block(log, none, tail, event);
	uint64_t eir, page;

	(void)rest;
	take_values(block, event);
	eir = value_of(event, "EIR");
	page = value_of(event, "PGTBL_ER");
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
static bool handle_interrupt(struct log *log, struct stretch rest, struct gsc_event *event)
{
	struct gsc_fault *fault = &event->fault;
	uint64_t iir;

	if (!log_plain(log, rest, event))
		return false;
	if (text_begins(rest, ", pm_iir")) {
		strcpy(fault->engine, "vecs0");
		return true;
	}
	if (!text_hex(rest, "gt_iir ", &iir) && !take_hex(&rest, &iir))
		return true;
	add_value(event, "GT_IIR", iir);
	for (size_t i = 0; i < ARRAY_SIZE(error_interrupts); i++)
		if (iir >> error_interrupts[i].bit & 1 && !*fault->engine)
			strcpy(fault->engine, error_interrupts[i].engine);
	return true;
}

/* ---- the display ---------------------------------------------------------------------------- */

/* Both drivers have the same display code. */
static bool is_display(struct log *log, struct stretch rest, struct gsc_event *event)
{
	event->kind = log->words->kind;
	return !strcmp(event->driver, "xe") || log_plain(log, rest, event);
}

/* "CPU pipe A FIFO underrun: soft,", "PCH transcoder A FIFO underrun" */
static bool handle_underrun(struct log *log, struct stretch rest, struct gsc_event *event)
{
	static const char *const keys[] = { "CPU pipe ", "PCH transcoder " };
	struct stretch letter;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!text_after(log->prefix, keys[i], &letter) || letter.at == letter.end)
			continue;
		if (!is_display(log, rest, event))
			return false;
		event->fault.type = LOG_UNDERRUN;
		log_say(event, "%s%c got its pixels too late: a flicker, which by itself stops "
			"nothing", keys[i], *letter.at);
		return true;
	}
	return false;
}

/* "Fault errors on pipe A: 0x00000080" */
static bool handle_plane(struct log *log, struct stretch rest, struct gsc_event *event)
{
	uint64_t bits;
	char pipe;

	if (rest.at == rest.end || *rest.at < 'A' || *rest.at > 'D' ||
	    !is_display(log, rest, event))
		return false;
	pipe = *rest.at++;
	log_say(event, "a plane of display pipe %c faulted when it fetched", pipe);
	if (!text_hex(rest, ":", &bits))
		return true;
	add_value(event, "DE_PIPE_IIR", bits);
	log_add(event, ": DE_PIPE_IIR 0x%llx ", (unsigned long long)bits);
	if (!add_bits(log, event, NULL, "DE_PIPE_IIR", pipe - 'A', bits))
		log_add(event, "(-p tells its bits)");
	return true;
}

/* ---- waits ---------------------------------------------------------------------------------- */

/*
 * i915's waits for others' work, by "DRIVER:TIMELINE:SEQNO" or "FUNCTION:TIMELINE:SEQNO":
 *   Asynchronous wait on fence i915:Xorg[1981]/0:1a timed out (hint:...)
 *   Asynchronous wait on fence 0000:00:02.0:Xorg[1981]:1a timed out (hint:...)
 */
static bool handle_wait(struct log *log, struct stretch rest, struct gsc_event *event)
{
	struct stretch name = { rest.at, rest.at + MIN(rest.end - rest.at, 13) };
	bool own = text_begins(rest, "i915:");

	if (!own && (name.end - name.at < 13 || name.end[-1] != ':' ||
		     !text_function(name, event->device, sizeof(event->device)) ||
		     !log_is_gpu(log, event->device)))
		return false;
	rest.at = own ? rest.at + 5 : name.end;
	event->kind = GSC_EVENT_HANG;
	strcpy(event->driver, "i915");
	text_process(rest, "", event->process, sizeof(event->process));
	log_say(event, "work of the GPU was not done in time");
	if (*event->process)
		log_add(event, "; it was of %s", event->process);
	return true;
}

#define PLAIN(words, kind, text) { words, log_plain, kind, "i915", text, true }
#define RESET_REFUSED "the firmware (GuC) could not reset an engine"
#define CERTAIN(words, kind, text) { words, log_plain, kind, "i915", text, false }

const struct log_words log_i915[] = {
	{ .words = "Address space:", .handler = handle_fault },
	{ .words = "GPU HANG: ecode ", .handler = handle_hang },
	{ .words = "angcheck timer elapsed", .handler = handle_hangcheck },
	{ .words = "stuck on ", .handler = handle_stuck },
	{ .words = "no progress on ", .handler = handle_stuck },
	{ .words = "Resetting ", .handler = handle_resetting },
	{ .words = "context reset", .handler = handle_context },
	{ .words = "error detected, EIR: 0x", .handler = handle_error },
	{ .words = "Master Error", .handler = handle_error },
	{ .words = "EIR stuck: 0x", .handler = handle_error },
	{ .words = "PGTBL_ER: 0x", .handler = handle_error },
	{ "GT error interrupt 0x", handle_interrupt, GSC_EVENT_ERROR, "i915",
	  "a command streamer reported an error", false },
	{ "ommand parser error", handle_interrupt, GSC_EVENT_ERROR, "i915",
	  "a command streamer met a command that it could not take", false },
	PLAIN("Poison interrupt", GSC_EVENT_ERROR, "poisoned data arrived: an uncorrectable error"),
	PLAIN("Parity error: ", GSC_EVENT_ERROR, "a row of the L3 cache has a parity error"),
	CERTAIN("Got hung context on ", GSC_EVENT_HANG, "the firmware (GuC) gave a context up"),
	CERTAIN("Fence expiration time out i915", GSC_EVENT_HANG,
		"work of the GPU was not done in time"),
	PLAIN("rash dump notification", GSC_EVENT_ERROR, "the firmware (GuC) crashed"),
	PLAIN("xception notification", GSC_EVENT_ERROR, "the firmware (GuC) took an exception"),
	PLAIN("reset request timed out", GSC_EVENT_RESET,
	      "an engine did not get ready for its reset"),
	CERTAIN("ngine reset request failed", GSC_EVENT_RESET, RESET_REFUSED),
	CERTAIN("ngine reset failed on ", GSC_EVENT_RESET, RESET_REFUSED),
	{ "FIFO underrun", handle_underrun, GSC_EVENT_ERROR, "i915", NULL, true },
	{ "Fault errors on pipe ", handle_plane, GSC_EVENT_ERROR, "i915", NULL, true },
	{ .words = "Asynchronous wait on fence ", .handler = handle_wait },
	PLAIN("ailed to reset chip", GSC_EVENT_RESET, "the reset failed: the GPU is given up"),
	PLAIN("GPU reset not supported", GSC_EVENT_RESET, "no reset: not supported here"),
	PLAIN("following reset", GSC_EVENT_RESET, "the GPU did not come back from its reset"),
	CERTAIN("declaring it wedged", GSC_EVENT_RESET, "the driver has given the GPU up"),
	PLAIN("declaring wedged", GSC_EVENT_RESET,
	      "too many hangs: the driver has given the GPU up"),
	PLAIN("hanging too fast", GSC_EVENT_RESET, "too many hangs: no more work is taken"),
	CERTAIN("GPU crash dump saved", GSC_EVENT_DUMP,
		"the kernel has kept the error state: /sys/class/drm/cardN/error, until that is "
		"written to or the machine goes down"),
	PLAIN("capturing error event", GSC_EVENT_DUMP,
	      "the kernel has kept the error state: i915_error_state in debugfs"),
};

const size_t log_i915_count = ARRAY_SIZE(log_i915);
