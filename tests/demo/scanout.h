/* SPDX-License-Identifier: MIT */
/* What the processor sees of graphics memory through fences, and how pipe A displays it. */
#ifndef DEMO_SCANOUT_H
#define DEMO_SCANOUT_H

#include "machine.h"

enum tiling { TILING_X, TILING_Y };

/* Fence registers of Gen6 and later, at 100000h; both bounds are inside the range. */
void fences_hold(struct machine *m, unsigned count);
void fence_set(struct machine *m, unsigned index, uint32_t start, uint32_t size, uint32_t pitch,
	       enum tiling tiling);

/* Pixels and lines, counted from 1 as in a mode line. */
struct mode {
	uint32_t width, hsync_start, hsync_end, htotal;
	uint32_t height, vsync_start, vsync_end, vtotal;
};

/* Timing, the pipe itself, and room for the registers of its cursor and first plane. */
void pipe_a(struct machine *m, const struct mode *mode);

#endif
