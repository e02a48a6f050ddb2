/* SPDX-License-Identifier: MIT */
/* One line of register text, in each of the forms that programs print and people paste. */
#include "formats/regline.h"

#include "db/words.h"
#include "text/lines.h"
#include "source/source.h"
#include "source/way.h"
#include "util/number.h"

#include <ctype.h>

/* ---- scanning ----------------------------------------------------------------------------- */

struct cursor {
	const char *at, *end;
};

struct token {
	const char *text;
	size_t length;
};

/* Colour that a terminal was meant to show: ESC [ ... m. */
static bool skip_colour(struct cursor *c)
{
	const char *at = c->at;

	if (c->end - at < 3 || at[0] != 0x1b || at[1] != '[')
		return false;
	for (at += 2; at < c->end && (isdigit((unsigned char)*at) || *at == ';'); at++)
		;
	if (at == c->end || *at != 'm')
		return false;
	c->at = at + 1;
	return true;
}

static void skip_blanks(struct cursor *c)
{
	while (c->at < c->end) {
		if (is_blank(*c->at))
			c->at++;
		else if (!skip_colour(c))
			return;
	}
}

static bool take(struct cursor *c, const char *literal)
{
	size_t length = strlen(literal);

	if ((size_t)(c->end - c->at) < length || memcmp(c->at, literal, length))
		return false;
	c->at += length;
	return true;
}

/* Up to the next blank or change of colour; empty at the end. */
static struct token take_word(struct cursor *c)
{
	struct token word;

	skip_blanks(c);
	word.text = c->at;
	while (c->at < c->end && !is_blank(*c->at) && *c->at != 0x1b)
		c->at++;
	word.length = (size_t)(c->at - word.text);
	return word;
}

/* Up to one of `stops`, which stays. */
static struct token take_until(struct cursor *c, const char *stops)
{
	struct token token = { c->at, 0 };

	while (c->at < c->end && !strchr(stops, *c->at))
		c->at++;
	token.length = (size_t)(c->at - token.text);
	return token;
}

static bool has_0x(struct token t)
{
	return t.length > 2 && t.text[0] == '0' && (t.text[1] == 'x' || t.text[1] == 'X');
}

static bool parse_0x(struct token t, uint64_t *value)
{
	return has_0x(t) && number_parse_hex(t.text, t.length, value);
}

/* 0x and its digits, whatever follows them. */
static bool take_0x(struct cursor *c, struct token *token, uint64_t *value)
{
	const char *start = c->at;

	if (!take(c, "0x"))
		return false;
	while (c->at < c->end && isxdigit((unsigned char)*c->at))
		c->at++;
	*token = (struct token){ start, (size_t)(c->at - start) };
	return parse_0x(*token, value);
}

