/* SPDX-License-Identifier: MIT */
/* What each engine was doing: its ring, its pointers, the evidence, its commands. */
#include "report.h"

#include <stdio.h>
#include <string.h>

static void pointer(struct html *h, const char *name, bool known, uint64_t value,
		    const char *meaning)
{
	html_open(h, "tr", NULL);
	html_element(h, "th", "scope=\"row\"", "%s", name);
	if (!known) {
		html_element(h, "td", "class=\"none\" colspan=\"2\"", "not in this dump");
		html_close(h);
		return;
	}
	html_put(h, "<td><code>");
	html_format(h, "0x%llx", LL(value));
	html_put(h, "</code></td>");
	html_element(h, "td", "class=\"t\"", "%s", meaning);
	html_close(h);
}

/* A dump may have the ring, but not the register that says where it begins. */
static void put_start(struct html *h, const struct listing *l)
{
	bool known = l->e.known & GSC_KNOWN_START;

	pointer(h, "START", known || l->ring, known ? l->e.start : l->ring,
		known ? "where the ring begins, in the GGTT" :
		"address of the ring; the register itself is not in this dump");
}

static void put_pointers(struct report *r, const struct listing *l)
{
	const struct gsc_engine *e = &l->e;
	struct html *h = &r->html;
	bool ring = e->known & GSC_KNOWN_RING;
	char text[160] = "";

	if (!e->known && !l->ring) {
		html_none(h, "Its pointers at that moment are not in this dump.");
		return;
	}
	html_table(h, "Pointers", "name|value|meaning");
	if (ring)
		snprintf(text, sizeof(text), "offset 0x%llx, wrapped %llu time%s",
			 LL(e->head_offset), LL(e->wraps), e->wraps == 1 ? "" : "s");
	pointer(h, "HEAD", e->known & GSC_KNOWN_HEAD, e->head, text);
	if (ring)
		snprintf(text, sizeof(text), "offset 0x%llx: %llu bytes pending, %llu free",
			 LL(e->tail_offset), LL(e->used), LL(e->free));
	pointer(h, "TAIL", e->known & GSC_KNOWN_TAIL, e->tail, text);
	put_start(h, l);
	pointer(h, "ACTHD", e->known & GSC_KNOWN_ACTHD, e->acthd,
		e->known & GSC_KNOWN_ACTHD_PROCESS ?
		"address of the engine's current command, in the PPGTT" :
		"address of the engine's current command");
	snprintf(text, sizeof(text), "header of its %scommand%s%.80s",
		 e->state == GSC_ENGINE_IDLE ? "last " : "", e->header ? ": " : "",
		 e->header ? e->header : "");
	pointer(h, "IPEHR", e->known & GSC_KNOWN_IPEHR, e->ipehr, text);
	html_table_end(h);
}

static bool has_detail(struct report *r, size_t i, enum gsc_detail_kind kind)
{
	struct gsc_detail detail;

	for (size_t n = 0; gsc_hang_detail(r->hang, i, n, &detail); n++)
		if (detail.kind == kind)
			return true;
	return false;
}

static void put_details(struct report *r, size_t i, enum gsc_detail_kind kind, const char *title)
{
	struct html *h = &r->html;
	struct gsc_detail detail;

	if (!has_detail(r, i, kind))
		return;
	html_element(h, "h4", NULL, "%s", title);
	html_open(h, "ul", kind == GSC_DETAIL_UNITS ? "class=\"chips\"" : NULL);
	for (size_t n = 0; gsc_hang_detail(r->hang, i, n, &detail); n++) {
		if (detail.kind != kind)
			continue;
		html_open(h, "li", detail.minor ? "class=\"minor\"" : NULL);
		if (kind != GSC_DETAIL_UNITS && *detail.name) {
			html_element(h, "b", NULL, "%s", detail.name);
			html_text(h, *detail.text ? ": " : "");
		}
		html_text(h, detail.text);
		html_close(h);
	}
	html_close(h);
}

