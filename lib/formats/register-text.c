/* SPDX-License-Identifier: MIT */
/*
 * Register text: gpu-regdump's own, intel_reg dump's, i915 register traces within a kernel log, or
 * two columns of numbers. regline.c knows the lines; this file decides about the whole.
 */
#include "formats/readers.h"
#include "text/lines.h"
#include "formats/regline.h"
#include "source/source.h"
#include "formats/values.h"

/* How many lines of each kind a file has. */
struct census {
	size_t kind[REGLINE_TRACE_BAD + 1];
	size_t bare;
	unsigned indent;		/* of the lines that begin a register, the smallest one */
};

static void take_census(const uint8_t *data, size_t size, struct census *census)
{
	struct lines lines = { .data = data, .size = size };
	struct regline line;

	*census = (struct census){ .indent = UINT32_MAX };
	while (lines_next(&lines)) {
		census->kind[regline_parse(lines.text, false, &line)]++;
		census->bare += line.kind == REGLINE_PLAIN && line.bare;
		if (line.kind == REGLINE_HEADER || line.kind == REGLINE_OWN ||
		    line.kind == REGLINE_RAW || line.kind == REGLINE_RANGE)
			census->indent = MIN(census->indent, line.indent);
	}
}

static bool is_log(const struct census *c)
{
	return c->kind[REGLINE_TRACE] || c->kind[REGLINE_TRACE_NAMED];
}

static bool is_plain(const struct census *c)
{
	return c->kind[REGLINE_PLAIN] && !c->kind[REGLINE_OTHER] && !c->kind[REGLINE_OWN] &&
	       !c->kind[REGLINE_RAW] && !c->kind[REGLINE_INTEL] && !is_log(c);
}

static unsigned score(const uint8_t *data, size_t size)
{
	struct census c;

	if (!bytes_are_text(data, size))
		return 0;
	take_census(data, size, &c);
	if (c.kind[REGLINE_HEADER])
		return 95;
	if (is_log(&c))
		return 70;
	/* Among thousands of lines from a decoder, one or two may look like ours. */
	if (c.kind[REGLINE_INTEL] + c.kind[REGLINE_OWN] + c.kind[REGLINE_RAW] <
	    c.kind[REGLINE_OTHER] / 64)
		return 0;
	if (c.kind[REGLINE_INTEL])
		return 70;
	if (c.kind[REGLINE_OWN] || c.kind[REGLINE_RAW])
		return 50;
	return is_plain(&c) ? 30 : 0;
}

struct loading {
	struct gsc_source *source;
	struct part *part;
	struct census census;
	value_vec values;
	struct left_out unreadable, named, damaged;
	struct regline row;		/* the last raw line */
	size_t fold;			/* number of the fold line after it, or 0 */
	uint64_t folded;		/* bytes of all folds so far */
};

static bool add_values(struct loading *l, const struct regline *line, size_t number)
{
	uint64_t address = line->address, place;

	if (!space_place(line->space, address, &place) ||
	    !range_fits(place, (uint64_t)line->size * line->count)) {
		leave_out(&l->unreadable, number);
		return true;
	}
	for (unsigned i = 0; i < line->count; i++, address += line->size) {
		if (!values_add(&l->values, line->space, address, line->size, line->status[i],
				line->value[i]))
			return false;
		values_name(&l->values, line->name);
		l->values.items[l->values.count - 1].row =
			line->kind == REGLINE_RAW && row_fits(line->space, address, line->size);
	}
	return true;
}

/* More than the register BAR is long: the limit for all folds of a file together. */
#define FOLD_MAX (UINT64_C(64) << 20)

