/* SPDX-License-Identifier: MIT */
/*
 * The commands that a page shows: those around the place where an engine stopped, and those that
 * wait in its ring. One pass over all rings and batches keeps what is near; nothing else is kept.
 */
#include "report.h"
#include "hang/hang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE 12u
#define AFTER 12u
#define QUEUE_MAX 4096u
#define QUEUE_SHOWN 48u
#define RUNS_MAX 512u
#define CAUSES_MAX 8u
#define TEXT_MAX 12000u

struct known_run {
	struct gsc_run run;
	struct listing *listing;
};

struct gathering {
	struct report *r;
	struct listing *now;		/* whose run is being reported, or NULL */
	bool here;			/* it is the one where it stopped */
	bool over;			/* enough is known about what follows */
	unsigned after;
	struct known_run runs[RUNS_MAX];
	size_t run_count;
	bool no_memory;
};

/* ---- keeping -------------------------------------------------------------------------------- */

bool commands_keep(struct saved_commands *list, const struct gsc_command *c)
{
	size_t count = c->count < DWORDS_MAX ? c->count : DWORDS_MAX;
	struct saved_command *grown, *added;
	uint32_t *words = calloc(count + 1, sizeof(*words));

	grown = words ? realloc(list->items, (list->count + 1) * sizeof(*grown)) : NULL;
	if (!grown) {
		free(words);
		return false;
	}
	memcpy(words, c->words, count * sizeof(*words));
	list->items = grown;
	added = &grown[list->count++];
	*added = (struct saved_command){ .address = c->address, .command = *c, .words = words };
	added->command.words = words;
	added->command.count = count;
	added->command.marks = NULL;
	added->command.mark_count = 0;
	return true;
}

static void drop_first(struct saved_commands *list)
{
	free(list->items[0].words);
	memmove(list->items, list->items + 1, --list->count * sizeof(*list->items));
	list->left_out++;
}

void commands_free(struct saved_commands *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].words);
	free(list->items);
	*list = (struct saved_commands){ 0 };
}

/* ---- what is told --------------------------------------------------------------------------- */

static struct listing *listing_of(struct report *r, const char *engine)
{
	for (size_t i = 0; i < r->listing_count; i++)
		if (!strcmp(r->listings[i].e.name, engine))
			return &r->listings[i];
	return NULL;
}

/* A dump may have the whole ring, but not the register that says where it begins. */
static uint64_t ring_begin(const struct gsc_engine *e, const struct gsc_run *run)
{
	return e->known & GSC_KNOWN_START ? e->start & ~UINT64_C(0xfff) : run->address;
}

static bool begin(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct gathering *g = context;
	const struct gsc_run *stop;

	g->now = listing_of(g->r, run->engine);
	g->here = g->over = false;
	g->after = 0;
	g->no_memory |= !submitted_begin(&g->r->submitted, run, g->now);
	if (!g->now || g->no_memory)
		return !g->no_memory;
	if (run->kind == GSC_RUN_RING && !g->now->queued)
		g->now->ring = ring_begin(&g->now->e, run);
	stop = &g->now->e.run;
	g->here = g->now->e.stopped && !g->now->found && stop->kind == run->kind &&
		  stop->address == run->address && stop->process == run->process;
	if (g->run_count < RUNS_MAX)
		g->runs[g->run_count++] = (struct known_run){ *run, g->now };
	return true;
}

static bool near_stop(struct gathering *g, const struct gsc_command *c)
{
	struct listing *l = g->now;
	bool it = !l->found && c->address == l->e.command.address;
	char holds[sizeof(l->causes.items->holds)];

	if (!l->found && cause_holds(g->r, l, c, holds, sizeof(holds)) &&
	    !commands_keep(&l->causes, c))
		return false;
	if (l->causes.count > CAUSES_MAX)
		drop_first(&l->causes);
	if (!commands_keep(&l->window, c))
		return false;
	if (it) {
		l->found = true;
		l->stopped = l->window.count - 1;
		return true;
	}
	if (l->found) {
		g->over = ++g->after >= AFTER;
		return true;
	}
	if (l->window.count > BEFORE)
		drop_first(&l->window);
	return true;
}

/* Between head and tail, which may wrap at the ring's end. */
static bool waits(const struct gsc_engine *e, uint64_t ring, const struct gsc_run *run,
		  const struct gsc_command *c)
{
	uint64_t offset = c->address - ring;

	if (run->kind != GSC_RUN_RING || !(e->known & GSC_KNOWN_RING) ||
	    offset >= e->ring_bytes || !e->used)
		return false;
	return (offset + e->ring_bytes - e->head_offset) % e->ring_bytes < e->used;
}

