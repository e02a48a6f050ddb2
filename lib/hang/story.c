/* SPDX-License-Identifier: MIT */
/* What the events of a log say together, and where the addresses in them lead. */
#include "hang/hang.h"
#include "log/log.h"
#include "util/text.h"

#include <stdio.h>

struct gsc_story {
	const struct gsc_db *db;
	struct gsc_source *source;	/* or NULL */
	struct hang_tables tables;	/* the table in which its faults were looked up */
	bool no_walk;
	/* The first of each rank that is no dump and no underrun; their lines may be gone. */
	struct gsc_event firsts[GSC_EVENT_ASIDE + 1];
	bool has[GSC_EVENT_ASIDE + 1];
	char engine[16];		/* of the first, or of the first hang after it that says */
	/* Including repeats; events aside are in neither. */
	uint64_t counts[GSC_EVENT_ASIDE][GSC_EVENT_KINDS];
	uint64_t underruns, asides;
	size_t wedged;			/* the line; 0: the driver has not given up on the GPU */
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

static void add_first(struct gsc_story *story, const struct gsc_event *event)
{
	struct gsc_event *first = &story->firsts[event->rank];

	if (story->has[event->rank])
		return;
	*first = *event;
	first->log = NULL;
	first->log_length = 0;
	story->has[event->rank] = true;
	if (event->rank == GSC_EVENT_MAIN)
		memcpy(story->engine, event->fault.engine, sizeof(story->engine));
}

void gsc_story_add(struct gsc_story *story, const struct gsc_event *event)
{
	uint64_t count = 1 + (uint64_t)event->repeats;

	if (event->platforms && (!story->platforms || story->platforms & event->platforms))
		story->platforms = event->platforms & (story->platforms ? story->platforms
									  : UINT64_MAX);
	if (event->fault.type && !strcmp(event->fault.type, LOG_UNDERRUN)) {
		story->underruns += count;
		return;
	}
	if (event->fault.type && !strcmp(event->fault.type, LOG_ENGINE))
		return;
	if (event->kind != GSC_EVENT_DUMP)
		add_first(story, event);
	if (event->rank == GSC_EVENT_ASIDE) {
		story->asides += count;
		return;
	}
	story->counts[event->rank][event->kind] += count;
	if (event->wedged && !story->wedged)
		story->wedged = event->line;
	if (!*story->engine && story->has[GSC_EVENT_MAIN] &&
	    story->firsts[GSC_EVENT_MAIN].kind == GSC_EVENT_HANG && event->kind == GSC_EVENT_HANG)
		memcpy(story->engine, event->fault.engine, sizeof(story->engine));
}

/* The event that begins the story: NULL if nothing went wrong. */
static const struct gsc_event *head_of(const struct gsc_story *story)
{
	for (unsigned rank = 0; rank < GSC_EVENT_ASIDE; rank++)
		if (story->has[rank])
			return &story->firsts[rank];
	return NULL;
}

const struct gsc_source *story_source(const struct gsc_story *story)
{
	return story->source;
}

/* ---- walks ---------------------------------------------------------------------------------- */

/* What the IOMMU's tables for requests without PASID cannot have caused is not looked up there. */
static bool elsewhere(const struct gsc_event *event, char *why, size_t size)
{
	if (event->kind != GSC_EVENT_DMA_FAULT)
		return false;
	if (event->has_pasid)
		snprintf(why, size, "second-level tables: sources have only those for requests "
				    "without PASID, but this request had PASID 0x%x", event->pasid);
	else if (!log_second_level(event))
		snprintf(why, size, "second-level tables: fault reason 0x%x does not concern them",
			 event->reason);
	else
		return false;
	return true;
}

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
	if (*why || elsewhere(event, why, size))
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
	snprintf(breach->where, sizeof(breach->where), "line %zu", event->line);
	snprintf(breach->text, sizeof(breach->text), HANG_MAPPED_TEXT,
		 (unsigned long long)walk->address);
	return true;
}

/* ---- the sentence --------------------------------------------------------------------------- */

