/* SPDX-License-Identifier: MIT */
/* The time of the event that a source is about. */
#include "formats/dump.h"

/*
 * Both drivers print the time of day (i915_gpu_error.c: "Time: S s U us"; xe_devcoredump.c:
 * "Snapshot time: S.ns"). i915's other times count from other beginnings (Boottime, Uptime), or
 * back from when the text was made (Capture).
 */
static bool time_of(const struct dump *dump, int64_t *seconds)
{
	for (size_t i = 0; i < dump->properties.count; i++) {
		const struct dump_property *p = &dump->properties.items[i];
		struct slice rest = p->value, digits = take_while(&rest, is_digit);
		uint64_t value;

		if (p->prefix.at < p->prefix.end ||
		    (!slice_is(p->key, "Time") && !slice_is(p->key, "Snapshot time")))
			continue;
		/* A clock that was never set counts from 0. */
		if (slice_length(digits) > 12 || !slice_number(digits, &value) || !value)
			return false;
		*seconds = (int64_t)value;
		return true;
	}
	return false;
}

int64_t gsc_source_age(const struct gsc_source *source, int64_t now)
{
	int64_t then;

	for (size_t part = 0; part < source->parts.count; part++)
		if (source->parts.items[part].dump &&
		    time_of(source->parts.items[part].dump, &then))
			return MAX(now - then, INT64_C(0));
	return -1;
}