/* A raw line, and what was folded between it and the previous one. */
static bool add_row(struct loading *l, const struct regline *line, size_t number)
{
	static const uint8_t zeros[1 << 16];
	uint64_t end = l->row.address + (uint64_t)l->row.size * l->row.count;
	size_t fold = l->fold;

	l->fold = 0;
	if (fold && (line->space != l->row.space || line->address < end ||
		     line->address - end > FOLD_MAX - l->folded)) {
		leave_out(&l->unreadable, fold);
	} else if (fold) {
		l->folded += line->address - end;
		/* They are there, but not listed: folds may cover far more than the text. */
		for (uint64_t at = end, size; at < line->address; at += size) {
			size = MIN(line->address - at, sizeof(zeros));
			if (!part_add(l->part, line->space, at, size, zeros))
				return false;
		}
	}
	l->row = *line;
	return add_values(l, line, number);
}

static bool take_line(struct loading *l, const struct lines *lines, const struct regline *line)
{
	struct part *part = l->part;
	struct regline_header header;
	uint64_t length, place;

	switch (line->kind) {
	case REGLINE_BLANK:
		return true;
	case REGLINE_HEADER:
		regline_header_parse(lines->text, &header);
		part->pci_device = part->pci_device < 0 ? header.device : part->pci_device;
		part->revision = part->revision < 0 ? header.revision : part->revision;
		if (part->platform < 0 && header.platform[0])
			part_set_platform(l->source, part, header.platform);
		return true;
	case REGLINE_RANGE:
		length = line->last - line->address + 1;
		if (length && space_place(line->space, line->address, &place) &&
		    space_place(line->space, length, &length) && range_fits(place, length))
			return part_add_status(part, line->space, place, length, line->status[0]);
		leave_out(&l->unreadable, lines->number);
		return true;
	case REGLINE_TRACE_NAMED:
		leave_out(&l->named, lines->number);
		return true;
	case REGLINE_TRACE_BAD:
		leave_out(&l->damaged, lines->number);
		return true;
	case REGLINE_PLAIN:
		if (!line->bare || is_plain(&l->census))
			return add_values(l, line, lines->number);
		break;
	case REGLINE_RAW:
		return add_row(l, line, lines->number);
	case REGLINE_FOLD:
		if (!l->row.count || l->fold)
			break;
		l->fold = lines->number;
		return true;
	case REGLINE_OWN:
	case REGLINE_INTEL:
	case REGLINE_TRACE:
		return add_values(l, line, lines->number);
	case REGLINE_OTHER:
		break;
	}
	if (!is_log(&l->census))
		leave_out(&l->unreadable, lines->number);
	return true;
}

static bool take_lines(struct loading *l)
{
	struct lines lines = { .data = l->part->blob.data, .size = l->part->blob.size };
	const struct census *c = &l->census;
	bool exact = c->kind[REGLINE_HEADER] > 0;
	/* gpu-regdump indents what belongs to a register, below it. */
	bool nested = c->indent != UINT32_MAX && !c->kind[REGLINE_INTEL] && !is_log(c);
	struct regline line;

	while (lines_next(&lines)) {
		regline_parse(lines.text, exact, &line);
		if (!(nested && line.indent >= c->indent + 2) && !take_line(l, &lines, &line))
			return false;
	}
	if (l->fold)
		leave_out(&l->unreadable, l->fold);
	return true;
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct loading l = { .source = source, .part = part };
	enum gsc_status status;

	take_census(part->blob.data, part->blob.size, &l.census);
	status = values_end(&l.values, part, take_lines(&l), err);
	note_left_out(source, part, &l.unreadable, "not a register line");
	note_left_out(source, part, &l.named, "a register name instead of an address, left out");
	note_left_out(source, part, &l.damaged, "a damaged trace line, left out");
	return status;
}

/* In a pasted text: "   DSPACNTR (0x00070180): 0x58000000". */
static bool begins(const struct lines *line)
{
	const char *open = slice_find(slice_first(line->text, 80), " (0x");
	struct slice rest = { open ? open : line->text.end, line->text.end };

	return slice_begins(line->text, "# gpu-regdump ") ||
	       slice_find(slice_first(rest, 32), "): 0x");
}

const struct reader reader_register_text = {
	"register text", GSC_SOURCE_REGISTER_TEXT, score, load,
	.holds_log = true,
	.begins = begins,
};
