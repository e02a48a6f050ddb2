/* SPDX-License-Identifier: MIT */
/* Sections that are the lines of other commands: gpu-fault, gpu-regdump, gpu-ptwalk, gpu-snap. */
#include "report.h"
#include "gtt/windows.h"
#include "hang/log-summary.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LOGS_MAX 4u
#define EVENTS_MAX 100u
#define LOG_BYTES (48u << 10)
#define PROPERTIES_MAX 300u
/* Each property is looked up from the first on. */
#define PROPERTIES_SEEN 2000u
/* Of the whole page; the registers are its longest section. */
#define REGISTER_BYTES (4u << 20)

/* What a source tells about the hang: the dump, engines, faults, errors, fences, doubts. */
const char *section_hang(struct report *r)
{
	gsc_text_hang(r->out, r->hang, GSC_TEXT_VERBOSE);
	return NULL;
}

/* ---- the kernel's log ----------------------------------------------------------------------- */

/* Its end: what came last is what matters. */
static void put_lines(struct report *r, const char *text, size_t size)
{
	size_t from = size > LOG_BYTES ? size - LOG_BYTES : 0;
	char *copy;

	while (from && from < size && text[from - 1] != '\n')
		from++;
	copy = malloc(size - from + 1);
	r->no_memory |= !copy;
	if (!copy)
		return;
	memcpy(copy, text + from, size - from);
	copy[size - from] = 0;
	for (size_t i = 0; i < size - from; i++)
		copy[i] = copy[i] ? copy[i] : '?';
	html_put(r->out, "<details><summary>%s</summary><pre>", from ? "Last lines" : "All lines");
	html_format(r->out, "%s", copy);
	html_put(r->out, "</pre></details>\n");
	free(copy);
}

static enum gsc_status put_events(struct report *r, const struct gsc_member *member,
				  struct gsc_log_summary *summary, bool show, struct gsc_error *err)
{
	struct gsc_event event;
	struct gsc_log *log;
	size_t count = 0;
	enum gsc_status status = gsc_log_new(&log, report_common(r)->db, r->view, member->data,
					     member->held, err);

	if (!status && show)
		gsc_text_log_summary(r->out, summary, 0);
	else if (!status)
		gsc_log_summary_read(summary, log);
	for (; !status && show && gsc_log_next(log, &event); count++)
		if (count < EVENTS_MAX)
			gsc_text_event(r->out, &event, summary, 0);
	gsc_log_free(log);
	if (show && count > EVENTS_MAX)
		put_none(r, "%zu more events are left out.", count - EVENTS_MAX);
	return status;
}

/* The logs among the members of a capture, each with its summary, its events and its end. */
const char *section_log(struct report *r)
{
	const struct gsc_source *sources[] = { r->source, report_common(r)->source };
	const struct gsc_hang_options options = { 0 };
	size_t shown = 0;

	for (size_t s = 0; s < (r->kept ? 2 : 1); s++)
		for (size_t part = 0; part < gsc_source_count(sources[s]); part++) {
			struct gsc_member member = { .next = 0 };

			while (shown < LOGS_MAX && gsc_capture_member(sources[s], part, &member)) {
				const char *slash = strrchr(member.name, '/');
				const char *name = slash ? slash + 1 : member.name;
				struct gsc_log_summary *summary = NULL;
				struct gsc_error err = { 0 };
				enum gsc_status status;

				if (!member.held || !strncmp(name, "guc", 3) ||
				    strstr(name, ".bin") ||
				    (!strstr(name, "dmesg") && !strstr(name, "kmsg") &&
				     !strstr(name, "log")))
					continue;
				if (!shown++)
					out_part(r->out, 2, "log");
				r->out->html->level = 3;
				out_parts_end(r->out, 3);
				html_put(r->out, "<h3>");
				html_format(r->out, "%s", member.name);
				html_put(r->out, "</h3>\n");
				status = gsc_log_summary_new(&summary, report_common(r)->db,
							     r->source, r->gpu, &options, &err);
				for (int show = 0; !status && show < 2; show++)
					status = put_events(r, &member, summary, show, &err);
				part_had(r, status, &err);
				gsc_log_summary_free(summary);
				put_lines(r, member.data, member.held);
			}
		}
	return shown ? NULL : "not in this dump";
}

