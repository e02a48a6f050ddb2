/* SPDX-License-Identifier: MIT */
#include "regs/regs.h"

#include "source/source.h"
#include "util/number.h"

/* Larger than any register BAR: what is longer is a slip, and its rows would never end. */
#define RANGE_MAX (UINT64_C(256) << 20)

static enum gsc_status wrong(const struct selector *s, const char *why, struct gsc_error *err)
{
	return err_set(err, GSC_USAGE, s->text, "%s", why);
}

static bool copy_part(char *out, size_t room, const char *start, size_t length)
{
	if (length >= room)
		return false;
	memcpy(out, start, length);
	out[length] = 0;
	return true;
}

/* ---- addresses ------------------------------------------------------------------------------ */

/* "config:" and the like, if an address follows; else the register space. */
static const char *skip_space(const char *text, enum gsc_space *space)
{
	const char *colon = strchr(text, ':');

	*space = GSC_MMIO;
	if (!colon || colon[1] < '0' || colon[1] > '9' ||
	    !space_by_name(text, (size_t)(colon - text), space))
		return text;
	return colon + 1;
}

static bool is_hex(const char *text)
{
	return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

/* Some registers have names that begin with a digit: 3DPRIM_END_OFFSET. */
static bool is_address(const char *text)
{
	uint64_t value;

	if (is_hex(text))
		return true;
	return *text >= '0' && *text <= '9' &&
	       number_parse(text, strcspn(text, "-+"), &value);
}

static bool by_dwords(enum gsc_space space)
{
	return space == GSC_MMIO || space == GSC_CONFIG;
}

/* "A-B" names the last dword or its last byte, as manuals do both; "A+LEN" is bytes. */
static enum gsc_status parse_end(struct selector *s, const char *text, struct gsc_error *err)
{
	uint64_t value;

	if (!gsc_parse_number(text + 1, &value))
		return wrong(s, *text == '-' ? "expected an address after the -"
					     : "expected a number of bytes after the +", err);
	if (!by_dwords(s->space))
		return wrong(s, "ranges are of mmio or config", err);
	if (*text == '+') {
		if (!value || value % 4)
			return wrong(s, "expected a length that is a multiple of 4", err);
		if (value > RANGE_MAX)
			return wrong(s, "longer than any register BAR", err);
		s->last = s->start + value - 1;
		return s->last > s->start ? GSC_OK
					  : wrong(s, "reaches past the address space", err);
	}
	if (value % 4 && value % 4 != 3)
		return wrong(s, "the end is no multiple of 4", err);
	s->last = value | 3;
	if (s->last < s->start)
		return wrong(s, "ends before it begins", err);
	return s->last - s->start >= RANGE_MAX ? wrong(s, "longer than any register BAR", err)
					       : GSC_OK;
}

static enum gsc_status parse_address(struct selector *s, const char *text, struct gsc_error *err)
{
	size_t length = strcspn(text, "-+");

	if (!number_parse(text, length, &s->start))
		return wrong(s, "not an address", err);
	if (s->space == GSC_MMIO && s->start % 4)
		return wrong(s, "the address is no multiple of 4", err);
	s->kind = SELECTOR_ADDRESS;
	s->last = s->start + (by_dwords(s->space) ? 3 : 0);
	if (!text[length])
		return GSC_OK;
	s->kind = SELECTOR_RANGE;
	if (s->start % 4)
		return wrong(s, "the address is no multiple of 4", err);
	return parse_end(s, text + length, err);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* "[3]" at the end of text[0..*length); "[*]" is all of them. */
static bool parse_index(struct selector *s, const char *text, size_t *length)
{
	const char *open = memchr(text, '[', *length);
	uint64_t index;
	size_t digits;

	if (!open)
		return true;
	digits = (size_t)(text + *length - open) - 1;
	*length = (size_t)(open - text);
	if (!digits || open[digits] != ']')
		return false;
	if (digits == 2 && open[1] == '*')
		return true;
	if (!number_parse(open + 1, digits - 1, &index) || index >= UINT16_MAX)
		return false;
	s->index = (int)index;
	return true;
}

static enum gsc_status parse_name(struct selector *s, const char *text, struct gsc_error *err)
{
	const char *colon = strchr(text, ':');
	const char *end = colon ? colon : text + strlen(text);
	const char *dot = memchr(text, '.', (size_t)(end - text));
	const char *name = dot ? dot + 1 : text;
	size_t length = (size_t)(end - name);

	s->kind = SELECTOR_NAME;
	if (colon && (!colon[1] || !copy_part(s->field, sizeof(s->field), colon + 1,
					      strlen(colon + 1))))
		return wrong(s, "expected a field name after the :", err);
	if (dot && (dot == text ||
		    !copy_part(s->engine, sizeof(s->engine), text, (size_t)(dot - text))))
		return wrong(s, "expected an engine before the .", err);
	if (!parse_index(s, name, &length))
		return wrong(s, "expected a number between [ and ]", err);
	if (!length || !copy_part(s->name, sizeof(s->name), name, length))
		return wrong(s, "expected a register name", err);
	return GSC_OK;
}

enum gsc_status selector_parse(struct selector *s, const char *text, struct gsc_error *err)
{
	const char *address;

	*s = (struct selector){ .text = text, .index = -1 };
	if (*text == '@') {
		s->kind = SELECTOR_GROUP;
		if (!text[1] || !copy_part(s->name, sizeof(s->name), text + 1, strlen(text + 1)))
			return wrong(s, "expected the name of a group after the @", err);
		return GSC_OK;
	}
	address = skip_space(text, &s->space);
	if (address != text || is_address(text))
		return parse_address(s, address, err);
	return *text ? parse_name(s, text, err) : wrong(s, "an empty selector", err);
}
