/* SPDX-License-Identifier: MIT */
#include "hang/hang.h"

void hang_verdict(struct gsc_hang *hang)
{
	(void)hang;
}