/* ---- windows -------------------------------------------------------------------------------- */

const char *section_windows(struct report *r)
{
	struct gsc_window *windows = NULL;
	struct gsc_error err = { 0 };
	size_t count = 0;

	if (has_afterwards(r))
		go_afterwards(r);
	part_had(r, gsc_windows(r->gpu, &windows, &count, &err), &err);
	if (count) {
		out_part(r->out, 2, "windows");
		gsc_text_windows(r->out, windows, count);
	}
	free(windows);
	if (has_afterwards(r))
		go_back(r);
	return count ? NULL : "not in this dump";
}

/* ---- registers ------------------------------------------------------------------------------ */

/* False: none has a value, or is known to be asleep. */
static bool put_registers(struct report *r, bool differences)
{
	struct gsc_rows_options options = { .unsafe = report_common(r)->unsafe };
	struct gsc_selection *selection = NULL;
	struct gsc_tally tally = { 0 };
	struct gsc_diff *diff = NULL;
	struct gsc_rows *rows = NULL;
	struct gsc_error err = { 0 };
	struct gsc_difference d;
	enum gsc_status status;
	bool any = false;

	status = gsc_select(&selection, r->gpu, GSC_SELECT_LISTED, NULL, 0, &err);
	if (!status)
		status = gsc_rows_read(&rows, selection, r->gpu, &options, &err);
	if (!status && differences)
		status = gsc_diff_new(&diff, NULL, rows, &err);
	if (!part_had(r, status, &err)) {
		put_none(r, "The registers could not be read: %s.", err.why);
		any = !differences;
	} else if (differences) {
		for (size_t i = 0; i < gsc_diff_count(diff); i++) {
			gsc_diff_at(diff, i, &d);
			if (d.a.status || d.b.status || d.b.reg.flags & GSC_REG_VOLATILE)
				continue;
			if (!any)
				out_part(r->out, 2, "differences");
			if (!any)
				html_put(r->out, "<p>From the documented reset value; counters "
					 "are left out.</p>\n");
			any = true;
			gsc_text_difference(r->out, r->view, &d, 0);
		}
	} else {
		gsc_rows_tally(rows, &tally);
		any = tally.count[GSC_READ_OK] || tally.count[GSC_READ_ASLEEP];
		html_put(r->out, "<p>%zu register%s a value", tally.count[GSC_READ_OK],
			 tally.count[GSC_READ_OK] == 1 ? " has" : "s have");
		if (tally.count[GSC_READ_ASLEEP])
			html_put(r->out, "; %zu were asleep when the dump was made, which does "
				 "not mean zero", tally.count[GSC_READ_ASLEEP]);
		if (tally.count[GSC_READ_ABSENT])
			html_put(r->out, "; %zu more of this platform are not in this dump",
				 tally.count[GSC_READ_ABSENT]);
		html_put(r->out, ".</p>\n");
		gsc_text_rows(r->out, rows, GSC_TEXT_GROUPS);
	}
	out_parts_end(r->out, 3);
	gsc_diff_free(diff);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	return any;
}

const char *section_registers(struct report *r)
{
	const struct out_html *html = r->out->html;
	char hint[HINT_SIZE];
	bool any;

	out_part(r->out, 2, "registers");
	r->out->html->folds = true;
	r->out->html->most = r->before < REGISTER_BYTES ? REGISTER_BYTES - r->before : 0;
	any = put_registers(r, false);
	if (has_afterwards(r)) {
		go_afterwards(r);
		html_put(r->out, "<p class=\"note\">The registers above are those of the dump; the "
			 "following were read afterwards.</p>\n");
		any |= put_registers(r, false);
		go_back(r);
	}
	hint_command(report_common(r), "regdump", hint, sizeof(hint));
	if (html->left_out)
		put_none(r, "%zu registers are left out, so that this page does not become too "
			 "long; to see all: %s", html->left_out, hint);
	if (html->left_inside)
		put_none(r, "The fields of the last registers are left out, so that this page "
			 "does not become too long; to see all: %s", hint);
	return any ? NULL : "this dump has no value of a register";
}

