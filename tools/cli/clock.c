/* SPDX-License-Identifier: MIT */
/* The time, and names made from it. */
#include "cli.h"
#include "util/number.h"

#include <stdio.h>
#include <stdlib.h>

enum gsc_status clock_now(time_t *now, struct gsc_error *err)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;
	struct tm tm;

	*now = time(NULL);
	if (!epoch || !*epoch)
		return GSC_OK;
	if (gsc_parse_number(epoch, &seconds) && seconds <= INT64_MAX) {
		*now = (time_t)seconds;
		if ((uint64_t)*now == seconds && gmtime_r(now, &tm))
			return GSC_OK;
	}
	return usage_error(err, "SOURCE_DATE_EPOCH", "expected seconds since 1970");
}

void clock_name(const struct common *common, time_t now, const char *end, char *buf, size_t size)
{
	char date[32] = "";
	struct tm tm;

	if (gmtime_r(&now, &tm))
		strftime(date, sizeof(date), "-%Y%m%d-%H%M%S", &tm);
	snprintf(buf, size, "gpuscope-%s%s%s", platform_of(common)->name, date, end);
}
