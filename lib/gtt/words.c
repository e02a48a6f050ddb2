/* SPDX-License-Identifier: MIT */
/* The words of modes and reasons. */
#include "gtt/gtt.h"

static const char *const mode_names[GSC_MODES] = {
	[GSC_MODE_GGTT] = "ggtt",	[GSC_MODE_FLAT] = "flat",
	[GSC_MODE_2LEVEL] = "2level",	[GSC_MODE_PDP32] = "pdp32",
	[GSC_MODE_PML4] = "pml4",	[GSC_MODE_IA32E] = "ia32e",
	[GSC_MODE_TRTT] = "trtt",	[GSC_MODE_VTD] = "vtd",
};

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

const char *gsc_mode_name(enum gsc_mode mode)
{
	return (unsigned)mode < GSC_MODES ? mode_names[mode] : "?";
}

bool gsc_mode_by_name(const char *name, enum gsc_mode *mode)
{
	for (unsigned i = 0; i < GSC_MODES; i++) {
		if (!name_compare(mode_names[i], name)) {
			*mode = (enum gsc_mode)i;
			return true;
		}
	}
	return false;
}

const char *gsc_stop_word(enum gsc_stop stop)
{
	return (unsigned)stop < GSC_STOPS ? stop_words[stop] : "?";
}
