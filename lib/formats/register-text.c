/* SPDX-License-Identifier: MIT */
/*
 * Register text: gpu-regdump's own, intel_reg dump's, i915 register traces within a kernel log, or
 * two columns of numbers. First one line, in each of the forms that programs print and people
 * paste; then a file of them.
 */
#include "formats/readers.h"
#include "formats/regline.h"
#include "formats/values.h"

#include "db/words.h"
#include "text/lines.h"
#include "source/way.h"

/* ---- scanning ----------------------------------------------------------------------------- */

/* A colour for a terminal: ESC [ ... m. */
static bool skip_colour(struct slice *c)
{
	const char *at = c->at;

	if (c->end - at < 3 || at[0] != 0x1b || at[1] != '[')
		return false;
	for (at += 2; at < c->end && (is_digit(*at) || *at == ';'); at++)
		;
	if (at == c->end || *at != 'm')
		return false;
	c->at = at + 1;
	return true;
}

static void skip_blanks(struct slice *c)
{
	while (c->at < c->end) {
		if (is_blank(*c->at))
			c->at++;
		else if (!skip_colour(c))
			return;
	}
}

/* Up to the next blank or change of colour; empty at the end. */
static struct slice take_column(struct slice *c)
{
	struct slice word;

	skip_blanks(c);
	word = (struct slice){ c->at, c->at };
	while (word.end < c->end && !is_blank(*word.end) && *word.end != 0x1b)
		word.end++;
	c->at = word.end;
	return word;
}

static bool parse_0x(struct slice t, uint64_t *value)
{
	return slice_has_0x(t) && slice_hex(t, value);
}

/* 0x and its digits, whatever follows them. */
static bool take_0x(struct slice *c, struct slice *token, uint64_t *value)
{
	const char *start = c->at;

	if (!take_text(c, "0x"))
		return false;
	take_while(c, is_hex);
	*token = (struct slice){ start, c->at };
	return parse_0x(*token, value);
}

static unsigned value_size(struct slice t, uint64_t value, bool exact)
{
	size_t digits = slice_length(t) - (slice_has_0x(t) ? 2 : 0);

	if (exact && (digits == 2 || digits == 4))
		return (unsigned)digits / 2;
	return digits == 16 || value > UINT32_MAX ? 8 : 4;
}

/* ---- i915 register traces ----------------------------------------------------------------- */

static void set_value(struct regline *line, unsigned size, uint64_t value)
{
	line->size = size;
	line->count = 1;
	line->value[0] = value;
	line->status[0] = GSC_READ_OK;
}

/* After "i915_reg_rw:"; the format of the tracepoint is in drivers/gpu/drm/i915/i915_trace.h. */
static enum regline_kind parse_tracepoint(struct slice c, struct regline *line)
{
	static const char *const sizes[] = { "len=1, ", "len=2, ", "len=4, ", "len=8, " };
	uint64_t low, high;
	struct slice reg, t;
	unsigned size = 0;

	skip_blanks(&c);
	line->write = take_text(&c, "write ");
	if ((!line->write && !take_text(&c, "read ")) || !take_text(&c, "reg="))
		return REGLINE_TRACE_BAD;
	reg = take_until(&c, ", ");
	if (reg.at == reg.end || !take_text(&c, ", "))
		return REGLINE_TRACE_BAD;
	for (unsigned i = 0; i < ARRAY_SIZE(sizes) && !size; i++)
		size = take_text(&c, sizes[i]) ? 1u << i : 0;
	/* "val=(LOW, HIGH)" */
	if (!size || !take_text(&c, "val=(") || !take_0x(&c, &t, &low) || !take_text(&c, ", ") ||
	    !take_0x(&c, &t, &high) || !take_text(&c, ")") || low > UINT32_MAX ||
	    high > UINT32_MAX)
		return REGLINE_TRACE_BAD;
	set_value(line, size, size == 8 ? high << 32 | low : low);
	if (parse_0x(reg, &line->address))
		return REGLINE_TRACE;
	line->name = reg;
	return REGLINE_TRACE_NAMED;
}

/* "[time] W 0x2030: 0x150", after anything that ends in "] ". */
static bool parse_logged(struct slice c, struct regline *line)
{
	const char *bracket = memrchr(c.at, ']', slice_length(c));
	struct slice t;
	uint64_t value;

	if (bracket)
		c.at = bracket + 1;
	skip_blanks(&c);
	line->write = take_text(&c, "W ");
	if ((!line->write && !take_text(&c, "R ")) || !take_0x(&c, &t, &line->address) ||
	    !take_text(&c, ": ") || !take_0x(&c, &t, &value) || c.at != c.end)
		return false;
	set_value(line, value_size(t, value, false), value);
	return true;
}

/* ---- intel_reg dump ----------------------------------------------------------------------- */

