/* SPDX-License-Identifier: MIT */
/*
 * Splits a SELECTOR into its parts: a prefix, and the name or the address after it. db/resolve.c
 * finds what names mean.
 */
#include "regs/regs.h"

#include "db/ports.h"
#include "source/source.h"
#include "util/number.h"
#include "util/text.h"

/* Larger than any register BAR: anything longer is a mistake, and its rows would never end. */
#define RANGE_MAX (UINT64_C(256) << 20)

static enum gsc_status wrong(const struct selector *s, const char *why, struct gsc_error *err)
{
	return err_set(err, GSC_USAGE, s->name.text, "%s", why);
}

/* Some registers have names that begin with a digit: 3DPRIM_END_OFFSET. */
static bool is_address(const char *text, const char *stops)
{
	size_t length = strcspn(text, stops);
	uint64_t value;

	return is_digit(*text) && (slice_begins(slice_string(text), "0x") ||
				   slice_begins(slice_string(text), "0X") ||
				   number_parse(text, length, &value));
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
	if (!is_address(text, ":") || !number_parse(text, length, &number) ||
	    (number > UINT8_MAX && !is_address(colon + 1, "-+:")))
		return text;
	s->space = number <= UINT8_MAX ? GSC_SIDEBAND : GSC_MMIO;
	s->base = number <= UINT8_MAX ? sideband_base((unsigned)number) : number;
	return colon + 1;
}

/* Memory, or registers as wide: what has addresses of bytes, and so ranges. */
static bool has_bytes(enum gsc_space space)
{
	return space == GSC_MMIO || space == GSC_CONFIG || space == GSC_PHYS ||
	       space == GSC_LMEM || space == GSC_GTTMEM || space == GSC_PPGTTMEM;
}

/* Bytes of what is at an address; in the sideband a number is a register. */
static unsigned unit_of(const struct selector *s, const struct gsc_platform *p)
{
	if (s->way && s->way->bits && s->space == GSC_MMIO)
		return s->way->bits / 8;
	if (s->space == GSC_IO)
		return s->start < PORT_FIRST ? 4 : 1;
	if (s->space == GSC_GGTT)
		return p->ggtt_entry ? p->ggtt_entry : 4;
	return has_bytes(s->space) ? 4 : 1;
}

/* "A-B" names the last dword or its last byte, since manuals do both; "A+LEN" is bytes. */
static enum gsc_status parse_end(struct selector *s, const struct gsc_platform *p,
				 const char *text, struct gsc_error *err)
{
	unsigned unit = unit_of(s, p);
	uint64_t value;

	if (!gsc_parse_number(text + 1, &value))
		return wrong(s, *text == '-' ? "expected an address after the -"
					     : "expected a number of bytes after the +", err);
	if (!(has_bytes(s->space) || s->space == GSC_GGTT) || (s->way && s->way->bits))
		return wrong(s, "only mmio, config, ggtt and memory have ranges", err);
	if (*text == '+') {
		if (!value || value % 4)
			return wrong(s, "expected a length that is a multiple of 4", err);
		s->last = s->start + value - 1;
	} else {
		if (value % unit && value % unit != unit - 1)
			return err_set(err, GSC_USAGE, s->name.text,
				       "the end is not a multiple of %u", unit);
		s->last = value | (unit - 1);
		if (s->last < s->start)
			return wrong(s, "ends before it begins", err);
	}
	if (s->last - s->start >= RANGE_MAX)
		return wrong(s, "longer than any register BAR", err);
	if (s->last < s->start)
		return wrong(s, "ends past the address space", err);
	if (s->space != GSC_GGTT)
		return GSC_OK;
	/* Each entry is read by itself, so there cannot be more than exist. */
	if (!p->ggtt_entry || !p->ggtt_max)
		return wrong(s, "this platform has no GGTT in its BAR", err);
	if (s->start >= p->ggtt_max || s->last >= p->ggtt_max)
		return err_set(err, GSC_UNKNOWN, s->name.text, "its GGTT has at most 0x%llx bytes",
			       LL(p->ggtt_max));
	if ((s->last + 1) % p->ggtt_entry)
		return err_set(err, GSC_USAGE, s->name.text, "the end is not a multiple of %u",
			       p->ggtt_entry);
	return GSC_OK;
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

static enum gsc_status parse_address(struct selector *s, const struct gsc_platform *p,
				     const char *text, struct gsc_error *err)
{
	struct slice rest = slice_string(text), number = take_until(&rest, "-+:");
	enum gsc_status status = GSC_OK;
	unsigned unit, wanted = 1;

	if (take_text(&rest, ":") &&
	    (rest.at == rest.end || !slice_copy(rest, s->name.field, sizeof(s->name.field))))
		return wrong(s, "expected a field name after the :", err);
	if (!slice_number(number, &s->start))
		return wrong(s, "not an address", err);
	/* The byte of a VGA port is at the same offset in the BAR. */
	if (s->space == GSC_MMIO && s->alias && s->start >= PORT_FIRST && s->start <= PORT_LAST)
		s->space = GSC_IO;
	s->kind = rest.at < rest.end && !*s->name.field ? SELECTOR_RANGE : SELECTOR_ADDRESS;
	unit = unit_of(s, p);
	if (s->space != GSC_CONFIG && s->start % unit)
		wanted = unit;
	else if (s->kind == SELECTOR_RANGE)
		wanted = 4;
	if (s->start % wanted)
		return err_set(err, GSC_USAGE, s->name.text, "the address is not a multiple of %u",
			       wanted);
	s->last = s->start + unit - 1;
	if (s->last < s->start)
		return wrong(s, "ends past the address space", err);
	if (s->kind == SELECTOR_RANGE)
		status = parse_end(s, p, rest.at, err);
	return status ? status : add_base(s, err);
}

/* The ranges of the platform say where the mirror of MCHBAR is in the BAR. */
static enum gsc_status place_mirror(struct selector *s, const struct gsc_view *view,
				    struct gsc_error *err)
{
	static const uint64_t bases[] = { 0x140000, 0x10000 };
	struct gsc_range range;

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		if (!gsc_view_range(view, RANGE_TOLD, GSC_MMIO, bases[i], &range) ||
		    range.start != bases[i] ||
		    strcmp(range.kind, "alias"))
			continue;
		if (s->kind != SELECTOR_NAME && s->last > range.last - range.start)
			return err_set(err, GSC_UNKNOWN, s->name.text,
				       "the mirror of MCHBAR has 0x%llx bytes",
				       LL(range.last - range.start + 1));
		s->base = range.start;
		s->base_last = range.last;
		return s->kind == SELECTOR_NAME ? GSC_OK : add_base(s, err);
	}
	return wrong(s, "this platform has no mirror of MCHBAR in its BAR", err);
}

