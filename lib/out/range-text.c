/* SPDX-License-Identifier: MIT */
/*
 * Ranges as text: rows of eight dwords; below a row the lines of the registers defined in it; long
 * runs of zeros folded, as hexdump does. Whole BARs go through here, so the rows are made directly
 * from the bytes.
 */
#include "out/out.h"

#include "util/number.h"

/* ---- rows of bytes -------------------------------------------------------------------------- */

/*
 * All eight digits at once: the nibbles of the dword spread over eight bytes, first digit lowest,
 * each turned into '0' + nibble, and those past '9' moved on to 'a'.
 */
static uint64_t hex_digits(uint32_t value)
{
	uint64_t x = __builtin_bswap32(value), letters;

	x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
	x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x >> 4 & UINT64_C(0x000f000f000f000f)) | (x & UINT64_C(0x000f000f000f000f)) << 8;
	letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
	return x + UINT64_C(0x3030303030303030) + letters * ('a' - '0' - 10);
}

char *put_dwords(char *out, const uint8_t *dwords, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t value;
		uint64_t digits;

		memcpy(&value, dwords + i * 4, sizeof(value));
		digits = hex_digits(value);
		memcpy(out, " 0x", 3);
		memcpy(out + 3, &digits, sizeof(digits));
		out += 11;
	}
	return out;
}

struct range {
	struct gsc_out *out;
	struct gsc_rows *rows;
	const struct gsc_view *view;
	const struct item *item;
	const struct stretch *stretch;
	size_t next;			/* register of the view, the first not shown yet */
	unsigned flags;
	size_t zeros;			/* rows of zeros just passed; the first is written */
	uint64_t last_zero;		/* where the last of them begins */
};

static void text_dwords(struct range *r, uint64_t address, const uint8_t *data, size_t count)
{
	char *at;

	text_address(r->out, r->item->space, address);
	at = out_room(r->out, 1 + 8 * 11);
	if (!at)
		return;
	*at++ = ':';
	out_used(r->out, put_dwords(at, data, count));
	gsc_out_end(r->out);
}

static size_t zero_rows(const uint8_t *data, size_t rows)
{
	for (size_t count = 0; count < rows; count++) {
		uint64_t part[4];

		memcpy(part, data + count * RANGE_ROW, sizeof(part));
		if (part[0] | part[1] | part[2] | part[3])
			return count;
	}
	return rows;
}

/*
 * Ends a run of zeros. Three rows and more are folded; because a row must follow a fold, the last
 * of them is written if no other row follows.
 */
static void end_zeros(struct range *r, bool row_follows)
{
	static const uint8_t zeros[RANGE_ROW];
	bool fold = r->zeros > 2;

	if (fold) {
		gsc_out_line(r->out, "*");
	}
	if (r->zeros > 1 && !(fold && row_follows))
		text_dwords(r, r->last_zero, zeros, RANGE_ROW / 4);
	r->zeros = 0;
}

/* The end of the row that begins at an address. */
static uint64_t row_end(const struct range *r, uint64_t address, uint64_t end)
{
	uint64_t rest = RANGE_ROW - (address - r->item->start) % RANGE_ROW;

	return end - address < rest ? end : address + rest;
}

/* Bytes of the stretch in rows, from an address on. */
static void text_bytes(struct range *r, uint64_t address, uint64_t end)
{
	const struct stretch *s = r->stretch;

	while (address != end && !r->out->error) {
		const uint8_t *row = s->data + (address - s->start);
		uint64_t next = row_end(r, address, end);
		size_t zeros = 0;

		if (next - address == RANGE_ROW)
			zeros = zero_rows(row, (size_t)(end - address) / RANGE_ROW);
		if (!zeros)
			end_zeros(r, true);
		if (!r->zeros)
			text_dwords(r, address, row, (size_t)(next - address) / 4);
		if (zeros) {
			r->zeros += zeros;
			r->last_zero = address + (zeros - 1) * RANGE_ROW;
			next = r->last_zero + RANGE_ROW;
		}
		address = next;
	}
}

/* ---- definitions in between ----------------------------------------------------------------- */

/*
 * Where the next register in the stretch begins, or `from` if that is earlier; past its end if
 * there is none.
 */
static uint64_t next_register(struct range *r, uint64_t from)
{
	const struct gsc_view *view = r->view;
	struct gsc_reg reg;

	for (; r->next < view->count && view->insts[r->next].space == r->item->space; r->next++) {
		gsc_view_reg(view, r->next, &reg);
		if (reg.offset + reg.bits / 8 > from)
			break;
	}
	if (r->next == view->count || view->insts[r->next].space != r->item->space ||
	    view->insts[r->next].offset > r->stretch->last)
		return r->stretch->last + 1;
	return MAX(view->insts[r->next].offset, from);
}

/* The value as the rows have it, perhaps only a part of it. */
static void text_defined(struct range *r, size_t reg)
{
	const struct stretch *s = r->stretch;
	struct gsc_row row = { .status = GSC_READ_OK };
	uint64_t start, size;

	if (hazard_of_write_only(r->view, reg))
		return;
	gsc_view_reg(r->view, reg, &row.reg);
	size = row.reg.bits / 8;
	start = MAX(row.reg.offset, s->start);
	row.raw = row.part = start != row.reg.offset || s->last - start < size - 1;
	row.part_lo = (unsigned)(start - row.reg.offset) * 8;
	row.part_hi = row.part_lo + 31;
	row.reg.offset = start;
	memcpy(&row.value, s->data + (start - s->start), row.raw ? 4 : size);
	gsc_text_row(r->out, r->view, &row,
		     r->flags & GSC_TEXT_VERBOSE ? r->flags : r->flags | GSC_TEXT_QUIET);
}

/* A register interrupts the zeros around it, and has its line below its row. */
static void text_held(struct range *r)
{
	uint64_t at = r->stretch->start, end = r->stretch->last + 1;

	while (at != end && !r->out->error) {
		uint64_t named = r->flags & GSC_TEXT_QUIET ? end : next_register(r, at), row = end;

		if (named != end)
			row = named - (named - r->item->start) % RANGE_ROW;
		if (row > at) {
			text_bytes(r, at, row);
			at = row;
		}
		if (at == end)
			break;
		row = row_end(r, at, end);
		end_zeros(r, true);
		text_dwords(r, at, r->stretch->data + (at - r->stretch->start),
			    (size_t)(row - at) / 4);
		while (next_register(r, at) < row)
			text_defined(r, r->next++);
		at = row;
	}
}

void text_range(struct gsc_out *out, struct gsc_rows *rows, size_t i, unsigned flags)
{
	struct range r = {
		.out = out,
		.rows = rows,
		.view = rows->selection->view,
		.item = &rows->selection->items.items[i],
		.flags = flags,
	};
	const struct stretch *s;
	uint64_t at = r.item->start;

	r.next = gsc_view_seek(r.view, r.item->space, at < 4 ? 0 : at - 4);
	do {
		r.stretch = rows_stretch(rows, i, at);
		s = r.stretch;
		if (s->status == GSC_READ_OK) {
			text_held(&r);
		} else {
			end_zeros(&r, false);
			text_address(out, r.item->space, s->start);
			gsc_out_bytes(out, "-", 1);
			gsc_out_hex(out, s->last, r.item->space == GSC_MMIO ? 6 : 2);
			gsc_out_line(out, "  %s%s%s", gsc_read_word(s->status), s->why ? "  " : "",
				     s->why ? s->why : "");
		}
		at = s->last + 1;
	} while (s->last < r.item->last && !out->error);
	end_zeros(&r, false);
}