/* "0xADDR", "0xBASE:0xADDR"; "0x04:0xADDR" of a unit of the sideband: a base has eight digits. */
static bool take_address(struct slice *c, struct regline *line)
{
	struct slice first, second;
	uint64_t base;

	if (!take_0x(c, &first, &line->address))
		return false;
	if (!take_text(c, ":"))
		return true;
	base = line->address;
	if (!take_0x(c, &second, &line->address))
		return false;
	if (slice_length(first) > 4)
		return !__builtin_add_overflow(base, line->address, &line->address);
	line->space = GSC_SIDEBAND;
	line->address += sideband_base((unsigned)base);
	return line->address - sideband_base((unsigned)base) <= SIDEBAND_LAST;
}

/* "mmio-sr:0xADDR": a port of VGA has a name. */
static bool take_port(struct slice *c, struct regline *line)
{
	struct slice at = *c;
	struct slice name = take_until(&at, ":)"), address;
	const struct way *way = way_find(name.at, slice_length(name));

	if (!way || way->mchbar || !take_text(&at, ":") || !take_0x(&at, &address, &line->address))
		return false;
	line->space = way->space;
	*c = at;
	return true;
}

/* "(ADDRESS): 0xVALUE", then the end or a text. */
static enum regline_kind parse_place(struct slice c, struct regline *line)
{
	uint64_t value;
	struct slice t;
	bool byte;

	line->space = GSC_MMIO;
	if (!take_text(&c, "(") || !(take_port(&c, line) || take_address(&c, line)))
		return REGLINE_OTHER;
	if (!take_text(&c, "): ") || !take_0x(&c, &t, &value) || (c.at < c.end && !is_blank(*c.at)))
		return REGLINE_OTHER;
	byte = line->space == GSC_IO || (line->space >= GSC_VGA_SR && line->space <= GSC_VGA_CR);
	if (byte && value > UINT8_MAX)
		return REGLINE_OTHER;
	set_value(line, byte ? 1 : value_size(t, value, false), value);
	return REGLINE_INTEL;
}

/* Names may contain blanks and brackets: the address is in the first bracket that can be one. */
static enum regline_kind parse_intel(struct slice c, struct regline *line)
{
	const char *start = c.at;

	while ((c.at = slice_char(c, '('))) {
		enum regline_kind kind = parse_place(c, line);

		if (kind != REGLINE_OTHER) {
			line->name = slice_trim((struct slice){ start, c.at });
			return kind;
		}
		c.at++;
	}
	return REGLINE_OTHER;
}

/* ---- address and values ------------------------------------------------------------------- */

/* "0x2030", "2030", "config:0x50" */
static bool parse_address(struct slice t, struct regline *line, bool *prefixed)
{
	const char *colon = slice_char(t, ':');

	*prefixed = colon != NULL;
	if (colon)
		return gsc_space_by_name(t.at, (size_t)(colon - t.at), &line->space) &&
		       parse_0x((struct slice){ colon + 1, t.end }, &line->address);
	line->bare = !slice_has_0x(t);
	return slice_hex(t, &line->address);
}

/* A value, or the word for a missing one. */
static bool parse_cell(struct slice t, bool bare, struct regline *line)
{
	unsigned i = line->count;
	bool number = slice_has_0x(t) || bare;

	if (i == REGLINE_VALUES || t.at == t.end)
		return false;
	line->status[i] = GSC_READ_OK;
	line->value[i] = 0;
	if (number ? !slice_hex(t, &line->value[i]) :
		     !read_by_word(t.at, slice_length(t), &line->status[i]) ||
			     line->status[i] == GSC_READ_OK)
		return false;
	line->count++;
	return true;
}

/* What may follow the values: another number would make it a different table. */
static bool is_name(struct slice t)
{
	return is_letter(*t.at) || *t.at == '_' || *t.at == '#';
}

static enum regline_kind parse_row(struct slice c, struct regline *line)
{
	struct slice first = { NULL, NULL };

	while (line->count < REGLINE_VALUES) {
		struct slice t = take_column(&c);

		if (!line->count)
			first = t;
		if (!parse_cell(t, false, line)) {
			if (t.at < t.end && !is_name(t))
				return REGLINE_OTHER;
			break;
		}
		if (line->value[line->count - 1] > UINT32_MAX && line->count > 1)
			return REGLINE_OTHER;
	}
	if (!line->count)
		return REGLINE_OTHER;
	line->size = value_size(first, line->value[0], false);
	return line->size == 8 && line->count > 1 ? REGLINE_OTHER : REGLINE_RAW;
}

/* "0x002040-0x00204f  absent", the end included */
static enum regline_kind parse_range(struct slice c, struct slice first, struct slice last,
				     struct regline *line)
{
	struct slice word = take_column(&c);
	bool prefixed;

