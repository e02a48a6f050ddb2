/* SPDX-License-Identifier: MIT */
/*
 * What both drivers say about the hardware around the engines: access to registers, power, display;
 * and about themselves. Origin: i915 intel_uncore.c, i915_driver.c, the files of display/;
 * xe_force_wake.c, xe_pcode.c, xe_survivability_mode.c; Linux drivers/base/dd.c, lib/ratelimit.c.
 */
#include "log/log.h"

/* ---- the whole device ----------------------------------------------------------------------- */

/*
 * xe 0000:03:00.0: probe with driver xe failed with error -22
 * i915: probe of 0000:00:02.0 failed with error -5
 */
bool hw_probe(struct log *log, struct slice rest, struct gsc_event *event)
{
	const char *driver = NULL;
	struct slice error;
	uint64_t number;
	char words[24];

	if (!text_after(rest, "failed with error -", &error) || !take_decimal(&error, &number))
		return false;
	for (size_t i = 0; i < LOG_DRIVERS; i++) {
		string_set(words, "%s ", log_drivers[i]);
		if (slice_begins(rest, words))
			driver = log_drivers[i];
		string_set(words, "%s: ", log_drivers[i]);
		if (text_has(log->prefix, words))
			driver = log_drivers[i];
	}
	if (!driver)
		return false;
	string_set(event->driver, "%s", driver);
	if (!*event->device)
		text_function(rest, event->device, sizeof(event->device));
	log_say(event, "the driver %s failed to start the GPU: error -%llu", driver, LL(number));
	return true;
}

/* "dmar_fault: 42 callbacks suppressed": whose messages the kernel left out, and how many. */
bool hw_suppressed(struct log *log, struct slice rest, struct gsc_event *event)
{
	const char *end = log->prefix.end, *at, *driver;
	struct slice function;
	uint64_t count;

	(void)rest;
	while (end > log->prefix.at && end[-1] != ':')
		end--;
	log->prefix.at = end;
	take_blanks(&log->prefix);
	if (!take_decimal(&log->prefix, &count) || end == log->line.at)
		return false;
	end--;
	for (at = end; at > log->line.at && at[-1] != ' ' && at[-1] != '\t'; at--)
		;
	function = (struct slice){ at, end };
	driver = slice_begins(function, "dmar_") ? "DMAR" : log_driver_of_function(function);
	if (!driver)
		return false;
	string_set(event->driver, "%s", driver);
	log_say(event, "the kernel left out %llu more message%s of %.*s (suppressed)",
		LL(count), count == 1 ? "" : "s",
		SLICE(slice_first(function, 60)));
	return true;
}

/* ---- the display ---------------------------------------------------------------------------- */

/*
 * "CPU pipe A FIFO underrun: soft,", "PCH transcoder A FIFO underrun", "pipe A underrun". It comes
 * again whenever the driver sets the pipe up: the first one stands for all.
 */
bool hw_underrun(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char keys[][16] = { "CPU pipe ", "PCH transcoder ", "pipe " };
	const char *at = log->line_end;
	struct slice letter, words;
	uint64_t bit;
	size_t i = 0;

	while (i < ARRAY_SIZE(keys) && (!text_after(log->prefix, keys[i], &letter) ||
					letter.at == letter.end))
		i++;
	if (i == ARRAY_SIZE(keys))
		return false;
	bit = UINT64_C(1) << ((i == 1) * 32 + (*letter.at & 31));
	log_say(event, "%s%c got its pixels too late: this causes flicker, but does not stop the "
		"GPU", keys[i], *letter.at);
	if (log->gpus.count > 1)
		return true;
	if (log->underran & bit)
		return log_harmless(log, rest, event);
	log->underran |= bit;
	words.at = letter.at - strlen(keys[i]);
	words.end = rest.at;
	for (; (at = memmem(at, (size_t)(log->end - at), words.at, slice_length(words))); at++)
		event->repeats++;
	return true;
}

/* "Pipe A FIFO underrun info: DDB empty on planes: [1]": belongs to the underrun before it. */
bool hw_underrun_info(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct gsc_event *last = log_last(log);
	bool near = last && last->fault.type && !strcmp(last->fault.type, LOG_UNDERRUN) &&
		    event->line <= last->line + last->lines + FOLLOWS;

	if (!near && (!log->harmless || event->line > log->harmless + FOLLOWS))
		return true;
	if (near) {
		log_add(last, "; %.*s", SLICE(slice_first(slice_trim(rest), 80)));
		last->lines = event->line - last->line + 1;
	}
	return log_harmless(log, rest, event);
}

