/* SPDX-License-Identifier: MIT */
/*
 * Commands: those around the place where an engine stopped, those that wait in its ring, the
 * kernels that are set up; of a trace, and of engines without registers, what was submitted. One
 * pass over the rings and batches writes them as gpu-batch does.
 */
#include "report.h"

#include "eu/program.h"
#include "util/text.h"

#define AFTER 12u			/* commands behind the place */
#define QUEUE_SHOWN 48u
#define RUNS_MAX 512u
#define MARKS_MAX 8u
#define KERNELS_MAX 16u
#define KERNEL_BYTES (16u << 10)
#define INSTRUCTIONS_SHOWN 200u
#define COMMANDS_MAX 700u		/* of one submitted ring or batch */
#define SUBMITTED_BYTES (1u << 20)	/* the last of them, as far as they fit in here */
#define WINDOW_BYTES (256u << 10)
#define RINGS_MARKED 8u

struct gathering {
	struct report *r;
	struct listing *now;		/* whose run is being reported, or NULL */
	bool here;			/* it is the one where it stopped */
	bool telling;			/* the commands around its place are being written */
	bool open;			/* it is one whose fate is unknown */
	unsigned after;
	uint64_t commands;		/* of a run whose fate is unknown */
	VEC(struct gsc_run) runs;
};

static bool put_text(struct report *r, struct gsc_out *out, const struct gsc_command *c,
		     unsigned flags)
{
	struct gsc_command_text *text;
	struct gsc_error err = { 0 };

	if (!part_had(r, gsc_command_text_new(&text, out, r->hang->set, flags, &err), &err))
		return false;
	gsc_command_text(text, c);
	gsc_command_text_free(text);
	r->no_memory |= gsc_out_error(out) != 0;
	return !r->no_memory;
}

/* With marks at the fields that have the address of a fault. */
static bool put_marked(struct report *r, struct gsc_out *out, const struct gsc_engine *e,
		       const struct gsc_command *c)
{
	struct gsc_mark marks[MARKS_MAX];
	char names[MARKS_MAX][140];
	struct gsc_command shown = *c;
	struct gsc_cause cause;
	size_t count = MIN(c->mark_count, MARKS_MAX), known = 0;
	bool linked = e->stopped && c->address == e->command.address;

	if (count)
		memcpy(marks, c->marks, count * sizeof(*marks));
	for (size_t i = 0; i < r->hang->faults.count && count < MARKS_MAX; i++) {
		if (!gsc_hang_cause(r->hang, i, &cause) || cause.command.address != c->address ||
		    strcmp(cause.run.engine, e->name))
			continue;
		snprintf(names[count], sizeof(names[count]), "%s%s is the address of the fault",
			 cause.field, cause.in_state ? ", state," : "");
		marks[count] = (struct gsc_mark){ names[count], c->address };
		if (!cause.in_state && cause.dword < c->count)
			marks[count].address += cause.dword * 4;
		count++;
		linked = true;
	}
	shown.marks = marks;
	shown.mark_count = count;
	while (known < r->link_count && r->links[known].address != c->address)
		known++;
	/* Other sections lead to this command. */
	if (linked && known == r->link_count && known < LINKS_MAX) {
		struct html_link *link = &r->links[r->link_count++];

		link->address = c->address;
		string_set(link->id, "at-%llx", LL(c->address));
		out->html->id = link->id;
	}
	return put_text(r, out, &shown, 0);
}

/* ---- what is submitted ---------------------------------------------------------------------- */

/* The oldest ones go: how a trace ends matters most. */
static void drop_oldest(struct submitted *s)
{
	size_t drop = 0, at;

	while (drop + 1 < s->starts.count && s->out->size - s->starts.items[drop] > SUBMITTED_BYTES)
		drop++;
	at = s->starts.items[drop];
	memmove(s->out->data, s->out->data + at, s->out->size - at);
	s->out->size -= at;
	s->out->line = s->out->size;
	s->starts.count -= drop;
	for (size_t i = 0; i < s->starts.count; i++)
		s->starts.items[i] = s->starts.items[i + drop] - at;
}

static bool submitted_begin(struct submitted *s, const struct gsc_run *run)
{
	struct gsc_run *ring = NULL;
	char title[240];
	size_t *start, known = 0;

	if (!s->out && out_html_new(&s->out, SIZE_MAX, NULL))
		return false;
	s->out->html->level = 3;
	s->out->html->folds = true;
	s->count++;
	s->trace |= run->submission;
	out_parts_end(s->out, 3);
	if (s->out->size > 2 * SUBMITTED_BYTES)
		drop_oldest(s);
	start = vec_add(&s->starts);
	if (!start)
		return false;
	*start = s->out->size;
	run_text(run, title, sizeof(title));
	if (run->started)
		string_add(title, ", started by the command at 0x%llx", LL(run->from));
	if (run->submission)
		string_add(title, ", submission %u", run->submission);
	out_part(s->out, 3, title);
	while (known < s->rings.count && (s->rings.items[known].address ^ run->address) >> 12)
		known++;
	if (run->kind != GSC_RUN_RING || run->process || known < s->rings.count)
		return true;
	ring = s->rings.count < RINGS_MARKED ? vec_add(&s->rings) : s->rings.items;
	if (ring)
		*ring = *run;
	return ring;
}

