/* SPDX-License-Identifier: MIT */
/*
 * Facts about a platform that no register, field or entry of the definitions shows. Each property
 * is a number for each platform, 0 where the platform does not have it; data/properties.def has the
 * values and their origins. The build fails if that file and this table differ.
 */
#ifndef GSC_PROPERTIES_H
#define GSC_PROPERTIES_H

#include "db/blob.h"
#include "db/platform.h"

#define PROPERTY_LIST(P)                                                                           \
	P(EXECLISTS, "execlists")                                                                  \
	P(OWN_TABLES, "own-tables")                                                                \
	P(PROCESS_TABLES, "process-tables")                                                        \
	P(SAME_ADDRESS, "same-address")                                                            \
	P(DIRECTORY_READ, "directory-read")                                                        \
	P(NO_EXECUTE, "no-execute")                                                                \
	P(VTD_EXTENDED, "vtd-extended")                                                            \
	P(TRTT_POINTER_BIT, "trtt-pointer-bit")                                                    \
	P(STOLEN_BAR, "stolen-bar")                                                                \
	P(ENGINE_OFFSETS, "engine-offsets")                                                        \
	P(OFFSET_WIDTHS, "offset-widths")                                                          \
	P(CONTEXT_STATUS_PAGE, "context-status-page")                                              \
	P(FAULTS_RECORDED, "faults-recorded")                                                      \
	P(FAULTS_REPORTED, "faults-reported")                                                      \
	P(FAULTS_PASS, "faults-pass")                                                              \
	P(ERROR_CODES, "error-codes")                                                              \
	P(CRYSTAL_KHZ, "crystal-khz")                                                              \
	P(MEDIA_GT, "media-gt")                                                                    \
	P(WAKE_THREAD, "wake-thread")                                                              \
	P(WAKE_FIFO, "wake-fifo")                                                                  \
	P(GGTT_PAT, "ggtt-pat")                                                                    \
	P(GGTT_CACHING, "ggtt-caching")                                                            \
	P(GGTT_LOCAL, "ggtt-local")                                                                \
	P(ABSOLUTE_CONSTANTS, "absolute-constants")                                                \
	P(PIPE_CONTROL_HEADER, "pipe-control-header")                                              \
	P(COMPACT_INSTRUCTIONS, "compact-instructions")                                            \
	P(SPLIT_SENDS, "split-sends")                                                              \
	P(EOT_BIT, "eot-bit")                                                                      \
	P(LONG_SEND_EOT_BIT, "long-send-eot-bit")                                                  \
	P(SWIZZLE, "swizzle")                                                                      \
	P(BATCH_FETCH, "batch-fetch")                                                              \
	P(BATCH_FETCH_RENDER, "batch-fetch-render")                                                \
	P(URB_ROWS, "urb-rows")                                                                    \
	P(FENCE_PITCH, "fence-pitch")                                                              \
	P(SURFACE_PITCH, "surface-pitch")                                                          \
	P(BLITTER_PITCH, "blitter-pitch")                                                          \
	P(DISPLAY_PITCH, "display-pitch")                                                          \
	P(DISPLAY_PITCH_X, "display-pitch-x")                                                      \
	P(TILE_Y, "tile-y")                                                                        \
	P(TILE_W, "tile-w")                                                                        \
	P(TILE_YF, "tile-yf")                                                                      \
	P(TILE_4, "tile-4")                                                                        \
	P(DISPLAY_Y, "display-y")                                                                  \
	P(BLITTER_Y, "blitter-y")                                                                  \
	P(STENCIL_W, "stencil-w")                                                                  \
	P(STENCIL_Y, "stencil-y")                                                                  \
	P(SAMPLER_W, "sampler-w")                                                                  \
	P(RENDER_128, "render-128")                                                                \
	P(TILE64_FOUR, "tile64-four")                                                              \
	P(QPITCH_PIXELS, "qpitch-pixels")                                                          \
	P(SURFACE_ROWS, "surface-rows")                                                            \
	P(AUX_1M, "aux-1m")

#define PROPERTY_ENUM(id, name) PROPERTY_##id,
enum property { PROPERTY_LIST(PROPERTY_ENUM) PROPERTIES };
#undef PROPERTY_ENUM

extern const char *const property_names[PROPERTIES];

static inline unsigned platform_value(const struct gsc_platform *platform, enum property which)
{
	return platform->properties ? platform->properties[which].value[platform->index] : 0;
}

static inline bool platform_has(const struct gsc_platform *platform, enum property which)
{
	return platform_value(platform, which);
}

/* Where the registers of a separate media GT begin (xe_gt_regs.h: MEDIA_GT_GSI_OFFSET). */
#define MEDIA_GT_START 0x380000
#define MEDIA_GT_LENGTH 0x40000

/* Per-process tables are enabled: a dump may have GFX_MODE without saying of which platform. */
#define GFX_MODE_PPGTT (1u << 9)

#endif
