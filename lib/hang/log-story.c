/* SPDX-License-Identifier: MIT */
/* What the events of a log tell together, and where the addresses in them lead. */
#include "hang/hang.h"
#include "hang/log.h"

#include <stdio.h>

struct gsc_story {
	struct hang_tables tables;	/* that its faults went by */
	bool no_walk;
	struct gsc_event first;		/* that is no dump and no underrun; its line may be gone */
	bool has_first;
	char engine[16];		/* of the first, or of the first hang after it that says */
	uint64_t counts[GSC_EVENT_KINDS], underruns;	/* with what was repeated */
	struct gsc_walk walk;		/* the last one */
	char verdict[1000], signature[160];
};

enum gsc_status gsc_story_new(struct gsc_story **out, struct gsc_source *source,
			      const struct gsc_view *view, const struct gsc_hang_options *options,
			      struct gsc_error *err)
{
	struct gsc_story *story = calloc(1, sizeof(*story));

	*out = story;
	if (!story)
		return err_memory(err);
	story->tables.source = source;
	story->tables.view = view;
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

bool gsc_story_add(void *context, const struct gsc_event *event)
{
	struct gsc_story *story = context;
	uint64_t count = 1 + (uint64_t)event->repeats;

	if (event->fault.type && !strcmp(event->fault.type, LOG_UNDERRUN)) {
		story->underruns += count;
		return true;
	}
	if (event->fault.type && !strcmp(event->fault.type, LOG_ENGINE))
		return true;
	story->counts[event->kind] += count;
	if (!story->has_first && event->kind != GSC_EVENT_DUMP) {
		story->first = *event;
		story->first.log = NULL;
		story->first.log_length = 0;
		story->has_first = true;
		memcpy(story->engine, event->fault.engine, sizeof(story->engine));
	}
	if (!*story->engine && story->first.kind == GSC_EVENT_HANG && event->kind == GSC_EVENT_HANG)
		memcpy(story->engine, event->fault.engine, sizeof(story->engine));
	return true;
}

const struct gsc_source *gsc_story_source(const struct gsc_story *story)
{
	return story->tables.source;
}

/* ---- walks ---------------------------------------------------------------------------------- */

/* What the IOMMU's tables for requests without PASID cannot have caused is not looked up there. */
static bool elsewhere(const struct gsc_event *event, char *why, size_t size)
{
	if (event->kind != GSC_EVENT_DMA_FAULT)
		return false;
	if (event->has_pasid)
		snprintf(why, size, "second-level tables: sources have those of requests without "
			 "PASID, and this one had PASID 0x%x", event->pasid);
	else if (!log_second_level(event))
		snprintf(why, size, "second-level tables: reason 0x%x does not come from them",
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
		snprintf(why, size, "walks were not asked for");
	else if (!story->tables.source)
		snprintf(why, size, "no source of page tables is given");
	else if (!story->tables.view)
		snprintf(why, size, "nothing tells the platform");
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

static void add(struct gsc_story *story, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct gsc_story *story, const char *format, ...)
{
	size_t length = strlen(story->verdict);
	va_list args;

	va_start(args, format);
	vsnprintf(story->verdict + length, sizeof(story->verdict) - length, format, args);
	va_end(args);
}

/* "2 page faults, 1 hang and 3 resets" of what came after the first. */
static void add_rest(struct gsc_story *story)
{
	static const char *const names[GSC_EVENT_DUMP] = {
		[GSC_EVENT_FAULT] = "page fault", [GSC_EVENT_DMA_FAULT] = "DMA fault",
		[GSC_EVENT_ERROR] = "error", [GSC_EVENT_HANG] = "hang",
		[GSC_EVENT_RESET] = "reset",
	};
	uint64_t counts[GSC_EVENT_DUMP];
	unsigned kinds = 0, told = 0;

	for (unsigned i = 0; i < GSC_EVENT_DUMP; i++) {
		counts[i] = story->counts[i] - (i == story->first.kind);
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
}

static void add_underruns(struct gsc_story *story)
{
	if (story->underruns)
		add(story, "; besides, %llu underrun%s of the display",
		    (unsigned long long)story->underruns, story->underruns == 1 ? "" : "s");
	add(story, ".");
}

const char *gsc_story_verdict(struct gsc_story *story)
{
	const struct gsc_event *first = &story->first;
	bool dump = story->counts[GSC_EVENT_DUMP];
	struct gsc_breach doubt;

	*story->verdict = 0;
	if (!story->has_first) {
		add(story, "No fault, hang or reset of a GPU in this log%s",
		    dump ? ", but a dump that the kernel has kept" : "");
		add_underruns(story);
		return story->verdict;
	}
	add(story, "First (line %zu%s%s): %s", first->line, *first->stamp ? ", " : "",
	    first->stamp, first->fault.text);
	if (gsc_story_doubt(story, first, &doubt))
		add(story, "; the source's tables map that address now");
	add_rest(story);
	add(story, "%s", dump ? "; the kernel has kept a dump, which tells more" : "");
	add_underruns(story);
	return story->verdict;
}

const char *gsc_story_signature(struct gsc_story *story)
{
	const struct gsc_view *view = story->tables.view;
	const struct gsc_fault *fault = &story->first.fault;
	struct gsc_platform platform = { .name = NULL };
	char class[40];

	if (view)
		gsc_platform_at(view->db, view->platform, &platform);
	if (story->has_first && fault->valid)
		hang_fault_class(fault, class, sizeof(class));
	else
		snprintf(class, sizeof(class), "%s",
			 story->has_first ? gsc_event_word(story->first.kind) : "none");
	hang_sign(story->signature, sizeof(story->signature), platform.name, story->engine,
		  NULL, class);
	return story->signature;
}