static void submitted_end(struct gathering *g, const struct gsc_run *run)
{
	struct submitted *s = &g->r->submitted;
	char hint[HINT_SIZE];

	if (g->commands > COMMANDS_MAX)
		html_put(s->out, "<p class=\"none\">%llu more commands are not shown; to see all: ",
			 LL(g->commands - COMMANDS_MAX));
	if (g->commands > COMMANDS_MAX)
		html_format(s->out, "%s", hint_command(report_common(g->r), "batch", hint,
						       sizeof(hint)));
	html_put(s->out, g->commands > COMMANDS_MAX ? "</p><p>" : "<p>");
	html_format(s->out, "%llu command%s, %llu bytes", LL(g->commands),
		    g->commands == 1 ? "" : "s", LL(run->length));
	if (run->end != GSC_RUN_ENDED)
		html_format(s->out, "; %s%s%s", gsc_run_end_word(run->end), *run->why ? ": " : "",
			    run->why);
	html_put(s->out, "</p>\n");
}

void mark_submitted(const struct report *r, struct gsc_picture *picture)
{
	for (size_t i = 0; i < r->submitted.rings.count; i++) {
		const struct gsc_run *run = &r->submitted.rings.items[i];
		struct gsc_picture_note note = { .kind = GSC_NOTE_PLACE,
						 .start = run->address & ~UINT64_C(0xfff) };

		snprintf(note.text, sizeof(note.text), "ring of %s", run->engine);
		gsc_picture_note(picture, &note);
	}
}

/* ---- the pass ------------------------------------------------------------------------------- */

static bool begin(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct gathering *g = context;
	struct report *r = g->r;
	struct listing *l = NULL;

	for (size_t i = 0; i < r->listing_count; i++)
		if (!strcmp(r->listings[i].e.name, run->engine))
			l = &r->listings[i];
	g->now = l;
	g->telling = false;
	g->after = 0;
	g->commands = 0;
	g->open = run->submission || !l || !l->e.known;
	r->no_memory |= g->open && !submitted_begin(&r->submitted, run);
	if (!l)
		return !r->no_memory;
	/* A dump may have the whole ring, but not the register that says where it begins. */
	if (run->kind == GSC_RUN_RING && !l->queued)
		l->ring = l->e.known & GSC_KNOWN_START ? l->e.start & ~UINT64_C(0xfff)
						       : run->address;
	g->here = l->e.stopped && !l->found && l->e.run.kind == run->kind &&
		  l->e.run.address == run->address && l->e.run.process == run->process;
	return !r->no_memory;
}

static bool command(void *context, const struct gsc_followed *item)
{
	const struct gsc_command *c = item->command;
	struct gathering *g = context;
	struct listing *l = g->now;
	const struct gsc_engine *e = l ? &l->e : NULL;
	uint64_t offset = l ? c->address - l->ring : 0;
	bool done = true;

	if (g->open && g->commands++ < COMMANDS_MAX)
		done = put_text(g->r, g->r->submitted.out, c, 0);
	if (!l)
		return done;
	g->telling |= g->here && c->address == l->lead;
	if (g->here && g->telling && g->after <= AFTER) {
		l->found |= c->address == e->command.address;
		g->after += l->found;
		done &= put_marked(g->r, l->window, e, c);
	}
	/* Between head and tail, which may wrap at the ring's end. */
	if (item->run->kind == GSC_RUN_RING && e->known & GSC_KNOWN_RING && !l->queued && e->used &&
	    offset < e->ring_bytes && (offset + e->ring_bytes - e->head_offset) % e->ring_bytes <
	    e->used && l->waiting++ < QUEUE_SHOWN)
		done &= put_text(g->r, l->queue[offset < e->head_offset], c, 0);
	return done;
}

static void kernel_drop(struct listing *l, size_t i)
{
	free(l->kernels.items[i].bytes);
	memmove(&l->kernels.items[i], &l->kernels.items[i + 1],
		(--l->kernels.count - i) * sizeof(*l->kernels.items));
}

