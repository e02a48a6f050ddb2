/* SPDX-License-Identifier: MIT */
/* The command that asked for the address that could not be translated; others that hold it. */
#include "report.h"
#include "batch/follow.h"
#include "hang/hang.h"

#include <stdio.h>
#include <string.h>

#define PAGE_MASK (~UINT64_C(0xfff))

void causes_begin(struct report *r)
{
	struct gsc_fault fault;

	for (size_t i = 0; gsc_hang_fault(r->hang, i, &fault); i++)
		for (size_t k = 0; k < r->listing_count; k++) {
			struct listing *l = &r->listings[k];
			struct asked *asked = &l->asked[l->asked_count];

			/* Small numbers are in every command. */
			if (!fault.valid || !fault.has_address || !(fault.address & PAGE_MASK) ||
			    l->asked_count == ASKED_MAX || strcmp(fault.engine, l->e.name))
				continue;
			asked->address = gsc_plain_address(fault.address);
			asked->space = fault.space;
			asked->known = gsc_hang_cause(r->hang, i, &asked->cause);
			l->asked_count++;
		}
}

static bool is_asked(const struct listing *l, uint64_t address, const char *space)
{
	for (size_t i = 0; i < l->asked_count; i++)
		if (!((address ^ l->asked[i].address) & PAGE_MASK) &&
		    (!space || !l->asked[i].space || !strcmp(space, l->asked[i].space)))
			return true;
	return false;
}

/* The dwords contain it somewhere; whether a field has it is another question. */
static bool is_possible(const struct listing *l, const struct gsc_command *c)
{
	for (size_t i = 0; l->asked_count && i < c->count; i++) {
		uint64_t high = i + 1 < c->count ? c->words[i + 1] : 0;
		uint64_t whole = gsc_plain_address(c->words[i] | high << 32);

		/* Bits above 47 may belong to an address, or not. */
		if (is_asked(l, c->words[i], NULL) || is_asked(l, whole, NULL) ||
		    is_asked(l, whole & 0xffffffffffff, NULL))
			return true;
	}
	return false;
}

void cause_lines(struct report *r, const struct listing *l, const struct gsc_command *c,
		 struct cause_lines *lines)
{
	struct gsc_commands *set = gsc_hang_commands(r->hang);
	struct gsc_command_address field;
	struct gsc_command shown = *c;

	*lines = (struct cause_lines){ .count = 0 };
	if (shown.count > DWORDS_MAX)
		shown.count = DWORDS_MAX;
	if (!is_possible(l, &shown))
		return;
	for (size_t i = 0; lines->count < CAUSE_LINES_MAX &&
	     gsc_command_address(set, &shown, i, &field); i++)
		if (is_asked(l, field.address, field.space))
			lines->fields[lines->count++] = field;
}

/* "     47:2   ADDRESS                       0x1e8441580c00  0x7a1105603000" */
static bool is_line_of(const char *line, size_t length, const char *name)
{
	const char *end = line + length;
	size_t size = strlen(name);

	while (line < end && *line == ' ')
		line++;
	while (line < end && *line != ' ')
		line++;
	while (line < end && *line == ' ')
		line++;
	return (size_t)(end - line) > size && !memcmp(line, name, size) && line[size] == ' ';
}

bool cause_line(struct cause_lines *lines, const char *line, size_t length)
{
	/* Those of fields are indented, below the dword in which they begin. */
	if (!length || *line != ' ') {
		lines->dword++;
		return false;
	}
	for (size_t i = 0; i < lines->count; i++)
		if (lines->fields[i].dword == lines->dword &&
		    is_line_of(line, length, lines->fields[i].name))
			return true;
	return false;
}

bool cause_holds(struct report *r, const struct listing *l, const struct gsc_command *c, char *buf,
		 size_t size)
{
	struct cause_lines lines;

	cause_lines(r, l, c, &lines);
	if (lines.count) {
		snprintf(buf, size, "%s", lines.fields[0].name);
		return true;
	}
	for (size_t i = 0; i < l->asked_count; i++) {
		const struct asked *asked = &l->asked[i];

		if (!asked->known || !asked->cause.in_state ||
		    asked->cause.command.address != c->address)
			continue;
		snprintf(buf, size, "%s", asked->cause.field);
		return true;
	}
	return false;
}

static void put_stop(struct report *r, const char *name)
{
	struct html *h = &r->html;
	struct gsc_engine e;

	for (size_t i = 0; gsc_hang_engine(r->hang, i, &e); i++) {
		if (strcmp(e.name, name))
			continue;
		html_put(h, "<a href=\"#engine-");
		html_text(h, name);
		html_put(h, "\">");
		html_format(h, "%s %s", name, stop_word(e.state));
		html_put(h, "</a>.");
	}
}

void put_cause(struct report *r, size_t fault)
{
	struct html *h = &r->html;
	struct gsc_cause cause;
	struct gsc_fault f;
	char place[48];

	if (!gsc_hang_cause(r->hang, fault, &cause))
		return;
	if (gsc_hang_fault(r->hang, fault, &f) && f.address != cause.value)
		html_format(h, " 0x%llx, in the same page,", LL(cause.value));
	else
		html_put(h, " This address");
	html_format(h, " is the value of %s%s in %s at %s, ", cause.field,
		    cause.in_state ? ", state" : "", cause.command.name,
		    run_place(&cause.run, cause.command.address, place, sizeof(place)));
	html_put(h, cause.stopped ? "the command in which " :
		    "which comes before the command in which ");
	put_stop(r, cause.run.engine);
}
