/* SPDX-License-Identifier: MIT */
/*
 * A log and a dump of the same hang: both drivers record how long after the boot a dump was taken
 * (i915's Boottime, xe's Uptime), and the kernel begins its messages with that time, except for the
 * time that the machine slept. If the times do not match, the code of the hang may.
 */
#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART_MOST 5.0			/* seconds: the message comes when the dump is complete */

/* "276 s 592007 us", "133.873992566" */
static double parse_seconds(const char *text)
{
	unsigned long long seconds;
	unsigned part;
	char *end;
	double value;

	if (sscanf(text, "%19llu s %6u us", &seconds, &part) == 2)
		return (double)seconds + part / 1e6;
	value = strtod(text, &end);
	return end == text || *end ? -1 : value;
}

bool match_begin(struct log_match *m, const struct gsc_source *source)
{
	struct gsc_property p;

	*m = (struct log_match){ .boot = -1, .apart = APART_MOST };
	for (size_t part = 0; part < gsc_source_count(source); part++) {
		enum gsc_source_form form = gsc_source_form(source, part);

		if (form != GSC_SOURCE_ERROR_STATE && form != GSC_SOURCE_DEVCOREDUMP)
			continue;
		for (size_t i = 0; gsc_source_property(source, part, i, &p); i++) {
			const char *in = strstr(p.value, ", in ");

			if (m->boot < 0 && !strcmp(p.key, form == GSC_SOURCE_DEVCOREDUMP
							  ? "Uptime" : "Boottime"))
				m->boot = parse_seconds(p.value);
			if (strcmp(p.key, "GPU HANG"))
				continue;
			if (!*m->code && !strncmp(p.value, "ecode ", 6))
				snprintf(m->code, sizeof(m->code), "%.*s",
					 (int)strcspn(p.value, ","), p.value);
			if (!*m->process && in)
				snprintf(m->process, sizeof(m->process), "%s", in + 5);
		}
	}
	return m->boot >= 0 || *m->code;
}

static void take(struct log_match *m, const struct gsc_event *event)
{
	m->line = event->line;
	snprintf(m->stamp, sizeof(m->stamp), "%s", event->stamp);
}

void match_event(struct log_match *m, const struct gsc_event *event)
{
	double apart = event->has_time ? event->time - m->boot : APART_MOST;
	/* Two processes can hang the GPU in the same way: both names match, if there are any. */
	bool coded = *m->code && event->log &&
		     memmem(event->log, event->log_length, m->code, strlen(m->code)) &&
		     (!*m->process || !*event->process ||
		      !strncmp(m->process, event->process, strlen(event->process)));

	if (event->kind != GSC_EVENT_HANG)
		return;
	m->hangs += 1 + (size_t)event->repeats;
	apart = apart < 0 ? -apart : apart;
	if (m->boot >= 0 && apart < m->apart) {
		take(m, event);
		m->apart = apart;
		snprintf(m->why, sizeof(m->why),
			 "its time differs by %.1f s from that of the dump", apart);
		return;
	}
	/* A code that recurs says only that it is the same kind of hang. */
	if (coded && !m->coded++ && m->apart >= APART_MOST) {
		take(m, event);
		snprintf(m->why, sizeof(m->why), "matched by its code, not by its time");
	} else if (coded && m->apart >= APART_MOST) {
		m->line = 0;
	}
}
