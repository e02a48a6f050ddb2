/* SPDX-License-Identifier: MIT */
/* The fence registers that a source has. */
#include "hang/hang.h"

enum gsc_status hang_fences(struct gsc_hang *hang, struct gsc_error *err)
{
	struct gsc_reg reg;
	uint64_t raw;

	for (unsigned i = 0; i < hang->gpu->platform.fences; i++) {
		struct gsc_fence *fence;

		if (!hang_read(hang, NULL, "FENCE", (int)i, &reg, &raw))
			continue;
		fence = vec_add(&hang->fences);
		if (!fence)
			return err_memory(err);
		gsc_fence_decode(hang->gpu->view, i, raw, fence);
	}
	return GSC_OK;
}
