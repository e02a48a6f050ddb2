/* SPDX-License-Identifier: MIT */
/* What the events of a log say together, and where the addresses in them lead. */
#include "hang/hang.h"
#include "log/log.h"
#include "util/text.h"

#include <stdio.h>

/* What is counted. */
enum noun {
	FAULTS, CAT_ERRORS, DMA_FAULTS, ERRORS, HANGS, RESETS, FAILED_RESETS, CANCELLED, NOUNS
};

struct gsc_story {
	const struct gsc_db *db;
	struct gsc_source *source;	/* or NULL */
	struct hang_tables tables;	/* the table in which its faults were looked up */
	bool no_walk;
	/* The first of each rank that is no dump, no underrun; without its line. Line 0: none. */
	struct gsc_event firsts[GSC_EVENT_ASIDE + 1];
	char engine[16];		/* of the first, or of the first hang after it that says */
	/* By rank and noun, with repeats; without asides and events with their own sentence. */
	uint64_t counts[GSC_EVENT_ASIDE][NOUNS];
	uint64_t underruns, asides;
	bool marked;			/* the driver calls one of the asides an error */
	uint64_t dumps, dropped;	/* that were kept, and how many of them no longer are */
	size_t dump;			/* the line of the first */
	bool many;			/* events are of several GPUs */
	struct gsc_event other;		/* the first of another GPU's driver; line 0: none */
	struct gsc_event wedged;	/* line 0: the driver has not given up on the GPU */
	struct gsc_event report;	/* the first of the last quotes; line 0: none */
	struct gsc_event busy;		/* the first engine with work whose state was printed */
	struct gsc_event panic;		/* line 0: the kernel did not */
	uint64_t platforms;		/* possible platforms, by its events; 0: all */
	struct gsc_walk walk;		/* the last one */
	char verdict[1200], signature[160];
};

enum gsc_status gsc_story_new(struct gsc_story **out, const struct gsc_db *db,
			      struct gsc_source *source, const struct gsc_gpu *gpu,
			      const struct gsc_hang_options *options, struct gsc_error *err)
{
	struct gsc_story *story = calloc(1, sizeof(*story));

	*out = story;
	if (!story)
		return err_memory(err);
	story->db = db;
	story->source = source;
	story->tables.gpu = gpu;
	story->no_walk = options && options->no_walk;
	return GSC_OK;
}

void gsc_story_free(struct gsc_story *story)
{
	if (!story)
		return;
	hang_tables_free(&story->tables);
	free(story);
}

static bool is_type(const struct gsc_event *event, const char *type)
{
	return event->fault.type && !strcmp(event->fault.type, type);
}

static enum noun noun_of(const struct gsc_event *event)
{
	static const enum noun nouns[GSC_EVENT_KINDS] = {
		[GSC_EVENT_FAULT] = FAULTS, [GSC_EVENT_DMA_FAULT] = DMA_FAULTS,
		[GSC_EVENT_ERROR] = ERRORS, [GSC_EVENT_HANG] = HANGS, [GSC_EVENT_RESET] = RESETS,
	};

	return is_type(event, LOG_FAILED_RESET) ? FAILED_RESETS :
	       is_type(event, LOG_CANCELLED)	? CANCELLED :
	       is_type(event, LOG_CAT)		? CAT_ERRORS :
						  nouns[event->kind];
}

#define SOON_SECONDS 10.0		/* of events that belong together: a dump takes time */
#define SOON_LINES 60			/* the same if the log has no times */

static bool soon_after(const struct gsc_event *first, const struct gsc_event *event)
{
	if (first->has_time && event->has_time)
		return event->time >= first->time && event->time - first->time < SOON_SECONDS;
	return event->line - first->line < SOON_LINES;
}

static bool other_device(const struct gsc_event *a, const struct gsc_event *b)
{
	return *a->device && *b->device && strcmp(a->device, b->device);
}

/* What only follows from something else: the driver prints the reason before it, if it has one. */
static bool is_consequence(const struct gsc_event *event)
{
	return event->kind == GSC_EVENT_RESET || is_type(event, LOG_TRIED) ||
	       is_type(event, LOG_FAILED_RESET) || is_type(event, LOG_CANCELLED) ||
	       is_type(event, LOG_WEDGED) || is_type(event, LOG_PROBE);
}

static void set_first(struct gsc_story *story, enum gsc_event_rank rank,
		      const struct gsc_event *event)
{
	story->firsts[rank] = *event;
	story->firsts[rank].log = NULL;
	story->firsts[rank].log_length = 0;
}

/*
 * The first event of a rank. A hang is logged when its dump is complete, which may be after the
 * reset: then it is the first nonetheless. What the driver reported just before it gave up, and no
 * rule knows, is the reason.
 */
