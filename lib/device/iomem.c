/* SPDX-License-Identifier: MIT */
/* The ranges of /proc/iomem, line by line. */
#include "device/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Real ones have a few hundred. */
#define LINES_MAX 8192

bool iomem_read(const char *path, iomem_vec *lines)
{
	FILE *file = fopen(path, "re");
	struct iomem_line line;
	char text[256];

	if (!file)
		return false;
	while (lines->count < LINES_MAX && fgets(text, sizeof(text), file)) {
		line.depth = (unsigned)strspn(text, " ");
		if (sscanf(text, " %" SCNx64 "-%" SCNx64 " : %63[^\n]", &line.start, &line.last,
			   line.name) != 3 || line.start > line.last)
			continue;
		(void)vec_push(lines, line);
	}
	fclose(file);
	return true;
}
