/* SPDX-License-Identifier: MIT */
/*
 * What is in an address space, for pictures of it: both those of a report and those of gpu-ptwalk.
 */
#ifndef MAP_MARKS_H
#define MAP_MARKS_H

#include "cli/cli.h"

struct gsc_hang;
struct gsc_translation;

/*
 * Faults, engines, rings, contexts, status pages, fences and the aperture, as far as they are in
 * the space of the translation. The hang is that of the source.
 */
void map_marks(struct gsc_picture *picture, struct gsc_hang *hang, const struct gsc_gpu *gpu,
	       const struct gsc_translation *translation);

#endif