#define add(story, ...) string_add((story)->verdict, __VA_ARGS__)

/* "2 page faults, 1 hang and 3 resets": what came in addition to the first. */
static void add_rest(struct gsc_story *story, const struct gsc_event *first)
{
	static const char *const names[GSC_EVENT_DUMP] = {
		[GSC_EVENT_FAULT] = "page fault", [GSC_EVENT_DMA_FAULT] = "DMA fault",
		[GSC_EVENT_ERROR] = "error", [GSC_EVENT_HANG] = "hang",
		[GSC_EVENT_RESET] = "reset",
	};
	uint64_t counts[GSC_EVENT_DUMP];
	unsigned kinds = 0, told = 0;

	for (unsigned i = 0; i < GSC_EVENT_DUMP; i++) {
		counts[i] = story->counts[first->rank][i] - (i == first->kind);
		kinds += counts[i] != 0;
	}
	for (unsigned i = 0; i < GSC_EVENT_DUMP; i++) {
		if (!counts[i])
			continue;
		add(story, "%s%llu %s%s",
		    !told ? "; then came " : told + 1 < kinds ? ", " : " and ",
		    (unsigned long long)counts[i], names[i], counts[i] == 1 ? "" : "s");
		told++;
	}
	if (!told)
		add(story, "; nothing followed");
	if (story->wedged && story->wedged != first->line)
		add(story, "; the driver gave up on the GPU (line %zu)", story->wedged);
}

/* What stopped nothing: underruns, advice, and what is less serious than the first. */
static void add_asides(struct gsc_story *story, const struct gsc_event *head)
{
	const struct gsc_event *aside = story->has[GSC_EVENT_ASIDE] ?
		&story->firsts[GSC_EVENT_ASIDE] : NULL;
	bool lesser = story->has[GSC_EVENT_LESSER] &&
		      (!head || head->rank != GSC_EVENT_LESSER);

	if (lesser)
		aside = &story->firsts[GSC_EVENT_LESSER];
	if (aside)
		add(story, "; in addition (line %zu): %s", aside->line, aside->fault.text);
	if (story->underruns)
		add(story, "; in addition, the display had %llu underrun%s",
		    (unsigned long long)story->underruns, story->underruns == 1 ? "" : "s");
	add(story, ".");
}

/* The platforms that the codes of hangs leave, if nothing else names it. */
static void add_platforms(struct gsc_story *story)
{
	unsigned count = (unsigned)__builtin_popcountll(story->platforms);
	struct gsc_platform platform;
	const char *join = count == 1 ? " Going by the hang code, the platform is " :
					" Going by the hang code, the platform is one of ";

	if (story->tables.gpu || !story->platforms)
		return;
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
	bool dump = story->counts[GSC_EVENT_MAIN][GSC_EVENT_DUMP];
	struct gsc_breach doubt;

	*story->verdict = 0;
	if (!first) {
		add(story, "No fault, hang or reset of a GPU in this log%s",
		    dump ? ", but the kernel kept a dump" : "");
		add_asides(story, NULL);
		return story->verdict;
	}
	add(story, "First (line %zu%s%s): %s", first->line, *first->stamp ? ", " : "",
	    first->stamp, first->fault.text);
	if (gsc_story_doubt(story, first, &doubt))
		add(story, "; the source's tables map that address now");
	add_rest(story, first);
	add(story, "%s", dump ? "; the kernel kept a dump, which has more details" : "");
	add_asides(story, first);
	add_platforms(story);
	return story->verdict;
}

const char *gsc_story_signature(struct gsc_story *story)
{
	const struct gsc_gpu *gpu = story->tables.gpu;
	const struct gsc_event *first = head_of(story);
	char class[40];

	if (first && first->fault.valid)
		hang_fault_class(&first->fault, class, sizeof(class));
	else
		snprintf(class, sizeof(class), "%s", first ? gsc_event_word(first->kind) : "none");
	hang_sign(story->signature, sizeof(story->signature), gpu ? gpu->platform.name : NULL,
		  story->engine, NULL, class);
	return story->signature;
}