static bool command(void *context, const struct gsc_followed *item)
{
	const struct gsc_command *c = item->command;
	struct gathering *g = context;
	struct listing *l = g->now;

	g->no_memory |= !submitted_command(&g->r->submitted, c);
	if (!l)
		return !g->no_memory;
	if (g->here && !g->over && !near_stop(g, c))
		g->no_memory = true;
	if (!l->queued && waits(&l->e, l->ring, item->run, c)) {
		if (l->queue.count == QUEUE_MAX)
			l->queue.left_out++;
		else if (!commands_keep(&l->queue, c))
			g->no_memory = true;
	}
	return !g->no_memory;
}

/* Those of commands after its place are not set up yet. */
static bool kernel(void *context, const struct gsc_followed *item)
{
	struct gathering *g = context;

	if (g->now && g->here && (!g->now->found || !g->after))
		g->no_memory |= !kernels_keep(&g->now->kernels, item);
	return !g->no_memory;
}

static bool end(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct gathering *g = context;
	struct listing *l = g->now;

	submitted_end(&g->r->submitted, run);
	if (!l)
		return true;
	if (g->run_count && g->runs[g->run_count - 1].run.address == run->address)
		g->runs[g->run_count - 1].run = *run;
	if (g->here && !l->found) {
		commands_free(&l->window);
		commands_free(&l->causes);
		kernels_free(&l->kernels);
	}
	l->queued |= run->kind == GSC_RUN_RING && l->queue.count;
	return true;
}

/* ---- afterwards ----------------------------------------------------------------------------- */

/* The run with the command that starts another one. */
static const struct gsc_run *parent_of(const struct gathering *g, const struct listing *l,
				       const struct gsc_run *run)
{
	for (size_t i = 0; run->started && i < g->run_count; i++) {
		const struct gsc_run *other = &g->runs[i].run;

		if (g->runs[i].listing == l && other->kind < run->kind + (run->kind ==
		    GSC_RUN_BATCH) && other->address != run->address &&
		    run->from - other->address < other->length)
			return other;
	}
	return NULL;
}

static void find_way(const struct gathering *g, struct listing *l)
{
	struct way_point reverse[WAY_MAX];
	const struct gsc_run *run = &l->e.run;
	uint64_t at = l->e.command.address;
	size_t count = 0;

	if (!l->e.stopped)
		return;
	while (run && count < WAY_MAX) {
		reverse[count++] = (struct way_point){ *run, at };
		at = run->from;
		run = parent_of(g, l, run);
	}
	while (count)
		l->way[l->way_count++] = reverse[--count];
}

/* From the head on: after the ring's end it continues at its beginning. */
static void sort_queue(struct listing *l)
{
	struct saved_commands *queue = &l->queue;
	uint64_t head = l->ring + l->e.head_offset;

	for (size_t turned = 0; turned < queue->count && queue->items[0].address < head; turned++) {
		struct saved_command first = queue->items[0];

		memmove(queue->items, queue->items + 1,
			(queue->count - 1) * sizeof(*queue->items));
		queue->items[queue->count - 1] = first;
	}
}

static void name_causes(struct report *r, const struct listing *l, struct saved_commands *list)
{
	for (size_t i = 0; i < list->count; i++)
		cause_holds(r, l, &list->items[i].command, list->items[i].holds,
			    sizeof(list->items[i].holds));
}

bool listings_gather(struct report *r)
{
	struct gathering *g = calloc(1, sizeof(*g));
	const struct gsc_listener listener = { .context = g, .begin = begin, .command = command,
					       .kernel = kernel, .end = end };
	struct gsc_follow_options options = { .engine = NULL };
	enum gsc_status status;
	struct gsc_engine e;
	struct gsc_error err = { 0 };
	bool done;

	while (gsc_hang_engine(r->hang, r->listing_count, &e))
		r->listing_count++;
	r->listings = calloc(r->listing_count + 1, sizeof(*r->listings));
	if (!g || !r->listings) {
		free(g);
		return false;
	}
	g->r = r;
	for (size_t i = 0; i < r->listing_count; i++)
		gsc_hang_engine(r->hang, i, &r->listings[i].e);
	causes_begin(r);
	status = gsc_follow_all(gsc_hang_commands(r->hang), r->gpu, &options, &listener, &err);
	part_had(r, status, &err);
	for (size_t i = 0; i < r->listing_count; i++) {
		struct listing *l = &r->listings[i];

		if (l->e.stopped && !l->found)
			g->no_memory |= !commands_keep(&l->window, &l->e.command);
		find_way(g, l);
		sort_queue(l);
		name_causes(r, l, &l->window);
		name_causes(r, l, &l->causes);
	}
	done = !g->no_memory && !r->no_memory;
	free(g);
	return done;
}

