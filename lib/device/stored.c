/* SPDX-License-Identifier: MIT */
#include "device/device.h"

bool gsc_stored(const struct gsc_source *source, size_t i, struct gsc_stored *stored)
{
	(void)source;
	(void)i;
	(void)stored;
	return false;
}