static void add_first(struct gsc_story *story, const struct gsc_event *event)
{
	struct gsc_event *first = &story->firsts[event->rank];
	struct gsc_event *report = &story->report;

	if (is_type(event, LOG_REPORT) && (!report->line || !soon_after(report, event)))
		*report = *event;
	if (!story->firsts[event->rank].line) {
		set_first(story, event->rank, event);
		if (event->rank != GSC_EVENT_MAIN)
			return;
		memcpy(story->engine, event->fault.engine, sizeof(story->engine));
		if (!is_consequence(event) || event->kind == GSC_EVENT_RESET || !report->line ||
		    !soon_after(report, event))
			return;
		set_first(story, GSC_EVENT_MAIN, report);
		story->counts[GSC_EVENT_MAIN][ERRORS]++;
		if (!*story->engine)
			memcpy(story->engine, report->fault.engine, sizeof(story->engine));
	} else if (event->kind == GSC_EVENT_HANG && is_consequence(first) &&
		   !is_type(first, LOG_ASKED) && soon_after(first, event) &&
		   !other_device(first, event)) {
		set_first(story, event->rank, event);
		if (*event->fault.engine)
			memcpy(story->engine, event->fault.engine, sizeof(story->engine));
	}
}

void gsc_story_add(struct gsc_story *story, const struct gsc_event *event)
{
	uint64_t count = 1 + (uint64_t)event->repeats;
	struct gsc_event *first;

	if (event->platforms && (!story->platforms || story->platforms & event->platforms))
		story->platforms = event->platforms & (story->platforms ? story->platforms
									  : UINT64_MAX);
	if (is_type(event, LOG_UNDERRUN)) {
		story->underruns += count;
		return;
	}
	if (is_type(event, LOG_ENGINE)) {
		if (!story->busy.line &&
		    log_value_of(event, "RING_HEAD") != log_value_of(event, "RING_TAIL"))
			story->busy = *event;
		return;
	}
	if (is_type(event, LOG_OTHER)) {
		if (!story->other.line)
			story->other = *event;
		return;
	}
	if (event->kind == GSC_EVENT_DUMP) {
		if (is_type(event, LOG_DELETED))
			story->dropped = MIN(story->dropped + count, story->dumps);
		else
			story->dumps += count;
		if (story->dumps == count && !story->dropped)
			story->dump = event->line;
		return;
	}
	if (is_type(event, LOG_PANIC) && !story->panic.line)
		story->panic = *event;
	if (is_type(event, LOG_PANIC))
		return;
	add_first(story, event);
	first = &story->firsts[event->rank];
	story->many |= other_device(first, event);
	/* The reset names no process, the context that was discarded does. */
	if (is_type(event, LOG_CANCELLED) && is_consequence(first) && !*first->process &&
	    soon_after(first, event))
		memcpy(first->process, event->process, sizeof(first->process));
	if (event->rank == GSC_EVENT_ASIDE) {
		story->marked |= event->log && memmem(event->log, event->log_length, "*ERROR*", 7);
		story->asides += count;
		return;
	}
	if (event->wedged && !story->wedged.line)
		story->wedged = *event;
	if (!is_type(event, LOG_WEDGED) && !is_type(event, LOG_TRIED))
		story->counts[event->rank][noun_of(event)] += count;
	if (!*story->engine && story->firsts[GSC_EVENT_MAIN].line &&
	    story->firsts[GSC_EVENT_MAIN].kind == GSC_EVENT_HANG && event->kind == GSC_EVENT_HANG)
		memcpy(story->engine, event->fault.engine, sizeof(story->engine));
}

/* The event that begins the story: NULL if nothing went wrong. */
static const struct gsc_event *head_of(const struct gsc_story *story)
{
	for (unsigned rank = 0; rank < GSC_EVENT_ASIDE; rank++)
		if (story->firsts[rank].line)
			return &story->firsts[rank];
	return NULL;
}

const struct gsc_source *story_source(const struct gsc_story *story)
{
	return story->source;
}

/* ---- walks ---------------------------------------------------------------------------------- */

/* What the IOMMU's tables for requests without PASID cannot have caused is not looked up there. */
const struct gsc_walk *gsc_story_walk(struct gsc_story *story, const struct gsc_event *event,
				      const struct gsc_translation **translation, char *why,
				      size_t size)
{
	const struct gsc_fault *fault = &event->fault;
	struct gsc_error err;

	*why = 0;
	if (!fault->has_address)
		return NULL;
	if (story->no_walk)
		snprintf(why, size, "walks were turned off");
	else if (!story->source)
		snprintf(why, size, "no source of page tables was given");
	else if (!story->tables.gpu)
		snprintf(why, size, "the platform is unknown");
	else if (event->kind == GSC_EVENT_DMA_FAULT && event->has_pasid)
		snprintf(why, size, "second-level tables: sources have only those for requests "
				    "without PASID, but this request had PASID 0x%x", event->pasid);
	else if (event->kind == GSC_EVENT_DMA_FAULT && !log_second_level(event))
		snprintf(why, size, "second-level tables: fault reason 0x%x does not concern them",
			 event->reason);
	if (*why)
		return NULL;
	if (hang_tables_open(&story->tables, fault, event->device, &err)) {
		snprintf(why, size, "%.*s", (int)size - 1, err.why);
		return NULL;
	}
	return hang_tables_walk(&story->tables, fault, event->device, &story->walk, translation,
				why, size) ? &story->walk : NULL;
}

