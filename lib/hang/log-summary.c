/* SPDX-License-Identifier: MIT */
/* What the events of a log say together, and where the addresses in them lead. */
#include "hang/hang.h"
#include "hang/known.h"
#include "hang/log-summary.h"
#include "db/firmware.h"
#include "formats/kernel-log.h"
#include "log/log.h"
#include "util/text.h"

#include <ctype.h>

/* What is counted. */
enum noun {
	FAULTS, CAT_ERRORS, DMA_FAULTS, ERRORS, HANGS, RESETS, FAILED_RESETS, CANCELLED, NOUNS
};

struct gsc_log_summary {
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
	char pipes[240];		/* that had them: "CPU pipe A since line 2 (3 times)" */
	bool marked;			/* the driver calls one of the asides an error */
	uint64_t dumps, dropped;	/* that were kept, and how many of them no longer are */
	size_t dump;			/* the line of the first */
	bool many;			/* events are of several GPUs */
	struct gsc_event other;		/* the first of another GPU's driver; line 0: none */
	struct gsc_event probe;		/* line 0: no driver failed to start its GPU */
	struct gsc_event wedged;	/* line 0: the driver has not given up on the GPU */
	struct gsc_event report;	/* the first of the last quotes; line 0: none */
	struct gsc_event busy;		/* the first engine with work whose state was printed */
	struct gsc_event panic;		/* line 0: the kernel did not */
	uint64_t platforms;		/* possible platforms, by its events; 0: all */
	struct gsc_walk walk;		/* the last one */
	struct gsc_knowns knowns;	/* of gsc_log_summary_read() */
	struct gsc_firmwares firmware;	/* of gsc_log_summary_read() */
	char verdict[1200], signature[160];
};

enum gsc_status gsc_log_summary_new(struct gsc_log_summary **out, const struct gsc_db *db,
			      struct gsc_source *source, const struct gsc_gpu *gpu,
			      const struct gsc_hang_options *options, struct gsc_error *err)
{
	struct gsc_log_summary *summary = calloc(1, sizeof(*summary));

	*out = summary;
	if (!summary)
		return err_memory(err);
	summary->db = db;
	summary->source = source;
	summary->tables.gpu = gpu;
	summary->no_walk = options && options->no_walk;
	return GSC_OK;
}

