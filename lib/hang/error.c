/* SPDX-License-Identifier: MIT */
#include "hang/hang.h"

enum gsc_status hang_errors(struct gsc_hang *hang, struct gsc_error *err)
{
	(void)hang;
	(void)err;
	return GSC_OK;
}
