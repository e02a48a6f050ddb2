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
#include "log/log.h"

#include "db/engine.h"

#define ENGINE_LONGEST 24		/* "video enhancement ring" */

/* ---- page faults ---------------------------------------------------------------------------- */

/*
 * Gen8 gives the engine, and its types a meaning; the engines of a media GT have other numbers.
 * Gen6 and Gen7 print neither.
 */
bool i915_fault(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char *const levels[] = { "pte", "pde", "pdpe", "pml4e" };
	static const char reg[] = "GEN8_RING_FAULT_REG";
	struct gsc_fault *fault = &event->fault;
	struct slice block = log_block(log, "Unexpected fault|Addr:", "Source ID:|Engine "
				       "ID:|Type:|Fault Level:|Access type:", event);
	bool gen8 = text_has(block, "Engine ID:");
	struct gsc_value meaning;
	uint64_t number;

	/* Words of many messages: without the others they mean nothing. */
	if (!text_has(block, "Addr:"))
		return false;
	take_blanks(&rest);
	fault->space = slice_begins(rest, "GGTT") ? "ggtt" :
		       slice_begins(rest, "PPGTT") ? "ppgtt" : NULL;
	fault->has_address = text_hex(block, "Addr:", &fault->address);
	if (text_decimal(block, "Source ID:", &number) && number <= INT32_MAX)
		fault->source_id = (int)number;
	fault->access = text_has(block, "Access type: Write") ? "write" :
			text_has(block, "Access type: Read") ? "read" : NULL;
	if (text_decimal(block, "Engine ID:", &number) && !text_has(block, "GT1:") &&
	    log_meaning(log->db, GSC_REGISTER, reg, "ENGINE_ID", number, &meaning) && meaning.doc)
		string_set(fault->engine, "%s", meaning.doc);
	log_say(event, "page fault");
	if (*fault->engine)
		log_add(event, " of %s", fault->engine);
	if (fault->has_address)
		log_add(event, " at 0x%llx", LL(fault->address));
	if (fault->space)
		log_add(event, " in the %s", fault->space);
	if (fault->source_id >= 0)
		log_add(event, ", asked for by unit %d", fault->source_id);
	if (text_decimal(block, "Type:", &number) && !gen8) {
		log_add(event, ", type %llu (Gen6 and Gen7 do not document any)", LL(number));
	} else if (gen8 && text_decimal(block, "Type:", &number) &&
		   log_meaning(log->db, GSC_REGISTER, reg, "FAULT_TYPE", number, &meaning)) {
		fault->type = meaning.name;
		fault->level = number < ARRAY_SIZE(levels) ? levels[number] : NULL;
		log_add(event, ": %s", meaning.name);
	}
	log_add(event, "; the register keeps the first fault only");
	return true;
}

/* The address is in the same line or in the next one; without it, the words are all there is. */
bool i915_fault_head(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line;

	if (text_has(rest, "Addr:") ||
	    (log_line_after(log, log->line_end, &line) && text_has(line, "Addr:")))
		log_harmless(log, rest, event);
	return false;
}

/* ---- hangs ---------------------------------------------------------------------------------- */

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

bool i915_hang(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct gsc_ecode ecode, *last = &log->ecode;
	char *engine = event->fault.engine;
	struct slice why;

	ecode_take(log->db, log->view, &rest, &ecode);
	event->has_code = ecode.has_code;
	event->code = ecode.code;
	event->platforms = ecode.has_generation ? ecode.platforms : 0;
	memcpy(event->process, ecode.process, sizeof(event->process));
	memcpy(engine, ecode.engine, sizeof(event->fault.engine));
	if (*engine && !is_digit(engine[strlen(engine) - 1]))
		take_engine_reset(log, engine, sizeof(event->fault.engine));
	log_say(event, "the GPU hung");
	if (*engine)
		log_add(event, " on %s", engine);
	if (ecode.has_generation)
		log_add(event, " (generation %u)", ecode.generation);
	if (*event->process)
		log_add(event, " while working for %s", event->process);
	if (text_has(rest, "stopped heartbeat"))
		log_add(event, ": the engine did not answer a heartbeat");
	else if (text_after(rest, "action: ", &why) && slice_begins(why, "continue"))
		log_add(event, "; the driver went on without a reset");
	/* The same hang recurs: what its code says is kept. */
	if (last->code != ecode.code || last->has_code != ecode.has_code ||
	    last->classes != ecode.classes || last->platforms != ecode.platforms ||
	    last->has_generation != ecode.has_generation || last->no_engine != ecode.no_engine) {
		*last = ecode;
		gsc_ecode_text(log->db, &ecode, log->ecode_text, sizeof(log->ecode_text));
	}
	if (*log->ecode_text)
		log_add(event, "; hang code %s", log->ecode_text);
	return true;
}

