/* SPDX-License-Identifier: MIT */
/* The verdict and what it rests on, for a minute's reading. */
#include "report.h"
#include "db/engine.h"

#include <string.h>
#include <strings.h>

static void put_stuck(struct report *r, const struct gsc_engine *e)
{
	struct html *h = &r->html;
	char used[40], size[40];

	html_open(h, "li", NULL);
	html_put(h, "<a href=\"#engine-");
	html_text(h, e->name);
	html_put(h, "\">");
	html_format(h, "%s", e->name);
	html_put(h, "</a> ");
	html_format(h, "(the %s) %s", gsc_engine_title(e->name),
		    e->state == GSC_ENGINE_HUNG ? "hangs" :
		    e->state == GSC_ENGINE_WAITING ? "waits" : "is running");
	if (*e->where)
		html_format(h, ": %s", e->where);
	if (e->known & GSC_KNOWN_RING && e->used)
		html_format(h, ". %s of commands are pending in its ring of %s",
			    human_size(e->used, used, sizeof(used)),
			    human_size(e->ring_bytes, size, sizeof(size)));
	html_text(h, ".");
	html_close(h);
}

static void put_faults(struct report *r)
{
	struct html *h = &r->html;
	struct gsc_fault fault;

	for (size_t i = 0; gsc_hang_fault(r->hang, i, &fault) && i < 8; i++) {
		if (!fault.valid && !fault.has_address)
			continue;
		html_open(h, "li", NULL);
		html_put(h, "<a href=\"#faults\">");
		html_text(h, fault.valid ? "A page fault" : "A possible page fault");
		html_put(h, "</a>: ");
		html_text(h, *fault.text ? fault.text : fault.type ? fault.type :
			  "no details");
		put_cause(r, i);
		html_close(h);
	}
}

static void put_others(struct report *r)
{
	static const enum gsc_engine_state states[] = { GSC_ENGINE_IDLE, GSC_ENGINE_UNKNOWN };
	static const char *const words[] = { "Idle", "Unknown" };
	struct html *h = &r->html;
	struct gsc_engine e;

	for (size_t s = 0; s < ARRAY_SIZE(states); s++) {
		bool any = false;

		for (size_t i = 0; gsc_hang_engine(r->hang, i, &e); i++) {
			if (e.state != states[s])
				continue;
			html_put(h, any ? ", " : "<li>");
			if (!any)
				html_format(h, "%s: ", words[s]);
			html_text(h, e.name);
			any = true;
		}
		if (any)
			html_put(h, ".</li>\n");
	}
}

static void put_story(struct report *r)
{
	struct html *h = &r->html;
	struct gsc_trouble error;
	struct gsc_engine e;

	html_open(h, "ul", "class=\"story\"");
	for (size_t i = 0; gsc_hang_engine(r->hang, i, &e); i++)
		if (e.state != GSC_ENGINE_IDLE && e.state != GSC_ENGINE_UNKNOWN)
			put_stuck(r, &e);
	put_faults(r);
	for (size_t i = 0; gsc_hang_error(r->hang, i, &error) && i < 4; i++) {
		html_open(h, "li", NULL);
		html_put(h, "<a href=\"#errors\">An error</a>: ");
		html_format(h, "%s in %s%s%s%s", error.name, error.reg.engine ? error.reg.engine
			    : "", error.reg.engine ? "." : "", error.reg.name,
			    *error.text ? "; " : "");
		html_text(h, error.text);
		html_close(h);
	}
	put_others(r);
	if (r->submitted.submissions) {
		html_open(h, "li", NULL);
		html_put(h, "<a href=\"#submitted\">Submitted</a>: ");
		html_format(h, "%llu rings and batches.", LL(r->submitted.count));
		html_close(h);
	}
	html_close(h);
}

/* A live GPU looks healthy after a reset: then the page is about what was kept. */
static void put_kept(struct report *r)
{
	const struct gsc_error *refusal = gsc_source_refusal(report_common(r)->source);
	struct html *h = &r->html;
	char age[60];

	if (!r->kept)
		return;
	html_open(h, "p", "class=\"note\"");
	if (refusal)
		html_format(h, "Registers cannot be read: %s. ", refusal->why);
	else
		html_put(h, "The driver resets a GPU that hangs, and its registers then look "
			 "healthy. ");
	html_format(h, "This report is about the dump that the kernel has kept: %s %s, %s.",
		    r->kept->kind, r->kept->path, age_text(r->kept->age, age, sizeof(age)));
	if (r->findings.now)
		html_format(h, " The registers %s: %s",
			    gsc_source_live(report_common(r)->source) ? "now" :
			    "afterwards", gsc_hang_verdict(r->findings.now));
	html_close(h);
}

/* Whose work it was and when, as far as the driver recorded it. */
static void put_whose(struct report *r)
{
	static const char *const names[] = { "process", "time", "hang", "reason", "kernel" };
	struct html *h = &r->html;
	struct gsc_about about;
	bool begun = false;

	for (size_t k = 0; k < ARRAY_SIZE(names); k++)
		for (size_t i = 0; gsc_hang_about(r->hang, i, &about); i++) {
			if (!about.name || strcasecmp(about.name, names[k]))
				continue;
			if (!begun)
				html_open(h, "dl", "class=\"facts\"");
			begun = true;
			put_about(h, &about);
		}
	if (begun)
		html_close(h);
	else
		html_none(h, "The process and the time are not in this dump.");
}

/* How prominent the verdict is. */
static const char *verdict_class(const struct report *r)
{
	const char *class = "class=\"verdict\"";
	struct gsc_engine e;
	struct gsc_fault fault;

	for (size_t i = 0; gsc_hang_fault(r->hang, i, &fault); i++)
		if (fault.valid)
			return "class=\"verdict hung\"";
	for (size_t i = 0; gsc_hang_engine(r->hang, i, &e); i++)
		if (e.state == GSC_ENGINE_HUNG)
			return "class=\"verdict hung\"";
		else if (e.state == GSC_ENGINE_WAITING)
			class = "class=\"verdict waiting\"";
	return class;
}

void section_verdict(struct report *r)
{
	struct html *h = &r->html;

	html_element(h, "p", verdict_class(r), "%s", gsc_hang_verdict(r->hang));
	html_put(h, "<p class=\"signature\">Signature, to find the same hang again: <code>");
	html_text(h, gsc_hang_signature(r->hang));
	html_put(h, "</code></p>\n");
	put_whose(r);
	put_kept(r);
	put_story(r);
}