bool gsc_story_doubt(struct gsc_story *story, const struct gsc_event *event,
		     struct gsc_breach *breach)
{
	const struct gsc_translation *translation;
	const struct gsc_walk *walk;
	char why[200];

	if (!event->fault.valid)
		return false;
	walk = gsc_story_walk(story, event, &translation, why, sizeof(why));
	if (!walk || !walk->mapped)
		return false;
	*breach = (struct gsc_breach){ .rule = HANG_MAPPED_NOW };
	string_set(breach->where, "line %zu", event->line);
	string_set(breach->text, HANG_MAPPED_TEXT, LL(walk->address));
	return true;
}

/* ---- the sentence --------------------------------------------------------------------------- */

#define add(story, ...) string_add((story)->verdict, __VA_ARGS__)

/* " (line 4)", " (line 4, 0000:04:00.0)" if it may be another GPU than the first event's. */
static void add_place(struct gsc_story *story, const struct gsc_event *event,
		      const struct gsc_event *first)
{
	bool named = *event->device && (story->many || (first && other_device(first, event)));

	add(story, " (line %zu%s%s)", event->line, named ? ", " : "", named ? event->device : "");
}

/* "2 page faults, 1 hang and 3 resets": what came in addition to the first. */
static void add_rest(struct gsc_story *story, const struct gsc_event *first)
{
	static const struct {
		const char *one, *more;
	} names[NOUNS] = {
		[FAULTS] = { "page fault", "page faults" },
		[CAT_ERRORS] = { "CAT error", "CAT errors" },
		[DMA_FAULTS] = { "DMA fault", "DMA faults" },
		[ERRORS] = { "error", "errors" }, [HANGS] = { "hang", "hangs" },
		[RESETS] = { "reset", "resets" },
		[FAILED_RESETS] = { "failed reset", "failed resets" },
		[CANCELLED] = { "context discarded", "contexts discarded" },
	};
	uint64_t counts[NOUNS];
	unsigned kinds = 0, told = 0;

	for (unsigned i = 0; i < NOUNS; i++) {
		counts[i] = story->counts[first->rank][i];
		if (i == noun_of(first) && !is_type(first, LOG_WEDGED) &&
		    !is_type(first, LOG_TRIED) && counts[i])
			counts[i]--;
		kinds += counts[i] != 0;
	}
	for (unsigned i = 0; i < NOUNS; i++) {
		if (!counts[i])
			continue;
		add(story, "%s%llu %s",
		    !told ? "; then came " : told + 1 < kinds ? ", " : " and ",
		    LL(counts[i]), counts[i] == 1 ? names[i].one : names[i].more);
		told++;
	}
	if (story->many)
		add(story, "; several GPUs are concerned");
	if (story->wedged.line && story->wedged.line != first->line) {
		add(story, "; the driver gave up on the GPU");
		add_place(story, &story->wedged, first);
	}
	if (story->panic.line)
		add(story, "; %s (line %zu)", story->panic.fault.text, story->panic.line);
}

/* What stopped nothing: underruns, advice, and what is less serious than the first. */
static void add_asides(struct gsc_story *story, const struct gsc_event *head)
{
	const struct gsc_event *aside = story->firsts[GSC_EVENT_ASIDE].line ?
		&story->firsts[GSC_EVENT_ASIDE] : NULL;
	bool lesser = story->firsts[GSC_EVENT_LESSER].line &&
		      (!head || head->rank != GSC_EVENT_LESSER);

	if (lesser)
		aside = &story->firsts[GSC_EVENT_LESSER];
	if (aside) {
		add(story, "; %s", head && aside->line < head->line ? "before that" :
								      "in addition");
		add_place(story, aside, head);
		add(story, ": %s", aside->fault.text);
	}
	if (!head && story->panic.line)
		add(story, "; in addition (line %zu): %s", story->panic.line,
		    story->panic.fault.text);
	if (story->other.line)
		add(story, "; in addition (line %zu): %s", story->other.line,
		    story->other.fault.text);
	if (story->underruns)
		add(story, "%s the display had %llu underrun%s",
		    !head && !aside && !story->other.line && !story->dumps ? ", but" :
									     "; in addition,",
		    LL(story->underruns), story->underruns == 1 ? "" : "s");
	add(story, ".");
}

