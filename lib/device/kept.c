/* SPDX-License-Identifier: MIT */
/* Dumps that the kernel keeps in sysfs and debugfs, by their paths, and the devices they are of. */
#include "device/device.h"

#include "util/util.h"
#include "util/number.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_id(const char *folder, const char *link, const char *file)
{
	char path[PATH_MAX], text[16] = "";
	ssize_t length = -1;
	uint64_t id;
	int fd = -1;

	if (snprintf(path, sizeof(path), "%s/%s/%s", folder, link, file) < PATH_MAX)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		length = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[strcspn(text, "\n")] = 0;
	return length > 0 && gsc_parse_number(text, &id) && id <= UINT16_MAX ? (int)id : -1;
}

enum gsc_source_form device_kept(const char *path, int *id, int *revision)
{
	static const struct {
		const char *file, *folder, *link;
		enum gsc_source_form form;
	} kept[] = {
		{ "error", "card", "device", GSC_SOURCE_ERROR_STATE },
		{ "i915_error_state", "", NULL, GSC_SOURCE_ERROR_STATE },
		{ "data", "devcd", "failing_device", GSC_SOURCE_DEVCOREDUMP },
	};
	char real[PATH_MAX], *file, *folder;
	int vendor;

	*id = *revision = -1;
	if (!realpath(path, real) || strncmp(real, "/sys/", 5))
		return GSC_SOURCE_NONE;
	file = strrchr(real, '/');
	*file++ = 0;
	folder = strrchr(real, '/') + 1;
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		if (strcmp(file, kept[i].file) ||
		    strncmp(folder, kept[i].folder, strlen(kept[i].folder)))
			continue;
		if (!kept[i].link)
			return kept[i].form;
		vendor = read_id(real, kept[i].link, "vendor");
		if (vendor != 0x8086)		/* of other makers, or not readable */
			return vendor < 0 ? kept[i].form : GSC_SOURCE_NONE;
		*id = read_id(real, kept[i].link, "device");
		*revision = read_id(real, kept[i].link, "revision");
		return kept[i].form;
	}
	return GSC_SOURCE_NONE;
}
