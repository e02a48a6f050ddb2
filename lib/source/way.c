/* SPDX-License-Identifier: MIT */
/* The table of prefixes, ours and those of intel_reg. */
#include "source/way.h"

#include "util/util.h"

#include <string.h>
#include <strings.h>

/*
 * The names of the spaces; and those of intel_reg's ports: of the VGA registers by I/O port and by
 * their alias in the BAR, of MCHBAR, of the units of the sideband (i915_reg.h, IOSF_PORT_*).
 */
static const struct way ways[] = {
	{ .name = "mmio", .space = GSC_MMIO },
	{ .name = "mmio16", .space = GSC_MMIO, .bits = 16 },
	{ .name = "mmio8", .space = GSC_MMIO, .bits = 8, .alias = true },
	{ .name = "mchbar", .space = GSC_MMIO, .mchbar = true },
	{ .name = "mchbar16", .space = GSC_MMIO, .bits = 16, .mchbar = true },
	{ .name = "mchbar8", .space = GSC_MMIO, .bits = 8, .mchbar = true },
	{ .name = "config", .space = GSC_CONFIG },
	{ .name = "io", .space = GSC_IO },
	{ .name = "portio", .space = GSC_IO },
	{ .name = "portio-vga", .space = GSC_IO },
	{ .name = "mmio-vga", .space = GSC_IO, .alias = true },
	{ .name = "vga-sr", .space = GSC_VGA_SR },
	{ .name = "vga-gr", .space = GSC_VGA_GR },
	{ .name = "vga-ar", .space = GSC_VGA_AR },
	{ .name = "vga-cr", .space = GSC_VGA_CR },
	{ .name = "portio-sr", .space = GSC_VGA_SR },
	{ .name = "portio-gr", .space = GSC_VGA_GR },
	{ .name = "portio-ar", .space = GSC_VGA_AR },
	{ .name = "portio-cr", .space = GSC_VGA_CR },
	{ .name = "mmio-sr", .space = GSC_VGA_SR, .alias = true },
	{ .name = "mmio-gr", .space = GSC_VGA_GR, .alias = true },
	{ .name = "mmio-ar", .space = GSC_VGA_AR, .alias = true },
	{ .name = "mmio-cr", .space = GSC_VGA_CR, .alias = true },
	{ .name = "sideband", .space = GSC_SIDEBAND },
	{ .name = "bunit", .space = GSC_SIDEBAND, .unit = 0x03 },
	{ .name = "punit", .space = GSC_SIDEBAND, .unit = 0x04 },
	{ .name = "nc", .space = GSC_SIDEBAND, .unit = 0x11 },
	{ .name = "dpio", .space = GSC_SIDEBAND, .unit = 0x12 },
	{ .name = "gpio-nc", .space = GSC_SIDEBAND, .unit = 0x13 },
	{ .name = "cck", .space = GSC_SIDEBAND, .unit = 0x14 },
	{ .name = "dpio2", .space = GSC_SIDEBAND, .unit = 0x1a },
	{ .name = "flisdsi", .space = GSC_SIDEBAND, .unit = 0x1b },
	{ .name = "ccu", .space = GSC_SIDEBAND, .unit = 0xa9 },
	{ .name = "ggtt", .space = GSC_GGTT },
	{ .name = "phys", .space = GSC_PHYS },
	{ .name = "lmem", .space = GSC_LMEM },
	{ .name = "gttmem", .space = GSC_GTTMEM },
	{ .name = "ppgttmem", .space = GSC_PPGTTMEM },
};

const struct way *way_find(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		if (strlen(ways[i].name) == length && !strncasecmp(ways[i].name, name, length))
			return &ways[i];
	return NULL;
}

const char *gsc_prefix_at(size_t i)
{
	return i < ARRAY_SIZE(ways) ? ways[i].name : NULL;
}
