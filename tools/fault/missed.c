/* SPDX-License-Identifier: MIT */
/* What gpu-fault and gpu-report could not see of their subject. */
#include "fault.h"
#include "hang/hang.h"

#include <stdio.h>
#include <string.h>

/*
 * On a live device the kernel's refusal is reported: for a capture, that it was refused when that
 * was made. Stolen memory is never accessible to the processor.
 */
static enum gsc_status complain_memory(struct common *common)
{
	static const char memory[] = "memory: ", stolen[] = "memory: stolen memory: ";
	enum gsc_status status = GSC_OK;
	struct gsc_property property;
	char why[600];

	for (size_t part = 0; part < gsc_source_count(common->source); part++)
		for (size_t i = 0; gsc_source_property(common->source, part, i, &property); i++) {
			if (strcmp(property.key, "left-out") ||
			    strncmp(property.value, memory, strlen(memory)) ||
			    !strncmp(property.value, stolen, strlen(stolen)))
				continue;
			snprintf(why, sizeof(why), "memory could not be read when the capture was "
						   "saved: %s",
				 property.value + strlen(memory));
			complain(common, GSC_PARTIAL, gsc_source_name(common->source, part), why);
			status = GSC_PARTIAL;
		}
	return status;
}

/*
 * Registers missing from a dump do not count, because it has what its writer chose; nor do sleeping
 * ones, which are most of an idle GPU: the engines' states show what they leave open.
 */
enum gsc_status complain_missed(struct common *common, const struct findings *findings,
				const char *file)
{
	static const struct {
		enum gsc_read read;
		char why[44];
	} reasons[] = {
		{ GSC_READ_DENIED, "not permitted to read them" },
		{ GSC_READ_ALL_ONES, "all ones: the device is suspended or gone" },
	};
	enum gsc_status status = worse(complain_memory(common), complain_refusal(common));
	const struct gsc_hang *hang = findings->now;
	size_t all = 0, count;
	char line[160];

	/* If none has a value, that is reported instead. */
	if (!hang || !gsc_hang_reads(hang, GSC_READ_OK))
		return status;
	for (int read = GSC_READ_OK; read < GSC_READS; read++)
		if (read != GSC_READ_ABSENT)
			all += gsc_hang_reads(hang, (enum gsc_read)read);
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		count = gsc_hang_reads(hang, reasons[i].read);
		if (!count)
			continue;
		snprintf(line, sizeof(line), "%zu of %zu registers of faults, errors and engines: "
			 "%s", count, all, reasons[i].why);
		complain(common, GSC_PARTIAL, file ? file : "", line);
		status = worse(status, GSC_PARTIAL);
	}
	return status;
}