void gsc_log_summary_free(struct gsc_log_summary *summary)
{
	if (!summary)
		return;
	hang_tables_free(&summary->tables);
	free(summary);
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
#define LINE_MOST 512			/* bytes in front of the name of a file */
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

static void set_first(struct gsc_log_summary *summary, enum gsc_event_rank rank,
		      const struct gsc_event *event)
{
	summary->firsts[rank] = *event;
	summary->firsts[rank].log = NULL;
	summary->firsts[rank].log_length = 0;
}

/*
 * The first event of a rank. A hang is logged when its dump is complete, which may be after the
 * reset: then it is the first nonetheless. What the driver reported just before it gave up, and no
 * rule knows, is the reason.
 */
static void add_first(struct gsc_log_summary *summary, const struct gsc_event *event)
{
	struct gsc_event *first = &summary->firsts[event->rank];
	struct gsc_event *report = &summary->report;

	if (is_type(event, LOG_REPORT) && (!report->line || !soon_after(report, event)))
		*report = *event;
	if (!summary->firsts[event->rank].line) {
		set_first(summary, event->rank, event);
		if (event->rank != GSC_EVENT_MAIN)
			return;
		memcpy(summary->engine, event->fault.engine, sizeof(summary->engine));
		if (!is_consequence(event) || event->kind == GSC_EVENT_RESET || !report->line ||
		    !soon_after(report, event))
			return;
		set_first(summary, GSC_EVENT_MAIN, report);
		summary->counts[GSC_EVENT_MAIN][ERRORS]++;
		if (!*summary->engine)
			memcpy(summary->engine, report->fault.engine, sizeof(summary->engine));
	} else if (event->kind == GSC_EVENT_HANG && is_consequence(first) &&
		   !is_type(first, LOG_ASKED) && soon_after(first, event) &&
		   !other_device(first, event)) {
		set_first(summary, event->rank, event);
		if (*event->fault.engine)
			memcpy(summary->engine, event->fault.engine, sizeof(summary->engine));
	}
}

void gsc_log_summary_add(struct gsc_log_summary *summary, const struct gsc_event *event)
{
	uint64_t count = 1 + (uint64_t)event->repeats;
	struct gsc_event *first;
	const char *end;

	if (event->rank == GSC_EVENT_HARMLESS)
		return;
	if (event->platforms && (!summary->platforms || summary->platforms & event->platforms))
		summary->platforms = event->platforms & (summary->platforms ? summary->platforms
									  : UINT64_MAX);
	if (is_type(event, LOG_UNDERRUN)) {
		summary->underruns += count;
		end = strstr(event->fault.text, " got ");
		if (end && strlen(summary->pipes) + 80 < sizeof(summary->pipes))
			string_add(summary->pipes, "%s%.*s since line %zu (%llu time%s)",
				   *summary->pipes ? ", " : "", (int)(end - event->fault.text),
				   event->fault.text, event->line, LL(count),
				   count == 1 ? "" : "s");
		return;
	}
	if (is_type(event, LOG_ENGINE)) {
		if (!summary->busy.line &&
		    log_value_of(event, "RING_HEAD") != log_value_of(event, "RING_TAIL"))
			summary->busy = *event;
		return;
	}
	if (is_type(event, LOG_OTHER)) {
		if (!summary->other.line)
			summary->other = *event;
		return;
	}
	if (event->kind == GSC_EVENT_DUMP) {
		if (is_type(event, LOG_DELETED))
			summary->dropped = MIN(summary->dropped + count, summary->dumps);
		else
			summary->dumps += count;
		if (summary->dumps == count && !summary->dropped)
			summary->dump = event->line;
		return;
	}
	if (is_type(event, LOG_PANIC) && !summary->panic.line)
		summary->panic = *event;
	if (is_type(event, LOG_PANIC))
		return;
	add_first(summary, event);
	first = &summary->firsts[event->rank];
	summary->many |= other_device(first, event);
	/* The reset names no process, the context that was discarded does. */
	if (is_type(event, LOG_CANCELLED) && is_consequence(first) && !*first->process &&
	    soon_after(first, event))
		memcpy(first->process, event->process, sizeof(first->process));
	if (event->rank == GSC_EVENT_ASIDE) {
		summary->marked |= event->log &&
				   memmem(event->log, event->log_length, "*ERROR*", 7);
		summary->asides += count;
		return;
	}
	if (event->wedged && !summary->wedged.line)
		summary->wedged = *event;
	if (is_type(event, LOG_PROBE) && !summary->probe.line)
		summary->probe = *event;
	if (!is_type(event, LOG_WEDGED) && !is_type(event, LOG_TRIED))
		summary->counts[event->rank][noun_of(event)] += count;
	if (!*summary->engine && summary->firsts[GSC_EVENT_MAIN].line &&
	    summary->firsts[GSC_EVENT_MAIN].kind == GSC_EVENT_HANG && event->kind == GSC_EVENT_HANG)
		memcpy(summary->engine, event->fault.engine, sizeof(summary->engine));
}

/* The event that begins the summary: NULL if nothing went wrong. */
static const struct gsc_event *head_of(const struct gsc_log_summary *summary)
{
	for (unsigned rank = 0; rank < GSC_EVENT_ASIDE; rank++)
		if (summary->firsts[rank].line)
			return &summary->firsts[rank];
	return NULL;
}

bool gsc_log_summary_tells(struct gsc_log_summary *summary)
{
	return head_of(summary) || summary->dumps;
}

const struct gsc_event *log_summary_first(const struct gsc_log_summary *summary)
{
	return head_of(summary);
}

const struct gsc_source *log_summary_source(const struct gsc_log_summary *summary)
{
	return summary->source;
}

/* ---- walks ---------------------------------------------------------------------------------- */

/* What the IOMMU's tables for requests without PASID cannot have caused is not looked up there. */
const struct gsc_walk *gsc_log_summary_walk(struct gsc_log_summary *summary,
				      const struct gsc_event *event,
				      const struct gsc_translation **translation, char *why,
				      size_t size)
{
	const struct gsc_fault *fault = &event->fault;
	struct gsc_error err;

	*why = 0;
	if (!fault->has_address)
		return NULL;
	if (summary->no_walk)
		snprintf(why, size, "walks were turned off");
	else if (!summary->source)
		snprintf(why, size, "no source of page tables was given");
	else if (!summary->tables.gpu)
		snprintf(why, size, "the platform is unknown");
	else if (event->kind == GSC_EVENT_DMA_FAULT && event->has_pasid)
		snprintf(why, size, "second-level tables: sources have only those for requests "
				    "without PASID, but this request had PASID 0x%x", event->pasid);
	else if (event->kind == GSC_EVENT_DMA_FAULT && !log_second_level(event))
		snprintf(why, size, "second-level tables: fault reason 0x%x does not concern them",
			 event->reason);
	if (*why)
		return NULL;
	if (hang_tables_open(&summary->tables, fault, event->device, &err)) {
		snprintf(why, size, "%.*s", (int)size - 1, err.why);
		return NULL;
	}
	return hang_tables_walk(&summary->tables, fault, event->device, &summary->walk, translation,
				why, size) ? &summary->walk : NULL;
}

bool gsc_log_summary_doubt(struct gsc_log_summary *summary, const struct gsc_event *event,
		     struct gsc_breach *breach)
{
	const struct gsc_translation *translation;
	const struct gsc_walk *walk;
	char why[200];

	if (!event->fault.valid)
		return false;
	walk = gsc_log_summary_walk(summary, event, &translation, why, sizeof(why));
	if (!walk || !walk->mapped)
		return false;
	*breach = (struct gsc_breach){ .rule = HANG_MAPPED_NOW };
	string_set(breach->where, "line %zu", event->line);
	string_set(breach->text, HANG_MAPPED_TEXT, LL(walk->address));
	return true;
}

/* ---- the sentence --------------------------------------------------------------------------- */

#define add(summary, ...) string_add((summary)->verdict, __VA_ARGS__)

/* " (line 4)", " (line 4, 0000:04:00.0)" if it may be another GPU than the first event's. */
static void add_place(struct gsc_log_summary *summary, const struct gsc_event *event,
		      const struct gsc_event *first)
{
	bool named = *event->device && (summary->many || (first && other_device(first, event)));

	add(summary, " (line %zu%s%s)", event->line, named ? ", " : "", named ? event->device : "");
}

/*
 * Whether the verdict begins with the driver that did not start: without it nothing works, and what
 * came first is why. A log may have an earlier boot.
 */
static bool leads(const struct gsc_log_summary *summary, const struct gsc_event *first)
{
	const struct gsc_event *probe = &summary->probe;

	return probe->line && first && (first->line >= probe->line || soon_after(first, probe)) &&
	       !other_device(first, probe);
}

/* "2 page faults, 1 hang and 3 resets": what came in addition to the first. */
static void add_rest(struct gsc_log_summary *summary, const struct gsc_event *first)
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
	bool led = summary->probe.line != first->line && leads(summary, first);
	uint64_t counts[NOUNS];
	unsigned kinds = 0, told = 0;

	for (unsigned i = 0; i < NOUNS; i++) {
		counts[i] = summary->counts[first->rank][i];
		if (led)
			counts[i] += (first->rank ? summary->counts[GSC_EVENT_MAIN][i] : 0) -
				     (i == ERRORS);
		if (i == noun_of(first) && !is_type(first, LOG_WEDGED) &&
		    !is_type(first, LOG_TRIED) && counts[i])
			counts[i]--;
		kinds += counts[i] != 0;
	}
	for (unsigned i = 0; i < NOUNS; i++) {
		if (!counts[i])
			continue;
		add(summary, "%s%llu %s",
		    !told ? "; then came " : told + 1 < kinds ? ", " : " and ",
		    LL(counts[i]), counts[i] == 1 ? names[i].one : names[i].more);
		told++;
	}
	if (summary->many)
		add(summary, "; several GPUs are concerned");
	if (summary->wedged.line && summary->wedged.line != first->line) {
		add(summary, "; the driver gave up on the GPU");
		add_place(summary, &summary->wedged, first);
	}
	if (summary->probe.line > first->line && !led) {
		add(summary, "; %s", summary->probe.fault.text);
		add_place(summary, &summary->probe, first);
	}
	if (summary->panic.line)
		add(summary, "; %s (line %zu)", summary->panic.fault.text, summary->panic.line);
}

