/* SPDX-License-Identifier: MIT */
/*
 * What stands around the sections: head, style, navigation, script. The page loads nothing, and a
 * policy in its head holds the browser to that; what it says can be read without the script.
 */
#include "report.h"

#include "report-hashes.h"

#include <string.h>

extern const char report_style[], report_script[];

struct title {
	const char *id, *text;
};

static const struct title titles[] = {
	{ "verdict", "What happened" },
	{ "engines", "Engines" },
	{ "faults", "Page faults" },
	{ "errors", "Errors" },
	{ "maps", "Address spaces" },
	{ "fences", "Fences" },
	{ "doubts", "Doubts" },
	{ "log", "Kernel log" },
	{ "source", "Machine and source" },
	{ "registers", "Registers" },
};

void section_begin(struct report *r, const char *id)
{
	struct html *h = &r->html;
	size_t i = 0;

	while (strcmp(titles[i].id, id))
		i++;
	html_put(h, "<section id=\"");
	html_put(h, id);
	html_put(h, "\" aria-labelledby=\"");
	html_put(h, id);
	html_put(h, "-h\">\n<h2 id=\"");
	html_put(h, id);
	html_put(h, "-h\">");
	html_text(h, titles[i].text);
	html_put(h, "</h2>\n");
}

void section_end(struct report *r)
{
	html_put(&r->html, "</section>\n");
}

static void put_navigation(struct html *h)
{
	html_put(h, "<nav aria-label=\"Sections\"><ul>");
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
		html_put(h, "<li><a href=\"#");
		html_put(h, titles[i].id);
		html_put(h, "\">");
		html_text(h, titles[i].text);
		html_put(h, "</a></li>");
	}
	html_put(h, "</ul>\n"
		 "<form id=\"tools\" role=\"search\" hidden>"
		 "<label for=\"find\">Find</label>"
		 "<input id=\"find\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\" "
		 "placeholder=\"name, value, text\">"
		 "<output id=\"found\" for=\"find\"></output>"
		 "<button type=\"button\" id=\"unfold\">Unfold all</button>"
		 "<button type=\"button\" id=\"fold\">Fold all</button>"
		 "</form></nav>\n");
}

/* Files of the system have no folders to hide. */
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

void page_begin(struct report *r)
{
	struct html *h = &r->html;

	html_put(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		 "<meta name=\"color-scheme\" content=\"light dark\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src " STYLE_HASH "; script-src " SCRIPT_HASH "; img-src data:; "
		 "base-uri 'none'; form-action 'none'\">\n"
		 "<link rel=\"icon\" href=\"data:,\">\n<title>");
	html_format(h, "%s: %s", platform_of(report_common(r))->name,
		    gsc_hang_verdict(r->hang));
	html_put(h, "</title>\n<style>\n");
	html_put(h, report_style);
	html_put(h, "</style>\n</head>\n<body>\n"
		 "<a class=\"skip\" href=\"#verdict\">Skip to what happened</a>\n");
	put_header(r);
	put_navigation(h);
	html_put(h, "<main>\n");
}

void page_end(struct report *r)
{
	struct html *h = &r->html;

	html_put(h, "</main>\n<footer><p>");
	html_format(h, "Written by gpu-report of gpuscope %s. This page is one file and loads "
		    "nothing.", gsc_version());
	html_put(h, "</p></footer>\n<script>\n");
	html_put(h, report_script);
	html_put(h, "</script>\n</body>\n</html>\n");
}
