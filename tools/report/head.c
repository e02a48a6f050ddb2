/* SPDX-License-Identifier: MIT */
/* The head of the page: the verdict, and the engines at a glance. */
#include "report.h"

#include "db/engine.h"
#include "hang/known.h"

#include <string.h>

/* A live GPU looks healthy after a reset: then the page is about what was kept. */
static void put_kept(struct report *r)
{
	const struct gsc_error *refusal = gsc_source_refusal(report_common(r)->source);
	char age[60];

	if (!r->kept)
		return;
	html_put(r->out, "<p class=\"note\">");
	if (refusal)
		html_format(r->out, "Registers cannot be read: %s. ", refusal->why);
	else
		html_format(r->out, "The driver resets a GPU that hangs, and its registers then "
			    "look healthy. ");
	html_format(r->out, "This report is about the dump that the kernel has kept: %s %s, %s.",
		    r->kept->kind, r->kept->path, age_text(r->kept->age, age, sizeof(age)));
	if (r->hangs.now)
		html_format(r->out, " The %s: %s",
			    r->hangs.now->facts.in_memory ? "memory of the machine" :
			    gsc_source_live(report_common(r)->source) ? "registers now" :
			    "registers afterwards", r->hangs.now->verdict);
	html_put(r->out, "</p>\n");
}

/* One that has work: what it is at, its ring, and the way to its place. */
static void put_engine(struct report *r, const struct listing *l)
{
	const char *word = gsc_engine_state_word(l->e.state);
	struct gsc_out *out = r->out;

	html_put(out, "<article class=\"engine %s\"><h3>", word);
	html_format(out, "%s", l->e.name);
	html_put(out, " <span class=\"state %s\">%s</span> <small>", word, word);
	html_format(out, "%s", gsc_engine_title(l->e.name));
	html_put(out, "</small></h3>\n");
	html_put(out, "<div class=\"pair\">");
	put_ring(r, &l->e);
	html_put(out, "<div>");
	if (*l->e.where) {
		html_put(out, "<p class=\"where\">");
		html_text(out, l->e.where);
		html_put(out, "</p>\n");
	}
	put_way(r, l);
	html_put(out, "</div></div></article>\n");
}

static void put_others(struct report *r, enum gsc_engine_state state)
{
	bool any = false;

	for (size_t i = 0; i < r->listing_count; i++) {
		if (r->listings[i].e.state != state)
			continue;
		html_put(r->out, any ? ", " : "<p>");
		html_format(r->out, any ? "%.0s%s" : "%s: %s", state == GSC_ENGINE_IDLE ? "Idle" :
			    "Unknown", r->listings[i].e.name);
		any = true;
	}
	if (any)
		html_put(r->out, ".</p>\n");
}

const char *section_head(struct report *r)
{
	const char *class = "verdict";
	struct gsc_out *out = r->out;
	struct gsc_knowns knowns;
	char text[900];

	for (size_t i = 0; i < r->listing_count; i++)
		if (r->listings[i].e.state == GSC_ENGINE_HUNG)
			class = "verdict hung";
		else if (r->listings[i].e.state == GSC_ENGINE_WAITING && !class[7])
			class = "verdict waiting";
	for (size_t i = 0; i < r->hang->faults.count; i++)
		if (r->hang->faults.items[i].valid)
			class = "verdict hung";
	html_put(out, "<section id=\"verdict\" aria-labelledby=\"verdict-h\">\n"
		 "<h2 id=\"verdict-h\">What happened</h2>\n<p class=\"%s\">", class);
	html_text(out, r->hang->verdict);
	html_put(out, "</p>\n<p class=\"signature\">Signature, to find the same hang again: "
		 "<code>");
	html_format(out, "%s", r->hang->signature);
	html_put(out, "</code></p>\n");
	gsc_hang_known(r->hang, &knowns);
	for (size_t i = 0; i < knowns.count; i++) {
		html_put(out, "<p class=\"note\">");
		html_text(out, gsc_known_text(&knowns.items[i], text, sizeof(text)));
		html_put(out, "</p>\n");
	}
	put_kept(r);
	for (unsigned state = GSC_ENGINE_HUNG; state > GSC_ENGINE_IDLE; state--)
		for (size_t i = 0; i < r->listing_count; i++)
			if (r->listings[i].e.state == state)
				put_engine(r, &r->listings[i]);
	put_others(r, GSC_ENGINE_IDLE);
	put_others(r, GSC_ENGINE_UNKNOWN);
	put_messages(r);
	if (r->submitted.trace)
		html_put(out, "<p><a href=\"#submitted\">Submitted</a>: %llu rings and batches."
			 "</p>\n", LL(r->submitted.count));
	html_put(out, "</section>\n");
	return NULL;
}
