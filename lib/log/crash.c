/* SPDX-License-Identifier: MIT */
/*
 * What the kernel says about the drivers' code: checks that failed, crashes, processors and
 * processes that are stuck in it. The function is in the same line or in those after it:
 *   WARNING: CPU: 3 PID: 99 at drivers/gpu/drm/i915/i915_vma.c:123 i915_vma_pin+0x10/0x20 [i915]
 *   WARNING: drivers/gpu/drm/xe/xe_vm.c:12 at xe_vm_close+0x10/0x20 [xe], CPU#3: game/99
 *   BUG: kernel NULL pointer dereference, address: 0000000000000020
 *   RIP: 0010:i915_request_retire+0x52/0x3b0 [i915]
 * Origin: Linux kernel/panic.c, lib/bug.c, kernel/watchdog.c, kernel/hung_task.c, and
 * arch/x86/mm/fault.c, kernel/dumpstack.c.
 */
#include "log/log.h"

#define TRACE_MOST 120			/* lines of one report */
#define PATH "drivers/gpu/drm/"

/* ---- whose code ----------------------------------------------------------------------------- */

struct code {
	const char *driver;
	char function[64];
	bool direct;			/* it stopped there, and not in what that called */
};

/* The driver whose name stands in a text between two others, "[i915]"; and where, if asked. */
static const char *driver_in(struct slice text, const char *before, const char *after,
			     const char **at)
{
	char words[24];

	for (size_t i = LOG_DRIVERS; i--;) {
		const char *found;

		string_set(words, "%s%s%s", before, log_drivers[i], after);
		found = slice_find(text, words);
		if (at)
			*at = found;
		if (found)
			return log_drivers[i];
	}
	return NULL;
}

/*
 * "i915_vma_pin+0x10/0x20 [i915]", "? intel_foo+0x1/0x2 [i915]": what may be a leftover is not; a
 * driver that is built in has no module. `work`: "Workqueue: i915 __i915_gem_free_work [i915]",
 * whose work it was, wherever it stopped.
 */
static bool code_at(struct slice line, bool work, struct code *code)
{
	const char *driver, *at;
	struct slice name;

	if (work) {
		if (!text_after(line, "Workqueue: ", &line))
			return false;
		driver = driver_in(line, " [", "]", &at);
	} else {
		at = slice_find(line, "+0x");
		if (!at || slice_find(line, " ? "))
			return false;
		driver = driver_in((struct slice){ at, line.end }, "[", "]", NULL);
	}
	for (name.at = name.end = at; at && name.at > line.at &&
	     (is_word(name.at[-1]) || (!work && name.at[-1] == '.'));)
		name.at--;
	for (size_t i = 0; i < LOG_DRIVERS && !driver && !work; i++)
		if (slice_begins(name, log_drivers[i]) && name.at[strlen(log_drivers[i])] == '_')
			driver = log_drivers[i];
	if (!driver)
		return false;
	code->driver = driver;
	string_set(code->function, "%.*s", SLICE(slice_first(name, 60)));
	return true;
}

/* "CPU: 1 PID: 93 Comm: game Not tainted ...", "CPU: 1 UID: 0 PID: 93 Comm: a game Tainted: G" */
static void take_task(struct slice line, struct gsc_event *event)
{
	static const char ends[][16] = { " Kdump: ", " Not tainted", " Tainted:" };
	struct slice number, name;
	uint64_t pid;

	if (*event->process || !text_after(line, "CPU: ", &number) ||
	    !text_after(number, " PID: ", &number) || !text_after(number, " Comm: ", &name) ||
	    !take_decimal(&number, &pid) || pid > INT32_MAX)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		name.end = slice_find(name, ends[i]) ?: name.end;
	string_set(event->process, "%.*s [%u]", SLICE(slice_first(name, 40)), (unsigned)pid);
}

static void add_task(struct gsc_event *event)
{
	if (*event->process)
		log_add(event, "; process %s", event->process);
}

/* Long lists of modules are no reason to stop. */
static bool next_line(const struct log *log, struct slice *line)
{
	const char *end = line->end;

	return log_line_after(log, end, line) || line->end > end;
}

/* In the report that begins at the line of the scan; *end: the line that has it. */
static bool find_code(struct log *log, struct code *code, const char **end, struct gsc_event *event)
{
	struct slice line = { log->line_start, log->line_end };

	*code = (struct code){ .driver = NULL };
	/* A report without code has more such lines: they are not searched again. */
	if (line.at < log->no_code)
		return false;
	for (unsigned i = 0; i < TRACE_MOST && next_line(log, &line); i++) {
		if (text_has_any(line, "---[ end trace|[ cut here ]|Kernel panic"))
			break;
		take_task(line, event);
		if (!code->driver && code_at(line, true, code))
			*end = line.end;
		if (!code_at(line, false, code))
			continue;
		code->direct = text_has_any(line, "RIP: |EIP: |IP: [<|pc : ");
		*end = line.end;
		return true;
	}
	log->no_code = code->driver ? log->no_code : line.at;
	return code->driver;
}

/* The kernel's own words, from those of the rule. */
static struct slice words_of(const struct log *log)
{
	return slice_first(slice_trim((struct slice){ log->prefix.end, log->line.end }), 160);
}

/* ---- checks --------------------------------------------------------------------------------- */

