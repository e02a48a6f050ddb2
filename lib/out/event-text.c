/* SPDX-License-Identifier: MIT */
/*
 * What a line of a kernel's log says: when, whose and what; what it means; the walk of its address.
 */
#include "out/out.h"

#include "hang/hang.h"
#include "hang/log-summary.h"

#include <stdio.h>

#define SUBJECT_COLUMN 11
#define TEXT_COLUMN 11

static const enum gsc_style styles[GSC_EVENT_KINDS] = {
	[GSC_EVENT_FAULT] = GSC_STYLE_RED, [GSC_EVENT_DMA_FAULT] = GSC_STYLE_RED,
	[GSC_EVENT_ERROR] = GSC_STYLE_RED, [GSC_EVENT_HANG] = GSC_STYLE_RED,
	[GSC_EVENT_RESET] = GSC_STYLE_YELLOW, [GSC_EVENT_DUMP] = GSC_STYLE_PLAIN,
};

void gsc_text_event(struct gsc_out *out, const struct gsc_event *event,
		    struct gsc_log_summary *summary, unsigned flags)
{
	const struct gsc_translation *translation;
	const struct gsc_walk *walk;
	struct gsc_breach doubt;
	char why[640], text[512];
	const char *engine = event->fault.engine;

	/* "dma-fault 0000:00:02.0 line 3 [20.279445] 3 times", "hang rcs0 0000:00:02.0 line 3" */
	if (event->rank == GSC_EVENT_HARMLESS)
		text_styled(out, GSC_STYLE_PLAIN, gsc_rank_word(event->rank));
	else
		text_styled(out, styles[event->kind], gsc_event_word(event->kind));
	gsc_out_pad(out, SUBJECT_COLUMN);
	text_styled(out, GSC_STYLE_BOLD, *engine ? engine : *event->device ? event->device :
						      *event->driver ? event->driver : "-");
	if (*engine && *event->device)
		gsc_out_format(out, "  %s", event->device);
	if (*event->gt)
		gsc_out_format(out, "  %s", event->gt);
	gsc_out_format(out, "  line %zu", event->line);
	if (*event->stamp) {
		gsc_out_text(out, "  [");
		gsc_out_clean(out, event->stamp);
		gsc_out_text(out, "]");
	}
	if (event->repeats)
		gsc_out_format(out, "  %u times", event->repeats + 1);
	gsc_out_end(out);
	text_wrapped(out, TEXT_COLUMN, TEXT_COLUMN, "", event->fault.text);
	if (flags & GSC_TEXT_VERBOSE) {
		gsc_out_pad(out, TEXT_COLUMN);
		gsc_out_style(out, GSC_STYLE_DIM);
		/* In pieces that end in a zero, because the line in the log does not. */
		for (size_t at = 0; at < event->log_length; at += sizeof(text) - 1) {
			string_set(text, "%.*s", (int)MIN(event->log_length - at, sizeof(text) - 1),
				   event->log + at);
			gsc_out_clean(out, text);
		}
		gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_end(out);
	}
	walk = gsc_log_summary_walk(summary, event, &translation, why, sizeof(why));
	if (walk) {
		text_fault_walk(out, TEXT_COLUMN, translation, walk, &event->fault, flags);
	} else if (*why && log_summary_source(summary)) {
		text_wrapped(out, TEXT_COLUMN, TEXT_COLUMN, "not walked: ", why);
	}
	if (gsc_log_summary_doubt(summary, event, &doubt))
		text_wrapped(out, TEXT_COLUMN, TEXT_COLUMN, "doubt: ", doubt.text);
}

void gsc_text_log_summary(struct gsc_out *out, struct gsc_log_summary *summary, unsigned flags)
{
	text_sentence(out, gsc_log_summary_verdict(summary), flags);
	text_known(out, gsc_log_summary_known(summary), flags);
}
