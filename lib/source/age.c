/* SPDX-License-Identifier: MIT */
/* When what a source tells of happened. */
#include "formats/dump.h"
#include "util/number.h"

#include <ctype.h>

/*
 * Both drivers tell the time of day (i915_gpu_error.c: "Time: S s U us"; xe_devcoredump.c:
 * "Snapshot time: S.ns"). What i915 says besides counts from other beginnings (Boottime, Uptime),
 * or back from when the text was made (Capture).
 */
static bool time_of(const struct dump *dump, int64_t *seconds)
{
	for (size_t i = 0; i < dump->properties.count; i++) {
		const struct dump_property *p = &dump->properties.items[i];
		size_t digits = 0;
		uint64_t value;

		if (p->prefix.length ||
		    (!words_are(p->key, "Time") && !words_are(p->key, "Snapshot time")))
			continue;
		while (digits < p->value.length && isdigit((unsigned char)p->value.text[digits]))
			digits++;
		/* A clock that was never set counts from 0. */
		if (!digits || digits > 12 || !number_parse(p->value.text, digits, &value) ||
		    !value)
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