/* "Fault errors on pipe A: 0x00000080" */
bool hw_plane(struct log *log, struct slice rest, struct gsc_event *event)
{
	uint64_t bits;
	char pipe;

	if (rest.at == rest.end || *rest.at < 'A' || *rest.at > 'D')
		return false;
	pipe = *rest.at++;
	log_say(event, "a plane of display pipe %c had a page fault while fetching", pipe);
	take_text(&rest, ":");
	take_blanks(&rest);
	if (!take_hex(&rest, &bits))
		return true;
	log_value(event, "DE_PIPE_IIR", bits);
	log_add(event, ": DE_PIPE_IIR 0x%llx ", LL(bits));
	if (!log_add_bits(log, event, NULL, "DE_PIPE_IIR", pipe - 'A', bits))
		log_add(event, "(give -p PLATFORM to decode its bits)");
	return true;
}

/* "[CRTC:51:pipe A] flip_done timed out": helpers of all DRM drivers print some of these, too. */
bool hw_pipe(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice letter;
	bool known = text_after(log->line, "pipe ", &letter) && letter.at < letter.end;

	(void)rest;
	if (!*event->device && !known)
		return false;
	if (known)
		log_add(event, " (pipe %c)", *letter.at);
	return true;
}

/*
 * PCODE Mailbox failed: 6 Illegal Command
 * warning: pcode (read from mbox 5) mailbox access failed for skl_foo [i915]: -6
 * An answer differs from silence. Origin: Linux xe_pcode.c; i915 intel_pcode.c
 * gen7_check_mailbox_status().
 */
bool hw_pcode(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const struct {
		char words[24];
		unsigned number;
		char answer[20];
	} answers[] = {
		{ "Illegal Command", 6, "illegal command" }, { "Illegal Data", 22, "illegal data" },
		{ "Illegal Subcommand", 6, "illegal subcommand" }, { "Locked", 16, "locked" },
		{ "GT ratio out of range", 75, "ratio out of range" },
		{ "Rejected", 13, "rejected" },
	};
	struct slice code = log->line;
	uint64_t number = 0, box;

	if (!text_has(rest, "mailbox access failed") || !text_after(code, ": -", &code))
		code.at = code.end;
	while (text_after(code, ": -", &code))
		;
	take_decimal(&code, &number);
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		if (!text_has(rest, answers[i].words) && answers[i].number != number)
			continue;
		log_say(event, "the power controller (PCODE) refused a command: %s",
			answers[i].answer);
		break;
	}
	if (text_hex(log->line, "mbox ", &box))
		log_add(event, " (mailbox 0x%llx)", LL(box));
	return true;
}

/*
 * render: timed out waiting for forcewake ack request.
 * render: MMIO unreliable (forcewake register returns 0xFFFFFFFF)!
 * GT0: Force wake domain 1 failed to ack wake (-ETIMEDOUT) reg[0xa188] = 0xffffffff
 */
bool hw_forcewake(struct log *log, struct slice rest, struct gsc_event *event)
{
	/* Bits of xe's masks. Origin: Linux xe_force_wake_types.h enum xe_force_wake_domain_id. */
	static const char domains[][8] = {
		"gt", "render", "media", "vdbox0", "vdbox1", "vdbox2", "vdbox3", "vdbox4",
		"vdbox5", "vdbox6", "vdbox7", "vebox0", "vebox1", "vebox2", "vebox3", "gsc",
	};
	const char *domain = text_has(log->line, "blitter: ") ? "blitter" : NULL;
	bool gone = !strcmp(log->words.type, "bus");
	char key[16 + sizeof(domains[0])];
	struct slice line;
	uint64_t number;

	for (size_t i = ARRAY_SIZE(domains); i--;) {
		string_set(key, "%.7s: ", domains[i]);
		domain = text_has(log->line, key) ? domains[i] : domain;
	}
	if (text_after(log->line, "wake domain ", &line)) {
		take_text(&line, "(");
		domain = take_decimal(&line, &number) && number < ARRAY_SIZE(domains) ?
			 domains[number] : NULL;
	}

	/* A line that names the function instead precedes one that names the device. */
	if (!*event->device && log_line_after(log, log->line_end, &line) &&
	    text_has(line, "CI tainted"))
		log_device(line, event);
	if (!gone)
		log_say(event, text_has(rest, "to clear") || slice_begins(rest, "sleep") ?
			"the GPU did not clear its acknowledgement in time" :
			"the GPU did not wake up in time");
	if (domain)
		log_add(event, " (forcewake domain %s)", domain);
	else if (!gone)
		log_add(event, " (forcewake)");
	if (gone)
		return true;
	log_add(event, ": its registers cannot be trusted");
	if (text_has(rest, "0xffffffff"))
		log_add(event, "; they read as all ones: it is off, or gone from the bus");
	return true;
}

/* "[Hardware Error]: TILE0 reported FATAL GT, bit[0] is set": what the hardware itself reports. */
bool hw_hardware(struct log *log, struct slice rest, struct gsc_event *event)
{
	(void)log;
	if (!*event->driver)
		return false;
	log_say(event, "the GPU's hardware reports an error: %.*s",
		SLICE(slice_first(slice_trim(rest), 200)));
	if (text_has_any(rest, "correctable|CORRECTABLE"))
		event->rank = GSC_EVENT_LESSER;
	return true;
}