/* "Hangcheck timer elapsed... GPU hung", "... blt ring idle [waiting on 1, at 1], missed IRQ?" */
bool i915_hangcheck(struct log *log, struct slice rest, struct gsc_event *event)
{
	text_engine(rest, event->fault.engine, sizeof(event->fault.engine));
	if (!text_has(rest, "idle")) {
		if (!text_has(rest, "GPU hung") && !text_has(log->prefix, "*ERROR*"))
			return false;
		log_say(event, "the GPU hung: no engine has moved for a while");
		return true;
	}
	event->kind = GSC_EVENT_ERROR;
	event->fault.type = "interrupt";
	log_say(event, "an engine was done, but its interrupt never came");
	return true;
}

/* "render ring hung inside bo (0x88d000 ctx 0) at 0x88e040". Origin: Linux 3.12 i915_gem.c. */
bool i915_hung_in(struct log *log, struct slice rest, struct gsc_event *event)
{
	uint64_t object, at;

	if (!take_hex(&rest, &object) || !text_hex(rest, " at ", &at) ||
	    !text_engine(log->prefix, event->fault.engine, sizeof(event->fault.engine)))
		return false;
	log_value(event, "ACTHD", at);
	log_say(event, "%s hung at 0x%llx, %s the batch at 0x%llx", event->fault.engine,
		LL(at), text_has(log->line, "inside") ? "inside" : "flushing",
		LL(object));
	return true;
}

/* ---- resets --------------------------------------------------------------------------------- */