enum gsc_status selector_read(struct selector *s, const struct gsc_view *view, const char *text,
			      struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_platform p = { 0 };
	const char *rest, *why;

	*s = (struct selector){ .base_last = UINT64_MAX,
				.name = { .text = text, .index = -1 } };
	if (view)
		gsc_platform_at(view->db, view->platform, &p);
	s->ggtt_entry = p.ggtt_entry;
	rest = *text == '@' ? text : skip_way(s, text);
	if (is_address(rest, "-+:") || (s->base && !s->way)) {
		status = parse_address(s, &p, rest, err);
	} else if (!*rest) {
		return wrong(s, rest == text ? "an empty selector"
					     : "expected an address or a name after the :", err);
	} else {
		why = reg_name_parse(&s->name, rest);
		s->name.text = text;
		s->kind = s->name.group ? SELECTOR_GROUP : SELECTOR_NAME;
		if (why)
			return wrong(s, why, err);
	}
	if (s->space == GSC_SIDEBAND && s->base)
		s->base_last = s->base + SIDEBAND_LAST;
	return !status && view && s->way && s->way->mchbar ? place_mirror(s, view, err) : status;
}

enum gsc_status selector_regs(const struct selector *s, const struct gsc_view *view,
			      reg_vec *regs, struct gsc_error *err)
{
	enum gsc_status status = regs_named(view, &s->name, regs, err);
	size_t kept = 0;

	for (size_t i = 0; !status && s->way && i < regs->count; i++) {
		const struct c_inst *inst = &view->insts[regs->items[i]];
		bool wide = s->way->bits && inst_traits(view, regs->items[i])->bits != s->way->bits;
		/* Ports of VGA registers are also reached by bytes of the BAR. */
		bool port = s->alias && s->space == GSC_MMIO && inst->space == GSC_IO;

		if (!wide && (port || (inst->space == s->space && inst->offset >= s->base &&
				       inst->offset <= s->base_last)))
			regs->items[kept++] = regs->items[i];
	}
	if (!status && s->way && !kept)
		return err_set(err, GSC_UNKNOWN, s->name.text, "%s is not a register of %s",
			       s->name.name, s->way->name);
	if (!status && s->way)
		regs->count = kept;
	return status ? status : regs_narrow(view, &s->name, regs, err);
}