void listings_free(struct report *r)
{
	for (size_t i = 0; i < r->listing_count; i++) {
		commands_free(&r->listings[i].window);
		commands_free(&r->listings[i].queue);
		commands_free(&r->listings[i].causes);
		kernels_free(&r->listings[i].kernels);
	}
	submitted_free(&r->submitted);
	free(r->listings);
	r->listings = NULL;
	r->listing_count = 0;
}

/* ---- writing -------------------------------------------------------------------------------- */

const char *run_place(const struct gsc_run *run, uint64_t address, char *buf, size_t size)
{
	snprintf(buf, size, "%s:0x%llx", run->process ? "ppgtt" : "ggtt", LL(address));
	return buf;
}

/* As in gpu-batch, in a separate buffer; NULL: memory is out. */
static struct gsc_out *command_text(struct report *r, const struct saved_command *c)
{
	struct gsc_command_text *text;
	struct gsc_error err = { 0 };
	struct gsc_out *own;

	if (!part_had(r, gsc_out_new(&own, -1, false, &err), &err))
		return NULL;
	if (part_had(r, gsc_command_text_new(&text, own, gsc_hang_commands(r->hang), 0, &err),
		     &err)) {
		gsc_command_text(text, &c->command);
		gsc_command_text_free(text);
	}
	r->no_memory |= gsc_out_error(own) != 0;
	return own;
}

/* One per line, so that a narrow page can break them. */
static void put_lines(struct html *h, struct cause_lines *causes, const char *line, size_t size)
{
	const char *end = line + size;

	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t length = stop ? (size_t)(stop - line) : (size_t)(end - line);
		bool cause = cause_line(causes, line, length);

		html_put(h, cause ? "<span class=\"cause\">" : "<span>");
		html_bytes(h, line, length);
		html_put(h, cause ? "  ◀ address of the fault</span>\n" : "</span>\n");
		line += length + 1;
	}
}

/* Its dwords and their fields, as in gpu-batch; the first line is the summary. */
static void put_fields(struct report *r, const struct listing *l, const struct saved_command *c)
{
	struct gsc_out *own = command_text(r, c);
	struct cause_lines causes;
	const char *data, *fields;
	size_t size;

	if (!own)
		return;
	cause_lines(r, l, &c->command, &causes);
	data = gsc_out_data(own, &size);
	fields = size ? memchr(data, '\n', size) : NULL;
	if (fields && (size -= (size_t)(++fields - data))) {
		html_put(&r->html, "<pre tabindex=\"0\" role=\"group\" aria-label=\"Fields\">");
		put_lines(&r->html, &causes, fields, size < TEXT_MAX ? size : TEXT_MAX);
		if (size > TEXT_MAX)
			html_text(&r->html, "... the rest is left out");
		html_put(&r->html, "</pre>");
	}
	gsc_out_free(own);
}

static void put_line(struct html *h, const struct saved_command *c)
{
	html_element(h, "code", NULL, "0x%08llx  0x%08x", LL(c->address),
		     c->command.count ? c->words[0] : 0);
	html_put(h, " <b>");
	html_text(h, c->command.name);
	html_put(h, "</b>");
	if (c->command.status != GSC_COMMAND_OK) {
		html_put(h, " <span class=\"flag\">");
		html_text(h, gsc_command_word(c->command.status));
		html_put(h, "</span>");
	}
}

static void put_mark(struct html *h, const char *format, const char *text)
{
	html_put(h, " <mark>");
	html_format(h, format, text);
	html_put(h, "</mark>");
}

void put_command(struct report *r, const struct listing *l, const struct saved_command *c,
		 const char *mark)
{
	struct html *h = &r->html;

	if (!l) {
		html_open(h, "li", NULL);
		put_line(h, c);
		html_close(h);
		return;
	}
	html_open(h, "li", *mark ? "class=\"stopped\"" : NULL);
	html_open(h, "details", *mark || *c->holds ? "open" : NULL);
	html_open(h, "summary", NULL);
	put_line(h, c);
	if (*mark)
		put_mark(h, "%s", mark);
	if (*c->holds)
		put_mark(h, "◀ %s is the address of the fault", c->holds);
	html_close(h);
	put_fields(r, l, c);
	html_close(h);
	html_close(h);
}

