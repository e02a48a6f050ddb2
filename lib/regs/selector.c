/* SPDX-License-Identifier: MIT */
/*
 * Splits a SELECTOR into its parts: engine, name or address, index, field. names.c finds what they
 * mean.
 */
#include "regs/regs.h"

#include "db/ports.h"
#include "source/source.h"
#include "util/number.h"

/* Larger than any register BAR: anything longer is a mistake, and its rows would never end. */
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

static bool is_memory(enum gsc_space space)
{
	return space == GSC_PHYS || space == GSC_LMEM || space == GSC_GTTMEM ||
	       space == GSC_PPGTTMEM;
}

static bool is_hex(const char *text)
{
	return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

/* Some registers have names that begin with a digit: 3DPRIM_END_OFFSET. */
static bool is_address(const char *text, size_t length)
{
	uint64_t value;

	if (is_hex(text))
		return true;
	return *text >= '0' && *text <= '9' && number_parse(text, length, &value);
}

/*
 * What precedes a colon, if it is a prefix; "0x04:" is a unit of the sideband, a larger number a
 * base, as in intel_reg.
 */
static const char *skip_way(struct selector *s, const char *text)
{
	const char *colon = strchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : 0;
	uint64_t number;

	if (!colon)
		return text;
	s->way = way_find(text, length);
	if (s->way) {
		s->space = s->way->space;
		s->alias = s->way->alias;
		if (s->way->unit)
			s->base = sideband_base(s->way->unit);
		return colon + 1;
	}
	/* "0x2520:FIELD" is no base. */
	if (!is_address(text, length) || !number_parse(text, length, &number) ||
	    (number > UINT8_MAX && !is_address(colon + 1, strcspn(colon + 1, "-+:"))))
		return text;
	s->space = number <= UINT8_MAX ? GSC_SIDEBAND : GSC_MMIO;
	s->base = number <= UINT8_MAX ? sideband_base((unsigned)number) : number;
	return colon + 1;
}

/* Bytes of what is at an address; in the sideband a number is a register. */
static unsigned unit_of(const struct selector *s)
{
	if (s->way && s->way->bits && s->space == GSC_MMIO)
		return s->way->bits / 8;
	if (s->space == GSC_IO)
		return s->start < PORT_FIRST ? 4 : 1;
	if (s->space == GSC_GGTT)
		return s->ggtt_entry ? s->ggtt_entry : 4;
	return s->space == GSC_MMIO || s->space == GSC_CONFIG || is_memory(s->space) ? 4 : 1;
}

static bool has_ranges(const struct selector *s)
{
	return (s->space == GSC_MMIO || s->space == GSC_CONFIG || s->space == GSC_GGTT ||
		is_memory(s->space)) && !(s->way && s->way->bits);
}

/* Each entry is read by itself, so there cannot be more than exist. */
static enum gsc_status check_entries(const struct selector *s, struct gsc_error *err)
{
	if (s->space != GSC_GGTT)
		return GSC_OK;
	if (!s->ggtt_entry || !s->ggtt_max)
		return wrong(s, "this platform has no GGTT in its BAR", err);
	if (s->start >= s->ggtt_max || s->last >= s->ggtt_max)
		return err_set(err, GSC_UNKNOWN, s->text, "its GGTT has at most 0x%llx bytes",
			       (unsigned long long)s->ggtt_max);
	if ((s->last + 1) % s->ggtt_entry)
		return err_set(err, GSC_USAGE, s->text, "the end is not a multiple of %u",
			       s->ggtt_entry);
	return GSC_OK;
}

/* "A-B" names the last dword or its last byte, since manuals do both; "A+LEN" is bytes. */
static enum gsc_status parse_end(struct selector *s, const char *text, struct gsc_error *err)
{
	unsigned unit = unit_of(s);
	uint64_t value;

	if (!gsc_parse_number(text + 1, &value))
		return wrong(s, *text == '-' ? "expected an address after the -"
					     : "expected a number of bytes after the +", err);
	if (!has_ranges(s))
		return wrong(s, "only mmio, config, ggtt and memory have ranges", err);
	if (*text == '+') {
		if (!value || value % 4)
			return wrong(s, "expected a length that is a multiple of 4", err);
		if (value > RANGE_MAX)
			return wrong(s, "longer than any register BAR", err);
		s->last = s->start + value - 1;
		return s->last > s->start ? GSC_OK
					  : wrong(s, "ends past the address space", err);
	}
	if (value % unit && value % unit != unit - 1)
		return err_set(err, GSC_USAGE, s->text, "the end is not a multiple of %u", unit);
	s->last = value | (unit - 1);
	if (s->last < s->start)
		return wrong(s, "ends before it begins", err);
	return s->last - s->start >= RANGE_MAX ? wrong(s, "longer than any register BAR", err)
					       : GSC_OK;
}

static enum gsc_status not_aligned(const struct selector *s, unsigned unit, struct gsc_error *err)
{
	return err_set(err, GSC_USAGE, s->text, "the address is not a multiple of %u", unit);
}

/* The byte of a VGA port is at the same offset in the BAR. */
static bool is_port_alias(const struct selector *s)
{
	return s->space == GSC_MMIO && s->alias && s->start >= PORT_FIRST && s->start <= PORT_LAST;
}

/* Addresses after a prefix count from where that begins. */
static enum gsc_status add_base(struct selector *s, struct gsc_error *err)
{
	if (s->space == GSC_SIDEBAND && s->base && s->last > SIDEBAND_LAST)
		return wrong(s, "the registers of a unit have numbers of 16 bits", err);
	if (s->last > UINT64_MAX - s->base)
		return wrong(s, "ends past the address space", err);
	s->start += s->base;
	s->last += s->base;
	return GSC_OK;
}

static enum gsc_status parse_address(struct selector *s, const char *text, struct gsc_error *err)
{
	size_t length = strcspn(text, "-+:");
	enum gsc_status status = GSC_OK;
	unsigned unit;

	if (text[length] == ':' &&
	    (!text[length + 1] || !copy_part(s->field, sizeof(s->field), text + length + 1,
					     strlen(text + length + 1))))
		return wrong(s, "expected a field name after the :", err);
	if (!number_parse(text, length, &s->start))
		return wrong(s, "not an address", err);
	if (is_port_alias(s))
		s->space = GSC_IO;
	unit = unit_of(s);
	if (s->space != GSC_CONFIG && s->start % unit)
		return not_aligned(s, unit, err);
	s->kind = SELECTOR_ADDRESS;
	s->last = s->start + unit - 1;
	if (s->last < s->start)
		return wrong(s, "ends past the address space", err);
	if (text[length] && !*s->field) {
		s->kind = SELECTOR_RANGE;
		if (s->start % 4)
			return not_aligned(s, 4, err);
		status = parse_end(s, text + length, err);
	}
	if (!status && s->kind == SELECTOR_RANGE)
		status = check_entries(s, err);
	return status ? status : add_base(s, err);
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

static enum gsc_status parse(struct selector *s, const char *text, struct gsc_error *err)
{
	const char *rest;

	if (*text == '@') {
		s->kind = SELECTOR_GROUP;
		if (!text[1] || !copy_part(s->name, sizeof(s->name), text + 1, strlen(text + 1)))
			return wrong(s, "expected the name of a group after the @", err);
		return GSC_OK;
	}
	rest = skip_way(s, text);
	if (is_address(rest, strcspn(rest, "-+:")) || (s->base && !s->way))
		return parse_address(s, rest, err);
	return *rest ? parse_name(s, rest, err)
		     : wrong(s, rest == text ? "an empty selector"
					     : "expected an address or a name after the :", err);
}

/* The ranges of the platform say where the mirror of MCHBAR is in the BAR. */
static enum gsc_status place_mirror(struct selector *s, const struct gsc_view *view,
				    struct gsc_error *err)
{
	static const uint64_t bases[] = { 0x140000, 0x10000 };
	struct gsc_range range;

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		if (!gsc_view_range(view, bases[i], &range) || range.start != bases[i] ||
		    strcmp(range.kind, "alias"))
			continue;
		if (s->kind != SELECTOR_NAME && s->last > range.last - range.start)
			return err_set(err, GSC_UNKNOWN, s->text,
				       "the mirror of MCHBAR has 0x%llx bytes",
				       (unsigned long long)(range.last - range.start + 1));
		s->base = range.start;
		s->base_last = range.last;
		return s->kind == SELECTOR_NAME ? GSC_OK : add_base(s, err);
	}
	return wrong(s, "this platform has no mirror of MCHBAR in its BAR", err);
}


static enum gsc_status parse_on(struct selector *s, const struct gsc_platform *p, const char *text,
				struct gsc_error *err)
{
	enum gsc_status status;

	*s = (struct selector){ .text = text, .index = -1, .base_last = UINT64_MAX,
				.ggtt_max = p->ggtt_max, .ggtt_entry = p->ggtt_entry };
	status = parse(s, text, err);
	if (s->space == GSC_SIDEBAND && s->base)
		s->base_last = s->base + SIDEBAND_LAST;
	return status;
}

enum gsc_status selector_parse(struct selector *s, const char *text, struct gsc_error *err)
{
	static const struct gsc_platform none;

	return parse_on(s, &none, text, err);
}

enum gsc_status selector_read(struct selector *s, const struct gsc_view *view, const char *text,
			      struct gsc_error *err)
{
	enum gsc_status status;
	struct gsc_platform p;

	gsc_platform_at(view->db, view->platform, &p);
	status = parse_on(s, &p, text, err);
	return !status && s->way && s->way->mchbar ? place_mirror(s, view, err) : status;
}
