/* SPDX-License-Identifier: MIT */
/* gpu-fault --decode. */
#include "fault.h"

enum gsc_status decode_run(struct common *common, struct gsc_error *err)
{
	(void)common;
	return usage_error(err, "--decode", "not there");
}