/* For each stage those of the last command that names any; after the place none is set up yet. */
static bool kernel(void *context, const struct gsc_followed *item)
{
	const struct gsc_kernel *kernel = item->kernel;
	struct gathering *g = context;
	struct listing *l = g->now;
	struct saved_kernel *added;

	if (!l || !g->here || g->after > 1)
		return true;
	for (size_t i = l->kernels.count; i-- > 0;)
		if (!strcmp(l->kernels.items[i].kernel.stage, kernel->stage) &&
		    l->kernels.items[i].address != item->command->address)
			kernel_drop(l, i);
	if (l->kernels.count == KERNELS_MAX)
		kernel_drop(l, 0);
	added = vec_add(&l->kernels);
	if (added) {
		*added = (struct saved_kernel){ *kernel, calloc(1, KERNEL_BYTES + 1),
						MIN(kernel->size, KERNEL_BYTES),
						item->command->name, item->command->address };
		if (added->bytes && added->size)
			memcpy(added->bytes, kernel->data, added->size);
	}
	g->r->no_memory |= !added || !added->bytes;
	return !g->r->no_memory;
}

static bool end(void *context, const struct gsc_followed *item)
{
	struct gathering *g = context;
	struct listing *l = g->now;
	struct gsc_run *run;

	if (g->open)
		submitted_end(g, item->run);
	if (!l)
		return true;
	run = g->runs.count < RUNS_MAX ? vec_add(&g->runs) : NULL;
	if (run)
		*run = *item->run;
	/* Another run may begin at the same address, but have the command. */
	if (g->here && !l->found) {
		l->window->size = l->window->line = 0;
		while (l->kernels.count)
			kernel_drop(l, 0);
	}
	l->queued |= item->run->kind == GSC_RUN_RING && l->waiting;
	return true;
}

/* The run with the command that starts another one. */
static const struct gsc_run *parent_of(const struct gathering *g, const struct gsc_run *run)
{
	for (size_t i = 0; run->started && i < g->runs.count; i++) {
		const struct gsc_run *other = &g->runs.items[i];

		if (!strcmp(other->engine, run->engine) &&
		    other->kind < run->kind + (run->kind == GSC_RUN_BATCH) &&
		    other->address != run->address && run->from - other->address < other->length)
			return other;
	}
	return NULL;
}

bool listings_gather(struct report *r)
{
	struct gathering g = { .r = r };
	const struct gsc_listener listener = { .context = &g, .begin = begin, .command = command,
					       .kernel = kernel, .end = end };
	const struct gsc_follow_options options = { .engine = NULL };
	struct gsc_error err = { 0 };

	r->listings = calloc(r->hang->engines.count + 1, sizeof(*r->listings));
	if (!r->listings)
		return false;
	for (size_t i = 0; i < r->hang->engines.count; i++) {
		struct listing *l = &r->listings[r->listing_count++];

		l->e = r->hang->engines.items[i].e;
		l->lead = r->hang->engines.items[i].lead;
		if (out_html_new(&l->window, WINDOW_BYTES, NULL) ||
		    out_html_new(&l->queue[0], WINDOW_BYTES, NULL) ||
		    out_html_new(&l->queue[1], WINDOW_BYTES, NULL))
			return false;
		for (size_t k = 0; k < 3; k++)
			(k ? l->queue[k - 1] : l->window)->html->level = 3;
	}
	part_had(r, gsc_follow_all(r->hang->set, r->gpu, &options, &listener, &err), &err);
	for (size_t i = 0; i < r->listing_count; i++) {
		struct listing *l = &r->listings[i];

		const struct gsc_run *run = l->e.stopped ? &l->e.run : NULL;
		uint64_t at = l->e.command.address;

		if (run && !l->found)
			put_marked(r, l->window, &l->e, &l->e.command);
		for (; run && l->way_count < WAY_MAX; run = parent_of(&g, run)) {
			memmove(l->way + 1, l->way, l->way_count++ * sizeof(*l->way));
			l->way[0] = (struct way_point){ *run, at };
			at = run->from;
		}
	}
	vec_free(&g.runs);
	return !r->no_memory;
}

void listings_free(struct report *r)
{
	for (size_t i = 0; i < r->listing_count; i++) {
		struct listing *l = &r->listings[i];

		while (l->kernels.count)
			kernel_drop(l, 0);
		vec_free(&l->kernels);
		gsc_out_free(l->window);
		gsc_out_free(l->queue[0]);
		gsc_out_free(l->queue[1]);
	}
	gsc_out_free(r->submitted.out);
	vec_free(&r->submitted.starts);
	vec_free(&r->submitted.rings);
	free(r->listings);
	r->listings = NULL;
	r->listing_count = 0;
}

/* ---- the section ---------------------------------------------------------------------------- */

