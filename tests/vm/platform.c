/* SPDX-License-Identifier: MIT */
/*
 * What distinguishes the platforms. Forcewake domains and which registers sleep in them are those
 * of i915 (intel_uncore.c), not of the definitions under test.
 */
#include "gpu.h"

#include <string.h>

static const struct domain none[] = { { 0 } };

static const struct domain gen6[] = {
	{ "gt", 0xa18c, 0x130090, .plain = true },
	{ 0 },
};

static const struct domain ivb[] = {
	{ "gt", 0xa188, 0x130040 },
	{ 0 },
};

static const struct domain hsw[] = {
	{ "gt", 0xa188, 0x130044 },
	{ 0 },
};

static const struct domain gen9[] = {
	{ "blitter", 0xa188, 0x130044 },
	{ "render", 0xa278, 0xd84 },
	{ "media", 0xa270, 0xd88 },
	{ 0 },
};

static const struct domain gen11[] = {
	{ "gt", 0xa188, 0x130044 },
	{ "render", 0xa278, 0xd84 },
	{ "vdbox0", 0xa540, 0xd50 },
	{ "vebox0", 0xa560, 0xd70 },
	{ "vdbox2", 0xa548, 0xd58 },
	{ 0 },
};

/* Bits of the lists above. */
enum { GT = 1, RENDER = 2, MEDIA = 4, VDBOX0 = 4, VEBOX0 = 8, VDBOX2 = 16 };

static const struct sleeping never[] = { { 0 } };

static const struct sleeping gen6_sleeping[] = {
	{ 0x0, 0x3ffff, GT },
	{ 0 },
};

static const struct sleeping gen9_sleeping[] = {
	{ 0x0, 0xaff, GT },		{ 0x2000, 0x26ff, RENDER },
	{ 0x2700, 0x2fff, GT },		{ 0x3000, 0x3fff, RENDER },
	{ 0x4000, 0x51ff, GT },		{ 0x5200, 0x7fff, RENDER },
	{ 0x8000, 0x812f, GT },		{ 0x8130, 0x813f, MEDIA },
	{ 0x8140, 0x815f, RENDER },	{ 0x8160, 0x82ff, GT },
	{ 0x8300, 0x84ff, RENDER },	{ 0x8500, 0x87ff, GT },
	{ 0x8800, 0x89ff, MEDIA },	{ 0x8a00, 0x8bff, GT },
	{ 0x8c00, 0x8cff, RENDER },	{ 0x8d00, 0x93ff, GT },
	{ 0x9400, 0x97ff, RENDER | MEDIA }, { 0x9800, 0xafff, GT },
	{ 0xb000, 0xb47f, RENDER },	{ 0xb480, 0xcfff, GT },
	{ 0xd000, 0xd7ff, MEDIA },	{ 0xd800, 0xdfff, GT },
	{ 0xe000, 0xe8ff, RENDER },	{ 0xe900, 0x11fff, GT },
	{ 0x12000, 0x13fff, MEDIA },	{ 0x14000, 0x19fff, GT },
	{ 0x1a000, 0x1e9ff, MEDIA },	{ 0x1ea00, 0x243ff, GT },
	{ 0x24400, 0x247ff, RENDER },	{ 0x24800, 0x2ffff, GT },
	{ 0x30000, 0x3ffff, MEDIA },	{ 0 },
};

static const struct sleeping gen11_sleeping[] = {
	{ 0x2000, 0x26ff, RENDER },	{ 0x2700, 0x2fff, GT },
	{ 0x3000, 0x3fff, RENDER },	{ 0x4000, 0x51ff, GT },
	{ 0x5200, 0x7fff, RENDER },	{ 0x8000, 0x813f, GT },
	{ 0x8140, 0x815f, RENDER },	{ 0x8160, 0x82ff, GT },
	{ 0x8300, 0x84ff, RENDER },	{ 0x8500, 0x87ff, GT },
	{ 0x8c00, 0x8cff, RENDER },	{ 0x8d00, 0x94cf, GT },
	{ 0x94d0, 0x955f, RENDER },	{ 0x9600, 0xafff, GT },
	{ 0xb000, 0xb47f, RENDER },	{ 0xb480, 0xdeff, GT },
	{ 0xdf00, 0xe8ff, RENDER },	{ 0xe900, 0x16dff, GT },
	{ 0x16e00, 0x19fff, RENDER },	{ 0x1a000, 0x23fff, GT },
	{ 0x24080, 0x2417f, GT },	{ 0x24180, 0x242ff, RENDER },
	{ 0x24300, 0x243ff, GT },	{ 0x24400, 0x24fff, RENDER },
	{ 0x25000, 0x3ffff, GT },	{ 0x1c0000, 0x1c3fff, VDBOX0 },
	{ 0x1c8000, 0x1cffff, VEBOX0 },	{ 0x1d0000, 0x1d3fff, VDBOX2 },
	{ 0 },
};