/* Lines after an attempt may say that the engine did not get ready, or the chip did not reset. */
static bool reset_fails(const struct log *log, struct slice engine)
{
	struct slice line = { log->line_start, log->line_end };
	char words[48] = "ailed to reset chip";

	if (engine.at < engine.end)
		string_set(words, "%.*s reset request timed out", SLICE(slice_first(engine, 16)));
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
bool i915_resetting(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice front = rest, word = take_until(&front, " "), why;
	bool chip = slice_begins(rest, "chip "), known, failed;

	known = text_engine(word, event->fault.engine, sizeof(event->fault.engine));
	if (!known && !(chip && (text_has(rest, "gpu hang") ||
				 text_has_any(log->prefix, "drm|i915"))))
		return false;
	failed = reset_fails(log, known ? word : slice_string(""));
	event->kind = failed ? GSC_EVENT_ERROR : GSC_EVENT_RESET;
	event->fault.type = failed ? LOG_TRIED : NULL;
	log_say(event, "%s of %s", failed ? "attempt of a reset" : "reset",
		known ? event->fault.engine : "the whole GPU");
	if (text_after(rest, " for ", &why) || text_after(rest, " after ", &why))
		log_add(event, ": %.*s", SLICE(slice_first(why, 120)));
	return true;
}

/* "Xorg[1981] context reset due to GPU hang"; GuC: "context reset notification: 0x1002 on rcs0" */
bool i915_context(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice name = log->prefix, further;

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
	return true;
}

/* ---- errors --------------------------------------------------------------------------------- */

/*
 * The driver names what it finds in EIR; the bits alone mean one thing on G45 and another
 * elsewhere. Those of PGTBL_ER that Gen3 and Gen4 share: IGT tools/intel_error_decode.c.
 */
bool i915_error(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char tail[] =
		"page table error|PGTBL_ER:|IPEIR:|IPEHR:|INSTDONE:|INSTDONE1:|INSTPS:|INSTPM:|"
		"ACTHD:|memory refresh error|instruction error|stat: 0x|EIR stuck:";
	static const char decode[] = "its bits depend on the platform (give -p to decode them)";
	static const struct {
		const char *name, *words;
	} registers[] = {
		{ "EIR", "EIR: " }, { "EIR", "EIR " }, { "EIR", "EIR stuck: " },
		{ "PGTBL_ER", "PGTBL_ER: " }, { "IPEIR", "IPEIR: " }, { "IPEHR", "IPEHR: " },
		{ "INSTDONE", "INSTDONE: " }, { "INSTDONE_1", "INSTDONE1: " },
		{ "INSTPS", "INSTPS: " }, { "INSTPM", "INSTPM: " }, { "ACTHD", "ACTHD: " },
	};
	static const struct {
		const char *said, *fetched;
		unsigned bit;
	} errors[] = {
		{ "page table error", "an access of the host", 0 },
		{ "memory refresh error", "display A fetched", 4 },
		{ "instruction error", "display B fetched", 8 },
	};
	struct slice block = log_block(log, "", tail, event);
	const char *last = NULL;
	uint64_t eir, page, value;
	unsigned count = 0;

	(void)rest;
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		if ((!last || strcmp(registers[i].name, last)) &&
		    text_hex(block, registers[i].words, &value) &&
		    log_value(event, registers[i].name, value))
			last = registers[i].name;
	eir = log_value_of(event, "EIR");
	page = log_value_of(event, "PGTBL_ER");
	if (!eir && !page)
		return false;
	if (eir) {
		log_say(event, "EIR 0x%llx: ", LL(eir));
		for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
			if (text_has(block, errors[i].said))
				log_add(event, "%s%s", count++ ? ", " : "", errors[i].said);
		if (!count && !log_add_bits(log, event, "rcs0", "EIR", -1, eir))
			log_add(event, "%s", eir & 0x10 ?
				"page table error (on G45 and GM45: privilege violation)" : decode);
	} else {
		log_say(event, "page table error");
	}
	if (!page)
		return true;
	log_add(event, "; PGTBL_ER 0x%llx: ", LL(page));
	if (log_add_bits(log, event, NULL, "PGTBL_ER", -1, page))
		return true;
	count = 0;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		if (page >> errors[i].bit & 1)
			log_add(event, "%s%s through an invalid entry", count++ ? ", " : "",
				errors[i].fetched);
	if (!count)
		log_add(event, "%s", decode);
	return true;
}

/* "GT error interrupt 0x00008000", "Command parser error, gt_iir 0x00000008" */
bool i915_interrupt(struct log *log, struct slice rest, struct gsc_event *event)
{
	/* Origin: Linux i915_reg.h GT_*_CS_ERROR_INTERRUPT. */
	static const struct {
		unsigned bit;
		char engine[8];
	} interrupts[] = { { 3, "rcs0" }, { 15, "vcs0" }, { 25, "bcs0" } };
	struct gsc_fault *fault = &event->fault;
	uint64_t iir;

	(void)log;
	if (slice_begins(rest, ", pm_iir")) {
		strcpy(fault->engine, "vecs0");
		return true;
	}
	if (!text_hex(rest, "gt_iir ", &iir) && !take_hex(&rest, &iir))
		return true;
	log_value(event, "GT_IIR", iir);
	for (size_t i = 0; i < ARRAY_SIZE(interrupts); i++)
		if (iir >> interrupts[i].bit & 1 && !*fault->engine)
			strcpy(fault->engine, interrupts[i].engine);
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
bool i915_wait(struct log *log, struct slice rest, struct gsc_event *event)
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
	text_process(rest, "", event->process, sizeof(event->process));
	log_say(event,
		"a fence timed out: the GPU did not finish in time work that others wait for");
	if (*event->process)
		log_add(event, "; the work belonged to %s", event->process);
	return true;
}

/* "Got hung context on vcs0 with active request 939:2 [0x1004] not yet started" */
bool i915_hung_context(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice block = log_block(log, "", "active request |not yet started", event), request;

	rest = slice_first(rest, ENGINE_LONGEST);
	text_engine(rest, event->fault.engine, sizeof(event->fault.engine));
	log_say(event, "a context hung");
	if (*event->fault.engine)
		log_add(event, " on %s", event->fault.engine);
	if (!text_after(block, "active request ", &request))
		return true;
	request = slice_first(request, 40);
	for (rest = request; rest.at < rest.end && (is_digit(*rest.at) || *rest.at == ':');)
		rest.at++;
	log_add(event, ": its request %.*s%s", (int)(rest.at - request.at), request.at,
		text_has(block, "not yet started") ? " had not started: the engine never began it" :
						     " was active");
	return true;
}

/*
 * "[drm:__intel_gt_set_wedged [i915]] rcs'0", "__intel_gt_set_wedged rcs'0": then the engine's
 * registers, one per line, and the next engine's. The GPU is given up once.
 */
bool i915_wedge_dump(struct log *log, struct slice rest, struct gsc_event *event)
{
	bool again = log->dumped && event->line <= log->dumped + BLOCK_MOST;
	struct gsc_event *last = log_last(log);

	if (!slice_begins(rest, " ") && !slice_begins(rest, "]"))
		return false;
	log->dumped = event->line;
	if (again && last && last->wedged)
		last->lines = event->line - last->line + 1;
	*event->fault.engine = 0;
	return !again;
}

/* "Engine reset failed on 0:0 (rcs0) because 0x0", "... on 1:0": the GuC's class and instance. */
bool i915_guc_reset(struct log *log, struct slice rest, struct gsc_event *event)
{
	/* Origin: Linux i915 intel_guc_fwif.h GUC_RENDER_CLASS and following. */
	static const char classes[][8] = { "rcs", "vcs", "vecs", "bcs", "ccs", "gsccs" };
	uint64_t class, instance;

	if (!*event->fault.engine && text_after(rest, "on ", &rest) &&
	    take_decimal(&rest, &class) && class < ARRAY_SIZE(classes) && take_text(&rest, ":") &&
	    take_decimal(&rest, &instance) && instance <= ENGINE_LAST)
		/* Each engine of the last class has an instance of its own: the GSC's is 6. */
		string_set(event->fault.engine, "%s%u", classes[class],
			   class + 1 < ARRAY_SIZE(classes) ? (unsigned)instance : 0);
	log_say_words(log, event);
	return true;
}
