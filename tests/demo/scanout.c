/* SPDX-License-Identifier: MIT */
#include "scanout.h"

void fences_hold(struct machine *m, unsigned count)
{
	hold(m, GSC_MMIO, 0x100000, (uint64_t)count * 8);
}

void fence_set(struct machine *m, unsigned index, uint32_t start, uint32_t size, uint32_t pitch,
	       enum tiling tiling)
{
	REGISTERS(m, 0x100000 + index * 8,
		{ 0, start | (tiling == TILING_Y) << 1 | 1 },
		{ 4, (start + size - PAGE_SIZE) | (pitch / 128 - 1) });
}

static uint32_t range(uint32_t from, uint32_t to)
{
	return (to - 1) << 16 | (from - 1);
}

void pipe_a(struct machine *m, const struct mode *mode)
{
	hold(m, GSC_MMIO, 0x60000, 0x20);
	hold(m, GSC_MMIO, 0x70000, 0x1c0);
	REGISTERS(m, 0,
		{ 0x60000, range(mode->width, mode->htotal) },
		{ 0x60004, range(mode->width, mode->htotal) },
		{ 0x60008, range(mode->hsync_start, mode->hsync_end) },
		{ 0x6000c, range(mode->height, mode->vtotal) },
		{ 0x60010, range(mode->height, mode->vtotal) },
		{ 0x60014, range(mode->vsync_start, mode->vsync_end) },
		{ 0x6001c, range(mode->height, mode->width) },
		{ 0x70008, 0xc0000000 },	/* enabled, and really on */
		{ 0x70040, 0x1a5e1 });		/* frames so far */
}
