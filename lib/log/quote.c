/* SPDX-License-Identifier: MIT */
/*
 * What i915 and xe say and no rule knows is quoted, if it is an error. How they begin a line:
 *   i915 0000:00:02.0: [drm] *ERROR* GT0: message           since Linux 5.7
 *   xe 0000:03:00.0: [drm] *ERROR* Tile0: GT0: message
 *   i915 0000:00:02.0: message                               of the device, not of DRM
 *   [drm:intel_function [i915]] *ERROR* message              Linux 4.6 to 5.6
 *   [drm:intel_function] *ERROR* message                     earlier, or i915 built in
 * "*ERROR*" marks errors, but neither warnings nor errors of the device: for those the level in
 * front of the line counts, if the log has it, or else their words.
 */
#include "log/log.h"

#include "text/clean.h"
#include "text/front.h"

#include <ctype.h>

#define MARK "*ERROR*"
#define QUOTED_MOST 240			/* bytes of a message */
#define LEVEL_NOTICE 5			/* of syslog: from here on it is no trouble */

/* ---- whose line ----------------------------------------------------------------------------- */

const char *log_driver_of_function(struct slice function)
{
	if (text_begins_any(function, "xe_|pf_queue_|print_pagefault|handle_pagefault|g2h_"))
		return log_drivers[1];
	return text_begins_any(function,
		"i915_|__i915_|intel_|__intel_|gen|guc_|ct_|fw_domain|__gen|snb_|ivb_|hsw_|"
		"ironlake_|ilk_|ivybridge_|haswell_|valleyview_|vlv_|cherryview_|chv_|bdw_|skl_|"
		"bxt_|icl_|tgl_|cpt_|ibx_|g4x_|lspcon_|ring_|init_ring_|stop_ring|semaphore_|"
		"execlists_") ? log_drivers[0] : NULL;
}

/* "amdgpu 0000:03:00.0: [drm] " in front of the mark: whose line it is otherwise. */
static bool take_others(struct slice front, struct gsc_event *event)
{
	struct slice name = { front.at, slice_find(front, ": [drm") }, function;

	if (!name.end)
		return false;
	function = name;
	for (function.at = name.end; function.at > name.at && function.at[-1] != ' ';)
		function.at--;
	if (!text_function(function, event->device, sizeof(event->device)))
		return false;
	name.end = function.at;
	name = slice_trim(name);
	for (front.at = name.at, name.at = name.end; name.at > front.at &&
	     (is_word(name.at[-1]) || name.at[-1] == '-');)
		name.at--;
	string_set(event->driver, "%.*s", SLICE(slice_first(name, sizeof(event->driver) - 1)));
	return *event->driver;
}

/*
 * The driver of a line that names no device, by what precedes the mark: "[drm:function [module]]",
 * "[drm:function]", "[drm:0x...]" of kernels without names of functions. Those up to 4.5 name no
 * module: what is no function of DRM itself nor of another maker's driver is ours.
 */
static const char *driver_of(struct log *log, struct slice front)
{
	struct slice function, name;
	const char *driver = NULL;

	if (text_has(front, "[i915]"))
		return "i915";
	if (text_has(front, "[xe]"))
		return "xe";
	if (text_after(front, "[drm:", &function)) {
		name = take_until(&function, " ]");
		if (slice_begins(function, " ") || text_begins_any(name, "drm_|__drm_") ||
		    log_others_function(name))
			return NULL;
		driver = log_driver_of_function(name);
	} else if (text_has_any(log->line, "Tile0: |Tile1: ")) {
		driver = "xe";
	} else {
		/*
		 * "[drm]" with nothing but a time and a host in front of it: others name their
		 * device there; FreeBSD's name for that of any driver is "drmn0".
		 */
		if (!text_after(front, "[drm] ", &name))
			return NULL;
		front = slice_trim((struct slice){ front.at, name.at - strlen("[drm] ") });
		if (slice_ends(front, ":") && !slice_ends(front, "kernel:")) {
			for (front.end--; front.end > front.at && is_digit(front.end[-1]);)
				front.end--;
			if (!slice_ends(front, "drmn"))
				return NULL;
		}
	}
	return driver || log_others(log->line) || log_is_others(log) ? driver : log_driver(log);
}

/*
 * "mpv[1234]: " in front of a message: a program says it, not the kernel; unless it passes on what
 * the kernel said, with the kernel's time.
 */
