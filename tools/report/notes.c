/* SPDX-License-Identifier: MIT */
/* Errors, doubts, and what the kernel's log says, if the source has one. */
#include "report.h"
#include "hang/hang.h"

#include <string.h>

#define ERRORS_MAX 200u
#define DOUBTS_MAX 100u
#define EVENTS_MAX 100u
#define LOG_BYTES (48u << 10)
#define LOGS_MAX 4u

/* ---- errors --------------------------------------------------------------------------------- */

static void error_row(struct html *h, const struct gsc_trouble *error)
{
	char name[160];

	gsc_reg_full_name(&error->reg, name, sizeof(name));
	html_open(h, "tr", NULL);
	html_element(h, "th", "scope=\"row\"", "%s", error->name);
	html_element(h, "td", NULL, "%s", name);
	html_element(h, "td", NULL, "0x%0*llx", (int)error->reg.bits / 4, LL(error->value));
	if (error->hi == error->lo)
		html_element(h, "td", NULL, "%u", error->lo);
	else
		html_element(h, "td", NULL, "%u:%u", error->hi, error->lo);
	html_element(h, "td", "class=\"t\"", "%s", error->text);
	html_close(h);
}

void section_errors(struct report *r)
{
	struct html *h = &r->html;
	struct gsc_trouble error;
	size_t i;

	if (!gsc_hang_error(r->hang, 0, &error)) {
		section_nothing(r, gsc_hang_tells_errors(r->hang) ?
				"none recorded in the registers of this dump" :
				"no register that records them is in this dump");
		return;
	}
	html_table(h, "Errors on record", "error|register|value|bits|what it means");
	for (i = 0; gsc_hang_error(r->hang, i, &error); i++)
		if (i < ERRORS_MAX)
			error_row(h, &error);
	html_table_end(h);
	if (i > ERRORS_MAX)
		html_none(h, "%zu more are left out.", i - ERRORS_MAX);
}

/* ---- doubts --------------------------------------------------------------------------------- */

struct doubting {
	struct html *html;
	size_t count;
};

static bool take_doubt(void *context, const struct gsc_breach *breach)
{
	struct doubting *d = context;

	if (breach->unchecked)
		return true;
	if (!d->count)
		html_table(d->html, "Broken rules and doubtful state",
			   "rule|where|what");
	if (d->count++ >= DOUBTS_MAX)
		return true;
	html_open(d->html, "tr", NULL);
	html_element(d->html, "th", "scope=\"row\"", "%s", breach->rule);
	html_element(d->html, "td", NULL, "%s", breach->where);
	html_element(d->html, "td", "class=\"t\"", "%s", breach->text);
	html_close(d->html);
	return true;
}

void section_doubts(struct report *r)
{
	struct doubting d = { .html = &r->html };
	struct gsc_error err = { 0 };
	enum gsc_status status;

	status = gsc_hang_check(r->hang, take_doubt, &d, &err);
	part_had(r, status, &err);
	if (d.count)
		html_table_end(d.html);
	if (d.count > DOUBTS_MAX)
		html_none(d.html, "%zu more are left out.", d.count - DOUBTS_MAX);
	if (status == GSC_FAILED)
		html_none(d.html, "Not all rules could be checked: %s.", err.why);
	else if (!d.count)
		section_nothing(r, "none found");
}

/* ---- the kernel's log ----------------------------------------------------------------------- */

static bool is_log(const struct gsc_member *member)
{
	const char *slash = strrchr(member->name, '/'), *name = slash ? slash + 1 : member->name;

	if (!strncmp(name, "guc", 3) || strstr(name, ".bin"))
		return false;
	return strstr(name, "dmesg") || strstr(name, "kmsg") || strstr(name, "log");
}

static void put_event(struct html *h, const struct gsc_event *event)
{
	html_open(h, "tr", NULL);
	html_element(h, "th", "scope=\"row\"", "%zu", event->line);
	html_element(h, "td", NULL, "%s", event->stamp);
	html_element(h, "td", NULL, "%s", gsc_event_word(event->kind));
	html_element(h, "td", NULL, "%s", event->fault.engine);
	html_open(h, "td", "class=\"t\"");
	if (event->fault.has_address)
		html_format(h, "%s%s0x%llx ", event->fault.space ? event->fault.space : "",
			    event->fault.space ? ":" : "", LL(event->fault.address));
	html_text(h, event->fault.text);
	if (!*event->fault.text && event->log)
		html_bytes(h, event->log, event->log_length);
	if (event->repeats)
		html_format(h, " (repeated %u times)", event->repeats);
	html_close(h);
	html_close(h);
}

/* Its end: what came last is what matters. */
static void put_lines(struct html *h, const char *text, size_t size)
{
	size_t from = size > LOG_BYTES ? size - LOG_BYTES : 0;

	while (from && from < size && text[from - 1] != '\n')
		from++;
	html_put(h, "<details><summary>");
	html_text(h, from ? "Last lines" : "All lines");
	html_put(h, "</summary><pre tabindex=\"0\" role=\"group\" aria-label=\"Log\">");
	html_bytes(h, text + from, size - from);
	html_put(h, "</pre></details>\n");
}

static void put_log(struct report *r, const struct gsc_member *member)
{
	struct gsc_event event;
	struct gsc_log *log;
	struct gsc_error err = { 0 };
	size_t count = 0;

	html_element(&r->html, "h3", NULL, "%s", member->name);
	if (part_had(r, gsc_log_new(&log, report_common(r)->db, r->view, member->data,
				    member->held, &err), &err))
		for (; gsc_log_next(log, &event); count++) {
			if (!count)
				html_table(&r->html, "Events",
					   "line|time|what|engine|text");
			if (count < EVENTS_MAX)
				put_event(&r->html, &event);
		}
	gsc_log_free(log);
	if (count)
		html_table_end(&r->html);
	else
		html_none(&r->html, "No fault, hang or reset of an Intel GPU in this log.");
	if (count > EVENTS_MAX)
		html_none(&r->html, "%zu more events are left out.", count - EVENTS_MAX);
	put_lines(&r->html, member->data, member->held);
}

/* How many there are, at most as many more as the page has room for. */
static size_t put_logs(struct report *r, const struct gsc_source *source, size_t room)
{
	struct gsc_member member;
	size_t shown = 0;

	for (size_t part = 0; part < gsc_source_count(source); part++) {
		member = (struct gsc_member){ .next = 0 };
		while (shown < room && gsc_capture_member(source, part, &member)) {
			if (!member.held || !is_log(&member))
				continue;
			put_log(r, &member);
			shown++;
		}
	}
	return shown;
}

void section_log(struct report *r)
{
	size_t shown;

	shown = put_logs(r, r->source, LOGS_MAX);
	if (r->kept)
		shown += put_logs(r, report_common(r)->source, LOGS_MAX - shown);
	if (!shown)
		section_nothing(r, "not in this dump");
}
