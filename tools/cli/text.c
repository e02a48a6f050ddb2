/* SPDX-License-Identifier: MIT */
/* Words added to a string in a buffer, and sizes in units of 1024. */
#include "text.h"

#include "batch/run.h"
#include "cli.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

void append_word(char *buf, size_t size, const char *between, const char *word)
{
	string_addf(buf, size, "%s%s", *buf ? between : "", word);
}

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
	snprintf(buf, size, "%llu %s", LL(value), unit || value != 1 ? units[unit] : "byte");
	return buf;
}

const char *run_text(const struct gsc_run *run, char *buf, size_t size)
{
	snprintf(buf, size, "%s %s at %s:0x%llx", run->engine,
		 run->kind == GSC_RUN_SECOND_LEVEL ? "second-level batch"
						   : gsc_run_kind_word(run->kind),
		 run->process ? "ppgtt" : "ggtt", LL(run->address));
	return buf;
}
