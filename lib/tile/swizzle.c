/* SPDX-License-Identifier: MIT */
/*
 * Swizzling of address bit 6 (skl-vol5, Tiled Channel Select Decision; i915
 * gt/intel_ggtt_fencing.c detect_bit_6_swizzle): where two memory channels interleave, GPUs before
 * Gen8 exchange the halves of 128 bytes by the parity of higher address bits.
 */
#include "tile/tile.h"

#define BIT(n) (1u << (n))

static const struct {
	const char *name;
	uint32_t swizzle;
} swizzles[] = {
	{ "none", 0 },
	{ "9", BIT(9) },
	{ "9/10", BIT(9) | BIT(10) },
	{ "9/11", BIT(9) | BIT(11) },
	{ "9/10/11", BIT(9) | BIT(10) | BIT(11) },
	{ "9/17", BIT(9) | BIT(17) },
	{ "9/10/17", BIT(9) | BIT(10) | BIT(17) },
};

const char *gsc_swizzle_name(uint32_t swizzle)
{
	for (size_t i = 0; i < ARRAY_SIZE(swizzles); i++)
		if (swizzles[i].swizzle == swizzle)
			return swizzles[i].name;
	return NULL;
}

bool gsc_swizzle_by_name(const char *name, uint32_t *swizzle)
{
	char copy[16];

	if (strlen(name) >= sizeof(copy))
		return false;
	for (size_t i = 0; i <= strlen(name); i++)
		copy[i] = strchr("_-,", name[i]) && name[i] ? '/' : name[i];
	for (size_t i = 0; i < ARRAY_SIZE(swizzles); i++) {
		if (name_compare(copy, swizzles[i].name))
			continue;
		*swizzle = swizzles[i].swizzle;
		return true;
	}
	return false;
}

/* Exchanges the halves of 128 bytes in a page whose physical address has bit 17 set. */
void gsc_swizzle_17(uint64_t physical, void *bytes, size_t size)
{
	uint8_t *buf = bytes, half[64];

	if (!(physical >> 17 & 1))
		return;
	for (size_t at = 0; size - at >= 2 * sizeof(half); at += 2 * sizeof(half)) {
		memcpy(half, buf + at, sizeof(half));
		memcpy(buf + at, buf + at + sizeof(half), sizeof(half));
		memcpy(buf + at + sizeof(half), half, sizeof(half));
	}
}

/* ---- what the registers say ----------------------------------------------------------------- */

struct registers {
	const struct gsc_gpu *gpu;
	bool x;				/* X tiles; else the ways of Y tiles */
	uint32_t *swizzle;
	char *why;
	size_t size;
};

static bool known(const struct registers *f, uint32_t swizzle, const char *why)
{
	*f->swizzle = f->x || !swizzle ? swizzle : swizzle & ~BIT(10);
	snprintf(f->why, f->size, "%s", why);
	return true;
}

static bool unknown(const struct registers *f, const char *why)
{
	snprintf(f->why, f->size, "%s", why);
	return false;
}

static bool read_register(const struct registers *f, const char *name, uint64_t *value)
{
	return !gpu_read_named(f->gpu, NULL, name, -1, NULL, value);
}

/* The display, the processor's path and the arbiter must agree, and drivers ensure that. */
static bool by_display(const struct registers *f)
{
	uint64_t display, other, swizzle;
	struct gsc_reg reg;
	bool on;

	if (!read_register(f, "DISP_ARB_CTL", &display))
		return unknown(f, "no source has DISP_ARB_CTL: no swizzle is assumed");
	on = display & BIT(13);
	if (read_register(f, "TILECTL", &other) && (other & 1) != on)
		return unknown(f, "DISP_ARB_CTL bit 13 and TILECTL bit 0 disagree: no swizzle is "
				  "assumed");
	if (!gpu_read_named(f->gpu, NULL, "ARB_MODE", -1, &reg, &other) &&
	    gsc_gpu_field(f->gpu, &reg, other, "SWIZZLE", &swizzle) && swizzle != on)
		return unknown(f,
			       "DISP_ARB_CTL bit 13 and ARB_MODE disagree: no swizzle is assumed");
	return known(f, on ? BIT(9) | BIT(10) : 0,
		     on ? "DISP_ARB_CTL bit 13 is set" : "DISP_ARB_CTL bit 13 is clear");
}

/* Equal ends of both channels: they interleave. */
static bool by_ends(const struct registers *f)
{
	uint64_t a, b;

	if (!read_register(f, "C0DRB3", &a) || !read_register(f, "C1DRB3", &b))
		return unknown(f, "no source has C0DRB3 and C1DRB3: no swizzle is assumed");
	if (a != b)
		return unknown(f, "C0DRB3 and C1DRB3 differ, so each page may or may not be "
				  "swizzled: no swizzle is assumed");
	return known(f, BIT(9) | BIT(10), "C0DRB3 and C1DRB3 are equal");
}

enum { DCC_INTERLEAVED = 2, DCC_XOR_OFF = BIT(10), DCC_BIT_17 = BIT(9) };

static bool by_channels(const struct registers *f)
{
	struct gsc_reg reg;
	uint64_t dcc, dcc2 = BIT(20);

	if (!read_register(f, "DCC", &dcc))
		return unknown(f, "no source has DCC: no swizzle is assumed");
	if (dcc == UINT32_MAX)
		return unknown(f, "DCC reads as all ones: no swizzle is assumed");
	if (gpu_find(f->gpu, NULL, "DCC2", -1, &reg) && !read_register(f, "DCC2", &dcc2))
		return unknown(f, "no source has DCC2, so each page may or may not be swizzled: no "
				  "swizzle is assumed");
	if (!(dcc2 & BIT(20)))
		return unknown(f, "DCC2 bit 20 is clear, so each page may or may not be swizzled: "
				  "no swizzle is assumed");
	if ((dcc & 3) != DCC_INTERLEAVED)
		return known(f, 0, "DCC 1:0: the channels do not interleave");
	if (dcc & DCC_XOR_OFF)
		return known(f, BIT(9) | BIT(10), "DCC: the channels interleave");
	if (dcc & DCC_BIT_17)
		return known(f, BIT(9) | BIT(10) | BIT(17),
			     "DCC: the channels interleave by bit 17");
	return known(f, BIT(9) | BIT(10) | BIT(11), "DCC: the channels interleave by bit 11");
}

/* Values of the property. */
enum { SWIZZLE_BY_CHANNELS = 1, SWIZZLE_ALWAYS, SWIZZLE_BY_DISPLAY, SWIZZLE_NEVER };

bool gsc_swizzle_find(const struct gsc_gpu *gpu, enum gsc_tiling tiling, uint32_t *swizzle,
		      char *why, size_t size)
{
	struct registers f = { gpu, tiling == GSC_TILING_X, swizzle, why, size };
	struct gsc_reg reg;

	*swizzle = 0;
	if (!tiling)
		return known(&f, 0, "linear surfaces are not swizzled");
	switch (platform_value(&gpu->platform, PROPERTY_SWIZZLE)) {
	case SWIZZLE_BY_CHANNELS:
		return gpu_find(gpu, NULL, "C0DRB3", -1, &reg) ? by_ends(&f) : by_channels(&f);
	case SWIZZLE_ALWAYS:
		return known(&f, BIT(9) | BIT(10), "always on Gen5");
	case SWIZZLE_BY_DISPLAY:
		return by_display(&f);
	case SWIZZLE_NEVER:
		return known(&f, 0, "this platform has none");
	default:
		return known(&f, 0, "none since Gen8");
	}
}
