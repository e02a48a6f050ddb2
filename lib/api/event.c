/* SPDX-License-Identifier: MIT */
/* Events of kernel logs. */
#include "api/api.h"

#include "hang/log-summary.h"
#include "log/event.h"

#include <string.h>

_Static_assert((int)GPUSCOPE_EVENT_KIND_FAULT == (int)GSC_EVENT_FAULT &&
	       (int)GPUSCOPE_EVENT_KIND_DMA_FAULT == (int)GSC_EVENT_DMA_FAULT &&
	       (int)GPUSCOPE_EVENT_KIND_ERROR == (int)GSC_EVENT_ERROR &&
	       (int)GPUSCOPE_EVENT_KIND_HANG == (int)GSC_EVENT_HANG &&
	       (int)GPUSCOPE_EVENT_KIND_RESET == (int)GSC_EVENT_RESET &&
	       (int)GPUSCOPE_EVENT_KIND_DUMP == (int)GSC_EVENT_DUMP, "enum gpuscope_event_kind");
_Static_assert((int)GPUSCOPE_EVENT_RANK_MAIN == (int)GSC_EVENT_MAIN &&
	       (int)GPUSCOPE_EVENT_RANK_LESSER == (int)GSC_EVENT_LESSER &&
	       (int)GPUSCOPE_EVENT_RANK_ASIDE == (int)GSC_EVENT_ASIDE, "enum gpuscope_event_rank");

const char *gpuscope_event_kind_word(enum gpuscope_event_kind kind)
{
	return gsc_event_word((enum gsc_event_kind)kind);
}

struct event_list {
	struct gpuscope_list list;
	struct log_read log;
};

static const void *event_next(struct gpuscope_list *list)
{
	struct log_read *log = &((struct event_list *)list)->log;
	struct keep *keep = &list->keep;
	struct gpuscope_event *made;
	struct gsc_event event;

	if (!log->log || !gsc_log_next(log->log, &event))
		return NULL;
	made = keep_new(keep, struct gpuscope_event);
	if (!made)
		return NULL;
	made->kind = (enum gpuscope_event_kind)event.kind;
	made->rank = (enum gpuscope_event_rank)event.rank;
	made->line = event.line;
	made->line_count = event.lines;
	made->log = keep_format(keep, "%.*s", (int)event.log_length, event.log ? event.log : "");
	made->stamp = keep_text(keep, event.stamp);
	made->driver = keep_text(keep, event.driver);
	made->device = keep_text(keep, event.device);
	made->process = keep_text(keep, event.process);
	made->fault = logged_fault(keep, list->gpu, log->summary, &event);
	made->repeats = event.repeats;
	return made;
}

static void event_free(struct gpuscope_list *list)
{
	log_end(&((struct event_list *)list)->log);
}

struct gpuscope_error *gpuscope_events(struct gpuscope_gpu *gpu, struct gpuscope_list **out)
{
	struct event_list *list = list_new(sizeof(*list), event_next, event_free, gpu, NULL);
	struct gpuscope_error *error;
	struct gsc_error err;

	*out = NULL;
	if (!list)
		return error_memory();
	error = error_of(log_begin(&list->log, gpu, &err), &err);
	if (error)
		gpuscope_list_free(&list->list);
	else
		*out = &list->list;
	return error;
}
