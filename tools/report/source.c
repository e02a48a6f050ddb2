/* SPDX-License-Identifier: MIT */
/* Which machine it is, what the page was made of, and what of that is damaged. */
#include "report.h"
#include "source/source.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PROPERTIES_MAX 300u
/* How many are counted: each is looked up from the first on. */
#define PROPERTIES_SEEN 2000u

static void put_platform(struct report *r)
{
	struct common *common = report_common(r);
	const struct gsc_platform *p = platform_of(common);
	struct html *h = &r->html;
	const char *what = NULL;
	struct gsc_platform other;

	html_fact(h, "Platform", "%s, %s", p->name, p->title);
	if (common->device >= 0 &&
	    gsc_platform_by_id(common->db, (uint16_t)common->device, &other, &what) && what)
		html_fact(h, "Device", "8086:%04x %s", (unsigned)common->device, what);
	else if (common->device >= 0)
		html_fact(h, "Device", "8086:%04x", (unsigned)common->device);
	else
		html_fact(h, "Device", NULL);
	if (common->revision >= 0)
		html_fact(h, "Revision", "0x%02x", (unsigned)common->revision);
	else
		html_fact(h, "Revision", NULL);
	html_fact(h, "Graphics version", "%u.%02u", p->graphics / 100, p->graphics % 100);
}

void put_about(struct html *h, const struct gsc_about *about)
{
	const char *name = about->name && *about->name ? about->name : " ";
	char title[80];

	snprintf(title, sizeof(title), "%c%s", toupper((unsigned char)*name), name + 1);
	html_fact(h, title, "%s", about->text);
}

static bool same_key(const char *a, const char *b)
{
	return !strcasecmp(a, b);
}

static bool find_property(const struct gsc_source *source, const char *key,
			  struct gsc_property *property)
{
	for (size_t part = 0; part < gsc_source_count(source); part++)
		for (size_t i = 0; i < PROPERTIES_SEEN &&
		     gsc_source_property(source, part, i, property); i++)
			if (same_key(property->key, key))
				return true;
	return false;
}

/* What everybody asks first; unknown facts are marked as such. */
static void put_known(struct report *r)
{
	static const char *const keys[] = { "kernel", "driver" };
	struct gsc_property property;
	struct gsc_about about;
	bool told;

	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		told = false;
		for (size_t i = 0; !told && gsc_hang_about(r->hang, i, &about); i++)
			told = same_key(about.name, keys[k]);
		if (told)
			continue;
		if (find_property(r->source, keys[k], &property) ||
		    find_property(report_common(r)->source, keys[k], &property))
			html_fact(&r->html, k ? "Driver" : "Kernel", "%s", property.value);
		else
			html_fact(&r->html, k ? "Driver" : "Kernel", NULL);
	}
	for (size_t i = 0; gsc_hang_about(r->hang, i, &about); i++) {
		if (!about.detail)
			put_about(&r->html, &about);
	}
}

static void put_sources(struct report *r)
{
	const struct gsc_source *whole = report_common(r)->source;
	struct html *h = &r->html;

	if (r->kept)
		html_fact(h, "Dump", "%s (%s)", source_name(r->kept->path), r->kept->kind);
	for (size_t i = 0; i < gsc_source_count(whole); i++)
		html_fact(h, i ? "and" : "Source", "%s (%s)",
			  source_name(gsc_source_name(whole, i)),
			  gsc_source_kind(whole, i));
}

/* "FILE: what is wrong", without the folders of the file. */
static void put_damaged(struct report *r, const char *note)
{
	for (size_t i = 0; i < gsc_source_count(r->source); i++) {
		const char *name = gsc_source_name(r->source, i);
		size_t length = strlen(name);

		if (!strncmp(note, name, length) && note[length] == ':') {
			html_element(&r->html, "li", NULL, "%s%s", source_name(name),
				     note + length);
			return;
		}
	}
	html_element(&r->html, "li", NULL, "%s", note);
}

static void put_damage(struct report *r)
{
	struct html *h = &r->html;
	const char *note;

	if (!gsc_source_note_count(r->source))
		return;
	html_element(h, "h3", NULL, "Damage found while reading");
	html_open(h, "ul", NULL);
	for (size_t i = 0; (note = gsc_source_note(r->source, i)) && i < 20; i++)
		put_damaged(r, note);
	html_close(h);
}

static void put_properties(struct report *r)
{
	struct html *h = &r->html;
	struct gsc_property property;
	size_t count = 0, shown = 0;
	char hint[HINT_SIZE];

	for (size_t part = 0; part < gsc_source_count(r->source); part++)
		for (size_t i = 0; i < PROPERTIES_SEEN &&
		     gsc_source_property(r->source, part, i, &property); i++)
			count++;
	if (!count)
		return;
	html_put(h, "<details><summary>");
	html_format(h, "All properties of the source (%zu%s)", count,
		    count >= PROPERTIES_SEEN ? " and more" : "");
	html_put(h, "</summary>");
	html_table(h, "Properties of the source", "key|value");
	for (size_t part = 0; part < gsc_source_count(r->source); part++)
		for (size_t i = 0; shown < PROPERTIES_MAX &&
		     gsc_source_property(r->source, part, i, &property); i++) {
			shown++;
			html_open(h, "tr", NULL);
			html_element(h, "th", "scope=\"row\"", "%s", property.key);
			html_element(h, "td", NULL, "%s", property.value);
			html_close(h);
		}
	html_table_end(h);
	if (count > shown)
		html_none(h, "The rest is left out; to see it: %s -v info",
			  hint_command(report_common(r), "snap", hint, sizeof(hint)));
	html_put(h, "</details>\n");
}

void section_source(struct report *r)
{
	struct html *h = &r->html;

	html_open(h, "dl", "class=\"facts\"");
	put_platform(r);
	put_known(r);
	put_sources(r);
	html_close(h);
	put_damage(r);
	put_properties(r);
}
