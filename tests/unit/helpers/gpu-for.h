/* SPDX-License-Identifier: MIT */
/* A GPU of parts that a test has; nobody needs to close it. */
#ifndef GPU_FOR_H
#define GPU_FOR_H

#include "gpu/gpu.h"

#include <stdlib.h>

/* One for each pair of parts, filled anew each time: a later view may have an old address. */
static inline const struct gsc_gpu *gpu_for(struct gsc_source *source, const struct gsc_view *view)
{
	static struct kept_gpu {
		struct gsc_gpu gpu;
		struct kept_gpu *next;
	} *first;
	struct kept_gpu *kept = first;

	if (!view)
		return NULL;
	while (kept && (kept->gpu.source != source || kept->gpu.view != view))
		kept = kept->next;
	if (!kept) {
		kept = malloc(sizeof(*kept));
		if (!kept)
			abort();
		kept->next = first;
		first = kept;
	}
	kept->gpu = gpu_of(source, view);
	return &kept->gpu;
}

#endif