static const struct sleeping gen12_sleeping[] = {
	{ 0x2000, 0x26ff, RENDER },	{ 0x2700, 0x27ff, GT },
	{ 0x2800, 0x2aff, RENDER },	{ 0x2b00, 0x2fff, GT },
	{ 0x3000, 0x3fff, RENDER },	{ 0x4000, 0x51ff, GT },
	{ 0x5200, 0x7fff, RENDER },	{ 0x8000, 0x813f, GT },
	{ 0x8140, 0x815f, RENDER },	{ 0x8200, 0x82ff, GT },
	{ 0x8300, 0x84ff, RENDER },	{ 0x8500, 0x94cf, GT },
	{ 0x94d0, 0x955f, RENDER },	{ 0x9800, 0xafff, GT },
	{ 0xb000, 0xb3ff, RENDER },	{ 0xb400, 0xcfff, GT },
	{ 0xd800, 0xd8ff, RENDER },	{ 0xd900, 0xdbff, GT },
	{ 0xdc00, 0xefff, RENDER },	{ 0xf000, 0x147ff, GT },
	{ 0x14800, 0x1ffff, RENDER },	{ 0x20000, 0x20fff, VDBOX0 },
	{ 0x21000, 0x21fff, VDBOX2 },	{ 0x22000, 0x23fff, GT },
	{ 0x24180, 0x249ff, GT },	{ 0x24a00, 0x251ff, RENDER },
	{ 0x25200, 0x255ff, GT },	{ 0x25600, 0x2567f, VDBOX0 },
	{ 0x25680, 0x259ff, VDBOX2 },	{ 0x25a00, 0x25a7f, VDBOX0 },
	{ 0x25a80, 0x2ffff, VDBOX2 },	{ 0x30000, 0x3ffff, GT },
	{ 0x1c0000, 0x1c3fff, VDBOX0 },	{ 0x1c8000, 0x1cbfff, VEBOX0 },
	{ 0x1cc000, 0x1cffff, VDBOX0 },	{ 0x1d0000, 0x1d3fff, VDBOX2 },
	{ 0 },
};

static const uint32_t gen5_engines[] = { 0x2000, 0x4000, 0 };
static const uint32_t gen6_engines[] = { 0x2000, 0x12000, 0x22000, 0 };
static const uint32_t hsw_engines[] = { 0x2000, 0x12000, 0x1a000, 0x22000, 0 };
static const uint32_t bdw_engines[] = { 0x2000, 0x12000, 0x1a000, 0x1c000, 0x22000, 0 };
static const uint32_t gen11_engines[] = { 0x2000, 0x22000, 0x1c0000, 0x1c8000, 0x1d0000, 0 };

#define OLD_BAR .bar0_size = 4 << 20, .ggtt_offset = 2 << 20, .entry = 4
#define NEW_BAR .bar0_size = 16 << 20, .ggtt_offset = 8 << 20, .entry = 8

/*
 * The GGTT is as small as the hardware allows (gen6/7 have only one size): its driver writes every
 * entry, and each write is a message.
 */
static const struct platform platforms[] = {
	{ "ilk", 0x0042, 0x12, 5, OLD_BAR, .ggtt_size = 2 << 20, .ggc = 0x0030, .domains = none,
	  .sleeping = never, .engines = gen5_engines },
	{ "snb", 0x0102, 0x09, 6, OLD_BAR, .ggtt_size = 1 << 20, .ggc = 0x0108, .domains = gen6,
	  .sleeping = gen6_sleeping, .engines = gen6_engines },
	{ "ivb", 0x0152, 0x09, 7, OLD_BAR, .ggtt_size = 1 << 20, .ggc = 0x0108, .domains = ivb,
	  .sleeping = gen6_sleeping, .engines = gen6_engines },
	{ "vlv", 0x0f31, 0x0e, 7, OLD_BAR, .ggtt_size = 2 << 20, .ggc = 0x0208, .domains = none,
	  .sleeping = never, .engines = gen6_engines },
	{ "hsw", 0x0412, 0x06, 7, OLD_BAR, .ggtt_size = 1 << 20, .ggc = 0x0108, .domains = hsw,
	  .sleeping = gen6_sleeping, .engines = hsw_engines },
	{ "bdw", 0x1616, 0x09, 8, NEW_BAR, .ggtt_size = 2 << 20, .ggc = 0x0140, .domains = hsw,
	  .sleeping = gen6_sleeping, .engines = bdw_engines },
	{ "skl", 0x1912, 0x06, 9, NEW_BAR, .ggtt_size = 2 << 20, .ggc = 0x0140, .domains = gen9,
	  .sleeping = gen9_sleeping, .engines = bdw_engines },
	{ "icl", 0x8a52, 0x07, 11, NEW_BAR, .ggtt_size = 2 << 20, .ggc = 0x0140, .domains = gen11,
	  .sleeping = gen11_sleeping, .engines = gen11_engines },
	{ "tgl", 0x9a49, 0x01, 12, NEW_BAR, .ggtt_size = 2 << 20, .ggc = 0x0140, .domains = gen11,
	  .sleeping = gen12_sleeping, .engines = gen11_engines },
	{ 0 },
};

const struct platform *platform_find(const char *name)
{
	for (const struct platform *p = platforms; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}
