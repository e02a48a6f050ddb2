/* SPDX-License-Identifier: MIT */
/* Sizes for the eye, in units of 1024. */
#include "human-size.h"

#include "cli.h"

#include <stdio.h>

const char *human_size(uint64_t bytes, char *buf, size_t size)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB", "PB", "EB" };
	size_t unit = 0;
	uint64_t value = bytes;

	while (value >= 1024 && !(value % 1024) && unit + 1 < ARRAY_SIZE(units)) {
		value /= 1024;
		unit++;
	}
	if (value >= 100000 && unit + 1 < ARRAY_SIZE(units)) {
		snprintf(buf, size, "%.1f %s", (double)value / 1024, units[unit + 1]);
		return buf;
	}
	snprintf(buf, size, "%llu %s", (unsigned long long)value,
		 unit || value != 1 ? units[unit] : "byte");
	return buf;
}
