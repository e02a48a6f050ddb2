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
#include "gtt/walk.h"
#include "util/text.h"
#include "util/util.h"

/* How a surface is tiled. */
enum gsc_tiling {
	GSC_TILING_LINEAR, GSC_TILING_X, GSC_TILING_Y, GSC_TILING_W, GSC_TILING_YF, GSC_TILING_YS,
	GSC_TILING_4, GSC_TILING_64,
	GSC_TILINGS
};

/* Tilings by their names in gpu-tile(1): "x", "yf", "tile64", ... */
GSC_API const char *gsc_tiling_name(enum gsc_tiling tiling);
GSC_API bool gsc_tiling_by_name(const char *name, enum gsc_tiling *tiling);

/*
 * Bit 6 of an address may be exclusive-ored with higher bits. A swizzle is the set of these bits,
 * for example 1 << 9 | 1 << 10. Returns its name: "none", "9", "9/10", "9/11", "9/10/11", "9/17",
 * "9/10/17"; NULL: no GPU has this swizzle.
 */
GSC_API const char *gsc_swizzle_name(uint32_t swizzle);
/* By such a name. */
GSC_API bool gsc_swizzle_by_name(const char *name, uint32_t *swizzle);
/*
 * The swizzle of a tiling, from the registers of a GPU if it has a source. `why` says where it was
 * found. False: it is unknown, and *swizzle is 0.
 */
GSC_API bool gsc_swizzle_find(const struct gsc_gpu *gpu, enum gsc_tiling tiling, uint32_t *swizzle,
			      char *why, size_t size);
/*
 * Applies or undoes, for bytes of a page that start at a multiple of 128, the part of a swizzle
 * that bit 17 contributes. It depends on the physical address, which a layout does not know.
 */
GSC_API void gsc_swizzle_17(uint64_t physical, void *bytes, size_t size);

/* ---- layouts -------------------------------------------------------------------------------- */

/* The properties of a surface on which the place of its elements depends. */
struct gsc_surface {
	enum gsc_tiling tiling;
	unsigned bits;			/* of an element: 8, 16, 32, 64, 128; linear: n * 8 */
	unsigned samples;		/* 1, 2, 4, 8 or 16 */
	unsigned dimensions;		/* 2, or 3 for tiles with depth */
	uint64_t pitch;			/* bytes */
	uint64_t rows;			/* of a slice, if there are several slices of tiles; or 0 */
	uint32_t swizzle;
};

/* The layout of a surface in memory: a permutation of address bits, tile by tile. */
struct gsc_layout {
	struct gsc_surface surface;
	unsigned tile_bits;		/* a tile has 1 << tile_bits bytes */
	uint32_t x, y, z, sample;	/* the bits of an offset in a tile that hold each */
	unsigned width, height, depth;	/* bytes, rows, slices of a tile */
	unsigned samples;		/* in a tile; others are in further slices */
	const char *document, *section;	/* origin of the order */
};

/* An element; `byte` is a place inside it. */
struct gsc_point {
	uint64_t x, y, z;
	unsigned sample, byte;
};

/* GSC_USAGE: the platform has no such surface, or no document describes it; see *err. */
GSC_API enum gsc_status gsc_layout_init(struct gsc_layout *layout, const struct gsc_platform *p,
					const struct gsc_surface *surface, struct gsc_error *err);
/*
 * Converts an element to its offset, and back. False: the surface has no such element, or the
 * number would be too large.
 */
GSC_API bool gsc_layout_offset(const struct gsc_layout *layout, const struct gsc_point *point,
			       uint64_t *offset);
GSC_API void gsc_layout_point(const struct gsc_layout *layout, uint64_t offset,
			      struct gsc_point *point);
/* The size of this many rows in bytes, rounded up to whole tiles; UINT64_MAX: too large. */
GSC_API uint64_t gsc_layout_bytes(const struct gsc_layout *layout, uint64_t rows);

/* Elements of one sample and one slice. */
struct gsc_rectangle {
	uint64_t x, y, width, height;
	uint64_t z;
	unsigned sample;
};

/*
 * gsc_detile() copies a rectangle from a surface to rows that are `pitch` bytes apart; gsc_tile()
 * copies it from such rows to a surface.
 */
GSC_API enum gsc_status gsc_detile(const struct gsc_layout *layout, const void *tiled, size_t size,
				   const struct gsc_rectangle *rectangle, void *linear,
				   size_t pitch, struct gsc_error *err);
GSC_API enum gsc_status gsc_tile(const struct gsc_layout *layout, void *tiled, size_t size,
				 const struct gsc_rectangle *rectangle, const void *linear,
				 size_t pitch, struct gsc_error *err);

/* ---- fences --------------------------------------------------------------------------------- */

/* A fence register: a tiled range of the aperture that looks linear to the processor. */
struct gsc_fence {
	unsigned index;
	uint64_t raw;
	bool valid;
	uint64_t start, end;		/* graphics addresses, end exclusive */
	unsigned pitch;			/* bytes */
	char tiling;			/* 'X' or 'Y' */
	char problem[128];		/* why this cannot be a surface, or "" */
	uint64_t reserved;		/* set bits that belong to no field */
};

/* Decodes the value of a fence register. */
GSC_API void gsc_fence_decode(const struct gsc_view *view, unsigned index, uint64_t raw,
			      struct gsc_fence *fence);

/*
 * What the processor reaches at an address in the range of a fence: byte x of row y, at *offset
 * from the start of the range. If the last row of tiles is incomplete, that may be past the end of
 * the range.
 */
GSC_API enum gsc_status gsc_fence_translate(const struct gsc_platform *p,
					    const struct gsc_fence *fence, uint32_t swizzle,
					    uint64_t address, struct gsc_point *point,
					    uint64_t *offset, struct gsc_error *err);

