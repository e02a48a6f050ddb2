/* SPDX-License-Identifier: MIT */
/* gpu-fault --dmesg. */
#include "fault.h"

enum gsc_status log_run(struct common *common, struct gsc_error *err)
{
	(void)common;
	return usage_error(err, "--dmesg", "not there");
}
