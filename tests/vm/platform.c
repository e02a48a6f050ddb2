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
	{ "gt", 0xa188, 0x130044 },
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

/* From Xe2 on (xe_force_wake.c): a GT for media has its own where the first has them. */
#define XE2_WELLS \
	{ "gt", 0xa188, 0xdfc }, \
	{ "render", 0xa278, 0xd84 }, \
	{ "vdbox0", MEDIA_GT + 0xa540, MEDIA_GT + 0xd50 }, \
	{ "vebox0", MEDIA_GT + 0xa560, MEDIA_GT + 0xd70 }, \
	{ "mediagt", MEDIA_GT + 0xa188, MEDIA_GT + 0xdfc }, \
	{ "gsc", MEDIA_GT + 0xa618, MEDIA_GT + 0xdf8 }

static const struct domain lnl[] = { XE2_WELLS, { 0 } };

/* With engines that this one has not. */
static const struct domain ptl[] = {
	XE2_WELLS,
	{ "vdbox1", MEDIA_GT + 0xa544, MEDIA_GT + 0xd54 },
	{ "vdbox2", MEDIA_GT + 0xa548, MEDIA_GT + 0xd58 },
	{ "vdbox3", MEDIA_GT + 0xa54c, MEDIA_GT + 0xd5c },
	{ "vdbox4", MEDIA_GT + 0xa550, MEDIA_GT + 0xd60 },
	{ "vdbox5", MEDIA_GT + 0xa554, MEDIA_GT + 0xd64 },
	{ "vdbox6", MEDIA_GT + 0xa558, MEDIA_GT + 0xd68 },
	{ "vdbox7", MEDIA_GT + 0xa55c, MEDIA_GT + 0xd6c },
	{ "vebox1", MEDIA_GT + 0xa564, MEDIA_GT + 0xd74 },
	{ "vebox2", MEDIA_GT + 0xa568, MEDIA_GT + 0xd78 },
	{ "vebox3", MEDIA_GT + 0xa56c, MEDIA_GT + 0xd7c },
	{ 0 },
};

/* Bits of the lists above. */
enum { GT = 1, RENDER = 2, MEDIA = 4, VDBOX0 = 4, VEBOX0 = 8, VDBOX2 = 16, OF_MEDIA = 16, GSC = 32 };

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

/*
 * xe has no such table: it wakes all domains of a GT, or the one of an engine (xe_hw_engine.c). For
 * everything else these are i915's of Meteor Lake, the nearest there is. What sleeps in which well
 * of graphics since is not public.
 */
#define XE2_SLEEPING \
	{ 0xb00, 0xbff, GT, true },	{ 0x1000, 0x1fff, GT, true }, \
	{ 0x2000, 0x2fff, RENDER },	{ 0x3000, 0x3fff, RENDER, true }, \
	{ 0x4000, 0x51ff, GT },		{ 0x5200, 0x7fff, RENDER, true }, \
	{ 0x8000, 0x813f, GT, true },	{ 0x8140, 0x817f, RENDER, true }, \
	{ 0x8200, 0x94cf, GT },		{ 0x94d0, 0x955f, RENDER, true }, \
	{ 0x9680, 0x97ff, RENDER, true }, { 0x9800, 0xcfff, GT }, \
	{ 0xd800, 0xd87f, RENDER, true }, { 0xd880, 0xdbff, GT, true }, \
	{ 0xdc00, 0xdcff, RENDER, true }, { 0xdd00, 0xde7f, GT, true }, \
	{ 0xde80, 0xe8ff, RENDER, true }, { 0xe900, 0xe9ff, GT, true }, \
	{ 0x14800, 0x19fff, GT, true },	{ 0x1a000, 0x1afff, RENDER }, \
	{ 0x1b000, 0x21fff, RENDER, true }, { 0x22000, 0x22fff, RENDER }, \
	{ 0x23000, 0x23fff, GT, true },	{ 0x26000, 0x26fff, RENDER }, \
	{ 0x30000, 0x3ffff, GT, true },	{ 0x3ee000, 0x3eefff, RENDER }, \
	{ 0x116000, 0x11ffff, GSC }, \
	{ 0x1c0000, 0x1c3fff, VDBOX0 },	{ 0x1c8000, 0x1cbfff, VEBOX0 }, \
	{ 0x380b00, 0x380bff, OF_MEDIA }, { 0x381000, 0x38817f, OF_MEDIA }, \
	{ 0x388200, 0x38955f, OF_MEDIA }, { 0x38a000, 0x38cfff, OF_MEDIA }, \
	{ 0x38d120, 0x391fff, OF_MEDIA }, { 0x393000, 0x3934ff, OF_MEDIA }, \
	{ 0x393c80, 0x393dff, OF_MEDIA }

static const struct sleeping lnl_sleeping[] = { XE2_SLEEPING, { 0 } };

static const struct sleeping ptl_sleeping[] = {
	XE2_SLEEPING,
	{ 0x1c4000, 0x1c7fff, 1 << 6 }, { 0x1d0000, 0x1d3fff, 1 << 7 },
	{ 0x1d4000, 0x1d7fff, 1 << 8 }, { 0x1e0000, 0x1e3fff, 1 << 9 },
	{ 0x1e4000, 0x1e7fff, 1 << 10 }, { 0x1f0000, 0x1f3fff, 1 << 11 },
	{ 0x1f4000, 0x1f7fff, 1 << 12 }, { 0x1d8000, 0x1dbfff, 1 << 13 },
	{ 0x1e8000, 0x1ebfff, 1 << 14 }, { 0x1f8000, 0x1fbfff, 1 << 15 }, { 0 },
};

static const uint32_t gen5_engines[] = { 0x2000, 0x4000, 0 };
static const uint32_t gen6_engines[] = { 0x2000, 0x12000, 0x22000, 0 };
static const uint32_t hsw_engines[] = { 0x2000, 0x12000, 0x1a000, 0x22000, 0 };
static const uint32_t bdw_engines[] = { 0x2000, 0x12000, 0x1a000, 0x1c000, 0x22000, 0 };
static const uint32_t gen11_engines[] = { 0x2000, 0x22000, 0x1c0000, 0x1c8000, 0x1d0000, 0 };

static const uint32_t xe2_engines[] = { 0x2000, 0x22000, 0x3ee000, 0x1a000, 0x1c0000, 0x1c8000, 0 };

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
	{ "adlp", 0x46a6, 0x0c, 12, NEW_BAR, .ggtt_size = 2 << 20, .ggc = 0x0140, .domains = gen11,
	  .sleeping = gen12_sleeping, .engines = gen11_engines },
	{ "lnl", 0x64a0, 0x04, 12, NEW_BAR, .release = 2004, .media = 2000,
	  .ggtt_size = 8 << 20, .ggc = 0x00c0, .domains = lnl,
	  .sleeping = lnl_sleeping, .engines = xe2_engines },
	{ "bmg", 0xe20b, 0x00, 12, NEW_BAR, .release = 2001, .media = 1301,
	  .ggtt_size = 8 << 20, .ggc = 0x00c0, .local = 1 << 30, .domains = lnl,
	  .sleeping = lnl_sleeping, .engines = xe2_engines },
	{ "ptl", 0xb080, 0x00, 12, NEW_BAR, .release = 3000, .media = 3000,
	  .ggtt_size = 8 << 20, .ggc = 0x00c0, .domains = ptl,
	  .sleeping = ptl_sleeping, .engines = xe2_engines },
	{ 0 },
};

const struct platform *platform_find(const char *name)
{
	for (const struct platform *p = platforms; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}