/* ---- placement ------------------------------------------------------------------------------ */

/* Who uses a surface, other than the processor through a fence. */
enum gsc_client {
	GSC_CLIENT_ANY, GSC_CLIENT_DISPLAY, GSC_CLIENT_RENDER, GSC_CLIENT_DEPTH,
	GSC_CLIENT_STENCIL, GSC_CLIENT_SAMPLER, GSC_CLIENT_BLITTER, GSC_CLIENT_SPARSE,
	GSC_CLIENTS
};

/* A surface at its place, with its user. */
struct gsc_placement {
	struct gsc_surface surface;
	enum gsc_client client;
	bool has_base;
	uint64_t base;			/* graphics address */
	uint64_t width, height;		/* elements; 0: unknown */
	const struct gsc_fence *fences;	/* the fences that the processor uses for it */
	size_t fence_count;
};

/* Reports every rule of the documents that a placement breaks. */
GSC_API void gsc_placement_check(const struct gsc_platform *p,
				 const struct gsc_placement *placement, gsc_breach_fn *each,
				 void *context);
/* Rule number `i` about placement; NULL past the last. */
GSC_API const struct rule *gsc_placement_rule(size_t i);

/* ---- auxiliary tables ----------------------------------------------------------------------- */

/*
 * An entry of the auxiliary table (Gen12), which finds the auxiliary data of a graphics address. It
 * has three levels; its tables have graphics addresses too.
 */
struct gsc_aux_step {
	unsigned level, index;		/* 3, 2, 1 */
	uint64_t table, address;	/* of the table, of the entry */
	uint64_t entry;
};

/* The walk of a graphics address through these tables. */
struct gsc_aux_walk {
	uint64_t address;		/* in its 48-bit form if it has one */
	bool mapped;
	enum gsc_status status;		/* if not mapped: GSC_UNKNOWN, or why the read failed */
	uint64_t covers, size;		/* bytes of the surface, and of its auxiliary data */
	uint64_t auxiliary;		/* graphics address of the auxiliary data */
	enum gsc_stop stop;		/* not canonical, not present, or no memory */
	char why[256];			/* if not mapped */
	/* From the last entry; Gen12.5 and later ignore these members: */
	bool has_format;
	unsigned format, depth, tile_mode;
	bool chroma;
	size_t count;
	struct gsc_aux_step steps[3];
};

/* GSC_USAGE: the platform has no auxiliary tables. */
GSC_API enum gsc_status gsc_aux_supported(const struct gsc_view *view, struct gsc_error *err);
/* A word for 8 of `depth`, 4 of `tile_mode`: "32 bits", "y"; NULL: reserved. */
GSC_API const char *gsc_aux_depth_word(unsigned depth);
GSC_API const char *gsc_aux_tile_mode_word(unsigned tile_mode);

/*
 * The table that the register of an engine points to; NULL: the first engine that has one. `from`
 * says which register. GSC_USAGE: the platform or the engine has no such tables. If no register
 * points to one, the status is about the first register: GSC_UNKNOWN, it is 0 or not in the source;
 * GSC_DENIED or GSC_GONE, it cannot be read.
 */
GSC_API enum gsc_status gsc_aux_root(const struct gsc_gpu *gpu, const char *engine, uint64_t *root,
				     char *from, size_t size, struct gsc_error *err);
/*
 * Walks the auxiliary table. `root` is the address of the first table: a multiple of 8, of 48 bits;
 * other bits are ignored. GSC_USAGE: the platform has no such tables. GSC_FAILED: out of memory.
 * The walk says why an address is not mapped.
 */
GSC_API enum gsc_status gsc_aux_walk(struct gsc_translation *translation, uint64_t root,
				     uint64_t address, struct gsc_aux_walk *walk,
				     struct gsc_error *err);

/* ---- surface states and formats ------------------------------------------------------------- */

/* The elements of a surface format. */
struct gsc_format {
	unsigned bits;			/* of an element */
	unsigned width, height;		/* pixels of an element; compressed: of a block */
};

/* A decoded RENDER_SURFACE_STATE, in elements of its format. */
struct gsc_surface_state {
	struct gsc_surface surface;	/* bits 0: the format is unknown */
	char type[16], format[64];	/* "2D"; "B8G8R8A8_UNORM", or "" */
	struct gsc_format element;	/* bits 0: the format is unknown */
	uint64_t base;			/* graphics address */
	uint64_t width, height;		/* of a slice, with all samples that are side by side */
	uint64_t x, y;			/* the element at which the surface begins */
	uint64_t slices, first;		/* their number, and the first one of the array */
	uint64_t apart;			/* rows from slice to slice; 0: unknown */
	unsigned samples, layers;	/* layers: slices in memory for each slice */
	bool side_by_side;		/* samples are elements */
	char notes[6][160];		/* what is not obvious */
	size_t note_count;
};

/* The maximum size of a surface state. */
#define GSC_SURFACE_STATE_MAX 64

/*
 * The size of a surface state, at most GSC_SURFACE_STATE_MAX, and in *step its alignment. 0: the
 * platform has none, and *step is unchanged.
 */
GSC_API size_t gsc_surface_state_size(const struct gsc_view *view, unsigned *step);
/*
 * Decodes a surface state. GSC_USAGE: the platform has none, or there are too few words.
 * GSC_FAILED: the words are not a surface state, or not of a surface with rows.
 */
GSC_API enum gsc_status gsc_surface_of_state(const struct gsc_view *view, const uint32_t *words,
					     size_t count, struct gsc_surface_state *state,
					     struct gsc_error *err);

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

/* ---- the inside of the room ----------------------------------------------------------------- */

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

#endif