/* The platforms that codes of hangs and names of firmware leave, if nothing else names it. */
static void add_platforms(struct gsc_story *story)
{
	unsigned count = (unsigned)__builtin_popcountll(story->platforms);
	struct gsc_platform platform;
	const char *join = count == 1 ? "" : "one of ";

	if (story->tables.gpu || !story->platforms)
		return;
	add(story, " Going by this log, the platform is ");
	for (unsigned i = 0; gsc_platform_at(story->db, i, &platform); i++) {
		if (!(story->platforms >> i & 1))
			continue;
		add(story, "%s%s", join, platform.name);
		join = ", ";
	}
	add(story, count == 1 ? "." : "; name it with -p.");
}

const char *gsc_story_verdict(struct gsc_story *story)
{
	const struct gsc_event *first = head_of(story);
	struct gsc_breach doubt;
	uint64_t events = 0;

	*story->verdict = 0;
	if (!first) {
		/* What the driver calls an error is no clean bill. */
		if (story->dumps)
			add(story, "The GPU failed, but this log does not say how: the kernel kept "
			    "%llu dump%s (line %zu)", LL(story->dumps),
			    story->dumps == 1 ? "" : "s", story->dump);
		else
			add(story, story->marked || story->underruns ?
			    "Nothing in this log stopped the GPU" :
			    "No fault, hang or reset of an Intel GPU in this log");
		if (story->dropped)
			add(story, ", and has dropped %llu of them", LL(story->dropped));
		add_asides(story, NULL);
		add_platforms(story);
		return story->verdict;
	}
	add(story, "First (line %zu%s%s%s%s): %s", first->line, *first->stamp ? ", " : "",
	    first->stamp, story->many && *first->device ? ", " : "",
	    story->many ? first->device : "", first->fault.text);
	if (is_consequence(first) && !strstr(first->fault.text, first->process))
		add(story, "; the work was of %s", first->process);
	if (gsc_story_doubt(story, first, &doubt))
		add(story, "; the source's tables map that address now");
	add_rest(story, first);
	for (unsigned rank = 0; rank < GSC_EVENT_ASIDE; rank++)
		for (unsigned i = 0; i < NOUNS; i++)
			events += story->counts[rank][i];
	events += is_type(first, LOG_WEDGED) || is_type(first, LOG_TRIED);
	if (story->busy.line && !*first->process) {
		add(story, "; %s%s%s", story->busy.fault.engine,
		    *story->busy.fault.engine ? ": " : "", story->busy.fault.text);
		add_place(story, &story->busy, first);
	} else if (events <= 1 && (!story->wedged.line || story->wedged.line == first->line) &&
		   !story->panic.line && !story->asides && !story->underruns) {
		add(story, "; the log has no other event of a GPU");
	}
	if (story->dropped < story->dumps)
		add(story, "; the kernel kept a dump, which has more details");
	add_asides(story, first);
	add_platforms(story);
	return story->verdict;
}

/*
 * What the signature calls an event that is no fault: its type, or else its kind. Checks and
 * crashes differ by their function, quotes by their words.
 */
static void event_class(const struct gsc_event *event, char *buf, size_t size)
{
	const char *end, *from;

	if (!event) {
		snprintf(buf, size, "none");
		return;
	}
	if (is_type(event, LOG_REPORT)) {
		from = strchr(event->fault.text, '"');
		log_slug(from ? from + 1 : event->fault.text, buf, size);
		if (*buf)
			return;
	}
	snprintf(buf, size, "%s", event->kind != GSC_EVENT_HANG && event->fault.type ?
		 event->fault.type : gsc_event_word(event->kind));
	end = is_type(event, LOG_REPORT) ? NULL : strstr(event->fault.text, "()");
	for (from = end; from && from > event->fault.text && is_word(from[-1]); from--)
		;
	if (end)
		string_addf(buf, size, "-%.*s", (int)MIN(end - from, 60), from);
}

const char *gsc_story_signature(struct gsc_story *story)
{
	const struct gsc_gpu *gpu = story->tables.gpu;
	const struct gsc_event *first = head_of(story);
	const char *engine = *story->engine || !first ? story->engine : story->busy.fault.engine;
	char class[120];

	if (!first && story->dumps)
		string_set(class, "dump");
	else if (first && first->fault.valid)
		hang_fault_class(&first->fault, class, sizeof(class));
	else
		event_class(first, class, sizeof(class));
	hang_sign(story->signature, sizeof(story->signature), gpu ? gpu->platform.name : NULL,
		  engine, NULL, class);
	return story->signature;
}
