/* SPDX-License-Identifier: MIT */
/* Where an element is, and what is where: forward and back with the same masks. */
#include "tile/tile.h"

uint64_t bits_spread(uint64_t value, uint32_t mask)
{
	uint64_t out = 0;

	for (; mask; mask &= mask - 1, value >>= 1)
		if (value & 1)
			out |= mask & -mask;
	return out;
}

static uint64_t bits_gather(uint64_t value, uint32_t mask)
{
	uint64_t out = 0;

	for (unsigned i = 0; mask; mask &= mask - 1, i++)
		if (value & mask & -mask)
			out |= UINT64_C(1) << i;
	return out;
}

/* ---- what there is -------------------------------------------------------------------------- */

static bool is_power(uint64_t n, uint64_t from, uint64_t to)
{
	return n >= from && n <= to && !(n & (n - 1));
}

static enum gsc_status no_order(const struct gsc_surface *s, struct gsc_error *err)
{
	const char *name = gsc_tiling_name(s->tiling);

	if (s->tiling == GSC_TILING_W && s->bits != 8)
		return err_set(err, GSC_USAGE, name, "elements of W tiles have 8 bits");
	if (s->dimensions == 3)
		return err_set(err, GSC_USAGE, name,
			       s->samples > 1 ? "surfaces with depth have one sample"
					      : "its tiles have no depth: slices lie one after "
						"the other");
	if (s->tiling == GSC_TILING_YS)
		return err_set(err, GSC_USAGE, name, "no document says how %u samples are arranged",
			       s->samples);
	if (s->tiling == GSC_TILING_YF)
		return err_set(err, GSC_USAGE, name, "documents differ: gmmlib defines how its "
			       "samples are arranged, but in Mesa a tile holds only one");
	return err_set(err, GSC_USAGE, name,
		       "its tiles hold one sample: others are slices, or pixels side by side");
}

/* A known order, or linear, which needs none. */
static enum gsc_status check_surface(const struct gsc_platform *p, const struct gsc_surface *s,
				     struct gsc_error *err)
{
	/* Rows can hold any elements: surface formats with three channels, or four of 64 bits. */
	bool whole = s->tiling == GSC_TILING_LINEAR && s->bits && s->bits <= 256 && !(s->bits % 8);
	/* Three channels are stored in these tiles byte by byte, and cross from one to the next. */
	bool three = order_is_plain(s->tiling) && s->bits % 3 == 0 && is_power(s->bits / 3, 8, 64);
	char what[64];

	if (s->tiling >= GSC_TILINGS)
		return err_set(err, GSC_USAGE, "tiling", "unknown tiling");
	if (!is_power(s->bits, 8, 128) && !whole && !three) {
		string_set(what, "%u bits per element", s->bits);
		return err_set(err, GSC_USAGE, what, "expected 8, 16, 32, 64 or 128%s",
			       order_is_plain(s->tiling) ? ", or 24, 48, 96 or 192" :
			       s->tiling ? "" : ", or other whole bytes up to 256 bits");
	}
	if (!is_power(s->samples, 1, 16)) {
		string_set(what, "%u samples", s->samples);
		return err_set(err, GSC_USAGE, what, "expected 1, 2, 4, 8 or 16");
	}
	if (s->swizzle && !gsc_swizzle_name(s->swizzle))
		return err_set(err, GSC_USAGE, "swizzle", "no GPU uses this swizzle");
	if (tiling_is_of(s->tiling, p))
		return GSC_OK;
	err_set(err, GSC_USAGE, gsc_tiling_name(s->tiling), "%s has no such tiling; it has",
		p->name);
	for (unsigned i = 0; err && i < GSC_TILINGS; i++)
		if (tiling_is_of((enum gsc_tiling)i, p))
			string_add(err->why, " %s", gsc_tiling_name((enum gsc_tiling)i));
	return GSC_USAGE;
}

/* ---- layout --------------------------------------------------------------------------------- */