/* What stopped nothing: underruns, advice, and what is less serious than the first. */
static void add_asides(struct gsc_log_summary *summary, const struct gsc_event *head)
{
	const struct gsc_event *aside = summary->firsts[GSC_EVENT_ASIDE].line ?
		&summary->firsts[GSC_EVENT_ASIDE] : NULL;
	bool lesser = summary->firsts[GSC_EVENT_LESSER].line &&
		      (!head || head->rank != GSC_EVENT_LESSER);

	if (lesser)
		aside = &summary->firsts[GSC_EVENT_LESSER];
	if (aside) {
		add(summary, "; %s", head && aside->line < head->line ? "before that" :
								      "in addition");
		add_place(summary, aside, head);
		add(summary, ": %s", aside->fault.text);
	}
	if (!head && summary->panic.line)
		add(summary, "; in addition (line %zu): %s", summary->panic.line,
		    summary->panic.fault.text);
	if (summary->other.line)
		add(summary, "; in addition (line %zu): %s", summary->other.line,
		    summary->other.fault.text);
	if (summary->underruns)
		add(summary, "%s the display had %llu underrun%s, which flicker%s: %s",
		    !head && !aside && !summary->other.line && !summary->dumps ? ", but" :
									     "; in addition,",
		    LL(summary->underruns), summary->underruns == 1 ? "" : "s",
		    summary->underruns == 1 ? "s" : "", summary->pipes);
	add(summary, ".");
}