/* Before the report since Linux 4.20, after its first line earlier. */
static bool take_message(struct log *log, struct gsc_event *event, struct slice *message)
{
	const struct gsc_event *last = log_last(log);
	struct slice line, other;

	if (!log_line_before(log, log->line_start, &line))
		return false;
	if (!slice_find(line, "[ cut here ]")) {
		/* People leave out the line in front of what a check prints, which is no error. */
		if (!slice_find(line, "WARN_ON(") &&
		    !(last && last->log == line.at && !slice_find(line, "*ERROR*")) &&
		    (!log_line_before(log, line.at, &other) || !slice_find(other, "[ cut here ]")))
			return false;
		log_begin_at(line, event);
		log_device(line, event);
	} else if (!log_line_after(log, log->line_end, &line) ||
		   slice_find(line, "Modules linked in") || slice_find(line, "CPU: ")) {
		return false;
	}
	*message = slice_first(log_message(line), 160);
	return message->at < message->end;
}

bool crash_warn(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice path, file, message, line = { log->line_start, log->line_end };
	struct gsc_event *last = log_last(log);
	struct code code = { .driver = NULL };
	const char *end;
	bool own;

	if (!text_after(rest, PATH, &path))
		return false;
	own = code_at(path, false, &code) || slice_begins(path, "i915/") ||
	      slice_begins(path, "xe/");
	if (own && !code.driver)
		code.driver = slice_begins(path, "xe/") ? "xe" : "i915";
	if (!own && !find_code(log, &code, &end, event))
		return false;
	file = take_until(&path, " \t,");
	string_set(event->driver, "%s", code.driver);
	log_say(event, "a check in %s %s", own ? "the code of" : "code called by", code.driver);
	if (*code.function)
		log_add(event, ", %s(),", code.function);
	log_add(event, " failed at %.*s", SLICE(slice_first(file, 80)));
	for (unsigned i = 0; i < FOLLOWS && next_line(log, &line); i++)
		take_task(line, event);
	if (take_message(log, event, &message)) {
		/* What the message means says more than where the check is. */
		if (last && last->line == event->line) {
			add_task(event);
			log_add(last, "; %s", event->fault.text);
			string_set(last->process, "%s", event->process);
			last->lines = event->lines;
			return log_harmless(log, rest, event);
		}
		log_add(event, ": \"%.*s\"", SLICE(message));
	}
	add_task(event);
	return true;
}

/* ---- crashes -------------------------------------------------------------------------------- */

/* "TEXT the driver i915, FUNCTION(): WORDS" */
bool crash_code(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice words = words_of(log);
	struct code code;
	const char *end;

	(void)rest;
	if (!find_code(log, &code, &end, event))
		return false;
	event->lines = 1;
	for (const char *at = log->line_end; at < end; at++)
		event->lines += *at == '\n';
	log->next = end;
	string_set(event->driver, "%s", code.driver);
	log_say(event, "%s %s %s, %s(): %.*s", log->words.text,
		code.direct || log->words.rank ? "the driver" : "code called by the driver",
		code.driver, code.function, SLICE(words));
	add_task(event);
	return true;
}

/* "BUG: ..." and "Oops: ..." begin one report; without a function it may be of anybody. */
bool crash_oops(struct log *log, struct slice rest, struct gsc_event *event)
{
	if (crash_code(log, rest, event))
		return true;
	if (event->line < log->crashed + FOLLOWS * 2 && log->crashed)
		return false;
	log->crashed = event->line;
	event->rank = GSC_EVENT_ASIDE;
	log_say(event, "the kernel crashed (its report has no function of i915 or xe): %.*s",
		SLICE(words_of(log)));
	add_task(event);
	return true;
}

/* "INFO: task Xorg:1234 blocked for more than 120 seconds." */
bool crash_blocked(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice name, number;
	uint64_t pid;

	log->prefix.end = slice_find(log->line, "task ") ?: log->prefix.end;
	if (!crash_code(log, rest, event))
		return false;
	name = words_of(log);
	if (!take_text(&name, "task "))
		return true;
	name = take_until(&name, " ");
	for (number = name; number.at < number.end; number.at++)
		if (*number.at == ':' && slice_number(slice_from(number, 1), &pid) &&
		    pid <= INT32_MAX)
			string_set(event->process, "%.*s [%u]",
				 (int)MIN(number.at - name.at, 40), name.at, (unsigned)pid);
	return true;
}

/* Whatever the reason was: no driver works any more. FreeBSD gives details. */
bool crash_panic(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const struct {
		char key[24], say[12];
	} more[] = {
		{ "fault virtual address", ", at" }, { "fault code", "," },
		{ "current process", ", process" }, { "Stopped at", ", in" },
	};
	struct slice why = words_of(log), line = { log->line_start, log->line_end };

	(void)rest;
	take_text(&why, "Kernel panic - ");
	take_text(&why, "not syncing: ");
	log_say(event, "the kernel panicked: %.*s", SLICE(why));
	for (unsigned i = 0; i < BLOCK_MOST && log_line_after(log, line.end, &line) &&
			     !slice_find(line, log->words.words); i++)
		for (size_t j = 0; j < ARRAY_SIZE(more); j++)
			if (text_after(line, more[j].key, &why)) {
				take_blanks(&why);
				take_text(&why, "= ");
				log_add(event, "%s %.*s", more[j].say,
					SLICE(slice_first(slice_trim(why), 60)));
			}
	return true;
}
