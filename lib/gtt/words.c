/* SPDX-License-Identifier: MIT */
/* The words of reasons. */
#include "gtt/gtt.h"

static const char *const stop_words[GSC_STOPS] = {
	[GSC_STOP_NONE] = "none",
	[GSC_STOP_NOT_PRESENT] = "not-present",
	[GSC_STOP_RESERVED_BITS] = "reserved-bits",
	[GSC_STOP_NOT_CANONICAL] = "not-canonical",
	[GSC_STOP_BEYOND_TABLE] = "beyond-table",
	[GSC_STOP_NO_MEMORY] = "no-memory",
	[GSC_STOP_NULL_TILE] = "null-tile",
	[GSC_STOP_INVALID_TILE] = "invalid-tile",
	[GSC_STOP_NOT_PERMITTED] = "not-permitted",
	[GSC_STOP_IOMMU] = "iommu",
};

const char *gsc_stop_word(enum gsc_stop stop)
{
	return (unsigned)stop < GSC_STOPS ? stop_words[stop] : "?";
}