static void put_left_out(struct html *h, uint64_t count, const char *where)
{
	if (count)
		html_element(h, "li", "class=\"none\"", count == 1 ?
			     "%llu %s command is not shown" : "%llu %s commands are not shown",
			     LL(count), where);
}

const char *stop_word(enum gsc_engine_state state)
{
	return state == GSC_ENGINE_WAITING ? "waits" : state == GSC_ENGINE_HUNG ? "stopped" : "is";
}

/* "rcs0 stopped here: ACTHD points directly after it" */
static void stop_words(const struct gsc_engine *e, char *buf, size_t size)
{
	const char *place = "", *pointer = e->known & GSC_KNOWN_ACTHD ? "ACTHD" : "HEAD";

	if (!e->known) {
		snprintf(buf, size, "◀ the job of %s never gets past this", e->name);
		return;
	}
	if (e->offset)
		place = e->offset >= e->command.count * 4 ? " points just after it"
							  : " points into it";
	snprintf(buf, size, "◀ %s %s here: %s%s", e->name, stop_word(e->state), pointer, place);
}

/* Commands with the address of a fault that are too far away to be shown otherwise. */
static void put_causes(struct report *r, const struct listing *l)
{
	for (size_t i = 0; i < l->causes.count; i++) {
		const struct saved_command *c = &l->causes.items[i];
		bool near = false;

		for (size_t k = 0; k < l->window.count; k++)
			near |= l->window.items[k].address == c->address;
		if (!near && *c->holds)
			put_command(r, l, c, "");
	}
}

void put_window(struct report *r, const struct listing *l)
{
	struct html *h = &r->html;
	char place[48], mark[120];

	if (!l->e.stopped) {
		html_none(h, l->e.state == GSC_ENGINE_HUNG || l->e.state == GSC_ENGINE_WAITING ?
			  "The command in which it %s is not in this dump." :
			  "The command at which it %s is not in this dump.", stop_word(l->e.state));
		return;
	}
	html_open(h, "h4", NULL);
	html_format(h, "Where it %s: the commands around %s", stop_word(l->e.state),
		    run_place(&l->e.run, l->e.command.address, place, sizeof(place)));
	html_close(h);
	if (!l->found)
		html_none(h, "The commands around it in its batch could not be read.");
	if (!l->e.agrees && l->e.known)
		html_element(h, "p", "class=\"note\"", "%s", l->e.known & GSC_KNOWN_IPEHR ?
			     "IPEHR holds another header: the engine may be executing another "
			     "command."
			     : "IPEHR, the header of the command being executed, is not in this "
			       "dump.");
	stop_words(&l->e, mark, sizeof(mark));
	html_open(h, "ol", "class=\"commands\"");
	put_causes(r, l);
	put_left_out(h, l->window.left_out, "earlier");
	for (size_t i = 0; i < l->window.count; i++)
		put_command(r, l, &l->window.items[i], !l->found || i == l->stopped ? mark : "");
	html_close(h);
}

void put_queue(struct report *r, const struct listing *l)
{
	const struct saved_commands *queue = &l->queue;
	struct html *h = &r->html;

	if (!(l->e.known & GSC_KNOWN_RING)) {
		html_none(h, "What waits in its ring is not in this dump.");
		return;
	}
	if (!l->e.used)
		return;
	if (!queue->count) {
		html_none(h, "%llu bytes of commands wait in its ring, but the ring is not in this "
			  "dump.", LL(l->e.used));
		return;
	}
	html_put(h, "<details><summary>");
	html_format(h, "Waiting in its ring: %llu commands, from HEAD to TAIL",
		    LL(queue->count + queue->left_out));
	html_put(h, "</summary>");
	html_open(h, "ol", "class=\"commands\"");
	for (size_t i = 0; i < queue->count && i < QUEUE_SHOWN; i++)
		put_command(r, l, &queue->items[i], "");
	if (queue->count > QUEUE_SHOWN)
		put_left_out(h, queue->count - QUEUE_SHOWN + queue->left_out, "more");
	html_close(h);
	html_put(h, "</details>\n");
}
