/* SPDX-License-Identifier: MIT */
/* What all forms of a case say: its verdict, where it is, who wrote the dump. */
#include "out/case.h"

#include <stdio.h>

static bool by_log(const struct gsc_case *c)
{
	return c->summary && (c->log_first || !c->hang);
}

const char *case_verdict(const struct gsc_case *c)
{
	return by_log(c) ? gsc_log_summary_verdict(c->summary) : c->hang ? c->hang->verdict : "";
}

const char *case_signature(const struct gsc_case *c)
{
	return by_log(c) ? gsc_log_summary_signature(c->summary) : c->hang ? c->hang->signature
									   : "";
}

void case_known(const struct gsc_case *c, struct gsc_knowns *knowns)
{
	*knowns = (struct gsc_knowns){ 0 };
	if (by_log(c))
		*knowns = *gsc_log_summary_known(c->summary);
	else if (c->hang)
		gsc_hang_known(c->hang, knowns);
}

const char *case_class(const struct gsc_case *c)
{
	const char *slash = strrchr(case_signature(c), '/');

	return slash ? slash + 1 : "";
}

bool case_failed(const struct gsc_case *c)
{
	const struct gsc_source *source = c->hang && !by_log(c) ? gsc_gpu_source(c->hang->gpu)
								: NULL;

	return strcmp(case_class(c), "none") ||
	       (source && (gsc_source_has(source, GSC_SOURCE_ERROR_STATE) ||
			   gsc_source_has(source, GSC_SOURCE_DEVCOREDUMP)));
}

bool case_unclear(const struct gsc_case *c)
{
	if (by_log(c) || !c->hang || case_failed(c))
		return false;
	for (size_t i = 0; i < c->hang->engines.count; i++)
		if (c->hang->engines.items[i].e.state != GSC_ENGINE_UNKNOWN)
			return false;
	return true;
}

const struct gsc_fault *case_fault(const struct gsc_case *c)
{
	const struct gsc_event *first = by_log(c) ? log_summary_first(c->summary) : NULL;
	const struct gsc_fault *fault = NULL;

	if (by_log(c))
		return first && first->fault.valid ? &first->fault : NULL;
	if (c->hang && c->hang->worst)
		fault = hang_fault_of(c->hang, c->hang->worst->e.name);
	return fault || !c->hang ? fault : hang_fault_of(c->hang, NULL);
}

const char *case_address(const struct gsc_fault *fault, char *buf, size_t size)
{
	*buf = 0;
	if (fault && fault->has_address)
		snprintf(buf, size, "%s%s0x%llx", fault->space ? fault->space : "",
			 fault->space ? ":" : "", LL(fault->address));
	return buf;
}

const char *case_driver(const struct gsc_case *c, char *buf, size_t size)
{
	const struct gsc_event *first = c->summary ? log_summary_first(c->summary) : NULL;
	const struct gsc_source *source = c->hang ? gsc_gpu_source(c->hang->gpu) : NULL;

	if (!source || !driver_of_source(source, buf, size))
		snprintf(buf, size, "%s", first ? first->driver : "");
	return buf;
}

size_t case_line(const struct gsc_case *c)
{
	const struct gsc_event *first = by_log(c) ? log_summary_first(c->summary) : NULL;

	return first ? first->line : 0;
}

bool case_event(const struct gsc_case *c, struct gsc_event *event)
{
	while (c->log && gsc_log_next(c->log, event))
		if (event->rank == GSC_EVENT_MAIN)
			return true;
	return false;
}

void case_findings(const struct gsc_case *c, gsc_breach_fn *each, void *context)
{
	struct gsc_breach breach;
	struct gsc_event event;

	if (c->hang)
		gsc_hang_check(c->hang, each, context, NULL);
	if (!c->log || !log_summary_source(c->summary))
		return;
	gsc_log_rewind(c->log, c->view);
	while (gsc_log_next(c->log, &event))
		if (gsc_log_summary_doubt(c->summary, &event, &breach) && !each(context, &breach))
			return;
}
