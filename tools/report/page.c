/* SPDX-License-Identifier: MIT */
/*
 * What surrounds the sections: head, style, navigation, script. The page loads nothing, and a
 * policy in its head makes the browser enforce that; it can be read without the script.
 */
#include "report.h"

#include "report-hashes.h"

#include <ctype.h>
#include <string.h>

extern const char report_style[], report_script[];

static const struct {
	const char *id, *title;
	section_fn *write;
} sections[SECTIONS] = {
	{ "verdict", "What happened", section_verdict },
	{ "engines", "Engines", section_engines },
	{ "faults", "Page faults", section_faults },
	{ "errors", "Errors", section_errors },
	{ "maps", "Address spaces", section_maps },
	{ "fences", "Fences", section_fences },
	{ "doubts", "Doubts", section_doubts },
	{ "log", "Kernel log", section_log },
	{ "source", "Machine and source", section_source },
	{ "registers", "Registers", section_registers },
};

void section_nothing(struct report *r, const char *why)
{
	r->nothing[r->section] = why;
}

static void write_section(struct report *r)
{
	struct html *h = &r->html;
	const char *id = sections[r->section].id;

	html_put(h, "<section id=\"");
	html_put(h, id);
	html_put(h, "\" aria-labelledby=\"");
	html_put(h, id);
	html_put(h, "-h\">\n<h2 id=\"");
	html_put(h, id);
	html_put(h, "-h\">");
	html_text(h, sections[r->section].title);
	html_put(h, "</h2>\n");
	sections[r->section].write(r);
	html_put(h, "</section>\n");
}

/* The sections that are left out, and why, in a line. */
static void put_nothing(struct report *r)
{
	struct html *h = &r->html;
	bool begun = false;

	for (size_t i = 0; i < SECTIONS; i++) {
		const char *title = sections[i].title;

		if (!r->nothing[i])
			continue;
		html_put(h, begun ? "; " : "<section id=\"nothing\" aria-label=\"Sections without "
			 "content\">\n<p>Nothing here about: ");
		html_format(h, "%c%s (%s)", tolower(*title), title + 1, r->nothing[i]);
		begun = true;
	}
	html_put(h, begun ? ".</p>\n</section>\n" : "");
}

static void put_navigation(struct report *r)
{
	struct html *h = &r->html;

	html_put(h, "<nav aria-label=\"Sections\"><ul>");
	for (size_t i = 0; i < SECTIONS; i++) {
		if (r->nothing[i])
			continue;
		html_put(h, "<li><a href=\"#");
		html_put(h, sections[i].id);
		html_put(h, "\">");
		html_text(h, sections[i].title);
		html_put(h, "</a></li>");
	}
	html_put(h, "</ul>\n"
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

static void put_header(struct report *r)
{
	struct common *common = report_common(r);
	struct html *h = &r->html;
	char date[40] = "";
	struct tm tm;

	if (gmtime_r(&r->now, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &tm);
	html_put(h, "<header><h1>");
	html_format(h, "GPU report: %s", platform_of(common)->title);
	html_put(h, "</h1><p>");
	if (common->device >= 0)
		html_format(h, "8086:%04x", (unsigned)common->device);
	else
		html_text(h, "PCI id not in this dump");
	if (common->revision >= 0)
		html_format(h, " revision 0x%02x", (unsigned)common->revision);
	html_format(h, " · from %s · page written %s",
		    source_name(r->kept ? r->kept->path : gsc_source_count(r->source) ?
				gsc_source_name(r->source, 0) : "no source"), date);
	html_put(h, "</p></header>\n");
}

static void page_begin(struct report *r)
{
	struct html *h = &r->html;

	html_put(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		 "<meta name=\"color-scheme\" content=\"light dark\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src " STYLE_HASH "; script-src " SCRIPT_HASH "; img-src data:; "
		 "base-uri 'none'; form-action 'none'\">\n"
		 "<link rel=\"icon\" href=\"data:,\">\n<title>");
	html_format(h, "GPU report: %.56s", gsc_hang_signature(r->hang));
	html_put(h, "</title>\n<style>\n");
	html_put(h, report_style);
	html_put(h, "</style>\n</head>\n<body>\n"
		 "<a class=\"skip\" href=\"#verdict\">Skip to what happened</a>\n");
	put_header(r);
	put_navigation(r);
	html_put(h, "<main>\n");
}

static void page_end(struct report *r)
{
	struct html *h = &r->html;

	html_put(h, "</main>\n<footer><p>");
	html_format(h, "Written by gpu-report of gpuscope %s. This page is one file and loads "
		    "nothing.", gsc_version());
	html_put(h, "</p></footer>\n<script>\n");
	html_put(h, report_script);
	html_put(h, "</script>\n</body>\n</html>\n");
}

enum gsc_status page_write(struct report *r, struct gsc_error *err)
{
	struct gsc_out *page = r->html.out, *parts[SECTIONS] = { NULL };
	enum gsc_status status = GSC_OK;

	for (r->section = 0; !status && r->section < SECTIONS; r->section++) {
		status = gsc_out_new(&r->html.out, -1, false, err);
		if (status)
			break;
		parts[r->section] = r->html.out;
		write_section(r);
		if (gsc_out_error(r->html.out))
			status = err_memory(err);
		r->html.before = html_size(&r->html);
		progress_show(report_common(r), r->section + 1, SECTIONS);
	}
	progress_clear(report_common(r));
	r->html.out = page;
	r->html.before = 0;
	if (!status)
		page_begin(r);
	for (size_t i = 0; i < SECTIONS; i++) {
		size_t size;
		const char *data;

		if (!status && !r->nothing[i]) {
			data = gsc_out_data(parts[i], &size);
			gsc_out_bytes(page, data, size);
		}
		if (!status && !i)
			put_nothing(r);
		gsc_out_free(parts[i]);
	}
	if (!status)
		page_end(r);
	return status;
}