static void put_heading(struct report *r, const struct gsc_engine *e)
{
	struct html *h = &r->html;
	const char *word = gsc_engine_state_word(e->state);

	html_put(h, "<h3>");
	html_text(h, e->name);
	html_put(h, " <span class=\"state ");
	html_put(h, word);
	html_put(h, "\">");
	html_text(h, word);
	html_put(h, "</span></h3>");
}

static void put_body(struct report *r, size_t i, const struct listing *l)
{
	struct html *h = &r->html;

	html_put(h, "<div class=\"pair\"><div>");
	put_ring(r, &l->e);
	html_put(h, "</div><div>");
	put_pointers(r, l);
	html_put(h, "</div></div>\n");
	put_way(r, l);
	put_details(r, i, GSC_DETAIL_EVIDENCE, "Evidence");
	put_details(r, i, GSC_DETAIL_UNITS, "Busy units");
	put_details(r, i, GSC_DETAIL_WITNESS, "Other registers");
}

/* Interesting: shown at length. */
static void put_engine(struct report *r, size_t i, const struct listing *l)
{
	struct html *h = &r->html;

	html_put(h, "<article class=\"engine ");
	html_put(h, gsc_engine_state_word(l->e.state));
	html_put(h, "\" id=\"engine-");
	html_text(h, l->e.name);
	html_put(h, "\">");
	put_heading(r, &l->e);
	if (*l->e.where)
		html_element(h, "p", "class=\"where\"", "%s", l->e.where);
	if (l->e.blamed)
		html_element(h, "p", NULL, "The dump itself names this engine as hung.");
	put_body(r, i, l);
	put_window(r, l);
	put_kernels(r, &l->kernels);
	put_queue(r, l);
	html_put(h, "</article>\n");
}

static void put_folded(struct report *r, size_t i, const struct listing *l)
{
	struct html *h = &r->html;

	html_put(h, "<details class=\"engine\" id=\"engine-");
	html_text(h, l->e.name);
	html_put(h, "\"><summary>");
	put_heading(r, &l->e);
	html_put(h, "</summary>");
	put_body(r, i, l);
	html_put(h, "</details>\n");
}

/* Only the reason is known. */
static bool is_blank(const struct gsc_engine *e)
{
	return e->state == GSC_ENGINE_UNKNOWN && !e->known;
}

static const char *blank_why(struct report *r, size_t i, struct gsc_detail *why)
{
	return gsc_hang_detail(r->hang, i, 0, why) ? why->text : "not in this dump";
}

static bool same_blank(struct report *r, size_t i, size_t k)
{
	struct gsc_detail a, b;

	return is_blank(&r->listings[k].e) &&
	       !strcmp(blank_why(r, i, &a), blank_why(r, k, &b));
}

/* One line for those with the same reason. */
static void put_blank(struct report *r)
{
	struct html *h = &r->html;
	struct gsc_detail why;
	bool begun = false;

	for (size_t i = 0; i < r->listing_count; i++) {
		bool seen = !is_blank(&r->listings[i].e);

		for (size_t k = 0; k < i && !seen; k++)
			seen = same_blank(r, i, k);
		if (seen)
			continue;
		html_put(h, begun ? "<p>" : "<h3>Unknown</h3>\n<p>");
		begun = true;
		html_text(h, r->listings[i].e.name);
		for (size_t k = i + 1; k < r->listing_count; k++)
			if (same_blank(r, i, k))
				html_format(h, ", %s", r->listings[k].e.name);
		html_format(h, ": %s.", blank_why(r, i, &why));
		html_put(h, "</p>\n");
	}
}

void section_engines(struct report *r)
{
	if (!r->listing_count && !r->submitted.count)
		section_nothing(r, "their registers are not in this dump");
	for (size_t i = 0; i < r->listing_count; i++) {
		const struct listing *l = &r->listings[i];

		if (l->e.state != GSC_ENGINE_IDLE && !is_blank(&l->e))
			put_engine(r, i, l);
	}
	for (size_t i = 0; i < r->listing_count; i++)
		if (r->listings[i].e.state == GSC_ENGINE_IDLE)
			put_folded(r, i, &r->listings[i]);
	put_blank(r);
	put_submitted(r);
}
