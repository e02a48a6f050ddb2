/* SPDX-License-Identifier: MIT */
/* gpu-fault of one source. */
#include "fault.h"

enum gsc_status report_run(struct common *common, struct gsc_error *err)
{
	struct gsc_hang *hang = NULL;
	enum gsc_status status = common_open(common, err);

	if (!status)
		status = gsc_hang_new(&hang, common->source, common->view, NULL, err);
	gsc_hang_free(hang);
	return status;
}

enum gsc_status dumps_run(struct common *common, struct gsc_error *err)
{
	return report_run(common, err);
}
