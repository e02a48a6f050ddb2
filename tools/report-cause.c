/* SPDX-License-Identifier: MIT */
/*
 * Which command asked for the address that could not be translated: one before the place where the
 * engine stopped, or there, with a field that holds an address in the same page.
 */
#include "report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_MASK (~UINT64_C(0xfff))

void causes_begin(struct report *r)
{
	struct gsc_fault fault;

	for (size_t i = 0; gsc_hang_fault(r->hang, i, &fault); i++)
		for (size_t k = 0; k < r->listing_count; k++) {
			struct listing *l = &r->listings[k];

			/* Small numbers are in every command. */
			if (fault.valid && fault.has_address && fault.address & PAGE_MASK &&
			    l->fault_count < FAULTS_KNOWN && !strcmp(fault.engine, l->e.name))
				l->faults[l->fault_count++] = fault.address;
		}
}

static bool is_fault(const struct listing *l, uint64_t address)
{
	for (size_t i = 0; i < l->fault_count; i++)
		if (!((address ^ l->faults[i]) & PAGE_MASK))
			return true;
	return false;
}

/* The dwords have it somewhere; whether a field has it is another question. */
bool cause_possible(const struct listing *l, const struct gsc_command *c)
{
	for (size_t i = 0; l->fault_count && i < c->count; i++) {
		uint64_t high = i + 1 < c->count ? c->words[i + 1] & 0xffff : 0;

		if (is_fault(l, c->words[i]) || is_fault(l, c->words[i] | high << 32))
			return true;
	}
	return false;
}

/* Lines of fields are indented; those of dwords begin with an address. */
bool cause_line(const struct listing *l, const char *line, size_t length)
{
	const char *end = line + length;

	if (!l->fault_count || !length || *line != ' ')
		return false;
	for (; line + 2 < end; line++) {
		char digits[20] = "";
		size_t count = 0;

		if (line[0] != '0' || line[1] != 'x' || isalnum((unsigned char)line[-1]))
			continue;
		while (count < 16 && line + 2 + count < end &&
		       isxdigit((unsigned char)line[2 + count])) {
			digits[count] = line[2 + count];
			count++;
		}
		if (is_fault(l, strtoull(digits, NULL, 16)))
			return true;
	}
	return false;
}

/* "     47:2   ADDRESS                       0x1e8441580c00  0x7a1105603000" */
static void take_name(const char *line, size_t length, char *buf, size_t size)
{
	const char *end = line + length, *name;

	while (line < end && *line == ' ')
		line++;
	while (line < end && *line != ' ')
		line++;
	while (line < end && *line == ' ')
		line++;
	name = line;
	while (line < end && *line != ' ')
		line++;
	snprintf(buf, size, "%.*s", (int)(line - name), name);
}

static void name_one(struct report *r, const struct listing *l, struct saved_command *c)
{
	struct gsc_out *out = cause_possible(l, &c->command) ? command_text(r, c) : NULL;
	const char *line, *end;
	size_t size, length;

	if (!out)
		return;
	line = gsc_out_data(out, &size);
	for (end = line + size; line < end && !*c->holds; line += length + 1) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		length = stop ? (size_t)(stop - line) : (size_t)(end - line);
		if (cause_line(l, line, length))
			take_name(line, length, c->holds, sizeof(c->holds));
	}
	gsc_out_free(out);
}

void causes_name(struct report *r)
{
	for (size_t i = 0; i < r->listing_count; i++) {
		struct listing *l = &r->listings[i];

		for (size_t k = 0; k < l->window.count; k++)
			name_one(r, l, &l->window.items[k]);
		for (size_t k = 0; k < l->causes.count; k++)
			name_one(r, l, &l->causes.items[k]);
	}
}

static void put_one(struct report *r, const struct listing *l, const struct saved_command *c)
{
	struct html *h = &r->html;
	bool it = c->address == l->e.command.address;
	char place[48];

	html_format(h, " This address is in %s of %s at %s, ", c->holds, c->command.name,
		    run_place(&l->e.run, c->address, place, sizeof(place)));
	html_put(h, it ? "the command that <a href=\"#engine-" :
		    "which comes before the command that <a href=\"#engine-");
	html_text(h, l->e.name);
	html_put(h, "\">");
	html_format(h, "%s %s in", l->e.name, stop_word(l->e.state));
	html_put(h, "</a>.");
}

bool put_cause(struct report *r, const struct gsc_fault *fault)
{
	for (size_t i = 0; i < r->listing_count; i++) {
		const struct listing *l = &r->listings[i];

		if (strcmp(l->e.name, fault->engine) || !is_fault(l, fault->address))
			continue;
		/* The last one is what the engine worked on. */
		for (size_t k = l->causes.count; k-- > 0;) {
			if (!*l->causes.items[k].holds)
				continue;
			put_one(r, l, &l->causes.items[k]);
			return true;
		}
	}
	return false;
}