/* The platforms that codes of hangs and names of firmware leave, if nothing else names it. */
static void add_platforms(struct gsc_log_summary *summary)
{
	bool one = !(summary->platforms & (summary->platforms - 1));
	char names[400];

	if (summary->tables.gpu || !summary->platforms)
		return;
	gsc_platforms_text(summary->db, summary->platforms, ", ", names, sizeof(names));
	add(summary, " Going by this log, the platform is %s%s", one ? "" : "one of ", names);
	add(summary, one ? "." : "; name it with -p.");
}

const char *gsc_log_summary_verdict(struct gsc_log_summary *summary)
{
	const struct gsc_event *first = head_of(summary), *probe = &summary->probe;
	const struct gsc_event *lesser = &summary->firsts[GSC_EVENT_LESSER];
	struct gsc_breach doubt;
	uint64_t events = 0;

	*summary->verdict = 0;
	if (!first) {
		/* What the driver calls an error is no clean bill. */
		if (summary->dumps)
			add(summary, "The GPU failed, but this log does not say how: the kernel "
			    "kept %llu dump%s (line %zu)", LL(summary->dumps),
			    summary->dumps == 1 ? "" : "s", summary->dump);
		else
			add(summary, summary->marked || summary->underruns ?
			    "Nothing in this log stopped the GPU" :
			    "No fault, hang or reset of an Intel GPU in this log");
		if (summary->dropped)
			add(summary, ", and has dropped %llu of them", LL(summary->dropped));
		add_asides(summary, NULL);
		add_platforms(summary);
		return summary->verdict;
	}
	if (leads(summary, first)) {
		add(summary, "%c%s", toupper((unsigned char)*probe->fault.text),
		    probe->fault.text + 1);
		add_place(summary, probe, NULL);
		add(summary, ", so nothing works on it");
		/* A lesser failure before it is the only reason that the log has. */
		if (first->line == probe->line && lesser->line && lesser->line < probe->line)
			first = lesser;
	}
	if (first->line != probe->line)
		add(summary, "%sFirst (line %zu%s%s%s%s): %s", *summary->verdict ? ". " : "",
		    first->line, *first->stamp ? ", " : "", first->stamp,
		    summary->many && *first->device ? ", " : "",
		    summary->many ? first->device : "", first->fault.text);
	if (is_consequence(first) && !strstr(first->fault.text, first->process))
		add(summary, "; the work was of %s", first->process);
	if (gsc_log_summary_doubt(summary, first, &doubt))
		add(summary, "; the source's tables map that address now");
	add_rest(summary, first);
	for (unsigned rank = 0; rank < GSC_EVENT_ASIDE; rank++)
		for (unsigned i = 0; i < NOUNS; i++)
			events += summary->counts[rank][i];
	events += is_type(first, LOG_WEDGED) || is_type(first, LOG_TRIED);
	if (summary->busy.line && !*first->process) {
		add(summary, "; %s%s%s", summary->busy.fault.engine,
		    *summary->busy.fault.engine ? ": " : "", summary->busy.fault.text);
		add_place(summary, &summary->busy, first);
	} else if (events <= 1 && (!summary->wedged.line || summary->wedged.line == first->line) &&
		   !summary->panic.line && !summary->asides && !summary->underruns) {
		add(summary, "; the log has no other event of a GPU");
	}
	if (summary->dropped < summary->dumps)
		add(summary, "; the kernel kept a dump, which has more details");
	add_asides(summary, first);
	add_platforms(summary);
	return summary->verdict;
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

const char *gsc_log_summary_signature(struct gsc_log_summary *summary)
{
	const struct gsc_gpu *gpu = summary->tables.gpu;
	const struct gsc_event *first = head_of(summary);
	const char *engine = *summary->engine || !first ? summary->engine
							: summary->busy.fault.engine;
	char class[120];

	if (!first && summary->dumps)
		string_set(class, "dump");
	else if (first && first->fault.valid)
		hang_fault_class(&first->fault, class, sizeof(class));
	else
		event_class(first, class, sizeof(class));
	hang_sign(summary->signature, sizeof(summary->signature), gpu ? gpu->platform.name : NULL,
		  engine, NULL, class);
	return summary->signature;
}

/* What its first event says counts, and what all events say about the platform. */
static void find_knowns(struct gsc_log_summary *summary, struct slice text)
{
	const struct gsc_gpu *gpu = summary->tables.gpu;
	struct known_case c = { .platforms = summary->platforms,
				.signature = gsc_log_summary_signature(summary) };

	if (gpu)
		c.platforms = UINT64_C(1) << gpu->platform.index;
	for (unsigned rank = GSC_EVENT_ASIDE + 1; rank-- > 0;)
		if (summary->firsts[rank].line) {
			c.driver = summary->firsts[rank].driver;
			c.process = summary->firsts[rank].process;
		}
	known_find_log(&summary->knowns, summary->db, &c, text);
}

/*
 * All files of firmware that the driver loads leave fewer platforms, wherever in the log that is:
 *   i915 0000:00:02.0: [drm] GT0: GuC firmware i915/mtl_guc_70.bin version 70.36.0
 */
static void narrow(struct gsc_log_summary *summary, struct slice log)
{
	struct slice rest = log, path, front;
	const char *device = "";
	uint64_t platforms;

	for (unsigned rank = 0; rank <= GSC_EVENT_ASIDE && !*device; rank++)
		device = summary->firsts[rank].device;
	while (*device && kernel_log_firmware(log, &rest, &path)) {
		front = (struct slice){ path.at - MIN(path.at - log.at, LINE_MOST), path.at };
		front.at = memrchr(front.at, '\n', slice_length(front)) ?: front.at;
		platforms = firmware_platforms(summary->db, path);
		if (slice_find(front, device))
			summary->platforms = platforms & summary->platforms ?:
					     summary->platforms ?: platforms;
	}
}

void gsc_log_summary_read(struct gsc_log_summary *summary, struct gsc_log *log)
{
	const struct gsc_gpu *gpu = summary->tables.gpu;
	struct gsc_event event;

	gsc_log_rewind(log, gpu ? gpu->view : NULL);
	while (gsc_log_next(log, &event))
		gsc_log_summary_add(summary, &event);
	narrow(summary, log_cleaned(log));
	find_knowns(summary, log_cleaned(log));
	firmware_read(&summary->firmware, summary->db, summary->source, log_cleaned(log),
		      gpu ? UINT64_C(1) << gpu->platform.index : summary->platforms);
}

const struct gsc_firmwares *gsc_log_summary_firmware(const struct gsc_log_summary *summary)
{
	return &summary->firmware;
}

const struct gsc_knowns *gsc_log_summary_known(const struct gsc_log_summary *summary)
{
	return &summary->knowns;
}