static bool is_programs(struct slice front)
{
	struct slice rest = front;
	struct gsc_event event = { .line = 0 };
	uint64_t pid;
	const char *at;

	while ((at = slice_char(rest, '['))) {
		rest.at = at + 1;
		if (at == front.at || !is_word(at[-1]) || !take_decimal(&rest, &pid) ||
		    !take_text(&rest, "]:") || slice_ends((struct slice){ front.at, at }, "kernel"))
			continue;
		text_time(rest, &event);
		return !event.has_time;
	}
	return false;
}

/* ---- how serious ---------------------------------------------------------------------------- */

/* "<3>", "3,1234,20279445,-;", "kern  :err   : ": the level of syslog, or -1. */
static int level_of(struct slice line)
{
	static const char names[][8] = { "emerg", "alert", "crit", "err", "warn", "notice", "info",
					 "debug" };
	struct slice rest;
	uint64_t number;
	unsigned level;

	while (line.at < line.end && (*line.at == ' ' || *line.at == '>' || *line.at == '|'))
		line.at++;
	rest = line;
	if (take_text(&rest, "<"))
		return take_decimal(&rest, &number) && slice_begins(rest, ">") ?
		       (int)(number & 7) : -1;
	if (take_record(&rest, &level, &number))
		return (int)level;
	/* "kern  :err   : " of dmesg -x, "kern.err" of syslog. */
	if (take_text(&rest, "kern")) {
		take_blanks(&rest);
		if (!take_text(&rest, ":"))
			return -1;
	} else if (!text_after(slice_first(line, 64), "kern.", &rest)) {
		return -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (slice_begins(rest, names[i]))
			return (int)i;
	return -1;
}

/* Beginnings of words by which a message without a level is trouble. */
static bool sounds_bad(struct slice message)
{
	static const char words[][20] = {	/* sorted */
		"abort", "bad ", "can't", "cannot", "corrupt", "could not", "couldn't", "crash",
		"critical", "dead", "does not match", "empty response", "error", "fail", "fault",
		"hang", "hung", "illegal", "invalid", "lost", "mismatch", "missing",
		"no response", "not complete", "not initialized", "not possible", "not ready",
		"not respond", "overflow", "reduced memory", "refus", "stuck", "time out",
		"timed out", "timeout", "unable", "unexpected", "wedged",
	};
	char text[QUOTED_MOST];
	struct slice rest = { text, text };

	message = slice_first(message, sizeof(text));
	for (const char *at = message.at; at < message.end; at++)
		text[rest.end++ - text] = (char)(*at >= 'A' && *at <= 'Z' ? *at | 32 : *at);
	for (; rest.at < rest.end; rest.at++) {
		if (!is_letter(*rest.at) || (rest.at > text && is_word(rest.at[-1])))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(words) && *words[i] <= *rest.at; i++)
			if (slice_begins(rest, words[i]))
				return true;
	}
	return false;
}

/* ---- the quote ------------------------------------------------------------------------------ */

struct slice log_message(struct slice line)
{
	static const char fronts[][12] = { MARK " ", "[drm] ", "]] " };
	struct slice rest;

	for (size_t i = 0; i < ARRAY_SIZE(fronts); i++)
		if (text_after(line, fronts[i], &rest))
			return slice_trim(rest);
	for (const char *at = line.at; line.end - at > 3; at++)
		if (at[0] == '.' && is_digit(at[1]) && at[2] == ':')
			return slice_trim((struct slice){ at + 3, line.end });
	if (text_after(slice_first(line, 80), "kernel: ", &rest))
		line.at = rest.at;
	line = slice_trim(line);
	if (slice_begins(line, "<") && text_after(slice_first(line, 4), ">", &rest))
		line.at = rest.at;
	if (slice_begins(line, "[") && text_after(slice_first(line, 40), "] ", &rest))
		line.at = rest.at;
	return slice_trim(line);
}

