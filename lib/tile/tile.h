/* SPDX-License-Identifier: MIT */
/*
 * tile/: how the pixels of a surface are arranged in memory. The orders of tiles (orders) and
 * formats (formats, pixels) are tables of this room; the definitions give the layout of fences
 * (fence) and surface states (state). From these it computes addresses (layout), copies whole
 * surfaces (copy, lines), and finds what breaks a rule of placement (check). Registers
 * are read for swizzling (swizzle) and memory for the auxiliary table (auxiliary-walk); everything
 * else comes as numbers and bytes.
 */
#ifndef GSC_TILE_H
#define GSC_TILE_H

#include "db/rule.h"
#include "gpu/gpu.h"
#include "inside.h"
#include "util/text.h"
#include "util/util.h"

#define ON_TOP 0			/* any number of samples: the highest bits count them */

/* One order: for which surfaces, on which platforms. */
struct order {
	enum gsc_tiling tiling;
	unsigned bits;			/* of an element: 8 | 16 | ... */
	unsigned samples;		/* or ON_TOP */
	unsigned dimensions;
	const char *only;		/* as platform_is() takes it */
	const char *letters;		/* "yyyxxxxxxxxx" */
	const char *document, *section;
};

/* NULL: nobody says how such a surface is arranged. */
const struct order *order_find(const struct gsc_platform *p, const struct gsc_surface *s);
/* Samples that a tile holds, if it holds any besides the first. */
unsigned samples_held(const struct gsc_platform *p, const struct gsc_surface *s);
/* Its order is one of bytes, whatever the elements are. */
bool order_is_plain(enum gsc_tiling tiling);
bool tiling_is_of(enum gsc_tiling tiling, const struct gsc_platform *p);

/* Bit 6 of an offset, by the other bits of the swizzle. */
static inline uint64_t swizzled(uint64_t offset, uint32_t swizzle)
{
	return offset ^ (uint64_t)__builtin_parityll(offset & swizzle) << 6;
}

/* The name of a code of ASTC, which the definitions do not have; false: it is none. */
bool astc_name(uint64_t code, char *buf, size_t size);

/* The low bits of a number at the bits of a mask. */
uint64_t bits_spread(uint64_t value, uint32_t mask);

/* "BC1_UNORM", in any case. False: it is unknown, or its elements have several sizes. */
bool format_by_name(const char *name, struct gsc_format *format);

/* Rule number `i` about placement; NULL past the last. */
GSC_API const struct rule *gsc_placement_rule(size_t i);

/* By a name from gsc_swizzle_name(). */
GSC_API bool gsc_swizzle_by_name(const char *name, uint32_t *swizzle);

/* GSC_USAGE: the platform has no auxiliary tables. */
GSC_API enum gsc_status gsc_aux_supported(const struct gsc_view *view, struct gsc_error *err);
/* A word for 8 of `depth`, 4 of `tile_mode`: "32 bits", "y"; NULL: reserved. */
GSC_API const char *gsc_aux_depth_word(unsigned depth);
GSC_API const char *gsc_aux_tile_mode_word(unsigned tile_mode);

/* How colours are arranged in an element. */
struct gsc_pixel_format {
	const char *name;		/* "B8G8R8A8", as surface formats begin */
	unsigned bits;
	struct gsc_channel {
		unsigned char lo, bits;	/* 0 bits: there is none */
	} red, green, blue, alpha;
};

GSC_API const struct gsc_pixel_format *gsc_pixel_format_at(size_t i);	/* NULL past the last */
/* "B8G8R8A8_UNORM_SRGB", "r8": in any case, with or without what follows the bits. */
GSC_API const struct gsc_pixel_format *gsc_pixel_format_by_name(const char *name);

#endif