	if (!parse_address(first, line, &prefixed) || line->bare || !parse_0x(last, &line->last) ||
	    line->last < line->address ||
	    !read_by_word(word.at, slice_length(word), &line->status[0]) ||
	    line->status[0] == GSC_READ_OK)
		return REGLINE_OTHER;
	return REGLINE_RANGE;
}

static enum regline_kind parse_columns(struct slice c, bool exact, struct regline *line)
{
	struct slice address = take_column(&c), value, last = address, rest;
	const char *dash = memrchr(address.at, '-', slice_length(address)), *end;
	bool prefixed, row = slice_ends(address, ":");

	last.at = dash ? dash + 1 : address.end;
	if (slice_has_0x(last))
		return parse_range(c, (struct slice){ address.at, dash }, last, line);
	address.end -= row;
	if (!parse_address(address, line, &prefixed))
		return REGLINE_OTHER;
	if (row)
		return line->bare ? REGLINE_OTHER : parse_row(c, line);
	value = take_column(&c);
	if (!parse_cell(value, true, line) && !parse_cell(value, false, line))
		return REGLINE_OTHER;
	line->size = line->status[0] == GSC_READ_OK ?
		     value_size(value, line->value[0], exact || prefixed) : 4;
	skip_blanks(&c);
	/* A name of words with single blanks between them; what follows two is a remark. */
	rest = c;
	if (take_text(&rest, "#"))
		skip_blanks(&rest);
	for (end = rest.at; end < c.end && *end != 0x1b &&
	     !(is_blank(*end) && (end + 1 == c.end || is_blank(end[1]))); end++)
		;
	line->name = slice_trim((struct slice){ rest.at, end });
	if ((c.at == c.end || *c.at == '#') && !prefixed && line->status[0] == GSC_READ_OK)
		return REGLINE_PLAIN;
	if (line->bare || (line->status[0] == GSC_READ_OK && !slice_has_0x(value)))
		return REGLINE_OTHER;
	value = take_column(&c);
	if (value.at < value.end ? !is_name(value) : c.at < c.end)
		return REGLINE_OTHER;
	return REGLINE_OWN;
}

/* ---- lines -------------------------------------------------------------------------------- */

static const char own_header[] = "# gpu-regdump ";

static unsigned take_indent(struct slice *c)
{
	unsigned columns = 0;

	while (c->at < c->end) {
		if (is_blank(*c->at))
			columns = *c->at++ == '\t' ? (columns | 7) + 1 : columns + 1;
		else if (!skip_colour(c))
			break;
	}
	return columns;
}

enum regline_kind regline_parse(struct slice c, bool exact, struct regline *line)
{
	static const char event[] = "i915_reg_rw:";
	struct regline empty = { .kind = REGLINE_BLANK };
	struct slice trace = c;

	*line = empty;
	take_quotes(&c);
	line->indent = take_indent(&c);
	empty.indent = line->indent;
	if (c.at == c.end)
		return line->kind;
	if (*c.at == '#') {
		line->kind = take_text(&c, own_header) ? REGLINE_HEADER : REGLINE_BLANK;
		return line->kind;
	}
	if (*c.at == '*' && c.at + 1 == c.end) {
		line->kind = REGLINE_FOLD;
		return line->kind;
	}
	trace.at = slice_find(c, event);
	if (trace.at)
		line->kind = parse_tracepoint(slice_from(trace, strlen(event)), line);
	else
		line->kind = parse_logged(c, line) ? REGLINE_TRACE : REGLINE_OTHER;
	if (line->kind == REGLINE_OTHER) {
		*line = empty;
		line->kind = parse_intel(c, line);
	}
	if (line->kind == REGLINE_OTHER) {
		*line = empty;
		line->kind = parse_columns(c, exact, line);
	}
	return line->kind;
}

bool regline_is_name(struct slice text)
{
	return text.at < text.end && *text.at != '#' && is_name(text);
}

/* ---- the header of a file -------------------------------------------------------------------- */

void regline_header_parse(struct slice c, struct regline_header *header)
{
	struct slice key, value;
	uint64_t number;

	*header = (struct regline_header){ .device = -1, .revision = -1 };
	take_quotes(&c);
	take_indent(&c);
	if (!take_text(&c, own_header))
		return;
	take_column(&c);
	/* The names of the sources come last, and may contain anything. */
	for (;;) {
		key = take_column(&c);
		if (key.at == key.end || slice_is(key, "source"))
			return;
		value = take_column(&c);
		if (slice_is(key, "platform"))
			slice_copy(value, header->platform, sizeof(header->platform));
		else if (!slice_number(value, &number))
			continue;
		else if (slice_is(key, "device") && number <= UINT16_MAX)
			header->device = (int)number;
		else if (slice_is(key, "revision") && number <= UINT8_MAX)
			header->revision = (int)number;
	}
}

/* ---- a file of them ------------------------------------------------------------------------- */

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
