/* SPDX-License-Identifier: MIT */
/* The words of reasons, and of where tables begin. */
#include "gtt/gtt.h"

#include "util/number.h"

#include <stdio.h>

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

const char *gsc_root_text(const struct gsc_root *root, char *buf, size_t size)
{
	char text[ROOT_TEXT_MAX + NUMBER_MAX], *at = text;

	if (root->mode == GSC_MODE_VTD && root->count == 2) {
		snprintf(buf, size, "0x%llx/%llu", (unsigned long long)root->value[0],
			 (unsigned long long)root->value[1]);
		return buf;
	}
	for (unsigned i = 0; i < root->count && i < ARRAY_SIZE(root->value); i++) {
		if (i)
			*at++ = ',';
		at = number_hex(at, root->value[i]);
	}
	*at = 0;
	snprintf(buf, size, "%s", text);
	return root->count ? buf : NULL;
}