/* Those that differ from the documented reset value, as gpu-regdump --diff reset shows them. */
const char *section_differences(struct report *r)
{
	bool any;

	r->out->html->most = 256u << 10;
	any = put_registers(r, true);
	if (r->out->html->left_out)
		put_none(r, "%zu more are left out.", r->out->html->left_out);
	return any ? NULL : "no register has another value than after a reset";
}

/* ---- the machine and its source ------------------------------------------------------------- */

#define TEXT_COLUMN 22

static void put_fact(struct report *r, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void put_fact(struct report *r, const char *name, const char *format, ...)
{
	char text[600];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	gsc_out_clean(r->out, name);
	gsc_out_pad(r->out, TEXT_COLUMN);
	gsc_out_clean(r->out, text);
	gsc_out_end(r->out);
}

static void put_machine(struct report *r)
{
	struct common *common = report_common(r);
	const struct gsc_platform *p = platform_of(common);
	struct gsc_platform other;
	const char *what = NULL;

	put_fact(r, "platform", "%s, %s", p->name, p->title);
	if (common->device >= 0 &&
	    !gsc_platform_by_id(common->db, (uint16_t)common->device, &other, &what))
		what = NULL;
	if (common->device >= 0)
		put_fact(r, "device", "8086:%04x %s", (unsigned)common->device, what ? what : "");
	else
		put_fact(r, "device", "not in this dump");
	if (common->revision >= 0)
		put_fact(r, "revision", "0x%02x", (unsigned)common->revision);
	put_fact(r, "graphics version", "%u.%02u", p->graphics / 100, p->graphics % 100);
	if (r->kept)
		put_fact(r, "dump", "%s (%s)", source_name(r->kept->path), r->kept->kind);
	for (size_t i = 0; i < gsc_source_count(common->source); i++)
		put_fact(r, i ? "and" : "source", "%s (%s)",
			 source_name(gsc_source_name(common->source, i)),
			 gsc_source_kind(common->source, i));
}

const char *section_source(struct report *r)
{
	struct gsc_property property;
	const struct driver_facts *facts = &r->hang->facts;
	size_t shown = 0, i = 0, length;
	char hint[HINT_SIZE];
	const char *note;

	out_part(r->out, 2, "sources");
	put_machine(r);
	/* What everybody asks first, if the driver has not said it. */
	while (i < facts->about.count && strcasecmp(facts->about.items[i].a.name, "kernel"))
		i++;
	if (i == facts->about.count)
		put_fact(r, "kernel", "not in this dump");
	for (i = 0; (note = gsc_source_note(r->source, i)) && i < 20; i++) {
		const char *name = "";

		/* "FILE: what is wrong", without the folders of the file. */
		for (size_t k = 0; k < gsc_source_count(r->source) && !*name; k++) {
			name = gsc_source_name(r->source, k);
			length = strlen(name);
			if (strncmp(note, name, length) || note[length] != ':')
				name = "";
		}
		put_fact(r, "damage", "%s%s", source_name(name), note + strlen(name));
	}
	r->out->html->folds = true;
	for (size_t part = 0; part < gsc_source_count(r->source); part++)
		for (i = 0; i < PROPERTIES_SEEN &&
		     gsc_source_property(r->source, part, i, &property); i++) {
			if (!shown)
				out_part(r->out, 3, "Properties");
			if (shown++ < PROPERTIES_MAX)
				put_fact(r, property.key, "%s", property.value);
		}
	if (shown > PROPERTIES_MAX)
		put_none(r, "The rest is left out; to see it: %s -v info",
			 hint_command(report_common(r), "snap", hint, sizeof(hint)));
	return NULL;
}
