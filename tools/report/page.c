/* SPDX-License-Identifier: MIT */
/*
 * What surrounds the sections: head, style, navigation, script. The page loads nothing, and a
 * policy in its head makes the browser enforce that; it can be read without the script.
 */
#include "report.h"

#include "report-hashes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

extern const char report_style[], report_script[];

/* The commands come first, because others lead to them; `place`: where it is on the page. */
static const struct {
	const char *id, *title;
	section_fn *write;
	unsigned place;
} sections[] = {
	{ "commands", "commands", section_commands, 3 },
	{ "verdict", "what happened", section_head, 0 },
	{ NULL, NULL, section_hang, 1 },
	{ "log", "kernel log", section_log, 2 },
	{ "map", "address spaces", section_maps, 4 },
	{ "windows", "windows of the device", section_windows, 5 },
	{ "sources", "sources", section_source, 8 },
	{ "differences", "differences", section_differences, 7 },
	{ "registers", "registers", section_registers, 6 },
};

#define SECTIONS ARRAY_SIZE(sections)

struct page {
	struct gsc_out *out[SECTIONS];		/* by place */
	const char *title[SECTIONS], *nothing[SECTIONS];	/* why it is left out, or NULL */
};

void put_none(struct report *r, const char *format, ...)
{
	va_list arguments;
	char text[1000];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	html_put(r->out, "<p class=\"none\">");
	html_format(r->out, "%s", text);
	html_put(r->out, "</p>\n");
}

static void put_navigation(struct gsc_out *out, const struct page *page)
{
	html_put(out, "<nav aria-label=\"Sections\"><ul><li><a href=\"#verdict\">What happened</a>"
		 "</li>");
	for (size_t i = 1; i < SECTIONS; i++) {
		const struct out_html *html = page->out[i]->html;

		for (unsigned k = 0; k < html->part_count && !page->nothing[i]; k++)
			html_put(out, "<li><a href=\"#%s\">%c%s</a></li>", html->parts[k],
				 toupper(*html->parts[k]), html->parts[k] + 1);
	}
	html_put(out, "</ul>\n"
		 "<form id=\"tools\" role=\"search\" hidden>"
		 "<label for=\"find\">Find</label>"
		 "<input id=\"find\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\" "
		 "placeholder=\"name, value, text\">"
		 "<button type=\"submit\">Next</button>"
		 "<output id=\"found\" for=\"find\"></output>"
		 "<button type=\"button\" id=\"unfold\">Unfold all</button>"
		 "<button type=\"button\" id=\"fold\">Fold all</button>"
		 "</form></nav>\n");
}

/* System files have no folders to hide. */
const char *source_name(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (!slash || !strncmp(name, "/dev/", 5) || !strncmp(name, "/sys/", 5) ||
	    !strncmp(name, "/proc/", 6))
		return name;
	return slash + 1;
}

static void put_header(struct report *r, struct gsc_out *out)
{
	struct common *common = report_common(r);
	char date[40] = "";
	struct tm tm;

	if (gmtime_r(&r->now, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &tm);
	html_put(out, "<header><h1>");
	html_format(out, "GPU report: %s", platform_of(common)->title);
	html_put(out, "</h1><p>");
	if (common->device >= 0)
		html_format(out, "8086:%04x", (unsigned)common->device);
	else
		html_format(out, "PCI id not in this dump");
	if (common->revision >= 0)
		html_format(out, " revision 0x%02x", (unsigned)common->revision);
	html_format(out, " · from %s · page written %s",
		    source_name(r->kept ? r->kept->path : gsc_source_count(r->source) ?
				gsc_source_name(r->source, 0) : "no source"), date);
	html_put(out, "</p></header>\n");
}

static void page_begin(struct report *r, struct gsc_out *out)
{
	html_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		 "<meta name=\"color-scheme\" content=\"light dark\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src " STYLE_HASH "; script-src " SCRIPT_HASH "; img-src data:; "
		 "base-uri 'none'; form-action 'none'\">\n"
		 "<link rel=\"icon\" href=\"data:,\">\n<title>");
	html_format(out, "GPU report: %.56s", r->hang->signature);
	html_put(out, "</title>\n<style>\n");
	html_put(out, "%s", report_style);
	html_put(out, "</style>\n</head>\n<body>\n"
		 "<a class=\"skip\" href=\"#verdict\">Skip to what happened</a>\n");
	put_header(r, out);
}

static enum gsc_status write_sections(struct report *r, struct page *page, struct gsc_error *err)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		unsigned place = sections[i].place;
		enum gsc_status status = out_html_new(&r->out, SIZE_MAX, err);

		page->out[place] = r->out;
		if (status)
			return status;
		r->out->html->links = r->links;
		r->out->html->link_count = i ? r->link_count : 0;
		page->title[place] = sections[i].title;
		page->nothing[place] = sections[i].write(r);
		out_parts_end(r->out, 2);
		if (gsc_out_error(r->out))
			return err_memory(err);
		r->before += page->nothing[place] ? 0 : r->out->size;
		progress_show(report_common(r), (unsigned)i + 1, SECTIONS);
	}
	return GSC_OK;
}

enum gsc_status report_write(struct report *r, struct gsc_error *err)
{
	struct page page = { .nothing = { NULL } };
	enum gsc_status status = write_sections(r, &page, err);
	const struct driver_facts *facts = &r->hang->facts;
	bool any = false;

	progress_clear(report_common(r));
	r->out = NULL;
	if (!status)
		status = out_html_new(&r->out, SIZE_MAX, err);
	if (status) {
		for (size_t i = 0; i < SECTIONS; i++)
			gsc_out_free(page.out[i]);
		return status;
	}
	/* Is there anything that a page could show? */
	for (size_t i = 3; i < SECTIONS - 2; i++)
		any |= !page.nothing[i];
	r->empty = !any && !r->kept && !gsc_hang_reads(r->hang, GSC_READ_OK) &&
		   !gsc_hang_reads(r->hang, GSC_READ_ASLEEP) &&
		   (!facts->about.count || facts->about.items[0].a.detail);
	page_begin(r, r->out);
	put_navigation(r->out, &page);
	html_put(r->out, "<main>\n");
	html_lines(r->out, page.out[0]);
	/* The sections that are left out, and why, in a line. */
	any = false;
	for (size_t i = 0; i < SECTIONS; i++) {
		if (!page.nothing[i])
			continue;
		html_put(r->out, any ? "; " : "<section id=\"nothing\" aria-label=\"Sections "
			 "without content\">\n<p>Nothing here about: ");
		html_format(r->out, "%s (%s)", page.title[i], page.nothing[i]);
		any = true;
	}
	html_put(r->out, any ? ".</p>\n</section>\n" : "");
	for (size_t i = 0; i < SECTIONS; i++) {
		if (i && !page.nothing[i])
			html_lines(r->out, page.out[i]);
		gsc_out_free(page.out[i]);
	}
	html_put(r->out, "</main>\n<footer><p>");
	html_format(r->out, "Written by gpu-report of gpuscope %s. This page is one file and loads "
		    "nothing.", GSC_VERSION);
	html_put(r->out, "</p></footer>\n<script>\n");
	html_put(r->out, "%s", report_script);
	html_put(r->out, "</script>\n</body>\n</html>\n");
	return gsc_out_error(r->out) || r->no_memory ? err_memory(err) : GSC_OK;
}