enum gsc_status gsc_layout_init(struct gsc_layout *layout, const struct gsc_platform *p,
				const struct gsc_surface *surface, struct gsc_error *err)
{
	const struct order *order;
	enum gsc_status status;
	char what[64];

	*layout = (struct gsc_layout){ .surface = *surface };
	status = check_surface(p, surface, err);
	if (status)
		return status;
	order = order_find(p, surface);
	if (order) {
		unsigned samples = order->samples == ON_TOP
					   ? (unsigned)__builtin_ctz(layout->surface.samples)
					   : 0;

		layout->tile_bits = (unsigned)strlen(order->letters);
		for (unsigned bit = 0; bit < layout->tile_bits; bit++) {
			char letter = bit < layout->tile_bits - samples
					      ? order->letters[layout->tile_bits - 1 - bit]
					      : 's';

			*(letter == 'x'	  ? &layout->x
			  : letter == 'y' ? &layout->y
			  : letter == 'z' ? &layout->z
					  : &layout->sample) |= 1u << bit;
		}
		layout->width = 1u << __builtin_popcount(layout->x);
		layout->height = 1u << __builtin_popcount(layout->y);
		layout->depth = 1u << __builtin_popcount(layout->z);
		layout->samples = 1u << __builtin_popcount(layout->sample);
		layout->document = order->document;
		layout->section = order->section;
	} else if (surface->tiling == GSC_TILING_LINEAR && surface->samples == 1 &&
		   surface->dimensions == 2) {
		/* A row at a time: linear is like tiles of one element. */
		layout->width = surface->bits / 8;
		layout->height = layout->depth = layout->samples = 1;
		layout->document = "skl-vol5";
		layout->section = "Linear vs Tiled Storage";
	} else {
		return no_order(surface, err);
	}
	if (surface->pitch && !(surface->pitch % layout->width))
		return GSC_OK;
	string_set(what, "pitch %llu", LL(surface->pitch));
	return err_set(err, GSC_USAGE, what, "expected a multiple of %u bytes, the width of %s",
		       layout->width, surface->tiling ? "a tile" : "an element");
}

/* ---- forward and back ----------------------------------------------------------------------- */

/* Tiles in a row, and rows of tiles in a slice of tiles. */
static uint64_t across(const struct gsc_layout *l)
{
	return l->surface.pitch / l->width;
}

static uint64_t down(const struct gsc_layout *l)
{
	uint64_t rows = l->surface.rows;

	return rows / l->height + !!(rows % l->height);
}

bool gsc_layout_offset(const struct gsc_layout *layout, const struct gsc_point *point,
		       uint64_t *offset)
{
	const struct gsc_layout *l = layout;
	unsigned bytes = l->surface.bits / 8;
	uint64_t x, number, place, row, slice, before;

	if (__builtin_mul_overflow(point->x, bytes, &x) || x >= l->surface.pitch ||
	    point->byte >= bytes || point->sample >= l->surface.samples ||
	    (point->z && l->surface.dimensions < 3))
		return false;
	x += point->byte;
	if (!l->surface.tiling)
		return !__builtin_mul_overflow(point->y, l->surface.pitch, offset) &&
		       !__builtin_add_overflow(*offset, x, offset);
	/* There are slices by depth, or by samples that a tile does not hold. */
	row = point->y / l->height;
	slice = point->z / l->depth + point->sample / l->samples;
	if ((l->surface.dimensions > 2 || l->surface.samples > l->samples) &&
	    (l->surface.rows ? point->y >= l->surface.rows : slice))
		return false;
	if (__builtin_mul_overflow(slice, down(l), &before) ||
	    __builtin_add_overflow(row, before, &row) ||
	    __builtin_mul_overflow(row, across(l), &number) ||
	    __builtin_add_overflow(number, x / l->width, &number) ||
	    number >> (64 - l->tile_bits))
		return false;
	place = bits_spread(x % l->width, l->x) | bits_spread(point->y % l->height, l->y) |
		bits_spread(point->z % l->depth, l->z) | bits_spread(point->sample, l->sample);
	*offset = swizzled(number << l->tile_bits | place, l->surface.swizzle);
	return true;
}

void gsc_layout_point(const struct gsc_layout *layout, uint64_t offset, struct gsc_point *point)
{
	const struct gsc_layout *l = layout;
	unsigned bytes = l->surface.bits / 8, slices = l->surface.samples / l->samples;
	uint64_t number, row;

	*point = (struct gsc_point){ 0 };
	if (l->surface.tiling) {
		offset = swizzled(offset, l->surface.swizzle);
		number = offset >> l->tile_bits;
		row = number / across(l);
		/* The number of rows gives the size of a slice; after the last are more rows. */
		if (l->depth > 1 && l->surface.rows) {
			point->z = row / down(l) * l->depth;
			row %= down(l);
		} else if (slices > 1 && l->surface.rows && row / down(l) < slices) {
			point->sample = (unsigned)(row / down(l)) * l->samples;
			row %= down(l);
		}
		point->y = row * l->height;
		point->x = number % across(l) * l->width + bits_gather(offset, l->x);
		point->y += bits_gather(offset, l->y);
		point->z += bits_gather(offset, l->z);
		point->sample += (unsigned)bits_gather(offset, l->sample);
	} else {
		point->x = offset % l->surface.pitch;
		point->y = offset / l->surface.pitch;
	}
	point->byte = (unsigned)(point->x % bytes);
	point->x /= bytes;
}

uint64_t gsc_layout_bytes(const struct gsc_layout *layout, uint64_t rows)
{
	uint64_t tiles = rows / layout->height + !!(rows % layout->height), bytes;
	unsigned shift = layout->surface.tiling ? layout->tile_bits : 0;
	uint64_t row = layout->surface.tiling ? across(layout) : layout->surface.pitch;

	if (__builtin_mul_overflow(tiles, row, &bytes) || (shift && bytes >> (64 - shift)))
		return UINT64_MAX;
	return bytes << shift;
}