static void quote(struct log *log, struct slice message, struct gsc_event *event)
{
	char *text = event->fault.text;
	bool odd = false;

	/* Without a full stop, and the end of what somebody marked as code: pairs stay. */
	for (const char *at = message.at; at < message.end; at++)
		odd ^= *at == '`';
	if (odd)
		message.end = memrchr(message.at, '`', slice_length(message));
	while (message.at < message.end && strchr(".!,; \r", message.end[-1]))
		message.end--;
	text_time((struct slice){ log->line.at, message.at }, event);
	if (event->rank == GSC_EVENT_ASIDE) {
		log_say(event, "%s, the driver of another device, reports: ", event->driver);
	} else {
		text_engine(message, event->fault.engine, sizeof(event->fault.engine));
		log_say(event, "the driver reports: ");
	}
	log_add(event, "\"%.*s%s\"", (int)MIN(slice_length(message), QUOTED_MOST), message.at,
		slice_length(message) > QUOTED_MOST ? "..." : "");
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
	log->quote = *event;
	log->has_quote = true;
}

/* "*ERROR* \tsize: 1024": drivers print tables and engines in lines that are no errors. */
static bool continues(struct slice line)
{
	struct slice rest;

	if (!text_after(line, MARK, &rest))
		return false;
	take_text(&rest, " ");
	return rest.at == rest.end || *rest.at == ' ' || slice_is(rest, "expected:") ||
	       slice_is(rest, "found:");
}

/*
 * Whether a line without a known message is trouble: by the mark, the level, or its words. What the
 * PCI core says of any device, with the name of its driver, is not; nor what a program says, or the
 * head of a table.
 */
static bool is_trouble(const struct log *log, struct slice message, bool marked)
{
	static const char pci[] = "BAR |VF BAR |ROM [|vgaarb: |bogus alignment|can't claim |"
				  "can't assign |enabling device|bridge window";
	struct slice line = log->line, next;
	int level = level_of(line);

	/* Without the mark, a message with its function is for debugging. */
	if (!marked && (level >= LEVEL_NOTICE ||
			(level < 0 && (text_has(line, "[drm:") || !sounds_bad(message)))))
		return false;
	return !continues(line) && !is_programs((struct slice){ line.at, message.at }) &&
	       (text_has(line, "[drm") || !text_begins_any(message, pci)) &&
	       !(log_line_after(log, log->line_end, &next) && continues(next) &&
		 !sounds_bad(message));
}

/* It is an event only if no rule knows other words of the line. */
bool quote_line(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line = log->line, after, front, message;
	const char *driver = NULL;
	bool marked;

	(void)rest;
	if (log->has_quote || log->harmless == log->number)
		return false;
	marked = text_after(line, MARK, &after);
	log_device(line, event);
	front = (struct slice){ line.at, marked ? after.at - strlen(MARK) : line.at };
	if (!*event->driver && marked && take_others(front, event)) {
		event->rank = GSC_EVENT_ASIDE;
		event->fault.type = LOG_OTHER;
	} else if (!*event->driver && marked) {
		driver = driver_of(log, front);
	} else if (!*event->driver && text_has(line, "gvt: ")) {
		driver = "i915";
	}
	if (driver)
		string_set(event->driver, "%s", driver);
	message = log_message(line);
	if (*event->driver && is_trouble(log, message, marked))
		quote(log, message, event);
	return false;
}

/* A definition's message is told like a quote: only if no other one knows words of the line. */
bool log_harmless(struct log *log, struct slice rest, struct gsc_event *event)
{
	(void)rest;
	log->has_quote = false;
	log->harmless = log->number;
	if (!log->only_harmless || log->words.rank != GSC_EVENT_HARMLESS ||
	    !log_take_words(log, event))
		return false;
	text_time(log->prefix, event);
	log->quote = *event;
	log->has_quote = true;
	return false;
}

/* ---- signatures ----------------------------------------------------------------------------- */

#define SLUG_WORDS 5

void log_slug(const char *text, char *buf, size_t size)
{
	struct slice rest = slice_string(text), word;
	unsigned count = 0;
	bool stays;

	*buf = 0;
	while (rest.at < rest.end && count < SLUG_WORDS) {
		word = take_until(&rest, " \t/:=,()[]<>\"'");
		rest.at += rest.at < rest.end;
		while (word.at < word.end && !is_alphanumeric(word.end[-1]))
			word.end--;
		/* Numbers, names with numbers and codes of errors differ each time. */
		stays = word.at < word.end && *word.at != '-';
		for (const char *at = word.at; at < word.end; at++)
			stays &= !is_digit(*at);
		if (stays)
			string_addf(buf, size, "%s%.*s", count++ ? "-" : "",
				    SLICE(slice_first(word, 20)));
	}
	for (; *buf; buf++)
		*buf = is_alphanumeric(*buf) ? (char)tolower((unsigned char)*buf) : '-';
}