static unsigned value_size(struct token t, uint64_t value, bool exact)
{
	size_t digits = has_0x(t) ? t.length - 2 : t.length;

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

/* "val=(LOW, HIGH)" */
static bool take_halves(struct cursor *c, uint64_t *low, uint64_t *high)
{
	struct token t;

	return take(c, "val=(") && take_0x(c, &t, low) && take(c, ", ") && take_0x(c, &t, high) &&
	       take(c, ")") && *low <= UINT32_MAX && *high <= UINT32_MAX;
}

static unsigned take_length(struct cursor *c)
{
	static const char *const sizes[] = { "len=1, ", "len=2, ", "len=4, ", "len=8, " };

	for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
		if (take(c, sizes[i]))
			return 1u << i;
	return 0;
}

/* After "i915_reg_rw:"; the tracepoint's format is that of drivers/gpu/drm/i915/i915_trace.h. */
static enum regline_kind parse_tracepoint(struct cursor c, struct regline *line)
{
	uint64_t low, high;
	struct token reg;
	unsigned size;

	skip_blanks(&c);
	line->write = take(&c, "write ");
	if ((!line->write && !take(&c, "read ")) || !take(&c, "reg="))
		return REGLINE_TRACE_BAD;
	reg = take_until(&c, ", ");
	if (!reg.length || !take(&c, ", "))
		return REGLINE_TRACE_BAD;
	size = take_length(&c);
	if (!size || !take_halves(&c, &low, &high))
		return REGLINE_TRACE_BAD;
	set_value(line, size, size == 8 ? high << 32 | low : low);
	if (parse_0x(reg, &line->address))
		return REGLINE_TRACE;
	line->name = reg.text;
	line->name_length = reg.length;
	return REGLINE_TRACE_NAMED;
}

/* "[time] W 0x2030: 0x150", after anything that ends in "] ". */
static bool parse_logged(struct cursor c, struct regline *line)
{
	const char *bracket = memrchr(c.at, ']', (size_t)(c.end - c.at));
	struct token t;
	uint64_t value;

	if (bracket)
		c.at = bracket + 1;
	skip_blanks(&c);
	line->write = take(&c, "W ");
	if ((!line->write && !take(&c, "R ")) || !take_0x(&c, &t, &line->address) ||
	    !take(&c, ": ") || !take_0x(&c, &t, &value) || c.at != c.end)
		return false;
	set_value(line, value_size(t, value, false), value);
	return true;
}

static enum regline_kind parse_trace(struct cursor c, struct regline *line)
{
	static const char event[] = "i915_reg_rw:";
	const char *found = memmem(c.at, (size_t)(c.end - c.at), event, sizeof(event) - 1);

	if (found) {
		c.at = found + sizeof(event) - 1;
		return parse_tracepoint(c, line);
	}
	return parse_logged(c, line) ? REGLINE_TRACE : REGLINE_OTHER;
}

/* ---- intel_reg dump ----------------------------------------------------------------------- */

/* "0xADDR", "0xBASE:0xADDR"; "0x04:0xADDR" of a unit of the sideband: a base has eight digits. */
static bool take_address(struct cursor *c, struct regline *line)
{
	struct token first, second;
	uint64_t base;

	if (!take_0x(c, &first, &line->address))
		return false;
	if (!take(c, ":"))
		return true;
	base = line->address;
	if (!take_0x(c, &second, &line->address))
		return false;
	if (first.length > 4)
		return !__builtin_add_overflow(base, line->address, &line->address);
	line->space = GSC_SIDEBAND;
	line->address += sideband_base((unsigned)base);
	return line->address - sideband_base((unsigned)base) <= SIDEBAND_LAST;
}

/* "mmio-sr:0xADDR": of VGA the port has a name. */
static bool take_port(struct cursor *c, struct regline *line)
{
	struct cursor at = *c;
	struct token name = take_until(&at, ":)"), address;
	const struct way *way = way_find(name.text, name.length);

	if (!way || way->mchbar || !take(&at, ":") || !take_0x(&at, &address, &line->address))
		return false;
	line->space = way->space;
	*c = at;
	return true;
}

static bool is_byte(enum gsc_space space)
{
	return space == GSC_IO || (space >= GSC_VGA_SR && space <= GSC_VGA_CR);
}

/* "(ADDRESS): 0xVALUE", then the end or a text. */
static enum regline_kind parse_place(struct cursor c, struct regline *line)
{
	uint64_t value;
	struct token t;

	line->space = GSC_MMIO;
	if (!take(&c, "(") || !(take_port(&c, line) || take_address(&c, line)))
		return REGLINE_OTHER;
	if (!take(&c, "): ") || !take_0x(&c, &t, &value) || (c.at < c.end && !is_blank(*c.at)))
		return REGLINE_OTHER;
	if (is_byte(line->space) && value > UINT8_MAX)
		return REGLINE_OTHER;
	set_value(line, is_byte(line->space) ? 1 : value_size(t, value, false), value);
	return REGLINE_INTEL;
}

static void set_name(struct regline *line, const char *start, const char *end)
{
	while (end > start && is_blank(end[-1]))
		end--;
	line->name = end > start ? start : NULL;
	line->name_length = (size_t)(end - start);
}

/* Names may have blanks and brackets: the place is the first bracket that can be one. */
static enum regline_kind parse_intel(struct cursor c, struct regline *line)
{
	const char *start = c.at;

	while ((c.at = memchr(c.at, '(', (size_t)(c.end - c.at)))) {
		enum regline_kind kind = parse_place(c, line);

		if (kind != REGLINE_OTHER) {
			set_name(line, start, c.at);
			return kind;
		}
		c.at++;
	}
	return REGLINE_OTHER;
}

/* ---- address and values ------------------------------------------------------------------- */

/* "0x2030", "2030", "config:0x50" */
static bool parse_address(struct token t, struct regline *line, bool *prefixed)
{
	const char *colon = memchr(t.text, ':', t.length);

	*prefixed = colon != NULL;
	if (colon) {
		size_t length = (size_t)(colon - t.text);

		if (!gsc_space_by_name(t.text, length, &line->space))
			return false;
		t = (struct token){ colon + 1, t.length - length - 1 };
		return parse_0x(t, &line->address);
	}
	line->bare = !has_0x(t);
	return number_parse_hex(t.text, t.length, &line->address);
}

/* A value, or the word that stands for a missing one. */
static bool parse_cell(struct token t, bool bare, struct regline *line)
{
	unsigned i = line->count;
	bool number = has_0x(t) || bare;

	if (i == REGLINE_VALUES || !t.length)
		return false;
	line->status[i] = GSC_READ_OK;
	line->value[i] = 0;
	if (number ? !number_parse_hex(t.text, t.length, &line->value[i]) :
		     !read_by_word(t.text, t.length, &line->status[i]) ||
			     line->status[i] == GSC_READ_OK)
		return false;
	line->count++;
	return true;
}

/* What may stand behind the values: another number would make it some other table. */
static bool is_name(struct token t)
{
	return isalpha((unsigned char)*t.text) || *t.text == '_' || *t.text == '#';
}

/* A name of words with single blanks between, as far as it goes; what follows two is a remark. */
static void take_name(struct cursor c, struct regline *line)
{
	const char *start, *end;

	skip_blanks(&c);
	if (take(&c, "#"))
		skip_blanks(&c);
	start = end = c.at;
	while (end < c.end && *end != 0x1b &&
	       !(is_blank(*end) && (end + 1 == c.end || is_blank(end[1]))))
		end++;
	set_name(line, start, end);
}

static enum regline_kind parse_row(struct cursor c, struct regline *line)
{
	struct token first = { NULL, 0 };

	while (line->count < REGLINE_VALUES) {
		struct token t = take_word(&c);

		if (!line->count)
			first = t;
		if (!parse_cell(t, false, line)) {
			if (t.length && !is_name(t))
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

/* "0xA-0xB" */
static bool split_range(struct token t, struct token *first, struct token *last)
{
	const char *dash = memrchr(t.text, '-', t.length);

	if (!dash)
		return false;
	*first = (struct token){ t.text, (size_t)(dash - t.text) };
	*last = (struct token){ dash + 1, t.length - first->length - 1 };
	return has_0x(*last);
}

/* "0x002040-0x00204f  absent", the end included */
static enum regline_kind parse_range(struct cursor c, struct token first, struct token last,
				     struct regline *line)
{
	struct token word = take_word(&c);
	bool prefixed;

	if (!parse_address(first, line, &prefixed) || line->bare || !parse_0x(last, &line->last) ||
	    line->last < line->address ||
	    !read_by_word(word.text, word.length, &line->status[0]) ||
	    line->status[0] == GSC_READ_OK)
		return REGLINE_OTHER;
	return REGLINE_RANGE;
}

static enum regline_kind parse_columns(struct cursor c, bool exact, struct regline *line)
{
	struct token address = take_word(&c), value, first, last;
	bool prefixed, row = address.length && address.text[address.length - 1] == ':';

	if (split_range(address, &first, &last))
		return parse_range(c, first, last, line);
	address.length -= row;
	if (!parse_address(address, line, &prefixed))
		return REGLINE_OTHER;
	if (row)
		return line->bare ? REGLINE_OTHER : parse_row(c, line);
	value = take_word(&c);
	if (!parse_cell(value, true, line) && !parse_cell(value, false, line))
		return REGLINE_OTHER;
	line->size = line->status[0] == GSC_READ_OK ?
		     value_size(value, line->value[0], exact || prefixed) : 4;
	skip_blanks(&c);
	take_name(c, line);
	if ((c.at == c.end || *c.at == '#') && !prefixed && line->status[0] == GSC_READ_OK)
		return REGLINE_PLAIN;
	if (line->bare || (line->status[0] == GSC_READ_OK && !has_0x(value)))
		return REGLINE_OTHER;
	value = take_word(&c);
	if (value.length ? !is_name(value) : c.at < c.end)
		return REGLINE_OTHER;
	return REGLINE_OWN;
}

/* ---- lines -------------------------------------------------------------------------------- */

static const char own_header[] = "# gpu-regdump ";

static unsigned take_indent(struct cursor *c)
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

enum regline_kind regline_parse(const char *text, size_t length, bool exact, struct regline *line)
{
	struct cursor c = { text, text + length };
	struct regline empty = { .kind = REGLINE_BLANK };

	*line = empty;
	c.at += quote_length(text, length);
	line->indent = take_indent(&c);
	empty.indent = line->indent;
	if (c.at == c.end)
		return line->kind;
	if (*c.at == '#') {
		line->kind = take(&c, own_header) ? REGLINE_HEADER : REGLINE_BLANK;
		return line->kind;
	}
	if (*c.at == '*' && c.at + 1 == c.end) {
		line->kind = REGLINE_FOLD;
		return line->kind;
	}
	line->kind = parse_trace(c, line);
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

bool regline_is_name(const char *text, size_t length)
{
	return length && *text != '#' && is_name((struct token){ text, length });
}

static int small_number(struct token t, uint64_t most)
{
	uint64_t value;

	return number_parse(t.text, t.length, &value) && value <= most ? (int)value : -1;
}

void regline_header_parse(const char *text, size_t length, struct regline_header *header)
{
	struct cursor c = { text + quote_length(text, length), text + length };
	struct token key;

	*header = (struct regline_header){ .device = -1, .revision = -1 };
	take_indent(&c);
	if (!take(&c, own_header))
		return;
	take_word(&c);
	/* The names of the sources come last, and may hold anything. */
	while ((key = take_word(&c)).length && (key.length != 6 || memcmp(key.text, "source", 6))) {
		struct token value = take_word(&c);

		if (key.length == 8 && !memcmp(key.text, "platform", 8) &&
		    value.length < sizeof(header->platform))
			memcpy(header->platform, value.text, value.length);
		else if (key.length == 6 && !memcmp(key.text, "device", 6))
			header->device = small_number(value, UINT16_MAX);
		else if (key.length == 8 && !memcmp(key.text, "revision", 8))
			header->revision = small_number(value, UINT8_MAX);
	}
}
