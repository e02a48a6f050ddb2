/* SPDX-License-Identifier: MIT */
/*
 * A log and a dump of the same hang: both drivers record how long after the boot a dump was taken
 * (i915's Boottime, xe's Uptime), and the kernel begins its messages with that time, except for the
 * time that the machine slept. If the times do not match, the code of the hang may.
 */
#include "fault.h"
#include "formats/contents.h"
#include "log/event.h"
#include "util/text.h"

#include <stdlib.h>

#define APART_MOST 5.0			/* seconds: the message comes when the dump is complete */

bool match_begin(struct log_match *m, const struct gsc_source *source)
{
	unsigned long long seconds;
	struct gsc_property p;
	unsigned part_us;
	int used;

	*m = (struct log_match){ .boot = -1, .apart = APART_MOST };
	for (size_t part = 0; part < gsc_source_count(source); part++) {
		enum gsc_source_form form = gsc_source_form(source, part);

		if (form != GSC_SOURCE_ERROR_STATE && form != GSC_SOURCE_DEVCOREDUMP)
			continue;
		for (size_t i = 0; gsc_source_property(source, part, i, &p); i++) {
			const char *in = strstr(p.value, ", in ");

			/* "276 s 592007 us", "133.873992566" */
			if (m->boot < 0 && !strcmp(p.key, form == GSC_SOURCE_DEVCOREDUMP
							  ? "Uptime" : "Boottime")) {
				if (sscanf(p.value, "%19llu s %6u us", &seconds, &part_us) == 2)
					m->boot = (double)seconds + part_us / 1e6;
				else if (sscanf(p.value, "%lf%n", &m->boot, &used) != 1 ||
					 p.value[used])
					m->boot = -1;
			}
			if (strcmp(p.key, "GPU HANG"))
				continue;
			if (!*m->code && !strncmp(p.value, "ecode ", 6))
				string_set(m->code, "%.*s", (int)strcspn(p.value, ","), p.value);
			if (!*m->process && in)
				string_set(m->process, "%s", in + 5);
		}
	}
	return m->boot >= 0 || *m->code;
}

void match_event(struct log_match *m, const struct gsc_event *event)
{
	double apart = event->has_time ? event->time - m->boot : APART_MOST;
	/* Two processes can hang the GPU in the same way: both names match, if there are any. */
	bool coded = *m->code && event->log &&
		     memmem(event->log, event->log_length, m->code, strlen(m->code)) &&
		     (!*m->process || !*event->process ||
		      !strncmp(m->process, event->process, strlen(event->process)));
	bool near, first;

	if (event->kind != GSC_EVENT_HANG)
		return;
	m->hangs += 1 + (size_t)event->repeats;
	apart = apart < 0 ? -apart : apart;
	near = m->boot >= 0 && apart < m->apart;
	first = !near && coded && !m->coded++ && m->apart >= APART_MOST;
	/* A code that recurs says only that it is the same kind of hang. */
	if (!near && !first && coded && m->apart >= APART_MOST)
		m->line = 0;
	if (!near && !first)
		return;
	m->line = event->line;
	string_set(m->stamp, "%s", event->stamp);
	if (near) {
		m->apart = apart;
		string_set(m->why, "its time differs by %.1f s from that of the dump", apart);
	} else {
		string_set(m->why, "matched by its code, not by its time");
	}
}