static void put_kernel(struct report *r, struct gsc_eu *eu, const struct saved_kernel *k)
{
	const struct gsc_program_style style = { .address = k->kernel.address, .addresses = true,
						 .most = INSTRUCTIONS_SHOWN, .indent = 4 };
	struct gsc_program_counts counts;
	struct gsc_program *program;
	struct gsc_out *out = r->out;
	char size[40], hint[HINT_SIZE];

	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_format(out, "kernel %s", k->kernel.stage);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	if (k->kernel.simd)
		gsc_out_format(out, " SIMD%u", k->kernel.simd);
	gsc_out_format(out, " at 0x%llx, %s, %s at 0x%llx", LL(k->kernel.address),
		       size_text(k->kernel.size, size, sizeof(size)), k->name, LL(k->address));
	if (*k->kernel.problem)
		gsc_out_format(out, "; %s", k->kernel.problem);
	gsc_out_end(out);
	if (!k->size || !eu || gsc_program_new(&program, eu, k->bytes, k->size, NULL))
		return;
	gsc_text_program(out, program, &style, &counts);
	gsc_program_free(program);
	if (counts.end == k->kernel.size)
		return;
	gsc_out_format(out, "    %llu bytes more; to see all: %s -a 0x%llx",
		       LL(k->kernel.size - counts.end),
		       hint_command(report_common(r), "eu", hint, sizeof(hint)),
		       LL(k->kernel.address));
	gsc_out_end(out);
}

static void put_listing(struct report *r, struct listing *l, struct gsc_eu *eu)
{
	char title[160], place[48];

	if (l->e.stopped) {
		string_set(title, "Where %s %s: the commands around %s", l->e.name,
			   stop_word(l->e.state),
			   run_place(&l->e.run, l->e.command.address, place, sizeof(place)));
		out_part(r->out, 3, title);
		if (!l->found)
			put_none(r, "The commands around it in its batch could not be read.");
		html_lines(r->out, l->window);
		for (size_t i = 0; i < l->kernels.count; i++)
			put_kernel(r, eu, &l->kernels.items[i]);
	}
	if (l->waiting) {
		string_set(title, "Waiting in the ring of %s: %llu commands, from "
			   "HEAD to TAIL", l->e.name, LL(l->waiting));
		r->out->html->folds = true;
		out_part(r->out, 3, title);
		r->out->html->folds = false;
		html_lines(r->out, l->queue[0]);
		html_lines(r->out, l->queue[1]);
		if (l->waiting > QUEUE_SHOWN)
			put_none(r, "%llu more commands are not shown",
				 LL(l->waiting - QUEUE_SHOWN));
	}
}

/* Commands with the address of a fault that are too far away to be among the others. */
static void put_causes(struct report *r)
{
	struct gsc_cause cause;
	char title[160], place[48];

	for (size_t i = 0; i < r->hang->faults.count && i < 8; i++) {
		bool shown = false;

		if (!gsc_hang_cause(r->hang, i, &cause))
			continue;
		for (size_t k = 0; k < r->link_count; k++)
			shown |= r->links[k].address == cause.command.address;
		for (size_t k = 0; k < r->listing_count && !shown; k++) {
			if (strcmp(r->listings[k].e.name, cause.run.engine))
				continue;
			run_place(&cause.run, cause.command.address, place, sizeof(place));
			string_set(title, "%s at %s has set the address of the fault",
				   cause.command.name, place);
			out_part(r->out, 3, title);
			put_marked(r, r->out, &r->listings[k].e, &cause.command);
		}
	}
}

const char *section_commands(struct report *r)
{
	const struct submitted *s = &r->submitted;
	struct gsc_eu *eu = NULL;
	char hint[HINT_SIZE];
	bool any = s->count;

	for (size_t i = 0; i < r->listing_count; i++)
		any |= r->listings[i].e.stopped || r->listings[i].waiting;
	if (!any)
		return "none of an engine that works are in this dump";
	gsc_eu_new(&eu, r->view, NULL);
	out_part(r->out, 2, "commands");
	r->out->html->level = 3;
	for (size_t i = 0; i < r->listing_count; i++)
		put_listing(r, &r->listings[i], eu);
	put_causes(r);
	out_parts_end(r->out, 3);
	if (s->count) {
		html_put(r->out, "<h3 id=\"submitted\">%s: %llu rings and batches</h3>\n",
			 s->trace ? "What was submitted" :
			 "Of engines whose registers are not in this dump", LL(s->count));
		if (s->count > s->starts.count)
			put_none(r, "%llu earlier ones are left out; to see all: %s",
				 LL(s->count - s->starts.count),
				 hint_command(report_common(r), "batch", hint, sizeof(hint)));
		html_lines(r->out, s->out);
	}
	gsc_eu_free(eu);
	return NULL;
}
