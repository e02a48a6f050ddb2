/* SPDX-License-Identifier: MIT */
/*
 * Rings and batches whose fate is unknown: those of traces, and those of engines without registers.
 * All are listed, one line each; the longest and the last of them with their commands.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#define LISTED_MAX 1000u
#define WHOLE_MAX 6u			/* the last ones, and the longest */
#define COMMANDS_MAX 700u
#define RINGS_MARKED 8u
/* Bytes of the page: from there on commands have a line, and no fields. */
#define FIELDS_UNTIL (2u << 20)

/* ---- gathering ------------------------------------------------------------------------------ */

static struct submitted_run *run_at(const struct submitted *s, uint64_t number)
{
	return &s->runs[number % LISTED_MAX];
}

/* The commands of one that is no longer among the last: only the longest keeps them. */
static void let_go(struct submitted *s, struct submitted_run *old)
{
	if (old->commands > s->longest.commands) {
		commands_free(&s->longest.kept);
		s->longest = *old;
		old->kept = (struct saved_commands){ 0 };
	} else {
		commands_free(&old->kept);
	}
}

static bool is_one(const struct gsc_run *run, const struct listing *l)
{
	return run->submission || !l || !l->e.known;
}

bool submitted_begin(struct submitted *s, const struct gsc_run *run, const struct listing *l)
{
	s->open = is_one(run, l);
	if (!s->open)
		return true;
	if (!s->runs)
		s->runs = calloc(LISTED_MAX, sizeof(*s->runs));
	if (!s->runs)
		return false;
	if (s->count >= WHOLE_MAX)
		let_go(s, run_at(s, s->count - WHOLE_MAX));
	*run_at(s, s->count) = (struct submitted_run){ .run = *run, .number = s->count };
	s->count++;
	if (run->submission > s->submissions)
		s->submissions = run->submission;
	return true;
}

bool submitted_command(struct submitted *s, const struct gsc_command *c)
{
	struct submitted_run *last = s->open ? run_at(s, s->count - 1) : NULL;

	if (!last || last->commands++ >= COMMANDS_MAX)
		return true;
	return commands_keep(&last->kept, c);
}

void submitted_end(struct submitted *s, const struct gsc_run *run)
{
	if (s->open)
		run_at(s, s->count - 1)->run = *run;
	s->open = false;
}

void submitted_free(struct submitted *s)
{
	for (size_t i = 0; s->runs && i < LISTED_MAX; i++)
		commands_free(&s->runs[i].kept);
	commands_free(&s->longest.kept);
	free(s->runs);
	*s = (struct submitted){ 0 };
}

/* ---- writing -------------------------------------------------------------------------------- */

/* "rcs0 ring at ggtt:0x1000, submission 1: 2 commands, 16 bytes" */
static void put_title(struct html *h, const struct submitted_run *s)
{
	const struct gsc_run *run = &s->run;
	char place[48], size[40];

	html_element(h, "b", NULL, "%s", run->engine);
	html_format(h, " %s%s at %s", gsc_run_kind_word(run->kind),
		    run->kind == GSC_RUN_SECOND_LEVEL ? " batch" : "",
		    run_place(run, run->address, place, sizeof(place)));
	if (run->started)
		html_format(h, ", started by the command at 0x%llx", LL(run->from));
	if (run->submission)
		html_format(h, ", submission %u", run->submission);
	html_format(h, ": %llu command%s, %s", LL(s->commands), s->commands == 1 ? "" : "s",
		    human_size(run->length, size, sizeof(size)));
	if (run->end != GSC_RUN_ENDED)
		html_format(h, "; %s%s%s", gsc_run_end_word(run->end), *run->why ? ": " : "",
			    run->why);
}

static void put_commands(struct report *r, const struct submitted_run *s)
{
	const struct listing none = { .asked_count = 0 };
	struct html *h = &r->html;
	char hint[HINT_SIZE];

	html_open(h, "ol", "class=\"commands\"");
	for (size_t i = 0; i < s->kept.count; i++)
		put_command(r, html_size(h) < FIELDS_UNTIL ? &none : NULL, &s->kept.items[i], "");
	if (s->commands > s->kept.count)
		html_element(h, "li", "class=\"none\"", "%llu more not shown; to see all: %s",
			     LL(s->commands - s->kept.count),
			     hint_command(report_common(r), "batch", hint, sizeof(hint)));
	html_close(h);
}

static void put_run(struct report *r, const struct submitted_run *s)
{
	struct html *h = &r->html;

	html_open(h, "li", s->kept.count ? "class=\"run\"" : NULL);
	if (s->kept.count) {
		html_put(h, "<details><summary>");
		put_title(h, s);
		html_put(h, "</summary>");
		put_commands(r, s);
		html_put(h, "</details>");
	} else {
		put_title(h, s);
	}
	html_close(h);
}

static void put_list(struct report *r)
{
	const struct submitted *s = &r->submitted;
	uint64_t first = s->count > LISTED_MAX ? s->count - LISTED_MAX : 0;
	struct html *h = &r->html;
	char hint[HINT_SIZE];

	html_open(h, "ul", NULL);
	if (s->longest.kept.count && s->longest.number < first)
		put_run(r, &s->longest);
	if (first)
		html_element(h, "li", "class=\"none\"", "%llu earlier %s left out; to see all: "
			     "%s", LL(first), first == 1 ? "one is" : "ones are",
			     hint_command(report_common(r), "batch", hint, sizeof(hint)));
	for (uint64_t i = first; i < s->count; i++)
		put_run(r, s->longest.kept.count && s->longest.number == i ? &s->longest :
			run_at(s, i));
	html_close(h);
}

static bool engines_known(const struct report *r)
{
	for (size_t i = 0; i < r->listing_count; i++)
		if (r->listings[i].e.state != GSC_ENGINE_UNKNOWN)
			return true;
	return false;
}

void put_submitted(struct report *r)
{
	const struct submitted *s = &r->submitted;
	struct html *h = &r->html;

	if (!s->count)
		return;
	html_put(h, "<h3 id=\"submitted\">");
	html_text(h, s->submissions ? "What was submitted" : "Rings and batches");
	html_put(h, "</h3>\n");
	html_element(h, "p", NULL, "%llu rings and batches%s.%s", LL(s->count), s->submissions ?
		     " of a trace, in the order of their submission" :
		     " of engines whose registers are not in this dump", engines_known(r) ? "" :
		     " What the engines did with them is not in this dump.");
	put_list(r);
}

void mark_submitted(const struct report *r, struct gsc_picture *picture)
{
	const struct submitted *s = &r->submitted;
	uint64_t first = s->count > LISTED_MAX ? s->count - LISTED_MAX : 0;
	struct gsc_picture_note notes[RINGS_MARKED];
	size_t count = 0, i;

	for (uint64_t n = s->count; n-- > first && count < RINGS_MARKED;) {
		const struct gsc_run *run = &run_at(s, n)->run;
		uint64_t page = run->address & ~UINT64_C(0xfff);

		if (run->kind != GSC_RUN_RING || run->process)
			continue;
		for (i = 0; i < count && notes[i].start != page; i++)
			;
		if (i < count)
			continue;
		notes[count] = (struct gsc_picture_note){ .kind = GSC_NOTE_PLACE, .start = page };
		snprintf(notes[count].text, sizeof(notes[count].text), "ring of %s", run->engine);
		gsc_picture_note(picture, &notes[count++]);
	}
}
